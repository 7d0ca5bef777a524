/**
 * A smooth curve as a polyline whose segments all have the same length, so that material coordinates that are evenly
 * spaced leave it unstretched. Points lie on the curve.
 *
 * Points are first put at even lengths along a fine sampling; then they are moved along the curve to where the polyline itself
 * has its even lengths, again and again. Each round shrinks the difference by about (turn of a segment)²/12; where the
 * parameter changes its speed at once, rounds may swing and go only part of the way.
 */
import { measureAlong } from '../geometry/index.ts';

/** Writes the point of parameter t into out[at … at + 2]. */
export type CurveWriter = (t: number, out: Float64Array, at: number) => void;

export interface EvenPolyline {
  /** Three coordinates a point [m]. */
  readonly points: Float64Array;
  /** Length of the polyline [m]: all its segments are length/segments long. */
  readonly length: number;
}

const SAMPLES_PER_SEGMENT = 8;
const SAMPLES = 2048;
const ROUNDS = 100;
const EVEN = 1e-13;

/** The curve from t = 0 to `end` in this many segments. */
export function createEvenPolyline(curve: CurveWriter, end: number, segments: number): EvenPolyline {
  const fine = Math.max(SAMPLES, SAMPLES_PER_SEGMENT * segments);
  const samples = new Float64Array(3 * (fine + 1));
  for (let i = 0; i <= fine; i++) curve((i / fine) * end, samples, 3 * i);
  const along = measureAlong(samples);
  // The parameter of the rounds is the length along the sampling: t itself may run unevenly.
  const parameterAt = (length: number): number => (findPlace(along, length) / fine) * end;
  let places = Float64Array.from({ length: segments + 1 }, (_, i) => (i / segments) * along[fine]);
  const points = new Float64Array(3 * (segments + 1));
  const writePoints = (): Float64Array => {
    for (let i = 0; i <= segments; i++) curve(i === segments ? end : parameterAt(places[i]), points, 3 * i);
    return measureAlong(points);
  };
  let lengths = writePoints();
  let unevenness = computeUnevenness(lengths);
  for (let round = 0, part = 1; round < ROUNDS && unevenness > EVEN; round++) {
    const previous = places;
    places = Float64Array.from({ length: segments + 1 }, (_, i) => {
      const place = findPlace(lengths, (i / segments) * lengths[segments]);
      const k = Math.min(segments - 1, Math.floor(place));
      const goal = previous[k] + (place - k) * (previous[k + 1] - previous[k]);
      return previous[i] + part * (goal - previous[i]);
    });
    lengths = writePoints();
    const before = unevenness;
    unevenness = computeUnevenness(lengths);
    if (unevenness > 0.7 * before) part = Math.max(0.3, 0.8 * part);
  }
  return { points, length: lengths[segments] };
}

/** Where in a list of growing numbers a value lies: whole number of the entry before it, and the part of the way to the next. */
function findPlace(list: Float64Array, value: number): number {
  let [low, high] = [0, list.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= value) low = middle;
    else high = middle;
  }
  const step = list[high] - list[low];
  return step > 0 ? low + Math.min(1, Math.max(0, (value - list[low]) / step)) : low;
}

/** Largest difference of a point's length along the polyline from its even share, in segments. */
function computeUnevenness(lengths: Float64Array): number {
  const last = lengths.length - 1;
  let largest = 0;
  for (let i = 1; i < last; i++) largest = Math.max(largest, Math.abs((lengths[i] / lengths[last]) * last - i));
  return largest / last;
}
