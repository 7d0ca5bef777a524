/**
 * MINRES for A x = b with A symmetric: definite, indefinite, or singular with b in its range.
 *
 * Source: [Paige 1975]; Lanczos
 * vectors v_k with α_k = v_kᵀ A v_k, and the QR factors of the tridiagonal matrix by Givens rotations (c, s); with a positive definite
 * preconditioner M⁻¹ the residual is minimised in its norm. From x = 0 a singular consistent system gets its solution of least norm (M = I).
 *
 * Where b is not in the range of A the iteration ends at a least-squares solution (A r ≈ 0): converged is false, breakdown too.
 * Breakdown: rᵀM⁻¹r < 0 (M is not positive definite) or a number that is not finite.
 */
import { computeHypot2 } from '../math/index.ts';
import {
  computeDot,
  type IterativeOptions,
  type IterativeReport,
  IterativeWorkspace,
  type LinearOperator,
  writeResidual,
} from './iterative.ts';

/** Vectors for solves of `size` unknowns; reuse one and nothing is allocated by a solve. */
export class MinresWorkspace extends IterativeWorkspace {
  readonly older: Float64Array;
  readonly newer: Float64Array;
  readonly y: Float64Array;
  readonly v: Float64Array;
  readonly w: readonly [Float64Array, Float64Array, Float64Array];
  readonly check: Float64Array;

  constructor(size: number) {
    super(size);
    this.older = new Float64Array(size);
    this.newer = new Float64Array(size);
    this.y = new Float64Array(size);
    this.v = new Float64Array(size);
    this.w = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
    this.check = new Float64Array(size);
  }
}

/** Solves A x = b in place, starting from the given x. */
export function minres(
  apply: LinearOperator,
  b: Float64Array,
  x: Float64Array,
  options: IterativeOptions = {},
  workspace: MinresWorkspace = new MinresWorkspace(b.length),
): IterativeReport {
  workspace.begin('minres', b, x, options);
  const n = b.length;
  const { report, tolerance, maxIterations, scale } = workspace;
  report.residual = writeResidual(apply, b, x, workspace.newer, n) / scale;
  let previous = Number.POSITIVE_INFINITY;
  // a run that ends above the tolerance because rounding spoiled the recurrence is started again while that still helps
  while (report.residual > tolerance && report.residual < previous / 2 && report.iterations < maxIterations) {
    previous = report.residual;
    iterate(apply, b, x, workspace, {
      tolerance: tolerance * scale,
      maxIterations,
      preconditioner: options.preconditioner,
    });
    report.residual = writeResidual(apply, b, x, workspace.newer, n) / scale;
    if (report.breakdown) break;
  }
  if (!Number.isFinite(report.residual)) report.breakdown = true;
  report.converged = report.residual <= tolerance;
  return report;
}

interface Run {
  readonly tolerance: number;
  readonly maxIterations: number;
  readonly preconditioner: LinearOperator | undefined;
}

/** One run from the residual in workspace.newer. */
function iterate(apply: LinearOperator, b: Float64Array, x: Float64Array, workspace: MinresWorkspace, run: Run): void {
  const { older, newer, v, report } = workspace;
  const n = x.length;
  const y = workspace.y;
  const precondition = (): number => {
    if (run.preconditioner) run.preconditioner(newer, y);
    else y.set(newer);
    return computeDot(newer, y, n);
  };
  let [w, w1, w2] = workspace.w;
  w.fill(0);
  w2.fill(0);
  let square = precondition();
  if (!(square > 0 && square < Number.POSITIVE_INFINITY)) {
    report.breakdown = square !== 0;
    return;
  }
  let beta = Math.sqrt(square);
  let oldBeta = 0;
  let phiBar = beta; // ‖r‖ in the norm of M⁻¹
  let deltaBar = 0;
  let epsilon = 0;
  let c = -1;
  let s = 0;
  let normSquare = 0; // ‖T‖_F², an estimate of ‖A‖²
  let target = (phiBar * run.tolerance) / Math.sqrt(computeDot(newer, newer, n));
  for (let step = 0; report.iterations < run.maxIterations; step++) {
    for (let k = 0; k < n; k++) v[k] = y[k] / beta;
    apply(v, y);
    report.iterations++;
    if (step > 0) for (let k = 0; k < n; k++) y[k] -= (beta / oldBeta) * older[k];
    const alpha = computeDot(v, y, n);
    for (let k = 0; k < n; k++) {
      const next = y[k] - (alpha / beta) * newer[k];
      older[k] = newer[k];
      newer[k] = next;
    }
    square = precondition();
    if (!(square >= 0 && square < Number.POSITIVE_INFINITY)) {
      report.breakdown = true;
      return;
    }
    oldBeta = beta;
    beta = Math.sqrt(square);
    normSquare += alpha * alpha + oldBeta * oldBeta * (step > 0 ? 1 : 0) + beta * beta;

    const oldEpsilon = epsilon;
    const delta = c * deltaBar + s * alpha;
    const gammaBar = s * deltaBar - c * alpha;
    epsilon = s * beta;
    deltaBar = -c * beta;
    const norm = Math.sqrt(normSquare);
    // ‖A r‖ ≪ ‖A‖ ‖r‖ while r no longer falls: a least-squares solution; rounding lets ‖A r‖ come down to √ε only
    if (computeHypot2(gammaBar, deltaBar) <= 1e-7 * norm && 1 - s <= Number.EPSILON) return;
    const gamma = Math.max(computeHypot2(gammaBar, beta), Number.EPSILON * norm);
    c = gammaBar / gamma;
    s = beta / gamma;
    const phi = c * phiBar;
    phiBar *= s;

    const oldest = w1;
    w1 = w2;
    w2 = w;
    w = oldest;
    for (let k = 0; k < n; k++) {
      w[k] = (v[k] - oldEpsilon * w1[k] - delta * w2[k]) / gamma;
      x[k] += phi * w[k];
    }
    if (phiBar <= target || beta <= Number.EPSILON * norm) {
      const residual = writeResidual(apply, b, x, workspace.check, n);
      if (residual <= run.tolerance || beta <= Number.EPSILON * norm) return;
      target = phiBar * Math.min(0.5, (0.5 * run.tolerance) / residual);
    }
  }
}
