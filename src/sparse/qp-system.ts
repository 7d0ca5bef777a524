/**
 * Linear systems of an active set (see qp.ts): with the states of all rows given,
 *
 *   ⎡ A  Gᵀ ⎤ ⎡  v ⎤   ⎡ f + Σ g_rᵀ λ_r (rows at a bound) ⎤
 *   ⎣ G  −c ⎦ ⎣ −λ ⎦ = ⎣ t                                ⎦     over the held rows; a row at a bound is a decoupled −1 pivot.
 *
 * All rows stay in one pattern, so the analysis is done once. Where few states differ from the factored ones, the old factor
 * is kept and bordered (qp-border.ts). Refinement against the true system gives full accuracy in either case.
 */
import { KktSystem, type SparseRows } from './kkt.ts';
import { FactorBorder, writeRow } from './qp-border.ts';
import {
  AT_LOWER,
  addRowForces,
  computeGap,
  computePeak,
  computeRowProduct,
  HELD,
  type QpProblem,
  type QpScales,
} from './qp-problem.ts';

const MOST_REFINEMENTS = 8;
/** Scaled residual at which refinement ends: of steps that only tell which rows are wrong, and of the last. */
const ROUGH = 1e-12;
const ENOUGH = 1e-15;
/** Scaled residual above which a solution from a bordered factor is not trusted. */
const TRUSTED = 1e-12;

export class QpSystem {
  readonly kkt = new KktSystem();
  readonly #border = new FactorBorder(this.kkt);
  factorizations = 0;
  /** Changed rows met by bordering instead of a factorisation. */
  updates = 0;
  /** Of the last `solve`: scaled residual of v and of the held, independent rows. */
  residual = Number.NaN;

