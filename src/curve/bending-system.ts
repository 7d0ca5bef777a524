/**
 * Bending of a whole curve added to the linear system of one Newton iteration: the loop of BENDING (`bending.ts`).
 *     A += (h² + βh) k₁ w wᵀ + h² k₂ o oᵀ      r += h f − (s h² + βh) k₁ w wᵀv − s h² k₂ o oᵀv          symbols as in `axial.ts`
 *     w = (a, b, c)  in the plane of the bend     o = (o, p, q)  out of it, node by node
 * Damping is the gradient of ½ β k₁ (w·v)², the rate of the angle. Out of its plane three nodes only turn, as a whole: that is no rate of an
 * angle, and is damped only where the curve is straight, which has no plane.
 * Couples three consecutive nodes, so the matrix has two bands beside the diagonal.
 */
import { NODE_LAGRANGIAN } from '../model/index.ts';
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
  const { q, v, kind } = chain;
  // with the image behind the seam of a loop, whose segment has no axial part
  const count = chain.closed ? chain.count + 1 : chain.count;
  const { h, stiffnessDamping: beta } = stage;
  const [diag, near, far] = matrix.bands;
  const stiff = h * h + beta * h;
  const product = (stage.linearized ? h * h : 0) + beta * h;
  const elastic = stage.linearized ? h * h : 0;
  const { gradient, slope, inPlane: w, outOfPlane: o } = stencil;
  far.fill(0, 0, 16 * count);
  if (chain.closed) {
    diag.fill(0, 16 * count - 16, 16 * count);
    near.fill(0, 16 * count - 32, 16 * count);
    rhs.fill(0, 4 * count - 4, 4 * count);
  }
  stencil.bendingStiffness = chain.material.bendingStiffness;
  for (let n = 0; n + 2 < count; n++) {
    const i = 4 * n;
    stencil.setSpan(chain, n + 1);
    stencil.set(q, i);
    const free0 = kind[n] !== NODE_LAGRANGIAN;
    const free2 = kind[n + 2] !== NODE_LAGRANGIAN;
    const ax = w[0];
    const ay = w[1];
    const az = w[2];
    const bx = w[4];
    const by = w[5];
    const bz = w[6];
    const cx = w[8];
    const cy = w[9];
    const cz = w[10];
    const ox = o[0];
    const oy = o[1];
    const oz = o[2];
    const px = o[4];
    const py = o[5];
    const pz = o[6];
    const qx = o[8];
    const qy = o[9];
    const qz = o[10];
    let wv = ax * v[i] + ay * v[i + 1] + az * v[i + 2] + (bx * v[i + 4] + by * v[i + 5] + bz * v[i + 6]);
    wv += cx * v[i + 8] + cy * v[i + 9] + cz * v[i + 10];
    let ov = ox * v[i] + oy * v[i + 1] + oz * v[i + 2] + (px * v[i + 4] + py * v[i + 5] + pz * v[i + 6]);
    ov += qx * v[i + 8] + qy * v[i + 9] + qz * v[i + 10];
    if (free0) wv += w[3] * v[i + 3];
    if (free2) wv += w[11] * v[i + 11];
    const free1 = slope[1] !== 0 && kind[n + 1] !== NODE_LAGRANGIAN;
    if (free1) wv += w[7] * v[i + 7];

    const k1 = stencil.inPlaneStiffness;
    const k2 = stencil.outOfPlaneStiffness;
    const p1 = product * k1 * wv;
    const p2 = (stencil.isStraight ? product : elastic) * k2 * ov;
    const fx = h * gradient[0];
    const fy = h * gradient[1];
    const fz = h * gradient[2];
    const gx = h * gradient[3];
    const gy = h * gradient[4];
    const gz = h * gradient[5];
    rhs[i] += fx - p1 * ax - p2 * ox;
    rhs[i + 1] += fy - p1 * ay - p2 * oy;
    rhs[i + 2] += fz - p1 * az - p2 * oz;
    rhs[i + 4] += gx - fx - p1 * bx - p2 * px;
    rhs[i + 5] += gy - fy - p1 * by - p2 * py;
    rhs[i + 6] += gz - fz - p1 * bz - p2 * pz;
    rhs[i + 8] -= gx + p1 * cx + p2 * qx;
    rhs[i + 9] -= gy + p1 * cy + p2 * qy;
    rhs[i + 10] -= gz + p1 * cz + p2 * qz;

    // a₁ w wᵀ + a₂ o oᵀ, row by row of the world coordinates
    const a1 = stiff * k1;
    const a2 = (stencil.isStraight ? stiff : h * h) * k2;
    const D = 16 * n;
    for (let r = 0; r < 3; r++) {
      const w0 = a1 * w[r];
      const w1 = a1 * w[4 + r];
      const w2 = a1 * w[8 + r];
      const o0 = a2 * o[r];
      const o1 = a2 * o[4 + r];
      const o2 = a2 * o[8 + r];
      const at = D + 4 * r;
      diag[at] += w0 * ax + o0 * ox;
      diag[at + 1] += w0 * ay + o0 * oy;
      diag[at + 2] += w0 * az + o0 * oz;
      diag[at + 16] += w1 * bx + o1 * px;
      diag[at + 17] += w1 * by + o1 * py;
      diag[at + 18] += w1 * bz + o1 * pz;
      diag[at + 32] += w2 * cx + o2 * qx;
      diag[at + 33] += w2 * cy + o2 * qy;
      diag[at + 34] += w2 * cz + o2 * qz;
      near[at] += w1 * ax + o1 * ox;
      near[at + 1] += w1 * ay + o1 * oy;
      near[at + 2] += w1 * az + o1 * oz;
      near[at + 16] += w2 * bx + o2 * px;
      near[at + 17] += w2 * by + o2 * py;
      near[at + 18] += w2 * bz + o2 * pz;
      far[at] = w2 * ax + o2 * ox;
      far[at + 1] = w2 * ay + o2 * oy;
      far[at + 2] = w2 * az + o2 * oz;
    }
    if (!(free0 || free1 || free2)) continue;

    // rows and columns of the material coordinates: o has nothing there
    if (free0) rhs[i + 3] -= h * gradient[6] * slope[0] + p1 * w[3];
    else w[3] = 0;
    if (free2) rhs[i + 11] -= h * gradient[6] * slope[2] + p1 * w[11];
    else w[11] = 0;
    if (free1) rhs[i + 7] -= h * gradient[6] * slope[1] + p1 * w[7];
    else w[7] = 0;
    for (let r = 0; r < 4; r++)
      for (let c = r < 3 ? 3 : 0; c < 4; c++) {
        const at = D + 4 * r + c;
        diag[at] += a1 * w[r] * w[c];
        diag[at + 16] += a1 * w[4 + r] * w[4 + c];
        diag[at + 32] += a1 * w[8 + r] * w[8 + c];
        near[at] += a1 * w[4 + r] * w[c];
        near[at + 16] += a1 * w[8 + r] * w[4 + c];
        far[at] = a1 * w[8 + r] * w[c];
      }
  }
}
