/**
 * What the iterative solvers share: operators as functions, options, the report.
 * Residuals are true ones, ‖b − A x‖₂ / ‖b‖₂ (‖b − A x‖₂ where b = 0), computed from A at the end, not from a recurrence; but where a solve
 * ended by its `energyTolerance`.
 */

/** out = A x; the two arrays are different and both belong to the caller. */
export type LinearOperator = (x: Float64Array, out: Float64Array) => void;

export interface IterativeOptions {
  /** Residual at which the solve ends. Default 1e-10. */
  readonly tolerance?: number;
  /**
   * The solve also ends when the error e of x, estimated from the last iterations, is at most this share of x in the norm √(eᵀAe). For good
   * preconditioners, with which every iteration takes away a large part of the error. Only conjugate gradients look at it. Default: no.
   */
  readonly energyTolerance?: number;
  /** Default: 10 × the number of unknowns, at least 100. */
  readonly maxIterations?: number;
  /** Whether to start from zero, whatever x is: saves a multiplication by A. Default: from x. */
  readonly startsAtZero?: boolean;
  /** Symmetric positive definite approximation of A⁻¹. Default: none. */
  readonly preconditioner?: LinearOperator;
}

export interface IterativeReport {
  /** Multiplications by A in the iteration; those that check the residual are not counted. */
  iterations: number;
  residual: number;
  converged: boolean;
  /** The method met something it cannot go on with: see the solver for what. x is the last iterate before it. */
  breakdown: boolean;
}

/** What every solver's workspace has; reuse one and nothing is allocated by a solve. */
export class IterativeWorkspace {
  readonly size: number;
  /** The report of the last solve with this workspace. */
  readonly report: IterativeReport = { iterations: 0, residual: Number.NaN, converged: false, breakdown: false };
  /** Of the solve under way: residual at which it ends, most iterations, ‖b‖ (1 where b = 0). */
  tolerance = 0;
  maxIterations = 0;
  scale = 1;

  constructor(size: number) {
    this.size = size;
  }

  /** Checks the sizes, reads the options and clears the report. `solver` names it in the error. */
  begin(solver: string, b: Float64Array, x: Float64Array, options: IterativeOptions): void {
    const n = b.length;
    if (this.size !== n || x.length !== n) {
      throw new RangeError(
        `${solver}: b has ${n} entries, x ${x.length} and the workspace ${this.size}; all three must have the same size.`,
      );
    }
    this.tolerance = options.tolerance ?? 1e-10;
    this.maxIterations = options.maxIterations ?? Math.max(100, 10 * n);
    const norm = Math.sqrt(computeDot(b, b, n));
    this.scale = norm > 0 ? norm : 1;
    this.report.iterations = 0;
    this.report.converged = this.report.breakdown = false;
  }
}

/** aᵀb in four sums, so that none waits for the one before. */
export function computeDot(a: Float64Array, b: Float64Array, n: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let k = 0;
  for (; k + 4 <= n; k += 4) {
    s0 += a[k] * b[k];
    s1 += a[k + 1] * b[k + 1];
    s2 += a[k + 2] * b[k + 2];
    s3 += a[k + 3] * b[k + 3];
  }
  for (; k < n; k++) s0 += a[k] * b[k];
  return s0 + s1 + (s2 + s3);
}

/** r = b − A x; returns ‖r‖₂. */
export function writeResidual(
  apply: LinearOperator,
  b: Float64Array,
  x: Float64Array,
  r: Float64Array,
  n: number,
): number {
  apply(x, r);
  for (let k = 0; k < n; k++) r[k] = b[k] - r[k];
  return Math.sqrt(computeDot(r, r, n));
}