  #scales!: QpScales;
  #size = 0;
  #count = 0;
  #fixed: { count: number; start: Int32Array; columns: Int32Array; values: Float64Array; compliance: Float64Array } = {
    count: 0,
    start: new Int32Array(1),
    columns: new Int32Array(0),
    values: new Float64Array(0),
    compliance: new Float64Array(0),
  };
  #factored = new Int8Array(0); // states of the factor
  #hasFactor = false;
  #r = new Float64Array(0);
  #x = new Float64Array(0);
  #trialV = new Float64Array(0);
  #trialMultipliers = new Float64Array(0);
  /** Of the last `solve`: corrections, and whether the last of them was of little use. */
  #refinements = 0;
  #isSlow = false;
  /** Takes a problem; the factorisation of an earlier one is void unless the new one has its matrix and rows. */
  load(scales: QpScales, sameMatrix: boolean): void {
    const { matrix, rows } = scales.problem;
    this.#hasFactor = this.#hasFactor && sameMatrix && this.#size === matrix.size && this.#count === rows.count;
    this.#scales = scales;
    this.#border.load(scales.problem);
    this.#size = matrix.size;
    this.#count = rows.count;
    const total = matrix.size + rows.count;
    if (this.#r.length !== total || this.#fixed.compliance.length !== rows.count) {
      this.#r = new Float64Array(total);
      this.#x = new Float64Array(total);
      this.#trialV = new Float64Array(matrix.size);
      this.#trialMultipliers = new Float64Array(rows.count);
      this.#factored = new Int8Array(rows.count);
    }
    const entries = rows.start[rows.count];
    const values = this.#fixed.values.length === entries ? this.#fixed.values : new Float64Array(entries);
    const compliance =
      this.#fixed.compliance.length === rows.count ? this.#fixed.compliance : new Float64Array(rows.count);
    this.#fixed = { count: rows.count, start: rows.start, columns: rows.columns, values, compliance };
    this.factorizations = this.updates = 0;
  }

  get problem(): QpProblem {
    return this.#scales.problem;
  }

  /** 1 where a held row depends on others in the last factorisation and was left out of it. */
  get dependent(): Uint8Array {
    return this.kkt.dependent;
  }

  /** Factors for these states. */
  factor(states: Int8Array): boolean {
    const { rows } = this.problem;
    const { values, compliance } = this.#fixed;
    for (let r = 0; r < this.#count; r++) {
      const held = states[r] === HELD;
      compliance[r] = held ? (rows.compliance?.[r] ?? 0) : 1;
      for (let k = rows.start[r]; k < rows.start[r + 1]; k++) values[k] = held ? rows.values[k] : 0;
    }
    this.#factored.set(states);
    this.#hasFactor = this.#factorRows(this.#fixed);
    return this.#hasFactor;
  }

  /** Factors with all rows in and the given diagonal c: for the interior point method. */
  factorSoft(compliance: Float64Array): boolean {
    this.#fixed.values.set(this.problem.rows.values.subarray(0, this.#fixed.values.length));
    this.#fixed.compliance.set(compliance);
    this.#hasFactor = false;
    return this.#factorRows(this.#fixed);
  }

  #factorRows(rows: SparseRows): boolean {
    this.#border.clear();
    this.factorizations++;
    return this.kkt.factor(this.problem.matrix, rows, this.#scales.matrixNorm).ok;
  }

  /** v and λ for these states (λ at its bound where a row is not held); false where no finite solution was found. */
  solve(states: Int8Array, v: Float64Array, multipliers: Float64Array): boolean {
    if (this.#hasFactor && this.#border.update(states, this.#factored)) {
      this.updates += this.#border.changed.length;
      if (this.#refine(states, v, multipliers) && this.residual <= TRUSTED) return true;
    }
    if (this.#hasFactor && this.#border.changed.length === 0 && this.#sameStates(states))
      return Number.isFinite(this.residual);
    if (!this.factor(states)) return false;
    return this.#refine(states, v, multipliers);
  }

  #sameStates(states: Int8Array): boolean {
    for (let r = 0; r < this.#count; r++) if ((states[r] === HELD) !== (this.#factored[r] === HELD)) return false;
    return true;
  }

  /** Refines what `solve` left as far as it goes; the same numbers as without a stop in between. */
  polish(states: Int8Array, v: Float64Array, multipliers: Float64Array): void {
    if (this.residual > ENOUGH) this.#improve(states, v, multipliers, this.residual, ENOUGH);
  }

  #refine(states: Int8Array, v: Float64Array, multipliers: Float64Array): boolean {
    const { lower, upper } = this.problem;
    v.fill(0, 0, this.#size);
    for (let r = 0; r < this.#count; r++) {
      multipliers[r] = states[r] === HELD ? 0 : states[r] === AT_LOWER ? lower[r] : upper[r];
    }
    this.#refinements = 0;
    this.#isSlow = false;
    this.#improve(states, v, multipliers, Number.POSITIVE_INFINITY, ROUGH);
    return Number.isFinite(this.residual);
  }

  /** Corrections of v and λ, whose residual is `error`, until it is small enough or falls no longer. */
  #improve(states: Int8Array, v: Float64Array, multipliers: Float64Array, error: number, enough: number): void {
    this.#writeResidual(states, v, multipliers);
    while (this.#refinements <= MOST_REFINEMENTS && error > enough && !this.#isSlow) {
      this.#refinements++;
      this.#border.applyInverse(states, this.#r, this.#x);
      for (let k = 0; k < this.#size; k++) this.#trialV[k] = v[k] + this.#x[k];
      for (let r = 0; r < this.#count; r++) {
        this.#trialMultipliers[r] = states[r] === HELD ? multipliers[r] - this.#x[this.#size + r] : multipliers[r];
      }
      const next = this.#writeResidual(states, this.#trialV, this.#trialMultipliers);
      this.#isSlow = !(next < 0.5 * error);
      if (!(next < error)) break;
      error = next;
      v.set(this.#trialV);
      multipliers.set(this.#trialMultipliers);
    }
    this.residual = error;
  }

  /** #r = what is missing at (v, λ); returns the scaled residual, without the dependent rows. */
  #writeResidual(states: Int8Array, v: Float64Array, multipliers: Float64Array): number {
    const scales = this.#scales;
    const r = this.#r;
    let error = scales.writeImbalance(v, multipliers, r);
    for (let i = 0; i < this.#count; i++) {
      r[this.#size + i] = 0;
      if (states[i] !== HELD) continue;
      const gap = -computeGap(this.problem, i, v, multipliers[i]);
      r[this.#size + i] = gap;
      if (gap === 0 || this.dependent[i] === 1) continue;
      error = Math.max(error, Math.abs(gap) / scales.computeRowScale(i, multipliers[i]));
    }
    return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
  }

  /** One correction of the soft system of `factorSoft`: A dv − Gᵀdλ = `force`, G dv + c dλ = `gap`. */
  solveSoft(force: Float64Array, gap: Float64Array, dv: Float64Array, dMultipliers: Float64Array): void {
    this.kkt.solve(force, gap, dv, dMultipliers);
    for (let r = 0; r < this.#count; r++) dMultipliers[r] = -dMultipliers[r];
  }

  /** μ with g_d = Σ μ_i g_i over the held rows, for a row that the factor found to depend on them. */
  writeDependence(d: number, mu: Float64Array): void {
    writeRow(this.problem, d, this.#r);
    this.kkt.solveOnce(this.#r, this.#x);
    for (let r = 0; r < this.#count; r++) mu[r] = r !== d && this.#factored[r] === HELD ? this.#x[this.#size + r] : 0;
  }

  /**
   * A direction along which neither A nor the held rows resist, from a v that went far for lack of resistance:
   * d ← d − K̃⁻¹ K d keeps only what the replaced pivots of the factor K̃ hold, and that is the null space of K;
   * without replaced pivots K is only nearly singular, and d ← K⁻¹ d (inverse iteration) finds where.
   */
  writeNullDirection(v: Float64Array, direction: Float64Array): void {
    const { matrix, rows } = this.problem;
    const eta = this.#trialMultipliers.fill(0);
    const singular = this.kkt.report.regularized > 0;
    direction.set(v);
    for (let turn = 0; turn < 2; turn++) {
      const peak = computePeak(direction, this.#size);
      for (let k = 0; k < this.#size; k++) direction[k] /= peak;
      for (let r = 0; r < this.#count; r++) eta[r] /= peak;
      if (!singular) {
        this.#r.fill(0);
        this.#r.set(direction);
        this.kkt.solveOnce(this.#r, this.#x);
        direction.set(this.#x.subarray(0, this.#size));
        continue;
      }
      matrix.multiply(direction, this.#r);
      addRowForces(rows, eta, this.#r);
      for (let r = 0; r < this.#count; r++) {
        const soft = (rows.compliance?.[r] ?? 0) * eta[r];
        this.#r[this.#size + r] = this.#factored[r] === HELD ? computeRowProduct(rows, r, direction) - soft : 0;
      }
      this.kkt.solveOnce(this.#r, this.#x);
      for (let k = 0; k < this.#size; k++) direction[k] -= this.#x[k];
      for (let r = 0; r < this.#count; r++) if (this.#factored[r] === HELD) eta[r] -= this.#x[this.#size + r];
    }
  }
}
