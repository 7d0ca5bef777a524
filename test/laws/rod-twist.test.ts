/** Twist: shared evenly, its torque, and a coil spring, which is a rod that twists. */
import { crossVec3, multiplyQuaternion, type Quaternion, quaternionFromAxisAngle, type Vec3 } from 'heddle/math';
import { BendElement, computeTwist, HOLD_FRAME, Rod } from 'heddle/rod';
import { DenseLdlt } from 'heddle/sparse';
import { type Driver, World } from 'heddle/world';
import { describe, expect, test } from 'vitest';
import { addScaled, clampStart, createMaterial, pushEnd, readEnd, settle } from './rods.ts';

const ALONG: Vec3 = [0.6, 0.48, 0.64];

test('a straight rod turned at one end has the torque GJ Tw/L at both, and its twist is even', () => {
  const [segments, GJ, turn, time] = [24, 0.7, 2.5, 1];
  // uneven segments; clamps act at the middles of the first and last
  const shares = Array.from({ length: segments + 1 }, (_, i) => (i / segments + 0.35 * (i / segments) ** 2) / 1.35);
  const rod = new Rod({
    id: 'rod',
    material: createMaterial({ bend: [1, 2, GJ], inertia: [1e-3, 1e-3, 2e-3] }),
    points: [[0.3, 0.1, 0], addScaled([0.3, 0.1, 0], [1, ALONG])],
    segments: shares,
    gravity: [0, 0, 0],
    damping: { mass: 1, stiffness: 0.02 },
  });
  const first = rod.readFrame('end');
  const turned = (angle: number): Quaternion => multiplyQuaternion(first, quaternionFromAxisAngle([0, 0, 1], angle));
  const driver: Driver = {
    prepare() {
      rod.holdNode(rod.chain.label[0], 7);
      rod.holdNode(rod.chain.label[segments], 7);
      rod.holdFrame('start', HOLD_FRAME);
      rod.holdFrame('end', HOLD_FRAME);
    },
    aim(stage) {
      rod.aimFrameAt('end', turned(turn * Math.min(1, stage.time / time)), stage.h);
    },
  };
  const world = new World({ models: [rod], drivers: [driver], timeStep: 0.02, newtonIterations: 20 });
  for (let n = 0; n < 400; n++) world.step();
  const length = 1 - (shares[1] + (1 - shares[segments - 1])) / 2;
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

/** Point, tangent, normal and binormal of a helix about z at arc length l. */
function computeHelix(R: number, pitch: number, l: number): { at: Vec3; axes: readonly [Vec3, Vec3, Vec3] } {
  const [c, s] = [Math.cos(pitch), Math.sin(pitch)];
  const [x, y] = [Math.cos((l * c) / R), Math.sin((l * c) / R)];
  return {
    at: [R * x, R * y, l * s],
    axes: [
      [-x, -y, 0],
      [s * y, -s * x, c],
      [-c * y, c * x, s],
    ],
  };
}

interface Helix {
  readonly R: number;
  readonly pitch: number;
  readonly turns: number;
  readonly bend: readonly [number, number, number];
}

/**
 * Stiffness along z of a clamped helix whose other end may only move along z: 1/k_z is not C_zz of the compliance
 *     C = ∫ Aᵀ K⁻¹ A ds,   m = A w = μ + (r_end − r) × f         w = (f, μ) at the end, m in the axes of the section
 * but k_z = (C⁻¹)_zz, since all of the end's other motions are held. From the middle of the first segment to that of the last.
 */
function computeStiffness({ R, pitch, turns, bend }: Helix, from: number): number {
  const length = (2 * Math.PI * R * turns) / Math.cos(pitch);
  const end = computeHelix(R, pitch, length).at;
  const C = Array.from({ length: 6 }, () => new Array<number>(6).fill(0));
  const points = 4000;
  const ds = (length - 2 * from) / points;
  for (let n = 0; n < points; n++) {
    const { at, axes } = computeHelix(R, pitch, from + (n + 0.5) * ds);
    const arm = addScaled(end, [-1, at]);
    axes.forEach((axis, a) => {
      // axis · (arm × f) = (axis × arm) · f
      const row = [...crossVec3(axis, arm), ...axis];
      for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) C[i][j] += (ds / bend[a]) * row[i] * row[j];
    });
  }
  const solver = new DenseLdlt(6);
  solver.factor(Float64Array.from(C.flat()), 6);
  const motion = Float64Array.of(0, 0, 1, 0, 0, 0);
  solver.solve(motion);
  return motion[2];
}

/** The same of a rod. */
function measureStiffness({ R, pitch, turns, bend }: Helix, perTurn: number): number {
  const count = turns * perTurn;
  const length = (2 * Math.PI * R * turns) / Math.cos(pitch);
  const points = Array.from({ length: count + 1 }, (_, i) => computeHelix(R, pitch, (length * i) / count).at);
  const rod = new Rod({
    id: 'spring',
    material: createMaterial({ bend, stretch: [1e7, 1e7, 1e7] }),
    points,
    segments: count,
    natural: 'initial',
    gravity: [0, 0, 0],
    damping: { mass: 1, stiffness: 0.05 },
  });
  const last = rod.chain.label[count];
  const guide: Driver = {
    prepare() {
      rod.holdNode(last, 3);
      rod.holdFrame('end', HOLD_FRAME);
    },
    aim() {},
  };
  const force = 0.02;
  const drivers = [clampStart(rod), guide, pushEnd(rod, () => [0, 0, force])];
  const before = readEnd(rod)[2];
  settle(new World({ models: [rod], drivers, timeStep: 0.5, newtonIterations: 20 }), rod, 1e-11);
  return force / (readEnd(rod)[2] - before);
}

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
        (n) => measureStiffness(helix, n) / computeStiffness(helix, (0.5 * length) / (turns * n)),
      );
      expect((ratios[0] - 1) / (ratios[1] - 1)).toBeGreaterThan(3.3);
      expect(Math.abs((4 * ratios[1] - ratios[0]) / 3 - 1)).toBeLessThan(2e-3);
      // close-coiled: k = G d⁴/8D³n = GJ/(R² L), a little more where ends are held
      if (pitch < 0.1)
        expect(Math.abs(computeStiffness(helix, 0) / (GJ / (helix.R ** 2 * length)) - 1)).toBeLessThan(0.01);
    });
});
