/**
 * Stress of bulk material (sand, goo, solids): the energy of `hencky.ts` in three dimensions.
 *     ψ(F),  τ = P Fᵀ = U diag(2 μ εᵢ + λ Σ εⱼ) Uᵀ      τ  Kirchhoff stress [Pa]
 * F is the elastic part of the deformation gradient, row-major.
 */
import { computeLog, writeSvd3x3 } from '../math/index.ts';
import { computeHenckyEnergy, type HenckyElasticity, SMALLEST_STRETCH, writeHenckyProduct } from './hencky.ts';

/** Numbers that the functions of this file and the return mappings of bulk material work in. */
export class BulkWork {
  readonly f = new Float64Array(9);
  readonly u = new Float64Array(9);
  readonly s = new Float64Array(3);
  readonly v = new Float64Array(9);
  readonly m = new Float64Array(9);
  readonly y = new Float64Array(9);
  readonly strain = new Float64Array(3);
}

/** F = U diag(s) Vᵀ into the work; stretches that have no logarithm are lifted: true where there were some. */
export const writeStretches = (f: Float64Array, at: number, work: BulkWork): boolean => {
  for (let k = 0; k < 9; k++) work.f[k] = f[at + k];
  writeSvd3x3(work.f, work.u, work.s, work.v);
  let isCrushed = false;
  for (let k = 0; k < 3; k++) {
    if (work.s[k] >= SMALLEST_STRETCH) continue;
    work.s[k] = SMALLEST_STRETCH;
    isCrushed = true;
  }
  return isCrushed;
};

/** F[at…] := U diag(s) Vᵀ from the work. */
export const composeStretches = (f: Float64Array, at: number, work: BulkWork): void => {
  const { u, s, v } = work;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      f[at + 3 * i + j] =
        u[3 * i] * s[0] * v[3 * j] + u[3 * i + 1] * s[1] * v[3 * j + 1] + u[3 * i + 2] * s[2] * v[3 * j + 2];
};

/** Square of the cosine below which columns count as orthogonal. */
const ORTHOGONAL = 1e-12;

/**
 * s := lengths of the columns of F[at…], its stretches where they are orthogonal: F = U diag(s), as kernels leave it (single-state.ts). False where they are not, or one is crushed.
 * What ψ misses is below 1e-12 μ, less than single precision of F adds.
 */
const findColumnStretches = (f: Float64Array, at: number, s: Float64Array): boolean => {
  const [a, b, c] = [f[at], f[at + 3], f[at + 6]];
  const [d, e, g] = [f[at + 1], f[at + 4], f[at + 7]];
  const [p, q, r] = [f[at + 2], f[at + 5], f[at + 8]];
  const aa = a * a + b * b + c * c;
  const bb = d * d + e * e + g * g;
  const cc = p * p + q * q + r * r;
  const ab = a * d + b * e + c * g;
  const ac = a * p + b * q + c * r;
  const bc = d * p + e * q + g * r;
  if (!(ab * ab <= ORTHOGONAL * aa * bb && ac * ac <= ORTHOGONAL * aa * cc && bc * bc <= ORTHOGONAL * bb * cc))
    return false;
  s[0] = Math.sqrt(aa);
  s[1] = Math.sqrt(bb);
  s[2] = Math.sqrt(cc);
  const volume = a * (e * r - g * q) + b * (g * p - d * r) + c * (d * q - e * p);
  return volume > 0 && s[0] >= SMALLEST_STRETCH && s[1] >= SMALLEST_STRETCH && s[2] >= SMALLEST_STRETCH;
};

/** ψ [J/m³] of F[at…]. */
export const computeBulkEnergy = (f: Float64Array, at: number, law: HenckyElasticity, work: BulkWork): number => {
  if (!findColumnStretches(f, at, work.s)) writeStretches(f, at, work);
  return computeHenckyEnergy(work.s, 3, law);
};

/** out := τ = P Fᵀ [Pa], symmetric, nine numbers. */
export const writeBulkStress = (
  f: Float64Array,
  at: number,
  law: HenckyElasticity,
  work: BulkWork,
  out: Float64Array,
): void => {
  writeStretches(f, at, work);
  const { u, s, strain } = work;
  for (let k = 0; k < 3; k++) strain[k] = computeLog(s[k]);
  const sum = law.lambda * (strain[0] + strain[1] + strain[2]);
  const a = 2 * law.mu * strain[0] + sum;
  const b = 2 * law.mu * strain[1] + sum;
  const c = 2 * law.mu * strain[2] + sum;
  for (let i = 0; i < 3; i++)
    for (let j = i; j < 3; j++) {
      out[3 * i + j] = u[3 * i] * a * u[3 * j] + u[3 * i + 1] * b * u[3 * j + 1] + u[3 * i + 2] * c * u[3 * j + 2];
      out[3 * j + i] = out[3 * i + j];
    }
};

/** out := P = ∂ψ/∂F [Pa]. */
export const writeBulkGradient = (
  f: Float64Array,
  at: number,
  law: HenckyElasticity,
  work: BulkWork,
  out: Float64Array,
): void => {
  writeStretches(f, at, work);
  const { s, strain } = work;
  for (let k = 0; k < 3; k++) strain[k] = computeLog(s[k]);
  const sum = law.lambda * (strain[0] + strain[1] + strain[2]);
  for (let k = 0; k < 3; k++) s[k] = (2 * law.mu * strain[k] + sum) / s[k];
  composeStretches(out, 0, work);
};

/** out := δP = ∂²ψ : δF [Pa]. */
export const writeBulkHessianProduct = (
  f: Float64Array,
  at: number,
  df: Float64Array,
  law: HenckyElasticity,
  work: BulkWork,
  out: Float64Array,
): void => {
  writeStretches(f, at, work);
  const { u, s, v, m, y } = work;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) sum += u[3 * a + i] * df[3 * a + b] * v[3 * b + j];
      m[3 * i + j] = sum;
    }
  writeHenckyProduct(s, m, 3, law, y);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) sum += u[3 * i + a] * y[3 * a + b] * v[3 * j + b];
      out[3 * i + j] = sum;
    }
};
