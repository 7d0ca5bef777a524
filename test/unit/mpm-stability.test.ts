/**
 * Steps of the continuum are stable at their limit, and not far beyond it. With masses divided by f² after the limit was found, sound is f times as fast, and steps are f
 * times what the limit means (f² where viscosity limits them).
 */
import { Continuum, computeElasticEnergy, computeKineticEnergy, type PointPart, StressWork } from 'heddle/mpm';
import { describe, expect, test } from 'vitest';
import { createRandom } from './mpm-fixtures.ts';
import { CLOTH, createCloth, createHair, createHeap, HAIR } from './mpm-parts.ts';

const work = new StressWork();
const soft = { youngsModulus: 20, shearStiffness: 0 };
// on the nodes, where it is worst
const fluid = createHeap('fluid', 6, 0.01, [0.005, 0.005, 0.005]);

const CASES: { name: string; part: PointPart; unstable: number }[] = [
  { name: 'cloth', part: createCloth(8, 8, 0.01), unstable: 3 },
  { name: 'hair', part: createHair(4, 12, 0.01), unstable: 3 },
  { name: 'goo', part: createHeap('goo', 6, 0.01), unstable: 3 },
  {
    name: 'syrup',
    part: { ...fluid, material: { type: 'fluid', density: 1000, bulkModulus: 100, viscosity: 20 } },
    unstable: 2,
  },
  // by bending, with edges finer and coarser than the grid
  ...[0.5, 1.5].flatMap((cells) => [
    {
      name: `cloth that bends, edges of ${cells} cells`,
      part: createCloth(6, 5, 0.02 * cells, { ...CLOTH, ...soft, normalStiffness: 1, bendingRigidity: 1 }),
      unstable: 2,
    },
    {
      name: `hair that bends, edges of ${cells} cells`,
      part: createHair(3, 10, 0.02 * cells, { ...HAIR, ...soft, fibreStiffness: 10, bendingStiffness: 0.01 }),
      unstable: 2,
    },
  ]),
];

/** Largest energy of 200 steps over that of the noise in the beginning. */
const shake = (part: PointPart, f: number): number => {
  const model = new Continuum({ spacing: 0.02, parts: [part] });
  const { points } = model;
  const random = createRandom(3);
  for (let p = 0; p < points.count; p++) points.mass[p] /= f * f;
  for (let k = 0; k < points.v.length; k++) points.v[k] = 1e-4 * random.uniform(-1, 1);
  const start = computeKineticEnergy(points, model.spread);
  let most = 0;
  for (let n = 0; n < 200 && most < 100; n++) {
    model.step(1);
    const bent = model.bending.set(points.x.subarray(3 * points.stressCount));
    const now = computeKineticEnergy(points, model.spread) + computeElasticEnergy(points, work) + bent;
    most = Math.max(most, now / start);
  }
  return most;
};

describe.each(CASES)('$name', ({ part, unstable }) => {
  test(`is stable at its longest step, and not at ${unstable} times of it`, () => {
    // symplectic Euler keeps ½ v² + ½ ω² x² − ½ h ω² x v: at h ω = 1 the energy itself goes up and down by (1 + ½)/(1 − ½)
    expect(shake(part, 1)).toBeLessThan(3);
    expect(shake(part, unstable)).toBeGreaterThan(100);
  });
});

test('the step that bending allows does not depend on where a run is taken up', () => {
  const hair = createHair(1, 6, 0.02, { ...HAIR, bendingStiffness: 1e-3 });
  const [first, second] = [1, 2].map(() => new Continuum({ spacing: 0.02, gravity: [0, -9.81, 0], parts: [hair] }));
  for (let n = 0; n < 50; n++) first.step(1);
  second.points.x.set(first.points.x);
  expect(second.bendingStep).toBe(first.bendingStep);
  expect(first.bendingStep).toBeLessThan(Number.POSITIVE_INFINITY);
});
