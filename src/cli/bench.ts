/**
 * `heddle bench`: the time per step of each model, and the start-up time of the command. The measurements are in bench/,
 * the tables in `bench-*.ts`; both are loaded when they are asked for.
 */

import { type Command, InvalidArgumentError } from 'commander';
import { HeddleError } from '../model/errors.ts';
import { suggest } from '../model/nearest.ts';
import type { Context, Output } from './context.ts';

interface BenchOptions {
  readonly sizes?: readonly number[];
  readonly peers?: boolean;
  readonly seconds?: number;
  readonly steps?: number;
  readonly starts?: number;
  readonly task?: string;
  readonly shares?: readonly number[];
  readonly full?: boolean;
  readonly json?: boolean;
}

interface Bench {
  readonly name: string;
  readonly isOfPeers: boolean;
  /** What it takes besides --json. */
  readonly options: readonly (keyof BenchOptions)[];
  run(options: BenchOptions, stdout: Output): Promise<void>;
}

/** Registry of benchmarks. */
const BENCHES: readonly Bench[] = [
  {
    name: 'strand',
    isOfPeers: false,
    options: ['sizes'],
    run: async (...args) => (await import('./bench-strand.ts')).runStrand(...args),
  },
  {
    name: 'strand',
    isOfPeers: true,
    options: ['sizes', 'seconds'],
    run: async (...args) => (await import('./bench-strand-peers.ts')).runStrandPeers(...args),
  },
  {
    name: 'sheet',
    isOfPeers: false,
    options: ['sizes', 'steps'],
    run: async (...args) => (await import('./bench-sheet.ts')).runSheet(...args),
  },
  {
    name: 'sheet',
    isOfPeers: true,
    options: ['sizes', 'seconds', 'task'],
    run: async (...args) => (await import('./bench-sheet-peers.ts')).runSheetPeers(...args),
  },
  {
    name: 'rod',
    isOfPeers: false,
    options: ['sizes', 'steps'],
    run: async (...args) => (await import('./bench-rod.ts')).runRod(...args),
  },
  {
    name: 'fabric',
    isOfPeers: false,
    options: ['sizes', 'steps', 'shares', 'full'],
    run: async (...args) => (await import('./bench-fabric.ts')).runFabric(...args),
  },
  {
    name: 'mpm',
    isOfPeers: false,
    options: ['sizes', 'steps'],
    run: async (...args) => (await import('./bench-mpm.ts')).runMpm(...args),
  },
  {
    name: 'cli',
    isOfPeers: false,
    options: ['starts'],
    run: async (...args) => (await import('./bench-cli.ts')).runCli(...args),
  },
];

const NAMES = [...new Set(BENCHES.map(({ name }) => name))];

/** The command of a benchmark, in quotation marks. */
const quote = ({ name, isOfPeers }: Bench): string => `"heddle bench ${name}${isOfPeers ? ' --peers' : ''}"`;

export function configureBench(command: Command, context: Context): void {
  command
    .argument('[model]', `what to measure: ${NAMES.join(', ')}`, NAMES[0])
    .option('--sizes <counts>', 'numbers of nodes, separated by commas; k and M for thousands and millions', parseSizes)
    .option('--peers', 'compare stretch and time with Jolt Physics and Rapier, which must be installed (strand, sheet)')
    .option(
      '--seconds <time>',
      'with --peers: simulated time (default: 2 s for the rope, 3 s for the cloth)',
      parseSeconds,
    )
    .option('--task <name>', 'with --peers, sheet: only this task, hang or edge')
    .option(
      '--steps <count>',
      'sheet, rod, fabric, mpm: steps per scene (default: 200, the whole scene, 6, 24)',
      parseCount('steps', 2),
    )
    .option(
      '--shares <shares>',
      "fabric: sizes as shares of the paper's numbers of nodes (default: 0.01,0.1)",
      parseShares,
    )
    .option('--full', "fabric: also the tablecloth at the paper's size; takes some minutes more")
    .option('--starts <count>', 'cli: processes per command (default: 11)', parseCount('starts', 1))
    .option(
      '--json',
      'print one JSON object instead of tables: {model, rows: [{scene, mode, nodes, msPerStep, …}], demands}',
    )
    .addHelpText(
      'after',
      `
Examples:
  heddle bench strand                   all sizes, about 20 seconds
  heddle bench strand --sizes 800,10k   two sizes
  heddle bench strand --peers           compared with other engines, some minutes
  heddle bench sheet --sizes 1k,10k     scenes of the thesis, then hanging cloth of these sizes
  heddle bench sheet --peers --sizes 1k cloth compared with other engines; 10k and 40k take long, see --task
  heddle bench rod                      scenes of the paper, then rods of growing size, some minutes
  heddle bench fabric --full            scenes of the paper at 1 %, 10 % and (tablecloth) 100 % of its size
  heddle bench mpm                      rows of the paper's Table 2 at 60,000 particles, then sand up to a million
  heddle bench cli                      start-up times of heddle commands as ratios to bare Node
  heddle bench strand --json > bench.json`,
    )
    .action((name: string, options: BenchOptions) => runBench(name, options, context));
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 1000))
    throw new InvalidArgumentError(`"${text}" is not a time in seconds; write for example 2.`);
  return seconds;
}

const parseCount =
  (unit: string, least: number) =>
  (text: string): number => {
    const count = Number(text);
    if (!(Number.isInteger(count) && count >= least && count <= 1e6))
      throw new InvalidArgumentError(
        `"${text}" is not a number of ${unit}; write a whole number from ${least} to 1000000.`,
      );
    return count;
  };

function parseShares(text: string): number[] {
  return text.split(',').map((part) => {
    const share = Number(part);
    if (!(share > 0 && share <= 1))
      throw new InvalidArgumentError(`"${part}" is not a share > 0 and <= 1; write for example 0.01,0.1.`);
    return share;
  });
}

function parseSizes(text: string): number[] {
  return text.split(',').map((part) => {
    const match = /^(\d+)([kM]?)$/.exec(part.trim());
    const count =
      match === null ? Number.NaN : Number(match[1]) * { '': 1, k: 1e3, M: 1e6 }[match[2] as '' | 'k' | 'M'];
    if (!(count >= 2 && count <= 1e9))
      throw new InvalidArgumentError(`"${part}" is not a number of nodes; write for example 800, 10k or 1M.`);
    return count;
  });
}

async function runBench(name: string, options: BenchOptions, { stdout }: Context): Promise<void> {
  if (!NAMES.includes(name)) throw new HeddleError(`"${name}" has no benchmark.${suggest(name, NAMES, 'Benchmarks')}`);
  const isOfPeers = options.peers === true;
  const bench = BENCHES.find((one) => one.name === name && one.isOfPeers === isOfPeers);
  if (bench === undefined)
    throw new HeddleError(
      `--peers is for ${listBenches((one) => one.isOfPeers)}; use "heddle bench ${name}" without --peers.`,
    );
  const given = Object.keys(options) as (keyof BenchOptions)[];
  const wrong = given.find((option) => !['peers', 'json', 'debug', ...bench.options].includes(option));
  if (wrong !== undefined)
    throw new HeddleError(`--${wrong} is for ${listBenches((one) => one.options.includes(wrong))}; leave it out.`);
  await bench.run(options, stdout);
}

const listBenches = (isListed: (bench: Bench) => boolean): string =>
  BENCHES.filter(isListed)
    .map(quote)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');
