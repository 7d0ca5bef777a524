/** When a sheet asks for a new mesh (`src/sheet/adapt.ts`). */
import { expect, test } from 'vitest';
import { NODE_EULERIAN } from '../../src/model/index.ts';
import type { CreaseAsk } from '../../src/sheet/crease-search.ts';
import { STRIDE } from '../../src/sheet/state.ts';
import { layOver } from '../laws/lay-over.ts';

test('a step that goes through an edge is refused, also when places of the try before it are without neighbours by now', () => {
  // the fold lies between two rows of vertices: mesh edges go through the edge of the box
  const { sheet } = layOver(10, 10, 1, 0.35, 1e4, 9.81, 0);
  const { state, adaptation, touch } = sheet;
  for (const placements of [touch!.start, touch!.now]) touch!.place(placements);
  state.beginStep();
  const site = { body: 0, edge: 0, corner: -1, along: 0.5, vertices: [1, 2] };
  const lone: CreaseAsk = { ...site, X: 0.15, Y: 0, isBorder: true };
  const known = Array.from({ length: 40 }, () => lone);
  adaptation!.creases.asks = known;
  expect(adaptation!.findFault(state)).toBe('it passed through an edge');
  expect(adaptation!.wantsRetry).toBe(true);
  expect(adaptation!.creases.asks.slice(0, known.length)).toEqual(known);
  expect(adaptation!.creases.asks.length).toBeGreaterThan(known.length);
});

test('a triangle at a crease that comes near to 10° asks for a new mesh, however little it has lost', () => {
  const { sheet } = layOver(10, 10, 1, 0.35, 1e4, 9.81, 0);
  const { state } = sheet;
  const adaptation = sheet.adaptation!;
  adaptation.begin(state);
  const { mesh, kind, q, label } = state;
  const isAt = (t: number): boolean =>
    [0, 1, 2].map((n) => kind[mesh.triangles[3 * t + n]]).join() === [NODE_EULERIAN, 0, 0].join();
  const t = Array.from({ length: mesh.triangleCount }, (_, k) => k).find(isAt)!;
  const [top, a, b] = Array.from(mesh.triangles.subarray(3 * t, 3 * t + 3), (i) => STRIDE * i + 3);
  // two angles of 10.4° over the side from a to b
  const height = 0.5 * Math.tan((10.4 * Math.PI) / 180);
  q[top] = (q[a] + q[b]) / 2 - height * (q[b + 1] - q[a + 1]);
  q[top + 1] = (q[a + 1] + q[b + 1]) / 2 + height * (q[b] - q[a]);
  state.measureRest();
  // as if the mesh had been made like that
  adaptation.carryShapes(state, { mesh, label: label.map((one) => -1 - one) });
  expect(adaptation.adapt(state, 0.005)).toBe(0);
  adaptation.shapes[3 * t + 2] *= 1.02;
  expect(adaptation.adapt(state, 0.005)).toBe(1);
});

test.each([
  [3, 0],
  [14, 1],
])(
  'material that runs through a crease at %d m/s, 7.5 cm before the next vertices, asks for a new mesh before a step of 5 ms: %d',
  (speed, changes) => {
    const { sheet } = layOver(10, 10, 1, 0.35, 1e4, 9.81, 0);
    const { state } = sheet;
    const adaptation = sheet.adaptation!;
    adaptation.begin(state);
    for (let i = 0; i < state.count; i++) if (state.kind[i] === NODE_EULERIAN) state.v[STRIDE * i + 3] = speed;
    expect(adaptation.adapt(state, 0.005)).toBe(changes);
  },
);
