/**
 * The border of `BorderedChain` where it is thin: W = L⁻¹ B is kept, so that no column is solved back.
 *     S = C − Wᵀ D⁻¹ W      y = S⁻¹ (s − Wᵀ D⁻¹ z)      x = L⁻ᵀ D⁻¹ (z − W y)      z = L⁻¹ r,   A = L D Lᵀ
 * Columns go by threes (the last three filled up with zeros): nine sums run side by side where one alone would wait for
 * each of its additions.
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
  /** The first unknown of each chain in which a group of three columns is not zero, group by group; the chain's end if none. */
  #first = new Int32Array(0);
  readonly #sums = new Float64Array(9);

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
    const groups = Math.ceil(m / 3);
    this.#chains = chains;
    this.#offsets = offsets;
    this.#width = m;
    this.#unknowns = offsets[chains.length];
    if (this.#forward.length < 3 * groups * this.#unknowns)
      this.#forward = new Float64Array(3 * groups * this.#unknowns);
    if (this.#inverse.length < this.#unknowns) this.#inverse = new Float64Array(this.#unknowns);
    if (this.#first.length < groups * chains.length) this.#first = new Int32Array(groups * chains.length);
    for (let c = 0; c < chains.length; c++) chains[c].writeInversePivots(this.#inverse, offsets[c]);
    for (let g = 0; g < groups; g++) this.#writeGroup(columns, entryChain, g);
    for (let g = 0; g < groups; g++)
      for (let f = 0; f <= g; f++) {
        this.#multiply(g, f);
        for (let a = 0; a < 3; a++)
          for (let b = 0; b < 3; b++) {
            const [j, i] = [3 * g + a, 3 * f + b];
            if (j < m && i <= j) schur[j * m + i] = corner[j * m + i] - this.#sums[3 * a + b];
          }
      }
  }

  /** Three columns of W, in the chains that they touch. */
  #writeGroup(columns: BorderColumns, entryChain: Int32Array, g: number): void {
    const { starts, rows, values } = columns;
    const chains = this.#chains;
    const offsets = this.#offsets;
    const W = this.#forward;
    const n = this.#unknowns;
    const end = Math.min(3 * g + 3, columns.count);
    const first = g * chains.length;
    for (let c = 0; c < chains.length; c++) this.#first[first + c] = offsets[c + 1];
    for (let e = starts[3 * g]; e < starts[end]; e++) {
      const c = entryChain[e];
      const { size } = chains[c];
      const row = offsets[c] + Math.floor((rows[e] - offsets[c]) / size) * size;
      if (row < this.#first[first + c]) this.#first[first + c] = row;
    }
    for (let j = 3 * g; j < 3 * g + 3; j++) {
      for (let c = 0; c < chains.length; c++) W.fill(0, j * n + this.#first[first + c], j * n + offsets[c + 1]);
      if (j >= end) continue;
      for (let e = starts[j]; e < starts[j + 1]; e++) W[j * n + rows[e]] += values[e];
      for (let c = 0; c < chains.length; c++) {
        const from = this.#first[first + c];
        if (from < offsets[c + 1]) chains[c].solveForward(W, j * n + offsets[c], (from - offsets[c]) / chains[c].size);
      }
    }
  }

  /** Block (g, f) of Wᵀ D⁻¹ W, nine numbers. */
  #multiply(g: number, f: number): void {
    const W = this.#forward;
    const inverse = this.#inverse;
    const chains = this.#chains.length;
    const n = this.#unknowns;
    let [s0, s1, s2, s3, s4, s5, s6, s7, s8] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (let c = 0; c < chains; c++) {
      const end = this.#offsets[c + 1];
      const from = Math.max(this.#first[g * chains + c], this.#first[f * chains + c]);
      for (let k = from, a = 3 * g * n + from, b = 3 * f * n + from; k < end; k++, a++, b++) {
        const d = inverse[k];
        const x = W[a] * d;
        const y = W[a + n] * d;
        const z = W[a + 2 * n] * d;
        const p = W[b];
        const q = W[b + n];
        const r = W[b + 2 * n];
        s0 += x * p;
        s1 += x * q;
        s2 += x * r;
        s3 += y * p;
        s4 += y * q;
        s5 += y * r;
        s6 += z * p;
        s7 += z * q;
        s8 += z * r;
      }
    }
    const out = this.#sums;
    out[0] = s0;
    out[1] = s1;
    out[2] = s2;
    out[3] = s3;
    out[4] = s4;
    out[5] = s5;
    out[6] = s6;
    out[7] = s7;
    out[8] = s8;
  }

  /** x ← L⁻¹ x, y ← y − Wᵀ D⁻¹ x. */
  beginSolve(x: Float64Array, y: Float64Array): void {
    const W = this.#forward;
    const inverse = this.#inverse;
    const chains = this.#chains.length;
    const n = this.#unknowns;
    for (let c = 0; c < chains; c++) this.#chains[c].solveForward(x, this.#offsets[c], 0);
    for (let j = 0, g = 0; j < this.#width; j += 3, g++) {
      let [s0, s1, s2] = [0, 0, 0];
      for (let c = 0; c < chains; c++) {
        const end = this.#offsets[c + 1];
        const from = this.#first[g * chains + c];
        for (let k = from, a = j * n + from; k < end; k++, a++) {
          const z = x[k] * inverse[k];
          s0 += W[a] * z;
          s1 += W[a + n] * z;
          s2 += W[a + 2 * n] * z;
        }
      }
      y[j] -= s0;
      if (j + 1 < this.#width) y[j + 1] -= s1;
      if (j + 2 < this.#width) y[j + 2] -= s2;
    }
  }

  /** x ← L⁻ᵀ D⁻¹ (x − W y). */
  endSolve(x: Float64Array, y: Float64Array): void {
    const W = this.#forward;
    const chains = this.#chains.length;
    const n = this.#unknowns;
    for (let c = 0; c < chains; c++) {
      const end = this.#offsets[c + 1];
      for (let j = 0, g = 0; j < this.#width; j += 3, g++) {
        const y0 = y[j];
        const y1 = j + 1 < this.#width ? y[j + 1] : 0;
        const y2 = j + 2 < this.#width ? y[j + 2] : 0;
        const from = this.#first[g * chains + c];
        for (let k = from, a = j * n + from; k < end; k++, a++) x[k] -= W[a] * y0 + W[a + n] * y1 + W[a + 2 * n] * y2;
      }
      this.#chains[c].solveBackward(x, this.#offsets[c]);
    }
  }
}
