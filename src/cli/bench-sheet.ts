/** `heddle bench sheet`: the tables of bench/sheet.js, scenes of the thesis in the columns of its Table 7.1 and the cost against the number of vertices. */

import type { BenchDemand } from './bench-demand.ts';
import { loadBench } from './bench-load.ts';
import { runTables, type TableBench, type TableOptions } from './bench-tables.ts';
import { padCells } from './cells.ts';
import type { Output } from './context.ts';

/** One scene in one mode. */
export interface SheetSceneRow {
  readonly scene: string;
  readonly mode: 'eol' | 'lagrangian';
  /** Most vertices, and the largest share of sliding ones. */
  readonly vertices: number;
  readonly sliding: number;
  /** Shares of the time: finding contacts, remeshing, velocity transfer, the rest; NaN where nothing was measured. */
  readonly detection: number;
  readonly remeshing: number;
  readonly transfer: number;
  readonly integration: number;
  readonly steps: number;
  readonly msPerStep: number;
  /** Over the Lagrangian mode. */
  readonly ratio: number;
  /** Why it did not come to its end; null where it did. */
  readonly fault: string | null;
  /** What the thesis says: #V, %E, %CD, %RM, %VT, %VI, ms. */
  readonly paper: readonly (number | null)[];
}

/** Hanging cloth of one size. */
export interface SheetScalingRow {
  readonly vertices: number;
  readonly steps: number;
  readonly msPerStep: number;
  readonly usPerVertex: number;
  /** Over one factorisation of its matrix, and a solve. */
  readonly ratio: number;
  readonly referenceMs: number;
  readonly newtonIterations: number;
  readonly buildMs: number;
}

/** What bench/sheet.js exports. */
interface SheetBench extends TableBench<SheetSceneRow, SheetScalingRow> {
  computeExponent(rows: readonly SheetScalingRow[]): number;
  checkDemands(rows: readonly SheetSceneRow[]): readonly BenchDemand[];
}

export async function runSheet(options: TableOptions, stdout: Output): Promise<void> {
  runTables<SheetSceneRow, SheetScalingRow, SheetBench>(
    await loadBench('sheet'),
    {
      model: 'sheet',
      describeSmall: (size, smallest) => `--sizes has ${size} vertices; a cloth needs at least ${smallest}: use more.`,
      sceneHeading: SCENE_HEADING,
      formatScene,
      scalingHeading: SCALING_HEADING,
      formatScaling,
      conclude: (bench, rows, scaling) => {
        const exponent = bench.computeExponent(scaling);
        const text = `ms ~ vertices^${exponent.toFixed(2)}\n`;
        return { found: { exponent }, text, demands: bench.checkDemands(rows) };
      },
    },
    options,
    stdout,
  );
}

const WIDTHS = [8, 12, 5, 7, 7, 7, 7, 7, 9, 8];

const formatCells = (cells: readonly string[]): string => padCells(cells, WIDTHS, 2);

const SCENE_HEADING = `Table 7.1 of Piddington 2017: maximum number of vertices, share of sliding ones, shares of contact detection, remeshing, velocity transfer and velocity
integration, time per step, and its ratio to the Lagrangian mode. The thesis' own numbers are on the right.

${formatCells(['scene', 'mode', '#V', '%E', '%CD', '%RM', '%VT', '%VI', 'ms', 'ratio'])}     #V    %E   %CD   %RM   %VT   %VI     ms
`;

const formatShare = (share: number): string => (Number.isNaN(share) ? '-' : (100 * share).toFixed(1));

function formatScene(row: SheetSceneRow): string {
  const isEol = row.mode === 'eol';
  const cells = [
    row.scene,
    row.mode,
    String(row.vertices),
    isEol ? formatShare(row.sliding) : '-',
    formatShare(row.detection),
    isEol ? formatShare(row.remeshing) : '-',
    isEol ? formatShare(row.transfer) : '-',
    formatShare(row.integration),
    Number.isNaN(row.msPerStep) ? '-' : row.msPerStep.toPrecision(3),
    isEol && !Number.isNaN(row.ratio) ? row.ratio.toFixed(2) : '',
  ];
  const paper = row.paper.map((value, k) =>
    (value === null ? '-' : value.toFixed(k === 0 ? 0 : 1)).padStart(k === 6 ? 7 : 6),
  );
  const fault = row.fault === null ? '' : `        after ${row.steps} steps: ${row.fault}\n`;
  return `${formatCells(cells)} ${paper.join('')}\n${fault}`;
}

const SCALING_WIDTHS = [9, 10, 11, 9, 9, 10];

const formatScalingCells = (cells: readonly string[]): string => `${padCells(cells, SCALING_WIDTHS, 0)}\n`;

const SCALING_HEADING = `
Hanging cloth, 1/60 s: time per step, mean. Reference: sparse LDLT of its matrix and a solve.

${formatScalingCells(['vertices', 'ms/step', 'us/vertex', 'x ref.', 'Newton', 'build ms'])}`;

const formatScaling = (row: SheetScalingRow): string =>
  formatScalingCells([
    row.vertices.toLocaleString('en'),
    row.msPerStep.toPrecision(3),
    row.usPerVertex.toFixed(2),
    row.ratio.toFixed(2),
    row.newtonIterations.toFixed(2),
    row.buildMs.toFixed(0),
  ]);
