/**
 * Where a point lies in a triangulation: a walk from triangle to triangle across edges that have the point on their far
 * side, with exact signs [Devillers 2002]. Which edge is looked at
 * first changes in a fixed pseudo-random order, because a walk with a fixed order can run in circles where triangles are
 * not Delaunay. A walk that meets the border, or is too long, is replaced by a look at every triangle.
 */
import { computeTurnTo } from './predicates.ts';
import { nextEdge, type Triangulation, triangleOf } from './triangulation.ts';

/** `edge`: a half-edge of the triangle, the one that holds the point, or one that starts at the vertex; −1 outside. */
export interface PointLocation {
  readonly kind: 'inside' | 'edge' | 'vertex' | 'outside';
  readonly edge: number;
}

const OUTSIDE: PointLocation = { kind: 'outside', edge: -1 };

/** Where (x, y) lies in triangle t; undefined when it is not in it. */
const locateInTriangle = (mesh: Triangulation, t: number, x: number, y: number): PointLocation | undefined => {
  const { points, corners } = mesh;
  let on = -1;
  let zeros = 0;
  for (let e = 3 * t; e < 3 * t + 3; e++) {
    const side = computeTurnTo(points, corners[e], mesh.head(e), x, y);
    if (side < 0) return undefined;
    if (side > 0) continue;
    // of the two edges at a corner, the one that starts there follows the other
    on = zeros === 1 && nextEdge(e) === on ? on : e;
    zeros++;
  }
  if (zeros > 1) return { kind: 'vertex', edge: on };
  return zeros === 1 ? { kind: 'edge', edge: on } : { kind: 'inside', edge: 3 * t };
};

const scanTriangles = (mesh: Triangulation, x: number, y: number): PointLocation => {
  for (let t = 0; t < mesh.triangleCount; t++) {
    const found = mesh.isGap(t) ? undefined : locateInTriangle(mesh, t, x, y);
    if (found !== undefined) return found;
  }
  return OUTSIDE;
};

const findAnyTriangle = (mesh: Triangulation): number => {
  for (let t = 0; t < mesh.triangleCount; t++) if (!mesh.isGap(t)) return t;
  return -1;
};

/** Locates (x, y), starting from triangle `hint`, which should be near. */
export const locatePoint = (mesh: Triangulation, x: number, y: number, hint = -1): PointLocation => {
  const { points, corners, twins } = mesh;
  let t = hint >= 0 && hint < mesh.triangleCount && !mesh.isGap(hint) ? hint : findAnyTriangle(mesh);
  if (t < 0) return OUTSIDE;
  let from = -1;
  let random = 1;
  const cap = 16 + 2 * mesh.triangleCount;
  for (let step = 0; step < cap; step++) {
    random = (Math.imul(random, 1103515245) + 12345) >>> 0;
    const turn = (random >>> 16) % 3;
    let across = -1;
    let isBlocked = false;
    for (let k = 0; k < 3 && across < 0; k++) {
      const e = 3 * t + ((turn + k) % 3);
      if (e === from || computeTurnTo(points, corners[e], mesh.head(e), x, y) >= 0) continue;
      if (twins[e] >= 0) across = twins[e];
      else isBlocked = true;
    }
    if (across < 0) {
      if (isBlocked) break;
      return locateInTriangle(mesh, t, x, y) ?? OUTSIDE;
    }
    from = across;
    t = triangleOf(across);
  }
  return scanTriangles(mesh, x, y);
};
