/**
 * The incremental potential of a stage, which its solution minimises where no row ties the rod:
 *
 *     Φ(v) = ½ (v − v̂)ᵀ M (v − v̂) + ½ αh vᵀ M v + V(q̂ + h v) + ½ β/h Σ C (Γ − Γ̂)² Δu + …
 *
 * in material velocities v = ẋ − F u̇ and spins. Newton's corrections that raise it are shortened (`Rod.correct`).
 */
import type { Vec3 } from '../math/index.ts';
import { BendElement } from './energy-bend.ts';
import { StretchElement } from './energy-stretch.ts';
import type { RodState } from './state.ts';
import type { RodStage } from './system.ts';

export class RodPotential {
  readonly #stretch = new StretchElement();
  readonly #bend = new BendElement();

  compute(state: RodState, stage: RodStage, gravity: Vec3): number {
    return this.#computeInertia(state, stage, gravity) + this.#computeStrainEnergy(state, stage);
  }

  #computeInertia({ chain, omega, spinBase, material, push }: RodState, stage: RodStage, gravity: Vec3): number {
    const { q, v, vBase, pointMass, count } = chain;
    const drag = stage.massDamping * stage.h;
    let sum = 0;
    for (let e = 0; e < count - 1; e++) {
      const du = q[4 * e + 7] - q[4 * e + 3];
      const m6 = (material.linearDensity * du) / 6;
      for (let k = 0; k < 3; k++) {
        const F = (q[4 * e + 4 + k] - q[4 * e + k]) / du;
        const va = v[4 * e + k] - F * v[4 * e + 3];
        const vb = v[4 * e + 4 + k] - F * v[4 * e + 7];
        const a = va - vBase[4 * e + k] + F * vBase[4 * e + 3];
        const b = vb - vBase[4 * e + 4 + k] + F * vBase[4 * e + 7];
        sum += m6 * (a * a + a * b + b * b + drag * (va * va + va * vb + vb * vb));
        sum -= 3 * m6 * gravity[k] * (q[4 * e + k] + q[4 * e + 4 + k]);
        const w = omega[3 * e + k] - spinBase[3 * e + k];
        sum += 0.5 * du * material.inertia[k] * w * w;
      }
    }
    for (let i = 0; i < count; i++)
      for (let k = 0; k < 3; k++) {
        const a = v[4 * i + k] - vBase[4 * i + k];
        sum += pointMass[i] * (0.5 * a * a + 0.5 * drag * v[4 * i + k] ** 2 - gravity[k] * q[4 * i + k]);
        sum -= push[3 * i + k] * q[4 * i + k];
      }
    return sum;
  }

  #computeStrainEnergy(state: RodState, { h, stiffnessDamping }: RodStage): number {
    const { chain, frame, material, gammaBase, kappaBase, natural } = state;
    const { q, count } = chain;
    const stretch = this.#stretch;
    const bend = this.#bend;
    const lag = stiffnessDamping / h;
    let sum = 0;
    for (let e = 0; e < count - 1; e++) {
      state.setStretch(stretch, e);
      stretch.set(q, 4 * e, frame, 4 * e);
      sum += stretch.energy;
      if (lag === 0) continue;
      const du = q[4 * e + 7] - q[4 * e + 3];
      for (let k = 0; k < 3; k++) {
        const change = stretch.g[k] - (k === 2 ? 1 : 0) - gammaBase[3 * e + k];
        sum += 0.5 * lag * du * stretch.C[k] * change * change;
      }
    }
    bend.K.set(material.bend);
    for (let i = 1; i < count - 1; i++) {
      natural.write(q[4 * i + 3], bend.natural);
      const l = state.bendLength(i);
      bend.set(frame, 4 * i - 4, 4 * i, l);
      sum += bend.energy;
      for (let k = 0; k < 3 && lag > 0; k++)
        sum += 0.5 * lag * l * material.bend[k] * (bend.strain[k] - kappaBase[3 * i + k]) ** 2;
    }
    return sum;
  }
}
