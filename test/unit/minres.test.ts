import { createRandom } from 'heddle/math';
import { BlockJacobi, BlockSparse, MinresWorkspace, minres } from 'heddle/sparse';
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
  toDense,
} from './sparse-fixtures.ts';

const operatorOf = (matrix: BlockSparse) => (x: Float64Array, out: Float64Array) => matrix.multiply(x, out);
const norm = (x: Float64Array): number => Math.hypot(...x);

describe('minres', () => {
  test.each([1, 3, 5])(
    'solves indefinite systems like Gaussian elimination, plain and preconditioned, block size %i',
    (b) => {
      for (let seed = 0; seed < 5; seed++) {
        const random = createRandom(10 * b + seed);
        const pattern = randomPattern(random, 20, 50);
        const matrix = randomDominant(random, pattern, b, (i) => (i % 2 ? -1 : 1));
        // |A|-like and positive definite: the diagonal blocks with their signs turned
        const positive = new BlockSparse(pattern, b);
        for (let i = 0; i < pattern.n; i++) {
          for (let c = 0; c < b; c++) {
            const at = pattern.slot(i, i) * b * b + c * b + c;
            positive.values[at] = Math.abs(matrix.values[at]);
          }
        }
        const rhs = randomVector(random, matrix.size);
        const expected = solveByElimination(toDense(matrix), rhs);
        for (const preconditioner of [undefined, new BlockJacobi(positive).apply]) {
          const x = new Float64Array(matrix.size);
          const report = minres(operatorOf(matrix), rhs, x, {
            tolerance: 1e-13,
            ...(preconditioner && { preconditioner }),
          });
          expect(report.converged).toBe(true);
          expect(report.residual).toBeLessThanOrEqual(1e-13);
          expect(norm(denseTimes(toDense(matrix), x).map((v, k) => v - rhs[k])) / norm(rhs)).toBeLessThan(1.1e-13);
          expect(largestDifference(x, expected)).toBeLessThan(1e-10 * largest(expected));
          expect(report.iterations).toBeLessThanOrEqual(3 * matrix.size);
        }
      }
    },
  );

  test('a preconditioner undoes bad scaling', () => {
    const random = createRandom(2);
    const matrix = randomDominant(random, gridPattern(8, 8), 2);
    const scale = Float64Array.from({ length: 128 }, () => 10 ** (3 * random.uniform()));
    for (let j = 0; j < 64; j++) {
      for (let slot = matrix.pattern.columnStart[j]; slot < matrix.pattern.columnStart[j + 1]; slot++) {
        for (let k = 0; k < 4; k++) {
          matrix.values[4 * slot + k] *= scale[2 * matrix.pattern.rows[slot] + (k >> 1)] * scale[2 * j + (k & 1)];
        }
      }
    }
    const rhs = randomVector(random, 128);
    const plain = minres(operatorOf(matrix), rhs, new Float64Array(128), { tolerance: 1e-8 });
    const better = minres(operatorOf(matrix), rhs, new Float64Array(128), {
      tolerance: 1e-8,
      preconditioner: new BlockJacobi(matrix).apply,
    });
    expect(better.converged).toBe(true);
    expect(better.iterations).toBeLessThan(0.5 * plain.iterations);
  });

  test('a singular consistent system gets its solution of least norm', () => {
    const random = createRandom(3);
    const matrix = new BlockSparse(gridPattern(7, 6), 2);
    addLaplacian(matrix, random, () => 1 + random.uniform());
    const some = randomVector(random, matrix.size);
    const rhs = denseTimes(toDense(matrix), some);
    const x = new Float64Array(matrix.size);
    const report = minres(operatorOf(matrix), rhs, x, { tolerance: 1e-12 });
    expect(report).toMatchObject({ converged: true, breakdown: false });
    // the null space is spanned by the constant fields; least norm = no constant part
    for (let c = 0; c < 2; c++) {
      let mean = 0;
      let shift = 0;
      for (let i = 0; i < 42; i++) {
        mean += x[2 * i + c] / 42;
        shift += some[2 * i + c] / 42;
      }
      expect(Math.abs(mean)).toBeLessThan(1e-12);
      for (let i = 0; i < 42; i++) expect(x[2 * i + c]).toBeCloseTo(some[2 * i + c] - shift, 9);
    }
  });

  test('an inconsistent system ends at a least-squares solution and is not called converged', () => {
    const random = createRandom(4);
    const matrix = new BlockSparse(gridPattern(5, 4), 1);
    addLaplacian(matrix, random, () => 1);
    const rhs = randomVector(random, 20);
    const x = new Float64Array(20);
    const report = minres(operatorOf(matrix), rhs, x, { tolerance: 1e-10 });
    expect(report).toMatchObject({ converged: false, breakdown: false });
    expect(report.iterations).toBeLessThan(60);
    const mean = rhs.reduce((sum, value) => sum + value, 0) / 20;
    const residual = denseTimes(toDense(matrix), x).map((value, k) => rhs[k] - value);
    // the norm of r is stationary to ε, so r itself is right to √ε
    for (const value of residual) expect(value).toBeCloseTo(mean, 7);
    expect(report.residual).toBeCloseTo((Math.abs(mean) * Math.sqrt(20)) / norm(rhs), 10);
  });

  test('reports too few iterations, zero right-hand side, a warm start, an indefinite preconditioner and NaN', () => {
    const random = createRandom(5);
    const matrix = randomDominant(random, gridPattern(6, 6), 2, (i) => (i % 2 ? -1 : 1));
    const rhs = randomVector(random, 72);
    const x = new Float64Array(72);
    const workspace = new MinresWorkspace(72);
    const run = (options = {}) => minres(operatorOf(matrix), rhs, x, options, workspace);
    expect(run({ maxIterations: 2 })).toMatchObject({ converged: false, iterations: 2 });
    expect(run()).toMatchObject({ converged: true });
    expect(run()).toMatchObject({ converged: true, iterations: 0 });
    x.fill(0);
    const negative = (r: Float64Array, out: Float64Array): void => out.set(r.map((value) => -value));
    expect(run({ preconditioner: negative })).toMatchObject({ converged: false, breakdown: true });
    rhs.fill(0);
    x.fill(0);
    expect(run()).toMatchObject({ converged: true, residual: 0, iterations: 0 });
    rhs[3] = Number.NaN;
    expect(run()).toMatchObject({ converged: false, breakdown: true });
  });
});
