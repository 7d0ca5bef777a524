/**
 * Dense symmetric indefinite factorisation with Bunch–Kaufman partial pivoting:  P S A S Pᵀ = L D Lᵀ
 *   S  diagonal scaling that brings the largest entry of every row near 1 [Ruiz 2001], so that what counts
 *      as zero does not depend on the units of the rows
 *   P  permutation, L unit lower triangular, D of 1×1 and 2×2 blocks
 * Source: [Bunch 1977, algorithm A]. Deviations: a column that is zero to rounding is passed
 * over and its unknown set to zero, so a singular but consistent system still gets a solution; row swaps are
 * carried through L, so the solve needs no interleaved permutations.
 *
 * Storage: column k of L below the diagonal lies in row k of `#a`, from k on (contiguous for the update).
 */
import { computeLog2, computePowerOfTwo } from '../math/index.ts';

export interface DenseReport {
  /** Signs of the eigenvalues: how many are positive, negative and (to rounding) zero. */
  positive: number;
  negative: number;
  zero: number;
  singular: boolean;
  /** Every entry was finite. */
  ok: boolean;
}

/** (1 + √17)/8 bounds the growth of 1×1 and 2×2 steps alike. */
const BUNCH_KAUFMAN = (1 + Math.sqrt(17)) / 8;
/** A column is zero where no entry exceeds this, the scaled matrix having entries near 1. */
const ZERO_COLUMN = 1e-12;
const SCALING_SWEEPS = 4;

// what `#kind` says of a pivot
const ZERO_PIVOT = 0;
const ONE_PIVOT = 1;
const TWO_PIVOT = 2; // first row of a 2×2 block; its second row holds SECOND_OF_TWO
const SECOND_OF_TWO = 3;

export class DenseLdlt {
  #n = 0;
  #a = new Float64Array(0);
  #scale = new Float64Array(0);
  #work = new Float64Array(0);
  #order = new Int32Array(0);
  #kind = new Uint8Array(0);
  readonly #report: DenseReport = { positive: 0, negative: 0, zero: 0, singular: false, ok: true };

  constructor(capacity = 0) {
    this.reserve(capacity);
  }

  /** Makes room for n unknowns; a factorisation held is lost when the room grows. */
  reserve(n: number): void {
    if (n <= this.#scale.length) return;
    this.#n = 0;
    this.#a = new Float64Array(n * n);
    this.#scale = new Float64Array(n);
    this.#work = new Float64Array(n);
    this.#order = new Int32Array(n);
    this.#kind = new Uint8Array(n);
  }

  /** Factors a copy of the n × n matrix, row-major, of which the lower triangle is read. The report is reused. */
  factor(matrix: Float64Array, n: number): DenseReport {
    if (matrix.length < n * n) {
      throw new RangeError(`DenseLdlt: the matrix has ${matrix.length} entries; ${n} unknowns need ${n * n}.`);
    }
    this.reserve(n);
    this.#n = n;
    const report = this.#report;
    report.positive = report.negative = report.zero = 0;
    report.singular = false;
    report.ok = this.#load(matrix);
    if (!report.ok) return report;
    for (let k = 0; k < n; ) {
      const kind = this.#choosePivot(k);
      this.#kind[k] = kind;
      if (kind === TWO_PIVOT) {
        this.#kind[k + 1] = SECOND_OF_TWO;
        this.#eliminateTwo(k);
        // the criterion picks a 2×2 block only where its determinant is negative
        report.positive++;
        report.negative++;
        k += 2;
      } else {
        if (kind === ZERO_PIVOT) {
          this.#a.fill(0, k * n + k, k * n + n);
          report.zero++;
        } else {
          if (this.#a[k * n + k] > 0) report.positive++;
          else report.negative++;
          this.#eliminateOne(k);
        }
        k++;
      }
    }
    report.singular = report.zero > 0;
    return report;
  }

  /**
   * b ← A⁻¹ b. Where A is singular: some solution with zeros in the unknowns passed over, and the return value is the
   * largest mismatch of their rows, 0 to rounding where b is consistent.
   */
  solve(b: Float64Array): number {
    const n = this.#n;
    const z = this.#work;
    for (let k = 0; k < n; k++) z[k] = b[this.#order[k]] * this.#scale[this.#order[k]];
    this.#forward(z);
    const mismatch = this.#solvePivots(z);
    this.#backward(z);
    for (let k = 0; k < n; k++) b[this.#order[k]] = z[k] * this.#scale[this.#order[k]];
    return mismatch;
  }

  /** Takes the matrix in, scaled; false if an entry is not finite. */
  #load(matrix: Float64Array): boolean {
    const n = this.#n;
    const a = this.#a;
    const scale = this.#scale;
    const largest = this.#work;
    for (let j = 0; j < n; j++) {
      scale[j] = 1;
      this.#order[j] = j;
      for (let i = j; i < n; i++) {
        const value = matrix[i * n + j];
        if (!Number.isFinite(value)) return false;
        a[j * n + i] = value;
      }
    }
    for (let sweep = 0; sweep < SCALING_SWEEPS; sweep++) {
      largest.fill(0, 0, n);
      for (let j = 0; j < n; j++) {
        for (let i = j; i < n; i++) {
          const size = Math.abs(a[j * n + i]) * scale[i] * scale[j];
          if (size > largest[i]) largest[i] = size;
          if (size > largest[j]) largest[j] = size;
        }
      }
      // powers of two: scaling adds no rounding error
      for (let j = 0; j < n; j++)
        if (largest[j] > 0) scale[j] *= computePowerOfTwo(-Math.round(computeLog2(largest[j]) / 2));
    }
    for (let j = 0; j < n; j++) for (let i = j; i < n; i++) a[j * n + i] *= scale[i] * scale[j];
    return true;
  }

  /** Decides on the pivot of step k and brings it into place. */
  #choosePivot(k: number): number {
    const n = this.#n;
    const a = this.#a;
    const diagonal = Math.abs(a[k * n + k]);
    let columnLargest = 0;
    let row = k;
    for (let i = k + 1; i < n; i++) {
      const size = Math.abs(a[k * n + i]);
      if (size > columnLargest) {
        columnLargest = size;
        row = i;
      }
    }
    if (Math.max(diagonal, columnLargest) <= ZERO_COLUMN) return ZERO_PIVOT;
    if (diagonal >= BUNCH_KAUFMAN * columnLargest) return ONE_PIVOT;
    let rowLargest = 0;
    for (let j = k; j < row; j++) rowLargest = Math.max(rowLargest, Math.abs(a[j * n + row]));
    for (let i = row + 1; i < n; i++) rowLargest = Math.max(rowLargest, Math.abs(a[row * n + i]));
    if (diagonal * rowLargest >= BUNCH_KAUFMAN * columnLargest * columnLargest) return ONE_PIVOT;
    if (Math.abs(a[row * n + row]) >= BUNCH_KAUFMAN * rowLargest) {
      this.#swap(k, row);
      return ONE_PIVOT;
    }
    this.#swap(k + 1, row);
    return TWO_PIVOT;
  }

  /** Swaps unknowns p < q in the whole symmetric matrix and in the columns of L already made. */
  #swap(p: number, q: number): void {
    if (p === q) return;
    const n = this.#n;
    const a = this.#a;
    for (let j = 0; j < p; j++) this.#exchange(j * n + p, j * n + q);
    for (let j = p + 1; j < q; j++) this.#exchange(p * n + j, j * n + q);
    for (let i = q + 1; i < n; i++) this.#exchange(p * n + i, q * n + i);
    const diagonal = a[p * n + p];
    a[p * n + p] = a[q * n + q];
    a[q * n + q] = diagonal;
    const order = this.#order[p];
    this.#order[p] = this.#order[q];
    this.#order[q] = order;
  }

  #exchange(s: number, t: number): void {
    const value = this.#a[s];
    this.#a[s] = this.#a[t];
    this.#a[t] = value;
  }

