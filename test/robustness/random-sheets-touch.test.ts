/**
 * Random heaps: a body and a sheet that touches itself fall into a sheet that hangs by its corners. No step fails, nothing passes
 * through, and no energy comes from nowhere.
 */
import { createRandom } from 'heddle/math';
import { expect, test } from 'vitest';
import { runWithoutPassing } from '../laws/sheet-contact-scenes.ts';
import { build, listSheets } from '../laws/sheet-touch-scenes.ts';

const MATERIALS = ['cotton', 'silk', 'denim', 'leather'];
const SHAPES = [
  { type: 'sphere', radius: 0.05 },
  { type: 'box', size: [0.1, 0.06, 0.08] },
  { type: 'capsule', radius: 0.03, length: 0.1 },
];

test.each([1, 2, 3, 4])('seed %d', (seed) => {
  const random = createRandom(seed);
  const sheet = {
    type: 'sheet',
    mode: seed % 2 === 0 ? 'eol' : 'lagrangian',
    damping: { mass: 0.5, stiffness: 0.002 },
  };
  const world = build({
    objects: [
      {
        ...sheet,
        id: 'net',
        material: MATERIALS[seed % 4],
        shape: { type: 'rectangle', width: 0.4, height: 0.4, columns: 8, rows: 8 },
      },
      {
        ...sheet,
        id: 'top',
        material: MATERIALS[(seed + 1) % 4],
        selfContact: true,
        shape: { type: 'rectangle', width: 0.3, height: 0.3, columns: 7, rows: 7 },
        position: [random.uniform(-0.05, 0.05), 0.22, random.uniform(-0.05, 0.05)],
        rotation: { axis: [random.uniform(-1, 1), 1, random.uniform(-1, 1)], angle: random.uniform(0, 25) },
        velocity: [0, -1, 0],
      },
    ],
    bodies: [
      {
        id: 'body',
        shape: SHAPES[seed % 3],
        motion: 'dynamic',
        density: random.uniform(100, 800),
        position: [random.uniform(-0.05, 0.05), 0.08, random.uniform(-0.05, 0.05)],
        rotation: { axis: [1, random.uniform(-1, 1), 0.3], angle: random.uniform(0, 40) },
        velocity: [random.uniform(-0.3, 0.3), -0.5, 0],
      },
    ],
    drivers: ['left-bottom', 'right-bottom', 'right-top', 'left-top'].map((corner) => ({
      type: 'pin',
      on: { object: 'net', corner },
    })),
  });
  const sheets = listSheets(world);
  const start = world.energy().total;
  let kinetic = world.energy().kinetic;
  let highest = start;
  for (let n = 0; n < 45; n++) {
    runWithoutPassing(world, sheets, 1);
    const energy = world.energy();
    highest = Math.max(highest, energy.total);
    kinetic = Math.max(kinetic, energy.kinetic);
  }
  expect(highest - start).toBeLessThan(1e-3 * kinetic);
  // it lies in the net, which sags by less than that, and the top on it
  expect(world.bodies[0].position[1]).toBeGreaterThan(-0.1);
  expect(world.energy().total).toBeLessThan(start);
});
