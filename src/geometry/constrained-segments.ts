/**
 * Puts segments into a triangulation so that each is a chain of fixed edges, by flipping the edges that it crosses
 * [Sloan 1993]. A segment bends through
 * vertices that lie on it within `tolerance`; where it crosses a fixed edge it gets a new vertex, or runs through the end
 * of that edge, or draws the edge through its own end, whichever is within tolerance.
 *
 *              l                 a → b crosses the edge r → l, seen from a with r on the right;
 *            / | \               d is the apex beyond it
 *          a --+-- d      b
 *            \ | /
 *              r
 */
import { computeHypot2 } from '../math/index.ts';
import { computeTurn, computeTurnTo } from './predicates.ts';
import { nextEdge, previousEdge, type Triangulation } from './triangulation.ts';
import { canFlip, canSplitEdge, insertOnEdge, legalise } from './triangulation-delaunay.ts';

/** What stops a segment on its way from a: nothing (b is reached), a vertex, or a fixed edge. */
interface Passage {
  /** Crossed edges as pairs r, l. */
  readonly crossed: number[];
  /** The vertex where the segment ends or must pass; −1 when a fixed edge stops it. */
  readonly target: number;
  /** The fixed half-edge r → l; −1 when none stops it. */
  readonly barrier: number;
}

/** Whether v lies between a and b within tolerance of the line. */
const isOnWay = (mesh: Triangulation, a: number, b: number, v: number, tolerance: number): boolean => {
  const p = mesh.points;
  const [dx, dy] = [p[2 * b] - p[2 * a], p[2 * b + 1] - p[2 * a + 1]];
  const length = computeHypot2(dx, dy);
  const along = ((p[2 * v] - p[2 * a]) * dx + (p[2 * v + 1] - p[2 * a + 1]) * dy) / length;
  return along > 0 && along < length && Math.abs(computeTurn(p, a, b, v)) <= tolerance * length;
};

/** The first step from a: the neighbour on the way, or the edge opposite a through which the segment leaves. */
const leave = (mesh: Triangulation, a: number, b: number, tolerance: number): { target: number; edge: number } => {
  const p = mesh.points;
  let edge = -1;
  let target = -1;
  for (const e of mesh.around(a)) {
    const [u, w] = [mesh.head(e), mesh.apex(e)];
    if (u === b) return { target: b, edge: -1 };
    const isNearer = target < 0 || computeDistance(p, a, u) < computeDistance(p, a, target);
    if (isNearer && isOnWay(mesh, a, b, u, tolerance)) target = u;
    if (computeTurn(p, a, u, b) > 0 && computeTurn(p, a, w, b) < 0) edge = nextEdge(e);
  }
  if (target < 0 && edge < 0) {
    throw new Error(`insertSegment: no triangle at vertex ${a} leads to vertex ${b}; the segment leaves the mesh.`);
  }
  return { target, edge };
};

const computeDistance = (p: Float64Array, a: number, b: number): number =>
  computeHypot2(p[2 * a] - p[2 * b], p[2 * a + 1] - p[2 * b + 1]);

const follow = (mesh: Triangulation, a: number, b: number, tolerance: number): Passage => {
  const first = leave(mesh, a, b, tolerance);
  const crossed: number[] = [];
  if (first.target >= 0) return { crossed, target: first.target, barrier: -1 };
  let e = first.edge;
  for (let count = 0; count < 3 * mesh.triangleCount; count++) {
    const f = mesh.twins[e];
    if (f < 0) throw new Error(`insertSegment: the segment from vertex ${a} to ${b} leaves the mesh.`);
    const d = mesh.apex(f);
    if (d !== b && isOnWay(mesh, a, b, d, tolerance)) return { crossed, target: d, barrier: -1 };
    if (mesh.fixed[e] === 1) return { crossed, target: -1, barrier: e };
    crossed.push(mesh.corners[e], mesh.head(e));
    if (d === b) return { crossed, target: b, barrier: -1 };
    e = computeTurn(mesh.points, a, b, d) > 0 ? nextEdge(f) : previousEdge(f);
  }
  throw new Error(`insertSegment: the walk from vertex ${a} to ${b} does not end; the triangulation overlaps itself.`);
};

