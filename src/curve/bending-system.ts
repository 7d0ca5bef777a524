/**
 * Bending of a whole curve added to the linear system of one Newton iteration: the loop of BENDING (`bending.ts`).
 *     A += (h² + βh) K      r += h f − (s h² + βh) K v          symbols as in `axial.ts`
 * Couples three consecutive nodes, so the matrix has two bands beside the diagonal.
 */
import { CANCEL_U } from '../model/index.ts';
import type { BlockBanded } from '../sparse/index.ts';
import type { AxialStage } from './axial.ts';
import type { BendingStencil } from './bending.ts';
import type { CurveChain } from './chain.ts';

/** Adds to bands 0 and 1, overwrites band 2. */
export function addBendingSystem(
  chain: CurveChain,
  stage: AxialStage,
  stencil: BendingStencil,
  matrix: BlockBanded,
  rhs: Float64Array,
): void {
  const { q, v, cancelled, count } = chain;
  const { h, stiffnessDamping: beta } = stage;
  const [diag, near, far] = matrix.bands;
  const stiff = h * h + beta * h;
  const product = (stage.linearized ? h * h : 0) + beta * h;
  const { gradient, inPlane: w, outOfPlane: o } = stencil;
  far.fill(0, 0, 16 * count);
  for (let n = 0; n + 2 < count; n++) {
    const i = 4 * n;
    stencil.set(q, i, chain.material.bendingStiffness);
    for (let k = 0; k < 3; k++) if (cancelled[n + k] & CANCEL_U) w[4 * k + 3] = 0;
    let wv = 0;
    let ov = 0;
    for (let k = 0; k < 12; k++) {
      wv += w[k] * v[i + k];
      ov += o[k] * v[i + k];
    }
    const k1 = stencil.inPlaneStiffness;
    const k2 = stencil.outOfPlaneStiffness;
    const p1 = product * k1 * wv;
    const p2 = product * k2 * ov;
    for (let k = 0; k < 3; k++) {
      rhs[i + k] += h * gradient[k] - p1 * w[k] - p2 * o[k];
      rhs[i + 4 + k] += h * (gradient[3 + k] - gradient[k]) - p1 * w[4 + k] - p2 * o[4 + k];
      rhs[i + 8 + k] -= h * gradient[3 + k] + p1 * w[8 + k] + p2 * o[8 + k];
    }
    if (!(cancelled[n] & CANCEL_U)) rhs[i + 3] += h * gradient[6] - p1 * w[3];
    if (!(cancelled[n + 2] & CANCEL_U)) rhs[i + 11] -= h * gradient[6] + p1 * w[11];
    const a1 = stiff * k1;
    const a2 = stiff * k2;
    const D = 16 * n;
    for (let r = 0; r < 4; r++) {
      for (let c = 0; c < 4; c++) {
        const at = D + 4 * r + c;
        diag[at] += a1 * w[r] * w[c] + a2 * o[r] * o[c];
        diag[at + 16] += a1 * w[4 + r] * w[4 + c] + a2 * o[4 + r] * o[4 + c];
        diag[at + 32] += a1 * w[8 + r] * w[8 + c] + a2 * o[8 + r] * o[8 + c];
        near[at] += a1 * w[4 + r] * w[c] + a2 * o[4 + r] * o[c];
        near[at + 16] += a1 * w[8 + r] * w[4 + c] + a2 * o[8 + r] * o[4 + c];
        far[at] = a1 * w[8 + r] * w[c] + a2 * o[8 + r] * o[c];
      }
    }
  }
}
