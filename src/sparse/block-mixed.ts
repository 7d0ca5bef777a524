/**
 * Symmetric block-sparse matrix whose blocks differ in size: block (i, j) has sizes[i] rows and sizes[j] columns.
 *
 *   Stored: the lower triangle by block columns, as in block-sparse.ts. Slot k of the pattern owns
 *   values[valueStart[k] … valueStart[k + 1]): block (i, j) with i ≥ j, row by row; the first scalar of block i is blockStart[i].
 *
 * Vertices of a sheet have 3 unknowns where the material is fixed to them and 5 where it slides through: one matrix holds both.
 * A diagonal block is stored in full and must be symmetric: `multiply` reads all of it, the factorisation its lower half.
 */
import type { BlockPattern } from './block-sparse.ts';

/** What the direct solvers read of a symmetric block matrix; `BlockSparse` and `BlockMixed` have it. */
export interface SymmetricBlocks {
  readonly pattern: BlockPattern;
  /** Scalar rows of each block. */
  readonly sizes: Int32Array;
  /** First scalar of each block; one more entry at the end. */
  readonly blockStart: Int32Array;
  /** First value of each slot; one more entry at the end. */
  readonly valueStart: Int32Array;
  readonly values: Float64Array;
  /** Number of scalar rows. */
  readonly size: number;
  /** out = A x. The arrays must be different. */
  multiply(x: Float64Array, out: Float64Array): void;
  /** ‖A‖∞; `scratch` holds at least `size` numbers and is overwritten with the row sums. */
  computeInfinityNorm(scratch: Float64Array): number;
}

export class BlockMixed implements SymmetricBlocks {
  readonly pattern: BlockPattern;
  readonly sizes: Int32Array;
  readonly blockStart: Int32Array;
  readonly valueStart: Int32Array;
  #values: Float64Array;

  /** `sizes` is copied. */
  constructor(pattern: BlockPattern, sizes: ArrayLike<number>) {
    if (sizes.length !== pattern.n) {
      throw new RangeError(`BlockMixed: ${sizes.length} sizes were given; the pattern has ${pattern.n} blocks.`);
    }
    for (let i = 0; i < pattern.n; i++) {
      if (!(Number.isInteger(sizes[i]) && sizes[i] >= 1)) {
        throw new RangeError(`BlockMixed: the size of block ${i} is ${sizes[i]}; it must be a whole number ≥ 1.`);
      }
    }
    this.pattern = pattern;
    this.sizes = Int32Array.from(sizes);
    this.blockStart = computeBlockStart(this.sizes);
    this.valueStart = computeValueStart(pattern, this.sizes);
    this.#values = new Float64Array(this.valueStart[pattern.slots]);
  }

  get size(): number {
    return this.blockStart[this.pattern.n];
  }

  get values(): Float64Array {
    return this.#values;
  }

