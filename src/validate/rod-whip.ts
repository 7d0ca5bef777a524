/**
 * The crack of a whip [Wen 2020, Fig. 9]: a hand draws a rod forward, turns it over and stops. A loop runs to the free end; the material
 * that still moves has ever less mass, and most of the energy:  ½ ρ (L − s) v² ≈ const for a chain, s the place of the loop. Stiffness in bending
 * makes an end of it, as the loop is no smaller than √(EI/T).
 */

import { multiplyQuaternion, quaternionFromAxisAngle } from '../math/index.ts';
import { computeEnergy } from '../model/index.ts';
import { computeCurvature, HOLD_FRAME, Rod, type RodOptions } from '../rod/index.ts';
import { type Driver, World, type WorldOptions } from '../world/index.ts';
import type { ValueLaw } from './law.ts';
import { createRodMaterial } from './rods.ts';

/** Speed of the hand [m/s]; times at which it is reached, and from which the handle sinks and turns over, and how long that takes [s]. */
const SPEED = 10;
const [DRAWN, STOP] = [0.14, 0.03];
const [SINKS, SINKING] = [0.13, 0.05];
const [TURNS, TURNING] = [0.11, 0.06];
const DEPTH = 0.25;
const DURATION = 0.28;

const clamp = (s: number) => Math.max(0, Math.min(1, s));
/** 0 … 1, smooth, and its integral. */
const rise = (s: number) => clamp(s) ** 2 * (3 - 2 * clamp(s));
const integrateRise = (s: number) => clamp(s) ** 3 - 0.5 * clamp(s) ** 4;

function computePose(time: number): { readonly x: number; readonly y: number; readonly angle: number } {
  const after = clamp((time - DRAWN) / STOP);
  return {
    x: SPEED * (DRAWN * integrateRise(time / DRAWN) + STOP * (after - integrateRise(after))),
    y: -DEPTH * rise((time - SINKS) / SINKING),
    angle: -Math.PI * rise((time - TURNS) / TURNING),
  };
}

/** Holds the first node and frame of a rod along −x, as the hand does. */
function createHand(rod: Rod): Driver {
  const [label, base] = [rod.chain.label[0], new Float64Array(3)];
  const start = rod.readFrame('start');
  return {
    prepare() {
      rod.holdNode(label, 7);
      rod.holdFrame('start', HOLD_FRAME);
    },
    aim({ time, h }) {
      const { x, y, angle } = computePose(time);
      rod.writeNodeBase(label, base);
      rod.aimNode(label, 0, (x - base[0]) / h);
      rod.aimNode(label, 1, (y - base[1]) / h);
      rod.aimFrameAt('start', multiplyQuaternion(quaternionFromAxisAngle([0, 0, 1], angle), start), h);
    },
  };
}

export interface Crack {
  /** Largest speed of the end over that of the hand, when, and where the whip is bent most then, over its length. */
  readonly ratio: number;
  readonly time: number;
  readonly place: number;
  /** Places of the largest curvature, beyond the handle, in equal times after the hand has stopped. */
  readonly places: readonly number[];
  /** Largest difference of energy and work of the hand, over the largest energy; and at the end. */
  readonly imbalance: number;
  readonly loss: number;
}

function findLoop({ state }: Rod): number {
  let [sharpest, place] = [0, 0];
  for (let i = 2; i < state.count - 1; i++) {
    const curvature = computeCurvature(state, i);
    if (curvature > sharpest) [sharpest, place] = [curvature, state.chain.q[4 * i + 3] / state.restLength];
  }
  return place;
}

function computeTipSpeed({ state: { chain } }: Rod): number {
  const at = 4 * chain.count - 4;
  return Math.hypot(chain.v[at], chain.v[at + 1], chain.v[at + 2]);
}

export function crackWhip(
  nodes: number,
  h: number,
  integrator: NonNullable<WorldOptions['integrator']>,
  options: Partial<RodOptions>,
): Crack {
  const rod = new Rod({
    id: 'whip',
    material: createRodMaterial({
      linearDensity: 0.0283,
      stretch: [200, 200, 565],
      bend: [4e-4, 4e-4, 3e-4],
      inertia: [6.4e-8, 6.4e-8, 1.3e-7],
      radius: 0.003,
    }),
    points: [
      [0, 0, 0],
      [-1, 0, 0],
    ],
    // the handle is short
    segments: [0, ...Array.from({ length: nodes - 1 }, (_, i) => 0.004 + (0.996 * i) / (nodes - 2))],
    keep: [0.004],
    gravity: [0, -9.81, 0],
    ...options,
  });
  const world = new World({ models: [rod], drivers: [createHand(rod)], timeStep: h, integrator });
  const [reaction, torque] = [new Float64Array(3), new Float64Array(3)];
  const first = computeEnergy([rod]).total;
  let [hand, fastest, time, place, work, largest, imbalance, loss] = [0, 0, 0, 0, 0, 0, 0, 0];
  const places: number[] = [];
  for (let n = 1; n * h <= DURATION; n++) {
    const before = computePose((n - 1) * h);
    world.step();
    const now = computePose(n * h);
    const way = [now.x - before.x, now.y - before.y, 0];
    // the exact work of implicit Euler is that of the force at the end, of a second-order method that of the mean
    const old = integrator === 'euler' ? 0 : 0.5;
    const { state } = rod;
    for (let k = 0; k < 2; k++) work += (old * reaction[k] + (1 - old) * state.reaction[k]) * way[k];
    work += (old * torque[2] + (1 - old) * state.torque[2]) * (now.angle - before.angle);
    for (let k = 0; k < 3; k++) [reaction[k], torque[k]] = [state.reaction[k], state.torque[k]];
    const energy = computeEnergy([rod]).total - first;
    largest = Math.max(largest, energy);
    loss = energy - work;
    imbalance = Math.max(imbalance, Math.abs(loss));
    hand = Math.max(hand, Math.hypot(way[0], way[1]) / h);
    const speed = computeTipSpeed(rod);
    if (speed > fastest) [fastest, time, place] = [speed, n * h, findLoop(rod)];
    if (n * h > 0.185 && n * h < 0.25 && n % Math.round(0.01 / h) === 0) places.push(findLoop(rod));
  }
  return { ratio: fastest / hand, time, place, places, imbalance: imbalance / largest, loss: loss / largest };
}

export const ROD_WHIP: ValueLaw = {
  name: 'rod-whip',
  model: 'rod',
  kind: 'value',
  title: 'a whip that cracks has the energy that the hand has put in, at every moment',
  source: 'Newton; whip of Wen 2020, Fig. 9',
  parameter: 'nodes [1]',
  parameters: [36],
  quantity: 'energy less work, most, over the largest energy [1]',
  stiffnesses: [],
  resolution: { name: 'steps a second', values: [5000, 10000] },
  order: 1,
  scale: () => 1,
  predict: () => 0,
  measure: (nodes, perSecond) => crackWhip(nodes, 1 / perSecond, 'sdirk2', {}).imbalance,
};
