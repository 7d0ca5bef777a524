/**
 * What a rod stores: the nodes (x, u) of a chain, and for each segment a unit quaternion, kept at the index of its first node.
 *
 *     0 ──q₀── 1 ──q₁── 2 ── … ── n−1          columns of R(q): d₁, d₂, d₃; d₃ runs along the segment
 *
 * The frame sits at the middle of its segment. `omega` is how fast it turns, `spin` how fast the material in it does, both in the axes of
 * the frame: they differ where material slides [theory/rod#convected-frames], ω = spin + κ u̇.
 */
import { CurveChain } from '../curve/index.ts';
import { grow, spinQuaternion } from '../math/index.ts';
import { NODE_LAGRANGIAN, type StateReader, type StateWriter } from '../model/index.ts';
import { BendElement } from './energy-bend.ts';
import { StretchElement } from './energy-stretch.ts';
import type { NaturalTable } from './natural.ts';
import type { RodOptions } from './options.ts';
import type { RodMaterial } from './section.ts';
import { placeNodes } from './start.ts';

/** Places for nodes that come by refinement, at the start. */
const SPARE = 32;

export class RodState {
  readonly material: RodMaterial;
  readonly chain: CurveChain;
  readonly restLength: number;
  /** Mean spacing of the nodes at the start [m]. */
  readonly spacing: number;
  readonly natural: NaturalTable;
  frame: Float64Array;
  frameStart: Float64Array;
  frameBase: Float64Array;
  omega: Float64Array;
  spin: Float64Array;
  spinStart: Float64Array;
  spinBase: Float64Array;
  /** Bits of the axes of a frame that are held, and their velocities. */
  frameCancelled: Uint8Array;
  frameTarget: Float64Array;
  /** Share of the real stretch stiffness that a segment has: other than 1 for a while after it took over another (paper §4.2). */
  softness: Float64Array;
  /** Strain Γ without force of a segment: other than 0 for a while after nodes came or went (`adapt.ts`). */
  slack: Float64Array;
  /** Slack that went since the last stage, over what is left; damping does not see it go. */
  relief = 0;
  /** Strains that the stage starts with, for damping: Γ of segments, κ of nodes. */
  gammaBase: Float64Array;
  kappaBase: Float64Array;
  /** 1 for nodes that contacts hold, so that their u is free, by place. */
  sliding: Uint8Array;
  /** Forces of drivers on nodes [N], by place. */
  push: Float64Array;
  /** What holds a node, and what touches it [N], by place. */
  reaction: Float64Array;
  contact: Float64Array;
  /** Torque that holds a frame, in world axes [N m], by place. */
  torque: Float64Array;
  /** Labels given out so far. */
  nextLabel: number;
  /** Nodes that came or went since the start. */
  remeshings = 0;
  readonly #stretch = new StretchElement();
  readonly #bend = new BendElement();
  /** Turn of a frame; times that calls pass would be allocated. */
  readonly #turn = new Float64Array(3);
  readonly #index = new Map<number, number>();
  #stored: readonly (readonly [Stored, number])[] = [];
  readonly #before: { count: number; nextLabel: number; remeshings: number; arrays: Stored[] } = {
    count: 0,
    nextLabel: 0,
    remeshings: 0,
    arrays: [],
  };

  constructor(options: RodOptions) {
    const start = placeNodes(options);
    this.material = options.material;
    this.natural = start.natural;
    this.restLength = start.restLength;
    const count = start.u.length;
    this.spacing = start.restLength / (count - 1);
    const capacity = count + SPARE;
    const { linearDensity, radius } = options.material;
    this.chain = new CurveChain({ linearDensity, stretchStiffness: 0, bendingStiffness: 0, radius }, capacity);
    this.frame = new Float64Array(4 * capacity);
    this.frameStart = new Float64Array(4 * capacity);
    this.frameBase = new Float64Array(4 * capacity);
    this.omega = new Float64Array(3 * capacity);
    this.spin = new Float64Array(3 * capacity);
    this.spinStart = new Float64Array(3 * capacity);
    this.spinBase = new Float64Array(3 * capacity);
    this.frameCancelled = new Uint8Array(capacity);
    this.frameTarget = new Float64Array(3 * capacity);
    this.softness = new Float64Array(capacity).fill(1);
    this.slack = new Float64Array(3 * capacity);
    this.gammaBase = new Float64Array(3 * capacity);
    this.kappaBase = new Float64Array(3 * capacity);
    this.sliding = new Uint8Array(capacity);
    this.push = new Float64Array(3 * capacity);
    this.reaction = new Float64Array(4 * capacity);
    this.contact = new Float64Array(3 * capacity);
    this.torque = new Float64Array(3 * capacity);
    this.nextLabel = count;
    const { chain } = this;
    chain.count = count;
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        chain.q[4 * i + k] = start.x[3 * i + k];
        chain.v[4 * i + k] = start.v[3 * i + k];
      }
      chain.q[4 * i + 3] = start.u[i];
      chain.label[i] = i;
      chain.kept[i] = start.kept[i];
      chain.pointMass[i] = start.mass[i];
    }
    this.frame.set(start.frames);
    this.spin.set(start.spin);
    this.updateIndex();
  }

  /** Number of nodes. */
  get count(): number {
    return this.chain.count;
  }

  get capacity(): number {
    return this.chain.label.length;
  }

  /** Place of a node; −1 where there is none of that label now. */
  indexOf(label: number): number {
    return this.#index.get(label) ?? -1;
  }

  updateIndex(): void {
    this.#index.clear();
    for (let i = 0; i < this.chain.count; i++) this.#index.set(this.chain.label[i], i);
  }

  /** Label of the node nearest to a share of the material length. */
  findLabel(share: number): number {
    const { q, label, count } = this.chain;
    const u = share * this.restLength;
    let best = 0;
    for (let i = 1; i < count; i++) if (Math.abs(q[4 * i + 3] - u) < Math.abs(q[4 * best + 3] - u)) best = i;
    return label[best];
  }

  /** Index of the segment that has the material coordinate u. */
  findSegment(u: number): number {
    const { q, count } = this.chain;
    let low = 0;
    let high = count - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (q[4 * middle + 3] <= u) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Half of the material length of both segments at inner node i [m]: what its bend is spread over. */
  bendLength(i: number): number {
    const { q } = this.chain;
    return 0.5 * (q[4 * i + 7] - q[4 * i - 1]);
  }

  /** Remembers the state as that of the start of the step. */
  beginStep(): void {
    this.chain.beginStep();
    this.frameStart.set(this.frame);
    this.spinStart.set(this.spin);
  }

  /** q̂ and v̂ of a stage; v goes on as v̂. Positions follow by `writeIterate`, once what is held has its velocity. */
  beginStage(drift: number, kick: number): void {
    const { chain, omega, spin, frameBase, spinBase, frameStart, spinStart } = this;
    chain.beginStage(drift, kick);
    frameBase.set(frameStart);
    const n = 3 * (chain.count - 1);
    if (drift !== 0) for (let e = 0; e < chain.count - 1; e++) spinQuaternion(frameBase, 4 * e, omega, 3 * e, drift);
    for (let k = 0; k < n; k++) spinBase[k] = spinStart[k] + kick * (spin[k] - spinStart[k]);
    chain.v.set(chain.vBase);
    omega.set(spinBase);
  }

  /** q = q̂ + h v for the iterate v. */
  writeIterate(h: number): void {
    const { chain, frame, frameBase, omega } = this;
    const { q, v, qBase, count } = chain;
    for (let k = 0; k < 4 * count; k++) q[k] = qBase[k] + h * v[k];
    frame.set(frameBase);
    const turn = this.#turn;
    for (let e = 0; e < count - 1; e++) {
      for (let k = 0; k < 3; k++) turn[k] = h * omega[3 * e + k];
      spinQuaternion(frame, 4 * e, turn, 0, 1);
    }
  }

  /** Gives the energy of segment e its stiffness and slack. */
  setStretch({ C, slack }: StretchElement, e: number): void {
    const { stretch } = this.material;
    const soft = this.softness[e];
    C[0] = soft * stretch[0];
    C[1] = soft * stretch[1];
    C[2] = soft * stretch[2];
    slack[0] = this.slack[3 * e];
    slack[1] = this.slack[3 * e + 1];
    slack[2] = this.slack[3 * e + 2];
  }

  /** Strains at q̂: κ, and Γ where it is damped. */
  writeBaseStrains(isDamped: boolean): void {
    const { chain, frameBase, gammaBase, kappaBase } = this;
    const { qBase, count } = chain;
    const stretch = this.#stretch;
    const bend = this.#bend;
    if (isDamped)
      for (let e = 0; e < count - 1; e++) {
        stretch.writeStrain(qBase, 4 * e, frameBase, 4 * e, gammaBase, 3 * e);
        for (let k = 3 * e; k < 3 * e + 3; k++) gammaBase[k] -= this.relief * this.slack[k];
      }
    this.relief = 0;
    for (let i = 1; i < count - 1; i++) {
      bend.writeQuarterTurn(frameBase, 4 * i - 4, 4 * i, kappaBase, 3 * i);
      const scale = 4 / (0.5 * (qBase[4 * i + 7] - qBase[4 * i - 1]));
      for (let k = 3 * i; k < 3 * i + 3; k++) kappaBase[k] *= scale;
    }
  }

  /** Opens a place for a node at i + 1, within segment i; the caller fills node and frames. */
  insert(i: number): number {
    if (this.chain.count + 1 > this.capacity) this.reserve(2 * this.capacity);
    this.chain.insert(i + 1);
    const { count } = this.chain;
    this.frame.copyWithin(4 * (i + 1), 4 * i, 4 * (count - 1));
    this.spin.copyWithin(3 * (i + 1), 3 * i, 3 * (count - 1));
    this.softness.copyWithin(i + 1, i, count - 1);
    this.slack.copyWithin(3 * (i + 1), 3 * i, 3 * (count - 1));
    this.frameCancelled.copyWithin(i + 1, i, count - 1);
    // of a held segment the outer half stays held
    this.frameCancelled[i === 0 ? 1 : i] = 0;
    this.sliding.copyWithin(i + 2, i + 1, count - 1);
    this.sliding[i + 1] = 0;
    const label = this.nextLabel++;
    this.chain.label[i + 1] = label;
    this.chain.kind[i + 1] = NODE_LAGRANGIAN;
    this.chain.kept[i + 1] = 0;
    this.chain.pointMass[i + 1] = 0;
    this.chain.cancelled[i + 1] = 0;
    this.remeshings++;
    return label;
  }

  /** Takes node i out, 0 < i < count − 1; segment i − 1 takes over segment i. The caller sets its frame. */
  remove(i: number): void {
    const { count } = this.chain;
    this.chain.remove(i);
    this.frame.copyWithin(4 * i, 4 * (i + 1), 4 * count);
    this.spin.copyWithin(3 * i, 3 * (i + 1), 3 * count);
    this.softness.copyWithin(i, i + 1, count);
    this.slack.copyWithin(3 * i, 3 * (i + 1), 3 * count);
    const held = this.frameCancelled[i - 1] | this.frameCancelled[i];
    this.frameCancelled.copyWithin(i, i + 1, count);
    this.frameCancelled[i - 1] = held;
    this.sliding.copyWithin(i, i + 1, count);
    this.remeshings++;
  }

  reserve(capacity: number): void {
    this.#stored = [];
    this.chain.reserve(capacity);
    this.frame = grow(this.frame, 4 * capacity);
    this.frameStart = grow(this.frameStart, 4 * capacity);
    this.frameBase = grow(this.frameBase, 4 * capacity);
    this.omega = grow(this.omega, 3 * capacity);
    this.spin = grow(this.spin, 3 * capacity);
    this.spinStart = grow(this.spinStart, 3 * capacity);
    this.spinBase = grow(this.spinBase, 3 * capacity);
    this.frameCancelled = grow(this.frameCancelled, capacity);
    this.frameTarget = grow(this.frameTarget, 3 * capacity);
    this.softness = grow(this.softness, capacity);
    this.slack = grow(this.slack, 3 * capacity);
    this.gammaBase = grow(this.gammaBase, 3 * capacity);
    this.kappaBase = grow(this.kappaBase, 3 * capacity);
    this.sliding = grow(this.sliding, capacity);
    this.push = grow(this.push, 3 * capacity);
    this.reaction = grow(this.reaction, 4 * capacity);
    this.contact = grow(this.contact, 3 * capacity);
    this.torque = grow(this.torque, 3 * capacity);
  }

  /** All that makes the state, with the numbers per node; the list is kept until arrays are replaced. */
  #listStored(): readonly (readonly [Stored, number])[] {
    if (this.#stored.length > 0) return this.#stored;
    const { q, v, label, kept, pointMass } = this.chain;
    this.#stored = [
      [q, 4],
      [v, 4],
      [label, 1],
      [kept, 1],
      [pointMass, 1],
      [this.frame, 4],
      [this.spin, 3],
      [this.softness, 1],
      [this.slack, 3],
      [this.sliding, 1],
      [this.frameCancelled, 1],
      [this.reaction, 4],
      [this.contact, 3],
      [this.torque, 3],
    ];
    return this.#stored;
  }

  /** Remembers everything, before nodes come and go. */
  remember(): void {
    const before = this.#before;
    before.count = this.count;
    before.nextLabel = this.nextLabel;
    before.remeshings = this.remeshings;
    const stored = this.#listStored();
    for (let n = 0; n < stored.length; n++) {
      const values = stored[n][0];
      if (before.arrays[n]?.length === values.length) before.arrays[n].set(values);
      else before.arrays[n] = values.slice();
    }
  }

  /** Back to what `remember` saw. */
  restore(): void {
    const before = this.#before;
    this.chain.count = before.count;
    this.nextLabel = before.nextLabel;
    this.remeshings = before.remeshings;
    const stored = this.#listStored();
    // arrays may have grown since
    for (let n = 0; n < stored.length; n++) stored[n][0].set(before.arrays[n]);
    this.updateIndex();
  }

  writeState(writer: StateWriter): void {
    writer.number(this.count);
    writer.number(this.nextLabel);
    writer.number(this.remeshings);
    for (const [values, width] of this.#listStored()) writer.array(values.subarray(0, width * this.count));
  }

  readState(reader: StateReader): void {
    const count = reader.number();
    // counts that cannot be are refused by the arrays that follow
    if (count > this.capacity && count < 1e7) this.reserve(count + SPARE);
    this.nextLabel = reader.number();
    this.remeshings = reader.number();
    for (const [values] of this.#listStored()) reader.array(values);
    this.chain.count = count;
    this.updateIndex();
  }
}

type Stored = Float64Array | Int32Array | Uint8Array;
