/**
 * An island as chains with a common border: each part by its banded LDLT, the rows and the late coordinates by a dense Schur
 * complement. Border unknowns: the late coordinates of all parts, then one multiplier per row. Reuses its buffers.
 */
import { type BlockBanded, BorderColumns, BorderedChain } from '../sparse/index.ts';
import { cancelCoordinate } from './cancel.ts';
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
  readonly #columns = new BorderColumns();
  readonly #chains: BlockBanded[] = [];
  readonly #outcome: BorderedOutcome = { ok: true, redundantRows: 0, failedPart: -1 };
  /** First unknown of a part among the chains, and its first border unknown, by index of the part. */
  #offset = new Int32Array(0);
  #border = new Int32Array(0);
  #corner = new Float64Array(0);
  #x = new Float64Array(0);
  #y = new Float64Array(0);

  /** Replaces the right-hand sides of the parts by Δ and fills the multipliers of the rows. The outcome is reused. */
  solve(parts: readonly ChainPart[], island: Island, rows: ConstraintRows, width: number): BorderedOutcome {
    const outcome = this.#outcome;
    outcome.ok = true;
    outcome.redundantRows = 0;
    const lateCount = this.#layOut(parts, island, width);
    for (let n = 0; n < island.parts.length; n++) this.#moveLate(parts[island.parts[n]], island.parts[n], width);
    for (let k = 0; k < island.rows.length; k++) this.#addRow(parts, rows, island.rows[k], width);
    // a part alone is solved in place
    const isAlone = island.parts.length === 1;
    if (!isAlone) this.#gather(parts, island);
    const factored = this.#solver.factor(this.#chains, this.#columns, this.#corner);
    if (!factored.ok) {
      outcome.ok = false;
      outcome.failedPart = island.parts[Math.max(0, factored.failedChain)];
      return outcome;
    }
    outcome.redundantRows = factored.redundantRows;
    this.#solver.solve(isAlone ? parts[island.parts[0]].rhs : this.#x, this.#y);
    if (!isAlone) this.#scatter(parts, island);
    this.#scatterLate(parts, island);
    for (let k = 0; k < island.rows.length; k++) rows.multiplier[island.rows[k]] = -this.#y[lateCount + k];
    return outcome;
  }

  /** Places of the parts in the concatenated unknowns; returns the number of late coordinates. */
  #layOut(parts: readonly ChainPart[], island: Island, width: number): number {
    if (this.#offset.length < parts.length) {
      this.#offset = new Int32Array(parts.length);
      this.#border = new Int32Array(parts.length);
    }
    this.#columns.clear();
    this.#chains.length = island.parts.length;
    let unknowns = 0;
    let border = 0;
    for (let n = 0; n < island.parts.length; n++) {
      const p = island.parts[n];
      this.#chains[n] = parts[p].matrix;
      this.#offset[p] = unknowns;
      this.#border[p] = border;
      unknowns += parts[p].matrix.length;
      border += parts[p].late.length;
    }
    if (this.#corner.length < width * width) this.#corner = new Float64Array(width * width);
    if (this.#y.length < width) this.#y = new Float64Array(width);
    if (this.#x.length < unknowns) this.#x = new Float64Array(unknowns);
    this.#corner.fill(0, 0, width * width);
    return border;
  }

  /** Takes the late coordinates out of a part's chain. */
  #moveLate(part: ChainPart, p: number, width: number): void {
    const { late, matrix, rhs } = part;
    for (let k = 0; k < late.length; k++) {
      const column = this.#columns.beginColumn();
      this.#y[column] = rhs[late[k]];
      this.#copyColumn(part, p, late[k], column, width);
      this.#addLinks(part, p, late[k], column, width);
    }
    for (let k = 0; k < late.length; k++) cancelCoordinate(matrix, rhs, late[k]);
  }

  /** Copies a column of the band: into the border where its partner is early, into the corner where it is late too. */
  #copyColumn({ late, matrix }: ChainPart, p: number, coordinate: number, column: number, width: number): void {
    const { size, bandwidth, bands, blocks } = matrix;
    const block = Math.floor(coordinate / size);
    const c = coordinate % size;
    for (let other = Math.max(0, block - bandwidth); other <= Math.min(blocks - 1, block + bandwidth); other++) {
      const band = bands[Math.abs(other - block)];
      const first = Math.min(other, block) * size * size;
      for (let r = 0; r < size; r++) {
        // bands[k] holds (row node i + k, column node i); above the diagonal read it transposed
        const value = band[first + (other >= block ? r * size + c : c * size + r)];
        const row = other * size + r;
        const partner = late.indexOf(row);
        if (partner < 0) this.#columns.addEntry(this.#offset[p] + row, value);
        else this.#corner[(this.#border[p] + partner) * width + column] += value;
      }
    }
  }

  /** Adds what couples a late coordinate to others outside the band. */
  #addLinks({ late, links }: ChainPart, p: number, coordinate: number, column: number, width: number): void {
    for (let e = 0; e < links.count; e++) {
      if (links.row[e] !== coordinate && links.column[e] !== coordinate) continue;
      const other = links.row[e] === coordinate ? links.column[e] : links.row[e];
      const partner = late.indexOf(other);
      if (partner < 0) this.#columns.addEntry(this.#offset[p] + other, links.value[e]);
      else this.#corner[(this.#border[p] + partner) * width + column] += links.value[e];
    }
  }

  #addRow(parts: readonly ChainPart[], rows: ConstraintRows, row: number, width: number): void {
    const column = this.#columns.beginColumn();
    this.#y[column] = rows.residual[row];
    this.#corner[column * width + column] = -rows.compliance[row];
    for (let e = rows.start[row]; e < rows.start[row + 1]; e++) {
      const p = rows.part[e];
      const partner = parts[p].late.indexOf(rows.coordinate[e]);
      if (partner < 0) this.#columns.addEntry(this.#offset[p] + rows.coordinate[e], rows.value[e]);
      else {
        this.#corner[column * width + this.#border[p] + partner] += rows.value[e];
        this.#corner[(this.#border[p] + partner) * width + column] += rows.value[e];
      }
    }
  }

  #gather(parts: readonly ChainPart[], island: Island): void {
    for (let n = 0; n < island.parts.length; n++) {
      const { rhs, matrix } = parts[island.parts[n]];
      const at = this.#offset[island.parts[n]];
      for (let i = 0; i < matrix.length; i++) this.#x[at + i] = rhs[i];
    }
  }

  #scatter(parts: readonly ChainPart[], island: Island): void {
    for (let n = 0; n < island.parts.length; n++) {
      const p = island.parts[n];
      const { rhs, matrix } = parts[p];
      for (let i = 0; i < matrix.length; i++) rhs[i] = this.#x[this.#offset[p] + i];
    }
  }

  #scatterLate(parts: readonly ChainPart[], island: Island): void {
    for (let n = 0; n < island.parts.length; n++) {
      const p = island.parts[n];
      const { rhs, late } = parts[p];
      for (let k = 0; k < late.length; k++) rhs[late[k]] = this.#y[this.#border[p] + k];
    }
  }
}
