/** Continua that drivers hold, move and push, and that the wind blows on. */
import { compile, type SceneInput, validateScene, World } from 'heddle';
import { ContinuumModel, type CurvePart } from 'heddle/mpm';
import { createPin } from 'heddle/world';
import { describe, expect, test } from 'vitest';

const G = 9.81;
const CLOTH = {
  type: 'surface',
  density: 100,
  thickness: 2e-3,
  youngsModulus: 2e4,
  poissonRatio: 0.3,
  normalStiffness: 1e4,
  shearStiffness: 200,
  frictionAngle: 20,
} as const;
const HAIR = {
  type: 'curve',
  density: 500,
  radius: 5e-3,
  youngsModulus: 1e4,
  poissonRatio: 0.3,
  fibreStiffness: 1e5,
  shearStiffness: 1e3,
  frictionAngle: 20,
} as const;
const SAND = { type: 'sand', density: 1500, youngsModulus: 1e5, frictionAngle: 30 } as const;
const RECTANGLE = { type: 'rectangle', width: 0.5, height: 0.5, columns: 10, rows: 10 } as const;

const VARIANTS = [
  { precision: 'single', integration: 'explicit' },
  { precision: 'double', integration: 'explicit' },
  { precision: 'double', integration: 'implicit' },
] as const;
type Variant = (typeof VARIANTS)[number];
type Part = Extract<SceneInput['objects'][number], { type: 'mpm' }>['parts'][number];

function readProbes(world: World): Record<string, number> {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return Object.fromEntries(world.probeColumns.map((column, i) => [column, values[i]]));
}

const build = (
  parts: Part[],
  variant: Partial<Variant>,
  scene: Omit<SceneInput, 'heddle' | 'name' | 'title' | 'objects' | 'time'> & { step?: number },
): World => {
  const { step = 4e-3, ...rest } = scene;
  return compile(
    validateScene({
      heddle: 1,
      name: 'law',
      title: 'Law',
      gravity: [0, -G, 0],
      objects: [{ type: 'mpm', id: 'grid', spacing: 0.05, parts, ...variant }],
      time: { step, duration: 10 },
      ...rest,
    }),
  );
};

/** Cloth, two hairs and, where steps are explicit, a box of sand beside each other, each held or pushed in a way of its own. */
const createMixed = (variant: Variant): World => {
  const isExplicit = variant.integration === 'explicit';
  const box: [[number, number, number], [number, number, number]] = [[1.1, -0.1, -0.1], [1.2, 0.1, 0.1]]; // biome-ignore format: box
  const sand: Part = {
    id: 'sand',
    pattern: { type: 'fill', shape: { type: 'box', size: [0.15, 0.15, 0.15] } },
    material: SAND,
    position: [1.2, 0, 0],
    velocity: [0.3, 0, 0.1],
  };
  return build(
    [
      { id: 'cloth', pattern: RECTANGLE, material: CLOTH, rotation: { axis: [1, 0, 0], angle: 60 } },
      {
        id: 'hair',
        pattern: { type: 'lines', lines: [[[0.4, 0, 0], [0.8, 0.1, 0]], [[0.4, 0, 0.06], [0.8, 0.1, 0.06]]], size: 0.04 }, // biome-ignore format: lines
        material: HAIR,
      },
      ...(isExplicit ? [sand] : []),
    ],
    variant,
    {
      drivers: [
        { type: 'pin', on: { object: 'cloth', corner: 'left-top' } },
        { type: 'velocity', on: { object: 'cloth', side: 'right' }, value: [0.4, 0.2, -0.1] },
        { type: 'fix', on: { object: 'hair', at: 'start' }, components: ['y'] },
        { type: 'force', on: { object: 'hair', at: 'end' }, value: [0.02, 0, 0.01] },
        ...(isExplicit
          ? [{ type: 'velocity', on: { object: 'sand', worldBox: box }, value: [0, 0.3, 0] } as const]
          : []),
      ],
      probes: [
        { id: 'p', type: 'momentum' },
        ...['cloth', 'hair', ...(isExplicit ? ['sand'] : [])].map(
          (object) => ({ id: object, type: 'constraintForce', on: { object } }) as const,
        ),
      ],
    },
  );
};

