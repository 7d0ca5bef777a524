/** Continua that touch strands, rods, fabrics and sheets: their nodes are guests in the grid. */
import { compile, isNodeModel, type SceneInput, validateScene, type World } from 'heddle';
import { describe, expect, test } from 'vitest';

type SceneObject = SceneInput['objects'][number];

const CORD = { density: 1000, radius: 5e-3, youngsModulus: 1e6 } as const;
const OTHERS: Readonly<Record<string, SceneObject>> = {
  strand: { type: 'strand', id: 'it', points: [[-0.3, 0, 0], [0.3, 0, 0]], nodes: 20, mode: 'lagrangian', material: CORD }, // biome-ignore format: points
  rod: { type: 'rod', id: 'it', points: [[-0.3, 0, 0], [0.3, 0, 0]], segments: 20, mode: 'lagrangian', material: { ...CORD, poissonRatio: 0.3 } }, // biome-ignore format: points
  sheet: {
    type: 'sheet',
    id: 'it',
    shape: { type: 'rectangle', width: 0.4, height: 0.4, columns: 8, rows: 8 },
    origin: [0.2, 0.2],
    position: [0, 0, 0],
    mode: 'lagrangian',
    material: 'cotton',
  },
  fabric: {
    type: 'fabric',
    id: 'it',
    layers: [
      {
        pattern: { type: 'plain', warps: 9, wefts: 9, spacing: 0.03 },
        material: { linearDensity: 0.02, radius: 4e-3, stretchStiffness: 1000, bendingStiffness: 1e-6, friction: 0.3 },
      },
    ],
  },
};

/** A box of sand, by its full sizes. */
const createSand = (size: [number, number, number]) =>
  ({
    id: 'sand',
    pattern: { type: 'fill', shape: { type: 'box', size } },
    material: { type: 'sand', density: 1000, youngsModulus: 1e5, frictionAngle: 30 },
  }) as const;

const readProbes = (world: World): Record<string, number> => {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return Object.fromEntries(world.probeColumns.map((column, i) => [column, values[i]]));
};

const build = (scene: Omit<SceneInput, 'heddle' | 'name' | 'title'>): World =>
  compile(validateScene({ heddle: 1, name: 'law', title: 'Law', ...scene }));

describe.each(Object.keys(OTHERS))('sand that is thrown at a free %s', (kind) => {
  test.each([
    // of 0.6 kg m/s
    ['double', 5e-13, undefined],
    ['single', 1e-7, undefined],
    ['double', 5e-13, 0.2],
  ] as const)('keeps linear momentum with it, %s, friction %s', (precision, tolerance, touchingFriction) => {
    const world = build({
      gravity: [0, 0, 0],
      objects: [
        OTHERS[kind],
        {
          type: 'mpm',
          id: 'grid',
          spacing: 0.04,
          precision,
          touching: ['it'],
          touchingFriction,
          parts: [
            {
              ...createSand([0.08, 0.08, 0.08]),
              position: [0.02, 0.09, 0.01],
              velocity: [0.3, -1.2, 0],
            },
          ],
        },
      ],
      probes: [
        { id: 'p', type: 'momentum' },
        { id: 'it', type: 'momentum', object: 'it' },
        { id: 'energy', type: 'energy' },
      ],
      time: { step: 2e-3, duration: 1 },
      // fabrics keep momentum as far as their iterations go
      ...(kind === 'fabric' && { solver: { newtonIterations: 30, tolerance: 1e-10 } }),
    });
    const start = readProbes(world);
    for (let n = 0; n < (kind === 'fabric' ? 12 : 20); n++) world.step();
    const end = readProbes(world);
    for (const axis of ['x', 'y', 'z']) expect(Math.abs(end[`p.${axis}`] - start[`p.${axis}`])).toBeLessThan(tolerance);
    // it was hit, and dragged along, at the price of energy
    expect(end['it.y']).toBeLessThan(-1e-3);
    expect(end['it.x']).toBeGreaterThan(touchingFriction === undefined ? 1e-4 : 2e-5);
    expect(end['energy.total']).toBeLessThan(start['energy.total']);
  });
});

test('what lies on a sheet is borne by what holds the sheet, and lies on it', () => {
  const sides = ['left', 'right', 'top', 'bottom'] as const;
  const world = build({
    objects: [
      {
        type: 'sheet',
        id: 'sheet',
        shape: { type: 'rectangle', width: 0.3, height: 0.3, columns: 8, rows: 8 },
        origin: [0.15, 0.15],
        position: [0, 0, 0],
        mode: 'lagrangian',
        material: { arealDensity: 2, thickness: 2e-3, youngsModulus: 1e6, poissonRatio: 0.3 },
        damping: { mass: 10, stiffness: 0.01 },
      },
      {
        type: 'mpm',
        id: 'grid',
        spacing: 0.04,
        touching: ['sheet'],
        parts: [
          {
            ...createSand([0.16, 0.06, 0.16]),
            position: [0, 0.06, 0],
          },
        ],
      },
    ],
    drivers: sides.map((side) => ({ type: 'pin', on: { object: 'sheet', side } }) as const),
    probes: [
      ...sides.map((side) => ({ id: side, type: 'constraintForce', on: { object: 'sheet', side } }) as const),
      { id: 'sand', type: 'bounds', object: 'sand' },
      { id: 'middle', type: 'position', on: { object: 'sheet', at: [0.15, 0.15] } },
    ],
    time: { step: 2e-3, duration: 1 },
  });
  for (let n = 0; n < 200; n++) world.step();
  let [force, gap] = [0, 0];
  for (let n = 0; n < 100; n++) {
    world.step();
    const probes = readProbes(world);
    for (const side of sides) force += probes[`${side}.y`] / 100;
    gap = Math.max(gap, Math.abs(probes['sand.minY'] - probes['middle.y']));
  }
  const weight = (0.16 * 0.16 * 0.06 * 1000 + 2 * 0.09) * 9.81;
  // it swings a little
  expect(Math.abs(force / weight - 1)).toBeLessThan(0.015);
  // within a cell
  expect(gap).toBeLessThan(0.04);
});

