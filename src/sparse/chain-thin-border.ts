/**
 * The border of `BorderedChain` where it is thin: W = L⁻¹ B is kept, so that no column is solved back.
 *     S = C − Wᵀ D⁻¹ W      y = S⁻¹ (s − Wᵀ D⁻¹ z)      x = L⁻ᵀ D⁻¹ (z − W y)      z = L⁻¹ r,   A = L D Lᵀ
 */
import type { BlockBanded } from './chain.ts';
import type { BorderColumns } from './chain-border-columns.ts';

export class ThinBorder {
  #chains: readonly BlockBanded[] = [];
  #offsets: Int32Array = new Int32Array(1);
  #width = 0;
  #unknowns = 0;
  /** W, one column after another. */
  #forward = new Float64Array(0);
  /** Diagonal of D⁻¹. */
  #inverse = new Float64Array(0);
  /** The first unknown of each chain in which a column is not zero, columns one after another; the end of the chain if none. */
  #first = new Int32Array(0);

  /** Lower triangle of S, row-major. Chains must be factored; `entryChain` says which chain each entry of B is in. */
  writeSchur(
    chains: readonly BlockBanded[],
    offsets: Int32Array,
    columns: BorderColumns,
    entryChain: Int32Array,
    corner: Float64Array,
    schur: Float64Array,
  ): void {
    const m = columns.count;
    this.#chains = chains;
    this.#offsets = offsets;
    this.#width = m;
    this.#unknowns = offsets[chains.length];
    if (this.#forward.length < m * this.#unknowns) this.#forward = new Float64Array(m * this.#unknowns);
    if (this.#inverse.length < this.#unknowns) this.#inverse = new Float64Array(this.#unknowns);
    if (this.#first.length < m * chains.length) this.#first = new Int32Array(m * chains.length);
    for (let c = 0; c < chains.length; c++) chains[c].writeInversePivots(this.#inverse, offsets[c]);
    for (let j = 0; j < m; j++) this.#writeColumn(columns, entryChain, j);
    for (let j = 0; j < m; j++)
      for (let i = 0; i <= j; i++) schur[j * m + i] = corner[j * m + i] - this.#multiply(i, j);
  }

  /** Column j of W, in the chains that it touches. */
  #writeColumn(columns: BorderColumns, entryChain: Int32Array, j: number): void {
    const { starts, rows, values } = columns;
    const chains = this.#chains;
    const offsets = this.#offsets;
    const at = j * this.#unknowns;
    const of = j * chains.length;
    for (let c = 0; c < chains.length; c++) this.#first[of + c] = offsets[c + 1];
    for (let e = starts[j]; e < starts[j + 1]; e++) {
      const c = entryChain[e];
      const { size } = chains[c];
      const block = offsets[c] + Math.floor((rows[e] - offsets[c]) / size) * size;
      if (block < this.#first[of + c]) this.#first[of + c] = block;
    }
    for (let c = 0; c < chains.length; c++) this.#forward.fill(0, at + this.#first[of + c], at + offsets[c + 1]);
    for (let e = starts[j]; e < starts[j + 1]; e++) this.#forward[at + rows[e]] += values[e];
    for (let c = 0; c < chains.length; c++) {
      const first = this.#first[of + c];
      if (first < offsets[c + 1])
        chains[c].solveForward(this.#forward, at + offsets[c], (first - offsets[c]) / chains[c].size);
    }
  }

  /** Entry (i, j) of Wᵀ D⁻¹ W. */
  #multiply(i: number, j: number): number {
    const W = this.#forward;
    const inverse = this.#inverse;
    const n = this.#chains.length;
    let sum = 0;
    for (let c = 0; c < n; c++) {
      const end = this.#offsets[c + 1];
      const first = Math.max(this.#first[i * n + c], this.#first[j * n + c]);
      for (let k = first, a = i * this.#unknowns + first, b = j * this.#unknowns + first; k < end; k++, a++, b++)
        sum += W[a] * inverse[k] * W[b];
    }
    return sum;
  }

  /** x ← L⁻¹ x, y ← y − Wᵀ D⁻¹ x. */
  beginSolve(x: Float64Array, y: Float64Array): void {
    const W = this.#forward;
    const inverse = this.#inverse;
    const n = this.#chains.length;
    for (let c = 0; c < n; c++) this.#chains[c].solveForward(x, this.#offsets[c], 0);
    for (let j = 0; j < this.#width; j++) {
      let sum = 0;
      for (let c = 0; c < n; c++) {
        const end = this.#offsets[c + 1];
        const first = this.#first[j * n + c];
        for (let k = first, a = j * this.#unknowns + first; k < end; k++, a++) sum += W[a] * inverse[k] * x[k];
      }
      y[j] -= sum;
    }
  }

  /** x ← L⁻ᵀ D⁻¹ (x − W y). */
  endSolve(x: Float64Array, y: Float64Array): void {
    const W = this.#forward;
    const n = this.#chains.length;
    for (let c = 0; c < n; c++) {
      const end = this.#offsets[c + 1];
      for (let j = 0; j < this.#width; j++) {
        const first = this.#first[j * n + c];
        const weight = y[j];
        for (let k = first, a = j * this.#unknowns + first; k < end; k++, a++) x[k] -= W[a] * weight;
      }
      this.#chains[c].solveBackward(x, this.#offsets[c]);
    }
  }
}
