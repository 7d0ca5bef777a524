/**
 * The convex quadratic problem that qp.ts solves, its scales, and how well a point solves it.
 *
 *   minimise ½ vᵀA v − fᵀv + Σ φ_r(g_r v),   φ_r(x) = max { λ (t_r − x) − ½ c_r λ² : lo_r ≤ λ ≤ hi_r }
 *
 * Its conditions (Karush, Kuhn, Tucker), with s = G v − t + c λ:
 *
 *   A v − f = Gᵀ λ          lo ≤ λ ≤ hi          s_r > 0 ⇒ λ_r = lo_r,   s_r < 0 ⇒ λ_r = hi_r
 *
 *   A  symmetric, positive semi-definite     G  sparse rows g_r     c ≥ 0 compliance     λ multipliers
 *   (−∞, ∞)  equality g v = t       [0, ∞)  inequality g v ≥ t       (−∞, 0]  g v ≤ t       [−b, b]  dry friction: |λ| ≤ b while g v ≠ t
 */
import type { SymmetricBlocks } from './block-mixed.ts';
import type { SparseRows } from './kkt.ts';

export interface QpProblem {
  readonly matrix: SymmetricBlocks;
  /** G and, where rows are soft, c. */
  readonly rows: SparseRows;
  readonly force: Float64Array;
  readonly target: Float64Array;
  /** lo and hi of each row. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** What measuring a point needs of A. */
export type MeasuredMatrix = Pick<SymmetricBlocks, 'size' | 'multiply' | 'computeInfinityNorm'>;

/** A problem that points are measured against, whoever solves it. */
export interface MeasuredProblem extends Omit<QpProblem, 'matrix'> {
  readonly matrix: MeasuredMatrix;
}

/** State of a row: its multiplier is lo (−1), hi (1), or what holds the row at s = 0 (0). */
export const AT_LOWER = -1;
export const HELD = 0;
export const AT_UPPER = 1;

/** How far a point is from the conditions, each number scaled (see `QpScales`): at most 1e-9 where a problem counts as solved. */
export interface QpResidual {
  /** ‖A v − f − Gᵀλ‖∞ relative to the forces. */
  stationarity: number;
  /** Largest s < 0 of a row with hi = ∞, s > 0 with lo = −∞, relative to the row. */
  primal: number;
  /** Largest excess of a multiplier over its bounds, relative to the forces. */
  dual: number;
  /** Largest min(|s|, distance of λ to the bound that the sign of s demands), both relative. */
  complementarity: number;
}

/** Share of ‖A‖‖v‖ that counts as force, and of what rows stop as speed: rounding of 1e-15 in A v or G v then stays below 1e-9. */
const ROUNDING_SHARE = 1e-6;
const FAR = 1e3;

/** Sizes against which deviations are measured, so that nothing depends on units. */
export class QpScales<Problem extends MeasuredProblem = QpProblem> {
  problem!: Problem;
  /** ‖g‖₁ and ‖g‖∞ of each row. */
  rowSum = new Float64Array(0);
  rowPeak = new Float64Array(0);
  /** ‖A‖∞ */
  matrixNorm = 0;
  #forceNorm = 0;
  /** A v of the last point that was measured, and its v. */
  #product = new Float64Array(0);
  #measured = new Float64Array(0);
  #hasProduct = false;
  /** Of the last `measure`: ‖v‖∞ and the size of forces ‖f‖∞ + max |λ_r| ‖g_r‖∞ + 1e-6 ‖A‖∞ ‖v‖∞. */
  speed = 0;
  force = 0;
  /**
   * Where whoever solves knows them: for each row the speeds of which multipliers leave its s. Where all comes to rest, v is rounding of these, and nothing
   * else to measure s by.
   */
  stopped = new Float64Array(0);
  /** v is so large that hardly anything can have resisted it: ‖A‖ ‖v‖ beyond 1e9 times the forces. */
  isFar = false;

