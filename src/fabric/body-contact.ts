/**
 * Bodies that a fabric touches with its nodes: a penalty on the distance and friction on the material of each yarn (`energy-solid.ts`).
 *
 *     k   mean of EA/L of the node's yarns [N/m], as stiff as the yarn itself              r   `offset`, how far the cloth's middle stays off [m]
 *     N   V' of the contact at the end of the last step; friction spring k_f of the layer; limit μN, shared by the sides that touch
 *
 * Only nodes with a place of their own touch: both sides EIL, and the yarns' neighbours do. Of several layers only the one next to the body does (`coverage.ts`):
 * a side with another layer between it and the body feels neither push nor friction, but what the layers do to each other.
 * Contacts are pairs of a node and a body, found at the start of a step among what may come near in it, in the order of bodies and nodes; what friction has
 * stored is kept in the body's own frame, which carries it along. Dynamic bodies are where the solve has them, and are pushed within it: `pushed-bodies.ts`.
 */
import type { EnergyTerms, StateReader, StateWriter } from '../model/index.ts';
import { PairList } from './body-pairs.ts';
import { COVERED_ABOVE, COVERED_BELOW, type LayerCoverage } from './coverage.ts';
import { SolidContact, SolidFriction } from './energy-solid.ts';
import { computeNodeMass, writeNodeNormal } from './load.ts';
import { ROLE_EDGE } from './net.ts';
import { addNodeTerm } from './node-term.ts';
import { addReaction, type FabricObstacle, isOutside } from './obstacle.ts';
import type { PushedBodies } from './pushed-bodies.ts';
import type { FabricSystem } from './stage.ts';
import { type FabricState, ROLE_FREE } from './state.ts';
import { SURE } from './yarn-friction.ts';

/** How far beyond touching a pair is listed: this part of the offset, and twice what both may move. */
const LISTED = 0.25;

export class BodyContacts {
  readonly obstacles: readonly FabricObstacle[];
  /** r [m]. */
  readonly offset: number;
  /** Force and torque about the centre of mass on each body at the end of the last step [N, N m], 6 each. */
  readonly bodyForce: Float64Array;
  #now = new PairList();
  #before = new PairList();
  /** What a step starts from, for roll-back. */
  readonly #kept = new PairList();
  readonly #coverage: LayerCoverage;
  readonly #contact = new SolidContact();
  readonly #friction = new SolidFriction();
  readonly #box = new Float64Array(6);
  readonly #p = new Float64Array(4);
  readonly #up = new Float64Array(3);
  readonly #force = new Float64Array(3);
  readonly #share = new Float64Array(2);
  readonly #drift = new Float64Array(3);
  #h = 0;

  constructor(obstacles: readonly FabricObstacle[], offset: number, coverage: LayerCoverage) {
    this.obstacles = obstacles;
    this.offset = offset;
    this.bodyForce = new Float64Array(6 * obstacles.length);
    this.#coverage = coverage;
    this.#contact.reach = offset;
  }

  /** Pairs that are listed. */
  get count(): number {
    return this.#now.count;
  }

  /** Keeps what `rollBack` goes back to: before the nodes change. */
  remember(): void {
    this.#kept.copy(this.#now);
  }

  rollBack(): void {
    this.#now.copy(this.#kept);
  }