/** Flips crossed edges until a and b are joined; returns the pairs of vertices of the edges that came about. */
const flipCrossed = (mesh: Triangulation, a: number, b: number, crossed: number[]): number[] => {
  const made: number[] = [];
  const cap = 100 + 4 * crossed.length ** 2;
  for (let at = 0; at < crossed.length; at += 2) {
    if (at > cap) throw new Error(`insertSegment: flips between vertices ${a} and ${b} do not end.`);
    const e = mesh.findEdge(crossed[at], crossed[at + 1]);
    if (!canFlip(mesh, e)) {
      crossed.push(crossed[at], crossed[at + 1]);
      continue;
    }
    const p = mesh.flipEdge(e);
    const [c, d] = [mesh.corners[p], mesh.head(p)];
    const isEnd = c === a || c === b || d === a || d === b;
    const isAcross = computeTurn(mesh.points, a, b, c) > 0 !== computeTurn(mesh.points, a, b, d) > 0;
    (isAcross && !isEnd ? crossed : made).push(c, d);
  }
  return made;
};

const joinVertices = (mesh: Triangulation, a: number, b: number, crossed: number[]): void => {
  const made = flipCrossed(mesh, a, b, crossed);
  const e = mesh.findEdge(a, b);
  if (e < 0) throw new Error(`insertSegment: vertices ${a} and ${b} could not be joined.`);
  mesh.setFixed(e, 1);
  const edges: number[] = [];
  for (let i = 0; i < made.length; i += 2) edges.push(mesh.findEdge(made[i], made[i + 1]));
  legalise(
    mesh,
    edges.filter((edge) => edge >= 0),
  );
};

/** Where a → b meets the line of r → l. */
const computeCrossing = (mesh: Triangulation, a: number, b: number, r: number, l: number): [number, number] => {
  const p = mesh.points;
  const toL = computeTurn(p, a, b, l);
  const t = toL / (toL - computeTurn(p, a, b, r));
  return [p[2 * l] + t * (p[2 * r] - p[2 * l]), p[2 * l + 1] + t * (p[2 * r + 1] - p[2 * l + 1])];
};

/** Resolves a crossing with a fixed edge; returns the segments that are still to be inserted, the last one first. */
const crossBarrier = (mesh: Triangulation, a: number, b: number, e: number, tolerance: number): number[][] => {
  const [r, l] = [mesh.corners[e], mesh.head(e)];
  const [x, y] = computeCrossing(mesh, a, b, r, l);
  const distance = (v: number): number => computeHypot2(mesh.points[2 * v] - x, mesh.points[2 * v + 1] - y);
  const nearest = [r, l, a, b].reduce((best, v) => (distance(v) < distance(best) ? v : best));
  if (distance(nearest) > tolerance && canSplitEdge(mesh, e, x, y)) {
    const v = mesh.addVertex(x, y);
    insertOnEdge(mesh, e, v);
    return [
      [v, b],
      [a, v],
    ];
  }
  if (distance(nearest) <= tolerance && (nearest === a || nearest === b)) {
    mesh.setFixed(e, 0);
    return [
      [a, b],
      [nearest, l],
      [r, nearest],
    ];
  }
  const pass = distance(r) < distance(l) ? r : l;
  return [
    [pass, b],
    [a, pass],
  ];
};

/** Makes the line from vertex a to vertex b a chain of fixed edges. Both must be vertices of the mesh. */
export const insertSegment = (mesh: Triangulation, a: number, b: number, tolerance: number): void => {
  const pending = [[a, b]];
  const cap = 1000 + 100 * mesh.vertexCount;
  for (let count = 0; pending.length > 0; count++) {
    if (count > cap)
      throw new Error(`insertSegment: the segment from vertex ${a} to ${b} needs more than ${cap} pieces.`);
    const [from, to] = pending.pop()!;
    if (from === to) continue;
    const { crossed, target, barrier } = follow(mesh, from, to, tolerance);
    if (barrier >= 0) {
      pending.push(...crossBarrier(mesh, from, to, barrier, tolerance));
    } else if (target === to) {
      joinVertices(mesh, from, to, crossed);
    } else {
      pending.push([target, to], [from, target]);
    }
  }
};

/** Winding number of closed loops of points round (x, y). */
export const computeWinding = (
  points: ArrayLike<number>,
  loops: readonly ArrayLike<number>[],
  x: number,
  y: number,
): number => {
  let winding = 0;
  for (const loop of loops) {
    for (let i = 0; i < loop.length; i++) {
      const [a, b] = [loop[i], loop[(i + 1) % loop.length]];
      const isAbove = points[2 * a + 1] > y;
      if (isAbove === points[2 * b + 1] > y) continue;
      const side = computeTurnTo(points, a, b, x, y);
      if (isAbove && side < 0) winding--;
      else if (!isAbove && side > 0) winding++;
    }
  }
  return winding;
};
