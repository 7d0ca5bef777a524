/**
 * What a model must offer to take part in a world. A step calls these in the order of [ARCHITECTURE#the-step]:
 * detect, adapt, beginStep, then per implicit stage { beginStage, applyTargets, { assemble, (solve), correct } }.
 * A model owns its unknown velocities as one `Part`; the world solves for the change Δ of all parts together.
 */
import type { Coupling } from './coupling.ts';
import type { ForceFrame, ObjectFrame } from './frame.ts';
import type { Part } from './part.ts';
import type { StateReader, StateWriter } from './state.ts';

/** When something acts [s]: from the first step that starts at `from` or later, until one starts at `until` or later. */
export interface Span {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** Times of steps and of spans are each rounded once: what is nearer than this share of the time is the same moment. */
const SAME_MOMENT = 1e-12;

export const isActive = ({ from, until }: Span, time: number): boolean => {
  const slack = SAME_MOMENT * Math.abs(time);
  return (from === undefined || time >= from - slack) && (until === undefined || time < until - slack);
};

/** One implicit stage: v solves M (v − v̂) = h f(q̂ + h v). */
export interface Stage {
  /** Length of the implicit solve [s]. */
  h: number;
  /** Time at the end of the stage [s]. */
  time: number;
  /** Time at the start of the whole step: what decides which drivers, ties and winds act in it [s]. */
  start: number;
  /** Length of the whole step [s]. */
  step: number;
  /** Length of the world's step, of which this may be a part [s]. */
  full: number;
  /** Order of the integrator in h. */
  order: 1 | 2;
  /** Rows of the last system: what other than the models' own potentials the iterate answers to. */
  rows: number;
  /** Whether that was solved by sweeps, so that its rows are met only as far as these go: what is left is for the next step. */
  isHeap: boolean;
  /** First iteration: forces at q̂, their change linearised. */
  linearized: boolean;
}

export interface EnergyTerms {
  kinetic: number;
  stretch: number;
  bending: number;
  gravity: number;
  contact: number;
  total: number;
}

/** What may be left out (`?`) is false, or nothing to do, for the model. */
export interface Model {
  readonly type: string;
  readonly id: string;
  readonly part: Part;
  /** What two states must share to fit into each other: type, name, number of material nodes. */
  readonly signature: string;
  /** What it brings to its world beside itself; `part`: index of its part in the system, in the order of `models`. Asked once. */
  createCouplings?(part: number, models: readonly Model[]): readonly Coupling[];
  /** Finds who touches whom in the coming step. */
  detect(h: number): void;
  /** Changes the discretisation; returns how many nodes were disabled, inserted or retagged. */
  adapt(): number;
  /** Remembers the state, for roll-back and for the stages. */
  beginStep(): void;
  /** Back to the state before `adapt`, to the bit. The step is taken again, as long as it was or shorter. */
  rollBack(isAsLong: boolean): void;
  /** q̂ = q_start + drift·v, v̂ = v_start + kick·(v − v_start); v takes its prescribed values; q = q̂. */
  beginStage(stage: Stage, drift: number, kick: number): void;
  /** Gives held coordinates their prescribed velocities, once drivers have said them. */
  applyTargets(): void;
  /** Overwrites the part's matrix and right-hand side for the current iterate. */
  assemble(stage: Stage): void;
  /** The system was not positive definite: goes on with a positive part of the stiffness; false where it did so already. */
  takePositivePart?(): boolean;
  /** v += Δ (the part's solution), q = q̂ + h v; returns the largest motion by Δ relative to the local size. */
  correct(stage: Stage): number;
  /** Whether the stage moved the model so far that one linearised iteration says too little. */
  isFarFromLinear(stage: Stage): boolean;
  /** Whether the last correction was small enough for a linearly implicit stage, by the model's own measure; default: the world's. */
  hasSettled?(): boolean;
  /** Whether friction may keep Newton from converging fast. */
  convergesSlowly?(): boolean;
  /** Whether what the model assumed of its contacts (sticking, slipping) proved wrong: the stage is solved again. The
   * first pass is 1; a model must settle in the end. */
  revise?(pass: number): boolean;
  /** Whether `revise` also makes sense of iterates that have not converged; left out by models of which it does not. */
  readonly revisesEarly?: boolean;
  /** Back to q = q̂, with the velocities as they are. */
  restartStage?(): void;
  /** Largest |½ h (v − v_start)| relative to the local size: the local error of implicit Euler. */
  computeStepError(h: number): number;
  /** Why the state is not acceptable, in a few words; null when it is. */
  findFault(): string | null;
  /**
   * Whether the step, found faulty, should be taken again with the same length: the model has seen what it must change
   * in `adapt`. False once it has tried often enough.
   */
  wantsRetry?(): boolean;
  /**
   * Short steps do not help either: gives up what cannot be resolved (contacts let go, what they fling stands still) and
   * returns true, or returns false when there is nothing to give up. The state is that before the step.
   */
  rescue?(): boolean;
  /** The last resort: stands still until `end`, or moves with what it touches. False when that is no way out for this model. */
  freeze?(end: number): boolean;
  /** Takes over the velocities that the rescue of another model gave to what it moves. */
  readVelocities?(): void;
  /** The step is accepted. */
  endStep(): void;
  addEnergy(terms: EnergyTerms): void;
  /** Adds linear and angular momentum (about the origin) to out[0..5]. */
  addMomentum(out: Float64Array): void;
  readonly nodeCount: number;
  /** How often so far it went on with a contact that it could not resolve; left out by models that never do. */
  readonly fallbacks?: number;
  /** Sub-steps of its own that it took in the last one of the world; left out by models that take none. */
  readonly substeps?: number;
  computeMaxStrain(): number;
  /** What to show; several for models of several parts, null for those that show themselves elsewhere (bodies). */
  frame(): ObjectFrame | readonly ObjectFrame[] | null;
  /** Forces that bodies and constraints put on it, from the last solve; left out by models that have none to show. */
  forces?(): readonly ForceFrame[];
  writeState(writer: StateWriter): void;
  readState(reader: StateReader): void;
}

/** Energies of several models by term, and their sum [J]. */
export function computeEnergy(models: readonly Model[]): EnergyTerms {
  const terms: EnergyTerms = { kinetic: 0, stretch: 0, bending: 0, gravity: 0, contact: 0, total: 0 };
  for (const model of models) model.addEnergy(terms);
  terms.total = terms.kinetic + terms.stretch + terms.bending + terms.gravity + terms.contact;
  return terms;
}
