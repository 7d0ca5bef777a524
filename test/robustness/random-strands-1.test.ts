/** A third of the 300 random scenes: those with a step of 0.001 s. See `random-strands.ts`. */
import { expect, test } from 'vitest';
import { findFaults } from './random-strands.ts';

test('100 random scenes with steps of 0.001 s end without hang, crash or non-finite number, and nothing is deeper than 1e-6 of the scene in a body', () => {
  const seeds = Array.from({ length: 100 }, (_, n) => 0 + n);
  expect(findFaults(seeds, 0.001, 120)).toEqual([]);
});
