/** Probes of rods: quantities along it, what it is as a whole, torque at its ends. */

import { computeLength } from '../math/index.ts';
import { computeEnergy } from '../model/index.ts';
import {
  computeCurvature,
  computeLink,
  computeSegmentStrain,
  computeSegmentTension,
  computeTwist,
  type Rod,
  type RodEnd,
} from '../rod/index.ts';
import { describeColumns, type Probe } from './columns.ts';
import { MATERIAL_SPEED, type NodeQuantity, POSITION, SPEED, VELOCITY } from './node-quantities.ts';

const XYZ = ['x', 'y', 'z'] as const;
const SCALAR = [''] as const;

type RodState = Rod['state'];

/** Mean of a number of segments over those on both sides of node i. */
function computeMean(state: RodState, i: number, measureAt: (state: RodState, e: number) => number): number {
  if (i === 0) return measureAt(state, 0);
  if (i === state.count - 1) return measureAt(state, i - 1);
  return 0.5 * (measureAt(state, i - 1) + measureAt(state, i));
}

/** Every quantity a probe can read along a rod. */
export const ROD_QUANTITIES: readonly NodeQuantity<Rod>[] = [
  POSITION,
  VELOCITY,
  SPEED,
  {
    name: 'tension',
    title: 'axial force at the node, mean of both sides',
    unit: 'N',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = computeMean(state, i, computeSegmentTension);
    },
    writeInside({ state }, e, _, out, at) {
      out[at] = computeSegmentTension(state, e);
    },
  },
  {
    name: 'strain',
    title: 'strain at the node, mean of both sides',
    unit: '1',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = computeMean(state, i, computeSegmentStrain);
    },
    writeInside({ state }, e, _, out, at) {
      out[at] = computeSegmentStrain(state, e);
    },
  },
  {
    name: 'curvature',
    title: 'bending angle over material length',
    unit: '1/m',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = i > 0 && i < state.count - 1 ? computeCurvature(state, i) : 0;
    },
  },
  {
    name: 'materialCoordinate',
    title: 'material coordinate u of the node',
    unit: 'm',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = state.chain.q[4 * i + 3];
    },
  },
  MATERIAL_SPEED,
  {
    name: 'constraintForce',
    title: 'constraint force on the node (pin, clamp, tie)',
    unit: 'N',
    components: XYZ,
    write({ state }, _, i, out, at) {
      for (let k = 0; k < 3; k++) out[at + k] = state.reaction[4 * i + k];
    },
    // only nodes are held
    writeInside(_, _e, _t, out, at) {
      out.fill(0, at, at + 3);
    },
  },
];

/** Whole twist [rad], largest curvature [1/m], energy of bend and twist [J], shortest and longest segment in the material [m]. */
export function createRodProbe(id: string, rod: Rod): Probe {
  const { state } = rod;
  return {
    id,
    ...describeColumns(id, ['twist', 'curvature', 'bending', 'shortest', 'longest'], ['rad', '1/m', 'J', 'm', 'm']),
    write(out, at) {
      const { q, count } = state.chain;
      let [sharpest, shortest, longest] = [0, Number.POSITIVE_INFINITY, 0];
      for (let i = 1; i < count - 1; i++) sharpest = Math.max(sharpest, computeCurvature(state, i));
      for (let e = 0; e < count - 1; e++) {
        const du = q[4 * e + 7] - q[4 * e + 3];
        shortest = Math.min(shortest, du);
        longest = Math.max(longest, du);
      }
      out.set([computeTwist(state), sharpest, computeEnergy([rod]).bending, shortest, longest], at);
    },
  };
}

/** Link of a rod and what it is made of, in turns; see `computeLink`. */
export function createLinkProbe(id: string, rod: Rod): Probe {
  return {
    id,
    ...describeColumns(id, ['link', 'twist', 'writhe'], '1'),
    write(out, at) {
      const { link, twist, writhe } = computeLink(rod.state);
      out[at] = link;
      out[at + 1] = twist;
      out[at + 2] = writhe;
    },
  };
}

/** Torque of what holds the frame at an end, in world axes and about the rod's own axis [N m]. */
export function createTorqueProbe(id: string, rod: Rod, end: RodEnd): Probe {
  return {
    id,
    ...describeColumns(id, [...XYZ, 'axial'], 'N m'),
    write(out, at) {
      const { torque, chain } = rod.state;
      const e = rod.endSegment(end);
      const t = [0, 1, 2].map((k) => chain.q[4 * e + 4 + k] - chain.q[4 * e + k]);
      const length = computeLength(t);
      out[at + 3] = 0;
      for (let k = 0; k < 3; k++) {
        out[at + k] = torque[3 * e + k];
        out[at + 3] += (torque[3 * e + k] * t[k]) / length;
      }
    },
  };
}
