/**
 * Polar, QR and singular value decompositions of 3×3 and 3×2 matrices (deformation gradients of solids and of sheets).
 * Layout: row-major Float64Arrays; 3×3 has 9 numbers, 3×2 has 6 (m[2 row + column]), 2×2 has 4.
 *
 *   SVD    F = U diag(σ) Vᵀ   3×3: U and V proper rotations, σ₁ ≥ σ₂ ≥ |σ₃|, and σ₃ has the sign of det F (an inverted
 *                             element shows in σ₃ alone).  3×2: U 3×2 with orthonormal columns, V a proper 2×2
 *                             rotation, σ₁ ≥ σ₂ ≥ 0.  2×2: U and V proper rotations, σ₁ ≥ |σ₂|, σ₂ signed like det F.
 *   polar  F = R S            3×3: R a proper rotation, S symmetric with eigenvalues σ (indefinite where det F < 0).
 *                             3×2: R 3×2 with orthonormal columns, S 2×2 symmetric and positive semidefinite.
 *   QR     F = Q R            Q a proper rotation (3×3 in both cases: for 3×2 its third column is the sheet's normal),
 *                             R upper triangular, r₁₁ ≥ 0, r₂₂ ≥ 0; r₃₃ is signed like det F.
 *
 * The SVD is by one-sided Jacobi rotations of the columns [Hestenes 1958], which finds small singular values to high
 * relative accuracy, unlike the eigenvalues of FᵀF. Rank-deficient matrices, zero included, get some orthonormal
 * completion. `write…` forms allocate nothing.
 */

import { computeLog2, computePowerOfTwo } from './exponential.ts';
import { computeHypot3 } from './hypot.ts';

const MAX_SWEEPS = 24;
/** Cosine below which two columns count as orthogonal. */
const ORTHOGONAL = 1e-16;

/** A power of two near the largest entry (0 for the zero matrix), so that scaling by it is exact. */
const scaleOf = (m: Float64Array): number => {
  let largest = 0;
  for (let i = 0; i < m.length; i++) largest = Math.max(largest, Math.abs(m[i]));
  return largest > 0 ? computePowerOfTwo(Math.max(-1000, Math.min(1000, Math.floor(computeLog2(largest))))) : 0;
};

/** Turns columns p and q (three rows, `stride` apart) of b until they are orthogonal, and the same columns of v. */
const orthogonalizeColumns = (b: Float64Array, stride: number, v: Float64Array, p: number, q: number): boolean => {
  let pp = 0;
  let qq = 0;
  let pq = 0;
  for (let row = 0; row < 3 * stride; row += stride) {
    pp += b[row + p] * b[row + p];
    qq += b[row + q] * b[row + q];
    pq += b[row + p] * b[row + q];
  }
  if (pq === 0 || Math.abs(pq) <= ORTHOGONAL * Math.sqrt(pp) * Math.sqrt(qq)) return false;
  const theta = (qq - pp) / (2 * pq);
  const t =
    Math.abs(theta) > 1e150 ? 0.5 / theta : (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(1 + theta * theta));
  const c = 1 / Math.sqrt(1 + t * t);
  rotateColumns(b, stride, 3, p, q, c, t * c);
  rotateColumns(v, stride, stride, p, q, c, t * c);
  return true;
};

const rotateColumns = (
  m: Float64Array,
  stride: number,
  rows: number,
  p: number,
  q: number,
  c: number,
  s: number,
): void => {
  for (let row = 0; row < rows * stride; row += stride) {
    const x = m[row + p];
    const y = m[row + q];
    m[row + p] = c * x - s * y;
    m[row + q] = s * x + c * y;
  }
};

const columnLength = (m: Float64Array, stride: number, column: number): number =>
  computeHypot3(m[column], m[stride + column], m[2 * stride + column]);

/** Divides a column by `length`; a column of length zero becomes the axis least along `other` (or x where there is none). */
const normalizeColumn = (m: Float64Array, stride: number, column: number, length: number, other: number): void => {
  if (length > 0) {
    for (let row = 0; row < 3; row++) m[row * stride + column] /= length;
    return;
  }
  let axis = 0;
  if (other >= 0) {
    for (let row = 1; row < 3; row++) {
      if (Math.abs(m[row * stride + other]) < Math.abs(m[axis * stride + other])) axis = row;
    }
  }
  for (let row = 0; row < 3; row++) m[row * stride + column] = row === axis ? 1 : 0;
};

/** Takes the part of unit column p out of column q, twice for full precision; returns the coefficient. */
const removeProjection = (m: Float64Array, stride: number, p: number, q: number): number => {
  let total = 0;
  for (let pass = 0; pass < 2; pass++) {
    let along = 0;
    for (let row = 0; row < 3; row++) along += m[row * stride + p] * m[row * stride + q];
    for (let row = 0; row < 3; row++) m[row * stride + q] -= along * m[row * stride + p];
    total += along;
  }
  return total;
};

