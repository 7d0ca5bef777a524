/**
 * Coulomb friction where a strand touches bodies, with true sticking.
 *
 * On a face: while a node sticks it is held where it was on the body, and the force that holds it along the face is checked
 * against μ N; while it slips, μ N acts against the sliding w, and across that, implicit, μ N/|w| · the sliding to the side: the
 * direction of w is that before the solve, and slow nodes would swing about it. A stage whose outcome contradicts what was
 * assumed is solved again with the other. A row of nodes on a drum, which one after the other hear of a pull at the first, may not come to an
 * end with that: a node that would still hold more than it can is dragged, by μ N w/w₀ against its sliding w, w₀ guessed.
 * On an edge the strand can slide through its E-node (u̇) and along the edge (ṡ) at once. It sticks in both or in none:
 *     (f_u/L_u)² + (f_s/R sin φ)² ≤ 1        L_u  limit on u (`friction.ts`), R  all the force of the edge, tan φ = μ
 * and slipping forces are shared by the direction of sliding, w = (λ u̇, ṡ): L_u λ|u̇|/|w| on u, μ N ṡ/|w| along the edge; what the
 * edge puts on the node across itself is N and the friction on u, G² = N² (1 + μ² λ²u̇²/w²).
 *   μ  friction [1]     λ  stretch at the node [1]
 */

import { type NodeFrames, writeTangents } from '../contact/index.ts';
import { computeHypot2 } from '../math/index.ts';
import { CANCEL_U } from '../model/index.ts';
import type { BlockBanded } from '../sparse/index.ts';
import { computeFrictionLimit, computeFrictionShare } from './friction.ts';
import type { EdgeSite, Guide } from './guides.ts';
import { computeNodeStretch } from './measure.ts';
import type { StrandState } from './state.ts';
import type { StrandTouch } from './touch.ts';

/** How often the friction of a contact may change in a stage. */
const MOST_FLIPS = 8;
/** Friction is taken from the newest normal force while that differs by more than this share. */
const SAME_FORCE = 0.02;
/** Mass that an E-node gets along an edge, relative to the strand's around it. */
const MASS = 0.2;
/** Drag of a stage that holds a node fast, relative to its mass. */
const FAST = 1e3;
/** Limits are exceeded by more than rounding. */
const SLACK = 1 + 1e-9;

const normal = (): Float64Array => new Float64Array(3);

/** Scratch vectors of one strand's contact. */
export class FrictionRoom {
  readonly n = normal();
  readonly v = normal();
  readonly a = normal();
  readonly b = normal();
}

/** Before a stage: slipping friction points against the present sliding. */
export function beginFriction(touch: StrandTouch, state: StrandState): void {
  const { contacts, room } = touch;
  const { vBase } = state.chain;
  for (let c = 0; c < contacts.count; c++) {
    contacts.flips[c] = contacts.drags[c] = contacts.speed[c] = 0;
    if (!contacts.slips[c]) continue;
    const size = writeSlip(touch, state, c, vBase, room.v);
    contacts.speed[c] = size;
    if (size > 0) for (let k = 0; k < 3; k++) contacts.push[3 * c + k] = -room.v[k] / size;
  }
}

/** Velocity of a contact's node along the face, relative to the body; returns its size. */
function writeSlip(touch: StrandTouch, state: StrandState, c: number, v: Float64Array, out: Float64Array): number {
  const { contacts, bodies, now, room } = touch;
  const at = 4 * state.indexOf(contacts.label[c]);
  const b = contacts.body[c];
  for (let k = 0; k < 3; k++) room.a[k] = state.chain.q[at + k];
  bodies[b].writePointVelocity(room.a, out);
  now[b].writeDirection(contacts.plane, 4 * c, room.n, 0);
  let across = 0;
  for (let k = 0; k < 3; k++) {
    out[k] = v[at + k] - out[k];
    across += out[k] * room.n[k];
  }
  let square = 0;
  for (let k = 0; k < 3; k++) {
    out[k] -= across * room.n[k];
    square += out[k] * out[k];
  }
  return Math.sqrt(square);
}

/** Holds a sticking node where it was on the body, along the face too. */
export function addStickFrame(
  touch: StrandTouch,
  state: StrandState,
  frames: NodeFrames,
  n: number,
  c: number,
  h: number,
): void {
  const { contacts, now, room } = touch;
  const { qBase } = state.chain;
  const at = 4 * state.indexOf(contacts.label[c]);
  const place = room.v;
  now[contacts.body[c]].writeWorld(contacts.anchor, 3 * c, place, 0);
  now[contacts.body[c]].writeDirection(contacts.plane, 4 * c, room.n, 0);
  // along the face, so that the multiplier of the normal is the force across it
  writeTangents(room.n, room.a, room.b);
  for (let m = 0; m < 2; m++) {
    const t = m === 0 ? room.a : room.b;
    let gap = 0;
    for (let k = 0; k < 3; k++) gap += (place[k] - qBase[at + k]) * t[k];
    contacts.tangent[2 * c + m] = frames.add(n, t[0], t[1], t[2], gap / h);
  }
}

