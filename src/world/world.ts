/**
 * A world: models, bodies, drivers, ties and probes that advance in time together. A step is detect, adapt, assemble,
 * solve, advance [ARCHITECTURE#the-step]; those names are also the keys of `profile`.
 *
 * A step that does not converge, loses definiteness or turns non-finite is rolled back and taken again in halves; when
 * that does not help down to `smallestStep`, a StepError says where and why, and the state is the last good one. So it is where something
 * else is thrown in a sub-step, such as for want of memory; where that comes while nodes change there is none, and steps are refused until a state is loaded.
 */
import type { Body } from '../bodies/index.ts';
import {
  type BodyFrame,
  ConstraintRows,
  type Coupling,
  computeEnergy,
  createLimits,
  type EnergyTerms,
  type Frame,
  HeddleError,
  hashBytes,
  type Limits,
  type Model,
  type Stage,
  StateReader,
  StateWriter,
  StepError,
  System,
} from '../model/index.ts';
import type { Probe } from './columns.ts';
import type { Driver } from './drivers.ts';
import { Grab } from './grab.ts';
import { INTEGRATORS, type Integrator } from './integrator.ts';
import { areIsolated, KeptSpin } from './kept-spin.ts';
import type { Tie } from './ties.ts';

export interface WorldOptions {
  readonly models: readonly Model[];
  readonly bodies?: readonly Body[];
  readonly drivers?: readonly Driver[];
  readonly ties?: readonly Tie[];
  readonly couplings?: readonly Coupling[];
  readonly probes?: readonly Probe[];
  /** Length of one `step` [s]. */
  readonly timeStep: number;
  readonly integrator?: Integrator['name'];
  /** Sub-steps sized by the estimated error, relative to the local node spacing. */
  readonly adaptive?: { readonly tolerance: number; readonly smallest: number } | false;
  /** 1 is linearly implicit, as in [Jiang 2020]; more iterate to `tolerance`. Default: the integrator's own. */
  readonly newtonIterations?: number | undefined;
  /** Newton has converged when no node moves by more than this share of the smallest spacing. */
  readonly tolerance?: number;
  /**
   * Whether what is on its own keeps its angular momentum (`kept-spin.ts`), else only to the order of the integrator. Default: in worlds that nothing acts
   * on from outside, not even weight.
   */
  readonly keepsAngularMomentum?: boolean | undefined;
  /**
   * Limits other than the default ones: `substeps` of one step, taken and rejected, before it is given up, as no step may last for ever, and `halvings` of a failing
   * step before it is given up.
   */
  readonly limits?: Partial<Pick<Limits, 'substeps' | 'halvings'>>;
}

export interface StepReport {
  /** Time reached [s]. */
  time: number;
  /** Length of the last sub-step [s]. */
  h: number;
  substeps: number;
  newtonIterations: number;
  /** Last Newton correction, relative to the smallest spacing. */
  correction: number;
  remeshings: number;
  /** Sub-steps rolled back: to be taken again with new contacts, or in halves. */
  rejected: number;
  /**
   * How often contacts were given up because no step was short enough (`Model.rescue`): E-nodes on edges let go and the strand
   * around them stood still, or stuck to the body where forces move that. 0 in a sound run; elsewhere energy was lost there, and
   * momentum to bodies that forces do not move.
   */
  rescues: number;
  /**
   * How often contacts were left as they could not be resolved: an edge of a body through a sheet or strand, creases of a sheet that
   * paused, strands that passed each other. 0 in a sound run.
   */
  fallbacks: number;
  nodes: number;
}

export interface Profile {
  detect: number;
  adapt: number;
  assemble: number;
  solve: number;
  advance: number;
}

