/**
 * Inertia, membrane, weight and damping of the triangles whose corners are all fixed to the material: the loop in which a sheet's assembly
 * spends most of its time, so its blocks are written out. Corners p, q, r are taken in ascending order of their vertices, so that no
 * block is transposed. With ∇φ_p = −∇φ_q − ∇φ_r everything follows from two corners:
 *     F = (x_q − x_p) ⊗ ∇φ_q + (x_r − x_p) ⊗ ∇φ_r,    K_qp = −K_qq − K_rqᵀ,   K_rp = −K_rq − K_rr,   K_pp = −K_qp − K_rp
 *     r_n = m/12 (Σz + z_n) − A (h P + (s h² + βh) dP) ∇φ_n + m h g/3,      dP = K dF,  dF from v,   z = v̂ − (1 + αh) v
 * Symbols as in `assembly.ts`.
 */
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { BlockMixed } from '../sparse/index.ts';
import { Membrane } from './membrane.ts';
import { computePullShare, computeTensionShare, type SheetStage } from './stage.ts';
import { type SheetState, STRIDE } from './state.ts';

export class FixedTriangles {
  readonly #membrane = new Membrane();
  readonly #F = new Float64Array(6);
  readonly #dF = new Float64Array(6);
  /** h P + (s h² + βh) dP, times the area. */
  readonly #pull = new Float64Array(6);
  /** K_qq (6 numbers), K_rq (9), K_rr (6). */
  readonly #blocks = new Float64Array(21);
  /** Numbers handed on, which as arguments would be allocated on the heap: h A, (s h² + βh) A, (h² + βh) A, a twelfth of the mass. */
  readonly #scales = new Float64Array(4);

  add(state: SheetState, stage: SheetStage, matrix: BlockMixed, rhs: Float64Array): void {
    const { kind, mesh } = state;
    const { triangles, triangleCount } = mesh;
    for (let t = 0; t < triangleCount; t++) {
      const isFixed =
        kind[triangles[3 * t]] === NODE_LAGRANGIAN &&
        kind[triangles[3 * t + 1]] === NODE_LAGRANGIAN &&
        kind[triangles[3 * t + 2]] === NODE_LAGRANGIAN;
      if (isFixed) this.#addTriangle(state, stage, t, matrix, rhs);
    }
  }

