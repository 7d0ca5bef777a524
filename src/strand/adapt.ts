/**
 * Remeshing of a strand [Jiang 2020, "Remeshing", Figs. 5 and 10]: an L-node whose u comes too near to an
 * E-node's is disabled and comes back once the E-node is far enough away, on whichever side that is.
 *
 *     L───────L──E───────L      the middle L is nearer than near·spacing: disabled
 *     L──────────E───────L
 *     L──────E───L───────L      further than far·spacing on the other side: inserted on the segment
 *
 * Insertion interpolates ẋ − F u̇ (Eq. 6), which leaves the velocity field as it was. Removal fits the coarser field to
 * the old one over the neighbourhood and keeps world momentum exactly (`eol/transfer.ts`); it also keeps the lengths of
 * the segments, so that a bulge does not turn into strain. Where the strand bends, the E-node takes the bend of a node that goes
 * over, and neither removal nor insertion gains energy (`bend-loan.ts`).
 */
import { type CurveChain, type CurvePatch, CurvePatches, STRETCH } from '../curve/index.ts';
import { VelocityTransfer } from '../eol/index.ts';
import type { Vec3 } from '../math/index.ts';
import { CANCEL_POSITION, CANCEL_U, NODE_EULERIAN, NODE_LAGRANGIAN } from '../model/index.ts';
import { BendLoans } from './bend-loan.ts';
import type { Guide } from './guides.ts';
import { NodeRow } from './lengths.ts';
import { computeNodeDistance } from './measure.ts';
import type { StrandState } from './state.ts';

/** An E-node stops this close to a node that may not be removed, relative to the spacing there. */
const JAM_GAP = 0.05;
/** Nearer than this to an E-node at an edge, relative to the spacing, a node goes even where lengths cannot be kept. */
const FOLD_ROOM = 0.1;
/** Depth of the line that replaces a removed node, relative to the spacing, that is left to the next step to resolve. */
export const CLEAR = 1e-9;
/** The same for a node that keeps the strand out of a body: without it the strand is the deeper inside the further away it was. */
const SUPPORT_ROOM = 0.01;
/** Nodes on either side of a removed one whose velocities the transfer may change. */
const PATCH = 2;

/** A node whose place another has, within this share of the spacing, stays out. */
const TAKEN = 1e-2;

/** How often places that came into a body while lengths were kept are pushed out of it. */
const MOST_PUSHES = 4;

/** How far the neighbours of a removed node start towards where it was, relative to its distance from their chord. */
const BULGE = 0.1;

/** Energy that a removal may gain, which motion did not pay, relative to that of the nodes around: rounding, and near to an edge. */
const ROUNDING = 1e-6;
const LITTLE = 0.01;
const ALL_COORDINATES = CANCEL_POSITION | CANCEL_U;
const NO_WEIGHT: Vec3 = [0, 0, 0];

/** Which faces of bodies hold a strand's L-nodes. */
export interface NodeContacts {
  /** Visits the outward normal of every face that holds the node with this label. */
  eachNormal(label: number, visit: (x: number, y: number, z: number) => void): void;
  /** Moves a place that lies in a body out onto the nearest face and visits its normal; true when it did. */
  pushOut(places: Float64Array, at: number, visit: (x: number, y: number, z: number) => void): boolean;
  /** Whether forces move body b. */
  isDynamic(b: number): boolean;
  /** Deepest point of the straight line between two nodes in any body [m]. */
  computeChordDepth(strand: StrandState, i: number, j: number): number;
  /** Whether the straight line between nodes i and j cuts into a smooth body, where no edge holds it. */
  isCut(strand: StrandState, i: number, j: number): boolean;
}

/** Room for velocity transfers, kept from one remeshing to the next. */
export class RemeshRoom {
  readonly transfer = new VelocityTransfer(1);
  readonly row = new NodeRow(2 * PATCH + 2);
  /** Where the nodes of a patch come to lie, 4 numbers each. */
  readonly places = new Float64Array(4 * (2 * PATCH + 2));
  /** Where they were. */
  readonly former = new Float64Array(4 * (2 * PATCH + 2));
  readonly contacts: NodeContacts | undefined;
  readonly loans: BendLoans;
  /** Patches before and after a change. */
  readonly #before = new CurvePatches();
  readonly #after = new CurvePatches();

  constructor(contacts?: NodeContacts, gravity: Vec3 = [0, 0, 0]) {
    this.contacts = contacts;
    this.loans = new BendLoans(gravity);
  }

