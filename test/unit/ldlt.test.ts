import fc from 'fast-check';
import { createRandom } from 'heddle/math';
import { BlockLdlt, BlockPattern, BlockSparse } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { solveByElimination } from './gaussian-elimination.ts';
import {
  addLaplacian,
  denseTimes,
  gridPattern,
  largest,
  largestDifference,
  randomDominant,
  randomPattern,
  randomVector,
  scaledResidual,
  toDense,
} from './sparse-fixtures.ts';

const solveOnce = (matrix: BlockSparse, b: Float64Array, options = {}) => {
  const ldlt = new BlockLdlt();
  ldlt.analyze(matrix.pattern, matrix.blockSize, options);
  ldlt.factor(matrix);
  const x = new Float64Array(matrix.size);
  const report = ldlt.solve(b, x);
  return { x, report, ldlt };
};

describe('BlockLdlt', () => {
  test('solves random positive definite and quasi-definite matrices like Gaussian elimination, with the right inertia', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 24 }),
        fc.integer({ min: 0, max: 80 }),
        fc.boolean(),
        fc.integer(),
        (b, n, pairs, mixed, seed) => {
          const random = createRandom(seed);
          const sign = (block: number): number => (mixed && block % 3 === 1 ? -1 : 1);
          const matrix = randomDominant(random, randomPattern(random, n, pairs), b, sign);
          const rhs = randomVector(random, n * b);
          const { x, report } = solveOnce(matrix, rhs);
          const dense = toDense(matrix);
          expect(report.ok).toBe(true);
          expect(report.residual).toBeLessThan(2e-15);
          expect(scaledResidual(dense, x, rhs)).toBeLessThan(2e-15);
          expect(largestDifference(x, solveByElimination(dense, rhs))).toBeLessThan(1e-11 * largest(x));
          const negative = mixed ? Math.floor((n + 1) / 3) * b : 0;
          expect([report.positive, report.negative]).toEqual([n * b - negative, negative]);
          expect(report.regularized).toBe(0);
        },
      ),
      { seed: 4, numRuns: 200 },
    );
  });

  test.each([1, 2, 3, 4, 5, 6, 7])('factorises a triangulated grid with wide supernodes, block size %i', (b) => {
    const random = createRandom(100 + b);
    const matrix = randomDominant(random, gridPattern(12, 11, true), b);
    const expected = randomVector(random, matrix.size);
    const rhs = denseTimes(toDense(matrix), expected);
    const { x, report } = solveOnce(matrix, rhs);
    expect(largestDifference(x, expected)).toBeLessThan(1e-11);
    expect(report.residual).toBeLessThan(1e-15);
  });

  test('factorises a full matrix wider than the widest panel', () => {
    const n = 45;
    const all = Array.from({ length: n * n }, (_, k) => k);
    const pattern = BlockPattern.fromPairs(
      n,
      all.map((k) => Math.floor(k / n)),
      all.map((k) => k % n),
    );
    const random = createRandom(8);
    const matrix = randomDominant(random, pattern, 4);
    const rhs = randomVector(random, matrix.size);
    const { x, ldlt } = solveOnce(matrix, rhs);
    expect(ldlt.symbolic.fill).toBe((180 * 181) / 2);
    expect(scaledResidual(toDense(matrix), x, rhs)).toBeLessThan(1e-15);
  });

  test('keeps the scaled residual at rounding for a condition of 1e12', () => {
    // a free-floating Laplacian with stiffness from 1 to 1e6, held by 1e-6 I
    for (let seed = 0; seed < 10; seed++) {
      const random = createRandom(seed);
      const matrix = new BlockSparse(gridPattern(9, 8, true), 3);
      addLaplacian(matrix, random, () => 10 ** (6 * random.uniform()));
      for (let i = 0; i < matrix.pattern.n; i++) {
        matrix.addBlock(i, i, [1e-6, 0, 0, 0, 1e-6, 0, 0, 0, 1e-6]);
      }
      const rhs = randomVector(random, matrix.size);
      const { x, report } = solveOnce(matrix, rhs);
      expect(largest(x)).toBeGreaterThan(1e4); // the soft modes are really there
      expect(report.residual).toBeLessThan(1e-15);
      expect(scaledResidual(toDense(matrix), x, rhs)).toBeLessThan(1e-15);
      expect(report.positive).toBe(matrix.size);
    }
  });

  test('a singular consistent system is regularised, reported and solved', () => {
    const random = createRandom(11);
    const matrix = new BlockSparse(gridPattern(7, 6), 3);
    addLaplacian(matrix, random, () => 1 + random.uniform());
    const rhs = denseTimes(toDense(matrix), randomVector(random, matrix.size));
    const { x, report } = solveOnce(matrix, rhs);
    expect(report.regularized).toBe(3);
    expect(report.smallestPivot).toBeLessThan(1e-14);
    expect(scaledResidual(toDense(matrix), x, rhs)).toBeLessThan(2e-15);
    expect(report.ok).toBe(true);
  });

  test('a singular inconsistent system is not ok', () => {
    const matrix = new BlockSparse(BlockPattern.fromPairs(2, [0], [1]), 1);
    addLaplacian(matrix, createRandom(1), () => 1);
    const { report } = solveOnce(matrix, Float64Array.of(1, 1));
    expect(report.ok).toBe(false);
    expect(report.residual).toBeGreaterThan(1e-10);
  });

  test('zero pivots of an indefinite matrix are replaced and refined away', () => {
    // in the order 0, 1, 2 the first pivot is exactly zero
    const matrix = new BlockSparse(BlockPattern.fromPairs(3, [0, 1], [1, 2]), 1);
    matrix.addBlock(0, 1, [1]);
    matrix.addBlock(1, 2, [2]);
    matrix.addBlock(2, 2, [3]);
    const rhs = Float64Array.of(1, 2, 3);
    const { x, report } = solveOnce(matrix, rhs, { order: Int32Array.of(0, 1, 2) });
    expect(report.regularized).toBe(1);
    expect(largestDifference(x, solveByElimination(toDense(matrix), rhs))).toBeLessThan(1e-12);
    expect(report.residual).toBeLessThan(1e-15);
  });

  test('expected signs decide the sign of a replaced pivot', () => {
    const matrix = new BlockSparse(BlockPattern.fromPairs(2, [], []), 1);
    matrix.addBlock(0, 0, [4]);
    const { report } = solveOnce(matrix, Float64Array.of(4, 0), { signs: Int8Array.of(1, -1) });
    expect([report.positive, report.negative, report.regularized]).toEqual([1, 1, 1]);
  });

  test('units do not matter: rows scaled by 1e±9 give the same solution without regularisation', () => {
    const random = createRandom(5);
    const matrix = randomDominant(random, randomPattern(random, 20, 60), 2);
    const scale = Float64Array.from({ length: 40 }, () => 10 ** (18 * random.uniform() - 9));
    const rhs = randomVector(random, 40);
    const reference = solveByElimination(toDense(matrix), rhs);
    for (let j = 0; j < 20; j++) {
      for (let slot = matrix.pattern.columnStart[j]; slot < matrix.pattern.columnStart[j + 1]; slot++) {
        for (let k = 0; k < 4; k++) {
          matrix.values[4 * slot + k] *= scale[2 * matrix.pattern.rows[slot] + (k >> 1)] * scale[2 * j + (k & 1)];
        }
      }
    }
    const { x, report } = solveOnce(
      matrix,
      rhs.map((value, k) => value * scale[k]),
    );
    expect(report.regularized).toBe(0);
    expect(
      largestDifference(
        x.map((value, k) => value * scale[k]),
        reference,
      ),
    ).toBeLessThan(1e-12);
  });

  test('one analysis serves many matrices; order can be given', () => {
    const random = createRandom(6);
    const pattern = gridPattern(8, 8);
    const reversed = Int32Array.from({ length: 64 }, (_, k) => 63 - k);
    const amd = new BlockLdlt();
    const given = new BlockLdlt();
    amd.analyze(pattern, 3);
    given.analyze(pattern, 3, { order: reversed });
    expect(amd.symbolic.fill).toBeLessThan(given.symbolic.fill);
    const x = new Float64Array(192);
    const y = new Float64Array(192);
    for (let run = 0; run < 5; run++) {
      const matrix = randomDominant(random, pattern, 3);
      const rhs = randomVector(random, 192);
      amd.factor(matrix);
      given.factor(matrix);
      amd.solve(rhs, x);
      given.solve(rhs, y);
      expect(largestDifference(x, y)).toBeLessThan(1e-12);
      expect(scaledResidual(toDense(matrix), x, rhs)).toBeLessThan(1e-15);
    }
  });

  test('a number that is not finite fails the factorisation and gives NaN, and the next matrix is solved again', () => {
    const random = createRandom(7);
    const pattern = gridPattern(4, 4);
    const matrix = randomDominant(random, pattern, 2);
    const ldlt = new BlockLdlt();
    ldlt.analyze(pattern, 2);
    const x = new Float64Array(32);
    const kept = matrix.values[5];
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      matrix.values[5] = bad;
      expect(ldlt.factor(matrix).ok).toBe(false);
      expect(ldlt.solve(randomVector(random, 32), x).ok).toBe(false);
      expect(x.every(Number.isNaN)).toBe(true);
    }
    matrix.values[5] = kept;
    ldlt.factor(matrix);
    expect(ldlt.solve(randomVector(random, 32), x).ok).toBe(true);
  });

  test('misuse is named', () => {
    const ldlt = new BlockLdlt();
    const matrix = new BlockSparse(gridPattern(2, 2), 2);
    expect(() => ldlt.factor(matrix)).toThrow(/call analyze\(pattern, blockSize\) first/);
    ldlt.analyze(gridPattern(2, 2), 2);
    expect(() => ldlt.factor(matrix)).toThrow(/another pattern or block size/);
  });
});
