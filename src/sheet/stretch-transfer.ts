/**
 * Keeps the stretch of a sheet through a remeshing. Places that are read off the old mesh lie on its facets: where those are at an
 * angle, new triangles across them are chords, too short for their material, and a stiff sheet would burst. New triangles therefore
 * aim at the stretch of the old ones that they cover, and the vertices around them move to where their triangles want them.
 *
 *     C = mean of FᵀF over the old triangles,  U = √C,  R = polar(F U⁻¹),   x_i ← Σ_t A_t (c_t + R_t U_t (X_i − C_t)) / Σ_t A_t
 *
 *   A  material area     c, C  centroids in the world and in the material
 * Local steps of projective dynamics [Bouaziz 2014], one sweep of Jacobi each, accelerated by Chebyshev's weights [Wang 2015].
 * An affine map of the material is left as it is, to rounding.
 */
import { createMeshLocation, type MeshLocation, type MeshLocator } from '../geometry/index.ts';
import { writeDeformation } from './measure.ts';
import type { SheetMesh } from './mesh.ts';
import { type SheetState, STRIDE } from './state.ts';
import { compareMeshes, findBefore } from './transfer-impulse.ts';

/** Most sweeps; the misfit (as a strain, root mean square) that ends them, and the share of its square that ROUND of them must take. */
const SWEEPS = 200;
const FIT = 1e-5;
const ROUND = 10;
const CALM = 0.05;
/** Sweeps before they are accelerated, and the share that one leaves of the error, as that assumes. */
const PLAIN = 5;
const DECAY = 0.985;
/** Where in a new triangle the old ones are asked: barycentric coordinates. */
const SAMPLES = [1 / 3, 1 / 3, 1 / 3, 0.7, 0.15, 0.15, 0.15, 0.7, 0.15, 0.15, 0.15, 0.7];

/** The mesh before a remeshing. */
export interface OldMesh {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly mesh: SheetMesh;
  readonly label: Int32Array;
}

/** `isFixed`: vertices that stay; `pushOut` moves one out of bodies; `same`: the old triangle that each is, −1 for none. */
export function restoreStretch(
  state: SheetState,
  old: OldMesh,
  locator: MeshLocator,
  isFixed: (i: number) => boolean,
  pushOut: (i: number) => void,
  same: Int32Array = compareMeshes(old.mesh, state.mesh, findBefore(old.label, state.label)).same,
): void {
  const changed: number[] = [];
  for (let t = 0; t < same.length; t++) if (same[t] < 0) changed.push(t);
  if (changed.length === 0) return;
  const { vertices, triangles } = listRegion(state, changed, isFixed);
  const stretch = new Float64Array(3 * state.mesh.triangleCount);
  const F = new Float64Array(6);
  const location = createMeshLocation();
  for (const t of triangles) addMetric(state, t, 1, F, stretch, 3 * t);
  for (const t of changed) {
    stretch.fill(0, 3 * t, 3 * t + 3);
    addOldMetric(state, old, locator, location, t, F, stretch);
  }
  for (const t of triangles) takeRoot(stretch, 3 * t);
  const { q } = state;
  const wants = new Wants(state, vertices, triangles, stretch);
  const before = new Float64Array(3 * vertices.length);
  let omega = 1;
  let misfit = Number.POSITIVE_INFINITY;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (sweep === PLAIN) omega = 2 / (2 - DECAY * DECAY);
    else if (sweep > PLAIN) omega = 4 / (4 - DECAY * DECAY * omega);
    const now = wants.collect(q);
    if (now < FIT * FIT) break;
    // what is left after that is not a matter of places nearby
    if (sweep % ROUND === 0) {
      if (!(now < (1 - CALM) * misfit)) break;
      misfit = now;
    }
    for (let n = 0; n < vertices.length; n++) {
      const i = vertices[n];
      const at = STRIDE * i;
      const o = 3 * n;
      const share = 1 / wants.weight[n];
      for (let k = 0; k < 3; k++) {
        const to = q[at + k] + wants.sum[o + k] * share;
        const next = sweep < PLAIN ? to : omega * (to - before[o + k]) + before[o + k];
        before[o + k] = q[at + k];
        q[at + k] = next;
      }
      pushOut(i);
    }
  }
}

/** Numbers of a triangle: three vertices; ∇φ_n U⁻¹, U (X_n − C), two numbers a corner. */
const NUMBERS = 12;

