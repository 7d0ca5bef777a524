/**
 * A dense quadratic problem with bounds on its unknowns, for a few hundred of them:
 *
 *   minimise ½ λᵀS λ − bᵀλ,   lo ≤ λ ≤ hi           s = S λ − b:   s_r > 0 ⇒ λ_r = lo_r,   s_r < 0 ⇒ λ_r = hi_r
 *
 * S symmetric positive semi-definite. It is the problem of qp-problem.ts in the multipliers alone, S = G A⁻¹ Gᵀ + c and b = t − G A⁻¹ f, with
 * the same states: λ = lo (−1), s = 0 (0, free), λ = hi (1).
 *
 * Primal–dual active set steps from the guessed states, as in qp-active-set.ts: solve for the free λ, then all wrong rows change at once
 * (semi-smooth Newton). Where the number of wrong rows has not fallen for PATIENCE steps only the last of them changes, which
 * cannot cycle (K. Murty, 1974; J. Júdice, F. Pires, Computers Ops Res. 21, 1994), until fewer are wrong than ever before. Where that takes
 * long, sweeps over the rows (projected Gauss–Seidel, each of which lowers the value) give other states to start from.
 *
 * Rows that depend on others make S singular, so the factor has a shift τ diag(S) (dense-free-factor.ts), and what is solved is
 *     minimise ½ λᵀS λ − bᵀλ + ½ τ Σ S_rr (λ_r − λ'_r)²,   λ' = 0, then the λ found, until s = 0 to rounding in free rows
 * (proximal points: R. T. Rockafellar, SIAM J. Control Optim. 14, 1976): two rounds as a rule, at one substitution for the second. Dependent rows share
 * their λ evenly; where they contradict each other, λ grows to 1/τ, so that whichever has a bound is let go there.
 */
import { FreeFactor, SHIFT } from './dense-free-factor.ts';
import { AT_LOWER, AT_UPPER, HELD } from './qp-problem.ts';

export interface DenseQpReport {
  /** Every row agrees with its state. Whether s = 0 was reached in the free ones is for the caller to measure. */
  ok: boolean;
  /** Linear systems, factorisations among them, and rows that changed without one. */
  steps: number;
  factorizations: number;
  updatedRows: number;
  /** Sweeps of projected Gauss–Seidel. */
  sweeps: number;
  /** Free rows that depend on other free ones. */
  redundantRows: number;
}

/** Deviation, scaled, above which a row counts as wrong, and s of a free row as not zero. */
const WRONG = 1e-11;
const SETTLED = 1e-12;
const PATIENCE = 5;
const MOST_ROUNDS = 8;
const MOST_SWEEPS = 200;

export class DenseBoxQp {
  readonly report: DenseQpReport = {
    ok: false,
    steps: 0,
    factorizations: 0,
    updatedRows: 0,
    sweeps: 0,
    redundantRows: 0,
  };
  readonly #factor = new FreeFactor();
  #n = 0;
  #matrix: Float64Array = new Float64Array(0);
  #diagonal = new Float64Array(0);
  #root = new Float64Array(0);
  #centre = new Float64Array(0);
  /** S λ. */
  #product = new Float64Array(0);
  #work = new Float64Array(0);
  #next = new Int8Array(0);
  /** Largest |λ_r| √S_rr. */
  #peak = 0;

  /** Takes S, n × n, row-major, both triangles; it is held on to and must not change until the last `solve` with it. */
  load(matrix: Float64Array, n: number): void {
    if (matrix.length < n * n) {
      throw new RangeError(`DenseBoxQp: the matrix has ${matrix.length} entries; ${n} unknowns need ${n * n}.`);
    }
    this.#n = n;
    this.#matrix = matrix;
    if (this.#diagonal.length < n) {
      this.#diagonal = new Float64Array(n);
      this.#root = new Float64Array(n);
      this.#centre = new Float64Array(n);
      this.#product = new Float64Array(n);
      this.#work = new Float64Array(n);
      this.#next = new Int8Array(n);
    }
    for (let i = 0; i < n; i++) {
      const value = matrix[i * n + i];
      this.#diagonal[i] = value > 0 ? value : 1;
      this.#root[i] = Math.sqrt(this.#diagonal[i]);
    }
    this.#factor.load(matrix, this.#diagonal, n);
  }

