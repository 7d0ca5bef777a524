/** Rigid bodies on their own: free and hinged. */
import type { SceneInput } from 'heddle';
import { createHinged, createTumbling, HINGED_MASS, predictHinged, predictTumbling, TUMBLING } from 'heddle/validate';
import { describe, expect, test } from 'vitest';
import { distance, measurePeriod, orderOf, readProbe, readVector, run } from './measure.ts';

type Body = NonNullable<SceneInput['bodies']>[number];
type Integrator = 'euler' | 'sdirk2';

describe('a free body tumbles', () => {
  const { mass: MASS, size: SIZE, spin: START } = TUMBLING;

  for (const integrator of ['euler', 'sdirk2'] as const)
    for (const newtonIterations of [1, 20])
      test(`momentum and angular momentum stay to rounding: ${integrator}, ${newtonIterations} iterations`, () => {
        const world = createTumbling(integrator, 0.02, newtonIterations);
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
      const world = createTumbling(integrator, step);
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
    const exact = predictTumbling(3);
    const error = (step: number) => {
      const world = createTumbling('sdirk2', step);
      run(world, Math.round(3 / step));
      return Math.abs(Math.hypot(...readVector(world, 'box', ['wx', 'wy', 'wz'])) - exact);
    };
    const [coarse, fine] = [error(0.01), error(0.005)];
    expect(fine).toBeLessThan(1e-4);
    expect(orderOf(coarse, fine)).toBeGreaterThan(1.9);
  });
});

describe('a hinged body is a physical pendulum', () => {
  /** Shape, distance d of the hinge from the centre of mass, and the moment about the centre across the swing. */
  const CASES: readonly (readonly [string, Body['shape'], number, number])[] = [
    ['a box on its top end', { type: 'box', size: [0.1, 0.4, 0.2] }, 0.2, (HINGED_MASS / 12) * (0.1 ** 2 + 0.4 ** 2)],
    ['a box near its middle', { type: 'box', size: [0.1, 0.4, 0.2] }, 0.05, (HINGED_MASS / 12) * (0.1 ** 2 + 0.4 ** 2)],
    ['a sphere beside the hinge', { type: 'sphere', radius: 0.15 }, 0.25, 0.4 * HINGED_MASS * 0.15 ** 2],
  ];
  for (const [title, shape, d, moment] of CASES)
    for (const theta of [0.1, 0.6])
      test(`that swings as ${title} with T = 2π √(I/(m g d)) (1 + θ²/16 + 11 θ⁴/3072), θ = ${theta}`, () => {
        const period = predictHinged(moment, d, theta);
        const error = (steps: number) => {
          const world = createHinged(shape, d, theta, period / steps);
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
      const world = createHinged({ type: 'box', size: [0.1, 0.4, 0.2] }, 0.2, 0.6, 1.1 / steps);
      const before = world.energy().total;
      run(world, 2 * steps);
      return before - world.energy().total;
    };
    const [coarse, fine] = [loss(100), loss(200)];
    expect(fine).toBeGreaterThan(0);
    expect(orderOf(coarse, fine)).toBeGreaterThan(1.9);
  });
});
