/**
 * Open knots as centre lines of rods: tied loosely, ends straight along −x and +x, nowhere touching themselves.
 *
 * Every knot is a uniform cubic B-spline through a diagram drawn tight (knot-shapes.ts), so that its curvature is continuous. With
 * ρ = 1.05 · looseness · radius it is scaled so that
 *     it bends nowhere sharper than 2ρ
 *     parts that are πρ apart along the curve, or more, are at least 2ρ apart in space; nearer ones cannot touch with such bends
 * so that a tube of radius ρ would just be free of itself. The 5 % are for the chords of the polyline, which cut corners; the
 * polyline itself is measured, too, and refused where its tube would touch itself.
 */
import { computeBendRadius, computeSelfClearance } from '../geometry/index.ts';
import { suggest } from '../model/index.ts';
import { checkPositive, checkSegments } from './checks.ts';
import { createEvenPolyline, type EvenPolyline } from './even-polyline.ts';
import { DOUBLE_OVERHAND, FIGURE_EIGHT, joinShapes, mirrorShape, OVERHAND, SLIP, STEVEDORE } from './knot-shapes.ts';
import { computeSplineBendRadius, countSpans, writeSplinePoint } from './spline.ts';

export interface Knot {
  readonly name: string;
  readonly title: string;
  /** What it is to a mathematician, and how its curve was made. */
  readonly source: string;
  /** Coefficients of its Alexander polynomial, as `computeKnotInvariant` gives them. */
  readonly polynomial: readonly number[];
  /** Control points of the spline, three coordinates each; the first and the last three lie on the x-axis. */
  readonly shape: readonly number[];
}

/** Every knot that `createKnot` knows. */
export const KNOTS: readonly Knot[] = [
  {
    name: 'overhand',
    title: 'Overhand knot',
    source: 'trefoil 3₁, the torus knot (2, 3): two strands with three half-twists, joined over the top',
    polynomial: [1, -1, 1],
    shape: OVERHAND,
  },
  {
    name: 'figure-eight',
    title: 'Figure-eight knot',
    source: '4₁: a bight whose end goes once around the standing part (two half-twists) and through the bight',
    polynomial: [1, -3, 1],
    shape: FIGURE_EIGHT,
  },
  {
    name: 'double-overhand',
    title: 'Double overhand knot',
    source: 'cinquefoil 5₁, the torus knot (2, 5): two strands with five half-twists, joined over the top',
    polynomial: [1, -1, 1, -1, 1],
    shape: DOUBLE_OVERHAND,
  },
  {
    name: 'stevedore',
    title: 'Stevedore knot',
    source: '6₁: a bight whose end goes twice around the standing part (four half-twists) and through the bight',
    polynomial: [2, -5, 2],
    shape: STEVEDORE,
  },
  {
    name: 'square',
    title: 'Square knot',
    source: '3₁ # mirrored 3₁: two overhand knots of opposite hands, one after the other',
    polynomial: [1, -2, 3, -2, 1],
    shape: joinShapes(OVERHAND, mirrorShape(OVERHAND)),
  },
  {
    name: 'granny',
    title: 'Granny knot',
    source: '3₁ # 3₁: two overhand knots of the same hand, one after the other',
    polynomial: [1, -2, 3, -2, 1],
    shape: joinShapes(OVERHAND, OVERHAND),
  },
  {
    name: 'slip',
    title: 'Slip knot',
    source: 'unknot: an overhand knot with a bight of the end through its loop; pulling the end at +x undoes it',
    polynomial: [1],
    shape: SLIP,
  },
];

export interface KnotOptions {
  /** One of `KNOTS`. */
  readonly name: string;
  /** Of the tube [m]. */
  readonly radius: number;
  /** Size beside the smallest that does not touch; 1 or more, 1 by default. */
  readonly looseness?: number;
  /** Length of each straight end [m]; 0 by default. */
  readonly tailLength?: number;
  readonly segments: number;
  /** The other hand: z is negated. */
  readonly mirrored?: boolean;
}

