/**
 * Contact of a strand with spheres, capsules and the mantles of cylinders. They have no edges that could catch its nodes, so
 * L-nodes do: they stand off just so far that the straight segments between them touch the surface instead of cutting into it,
 *
 *        L───────L            d = √(R² + t²),  t = l/2          d  least distance of a node from the axis [m]
 *      ╱   ▁▁▁▁    ╲          (`contact/facet-round.ts`)        l  length of its longer segment, R  grown radius [m]
 *     L  ▗▓▓▓▓▓▓▖    L
 *
 * Beside a node that cannot move out (an E-node, one that a driver holds) at the distance d₂, t = l − √(d₂² − R²).
 * Before it comes near, the strand is divided until l ≤ R/4: so d ≤ 1.008 R, and as many nodes as the turn needs. It is left
 * with fewer and fewer nodes on its way out. A node keeps to the plane between it and the body: across n, at the distance d.
 *
 * Friction follows the capstan law, T₂/T₁ = e^{μδ} where the strand turns by δ at a node. At a corner the
 * balance of forces gives (T₂ − T₁)/(T₂ + T₁) = μ' tan(δ/2), so the friction there is μ' = tanh(μδ/2)/tan(δ/2).
 */
import type { Placement, RoundSolid } from '../contact/index.ts';
import { computeAngle, computeTanh } from '../math/index.ts';
import { CANCEL_POSITION, NODE_EULERIAN, NODE_LAGRANGIAN } from '../model/index.ts';
import { fillBetween } from './adapt.ts';
import { computeNodeDistance } from './measure.ts';
import type { StrandState } from './state.ts';
import type { StrandTouch } from './touch.ts';

/** What a contact with a round body has for a face. */
export const ROUND = -2;
/** Longest segment at a round body, relative to R; shortest that it is divided into, relative to the spacing. */
const FINE = 0.25;
const SMALLEST = 1 / 64;
/** Stretch that nodes stand off for. */
const LONGEST = 1.5;
/** By how much a segment may stretch in a step without cutting into the body. */
const GIVE = 0.01;
/** Share of what it lacks by which a node that is too near moves out in a step: one that starts there, or whose segments grew. */
const EASE = 0.05;
/** Sine of half a turn below which friction is that of a plane. */
const SMALL_TURN = 1e-4;
/** A segment is divided when it is nearer to the surface than its length; nodes go when that is further by this factor. */
const LEAVE = 1.5;
/** How often the nodes of a start are moved out. */
const LAYING_PASSES = 8;
/** Reach of a step, in steps at the present speed. */
const AHEAD = 2;

/** Least distance of node i, of coordinates q, from the axis of a round body [m]. */
function computeReach(
  state: StrandState,
  round: RoundSolid,
  place: Placement,
  q: Float64Array,
  i: number,
  give = GIVE,
): number {
  const { kind, label, count, closed } = state.chain;
  let t = 0;
  for (let side = -1; side <= 1; side += 2) {
    let j = i + side;
    // the ends of a loop are the same node
    if (closed && j < 0) j = count - 2;
    if (closed && j >= count) j = 1;
    if (j < 0 || j >= count) continue;
    let [square, along] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const d = q[4 * i + k] - q[4 * j + k];
      square += d * d;
      along += d * place.R[3 * k + 1];
    }
    // no further than a strand stretches: what a wild try throws about would go out further and further
    const rest = Math.abs(q[4 * j + 3] - q[4 * i + 3] + (j - i === side ? 0 : side * state.chain.period));
    const length = Math.min(Math.sqrt(square), LONGEST * rest) * (1 + give);
    const isFixed = kind[j] === NODE_EULERIAN || (state.heldAxes[label[j]] & CANCEL_POSITION) === CANCEL_POSITION;
    if (!isFixed) t = Math.max(t, length / 2);
    else {
      // beside a rim nothing turns along the mantle
      const across = Math.sqrt(Math.max(0, square - (round.isMantle ? along * along : 0))) * (1 + give);
      t = Math.max(t, Math.min(across, length) - computeTangent(round, place, q, j));
    }
  }
  return round.computeStandOff(t);
}

/** Length of the tangent from node j to a round body; 0 for one inside [m]. */
function computeTangent(round: RoundSolid, place: Placement, q: Float64Array, j: number): number {
  const distance = computeAxisDistance(round, place, q, j);
  return Math.sqrt(Math.max(0, distance * distance - round.radius * round.radius));
}

/** Distance of node j from the axis of a round body [m]. */
function computeAxisDistance(round: RoundSolid, { R, p }: Placement, q: Float64Array, j: number): number {
  const [a, b, c] = [q[4 * j] - p[0], q[4 * j + 1] - p[1], q[4 * j + 2] - p[2]];
  return round.computeDistance(
    R[0] * a + R[3] * b + R[6] * c,
    R[1] * a + R[4] * b + R[7] * c,
    R[2] * a + R[5] * b + R[8] * c,
  );
}

