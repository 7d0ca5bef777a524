/** `heddle bench rod`: the tables of bench/rod.js, scenes of the paper in the columns of its Table 1 and the cost against the number of nodes. */

import type { BenchDemand } from './bench-demand.ts';
import { loadBench } from './bench-load.ts';
import { runTables, type TableBench, type TableOptions } from './bench-tables.ts';
import { padCells } from './cells.ts';
import type { Output } from './context.ts';

/** Milliseconds a step; null where the paper has none. */
interface StageTimes<Time> {
  readonly collision: Time;
  readonly resample: Time;
  readonly force: Time;
  readonly solve: number;
  readonly total: number;
}

/** One scene. */
export interface RodSceneRow {
  readonly figure: string;
  readonly scene: string;
  /** Fewest and most nodes. */
  readonly least: number;
  readonly most: number;
  readonly steps: number;
  /** A step. */
  readonly substeps: number;
  readonly rejected: number;
  readonly newtonIterations: number;
  readonly ms: StageTimes<number> & { readonly advance: number };
  readonly solveShare: number;
  /** Over one factorisation of a matrix of as many nodes, and a solve. */
  readonly ratio: number;
  readonly referenceMs: number;
  /** Why it did not come to its end; null where it did. */
  readonly fault: string | null;
  readonly paper: { readonly least: number; readonly most: number; readonly ms: StageTimes<number | null> };
  /** The paper's time over ours. */
  readonly factor: number;
}

/** Rods of one size in one mode. */
export interface RodScalingRow {
  readonly mode: 'rh' | 'lagrangian';
  readonly rods: number;
  /** Of each. */
  readonly nodes: number;
  readonly activeNodes: number;
  readonly steps: number;
  readonly msPerStep: number;
  readonly usPerNode: number;
  readonly ratio: number;
  readonly referenceMs: number;
  readonly lagrangianRatio: number;
  readonly newtonIterations: number;
  readonly shares: Readonly<Record<'detect' | 'adapt' | 'assemble' | 'solve' | 'advance', number>>;
  /** What a C++ code of discrete elastic rods takes; null where that is not known. */
  readonly peerMs: number | null;
}

/** What bench/rod.js exports. */
interface RodBench extends TableBench<RodSceneRow, RodScalingRow> {
  readonly modes: readonly RodScalingRow['mode'][];
  computeExponent(rows: readonly RodScalingRow[], mode: RodScalingRow['mode']): number;
  checkDemands(rows: readonly RodSceneRow[], scaling: readonly RodScalingRow[]): readonly BenchDemand[];
}

export async function runRod(options: TableOptions, stdout: Output): Promise<void> {
  runTables<RodSceneRow, RodScalingRow, RodBench>(
    await loadBench('rod'),
    {
      model: 'rod',
      describeSmall: (size, smallest) =>
        `--sizes has ${size} nodes; a rod in waves needs at least ${smallest}: use more.`,
      sceneHeading: SCENE_HEADING,
      formatScene,
      scalingHeading: SCALING_HEADING,
      formatScaling,
      conclude: (bench, rows, scaling) => {
        const exponents = Object.fromEntries(bench.modes.map((mode) => [mode, bench.computeExponent(scaling, mode)]));
        const text = bench.modes.map((mode) => `ms ~ nodes^${exponents[mode].toFixed(2)}  ${mode}\n`).join('');
        return { found: { exponents }, text, demands: bench.checkDemands(rows, scaling) };
      },
    },
    options,
    stdout,
  );
}

const WIDTHS = [15, 17, 10, 11, 10, 8, 8, 8, 8, 8, 9];

const formatCells = (cells: readonly string[]): string => padCells(cells, WIDTHS, 2);

const SCENE_HEADING = `Table 1 of Wen 2020: fewest and most nodes, and milliseconds per step of 8 ms; the paper's numbers are below each row.
% solve: share of the total. x ref.: ratio to LDLT of a chain of as many nodes, and a solve. factor: the paper's total divided by ours.

${formatCells(['figure', 'scene', '#V', 'collision', 'resample', 'force', 'solve', 'total', '% solve', 'x ref.', 'factor'])}
`;

const formatTimes = ({ collision, resample, force, solve, total }: StageTimes<number | null>): string[] =>
  [collision, resample, force, solve, total].map((time) => (time === null ? '/' : time.toPrecision(3)));

function formatScene(row: RodSceneRow): string {
  const { figure, scene, least, most, ms, solveShare, ratio, factor, paper, steps, fault } = row;
  const own = [
    figure,
    scene,
    `${least}–${most}`,
    ...formatTimes(ms),
    (100 * solveShare).toFixed(0),
    ratio.toFixed(0),
    factor.toFixed(1),
  ];
  const other = ['', '  paper', `${paper.least}–${paper.most}`, ...formatTimes(paper.ms)];
  other.push(((100 * paper.ms.solve) / paper.ms.total).toFixed(0));
  const reason = fault === null ? '' : `        after ${steps} steps: ${fault}\n`;
  return `${formatCells(own)}\n${formatCells(other)}\n${reason}`;
}

const SCALING_WIDTHS = [8, 9, 13, 10, 10, 9, 14, 8, 9, 9, 10];

const formatScalingCells = (cells: readonly string[]): string =>
  `${cells.map((cell, k) => (k === 2 ? `  ${cell}`.padEnd(SCALING_WIDTHS[k]) : cell.padStart(SCALING_WIDTHS[k]))).join('')}\n`;

const SCALING_HEADING = `
Rods in waves, 1 ms: time per step, median. Reference: LDLT of a chain of as many nodes, and a solve. DER: a C++ code of discrete elastic rods.

${formatScalingCells(['rods', 'nodes', 'mode', 'ms/step', 'us/node', 'x ref.', 'x lagrangian', 'Newton', '% force', '% solve', 'DER ms'])}`;

const formatScaling = (row: RodScalingRow): string =>
  formatScalingCells([
    row.rods.toLocaleString('en'),
    row.nodes.toLocaleString('en'),
    row.mode,
    row.msPerStep.toPrecision(3),
    row.usPerNode.toFixed(2),
    row.ratio.toFixed(2),
    row.mode === 'rh' ? row.lagrangianRatio.toFixed(2) : '',
    row.newtonIterations.toFixed(2),
    (100 * row.shares.assemble).toFixed(0),
    (100 * row.shares.solve).toFixed(0),
    row.peerMs === null ? '' : row.peerMs.toFixed(1),
  ]);
