/** What benches of models with two tables share: scenes of a paper, and the cost against the size. Rows are printed as they come. */
import { HeddleError } from '../model/errors.ts';
import { type BenchDemand, formatDemand } from './bench-demand.ts';
import type { Output } from './context.ts';

export interface TableOptions {
  readonly sizes?: readonly number[];
  readonly steps?: number;
  readonly json?: boolean;
  /** Of benches that have them: shares of the paper's size, and whether one scene has all of it. */
  readonly shares?: readonly number[];
  readonly full?: boolean;
}

/** What a file of bench/ exports. */
export interface TableBench<SceneRow, ScalingRow> {
  readonly sizes: readonly number[];
  readonly smallestSize: number;
  measureScenes(steps?: number, options?: TableOptions): Iterable<SceneRow>;
  measureScaling(sizes: readonly number[]): Iterable<ScalingRow>;
}

/** How it is told. */
export interface TableTexts<SceneRow, ScalingRow, Bench> {
  readonly model: string;
  /** Why a size is too small. */
  describeSmall(size: number, smallest: number): string;
  readonly sceneHeading: string;
  formatScene(row: SceneRow): string;
  readonly scalingHeading: string;
  formatScaling(row: ScalingRow): string;
  /** What follows from the rows: its key in --json and its value, the lines that say it, and what is demanded of them. */
  conclude(
    bench: Bench,
    rows: readonly SceneRow[],
    scaling: readonly ScalingRow[],
  ): { readonly found: object; readonly text: string; readonly demands: readonly BenchDemand[] };
}

export function runTables<SceneRow, ScalingRow, Bench extends TableBench<SceneRow, ScalingRow>>(
  bench: Bench,
  texts: TableTexts<SceneRow, ScalingRow, Bench>,
  options: TableOptions,
  stdout: Output,
): void {
  const sizes = options.sizes ?? bench.sizes;
  const small = sizes.find((size) => size < bench.smallestSize);
  if (small !== undefined) throw new HeddleError(texts.describeSmall(small, bench.smallestSize));
  const print = (text: string): void => {
    if (options.json !== true) stdout.write(text);
  };
  const printRows = <Row>(heading: string, rows: Iterable<Row>, format: (row: Row) => string): Row[] => {
    const seen: Row[] = [];
    print(heading);
    for (const row of rows) {
      seen.push(row);
      print(format(row));
    }
    return seen;
  };
  const rows = printRows(texts.sceneHeading, bench.measureScenes(options.steps, options), texts.formatScene);
  const scaling = printRows(texts.scalingHeading, bench.measureScaling(sizes), texts.formatScaling);
  const { found, text, demands } = texts.conclude(bench, rows, scaling);
  if (sizes.length > 1 && text !== '') print(`\n${text}`);
  print(`\n${demands.map(formatDemand).join('')}`);
  if (options.json === true)
    stdout.write(`${JSON.stringify({ model: texts.model, rows, scaling, ...found, demands })}\n`);
}
