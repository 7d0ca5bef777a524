/**
 * Primal–dual active set steps for the problem of qp-problem.ts: semi-smooth Newton, all wrong rows change at once.
 *
 *   solve with the states   →   held and λ < lo: at lower     held and λ > hi: at upper     at lower and s < 0, at upper and s > 0: held
 *
 * until no row is wrong [Hintermüller 2002]. It may cycle: where the number of wrong rows has not
 * fallen for PATIENCE steps and is small, only the last of them changes in a step, which cannot cycle [Murty 1974], until fewer are
 * wrong than ever before [Júdice 1994]. A single change borders the factor, a solve instead of a
 * factorisation. Where many are wrong or that takes long, it gives up, and qp.ts goes on with interior points.
 *
 * Difference: rows that depend on other held rows. The factorisation leaves such a row out (λ_d = 0). Where it is then not met,
 * λ_d grows and the multipliers of the rows with g_d = Σ μ_i g_i shrink by μ_i until one meets its bound and leaves
 * [Goldfarb 1983]; where none ever does, (σ, −σ μ) proves that the rows contradict each other.
 * Where it is met and 0 is one of its bounds, it is left there: nothing changes, and later releases need no new factorisation.
 */
import { makeInfeasibilityProof, makeUnboundednessProof } from './qp-certificate.ts';
import { AT_LOWER, AT_UPPER, computeGap, HELD, type QpScales } from './qp-problem.ts';
import type { QpSystem } from './qp-system.ts';

/** Deviation, scaled, above which a row counts as wrong. */
const WRONG = 1e-10;
const PATIENCE = 6;
/** Most wrong rows that are worth single changes, and most of those in a row. */
const FEW = 24;
const MOST_SINGLE = 60;
/** Residual of a linear system above which something is not held. */
const UNHELD = 1e-9;

export type ActiveSetOutcome = 'solved' | 'infeasible' | 'unbounded' | 'stuck';

export class ActiveSet {
  steps = 0;
  /** 1 where a row was met by the rows it depends on and therefore left at its bound. */
  excess = new Uint8Array(0);
  /** Proof of the outcomes 'infeasible' (a number a row) and 'unbounded' (a number an unknown). */
  proof = new Float64Array(0);
  readonly #system: QpSystem;
  #scales!: QpScales;
  #next = new Int8Array(0);
  #mu = new Float64Array(0);
  #unmet: number[] = [];
  #released = 0;

  constructor(system: QpSystem) {
    this.#system = system;
  }

