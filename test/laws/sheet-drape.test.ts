/** Symmetric sheets hang symmetrically, and air pushes as ½ ρ C A v². */
import { type Sheet, STRIDE } from 'heddle/sheet';
import { createPin, World } from 'heddle/world';
import { expect, test } from 'vitest';
import { createCloth, createRectangle, createSheet, findVertices } from './sheets.ts';

const CLOTH = createCloth(2000, 0.2, 1e-4);

/** Largest distance of a vertex from the mirror image of its partner, mirrored in material and world at the middle of a or b. */
function measureAsymmetry({ state }: Sheet, side: number, axis: 0 | 1): number {
  const { q, count } = state;
  let largest = 0;
  for (let i = 0; i < count; i++) {
    const o = STRIDE * i;
    const X = [q[o + 3], q[o + 4]];
    X[axis] = side - X[axis];
    let partner = -1;
    for (let j = 0; j < count; j++)
      if (Math.hypot(q[STRIDE * j + 3] - X[0], q[STRIDE * j + 4] - X[1]) < 1e-9) partner = STRIDE * j;
    const across = axis === 0 ? 0 : 2;
    for (let k = 0; k < 3; k++) {
      const mirrored = k === across ? side - q[partner + k] : q[partner + k];
      largest = Math.max(largest, Math.abs(q[o + k] - mirrored));
    }
  }
  return largest;
}

const run = (world: World, steps: number): void => {
  for (let n = 0; n < steps; n++) world.step();
};

test('a square pinned at its centre drapes symmetrically to both middle lines', () => {
  const sheet = createSheet(
    createRectangle('alternating', 0.6, 0.6, 0.05),
    CLOTH,
    { damping: { mass: 4, stiffness: 0 } },
    (a, b) => [a, 0, b],
  );
  const pins = findVertices(sheet, (a, b) => Math.hypot(a - 0.3, b - 0.3) < 0.06);
  const drivers = pins.map((label) => createPin({ model: sheet, label }));
  const world = new World({ models: [sheet], drivers, timeStep: 0.01 });
  run(world, 30);
  const [corner] = findVertices(sheet, (a, b) => a < 1e-9 && b < 1e-9);
  expect(sheet.state.q[STRIDE * corner + 1]).toBeLessThan(-0.1);
  expect(measureAsymmetry(sheet, 0.6, 0)).toBeLessThan(1e-6);
  expect(measureAsymmetry(sheet, 0.6, 1)).toBeLessThan(1e-6);
});

test('a square hung by two corners swings symmetrically to its middle line', () => {
  const sheet = createSheet(createRectangle('alternating', 0.6, 0.6, 0.06), CLOTH, {}, (a, b) => [a, 0, b]);
  const pins = findVertices(sheet, (a, b) => b > 0.599 && (a < 1e-9 || a > 0.599));
  const drivers = pins.map((label) => createPin({ model: sheet, label }));
  const world = new World({ models: [sheet], drivers, timeStep: 0.01 });
  run(world, 30);
  const [corner] = findVertices(sheet, (a, b) => a < 1e-9 && b < 1e-9);
  expect(sheet.state.q[STRIDE * corner + 1]).toBeLessThan(-0.2);
  expect(measureAsymmetry(sheet, 0.6, 0)).toBeLessThan(1e-6);
});

test('a level sheet falls at √(2 ρ g/(ρ_air C)) in still air, and an upright one √50 times as fast', () => {
  const air = { velocity: [0, 0, 0], airDensity: 1.2, dragCoefficient: 1.2 } as const;
  const exact = Math.sqrt((2 * 0.2 * 9.81) / (1.2 * 1.2));
  for (const isUpright of [false, true]) {
    const sheet = createSheet(createRectangle('refined', 0.5, 0.4, 0.1), CLOTH, {}, (a, b) =>
      isUpright ? [a, b, 0] : [a, 0, b],
    );
    sheet.winds.push(air);
    const world = new World({
      models: [sheet],
      timeStep: isUpright ? 0.1 : 0.02,
      newtonIterations: 30,
      tolerance: 1e-7,
    });
    run(world, 100);
    const momentum = new Float64Array(6);
    sheet.addMomentum(momentum);
    const speed = -momentum[1] / (0.2 * 0.5 * 0.4);
    expect(speed / (isUpright ? exact * Math.sqrt(50) : exact)).toBeCloseTo(1, 4);
  }
});

test('a wind that blows as fast as a sheet flies does nothing to it', () => {
  const sheet = createSheet(createRectangle('refined', 0.5, 0.4, 0.1), CLOTH, { gravity: [0, 0, 0] });
  sheet.winds.push({ velocity: [3, -1, 2], airDensity: 1.2, dragCoefficient: 1.2 });
  const { v, count } = sheet.state;
  for (let i = 0; i < count; i++) v.set([3, -1, 2], STRIDE * i);
  const world = new World({ models: [sheet], timeStep: 0.01 });
  run(world, 20);
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) expect(v[STRIDE * i + k]).toBeCloseTo([3, -1, 2][k], 12);
});

test('a flag streams: in a wind its free end leaves the hanging position for one down the wind', () => {
  const place = (speed: number) => {
    const sheet = createSheet(
      createRectangle('alternating', 0.6, 0.4, 0.1),
      CLOTH,
      { damping: { mass: 1, stiffness: 0 } },
      (a, b) => [a, b, 0.1 * a * a],
    );
    const pins = findVertices(sheet, (a) => a < 1e-9);
    // not quite along the flag, so that it has a side to be pushed on
    sheet.winds.push({ velocity: [speed, 0, 0.1 * speed], airDensity: 1.2, dragCoefficient: 1.2 });
    const drivers = pins.map((label) => createPin({ model: sheet, label }));
    const world = new World({ models: [sheet], drivers, timeStep: 1 / 60 });
    run(world, 90);
    const free = findVertices(sheet, (a) => a > 0.599);
    return [0, 1, 2].map((k) => free.reduce((sum, i) => sum + sheet.state.q[STRIDE * i + k], 0) / free.length);
  };
  const [still, windy] = [place(0), place(15)];
  expect(still[0]).toBeLessThan(0.35);
  expect(windy[0]).toBeGreaterThan(0.5);
  expect(windy[1]).toBeGreaterThan(still[1] + 0.1);
});
