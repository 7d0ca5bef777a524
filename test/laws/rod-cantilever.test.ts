/** Rods clamped at one end, at rest under their weight or a load at the tip: the elastica, any way up; `heddle validate rod-cantilever` has the master curve. */
import { bendRod, measureTip, shootElastica } from 'heddle/validate';
import { describe, expect, test } from 'vitest';

/** Measured for 20, 40, 80 segments: second order in Δu, so (4 b − a)/3 is better than either. */
function checkTip(w: number, P: number, rise: number, tolerance: number): void {
  const exact = measureTip(shootElastica(w, P, Math.PI / 2 + rise));
  const [coarse, fine] = [20, 40].map((segments) => bendRod(w, P, rise, segments));
  const errorOf = (tip: readonly number[]) => Math.hypot(tip[0] - exact[0], tip[1] - exact[1]);
  expect(errorOf(coarse) / errorOf(fine)).toBeGreaterThan(3.4);
  expect(errorOf([0, 1].map((k) => (4 * fine[k] - coarse[k]) / 3))).toBeLessThan(tolerance);
}

describe('a heavy cantilever is the elastica EI θ″ = w (L − s) cos θ', () => {
  for (const [G, rise, tolerance] of [
    [0.1, 0.3, 3e-6],
    [1, -0.2, 1e-5],
    [10, 0.3, 5e-5],
    [100, 0.5, 2e-4],
    [1000, 0.3, 5e-4],
  ])
    test(`w L³/EI = ${G}, clamped ${rise} rad above level`, () => checkTip(G, 0, rise, tolerance));
});

describe('a cantilever with a load at its tip is the elastica EI θ″ = P cos θ', () => {
  for (const [P, rise, tolerance] of [
    [0.2, 0, 1e-5],
    [3, 0.4, 1e-4],
    [60, -0.3, 5e-4],
  ])
    test(`P L²/EI = ${P}, clamped ${rise} rad above level`, () => checkTip(0, P, rise, tolerance));
});

test('a cantilever with a weight and a load at its tip is EI θ″ = (w (L − s) + P) cos θ', () =>
  checkTip(7, 4, 0.25, 2e-4));

test('a light cantilever sags by w L⁴/8EI', () => {
  const [w, segments] = [1e-3, 40];
  // measured: 0.99975 for 40 segments, second order
  expect(Math.abs(bendRod(w, 0, 0, segments)[0] / (w / 8) - 1)).toBeLessThan(5e-4);
});
