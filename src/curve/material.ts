/**
 * The numbers a curve needs of its material, in the units of curve mechanics [theory/curves#material].
 */
export interface CurveMaterial {
  /** ρA, mass per material length [kg/m]. */
  readonly linearDensity: number;
  /** EA [N]. */
  readonly stretchStiffness: number;
  /** λ₀, natural length over material length [1]: below 1 the curve has shrunk, as a muscle does. Default 1. */
  readonly restFactor?: number | undefined;
  /** EI [N m²]; 0 is a perfectly flexible curve. */
  readonly bendingStiffness: number;
  /** Radius of the round section, for contact and pictures [m]. */
  readonly radius: number;
}
