/**
 * Numeric supernodal factorisation P A Pᵀ = L D Lᵀ (left-looking) and its triangular solves. D is diagonal and may have both signs,
 * L is unit lower triangular; pivots are scalars also inside blocks, so no block is ever inverted.
 *
 * For quasi-definite matrices every order works without pivoting (R. Vanderbei, SIAM J. Optim. 5, 1995). A pivot that is lost in rounding is
 * replaced:   d_j = a_jj − Σ l_jk² d_k,   m_j = |a_jj| + Σ l_jk² |d_k|;   |d_j| ≤ tolerance·m_j   →   d_j = ±replacement·m_j.
 * The comparison with m_j makes the rule independent of units and scaling. Iterative refinement by the caller undoes the perturbation.
 * After construction nothing is allocated.
 */
import { finishRows, multiplyPanels, multiplyRows, subtractRows } from './panel-kernels.ts';
import type { SymbolicFactor } from './symbolic.ts';

/** How pivots that are lost in rounding are treated; indexed by scalar row of the unpermuted matrix. */
export interface PivotRule {
  /** A pivot below tolerance × (sum of the magnitudes that formed it) counts as zero. */
  readonly tolerance: number;
  /** What a zero pivot becomes, as a multiple of that sum: small keeps the row in play, huge takes its unknown out (it becomes 0). */
  readonly replacement: number;
  /** The same for pivots whose expected sign is negative. */
  readonly negativeReplacement: number;
  /** Expected signs (+1, −1) of the pivots, used only to replace lost ones; absent: a lost pivot keeps the sign it has. */
  readonly signs?: Int8Array;
}

export class SupernodalFactor {
  readonly symbolic: SymbolicFactor;
  /** Of the last `factor`: number of positive, negative and replaced pivots; smallest |d_j| / m_j before replacement. */
  positive = 0;
  negative = 0;
  replaced = 0;
  smallestPivot = 0;
  /** Kept pivots of another sign than expected, but smaller than 1e-9 m_j: rounding may have turned them. */
  uncertain = 0;
  /** 1 where the pivot of a scalar row of the unpermuted matrix was replaced. */
  readonly replacedRows: Uint8Array;

  #emptyScale = 1;
  readonly #values: Float64Array;
  readonly #pivot: Float64Array;
  readonly #inverse: Float64Array;
  readonly #magnitude: Float64Array;
  readonly #scalarOrder: Int32Array; // unpermuted scalar of each scalar in elimination order
  readonly #slotTarget: Int32Array; // where slot's block starts in #values; ~target where it is stored transposed
  readonly #slotValue: Int32Array;
  readonly #slotWidth: Int32Array;
  readonly #scaled: Float64Array;
  readonly #update: Float64Array;
  readonly #below: Float64Array;
  readonly #rowInPanel: Int32Array;
  readonly #columnTarget: Int32Array;
  readonly #listHead: Int32Array;
  readonly #listNext: Int32Array;
  readonly #progress: Int32Array;
  readonly #permuted: Float64Array;

  constructor(symbolic: SymbolicFactor) {
    this.symbolic = symbolic;
    const { size, pattern, panelStart, superStart } = symbolic;
    const count = superStart.length - 1;
    this.#values = new Float64Array(panelStart[count]);
    this.#pivot = new Float64Array(size);
    this.#inverse = new Float64Array(size);
    this.#magnitude = new Float64Array(size);
    this.replacedRows = new Uint8Array(size);
    this.#scalarOrder = new Int32Array(size);
    this.#slotTarget = new Int32Array(pattern.slots);
    this.#slotValue = new Int32Array(pattern.slots + 1);
    this.#slotWidth = new Int32Array(pattern.slots);
    this.#scaled = new Float64Array(symbolic.widest * symbolic.widest);
    this.#update = new Float64Array(symbolic.largestUpdate);
    this.#below = new Float64Array(symbolic.tallest);
    this.#rowInPanel = new Int32Array(pattern.n);
    this.#columnTarget = new Int32Array(symbolic.widest);
    this.#listHead = new Int32Array(count);
    this.#listNext = new Int32Array(count);
    this.#progress = new Int32Array(count);
    this.#permuted = new Float64Array(size);
    this.#mapScalars();
    this.#mapSlots();
  }

