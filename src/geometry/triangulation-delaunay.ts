/**
 * Delaunay triangles by flips [Lawson 1977]: an edge is legal when the apex on one side is not inside the circle
 * of the triangle on the other. Edges that must stay are never flipped, so the result is the constrained Delaunay
 * triangulation. All signs are exact, four points on a circle count as legal: flips end, and the order of calls decides
 * the diagonal.
 */
import { computeInCircle, computeTurn, computeTurnTo } from './predicates.ts';
import { nextEdge, previousEdge, type Triangulation, triangleOf } from './triangulation.ts';
import { locatePoint } from './triangulation-locate.ts';

/** Whether the apex beyond e lies inside the circle of the triangle of e, and e may be flipped. */
export const isIllegal = (mesh: Triangulation, e: number): boolean => {
  const f = mesh.twins[e];
  if (f < 0 || mesh.fixed[e] === 1) return false;
  const { corners } = mesh;
  return computeInCircle(mesh.points, corners[e], corners[nextEdge(e)], corners[previousEdge(e)], mesh.apex(f)) > 0;
};

/** Whether the two triangles beside e form a strictly convex quad, e is inside the mesh and not fixed. */
export const canFlip = (mesh: Triangulation, e: number): boolean => {
  const f = mesh.twins[e];
  if (f < 0 || mesh.fixed[e] === 1) return false;
  const { points, corners } = mesh;
  const [c, d] = [mesh.apex(e), mesh.apex(f)];
  return computeTurn(points, c, d, mesh.head(e)) > 0 && computeTurn(points, d, c, corners[e]) > 0;
};

const failFlips = (): never => {
  throw new Error('Delaunay flips do not end; the triangulation overlaps itself or a coordinate is not a number.');
};

/** Flips until every edge opposite v in its triangles is legal. */
const legaliseAround = (mesh: Triangulation, v: number): void => {
  const { stack } = mesh;
  const first = mesh.edgeOfVertex[v];
  let e = first;
  do {
    stack.push(nextEdge(e));
    e = mesh.twins[previousEdge(e)];
  } while (e >= 0 && e !== first);
  const cap = 1000 + mesh.triangleCount ** 2;
  for (let count = 0; stack.length > 0; count++) {
    e = stack.pop()!;
    if (!isIllegal(mesh, e)) continue;
    if (count > cap) failFlips();
    const f = mesh.twins[e];
    mesh.flipEdge(e);
    stack.push(e, nextEdge(f));
  }
};

/** Flips illegal edges, beginning with those given, until the edges reached are legal; returns how many were flipped. */
export const legalise = (mesh: Triangulation, edges: readonly number[]): number => {
  const stack = [...edges];
  const cap = 1000 + mesh.triangleCount ** 2;
  let flips = 0;
  while (stack.length > 0) {
    const e = stack.pop()!;
    if (mesh.corners[e] < 0 || !isIllegal(mesh, e)) continue;
    if (flips++ > cap) failFlips();
    const f = mesh.twins[e];
    mesh.flipEdge(e);
    stack.push(e, nextEdge(e), f, nextEdge(f));
  }
  return flips;
};

/** Makes every edge that may flip legal; returns how many were flipped. */
export const legaliseAll = (mesh: Triangulation): number => {
  const edges: number[] = [];
  for (let e = 0; e < 3 * mesh.triangleCount; e++) if (mesh.corners[e] >= 0 && mesh.twins[e] > e) edges.push(e);
  return legalise(mesh, edges);
};

/** Whether a vertex at (x, y) would split edge e into triangles that all turn the right way. */
export const canSplitEdge = (mesh: Triangulation, e: number, x: number, y: number): boolean => {
  const { points, corners, twins } = mesh;
  const f = twins[e];
  const [a, b] = [corners[e], mesh.head(e)];
  const isBetween = (from: number, to: number, apex: number): boolean =>
    computeTurnTo(points, to, apex, x, y) > 0 && computeTurnTo(points, apex, from, x, y) > 0;
  return isBetween(a, b, mesh.apex(e)) && (f < 0 || isBetween(b, a, mesh.apex(f)));
};

/** Puts vertex v, which has no triangles yet, inside triangle t and restores the Delaunay property. */
export const insertInTriangle = (mesh: Triangulation, t: number, v: number): void => {
  mesh.splitTriangle(t, v);
  legaliseAround(mesh, v);
};

/** Puts vertex v, which has no triangles yet, on edge e and restores the Delaunay property. */
export const insertOnEdge = (mesh: Triangulation, e: number, v: number): void => {
  mesh.edgeOfVertex[v] = mesh.splitEdge(e, v);
  legaliseAround(mesh, v);
};

/**
 * Puts vertex v, which has no triangles yet, where it lies. Returns v; the vertex that is already there; or −1 outside the
 * mesh. `hint` is a triangle near it.
 */
export const insertVertex = (mesh: Triangulation, v: number, hint = -1): number => {
  const { kind, edge } = locatePoint(mesh, mesh.points[2 * v], mesh.points[2 * v + 1], hint);
  if (kind === 'outside') return -1;
  if (kind === 'vertex') return mesh.corners[edge];
  if (kind === 'edge') insertOnEdge(mesh, edge, v);
  else insertInTriangle(mesh, triangleOf(edge), v);
  return v;
};