test('a run of coupled particles that is saved and loaded continues with the same bits', () => {
  const scene: Omit<SceneInput, 'heddle' | 'name' | 'title'> = {
    objects: [
      OTHERS.fabric,
      {
        type: 'mpm',
        id: 'grid',
        spacing: 0.04,
        touching: ['it'],
        parts: [
          {
            ...createSand([0.08, 0.08, 0.08]),
            position: [0, 0.06, 0],
            velocity: [0, -1, 0],
          },
        ],
      },
    ],
    time: { step: 2e-3, duration: 1 },
  };
  const [one, other] = [build(scene), build(scene)];
  for (let n = 0; n < 12; n++) one.step();
  other.load(one.save());
  for (let n = 0; n < 5; n++) {
    one.step();
    other.step();
  }
  expect(other.hash()).toBe(one.hash());
});

/** On a block that is held below, in a weight that leans by `slope`: v along it, in the middle of the run and at its end [m/s]. */
function slide(it: SceneObject, touchingFriction: number, slope: number): readonly [number, number] {
  const angle = (slope * Math.PI) / 180;
  const world = build({
    gravity: [9.81 * Math.sin(angle), -9.81 * Math.cos(angle), 0],
    bodies: [{ id: 'floor', shape: { type: 'plane' } }],
    objects: [
      it,
      {
        type: 'mpm',
        id: 'grid',
        spacing: 0.02,
        touching: ['it'],
        touchingFriction,
        bodies: [{ body: 'floor', condition: 'sticky' }],
        parts: [
          {
            id: 'block',
            // even, since what is uneven is rough as well
            pattern: { type: 'fill', jitter: 0, shape: { type: 'box', size: [0.28, 0.06, 0.16] } },
            material: { type: 'goo', density: 1500, youngsModulus: 5e5, yieldStress: 1e9, viscosity: 1 },
            position: [0, 0.04, 0],
          },
        ],
      },
    ],
    probes: [{ id: 'p', type: 'momentum', object: 'it' }],
    time: { step: 2e-3, duration: 1 },
  });
  const model = world.models.find(({ id }) => id === 'it')!;
  if (!isNodeModel(model)) throw new Error('it has no nodes');
  const speeds: number[] = [];
  for (let n = 1; n <= 120; n++) {
    world.step();
    if (n >= 70) speeds.push(readProbes(world)['p.x'] / model.computeMass());
  }
  return [speeds[0], speeds[50]];
}

const BAR = { density: 4000, radius: 6e-3, youngsModulus: 1e9, poissonRatio: 0.3 } as const;
const SLIDERS: Readonly<Record<string, SceneObject>> = {
  sheet: {
    type: 'sheet',
    id: 'it',
    shape: { type: 'rectangle', width: 0.12, height: 0.08, columns: 6, rows: 4 },
    origin: [0.06, 0.04],
    position: [0, 0.084, 0],
    mode: 'lagrangian',
    material: { arealDensity: 8, thickness: 4e-3, youngsModulus: 1e7, poissonRatio: 0.3 },
    damping: { mass: 0, stiffness: 0.005 },
  },
  'strand along': {
    type: 'strand',
    id: 'it',
    points: [[-0.06, 0.084, 0], [0.06, 0.084, 0]], // biome-ignore format: points
    nodes: 7,
    mode: 'lagrangian',
    material: BAR,
    damping: { mass: 0, stiffness: 0.005 },
  },
  'rod across': {
    type: 'rod',
    id: 'it',
    points: [[0, 0.084, -0.05], [0, 0.084, 0.05]], // biome-ignore format: points
    segments: 6,
    mode: 'lagrangian',
    refinement: false,
    material: BAR,
    damping: { mass: 0, stiffness: 0.005 },
  },
};

// μ = tan 16.7°
describe.each(Object.keys(SLIDERS))('a %s on a slope, friction 0.3', (kind) => {
  test('slides 0.8° above the angle of friction with g (sin θ − μ cos θ)', () => {
    const [middle, end] = slide(SLIDERS[kind], 0.3, 17.5);
    const angle = (17.5 * Math.PI) / 180;
    // a = g (sin θ − μ cos θ); the block sways a little
    const friction = Math.tan(angle) - (end - middle) / 0.1 / (9.81 * Math.cos(angle));
    expect(Math.abs(friction / 0.3 - 1)).toBeLessThan(0.01);
  });

  test('comes to rest 0.8° below it', () => {
    const [middle, end] = slide(SLIDERS[kind], 0.3, 15.9);
    expect(end).toBeLessThan(0.01);
    expect(end).toBeLessThan(0.5 * middle);
  });
});
