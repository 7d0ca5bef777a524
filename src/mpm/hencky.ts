/**
 * Elasticity in logarithms of the singular values, in two and three dimensions.   [Klár 2016; Jiang 2017, §3.3.1]
 *
 *     ψ = μ Σ εᵢ² + λ/2 (Σ εᵢ)²,  εᵢ = ln sᵢ,  F = U diag(s) Vᵀ,      P = ∂ψ/∂F = U diag(pᵢ) Vᵀ,  pᵢ = (2 μ εᵢ + λ Σ εⱼ)/sᵢ
 *     δP = U Y Vᵀ,  M = Uᵀ δF V:
 *     Yᵢᵢ = Σⱼ (∂pᵢ/∂sⱼ) Mⱼⱼ,      Yᵢⱼ = ½ aᵢⱼ (Mᵢⱼ + Mⱼᵢ) + ½ bᵢⱼ (Mᵢⱼ − Mⱼᵢ),   a = (pᵢ − pⱼ)/(sᵢ − sⱼ),  b = (pᵢ + pⱼ)/(sᵢ + sⱼ)
 *
 *   μ, λ  Lamé parameters [Pa]   s  singular values [1], all > 0: where they are not, the return mappings have put `SMALLEST_STRETCH`
 */
import { computeLog } from '../math/index.ts';

/** Singular values below this have no useful logarithm: return mappings lift them to it (the paper is silent). */
export const SMALLEST_STRETCH = 0.05;

export interface HenckyElasticity {
  /** μ [Pa] */
  readonly mu: number;
  /** λ [Pa] */
  readonly lambda: number;
}

/** (ln a − ln b)/(a − b), which is 1/a where they are equal. */
export const computeLogQuotient = (a: number, b: number): number => {
  const z = (a - b) / (a + b);
  if (Math.abs(z) > 0.1) return (computeLog(a) - computeLog(b)) / (a - b);
  // ln(a/b) = 2 artanh z
  const square = z * z;
  let sum = 0;
  for (let n = 17; n >= 1; n -= 2) sum = 1 / n + square * sum;
  return (2 / (a + b)) * sum;
};

/** (pᵢ − pⱼ)/(sᵢ − sⱼ), t = λ Σ ε. */
export const computeStretchModulus = (a: number, b: number, t: number, mu: number): number =>
  (2 * mu * (b * computeLogQuotient(a, b) - computeLog(b)) - t) / (a * b);

/** ψ [J/m³] of `count` stretches. */
export const computeHenckyEnergy = (s: Float64Array, count: number, law: HenckyElasticity): number => {
  let squares = 0;
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const e = computeLog(s[i]);
    squares += e * e;
    sum += e;
  }
  return law.mu * squares + 0.5 * law.lambda * sum * sum;
};

/** Y of the head for n × n matrices (n = 2 or 3), from M = Uᵀ δF V; out must not be m. */
export const writeHenckyProduct = (
  s: Float64Array,
  m: Float64Array,
  n: number,
  law: HenckyElasticity,
  out: Float64Array,
): void => {
  let t = 0;
  let rate = 0;
  for (let i = 0; i < n; i++) {
    t += computeLog(s[i]);
    rate += m[(n + 1) * i] / s[i];
  }
  t *= law.lambda;
  for (let i = 0; i < n; i++) {
    const p = (2 * law.mu * computeLog(s[i]) + t) / s[i];
    // ∂pᵢ = (2 μ δsᵢ/sᵢ + λ Σ δsⱼ/sⱼ)/sᵢ − pᵢ δsᵢ/sᵢ
    const own = m[(n + 1) * i] / s[i];
    out[(n + 1) * i] = (2 * law.mu * own + law.lambda * rate) / s[i] - p * own;
    for (let j = 0; j < i; j++) {
      const other = (2 * law.mu * computeLog(s[j]) + t) / s[j];
      const even = 0.5 * computeStretchModulus(s[i], s[j], t, law.mu) * (m[n * i + j] + m[n * j + i]);
      const odd = (0.5 * (p + other) * (m[n * i + j] - m[n * j + i])) / (s[i] + s[j]);
      out[n * i + j] = even + odd;
      out[n * j + i] = even - odd;
    }
  }
};