/** Velocity of a slipping contact's node along the face and across its push into `room.v`; returns its size against the push. */
function writeSideSlip(touch: StrandTouch, state: StrandState, c: number): number {
  const { contacts, room } = touch;
  writeSlip(touch, state, c, state.chain.v, room.v);
  let against = 0;
  for (let k = 0; k < 3; k++) against -= room.v[k] * contacts.push[3 * c + k];
  for (let k = 0; k < 3; k++) room.v[k] += against * contacts.push[3 * c + k];
  return against;
}

/** Adds the friction that a contact with a body that forces do not move puts on its node, in frame n, after a solve [N]. */
export function addFrictionForce(
  touch: StrandTouch,
  state: StrandState,
  frames: NodeFrames,
  n: number,
  c: number,
  f: Float64Array,
): void {
  const { contacts, friction, room } = touch;
  if (contacts.slips[c]) {
    const size = friction[contacts.body[c]] * contacts.share[c] * contacts.grip[c];
    const along = writeSideSlip(touch, state, c);
    const drag = contacts.speed[c] > 0 ? size / contacts.speed[c] : 0;
    const push = contacts.drags[c] ? drag * along : size;
    for (let k = 0; k < 3; k++) f[k] += push * contacts.push[3 * c + k] - drag * room.v[k];
    return;
  }
  addStickShare(touch, frames, n, c, state.reaction, 4 * contacts.label[c], f);
}

/** Adds what the directions in which a contact sticks do of the force r[at…] that holds its node, in frame n. */
export function addStickShare(
  touch: StrandTouch,
  frames: NodeFrames,
  n: number,
  c: number,
  r: Float64Array,
  at: number,
  f: Float64Array,
): void {
  const { contacts, room } = touch;
  touch.now[contacts.body[c]].writeDirection(contacts.plane, 4 * c, room.n, 0);
  writeTangents(room.n, room.a, room.b);
  for (let m = 0; m < 2; m++) {
    const j = contacts.tangent[2 * c + m];
    if (j < 0) continue;
    const size = frames.computeMultiplier(n, j, r, at);
    for (let k = 0; k < 3; k++) f[k] += size * (m === 0 ? room.a : room.b)[k];
  }
}

/** Adds the friction of slipping nodes on faces of bodies that forces do not move, for a stage of length h. */
export function addFaceFriction(
  touch: StrandTouch,
  state: StrandState,
  h: number,
  matrix: BlockBanded,
  rhs: Float64Array,
): void {
  const { contacts, friction, room } = touch;
  for (let c = 0; c < contacts.count; c++) {
    if (!contacts.active[c] || !contacts.slips[c] || touch.isDynamic(contacts.body[c])) continue;
    const i = state.indexOf(contacts.label[c]);
    const size = h * friction[contacts.body[c]] * contacts.share[c] * contacts.grip[c];
    const mass = state.chain.material.linearDensity * state.spacing[contacts.label[c]];
    contacts.speed[c] = Math.max(contacts.speed[c], size / (FAST * mass));
    const along = writeSideSlip(touch, state, c);
    const drag = contacts.speed[c] > 0 ? size / contacts.speed[c] : 0;
    const push = contacts.drags[c] ? drag * along : size;
    const [d, o] = [contacts.push, 3 * c];
    for (let k = 0; k < 3; k++) {
      rhs[4 * i + k] += push * d[o + k] - drag * room.v[k];
      for (let m = 0; m < 3; m++) {
        const across = (k === m ? 1 : 0) - room.n[k] * room.n[m];
        const share = contacts.drags[c] ? across : across - d[o + k] * d[o + m];
        matrix.bands[0][16 * i + 4 * k + m] += drag * share;
      }
    }
  }
}

/** Checks sticking and slipping on faces; true when the stage must be solved again. */
export function reviseFaceFriction(touch: StrandTouch, state: StrandState, h: number): boolean {
  const { contacts, friction } = touch;
  let changed = false;
  for (let c = 0; c < contacts.count; c++) {
    const mu = friction[contacts.body[c]] * contacts.share[c];
    if (!(contacts.active[c] && mu > 0)) continue;
    changed = (contacts.slips[c] ? reviseSlip(touch, state, c) : reviseStick(touch, state, c, mu, h)) || changed;
  }
  return changed;
}

