/**
 * What a run measured, column by column, growing as it goes on: rows are appended, and rows that a run repeats (after a
 * reset, or when it goes on from an earlier step) replace what came after them.
 */

export class MeasureTable {
  readonly columns: readonly string[];
  /** Unit of each column, '1' for pure numbers; empty when they are not known. */
  readonly units: readonly string[];
  /** Number of rows. */
  length = 0;
  /** Grows with every change, so that who draws can tell whether there is something new. */
  revision = 0;
  private series: Float64Array<ArrayBuffer>[];
  private readonly step: number;

  constructor(columns: readonly string[], units: readonly string[] = []) {
    this.columns = columns;
    this.units = units;
    this.series = columns.map(() => new Float64Array(256));
    this.step = columns.indexOf('step');
  }

  /** Appends rows, row by row in one array; rows here already of the first step or later are dropped first. */
  append(rows: Float64Array): void {
    const width = this.columns.length;
    if (width === 0 || rows.length < width) return;
    if (rows.length % width !== 0) throw new RangeError(`${rows.length} numbers do not fill rows of ${width}.`);
    if (this.step >= 0) this.truncate(rows[this.step]);
    const count = rows.length / width;
    this.reserve(this.length + count);
    for (let c = 0; c < width; c++) {
      const target = this.series[c];
      for (let r = 0; r < count; r++) target[this.length + r] = rows[r * width + c];
    }
    this.length += count;
    this.revision++;
  }

  /** Are these rows the first of `rows`? The first and the last of them are compared. */
  isStartOf(rows: Float64Array): boolean {
    const width = this.columns.length;
    if (rows.length < this.length * width) return false;
    return [0, this.length - 1].every(
      (row) =>
        row < 0 ||
        row >= this.length ||
        this.series.every((series, c) => Object.is(series[row], rows[row * width + c])),
    );
  }

  /** The values of a column so far; a view that the next append may leave behind. */
  column(index: number): Float64Array {
    return this.series[index].subarray(0, this.length);
  }

  find(name: string): number {
    return this.columns.indexOf(name);
  }

  /** Drops rows from a step on. */
  private truncate(step: number): void {
    const steps = this.series[this.step];
    while (this.length > 0 && steps[this.length - 1] >= step) this.length--;
  }

  private reserve(length: number): void {
    if (length <= this.series[0].length) return;
    const capacity = 2 ** Math.ceil(Math.log2(length));
    this.series = this.series.map((old) => {
      const grown = new Float64Array(capacity);
      grown.set(old);
      return grown;
    });
  }
}
