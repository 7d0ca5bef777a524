/**
 * Equality-constrained quadratic systems
 *
 *   ⎡ A  Gᵀ ⎤ ⎡ v ⎤   ⎡ f ⎤       A  block-sparse, positive definite on the null space of G (and at least semi-definite)
 *   ⎣ G  −c ⎦ ⎣ λ ⎦ = ⎣ t ⎦       G  sparse rows, v unknowns, λ multipliers, c ≥ 0 compliance of soft rows (0: strict)
 *
 * by one sparse LDLT with refinement. The order is AMD of the whole graph with each multiplier moved behind the last unknown of its row:
 * then, for A positive definite and G of full rank, the factorisation exists without any perturbation
 * [Bridson 2007]. Two exceptions are met by the pivot rule of supernodal.ts:
 *   - an unknown that A alone does not hold loses its pivot: it becomes a small positive one, undone by refinement;
 *   - a multiplier loses its pivot where its row depends on rows before it: it becomes huge, which takes the row out (λ = 0). A consistent
 *     row is then satisfied by the others; an inconsistent one is seen by its residual. Rows closer than about 3e-7 in angle count as dependent.
 */
import { KernelMemory } from '../kernels/index.ts';
import { computeAmdOrder } from './amd.ts';
import { computeValueStart, type SymmetricBlocks } from './block-mixed.ts';
import type { BlockPattern } from './block-sparse.ts';
import { computeBlockOfScalar, computeWholePattern, moveMultipliersBack } from './kkt-graph.ts';
import { type PivotRule, SupernodalFactor } from './supernodal.ts';
import { computeSymbolic, type SymbolicFactor } from './symbolic.ts';

/** Sparse rows; row r has the entries start[r] … start[r + 1] − 1. Arrays may be longer than needed; repeated columns add up. */
export interface SparseRows {
  readonly count: number;
  readonly start: Int32Array;
  /** Scalar column of each entry. */
  readonly columns: Int32Array;
  readonly values: Float64Array;
  /** c of each row; left out: all rows are strict. */
  readonly compliance?: Float64Array;
}

export interface KktReport {
  /** Finite, both residuals at most 1e-10, no inconsistent row. */
  ok: boolean;
  /** ‖f − A v − Gᵀλ‖∞ / (‖A‖∞ ‖v‖∞ + ‖Gᵀ‖∞ ‖λ‖∞ + ‖f‖∞) */
  residual: number;
  /** Largest |t − g v + c λ| / (‖g‖₁ ‖v‖∞ + c |λ| + |t|) of all rows g, dependent ones included. */
  rowResidual: number;
  /** Rows that depend on others to rounding; `KktSystem.dependent` says which. */
  dependentRows: number;
  /** Rows left with a residual above 1e-9; `KktSystem.inconsistent` says which. */
  inconsistentRows: number;
  /** Unknowns that A and the rows eliminated before did not hold. */
  regularized: number;
  /** Number of positive and negative pivots; for a proper system: unknowns and rows. */
  positive: number;
  negative: number;
  /** Pivots whose sign is not the expected one, but may be so by rounding alone. */
  uncertain: number;
  refinements: number;
}

const INCONSISTENT = 1e-9;
const ENOUGH = 4 * Number.EPSILON;
const MOST_REFINEMENTS = 20;

export class KktSystem {
  readonly report: KktReport = {
    ok: false,
    residual: Number.NaN,
    rowResidual: Number.NaN,
    dependentRows: 0,
    inconsistentRows: 0,
    regularized: 0,
    positive: 0,
    negative: 0,
    uncertain: 0,
    refinements: 0,
  };
  /** How often a pattern was analysed: it stays while the patterns of A and G do. */
  analyses = 0;
  /** Per row of the last factorisation and solve: 1 where it is dependent, inconsistent. */
  dependent = new Uint8Array(0);
  inconsistent = new Uint8Array(0);

