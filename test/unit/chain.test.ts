import { readFileSync } from 'node:fs';
import { createRandom } from 'heddle/math';
import { BlockBanded } from 'heddle/sparse';
import { describe, expect, test } from 'vitest';
// @ts-expect-error: a plain script without types
import { generateChainKernels } from '../../scripts/generate-chain-kernels.js';
import {
  copyOf,
  createFreeChain,
  createSpringChain,
  largestDifference,
  largestOf,
  normOf,
  randomVector,
  toDense,
} from './chain-fixtures.ts';
import { solveByElimination } from './gaussian-elimination.ts';

// unrolled: 4×1, 4×2, 7×1; the others run the loops
const SHAPES = [
  [3, 1],
  [4, 1],
  [6, 1],
  [7, 1],
  [3, 2],
  [4, 2],
  [1, 1],
  [1, 2],
  [2, 3],
  [5, 1],
  [4, 0],
  [6, 2],
  [7, 2],
  [4, 3],
] as const;
const LENGTHS = [1, 2, 3, 4, 9, 25];

describe.each(SHAPES)('blocks of %i unknowns, bandwidth %i', (size, bandwidth) => {
  test.each(LENGTHS)('solve %i nodes as Gaussian elimination does', (blocks) => {
    const random = createRandom(1000 * size + 100 * bandwidth + blocks);
    const matrix = createSpringChain(random, blocks, size, bandwidth, 1);
    const dense = toDense(matrix);
    const b = randomVector(random, matrix.length);
    const expected = solveByElimination(dense, b);
    const report = matrix.factor();
    expect(report).toMatchObject({ ok: true, failedBlock: -1 });
    const offset = 5;
    const shifted = new Float64Array(offset + b.length).fill(7);
    shifted.set(b, offset);
    matrix.solve(shifted, offset);
    // κ(A) ≤ ‖A‖/shift
    expect(largestDifference(shifted.slice(offset), expected)).toBeLessThan(
      4e-15 * normOf(dense) * largestOf(expected),
    );
    expect(shifted.slice(0, offset)).toEqual(new Float64Array(offset).fill(7));
    // eigenvalues bound the pivots of a positive definite matrix from below, its diagonal from above
    expect(report.smallestPivot).toBeGreaterThanOrEqual(1 - 1e-12);
    expect(report.largestPivot).toBeLessThanOrEqual(largestOf(dense));
  });

  test('multiply agrees with the matrix written out, and solve undoes it', () => {
    for (const blocks of LENGTHS) {
      const random = createRandom(7 + blocks);
      const matrix = createSpringChain(random, blocks, size, bandwidth, 1);
      const dense = toDense(matrix);
      const x = randomVector(random, matrix.length);
      const product = new Float64Array(matrix.length);
      matrix.multiply(x, product);
      const direct = product.map((_, i) => x.reduce((sum, xj, j) => sum + dense[i * x.length + j] * xj, 0));
      expect(largestDifference(product, direct)).toBeLessThan(1e-15 * normOf(dense));
      matrix.factor();
      matrix.solve(product);
      expect(largestDifference(product, x)).toBeLessThan(4e-15 * normOf(dense));
    }
  });

  test('two right-hand sides at once have the bits of one after the other', () => {
    for (const blocks of LENGTHS) {
      const random = createRandom(70 + blocks);
      const matrix = createSpringChain(random, blocks, size, bandwidth, 1);
      const n = matrix.length;
      const from = Math.floor(blocks / 3);
      matrix.factor();
      const both = randomVector(random, 2 * n + 3);
      both.fill(0, 0, from * size).fill(0, n + 3, n + 3 + from * size);
      const single = both.slice();
      matrix.solvePair(both, 0, n + 3, from, from);
      matrix.solveRange(single, 0, from, from);
      matrix.solveRange(single, n + 3, from, from);
      expect(largestDifference(both, single)).toBe(0);
      expect(largestOf(both.subarray(n + 3 + from * size))).toBeGreaterThan(0);
    }
  });

  test('row sums are those of the matrix written out', () => {
    for (const blocks of LENGTHS) {
      const matrix = createSpringChain(createRandom(blocks), blocks, size, bandwidth, 1);
      const n = matrix.length;
      const sums = new Float64Array(n + 2);
      matrix.addRowSums(sums, 2);
      const dense = toDense(matrix);
      for (let i = 0; i < n; i++) {
        const expected = dense.subarray(i * n, i * n + n).reduce((sum, a) => sum + Math.abs(a), 0);
        expect(sums[2 + i]).toBeCloseTo(expected, 12);
      }
    }
  });

  test('a condition number of 1e12 leaves the scaled residual at rounding', () => {
    for (let seed = 0; seed < 5; seed++) {
      const random = createRandom(seed);
      const matrix = createSpringChain(random, 40, size, bandwidth, 3e-12 * (bandwidth + 1) * size);
      const original = copyOf(matrix);
      const b = randomVector(random, matrix.length);
      const x = b.slice();
      expect(matrix.factor().ok).toBe(true);
      matrix.solve(x);
      if (size > 2) expect(largestOf(x)).toBeGreaterThan(1e9); // it really is that ill-conditioned
      const product = new Float64Array(x.length);
      original.multiply(x, product);
      const residual = largestDifference(product, b) / (normOf(toDense(original)) * largestOf(x));
      expect(residual).toBeLessThan(2e-15);
    }
  });

  test('an indefinite block is found and named', () => {
    for (const [blocks, bad] of [
      [1, 0],
      [6, 0],
      [6, 3],
      [6, 5],
    ]) {
      const random = createRandom(blocks + bad);
      const matrix = createSpringChain(random, blocks, size, bandwidth, 1);
      matrix.bands[0][bad * size * size + size * size - 1] *= -1;
      const report = matrix.factor();
      expect(report).toMatchObject({ ok: false, failedBlock: bad });
      expect(report.smallestPivot).toBeLessThan(0);
    }
  });

  test('a non-finite entry is found', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const matrix = createSpringChain(createRandom(4), 8, size, bandwidth, 1);
      matrix.bands[bandwidth][3 * size * size] = value;
      expect(matrix.factor().ok).toBe(false);
    }
  });

  test('rows of very different units are no reason to give up', () => {
    const random = createRandom(11);
    const matrix = createSpringChain(random, 12, size, bandwidth, 1);
    const scale = Float64Array.from({ length: matrix.length }, () => 10 ** random.integer(-9, 9));
    for (let k = 0; k <= bandwidth; k++) {
      for (let i = 0; i + k < matrix.blocks; i++) {
        for (let r = 0; r < size; r++) {
          for (let c = 0; c < size; c++) {
            matrix.bands[k][(i * size + r) * size + c] *= scale[(i + k) * size + r] * scale[i * size + c];
          }
        }
      }
    }
    const x = randomVector(random, matrix.length).map((value, i) => value / scale[i]);
    const b = new Float64Array(matrix.length);
    matrix.multiply(x, b);
    expect(matrix.factor().ok).toBe(true);
    matrix.solve(b);
    expect(largestOf(b.map((value, i) => (value - x[i]) * scale[i]))).toBeLessThan(1e-12);
  });

  test('columns and ranges are solved as single right-hand sides are', () => {
    const random = createRandom(21);
    const matrix = createSpringChain(random, 10, size, bandwidth, 1);
    matrix.factor();
    const columns = randomVector(random, 3 * matrix.length);
    const singly = [0, 1, 2].map((j) => columns.slice(j * matrix.length, (j + 1) * matrix.length));
    matrix.solveColumns(columns, 3);
    for (const [j, column] of singly.entries()) {
      matrix.solve(column);
      expect(columns.slice(j * matrix.length, (j + 1) * matrix.length)).toEqual(column);
    }
    const whole = new Float64Array(matrix.length).fill(0);
    whole[6 * size] = 1;
    const part = whole.slice();
    matrix.solve(whole);
    matrix.solveRange(part, 0, 6, 4);
    expect(part.slice(4 * size)).toEqual(whole.slice(4 * size));
  });
});

