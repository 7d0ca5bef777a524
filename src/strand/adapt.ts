/**
 * Remeshing of a strand (remeshing-eol-strands-2020, "Remeshing", Figs. 5 and 10): an L-node whose u comes too near to an
 * E-node's is disabled and comes back once the E-node is far enough away, on whichever side that is.
 *
 *     L───────L──E───────L      the middle L is nearer than near·spacing: disabled
 *     L──────────E───────L
 *     L──────E───L───────L      further than far·spacing on the other side: inserted on the segment
 *
 * Insertion interpolates ẋ − F u̇ (Eq. 6), which leaves the velocity field as it was. Removal fits the coarser field to
 * the old one over the neighbourhood and keeps world momentum exactly (`eol/transfer.ts`).
 */
import { type EolPatch, transferVelocity } from '../eol/index.ts';
import { CANCEL_U, NODE_EULERIAN, NODE_LAGRANGIAN } from '../model/index.ts';
import type { StrandState } from './state.ts';

/** An E-node stops this close to a node that may not be removed, relative to the spacing there. */
const JAM_GAP = 0.05;
/** Nodes on either side of a removed one whose velocities the transfer may change. */
const PATCH = 2;

/** Disables and re-inserts; returns the number of nodes changed. Calls `beforeFirst` before it changes anything. */
export function remeshStrand(
  strand: StrandState,
  thresholds: { readonly near: number; readonly far: number },
  beforeFirst: () => void,
): number {
  const { chain } = strand;
  let changes = 0;
  for (let g = 0; g < strand.guides.length; g++) {
    const e = strand.indexOf(strand.guides[g].label);
    if (chain.kind[e] !== NODE_EULERIAN) continue;
    for (let side = -1; side <= 1; side += 2) {
      const p = strand.indexOf(strand.guides[g].label) + side;
      if (p < 0 || p >= chain.count || !isRemovable(strand, p)) continue;
      const gap = Math.abs(chain.q[4 * p + 3] - chain.q[4 * (p - side) + 3]);
      if (gap >= thresholds.near * strand.spacing[chain.label[p]]) continue;
      if (changes++ === 0) beforeFirst();
      disableNode(strand, p);
    }
  }
  for (let k = strand.disabled.length - 1; k >= 0; k--) {
    const { label, u } = strand.disabled[k];
    const after = findSegment(strand, u);
    const room = Math.min(distanceToGuide(strand, after - 1, u), distanceToGuide(strand, after, u));
    if (room <= thresholds.far * strand.spacing[label]) continue;
    if (changes++ === 0) beforeFirst();
    strand.disabled.splice(k, 1);
    enableNode(strand, label, u, after);
  }
  return changes;
}

/** Stops E-nodes that reach a node which may not be removed, and lets them go when they are pulled away from it. */
export function jamGuides(strand: StrandState): void {
  const { chain, jammed, reaction } = strand;
  for (let g = 0; g < strand.guides.length; g++) {
    const { label } = strand.guides[g];
    const e = strand.indexOf(label);
    if (chain.kind[e] !== NODE_EULERIAN) continue;
    // what holds u pulls it back towards the neighbour: the strand wants to leave
    if (jammed[label] !== 0 && reaction[4 * label + 3] * jammed[label] > 0) jammed[label] = 0;
    for (let side = -1; side <= 1 && jammed[label] === 0; side += 2) {
      const p = e + side;
      if (p < 0 || p >= chain.count || !chain.kept[p]) continue;
      const gap = Math.abs(chain.q[4 * p + 3] - chain.q[4 * e + 3]);
      const closing = (chain.v[4 * e + 3] - chain.v[4 * p + 3]) * side > 0;
      if (closing && gap < JAM_GAP * strand.spacing[chain.label[p]]) jammed[label] = side;
    }
  }
}

function isRemovable(strand: StrandState, i: number): boolean {
  const { chain } = strand;
  return chain.kind[i] === NODE_LAGRANGIAN && !chain.kept[i];
}

/** Material distance from u to node i if that is an E-node. */
function distanceToGuide(strand: StrandState, i: number, u: number): number {
  return strand.chain.kind[i] === NODE_EULERIAN ? Math.abs(strand.chain.q[4 * i + 3] - u) : Number.POSITIVE_INFINITY;
}

/** Index of the first node beyond u. */
function findSegment(strand: StrandState, u: number): number {
  const { q, count } = strand.chain;
  let low = 0;
  let high = count - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (q[4 * middle + 3] <= u) low = middle;
    else high = middle;
  }
  return high;
}

function disableNode(strand: StrandState, p: number): void {
  const { chain } = strand;
  const from = Math.max(0, p - 1 - PATCH);
  const to = Math.min(chain.count - 1, p + 1 + PATCH);
  const before = readPatch(strand, from, to);
  strand.disabled.push({ label: chain.label[p], u: chain.q[4 * p + 3] });
  strand.removeNode(p);
  const after = readPatch(strand, from, to - 1);
  const held = new Uint8Array(after.velocity.length);
  for (let i = from; i < to; i++) {
    // the patch's outer nodes carry velocity beyond it: they stay, unless the strand ends there
    const outer = (i === from && from > 0) || (i === to - 1 && to < chain.count);
    for (let k = 0; k < 4; k++) held[4 * (i - from) + k] = outer || chain.cancelled[i] & (1 << k) ? 1 : 0;
  }
  transferVelocity(before.patch, before.velocity, after.patch, held, after.velocity);
  chain.v.set(after.velocity, 4 * from);
}

/** Nodes from…to with their velocities, as a patch of EoL material. */
function readPatch(strand: StrandState, from: number, to: number): { patch: EolPatch; velocity: Float64Array } {
  const { q, v, material } = strand.chain;
  const elements = new Int32Array(2 * (to - from));
  for (let e = 0; e < to - from; e++) {
    elements[2 * e] = e;
    elements[2 * e + 1] = e + 1;
  }
  return {
    patch: { dimension: 1, q: q.slice(4 * from, 4 * to + 4), elements, density: material.linearDensity },
    velocity: v.slice(4 * from, 4 * to + 4),
  };
}

function enableNode(strand: StrandState, label: number, u: number, at: number): void {
  const { chain } = strand;
  strand.insertNode(at, label);
  const { q, v } = chain;
  const a = 4 * (at - 1);
  const b = 4 * (at + 1);
  const n = 4 * at;
  const du = q[b + 3] - q[a + 3];
  const t = (u - q[a + 3]) / du;
  for (let k = 0; k < 3; k++) {
    const F = (q[b + k] - q[a + k]) / du;
    const va = v[a + k] - F * v[a + 3];
    const vb = v[b + k] - F * v[b + 3];
    q[n + k] = q[a + k] + t * (q[b + k] - q[a + k]);
    v[n + k] = va + t * (vb - va);
    chain.target[n + k] = 0;
  }
  q[n + 3] = u;
  v[n + 3] = 0;
  chain.target[n + 3] = 0;
  chain.cancelled[at] = CANCEL_U;
  chain.kind[at] = NODE_LAGRANGIAN;
  chain.kept[at] = 0;
  chain.pointMass[at] = 0;
}
