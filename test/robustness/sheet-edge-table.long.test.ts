/**
 * The Edge scene as a table: a cloth drawn over the edge of a box with four meshes, three steps and three stiffnesses, each until it has slid by
 * one and a half cells; and the force that draws it with three meshes. Its fold starts between rows of vertices.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { LOAD, pullOver, SPEED, WEIGHT } from '../laws/sheet-pull.ts';

const CELLS = [6, 10, 14, 20];
const STEPS = [2.5e-3, 5e-3, 1e-2];
const STIFFNESSES = [1e3, 1e4, 1e5];
/** Of the scene: the box and the cloth, across [m]. */
const SIZE = 3;

const table = CELLS.flatMap((n) =>
  STEPS.flatMap((step) => STIFFNESSES.map((stiffness) => [n, step, stiffness] as const)),
);

test.each(table)(
  'a cloth of %i cells a side, step %f s, stiffness %f N/m slides over the edge: nothing sinks in, fails or hangs',
  (n, step, stiffness) => {
    const steps = Math.ceil(1.5 / (n * SPEED * step));
    const run = pullOver(n, { steps, step, stiffness });
    expect(run.depth).toBeLessThan(1e-6 * SIZE);
    expect(run.off).toBeLessThan(1e-9);
    expect(run.smallestAngle).toBeGreaterThan(10);
    expect(Math.abs(run.area - 1)).toBeLessThan(1e-9);
    expect(run.remeshings).toBeGreaterThan(0);
    expect([run.fallbacks, run.rescues]).toEqual([0, 0]);
    expect(run.rejected).toBeLessThan(5);
  },
);

describe('the pull once it slides', () => {
  const [FROM, TO] = [50, 80];
  let runs: number[][] = [];
  beforeAll(() => {
    runs = [10, 20, 40].map((n) => pullOver(n, { steps: TO, hanging: 0.4 }).pull.slice(FROM));
  });
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

  test('is the same with 10, 20 and 40 cells a side to 3 %, and the load less what hangs', () => {
    const exact = LOAD - WEIGHT * (0.4 + 0.005 * SPEED * ((FROM + TO + 1) / 2));
    const means = runs.map(mean);
    for (const one of means) expect(Math.abs(one / exact - 1)).toBeLessThan(0.01);
    expect(Math.max(...means) / Math.min(...means)).toBeLessThan(1.03);
  });

  test('varies by less than 5 % about its mean, with any of them', () => {
    for (const pull of runs) for (const one of pull) expect(Math.abs(one / mean(pull) - 1)).toBeLessThan(0.05);
  });
});
