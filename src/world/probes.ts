/**
 * Probes: named numbers read off a world at any moment, one or more columns each, every column with its unit (SI; '1' for
 * counts and ratios).
 */

import type { Body } from '../bodies/index.ts';
import { writeSegmentVelocity } from '../curve/index.ts';
import { countNodes, type Fabric } from '../fabric/index.ts';
import type { Vec3 } from '../math/index.ts';
import { computeEnergy, type Model, NODE_EULERIAN, NODE_LAGRANGIAN } from '../model/index.ts';
import type { ContinuumModel } from '../mpm/index.ts';
import type { Rod } from '../rod/index.ts';
import type { Sheet } from '../sheet/index.ts';
import {
  computeNodeDistance,
  computeStock,
  fractionOf,
  type Place,
  type Spool,
  type Strand,
  type StrandCrossings,
} from '../strand/index.ts';
import { describeColumns, type Probe } from './columns.ts';
import { addFabricContact } from './fabric-probes.ts';
import type { NodeQuantity } from './node-quantities.ts';
import { addSheetContact } from './sheet-probes.ts';

/** A node of a strand, by its label. */
export interface StrandPoint {
  readonly strand: Strand;
  readonly label: number;
}

const XYZ = ['x', 'y', 'z'] as const;

/** A quantity at a node of a strand; 0 once the strand has slipped out of the guide whose node it was. */
export function createNodeProbe(id: string, quantity: NodeQuantity, point: StrandPoint): Probe {
  const { strand, label } = point;
  return {
    id,
    ...describeColumns(id, quantity.components, quantity.unit),
    write(out, at) {
      const i = strand.state.indexOf(label);
      if (i < 0) out.fill(0, at, at + quantity.components.length);
      else quantity.write(strand, label, i, out, at);
    },
  };
}

/**
 * A quantity at a material point of a strand or rod, wherever the nodes are: the mesh does not know of the probe. Of material on a
 * spool, that where the strand leaves it.
 */
export function createPlaceProbe<Curve extends Strand | Rod>(
  id: string,
  quantity: NodeQuantity<Curve>,
  curve: Curve,
  place: Place,
): Probe {
  const { state }: Strand | Rod = curve;
  const point = fractionOf(place) * (state.chain.period || state.restLength);
  const near = new Float64Array(quantity.components.length);
  const far = new Float64Array(quantity.components.length);
  const same = 1e-9 * state.restLength;
  return {
    id,
    ...describeColumns(id, quantity.components, quantity.unit),
    write(out, at) {
      const { q, label, count } = state.chain;
      const u =
        'wrap' in state && state.chain.closed ? state.wrap(point) : Math.min(Math.max(point, q[3]), q[4 * count - 1]);
      const e = state.findSegment(u);
      for (const i of [e, e + 1])
        if (Math.abs(q[4 * i + 3] - u) <= same) {
          quantity.write(curve, label[i], i, out, at);
          return;
        }
      const t = (u - q[4 * e + 3]) / (q[4 * e + 7] - q[4 * e + 3]);
      if (quantity.writeInside) {
        quantity.writeInside(curve, e, t, out, at);
        return;
      }
      quantity.write(curve, label[e], e, near, 0);
      quantity.write(curve, label[e + 1], e + 1, far, 0);
      for (let k = 0; k < near.length; k++) out[at + k] = near[k] + t * (far[k] - near[k]);
    },
  };
}

/**
 * The material of a strand that is nearest to a fixed point of space: its coordinate u [m], and its speed along the strand
 * towards larger u [m/s].
 */
export function createPassageProbe(id: string, { state }: Strand, point: Vec3): Probe {
  const ends = new Float64Array(6);
  return {
    id,
    ...describeColumns(id, ['u', 'speed'], ['m', 'm/s']),
    write(out, at) {
      const { q } = state.chain;
      const { segment: e, share: t } = findNearestSegment(state, point);
      writeSegmentVelocity(state.chain, e, ends);
      let length2 = 0;
      let along = 0;
      for (let k = 0; k < 3; k++) {
        const d = q[4 * e + 4 + k] - q[4 * e + k];
        length2 += d * d;
        along += d * (ends[k] + t * (ends[3 + k] - ends[k]));
      }
      out[at] = q[4 * e + 3] + t * (q[4 * e + 7] - q[4 * e + 3]);
      out[at + 1] = along / Math.sqrt(length2);
    },
  };
}

