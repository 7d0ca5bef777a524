/** Which balls the view puts on yarns: on crossings of fabrics up to 4,000, on vertices of a continuum's curves up to 600, and never over a colour map. */
import { NODE_LAGRANGIAN, type YarnsFrame } from 'heddle/model';
import { expect, test } from 'vitest';
import { listBalls } from '../../studio/src/yarns-layer.ts';
import { makeWoven } from './yarns-run.ts';

/** One curve of n nodes that crosses nothing. */
const createHair = (n: number): YarnsFrame => ({
  type: 'yarns',
  id: 'hair',
  start: Int32Array.of(0, n),
  radius: Float64Array.of(1e-3),
  restLength: Float64Array.of(1),
  layer: Uint8Array.of(0),
  group: Uint8Array.of(0),
  x: new Float64Array(3 * n),
  u: new Float64Array(n),
  kind: new Uint8Array(n).fill(NODE_LAGRANGIAN),
  other: new Int32Array(n).fill(-1),
  fields: {},
});

test('curves have balls on up to 600 vertices', () => {
  expect([...listBalls(createHair(600), false)]).toEqual(['lagrangian']);
  expect([...listBalls(createHair(601), false)]).toEqual([]);
  expect([...listBalls(createHair(5), true)]).toEqual([]);
});

test('fabrics have balls on up to 4,000 crossings', () => {
  expect([...listBalls(makeWoven({ warps: 62, wefts: 63 }), false)]).toContain('crossing');
  expect([...listBalls(makeWoven({ warps: 64, wefts: 63 }), false)]).not.toContain('crossing');
  expect([...listBalls(makeWoven({ warps: 4, wefts: 4 }), true)]).not.toContain('crossing');
});
