/**
 * Joins models while they move: crossings of strands, guides that meet, and contact of strands, rods, sheets, fabrics and
 * dynamic bodies. Unlike a tie, which is permanent, a coupling searches for its contact pairs, may change the nodes of the
 * models for them, and may ask for a step to be repeated. The world calls it beside the models: adapt (before theirs),
 * beginStep, { addRows, (solve), takeMultipliers }, revise, findFault, endStep.
 */
import type { ForceFrame } from './frame.ts';
import type { Stage } from './model.ts';
import type { ConstraintRows } from './part.ts';
import type { StateReader, StateWriter } from './state.ts';

export interface Coupling {
  /** Changes the nodes of the models that it joins, before they adapt. */
  adapt(): void;
  beginStep(): void;
  /** Back to the state before `adapt`, to the bit; called before the models roll back. */
  rollBack(isAsLong: boolean): void;
  /** Adds its constraint rows; may add forces to the assembled parts of models that have no positive part to take. */
  addRows(rows: ConstraintRows, stage: Stage): void;
  clearForces(): void;
  /** Sees the impulses of a solve before the models take its corrections. */
  preview?(rows: ConstraintRows): void;
  /** Reads the impulses of its rows after a solve. */
  takeMultipliers(rows: ConstraintRows, stage: Stage): void;
  /** Newton nears its end, once a pass: what is seen to be missing may be added before that. */
  foresee?(): void;
  /** Whether what it assumed (pushing, sticking) proved wrong: the stage is solved again. */
  revise(stage: Stage): boolean;
  /** Why the step is not acceptable; null when it is. */
  findFault(): string | null;
  /** Whether the step, found faulty, should be taken again with the same length. */
  wantsRetry(): boolean;
  /** The step is accepted. */
  endStep(): void;
  /** How often so far it let something through; left out where that cannot be. */
  readonly fallbacks?: number;
  /** Forces between what it joins, from the last solve. */
  forces?(): readonly ForceFrame[];
  writeState(writer: StateWriter): void;
  readState(reader: StateReader): void;
}
