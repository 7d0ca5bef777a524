/** What a free rod keeps: momentum, angular momentum, material; and energy, which it never gains. */

import type { Vec3 } from '../math/index.ts';
import { computeEnergy } from '../model/index.ts';
import { DEFAULT_REFINEMENT, Rod, type RodOptions } from '../rod/index.ts';
import { World, type WorldOptions } from '../world/index.ts';
import type { ValueLaw } from './law.ts';
import { createRodMaterial } from './rods.ts';

/** Bent in space, natural straight, flying and tumbling. */
export function throwRod(
  options: Partial<RodOptions>,
  timeStep: number,
  integrator: WorldOptions['integrator'] = 'euler',
  keepsAngularMomentum?: boolean,
): { readonly rod: Rod; readonly world: World } {
  const points: Vec3[] = [];
  const velocity: Vec3[] = [];
  for (let i = 0; i <= 20; i++) {
    const s = i / 20;
    points.push([s, 0.3 * Math.sin(2.5 * s), 0.2 * s * s]);
    velocity.push([0.7 + 1.1 * s * s, -2 * s + 0.4, 3 * s - 1]);
  }
  const rod = new Rod({
    id: 'rod',
    material: createRodMaterial({ bend: [1, 1.7, 0.8], stretch: [3e4, 3e4, 1e5], inertia: [1e-3, 2e-3, 3e-3] }),
    points,
    velocity,
    segments: 20,
    gravity: [0, 0, 0],
    twist: 0.8,
    masses: [{ at: 0.35, mass: 0.2 }],
    ...options,
  });
  const world = { timeStep, integrator, newtonIterations: 30, tolerance: 1e-12, keepsAngularMomentum };
  return { rod, world: new World({ models: [rod], ...world }) };
}

export const momentumOf = (rod: Rod): Float64Array => {
  const out = new Float64Array(6);
  rod.addMomentum(out);
  return out;
};

/** Of the linear (from 0) or angular (from 3) momentum, relative. */
export const changeOf = (a: Float64Array, b: Float64Array, from: number): number =>
  Math.hypot(...[0, 1, 2].map((k) => b[from + k] - a[from + k])) / Math.hypot(...a.subarray(from, from + 3));

/** Material points that move, and nodes that come and go soon. */
export const RESTLESS: Partial<RodOptions> = {
  segments: [
    0, 0.05, 0.1, 0.12, 0.17, 0.22, 0.24, 0.35, 0.42, 0.47, 0.49, 0.55, 0.6, 0.65, 0.67, 0.7, 0.78, 0.85, 0.87, 0.95, 1,
  ],
  sliding: { contrast: 1000, rate: 10 },
  refinement: { ...DEFAULT_REFINEMENT, shortest: 0.6, longest: 1.4, finest: 1 },
};

const DURATION = 0.5;

export const ROD_MOMENTUM: ValueLaw = {
  name: 'rod-momentum',
  model: 'rod',
  kind: 'value',
  title: 'a free rod keeps its momentum while its material points move, come and go',
  source: 'Newton',
  parameter: 'steps in 0.5 s [1]',
  parameters: [100, 200],
  quantity: 'change of momentum, relative [1]',
  stiffnesses: [],
  tolerance: 1e-6,
  scale: () => 1,
  predict: () => 0,
  measure(steps) {
    const { rod, world } = throwRod(RESTLESS, DURATION / steps);
    const [start, labels] = [momentumOf(rod), rod.state.nextLabel];
    for (let n = 0; n < steps; n++) world.step();
    if (rod.state.nextLabel < labels + 2) throw new Error('no node has come');
    return changeOf(start, momentumOf(rod), 0);
  },
};

export const ROD_ANGULAR: ValueLaw = {
  name: 'rod-angular-momentum',
  model: 'rod',
  kind: 'value',
  title:
    'a free rod that tumbles keeps its angular momentum to second order in the step (sdirk2), without being given it back',
  source: 'Newton',
  parameter: 'damping of strains [s]',
  parameters: [0, 5e-3],
  quantity: 'change of angular momentum, relative [1]',
  stiffnesses: [],
  tolerance: 1e-3,
  resolution: { name: 'steps', values: [100, 200, 400] },
  order: 1.8,
  scale: () => 1,
  predict: () => 0,
  measure(stiffness, steps) {
    const { rod, world } = throwRod({ damping: { mass: 0, stiffness } }, DURATION / steps, 'sdirk2', false);
    const start = momentumOf(rod);
    for (let n = 0; n < steps; n++) world.step();
    return changeOf(start, momentumOf(rod), 3);
  },
};

export const ROD_ENERGY: ValueLaw = {
  name: 'rod-energy',
  model: 'rod',
  kind: 'value',
  title: 'a free rod never gains energy (implicit Euler)',
  source: 'docs/reference/rod.md',
  parameter: 'steps in 0.5 s [1]',
  parameters: [20, 100, 400],
  quantity: 'energy gained in all steps that gain, over the energy at the start [1]',
  stiffnesses: [],
  tolerance: 1e-12,
  scale: () => 1,
  predict: () => 0,
  measure(steps) {
    const { rod, world } = throwRod({ sliding: { contrast: 1000, rate: 10 } }, DURATION / steps);
    const start = computeEnergy([rod]).total;
    let [gain, last] = [0, start];
    for (let n = 0; n < steps; n++) {
      world.step();
      const now = computeEnergy([rod]).total;
      gain += Math.max(0, now - last);
      last = now;
    }
    return gain / start;
  },
};

export const ROD_LENGTH: ValueLaw = {
  name: 'rod-length',
  model: 'rod',
  kind: 'value',
  title: 'insertion and collapse of nodes keep the material: segments add up to the length',
  source: 'docs/reference/rod.md',
  parameter: 'steps in 0.5 s [1]',
  parameters: [100, 200],
  quantity: 'material length after over before [1]',
  stiffnesses: [],
  tolerance: 1e-12,
  predict: () => 1,
  measure(steps) {
    const { rod, world } = throwRod(RESTLESS, DURATION / steps);
    const length = () => {
      const { q, count } = rod.chain;
      let sum = 0;
      for (let i = 1; i < count; i++) {
        const du = q[4 * i + 3] - q[4 * i - 1];
        // a segment turned round would count against the others
        if (!(du > 0)) throw new Error(`segment ${i} has the material length ${du} m`);
        sum += du;
      }
      return sum;
    };
    const [before, labels] = [length(), rod.state.nextLabel];
    for (let n = 0; n < steps; n++) world.step();
    if (rod.state.nextLabel < labels + 2) throw new Error('no node has come');
    return length() / before;
  },
};
