/** What can be read off a fabric: energies, momenta, strains, the frame that is shown, and counts of its nodes. */

import type { Vec3 } from '../math/index.ts';
import { computeHypot2, computeHypot3, computeSignedAngle } from '../math/index.ts';
import {
  addSegmentInertia,
  CANCEL_POSITION,
  type EnergyTerms,
  type ForceFrame,
  NODE_EIL,
  NODE_EULERIAN,
  NODE_LAGRANGIAN,
  type YarnsFrame,
} from '../model/index.ts';
import { computeTension } from './load.ts';
import { ROLE_EDGE, ROLE_POINT, ROLE_STITCH } from './net.ts';
import { type FabricState, ROLE_FREE } from './state.ts';
import type { Stencils } from './stencils.ts';
import { YarnHeights } from './thickness.ts';

/** Kinetic energy, stretch and weight; the rest is in `FabricTerms.addEnergy`. */
export function addFabricEnergy(
  state: FabricState,
  { segments, segmentStart }: Stencils,
  gravity: Vec3,
  terms: EnergyTerms,
): void {
  const { q, v, yarnCount } = state;
  const { sides } = segments;
  for (let y = 0; y < yarnCount; y++) {
    const { linearDensity, stretchStiffness, restFactor = 1 } = state.materialOf(y);
    for (let e = segmentStart[y]; e < segmentStart[y + 1]; e++) {
      const s = sides[2 * e];
      const t = sides[2 * e + 1];
      const i = 5 * (s >> 1);
      const j = 5 * (t >> 1);
      const iu = i + 3 + (s & 1);
      const ju = j + 3 + (t & 1);
      const du = q[ju] - q[iu];
      let square = 0;
      let kinetic = 0;
      let height = 0;
      for (let k = 0; k < 3; k++) {
        const d = q[j + k] - q[i + k];
        const F = d / du;
        const a = v[i + k] - F * v[iu];
        const b = v[j + k] - F * v[ju];
        square += d * d;
        kinetic += a * a + a * b + b * b;
        height += gravity[k] * (q[i + k] + q[j + k]);
      }
      const off = Math.sqrt(square) / du - restFactor;
      terms.kinetic += (linearDensity * du * kinetic) / 6;
      terms.gravity -= 0.5 * linearDensity * du * height;
      terms.stretch += (0.5 * stretchStiffness * du * off * off) / restFactor;
    }
  }
}

/** Adds linear and angular momentum (about the origin) to out[0..5]. */
export function addFabricMomentum(state: FabricState, { segments, segmentStart }: Stencils, out: Float64Array): void {
  const { q, v, yarnCount } = state;
  const { sides } = segments;
  const [x0, x1, a, b] = [0, 0, 0, 0].map(() => new Float64Array(3));
  for (let y = 0; y < yarnCount; y++) {
    const { linearDensity } = state.materialOf(y);
    for (let e = segmentStart[y]; e < segmentStart[y + 1]; e++) {
      const s = sides[2 * e];
      const t = sides[2 * e + 1];
      const i = 5 * (s >> 1);
      const j = 5 * (t >> 1);
      const du = q[state.materialIndex(t)] - q[state.materialIndex(s)];
      const m = (linearDensity * du) / 6;
      for (let k = 0; k < 3; k++) {
        x0[k] = q[i + k];
        x1[k] = q[j + k];
        const F = (x1[k] - x0[k]) / du;
        a[k] = v[i + k] - F * v[state.materialIndex(s)];
        b[k] = v[j + k] - F * v[state.materialIndex(t)];
        out[k] += 3 * m * (a[k] + b[k]);
      }
      for (let k = 0; k < 3; k++) {
        const [p, r] = [(k + 1) % 3, (k + 2) % 3];
        out[3 + k] +=
          m *
          (x0[p] * (2 * a[r] + b[r]) +
            x1[p] * (a[r] + 2 * b[r]) -
            x0[r] * (2 * a[p] + b[p]) -
            x1[r] * (a[p] + 2 * b[p]));
      }
    }
  }
}

