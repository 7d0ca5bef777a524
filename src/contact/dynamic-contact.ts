/**
 * Contact of a curve's nodes with a dynamic body: the penalty of `body-contact.ts`, but between two things that move. Each
 * touching node gives one soft row of the common system,
 *     n·(Δ_node − Δ_body) + λ/s = p/s        s = (h² + βh) k,   p = h k d + (h² + βh) k ċ   the push if nothing changed
 * whose multiplier λ is the impulse on the node along n and, reversed, on the body: momentum is kept to rounding, and a
 * light body is no less stable than a heavy one.
 *   d  depth [m]     ċ  speed at which it grows [m/s]     n  outward normal     Δ  change of velocity
 */
import type { ConstraintRows } from '../model/index.ts';
import {
  type ContactForces,
  type ContactNodes,
  type ContactStage,
  computeContactStiffness,
  computeDepth,
} from './body-contact.ts';

/** Adds a row for every free node that is inside body b, and its label to `labels`. Notes the energy of the penalty. */
export function addContactRows(
  nodes: ContactNodes,
  stage: ContactStage,
  forces: ContactForces,
  b: number,
  rows: ConstraintRows,
  parts: { readonly nodes: number; readonly body: number },
  labels: number[],
): void {
  if (!forces.near[b]) return;
  const { v, cancelled } = nodes;
  const { h, stiffnessDamping: beta } = stage;
  const { point, contact, velocity } = forces.scratch;
  const body = forces.bodies[b];
  for (let i = 0; i < nodes.ownCount; i++) {
    const depth = computeDepth(nodes, forces, b, i);
    if (!(depth > 0)) continue;
    const at = 4 * i;
    const stiffness = computeContactStiffness(nodes, i);
    body.writePointVelocity(point, velocity);
    let closing = 0;
    for (let k = 0; k < 3; k++) closing += (velocity[k] - v[at + k]) * contact[1 + k];
    const push = h * stiffness * depth + ((stage.linearized ? h * h : 0) + beta * h) * stiffness * closing;
    const softness = 1 / ((h * h + beta * h) * stiffness);
    rows.addRow(push * softness, softness);
    labels.push(nodes.label[i]);
    const centre = body.centreOfMass;
    for (let k = 0; k < 3; k++) if (!(cancelled[i] & (1 << k))) rows.addEntry(parts.nodes, at + k, contact[1 + k]);
    for (let k = 0; k < 3; k++) rows.addEntry(parts.body, k, -contact[1 + k]);
    for (let k = 0; k < 3; k++) {
      const c = (k + 1) % 3;
      const d = (k + 2) % 3;
      const arm = (point[c] - centre[c]) * contact[1 + d] - (point[d] - centre[d]) * contact[1 + c];
      rows.addEntry(parts.body, 3 + k, -arm);
    }
    forces.energy += 0.5 * stiffness * depth * depth;
  }
}

/** Notes the force and torque on body b that the multipliers of its rows say, and the forces on the nodes named by `labels`. */
export function takeContactForces(
  forces: ContactForces,
  b: number,
  rows: ConstraintRows,
  first: number,
  labels: readonly number[],
  h: number,
): void {
  for (let n = 0; n < labels.length; n++) {
    const row = first + n;
    // the last six entries are minus the force and the torque of a unit impulse on the node
    const end = rows.start[row + 1];
    const scale = rows.multiplier[row] / h;
    forces.nodes.add(labels[n], rows.value, end - 6, -scale, false);
    for (let k = 0; k < 3; k++) {
      forces.force[3 * b + k] += scale * rows.value[end - 6 + k];
      forces.torque[3 * b + k] += scale * rows.value[end - 3 + k];
    }
  }
}
