/**
 * Looks for segments that went through an edge of a body during a step, and asks for what keeps them outside: an E-node on
 * the segment. Very near a free end of the strand that would be a segment of no length: there the end itself is lifted.
 *
 * A strand that runs so fast that its edge would have to hold it, ρA v² > T, flies over the edge. Its E-node has become an
 * L-node, which moves on from the edge and would draw the segment behind it through. Until it is far enough away for an
 * E-node in between, it is kept above the plane through the edge and the other node of that segment, by a push, never a pull:
 *
 *     L─────────────╴▸L        the upper side, drawn on beyond the edge
 *     ▓▓▓▓▓▓▓▓▓▓▓▓ ╲
 */
import { createEdgeHit, type FacetBody } from '../contact/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { StrandState } from './state.ts';
import type { StrandTouch } from './touch.ts';

/** Where the strand's free end is nearer to an edge than this, relative to the spacing, the end is lifted over it. */
const TIP = 0.02;
/** How often it is lifted in a step. */
const MOST_LIFTS = 8;
/** Places of a segment at which its depth is looked at. */
const LOOKS = 32;

/** A node that came off an edge and is nearer than this to the place where the strand goes through it, relative to the spacing. */
const FLYING = 0.3;
/** Distance from a rim at which a segment meets it, relative to its length. */
const MET = 0.05;
/** 1 − cosine of the angle between planes that count as one. */
const SAME_PLANE = 1e-4;

/** A plane asked for, that a node which came off an edge is kept above; in the body's frame. */
export interface PlaneRequest {
  readonly label: number;
  readonly body: number;
  readonly normal: readonly [number, number, number];
  readonly offset: number;
}

/** An E-node asked for: at the material coordinate u, on an edge of a body. */
export interface EdgeRequest {
  readonly u: number;
  readonly body: number;
  readonly edge: number;
  /** How far from the edge that place of the strand came to lie without it [m]. */
  readonly way: number;
}

/** How many spacings apart two places of a strand may be at which it goes through an edge that are one passage. */
const SAME_PASSAGE = 1;

export class TouchSearch {
  edges: EdgeRequest[] = [];
  /** The requests that became E-nodes in this try, and the nodes' labels. */
  readonly #met: { readonly request: EdgeRequest; readonly label: number }[] = [];
  /** Requests taken back in this step: what is asked for again stays. */
  #withdrawn: EdgeRequest[] = [];
  planes: PlaneRequest[] = [];
  /** Whether planes may be asked for: not in a step that did not succeed with them. */
  usesPlanes = true;
  #local0 = new Float64Array(0);
  #local1 = new Float64Array(0);
  readonly #skip = new Int32Array(2);
  readonly #hit = createEdgeHit();
  readonly #normal = new Float64Array(3);
  readonly #ends = [0, 1, 2, 3].map(() => new Float64Array(3));

  clear(): void {
    this.edges = [];
    this.planes = [];
    this.#withdrawn = [];
  }

  /** Before requests become E-nodes, and each one that did. */
  beginMeeting(): void {
    this.#met.length = 0;
  }

  meet(request: EdgeRequest, label: number): void {
    this.#met.push({ request, label });
  }

  /** Whether a node stands for a request of this try. */
  isMet(label: number): boolean {
    return this.#met.some((one) => one.label === label);
  }

