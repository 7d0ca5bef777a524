/**
 * Plasticity of bulk material, on the logarithms ε of the singular values of F = U diag(exp ε) Vᵀ.
 *
 * Sand [Klár 2016; volume: Tampubolon 2017]:
 *     ε̂ = ε + g/3 (1, 1, 1)     g  logarithm of the volume that the sand gained as it parted: compression pays it back before it is felt
 *     tr ε̂ ≥ 0   parted: ε = 0, g = tr ε̂
 *     else beyond its limit it is brought back to it, the volume kept; g = 0
 *   `exact`  Mohr–Coulomb, so that Φ is the angle at which it slides whatever the third stress (ours). Of the principal stresses τ₁ ≥ τ₂ ≥ τ₃, τᵢ = 2 μ εᵢ + λ tr ε:
 *                f = τ₁ − τ₃ + (τ₁ + τ₃) sin Φ ≤ 0,   back along (1, 0, −1):  ε₁ −= f/4μ,  ε₃ += f/4μ
 *            and where that passes τ₂, to the edge of the pyramid: two strains are one,
 *                ε₁ = ε₂ = tr ε (μ − (μ + λ) sin Φ)/(μ (3 − sin Φ))   or   ε₁ = tr ε (μ − (μ + 2 λ) sin Φ)/(μ (3 + sin Φ)), ε₂ = ε₃
 *   `klar`   Drucker–Prager:  ‖dev ε‖ + α (3 λ + 2 μ)/(2 μ) tr ε ≤ 0, back by scaling dev ε,  α = √(2/3) · 2 sin Φ/(3 − sin Φ):
 *            Φ is the angle in triaxial compression alone; in plane strain, as in long heaps, 30° act as 43.9°
 *
 * Goo (Bingham's law on the deviatoric stress s = 2 μ dev ε, ‖·‖ the Frobenius norm):
 *     ‖s‖ > y:  rate of plastic strain (‖s‖ − y)/(2 η) along s, taken implicitly over the step h,
 *     ‖s‖ = (‖ŝ‖ + y μ h/η)/(1 + μ h/η)                    y = √(2/3) · yield stress in tension [Pa]   η  viscosity [Pa s]
 * Crushed or inverted material is lifted to `SMALLEST_STRETCH`.
 *   η = 0 is plasticity without viscosity (‖s‖ = y), y = 0 a liquid of viscosity η, y = ∞ an elastic solid.
 */
import { computeExp, computeLog } from '../math/index.ts';
import { type BulkWork, composeStretches, writeStretches } from './energy-bulk.ts';
import { type HenckyElasticity, SMALLEST_STRETCH } from './hencky.ts';

/** The limit of sand, see the head of this file. */
export const SAND_FRICTIONS = ['exact', 'klar'] as const;
export type SandFriction = (typeof SAND_FRICTIONS)[number];

export interface SandLaw extends HenckyElasticity {
  readonly rule: SandFriction;
  /** sin Φ of `exact`, α of `klar` [1]. */
  readonly friction: number;
}

export interface GooLaw extends HenckyElasticity {
  /** y, the norm of the deviatoric stress at which it flows [Pa]. */
  readonly flowStress: number;
  /** η [Pa s] */
  readonly viscosity: number;
}

/** Projects F[at…] and the gained volume gain[index]; true where F changed. */
export const projectSand = (
  f: Float64Array,
  at: number,
  gain: Float64Array,
  index: number,
  law: SandLaw,
  work: BulkWork,
): boolean => {
  const isCrushed = writeStretches(f, at, work);
  const { s, strain } = work;
  for (let k = 0; k < 3; k++) strain[k] = computeLog(s[k]);
  const sum = strain[0] + strain[1] + strain[2] + gain[index];
  if (sum >= 0) {
    gain[index] = sum;
    s.fill(1);
    composeStretches(f, at, work);
    return true;
  }
  const isPaidBack = gain[index] !== 0;
  for (let k = 0; k < 3; k++) strain[k] += gain[index] / 3;
  gain[index] = 0;
  const isLimited =
    law.rule === 'exact'
      ? limitShear(strain, sum, law)
      : limitDeviator(strain, sum / 3, (-law.friction * (3 * law.lambda + 2 * law.mu) * sum) / (2 * law.mu));
  const changed = isLimited || isPaidBack || isCrushed;
  if (changed) composeStrain(f, at, work);
  return changed;
};

