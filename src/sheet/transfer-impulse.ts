/**
 * The impulse of a motion of a sheet on the vertices of another mesh of it:   f_i = ∫ ρ J_iᵀ φ_i v_old dA,  v_old = Σ φ_j (ẋ_j − F Ẋ_j)
 * φ_i, J_i = [I, −F] of the new mesh, the integral on the common refinement of both, exact. Triangles that both have need none of that.
 */
import { EolElement, overlayTriangles } from '../eol/index.ts';
import type { SheetMesh } from './mesh.ts';
import { type SheetState, STRIDE } from './state.ts';
import { TriangleGrid } from './triangle-grid.ts';

/** A mesh with its motion, as it was before the change. */
export interface SheetMotion {
  readonly mesh: SheetMesh;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly label: Int32Array;
  readonly pointMass: Float64Array;
}

/** Five numbers of each corner of a triangle. */
export function gatherTriangle(
  values: Float64Array,
  corners: ArrayLike<number>,
  out = new Float64Array(15),
): Float64Array {
  for (let n = 0; n < 3; n++) for (let k = 0; k < STRIDE; k++) out[STRIDE * n + k] = values[STRIDE * corners[n] + k];
  return out;
}

/** Adds f = ∫ ρ J_iᵀ φ_i v_old to out, five numbers a vertex of `state`. */
export function addTransferImpulse(from: SheetMotion, state: SheetState, out: Float64Array): void {
  const { mesh, material } = state;
  const before = findBefore(from.label, state.label);
  for (let i = 0; i < state.count; i++) {
    const b = before[i];
    if (b < 0 || from.pointMass[b] === 0) continue;
    for (let k = 0; k < 3; k++) out[STRIDE * i + k] += state.pointMass[i] * from.v[STRIDE * b + k];
  }
  const [source, target] = [new EolElement(2), new EolElement(2)];
  const { same, changed } = compareMeshes(from.mesh, mesh, before);
  const grid = new TriangleGrid(from.q, from.mesh.triangles, changed);
  const speed = new Float64Array(9);
  for (let t = 0; t < mesh.triangleCount; t++) {
    const corners = mesh.triangles.subarray(3 * t, 3 * t + 3);
    const place = gatherTriangle(state.q, corners);
    target.setConfiguration(place);
    speed.fill(0);
    const visit = (old: Int32Array): void => {
      source.setConfiguration(gatherTriangle(from.q, old));
      source.setVelocity(gatherTriangle(from.v, old));
    };
    if (same[t] >= 0) {
      // the same triangle: ∫ φ_i φ_j
      visit(corners.map((i) => before[i]));
      for (let n = 0; n < 3; n++)
        for (let m = 0; m < 3; m++)
          for (let k = 0; k < 3; k++)
            speed[3 * n + k] += target.measure * target.massShare(n, m) * source.materialVelocity[3 * m + k];
    } else
      for (const old of grid.find(place)) {
        const others = from.mesh.triangles.subarray(3 * old, 3 * old + 3);
        visit(others);
        addOverlay(source, gatherTriangle(from.q, others), target, place, speed);
      }
    for (let n = 0; n < 3; n++)
      for (let k = 0; k < 3; k++) {
        const impulse = material.arealDensity * speed[3 * n + k];
        out[STRIDE * corners[n] + k] += impulse;
        for (let a = 0; a < 2; a++) out[STRIDE * corners[n] + 3 + a] -= target.F[2 * k + a] * impulse;
      }
  }
}

/** Where vertices of a new mesh were in the old one, by their labels; −1 for new ones. */
export function findBefore(labelsBefore: Int32Array, labels: Int32Array): Int32Array {
  let most = -1;
  for (const label of labelsBefore) if (label > most) most = label;
  const index = new Int32Array(most + 1).fill(-1);
  for (let i = 0; i < labelsBefore.length; i++) if (labelsBefore[i] >= 0) index[labelsBefore[i]] = i;
  return labels.map((label) => (label >= 0 && label <= most ? index[label] : -1));
}

/** Adds ∫ φ_n v over what two triangles share, three numbers a corner of the second. */
function addOverlay(source: EolElement, a: Float64Array, target: EolElement, b: Float64Array, out: Float64Array): void {
  const phi = (element: EolElement, q: Float64Array, n: number, point: Float64Array): number =>
    1 +
    element.gradients[2 * n] * (point[0] - q[STRIDE * n + 3]) +
    element.gradients[2 * n + 1] * (point[1] - q[STRIDE * n + 4]);
  const corners = (q: Float64Array) => [q[3], q[4], q[8], q[9], q[13], q[14]];
  overlayTriangles(corners(b), corners(a), (point, weight) => {
    for (let k = 0; k < 3; k++) {
      let v = 0;
      for (let n = 0; n < 3; n++) v += phi(source, a, n, point) * source.materialVelocity[3 * n + k];
      for (let n = 0; n < 3; n++) out[3 * n + k] += weight * phi(target, b, n, point) * v;
    }
  });
}

/** For each triangle of the new mesh the same one of the old, −1 for none; and the old ones that are no more. */
export function compareMeshes(
  from: SheetMesh,
  to: SheetMesh,
  before: Int32Array,
): { same: Int32Array; changed: number[] } {
  const n = from.vertexCount;
  const keyOf = (a: number, b: number, c: number): number => {
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    return (low * n + (a + b + c - low - high)) * n + high;
  };
  const known = new Map<number, number>();
  for (let t = 0; t < from.triangleCount; t++)
    known.set(keyOf(from.triangles[3 * t], from.triangles[3 * t + 1], from.triangles[3 * t + 2]), t);
  const same = new Int32Array(to.triangleCount).fill(-1);
  for (let t = 0; t < to.triangleCount; t++) {
    const [a, b, c] = [before[to.triangles[3 * t]], before[to.triangles[3 * t + 1]], before[to.triangles[3 * t + 2]]];
    if (a < 0 || b < 0 || c < 0) continue;
    const key = keyOf(a, b, c);
    same[t] = known.get(key) ?? -1;
    known.delete(key);
  }
  return { same, changed: [...known.values()] };
}
