/**
 * Friction at a node of two yarns: a spring on its material coordinates, anchored at (ū, v̄), that gives way at Coulomb's limit.  [theory/fabric#forces-at-a-crossing]
 *     s = |(u − ū, v − v̄)|        k_f [N/m]        μN  limit [N]
 *     V = ½ k_f s²                       k_f s ≤ μN     sticks
 *     V = μN s − (μN)²/(2 k_f)           beyond         slips; |∇V| = μN
 *     ∇V = p (u − ū, v − v̄),   p = k_f  or  μN/s;       H = p I  or  p (I − ŝŝᵀ)
 *
 * One limit holds for both coordinates: the two yarns slip on each other along one direction, and for yarns at right angles its components are the slips in u and v.
 *
 * Dragging the anchor so that k_f s = μN (`dragAnchor`) leaves the force where it was: ∇V above is the force with a dragged anchor at every (u, v), so Newton's iterations
 * may run over the limit and the anchor moves once, after the step. The load N is that of the start of the step and is held in the derivatives.
 */

/** p: force over slip [N/m]. */
export const computeFrictionPull = (stiffness: number, limit: number, s: number): number =>
  stiffness * s > limit ? limit / s : stiffness;

/** V [J]. */
export const computeFrictionEnergy = (stiffness: number, limit: number, s: number): number =>
  stiffness * s > limit ? limit * s - (limit * limit) / (2 * stiffness) : 0.5 * stiffness * s * s;

/** The anchor of a coordinate u that keeps a share of its distance: μN/(k_f s). */
export const dragAnchor = (u: number, anchor: number, share: number): number => u - share * (u - anchor);
