/** When a sheet asks for a new mesh (`src/sheet/adapt.ts`). */
import { expect, test } from 'vitest';
import type { CreaseAsk } from '../../src/sheet/creases.ts';
import { layOver } from '../laws/lay-over.ts';

test('a step that goes through an edge is refused, also when places of the try before it are without neighbours by now', () => {
  // the fold lies between two rows of vertices: mesh edges go through the edge of the box
  const { sheet } = layOver(10, 10, 1, 0.35, 1e4, 9.81, 0);
  const { state, adaptation, touch } = sheet;
  for (const placements of [touch!.start, touch!.now]) touch!.place(placements);
  state.beginStep();
  const lone: CreaseAsk = { body: 0, edge: 0, corner: -1, X: 0.15, Y: 0, along: 0.5, isBorder: true };
  const known = Array.from({ length: 40 }, () => lone);
  adaptation!.creases.asks = known;
  expect(adaptation!.findFault(state)).toBe('it went through an edge');
  expect(adaptation!.wantsRetry).toBe(true);
  expect(adaptation!.creases.asks.slice(0, known.length)).toEqual(known);
  expect(adaptation!.creases.asks.length).toBeGreaterThan(known.length);
});
