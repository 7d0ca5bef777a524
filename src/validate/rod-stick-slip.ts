/** A strip that is pressed upright on a floor: it sticks until its sideways push is μ times its weight on the floor. The stick–slip test for slender structures. */

import { findPressed } from './kirchhoff.ts';
import type { ThresholdLaw } from './law.ts';
import { createWorld, readProbe } from './measure.ts';

const RADIUS = 1e-3;
/** Time to press by the last tenth of ε, and to wait afterwards [s]. */
const [PRESS, WAIT] = [2, 1];

/** Presses a strip of L = 1 m, EI = 1 N m², from 0.9 ε on to ε; how far its tip goes sideways [m]. */
export function measureSlip(mu: number, compression: number, segments: number): number {
  const start = 0.9 * compression;
  const { x, y } = findPressed((strip) => strip.compression, start);
  const last = x.length - 1;
  const world = createWorld({
    gravity: [0, 0, 0],
    objects: [
      {
        type: 'rod',
        id: 'strip',
        mode: 'lagrangian',
        material: {
          radius: RADIUS,
          linearDensity: 1,
          stretchStiffness: 1e6,
          bendingStiffness: 1,
          friction: mu,
        },
        shearStiffness: 1e6,
        twistStiffness: 1,
        points: Array.from(x, (side, n) => [side, RADIUS + y[last] - y[n], 0]),
        restLength: 1,
        segments,
        contact: { self: false },
        damping: { mass: 10, stiffness: 0.002 },
      },
    ],
    bodies: [{ id: 'floor', shape: { type: 'plane' }, friction: mu }],
    drivers: [
      {
        type: 'clamp',
        on: { object: 'strip', at: 'start' },
        velocity: [0, -(compression - start) / PRESS, 0],
        until: PRESS,
      },
      { type: 'clamp', on: { object: 'strip', at: 'start' }, from: PRESS },
    ],
    probes: [{ id: 'tip', type: 'position', on: { object: 'strip', at: 'end' } }],
    time: { step: 0.02, duration: 10 },
    solver: { newtonIterations: 20 },
  });
  for (let n = 0; n < (PRESS + WAIT) / 0.02; n++) world.step();
  return Math.hypot(readProbe(world, 'tip.x'), readProbe(world, 'tip.z'));
}

export const ROD_STICK_SLIP: ThresholdLaw = {
  name: 'rod-stick-slip',
  model: 'rod',
  kind: 'threshold',
  title: 'the tip of a strip that is pressed upright on a floor slips where the elastica pushes it sideways with μ N',
  source: 'stick–slip test, Romero et al. 2021; Sano, Yamaguchi and Wada 2017; thresholds by kirchhoff.ts',
  parameter: 'μ [1]',
  parameters: [0.05, 0.1, 0.2, 0.3],
  quantity: 'compression ε at which it slips [1]',
  stiffnesses: [],
  resolution: { name: 'segments', values: [80] },
  plot: { isSampled: false },
  predict: (mu) => findPressed((strip) => strip.ratio, mu).compression,
  givesWay: (mu, compression, segments) => measureSlip(mu, compression, segments) > 1e-3,
};
