/** The solver of nets: against elimination, its compiled kernels against their twins to the bit, and what it does where it cannot solve. */
import { createRandom } from 'heddle/math';
import { BlockPattern, BlockSparse, type NetSolveOptions, NetSolver, type NetSolverOptions } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import { createWeaveMatrix } from '../../bench/weave-matrix.js';
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

const ONE = { twoDomainsFrom: Number.POSITIVE_INFINITY };
const TWO = { twoDomainsFrom: 1 };

function load(matrix: BlockSparse, options: NetSolverOptions): NetSolver {
  const solver = new NetSolver(options);
  solver.setPattern(matrix.pattern);
  solver.values.set(matrix.values);
  return solver;
}

function solve(matrix: BlockSparse, b: Float64Array, options: NetSolverOptions, how: NetSolveOptions = {}) {
  const x = b.slice();
  const report = load(matrix, options).solve(x, how);
  return { x, ...report };
}

describe.each([
  ['one domain', ONE],
  ['two domains', TWO],
])('with %s', (_name, domains) => {
  test('the solution is that of elimination, whatever the pattern', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = createRandom(seed);
      const n = 1 + seed * 4;
      const matrix = randomDominant(random, randomPattern(random, n, 3 * n), 5);
      const b = randomVector(random, 5 * n);
      const { x, ok, residual } = solve(matrix, b, domains, { tolerance: 1e-13 });
      expect(ok).toBe(true);
      expect(residual).toBeLessThan(1e-13);
      expect(largestDifference(x, solveByElimination(toDense(matrix), b))).toBeLessThan(1e-12);
    }
  });

  test('compiled kernels and their twins give the same bits', () => {
    const cases = [
      createWeaveMatrix(9, 7, { noise: 0.05 }),
      createWeaveMatrix(8, 12, { eilShare: 0.3, noise: 0.01 }),
      createWeaveMatrix(10, 10, { bulge: 0, noise: 0 }),
    ];
    for (let seed = 1; seed <= 8; seed++) {
      const random = createRandom(seed);
      const matrix = randomDominant(random, randomPattern(random, 10 * seed, 50 * seed), 5, undefined, 0.01);
      cases.push({ matrix, b: randomVector(random, matrix.size), x: new Float64Array() });
    }
    const shares = new Set<number>();
    for (const { matrix, b } of cases) {
      const compiled = solve(matrix, b, domains);
      expect(compiled.ok).toBe(true);
      shares.add(compiled.omega);
      expect(solve(matrix, b, { ...domains, prefersTwin: true })).toEqual(compiled);
    }
    // the cases reach more than the first attempt to factor
    expect(shares.size).toBeGreaterThan(1);
  });

  test('a factor without what it leaves out is exact for a chain: one iteration', () => {
    const random = createRandom(5);
    const matrix = randomDominant(random, gridPattern(40, 1), 5, undefined, 1e-3);
    // where domains meet, too; single precision of the factor leaves the second
    expect(solve(matrix, randomVector(random, 200), domains, { tolerance: 1e-5 }).iterations).toBe(1);
  });

  test('numbers of the blocks cost nothing: yarns are found from the pattern', () => {
    const { matrix, b } = createWeaveMatrix(16, 12, { noise: 0.01 });
    const { n, columnStart, rows } = matrix.pattern;
    const random = createRandom(3);
    const number = Int32Array.from({ length: n }, (_, k) => k);
    for (let k = n - 1; k > 0; k--) {
      const other = Math.floor(random.uniform() * (k + 1));
      [number[k], number[other]] = [number[other], number[k]];
    }
    const columns: number[] = [];
    for (let j = 0; j < n; j++) for (let k = columnStart[j]; k < columnStart[j + 1]; k++) columns.push(number[j]);
    const pattern = BlockPattern.fromPairs(
      n,
      Array.from(rows, (row) => number[row]),
      columns,
    );
    const shuffled = new BlockSparse(pattern, 5);
    for (let slot = 0; slot < rows.length; slot++)
      shuffled.addBlock(number[rows[slot]], columns[slot], matrix.values, 25 * slot);
    const moved = new Float64Array(5 * n);
    for (let k = 0; k < 5 * n; k++) moved[5 * number[Math.floor(k / 5)] + (k % 5)] = b[k];
    expect(solve(shuffled, moved, domains).iterations).toBeLessThan(1.3 * solve(matrix, b, domains).iterations);
  });

  test('a second solve, and one after other patterns, have the same bits as the first', () => {
    const { matrix, b } = createWeaveMatrix(12, 9, { noise: 0.02 });
    const other = createWeaveMatrix(15, 20, {});
    const first = solve(matrix, b, domains);
    const solver = load(matrix, domains);
    for (const [next, rhs] of [
      [matrix, b],
      [other.matrix, other.b],
      [matrix, b],
    ] as const) {
      solver.setPattern(next.pattern);
      solver.values.set(next.values);
      for (let k = 0; k < 2; k++) {
        const x = rhs.slice();
        const report = solver.solve(x);
        if (next === matrix) expect({ x, ...report }).toEqual(first);
      }
    }
  });

  test('cancelled coordinates stay at zero, and change nothing else', () => {
    const { matrix, b } = createWeaveMatrix(8, 8, { noise: 0.02 });
    const isCancelled = (row: number) => row % 7 === 3;
    const { columnStart, rows, n } = matrix.pattern;
    for (let j = 0; j < n; j++)
      for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++)
        for (let r = 0; r < 5; r++)
          for (let c = 0; c < 5; c++) {
            const [row, column] = [5 * rows[slot] + r, 5 * j + c];
            if (isCancelled(row) || isCancelled(column)) matrix.values[25 * slot + 5 * r + c] = row === column ? 1 : 0;
          }
    for (let row = 0; row < 5 * n; row++) if (isCancelled(row)) b[row] = 0;
    const { x, ok } = solve(matrix, b, domains, { tolerance: 1e-9 });
    expect(ok).toBe(true);
    for (let row = 0; row < 5 * n; row++) if (isCancelled(row)) expect(x[row]).toBe(0);
    expect(largest(x)).toBeGreaterThan(0);
    const exact = solveByElimination(toDense(matrix), b);
    expect(largestDifference(x, exact)).toBeLessThan(1e-6 * largest(exact));
  });

  test('a matrix that is not positive definite is not solved, and b stays', () => {
    const random = createRandom(3);
    const pattern = gridPattern(7, 5);
    const b = randomVector(random, 175);
    const indefinite = randomDominant(random, pattern, 5, (block) => (block === 20 ? -1 : 1));
    const { ok, x } = solve(indefinite, b, domains);
    expect(ok).toBe(false);
    expect(x).toEqual(b);
    const broken = randomDominant(random, pattern, 5);
    broken.values[25 * pattern.columnStart[17]] = Number.NaN;
    expect(solve(broken, b, domains)).toMatchObject({ ok: false, x: b });
    const unreal = b.slice();
    unreal[4] = Number.NaN;
    expect(solve(randomDominant(random, pattern, 5), unreal, domains).ok).toBe(false);
  });

  test('a matrix that is not positive definite, but whose factor with shifts is, ends the iteration', () => {
    const random = createRandom(4);
    const matrix = randomDominant(random, gridPattern(6, 6), 5);
    const { columnStart, n } = matrix.pattern;
    for (let j = 0; j < n; j++)
      for (let c = 0; c < 5; c++)
        matrix.values[25 * columnStart[j] + 6 * c] -= 0.62 * matrix.values[25 * columnStart[j] + 6 * c];
    const b = randomVector(random, matrix.size);
    const { ok, x } = solve(matrix, b, domains);
    expect(ok).toBe(false);
    expect(x).toEqual(b);
  });

  test('b = 0 gives 0, too few iterations are reported', () => {
    const { matrix, b } = createWeaveMatrix(14, 14, { noise: 0.01 });
    expect(solve(matrix, new Float64Array(matrix.size), domains)).toMatchObject({
      ok: true,
      iterations: 0,
      residual: 0,
    });
    expect(solve(matrix, b, domains, { maxIterations: 3 })).toMatchObject({ ok: false, iterations: 3, x: b });
  });

  test('a solve that ends by the energy leaves no more of it than asked for', () => {
    const cases = [
      createWeaveMatrix(14, 14, { noise: 0.01 }),
      createWeaveMatrix(20, 20, { noise: 0.05 }),
      createWeaveMatrix(20, 20, { noise: 0.01, eilShare: 0.3 }),
    ];
    for (const { matrix, b } of cases) {
      const exact = solve(matrix, b, domains, { tolerance: 1e-8 });
      const rough = solve(matrix, b, domains, { tolerance: 1e-8, energyTolerance: 1e-2 });
      expect(rough.ok).toBe(true);
      expect(rough.iterations).toBeLessThan(exact.iterations);
      const norm = (v: Float64Array): number => {
        const product = new Float64Array(v.length);
        matrix.multiply(v, product);
        return Math.sqrt(v.reduce((sum, value, k) => sum + value * product[k], 0));
      };
      // √(eᵀAe) ≤ 1e-2 √(xᵀAx)
      const error = rough.x.map((value, k) => value - exact.x[k]);
      expect(norm(error)).toBeLessThan(1e-2 * norm(exact.x));
      expect(norm(error)).toBeGreaterThan(0);
    }
  });

  test('where stiff parts have almost all the energy, a solve that ends by it has the largest entries all the same', () => {
    const { matrix, b } = createWeaveMatrix(20, 20, { noise: 0.01, eilShare: 0.3 });
    const exact = solve(matrix, b, domains, { tolerance: 1e-10 }).x;
    const size = (v: Float64Array): number => v.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    // another solution that is off by a hundredth in one entry of every node, in turn: yarns and constraints resist that
    const x = exact.map((value, k) => value + (k % 7 === 0 ? 0.01 * size(exact) : 0));
    const stiff = new Float64Array(x.length);
    matrix.multiply(x, stiff);
    const found = solve(matrix, stiff, domains, { tolerance: 1e-9, energyTolerance: 3e-3 });
    expect(found.ok).toBe(true);
    // the last change is a hundredth, the error what further ones add up to: 0.06 and 0.05 are seen, by the energy alone 3.1 and 1.2
    expect(size(found.x.map((value, k) => value - x[k])) / size(x)).toBeLessThan(0.1);
  });
});

