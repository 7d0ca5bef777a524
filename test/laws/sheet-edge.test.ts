/**
 * A cloth drawn over the edge of a box at a constant speed, its rear side held back by a constant force: without friction the pull is
 * that force, less the weight of what hangs (g = 0.5 m/s²),
 *     F = F₀ − ρ g w (l₀ + v t)        F₀ = 2 N,  ρ = 0.2 kg/m²,  w = 1 m,  l₀ = 0.37 m,  v = 0.4 m/s,
 * whatever the mesh, where a mesh that must bend at its vertices locks and jumps.
 */
import { describe, expect, test } from 'vitest';
import { HANGING, LOAD, pullOver, SPEED, WEIGHT } from './sheet-pull.ts';

const STEP = 0.005;
/** From the start of even sliding, at step 60, on. */
const SETTLED = 60;
const expected = (k: number): number => LOAD - WEIGHT * (HANGING + SPEED * STEP * (k + 1));

describe.each([
  [10, 'local', 240],
  [10, 'global', 240],
  [20, 'local', 160],
  [10, 'adaptive', 240],
  [20, 'adaptive', 160],
] as const)('a cloth of %i cells a side slides over the edge, %s remesher', (n, remesher, steps) => {
  const run = pullOver(n, { remesher, steps });

  test('and the pull is the load less what hangs, to 2 % at every step and 0.3 % in the mean', () => {
    let sum = 0;
    for (let k = SETTLED; k < run.pull.length; k++) {
      expect(Math.abs(run.pull[k] / expected(k) - 1)).toBeLessThan(0.02);
      sum += run.pull[k] / expected(k) - 1;
    }
    expect(Math.abs(sum / (run.pull.length - SETTLED))).toBeLessThan(3e-3);
  });

  test('and nothing sinks in, the crease lies on the edge, no triangle is thin or inverted, area is kept', () => {
    // the scene's diagonal is about 3 m
    expect(run.depth).toBeLessThan(3e-6);
    expect(run.off).toBeLessThan(1e-9);
    expect(run.smallestAngle).toBeGreaterThan(10);
    expect(Math.abs(run.area - 1)).toBeLessThan(1e-9);
    expect(run.remeshings).toBeGreaterThan(3);
  });
});

test('vertices that carry their material lock at the edge and jump: the pull goes up and down by more than the load', () => {
  const { pull } = pullOver(10, { mode: 'lagrangian', steps: 200 });
  const settled = pull.slice(SETTLED);
  expect(Math.max(...settled)).toBeGreaterThan(5 * LOAD);
  expect(Math.min(...settled)).toBeLessThan(0.5 * LOAD);
});
