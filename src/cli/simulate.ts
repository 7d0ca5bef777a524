/**
 * The loop of a run: step, record what is due, checkpoint now and then, give way to signals.
 * A checkpoint comes every two seconds of wall time, later every twentieth of the time the run has taken: a killed run
 * loses at most that much, and the file holds few of them.
 */

import { setImmediate } from 'node:timers/promises';
import { countSteps, isMoment, type Scene } from '../scene/index.ts';
import type { Context, RunnableWorld } from './context.ts';
import type { Progress, RunState } from './progress.ts';
import type { RunRecorder } from './run-folder.ts';
import type { StepTimes } from './summary.ts';

/** Wall time between checkpoints unless told otherwise [ms]. */
export const CHECKPOINT_INTERVAL = 2000;
const CHECKPOINT_SHARE = 0.05;
/** How long steps go on before signals get their turn [ms]. */
const SLICE = 50;

export interface Simulation {
  readonly scene: Scene;
  readonly world: RunnableWorld;
  readonly recorder: RunRecorder;
  readonly progress: Progress;
  /** Time to stop at, at most the scene's duration [s]. */
  readonly until: number;
  /** Whether it goes on from a checkpoint: then the world's present step is recorded already. */
  readonly resumed: boolean;
  /** Least wall time between checkpoints [ms]. */
  readonly checkpointInterval: number;
  /** Wall time after which it stops as if it were interrupted [ms]. */
  readonly longest: number;
}

export interface SimulationEnd extends StepTimes {
  readonly interrupted: boolean;
  /** Whether that was because it took too long. */
  readonly isOverdue: boolean;
}

/** Runs to `until` or to an interrupt. Either way the recorder ends with a checkpoint. */
export async function simulate(simulation: Simulation, context: Context): Promise<SimulationEnd> {
  const { scene, world, recorder, progress, until } = simulation;
  const lastStep = countSteps(until, scene.time.step);
  let interrupted = false;
  let isOverdue = false;
  const stopListening = context.onInterrupt(() => {
    interrupted = true;
    stopListening();
  });
  const start = context.now();
  let lastCheckpoint = start;
  let sliceStart = start;
  let stepped = 0;
  let milliseconds = 0;
  const state = (): RunState => ({
    time: world.time,
    end: until,
    done: world.steps / lastStep,
    msPerStep: milliseconds / Math.max(1, stepped),
    nodes: world.nodeCount,
    maxStrain: world.maxStrain(),
  });
  const checkpoint = () => recorder.addCheckpoint({ step: world.steps, time: world.time, state: world.save() });
  try {
    if (!simulation.resumed) record(simulation);
    while (world.steps < lastStep && !interrupted) {
      const before = context.now();
      // one sub-step at a time: a step that takes thousands must not shut signals out
      const complete = world.stepPart(1);
      const now = context.now();
      milliseconds += now - before;
      if (complete) {
        stepped++;
        record(simulation);
      }
      if (now - lastCheckpoint >= Math.max(simulation.checkpointInterval, CHECKPOINT_SHARE * (now - start))) {
        checkpoint();
        lastCheckpoint = context.now();
      }
      if (now - start > simulation.longest) interrupted = isOverdue = true;
      if (progress.isDue(now, world.steps / lastStep)) progress.show(now, state());
      if (now - sliceStart >= SLICE) {
        await setImmediate();
        sliceStart = context.now();
      }
    }
    if (!interrupted) progress.show(context.now(), state());
    checkpoint();
  } catch (error) {
    // what was measured before the failure stays readable
    recorder.flushRows();
    throw error;
  } finally {
    progress.end();
    stopListening();
  }
  return { interrupted, isOverdue, steps: stepped, milliseconds };
}

/** Records what is due at the world's step. */
function record({ scene, world, recorder }: Simulation): void {
  const { step, duration } = scene.time;
  const { framesPerSecond, probesPerSecond } = scene.output;
  const isLast = world.steps === countSteps(duration, step);
  const n = world.steps;
  if (
    world.probeColumns.length > 0 &&
    (isLast || probesPerSecond === undefined || isMoment(n, step, probesPerSecond))
  ) {
    const row = new Float64Array(1 + world.probeColumns.length);
    row[0] = world.time;
    world.writeProbes(row.subarray(1));
    recorder.addRow(row);
  }
  if (isLast || isMoment(n, step, framesPerSecond)) recorder.addFrame(world.frame());
}
