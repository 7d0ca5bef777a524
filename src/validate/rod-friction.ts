/** Dry friction of rods with bodies: a slope, and a cable round a drum. */

import type { World } from '../world/index.ts';
import type { ValueLaw } from './law.ts';
import { createWorld, readProbe } from './measure.ts';
import { createSlideLaw, createSlopeLaw } from './shared-laws.ts';

const G = 9.81;

/** Speed after 0.2 s of a rod laid on a plane of slope α (gravity is turned instead), with friction μ. */
function slideRod(mu: number, alpha: number): number {
  const world = createWorld({
    gravity: [G * Math.sin(alpha), -G * Math.cos(alpha), 0],
    objects: [
      {
        type: 'rod',
        id: 'rod',
        material: { linearDensity: 0.02, radius: 0.003, stretchStiffness: 1e4, bendingStiffness: 1e-2 },
        points: [
          [0, 0.003, 0],
          [0.24, 0.003, 0.18],
        ],
        segments: 10,
      },
    ],
    bodies: [{ id: 'plane', shape: { type: 'plane' }, friction: mu }],
    probes: [{ id: 'momentum', type: 'momentum' }],
    time: { step: 0.002, duration: 1 },
  });
  for (let n = 0; n < 100; n++) world.step();
  return readProbe(world, 'momentum.x') / (0.02 * 0.3);
}

// μ g 0.02 t cos α is 3 mm/s at least
export const ROD_SLOPE = createSlopeLaw(
  'rod',
  'a rod',
  [0.1, 0.3, 0.6, 1],
  (mu, tangent) => slideRod(mu, Math.atan(tangent)) > 1e-4,
);

export const ROD_SLIDE = createSlideLaw('rod', 'a rod', {
  parameters: [0.5, 0.7, 1, 1.5],
  quantity: 'mean acceleration in 0.2 s [m/s²]',
  measure: (tangent) => slideRod(0.4, Math.atan(tangent)) / 0.2,
});

/** Drum and cable [m]; EI/(T R²) = 2.5e-4. */
const [R, r] = [0.05, 0.002];
/** Segments [m], and the speed that they are drawn with [m/s]. */
const [SEGMENT, SPEED] = [0.0111, 0.04];

/** A cable drawn round a drum by 180°, steadily, its other end held back with 2 N. */
export function drawCable(mu: number, step: number, mode: 'rh' | 'lagrangian' = 'rh'): World {
  const arc = Array.from({ length: 41 }, (_, k): [number, number, number] => {
    const angle = Math.PI * (k / 40);
    return [-(R + r) * Math.cos(angle), (R + r) * Math.sin(angle), 0];
  });
  return createWorld({
    gravity: [0, 0, 0],
    objects: [
      {
        type: 'rod',
        id: 'rod',
        material: { linearDensity: 0.01, radius: r, stretchStiffness: 2000, bendingStiffness: 1e-6 },
        points: [[-(R + r), -0.2, 0], ...arc, [R + r, -0.08, 0]],
        segments: 40,
        mode,
        damping: { mass: 0, stiffness: 0.01 },
      },
    ],
    bodies: [
      {
        id: 'drum',
        shape: { type: 'cylinder', radius: R, length: 0.2 },
        rotation: { axis: [1, 0, 0], angle: 90 },
        friction: mu,
      },
    ],
    drivers: [
      { type: 'force', on: { object: 'rod', at: 'start' }, value: [0, -2, 0] },
      { type: 'velocity', on: { object: 'rod', at: 'end' }, value: [0, -SPEED, 0] },
    ],
    probes: [{ id: 'pull', type: 'constraintForce', on: { object: 'rod', at: 'end' } }],
    time: { step, duration: 1 },
  });
}

/** A contact pushes along the normal where a step begins: as a friction of v h/R, and so T₂/T₁ is too large by exp(π v h/R), of first order. */
export const ROD_CAPSTAN: ValueLaw = {
  name: 'rod-capstan',
  model: 'rod',
  kind: 'value',
  title: 'a cable drawn round a drum by 180° is pulled exp(μ π) times as hard as it is held',
  source: 'Euler 1769',
  parameter: 'μ [1]',
  parameters: [0.05, 0.1, 0.2, 0.3],
  quantity: 'T₂/T₁ [1]',
  stiffnesses: [],
  resolution: { name: 'steps a second', values: [250, 500] },
  plot: { isLogarithmic: true },
  predict: (mu) => Math.exp(mu * Math.PI),
  measure(mu, perSecond) {
    const world = drawCable(mu, 1 / perSecond);
    for (let n = 0; n < 0.15 * perSecond; n++) world.step();
    // steady by then, but for nodes that pass the ends of the arc: the mean over a segment
    const steps = Math.round((SEGMENT / SPEED) * perSecond);
    let sum = 0;
    for (let n = 0; n < steps; n++) {
      world.step();
      sum -= readProbe(world, 'pull.y');
    }
    return sum / steps / 2;
  },
};
