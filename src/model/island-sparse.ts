/**
 * An island as one general sparse KKT system: for meshes tied to anything, and for chains tied by so many rows that a dense
 * border would cost more. The symbolic factorisation is kept while the parts' patterns and that of the rows stay the same.
 */
import { KktSystem } from '../sparse/index.ts';
import { IslandSystem } from './island-system.ts';
import type { ConstraintRows, Part } from './part.ts';

export class SparseIsland {
  readonly #kkt = new KktSystem();
  readonly #system = new IslandSystem();

  /** Replaces the right-hand sides of the parts by Δ and fills the multipliers of the rows. */
  solve(
    parts: readonly Part[],
    members: readonly number[],
    rowIndices: readonly number[],
    rows: ConstraintRows,
  ): { ok: boolean; redundantRows: number } {
    const system = this.#system;
    const matrix = system.loadParts(parts, members);
    this.#kkt.factor(matrix, system.loadRows(rowIndices, rows));
    const report = this.#kkt.solve(system.force, system.targets, system.v, system.multipliers);
    system.returnSolution(parts, members);
    for (let k = 0; k < rowIndices.length; k++) rows.multiplier[rowIndices[k]] = -system.multipliers[k];
    return { ok: report.ok, redundantRows: report.dependentRows };
  }
}
