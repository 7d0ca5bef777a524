/**
 * Nodes of yarns on sharp edges of bodies (ROLE_EDGE): the yarn bends there and slides over, u free.                [robust-eol-rods-2020, §5]
 *
 *     come     before a step, where a segment between two EoL sides is deeper than DEEP of the offset under both faces of a convex edge that turns by more than 30°
 *     held     to the edge's line by K = 1000 EA/L (`EdgeHold`), which moves with the body, at first to one beside it, through where it came; friction of the material over the edge and along it, limit μN,
 *              N the force of the edge: the law of a single sharp corner
 *     leave    when the edge would have to pull for MOST_LOOSE steps, beyond the end of the edge, and near an end of the yarn
 *
 * Edges are those of the body grown by the offset, mitred, so that nodes on them lie in the planes in which nodes on the faces do. Only the layer next to the body bends over its
 * edges (`coverage.ts`); the others bend over that.
 */

import { createEdgeHit } from '../contact/index.ts';
import { computeHypot3 } from '../math/index.ts';
import type { EnergyTerms, StateReader, StateWriter } from '../model/index.ts';
import { isOtherFriction, noteFriction, writeTangent } from './body-contact.ts';
import { COVERED_ABOVE, COVERED_BELOW, type LayerCoverage } from './coverage.ts';
import { computeContactStiffness } from './energy-contact.ts';
import { EdgeHold, SolidFriction } from './energy-solid.ts';
import { FrictionStore } from './friction-store.ts';
import { computeGapLeft } from './gaps.ts';
import { computeNodeMass, writeNodeNormal } from './load.ts';
import { ROLE_EDGE } from './net.ts';
import { addNodeTerm } from './node-term.ts';
import { addReaction, type FabricObstacle, isOutside } from './obstacle.ts';
import type { PushedBodies } from './pushed-bodies.ts';
import type { FabricState } from './state.ts';
import { type FabricSystem, SURE } from './terms.ts';

/** Of the offset: depth at which a segment gets a node. */
const DEEP = 0.02;
/** Steps without a push after which a node leaves. */
const MOST_LOOSE = 3;
/** Of the spacing: a node nearer to an end of its yarn leaves, and none comes. */
const NEAR_END = 0.1;
/** Cosine of the turn between two faces above which an edge is not sharp: 30°, as shapes say; edges of just 30° (of a prism with 12 sides) are sharp, however they are rounded. */
const SHARP = Math.sqrt(0.75) + 1e-9;

/** What is stored of each node on an edge, by node. */
class EdgeNodes {
  /** Indices of the body and of its edge; −1 for nodes that are on none. */
  readonly body: Int32Array;
  readonly edge: Int32Array;
  /** Steps since the edge pushed. */
  readonly loose: Uint8Array;
  /** Model of friction in the last system, 2 each: `noteFriction`. */
  readonly assumed: Float64Array;
  /** N of the last step [N]. */
  readonly load: Float64Array;
  /** From the edge to the line that a node is held to, 3 each, in the body's frame [m]. */
  readonly gap: Float64Array;
  readonly friction = new FrictionStore();
  readonly #room: number;

  constructor(room: number) {
    this.body = new Int32Array(room).fill(-1);
    this.edge = new Int32Array(room);
    this.loose = new Uint8Array(room);
    this.assumed = new Float64Array(2 * room);
    this.load = new Float64Array(room);
    this.gap = new Float64Array(3 * room);
    this.friction.reserve(room);
    this.#room = room;
  }

  set(i: number, body: number, edge: number): void {
    this.body[i] = body;
    this.edge[i] = edge;
    this.loose[i] = this.load[i] = 0;
    this.friction.clear(i);
  }

