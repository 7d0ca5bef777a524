/**
 * An island some of whose rows have bounds (contact, dry friction), as the convex quadratic problem of `sparse/qp-problem.ts`:
 *     A Δ − r = Gᵀ λ,   lo ≤ λ ≤ hi,   s = G Δ − residual + c λ:   s > 0 ⇒ λ = lo,  s < 0 ⇒ λ = hi
 * λ of the quadratic solver is the impulse along the row, as `ConstraintRows.multiplier` is. It starts from the states that the
 * rows bring and leaves there those it found.
 */
import { type QpReport, QpSolver } from '../sparse/index.ts';
import { IslandSystem } from './island-system.ts';
import type { ConstraintRows, Part } from './part.ts';

export class QpIsland {
  readonly #solver = new QpSolver();
  readonly #system = new IslandSystem();
  #lower = new Float64Array(0);
  #upper = new Float64Array(0);
  #states = new Int8Array(0);

  /** Where solved, the right-hand sides of the parts are Δ, multipliers and states of the rows are filled. The report is the solver's own. */
  solve(
    parts: readonly Part[],
    members: readonly number[],
    rowIndices: readonly number[],
    rows: ConstraintRows,
  ): QpReport {
    const system = this.#system;
    const matrix = system.loadParts(parts, members);
    const sparse = system.loadRows(rowIndices, rows);
    this.#loadBounds(rowIndices, rows);
    const report = this.#solver.solve(
      {
        matrix,
        rows: sparse,
        force: system.force,
        target: system.targets,
        lower: this.#lower,
        upper: this.#upper,
      },
      system.v,
      system.multipliers,
      this.#states,
    );
    if (report.status !== 'solved') return report;
    system.returnSolution(parts, members);
    for (let k = 0; k < rowIndices.length; k++) {
      rows.multiplier[rowIndices[k]] = system.multipliers[k];
      rows.state[rowIndices[k]] = this.#states[k];
    }
    return report;
  }

  #loadBounds(rowIndices: readonly number[], rows: ConstraintRows): void {
    if (this.#lower.length < rowIndices.length) {
      this.#lower = new Float64Array(rowIndices.length);
      this.#upper = new Float64Array(rowIndices.length);
      this.#states = new Int8Array(rowIndices.length);
    }
    for (let k = 0; k < rowIndices.length; k++) {
      this.#lower[k] = rows.lower[rowIndices[k]];
      this.#upper[k] = rows.upper[rowIndices[k]];
      this.#states[k] = rows.state[rowIndices[k]];
    }
  }
}