/** Format of saved states: they begin with it. 1 had no number; 2 has the hand. */
const STATE_VERSION = 2;
/** How often a stage is solved again because something stuck or slipped other than assumed. */
const MOST_REVISIONS = 16;
/** A linearly implicit step that went far from linear iterates after all: so often, and until this correction. */
const MOST_ITERATIONS = 20;
const ROUGH_TOLERANCE = 1e-6;
/** The correction that is small enough after many of them, where friction makes them converge slowly. */
const MANY_ITERATIONS = 8;
const SLOW_TOLERANCE = 1e-4;
/** Share of the step below which failing sub-steps are rescued, and how often in a step. */
const RESCUE = 1 / 128;
const MOST_RESCUES = 40;
/** Twice as often something may stand still in steps in a row. */
const MOST_FREEZES = 20;
/** Passes of a stage whose contacts are looked at after every iteration; later ones only when Newton has converged. */
const EARLY_REVISIONS = 2;
const HEAP_REVISIONS = 8;
/**
 * Correction that is small enough in heaps: sweeps leave up to 8e-3 in impacts, where frictions are shared in many ways. Whether things keep apart is
 * looked at by itself.
 */
const HEAP_TOLERANCE = 1e-2;

/** Correction from which on couplings are asked what they foresee. */
const FORESEEN = 0.1;

export class World {
  readonly models: readonly Model[];
  readonly bodies: readonly Body[];
  readonly probes: readonly Probe[];
  readonly probeColumns: readonly string[];
  /** Unit of each probe column, '1' for pure numbers. */
  readonly probeUnits: readonly string[];
  readonly timeStep: number;
  /** Accumulated milliseconds by stage. */
  readonly profile: Profile = { detect: 0, adapt: 0, assemble: 0, solve: 0, advance: 0 };
  readonly system: System;
  readonly rows = new ConstraintRows();
  readonly #drivers: readonly Driver[];
  readonly #ties: readonly Tie[];
  readonly couplings: readonly Coupling[];
  /** The hand that can pull on things while the world runs. */
  readonly grab: Grab;
  readonly #integrator: Integrator;
  readonly #spin: KeptSpin | undefined;
  readonly #adaptive: { readonly tolerance: number; readonly smallest: number } | false;
  readonly #newtonIterations: number;
  readonly #tolerance: number;
  readonly #limits: Limits;
  readonly #stage: Stage;
  readonly #report: StepReport;
  readonly #signature: Uint8Array;
  #time = 0;
  #steps = 0;
  /** Sub-step that the last good one suggests; part of the state. */
  #h: number;
  /** Bytes of the last `save`, which the next will have too, mostly. */
  #savedBytes = 1024;
  /** Sub-step to try next: smaller after a rejection. */
  #trial = 0;
  /** Whether a step has begun and is not complete. */
  #isInside = false;
  /** Whether the models remember the state before the sub-step that is being taken, all of them: what throws then is rolled back. */
  #isRemembered = false;
  /** Whether the state is no good: something was thrown while nodes changed. */
  #isBroken = false;
  /** Nodes changed by the adaptation of this sub-step. */
  #changes = 0;
  /** Last Newton correction of the models that have not settled by their own measure. */
  #excess = 0;
  /** Steps in a row that something stood still in, twice. */
  #freezes = 0;
  /** Fall-backs before this step. */
  #fallbacks = 0;
  #fault = { object: '', stage: '', cause: '' };

