/** `heddle bench fabric`: the tables of bench/fabric.js, scenes of the paper in the columns of its Table 1 and a weave beside a public code. */

import type { BenchDemand } from './bench-demand.ts';
import { loadBench } from './bench-load.ts';
import { runTables, type TableBench, type TableOptions } from './bench-tables.ts';
import { padCells } from './cells.ts';
import type { Output } from './context.ts';

/** One scene at one share of the paper's size. */
export interface FabricSceneRow {
  readonly scene: string;
  readonly share: number;
  /** Time step [s]. */
  readonly step: number;
  /** Most nodes. */
  readonly nodes: number;
  readonly lagrangian: number;
  readonly within: number;
  /** Most of them. */
  readonly between: number;
  readonly eil: number;
  /** Those that count. */
  readonly steps: number;
  readonly secondsPerStep: number;
  /** Iterations, sub-steps and rejected ones a step. */
  readonly newton: number;
  readonly pcg: number;
  readonly substeps: number;
  readonly rejected: number;
  readonly processBytes: number;
  readonly solverBytes: number;
  /** Of the time, by stage. */
  readonly shares: Readonly<Record<string, number>>;
  readonly usPerNode: number;
  /** Over that at 10 %; NaN where that was not measured before. */
  readonly ratio: number;
  /** Why it did not come to its end; null where it did. */
  readonly fault: string | null;
  /** Of the paper: Lagrangian, within, between, EIL nodes; seconds a step. */
  readonly paper: readonly (number | null)[];
}

/** A weave of one size. */
export interface FabricScalingRow {
  readonly crossings: number;
  readonly steps: number;
  readonly msPerStep: number;
  readonly usPerNode: number;
  readonly newton: number;
  readonly referenceMs: number;
  readonly ratio: number;
  /** What the public code takes, and what is demanded; null at other sizes. */
  readonly publicMs: number | null;
  readonly limit: number | null;
  readonly gain: number;
  readonly smallGain: number;
  readonly smallSteps: number;
  readonly smallFault: string | null;
}

/** What bench/fabric.js exports. */
interface FabricBench extends TableBench<FabricSceneRow, FabricScalingRow> {
  checkDemands(rows: readonly FabricSceneRow[], scaling: readonly FabricScalingRow[]): readonly BenchDemand[];
}

export async function runFabric(options: TableOptions, stdout: Output): Promise<void> {
  runTables<FabricSceneRow, FabricScalingRow, FabricBench>(
    await loadBench('fabric'),
    {
      model: 'fabric',
      describeSmall: (size, smallest) => `--sizes has ${size} crossings; a weave needs at least ${smallest}: use more.`,
      sceneHeading: SCENE_HEADING,
      formatScene,
      scalingHeading: SCALING_HEADING,
      formatScaling,
      conclude: (bench, rows, scaling) => ({ found: {}, text: '', demands: bench.checkDemands(rows, scaling) }),
    },
    options,
    stdout,
  );
}

const WIDTHS = [11, 6, 8, 9, 9, 8, 8, 10, 7, 8, 8, 8, 9, 10, 8];

const formatCells = (cells: readonly string[]): string => `${padCells(cells, WIDTHS, 1)}\n`;

const SCENE_HEADING = `Table 1 of Sánchez-Banderas 2020 at shares of its size: number of nodes (between layers and EIL: the maximum), seconds, sub-steps and iterations per step, memory of the process and of the
solver, and the cost per node relative to 10 %. The paper's numbers are below each row.

${formatCells(['scene', 'size', 'Lagr.', 'within', 'between', 'EIL', 'h [ms]', 's/step', 'sub', 'Newton', 'PCG', 'MB', 'solver', 'us/node', 'x 10 %'])}`;

/** A dash where nothing was measured. */
const formatMeasured = (value: number, format: (value: number) => string): string =>
  Number.isNaN(value) ? '-' : format(value);

const formatCount = (count: number | null): string => (count === null ? '-' : count.toLocaleString('en'));

function formatScene(row: FabricSceneRow): string {
  const own = formatCells([
    row.scene,
    `${Number((100 * row.share).toPrecision(2))} %`,
    ...[row.lagrangian, row.within, row.between, row.eil].map(formatCount),
    String(1000 * row.step),
    formatMeasured(row.secondsPerStep, (value) => value.toPrecision(3)),
    formatMeasured(row.substeps, (value) => value.toFixed(1)),
    formatMeasured(row.newton, (value) => value.toFixed(1)),
    formatMeasured(row.pcg, (value) => value.toFixed(0)),
    (row.processBytes / 1e6).toFixed(0),
    (row.solverBytes / 1e6).toFixed(1),
    formatMeasured(row.usPerNode, (value) => value.toFixed(1)),
    Number.isNaN(row.ratio) ? '' : row.ratio.toFixed(2),
  ]);
  const [lagrangian, within, between, eil, seconds] = row.paper;
  const paper = formatCells([
    '  paper',
    '100 %',
    ...[lagrangian, within, between, eil].map(formatCount),
    String(1000 * row.step),
    String(seconds),
  ]);
  const reason = row.fault === null ? '' : `        after ${row.steps} steps: ${row.fault}\n`;
  return own + paper + reason;
}

const SCALING_WIDTHS = [10, 10, 10, 9, 9, 11, 9, 12, 12];

const formatScalingCells = (cells: readonly string[]): string => `${padCells(cells, SCALING_WIDTHS, 0)}\n`;

const SCALING_HEADING = `
A weave pinned at two corners, 1 ms: time per step, median. Reference: LDLT of a chain of as many nodes, and a solve. Public: a public EoL weave code.
Gain: energy above the initial one divided by the largest kinetic energy, with steps of 1 ms and 0.1 ms.

${formatScalingCells(['crossings', 'ms/step', 'us/node', 'x ref.', 'Newton', 'public ms', 'demand', 'gain 1 ms', 'gain 0.1'])}`;

const formatScaling = (row: FabricScalingRow): string =>
  formatScalingCells([
    row.crossings.toLocaleString('en'),
    row.msPerStep.toPrecision(3),
    row.usPerNode.toFixed(1),
    row.ratio.toFixed(1),
    row.newton.toFixed(2),
    row.publicMs === null ? '' : String(row.publicMs),
    row.limit === null ? '' : String(row.limit),
    row.gain.toExponential(1),
    row.smallGain.toExponential(1),
  ]) + (row.smallFault === null ? '' : `        0.1 ms, after ${row.smallSteps} steps: ${row.smallFault}\n`);
