/**
 * 3×3 matrices: row-major Float64Array(9), m[3 row + column]. Functions return a new matrix, or write into `out` where
 * one is given (which may be one of the arguments) and return it.
 */
import type { Vec3 } from './vec3.ts';

export type Mat3 = Float64Array;

/** Nine numbers, row by row. */
export const mat3 = (
  m00: number,
  m01: number,
  m02: number,
  m10: number,
  m11: number,
  m12: number,
  m20: number,
  m21: number,
  m22: number,
): Mat3 => Float64Array.of(m00, m01, m02, m10, m11, m12, m20, m21, m22);

export const zeroMat3 = (): Mat3 => new Float64Array(9);
export const identityMat3 = (): Mat3 => diagonalMat3(1, 1, 1);
export const diagonalMat3 = (a: number, b: number, c: number): Mat3 => mat3(a, 0, 0, 0, b, 0, 0, 0, c);
/** The matrix whose columns are a, b and c. */
export const columnsMat3 = (a: Vec3, b: Vec3, c: Vec3): Mat3 =>
  mat3(a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]);
export const columnOfMat3 = (m: Mat3, column: number): Vec3 => [m[column], m[3 + column], m[6 + column]];
/** a bᵀ */
export const outerMat3 = (a: Vec3, b: Vec3): Mat3 =>
  mat3(
    a[0] * b[0],
    a[0] * b[1],
    a[0] * b[2],
    a[1] * b[0],
    a[1] * b[1],
    a[1] * b[2],
    a[2] * b[0],
    a[2] * b[1],
    a[2] * b[2],
  );
/** The matrix [a]× with [a]× b = a × b. */
export const crossMat3 = (a: Vec3): Mat3 => mat3(0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0);

export const addMat3 = (a: Mat3, b: Mat3, out: Mat3 = zeroMat3()): Mat3 => {
  for (let i = 0; i < 9; i++) out[i] = a[i] + b[i];
  return out;
};
export const subMat3 = (a: Mat3, b: Mat3, out: Mat3 = zeroMat3()): Mat3 => {
  for (let i = 0; i < 9; i++) out[i] = a[i] - b[i];
  return out;
};
export const scaleMat3 = (a: Mat3, s: number, out: Mat3 = zeroMat3()): Mat3 => {
  for (let i = 0; i < 9; i++) out[i] = a[i] * s;
  return out;
};

/** a b */
export const multiplyMat3 = (a: Mat3, b: Mat3, out: Mat3 = zeroMat3()): Mat3 => {
  const [b0, b1, b2, b3, b4, b5, b6, b7, b8] = [b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]];
  for (let row = 0; row < 9; row += 3) {
    const x = a[row];
    const y = a[row + 1];
    const z = a[row + 2];
    out[row] = x * b0 + y * b3 + z * b6;
    out[row + 1] = x * b1 + y * b4 + z * b7;
    out[row + 2] = x * b2 + y * b5 + z * b8;
  }
  return out;
};

/** a v */
export const transformVec3 = (a: Mat3, v: Vec3): Vec3 => [
  a[0] * v[0] + a[1] * v[1] + a[2] * v[2],
  a[3] * v[0] + a[4] * v[1] + a[5] * v[2],
  a[6] * v[0] + a[7] * v[1] + a[8] * v[2],
];

/** aᵀ v */
export const transformTransposedVec3 = (a: Mat3, v: Vec3): Vec3 => [
  a[0] * v[0] + a[3] * v[1] + a[6] * v[2],
  a[1] * v[0] + a[4] * v[1] + a[7] * v[2],
  a[2] * v[0] + a[5] * v[1] + a[8] * v[2],
];

export const transposeMat3 = (a: Mat3, out: Mat3 = zeroMat3()): Mat3 => {
  const a1 = a[1];
  const a2 = a[2];
  const a5 = a[5];
  out[0] = a[0];
  out[1] = a[3];
  out[2] = a[6];
  out[4] = a[4];
  out[5] = a[7];
  out[8] = a[8];
  out[3] = a1;
  out[6] = a2;
  out[7] = a5;
  return out;
};

export const traceMat3 = (a: Mat3): number => a[0] + a[4] + a[8];

export const determinantMat3 = (a: Mat3): number =>
  a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);

/** a⁻¹ by cofactors; throws a RangeError when a is singular to working precision. */
export const inverseMat3 = (a: Mat3, out: Mat3 = zeroMat3()): Mat3 => {
  // Scaled to entries of at most 1, so that neither tiny nor huge matrices under- or overflow the determinant.
  let scale = 0;
  for (let i = 0; i < 9; i++) scale = Math.max(scale, Math.abs(a[i]));
  const s = 1 / scale;
  const [m0, m1, m2] = [a[0] * s, a[1] * s, a[2] * s];
  const [m3, m4, m5] = [a[3] * s, a[4] * s, a[5] * s];
  const [m6, m7, m8] = [a[6] * s, a[7] * s, a[8] * s];
  const c0 = m4 * m8 - m5 * m7;
  const c1 = m5 * m6 - m3 * m8;
  const c2 = m3 * m7 - m4 * m6;
  const determinant = m0 * c0 + m1 * c1 + m2 * c2;
  if (!(Math.abs(determinant) > 1e-300)) {
    throw new RangeError(
      `inverseMat3: the matrix [${Array.from(a).join(', ')}] is singular; only matrices of rank 3 have an inverse.`,
    );
  }
  const d = s / determinant;
  out[0] = c0 * d;
  out[1] = (m2 * m7 - m1 * m8) * d;
  out[2] = (m1 * m5 - m2 * m4) * d;
  out[3] = c1 * d;
  out[4] = (m0 * m8 - m2 * m6) * d;
  out[5] = (m2 * m3 - m0 * m5) * d;
  out[6] = c2 * d;
  out[7] = (m1 * m6 - m0 * m7) * d;
  out[8] = (m0 * m4 - m1 * m3) * d;
  return out;
};
