/**
 * Nodes of yarns on sharp edges of bodies (ROLE_EDGE): the yarn bends there and slides over, u free.                [Sánchez-Banderas 2020, §5]
 *
 *     come     before a step (`edge-search.ts`), where a segment between two EoL sides is deeper than DEEP of the offset under both faces of a convex edge that turns by more than 30°
 *     held     to the edge's line by K = 1000 EA/L (`EdgeHold`), which moves with the body, at first to one beside it, through where it came; friction of the material over the edge and along it, limit μN,
 *              N the force of the edge: the law of a single sharp corner
 *     leave    when the edge would have to pull for MOST_LOOSE steps, beyond the end of the edge, and near an end of the yarn
 *
 * Edges are those of the body grown by the offset, mitred, so that nodes on them lie in the planes in which nodes on the faces do. Only the layer next to the body bends over its
 * edges (`coverage.ts`); the others bend over that.
 */

import { computeHypot3 } from '../math/index.ts';
import type { EnergyTerms, StateReader, StateWriter } from '../model/index.ts';
import { isOtherFriction, noteFriction, writeTangent } from './body-contact.ts';
import type { LayerCoverage } from './coverage.ts';
import { EdgeNodes, writeEdgeDirection, writeEdgeOut } from './edge-nodes.ts';
import { EdgeSearch } from './edge-search.ts';
import { computeContactStiffness } from './energy-contact.ts';
import { EdgeHold, SolidFriction } from './energy-solid.ts';
import { computeGapLeft } from './gaps.ts';
import { computeNodeMass } from './load.ts';
import { ROLE_EDGE } from './net.ts';
import { addNodeTerm } from './node-term.ts';
import { addReaction, type FabricObstacle } from './obstacle.ts';
import type { PushedBodies } from './pushed-bodies.ts';
import type { FabricSystem } from './stage.ts';
import type { FabricState } from './state.ts';
import { SURE } from './yarn-friction.ts';

export class BodyEdges {
  readonly #obstacles: readonly FabricObstacle[];
  readonly #search: EdgeSearch;
  readonly #nodes: EdgeNodes;
  readonly #kept: EdgeNodes;
  readonly #hold = new EdgeHold();
  readonly #friction = new SolidFriction();
  readonly #a = new Float64Array(3);
  readonly #p = new Float64Array(4);
  #h = 0;
  /** Outward direction of an edge in the world: the middle of its faces' normals. */
  readonly #out = new Float64Array(3);

  constructor(state: FabricState, obstacles: readonly FabricObstacle[], offset: number, coverage: LayerCoverage) {
    this.#obstacles = obstacles;
    this.#nodes = new EdgeNodes(state.capacity);
    this.#search = new EdgeSearch(this.#nodes, obstacles, offset, coverage);
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
    return this.#search.adapt(state);
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
    writeEdgeOut(this.#obstacles[this.#nodes.body[i]], this.#nodes.edge[i], this.#p, this.#out);
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
    writeEdgeOut(this.#obstacles[body[i]], edge[i], this.#p, this.#out);
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
      writeEdgeOut(this.#obstacles[body[i]], edge[i], this.#p, this.#out);
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

  writeState(writer: StateWriter): void {
    this.#nodes.writeState(writer);
  }

  readState(reader: StateReader): void {
    this.#nodes.readState(reader);
  }
}
