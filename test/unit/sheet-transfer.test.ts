import { readFileSync } from 'node:fs';
import { createRandom } from 'heddle/math';
import { compile, parseScene } from 'heddle/scene';
import {
  collectCreaseRows,
  Sheet,
  type SheetMotion,
  type SheetState,
  STRIDE,
  transferVelocity,
  transferVelocityToNew,
  VelocityRowList,
} from 'heddle/sheet';
import { describe, expect, test } from 'vitest';
import { createCloth, createRectangle, createSheet, type MeshKind } from '../laws/sheets.ts';

type Place = (a: number, b: number) => readonly [number, number, number];
const bend: Place = (a, b) => [a, 0.1 * Math.sin(5 * a) + 0.05 * b * b, b];
const flat: Place = (a, b) => [0.8 * a + 0.1 * b, 0.3 * a, b - 0.2 * a];

const create = (kind: MeshKind, size: number, place: Place, firstLabel = 0): Sheet => {
  const sheet = createSheet(createRectangle(kind, 1, 0.7, size), createCloth(1000), {}, place);
  sheet.state.label = sheet.state.label.map((label) => label + firstLabel);
  sheet.state.nextLabel += firstLabel;
  sheet.state.indexLabels();
  return sheet;
};

const setVelocity = ({ v, q, count }: SheetState, field: (a: number, b: number) => readonly number[]): void => {
  for (let i = 0; i < count; i++) v.set(field(q[STRIDE * i + 3], q[STRIDE * i + 4]), STRIDE * i);
};

const kinetic = (sheet: Sheet): number => {
  const terms = { kinetic: 0, stretch: 0, bending: 0, gravity: 0, contact: 0, total: 0 };
  sheet.addEnergy(terms);
  return terms.kinetic;
};

const momentum = (sheet: Sheet): Float64Array => {
  const out = new Float64Array(6);
  sheet.addMomentum(out);
  return out.subarray(0, 3);
};

const setRandom = ({ v, count }: SheetState, seed: number): void => {
  const random = createRandom(seed);
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) v[STRIDE * i + k] = random.uniform(-1, 1);
};

const motionOf = ({ mesh, q, v, label, pointMass }: SheetState): SheetMotion => ({
  mesh,
  q: q.slice(),
  v: v.slice(),
  label: label.slice(),
  pointMass,
});

describe.each([
  ['coarser', 'jittered', 0.05, 'refined', 0.2],
  ['finer', 'alternating', 0.15, 'jittered', 0.06],
  ['another', 'equilateral', 0.1, 'refined', 0.15],
] as const)('to a %s mesh, (5.1)', (_, kind, size, otherKind, otherSize) => {
  test('keeps momentum to rounding and gains no kinetic energy, for any motion', () => {
    for (let seed = 1; seed <= 4; seed++) {
      const [from, to] = [create(kind, size, bend), create(otherKind, otherSize, bend, 10_000)];
      setRandom(from.state, seed);
      const report = transferVelocity(motionOf(from.state), to.state);
      expect(report.ok).toBe(true);
      const [before, after] = [momentum(from), momentum(to)];
      const speed = Math.sqrt((2 * kinetic(from)) / from.computeMass());
      for (let k = 0; k < 3; k++)
        expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-13 * speed * from.computeMass());
      expect(kinetic(to)).toBeLessThanOrEqual(kinetic(from) * (1 + 1e-12));
      expect(kinetic(to)).toBeGreaterThan(0.02 * kinetic(from));
    }
  });

  test('leaves motions that are linear in the material as they are, rigid ones among them', () => {
    const fields: ((a: number, b: number) => readonly number[])[] = [
      (a, b) => [1 + 2 * a - b, 0.3 * b, a + 4 * b],
      // ω × x of the flat sheet, ω = (1, −2, 0.5), and a translation
      (a, b) => {
        const [x, y, z] = flat(a, b);
        return [3 - 2 * z - 0.5 * y, 0.5 * x - z, 1 + y + 2 * x];
      },
    ];
    for (const field of fields) {
      const [from, to] = [create(kind, size, flat), create(otherKind, otherSize, flat, 10_000)];
      setVelocity(from.state, field);
      transferVelocity(motionOf(from.state), to.state);
      const { q, v, count } = to.state;
      for (let i = 0; i < count; i++) {
        const wanted = field(q[STRIDE * i + 3], q[STRIDE * i + 4]);
        for (let k = 0; k < 3; k++) expect(v[STRIDE * i + k]).toBeCloseTo(wanted[k], 11);
      }
    }
  });
});

