import { createRandom } from 'heddle/math';
import { BlockSparse, type QpProblem, type QpReport, QpSolver, solveQp } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
import {
  AT_LEAST,
  AT_MOST,
  computeViolation,
  createCloth,
  createContactRows,
  EQUAL,
  type RowSpec,
  toMatrix,
  toProblem,
} from './qp-fixtures.ts';
import { addLaplacian, gridPattern, largest, largestDifference, randomVector } from './sparse-fixtures.ts';

const METHODS = ['active-set', 'interior-point'] as const;

const identity = (n: number): BlockSparse =>
  toMatrix(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0))));

const rowOf = (values: readonly number[]): RowSpec['row'] => values.map((value, column) => [column, value] as const);

const plane = (normal: readonly number[], target = 0): RowSpec => ({ row: rowOf(normal), target, bounds: AT_LEAST });

/** Gᵀy = 0, tᵀy > 0, signs as the bounds allow: no v meets the rows. */
function expectContradiction({ matrix, rows, target, lower, upper }: QpProblem, { proof }: QpReport): void {
  const sum = new Float64Array(matrix.size);
  let gain = 0;
  let size = 0;
  for (let r = 0; r < rows.count; r++) {
    if (proof[r] > 0) expect(upper[r]).toBe(Number.POSITIVE_INFINITY);
    if (proof[r] < 0) expect(lower[r]).toBe(Number.NEGATIVE_INFINITY);
    if (rows.compliance?.[r]) expect(proof[r]).toBe(0);
    gain += proof[r] * target[r];
    size += Math.abs(proof[r] * target[r]);
    for (let k = rows.start[r]; k < rows.start[r + 1]; k++) sum[rows.columns[k]] += proof[r] * rows.values[k];
  }
  expect(gain).toBeGreaterThan(1e-9 * size);
  expect(largest(sum)).toBeLessThan(1e-7);
}

/** A d = 0 and the value falls along d, what the rows charge included. */
function expectDescent({ matrix, rows, force, lower, upper }: QpProblem, { proof: d }: QpReport): void {
  const product = new Float64Array(matrix.size);
  matrix.multiply(d, product);
  expect(largest(d)).toBeCloseTo(1, 12);
  expect(largest(product)).toBeLessThan(1e-12 * Math.max(1, largest(matrix.values)));
  let slope = -force.reduce((total, value, k) => total + value * d[k], 0);
  for (let r = 0; r < rows.count; r++) {
    let change = 0;
    for (let k = rows.start[r]; k < rows.start[r + 1]; k++) change += rows.values[k] * d[rows.columns[k]];
    if (Math.abs(change) > 1e-7) slope += change > 0 ? -lower[r] * change : -upper[r] * change;
  }
  expect(slope).toBeLessThan(-1e-6);
}

