/**
 * A continuum as a model of a world: it has no unknowns in the world's system. Once a step, before the others are solved, its grid goes through
 * all of the step in substeps of its own, with scripted bodies where they are at each of them, and dynamic ones where its own pushes and gravity bring them.
 *
 *     dynamic bodies   move along in the substeps as the grid pushes them (`pushed-bodies.ts`), are taken back, and get what they gave: the impulse of the whole step, as a force and a torque that act all through it,
 *                      f = J/h,  τ = (L − c × J)/h        J, L  linear and angular impulse about the origin   c  centre of mass at the start
 * Implicit Euler then moves the centre along v, so that c × m v changes by c × J and I ω by the rest: both momenta are exact.
 *
 * Its particles are nodes to drivers and the hand, by their numbers (`holds.ts`). Once drivers have said how what they hold moves in the step, the grid goes through it: held particles move evenly, and what held them is
 * the mean force Σλ/h of the step. Nodes of other models that it touches are guests in its grid (`guests.ts`).
 */

import { type Body, RigidBody } from '../bodies/index.ts';
import { computeHypot3 } from '../math/index.ts';
import {
  ChainPart,
  createLimits,
  type EnergyTerms,
  type ForceFrame,
  isActive,
  isNodeModel,
  type Limits,
  LostThreadError,
  type MaterialGrip,
  type Model,
  movePoints,
  type NodeModel,
  type Stage,
  type StateReader,
  type StateWriter,
  type TurnableModel,
  type Wind,
} from '../model/index.ts';
import { BlockBanded } from '../sparse/index.ts';
import { createBodyForces, createHoldForces } from './body-forces.ts';
import type { PointObstacle } from './collide.ts';
import { type AnyContinuum, type CreateContinuumOptions, createContinuum } from './create.ts';
import { Guests } from './guests.ts';
import { PointHand } from './hand.ts';
import { HAND } from './holds.ts';
import { addPointMomentum, addPointsInertia, blendPointsMotion, computeKineticEnergy, computeMass } from './measure.ts';
import { listShown, type PartFrame, type PartLook, writePartFrame } from './part-frame.ts';
import { cornersOf, type PointPart } from './state.ts';
import { computeLargestStrain } from './strain.ts';
import { computeElasticEnergy, StressWork } from './stress.ts';

/** A part of a continuum with its name, and how it is shown. */
export interface NamedPart {
  readonly id: string;
  readonly part: PointPart;
  readonly look: PartLook;
}

export interface ContinuumModelOptions extends Omit<CreateContinuumOptions, 'parts'> {
  readonly id: string;
  readonly parts: readonly NamedPart[];
  /** Names of other objects that it touches: strands, rods, fabrics, sheets. Default none. */
  readonly touching?: readonly string[] | undefined;
  /** Coefficient of dry friction with them; default: it sticks to them while it is pressed against them. */
  readonly touchingFriction?: number | undefined;
  /** Longest substep [s]; default: as long as sound, viscosity and motion allow. */
  readonly longestStep?: number | undefined;
  /** Limits other than the default ones: `gridSubsteps` of one step of the world after which it is given up, as they have become too short. */
  readonly limits?: Partial<Pick<Limits, 'gridSubsteps'>> | undefined;
}

export class ContinuumModel implements NodeModel, TurnableModel {
  readonly type = 'mpm';
  /** Explicit steps do; implicit ones are left as they are, since their pieces may have nothing to do with each other. */
  readonly keepsSpin = true;
  readonly id: string;
  readonly part: ChainPart;
  readonly signature: string;
  readonly continuum: AnyContinuum;
  readonly parts: readonly NamedPart[];
  /** Force on each obstacle's body in the last step of the world: force [N], then torque about the origin [N m], 6 each. */
  readonly bodyForce: Float64Array;
  /** Force on particles that were held in the last step of the world, 3 a particle [N]. */
  readonly holdForce: Float64Array;
  /** Substeps of the last step of the world. */
  substeps = 0;
  /** Wind that blows on its surfaces and curves. */
  readonly winds: Wind[] = [];
  readonly hand: PointHand;
  readonly #obstacles: readonly PointObstacle[];
  readonly #longest: number;
  readonly #mostSubsteps: number;
  readonly #touching: readonly string[];
  readonly #touchingFriction: number | undefined;
  #guests: Guests | undefined;
  readonly #stress = new StressWork();
  /** Dynamic bodies as models, by obstacle. */
  #rigid: readonly (RigidBody | undefined)[] = [];
  #partners: readonly Model[] = [];
  /** Copies of the state before the step. */
  readonly #saved: readonly Float64Array[];
  #hasAdvanced = false;
  readonly #labels: (Int32Array<ArrayBuffer> | undefined)[] = [];
  #fault: string | null = null;
  /** Whether the second thread went in this step: it is taken again without it. */
  #isThreadLost = false;
  /** Of the step that is taken: start and length, that of the world's whole step, and the end of its stage. */
  #start = 0;
  #step = 0;
  #full = 0;
  #time = 0;

