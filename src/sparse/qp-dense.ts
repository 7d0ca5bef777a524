/**
 * A dense quadratic problem with bounds on its unknowns, for a few hundred of them:
 *
 *   minimise ½ λᵀS λ − bᵀλ,   lo ≤ λ ≤ hi           s = S λ − b:   s_r > 0 ⇒ λ_r = lo_r,   s_r < 0 ⇒ λ_r = hi_r
 *
 * S symmetric positive semi-definite. It is the problem of qp-problem.ts in the multipliers alone, S = G A⁻¹ Gᵀ + c and b = t − G A⁻¹ f, with
 * the same states: λ = lo (−1), s = 0 (0, free), λ = hi (1).
 *
 * 1. Active set steps from the guessed states, as in qp-active-set.ts: solve for the free λ, then all wrong rows change at once (semi-smooth
 *    Newton [Hintermüller 2002]).
 * 2. They may cycle. Where the number of wrong rows has not fallen for PATIENCE steps, a few sweeps over the rows (projected Gauss–Seidel, each of
 *    which lowers the value) give other states to start from.
 * 3. Where that happens again and again: steps that only descend (qp-dense-descent.ts).
 *
 * Rows that depend on others make S singular, so the factor has a shift τ diag(S) (dense-free-factor.ts), and what is solved is
 *     minimise ½ λᵀS λ − bᵀλ + ½ τ Σ S_rr (λ_r − λ'_r)²,   λ' = 0, then the λ found, until s = 0 to rounding in free rows
 * (proximal points [Rockafellar 1976]): two rounds as a rule, at one substitution for the second. Dependent rows share
 * their λ; where they contradict each other, λ grows to 1/τ, so that whichever has a bound is let go there.
 */
import { DenseBox } from './dense-box.ts';
import { FreeFactor, SHIFT } from './dense-free-factor.ts';
import { BoxDescent } from './qp-dense-descent.ts';
import { AT_LOWER, AT_UPPER, HELD } from './qp-problem.ts';

export interface DenseQpReport {
  /** Every row agrees with its state. Whether s = 0 was reached in the free ones is for the caller to measure. */
  ok: boolean;
  /** Linear systems, those of descending steps among them. */
  steps: number;
  descents: number;
  /** Sweeps of projected Gauss–Seidel. */
  sweeps: number;
  /** Since `load`: factorisations, and rows that changed without one. */
  factorizations: number;
  updatedRows: number;
  /** Free rows that depend on other free ones. */
  redundantRows: number;
}

const PATIENCE = 5;
const MOST_ROUNDS = 8;
const SWEEPS = 8;
const MOST_RESCUES = 2;

export class DenseBoxQp {
  readonly report: DenseQpReport = {
    ok: false,
    steps: 0,
    descents: 0,
    sweeps: 0,
    factorizations: 0,
    updatedRows: 0,
    redundantRows: 0,
  };
  readonly #box = new DenseBox();
  readonly #factor = new FreeFactor();
  readonly #descent = new BoxDescent(this.#box, this.#factor);
  #centre = new Float64Array(0);
  #work = new Float64Array(0);

  /** Takes S, n × n, row-major, both triangles; it is held on to and must not change until the last `solve` with it. */
  load(matrix: Float64Array, n: number): void {
    this.#box.load(matrix, n);
    this.#factor.load(matrix, this.#box.diagonal, n);
    if (this.#centre.length >= n) return;
    this.#centre = new Float64Array(2 * n);
    this.#work = new Float64Array(2 * n);
  }

  /** λ is overwritten; `states`: a guess in, the final ones out. After `load`, as often as b and bounds change. The report is reused. */
  solve(
    b: Float64Array,
    lower: Float64Array,
    upper: Float64Array,
    multipliers: Float64Array,
    states: Int8Array,
  ): DenseQpReport {
    const box = this.#box;
    const { n } = box;
    const { report } = this;
    box.b = b;
    box.lower = lower;
    box.upper = upper;
    report.steps = box.sweeps = report.redundantRows = this.#descent.steps = 0;
    for (let i = 0; i < n; i++) {
      if (states[i] === AT_LOWER && lower[i] === Number.NEGATIVE_INFINITY) states[i] = HELD;
      if (states[i] === AT_UPPER && upper[i] === Number.POSITIVE_INFINITY) states[i] = HELD;
      if (lower[i] === upper[i]) states[i] = AT_LOWER;
    }
    report.ok = this.#run(multipliers, states);
    for (let i = 0; i < n; i++) {
      multipliers[i] = box.clamp(i, multipliers[i]);
      if (states[i] === HELD && this.#factor.isDependent(i)) report.redundantRows++;
    }
    report.descents = this.#descent.steps;
    report.steps += report.descents;
    report.sweeps = box.sweeps;
    report.factorizations = this.#factor.factorizations;
    report.updatedRows = this.#factor.changes;
    return report;
  }

  /** Size of what forms s of row i at the last solution: √S_ii max |λ_k| √S_kk + |b_i|. */
  computeScale(i: number): number {
    return this.#box.computeScale(i);
  }

  #run(multipliers: Float64Array, states: Int8Array): boolean {
    const box = this.#box;
    this.#centre.fill(0, 0, box.n);
    for (let round = 0, rescues = 0; round < MOST_ROUNDS; ) {
      if (this.#changeStates(multipliers, states)) {
        if (box.isSettled(states)) return true;
        round++;
        for (let i = 0; i < box.n; i++) this.#centre[i] = multipliers[i];
      } else {
        if (!Number.isFinite(box.peak)) return false;
        box.sweep(multipliers, states, SWEEPS);
        if (rescues++ === MOST_RESCUES) return this.#descent.run(multipliers, states);
        this.#centre.fill(0, 0, box.n);
      }
    }
    return true;
  }

  /** Active set steps about the present centre; false where they seem to cycle. */
  #changeStates(multipliers: Float64Array, states: Int8Array): boolean {
    const box = this.#box;
    let best = Number.POSITIVE_INFINITY;
    let patience = PATIENCE;
    while (patience > 0) {
      if (!this.#solveFree(multipliers, states)) return false;
      const wrong = box.findWrong(multipliers, states);
      if (wrong === 0) return true;
      if (wrong < best) {
        best = wrong;
        patience = PATIENCE;
      } else patience--;
      for (let i = 0; i < box.n; i++) states[i] = box.next[i];
    }
    return false;
  }

  /** λ that the states ask for, and S λ; false where it is not finite. */
  #solveFree(multipliers: Float64Array, states: Int8Array): boolean {
    const box = this.#box;
    const { n, b } = box;
    const x = this.#work;
    this.report.steps++;
    this.#factor.setFree(states);
    let isPushed = false;
    for (let i = 0; i < n; i++) {
      multipliers[i] = states[i] === HELD ? 0 : states[i] === AT_LOWER ? box.lower[i] : box.upper[i];
      if (multipliers[i] !== 0) isPushed = true;
      x[i] = b[i] + SHIFT * box.diagonal[i] * this.#centre[i];
    }
    if (isPushed) {
      box.writeProduct(multipliers);
      for (let i = 0; i < n; i++) x[i] -= box.product[i];
    }
    this.#factor.solve(x);
    for (let i = 0; i < n; i++) if (states[i] === HELD) multipliers[i] = x[i];
    return box.writeProduct(multipliers);
  }
}
