/** Rigid bodies on strands, strands tied to each other, rings on bodies, contact with dynamic bodies. */
import type { SceneInput } from 'heddle';
import { describe, expect, test } from 'vitest';
import { createWorld, distance, measurePeriod, orderOf, readProbe, readVector, run } from './measure.ts';

type Strand = SceneInput['objects'][number];
type Vector = [number, number, number];
type Integrator = 'euler' | 'sdirk2';

describe('a body on a strand', () => {
  const hang = (theta: number, step: number, integrator: Integrator) => {
    const [m, length, g, EA, rho] = [0.5, 0.6, 9.81, 2e4, 1e-4];
    const end: Vector = [length * Math.sin(theta), -length * Math.cos(theta), 0];
    return createWorld({
      gravity: [0, -g, 0],
      objects: [
        {
          type: 'strand',
          id: 'rope',
          material: { radius: 0.001, linearDensity: rho, stretchStiffness: EA, bendingStiffness: 0 },
          points: [[0, 0, 0], end],
          restLength: length / (1 + (m * g) / EA),
          nodes: 7,
        },
      ],
      bodies: [{ id: 'bob', shape: { type: 'sphere', radius: 0.05 }, motion: 'dynamic', mass: m, position: end }],
      drivers: [
        { type: 'pin', on: { object: 'rope', at: 'start' } },
        { type: 'tie', on: { object: 'rope', at: 'end' }, body: 'bob' },
      ],
      probes: [
        { id: 'bob', type: 'body', body: 'bob' },
        { id: 'end', type: 'position', on: { object: 'rope', at: 'end' } },
        { id: 'top', type: 'constraintForce', on: { object: 'rope', at: 'start' } },
        { id: 'tie', type: 'constraintForce', on: { object: 'rope', at: 'end' } },
        { id: 'tension', type: 'tension', on: { object: 'rope', at: 'end' } },
      ],
      time: { step, duration: 100, integrator },
      solver: { newtonIterations: 20, tolerance: 1e-12 },
    });
  };

  test('pulls it down by m g, and the pin carries m g and the rope', () => {
    const world = hang(0, 0.01, 'euler');
    run(world, 400);
    const weight = 0.5 * 9.81;
    const rope = (1e-4 * 0.6 * 9.81) / (1 + weight / 2e4);
    expect(distance(readVector(world, 'tie'), [0, -weight, 0])).toBeLessThan(1e-9);
    expect(distance(readVector(world, 'top'), [0, weight + rope, 0])).toBeLessThan(1e-9);
    // the last segment carries the bob and half of itself
    expect(Math.abs(readProbe(world, 'tension') - weight - rope / 12)).toBeLessThan(1e-9);
    expect(distance(readVector(world, 'end'), readVector(world, 'bob'))).toBeLessThan(1e-15);
  });

  test('swings as a pendulum, T = 2π √(L/g) (1 + θ²/16): the bob does not turn', () => {
    const theta = 0.1;
    // the rope weighs μ = 1.2e-4 of the bob: ω² = (g/L) (1 + μ/2)/(1 + μ/3)
    const period = 2 * Math.PI * Math.sqrt(0.6 / 9.81) * (1 + theta ** 2 / 16) * (1 - 1.2e-4 / 12);
    const error = (steps: number) => {
      const world = hang(theta, period / steps, 'sdirk2');
      return measurePeriod(world, () => readProbe(world, 'bob.x'), 3) / period - 1;
    };
    const [coarse, fine] = [error(200), error(400)];
    expect(Math.abs(fine)).toBeLessThan(3e-5);
    expect(Math.abs(coarse)).toBeGreaterThan(2 * Math.abs(fine));
  });
});

