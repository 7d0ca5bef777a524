/**
 * A strand's end that comes up to an E-node slips out: the guide lets go, the short tail is turned into line with the
 * strand and the E-node taken out. Lengths and momentum are kept (`adapt.ts`).
 *
 *         E                       tail (0.05 of the spacing) turned about E:
 *     ────╮ tail                  ─────E──tail
 *     ▓▓▓▓▕
 *
 * A point guide (ring, pulley, eyelet) stays empty then. An end that is held, tied or weighted is a knot and does not slip
 * out, nor does any end at a guide with `stop`.
 */
import { CANCEL_POSITION, NODE_LAGRANGIAN } from '../model/index.ts';
import { type RemeshRoom, takeOutNode } from './adapt.ts';
import type { Guide } from './guides.ts';
import { computeNodeDistance } from './measure.ts';
import type { StrandState } from './state.ts';

/** An E-node leaves when the strand's free end is this near, relative to the spacing. */
const TAIL = 0.05;

/** Lets free ends slip out of point guides. `contacts` knows which nodes bodies hold. */
export function slipOut(
  state: StrandState,
  contacts: { isTouching(label: number): boolean } | undefined,
  room: RemeshRoom,
): void {
  for (let g = state.guides.length - 1; g >= 0; g--) {
    const guide = state.guides[g];
    if (guide.site.type !== 'point' || guide.stop || guide.isSpool) continue;
    const end = findEnd(state, guide);
    if (end < 0 || !isFree(state, end, contacts)) continue;
    passEnd(state, room, guide, end);
  }
}

/** The end of the strand that is about to pass a guide's node, or has stopped there; −1 for none. */
export function findEnd(state: StrandState, { label }: Guide): number {
  const { q, v, count, kind, label: labels } = state.chain;
  const e = state.indexOf(label);
  const end = e === 1 ? 0 : e === count - 2 ? count - 1 : -1;
  if (end < 0 || count < 4 || state.chain.closed || kind[end] !== NODE_LAGRANGIAN) return -1;
  const gap = Math.abs(q[4 * end + 3] - q[4 * e + 3]);
  const closing = v[4 * e + 3] * (end - e) > 0 || state.jammed[label] === end - e;
  return closing && gap <= TAIL * state.spacing[labels[end]] ? end : -1;
}

/** Takes the E-node of a guide out, next to the strand's end. */
export function passEnd(state: StrandState, room: RemeshRoom, guide: Guide, end: number): void {
  const { q } = state.chain;
  const e = state.indexOf(guide.label);
  const other = 2 * e - end;
  takeOutNode(state, e, room, Number.POSITIVE_INFINITY, () => {
    dropGuide(state, guide);
    const tail = computeNodeDistance(q, e, end) / computeNodeDistance(q, other, e);
    for (let k = 0; k < 3; k++) q[4 * end + k] = q[4 * e + k] + tail * (q[4 * e + k] - q[4 * other + k]);
  });
}

/** The strand is not held by a guide any more. */
export function dropGuide(state: StrandState, guide: Guide): void {
  const { label } = guide;
  state.guides = state.guides.filter((other) => other !== guide);
  state.jammed[label] = state.slip[label] = state.pulls[label] = 0;
  // the node of a contact may stay as an L-node
  if (label >= state.materialCount) state.chain.bendSpan[label] = 0;
}

/** Whether nothing but the strand itself, or a body that it lies on, holds node i. */
function isFree(state: StrandState, i: number, contacts: { isTouching(label: number): boolean } | undefined): boolean {
  const { label, pointMass } = state.chain;
  const { reaction, heldAxes } = state;
  const n = label[i];
  if (pointMass[i] > 0 || heldAxes[n] & CANCEL_POSITION) return false;
  const tied = reaction[4 * n] !== 0 || reaction[4 * n + 1] !== 0 || reaction[4 * n + 2] !== 0;
  return !tied || (contacts?.isTouching(n) ?? false);
}
