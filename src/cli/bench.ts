/**
 * `heddle bench`: how long a step takes, by model, mode and number of nodes. What is measured is in bench/, one module a
 * model; it lies beside the package and uses it by its public name, so it is loaded by its path.
 */

import { type Command, InvalidArgumentError } from 'commander';
import { HeddleError, suggest } from '../model/index.ts';
import { type BenchDemand, formatDemand } from './bench-demand.ts';
import { runPeers } from './bench-peers.ts';
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

interface BenchOptions {
  readonly sizes?: readonly number[];
  readonly peers?: boolean;
  readonly seconds?: number;
  readonly json?: boolean;
}

export function registerBench(program: Command, context: Context): void {
  program
    .command('bench')
    .description('Measure the time of a step for growing numbers of nodes.')
    .argument('[model]', `what to measure: ${BENCHES.join(', ')}`, BENCHES[0])
    .option('--sizes <counts>', 'numbers of nodes, with commas; k and M for thousands and millions', parseSizes)
    .option('--peers', 'a swinging rope beside Jolt Physics and Rapier, which must be installed: stretch and time')
    .option('--seconds <time>', 'with --peers: how long the rope swings, instead of 2', parseSeconds)
    .option('--json', 'end with one JSON object: {model, rows: [{scene, mode, nodes, msPerStep, …}], demands}')
    .addHelpText(
      'after',
      '\nExamples:\n  heddle bench strand                   all sizes, about 20 seconds\n  heddle bench strand --sizes 800,10k   some of them\n  heddle bench strand --peers           beside other engines, some minutes\n  heddle bench strand --json > bench.json',
    )
    .action((model: string, options: BenchOptions) => runBench(model, options, context));
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 1000))
    throw new InvalidArgumentError(`"${text}" is no time in seconds; write for example 2.`);
  return seconds;
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

async function runBench(model: string, options: BenchOptions, { stdout }: Context): Promise<void> {
  if (!BENCHES.includes(model))
    throw new HeddleError(`"${model}" has no benchmark.${suggest(model, BENCHES, 'Benchmarks')}`);
  if (options.seconds !== undefined && options.peers !== true)
    throw new HeddleError('--seconds is for --peers; a benchmark of steps takes as long as it needs: leave it out.');
  if (options.peers === true) return runPeers(model, options, stdout);
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
