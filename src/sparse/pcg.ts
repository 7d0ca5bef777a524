/**
 * Preconditioned conjugate gradients for A x = b, A symmetric positive definite, or semi-definite with b in its range.
 *
 *   α = rᵀz / pᵀAp,   x += α p,   r −= α A p,   z = M⁻¹ r,   p = z + (r₊ᵀz₊ / rᵀz) p        [Hestenes 1952]
 *
 * When the recurrence reaches the tolerance the true residual is computed; while that is larger, the method starts again from it, so that
 * drift of the recurrence is neither hidden nor fatal. Each iteration lessens eᵀAe, e the error of x, by α rᵀz, and xᵀAx is the sum of these where
 * x started from zero [Strakoš 2002]: where the error in that norm is what counts, `energyTolerance` ends the
 * solve once the decreases, going on to fall at the slower of their last two rates (of the first and FIRST_RATE), would not sum up to more. Breakdown: pᵀAp ≤ 0 or rᵀM⁻¹r ≤ 0 (A or M is not positive definite) or a
 * number that is not finite.
 */
import {
  computeDot,
  type IterativeOptions,
  type IterativeReport,
  IterativeWorkspace,
  type LinearOperator,
  writeResidual,
} from './iterative.ts';

/** Rate that a single one must not be trusted to be below: the first step of a good preconditioner takes more off than those after it. */
const FIRST_RATE = 0.05;

/** Vectors for solves of up to `size` unknowns; reuse one and nothing is allocated by a solve. */
export class PcgWorkspace extends IterativeWorkspace {
  readonly r: Float64Array;
  readonly z: Float64Array;
  readonly p: Float64Array;
  readonly product: Float64Array;

  /** `vectors`: four of them to work in, where the operators want theirs in a place of their own. */
  constructor(
    size: number,
    vectors: readonly Float64Array[] = Array.from({ length: 4 }, () => new Float64Array(size)),
  ) {
    super(size);
    [this.r, this.z, this.p, this.product] = vectors;
  }
}

/** Solves A x = b in place, starting from the given x, or from zero. */
export function pcg(
  apply: LinearOperator,
  b: Float64Array,
  x: Float64Array,
  options: IterativeOptions = {},
  workspace: PcgWorkspace = new PcgWorkspace(b.length),
): IterativeReport {
  workspace.begin('pcg', b, x, options);
  const n = b.length;
  const { report, tolerance, maxIterations, scale } = workspace;
  let previous = Number.POSITIVE_INFINITY;
  let isZero = options.startsAtZero === true;
  for (;;) {
    report.residual = (isZero ? writeStart(b, x, workspace.r, n) : writeResidual(apply, b, x, workspace.r, n)) / scale;
    isZero = false;
    report.converged = report.residual <= tolerance;
    if (!Number.isFinite(report.residual)) report.breakdown = true;
    const stalled = report.residual > previous / 2;
    if (report.converged || report.breakdown || stalled || report.iterations >= maxIterations) return report;
    previous = report.residual;
    if (iterate(apply, x, workspace, tolerance * scale, maxIterations, options)) {
      report.converged = true;
      return report;
    }
    if (report.breakdown) {
      report.residual = writeResidual(apply, b, x, workspace.r, n) / scale;
      return report;
    }
  }
}

/** x = 0, r = b; returns ‖r‖₂. */
function writeStart(b: Float64Array, x: Float64Array, r: Float64Array, n: number): number {
  x.fill(0);
  r.set(b);
  return Math.sqrt(computeDot(r, r, n));
}

/** One run of the recurrence from the residual in workspace.r until ‖r‖ ≤ target; true where it ended by the energy. */
function iterate(
  apply: LinearOperator,
  x: Float64Array,
  workspace: PcgWorkspace,
  target: number,
  maxIterations: number,
  { preconditioner, energyTolerance = 0 }: IterativeOptions,
): boolean {
  const { r, p, product, report } = workspace;
  const z = preconditioner ? workspace.z : r;
  const n = x.length;
  preconditioner?.(r, z);
  p.set(z);
  let rz = computeDot(r, z, n);
  let energy = 0;
  let lastDecrease = Number.POSITIVE_INFINITY;
  let lastRate = Number.POSITIVE_INFINITY;
  while (report.iterations < maxIterations) {
    if (!(rz > 0 && rz < Number.POSITIVE_INFINITY)) {
      report.breakdown = true;
      return false;
    }
    apply(p, product);
    const curvature = computeDot(p, product, n);
    if (!(curvature > 0 && curvature < Number.POSITIVE_INFINITY)) {
      report.breakdown = true;
      return false;
    }
    report.iterations++;
    const alpha = rz / curvature;
    for (let k = 0; k < n; k++) {
      x[k] += alpha * p[k];
      r[k] -= alpha * product[k];
    }
    const square = computeDot(r, r, n);
    if (Math.sqrt(square) <= target) return false;
    const decrease = alpha * rz;
    energy += decrease;
    const rate = decrease / lastDecrease;
    const slower = Math.max(rate, lastRate);
    lastRate = report.iterations > 1 ? rate : FIRST_RATE;
    lastDecrease = decrease;
    if (slower < 1 && (decrease * slower) / (1 - slower) <= energyTolerance * energyTolerance * energy) {
      report.residual = Math.sqrt(square) / workspace.scale;
      return true;
    }
    preconditioner?.(r, z);
    const next = computeDot(r, z, n);
    const beta = next / rz;
    rz = next;
    for (let k = 0; k < n; k++) p[k] = z[k] + beta * p[k];
  }
  return false;
}
