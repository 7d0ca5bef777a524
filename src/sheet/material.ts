/**
 * What a sheet computes with: mass, stretch, shear and bending per area, along warp (X₁) and weft (X₂).
 *
 *   membrane   ψ = ½ εᵀ C ε,  ε = (ε₁₁, ε₂₂, 2ε₁₂)      C = ⎡C₁₁ C₁₂  0 ⎤  [N/m]
 *                                                           ⎢C₁₂ C₂₂  0 ⎥
 *                                                           ⎣ 0   0  C₃₃⎦
 *   bending    ψ = ½ κᵀ B κ,  κ = (κ₁₁, κ₂₂, 2κ₁₂)      B of the same form [N m]
 *
 * An isotropic sheet of thickness t has C = E t/(1 − ν²) [1, ν; ν, 1], C₃₃ = G t and B = C t²/12 (plane stress); with
 * ν = 0 in bending about one axis a strip of width w bends like a beam of E I/(1 − ν²). Cloth is given by its own numbers:
 * `model/sheet-materials.ts` derives them from what a user writes.
 */
export type { SheetMaterial } from '../model/index.ts';
