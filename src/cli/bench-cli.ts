/** `heddle bench cli`: how long the command takes to start, as bench/cli.js measures it. */

import { type BenchDemand, formatDemand } from './bench-demand.ts';
import { loadBench } from './bench-load.ts';
import { padCells } from './cells.ts';
import type { Output } from './context.ts';

/** One command. Times are medians of whole processes. */
export interface StartRow {
  /** As after `heddle`. */
  readonly command: string;
  /** Processor time, and that of bare Node in the same run. */
  readonly ms: number;
  readonly nodeMs: number;
  readonly ratio: number;
  /** By the clock. */
  readonly wallMs: number;
  readonly wallRatio: number;
}

/** What bench/cli.js exports. */
interface StartBench {
  readonly starts: number;
  readonly reference: string;
  measure(starts: number): readonly StartRow[];
  checkDemands(rows: readonly StartRow[]): readonly BenchDemand[];
}

export async function runCli(
  options: { readonly starts?: number; readonly json?: boolean },
  stdout: Output,
): Promise<void> {
  const bench = await loadBench<StartBench>('cli');
  const starts = options.starts ?? bench.starts;
  if (options.json !== true) stdout.write(formatHeading(bench, starts));
  const rows = bench.measure(starts);
  const demands = bench.checkDemands(rows);
  stdout.write(
    options.json === true
      ? `${JSON.stringify({ model: 'cli', rows, demands })}\n`
      : `${rows.map(formatRow).join('')}\n${demands.map(formatDemand).join('')}`,
  );
}

const WIDTHS = [28, 8, 9, 11, 9];

const formatCells = (cells: readonly string[]): string => `${padCells(cells, WIDTHS, 1)}\n`;

const formatHeading = ({ reference }: StartBench, starts: number): string =>
  `Start-up time of the command: processor time and wall time of a process, median of ${starts}. Reference: ${reference}, measured in turn.

${formatCells(['command', 'ms', 'x node', 'wall ms', 'x node'])}`;

const formatRow = ({ command, ms, ratio, wallMs, wallRatio }: StartRow): string =>
  formatCells([`heddle ${command}`, ms.toFixed(0), ratio.toFixed(2), wallMs.toFixed(0), wallRatio.toFixed(2)]);
