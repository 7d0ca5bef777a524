import { createRandom, type Random } from 'heddle/math';
import { BlockLdlt, BlockMixed, BlockPattern, KktSystem, solveKkt } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { solveByElimination } from './gaussian-elimination.ts';
import {
  denseTimes,
  largest,
  largestDifference,
  randomDominant,
  randomPattern,
  randomVector,
  scaledResidual,
  toDense,
} from './sparse-fixtures.ts';

/** Blocks of 1 … 6 rows, diagonally dominant. */
function randomMixed(random: Random, n: number): BlockMixed {
  const pattern = randomPattern(random, n, 2 * n);
  const matrix = new BlockMixed(
    pattern,
    Array.from({ length: n }, () => random.integer(1, 6)),
  );
  matrix.values.forEach((_, k) => {
    matrix.values[k] = random.uniform(-1, 1);
  });
  for (let i = 0; i < n; i++) {
    const b = matrix.sizes[i];
    const at = matrix.valueStart[pattern.slot(i, i)];
    for (let r = 0; r < b; r++)
      for (let c = 0; c < r; c++) matrix.values[at + c * b + r] = matrix.values[at + r * b + c];
  }
  const sums = new Float64Array(matrix.size);
  matrix.computeInfinityNorm(sums);
  for (let i = 0; i < n; i++) {
    const b = matrix.sizes[i];
    const at = matrix.valueStart[pattern.slot(i, i)];
    for (let c = 0; c < b; c++) matrix.values[at + c * b + c] = sums[matrix.blockStart[i] + c] + 0.1;
  }
  return matrix;
}

describe('BlockMixed', () => {
  test('multiplies like the dense matrix', () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = createRandom(seed);
      const matrix = randomMixed(random, 25);
      const x = randomVector(random, matrix.size);
      const out = new Float64Array(matrix.size).fill(7);
      matrix.multiply(x, out);
      expect(largestDifference(out, denseTimes(toDense(matrix), x))).toBeLessThan(1e-12);
    }
  });

  test('blocks of 3 beside others multiply like the dense matrix', () => {
    const random = createRandom(3);
    const pattern = randomPattern(random, 40, 120);
    const matrix = new BlockMixed(
      pattern,
      Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? 5 : 3)),
    );
    matrix.values.forEach((_, k) => {
      matrix.values[k] = random.uniform(-1, 1);
    });
    const x = randomVector(random, matrix.size);
    const out = new Float64Array(matrix.size);
    for (let i = 0; i < 40; i++) {
      const b = matrix.sizes[i];
      const at = matrix.valueStart[pattern.slot(i, i)];
      for (let r = 0; r < b; r++)
        for (let c = 0; c < r; c++) matrix.values[at + c * b + r] = matrix.values[at + r * b + c];
    }
    matrix.multiply(x, out);
    expect(largestDifference(out, denseTimes(toDense(matrix), x))).toBeLessThan(1e-12);
  });

  test('adds a block above the diagonal as the transpose below it', () => {
    const matrix = new BlockMixed(BlockPattern.fromPairs(2, [0], [1]), [2, 3]);
    matrix.addBlock(0, 1, [1, 2, 3, 4, 5, 6]);
    matrix.addBlock(1, 0, [9, 10, 40, 20, 50, 30, 60], 1);
    expect([...toDense(matrix)].slice(0, 10)).toEqual([0, 0, 11, 22, 33, 0, 0, 44, 55, 66]);
    expect([...matrix.blockStart]).toEqual([0, 2, 5]);
    expect([...matrix.valueStart]).toEqual([0, 4, 10, 19]);
    matrix.clear();
    expect(matrix.values.every((value) => value === 0)).toBe(true);
  });

  test('the infinity norm is the largest row sum', () => {
    const matrix = new BlockMixed(BlockPattern.fromPairs(2, [0], [1]), [1, 2]);
    matrix.addBlock(1, 0, [-3, 4]);
    expect(matrix.computeInfinityNorm(new Float64Array(3))).toBe(7);
    matrix.addBlock(1, 1, [0, 5, 5, -6]);
    expect(matrix.computeInfinityNorm(new Float64Array(3))).toBe(15);
  });

  test('refuses sizes that do not fit the pattern and blocks that it does not have', () => {
    const pattern = BlockPattern.fromPairs(3, [0], [1]);
    expect(() => new BlockMixed(pattern, [1, 2])).toThrow(/2 sizes were given; the pattern has 3 blocks/);
    expect(() => new BlockMixed(pattern, [1, 0, 2])).toThrow(/size of block 1 is 0/);
    expect(() => new BlockMixed(pattern, [1, 1, 1]).addBlock(2, 0, [1])).toThrow(/\(2, 0\) is not in the pattern/);
  });

  test('with one size it holds the same values in the same places as BlockSparse', () => {
    const random = createRandom(8);
    const sparse = randomDominant(random, randomPattern(random, 20, 40), 3);
    const mixed = new BlockMixed(sparse.pattern, new Int32Array(20).fill(3));
    expect([...mixed.sizes]).toEqual([...sparse.sizes]);
    expect([...mixed.blockStart]).toEqual([...sparse.blockStart]);
    expect([...mixed.valueStart]).toEqual([...sparse.valueStart]);
    mixed.values.set(sparse.values);
    expect([...toDense(mixed)]).toEqual([...toDense(sparse)]);
  });
});