  #matrix: SymmetricBlocks | undefined;
  #rows: SparseRows | undefined;
  #pattern: BlockPattern | undefined; // of A, as analysed
  #sizes = new Int32Array(0); // of the blocks of A, as analysed
  #rowStart = new Int32Array(0); // of G, as analysed
  #rowColumns = new Int32Array(0);
  readonly #memory = new KernelMemory();
  #factor: SupernodalFactor | undefined;
  #rule: PivotRule = { tolerance: 0, replacement: 0, negativeReplacement: 0 };
  #values = new Float64Array(0);
  #blockTarget = new Int32Array(0); // where each slot of A goes in #values
  #entryTarget = new Int32Array(0); // where each entry of G goes
  #softTarget = new Int32Array(0); // where −c of each row goes
  #factored = false;
  #norm = 0;
  #columnNorm = 0; // ‖Gᵀ‖∞
  #rowNorm = new Float64Array(0); // ‖g‖₁ of each row
  #solution = new Float64Array(0);
  #trial = new Float64Array(0);
  #residual = new Float64Array(0);

  /**
   * Factors the system; analyses first if a pattern is new. Matrix and rows are read again by `solve`: leave their values alone until then.
   * `norm`: ‖A‖∞ where it is known.
   */
  factor(matrix: SymmetricBlocks, rows: SparseRows, norm?: number): KktReport {
    if (!this.#isAnalyzed(matrix, rows)) this.#analyze(matrix, rows);
    this.#matrix = matrix;
    this.#rows = rows;
    const factor = this.#factor!;
    const emptyScale = this.#load(matrix, rows);
    this.#factored = factor.factor(this.#values, this.#rule, emptyScale);
    this.#norm = norm ?? matrix.computeInfinityNorm(this.#residual);
    this.#measureNorms(matrix, rows);
    const report = this.report;
    const size = matrix.size;
    report.dependentRows = 0;
    for (let r = 0; r < rows.count; r++) report.dependentRows += this.dependent[r] = factor.replacedRows[size + r];
    report.regularized = factor.replaced - report.dependentRows;
    report.positive = factor.positive;
    report.negative = factor.negative;
    report.uncertain = factor.uncertain;
    report.residual = report.rowResidual = Number.NaN;
    report.inconsistentRows = report.refinements = 0;
    this.inconsistent.fill(0);
    report.ok = this.#factored;
    return report;
  }

  #isAnalyzed(matrix: SymmetricBlocks, rows: SparseRows): boolean {
    if (this.#pattern !== matrix.pattern) return false;
    const { sizes } = matrix;
    for (let i = 0; i < sizes.length; i++) if (this.#sizes[i] !== sizes[i]) return false;
    if (this.#rowStart.length !== rows.count + 1) return false;
    for (let r = 0; r <= rows.count; r++) if (this.#rowStart[r] !== rows.start[r]) return false;
    for (let k = 0; k < this.#rowColumns.length; k++) if (this.#rowColumns[k] !== rows.columns[k]) return false;
    return true;
  }

  #analyze(matrix: SymmetricBlocks, rows: SparseRows): void {
    const { pattern, size } = matrix;
    const { count } = rows;
    const entries = rows.start[count];
    for (let k = 0; k < entries; k++) {
      if (!(rows.columns[k] >= 0 && rows.columns[k] < size)) {
        throw new RangeError(
          `KktSystem: entry ${k} of the rows is in column ${rows.columns[k]}; it must lie in 0…${size - 1}.`,
        );
      }
    }
    const blockOfScalar = computeBlockOfScalar(matrix);
    const whole = computeWholePattern(pattern, blockOfScalar, rows);
    const sizes = new Int32Array(whole.n).fill(1);
    sizes.set(matrix.sizes);
    const order = moveMultipliersBack(whole, pattern.n, computeAmdOrder(whole, sizes));
    this.#factor = new SupernodalFactor(computeSymbolic(whole, sizes, order), this.#memory);
    this.#pattern = pattern;
    this.#sizes = matrix.sizes.slice();
    this.#rowStart = rows.start.slice(0, count + 1);
    this.#rowColumns = rows.columns.slice(0, entries);
    this.#mapTargets(whole, sizes, matrix, blockOfScalar);
    const total = size + count;
    this.#rule = {
      tolerance: 1e-13,
      replacement: 1e-8,
      negativeReplacement: 1e30,
      signs: new Int8Array(total).fill(1, 0, size).fill(-1, size),
    };
    this.dependent = new Uint8Array(count);
    this.inconsistent = new Uint8Array(count);
    this.#rowNorm = new Float64Array(count);
    this.#solution = new Float64Array(total);
    this.#trial = new Float64Array(total);
    this.#residual = new Float64Array(total);
    this.analyses++;
  }

  /** In each column of the whole pattern the slots of A come first, in their order; then blocks of one row. */
  #mapTargets(whole: BlockPattern, sizes: Int32Array, matrix: SymmetricBlocks, blockOfScalar: Int32Array): void {
    const { pattern, blockStart } = matrix;
    const valueStart = computeValueStart(whole, sizes);
    this.#values = new Float64Array(valueStart[whole.slots]);
    this.#blockTarget = new Int32Array(pattern.slots);
    for (let j = 0; j < pattern.n; j++) {
      for (let slot = pattern.columnStart[j]; slot < pattern.columnStart[j + 1]; slot++) {
        this.#blockTarget[slot] = valueStart[whole.columnStart[j] + slot - pattern.columnStart[j]];
      }
    }
    this.#softTarget = new Int32Array(whole.n - pattern.n);
    for (let r = 0; r < this.#softTarget.length; r++)
      this.#softTarget[r] = valueStart[whole.columnStart[pattern.n + r]];
    this.#entryTarget = new Int32Array(this.#rowColumns.length);
    for (let r = 0; r + 1 < this.#rowStart.length; r++) {
      for (let k = this.#rowStart[r]; k < this.#rowStart[r + 1]; k++) {
        const column = this.#rowColumns[k];
        const block = blockOfScalar[column];
        this.#entryTarget[k] = valueStart[whole.slot(pattern.n + r, block)] + column - blockStart[block];
      }
    }
  }

  /** Copies A and G into the whole matrix; returns a typical size of a diagonal of A, for unknowns on which A has no entry. */
  #load(matrix: SymmetricBlocks, rows: SparseRows): number {
    const { pattern, sizes, valueStart } = matrix;
    const values = this.#values;
    values.fill(0);
    for (let slot = 0; slot < this.#blockTarget.length; slot++) {
      const shift = this.#blockTarget[slot] - valueStart[slot];
      for (let k = valueStart[slot]; k < valueStart[slot + 1]; k++) values[k + shift] = matrix.values[k];
    }
    for (let k = 0; k < this.#entryTarget.length; k++) values[this.#entryTarget[k]] += rows.values[k];
    if (rows.compliance !== undefined)
      for (let r = 0; r < rows.count; r++) values[this.#softTarget[r]] = -rows.compliance[r];
    let smallest = Number.POSITIVE_INFINITY;
    let largest = 0;
    for (let j = 0; j < pattern.n; j++) {
      for (let c = 0; c < sizes[j]; c++) {
        const diagonal = matrix.values[valueStart[pattern.columnStart[j]] + c * sizes[j] + c];
        if (diagonal > 0) smallest = Math.min(smallest, diagonal);
        if (diagonal > largest) largest = diagonal;
      }
    }
    return largest > 0 ? Math.sqrt(smallest) * Math.sqrt(largest) : 1;
  }

  #measureNorms(matrix: SymmetricBlocks, rows: SparseRows): void {
    const sums = this.#residual;
    sums.fill(0);
    for (let r = 0; r < rows.count; r++) {
      let sum = 0;
      for (let k = rows.start[r]; k < rows.start[r + 1]; k++) {
        const magnitude = Math.abs(rows.values[k]);
        sum += magnitude;
        sums[rows.columns[k]] += magnitude;
      }
      this.#rowNorm[r] = sum;
    }
    this.#columnNorm = 0;
    for (let k = 0; k < matrix.size; k++) this.#columnNorm = Math.max(this.#columnNorm, sums[k]);
  }

  /** v and λ of the factored system; both are overwritten, with NaN where the factorisation failed. */
  solve(force: Float64Array, target: Float64Array, v: Float64Array, multipliers: Float64Array): KktReport {
    if (!this.#matrix || !this.#rows)
      throw new RangeError('KktSystem: nothing was factored; call factor(matrix, rows) first.');
    const size = this.#matrix.size;
    const count = this.#rows.count;
    const x = this.#solution;
    const report = this.report;
    report.refinements = 0;
    if (this.#factored) {
      for (let k = 0; k < size; k++) this.#residual[k] = force[k];
      for (let r = 0; r < count; r++) this.#residual[size + r] = target[r];
      this.#factor!.solve(this.#residual, x);
      this.#refine(force, target);
    } else {
      x.fill(Number.NaN);
    }
    for (let k = 0; k < size; k++) v[k] = x[k];
    for (let r = 0; r < count; r++) multipliers[r] = x[size + r];
    report.ok =
      this.#factored && report.residual <= 1e-10 && report.rowResidual <= 1e-10 && report.inconsistentRows === 0;
    return report;
  }

  /** What the pattern of the whole system costs to factor; nothing before the first `factor`. */
  get symbolic(): SymbolicFactor | undefined {
    return this.#factor?.symbolic;
  }

  /** x = K⁻¹ r for the whole vectors (unknowns, then rows) without refinement: for a caller that refines against another matrix. */
  solveOnce(r: Float64Array, x: Float64Array): void {
    if (this.#factored) this.#factor!.solve(r, x);
    else x.fill(Number.NaN);
  }

  #refine(force: Float64Array, target: Float64Array): void {
    const x = this.#solution;
    const trial = this.#trial;
    const report = this.report;
    let error = this.#writeResidual(force, target, x);
    while (error > ENOUGH && report.refinements < MOST_REFINEMENTS) {
      this.#factor!.solve(this.#residual, trial);
      for (let k = 0; k < x.length; k++) trial[k] += x[k];
      const next = this.#writeResidual(force, target, trial);
      if (!(next < error)) {
        // what the report says is of x
        this.#writeResidual(force, target, x);
        break;
      }
      x.set(trial);
      report.refinements++;
      const slow = next > 0.9 * error;
      error = next;
      if (slow) break;
    }
  }

  /** Writes #residual and the report's residuals for x; returns the larger of the two over the rows that are not dependent. */
  #writeResidual(force: Float64Array, target: Float64Array, x: Float64Array): number {
    const matrix = this.#matrix!;
    const rows = this.#rows!;
    const size = matrix.size;
    const r = this.#residual;
    const report = this.report;
    matrix.multiply(x, r);
    let vNorm = 0;
    let forceNorm = 0;
    let multiplierNorm = 0;
    for (let k = 0; k < size; k++) {
      r[k] = force[k] - r[k];
      vNorm = Math.max(vNorm, Math.abs(x[k]));
      forceNorm = Math.max(forceNorm, Math.abs(force[k]));
    }
    let worst = 0;
    report.rowResidual = 0;
    report.inconsistentRows = 0;
    for (let i = 0; i < rows.count; i++) {
      const multiplier = x[size + i];
      multiplierNorm = Math.max(multiplierNorm, Math.abs(multiplier));
      let gap = target[i];
      for (let k = rows.start[i]; k < rows.start[i + 1]; k++) {
        gap -= rows.values[k] * x[rows.columns[k]];
        r[rows.columns[k]] -= rows.values[k] * multiplier;
      }
      const soft = rows.compliance === undefined ? 0 : rows.compliance[i] * multiplier;
      gap += soft;
      r[size + i] = gap;
      const scale = this.#rowNorm[i] * vNorm + Math.abs(soft) + Math.abs(target[i]);
      const relative = gap === 0 ? 0 : Math.abs(gap) / scale;
      report.rowResidual = Math.max(report.rowResidual, relative);
      if (this.dependent[i] === 0) worst = Math.max(worst, relative);
      report.inconsistentRows += this.inconsistent[i] = relative > INCONSISTENT ? 1 : 0;
    }
    let norm = 0;
    for (let k = 0; k < size; k++) norm = Math.max(norm, Math.abs(r[k]));
    const scale = this.#norm * vNorm + this.#columnNorm * multiplierNorm + forceNorm;
    report.residual = norm === 0 ? 0 : norm / scale;
    return Math.max(report.residual, worst);
  }
}

/** One system, once: v, multipliers and the report. Keep a `KktSystem` where the same patterns come again. */
export function solveKkt(
  matrix: SymmetricBlocks,
  rows: SparseRows,
  force: Float64Array,
  target: Float64Array,
): { v: Float64Array; multipliers: Float64Array; report: KktReport } {
  const system = new KktSystem();
  const v = new Float64Array(matrix.size);
  const multipliers = new Float64Array(rows.count);
  system.factor(matrix, rows);
  return { v, multipliers, report: system.solve(force, target, v, multipliers) };
}
