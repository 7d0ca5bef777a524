/** Ties between things of all kinds: the two stay together, pull each other with equal and opposite forces, and momentum is kept. */
import { describe, expect, test } from 'vitest';
import { build, computeDistance, createTied, KINDS, readProbes, readVector } from './mixed-scenes.ts';

const LINES = KINDS.filter((kind) => kind !== 'body');
const PAIRS = LINES.flatMap((first, k) => KINDS.slice(k).map((second) => [first, second] as const));

describe.each(PAIRS)('%s and %s', (first, second) => {
  const world = build(createTied(first, second));
  const start = readVector(readProbes(world), 'p');
  const scale = Math.hypot(...start);

  test('that are tied and thrown apart stay together, pull with f and −f, and keep P', () => {
    let pull = 0;
    for (let n = 0; n < 12; n++) {
      world.step();
      const read = readProbes(world);
      const force = readVector(read, 'a');
      pull = Math.max(pull, Math.hypot(...force));
      // backward Euler: what a row gives to one side it takes from the other; Newton leaves 1e-10 of the spacing
      expect(computeDistance(readVector(read, 'p'), start) / scale).toBeLessThan(1e-9);
      if (second === 'body') continue;
      expect(Math.hypot(...readVector(read, 'b').map((f, k) => f + force[k]))).toBeLessThan(1e-9 * (1 + pull));
      expect(computeDistance(readVector(read, 'x'), readVector(read, 'y'))).toBeLessThan(1e-7);
    }
    // the first takes up a good part of the motion within the steps
    expect(pull).toBeGreaterThan(0.01);
  });
});

test.each(['strand', 'rod', 'sheet'] as const)(
  'a %s and a fabric that are tied keep P to 1e-5 where Newton stops as by default',
  (kind) => {
    const world = build({ ...createTied(kind, 'fabric'), solver: {} });
    const start = readVector(readProbes(world), 'p');
    for (let n = 0; n < 10; n++) world.step();
    // a fabric stops at corrections of 1e-3 of its spacing; each of them is taken whole by both sides
    expect(computeDistance(readVector(readProbes(world), 'p'), start) / Math.hypot(...start)).toBeLessThan(1e-5);
  },
);
