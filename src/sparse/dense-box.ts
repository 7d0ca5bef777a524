/**
 * The problem of qp-dense.ts, minimise ½ λᵀS λ − bᵀλ with lo ≤ λ ≤ hi, and what its methods have in common: S λ, which rows are wrong, sweeps.
 * Sizes are measured by √S_rr: |S_rk| ≤ √(S_rr S_kk), so that |λ_r| √S_rr and |s_r| / √S_rr are of one kind whatever the units of rows are.
 */
import { AT_LOWER, AT_UPPER, HELD } from './qp-problem.ts';

/** Deviation, scaled, above which a row counts as wrong, and s of a free row as not zero. */
const WRONG = 1e-11;
const SETTLED = 1e-12;

export class DenseBox {
  n = 0;
  matrix: Float64Array = new Float64Array(0);
  /** S_rr, 1 where it is not positive, and its root. */
  diagonal = new Float64Array(0);
  root = new Float64Array(0);
  b: Float64Array = new Float64Array(0);
  lower: Float64Array = new Float64Array(0);
  upper: Float64Array = new Float64Array(0);
  /** S λ, and the largest |λ_r| √S_rr, of the last `writeProduct`. */
  product = new Float64Array(0);
  peak = 0;
  /** The states that `findWrong` asks for. */
  next = new Int8Array(0);
  sweeps = 0;

  load(matrix: Float64Array, n: number): void {
    if (matrix.length < n * n) {
      throw new RangeError(`DenseBoxQp: the matrix has ${matrix.length} entries; ${n} unknowns need ${n * n}.`);
    }
    this.n = n;
    this.matrix = matrix;
    if (this.diagonal.length < n) {
      const room = 2 * n;
      this.diagonal = new Float64Array(room);
      this.root = new Float64Array(room);
      this.product = new Float64Array(room);
      this.next = new Int8Array(room);
    }
    for (let i = 0; i < n; i++) {
      const value = matrix[i * n + i];
      this.diagonal[i] = value > 0 ? value : 1;
      this.root[i] = Math.sqrt(this.diagonal[i]);
    }
  }

  clamp(i: number, value: number): number {
    return Math.min(this.upper[i], Math.max(this.lower[i], value));
  }

  /** `product` ← S λ, two columns at once; false where λ is not finite. */
  writeProduct(multipliers: Float64Array): boolean {
    const { n, matrix, product, root } = this;
    product.fill(0, 0, n);
    this.peak = 0;
    let total = 0;
    let before = -1;
    for (let i = 0; i < n; i++) {
      const q = multipliers[i];
      const size = Math.abs(q) * root[i];
      total += size;
      if (size > this.peak) this.peak = size;
      if (q === 0) continue;
      if (before < 0) {
        before = i;
        continue;
      }
      const p = multipliers[before];
      for (let k = 0, s = before * n, t = i * n; k < n; k++, s++, t++) product[k] += p * matrix[s] + q * matrix[t];
      before = -1;
    }
    if (before >= 0) {
      const p = multipliers[before];
      for (let k = 0, s = before * n; k < n; k++, s++) product[k] += p * matrix[s];
    }
    if (!Number.isFinite(total)) this.peak = total;
    return Number.isFinite(total);
  }

  /** Number of rows that contradict their state; the states that they want in `next`. After `writeProduct`. */
  findWrong(multipliers: Float64Array, states: Int8Array): number {
    const { lower, upper, next, root, b, product } = this;
    const allowed = WRONG * this.peak;
    let wrong = 0;
    for (let i = 0; i < this.n; i++) {
      const state = states[i];
      next[i] = state;
      if (state === HELD) {
        const room = allowed / root[i];
        if (multipliers[i] < lower[i] - room) next[i] = AT_LOWER;
        else if (multipliers[i] > upper[i] + room) next[i] = AT_UPPER;
      } else if (lower[i] !== upper[i]) {
        const gap = product[i] - b[i];
        const isWrong = state === AT_LOWER ? gap < 0 : gap > 0;
        if (isWrong && Math.abs(gap) > WRONG * this.computeScale(i)) next[i] = HELD;
      }
      if (next[i] !== state) wrong++;
    }
    return wrong;
  }

  /** Size of what forms s of row i. After `writeProduct`. */
  computeScale(i: number): number {
    return this.peak * this.root[i] + Math.abs(this.b[i]);
  }

  /** Whether s = 0 to rounding in all free rows. After `writeProduct`. */
  isSettled(states: Int8Array): boolean {
    for (let i = 0; i < this.n; i++) {
      if (states[i] !== HELD) continue;
      if (Math.abs(this.product[i] - this.b[i]) > SETTLED * this.computeScale(i)) return false;
    }
    return true;
  }

  /** Projected Gauss–Seidel: λ_r ← the best within its bounds while the others stay, row after row; then the states that λ has. */
  sweep(multipliers: Float64Array, states: Int8Array, sweeps: number): void {
    const { n, matrix, lower, upper } = this;
    this.sweeps += sweeps;
    for (let i = 0; i < n; i++) multipliers[i] = this.clamp(i, multipliers[i]);
    for (let sweep = 0; sweep < sweeps; sweep++)
      for (let i = 0; i < n; i++) {
        let gap = -this.b[i];
        for (let k = 0, at = i * n; k < n; k++, at++) gap += matrix[at] * multipliers[k];
        multipliers[i] = this.clamp(i, multipliers[i] - gap / this.diagonal[i]);
      }
    for (let i = 0; i < n; i++)
      states[i] = multipliers[i] === lower[i] ? AT_LOWER : multipliers[i] === upper[i] ? AT_UPPER : HELD;
  }
}
