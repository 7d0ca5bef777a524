/**
 * What a step from its start to the present lacks contacts for: nodes that went into a body or through it, segments that went through an
 * edge or into a round body. Nodes and bodies move straight in the body's frame, so nothing is too fast to be seen.
 *
 * Nodes beside round bodies stand off so that the segments between them do not cut in (`contact/facet-round.ts`), by what
 * segments of R/2 need; longer ones touch by themselves.
 */
import { createEdgeHit } from '../contact/index.ts';
import { CANCEL_POSITION } from '../model/index.ts';
import { ACROSS_EDGE, BESIDE_ROUND, type BodyContact, ON_FACE, ON_ROUND } from './body-contact.ts';
import type { BodyContactSet } from './body-contact-set.ts';
import type { BodyObstacle } from './body-obstacle.ts';
import { createSegmentPlace, findRoundEntry, measureOnEdge, measureOnRound, type SegmentPlace } from './body-place.ts';
import { ClearBalls } from './clear-balls.ts';
import type { TouchingCurve } from './touching-curve.ts';

/** Edges that one segment may touch. */
const MOST_EDGES = 8;
/** Longest half segment that nodes stand off for, relative to R; by how much it may stretch in a step. */
const HALF = 0.25;
const GIVE = 0.01;
/** Share of what it lacks by which a node that is too near to a round body moves out in a step. */
const EASE = 0.1;
/** Distance from a rim at which a segment meets it, relative to its length: what cuts into a mantle has others for its nearest edge. */
const MET = 0.05;
/** How much deeper than it is a segment may seem to start under an edge, relative to the body's tolerance. */
const ASTRAY = 1e3;
/** By how much deeper than it started a segment may end, relative to the body's tolerance: a millionth of its size. */
const SUNK = 1e3;

export class BodySearch {
  readonly #curve: TouchingCurve;
  readonly #obstacles: readonly BodyObstacle[];
  readonly #set: BodyContactSet;
  /** Of bodies that are not convex: what is known to be clear of them, about nodes and about segments. */
  readonly #clearNodes: readonly (ClearBalls | undefined)[];
  readonly #clearSegments: readonly (ClearBalls | undefined)[];
  readonly #clearPieces: readonly (ClearBalls | undefined)[];
  #local0 = new Float64Array(0);
  #local1 = new Float64Array(0);
  readonly #low = new Float64Array(3);
  readonly #high = new Float64Array(3);
  readonly #skip = new Int32Array(MOST_EDGES + 2);
  readonly #hit = createEdgeHit();
  readonly #place = createSegmentPlace();
  readonly #ends = Array.from({ length: 4 }, () => new Float64Array(3));
  readonly #met = [new Float64Array(3), new Float64Array(3)] as const;
  readonly #plane = new Float64Array(4);
  constructor(curve: TouchingCurve, obstacles: readonly BodyObstacle[], set: BodyContactSet) {
    this.#curve = curve;
    this.#obstacles = obstacles;
    this.#set = set;
    const createBalls = ({ facets }: BodyObstacle) => (facets.isConvex ? undefined : new ClearBalls(facets));
    this.#clearNodes = obstacles.map(createBalls);
    this.#clearSegments = obstacles.map(createBalls);
    this.#clearPieces = obstacles.map(createBalls);
  }

