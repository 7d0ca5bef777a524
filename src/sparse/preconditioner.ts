/**
 * Preconditioners for symmetric positive definite block-sparse matrices: block Jacobi and block incomplete Cholesky without fill, IC(0).
 *
 *   IC(0): A + α blockdiag(A) ≈ L Lᵀ on the pattern of A;  L_kk = chol(A_kk), L_ik = A_ik L_kk⁻ᵀ, A_ij −= L_ik L_jkᵀ where (i, j) is stored.
 *
 * IC(0) may break down although A is positive definite; then the shift α grows from 1e-3 by factors of 4 until it does not
 * [Manteuffel 1980]. Blocks are factored, never inverted. `update` takes new values of the same pattern without allocating;
 * `apply` can be passed on as a function.
 */
import { BlockSparse } from './block-sparse.ts';

/** A diagonal pivot below this share of its original value counts as breakdown. */
const PIVOT_SHARE = 1e-12;

/** Cholesky of the b×b block at `at`, lower triangle in place, diagonal inverted. False where a pivot is not positive. */
function factorBlock(values: Float64Array, at: number, b: number): boolean {
  for (let r = 0; r < b; r++) {
    const p = at + r * b;
    const original = values[p + r];
    for (let c = 0; c <= r; c++) {
      const q = at + c * b;
      let sum = values[p + c];
      for (let k = 0; k < c; k++) sum -= values[p + k] * values[q + k];
      if (c < r) {
        values[p + c] = sum * values[q + c];
      } else {
        if (!(sum > PIVOT_SHARE * original && sum < Number.POSITIVE_INFINITY)) return false;
        values[p + r] = 1 / Math.sqrt(sum);
      }
    }
  }
  return true;
}

/** x = L⁻¹ x for the factored block at `at`. */
function solveLower(values: Float64Array, at: number, b: number, x: Float64Array, offset: number): void {
  for (let r = 0; r < b; r++) {
    let sum = x[offset + r];
    for (let c = 0; c < r; c++) sum -= values[at + r * b + c] * x[offset + c];
    x[offset + r] = sum * values[at + r * b + r];
  }
}

/** x = L⁻ᵀ x for the factored block at `at`. */
function solveUpper(values: Float64Array, at: number, b: number, x: Float64Array, offset: number): void {
  for (let r = b - 1; r >= 0; r--) {
    let sum = x[offset + r];
    for (let c = r + 1; c < b; c++) sum -= values[at + c * b + r] * x[offset + c];
    x[offset + r] = sum * values[at + r * b + r];
  }
}

/** M = the diagonal blocks of A. A block that is not positive definite is replaced by its own diagonal, a diagonal ≤ 0 by 1. */
export class BlockJacobi {
  readonly #n: number;
  readonly #b: number;
  readonly #blocks: Float64Array;
  /** Blocks that were not positive definite at the last update. */
  replaced = 0;

  constructor(matrix: BlockSparse) {
    this.#n = matrix.pattern.n;
    this.#b = matrix.blockSize;
    this.#blocks = new Float64Array(this.#n * this.#b * this.#b);
    this.update(matrix);
  }

