/** A naturally curved rod that hangs from a clamp: in a plane, or in space. The bend–twist test of the published tests for slender structures. */

import { Rod } from '../rod/index.ts';
import { type Driver, World } from '../world/index.ts';
import { findLeaving } from './kirchhoff.ts';
import type { ThresholdLaw } from './law.ts';
import { clampStart, createRodMaterial, measureGrowth, scaleBend, settleRod, spacingFor } from './rods.ts';

/** GJ/EI; EI = 1 N m², L = 1 m. */
const TWIST = 0.8;

/** Whether a small push out of its plane grows: it hangs in the plane first, held there, then is let go. */
function leavesPlane(
  weight: number,
  curvature: number,
  segments: number,
  bend: readonly [number, number, number],
): boolean {
  let isPlanar = true;
  const du = spacingFor(1, segments);
  // overdamped: what grows does so from the first step on, and what does not is gone soon
  const rod = new Rod({
    id: 'curl',
    material: createRodMaterial({ bend, stretch: [1e6, 1e6, 1e6] }),
    points: [
      [0, 0.5 * du, 0],
      [0, -1, 0],
    ],
    segments,
    normal: [0, 0, 1],
    natural: [curvature, 0, 0],
    gravity: [0, -weight, 0],
    damping: { mass: 2 * Math.sqrt(weight), stiffness: 1e-3 },
  });
  const { chain } = rod;
  const hold: Driver = {
    prepare() {
      for (let i = 1; i <= segments; i++) if (isPlanar) rod.holdNode(i, 4);
    },
    aim() {},
  };
  const world = new World({ models: [rod], drivers: [clampStart(rod), hold], timeStep: 0.05, newtonIterations: 20 });
  settleRod(world, rod, 1e-6, 4000);
  isPlanar = false;
  for (let i = 2; i <= segments; i++) chain.v[4 * i + 2] = 1e-5 * (i / segments) ** 2;
  const amplitude = () => {
    let largest = 0;
    for (let i = 0; i < chain.count; i++) largest = Math.max(largest, Math.abs(chain.q[4 * i + 2]));
    return largest;
  };
  return measureGrowth(world, amplitude, 800) > 1;
}

export const ROD_BEND_TWIST: ThresholdLaw = {
  name: 'rod-bend-twist',
  model: 'rod',
  kind: 'threshold',
  title:
    'a hanging rod of natural curvature κ̄ leaves its plane where Kirchhoff’s rod does, κ̄ (EI/w)^⅓ = 1.753 for long ones, GJ = 0.8 EI',
  source: 'bend–twist test, Romero et al. 2021; Miller et al. 2014; thresholds by kirchhoff.ts',
  parameter: 'w L³/EI [1]',
  parameters: [20, 50, 100, 300, 1000],
  quantity: 'κ̄ L at which it leaves its plane [1]',
  stiffnesses: ['EI', 'GJ'],
  resolution: { name: 'segments', values: [160] },
  plot: { isLogarithmicX: true, isLogarithmic: true, isSampled: false },
  predict: (weight) =>
    findLeaving(
      (curvature) => ({ A: 1, B: 1, C: TWIST, weight, load: 0, curvature, clamp: 0 }),
      0.05 * Math.cbrt(weight),
    ),
  givesWay: (weight, curvature, segments, faults) =>
    leavesPlane(weight, curvature, segments, scaleBend([1, 1], TWIST, faults)),
};
