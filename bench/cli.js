/**
 * Times the start of the command as a user meets it: a new process each, from its start to its end, in processor time
 * and by the clock. All commands and bare Node (`node -e 0`) take turns, and the median of each counts; the ratios of a
 * row refer to bare Node. By the clock it depends on what else the machine does, so the demands are on processor time.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { HeddleError } from 'heddle/model';
import { computeMedian, timeLanes } from './timing.js';

/** Starts of each command: enough that a few slow ones do not move the median. */
export const starts = 11;

export const reference = 'node -e 0';

/** What is started; the first three must be as fast as `LIMIT` says. */
const COMMANDS = ['--version', '--help', 'list', 'studio --help', 'run --help', 'schema', 'check strand-corner'];

const QUICK = COMMANDS.slice(0, 3);

/** Times bare Node at most, for `QUICK`. */
const LIMIT = 2;

const HEDDLE = fileURLToPath(new URL('../bin/heddle.js', import.meta.url));
const PRELOAD = fileURLToPath(new URL('cli-time.cjs', import.meta.url));

/** Rows of all commands: {command, ms, nodeMs, ratio, wallMs, wallRatio}. */
export function measure(repetitions = starts) {
  let spent = 0;
  const createLane = (args) => {
    const walls = [];
    const run = () => {
      const begin = performance.now();
      spent += readProcessorTime(args);
      walls.push(performance.now() - begin);
    };
    return { run, walls };
  };
  const lanes = [['-e', '0'], ...COMMANDS.map((command) => [HEDDLE, ...command.split(' ')])].map(createLane);
  const [nodeMs, ...times] = timeLanes(lanes, { warmUp: 0, repetitions, block: 1 }, () => spent);
  const [nodeWallMs, ...walls] = lanes.map((lane) => computeMedian(Float64Array.from(lane.walls)));
  return COMMANDS.map((command, k) => ({
    command,
    ms: times[k],
    nodeMs,
    ratio: times[k] / nodeMs,
    wallMs: walls[k],
    wallRatio: walls[k] / nodeWallMs,
  }));
}

/** What the rows must show: {demand, value, limit, holds}. */
export const checkDemands = (rows) =>
  rows
    .filter(({ command }) => QUICK.includes(command))
    .map(({ command, ratio }) => ({
      demand: `heddle ${command} over ${reference}`,
      value: ratio,
      limit: LIMIT,
      holds: ratio <= LIMIT,
    }));

/** Processor time of a Node process with these arguments [ms]. */
function readProcessorTime(args) {
  const { status, output } = spawnSync(process.execPath, ['--require', PRELOAD, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new HeddleError(`node ${args.join(' ')} ended with exit code ${status}: ${output[2].trim()}`);
  return Number(output[3]);
}