function reviseStick(touch: StrandTouch, state: StrandState, c: number, mu: number, h: number): boolean {
  const { contacts, now, room } = touch;
  const at = 4 * contacts.label[c];
  const [n, f] = [room.n, room.v];
  now[contacts.body[c]].writeDirection(contacts.plane, 4 * c, n, 0);
  let across = 0;
  for (let k = 0; k < 3; k++) {
    f[k] = state.reaction[at + k] - contacts.tie[3 * c + k];
    across += f[k] * n[k];
  }
  let square = 0;
  for (let k = 0; k < 3; k++) {
    f[k] -= across * n[k];
    square += f[k] * f[k];
  }
  const size = Math.sqrt(square);
  contacts.grip[c] = Math.max(0, contacts.force[c]);
  const excess = size - mu * contacts.grip[c];
  if (!(size > mu * contacts.grip[c] * SLACK) || contacts.flips[c] > MOST_FLIPS) return false;
  contacts.slips[c] = 1;
  contacts.flips[c]++;
  if (contacts.flips[c] > MOST_FLIPS && !touch.isDynamic(contacts.body[c])) contacts.drags[c] = 1;
  // what the rest of the force would do to the node
  contacts.speed[c] = (excess * h) / (state.chain.material.linearDensity * state.spacing[contacts.label[c]]);
  for (let k = 0; k < 3; k++) contacts.push[3 * c + k] = f[k] / size;
  return true;
}

function reviseSlip(touch: StrandTouch, state: StrandState, c: number): boolean {
  const { contacts, room } = touch;
  const before = contacts.grip[c];
  contacts.grip[c] = Math.max(0, contacts.force[c]);
  if (contacts.drags[c]) return false;
  writeSlip(touch, state, c, state.chain.v, room.v);
  let along = 0;
  for (let k = 0; k < 3; k++) along += room.v[k] * contacts.push[3 * c + k];
  if (along > 0 && contacts.flips[c] < MOST_FLIPS) {
    contacts.slips[c] = 0;
    contacts.flips[c]++;
    return true;
  }
  return contacts.flips[c]++ < MOST_FLIPS && Math.abs(contacts.grip[c] - before) > SAME_FORCE * contacts.grip[c];
}

/** u̇ and ṡ of an E-node on an edge, as lengths per time of the strand's own and along the edge. */
export function measureSliding(touch: StrandTouch, state: StrandState, { label }: Guide, { body, edge }: EdgeSite) {
  const { room } = touch;
  const { q, v } = state.chain;
  const i = state.indexOf(label);
  const at = 4 * i;
  touch.writeEdgeAxes(body, edge, touch.now[body], room.a, room.b, room.n);
  for (let k = 0; k < 3; k++) room.a[k] = q[at + k];
  touch.bodies[body].writePointVelocity(room.a, room.v);
  let along = 0;
  for (let k = 0; k < 3; k++) along += (v[at + k] - room.v[k]) * room.n[k];
  const through = computeNodeStretch(state, i) * v[at + 3];
  return { along, through, size: computeHypot2(along, through) };
}

/**
 * Where the strand runs nearly along an edge, sliding of the node along the edge and of the material through it are nearly
 * one motion, and it has no inertia [theory/eol#degeneracy]. There the node gets a small mass along the edge,
 * MASS ρA Δ cos⁸ of the angle between them (Δ: spacing), nothing where the strand crosses the edge. On bodies that forces move it
 * is inertia against the body, by a row (`touch-rows.ts`).
 */
export function addSlidingMass(touch: StrandTouch, state: StrandState, matrix: BlockBanded, rhs: Float64Array): void {
  const { v, vBase } = state.chain;
  const e = touch.room.n;
  for (const { label, site } of state.guides) {
    if (site.type !== 'edge' || touch.isDynamic(site.body)) continue;
    const i = state.indexOf(label);
    const mass = computeSlidingMass(touch, state, i, site);
    let change = 0;
    for (let k = 0; k < 3; k++) change += (vBase[4 * i + k] - v[4 * i + k]) * e[k];
    for (let k = 0; k < 3; k++) {
      rhs[4 * i + k] += mass * change * e[k];
      for (let m = 0; m < 3; m++) matrix.bands[0][16 * i + 4 * k + m] += mass * e[k] * e[m];
    }
  }
}

