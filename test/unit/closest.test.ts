import {
  writeClosestPointSegment,
  writeClosestPointTriangle,
  writeClosestSegmentSegment,
  writeClosestSegmentTriangle,
  writeClosestTriangleTriangle,
} from 'heddle/geometry';
import { createRandom } from 'heddle/math';
import { describe, expect, test } from 'vitest';

const KINDS = [
  { name: 'point–segment', left: 1, right: 2, write: writeClosestPointSegment },
  { name: 'point–triangle', left: 1, right: 3, write: writeClosestPointTriangle },
  { name: 'segment–segment', left: 2, right: 2, write: writeClosestSegmentSegment },
  { name: 'segment–triangle', left: 2, right: 3, write: writeClosestSegmentTriangle },
  { name: 'triangle–triangle', left: 3, right: 3, write: writeClosestTriangleTriangle },
] as const;
type Kind = (typeof KINDS)[number];

/** The point with these weights among vertices first … first + count of x. */
const combine = (x: Float64Array, weights: Float64Array, first: number, count: number): number[] =>
  [0, 1, 2].map((k) => {
    let sum = 0;
    for (let i = first; i < first + count; i++) sum += weights[i] * x[3 * i + k];
    return sum;
  });
const squareBetween = (a: number[], b: number[]): number =>
  (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

/** Weights are barycentric and give the distance returned. */
const solve = (kind: Kind, x: Float64Array): { square: number; weights: Float64Array } => {
  const weights = new Float64Array(kind.left + kind.right).fill(Number.NaN);
  const square = kind.write(x, weights);
  for (const weight of weights) expect(weight >= 0 && weight <= 1 + 1e-15).toBe(true);
  const total = (from: number, to: number): number => weights.slice(from, to).reduce((sum, w) => sum + w, 0);
  expect(total(0, kind.left)).toBeCloseTo(1, 14);
  expect(total(kind.left, kind.left + kind.right)).toBeCloseTo(1, 14);
  const a = combine(x, weights, 0, kind.left);
  const b = combine(x, weights, kind.left, kind.right);
  const scale = Math.max(...x.map(Math.abs), 1e-300);
  expect(Math.abs(squareBetween(a, b) - square)).toBeLessThan(1e-14 * scale * scale);
  return { square, weights };
};

/**
 * The distance is convex in the weights, so a point is closest exactly if no vertex is a direction of descent
 * (the Frank–Wolfe gap): (b − a) · (vertex − b) ≥ 0 for all vertices of the right side, and the same for the left.
 */
const optimalityGap = (kind: Kind, x: Float64Array, weights: Float64Array): number => {
  const a = combine(x, weights, 0, kind.left);
  const b = combine(x, weights, kind.left, kind.right);
  let gap = 0;
  for (let i = 0; i < kind.left + kind.right; i++) {
    const [from, sign] = i < kind.left ? [a, -1] : [b, 1];
    let slope = 0;
    for (let k = 0; k < 3; k++) slope += sign * (b[k] - a[k]) * (x[3 * i + k] - from[k]);
    gap = Math.max(gap, -slope);
  }
  return gap;
};

describe.each(KINDS)('$name', (kind) => {
  const count = 3 * (kind.left + kind.right);

  test.each([1, 2, 3])('random, intersecting and flat cases are optimal (seed %i)', (seed) => {
    const random = createRandom(seed);
    for (let trial = 0; trial < 400; trial++) {
      const x = Float64Array.from({ length: count }, () => random.uniform(-1, 1));
      // One in four in a common plane, one in four on a coarse grid (parallel, touching, coinciding).
      if (trial % 4 === 1) for (let i = 1; i < count; i += 3) x[i] = 0;
      if (trial % 4 === 2) for (let i = 0; i < count; i++) x[i] = random.integer(-1, 1);
      const { weights } = solve(kind, x);
      expect(optimalityGap(kind, x, weights)).toBeLessThan(1e-13);
    }
  });

  test('nearly parallel and sliver cases are optimal', () => {
    const random = createRandom(9);
    for (let trial = 0; trial < 400; trial++) {
      const thickness = 10 ** random.uniform(-16, -2);
      const x = Float64Array.from({ length: count }, (_, i) =>
        i % 3 === 0 ? random.uniform(-1, 1) : thickness * random.uniform(-1, 1),
      );
      const { weights } = solve(kind, x);
      // The rounding of coordinates near 1.
      expect(optimalityGap(kind, x, weights)).toBeLessThan(1e-15);
    }
  });

  test('finds the closest points with everything in one point, and with sides shrunk to a point or a segment', () => {
    expect(solve(kind, new Float64Array(count).fill(3)).square).toBe(0);
    const random = createRandom(10);
    for (let trial = 0; trial < 100; trial++) {
      const x = Float64Array.from({ length: count }, () => random.uniform(-1, 1));
      for (let i = 1; i < kind.left; i++) x.copyWithin(3 * i, 0, 3);
      if (trial % 2 === 0) x.copyWithin(count - 3, count - 6, count - 3);
      const { weights } = solve(kind, x);
      expect(optimalityGap(kind, x, weights)).toBeLessThan(1e-13);
    }
  });
});

test('a needle through the middle of a triangle is at distance zero at the crossing', () => {
  const x = Float64Array.of(0.25, -1, 0.25, 0.25, 3, 0.25, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const weights = new Float64Array(5);
  expect(writeClosestSegmentTriangle(x, weights)).toBeLessThan(1e-30);
  expect(Array.from(weights)).toEqual([0.75, 0.25, 0.5, 0.25, 0.25]);
});

test('between segments nearly in one line, to 1e-12 of their distance apart, no sampled point is nearer', () => {
  const random = createRandom(11);
  const weights = new Float64Array(4);
  for (let trial = 0; trial < 2000; trial++) {
    const thickness = 10 ** random.uniform(-12, -2);
    const x = Float64Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? 1 : thickness) * random.uniform(-1, 1));
    const found = Math.sqrt(writeClosestSegmentSegment(x, weights));
    const point = new Float64Array(9);
    point.set(x.subarray(6), 3);
    let nearest = Infinity;
    for (let sample = 0; sample <= 20; sample++) {
      for (let k = 0; k < 3; k++) point[k] = x[k] + (sample / 20) * (x[3 + k] - x[k]);
      nearest = Math.min(nearest, Math.sqrt(writeClosestPointSegment(point, weights)));
    }
    expect(found - nearest).toBeLessThan(1e-12 * thickness + 1e-15);
  }
});
