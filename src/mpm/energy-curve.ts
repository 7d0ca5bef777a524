/**
 * Elasticity of curves: stretch along the fibre, shear along it, and the cross-section.   [Jiang 2017, §3.3.1]
 *
 *     ψ̂(R) = k/2 (r₁₁ − 1)²  +  γ/2 (r₁₂² + r₁₃²)  +  μ (ε₁² + ε₂²) + λ/2 (ε₁ + ε₂)²
 *
 *   ε  logarithms of the singular values of R₃ = [r₂₂ r₂₃; 0 r₃₃], which must be > 0
 *   k  stiffness of the fibre [Pa]: k times its section is its axial stiffness   γ  against shear along the fibre [Pa]
 *   μ, λ  Lamé parameters of the cross-section [Pa]
 * ∂ψ̂/∂R₃ is the upper triangle of the two-dimensional P of `hencky.ts`.
 */
import { computeLog, writeSvd2x2 } from '../math/index.ts';
import { computeHenckyEnergy, type HenckyElasticity, writeHenckyProduct } from './hencky.ts';

export interface CurveElasticity extends HenckyElasticity {
  /** k [Pa] */
  readonly fibreStiffness: number;
  /** γ [Pa] */
  readonly shearStiffness: number;
}

/** Numbers that the functions of this file work in. */
export class CurveWork {
  readonly section = new Float64Array(4);
  readonly u = new Float64Array(4);
  readonly s = new Float64Array(2);
  readonly v = new Float64Array(4);
  readonly m = new Float64Array(4);
  readonly y = new Float64Array(4);
}

/** R₃ = U diag(s) Vᵀ into the work. */
export const writeSection = (r: Float64Array, work: CurveWork): void => {
  work.section[0] = r[4];
  work.section[1] = r[5];
  work.section[2] = 0;
  work.section[3] = r[8];
  writeSvd2x2(work.section, work.u, work.s, work.v);
};

/** ψ̂ [J/m³]. */
export const computeCurveEnergy = (r: Float64Array, law: CurveElasticity, work: CurveWork): number => {
  writeSection(r, work);
  const stretch = r[0] - 1;
  return (
    0.5 * law.fibreStiffness * stretch * stretch +
    0.5 * law.shearStiffness * (r[1] * r[1] + r[2] * r[2]) +
    computeHenckyEnergy(work.s, 2, law)
  );
};

/** out := ∂ψ̂/∂R [Pa], upper triangle. */
export const writeCurveGradient = (r: Float64Array, law: CurveElasticity, work: CurveWork, out: Float64Array): void => {
  writeSection(r, work);
  const { u, s, v } = work;
  const first = computeLog(s[0]);
  const second = computeLog(s[1]);
  const sum = law.lambda * (first + second);
  const p1 = (2 * law.mu * first + sum) / s[0];
  const p2 = (2 * law.mu * second + sum) / s[1];
  out[0] = law.fibreStiffness * (r[0] - 1);
  out[1] = law.shearStiffness * r[1];
  out[2] = law.shearStiffness * r[2];
  out[3] = 0;
  out[4] = u[0] * p1 * v[0] + u[1] * p2 * v[1];
  out[5] = u[0] * p1 * v[2] + u[1] * p2 * v[3];
  out[6] = 0;
  out[7] = 0;
  out[8] = u[2] * p1 * v[2] + u[3] * p2 * v[3];
};

/** out := ∂²ψ̂ : δR [Pa], upper triangle. */
export const writeCurveHessianProduct = (
  r: Float64Array,
  dr: Float64Array,
  law: CurveElasticity,
  work: CurveWork,
  out: Float64Array,
): void => {
  writeSection(r, work);
  const { u, s, v, m, y } = work;
  // M = Uᵀ δR₃ V
  for (let i = 0; i < 2; i++) {
    const a = u[i] * dr[4];
    const b = u[i] * dr[5] + u[2 + i] * dr[8];
    m[2 * i] = a * v[0] + b * v[2];
    m[2 * i + 1] = a * v[1] + b * v[3];
  }
  writeHenckyProduct(s, m, 2, law, y);
  out[0] = law.fibreStiffness * dr[0];
  out[1] = law.shearStiffness * dr[1];
  out[2] = law.shearStiffness * dr[2];
  out[3] = 0;
  out[4] = (u[0] * y[0] + u[1] * y[2]) * v[0] + (u[0] * y[1] + u[1] * y[3]) * v[1];
  out[5] = (u[0] * y[0] + u[1] * y[2]) * v[2] + (u[0] * y[1] + u[1] * y[3]) * v[3];
  out[6] = 0;
  out[7] = 0;
  out[8] = (u[2] * y[0] + u[3] * y[2]) * v[2] + (u[2] * y[1] + u[3] * y[3]) * v[3];
};
