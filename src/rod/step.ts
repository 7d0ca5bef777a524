/**
 * A Cosserat rod whose material points move (r) and come and go (h), after [Wen 2020]: nodes (x, u) and a unit quaternion per
 * segment. The incremental potential ½ ‖r − r̂‖²_M + h² V(r) is minimised by Newton's method with a banded LDLT (linear in the number of nodes);
 * where the exact stiffness is indefinite, its positive part is taken. Contacts are couplings
 * (`curve/curve-contacts.ts`, `curve/body-contacts.ts`) that see a rod as a `TouchingCurve`.
 * Without `sliding` and `refinement` it is the purely Lagrangian rod to compare with.
 */
import type { TouchingCurve } from '../curve/index.ts';
import { spinQuaternion } from '../math/index.ts';
import {
  CANCEL_POSITION,
  CANCEL_U,
  ChainPart,
  cancelFolded,
  type LineModel,
  NODE_EULERIAN,
  NODE_LAGRANGIAN,
  type Stage,
  type StateReader,
  type StateWriter,
  type TurnableModel,
} from '../model/index.ts';
import { BlockBanded } from '../sparse/index.ts';
import { RodRefinement } from './adapt.ts';
import { MeshMotion } from './mesh-motion.ts';
import { StageMomentum } from './momentum.ts';
import { RodNodes } from './nodes.ts';
import { DEFAULT_REFINEMENT, type RodOptions } from './options.ts';
import { RodPotential } from './potential.ts';
import { RodReactions } from './reactions.ts';
import { RodAssembly, type RodStage, STRIDE, writeSegmentStrain } from './system.ts';

/**
 * Turn φ of a frame by one correction above which an iterate says too little [rad]: it leaves a strain of φ²/2, whose force EA (1 + β/h) φ²/2, β the
 * damping, is to be small beside the forces of bending, EI/Δu², and of all else. At most, at least, and that share. At most 1e-3 a coiled cord still
 * gained energy as it swung.
 */
const LINEAR_TURN = { most: 2.5e-4, least: 2e-5, share: 5e-3 } as const;
/** Turn by one correction above which the potential is looked at [rad], the smallest share that is tried, and what is rounding. */
const SEARCH_TURN = 0.03;
const SHORTEST_SHARE = 0.1;
const ROUNDING = 1e-12;
/** Most that a correction may turn a frame [rad]: Newton would not find back from beyond. */
const MOST_TURN = 0.5;
/** Iterations with the positive part of the stiffness before it is looked whether rows leave a minimum, and the largest correction with which it is. */
const POSITIVE_ITERATIONS = 8;
const NEAR_SOLUTION = 0.05;
/** Way of material through nodes in a step that counts as none, relative to the mean spacing. */
const STILL = 1e-5;
/** Correction that leaves momentum as it is, where material moves. */
const SETTLED = 1e-4;
/** Segments shorter than this share of the mean spacing have run out of material: the step is taken again, shorter. */
const SMALLEST = 1e-4;
/** A node asked for nearer than this share of the mean spacing to another is that one. */
const SAME_NODE = 0.1;

export class Rod extends RodNodes implements LineModel, TouchingCurve, TurnableModel {
  readonly type = 'rod';
  readonly part: ChainPart;
  readonly signature: string;
  readonly stride = STRIDE;
  readonly #motion: MeshMotion | undefined;
  readonly #refinement: RodRefinement;
  readonly #refines: boolean;
  readonly #linearTurn: number;
  readonly #assembly = new RodAssembly();
  readonly #reactions = new RodReactions();
  readonly #potential = new RodPotential();
  readonly #momentum = new StageMomentum();
  readonly #stage: RodStage;
  /** Turn of a frame; times that calls pass would be allocated. */
  readonly #rotation = new Float64Array(3);
  /** κ and u̇ of a segment. */
  readonly #kappa = new Float64Array(4);
  #isFinite = true;
  /** Largest turn by the last correction [rad]. */
  #turn = 0;
  /** How much of the last correction may be taken. */
  #share = 1;
  /** Size of the last correction, relative to the shortest segment. */
  #correction = 0;
  /** Largest |u̇| [m/s]. */
  #fastest = 0;
  #isMoving = false;
  #h = 0;
  #changes = 0;
  /** Iterations with the positive part before rows that may leave a minimum get a chance; ∞ where there was none. */
  #positiveLeft = 0;

