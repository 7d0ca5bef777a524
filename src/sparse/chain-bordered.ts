/**
 * Chains with a common border: the symmetric, possibly indefinite system
 *
 *     ⎡ A   B ⎤ ⎡x⎤   ⎡r⎤       A  chains, block-diagonal of BlockBanded, positive definite
 *     ⎣ Bᵀ  C ⎦ ⎣y⎦ = ⎣s⎦       B  m sparse columns, C dense m × m (zero diagonal for Lagrange multipliers)
 *
 * by the Schur complement  S = C − Bᵀ A⁻¹ B,  y = S⁻¹ (s − Bᵀ A⁻¹ r),  x = A⁻¹ (r − B y).
 * A column is solved only in the chains that it touches, from its first node on. A wide border is solved column by column,
 * only back to the first node that any column of that chain reads; A⁻¹ B is never stored. Cost: m chain solves, and m³/6
 * multiply-adds for S. A thin one needs half of each solve, because A = L D Lᵀ:
 *     W = L⁻¹ B,   S = C − Wᵀ D⁻¹ W,   z = L⁻¹ r,   y = S⁻¹ (s − Wᵀ D⁻¹ z),   x = L⁻ᵀ D⁻¹ (z − W y)
 * at m (m + 1)/2 multiply-adds for each unknown of A (`chain-thin-border.ts`).
 * Dependent constraint rows make S singular: their multipliers are set to zero, and the count is reported.
 */
import { BlockBanded } from './chain.ts';
import { BorderColumns } from './chain-border-columns.ts';
import { ThinBorder } from './chain-thin-border.ts';
import { DenseLdlt } from './dense.ts';

export interface BorderedFactorReport {
  ok: boolean;
  /** The chain and its block that is not positive definite; −1 if none. */
  failedChain: number;
  failedBlock: number;
  /** Border rows that depend on others (or are empty); their y comes out as zero. */
  redundantRows: number;
  /** Signs of S; m multipliers that are all needed give m negative ones. */
  positive: number;
  negative: number;
}

export interface BorderedSolveReport {
  /** Largest contradiction among the redundant rows, in the units of s; 0 to rounding where they are consistent. */
  mismatch: number;
  /** max |r − A x − B y| and max |s − Bᵀ x − C y|; NaN unless the system was kept. */
  chainResidual: number;
  borderResidual: number;
}

/** A border up to this wide is thin. */
const THIN_BORDER = 12;

