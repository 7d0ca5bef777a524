/**
 * Friction of curves as plasticity: the return mapping of the cross-section and of the shear along the fibre.   [Jiang 2017, §4.5.2, corrected]
 *
 *     R₃ = U diag(exp ε̂) Vᵀ, ε̂₁ ≥ ε̂₂.  In the cross-section (Mohr–Coulomb):   2 μ (ε₁ − ε₂) + α (μ + λ)(ε₁ + ε₂) ≤ 0
 *     ε̂₁ + ε̂₂ ≥ 0   parted: ε = 0, r₁₂ = r₁₃ = 0
 *     else, beyond   η = (ε̂₁ − ε̂₂)/2 + α (λ + μ)/(4 μ) (ε̂₁ + ε̂₂),  ε₁ = ε̂₁ − η,  ε₂ = ε̂₂ + η: the volume is kept
 *     Along the fibre, with the R₃ that is left, t = γ R₃ (r₁₂, r₁₃)ᵀ:   ‖t‖ ≤ −β p, else r₁₂ and r₁₃ are scaled
 *         `exact`   p = n·τ n, n = t/‖t‖: the stress on the plane in which fibres slide past each other (ours), so that a slab of them slides at Φ
 *         `mean`    p = (μ + λ)(ε₁ + ε₂), the mean of the cross-section, as the paper takes it: less than what presses where the sides give way (0.2 acts as 0.165 in a slab
 *                   between walls)
 *         n·τ n = μ n·(ln R₃R₃ᵀ) n + λ (ε₁ + ε₂)
 *
 * R₃ = U diag(exp ε) Vᵀ is no longer triangular: q₂ and q₃ turn until it is. r₁₁ is never touched. Singular values that are negative or below
 * `SMALLEST_STRETCH` are lifted to it and the shear forgotten (the paper is silent).
 */
import { computeExp, computeLog } from '../math/index.ts';
import { type CurveElasticity, type CurveWork, writeSection } from './energy-curve.ts';
import { computeLogQuotient, SMALLEST_STRETCH } from './hencky.ts';

/** The stress that friction along fibres is measured by, see the head of this file. */
export const ALONG_FRICTIONS = ['exact', 'mean'] as const;
export type AlongFriction = (typeof ALONG_FRICTIONS)[number];

export interface CurveLaw extends CurveElasticity {
  /** α, across fibres [1]. */
  readonly acrossFriction: number;
  /** β, along fibres [1]. */
  readonly alongFriction: number;
  readonly alongRule: AlongFriction;
  /** r₁₁ − 1 beyond which a segment of the mean strength is broken; Infinity where it never is. */
  readonly breakingStrain: number;
}

/** Projects R and turns Q; true where R changed. Without plasticity only what has no energy is repaired. */
export const projectCurve = (
  q: Float64Array,
  r: Float64Array,
  law: CurveLaw,
  work: CurveWork,
  isPlastic: boolean,
): boolean => {
  writeSection(r, work);
  const { s } = work;
  const isCrushed = !(s[1] >= SMALLEST_STRETCH);
  if (isCrushed) {
    s[1] = SMALLEST_STRETCH;
    if (!(s[0] >= SMALLEST_STRETCH)) s[0] = SMALLEST_STRETCH;
    r[1] = 0;
    r[2] = 0;
  }
  let changed = isCrushed;
  if (isPlastic && projectSection(s, law)) changed = true;
  if (changed) composeSection(q, r, work);
  return isPlastic && scaleShear(r, s, law) ? true : changed;
};

/** Projects the singular values s₁ ≥ s₂ > 0; true where they changed. */
const projectSection = (s: Float64Array, law: CurveLaw): boolean => {
  const first = computeLog(s[0]);
  const second = computeLog(s[1]);
  const sum = first + second;
  if (sum >= 0) {
    const changed = s[0] !== 1 || s[1] !== 1;
    s[0] = 1;
    s[1] = 1;
    return changed;
  }
  const { mu, lambda, acrossFriction } = law;
  const excess = 0.5 * (first - second) + ((acrossFriction * (lambda + mu)) / (4 * mu)) * sum;
  if (!(excess > 0)) return false;
  s[0] = computeExp(first - excess);
  s[1] = computeExp(second + excess);
  return true;
};

/** R₃ := U diag(s) Vᵀ made triangular; q₂ and q₃ turn along. */
const composeSection = (q: Float64Array, r: Float64Array, work: CurveWork): void => {
  const { u, s, v } = work;
  const a = u[0] * s[0] * v[0] + u[1] * s[1] * v[1];
  const b = u[0] * s[0] * v[2] + u[1] * s[1] * v[3];
  const c = u[2] * s[0] * v[0] + u[3] * s[1] * v[1];
  const d = u[2] * s[0] * v[2] + u[3] * s[1] * v[3];
  const length = Math.sqrt(a * a + c * c);
  const cosine = a / length;
  const sine = c / length;
  r[4] = length;
  r[5] = cosine * b + sine * d;
  r[8] = (s[0] * s[1]) / length;
  for (let row = 0; row < 9; row += 3) {
    const x = q[row + 1];
    const y = q[row + 2];
    q[row + 1] = cosine * x + sine * y;
    q[row + 2] = cosine * y - sine * x;
  }
};

/** Friction along the fibre; true where the shear was scaled. */
const scaleShear = (r: Float64Array, s: Float64Array, law: CurveLaw): boolean => {
  if (r[1] === 0 && r[2] === 0) return false;
  const a = r[4] * r[1] + r[5] * r[2];
  const b = r[8] * r[2];
  const length = Math.sqrt(a * a + b * b);
  const shear = law.shearStiffness * length;
  const last = computeLog(s[1]);
  const sum = computeLog(s[0]) + last;
  let pressure = (law.mu + law.lambda) * sum;
  if (law.alongRule === 'exact' && length > 0) {
    // ln B = ln s₂² I + (B − s₂² I) (ln s₁² − ln s₂²)/(s₁² − s₂²),  B = R₃R₃ᵀ
    const along = (r[4] * a) / length;
    const across = (r[5] * a + r[8] * b) / length;
    const first = s[0] * s[0];
    const second = s[1] * s[1];
    const strain = 2 * last + (along * along + across * across - second) * computeLogQuotient(first, second);
    pressure = law.mu * strain + law.lambda * sum;
  }
  const limit = pressure < 0 ? -law.alongFriction * pressure : 0;
  if (shear <= limit && shear > 0) return false;
  const scale = shear > 0 ? limit / shear : 0;
  r[1] *= scale;
  r[2] *= scale;
  return true;
};
