/**
 * Bodies that forces move, thrown at strands: on smooth ones L-nodes come, slide and leave, on those with edges E-nodes, which
 * also go over corners, while body and strand push each other. What one gets the other loses.
 */
import type { World } from 'heddle';
import { expect, test } from 'vitest';
import { distance, readProbe, readVector } from './measure.ts';
import {
  type BodyInput,
  computeDepth,
  countContacts,
  countEdges,
  createWorld,
  G,
  ROPE,
  type Vector,
} from './touch-scenes.ts';

const LENGTH = 0.8;

const SMOOTH: [string, BodyInput][] = [
  ['sphere', { id: 'body', shape: { type: 'sphere', radius: 0.1 }, position: [0.05, 0.12, 0.01] }],
  [
    'capsule',
    {
      id: 'body',
      shape: { type: 'capsule', radius: 0.08, length: 0.15 },
      position: [0.05, 0.14, 0.01],
      rotation: { axis: [0.3, 0, 1], angle: 70 },
      angularVelocity: [1, 2, -1],
    },
  ],
  [
    'cylinder',
    {
      id: 'body',
      shape: { type: 'cylinder', radius: 0.08, length: 0.3 },
      position: [0.05, 0.11, 0.01],
      rotation: { axis: [1, 0, 0.1], angle: 80 },
      angularVelocity: [1, 2, -1],
    },
  ],
];

/** A drum of 16 flat sides: what is smooth above has many edges here. */
const DRUM = Array.from({ length: 16 }, (_, i) =>
  [-0.15, 0.15].map((y): Vector => [0.08 * Math.cos((i * Math.PI) / 8), y, 0.08 * Math.sin((i * Math.PI) / 8)]),
).flat();

const EDGED: [string, BodyInput][] = [
  [
    'box',
    {
      id: 'body',
      shape: { type: 'box', size: [0.14, 0.14, 0.3] },
      position: [0.05, 0.14, 0.01],
      rotation: { axis: [0.1, 0, 1], angle: 30 },
      angularVelocity: [1, 2, -1],
    },
  ],
  [
    'drum of flat sides',
    {
      id: 'body',
      shape: { type: 'convex', points: DRUM },
      position: [0.05, 0.11, 0.01],
      rotation: { axis: [1, 0, 0.1], angle: 80 },
      angularVelocity: [1, 2, -1],
    },
  ],
];

/** A strand along x without weight, and a body thrown at it; nothing else. */
function createThrow(body: BodyInput, friction: number, step: number, newtonIterations: number): World {
  return createWorld({
    gravity: [0, 0, 0],
    bodies: [{ velocity: [0.1, -2, 0.3], ...body, motion: 'dynamic', mass: 0.2 }],
    objects: [
      {
        type: 'strand',
        id: 'rope',
        material: { ...ROPE, friction },
        points: [
          [-LENGTH / 2, 0, 0],
          [LENGTH / 2, 0.001, 0],
        ],
        nodes: 21,
      },
    ],
    probes: [
      { id: 'p', type: 'momentum' },
      { id: 'L', type: 'angularMomentum' },
      { id: 'body', type: 'body', body: 'body' },
    ],
    time: { step, duration: 1 },
    solver: { newtonIterations },
  });
}

/** Largest changes while a body hits a strand: of momenta and energy, relative; the most contacts, E-nodes, and depth. */
function measureThrow(world: World, duration: number) {
  const before = ['p', 'L'].map((id) => readVector(world, id));
  const start = world.energy().total;
  const most = { momentum: 0, angular: 0, energy: 0, depth: 0, contacts: 0, edges: 0 };
  for (let n = 0; n < Math.round(duration / world.timeStep); n++) {
    world.step();
    const [momentum, angular] = ['p', 'L'].map(
      (id, k) => distance(readVector(world, id), before[k]) / Math.hypot(...before[k]),
    );
    most.momentum = Math.max(most.momentum, momentum);
    most.angular = Math.max(most.angular, angular);
    most.energy = Math.max(most.energy, world.energy().total / start - 1);
    most.depth = Math.max(most.depth, computeDepth(world));
    most.contacts = Math.max(most.contacts, countContacts(world));
    most.edges = Math.max(most.edges, countEdges(world));
  }
  return most;
}

/*
 * Momentum: equations of strand and body are balances of momentum, M(q) v − M(q̂) v̂ = h (f + ∂T/∂q), and every row pushes both
 * alike. Without E-nodes the inertia of a strand does not depend on its place: momentum is kept to rounding, with one iteration too.
 * With E-nodes what is left is where Newton stops, a correction of ε of the node spacing Δ in a step, m ε Δ/h of momentum. With
 * ε = 1e-6, m = 0.04 kg, Δ = 4 cm and h = 1 ms that is 4e-9 of the body's 0.4 kg m/s in each of 60 steps; with ε = 1e-9, 1e-3 of it.
 * Angular momentum: implicit Euler itself changes it by h Σ m v' × v in a step, first order in h; the world gives that back, so that
 * what is left is the moment of what is left of momentum.
 */
const CASES = [1, 30].flatMap((iterations) => [4e-3, 2e-3, 1e-3].map((step) => [iterations, step] as const));