  /** From now on the values are those in this array, of the same length: where they are computed. */
  takeValues(values: Float64Array): void {
    if (values.length !== this.#values.length)
      throw new RangeError(
        `BlockMixed.takeValues: ${values.length} values were given; the pattern has ${this.#values.length}.`,
      );
    this.#values = values;
  }

  clear(): void {
    this.values.fill(0);
  }

  /** Adds a row-major block of sizes[i] × sizes[j] at (i, j); where i < j its transpose goes to the stored (j, i). */
  addBlock(i: number, j: number, block: ArrayLike<number>, offset = 0): void {
    const slot = this.pattern.slot(i, j);
    if (slot < 0) {
      throw new RangeError(`BlockMixed.addBlock: (${i}, ${j}) is not in the pattern; add the pair to fromPairs.`);
    }
    const rows = this.sizes[i];
    const columns = this.sizes[j];
    const base = this.valueStart[slot];
    const rowStep = i >= j ? columns : 1;
    const columnStep = i >= j ? 1 : rows;
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        this.values[base + r * rowStep + c * columnStep] += block[offset + r * columns + c];
      }
    }
  }

  multiply(x: Float64Array, out: Float64Array): void {
    const { pattern, sizes, blockStart, values } = this;
    const { n, columnStart, rows } = pattern;
    out.fill(0, 0, this.size);
    for (let j = 0; j < n; j++) {
      const column = blockStart[j];
      const width = sizes[j];
      if (width === 3) {
        this.#addColumn3(j, x, out);
        continue;
      }
      let k = this.valueStart[columnStart[j]];
      for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
        const row = blockStart[rows[slot]];
        const height = sizes[rows[slot]];
        for (let r = 0; r < height; r++, k += width) {
          let sum = 0;
          for (let c = 0; c < width; c++) sum += values[k + c] * x[column + c];
          out[row + r] += sum;
          if (row === column) continue;
          const xr = x[row + r];
          for (let c = 0; c < width; c++) out[column + c] += values[k + c] * xr;
        }
      }
    }
  }

  /** Column j, three wide as nearly all are, and its mirror image: what it adds to its own rows stays at hand. */
  #addColumn3(j: number, x: Float64Array, out: Float64Array): void {
    const { pattern, sizes, blockStart, values: v } = this;
    const { columnStart, rows } = pattern;
    const column = blockStart[j];
    const x0 = x[column];
    const x1 = x[column + 1];
    const x2 = x[column + 2];
    let k = this.valueStart[columnStart[j]];
    let y0 = out[column] + (v[k] * x0 + v[k + 1] * x1 + v[k + 2] * x2);
    let y1 = out[column + 1] + (v[k + 3] * x0 + v[k + 4] * x1 + v[k + 5] * x2);
    let y2 = out[column + 2] + (v[k + 6] * x0 + v[k + 7] * x1 + v[k + 8] * x2);
    k += 9;
    const end = columnStart[j + 1];
    for (let slot = columnStart[j] + 1; slot < end; slot++) {
      const i = rows[slot];
      const row = blockStart[i];
      if (sizes[i] === 3) {
        const z0 = x[row];
        const z1 = x[row + 1];
        const z2 = x[row + 2];
        out[row] += v[k] * x0 + v[k + 1] * x1 + v[k + 2] * x2;
        out[row + 1] += v[k + 3] * x0 + v[k + 4] * x1 + v[k + 5] * x2;
        out[row + 2] += v[k + 6] * x0 + v[k + 7] * x1 + v[k + 8] * x2;
        y0 += v[k] * z0 + v[k + 3] * z1 + v[k + 6] * z2;
        y1 += v[k + 1] * z0 + v[k + 4] * z1 + v[k + 7] * z2;
        y2 += v[k + 2] * z0 + v[k + 5] * z1 + v[k + 8] * z2;
        k += 9;
        continue;
      }
      for (let r = row; r < row + sizes[i]; r++, k += 3) {
        out[r] += v[k] * x0 + v[k + 1] * x1 + v[k + 2] * x2;
        y0 += v[k] * x[r];
        y1 += v[k + 1] * x[r];
        y2 += v[k + 2] * x[r];
      }
    }
    out[column] = y0;
    out[column + 1] = y1;
    out[column + 2] = y2;
  }

  computeInfinityNorm(scratch: Float64Array): number {
    const { sizes, blockStart, values } = this;
    const { n, columnStart, rows } = this.pattern;
    scratch.fill(0, 0, this.size);
    let k = 0;
    for (let j = 0; j < n; j++) {
      const width = sizes[j];
      const first = blockStart[j];
      for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
        const i = rows[slot];
        const end = blockStart[i + 1];
        if (width === 3 && sizes[i] === 3 && i !== j) {
          addMagnitudes3(values, k, scratch, blockStart[i], first);
          k += 9;
          continue;
        }
        for (let r = blockStart[i]; r < end; r++) {
          let sum = 0;
          for (let c = 0; c < width; c++, k++) {
            const magnitude = Math.abs(values[k]);
            sum += magnitude;
            if (i !== j) scratch[first + c] += magnitude;
          }
          scratch[r] += sum;
        }
      }
    }
    let norm = 0;
    for (let r = 0; r < this.size; r++) if (!(scratch[r] <= norm)) norm = scratch[r];
    return norm;
  }
}

/** Adds |a| of a 3×3 block at v[k] and of its mirror image to the sums of their rows, in the order of the loop for any size. */
function addMagnitudes3(v: Float64Array, k: number, sums: Float64Array, row: number, column: number): void {
  const a = Math.abs(v[k]);
  const b = Math.abs(v[k + 1]);
  const c = Math.abs(v[k + 2]);
  const d = Math.abs(v[k + 3]);
  const e = Math.abs(v[k + 4]);
  const f = Math.abs(v[k + 5]);
  const g = Math.abs(v[k + 6]);
  const h = Math.abs(v[k + 7]);
  const i = Math.abs(v[k + 8]);
  sums[row] += a + b + c;
  sums[row + 1] += d + e + f;
  sums[row + 2] += g + h + i;
  sums[column] = sums[column] + a + d + g;
  sums[column + 1] = sums[column + 1] + b + e + h;
  sums[column + 2] = sums[column + 2] + c + f + i;
}

/** First scalar of each block; one more entry at the end. */
export function computeBlockStart(sizes: ArrayLike<number>): Int32Array {
  const start = new Int32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) start[i + 1] = start[i] + sizes[i];
  return start;
}

/** First value of each slot where blocks lie one after another; one more entry at the end. */
export function computeValueStart(pattern: BlockPattern, sizes: ArrayLike<number>): Int32Array {
  const start = new Int32Array(pattern.slots + 1);
  for (let j = 0; j < pattern.n; j++) {
    for (let slot = pattern.columnStart[j]; slot < pattern.columnStart[j + 1]; slot++) {
      start[slot + 1] = start[slot] + sizes[pattern.rows[slot]] * sizes[j];
    }
  }
  return start;
}