/** The segment nearest to a point, and where on it, 0 … 1. */
function findNearestSegment({ chain }: Strand['state'], point: Vec3): { segment: number; share: number } {
  const { q, count } = chain;
  const best = { segment: 0, share: 0 };
  let nearest = Number.POSITIVE_INFINITY;
  for (let e = 0; e + 1 < count; e++) {
    let [length2, along] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const d = q[4 * e + 4 + k] - q[4 * e + k];
      length2 += d * d;
      along += d * (point[k] - q[4 * e + k]);
    }
    const t = Math.min(1, Math.max(0, along / length2));
    let distance2 = 0;
    for (let k = 0; k < 3; k++) distance2 += (q[4 * e + k] + t * (q[4 * e + 4 + k] - q[4 * e + k]) - point[k]) ** 2;
    if (distance2 >= nearest) continue;
    nearest = distance2;
    best.segment = e;
    best.share = t;
  }
  return best;
}

/** Units of what a world itself tells of each step: `steps`, `time`, `energy()`, `report` and `profile`. */
export const MEASURE_UNITS = {
  step: '1',
  time: 's',
  kinetic: 'J',
  stretch: 'J',
  bending: 'J',
  gravity: 'J',
  contact: 'J',
  total: 'J',
  nodes: '1',
  remeshings: '1',
  rescues: '1',
  substeps: '1',
  detect: 'ms',
  adapt: 'ms',
  assemble: 'ms',
  solve: 'ms',
  advance: 'ms',
} as const;

const ENERGY_COLUMNS = ['kinetic', 'stretch', 'bending', 'gravity', 'contact', 'total'] as const;

export function createEnergyProbe(id: string, models: readonly Model[]): Probe {
  return {
    id,
    ...describeColumns(id, ENERGY_COLUMNS, 'J'),
    write(out, at) {
      const terms = computeEnergy(models);
      for (let k = 0; k < ENERGY_COLUMNS.length; k++) out[at + k] = terms[ENERGY_COLUMNS[k]];
    },
  };
}

/** Linear momentum, or angular momentum about the origin. */
export function createMomentumProbe(id: string, models: readonly Model[], angular: boolean): Probe {
  const sum = new Float64Array(6);
  return {
    id,
    ...describeColumns(id, XYZ, angular ? 'kg m²/s' : 'kg m/s'),
    write(out, at) {
      sum.fill(0);
      for (const model of models) model.addMomentum(sum);
      for (let k = 0; k < 3; k++) out[at + k] = sum[(angular ? 3 : 0) + k];
    },
  };
}

/** Adds numbers of E-nodes and L-nodes to out[at], out[at + 1]. */
function addKinds(kind: Uint8Array, count: number, out: Float64Array, at: number): void {
  for (let i = 0; i < count; i++) {
    if (kind[i] === NODE_EULERIAN) out[at]++;
    if (kind[i] === NODE_LAGRANGIAN) out[at + 1]++;
  }
}

/** Nodes of strands and rods and vertices of sheets by kind, and remeshings since the start. */
export function createCountsProbe(
  id: string,
  objects: readonly (Strand | Rod | Sheet | Fabric | ContinuumModel)[],
): Probe {
  return {
    id,
    ...describeColumns(id, ['nodes', 'eulerian', 'lagrangian', 'disabled', 'remeshings'], '1'),
    write(out, at) {
      out.fill(0, at, at + 5);
      for (const object of objects) {
        const { nodeCount } = object;
        out[at] += nodeCount;
        if (object.type === 'mpm') {
          out[at + 2] += nodeCount;
          continue;
        }
        const { state } = object;
        if ('yarnCount' in state) {
          const { lagrangian, eil } = countNodes(state);
          out[at + 1] += nodeCount - lagrangian - eil;
          out[at + 2] += lagrangian;
          out[at + 3] += eil;
          out[at + 4] += state.transitions;
          continue;
        }
        const { kind, count } = 'chain' in state ? { kind: state.chain.kind, count: state.chain.ownCount } : state;
        if ('sliding' in state) {
          // the chain of a rod calls all nodes Eulerian that its mesh moves
          for (let i = 0; i < count; i++) out[at + 1 + (state.sliding[i] ? 0 : 1)]++;
        } else addKinds(kind, count, out, at + 1);
        out[at + 3] += 'disabledCount' in state ? state.disabledCount : 0;
        out[at + 4] += state.remeshings;
      }
    },
  };
}