describe.each(VARIANTS)('$precision, $integration', (variant) => {
  test('the momentum of held particles changes by weight, pushes and holding forces', () => {
    const world = createMixed(variant);
    const isExplicit = variant.integration === 'explicit';
    const mass =
      CLOTH.density * CLOTH.thickness * 0.25 +
      2 * HAIR.density * Math.PI * HAIR.radius ** 2 * Math.hypot(0.4, 0.1) +
      (isExplicit ? SAND.density * 0.15 ** 3 : 0);
    const push = { x: 0.02, y: -mass * G, z: 0.01 };
    let before = readProbes(world);
    // of a momentum of about 1 kg m/s, with implicit steps and no sand 0.02; forces of some 300 N start the sand
    const tolerance = variant.precision === 'single' ? 1e-6 : isExplicit ? 1e-13 : 1e-9;
    for (let n = 0; n < (isExplicit ? 10 : 2); n++) {
      world.step();
      const now = readProbes(world);
      for (const axis of ['x', 'y', 'z'] as const) {
        const held = now[`cloth.${axis}`] + now[`hair.${axis}`] + (isExplicit ? now[`sand.${axis}`] : 0);
        expect(Math.abs(now[`p.${axis}`] - before[`p.${axis}`] - world.timeStep * (push[axis] + held))).toBeLessThan(
          tolerance,
        );
      }
      // what is held counts
      expect(world.timeStep * Math.abs(now['cloth.y'])).toBeGreaterThan(5e-4);
      before = now;
    }
  });
});

test.each(VARIANTS)(
  'what is held and lies on a dynamic body keeps the balance with it: $precision, $integration',
  (variant) => {
    const world = build(
      [{ id: 'cloth', pattern: { ...RECTANGLE, columns: 4, rows: 4, width: 0.2, height: 0.2 }, material: CLOTH, position: [0, 0.02, 0] }], // biome-ignore format: one line
      variant,
      {
        bodies: [{ id: 'box', shape: { type: 'box', size: [0.4, 0.1, 0.4] }, position: [0, -0.05, 0], motion: 'dynamic', mass: 0.1, velocity: [0, 0.3, 0], friction: 0.4 }], // biome-ignore format: one line
        drivers: [
          { type: 'velocity', on: { object: 'cloth', corner: 'left-top' }, value: [-0.5, 0, 0] },
          { type: 'pin', on: { object: 'cloth', corner: 'right-top' } },
        ],
        probes: [
          { id: 'p', type: 'momentum' },
          { id: 'f', type: 'constraintForce', on: { object: 'cloth' } },
          { id: 'push', type: 'contactForce', body: 'box' },
          { id: 'x', type: 'position', on: { object: 'cloth', corner: 'left-top' } },
        ],
      },
    );
    const weight = (0.1 + CLOTH.density * CLOTH.thickness * 0.04) * G;
    const start = readProbes(world);
    let before = start;
    for (let n = 0; n < 3; n++) {
      world.step();
      const now = readProbes(world);
      for (const axis of ['x', 'y', 'z']) {
        const force = now[`f.${axis}`] - (axis === 'y' ? weight : 0);
        expect(Math.abs(now[`p.${axis}`] - before[`p.${axis}`] - world.timeStep * force)).toBeLessThan(1e-8);
      }
      before = now;
    }
    expect(Math.abs(before['push.y'])).toBeGreaterThan(0.01);
    expect(before['x.x'] - start['x.x']).toBeCloseTo(-0.5 * world.time, 9);
  },
);

test('single and double precision agree to 1e-6 with all that holds and pushes', () => {
  const worlds = VARIANTS.slice(0, 2).map(createMixed);
  for (const world of worlds) for (let n = 0; n < 10; n++) world.step();
  const [single, double] = worlds.map((world) => world.frame().objects);
  single.forEach((object, part) => {
    let largest = 0;
    object.x.forEach((value, k) => {
      largest = Math.max(largest, Math.abs(value - double[part].x[k]));
    });
    expect(largest).toBeLessThan(1e-6);
  });
});

