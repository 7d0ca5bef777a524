/** A stiff cloth hung by two corners, let go from level, at steps of 1/60 s: what a linearly implicit step must stand. */
import type { Sheet } from 'heddle/sheet';
import { createPin, World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { createCloth, createRectangle, createSheet, findVertices, type MeshKind, measureStrains } from './sheets.ts';

/** 1 m², 200 g/m², level at first; pinned at two corners. */
function hangByCorners(kind: MeshKind, side: number, stiffness: number): { sheet: Sheet; world: World } {
  const mesh = createRectangle(kind, 1, 1, 1 / (side - 1));
  const sheet = createSheet(mesh, createCloth(stiffness), {}, (a, b) => [a, 0, b]);
  const pins = findVertices(sheet, (a, b) => b > 0.999 && (a < 1e-6 || a > 0.999));
  const drivers = pins.map((label) => createPin({ model: sheet, label }));
  return { sheet, world: new World({ models: [sheet], drivers, timeStep: 1 / 60 }) };
}

/** Strains after 3 s, the largest 95th percentile on the way, iterations a step, and the largest gain of energy in a step [J]. */
function swing(kind: MeshKind, side: number, stiffness: number, steps = 180) {
  const { sheet, world } = hangByCorners(kind, side, stiffness);
  let [worst, iterations, gain] = [0, 0, Number.NEGATIVE_INFINITY];
  let before = world.energy().total;
  for (let n = 0; n < steps; n++) {
    const { newtonIterations, rejected } = world.step();
    expect(rejected).toBe(0);
    iterations += newtonIterations / steps;
    worst = Math.max(worst, measureStrains(sheet).p95);
    const after = world.energy().total;
    gain = Math.max(gain, after - before);
    before = after;
  }
  return { ...measureStrains(sheet), worst, iterations, gain };
}

describe('a cloth of 5 kN/m that swings from two corners at steps of 1/60 s', () => {
  const sides = [10, 18, 26];
  const runs = sides.map((side) => swing('alternating', side, 5000));

  test('never gains energy: implicit Euler with damping ≥ 0', () => {
    for (const { gain } of runs) expect(gain).toBeLessThanOrEqual(0);
  });

  test('is strained by less than 0.5 % (95th percentile) on the way and at 3 s, at every resolution alike', () => {
    for (const { p95, worst } of runs) {
      expect(p95).toBeLessThan(0.0025);
      expect(worst).toBeLessThan(0.005);
    }
    // measured at 3 s: 0.18 %, 0.18 %, 0.18 %
    for (const { p95, mean } of runs) {
      expect(Math.abs(p95 / runs[0].p95 - 1)).toBeLessThan(0.1);
      expect(Math.abs(mean / runs[0].mean - 1)).toBeLessThan(0.1);
    }
  });

  test('needs one Newton iteration a step nearly always', () => {
    for (const { iterations } of runs) expect(iterations).toBeLessThan(1.2);
  });
});

test('stiffer and softer cloth, on other meshes, swings without gain of energy and without rejected steps', () => {
  for (const [kind, stiffness] of [
    ['refined', 500],
    ['refined', 5000],
    ['jittered', 50000],
    ['right', 50000],
  ] as const) {
    const { gain, worst } = swing(kind, 12, stiffness, 90);
    expect(gain, kind).toBeLessThanOrEqual(0);
    expect(worst, kind).toBeLessThan(Math.max(0.005, 15 / stiffness));
  }
});

test('a cloth of 500 kN/m at steps of 1/60 s gains at most 1 % of its weight times its side in a step', () => {
  // one linearly implicit iteration is not exact: measured 0.009 J in one step on this mesh, none on jittered ones
  expect(swing('right', 12, 500000, 90).gain).toBeLessThan(0.01 * 0.2 * 9.81);
});

test('a swing does not depend on how many iterations a step may take', () => {
  const endOf = (newtonIterations: number | undefined) => {
    const { sheet } = hangByCorners('alternating', 8, 5000);
    const pins = findVertices(sheet, (a, b) => b > 0.999 && (a < 1e-6 || a > 0.999));
    const drivers = pins.map((label) => createPin({ model: sheet, label }));
    const world = new World({ models: [sheet], drivers, timeStep: 1 / 60, newtonIterations, tolerance: 1e-6 });
    const energies: number[] = [];
    for (let n = 0; n < 60; n++) {
      world.step();
      energies.push(world.energy().kinetic);
    }
    return energies;
  };
  const [quick, exact] = [endOf(undefined), endOf(200)];
  const largest = Math.max(...exact);
  for (let n = 0; n < quick.length; n++) expect(Math.abs(quick[n] - exact[n])).toBeLessThan(0.03 * largest);
});
