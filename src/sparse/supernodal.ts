/**
 * Numeric multifrontal factorisation P A Pᵀ = L D Lᵀ and its triangular solves. D is diagonal and may have both signs,
 * L is unit lower triangular; pivots are scalars also inside blocks, so no block is ever inverted.
 *
 * For quasi-definite matrices every order works without pivoting (R. Vanderbei, SIAM J. Optim. 5, 1995). A pivot that is lost in rounding is
 * replaced:   d_j = a_jj − Σ l_jk² d_k,   m_j = |a_jj| + Σ l_jk² |d_k|;   |d_j| ≤ tolerance·m_j   →   d_j = ±replacement·m_j.
 * The comparison with m_j makes the rule independent of units and scaling. Iterative refinement by the caller undoes the perturbation.
 *
 * Each supernode is a dense front: its part of A and its children's updates are added up, its columns eliminated, and what is left of it
 * is its own update (I. Duff, J. Reid, ACM TOMS 9, 1983). All arithmetic is in the kernels of `src/kernels`. In single precision the
 * factor is a preconditioner. After construction nothing is allocated; a new factor in the same memory ends the life of the old one.
 */
import { type FrontKernels, KernelMemory } from '../kernels/index.ts';
import { FrontLayout, type Precision } from './front-layout.ts';
import { writeFrontMaps } from './front-maps.ts';
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