test('cloth held at two corners hangs with half of its weight on each', () => {
  const world = build(
    [
      {
        id: 'cloth',
        pattern: { ...RECTANGLE, columns: 6, rows: 6, width: 0.3, height: 0.3 },
        material: { ...CLOTH, dampingTime: 2e-3, memory: 0 },
        rotation: { axis: [1, 0, 0], angle: 90 },
      },
    ],
    {},
    {
      step: 0.01,
      drivers: [
        { type: 'pin', on: { object: 'cloth', corner: 'left-top' } },
        { type: 'pin', on: { object: 'cloth', corner: 'right-top' } },
      ],
      probes: [
        { id: 'left', type: 'constraintForce', on: { object: 'cloth', corner: 'left-top' } },
        { id: 'right', type: 'constraintForce', on: { object: 'cloth', corner: 'right-top' } },
        { id: 'x', type: 'position', on: { object: 'cloth', corner: 'left-top' } },
      ],
    },
  );
  const start = readProbes(world);
  for (let n = 0; n < 100; n++) world.step();
  // it goes on to swing a little: the mean over two seconds
  const mean: Record<string, number> = {};
  for (let n = 0; n < 200; n++) {
    world.step();
    for (const [column, value] of Object.entries(readProbes(world))) mean[column] = (mean[column] ?? 0) + value / 200;
  }
  const half = 0.5 * CLOTH.density * CLOTH.thickness * 0.09 * G;
  for (const corner of ['left', 'right']) expect(mean[`${corner}.y`] / half).toBeCloseTo(1, 2);
  // it pulls the corners together
  expect(mean['left.x']).toBeLessThan(-0.1 * half);
  expect(mean['left.x'] / mean['right.x']).toBeCloseTo(-1, 4);
  for (const axis of ['x', 'y', 'z']) expect(mean[`x.${axis}`]).toBeCloseTo(start[`x.${axis}`], 12);
});

// a strand has the tension E A (λ − 1); a curve that is stretched evenly is at rest but for its ends
test.each(VARIANTS.flatMap((variant) => [0.03, 0.12].map((strain) => ({ ...variant, strain }))))(
  'a curve stretched by $strain pulls with E A times that on what holds its ends: $precision, $integration',
  ({ strain, precision, integration }) => {
    const rest = Array.from(
      { length: 33 },
      (_, k) => (k % 3 === 0 ? 0.04 : k % 3 === 1 ? 0.02 : -0.01) * Math.floor(k / 3),
    );
    const part: CurvePart = {
      material: { ...HAIR, frictionAngle: 0.3 },
      x: rest.map((value) => value * (1 + strain)),
      rest,
      segments: Array.from({ length: 20 }, (_, k) => Math.ceil(k / 2)),
    };
    const model = new ContinuumModel({
      id: 'grid',
      spacing: 0.05,
      precision,
      implicit: integration === 'implicit',
      parts: [{ id: 'hair', part, look: { type: 'curves', start: Int32Array.of(0, 11) } }],
    });
    const { firstVertex } = model.continuum.points.groups[0];
    const drivers = [firstVertex, firstVertex + 10].map((label) => createPin({ model, label }));
    const world = new World({ models: [model], drivers, timeStep: 4e-3 });
    for (let n = 0; n < 5; n++) world.step();
    const tension = HAIR.fibreStiffness * Math.PI * HAIR.radius ** 2 * strain;
    for (const [end, sign] of [
      [0, -1],
      [10, 1],
    ]) {
      const [x, y, z] = model.holdForce.subarray(3 * (firstVertex + end), 3 * (firstVertex + end) + 3);
      expect(Math.hypot(x, y, z) / tension).toBeCloseTo(1, precision === 'single' ? 4 : 8);
      expect(Math.sign(x)).toBe(sign);
    }
  },
);

