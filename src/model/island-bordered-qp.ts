/**
 * An island of chains some of whose rows have bounds: the problem of `island-qp.ts`, in the multipliers alone.
 *     S = G A⁻¹ Gᵀ + c,   b = residual − G A⁻¹ r,   minimise ½ λᵀS λ − bᵀλ, lo ≤ λ ≤ hi   (`sparse/qp-dense.ts`),   Δ = A⁻¹ (r + Gᵀ λ)
 * A is factored once, as chains. What comes out is measured against the parts as they were assembled, by the scaled residuals of the sparse solver
 * (`docs/internals/qp.md`): where rounding in S shows, the problem is solved again with b corrected by the gaps that Δ has; where that does not help, where A is
 * not definite without the rows, or where rows contradict each other, the parts are left as they were for the sparse solver.
 */
import {
  addRowForces,
  computeGap,
  DenseBoxQp,
  type MeasuredProblem,
  type QpResidual,
  QpScales,
  writeQpResidual,
} from '../sparse/index.ts';
import { ChainsInverse } from './chains-inverse.ts';
import { IslandBorder } from './island-border.ts';
import { IslandChains } from './island-chains.ts';
import { IslandRows } from './island-rows.ts';
import type { Island } from './islands.ts';
import type { ChainPart, ConstraintRows } from './part.ts';

export interface BorderedQpOutcome {
  /** Solved to 1e-9; otherwise nothing has changed. */
  ok: boolean;
  /** Whether A is, without the rows. */
  isDefinite: boolean;
  /** Largest scaled residual. */
  error: number;
  redundantRows: number;
  /** Linear systems of the active set. */
  steps: number;
}

const SOLVED = 1e-9;
/** An error above this is worth another round. */
const GOOD = 1e-10;
const MOST_ROUNDS = 4;

export class BorderedQpIsland {
  readonly #border = new IslandBorder();
  readonly #inverse = new ChainsInverse();
  readonly #rows = new IslandRows();
  readonly #matrix = new IslandChains();
  readonly #qp = new DenseBoxQp();
  readonly #scales = new QpScales<MeasuredProblem>();
  readonly #residual: QpResidual = { stationarity: 0, primal: 0, dual: 0, complementarity: 0 };
  readonly #outcome: BorderedQpOutcome = { ok: false, isDefinite: true, error: 0, redundantRows: 0, steps: 0 };
  #force = new Float64Array(0);
  #x = new Float64Array(0);
  #scratch = new Float64Array(0);
  #b = new Float64Array(0);
  #problem: MeasuredProblem | undefined;

  /** Where ok, the right-hand sides of the parts are Δ, multipliers and states of the rows are filled. The outcome is reused. */
  solve(parts: readonly ChainPart[], island: Island, rows: ConstraintRows, width: number): BorderedQpOutcome {
    const outcome = this.#outcome;
    outcome.ok = false;
    outcome.steps = outcome.redundantRows = 0;
    this.#load(parts, island, rows, width);
    outcome.isDefinite = this.#inverse.factor(width);
    if (!outcome.isDefinite) return outcome;
    this.#scales.load(this.#describe());
    this.#startB();
    outcome.ok = this.#iterate();
    if (!outcome.ok) return outcome;
    for (let n = 0; n < island.parts.length; n++) {
      const { rhs, matrix } = parts[island.parts[n]];
      const at = this.#border.offset[island.parts[n]];
      for (let i = 0; i < matrix.length; i++) rhs[i] = this.#x[at + i];
    }
    this.#rows.writeBack(island.rows, rows);
    return outcome;
  }

  #load(parts: readonly ChainPart[], island: Island, rows: ConstraintRows, width: number): void {
    const border = this.#border;
    border.layOut(parts, island, width);
    this.#reserve(border.unknowns, island.rows.length);
    for (let n = 0; n < island.parts.length; n++) {
      const { rhs, matrix } = parts[island.parts[n]];
      const at = border.offset[island.parts[n]];
      for (let i = 0; i < matrix.length; i++) this.#x[at + i] = this.#force[at + i] = rhs[i];
    }
    this.#inverse.load(parts, island, border, this.#x, width);
    for (let k = 0; k < island.rows.length; k++) border.addRow(parts, rows, island.rows[k], width);
    this.#rows.load(island.rows, rows, border.offset);
    this.#matrix.load(parts, island.parts, border.offset, border.unknowns);
  }

  #reserve(unknowns: number, count: number): void {
    if (this.#force.length < unknowns) {
      this.#force = new Float64Array(unknowns);
      this.#x = new Float64Array(unknowns);
      this.#scratch = new Float64Array(unknowns);
    }
    if (this.#b.length < count) {
      this.#b = new Float64Array(2 * count);
      this.#scales.stopped = new Float64Array(2 * count);
    }
  }

  /** Anew only where arrays have grown. */
  #describe(): MeasuredProblem {
    const { target, lower, upper } = this.#rows;
    if (this.#problem?.target !== target || this.#problem.force !== this.#force)
      this.#problem = { matrix: this.#matrix, rows: this.#rows, force: this.#force, target, lower, upper };
    return this.#problem;
  }

  /** b = residual − G A⁻¹ r */
  #startB(): void {
    const x = this.#x;
    for (let i = 0; i < this.#border.unknowns; i++) x[i] = this.#force[i];
    this.#inverse.apply(x);
    for (let r = 0; r < this.#rows.count; r++) this.#b[r] = -computeGap(this.#describe(), r, x, 0);
  }

  #iterate(): boolean {
    const outcome = this.#outcome;
    const { count, lower, upper, multipliers, states } = this.#rows;
    this.#qp.load(this.#inverse.schur, count);
    outcome.error = Number.POSITIVE_INFINITY;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const report = this.#qp.solve(this.#b, lower, upper, multipliers, states);
      outcome.steps += report.steps;
      outcome.redundantRows = report.redundantRows;
      if (!report.ok) return false;
      const before = outcome.error;
      outcome.error = this.#measure();
      if (outcome.error <= GOOD) return true;
      if (!(outcome.error < 0.5 * before)) break;
      if (round + 1 < MOST_ROUNDS) this.#correctB();
    }
    return outcome.error <= SOLVED;
  }

  /** Writes Δ for the present λ; returns the largest scaled residual. */
  #measure(): number {
    const x = this.#x;
    const { count, multipliers } = this.#rows;
    for (let r = 0; r < count; r++) this.#scales.stopped[r] = this.#qp.computeScale(r);
    for (let i = 0; i < this.#border.unknowns; i++) x[i] = this.#force[i];
    addRowForces(this.#rows, multipliers, x);
    this.#inverse.apply(x);
    return writeQpResidual(this.#scales, x, multipliers, this.#scratch, this.#residual);
  }

  /** b such that S λ − b is the gap that Δ has. */
  #correctB(): void {
    const S = this.#inverse.schur;
    const { count, multipliers } = this.#rows;
    for (let r = 0; r < count; r++) {
      let sum = -computeGap(this.#describe(), r, this.#x, multipliers[r]);
      for (let k = 0; k < count; k++) sum += S[r * count + k] * multipliers[k];
      this.#b[r] = sum;
    }
  }
}
