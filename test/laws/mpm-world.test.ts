/** Continua in worlds: bodies that they meet, and the scripts of those. */
import { compile, type SceneInput, validateScene, type World } from 'heddle';
import { describe, expect, test } from 'vitest';

const CLOTH = { type: 'surface', preset: 'cloth-curtain', thickness: 0.02 } as const;
const SAND = { type: 'sand', density: 1500, youngsModulus: 1e5, frictionAngle: 30 } as const;

function readProbes(world: World): Record<string, number> {
  const values = new Float64Array(world.probeColumns.length);
  world.writeProbes(values);
  return Object.fromEntries(world.probeColumns.map((column, i) => [column, values[i]]));
}

const build = (scene: Omit<SceneInput, 'heddle' | 'name' | 'title'>): World =>
  compile(validateScene({ heddle: 1, name: 'law', title: 'Law', ...scene }));

describe.each([
  // 0.03 kg m/s and 0.03 kg · 0.1 m · 1 m/s; sums of some thousand terms
  { precision: 'double', linear: 1e-14, angular: 1e-15 },
  { precision: 'single', linear: 3e-9, angular: 3e-10 },
] as const)('a box that meets a sheet of particles, $precision', ({ precision, linear, angular }) => {
  // off the middle and with spin: the sheet turns, and the ball changes its spin by friction
  const world = build({
    gravity: [0, 0, 0],
    objects: [
      {
        type: 'mpm',
        id: 'grid',
        spacing: 0.05,
        precision,
        parts: [
          {
            id: 'cloth',
            pattern: { type: 'rectangle', width: 0.6, height: 0.6, columns: 16, rows: 16 },
            material: CLOTH,
            velocity: [0, 0.3, 0.1],
          },
        ],
      },
    ],
    bodies: [
      {
        id: 'ball',
        shape: { type: 'box', size: [0.3, 0.16, 0.2] },
        position: [0.07, 0.15, -0.04],
        motion: 'dynamic',
        mass: 0.03,
        velocity: [0, -1, 0],
        angularVelocity: [0, 0, 5],
        friction: 0.5,
      },
    ],
    probes: [
      { id: 'p', type: 'momentum' },
      { id: 'L', type: 'angularMomentum' },
      { id: 'ball', type: 'body', body: 'ball' },
    ],
    time: { step: 2e-3, duration: 0.1 },
  });
  const start = readProbes(world);
  for (let n = 0; n < 50; n++) world.step();
  const end = readProbes(world);

  test('keeps both momenta', () => {
    // the ball did meet it
    expect(Math.abs(end['ball.vy'] - start['ball.vy'])).toBeGreaterThan(0.05);
    expect(Math.abs(end['ball.wz'] - start['ball.wz'])).toBeGreaterThan(0.5);
    for (const axis of ['x', 'y', 'z']) {
      expect(Math.abs(end[`p.${axis}`] - start[`p.${axis}`])).toBeLessThan(linear);
      expect(Math.abs(end[`L.${axis}`] - start[`L.${axis}`])).toBeLessThan(angular);
    }
  });
});

