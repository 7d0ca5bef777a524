/** Angular momentum that a step took and the world gives back: who gets it, and who is left alone. */
import type { SceneInput, World } from 'heddle';
import { INERTIA_LENGTH, isTurnable, type Model, type TurnableModel } from 'heddle/model';
import { createForce, World as Engine } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { build, MATERIALS } from '../laws/mixed-scenes.ts';

type SceneObject = SceneInput['objects'][number];

const ROD: SceneObject = {
  type: 'rod',
  id: 'rod',
  material: 'rubber',
  points: [[0.3, 0.1, 0], [0.42, 0.15, 0.03], [0.5, 0.1, 0]], // biome-ignore format: points
  segments: 6,
  refinement: false,
};
const STRAND: SceneObject = {
  type: 'strand',
  id: 'strand',
  material: 'cord',
  points: [[0.1, 0, 0.1], [0.2, 0.02, 0.12], [0.25, 0.1, 0.1]], // biome-ignore format: points
  nodes: 6,
};
const LOOP: SceneObject = {
  type: 'strand',
  id: 'loop',
  material: 'cord',
  points: [[0, 0, 0], [0.1, 0, 0.01], [0.1, 0.1, 0], [0, 0.1, -0.02]], // biome-ignore format: points
  closed: true,
  nodes: 9,
};
const SHEET: SceneObject = {
  type: 'sheet',
  id: 'sheet',
  material: 'cotton',
  shape: { type: 'rectangle', width: 0.2, height: 0.1, columns: 3, rows: 2 },
  position: [0.4, 0.3, -0.1],
};
const FABRIC: SceneObject = {
  type: 'fabric',
  id: 'fabric',
  position: [-0.3, 0.02, 0.08],
  layers: [{ pattern: { type: 'plain', warps: 4, wefts: 5, spacing: 0.02, crimp: 0 }, material: 'cord' }],
};
const GOO: SceneObject = {
  type: 'mpm',
  id: 'goo',
  spacing: 0.02,
  precision: 'double',
  parts: [
    {
      id: 'block',
      pattern: { type: 'fill', shape: { type: 'box', size: [0.06, 0.04, 0.04] } },
      material: { type: 'goo', density: 1000, youngsModulus: 5e4, poissonRatio: 0.3, yieldStress: 1e3, viscosity: 1 },
      position: [-0.24, 0.31, -0.21],
    },
  ],
};
const BOX: NonNullable<SceneInput['bodies']>[number] = {
  id: 'box',
  shape: { type: 'box', size: [0.1, 0.06, 0.04] },
  motion: 'dynamic',
  mass: 0.02,
  position: [0.3, -0.2, 0.1],
};

const createScene = (objects: readonly SceneObject[], more: Partial<SceneInput> = {}): SceneInput => ({
  heddle: 1,
  name: 'spin',
  title: 'Spin',
  gravity: [0, 0, 0],
  materials: MATERIALS,
  touching: { objects: [] },
  objects: [...objects],
  time: { step: 2e-3, duration: 1 },
  ...more,
});

const turnable = (model: Model): TurnableModel => {
  if (!isTurnable(model)) throw new Error(`${model.id} cannot be turned`);
  return model;
};
const momentumOf = (models: readonly Model[]): Float64Array => {
  const out = new Float64Array(6);
  for (const model of models) model.addMomentum(out);
  return out;
};
const inertiaOf = (models: readonly Model[]): Float64Array => {
  const out = new Float64Array(INERTIA_LENGTH);
  for (const model of models) turnable(model).addInertia(out);
  return out;
};
/** L about the centre of mass. */
const spinOf = (models: readonly Model[]): number[] => {
  const [p, m] = [momentumOf(models), inertiaOf(models)];
  return [0, 1, 2].map((k) => {
    const [a, b] = [(k + 1) % 3, (k + 2) % 3];
    return p[3 + k] - (m[1 + a] * p[b] - m[1 + b] * p[a]) / m[0];
  });
};
/** All turn about a point. */
const spin = (models: readonly Model[], [x, y, z]: readonly number[], [a, b, c]: readonly number[]): void => {
  const motion = Float64Array.of(c * y - b * z, a * z - c * x, b * x - a * y, a, b, c);
  for (const model of models) turnable(model).blendMotion(1, motion);
};
const changeOf = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(...Array.from(a, (value, k) => value - b[k])) / Math.hypot(...Array.from(b));
/** Relative change of the spin of models in 40 steps. */
const runFor = (world: World, models: readonly Model[] = world.models): number => {
  const before = spinOf(models);
  for (let n = 0; n < 40; n++) world.step();
  return changeOf(spinOf(models), before);
};

