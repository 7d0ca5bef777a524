/**
 * Forces of both sides of a strand on one of its nodes, stretch and bending.
 *     n = ∂V/∂e = EA max(0, λ/λ₀ − 1) t + Σ ∂V_bend/∂e        e  segment, t  its direction, V_bend  of the nodes at its ends
 *     P = ∂V/∂u/λ = T₂ − T₁ + Σ ∂V_bend/∂u/λ                  T  tension of a segment
 * The node presses on what holds it with R = n₂ − n₁, of which P is along the strand. A side without loads has the same n everywhere, whatever its
 * mesh; the turn of the two segments at the node shrinks with their length once they are shorter than the bend, √(EI/T).
 */
import { BendingStencil } from '../curve/index.ts';
import { computeHypot3 } from '../math/index.ts';
import { computeNodeDistance, computeNodeStretch, computeSegmentStrain } from './measure.ts';
import type { StrandState } from './state.ts';

export class SideForces {
  /** Part of R across the middle between n₁ and n₂, √(R² − P² cos² ½d) [N]. */
  push = 0;
  /** Sine and cosine of half the angle between n₁ and n₂; without bending stiffness between the segments, which may be slack. */
  halfSine = 0;
  halfCosine = 1;
  readonly #stencil = new BendingStencil();
  readonly #before = new Float64Array(3);
  readonly #after = new Float64Array(3);

  /** Takes inner node i. */
  measure(strand: StrandState, i: number): void {
    const [a, b] = [this.#before, this.#after];
    const { q, material } = strand.chain;
    let along = -writeTension(strand, i - 1, a) + writeTension(strand, i, b);
    let cosine = 0;
    if (material.bendingStiffness > 0) {
      let slope = 0;
      for (let m = -1; m <= 1; m++) slope += this.#addBend(strand, i, m);
      along += slope / computeNodeStretch(strand, i);
      for (let k = 0; k < 3; k++) cosine += a[k] * b[k];
      const product = computeHypot3(a[0], a[1], a[2]) * computeHypot3(b[0], b[1], b[2]);
      cosine = product > 0 ? cosine / product : 1;
    } else {
      for (let k = 4 * i; k < 4 * i + 3; k++) cosine += (q[k] - q[k - 4]) * (q[k + 4] - q[k]);
      cosine /= computeNodeDistance(q, i - 1, i) * computeNodeDistance(q, i, i + 1);
    }
    this.halfSine = Math.sqrt(Math.max(0, 1 - cosine) / 2);
    this.halfCosine = Math.sqrt(Math.max(0, 1 + cosine) / 2);
    const size = computeHypot3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    this.push = Math.sqrt(Math.max(0, size * size - (along * this.halfCosine) ** 2));
  }

  /** Adds what the bend at node i + m does to both sides of node i; returns its ∂V/∂u there [N]. */
  #addBend({ chain }: StrandState, i: number, m: number): number {
    const { q, material, count, closed } = chain;
    // that of the seam of a loop stands at its last node
    const n = closed && i + m === 0 ? count - 1 : i + m;
    if (n === 0 || (n === count - 1 && !closed)) return 0;
    if (closed) chain.writeImages();
    const stencil = this.#stencil;
    stencil.bendingStiffness = material.bendingStiffness;
    stencil.setSpan(chain, n);
    stencil.set(q, 4 * n - 4);
    const { gradient, slope } = stencil;
    for (let k = 0; k < 3; k++) {
      if (m <= 0) this.#before[k] += gradient[k - 3 * m];
      if (m >= 0) this.#after[k] += gradient[k + 3 - 3 * m];
    }
    return gradient[6] * slope[1 - m];
  }
}

/** out := force with which segment e pulls, along it [N]; returns its size. */
function writeTension(strand: StrandState, e: number, out: Float64Array): number {
  const { q, material } = strand.chain;
  const tension = material.stretchStiffness * Math.max(0, computeSegmentStrain(strand, e));
  const scale = tension / computeNodeDistance(q, e, e + 1);
  for (let k = 0; k < 3; k++) out[k] = scale * (q[4 * e + 4 + k] - q[4 * e + k]);
  return tension;
}
