/**
 * Symmetric block-sparse matrix with one block size b and a fixed pattern.
 *
 *   Stored: the lower triangle by block columns. Column j holds the rows i ≥ j in ascending order, the diagonal first.
 *   Slot k of the pattern owns values[k b² … (k+1) b²): block (i, j), row by row.
 *
 * A diagonal block is stored in full and must be symmetric: `multiply` reads all of it, the factorisation its lower half.
 * Hot assembly looks a slot up once with `pattern.slot(i, j)` and then writes into `values` at slot·b².
 * Where blocks differ in size: block-mixed.ts.
 */
import { computeBlockStart, computeValueStart, type SymmetricBlocks } from './block-mixed.ts';

/** Which blocks of a symmetric matrix are stored; shared by all matrices and factorisations of the same pattern. */
export class BlockPattern {
  /** Number of block rows. */
  readonly n: number;
  /** Slots of column j: columnStart[j] … columnStart[j + 1] − 1. */
  readonly columnStart: Int32Array;
  /** Block row of each slot. */
  readonly rows: Int32Array;

  private constructor(n: number, columnStart: Int32Array, rows: Int32Array) {
    this.n = n;
    this.columnStart = columnStart;
    this.rows = rows;
  }

  /** Number of stored blocks. */
  get slots(): number {
    return this.rows.length;
  }

  /** The pattern with all n diagonal blocks and the given pairs, in either order and with any repetition. */
  static fromPairs(n: number, rows: ArrayLike<number>, columns: ArrayLike<number>): BlockPattern {
    if (rows.length !== columns.length) {
      throw new RangeError(
        `BlockPattern.fromPairs: ${rows.length} rows and ${columns.length} columns were given; both lists must have one entry per pair.`,
      );
    }
    const start = new Int32Array(n + 1);
    for (let k = 0; k < rows.length; k++) {
      const i = rows[k];
      const j = columns[k];
      if (!(i >= 0 && i < n && j >= 0 && j < n)) {
        throw new RangeError(`BlockPattern.fromPairs: pair ${k} is (${i}, ${j}); both must lie in 0…${n - 1}.`);
      }
      if (i !== j) start[Math.min(i, j) + 1]++;
    }
    for (let j = 0; j < n; j++) start[j + 1] += start[j];
    const unsorted = new Int32Array(start[n]);
    const next = start.slice(0, n);
    for (let k = 0; k < rows.length; k++) {
      const i = rows[k];
      const j = columns[k];
      if (i !== j) unsorted[next[Math.min(i, j)]++] = Math.max(i, j);
    }
    return BlockPattern.#compact(n, start, unsorted);
  }

  /** The pattern whose column j has the rows rows[columnStart[j] … columnStart[j + 1]), ascending, the diagonal first. Arrays are kept. */
  static fromColumns(columnStart: Int32Array, rows: Int32Array): BlockPattern {
    const n = columnStart.length - 1;
    for (let j = 0; j < n; j++) {
      const isSorted = rows[columnStart[j]] === j && columnStart[j] < columnStart[j + 1];
      if (!isSorted) throw new RangeError(`BlockPattern.fromColumns: column ${j} does not begin with its diagonal.`);
      for (let k = columnStart[j] + 1; k < columnStart[j + 1]; k++)
        if (!(rows[k] > rows[k - 1] && rows[k] < n))
          throw new RangeError(
            `BlockPattern.fromColumns: column ${j} has row ${rows[k]} after ${rows[k - 1]}; rows must ascend up to ${n - 1}.`,
          );
    }
    return new BlockPattern(n, columnStart, rows);
  }

