/**
 * Probes: named numbers read off a world at any moment, one or more columns each. Units are SI.
 */
import type { Body } from '../bodies/index.ts';
import { type EnergyTerms, type Model, NODE_EULERIAN, NODE_LAGRANGIAN } from '../model/index.ts';
import { computeNodeCurvature, computeNodeStrain, computeNodeVelocity, type Strand } from '../strand/index.ts';
import type { StrandPoint } from './drivers.ts';

export interface Probe {
  readonly id: string;
  readonly columns: readonly string[];
  /** Writes one value per column from out[at] on. */
  write(out: Float64Array, at: number): void;
}

/** A quantity at a node of a strand. */
export interface NodeQuantity {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly components: readonly string[];
  write(strand: Strand, label: number, i: number, out: Float64Array, at: number): void;
}

const XYZ = ['x', 'y', 'z'] as const;
const SCALAR = [''] as const;

/** Every quantity a probe can read at a node; the scene schema takes its names from here. */
export const NODE_QUANTITIES: readonly NodeQuantity[] = [
  {
    name: 'position',
    title: 'world position of the node',
    unit: 'm',
    components: XYZ,
    write({ state }, _, i, out, at) {
      for (let k = 0; k < 3; k++) out[at + k] = state.chain.q[4 * i + k];
    },
  },
  {
    name: 'velocity',
    title: 'world velocity of the material at the node',
    unit: 'm/s',
    components: XYZ,
    write({ state }, _, i, out, at) {
      out.set(computeNodeVelocity(state, i), at);
    },
  },
  {
    name: 'tension',
    title: 'tension at the node, mean of both sides',
    unit: 'N',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = state.chain.material.stretchStiffness * computeNodeStrain(state, i);
    },
  },
  {
    name: 'strain',
    title: 'strain at the node, mean of both sides',
    unit: '1',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = computeNodeStrain(state, i);
    },
  },
  {
    name: 'curvature',
    title: 'turning angle over material length',
    unit: '1/m',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = computeNodeCurvature(state, i);
    },
  },
  {
    name: 'materialCoordinate',
    title: 'material coordinate u of the node',
    unit: 'm',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = state.chain.q[4 * i + 3];
    },
  },
  {
    name: 'materialSpeed',
    title: 'rate of the material coordinate, how fast material runs through the node',
    unit: 'm/s',
    components: SCALAR,
    write({ state }, _, i, out, at) {
      out[at] = state.chain.v[4 * i + 3];
    },
  },
  {
    name: 'constraintForce',
    title: 'force of whatever holds the node (pin, guide, tie) on it',
    unit: 'N',
    components: XYZ,
    write({ state }, label, _, out, at) {
      for (let k = 0; k < 3; k++) out[at + k] = state.reaction[4 * label + k];
    },
  },
];

const nameColumns = (id: string, components: readonly string[]): string[] =>
  components.map((component) => (component === '' ? id : `${id}.${component}`));

export function createNodeProbe(id: string, quantity: NodeQuantity, point: StrandPoint): Probe {
  const { strand, label } = point;
  return {
    id,
    columns: nameColumns(id, quantity.components),
    write(out, at) {
      quantity.write(strand, label, strand.state.indexOf(label), out, at);
    },
  };
}

const ENERGY_COLUMNS = ['kinetic', 'stretch', 'bending', 'gravity', 'contact', 'total'] as const;

export function createEnergyProbe(id: string, models: readonly Model[]): Probe {
  return {
    id,
    columns: nameColumns(id, ENERGY_COLUMNS),
    write(out, at) {
      const terms: EnergyTerms = { kinetic: 0, stretch: 0, bending: 0, gravity: 0, contact: 0, total: 0 };
      for (const model of models) model.addEnergy(terms);
      terms.total = terms.kinetic + terms.stretch + terms.bending + terms.gravity + terms.contact;
      for (let k = 0; k < ENERGY_COLUMNS.length; k++) out[at + k] = terms[ENERGY_COLUMNS[k]];
    },
  };
}

/** Linear momentum, or angular momentum about the origin. */
export function createMomentumProbe(id: string, models: readonly Model[], angular: boolean): Probe {
  const sum = new Float64Array(6);
  return {
    id,
    columns: nameColumns(id, XYZ),
    write(out, at) {
      sum.fill(0);
      for (const model of models) model.addMomentum(sum);
      for (let k = 0; k < 3; k++) out[at + k] = sum[(angular ? 3 : 0) + k];
    },
  };
}

export function createCountsProbe(id: string, strands: readonly Strand[]): Probe {
  const count = (kind: number) =>
    strands.reduce((sum, { state: { chain } }) => {
      for (let i = 0; i < chain.count; i++) if (chain.kind[i] === kind) sum++;
      return sum;
    }, 0);
  return {
    id,
    columns: nameColumns(id, ['nodes', 'eulerian', 'lagrangian', 'disabled', 'remeshings']),
    write(out, at) {
      out[at] = strands.reduce((sum, strand) => sum + strand.nodeCount, 0);
      out[at + 1] = count(NODE_EULERIAN);
      out[at + 2] = count(NODE_LAGRANGIAN);
      out[at + 3] = strands.reduce((sum, { state }) => sum + state.disabledCount, 0);
      out[at + 4] = strands.reduce((sum, { state }) => sum + state.remeshings, 0);
    },
  };
}

export function createBodyProbe(id: string, body: Body): Probe {
  return {
    id,
    columns: nameColumns(id, ['x', 'y', 'z', 'vx', 'vy', 'vz', 'wx', 'wy', 'wz']),
    write(out, at) {
      out.set(body.position, at);
      out.set(body.velocity, at + 3);
      out.set(body.angularVelocity, at + 6);
    },
  };
}

/** Sum of the contact forces of the strands on a body. */
export function createContactProbe(id: string, body: Body, strands: readonly Strand[]): Probe {
  return {
    id,
    columns: nameColumns(id, XYZ),
    write(out, at) {
      out.fill(0, at, at + 3);
      for (const { contact } of strands) {
        const b = contact.bodies.indexOf(body);
        if (b >= 0) for (let k = 0; k < 3; k++) out[at + k] += contact.force[3 * b + k];
      }
    },
  };
}
