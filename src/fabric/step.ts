/**
 * Woven and knitted cloth yarn by yarn, in layers, after [Sánchez-Banderas 2020]: yarns are twist-free EoL rods that share their crossings (x, u, v). Before each
 * step nodes are sorted along the yarns and those too near become EIL nodes, massless, which internal forces skip (`order.ts`, `stencils.ts`). The incremental
 * potential ½ ‖v − v̂‖²_M + V(q̂ + h v) is minimised by Newton's method with a line search on its slope, which knows damping and friction, too; coordinates that are not free keep unit rows, so the system is never resized.
 * Its matrix has a 5 × 5 block for each node and goes to conjugate gradients (`NetPart`).
 */
import {
  CANCEL_POSITION,
  type Coupling,
  type EnergyTerms,
  type LineModel,
  type Model,
  NetPart,
  type Stage,
  type StateReader,
  type StateWriter,
  type TurnableModel,
} from '../model/index.ts';
import { FabricAdaptation } from './adapt.ts';
import { CompiledAssembly } from './compiled-assembly.ts';
import { ContactGaps, closeGaps } from './gaps.ts';
import { writeCrimp, writeLoads } from './load.ts';
import { ROLE_BETWEEN } from './net.ts';
import { FabricNodes } from './nodes.ts';
import type { FabricOptions } from './options.ts';
import { assignNodes, groupSides, relinkNodes, sortSides } from './order.ts';
import { YarnRanks } from './ranks.ts';
import { writeRates } from './rates.ts';
import type { FabricStage, FabricSystem } from './stage.ts';
import { CANCEL_FIRST, CANCEL_SECOND, ROLE_FREE } from './state.ts';
import { Stencils } from './stencils.ts';
import { cancelHeld, writeSystem } from './system.ts';
import { FabricTerms } from './terms.ts';
import { FabricTouch } from './touch.ts';
import { MomentumTransfer } from './transfer.ts';
import { dragAnchors } from './yarn-friction.ts';

/** Turn of a segment within a stage above which one linearised iteration says too little [rad]: it leaves a strain of half its square. */
const LINEAR_TURN = 0.01;
/** Correction that is small enough, relative to the spacing. */
const SETTLED = 1e-3;
/**
 * The same for the first correction of a stage that started ahead, where layers rub on each other: contacts between them are so stiff that 1e-3 of the spacing leaves loads that pull here and press more there, and
 * friction, which knows those that press alone, holds 1 % more than the weight gives.
 */
const SETTLED_LOADS = 1e-5;
/** Iterations of a stage after which contacts hinder Newton, and the correction that is then small enough: what is left of it is for the next step. */
const MANY_ITERATIONS = 8;
const ROUGHLY_SETTLED = 1e-2;
/** First correction, relative to the spacing, from which on acceleration and jerk of the last step were no good guess. */
const ASTRAY = 0.05;
/** The smallest share of a correction that is tried. */
const SHORTEST_SHARE = 0.1;
/** A correction goes too far where the potential rises at its end by more than this of what it fell with at its start. */
const OVERSHOT = 0.5;
/** What a segment keeps of its material in one correction. */
const KEPT_MATERIAL = 0.3;

export class Fabric extends FabricNodes implements LineModel, TurnableModel {
  readonly type = 'fabric';
  readonly part: NetPart;
  readonly signature: string;
  readonly stencils: Stencils;
  readonly terms: FabricTerms;
  readonly touch: FabricTouch;
  readonly #wraps: Int32Array;
  readonly #adaptation: FabricAdaptation;
  readonly #transfer: MomentumTransfer;
  readonly #gaps: ContactGaps;
  readonly #compiled = new CompiledAssembly();
  readonly #stage: FabricStage;
  readonly #system: FabricSystem;
  readonly #sideForce: Float64Array;
  readonly #isFirst: Uint8Array;
  readonly #ranks: YarnRanks;
  readonly #residual: Float64Array;
  /** Right-hand side of the last system. */
  readonly #gradient: Float64Array;
  readonly #moved: Float64Array;
  readonly #normal = new Float64Array(3);
  #isFinite = true;
  /** Whether there are contacts between layers. */
  #hasLayers = false;
  /** Whether nodes, their order or what they are have changed in this step. */
  #isRebuilt = false;
  #turn = 0;
  #correction = 0;
  /** Whether only a share of the last correction was taken, where rows join the fabric or what it pushes with others. */
  #isShort = false;
  #hasPositive = false;
  /** Whether the stage started where acceleration and jerk of the last step lead, whether it has just gone back from there, and whether the system at hand is linearised at q̂. */
  #isAhead = false;
  #isBack = false;
  #isLinear = true;
  /** Newton's iterations of this stage. */
  #iterations = 0;

