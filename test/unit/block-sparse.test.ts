import { createRandom } from 'heddle/math';
import { BlockPattern, BlockSparse } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import {
  denseTimes,
  largestDifference,
  randomDominant,
  randomPattern,
  randomVector,
  toDense,
} from './sparse-fixtures.ts';

describe('BlockPattern', () => {
  test('keeps each pair once, in the lower triangle, rows ascending, diagonal first', () => {
    const pattern = BlockPattern.fromPairs(4, [3, 0, 0, 2, 3, 1], [0, 3, 2, 0, 0, 1]);
    expect([...pattern.columnStart]).toEqual([0, 3, 4, 5, 6]);
    expect([...pattern.rows]).toEqual([0, 2, 3, 1, 2, 3]);
    expect(pattern.slot(0, 3)).toBe(2);
    expect(pattern.slot(3, 0)).toBe(2);
    expect(pattern.slot(1, 2)).toBe(-1);
  });

  test('names a pair outside the matrix', () => {
    expect(() => BlockPattern.fromPairs(3, [0, 1], [1, 3])).toThrow(/pair 1 is \(1, 3\); both must lie in 0…2/);
  });
});

describe('BlockSparse', () => {
  test.each([1, 2, 3, 4, 5, 6, 7])('multiplies like the dense matrix, block size %i', (b) => {
    const random = createRandom(b);
    const matrix = randomDominant(random, randomPattern(random, 30, 90), b);
    const x = randomVector(random, matrix.size);
    const out = new Float64Array(matrix.size).fill(7);
    matrix.multiply(x, out);
    expect(largestDifference(out, denseTimes(toDense(matrix), x))).toBeLessThan(1e-12);
  });

  test('adds a block above the diagonal as the transpose below it', () => {
    const matrix = new BlockSparse(BlockPattern.fromPairs(2, [0], [1]), 2);
    matrix.addBlock(0, 1, [1, 2, 3, 4]);
    matrix.addBlock(1, 0, [10, 30, 20, 40]);
    expect([...toDense(matrix)]).toEqual([0, 0, 11, 22, 0, 0, 33, 44, 11, 33, 0, 0, 22, 44, 0, 0]);
    matrix.clear();
    expect(matrix.values.every((value) => value === 0)).toBe(true);
  });

  test('refuses a block that the pattern does not have, and a block size out of range', () => {
    const pattern = BlockPattern.fromPairs(3, [0], [1]);
    expect(() => new BlockSparse(pattern, 1).addBlock(2, 0, [1])).toThrow(/\(2, 0\) is not in the pattern/);
    expect(() => new BlockSparse(pattern, 8)).toThrow(/from 1 to 7/);
  });

  test('the infinity norm is the largest row sum', () => {
    const matrix = new BlockSparse(BlockPattern.fromPairs(2, [1], [0]), 2);
    matrix.addBlock(0, 0, [1, 0, 0, 1]);
    matrix.addBlock(1, 0, [-3, 4, 5, -6]);
    expect(matrix.computeInfinityNorm(new Float64Array(4))).toBe(11);
    matrix.addBlock(1, 1, [0, 0, 0, 9]);
    expect(matrix.computeInfinityNorm(new Float64Array(4))).toBe(20);
  });
});
