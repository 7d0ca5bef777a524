/**
 * Momentum of the nodes of a rod whose material moves, p = ∂T/∂ẋ = Σ M v, and what a stage of second order starts from.
 *
 * Inertia changes with the configuration, so the stages of an integrator are those of (q, p), not of (q, v):
 *     p − p̂ = h (f + ∂T/∂q),     p̂ = p_start + kick (p₁ − p_start)
 * `curve/axial.ts` takes M(q̂) v̂ for p̂, which it is in the first stage. In the second this adds what is missing: then world momentum is kept
 * in every stage.
 */
import { grow } from '../math/index.ts';
import type { RodState } from './state.ts';

export class StageMomentum {
  /** p̂ − M(q̂) v̂ of the nodes, three numbers each [kg m/s]. */
  #missing = new Float64Array(0);
  #isMissing = false;

  /** At the end of a stage from the start of the step: p₁ of the iterate. Before the second one begins. */
  begin(state: RodState, kick: number): void {
    this.#isMissing = kick !== 0;
    if (!this.#isMissing) return;
    const { chain } = state;
    if (this.#missing.length < 3 * chain.count) this.#missing = grow(this.#missing, 3 * state.capacity);
    this.#missing.fill(0);
    addMomentum(state, chain.q, chain.v, kick, this.#missing);
    addMomentum(state, chain.qStart, chain.vStart, 1 - kick, this.#missing);
  }

  /** Takes off what the assembly counts itself, once q̂ and v̂ of the second stage are known. */
  end(state: RodState): void {
    if (this.#isMissing) addMomentum(state, state.chain.qBase, state.chain.vBase, -1, this.#missing);
  }

  addTo(rhs: Float64Array, stride: number, count: number): void {
    for (let i = 0; i < count && this.#isMissing; i++)
      for (let k = 0; k < 3; k++) rhs[stride * i + k] += this.#missing[3 * i + k];
  }
}

/** Adds weight · ∂T/∂ẋ of all nodes. */
function addMomentum({ chain }: RodState, q: Float64Array, v: Float64Array, weight: number, out: Float64Array): void {
  const { count, material } = chain;
  for (let e = 0; e < count - 1; e++) {
    const [i, j] = [4 * e, 4 * e + 4];
    const du = q[j + 3] - q[i + 3];
    const m6 = (weight * material.linearDensity * du) / 6;
    for (let k = 0; k < 3; k++) {
      const F = (q[j + k] - q[i + k]) / du;
      const a = v[i + k] - F * v[i + 3];
      const b = v[j + k] - F * v[j + 3];
      out[3 * e + k] += m6 * (2 * a + b);
      out[3 * e + 3 + k] += m6 * (a + 2 * b);
    }
  }
}
