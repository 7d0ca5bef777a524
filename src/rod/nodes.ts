/**
 * A rod as drivers, ties, hands, probes and pictures see it: nodes by their labels, the frames at its ends, and what is measured of it. How it
 * moves is in `step.ts`.
 */
import { listChainSegments, writeChainMaterialVelocity } from '../curve/index.ts';
import {
  conjugateQuaternion,
  multiplyQuaternion,
  type Quaternion,
  rotationVectorFromQuaternion,
  type Vec3,
} from '../math/index.ts';
import {
  type ConstraintRows,
  type CurveFrame,
  type EnergyTerms,
  type ForceFrame,
  type MaterialGrip,
  movePoints,
} from '../model/index.ts';
import { createRodForces } from './force-frames.ts';
import {
  addRodEnergy,
  addRodInertia,
  addRodMomentum,
  blendRodMotion,
  computeRodMass,
  computeRodStrain,
  createRodFrame,
} from './measure.ts';
import type { RodOptions } from './options.ts';
import { RodState } from './state.ts';
import { STRIDE } from './system.ts';

/** Axes of a frame that are held, as bits: about d₁, d₂, d₃. */
export const HOLD_BEND = 3;
export const HOLD_TWIST = 4;
export const HOLD_FRAME = 7;
export type RodEnd = 'start' | 'end';

export abstract class RodNodes {
  readonly id: string;
  readonly state: RodState;
  readonly gravity: Vec3;
  #segments = new Int32Array(0);

  constructor(options: RodOptions) {
    this.id = options.id;
    this.gravity = options.gravity ?? [0, -9.81, 0];
    this.state = new RodState(options);
  }

  get nodeCount(): number {
    return this.state.count;
  }

  get chain() {
    return this.state.chain;
  }

  get radius(): number {
    return this.state.material.radius;
  }

  get friction(): number {
    return this.state.material.friction;
  }

  listSegments(): Int32Array {
    this.#segments = listChainSegments(this.state.chain, this.#segments);
    return this.#segments;
  }

  writeNodeMaterialVelocity(label: number, out: Float64Array): void {
    writeChainMaterialVelocity(this.state.chain, this.state.indexOf(label), out);
  }

  hasNode(label: number): boolean {
    return this.state.indexOf(label) >= 0;
  }

  writeNodePosition(label: number, out: Float64Array): void {
    this.#writeNode(this.state.chain.q, label, out);
  }

  writeNodeVelocity(label: number, out: Float64Array): void {
    this.#writeNode(this.state.chain.v, label, out);
  }

  writeNodeBase(label: number, out: Float64Array): void {
    this.#writeNode(this.state.chain.qBase, label, out);
  }

  #writeNode(values: Float64Array, label: number, out: Float64Array): void {
    const at = 4 * this.state.indexOf(label);
    for (let k = 0; k < 3; k++) out[k] = values[at + k];
  }

  holdNode(label: number, bits: number): void {
    const i = this.state.indexOf(label);
    this.state.chain.cancelled[i] |= bits;
    for (let k = 0; k < 3; k++) this.state.chain.target[4 * i + k] = 0;
  }

  aimNode(label: number, k: number, speed: number): void {
    this.state.chain.target[4 * this.state.indexOf(label) + k] = speed;
  }

  pushNode(label: number, force: ArrayLike<number>): void {
    const at = 3 * this.state.indexOf(label);
    for (let k = 0; k < 3; k++) this.state.push[at + k] += force[k];
  }

  addNodeRow(rows: ConstraintRows, part: number, label: number, k: number, sign: number): void {
    const i = this.state.indexOf(label);
    if (!(this.state.chain.cancelled[i] & (1 << k))) rows.addEntry(part, STRIDE * i + k, sign);
  }

  clearTieForce(label: number): void {
    const i = this.state.indexOf(label);
    for (let k = 0; k < 3; k++) if (!(this.state.chain.cancelled[i] & (1 << k))) this.state.reaction[4 * i + k] = 0;
  }

  addTieForce(label: number, force: Float64Array, sign: number): void {
    const i = this.state.indexOf(label);
    for (let k = 0; k < 3; k++)
      if (!(this.state.chain.cancelled[i] & (1 << k))) this.state.reaction[4 * i + k] += sign * force[k];
  }

  /** Index of the segment at an end. */
  endSegment(end: RodEnd): number {
    return end === 'start' ? 0 : this.state.count - 2;
  }

  /** Holds axes (HOLD_* bits) of the frame at an end for this step. */
  holdFrame(end: RodEnd, bits: number): void {
    const e = this.endSegment(end);
    this.state.frameCancelled[e] |= bits;
    this.state.frameTarget.fill(0, 3 * e, 3 * e + 3);
  }

  /** Angular velocity of held axes in the stage to come, in the axes of the frame [rad/s]. */
  aimFrame(end: RodEnd, velocity: ArrayLike<number>): void {
    const at = 3 * this.endSegment(end);
    for (let k = 0; k < 3; k++) this.state.frameTarget[at + k] = velocity[k];
  }

  /** Frame at an end, now. */
  readFrame(end: RodEnd): Quaternion {
    const at = 4 * this.endSegment(end);
    const { frame } = this.state;
    return [frame[at], frame[at + 1], frame[at + 2], frame[at + 3]];
  }

  /** Frame at an end that the implicit stage starts from. */
  readFrameBase(end: RodEnd): Quaternion {
    const at = 4 * this.endSegment(end);
    const { frameBase } = this.state;
    return [frameBase[at], frameBase[at + 1], frameBase[at + 2], frameBase[at + 3]];
  }

  /** Turns a held frame so that it is `wanted` at the end of the stage of length h. */
  aimFrameAt(end: RodEnd, wanted: Quaternion, h: number): void {
    const base = this.readFrameBase(end);
    const turn = rotationVectorFromQuaternion(multiplyQuaternion(conjugateQuaternion(base), wanted));
    this.aimFrame(end, [turn[0] / h, turn[1] / h, turn[2] / h]);
  }

  addEnergy(terms: EnergyTerms): void {
    addRodEnergy(this.state, this.gravity, terms);
  }

  addMomentum(out: Float64Array): void {
    addRodMomentum(this.state, out);
  }

  addInertia(out: Float64Array): void {
    addRodInertia(this.state, out);
  }

  moveBy(way: Float64Array): void {
    movePoints(way, this.state.chain.q, 4, this.state.chain.count);
  }

  blendMotion(share: number, motion: Float64Array): void {
    blendRodMotion(this.state, share, motion);
  }

  computeMaxStrain(): number {
    return computeRodStrain(this.state);
  }

  computeMass(): number {
    return computeRodMass(this.state);
  }

  frame(): CurveFrame {
    return createRodFrame(this.id, this.state);
  }

  frameLabels(): Int32Array<ArrayBuffer> {
    return this.state.chain.label.slice(0, this.state.count) as Int32Array<ArrayBuffer>;
  }

  forces(): ForceFrame[] {
    return createRodForces(this.id, this.state);
  }

  takeMaterial(label: number, place?: readonly number[]): MaterialGrip | undefined {
    const { state } = this;
    const i = Number.isInteger(label) ? state.indexOf(label) : -1;
    if (i < 0 && place === undefined) return undefined;
    const [share] = place ?? [state.chain.q[4 * i + 3] / state.restLength];
    return {
      findNode: () => (state.indexOf(label) >= 0 ? label : state.findLabel(share)),
      place: [share],
      mass: this.computeMass(),
      size: state.restLength,
      stiffness: state.material.stretch[2] / state.restLength,
    };
  }
}
