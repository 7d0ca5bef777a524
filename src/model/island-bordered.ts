/**
 * An island as chains with a common border: each part by its banded LDLT, the rows and the late coordinates by a dense Schur
 * complement. Border unknowns: the late coordinates of all parts, then one multiplier per row (`island-border.ts`). Reuses its buffers.
 */
import { type BlockBanded, BorderedChain } from '../sparse/index.ts';
import { IslandBorder } from './island-border.ts';
import type { Island } from './islands.ts';
import type { ChainPart, ConstraintRows } from './part.ts';

export interface BorderedOutcome {
  ok: boolean;
  redundantRows: number;
  /** Index of the part that is not positive definite, when not ok. */
  failedPart: number;
}

export class BorderedIsland {
  readonly #solver = new BorderedChain();
  readonly #border = new IslandBorder();
  readonly #chains: BlockBanded[] = [];
  readonly #outcome: BorderedOutcome = { ok: true, redundantRows: 0, failedPart: -1 };
  #x = new Float64Array(0);

  /** Replaces the right-hand sides of the parts by Δ and fills the multipliers of the rows. The outcome is reused. */
  solve(parts: readonly ChainPart[], island: Island, rows: ConstraintRows, width: number): BorderedOutcome {
    const outcome = this.#outcome;
    outcome.ok = true;
    outcome.redundantRows = 0;
    const border = this.#border;
    border.layOut(parts, island, width);
    this.#chains.length = island.parts.length;
    for (let n = 0; n < island.parts.length; n++) {
      const part = parts[island.parts[n]];
      this.#chains[n] = part.matrix;
      border.moveLate(part, island.parts[n], part.matrix, part.rhs, 0, width);
    }
    for (let k = 0; k < island.rows.length; k++) border.addRow(parts, rows, island.rows[k], width);
    // a part alone is solved in place
    const isAlone = island.parts.length === 1;
    if (!isAlone) this.#gather(parts, island);
    const factored = this.#solver.factor(this.#chains, border.columns, border.corner);
    if (!factored.ok) {
      outcome.ok = false;
      outcome.failedPart = island.parts[Math.max(0, factored.failedChain)];
      return outcome;
    }
    outcome.redundantRows = factored.redundantRows;
    this.#solver.solve(isAlone ? parts[island.parts[0]].rhs : this.#x, border.y);
    if (!isAlone) this.#scatter(parts, island);
    this.#scatterLate(parts, island);
    for (let k = 0; k < island.rows.length; k++) rows.multiplier[island.rows[k]] = -border.y[border.late + k];
    return outcome;
  }

  #gather(parts: readonly ChainPart[], island: Island): void {
    if (this.#x.length < this.#border.unknowns) this.#x = new Float64Array(this.#border.unknowns);
    for (let n = 0; n < island.parts.length; n++) {
      const { rhs, matrix } = parts[island.parts[n]];
      const at = this.#border.offset[island.parts[n]];
      for (let i = 0; i < matrix.length; i++) this.#x[at + i] = rhs[i];
    }
  }

  #scatter(parts: readonly ChainPart[], island: Island): void {
    for (let n = 0; n < island.parts.length; n++) {
      const p = island.parts[n];
      const { rhs, matrix } = parts[p];
      for (let i = 0; i < matrix.length; i++) rhs[i] = this.#x[this.#border.offset[p] + i];
    }
  }

  #scatterLate(parts: readonly ChainPart[], island: Island): void {
    for (let n = 0; n < island.parts.length; n++) {
      const p = island.parts[n];
      const { rhs, late } = parts[p];
      for (let k = 0; k < late.length; k++) rhs[late[k]] = this.#border.y[this.#border.border[p] + k];
    }
  }
}
