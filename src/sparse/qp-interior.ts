/**
 * Primal–dual interior point method for the problem of qp-problem.ts [Mehrotra 1992], from any start.
 *
 * A row with lo < hi has slacks for its finite bounds:   g v − t + c λ = p − q,
 *   p ≥ 0, a = λ − lo ≥ 0, p a = 0      q ≥ 0, b = hi − λ ≥ 0, q b = 0      (no p where lo = −∞, no q where hi = ∞)
 * Newton's method for p a = q b = σ μ leaves the pattern of A and G, with a compliance on each row:
 *
 *   A dv − Gᵀ dλ = f + Gᵀλ − A v
 *   g dv + (c + p/a + q/b) dλ = −(g v − t + c λ) + (σμ − ∆a ∆p)/a − (σμ + ∆b ∆q)/b          ∆: products of the predictor
 */
import { makeInfeasibilityProof, makeUnboundednessProof } from './qp-certificate.ts';
import { AT_LOWER, AT_UPPER, computeGap, HELD, type QpResidual, type QpScales, writeQpResidual } from './qp-problem.ts';
import type { QpSystem } from './qp-system.ts';

const MOST_STEPS = 80;
/** Share of the way to the nearest bound that a step goes at most. */
const TO_BOUNDARY = 0.995;
/** Scaled residual at which the steps end. */
const TARGET = 1e-10;
/** Steps without progress after which they end. */
const PATIENCE = 30;
/** Compliance that takes a row out whose multiplier is fixed. */
const FIXED = 1e30;

export type InteriorOutcome = 'ended' | 'infeasible' | 'unbounded';

export class InteriorPoint {
  steps = 0;
  proof = new Float64Array(0);
  readonly #system: QpSystem;
  #scales!: QpScales;
  #p = new Float64Array(0);
  #q = new Float64Array(0);
  #a = new Float64Array(0); // kept beside λ: near a bound other than 0 the difference would be lost in rounding
  #b = new Float64Array(0);
  #dp = new Float64Array(0);
  #dq = new Float64Array(0);
  #dMultipliers = new Float64Array(0);
  #gap = new Float64Array(0);
  #soft = new Float64Array(0);
  #v = new Float64Array(0);
  #multipliers = new Float64Array(0);
  #dv = new Float64Array(0);
  #imbalance = new Float64Array(0);
  readonly #residual: QpResidual = { stationarity: 0, primal: 0, dual: 0, complementarity: 0 };

  constructor(system: QpSystem) {
    this.#system = system;
  }

  load(scales: QpScales): void {
    this.#scales = scales;
    this.steps = 0;
    this.proof = new Float64Array(0);
  }

  #reserve(n: number, m: number): void {
    if (this.#v.length === n && this.#p.length === m) return;
    this.#v = new Float64Array(n);
    this.#dv = new Float64Array(n);
    this.#imbalance = new Float64Array(n);
    this.#multipliers = new Float64Array(m);
    this.#p = new Float64Array(m);
    this.#q = new Float64Array(m);
    this.#a = new Float64Array(m);
    this.#b = new Float64Array(m);
    this.#dp = new Float64Array(m);
    this.#dq = new Float64Array(m);
    this.#dMultipliers = new Float64Array(m);
    this.#gap = new Float64Array(m);
    this.#soft = new Float64Array(m);
  }