describe('strands tied to each other', () => {
  const material = { radius: 0.001, linearDensity: 0.02, stretchStiffness: 300, bendingStiffness: 0 };
  const rope = (id: string, points: Vector[], nodes: number): Strand => ({
    type: 'strand',
    id,
    material,
    points,
    nodes,
  });

  for (const integrator of ['euler', 'sdirk2'] as const)
    test(`end to end move as one strand: ${integrator}`, () => {
      const settings = {
        time: { step: 0.002, duration: 1, integrator },
        solver: { newtonIterations: 20, tolerance: 1e-12 },
      };
      const gravity: Vector = [1.2, -9, 2];
      const one = createWorld({
        ...settings,
        gravity,
        objects: [rope('whole', [[0, 0, 0], [1.2, 0, 0]], 13)], // biome-ignore format: two points
        drivers: [{ type: 'pin', on: { object: 'whole', at: 'start' } }],
        probes: [{ id: 'top', type: 'constraintForce', on: { object: 'whole', at: 'start' } }],
      });
      const two = createWorld({
        ...settings,
        gravity,
        objects: [
          // the second runs the other way, so that ends of both kinds meet
          rope('lower', [[1.2, 0, 0], [0.4, 0, 0]], 9), // biome-ignore format: two points
          rope('upper', [[0, 0, 0], [0.4, 0, 0]], 5), // biome-ignore format: two points
        ],
        drivers: [
          { type: 'pin', on: { object: 'upper', at: 'start' } },
          { type: 'tie', on: { object: 'upper', at: 'end' }, to: { object: 'lower', at: 'end' } },
        ],
        probes: [{ id: 'top', type: 'constraintForce', on: { object: 'upper', at: 'start' } }],
      });
      for (let n = 0; n < 200; n++) {
        one.step();
        two.step();
        const whole = [...one.frame().objects[0].x];
        const [lower, upper] = two.frame().objects.map((object) => [...object.x]);
        const joined = [...upper];
        for (let i = 7; i >= 0; i--) joined.push(...lower.slice(3 * i, 3 * i + 3));
        expect(distance(joined, whole)).toBeLessThan(1e-9);
        expect(distance(lower.slice(24), upper.slice(12))).toBeLessThan(1e-12);
        expect(distance(readVector(two, 'top'), readVector(one, 'top'))).toBeLessThan(1e-7);
      }
    });

  test('a pin carries all that is tied to it, and stays where it is', () => {
    const world = createWorld({
      objects: [
        rope('a', [[0, 0, 0], [0, -0.5, 0]], 6), // biome-ignore format: two points
        rope('b', [[0, 0, 0], [0, -0.3, 0]], 4), // biome-ignore format: two points
        rope('c', [[0, 0, 0], [0, -0.7, 0]], 5), // biome-ignore format: two points
      ],
      drivers: [
        { type: 'pin', on: { object: 'a', at: 'start' } },
        { type: 'tie', on: { object: 'b', at: 'start' }, to: { object: 'a', at: 'start' } },
        { type: 'tie', on: { object: 'c', at: 'start' }, to: { object: 'b', at: 'start' } },
      ],
      probes: [
        { id: 'a', type: 'constraintForce', on: { object: 'a', at: 'start' } },
        { id: 'b', type: 'constraintForce', on: { object: 'b', at: 'start' } },
        { id: 'c', type: 'constraintForce', on: { object: 'c', at: 'start' } },
        { id: 'place', type: 'position', on: { object: 'c', at: 'start' } },
      ],
      time: { step: 0.02, duration: 10 },
    });
    run(world, 400);
    const weight = (length: number) => 0.02 * 9.81 * length;
    // what holds a: the pin and the tie, together its own weight; likewise b, which two ties hold
    expect(distance(readVector(world, 'a'), [0, weight(0.5), 0])).toBeLessThan(1e-9);
    expect(distance(readVector(world, 'b'), [0, weight(0.3), 0])).toBeLessThan(1e-9);
    expect(distance(readVector(world, 'c'), [0, weight(0.7), 0])).toBeLessThan(1e-9);
    expect(distance(readVector(world, 'place'), [0, 0, 0])).toBeLessThan(1e-12);
  });
});

