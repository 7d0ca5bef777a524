/**
 * The numbers a curve needs of its material, in the units of curve mechanics (methods §2).
 */
export interface CurveMaterial {
  /** ρA, mass per material length [kg/m]. */
  readonly linearDensity: number;
  /** EA [N]. */
  readonly stretchStiffness: number;
  /** EI [N m²]; 0 is a perfectly flexible curve. */
  readonly bendingStiffness: number;
  /** Radius of the round section, for contact and pictures [m]. */
  readonly radius: number;
}
