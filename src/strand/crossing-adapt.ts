/**
 * Crossings come, go and change kind, all between two steps:
 *   let go    what pulled in the last step and came apart, and what slid off an end: its E-nodes become L-nodes where they
 *             are, with the velocities that fit the old field best and the same momentum, and are taken out
 *   merge     two crossings of the same strands that ran into each other
 *   take up   what the try before this one asked for, as EIL feet on both strands
 *   to EIL    an E-node nearer than NEAR to a node that may not be removed (another crossing's, a guide's, a driven one, an end), or
 *             of strands nearly parallel: the smaller load gives way. The node leaves the chain, its lengths and momentum kept
 *   to EoL    an EIL foot with more room than FAR: a node on the segment where it is, which changes nothing
 *
 * At a switch to EIL a corner of turn θ is cut off beside a segment of length l ≤ NEAR · spacing: the stretch energy falls by at
 * most T l (1 − cos θ), T the tension. Switching to EoL changes no energy.
 */
import { CANCEL_U, NODE_EULERIAN, NODE_LAGRANGIAN } from '../model/index.ts';
import { fillBetween, type RemeshRoom, refitVelocities, takeOutNode } from './adapt.ts';
import type { Crossing, Foot } from './crossing.ts';
import { isOff } from './crossing-slide.ts';
import type { StrandCrossings } from './crossings.ts';
import { createCrossingGuide } from './guides.ts';
import type { StrandState } from './state.ts';

/**
 * Material distance below which an E-node becomes EIL, relative to the spacing: from a node that is kept (a guide's, a driven one, an end), where
 * `jamGuides` would stop it at half of that; from another that comes and goes, a quarter of the strand's thickness, between these bounds.
 */
const NEAR = 0.1;
const NEAREST = 1e-3;
/** It comes back with so many times more room. */
const FAR = 2;
/** sin of the angle between strands below which E-nodes become EIL, unless one of them turns there by more than TURN, and above which they come back. */
const SHALLOW = 0.01;
const STEEP = 0.02;
const TURN = 0.05;
/** A strand's crossing with itself is gone when its loop is pulled to this length: in sums of radii, and in spacings of nodes. */
const CURL = 2;
const CURL_NODES = 1.2;
/** Material distance, in sums of radii, within which two crossings of the same strands on the same side are one. */
const SAME = 0.5;
/** The same where their normals are alike: cos of the angle between them. */
const SIDE_BY_SIDE = 10;
const ALIKE = 0.9;
/** A crossing that pulled is given up once the strands are apart by this share of the sum of their radii. */
const APART = 0.5;
/** An E-node takes the place of an L-node that is this near, relative to the spacing: a corner stays where it is. */
const SNAP = 0.02;

/** A crossing asked for: places of two strands, and the normal on the side that the first lies on. */
export interface CrossingRequest {
  readonly a: { readonly strand: number; readonly u: number };
  readonly b: { readonly strand: number; readonly u: number };
  readonly normal: readonly [number, number, number];
  readonly separation: number;
}

export function adaptCrossings(crossings: StrandCrossings): void {
  for (let c = crossings.count - 1; c >= 0; c--) if (shouldLeave(crossings, crossings.list[c])) letGo(crossings, c);
  for (let c = crossings.count - 1; c > 0; c--)
    for (let e = c - 1; e >= 0; e--) {
      if (!isSame(crossings, crossings.list[e], crossings.list[c])) continue;
      letGo(crossings, crossings.list[e].load < crossings.list[c].load ? e : c);
      break;
    }
  for (let k = 0; k < crossings.strands.length; k++) takeOutFree(crossings, k);
  for (const request of crossings.requests) takeUp(crossings, request);
  for (let c = 0; c < crossings.count; c++) chooseKinds(crossings, crossings.list[c]);
}

/** Makes each foot of a crossing an E-node or takes its node out, as the room around it asks for. */
function chooseKinds(crossings: StrandCrossings, crossing: Crossing): void {
  const [A, B] = [crossings.stateOf(crossing.a), crossings.stateOf(crossing.b)];
  crossing.locate(A, B);
  const sine = crossing.computeSine();
  // straight and parallel, both E-nodes could run along the strands for nothing
  const isLoose = sine < SHALLOW && crossing.computeTurn() < TURN;
  let changed = false;
  for (const foot of crossing.feet) {
    if (foot.isNode && (isLoose || givesWay(crossings, crossing, foot))) demote(crossings, foot);
    else if (!foot.isNode && sine > STEEP && hasRoom(crossings.stateOf(foot), foot.u)) promote(crossings, foot);
    else continue;
    changed = true;
  }
  if (!changed) return;
  // no jump in what is kept apart
  crossing.locate(A, B);
  crossing.separation = Math.min(crossing.separation, crossing.computeDistance());
}