/** Where triangles want their corners, all constants of theirs worked out before the first sweep. */
class Wants {
  /** Sums of A (c + R U (X − C) − x), three numbers a vertex that may move, and of A; then those of all others. */
  readonly sum: Float64Array;
  readonly weight: Float64Array;
  readonly #corners: Int32Array;
  /** Place of each corner among the vertices that may move; the one after the last for others. */
  readonly #places: Int32Array;
  readonly #numbers: Float64Array;
  readonly #area: Float64Array;
  /** Σ A |U (X − C)|². */
  #size = 0;

  constructor(
    { q, mesh, gradients, area, count }: SheetState,
    vertices: readonly number[],
    triangles: readonly number[],
    stretch: Float64Array,
  ) {
    this.sum = new Float64Array(3 * vertices.length + 3);
    this.weight = new Float64Array(vertices.length + 1);
    const place = new Int32Array(count).fill(vertices.length);
    for (let n = 0; n < vertices.length; n++) place[vertices[n]] = n;
    this.#corners = new Int32Array(3 * triangles.length);
    this.#places = new Int32Array(3 * triangles.length);
    this.#numbers = new Float64Array(NUMBERS * triangles.length);
    this.#area = Float64Array.from(triangles, (t) => area[t]);
    triangles.forEach((t, r) => {
      const u11 = stretch[3 * t];
      const u12 = stretch[3 * t + 1];
      const u22 = stretch[3 * t + 2];
      const inverse = 1 / (u11 * u22 - u12 * u12);
      let X = 0;
      let Y = 0;
      for (let n = 0; n < 3; n++) {
        const i = mesh.triangles[3 * t + n];
        this.#corners[3 * r + n] = i;
        this.#places[3 * r + n] = place[i];
        this.weight[place[i]] += area[t];
        X += q[STRIDE * i + 3] / 3;
        Y += q[STRIDE * i + 4] / 3;
      }
      for (let n = 0; n < 3; n++) {
        const at = STRIDE * mesh.triangles[3 * t + n] + 3;
        const gx = gradients[6 * t + 2 * n];
        const gy = gradients[6 * t + 2 * n + 1];
        const dX = q[at] - X;
        const dY = q[at + 1] - Y;
        const o = NUMBERS * r + 2 * n;
        this.#numbers[o] = (gx * u22 - gy * u12) * inverse;
        this.#numbers[o + 1] = (gy * u11 - gx * u12) * inverse;
        this.#numbers[o + 6] = u11 * dX + u12 * dY;
        this.#numbers[o + 7] = u12 * dX + u22 * dY;
        this.#size += area[t] * (this.#numbers[o + 6] ** 2 + this.#numbers[o + 7] ** 2);
      }
    });
  }

  /**
   * Overwrites `sum` for places q, and returns the mean square of how far they are from what is wanted, over that of the sizes of triangles.
   * A triangle that is flat as a line wants its corners where they are.
   */
  collect(q: Float64Array): number {
    const { sum } = this;
    let misfit = 0;
    const c = this.#numbers;
    const corners = this.#corners;
    const places = this.#places;
    const areas = this.#area;
    sum.fill(0);
    for (let r = 0; r < areas.length; r++) {
      const o = NUMBERS * r;
      const i0 = corners[3 * r];
      const i1 = corners[3 * r + 1];
      const i2 = corners[3 * r + 2];
      const x0 = q[STRIDE * i0];
      const x1 = q[STRIDE * i1];
      const x2 = q[STRIDE * i2];
      const y0 = q[STRIDE * i0 + 1];
      const y1 = q[STRIDE * i1 + 1];
      const y2 = q[STRIDE * i2 + 1];
      const z0 = q[STRIDE * i0 + 2];
      const z1 = q[STRIDE * i1 + 2];
      const z2 = q[STRIDE * i2 + 2];
      // G = F U⁻¹ and GᵀG
      const gx1 = x0 * c[o] + x1 * c[o + 2] + x2 * c[o + 4];
      const gx2 = x0 * c[o + 1] + x1 * c[o + 3] + x2 * c[o + 5];
      const gy1 = y0 * c[o] + y1 * c[o + 2] + y2 * c[o + 4];
      const gy2 = y0 * c[o + 1] + y1 * c[o + 3] + y2 * c[o + 5];
      const gz1 = z0 * c[o] + z1 * c[o + 2] + z2 * c[o + 4];
      const gz2 = z0 * c[o + 1] + z1 * c[o + 3] + z2 * c[o + 5];
      const m11 = gx1 * gx1 + gy1 * gy1 + gz1 * gz1;
      const m12 = gx1 * gx2 + gy1 * gy2 + gz1 * gz2;
      const m22 = gx2 * gx2 + gy2 * gy2 + gz2 * gz2;
      // R = G (GᵀG)^−½, the nearest rotation
      const square = m11 * m22 - m12 * m12;
      const root = square > 0 ? Math.sqrt(square) : 0;
      const scale = 1 / (root * Math.sqrt(m11 + m22 + 2 * root));
      const isFlat = !Number.isFinite(scale);
      const s11 = scale * (m22 + root);
      const s12 = -scale * m12;
      const s22 = scale * (m11 + root);
      const area = areas[r];
      const cx = (x0 + x1 + x2) / 3;
      const cy = (y0 + y1 + y2) / 3;
      const cz = (z0 + z1 + z2) / 3;
      for (let n = 0; n < 3; n++) {
        const d1 = c[o + 6 + 2 * n];
        const d2 = c[o + 7 + 2 * n];
        const w1 = s11 * d1 + s12 * d2;
        const w2 = s12 * d1 + s22 * d2;
        const i = n === 0 ? i0 : n === 1 ? i1 : i2;
        const dx = isFlat ? 0 : cx + gx1 * w1 + gx2 * w2 - q[STRIDE * i];
        const dy = isFlat ? 0 : cy + gy1 * w1 + gy2 * w2 - q[STRIDE * i + 1];
        const dz = isFlat ? 0 : cz + gz1 * w1 + gz2 * w2 - q[STRIDE * i + 2];
        const place = 3 * places[3 * r + n];
        sum[place] += area * dx;
        sum[place + 1] += area * dy;
        sum[place + 2] += area * dz;
        misfit += area * (dx * dx + dy * dy + dz * dz);
      }
    }
    return misfit / this.#size;
  }
}

