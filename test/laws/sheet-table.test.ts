/**
 * A square over a table, and a sheet that slides off one by its own weight. Of a sheet of length L without friction the part l that
 * hangs draws the rest after it, two masses over an edge:
 *     ρ L l″ = ρ g l,      l(t) = l₀ cosh(t √(g/L)),       of which implicit Euler makes      l′₊ = (l′ + h g l/L) / (1 − h² g/L),
 * as long as it stays on the edge: its tension there, ρ g l (1 − l/L), must exceed ρ l′², which it does up to l = 0.57 L for l₀ = 0.3 L.
 */
import { Body, BoxShape } from 'heddle/bodies';
import { type Sheet, STRIDE } from 'heddle/sheet';
import { createSliding, measureAsymmetry, measureHanging } from 'heddle/validate';
import { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { createCloth, createRectangle, createSheet, positionOf } from './sheets.ts';

const HALF = 2.5e-4;
const GRAVITY = 9.81;

describe('a square over a table', () => {
  const SIDE = 0.6;
  /** Wider than six cells, so that no vertex lies on an edge, where rounding would choose its face. */
  const TABLE = 0.33;

  function drape(mode: 'eol' | 'lagrangian', steps: number): Sheet {
    const shape = new BoxShape([TABLE, 0.3, TABLE]);
    const table = new Body({ id: 'table', shape, position: [SIDE / 2, -0.15, SIDE / 2], friction: 0.3 });
    const sheet = createSheet(
      createRectangle('alternating', SIDE, SIDE, 0.05),
      // stiff enough to stay away from the table's sides, where rounding would choose which of its mirror images touches first
      createCloth(500, 0.2, 1e-3),
      { obstacles: [table], mode, damping: { mass: 4, stiffness: 1e-3 } },
      (a, b) => [a, HALF, b],
    );
    const world = new World({ models: [sheet], bodies: [table], timeStep: 0.005 });
    for (let n = 0; n < steps; n++) world.step();
    return sheet;
  }

  test('drapes symmetrically to its middle lines and diagonals', () => {
    const sheet = drape('lagrangian', 60);
    const lowest = Math.min(...Array.from({ length: sheet.state.count }, (_, i) => positionOf(sheet, i)[1]));
    expect(lowest).toBeLessThan(-0.12);
    expect(measureAsymmetry(sheet, (a, b) => [SIDE - a, b])).toBeLessThan(1e-10);
    expect(measureAsymmetry(sheet, (a, b) => [a, SIDE - b])).toBeLessThan(1e-10);
    expect(measureAsymmetry(sheet, (a, b) => [b, a])).toBeLessThan(1e-10);
    expect(measureAsymmetry(sheet, (a, b) => [SIDE - b, SIDE - a])).toBeLessThan(1e-10);
  });

  test('with sliding vertices on its edges, whose mesh has no symmetry, its first and second moments are symmetric', () => {
    const { state } = drape('eol', 40);
    expect(state.kind.subarray(0, state.count).some((kind) => kind !== 0)).toBe(true);
    const { q, mesh, area } = state;
    // of the triangles' masses at their middles, about the axis of the table: Σ m (x, z, x² − z², x z), Σ m (x² + z²)
    const sums = [0, 0, 0, 0, 0];
    let whole = 0;
    for (let t = 0; t < mesh.triangleCount; t++) {
      const mean = (axis: number) =>
        [0, 1, 2].reduce((sum, k) => sum + q[STRIDE * mesh.triangles[3 * t + k] + axis] / 3, 0) - SIDE / 2;
      const [x, z] = [mean(0), mean(2)];
      for (const [k, value] of [x, z, x * x - z * z, x * z, x * x + z * z].entries()) sums[k] += area[t] * value;
      whole += area[t];
    }
    for (const moment of sums.slice(0, 2)) expect(Math.abs(moment / whole)).toBeLessThan(1e-3 * SIDE);
    for (const moment of sums.slice(2, 4)) expect(Math.abs(moment / sums[4])).toBeLessThan(0.01);
  });
});

test.each([
  [10, 'local'],
  [20, 'local'],
  [10, 'adaptive'],
] as const)(
  'a sheet of %i cells slides off a table without friction as two masses over an edge, l = l₀ cosh(t √(g/L)), %s remesher',
  (cells, remesher) => {
    const [length, start, h] = [1, 0.3, 2e-3];
    const { sheet, table } = createSliding(cells, remesher);
    const world = new World({ models: [sheet], bodies: [table], timeStep: h });
    let [exact, speed] = [start, 0];
    let worst = 0;
    while (exact < 0.55 * length) {
      world.step();
      speed = (speed + (h * GRAVITY * exact) / length) / (1 - (h * h * GRAVITY) / length);
      exact += h * speed;
      worst = Math.max(worst, Math.abs(measureHanging(sheet) / exact - 1));
    }
    expect(worst).toBeLessThan(3e-4);
    expect(sheet.state.remeshings).toBeGreaterThan(1);
    // the recurrence itself is the law, to first order in the step
    expect(Math.abs(exact / (start * Math.cosh(world.time * Math.sqrt(GRAVITY / length))) - 1)).toBeLessThan(5e-3);
  },
);
