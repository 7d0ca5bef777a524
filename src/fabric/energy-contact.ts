/**
 * Contact constraint of an EIL node with the yarn it crosses.   V = ½ K ‖x_A − x_B − g‖²            [Sánchez-Banderas 2020, §4.2; g is not in the paper: `gaps.ts`]
 *     K = 1000 EA/Δu₀ [N/m], Δu₀ the rest length of a segment     g  gap that it leaves [m]
 *
 *     EIL and EoL    stencil   x_a u_a x_c u_c u_b (A),  x (B)                                  12 coordinates
 *     EIL and EIL    stencil   x_a u_a x_c u_c u_b (A),  x_a u_a x_c u_c u_b (B)                18 coordinates
 *
 *     ∇V = K J_Aᵀ r − K J_Bᵀ r,  r = x_A − x_B − g     ∇²V = K JᵀJ + K r·∂²x,  J = [J_A, −J_B];  positive part K JᵀJ
 *
 * Two EoL nodes need no constraint: they share x. Between two EIL nodes JᵀJ in (u_A, u_B) has the determinant K² F_A² F_B² sin² of the angle of
 * the yarns: where they are nearly parallel one of them is to be kept EoL, or regularised; that belongs to the assignment of nodes.
 */
import { EilNode } from './interpolation.ts';
import type { FabricTerm } from './term.ts';

/** Stiffness of the constraint over that of a rest segment (paper, §4.2). */
const STIFFER = 1000;

export class EilContact implements FabricTerm {
  readonly size: 12 | 18;
  energy = 0;
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
  /** K [N/m]. */
  stiffness: number;
  /** g [m]. */
  readonly gap = new Float64Array(3);
  readonly #own = new EilNode();
  readonly #other = new EilNode();
  readonly #jacobian: Float64Array;
  readonly #force = new Float64Array(3);
  readonly #reaction = new Float64Array(3);

  constructor(stiffness: number, other: 'EoL' | 'EIL') {
    this.size = other === 'EoL' ? 12 : 18;
    this.gradient = new Float64Array(this.size);
    this.hessian = new Float64Array(this.size * this.size);
    this.stiffness = stiffness;
    this.#jacobian = new Float64Array(3 * this.size);
  }

  set(q: ArrayLike<number>, isExact: boolean): void {
    const { size, stiffness: K, gradient, hessian } = this;
    const [own, other, J, force, reaction] = [this.#own, this.#other, this.#jacobian, this.#force, this.#reaction];
    const isBoth = size === 18;
    own.set(q);
    if (isBoth) other.set(q, EilNode.SIZE);
    J.fill(0);
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const gap = own.x[k] - (isBoth ? other.x[k] : q[EilNode.SIZE + k]) - this.gap[k];
      square += gap * gap;
      force[k] = K * gap;
      reaction[k] = -K * gap;
      for (let i = 0; i < 9; i++) J[size * k + i] = own.jacobian[9 * k + i];
      if (isBoth) for (let i = 0; i < 9; i++) J[size * k + 9 + i] = -other.jacobian[9 * k + i];
      else J[size * k + 9 + k] = -1;
    }
    this.energy = 0.5 * K * square;
    gradient.fill(0);
    hessian.fill(0);
    for (let k = 0; k < 3; k++)
      for (let i = 0; i < size; i++) {
        gradient[i] += force[k] * J[size * k + i];
        for (let j = 0; j < size; j++) hessian[size * i + j] += K * J[size * k + i] * J[size * k + j];
      }
    if (!isExact) return;
    own.addCurvature(force, hessian, size);
    if (isBoth) other.addCurvature(reaction, hessian, size, EilNode.SIZE);
  }
}

/** K [N/m] from the axial stiffness EA [N] and the rest length of a segment [m]. */
export const computeContactStiffness = (stretchStiffness: number, restLength: number): number =>
  (STIFFER * stretchStiffness) / restLength;
