/**
 * Edge collapse: vertex v of an edge v w is drawn into w, the two triangles of the edge vanish. Allowed when
 *   - v and w have no common neighbours but the apexes of the edge (link condition: the mesh stays a mesh);
 *   - every triangle that moves still turns counter-clockwise (exact sign): nothing is inverted;
 *   - v ends or turns no line that must stay: where fixed or border edges meet v there are exactly two, and the edge is
 *     one of them. Whether the line through v is straight enough is the caller's to decide (`isStraight`).
 */
import { computeHypot2 } from '../math/index.ts';
import { computeTurn } from './predicates.ts';
import { nextEdge, previousEdge, type Triangulation, triangleOf } from './triangulation.ts';

/** The neighbours of v along edges that must stay (fixed or border). */
export const findHeldNeighbours = (mesh: Triangulation, v: number): number[] => {
  const held: number[] = [];
  const fan = mesh.around(v);
  for (const e of fan) if (mesh.isHeld(e)) held.push(mesh.head(e));
  const last = fan.at(-1);
  if (last !== undefined && mesh.twins[previousEdge(last)] < 0) held.push(mesh.apex(last));
  return held;
};

/**
 * Whether v lies on the line from u to w but for rounding of its coordinates: a few units in the last place of the largest
 * coordinate. Drawing v into w then changes no area that double numbers can tell.
 */
export const isStraight = (mesh: Triangulation, u: number, v: number, w: number): boolean => {
  const p = mesh.points;
  const size = Math.max(...[u, v, w].flatMap((i) => [Math.abs(p[2 * i]), Math.abs(p[2 * i + 1])]));
  const length = computeHypot2(p[2 * w] - p[2 * u], p[2 * w + 1] - p[2 * u + 1]);
  return Math.abs(computeTurn(p, u, v, w)) <= 8 * Number.EPSILON * size * length;
};

/** The end of edge e that is not v. */
const otherEnd = (mesh: Triangulation, e: number, v: number): number =>
  mesh.corners[e] === v ? mesh.head(e) : mesh.corners[e];

const findApexes = (mesh: Triangulation, e: number): number[] =>
  mesh.twins[e] < 0 ? [mesh.apex(e)] : [mesh.apex(e), mesh.apex(mesh.twins[e])];

const obeysLink = (mesh: Triangulation, e: number, v: number): boolean => {
  const w = otherEnd(mesh, e, v);
  const apexes = findApexes(mesh, e);
  const ring = mesh.neighbours(w);
  return mesh.neighbours(v).every((u) => u === w || apexes.includes(u) || !ring.includes(u));
};

const keepsLines = (mesh: Triangulation, e: number, v: number): boolean => {
  const w = otherEnd(mesh, e, v);
  const held = findHeldNeighbours(mesh, v);
  if (held.length === 0) return true;
  if (held.length !== 2 || !held.includes(w)) return false;
  const other = held[0] === w ? held[1] : held[0];
  return !findApexes(mesh, e).includes(other);
};

/** Whether all triangles around v but those of the edge stay counter-clockwise when v moves to w. */
const keepsTurns = (mesh: Triangulation, e: number, v: number): boolean => {
  const w = otherEnd(mesh, e, v);
  const gone = [triangleOf(e), triangleOf(mesh.twins[e])];
  return mesh
    .around(v)
    .every((out) => gone.includes(triangleOf(out)) || computeTurn(mesh.points, w, mesh.head(out), mesh.apex(out)) > 0);
};

/** Whether vertex v, the start of half-edge e unless told, may be drawn into the other end of the edge. */
export const canCollapse = (mesh: Triangulation, e: number, v: number = mesh.corners[e]): boolean =>
  keepsLines(mesh, e, v) && keepsTurns(mesh, e, v) && obeysLink(mesh, e, v);

/** Removes the triangle of e, which collapses, and joins what lay beyond its two other edges. */
const closeTriangle = (mesh: Triangulation, e: number): void => {
  const [outerN, outerP] = [mesh.twins[nextEdge(e)], mesh.twins[previousEdge(e)]];
  if (outerN < 0 && outerP < 0) throw new Error(`collapseEdge: the triangle of edge ${e} has no other neighbour.`);
  const flag = mesh.fixed[nextEdge(e)] | mesh.fixed[previousEdge(e)];
  mesh.removeTriangle(triangleOf(e));
  mesh.link(outerN, outerP);
  for (const outer of [outerN, outerP]) {
    if (outer < 0) continue;
    mesh.fixed[outer] = flag;
    mesh.edgeOfVertex[mesh.corners[outer]] = outer;
    mesh.edgeOfVertex[mesh.head(outer)] = nextEdge(outer);
  }
};

/**
 * Draws vertex v, the start of half-edge e unless told, into the other end of the edge, unasked (see `canCollapse`). Returns
 * the vertex that remains.
 */
export const collapseEdge = (mesh: Triangulation, e: number, v: number = mesh.corners[e]): number => {
  const w = otherEnd(mesh, e, v);
  const f = mesh.twins[e];
  for (const out of mesh.around(v)) mesh.corners[out] = w;
  closeTriangle(mesh, e);
  if (f >= 0) closeTriangle(mesh, f);
  mesh.edgeOfVertex[v] = -1;
  return w;
};
