/**
 * What pushes and holds the nodes of a strand, for arrows: forces from the last solve, on the material, at the nodes.
 *     contact     Σ f of the bodies, friction included
 *     constraint  r − Σ f_held        r  all that holds the node [N], of which bodies do f_held where they touch it
 * Where strands cross, the force of each on the other, at their feet on it. The sum of all is all that acts on the strand from outside but gravity, wind and drivers of force.
 */

import { ForceList, type NodeForces } from '../contact/index.ts';
import { computeHypot3 } from '../math/index.ts';
import type { ForceFrame } from '../model/index.ts';
import type { Crossing, Foot } from './crossing.ts';
import type { StrandState } from './state.ts';

/** What is left of a reaction within this share of what makes it up is rounding. */
const ROUNDING = 1e-9;

export function createForceFrames(id: string, state: StrandState, pushes: NodeForces): ForceFrame[] {
  const { q, label, ownCount } = state.chain;
  const contact = new Float64Array(3 * ownCount);
  const constraint = new Float64Array(3 * ownCount);
  const size = new Float64Array(ownCount);
  for (let i = 0; i < ownCount; i++)
    for (let k = 0; k < 3; k++) {
      constraint[3 * i + k] = state.reaction[4 * label[i] + k];
      size[i] += Math.abs(constraint[3 * i + k]);
    }
  for (let n = 0; n < pushes.count; n++) {
    const i = state.indexOf(pushes.label[n]);
    if (!(i >= 0)) continue;
    for (let k = 0; k < 3; k++) {
      const f = pushes.f[3 * n + k];
      contact[3 * i + k] += f;
      if (!pushes.held[n]) continue;
      constraint[3 * i + k] -= f;
      size[i] += Math.abs(f);
    }
  }
  const lists = { contact: new ForceList(), constraint: new ForceList() };
  for (let i = 0; i < ownCount; i++) {
    lists.contact.add(q, 4 * i, contact, 3 * i, 1);
    const left = computeHypot3(constraint[3 * i], constraint[3 * i + 1], constraint[3 * i + 2]);
    if (left > ROUNDING * size[i]) lists.constraint.add(q, 4 * i, constraint, 3 * i, 1);
  }
  return [...lists.contact.finish('contact', id), ...lists.constraint.finish('constraint', id)];
}

/** What the arrows of crossings are read from. */
interface Crossings {
  readonly strands: readonly { readonly id: string; readonly state: StrandState }[];
  readonly list: readonly Crossing[];
  readonly count: number;
  readonly friction: number;
}

/** Forces of strands on each other, for each strand that is crossed. */
export function createCrossingForces({ strands, list, count, friction }: Crossings): ForceFrame[] {
  const forces = strands.map(() => new ForceList());
  for (let c = 0; c < count; c++) {
    const { a, b, force, load } = list[c];
    const f = Float64Array.from(force);
    // friction of feet that slip is no row of theirs
    for (const [foot, sign] of [[a, 1], [b, -1]] as const) // biome-ignore format: pairs
      if (!foot.isNode)
        for (let k = 0; k < 3; k++) f[k] += sign * foot.slip * friction * Math.max(0, load) * foot.tangent[k];
    forces[a.strand].add(computePlace(strands[a.strand].state, a), 0, f, 0, 1);
    forces[b.strand].add(computePlace(strands[b.strand].state, b), 0, f, 0, -1);
  }
  return forces.flatMap((one, s) => one.finish('contact', strands[s].id));
}

/** Where a foot is now, whatever it last looked at [m]. */
function computePlace(state: StrandState, { isNode, label, u }: Foot): number[] {
  const { q } = state.chain;
  const at = 4 * (isNode ? state.indexOf(label) : state.findSegment(u));
  const share = isNode ? 0 : (u - q[at + 3]) / (q[at + 7] - q[at + 3]);
  return [0, 1, 2].map((k) => (isNode ? q[at + k] : q[at + k] + share * (q[at + 4 + k] - q[at + k])));
}
