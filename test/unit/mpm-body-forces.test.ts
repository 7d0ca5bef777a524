/** Arrows of what bodies push a continuum with. */
import { compile, validateScene } from 'heddle/scene';
import { expect, test } from 'vitest';
import { createBodyForces } from '../../src/mpm/body-forces.ts';

const cross = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);

test('an arrow has the force and the torque on the body, turned round, and stands nearest to it', () => {
  const F = [3, -2, 5];
  const place = [0.4, 0.7, -0.2];
  // a couple about the force is what no force has
  const torque = cross(place, F).map((value, k) => value + 0.3 * F[k]);
  const origin = [1, 2, 3];
  const none = new Array(6).fill(0);
  const [{ kind, id, x, f }] = createBodyForces('sand', Float64Array.of(...none, ...F, ...torque), [[0, 0, 0], origin]);
  expect([kind, id, x.length]).toEqual(['contact', 'sand', 3]);
  expect([...f]).toEqual(F.map((value) => -value));
  cross(x, F).forEach((value, k) => {
    expect(value).toBeCloseTo(cross(place, F)[k], 12);
  });
  const way = origin.map((value, k) => value - x[k]);
  expect(way[0] * F[0] + way[1] * F[1] + way[2] * F[2]).toBeCloseTo(0, 12);
  expect(createBodyForces('sand', Float64Array.from(none), [origin])).toEqual([]);
});

test('a floor carries a block of sand: an arrow of its weight at its centre of pressure', () => {
  const scene = validateScene({
    heddle: 1,
    name: 'block',
    title: 'Block',
    objects: [
      {
        type: 'mpm',
        id: 'continuum',
        spacing: 0.05,
        parts: [
          {
            id: 'sand',
            pattern: { type: 'fill', shape: { type: 'box', size: [0.4, 0.1, 0.2] }, jitter: 0 },
            material: { type: 'sand', density: 1500, youngsModulus: 1e5, frictionAngle: 35, dampingTime: 0.01 },
            position: [0.6, 0.05, -0.3],
          },
        ],
        bodies: [{ body: 'floor', condition: 'sticky' }],
      },
    ],
    bodies: [{ id: 'floor', shape: { type: 'plane' } }],
    time: { step: 0.005, duration: 1 },
  });
  const world = compile(scene);
  const mean = new Float64Array(6);
  for (let n = 0; n < 120; n++) {
    world.step();
    if (n < 40) continue;
    const [{ x, f }] = world.frame().forces;
    for (let k = 0; k < 3; k++) {
      mean[k] += x[k] / 80;
      mean[3 + k] += f[k] / 80;
    }
  }
  const weight = 9.81 * 1500 * 0.4 * 0.1 * 0.2;
  expect(mean[4] / weight).toBeCloseTo(1, 1);
  // at the level of the floor, within the block
  expect(mean[1]).toBeCloseTo(0, 2);
  expect(mean[0]).toBeCloseTo(0.6, 1);
  expect(mean[2]).toBeCloseTo(-0.3, 1);
});