/**
 * Makes columns 0 and 1 of m orthonormal (Gram–Schmidt); lengths[0] := ‖column 0‖, lengths[1] := length of column 1
 * across column 0; returns the length of column 1 along column 0. A zero column is replaced by a perpendicular one.
 */
const orthonormalizePair = (m: Float64Array, stride: number, lengths: Float64Array): number => {
  lengths[0] = columnLength(m, stride, 0);
  normalizeColumn(m, stride, 0, lengths[0], -1);
  // Once more: the length of a column of subnormal numbers is too coarse.
  normalizeColumn(m, stride, 0, columnLength(m, stride, 0), -1);
  const along = removeProjection(m, stride, 0, 1);
  lengths[1] = columnLength(m, stride, 1);
  normalizeColumn(m, stride, 1, lengths[1], 0);
  // An axis put in for a zero column, or rounding magnified by the division, still leans on column 0.
  removeProjection(m, stride, 0, 1);
  normalizeColumn(m, stride, 1, columnLength(m, stride, 1), 0);
  return along;
};

/** Column 2 of a 3×3 matrix := column 0 × column 1. */
const completeRotation = (m: Float64Array): void => {
  m[2] = m[3] * m[7] - m[6] * m[4];
  m[5] = m[6] * m[1] - m[0] * m[7];
  m[8] = m[0] * m[4] - m[3] * m[1];
};

const setIdentity = (m: Float64Array, size: number): void => {
  for (let i = 0; i < size * size; i++) m[i] = i % (size + 1) === 0 ? 1 : 0;
};

/** Orders columns p and q of b by falling length, turning v along. */
const orderColumns = (b: Float64Array, stride: number, v: Float64Array, p: number, q: number): void => {
  if (columnLength(b, stride, p) < columnLength(b, stride, q)) {
    rotateColumns(b, stride, 3, p, q, 0, 1);
    rotateColumns(v, stride, stride, p, q, 0, 1);
  }
};

/** F = U diag(σ) Vᵀ for 3×3; u, sigma and v are overwritten (9, 3, 9) and must not be f. */
export const writeSvd3x3 = (f: Float64Array, u: Float64Array, sigma: Float64Array, v: Float64Array): void => {
  const scale = scaleOf(f);
  for (let i = 0; i < 9; i++) u[i] = scale > 0 ? f[i] / scale : 0;
  setIdentity(v, 3);
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let turned = orthogonalizeColumns(u, 3, v, 0, 1);
    turned = orthogonalizeColumns(u, 3, v, 0, 2) || turned;
    turned = orthogonalizeColumns(u, 3, v, 1, 2) || turned;
    if (!turned) break;
  }
  orderColumns(u, 3, v, 0, 1);
  orderColumns(u, 3, v, 1, 2);
  orderColumns(u, 3, v, 0, 1);
  const x = u[2];
  const y = u[5];
  const z = u[8];
  orthonormalizePair(u, 3, sigma);
  completeRotation(u);
  sigma[0] *= scale;
  sigma[1] *= scale;
  sigma[2] = (u[2] * x + u[5] * y + u[8] * z) * scale;
};

/** F = U diag(σ) Vᵀ for 3×2; u (6), sigma (2) and v (4) are overwritten. */
export const writeSvd3x2 = (f: Float64Array, u: Float64Array, sigma: Float64Array, v: Float64Array): void => {
  const scale = scaleOf(f);
  for (let i = 0; i < 6; i++) u[i] = scale > 0 ? f[i] / scale : 0;
  setIdentity(v, 2);
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) if (!orthogonalizeColumns(u, 2, v, 0, 1)) break;
  orderColumns(u, 2, v, 0, 1);
  orthonormalizePair(u, 2, sigma);
  sigma[0] *= scale;
  sigma[1] *= scale;
};

export const computeSvd3x3 = (f: Float64Array): { u: Float64Array; sigma: Float64Array; v: Float64Array } => {
  const result = { u: new Float64Array(9), sigma: new Float64Array(3), v: new Float64Array(9) };
  writeSvd3x3(f, result.u, result.sigma, result.v);
  return result;
};

export const computeSvd2x2 = (f: Float64Array): { u: Float64Array; sigma: Float64Array; v: Float64Array } => {
  const result = { u: new Float64Array(4), sigma: new Float64Array(2), v: new Float64Array(4) };
  writeSvd2x2(f, result.u, result.sigma, result.v);
  return result;
};

export const computeSvd3x2 = (f: Float64Array): { u: Float64Array; sigma: Float64Array; v: Float64Array } => {
  const result = { u: new Float64Array(6), sigma: new Float64Array(2), v: new Float64Array(4) };
  writeSvd3x2(f, result.u, result.sigma, result.v);
  return result;
};

