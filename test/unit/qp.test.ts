import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createRandom } from 'heddle/math';
import { BlockMixed, BlockPattern, type QpProblem, QpSolver, solveQp, writeColdStates } from 'heddle/sparse';
import { describe, expect, test, vi } from 'vitest';
import {
  AT_LEAST,
  AT_MOST,
  computeViolation,
  createCloth,
  createContactRows,
  EQUAL,
  INFINITE,
  solveByEnumeration,
  solveByGaussSeidel,
  toMatrix,
  toProblem,
} from './qp-fixtures.ts';
import { largest, largestDifference, randomVector } from './sparse-fixtures.ts';

const METHODS = ['active-set', 'interior-point'] as const;

function randomProblem(seed: number, stiffness = 100, most = 4): QpProblem {
  const random = createRandom(seed);
  const width = random.integer(2, most);
  const height = random.integer(2, most);
  const matrix = createCloth(random, width, height, stiffness ** random.uniform());
  const force = randomVector(random, matrix.size).map((value) => 3 * value);
  return toProblem(matrix, force, createContactRows(random, width * height, random.integer(1, 2 * width * height)));
}

describe('QpSolver against independent methods', () => {
  test.each(METHODS)(
    'finds v as Gauss–Seidel on the multipliers does, for random problems of all kinds of rows (%s first)',
    (first) => {
      for (let seed = 0; seed < 60; seed++) {
        const problem = randomProblem(seed);
        const { v, multipliers, report } = solveQp(problem, { first });
        const expected = solveByGaussSeidel(problem);
        expect(report, `seed ${seed}`).toMatchObject({ status: 'solved', reason: '' });
        expect(report.error).toBeLessThan(1e-12);
        // interior points come near enough to know the states, by themselves and soon
        if (first === 'interior-point') {
          expect(report).toMatchObject({ method: 'polished', activeSetSteps: 1 });
          expect(report.interiorSteps).toBeLessThan(20);
        }
        expect(largestDifference(v, expected.v)).toBeLessThan(1e-11 * largest(expected.v));
        expect(computeViolation(problem, v, multipliers)).toBeLessThan(1e-11 * (1 + largest(multipliers)));
      }
    },
  );

  test('finds v as trying all active sets does, for small problems', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...METHODS), (seed, first) => {
        const random = createRandom(seed);
        const matrix = createCloth(random, 2, 1, 10);
        const problem = toProblem(matrix, randomVector(random, 6), createContactRows(random, 2, random.integer(1, 5)));
        const expected = solveByEnumeration(problem);
        fc.pre(expected !== undefined);
        const { v, report } = solveQp(problem, { first });
        expect(report.status).toBe('solved');
        expect(largestDifference(v, expected!)).toBeLessThan(1e-9 * (1 + largest(expected!)));
      }),
      { seed: 11, numRuns: 150 },
    );
  });

  test.each(METHODS)(
    'meets all conditions to 1e-9 of the forces for springs 1e8 times as stiff as masses (%s first)',
    (first) => {
      for (let seed = 0; seed < 40; seed++) {
        const problem = randomProblem(seed, 1e8, 7);
        const { v, multipliers, report } = solveQp(problem, { first });
        expect(report.status, `seed ${seed}: ${report.reason}`).toBe('solved');
        expect(report.error).toBeLessThan(1e-9);
        // dense arithmetic has its own rounding: 1e-16 of the largest |a||v|
        const size = largest(problem.matrix.values) * largest(v) + largest(multipliers) + 3;
        expect(computeViolation(problem, v, multipliers)).toBeLessThan(1e-12 * size);
      }
    },
  );

  test('what is reported is the distance from the conditions', () => {
    // ½ v² − 3 v, v ≤ 1: v = 1, λ = −2
    const { v, multipliers, states, report } = solveQp(
      toProblem(toMatrix([[1]]), [3], [{ row: [[0, 1]], target: 1, bounds: AT_MOST }]),
    );
    expect([v[0], multipliers[0], states[0]]).toEqual([1, -2, 0]);
    expect(report).toMatchObject({ status: 'solved', method: 'active-set', heldRows: 1, redundantRows: 0 });
    expect(report.error).toBe(Math.max(...Object.values(report.residual)));
  });
});

