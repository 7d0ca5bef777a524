/** Where straight rods lose their stability under loads and moments, and how far they go; `heddle validate rod` has columns, ribbons under their weight and rings. */
import { dotVec3 } from 'heddle/math';
import { Rod } from 'heddle/rod';
import {
  ACROSS,
  ALONG,
  ASIDE,
  addScaled,
  clampBoth,
  clampStart,
  createCantilever,
  createRodMaterial as createMaterial,
  measureGrowth,
  measureTip,
  pushEnd,
  readEnd,
  readNode,
  settleRod as settle,
  shootElastica,
} from 'heddle/validate';
import { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';

describe('a column that has buckled', () => {
  const critical = Math.PI ** 2 / 4;
  for (const ratio of [1.1, 1.6])
    test(`load ${ratio} of π² EI/4L²: it goes to the elastica`, () => {
      const [X, Y] = measureTip(shootElastica(0, ratio * critical, Math.PI));
      const tips = [20, 40].map((segments) => {
        const rod = createCantilever(segments, addScaled([0, 0, 0], [0.1, ACROSS], [0.05, ASIDE]), {
          damping: { mass: 2, stiffness: 0.01 },
        });
        const load = addScaled([0, 0, 0], [-ratio * critical, ALONG]);
        const drivers = [clampStart(rod), pushEnd(rod, () => load)];
        settle(new World({ models: [rod], drivers, timeStep: 0.1, newtonIterations: 20 }), rod, 1e-8);
        const tip = readEnd(rod);
        return [-dotVec3(tip, ALONG), Math.hypot(dotVec3(tip, ACROSS), dotVec3(tip, ASIDE))];
      });
      const errorOf = (tip: readonly number[]) => Math.hypot(tip[0] - X, tip[1] - Y);
      expect(errorOf(tips[0]) / errorOf(tips[1])).toBeGreaterThan(3.4);
      expect(errorOf([0, 1].map((k) => (4 * tips[1][k] - tips[0][k]) / 3))).toBeLessThan(5e-4);
    });
});

describe('a ribbon with a load at its tip turns sideways at 4.013 √(EI GJ)/L²', () => {
  for (const [EI, GJ] of [
    [1, 0.8],
    [1.5, 0.3],
  ])
    for (const ratio of [0.97, 1.03])
      test(`EI ${EI}, GJ ${GJ} N m², load ${ratio} of it: a push ${ratio < 1 ? 'dies out' : 'grows'}`, () => {
        // stiff about d₁ = ASIDE; loaded along d₂ = ACROSS
        const rod = createCantilever(40, addScaled([0, 0, 0], [1e-5, ASIDE]), {
          material: createMaterial({ bend: [3000, EI, GJ] }),
        });
        const load = addScaled([0, 0, 0], [ratio * 4.013 * Math.sqrt(EI * GJ), ACROSS]);
        const drivers = [clampStart(rod), pushEnd(rod, () => load)];
        const world = new World({ models: [rod], drivers, timeStep: 0.1, newtonIterations: 20 });
        const growth = measureGrowth(world, () => Math.abs(dotVec3(readEnd(rod), ASIDE)), 240, 1);
        if (ratio < 1) expect(growth).toBeLessThan(0.5);
        else expect(growth).toBeGreaterThan(5);
      });
});

/**
 * Least moment at which a clamped rod of length 1 and EI = 1 under tension T leaves its line: ξ⁗ − iM ξ‴ − T ξ″ = 0, ξ = y + iz,
 * ξ = ξ′ = 0 at both ends:  β sin β (sin α − α cos α) = α sin α (sin β − β cos β),  α, β = (M/2 ± √(M²/4 − T))/2.
 */
function computeCriticalMoment(T: number): number {
  const F = (M: number) => {
    const root = Math.sqrt((M * M) / 4 - T);
    const [a, b] = [(M / 2 + root) / 2, (M / 2 - root) / 2];
    return b * Math.sin(b) * (Math.sin(a) - a * Math.cos(a)) - a * Math.sin(a) * (Math.sin(b) - b * Math.cos(b));
  };
  // at M² = 4T both sides are equal without any solution: from just above it
  let M = 2 * Math.sqrt(T) * (1 + 1e-4) + 1e-3;
  const step = 1e-3;
  while (F(M) * F(M + step) > 0) M += step;
  let [low, high] = [M, M + step];
  for (let n = 0; n < 50; n++) {
    const middle = (low + high) / 2;
    if (F(low) * F(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}

describe('a pulled, twisted rod leaves its line at M² = 4 EI T (Greenhill), more where it is short', () => {
  test('the exact moment of a clamped rod tends to 2 √(EI T), and to 8.987 EI/L without tension', () => {
    expect(computeCriticalMoment(1e4) / 200).toBeLessThan(1.005);
    expect(computeCriticalMoment(1e4) / 200).toBeGreaterThan(1);
    expect(Math.abs(computeCriticalMoment(1e-4) - 8.9868)).toBeLessThan(1e-3);
  });

  for (const T of [1, 40, 400])
    for (const ratio of [0.97, 1.03])
      test(`T L²/EI = ${T}, moment ${ratio} of it: a push ${ratio < 1 ? 'dies out' : 'grows'}`, () => {
        const [segments, GJ] = [80, 4];
        const du = 1 / (segments - 1);
        const twist = (ratio * computeCriticalMoment(T)) / GJ;
        const at = Array.from({ length: segments + 1 }, (_, i) => (i - 0.5) * du);
        const bump = (s: number) => (s > 0 && s < 1 ? (s * (1 - s)) ** 2 : 0);
        const rod = new Rod({
          id: 'rod',
          material: createMaterial({ bend: [1, 1, GJ] }),
          points: at.map((s) => [s, 0, 0]),
          velocity: at.map((s) => [0, 1e-4 * bump(s), 1e-4 * bump(s) * Math.sin(5 * s)]),
          segments,
          twist: (twist * segments) / (segments - 1),
          gravity: [0, 0, 0],
          damping: { mass: 1, stiffness: 0 },
        });
        const world = new World({
          models: [rod],
          drivers: [clampBoth(rod, 6), pushEnd(rod, () => [T, 0, 0])],
          timeStep: 0.02,
          newtonIterations: 20,
        });
        const amplitude = () => {
          let sum = 0;
          for (let i = 0; i < segments; i++) sum += Math.hypot(readNode(rod, i)[1], readNode(rod, i)[2]);
          return sum;
        };
        const growth = measureGrowth(world, amplitude, 200, 1);
        if (ratio < 1) expect(growth).toBeLessThan(0.7);
        else expect(growth).toBeGreaterThan(4);
      });
});