/** A sheet, and the same with every triangle of it cut in four: old vertices come first and keep their labels. */
function createNested(): { from: Sheet; to: Sheet; count: number } {
  const from = create('jittered', 0.2, bend);
  const { q, mesh, count } = from.state;
  const middle = (e: number): number => count + e;
  const [x, X]: [number[], number[]] = [[], []];
  const add = (i: number, j: number): void => {
    for (let k = 0; k < 3; k++) x.push((q[STRIDE * i + k] + q[STRIDE * j + k]) / 2);
    for (let k = 3; k < 5; k++) X.push((q[STRIDE * i + k] + q[STRIDE * j + k]) / 2);
  };
  for (let i = 0; i < count; i++) add(i, i);
  for (let e = 0; e < mesh.edgeCount; e++) add(mesh.edges[4 * e], mesh.edges[4 * e + 1]);
  const triangles: number[] = [];
  for (let t = 0; t < mesh.triangleCount; t++) {
    const [a, b, c] = mesh.triangles.subarray(3 * t, 3 * t + 3);
    const [p, r, s] = Array.from(mesh.triangleEdges.subarray(3 * t, 3 * t + 3), middle);
    triangles.push(a, s, r, b, p, s, c, r, p, p, r, s);
  }
  const material = createCloth(1000);
  return { from, to: new Sheet({ id: 'cloth', material, x, X, triangles: Int32Array.from(triangles) }), count };
}

describe('(5.2)', () => {
  test('gives new vertices the velocity of their material and leaves the others alone, as (5.1) does where nothing went', () => {
    for (const transfer of [transferVelocityToNew, transferVelocity]) {
      const { from, to, count } = createNested();
      setRandom(from.state, 7);
      for (let i = 0; i < count; i++)
        to.state.v.set(from.state.v.subarray(STRIDE * i, STRIDE * i + STRIDE), STRIDE * i);
      expect(transfer(motionOf(from.state), to.state).ok).toBe(true);
      const { edges, edgeCount } = from.state.mesh;
      for (let i = 0; i < count; i++)
        for (let k = 0; k < 3; k++) expect(to.state.v[STRIDE * i + k]).toBeCloseTo(from.state.v[STRIDE * i + k], 11);
      for (let e = 0; e < edgeCount; e++)
        for (let k = 0; k < 3; k++) {
          const mean = (from.state.v[STRIDE * edges[4 * e] + k] + from.state.v[STRIDE * edges[4 * e + 1] + k]) / 2;
          expect(to.state.v[STRIDE * (count + e) + k]).toBeCloseTo(mean, 11);
        }
      expect(kinetic(to)).toBeCloseTo(kinetic(from), 12);
    }
  });

  test('changes no vertex that was there before', () => {
    const { from, to, count } = createNested();
    setRandom(from.state, 3);
    setRandom(to.state, 4);
    const before = to.state.v.slice();
    transferVelocityToNew(motionOf(from.state), to.state);
    for (let k = 0; k < STRIDE * count; k++) expect(to.state.v[k]).toBe(before[k]);
    expect(to.state.v.slice(STRIDE * count)).not.toEqual(before.slice(STRIDE * count));
  });
});

