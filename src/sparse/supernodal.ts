/**
 * Numeric multifrontal factorisation P A Pᵀ = L D Lᵀ and its triangular solves. D is diagonal and may have both signs,
 * L is unit lower triangular; pivots are scalars also inside blocks, so no block is ever inverted.
 *
 * For quasi-definite matrices every order works without pivoting [Vanderbei 1995]. A pivot that is lost in rounding is
 * replaced:   d_j = a_jj − Σ l_jk² d_k,   m_j = |a_jj| + Σ l_jk² |d_k|;   |d_j| ≤ tolerance·m_j   →   d_j = ±replacement·m_j.
 * The comparison with m_j makes the rule independent of units and scaling. Iterative refinement by the caller undoes the perturbation.
 *
 * Each supernode is a dense front: its part of A and its children's updates are added up, its columns eliminated, and what is left of it
 * is its own update (I. Duff, J. Reid, ACM TOMS 9, 1983). All arithmetic is in the kernels of `src/kernels`. In single precision the
 * factor is a preconditioner. After construction nothing is allocated; a new factor in the same memory ends the life of the old one.
 */
import { type FrontKernels, KernelMemory } from '../kernels/index.ts';
import { computeValueStart } from './block-mixed.ts';
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

export interface FactorOptions {
  /** Bytes after its own that are reserved for the caller. */
  readonly more?: number;
  /** First value of each slot of the pattern, where blocks do not lie one after another; and how many values there are. */
  readonly places?: Int32Array;
  readonly valueCount?: number;
}

/** Multiply-adds of a factorisation from which on compiled kernels pay. */
const COMPILED_FROM = 1e4;

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
  readonly #vector: Float64Array; // where a solve takes b from and leaves x, if they are not in the kernels' memory

  constructor(
    symbolic: SymbolicFactor,
    memory = new KernelMemory(),
    precision: Precision = 'double',
    { more = 0, places = computeValueStart(symbolic.pattern, symbolic.sizes), valueCount }: FactorOptions = {},
  ) {
    const { size } = symbolic;
    this.symbolic = symbolic;
    this.#memory = memory;
    this.#precision = precision;
    this.replacedRows = new Uint8Array(size);
    const count = valueCount ?? places[symbolic.pattern.slots];
    this.#layout = new FrontLayout(symbolic, precision, memory.start, count);
    memory.reserve(this.#layout.end + more, symbolic.operations > COMPILED_FROM);
    this.#kernels = memory[precision];
    this.values = memory.views.f64.subarray(this.#layout.values / 8, this.#layout.values / 8 + count);
    this.#vector = memory.views.f64.subarray(this.#layout.vector / 8, this.#layout.vector / 8 + size);
    writeFrontMaps(symbolic, this.#layout, places, memory.views.i32);
  }

  /** The first byte of memory after its own; `more` bytes of it were reserved for the caller. */
  get end(): number {
    return this.#layout.end;
  }

  /**
   * Factors the matrix whose blocks lie one after another, slot by slot and row by row, in `values`.
   * `emptyScale` stands in for m_j where a row has no entry at all. False where a pivot is not finite: the factor is then unusable.
   * `b`: right-hand side of a first solve, which `finish` completes: half of it is done while the panels are in the cache.
   */
  factor(values: Float64Array, rule: PivotRule, emptyScale: number, b?: Float64Array): boolean {
    const { symbolic } = this;
    const { f64, i8, i32 } = this.#memory.views;
    const layout = this.#layout;
    if (values !== this.values) this.values.set(values);
    f64[layout.rule / 8] = rule.tolerance;
    f64[layout.rule / 8 + 1] = rule.replacement;
    f64[layout.rule / 8 + 2] = rule.negativeReplacement;
    f64[layout.rule / 8 + 3] = emptyScale;
    if (rule.signs) {
      const order = layout.order / 4;
      for (let k = 0; k < symbolic.size; k++) i8[layout.signs + k] = rule.signs[i32[order + k]];
    } else i8.fill(0, layout.signs, layout.signs + symbolic.size);
    const count = symbolic.superStart.length - 1;
    const { fronts, children, panels, work, vector } = layout;
    if (b) this.#vector.set(b);
    const right = b ? vector : 0;
    const isUsable = this.#kernels.eliminateFronts(fronts, count, children, panels, layout.values, work, right) === 1;
    this.#countPivots(rule);
    return isUsable;
  }

  #countPivots({ tolerance, signs }: PivotRule): void {
    const { f64, f32, i32 } = this.#memory.views;
    const { ratio, inverse, order } = this.#layout;
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
        this.replacedRows[i32[order / 4 + k]] = 1;
      } else if (share < 1e-9 && signs && signs[i32[order / 4 + k]] * signed < 0) this.uncertain++;
      if ((isDouble ? f64[inverse / 8 + k] : f32[inverse / 4 + k]) > 0) this.positive++;
    }
    this.negative = size - this.positive;
  }

  /** x = A⁻¹ b with the b of the last `factor`; x in the kernels' memory. */
  finish(x: Float64Array): void {
    const { panels, work, panelFirst } = this.#layout;
    this.#kernels.solveFronts(panels, panelFirst.length, work, 0, x.byteOffset);
  }

  /** x = A⁻¹ b up to replaced pivots and rounding; b and x may be the same array. Those in the kernels' memory are not copied. */
  solve(b: Float64Array, x: Float64Array): void {
    const { size } = this.symbolic;
    const { vector, panels, work, panelFirst } = this.#layout;
    const { buffer } = this.#memory.views.f64;
    const values = this.#vector;
    const isHere = b.buffer === buffer && x.buffer === buffer;
    if (isHere) {
      this.#kernels.solveFronts(panels, panelFirst.length, work, b.byteOffset, x.byteOffset);
      return;
    }
    if (b.length === size) values.set(b);
    else for (let k = 0; k < size; k++) values[k] = b[k];
    this.#kernels.solveFronts(panels, panelFirst.length, work, vector, vector);
    x.set(values);
  }
}
