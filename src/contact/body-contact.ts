/**
 * Nodes of a curve kept out of bodies by a stiff penalty: the contact of the Lagrangian mode.
 *     V = ½ k d²  where  d = radius − distance > 0           f = k d n      K ≈ k n nᵀ  (positive semi-definite)
 *   distance  signed distance of the node to the body [m]     n  outward normal     k  contact stiffness [N/m]
 * k is the axial stiffness of the node's own segments, EA/Δu, so contact is as stiff as the curve and needs no number
 * of its own. Only nodes touch: a corner between two nodes cuts in, which is what EoL nodes cure. No friction.
 */
import type { Body } from '../bodies/index.ts';
import { CANCEL_POSITION, type StateReader, type StateWriter } from '../model/index.ts';
import type { BlockBanded } from '../sparse/index.ts';
import { NodeForces } from './node-forces.ts';

/** Nodes that can touch: four coordinates each, of which the first three are the world position. */
export interface ContactNodes {
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** What names each node. */
  readonly label: Int32Array;
  /** CANCEL_* bits per node. */
  readonly cancelled: Uint8Array;
  readonly count: number;
  /** Number of different nodes: one less than `count` where the last is the image of the first, in a loop. */
  readonly ownCount: number;
  readonly material: { readonly radius: number; readonly stretchStiffness: number };
}

/** The implicit stage that contact is assembled for; see `curve/axial.ts`. */
export interface ContactStage {
  readonly h: number;
  readonly linearized: boolean;
  readonly stiffnessDamping: number;
}

export interface ContactForces {
  readonly bodies: readonly Body[];
  /** Force of the curve on each body [N], 3 each. */
  readonly force: Float64Array;
  /** Torque of the curve on each body about its centre of mass [N m], 3 each. */
  readonly torque: Float64Array;
  /** Force of the bodies on each node that they touch. */
  readonly nodes: NodeForces;
  /** 1 for bodies that the curve can reach in this step. */
  readonly near: Uint8Array;
  /** Energy stored in the penalty [J]. */
  energy: number;
  /** Forces, torques and energy at the start of the step, for roll-back. */
  readonly before: Float64Array;
  readonly nodesBefore: NodeForces;
  readonly scratch: Readonly<Record<'point' | 'contact' | 'velocity' | 'low' | 'high', Float64Array>>;
}

export function createContactForces(bodies: readonly Body[]): ContactForces {
  return {
    bodies,
    force: new Float64Array(3 * bodies.length),
    torque: new Float64Array(3 * bodies.length),
    nodes: new NodeForces(),
    near: new Uint8Array(bodies.length),
    energy: 0,
    before: new Float64Array(6 * bodies.length + 1),
    nodesBefore: new NodeForces(),
    scratch: {
      point: new Float64Array(3),
      contact: new Float64Array(4),
      velocity: new Float64Array(3),
      low: new Float64Array(3),
      high: new Float64Array(3),
    },
  };
}

export function rememberContact(forces: ContactForces): void {
  const { force, torque, before } = forces;
  before.set(force);
  before.set(torque, force.length);
  before[2 * force.length] = forces.energy;
  forces.nodesBefore.copy(forces.nodes);
}

export function restoreContact(forces: ContactForces): void {
  const { force, torque, before } = forces;
  const n = force.length;
  for (let k = 0; k < n; k++) {
    force[k] = before[k];
    torque[k] = before[n + k];
  }
  forces.energy = before[2 * n];
  forces.nodes.copy(forces.nodesBefore);
}

/** What was touched last is part of the state: probes and energies read it. */
export function writeContact(forces: ContactForces, writer: StateWriter): void {
  rememberContact(forces);
  writer.array(forces.before);
  forces.nodes.writeState(writer);
}

/** `nodes`: how many the curve has room for. */
export function readContact(forces: ContactForces, reader: StateReader, nodes: number): void {
  reader.array(forces.before);
  // a push and its friction for each pair, and what ties take off
  forces.nodesBefore.readState(reader, 4 * nodes * Math.max(1, forces.bodies.length));
  restoreContact(forces);
}

/** Broad phase: which bodies the box of the curve, grown by what it may move in h, comes near to. */
export function detectBodies(nodes: ContactNodes, h: number, forces: ContactForces): void {
  const { q, v, count, material } = nodes;
  const { low, high } = forces.scratch;
  low.fill(Number.POSITIVE_INFINITY);
  high.fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < 4 * count; i += 4)
    for (let k = 0; k < 3; k++) {
      // twice the present motion, for what the step may add
      const reach = material.radius + 2 * h * Math.abs(v[i + k]);
      low[k] = Math.min(low[k], q[i + k] - reach);
      high[k] = Math.max(high[k], q[i + k] + reach);
    }
  for (let b = 0; b < forces.bodies.length; b++) {
    const { shape, position, velocity } = forces.bodies[b];
    let far = 0;
    for (let k = 0; k < 6; k++) far = Math.max(far, Math.abs(shape.bounds[k]));
    // the sphere about the origin that holds the body in any orientation; infinite for planes
    const radius = Math.sqrt(3) * far;
    forces.near[b] = 1;
    for (let k = 0; k < 3; k++) {
      const reach = radius + 2 * h * Math.abs(velocity[k]);
      if (position[k] - reach > high[k] || position[k] + reach < low[k]) forces.near[b] = 0;
    }
  }
}

