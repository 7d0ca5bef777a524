/**
 * Where a loop is cut. A loop is stored as an open chain from a node, the seam, to the image of that node (`CurveChain`), and
 * solved as a chain whose ends are folded together (`model/fold.ts`), so the seam is a matter of storage only. Remeshing looks
 * at a few neighbours of an E-node, which must not reach over the seam: when an E-node comes near, the loop is cut at
 * another L-node, the one farthest from all E-nodes. Positions, velocities and lengths of segments stay to the bit.
 *
 *     S ─ · ─ · ─ E→ ─ · ─ · ─ · ─ · ─ S′         E comes within a few nodes of S′:
 *     S ─ · ─ · ─ · ─ · ─ · ─ E→ ─ · ─ · ─ S′     cut in the middle of what it has left behind
 *
 * Where E-nodes stand so densely that no L-node is far enough, one is put into the longest segment; it goes when the loop is
 * next cut elsewhere.
 *   room  material distance from a node to the nearest E-node, relative to the spacing of nodes there [1]
 */
import { NODE_EULERIAN, NODE_LAGRANGIAN } from '../model/index.ts';
import { fillBetween, type RemeshRoom, takeOutNode } from './adapt.ts';
import type { StrandState } from './state.ts';

/** A seam with more room than this stays. */
const ENOUGH_ROOM = 4;
/** With less than this it moves to a new node if there is no other. */
const LEAST_ROOM = 1;
/** By how much a new seam must be better. */
const BETTER = 1.5;

/** Cuts a loop elsewhere if an E-node is near its seam. `room` belongs to this strand. */
export function moveSeam(strand: StrandState, room: RemeshRoom): void {
  const { chain } = strand;
  const present = computeSeamRoom(strand);
  if (present >= ENOUGH_ROOM) return;
  const seam = findSeam(strand, chain.ownCount);
  const [before, after] = findNeighbours(strand, chain.ownCount, seam);
  if (seam > 0 && computeRoom(strand, seam, before, after) > BETTER * present) cut(strand, seam, room);
  else if (present < LEAST_ROOM) insertSeam(strand, present, room);
}

/** The L-node with the most room among the first n nodes, those of a loop; −1 if there is none. */
export function findSeam(strand: StrandState, n: number): number {
  const { q, kind, period } = strand.chain;
  let [best, most] = [-1, -1];
  let [before, after] = findNeighbours(strand, n, 0);
  for (let i = 0; i < n; i++) {
    if (kind[i] === NODE_EULERIAN) {
      before = q[4 * i + 3];
      let next = i + 1;
      while (next < n + i && kind[next % n] !== NODE_EULERIAN) next++;
      after = q[4 * (next % n) + 3] + (next >= n ? period : 0);
    } else {
      const room = computeRoom(strand, i, before, after);
      if (room > most) [best, most] = [i, room];
    }
  }
  return best;
}

/** u of the E-nodes before and after node i of a loop of n nodes, on its round; infinitely far where there are none. */
function findNeighbours({ chain }: StrandState, n: number, i: number): [number, number] {
  const { q, kind, period } = chain;
  for (let k = 1; k <= n; k++) {
    const before = (i - k + n) % n;
    if (kind[before] !== NODE_EULERIAN) continue;
    let after = i + 1;
    while (kind[after % n] !== NODE_EULERIAN) after++;
    return [q[4 * before + 3] - (before >= i ? period : 0), q[4 * (after % n) + 3] + (after >= n ? period : 0)];
  }
  return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
}

function computeRoom({ chain, spacing }: StrandState, i: number, before: number, after: number): number {
  const u = chain.q[4 * i + 3];
  return Math.min(u - before, after - u) / spacing[chain.label[i]];
}

/** Room of the present seam. */
function computeSeamRoom(strand: StrandState): number {
  const { q, kind, label, period } = strand.chain;
  let least = Number.POSITIVE_INFINITY;
  for (let g = 0; g < strand.guides.length; g++) {
    const i = strand.indexOf(strand.guides[g].label);
    if (kind[i] !== NODE_EULERIAN) continue;
    const u = q[4 * i + 3] - q[3];
    least = Math.min(least, u, period - u);
  }
  return least / strand.spacing[label[0]];
}

function cut(strand: StrandState, seam: number, room: RemeshRoom): void {
  const old = strand.chain.label[0];
  strand.beginChange();
  strand.cutAt(seam);
  const i = strand.indexOf(old);
  // a node that was put in as a seam only has done its work
  if (old >= strand.materialCount && strand.chain.kind[i] === NODE_LAGRANGIAN) takeOutNode(strand, i, room);
}

/** Puts an L-node into the middle of the longest segment and cuts there. */
function insertSeam(strand: StrandState, present: number, room: RemeshRoom): void {
  const { chain } = strand;
  let longest = 0;
  for (let e = 1; e < chain.count - 1; e++) if (lengthOf(strand, e) > lengthOf(strand, longest)) longest = e;
  const spacing = strand.spacing[chain.label[0]];
  if (lengthOf(strand, longest) < 2 * BETTER * present * spacing) return;
  strand.beginChange();
  const label = strand.insertNode(longest + 1);
  chain.q[4 * longest + 7] = chain.q[4 * longest + 3] + 0.5 * (chain.q[4 * longest + 11] - chain.q[4 * longest + 3]);
  fillBetween(chain, longest + 1);
  strand.setSpacing(label, spacing);
  chain.bendSpan[label] = 0;
  cut(strand, longest + 1, room);
}

const lengthOf = ({ chain: { q } }: StrandState, e: number): number => q[4 * e + 7] - q[4 * e + 3];