test('a ball ten thousand times lighter than what it is thrown at comes to rest there, in steps of 10 ms', () => {
  const world = build({
    objects: [
      {
        type: 'mpm',
        id: 'grid',
        spacing: 0.05,
        parts: [
          {
            id: 'block',
            pattern: { type: 'fill', shape: { type: 'box', size: [0.5, 0.2, 0.5] } },
            material: {
              type: 'goo',
              density: 1000,
              youngsModulus: 5e4,
              poissonRatio: 0.3,
              yieldStress: 1e9,
              viscosity: 0,
              dampingTime: 1e-3,
            },
            position: [0, 0.1, 0],
          },
        ],
        bodies: [{ body: 'floor', condition: 'sticky' }, { body: 'ball' }],
      },
    ],
    bodies: [
      { id: 'floor', shape: { type: 'plane' } },
      {
        id: 'ball',
        shape: { type: 'sphere', radius: 0.1 },
        position: [0, 0.36, 0],
        motion: 'dynamic',
        mass: 0.005,
        velocity: [0, -6, 0],
        friction: 0.3,
      },
    ],
    probes: [{ id: 'ball', type: 'body', body: 'ball' }],
    time: { step: 0.01, duration: 0.6 },
  });
  let fastest = 0;
  for (let n = 0; n < 60; n++) {
    world.step();
    fastest = Math.max(fastest, readProbes(world)['ball.vy']);
  }
  const end = readProbes(world);
  // 42 m/s where its velocity does not change within a step; it lies on the block, which is 0.2 m high, to a cell
  expect(fastest).toBeLessThan(1);
  expect(Math.abs(end['ball.vy'])).toBeLessThan(0.05);
  expect(end['ball.y']).toBeGreaterThan(0.28);
  expect(end['ball.y']).toBeLessThan(0.37);
});

test('the force on the floor is the weight of the sand that rests on it', () => {
  const world = build({
    objects: [
      {
        type: 'mpm',
        id: 'grid',
        spacing: 0.05,
        parts: [
          {
            id: 'sand',
            pattern: { type: 'fill', shape: { type: 'box', size: [0.3, 0.1, 0.3] } },
            material: { ...SAND, dampingTime: 1e-3 },
            position: [0, 0.05, 0],
          },
        ],
        bodies: [{ body: 'floor', condition: 'sticky' }],
      },
    ],
    bodies: [{ id: 'floor', shape: { type: 'plane' } }],
    probes: [{ id: 'force', type: 'contactForce', body: 'floor' }],
    time: { step: 5e-3, duration: 1 },
  });
  let [sum, count] = [0, 0];
  for (let n = 0; n < 160; n++) {
    world.step();
    if (n < 80) continue;
    sum += readProbes(world)['force.y'];
    count++;
  }
  // the mean over 0.4 s, in which it still quivers
  const weight = 1500 * 0.3 * 0.1 * 0.3 * 9.81;
  expect(Math.abs(sum / count / -weight - 1)).toBeLessThan(0.01);
});

test('what a scripted body holds goes where it goes, whatever the step of the world', () => {
  const run = (step: number): Record<string, number> => {
    const world = build({
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'mpm',
          id: 'grid',
          spacing: 0.04,
          parts: [
            {
              id: 'cloth',
              pattern: { type: 'rectangle', width: 0.2, height: 0.2, columns: 8, rows: 8 },
              material: CLOTH,
            },
          ],
          bodies: [{ body: 'hand', condition: 'sticky' }],
        },
      ],
      bodies: [
        {
          id: 'hand',
          shape: { type: 'box', size: [0.5, 0.4, 0.5] },
          motion: 'scripted',
          keyframes: [
            { time: 0, position: [0, 0, 0] },
            { time: 0.05, position: [0.02, 0, 0], rotation: { axis: [0, 1, 0], angle: 0 } },
            { time: 0.2, position: [0.02, 0, 0], rotation: { axis: [0, 1, 0], angle: 60 } },
          ],
        },
      ],
      probes: [
        { id: 'c', type: 'position', on: { object: 'cloth' } },
        { id: 'corner', type: 'position', on: { object: 'cloth', worldBox: [[0.08, -1, 0.08], [1, 1, 1]] } }, // biome-ignore format: line
      ],
      time: { step, duration: 0.2 },
    });
    for (let n = 0; n < Math.round(0.2 / step); n++) world.step();
    return readProbes(world);
  };
  const [coarse, fine] = [run(0.04), run(0.002)];
  for (const values of [coarse, fine]) {
    expect(values['c.x']).toBeCloseTo(0.02, 6);
    expect(values['c.z']).toBeCloseTo(0, 6);
  }
  for (const axis of ['x', 'z']) expect(Math.abs(coarse[`corner.${axis}`] - fine[`corner.${axis}`])).toBeLessThan(1e-3);
});