  /** Opens contacts for what is missing and gives them to `take`, with whether it was outside before. */
  search(take: (contact: BodyContact, wasOutside: boolean) => void): void {
    this.#writeBox();
    for (let b = 0; b < this.#obstacles.length; b++) {
      if (!this.#obstacles[b].isNear(this.#low, this.#high)) continue;
      this.#writeLocals(b);
      const before = this.#set.count;
      this.#searchNodes(b, take);
      // nodes that stand off may see to the segments between them
      this.#searchSegments(b, this.#set.count === before, take);
    }
  }

  /** Whether a segment is deeper in a body than it started, for whatever reason; `most`: what it may be [m]. */
  isSunk(most: number): boolean {
    this.#writeBox();
    for (let b = 0; b < this.#obstacles.length; b++) {
      if (!this.#obstacles[b].isNear(this.#low, this.#high)) continue;
      this.#writeLocals(b);
      const { facets, tolerance } = this.#obstacles[b];
      const limit = SUNK * tolerance + most;
      for (let e = 0; e + 1 < this.#curve.chain.count; e++) {
        if (!this.#comesNear(b, e)) continue;
        const [a0, b0, a1, b1] = this.#ends;
        const depth = facets.computeSegmentDepth(a1, b1, limit);
        if (depth > limit && depth - facets.computeSegmentDepth(a0, b0) > limit) return true;
      }
    }
    return false;
  }

  /** Whether segment e may meet body b on its way, which is then in `#ends`. */
  #comesNear(b: number, e: number): boolean {
    if (this.#isApart(this.#obstacles[b].facets.bounds, 3 * e)) return false;
    if (this.#clearSegments[b]?.holds(e, this.#local0, this.#local1, 3 * e, 6)) return false;
    if (this.#clearPieces[b]?.holdsPieces(e, this.#local0, this.#local1, 3 * e)) return false;
    for (let n = 0; n < 4; n++) {
      const from = n < 2 ? this.#local0 : this.#local1;
      for (let k = 0; k < 3; k++) this.#ends[n][k] = from[3 * (e + (n & 1)) + k];
    }
    return true;
  }

  /** Box of the way of the whole curve. */
  #writeBox(): void {
    const { q, qStart, count } = this.#curve.chain;
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let at = k; at < 4 * count; at += 4) {
        low = Math.min(low, q[at], qStart[at]);
        high = Math.max(high, q[at], qStart[at]);
      }
      this.#low[k] = low;
      this.#high[k] = high;
    }
  }

  #writeLocals(b: number): void {
    const { q, qStart, label, count } = this.#curve.chain;
    const { start, now } = this.#obstacles[b];
    if (this.#local0.length < 3 * count) {
      this.#local0 = new Float64Array(3 * label.length);
      this.#local1 = new Float64Array(3 * label.length);
    }
    for (let i = 0; i < count; i++) {
      start.writeLocal(qStart, 4 * i, this.#local0, 3 * i);
      now.writeLocal(q, 4 * i, this.#local1, 3 * i);
    }
  }

  #searchNodes(b: number, take: (contact: BodyContact, wasOutside: boolean) => void): void {
    const { cancelled, label, ownCount } = this.#curve.chain;
    const { facets, tolerance } = this.#obstacles[b];
    for (let i = 0; i < ownCount; i++) {
      if ((cancelled[i] & CANCEL_POSITION) === CANCEL_POSITION) continue;
      const clear = this.#clearNodes[b];
      if (clear?.holds(i, this.#local0, this.#local1, 3 * i, 3)) continue;
      const face = facets.findFace(this.#local0, 3 * i, this.#local1, 3 * i, tolerance, clear?.depthOf(i));
      // the mantle of a cylinder counts, not the faces of the prism round it
      if (facets.round && !(face >= 0 && facets.faceNormal[3 * face + 1] !== 0)) {
        const contact = this.#meetRound(b, i);
        if (contact) take(contact, true);
        continue;
      }
      if (face < 0 || this.#isOnEdgeOf(b, label[i], face)) continue;
      const contact = this.#set.open(ON_FACE, b, face, label[i], -1);
      if (contact === undefined) continue;
      contact.i = i;
      contact.j = -1;
      this.writeFace(b, contact);
      take(contact, true);
    }
  }

  /** Whether a node slides on an edge of that face: it has the face's row then. */
  #isOnEdgeOf(b: number, label: number, face: number): boolean {
    const edge = this.#set.findEdgeOf(b, label);
    const { edgeFaceA, edgeFaceB } = this.#obstacles[b].facets;
    return edge >= 0 && (edgeFaceA[edge] === face || edgeFaceB[edge] === face);
  }

  writeFace(b: number, contact: BodyContact): void {
    const { faceNormal, faceOffset } = this.#obstacles[b].facets;
    for (let k = 0; k < 3; k++) contact.plane[k] = faceNormal[3 * contact.feature + k];
    contact.plane[3] = faceOffset[contact.feature];
  }

  /** A contact of node i with round body b, where it comes nearer on its way than it may. */
  #meetRound(b: number, i: number): BodyContact | undefined {
    const { facets, tolerance } = this.#obstacles[b];
    const [round, p0, p1, at] = [facets.round!, this.#local0, this.#local1, 3 * i];
    const full = round.computeStandOff(this.#computeHalf(b, i));
    const reach = round.easeOut(round.computeDistance(p0[at], p0[at + 1], p0[at + 2]), full, EASE);
    const s = round.findEntry(p0, at, p1, at, reach, tolerance);
    if (s < 0 || Math.abs(p0[at + 1] + s * (p1[at + 1] - p0[at + 1])) >= round.top) return undefined;
    const contact = this.#set.open(ON_ROUND, b, 0, this.#curve.chain.label[i], -1);
    if (contact === undefined) return undefined;
    contact.i = i;
    contact.j = -1;
    for (let k = 0; k < 3; k++) this.#plane[k] = p0[at + k] + s * (p1[at + k] - p0[at + k]);
    this.#setRound(b, contact, reach);
    return contact;
  }

  /** Gives a contact the plane of the point in #plane. */
  #setRound(b: number, contact: BodyContact, reach: number): void {
    this.#obstacles[b].facets.round!.writePlane(this.#plane, 0, reach, contact.plane, 0);
  }

  /** Before a step: the plane of a node's contact with a round body follows the node; false where it is off or further than `near` [m]. */
  followRound(contact: BodyContact, near: number): boolean {
    const { start, facets } = this.#obstacles[contact.body];
    const [round, p] = [facets.round!, this.#plane];
    start.writeLocal(this.#curve.chain.q, 4 * contact.i, p, 0);
    const d = round.computeDistance(p[0], p[1], p[2]);
    const full = round.computeStandOff(this.#computeHalf(contact.body, contact.i));
    if (Math.abs(p[1]) >= round.top || d > full + near) return false;
    this.#setRound(contact.body, contact, round.easeOut(d, full, EASE));
    return true;
  }

  /** Half the longer segment of node i, across the axis of a mantle [m]. */
  #computeHalf(b: number, i: number): number {
    const { start, facets } = this.#obstacles[b];
    const { qStart: q, count, closed } = this.#curve.chain;
    const round = facets.round!;
    let longest = 0;
    for (let side = i - 1; side <= i; side++) {
      const a = closed && side < 0 ? count - 2 : side;
      if (a < 0 || a > count - 2) continue;
      let [square, along] = [0, 0];
      for (let k = 0; k < 3; k++) {
        const d = q[4 * a + 4 + k] - q[4 * a + k];
        square += d * d;
        along += d * start.R[3 * k + 1];
      }
      longest = Math.max(longest, round.isMantle ? square - along * along : square);
    }
    return Math.min(HALF * round.radius, 0.5 * (1 + GIVE) * Math.sqrt(Math.max(0, longest)));
  }

  #searchSegments(b: number, looksBeside: boolean, take: (contact: BodyContact, wasOutside: boolean) => void): void {
    const { count } = this.#curve.chain;
    const { facets } = this.#obstacles[b];
    if (facets.edgeCount === 0 && !facets.round) return;
    for (let e = 0; e + 1 < count; e++) {
      if (!this.#comesNear(b, e)) continue;
      if (facets.edgeCount > 0) this.#searchEdges(b, e, take);
      if (facets.round && looksBeside) {
        const contact = this.#meetBeside(b, e);
        if (contact) take(contact, true);
      }
    }
  }

  #searchEdges(b: number, e: number, take: (contact: BodyContact, wasOutside: boolean) => void): void {
    const { label } = this.#curve.chain;
    const { facets, tolerance } = this.#obstacles[b];
    let skipped = 0;
    for (let i = e; i <= e + 1; i++) {
      const edge = this.#set.findPushedEdgeOf(b, label[i]);
      if (edge >= 0) this.#skip[skipped++] = edge;
    }
    const [a0, b0, a1, b1] = this.#ends;
    for (let tries = 0; tries < MOST_EDGES; tries++) {
      const edge = facets.findEdge(a0, b0, a1, b1, tolerance, this.#skip, skipped, this.#hit);
      if (edge < 0) return;
      this.#skip[skipped++] = edge;
      if ((facets.round && !this.#isMet(b)) || this.#isAstray(b, edge)) continue;
      const contact = this.#set.open(ACROSS_EDGE, b, edge, label[e], label[e + 1]);
      if (contact === undefined) continue;
      contact.i = e;
      contact.j = e + 1;
      this.#setMet(this.#hit.time);
      if (measureOnEdge(facets, edge, this.#met[0], this.#met[1], this.#place)) this.setSegment(contact, this.#place);
      else this.#setNearest(b, contact);
      take(contact, this.#hit.time > 0);
    }
  }

  /**
   * Whether an edge is one that the segment did not come over: it is only the nearest to where a try that went astray left it, maybe
   * on the far side of the body. What is at the edge now was over one of its faces then, before the edge or on it.
   */
  #isAstray(b: number, edge: number): boolean {
    if (this.#hit.time > 0) return false;
    const { facets, tolerance } = this.#obstacles[b];
    const { edgeStart: p, edgeNormalA: A, edgeNormalB: B } = facets;
    const [a0, b0, a1, b1] = this.#ends;
    if (!measureOnEdge(facets, edge, a1, b1, this.#place)) return true;
    const { share } = this.#place;
    let [overA, overB] = [0, 0];
    for (let k = 0, o = 3 * edge; k < 3; k++, o++) {
      const from = (1 - share) * a0[k] + share * b0[k] - p[o];
      overA += A[o] * from;
      overB += B[o] * from;
    }
    return Math.max(overA, overB) < -facets.computeSegmentDepth(a0, b0) - ASTRAY * tolerance;
  }

  /** The segment at a time of its way. */
  #setMet(time: number): void {
    const [a0, b0, a1, b1] = this.#ends;
    for (let k = 0; k < 3; k++) {
      this.#met[0][k] = a0[k] + time * (a1[k] - a0[k]);
      this.#met[1][k] = b0[k] + time * (b1[k] - b0[k]);
    }
  }

  /** The bisector of the edge that was hit, where the segment cannot rest on it in the moment of the hit. */
  #setNearest(b: number, contact: BodyContact): void {
    const { edgeNormalA: A, edgeNormalB: B, edgeStart } = this.#obstacles[b].facets;
    const [o, { plane }] = [3 * contact.feature, contact];
    let size = 0;
    for (let k = 0; k < 3; k++) {
      plane[k] = A[o + k] + B[o + k];
      size += plane[k] ** 2;
    }
    plane[3] = 0;
    for (let k = 0; k < 3; k++) {
      plane[k] /= Math.sqrt(size);
      plane[3] += plane[k] * edgeStart[o + k];
    }
    contact.share = this.#hit.segment;
  }

  setSegment(contact: BodyContact, { share, plane }: SegmentPlace): void {
    contact.share = share;
    for (let k = 0; k < 4; k++) contact.plane[k] = plane[k];
  }

  /** Whether the segment really comes to the rim that was found for it. */
  #isMet(b: number): boolean {
    const { edgeStart, edgeEnd } = this.#obstacles[b].facets;
    const { edge, segment, along, time } = this.#hit;
    this.#setMet(time);
    let [distance, length] = [0, 0];
    for (let k = 3 * edge, c = 0; c < 3; k++, c++) {
      const d = this.#met[1][c] - this.#met[0][c];
      distance += (this.#met[0][c] + segment * d - edgeStart[k] - along * (edgeEnd[k] - edgeStart[k])) ** 2;
      length += d * d;
    }
    return distance <= MET * MET * length;
  }

  /** A contact of segment e with round body b, where it comes into it on its way. */
  #meetBeside(b: number, e: number): BodyContact | undefined {
    const { facets, tolerance } = this.#obstacles[b];
    const { label } = this.#curve.chain;
    const round = facets.round!;
    if (findRoundEntry(round, this.#ends, tolerance, this.#met) < 0) return undefined;
    if (!measureOnRound(round, this.#met[0], this.#met[1], this.#place)) return undefined;
    const contact = this.#set.open(BESIDE_ROUND, b, 0, label[e], label[e + 1]);
    if (contact === undefined) return undefined;
    contact.i = e;
    contact.j = e + 1;
    this.setSegment(contact, this.#place);
    return contact;
  }

  /**
   * Measures the segment of a contact anew, at the start of the step or as it is now, into `place`; false where it is not at its edge or
   * beside its round body any more.
   */
  measure(contact: BodyContact, isStart: boolean): boolean {
    const { start, now, facets } = this.#obstacles[contact.body];
    const { q, qStart } = this.#curve.chain;
    const [a, b] = this.#met;
    const [placement, from] = isStart ? [start, qStart] : [now, q];
    placement.writeLocal(from, 4 * contact.i, a, 0);
    placement.writeLocal(from, 4 * contact.j, b, 0);
    if (contact.kind === BESIDE_ROUND) return measureOnRound(facets.round!, a, b, this.#place);
    return measureOnEdge(facets, contact.feature, a, b, this.#place);
  }

  /** What `measure` found. */
  get place(): SegmentPlace {
    return this.#place;
  }

  /** Whether the way of a segment, two points from `at` on, misses the bounds. */
  #isApart(bounds: Float64Array, at: number): boolean {
    const [p, r] = [this.#local0, this.#local1];
    for (let k = 0; k < 3; k++) {
      const i = at + k;
      if (
        Math.min(p[i], p[i + 3], r[i], r[i + 3]) > bounds[3 + k] ||
        Math.max(p[i], p[i + 3], r[i], r[i + 3]) < bounds[k]
      )
        return true;
    }
    return false;
  }
}
