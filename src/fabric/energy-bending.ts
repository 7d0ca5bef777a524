/**
 * Bending of a yarn at an EoL node between two others.   V = EI θ²/D,  D = u₂ − u₀                [Sánchez-Banderas 2020, Eq. 4]
 *     stencil   x₀ u₀  x₁ u₁  x₂ u₂         EI [N m²]     θ  turning angle [rad]
 *
 * Energy, gradient and positive stiffness are those of `BendingStencil` of src/curve. The exact Hessian is, with `angle.ts`,
 *     V_θθ ∇θ ∇θᵀ + V_θ ∇²θ  in x,     ∂²V/∂x∂D = −2EI θ/D² ∇θ,     ∂²V/∂D² = 2EI θ²/D³
 * EIL nodes are skipped: they lie on a straight segment.
 */
import { BendingStencil } from '../curve/index.ts';
import { AngleBetween } from './angle.ts';
import { addFromVectors, type FabricTerm } from './term.ts';

/** e₁ = x₁ − x₀, e₂ = x₂ − x₁ */
const SEGMENTS = [
  [-1, 1, 0],
  [0, -1, 1],
];

export class YarnBending implements FabricTerm {
  readonly size = 12;
  energy = 0;
  readonly gradient = new Float64Array(12);
  readonly hessian = new Float64Array(144);
  /** EI [N m²]. */
  bendingStiffness: number;
  readonly #stencil = new BendingStencil();
  readonly #angle = new AngleBetween();

  constructor(bendingStiffness: number) {
    this.bendingStiffness = bendingStiffness;
  }

  set(q: ArrayLike<number>, isExact: boolean): void {
    const { gradient, hessian } = this;
    const stencil = this.#stencil;
    stencil.bendingStiffness = this.bendingStiffness;
    stencil.set(q, 0);
    this.energy = stencil.energy;
    gradient.fill(0);
    hessian.fill(0);
    if (isExact) this.#setExact(q);
    else {
      const { inPlane: w, outOfPlane: o, inPlaneStiffness: k1, outOfPlaneStiffness: k2 } = stencil;
      for (let r = 0; r < 12; r++)
        for (let c = 0; c < 12; c++) hessian[12 * r + c] = k1 * w[r] * w[c] + k2 * o[r] * o[c];
      for (let k = 0; k < 3; k++) {
        gradient[k] = -stencil.gradient[k];
        gradient[4 + k] = stencil.gradient[k] - stencil.gradient[3 + k];
        gradient[8 + k] = stencil.gradient[3 + k];
      }
    }
    gradient[3] = -stencil.gradient[6];
    gradient[11] = stencil.gradient[6];
  }

  #setExact(q: ArrayLike<number>): void {
    const { hessian } = this;
    const angle = this.#angle;
    const D = q[11] - q[3];
    const k = (2 * this.bendingStiffness) / D;
    angle.set(q[4] - q[0], q[5] - q[1], q[6] - q[2], q[8] - q[4], q[9] - q[5], q[10] - q[6]);
    const theta = angle.angle;
    // θ/sin θ → 1; a hairpin has no normal, and no stiffness across its plane here
    angle.setEnergy(k * theta, k, angle.isParallel ? (angle.cosine > 0 ? k : 0) : (k * theta) / angle.sine);
    addFromVectors(SEGMENTS, 4, angle.gradient, angle.hessian, this);
    for (let i = 0; i < 3; i++)
      for (let c = 0; c < 3; c++) {
        let slope = 0;
        for (let p = 0; p < 2; p++) slope += SEGMENTS[p][i] * angle.slope[3 * p + c];
        const mixed = (-k * theta * slope) / D;
        hessian[12 * (4 * i + c) + 3] -= mixed;
        hessian[12 * 3 + 4 * i + c] -= mixed;
        hessian[12 * (4 * i + c) + 11] += mixed;
        hessian[12 * 11 + 4 * i + c] += mixed;
      }
    const length = (k * theta * theta) / (D * D);
    hessian[12 * 3 + 3] += length;
    hessian[12 * 11 + 11] += length;
    hessian[12 * 3 + 11] -= length;
    hessian[12 * 11 + 3] -= length;
  }
}
