/**
 * Convex quadratic problems with equality, inequality and box rows (qp-problem.ts has the formulas).
 *
 * 1. Active set steps from the guessed states (qp-active-set.ts): with a good guess one factorisation, the rest by bordering it.
 * 2. Where they cycle: a primal–dual interior point method on the same pattern (qp-interior.ts), whose end gives the states for
 * 3. active set steps that polish it. Where these fail too, the interior point stands if it is good enough.
 * 4. Where rows are still not met: do they contradict each other (qp-feasibility.ts)?
 *
 * What is returned is measured, not believed: 'solved' means that all four residuals of `QpReport.residual` are at most 1e-9;
 * 'infeasible' and 'unbounded' come with a proof that was checked (qp-certificate.ts).
 */
import { ActiveSet, type ActiveSetOutcome } from './qp-active-set.ts';
import { findInfeasibilityProof } from './qp-feasibility.ts';
import { InteriorPoint } from './qp-interior.ts';
import { AT_LOWER, AT_UPPER, HELD, type QpProblem, type QpResidual, QpScales, writeQpResidual } from './qp-problem.ts';
import { QpSystem } from './qp-system.ts';

export type { QpProblem, QpResidual } from './qp-problem.ts';

export type QpStatus = 'solved' | 'infeasible' | 'unbounded' | 'failed';

export interface QpReport {
  status: QpStatus;
  /** One sentence where the status is not 'solved'. */
  reason: string;
  /** What found the answer: the active set alone, after interior points, or interior points alone. */
  method: 'active-set' | 'polished' | 'interior-point';
  /** At the returned v and λ; the largest of the four in `error`. */
  residual: QpResidual;
  error: number;
  factorizations: number;
  /** Analyses of a pattern since the solver was made. */
  analyses: number;
  /** Linear systems of the active set, and changed rows that were met without a factorisation. */
  activeSetSteps: number;
  updatedRows: number;
  interiorSteps: number;
  heldRows: number;
  /** Rows found to follow from held ones: met by these, with a multiplier of 0. Inequalities among them end at their bound. */
  redundantRows: number;
  /** Where infeasible: a number y_r a row; where unbounded: a direction, a number an unknown (see qp-certificate.ts). Else empty. */
  proof: Float64Array;
}

export interface QpOptions {
  /** What is tried first. Default 'active-set'; 'interior-point' where nothing is known of the states and most rows will hold. */
  readonly first?: 'active-set' | 'interior-point';
  /** A, G and c have the values of the last call (only f, t and the bounds changed): its factorisation is used again. */
  readonly sameMatrix?: boolean;
}

/** A point counts as solution where no scaled residual exceeds this. */
const SOLVED = 1e-9;
const NOTHING = new Float64Array(0);

/** Solves problems one after another; keeps the analysis while the patterns of A and G stay. */
export class QpSolver {
  readonly report: QpReport = {
    status: 'failed',
    reason: '',
    method: 'active-set',
    residual: { stationarity: Number.NaN, primal: Number.NaN, dual: Number.NaN, complementarity: Number.NaN },
    error: Number.NaN,
    factorizations: 0,
    analyses: 0,
    activeSetSteps: 0,
    updatedRows: 0,
    interiorSteps: 0,
    heldRows: 0,
    redundantRows: 0,
    proof: NOTHING,
  };
  /** 1 for each row of the last solution that was found to follow from held ones. */
  redundant = new Uint8Array(0);
  readonly #scales = new QpScales();
  readonly #system = new QpSystem();
  readonly #activeSet = new ActiveSet(this.#system);
  readonly #interior = new InteriorPoint(this.#system);
  #scratch = new Float64Array(0);