/** Vertices that may move, those of changed triangles and their neighbours, and all triangles around them. */
function listRegion({ mesh, count }: SheetState, changed: readonly number[], isFixed: (i: number) => boolean) {
  const { triangles, triangleCount } = mesh;
  const isIn = new Uint8Array(count);
  for (const t of changed) for (let n = 0; n < 3; n++) isIn[triangles[3 * t + n]] = 1;
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = [isIn[triangles[3 * t]], isIn[triangles[3 * t + 1]], isIn[triangles[3 * t + 2]]];
    if (a !== 1 && b !== 1 && c !== 1) continue;
    for (let n = 0; n < 3; n++) if (isIn[triangles[3 * t + n]] === 0) isIn[triangles[3 * t + n]] = 2;
  }
  const vertices: number[] = [];
  for (let i = 0; i < count; i++) {
    if (isIn[i] && isFixed(i)) isIn[i] = 0;
    if (isIn[i]) vertices.push(i);
  }
  const around: number[] = [];
  for (let t = 0; t < triangleCount; t++)
    if (isIn[triangles[3 * t]] + isIn[triangles[3 * t + 1]] + isIn[triangles[3 * t + 2]] > 0) around.push(t);
  return { vertices, triangles: around };
}

/** Adds the mean of FᵀF of the old triangles under a new one. */
function addOldMetric(
  { q, mesh }: SheetState,
  old: OldMesh,
  locator: MeshLocator,
  location: MeshLocation,
  t: number,
  F: Float64Array,
  out: Float64Array,
): void {
  for (let s = 0; s < SAMPLES.length; s += 3) {
    let X = 0;
    let Y = 0;
    for (let n = 0; n < 3; n++) {
      const i = STRIDE * mesh.triangles[3 * t + n];
      X += SAMPLES[s + n] * q[i + 3];
      Y += SAMPLES[s + n] * q[i + 4];
    }
    locator.writeLocation(X, Y, location);
    addMetric(old, location.triangle, 3 / SAMPLES.length, F, out, 3 * t);
  }
}

/** FᵀF of a triangle, times a weight: c₁₁, c₁₂, c₂₂. F: room for it. */
function addMetric(
  sheet: Pick<OldMesh, 'q' | 'mesh'>,
  t: number,
  weight: number,
  F: Float64Array,
  out: Float64Array,
  at: number,
): void {
  writeDeformation(sheet, t, F);
  for (let k = 0; k < 6; k += 2) {
    out[at] += weight * F[k] * F[k];
    out[at + 1] += weight * F[k] * F[k + 1];
    out[at + 2] += weight * F[k + 1] * F[k + 1];
  }
}

/** C becomes U = √C:  (C + √det C) / √(tr C + 2 √det C). */
function takeRoot(c: Float64Array, at: number): void {
  const root = Math.sqrt(Math.max(0, c[at] * c[at + 2] - c[at + 1] * c[at + 1]));
  const scale = 1 / Math.sqrt(c[at] + c[at + 2] + 2 * root);
  c[at] = scale * (c[at] + root);
  c[at + 1] *= scale;
  c[at + 2] = scale * (c[at + 2] + root);
}