describe.each([
  ['one domain', ONE],
  ['two domains', TWO],
])('ranks, %s', (_name, domains) => {
  /** Diagonals of the weave: they rise along warps and wefts. */
  const rankOf = (ends: number, picks: number) =>
    Int32Array.from({ length: ends * picks }, (_, k) => (k % ends) + Math.floor(k / ends) - ends);
  const solveRanked = (
    { matrix, b }: { matrix: BlockSparse; b: Float64Array },
    rank: Int32Array | undefined,
    options: NetSolverOptions = {},
    isFirst?: Uint8Array,
  ) => {
    const solver = new NetSolver({ ...domains, ...options });
    solver.setPattern(matrix.pattern, isFirst, rank);
    solver.values.set(matrix.values);
    const x = b.slice();
    return { ...solver.solve(x), x };
  };

  test('the solution is the same, with the same bits of twins, EIL nodes first or not', () => {
    for (const eilShare of [0, 0.3]) {
      const weave = createWeaveMatrix(9, 7, { noise: 0.01, eilShare });
      const found = solveRanked(weave, rankOf(9, 7), {}, weave.isEil);
      const exact = solveByElimination(toDense(weave.matrix), weave.b);
      expect(found).toMatchObject({ ok: true });
      expect(largestDifference(found.x, exact)).toBeLessThan(1e-3 * largest(exact));
      expect(solveRanked(weave, rankOf(9, 7), { prefersTwin: true }, weave.isEil)).toEqual(found);
    }
  });

  test('a factor without fill needs ranks that rise along yarns', () => {
    const weave = createWeaveMatrix(24, 24, { noise: 0.01 });
    const ranked = solveRanked(weave, rankOf(24, 24)).iterations;
    const random = createRandom(1);
    const none = Int32Array.from({ length: 576 }, () => Math.floor(1000 * random.uniform()));
    const other = solveRanked(weave, none).iterations;
    expect(other).toBeGreaterThan(4 * ranked);
    // one yarn in three run the other way is enough to lose most of it
    const turned = rankOf(24, 24).map((rank, k) => ((k % 24) % 3 === 0 ? (k % 24) - Math.floor(k / 24) : rank));
    expect(solveRanked(weave, turned).iterations).toBeGreaterThan(2 * ranked);
  });
});

