/** Sheets that touch each other and themselves. */
import { Body, createShape } from 'heddle/bodies';
import type { Vec3 } from 'heddle/math';
import { CANCEL_POSITION, NODE_LAGRANGIAN } from 'heddle/model';
import { createSheetContacts, type Sheet } from 'heddle/sheet';
import { createPin, type Driver, World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { CLOTH, computeMomentum, createCloth, runWithoutPassing, STRIDE } from './sheet-contact-scenes.ts';

const G = 9.81;

const createFloor = (): Body => new Body({ id: 'floor', shape: createShape({ type: 'plane' }) });

describe('nothing passes through in the scene of', () => {
  for (const friction of [0, 0.4])
    test(`two sheets dropped on each other on a plane, friction ${friction}`, () => {
      const floor = createFloor();
      const options = { material: { ...CLOTH, friction }, obstacles: [floor] };
      const lower = createCloth('lower', [0.3, 0.3], [4, 4], (u, v) => [u, 0.0006, -v], options);
      const upper = createCloth('upper', [0.3, 0.3], [5, 3], (u, v) => [u + 0.06, 0.01 + 0.1 * u, -v - 0.05], options);
      for (let i = 0; i < upper.state.count; i++) upper.state.v[STRIDE * i + 1] = -1;
      const contacts = createSheetContacts([lower, upper]);
      const world = new World({ models: [lower, upper], bodies: [floor], couplings: [contacts], timeStep: 5e-3 });
      const { nearest } = runWithoutPassing(world, [lower, upper], 30);
      expect(contacts.pushing).toBeGreaterThan(8);
      expect(nearest).toBeGreaterThan(0.5 * CLOTH.thickness);
      // the upper one lies on the lower one where that is under it
      const { q } = upper.state;
      for (let i = 0; i < upper.state.count; i++)
        if (q[STRIDE * i] < 0.28 && q[STRIDE * i + 2] > -0.28)
          expect(q[STRIDE * i + 1]).toBeGreaterThan(1.4 * CLOTH.thickness);
    });

  test('a stack of three folded sheets', () => {
    const floor = createFloor();
    // folded over a width of 8 mm: the upper half lies back over the lower one
    const fold =
      (height: number) =>
      (u: number, v: number): Vec3 => {
        const [half, gap] = [0.1, 0.008];
        const back = half - 0.5 * Math.PI * 0.5 * gap;
        if (u < back) return [u, height, -v];
        if (u > 0.2 - back) return [0.2 - u, height + gap, -v];
        const angle = (u - back) / (0.5 * gap);
        return [back + 0.5 * gap * Math.sin(angle), height + 0.5 * gap * (1 - Math.cos(angle)), -v];
      };
    const sheets = [0, 1, 2].map((n) =>
      createCloth(`sheet ${n}`, [0.2, 0.1], [16, 2], fold(0.002 + 0.012 * n), {
        obstacles: [floor],
        damping: { mass: 4, stiffness: 0 },
      }),
    );
    const contacts = createSheetContacts(sheets);
    const world = new World({ models: sheets, bodies: [floor], couplings: [contacts], timeStep: 5e-3 });
    runWithoutPassing(world, sheets, 20);
    expect(contacts.pushing).toBeGreaterThan(20);
  });

  test('a sheet dropped on one that is drawn over the edge of a box by E-vertices', () => {
    const box = new Body({
      id: 'box',
      shape: createShape({ type: 'box', size: [0.2, 0.1, 0.4] }),
      position: [-0.1, -0.05, 0],
    });
    const material = { ...CLOTH, friction: 0.2 };
    const lower = createCloth('lower', [0.3, 0.2], [6, 4], (u, v) => [u - 0.15, 0.0006, 0.1 - v], {
      material,
      obstacles: [box],
      mode: 'eol',
    });
    const upper = createCloth('upper', [0.16, 0.12], [4, 3], (u, v) => [u - 0.06, 0.004 + 0.05 * u, 0.05 - v], {
      material,
    });
    for (let i = 0; i < upper.state.count; i++) upper.state.v[STRIDE * i + 1] = -0.5;
    const models = [lower, upper];
    const { q, label } = lower.state;
    const pins = [...label].filter((i) => q[STRIDE * i] < -0.149).map((i) => createPin({ model: lower, label: i }));
    const contacts = createSheetContacts(models);
    const world = new World({ models, bodies: [box], drivers: pins, couplings: [contacts], timeStep: 4e-3 });
    let sliding = 0;
    for (let n = 0; n < 30; n++) {
      runWithoutPassing(world, models, 1);
      if (contacts.pushing > 0)
        sliding = Math.max(sliding, lower.state.kind.filter((kind) => kind !== NODE_LAGRANGIAN).length);
    }
    expect(sliding).toBeGreaterThan(2);
  });

  test('a strip that folds on itself', () => {
    const floor = createFloor();
    // stands on its end, a little bent, and falls in on itself
    const strip = createCloth(
      'strip',
      [0.3, 0.02],
      [20, 1],
      (u, v) => [0.01 * Math.sin(25 * u), 0.001 + 0.97 * u, -v],
      { obstacles: [floor] },
    );
    const contacts = createSheetContacts([strip]);
    const world = new World({ models: [strip], bodies: [floor], couplings: [contacts], timeStep: 4e-3 });
    let pushing = 0;
    for (let n = 0; n < 6; n++) {
      runWithoutPassing(world, [strip], 10);
      pushing = Math.max(pushing, contacts.pushing);
    }
    expect(pushing).toBeGreaterThan(0);
    let top = 0;
    for (let i = 0; i < strip.state.count; i++) top = Math.max(top, strip.state.q[STRIDE * i + 1]);
    expect(top).toBeLessThan(0.25);
  });
});

describe('a sheet on a sheet held on an incline', () => {
  /** Speed down the slope after `time` [m/s]; the slope is in the direction of gravity. */
  const slide = (friction: number, slope: number, steps: number, h: number): { speed: number; moved: number } => {
    const gravity: Vec3 = [G * Math.sin(slope), -G * Math.cos(slope), 0];
    const material = { ...CLOTH, friction };
    const lower = createCloth('lower', [0.5, 0.3], [5, 3], (u, v) => [u, 0, -v], { material, gravity });
    const upper = createCloth('upper', [0.2, 0.2], [3, 3], (u, v) => [u + 0.09, CLOTH.thickness, -v - 0.04], {
      material,
      gravity,
    });
    const drivers = Array.from(lower.state.label, (label) => createPin({ model: lower, label }));
    const world = new World({
      models: [lower, upper],
      drivers,
      couplings: [createSheetContacts([lower, upper])],
      timeStep: h,
    });
    const start = upper.state.q[0];
    for (let n = 0; n < steps; n++) world.step();
    const momentum = new Float64Array(6);
    upper.addMomentum(momentum);
    return { speed: momentum[0] / (CLOTH.arealDensity * 0.04), moved: upper.state.q[0] - start };
  };

  test('stays below the angle of friction, tan α < μ', () => {
    for (const friction of [0.3, 0.6]) {
      const { speed, moved } = slide(friction, 0.97 * Math.atan(friction), 20, 5e-3);
      expect(Math.abs(speed)).toBeLessThan(1e-8);
      expect(Math.abs(moved)).toBeLessThan(1e-8);
    }
  });

  test('slides above it with g (sin α − μ cos α), its borders over vertices of the other', () => {
    for (const [friction, slope] of [
      [0.3, 1.05 * Math.atan(0.3)],
      [0.3, 0.5],
      [0, 0.2],
    ]) {
      const { speed } = slide(friction, slope, 24, 5e-3);
      const expected = G * (Math.sin(slope) - friction * Math.cos(slope)) * 24 * 5e-3;
      // friction of a step is off by a thousandth of the load at most, with either sign
      expect(Math.abs(speed - expected)).toBeLessThan(1e-4 * expected);
    }
  });
});

describe('two free sheets collide', () => {
  const create = (
    friction: number,
    h: number,
    integrator: 'euler' | 'sdirk2' = 'euler',
    keepsAngularMomentum = true,
  ) => {
    const options = { material: { ...CLOTH, friction }, gravity: [0, 0, 0] as Vec3 };
    const a = createCloth('a', [0.3, 0.3], [4, 4], (u, v) => [u, 0, -v], options);
    const b = createCloth('b', [0.3, 0.3], [3, 5], (u, v) => [u + 0.13, 0.003 + 0.1 * u, -v - 0.11], options);
    for (let i = 0; i < b.state.count; i++) b.state.v.set([0.3, -1, 0.1], STRIDE * i);
    const couplings = [createSheetContacts([a, b])];
    const world = new World({ models: [a, b], couplings, timeStep: h, integrator, keepsAngularMomentum });
    return { a, b, world };
  };

  for (const friction of [0, 0.5])
    test(`and keep their momentum and angular momentum, friction ${friction}`, () => {
      const { a, world } = create(friction, 2e-3);
      const before = computeMomentum(world);
      for (let n = 0; n < 30; n++) world.step();
      const after = computeMomentum(world);
      const given = new Float64Array(6);
      a.addMomentum(given);
      expect(given[1]).toBeLessThan(-0.1 * Math.abs(before[1]));
      for (let k = 0; k < 6; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-13);
    });

  for (const integrator of ['euler', 'sdirk2'] as const)
    test(`and gain no energy in any step (${integrator})`, () => {
      const { world } = create(0.2, 3e-3, integrator);
      const start = world.energy().total;
      let before = start;
      for (let n = 0; n < 15; n++) {
        world.step();
        const { total } = world.energy();
        expect(total).toBeLessThan(before + 1e-9 * start);
        before = total;
      }
      expect(before).toBeLessThan(0.95 * start);
    });

  test('and keep angular momentum that is not given back the better the shorter the step', () => {
    // measured: 4.0e-6, 1.0e-6, 1.1e-6, 0.9e-6, 0.6e-6, 0.3e-6 at 10, 4, 2, 1, 0.5, 0.25 ms
    const drifts = [1e-2, 1e-3, 2.5e-4].map((h) => {
      const { world } = create(0, h, 'euler', false);
      const before = computeMomentum(world);
      for (let n = 0; n < 0.02 / h; n++) world.step();
      const after = computeMomentum(world);
      return Math.hypot(after[3] - before[3], after[4] - before[4], after[5] - before[5]);
    });
    expect(drifts[1]).toBeLessThan(0.4 * drifts[0]);
    expect(drifts[2]).toBeLessThan(0.15 * drifts[0]);
    expect(drifts[0]).toBeLessThan(1e-5);
  });
});

test('the floor carries both of two sheets, one on the other', () => {
  const floor = createFloor();
  const options = { material: { ...CLOTH, friction: 0.3 }, obstacles: [floor] };
  const lower = createCloth('lower', [0.3, 0.3], [4, 4], (u, v) => [u, 0.5 * CLOTH.thickness, -v], options);
  const upper = createCloth(
    'upper',
    [0.2, 0.2],
    [3, 3],
    (u, v) => [u + 0.06, 1.5 * CLOTH.thickness, -v - 0.05],
    options,
  );
  const models = [lower, upper];
  const world = new World({ models, bodies: [floor], couplings: [createSheetContacts(models)], timeStep: 5e-3 });
  for (let n = 0; n < 4; n++) world.step();
  const weight = CLOTH.arealDensity * (0.09 + 0.04) * G;
  expect(Math.abs(lower.touch!.forces.force[1] + weight)).toBeLessThan(1e-6 * weight);
});

test('a step in which nothing can keep sheets from passing through each other is refused', () => {
  const lower = createCloth('lower', [0.2, 0.2], [2, 2], (u, v) => [u, 0, -v]);
  const upper = createCloth('upper', [0.2, 0.2], [2, 2], (u, v) => [u + 0.03, 0.01, -v - 0.04]);
  const models = [lower, upper];
  const hold = (sheet: Sheet, speed: number): Driver => ({
    prepare: () => {
      for (const label of sheet.state.label) sheet.holdNode(label, CANCEL_POSITION);
    },
    aim: () => {
      for (const label of sheet.state.label) sheet.aimNode(label, 1, speed);
    },
  });
  const create = (speed: number) =>
    new World({
      models,
      drivers: [hold(lower, 0), hold(upper, speed)],
      couplings: [createSheetContacts(models)],
      timeStep: 5e-3,
    });
  create(-1).step();
  expect(upper.state.q[1]).toBeCloseTo(0.005, 12);
  expect(() => create(-2).step()).toThrow(/pass through/);
  expect(upper.state.q[1]).toBeGreaterThan(0);
});

test('a saved state goes on to the same bits', () => {
  const create = () => {
    const floor = createFloor();
    const options = { material: { ...CLOTH, friction: 0.3 }, obstacles: [floor] };
    const lower = createCloth('lower', [0.3, 0.3], [3, 3], (u, v) => [u, 0.0006, -v], options);
    const upper = createCloth('upper', [0.3, 0.3], [3, 3], (u, v) => [u + 0.06, 0.004 + 0.05 * u, -v - 0.05], options);
    return new World({
      models: [lower, upper],
      bodies: [floor],
      couplings: [createSheetContacts([lower, upper])],
      timeStep: 5e-3,
    });
  };
  const world = create();
  for (let n = 0; n < 10; n++) world.step();
  const saved = world.save();
  for (let n = 0; n < 4; n++) world.step();
  const other = create();
  other.load(saved);
  for (let n = 0; n < 4; n++) other.step();
  expect(other.hash()).toBe(world.hash());
});
