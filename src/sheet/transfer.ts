/**
 * Velocities of a sheet after its mesh has changed: those next to the old ones, in the norm of the inertia, among those allowed.
 * [Piddington 2017, Eqs. 5.1 and 5.2]
 *
 *     minimise  ½ ∫ ρ |v − v_old|² dA  =  ½ q̇ᵀ M q̇ − fᵀ q̇ + const     subject to rows  G q̇ = t, G q̇ ≥ t
 *
 *   v = Σ φ_i (ẋ_i − F Ẋ_i)  velocity of the material     M = ∫ ρ Jᵀφφ J  inertia     f = ∫ ρ Jᵀ φ_i v_old  impulse of the old motion
 *
 * (5.1) has all vertices free, (5.2) only new ones and E-vertices: q̇ = P q̇_RM + p. The thesis interpolates q̇_old at the new
 * vertices and takes f = M q̇_old (it prints the wrong sign), which is another motion where vertices went; here the integral is taken on the
 * common refinement of both meshes, exactly. So without rows (5.1) keeps momentum to rounding, never gains kinetic energy (v is a
 * projection of v_old), and leaves every motion that is linear in the material as it is; (5.2) is cheaper and keeps only the last.
 */
import { NODE_LAGRANGIAN } from '../model/index.ts';
import { solveQp } from '../sparse/index.ts';
import type { SheetState } from './state.ts';
import { STRIDE } from './state.ts';
import { findHeldDirections, fitVelocity } from './transfer-fit.ts';
import { addTransferImpulse, type SheetMotion } from './transfer-impulse.ts';
import { TransferProblem } from './transfer-problem.ts';
import { NO_ROWS, type VelocityRows } from './velocity-rows.ts';

export interface TransferReport {
  /** False: the velocities are as they were; rows contradict each other. */
  readonly ok: boolean;
  /** Conjugate gradients where rows hold single vertices, else the convex solver. */
  readonly method: 'gradients' | 'quadratic';
  /** Largest residual, relative. */
  readonly residual: number;
}

/** (5.1): overwrites the velocities of `state`, whose mesh is new. Where the rows contradict each other it leaves them, and the report says so. */
export function transferVelocity(from: SheetMotion, state: SheetState, rows = NO_ROWS): TransferReport {
  return solve(from, state, rows, new Uint8Array(state.count).fill(1));
}

/** (5.2): the same, but vertices that were there before and carry material keep their velocities. */
export function transferVelocityToNew(from: SheetMotion, state: SheetState, rows = NO_ROWS): TransferReport {
  const known = new Set(from.label);
  return solve(
    from,
    state,
    rows,
    state.kind.map((kind, i) => (kind !== NODE_LAGRANGIAN || !known.has(state.label[i]) ? 1 : 0)),
  );
}

function solve(from: SheetMotion, state: SheetState, rows: VelocityRows, isFree: Uint8Array): TransferReport {
  const impulse = new Float64Array(STRIDE * state.count);
  addTransferImpulse(from, state, impulse);
  const held = findHeldDirections(state, rows);
  if (held) {
    const { ok, residual } = fitVelocity(state, impulse, isFree, held);
    if (ok) return { ok, method: 'gradients', residual };
  }
  const problem = new TransferProblem(state, isFree, impulse);
  problem.addInertia();
  const { v, report } = solveQp(problem.create(rows));
  const ok = report.status === 'solved';
  if (ok) problem.writeVelocities(v);
  return { ok, method: 'quadratic', residual: report.error };
}
