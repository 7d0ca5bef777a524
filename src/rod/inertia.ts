/**
 * Inertia and weight of a segment, whose material may move through its nodes at given u̇ [Wen 2020, Eq. 11, consistent mass]:
 *
 *     r = M (v̂ − (1 + αh) v) + h (weight − c),   v = ẋ − F u̇,   c = Ṁ v − ∂T/∂q  [theory/eol#inertia]
 *
 * The rows of x of `curve/axial.ts`, without stretch; that one also has those of u, which nodes need that slide (`sliding.ts`).
 * The mass is m/3 on the diagonal, m/6 beside it, the same in all directions: `sixth` has m/6.
 */
import type { CurveChain } from '../curve/index.ts';
import type { RodStage } from './system.ts';

/** Result for one segment; belongs to one loop. */
export class SegmentInertia {
  /** m/6 [kg] */
  sixth = 0;
  /** What it adds to the right-hand side of its first node: `start` − `change`; of its second: `end`. */
  readonly start = new Float64Array(3);
  readonly change = new Float64Array(3);
  readonly end = new Float64Array(3);

  /** Of segment e, which material does not move through. */
  set({ q, v, vBase, material }: CurveChain, stage: RodStage, e: number): void {
    const { h, gravity } = stage;
    const { start, end } = this;
    const scale = 1 + stage.massDamping * h;
    const i = 4 * e;
    const sixth = (material.linearDensity * (q[i + 7] - q[i + 3])) / 6;
    this.sixth = sixth;
    for (let k = 0; k < 3; k++) {
      const a = vBase[i + k] - scale * v[i + k];
      const b = vBase[i + 4 + k] - scale * v[i + 4 + k];
      const weight = 3 * sixth * h * gravity[k];
      start[k] = sixth * (2 * a + b) + weight;
      end[k] = sixth * (a + 2 * b) + weight;
    }
  }

  /** Of segment e, where material moves. */
  setMoving({ q, v, qBase, vBase, material }: CurveChain, stage: RodStage, e: number): void {
    const { h, gravity } = stage;
    const { start, change, end } = this;
    const scale = 1 + stage.massDamping * h;
    const i = 4 * e;
    const j = i + 4;
    const du = q[j + 3] - q[i + 3];
    const inv = 1 / du;
    const sixth = (material.linearDensity * du) / 6;
    this.sixth = sixth;
    const s0 = v[i + 3];
    const s1 = v[j + 3];
    const S0 = vBase[i + 3];
    const S1 = vBase[j + 3];
    const du0 = qBase[j + 3] - qBase[i + 3];
    const inv0 = 1 / du0;
    const sixth0 = (material.linearDensity * du0) / 6;
    const first = 2 * S0 + S1;
    const second = S0 + 2 * S1;
    const perStep = 1 / h;
    for (let k = 0; k < 3; k++) {
      const F = (q[j + k] - q[i + k]) * inv;
      const a = v[i + k] - F * s0;
      const b = v[j + k] - F * s1;
      const va = vBase[i + k];
      const vb = vBase[j + k];
      const za = va - F * S0 - scale * a;
      const zb = vb - F * S1 - scale * b;
      const pa = sixth * (2 * a + b);
      const pb = sixth * (a + 2 * b);
      const g = (pa * s0 + pb * s1) * inv;
      // h Ṁ v as what M(q) v̂ is more than M(q̂) v̂: keeps momentum to rounding
      const F0 = (qBase[j + k] - qBase[i + k]) * inv0;
      const X0 = 2 * va + vb;
      const X1 = va + 2 * vb;
      const c0 = perStep * (sixth * (X0 - F * first) - sixth0 * (X0 - F0 * first)) - g;
      const c1 = perStep * (sixth * (X1 - F * second) - sixth0 * (X1 - F0 * second)) + g;
      const weight = 3 * sixth * h * gravity[k];
      start[k] = sixth * (2 * za + zb) + weight;
      change[k] = h * c0;
      end[k] = sixth * (za + 2 * zb) + weight - h * c1;
    }
  }
}
