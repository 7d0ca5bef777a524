/** The dense quadratic problem in the multipliers alone, against its conditions and against the sparse solver. */
import { createRandom, type Random } from 'heddle/math';
import { DenseBoxQp } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';

const INFINITE = Number.POSITIVE_INFINITY;

interface Problem {
  readonly n: number;
  readonly S: Float64Array;
  readonly b: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** S = G Gᵀ with `rank` columns of G, contacts, friction and equalities that a common point meets. */
function createProblem(random: Random, n: number, rank: number): Problem {
  const G = Float64Array.from({ length: n * rank }, () => (random.uniform() < 0.4 ? random.uniform(-1, 1) : 0));
  const inside = Float64Array.from({ length: rank }, () => random.uniform(-1, 1));
  const row = (i: number) => G.subarray(i * rank, (i + 1) * rank);
  const dot = (x: Float64Array, y: Float64Array) => x.reduce((sum, value, k) => sum + value * y[k], 0);
  const S = Float64Array.from({ length: n * n }, (_, at) => dot(row(Math.floor(at / n)), row(at % n)));
  const b = Float64Array.from({ length: n }, (_, i) => dot(row(i), inside));
  const lower = new Float64Array(n);
  const upper = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const kind = i % 4;
    if (kind === 0) [lower[i], upper[i], b[i]] = [0, INFINITE, b[i] - Math.max(0, random.uniform(-1, 1))];
    else if (kind === 1) [lower[i], upper[i]] = [-INFINITE, INFINITE];
    else [lower[i], upper[i]] = [-random.uniform(0, 0.2), random.uniform(0, 0.2)];
  }
  return { n, S, b, lower, upper };
}

const solve = ({ n, S, b, lower, upper }: Problem, guess: (i: number) => number, solver = new DenseBoxQp()) => {
  const multipliers = new Float64Array(n).fill(7);
  const states = Int8Array.from({ length: n }, (_, i) => guess(i));
  solver.load(S, n);
  const report = { ...solver.solve(b, lower, upper, multipliers, states) };
  return { multipliers, states, report };
};

/** S λ − b, and the conditions of qp-dense.ts. */
function expectSolved({ n, S, b, lower, upper }: Problem, multipliers: Float64Array, states: Int8Array): Float64Array {
  const scale = Math.max(...b.map(Math.abs), 1e-3);
  const gaps = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let gap = -b[i];
    for (let k = 0; k < n; k++) gap += S[i * n + k] * multipliers[k];
    gaps[i] = gap;
    expect(multipliers[i]).toBeGreaterThanOrEqual(lower[i]);
    expect(multipliers[i]).toBeLessThanOrEqual(upper[i]);
    if (states[i] < 0) expect(multipliers[i]).toBe(lower[i]);
    if (states[i] > 0) expect(multipliers[i]).toBe(upper[i]);
    if (lower[i] === upper[i]) continue;
    if (multipliers[i] > lower[i]) expect(gap).toBeLessThan(1e-9 * scale);
    if (multipliers[i] < upper[i]) expect(gap).toBeGreaterThan(-1e-9 * scale);
  }
  return gaps;
}

const GUESSES: Readonly<Record<string, (i: number) => number>> = {
  'all free': () => 0,
  'all at lower': () => -1,
  'all at upper': () => 1,
  'by turns': (i) => (i % 3) - 1,
};

