/** What a local remeshing changes and what it leaves alone (`src/sheet/remesh.ts`, `remesh-region.ts`, `new-mesh.ts`). */
import { describe, expect, test } from 'vitest';
import { computeSmallestAngle } from '../../src/geometry/predicates.ts';
import { NODE_EULERIAN, NODE_LAGRANGIAN } from '../../src/model/index.ts';
import { remeshSheet } from '../../src/sheet/remesh.ts';
import { type SheetState, STRIDE } from '../../src/sheet/state.ts';
import { layOver } from '../laws/lay-over.ts';

const SIZE = 0.05;

/** A cloth of 21 × 21 vertices over an edge, with its crease between two rows of them. */
function lay() {
  const { sheet } = layOver(20, 20, 1, 0.33, 1e4, 9.81, 0);
  const { creases } = sheet.adaptation!;
  for (const placements of [sheet.touch!.start, sheet.touch!.now]) sheet.touch!.place(placements);
  sheet.adaptation!.begin(sheet.state);
  return { state: sheet.state, creases };
}

const placeOf = ({ q }: SheetState, i: number): [number, number] => [q[STRIDE * i + 3], q[STRIDE * i + 4]];

/** Labels of each triangle's corners, the lowest first. */
function listTriangles({ mesh, label }: SheetState): string[] {
  return Array.from({ length: mesh.triangleCount }, (_, t) => {
    const corners = Array.from(mesh.triangles.subarray(3 * t, 3 * t + 3), (i) => label[i]);
    const first = corners.indexOf(Math.min(...corners));
    return [0, 1, 2].map((n) => corners[(first + n) % 3]).join();
  });
}

function checkMesh(state: SheetState): void {
  const { mesh, q } = state;
  // one piece without holes: V − E + F = 1; every edge with two triangles has them on both sides (SheetMesh throws otherwise)
  expect(mesh.vertexCount - mesh.edgeCount + mesh.triangleCount).toBe(1);
  let area = 0;
  for (let t = 0; t < mesh.triangleCount; t++) {
    const [a, b, c] = Array.from(mesh.triangles.subarray(3 * t, 3 * t + 3), (i) => STRIDE * i + 3);
    const one = ((q[b] - q[a]) * (q[c + 1] - q[a + 1]) - (q[b + 1] - q[a + 1]) * (q[c] - q[a])) / 2;
    expect(one).toBeGreaterThan(0);
    area += one;
    const angle = computeSmallestAngle(q[a], q[a + 1], q[b], q[b + 1], q[c], q[c + 1]);
    expect(angle).toBeGreaterThan((10 * Math.PI) / 180);
  }
  expect(area).toBeCloseTo(1, 12);
  for (let e = 0; e < mesh.edgeCount; e++) {
    if (mesh.edges[4 * e + 3] >= 0) continue;
    const [[X, Y], [Z, W]] = [placeOf(state, mesh.edges[4 * e]), placeOf(state, mesh.edges[4 * e + 1])];
    expect([0, 1].includes(X) || [0, 1].includes(Y)).toBe(true);
    expect(X === Z || Y === W).toBe(true);
  }
}

/** Changes the mesh round some places; returns what was there before. */
function change(state: SheetState, creases: ReturnType<typeof lay>['creases'], near: readonly [number, number][]) {
  const troubled = near.map(([X, Y]) => {
    const far = (i: number): number => Math.hypot(placeOf(state, i)[0] - X, placeOf(state, i)[1] - Y);
    return Array.from({ length: state.count }, (_, i) => i).reduce((best, i) => (far(i) < far(best) ? i : best));
  });
  const places = troubled.map((i) => placeOf(state, i));
  const before = listTriangles(state);
  const isAway = before.map((_, t) =>
    Array.from(state.mesh.triangles.subarray(3 * t, 3 * t + 3)).every((i) =>
      places.every(([X, Y]) => Math.hypot(placeOf(state, i)[0] - X, placeOf(state, i)[1] - Y) > 1.5 * SIZE),
    ),
  );
  const labels = Array.from(state.label);
  creases.asks = [];
  remeshSheet(state, creases, SIZE, 'local', troubled);
  return { before, isAway, labels };
}