  constructor(options: FabricOptions) {
    super(options);
    const { state } = this;
    this.#wraps = options.net.wraps;
    groupSides(state);
    sortSides(state);
    assignNodes(state);
    writeCrimp(state);
    this.stencils = new Stencils(state);
    this.stencils.build(state, this.#wraps);
    this.terms = new FabricTerms(state, this.stencils, this.#wraps.length / 2);
    this.#isFirst = new Uint8Array(state.capacity);
    this.#ranks = new YarnRanks(state);
    const isFirst = this.#markFirst();
    const ranks = this.#ranks.write(state, isFirst);
    const room = this.#compiled.computeRoom(state, this.stencils);
    this.part = new NetPart(this.id, this.stencils.pattern, isFirst, ranks, state.capacity, room);
    this.#compiled.layOut(this.part, state, this.stencils, this.terms);
    this.#adaptation = new FabricAdaptation(state, options.transition === 'optimise');
    this.#transfer = new MomentumTransfer(state);
    this.#gaps = new ContactGaps(state);
    this.#sideForce = new Float64Array(6 * state.capacity);
    this.#residual = new Float64Array(5 * state.capacity);
    this.#gradient = new Float64Array(5 * state.capacity);
    this.#system = { values: null, rhs: this.part.rhs, sideForce: null, moved: null };
    this.#moved = new Float64Array(5 * state.capacity);
    this.signature = JSON.stringify([this.type, this.id, state.capacity, state.yarnCount]);
    this.#stage = {
      h: 0,
      linearized: false,
      keepsMomentum: true,
      isExact: false,
      isGuess: false,
      massDamping: options.damping?.mass ?? 0,
      stiffnessDamping: options.damping?.stiffness ?? 0,
      gravity: Float64Array.from(this.gravity),
    };
    this.#adaptation.placeDoubles(state);
    this.touch = new FabricTouch(state, options);
  }

  createCouplings(part: number, models: readonly Model[]): readonly Coupling[] {
    const pushed = this.touch.findBodies(models, part, this.part.border, SETTLED * this.spacing);
    return pushed ? [pushed] : [];
  }

  detect(h: number): void {
    this.#adaptation.h = h;
    this.state.remember();
    this.touch.remember(h);
  }

  adapt(): number {
    const { state } = this;
    this.#transfer.remember(state);
    this.#gaps.remember(state);
    this.#isRebuilt = false;
    const lost = this.#adaptation.removeLost(state);
    if (lost > 0) this.#relist();
    const changes = this.#assign();
    const others = this.touch.adapt() + this.#adaptation.removeLost(state);
    if (others > 0) this.#relist();
    if (this.#isRebuilt) this.#transfer.apply(state);
    return lost + changes + others;
  }

  /** Nodes have come or gone. */
  #relist(): void {
    groupSides(this.state);
    this.#adaptation.assign(this.state);
    this.#adaptation.moveChanged(this.state);
    this.#gaps.take(this.state);
    this.#rebuild();
  }

  /** Sorts and assigns what there is, and measures the jump of the energy; returns how many sides changed between EoL and EIL. */
  #assign(): number {
    const { state } = this;
    const was = state.transitions;
    if (!this.#adaptation.assign(state)) return 0;
    const changes = state.transitions - was;
    // the stencils are still those of before
    const before = changes > 0 ? this.#computePotential() : 0;
    this.#adaptation.moveChanged(state);
    this.#gaps.take(state);
    this.#rebuild();
    if (changes > 0) {
      state.lastJump = this.#computePotential() - before;
      state.largestJump = Math.max(state.largestJump, Math.abs(state.lastJump));
    }
    return changes;
  }

  #rebuild(): void {
    this.#isRebuilt = true;
    this.stencils.build(this.state, this.#wraps);
    const { state, stencils, part } = this;
    const room = this.#compiled.computeRoom(state, stencils);
    const isFirst = this.#markFirst();
    part.setPattern(stencils.pattern, isFirst, this.#ranks.write(state, isFirst), room);
    this.#compiled.layOut(part, state, stencils, this.terms);
  }

  /**
   * Nodes that the solver eliminates first, exactly: those without a place of their own, and EIL ones of a layer, whose constraint is far stiffer than their yarns. Contacts between layers
   * that are EIL on one yarn are tied softly and go along the other: where layers lie yarn on yarn they are all neighbours, and eliminating them would fill the whole factor.
   */
  #markFirst(): Uint8Array {
    const { eil, role } = this.state;
    this.#hasLayers = false;
    for (let i = 0; i < this.#isFirst.length; i++) {
      const isBetween = role[i] === ROLE_BETWEEN;
      if (isBetween) this.#hasLayers = true;
      this.#isFirst[i] = isBetween ? eil[2 * i] & eil[2 * i + 1] : eil[2 * i] | eil[2 * i + 1];
    }
    return this.#isFirst;
  }

  /** Elastic and contact energy of the state now [J]. */
  #computePotential(): number {
    const energy: EnergyTerms = { kinetic: 0, stretch: 0, bending: 0, gravity: 0, contact: 0, total: 0 };
    if (this.#compiled.addEnergy(this.state, energy)) {
      this.terms.addEnergy(this.state, this.stencils, energy, true);
      this.touch.addEnergy(energy);
    } else this.addEnergy(energy);
    return energy.stretch + energy.bending + energy.contact;
  }

