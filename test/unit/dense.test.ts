import { createRandom, type Random } from 'heddle/math';
import { DenseLdlt } from 'heddle/sparse';
import { expect, test } from 'vitest';
import { largestDifference, largestOf, normOf, randomVector } from './chain-fixtures.ts';
import { solveByElimination } from './gaussian-elimination.ts';

const symmetric = (n: number, entry: (i: number, j: number) => number): Float64Array => {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = entry(i, j);
  return a;
};

const multiply = (a: Float64Array, x: Float64Array): Float64Array =>
  x.map((_, i) => x.reduce((sum, xj, j) => sum + a[i * x.length + j] * xj, 0));

/** Σ value_k g_k g_kᵀ with random g: signs and rank known by Sylvester's law. */
const fromSigns = (random: Random, n: number, values: readonly number[]): Float64Array => {
  const a = new Float64Array(n * n);
  for (const value of values) {
    const g = randomVector(random, n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) a[i * n + j] += value * g[i] * g[j];
  }
  return a;
};

test.each([1, 2, 3, 5, 8, 20, 60])('an indefinite system of %i unknowns is solved as by Gaussian elimination', (n) => {
  const ldlt = new DenseLdlt();
  for (let seed = 0; seed < 20; seed++) {
    const random = createRandom(seed);
    // every second matrix has an empty diagonal, which forces 2×2 pivots
    const a = symmetric(n, (i, j) => (i === j && n % 2 === 0 && seed % 2 === 0 ? 0 : random.uniform(-1, 1)));
    const b = randomVector(random, n);
    const x = b.slice();
    const report = ldlt.factor(a, n);
    expect(report).toMatchObject({ ok: true, singular: false, zero: 0 });
    expect(report.positive + report.negative).toBe(n);
    expect(ldlt.solve(x)).toBe(0);
    const backward = largestDifference(multiply(a, x), b) / (normOf(a) * largestOf(x));
    expect(backward).toBeLessThan(1e-14);
    const expected = solveByElimination(a, b);
    // both are backward stable; they differ by the condition number, bounded here by growth of x
    expect(largestDifference(x, expected)).toBeLessThan(1e-9 * largestOf(expected));
  }
});

test('the signs of the pivots are those of the eigenvalues', () => {
  const ldlt = new DenseLdlt();
  for (let seed = 0; seed < 40; seed++) {
    const random = createRandom(seed);
    const n = random.integer(3, 12);
    const positive = random.integer(0, n);
    const negative = random.integer(0, n - positive);
    const values = Array.from({ length: positive + negative }, (_, k) => (k < positive ? 1 : -1));
    const report = ldlt.factor(fromSigns(random, n, values), n);
    const zero = n - positive - negative;
    expect(report).toMatchObject({ ok: true, positive, negative, zero, singular: zero > 0 });
  }
});

test('rows of very different units keep signs and accuracy', () => {
  const ldlt = new DenseLdlt();
  for (let seed = 0; seed < 20; seed++) {
    const random = createRandom(seed);
    const n = 10;
    const plain = fromSigns(random, n, [1, 1, 1, 1, 1, 1, -1, -1, -1]);
    const scale = Float64Array.from({ length: n }, () => 10 ** random.integer(-8, 8));
    const a = plain.map((value, k) => value * scale[Math.floor(k / n)] * scale[k % n]);
    expect(ldlt.factor(a, n)).toMatchObject({ positive: 6, negative: 3, zero: 1 });
  }
});

test('a singular consistent system is solved, an inconsistent one shows its mismatch', () => {
  const ldlt = new DenseLdlt(9);
  for (let seed = 0; seed < 20; seed++) {
    const random = createRandom(seed);
    const n = 9;
    const a = fromSigns(random, n, [1, 1, 1, -1, -1, -1]);
    const b = multiply(a, randomVector(random, n));
    const x = b.slice();
    expect(ldlt.factor(a, n).zero).toBe(3);
    const mismatch = ldlt.solve(x);
    expect(mismatch).toBeLessThan(1e-11);
    expect(largestDifference(multiply(a, x), b)).toBeLessThan(1e-11);
    expect(x.filter((value) => value === 0)).toHaveLength(3);
    const outside = randomVector(random, n);
    expect(ldlt.solve(outside)).toBeGreaterThan(1e-3);
  }
});

test('zero, empty and non-finite matrices are told apart', () => {
  const ldlt = new DenseLdlt();
  expect(ldlt.factor(new Float64Array(4), 2)).toMatchObject({ ok: true, zero: 2, singular: true });
  expect(ldlt.factor(new Float64Array(0), 0)).toMatchObject({ ok: true, zero: 0, singular: false });
  expect(ldlt.factor(Float64Array.of(1, 0, Number.NaN, 1), 2).ok).toBe(false);
  expect(() => ldlt.factor(new Float64Array(3), 2)).toThrow('has 3 entries; 2 unknowns need 4');
});