  constructor(options: ContinuumModelOptions) {
    this.id = options.id;
    this.parts = options.parts;
    this.continuum = createContinuum({ ...options, parts: options.parts.map(({ part }) => part) });
    this.part = new ChainPart(options.id, new BlockBanded(0, 1, 0));
    this.#obstacles = options.obstacles ?? [];
    this.bodyForce = new Float64Array(6 * this.#obstacles.length);
    this.#touching = options.touching ?? [];
    this.#mostSubsteps = createLimits(options.limits).gridSubsteps;
    this.#touchingFriction = options.touchingFriction;
    this.#longest = options.longestStep ?? Number.POSITIVE_INFINITY;
    const { count, stressCount } = this.continuum.points;
    this.holdForce = new Float64Array(3 * count);
    this.hand = new PointHand(this.continuum);
    this.signature = JSON.stringify([this.type, this.id, count, stressCount]);
    this.#saved = this.#listState().map((values) => values.slice());
  }

  /** What changes from step to step. */
  #listState(): readonly Float64Array[] {
    const { x, v, C, F, gain } = this.continuum.points;
    return [x, v, C, F, gain, this.bodyForce, this.holdForce];
  }

  createCouplings(_part: number, models: readonly Model[]): readonly [] {
    const others = models.filter(
      (model): model is NodeModel => isNodeModel(model) && this.#touching.includes(model.id),
    );
    this.#guests = others.length > 0 ? new Guests(others, this.#touchingFriction) : undefined;
    this.continuum.holds.guests = this.#guests;
    this.#rigid = this.#obstacles.map(({ body }) =>
      models.find((model): model is RigidBody => model instanceof RigidBody && model.body === body),
    );
    this.#partners = [...others, ...this.#rigid.filter((rigid) => rigid !== undefined)];
    return [];
  }

  detect(): void {}

  adapt(): number {
    return 0;
  }

  beginStep(): void {
    const state = this.#listState();
    for (let n = 0; n < state.length; n++) this.#saved[n].set(state[n]);
    this.#hasAdvanced = false;
    this.#fault = null;
    this.#isThreadLost = false;
    this.continuum.holds.beginStep();
    this.#guests?.beginStep();
  }

  rollBack(): void {
    const state = this.#listState();
    for (let n = 0; n < state.length; n++) state[n].set(this.#saved[n]);
    this.#guests?.rollBack();
    this.continuum.takePoints();
  }

  beginStage(stage: Stage): void {
    this.#start = stage.start;
    this.#step = stage.step;
    this.#full = stage.full;
    this.#time = stage.time;
  }

  /** Drivers have said how what they hold moves: all of the step, once. */
  applyTargets(): void {
    if (this.#hasAdvanced) return;
    this.#hasAdvanced = true;
    const { holds, air } = this.continuum;
    air.winds.length = 0;
    for (const wind of this.winds) if (isActive(wind, this.#start)) air.winds.push(wind);
    this.#guests?.collect(this.#step / this.#full);
    holds.seal();
    this.#advance(this.#start, this.#step);
    this.#guests?.push(this.#step);
    for (const { body } of this.#obstacles) body.moveTo(this.#time);
    this.#pushBodies();
    this.#noteHoldForces();
  }

  #noteHoldForces(): void {
    const { holds } = this.continuum;
    this.holdForce.fill(0);
    for (let r = 0; r < holds.count; r++) {
      const p = holds.particle[r];
      if (p >= 0) holds.addImpulse(p, 1 / this.#step, this.holdForce, 3 * p);
      else if (p === HAND) for (let k = 0; k < 3; k++) this.hand.force[k] = holds.impulse[3 * r + k] / this.#step;
    }
  }

  /** Substeps from `start` on for `duration` seconds. */
  #advance(start: number, duration: number): void {
    const { continuum, bodyForce } = this;
    const { impulse } = continuum.obstacles;
    bodyForce.fill(0);
    this.substeps = 0;
    continuum.obstacles.begin();
    let h = 0;
    for (let left = duration; left > 1e-12 * duration; this.substeps++) {
      if (this.substeps === this.#mostSubsteps) {
        this.#fault = `it needs more than ${this.#mostSubsteps} substeps of the grid`;
        break;
      }
      // with the velocity that leads to where they are after a step as long as the last
      for (const { body } of this.#obstacles) body.moveTo(start + duration - left, Math.min(h, left));
      h = this.#stepOnce(Math.min(left, this.#longest));
      if (this.#isThreadLost) break;
      if (!(h > 0)) {
        this.#fault = 'the step of its grid is not finite';
        break;
      }
      left -= h;
      // not tried for minutes: the world tries shorter steps
      if (left > this.#mostSubsteps * h) {
        this.#fault = `it needs more than ${this.#mostSubsteps} substeps of the grid, each of ${h.toPrecision(3)} s`;
        break;
      }
      for (let k = 0; k < bodyForce.length; k++) bodyForce[k] += impulse[k] / duration;
    }
    continuum.obstacles.end();
  }

  /** A substep of at most `most` seconds; returns its length. */
  #stepOnce(most: number): number {
    try {
      return this.continuum.step(most);
    } catch (error) {
      if (!(error instanceof LostThreadError)) throw error;
      this.#isThreadLost = true;
      this.#fault = error.message;
      return 0;
    }
  }

  /** Gives dynamic bodies what they gave to the grid. */
  #pushBodies(): void {
    this.#rigid.forEach((rigid, n) => {
      if (rigid === undefined) return;
      const f = this.bodyForce.subarray(6 * n, 6 * n + 6);
      const c = rigid.body.centreOfMass;
      for (let k = 0; k < 3; k++) {
        const [a, b] = [(k + 1) % 3, (k + 2) % 3];
        rigid.push[k] += f[k];
        rigid.push[3 + k] += f[3 + k] - (c[a] * f[b] - c[b] * f[a]);
      }
    });
  }

  assemble(): void {}

  hasNode(label: number): boolean {
    return label >= 0 && label < this.continuum.points.count;
  }

  writeNodePosition(label: number, out: Float64Array): void {
    this.continuum.writePlace(label, out);
  }

  writeNodeVelocity(label: number, out: Float64Array): void {
    const { v } = this.continuum.points;
    for (let k = 0; k < 3; k++) out[k] = v[3 * label + k];
  }

  /** Where it is when the step begins: what aims at a place asks before the grid moves. */
  writeNodeBase(label: number, out: Float64Array): void {
    this.continuum.writePlace(label, out);
  }

  holdNode(label: number, bits: number): void {
    this.continuum.holds.hold(label, bits);
  }

  aimNode(label: number, k: number, speed: number): void {
    if (!this.#hasAdvanced) this.continuum.holds.aim(label, k, speed);
  }

  pushNode(label: number, force: ArrayLike<number>): void {
    this.continuum.holds.push(label, force);
  }

  /** It has no unknowns in the world's system. */
  addNodeRow(): void {}

  clearTieForce(): void {}

  addTieForce(): void {}

  computeMass(): number {
    return computeMass(this.continuum.points);
  }

  get frameIds(): readonly string[] {
    return this.parts.map(({ id }) => id);
  }

  /** Particles that the frame of a part shows, in its order. */
  frameLabels(id?: string): Int32Array<ArrayBuffer> {
    const index = this.parts.findIndex((part) => part.id === id);
    if (index < 0) return new Int32Array(0);
    // they stay the same
    this.#labels[index] ??= listShown(this.continuum.points, index, this.parts[index].look);
    return this.#labels[index];
  }

  /** The particle stands for itself; the spring is as strong as its part. */
  takeMaterial(label: number): MaterialGrip | undefined {
    if (!this.hasNode(label)) return undefined;
    const { points } = this.continuum;
    const group = points.groups[points.group[label]];
    const [low, high] = [new Float64Array(3).fill(Infinity), new Float64Array(3).fill(-Infinity)];
    let mass = 0;
    for (let p = 0; p < points.count; p++) {
      if (points.group[p] !== points.group[label]) continue;
      mass += points.mass[p];
      if (p < points.stressCount && cornersOf(group) > 0) continue;
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], points.x[3 * p + k]);
        high[k] = Math.max(high[k], points.x[3 * p + k]);
      }
    }
    const size = computeHypot3(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    return { findNode: () => label, place: [], mass, size: Math.max(size, this.continuum.grid.spacing), stiffness: 0 };
  }

  correct(): number {
    return 0;
  }

  isFarFromLinear(): boolean {
    return false;
  }

  computeStepError(): number {
    return 0;
  }

  findFault(): string | null {
    if (this.#fault !== null) return this.#fault;
    const { x, v } = this.continuum.points;
    let sum = 0;
    for (let k = 0; k < x.length; k++) sum += x[k] + v[k];
    return Number.isFinite(sum) ? null : 'a position or velocity of a particle is not finite';
  }

  wantsRetry(): boolean {
    return this.#isThreadLost;
  }

  endStep(): void {}

  addEnergy(terms: EnergyTerms): void {
    const { continuum } = this;
    const { points, spread, gravity } = continuum;
    terms.kinetic += computeKineticEnergy(points, spread);
    terms.stretch += computeElasticEnergy(points, this.#stress);
    terms.bending += continuum.bending.set(points.x.subarray(3 * points.stressCount));
    for (let p = 0; p < points.count; p++)
      for (let k = 0; k < 3; k++) terms.gravity -= points.mass[p] * gravity[k] * points.x[3 * p + k];
  }

  addMomentum(out: Float64Array): void {
    addPointMomentum(this.continuum.points, this.continuum.spread, out);
  }

  get gravity(): readonly [number, number, number] {
    return this.continuum.gravity;
  }

  /** Bodies and nodes of others that are in its grid. */
  get partners(): readonly Model[] {
    return this.#partners;
  }

  pushes(partner: Model): boolean {
    for (let n = 0; n < this.#rigid.length; n++)
      if (this.#rigid[n] === partner) for (let k = 6 * n; k < 6 * n + 6; k++) if (this.bodyForce[k] !== 0) return true;
    return this.#guests?.isPushed(partner) ?? false;
  }

  isOnItsOwn(time: number): boolean {
    const { holds } = this.continuum;
    for (let r = 0; r < holds.count; r++) if (holds.particle[r] >= 0 || holds.particle[r] === HAND) return false;
    for (const wind of this.winds) if (isActive(wind, time)) return false;
    for (let n = 0; n < this.#obstacles.length; n++)
      if (this.#rigid[n] === undefined)
        for (let k = 6 * n; k < 6 * n + 6; k++) if (this.bodyForce[k] !== 0) return false;
    return true;
  }

  addInertia(out: Float64Array): void {
    addPointsInertia(this.continuum.points, this.continuum.spread, out);
  }

  moveBy(way: Float64Array): void {
    const { x, count } = this.continuum.points;
    movePoints(way, x, 3, count);
    this.continuum.takePoints();
  }

  blendMotion(share: number, motion: Float64Array): void {
    blendPointsMotion(this.continuum.points, share, motion);
    this.continuum.takePoints();
  }

  get nodeCount(): number {
    return this.continuum.points.count;
  }

  computeMaxStrain(): number {
    const { points } = this.continuum;
    let largest = 0;
    for (const group of points.groups) largest = Math.max(largest, computeLargestStrain(points, group));
    return largest;
  }

  frame(): readonly PartFrame[] {
    return this.parts.map(({ id, look }, index) => writePartFrame(this.continuum.points, index, id, look));
  }

  forces(): readonly ForceFrame[] {
    return [
      ...createBodyForces(
        this.id,
        this.bodyForce,
        this.#obstacles.map(({ body }) => body.position),
      ),
      ...createHoldForces(this.id, this.continuum.points.x, this.holdForce),
    ];
  }

  /** Adds the force on a body to out[at…] [N]. */
  addForceOn(body: Body, out: Float64Array, at: number): void {
    this.#obstacles.forEach((obstacle, n) => {
      if (obstacle.body === body) for (let k = 0; k < 3; k++) out[at + k] += this.bodyForce[6 * n + k];
    });
  }

  writeState(writer: StateWriter): void {
    for (const values of this.#listState()) writer.array(values);
    this.#guests?.writeState(writer);
  }

  readState(reader: StateReader): void {
    for (const values of this.#listState()) reader.array(values);
    this.#guests?.readState(reader);
    this.continuum.takePoints();
  }
}