function shouldLeave(crossings: StrandCrossings, crossing: Crossing): boolean {
  const { a, b } = crossing;
  const [A, B] = [crossings.stateOf(a), crossings.stateOf(b)];
  if (isOff(a, A) || isOff(b, B)) return true;
  if (A === B && crossings.computeWay(a.strand, a.u, b.u) < computeCurl(crossings, crossing)) return true;
  if (!crossing.isOpen) return false;
  crossing.locate(A, B);
  if (crossing.computeDistance() > crossing.separation + APART * crossings.radiiOf(crossing)) return true;
  crossings.close(crossing);
  return false;
}

/** Shortest loop that a strand's crossing with itself can have [m]. */
function computeCurl(crossings: StrandCrossings, crossing: Crossing): number {
  const { spacing, chain } = crossings.stateOf(crossing.a);
  const node = crossings.stateOf(crossing.a).findSegment(crossing.a.u);
  return Math.max(CURL * crossings.radiiOf(crossing), CURL_NODES * spacing[chain.label[node]]);
}

/**
 * Whether two crossings of the same strands have become one: they ran into each other, or as the strands untwist they came to lie
 * side by side, pushing the same way.
 */
function isSame(crossings: StrandCrossings, c: Crossing, e: Crossing): boolean {
  if (c.a.strand !== e.a.strand || c.b.strand !== e.b.strand) return false;
  const [n, m] = [c.normal, e.normal];
  const cosine = n[0] * m[0] + n[1] * m[1] + n[2] * m[2];
  const near = (cosine > ALIKE ? SIDE_BY_SIDE : cosine > 0 ? SAME : 0) * crossings.radiiOf(c);
  if (crossings.computeWay(c.a.strand, c.a.u, e.a.u) > near) return false;
  if (crossings.computeWay(c.b.strand, c.b.u, e.b.u) > near) return false;
  return !hasBetween(crossings, c, e);
}

/** Whether a third crossing of the same strands lies between two: then a whole turn may be between them. */
function hasBetween({ list, count }: StrandCrossings, c: Crossing, e: Crossing): boolean {
  const [low, high] = c.a.u < e.a.u ? [c.a.u, e.a.u] : [e.a.u, c.a.u];
  for (let k = 0; k < count; k++) {
    const { a, b } = list[k];
    if (list[k] === c || list[k] === e || a.strand !== c.a.strand || b.strand !== c.b.strand) continue;
    if (a.u > low && a.u < high) return true;
  }
  return false;
}

function letGo(crossings: StrandCrossings, c: number): void {
  for (const foot of crossings.list[c].feet)
    if (foot.isNode) releaseNode(crossings.stateOf(foot), crossings.rooms[foot.strand], foot.label);
  crossings.remove(c);
}

/** Makes the E-node of a crossing an L-node where it is. */
function releaseNode(state: StrandState, room: RemeshRoom, label: number): void {
  const { chain } = state;
  const i = state.indexOf(label);
  state.beginChange();
  refitVelocities(state, room, i, () => {
    chain.kind[i] = NODE_LAGRANGIAN;
    chain.cancelled[i] = CANCEL_U;
    chain.v[4 * i + 3] = 0;
    chain.target[4 * i + 3] = 0;
    dropGuide(state, label);
  });
}

function dropGuide(state: StrandState, label: number): void {
  state.guides = state.guides.filter((guide) => guide.label !== label);
  state.jammed[label] = state.slip[label] = state.pulls[label] = 0;
  state.chain.bendSpan[label] = 0;
}

/** Takes out the L-nodes that crossings left behind; with obstacles around, the strand does so itself. */
function takeOutFree(crossings: StrandCrossings, k: number): void {
  const { state, touch } = crossings.strands[k];
  if (touch) return;
  const { chain } = state;
  for (let i = chain.count - 2; i > 0; i--) {
    if (chain.label[i] < state.materialCount || chain.kind[i] !== NODE_LAGRANGIAN) continue;
    if (!state.isClear?.(i)) continue;
    takeOutNode(state, i, crossings.rooms[k]);
  }
}

function takeUp(crossings: StrandCrossings, { a, b, normal, separation }: CrossingRequest): void {
  const crossing = crossings.add();
  setFoot(crossing.a, a);
  setFoot(crossing.b, b);
  crossing.normal.set(normal);
  crossing.separation = separation;
  crossing.isOpen = false;
  crossing.load = 0;
}

function setFoot(foot: Foot, { strand, u }: CrossingRequest['a']): void {
  foot.strand = strand;
  foot.label = -1;
  foot.u = u;
  foot.slip = 0;
}