  load(scales: QpScales): void {
    this.#scales = scales;
    this.steps = 0;
    this.excess.fill(0);
    if (this.#next.length === scales.problem.rows.count) return;
    this.excess = new Uint8Array(scales.problem.rows.count);
    this.#next = new Int8Array(scales.problem.rows.count);
    this.#mu = new Float64Array(scales.problem.rows.count);
  }

  /** States: a guess in, the last ones out; v and λ are overwritten. */
  run(states: Int8Array, v: Float64Array, multipliers: Float64Array): ActiveSetOutcome {
    const system = this.#system;
    let best = Number.POSITIVE_INFINITY;
    let patience = PATIENCE;
    let singles = 0;
    while (system.solve(states, v, multipliers)) {
      this.steps++;
      const unheld = system.residual > UNHELD;
      this.#scales.measure(v, multipliers);
      if ((unheld || this.#scales.isFar) && this.#provesUnbounded(v)) return 'unbounded';
      const wrong = this.#findWrong(states, v, multipliers);
      if (wrong === 0) {
        system.polish(states, v, multipliers);
        states.set(this.#next);
        return unheld ? 'stuck' : 'solved';
      }
      if (wrong < best) {
        best = wrong;
        patience = PATIENCE;
        singles = 0;
      } else if (patience > 0) patience--;
      if (patience === 0) {
        if (wrong > FEW || this.#unmet.length > 0 || singles++ === MOST_SINGLE) return 'stuck';
        this.#keepLastChange(states);
      } else if (this.#released === 0 && this.#unmet.length > 0 && this.#exchange(states, v, multipliers))
        return 'infeasible';
      states.set(this.#next);
    }
    return 'stuck';
  }

  /** Number of wrong rows; the states that they want in #next, dependent rows that are not met in #unmet. */
  #findWrong(states: Int8Array, v: Float64Array, multipliers: Float64Array): number {
    const scales = this.#scales;
    const { problem, rowPeak } = scales;
    const { rows, lower, upper } = problem;
    const next = this.#next;
    const { dependent } = this.#system;
    this.#unmet.length = 0;
    this.#released = 0;
    let wrong = 0;
    for (let r = 0; r < rows.count; r++) {
      const multiplier = multipliers[r];
      next[r] = states[r];
      if (lower[r] === upper[r]) continue;
      if (states[r] === HELD) {
        const allowed = (WRONG * scales.force) / (rowPeak[r] || 1);
        if (multiplier < lower[r] - allowed) next[r] = AT_LOWER;
        else if (multiplier > upper[r] + allowed) next[r] = AT_UPPER;
        if (next[r] !== HELD) this.#released++;
        if (next[r] !== HELD || dependent[r] === 0) {
          if (next[r] !== HELD) wrong++;
          continue;
        }
      }
      const gap = computeGap(problem, r, v, multiplier);
      if (Math.abs(gap) <= WRONG * scales.computeRowScale(r, multiplier)) {
        if (states[r] === HELD) this.#leaveAtBound(r);
        continue;
      }
      this.excess[r] = 0;
      if (states[r] === HELD) this.#unmet.push(r);
      else if (states[r] === AT_LOWER ? gap < 0 : gap > 0) next[r] = HELD;
      else continue;
      wrong++;
    }
    return wrong;
  }

  /** Of the rows that are wrong only the last changes. */
  #keepLastChange(states: Int8Array): void {
    const next = this.#next;
    let isLast = true;
    for (let r = next.length - 1; r >= 0; r--) {
      if (next[r] === states[r] || this.excess[r] === 1) continue;
      if (!isLast) next[r] = states[r];
      isLast = false;
    }
  }

  #leaveAtBound(r: number): void {
    const { lower, upper } = this.#scales.problem;
    if (lower[r] !== 0 && upper[r] !== 0) return;
    this.#next[r] = lower[r] === 0 ? AT_LOWER : AT_UPPER;
    this.excess[r] = 1;
  }

  /** For each dependent row that is not met, the row that makes way for it leaves; true where none can. */
  #exchange(states: Int8Array, v: Float64Array, multipliers: Float64Array): boolean {
    const { lower, upper, rows } = this.#scales.problem;
    const next = this.#next;
    for (const d of this.#unmet) {
      const sign = computeGap(this.#scales.problem, d, v, multipliers[d]) < 0 ? 1 : -1;
      this.#system.writeDependence(d, this.#mu);
      let shortest = sign > 0 ? upper[d] - multipliers[d] : multipliers[d] - lower[d];
      let leaving = shortest < Number.POSITIVE_INFINITY ? d : -1;
      for (let r = 0; r < rows.count; r++) {
        const change = -sign * this.#mu[r];
        if (Math.abs(change) * this.#scales.rowPeak[r] <= 1e-9 * this.#scales.rowPeak[d]) continue;
        const room = change > 0 ? upper[r] - multipliers[r] : multipliers[r] - lower[r];
        const length = Math.max(0, room) / Math.abs(change);
        if (length < shortest) {
          shortest = length;
          leaving = r;
        }
      }
      if (leaving < 0) {
        this.proof = new Float64Array(rows.count);
        for (let r = 0; r < rows.count; r++) this.proof[r] = -sign * this.#mu[r];
        this.proof[d] = sign;
        if (makeInfeasibilityProof(this.#scales, this.proof)) return true;
        continue;
      }
      const up = leaving === d ? sign > 0 : -sign * this.#mu[leaving] > 0;
      if (states[leaving] === HELD) next[leaving] = up ? AT_UPPER : AT_LOWER;
    }
    return false;
  }

  #provesUnbounded(v: Float64Array): boolean {
    const direction = new Float64Array(v.length);
    this.#system.writeNullDirection(v, direction);
    if (!makeUnboundednessProof(this.#scales, direction)) return false;
    this.proof = direction;
    return true;
  }
}