describe('kinds of rows', () => {
  const one = toMatrix([[2]]);
  const solveOne = (force: number, bounds: readonly [number, number], target = 0, compliance?: number) => {
    const spec = { row: [[0, 1]] as const, target, bounds, ...(compliance === undefined ? {} : { compliance }) };
    const { v, multipliers, states } = solveQp(toProblem(one, [force], [spec]));
    return [v[0], multipliers[0], states[0]];
  };

  test('an equality pulls and pushes', () => {
    expect(solveOne(4, EQUAL, 1)).toEqual([1, -2, 0]);
    expect(solveOne(-4, EQUAL, 1)).toEqual([1, 6, 0]);
  });

  test('an inequality only pushes', () => {
    expect(solveOne(4, AT_LEAST, 1)).toEqual([2, 0, -1]);
    expect(solveOne(1, AT_LEAST, 1)).toEqual([1, 1, 0]);
  });

  test('dry friction holds up to its bound and then opposes the motion with it', () => {
    expect(solveOne(2.5, [-3, 3])).toEqual([0, -2.5, 0]);
    expect(solveOne(5, [-3, 3])).toEqual([1, -3, -1]);
    expect(solveOne(-5, [-3, 3])).toEqual([-1, 3, 1]);
  });

  test('include compliance: g v − t + c λ = 0 while the row holds', () => {
    // 2 v − 4 = λ, v − 1 + 0.5 λ = 0: v = 1.5, λ = −1
    expect(solveOne(4, EQUAL, 1, 0.5)).toEqual([1.5, -1, 0]);
    // pushed beyond its bound: λ = −0.25
    expect(solveOne(4, [-0.25, INFINITE], 1, 0.5)).toEqual([1.875, -0.25, -1]);
  });

  test('a multiplier with one value is a force', () => {
    expect(solveOne(1, [3, 3], 77)).toEqual([2, 3, -1]);
  });

  test('A without resistance along δx = F δX, as at a node through which the material slides, is held by rows', () => {
    // block 0: x and X of an E-vertex, inertia of ẋ − F Ẋ only; block 1: an L-vertex
    const matrix = new BlockMixed(BlockPattern.fromPairs(2, [1], [0]), [5, 3]);
    const slip = [
      [1, 0, 0, -1, -0.2],
      [0, 1, 0, -0.1, -1],
      [0, 0, 1, -0.3, -0.4],
    ];
    const own = Array.from({ length: 25 }, (_, k) =>
      slip.reduce((sum, row) => sum + row[Math.floor(k / 5)] * row[k % 5], 0),
    );
    matrix.addBlock(0, 0, own);
    matrix.addBlock(1, 1, [2, 0, 0, 0, 2, 0, 0, 0, 2]);
    matrix.addBlock(
      1,
      0,
      slip.flatMap((row) => row.map((value) => -0.5 * value)),
    );
    const specs = [
      { row: [[0, 1]] as const, target: 0, bounds: EQUAL }, // on the edge: x₀ and x₁ of the vertex are given
      { row: [[1, 1]] as const, target: 0.5, bounds: EQUAL },
      {
        row: [
          [2, 1],
          [7, 1],
        ] as const,
        target: 0.1,
        bounds: AT_LEAST,
      },
      { row: [[5, 1]] as const, target: -0.2, bounds: AT_LEAST },
    ];
    const problem = toProblem(matrix, [1, 2, -3, -1.3, -2.4, -1, 0.5, -2], specs);
    for (const first of METHODS) {
      const { v, multipliers, report } = solveQp(problem, { first });
      expect(report.status).toBe('solved');
      expect(computeViolation(problem, v, multipliers)).toBeLessThan(1e-12);
    }
  });
});

