import { createRandom } from 'heddle/math';
import { BlockIncompleteCholesky, BlockJacobi, BlockPattern, BlockSparse, PcgWorkspace, pcg } from 'heddle/sparse';
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

/** A stiff sheet-like matrix: Laplacian with stiffness over four decades plus a small mass. */
function stiffMatrix(seed: number, b: number): BlockSparse {
  const random = createRandom(seed);
  const matrix = new BlockSparse(gridPattern(12, 10, true), b);
  addLaplacian(matrix, random, () => 10 ** (4 * random.uniform()));
  for (let i = 0; i < matrix.pattern.n; i++) {
    for (let c = 0; c < b; c++) matrix.values[matrix.pattern.slot(i, i) * b * b + c * b + c] += 0.1;
  }
  return matrix;
}

/** ‖b − A x‖₂ / ‖b‖₂ from the dense matrix. */
function relativeResidual(matrix: BlockSparse, x: Float64Array, b: Float64Array): number {
  const product = denseTimes(toDense(matrix), x);
  return Math.hypot(...b.map((value, k) => value - product[k])) / Math.hypot(...b);
}

describe('pcg', () => {
  test.each([1, 2, 3, 4, 5, 6, 7])('solves like Gaussian elimination with each preconditioner, block size %i', (b) => {
    const random = createRandom(b);
    const matrix = randomDominant(random, randomPattern(random, 20, 60), b);
    const rhs = randomVector(random, matrix.size);
    const expected = solveByElimination(toDense(matrix), rhs);
    for (const preconditioner of [
      undefined,
      new BlockJacobi(matrix).apply,
      new BlockIncompleteCholesky(matrix).apply,
    ]) {
      const x = new Float64Array(matrix.size);
      const report = pcg(operatorOf(matrix), rhs, x, { tolerance: 1e-13, ...(preconditioner && { preconditioner }) });
      expect(report.converged).toBe(true);
      expect(report.breakdown).toBe(false);
      expect(relativeResidual(matrix, x, rhs)).toBeLessThan(1.1e-13);
      expect(largestDifference(x, expected)).toBeLessThan(1e-10 * largest(expected));
    }
  });

  test('the better the preconditioner the fewer the iterations', () => {
    const matrix = stiffMatrix(1, 3);
    const rhs = randomVector(createRandom(2), matrix.size);
    const iterations = [undefined, new BlockJacobi(matrix).apply, new BlockIncompleteCholesky(matrix).apply].map(
      (preconditioner) => {
        const x = new Float64Array(matrix.size);
        const report = pcg(operatorOf(matrix), rhs, x, preconditioner ? { preconditioner } : {});
        expect(report.converged).toBe(true);
        expect(report.residual).toBeCloseTo(relativeResidual(matrix, x, rhs), 12);
        return report.iterations;
      },
    );
    expect(iterations[1]).toBeLessThan(0.75 * iterations[0]);
    expect(iterations[2]).toBeLessThan(0.5 * iterations[1]);
  });

  test('block Jacobi solves a block-diagonal matrix, incomplete Cholesky a tree, in one step', () => {
    const random = createRandom(3);
    const chain = Array.from({ length: 29 }, (_, i) => i);
    for (const [pattern, create] of [
      [BlockPattern.fromPairs(30, [], []), BlockJacobi],
      [
        BlockPattern.fromPairs(
          30,
          chain,
          chain.map((i) => i + 1),
        ),
        BlockIncompleteCholesky,
      ],
    ] as const) {
      const matrix = randomDominant(random, pattern, 3);
      const x = new Float64Array(90);
      const report = pcg(operatorOf(matrix), randomVector(random, 90), x, {
        preconditioner: new create(matrix).apply,
        tolerance: 1e-12,
      });
      expect(report).toMatchObject({ converged: true, iterations: 1 });
    }
  });

  test('incomplete Cholesky that breaks down is shifted, and still helps', () => {
    // Kershaw's matrix: positive definite, yet IC(0) meets a negative pivot
    const matrix = new BlockSparse(BlockPattern.fromPairs(4, [0, 1, 2, 3], [1, 2, 3, 0]), 1);
    for (let i = 0; i < 4; i++) matrix.addBlock(i, i, [3]);
    for (const [i, j, value] of [
      [1, 0, -2],
      [2, 1, -2],
      [3, 2, -2],
      [3, 0, 2],
    ] as const)
      matrix.addBlock(i, j, [value]);
    const preconditioner = new BlockIncompleteCholesky(matrix);
    expect(preconditioner.ok).toBe(true);
    expect(preconditioner.shift).toBeGreaterThan(0);
    const x = new Float64Array(4);
    const rhs = Float64Array.of(1, 2, 3, 4);
    const report = pcg(operatorOf(matrix), rhs, x, { preconditioner: preconditioner.apply });
    expect(report.converged).toBe(true);
    expect(largestDifference(x, solveByElimination(toDense(matrix), rhs))).toBeLessThan(1e-8);
  });

  test('preconditioners are symmetric and positive definite, and updated in place', () => {
    const random = createRandom(5);
    const matrix = stiffMatrix(5, 2);
    for (const preconditioner of [new BlockJacobi(stiffMatrix(6, 2)), new BlockIncompleteCholesky(stiffMatrix(6, 2))]) {
      preconditioner.update(matrix);
      const a = randomVector(random, matrix.size);
      const b = randomVector(random, matrix.size);
      const ma = new Float64Array(matrix.size);
      const mb = new Float64Array(matrix.size);
      preconditioner.apply(a, ma);
      preconditioner.apply(b, mb);
      const dot = (x: Float64Array, y: Float64Array): number => x.reduce((sum, value, k) => sum + value * y[k], 0);
      expect(dot(a, mb)).toBeCloseTo(dot(b, ma), 10);
      expect(dot(a, ma)).toBeGreaterThan(0);
    }
  });

  test('an indefinite matrix is reported as breakdown', () => {
    const random = createRandom(7);
    const matrix = randomDominant(random, randomPattern(random, 12, 30), 2, (i) => (i % 2 ? -1 : 1));
    const report = pcg(operatorOf(matrix), randomVector(random, 24), new Float64Array(24));
    expect(report).toMatchObject({ breakdown: true, converged: false });
    expect(Number.isFinite(report.residual)).toBe(true);
  });

  test('too few iterations are reported, a start at the solution needs none, b = 0 gives 0, NaN is a breakdown', () => {
    const matrix = stiffMatrix(8, 3);
    const rhs = randomVector(createRandom(8), matrix.size);
    const x = new Float64Array(matrix.size);
    const workspace = new PcgWorkspace(matrix.size);
    expect(pcg(operatorOf(matrix), rhs, x, { maxIterations: 3 }, workspace)).toMatchObject({
      converged: false,
      iterations: 3,
    });
    expect(
      pcg(operatorOf(matrix), rhs, x, { preconditioner: new BlockJacobi(matrix).apply }, workspace).converged,
    ).toBe(true);
    expect(pcg(operatorOf(matrix), rhs, x, { tolerance: 1e-9 }, workspace)).toMatchObject({
      converged: true,
      iterations: 0,
    });
    x.fill(0);
    expect(pcg(operatorOf(matrix), new Float64Array(matrix.size), x, {}, workspace)).toMatchObject({
      converged: true,
      residual: 0,
    });
    rhs[4] = Number.NaN;
    expect(pcg(operatorOf(matrix), rhs, x, {}, workspace)).toMatchObject({ converged: false, breakdown: true });
  });

  test('sizes that differ are named', () => {
    expect(() => pcg(() => {}, new Float64Array(3), new Float64Array(4))).toThrow(/b has 3 entries, x 4/);
  });
});
