/**
 * Which segments of curves are near each other at the end of a step, or hit on the way there.
 *
 *     near     at the end of the predicted way, closest points and normal as they are then
 *     hit      on the way, nearer than HIT of the smaller of what they were apart at the start and what they keep
 *              (`geometry/ccd.ts`), as they are at that moment
 *
 *     ────a═════════b────      nearly parallel segments touch at both ends of their overlap, so that rods that lie on each other do not
 *       c═══════════d──        rock; and where they are closest, if that is elsewhere
 *
 * What segments keep: r_A + r_B, of one curve min(2 r, s/2), s the material between the closest points, round a loop the shorter
 * way. It grows with s without a jump, and a bend never touches itself: points s apart on an arc of radius R have a distance of
 * 2 R sin(s/2R), for R ≥ r and s ≤ πr no less than 2s/π > s/2, and up to s = 4r, where all of 2r is kept, above it for R > 1.06 r. A
 * loop of radius 2r has 4πr of material, three times that. Segments that share a node are left out. Curves that are joined at a point count as one
 * there: s goes by way of the joint.
 */
import { type ContactPair, createContactPair } from '../contact/index.ts';
import {
  BoxSweep,
  computeRelativeMotion,
  createCcdHit,
  findEdgeEdgeHit,
  writeClosestSegmentSegment,
} from '../geometry/index.ts';
import type { CurveSide } from './curve-side.ts';

/** Distance at which a pair gets a row, relative to that to keep, where it is near in the end; and which share of it is a hit. */
const NEAR = 1.05;
const HIT = 0.97;
/** Of the material between two points of one curve, what they keep at most. */
const SELF_REACH = 0.5;
/** Sine of the angle below which segments count as nearly parallel. */
const PARALLEL = 0.3;
/** Distance of the ends of an overlap over the smallest, relative to that to keep, up to which they say it all. */
const SAME_DISTANCE = 1e-3;
/** Weight below which a closest point is the other end of its segment: rows at one node are then known as one. */
const SNAP = 1e-4;

export type VisitPair = (pair: ContactPair) => void;

/** A point that two sides have in common: labels of their nodes. */
export interface SideJoint {
  readonly first: number;
  readonly second: number;
  readonly labels: readonly [number, number];
}

export class CurveSearch {
  /** Largest distance of a node from where it was predicted, of all that `findHits` saw since `findNear` while that was expected [m]. */
  deviation = 0;
  readonly #sides: readonly CurveSide[];
  readonly #touches: (first: number, second: number) => boolean;
  readonly #joints: readonly SideJoint[];
  readonly #sweep = new BoxSweep();
  readonly #pair = createContactPair();
  readonly #x0 = new Float64Array(12);
  readonly #x1 = new Float64Array(12);
  readonly #hit = createCcdHit();
  readonly #other = createCcdHit();
  /** Pairs that may hit while no point is further than `slack` [m] from where it is expected: sides and segments, and distances at the start [m]. */
  readonly #watched: number[] = [];
  readonly #distances: number[] = [];
  #slack = 0;
  /** Whether ways are still expected to end where `findNear` had them; of each side whether it ends elsewhere. */
  #isPredicted = true;
  readonly #isOff: Uint8Array;
  readonly #expected = new Float64Array(12);
  /** The smaller of the distance of the last pair at the start and that to keep [m]. */
  #allowed = 0;
  #visit: VisitPair = () => {};

  /** `touches`: whether two sides touch each other, or one itself; `joints`: the first side of each comes before the second. */
  constructor(
    sides: readonly CurveSide[],
    touches: (first: number, second: number) => boolean,
    joints: readonly SideJoint[] = [],
  ) {
    this.#sides = sides;
    this.#touches = touches;
    this.#joints = joints;
    this.#isOff = new Uint8Array(sides.length);
  }