test('EIL nodes that go first, and whose fill has a place, take fewer iterations', () => {
  for (const eilShare of [0.1, 0.2, 0.3]) {
    const { matrix, b, isEil } = createWeaveMatrix(16, 16, { noise: 0.01, eilShare });
    const [first, mixed] = [isEil, undefined].map((isFirst) => {
      const solver = new NetSolver(ONE);
      solver.setPattern(matrix.pattern, isFirst);
      solver.values.set(matrix.values);
      return { ...solver.solve(b.slice(), { tolerance: 1e-3 }) };
    });
    expect(first.ok).toBe(true);
    expect(first.iterations).toBeLessThan(mixed.iterations);
  }
});

test('a Laplacian is solved with either number of domains, to the same solution', () => {
  const random = createRandom(2);
  const pattern = gridPattern(30, 25, true);
  const matrix = randomDominant(random, pattern, 5, undefined, 0);
  addLaplacian(matrix, random, () => 10 ** (4 * random.uniform()));
  const b = randomVector(random, matrix.size);
  const [one, two] = [ONE, TWO].map((domains) => solve(matrix, b, domains, { tolerance: 1e-13 }));
  expect(one.ok && two.ok).toBe(true);
  expect(two.x).not.toEqual(one.x);
  expect(largestDifference(one.x, two.x)).toBeLessThan(1e-10 * largest(one.x));
});

test('a right-hand side of the wrong size is named', () => {
  const matrix = randomDominant(createRandom(1), gridPattern(3, 3), 5);
  expect(() => load(matrix, ONE).solve(new Float64Array(44))).toThrow(/b has 44 entries; the pattern needs 45/);
});
