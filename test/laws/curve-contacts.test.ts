/**
 * Curves touch each other and themselves (`CurveContacts`), here strands: capsules of radius r keep 2r apart, rub by Coulomb's law, and
 * go through each other at no speed.
 */
import { createVelocity } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import {
  computeDistance,
  computeMomentum,
  createCurveWorld,
  RADIUS,
  ROPE,
  strand,
  type Vector,
} from './curve-scenes.ts';

const G = 9.81;
const H = 0.005;

describe.each([0.1, 1, 10, 100, 1000])('thrown at each other at %s m/s', (speed) => {
  test('curves do not pass through each other, and momentum is kept', () => {
    const ends: Vector[] = [
      [-0.3, 0.02, 0.01],
      [0.35, 0.03, -0.02],
    ];
    const a = strand('a', ends, 8, { velocity: [0.1 * speed, -speed, 0.05 * speed] });
    const b = strand(
      'b',
      [
        [0.02, 0, -0.3],
        [-0.03, -0.01, 0.4],
      ],
      9,
    );
    // at 1000 m/s a step is 10 m: five hundred diameters
    const { world, contacts, watch } = createCurveWorld([a, b], { self: true, timeStep: 0.01 });
    const before = computeMomentum(world);
    let pushing = 0;
    for (let n = 0; n < (speed < 1 ? 40 : 15); n++) {
      world.step();
      pushing = Math.max(pushing, contacts.pushing);
      expect(computeDistance(a, b)).toBeGreaterThan(0.8 * 2 * RADIUS);
    }
    const after = computeMomentum(world);
    expect(pushing).toBeGreaterThan(0);
    expect(watch.crossings).toBe(0);
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-12 * Math.abs(before[1]));
    // along the line between the closest points, so angular momentum is to the order of the step: the way of contact in it
    expect(Math.hypot(...after.slice(3).map((l, k) => l - before[3 + k]))).toBeLessThan(0.05 * Math.abs(before[1]));
  });
});

test('a curve that lies on two others rests at 2r, and they bear its weight', () => {
  const [mu, top] = [0.3, 2 * RADIUS + 0.001];
  const c = strand(
    'c',
    [
      [-0.2, top, 0.013],
      [0.2, top, -0.02],
    ],
    9,
    { gravity: [0, -G, 0], friction: mu, damping: { mass: 3, stiffness: 1e-3 } },
  );
  const a = strand(
    'a',
    [
      [-0.1, 0, -0.2],
      [-0.12, 0, 0.2],
    ],
    5,
    { friction: mu },
  );
  const b = strand(
    'b',
    [
      [0.11, 0, -0.2],
      [0.1, 0, 0.2],
    ],
    4,
    { friction: mu },
  );
  const { world, contacts } = createCurveWorld([a, b, c], {
    timeStep: H,
    drivers: [...a.pinAll(), ...b.pinAll()],
  });
  for (let n = 0; n < 600; n++) world.step();
  expect(world.energy().kinetic).toBeLessThan(1e-15);
  expect(contacts.pushing).toBe(2);
  for (const support of [a, b]) expect(Math.abs(computeDistance(support, c) / (2 * RADIUS) - 1)).toBeLessThan(1e-8);
  const weight = ROPE.linearDensity * c.state.restLength * G;
  // at rest to a part in 1e8: it still comes to rest, at the rate of its damping
  expect(Math.abs(c.computePush()[1] / weight - 1)).toBeLessThan(1e-7);
  expect(Math.abs((a.computePush()[1] + b.computePush()[1]) / weight + 1)).toBeLessThan(1e-7);
  const forces = contacts.forces();
  expect(forces.map(({ id, kind }) => [id, kind])).toEqual([
    ['a', 'contact'],
    ['b', 'contact'],
    ['c', 'contact'],
  ]);
  expect(Math.abs((forces[2].f[1] + forces[2].f[4]) / weight - 1)).toBeLessThan(1e-7);
});

