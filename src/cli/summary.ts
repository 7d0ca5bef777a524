/** What a run ends with: the object of `heddle run --json` and summary.json, and its sentences for people. */

import type { Scene } from '../scene/index.ts';
import type { RunnableWorld } from './context.ts';
import { formatShort } from './progress.ts';

export interface ExpectationResult {
  readonly probe: string;
  readonly value: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly holds: boolean;
}

export interface RunSummary {
  readonly scene: string;
  readonly steps: number;
  /** Simulated time [s]. */
  readonly time: number;
  /** Mean wall time of a step [ms]. */
  readonly msPerStep: number;
  /** The same by stage [ms]. */
  readonly stages: Readonly<Record<string, number>>;
  readonly nodes: number;
  /** [J] */
  readonly energy: Readonly<Record<string, number>>;
  readonly maxStrain: number;
  /** Last values by column. */
  readonly probes: Readonly<Record<string, number>>;
  /** Unit of each column, "1" for pure numbers. */
  readonly probeUnits: Readonly<Record<string, string>>;
  readonly hash: string;
  /** Empty unless the run reached the scene's duration. */
  readonly expect: readonly ExpectationResult[];
  /** Whether the scene's whole duration was simulated. */
  readonly finished: boolean;
}

/** Wall time and number of the steps made by this process. */
export interface StepTimes {
  readonly steps: number;
  readonly milliseconds: number;
}

export function computeSummary(scene: Scene, world: RunnableWorld, times: StepTimes, finished: boolean): RunSummary {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  const probes = Object.fromEntries(world.probeColumns.map((column, index) => [column, values[index]]));
  const steps = Math.max(1, times.steps);
  return {
    scene: scene.name,
    steps: world.steps,
    time: world.time,
    msPerStep: times.milliseconds / steps,
    stages: Object.fromEntries(Object.entries(world.profile).map(([stage, total]) => [stage, total / steps])),
    nodes: world.nodeCount,
    energy: { ...world.energy() },
    maxStrain: world.maxStrain(),
    probes,
    probeUnits: Object.fromEntries(world.probeColumns.map((column, index) => [column, world.probeUnits[index]])),
    hash: world.hash(),
    expect: finished ? checkExpectations(scene, probes) : [],
    finished,
  };
}

function checkExpectations(scene: Scene, probes: Readonly<Record<string, number>>): ExpectationResult[] {
  return scene.expect.map(({ probe, min, max }) => {
    const value = probes[probe] ?? Number.NaN;
    const holds = value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
    return { probe, value, min: min ?? null, max: max ?? null, holds };
  });
}

/** One sentence for each expectation that failed. */
export function describeBrokenExpectations(summary: RunSummary): string[] {
  return summary.expect
    .filter((result) => !result.holds)
    .map(({ probe, value, min, max }) => {
      const bounds = [...(min === null ? [] : [`>= ${min}`]), ...(max === null ? [] : [`<= ${max}`])].join(' and ');
      return `${summary.scene} did not end as expected: ${probe} is ${value}; it should be ${bounds}.`;
    });
}

/** The run in a few lines for people. */
export function describeSummary(summary: RunSummary, folder: string): string {
  const { energy } = summary;
  const terms = Object.entries(energy)
    .filter(([term, value]) => term !== 'total' && value !== 0)
    .map(([term, value]) => `${term} ${formatShort(value)}`);
  const held = summary.expect.filter((result) => result.holds).length;
  return [
    `${summary.scene}: ${summary.steps} steps to ${formatShort(summary.time)} s, ${formatShort(summary.msPerStep)} ms per step, ${summary.nodes} nodes`,
    `  energy ${formatShort(energy.total)} J${terms.length === 0 ? '' : ` (${terms.join(', ')})`}, largest strain ${formatShort(100 * summary.maxStrain)} %, hash ${summary.hash}`,
    ...(summary.expect.length === 0 ? [] : [`  ${held} of ${summary.expect.length} expectations passed`]),
    `  written to ${folder}`,
    '',
  ].join('\n');
}
