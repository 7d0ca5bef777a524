/**
 * How fine the mesh of a sheet is wanted: a metric M in each vertex, by what its triangles do. An edge e of material space is just as
 * long as wanted where eᵀ M e = 1 (after R. Narain, A. Samii, J. O'Brien, Adaptive anisotropic remeshing for cloth simulation, 2012).
 *
 *     M = κ²/α²  +  GᵀG/ν²  +  Σ (ε_i/(c L))² d_i d_iᵀ        summed over principal strains ε_i < 0 along d_i
 *
 *   κ    curvature of the triangle [1/m]; edges of bodies bend a sheet as sharply as they are, however fine it is: creases do not count
 *   α    angle by which the normal may turn along an edge [rad]
 *   G    ∂v/∂X [1/s], v the velocity of the material beyond the rigid motion of the whole sheet, which any mesh can follow
 *   ν    difference of velocity along an edge [m/s]
 *   c    compression that an edge of length L may have [1]: shortening that a finer mesh could let buckle
 *   l, L smallest and largest edge [m]: eigenvalues of M are within 1/L² and 1/(2l)² (what is split has twice the length of what it becomes)
 *
 * Different from the paper: curvature from the angles of edges as bending has it, rigid motion left out, compression relative to L.
 * Metrics of triangles are averaged to their vertices by area; no direction is wanted more than `ASPECT` times as fine as the other.
 */
import { inverseMat3, type Vec3, zeroMat3 } from '../math/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import { SheetBending } from './bending.ts';
import type { SheetCreases } from './creases.ts';
import { FIT } from './curvature.ts';
import { SheetMeasure } from './measure.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Ratio of the longest to the shortest wanted edge at a vertex. */
const ASPECT = 2;

export interface SheetSizing {
  /** l: no shorter edges are made by splitting [m]. */
  readonly smallest: number;
  /** L: longest edge [m]. */
  readonly largest: number;
  /** α: by how much the normal may turn along an edge [rad]. */
  readonly angle: number;
  /** ν: by how much the velocity may differ along an edge [m/s]. */
  readonly velocity: number;
  /** c: compression that the largest edge may have [1]. */
  readonly compression: number;
}

export type SizingOptions = { readonly [K in keyof SheetSizing]?: number | undefined };

/** What is wanted where nothing is said, for a sheet of mean edge `size` [m]. */
export const createSizing = (size: number, given: SizingOptions = {}): SheetSizing => {
  const largest = given.largest ?? 3 * size;
  return {
    smallest: given.smallest ?? Math.min(size, largest) / 4,
    largest,
    angle: given.angle ?? Math.PI / 12,
    velocity: given.velocity ?? 1,
    compression: given.compression ?? 0.02,
  };
};

/** Velocity of a rigid motion: v + ω × (x − c). */
interface RigidMotion {
  readonly centre: Vec3;
  readonly velocity: Vec3;
  readonly spin: Vec3;
}

/** Works out metrics; belongs to one sheet. */
export class SizingField {
  readonly sizing: SheetSizing;
  readonly #bending = new SheetBending();
  readonly #measure = new SheetMeasure();
  readonly #velocity = new Float64Array(9);
  readonly #strain = new Float64Array(3);

  constructor(sizing: SheetSizing) {
    this.sizing = sizing;
  }