  constructor(options: WorldOptions) {
    this.models = options.models;
    this.bodies = options.bodies ?? [];
    this.probes = options.probes ?? [];
    this.probeColumns = this.probes.flatMap((probe) => probe.columns);
    this.probeUnits = this.probes.flatMap((probe) => probe.units);
    this.timeStep = options.timeStep;
    this.system = new System(this.models.map((model) => model.part));
    this.#drivers = options.drivers ?? [];
    this.couplings = [
      ...(options.couplings ?? []),
      ...this.models.flatMap((model, part) => model.createCouplings?.(part, this.models) ?? []),
    ];
    this.grab = new Grab(this.models, this.#drivers, this.rows);
    this.#ties = [...(options.ties ?? []), ...this.couplings, this.grab];
    this.#integrator = INTEGRATORS.find((integrator) => integrator.name === (options.integrator ?? 'euler'))!;
    const outside = { bodies: this.bodies, drivers: this.#drivers, ties: this.#ties };
    if (options.keepsAngularMomentum ?? areIsolated(this.models, outside))
      this.#spin = new KeptSpin(this.models, outside);
    this.#stage = {
      h: 0,
      time: 0,
      start: 0,
      step: 0,
      full: options.timeStep,
      order: this.#integrator.order,
      rows: 0,
      isHeap: false,
      linearized: true,
    };
    this.#adaptive = options.adaptive ?? false;
    this.#newtonIterations = options.newtonIterations ?? this.#integrator.newtonIterations;
    this.#tolerance = options.tolerance ?? 1e-9;
    this.#limits = createLimits(options.limits);
    this.#h = this.timeStep;
    this.#signature = computeSignature(this.models);
    this.#report = {
      time: 0,
      h: this.timeStep,
      substeps: 0,
      newtonIterations: 0,
      correction: 0,
      remeshings: 0,
      rejected: 0,
      rescues: 0,
      fallbacks: 0,
      nodes: this.nodeCount,
    };
    this.#placeBodies(0);
  }

  get time(): number {
    return this.#time;
  }

  get steps(): number {
    return this.#steps;
  }

  get nodeCount(): number {
    let sum = 0;
    for (const model of this.models) sum += model.nodeCount;
    return sum;
  }

  /** What the last step took; reused by the next. */
  get report(): Readonly<StepReport> {
    return this.#report;
  }

  /** One step of length `timeStep`, in as many sub-steps as it needs. The report is reused by the next call. */
  step(): StepReport {
    this.stepPart(Number.POSITIVE_INFINITY);
    return this.#report;
  }