/** μ'/μ at node i. */
function computeShare({ chain: { q, count } }: StrandState, mu: number, i: number): number {
  if (i === 0 || i === count - 1 || !(mu > 0)) return 1;
  let [dot, before, after] = [0, 0, 0];
  for (let k = 4 * i; k < 4 * i + 3; k++) {
    const [a, b] = [q[k] - q[k - 4], q[k + 4] - q[k]];
    dot += a * b;
    before += a * a;
    after += b * b;
  }
  const cosine = dot / Math.sqrt(before * after);
  const halfSine = Math.sqrt(Math.max(0, 1 - cosine) / 2);
  const halfCosine = Math.sqrt((1 + cosine) / 2);
  // no fold is part of a turn round the body
  if (!(cosine > 0 && halfSine > SMALL_TURN)) return 1;
  return (computeTanh(mu * computeAngle(halfSine, halfCosine)) * halfCosine) / (mu * halfSine);
}

/** Before a step: the plane of a contact follows its node round the body. p: room for three numbers. */
export function followRound(touch: StrandTouch, state: StrandState, c: number, p: Float64Array): void {
  const { body, label, plane, reach, share } = touch.contacts;
  const b = body[c];
  const round = touch.facets[b].round as RoundSolid;
  const { q } = state.chain;
  const i = state.indexOf(label[c]);
  touch.start[b].writeLocal(q, 4 * i, p, 0);
  const d = round.computeDistance(p[0], p[1], p[2]);
  reach[c] = computeReach(state, round, touch.start[b], q, i);
  share[c] = computeShare(state, touch.friction[b], i);
  round.writePlane(p, 0, round.easeOut(d, reach[c], EASE), plane, 4 * c);
}

/**
 * Whether node i, on its way from p0 to p1 in the frame of the round body b, comes nearer than it may; writes the plane that
 * it is then kept above into out[0…3] and the distance that it should have from the axis into out[4].
 */
export function meetsRound(
  touch: StrandTouch,
  state: StrandState,
  b: number,
  i: number,
  p0: Float64Array,
  p1: Float64Array,
  out: Float64Array,
): boolean {
  const round = touch.facets[b].round as RoundSolid;
  const d = round.computeDistance(p0[0], p0[1], p0[2]);
  const full = computeReach(state, round, touch.start[b], state.chain.qStart, i);
  const reach = round.easeOut(d, full, EASE);
  const s = round.findEntry(p0, 0, p1, 0, reach, touch.toleranceOf(b, state));
  if (s < 0 || Math.abs(p0[1] + s * (p1[1] - p0[1])) >= round.top) return false;
  for (let k = 0; k < 3; k++) out[k] = p0[k] + s * (p1[k] - p0[k]);
  round.writePlane(out, 0, reach, out, 0);
  out[4] = full;
  return true;
}

/** Moves a contact's plane out where the segments of its node stretched by more than they may in a stage; true when it did. */
export function widenRound(touch: StrandTouch, state: StrandState, c: number): boolean {
  const { body, label, plane, reach } = touch.contacts;
  const round = touch.facets[body[c]].round as RoundSolid;
  const place = touch.now[body[c]];
  const { q } = state.chain;
  const i = state.indexOf(label[c]);
  if (computeReach(state, round, place, q, i, 0) <= reach[c]) return false;
  const wider = computeReach(state, round, place, q, i);
  plane[4 * c + 3] += wider - reach[c];
  reach[c] = wider;
  return true;
}

/** Divides the segments that come near round bodies. */
export function refineAtRounds(state: StrandState, touch: StrandTouch): void {
  const { chain } = state;
  for (let b = 0; b < touch.bodies.length; b++) {
    const { round } = touch.facets[b];
    if (round === undefined || !touch.near[b]) continue;
    for (let e = chain.count - 2; e >= 0; e--) {
      const du = chain.q[4 * e + 7] - chain.q[4 * e + 3];
      // one beside an E-node grows and shrinks as that slides
      const most = chain.kind[e] === chain.kind[e + 1] ? 1 : 2;
      const spacing = Math.min(state.spacing[chain.label[e]], state.spacing[chain.label[e + 1]]);
      if (du <= most * FINE * round.radius || du <= 2 * SMALLEST * state.smallestSpacing) continue;
      if (computeGap(state, touch, b, e, e + 1) > du) continue;
      state.beginChange();
      const label = state.insertNode(e + 1);
      chain.q[4 * e + 7] = (chain.q[4 * e + 3] + chain.q[4 * e + 11]) / 2;
      fillBetween(chain, e + 1);
      state.setSpacing(label, Math.min(spacing, du / 2));
      chain.bendSpan[label] = 0;
      // both halves are looked at again
      e += 2;
    }
  }
}