describe('with rows', () => {
  const transfer = (rows: VelocityRowList) => {
    const [from, to] = [create('jittered', 0.15, bend), create('refined', 0.25, bend, 10_000)];
    setRandom(from.state, 5);
    const report = transferVelocity(motionOf(from.state), to.state, rows.create());
    return { report, from, to };
  };
  const hold = (rows: VelocityRowList) => {
    rows.add([0, 1], [0.6, 0.8], 0);
    rows.add([1, 2], [1, 1], 0);
    rows.add([STRIDE * 3 + 2], [2], 0);
    // follows from the first two
    rows.add([0, 1, 2], [0.6, 1.8, 1], 0);
    return rows;
  };

  test('held directions are held, and conjugate gradients agree with the convex solver', () => {
    const free = hold(new VelocityRowList());
    const bound = hold(new VelocityRowList());
    // of no effect, but an inequality
    bound.add([STRIDE * 5], [1], -1000, true);
    const [a, b] = [transfer(free), transfer(bound)];
    expect([a.report.method, b.report.method]).toEqual(['gradients', 'quadratic']);
    expect([a.report.ok, b.report.ok]).toEqual([true, true]);
    const { v } = a.to.state;
    expect(0.6 * v[0] + 0.8 * v[1]).toBeCloseTo(0, 12);
    expect(v[1] + v[2]).toBeCloseTo(0, 12);
    expect(v[STRIDE * 3 + 2]).toBeCloseTo(0, 12);
    for (let k = 0; k < v.length; k++) expect(v[k]).toBeCloseTo(b.to.state.v[k], 9);
    expect(kinetic(a.to)).toBeLessThanOrEqual(kinetic(a.from));
  });

  test('what is only pushed may leave: nothing goes in, and some of it goes out', () => {
    const none = transfer(new VelocityRowList()).to.state.v;
    const rows = new VelocityRowList();
    const count = none.length / STRIDE;
    for (let i = 0; i < count; i++) rows.add([STRIDE * i + 1], [1], 0, true);
    const { report, to, from } = transfer(rows);
    expect(report).toMatchObject({ ok: true, method: 'quadratic' });
    let [inward, fastest] = [0, 0];
    for (let i = 0; i < count; i++) {
      expect(to.state.v[STRIDE * i + 1]).toBeGreaterThan(-1e-9);
      fastest = Math.max(fastest, to.state.v[STRIDE * i + 1]);
      if (none[STRIDE * i + 1] < 0) inward++;
    }
    expect(inward).toBeGreaterThan(0);
    expect(inward).toBeLessThan(count);
    expect(fastest).toBeGreaterThan(0.1);
    expect(kinetic(to)).toBeLessThanOrEqual(kinetic(from));
  });

  test('rows that contradict each other are told, and the velocities stay', () => {
    const rows = new VelocityRowList();
    rows.add([0], [1], 0);
    rows.add([0], [2], 1);
    const { report, to } = transfer(rows);
    expect(report.ok).toBe(false);
    expect(to.state.v.every((one) => one === 0)).toBe(true);
  });
});

test('a sheet that slides over an edge is transferred to itself as it is, within what its crease allows', () => {
  const text = readFileSync(new URL('../../scenes/sheet-edge.json', import.meta.url), 'utf8');
  const world = compile(parseScene(text, { source: 'sheet-edge' }));
  for (let k = 0; k < 30; k++) world.step();
  const { state, adaptation } = world.models[0] as Sheet;
  const slides = state.kind.reduce((sum, kind, i) => sum + (kind ? Math.hypot(state.v[STRIDE * i + 3]) : 0), 0);
  expect(slides).toBeGreaterThan(0.5);
  // material has slid since the crease had its direction: the first transfer allows for that, others have nothing to do
  for (const [transfer, digits] of [
    [transferVelocity, 4],
    [transferVelocity, 11],
    [transferVelocityToNew, 11],
  ] as const) {
    const before = motionOf(state);
    const report = transfer(before, state, collectCreaseRows(state, adaptation!.creases));
    expect(report).toMatchObject({ ok: true, method: 'gradients' });
    for (let k = 0; k < state.v.length; k++) expect(state.v[k]).toBeCloseTo(before.v[k], digits);
  }
});