  #mapScalars(): void {
    const { pattern, sizes, order, scalarStart } = this.symbolic;
    const start = new Int32Array(pattern.n + 1);
    for (let i = 0; i < pattern.n; i++) start[i + 1] = start[i] + sizes[i];
    for (let k = 0; k < pattern.n; k++) {
      for (let c = 0; c < sizes[order[k]]; c++) this.#scalarOrder[scalarStart[k] + c] = start[order[k]] + c;
    }
  }

  #mapSlots(): void {
    const { pattern, sizes, order, scalarStart, superStart, superOf, rowStart, rows, rowOffset, panelStart } =
      this.symbolic;
    const position = new Int32Array(pattern.n);
    for (let k = 0; k < pattern.n; k++) position[order[k]] = k;
    for (let j = 0; j < pattern.n; j++) {
      for (let slot = pattern.columnStart[j]; slot < pattern.columnStart[j + 1]; slot++) {
        const i = pattern.rows[slot];
        const row = Math.max(position[i], position[j]);
        const column = Math.min(position[i], position[j]);
        const s = superOf[column];
        let low = rowStart[s];
        let high = rowStart[s + 1] - 1;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (rows[middle] < row) low = middle + 1;
          else high = middle;
        }
        const width = scalarStart[superStart[s + 1]] - scalarStart[superStart[s]];
        const target = panelStart[s] + rowOffset[low] * width + scalarStart[column] - scalarStart[superStart[s]];
        this.#slotTarget[slot] = position[i] < position[j] ? ~target : target;
        this.#slotWidth[slot] = width;
        this.#slotValue[slot + 1] = this.#slotValue[slot] + sizes[i] * sizes[j];
      }
    }
  }

  /**
   * Factors the matrix whose blocks lie one after another, slot by slot and row by row, in `values`.
   * `emptyScale` stands in for m_j where a row has no entry at all. False where a pivot is not finite: the factor is then unusable.
   */
  factor(values: Float64Array, rule: PivotRule, emptyScale: number): boolean {
    const { superStart, rowStart, rows, superOf } = this.symbolic;
    const count = superStart.length - 1;
    this.positive = this.negative = this.replaced = this.uncertain = 0;
    this.smallestPivot = Number.POSITIVE_INFINITY;
    this.replacedRows.fill(0);
    this.#emptyScale = emptyScale;
    this.#load(values);
    this.#listHead.fill(-1);
    for (let s = 0; s < count; s++) {
      this.#applyDescendants(s);
      if (!this.#factorDiagonal(s, rule)) return false;
      this.#finishPanel(s);
      const below = rowStart[s] + superStart[s + 1] - superStart[s];
      this.#progress[s] = below;
      if (below < rowStart[s + 1]) this.#link(s, superOf[rows[below]]);
    }
    return true;
  }

  #link(s: number, target: number): void {
    this.#listNext[s] = this.#listHead[target];
    this.#listHead[target] = s;
  }

  #load(values: Float64Array): void {
    const { pattern, sizes } = this.symbolic;
    const l = this.#values;
    l.fill(0);
    for (let j = 0; j < pattern.n; j++) {
      const columns = sizes[j];
      for (let slot = pattern.columnStart[j]; slot < pattern.columnStart[j + 1]; slot++) {
        const size = sizes[pattern.rows[slot]];
        const target = this.#slotTarget[slot];
        const transposed = target < 0;
        const rowStep = transposed ? 1 : this.#slotWidth[slot];
        const columnStep = transposed ? this.#slotWidth[slot] : 1;
        let p = transposed ? ~target : target;
        let k = this.#slotValue[slot];
        for (let r = 0; r < size; r++, p += rowStep) {
          for (let c = 0, q = p; c < columns; c++, q += columnStep) l[q] = values[k++];
        }
      }
    }
    const { scalarStart, superStart, panelStart } = this.symbolic;
    for (let s = 0; s + 1 < superStart.length; s++) {
      const from = scalarStart[superStart[s]];
      const width = scalarStart[superStart[s + 1]] - from;
      for (let c = 0; c < width; c++) this.#magnitude[from + c] = Math.abs(l[panelStart[s] + c * width + c]);
    }
  }

  /** Panel s −= the products of all earlier panels that reach its columns. */
  #applyDescendants(s: number): void {
    const { superStart, rowStart, rows, rowOffset, superOf } = this.symbolic;
    const end = superStart[s + 1];
    for (let p = rowStart[s]; p < rowStart[s + 1]; p++) this.#rowInPanel[rows[p]] = rowOffset[p];
    for (let d = this.#listHead[s]; d >= 0; ) {
      const following = this.#listNext[d];
      const p1 = this.#progress[d];
      let p2 = p1 + 1;
      while (p2 < rowStart[d + 1] && rows[p2] < end) p2++;
      this.#applyDescendant(s, d, p1, p2);
      this.#progress[d] = p2;
      if (p2 < rowStart[d + 1]) this.#link(d, superOf[rows[p2]]);
      d = following;
    }
  }

  #applyDescendant(s: number, d: number, p1: number, p2: number): void {
    const { scalarStart, superStart, rowStart, rowOffset, panelStart } = this.symbolic;
    const l = this.#values;
    const scaled = this.#scaled;
    const from = scalarStart[superStart[d]];
    const depth = scalarStart[superStart[d + 1]] - from;
    const height = (panelStart[d + 1] - panelStart[d]) / depth;
    const top = rowOffset[p1];
    const columns = (p2 < rowStart[d + 1] ? rowOffset[p2] : height) - top;
    const base = panelStart[d] + top * depth;
    for (let j = 0, q = 0; j < columns; j++) {
      for (let k = 0; k < depth; k++, q++) scaled[q] = l[base + q] * this.#pivot[from + k];
    }
    multiplyPanels(this.#update, l, base, scaled, height - top, columns, depth);
    this.#subtractUpdate(s, d, p1, p2, columns);
  }

  #subtractUpdate(s: number, d: number, p1: number, p2: number, columns: number): void {
    const { scalarStart, superStart, rowStart, rows, panelStart } = this.symbolic;
    const l = this.#values;
    const update = this.#update;
    const columnTarget = this.#columnTarget;
    const width = scalarStart[superStart[s + 1]] - scalarStart[superStart[s]];
    const origin = scalarStart[superStart[s]];
    let column = 0;
    for (let p = p1; p < p2; p++) {
      for (let c = scalarStart[rows[p]]; c < scalarStart[rows[p] + 1]; c++) columnTarget[column++] = c - origin;
    }
    const contiguous = columnTarget[columns - 1] - columnTarget[0] === columns - 1;
    const stop = rowStart[d + 1];
    let row = 0;
    for (let p = p1; p < stop; p++) {
      const size = scalarStart[rows[p] + 1] - scalarStart[rows[p]];
      let target = panelStart[s] + this.#rowInPanel[rows[p]] * width;
      for (let r = 0; r < size; r++, row++, target += width) {
        const limit = row < columns ? row + 1 : columns;
        const q = row * columns;
        if (contiguous) {
          const t = target + columnTarget[0];
          for (let c = 0; c < limit; c++) l[t + c] -= update[q + c];
        } else {
          for (let c = 0; c < limit; c++) l[target + columnTarget[c]] -= update[q + c];
        }
      }
    }
  }

  /** Scalar LDLT of the diagonal block of panel s, row by row. */
  #factorDiagonal(s: number, rule: PivotRule): boolean {
    const { scalarStart, superStart, panelStart } = this.symbolic;
    const l = this.#values;
    const from = scalarStart[superStart[s]];
    const width = scalarStart[superStart[s + 1]] - from;
    const base = panelStart[s];
    for (let r = 0; r < width; r++) {
      const p = base + r * width;
      for (let c = 1; c < r; c++) {
        const q = base + c * width;
        let sum = l[p + c];
        for (let k = 0; k < c; k++) sum -= l[p + k] * l[q + k];
        l[p + c] = sum;
      }
      let pivot = l[p + r];
      let magnitude = this.#magnitude[from + r];
      for (let k = 0; k < r; k++) {
        const y = l[p + k];
        const scaled = y * this.#inverse[from + k];
        pivot -= y * scaled;
        magnitude += Math.abs(y * scaled);
        l[p + k] = scaled;
      }
      if (!Number.isFinite(pivot)) return false;
      this.#pivot[from + r] = pivot;
      this.#magnitude[from + r] = magnitude;
      this.#acceptPivot(from + r, rule);
    }
    return true;
  }

  /** Numbers come in through arrays: as arguments they would be allocated on the heap. */
  #acceptPivot(row: number, rule: PivotRule): void {
    let pivot = this.#pivot[row];
    const magnitude = this.#magnitude[row];
    const ratio = magnitude > 0 ? Math.abs(pivot) / magnitude : 0;
    if (ratio < this.smallestPivot) this.smallestPivot = ratio;
    if (ratio <= rule.tolerance) {
      const original = this.#scalarOrder[row];
      const sign = rule.signs ? rule.signs[original] : pivot < 0 ? -1 : 1;
      const scale = magnitude > 0 ? magnitude : this.#emptyScale;
      pivot = sign < 0 ? -rule.negativeReplacement * scale : rule.replacement * scale;
      this.replaced++;
      this.replacedRows[original] = 1;
    } else if (ratio < 1e-9 && rule.signs && rule.signs[this.#scalarOrder[row]] * pivot < 0) {
      this.uncertain++;
    }
    if (pivot > 0) this.positive++;
    else this.negative++;
    this.#pivot[row] = pivot;
    this.#inverse[row] = 1 / pivot;
  }

  /** Rows of L below the diagonal block, and their share of the later m_j. */
  #finishPanel(s: number): void {
    const { scalarStart, superStart, rowStart, rows, rowOffset, panelStart } = this.symbolic;
    const from = scalarStart[superStart[s]];
    const width = scalarStart[superStart[s + 1]] - from;
    const height = (panelStart[s + 1] - panelStart[s]) / width;
    if (height === width) return;
    finishRows(this.#values, panelStart[s], width, width, height, this.#inverse, from, this.#below);
    for (let p = rowStart[s] + superStart[s + 1] - superStart[s]; p < rowStart[s + 1]; p++) {
      const target = scalarStart[rows[p]];
      const size = scalarStart[rows[p] + 1] - target;
      for (let r = 0; r < size; r++) this.#magnitude[target + r] += this.#below[rowOffset[p] + r];
    }
  }

  /** x = A⁻¹ b up to replaced pivots and rounding; b and x may be the same array. */
  solve(b: Float64Array, x: Float64Array): void {
    const { size } = this.symbolic;
    const y = this.#permuted;
    for (let k = 0; k < size; k++) y[k] = b[this.#scalarOrder[k]];
    this.#solveForward(y);
    for (let k = 0; k < size; k++) y[k] *= this.#inverse[k];
    this.#solveBackward(y);
    for (let k = 0; k < size; k++) x[this.#scalarOrder[k]] = y[k];
  }

  #solveForward(y: Float64Array): void {
    const { scalarStart, superStart, rowStart, rows, panelStart } = this.symbolic;
    const l = this.#values;
    const below = this.#below;
    for (let s = 0; s + 1 < superStart.length; s++) {
      const from = scalarStart[superStart[s]];
      const width = scalarStart[superStart[s + 1]] - from;
      let p = panelStart[s];
      for (let r = 0; r < width; r++, p += width) {
        let sum = y[from + r];
        for (let c = 0; c < r; c++) sum -= l[p + c] * y[from + c];
        y[from + r] = sum;
      }
      multiplyRows(below, l, p, y, from, (panelStart[s + 1] - p) / width, width);
      let row = 0;
      for (let k = rowStart[s] + superStart[s + 1] - superStart[s]; k < rowStart[s + 1]; k++) {
        const end = scalarStart[rows[k] + 1];
        for (let r = scalarStart[rows[k]]; r < end; r++) y[r] -= below[row++];
      }
    }
  }

  #solveBackward(y: Float64Array): void {
    const { scalarStart, superStart, rowStart, rows, panelStart } = this.symbolic;
    const l = this.#values;
    const below = this.#below;
    for (let s = superStart.length - 2; s >= 0; s--) {
      const from = scalarStart[superStart[s]];
      const width = scalarStart[superStart[s + 1]] - from;
      let row = 0;
      for (let k = rowStart[s] + superStart[s + 1] - superStart[s]; k < rowStart[s + 1]; k++) {
        const end = scalarStart[rows[k] + 1];
        for (let r = scalarStart[rows[k]]; r < end; r++) below[row++] = y[r];
      }
      subtractRows(y, from, l, panelStart[s] + width * width, below, row, width);
      for (let r = width - 1; r > 0; r--) {
        const value = y[from + r];
        const p = panelStart[s] + r * width;
        for (let c = 0; c < r; c++) y[from + c] -= l[p + c] * value;
      }
    }
  }
}
