/**
 * Takes a vertex out of a triangulation: the hole that its triangles leave is filled by cutting ears with exact signs, then
 * made Delaunay. A vertex inside, without edges that must stay, leaves one hole; a vertex on a line that must stay (two
 * fixed or border edges) leaves one on each side, and the line is joined: straight, so the caller asks `isStraight` first
 * where the line may not move.
 */
import { computeTurn } from './predicates.ts';
import { nextEdge, previousEdge, type Triangulation, triangleOf } from './triangulation.ts';
import { legalise } from './triangulation-delaunay.ts';

/** The rim of a hole, counter-clockwise: vertices, and what lies beyond the edge from each to the next. */
interface Hole {
  readonly vertices: number[];
  readonly outer: number[];
  readonly flags: number[];
}

const isEar = (points: Float64Array, loop: readonly number[], at: number): boolean => {
  const n = loop.length;
  const [a, b, c] = [loop[(at + n - 1) % n], loop[at], loop[(at + 1) % n]];
  if (!(computeTurn(points, a, b, c) > 0)) return false;
  return loop.every(
    (p) =>
      p === a ||
      p === b ||
      p === c ||
      computeTurn(points, a, b, p) < 0 ||
      computeTurn(points, b, c, p) < 0 ||
      computeTurn(points, c, a, p) < 0,
  );
};

/** Triangles of a simple polygon, three vertices each; undefined where no ear is left. */
const cutEars = (points: Float64Array, vertices: readonly number[]): number[] | undefined => {
  const loop = [...vertices];
  const triangles: number[] = [];
  while (loop.length > 2) {
    let at = 0;
    while (at < loop.length && !isEar(points, loop, at)) at++;
    if (at === loop.length) return undefined;
    const n = loop.length;
    triangles.push(loop[(at + n - 1) % n], loop[at], loop[(at + 1) % n]);
    loop.splice(at, 1);
  }
  return triangles;
};

/** The rim from position `from` to `to` of the fan of v (all round for −1), closed by an edge with `flag`. */
const traceRim = (mesh: Triangulation, fan: readonly number[], from: number, to: number, flag: number): Hole => {
  const hole: Hole = { vertices: [], outer: [], flags: [] };
  const count = to < 0 ? fan.length : (to - from + fan.length) % fan.length || fan.length;
  for (let k = 0; k < count; k++) {
    const n = nextEdge(fan[(from + k) % fan.length]);
    hole.vertices.push(mesh.corners[n]);
    hole.outer.push(mesh.twins[n]);
    hole.flags.push(mesh.fixed[n]);
    if (k === count - 1 && to >= 0) hole.vertices.push(mesh.head(n));
  }
  if (to >= 0) {
    hole.outer.push(-1);
    hole.flags.push(flag);
  }
  return hole;
};

const findHoles = (mesh: Triangulation, fan: readonly number[]): Hole[] => {
  const held = fan.flatMap((e, i) => (mesh.isHeld(e) ? [i] : []));
  const last = fan[fan.length - 1];
  if (mesh.twins[previousEdge(last)] < 0) {
    // on the border: the first held edge is its first half-edge, the second ends the fan
    const flag = mesh.fixed[fan[0]] | mesh.fixed[previousEdge(last)];
    return held.length === 1 ? [traceRim(mesh, fan, 0, 0, flag)] : [];
  }
  if (held.length === 0) return [traceRim(mesh, fan, 0, -1, 0)];
  if (held.length !== 2) return [];
  return [traceRim(mesh, fan, held[0], held[1], 1), traceRim(mesh, fan, held[1], held[0], 1)];
};

/** Fills a hole with triangles; returns the half-edge of its closing edge, and adds inner edges to `edges`. */
const fillHole = (mesh: Triangulation, hole: Hole, triangles: readonly number[], edges: number[]): number => {
  const n = hole.vertices.length;
  const known = new Map<number, number>();
  const key = (a: number, b: number): number => a * mesh.vertexCount + b;
  for (let i = 0; i < triangles.length; i += 3) {
    const e = mesh.addTriangle(triangles[i], triangles[i + 1], triangles[i + 2]);
    for (let k = e; k < e + 3; k++) {
      known.set(key(mesh.corners[k], mesh.head(k)), k);
      const twin = known.get(key(mesh.head(k), mesh.corners[k]));
      if (twin === undefined) continue;
      mesh.link(k, twin);
      edges.push(k);
    }
  }
  let closing = -1;
  for (let i = 0; i < n; i++) {
    closing = known.get(key(hole.vertices[i], hole.vertices[(i + 1) % n]))!;
    mesh.link(closing, hole.outer[i]);
    mesh.fixed[closing] = hole.flags[i];
    edges.push(closing);
  }
  return closing;
};

/**
 * Removes vertex v and fills the hole with Delaunay triangles. Returns false, and changes nothing, where v is a corner or
 * an end of lines that must stay, or where the line without v would cut off another vertex.
 */
export const removeVertex = (mesh: Triangulation, v: number): boolean => {
  const fan = mesh.around(v);
  const holes = fan.length === 0 ? [] : findHoles(mesh, fan);
  if (holes.length === 0 || holes.some((hole) => hole.vertices.length < 3)) return false;
  const fills = holes.map((hole) => cutEars(mesh.points, hole.vertices));
  if (fills.some((fill) => fill === undefined)) return false;
  for (const e of fan) mesh.removeTriangle(triangleOf(e));
  mesh.edgeOfVertex[v] = -1;
  const edges: number[] = [];
  const closings = holes.map((hole, i) => fillHole(mesh, hole, fills[i]!, edges));
  if (closings.length === 2) mesh.link(closings[0], closings[1]);
  legalise(mesh, edges);
  return true;
};
