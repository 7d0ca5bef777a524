/**
 * Which knot a curve is tied in, as far as the Alexander polynomial Δ tells. It does not know a knot from its mirror image, nor
 * a square from a granny knot; an unknotted curve always has Δ = 1, and of the knots of up to ten crossings no other has.
 *
 *     curve → closed polygon → fewer vertices (knot-reduction.ts) → diagram (knot-diagram.ts) → Δ (alexander.ts)
 *
 * An open curve is closed far outside: each end goes on away from the middle of the curve's box to three times the
 * curve's farthest distance from it, and there both are joined. That is the knot of a rope whose ends have been
 * pulled out of it: nothing may lie between an end and the outside on the ray from the middle.
 *
 * Of several views the one with the fewest crossings is taken; degenerate ones are left out. What comes out must have Δ(1) = ±1
 * and the same coefficients from both sides, as all knots have; anything else is an error.
 *
 *   points  three coordinates a point [m]; a closed curve does not repeat its first point
 */
import {
  addScaledVec3,
  addVec3,
  createRandom,
  crossVec3,
  distanceVec3,
  dotVec3,
  lengthVec3,
  normalizeVec3,
  subVec3,
  type Vec3,
} from '../math/index.ts';
import { computeAlexanderPolynomial } from './alexander.ts';
import { computeKnotDiagram, type KnotDiagram } from './knot-diagram.ts';
import { createGenericPolygon, reducePolygon } from './knot-reduction.ts';

export interface KnotInvariantOptions {
  /** Whether the last point is joined to the first by a straight line; false by default: the ends are led outside. */
  readonly closed?: boolean;
  /** The one direction to look along; by default several are tried. */
  readonly direction?: Vec3;
  /** Whether vertices that do not matter are taken out first; true by default. */
  readonly reduced?: boolean;
}

export interface KnotInvariant {
  /** Crossings of the diagram that was used: no fewer than the knot needs. */
  readonly crossings: number;
  /** Sum of the signs of those crossings; it changes sign in a mirror. */
  readonly writhe: number;
  /** |Δ(−1)|: 1 for the unknot, always odd. */
  readonly determinant: number;
  /** Coefficients of Δ from t⁰ on, the same from both sides, the first positive; [1] for the unknot. */
  readonly polynomial: readonly number[];
}

/** Views to choose from, and how many may be degenerate before the curve itself is called so. */
const VIEWS = 12;
const ATTEMPTS = 60;
/** How far outside the ends are joined, in radii of the curve. */
const FAR = 3;

export function computeKnotInvariant(points: ArrayLike<number>, options: KnotInvariantOptions = {}): KnotInvariant {
  checkPoints(points);
  const polygon = createGenericPolygon(options.closed ? points : closeCurve(points));
  const diagram = chooseDiagram(options.reduced === false ? polygon : reducePolygon(polygon), options.direction);
  const polynomial = computeAlexanderPolynomial(diagram);
  if (!isKnotPolynomial(polynomial)) {
    throw new RangeError(
      `computeKnotInvariant: the curve's diagram with ${diagram.signs.length} crossings gives no polynomial of a knot; give a curve that does not touch itself, or one with fewer crossings.`,
    );
  }
  return {
    crossings: diagram.signs.length,
    writhe: diagram.signs.reduce((sum, sign) => sum + sign, 0),
    determinant: Math.abs(polynomial.reduce((sum, value, k) => (k % 2 === 0 ? sum + value : sum - value), 0)),
    polynomial,
  };
}

function checkPoints(points: ArrayLike<number>): void {
  let finite = true;
  for (let k = 0; k < points.length; k++) finite &&= Number.isFinite(points[k]);
  if (points.length % 3 !== 0 || points.length < 9 || !finite) {
    throw new RangeError(
      `computeKnotInvariant: the curve has ${points.length} coordinates${finite ? '' : ', not all finite'}; give three finite ones for each of three or more points.`,
    );
  }
}

/** Δ(1) = ±1 and Δ(t) = t^degree Δ(1/t). */
function isKnotPolynomial(polynomial: readonly number[]): boolean {
  const sum = polynomial.reduce((total, value) => total + value, 0);
  return Math.abs(sum) === 1 && polynomial.every((value, k) => value === polynomial[polynomial.length - 1 - k]);
}

function chooseDiagram(polygon: Float64Array, direction: Vec3 | undefined): KnotDiagram {
  const random = createRandom(2);
  let best: KnotDiagram | undefined;
  for (let attempt = 0, views = 0; attempt < ATTEMPTS && views < VIEWS; attempt++) {
    const diagram = computeKnotDiagram(polygon, direction ?? random.direction());
    if (direction !== undefined && diagram !== undefined) return diagram;
    if (direction !== undefined) break;
    if (diagram === undefined) continue;
    views++;
    if (best === undefined || diagram.signs.length < best.signs.length) best = diagram;
  }
  if (best !== undefined) return best;
  throw new RangeError(
    `computeKnotInvariant: ${direction === undefined ? 'no direction' : `the direction ${direction.join(', ')}`} shows the crossings clearly; give a curve that does not touch itself${direction === undefined ? '' : ', or another direction'}.`,
  );
}

/** The points with three more that join the last to the first, outside of the ball that holds the curve. */
function closeCurve(points: ArrayLike<number>): Float64Array {
  const n = points.length / 3;
  const point = (i: number): Vec3 => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  let low = point(0);
  let high = point(0);
  for (let i = 1; i < n; i++) {
    const x = point(i);
    low = [Math.min(low[0], x[0]), Math.min(low[1], x[1]), Math.min(low[2], x[2])];
    high = [Math.max(high[0], x[0]), Math.max(high[1], x[1]), Math.max(high[2], x[2])];
  }
  const middle: Vec3 = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  let radius = 0;
  for (let i = 0; i < n; i++) radius = Math.max(radius, distanceVec3(point(i), middle));
  const first = normalizeVec3(subVec3(point(0), middle), [1, 0, 0]);
  const last = normalizeVec3(subVec3(point(n - 1), middle), [0, 1, 0]);
  const between = bisectDirections(first, last);
  const closed = new Float64Array(points.length + 9);
  closed.set(points);
  closed.set(addScaledVec3(middle, last, FAR * radius), points.length);
  closed.set(addScaledVec3(middle, between, FAR * radius), points.length + 3);
  closed.set(addScaledVec3(middle, first, FAR * radius), points.length + 6);
  return closed;
}

/** A direction at most a right angle from both, so that straight lines between the three stay far outside. */
function bisectDirections(a: Vec3, b: Vec3): Vec3 {
  const sum = addVec3(a, b);
  if (lengthVec3(sum) > 0.5) return normalizeVec3(sum);
  // Nearly opposite: anything upright on their difference.
  const along = normalizeVec3(subVec3(a, b));
  const aside: Vec3 = Math.abs(dotVec3(along, [0, 1, 0])) < 0.7 ? [0, 1, 0] : [0, 0, 1];
  return normalizeVec3(crossVec3(along, aside));
}
