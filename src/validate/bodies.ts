/** Rigid bodies on their own: free and hinged. */

import type { SceneInput } from '../scene/index.ts';
import type { World } from '../world/index.ts';
import type { ValueLaw } from './law.ts';
import { createWorld, distance, measurePeriod, readProbe, readVector, run } from './measure.ts';

type SceneBody = NonNullable<SceneInput['bodies']>[number];

/** A scene needs an object: a strand that is elsewhere and at rest. */
export const BYSTANDER: SceneInput['objects'][number] = {
  type: 'strand',
  id: 'bystander',
  material: { radius: 0.001, linearDensity: 0.01, stretchStiffness: 100, bendingStiffness: 0 },
  points: [
    [9, 0, 0],
    [9, 1, 0],
  ],
  nodes: 2,
};

/** Mass [kg] and size [m] of a box, and how it turns at the start [rad/s]. */
export const TUMBLING: {
  readonly mass: number;
  readonly size: [number, number, number];
  readonly spin: [number, number, number];
} = { mass: 1.5, size: [0.3, 0.2, 0.1], spin: [1, 4, 2.5] };

/** A free box that flies and tumbles. */
export const createTumbling = (integrator: 'euler' | 'sdirk2', step: number, newtonIterations = 1): World =>
  createWorld({
    gravity: [0, 0, 0],
    objects: [BYSTANDER],
    bodies: [
      {
        id: 'box',
        shape: { type: 'box', size: TUMBLING.size },
        motion: 'dynamic',
        mass: TUMBLING.mass,
        position: [0.4, 0.1, 0],
        velocity: [0.3, -0.2, 0.5],
        angularVelocity: TUMBLING.spin,
      },
    ],
    probes: [
      { id: 'p', type: 'momentum' },
      { id: 'L', type: 'angularMomentum' },
      { id: 'box', type: 'body', body: 'box' },
    ],
    time: { step, duration: 10, integrator },
    solver: { newtonIterations },
  });

export const BODIES_MOMENTUM: ValueLaw = {
  name: 'bodies-momentum',
  model: 'bodies',
  kind: 'value',
  title: 'a free body that tumbles keeps momentum and angular momentum',
  source: 'Newton, Euler',
  parameter: 'step [s]',
  parameters: [0.005, 0.02, 0.05],
  quantity: 'change of both in 5 s, relative [1]',
  stiffnesses: [],
  tolerance: 1e-11,
  scale: () => 1,
  predict: () => 0,
  measure(step) {
    const world = createTumbling('euler', step);
    const [p, L] = [readVector(world, 'p'), readVector(world, 'L')];
    run(world, Math.round(5 / step));
    return Math.max(
      distance(readVector(world, 'p'), p) / Math.hypot(...p),
      distance(readVector(world, 'L'), L) / Math.hypot(...L),
    );
  },
};

/** |ω| after a time, by Euler’s equations I ω̇ = −ω × I ω of the body frame; it is the same in both frames. Classical Runge–Kutta. */
export function predictTumbling(time: number): number {
  const { mass, size, spin } = TUMBLING;
  const I = [0, 1, 2].map((k) => (mass / 12) * (size[(k + 1) % 3] ** 2 + size[(k + 2) % 3] ** 2));
  const rate = (w: readonly number[]) =>
    [0, 1, 2].map((k) => {
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      return ((I[a] - I[b]) * w[a] * w[b]) / I[k];
    });
  const ahead = (w: readonly number[], k: readonly number[], h: number) => w.map((x, i) => x + h * k[i]);
  const steps = Math.max(1, Math.round(1000 * time));
  const h = time / steps;
  let w: number[] = [...spin];
  for (let n = 0; n < steps; n++) {
    const k1 = rate(w);
    const k2 = rate(ahead(w, k1, h / 2));
    const k3 = rate(ahead(w, k2, h / 2));
    const k4 = rate(ahead(w, k3, h));
    w = w.map((x, i) => x + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  }
  return Math.hypot(...w);
}

export const BODIES_TUMBLE: ValueLaw = {
  name: 'bodies-tumble',
  model: 'bodies',
  kind: 'value',
  title: 'a free body tumbles by Euler’s equations I ω̇ = −ω × I ω',
  source: 'Euler 1758',
  parameter: 'time [s]',
  parameters: [0.5, 1, 2, 3],
  quantity: '|ω| [rad/s]',
  stiffnesses: [],
  tolerance: 1e-3,
  resolution: { name: 'steps a second', values: [100, 200] },
  order: 1.8,
  predict: predictTumbling,
  measure(time, perSecond) {
    const world = createTumbling('sdirk2', 1 / perSecond);
    run(world, Math.round(time * perSecond));
    return Math.hypot(...readVector(world, 'box', ['wx', 'wy', 'wz']));
  },
};

/** Mass of hinged bodies [kg]. */
export const HINGED_MASS = 1.3;

/** A body that hangs from a hinge at a distance d of its centre of mass, turned by θ. */
export const createHinged = (shape: SceneBody['shape'], d: number, theta: number, step: number): World =>
  createWorld({
    objects: [BYSTANDER],
    bodies: [
      {
        id: 'bob',
        shape,
        motion: 'dynamic',
        mass: HINGED_MASS,
        // not in the plane of the hinge's point: an axis holds a body whole
        position: [1 + d * Math.sin(theta), -d * Math.cos(theta), 0.1],
        rotation: { axis: [0, 0, 1], angle: (theta * 180) / Math.PI },
        hinge: { point: [1, 0, 0], axis: [0, 0, 2] },
      },
    ],
    drivers: [
      { type: 'pin', on: { object: 'bystander', at: 'start' } },
      { type: 'pin', on: { object: 'bystander', at: 'end' } },
    ],
    probes: [{ id: 'bob', type: 'body', body: 'bob' }],
    time: { step, duration: 100, integrator: 'sdirk2' },
    solver: { newtonIterations: 20, tolerance: 1e-12 },
  });

/** T = 2π √((I + m d²)/(m g d)) (1 + θ²/16 + 11 θ⁴/3072), I about the centre of mass. */
export const predictHinged = (moment: number, d: number, theta: number): number =>
  2 *
  Math.PI *
  Math.sqrt((moment + HINGED_MASS * d * d) / (HINGED_MASS * 9.81 * d)) *
  (1 + theta ** 2 / 16 + (11 * theta ** 4) / 3072);

const SWING = 0.3;
const HINGED_BOX: SceneBody['shape'] = { type: 'box', size: [0.1, 0.4, 0.2] };
const BOX_MOMENT = (HINGED_MASS / 12) * (0.1 ** 2 + 0.4 ** 2);

export const BODIES_PENDULUM: ValueLaw = {
  name: 'bodies-pendulum',
  model: 'bodies',
  kind: 'value',
  title: 'a hinged body swings with T = 2π √((I + m d²)/(m g d)) (1 + θ²/16 + 11 θ⁴/3072)',
  source: 'Huygens 1673',
  parameter: 'distance d of the hinge [m]',
  parameters: [0.05, 0.1, 0.2],
  quantity: 'period [s]',
  stiffnesses: [],
  resolution: { name: 'steps a period', values: [50, 100] },
  order: 1.8,
  predict: (d) => predictHinged(BOX_MOMENT, d, SWING),
  measure(d, steps) {
    const world = createHinged(HINGED_BOX, d, SWING, predictHinged(BOX_MOMENT, d, SWING) / steps);
    return measurePeriod(world, () => readProbe(world, 'bob.x') - 1, 2);
  },
};
