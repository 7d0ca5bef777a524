import { createSizing, type SheetState, SizingField, STRIDE } from 'heddle/sheet';
import { describe, expect, test } from 'vitest';
import { createCloth, createRectangle, createSheet, type MeshKind } from '../laws/sheets.ts';

const SIZING = { smallest: 0.001, largest: 2, angle: 0.2, velocity: 0.5, compression: 0.01 };
const LOW = 1 / SIZING.largest ** 2;

type Place = (a: number, b: number) => readonly [number, number, number];
const create = (kind: MeshKind, place: Place, size = 0.05): SheetState =>
  createSheet(createRectangle(kind, 1, 0.6, size), createCloth(1000), {}, place).state;

const compute = (state: SheetState, sizing = SIZING) => new SizingField(sizing).compute(state);

/** Metrics of vertices away from the border. */
function listInside(state: SheetState, metric: Float64Array): number[][] {
  const found: number[][] = [];
  for (let i = 0; i < state.count; i++) {
    const [X, Y] = [state.q[STRIDE * i + 3], state.q[STRIDE * i + 4]];
    if (Math.min(X, 1 - X, Y, 0.6 - Y) > 0.12) found.push(Array.from(metric.subarray(3 * i, 3 * i + 3)));
  }
  return found;
}

describe('the sizing field', () => {
  test('of a cylinder of radius R asks for edges of R α round it, and of twice that along it', () => {
    const R = 0.5;
    const state = create('alternating', (a, b) => [R * Math.sin(a / R), R * Math.cos(a / R), b], 0.025);
    const round = 1 / (R * SIZING.angle) ** 2;
    for (const [m0, m1, m2] of listInside(state, compute(state))) {
      expect(m0 / round).toBeCloseTo(1, 1);
      expect(Math.abs(m1)).toBeLessThan(0.02 * round);
      expect(m2 / (round / 4)).toBeCloseTo(1, 1);
    }
  });

  test('of a flat sheet in any rigid motion asks for the largest edges', () => {
    const state = create('refined', (a, b) => [0.6 * a, 0.8 * a, b]);
    for (let i = 0; i < state.count; i++) {
      const [x, y, z] = state.q.subarray(STRIDE * i, STRIDE * i + 3);
      // (1, 2, 3) + ω × x, ω = (40, −20, 10)
      state.v.set([1 - 20 * z - 10 * y, 2 + 10 * x - 40 * z, 3 + 40 * y + 20 * x], STRIDE * i);
    }
    const metric = compute(state);
    for (let i = 0; i < state.count; i++) {
      expect(metric[3 * i]).toBeCloseTo(LOW, 6);
      expect(metric[3 * i + 1]).toBeCloseTo(0, 6);
      expect(metric[3 * i + 2]).toBeCloseTo(LOW, 6);
    }
  });

  test('asks for edges along which the velocity differs by ν', () => {
    const state = create('jittered', (a, b) => [a, 0, b]);
    // all of it grows: no part of that is rigid
    for (let i = 0; i < state.count; i++) {
      state.v[STRIDE * i] = 1 + 6 * state.q[STRIDE * i];
      state.v[STRIDE * i + 2] = 6 * state.q[STRIDE * i + 2] - 2;
    }
    const metric = compute(state);
    const wanted = (6 / SIZING.velocity) ** 2;
    for (let i = 0; i < state.count; i++) {
      expect(metric[3 * i] / wanted).toBeCloseTo(1, 9);
      expect(metric[3 * i + 1] / wanted).toBeCloseTo(0, 9);
      expect(metric[3 * i + 2] / wanted).toBeCloseTo(1, 9);
    }
  });

  test('asks for shorter edges in proportion to compression, and not for stretch', () => {
    const state = create('refined', (a, b) => [0.94 * a, 0, 1.05 * b]);
    const metric = compute(state);
    const wanted = (0.06 / (SIZING.compression * SIZING.largest)) ** 2;
    for (let i = 0; i < state.count; i++) {
      expect(metric[3 * i]).toBeCloseTo(wanted, 6);
      // no more than twice as long across
      expect(metric[3 * i + 2]).toBeCloseTo(wanted / 4, 6);
    }
  });

  test('stays between the largest edge and twice the smallest', () => {
    const state = create('jittered', (a, b) => [a, 0.2 * Math.sin(40 * a), b]);
    const metric = compute(state, { ...SIZING, smallest: 0.03, largest: 0.1 });
    for (let i = 0; i < state.count; i++) {
      const [m0, m1, m2] = metric.subarray(3 * i, 3 * i + 3);
      const radius = Math.hypot((m0 - m2) / 2, m1);
      expect((m0 + m2) / 2 - radius).toBeGreaterThan(0.999 / 0.1 ** 2);
      expect((m0 + m2) / 2 + radius).toBeLessThan(1.001 / 0.06 ** 2);
    }
  });

  test('has defaults by the mean edge', () => {
    expect(createSizing(0.1)).toMatchObject({ smallest: 0.05, largest: 0.30000000000000004, compression: 0.02 });
    expect(createSizing(0.1, { largest: 0.05 }).smallest).toBe(0.025);
  });
});

