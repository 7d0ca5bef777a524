/** Random drops of sheets on random convex solids (`random-sheets.ts`). Vertices on their way to an edge may still be in the body. */
import { expect, test } from 'vitest';
import { findFaults } from './random-sheets.ts';

test('sheets dropped on random solids of the size of a metre: no hang, crash, non-finite number or inverted triangle, area kept, nothing deeper than 5 cm', () => {
  const seeds = [1, 4, 6, 9, 10, 11, 13, 16, 20, 24, 28, 31];
  expect(findFaults(seeds, 0.005, 80, 'local', { deepest: 0.05, sharpest: 0 })).toEqual([]);
}, 600_000);
