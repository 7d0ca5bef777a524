/**
 * What pushes and holds the vertices of a sheet, for arrows and probes: forces from the last solve, on the material.
 *     contact     of bodies: on faces Σ (λ_n n + λ_t t + λ_s s) and the drag of what slips, on edges and corners all that holds
 *                 and the drag of what slips along
 *     constraint  r − Σ f_held        r  all that holds the vertex [N], of which bodies do f_held where they touch it
 */

import { ForceList, writeTangents } from '../contact/index.ts';
import { computeHypot3 } from '../math/index.ts';
import type { ForceFrame } from '../model/index.ts';
import type { ChordContacts } from './chord-contacts.ts';
import type { CreaseFriction } from './crease-friction.ts';
import type { SheetHolds } from './holds.ts';
import { type SheetState, STRIDE } from './state.ts';
import type { SheetTouch } from './touch.ts';

/** The parts of a sheet that tell its forces. */
export interface SheetForceSource {
  readonly id: string;
  readonly state: SheetState;
  readonly holds: SheetHolds;
  readonly touch: SheetTouch | undefined;
  readonly creaseFriction: CreaseFriction | undefined;
  readonly chords?: ChordContacts | undefined;
}

/** What is left of a reaction within this share of what makes it up is rounding. */
const ROUNDING = 1e-9;

/** Calls `visit` with each push of a body b on a vertex i; `isHeld`: it is part of what holds the vertex. */
function visitPushes(
  { state, holds, creaseFriction }: SheetForceSource,
  touch: SheetTouch,
  visit: (i: number, b: number, f: Float64Array, isHeld: boolean) => void,
): void {
  const { contacts, now, bodies, friction } = touch;
  const f = new Float64Array(3);
  const axes = [new Float64Array(3), new Float64Array(3), new Float64Array(3)] as const;
  for (let c = 0; c < contacts.count; c++) {
    const i = state.indexOf(contacts.label[c]);
    const frame = i >= 0 && contacts.active[c] && contacts.direction[3 * c] >= 0 ? holds.frames.find(i) : -1;
    if (frame < 0) continue;
    const b = contacts.body[c];
    now[b].writeDirection(contacts.plane, 4 * c, axes[0], 0);
    writeTangents(axes[0], axes[1], axes[2]);
    f.fill(0);
    axes.forEach((axis, m) => {
      const j = contacts.direction[3 * c + m];
      if (j < 0) return;
      const size = holds.frames.computeMultiplier(frame, j, holds.reaction, STRIDE * i);
      for (let k = 0; k < 3; k++) f[k] += size * axis[k];
    });
    visit(i, b, f, true);
    if (!contacts.slips[c] || !(contacts.speed[c] > 0)) continue;
    writeSlip(state, i, bodies[b], axes[0], f);
    const drag = (friction[b] * contacts.grip[c]) / contacts.speed[c];
    for (let k = 0; k < 3; k++) f[k] *= -drag;
    visit(i, b, f, false);
  }
  for (let i = 0; i < state.count; i++) {
    if (!state.isOnSite(i)) continue;
    for (let k = 0; k < 3; k++) f[k] = holds.reaction[STRIDE * i + k];
    visit(i, state.siteBody[i], f, true);
    if (creaseFriction?.writeDrag(state, i, f)) visit(i, state.siteBody[i], f, false);
  }
}

/** Velocity of a vertex against a body, along the plane across n. */
function writeSlip(
  { q, v }: SheetState,
  i: number,
  body: SheetTouch['bodies'][number],
  n: Float64Array,
  out: Float64Array,
): void {
  body.writePointVelocity(q.subarray(STRIDE * i, STRIDE * i + 3), out);
  for (let k = 0; k < 3; k++) out[k] = v[STRIDE * i + k] - out[k];
  const across = out[0] * n[0] + out[1] * n[1] + out[2] * n[2];
  for (let k = 0; k < 3; k++) out[k] -= across * n[k];
}

/** Contact and constraint forces at the vertices, three numbers each [N]. */
export function computeVertexForces(sheet: SheetForceSource): {
  readonly contact: Float64Array;
  readonly constraint: Float64Array;
} {
  const { state, holds, touch } = sheet;
  const { count } = state;
  const contact = new Float64Array(3 * count);
  const constraint = new Float64Array(3 * count);
  const size = new Float64Array(count);
  const add = (i: number, k: number, f: number) => {
    constraint[3 * i + k] += f;
    size[i] += Math.abs(f);
  };
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) add(i, k, holds.reaction[STRIDE * i + k]);
  if (touch)
    visitPushes(sheet, touch, (i, _, f, isHeld) => {
      for (let k = 0; k < 3; k++) {
        contact[3 * i + k] += f[k];
        if (isHeld) add(i, k, -f[k]);
      }
    });
  for (let i = 0; i < count; i++) {
    const left = computeHypot3(constraint[3 * i], constraint[3 * i + 1], constraint[3 * i + 2]);
    if (left <= ROUNDING * size[i]) constraint.fill(0, 3 * i, 3 * i + 3);
  }
  return { contact, constraint };
}

export function createSheetForces(sheet: SheetForceSource): ForceFrame[] {
  const { id, state } = sheet;
  const { contact, constraint } = computeVertexForces(sheet);
  const lists = { contact: new ForceList(), constraint: new ForceList() };
  for (let i = 0; i < state.count; i++) {
    lists.contact.add(state.q, STRIDE * i, contact, 3 * i, 1);
    lists.constraint.add(state.q, STRIDE * i, constraint, 3 * i, 1);
  }
  return [...lists.contact.finish('contact', id), ...lists.constraint.finish('constraint', id)];
}

/** Adds the force of the sheet on body b of its obstacles to out[at…] [N]. */
export function addForceOnBody(sheet: SheetForceSource, b: number, out: Float64Array, at: number): void {
  sheet.chords?.addForceOn(b, out, at);
  if (sheet.touch)
    visitPushes(sheet, sheet.touch, (_, body, f) => {
      if (body === b) for (let k = 0; k < 3; k++) out[at + k] -= f[k];
    });
}