/** Whether a round body needs node i, one that was put in for it: not once the strand is further off than the segment without it. */
export function isNeededAtRound(state: StrandState, touch: StrandTouch, i: number): boolean {
  const { q, kind } = state.chain;
  const span = q[4 * i + 7] - q[4 * i - 1];
  for (let b = 0; b < touch.bodies.length; b++) {
    const { round } = touch.facets[b];
    if (round === undefined || !touch.near[b]) continue;
    const isCoarse =
      span > (kind[i - 1] === NODE_LAGRANGIAN && kind[i + 1] === NODE_LAGRANGIAN ? 1 : 2) * FINE * round.radius;
    if (isCoarse && computeGap(state, touch, b, i - 1, i + 1) < LEAVE * span) return true;
  }
  return false;
}

/** How near the straight line between nodes i and j may come to the surface of a round body in the next step [m]. */
function computeGap(state: StrandState, touch: StrandTouch, b: number, i: number, j: number): number {
  const { q, v } = state.chain;
  const { a, b: c, v: speed } = touch.room;
  let fastest = 0;
  for (let node = i; node <= j; node += j - i) {
    for (let k = 0; k < 3; k++) a[k] = q[4 * node + k];
    touch.bodies[b].writePointVelocity(a, speed);
    let square = 0;
    for (let k = 0; k < 3; k++) square += (v[4 * node + k] - speed[k]) ** 2;
    fastest = Math.max(fastest, square);
  }
  touch.start[b].writeLocal(q, 4 * i, a, 0);
  touch.start[b].writeLocal(q, 4 * j, c, 0);
  const round = touch.facets[b].round as RoundSolid;
  const beyond = a[1] * c[1] > 0 ? Math.min(Math.abs(a[1]), Math.abs(c[1])) - round.top : 0;
  const gap = Math.max(beyond, -round.computeSegmentDepth(a, 0, c, 0));
  return gap - AHEAD * touch.step * Math.sqrt(fastest);
}

/** How far from a round body, beyond its surface, the corners of a polygon round it stand [m]. */
export const computeStandOff = ({ radius }: RoundSolid): number =>
  Math.sqrt(radius ** 2 + (FINE * radius * 0.5) ** 2) - radius;

/**
 * At the start of a strand: divides it at round bodies and moves its free nodes out, so that no segment cuts in. Segments that
 * this makes longer get the material for it, `scale` a length, unless that is 0.
 */
export function layAtRounds(state: StrandState, touch: StrandTouch, scale: number): void {
  if (!touch.facets.some(({ round }) => round)) return;
  touch.near.fill(1);
  refineAtRounds(state, touch);
  touch.near.fill(0);
  const { q, label, kind, count } = state.chain;
  const moved = new Uint8Array(count);
  for (let b = 0; b < touch.bodies.length; b++) {
    const { round } = touch.facets[b];
    if (round === undefined) continue;
    // what moves out makes its segments longer, which move it out further
    for (let pass = 0; pass < LAYING_PASSES; pass++) {
      const reaches = Array.from({ length: count }, (_, i) => computeReach(state, round, touch.start[b], q, i));
      for (let i = 0; i < count; i++) if (moveOut(state, touch, b, i, reaches[i])) moved[i] = 1;
    }
  }
  if (scale === 0) return;
  const isLaid = (i: number): boolean =>
    moved[i] !== 0 || (label[i] >= state.materialCount && kind[i] === NODE_LAGRANGIAN);
  for (let e = 0; e + 1 < count; e++)
    if (isLaid(e) || isLaid(e + 1)) state.setMaterial(e, scale * computeNodeDistance(q, e, e + 1));
}

/** Moves a free node i out to the distance `reach` from the axis of round body b; true when it was nearer. */
function moveOut(state: StrandState, touch: StrandTouch, b: number, i: number, reach: number): boolean {
  const { q, kind, kept, label } = state.chain;
  if (kind[i] !== NODE_LAGRANGIAN || kept[i] || state.heldAxes[label[i]] !== 0) return false;
  const round = touch.facets[b].round as RoundSolid;
  const place = touch.start[b];
  const p = touch.room.a;
  place.writeLocal(q, 4 * i, p, 0);
  const d = round.computeDistance(p[0], p[1], p[2]);
  if (d >= reach || Math.abs(p[1]) >= round.top) return false;
  const plane = new Float64Array(4);
  round.writePlane(p, 0, 0, plane, 0);
  place.writeDirection(plane, 0, p, 0);
  for (let k = 0; k < 3; k++) q[4 * i + k] += (reach - d) * p[k];
  return true;
}
