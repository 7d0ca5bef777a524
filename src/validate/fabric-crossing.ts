/** Two and three yarns: loads and friction of a crossing, and crossings that pass each other along a yarn. */

import type { Fabric, YarnNet } from '../fabric/index.ts';
import { createRandom, type Vec3 } from '../math/index.ts';
import type { Stage } from '../model/index.ts';
import {
  createFabric,
  createFabricWorld,
  createYarnNet,
  FABRIC_LAYER,
  FABRIC_YARN,
  holdNodes,
  type NetNode,
} from './fabrics.ts';
import { faultOf, type ThresholdLaw, type ValueLaw } from './law.ts';

/** Nothing but stretch, bending and contact of crossings. */
export const BARE_LAYER = {
  ...FABRIC_LAYER,
  spacing: 0.01,
  shearStiffness: 0,
  parallelStiffness: 0,
  preload: 0,
  frictionStiffness: 1e6,
};
const S = Math.SQRT1_2;
const [HALF, DENSITY, PULL] = [0.1, 0.05, 2];
/** Both halves of the yarn go down at 45°. */
export const CROSSING_LOAD = 2 * S * PULL;

/**
 * A yarn over a tight rail, its ends pulled down at 45° with P ± d/2, d = ratio · μN. Coulomb's limit on a material coordinate is one on the difference of
 * tensions:  sticks for d ≤ μN, runs with (d − μN)/m beyond.
 */
export function pullOver(friction: number, ratio: number) {
  const rail = 0.02 / 1.01;
  const net = createYarnNet(
    [{ length: 2 * HALF }, { length: rail }],
    [
      {
        x: [0, 0, 0],
        sides: [
          [0, HALF],
          [1, rail / 2],
        ],
      },
      { x: [0, -S * HALF, -S * HALF], sides: [[0, 0]] },
      { x: [0, -S * HALF, S * HALF], sides: [[0, 2 * HALF]] },
      { x: [-0.01, 0, 0], sides: [[1, 0]] },
      { x: [0.01, 0, 0], sides: [[1, rail]] },
    ],
  );
  const fabric = createFabric(net, {
    materials: [{ ...FABRIC_YARN, linearDensity: DENSITY, stretchStiffness: 1e5, bendingStiffness: 0 }],
    layers: [BARE_LAYER],
    friction: Float64Array.of(friction),
  });
  const difference = ratio * friction * CROSSING_LOAD;
  const [first, second] = [PULL - difference / 2, PULL + difference / 2];
  const pull = {
    prepare() {
      fabric.pushNode(1, [0, -S * first, -S * first]);
      fabric.pushNode(2, [0, -S * second, S * second]);
    },
    aim() {},
  };
  const world = createFabricWorld(fabric, {
    timeStep: 2.5e-4,
    newtonIterations: 60,
    tolerance: 1e-8,
    drivers: [holdNodes(fabric, [3, 4]), pull],
  });
  return { fabric, world, difference, mass: 2 * HALF * DENSITY };
}

/** Yarn 0 along x with `rise` in the middle, crossed there by yarn 1 and at −4 mm by yarn 2, tight by 0.2 %. */
export function createThree(rise: number, change: (nodes: NetNode[]) => NetNode[] = (nodes) => nodes): YarnNet {
  const [l, w] = [0.05, 0.004];
  const length = 2 * Math.hypot(l, rise) * 0.998;
  const height = rise * (1 - w / l);
  const u = (x: number): number => ((x + l) / (2 * l)) * length;
  const nodes: NetNode[] = [
    {
      x: [0, rise, 0],
      sides: [
        [0, u(0)],
        [1, l],
      ],
      isUp: false,
    },
    {
      x: [-w, height, 0],
      sides: [
        [0, u(-w)],
        [2, l],
      ],
      isUp: false,
    },
    { x: [-l, 0, 0], sides: [[0, 0]] },
    { x: [l, 0, 0], sides: [[0, length]] },
    { x: [0, rise, -l], sides: [[1, 0]] },
    { x: [0, rise, l], sides: [[1, 2 * l]] },
    { x: [-w, height, -l], sides: [[2, 0]] },
    { x: [-w, height, l], sides: [[2, 2 * l]] },
  ];
  return createYarnNet([{ length }, { length: 2 * l }, { length: 2 * l }], change(nodes));
}