  constructor(options: RodOptions) {
    super(options);
    this.#motion = options.sliding ? new MeshMotion(options.sliding, options.refinement || undefined) : undefined;
    this.#refines = Boolean(options.refinement);
    this.#refinement = new RodRefinement(options.refinement || DEFAULT_REFINEMENT);
    const { bend, stretch } = options.material;
    const ratio = Math.min(...bend) / (stretch[2] * this.state.spacing ** 2);
    const { most, least, share } = LINEAR_TURN;
    this.#linearTurn = Math.max(least, Math.min(most, Math.sqrt(2 * share * ratio)));
    this.part = new ChainPart(this.id, new BlockBanded(this.state.capacity, STRIDE, 1));
    this.signature = JSON.stringify([this.type, this.id, this.state.restLength, this.state.spacing]);
    this.#stage = {
      h: 0,
      linearized: false,
      keepsMomentum: true,
      massDamping: options.damping?.mass ?? 0,
      stiffnessDamping: options.damping?.stiffness ?? 0,
      gravity: Float64Array.from(this.gravity),
      isExact: true,
    };
  }

  detect(h: number): void {
    this.state.remember();
    this.#changes = 0;
    this.#h = h;
  }

  adapt(): number {
    const { state } = this;
    if (this.#refines) this.#changes += this.#refinement.adapt(state);
    this.#refinement.recover(state, this.#h);
    if (this.part.matrix.capacity < state.count) {
      this.part.matrix.reserve(state.capacity);
      this.part.rhs = new Float64Array(STRIDE * this.part.matrix.capacity);
    }
    return this.#changes;
  }

  beginStep(): void {
    const { state } = this;
    const { chain, sliding, count } = state;
    state.push.fill(0, 0, 3 * count);
    state.frameCancelled.fill(0, 0, count);
    state.reaction.fill(0, 0, 4 * count);
    state.torque.fill(0, 0, 3 * count);
    this.#isMoving = this.#motion !== undefined;
    for (let i = 0; i < count; i++) {
      chain.cancelled[i] = sliding[i] ? 0 : CANCEL_U;
      if (sliding[i]) this.#isMoving = true;
    }
    for (let i = 0; i < count; i++) chain.kind[i] = this.#isMoving ? NODE_EULERIAN : NODE_LAGRANGIAN;
    // ends stay ends
    chain.kind[0] = chain.kind[count - 1] = NODE_LAGRANGIAN;
    state.beginStep();
  }

  rollBack(): void {
    this.state.restore();
  }

  beginStage(stage: Stage, drift: number, kick: number): void {
    const { state } = this;
    const { chain } = state;
    this.#stage.h = stage.h;
    this.#stage.isExact = true;
    this.#positiveLeft = POSITIVE_ITERATIONS;
    this.#correction = Number.POSITIVE_INFINITY;
    // a second stage goes on from the spin of the first
    if (kick !== 0) this.#readSpin();
    if (this.#isMoving) this.#momentum.begin(state, kick);
    state.beginStage(drift, kick);
    if (this.#isMoving) this.#momentum.end(state);
    const isDamped = this.#stage.stiffnessDamping > 0;
    if (this.#isMoving || isDamped) state.writeBaseStrains(isDamped);
    if (this.#motion) this.#motion.aim(state, stage.step);
    else for (let i = 0; i < chain.count; i++) if (!state.sliding[i]) chain.v[4 * i + 3] = 0;
    if (this.#isMoving) this.#convectFrames();
  }

  /** What moves along a bent rod turns with it: ω = spin + κ u̇. */
  #convectFrames(): void {
    const { state } = this;
    const { omega, count } = state;
    const kappa = this.#kappa;
    for (let e = 0; e < count - 1; e++) {
      writeSegmentStrain(state, e, kappa);
      for (let k = 0; k < 3; k++) omega[3 * e + k] += kappa[3] * kappa[k];
    }
  }

  applyTargets(): void {
    const { state } = this;
    const { chain, frameCancelled, frameTarget, omega, count } = state;
    const { v, target, cancelled } = chain;
    for (let i = 0; i < count; i++) {
      const bits = cancelled[i] & CANCEL_POSITION;
      if (bits) for (let k = 0; k < 3; k++) if (bits & (1 << k)) v[4 * i + k] = target[4 * i + k];
      if (frameCancelled[i])
        for (let k = 0; k < 3; k++) if (frameCancelled[i] & (1 << k)) omega[3 * i + k] = frameTarget[3 * i + k];
    }
    state.writeIterate(this.#stage.h);
  }

  assemble(): void {
    const { state, part } = this;
    this.#assembly.write(state, this.#stage, this.#isMoving, part);
    if (this.#isMoving) this.#momentum.addTo(part.rhs, STRIDE, state.count);
    part.isTentative = this.#positiveLeft > 0 || this.#correction > NEAR_SOLUTION;
    this.#reactions.save(state, part.matrix, part.rhs);
    const { chain, frameCancelled, count } = state;
    for (let i = 0; i < count; i++) {
      const bits = chain.cancelled[i] & CANCEL_POSITION;
      for (let k = 0; k < 3 && bits; k++) if (bits & (1 << k)) cancelFolded(part, STRIDE * i + k);
      for (let k = 0; k < 3 && frameCancelled[i]; k++)
        if (frameCancelled[i] & (1 << k)) cancelFolded(part, STRIDE * i + 4 + k);
    }
  }

  /**
   * The exact stiffness was not definite: its positive part is, for this iteration where there are rows, else for the rest of the stage. It converges
   * slowly: near the solution rows that leave a minimum all the same get a chance, one that costs more.
   */
  takePositivePart(): boolean {
    const canChange = this.#stage.isExact;
    this.#stage.isExact = false;
    this.#positiveLeft = this.part.isTentative ? Math.max(0, this.#positiveLeft - 1) : Number.POSITIVE_INFINITY;
    return canChange;
  }

  correct(stage: Stage): number {
    const { h } = stage;
    const { rhs } = this.part;
    if (stage.rows > 0) this.#stage.isExact = true;
    this.#reactions.read(this.state, rhs, h);
    this.#takeBackSlides();
    let largest = this.#measureCorrection(h);
    const share = this.#share;
    if (share < 1) {
      for (let k = 0; k < STRIDE * this.state.count; k++) rhs[k] *= share;
      largest = this.#measureCorrection(h);
    }
    this.#correction = largest;
    if (!this.#isFinite) return Number.NaN;
    const isLarge = this.#turn > SEARCH_TURN && stage.rows === 0;
    const before = isLarge ? this.#potential.compute(this.state, this.#stage, this.gravity) : 0;
    this.#advance(h, 1);
    let taken = 1;
    for (; isLarge && taken > SHORTEST_SHARE; taken /= 2) {
      const after = this.#potential.compute(this.state, this.#stage, this.gravity);
      if (after <= before + ROUNDING * Math.abs(before)) break;
      this.#advance(h, -taken / 2);
    }
    // a shortened one has not converged
    return share < 1 || taken < 1 ? Math.max(1, largest) : largest;
  }

  /** Nodes whose u̇ was held after the solve go back along the rod, which leaves that where it is. */
  #takeBackSlides(): void {
    const { chain, sliding, count } = this.state;
    const { q, cancelled } = chain;
    const { rhs } = this.part;
    for (let i = 1; i < count - 1; i++) {
      const slide = rhs[STRIDE * i + 3];
      if (!sliding[i] || !(cancelled[i] & CANCEL_U) || slide === 0) continue;
      const [a, b] = [4 * i - 4, 4 * i + 4];
      for (let k = 0; k < 3; k++) rhs[STRIDE * i + k] -= (slide * (q[b + k] - q[a + k])) / (q[b + 3] - q[a + 3]);
      rhs[STRIDE * i + 3] = 0;
    }
  }

  /**
   * Size of the correction: motion relative to the shortest segment, or turn of a frame. And how much of it may be taken: no frame turns
   * too far, no segment loses its material.
   */
  #measureCorrection(h: number): number {
    const { chain, count, spacing } = this.state;
    const { q } = chain;
    const { rhs } = this.part;
    let largest = 0;
    let turn = 0;
    let sum = 0;
    let share = 1;
    let smallest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const at = STRIDE * i;
      const x = Math.abs(rhs[at]);
      const y = Math.abs(rhs[at + 1]);
      const z = Math.abs(rhs[at + 2]);
      const u = Math.abs(rhs[at + 3]);
      sum += x + y + z + u;
      largest = Math.max(largest, x, y, z, u);
      if (i === count - 1) continue;
      const a = Math.abs(rhs[at + 4]);
      const b = Math.abs(rhs[at + 5]);
      const c = Math.abs(rhs[at + 6]);
      sum += a + b + c;
      turn = Math.max(turn, a, b, c);
      const du = q[4 * i + 7] - q[4 * i + 3];
      if (du < smallest) smallest = du;
      const change = h * (rhs[at + STRIDE + 3] - rhs[at + 3]);
      if (change < 0) share = Math.min(share, (-0.5 * du) / change);
    }
    this.#isFinite = Number.isFinite(sum);
    this.#turn = h * turn;
    this.#share = this.#turn * share > MOST_TURN ? MOST_TURN / this.#turn : share;
    return Math.max((largest * h) / Math.max(SMALLEST * spacing, smallest), this.#turn);
  }

  /** Goes a share of the correction. */
  #advance(h: number, share: number): void {
    const { chain, frame, omega, count } = this.state;
    const { q, v, qBase } = chain;
    const { rhs } = this.part;
    const rotation = this.#rotation;
    const way = share * h;
    let fastest = 0;
    for (let i = 0; i < count; i++) {
      const at = STRIDE * i;
      for (let k = 0; k < 4; k++) {
        const speed = v[4 * i + k] + share * rhs[at + k];
        v[4 * i + k] = speed;
        q[4 * i + k] = qBase[4 * i + k] + h * speed;
      }
      fastest = Math.max(fastest, Math.abs(v[4 * i + 3]));
      if (i === count - 1) continue;
      for (let k = 0; k < 3; k++) {
        omega[3 * i + k] += share * rhs[at + 4 + k];
        rotation[k] = way * rhs[at + 4 + k];
      }
      spinQuaternion(frame, 4 * i, rotation, 0, 1);
    }
    this.#fastest = fastest;
  }

  /** Inertia changes with material that moves: only iterates keep momentum. */
  isFarFromLinear({ h }: Stage): boolean {
    if (this.#turn > this.#linearTurn / Math.sqrt(1 + this.#stage.stiffnessDamping / h)) return true;
    return this.#isMoving && this.#correction > SETTLED && h * this.#fastest > STILL * this.state.spacing;
  }

  hasSettled(): boolean {
    return this.#correction < SETTLED;
  }

  computeStepError(h: number): number {
    const { v, vStart, count } = this.state.chain;
    let largest = 0;
    for (let k = 0; k < 4 * count; k++) largest = Math.max(largest, Math.abs(v[k] - vStart[k]));
    return (0.5 * h * largest) / this.state.spacing;
  }

  findFault(): string | null {
    if (!this.#isFinite) return 'a position or velocity is not finite';
    const { q, label, count } = this.state.chain;
    for (let i = 0; i < count - 1; i++)
      if (!(q[4 * i + 7] - q[4 * i + 3] > SMALLEST * this.state.spacing))
        return `material passed node ${label[i + 1]} within one step`;
    return null;
  }

  /** Where contacts cannot be resolved it stands still; without any, a step that fails is a fault to be told. */
  freeze(): boolean {
    const { chain, spin, contact, count } = this.state;
    let isTouched = false;
    for (let k = 0; k < 3 * count; k++) if (contact[k] !== 0) isTouched = true;
    if (!isTouched) return false;
    chain.v.fill(0, 0, 4 * count);
    spin.fill(0, 0, 3 * count);
    return true;
  }

  endStep(): void {
    this.#readSpin();
  }

  /** Spin of the material from the turning of the frames: ω − κ u̇. */
  #readSpin(): void {
    const { state } = this;
    const { omega, spin, count } = state;
    const kappa = this.#kappa;
    for (let k = 0; k < 3 * (count - 1); k++) spin[k] = omega[k];
    if (!this.#isMoving) return;
    for (let e = 0; e < count - 1; e++) {
      writeSegmentStrain(state, e, kappa);
      for (let k = 0; k < 3; k++) spin[3 * e + k] -= kappa[3] * kappa[k];
    }
  }

  isOnItsOwn(): boolean {
    const { chain, frameCancelled, count } = this.state;
    if (this.#stage.massDamping > 0) return false;
    for (let i = 0; i < count; i++) if (chain.cancelled[i] & CANCEL_POSITION || frameCancelled[i]) return false;
    return true;
  }

  // what contacts see

  indexOf(label: number): number {
    return this.state.indexOf(label);
  }

  addContactForce(i: number, fx: number, fy: number, fz: number): void {
    const { contact } = this.state;
    contact[3 * i] += fx;
    contact[3 * i + 1] += fy;
    contact[3 * i + 2] += fz;
  }

  clearContactForces(): void {
    this.state.contact.fill(0);
  }

  insertNode(u: number): number {
    const { state } = this;
    const { q, label, count } = state.chain;
    if (!(u > 0 && u < state.restLength)) return -1;
    const e = state.findSegment(u);
    const near = SAME_NODE * state.spacing;
    for (let i = e; i <= e + 1; i++)
      if (Math.abs(q[4 * i + 3] - u) < near) return i > 0 && i < count - 1 ? label[i] : -1;
    const added = this.#refinement.split(state, e, (u - q[4 * e + 3]) / (q[4 * e + 7] - q[4 * e + 3]));
    state.updateIndex();
    this.#changes++;
    return added;
  }

  setSliding(label: number, isSliding: boolean): void {
    const i = this.state.indexOf(label);
    if (i >= 0) this.state.sliding[i] = isSliding ? 1 : 0;
  }

  holdMaterial(label: number, isHeld: boolean): void {
    const { cancelled } = this.state.chain;
    const i = this.state.indexOf(label);
    if (isHeld) cancelled[i] |= CANCEL_U;
    else cancelled[i] &= ~CANCEL_U;
  }

  slideNode(label: number, du: number): void {
    const { q, v } = this.state.chain;
    const at = 4 * this.state.indexOf(label);
    const inv = 1 / (q[at + 7] - q[at - 1]);
    for (let k = 0; k < 4; k++) {
      const way = k === 3 ? du : (q[at + 4 + k] - q[at - 4 + k]) * inv * du;
      q[at + k] += way;
      v[at + k] += way / this.#stage.h;
    }
  }

  writeState(writer: StateWriter): void {
    this.state.writeState(writer);
  }

  readState(reader: StateReader): void {
    this.state.readState(reader);
    if (this.part.matrix.capacity >= this.state.count) return;
    this.part.matrix.reserve(this.state.capacity);
    this.part.rhs = new Float64Array(STRIDE * this.part.matrix.capacity);
  }
}