  beginStep(): void {
    const { state } = this;
    const { q, v, qStart, vStart, cancelled, gripped, push, role, yarn, count } = state;
    qStart.set(q);
    vStart.set(v);
    push.fill(0);
    this.state.reaction.fill(0);
    gripped.fill(0);
    for (let i = 0; i < state.capacity; i++) {
      if (i >= count || role[i] === ROLE_FREE) {
        cancelled[i] = CANCEL_POSITION | CANCEL_FIRST | CANCEL_SECOND;
        continue;
      }
      let bits = yarn[2 * i + 1] < 0 ? CANCEL_SECOND : 0;
      if (state.isFixed(2 * i)) bits |= CANCEL_FIRST | CANCEL_SECOND;
      if (state.hasOnlyEil(i)) bits |= CANCEL_POSITION;
      cancelled[i] = bits;
    }
    this.touch.beginStep();
  }

  rollBack(): void {
    this.state.restore();
    this.touch.rollBack();
    relinkNodes(this.state);
    this.#rebuild();
  }

  beginStage(stage: Stage, drift: number, kick: number): void {
    const { q, v, qStart, vStart, qBase, vBase, lead, count } = this.state;
    const { h } = stage;
    this.#stage.h = stage.h;
    this.#stage.keepsMomentum = stage.order === 1;
    this.#hasPositive = false;
    // bodies that it pushes start from their last velocities
    this.#isAhead = stage.order === 1 && this.touch.pushed === undefined;
    this.#isBack = false;
    this.#iterations = 0;
    this.#correction = Number.POSITIVE_INFINITY;
    // the step's first stage
    if (drift === 0) closeGaps(this.state, stage.step);
    for (let k = 0; k < 5 * count; k++) {
      qBase[k] = qStart[k] + drift * v[k];
      vBase[k] = vStart[k] + kick * (v[k] - vStart[k]);
      q[k] = qBase[k];
      v[k] = this.#isAhead ? vBase[k] + h * lead[k] : vBase[k];
    }
    this.#releaseCancelled();
  }

