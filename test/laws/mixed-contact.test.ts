/** Things of different kinds touch: what falls on another pushes it, and momentum is kept. */
import type { World } from 'heddle';
import type { LineModel } from 'heddle/model';
import { describe, expect, test } from 'vitest';
import { build, computeDistance, createFalling, KINDS, readProbes, readVector } from './mixed-scenes.ts';

const TOUCHING = KINDS.filter((kind) => kind !== 'body');
const PAIRS = TOUCHING.flatMap((first, k) => TOUCHING.slice(k + 1).map((second) => [first, second] as const));
/** The gap of 12 mm closes at 0.4 m/s after 24 steps at the latest. */
const STEPS = 36;

describe.each(PAIRS)('a %s and a %s', (first, second) => {
  test.each([
    [first, second],
    [second, first],
  ])('keep P and do not pass through each other: %s below catches %s that falls', (low, high) => {
    const world = build(createFalling(low, high));
    const start = readVector(readProbes(world), 'p');
    for (let n = 0; n < STEPS; n++) {
      world.step();
      // Σ w = 0 in every row
      const change = computeDistance(readVector(readProbes(world), 'p'), start);
      expect(change / Math.hypot(...start)).toBeLessThan(1e-9);
    }
    expectCaught(world, start[1]);
  });
});

/** Both with one velocity would share the momentum by their masses; in so few steps only what is near where they met has it. */
function expectCaught(world: World, momentum: number): void {
  const [low, high] = ['low', 'high'].map((id) =>
    (world.models.find((model) => model.id === id) as LineModel).computeMass(),
  );
  expect(readProbes(world)('low.y') / momentum).toBeGreaterThan((0.2 * low) / (low + high));
}

test('two fabrics touch where they are named', () => {
  const world = build(createFalling('fabric', 'fabric', { objects: ['low', 'high'] }));
  const start = readVector(readProbes(world), 'p');
  for (let n = 0; n < STEPS; n++) world.step();
  expectCaught(world, start[1]);
  expect(computeDistance(readVector(readProbes(world), 'p'), start) / Math.hypot(...start)).toBeLessThan(1e-9);
});

test('an object that is left out of "touching" passes through the others', () => {
  const world = build(createFalling('sheet', 'rod', { objects: ['low'] }));
  for (let n = 0; n < STEPS; n++) world.step();
  expect(readProbes(world)('low.y')).toBe(0);
});