  static #compact(n: number, start: Int32Array, unsorted: Int32Array): BlockPattern {
    const columnStart = new Int32Array(n + 1);
    const compacted = new Int32Array(n + unsorted.length);
    let count = 0;
    for (let j = 0; j < n; j++) {
      compacted[count++] = j;
      const end = start[j + 1];
      if (end - start[j] > LONG_COLUMN) unsorted.subarray(start[j], end).sort();
      else sortRange(unsorted, start[j], end);
      let last = j;
      for (let k = start[j]; k < end; k++) {
        if (unsorted[k] === last) continue;
        last = unsorted[k];
        compacted[count++] = last;
      }
      columnStart[j + 1] = count;
    }
    return new BlockPattern(n, columnStart, compacted.slice(0, count));
  }

  /** Slot of block (i, j) or, the same, (j, i); −1 where the pattern has none. */
  slot(i: number, j: number): number {
    const row = Math.max(i, j);
    const column = Math.min(i, j);
    let low = this.columnStart[column];
    let high = this.columnStart[column + 1] - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.rows[middle];
      if (found === row) return middle;
      if (found < row) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** Entries of a column up to which they are sorted by insertion. */
const LONG_COLUMN = 40;

function sortRange(list: Int32Array, from: number, to: number): void {
  for (let k = from + 1; k < to; k++) {
    const value = list[k];
    let at = k;
    for (; at > from && list[at - 1] > value; at--) list[at] = list[at - 1];
    list[at] = value;
  }
}

export class BlockSparse implements SymmetricBlocks {
  readonly pattern: BlockPattern;
  readonly blockSize: number;
  readonly values: Float64Array;
  #sizes: Int32Array | undefined;
  #blockStart: Int32Array | undefined;
  #valueStart: Int32Array | undefined;

  /** `values`: where they are to be kept, one b² for each slot; else the matrix has its own. */
  constructor(pattern: BlockPattern, blockSize: number, values?: Float64Array) {
    if (!(Number.isInteger(blockSize) && blockSize >= 1 && blockSize <= 7)) {
      throw new RangeError(`BlockSparse: the block size is ${blockSize}; it must be an integer from 1 to 7.`);
    }
    this.pattern = pattern;
    this.blockSize = blockSize;
    this.values = values ?? new Float64Array(pattern.slots * blockSize * blockSize);
  }

  /** Number of scalar rows. */
  get size(): number {
    return this.pattern.n * this.blockSize;
  }

  /** Scalar rows of each block: all `blockSize`. Made when first asked for, as the two below. */
  get sizes(): Int32Array {
    this.#sizes ??= new Int32Array(this.pattern.n).fill(this.blockSize);
    return this.#sizes;
  }

  /** First scalar of each block; one more entry at the end. */
  get blockStart(): Int32Array {
    this.#blockStart ??= computeBlockStart(this.sizes);
    return this.#blockStart;
  }

  /** First value of each slot; one more entry at the end. */
  get valueStart(): Int32Array {
    this.#valueStart ??= computeValueStart(this.pattern, this.sizes);
    return this.#valueStart;
  }

  clear(): void {
    this.values.fill(0);
  }

  /** Adds a row-major b×b block at (i, j); where i < j its transpose goes to the stored (j, i). */
  addBlock(i: number, j: number, block: ArrayLike<number>, offset = 0): void {
    const slot = this.pattern.slot(i, j);
    if (slot < 0) {
      throw new RangeError(`BlockSparse.addBlock: (${i}, ${j}) is not in the pattern; add the pair to fromPairs.`);
    }
    const b = this.blockSize;
    const values = this.values;
    const base = slot * b * b;
    if (i >= j) {
      for (let k = 0; k < b * b; k++) values[base + k] += block[offset + k];
    } else {
      for (let r = 0; r < b; r++) for (let c = 0; c < b; c++) values[base + c * b + r] += block[offset + r * b + c];
    }
  }

  /** out = A x. The arrays must be different. */
  multiply(x: Float64Array, out: Float64Array): void {
    out.fill(0, 0, this.size);
    if (this.blockSize === 3) this.#addProduct3(x, out);
    else if (this.blockSize === 4) this.#addProduct4(x, out);
    else this.#addProduct(x, out);
  }

  #addProduct(x: Float64Array, out: Float64Array): void {
    const b = this.blockSize;
    const { n, columnStart, rows } = this.pattern;
    const values = this.values;
    for (let j = 0; j < n; j++) {
      const column = j * b;
      for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
        const row = rows[slot] * b;
        const mirrored = row !== column;
        let k = slot * b * b;
        for (let r = 0; r < b; r++) {
          const xr = x[row + r];
          let sum = 0;
          if (mirrored) {
            for (let c = 0; c < b; c++, k++) {
              sum += values[k] * x[column + c];
              out[column + c] += values[k] * xr;
            }
          } else {
            for (let c = 0; c < b; c++, k++) sum += values[k] * x[column + c];
          }
          out[row + r] += sum;
        }
      }
    }
  }

  #addProduct3(x: Float64Array, out: Float64Array): void {
    const { n, columnStart, rows } = this.pattern;
    const v = this.values;
    for (let j = 0, column = 0; j < n; j++, column += 3) {
      const x0 = x[column];
      const x1 = x[column + 1];
      const x2 = x[column + 2];
      const diagonal = columnStart[j];
      let k = diagonal * 9;
      let y0 = v[k] * x0 + v[k + 1] * x1 + v[k + 2] * x2;
      let y1 = v[k + 3] * x0 + v[k + 4] * x1 + v[k + 5] * x2;
      let y2 = v[k + 6] * x0 + v[k + 7] * x1 + v[k + 8] * x2;
      const end = columnStart[j + 1];
      for (let slot = diagonal + 1; slot < end; slot++) {
        k += 9;
        const row = rows[slot] * 3;
        const z0 = x[row];
        const z1 = x[row + 1];
        const z2 = x[row + 2];
        out[row] += v[k] * x0 + v[k + 1] * x1 + v[k + 2] * x2;
        out[row + 1] += v[k + 3] * x0 + v[k + 4] * x1 + v[k + 5] * x2;
        out[row + 2] += v[k + 6] * x0 + v[k + 7] * x1 + v[k + 8] * x2;
        y0 += v[k] * z0 + v[k + 3] * z1 + v[k + 6] * z2;
        y1 += v[k + 1] * z0 + v[k + 4] * z1 + v[k + 7] * z2;
        y2 += v[k + 2] * z0 + v[k + 5] * z1 + v[k + 8] * z2;
      }
      out[column] += y0;
      out[column + 1] += y1;
      out[column + 2] += y2;
    }
  }

  #addProduct4(x: Float64Array, out: Float64Array): void {
    const { n, columnStart, rows } = this.pattern;
    const v = this.values;
    for (let j = 0, column = 0; j < n; j++, column += 4) {
      const x0 = x[column];
      const x1 = x[column + 1];
      const x2 = x[column + 2];
      const x3 = x[column + 3];
      const diagonal = columnStart[j];
      let k = diagonal * 16;
      let y0 = v[k] * x0 + v[k + 1] * x1 + v[k + 2] * x2 + v[k + 3] * x3;
      let y1 = v[k + 4] * x0 + v[k + 5] * x1 + v[k + 6] * x2 + v[k + 7] * x3;
      let y2 = v[k + 8] * x0 + v[k + 9] * x1 + v[k + 10] * x2 + v[k + 11] * x3;
      let y3 = v[k + 12] * x0 + v[k + 13] * x1 + v[k + 14] * x2 + v[k + 15] * x3;
      const end = columnStart[j + 1];
      for (let slot = diagonal + 1; slot < end; slot++) {
        k += 16;
        const row = rows[slot] * 4;
        const z0 = x[row];
        const z1 = x[row + 1];
        const z2 = x[row + 2];
        const z3 = x[row + 3];
        out[row] += v[k] * x0 + v[k + 1] * x1 + v[k + 2] * x2 + v[k + 3] * x3;
        out[row + 1] += v[k + 4] * x0 + v[k + 5] * x1 + v[k + 6] * x2 + v[k + 7] * x3;
        out[row + 2] += v[k + 8] * x0 + v[k + 9] * x1 + v[k + 10] * x2 + v[k + 11] * x3;
        out[row + 3] += v[k + 12] * x0 + v[k + 13] * x1 + v[k + 14] * x2 + v[k + 15] * x3;
        y0 += v[k] * z0 + v[k + 4] * z1 + v[k + 8] * z2 + v[k + 12] * z3;
        y1 += v[k + 1] * z0 + v[k + 5] * z1 + v[k + 9] * z2 + v[k + 13] * z3;
        y2 += v[k + 2] * z0 + v[k + 6] * z1 + v[k + 10] * z2 + v[k + 14] * z3;
        y3 += v[k + 3] * z0 + v[k + 7] * z1 + v[k + 11] * z2 + v[k + 15] * z3;
      }
      out[column] += y0;
      out[column + 1] += y1;
      out[column + 2] += y2;
      out[column + 3] += y3;
    }
  }

  /** ‖A‖∞, the largest sum of |a| along a row; `scratch` holds at least `size` numbers and is overwritten with the row sums. */
  computeInfinityNorm(scratch: Float64Array): number {
    const b = this.blockSize;
    const { n, columnStart, rows } = this.pattern;
    scratch.fill(0, 0, this.size);
    for (let j = 0; j < n; j++) {
      for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
        const i = rows[slot];
        for (let k = 0; k < b * b; k++) {
          const magnitude = Math.abs(this.values[slot * b * b + k]);
          scratch[i * b + Math.floor(k / b)] += magnitude;
          if (i !== j) scratch[j * b + (k % b)] += magnitude;
        }
      }
    }
    let norm = 0;
    for (let r = 0; r < this.size; r++) if (!(scratch[r] <= norm)) norm = scratch[r];
    return norm;
  }
}
