/** Twist: its torque, and a coil spring, which is a rod that twists. */

import { crossVec3, multiplyQuaternion, quaternionFromAxisAngle, type Vec3 } from '../math/index.ts';
import { HOLD_FRAME, Rod } from '../rod/index.ts';
import { DenseLdlt } from '../sparse/index.ts';
import { type Driver, World } from '../world/index.ts';
import { faultOf, type ValueLaw } from './law.ts';
import {
  ALONG,
  addScaled,
  clampBoth,
  clampStart,
  createRodMaterial,
  pushEnd,
  readEnd,
  scaleBend,
  settleRod,
} from './rods.ts';

/** A straight rod of length 1 of uneven segments, turned at its end by `turn`, and what length its twist is over: clamps act at the middles of the first and last. */
export function twistRod(GJ: number, turn: number, segments: number): { readonly rod: Rod; readonly length: number } {
  const shares = Array.from({ length: segments + 1 }, (_, i) => (i / segments + 0.35 * (i / segments) ** 2) / 1.35);
  const rod = new Rod({
    id: 'rod',
    material: createRodMaterial({ bend: [1, 2, GJ], inertia: [1e-3, 1e-3, 2e-3] }),
    points: [[0.3, 0.1, 0], addScaled([0.3, 0.1, 0], [1, ALONG])],
    segments: shares,
    gravity: [0, 0, 0],
    damping: { mass: 1, stiffness: 0.02 },
  });
  const first = rod.readFrame('end');
  const driver: Driver = {
    ...clampBoth(rod, 7),
    aim(stage) {
      const angle = turn * Math.min(1, stage.time);
      rod.aimFrameAt('end', multiplyQuaternion(first, quaternionFromAxisAngle([0, 0, 1], angle)), stage.h);
    },
  };
  const world = new World({ models: [rod], drivers: [driver], timeStep: 0.02, newtonIterations: 20 });
  for (let n = 0; n < 400; n++) world.step();
  return { rod, length: 1 - (shares[1] + (1 - shares[segments - 1])) / 2 };
}

const TORSION = 0.7;

export const ROD_TORQUE: ValueLaw = {
  name: 'rod-torque',
  model: 'rod',
  kind: 'value',
  title: 'a straight rod turned at one end has the torque GJ Tw/L',
  source: 'Coulomb 1784',
  parameter: 'Tw [rad]',
  parameters: [0.5, 1.5, 2.5],
  quantity: 'torque [N m], of L = 1 m',
  stiffnesses: ['GJ'],
  resolution: { name: 'segments', values: [12, 24] },
  order: 1.7,
  predict: (turn) => TORSION * turn,
  measure(turn, segments, faults) {
    const { rod, length } = twistRod(TORSION * faultOf(faults, 'GJ'), turn, segments);
    const { torque } = rod.state;
    return length * [0, 1, 2].reduce((sum, k) => sum + torque[3 * (segments - 1) + k] * ALONG[k], 0);
  },
};

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

/** A coil spring: radius, pitch angle, number of turns and stiffnesses. */
export interface Helix {
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
export function computeSpringStiffness({ R, pitch, turns, bend }: Helix, from: number): number {
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
export function measureSpringStiffness({ R, pitch, turns, bend }: Helix, perTurn: number): number {
  const count = turns * perTurn;
  const length = (2 * Math.PI * R * turns) / Math.cos(pitch);
  const points = Array.from({ length: count + 1 }, (_, i) => computeHelix(R, pitch, (length * i) / count).at);
  const rod = new Rod({
    id: 'spring',
    material: createRodMaterial({ bend, stretch: [1e7, 1e7, 1e7] }),
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
  settleRod(new World({ models: [rod], drivers, timeStep: 0.5, newtonIterations: 20 }), rod, 1e-11);
  return force / (readEnd(rod)[2] - before);
}

const [COIL, TURNS, COIL_TORSION] = [0.2, 3, 0.8];

const coil = (pitch: number, bend: Helix['bend']): Helix => ({ R: COIL, pitch, turns: TURNS, bend });

export const ROD_SPRING: ValueLaw = {
  name: 'rod-spring',
  model: 'rod',
  kind: 'value',
  title: 'a coil spring, natural as a helix, has the stiffness of its twist and bend: k = 1/∫ of their compliances',
  source: 'Love 1927',
  parameter: 'pitch angle [rad]',
  parameters: [0.05, 0.3, 0.6],
  quantity: 'force over extension [N/m]',
  stiffnesses: ['EI', 'GJ'],
  resolution: { name: 'segments a turn', values: [24, 48] },
  order: 1.5,
  predict: (pitch) => computeSpringStiffness(coil(pitch, [1, 1, COIL_TORSION]), 0),
  measure(pitch, perTurn, faults) {
    // clamps act at the middles of the first and last segments: as much shorter it is, by the law itself
    const helix = coil(pitch, [1, 1, COIL_TORSION]);
    const half = (Math.PI * COIL) / Math.cos(pitch) / perTurn;
    const share = computeSpringStiffness(helix, 0) / computeSpringStiffness(helix, half);
    return share * measureSpringStiffness(coil(pitch, scaleBend([1, 1], COIL_TORSION, faults)), perTurn);
  },
};