  /**
   * Goes on with a step for at most `most` sub-steps, taken or rejected; true when the step is complete. For loops that must
   * stay responsive: between two parts the state is good and can be saved.
   */
  stepPart(most: number): boolean {
    this.#requireWhole();
    const report = this.#report;
    if (!this.#isInside) {
      report.substeps = report.newtonIterations = report.remeshings = report.rejected = report.rescues = 0;
      this.#fallbacks = this.#countFallbacks();
      this.#trial = this.#h;
      this.grab.beginWorldStep(this.#time, this.timeStep);
    }
    const end = (this.#steps + 1) * this.timeStep;
    this.#isInside = false;
    this.#isInside = !this.#reach(end, most);
    if (this.#isInside) return false;
    this.#time = end;
    this.#steps++;
    if (this.#freezes > 0) this.#freezes--;
    this.#placeBodies(end);
    report.time = end;
    report.nodes = this.nodeCount;
    report.fallbacks = this.#countFallbacks() - this.#fallbacks;
    return true;
  }

  /** Of all models and couplings since the start. */
  #countFallbacks(): number {
    let sum = 0;
    for (const model of this.models) sum += model.fallbacks ?? 0;
    for (const coupling of this.couplings) sum += coupling.fallbacks ?? 0;
    return sum;
  }

  /** Sub-steps to a time: halved and taken again where one fails, given up below the smallest or after too many. */
  #reach(end: number, most: number): boolean {
    const report = this.#report;
    const smallest = this.#adaptive ? this.#adaptive.smallest : this.timeStep / 2 ** this.#limits.halvings;
    for (let tried = 0; end - this.#time > 1e-9 * this.timeStep; tried++) {
      if (tried >= most) return false;
      const left = end - this.#time;
      const h = this.#trial >= left * (1 - 1e-9) ? left : Math.min(this.#trial, left / 2);
      if (report.substeps + report.rejected >= this.#limits.substeps) {
        this.#reject(this.#fault.object, 'advance', `it needs more than ${this.#limits.substeps} sub-steps`);
        this.#giveUp(h);
      }
      if (this.#attempt(h)) {
        this.#time += h;
        this.#trial = this.#h = this.#chooseNext(h);
        report.substeps++;
        report.h = h;
        report.remeshings += this.#changes;
      } else {
        const isAsLong = [...this.models, ...this.couplings].some((one) => one.wantsRetry?.());
        this.#rollBack(isAsLong);
        report.rejected++;
        if (isAsLong) continue;
        if (h <= this.timeStep * RESCUE && report.rescues < MOST_RESCUES && this.#rescue()) continue;
        if (h <= smallest) {
          if (!this.#freeze(end)) this.#giveUp(h);
          return true;
        }
        this.#trial = Math.max(smallest, h / 2);
      }
    }
    return true;
  }

  #rollBack(isAsLong: boolean): void {
    for (const coupling of this.couplings) coupling.rollBack(isAsLong);
    for (const model of this.models) model.rollBack(isAsLong);
    this.#placeBodies(this.#time);
  }

  /** A sub-step; what is thrown in it leaves the state before it, or none that can be gone on from. */
  #attempt(h: number): boolean {
    this.#isRemembered = false;
    this.#isBroken = true;
    try {
      const isGood = this.#substep(h);
      this.#isBroken = false;
      return isGood;
    } catch (error) {
      if (this.#isRemembered) {
        this.#rollBack(true);
        this.#isBroken = false;
      }
      throw error;
    }
  }

  /** Whether something was thrown while nodes changed: steps and saving are refused until a state is loaded. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  #requireWhole(): void {
    if (this.#isBroken)
      throw new HeddleError(
        `Step ${this.#steps + 1} was interrupted while nodes changed, so this state is invalid; load a saved state, or rebuild the scene.`,
      );
  }

  /**
   * The model that no step brings on stands still for the rest of this step, and time goes on: a fall-back for contacts
   * that cannot be resolved. False when that was done too often in a row, or no model has any.
   */
  #freeze(end: number): boolean {
    const model = this.models.find(({ id }) => id === this.#fault.object);
    const isFrozen = this.#freezes < MOST_FREEZES && (model ? (model.freeze?.(end) ?? false) : this.#freezeAll(end));
    if (!isFrozen) return false;
    for (const one of this.models) one.readVelocities?.();
    this.#freezes += 2;
    this.#trial = this.#h = this.timeStep;
    this.#report.rescues++;
    return true;
  }

  #freezeAll(end: number): boolean {
    let isFrozen = false;
    for (const model of this.models) isFrozen = model.freeze?.(end) || isFrozen;
    return isFrozen;
  }

  #rescue(): boolean {
    let rescued = false;
    for (const model of this.models) rescued = model.rescue?.() || rescued;
    if (!rescued) return false;
    for (const model of this.models) model.readVelocities?.();
    this.#report.rescues++;
    return true;
  }

  /** Detect, adapt, then assemble and solve each implicit stage, advance. False when the result cannot be used. */
  #substep(h: number): boolean {
    this.#spin?.begin();
    this.#detect(h);
    this.#adapt(h);
    for (const { length, end, drift, kick } of this.#integrator.stages) {
      this.#beginStage(length * h, this.#time + end * h, drift * h, kick);
      if (!this.#solveStage()) return false;
    }
    return this.#accept(h);
  }

