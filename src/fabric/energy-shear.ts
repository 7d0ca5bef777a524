/**
 * Shear at a crossing.   V = ½ k_x L (φ − φ₀)²,  φ the angle between warp and weft      [theory/fabric#forces-at-a-crossing]
 *     k_x  shear stiffness [N/rad²]     L  rest spacing [m], constant     φ₀  rest angle [rad]
 *
 *            x₃                 a = x₁ − x₀   along the warp
 *            │                  b = x₃ − x₂   along the weft
 *      x₀ ───●─── x₁
 *            │                  stencil   x₀ x₁  x₂ x₃ : neighbours before and after on the warp, on the weft
 *            x₂
 *
 * Chosen: the tangent of a yarn is the chord over its two segments, their mean weighted by length; the source averages
 * two segments without saying how. It is linear in x, so the term is one angle. At the end of a yarn the crossing itself takes the missing
 * neighbour's place. The term has no material coordinate [Sánchez-Banderas 2020, §4.2], so it does not stiffen where nodes come close in u.
 * Parallel yarns have no shear direction: no force there.
 * The positive matrix is k_x L ∇φ ∇φᵀ (Gauss–Newton).
 */
import { AngleBetween } from './angle.ts';
import { addFromVectors, type FabricTerm } from './term.ts';

const CHORDS = [
  [-1, 1, 0, 0],
  [0, 0, -1, 1],
];

export class CrossingShear implements FabricTerm {
  readonly size = 12;
  energy = 0;
  readonly gradient = new Float64Array(12);
  readonly hessian = new Float64Array(144);
  /** k_x [N/rad²]. */
  stiffness: number;
  /** L [m]. */
  length: number;
  /** φ₀ [rad]. */
  restAngle: number;
  readonly #angle = new AngleBetween();

  constructor(stiffness: number, length: number, restAngle = Math.PI / 2) {
    this.stiffness = stiffness;
    this.length = length;
    this.restAngle = restAngle;
  }

  /** φ of the stencil set last [rad]. */
  get angle(): number {
    return this.#angle.angle;
  }

  set(q: ArrayLike<number>, isExact: boolean): void {
    const angle = this.#angle;
    angle.set(q[3] - q[0], q[4] - q[1], q[5] - q[2], q[9] - q[6], q[10] - q[7], q[11] - q[8]);
    const k = this.stiffness * this.length;
    const off = angle.angle - this.restAngle;
    this.energy = 0.5 * k * off * off;
    this.gradient.fill(0);
    this.hessian.fill(0);
    if (angle.isParallel) return;
    angle.setEnergy(k * off, k, (k * off) / angle.sine);
    if (!isExact)
      for (let i = 0; i < 6; i++)
        for (let j = 0; j < 6; j++) angle.hessian[6 * i + j] = k * angle.slope[i] * angle.slope[j];
    addFromVectors(CHORDS, 3, angle.gradient, angle.hessian, this);
  }
}
