/** Two things that touch, a point and a triangle or two segments: which points they are between, where they are closest. */

export interface ContactPair {
  /** Indices of both sides; a lone point is of the first. */
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

export const createContactPair = (): ContactPair => ({
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

export function copyContactPair(from: ContactPair, to: ContactPair): void {
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

/** An order of pairs that does not depend on how they were found: by their sides and points. */
export function comesBefore(a: ContactPair, b: ContactPair): boolean {
  if (a.first !== b.first) return a.first < b.first;
  if (a.second !== b.second) return a.second < b.second;
  for (let i = 0; i < 4; i++) if (a.points[i] !== b.points[i]) return a.points[i] < b.points[i];
  return false;
}

/** Index of the side of the i-th point. */
export const sideOf = ({ first, second, isEdges }: ContactPair, i: number): number =>
  i < (isEdges ? 2 : 1) ? first : second;

/** Weight of the i-th point in the difference of the closest points. */
export const weightOf = ({ weights, isEdges }: ContactPair, i: number): number =>
  i < (isEdges ? 2 : 1) ? weights[i] : -weights[i];

/** A name for what of both sides is closest: the same for a vertex over an edge, whichever triangle found it. */
export function nameFeature(sides: readonly { labelOf(point: number): number }[], pair: ContactPair): string {
  const split = pair.isEdges ? 2 : 1;
  const one = nameSide(sides, pair, 0, split);
  const other = nameSide(sides, pair, split, 4);
  // two vertices, or two edges, in either order
  return one < other ? `${one}|${other}` : `${other}|${one}`;
}

function nameSide(
  sides: readonly { labelOf(point: number): number }[],
  pair: ContactPair,
  from: number,
  to: number,
): string {
  const side = sideOf(pair, from);
  const labels: number[] = [];
  for (let i = from; i < to; i++) if (pair.weights[i] > 0) labels.push(sides[side].labelOf(pair.points[i]));
  return `${side}:${labels.sort((a, b) => a - b).join('.')}`;
}