  /** v and λ: the best point met. */
  run(v: Float64Array, multipliers: Float64Array): InteriorOutcome {
    const { matrix, rows } = this.#scales.problem;
    this.#reserve(matrix.size, rows.count);
    if (!this.#start()) return 'ended';
    let best = Number.POSITIVE_INFINITY;
    let patience = PATIENCE;
    for (; this.steps < MOST_STEPS; this.steps++) {
      const error = writeQpResidual(this.#scales, this.#v, this.#multipliers, this.#imbalance, this.#residual);
      if (Number.isNaN(error)) break;
      if (error < best) {
        v.set(this.#v);
        multipliers.set(this.#multipliers);
      }
      if (error < 0.9 * best) patience = PATIENCE;
      else if (--patience === 0) break;
      best = Math.min(best, error);
      if (best <= TARGET) break;
      if (this.#proves(makeInfeasibilityProof, this.#multipliers)) return 'infeasible';
      if (this.#proves(makeUnboundednessProof, this.#v)) return 'unbounded';
      if (!this.#step()) break;
    }
    return 'ended';
  }

  #proves(make: (scales: QpScales, point: Float64Array) => boolean, point: Float64Array): boolean {
    const proof = point.slice();
    if (!make(this.#scales, proof)) return false;
    this.proof = proof;
    return true;
  }

  /** At a bound where λ is nearer to it than s to 0, relative to forces and speeds. */
  writeStates(states: Int8Array): void {
    const scales = this.#scales;
    const { rows, lower, upper } = scales.problem;
    scales.measure(this.#v, this.#multipliers);
    for (let r = 0; r < rows.count; r++) {
      const weight = (scales.computeRowScale(r, this.#multipliers[r]) * scales.rowPeak[r]) / scales.force;
      states[r] = HELD;
      if (this.#p[r] > weight * this.#a[r]) states[r] = AT_LOWER;
      else if (this.#q[r] > weight * this.#b[r]) states[r] = AT_UPPER;
      if (lower[r] === upper[r]) states[r] = AT_LOWER;
    }
  }

  /** From the solution of the equalities alone; then every product away from zero. */
  #start(): boolean {
    const scales = this.#scales;
    const { rows, force, target, lower, upper } = scales.problem;
    for (let r = 0; r < rows.count; r++) {
      const strict = lower[r] === Number.NEGATIVE_INFINITY && upper[r] === Number.POSITIVE_INFINITY;
      this.#soft[r] = strict ? (rows.compliance?.[r] ?? 0) : FIXED;
      this.#gap[r] = target[r];
    }
    if (!this.#system.factorSoft(this.#soft)) return false;
    this.#system.solveSoft(force, this.#gap, this.#v, this.#multipliers);
    scales.measure(this.#v, this.#multipliers);
    for (let r = 0; r < rows.count; r++) this.#startRow(r);
    return true;
  }

  #startRow(r: number): void {
    const { problem, rowPeak, force } = this.#scales;
    const { lower, upper } = problem;
    const lo = lower[r];
    const hi = upper[r];
    const floor = force > 0 ? (0.1 * force) / (rowPeak[r] || 1) : 1;
    const gap = computeGap(problem, r, this.#v, this.#multipliers[r]);
    const below = lo > Number.NEGATIVE_INFINITY;
    const above = hi < Number.POSITIVE_INFINITY;
    this.#p[r] = this.#q[r] = 0;
    let multiplier = this.#multipliers[r];
    if (below && above) multiplier = Math.min(hi - 0.1 * (hi - lo), Math.max(lo + 0.1 * (hi - lo), multiplier));
    else if (below) multiplier = lo + Math.abs(multiplier - lo) + floor;
    else if (above) multiplier = hi - Math.abs(hi - multiplier) - floor;
    this.#multipliers[r] = lo === hi ? lo : multiplier;
    this.#a[r] = multiplier - lo;
    this.#b[r] = hi - multiplier;
    this.#dMultipliers[r] = this.#dp[r] = this.#dq[r] = 0;
    const slack = Math.abs(gap) + 0.1 * this.#scales.computeRowScale(r, multiplier);
    if (below && lo !== hi) this.#p[r] = slack;
    if (above && lo !== hi) this.#q[r] = slack;
  }

  #step(): boolean {
    const { problem } = this.#scales;
    const { rows, lower, upper } = problem;
    for (let r = 0; r < rows.count; r++) {
      let soft = rows.compliance?.[r] ?? 0;
      if (this.#p[r] > 0) soft += this.#p[r] / this.#a[r];
      if (this.#q[r] > 0) soft += this.#q[r] / this.#b[r];
      this.#soft[r] = lower[r] === upper[r] ? FIXED : soft;
    }
    if (!this.#system.factorSoft(this.#soft)) return false;
    const mean = this.#computeMeanProduct(0);
    this.#computeDirection(0, false);
    const affine = this.#computeMeanProduct(this.#computeStep(1));
    this.#computeDirection(mean === 0 ? 0 : mean * Math.min(1, (affine / mean) ** 2 * (affine / mean)), true);
    const length = this.#computeStep(TO_BOUNDARY);
    for (let k = 0; k < this.#v.length; k++) this.#v[k] += length * this.#dv[k];
    for (let r = 0; r < rows.count; r++) {
      const change = length * this.#dMultipliers[r];
      this.#multipliers[r] += change;
      this.#a[r] += change;
      this.#b[r] -= change;
      this.#p[r] += length * this.#dp[r];
      this.#q[r] += length * this.#dq[r];
    }
    return length > 0;
  }

  /** dv, dλ, dp, dq for p a = q b = `product`; `corrects`: with the second-order terms of the direction that is there. */
  #computeDirection(product: number, corrects: boolean): void {
    const { problem } = this.#scales;
    const { rows, lower, upper } = problem;
    for (let r = 0; r < rows.count; r++) {
      const lambda = this.#multipliers[r];
      const change = corrects ? this.#dMultipliers[r] : 0;
      let gap = -(computeGap(problem, r, this.#v, lambda) - this.#p[r] + this.#q[r]);
      if (this.#p[r] > 0) {
        this.#dp[r] = (product - change * this.#dp[r]) / this.#a[r] - this.#p[r];
        gap += this.#dp[r];
      }
      if (this.#q[r] > 0) {
        this.#dq[r] = (product + change * this.#dq[r]) / this.#b[r] - this.#q[r];
        gap -= this.#dq[r];
      }
      this.#gap[r] = lower[r] === upper[r] ? 0 : gap;
    }
    this.#scales.writeImbalance(this.#v, this.#multipliers, this.#imbalance);
    this.#system.solveSoft(this.#imbalance, this.#gap, this.#dv, this.#dMultipliers);
    for (let r = 0; r < rows.count; r++) {
      const change = this.#dMultipliers[r];
      if (this.#p[r] > 0) this.#dp[r] -= (this.#p[r] / this.#a[r]) * change;
      if (this.#q[r] > 0) this.#dq[r] += (this.#q[r] / this.#b[r]) * change;
      if (lower[r] === upper[r]) this.#dMultipliers[r] = 0;
    }
  }

  /** Longest step of at most 1 that goes no further than this share of the way to a bound. */
  #computeStep(share: number): number {
    const { rows } = this.#scales.problem;
    let length = 1;
    const limit = (value: number, change: number): void => {
      if (change < 0) length = Math.min(length, (-share * value) / change);
    };
    for (let r = 0; r < rows.count; r++) {
      if (this.#p[r] > 0) {
        limit(this.#p[r], this.#dp[r]);
        limit(this.#a[r], this.#dMultipliers[r]);
      }
      if (this.#q[r] > 0) {
        limit(this.#q[r], this.#dq[r]);
        limit(this.#b[r], -this.#dMultipliers[r]);
      }
    }
    return length;
  }

  /** Mean of all p a and q b after a step of this length. */
  #computeMeanProduct(length: number): number {
    const { rows } = this.#scales.problem;
    let sum = 0;
    let count = 0;
    for (let r = 0; r < rows.count; r++) {
      const change = length * this.#dMultipliers[r];
      if (this.#p[r] > 0) {
        sum += (this.#p[r] + length * this.#dp[r]) * (this.#a[r] + change);
        count++;
      }
      if (this.#q[r] > 0) {
        sum += (this.#q[r] + length * this.#dq[r]) * (this.#b[r] - change);
        count++;
      }
    }
    return count === 0 ? 0 : sum / count;
  }
}
