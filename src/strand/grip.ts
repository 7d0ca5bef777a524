/**
 * The material of a strand that a hand holds: a node is named by its label once, and the material there stays named. It is that
 * node while it is a Lagrangian one in the chain, else the Lagrangian node nearest along the material.
 */
import { type MaterialGrip, NODE_LAGRANGIAN } from '../model/index.ts';
import type { StrandState } from './state.ts';

export function takeStrandMaterial(
  state: StrandState,
  label: number,
  place?: readonly number[],
): MaterialGrip | undefined {
  const { chain, restLength } = state;
  const i = Number.isInteger(label) && label >= 0 ? (state.indexOf(label) ?? -1) : -1;
  if (i < 0 && place === undefined) return undefined;
  const [u] = place ?? [chain.q[4 * i + 3]];
  return {
    findNode() {
      const own = state.indexOf(label);
      const isOwn = label < state.materialCount && own >= 0 && chain.kind[own] === NODE_LAGRANGIAN;
      return isOwn ? label : state.findLabel(u / (chain.period || state.restLength));
    },
    place: [u],
    mass: computeStrandMass(state),
    size: restLength,
    stiffness: chain.material.stretchStiffness / restLength,
  };
}

/** Material and point masses together [kg]. */
export function computeStrandMass({ chain, restLength }: StrandState): number {
  let mass = chain.material.linearDensity * restLength;
  for (let n = 0; n < chain.ownCount; n++) mass += chain.pointMass[n];
  return mass;
}