/** Mass of E-node i along its edge [kg]; leaves the edge's direction in the room's n. */
export function computeSlidingMass(touch: StrandTouch, state: StrandState, i: number, site: EdgeSite): number {
  const { q, count, label, material } = state.chain;
  const e = touch.room.n;
  touch.writeEdgeAxes(site.body, site.edge, touch.now[site.body], touch.room.a, touch.room.b, e);
  let smallest = 1;
  for (let s = Math.max(0, i - 1); s <= Math.min(count - 2, i); s++) {
    let [along, square] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const d = q[4 * s + 4 + k] - q[4 * s + k];
      along += d * e[k];
      square += d * d;
    }
    smallest = Math.min(smallest, (along * along) / square);
  }
  return MASS * material.linearDensity * state.spacing[label[i]] * (smallest ** 2) ** 2;
}

/** Adds the friction of E-nodes that slip on edges of bodies that forces do not move. Leaves dynamic ones' ṡ to rows. */
export function addEdgeFriction(
  touch: StrandTouch,
  state: StrandState,
  h: number,
  matrix: BlockBanded,
  rhs: Float64Array,
): void {
  for (const guide of state.guides) {
    const { site, friction, label } = guide;
    if (site.type !== 'edge' || !(friction > 0) || state.slip[label] === 0 || state.jammed[label] !== 0) continue;
    const { along, through, size } = measureSliding(touch, state, guide, site);
    const i = state.indexOf(label);
    const share = size > 0 ? Math.abs(through) / size : 1;
    const limit = computeFrictionLimit(state, guide);
    // an edge that locks is stuck to when the stage is revised
    if (Number.isFinite(limit)) rhs[4 * i + 3] -= h * state.slip[label] * share * limit;
    if (touch.isDynamic(site.body) || !(size > 0)) continue;
    // implicit in ṡ, so that it never overshoots
    const drag = h * computeEdgeDrag(state, guide, through, size);
    const e = touch.room.n;
    for (let k = 0; k < 3; k++) {
      rhs[4 * i + k] -= drag * along * e[k];
      for (let m = 0; m < 3; m++) matrix.bands[0][16 * i + 4 * k + m] += drag * e[k] * e[m];
    }
  }
}

/** μ N/|w| of an E-node that slides with w, `through` of it through the node [N s/m]; G is that of the last step. */
export function computeEdgeDrag(state: StrandState, { friction, label }: Guide, through: number, size: number): number {
  return (friction * state.grip[label]) / computeHypot2(size, friction * through);
}

/** Friction along the edge on an E-node that slips on it [N], as it was last assembled; false where there is none. */
export function writeEdgeDrag(
  touch: StrandTouch,
  state: StrandState,
  guide: Guide,
  site: EdgeSite,
  f: Float64Array,
): boolean {
  const { friction, label } = guide;
  if (!(friction > 0) || state.slip[label] === 0 || state.jammed[label] !== 0) return false;
  const { along, through, size } = measureSliding(touch, state, guide, site);
  if (!(size > 0)) return false;
  const push = -computeEdgeDrag(state, guide, through, size) * along;
  for (let k = 0; k < 3; k++) f[k] = push * touch.room.n[k];
  return true;
}

/** Checks sticking and slipping on edges; true when the stage must be solved again. */
export function reviseEdgeFriction(touch: StrandTouch, state: StrandState): boolean {
  let changed = false;
  for (const guide of state.guides) {
    const { site, friction, label } = guide;
    if (site.type !== 'edge' || !(friction > 0) || state.jammed[label] !== 0) continue;
    const { along, through } = measureSliding(touch, state, guide, site);
    if (state.slip[label] !== 0) {
      const locks = !Number.isFinite(computeFrictionLimit(state, guide));
      if (through * state.slip[label] >= 0 && !locks) continue;
      // it turned round: it sticks, unless it slides along the edge anyway
      if (Math.abs(along) > Math.abs(through) && !locks) state.slip[label] *= -1;
      else {
        state.slip[label] = 0;
        holdThrough(state, label);
      }
      changed = true;
      continue;
    }
    const e = touch.room.n;
    const r = 4 * label;
    let [sideways, square] = [0, 0];
    for (let k = 0; k < 3; k++) {
      sideways += state.reaction[r + k] * e[k];
      square += state.reaction[r + k] ** 2;
    }
    const pull = state.reaction[r + 3];
    const used = pull / computeFrictionLimit(state, guide);
    const across = square > 0 ? sideways / (computeFrictionShare(friction) * Math.sqrt(square)) : 0;
    if (!(used * used + across * across > SLACK)) continue;
    state.slip[label] = pull > 0 ? -1 : 1;
    state.release(label, CANCEL_U);
    changed = true;
  }
  return changed;
}

/** Holds u of an E-node that sticks. */
export function holdThrough(state: StrandState, label: number): void {
  state.cancel(label, CANCEL_U);
  state.chain.target[4 * state.indexOf(label) + 3] = 0;
}
