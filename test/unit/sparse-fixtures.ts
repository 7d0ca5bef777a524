/** Seeded block-sparse matrices and dense copies of them for the solver tests. */
import type { Random } from 'heddle/math';
import { BlockPattern, BlockSparse, type SymmetricBlocks } from 'heddle/sparse';

/** Edges of a width × height grid, node = y·width + x; `diagonals` adds one diagonal a cell (a triangle mesh). */
export function gridPattern(width: number, height: number, diagonals = false): BlockPattern {
  const rows: number[] = [];
  const columns: number[] = [];
  const join = (a: number, b: number): void => {
    rows.push(a);
    columns.push(b);
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (x + 1 < width) join(i, i + 1);
      if (y + 1 < height) join(i, i + width);
      if (diagonals && x + 1 < width && y + 1 < height) join(i, i + width + 1);
    }
  }
  return BlockPattern.fromPairs(width * height, rows, columns);
}

export function randomPattern(random: Random, n: number, pairs: number): BlockPattern {
  const pick = (): number => Math.min(n - 1, Math.floor(random.uniform() * n));
  return BlockPattern.fromPairs(n, Array.from({ length: pairs }, pick), Array.from({ length: pairs }, pick));
}

export const randomVector = (random: Random, n: number): Float64Array =>
  Float64Array.from({ length: n }, () => 2 * random.uniform() - 1);

/** Random blocks, then each diagonal made larger than its row: positive definite, or with the given signs quasi-definite. */
export function randomDominant(
  random: Random,
  pattern: BlockPattern,
  b: number,
  sign: (block: number) => number = () => 1,
  margin = 0.1,
): BlockSparse {
  const matrix = new BlockSparse(pattern, b);
  const block = new Float64Array(b * b);
  for (let j = 0; j < pattern.n; j++) {
    for (let slot = pattern.columnStart[j]; slot < pattern.columnStart[j + 1]; slot++) {
      const i = pattern.rows[slot];
      for (let k = 0; k < b * b; k++) block[k] = 2 * random.uniform() - 1;
      if (i === j) for (let r = 0; r < b; r++) for (let c = 0; c < r; c++) block[c * b + r] = block[r * b + c];
      matrix.addBlock(i, j, block);
    }
  }
  const sums = new Float64Array(matrix.size);
  matrix.computeInfinityNorm(sums);
  for (let i = 0; i < pattern.n; i++) {
    const at = pattern.slot(i, i) * b * b;
    for (let c = 0; c < b; c++) matrix.values[at + c * b + c] = sign(i) * (sums[i * b + c] + margin);
  }
  return matrix;
}

/** Adds w (e_i − e_j)(e_i − e_j)ᵀ ⊗ S to the matrix for all edges, S = I + random rank one: a semi-definite Laplacian. */
export function addLaplacian(matrix: BlockSparse, random: Random, weight: (edge: number) => number): void {
  const { pattern, blockSize: b } = matrix;
  const direction = new Float64Array(b);
  const block = new Float64Array(b * b);
  let edge = 0;
  for (let j = 0; j < pattern.n; j++) {
    for (let slot = pattern.columnStart[j] + 1; slot < pattern.columnStart[j + 1]; slot++) {
      const i = pattern.rows[slot];
      for (let c = 0; c < b; c++) direction[c] = 2 * random.uniform() - 1;
      const w = weight(edge++);
      for (let r = 0; r < b; r++) {
        for (let c = 0; c < b; c++) block[r * b + c] = w * ((r === c ? 1 : 0) + direction[r] * direction[c]);
      }
      matrix.addBlock(i, i, block);
      matrix.addBlock(j, j, block);
      matrix.addBlock(
        i,
        j,
        block.map((value) => -value),
      );
    }
  }
}

/** Row-major dense copy, read block by block from the pattern, independently of `multiply`. */
export function toDense(matrix: SymmetricBlocks): Float64Array {
  const { pattern, sizes, size, values } = matrix;
  const start = Array.from(sizes, (_, i) => sizes.slice(0, i).reduce((sum, b) => sum + b, 0));
  const dense = new Float64Array(size * size);
  let k = 0;
  for (let j = 0; j < pattern.n; j++) {
    for (let slot = pattern.columnStart[j]; slot < pattern.columnStart[j + 1]; slot++) {
      const i = pattern.rows[slot];
      for (let r = 0; r < sizes[i]; r++) {
        for (let c = 0; c < sizes[j]; c++, k++) {
          dense[(start[i] + r) * size + start[j] + c] = values[k];
          dense[(start[j] + c) * size + start[i] + r] = values[k];
        }
      }
    }
  }
  return dense;
}

export function denseTimes(dense: Float64Array, x: Float64Array): Float64Array {
  const n = x.length;
  return Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += dense[i * n + j] * x[j];
    return sum;
  });
}

export const largest = (x: ArrayLike<number>): number => Array.from(x).reduce((m, v) => Math.max(m, Math.abs(v)), 0);

export const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  largest(Array.from(a, (v, k) => v - b[k]));

/** ‖A x − b‖ / (‖A‖ ‖x‖ + ‖b‖) in the largest norm, from the dense matrix. */
export function scaledResidual(dense: Float64Array, x: Float64Array, b: Float64Array): number {
  const n = x.length;
  let norm = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += Math.abs(dense[i * n + j]);
    norm = Math.max(norm, sum);
  }
  return largestDifference(denseTimes(dense, x), b) / (norm * largest(x) + largest(b));
}
