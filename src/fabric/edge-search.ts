/** Which nodes of yarns come onto sharp edges of bodies before a step, and which leave (`body-edges.ts`). */
import { createEdgeHit } from '../contact/index.ts';
import { computeHypot3 } from '../math/index.ts';
import { COVERED_ABOVE, COVERED_BELOW, type LayerCoverage } from './coverage.ts';
import { computeAlong, type EdgeNodes, writeEdgeDirection, writeEdgeOut } from './edge-nodes.ts';
import { writeNodeNormal } from './load.ts';
import { ROLE_EDGE } from './net.ts';
import { type FabricObstacle, isOutside } from './obstacle.ts';
import type { FabricState } from './state.ts';

/** Of the offset: depth at which a segment gets a node. */
const DEEP = 0.02;
/** Steps without a push after which a node leaves. */
const MOST_LOOSE = 3;
/** Of the spacing: a node nearer to an end of its yarn leaves, and none comes. */
const NEAR_END = 0.1;
/** Cosine of the turn between two faces above which an edge is not sharp: 30°, as shapes say; edges of just 30° (of a prism with 12 sides) are sharp, however they are rounded. */
const SHARP = Math.sqrt(0.75) + 1e-9;

export class EdgeSearch {
  readonly #obstacles: readonly FabricObstacle[];
  readonly #offset: number;
  readonly #coverage: LayerCoverage;
  readonly #nodes: EdgeNodes;
  readonly #hit = createEdgeHit();
  readonly #a = new Float64Array(3);
  readonly #b = new Float64Array(3);
  readonly #box = new Float64Array(6);
  readonly #skip = new Int32Array(2);
  readonly #p = new Float64Array(4);
  /** Along an edge, and out of the body: the middle of its faces' normals; in the world. */
  readonly #direction = new Float64Array(3);
  readonly #out = new Float64Array(3);

  constructor(nodes: EdgeNodes, obstacles: readonly FabricObstacle[], offset: number, coverage: LayerCoverage) {
    this.#nodes = nodes;
    this.#obstacles = obstacles;
    this.#offset = offset;
    this.#coverage = coverage;
  }

