/** Twist: shared evenly, its torque at both ends; and coil springs of several stiffnesses. */
import { BendElement, computeTwist } from 'heddle/rod';
import { ALONG, computeSpringStiffness, type Helix, measureSpringStiffness, twistRod } from 'heddle/validate';
import { describe, expect, test } from 'vitest';

test('a straight rod turned at one end has the torque GJ Tw/L at both, and its twist is even', () => {
  const [segments, GJ, turn] = [24, 0.7, 2.5];
  const { rod, length } = twistRod(GJ, turn, segments);
  expect(Math.abs(computeTwist(rod.state) / turn - 1)).toBeLessThan(1e-3);
  const { torque } = rod.state;
  const rate = turn / length;
  // 4 tan(φ/4) for the turn φ at a node: φ²/12 in the torque, φ up to 0.15; even within φ²/12 too
  for (let k = 0; k < 3; k++) {
    // held back at its start, turned at its end
    expect(Math.abs(torque[k] / (-GJ * rate * ALONG[k]) - 1)).toBeLessThan(2e-3);
    expect(Math.abs(torque[3 * (segments - 1) + k] / (GJ * rate * ALONG[k]) - 1)).toBeLessThan(2e-3);
  }
  const bend = new BendElement();
  for (let i = 1; i < segments; i++) {
    bend.set(rod.state.frame, 4 * i - 4, 4 * i, rod.state.bendLength(i));
    expect(Math.abs(bend.strain[2] / rate - 1)).toBeLessThan(2e-3);
    expect(Math.hypot(bend.strain[0], bend.strain[1])).toBeLessThan(1e-6);
  }
});

describe('a coil spring, natural as a helix, has the stiffness of its twist and bend', () => {
  for (const [pitch, GJ, turns] of [
    [0.05, 0.8, 4],
    [0.3, 0.5, 3],
    [0.6, 1.4, 3],
  ])
    test(`pitch angle ${pitch} rad, GJ/EI = ${GJ}`, () => {
      const helix: Helix = { R: 0.2, pitch, turns, bend: [1, 1, GJ] };
      const length = (2 * Math.PI * helix.R * turns) / Math.cos(pitch);
      const ratios = [16, 32].map(
        (n) => measureSpringStiffness(helix, n) / computeSpringStiffness(helix, (0.5 * length) / (turns * n)),
      );
      expect((ratios[0] - 1) / (ratios[1] - 1)).toBeGreaterThan(3.3);
      expect(Math.abs((4 * ratios[1] - ratios[0]) / 3 - 1)).toBeLessThan(2e-3);
      // close-coiled: k = G d⁴/8D³n = GJ/(R² L), a little more where ends are held
      if (pitch < 0.1)
        expect(Math.abs(computeSpringStiffness(helix, 0) / (GJ / (helix.R ** 2 * length)) - 1)).toBeLessThan(0.01);
    });
});