/** Projects F[at…] after a step of length h; true where F changed. */
export const projectGoo = (f: Float64Array, at: number, h: number, law: GooLaw, work: BulkWork): boolean => {
  const isCrushed = writeStretches(f, at, work);
  const { s, strain } = work;
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    strain[k] = computeLog(s[k]);
    sum += strain[k];
  }
  const shear = 2 * law.mu * computeDeviator(strain, sum / 3);
  const changed = limitDeviator(strain, sum / 3, computeFlow(shear, h, law) / (2 * law.mu)) || isCrushed;
  if (changed) composeStrain(f, at, work);
  return changed;
};

/** What a step of length h leaves of the deviatoric stress ‖ŝ‖. */
const computeFlow = (shear: number, h: number, law: GooLaw): number => {
  if (!(shear > law.flowStress)) return Number.POSITIVE_INFINITY;
  if (law.viscosity === 0) return law.flowStress;
  const creep = (law.mu * h) / law.viscosity;
  return (shear + law.flowStress * creep) / (1 + creep);
};

/** ‖dev ε‖ */
const computeDeviator = (strain: Float64Array, mean: number): number => {
  let squares = 0;
  for (let k = 0; k < 3; k++) squares += (strain[k] - mean) * (strain[k] - mean);
  return Math.sqrt(squares);
};

/** Scales dev ε to the norm `limit` where it is longer; true where it was. */
const limitDeviator = (strain: Float64Array, mean: number, limit: number): boolean => {
  const length = computeDeviator(strain, mean);
  if (!(length > limit)) return false;
  for (let k = 0; k < 3; k++) strain[k] = mean + (strain[k] - mean) * (limit / length);
  return true;
};

/** Brings the principal strains ε of the trace `sum` < 0 back to Mohr–Coulomb's pyramid; true where they were outside. */
const limitShear = (strain: Float64Array, sum: number, law: SandLaw): boolean => {
  const { mu, lambda, friction: sine } = law;
  // indices of the largest, the middle and the smallest strain
  let a = 0;
  let b = 1;
  let c = 2;
  if (strain[a] < strain[b]) [a, b] = [b, a];
  if (strain[b] < strain[c]) [b, c] = [c, b];
  if (strain[a] < strain[b]) [a, b] = [b, a];
  const excess = 2 * mu * (strain[a] - strain[c]) + sine * (2 * mu * (strain[a] + strain[c]) + 2 * lambda * sum);
  if (!(excess > 0)) return false;
  const back = excess / (4 * mu);
  if (strain[a] - back < strain[b]) {
    const pair = (sum * (mu - (mu + lambda) * sine)) / (mu * (3 - sine));
    strain[a] = pair;
    strain[b] = pair;
    strain[c] = sum - 2 * pair;
  } else if (strain[c] + back > strain[b]) {
    strain[a] = (sum * (mu - (mu + 2 * lambda) * sine)) / (mu * (3 + sine));
    strain[b] = 0.5 * (sum - strain[a]);
    strain[c] = strain[b];
  } else {
    strain[a] -= back;
    strain[c] += back;
  }
  return true;
};

/** F[at…] := U diag(exp ε) Vᵀ. */
const composeStrain = (f: Float64Array, at: number, work: BulkWork): void => {
  for (let k = 0; k < 3; k++) work.s[k] = Math.max(SMALLEST_STRETCH, computeExp(work.strain[k]));
  composeStretches(f, at, work);
};