describe.each([
  ['rod', ROD],
  ['strand', STRAND],
  ['loop', LOOP],
  ['sheet', SHEET],
  ['fabric', FABRIC],
  ['continuum', GOO],
  ['body', undefined],
] as const)('a rigid motion of a %s', (_name, object) => {
  const scene = createScene(object ? [object] : [STRAND], { bodies: object ? [] : [BOX] });
  const model = () => {
    const { models } = build(scene);
    return turnable(models[models.length - 1]);
  };

  test('has the momentum and angular momentum that its inertia says', () => {
    const one = model();
    one.blendMotion(1, Float64Array.of(0.3, -0.2, 0.5, 0, 0, 0));
    const start = momentumOf([one]);
    const motion = Float64Array.of(0.1, 0.7, -0.4, 2, -3, 1.5);
    one.blendMotion(1, motion);
    const [V, w, m] = [motion.subarray(0, 3), motion.subarray(3), inertiaOf([one])];
    const tensor = [m[4], m[7], m[8], m[7], m[5], m[9], m[8], m[9], m[6]];
    const expected = [0, 1, 2].flatMap(
      (k) => m[0] * V[k] + w[(k + 1) % 3] * m[1 + ((k + 2) % 3)] - w[(k + 2) % 3] * m[1 + ((k + 1) % 3)],
    );
    for (let k = 0; k < 3; k++) {
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      const orbit = m[1 + a] * V[b] - m[1 + b] * V[a];
      expected.push(orbit + [0, 1, 2].reduce((sum, c) => sum + tensor[3 * k + c] * w[c], 0));
    }
    const added = momentumOf([one]).map((value, k) => value - start[k]);
    expect(changeOf(added, expected)).toBeLessThan(1e-13);
    expect(m[0]).toBeGreaterThan(1e-4);
  });

  test('and a share of it has that share of both', () => {
    const one = model();
    spin([one], [0, 0, 0], [2, -3, 1.5]);
    const start = momentumOf([one]);
    one.blendMotion(0.25, new Float64Array(6));
    expect(
      changeOf(
        momentumOf([one]),
        start.map((value) => 0.25 * value),
      ),
    ).toBeLessThan(1e-14);
  });
});

