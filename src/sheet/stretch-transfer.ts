/**
 * Keeps the stretch of a sheet through a remeshing. Places that are read off the old mesh lie on its facets: where those are at an
 * angle, new triangles across them are chords, too short for their material, and a stiff sheet would burst. New triangles therefore
 * aim at the stretch of the old ones that they cover, and the vertices around them move to where their triangles want them.
 *
 *     C = mean of FᵀF over the old triangles,  U = √C,  R = polar(F U⁻¹),   x_i ← Σ_t A_t (c_t + R_t U_t (X_i − C_t)) / Σ_t A_t
 *
 *   A  material area     c, C  centroids in the world and in the material
 * Local steps of projective dynamics (Bouaziz et al. 2014), one sweep of Jacobi each, accelerated by Chebyshev's weights (Wang 2015).
 * An affine map of the material is left as it is, to rounding.
 */
import { createMeshLocation, type MeshLocator } from '../geometry/index.ts';
import type { SheetMesh } from './mesh.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Most sweeps, and the way of a vertex in one, over the mean edge, that ends them. */
const SWEEPS = 200;
const STILL = 1e-5;
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

/** `isFixed`: vertices that stay; `pushOut` moves one out of bodies. */
export function restoreStretch(
  state: SheetState,
  old: OldMesh,
  locator: MeshLocator,
  isFixed: (i: number) => boolean,
  pushOut: (i: number) => void,
): void {
  const changed = listChanged(state, old);
  if (changed.length === 0) return;
  const { vertices, triangles } = listRegion(state, changed, isFixed);
  const stretch = new Float64Array(3 * state.mesh.triangleCount);
  for (const t of triangles) addMetric(state, t, 1, stretch, 3 * t);
  for (const t of changed) writeOldMetric(state, old, locator, t, stretch, 3 * t);
  for (const t of triangles) takeRoot(stretch, 3 * t);
  const [sum, weight] = [new Float64Array(3 * state.count), new Float64Array(state.count)];
  const size = Math.sqrt(state.area[changed[0]]);
  const before = new Float64Array(3 * state.count);
  let omega = 1;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (sweep === PLAIN) omega = 2 / (2 - DECAY * DECAY);
    else if (sweep > PLAIN) omega = 4 / (4 - DECAY * DECAY * omega);
    sum.fill(0);
    weight.fill(0);
    for (const t of triangles) addWanted(state, t, stretch, sum, weight);
    let largest = 0;
    for (const i of vertices) {
      for (let k = 0; k < 3; k++) {
        const x = state.q[STRIDE * i + k];
        const to = sum[3 * i + k] / weight[i];
        largest = Math.max(largest, Math.abs(to - x));
        state.q[STRIDE * i + k] = sweep < PLAIN ? to : omega * (to - before[3 * i + k]) + before[3 * i + k];
        before[3 * i + k] = x;
      }
      pushOut(i);
    }
    if (largest < STILL * size) break;
  }
}

/** Triangles that the old mesh did not have. */
function listChanged({ mesh, label }: SheetState, old: OldMesh): number[] {
  const keyOf = (triangles: Int32Array, labels: Int32Array, t: number): string =>
    [0, 1, 2]
      .map((n) => labels[triangles[3 * t + n]])
      .sort((a, b) => a - b)
      .join();
  const known = new Set<string>();
  for (let t = 0; t < old.mesh.triangleCount; t++) known.add(keyOf(old.mesh.triangles, old.label, t));
  const changed: number[] = [];
  for (let t = 0; t < mesh.triangleCount; t++) if (!known.has(keyOf(mesh.triangles, label, t))) changed.push(t);
  return changed;
}

/** Vertices that may move, those of changed triangles and their neighbours, and all triangles around them. */
function listRegion({ mesh, count }: SheetState, changed: readonly number[], isFixed: (i: number) => boolean) {
  const { triangles, triangleCount } = mesh;
  const isIn = new Uint8Array(count);
  for (const t of changed) for (let n = 0; n < 3; n++) isIn[triangles[3 * t + n]] = 1;
  for (let t = 0; t < triangleCount; t++) {
    if (![0, 1, 2].some((n) => isIn[triangles[3 * t + n]] === 1)) continue;
    for (let n = 0; n < 3; n++) if (isIn[triangles[3 * t + n]] === 0) isIn[triangles[3 * t + n]] = 2;
  }
  const vertices: number[] = [];
  for (let i = 0; i < count; i++) {
    if (isIn[i] && isFixed(i)) isIn[i] = 0;
    if (isIn[i]) vertices.push(i);
  }
  const around: number[] = [];
  for (let t = 0; t < triangleCount; t++) if ([0, 1, 2].some((n) => isIn[triangles[3 * t + n]] > 0)) around.push(t);
  return { vertices, triangles: around };
}