  #eliminateOne(k: number): void {
    const n = this.#n;
    const a = this.#a;
    const inverse = 1 / a[k * n + k];
    for (let j = k + 1; j < n; j++) {
      const l = a[k * n + j] * inverse;
      if (l === 0) continue;
      for (let i = j; i < n; i++) a[j * n + i] -= l * a[k * n + i];
    }
    for (let i = k + 1; i < n; i++) a[k * n + i] *= inverse;
  }

  /** The block is divided through by its off-diagonal entry b (the largest), which keeps its determinant in range. */
  #eliminateTwo(k: number): void {
    const n = this.#n;
    const a = this.#a;
    const first = k * n;
    const second = first + n;
    const b = a[first + k + 1];
    const d0 = a[first + k] / b;
    const d1 = a[second + k + 1] / b;
    const factor = 1 / ((d0 * d1 - 1) * b);
    for (let j = k + 2; j < n; j++) {
      const l0 = (d1 * a[first + j] - a[second + j]) * factor;
      const l1 = (d0 * a[second + j] - a[first + j]) * factor;
      for (let i = j; i < n; i++) a[j * n + i] -= l0 * a[first + i] + l1 * a[second + i];
      // entries up to j of these two rows are not read again: L can take their place
      a[first + j] = l0;
      a[second + j] = l1;
    }
  }

  #forward(z: Float64Array): void {
    const n = this.#n;
    const a = this.#a;
    for (let k = 0; k < n; k++) {
      const zk = z[k];
      // a 2×2 block is dense in D, so L is the identity between its two rows
      for (let i = this.#kind[k] === TWO_PIVOT ? k + 2 : k + 1; i < n; i++) z[i] -= a[k * n + i] * zk;
    }
  }

  #solvePivots(z: Float64Array): number {
    const n = this.#n;
    const a = this.#a;
    let mismatch = 0;
    for (let k = 0; k < n; k++) {
      const kind = this.#kind[k];
      if (kind === ONE_PIVOT) z[k] /= a[k * n + k];
      else if (kind === ZERO_PIVOT) {
        mismatch = Math.max(mismatch, Math.abs(z[k]) / this.#scale[this.#order[k]]);
        z[k] = 0;
      } else if (kind === TWO_PIVOT) {
        const b = a[k * n + k + 1];
        const d0 = a[k * n + k] / b;
        const d1 = a[(k + 1) * n + k + 1] / b;
        const z0 = z[k] / b;
        const z1 = z[k + 1] / b;
        const determinant = d0 * d1 - 1;
        z[k] = (d1 * z0 - z1) / determinant;
        z[k + 1] = (d0 * z1 - z0) / determinant;
      }
    }
    return mismatch;
  }

  #backward(z: Float64Array): void {
    const n = this.#n;
    const a = this.#a;
    for (let k = n - 1; k >= 0; k--) {
      let sum = z[k];
      for (let i = this.#kind[k] === TWO_PIVOT ? k + 2 : k + 1; i < n; i++) sum -= a[k * n + i] * z[i];
      z[k] = sum;
    }
  }
}