  /** Lists what may touch in a step of length h; nodes, their order and the bodies' poses are those of its start. */
  beginStep(state: FabricState, h: number): void {
    this.#h = h;
    [this.#now, this.#before] = [this.#before, this.#now];
    this.#now.count = 0;
    let old = 0;
    for (let b = 0; b < this.obstacles.length; b++) {
      const obstacle = this.obstacles[b];
      obstacle.beginStep();
      const speed = obstacle.computeSpeed();
      obstacle.writeBox((1 + LISTED) * this.offset + 2 * h * speed, this.#box);
      old = this.#listBody(state, h, b, speed, old);
    }
  }

  /** Lists the pairs of body b; `old` is where those of the last step are read, returned as far as they were. */
  #listBody(state: FabricState, h: number, b: number, bodySpeed: number, old: number): number {
    const { q, v, role, count } = state;
    const { start } = this.obstacles[b];
    const [box, p, list, last] = [this.#box, this.#p, this.#now, this.#before];
    const touch = this.#contact.touch;
    for (let i = 0; i < count; i++) {
      // what lies on an edge is held by that
      if (role[i] === ROLE_FREE || role[i] === ROLE_EDGE) continue;
      const at = 5 * i;
      const move = 2 * h * (Math.abs(v[at]) + Math.abs(v[at + 1]) + Math.abs(v[at + 2]));
      if (isOutside(box, q, at, move)) continue;
      if (state.hasOnlyEil(i)) continue;
      for (let k = 0; k < 3; k++) p[k] = q[at + k];
      this.obstacles[b].writeSignedDistance(p, touch);
      if (touch[0] > (1 + LISTED) * this.offset + move + 2 * h * bodySpeed) continue;
      if (!this.#findShares(state, i, touch)) continue;
      const c = list.add(i, b);
      for (let k = 0; k < 3; k++) list.normal[3 * c + k] = touch[1 + k];
      const drifts = this.obstacles[b].writeDrift(p, this.#drift);
      for (let side = 0; side < 2; side++) {
        list.share[2 * c + side] = this.#share[side];
        list.friction.begin(2 * c + side, start, q, at, at + 3 + side);
        if (drifts) list.friction.setDrift(2 * c + side, this.#drift);
        if (this.#share[side] > 0) writeTangent(state, 2 * i + side, list.friction.tangent, 6 * c + 3 * side);
      }
      while (old < last.count && (last.body[old] < b || (last.body[old] === b && last.node[old] < i))) old++;
      if (old < last.count && last.body[old] === b && last.node[old] === i) list.take(c, last, old);
    }
    return old;
  }

  /** How much of the load each side of a node bears towards a body whose outward normal is touch[1…]; false where none touches it. */
  #findShares(state: FabricState, i: number, touch: Float64Array): boolean {
    const share = this.#share;
    const { yarn, layers } = state;
    const has = yarn[2 * i + 1] >= 0 ? 2 : 1;
    share[0] = 1;
    share[1] = has - 1;
    if (layers.length > 1) {
      const bit = this.#isBelow(state, i, touch) ? COVERED_BELOW : COVERED_ABOVE;
      for (let k = 0; k < has; k++) if (this.#coverage.of[2 * i + k] & bit) share[k] = 0;
    }
    const sum = share[0] + share[1];
    if (sum === 0) return false;
    share[0] /= sum;
    share[1] /= sum;
    return true;
  }

  /** Whether the body lies below the cloth at a node; of one with a single yarn the nearest with two says where up is. */
  #isBelow(state: FabricState, i: number, touch: Float64Array): boolean {
    const { yarn, before, after } = state;
    const up = this.#up;
    let node = i;
    if (yarn[2 * i + 1] < 0) {
      const [a, c] = [before[2 * i], after[2 * i]];
      if (a >= 0 && yarn[a ^ 1] >= 0) node = a >> 1;
      else if (c >= 0 && yarn[c ^ 1] >= 0) node = c >> 1;
      else return true;
    }
    if (!writeNodeNormal(state, node, up)) return true;
    return up[0] * touch[1] + up[1] * touch[2] + up[2] * touch[3] >= 0;
  }

  /** Adds what the bodies do at the places q of a Newton iterate to its system. */
  add(
    state: FabricState,
    q: Float64Array,
    columnStart: Int32Array,
    h: number,
    system: FabricSystem,
    pushed?: PushedBodies,
  ): void {
    const { sideForce } = system;
    const list = this.#now;
    for (const { now, body } of this.obstacles) now.read(body);
    for (let c = 0; c < list.count; c++) {
      const i = list.node[c];
      this.#setContact(state, q, c);
      const { push, slope, touch } = this.#contact;
      if (push > 0) {
        addNodeTerm(this.#contact, 5 * i, 0, h, system, columnStart[i]);
        pushed?.add(this.#contact, q, i, 0, list.body[c], h);
      }
      list.model[3 * c] = push;
      list.model[3 * c + 1] = slope;
      list.model[3 * c + 2] = touch[0];
      for (let side = 0; side < 2; side++) {
        if (sideForce) addForce(this.#contact.gradient, -list.share[2 * c + side], sideForce, 6 * i + 3 * side);
        if (!this.#setFriction(state, q, c, side)) continue;
        noteFriction(this.#friction, list.assumed, 4 * c + 2 * side);
        addNodeTerm(this.#friction, 5 * i, 5 * i + 3 + side, h, system, columnStart[i]);
        pushed?.add(this.#friction, q, i, 3 + side, list.body[c], h);
        if (sideForce) addForce(this.#friction.gradient, -1, sideForce, 6 * i + 3 * side);
      }
    }
  }

  /** Whether a contact or its friction came out so other than the last system had them that their node is off by more than `tolerance` [m]. */
  isOther(state: FabricState, h: number, tolerance: number): boolean {
    const { q } = state;
    const list = this.#now;
    const { model, assumed: friction } = list;
    for (const { now, body } of this.obstacles) now.read(body);
    for (let c = 0; c < list.count; c++) {
      this.#setContact(state, q, c);
      const { push, slope, touch } = this.#contact;
      const assumed = Math.max(0, model[3 * c] + model[3 * c + 1] * (model[3 * c + 2] - touch[0]));
      const inertia = computeNodeMass(state, list.node[c]) / (h * h);
      if (Math.abs(push - assumed) > tolerance * (inertia + Math.min(slope, model[3 * c + 1]))) return true;
      for (let side = 0; side < 2; side++)
        if (
          this.#setFriction(state, q, c, side) &&
          isOtherFriction(this.#friction, friction, 4 * c + 2 * side, inertia, tolerance)
        )
          return true;
    }
    return false;
  }

  /** The contact of pair c at places q. */
  #setContact(state: FabricState, q: Float64Array, c: number): void {
    const { yarn } = state;
    const [contact, p, list] = [this.#contact, this.#p, this.#now];
    const i = list.node[c];
    for (let k = 0; k < 3; k++) p[k] = q[5 * i + k];
    let [stiffness, yarns] = [0, 0];
    for (let s = 2 * i; s < 2 * i + 2; s++) {
      if (yarn[s] < 0) continue;
      stiffness += state.materialOf(yarn[s]).stretchStiffness / state.layers[state.layerOf(s)].spacing;
      yarns++;
    }
    contact.body = this.obstacles[list.body[c]];
    contact.stiffness = stiffness / yarns;
    contact.set(p);
  }

  /** The friction of one side of pair c at places q; false where there is none. */
  #setFriction(state: FabricState, q: Float64Array, c: number, side: number): boolean {
    const [friction, list] = [this.#friction, this.#now];
    const { now, elapsed, friction: mu } = this.obstacles[list.body[c]];
    const i = list.node[c];
    friction.limit = mu * list.load[c] * list.share[2 * c + side];
    if (!(friction.limit > 0)) return false;
    friction.stiffness = state.layers[state.layerOf(2 * i + side)].frictionStiffness;
    friction.sure = (SURE * friction.limit * this.#h * this.#h) / computeNodeMass(state, i);
    for (let k = 0; k < 3; k++) friction.normal[k] = list.normal[3 * c + k];
    list.friction.set(friction, 2 * c + side, now, q, 5 * i, 5 * i + 3 + side, elapsed);
    return true;
  }

  /** After an accepted step: loads and forces are those of its end, and friction has slipped as far as its limit lets it. */
  endStep(state: FabricState): void {
    const [contact, friction, list, force] = [this.#contact, this.#friction, this.#now, this.#force];
    const { q } = state;
    this.bodyForce.fill(0);
    for (const { now, body } of this.obstacles) now.read(body);
    for (let c = 0; c < list.count; c++) {
      const i = list.node[c];
      const { now, body } = this.obstacles[list.body[c]];
      force.fill(0);
      for (let side = 0; side < 2; side++) {
        if (this.#setFriction(state, q, c, side)) {
          for (let k = 0; k < 3; k++) force[k] -= friction.gradient[k];
          list.friction.drag(friction, 2 * c + side, now);
        } else list.friction.clear(2 * c + side);
        // what is stored is measured from here on
        list.friction.begin(2 * c + side, now, q, 5 * i, 5 * i + 3 + side);
      }
      this.#setContact(state, q, c);
      list.load[c] = contact.push;
      for (let k = 0; k < 3; k++) {
        force[k] -= contact.gradient[k];
        state.contact[3 * i + k] += force[k];
      }
      addReaction(body, q, 5 * i, force, this.bodyForce, 6 * list.body[c]);
    }
  }

  addEnergy(state: FabricState, terms: EnergyTerms): void {
    const [contact, friction, list] = [this.#contact, this.#friction, this.#now];
    for (const { now, body } of this.obstacles) now.read(body);
    for (let c = 0; c < list.count; c++) {
      // between two steps nodes may have gone
      if (state.role[list.node[c]] === ROLE_FREE) continue;
      this.#setContact(state, state.q, c);
      terms.contact += contact.energy;
      for (let side = 0; side < 2; side++)
        if (this.#setFriction(state, state.q, c, side)) terms.contact += friction.energy;
    }
  }

  writeState(writer: StateWriter): void {
    this.#now.writeState(writer);
    writer.array(this.bodyForce);
  }

  /** `capacity`: nodes that there may be. */
  readState(reader: StateReader, capacity: number): void {
    this.#now.readState(reader, this.obstacles.length * capacity);
    reader.array(this.bodyForce);
  }
}

/** out[o…] := F of a side: from its neighbour before to that after, itself where it is an end. */
export function writeTangent({ q, before, after }: FabricState, s: number, out: Float64Array, o: number): void {
  const [a, c] = [before[s] >= 0 ? before[s] : s, after[s] >= 0 ? after[s] : s];
  const du = q[5 * (c >> 1) + 3 + (c & 1)] - q[5 * (a >> 1) + 3 + (a & 1)];
  for (let k = 0; k < 3; k++) out[o + k] = du > 0 ? (q[5 * (c >> 1) + k] - q[5 * (a >> 1) + k]) / du : 0;
}

/** out[o …] := the linear model of friction along its slip that a system has: V' − V″ |s|, and V″. */
export function noteFriction({ scale, distance, stiffnessAlong }: SolidFriction, out: Float64Array, o: number): void {
  out[o] = (scale - stiffnessAlong) * distance;
  out[o + 1] = stiffnessAlong;
}

/** Whether friction pulls so other than its model at out[o …] that a node is off by more than `tolerance` [m]. */
export function isOtherFriction(
  { scale, distance }: SolidFriction,
  model: Float64Array,
  o: number,
  inertia: number,
  tolerance: number,
): boolean {
  const force = model[o] + model[o + 1] * distance;
  return Math.abs(scale * distance - force) > tolerance * (inertia + Math.min(scale, model[o + 1]));
}

function addForce(gradient: Float64Array, scale: number, out: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) out[at + k] += scale * gradient[k];
}