  #releaseCancelled(): void {
    const { v, vBase, cancelled, count } = this.state;
    for (let i = 0; i < count; i++) {
      if (cancelled[i] === 0) continue;
      if (cancelled[i] & CANCEL_POSITION) for (let k = 5 * i; k < 5 * i + 3; k++) v[k] = vBase[k];
      if (cancelled[i] & CANCEL_FIRST) v[5 * i + 3] = 0;
      if (cancelled[i] & CANCEL_SECOND) v[5 * i + 4] = 0;
    }
  }

  applyTargets(): void {
    const { q, v, qBase, cancelled, target, role, count } = this.state;
    for (let i = 0; i < count; i++) {
      const bits = cancelled[i] & CANCEL_POSITION;
      if (!bits || role[i] === ROLE_FREE || this.state.hasOnlyEil(i)) continue;
      for (let k = 0; k < 3; k++) if (bits & (1 << k)) v[5 * i + k] = target[3 * i + k];
    }
    if (this.#isAhead) for (let k = 0; k < 5 * count; k++) q[k] = qBase[k] + this.#stage.h * v[k];
  }

  /** What the last step had led astray: the stage starts from v̂ after all. Returns the correction, a large one. */
  #stepBack(): number {
    const { q, v, qBase, vBase, count } = this.state;
    this.#isAhead = false;
    this.#isBack = true;
    for (let k = 0; k < 5 * count; k++) {
      q[k] = qBase[k];
      v[k] = vBase[k];
    }
    this.#releaseCancelled();
    this.applyTargets();
    return Math.max(1, this.#correction);
  }

  assemble(stage: Stage): void {
    const { state, stencils, part } = this;
    const system = this.#system;
    this.#isLinear = this.#isBack || (stage.linearized && !this.#isAhead);
    this.#stage.linearized = this.#isLinear;
    this.#stage.isExact = !this.#isLinear && !this.#hasPositive;
    this.#stage.isGuess = this.#isAhead && this.#iterations === 0;
    system.values = part.matrix.values;
    system.sideForce = null;
    system.rhs = part.rhs;
    const { pushed } = this.touch;
    if (pushed) pushed.isFirst = stage.linearized;
    writeSystem(state, stencils, this.terms, this.touch, this.#stage, system, this.#compiled);
    if (pushed) pushed.isFirst = false;
    cancelHeld(state, stencils, part.matrix.values, part.rhs);
    if (!this.#isLinear) this.#gradient.set(part.rhs);
  }

  /** The exact stiffness was not definite: its positive part is, for the rest of the stage. */
  takePositivePart(): boolean {
    const canChange = this.#stage.isExact;
    this.#hasPositive = true;
    return canChange;
  }

  correct(stage: Stage): number {
    const { h } = stage;
    const { state } = this;
    const { rhs } = this.part;
    const share = this.#measure(h);
    this.#iterations++;
    this.#isBack = false;
    if (!this.#isFinite) return Number.NaN;
    let largest = 0;
    for (let k = 0; k < 5 * state.count; k++) largest = Math.max(largest, Math.abs(rhs[k]));
    this.#correction = (h * largest) / this.spacing;
    if (this.#isAhead && this.#iterations === 1 && this.#correction > ASTRAY) return this.#stepBack();
    // rounding and friction say nothing about small corrections
    const isLarge = !this.#isLinear && this.#correction >= SETTLED;
    const { pushed } = this.touch;
    const slope = isLarge ? this.#computeSlope(this.#gradient) + (pushed?.computeStartSlope() ?? 0) : 0;
    this.#advance(h, share);
    let taken = share;
    for (; isLarge && taken > SHORTEST_SHARE * share; taken /= 2) {
      pushed?.moveAhead(h, taken);
      this.#writeResidual();
      if (this.#computeSlope(this.#residual) + (pushed?.computeSlope(h) ?? 0) >= -OVERSHOT * slope) break;
      this.#advance(h, -taken / 2);
    }
    if (taken < 1) pushed?.shorten(taken);
    this.#isShort = taken < 1 && stage.rows > 0;
    return taken < 1 ? Math.max(1, this.#correction) : this.#correction;
  }

  /** How fast what Newton minimises falls along the correction, from the residual at a place; the impulses of rows (ties, contacts) are loads in it. */
  #computeSlope(residual: Float64Array): number {
    const { rhs, pull, isPulled } = this.part;
    let sum = 0;
    for (let k = 0; k < 5 * this.state.count; k++) sum += residual[k] * rhs[k];
    if (isPulled) for (let k = 0; k < 5 * this.state.count; k++) sum += pull[k] * rhs[k];
    return sum;
  }

  /** The right-hand side at the iterate. */
  #writeResidual(): void {
    const system = this.#system;
    system.values = null;
    system.rhs = this.#residual;
    this.#stage.linearized = false;
    writeSystem(this.state, this.stencils, this.terms, this.touch, this.#stage, system, this.#compiled);
  }

  /** Finds the largest turn of a segment from where the stage was linearised, and how much of the correction leaves every segment its material. */
  #measure(h: number): number {
    const { q, v, qBase, count } = this.state;
    const { sides, count: segments } = this.stencils.segments;
    const { rhs } = this.part;
    let share = 1;
    let turn = 0;
    let sum = 0;
    for (let k = 0; k < 5 * count; k++) sum += Math.abs(rhs[k]);
    this.#isFinite = Number.isFinite(sum);
    for (let e = 0; e < segments; e++) {
      const s = sides[2 * e];
      const t = sides[2 * e + 1];
      const i = 5 * (s >> 1);
      const j = 5 * (t >> 1);
      const iu = i + 3 + (s & 1);
      const ju = j + 3 + (t & 1);
      const du = q[ju] - q[iu];
      // where the correction starts: the first iteration is linearised at q̂, but goes on from q̂ + h v
      const from = qBase[ju] - qBase[iu] + h * (v[ju] - v[iu]);
      const next = from + h * (rhs[ju] - rhs[iu]);
      if (from > 0 && next < KEPT_MATERIAL * from)
        share = Math.min(share, ((1 - KEPT_MATERIAL) * from) / (from - next));
      const dx = v[j] + rhs[j] - v[i] - rhs[i];
      const dy = v[j + 1] + rhs[j + 1] - v[i + 1] - rhs[i + 1];
      const dz = v[j + 2] + rhs[j + 2] - v[i + 2] - rhs[i + 2];
      const square = (dx * dx + dy * dy + dz * dz) / (du * du);
      if (square > turn) turn = square;
    }
    this.#turn = h * Math.sqrt(turn);
    return share;
  }

  /** Goes a share of the correction. */
  #advance(h: number, share: number): void {
    const { q, v, qBase, count } = this.state;
    const { rhs } = this.part;
    for (let k = 0; k < 5 * count; k++) {
      v[k] += share * rhs[k];
      q[k] = qBase[k] + h * v[k];
    }
  }

  isFarFromLinear(): boolean {
    if (!this.#isLinear) return !this.hasSettled();
    if (this.#turn > LINEAR_TURN) return true;
    const [{ h }, tolerance] = [this.#stage, SETTLED * this.spacing];
    return this.terms.friction.isOther(this.state, h, tolerance) || this.touch.isOther(h, tolerance);
  }

  hasSettled(): boolean {
    if (this.#isLinear && this.#iterations > 1) return false;
    // others have gone their whole way: momentum would be lost
    if (this.#isShort) return false;
    if (this.#iterations === 1 && this.#hasLayers) return this.#correction < SETTLED_LOADS;
    return this.#correction < (this.#iterations > MANY_ITERATIONS ? ROUGHLY_SETTLED : SETTLED);
  }

  computeStepError(h: number): number {
    const { v, vStart, count } = this.state;
    let largest = 0;
    for (let k = 0; k < 5 * count; k++) largest = Math.max(largest, Math.abs(v[k] - vStart[k]));
    return (0.5 * h * largest) / this.spacing;
  }

  findFault(): string | null {
    if (!this.#isFinite) return 'a position or velocity is not finite';
    const { q } = this.state;
    const { sides, count } = this.stencils.segments;
    for (let e = 0; e < count; e++) {
      const [s, t] = [sides[2 * e], sides[2 * e + 1]];
      if (!(q[this.state.materialIndex(t)] - q[this.state.materialIndex(s)] > 0))
        return `material passed node ${t >> 1} within one step`;
    }
    return null;
  }

  endStep(): void {
    const { state } = this;
    writeRates(state, this.#stage.h, this.#isAhead);
    this.#adaptation.placeDoubles(state);
    this.#readForces();
    dragAnchors(state);
    this.touch.endStep();
  }

  isOnItsOwn(): boolean {
    const { state } = this;
    const { cancelled, role, count } = state;
    if (this.#stage.massDamping > 0 || this.touch.isOnStillBody) return false;
    for (let i = 0; i < count; i++)
      if (cancelled[i] & CANCEL_POSITION && role[i] !== ROLE_FREE && !state.hasOnlyEil(i)) return false;
    return true;
  }

  /** Loads of nodes and what holds them, from the residual of the end of the step. */
  #readForces(): void {
    const { state } = this;
    const { reaction, cancelled, role, count } = state;
    const system = this.#system;
    const { h } = this.#stage;
    const [{ q, qBase }, { rhs }, moved] = [state, this.part, this.#moved];
    for (let k = 0; k < 5 * count; k++) moved[k] = this.#isLinear ? q[k] - qBase[k] : h * rhs[k];
    this.#stage.linearized = false;
    system.values = null;
    system.rhs = this.#residual;
    system.sideForce = this.#sideForce;
    system.moved = moved;
    writeSystem(state, this.stencils, this.terms, this.touch, this.#stage, system, this.#compiled);
    writeLoads(state, this.#sideForce, this.#normal);
    for (let i = 0; i < count; i++)
      for (let k = 0; k < 3; k++)
        if (role[i] === ROLE_FREE) reaction[3 * i + k] = 0;
        else if (cancelled[i] & (1 << k)) reaction[3 * i + k] = -this.#residual[5 * i + k] / h;
  }

  writeState(writer: StateWriter): void {
    this.state.writeState(writer);
    this.touch.writeState(writer);
  }

  readState(reader: StateReader): void {
    this.state.readState(reader);
    this.touch.readState(reader);
    relinkNodes(this.state);
    this.#rebuild();
  }
}
