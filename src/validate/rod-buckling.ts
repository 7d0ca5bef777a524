/** Where straight and ring-shaped rods lose their stability: both sides of each threshold, by whether a small push grows. */

import { dotVec3 } from '../math/index.ts';
import { Rod } from '../rod/index.ts';
import { World } from '../world/index.ts';
import { findLeaving } from './kirchhoff.ts';
import type { ThresholdLaw } from './law.ts';
import {
  ACROSS,
  ALONG,
  ASIDE,
  addScaled,
  clampBoth,
  clampStart,
  createCantilever,
  createRodMaterial,
  measureGrowth,
  pushEnd,
  readEnd,
  readNode,
  scaleBend,
} from './rods.ts';

export const ROD_EULER: ThresholdLaw = {
  name: 'rod-euler-buckling',
  model: 'rod',
  kind: 'threshold',
  title: 'a column buckles at π² EI/4L²',
  source: 'Euler 1744',
  parameter: 'EI [N m²]',
  parameters: [0.3, 1, 3],
  quantity: 'load at which it buckles [N]',
  stiffnesses: ['EI'],
  resolution: { name: 'segments', values: [40] },
  predict: (EI) => (Math.PI ** 2 * EI) / 4,
  givesWay(EI, value, segments, faults) {
    const rod = createCantilever(segments, addScaled([0, 0, 0], [1e-5, ACROSS], [7e-6, ASIDE]), {
      material: createRodMaterial({ bend: scaleBend([EI, EI], 0.8, faults) }),
    });
    const load = addScaled([0, 0, 0], [-value, ALONG]);
    const drivers = [clampStart(rod), pushEnd(rod, () => load)];
    const world = new World({ models: [rod], drivers, timeStep: 0.1 / Math.sqrt(EI), newtonIterations: 20 });
    const amplitude = () => Math.hypot(dotVec3(readEnd(rod), ACROSS), dotVec3(readEnd(rod), ASIDE));
    return measureGrowth(world, amplitude, 240) > 1;
  },
};

/** In the plane it is stiffer by this, and bends little before it turns sideways. */
const STIFF = 300;

export const ROD_LATERAL: ThresholdLaw = {
  name: 'rod-lateral-buckling',
  model: 'rod',
  kind: 'threshold',
  title: 'a heavy ribbon on edge turns sideways where Kirchhoff’s rod leaves its plane, near 12.85 √(EI GJ)/L³',
  source: 'lateral buckling test, Romero et al. 2021; thresholds by kirchhoff.ts',
  parameter: 'GJ/EI [1]',
  parameters: [0.2, 0.5, 1, 1.8],
  quantity: 'w L³/EI at which it turns sideways [1]',
  stiffnesses: ['EI', 'GJ'],
  resolution: { name: 'segments', values: [40] },
  plot: { isSampled: false },
  predict: (C) =>
    findLeaving(
      (weight) => ({ A: 1, B: STIFF, C, weight, load: 0, curvature: 0, clamp: Math.PI / 2 }),
      0.5 * Math.sqrt(C),
    ),
  givesWay(C, weight, segments, faults) {
    // stiff about d₁ = ASIDE; heavy along d₂ = ACROSS
    const rod = createCantilever(segments, addScaled([0, 0, 0], [1e-5, ASIDE]), {
      material: createRodMaterial({ bend: scaleBend([STIFF, 1], C, faults) }),
      gravity: addScaled([0, 0, 0], [weight, ACROSS]),
    });
    const world = new World({ models: [rod], drivers: [clampStart(rod)], timeStep: 0.1, newtonIterations: 20 });
    return measureGrowth(world, () => Math.abs(dotVec3(readEnd(rod), ASIDE)), 240) > 1;
  },
};

/** Twist at which a ring of EI and GJ leaves its plane; `count` segments, held at its seam, which takes rigid motions away and nothing else. */
export function leavesRing(EI: number, GJ: number, twist: number, count: number): boolean {
  // the last segment lies on the first: twist is counted from middle to middle
  const at = Array.from({ length: count + 2 }, (_, i) => (2 * Math.PI * i) / count);
  const rod = new Rod({
    id: 'ring',
    material: createRodMaterial({ bend: [EI, EI, GJ] }),
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
    for (let i = 0; i < count; i++) sum += dotVec3(readNode(rod, i), ASIDE) ** 2;
    return Math.sqrt(sum);
  };
  return measureGrowth(world, amplitude, 400) > 1;
}

export const ROD_MICHELL: ThresholdLaw = {
  name: 'rod-michell',
  model: 'rod',
  kind: 'threshold',
  title: 'a straight rod bent into a ring and twisted leaves its plane at a twist of 2π √3 EI/GJ',
  source: 'Michell 1889',
  parameter: 'EI/GJ [1]',
  parameters: [0.7, 1, 1.25],
  quantity: 'twist at which it leaves its plane [rad]',
  stiffnesses: ['EI', 'GJ'],
  resolution: { name: 'segments', values: [64] },
  predict: (ratio) => 2 * Math.PI * Math.sqrt(3) * ratio,
  givesWay(ratio, twist, segments, faults) {
    const [EI, , GJ] = scaleBend([1, 1], 1 / ratio, faults);
    return leavesRing(EI, GJ, twist, segments);
  },
};