/** Mean of FᵀF of the old triangles under a new one. */
function writeOldMetric(
  { q, mesh }: SheetState,
  old: OldMesh,
  locator: MeshLocator,
  t: number,
  out: Float64Array,
  at: number,
): void {
  const location = createMeshLocation();
  out.fill(0, at, at + 3);
  for (let s = 0; s < SAMPLES.length; s += 3) {
    let [X, Y] = [0, 0];
    for (let n = 0; n < 3; n++) {
      const i = STRIDE * mesh.triangles[3 * t + n];
      X += SAMPLES[s + n] * q[i + 3];
      Y += SAMPLES[s + n] * q[i + 4];
    }
    locator.writeLocation(X, Y, location);
    addMetric(old, location.triangle, 3 / SAMPLES.length, out, at);
  }
}

/** FᵀF of a triangle, times a weight: c₁₁, c₁₂, c₂₂. */
function addMetric(
  { q, mesh }: Pick<OldMesh, 'q' | 'mesh'>,
  t: number,
  weight: number,
  out: Float64Array,
  at: number,
): void {
  const [a, b, c] = mesh.triangles.subarray(3 * t, 3 * t + 3).map((i) => STRIDE * i);
  const [ux, uy, wx, wy] = [q[b + 3] - q[a + 3], q[b + 4] - q[a + 4], q[c + 3] - q[a + 3], q[c + 4] - q[a + 4]];
  const det = ux * wy - uy * wx;
  for (let k = 0; k < 3; k++) {
    const [u, w] = [q[b + k] - q[a + k], q[c + k] - q[a + k]];
    const f1 = (u * wy - w * uy) / det;
    const f2 = (w * ux - u * wx) / det;
    out[at] += weight * f1 * f1;
    out[at + 1] += weight * f1 * f2;
    out[at + 2] += weight * f2 * f2;
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

/** Adds where triangle t wants its corners. */
function addWanted(
  { q, mesh, gradients, area }: SheetState,
  t: number,
  stretch: Float64Array,
  sum: Float64Array,
  weight: Float64Array,
): void {
  const { triangles } = mesh;
  const [u11, u12, u22] = [stretch[3 * t], stretch[3 * t + 1], stretch[3 * t + 2]];
  const det = u11 * u22 - u12 * u12;
  // G = F U⁻¹ and GᵀG
  const g1 = [0, 0, 0];
  const g2 = [0, 0, 0];
  const centre = [0, 0, 0];
  let [X, Y, m11, m12, m22] = [0, 0, 0, 0, 0];
  for (let k = 0; k < 3; k++) {
    let [f1, f2] = [0, 0];
    for (let n = 0; n < 3; n++) {
      const x = q[STRIDE * triangles[3 * t + n] + k];
      centre[k] += x / 3;
      f1 += x * gradients[6 * t + 2 * n];
      f2 += x * gradients[6 * t + 2 * n + 1];
    }
    g1[k] = (f1 * u22 - f2 * u12) / det;
    g2[k] = (f2 * u11 - f1 * u12) / det;
    m11 += g1[k] * g1[k];
    m12 += g1[k] * g2[k];
    m22 += g2[k] * g2[k];
  }
  // (GᵀG)^−½ turns G into the nearest rotation, R U is what is wanted of F
  const root = Math.sqrt(Math.max(0, m11 * m22 - m12 * m12));
  const scale = 1 / (root * Math.sqrt(m11 + m22 + 2 * root));
  if (!Number.isFinite(scale)) return;
  const [i11, i12, i22] = [scale * (m22 + root), -scale * m12, scale * (m11 + root)];
  const [s11, s12] = [i11 * u11 + i12 * u12, i11 * u12 + i12 * u22];
  const [s21, s22] = [i12 * u11 + i22 * u12, i12 * u12 + i22 * u22];
  for (let n = 0; n < 3; n++) {
    X += q[STRIDE * triangles[3 * t + n] + 3] / 3;
    Y += q[STRIDE * triangles[3 * t + n] + 4] / 3;
  }
  for (let n = 0; n < 3; n++) {
    const i = triangles[3 * t + n];
    const [dX, dY] = [q[STRIDE * i + 3] - X, q[STRIDE * i + 4] - Y];
    for (let k = 0; k < 3; k++) {
      const b1 = g1[k] * s11 + g2[k] * s21;
      const b2 = g1[k] * s12 + g2[k] * s22;
      sum[3 * i + k] += area[t] * (centre[k] + b1 * dX + b2 * dY);
    }
    weight[i] += area[t];
  }
}
