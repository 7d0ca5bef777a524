import fc from 'fast-check';
import { createRandom, type Random } from 'heddle/math';
import { BlockPattern, BlockSparse, KktSystem, type SparseRows, solveKkt } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { solveByElimination } from './gaussian-elimination.ts';
import {
  addLaplacian,
  gridPattern,
  largest,
  largestDifference,
  randomDominant,
  randomPattern,
  randomVector,
  toDense,
} from './sparse-fixtures.ts';

const toRows = (lists: (readonly (readonly [column: number, value: number])[])[]): SparseRows => {
  const entries = lists.flat();
  return {
    count: lists.length,
    start: Int32Array.from([0, ...lists.map((_, r) => lists.slice(0, r + 1).flat().length)]),
    columns: Int32Array.from(entries, ([column]) => column),
    values: Float64Array.from(entries, ([, value]) => value),
  };
};

const randomRows = (random: Random, count: number, size: number, entries: number) =>
  Array.from({ length: count }, () =>
    Array.from({ length: entries }, () => [random.integer(0, size - 1), 2 * random.uniform() - 1] as const),
  );

const times = (rows: SparseRows, v: Float64Array): Float64Array =>
  Float64Array.from({ length: rows.count }, (_, r) => {
    let sum = 0;
    for (let k = rows.start[r]; k < rows.start[r + 1]; k++) sum += rows.values[k] * v[rows.columns[k]];
    return sum;
  });

/** The whole system solved by Gaussian elimination with pivoting. */
function solveDense(matrix: BlockSparse, rows: SparseRows, force: Float64Array, target: Float64Array): Float64Array {
  const n = matrix.size;
  const total = n + rows.count;
  const whole = new Float64Array(total * total);
  const a = toDense(matrix);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) whole[i * total + j] = a[i * n + j];
  for (let r = 0; r < rows.count; r++) {
    for (let k = rows.start[r]; k < rows.start[r + 1]; k++) {
      whole[(n + r) * total + rows.columns[k]] += rows.values[k];
      whole[rows.columns[k] * total + n + r] += rows.values[k];
    }
  }
  return solveByElimination(whole, [...force, ...target]);
}