/** A step of a millisecond, to look at forces in. */
export const EIL_STAGE: Stage = {
  h: 1e-3,
  time: 1e-3,
  start: 0,
  step: 1e-3,
  full: 1e-3,
  order: 1,
  rows: 0,
  isHeap: false,
  linearized: false,
};

/** Crossing of yarns 0 and 2 so near to that of 0 and 1 that it is EIL on yarn 0, at `share` of its way; or on yarn 2 alone. */
export function createEil(isShared: boolean): Fabric {
  const net = createThree(0.004, (nodes) => {
    const [a, c] = [nodes[0], nodes[3]];
    const share = 0.01;
    const x = [0, 1, 2].map((k) => (1 - share) * a.x[k] + share * c.x[k]) as unknown as Vec3;
    const u = (1 - share) * a.sides[0][1] + share * c.sides[0][1];
    nodes[1] = isShared
      ? {
          x,
          sides: [
            [0, u],
            [2, 0.05],
          ],
          isUp: false,
        }
      : { x, sides: [[2, 0.05]] };
    for (const i of [6, 7]) nodes[i] = { ...nodes[i], x: [x[0], x[1], nodes[i].x[2]] };
    return nodes;
  });
  const fabric = createFabric(net, { layers: [{ ...BARE_LAYER, shearStiffness: 0 }], gravity: [1, -9.81, 2] });
  fabric.detect(EIL_STAGE.h);
  fabric.adapt();
  fabric.beginStep();
  fabric.beginStage(EIL_STAGE, 0, 0);
  const { v } = fabric.state;
  const random = createRandom(7);
  for (let k = 0; k < 40; k++) {
    const speed = random.uniform(-1, 1);
    if (k % 5 < 3 || k === 3 || k === 4) v[k] = speed;
  }
  return fabric;
}

export const FABRIC_EIL: ValueLaw = {
  name: 'fabric-eil',
  model: 'fabric',
  kind: 'value',
  title: 'an EIL node changes no energy and no force: a crossing near another is as if it were on its own yarn alone',
  source: 'Sánchez-Banderas 2020, §4.3',
  parameter: 'gravity [1]',
  parameters: [1],
  quantity: 'largest difference of forces, over the largest force [1]',
  stiffnesses: [],
  tolerance: 1e-9,
  scale: () => 1,
  predict: () => 0,
  measure() {
    const [shared, apart] = [createEil(true), createEil(false)];
    if (shared.state.eil[2] !== 1) throw new Error('the node is not EIL');
    for (const fabric of [shared, apart]) fabric.assemble(EIL_STAGE);
    let [largest, difference] = [0, 0];
    for (let k = 0; k < 40; k++) {
      if (apart.state.cancelled[Math.floor(k / 5)] & (1 << (k % 5))) continue;
      largest = Math.max(largest, Math.abs(apart.part.rhs[k]));
      difference = Math.max(difference, Math.abs(shared.part.rhs[k] - apart.part.rhs[k]));
    }
    return difference / largest;
  },
};