/** Multiply-adds of a factorisation from which on compiled kernels pay. */
const COMPILED_FROM = 1e5;

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

  /** Where `factor` takes the matrix from: what is written here is not copied. */
  readonly values: Float64Array;

  readonly #memory: KernelMemory;
  readonly #kernels: FrontKernels;
  readonly #layout: FrontLayout;
  readonly #precision: Precision;
  readonly #scalarOrder: Int32Array; // unpermuted scalar of each scalar in elimination order
  readonly #vector: Float64Array; // where a solve takes b from and leaves x
  readonly #diagonal: Int32Array; // value of A on the diagonal of each scalar in elimination order

  constructor(symbolic: SymbolicFactor, memory = new KernelMemory(), precision: Precision = 'double', more = 0) {
    const { size, pattern, sizes, order, scalarStart } = symbolic;
    this.symbolic = symbolic;
    this.#memory = memory;
    this.#precision = precision;
    this.replacedRows = new Uint8Array(size);
    this.#scalarOrder = new Int32Array(size);
    this.#diagonal = new Int32Array(size);
    const start = new Int32Array(pattern.n + 1);
    const diagonal = new Int32Array(pattern.n);
    let count = 0;
    for (let j = 0; j < pattern.n; j++) {
      start[j + 1] = start[j] + sizes[j];
      diagonal[j] = count;
      for (let slot = pattern.columnStart[j]; slot < pattern.columnStart[j + 1]; slot++)
        count += sizes[j] * sizes[pattern.rows[slot]];
    }
    for (let k = 0; k < pattern.n; k++) {
      const block = order[k];
      for (let c = 0; c < sizes[block]; c++) {
        this.#scalarOrder[scalarStart[k] + c] = start[block] + c;
        this.#diagonal[scalarStart[k] + c] = diagonal[block] + c * (sizes[block] + 1);
      }
    }
    this.#layout = new FrontLayout(symbolic, precision, memory.start, count);
    memory.reserve(this.#layout.end + more, symbolic.operations > COMPILED_FROM);
    this.#kernels = memory[precision];
    this.values = memory.views.f64.subarray(this.#layout.values / 8, this.#layout.values / 8 + count);
    this.#vector = memory.views.f64.subarray(this.#layout.vector / 8, this.#layout.vector / 8 + size);
    memory.views.i32.set(this.#scalarOrder, this.#layout.order / 4);
    writeFrontMaps(symbolic, this.#layout, memory.views.i32);
  }

  /** The first byte of memory after its own; `more` bytes of it were reserved for the caller. */
  get end(): number {
    return this.#layout.end;
  }

  /**
   * Factors the matrix whose blocks lie one after another, slot by slot and row by row, in `values`.
   * `emptyScale` stands in for m_j where a row has no entry at all. False where a pivot is not finite: the factor is then unusable.
   */
  factor(values: Float64Array, rule: PivotRule, emptyScale: number): boolean {
    const { symbolic } = this;
    const { f64, i8 } = this.#memory.views;
    const { ratio, magnitude, signs, rule: place } = this.#layout;
    if (values !== this.values) this.values.set(values);
    f64[place / 8] = rule.tolerance;
    f64[place / 8 + 1] = rule.replacement;
    f64[place / 8 + 2] = rule.negativeReplacement;
    f64[place / 8 + 3] = emptyScale;
    for (let k = 0; k < symbolic.size; k++) {
      f64[magnitude / 8 + k] = Math.abs(values[this.#diagonal[k]]);
      i8[signs + k] = rule.signs ? rule.signs[this.#scalarOrder[k]] : 0;
      f64[ratio / 8 + k] = 1;
    }
    const count = symbolic.superStart.length - 1;
    let isUsable = true;
    for (let s = 0; s < count && isUsable; s++) isUsable = this.#eliminate(s);
    this.#countPivots(rule);
    return isUsable;
  }

  /** Assembles front s and eliminates its columns. */
  #eliminate(s: number): boolean {
    const { scalarStart, superStart, height } = this.symbolic;
    const layout = this.#layout;
    const kernels = this.#kernels;
    const { f64, i32 } = this.#memory.views;
    const m = height[s];
    const ld = layout.columnStep[s];
    const F = layout.front[s];
    const from = scalarStart[superStart[s]];
    const width = scalarStart[superStart[s + 1]] - from;
    kernels.clearFront(F, ld, m);
    f64.fill(0, layout.sums / 8, layout.sums / 8 + m);
    const first = layout.slotStart[s];
    kernels.addSlots(F, ld, layout.values, layout.slots + 20 * first, layout.slotStart[s + 1] - first);
    for (let k = layout.childStart[s]; k < layout.childStart[s + 1]; k++) this.#addChild(s, layout.child[k]);
    for (let p = layout.panelStart[s]; p < layout.panelStart[s + 1]; p++)
      if (!this.#eliminatePanel(s, p, from)) return false;
    kernels.moveUpdate(layout.update[s], F, ld, width, m - width);
    const rows = layout.rows / 4 + layout.rowStart[s];
    for (let r = width; r < m; r++) f64[layout.magnitude / 8 + i32[rows + r]] += f64[layout.sums / 8 + r];
    return true;
  }

  #addChild(s: number, child: number): void {
    const { scalarStart, superStart, height } = this.symbolic;
    const layout = this.#layout;
    const width = scalarStart[superStart[child + 1]] - scalarStart[superStart[child]];
    const map = layout.maps + 4 * (layout.rowStart[child] + width);
    this.#kernels.addChild(layout.front[s], layout.columnStep[s], layout.update[child], height[child] - width, map);
  }

  #eliminatePanel(s: number, p: number, from: number): boolean {
    const layout = this.#layout;
    const kernels = this.#kernels;
    const m = this.symbolic.height[s];
    const ld = layout.columnStep[s];
    const F = layout.front[s];
    const k0 = layout.panelFirst[p];
    const width = layout.panelWidth[p];
    const at = from + k0;
    const inverse = layout.inverse + layout.bytes * at;
    const { ratio, magnitude, signs, rule, sums } = layout;
    const T = layout.panelT[p];
    const isUsable = kernels.factorDiagonal(
      F,
      ld,
      k0,
      width,
      T,
      inverse,
      sums,
      ratio + 8 * at,
      magnitude + 8 * at,
      signs + at,
      rule,
    );
    if (isUsable === 0) return false;
    const L = layout.panelL[p];
    kernels.finishRows(F, ld, m, k0, width, T, inverse, layout.packed, L, sums);
    kernels.updateFront(F, ld, m, k0 + width, width, L, layout.packed);
    return true;
  }

  #countPivots({ tolerance, signs }: PivotRule): void {
    const { f64, f32 } = this.#memory.views;
    const { ratio, inverse } = this.#layout;
    const isDouble = this.#precision === 'double';
    this.positive = this.replaced = this.uncertain = 0;
    this.smallestPivot = Number.POSITIVE_INFINITY;
    this.replacedRows.fill(0);
    const { size } = this.symbolic;
    for (let k = 0; k < size; k++) {
      const signed = f64[ratio / 8 + k];
      const share = Math.abs(signed);
      if (share < this.smallestPivot) this.smallestPivot = share;
      if (share <= tolerance) {
        this.replaced++;
        this.replacedRows[this.#scalarOrder[k]] = 1;
      } else if (share < 1e-9 && signs && signs[this.#scalarOrder[k]] * signed < 0) this.uncertain++;
      if ((isDouble ? f64[inverse / 8 + k] : f32[inverse / 4 + k]) > 0) this.positive++;
    }
    this.negative = size - this.positive;
  }

  /** x = A⁻¹ b up to replaced pivots and rounding; b and x may be the same array. */
  solve(b: Float64Array, x: Float64Array): void {
    const { size } = this.symbolic;
    const { vector, y, order, inverse } = this.#layout;
    const values = this.#vector;
    if (b.length === size) values.set(b);
    else for (let k = 0; k < size; k++) values[k] = b[k];
    this.#kernels.gather(y, vector, order, size);
    this.#solveForward();
    this.#kernels.scale(y, inverse, size);
    this.#solveBackward();
    this.#kernels.scatter(vector, y, order, size);
    x.set(values);
  }

  #solveForward(): void {
    const { scalarStart, superStart, height } = this.symbolic;
    const { panelStart, panelFirst, panelWidth, panelT, panelL, rows, rowStart, y } = this.#layout;
    for (let s = 0; s + 1 < superStart.length; s++)
      for (let p = panelStart[s]; p < panelStart[s + 1]; p++) {
        const end = panelFirst[p] + panelWidth[p];
        this.#kernels.solveForward(
          panelT[p],
          panelL[p],
          panelWidth[p],
          height[s] - end,
          rows + 4 * (rowStart[s] + end),
          y,
          scalarStart[superStart[s]] + panelFirst[p],
        );
      }
  }

  #solveBackward(): void {
    const { scalarStart, superStart, height } = this.symbolic;
    const { panelStart, panelFirst, panelWidth, panelT, panelL, rows, rowStart, y, below } = this.#layout;
    for (let s = superStart.length - 2; s >= 0; s--)
      for (let p = panelStart[s + 1] - 1; p >= panelStart[s]; p--) {
        const end = panelFirst[p] + panelWidth[p];
        this.#kernels.solveBackward(
          panelT[p],
          panelL[p],
          panelWidth[p],
          height[s] - end,
          rows + 4 * (rowStart[s] + end),
          y,
          scalarStart[superStart[s]] + panelFirst[p],
          below,
        );
      }
  }
}