test('a bent sheet that moves keeps its momentum when it is refined and coarsened, and gains no kinetic energy', () => {
  for (const angle of [0.04, 1]) {
    const sheet = createSheet(
      createRectangle('alternating', 1, 0.6, 0.05),
      createCloth(1000),
      { remesher: 'adaptive', sizing: { smallest: 0.01, largest: 0.3, angle, velocity: 100 }, gravity: [0, 0, 0] },
      (a, b) => [a, 0.1 * Math.sin(4 * a) + 0.05 * b * b, b],
    );
    const { state } = sheet;
    for (let i = 0; i < state.count; i++) {
      const [X, Y] = [state.q[STRIDE * i + 3], state.q[STRIDE * i + 4]];
      state.v.set([Math.sin(9 * X), 2 + Math.cos(7 * X * Y), X * X - Y], STRIDE * i);
    }
    const read = () => {
      const terms = { kinetic: 0, stretch: 0, bending: 0, gravity: 0, contact: 0, total: 0 };
      const momentum = new Float64Array(6);
      sheet.addEnergy(terms);
      sheet.addMomentum(momentum);
      return { ...terms, momentum };
    };
    const before = read();
    const count = state.count;
    expect(sheet.adapt()).toBe(1);
    expect(angle < 1 ? state.count > 1.2 * count : state.count < 0.8 * count).toBe(true);
    const after = read();
    for (let k = 0; k < 3; k++) expect(after.momentum[k]).toBeCloseTo(before.momentum[k], 13);
    expect(after.kinetic).toBeLessThanOrEqual(before.kinetic * (1 + 1e-13));
    expect(after.kinetic).toBeGreaterThan(0.99 * before.kinetic);
  }
});

test('new vertices settle on the bend of the sheet: refining a cylinder of stiff cloth leaves it little more than ½ B/R² per area', () => {
  const R = 0.4;
  const sheet = createSheet(
    createRectangle('alternating', 1, 0.6, 0.1),
    createCloth(1000, 0.2, 0.01),
    { remesher: 'adaptive', sizing: { smallest: 0.01, largest: 0.3, angle: 0.12 }, gravity: [0, 0, 0] },
    (a, b) => [R * Math.sin(a / R), R * Math.cos(a / R), b],
  );
  const read = () => {
    const terms = { kinetic: 0, stretch: 0, bending: 0, gravity: 0, contact: 0, total: 0 };
    sheet.addEnergy(terms);
    return terms.stretch + terms.bending;
  };
  const count = sheet.state.count;
  sheet.adapt();
  expect(sheet.state.count).toBeGreaterThan(2 * count);
  // measured 1.028; with new vertices left where the old mesh had them it is 3.3
  expect(read() / ((0.5 * 0.01 * 0.6) / R ** 2)).toBeLessThan(1.03);
});