/** Whether remeshing must leave node i alone. */
const isFixed = ({ chain }: StrandState, i: number): boolean =>
  chain.kind[i] !== NODE_LAGRANGIAN || chain.kept[i] === 1;

/** Whether an E-node is too near to another that stays. */
function givesWay(crossings: StrandCrossings, crossing: Crossing, foot: Foot): boolean {
  const state = crossings.stateOf(foot);
  const { q, count } = state.chain;
  const i = state.indexOf(foot.label);
  for (let side = -1; side <= 1; side += 2) {
    const p = i + side;
    if (p < 0 || p >= count || !isFixed(state, p)) continue;
    if (Math.abs(q[4 * p + 3] - q[4 * i + 3]) > computeRoom(state, p, state.spacing[foot.label])) continue;
    const other = findByLabel(crossings, foot.strand, state.chain.label[p]);
    if (other === undefined || !(other.load < crossing.load)) return true;
  }
  return false;
}

/** The crossing that an E-node belongs to. */
function findByLabel({ list, count }: StrandCrossings, strand: number, label: number): Crossing | undefined {
  for (let c = 0; c < count; c++)
    for (const foot of list[c].feet) if (foot.strand === strand && foot.label === label) return list[c];
  return undefined;
}

/** Whether there is room for an E-node at u. */
function hasRoom(state: StrandState, u: number): boolean {
  const { q, label, count } = state.chain;
  const e = state.findSegment(u);
  const spacing = state.spacing[label[e]];
  const most = FAR * NEAR * spacing;
  const isBlocked = (i: number): boolean =>
    isFixed(state, i) && Math.abs(q[4 * i + 3] - u) < FAR * computeRoom(state, i, spacing);
  for (let i = e; i >= 0 && u - q[4 * i + 3] < most; i--) if (isBlocked(i)) return false;
  for (let i = e + 1; i < count && q[4 * i + 3] - u < most; i++) if (isBlocked(i)) return false;
  return true;
}

/** Material distance that an E-node must keep from node i, which stays [m]. */
function computeRoom({ chain }: StrandState, i: number, spacing: number): number {
  if (chain.kept[i]) return NEAR * spacing;
  return Math.min(NEAR * spacing, Math.max(NEAREST * spacing, 0.5 * chain.material.radius));
}

/** Puts an E-node where an EIL foot is. */
function promote(crossings: StrandCrossings, foot: Foot): void {
  const state = crossings.stateOf(foot);
  const { chain } = state;
  const e = state.findSegment(foot.u);
  const spacing = state.spacing[chain.label[e]];
  const near = foot.u - chain.q[4 * e + 3] < chain.q[4 * e + 7] - foot.u ? e : e + 1;
  if (Math.abs(chain.q[4 * near + 3] - foot.u) < SNAP * spacing && !isFixed(state, near))
    foot.label = replaceNode(state, near);
  else foot.label = insertBetween(state, e + 1, foot.u);
  foot.u = chain.q[4 * state.indexOf(foot.label) + 3];
  state.setSpacing(foot.label, spacing);
  state.slip[foot.label] = foot.slip;
  state.guides = [...state.guides, createCrossingGuide(foot.label, crossings.friction)];
}

/** Opens place i for an E-node on the straight line between its neighbours; returns its label. */
function insertBetween(state: StrandState, i: number, u: number): number {
  const { chain } = state;
  state.beginChange();
  const label = state.insertNode(i);
  chain.q[4 * i + 3] = u;
  fillBetween(chain, i);
  chain.kind[i] = NODE_EULERIAN;
  chain.cancelled[i] = 0;
  return label;
}

/** Puts an E-node in the place of the L-node i, which waits disabled; nothing moves. Returns its label. */
function replaceNode(state: StrandState, i: number): number {
  const { chain } = state;
  const [x, v] = [chain.q.slice(4 * i, 4 * i + 4), chain.v.slice(4 * i, 4 * i + 4)];
  state.beginChange();
  state.disableNode(i);
  const label = insertBetween(state, i, x[3]);
  chain.q.set(x, 4 * i);
  chain.v.set(v, 4 * i);
  return label;
}

/** Takes the E-node of a foot out: it becomes EIL. */
function demote(crossings: StrandCrossings, foot: Foot): void {
  const state = crossings.stateOf(foot);
  const i = state.indexOf(foot.label);
  foot.u = state.chain.q[4 * i + 3];
  foot.slip = state.slip[foot.label];
  takeOutNode(state, i, crossings.rooms[foot.strand], Number.POSITIVE_INFINITY, () => dropGuide(state, foot.label));
  foot.label = -1;
}