describe('solveKkt', () => {
  test('random definite systems with rows of full rank: like Gaussian elimination, nothing regularised, inertia (n, m)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 4, max: 20 }), fc.integer(), (b, n, seed) => {
        const random = createRandom(seed);
        const matrix = randomDominant(random, randomPattern(random, n, 2 * n), b);
        const size = n * b;
        const count = Math.floor(size / 4);
        // a leading one of its own in each row keeps the rows well independent
        const lists = randomRows(random, count, size, 3).map((row, r) => [...row, [4 * r, 4] as const]);
        const rows = toRows(lists);
        const force = randomVector(random, size);
        const target = randomVector(random, count);
        const { v, multipliers, report } = solveKkt(matrix, rows, force, target);
        expect(report).toMatchObject({ ok: true, dependentRows: 0, inconsistentRows: 0, regularized: 0 });
        expect([report.positive, report.negative]).toEqual([size, count]);
        expect(report.residual).toBeLessThan(2e-15);
        expect(report.rowResidual).toBeLessThan(2e-15);
        const expected = solveDense(matrix, rows, force, target);
        expect(largestDifference([...v, ...multipliers], expected)).toBeLessThan(1e-10 * largest(expected));
        expect(largestDifference(times(rows, v), target)).toBeLessThan(1e-13 * (1 + largest(v)));
      }),
      { seed: 9, numRuns: 150 },
    );
  });

  test('A need only be definite where the rows leave freedom: a free-floating net held by two nodes', () => {
    for (let seed = 0; seed < 10; seed++) {
      const random = createRandom(seed);
      const matrix = new BlockSparse(gridPattern(6, 5), 3);
      addLaplacian(matrix, random, () => 10 ** (3 * random.uniform()));
      const rows = toRows([0, 1, 2, 87, 88, 89].map((column) => [[column, 1] as const]));
      const force = randomVector(random, 90);
      const target = randomVector(random, 6);
      const { v, multipliers, report } = solveKkt(matrix, rows, force, target);
      expect(report.ok).toBe(true);
      expect(report.residual).toBeLessThan(1e-14);
      expect(report.rowResidual).toBeLessThan(1e-14);
      const expected = solveDense(matrix, rows, force, target);
      expect(largestDifference([...v, ...multipliers], expected)).toBeLessThan(1e-9 * largest(expected));
    }
  });

  test('unknowns on which A has no entry are found by their rows', () => {
    // A = diag(1, 0, 0, 1e6); rows: v0 + v1 = 1, v1 − v2 = 2, v2 + v3 = 3
    const matrix = new BlockSparse(BlockPattern.fromPairs(4, [], []), 1);
    matrix.addBlock(0, 0, [1]);
    matrix.addBlock(3, 3, [1e6]);
    const rows = toRows([
      [
        [0, 1],
        [1, 1],
      ],
      [
        [1, 1],
        [2, -1],
      ],
      [
        [2, 1],
        [3, 1],
      ],
    ]);
    const force = Float64Array.of(1, 2, 3, 4);
    const target = Float64Array.of(1, 2, 3);
    const { v, multipliers, report } = solveKkt(matrix, rows, force, target);
    expect(report.ok).toBe(true);
    expect(largestDifference([...v, ...multipliers], solveDense(matrix, rows, force, target))).toBeLessThan(1e-11);
  });

  test('A = 0: as many rows as unknowns fix everything', () => {
    const random = createRandom(4);
    const matrix = new BlockSparse(BlockPattern.fromPairs(3, [], []), 2);
    const rows = toRows(randomRows(random, 6, 6, 2).map((row, r) => [...row, [r, 5] as const]));
    const force = randomVector(random, 6);
    const target = randomVector(random, 6);
    const { v, multipliers, report } = solveKkt(matrix, rows, force, target);
    expect(report.ok).toBe(true);
    expect(largestDifference([...v, ...multipliers], solveDense(matrix, rows, force, target))).toBeLessThan(1e-12);
  });

  test('dependent consistent rows are solved and counted: v is that of the independent rows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 }), fc.integer(), (b, extra, seed) => {
        const random = createRandom(seed);
        const n = 15;
        const matrix = randomDominant(random, randomPattern(random, n, 30), b);
        const independent = randomRows(random, 3, n * b, 3).map((row, r) => [...row, [4 * r, 4] as const]);
        const combined = Array.from({ length: extra }, () => {
          const weights = independent.map(() => random.integer(-2, 2) * 1.7);
          return independent.flatMap((row, r) => row.map(([column, value]) => [column, weights[r] * value] as const));
        });
        const lists = [...combined, ...independent];
        const rows = toRows(lists);
        const reachable = randomVector(random, n * b);
        const target = times(rows, reachable);
        const force = randomVector(random, n * b);
        const { v, report } = solveKkt(matrix, rows, force, target);
        expect(report).toMatchObject({ ok: true, dependentRows: extra, inconsistentRows: 0 });
        expect(report.residual).toBeLessThan(2e-15);
        expect(report.rowResidual).toBeLessThan(1e-13);
        const expected = solveDense(matrix, toRows(independent), force, target.slice(extra));
        expect(largestDifference(v, expected.slice(0, n * b))).toBeLessThan(1e-11 * (1 + largest(expected)));
      }),
      { seed: 12, numRuns: 150 },
    );
  });

  test('inconsistent rows are named, and what can be kept is kept', () => {
    const random = createRandom(6);
    const matrix = randomDominant(random, gridPattern(4, 4), 2);
    const rows = toRows([
      [
        [0, 1],
        [5, 2],
      ],
      [[9, 1]],
      [
        [0, 2],
        [5, 4],
      ],
      [],
    ]);
    const system = new KktSystem();
    const v = new Float64Array(32);
    const multipliers = new Float64Array(4);
    expect(system.factor(matrix, rows).dependentRows).toBe(2);
    const force = randomVector(random, 32);
    const report = system.solve(force, Float64Array.of(1, 2, 2.5, 0), v, multipliers);
    expect(report).toMatchObject({ ok: false, dependentRows: 2, inconsistentRows: 1 });
    expect(system.inconsistent[0] + system.inconsistent[2]).toBe(1);
    expect(report.residual).toBeLessThan(1e-14);
    expect(report.rowResidual).toBeGreaterThan(1e-3);
    expect(v[9]).toBeCloseTo(2, 13);
    expect(largest(v)).toBeLessThan(100);
    // the empty row 0 = 1 is inconsistent too; with targets that agree all is well again
    expect(system.solve(force, Float64Array.of(1, 2, 2, 1), v, multipliers)).toMatchObject({
      ok: false,
      inconsistentRows: 1,
    });
    expect([...system.inconsistent]).toEqual([0, 0, 0, 1]);
    expect(system.solve(force, Float64Array.of(1, 2, 2, 0), v, multipliers)).toMatchObject({
      ok: true,
      inconsistentRows: 0,
    });
  });

  test('condition 1e12 with units far apart: both residuals stay at rounding', () => {
    for (let seed = 0; seed < 10; seed++) {
      const random = createRandom(50 + seed);
      const matrix = new BlockSparse(gridPattern(8, 8, true), 3);
      addLaplacian(matrix, random, () => 10 ** (6 * random.uniform()));
      for (let i = 0; i < 64; i++) matrix.addBlock(i, i, [1e-6, 0, 0, 0, 1e-6, 0, 0, 0, 1e-6]);
      const rows = toRows(
        randomRows(random, 12, 192, 4).map((row, r) => row.map(([c, value]) => [c, value * 10 ** (r - 6)] as const)),
      );
      const { v, report } = solveKkt(matrix, rows, randomVector(random, 192), new Float64Array(12).fill(1e-3));
      expect(report).toMatchObject({ ok: true, dependentRows: 0 });
      expect(report.residual).toBeLessThan(2e-15);
      expect(report.rowResidual).toBeLessThan(2e-15);
      expect(largest(v)).toBeGreaterThan(0);
    }
  });

  test('no rows at all is the plain system', () => {
    const random = createRandom(7);
    const matrix = randomDominant(random, gridPattern(3, 3), 2);
    const force = randomVector(random, 18);
    const { v, report } = solveKkt(matrix, toRows([]), force, new Float64Array(0));
    expect(report).toMatchObject({ ok: true, positive: 18, negative: 0 });
    expect(largestDifference(v, solveByElimination(toDense(matrix), force))).toBeLessThan(1e-12);
  });
});

