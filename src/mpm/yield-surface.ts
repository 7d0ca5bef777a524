/**
 * Friction of surfaces as plasticity: the return mapping of the normal.   [Jiang 2017, §4.5.1, corrected]
 *
 *     traction on the surface   t = σ q₃ = (γ r₁₃ q₁ + γ r₂₃ q₂ − k (1 − r₃₃)² q₃)/(r₁₁ r₂₂)
 *     Coulomb   γ √(r₁₃² + r₂₃²) ≤ c_F k (1 − r₃₃)²
 *
 *     r₃₃ > 1    parted: r₁₃ = r₂₃ = 0, r₃₃ = 1
 *     r₃₃ ≤ 0    inverted: r₁₃ = r₂₃ = 0, and the energy pushes d₃ back
 *     too much   r₁₃ and r₂₃ are scaled to the limit; what has no friction (c_F or γ = 0) keeps no shear, which nothing would resist and bending would turn into r₃₃
 * r₁₁, r₁₂ and r₂₂ are never touched: the plane is elastic.
 */
import type { SurfaceElasticity } from './energy-surface.ts';

export interface SurfaceLaw extends SurfaceElasticity {
  /** c_F, the tangent of the friction angle [1]. */
  readonly friction: number;
  /** Stretch in the plane, less 1, beyond which a triangle of the mean strength is broken; Infinity where it never is. */
  readonly breakingStrain: number;
}

/** Projects R; true where it changed. */
export const projectSurface = (r: Float64Array, law: SurfaceLaw): boolean => {
  const shear = law.shearStiffness * Math.sqrt(r[2] * r[2] + r[5] * r[5]);
  const pressed = 1 - r[8];
  const limit = pressed > 0 && r[8] > 0 ? law.friction * law.normalStiffness * pressed * pressed : 0;
  let changed = false;
  if (pressed < 0) {
    r[8] = 1;
    changed = true;
  }
  if (shear > limit || (law.shearStiffness === 0 && (r[2] !== 0 || r[5] !== 0))) {
    const scale = shear > 0 ? limit / shear : 0;
    r[2] *= scale;
    r[5] *= scale;
    changed = true;
  }
  return changed;
};