  /** Three numbers a vertex, M₁₁, M₁₂, M₂₂ [1/m²]. */
  compute(state: SheetState, creases?: SheetCreases): Float64Array {
    const { mesh, count, area } = state;
    state.measureSliding();
    this.#bending.measureAngles(state);
    const motion = this.#computeMotion(state);
    const metric = new Float64Array(3 * count);
    const around = new Float64Array(count);
    const own = new Float64Array(3);
    for (let t = 0; t < mesh.triangleCount; t++) {
      own.fill(0);
      this.#addCurvature(state, t, creases, own);
      this.#addVelocity(state, t, motion, own);
      this.#addCompression(state, t, own);
      for (let n = 0; n < 3; n++) {
        const i = mesh.triangles[3 * t + n];
        around[i] += area[t];
        for (let k = 0; k < 3; k++) metric[3 * i + k] += area[t] * own[k];
      }
    }
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) metric[3 * i + k] /= around[i];
      this.#limit(metric, 3 * i);
    }
    return metric;
  }

  #addCurvature(state: SheetState, t: number, creases: SheetCreases | undefined, out: Float64Array): void {
    const { mesh, beta } = state;
    let [k1, k2, k3] = [0, 0, 0];
    for (let n = 0; n < 3; n++) {
      const e = mesh.triangleEdges[3 * t + n];
      if (creases?.isCrease(state, mesh.edges[4 * e], mesh.edges[4 * e + 1])) continue;
      const theta = this.#bending.angleOf(e) / FIT;
      k1 += theta * beta[18 * t + 3 * n];
      k2 += theta * beta[18 * t + 3 * n + 1];
      k3 += (theta * beta[18 * t + 3 * n + 2]) / 2;
    }
    const scale = 1 / this.sizing.angle ** 2;
    out[0] += scale * (k1 * k1 + k3 * k3);
    out[1] += scale * k3 * (k1 + k2);
    out[2] += scale * (k2 * k2 + k3 * k3);
  }

  #addVelocity(state: SheetState, t: number, motion: RigidMotion, out: Float64Array): void {
    const { mesh, q, gradients } = state;
    const v = this.#velocity;
    this.#measure.writeMaterialVelocity(state, t, v);
    const scale = 1 / this.sizing.velocity ** 2;
    for (let n = 0; n < 3; n++) subtractMotion(motion, q, STRIDE * mesh.triangles[3 * t + n], v, 3 * n);
    for (let k = 0; k < 3; k++) {
      let [x, y] = [0, 0];
      for (let n = 0; n < 3; n++) {
        x += v[3 * n + k] * gradients[6 * t + 2 * n];
        y += v[3 * n + k] * gradients[6 * t + 2 * n + 1];
      }
      out[0] += scale * x * x;
      out[1] += scale * x * y;
      out[2] += scale * y * y;
    }
  }

  #addCompression(state: SheetState, t: number, out: Float64Array): void {
    const { compression, largest } = this.sizing;
    this.#measure.writeStrain(state, t, this.#strain);
    const [a, b, c] = this.#strain;
    const mean = (a + b) / 2;
    const half = (a - b) / 2;
    const radius = Math.sqrt(half * half + c * c);
    const scale = 1 / (compression * largest) ** 2;
    for (const sign of [1, -1]) {
      const strain = mean + sign * radius;
      if (!(strain < 0)) continue;
      addDirection(out, 0, scale * strain * strain, sign * half, sign * c, radius);
    }
  }

  /** Keeps the eigenvalues of a metric within bounds, and no further apart than ASPECT². */
  #limit(metric: Float64Array, at: number): void {
    const { smallest, largest } = this.sizing;
    const mean = (metric[at] + metric[at + 2]) / 2;
    const half = (metric[at] - metric[at + 2]) / 2;
    const m1 = metric[at + 1];
    const radius = Math.sqrt(half * half + m1 * m1);
    const low = 1 / (largest * largest);
    const high = Math.max(low, 1 / (4 * smallest * smallest));
    const larger = Math.min(high, Math.max(low, mean + radius));
    const smaller = Math.min(high, Math.max(low, mean - radius, larger / ASPECT ** 2));
    metric.fill(0, at, at + 3);
    addDirection(metric, at, larger, half, m1, radius);
    addDirection(metric, at, smaller, -half, -m1, radius);
  }

  /** The rigid motion with the momentum and angular momentum of the sheet. */
  #computeMotion(state: SheetState): RigidMotion {
    const { mesh, q, area } = state;
    const v = this.#velocity;
    let mass = 0;
    const centre = [0, 0, 0];
    const velocity = [0, 0, 0];
    for (let t = 0; t < mesh.triangleCount; t++) {
      this.#measure.writeMaterialVelocity(state, t, v);
      for (let n = 0; n < 3; n++) {
        mass += area[t];
        for (let k = 0; k < 3; k++) {
          centre[k] += area[t] * q[STRIDE * mesh.triangles[3 * t + n] + k];
          velocity[k] += area[t] * v[3 * n + k];
        }
      }
    }
    for (let k = 0; k < 3; k++) {
      centre[k] /= mass;
      velocity[k] /= mass;
    }
    const inertia = zeroMat3();
    const spin = [0, 0, 0];
    for (let t = 0; t < mesh.triangleCount; t++) {
      this.#measure.writeMaterialVelocity(state, t, v);
      for (let n = 0; n < 3; n++) {
        const i = STRIDE * mesh.triangles[3 * t + n];
        const r = [q[i] - centre[0], q[i + 1] - centre[1], q[i + 2] - centre[2]];
        const square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        for (let k = 0; k < 3; k++) {
          const [a, b] = [(k + 1) % 3, (k + 2) % 3];
          spin[k] += area[t] * (r[a] * (v[3 * n + b] - velocity[b]) - r[b] * (v[3 * n + a] - velocity[a]));
          for (let l = 0; l < 3; l++) inertia[3 * k + l] += area[t] * ((k === l ? square : 0) - r[k] * r[l]);
        }
      }
    }
    // a sheet drawn out to a line has no inertia about it
    for (let k = 0; k < 3; k++) inertia[4 * k] += 1e-9 * (inertia[0] + inertia[4] + inertia[8]);
    const inverse = inverseMat3(inertia);
    const turn = [0, 1, 2].map(
      (k) => inverse[3 * k] * spin[0] + inverse[3 * k + 1] * spin[1] + inverse[3 * k + 2] * spin[2],
    );
    return { centre: centre as unknown as Vec3, velocity: velocity as unknown as Vec3, spin: turn as unknown as Vec3 };
  }
}