test('what a driver moves goes where it goes, and takes the rest along', () => {
  const box: [[number, number, number], [number, number, number]] = [[1.9, -0.1, -0.1], [1.98, 0.1, 0.1]]; // biome-ignore format: box
  const world = build(
    [
      { id: 'cloth', pattern: RECTANGLE, material: { ...CLOTH, dampingTime: 5e-3 } },
      {
        id: 'goo',
        pattern: { type: 'fill', shape: { type: 'box', size: [0.1, 0.1, 0.1] } },
        material: { type: 'goo', density: 1000, youngsModulus: 5e4, poissonRatio: 0.3, yieldStress: 1e9, viscosity: 0, dampingTime: 5e-3 }, // biome-ignore format: numbers
        position: [2, 0, 0],
      },
    ],
    {},
    {
      gravity: [0, 0, 0],
      step: 0.01,
      drivers: [
        { type: 'velocity', on: { object: 'cloth', side: 'left' }, value: [-0.3, 0.2, 0] },
        { type: 'velocity', on: { object: 'goo', worldBox: box }, value: [0, 0.2, 0] },
      ],
      probes: [
        { id: 'side', type: 'position', on: { object: 'cloth', side: 'left' } },
        { id: 'cloth', type: 'position', on: { object: 'cloth' } },
        { id: 'grip', type: 'position', on: { object: 'goo', worldBox: box } },
        { id: 'goo', type: 'position', on: { object: 'goo' } },
      ],
    },
  );
  const start = readProbes(world);
  for (let n = 0; n < 100; n++) world.step();
  const end = readProbes(world);
  const wayOf = (column: string): number => end[column] - start[column];
  expect(wayOf('side.x')).toBeCloseTo(-0.3, 9);
  expect(wayOf('side.y')).toBeCloseTo(0.2, 9);
  expect(wayOf('grip.y')).toBeCloseTo(0.2, 6);
  // they began at rest: they lag, or swing past it, by less than their own size
  expect(Math.abs(wayOf('cloth.x') + 0.3)).toBeLessThan(0.15);
  expect(Math.abs(wayOf('goo.y') - 0.2)).toBeLessThan(0.05);
});

// m v̇ = m g − ½ ρ C A v²:  v = v∞ tanh(g t/v∞),  v∞² = 2 m g/(ρ C A)
describe.each(VARIANTS.slice(0, 2))('falling in still air, $precision', (variant) => {
  const air = { type: 'wind', velocity: [0, 0, 0], airDensity: 1.2, dragCoefficient: 1.1 } as const;
  const LINE = { type: 'lines', lines: [[[0, 0, 0], [0.5, 0, 0]]], size: 0.05 } as const; // biome-ignore format: line

  test.each([
    ['cloth', { id: 'it', pattern: RECTANGLE, material: CLOTH }, CLOTH.density * CLOTH.thickness],
    ['a hair', { id: 'it', pattern: LINE, material: HAIR }, HAIR.density * 0.5 * Math.PI * HAIR.radius],
  ] as const)('%s has the speed of its weight over drag', (_, part, areal) => {
    const world = build([part as unknown as Part], variant, {
      drivers: [air],
      probes: [{ id: 'v', type: 'velocity', on: { object: 'it' } }],
      step: 0.02,
    });
    const limit = Math.sqrt((2 * areal * G) / (air.airDensity * air.dragCoefficient));
    for (let n = 1; n <= 50; n++) {
      world.step();
      // the drag of a substep is that of its start: first order in h g/v∞
      if (n % 10 === 0)
        expect(Math.abs(readProbes(world)['v.y'] / (-limit * Math.tanh((G * world.time) / limit)) - 1)).toBeLessThan(
          0.01,
        );
    }
    expect(Math.abs(readProbes(world)['v.x'])).toBeLessThan(1e-3);
  });
});

test('a wind that passes at 30° to a sheet pushes it by its law, as long as it blows', () => {
  const [speed, until] = [4, 0.01];
  const wind: [number, number, number] = [speed * Math.cos(Math.PI / 6), speed * Math.sin(Math.PI / 6), 0];
  const world = build(
    [{ id: 'it', pattern: RECTANGLE, material: { ...CLOTH, density: 5e4 } }],
    {},
    {
      gravity: [0, 0, 0],
      drivers: [{ type: 'wind', velocity: wind, airDensity: 1.2, dragCoefficient: 1.1, until }],
      probes: [{ id: 'p', type: 'momentum' }],
      step: 2e-3,
    },
  );
  for (let n = 0; n < 10; n++) world.step();
  // it is heavy: it hardly moves while the wind blows.  f = ½ ρ A |w| (C w_n + C/50 w_t)
  const impulse = 0.5 * 1.2 * 1.1 * 0.25 * speed * until;
  const { 'p.x': x, 'p.y': y, 'p.z': z } = readProbes(world);
  expect(y / (impulse * wind[1])).toBeCloseTo(1, 3);
  expect(x / ((impulse * wind[0]) / 50)).toBeCloseTo(1, 2);
  expect(Math.abs(z)).toBeLessThan(1e-5 * y);
});