describe('a local remeshing', () => {
  test.each<[string, [number, number][]]>([
    ['at a crease', [[0.67, 0.5]]],
    ['where a crease meets the border', [[0.67, 0]]],
    ['at a corner of the sheet', [[0, 0]]],
    [
      'in two places apart',
      [
        [0.2, 0.2],
        [0.67, 0.7],
      ],
    ],
    ['all along the crease', Array.from({ length: 21 }, (_, k): [number, number] => [0.67, k / 20])],
    // the two regions hang together by a vertex, and then by none
    [
      'in two places whose regions touch',
      [
        [0.2, 0.2],
        [0.4, 0.4],
      ],
    ],
    [
      'in two places whose regions nearly touch',
      [
        [0.2, 0.2],
        [0.4, 0.2],
      ],
    ],
    // a ring: what it goes round stays
    [
      'in a ring',
      Array.from({ length: 24 }, (_, k): [number, number] => [
        0.3 + 0.2 * Math.cos((k * Math.PI) / 12),
        0.5 + 0.2 * Math.sin((k * Math.PI) / 12),
      ]),
    ],
  ])('%s leaves all triangles away from it, and the order of vertices, and fills the rest', (_, near) => {
    const { state, creases } = lay();
    const { before, isAway, labels } = change(state, creases, near);
    checkMesh(state);
    const after = new Set(listTriangles(state));
    const lost = before.filter((one, t) => isAway[t] && !after.has(one));
    expect(isAway.filter(Boolean).length).toBeGreaterThan(300);
    // those round a vertex at which two regions would touch are made anew, too
    expect(lost.length).toBeLessThanOrEqual(8);
    const known = new Map(labels.map((label, i) => [label, i]));
    const order = Array.from(state.label, (label) => known.get(label) ?? labels.length);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(Math.min(...order.slice(1).map((one, k) => (one === labels.length ? 1 : one - order[k])))).toBe(1);
  });

  test('that nothing asks for leaves the mesh as it is', () => {
    const { state, creases } = lay();
    const triangles = Array.from(state.mesh.triangles);
    const { labels } = change(state, creases, []);
    expect(Array.from(state.mesh.triangles)).toEqual(triangles);
    expect(Array.from(state.label)).toEqual(labels);
  });

  test('of a crease that loses its vertices takes them out', () => {
    const { state, creases } = lay();
    let gone = 0;
    for (let i = 0; i < state.count; i++) {
      if (state.kind[i] !== NODE_EULERIAN || placeOf(state, i)[1] > 0.5) continue;
      state.kind[i] = NODE_LAGRANGIAN;
      state.siteBody[i] = state.siteEdge[i] = -1;
      gone++;
    }
    expect(gone).toBeGreaterThan(5);
    const left = state.kind.filter((kind) => kind === NODE_EULERIAN).length;
    change(
      state,
      creases,
      Array.from({ length: 11 }, (_, k): [number, number] => [0.67, k / 20]),
    );
    checkMesh(state);
    expect(state.kind.filter((kind) => kind === NODE_EULERIAN).length).toBeGreaterThanOrEqual(left - 1);
  });

  test('and one that follows has the rest shape of its mesh, to the bit', () => {
    const { state, creases } = lay();
    for (const near of [
      [0.67, 0.5],
      [0.67, 0],
      [0.3, 0.3],
    ] as [number, number][]) {
      // E-vertices move through the material between remeshings
      for (let i = 0; i < state.count; i++)
        if (state.kind[i] === NODE_EULERIAN) state.q[STRIDE * i + 3] += 1e-3 * Math.sin(i);
      change(state, creases, [near]);
      const taken = [state.area, state.gradients, state.beta, state.edgeStiffness, state.mass].map((list) =>
        list.slice(),
      );
      state.measureRest();
      expect(taken).toEqual([state.area, state.gradients, state.beta, state.edgeStiffness, state.mass]);
    }
  });
});
