/**
 * Exact signs for points of the plane: which way three points turn, and whether a point lies in the circle of three others.
 * The sign is that of the exact real number for the doubles given ([Shewchuk 1997]; package
 * robust-predicates); the value is only an estimate. Coordinates must be below about 1e75 and
 * their differences above 1e-75, where products of four neither overflow nor vanish.
 *
 *   p  two coordinates a point, one after the other; a, b, c, d  numbers of points
 */

import { incircle, orient2d } from 'robust-predicates';
import { computeSignedAngle } from '../math/index.ts';

/** Twice the signed area of (a, b, c): > 0 counter-clockwise, 0 exactly on a line. */
export const computeTurn = (p: ArrayLike<number>, a: number, b: number, c: number): number =>
  -orient2d(p[2 * a], p[2 * a + 1], p[2 * b], p[2 * b + 1], p[2 * c], p[2 * c + 1]);

/** The same with the third point given by its coordinates. */
export const computeTurnTo = (p: ArrayLike<number>, a: number, b: number, x: number, y: number): number =>
  -orient2d(p[2 * a], p[2 * a + 1], p[2 * b], p[2 * b + 1], x, y);

/** > 0 where d lies inside the circle through a, b, c (counter-clockwise), 0 exactly on it. */
export const computeInCircle = (p: ArrayLike<number>, a: number, b: number, c: number, d: number): number =>
  computeInCircleAt(p, a, b, c, p[2 * d], p[2 * d + 1]);

/** The same with the fourth point given by its coordinates. */
export const computeInCircleAt = (
  p: ArrayLike<number>,
  a: number,
  b: number,
  c: number,
  x: number,
  y: number,
): number => incircle(p[2 * a], p[2 * a + 1], p[2 * b], p[2 * b + 1], p[2 * c], p[2 * c + 1], x, y);

/** Smallest angle of the triangle with corners (ax, ay), (bx, by), (cx, cy) [rad]; 0 where they are on a line. */
export const computeSmallestAngle = (
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): number => {
  const cross = Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
  const ab = (bx - ax) ** 2 + (by - ay) ** 2;
  const bc = (cx - bx) ** 2 + (cy - by) ** 2;
  const ca = (ax - cx) ** 2 + (ay - cy) ** 2;
  // the smallest angle is opposite the shortest side: tan = 2 area / (sum of the other two squares − this) · 2
  const shortest = Math.min(ab, bc, ca);
  return computeSignedAngle(2 * cross, ab + bc + ca - 2 * shortest);
};
