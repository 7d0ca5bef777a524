/**
 * Direct solver for symmetric block-sparse matrices: AMD order, symbolic factorisation once a pattern, numeric LDLT, iterative refinement.
 *
 *   analyze(pattern, blockSize)   once for a pattern; blockSize is a number, or a list with the size of each block
 *   factor(matrix)                for each set of values
 *   solve(b, x)                   for each right-hand side; refines against the matrix given to `factor`, so leave its values alone until then
 *
 * For positive definite and quasi-definite matrices the factorisation exists in every order. Pivots that are lost in rounding (singular or
 * indefinite matrices) are replaced (see supernodal.ts), counted in the report, and corrected by the refinement as far as the system is consistent.
 * Nothing is allocated by `factor` and `solve`; both return the same report object, updated.
 */
import { KernelMemory } from '../kernels/index.ts';
import type { SymmetricBlocks } from './block-mixed.ts';
import type { BlockPattern } from './block-sparse.ts';
import { type PivotRule, SupernodalFactor } from './supernodal.ts';
import { computeSymbolic, type SymbolicFactor } from './symbolic.ts';

/** A scaled residual that no correction can be expected to improve. */
const ENOUGH = 4 * Number.EPSILON;

export interface LdltReport {
  /** The factorisation is finite and, after `solve`, the residual is at most 1e-10. */
  ok: boolean;
  /** Smallest |pivot| relative to the sum of the magnitudes that formed it, before any replacement: near 1e-16 means singular. */
  smallestPivot: number;
  /** Number of replaced pivots. */
  regularized: number;
  /** Number of positive and of negative pivots (after replacement): the inertia of the matrix. */
  positive: number;
  negative: number;
  /** ‖A x − b‖∞ / (‖A‖∞ ‖x‖∞ + ‖b‖∞) of the last `solve`; NaN before it. */
  residual: number;
  /** Corrections made by the last `solve`. */
  refinements: number;
}

export interface LdltOptions {
  /** Elimination order (order[k] = block eliminated as the k-th) instead of AMD. */
  readonly order?: Int32Array;
  /** Expected sign of each scalar pivot (+1, −1); a pivot lost in rounding is replaced with this sign. */
  readonly signs?: Int8Array;
  /** A pivot smaller than this, relative to what it was formed from, is replaced. Default 1e-14. */
  readonly pivotTolerance?: number;
  /** Relative size of a replaced pivot. Default 1e-8, about the square root of the rounding unit. */
  readonly regularization?: number;
  /** Most corrections by one `solve`. Default 10; it stops as soon as they no longer pay. */
  readonly refinements?: number;
}

export class BlockLdlt {
  readonly report: LdltReport = {
    ok: false,
    smallestPivot: 0,
    regularized: 0,
    positive: 0,
    negative: 0,
    residual: Number.NaN,
    refinements: 0,
  };
  readonly #memory: KernelMemory;
  #factor: SupernodalFactor | undefined;
  #rule: PivotRule = { tolerance: 0, replacement: 0, negativeReplacement: 0 };
  #mostRefinements = 0;
  #matrix: SymmetricBlocks | undefined;
  #norm = 0;
  #factored = false;
  #residual = new Float64Array(0);
  #trial = new Float64Array(0);

  /** `memory`: what the factorisation works in; its own unless given. */
  constructor(memory = new KernelMemory()) {
    this.#memory = memory;
  }

  /** The symbolic factorisation: order, supernodes, fill, operations. */
  get symbolic(): SymbolicFactor {
    return this.#analyzed().symbolic;
  }

  #analyzed(): SupernodalFactor {
    if (!this.#factor)
      throw new RangeError('BlockLdlt: no pattern was analysed; call analyze(pattern, blockSize) first.');
    return this.#factor;
  }

  analyze(pattern: BlockPattern, blockSize: number | Int32Array, options: LdltOptions = {}): void {
    const sizes = typeof blockSize === 'number' ? new Int32Array(pattern.n).fill(blockSize) : blockSize.slice();
    const factor = new SupernodalFactor(computeSymbolic(pattern, sizes, options.order), this.#memory);
    const replacement = options.regularization ?? 1e-8;
    this.#factor = factor;
    this.#rule = {
      tolerance: options.pivotTolerance ?? 1e-14,
      replacement,
      negativeReplacement: replacement,
      ...(options.signs ? { signs: options.signs } : {}),
    };
    this.#mostRefinements = options.refinements ?? 10;
    this.#residual = new Float64Array(factor.symbolic.size);
    this.#trial = new Float64Array(factor.symbolic.size);
    this.#factored = false;
  }

  factor(matrix: SymmetricBlocks): LdltReport {
    const factor = this.#analyzed();
    const { pattern, sizes } = factor.symbolic;
    if (matrix.pattern !== pattern || matrix.sizes.some((size, i) => size !== sizes[i])) {
      throw new RangeError(
        'BlockLdlt.factor: the matrix has another pattern or block size than the analysed one; call analyze with its pattern.',
      );
    }
    const report = this.report;
    this.#matrix = matrix;
    this.#norm = matrix.computeInfinityNorm(this.#residual);
    this.#factored = factor.factor(matrix.values, this.#rule, this.#norm > 0 ? this.#norm : 1);
    report.ok = this.#factored;
    report.smallestPivot = factor.smallestPivot;
    report.regularized = factor.replaced;
    report.positive = factor.positive;
    report.negative = factor.negative;
    report.residual = Number.NaN;
    report.refinements = 0;
    return report;
  }

  /** x with A x = b. The arrays must be different; x is NaN where the factorisation failed. */
  solve(b: Float64Array, x: Float64Array): LdltReport {
    const factor = this.#analyzed();
    const report = this.report;
    report.refinements = 0;
    if (!this.#factored) {
      x.fill(Number.NaN, 0, factor.symbolic.size);
      report.ok = false;
      return report;
    }
    factor.solve(b, x);
    report.residual = this.#computeResidual(b, x);
    while (report.refinements < this.#mostRefinements && report.residual > ENOUGH) {
      const before = report.residual;
      this.#correct(x);
      const after = this.#computeResidual(b, this.#trial);
      if (!(after < before)) break;
      x.set(this.#trial);
      report.residual = after;
      report.refinements++;
      if (after > before / 2) break;
    }
    report.ok = report.residual <= 1e-10;
    return report;
  }

  /** #trial = x + A⁻¹ r */
  #correct(x: Float64Array): void {
    const trial = this.#trial;
    this.#analyzed().solve(this.#residual, trial);
    for (let k = 0; k < trial.length; k++) trial[k] += x[k];
  }

  /** #residual = b − A x; returns its scaled norm. */
  #computeResidual(b: Float64Array, x: Float64Array): number {
    const r = this.#residual;
    this.#matrix!.multiply(x, r);
    let norm = 0;
    let xNorm = 0;
    let bNorm = 0;
    for (let k = 0; k < r.length; k++) {
      r[k] = b[k] - r[k];
      norm = Math.max(norm, Math.abs(r[k]));
      xNorm = Math.max(xNorm, Math.abs(x[k]));
      bNorm = Math.max(bNorm, Math.abs(b[k]));
    }
    const scale = this.#norm * xNorm + bNorm;
    return scale === 0 ? norm : norm / scale;
  }
}