  update(matrix: BlockSparse): void {
    const b = this.#b;
    const area = b * b;
    this.replaced = 0;
    for (let i = 0; i < this.#n; i++) {
      const from = matrix.pattern.columnStart[i] * area;
      const at = i * area;
      for (let k = 0; k < area; k++) this.#blocks[at + k] = matrix.values[from + k];
      if (factorBlock(this.#blocks, at, b)) continue;
      this.replaced++;
      for (let k = 0; k < area; k++) this.#blocks[at + k] = 0;
      for (let r = 0; r < b; r++) {
        const diagonal = matrix.values[from + r * b + r];
        this.#blocks[at + r * b + r] = diagonal > 0 ? 1 / Math.sqrt(diagonal) : 1;
      }
    }
  }

  readonly apply = (r: Float64Array, out: Float64Array): void => {
    const b = this.#b;
    out.set(r);
    for (let i = 0; i < this.#n; i++) {
      solveLower(this.#blocks, i * b * b, b, out, i * b);
      solveUpper(this.#blocks, i * b * b, b, out, i * b);
    }
  };
}

export class BlockIncompleteCholesky {
  readonly #l: BlockSparse;
  /** α of the last update: 0 where the plain factorisation existed. */
  shift = 0;
  /** False where no shift up to 1e3 helped; `apply` is then the identity. */
  ok = false;

  constructor(matrix: BlockSparse) {
    this.#l = new BlockSparse(matrix.pattern, matrix.blockSize);
    this.update(matrix);
  }

  update(matrix: BlockSparse): void {
    this.shift = 0;
    for (;;) {
      this.#load(matrix);
      this.ok = this.#factor();
      if (this.ok || this.shift > 1e3) return;
      this.shift = this.shift === 0 ? 1e-3 : 4 * this.shift;
    }
  }

  #load(matrix: BlockSparse): void {
    const area = matrix.blockSize ** 2;
    const l = this.#l.values;
    const { n, columnStart } = matrix.pattern;
    l.set(matrix.values);
    if (this.shift === 0) return;
    for (let j = 0; j < n; j++) for (let k = 0; k < area; k++) l[columnStart[j] * area + k] *= 1 + this.shift;
  }

  #factor(): boolean {
    const { pattern, blockSize: b, values } = this.#l;
    const { n, columnStart, rows } = pattern;
    const area = b * b;
    for (let k = 0; k < n; k++) {
      const diagonal = columnStart[k];
      const end = columnStart[k + 1];
      if (!factorBlock(values, diagonal * area, b)) return false;
      // each row of A_ik times L_kk⁻ᵀ is a solve with L_kk
      for (let slot = diagonal + 1; slot < end; slot++) {
        for (let r = 0; r < b; r++) solveLower(values, diagonal * area, b, values, slot * area + r * b);
      }
      for (let second = diagonal + 1; second < end; second++) {
        const j = rows[second];
        let target = columnStart[j];
        const targetEnd = columnStart[j + 1];
        for (let first = second; first < end; first++) {
          while (target < targetEnd && rows[target] < rows[first]) target++;
          if (target === targetEnd) break;
          if (rows[target] === rows[first]) this.#subtractProduct(target * area, first * area, second * area);
        }
      }
    }
    return true;
  }

  /** Block at `target` −= (block at `first`) (block at `second`)ᵀ */
  #subtractProduct(target: number, first: number, second: number): void {
    const { blockSize: b, values } = this.#l;
    for (let r = 0; r < b; r++) {
      for (let c = 0; c < b; c++) {
        let sum = 0;
        for (let k = 0; k < b; k++) sum += values[first + r * b + k] * values[second + c * b + k];
        values[target + r * b + c] -= sum;
      }
    }
  }

  readonly apply = (r: Float64Array, out: Float64Array): void => {
    out.set(r);
    if (!this.ok) return;
    const { pattern, blockSize: b, values } = this.#l;
    const { n, columnStart, rows } = pattern;
    for (let j = 0; j < n; j++) {
      const diagonal = columnStart[j];
      solveLower(values, diagonal * b * b, b, out, j * b);
      for (let slot = diagonal + 1; slot < columnStart[j + 1]; slot++) {
        let k = slot * b * b;
        for (let row = rows[slot] * b; row < rows[slot] * b + b; row++) {
          let sum = 0;
          for (let c = 0; c < b; c++) sum += values[k++] * out[j * b + c];
          out[row] -= sum;
        }
      }
    }
    for (let j = n - 1; j >= 0; j--) {
      const diagonal = columnStart[j];
      for (let slot = diagonal + 1; slot < columnStart[j + 1]; slot++) {
        let k = slot * b * b;
        for (let row = rows[slot] * b; row < rows[slot] * b + b; row++) {
          for (let c = 0; c < b; c++) out[j * b + c] -= values[k++] * out[row];
        }
      }
      solveUpper(values, diagonal * b * b, b, out, j * b);
    }
  };
}
