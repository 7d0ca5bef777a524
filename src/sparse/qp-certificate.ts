/**
 * Proofs that a problem of qp-problem.ts has no solution, checked by themselves, wherever they come from.
 *
 *   infeasible   y with Gᵀy = 0, tᵀy > 0 (Farkas): y_r ≥ 0 only where hi_r = ∞, y_r ≤ 0 only where lo_r = −∞, y_r = 0 where c_r > 0.
 *                Any v that met the rows would give 0 = yᵀG v ≥ yᵀt > 0.
 *   unbounded    d with A d = 0 and fᵀd > Σ σ_r, σ_r = −lo_r g_r d where g_r d > 0, −hi_r g_r d where g_r d < 0 (growth of φ_r):
 *                the value falls without end along v + τ d.
 */
import { computePeak, computeRowProduct, type QpProblem, type QpScales } from './qp-problem.ts';

/** Deviation that a proof may have, relative to the numbers that form it, and what it must show at least. */
const EXACT = 1e-8;
const ROUNDING = 1e-14;
/** ‖A d‖ / (‖A‖ ‖d‖) up to which d is a null vector: below what a mass leaves beside springs 1e10 as stiff. */
const NULL = 1e-13;
const SMALLEST_GAIN = 1e-9;
const SMALLEST_SLOPE = 1e-5;

/** Sets the entries that a proof of infeasibility may not have to zero, scales the rest to a largest |y_r|‖g_r‖∞ of 1, and tells whether it is one. */
export function makeInfeasibilityProof(scales: QpScales, y: Float64Array): boolean {
  const { rows, target, lower, upper, matrix } = scales.problem;
  let peak = 0;
  for (let r = 0; r < rows.count; r++) {
    const open = y[r] > 0 ? upper[r] === Number.POSITIVE_INFINITY : lower[r] === Number.NEGATIVE_INFINITY;
    if (!open || (rows.compliance?.[r] ?? 0) > 0) y[r] = 0;
    peak = Math.max(peak, Math.abs(y[r]) * (scales.rowPeak[r] || 1));
  }
  if (!(peak > 0 && peak < Number.POSITIVE_INFINITY)) return false;
  const sum = new Float64Array(matrix.size);
  const parts = new Float64Array(matrix.size);
  let gain = 0;
  let size = 0;
  for (let r = 0; r < rows.count; r++) {
    y[r] /= peak;
    gain += y[r] * target[r];
    size += Math.abs(y[r] * target[r]);
    for (let k = rows.start[r]; k < rows.start[r + 1]; k++) {
      sum[rows.columns[k]] += y[r] * rows.values[k];
      parts[rows.columns[k]] += Math.abs(y[r] * rows.values[k]);
    }
  }
  if (!(gain > SMALLEST_GAIN * size)) return false;
  // what rounding leaves of Gᵀy would need a v of gain / ‖Gᵀy‖ to be of use: far beyond what the targets ask for
  return computePeak(sum) <= Math.max((EXACT * gain) / size, ROUNDING) * computePeak(parts);
}

/** Scales d to a largest entry of 1 and tells whether it proves that the problem is unbounded. */
export function makeUnboundednessProof(scales: QpScales, d: Float64Array): boolean {
  const problem: QpProblem = scales.problem;
  const { matrix, rows, force, lower, upper } = problem;
  const n = matrix.size;
  const peak = computePeak(d, n);
  if (!(peak > 0 && peak < Number.POSITIVE_INFINITY)) return false;
  for (let k = 0; k < n; k++) d[k] /= peak;
  const product = new Float64Array(n);
  matrix.multiply(d, product);
  if (computePeak(product) > NULL * scales.matrixNorm) return false;
  let gain = 0;
  let size = 0;
  for (let k = 0; k < n; k++) {
    gain += force[k] * d[k];
    size += Math.abs(force[k] * d[k]);
  }
  for (let r = 0; r < rows.count; r++) {
    const change = computeRowProduct(rows, r, d);
    if (Math.abs(change) <= EXACT * scales.rowSum[r]) continue;
    if ((rows.compliance?.[r] ?? 0) > 0 && lower[r] === Number.NEGATIVE_INFINITY && change > 0) return false;
    const growth = change > 0 ? -lower[r] * change : -upper[r] * change;
    gain -= growth;
    size += Math.abs(growth);
  }
  return gain > SMALLEST_SLOPE * size;
}
