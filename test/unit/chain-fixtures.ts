/** Random chains for the tests of src/sparse/chain*.ts. */
import type { Random } from 'heddle/math';
import { BlockBanded } from 'heddle/sparse';

/** Adds value to entry (row, column) and its mirror, given row ≥ column in scalar numbering. */
function addSymmetric(matrix: BlockBanded, row: number, column: number, value: number): void {
  const n = matrix.size;
  const [i, r, j, c] = [Math.floor(row / n), row % n, Math.floor(column / n), column % n];
  matrix.bands[i - j][j * n * n + r * n + c] += value;
  if (i === j && r !== c) matrix.bands[0][j * n * n + c * n + r] += value;
}

/**
 * A = shift I + Σ g gᵀ with two random stencils g over each bandwidth + 1 neighbours, as masses and stiff springs have it.
 * Fewer stencils than unknowns (size > 2): the smallest eigenvalue is the shift.
 */
export function createSpringChain(
  random: Random,
  blocks: number,
  size: number,
  bandwidth: number,
  shift: number,
): BlockBanded {
  const matrix = new BlockBanded(blocks, size, bandwidth);
  for (let k = 0; k < matrix.length; k++) addSymmetric(matrix, k, k, shift);
  for (let stencil = 0; stencil < 2 * blocks; stencil++) {
    const first = Math.floor(stencil / 2) * size;
    const last = Math.min(matrix.length, first + (bandwidth + 1) * size);
    const g = Array.from({ length: last - first }, () => random.uniform(-1, 1));
    for (let r = first; r < last; r++) {
      for (let c = first; c <= r; c++) addSymmetric(matrix, r, c, g[r - first] * g[c - first]);
    }
  }
  return matrix;
}

/** Springs between neighbours in every coordinate, of random stiffness, and a mass: singular where the mass is zero. */
export function createFreeChain(random: Random, blocks: number, size: number, mass: number): BlockBanded {
  const matrix = new BlockBanded(blocks, size, 1);
  for (let k = 0; k < matrix.length; k++) addSymmetric(matrix, k, k, mass);
  for (let k = size; k < matrix.length; k++) {
    const stiffness = random.uniform(1, 2);
    addSymmetric(matrix, k - size, k - size, stiffness);
    addSymmetric(matrix, k, k, stiffness);
    addSymmetric(matrix, k, k - size, -stiffness);
  }
  return matrix;
}

export function copyOf(matrix: BlockBanded): BlockBanded {
  const copy = new BlockBanded(matrix.blocks, matrix.size, matrix.bandwidth);
  copy.copyFrom(matrix);
  return copy;
}

/** The matrix written out, row-major, read from its blocks and not through multiply. */
export function toDense(matrix: BlockBanded): Float64Array {
  const n = matrix.size;
  const length = matrix.length;
  const dense = new Float64Array(length * length);
  for (let k = 0; k <= matrix.bandwidth; k++) {
    for (let i = 0; i + k < matrix.blocks; i++) {
      for (let r = 0; r < n; r++) {
        for (let c = 0; c < n; c++) {
          const value = matrix.bands[k][i * n * n + r * n + c];
          const [row, column] = [(i + k) * n + r, i * n + c];
          dense[row * length + column] = value;
          dense[column * length + row] = value;
        }
      }
    }
  }
  return dense;
}

export const randomVector = (random: Random, length: number): Float64Array =>
  Float64Array.from({ length }, () => random.uniform(-1, 1));

export const largestOf = (values: Iterable<number>): number => {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest;
};

export const largestDifference = (a: Float64Array, b: Float64Array): number =>
  largestOf(a.map((value, i) => value - b[i]));

/** ‖A‖∞ of a row-major square matrix */
export function normOf(dense: Float64Array): number {
  const n = Math.sqrt(dense.length);
  let norm = 0;
  for (let i = 0; i < n; i++)
    norm = Math.max(
      norm,
      dense.subarray(i * n, i * n + n).reduce((sum, a) => sum + Math.abs(a), 0),
    );
  return norm;
}
