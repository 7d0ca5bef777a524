/** Probes of fabrics: regions by their nodes, loads and slip of crossings, counts as in [Sánchez-Banderas 2020, Table 1]. */

import type { Body } from '../bodies/index.ts';
import { computeTension, countNodes, type Fabric, ROLE_BETWEEN, ROLE_CROSSING } from '../fabric/index.ts';
import { computeHypot2, computeHypot3 } from '../math/index.ts';
import { describeColumns, type Probe } from './columns.ts';

const XYZ = ['x', 'y', 'z'] as const;
const SCALAR = [''] as const;

/** Something measured at a node of a fabric. */
export interface FabricQuantity {
  readonly name: string;
  readonly unit: string;
  readonly components: readonly string[];
  /** Adds share · value at a node. */
  add(fabric: Fabric, node: number, share: number, out: Float64Array, at: number): void;
}

/** Every quantity that a probe reads at a region of a fabric but forces. */
export const FABRIC_QUANTITIES: readonly FabricQuantity[] = [
  {
    name: 'position',
    unit: 'm',
    components: XYZ,
    add({ state: { q } }, i, share, out, at) {
      for (let k = 0; k < 3; k++) out[at + k] += share * q[5 * i + k];
    },
  },
  { name: 'velocity', unit: 'm/s', components: XYZ, add: addMaterialVelocity },
  {
    name: 'tension',
    unit: 'N',
    components: SCALAR,
    add({ state }, i, share, out, at) {
      const sides = state.yarn[2 * i + 1] < 0 ? 1 : 2;
      for (let k = 0; k < sides; k++) out[at] += (share * computeTension(state, 2 * i + k)) / sides;
    },
  },
  {
    name: 'strain',
    unit: '1',
    components: SCALAR,
    add({ state }, i, share, out, at) {
      const sides = state.yarn[2 * i + 1] < 0 ? 1 : 2;
      for (let k = 0; k < sides; k++) {
        const { stretchStiffness } = state.materialOf(state.yarn[2 * i + k]);
        out[at] += (share * computeTension(state, 2 * i + k)) / (sides * stretchStiffness);
      }
    },
  },
];

/** Velocity of the material at a node, ẋ − F u̇, the mean of its yarns; F over the EoL nodes beside it. */
function addMaterialVelocity({ state }: Fabric, i: number, share: number, out: Float64Array, at: number): void {
  const { q, v, yarn, before, after } = state;
  const sides = yarn[2 * i + 1] < 0 ? 1 : 2;
  for (let n = 0; n < sides; n++) {
    const side = 2 * i + n;
    const a = before[side] < 0 ? side : before[side];
    const b = after[side] < 0 ? side : after[side];
    const du = q[state.materialIndex(b)] - q[state.materialIndex(a)];
    for (let k = 0; k < 3; k++) {
      const F = du > 0 ? (q[5 * (b >> 1) + k] - q[5 * (a >> 1) + k]) / du : 0;
      out[at + k] += (share / sides) * (v[5 * i + k] - F * v[state.materialIndex(side)]);
    }
  }
}

/** Mean of a quantity over nodes that are there. */
export function createFabricProbe(
  id: string,
  quantity: FabricQuantity,
  fabric: Fabric,
  nodes: readonly number[],
): Probe {
  const { components, unit } = quantity;
  return {
    id,
    ...describeColumns(id, components, unit),
    write(out, at) {
      out.fill(0, at, at + components.length);
      let count = 0;
      for (const i of nodes) if (fabric.hasNode(i)) count++;
      for (const i of nodes) if (fabric.hasNode(i)) quantity.add(fabric, i, 1 / count, out, at);
    },
  };
}

/** Sum of the forces of what holds the nodes of a region, bodies aside [N]. */
export function createFabricForceProbe(id: string, { state }: Fabric, nodes: readonly number[]): Probe {
  return {
    id,
    ...describeColumns(id, XYZ, 'N'),
    write(out, at) {
      out.fill(0, at, at + 3);
      for (const i of nodes) for (let k = 0; k < 3; k++) out[at + k] += state.reaction[3 * i + k];
    },
  };
}