/** Yarn 2 is drawn along yarn 0, past yarn 1. */
export function drawPast(rise: number, transition: 'keep' | 'optimise', stiffer = 1) {
  const fabric = createFabric(createThree(rise), {
    transition,
    materials: [{ ...FABRIC_YARN, bendingStiffness: 0, stretchStiffness: stiffer * FABRIC_YARN.stretchStiffness }],
    layers: [BARE_LAYER],
    friction: Float64Array.of(0),
  });
  const drag = {
    prepare() {
      for (const i of [6, 7]) fabric.holdNode(i, 7);
    },
    aim() {
      for (const i of [6, 7]) fabric.aimNode(i, 0, 0.1);
    },
  };
  const world = createFabricWorld(fabric, { drivers: [holdNodes(fabric, [2, 3, 4, 5]), drag] });
  const before = world.energy();
  const gaps: number[] = [];
  for (let n = 0; n < 80; n++) {
    world.step();
    gaps.push(Math.hypot(...fabric.state.gap.subarray(0, 6)));
  }
  return { fabric, before, after: world.energy(), state: fabric.state, gaps };
}

/** Whether a yarn slides on another where its ends are pulled with a difference of `difference` [N]: what the first step sets going becomes faster, not slower. */
function slides(friction: number, difference: number): boolean {
  const { fabric, world } = pullOver(friction, difference / (friction * CROSSING_LOAD));
  for (let n = 0; n < 40; n++) world.step();
  const early = fabric.state.v[3];
  for (let n = 0; n < 40; n++) world.step();
  const late = fabric.state.v[3];
  return late < -1e-6 && late < early;
}

export const FABRIC_FRICTION: ThresholdLaw = {
  name: 'fabric-friction',
  model: 'fabric',
  kind: 'threshold',
  title: 'a yarn slides on another that it crosses where its tensions differ by μ N',
  source: 'Coulomb 1785',
  parameter: 'μ [1]',
  parameters: [0.2, 0.5, 1],
  quantity: 'difference of tensions at which it slides [N]',
  stiffnesses: [],
  predict: (mu) => mu * CROSSING_LOAD,
  givesWay: (mu, difference) => slides(mu, difference),
};

export const FABRIC_LOAD: ValueLaw = {
  name: 'fabric-load',
  model: 'fabric',
  kind: 'value',
  title: 'a yarn pulled down over another with 2 P at 45° presses with √2 P',
  source: 'statics',
  parameter: 'μ [1]',
  parameters: [0.2, 0.5, 1],
  quantity: 'normal load of the crossing [N]',
  stiffnesses: [],
  predict: () => CROSSING_LOAD,
  measure(mu) {
    const { fabric, world } = pullOver(mu, 0.5);
    for (let n = 0; n < 60; n++) world.step();
    return fabric.state.load[0];
  },
};

export const FABRIC_PASSING: ValueLaw = {
  name: 'fabric-passing',
  model: 'fabric',
  kind: 'value',
  title: 'crossings pass each other along a straight yarn without a jump of energy',
  source: 'Sánchez-Banderas 2020',
  parameter: 'rise of the yarn [m]',
  parameters: [0],
  quantity: 'largest jump, over the energy of stretch [1]',
  stiffnesses: [],
  tolerance: 1e-9,
  scale: () => 1,
  predict: () => 0,
  measure(rise) {
    const { before, state } = drawPast(rise, 'optimise');
    if (state.passings !== 1) throw new Error(`${state.passings} crossings have passed`);
    return state.largestJump / before.stretch;
  },
};

/** Tension of yarn 0 after yarn 2 was drawn past yarn 1, by its energy: V = ½ EA L ε². */
export const FABRIC_STRETCH_ENERGY: ValueLaw = {
  name: 'fabric-energy',
  model: 'fabric',
  kind: 'value',
  title: 'a tight yarn on which crossings have passed each other still stores ½ EA L ε²',
  source: 'Hooke',
  parameter: 'rise of the yarn [m]',
  parameters: [0],
  quantity: 'energy of stretch [J]',
  stiffnesses: ['EA'],
  // 0.1 m long, tight by 0.2 %
  predict: () => 0.5 * FABRIC_YARN.stretchStiffness * 0.1 * 0.998 * (1 / 0.998 - 1) ** 2,
  measure: (rise, _, faults) => drawPast(rise, 'optimise', faultOf(faults, 'EA')).after.stretch,
};