/** Adds mass and inertia of the same to out. */
export function addFabricInertia(state: FabricState, { segments, segmentStart }: Stencils, out: Float64Array): void {
  const { q, yarnCount } = state;
  const { sides } = segments;
  for (let y = 0; y < yarnCount; y++) {
    const { linearDensity } = state.materialOf(y);
    for (let e = segmentStart[y]; e < segmentStart[y + 1]; e++) {
      const s = sides[2 * e];
      const t = sides[2 * e + 1];
      const du = q[state.materialIndex(t)] - q[state.materialIndex(s)];
      addSegmentInertia(linearDensity * du, q, 5 * (s >> 1), 5 * (t >> 1), out);
    }
  }
}

/** Largest |λ − 1|. */
export function computeFabricStrain(state: FabricState, { segments }: Stencils): number {
  const { q } = state;
  const { sides, count } = segments;
  let largest = 0;
  for (let e = 0; e < count; e++) {
    const s = sides[2 * e];
    const t = sides[2 * e + 1];
    const i = 5 * (s >> 1);
    const j = 5 * (t >> 1);
    const l = computeHypot3(q[j] - q[i], q[j + 1] - q[i + 1], q[j + 2] - q[i + 2]);
    largest = Math.max(largest, Math.abs(l / (q[j + 3 + (t & 1)] - q[i + 3 + (s & 1)]) - 1));
  }
  return largest;
}

/** Mass of all yarns [kg]. */
export function computeFabricMass(state: FabricState): number {
  let mass = 0;
  for (let y = 0; y < state.yarnCount; y++) mass += state.materialOf(y).linearDensity * state.yarnLength[y];
  return mass;
}

/** Numbers of nodes by what they are, as in [Sánchez-Banderas 2020, Table 1]. */
export interface NodeCounts {
  /** Ends and points. */
  lagrangian: number;
  /** Crossings within a layer. */
  within: number;
  /** Contacts between layers, stitches included. */
  between: number;
  /** Nodes on edges of bodies. */
  edge: number;
  /** Nodes with one or two EIL sides. */
  eil: number;
  /** Those of all nodes. */
  eilShare: number;
}

export function countNodes({ role, eil, yarn, yarnLayer, count }: FabricState): NodeCounts {
  const counts = { lagrangian: 0, within: 0, between: 0, edge: 0, eil: 0, eilShare: 0 };
  let all = 0;
  for (let i = 0; i < count; i++) {
    if (role[i] === ROLE_FREE) continue;
    all++;
    if (role[i] === ROLE_POINT) counts.lagrangian++;
    else if (role[i] === ROLE_EDGE) counts.edge++;
    else if (yarnLayer[yarn[2 * i]] === yarnLayer[yarn[2 * i + 1]]) counts.within++;
    else counts.between++;
    if (eil[2 * i] || (yarn[2 * i + 1] >= 0 && eil[2 * i + 1])) counts.eil++;
  }
  counts.eilShare = all > 0 ? counts.eil / all : 0;
  return counts;
}

/** Node of each point of the frame. */
export function listFrameNodes({ sides, sideStart, yarnCount }: FabricState): Int32Array<ArrayBuffer> {
  return Int32Array.from(sides.subarray(0, sideStart[yarnCount]), (s) => s >> 1);
}