describe.each(METHODS)('%s first', (first) => {
  const status = (problem: QpProblem): string => solveQp(problem, { first }).report.status;

  describe('redundant rows', () => {
    test('of parallel rows the strictest counts', () => {
      const { v, multipliers, report } = solveQp(
        toProblem(identity(1), [0], [plane([1], 1), plane([1], 1.5), plane([2], 2.2)]),
        { first },
      );
      expect(report.status).toBe('solved');
      expect([v[0], ...multipliers]).toEqual([1.5, 0, 1.5, 0]);
    });

    test('equal rows: one pushes, the others are reported, and left at their bound', () => {
      const solver = new QpSolver();
      const problem = toProblem(identity(1), [0], [plane([1], 1), plane([1], 1), plane([2], 2)]);
      const v = new Float64Array(1);
      const multipliers = new Float64Array(3);
      const report = solver.solve(problem, v, multipliers, Int8Array.of(-1, -1, -1), { first });
      expect(report).toMatchObject({ status: 'solved', heldRows: 1, redundantRows: 2 });
      expect(v[0]).toBe(1);
      expect(multipliers[0] + multipliers[1] + 2 * multipliers[2]).toBe(1);
      expect(multipliers.filter((_, r) => solver.redundant[r] === 1).every((value) => value === 0)).toBe(true);
    });

    test('are solved where equalities are said twice', () => {
      const specs = [0, 1, 2].map((k) => ({ row: rowOf([1 + k, -1 - k]), target: 2 + 2 * k, bounds: EQUAL }));
      const { v, report } = solveQp(toProblem(identity(2), [1, 1], specs), { first });
      expect(report).toMatchObject({ status: 'solved', redundantRows: 2 });
      expect(largestDifference(v, [2, 0])).toBeLessThan(1e-15);
    });

    test('hold a point pressed into a pyramid of four planes, all through the apex and one a little higher', () => {
      const normals = [
        [1, 0, 1],
        [-1, 0, 1],
        [0, 1, 1],
        [0, -1, 1],
      ];
      for (const height of [0, 1e-6, 0.1]) {
        const problem = toProblem(
          identity(3),
          [0.3, 0.2, -5],
          normals.map((normal, k) => plane(normal, k === 3 ? height : 0)),
        );
        const { v, multipliers, report } = solveQp(problem, { first });
        expect(report.status).toBe('solved');
        expect(computeViolation(problem, v, multipliers)).toBeLessThan(1e-12);
        // where the planes −x + z = 0, y + z = 0 and −y + z = h meet
        expect(largestDifference(v, [height / 2, -height / 2, height / 2])).toBeLessThan(1e-15);
      }
    });

    test('that are said two and three times leave the v of a cloth as without them', () => {
      for (let seed = 0; seed < 25; seed++) {
        const random = createRandom(seed);
        const matrix = createCloth(random, 6, 5, 1e4);
        const specs = createContactRows(random, 30, 40).filter(({ compliance }) => compliance === undefined);
        const strict = specs.filter(({ bounds }) => !(Number.isFinite(bounds[0]) && Number.isFinite(bounds[1])));
        const force = randomVector(random, matrix.size);
        const once = solveQp(toProblem(matrix, force, specs), { first });
        const again = solveQp(toProblem(matrix, force, [...strict, ...specs, ...strict.slice(0, 7)]), { first });
        expect([once.report.status, again.report.status], `seed ${seed}`).toEqual(['solved', 'solved']);
        expect(again.report.redundantRows).toBeGreaterThan(0);
        expect(largestDifference(once.v, again.v)).toBeLessThan(1e-10 * largest(once.v));
      }
    });

    test('of many planes through one vertex are solved, or proved to leave no room', () => {
      const seen = { solved: 0, infeasible: 0 };
      for (let seed = 0; seed < 40; seed++) {
        const random = createRandom(seed);
        const matrix = createCloth(random, 3, 3, 1e4);
        const specs = Array.from({ length: 14 }, (_, k) => {
          const target = k % 3 === 0 ? 0.1 * random.uniform(-1, 1) : 0;
          return {
            row: random.direction().map((value, c) => [3 * (k % 3) + c, value] as const),
            target,
            bounds: AT_LEAST,
          };
        });
        const problem = toProblem(matrix, randomVector(random, 27), specs);
        const { v, multipliers, report } = solveQp(problem, { first });
        expect(['solved', 'infeasible'], `seed ${seed}: ${report.reason}`).toContain(report.status);
        if (report.status === 'infeasible') {
          seen.infeasible++;
          expectContradiction(problem, report);
        } else {
          seen.solved++;
          expect(computeViolation(problem, v, multipliers)).toBeLessThan(1e-9 * (1 + largest(multipliers)));
        }
      }
      expect(seen.solved).toBeGreaterThan(5);
      expect(seen.infeasible).toBeGreaterThan(1);
    });
  });

  describe('infeasible', () => {
    const cases: readonly (readonly [string, number, readonly RowSpec[]])[] = [
      ['v ≥ 1 and v ≤ 0', 1, [plane([1], 1), { row: rowOf([1]), target: 0, bounds: AT_MOST }]],
      [
        'parallel equalities',
        2,
        [
          { row: rowOf([1, 1]), target: 1, bounds: EQUAL },
          { row: rowOf([2, 2]), target: 2.0001, bounds: EQUAL },
        ],
      ],
      ['three half-planes', 2, [plane([1, 0], 1), plane([0, 1], 1), plane([-1, -1], -1)]],
      ['an empty row that asks for something', 1, [plane([], 1)]],
      [
        'with soft rows and friction between',
        2,
        [
          plane([1, 2], 1),
          { row: rowOf([1, -1]), target: 0, bounds: [-1, 1] },
          { row: rowOf([1, 1]), target: 7, bounds: EQUAL, compliance: 0.1 },
          plane([-2, -4], 1),
        ],
      ],
    ];
    test.each(cases)('problems have a checked proof: %s', (_, n, specs) => {
      const problem = toProblem(identity(n), new Float64Array(n).fill(1), specs);
      const { report } = solveQp(problem, { first });
      expect(report.status).toBe('infeasible');
      expect(report.reason).toMatch(/contradict/);
      expectContradiction(problem, report);
    });

    test('soft rows never contradict each other', () => {
      const soft = { bounds: EQUAL, compliance: 1 };
      const problem = toProblem(
        identity(1),
        [0],
        [
          { row: rowOf([1]), target: 1, ...soft },
          { row: rowOf([1]), target: -3, ...soft },
        ],
      );
      const { v, report } = solveQp(problem, { first });
      expect(report.status).toBe('solved');
      expect(v[0]).toBeCloseTo(-2 / 3, 14);
    });
  });

  describe('unbounded', () => {
    const chain = toMatrix([
      [1, -1, 0],
      [-1, 2, -1],
      [0, -1, 1],
    ]);
    const force = [1, 0, 0];

    test('a free chain that is pushed: the direction in which it leaves', () => {
      const problem = toProblem(chain, force, []);
      const { report } = solveQp(problem, { first });
      expect(report.status).toBe('unbounded');
      expect(report.reason).toMatch(/unbounded below/);
      expectDescent(problem, report);
    });

    test('a stop in its way makes it solvable, one behind it does not', () => {
      const row = rowOf([0, 0, 1]);
      const stopped = solveQp(toProblem(chain, force, [{ row, target: 5, bounds: AT_MOST }]), { first });
      expect(stopped.report.status).toBe('solved');
      expect(largestDifference(stopped.v, [7, 6, 5])).toBeLessThan(1e-12);
      const behind = toProblem(chain, force, [{ row, target: 5, bounds: AT_LEAST }]);
      const { report } = solveQp(behind, { first });
      expect(report.status).toBe('unbounded');
      expectDescent(behind, report);
    });

    test('friction holds it while the push is smaller than the bound', () => {
      const friction = (bound: number) =>
        toProblem(chain, force, [{ row: rowOf([0, 1, 0]), target: 0, bounds: [-bound, bound] }]);
      expect(status(friction(1.01))).toBe('solved');
      const { report } = solveQp(friction(0.99), { first });
      expect(report.status).toBe('unbounded');
      expectDescent(friction(0.99), report);
    });

    test('a balanced free chain is solved', () => {
      const problem = toProblem(chain, [1, 0, -1], []);
      const { v, report } = solveQp(problem, { first });
      expect(report.status).toBe('solved');
      expect(computeViolation(problem, v, [])).toBeLessThan(1e-13);
    });

    test('free nets with random rows have both answers, each one proved', () => {
      const seen = { solved: 0, unbounded: 0 };
      for (let seed = 0; seed < 60; seed++) {
        const random = createRandom(seed);
        const matrix = new BlockSparse(gridPattern(3, 2), 3);
        addLaplacian(matrix, random, () => 10 ** (3 * random.uniform()));
        const problem = toProblem(matrix, randomVector(random, 18), createContactRows(random, 6, random.integer(1, 9)));
        const { v, multipliers, report } = solveQp(problem, { first });
        expect(['solved', 'unbounded'], `seed ${seed}: ${report.reason}`).toContain(report.status);
        if (report.status === 'unbounded') {
          seen.unbounded++;
          expectDescent(problem, report);
        } else {
          seen.solved++;
          expect(computeViolation(problem, v, multipliers)).toBeLessThan(
            1e-9 * (1 + largest(multipliers) + largest(v)),
          );
        }
      }
      expect(seen.solved).toBeGreaterThan(10);
      expect(seen.unbounded).toBeGreaterThan(5);
    });

    test('linear programmes are proved to be so', () => {
      const specs = [{ row: rowOf([1, 1]), target: 1, bounds: AT_MOST }, plane([1, 0]), plane([0, 1])];
      const { v, report } = solveQp(
        toProblem(
          toMatrix([
            [0, 0],
            [0, 0],
          ]),
          [1, 2],
          specs,
        ),
        { first },
      );
      expect(report.status).toBe('solved');
      expect(largestDifference(v, [0, 1])).toBeLessThan(1e-12);
    });
  });

  test('a problem that is not convex is refused, unless the rows hold where it is not', () => {
    const saddle = toMatrix([
      [1, 0],
      [0, -1],
    ]);
    const { report } = solveQp(toProblem(saddle, [1, 1], []), { first });
    expect(report.status).toBe('failed');
    expect(report.reason).toMatch(/not positive semi-definite/);
    expect(status(toProblem(saddle, [1, 1], [{ row: rowOf([0, 1]), target: 2, bounds: EQUAL }]))).toBe('solved');
  });

  test('numbers that are not finite are named, not passed on', () => {
    const { report } = solveQp(toProblem(identity(1), [Number.NaN], []), { first });
    expect(report.status).toBe('failed');
    expect(report.reason).toMatch(/not finite/);
  });
});

