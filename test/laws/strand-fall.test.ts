/** A strand in free motion: free fall and rest. */
import { expect, test } from 'vitest';
import { createWorld, readProbe, unevenFractions } from './measure.ts';

const CORD = { radius: 0.001, linearDensity: 0.0031, stretchStiffness: 900, bendingStiffness: 1e-4 };
const TILTED = [1.3, -9.2, 2.1] as const;
const START = [0.4, 0.7, -0.2] as const;

const fall = (integrator: 'euler' | 'sdirk2') =>
  createWorld({
    gravity: [...TILTED],
    objects: [
      {
        type: 'strand',
        id: 'cord',
        material: CORD,
        points: [
          [0.1, 0, 0],
          [0.9, 0.5, -0.3],
        ],
        nodes: unevenFractions(17),
        velocity: [...START],
        masses: [{ at: 0.4, mass: 0.01 }],
      },
    ],
    probes: [
      { id: 'tip', type: 'position', on: { object: 'cord', at: 'end' } },
      { id: 'middle', type: 'position', on: { object: 'cord', at: 0.4 } },
    ],
    time: { step: 0.01, duration: 1, integrator },
  });

test('every node falls freely as x = x₀ + v₀ t + g h² n(n+1)/2, the recurrence of implicit Euler', () => {
  const world = fall('euler');
  const before = world.frame().objects[0].x;
  for (let n = 1; n <= 50; n++) {
    world.step();
    const { x } = world.frame().objects[0];
    for (let i = 0; i < x.length; i++) {
      const k = i % 3;
      const expected = before[i] + START[k] * 0.01 * n + TILTED[k] * 1e-4 * ((n * (n + 1)) / 2);
      expect(Math.abs(x[i] - expected)).toBeLessThan(1e-12);
    }
  }
});

test('every node falls freely as x = x₀ + v₀ t + ½ g t², exactly, with the second-order integrator', () => {
  const world = fall('sdirk2');
  const start = [0, 1, 2].map((k) => readProbe(world, `tip.${'xyz'[k]}`));
  for (let n = 1; n <= 50; n++) {
    world.step();
    for (let k = 0; k < 3; k++) {
      const expected = start[k] + START[k] * world.time + 0.5 * TILTED[k] * world.time ** 2;
      expect(Math.abs(readProbe(world, `tip.${'xyz'[k]}`) - expected)).toBeLessThan(1e-12);
    }
  }
});

test('a strand at rest without gravity stays at rest to 1e-12, round a corner too', () => {
  for (const integrator of ['euler', 'sdirk2'] as const) {
    const world = createWorld({
      gravity: [0, 0, 0],
      objects: [
        {
          type: 'strand',
          id: 'cord',
          material: { ...CORD, bendingStiffness: 0 },
          points: [
            [-0.5, 0, 0],
            [0, 0, 0],
            [0.2, -0.4, 0.1],
          ],
          nodes: unevenFractions(15),
          guides: [{ id: 'corner', point: [0, 0, 0] }],
        },
      ],
      time: { step: 0.01, duration: 1, integrator },
    });
    const before = world.frame().objects[0];
    for (let n = 0; n < 100; n++) world.step();
    const after = world.frame().objects[0];
    for (let i = 0; i < before.x.length; i++) expect(Math.abs(after.x[i] - before.x[i])).toBeLessThan(1e-12);
    for (let i = 0; i < before.u.length; i++) expect(Math.abs(after.u[i] - before.u[i])).toBeLessThan(1e-12);
  }
});