export interface KnotCurve extends EvenPolyline {
  /** Radius of the sharpest bend of the polyline [m]. */
  readonly bendRadius: number;
  /** Smallest distance of parts of the polyline that are no neighbours (3.3 · radius · looseness along it, or more) [m]. */
  readonly clearance: number;
}

/** Room that is left between tubes, in diameters. */
const SPARE = 0.05;
const SAMPLES_PER_SPAN = 16;

/** The centre line of a knot, about the origin. */
export function createKnot(options: KnotOptions): KnotCurve {
  const { name, radius, looseness = 1, tailLength = 0, segments, mirrored = false } = options;
  const knot = KNOTS.find((candidate) => candidate.name === name);
  if (knot === undefined) {
    const known = KNOTS.map((candidate) => candidate.name);
    throw new RangeError(`createKnot: there is no knot "${name}".${suggest(name, known)}`);
  }
  checkPositive('createKnot', { radius });
  checkSegments('createKnot', segments);
  if (!(looseness >= 1 && looseness < Infinity))
    throw new RangeError(`createKnot: looseness is ${looseness}; give a finite number, 1 or more.`);
  if (!(tailLength >= 0 && tailLength < Infinity))
    throw new RangeError(`createKnot: tailLength is ${tailLength}; give a finite number, 0 or more.`);
  const reach = radius * (1 + SPARE) * looseness;
  const scale = reach / measureReach(knot.shape);
  const shape = (mirrored ? mirrorShape(knot.shape) : knot.shape).map((value) => scale * value);
  const polyline = createEvenPolyline(createTailedSpline(shape, tailLength), countSpans(shape) + 2, segments);
  const clearance = computeSelfClearance(polyline.points, { neighbours: Math.PI * reach });
  // Chords of length h cut a bend of radius R by h²/8R, of both strands; longer than R they are no bend any more.
  const sharpest = 2 * reach;
  if (!(clearance >= 2 * radius && polyline.length / segments <= sharpest)) {
    const longest = Math.min(sharpest, 2 * Math.sqrt(sharpest * (sharpest - 2 * radius)));
    throw new RangeError(
      `createKnot: with ${segments} segments the ${name} knot is so coarse that its tube touches itself; give ${Math.ceil((1.02 * polyline.length) / longest)} or more, or a greater looseness.`,
    );
  }
  return { ...polyline, bendRadius: computeBendRadius(polyline.points), clearance };
}

/** Tail for t in [0, 1], the spline, tail for the last 1; ends run along the x-axis. */
function createTailedSpline(shape: readonly number[], tailLength: number) {
  const spans = countSpans(shape);
  const first = shape[3];
  const last = shape[shape.length - 6];
  return (t: number, out: Float64Array, at: number): void => {
    if (t >= 1 && t <= spans + 1) {
      writeSplinePoint(shape, t - 1, out, at);
      return;
    }
    out[at] = t < 1 ? first - (1 - t) * tailLength : last + (t - 1 - spans) * tailLength;
    out[at + 1] = 0;
    out[at + 2] = 0;
  };
}

/** Radius of the thickest tube, in units of the shape, whose diameter is below all bends' radii and all distances. */
function measureReach(shape: readonly number[]): number {
  const spans = countSpans(shape);
  const count = spans * SAMPLES_PER_SPAN;
  const points = new Float64Array(3 * (count + 1));
  let bend = Infinity;
  for (let i = 0; i <= count; i++) {
    writeSplinePoint(shape, i / SAMPLES_PER_SPAN, points, 3 * i);
    bend = Math.min(bend, computeSplineBendRadius(shape, i / SAMPLES_PER_SPAN));
  }
  const distance = computeSelfClearance(points, { neighbours: (Math.PI * bend) / 2 });
  return Math.min(bend, distance) / 2;
}