  /**
   * Takes back the requests whose edges pulled the strand to themselves: what a try went through that other E-nodes had thrown
   * about. Each once, and only on bodies that forces move: there the pull would be work. True when there was one.
   */
  withdraw(state: StrandState, touch: StrandTouch): boolean {
    let isAny = false;
    for (const { request, label } of this.#met) {
      if (!touch.isDynamic(request.body)) continue;
      if (!touch.isPulled(state, label) || this.#withdrawn.some((other) => isSamePassage(state, label, request, other)))
        continue;
      this.#withdrawn.push(request);
      this.edges = this.edges.filter((other) => other !== request);
      isAny = true;
    }
    return isAny;
  }

  /** Asks for what the step from the start poses to the present ones lacks; true when it found anything. */
  search(state: StrandState, touch: StrandTouch): boolean {
    const before = this.edges.length + this.planes.length;
    for (let b = 0; b < touch.bodies.length; b++)
      if (touch.near[b] && touch.facets[b].edgeCount > 0) this.#searchBody(state, touch, b);
    return this.edges.length + this.planes.length > before;
  }

  #searchBody(state: StrandState, touch: StrandTouch, b: number): void {
    const { q, qStart, label, count } = state.chain;
    const facets = touch.facets[b];
    if (this.#local0.length < 3 * count) {
      this.#local0 = new Float64Array(3 * label.length);
      this.#local1 = new Float64Array(3 * label.length);
    }
    const [p0, p1] = [this.#local0, this.#local1];
    for (let i = 0; i < count; i++) {
      touch.start[b].writeLocal(qStart, 4 * i, p0, 3 * i);
      touch.now[b].writeLocal(q, 4 * i, p1, 3 * i);
    }
    const [a0, b0, a1, b1] = this.#ends;
    const tolerance = touch.toleranceOf(b, state);
    for (let e = 0; e + 1 < count; e++) {
      if (isApart(facets.bounds, p0, p1, 3 * e)) continue;
      let skipped = 0;
      for (let i = e; i <= e + 1; i++) {
        const edge = touch.findEdgeOf(state, label[i], b);
        if (edge >= 0) this.#skip[skipped++] = edge;
      }
      for (let lifts = 0; lifts <= MOST_LIFTS; lifts++) {
        for (let k = 0; k < 3; k++) {
          a0[k] = p0[3 * e + k];
          b0[k] = p0[3 * e + 3 + k];
          a1[k] = p1[3 * e + k];
          b1[k] = p1[3 * e + 3 + k];
        }
        let edge = facets.findEdge(a0, b0, a1, b1, tolerance, this.#skip, skipped, this.#hit);
        // what lies beside a mantle, and not on an end, is no edge's
        const height = Math.max(Math.abs(a1[1]), Math.abs(b1[1]));
        const isBeside = facets.round && height < facets.round.top - 2 * tolerance;
        if (edge >= 0 && isBeside && !this.#isMet(facets, edge)) edge = -1;
        if (edge < 0 && !isBeside && (skipped > 0 || touch.isTouching(label[e]) || touch.isTouching(label[e + 1])))
          edge = this.#findSunk(state, e, facets, tolerance, skipped, lifts < MOST_LIFTS);
        if (edge < 0 || !this.#ask(state, touch, e, b, edge, lifts < MOST_LIFTS)) break;
      }
    }
  }

  /** Whether the segment really comes to a rim found for it: what cuts into the mantle has others for its nearest edge. */
  #isMet(facets: FacetBody, edge: number): boolean {
    const [a0, b0, a1, b1] = this.#ends;
    const { time, segment } = this.#hit;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const [a, b] = [a0[k] + time * (a1[k] - a0[k]), b0[k] + time * (b1[k] - b0[k])];
      this.#normal[k] = a + segment * (b - a);
      square += (b - a) ** 2;
    }
    return computeEdgeDistance(facets, edge, this.#normal) <= MET * Math.sqrt(square);
  }

  /**
   * A segment that starts on a face, or on an edge near a corner, may dip below an edge from their common end on: no crossing
   * tells. Where its inside is deeper than its ends, the edge nearest to the deepest place holds it there.
   */
  #findSunk(
    state: StrandState,
    e: number,
    facets: FacetBody,
    tolerance: number,
    skipped: number,
    mayLift: boolean,
  ): number {
    const [, , from, to] = this.#ends;
    if (facets.computeSegmentDepth(from, to) <= tolerance) return -1;
    const [p, hit] = [this.#normal, this.#hit];
    hit.depth = tolerance;
    hit.segment = -1;
    for (let n = 1; n < LOOKS; n++) {
      const s = n / LOOKS;
      for (let k = 0; k < 3; k++) p[k] = from[k] + s * (to[k] - from[k]);
      const depth = facets.computeDepth(p[0], p[1], p[2]);
      if (depth <= hit.depth) continue;
      hit.depth = depth;
      hit.segment = s;
    }
    if (hit.segment < 0) return -1;
    for (let k = 0; k < 3; k++) p[k] = from[k] + hit.segment * (to[k] - from[k]);
    let [nearest, distance] = [-1, Number.POSITIVE_INFINITY];
    for (let edge = 0; edge < facets.edgeCount; edge++) {
      if ((skipped > 0 && this.#skip[0] === edge) || (skipped > 1 && this.#skip[1] === edge)) continue;
      const d = computeEdgeDistance(facets, edge, p);
      if (d < distance) [nearest, distance] = [edge, d];
    }
    if (nearest < 0 || !mayLift) return nearest;
    const s = this.#findClosest(facets, nearest);
    const { qStart } = state.chain;
    if (findTip(state, e, qStart[4 * e + 3] * (1 - s) + qStart[4 * e + 7] * s) >= 0) hit.segment = s;
    return nearest;
  }

  /** Where on the segment as it ended it is closest to an edge: a convex function of the place. */
  #findClosest(facets: FacetBody, edge: number): number {
    const [, , from, to] = this.#ends;
    const p = this.#normal;
    const at = (s: number): number => {
      for (let k = 0; k < 3; k++) p[k] = from[k] + s * (to[k] - from[k]);
      return computeEdgeDistance(facets, edge, p);
    };
    let [low, high] = [0, 1];
    for (let n = 0; n < LOOKS; n++) {
      const third = (high - low) / 3;
      if (at(low + third) < at(high - third)) high -= third;
      else low += third;
    }
    return (low + high) / 2;
  }

  /** Asks for an E-node on segment e, or lifts the strand's end; true when it did that and the segment must be looked at again. */
  #ask(state: StrandState, touch: StrandTouch, e: number, body: number, edge: number, mayLift: boolean): boolean {
    const { qStart } = state.chain;
    const s = this.#hit.segment;
    const u = qStart[4 * e + 3] * (1 - s) + qStart[4 * e + 7] * s;
    const tip = mayLift ? findTip(state, e, u) : -1;
    if (tip >= 0) this.#lift(state, touch, tip, body, edge);
    else if (!this.#askPlane(state, touch, e, u, body, edge))
      this.edges.push({ u, body, edge, way: this.#measureWay(touch.facets[body], edge, s) });
    return tip >= 0;
  }

  /** Distance to an edge of the place s of the segment as it ended [m]. */
  #measureWay(facets: FacetBody, edge: number, s: number): number {
    const [, , from, to] = this.#ends;
    const p = this.#normal;
    for (let k = 0; k < 3; k++) p[k] = from[k] + s * (to[k] - from[k]);
    return computeEdgeDistance(facets, edge, p);
  }

  /** Asks for a plane above which a node of segment e is kept that came off an edge just now; false where that does not help. */
  #askPlane(state: StrandState, touch: StrandTouch, e: number, u: number, body: number, edge: number): boolean {
    // a body that moves freely would be pushed by what only guides the strand
    if (touch.isDynamic(body)) return false;
    const { label } = state.chain;
    const i = findFlying(state, e, u);
    // with friction an edge holds and carries more than it can push: left to the E-node
    if (i < 0 || !this.usesPlanes || touch.friction[body] > 0) return false;
    // drawn through from both sides, or not kept out by a plane: an E-node it must be
    if (this.planes.some((plane) => plane.label === label[i] && plane.body === body)) return false;
    const { edgeStart, edgeEnd, edgeNormalA, edgeNormalB } = touch.facets[body];
    const o = 3 * edge;
    const normal: [number, number, number] = [0, 0, 0];
    let [length, side, offset] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      const at = 3 * (2 * e + 1 - i);
      normal[k] =
        (edgeEnd[o + l] - edgeStart[o + l]) * (this.#local1[at + m] - edgeStart[o + m]) -
        (edgeEnd[o + m] - edgeStart[o + m]) * (this.#local1[at + l] - edgeStart[o + l]);
      length += normal[k] ** 2;
      side += normal[k] * (edgeNormalA[o + k] + edgeNormalB[o + k]);
    }
    if (!(length > 0)) return false;
    for (let k = 0; k < 3; k++) normal[k] /= Math.sign(side) * Math.sqrt(length);
    snapTo(normal, edgeNormalA, o);
    snapTo(normal, edgeNormalB, o);
    let height = 0;
    for (let k = 0; k < 3; k++) {
      offset += normal[k] * edgeStart[o + k];
      height += normal[k] * this.#local0[3 * i + k];
    }
    // one that is below it already would be thrown up
    if (height - offset < -touch.toleranceOf(body, state)) return false;
    this.planes.push({ label: label[i], body, normal, offset });
    return true;
  }

  /** Moves the end i of the strand out until the segment as it ended clears an edge, and stops what of its motion goes in. */
  #lift(state: StrandState, touch: StrandTouch, i: number, b: number, edge: number): void {
    const { edgeStart, edgeEnd, edgeNormalA, edgeNormalB } = touch.facets[b];
    const [, , from, to] = this.#ends;
    const n = this.#normal;
    const o = 3 * edge;
    let [length, side] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      n[k] =
        (edgeEnd[o + l] - edgeStart[o + l]) * (to[m] - from[m]) -
        (edgeEnd[o + m] - edgeStart[o + m]) * (to[l] - from[l]);
      length += n[k] ** 2;
      side += n[k] * (edgeNormalA[o + k] + edgeNormalB[o + k]);
    }
    for (let k = 0; k < 3; k++) n[k] /= Math.sign(side) * Math.sqrt(length);
    touch.now[b].writeDirection(n, 0, n, 0);
    const { q, v } = state.chain;
    const way = this.#hit.depth + touch.toleranceOf(b, state);
    const into = Math.min(0, v[4 * i] * n[0] + v[4 * i + 1] * n[1] + v[4 * i + 2] * n[2]);
    for (let k = 0; k < 3; k++) {
      q[4 * i + k] += way * n[k];
      v[4 * i + k] -= into * n[k];
    }
    touch.now[b].writeLocal(q, 4 * i, this.#local1, 3 * i);
  }
}

function isSamePassage(state: StrandState, label: number, a: EdgeRequest, b: EdgeRequest): boolean {
  return a.body === b.body && a.edge === b.edge && Math.abs(a.u - b.u) < SAME_PASSAGE * state.spacing[label];
}

/** Distance of a point to an edge [m]. */
function computeEdgeDistance({ edgeStart, edgeEnd }: FacetBody, edge: number, p: Float64Array): number {
  const o = 3 * edge;
  let [along, length2] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const d = edgeEnd[o + k] - edgeStart[o + k];
    along += d * (p[k] - edgeStart[o + k]);
    length2 += d * d;
  }
  const t = Math.min(1, Math.max(0, along / length2));
  let square = 0;
  for (let k = 0; k < 3; k++) square += (p[k] - edgeStart[o + k] - t * (edgeEnd[o + k] - edgeStart[o + k])) ** 2;
  return Math.sqrt(square);
}

/** The free end of the strand that the place u of segment e is very near to; −1 where there is none. */
function findTip(state: StrandState, e: number, u: number): number {
  const { qStart, label, count, closed } = state.chain;
  for (let i = e; i <= e + 1 && !closed; i++) {
    if ((i !== 0 && i !== count - 1) || state.heldAxes[label[i]] !== 0) continue;
    if (Math.abs(qStart[4 * i + 3] - u) < TIP * state.spacing[label[i]]) return i;
  }
  return -1;
}

/** Makes a plane that is all but a face's the same as that: two that differ by little would hold a node against each other. */
function snapTo(normal: [number, number, number], faces: Float64Array, o: number): void {
  if (!(normal[0] * faces[o] + normal[1] * faces[o + 1] + normal[2] * faces[o + 2] > 1 - SAME_PLANE)) return;
  for (let k = 0; k < 3; k++) normal[k] = faces[o + k];
}

/** The node of segment e that came off an edge and is still near the place u, where that goes through; −1 where there is none. */
function findFlying(state: StrandState, e: number, u: number): number {
  const { qStart, label, kind } = state.chain;
  for (let i = e; i <= e + 1; i++) {
    if (label[i] < state.materialCount || kind[i] !== NODE_LAGRANGIAN) continue;
    if (Math.abs(qStart[4 * i + 3] - u) < FLYING * state.spacing[label[i]]) return i;
  }
  return -1;
}

/** Whether the box of a segment, six numbers at `at`, that moves from p to r misses the bounds. */
function isApart(bounds: Float64Array, p: Float64Array, r: Float64Array, at: number): boolean {
  for (let k = at; k < at + 3; k++)
    if (
      Math.min(p[k], p[k + 3], r[k], r[k + 3]) > bounds[3 + k - at] ||
      Math.max(p[k], p[k + 3], r[k], r[k + 3]) < bounds[k - at]
    )
      return true;
  return false;
}
