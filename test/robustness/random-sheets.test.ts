/** Random drops of sheets on random convex solids (`random-sheets.ts`), in three step sizes, with remeshers A and B. */

import { compile, parseScene } from 'heddle';
import { expect, test } from 'vitest';
import { createRandomDrop, findFaults } from './random-sheets.ts';

const LIMITS = { deepest: 1e-6, surface: 0.01, sharpest: 10 };

test.each([
  [0.005, 80, 'local', [1, 9, 12, 14, 119]],
  [0.01, 40, 'local', [15, 28, 102]],
  [0.0025, 100, 'global', [1, 14, 149]],
] as const)(
  'sheets dropped on random solids in steps of %d s, %d of them, remesher %s: no hang, crash, non-finite number, no vertex deeper than 1e-6 m, in the end no part of the mesh deeper than 0.01 of its spacing, no angle below 10°, area kept',
  (step, steps, remesher, seeds) => {
    expect(findFaults(seeds, step, steps, remesher, LIMITS)).toEqual([]);
  },
  600_000,
);

/** Largest gain of energy in a step [J], of some 1 J that the drop has. */
function findLargestGain(seed: number): number {
  const world = compile(parseScene(JSON.stringify(createRandomDrop(seed, 0.0025, 'global'))));
  let largest = 0;
  for (let n = 0, before = world.energy().total; n < 90; n++) {
    world.step();
    const now = world.energy().total;
    largest = Math.max(largest, now - before);
    before = now;
  }
  return largest;
}

test.each([221, 188])('corners on the far side of a body ask for nothing: drop %i gains no energy', (seed) => {
  expect(findLargestGain(seed)).toBeLessThan(0.02);
});
