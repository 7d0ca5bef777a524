/**
 * Friction at a crossing: a spring on a material coordinate, anchored at ū, that gives way at Coulomb's limit.  [methods §6]
 *     s = u − ū        k_f [N/m]        μN  limit [N]
 *     V = ½ k_f s²                       k_f |s| ≤ μN     sticks
 *     V = μN |s| − (μN)²/(2 k_f)         beyond           slips; V' = μN sign s
 *     stencil   u
 *
 * Dragging the anchor so that k_f |u − ū| = μN (`dragAnchor`) leaves the force where it was: V' above is the force with a dragged
 * anchor at every u, so Newton's iterations may run over the limit and the anchor moves once, after the step. The load N is that of the
 * start of the step and is held in the derivatives. The Hessian is exact and never negative: k_f, or 0 where it slips.
 *
 *     N = max(0, ½ n·(f_upper − f_lower))        f  forces of the two yarns on their crossing [N], n  unit normal from the upper to the lower
 * The source writes warp and weft; which of them lies on top depends on the weave, and the sign of n with it. A tight upper yarn presses
 * down along n, a tight lower one up against it, so both add to the load; yarns that would part have none.
 */
import type { FabricTerm } from './term.ts';

export class CrossingFriction implements FabricTerm {
  readonly size = 1;
  energy = 0;
  readonly gradient = new Float64Array(1);
  readonly hessian = new Float64Array(1);
  /** k_f [N/m]. */
  stiffness: number;
  /** ū [m]. */
  anchor: number;
  /** μN [N]. */
  limit: number;

  constructor(stiffness: number, anchor: number, limit: number) {
    this.stiffness = stiffness;
    this.anchor = anchor;
    this.limit = limit;
  }

  set(q: ArrayLike<number>): void {
    const { stiffness: k, limit } = this;
    const s = q[0] - this.anchor;
    const slips = k * Math.abs(s) > limit;
    this.energy = slips ? limit * Math.abs(s) - (limit * limit) / (2 * k) : 0.5 * k * s * s;
    this.gradient[0] = slips ? limit * Math.sign(s) : k * s;
    this.hessian[0] = slips ? 0 : k;
  }
}

/** The anchor after a step that ended at u: dragged along so far that the spring pulls with the limit, or where it was. */
export function dragAnchor(u: number, anchor: number, stiffness: number, limit: number): number {
  const reach = limit / stiffness;
  return Math.min(u + reach, Math.max(u - reach, anchor));
}

/** N [N] from the forces of the upper and the lower yarn on their crossing, and the unit normal from the upper to the lower one. */
export function computeNormalLoad(
  upper: ArrayLike<number>,
  lower: ArrayLike<number>,
  normal: ArrayLike<number>,
): number {
  let load = 0;
  for (let k = 0; k < 3; k++) load += 0.5 * normal[k] * (upper[k] - lower[k]);
  return Math.max(0, load);
}