  /** λ is overwritten; `states`: a guess in, the final ones out. After `load`, as often as b and bounds change. The report is reused. */
  solve(
    b: Float64Array,
    lower: Float64Array,
    upper: Float64Array,
    multipliers: Float64Array,
    states: Int8Array,
  ): DenseQpReport {
    const { report } = this;
    const n = this.#n;
    report.steps = report.sweeps = report.redundantRows = 0;
    for (let i = 0; i < n; i++) {
      if (states[i] === AT_LOWER && lower[i] === Number.NEGATIVE_INFINITY) states[i] = HELD;
      if (states[i] === AT_UPPER && upper[i] === Number.POSITIVE_INFINITY) states[i] = HELD;
      if (lower[i] === upper[i]) states[i] = AT_LOWER;
    }
    this.#centre.fill(0, 0, n);
    report.ok = this.#run(b, lower, upper, multipliers, states);
    if (!report.ok && Number.isFinite(this.#peak)) {
      this.#sweep(b, lower, upper, multipliers, states);
      this.#centre.fill(0, 0, n);
      report.ok = this.#run(b, lower, upper, multipliers, states);
    }
    for (let i = 0; i < n; i++) if (states[i] === HELD && this.#factor.isDependent(i)) report.redundantRows++;
    report.factorizations = this.#factor.factorizations;
    report.updatedRows = this.#factor.changes;
    return report;
  }

  #run(
    b: Float64Array,
    lower: Float64Array,
    upper: Float64Array,
    multipliers: Float64Array,
    states: Int8Array,
  ): boolean {
    const n = this.#n;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      if (!this.#changeStates(b, lower, upper, multipliers, states)) return false;
      if (this.#isSettled(b, states)) break;
      for (let i = 0; i < n; i++) this.#centre[i] = multipliers[i];
    }
    for (let i = 0; i < n; i++) multipliers[i] = Math.min(upper[i], Math.max(lower[i], multipliers[i]));
    return true;
  }

  /** Active set steps about the present centre; false where they do not end. */
  #changeStates(
    b: Float64Array,
    lower: Float64Array,
    upper: Float64Array,
    multipliers: Float64Array,
    states: Int8Array,
  ): boolean {
    const n = this.#n;
    let best = Number.POSITIVE_INFINITY;
    let patience = PATIENCE;
    for (let singles = 0; singles <= 30 + n; ) {
      if (!this.#solveFree(b, lower, upper, multipliers, states)) return false;
      const wrong = this.#findWrong(b, lower, upper, multipliers, states);
      if (wrong === 0) return true;
      if (wrong < best) {
        best = wrong;
        patience = PATIENCE;
      } else if (patience > 0) patience--;
      if (patience === 0) {
        singles++;
        this.#changeLast(states);
      } else for (let i = 0; i < n; i++) states[i] = this.#next[i];
    }
    return false;
  }

  /** λ that the states ask for, and S λ; false where it is not finite. */
  #solveFree(
    b: Float64Array,
    lower: Float64Array,
    upper: Float64Array,
    multipliers: Float64Array,
    states: Int8Array,
  ): boolean {
    const n = this.#n;
    const product = this.#product;
    const x = this.#work;
    this.report.steps++;
    this.#factor.setFree(states);
    product.fill(0, 0, n);
    for (let i = 0; i < n; i++) {
      if (states[i] === HELD) continue;
      multipliers[i] = states[i] === AT_LOWER ? lower[i] : upper[i];
      if (multipliers[i] !== 0) this.#addColumn(i, multipliers[i]);
    }
    for (let i = 0; i < n; i++) x[i] = b[i] - product[i] + SHIFT * this.#diagonal[i] * this.#centre[i];
    this.#factor.solve(x);
    this.#peak = 0;
    for (let i = 0; i < n; i++) {
      if (states[i] === HELD) multipliers[i] = x[i];
      const size = Math.abs(multipliers[i]) * this.#root[i];
      if (!(size <= this.#peak)) this.#peak = size;
    }
    if (!Number.isFinite(this.#peak)) return false;
    this.#addFreeColumns(multipliers, states);
    return true;
  }

  #addColumn(i: number, factor: number): void {
    const S = this.#matrix;
    const product = this.#product;
    const n = this.#n;
    for (let k = 0, at = i * n; k < n; k++, at++) product[k] += factor * S[at];
  }

  /** Adds S λ of the free rows, two columns at once. */
  #addFreeColumns(multipliers: Float64Array, states: Int8Array): void {
    const S = this.#matrix;
    const product = this.#product;
    const n = this.#n;
    let before = -1;
    for (let i = 0; i < n; i++) {
      if (states[i] !== HELD) continue;
      if (before < 0) {
        before = i;
        continue;
      }
      const p = multipliers[before];
      const q = multipliers[i];
      for (let k = 0, s = before * n, t = i * n; k < n; k++, s++, t++) product[k] += p * S[s] + q * S[t];
      before = -1;
    }
    if (before >= 0) this.#addColumn(before, multipliers[before]);
  }

  /** Number of wrong rows; the states that they want in #next. */
  #findWrong(
    b: Float64Array,
    lower: Float64Array,
    upper: Float64Array,
    multipliers: Float64Array,
    states: Int8Array,
  ): number {
    const next = this.#next;
    const allowed = WRONG * this.#peak;
    let wrong = 0;
    for (let i = 0; i < this.#n; i++) {
      const state = states[i];
      next[i] = state;
      if (state === HELD) {
        const room = allowed / this.#root[i];
        if (multipliers[i] < lower[i] - room) next[i] = AT_LOWER;
        else if (multipliers[i] > upper[i] + room) next[i] = AT_UPPER;
      } else if (lower[i] !== upper[i]) {
        const gap = this.#product[i] - b[i];
        if (Math.abs(gap) > allowed * this.#root[i] + WRONG * Math.abs(b[i]) && (state === AT_LOWER ? gap < 0 : gap > 0))
          next[i] = HELD;
      }
      if (next[i] !== state) wrong++;
    }
    return wrong;
  }

  /** Of the rows that are wrong only the last changes. */
  #changeLast(states: Int8Array): void {
    let i = this.#n - 1;
    while (i >= 0 && this.#next[i] === states[i]) i--;
    states[i] = this.#next[i];
  }

  #isSettled(b: Float64Array, states: Int8Array): boolean {
    for (let i = 0; i < this.#n; i++) {
      const scale = this.#peak * this.#root[i] + Math.abs(b[i]);
      if (states[i] === HELD && Math.abs(this.#product[i] - b[i]) > SETTLED * scale) return false;
    }
    return true;
  }

  /** λ_r ← the best within its bounds while the others stay, row after row; then the states that λ has. */
  #sweep(
    b: Float64Array,
    lower: Float64Array,
    upper: Float64Array,
    multipliers: Float64Array,
    states: Int8Array,
  ): void {
    const S = this.#matrix;
    const n = this.#n;
    for (let i = 0; i < n; i++) multipliers[i] = Math.min(upper[i], Math.max(lower[i], 0));
    for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
      this.report.sweeps++;
      for (let i = 0; i < n; i++) {
        let gap = -b[i];
        for (let k = 0, at = i * n; k < n; k++, at++) gap += S[at] * multipliers[k];
        const value = multipliers[i] - gap / this.#diagonal[i];
        multipliers[i] = Math.min(upper[i], Math.max(lower[i], value));
      }
    }
    for (let i = 0; i < n; i++)
      states[i] = multipliers[i] === lower[i] ? AT_LOWER : multipliers[i] === upper[i] ? AT_UPPER : HELD;
  }
}
