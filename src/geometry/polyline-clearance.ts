/**
 * How much room a polyline has: the distance between parts of it that are no neighbours, the distance of two, and the
 * sharpest bend, as the radius of the circle through three neighbouring points: R = abc / 4A.
 * A tube of radius r round a smooth curve nowhere touches itself where the curve nowhere bends sharper than r and parts that
 * are π r apart along it, or more, are 2 r apart in space [Gonzalez 1999].
 *
 *   points  three coordinates a point [m]; closed polylines do not repeat their first point
 */
import { writeClosestSegmentSegment } from './closest.ts';

export interface ClearanceOptions {
  /** Whether the last point is joined to the first; false by default. */
  readonly closed?: boolean;
  /** Length along the polyline [m] below which two segments are neighbours, from the end of one to the start of the other. */
  readonly neighbours: number;
}

/** Smallest distance of two segments that are no neighbours [m]; Infinity where all are. */
export function computeSelfClearance(points: Float64Array, { closed = false, neighbours }: ClearanceOptions): number {
  const n = points.length / 3;
  const segments = closed ? n : n - 1;
  const ends = closed ? Float64Array.from([...points, points[0], points[1], points[2]]) : points;
  const at = measureAlong(ends);
  const total = at[segments];
  const pair = new SegmentPair();
  for (let i = 0; i < segments; i++) {
    for (let j = i + 1; j < segments; j++) {
      const apart = at[j] - at[i + 1];
      if (apart < neighbours || (closed && at[i] + total - at[j + 1] < neighbours)) continue;
      pair.take(ends, i, ends, j);
    }
  }
  return Math.sqrt(pair.square);
}

/** Smallest distance of two open polylines [m]. */
export function computePolylineDistance(a: Float64Array, b: Float64Array): number {
  const pair = new SegmentPair();
  for (let i = 0; i < a.length / 3 - 1; i++) for (let j = 0; j < b.length / 3 - 1; j++) pair.take(a, i, b, j);
  return Math.sqrt(pair.square);
}

/** Radius of the sharpest bend [m]: the smallest circle through three neighbouring points; Infinity for a straight line. */
export function computeBendRadius(
  points: Float64Array,
  { closed = false }: { readonly closed?: boolean } = {},
): number {
  const n = points.length / 3;
  const distance = (a: number, b: number): number =>
    Math.sqrt(
      (points[3 * a] - points[3 * b]) ** 2 +
        (points[3 * a + 1] - points[3 * b + 1]) ** 2 +
        (points[3 * a + 2] - points[3 * b + 2]) ** 2,
    );
  let smallest = Infinity;
  for (let i = closed ? 0 : 1; i < (closed ? n : n - 1); i++) {
    const [before, after] = [(i + n - 1) % n, (i + 1) % n];
    const [p, q, s] = [3 * before, 3 * i, 3 * after];
    const [ux, uy, uz] = [points[q] - points[p], points[q + 1] - points[p + 1], points[q + 2] - points[p + 2]];
    const [vx, vy, vz] = [points[s] - points[q], points[s + 1] - points[q + 1], points[s + 2] - points[q + 2]];
    const twiceArea = Math.sqrt((uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2);
    if (twiceArea === 0 && ux * vx + uy * vy + uz * vz > 0) continue;
    const product = distance(before, i) * distance(i, after) * distance(before, after);
    smallest = Math.min(smallest, twiceArea > 0 ? product / (2 * twiceArea) : 0);
  }
  return smallest;
}

/** Length from the first point to each [m]. */
export function measureAlong(points: Float64Array): Float64Array {
  const n = points.length / 3;
  const at = new Float64Array(n);
  for (let i = 1; i < n; i++) {
    at[i] =
      at[i - 1] +
      Math.sqrt(
        (points[3 * i] - points[3 * i - 3]) ** 2 +
          (points[3 * i + 1] - points[3 * i - 2]) ** 2 +
          (points[3 * i + 2] - points[3 * i - 1]) ** 2,
      );
  }
  return at;
}

/** The smallest squared distance of the pairs of segments taken so far. */
class SegmentPair {
  square = Infinity;
  readonly #x = new Float64Array(12);
  readonly #weights = new Float64Array(4);

  take(a: Float64Array, i: number, b: Float64Array, j: number): void {
    if (this.#isApart(a, 3 * i, b, 3 * j)) return;
    for (let k = 0; k < 6; k++) {
      this.#x[k] = a[3 * i + k];
      this.#x[6 + k] = b[3 * j + k];
    }
    this.square = Math.min(this.square, writeClosestSegmentSegment(this.#x, this.#weights));
  }

  /** Whether the boxes of the two are no nearer than what was found. */
  #isApart(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const above = Math.min(b[j + k], b[j + 3 + k]) - Math.max(a[i + k], a[i + 3 + k]);
      const below = Math.min(a[i + k], a[i + 3 + k]) - Math.max(b[j + k], b[j + 3 + k]);
      square += Math.max(0, above, below) ** 2;
    }
    return square >= this.square;
  }
}