export function createFabricFrame(id: string, state: FabricState): YarnsFrame {
  const { q, v, yarn, role, eil, before, after, load, sides, sideStart, yarnCount } = state;
  const n = sideStart[yarnCount];
  const place = new Int32Array(2 * state.count).fill(-1);
  for (let p = 0; p < n; p++) place[sides[p]] = p;
  const x = new Float64Array(3 * n);
  const u = new Float64Array(n);
  const kind = new Uint8Array(n);
  const other = new Int32Array(n).fill(-1);
  const fields = {
    speed: new Float64Array(n),
    tension: new Float64Array(n),
    strain: new Float64Array(n),
    curvature: new Float64Array(n),
    load: new Float64Array(n),
    slip: new Float64Array(n),
  };
  for (let p = 0; p < n; p++) {
    const s = sides[p];
    const i = s >> 1;
    u[p] = q[state.materialIndex(s)];
    writeSidePosition(state, s, x, 3 * p);
    kind[p] = eil[s] ? NODE_EIL : role[i] === ROLE_POINT || role[i] === ROLE_STITCH ? NODE_LAGRANGIAN : NODE_EULERIAN;
    if (yarn[s ^ 1] >= 0) {
      other[p] = place[s ^ 1];
      fields.load[p] = Math.max(0, load[i]);
      fields.slip[p] = computeHypot2(v[5 * i + 3], v[5 * i + 4]);
    }
    const { stretchStiffness } = state.materialOf(yarn[s]);
    fields.speed[p] = computeHypot3(v[5 * i], v[5 * i + 1], v[5 * i + 2]);
    fields.tension[p] = computeTension(state, s);
    fields.strain[p] = stretchStiffness > 0 ? fields.tension[p] / stretchStiffness : 0;
    if (!eil[s] && before[s] >= 0 && after[s] >= 0) fields.curvature[p] = computeCurvature(state, s);
  }
  new YarnHeights(state).add(x);
  return {
    type: 'yarns',
    id,
    start: sideStart.slice(),
    radius: Float64Array.from({ length: yarnCount }, (_, y) => state.materialOf(y).radius),
    restLength: state.yarnLength.slice(),
    layer: Uint8Array.from(state.yarnLayer),
    group: state.yarnGroup.slice(),
    x,
    u,
    kind,
    other,
    fields,
  };
}

/** Place of a side on its yarn, without thickness. */
export function writeSidePosition(
  { q, eil, before, after }: FabricState,
  s: number,
  out: Float64Array,
  at: number,
): void {
  const i = 5 * (s >> 1);
  if (!eil[s]) {
    for (let k = 0; k < 3; k++) out[at + k] = q[i + k];
    return;
  }
  const [a, c] = [5 * (before[s] >> 1), 5 * (after[s] >> 1)];
  const [ua, uc] = [q[a + 3 + (before[s] & 1)], q[c + 3 + (after[s] & 1)]];
  const w = (q[i + 3 + (s & 1)] - ua) / (uc - ua);
  for (let k = 0; k < 3; k++) out[at + k] = (1 - w) * q[a + k] + w * q[c + k];
}

/** Turning angle over material length [1/m]. */
function computeCurvature({ q, before, after }: FabricState, s: number): number {
  const [a, i, c] = [5 * (before[s] >> 1), 5 * (s >> 1), 5 * (after[s] >> 1)];
  const [dx, dy, dz] = [q[i] - q[a], q[i + 1] - q[a + 1], q[i + 2] - q[a + 2]];
  const [ex, ey, ez] = [q[c] - q[i], q[c + 1] - q[i + 1], q[c + 2] - q[i + 2]];
  const sine = computeHypot3(dy * ez - dz * ey, dz * ex - dx * ez, dx * ey - dy * ex);
  const turn = computeSignedAngle(sine, dx * ex + dy * ey + dz * ez);
  return (2 * turn) / (q[c + 3 + (after[s] & 1)] - q[a + 3 + (before[s] & 1)]);
}

/** Forces of bodies and of what holds nodes. */
export function createFabricForces(id: string, state: FabricState): ForceFrame[] {
  const { q, role, cancelled, reaction, contact, count } = state;
  const collect = (kind: ForceFrame['kind'], forces: Float64Array, isThere: (i: number) => boolean): ForceFrame[] => {
    const nodes: number[] = [];
    for (let i = 0; i < count; i++) if (role[i] !== ROLE_FREE && isThere(i)) nodes.push(i);
    if (nodes.length === 0) return [];
    const [x, f] = [new Float64Array(3 * nodes.length), new Float64Array(3 * nodes.length)];
    nodes.forEach((i, m) => {
      for (let k = 0; k < 3; k++) {
        x[3 * m + k] = q[5 * i + k];
        f[3 * m + k] = forces[3 * i + k];
      }
    });
    return [{ kind, id, x, f }];
  };
  const hasForce = (forces: Float64Array) => (i: number) =>
    forces[3 * i] !== 0 || forces[3 * i + 1] !== 0 || forces[3 * i + 2] !== 0;
  return [
    ...collect('contact', contact, hasForce(contact)),
    ...collect('constraint', reaction, (i) => (cancelled[i] & CANCEL_POSITION) !== 0 && hasForce(reaction)(i)),
  ];
}