describe('solvers of mixed blocks', () => {
  test('BlockLdlt solves A x = b', () => {
    for (let seed = 0; seed < 10; seed++) {
      const random = createRandom(seed);
      const matrix = randomMixed(random, 30);
      const solver = new BlockLdlt();
      solver.analyze(matrix.pattern, matrix.sizes);
      solver.factor(matrix);
      const b = randomVector(random, matrix.size);
      const x = new Float64Array(matrix.size);
      expect(solver.solve(b, x).ok).toBe(true);
      expect(scaledResidual(toDense(matrix), x, b)).toBeLessThan(1e-15);
    }
  });

  test('solve as Gaussian elimination of the whole system does in KktSystem, and analyse again only for other sizes', () => {
    const system = new KktSystem();
    const random = createRandom(5);
    const matrix = randomMixed(random, 12);
    const n = matrix.size;
    const rows = {
      count: 3,
      start: Int32Array.of(0, 2, 4, 5),
      columns: Int32Array.of(0, n - 1, 4, 7, 9),
      values: Float64Array.of(1, -2, 3, 1, 1),
    };
    const force = randomVector(random, n);
    const target = randomVector(random, 3);
    const v = new Float64Array(n);
    const multipliers = new Float64Array(3);
    system.factor(matrix, rows);
    expect(system.solve(force, target, v, multipliers).ok).toBe(true);
    const total = n + 3;
    const whole = new Float64Array(total * total);
    const dense = toDense(matrix);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) whole[i * total + j] = dense[i * n + j];
    for (let r = 0; r < 3; r++) {
      for (let k = rows.start[r]; k < rows.start[r + 1]; k++) {
        whole[(n + r) * total + rows.columns[k]] = whole[rows.columns[k] * total + n + r] = rows.values[k];
      }
    }
    const expected = solveByElimination(whole, [...force, ...target]);
    expect(largestDifference([...v, ...multipliers], expected)).toBeLessThan(1e-11 * largest(expected));
    system.factor(matrix, rows);
    expect(system.analyses).toBe(1);
    const other = new BlockMixed(matrix.pattern, [...matrix.sizes].reverse());
    for (let i = 0; i < 12; i++) {
      const b = other.sizes[i];
      other.addBlock(
        i,
        i,
        Array.from({ length: b * b }, (_, k) => (k % (b + 1) === 0 ? 2 : 0)),
      );
    }
    system.factor(other, rows);
    expect(system.analyses).toBe(2);
  });

  test('a mixed matrix of one size is solved like the uniform one', () => {
    const random = createRandom(2);
    const sparse = randomDominant(random, randomPattern(random, 20, 40), 3);
    const mixed = new BlockMixed(sparse.pattern, new Int32Array(20).fill(3));
    mixed.values.set(sparse.values);
    const rows = {
      count: 1,
      start: Int32Array.of(0, 2),
      columns: Int32Array.of(3, 50),
      values: Float64Array.of(1, 1),
    };
    const force = randomVector(random, 60);
    const target = Float64Array.of(1);
    const first = solveKkt(sparse, rows, force, target);
    const second = solveKkt(mixed, rows, force, target);
    expect(largestDifference(first.v, second.v)).toBeLessThan(1e-15);
  });
});