/** Adds size · d dᵀ to a metric, d the unit eigenvector of [half, side; side, −half] for its eigenvalue +radius. */
function addDirection(
  metric: Float64Array,
  at: number,
  size: number,
  half: number,
  side: number,
  radius: number,
): void {
  // d dᵀ = ½ (I + [half, side; side, −half]/radius); without a direction both get their half
  const [c, s] = radius > 0 ? [half / radius, side / radius] : [0, 0];
  metric[at] += (size * (1 + c)) / 2;
  metric[at + 1] += (size * s) / 2;
  metric[at + 2] += (size * (1 - c)) / 2;
}

function subtractMotion(
  { centre, velocity, spin }: RigidMotion,
  x: Float64Array,
  i: number,
  v: Float64Array,
  at: number,
): void {
  const [a, b, c] = [x[i] - centre[0], x[i + 1] - centre[1], x[i + 2] - centre[2]];
  v[at] -= velocity[0] + spin[1] * c - spin[2] * b;
  v[at + 1] -= velocity[1] + spin[2] * a - spin[0] * c;
  v[at + 2] -= velocity[2] + spin[0] * b - spin[1] * a;
}

/** 1 for E-vertices, 2 for those that share a triangle with one, 3 for those that share one with these, else 0. */
export function markCreases({ mesh, kind, count }: SheetState): Uint8Array {
  const mark = new Uint8Array(count);
  for (let i = 0; i < count; i++) if (kind[i] !== NODE_LAGRANGIAN) mark[i] = 1;
  for (let ring = 2; ring <= 3; ring++)
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      const corners = mesh.triangles.subarray(t, t + 3);
      if (corners.some((i) => mark[i] === ring - 1)) for (const i of corners) if (mark[i] === 0) mark[i] = ring;
    }
  return mark;
}