describe('a strand slides through a ring on a free body', () => {
  const slide = (integrator: Integrator, step: number, keepsAngularMomentum = false, newtonIterations = 20) =>
    createWorld({
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'strand',
          id: 'rope',
          material: { radius: 0.001, linearDensity: 0.01, stretchStiffness: 1, bendingStiffness: 0 },
          points: [
            [-0.5, 0.1, 0],
            [0, 0, 0],
            [0.3, 0.4, 0.1],
          ],
          nodes: 7,
          slide: 0.1,
          velocity: [0.1, 0.5, -0.2],
          guides: [{ id: 'ring', point: [0, 0, 0], body: 'block' }],
        },
      ],
      bodies: [
        {
          id: 'block',
          shape: { type: 'box', size: [0.1, 0.06, 0.04] },
          motion: 'dynamic',
          mass: 0.02,
          position: [0.03, 0.01, 0],
          velocity: [0.2, 0, 0.1],
          angularVelocity: [1, 2, 0.5],
        },
      ],
      probes: [
        { id: 'p', type: 'momentum' },
        { id: 'L', type: 'angularMomentum' },
        { id: 'rope', type: 'momentum', object: 'rope' },
        { id: 'block', type: 'body', body: 'block' },
        { id: 'ring', type: 'constraintForce', on: { object: 'rope', guide: 'ring' } },
        { id: 'at', type: 'position', on: { object: 'rope', guide: 'ring' } },
        { id: 'u', type: 'materialCoordinate', on: { object: 'rope', guide: 'ring' } },
      ],
      time: { step, duration: 10, integrator },
      solver: { newtonIterations, tolerance: 1e-12, keepsAngularMomentum },
    });

  // but for the turn that keeps angular momentum, which is no force
  test('the force on the body is minus the force on the strand', () => {
    const h = 1e-3;
    const world = slide('euler', h);
    for (let n = 0; n < 100; n++) {
      const before = readVector(world, 'block', ['vx', 'vy', 'vz']);
      world.step();
      // the velocity of the body's origin, which here is its centre of mass
      const after = readVector(world, 'block', ['vx', 'vy', 'vz']);
      const force = readVector(world, 'ring');
      expect(Math.hypot(...force)).toBeGreaterThan(1e-5);
      expect(
        distance(
          force,
          after.map((v, k) => (-0.02 * (v - before[k])) / h),
        ),
      ).toBeLessThan(1e-11);
    }
  });

  // The inertia of a strand at a moving ring depends on the configuration. Its change is taken into account as a force
  // (c = Ṁ q̇ − ∂T/∂q), so the sum of momenta is kept to the order of the integrator, not to rounding.
  test('the momentum of both together is kept at order 1 with implicit Euler, at order 2 with sdirk2', () => {
    const error = (integrator: Integrator, step: number) => {
      const world = slide(integrator, step);
      const [p, L, u] = [readVector(world, 'p'), readVector(world, 'L'), readProbe(world, 'u')];
      const rope = readVector(world, 'rope');
      run(world, Math.round(0.3 / step));
      // it did slide, and the two did exchange momentum
      expect(Math.abs(readProbe(world, 'u') - u)).toBeGreaterThan(0.02);
      expect(distance(readVector(world, 'rope'), rope)).toBeGreaterThan(1e-3);
      return [distance(readVector(world, 'p'), p), distance(readVector(world, 'L'), L)];
    };
    for (const [integrator, order, largest] of [
      ['euler', 1, 1e-7],
      ['sdirk2', 2, 1e-10],
    ] as const) {
      const [coarse, fine] = [error(integrator, 1e-3), error(integrator, 5e-4)];
      expect(fine[0]).toBeLessThan(largest);
      expect(orderOf(coarse[0], fine[0])).toBeGreaterThan(order - 0.1);
      expect(orderOf(coarse[1], fine[1])).toBeGreaterThan(order - 0.1);
    }
  });

  test('of their angular momentum, given back, only the moment of that is missing', () => {
    for (const [integrator, largest] of [
      ['euler', 2e-5],
      ['sdirk2', 5e-8],
    ] as const) {
      const change = [true, false].map((keepsAngularMomentum) => {
        const world = slide(integrator, 1e-3, keepsAngularMomentum);
        const L = readVector(world, 'L');
        run(world, 300);
        return distance(readVector(world, 'L'), L) / Math.hypot(...L);
      });
      expect(change[0]).toBeLessThan(largest);
      expect(change[1]).toBeGreaterThan(10 * largest);
    }
  });
});

describe('a ball hits a loose strand', () => {
  const hit = (integrator: Integrator, mass: number, newtonIterations: number, keepsAngularMomentum = true) =>
    createWorld({
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'strand',
          id: 'rope',
          mode: 'lagrangian',
          material: { radius: 0.002, linearDensity: 0.01, stretchStiffness: 500, bendingStiffness: 0 },
          points: [
            [-0.5, 0, 0],
            [0.5, 0, 0],
          ],
          nodes: 21,
        },
      ],
      bodies: [
        {
          id: 'ball',
          shape: { type: 'sphere', radius: 0.1 },
          motion: 'dynamic',
          mass,
          position: [0.02, 0.12, 0.01],
          velocity: [0, -1, 0],
        },
      ],
      probes: [
        { id: 'p', type: 'momentum' },
        { id: 'ball', type: 'body', body: 'ball' },
        { id: 'f', type: 'contactForce', body: 'ball' },
      ],
      time: { step: 1e-3, duration: 1, integrator },
      solver: { newtonIterations, keepsAngularMomentum },
    });

  for (const integrator of ['euler', 'sdirk2'] as const)
    for (const newtonIterations of [1, 30])
      test(`momentum stays to rounding, heavy ball or light: ${integrator}, ${newtonIterations} iterations`, () => {
        for (const mass of [1, 0.05, 0.005]) {
          const world = hit(integrator, mass, newtonIterations);
          const before = readVector(world, 'p');
          for (let n = 0; n < 200; n++) {
            world.step();
            expect(distance(readVector(world, 'p'), before)).toBeLessThan(1e-14 * mass);
          }
          // it was slowed down, and never thrown back faster than it came
          const speed = readProbe(world, 'ball.vy');
          expect(speed).toBeGreaterThan(-1 + 1e-3);
          expect(speed).toBeLessThan(0);
          const { kinetic } = world.energy();
          expect(kinetic).toBeLessThan(0.5 * mass);
        }
      });

  test('the contact force is what changes the momentum of the ball', () => {
    // but for the turn that keeps angular momentum, which is no force
    const world = hit('euler', 0.05, 1, false);
    let largest = 0;
    for (let n = 0; n < 100; n++) {
      const before = readVector(world, 'ball', ['vx', 'vy', 'vz']);
      world.step();
      const force = readVector(world, 'f');
      const change = readVector(world, 'ball', ['vx', 'vy', 'vz']).map((v, k) => (0.05 * (v - before[k])) / 1e-3);
      expect(distance(force, change)).toBeLessThan(1e-11);
      largest = Math.max(largest, Math.hypot(...force));
    }
    expect(largest).toBeGreaterThan(0.1);
  });
});
