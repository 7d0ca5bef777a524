/** Where straight and ring-shaped rods lose their stability, and how far they go: both sides of each threshold. */
import type { Vec3 } from 'heddle/math';
import { HOLD_FRAME, Rod, type RodOptions } from 'heddle/rod';
import { type Driver, World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import {
  addScaled,
  clampStart,
  createMaterial,
  measureTip,
  pushEnd,
  readEnd,
  readNode,
  settle,
  shootElastica,
  spacingFor,
} from './rods.ts';

/** Amplitude [m] that a small push never makes by itself. */
const LARGE = 1e-3;

/** Amplitude over the last quarter of the run over that of the first: more than 1 where a small push grows, ∞ where it has become large. */
function measureGrowth(world: World, amplitude: () => number, steps: number): number {
  let [early, late] = [0, 0];
  for (let n = 0; n < steps; n++) {
    world.step();
    const now = amplitude();
    if (now > LARGE) return Number.POSITIVE_INFINITY;
    if (n < steps / 4) early = Math.max(early, now);
    if (n >= (3 * steps) / 4) late = Math.max(late, now);
  }
  expect(early).toBeGreaterThan(0);
  return late / early;
}

const ALONG: Vec3 = [0.6, 0.48, 0.64];
const ACROSS: Vec3 = [0.8, -0.36, -0.48];
const ASIDE: Vec3 = [0, 0.8, -0.6];
const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** A clamped rod of free length 1 along ALONG, d₁ along ASIDE; its tip starts to move sideways, `velocity` times s². */
function createCantilever(segments: number, velocity: Vec3, options: Partial<RodOptions> = {}): Rod {
  const du = spacingFor(1, segments);
  const at = Array.from({ length: segments + 1 }, (_, i) => (i - 0.5) * du);
  return new Rod({
    id: 'rod',
    material: createMaterial(),
    points: at.map((s) => addScaled([0, 0, 0], [s, ALONG])),
    velocity: at.map((s) => addScaled([0, 0, 0], [Math.max(0, s) ** 2, velocity])),
    segments,
    normal: ASIDE,
    gravity: [0, 0, 0],
    damping: { mass: 0.2, stiffness: 0 },
    ...options,
  });
}

describe('a column buckles at π² EI/4L²', () => {
  const critical = Math.PI ** 2 / 4;
  for (const ratio of [0.97, 1.03])
    test(`load ${ratio} of it: a push ${ratio < 1 ? 'dies out' : 'grows'}`, () => {
      const rod = createCantilever(40, addScaled([0, 0, 0], [1e-5, ACROSS], [7e-6, ASIDE]));
      const load = addScaled([0, 0, 0], [-ratio * critical, ALONG]);
      const drivers = [clampStart(rod), pushEnd(rod, () => load)];
      const world = new World({ models: [rod], drivers, timeStep: 0.1, newtonIterations: 20 });
      const growth = measureGrowth(world, () => Math.hypot(dot(readEnd(rod), ACROSS), dot(readEnd(rod), ASIDE)), 240);
      if (ratio < 1) expect(growth).toBeLessThan(0.5);
      else expect(growth).toBeGreaterThan(5);
    });

  for (const ratio of [1.1, 1.6])
    test(`load ${ratio} of it: it goes to the elastica`, () => {
      const [X, Y] = measureTip(shootElastica(0, ratio * critical, Math.PI));
      const tips = [20, 40].map((segments) => {
        const rod = createCantilever(segments, addScaled([0, 0, 0], [0.1, ACROSS], [0.05, ASIDE]), {
          damping: { mass: 2, stiffness: 0.01 },
        });
        const load = addScaled([0, 0, 0], [-ratio * critical, ALONG]);
        const drivers = [clampStart(rod), pushEnd(rod, () => load)];
        settle(new World({ models: [rod], drivers, timeStep: 0.1, newtonIterations: 20 }), rod, 1e-8);
        const tip = readEnd(rod);
        return [-dot(tip, ALONG), Math.hypot(dot(tip, ACROSS), dot(tip, ASIDE))];
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
        const growth = measureGrowth(world, () => Math.abs(dot(readEnd(rod), ASIDE)), 240);
        if (ratio < 1) expect(growth).toBeLessThan(0.5);
        else expect(growth).toBeGreaterThan(5);
      });
});

/** Holds node 0, the last node (the components of `bits`) and both end frames. */
const clampBoth = (rod: Rod, bits: number): Driver => ({
  prepare() {
    rod.holdNode(rod.chain.label[0], 7);
    rod.holdNode(rod.chain.label[rod.chain.count - 1], bits);
    rod.holdFrame('start', HOLD_FRAME);
    rod.holdFrame('end', HOLD_FRAME);
  },
  aim() {},
});

describe('a straight rod bent into a ring and twisted leaves its plane at a twist of 2π √3 EI/GJ', () => {
  // Michell 1889; held at its seam, which takes rigid motions away and nothing else
  const count = 64;
  for (const [EI, GJ] of [
    [1, 0.8],
    [1, 1.5],
  ])
    for (const ratio of [0.97, 1.03])
      test(`EI/GJ ${EI / GJ}, twist ${ratio} of it: a push ${ratio < 1 ? 'dies out' : 'grows'}`, () => {
        const twist = ratio * 2 * Math.PI * Math.sqrt(3) * (EI / GJ);
        // the last segment lies on the first: twist is counted from middle to middle
        const at = Array.from({ length: count + 2 }, (_, i) => (2 * Math.PI * i) / count);
        const rod = new Rod({
          id: 'ring',
          material: createMaterial({ bend: [EI, EI, GJ] }),
          points: at.map((a) => addScaled([0, 0, 0], [Math.sin(a), ALONG], [1 - Math.cos(a), ACROSS])),
          velocity: at.map((a) => addScaled([0, 0, 0], [1e-5 * Math.sin(2 * a + 0.4), ASIDE])),
          segments: count + 1,
          twist: (twist * (count + 1)) / count,
          gravity: [0, 0, 0],
          damping: { mass: 0.1, stiffness: 0 },
        });
        const world = new World({ models: [rod], drivers: [clampBoth(rod, 7)], timeStep: 0.1, newtonIterations: 20 });
        const amplitude = () => {
          let sum = 0;
          for (let i = 0; i < count; i++) sum += dot(readNode(rod, i), ASIDE) ** 2;
          return Math.sqrt(sum);
        };
        const growth = measureGrowth(world, amplitude, 400);
        if (ratio < 1) expect(growth).toBeLessThan(0.7);
        else expect(growth).toBeGreaterThan(4);
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
        const growth = measureGrowth(world, amplitude, 200);
        if (ratio < 1) expect(growth).toBeLessThan(0.7);
        else expect(growth).toBeGreaterThan(4);
      });
});