  load(problem: Problem): void {
    checkProblem(problem);
    const { matrix, rows, force } = problem;
    this.problem = problem;
    if (this.rowSum.length < rows.count) {
      this.rowSum = new Float64Array(rows.count);
      this.rowPeak = new Float64Array(rows.count);
    }
    if (this.#product.length < matrix.size) {
      this.#product = new Float64Array(matrix.size);
      this.#measured = new Float64Array(matrix.size);
    }
    this.#hasProduct = false;
    for (let r = 0; r < rows.count; r++) {
      this.rowSum[r] = this.rowPeak[r] = 0;
      for (let k = rows.start[r]; k < rows.start[r + 1]; k++) {
        const magnitude = Math.abs(rows.values[k]);
        this.rowSum[r] += magnitude;
        this.rowPeak[r] = Math.max(this.rowPeak[r], magnitude);
      }
    }
    this.matrixNorm = matrix.computeInfinityNorm(this.#product);
    this.#forceNorm = computePeak(force, matrix.size);
  }

  measure(v: Float64Array, multipliers: Float64Array): void {
    const { matrix, rows } = this.problem;
    this.speed = computePeak(v, matrix.size);
    let push = 0;
    for (let r = 0; r < rows.count; r++) push = Math.max(push, Math.abs(multipliers[r]) * this.rowPeak[r]);
    const internal = ROUNDING_SHARE * this.matrixNorm * this.speed;
    this.force = this.#forceNorm + push + internal;
    this.isFar = internal > FAR * (this.#forceNorm + push);
  }

  /** Size of what forms s of row r at the measured point. */
  computeRowScale(r: number, multiplier: number): number {
    const { rows, target } = this.problem;
    const soft = Math.abs((rows.compliance?.[r] ?? 0) * multiplier);
    const stopped = r < this.stopped.length ? ROUNDING_SHARE * this.stopped[r] : 0;
    return this.rowSum[r] * this.speed + soft + Math.abs(target[r]) + stopped;
  }

  /** f + Gᵀλ − A v into `out`; returns its largest magnitude relative to the forces. */
  writeImbalance(v: Float64Array, multipliers: Float64Array, out: Float64Array): number {
    const { matrix, rows, force } = this.problem;
    this.#setProduct(v);
    for (let k = 0; k < matrix.size; k++) out[k] = force[k] - this.#product[k];
    addRowForces(rows, multipliers, out);
    this.measure(v, multipliers);
    return relate(computePeak(out, matrix.size), this.force);
  }

  /** A point is measured several times in a row, with other multipliers: A v is then known. */
  #setProduct(v: Float64Array): void {
    const { matrix } = this.problem;
    const { size } = matrix;
    const last = this.#measured;
    let k = 0;
    if (this.#hasProduct) while (k < size && v[k] === last[k]) k++;
    if (this.#hasProduct && k === size) return;
    for (; k < size; k++) last[k] = v[k];
    this.#hasProduct = true;
    // where corrections begin
    for (k = 0; k < size && v[k] === 0; ) k++;
    if (k === size) this.#product.fill(0, 0, size);
    else matrix.multiply(v, this.#product);
  }
}

/** out += Gᵀ λ */
export function addRowForces(rows: SparseRows, multipliers: Float64Array, out: Float64Array): void {
  for (let r = 0; r < rows.count; r++) {
    const multiplier = multipliers[r];
    if (multiplier === 0) continue;
    for (let k = rows.start[r]; k < rows.start[r + 1]; k++) out[rows.columns[k]] += rows.values[k] * multiplier;
  }
}

/** g_r · x */
export function computeRowProduct(rows: SparseRows, r: number, x: Float64Array): number {
  let sum = 0;
  for (let k = rows.start[r]; k < rows.start[r + 1]; k++) sum += rows.values[k] * x[rows.columns[k]];
  return sum;
}

/** s_r = g_r v − t_r + c_r λ_r */
export function computeGap({ rows, target }: MeasuredProblem, r: number, v: Float64Array, multiplier: number): number {
  const soft = rows.compliance === undefined ? 0 : rows.compliance[r] * multiplier;
  return computeRowProduct(rows, r, v) - target[r] + soft;
}

export const relate = (value: number, scale: number): number => (value === 0 ? 0 : value / scale);

export function computePeak(x: Float64Array, length = x.length): number {
  let peak = 0;
  for (let k = 0; k < length; k++) if (!(Math.abs(x[k]) <= peak)) peak = Math.abs(x[k]);
  return peak;
}

/** Writes all four residuals of a point; returns the largest. `scratch`: as long as v. */
export function writeQpResidual(
  scales: QpScales<MeasuredProblem>,
  v: Float64Array,
  multipliers: Float64Array,
  scratch: Float64Array,
  out: QpResidual,
): number {
  const { problem, rowPeak } = scales;
  const { rows, lower, upper } = problem;
  out.stationarity = scales.writeImbalance(v, multipliers, scratch);
  out.primal = out.dual = out.complementarity = 0;
  for (let r = 0; r < rows.count; r++) {
    const multiplier = multipliers[r];
    const gap = computeGap(problem, r, v, multiplier);
    const size = relate(Math.abs(gap), scales.computeRowScale(r, multiplier));
    const excess = Math.max(0, lower[r] - multiplier, multiplier - upper[r]);
    out.dual = Math.max(out.dual, relate(excess * rowPeak[r], scales.force));
    if (gap === 0) continue;
    const room = gap > 0 ? multiplier - lower[r] : upper[r] - multiplier;
    if (room === Number.POSITIVE_INFINITY) out.primal = Math.max(out.primal, size);
    else out.complementarity = Math.max(out.complementarity, Math.min(size, relate(room * rowPeak[r], scales.force)));
  }
  return Math.max(out.stationarity, out.primal, out.dual, out.complementarity);
}

function checkProblem({ matrix, rows, force, target, lower, upper }: MeasuredProblem): void {
  if (force.length < matrix.size) {
    throw new RangeError(`solveQp: force has ${force.length} entries; the matrix has ${matrix.size} rows.`);
  }
  for (const [name, list] of [
    ['target', target],
    ['lower', lower],
    ['upper', upper],
  ] as const) {
    if (list.length < rows.count) {
      throw new RangeError(`solveQp: ${name} has ${list.length} entries; there are ${rows.count} rows.`);
    }
  }
  for (let r = 0; r < rows.count; r++) {
    if (!(lower[r] <= upper[r]) || lower[r] === Number.POSITIVE_INFINITY || upper[r] === Number.NEGATIVE_INFINITY) {
      throw new RangeError(
        `solveQp: the multiplier of row ${r} has the bounds ${lower[r]} and ${upper[r]}; lower must not exceed upper, and one finite number must fit between.`,
      );
    }
    if (rows.compliance !== undefined && !(rows.compliance[r] >= 0)) {
      throw new RangeError(`solveQp: the compliance of row ${r} is ${rows.compliance[r]}; it must be 0 or more.`);
    }
  }
}