  /** Newton iterations of a stage, until they have converged and contacts came out as assumed. */
  #solveStage(): boolean {
    const most = this.#newtonIterations === 1 ? MOST_ITERATIONS : this.#newtonIterations;
    const isEarly = this.models.every((model) => model.revisesEarly);
    let pass = 1;
    let hasForeseen = false;
    for (let iteration = 1; ; iteration++) {
      this.#assemble();
      while (!this.#solve()) if (!this.#takePositivePart()) return false;
      const correction = this.#advance();
      this.#report.newtonIterations++;
      const hasConverged = this.#hasConverged(correction, iteration);
      const mayRevise =
        hasConverged ||
        (isEarly && pass <= EARLY_REVISIONS && this.rows.count === 0) ||
        (this.#stage.isHeap && pass <= HEAP_REVISIONS);
      if (mayRevise && this.#revise(pass, hasConverged)) {
        if (pass++ === MOST_REVISIONS) return this.#reject('', 'solve', 'the contact states did not converge');
        iteration = 0;
        hasForeseen = false;
      } else if (hasConverged) return true;
      else if (!hasForeseen && !this.#stage.isHeap && correction <= FORESEEN) {
        hasForeseen = true;
        for (const coupling of this.couplings) coupling.foresee?.();
      } else if (iteration >= most) return this.#reject('', 'solve', 'Newton did not converge');
    }
  }

  /**
   * Whether a model can go on with a stiffness that is definite: those whose is not, or all where that is not known. It is assembled then, and all
   * others that the solve has overwritten.
   */
  #takePositivePart(): boolean {
    const { indefinite, isUntouched } = this.system.report;
    let isOther = false;
    for (let p = 0; p < this.models.length; p++)
      if (indefinite.length === 0 || indefinite.includes(p)) isOther = this.models[p].takePositivePart?.() || isOther;
    if (!isOther) return false;
    if (!isUntouched) this.#assemble();
    else {
      const begin = performance.now();
      for (const p of indefinite) if (p < this.models.length) this.models[p].assemble(this.#stage);
      this.profile.assemble += performance.now() - begin;
    }
    return true;
  }

  /** `iteration`: of those since contacts last changed. One is enough where the stage is near to linear. */
  #hasConverged(correction: number, iteration: number): boolean {
    if (!this.system.report.isSwept) return false;
    if (correction <= this.#tolerance) return true;
    if (this.#newtonIterations !== 1) return false;
    if (this.#stage.isHeap && correction <= HEAP_TOLERANCE) return true;
    const limit = iteration < MANY_ITERATIONS || !this.#isSlow() ? ROUGH_TOLERANCE : SLOW_TOLERANCE;
    return iteration === 1 ? !this.#isFarFromLinear() : this.#excess <= limit;
  }

  #isSlow(): boolean {
    for (const model of this.models) if (model.convergesSlowly?.()) return true;
    return false;
  }

  #isFarFromLinear(): boolean {
    for (const model of this.models) if (model.isFarFromLinear(this.#stage)) return true;
    return false;
  }

  /** Asks the models, and couplings where Newton has converged, whether contacts came out as assumed; if not, starts the stage again. */
  #revise(pass: number, hasConverged: boolean): boolean {
    let revised = false;
    if (hasConverged || this.#stage.isHeap)
      for (const one of this.couplings) revised = one.revise(this.#stage) || revised;
    for (const model of this.models) revised = model.revise?.(pass) || revised;
    if (!revised) return false;
    this.#stage.linearized = true;
    for (const model of this.models) model.restartStage?.();
    for (const model of this.models) model.applyTargets();
    return true;
  }

  #detect(h: number): void {
    const begin = performance.now();
    for (const model of this.models) model.detect(h);
    this.profile.detect += performance.now() - begin;
  }

  #adapt(h: number): void {
    const begin = performance.now();
    this.#changes = 0;
    for (const coupling of this.couplings) coupling.adapt();
    for (const model of this.models) this.#changes += model.adapt();
    for (const model of this.models) model.beginStep();
    this.#isRemembered = true;
    for (const driver of this.#drivers) driver.prepare(this.#time);
    for (const tie of this.#ties) tie.beginStep();
    this.#stage.start = this.#time;
    this.#stage.step = h;
    this.profile.adapt += performance.now() - begin;
  }

  #beginStage(h: number, time: number, drift: number, kick: number): void {
    const begin = performance.now();
    const stage = this.#stage;
    stage.h = h;
    stage.time = time;
    stage.linearized = true;
    stage.isHeap = false;
    this.#placeBodies(time);
    for (const model of this.models) model.beginStage(stage, drift, kick);
    for (const driver of this.#drivers) driver.aim(stage);
    for (const model of this.models) model.applyTargets();
    this.profile.advance += performance.now() - begin;
  }

  #assemble(): void {
    const begin = performance.now();
    for (const model of this.models) model.assemble(this.#stage);
    this.rows.clear();
    for (const tie of this.#ties) tie.addRows(this.rows, this.#stage);
    this.#stage.rows = this.rows.count;
    this.profile.assemble += performance.now() - begin;
  }

  #solve(): boolean {
    const begin = performance.now();
    const report = this.system.solve(this.rows);
    this.profile.solve += performance.now() - begin;
    this.#stage.isHeap = report.sweptIslands > 0;
    return report.ok || this.#reject(report.failedPart, 'solve', report.cause);
  }

  #advance(): number {
    const begin = performance.now();
    let correction = 0;
    this.#excess = 0;
    for (const coupling of this.couplings) coupling.preview?.(this.rows);
    for (const model of this.models) {
      const one = model.correct(this.#stage);
      correction = Math.max(correction, one);
      if (!model.hasSettled?.()) this.#excess = Math.max(this.#excess, one);
    }
    for (const tie of this.#ties) tie.clearForces();
    for (const tie of this.#ties) tie.takeMultipliers(this.rows, this.#stage);
    this.#stage.linearized = false;
    this.#report.correction = correction;
    this.profile.advance += performance.now() - begin;
    return correction;
  }

  #accept(h: number): boolean {
    let isGood = true;
    for (const model of this.models) {
      const cause = model.findFault();
      if (cause !== null) isGood = this.#reject(model.id, 'advance', cause);
    }
    for (const coupling of isGood ? this.couplings : []) {
      const cause = coupling.findFault();
      if (cause !== null) isGood = this.#reject('', 'advance', cause);
    }
    if (!isGood) return false;
    for (const model of this.models)
      if (this.#adaptive && h > this.#adaptive.smallest && model.computeStepError(h) > 2 * this.#adaptive.tolerance)
        return this.#reject(model.id, 'advance', 'the error estimate is above the tolerance');
    this.#isRemembered = false;
    for (const coupling of this.couplings) coupling.endStep();
    for (const model of this.models) model.endStep();
    this.#spin?.giveBack(this.rows, this.#stage);
    return true;
  }

  #reject(object: string, stage: string, cause: string): false {
    this.#fault = { object, stage, cause };
    return false;
  }

  /** The next sub-step: by the error estimate (local error of implicit Euler, O(h²)), or back towards the full step. */
  #chooseNext(h: number): number {
    if (!this.#adaptive) return Math.min(this.timeStep, 2 * h);
    let error = 0;
    for (const model of this.models) error = Math.max(error, model.computeStepError(h));
    const growth = error > 0 ? Math.sqrt((0.8 * this.#adaptive.tolerance) / error) : 2;
    return Math.max(this.#adaptive.smallest, Math.min(this.timeStep, h * Math.min(2, Math.max(0.3, growth))));
  }

  #giveUp(h: number): never {
    const { object, stage, cause } = this.#fault;
    const what = object === '' ? 'the world' : `"${object}"`;
    throw new StepError(
      `Step ${this.#steps + 1} at t = ${this.#time.toPrecision(6)} s failed for ${what} in ${stage}: ${cause}, even with a step of ${h.toPrecision(3)} s. Reduce time.step, raise solver.newtonIterations, or add damping.`,
      { time: this.#time, step: this.#steps + 1, object, stage },
    );
  }

  #placeBodies(time: number): void {
    for (const body of this.bodies) if (body.motion === 'scripted') body.moveTo(time);
  }

  energy(): EnergyTerms {
    return computeEnergy(this.models);
  }

  maxStrain(): number {
    let largest = 0;
    for (const model of this.models) largest = Math.max(largest, model.computeMaxStrain());
    return largest;
  }

  frame(): Frame {
    return {
      time: this.#time,
      step: this.#steps,
      objects: this.models.flatMap((model) => model.frame() ?? []),
      bodies: this.bodies.map(frameBody),
      forces: [...this.models, ...this.couplings].flatMap((part) => part.forces?.() ?? []),
    };
  }

  /** One value per probe column, at this moment. */
  writeProbes(out: Float64Array): void {
    let at = 0;
    for (const probe of this.probes) {
      probe.write(out, at);
      at += probe.columns.length;
    }
  }

  /** The whole state as bytes: a snapshot and a checkpoint. */
  save(): Uint8Array {
    this.#requireWhole();
    const writer = new StateWriter(this.#savedBytes);
    writer.number(STATE_VERSION);
    writer.array(this.#signature);
    writer.number(this.#time);
    writer.number(this.#steps);
    writer.number(this.#h);
    for (const model of this.models) model.writeState(writer);
    for (const coupling of this.couplings) coupling.writeState(writer);
    for (const driver of this.#drivers) driver.writeState?.(writer);
    this.grab.writeState(writer);
    const bytes = writer.finish();
    this.#savedBytes = bytes.length;
    return bytes;
  }

  /** Back to a state that `save` of the same scene returned. Bytes that do not fit are refused and change nothing. */
  load(bytes: Uint8Array): void {
    const before = this.#isBroken ? undefined : this.save();
    try {
      this.#read(bytes);
      this.#isBroken = false;
    } catch (error) {
      if (before !== undefined) this.#read(before);
      if (error instanceof HeddleError) throw error;
      // lists that are no lists, indices of nothing: only bytes that nobody saved
      throw new HeddleError(
        'The saved state is inconsistent; it is damaged, or was saved by another version: save it again from this scene.',
        { cause: error },
      );
    }
  }

  #read(bytes: Uint8Array): void {
    const reader = new StateReader(bytes);
    const version = reader.number();
    if (version !== STATE_VERSION)
      throw new HeddleError(
        `The saved state is of another version of Heddle (format ${version}, here ${STATE_VERSION}), or damaged: run the scene again from its start.`,
      );
    const signature = new Uint8Array(this.#signature.length);
    if (reader.array(signature) !== signature.length || signature.some((byte, k) => byte !== this.#signature[k]))
      throw new HeddleError(
        `The saved state has other objects than ${this.models.map(({ id }) => `"${id}"`).join(', ')} with their present nodes; it belongs to another scene: save it again from this one.`,
      );
    this.#time = reader.number();
    this.#steps = reader.number();
    this.#h = reader.number();
    this.#isInside = false;
    for (const model of this.models) model.readState(reader);
    for (const coupling of this.couplings) coupling.readState(reader);
    for (const driver of this.#drivers) driver.readState?.(reader);
    this.grab.readState(reader);
    reader.finish();
    this.#placeBodies(this.#time);
  }

  /** 16 hex digits over the state. */
  hash(): string {
    return hashBytes(this.save());
  }
}

/** What two worlds have in common whose states fit into each other: the same models with as many material nodes. */
function computeSignature(models: readonly Model[]): Uint8Array {
  const text = models.map(({ signature }) => signature).join();
  const codes = Uint16Array.from(text, (letter) => letter.charCodeAt(0));
  return Uint8Array.from(hashBytes(new Uint8Array(codes.buffer)), (digit) => digit.charCodeAt(0));
}

function frameBody(body: Body): BodyFrame {
  const [x, y, z] = body.position;
  const [qx, qy, qz, qw] = body.orientation;
  return { id: body.id, position: [x, y, z], orientation: [qx, qy, qz, qw] };
}
