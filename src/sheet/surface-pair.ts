/** A vertex and a triangle, or two edges, of surfaces: where they are closest, what distance they keep, what they are called. */
import type { Surface } from './surface.ts';

export interface SurfacePair {
  /** Indices of both surfaces; the vertex is of the first. */
  first: number;
  second: number;
  isEdges: boolean;
  /** Points: p · a b c or a b · c d. */
  readonly points: Int32Array;
  /** Closest points: Σ over the first side − Σ over the second is distance · normal. */
  readonly weights: Float64Array;
  readonly normal: Float64Array;
  /** Distance at the start of the step, and where it is looked at: at the end of the way, or 0 where they hit before [m]. */
  distance: number;
  end: number;
  /** Distance along the normal at the start that it may keep [m]; `distance`, but for what is kept apart across a sheet. */
  gap: number;
}

/** Weight below which the closest point of an edge is its end. */
export const INNER = 1e-6;
/** Distance that edges of sheets keep, relative to that of vertices. */
const EDGE_REACH = 0.75;
/** Of the distance of two points in the material, what a sheet keeps from itself at most. */
const SELF_REACH = 0.5;

export const createSurfacePair = (): SurfacePair => ({
  first: 0,
  second: 0,
  isEdges: false,
  points: new Int32Array(4),
  weights: new Float64Array(4),
  normal: new Float64Array(3),
  distance: 0,
  end: 0,
  gap: 0,
});

export function copySurfacePair(from: SurfacePair, to: SurfacePair): void {
  to.first = from.first;
  to.second = from.second;
  to.isEdges = from.isEdges;
  to.points.set(from.points);
  to.weights.set(from.weights);
  to.normal.set(from.normal);
  to.distance = from.distance;
  to.end = from.end;
  to.gap = from.gap;
}

/** An order of pairs that does not depend on how they were found: by their surfaces and points. */
export function comesBefore(a: SurfacePair, b: SurfacePair): boolean {
  if (a.first !== b.first) return a.first < b.first;
  if (a.second !== b.second) return a.second < b.second;
  for (let i = 0; i < 4; i++) if (a.points[i] !== b.points[i]) return a.points[i] < b.points[i];
  return false;
}

/** Index of the surface of the i-th point. */
export const sideOf = ({ first, second, isEdges }: SurfacePair, i: number): number =>
  i < (isEdges ? 2 : 1) ? first : second;

/** Weight of the i-th point in the difference of the closest points. */
export const weightOf = ({ weights, isEdges }: SurfacePair, i: number): number =>
  i < (isEdges ? 2 : 1) ? weights[i] : -weights[i];

/** Whether the closest point is inside a triangle. */
export const isOverFace = ({ weights, isEdges }: SurfacePair): boolean =>
  !isEdges && weights[1] > INNER && weights[2] > INNER && weights[3] > INNER;

/** Distance to keep where a pair starts no nearer [m]. */
export function computePairReach(surfaces: readonly Surface[], pair: SurfacePair): number {
  const [a, b] = [surfaces[pair.first], surfaces[pair.second]];
  const isLazy = pair.isEdges && a.material !== undefined && b.material !== undefined;
  const reach = (isLazy ? EDGE_REACH : 1) * (a.reach + b.reach);
  return pair.first === pair.second ? Math.min(reach, computeSelfReach(a.material!, pair)) : reach;
}

function computeSelfReach(X: Float64Array, pair: SurfacePair): number {
  let square = 0;
  for (let k = 0; k < 2; k++) {
    let sum = 0;
    for (let i = 0; i < 4; i++) sum += weightOf(pair, i) * X[2 * pair.points[i] + k];
    square += sum * sum;
  }
  return SELF_REACH * Math.sqrt(square);
}

/** A name for what of both surfaces is closest: the same for a vertex over an edge, whichever triangle found it. */
export function nameFeature(surfaces: readonly Surface[], pair: SurfacePair): string {
  const split = pair.isEdges ? 2 : 1;
  const one = nameSide(surfaces, pair, 0, split);
  const other = nameSide(surfaces, pair, split, 4);
  // two vertices, or two edges, in either order
  return one < other ? `${one}|${other}` : `${other}|${one}`;
}

function nameSide(surfaces: readonly Surface[], pair: SurfacePair, from: number, to: number): string {
  const side = sideOf(pair, from);
  const labels: number[] = [];
  for (let i = from; i < to; i++) if (pair.weights[i] > 0) labels.push(surfaces[side].labelOf(pair.points[i]));
  return `${side}:${labels.sort((a, b) => a - b).join('.')}`;
}