describe('a dense problem with bounds', () => {
  for (const [title, guess] of Object.entries(GUESSES))
    test(`${title} at first: the conditions hold, whatever the rank`, () => {
      const random = createRandom(3);
      for (const [n, rank] of [[1, 3], [7, 9], [40, 60], [40, 40], [40, 25], [90, 200], [90, 30]]) // biome-ignore format: sizes
        for (let trial = 0; trial < 4; trial++) {
          const problem = createProblem(random, n, rank);
          const { multipliers, states, report } = solve(problem, guess);
          expect(report.ok).toBe(true);
          expectSolved(problem, multipliers, states);
        }
    });

  test('λ does not depend on the guess where it is unique', () => {
    const random = createRandom(8);
    for (let trial = 0; trial < 5; trial++) {
      const problem = createProblem(random, 50, 80);
      const [first, ...others] = Object.values(GUESSES).map((guess) => solve(problem, guess).multipliers);
      for (const other of others) for (let i = 0; i < 50; i++) expect(other[i]).toBeCloseTo(first[i], 9);
    }
  });

  test('from the states of the solution: two linear systems, one factorisation', () => {
    const problem = createProblem(createRandom(4), 60, 90);
    const { states } = solve(problem, () => 0);
    const { report } = solve(problem, (i) => states[i]);
    expect(report).toMatchObject({ ok: true, steps: 2, factorizations: 1, updatedRows: 0, sweeps: 0, descents: 0 });
  });

  test('few wrong guesses change the factor instead of making it anew', () => {
    const problem = createProblem(createRandom(5), 80, 120);
    const { states, multipliers } = solve(problem, () => 0);
    for (const flipped of [0, 13, 28, 61, 79]) {
      const again = solve(problem, (i) => (i === flipped && states[i] !== 0 ? 0 : i === flipped ? -1 : states[i]));
      expect(again.report.ok).toBe(true);
      expect(again.report.factorizations).toBe(1);
      for (let i = 0; i < 80; i++) expect(again.multipliers[i]).toBeCloseTo(multipliers[i], 9);
    }
  });

  test('the same bits from a solver that has solved others before', () => {
    const random = createRandom(6);
    const [problem, larger, smaller] = [40, 70, 20].map((n) => createProblem(random, n, n));
    const expected = solve(problem, () => 0);
    const used = new DenseBoxQp();
    solve(larger, () => 0, used);
    solve(smaller, () => -1, used);
    const found = solve(problem, () => 0, used);
    expect([...found.multipliers]).toEqual([...expected.multipliers]);
    expect([...found.states]).toEqual([...expected.states]);
  });

  test('rows twice and thrice: counted, finite, and they share what one would have', () => {
    // λ₀ + λ₁ + λ₂ = 6 / 2
    const problem: Problem = {
      n: 3,
      S: new Float64Array(9).fill(2),
      b: Float64Array.of(6, 6, 6),
      lower: Float64Array.of(0, 0, 0),
      upper: Float64Array.of(INFINITE, INFINITE, INFINITE),
    };
    const { multipliers, report } = solve(problem, () => 0);
    expect(report).toMatchObject({ ok: true, redundantRows: 2 });
    for (const lambda of multipliers) expect(lambda).toBeCloseTo(1, 5);
    expect(multipliers[0] + multipliers[1] + multipliers[2]).toBeCloseTo(3, 12);
  });

  test('of two contacts of one row the one that asks for more holds', () => {
    for (const targets of [[5, 6], [6, 5]]) // biome-ignore format: pairs
      for (const guess of Object.values(GUESSES)) {
        const problem: Problem = {
          n: 2,
          S: new Float64Array(4).fill(2),
          b: Float64Array.from(targets),
          lower: Float64Array.of(0, 0),
          upper: Float64Array.of(INFINITE, INFINITE),
        };
        const { multipliers, report } = solve(problem, guess);
        expect(report.ok).toBe(true);
        expect(multipliers[targets.indexOf(6)]).toBeCloseTo(3, 12);
        expect(multipliers[targets.indexOf(5)]).toBe(0);
      }
  });

  test('bounds that leave no room are taken as they are, and rows of zeros go to their bound', () => {
    const problem: Problem = {
      n: 4,
      S: Float64Array.of(2, 1, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      b: Float64Array.of(1, 4, 0.5, -0.5),
      lower: Float64Array.of(0, 0, -3, -3),
      upper: Float64Array.of(0, INFINITE, 3, 3),
    };
    for (const guess of Object.values(GUESSES)) {
      const { multipliers, report } = solve(problem, guess);
      expect(report.ok).toBe(true);
      expect([...multipliers.subarray(2)]).toEqual([3, -3]);
      expect(multipliers[0]).toBe(0);
      expect(multipliers[1]).toBeCloseTo(2, 12);
    }
  });

  test('b and bounds may change while S stays', () => {
    const solver = new DenseBoxQp();
    const problem = createProblem(createRandom(9), 30, 50);
    const { multipliers, states } = solve(problem, () => 0, solver);
    for (const factor of [0.5, -1, 2]) {
      const other = { ...problem, b: problem.b.map((value) => factor * value) };
      expect(solver.solve(other.b, other.lower, other.upper, multipliers, states).ok).toBe(true);
      expectSolved(other, multipliers, states);
    }
  });

  test('numbers that are not finite and a matrix too short are told', () => {
    const problem = createProblem(createRandom(1), 4, 6);
    problem.b[2] = Number.NaN;
    expect(solve(problem, () => 0).report.ok).toBe(false);
    expect(() => new DenseBoxQp().load(new Float64Array(8), 3)).toThrow(/8 entries; 3 unknowns need 9/);
  });
});