/** Material length and world length of a strand or rod between its ends, or where it leaves its spools. */
export function createLengthProbe(id: string, { state }: Strand | Rod): Probe {
  return {
    id,
    ...describeColumns(id, ['material', 'world'], 'm'),
    write(out, at) {
      const { q, count } = state.chain;
      out[at] = q[4 * count - 1] - q[3];
      out[at + 1] = 0;
      for (let e = 0; e + 1 < count; e++) out[at + 1] += computeNodeDistance(q, e, e + 1);
    },
  };
}

/** Stock on a drum, speed of the rope and turn since the start (+ pays out), torque of drive and brake. */
export function createSpoolProbe(id: string, strand: Strand, spool: Spool): Probe {
  const { state, spools } = strand;
  return {
    id,
    ...describeColumns(id, ['stock', 'speed', 'turn', 'torque'], ['m', 'm/s', 'rad', 'N m']),
    write(out, at) {
      out[at] = computeStock(state, spool);
      out[at + 1] = 0 - spool.side * state.chain.v[4 * state.indexOf(spool.label) + 3];
      out[at + 2] = (spool.stock - out[at]) / spool.radius;
      out[at + 3] = spools.computeTorque(spool);
    },
  };
}

/** Crossings of all strands, or of one: how many, how many of their feet are interpolated (EIL), the sum of their loads [N]; those made and lost so far. */
export function createCrossingsProbe(id: string, crossings: StrandCrossings | undefined, strand?: Strand): Probe {
  return {
    id,
    ...describeColumns(id, ['count', 'interpolated', 'load', 'made', 'lost'], ['1', '1', 'N', '1', '1']),
    write(out, at) {
      out.fill(0, at, at + 5);
      if (crossings === undefined) return;
      const k = strand === undefined ? -1 : crossings.strands.indexOf(strand);
      for (let c = 0; c < crossings.count; c++) {
        const { a, b, load } = crossings.list[c];
        if (strand !== undefined && a.strand !== k && b.strand !== k) continue;
        out[at]++;
        out[at + 1] += (a.isNode ? 0 : 1) + (b.isNode ? 0 : 1);
        out[at + 2] += load;
      }
      out[at + 3] = crossings.made;
      out[at + 4] = crossings.lost;
    },
  };
}

const BODY_COLUMNS = ['x', 'y', 'z', 'vx', 'vy', 'vz', 'wx', 'wy', 'wz'] as const;
const BODY_UNITS = ['m', 'm', 'm', 'm/s', 'm/s', 'm/s', 'rad/s', 'rad/s', 'rad/s'] as const;

export function createBodyProbe(id: string, body: Body): Probe {
  return {
    id,
    ...describeColumns(id, BODY_COLUMNS, BODY_UNITS),
    write(out, at) {
      out.set(body.position, at);
      out.set(body.velocity, at + 3);
      out.set(body.angularVelocity, at + 6);
    },
  };
}

/** Sum of the contact forces of strands, rods, sheets, fabrics and continua on a body; `contacts`: what rods and sheets touch by rows, and continua. */
export function createContactProbe(
  id: string,
  body: Body,
  objects: readonly (Strand | Sheet | Fabric)[],
  contacts: readonly { addForceOn(body: Body, out: Float64Array, at: number): void }[] = [],
): Probe {
  return {
    id,
    ...describeColumns(id, XYZ, 'N'),
    write(out, at) {
      out.fill(0, at, at + 3);
      for (const one of contacts) one.addForceOn(body, out, at);
      for (const object of objects) {
        if (object.type === 'sheet') {
          addSheetContact(object, body, out, at);
          continue;
        }
        if (object.type === 'fabric') {
          addFabricContact(object, body, out, at);
          continue;
        }
        const { contact } = object;
        const b = contact.bodies.indexOf(body);
        if (b >= 0) for (let k = 0; k < 3; k++) out[at + k] += contact.force[3 * b + k];
      }
    },
  };
}
