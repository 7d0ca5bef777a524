/** `heddle bench strand`: how long a step of bench/strand.js takes, by mode and number of nodes. */

import { HeddleError } from '../model/errors.ts';
import { type BenchDemand, formatDemand } from './bench-demand.ts';
import { loadBench } from './bench-load.ts';
import type { Output } from './context.ts';

/** One scene in one mode at one size. Times are medians of single steps. */
export interface BenchRow {
  readonly scene: string;
  readonly mode: 'eol' | 'lagrangian';
  readonly nodes: number;
  readonly msPerStep: number;
  readonly nsPerNode: number;
  /** Over the least that such a step could cost, measured in the same run. */
  readonly ratio: number;
  /** Over the Lagrangian mode at the same size. */
  readonly lagrangianRatio: number;
  /** Mean milliseconds by stage. */
  readonly stages: Readonly<Record<string, number>>;
  readonly remeshingsPerStep: number;
  /** What the paper says; null where it says nothing. */
  readonly paperMs: number | null;
}

/** What bench/strand.js exports. */
interface Bench {
  readonly sizes: readonly number[];
  readonly smallestSize: number;
  readonly paper: string;
  /** What `ratio` refers to. */
  readonly reference: string;
  measure(sizes: readonly number[]): Iterable<BenchRow>;
  checkDemands(rows: readonly BenchRow[]): readonly BenchDemand[];
}

/** Measures and prints; `sizes`: numbers of nodes. */
export async function runStrand(
  options: { readonly sizes?: readonly number[]; readonly json?: boolean },
  stdout: Output,
): Promise<void> {
  const bench: Bench = await loadBench('strand');
  const sizes = options.sizes ?? bench.sizes;
  const small = sizes.find((size) => size < bench.smallestSize);
  if (small !== undefined)
    throw new HeddleError(`--sizes has ${small} nodes; the scene needs at least ${bench.smallestSize}: use more.`);
  const rows: BenchRow[] = [];
  if (options.json !== true) stdout.write(formatHeading(bench));
  for (const row of bench.measure(sizes)) {
    rows.push(row);
    if (options.json !== true) stdout.write(formatRow(row));
  }
  const demands = bench.checkDemands(rows);
  stdout.write(
    options.json === true
      ? `${JSON.stringify({ model: 'strand', rows, demands })}\n`
      : `\n${demands.map(formatDemand).join('')}`,
  );
}

const WIDTHS = [9, 11, 10, 9, 9, 13, 11, 10];

const formatCells = (cells: readonly string[]): string =>
  `${cells.map((cell, k) => (k === 1 ? `  ${cell.padEnd(WIDTHS[k])}` : cell.padStart(WIDTHS[k]))).join('')}\n`;

function formatHeading({ paper, reference }: Bench): string {
  const cells = ['nodes', 'mode', 'ms/step', 'ns/node', 'x ref.', 'x lagrangian', 'remeshings', 'paper ms'];
  return `Time per step of the strand, median. Reference: ${reference}. Paper: ${paper}.\n\n${formatCells(cells)}`;
}

function formatRow(row: BenchRow): string {
  return formatCells([
    row.nodes.toLocaleString('en'),
    row.mode,
    row.msPerStep.toPrecision(3),
    row.nsPerNode.toFixed(0),
    row.ratio.toFixed(2),
    row.mode === 'eol' ? row.lagrangianRatio.toFixed(2) : '',
    row.remeshingsPerStep.toFixed(2),
    row.paperMs === null ? '' : row.paperMs.toLocaleString('en'),
  ]);
}
