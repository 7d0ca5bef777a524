/**
 * `heddle bench`: how long a step takes, by model, mode and number of nodes. What is measured is in bench/, one module a
 * model; it lies beside the package and uses it by its public name, so it is loaded by its path.
 */

import { type Command, InvalidArgumentError } from 'commander';
import { HeddleError, suggest } from '../model/index.ts';
import type { Context } from './context.ts';

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

export interface BenchDemand {
  readonly demand: string;
  readonly value: number;
  readonly limit: number;
  readonly holds: boolean;
}

/** What a module of bench/ exports. */
interface Bench {
  readonly sizes: readonly number[];
  readonly smallestSize: number;
  readonly paper: string;
  /** What `ratio` refers to. */
  readonly reference: string;
  measure(sizes: readonly number[]): Iterable<BenchRow>;
  checkDemands(rows: readonly BenchRow[]): readonly BenchDemand[];
}

/** Registry of benchmarks; each has its module in bench/. */
const BENCHES: readonly string[] = ['strand'];

const loadBench = async (model: string): Promise<Bench> =>
  import(new URL(`../../bench/${model}.js`, import.meta.url).href);

export function registerBench(program: Command, context: Context): void {
  program
    .command('bench')
    .description('Measure the time of a step for growing numbers of nodes.')
    .argument('[model]', `what to measure: ${BENCHES.join(', ')}`, BENCHES[0])
    .option('--sizes <counts>', 'numbers of nodes, with commas; k and M for thousands and millions', parseSizes)
    .option('--json', 'end with one JSON object: {model, rows: [{scene, mode, nodes, msPerStep, …}], demands}')
    .addHelpText(
      'after',
      '\nExamples:\n  heddle bench strand                   all sizes, about 20 seconds\n  heddle bench strand --sizes 800,10k   some of them\n  heddle bench strand --json > bench.json',
    )
    .action((model: string, options: { sizes?: readonly number[]; json?: boolean }) =>
      runBench(model, options, context),
    );
}

function parseSizes(text: string): number[] {
  return text.split(',').map((part) => {
    const match = /^(\d+)([kM]?)$/.exec(part.trim());
    const count =
      match === null ? Number.NaN : Number(match[1]) * { '': 1, k: 1e3, M: 1e6 }[match[2] as '' | 'k' | 'M'];
    if (!(count >= 2 && count <= 1e9))
      throw new InvalidArgumentError(`"${part}" is no number of nodes; write for example 800, 10k or 1M.`);
    return count;
  });
}

async function runBench(
  model: string,
  options: { readonly sizes?: readonly number[]; readonly json?: boolean },
  { stdout }: Context,
): Promise<void> {
  if (!BENCHES.includes(model))
    throw new HeddleError(`"${model}" has no benchmark.${suggest(model, BENCHES, 'Benchmarks')}`);
  const bench = await loadBench(model);
  const sizes = options.sizes ?? bench.sizes;
  const small = sizes.find((size) => size < bench.smallestSize);
  if (small !== undefined)
    throw new HeddleError(`--sizes has ${small} nodes; the scene needs at least ${bench.smallestSize}: use more.`);
  const rows: BenchRow[] = [];
  if (options.json !== true) stdout.write(formatHeading(model, bench));
  for (const row of bench.measure(sizes)) {
    rows.push(row);
    if (options.json !== true) stdout.write(formatRow(row));
  }
  const demands = bench.checkDemands(rows);
  stdout.write(
    options.json === true ? `${JSON.stringify({ model, rows, demands })}\n` : `\n${demands.map(formatDemand).join('')}`,
  );
}

const WIDTHS = [9, 11, 10, 9, 9, 13, 11, 10];

const formatCells = (cells: readonly string[]): string =>
  `${cells.map((cell, k) => (k === 1 ? `  ${cell.padEnd(WIDTHS[k])}` : cell.padStart(WIDTHS[k]))).join('')}\n`;

function formatHeading(model: string, { paper, reference }: Bench): string {
  const cells = ['nodes', 'mode', 'ms/step', 'ns/node', 'x ref.', 'x lagrangian', 'remeshings', 'paper ms'];
  return `Time of a step of the ${model}, median. Reference: ${reference}. Paper: ${paper}.\n\n${formatCells(cells)}`;
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

const formatDemand = ({ demand, value, limit, holds }: BenchDemand): string =>
  `${holds ? 'holds' : 'FAILS'}  ${demand}: ${value.toPrecision(3)}, at most ${limit}\n`;