  /** Nodes from…to of a strand with their velocities, before or after a change. Reused for the next one of as many nodes. */
  readPatch(strand: StrandState, from: number, to: number, when: 'before' | 'after'): CurvePatch {
    return (when === 'before' ? this.#before : this.#after).read(strand.chain, from, to);
  }

  /** Nodes from…to without p, at their places to come, with the velocities that they have. */
  readPatchWithout({ chain }: StrandState, from: number, to: number, p: number): CurvePatch {
    const patch = this.#after.read(chain, from, to - 1);
    for (let k = 0; k < 4 * (to - from); k++) {
      patch.q[k] = this.places[k];
      patch.velocity[k] = chain.v[4 * from + k + (from + k / 4 < p ? 0 : 4)];
    }
    return patch;
  }
}

/**
 * Disables and re-inserts; returns the number of nodes changed. Before it changes any, the strand remembers its nodes.
 * `room` belongs to this strand.
 */
export function remeshStrand(
  strand: StrandState,
  thresholds: { readonly near: number; readonly far: number },
  room: RemeshRoom,
): number {
  const { chain } = strand;
  const before = strand.changes;
  room.loans.release(strand);
  for (let g = 0; g < strand.guides.length; g++) {
    const e = strand.indexOf(strand.guides[g].label);
    if (chain.kind[e] !== NODE_EULERIAN) continue;
    for (let side = -1; side <= 1; side += 2) {
      const p = strand.indexOf(strand.guides[g].label) + side;
      if (p < 0 || p >= chain.count || !isRemovable(strand, p)) continue;
      const gap = Math.abs(chain.q[4 * p + 3] - chain.q[4 * (p - side) + 3]);
      const nearest = thresholds.near * strand.spacing[chain.label[p]];
      if (gap >= nearest) {
        room.loans.prepare(strand, p, p - side, nearest);
        continue;
      }
      if (gap > FOLD_ROOM * strand.spacing[chain.label[p]] && isCut(strand, p, room)) continue;
      if (gap > SUPPORT_ROOM * strand.spacing[chain.label[p]] && isSupport(strand, g, p, room)) continue;
      removeBeside(strand, p, p - side, room, computeMostGain(strand.guides[g], gap / strand.spacing[chain.label[p]]));
    }
  }
  for (let k = strand.disabledCount - 1; k >= 0; k--) {
    const u = strand.disabled[2 * k + 1];
    // wound up on a spool
    if (u <= chain.q[3] || u >= chain.q[4 * chain.count - 1]) continue;
    const after = strand.findSegment(u) + 1;
    const gap = Math.min(distanceToGuide(strand, after - 1, u), distanceToGuide(strand, after, u));
    if (gap <= thresholds.far * strand.spacing[strand.disabled[2 * k]]) continue;
    // what an edge left behind in its place stands for it until that goes
    const space = Math.min(u - chain.q[4 * after - 1], chain.q[4 * after + 3] - u);
    if (space <= TAKEN * strand.spacing[strand.disabled[2 * k]]) continue;
    strand.beginChange();
    insertBeside(strand, k, after, room);
  }
  return strand.changes - before;
}

/**
 * Stops E-nodes, but those of spools (`spools.ts`), that reach a node which may not be removed, or could not be without a change
 * of lengths, and lets them go when they are pulled away from it.
 */
export function jamGuides(strand: StrandState): void {
  const { chain, jammed, reaction } = strand;
  for (let g = 0; g < strand.guides.length; g++) {
    const { label, isSpool, site } = strand.guides[g];
    const e = strand.indexOf(label);
    if (chain.kind[e] !== NODE_EULERIAN || isSpool) continue;
    // what holds u pulls it back towards the neighbour: the strand wants to leave
    if (
      jammed[label] !== 0 &&
      (reaction[4 * label + 3] * jammed[label] > 0 || !isNear(strand, e, jammed[label], site.type))
    )
      jammed[label] = 0;
    for (let side = -1; side <= 1 && jammed[label] === 0; side += 2) {
      const p = e + side;
      if (!isNear(strand, e, side, site.type)) continue;
      if ((chain.v[4 * e + 3] - chain.v[4 * p + 3]) * side > 0) jammed[label] = side;
    }
  }
}

/** Whether a node that E-node e cannot pass, on a side of it, is so near that it stops there. */
function isNear(
  { chain, spacing, materialCount }: StrandState,
  e: number,
  side: number,
  site: Guide['site']['type'],
): boolean {
  const p = e + side;
  if (p < 0 || p >= chain.count) return false;
  // guides that meet push each other (`guide-contacts.ts`)
  if (site === 'point' && chain.kind[p] === NODE_EULERIAN && chain.label[p] < materialCount) return false;
  const mayStay = chain.kept[p] !== 0 || (site === 'edge' && chain.kind[p] === NODE_LAGRANGIAN);
  return mayStay && Math.abs(chain.q[4 * p + 3] - chain.q[4 * e + 3]) < JAM_GAP * spacing[chain.label[p]];
}

function isRemovable(strand: StrandState, i: number): boolean {
  const { chain } = strand;
  if (chain.closed && (i === 0 || i === chain.count - 1)) return false;
  return chain.kind[i] === NODE_LAGRANGIAN && !chain.kept[i];
}

/** Whether the strand without node i would cut into a smooth body. */
const isCut = (strand: StrandState, i: number, { contacts }: RemeshRoom): boolean =>
  i > 0 && i < strand.chain.count - 1 && contacts?.isCut(strand, i - 1, i + 1) === true;

/** Material distance from u to node i if that is an E-node. */
function distanceToGuide(strand: StrandState, i: number, u: number): number {
  return strand.chain.kind[i] === NODE_EULERIAN ? Math.abs(strand.chain.q[4 * i + 3] - u) : Number.POSITIVE_INFINITY;
}

/** Whether the strand would lie in a body without node p, near guide g on an edge of a body that forces move. */
function isSupport(strand: StrandState, g: number, p: number, { contacts }: RemeshRoom): boolean {
  const { count, label } = strand.chain;
  if (contacts === undefined || p === 0 || p === count - 1) return false;
  if (!isOnFreeEdge(strand, strand.guides[g].label, contacts)) return false;
  return contacts.computeChordDepth(strand, p - 1, p + 1) > CLEAR * strand.spacing[label[p]];
}

/** Whether node i bounds the patch from…to of a strand that goes on beyond it: then it stays as it is. */
const isOuter = ({ count, closed }: CurveChain, i: number, from: number, to: number): boolean =>
  (i === from && (from > 0 || closed)) || (i === to && (to < count - 1 || closed));

/** Whether node i keeps its place and velocity while others go: a guide, a mass, what a driver or tie has; not a bare end. */
const isSteady = ({ kept, kind, pointMass, count }: CurveChain, i: number): boolean =>
  kept[i] !== 0 && (pointMass[i] > 0 || kind[i] === NODE_EULERIAN || (i > 0 && i < count - 1));

/**
 * Takes node p out of the chain, keeping lengths and momentum and gaining no energy: what the segments are stretched more, motion
 * pays. False where that cannot be, as at a fold between held nodes: then nothing changes. `mostGain`: energy that may be gained
 * although motion cannot pay it, relative to that of the nodes around. With `move`, which moves nodes beside it first, it goes in any case.
 */
export function takeOutNode(
  strand: StrandState,
  p: number,
  room: RemeshRoom,
  mostGain = ROUNDING,
  move?: () => void,
): boolean {
  const { chain } = strand;
  const from = Math.max(0, p - 1 - PATCH);
  const to = Math.min(chain.count - 1, p + 1 + PATCH);
  const before = room.readPatch(strand, from, to, 'before');
  if (move !== undefined) {
    strand.beginChange();
    move();
  }
  const isKept = keepLengths(strand, from, to, p, room, before);
  if (!isKept && mostGain <= ROUNDING) return false;
  if (!isKept) keepLessStretched(strand, from, to, p, room);
  const after = room.readPatchWithout(strand, from, to, p);
  for (let i = from; i <= to; i++)
    if (i !== p) writeHeld(strand, room, after, i, i < p ? i - from : i - from - 1, from, to);
  const stretch = computeStretch(strand, before.q, to - from);
  const price = computeStretch(strand, after.q, to - from - 1) - stretch;
  const report = room.transfer.transfer(before, before.velocity, after, after.held, after.velocity, Math.max(0, price));
  const gain = price + report.after - report.before;
  if (gain > mostGain * (stretch + report.before)) return false;
  if (move === undefined) strand.beginChange();
  strand.disableNode(p);
  for (let i = from; i < to; i++) for (let k = 0; k < 3; k++) chain.q[4 * i + k] = after.q[4 * (i - from) + k];
  // a patch folded onto itself has no best fit: what the nodes had stays
  if (after.velocity.every(Number.isFinite)) chain.v.set(after.velocity, 4 * from);
  return true;
}

/** Energy that may be gained where a node goes at a distance from a guide's E-node, relative to the spacing; see `takeOutNode`. */
function computeMostGain({ site }: Guide, gap: number): number {
  // edges come and go: there a fold waits until it has opened, while there is room, and a node that keeps the strand out of a body
  if (site.type !== 'edge' || gap <= SUPPORT_ROOM) return Number.POSITIVE_INFINITY;
  return gap > FOLD_ROOM ? ROUNDING : LITTLE;
}

/** Takes node p out beside E-node e, which takes its share of the bend over. */
function removeBeside(strand: StrandState, p: number, e: number, room: RemeshRoom, mostGain: number): void {
  const from = Math.max(0, p - 1 - PATCH);
  const to = Math.min(strand.chain.count - 1, p + 1 + PATCH);
  const energy = room.loans.computeEnergy(strand, from, to);
  if (takeOutNode(strand, p, room, mostGain)) room.loans.lend(strand, e > p ? e - 1 : e, from, to - 1, energy);
}

/** Fits the velocities around node i to what they were after a change that leaves all nodes in place. */
export function refitVelocities(strand: StrandState, room: RemeshRoom, i: number, change: () => void): void {
  const from = Math.max(0, i - 1 - PATCH);
  const to = Math.min(strand.chain.count - 1, i + 1 + PATCH);
  const before = room.readPatch(strand, from, to, 'before');
  change();
  fitVelocities(strand, room, before, from, to);
}

function fitVelocities(strand: StrandState, room: RemeshRoom, before: CurvePatch, from: number, to: number): void {
  const after = room.readPatch(strand, from, to, 'after');
  for (let i = from; i <= to; i++) writeHeld(strand, room, after, i, i - from, from, to);
  room.transfer.transfer(before, before.velocity, after, after.held, after.velocity);
  // a patch folded onto itself has no best fit: what the nodes had stays
  if (after.velocity.every(Number.isFinite)) strand.chain.v.set(after.velocity, 4 * from);
}

/** Writes which coordinates of node i, the n-th of a patch, keep their velocity. */
function writeHeld(
  strand: StrandState,
  room: RemeshRoom,
  patch: CurvePatch,
  i: number,
  n: number,
  from: number,
  to: number,
): void {
  const bits = isOuter(strand.chain, i, from, to) ? ALL_COORDINATES : heldBits(strand, i, room.contacts);
  for (let k = 0; k < 4; k++) patch.held[4 * n + k] = (bits >> k) & 1;
}

/** Stretch energy of segments in a row, four coordinates a node [J]. */
function computeStretch({ chain }: StrandState, q: Float64Array, segments: number): number {
  let sum = 0;
  for (let e = 0; e < segments; e++) sum += STRETCH.computeEnergy(q, 4 * e, chain.material, NO_WEIGHT);
  return sum;
}

function isCrossing(strand: StrandState, label: number): boolean {
  for (const guide of strand.guides) if (guide.label === label) return guide.site.type === 'crossing';
  return false;
}

/** Whether a node is on an edge of a body that forces move. */
function isOnFreeEdge({ guides }: StrandState, label: number, contacts: NodeContacts | undefined): boolean {
  for (const guide of guides)
    if (guide.label === label && guide.site.type === 'edge') return contacts?.isDynamic(guide.site.body) === true;
  return false;
}

/**
 * CANCEL_* bits of node i in the world's axes: what drivers hold, and all of an E-node on an edge and of steady nodes. An edge of
 * a body that forces move holds nothing yet: what the strand has of momentum stays in the strand, and the rows of the next
 * stage share it with the body. The node's u̇ is held instead of its ẋ: with neither, it could slide along the strand freely.
 */
function heldBits(strand: StrandState, i: number, contacts: NodeContacts | undefined): number {
  const { label, kind, cancelled, count } = strand.chain;
  if (kind[i] === NODE_EULERIAN && isOnFreeEdge(strand, label[i], contacts)) return CANCEL_U;
  const isOnEdge = kind[i] === NODE_EULERIAN && label[i] >= strand.materialCount && !isCrossing(strand, label[i]);
  const position = isOnEdge || isSteady(strand.chain, i) ? CANCEL_POSITION : strand.heldAxes[label[i]];
  // a drum keeps its speed
  const isDrum = kind[i] === NODE_EULERIAN && (i === 0 || i === count - 1);
  return position | (isDrum ? CANCEL_U : cancelled[i] & CANCEL_U);
}

/**
 * Moves the free L-nodes of a patch without node p so that its segments keep their lengths, the one over p the length of
 * both that it replaces: a node taken out of a bulge would otherwise leave the chord compressed, and a stiff strand would
 * kick (`lengths.ts`). The new places are left in the room; false where the lengths cannot be kept.
 */
function keepLengths(
  strand: StrandState,
  from: number,
  to: number,
  p: number,
  room: RemeshRoom,
  before: CurvePatch,
): boolean {
  const { chain } = strand;
  const { row, places } = room;
  for (let i = from, at = 0; i <= to; i++) {
    if (i === p) continue;
    for (let k = 0; k < 4; k++) places[4 * at + k] = chain.q[4 * i + k];
    // what a guide or a driver holds stays where it is
    const isLoose = chain.kind[i] === NODE_LAGRANGIAN && !isSteady(chain, i) && strand.heldAxes[chain.label[i]] === 0;
    row.setMovable(at, isLoose && !isOuter(chain, i, from, to));
    if (isLoose) room.contacts?.eachNormal(chain.label[i], row.hold);
    if (++at + from < to) row.target[at - 1] = computeNodeDistance(before.q, i - from, i - from + 1);
  }
  const gap = p - 1 - from;
  row.target[gap] = computeNodeDistance(before.q, gap, gap + 1) + computeNodeDistance(before.q, gap + 1, gap + 2);
  writeBulge(before.q, 4 * gap, row.bulge);
  let isKept = row.restore(places, 0, to - from, gap);
  row.bulge.fill(0);
  // what came into a body goes onto its surface and stays there
  for (let round = 0; round < MOST_PUSHES && pushOut(room, to - from); round++)
    isKept = row.restore(places, 0, to - from, gap);
  return isKept;
}

/** Writes BULGE times the way from the chord of the first and last of three nodes at q[at…] to the one between them [m]. */
function writeBulge(q: Float64Array, at: number, bulge: Float64Array): void {
  let [along, square] = [0, 0];
  for (let k = at; k < at + 3; k++) {
    along += (q[k + 4] - q[k]) * (q[k + 8] - q[k]);
    square += (q[k + 8] - q[k]) ** 2;
  }
  const share = square > 0 ? along / square : 0;
  for (let k = 0; k < 3; k++) bulge[k] = BULGE * (q[at + 4 + k] - q[at + k] - share * (q[at + 8 + k] - q[at + k]));
}

/** Moves the places that lie in bodies out onto the nearest face; true when there was one. */
function pushOut({ contacts, row, places }: RemeshRoom, nodes: number): boolean {
  let isPushed = false;
  for (let i = 0; i < nodes && contacts !== undefined; i++) {
    row.select(i);
    if (row.movable[i] && contacts.pushOut(places, 4 * i, row.hold)) isPushed = true;
  }
  return isPushed;
}

/** Where lengths could not be kept, the nodes stay where they were unless that stretches the strand more. */
function keepLessStretched(strand: StrandState, from: number, to: number, p: number, room: RemeshRoom): void {
  const { q } = strand.chain;
  const [tried, before] = [room.places, room.former];
  for (let i = from, at = 0; i <= to; i++) if (i !== p) for (let k = 0; k < 4; k++) before[at++] = q[4 * i + k];
  const segments = to - from - 1;
  if (computeStretch(strand, before, segments) < computeStretch(strand, tried, segments)) tried.set(before);
}

/** Brings the k-th disabled node back between nodes at − 1 and at. */
function insertBeside(strand: StrandState, k: number, at: number, { loans }: RemeshRoom): void {
  const { chain } = strand;
  const energy = loans.computeEnergy(strand, at - 1, at);
  strand.enableNode(k, at);
  fillBetween(chain, at);
  chain.bendLoan[chain.label[at]] = 0;
  const e = chain.kind[at - 1] === NODE_EULERIAN ? at - 1 : chain.kind[at + 1] === NODE_EULERIAN ? at + 1 : -1;
  if (e < 0) return;
  loans.lend(strand, e, at - 1, at + 1, energy);
  loans.shorten(strand, at, e);
}

/** Fills an L-node opened at place `at`, u known: on the straight line between its neighbours, the velocity field as it is. */
export function fillBetween(chain: CurveChain, at: number): void {
  const { q, v } = chain;
  const a = 4 * (at - 1);
  const b = 4 * (at + 1);
  const n = 4 * at;
  const du = q[b + 3] - q[a + 3];
  const t = (q[n + 3] - q[a + 3]) / du;
  for (let c = 0; c < 3; c++) {
    const F = (q[b + c] - q[a + c]) / du;
    const va = v[a + c] - F * v[a + 3];
    const vb = v[b + c] - F * v[b + 3];
    q[n + c] = q[a + c] + t * (q[b + c] - q[a + c]);
    v[n + c] = va + t * (vb - va);
    chain.target[n + c] = 0;
  }
  v[n + 3] = 0;
  chain.target[n + 3] = 0;
  chain.cancelled[at] = CANCEL_U;
  chain.kind[at] = NODE_LAGRANGIAN;
  chain.kept[at] = 0;
  chain.pointMass[at] = 0;
}
