/** How the system of a fabric is solved: conjugate gradients, and a factorisation where they would take longer. */
import { createRandom } from 'heddle/math';
import { NetPart } from 'heddle/model';
import { expect, test } from 'vitest';
import { createWeaveMatrix } from '../../bench/weave-matrix.js';
import { solveByElimination } from './gaussian-elimination.ts';
import { largest, largestDifference, randomVector, toDense } from './sparse-fixtures.ts';

const SIDE = 13;

function createPart(rank: Int32Array) {
  const { matrix, b } = createWeaveMatrix(SIDE, SIDE, { noise: 0.01 });
  const part = new NetPart('net', matrix.pattern, undefined, rank);
  part.matrix.values.set(matrix.values);
  part.rhs.set(b);
  return { part, matrix, b };
}

test('a net that conjugate gradients do not solve in as many iterations as a factor is worth is factored', () => {
  const random = createRandom(2);
  // an order against all yarns
  const { part, matrix, b } = createPart(
    Int32Array.from({ length: SIDE ** 2 }, () => Math.floor(1000 * random.uniform())),
  );
  expect(part.solve()).toBe(true);
  expect(part.iterations).toBeGreaterThan(0);
  // √169 × 3.3
  expect(part.iterations).toBeLessThan(44);
  const dense = toDense(matrix);
  const exact = solveByElimination(dense, b);
  expect(largestDifference(part.rhs, exact)).toBeLessThan(1e-9 * largest(exact));
  // the same matrix again, without another iteration
  const [other, before] = [randomVector(random, b.length), part.iterations];
  const found = other.slice();
  expect(part.solveFor(found, true)).toBe(true);
  expect(part.iterations).toBe(before);
  const expected = solveByElimination(dense, other);
  expect(largestDifference(found, expected)).toBeLessThan(1e-9 * largest(expected));
});

test('a net whose factor is a good one is not factored', () => {
  const { part, matrix, b } = createPart(
    Int32Array.from({ length: SIDE ** 2 }, (_, k) => (k % SIDE) + Math.floor(k / SIDE)),
  );
  expect(part.solve()).toBe(true);
  const exact = solveByElimination(toDense(matrix), b);
  const off = largestDifference(part.rhs, exact) / largest(exact);
  expect(off).toBeGreaterThan(1e-9);
  expect(off).toBeLessThan(0.05);
});
