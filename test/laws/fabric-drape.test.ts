/** A plain weave falls on a sphere. */
import { drapeFabric } from 'heddle/validate';
import { expect, test } from 'vitest';

test('a square of plain weave on a sphere has four-fold symmetry and its mirror images, to rounding without friction of its yarns', () => {
  const { turned, mirrored, corner } = drapeFabric(0, 38);
  expect(corner).toBeGreaterThan(0.006);
  expect(mirrored).toBeLessThan(1e-11);
  expect(turned).toBeLessThan(1e-11);
});

// a quarter turn exchanges over and under, and with it loads and friction of crossings on a curved cloth
test('a square of plain weave with friction on a sphere keeps its mirror images to rounding, and four-fold symmetry to 2e-4 of its hanging length', () => {
  const { turned, mirrored, corner, side } = drapeFabric(0.3, 60);
  expect(corner).toBeGreaterThan(0.01);
  expect(corner).toBeGreaterThan(1.3 * side);
  expect(mirrored).toBeLessThan(1e-11);
  expect(turned).toBeLessThan(2e-4 * corner);
});
