/**
 * Continuous collision detection: when a vertex first comes to a triangle, or an edge to an edge, while all four points move
 * straight, x(t) = (1 − t) x₀ + t x₁, 0 ≤ t ≤ 1.
 *
 * Additive: from a distance d nothing can come nearer than ξ before (d − ξ)/l, so time goes on by that, again and again
 * [Li 2021, Algorithm 1].
 *   d  distance now [m]     ξ  separation that counts as contact [m]
 *   l  bound on the relative motion: the largest of each side, the mean of all four taken off [m]
 * Only distances are asked for, never roots of cubics: coplanar, parallel and degenerate pairs are no special cases.
 *
 * Conservative: the time is never later than the first contact, and what comes nearer than ξ by any amount is found. What stays
 * further than ξ by less than 1e-6 (d₀ + l), d₀ the distance at the start, may be found as well. Differences to the paper: that
 * tolerance (there a tenth of d₀ − ξ, too rough to tell a hit from a near miss), and the cap on the number of advances.
 * Nothing is allocated.
 */
import { writeClosestPointTriangle, writeClosestSegmentSegment } from './closest.ts';

/** The first contact of a pair. */
export interface CcdHit {
  /** 0 … 1. */
  time: number;
  /** Barycentric weights of the closest points then: 1 · a b c of a vertex and a triangle, a b · c d of two edges. */
  readonly weights: Float64Array;
  /** Distance then [m]. */
  distance: number;
  /** Unit vector from the second point to the first then; zero where they coincide. */
  readonly normal: Float64Array;
  /** The four points then. */
  readonly x: Float64Array;
}

export const createCcdHit = (): CcdHit => ({
  time: Number.POSITIVE_INFINITY,
  weights: new Float64Array(4),
  distance: 0,
  normal: new Float64Array(3),
  x: new Float64Array(12),
});

/** Distance above ξ that counts as contact, relative to the distance at the start and the motion. */
const SLACK = 1e-6;
/** Rounding of a distance, relative to the coordinates. */
const ROUNDING = 1e-14;
/** Share of the safe time that is taken: rounding must not make it unsafe. */
const SAFE = 0.99;
/** Advances after which the pair counts as touching: it has been near for long. */
const MOST_ADVANCES = 2000;

/**
 * Vertex p and triangle a b c, in this order in x0 (start) and x1 (end), three numbers each. True where they come nearer than
 * `separation` [m]; fills `out`. A pair that starts nearer is in contact at time 0, whatever its motion.
 */
export const findVertexTriangleHit = (x0: Float64Array, x1: Float64Array, separation: number, out: CcdHit): boolean =>
  findHit(x0, x1, separation, 1, writeClosestPointTriangle, out, Number.NaN);

/** Edges a–b and c–d, the same way; `distance`: of the two at the start, where that is known [m]. */
export const findEdgeEdgeHit = (
  x0: Float64Array,
  x1: Float64Array,
  separation: number,
  out: CcdHit,
  distance = Number.NaN,
): boolean => findHit(x0, x1, separation, 2, writeClosestSegmentSegment, out, distance);

/** `split`: how many of the four points belong to the first side. */
const findHit = (
  x0: Float64Array,
  x1: Float64Array,
  separation: number,
  split: number,
  writeClosest: (x: Float64Array, weights: Float64Array) => number,
  out: CcdHit,
  distance: number,
): boolean => {
  const motion = computeRelativeMotion(x0, x1, split);
  const { x } = out;
  let reach = 0;
  let time = 0;
  if (distance >= 0 && isTooFar(x0, x1, distance - separation, motion)) return false;
  for (let advance = 0; ; advance++) {
    for (let k = 0; k < 12; k++) x[k] = (1 - time) * x0[k] + time * x1[k];
    const gap = Math.sqrt(writeClosest(x, out.weights)) - separation;
    if (advance === 0) reach = computeTolerance(x0, x1, gap, motion);
    if (gap <= reach || advance === MOST_ADVANCES) {
      out.time = time;
      writeNormal(out, split);
      return true;
    }
    time += (SAFE * gap) / motion;
    if (!(time < 1)) return false;
  }
};

/** Whether a pair, whose distance at the start is the root of what `writeClosest…` gives, cannot come nearer than `separation` [m]: no hit is found. */
export const isOutOfReach = (
  x0: Float64Array,
  x1: Float64Array,
  separation: number,
  split: number,
  distance: number,
): boolean => isTooFar(x0, x1, distance - separation, computeRelativeMotion(x0, x1, split));

/** Whether the first safe time is all of the way: so it is for most. */
const isTooFar = (x0: Float64Array, x1: Float64Array, gap: number, motion: number): boolean =>
  gap > computeTolerance(x0, x1, gap, motion) && !((SAFE * gap) / motion < 1);

/** Gap that counts as contact [m]. */
const computeTolerance = (x0: Float64Array, x1: Float64Array, gap: number, motion: number): number => {
  let size = 0;
  for (let k = 0; k < 12; k++) size = Math.max(size, Math.abs(x0[k]), Math.abs(x1[k]));
  return SLACK * (Math.max(0, gap) + motion) + ROUNDING * size;
};

/** l: sum of the largest displacements of both sides, relative to the mean: they come no nearer to each other than by that [m]. */
export const computeRelativeMotion = (x0: Float64Array, x1: Float64Array, split: number): number => {
  let mx = 0;
  let my = 0;
  let mz = 0;
  for (let i = 0; i < 12; i += 3) {
    mx += 0.25 * (x1[i] - x0[i]);
    my += 0.25 * (x1[i + 1] - x0[i + 1]);
    mz += 0.25 * (x1[i + 2] - x0[i + 2]);
  }
  let first = 0;
  let second = 0;
  for (let i = 0; i < 4; i++) {
    const o = 3 * i;
    const square = (x1[o] - x0[o] - mx) ** 2 + (x1[o + 1] - x0[o + 1] - my) ** 2 + (x1[o + 2] - x0[o + 2] - mz) ** 2;
    if (i < split) first = Math.max(first, square);
    else second = Math.max(second, square);
  }
  return Math.sqrt(first) + Math.sqrt(second);
};

const writeNormal = (hit: CcdHit, split: number): void => {
  const { normal, weights, x } = hit;
  normal.fill(0);
  for (let i = 0; i < 4; i++)
    for (let k = 0; k < 3; k++) normal[k] += (i < split ? weights[i] : -weights[i]) * x[3 * i + k];
  hit.distance = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
  if (hit.distance > 0) for (let k = 0; k < 3; k++) normal[k] /= hit.distance;
};
