/**
 * The Alexander polynomial of a knot diagram [Alexander 1928]: a determinant of the matrix with a row
 * for every crossing and a column for every arc,
 *
 *     positive crossing   (1 − t) over − in + t out           negative crossing   (1 − t) over + t in − out
 *
 * without its last row and column. It is known up to ± t^k; here the lowest power is t⁰ and the leading coefficient positive.
 *
 * The determinant of n − 1 rows is a polynomial of degree n − 1 at most: it is evaluated at n values of t modulo two primes
 * below 2²⁶ (products stay below 2⁵², exact in doubles), interpolated by Newton's divided differences, and the whole
 * coefficients, which may be as large as 2⁵¹, follow from both residues (Garner). Cost: n⁴.
 */
import type { KnotDiagram } from './knot-diagram.ts';

const FIRST_PRIME = 67108859;
const SECOND_PRIME = 67108837;

/** Coefficients from t⁰ on; [1] for the unknot. */
export function computeAlexanderPolynomial(diagram: KnotDiagram): number[] {
  const first = computeResidues(diagram, FIRST_PRIME);
  const second = computeResidues(diagram, SECOND_PRIME);
  const inverse = invert(FIRST_PRIME % SECOND_PRIME, SECOND_PRIME);
  const modulus = FIRST_PRIME * SECOND_PRIME;
  const coefficients = first.map((residue, k) => {
    const digit = multiply(toResidue(second[k] - residue, SECOND_PRIME), inverse, SECOND_PRIME);
    const value = residue + FIRST_PRIME * digit;
    return value > modulus / 2 ? value - modulus : value;
  });
  return normalise(coefficients);
}

/** Without leading and trailing zeros, the last coefficient positive. */
function normalise(coefficients: readonly number[]): number[] {
  const low = coefficients.findIndex((value) => value !== 0);
  if (low < 0) return [0];
  const high = coefficients.findLastIndex((value) => value !== 0);
  const sign = Math.sign(coefficients[high]);
  return coefficients.slice(low, high + 1).map((value) => sign * value + 0);
}

/** Coefficients modulo a prime. */
function computeResidues(diagram: KnotDiagram, prime: number): number[] {
  const n = Math.max(1, diagram.signs.length);
  const differences = Array.from({ length: n }, (_, k) => computeMinor(diagram, k, prime));
  // Newton: values at t = 0 … n − 1 become divided differences, then powers of t.
  for (let order = 1; order < n; order++) {
    const inverse = invert(order, prime);
    for (let k = n - 1; k >= order; k--)
      differences[k] = multiply(toResidue(differences[k] - differences[k - 1], prime), inverse, prime);
  }
  const coefficients = new Array<number>(n).fill(0);
  for (let k = n - 1; k >= 0; k--) {
    // p(t) ← p(t) (t − k) + difference
    for (let power = n - 1; power > 0; power--)
      coefficients[power] = toResidue(coefficients[power - 1] - multiply(coefficients[power], k, prime), prime);
    coefficients[0] = toResidue(differences[k] - multiply(coefficients[0], k, prime), prime);
  }
  return coefficients;
}

/** The determinant at one t modulo a prime. */
function computeMinor({ signs, overArcs }: KnotDiagram, t: number, prime: number): number {
  const n = signs.length;
  const size = Math.max(0, n - 1);
  const matrix = new Float64Array(size * size);
  const add = (row: number, column: number, value: number): void => {
    if (column < size) matrix[row * size + column] = toResidue(matrix[row * size + column] + value, prime);
  };
  for (let row = 0; row < size; row++) {
    add(row, overArcs[row], 1 - t);
    add(row, row, signs[row] > 0 ? -1 : t);
    add(row, (row + 1) % n, signs[row] > 0 ? t : -1);
  }
  return computeDeterminant(matrix, size, prime);
}

/** Gaussian elimination modulo a prime; the matrix is overwritten. */
function computeDeterminant(matrix: Float64Array, size: number, prime: number): number {
  let determinant = 1;
  for (let k = 0; k < size; k++) {
    let pivot = k;
    while (pivot < size && matrix[pivot * size + k] === 0) pivot++;
    if (pivot === size) return 0;
    if (pivot !== k) {
      for (let j = k; j < size; j++) {
        const value = matrix[k * size + j];
        matrix[k * size + j] = matrix[pivot * size + j];
        matrix[pivot * size + j] = value;
      }
      determinant = toResidue(-determinant, prime);
    }
    determinant = multiply(determinant, matrix[k * size + k], prime);
    const inverse = invert(matrix[k * size + k], prime);
    for (let i = k + 1; i < size; i++) {
      if (matrix[i * size + k] === 0) continue;
      const factor = multiply(matrix[i * size + k], inverse, prime);
      for (let j = k; j < size; j++) {
        const value = matrix[i * size + j] - multiply(factor, matrix[k * size + j], prime);
        matrix[i * size + j] = value < 0 ? value + prime : value;
      }
    }
  }
  return determinant;
}

const toResidue = (value: number, prime: number): number => {
  const rest = value % prime;
  return rest < 0 ? rest + prime : rest + 0;
};

const multiply = (a: number, b: number, prime: number): number => (a * b) % prime;

/** a⁻¹ modulo a prime, by Euclid's algorithm. */
function invert(a: number, prime: number): number {
  let [r, s] = [prime, a];
  let [u, v] = [0, 1];
  while (s !== 0) {
    const quotient = Math.floor(r / s);
    [r, s] = [s, r - quotient * s];
    [u, v] = [v, u - quotient * v];
  }
  return toResidue(u, prime);
}
