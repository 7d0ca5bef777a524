/**
 * What a sheet computes with: mass, stretch, shear and bending per area, along warp (X₁) and weft (X₂).
 *
 *   membrane   ψ = ½ εᵀ C ε,  ε = (ε₁₁, ε₂₂, 2ε₁₂)      C = ⎡C₁₁ C₁₂  0 ⎤  [N/m]
 *                                                           ⎢C₁₂ C₂₂  0 ⎥
 *                                                           ⎣ 0   0  C₃₃⎦
 *   bending    ψ = ½ κᵀ B κ,  κ = (κ₁₁, κ₂₂, 2κ₁₂)      B of the same form [N m]
 *
 * An isotropic sheet of thickness t has C = E t/(1 − ν²) [1, ν; ν, 1], C₃₃ = G t and B = C t²/12 (plane stress); with
 * ν = 0 in bending about one axis a strip of width w bends like a beam of E I/(1 − ν²). Cloth is given by its own numbers.
 */
export interface SheetMaterial {
  /** Mass per area [kg/m²]. */
  readonly arealDensity: number;
  /** C₁₁, C₂₂, C₁₂, C₃₃ [N/m]. */
  readonly membrane: readonly [number, number, number, number];
  /** B₁₁, B₂₂, B₁₂, B₃₃ [N m]. */
  readonly bending: readonly [number, number, number, number];
  /** [m] */
  readonly thickness: number;
  /** Coefficient of dry friction [1]. */
  readonly friction: number;
}