const grownTo = (array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> =>
  array.length >= length ? array : new Float64Array(length);

export class BorderedChain {
  readonly #keepSystem: boolean;
  #chains: readonly BlockBanded[] = [];
  #columns = new BorderColumns();
  /** copies of the chains before factoring, if the system is kept */
  readonly #kept: BlockBanded[] = [];
  #corner = new Float64Array(0);
  #schur = new Float64Array(0);
  #work = new Float64Array(0);
  #r = new Float64Array(0);
  #s = new Float64Array(0);
  #chainStep = new Float64Array(0);
  #borderStep = new Float64Array(0);
  /** first unknown of each chain, and the total */
  #offsets = new Int32Array(1);
  /** first block of each chain that any column touches (its block count if none does) */
  #firstTouched = new Int32Array(0);
  /** the column being solved that touched the chain last, and its first block there */
  #touchedBy = new Int32Array(0);
  #firstOfColumn = new Int32Array(0);
  #entryChain = new Int32Array(0);
  readonly #dense = new DenseLdlt();
  readonly #thin = new ThinBorder();
  readonly #factorReport: BorderedFactorReport = {
    ok: false,
    failedChain: -1,
    failedBlock: -1,
    redundantRows: 0,
    positive: 0,
    negative: 0,
  };
  readonly #solveReport: BorderedSolveReport = { mismatch: 0, chainResidual: Number.NaN, borderResidual: Number.NaN };

  /** `keepSystem` copies the chains before they are factored, which residuals and refinement need. */
  constructor(options: { readonly keepSystem?: boolean } = {}) {
    this.#keepSystem = options.keepSystem ?? false;
  }

  /**
   * Factors the chains in place and the Schur complement. `corner` is C, row-major, of which the lower triangle is read.
   * Chains and columns are held on to until the next call and must not change meanwhile. The report is reused.
   */
  factor(chains: readonly BlockBanded[], columns: BorderColumns, corner: Float64Array): BorderedFactorReport {
    const m = columns.count;
    if (corner.length < m * m) {
      throw new RangeError(`BorderedChain: the corner has ${corner.length} entries; ${m} columns need ${m * m}.`);
    }
    const report = this.#factorReport;
    report.ok = false;
    this.#chains = chains;
    this.#columns = columns;
    this.#layOut(chains, columns);
    if (this.#keepSystem) this.#keep(chains, corner, m);
    report.redundantRows = report.positive = report.negative = 0;
    report.failedChain = report.failedBlock = -1;
    report.ok = this.#factorChains(chains, report);
    if (!report.ok) return report;
    if (m <= THIN_BORDER) this.#thin.writeSchur(chains, this.#offsets, columns, this.#entryChain, corner, this.#schur);
    else this.#writeSchur(columns, corner);
    const inertia = this.#dense.factor(this.#schur, m);
    report.ok = inertia.ok;
    report.redundantRows = inertia.zero;
    report.positive = inertia.positive;
    report.negative = inertia.negative;
    return report;
  }

  /**
   * Replaces r in `x` and s in `y` by the solution. `refinements` adds that many corrections from the residual (the
   * system must be kept): worth one where A is much worse conditioned than the whole. The report is reused.
   */
  solve(x: Float64Array, y: Float64Array, refinements = 0): BorderedSolveReport {
    if (!this.#factorReport.ok) {
      throw new RangeError('BorderedChain: there is no factorisation to solve with; call factor and check its report.');
    }
    const report = this.#solveReport;
    const unknowns = this.#offsets[this.#chains.length];
    const m = this.#columns.count;
    if (x.length < unknowns || y.length < m) {
      throw new RangeError(
        `BorderedChain: right-hand sides of ${x.length} and ${y.length} entries found; at least ${unknowns} and ${m} are needed.`,
      );
    }
    if (!this.#keepSystem) {
      if (refinements > 0) {
        throw new RangeError('BorderedChain: refinement needs the system; construct it with { keepSystem: true }.');
      }
      report.mismatch = this.#solveOnce(x, y);
      return report;
    }
    for (let i = 0; i < unknowns; i++) this.#r[i] = x[i];
    for (let j = 0; j < m; j++) this.#s[j] = y[j];
    report.mismatch = this.#solveOnce(x, y);
    this.#writeResidual(x, y);
    for (let k = 0; k < refinements; k++) {
      this.#solveOnce(this.#chainStep, this.#borderStep);
      for (let i = 0; i < unknowns; i++) x[i] += this.#chainStep[i];
      for (let j = 0; j < m; j++) y[j] += this.#borderStep[j];
      this.#writeResidual(x, y);
    }
    return report;
  }

  #layOut(chains: readonly BlockBanded[], columns: BorderColumns): void {
    const count = chains.length;
    if (this.#offsets.length < count + 1) {
      this.#offsets = new Int32Array(count + 1);
      this.#firstTouched = new Int32Array(count);
      this.#touchedBy = new Int32Array(count);
      this.#firstOfColumn = new Int32Array(count);
    }
    for (let c = 0; c < count; c++) {
      this.#offsets[c + 1] = this.#offsets[c] + chains[c].length;
      this.#firstTouched[c] = chains[c].blocks;
    }
    const unknowns = this.#offsets[count];
    if (this.#entryChain.length < columns.entries) this.#entryChain = new Int32Array(columns.entries);
    for (let e = 0; e < columns.entries; e++) {
      const row = columns.rows[e];
      if (!(row >= 0 && row < unknowns)) {
        throw new RangeError(
          `BorderedChain: a column has an entry in row ${row}; rows 0 to ${unknowns - 1} are allowed.`,
        );
      }
      const c = this.#findChain(row);
      this.#entryChain[e] = c;
      this.#firstTouched[c] = Math.min(this.#firstTouched[c], this.#blockOf(row, c));
    }
    const m = columns.count;
    this.#schur = grownTo(this.#schur, m * m);
    this.#work = grownTo(this.#work, unknowns);
  }

  /** The last chain that starts at or before the row: empty chains before it start there too. */
  #findChain(row: number): number {
    let low = 0;
    let high = this.#chains.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#offsets[middle] <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #blockOf(row: number, chain: number): number {
    return Math.floor((row - this.#offsets[chain]) / this.#chains[chain].size);
  }

  #keep(chains: readonly BlockBanded[], corner: Float64Array, m: number): void {
    for (let c = 0; c < chains.length; c++) {
      const { size, bandwidth, blocks } = chains[c];
      const held = this.#kept[c];
      if (held?.size !== size || held.bandwidth !== bandwidth) this.#kept[c] = new BlockBanded(blocks, size, bandwidth);
      this.#kept[c].copyFrom(chains[c]);
    }
    this.#corner = grownTo(this.#corner, m * m);
    for (let k = 0; k < m * m; k++) this.#corner[k] = corner[k];
    const unknowns = this.#offsets[chains.length];
    this.#r = grownTo(this.#r, unknowns);
    this.#chainStep = grownTo(this.#chainStep, unknowns);
    this.#s = grownTo(this.#s, m);
    this.#borderStep = grownTo(this.#borderStep, m);
  }

  #factorChains(chains: readonly BlockBanded[], report: BorderedFactorReport): boolean {
    for (let c = 0; c < chains.length; c++) {
      const { ok, failedBlock } = chains[c].factor();
      if (ok) continue;
      report.failedChain = c;
      report.failedBlock = failedBlock;
      return false;
    }
    return true;
  }

  /** Lower triangle of S = C − Bᵀ A⁻¹ B, a row for each column of B. */
  #writeSchur(columns: BorderColumns, corner: Float64Array): void {
    const m = columns.count;
    const { starts, rows, values } = columns;
    this.#touchedBy.fill(-1);
    for (let j = 0; j < m; j++) {
      this.#solveColumn(columns, j);
      for (let i = 0; i <= j; i++) {
        let sum = 0;
        for (let e = starts[i]; e < starts[i + 1]; e++) {
          if (this.#touchedBy[this.#entryChain[e]] === j) sum += values[e] * this.#work[rows[e]];
        }
        this.#schur[j * m + i] = corner[j * m + i] - sum;
      }
    }
  }

  /** Writes A⁻¹ b of column j into the work vector, in the chains that it touches. */
  #solveColumn(columns: BorderColumns, j: number): void {
    const { starts, rows, values } = columns;
    const work = this.#work;
    for (let e = starts[j]; e < starts[j + 1]; e++) {
      const c = this.#entryChain[e];
      const block = this.#blockOf(rows[e], c);
      if (this.#touchedBy[c] !== j) {
        this.#touchedBy[c] = j;
        this.#firstOfColumn[c] = block;
        work.fill(0, this.#offsets[c] + this.#firstTouched[c] * this.#chains[c].size, this.#offsets[c + 1]);
      } else if (block < this.#firstOfColumn[c]) this.#firstOfColumn[c] = block;
    }
    for (let e = starts[j]; e < starts[j + 1]; e++) work[rows[e]] += values[e];
    for (let e = starts[j]; e < starts[j + 1]; e++) {
      const c = this.#entryChain[e];
      if (this.#firstOfColumn[c] < 0) continue;
      this.#chains[c].solveRange(work, this.#offsets[c], this.#firstOfColumn[c], this.#firstTouched[c]);
      this.#firstOfColumn[c] = -1; // solved: other entries of the column in this chain find it done
    }
  }

  #solveOnce(x: Float64Array, y: Float64Array): number {
    const columns = this.#columns;
    let mismatch = 0;
    if (columns.count > 0 && columns.count <= THIN_BORDER) {
      this.#thin.beginSolve(x, y);
      mismatch = this.#dense.solve(y);
      this.#thin.endSolve(x, y);
      return mismatch;
    }
    if (columns.count > 0) {
      for (let c = 0; c < this.#chains.length; c++) {
        const first = this.#firstTouched[c];
        if (first === this.#chains[c].blocks) continue;
        for (let i = this.#offsets[c]; i < this.#offsets[c + 1]; i++) this.#work[i] = x[i];
        this.#chains[c].solveRange(this.#work, this.#offsets[c], 0, first);
      }
      columns.addTransposedProduct(-1, this.#work, y);
      mismatch = this.#dense.solve(y);
      columns.addProduct(-1, y, x);
    }
    for (let c = 0; c < this.#chains.length; c++) this.#chains[c].solve(x, this.#offsets[c]);
    return mismatch;
  }

  /** Residual of the whole system into the step vectors, its largest entries into the report. */
  #writeResidual(x: Float64Array, y: Float64Array): void {
    const unknowns = this.#offsets[this.#chains.length];
    const columns = this.#columns;
    const m = columns.count;
    const chain = this.#chainStep;
    const border = this.#borderStep;
    for (let c = 0; c < this.#chains.length; c++) {
      this.#kept[c].multiply(x, chain, this.#offsets[c], this.#offsets[c]);
    }
    columns.addProduct(1, y, chain);
    this.#solveReport.chainResidual = 0;
    for (let i = 0; i < unknowns; i++) {
      chain[i] = this.#r[i] - chain[i];
      this.#solveReport.chainResidual = Math.max(this.#solveReport.chainResidual, Math.abs(chain[i]));
    }
    for (let j = 0; j < m; j++) {
      let sum = this.#s[j];
      for (let i = 0; i < m; i++) sum -= this.#corner[i <= j ? j * m + i : i * m + j] * y[i];
      border[j] = sum;
    }
    columns.addTransposedProduct(-1, x, border);
    this.#solveReport.borderResidual = 0;
    for (let j = 0; j < m; j++) {
      this.#solveReport.borderResidual = Math.max(this.#solveReport.borderResidual, Math.abs(border[j]));
    }
  }
}
