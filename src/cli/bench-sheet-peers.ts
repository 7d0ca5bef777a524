/** `heddle bench sheet --peers`: the table of bench/sheet-peers.js, cloth in Heddle beside other engines. */

import { HeddleError } from '../model/errors.ts';
import { suggest } from '../model/nearest.ts';
import { type BenchDemand, formatDemand } from './bench-demand.ts';
import { loadBench } from './bench-load.ts';
import { padCells } from './cells.ts';
import type { Output } from './context.ts';

interface Times {
  /** Processor time, mean of the run. */
  readonly msPerStep: number;
  /** Simulated; less than asked for when the time budget ran out. */
  readonly seconds: number;
  readonly finite: boolean;
}

/** One engine's cloth, built in one way, at one size. */
export interface SheetPeerRow {
  readonly engine: string;
  readonly variant: string;
  readonly vertices: number;
  /** Strain of edges at the end: mean, 95th percentile, largest [1]; null where it is not measured. */
  readonly hang: (Times & { readonly mean: number; readonly most: number; readonly worst: number }) | null;
  /** Deviation of the free end's speed, root mean square and largest [m/s], largest strain [1], depth in the box [m]. */
  readonly edge:
    | (Times & {
        readonly deviation: number;
        readonly worstDeviation: number;
        readonly strain: number;
        readonly depth: number;
      })
    | null;
}

/** What bench/sheet-peers.js exports. */
interface SheetPeerBench {
  readonly sizes: readonly number[];
  readonly smallestSize: number;
  readonly seconds: number;
  loadPeers(): Promise<readonly unknown[]>;
  readonly tasks: readonly string[];
  measure(
    sizes: readonly number[],
    engines: readonly unknown[],
    seconds: number,
    tasks: readonly string[],
  ): Iterable<SheetPeerRow>;
  checkDemands(rows: readonly SheetPeerRow[]): readonly BenchDemand[];
}

export async function runSheetPeers(
  options: {
    readonly sizes?: readonly number[];
    readonly seconds?: number;
    readonly task?: string;
    readonly json?: boolean;
  },
  stdout: Output,
): Promise<void> {
  const bench: SheetPeerBench = await loadBench('sheet-peers');
  const sizes = options.sizes ?? bench.sizes;
  const small = sizes.find((size) => size < bench.smallestSize);
  if (small !== undefined)
    throw new HeddleError(`--sizes has ${small} vertices; a cloth needs at least ${bench.smallestSize}: use more.`);
  const { task } = options;
  if (task !== undefined && !bench.tasks.includes(task))
    throw new HeddleError(`--task "${task}" is unknown.${suggest(task, bench.tasks, 'Tasks')}`);
  const seconds = options.seconds ?? bench.seconds;
  const engines = await bench.loadPeers();
  const print = options.json !== true;
  const rows: SheetPeerRow[] = [];
  if (print) stdout.write(formatHeading(seconds));
  for (const row of bench.measure(sizes, engines, seconds, task === undefined ? bench.tasks : [task])) {
    rows.push(row);
    if (print) stdout.write(formatRow(row, seconds));
  }
  const demands = bench.checkDemands(rows);
  stdout.write(
    print
      ? `\n${demands.map(formatDemand).join('')}\n${NOTES}`
      : `${JSON.stringify({ model: 'sheet', rows, demands })}\n`,
  );
}

const WIDTHS = [8, 12, 9, 9, 8, 8, 9, 11, 9, 10, 10, 9];

const formatCells = (cells: readonly string[]): string => `${padCells(cells, WIDTHS, 2)}\n`;

function formatHeading(seconds: number): string {
  const tasks = ['', '', '', 'hung:', '', '', '', 'drawn:', '', '', '', ''];
  const cells = [
    'engine',
    'cloth',
    'vertices',
    'mean %',
    '95th %',
    'max %',
    'ms/step',
    'dev. m/s',
    'max dev.',
    'strain %',
    'depth mm',
    'ms/step',
  ];
  return `A cloth of 1 m² and 200 g, in steps of 1/60 s: hung by two corners for ${seconds} s, strain of its edges at the end; drawn over the
sharp edge of a box at 0.4 m/s with friction 0.3 for ${(seconds / 3).toPrecision(2)} s: how far the speed of its free end is from that (root mean square, largest),
largest strain, depth in the box. Milliseconds of processor time for a step.

${formatCells(tasks)}${formatCells(cells)}`;
}

function formatRow({ engine, variant, vertices, hang, edge }: SheetPeerRow, seconds: number): string {
  const none = ['', '', '', ''];
  const hung =
    hang === null
      ? none
      : [formatPercent(hang.mean), formatPercent(hang.most), formatPercent(hang.worst), formatDigits(hang.msPerStep)];
  const drawn =
    edge === null
      ? [...none, '']
      : [
          edge.deviation.toFixed(3),
          edge.worstDeviation.toFixed(3),
          formatPercent(edge.strain),
          formatDigits(1e3 * edge.depth),
          formatDigits(edge.msPerStep),
        ];
  const cells = [engine, variant, vertices.toLocaleString('en'), ...hung, ...drawn];
  const remarks = [formatRemark('hung', hang, seconds), formatRemark('drawn', edge, seconds / 3)].join('');
  return formatCells(cells).replace('\n', `${remarks}\n`);
}

/** What did not go as asked for. */
function formatRemark(task: string, times: Times | null, wanted: number): string {
  if (times === null) return '';
  if (!times.finite) return `  ${task}: not finite after ${times.seconds.toFixed(2)} s`;
  return times.seconds < 0.99 * wanted ? `  ${task}: ${times.seconds.toFixed(2)} s` : '';
}

/** Three digits, without an exponent where that is short. */
function formatDigits(value: number): string {
  if (value === 0) return '0';
  if (value < 1e-3) return '<0.001';
  if (value >= 1e6) return value.toExponential(0);
  return value < 100 ? value.toPrecision(3) : value.toFixed(0);
}

const formatPercent = (strain: number): string => formatDigits(100 * strain);

const NOTES = `Heddle: sheets with their defaults, pulled over the edge in EoL mode (default) and without sliding vertices (lagrangian). Jolt: soft body of the same edges; example:
the compliance of the cloth and 5 iterations; tuned: rigid edges, long-range attachments, 90 iterations. Rapier: soft body of the same edges;
default: 30 Hz, 4 iterations; stiff: 1e6 Hz, 40 iterations. There is no damping or sleeping. Friction of the box is 0.3; Heddle's vertices on the
edge itself slide without friction.
`;