describe('what flies and turns', () => {
  test.each([ROD, STRAND, SHEET, FABRIC])('keeps its spin under its weight where it is asked to: $type', (object) => {
    const fly = (keepsAngularMomentum?: boolean): number => {
      const world = build(createScene([object], { gravity: [0, -9.81, 0], solver: { keepsAngularMomentum } }));
      spin(world.models, [0.2, 0, 0], [2, 12, -8]);
      return runFor(world);
    };
    expect(fly(true)).toBeLessThan(1e-12);
    expect(fly(false)).toBeGreaterThan(1e-4);
    expect(fly()).toBe(fly(false));
  });

  test('does not move what it has nothing to do with', () => {
    const still: SceneObject = { ...STRAND, id: 'still', points: [[0, 0.3, 0], [0.2, 0.3, 0]] }; // biome-ignore format: points
    const world = build(createScene([ROD, still]));
    const [rod, other] = world.models;
    spin([rod], [0.4, 0.1, 0], [2, 12, -8]);
    expect(runFor(world, [rod])).toBeLessThan(1e-12);
    for (const value of momentumOf([other])) expect(Math.abs(value)).toBeLessThan(1e-18);
  });

  test('goes on with the same bits when it was saved and loaded', () => {
    const scene = createScene([STRAND, SHEET, FABRIC], {
      bodies: [{ ...BOX, position: [0.25, 0.13, 0.1] }],
      drivers: [{ type: 'tie', on: { object: 'strand', at: 'end' }, body: 'box' }],
    });
    const [world, other] = [build(scene), build(scene)];
    spin(world.models, [0.2, 0, 0], [2, 12, -8]);
    for (let n = 0; n < 10; n++) world.step();
    other.load(world.save());
    for (let n = 0; n < 10; n++) for (const one of [world, other]) one.step();
    expect(other.hash()).toBe(world.hash());
  });
});

describe('it is not given back to', () => {
  /** The same with and without being asked to keep it, to the bit. */
  const expectLeftAlone = (create: (keepsAngularMomentum: boolean) => World): void => {
    const [asked, other] = [create(true), create(false)];
    for (const world of [asked, other]) {
      spin([world.models[0]], [0.1, 0, 0.1], [1, 5, -8]);
      for (let n = 0; n < 20; n++) world.step();
    }
    expect(asked.hash()).toBe(other.hash());
  };
  const sceneOf =
    (more: Partial<SceneInput>, objects = [STRAND]) =>
    (keepsAngularMomentum: boolean) =>
      build(createScene(objects, { ...more, solver: { keepsAngularMomentum } }));

  test('what is held', () => {
    expectLeftAlone(sceneOf({ drivers: [{ type: 'pin', on: { object: 'strand', at: 'start' } }] }));
  });

  test('what hangs on something that is held', () => {
    const tie = {
      type: 'tie' as const,
      on: { object: 'strand', at: 'end' as const },
      to: { object: 'line', at: 'start' as const },
    };
    const line: SceneObject = { ...STRAND, id: 'line', points: [[0.25, 0.1, 0.1], [0.25, 0.3, 0.1]] }; // biome-ignore format: points
    expectLeftAlone(sceneOf({ drivers: [tie, { type: 'pin', on: { object: 'line', at: 'end' } }] }, [STRAND, line]));
  });

  test('what a couple of forces turns, whose sum is nothing', () => {
    const push = (at: 'start' | 'end', y: number) =>
      ({ type: 'force', on: { object: 'strand', at }, value: [0, y, 0] }) as const;
    expectLeftAlone(sceneOf({ drivers: [push('start', 0.01), push('end', -0.01)] }));
  });

  test('what is braked, or blown at', () => {
    expectLeftAlone(sceneOf({}, [{ ...STRAND, damping: { mass: 1, stiffness: 0 } }]));
    expectLeftAlone(sceneOf({ drivers: [{ type: 'wind', velocity: [1, 0, 0], from: 0, until: 1 }] }));
  });

  test('what lies on something that does not move', () => {
    const floor = {
      id: 'floor',
      shape: { type: 'plane' as const },
      position: [0, -0.002, 0] as [number, number, number],
    };
    expectLeftAlone(sceneOf({ bodies: [floor], gravity: [0, -9.81, 0] }, [{ ...STRAND, points: [[0, 0, 0], [0.3, 0, 0]] }])); // biome-ignore format: points
  });

  test('a world whose only drivers push from outside', () => {
    const { models } = build(createScene([STRAND]));
    const drivers = [createForce({ model: models[0] as never, label: 0 }, [0, 0, 0])];
    const world = new Engine({ models, drivers, timeStep: 2e-3 });
    spin(models, [0.1, 0, 0.1], [1, 5, -8]);
    expect(runFor(world)).toBeGreaterThan(1e-5);
  });
});
