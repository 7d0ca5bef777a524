/**
 * `heddle bench`: how long a step takes, by model. What is measured is in bench/; it lies beside the package and uses it by its public name, so
 * it is loaded by its path. What a model's benchmark prints is in `bench-*.ts`.
 */

import { type Command, InvalidArgumentError } from 'commander';
import { HeddleError, suggest } from '../model/index.ts';
import { runFabric, runFabricPeers } from './bench-fabric.ts';
import { runMpm, runMpmPeers } from './bench-mpm.ts';
import { runRod, runRodPeers } from './bench-rod.ts';
import { runSheet } from './bench-sheet.ts';
import { runSheetPeers } from './bench-sheet-peers.ts';
import { runStrand } from './bench-strand.ts';
import { runStrandPeers } from './bench-strand-peers.ts';
import type { Context, Output } from './context.ts';

interface BenchOptions {
  readonly sizes?: readonly number[];
  readonly peers?: boolean;
  readonly seconds?: number;
  readonly steps?: number;
  readonly task?: string;
  readonly shares?: readonly number[];
  readonly full?: boolean;
  readonly json?: boolean;
}

interface Bench {
  readonly name: string;
  run(options: BenchOptions, stdout: Output): Promise<void>;
  runPeers(options: BenchOptions, stdout: Output): Promise<void>;
}

/** Registry of benchmarks. */
const BENCHES: readonly Bench[] = [
  { name: 'strand', run: runStrand, runPeers: runStrandPeers },
  { name: 'sheet', run: runSheet, runPeers: runSheetPeers },
  { name: 'rod', run: runRod, runPeers: runRodPeers },
  { name: 'fabric', run: runFabric, runPeers: runFabricPeers },
  { name: 'mpm', run: runMpm, runPeers: runMpmPeers },
];

const NAMES = BENCHES.map(({ name }) => name);

export function registerBench(program: Command, context: Context): void {
  program
    .command('bench')
    .description('Measure the time of a step for growing numbers of nodes.')
    .argument('[model]', `what to measure: ${NAMES.join(', ')}`, NAMES[0])
    .option('--sizes <counts>', 'numbers of nodes, with commas; k and M for thousands and millions', parseSizes)
    .option(
      '--peers',
      'beside Jolt Physics and Rapier, which must be installed: a swinging rope, cloth; stretch and time',
    )
    .option(
      '--seconds <time>',
      'with --peers: how long the rope swings, instead of 2, or the cloth hangs, instead of 3',
      parseSeconds,
    )
    .option('--task <name>', 'with --peers, of a sheet: hang or edge alone')
    .option(
      '--steps <count>',
      'of a sheet, rod, fabric or mpm: steps of each scene, instead of 200, of all, of 6, and of 24',
      parseSteps,
    )
    .option('--shares <shares>', "of a fabric: of the paper's numbers of nodes, instead of 0.01,0.1", parseShares)
    .option('--full', "of a fabric: the tablecloth at the paper's size, too; some minutes more")
    .option('--json', 'end with one JSON object: {model, rows: [{scene, mode, nodes, msPerStep, …}], demands}')
    .addHelpText(
      'after',
      `
Examples:
  heddle bench strand                   all sizes, about 20 seconds
  heddle bench strand --sizes 800,10k   some of them
  heddle bench strand --peers           beside other engines, some minutes
  heddle bench sheet --sizes 1k,10k     scenes of the thesis, then hanging cloth of these sizes
  heddle bench sheet --peers --sizes 1k cloth beside other engines; 10k and 40k take long, see --task
  heddle bench rod                      scenes of the paper, then rods of growing size, some minutes
  heddle bench fabric --full            scenes of the paper at 1 %, 10 % and, of the tablecloth, 100 % of its size
  heddle bench mpm                      rows of the paper's Table 2 at 60,000 particles, then sand up to a million
  heddle bench strand --json > bench.json`,
    )
    .action((model: string, options: BenchOptions) => runBench(model, options, context));
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 1000))
    throw new InvalidArgumentError(`"${text}" is no time in seconds; write for example 2.`);
  return seconds;
}

function parseSteps(text: string): number {
  const steps = Number(text);
  if (!(Number.isInteger(steps) && steps >= 2 && steps <= 1e6))
    throw new InvalidArgumentError(`"${text}" is no number of steps from 2 on; write for example 200.`);
  return steps;
}

function parseShares(text: string): number[] {
  return text.split(',').map((part) => {
    const share = Number(part);
    if (!(share > 0 && share <= 1))
      throw new InvalidArgumentError(`"${part}" is no share above 0 and up to 1; write for example 0.01,0.1.`);
    return share;
  });
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
  const bench = BENCHES.find(({ name }) => name === model);
  if (bench === undefined) throw new HeddleError(`"${model}" has no benchmark.${suggest(model, NAMES, 'Benchmarks')}`);
  if (options.seconds !== undefined && options.peers !== true)
    throw new HeddleError('--seconds is for --peers; a benchmark of steps takes as long as it needs: leave it out.');
  if (options.steps !== undefined && (model === 'strand' || options.peers === true))
    throw new HeddleError(
      '--steps is for the scenes of "heddle bench sheet", "rod", "fabric" and "mpm", without --peers: leave it out.',
    );
  const given = options.full === true ? '--full' : options.shares && '--shares';
  if (given && model !== 'fabric') throw new HeddleError(`${given} is for "heddle bench fabric": leave it out.`);
  if (options.task !== undefined && (model !== 'sheet' || options.peers !== true))
    throw new HeddleError('--task is for "heddle bench sheet --peers": leave it out.');
  await (options.peers === true ? bench.runPeers(options, stdout) : bench.run(options, stdout));
}