describe('rows that all change at once run in a circle of three', () => {
  // v ≤ 0, so many times side by side [Curtis 2015]
  const solveCopies = (copies: number) => {
    const block = [
      [4, 5, -5],
      [5, 9, -5],
      [-5, -5, 7],
    ];
    const entries = Array.from({ length: 3 * copies }, (_, i) =>
      Array.from({ length: 3 * copies }, (_, j) => (Math.floor(i / 3) === Math.floor(j / 3) ? block[i % 3][j % 3] : 0)),
    );
    const specs = entries.map((_, column) => ({ row: [[column, 1]] as const, target: 0, bounds: AT_MOST }));
    const force = entries.map((_, i) => [-2, -1, 3][i % 3]);
    const { v, report } = solveQp(toProblem(toMatrix(entries), force, specs));
    const expected = entries.map((_, i) => (i % 3 === 0 ? -0.5 : 0));
    expect(largestDifference(v, expected)).toBeLessThan(1e-14);
    expect(report.activeSetSteps).toBeGreaterThan(5);
    return report;
  };

  test('a few of them end by changing one at a time', () => {
    for (const copies of [1, 4])
      expect(solveCopies(copies)).toMatchObject({ status: 'solved', method: 'active-set', interiorSteps: 0 });
  });

  test('many are left for interior points and polished', () => {
    const report = solveCopies(30);
    expect(report).toMatchObject({ status: 'solved', method: 'polished' });
    expect(report.interiorSteps).toBeGreaterThan(0);
  });
});

describe('arguments', () => {
  const spec: RowSpec = plane([1], 0);
  test('bounds the wrong way round, or without a number between', () => {
    for (const bounds of [
      [1, 0],
      [Number.NaN, 1],
      [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ] as const) {
      expect(() => solveQp(toProblem(identity(1), [0], [{ ...spec, bounds }]))).toThrow(/row 0 has the bounds/);
    }
  });

  test('negative compliance and lists that are too short', () => {
    expect(() => solveQp(toProblem(identity(1), [0], [{ ...spec, compliance: -1 }]))).toThrow(
      /compliance of row 0 is -1/,
    );
    const problem = toProblem(identity(2), [0, 0], [spec]);
    expect(() => solveQp({ ...problem, force: new Float64Array(1) })).toThrow(/force has 1 entries/);
    expect(() => solveQp({ ...problem, target: new Float64Array(0) })).toThrow(
      /target has 0 entries; there are 1 rows/,
    );
  });
});