/** Adds the force of a fabric on a body to out[at…] [N]. */
export function addFabricContact({ touch }: Fabric, body: Body, out: Float64Array, at: number): void {
  const { obstacles, bodyForce } = touch.contacts;
  const b = obstacles.findIndex((obstacle) => obstacle.body === body);
  if (b >= 0) for (let k = 0; k < 3; k++) out[at + k] += bodyForce[6 * b + k];
}

/** A region of a fabric. */
export interface FabricRegion {
  readonly fabric: Fabric;
  readonly nodes: readonly number[];
}

/** Distance of the middles of two regions [m], and that over the one at the start, less 1. */
export function createExtensionProbe(id: string, from: FabricRegion, to: FabricRegion): Probe {
  const [a, b] = [new Float64Array(3), new Float64Array(3)];
  const measure = (): number => {
    writeMiddle(from, a);
    writeMiddle(to, b);
    return computeHypot3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  };
  const start = measure();
  return {
    id,
    ...describeColumns(id, ['length', 'extension'], ['m', '1']),
    write(out, at) {
      out[at] = measure();
      out[at + 1] = out[at] / start - 1;
    },
  };
}

function writeMiddle({ fabric, nodes }: FabricRegion, out: Float64Array): void {
  out.fill(0);
  for (const i of nodes) for (let k = 0; k < 3; k++) out[k] += fabric.state.q[5 * i + k] / nodes.length;
}

/** Nodes as in [Sánchez-Banderas 2020, Table 1], what they did, and jumps of the energy as they changed between EoL and EIL. */
export function createFabricCountProbe(id: string, { state }: Fabric): Probe {
  const columns = [
    'lagrangian',
    'within',
    'between',
    'eil',
    'share',
    'passed',
    'transitions',
    'jump',
    'largestJump',
  ] as const;
  return {
    id,
    ...describeColumns(id, columns, ['1', '1', '1', '1', '1', '1', '1', 'J', 'J']),
    write(out, at) {
      const { lagrangian, within, between, eil, eilShare } = countNodes(state);
      const { passings, transitions, lastJump, largestJump } = state;
      out.set([lagrangian, within, between, eil, eilShare, passings, transitions, lastJump, largestJump], at);
    },
  };
}

/** Which crossings a probe is of. */
export type CrossingChoice = 'all' | 'within' | 'between';

const isChosen = (role: number, of: CrossingChoice): boolean =>
  (role === ROLE_CROSSING && of !== 'between') || (role === ROLE_BETWEEN && of !== 'within');

/** Loads of crossings [N]: their sum, mean and the largest. */
export function createLoadProbe(id: string, { state }: Fabric, of: CrossingChoice): Probe {
  return {
    id,
    ...describeColumns(id, ['total', 'mean', 'largest'], 'N'),
    write(out, at) {
      let [total, count, largest] = [0, 0, 0];
      for (let i = 0; i < state.count; i++) {
        if (!isChosen(state.role[i], of)) continue;
        const load = Math.max(0, state.load[i]);
        total += load;
        count++;
        if (load > largest) largest = load;
      }
      out.set([total, count === 0 ? 0 : total / count, largest], at);
    },
  };
}

/** How far yarns have slid on each other since the probe was made, √(Δu² + Δv²), at crossings that were there then [m]: mean and the largest. */
export function createSlipProbe(id: string, { state }: Fabric, of: CrossingChoice): Probe {
  const { q, yarn, count } = state;
  const start = new Float64Array(2 * count);
  for (let s = 0; s < 2 * count; s++) start[s] = q[state.materialIndex(s)];
  const yarns = yarn.slice(0, 2 * count);
  return {
    id,
    ...describeColumns(id, ['mean', 'largest'], 'm'),
    write(out, at) {
      let [total, nodes, largest] = [0, 0, 0];
      for (let i = 0; i < count; i++) {
        const isSame = yarn[2 * i] === yarns[2 * i] && yarn[2 * i + 1] === yarns[2 * i + 1];
        if (!isSame || !isChosen(state.role[i], of)) continue;
        const slip = computeHypot2(q[5 * i + 3] - start[2 * i], q[5 * i + 4] - start[2 * i + 1]);
        total += slip;
        nodes++;
        if (slip > largest) largest = slip;
      }
      out.set([nodes === 0 ? 0 : total / nodes, largest], at);
    },
  };
}
