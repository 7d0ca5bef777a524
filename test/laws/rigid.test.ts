/** Rigid bodies on their own: free and hinged. */
import type { SceneInput } from 'heddle';
import { describe, expect, test } from 'vitest';
import { createWorld, distance, measurePeriod, orderOf, readProbe, readVector, run } from './measure.ts';

type Body = NonNullable<SceneInput['bodies']>[number];
type Strand = SceneInput['objects'][number];
type Vector = [number, number, number];
type Integrator = 'euler' | 'sdirk2';

/** A scene needs an object: a strand that is elsewhere and at rest. */
const BYSTANDER: Strand = {
  type: 'strand',
  id: 'bystander',
  material: { radius: 0.001, linearDensity: 0.01, stretchStiffness: 100, bendingStiffness: 0 },
  points: [
    [9, 0, 0],
    [9, 1, 0],
  ],
  nodes: 2,
};

describe('a free body tumbles', () => {
  const MASS = 1.5;
  const SIZE: Vector = [0.3, 0.2, 0.1];
  const START: Vector = [1, 4, 2.5];

  const tumble = (integrator: Integrator, step: number, newtonIterations = 1) =>
    createWorld({
      gravity: [0, 0, 0],
      objects: [BYSTANDER],
      bodies: [
        {
          id: 'box',
          shape: { type: 'box', size: SIZE },
          motion: 'dynamic',
          mass: MASS,
          position: [0.4, 0.1, 0],
          velocity: [0.3, -0.2, 0.5],
          angularVelocity: START,
        },
      ],
      probes: [
        { id: 'p', type: 'momentum' },
        { id: 'L', type: 'angularMomentum' },
        { id: 'box', type: 'body', body: 'box' },
      ],
      time: { step, duration: 10, integrator },
      solver: { newtonIterations },
    });

  for (const integrator of ['euler', 'sdirk2'] as const)
    for (const newtonIterations of [1, 20])
      test(`momentum and angular momentum stay to rounding: ${integrator}, ${newtonIterations} iterations`, () => {
        const world = tumble(integrator, 0.02, newtonIterations);
        const [p, L] = [readVector(world, 'p'), readVector(world, 'L')];
        // L = c × m v + I ω at the start, by hand
        const I = [0, 1, 2].map((k) => (MASS / 12) * (SIZE[(k + 1) % 3] ** 2 + SIZE[(k + 2) % 3] ** 2));
        const orbital = [0.1 * 0.5, -0.4 * 0.5, 0.4 * -0.2 - 0.1 * 0.3].map((x) => MASS * x);
        expect(
          distance(
            L,
            START.map((w, k) => I[k] * w + orbital[k]),
          ),
        ).toBeLessThan(1e-15);
        run(world, 500);
        expect(distance(readVector(world, 'p'), p)).toBeLessThan(1e-14);
        expect(distance(readVector(world, 'L'), L)).toBeLessThan(1e-12 * Math.hypot(...L));
      });

  test('energy is lost at order 1 with implicit Euler, at order 3 with sdirk2, and never grows', () => {
    const loss = (integrator: Integrator, step: number) => {
      const world = tumble(integrator, step);
      const before = world.energy().total;
      let last = before;
      for (let n = 0; n < 2 / step - 0.5; n++) {
        world.step();
        const now = world.energy().total;
        expect(now).toBeLessThan(last * (1 + 1e-14));
        last = now;
      }
      return before - last;
    };
    expect(orderOf(loss('euler', 0.005), loss('euler', 0.0025))).toBeGreaterThan(0.95);
    expect(orderOf(loss('sdirk2', 0.01), loss('sdirk2', 0.005))).toBeGreaterThan(2.9);
  });

  test('ω follows Euler’s equations I ω̇ = −ω × I ω of the body frame, at order 2', () => {
    // classical Runge–Kutta on the three components in the body frame; |ω| is the same in both frames
    const I = [0, 1, 2].map((k) => (MASS / 12) * (SIZE[(k + 1) % 3] ** 2 + SIZE[(k + 2) % 3] ** 2));
    const rate = (w: readonly number[]) =>
      [0, 1, 2].map((k) => {
        const [a, b] = [(k + 1) % 3, (k + 2) % 3];
        return ((I[a] - I[b]) * w[a] * w[b]) / I[k];
      });
    const ahead = (w: readonly number[], k: readonly number[], h: number) => w.map((x, i) => x + h * k[i]);
    let w: number[] = [...START];
    for (let n = 0; n < 3000; n++) {
      const h = 1e-3;
      const k1 = rate(w);
      const k2 = rate(ahead(w, k1, h / 2));
      const k3 = rate(ahead(w, k2, h / 2));
      const k4 = rate(ahead(w, k3, h));
      w = w.map((x, i) => x + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
    }
    const error = (step: number) => {
      const world = tumble('sdirk2', step);
      run(world, Math.round(3 / step));
      return Math.abs(Math.hypot(...readVector(world, 'box', ['wx', 'wy', 'wz'])) - Math.hypot(...w));
    };
    const [coarse, fine] = [error(0.01), error(0.005)];
    expect(fine).toBeLessThan(1e-4);
    expect(orderOf(coarse, fine)).toBeGreaterThan(1.9);
  });
});

describe('a hinged body is a physical pendulum', () => {
  const MASS = 1.3;
  /** Shape, distance d of the hinge from the centre of mass, and the moment about the centre across the swing. */
  const CASES: readonly (readonly [string, Body['shape'], number, number])[] = [
    ['a box on its top end', { type: 'box', size: [0.1, 0.4, 0.2] }, 0.2, (MASS / 12) * (0.1 ** 2 + 0.4 ** 2)],
    ['a box near its middle', { type: 'box', size: [0.1, 0.4, 0.2] }, 0.05, (MASS / 12) * (0.1 ** 2 + 0.4 ** 2)],
    ['a sphere beside the hinge', { type: 'sphere', radius: 0.15 }, 0.25, 0.4 * MASS * 0.15 ** 2],
  ];
  const swing = (shape: Body['shape'], d: number, theta: number, step: number) =>
    createWorld({
      objects: [{ ...BYSTANDER }],
      bodies: [
        {
          id: 'bob',
          shape,
          motion: 'dynamic',
          mass: MASS,
          // not in the plane of the hinge's point: an axis holds a body whole
          position: [1 + d * Math.sin(theta), -d * Math.cos(theta), 0.1],
          rotation: { axis: [0, 0, 1], angle: (theta * 180) / Math.PI },
          hinge: { point: [1, 0, 0], axis: [0, 0, 2] },
        },
      ],
      drivers: [
        { type: 'pin', on: { object: 'bystander', at: 'start' } },
        { type: 'pin', on: { object: 'bystander', at: 'end' } },
      ],
      probes: [{ id: 'bob', type: 'body', body: 'bob' }],
      time: { step, duration: 100, integrator: 'sdirk2' },
      solver: { newtonIterations: 20, tolerance: 1e-12 },
    });

  for (const [title, shape, d, moment] of CASES)
    for (const theta of [0.1, 0.6])
      test(`${title}: T = 2π √(I/(m g d)) (1 + θ²/16 + 11 θ⁴/3072), θ = ${theta}`, () => {
        const small = 2 * Math.PI * Math.sqrt((moment + MASS * d * d) / (MASS * 9.81 * d));
        const period = small * (1 + theta ** 2 / 16 + (11 * theta ** 4) / 3072);
        const error = (steps: number) => {
          const world = swing(shape, d, theta, period / steps);
          const measured = measurePeriod(world, () => readProbe(world, 'bob.x') - 1, 3);
          const [x, y, z] = readVector(world, 'bob');
          // at its place on the axis and at its distance, to the third order in the step
          expect(Math.abs(Math.hypot(x - 1, y) - d)).toBeLessThan((20 * d) / steps ** 3);
          expect(Math.abs(z - 0.1)).toBeLessThan(1e-9);
          return measured / period - 1;
        };
        const [coarse, fine] = [error(100), error(200)];
        // sdirk2: (ω h)² times a constant below 1/10; the next term of the series is 173 θ⁶/737280, 1.1e-5 for θ = 0.6
        expect(Math.abs(fine)).toBeLessThan(1e-4);
        expect(Math.abs(coarse - 4 * fine)).toBeLessThan(0.15 * Math.abs(coarse) + 4 * 1.2e-5 * (theta / 0.6) ** 6);
      });

  test('its energy is lost at order 2 or better', () => {
    const loss = (steps: number) => {
      const world = swing({ type: 'box', size: [0.1, 0.4, 0.2] }, 0.2, 0.6, 1.1 / steps);
      const before = world.energy().total;
      run(world, 2 * steps);
      return before - world.energy().total;
    };
    const [coarse, fine] = [loss(100), loss(200)];
    expect(fine).toBeGreaterThan(0);
    expect(orderOf(coarse, fine)).toBeGreaterThan(1.9);
  });
});