describe('warm start', () => {
  test('from the states of a neighbouring problem takes one factorisation, no analysis, and finds the same solution', () => {
    const random = createRandom(3);
    const matrix = createCloth(random, 14, 12, 100);
    const specs = createContactRows(random, 168, 90);
    const problem = toProblem(matrix, randomVector(random, matrix.size), specs);
    const solver = new QpSolver();
    const v = new Float64Array(matrix.size);
    const multipliers = new Float64Array(90);
    const states = new Int8Array(90);
    writeColdStates(problem, states);
    expect(solver.solve(problem, v, multipliers, states).status).toBe('solved');
    const before = states.slice();
    problem.force.forEach((value, k) => {
      problem.force[k] = value + 0.3 * random.uniform(-1, 1);
    });
    const warm = { ...solver.solve(problem, v, multipliers, states) };
    expect(warm).toMatchObject({ status: 'solved', method: 'active-set', factorizations: 1, analyses: 1 });
    const changed = states.filter((state, r) => state !== before[r]).length;
    expect(changed).toBeGreaterThan(0);
    expect(warm.updatedRows).toBeGreaterThanOrEqual(changed);
    const cold = solveQp(problem);
    expect(cold.report.factorizations).toBeGreaterThan(1);
    expect(largestDifference(cold.v, v)).toBeLessThan(1e-12 * largest(v));
    expect([...states]).toEqual([...cold.states]);
    // the final states as a guess: nothing is left to do but one factorisation and one solve
    expect(solver.solve(problem, v, multipliers, states)).toMatchObject({ factorizations: 1, activeSetSteps: 1 });
  });

  test('with the matrix of the last call nothing is factored', () => {
    const random = createRandom(8);
    const matrix = createCloth(random, 14, 12, 100);
    const problem = toProblem(matrix, randomVector(random, matrix.size), createContactRows(random, 168, 60));
    const solver = new QpSolver();
    const v = new Float64Array(matrix.size);
    const multipliers = new Float64Array(60);
    const states = new Int8Array(60);
    writeColdStates(problem, states);
    solver.solve(problem, v, multipliers, states);
    solver.solve(problem, v, multipliers, states);
    for (let k = 0; k < matrix.size; k++) problem.force[k] *= 1.05;
    const report = solver.solve(problem, v, multipliers, states, { sameMatrix: true });
    expect(report).toMatchObject({ status: 'solved', factorizations: 0 });
    expect(report.error).toBeLessThan(1e-12);
    expect(largestDifference(solveQp(problem).v, v)).toBeLessThan(1e-12 * largest(v));
  });

  test('soft rows that change need no new factorisation either', () => {
    const random = createRandom(4);
    const matrix = createCloth(random, 14, 12, 100);
    const specs = Array.from({ length: 50 }, (_, k) => ({
      row: random.direction().map((value, c) => [9 * k + c, value] as const),
      target: 0,
      bounds: AT_LEAST,
      compliance: random.uniform(1, 5),
    }));
    const problem = toProblem(matrix, randomVector(random, matrix.size), specs);
    const solver = new QpSolver();
    const v = new Float64Array(matrix.size);
    const multipliers = new Float64Array(50);
    const states = new Int8Array(50);
    writeColdStates(problem, states);
    solver.solve(problem, v, multipliers, states);
    for (let r = 0; r < 50; r += 17) states[r] = states[r] === 0 ? -1 : 0;
    const report = solver.solve(problem, v, multipliers, states);
    expect(report).toMatchObject({ status: 'solved', factorizations: 1, activeSetSteps: 2 });
    expect(report.updatedRows).toBe(3);
    expect(report.error).toBeLessThan(1e-12);
  });

  test('an equality that repeats a held inequality takes over where the inequality lets go', () => {
    const random = createRandom(6);
    const matrix = createCloth(random, 14, 12, 100);
    const row = [[30, 1]] as const;
    const specs = [
      { row, target: 0.1, bounds: AT_LEAST },
      { row, target: 0.1, bounds: EQUAL },
    ];
    const force = new Float64Array(matrix.size);
    force[30] = 50;
    for (const order of [specs, specs.toReversed()]) {
      const problem = toProblem(matrix, force, order);
      const v = new Float64Array(matrix.size);
      const multipliers = new Float64Array(2);
      const report = new QpSolver().solve(problem, v, multipliers, Int8Array.of(0, 0));
      expect(report).toMatchObject({ status: 'solved', method: 'active-set' });
      expect(v[30]).toBeCloseTo(0.1, 14);
    }
  });

  test('buffers may be longer than needed, not shorter; a solver takes problems of any size in turn', () => {
    const solver = new QpSolver();
    for (const seed of [3, 4, 3, 7]) {
      const problem = randomProblem(seed);
      const n = problem.matrix.size;
      const m = problem.rows.count;
      const longer = (list: Float64Array): Float64Array => Float64Array.of(...list, 9, 9);
      const roomy: QpProblem = {
        matrix: problem.matrix,
        rows: {
          ...problem.rows,
          start: Int32Array.of(...problem.rows.start, 999),
          columns: Int32Array.of(...problem.rows.columns, -7),
          values: longer(problem.rows.values),
        },
        force: longer(problem.force),
        target: longer(problem.target),
        lower: longer(problem.lower),
        upper: longer(problem.upper),
      };
      const v = new Float64Array(n + m + 5).fill(7);
      const multipliers = new Float64Array(m + 5).fill(7);
      const states = new Int8Array(m + 5).fill(7);
      for (const first of METHODS) {
        writeColdStates(roomy, states);
        expect(solver.solve(roomy, v, multipliers, states, { first }).status).toBe('solved');
        const expected = solveQp(problem, { first });
        expect([...v]).toEqual([...expected.v, ...Array.from({ length: m + 5 }, () => 7)]);
        expect([...multipliers]).toEqual([...expected.multipliers, 7, 7, 7, 7, 7]);
        expect([...states]).toEqual([...expected.states, 7, 7, 7, 7, 7]);
      }
      expect(() => solver.solve(problem, v, multipliers, states.subarray(0, m - 1))).toThrow(/states has \d+ entries/);
    }
  });

  test('a guess that is wrong in every row, or impossible, changes nothing in the solution', () => {
    for (let seed = 0; seed < 20; seed++) {
      const problem = randomProblem(seed);
      const { v, states } = solveQp(problem);
      const guess = states.map((state) => (state === 0 ? -1 : 0));
      const other = new Float64Array(v.length);
      const report = new QpSolver().solve(problem, other, new Float64Array(states.length), guess);
      expect(report.status).toBe('solved');
      expect(largestDifference(v, other)).toBeLessThan(1e-11 * largest(v));
    }
  });

  test('of the same problem gives the same numbers to the bit', () => {
    const problem = randomProblem(5, 1e6, 6);
    expect([...solveQp(problem).v]).toEqual([...solveQp(problem).v]);
  });

  test('units do not matter: forces and stiffness × 1e-9, rows × 1e6', () => {
    for (let seed = 0; seed < 20; seed++) {
      const problem = randomProblem(seed);
      const { v, states } = solveQp(problem);
      const scaled = randomProblem(seed);
      scaled.matrix.values.forEach((value, k) => {
        scaled.matrix.values[k] = 1e-9 * value;
      });
      scaled.force.forEach((value, k) => {
        scaled.force[k] = 1e-9 * value;
      });
      scaled.rows.values.forEach((value, k) => {
        scaled.rows.values[k] = 1e6 * value;
      });
      // λ g keeps its share of the force: λ scales by 1e-15, s by 1e6, c by 1e21
      for (let r = 0; r < scaled.rows.count; r++) {
        scaled.target[r] *= 1e6;
        scaled.lower[r] *= 1e-15;
        scaled.upper[r] *= 1e-15;
        if (scaled.rows.compliance) scaled.rows.compliance[r] *= 1e21;
      }
      const other = solveQp(scaled);
      expect(other.report.status).toBe('solved');
      expect(largestDifference(v, other.v)).toBeLessThan(1e-11 * largest(v));
      expect([...other.states]).toEqual([...states]);
    }
  });
});

test('the example of docs/internals/qp.md prints what it says', async () => {
  const page = readFileSync(new URL('../../docs/internals/qp.md', import.meta.url), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(page)![1];
  const said = /console\.log\(.*\); \/\/ (.+)/.exec(example)![1];
  const folder = mkdtempSync(join(tmpdir(), 'heddle-qp-'));
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    const file = join(folder, 'example.ts');
    writeFileSync(file, example);
    await import(/* @vite-ignore */ file);
    expect(log.mock.calls.map((call) => call.join(' '))).toEqual([said]);
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true });
  }
});
