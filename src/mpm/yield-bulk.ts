/**
 * Plasticity of bulk material, on the logarithms ε of the singular values of F = U diag(exp ε) Vᵀ.
 *
 * Sand (Drucker–Prager, Klár et al. 2016; volume as Tampubolon et al. 2017):
 *     ε̂ = ε + g/3 (1, 1, 1)     g  logarithm of the volume that the sand gained as it parted: compression pays it back before it is felt
 *     tr ε̂ ≥ 0   parted: ε = 0, g = tr ε̂
 *     else, beyond ‖dev ε̂‖ + α (3 λ + 2 μ)/(2 μ) tr ε̂ ≤ 0:  dev ε̂ is scaled to the limit, the volume kept; g = 0
 *     α = √(2/3) · 2 sin Φ/(3 − sin Φ), Φ the friction angle in triaxial compression
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

export interface SandLaw extends HenckyElasticity {
  /** α [1] */
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
  const limit = (-law.friction * (3 * law.lambda + 2 * law.mu) * sum) / (2 * law.mu);
  const isScaled = limitDeviator(strain, sum / 3, limit);
  const changed = isScaled || isPaidBack || isCrushed;
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

/** F[at…] := U diag(exp ε) Vᵀ. */
const composeStrain = (f: Float64Array, at: number, work: BulkWork): void => {
  for (let k = 0; k < 3; k++) work.s[k] = Math.max(SMALLEST_STRETCH, computeExp(work.strain[k]));
  composeStretches(f, at, work);
};