/**
 * F = U diag(σ) Vᵀ for 2×2, in closed form; u (4), sigma (2) and v (4) are overwritten and must not be f.
 *     F = ½ [a + d, −(c − b); c − b, a + d] + ½ [a − d, c + b; c + b, −(a − d)]:  a turn by α times p, and a mirror turned by β times q,
 * so that σ = p ± q, U turns by (α + β)/2 and V by (β − α)/2. σ₂ = det F/σ₁, which does not cancel where p ≈ q and F is triangular.
 */
export const writeSvd2x2 = (f: Float64Array, u: Float64Array, sigma: Float64Array, v: Float64Array): void => {
  const turnX = 0.5 * (f[0] + f[3]);
  const turnY = 0.5 * (f[2] - f[1]);
  const mirrorX = 0.5 * (f[0] - f[3]);
  const mirrorY = 0.5 * (f[2] + f[1]);
  const p = Math.sqrt(turnX * turnX + turnY * turnY);
  const q = Math.sqrt(mirrorX * mirrorX + mirrorY * mirrorY);
  sigma[0] = p + q;
  sigma[1] = sigma[0] > 0 ? (f[0] * f[3] - f[1] * f[2]) / sigma[0] : 0;
  const cosA = p > 0 ? turnX / p : 1;
  const sinA = p > 0 ? turnY / p : 0;
  const cosB = q > 0 ? mirrorX / q : 1;
  const sinB = q > 0 ? mirrorY / q : 0;
  writeHalfTurn(cosA * cosB - sinA * sinB, sinA * cosB + cosA * sinB, u);
  // V = (turn by −α) U: half of both angles, on the same branch
  v[0] = cosA * u[0] + sinA * u[2];
  v[2] = cosA * u[2] - sinA * u[0];
  v[1] = -v[2];
  v[3] = v[0];
};

/** The 2×2 rotation by half the angle whose cosine and sine are given. */
const writeHalfTurn = (cosine: number, sine: number, out: Float64Array): void => {
  const c = cosine >= 0 ? Math.sqrt(0.5 * (1 + cosine)) : 0;
  const s = cosine >= 0 ? sine / (2 * c) : (sine < 0 ? -1 : 1) * Math.sqrt(0.5 * (1 - cosine));
  out[0] = cosine >= 0 ? c : sine / (2 * s);
  out[2] = s;
  out[1] = -s;
  out[3] = out[0];
};

/** Polar factors of F (`rows` 3, `columns` 3 or 2) from its SVD: R = U Vᵀ, S = V diag(σ) Vᵀ. */
const polarFromSvd = (
  svd: { u: Float64Array; sigma: Float64Array; v: Float64Array },
  n: number,
): { r: Float64Array; s: Float64Array } => {
  const { u, sigma, v } = svd;
  const r = new Float64Array(3 * n);
  const s = new Float64Array(n * n);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < n; j++) for (let k = 0; k < n; k++) r[i * n + j] += u[i * n + k] * v[j * n + k];
  }
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) {
      for (let k = 0; k < n; k++) s[i * n + j] += v[i * n + k] * sigma[k] * v[j * n + k];
      s[j * n + i] = s[i * n + j];
    }
  }
  return { r, s };
};

/** F = R S for 3×3. */
export const computePolar3x3 = (f: Float64Array): { r: Float64Array; s: Float64Array } =>
  polarFromSvd(computeSvd3x3(f), 3);

/** F = R S for 3×2. */
export const computePolar3x2 = (f: Float64Array): { r: Float64Array; s: Float64Array } =>
  polarFromSvd(computeSvd3x2(f), 2);

/** F = Q R for 3×3; q and r (9 each) are overwritten and must not be f. */
export const writeQr3x3 = (f: Float64Array, q: Float64Array, r: Float64Array): void => {
  q.set(f);
  r.fill(0);
  const r12 = orthonormalizePair(q, 3, r);
  completeRotation(q);
  r[4] = r[1];
  r[1] = r12;
  for (let column = 0; column < 3; column++) {
    r[3 * column + 2] = q[column] * f[2] + q[3 + column] * f[5] + q[6 + column] * f[8];
  }
};

/** F = Q R for 3×2; q (9, third column the unit normal) and r (4) are overwritten. */
export const writeQr3x2 = (f: Float64Array, q: Float64Array, r: Float64Array): void => {
  for (let row = 0; row < 3; row++) {
    q[3 * row] = f[2 * row];
    q[3 * row + 1] = f[2 * row + 1];
  }
  const r12 = orthonormalizePair(q, 3, r);
  completeRotation(q);
  r[3] = r[1];
  r[1] = r12;
  r[2] = 0;
};

export const computeQr3x3 = (f: Float64Array): { q: Float64Array; r: Float64Array } => {
  const result = { q: new Float64Array(9), r: new Float64Array(9) };
  writeQr3x3(f, result.q, result.r);
  return result;
};

export const computeQr3x2 = (f: Float64Array): { q: Float64Array; r: Float64Array } => {
  const result = { q: new Float64Array(9), r: new Float64Array(4) };
  writeQr3x2(f, result.q, result.r);
  return result;
};
