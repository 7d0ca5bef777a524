/**
 * How fine the mesh of a sheet is wanted: a metric M in each vertex, by what its triangles do. An edge e of material space is just as
 * long as wanted where eᵀ M e = 1 [Narain 2012].
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
import { NODE_LAGRANGIAN } from '../model/index.ts';
import { SheetBending } from './bending.ts';
import type { SheetCreases } from './creases.ts';
import { SheetMeasure } from './measure.ts';
import { writeCurvature, writeLeans } from './rest-bending.ts';
import { subtractRigidMotion } from './rigid-motion.ts';
import type { SheetState } from './state.ts';

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
    smallest: given.smallest ?? Math.min(size, largest) / 2,
    largest,
    angle: given.angle ?? Math.PI / 9,
    velocity: given.velocity ?? 1,
    compression: given.compression ?? 0.02,
  };
};

/** Works out metrics; belongs to one sheet. */
export class SizingField {
  readonly sizing: SheetSizing;
  readonly #bending = new SheetBending();
  readonly #measure = new SheetMeasure();
  /** Velocities of the material at the corners, nine numbers a triangle, and strains, three. */
  #velocities = new Float64Array(0);
  #strains = new Float64Array(0);
  /** θ and φ of edges; κ of a triangle. */
  #theta = new Float64Array(0);
  #lean = new Float64Array(0);
  readonly #kappa = new Float64Array(3);

  constructor(sizing: SheetSizing) {
    this.sizing = sizing;
  }

  /** Three numbers a vertex, M₁₁, M₁₂, M₂₂ [1/m²]. */
  compute(state: SheetState, creases?: SheetCreases): Float64Array {
    const { mesh, count, area } = state;
    state.measureSliding();
    this.#readAngles(state, creases);
    this.#readTriangles(state);
    subtractRigidMotion(state, this.#velocities);
    const metric = new Float64Array(3 * count);
    const around = new Float64Array(count);
    const own = new Float64Array(3);
    for (let t = 0; t < mesh.triangleCount; t++) {
      own.fill(0);
      this.#addCurvature(state, t, own);
      this.#addVelocity(state, t, own);
      this.#addCompression(t, own);
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

  /** Angles without those of creases, and how far normals lean by them. */
  #readAngles(state: SheetState, creases: SheetCreases | undefined): void {
    const { edges, edgeCount } = state.mesh;
    this.#bending.measureAngles(state);
    this.#theta = this.#bending.angles.theta.slice();
    this.#lean = new Float64Array(edgeCount);
    for (let e = 0; e < edgeCount; e++)
      if (creases?.isCrease(state, edges[4 * e], edges[4 * e + 1])) this.#theta[e] = 0;
    writeLeans(state, this.#theta, this.#lean);
  }

  #addCurvature(state: SheetState, t: number, out: Float64Array): void {
    const kappa = this.#kappa;
    writeCurvature(state, t, this.#theta, this.#lean, kappa);
    const [k1, k2, k3] = [kappa[0], kappa[1], kappa[2] / 2];
    const scale = 1 / this.sizing.angle ** 2;
    out[0] += scale * (k1 * k1 + k3 * k3);
    out[1] += scale * k3 * (k1 + k2);
    out[2] += scale * (k2 * k2 + k3 * k3);
  }

  #addVelocity({ gradients }: SheetState, t: number, out: Float64Array): void {
    const v = this.#velocities;
    const scale = 1 / this.sizing.velocity ** 2;
    for (let k = 0; k < 3; k++) {
      let x = 0;
      let y = 0;
      for (let n = 0; n < 3; n++) {
        x += v[9 * t + 3 * n + k] * gradients[6 * t + 2 * n];
        y += v[9 * t + 3 * n + k] * gradients[6 * t + 2 * n + 1];
      }
      out[0] += scale * x * x;
      out[1] += scale * x * y;
      out[2] += scale * y * y;
    }
  }

  #addCompression(t: number, out: Float64Array): void {
    const { compression, largest } = this.sizing;
    const a = this.#strains[3 * t];
    const b = this.#strains[3 * t + 1];
    const c = this.#strains[3 * t + 2];
    const mean = (a + b) / 2;
    const half = (a - b) / 2;
    const radius = Math.sqrt(half * half + c * c);
    const scale = 1 / (compression * largest) ** 2;
    for (let sign = 1; sign >= -1; sign -= 2) {
      const strain = mean + sign * radius;
      if (strain < 0) addDirection(out, 0, scale * strain * strain, sign * half, sign * c, radius);
    }
  }

  #readTriangles(state: SheetState): void {
    const { triangleCount } = state.mesh;
    if (this.#strains.length !== 3 * triangleCount) {
      this.#strains = new Float64Array(3 * triangleCount);
      this.#velocities = new Float64Array(9 * triangleCount);
    }
    for (let t = 0; t < triangleCount; t++)
      this.#measure.writeMotion(state, t, this.#velocities, 9 * t, this.#strains, 3 * t);
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
  const c = radius > 0 ? half / radius : 0;
  const s = radius > 0 ? side / radius : 0;
  metric[at] += (size * (1 + c)) / 2;
  metric[at + 1] += (size * s) / 2;
  metric[at + 2] += (size * (1 - c)) / 2;
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
