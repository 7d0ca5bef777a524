/**
 * Stretch of a yarn between two consecutive EoL nodes.   V = ½ EA Δu (λ − 1)²,  λ = ‖Δx‖/Δu   [Sánchez-Banderas 2020, Eq. 2]
 *     stencil   x₀ u₀  x₁ u₁         EA [N]
 *
 * `STRETCH` of src/curve: energy, force and positive stiffness, which is exact in tension. In compression it leaves out the
 * transverse part T/l (I − t tᵀ), T < 0, which the exact Hessian has. EIL nodes are skipped: with x interpolated, two segments have the
 * energy of the one they are parts of.
 */

import { type CurveMaterial, STRETCH } from '../curve/index.ts';
import type { Vec3 } from '../math/index.ts';
import { computeHypot3 } from '../math/index.ts';
import type { FabricTerm } from './term.ts';

const NO_GRAVITY: Vec3 = [0, 0, 0];

export class YarnStretch implements FabricTerm {
  readonly size = 8;
  energy = 0;
  readonly gradient = new Float64Array(8);
  readonly hessian = new Float64Array(64);
  material: CurveMaterial;

  constructor(material: CurveMaterial) {
    this.material = material;
  }

  set(q: ArrayLike<number>, isExact: boolean): void {
    const { material, gradient, hessian } = this;
    this.energy = STRETCH.computeEnergy(q, 0, material, NO_GRAVITY);
    gradient.fill(0);
    STRETCH.addForce(q, 0, material, NO_GRAVITY, gradient);
    for (let k = 0; k < 8; k++) gradient[k] = -gradient[k];
    hessian.fill(0);
    STRETCH.addStiffness(q, 0, material, NO_GRAVITY, hessian);
    if (isExact) this.#addCompression(q);
  }

  #addCompression(q: ArrayLike<number>): void {
    const { material, hessian } = this;
    const d = [q[4] - q[0], q[5] - q[1], q[6] - q[2]];
    const l = computeHypot3(d[0], d[1], d[2]);
    const rest = material.restFactor ?? 1;
    const across = ((material.stretchStiffness / rest) * Math.min(0, l / (q[7] - q[3]) - rest)) / l;
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++) {
        const k = across * ((r === c ? 1 : 0) - (d[r] * d[c]) / (l * l));
        hessian[8 * r + c] += k;
        hessian[8 * (r + 4) + c + 4] += k;
        hessian[8 * r + c + 4] -= k;
        hessian[8 * (r + 4) + c] -= k;
      }
  }
}
