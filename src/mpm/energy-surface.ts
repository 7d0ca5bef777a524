/**
 * Elasticity of surfaces: stretch in the plane, shear and compression of the normal.   [Jiang 2017, §3.3.2]
 *
 *     ψ̂(R) = k/3 (1 − r₃₃)³ [r₃₃ ≤ 1]  +  γ/2 (r₁₃² + r₂₃²)  +  μ ‖R₁ − Rot‖² + λ/2 (r₁₁ r₂₂ − 1)²
 *
 *   R₁ = [r₁₁ r₁₂; 0 r₂₂]   Rot = [c −s; s c] its rotation, (c, s) = (r₁₁ + r₂₂, −r₁₂)/norm: the fixed corotated energy of [Stomakhin 2012] in 2D
 *   μ, λ  Lamé parameters in the plane [Pa]   k  stiffness against compression [Pa]   γ  against shear of the normal [Pa]
 * r₃₃ > 1 costs nothing: what is not pressed together may part.
 */

export interface SurfaceElasticity {
  /** μ and λ in the plane [Pa]. */
  readonly mu: number;
  readonly lambda: number;
  /** k [Pa] */
  readonly normalStiffness: number;
  /** γ [Pa] */
  readonly shearStiffness: number;
}

/** ψ̂ [J/m³]. */
export const computeSurfaceEnergy = (r: Float64Array, law: SurfaceElasticity): number => {
  const pressed = r[8] < 1 ? 1 - r[8] : 0;
  const sum = r[0] + r[4];
  const norm = Math.sqrt(sum * sum + r[1] * r[1]);
  const c = norm > 0 ? sum / norm : 1;
  const s = norm > 0 ? -r[1] / norm : 0;
  const stretch = (r[0] - c) * (r[0] - c) + (r[1] + s) * (r[1] + s) + s * s + (r[4] - c) * (r[4] - c);
  const area = r[0] * r[4] - 1;
  return (
    (law.normalStiffness / 3) * pressed * pressed * pressed +
    0.5 * law.shearStiffness * (r[2] * r[2] + r[5] * r[5]) +
    law.mu * stretch +
    0.5 * law.lambda * area * area
  );
};

/** out := ∂ψ̂/∂R [Pa], upper triangle. */
export const writeSurfaceGradient = (r: Float64Array, law: SurfaceElasticity, out: Float64Array): void => {
  const pressed = r[8] < 1 ? 1 - r[8] : 0;
  const sum = r[0] + r[4];
  const norm = Math.sqrt(sum * sum + r[1] * r[1]);
  const c = norm > 0 ? sum / norm : 1;
  const s = norm > 0 ? -r[1] / norm : 0;
  const area = law.lambda * (r[0] * r[4] - 1);
  out[0] = 2 * law.mu * (r[0] - c) + area * r[4];
  out[1] = 2 * law.mu * (r[1] + s);
  out[2] = law.shearStiffness * r[2];
  out[3] = 0;
  out[4] = 2 * law.mu * (r[4] - c) + area * r[0];
  out[5] = law.shearStiffness * r[5];
  out[6] = 0;
  out[7] = 0;
  out[8] = -law.normalStiffness * pressed * pressed;
};

/** out := ∂²ψ̂ : δR [Pa], upper triangle. */
export const writeSurfaceHessianProduct = (
  r: Float64Array,
  dr: Float64Array,
  law: SurfaceElasticity,
  out: Float64Array,
): void => {
  const pressed = r[8] < 1 ? 1 - r[8] : 0;
  const sum = r[0] + r[4];
  const norm = Math.sqrt(sum * sum + r[1] * r[1]);
  const c = norm > 0 ? sum / norm : 1;
  const s = norm > 0 ? -r[1] / norm : 0;
  // δ(c, s) = (−s, c) δθ
  const turn = norm > 0 ? (-c * dr[1] - s * (dr[0] + dr[4])) / norm : 0;
  const area = law.lambda * (r[0] * r[4] - 1);
  const dArea = law.lambda * (dr[0] * r[4] + r[0] * dr[4]);
  out[0] = 2 * law.mu * (dr[0] + s * turn) + dArea * r[4] + area * dr[4];
  out[1] = 2 * law.mu * (dr[1] + c * turn);
  out[2] = law.shearStiffness * dr[2];
  out[3] = 0;
  out[4] = 2 * law.mu * (dr[4] + s * turn) + dArea * r[0] + area * dr[0];
  out[5] = law.shearStiffness * dr[5];
  out[6] = 0;
  out[7] = 0;
  out[8] = 2 * law.normalStiffness * pressed * dr[8];
};
