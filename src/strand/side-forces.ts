/**
 * Forces of both sides of a strand on one of its nodes, stretch and bending, and how far they turn there.
 *     n = ∂V/∂e = EA max(0, λ/λ₀ − 1) t + Σ ∂V_bend/∂e        e  segment, t  its direction, V_bend  of the nodes at its ends
 * The node pushes what holds it with n₂ − n₁. A side without loads has the same n everywhere, whatever its mesh; the turn of the
 * two segments at the node shrinks with their length once they are shorter than the bend, √(EI/T).
 */
import { BendingStencil } from '../curve/index.ts';
import { computeHypot3 } from '../math/index.ts';
import { computeNodeDistance, computeSegmentStrain } from './measure.ts';
import type { StrandState } from './state.ts';

export class SideForces {
  /** |n₁| + |n₂| and |n₂ − n₁| [N]. */
  sum = 0;
  size = 0;
  /** Sine and cosine of half the angle between n₁ and n₂; without bending stiffness between the segments, which may be slack. */
  halfSine = 0;
  halfCosine = 1;
  readonly #stencil = new BendingStencil();
  readonly #before = new Float64Array(3);
  readonly #after = new Float64Array(3);

  /** Takes inner node i. */
  measure(strand: StrandState, i: number): void {
    const [a, b] = [this.#before, this.#after];
    this.#writeForce(strand, i - 1, a);
    this.#writeForce(strand, i, b);
    const [before, after] = [computeHypot3(a[0], a[1], a[2]), computeHypot3(b[0], b[1], b[2])];
    this.sum = before + after;
    this.size = computeHypot3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const { q, material } = strand.chain;
    let cosine = 0;
    if (material.bendingStiffness > 0) {
      for (let k = 0; k < 3; k++) cosine += a[k] * b[k];
      cosine /= before * after;
    } else {
      for (let k = 4 * i; k < 4 * i + 3; k++) cosine += (q[k] - q[k - 4]) * (q[k + 4] - q[k]);
      cosine /= computeNodeDistance(q, i - 1, i) * computeNodeDistance(q, i, i + 1);
    }
    this.halfSine = Math.sqrt(Math.max(0, 1 - cosine) / 2);
    this.halfCosine = Math.sqrt(Math.max(0, 1 + cosine) / 2);
  }

  /** Force in segment e [N], along it where it pulls. */
  #writeForce(strand: StrandState, e: number, out: Float64Array): void {
    const { chain } = strand;
    const { q, material, count, closed } = chain;
    const tension = material.stretchStiffness * Math.max(0, computeSegmentStrain(strand, e));
    const scale = tension / computeNodeDistance(q, e, e + 1);
    for (let k = 0; k < 3; k++) out[k] = scale * (q[4 * e + 4 + k] - q[4 * e + k]);
    if (material.bendingStiffness === 0) return;
    const stencil = this.#stencil;
    stencil.bendingStiffness = material.bendingStiffness;
    if (closed) chain.writeImages();
    for (let end = 0; end < 2; end++) {
      // the bend at the seam of a loop stands at its last node
      const n = e + end === 0 && closed ? count - 1 : e + end;
      if (n === 0 || (n === count - 1 && !closed)) continue;
      stencil.setSpan(chain, n);
      stencil.set(q, 4 * n - 4);
      for (let k = 0; k < 3; k++) out[k] += stencil.gradient[3 - 3 * end + k];
    }
  }
}
