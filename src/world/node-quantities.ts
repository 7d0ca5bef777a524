/**
 * What a probe can read at a point of a strand, each quantity with its unit (SI; '1' for ratios).
 */

import { type CurveChain, computeNodeVelocity, writeSegmentVelocity } from '../curve/index.ts';
import { computeLength } from '../math/index.ts';
import {
  computeNodeCoordinate,
  computeNodeCurvature,
  computeNodeStrain,
  computeSegmentStrain,
  type Strand,
} from '../strand/index.ts';

/** A quantity along a strand, or along another curve. */
export interface NodeQuantity<Curve = Strand> {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly components: readonly string[];
  /** The value at node i. */
  write(curve: Curve, label: number, i: number, out: Float64Array, at: number): void;
  /** The value inside segment e, at the share t of its material; without it, linear between the two nodes. */
  writeInside?(curve: Curve, e: number, t: number, out: Float64Array, at: number): void;
}

const XYZ = ['x', 'y', 'z'] as const;
const SCALAR = [''] as const;

/** A curve by its nodes: what strands and rods have in common. */
interface ChainCurve {
  readonly state: { readonly chain: CurveChain };
}

export const POSITION: NodeQuantity<ChainCurve> = {
  name: 'position',
  title: 'world position of the node',
  unit: 'm',
  components: XYZ,
  write({ state }, _, i, out, at) {
    for (let k = 0; k < 3; k++) out[at + k] = state.chain.q[4 * i + k];
  },
};

export const VELOCITY: NodeQuantity<ChainCurve> = {
  name: 'velocity',
  title: 'world velocity of the material at the node',
  unit: 'm/s',
  components: XYZ,
  write({ state }, _, i, out, at) {
    out.set(computeNodeVelocity(state.chain, i), at);
  },
  writeInside({ state }, e, t, out, at) {
    const ends = new Float64Array(6);
    writeSegmentVelocity(state.chain, e, ends);
    for (let k = 0; k < 3; k++) out[at + k] = ends[k] + t * (ends[3 + k] - ends[k]);
  },
};

export const SPEED: NodeQuantity<ChainCurve> = {
  name: 'speed',
  title: 'speed of the material at the node',
  unit: 'm/s',
  components: SCALAR,
  write({ state }, _, i, out, at) {
    out[at] = computeLength(computeNodeVelocity(state.chain, i));
  },
  writeInside({ state }, e, t, out, at) {
    const ends = new Float64Array(6);
    writeSegmentVelocity(state.chain, e, ends);
    out[at] = computeLength([0, 1, 2].map((k) => ends[k] + t * (ends[3 + k] - ends[k])));
  },
};

export const MATERIAL_SPEED: NodeQuantity<ChainCurve> = {
  name: 'materialSpeed',
  title: 'rate of the material coordinate: speed of the material through the node',
  unit: 'm/s',
  components: SCALAR,
  write({ state }, _, i, out, at) {
    out[at] = state.chain.v[4 * i + 3];
  },
  // a material point does not run through itself
  writeInside(_, _e, _t, out, at) {
    out[at] = 0;
  },
};

/** Every quantity a probe can read at a node; the scene schema takes its names from here. */
export const NODE_QUANTITIES: readonly NodeQuantity[] = [
  POSITION,
  VELOCITY,
  SPEED,
  {
    name: 'tension',
    title: 'tension at the node, mean of both sides',
    unit: 'N',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = state.chain.material.stretchStiffness * computeNodeStrain(state, i);
    },
    writeInside({ state }, e, _, out, at) {
      out[at] = state.chain.material.stretchStiffness * computeSegmentStrain(state, e);
    },
  },
  {
    name: 'strain',
    title: 'strain at the node, mean of both sides',
    unit: '1',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = computeNodeStrain(state, i);
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
      out[at] = computeNodeCurvature(state, i);
    },
  },
  {
    name: 'materialCoordinate',
    title: 'material coordinate u of the node',
    unit: 'm',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = computeNodeCoordinate(state, i);
    },
  },
  MATERIAL_SPEED,
  {
    name: 'constraintForce',
    title: 'constraint force on the node (pin, guide, tie)',
    unit: 'N',
    components: XYZ,
    write({ state }, label, _, out, at) {
      for (let k = 0; k < 3; k++) out[at + k] = state.reaction[4 * label + k];
    },
    // only nodes are held
    writeInside(_, _e, _t, out, at) {
      out.fill(0, at, at + 3);
    },
  },
];