  #addTriangle(state: SheetState, stage: SheetStage, t: number, matrix: BlockMixed, rhs: Float64Array): void {
    const { q, qBase, v, material, gradients } = state;
    const { triangles, triangleOrder } = state.mesh;
    const { h, stiffnessDamping } = stage;
    const op = triangleOrder[3 * t];
    const oq = triangleOrder[3 * t + 1];
    const or = triangleOrder[3 * t + 2];
    const ip = triangles[3 * t + op];
    const iq = triangles[3 * t + oq];
    const ir = triangles[3 * t + or];
    const gq = 6 * t + 2 * oq;
    const gr = 6 * t + 2 * or;
    const membrane = this.#membrane;
    if (stage.isAhead) {
      writeGradient(qBase, STRIDE * ip, STRIDE * iq, STRIDE * ir, gradients, gq, gr, this.#F);
      membrane.setGradient(this.#F, material);
      membrane.setTension();
    }
    writeGradient(q, STRIDE * ip, STRIDE * iq, STRIDE * ir, gradients, gq, gr, this.#F);
    writeGradient(v, STRIDE * ip, STRIDE * iq, STRIDE * ir, gradients, gq, gr, this.#dF);
    membrane.setGradient(this.#F, material);
    if (!stage.isAhead) membrane.setTension();
    const share = computePullShare(stage);
    membrane.tensionShare = share;
    membrane.setStiffness(material);
    const area = state.area[t];
    const product = (stage.linearized ? h * h : 0) + stiffnessDamping * h;
    const scales = this.#scales;
    scales[0] = area * h;
    scales[1] = area * product;
    scales[2] = area * (h * h + stiffnessDamping * h);
    scales[3] = (material.arealDensity * area) / 12;
    membrane.writePull(this.#dF, scales, this.#pull);
    this.#addForces(state, stage, ip, iq, ir, gq, gr, matrix, rhs);
    membrane.tensionShare = computeTensionShare(stage);
    if (membrane.tensionShare !== share) membrane.setStiffness(material);
    membrane.writeBlocks(gradients, gq, gr, scales, this.#blocks);
    this.#addBlocks(state, stage, t, matrix);
  }

  #addForces(
    state: SheetState,
    stage: SheetStage,
    ip: number,
    iq: number,
    ir: number,
    gq: number,
    gr: number,
    matrix: BlockMixed,
    rhs: Float64Array,
  ): void {
    const { v, vBase, gradients } = state;
    const { blockStart } = matrix;
    const pull = this.#pull;
    const mass = this.#scales[3];
    const scale = 1 + stage.massDamping * stage.h;
    const p = STRIDE * ip;
    const q = STRIDE * iq;
    const r = STRIDE * ir;
    const bp = blockStart[ip];
    const bq = blockStart[iq];
    const br = blockStart[ir];
    for (let k = 0; k < 3; k++) {
      const zp = vBase[p + k] - scale * v[p + k];
      const zq = vBase[q + k] - scale * v[q + k];
      const zr = vBase[r + k] - scale * v[r + k];
      const all = mass * (zp + zq + zr + 4 * stage.h * stage.gravity[k]);
      const fq = pull[2 * k] * gradients[gq] + pull[2 * k + 1] * gradients[gq + 1];
      const fr = pull[2 * k] * gradients[gr] + pull[2 * k + 1] * gradients[gr + 1];
      rhs[bp + k] += all + mass * zp + fq + fr;
      rhs[bq + k] += all + mass * zq - fq;
      rhs[br + k] += all + mass * zr - fr;
    }
  }

  /** Adds K and the mass. */
  #addBlocks({ mesh }: SheetState, stage: SheetStage, t: number, matrix: BlockMixed): void {
    const m = this.#scales[3] * (1 + stage.massDamping * stage.h);
    const { values, valueStart } = matrix;
    const { triangleSlots } = mesh;
    const b = this.#blocks;
    const a00 = b[0];
    const a01 = b[1];
    const a02 = b[2];
    const a11 = b[3];
    const a12 = b[4];
    const a22 = b[5];
    const c00 = b[6];
    const c01 = b[7];
    const c02 = b[8];
    const c10 = b[9];
    const c11 = b[10];
    const c12 = b[11];
    const c20 = b[12];
    const c21 = b[13];
    const c22 = b[14];
    const d00 = b[15];
    const d01 = b[16];
    const d02 = b[17];
    const d11 = b[18];
    const d12 = b[19];
    const d22 = b[20];
    let o = valueStart[triangleSlots[6 * t]];
    const s01 = a01 + d01 + c01 + c10;
    const s02 = a02 + d02 + c02 + c20;
    const s12 = a12 + d12 + c12 + c21;
    values[o] += a00 + d00 + 2 * c00 + 2 * m;
    values[o + 1] += s01;
    values[o + 2] += s02;
    values[o + 3] += s01;
    values[o + 4] += a11 + d11 + 2 * c11 + 2 * m;
    values[o + 5] += s12;
    values[o + 6] += s02;
    values[o + 7] += s12;
    values[o + 8] += a22 + d22 + 2 * c22 + 2 * m;
    o = valueStart[triangleSlots[6 * t + 1]];
    values[o] += m - a00 - c00;
    values[o + 1] -= a01 + c10;
    values[o + 2] -= a02 + c20;
    values[o + 3] -= a01 + c01;
    values[o + 4] += m - a11 - c11;
    values[o + 5] -= a12 + c21;
    values[o + 6] -= a02 + c02;
    values[o + 7] -= a12 + c12;
    values[o + 8] += m - a22 - c22;
    o = valueStart[triangleSlots[6 * t + 2]];
    values[o] += a00 + 2 * m;
    values[o + 1] += a01;
    values[o + 2] += a02;
    values[o + 3] += a01;
    values[o + 4] += a11 + 2 * m;
    values[o + 5] += a12;
    values[o + 6] += a02;
    values[o + 7] += a12;
    values[o + 8] += a22 + 2 * m;
    o = valueStart[triangleSlots[6 * t + 3]];
    values[o] += m - c00 - d00;
    values[o + 1] -= c01 + d01;
    values[o + 2] -= c02 + d02;
    values[o + 3] -= c10 + d01;
    values[o + 4] += m - c11 - d11;
    values[o + 5] -= c12 + d12;
    values[o + 6] -= c20 + d02;
    values[o + 7] -= c21 + d12;
    values[o + 8] += m - c22 - d22;
    o = valueStart[triangleSlots[6 * t + 4]];
    values[o] += c00 + m;
    values[o + 1] += c01;
    values[o + 2] += c02;
    values[o + 3] += c10;
    values[o + 4] += c11 + m;
    values[o + 5] += c12;
    values[o + 6] += c20;
    values[o + 7] += c21;
    values[o + 8] += c22 + m;
    o = valueStart[triangleSlots[6 * t + 5]];
    values[o] += d00 + 2 * m;
    values[o + 1] += d01;
    values[o + 2] += d02;
    values[o + 3] += d01;
    values[o + 4] += d11 + 2 * m;
    values[o + 5] += d12;
    values[o + 6] += d02;
    values[o + 7] += d12;
    values[o + 8] += d22 + 2 * m;
  }
}

/** out = (x_q − x_p) ⊗ ∇φ_q + (x_r − x_p) ⊗ ∇φ_r, 3 × 2. */
export function writeGradient(
  x: Float64Array,
  p: number,
  q: number,
  r: number,
  gradients: Float64Array,
  gq: number,
  gr: number,
  out: Float64Array,
): void {
  const qx = gradients[gq];
  const qy = gradients[gq + 1];
  const rx = gradients[gr];
  const ry = gradients[gr + 1];
  const a0 = x[q] - x[p];
  const a1 = x[q + 1] - x[p + 1];
  const a2 = x[q + 2] - x[p + 2];
  const b0 = x[r] - x[p];
  const b1 = x[r + 1] - x[p + 1];
  const b2 = x[r + 2] - x[p + 2];
  out[0] = a0 * qx + b0 * rx;
  out[1] = a0 * qy + b0 * ry;
  out[2] = a1 * qx + b1 * rx;
  out[3] = a1 * qy + b1 * ry;
  out[4] = a2 * qx + b2 * rx;
  out[5] = a2 * qy + b2 * ry;
}
