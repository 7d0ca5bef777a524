/** Curves of the knot tests: diagrams drawn by hand, rotations, deformations. */
import { quaternionFromRotationVector, type Random, rotateVec3, type Vec3 } from 'heddle/math';

/** A point of a diagram: x, y and height. */
export type DiagramPoint = readonly [number, number, number];

export const flatten = (points: readonly DiagramPoint[]): Float64Array => Float64Array.from(points.flat());

/** The torus knot (p, q) on a torus of radii 2 and 1 as a closed polyline; mirrored for negative q. */
export function createTorusKnot(p: number, q: number, count: number): Float64Array {
  const points = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const t = (2 * Math.PI * i) / count;
    const radius = 2 + Math.cos(q * t);
    points.set([radius * Math.cos(p * t), radius * Math.sin(p * t), Math.sin(q * t)], 3 * i);
  }
  return points;
}

/**
 * Two strands round a circle that cross once for each sign (an odd number), closed: the torus knot (2, n) where all signs are
 * the same. Strands change their height only between crossings, so that every crossing can be switched by itself.
 */
export function createSignedBraid(signs: readonly number[], perCrossing = 24): Float64Array {
  const n = signs.length;
  const points: number[] = [];
  for (let i = 0; i < 2 * n * perCrossing; i++) {
    // crossing k lies at (2k + 1) π/n, its stretch between multiples of 2π/n
    const turn = i / perCrossing;
    const phase = Math.PI * turn;
    const angle = (2 * Math.PI * turn) / n;
    const radius = 2 + 0.5 * Math.cos(phase);
    const height = 0.5 * Math.sin(phase) * signs[Math.floor(turn) % n];
    points.push(radius * Math.cos(angle), radius * Math.sin(angle), height);
  }
  return Float64Array.from(points);
}

/** Points of an overhand knot as it is drawn, with heights at the first pass of each of its three crossings. */
export const drawTrefoil = (first: number, second: number, third: number): DiagramPoint[] => [
  [-6, 0, 0],
  [0, 0, 0],
  [0.7, 0, first],
  [1.3, 0, first],
  [2, 0, 0],
  [2.7, 0, second],
  [3.3, 0, second],
  [4, 0, 0],
  [6, 2, 0],
  [4, 4, 0],
  [3.3, 4, third],
  [2.6, 4, third],
  [2, 4, 0],
  [0.5, 2, 0],
  [1.5, -3, 0],
  [3, -3, 0],
  [3, 2, 0],
  [3.2, 7, 0],
];

/** Turned by a random rotation about the origin. */
export function rotate(points: Float64Array, random: Random): Float64Array {
  const axis = random.direction();
  const angle = random.uniform(0, Math.PI);
  const q = quaternionFromRotationVector([angle * axis[0], angle * axis[1], angle * axis[2]]);
  return mapPoints(points, (x) => rotateVec3(q, x));
}

export function mapPoints(points: Float64Array, change: (x: Vec3) => Vec3): Float64Array {
  const changed = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) changed.set(change([points[i], points[i + 1], points[i + 2]]), i);
  return changed;
}

/**
 * A smooth map of space onto itself: a few shears x_k += a sin(b x_m + c) with m ≠ k, each of which can be undone, so that
 * their product is one-to-one and keeps every knot.
 */
export function deform(points: Float64Array, random: Random, size: number): Float64Array {
  let changed = points;
  for (let shear = 0; shear < 6; shear++) {
    const along = random.integer(0, 2);
    const by = (along + random.integer(1, 2)) % 3;
    const [a, b, c] = [random.uniform(0, 0.3 * size), random.uniform(0, 6 / size), random.uniform(0, 6)];
    changed = mapPoints(changed, (x) => {
      const y: [number, number, number] = [...x];
      y[along] += a * Math.sin(b * x[by] + c);
      return y;
    });
  }
  return changed;
}

/** Points at random places of the polyline and all its corners: the same curve with other points. */
export function resample(points: Float64Array, random: Random): Float64Array {
  const list: number[] = [];
  for (let i = 0; i + 3 < points.length; i += 3) {
    const cuts = [0, random.uniform(), random.uniform()].sort();
    for (const t of cuts) for (let k = 0; k < 3; k++) list.push((1 - t) * points[i + k] + t * points[i + 3 + k]);
  }
  list.push(...points.slice(-3));
  return Float64Array.from(list);
}
