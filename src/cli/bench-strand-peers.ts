/**
 * `heddle bench strand --peers`: the table of bench/peers.js, Heddle beside other engines. Those are not dependencies of
 * the package; where one is missing, a sentence says what to install.
 */

import { HeddleError } from '../model/errors.ts';
import { type BenchDemand, formatDemand } from './bench-demand.ts';
import { loadBench } from './bench-load.ts';
import { padCells } from './cells.ts';
import type { Output } from './context.ts';

/** One engine's rope, built in one way, at one size and rate. */
export interface PeerRow {
  readonly engine: string;
  readonly variant: string;
  readonly nodes: number;
  readonly stepsPerSecond: number;
  /** Times the engine's default. */
  readonly iterations: number;
  /** Largest length strain until the far side, and in the whole run [1]. */
  readonly swingStretch: number;
  readonly stretch: number;
  /** At the bottom [m/s]; null when the tip never came there. */
  readonly tipSpeed: number | null;
  readonly finite: boolean;
  /** Simulated; less than asked for when the time budget ran out. */
  readonly seconds: number;
  readonly msPerSecond: number;
  /** Time over that of the first row of the same size, Heddle at 60 steps a second. */
  readonly ratio: number;
}

/** What bench/peers.js exports. */
interface PeerBench {
  readonly sizes: readonly number[];
  readonly smallestSize: number;
  readonly seconds: number;
  readonly swingSeconds: number;
  readonly convergedTipSpeed: number;
  readonly pendulumStrain: number;
  loadPeers(): Promise<readonly unknown[]>;
  measure(sizes: readonly number[], engines: readonly unknown[], seconds: number): Iterable<PeerRow>;
  checkDemands(rows: readonly PeerRow[]): readonly BenchDemand[];
}

export async function runStrandPeers(
  options: { readonly sizes?: readonly number[]; readonly seconds?: number; readonly json?: boolean },
  stdout: Output,
): Promise<void> {
  const bench: PeerBench = await loadBench('peers');
  const sizes = options.sizes ?? bench.sizes;
  const small = sizes.find((size) => size < bench.smallestSize);
  if (small !== undefined)
    throw new HeddleError(`--sizes has ${small} nodes; a rope needs at least ${bench.smallestSize}: use more.`);
  const seconds = options.seconds ?? bench.seconds;
  const engines = await bench.loadPeers();
  const print = options.json !== true;
  const rows: PeerRow[] = [];
  if (print) stdout.write(formatHeading(bench, seconds));
  for (const row of bench.measure(sizes, engines, seconds)) {
    rows.push(row);
    if (print) stdout.write(formatRow(row, seconds));
  }
  const demands = bench.checkDemands(rows);
  stdout.write(
    print
      ? `\n${demands.map(formatDemand).join('')}\n${NOTES}`
      : `${JSON.stringify({ model: 'strand', rows, demands })}\n`,
  );
}

const WIDTHS = [8, 31, 6, 9, 7, 10, 10, 8, 10, 10];

const formatCells = (cells: readonly string[]): string => `${padCells(cells, WIDTHS, 2)}\n`;

function formatHeading({ swingSeconds, convergedTipSpeed, pendulumStrain }: PeerBench, seconds: number): string {
  const cells = ['engine', 'rope of', 'nodes', 'steps/s', 'iter.', 'swing %', 'all %', 'tip m/s', 'ms/s', 'x heddle'];
  return `A rope of 1 m and 20 g with 200 g at its tip, released from horizontal: largest stretch in the swing (${swingSeconds} s) and in all
${seconds} s, speed of the tip at the bottom (converged: ${convergedTipSpeed}), processor time in ms per simulated second. A
pendulum on a 2 mm cord of 5 GPa stretches it by ${(100 * pendulumStrain).toFixed(3)} %.

${formatCells(cells)}`;
}

function formatRow(row: PeerRow, seconds: number): string {
  const cells = [
    row.engine,
    row.variant,
    String(row.nodes),
    String(row.stepsPerSecond),
    `x${row.iterations}`,
    formatPercent(row.swingStretch),
    formatPercent(row.stretch),
    row.tipSpeed === null ? '-' : row.tipSpeed.toFixed(2),
    formatDigits(row.msPerSecond),
    formatDigits(row.ratio),
  ];
  const remark = !row.finite
    ? '  no longer finite'
    : row.seconds < seconds
      ? `  (after ${row.seconds.toFixed(2)} s)`
      : '';
  return formatCells(cells).replace('\n', `${remark}\n`);
}

/** Three digits, without an exponent. */
function formatDigits(value: number): string {
  if (value < 1e-3) return '<0.001';
  return value < 100 ? value.toPrecision(3) : value.toFixed(0);
}

const formatPercent = (strain: number): string => formatDigits(100 * strain);

const NOTES = `"x heddle" is the time over that of Heddle's first row of the same size; for short runs, the fastest of three.
Iterations are multiples of the engine's default: Jolt 10 for velocities and 2 for positions, 5 in soft bodies; Rapier 4. There is no collision,
damping or sleeping. Rigid links are cylinders 2 mm thick; edges of soft bodies are as stiff as the engine allows
(Rapier: 1e6 Hz) or as the cord is (Jolt: its EA). After the swing the rope goes slack and becomes taut again; that jerk is
in "all %". A tip that never passed the bottom has the speed "-".
`;