describe('KktSystem', () => {
  test('analyses once while the patterns stay, and again when a row changes its columns', () => {
    const random = createRandom(8);
    const pattern = gridPattern(5, 5);
    const system = new KktSystem();
    const v = new Float64Array(75);
    const lists = randomRows(random, 4, 75, 3);
    for (let run = 0; run < 4; run++) {
      const matrix = randomDominant(random, pattern, 3);
      const rows = toRows(lists.map((row) => row.map(([column]) => [column, random.uniform() + 0.5] as const)));
      const force = randomVector(random, 75);
      const target = randomVector(random, 4);
      const multipliers = new Float64Array(4);
      system.factor(matrix, rows);
      expect(system.solve(force, target, v, multipliers).ok).toBe(true);
      const expected = solveDense(matrix, rows, force, target);
      expect(largestDifference([...v, ...multipliers], expected)).toBeLessThan(1e-11 * largest(expected));
    }
    expect(system.analyses).toBe(1);
    const matrix = randomDominant(random, pattern, 3);
    system.factor(
      matrix,
      toRows(lists.map((row) => row.map(([column, value]) => [(column + 1) % 75, value] as const))),
    );
    expect(system.analyses).toBe(2);
    system.factor(matrix, toRows(lists.slice(1)));
    expect(system.analyses).toBe(3);
  });

  test('a number that is not finite gives NaN and not ok', () => {
    const matrix = randomDominant(createRandom(1), gridPattern(2, 2), 1);
    matrix.values[0] = Number.NaN;
    const { v, report } = solveKkt(matrix, toRows([[[1, 1]]]), new Float64Array(4), Float64Array.of(1));
    expect(report.ok).toBe(false);
    expect(v.every(Number.isNaN)).toBe(true);
  });

  test('a column outside the matrix is named', () => {
    const matrix = randomDominant(createRandom(1), gridPattern(2, 2), 1);
    expect(() => new KktSystem().factor(matrix, toRows([[[4, 1]]]))).toThrow(/in column 4; it must lie in 0…3/);
  });
});