// implicit Euler from rest: the way after n steps is ½ a h² n (n + 1); atan 0.3 = 16.7°
describe.each([14, 16.4, 17, 18, 30])('across two rails that slope by %s°, μ = 0.3', (degrees) => {
  test('a rod sticks below atan μ and slides with g (sin α − μ cos α) above', () => {
    const mu = 0.3;
    const [s, c] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
    const at = (along: number, above: number, z: number): Vector => [along * c + above * s, above * c - along * s, z];
    const a = strand('a', [at(-1, 0, -0.1), at(9, 0, -0.1)], 12, { friction: mu });
    const b = strand('b', [at(-1, 0, 0.1), at(9, 0, 0.12)], 13, { friction: mu });
    const rod = strand('rod', [at(0, 2 * RADIUS, -0.2), at(0.02, 2 * RADIUS, 0.25)], 8, {
      friction: mu,
      gravity: [0, -G, 0],
      material: { ...ROPE, bendingStiffness: 0.1 },
    });
    const { world } = createCurveWorld([a, b, rod], { timeStep: H, drivers: [...a.pinAll(), ...b.pinAll()] });
    const start = rod.computeCentre();
    const steps = 100;
    for (let n = 0; n < steps; n++) world.step();
    const end = rod.computeCentre();
    const way = (end[0] - start[0]) * c - (end[1] - start[1]) * s;
    const expected = Math.max(0, 0.5 * G * (s - mu * c) * H * H * steps * (steps + 1));
    // 0.06 mm: the rod bends under its weight when it is let go, and friction takes the normal force of the pass before
    expect(Math.abs(way - expected)).toBeLessThan(1e-4);
  });
});

test('a rod that lies between two parallel ones is borne all along, and does not rock', () => {
  const height = RADIUS * Math.sqrt(3);
  const row = (id: string, z: number, y: number, nodes: number, more = {}) =>
    strand(
      id,
      [
        [-0.3, y, z],
        [0.3, y, z],
      ],
      nodes,
      { friction: 0.3, ...more },
    );
  const a = row('a', 0, 0, 7);
  const b = row('b', 2 * RADIUS, 0, 9);
  const c = row('c', RADIUS, height, 6, { gravity: [0, -G, 0] });
  const { world, contacts } = createCurveWorld([a, b, c], { timeStep: H, drivers: [...a.pinAll(), ...b.pinAll()] });
  let kinetic = 0;
  for (let n = 0; n < 100; n++) {
    world.step();
    kinetic = Math.max(kinetic, world.energy().kinetic);
  }
  expect(kinetic).toBeLessThan(1e-20);
  expect(contacts.pushing).toBeGreaterThan(10);
  for (let i = 0; i < 6; i++) expect(Math.abs(c.chain.q[4 * i + 1] / height - 1)).toBeLessThan(1e-8);
  expect(Math.abs(c.computePush()[1] / (ROPE.linearDensity * 0.6 * G) - 1)).toBeLessThan(1e-6);
});

test('an overhand knot that is drawn tight stays a knot: nowhere it passes through itself, and it keeps 2r', () => {
  const size = 0.06;
  const points = Array.from({ length: 201 }, (_, k): Vector => {
    // a trefoil, cut where it is furthest out
    const t = Math.PI + 0.35 + (k / 200) * (2 * Math.PI - 0.7);
    const [x, y] = [Math.sin(t) + 2 * Math.sin(2 * t), Math.cos(t) - 2 * Math.cos(2 * t)];
    return [size * x, size * y, -0.6 * size * Math.sin(3 * t)];
  });
  const rope = strand('rope', points, 70, { friction: 0.1, damping: { mass: 10, stiffness: 1e-3 } });
  const { q, label, count } = rope.chain;
  const apart = [0, 1, 2].map((k) => q[4 * (count - 1) + k] - q[k]);
  const pull = (label: number, speed: number) => {
    const [x, y, z] = apart.map((d) => (speed * d) / Math.hypot(...apart));
    return createVelocity({ model: rope, label }, [x, y, z]);
  };
  const drivers = [pull(label[0], -0.3), pull(label[count - 1], 0.3)];
  const { world, contacts, watch } = createCurveWorld([rope], { self: true, timeStep: H, drivers });
  let least = Number.POSITIVE_INFINITY;
  while (world.maxStrain() < 0.02) {
    world.step();
    expect(world.time).toBeLessThan(4);
    // further apart along the rope than a bend is
    least = Math.min(least, computeDistance(rope, rope, 4));
  }
  expect(contacts.pushing).toBeGreaterThan(3);
  expect(watch.crossings).toBe(0);
  expect(least).toBeGreaterThan(0.9 * 2 * RADIUS);
  // held by the knot: without one it would be straight, as long as its ends are apart
  const ends = Math.hypot(...[0, 1, 2].map((k) => q[4 * (count - 1) + k] - q[k]));
  expect(ends).toBeLessThan(rope.state.restLength - 10 * RADIUS);
});
