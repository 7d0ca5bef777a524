/** Rods whose material points move (r) and come and go (h): where they go, what that gains, and what it leaves alone. */
import type { Vec3 } from 'heddle/math';
import { computeEnergy } from 'heddle/model';
import { computeSegmentTension, computeTwist, DEFAULT_REFINEMENT, Rod, type RodOptions } from 'heddle/rod';
import { computeDensity, hangCantilever, measureElasticaError, measureSpread, spacingOf } from 'heddle/validate';
import { World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { createMaterial } from './rods.ts';

describe('material points that move make a strongly bent rod more accurate', () => {
  // measured   8 nodes  16       32       64
  // even       0.0402   0.0206   0.00657  0.00161
  // moved      0.0036   0.0006   0.00031  0.00014
  for (const n of [8, 16, 32, 64])
    test(`with ${n} nodes, by at least half of the largest error of even spacing`, () => {
      const uniform = measureElasticaError(hangCantilever(n, false));
      const moved = measureElasticaError(hangCantilever(n, { contrast: 1000, rate: 10 }));
      expect(moved).toBeLessThan(0.5 * uniform);
      expect(moved).toBeGreaterThan(0);
    });
});

test('material points gather where the rod bends: θ Δu² is the same everywhere, θ = 1 + (contrast − 1)(κ ℓ/π)²', () => {
  const contrast = 1000;
  const rod = hangCantilever(64, { contrast, rate: 10 });
  const { smooth, bare } = computeDensity(rod, contrast);
  // as it is used, smoothed twice: what is left is what it has not settled; unsmoothed, θ Δu² bends at the clamp: measured 0.12
  expect(measureSpread(rod, smooth)).toBeLessThan(0.01);
  expect(measureSpread(rod, bare)).toBeLessThan(0.2);
  // θ varies by a factor of 60, so spacing does by 7.7
  expect(spacingOf(rod, rod.chain.count - 2) / spacingOf(rod, 1)).toBeGreaterThan(6);
});

/** Length of a polyline up to each of its points. */
function measureAlong(points: readonly Vec3[]): number[] {
  const along = [0];
  for (let i = 1; i < points.length; i++)
    along.push(along[i - 1] + Math.hypot(...points[i].map((x, k) => x - points[i - 1][k])));
  return along;
}

/** n nodes on an arc of radius 1 in a tilted plane, unevenly spaced where `uneven`; restLength that of the polyline. */
function createArc(n: number, angle: number, options: Partial<RodOptions> = {}, uneven = 0): Rod {
  const at = Array.from({ length: n }, (_, i) => {
    const s = i / (n - 1);
    return angle * (s + uneven * Math.sin(2 * Math.PI * s));
  });
  const points = at.map((a): Vec3 => [Math.sin(a), 0.6 * (1 - Math.cos(a)), 0.8 * (1 - Math.cos(a))]);
  const along = measureAlong(points);
  return new Rod({
    id: 'rod',
    material: createMaterial(),
    points,
    segments: along.map((s) => s / along[n - 1]),
    gravity: [0, 0, 0],
    ...options,
  });
}

test('a rod of even curvature is spaced evenly, wherever its nodes start', () => {
  const rod = createArc(
    24,
    2.5,
    { natural: [-0.8, 0.6, 0], normal: [0, 0.8, -0.6], sliding: { contrast: 1000, rate: 10 } },
    0.1,
  );
  const world = new World({ models: [rod], timeStep: 0.02 });
  const uneven = () => {
    const all = Array.from({ length: 23 }, (_, e) => spacingOf(rod, e));
    return Math.max(...all) / Math.min(...all) - 1;
  };
  expect(uneven()).toBeGreaterThan(1);
  for (let n = 0; n < 100; n++) world.step();
  expect(uneven()).toBeLessThan(0.02);
});

describe('a split of a circular arc', () => {
  for (const [segments, twist, share] of [
    [16, 0, 0.5],
    [16, 0.9, 0.5],
    [16, 0.9, 0.3],
    [64, 0.9, 0.4],
  ])
    test(`of ${segments} segments leaves bend and twist, strains by φ²/32 at most, twist ${twist} rad, at ${share} of a segment`, () => {
      const rod = createArc(segments + 1, 1.4, { twist });
      const before = computeEnergy([rod]);
      const [length, turn] = [rod.state.restLength, computeTwist(rod.state)];
      const du = spacingOf(rod, 7);
      const label = rod.insertNode(rod.chain.q[4 * 7 + 3] + share * du);
      expect(rod.indexOf(label)).toBe(8);
      const after = computeEnergy([rod]);
      const phi = Math.hypot(1.4, twist) / segments;
      // 4 tan(φ/4) instead of φ: relative φ²/24 of the strain, φ²/12 of the energy, at the two nodes whose turn changes and the new one.
      // A copied frame would raise them by 1/3.
      expect(Math.abs(after.bending - before.bending)).toBeLessThan(
        (phi ** 2 / 12) * 3 * (before.bending / (segments - 1)),
      );
      if (segments === 64) expect(Math.abs(after.bending / before.bending - 1)).toBeLessThan(1e-6);
      expect(Math.abs(computeTwist(rod.state) - turn)).toBeLessThan(phi ** 2 * (0.01 + twist / segments));
      // the halves run along an arc, 1/cos(φ/4) times the chord: ½ EA Δu (φ²/32)², and nothing else, for a split in the middle
      expect(after.stretch).toBeGreaterThan(before.stretch);
      expect(after.stretch).toBeLessThan(1.5 * 0.5e8 * du * (phi ** 2 / 32) ** 2);
      expect(rod.chain.q[4 * segments + 7]).toBe(length);
      expect(rod.computeMass()).toBeCloseTo(length, 14);
    });
});

describe('a collapse', () => {
  /** Mean of the axial force over the material of segments. */
  const computeForce = ({ state }: Rod, ...segments: number[]) => {
    let [sum, length] = [0, 0];
    for (const e of segments) {
      const du = state.chain.q[4 * e + 7] - state.chain.q[4 * e + 3];
      sum += du * computeSegmentTension(state, e);
      length += du;
    }
    return sum / length;
  };

  /** An arc stretched by `strain` with a short segment, a node beside which is moved by `shift`, and which is collapsed. */
  function collapse(strain: number, softest = 0.02, shift = 0) {
    const at = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.51, 0.6, 0.7, 0.8, 0.9, 1].map((s) => 2.2 * s);
    const points = at.map((a): Vec3 => [Math.sin(a), 0.6 * (1 - Math.cos(a)), 0.8 * (1 - Math.cos(a))]);
    const along = measureAlong(points);
    const length = along[11] / (1 + strain);
    const rod = new Rod({
      id: 'rod',
      material: createMaterial({ stretch: [50, 50, 100], radius: 0.02 }),
      points,
      restLength: length,
      segments: along.map((s) => s / along[11]),
      gravity: [0, 0, 0],
      refinement: { ...DEFAULT_REFINEMENT, sharpest: 10, softest, stiffest: softest === 1 ? 1 : 10, recovery: 5 },
    });
    rod.chain.q[4 * 5 + 2] += shift;
    const before = computeEnergy([rod]).stretch;
    const forces = [computeForce(rod, 4, 5), computeForce(rod, 5, 6)];
    // a step of no length, in which nothing recovers
    rod.detect(0);
    expect(rod.adapt()).toBe(1);
    expect(rod.chain.count).toBe(11);
    expect(rod.chain.q[4 * 10 + 3]).toBe(length);
    const wide = rod.chain.q[4 * 5 + 3] - rod.chain.q[4 * 4 + 3] > 0.101 * length ? 4 : 5;
    const [forceBefore, forceAfter] = [forces[wide - 4], computeForce(rod, wide)];
    return { rod, wide, before, after: computeEnergy([rod]).stretch, forceBefore, forceAfter };
  }

  test('of a stretched, bent rod keeps force and stretch energy, also where it becomes shorter than at rest', () => {
    // the segment that takes over is shorter by 0.1 × 0.9 × (turn)²/2: 6e-5
    for (const strain of [0.03, 1e-5, -1e-3]) {
      const { before, after, forceBefore, forceAfter } = collapse(strain);
      expect(Math.abs(after / before - 1)).toBeLessThan(1e-9);
      expect(Math.abs(forceAfter / forceBefore - 1)).toBeLessThan(1e-9);
    }
    const bare = collapse(1e-5, 1);
    expect(bare.forceAfter / bare.forceBefore).toBeLessThan(0);
  });

  test('leaves a slack that goes back at the rate', () => {
    const { rod, wide } = collapse(0.03);
    const first = rod.state.slack[3 * wide + 2];
    expect(first).toBeLessThan(-1e-5);
    for (let n = 1; n <= 40; n++) {
      rod.detect(0.01);
      expect(rod.adapt()).toBe(0);
      // σ = σ₀ exp(−rate t)
      expect(Math.abs(rod.state.slack[3 * wide + 2] / first - Math.exp(-0.05 * n))).toBeLessThan(1e-12);
    }
  });

  test('takes no stiffness out of its bounds, and then keeps the force', () => {
    // two parts with different forces: the square of the mean is less than the mean square
    const free = collapse(0.03, 0.02, 1e-3);
    const least = 0.5 * (1 + free.rod.state.softness[free.wide]);
    expect(least).toBeLessThan(1);
    const { rod, wide, forceBefore, forceAfter } = collapse(0.03, least, 1e-3);
    expect(rod.state.softness[wide]).toBe(least);
    expect(Math.abs(forceAfter / forceBefore - 1)).toBeLessThan(1e-9);
  });
});