function checkThrow(world: World) {
  const most = measureThrow(world, 0.06);
  expect(readProbe(world, 'body.vy')).toBeGreaterThan(-1.95);
  expect(most.angular).toBeLessThan(20 * most.momentum + 1e-11);
  expect(most.energy).toBeLessThan(1e-9);
  expect(most.depth).toBeLessThan(1e-6 * LENGTH);
  return most;
}

for (const [name, body] of SMOOTH)
  for (const [iterations, step] of CASES)
    test(`a free ${name} thrown at a free strand: momentum is kept to rounding, energy does not grow, h = ${step} s, Newton ${iterations}`, () => {
      const most = checkThrow(createThrow(body, 0, step, iterations));
      expect(most.edges).toBe(0);
      expect(most.contacts).toBeGreaterThan(3);
      expect(most.momentum).toBeLessThan(1e-14);
    });

for (const [name, body] of EDGED)
  for (const [iterations, step] of CASES)
    test(`a free ${name} thrown at a free strand: momentum is kept to where Newton stops, energy does not grow, h = ${step} s, Newton ${iterations}`, () => {
      const most = checkThrow(createThrow(body, 0, step, iterations));
      expect(most.edges).toBeGreaterThan(0);
      expect(most.momentum).toBeLessThan(iterations === 1 ? 1e-6 : 1e-9);
    });

for (const [name, body] of SMOOTH)
  test(`a free ${name} and a free strand keep their momentum and gain no energy with friction, too`, () => {
    const most = measureThrow(createThrow(body, 0.3, 2e-3, 1), 0.05);
    expect(most.contacts).toBeGreaterThan(3);
    expect(most.momentum).toBeLessThan(1e-14);
    expect(most.energy).toBeLessThan(1e-9);
    expect(most.depth).toBeLessThan(1e-6 * LENGTH);
  });

const pin = (object: string) => (['start', 'end'] as const).map((at) => ({ type: 'pin', on: { object, at } }) as const);

for (const step of [2e-3, 1e-3])
  test(`a sphere dropped onto a taut strand bounces and gains no energy, h = ${step} s`, () => {
    const world = createWorld({
      gravity: [0, -G, 0],
      bodies: [
        { id: 'body', shape: { type: 'sphere', radius: 0.1 }, position: [0.05, 0.15, 0], motion: 'dynamic', mass: 0.2 },
      ],
      objects: [
        {
          type: 'strand',
          id: 'rope',
          material: ROPE,
          points: [
            [-LENGTH / 2, 0, 0],
            [LENGTH / 2, 0, 0],
          ],
          nodes: 21,
        },
      ],
      drivers: pin('rope'),
      probes: [{ id: 'body', type: 'body', body: 'body' }],
      time: { step, duration: 1 },
    });
    let [before, rise, lowest] = [world.energy().total, 0, 0];
    for (let n = 0; n < Math.round(0.4 / step); n++) {
      world.step();
      const { total } = world.energy();
      expect(total).toBeLessThan(before + 1e-6);
      before = total;
      expect(computeDepth(world)).toBeLessThan(1e-6 * LENGTH);
      rise = Math.max(rise, readProbe(world, 'body.vy'));
      lowest = Math.min(lowest, readProbe(world, 'body.vy'));
    }
    expect(lowest).toBeLessThan(-0.8);
    expect(rise).toBeGreaterThan(0.2);
    expect(rise).toBeLessThan(-lowest);
  });

test('a capsule laid on two slack strands comes to rest carried by them: contact forces = its weight', () => {
  const rope = (id: string, z: number) =>
    ({
      type: 'strand',
      id,
      material: { ...ROPE, friction: 0.4 },
      points: [
        [-0.4, 0, z],
        [0.4, 0, z],
      ] as Vector[],
      nodes: 17,
      restLength: 0.82,
      damping: { mass: 10, stiffness: 5e-3 },
    }) as const;
  const mass = 0.5;
  const world = createWorld({
    gravity: [0, -G, 0],
    bodies: [
      {
        id: 'body',
        shape: { type: 'capsule', radius: 0.05, length: 0.3 },
        position: [0, 0.06, 0],
        rotation: { axis: [1, 0, 0], angle: 90 },
        motion: 'dynamic',
        mass,
      },
    ],
    objects: [rope('a', -0.08), rope('b', 0.07)],
    drivers: [...pin('a'), ...pin('b')],
    probes: [
      { id: 'force', type: 'contactForce', body: 'body' },
      { id: 'body', type: 'body', body: 'body' },
    ],
    time: { step: 2e-3, duration: 2 },
  });
  let before = world.energy().total;
  for (let n = 0; n < 600; n++) {
    world.step();
    const { total } = world.energy();
    expect(total).toBeLessThan(before + 1e-6);
    before = total;
  }
  const force = readVector(world, 'force');
  expect(Math.abs(force[1] / (mass * G) - 1)).toBeLessThan(1e-2);
  expect(Math.abs(readProbe(world, 'body.vy'))).toBeLessThan(1e-2);
  for (const n of [0, 1]) expect(computeDepth(world, n)).toBeLessThan(1e-6 * LENGTH);
});