  /** Distance to keep where a pair starts no nearer [m]. */
  readonly computeReach = (pair: ContactPair): number => {
    const [a, b] = [this.#sides[pair.first], this.#sides[pair.second]];
    const reach = a.curve.radius + b.curve.radius;
    if (a === b) return Math.min(reach, SELF_REACH * this.#computeMaterial(a, pair));
    return this.#joints.length === 0 ? reach : Math.min(reach, SELF_REACH * this.#computeWayByJoints(pair));
  };

  /** Material between the closest points of a pair of two curves, by the nearest joint; infinite where there is none [m]. */
  #computeWayByJoints({ first, second, points, weights }: ContactPair): number {
    let least = Number.POSITIVE_INFINITY;
    for (const joint of this.#joints) {
      if (Math.min(first, second) !== joint.first || Math.max(first, second) !== joint.second) continue;
      const [one, two] = first === joint.first ? joint.labels : [joint.labels[1], joint.labels[0]];
      least = Math.min(
        least,
        computeWay(this.#sides[first], one, points[0], weights[1]) +
          computeWay(this.#sides[second], two, points[2], weights[3]),
      );
    }
    return least;
  }

  /** Whether two sides have a point in common. */
  #areJoined(first: number, second: number): boolean {
    for (const joint of this.#joints)
      if (Math.min(first, second) === joint.first && Math.max(first, second) === joint.second) return true;
    return false;
  }

  /** Whether segments a and b of two sides meet at a joint. */
  #meetAtJoint(first: number, a: number, second: number, b: number): boolean {
    for (const joint of this.#joints) {
      if (Math.min(first, second) !== joint.first || Math.max(first, second) !== joint.second) continue;
      const [one, two] = first === joint.first ? joint.labels : [joint.labels[1], joint.labels[0]];
      if (hasNode(this.#sides[first], a, one) && hasNode(this.#sides[second], b, two)) return true;
    }
    return false;
  }

  /** Material between the closest points of a pair of one curve [m]. */
  #computeMaterial({ u, curve }: CurveSide, { points, weights }: ContactPair): number {
    let length = 0;
    for (let i = 0; i < 4; i++) length += (i < 2 ? weights[i] : -weights[i]) * u[points[i]];
    length = Math.abs(length);
    return curve.chain.closed ? Math.min(length, curve.chain.period - length) : length;
  }

  /** Visits what is near at the end of the way from x0 to x1, which is expected, or hits before; remembers what may, for ways that end up to `slack` [m] from there. */
  findNear(slack: number, visit: VisitPair): void {
    this.#watched.length = this.#distances.length = 0;
    this.deviation = 0;
    this.#slack = slack;
    this.#isPredicted = true;
    this.#visit = visit;
    this.#isOff.fill(1);
    this.#visitBoxes(NEAR, slack, (first, a, second, b) => this.#considerNear(first, a, second, b));
  }

  /** Visits what hits on the way from x0 to x1. Sides that end elsewhere than expected are searched again, for ways that end up to `slack` [m] from there. */
  findHits(slack: number, visit: VisitPair): void {
    this.#visit = visit;
    const isAnyOff = this.#compareEnds();
    if (isAnyOff) this.#expectOthers(slack);
    const list = this.#watched;
    const { length } = list;
    for (let n = 0; n < length; n += 4)
      this.#considerHit(list[n], list[n + 1], list[n + 2], list[n + 3], this.#distances[n >> 2]);
    if (isAnyOff) this.#visitBoxes(1, this.#slack, (first, a, second, b) => this.#considerFound(first, a, second, b));
  }

  /** Whether there are sides that do not end where they are expected. */
  #compareEnds(): boolean {
    let most = 0;
    for (let n = 0; n < this.#sides.length; n++) {
      const deviation = this.#sides[n].computeDeviation();
      this.#isOff[n] = deviation <= this.#slack ? 0 : 1;
      most = Math.max(most, deviation);
    }
    if (this.#isPredicted) this.deviation = Math.max(this.deviation, most);
    return !(most <= this.#slack);
  }

  /** Expects sides that are off where they are now, all of them where less than `slack` [m] was allowed for; what was known of them is dropped. */
  #expectOthers(slack: number): void {
    const isOff = this.#isOff;
    if (this.#slack < slack) {
      isOff.fill(1);
      this.#slack = slack;
    }
    this.#isPredicted = false;
    for (let n = 0; n < this.#sides.length; n++) if (isOff[n]) this.#sides[n].expectPresent();
    const [list, distances] = [this.#watched, this.#distances];
    let kept = 0;
    for (let n = 0; n < list.length; n += 4) {
      if (isOff[list[n]] || isOff[list[n + 2]]) continue;
      distances[kept >> 2] = distances[n >> 2];
      for (let k = 0; k < 4; k++) list[kept++] = list[n + k];
    }
    list.length = kept;
    distances.length = kept >> 2;
  }

  /** Visits pairs that start nearer than `share` of what they keep, those that coincide, too; x1 is where they start. */
  findOverlaps(share: number, visit: VisitPair): void {
    const pair = this.#pair;
    this.#isOff.fill(1);
    for (const side of this.#sides) side.expectPresent();
    this.#visitBoxes(share, 0, (first, a, second, b) => {
      if (!this.#load(first, a, second, b)) return;
      this.#measureStart();
      if (pair.distance < share * this.computeReach(pair)) visit(pair);
    });
  }

  /** Whether the pair of a hit comes nearer than `share` of what it was apart at the start, or keeps, if that is less. */
  comesNearer(share: number): boolean {
    return findEdgeEdgeHit(this.#x0, this.#x1, share * this.#allowed, this.#other);
  }

  /** Visits segments whose expected ways, widened by `share` of the radius and `slack`, are in boxes that touch, of sides one of which is off. */
  #visitBoxes(
    share: number,
    slack: number,
    visit: (first: number, a: number, second: number, b: number) => void,
  ): void {
    const sides = this.#sides;
    const isOff = this.#isOff;
    const sweep = this.#sweep;
    sweep.resize(sides.length);
    for (let n = 0; n < sides.length; n++) {
      sides[n].updateBoxes(share * sides[n].curve.radius + slack);
      sides[n].boxes.writeBounds(sweep.boxes, 6 * n);
      if (isOff[n] && this.#touches(n, n)) sides[n].boxes.visitOwnPairs((a, b) => visit(n, a, n, b));
    }
    if (sides.length < 2) return;
    sweep.visitPairs((m, n) => {
      if ((isOff[m] || isOff[n]) && this.#touches(m, n))
        sides[m].boxes.visitPairs(sides[n].boxes, (a, b) => visit(m, a, n, b));
    });
  }

  #considerNear(first: number, a: number, second: number, b: number): void {
    if (!this.#load(first, a, second, b) || !this.#measureStart()) return;
    if (!this.#watch(first, a, second, b, NEAR)) return;
    if (this.#isHit()) this.#visitAt(this.#hit.x, NEAR * this.#hit.distance);
    else this.#visitAt(this.#x1, Number.POSITIVE_INFINITY);
  }

  #considerFound(first: number, a: number, second: number, b: number): void {
    if (!this.#load(first, a, second, b) || !this.#measureStart()) return;
    if (this.#watch(first, a, second, b, 1) && this.#isHit()) this.#visitAt(this.#hit.x, NEAR * this.#hit.distance);
  }

  /** Watches the pair from now on, where it can come nearer than `share` of the distance to keep; false where not. */
  #watch(first: number, a: number, second: number, b: number, share: number): boolean {
    const { distance } = this.#pair;
    const [one, two, ends] = [this.#sides[first], this.#sides[second], this.#expected];
    for (let k = 0; k < 6; k++) {
      ends[k] = one.expected[6 * a + k];
      ends[6 + k] = two.expected[6 * b + k];
    }
    const reach = share * (one.curve.radius + two.curve.radius);
    // each side may end further on by the slack; the rest is for rounding
    if (distance > 1.001 * (computeRelativeMotion(this.#x0, ends, 2) + reach + 4 * this.#slack)) return false;
    this.#watched.push(first, a, second, b);
    this.#distances.push(distance);
    return true;
  }

  /** `distance`: at the start [m]. */
  #considerHit(first: number, a: number, second: number, b: number, distance: number): void {
    if (!this.#load(first, a, second, b)) return;
    // places at the start are asked for only where they say how much material is between
    if (first === second || this.#joints.length > 0) this.#measureStart();
    else this.#pair.distance = distance;
    if (this.#isHit()) this.#visitAt(this.#hit.x, NEAR * this.#hit.distance);
  }

  /** Whether the pair comes nearer than it may on its way. */
  #isHit(): boolean {
    const pair = this.#pair;
    this.#allowed = Math.min(pair.distance, this.computeReach(pair));
    if (!findEdgeEdgeHit(this.#x0, this.#x1, HIT * this.#allowed, this.#hit, pair.distance)) return false;
    if (pair.first !== pair.second && !this.#areJoined(pair.first, pair.second)) return true;
    // another place of the two segments, with less material between: a bend
    pair.weights.set(this.#hit.weights);
    return this.#hit.distance <= NEAR * HIT * this.computeReach(pair);
  }

  /** Visits the places where the pair touches with its ends at x, no further apart than `most` and near enough for rows. */
  #visitAt(x: Float64Array, most: number): void {
    const pair = this.#pair;
    const { weights } = pair;
    const closest = Math.sqrt(writeClosestSegmentSegment(x, weights));
    let [ends, nearest] = [0, Number.POSITIVE_INFINITY];
    if (this.#isParallel(x)) {
      for (let end = 0; end < 4; end++) {
        if (!this.#writeOverlapEnd(x, end)) continue;
        ends++;
        nearest = Math.min(nearest, this.#visitPlace(x, most));
      }
      writeClosestSegmentSegment(x, weights);
    }
    const keep = this.#sides[pair.first].curve.radius + this.#sides[pair.second].curve.radius;
    if (ends < 2 || nearest > closest + SAME_DISTANCE * keep) this.#visitPlace(x, most);
  }

  /** Visits the pair with the weights that it has; returns its distance. */
  #visitPlace(x: Float64Array, most: number): number {
    const pair = this.#pair;
    for (let i = 0; i < 4; i++) if (pair.weights[i] < SNAP) [pair.weights[i], pair.weights[i ^ 1]] = [0, 1];
    pair.end = this.#writeNormal(x);
    if (!(pair.end > 0 && pair.end <= most && pair.end < NEAR * this.computeReach(pair))) return pair.end;
    // what starts too near here is brought apart slowly; what only slid here from elsewhere may have been as near there
    pair.gap = Math.max(pair.distance, this.#computeAlong(this.#x0));
    this.#visit(pair);
    return pair.end;
  }

  /** Component along the normal of what lies between the places of the pair with its ends at x [m]. */
  #computeAlong(x: Float64Array): number {
    const { weights, normal } = this.#pair;
    let along = 0;
    for (let i = 0; i < 4; i++)
      for (let k = 0; k < 3; k++) along += (i < 2 ? weights[i] : -weights[i]) * normal[k] * x[3 * i + k];
    return along;
  }

  #isParallel(x: Float64Array): boolean {
    const [ux, uy, uz] = [x[3] - x[0], x[4] - x[1], x[5] - x[2]];
    const [vx, vy, vz] = [x[9] - x[6], x[10] - x[7], x[11] - x[8]];
    const cross = (uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2;
    return cross < PARALLEL ** 2 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz);
  }

  /** Weights for the `end`-th end of both segments and its foot on the other; false where that is beyond it. */
  #writeOverlapEnd(x: Float64Array, end: number): boolean {
    const { weights } = this.#pair;
    const other = end < 2 ? 6 : 0;
    let [along, square] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const d = x[other + 3 + k] - x[other + k];
      along += d * (x[3 * end + k] - x[other + k]);
      square += d * d;
    }
    const foot = along / square;
    if (!(foot > -SNAP && foot < 1 + SNAP)) return false;
    const [own, far] = end < 2 ? [0, 2] : [2, 0];
    weights[own] = end & 1 ? 0 : 1;
    weights[own + 1] = end & 1;
    weights[far + 1] = Math.min(1, Math.max(0, foot));
    weights[far] = 1 - weights[far + 1];
    return true;
  }

  /** Ends of two segments; false for neighbours, and where nothing can move. */
  #load(first: number, a: number, second: number, b: number): boolean {
    const [one, two] = [this.#sides[first], this.#sides[second]];
    if (first === second ? areNeighbours(one, a, b) : this.#meetAtJoint(first, a, second, b)) return false;
    if (!(one.isMovable(a) || two.isMovable(b))) return false;
    const pair = this.#pair;
    pair.first = first;
    pair.second = second;
    pair.isEdges = true;
    pair.points[0] = 2 * a;
    pair.points[1] = 2 * a + 1;
    pair.points[2] = 2 * b;
    pair.points[3] = 2 * b + 1;
    for (let k = 0; k < 6; k++) {
      this.#x0[k] = one.x0[6 * a + k];
      this.#x1[k] = one.x1[6 * a + k];
      this.#x0[6 + k] = two.x0[6 * b + k];
      this.#x1[6 + k] = two.x1[6 * b + k];
    }
    return true;
  }

  /** Distance and closest points at the start; false where these coincide: which side is which nobody knows. */
  #measureStart(): boolean {
    this.#pair.distance = Math.sqrt(writeClosestSegmentSegment(this.#x0, this.#pair.weights));
    return this.#pair.distance > 0;
  }

  /** Normal of the pair with the weights that it has and its ends at x; returns the distance. */
  #writeNormal(x: Float64Array): number {
    const { weights, normal } = this.#pair;
    normal.fill(0);
    for (let i = 0; i < 4; i++)
      for (let k = 0; k < 3; k++) normal[k] += (i < 2 ? weights[i] : -weights[i]) * x[3 * i + k];
    const distance = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
    if (distance > 0) for (let k = 0; k < 3; k++) normal[k] /= distance;
    return distance;
  }
}

/** Whether two segments of a curve share a node. */
function areNeighbours({ segments, curve }: CurveSide, a: number, b: number): boolean {
  const apart = Math.abs(a - b);
  return apart <= 1 || (curve.chain.closed && apart === segments - 1);
}

/** Whether a node is an end of a segment. */
const hasNode = (side: CurveSide, segment: number, label: number): boolean =>
  side.labelOf(2 * segment) === label || side.labelOf(2 * segment + 1) === label;

/** Material between a node and the place at share t of the segment that begins with `point` [m]; infinite where there is no such node now. */
function computeWay({ curve, u }: CurveSide, label: number, point: number, t: number): number {
  const { chain } = curve;
  const i = curve.indexOf(label);
  if (i < 0) return Number.POSITIVE_INFINITY;
  const way = Math.abs(u[point] + t * (u[point + 1] - u[point]) - chain.q[4 * i + 3]);
  return chain.closed ? Math.min(way, chain.period - way) : way;
}