  /** Lets nodes go and puts new ones on edges; returns how many. The sides and their neighbours are those of the last step. */
  adapt(state: FabricState): number {
    if (!this.#obstacles.some(({ edgeCount }) => edgeCount > 0)) return 0;
    for (const obstacle of this.#obstacles) obstacle.beginStep();
    let changes = this.#release(state);
    for (let b = 0; b < this.#obstacles.length; b++)
      if (this.#obstacles[b].edgeCount > 0) changes += this.#findEdges(state, b);
    return changes;
  }

  #release(state: FabricState): number {
    const { role, q, yarn, yarnLength, count } = state;
    const { body, edge, loose } = this.#nodes;
    let released = 0;
    for (let i = 0; i < count; i++) {
      if (role[i] !== ROLE_EDGE) continue;
      const { now, facets } = this.#obstacles[body[i]];
      now.writeLocal(q, 5 * i, this.#a, 0);
      const along = computeAlong(facets.edgeStart, facets.edgeEnd, edge[i], this.#a);
      const near = NEAR_END * state.layers[state.layerOf(2 * i)].spacing;
      const u = q[5 * i + 3];
      const isOn = along >= 0 && along <= 1 && u > near && u < yarnLength[yarn[2 * i]] - near;
      if (isOn && loose[i] < MOST_LOOSE) continue;
      state.freeNode(i);
      body[i] = -1;
      released++;
    }
    return released;
  }

  /** Nodes for all segments that lie under an edge of body b. */
  #findEdges(state: FabricState, b: number): number {
    const { q, eolStart, eol, role, yarnCount } = state;
    const { facets, now } = this.#obstacles[b];
    const [p, r, box] = [this.#a, this.#b, this.#box];
    const tolerance = DEEP * this.#offset;
    this.#obstacles[b].writeBox(this.#offset, box);
    let added = 0;
    for (let y = 0; y < yarnCount; y++) {
      const end = eolStart[y + 1];
      for (let k = eolStart[y]; k + 1 < end; k++) {
        const [s, t] = [eol[k], eol[k + 1]];
        if (role[s >> 1] > ROLE_EDGE || role[t >> 1] > ROLE_EDGE) continue;
        const reach = q[5 * (t >> 1) + 3 + (t & 1)] - q[5 * (s >> 1) + 3 + (s & 1)];
        if (isOutside(box, q, 5 * (s >> 1), reach)) continue;
        now.writeLocal(q, 5 * (s >> 1), p, 0);
        now.writeLocal(q, 5 * (t >> 1), r, 0);
        if (!(facets.computeSegmentDepth(p, r, tolerance) > tolerance)) continue;
        if (this.#insert(state, b, s, t, tolerance)) added++;
      }
    }
    return added;
  }

  /** Puts a node between the sides s and t where they lie under an edge; their places in the body's frame are in #a and #b. */
  #insert(state: FabricState, b: number, s: number, t: number, tolerance: number): boolean {
    const { facets, now } = this.#obstacles[b];
    const [hit, p] = [this.#hit, this.#p];
    let skipped = 0;
    for (const side of [s, t])
      if (state.role[side >> 1] === ROLE_EDGE && this.#nodes.body[side >> 1] === b)
        this.#skip[skipped++] = this.#nodes.edge[side >> 1];
    facets.findEdge(this.#a, this.#b, this.#a, this.#b, tolerance, this.#skip, skipped, hit);
    if (hit.edge < 0 || !isSharp(facets.edgeNormalA, facets.edgeNormalB, hit.edge)) return false;
    writeEdgeOut(this.#obstacles[b], hit.edge, this.#p, this.#out);
    if (this.#isCovered(state, s, t)) return false;
    for (let k = 0; k < 3; k++) {
      const [from, to] = [facets.edgeStart[3 * hit.edge + k], facets.edgeEnd[3 * hit.edge + k]];
      this.#a[k] = from + hit.along * (to - from);
    }
    now.writeWorld(this.#a, 0, p, 0);
    // the same stretch on both sides [Sánchez-Banderas 2020, Eq. 7]
    const { q } = state;
    const [us, ut] = [q[state.materialIndex(s)], q[state.materialIndex(t)]];
    const [before, after] = [measureTo(q, s, p), measureTo(q, t, p)];
    const share = before / (before + after);
    const u = us + share * (ut - us);
    const near = NEAR_END * state.layers[state.layerOf(s)].spacing;
    if (u < near || u > state.yarnLength[state.yarn[s]] - near) return false;
    if (this.#isOnEdge(state, state.yarn[s], u, b, hit.edge)) return false;
    // on the yarn, which is not stretched so; the edge draws it there: `#leaveGap`
    const [from, to] = [5 * (s >> 1), 5 * (t >> 1)];
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const own = (1 - share) * q[from + k] + share * q[to + k];
      square += (p[k] - own) ** 2;
      p[k] = own;
    }
    // far from the yarn: the edge that was found is another's
    if (square > this.#offset ** 2) return false;
    const i = state.takeNode(ROLE_EDGE);
    if (i < 0) return false;
    state.yarn[2 * i] = state.yarn[s];
    for (let k = 0; k < 3; k++) q[5 * i + k] = p[k];
    q[5 * i + 3] = state.anchor[2 * i] = u;
    this.#nodes.set(i, b, hit.edge);
    this.#leaveGap(i, q);
    this.#giveVelocity(state, i, s, t, share);
    return true;
  }

  /** A new node is held where it is, and from there the line goes to the edge as gaps of EIL nodes close (`gaps.ts`): held to the edge at once it would start with ½ K times the square of its distance. */
  #leaveGap(i: number, q: Float64Array): void {
    const { body, edge, gap } = this.#nodes;
    const { facets, now } = this.#obstacles[body[i]];
    const [start, end, p] = [facets.edgeStart, facets.edgeEnd, this.#b];
    now.writeLocal(q, 5 * i, p, 0);
    const along = computeAlong(start, end, edge[i], p);
    for (let k = 0; k < 3; k++) {
      const from = start[3 * edge[i] + k];
      gap[3 * i + k] = p[k] - from - along * (end[3 * edge[i] + k] - from);
    }
  }

  /** Whether the yarn has a node on this edge near u: one that is EIL now is no end of a segment. */
  #isOnEdge(state: FabricState, y: number, u: number, b: number, edge: number): boolean {
    const { sides, sideStart, role, q } = state;
    const { spacing } = state.layers[state.yarnLayer[y]];
    for (let k = sideStart[y]; k < sideStart[y + 1]; k++) {
      const i = sides[k] >> 1;
      if (role[i] !== ROLE_EDGE || this.#nodes.body[i] !== b || this.#nodes.edge[i] !== edge) continue;
      if (Math.abs(q[5 * i + 3] - u) < spacing) return true;
    }
    return false;
  }

  /** Whether another layer lies between the segment and the edge whose direction out is in #out. */
  #isCovered(state: FabricState, s: number, t: number): boolean {
    const both = this.#coverage.of[s] & this.#coverage.of[t];
    if (state.layers.length < 2 || both === 0) return false;
    const [up, out] = [this.#p, this.#out];
    const side = state.yarn[s ^ 1] >= 0 ? s : t;
    if (state.yarn[side ^ 1] < 0 || !writeNodeNormal(state, side >> 1, up)) return true;
    const isBelow = up[0] * out[0] + up[1] * out[1] + up[2] * out[2] >= 0;
    return (both & (isBelow ? COVERED_BELOW : COVERED_ABOVE)) !== 0;
  }

  /**
   * ẋ along the edge and with the body, and u̇, such that the material moves as it did: least ‖ẋ_b + ε e − F u̇ − w‖², w the motion of the material at that place.
   */
  #giveVelocity({ v, q }: FabricState, i: number, s: number, t: number, share: number): void {
    const { body, now, facets } = this.#obstacles[this.#nodes.body[i]];
    const [p, e] = [this.#p, this.#direction];
    const [a, c] = [5 * (s >> 1), 5 * (t >> 1)];
    const [au, cu] = [a + 3 + (s & 1), c + 3 + (t & 1)];
    writeEdgeDirection(facets.edgeStart, facets.edgeEnd, this.#nodes.edge[i], now, e);
    for (let k = 0; k < 3; k++) p[k] = q[5 * i + k];
    body.writePointVelocity(p, this.#a);
    const du = q[cu] - q[au];
    let [ee, ef, ff, er, fr] = [0, 0, 0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const F = (q[c + k] - q[a + k]) / du;
      const w = (1 - share) * (v[a + k] - F * v[au]) + share * (v[c + k] - F * v[cu]);
      const r = w - this.#a[k];
      ee += e[k] * e[k];
      ef += e[k] * F;
      ff += F * F;
      er += e[k] * r;
      fr += F * r;
    }
    // [ee −ef; −ef ff] (ε, u̇) = (er, −fr)
    const det = ee * ff - ef * ef;
    const along = det > 0 ? (er * ff - ef * fr) / det : 0;
    v[5 * i + 3] = det > 0 ? (ef * er - ee * fr) / det : 0;
    for (let k = 0; k < 3; k++) v[5 * i + k] = this.#a[k] + along * e[k];
  }
}

function isSharp(A: Float64Array, B: Float64Array, edge: number): boolean {
  const o = 3 * edge;
  return A[o] * B[o] + A[o + 1] * B[o + 1] + A[o + 2] * B[o + 2] < SHARP;
}

/** From the node of a side to a point [m]. */
function measureTo(q: Float64Array, s: number, p: Float64Array): number {
  const at = 5 * (s >> 1);
  return computeHypot3(q[at] - p[0], q[at + 1] - p[1], q[at + 2] - p[2]);
}
