/** A stage of a step and the system that the terms of a fabric are added to. */

/** What of a stage the terms need. */
export interface FabricStage {
  h: number;
  /** Whether forces are taken at q̂, with their change linearised. */
  linearized: boolean;
  /** Whether iterates keep momentum to rounding (first-order integrators). */
  keepsMomentum: boolean;
  /** Whether compressed segments have a stiffness across below zero, the exact one as far as their inertia leaves it definite; else its positive part. */
  isExact: boolean;
  /** Whether the iterate is a guess, as strains of which tensions make no sense: yarns then have the stiffness across of their tensions at q̂. */
  isGuess: boolean;
  massDamping: number;
  stiffnessDamping: number;
  gravity: Float64Array;
}

/** One system that terms are added to. `values` is null where only the right-hand side is wanted, `sideForce` where nobody asks. */
export interface FabricSystem {
  values: Float64Array | null;
  rhs: Float64Array;
  /** Force of each side's yarn on its node [N], 3 each. */
  sideForce: Float64Array | null;
  /** How far the solution went from where the last matrix is of [m], by coordinate: with `sideForce`, constraints of EIL nodes pull as that system had them. */
  moved: Float64Array | null;
}
