/**
 * Do the rows of a problem contradict each other? The answer where neither active set nor interior points gave one.
 *
 *   minimise ½ Σ (what g_r v misses of t_r)² + ½ ε ‖v − v₀‖²,   v₀ ← v until the second term no longer counts
 *
 * Rows scaled to ‖g‖∞ = 1; rows that can be left unmet at a finite price (c > 0, boxes) do not take part. It always has a
 * solution, and what it misses is a proof: at the minimum Gᵀλ = 0 and tᵀλ = ‖λ‖² > 0 for λ = t − G v of the rows that are not met.
 */
import { BlockMixed } from './block-mixed.ts';
import type { QpSolver } from './qp.ts';
import { makeInfeasibilityProof } from './qp-certificate.ts';
import type { QpProblem, QpScales } from './qp-problem.ts';

const PROXIMITY = 1e-8;
const MOST_TURNS = 12;

/** y as in qp-certificate.ts; nothing where the rows can be met, or where it could not be found out. */
export function findInfeasibilityProof(scales: QpScales, solver: QpSolver): Float64Array | undefined {
  const relaxed = relax(scales);
  if (relaxed === undefined) return undefined;
  const { matrix, rows, force, lower, upper } = relaxed;
  const v = new Float64Array(matrix.size);
  const multipliers = new Float64Array(rows.count);
  const states = new Int8Array(rows.count);
  for (let r = 0; r < rows.count; r++) states[r] = Number.isFinite(lower[r]) ? -1 : Number.isFinite(upper[r]) ? 1 : 0;
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    for (let k = 0; k < v.length; k++) force[k] = PROXIMITY * v[k];
    const { status } = solver.solve(relaxed, v, multipliers, states);
    if (status !== 'solved') return undefined;
    const proof = multipliers.map((value, r) => (scales.rowPeak[r] > 0 ? value / scales.rowPeak[r] : value));
    if (makeInfeasibilityProof(scales, proof)) return proof;
  }
  return undefined;
}

/** The problem above with rows of largest entry 1; nothing where no row is strict. */
function relax({ problem, rowPeak }: QpScales): QpProblem | undefined {
  const { rows } = problem;
  const { pattern, sizes } = problem.matrix;
  const matrix = new BlockMixed(pattern, sizes);
  for (let j = 0; j < pattern.n; j++) {
    const at = matrix.valueStart[pattern.columnStart[j]];
    for (let c = 0; c < sizes[j]; c++) matrix.values[at + c * (sizes[j] + 1)] = PROXIMITY;
  }
  const values = rows.values.slice();
  const target = problem.target.slice();
  const lower = new Float64Array(rows.count);
  const upper = new Float64Array(rows.count);
  let strict = 0;
  for (let r = 0; r < rows.count; r++) {
    const scale = rowPeak[r] > 0 ? rowPeak[r] : 1;
    for (let k = rows.start[r]; k < rows.start[r + 1]; k++) values[k] /= scale;
    target[r] /= scale;
    if ((rows.compliance?.[r] ?? 0) > 0) continue;
    if (problem.lower[r] === Number.NEGATIVE_INFINITY) lower[r] = Number.NEGATIVE_INFINITY;
    if (problem.upper[r] === Number.POSITIVE_INFINITY) upper[r] = Number.POSITIVE_INFINITY;
    if (lower[r] !== upper[r]) strict++;
  }
  if (strict === 0) return undefined;
  const { count, start, columns } = rows;
  const soft = { count, start, columns, values, compliance: new Float64Array(count).fill(1) };
  return { matrix, rows: soft, force: new Float64Array(matrix.size), target, lower, upper };
}
