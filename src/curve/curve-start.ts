/**
 * Whether curves start outside bodies, apart from each other and from themselves. Contacts keep the side on which things start: what starts
 * on the wrong one stays there, or is driven through.
 *
 * Up to half a radius is put right in the first steps (`RECOVERY` of body-contacts.ts, `keep` of curve-contacts.ts) and no fault: that is more than
 * rounding, and what the chords of a polyline cut off that is laid round a body or another curve, 1 − cos(π/n) of its radius with n chords a turn.
 * From a place that is held a curve may lead out of a body, as a wire that hangs from a ceiling.
 */
import { Placement } from '../contact/index.ts';
import type { CurveObstacle } from './body-obstacle.ts';
import { CurveSearch } from './curve-search.ts';
import { CurveSide } from './curve-side.ts';
import type { TouchingCurve } from './touching-curve.ts';

/** Share of a curve's radius, or of the distance that two keep, that may lie inside at the start. */
const MOST_INSIDE = 0.5;

export interface BodyStartFault {
  readonly body: string;
  /** World position of what lies deepest [m]. */
  readonly place: Float64Array;
  /** Depth in the body grown by the curve's radius, and how much may be [m]. */
  readonly depth: number;
  readonly most: number;
}

export interface CurveStartFault {
  readonly first: TouchingCurve;
  /** The same as the first where a curve goes through itself. */
  readonly second: TouchingCurve;
  /** World position on the first [m]. */
  readonly place: Float64Array;
  /** Distance of the centre lines, and the least that it may be [m]. */
  readonly distance: number;
  readonly least: number;
}

/** Where a curve starts deepest in a body; undefined where it starts outside all of them. `facets` are those of the grown body. */
export function findBodyStartFault(
  { chain, radius }: TouchingCurve,
  obstacles: readonly Required<CurveObstacle>[],
  isHeld: (label: number) => boolean,
): BodyStartFault | undefined {
  const { q, count, label } = chain;
  const most = MOST_INSIDE * radius;
  const local = new Float64Array(3 * count);
  const placement = new Placement();
  let fault: BodyStartFault | undefined;
  for (const { body, facets } of obstacles) {
    placement.read(body);
    for (let i = 0; i < count; i++) placement.writeLocal(q, 4 * i, local, 3 * i);
    const at = (i: number): Float64Array => local.subarray(3 * i, 3 * i + 3);
    const depthOf = (x: Float64Array): number => facets.computeDepth(x[0], x[1], x[2]);
    /** Whether the way from node i over node i + step leads out. */
    const isOut = new Uint8Array(count);
    for (let i = 0; i < count; i++)
      if (isHeld(label[i]))
        for (const step of [-1, 1])
          for (let a = i; a + step >= 0 && a + step < count; a += step) {
            if (!(depthOf(at(a + step)) < depthOf(at(a)))) break;
            isOut[Math.min(a, a + step)] = 1;
          }
    for (let e = 0; e + 1 < count; e++) {
      const depth = facets.computeSegmentDepth(at(e), at(e + 1));
      if (isOut[e] || !(depth > (fault?.depth ?? most))) continue;
      const middle = at(e).map((value, k) => 0.5 * (value + at(e + 1)[k]));
      const deepest = [middle, at(e), at(e + 1)].reduce((a, b) => (depthOf(b) > depthOf(a) ? b : a));
      const place = new Float64Array(3);
      placement.writeWorld(deepest, 0, place, 0);
      fault = { body: body.id, place, depth, most };
    }
  }
  return fault;
}

/** Where two curves, or two parts of one, start deepest in each other; undefined where all start apart. `touches`: whether two touch each other, or one itself. */
export function findCurveStartFault(
  curves: readonly TouchingCurve[],
  touches: (one: TouchingCurve, other: TouchingCurve) => boolean,
): CurveStartFault | undefined {
  const sides = curves.map((curve) => new CurveSide(curve, -1));
  for (const side of sides) {
    side.beginStep();
    side.writePresent();
  }
  const search = new CurveSearch(sides, (first, second) => touches(curves[first], curves[second]));
  let fault: CurveStartFault | undefined;
  search.findOverlaps(MOST_INSIDE, (pair) => {
    const { first, second, points, weights, distance } = pair;
    const least = MOST_INSIDE * search.computeReach(pair);
    if (fault !== undefined && distance / least >= fault.distance / fault.least) return;
    const place = new Float64Array(3);
    for (let i = 0; i < 2; i++) for (let k = 0; k < 3; k++) place[k] += weights[i] * sides[first].x0[3 * points[i] + k];
    fault = { first: curves[first], second: curves[second], place, distance, least };
  });
  return fault;
}