test('a chain free to move as a whole is singular, and that is reported', () => {
  for (const size of [1, 3, 4, 7]) {
    for (let seed = 0; seed < 10; seed++) {
      const random = createRandom(seed);
      expect(createFreeChain(random, 20, size, 0).factor()).toMatchObject({ ok: false, failedBlock: 19 });
      expect(createFreeChain(random, 20, size, 1e-9).factor().ok).toBe(true);
    }
  }
});

test.each(SHAPES)(
  'a positive pivot that is mere rounding is refused with blocks of %i unknowns and bandwidth %i',
  (size, bandwidth) => {
    // unit matrix, the last unknown coupled to the first one of its block or of the block before: the pivot is `excess`
    for (const [excess, ok] of [
      [2 ** -48, false],
      [2 ** -40, true],
    ] as const) {
      for (const band of [0, bandwidth]) {
        if (size === 1 && band === 0) continue;
        const matrix = new BlockBanded(5, size, bandwidth);
        for (let k = 0; k < 5 * size; k++) matrix.bands[0][k * size + (k % size)] = 1;
        const last = 5 * size * size - 1;
        matrix.bands[0][last] = 1 + excess;
        matrix.bands[band][last - band * size * size - size + 1] = 1;
        expect(matrix.factor()).toMatchObject({ ok, smallestPivot: excess, failedBlock: ok ? -1 : 4 });
      }
    }
  },
);

test('the count in use can shrink and grow without the unused blocks being felt', () => {
  const random = createRandom(31);
  const small = createSpringChain(random, 5, 4, 2, 1);
  const roomy = new BlockBanded(9, 4, 2);
  for (const band of roomy.bands) band.fill(Number.NaN);
  roomy.copyFrom(small);
  expect([roomy.blocks, roomy.capacity, roomy.length]).toEqual([5, 9, 20]);
  roomy.reserve(12);
  const b = randomVector(random, 20);
  const expected = solveByElimination(toDense(small), b);
  expect(roomy.factor().ok).toBe(true);
  roomy.solve(b);
  expect(largestDifference(b, expected)).toBeLessThan(1e-13);
  roomy.blocks = 12;
  roomy.clear();
  for (const band of roomy.bands) expect(largestOf(band)).toBe(0);
});

test('counts that make no sense are refused in a sentence', () => {
  const matrix = new BlockBanded(2, 3, 1);
  expect(() => {
    matrix.blocks = 3;
  }).toThrow('3 blocks requested');
  expect(() => matrix.reserve(-1)).toThrow('capacity -1 requested');
  expect(() => matrix.copyFrom(new BlockBanded(2, 4, 1))).toThrow('size 4 and bandwidth 1 found');
  expect(() => matrix.solve(new Float64Array(5))).toThrow('has 5 entries; at least 6');
  expect(() => new BlockBanded(1, 0, 1)).toThrow('block size is 0');
  expect(() => new BlockBanded(1, 2, -1)).toThrow('bandwidth is -1');
});

test('the committed kernels are what the generator writes', () => {
  const committed = readFileSync(new URL('../../src/sparse/chain-kernels.generated.ts', import.meta.url), 'utf8');
  expect(generateChainKernels()).toBe(committed);
});