/**
 * Narrow phase: how deep node i is in body b, with its radius [m]; not positive where they do not touch or the node is held.
 * Leaves the node's place and the contact normal in the scratch.
 */
export function computeDepth(nodes: ContactNodes, forces: ContactForces, b: number, i: number): number {
  if ((nodes.cancelled[i] & CANCEL_POSITION) === CANCEL_POSITION) return 0;
  const { point, contact } = forces.scratch;
  for (let k = 0; k < 3; k++) point[k] = nodes.q[4 * i + k];
  forces.bodies[b].writeSignedDistance(point, contact);
  return nodes.material.radius - contact[0];
}

/** k of node i: the axial stiffness of its own segments [N/m]. */
export function computeContactStiffness({ q, count, ownCount, material }: ContactNodes, i: number): number {
  let span = q[4 * Math.min(count - 1, i + 1) + 3] - q[4 * Math.max(0, i - 1) + 3];
  if (i === 0 && ownCount < count) span += q[4 * ownCount + 3] - q[4 * ownCount - 1];
  return (2 * material.stretchStiffness) / span;
}

/**
 * Adds the contact of every free node with every body that forces do not move to the system, and notes the forces. Those
 * with dynamic bodies are rows: `dynamic-contact.ts`.
 */
export function addBodyContact(
  nodes: ContactNodes,
  stage: ContactStage,
  forces: ContactForces,
  matrix: BlockBanded,
  rhs: Float64Array,
): void {
  const { bodies, force, torque } = forces;
  forces.energy = 0;
  force.fill(0);
  torque.fill(0);
  forces.nodes.clear();
  for (let b = 0; b < bodies.length; b++)
    if (forces.near[b] && bodies[b].motion !== 'dynamic') addOneBody(nodes, stage, forces, b, matrix, rhs);
}

function addOneBody(
  nodes: ContactNodes,
  stage: ContactStage,
  forces: ContactForces,
  b: number,
  matrix: BlockBanded,
  rhs: Float64Array,
): void {
  const { v } = nodes;
  const { h, stiffnessDamping } = stage;
  const { contact } = forces.scratch;
  const diag = matrix.bands[0];
  for (let i = 0; i < nodes.ownCount; i++) {
    const depth = computeDepth(nodes, forces, b, i);
    if (!(depth > 0)) continue;
    const at = 4 * i;
    const k = computeContactStiffness(nodes, i);
    const nx = contact[1];
    const ny = contact[2];
    const nz = contact[3];
    // how the depth grows within the step; a scripted body already stands where it will be at the end of the stage
    const closing = -(v[at] * nx + v[at + 1] * ny + v[at + 2] * nz);
    const product = (stage.linearized ? h * h : 0) + stiffnessDamping * h;
    const push = h * k * depth + product * k * closing;
    rhs[at] += push * nx;
    rhs[at + 1] += push * ny;
    rhs[at + 2] += push * nz;
    const s = (h * h + stiffnessDamping * h) * k;
    const D = 16 * i;
    diag[D] += s * nx * nx;
    diag[D + 1] += s * nx * ny;
    diag[D + 2] += s * nx * nz;
    diag[D + 4] += s * nx * ny;
    diag[D + 5] += s * ny * ny;
    diag[D + 6] += s * ny * nz;
    diag[D + 8] += s * nx * nz;
    diag[D + 9] += s * ny * nz;
    diag[D + 10] += s * nz * nz;
    forces.energy += 0.5 * k * depth * depth;
    addToBody(forces, b, -k * depth);
    forces.nodes.add(nodes.label[i], contact, 1, k * depth, false);
  }
}

/** Notes a force along the contact normal on body b, at the contact point. */
function addToBody(forces: ContactForces, b: number, size: number): void {
  const { point, contact } = forces.scratch;
  const { force, torque } = forces;
  const centre = forces.bodies[b].centreOfMass;
  const [fx, fy, fz] = [size * contact[1], size * contact[2], size * contact[3]];
  const [x, y, z] = [point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]];
  force[3 * b] += fx;
  force[3 * b + 1] += fy;
  force[3 * b + 2] += fz;
  torque[3 * b] += y * fz - z * fy;
  torque[3 * b + 1] += z * fx - x * fz;
  torque[3 * b + 2] += x * fy - y * fx;
}
