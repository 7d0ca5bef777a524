/**
 * What a mesh knows of its rest shape, and what of it another mesh can take over: β of a triangle (`geometry/curvature.ts`) depends on its own corners and
 * those across its edges, so it is the same where neither the triangle nor those beside it have changed by a bit.
 */
import type { SheetMesh } from './mesh.ts';

export interface RestShape {
  readonly mesh: SheetMesh;
  readonly area: Float64Array;
  readonly gradients: Float64Array;
  readonly beta: Float64Array;
}

/** The rest shape of another mesh. `same`: its triangle that each of the new mesh may be, −1 for none; without it all in their order. */
export interface KnownRest extends RestShape {
  readonly same?: Int32Array;
}

/** The known triangle that each has the area and gradients of; −1 for none. */
export function findUnchanged(rest: RestShape, { area, gradients, same }: KnownRest): Int32Array {
  const found = same ? same.slice() : Int32Array.from(rest.area.keys());
  for (let t = 0; t < found.length; t++) {
    const s = found[t];
    if (s < 0) continue;
    let isEqual = rest.area[t] === area[s];
    for (let k = 0; k < 6 && isEqual; k++) isEqual = rest.gradients[6 * t + k] === gradients[6 * s + k];
    if (!isEqual) found[t] = -1;
  }
  return found;
}

/** Takes β of triangle t over; false, and nothing done, where it or one beside it has changed (`unchanged`: from `findUnchanged`). */
export function takeBeta(rest: RestShape, t: number, { mesh, beta }: KnownRest, unchanged: Int32Array): boolean {
  const s = unchanged[t];
  if (s < 0) return false;
  for (let k = 0; k < 3; k++) {
    const now = findBeside(rest.mesh, t, k);
    const before = findBeside(mesh, s, k);
    if (now < 0 ? before >= 0 : unchanged[now] !== before) return false;
  }
  for (let k = 0; k < 18; k++) rest.beta[18 * t + k] = beta[18 * s + k];
  return true;
}

/** The triangle beside the k-th edge of triangle t; −1 on the border. */
function findBeside({ triangleEdges, edgeTriangles }: SheetMesh, t: number, k: number): number {
  const e = triangleEdges[3 * t + k];
  return edgeTriangles[2 * e] === t ? edgeTriangles[2 * e + 1] : edgeTriangles[2 * e];
}
