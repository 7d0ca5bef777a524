/**
 * How deep the surface of a sheet is in bodies, between its vertices too.
 *
 *     deepest point of a mesh edge       exact: along a line the depth in a convex body is concave (`FacetBody.computeSegmentDepth`)
 *     deepest point of a triangle        over lines from one corner to the opposite side: largest depth on each is concave in where it ends
 *
 * It measures, and takes its time: nothing of a step uses it.
 */
import type { FacetBody } from '../contact/index.ts';
import type { SheetMesh } from './mesh.ts';
import { STRIDE } from './state.ts';
import type { SheetTouch } from './touch.ts';

/** Steps of a golden-section search: 0.618^40 is 4e-9 of a triangle's side. */
const SECTIONS = 40;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Deepest point of the surface in any body that the sheet touches, the bodies as they are now [m]; 0 where none is inside. */
export function computeSurfaceDepth(
  touch: SheetTouch,
  { q, mesh }: { readonly q: Float64Array; readonly mesh: SheetMesh },
): number {
  let deepest = 0;
  touch.place(touch.now);
  touch.facets.forEach((facets, b) => {
    const local = new Float64Array(3 * mesh.vertexCount);
    for (let i = 0; i < mesh.vertexCount; i++) touch.now[b].writeLocal(q, STRIDE * i, local, 3 * i);
    const point = (i: number): Float64Array => local.subarray(3 * i, 3 * i + 3);
    for (let e = 0; e < mesh.edgeCount; e++)
      deepest = Math.max(deepest, facets.computeSegmentDepth(point(mesh.edges[4 * e]), point(mesh.edges[4 * e + 1])));
    for (let t = 0; t < 3 * mesh.triangleCount; t += 3) {
      const [i, j, k] = mesh.triangles.subarray(t, t + 3);
      deepest = Math.max(deepest, computeTriangleDepth(facets, point(i), point(j), point(k)));
    }
  });
  return deepest;
}

/** Deepest point inside a triangle [m]; 0 where it is outside. */
function computeTriangleDepth(facets: FacetBody, a: Float64Array, b: Float64Array, c: Float64Array): number {
  if (isOutside(facets, a, b, c)) return 0;
  const end = new Float64Array(3);
  const depthAt = (s: number): number => {
    for (let k = 0; k < 3; k++) end[k] = b[k] + s * (c[k] - b[k]);
    return facets.computeSegmentDepth(a, end);
  };
  let [low, high] = [0, 1];
  let [s, t] = [1 - GOLDEN, GOLDEN];
  let [f, g] = [depthAt(s), depthAt(t)];
  let deepest = Math.max(f, g);
  for (let n = 0; n < SECTIONS; n++) {
    if (f < g) {
      low = s;
      [s, f] = [t, g];
      t = low + GOLDEN * (high - low);
      g = depthAt(t);
    } else {
      high = t;
      [t, g] = [s, f];
      s = high - GOLDEN * (high - low);
      f = depthAt(s);
    }
    deepest = Math.max(deepest, f, g);
  }
  return deepest;
}

/** Whether all of a triangle is beside the body's bounds, or over one face of a convex body. */
function isOutside(
  { bounds, isConvex, faceNormal, faceOffset, faceCount }: FacetBody,
  ...corners: Float64Array[]
): boolean {
  for (let k = 0; k < 3; k++) {
    if (corners.every((p) => p[k] < bounds[k]) || corners.every((p) => p[k] > bounds[3 + k])) return true;
  }
  if (!isConvex) return false;
  for (let f = 0; f < faceCount; f++) {
    const [x, y, z] = faceNormal.subarray(3 * f, 3 * f + 3);
    if (corners.every((p) => x * p[0] + y * p[1] + z * p[2] >= faceOffset[f])) return true;
  }
  return false;
}
