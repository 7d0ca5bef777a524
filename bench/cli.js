/**
 * Times the start of the command as a person meets it: a new process each, from its start to its end, by the clock. All
 * commands and bare Node (`node -e 0`) take turns, and the median of each counts; a row's `ratio` refers to bare Node.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { HeddleError } from 'heddle/model';
import { timeLanes } from './timing.js';

/** Starts of each command: enough that a few slow ones do not move the median. */
export const starts = 11;

export const reference = 'node -e 0';

/** What is started; the first three must be as fast as `limit` says. */
const COMMANDS = ['--version', '--help', 'list', 'studio --help', 'run --help', 'schema', 'check strand-corner'];

const QUICK = COMMANDS.slice(0, 3);

/** Times bare Node at most, for `QUICK`. */
const LIMIT = 2;

const HEDDLE = fileURLToPath(new URL('../bin/heddle.js', import.meta.url));

/** Rows of all commands: {command, ms, nodeMs, ratio}. */
export function measure(repetitions = starts) {
  const lanes = [['-e', '0'], ...COMMANDS.map((command) => [HEDDLE, ...command.split(' ')])].map(createLane);
  const [nodeMs, ...times] = timeLanes(lanes, { warmUp: 0, repetitions, block: 1 });
  return COMMANDS.map((command, k) => ({ command, ms: times[k], nodeMs, ratio: times[k] / nodeMs }));
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

const createLane = (args) => ({
  run() {
    const { status, stderr } = spawnSync(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    if (status !== 0) throw new HeddleError(`node ${args.join(' ')} ended with exit code ${status}: ${stderr.trim()}`);
  },
});