  copy(other: EdgeNodes): void {
    this.body.set(other.body);
    this.edge.set(other.edge);
    this.loose.set(other.loose);
    this.load.set(other.load);
    this.gap.set(other.gap);
    this.friction.copy(other.friction, this.#room);
  }

  writeState(writer: StateWriter): void {
    for (const array of [this.body, this.edge, this.loose, this.load, this.gap]) writer.array(array);
    this.friction.writeState(writer, this.#room);
  }

  readState(reader: StateReader): void {
    for (const array of [this.body, this.edge, this.loose, this.load, this.gap]) reader.array(array);
    this.friction.readState(reader);
  }
}

export class BodyEdges {
  readonly #obstacles: readonly FabricObstacle[];
  readonly #offset: number;
  readonly #coverage: LayerCoverage;
  readonly #nodes: EdgeNodes;
  readonly #kept: EdgeNodes;
  readonly #hold = new EdgeHold();
  readonly #friction = new SolidFriction();
  readonly #hit = createEdgeHit();
  readonly #a = new Float64Array(3);
  readonly #b = new Float64Array(3);
  readonly #box = new Float64Array(6);
  readonly #skip = new Int32Array(2);
  readonly #p = new Float64Array(4);
  #h = 0;
  /** Outward direction of an edge in the world: the middle of its faces' normals. */
  readonly #out = new Float64Array(3);

  constructor(state: FabricState, obstacles: readonly FabricObstacle[], offset: number, coverage: LayerCoverage) {
    this.#obstacles = obstacles;
    this.#offset = offset;
    this.#coverage = coverage;
    this.#nodes = new EdgeNodes(state.capacity);
    this.#kept = new EdgeNodes(state.capacity);
  }

  /** How many nodes lie on edges. */
  count({ role, count }: FabricState): number {
    let sum = 0;
    for (let i = 0; i < count; i++) if (role[i] === ROLE_EDGE) sum++;
    return sum;
  }

  remember(): void {
    this.#kept.copy(this.#nodes);
  }

  rollBack(): void {
    this.#nodes.copy(this.#kept);
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
    this.#writeOut(b, hit.edge);
    if (this.#isCovered(state, s, t)) return false;
    for (let k = 0; k < 3; k++) {
      const [from, to] = [facets.edgeStart[3 * hit.edge + k], facets.edgeEnd[3 * hit.edge + k]];
      this.#a[k] = from + hit.along * (to - from);
    }
    now.writeWorld(this.#a, 0, p, 0);
    // the same stretch on both sides (paper, Eq. 7)
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
    const [p, e] = [this.#p, this.#hold.direction];
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

  /** Places of the start of the step, from which friction is measured. */
  beginStep(state: FabricState, h: number): void {
    this.#h = h;
    const { role, q, count } = state;
    const { body, friction, gap } = this.#nodes;
    for (let i = 0; i < count; i++) {
      if (role[i] !== ROLE_EDGE) continue;
      const left = computeGapLeft(state, state.yarn[2 * i], h);
      for (let k = 3 * i; k < 3 * i + 3; k++) gap[k] *= left;
      friction.begin(i, this.#obstacles[body[i]].start, q, 5 * i, 5 * i + 3);
      this.#writeAcross(state, i, friction.tangent);
    }
  }

  /** F over the edge: in the plane across #out, as long as the yarn is stretched. */
  #writeAcross(state: FabricState, i: number, out: Float64Array): void {
    const o = 3 * i;
    writeTangent(state, 2 * i, out, o);
    this.#writeOut(this.#nodes.body[i], this.#nodes.edge[i]);
    let [dot, square] = [0, 0];
    for (let k = 0; k < 3; k++) dot += out[o + k] * this.#out[k];
    for (let k = 0; k < 3; k++) {
      out[o + k] -= dot * this.#out[k];
      square += out[o + k] ** 2;
    }
    const length = this.#computeStretch(state, 2 * i);
    for (let k = 0; k < 3; k++) out[o + k] *= square > 0 ? length / Math.sqrt(square) : 0;
  }

  /** Mean λ of the segments beside a side. */
  #computeStretch({ q, before, after }: FabricState, s: number): number {
    let [length, material] = [0, 0];
    for (const other of [before[s], after[s]]) {
      if (other < 0) continue;
      const [i, j] = [5 * (s >> 1), 5 * (other >> 1)];
      length += computeHypot3(q[j] - q[i], q[j + 1] - q[i + 1], q[j + 2] - q[i + 2]);
      material += Math.abs(q[j + 3 + (other & 1)] - q[i + 3 + (s & 1)]);
    }
    return material > 0 ? length / material : 1;
  }

  /** Adds what the edges do at the places q of a Newton iterate to its system. */
  add(
    state: FabricState,
    q: Float64Array,
    columnStart: Int32Array,
    h: number,
    system: FabricSystem,
    pushed?: PushedBodies,
  ): void {
    const { role, count } = state;
    for (const { now, body } of this.#obstacles) now.read(body);
    for (let i = 0; i < count; i++) {
      if (role[i] !== ROLE_EDGE) continue;
      this.#setHold(state, q, i);
      addNodeTerm(this.#hold, 5 * i, 0, h, system, columnStart[i]);
      pushed?.add(this.#hold, q, i, 0, this.#nodes.body[i], h);
      if (!this.#setFriction(state, q, i)) continue;
      addNodeTerm(this.#friction, 5 * i, 5 * i + 3, h, system, columnStart[i]);
      pushed?.add(this.#friction, q, i, 3, this.#nodes.body[i], h);
      noteFriction(this.#friction, this.#nodes.assumed, 2 * i);
    }
  }

  /** Whether friction came out other than the last system had it, such that a node is off by more than `tolerance` [m]. */
  isOther(state: FabricState, h: number, tolerance: number): boolean {
    const { role, q, count } = state;
    for (const { now, body } of this.#obstacles) now.read(body);
    for (let i = 0; i < count; i++) {
      if (role[i] !== ROLE_EDGE || !this.#setFriction(state, q, i)) continue;
      const inertia = computeNodeMass(state, i) / (h * h);
      if (isOtherFriction(this.#friction, this.#nodes.assumed, 2 * i, inertia, tolerance)) return true;
    }
    return false;
  }

  #setHold(state: FabricState, q: Float64Array, i: number): void {
    const { body, edge, gap } = this.#nodes;
    const { facets, now } = this.#obstacles[body[i]];
    const [hold, p] = [this.#hold, this.#p];
    for (let k = 0; k < 3; k++) p[k] = facets.edgeStart[3 * edge[i] + k] + gap[3 * i + k];
    now.writeWorld(p, 0, hold.point, 0);
    writeEdgeDirection(facets.edgeStart, facets.edgeEnd, edge[i], now, hold.direction);
    const { stretchStiffness } = state.materialOf(state.yarn[2 * i]);
    hold.stiffness = computeContactStiffness(stretchStiffness, state.layers[state.layerOf(2 * i)].spacing);
    for (let k = 0; k < 3; k++) p[k] = q[5 * i + k];
    hold.set(p);
  }

  #setFriction(state: FabricState, q: Float64Array, i: number): boolean {
    const { body, edge, load, friction: store } = this.#nodes;
    const { now, friction: mu } = this.#obstacles[body[i]];
    const friction = this.#friction;
    friction.limit = mu * load[i];
    if (!(friction.limit > 0)) return false;
    friction.stiffness = state.layers[state.layerOf(2 * i)].frictionStiffness;
    friction.sure = (SURE * friction.limit * this.#h * this.#h) / computeNodeMass(state, i);
    this.#writeOut(body[i], edge[i]);
    for (let k = 0; k < 3; k++) friction.normal[k] = this.#out[k];
    store.set(friction, i, now, q, 5 * i, 5 * i + 3, 0);
    return true;
  }

  /** After an accepted step: who pushes and how much, and how far friction has slipped. */
  endStep(state: FabricState, bodyForce: Float64Array): void {
    const { role, q, count } = state;
    const { body, edge, loose, load, friction: store } = this.#nodes;
    const [hold, friction, f] = [this.#hold, this.#friction, this.#a];
    for (const obstacle of this.#obstacles) obstacle.now.read(obstacle.body);
    for (let i = 0; i < count; i++) {
      if (role[i] !== ROLE_EDGE) continue;
      const { now, body: solid } = this.#obstacles[body[i]];
      this.#setHold(state, q, i);
      for (let k = 0; k < 3; k++) f[k] = -hold.gradient[k];
      this.#writeOut(body[i], edge[i]);
      const push = f[0] * this.#out[0] + f[1] * this.#out[1] + f[2] * this.#out[2];
      const size = computeHypot3(f[0], f[1], f[2]);
      if (this.#setFriction(state, q, i)) {
        for (let k = 0; k < 3; k++) f[k] -= friction.gradient[k];
        store.drag(friction, i, now);
      } else store.clear(i);
      store.begin(i, now, q, 5 * i, 5 * i + 3);
      loose[i] = push > 0 ? 0 : loose[i] + 1;
      load[i] = push > 0 ? size : 0;
      for (let k = 0; k < 3; k++) state.contact[3 * i + k] += f[k];
      addReaction(solid, q, 5 * i, f, bodyForce, 6 * body[i]);
    }
  }

  addEnergy(state: FabricState, terms: EnergyTerms): void {
    const { role, count } = state;
    for (const { now, body } of this.#obstacles) now.read(body);
    for (let i = 0; i < count; i++) {
      if (role[i] !== ROLE_EDGE) continue;
      this.#setHold(state, state.q, i);
      terms.contact += this.#hold.energy;
      if (this.#setFriction(state, state.q, i)) terms.contact += this.#friction.energy;
    }
  }

  /** #out := (nA + nB)/‖…‖ of an edge, in the world. */
  #writeOut(b: number, edge: number): void {
    const { facets, now } = this.#obstacles[b];
    const [p, out] = [this.#p, this.#out];
    for (let k = 0; k < 3; k++) p[k] = facets.edgeNormalA[3 * edge + k] + facets.edgeNormalB[3 * edge + k];
    const length = computeHypot3(p[0], p[1], p[2]);
    for (let k = 0; k < 3; k++) p[k] /= length;
    now.writeDirection(p, 0, out, 0);
  }

  writeState(writer: StateWriter): void {
    this.#nodes.writeState(writer);
  }

  readState(reader: StateReader): void {
    this.#nodes.readState(reader);
  }
}

function isSharp(A: Float64Array, B: Float64Array, edge: number): boolean {
  const o = 3 * edge;
  return A[o] * B[o] + A[o + 1] * B[o + 1] + A[o + 2] * B[o + 2] < SHARP;
}

/** Where the foot of p is along an edge: 0 … 1 on it. */
function computeAlong(start: Float64Array, end: Float64Array, edge: number, p: Float64Array): number {
  let [along, square] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const d = end[3 * edge + k] - start[3 * edge + k];
    along += d * (p[k] - start[3 * edge + k]);
    square += d * d;
  }
  return along / square;
}

/** out := unit vector along an edge, in the world. */
function writeEdgeDirection(
  start: Float64Array,
  end: Float64Array,
  edge: number,
  now: FabricObstacle['now'],
  out: Float64Array,
): void {
  const d = [0, 0, 0];
  for (let k = 0; k < 3; k++) d[k] = end[3 * edge + k] - start[3 * edge + k];
  const length = computeHypot3(d[0], d[1], d[2]);
  const { R } = now;
  for (let k = 0; k < 3; k++) out[k] = (R[3 * k] * d[0] + R[3 * k + 1] * d[1] + R[3 * k + 2] * d[2]) / length;
}

/** From the node of a side to a point [m]. */
function measureTo(q: Float64Array, s: number, p: Float64Array): number {
  const at = 5 * (s >> 1);
  return computeHypot3(q[at] - p[0], q[at + 1] - p[1], q[at + 2] - p[2]);
}