  /**
   * v and λ are overwritten; all arrays may be longer than needed. `states`: a guess in, the final ones out (−1: λ = lo, 0: s = 0, 1: λ = hi), so that the next problem of its
   * kind starts where this one ended; `writeColdStates` gives a guess where there is none.
   */
  solve(
    problem: QpProblem,
    v: Float64Array,
    multipliers: Float64Array,
    states: Int8Array,
    { first = 'active-set', sameMatrix = false }: QpOptions = {},
  ): QpReport {
    const { size } = problem.matrix;
    const { count } = problem.rows;
    this.#scales.load(problem);
    checkRoom('v', v, size);
    checkRoom('multipliers', multipliers, count);
    checkRoom('states', states, count);
    return this.#solve(
      v.subarray(0, size),
      multipliers.subarray(0, count),
      states.subarray(0, count),
      first,
      sameMatrix,
    );
  }

  #solve(
    v: Float64Array,
    multipliers: Float64Array,
    states: Int8Array,
    first: 'active-set' | 'interior-point',
    sameMatrix: boolean,
  ): QpReport {
    const scales = this.#scales;
    this.#prepare(scales, states, sameMatrix);
    let outcome: ActiveSetOutcome = 'stuck';
    const report = this.report;
    if (first === 'active-set') {
      outcome = this.#runActiveSet(scales, v, multipliers, states);
      report.method = 'active-set';
    }
    if (outcome === 'stuck') outcome = this.#runInterior(scales, v, multipliers, states);
    if (outcome === 'stuck' && report.residual.primal > SOLVED) outcome = this.#searchContradiction(scales);
    this.#conclude(scales, outcome, v, multipliers, states);
    return report;
  }

  #prepare(scales: QpScales, states: Int8Array, sameMatrix: boolean): void {
    const { matrix, rows, lower, upper } = scales.problem;
    if (this.#scratch.length !== matrix.size) this.#scratch = new Float64Array(matrix.size);
    if (this.redundant.length !== rows.count) this.redundant = new Uint8Array(rows.count);
    this.#system.load(scales, sameMatrix);
    this.#activeSet.load(scales);
    this.#interior.load(scales);
    for (let r = 0; r < rows.count; r++) {
      if (states[r] === AT_LOWER && lower[r] === Number.NEGATIVE_INFINITY) states[r] = HELD;
      if (states[r] === AT_UPPER && upper[r] === Number.POSITIVE_INFINITY) states[r] = HELD;
      if (lower[r] === upper[r]) states[r] = AT_LOWER;
    }
    this.report.proof = NOTHING;
    this.report.reason = '';
  }

  /** 'solved' only where it was measured. */
  #runActiveSet(scales: QpScales, v: Float64Array, multipliers: Float64Array, states: Int8Array): ActiveSetOutcome {
    const outcome = this.#activeSet.run(states, v, multipliers);
    this.report.proof = outcome === 'infeasible' || outcome === 'unbounded' ? this.#activeSet.proof : NOTHING;
    if (outcome !== 'solved') return outcome;
    this.#clamp(scales.problem, multipliers);
    return this.#measure(scales, v, multipliers) <= SOLVED ? 'solved' : 'stuck';
  }

  #runInterior(scales: QpScales, v: Float64Array, multipliers: Float64Array, states: Int8Array): ActiveSetOutcome {
    const { report } = this;
    const interior = this.#interior;
    const found = interior.run(v, multipliers);
    report.method = 'interior-point';
    report.proof = interior.proof;
    if (found === 'infeasible' || found === 'unbounded') return found;
    interior.writeStates(states);
    const vInterior = v.slice();
    const multipliersInterior = multipliers.slice();
    const statesInterior = states.slice();
    const outcome = this.#runActiveSet(scales, v, multipliers, states);
    if (outcome !== 'stuck') {
      report.method = 'polished';
      return outcome;
    }
    v.set(vInterior);
    multipliers.set(multipliersInterior);
    states.set(statesInterior);
    return this.#measure(scales, v, multipliers) <= SOLVED ? 'solved' : 'stuck';
  }

  #searchContradiction(scales: QpScales): ActiveSetOutcome {
    const proof = findInfeasibilityProof(scales, new QpSolver());
    if (proof === undefined) return 'stuck';
    this.report.proof = proof;
    return 'infeasible';
  }

  #measure(scales: QpScales, v: Float64Array, multipliers: Float64Array): number {
    return writeQpResidual(scales, v, multipliers, this.#scratch, this.report.residual);
  }

  #clamp({ rows, lower, upper }: QpProblem, multipliers: Float64Array): void {
    for (let r = 0; r < rows.count; r++) multipliers[r] = Math.min(upper[r], Math.max(lower[r], multipliers[r]));
  }

  #conclude(
    scales: QpScales,
    outcome: ActiveSetOutcome,
    v: Float64Array,
    multipliers: Float64Array,
    states: Int8Array,
  ): void {
    const { report } = this;
    const { kkt } = this.#system;
    report.error = this.#measure(scales, v, multipliers);
    report.factorizations = this.#system.factorizations;
    report.analyses = kkt.analyses;
    report.updatedRows = this.#system.updates;
    report.activeSetSteps = this.#activeSet.steps;
    report.interiorSteps = this.#interior.steps;
    report.heldRows = report.redundantRows = 0;
    for (let r = 0; r < states.length; r++) {
      if (states[r] === HELD) report.heldRows++;
      report.redundantRows += this.redundant[r] = states[r] === HELD ? kkt.dependent[r] : this.#activeSet.excess[r];
    }
    const convex = kkt.report.positive + kkt.report.uncertain >= scales.problem.matrix.size;
    report.status = outcome === 'stuck' || (outcome === 'solved' && !convex) ? 'failed' : outcome;
    report.reason = describe(report, convex);
  }
}

function checkRoom(name: string, list: ArrayLike<number>, needed: number): void {
  if (list.length < needed) throw new RangeError(`QpSolver: ${name} has ${list.length} entries; ${needed} are needed.`);
}

function describe({ status, error }: QpReport, convex: boolean): string {
  if (status === 'solved') return '';
  if (status === 'infeasible')
    return 'The constraints contradict each other: Gᵀy = 0 and tᵀy > 0 for the y in `proof`.';
  if (status === 'unbounded') return 'The objective is unbounded below along the direction in `proof`.';
  if (!convex)
    return 'The matrix is not positive semi-definite on the null space of the constraints; the problem must be convex.';
  if (Number.isNaN(error)) return 'A number of the problem is not finite.';
  return `The best point found has a scaled residual of ${error.toExponential(1)}; 1e-9 was required.`;
}

/** The guess where none is known: equalities and boxes hold, inequalities do not. */
export function writeColdStates({ rows, lower, upper }: QpProblem, states: Int8Array): void {
  for (let r = 0; r < rows.count; r++) {
    const below = lower[r] > Number.NEGATIVE_INFINITY;
    const above = upper[r] < Number.POSITIVE_INFINITY;
    states[r] = below === above ? HELD : below ? AT_LOWER : AT_UPPER;
  }
}

/** One problem, once, from a cold start. Keep a `QpSolver` where problems of the same pattern follow. */
export function solveQp(
  problem: QpProblem,
  options?: QpOptions,
): { v: Float64Array; multipliers: Float64Array; states: Int8Array; report: QpReport } {
  const v = new Float64Array(problem.matrix.size);
  const multipliers = new Float64Array(problem.rows.count);
  const states = new Int8Array(problem.rows.count);
  writeColdStates(problem, states);
  const report = new QpSolver().solve(problem, v, multipliers, states, options);
  return { v, multipliers, states, report };
}
