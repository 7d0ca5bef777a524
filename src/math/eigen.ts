/**
 * Eigen-decomposition of a symmetric 3×3 matrix, A = Q diag(λ) Qᵀ, by cyclic Jacobi rotations [Golub 2013, §8.5].
 * Jacobi keeps small eigenvalues and orthogonality to full precision where the closed (trigonometric) form does not.
 *   λ  eigenvalues, ascending      Q  eigenvectors as columns, a proper rotation (det Q = +1)
 */
import { identityMat3, type Mat3 } from './mat3.ts';

const MAX_SWEEPS = 32;

/** tan of the rotation that annuls the off-diagonal entry of [[p, off], [off, q]]; the smaller of the two roots. */
const jacobiTangent = (p: number, q: number, off: number): number => {
  const theta = (q - p) / (2 * off);
  return Math.abs(theta) > 1e150
    ? 0.5 / theta
    : (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(1 + theta * theta));
};

const rotateColumns = (m: Mat3, p: number, q: number, c: number, s: number): void => {
  for (let row = 0; row < 9; row += 3) {
    const x = m[row + p];
    const y = m[row + q];
    m[row + p] = c * x - s * y;
    m[row + q] = s * x + c * y;
  }
};

const rotateRows = (m: Mat3, p: number, q: number, c: number, s: number): void => {
  for (let column = 0; column < 3; column++) {
    const x = m[3 * p + column];
    const y = m[3 * q + column];
    m[3 * p + column] = c * x - s * y;
    m[3 * q + column] = s * x + c * y;
  }
};

/** Swaps two columns and turns the second one round, which keeps the determinant. */
const swapColumns = (m: Mat3, p: number, q: number): void => rotateColumns(m, p, q, 0, 1);

/** Puts two eigenvalues and their vectors in ascending order. */
const sortPair = (values: Float64Array, vectors: Mat3, p: number, q: number): void => {
  if (values[p] <= values[q]) return;
  const larger = values[p];
  values[p] = values[q];
  values[q] = larger;
  swapColumns(vectors, p, q);
};

/** Eigenvalues and vectors of `a`, whose upper triangle is read; `work` holds nine numbers that do not matter. */
export const writeSymmetricEigen = (a: Mat3, values: Float64Array, vectors: Mat3, work: Mat3): void => {
  const m = work;
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++) {
      m[3 * row + column] = a[3 * Math.min(row, column) + Math.max(row, column)];
      vectors[3 * row + column] = row === column ? 1 : 0;
    }
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let rotated = false;
    for (let p = 0; p < 2; p++) {
      for (let q = p + 1; q < 3; q++) {
        const off = m[3 * p + q];
        const scale = Math.sqrt(Math.abs(m[4 * p])) * Math.sqrt(Math.abs(m[4 * q]));
        // where both values are one, less than rounding would turn the vectors by half a right angle
        if (off === 0 || Math.abs(off) <= 1e-17 * scale) continue;
        const t = jacobiTangent(m[4 * p], m[4 * q], off);
        const c = 1 / Math.sqrt(1 + t * t);
        rotateColumns(m, p, q, c, t * c);
        rotateRows(m, p, q, c, t * c);
        m[3 * p + q] = 0;
        m[3 * q + p] = 0;
        rotateColumns(vectors, p, q, c, t * c);
        rotated = true;
      }
    }
    if (!rotated) break;
  }
  for (let k = 0; k < 3; k++) values[k] = m[4 * k];
  sortPair(values, vectors, 0, 1);
  sortPair(values, vectors, 1, 2);
  sortPair(values, vectors, 0, 1);
};

/** The upper triangle of `a` is read. */
export const computeSymmetricEigen = (a: Mat3): { values: [number, number, number]; vectors: Mat3 } => {
  const values = new Float64Array(3);
  const vectors = identityMat3();
  writeSymmetricEigen(a, values, vectors, new Float64Array(9));
  return { values: [values[0], values[1], values[2]], vectors };
};
