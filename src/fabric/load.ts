/**
 * Normal load of the nodes that two yarns share.                                [theory/fabric#forces-at-a-crossing]
 *
 *     N = ½ n·(f_lower − f_upper) + crimp        n  unit normal, up        f  force of each yarn on the node, with weight and inertia
 *
 * In equilibrium f_upper + f_lower = 0, so either is the contact force, and the mean of both is it up to what is left of the residual. Without thickness the yarns of flat cloth
 * do not press on each other. With it a tight yarn that bends round another does, by its tension T and the slopes to its neighbours (`FabricState.crimp`):
 *     ½ Σ over both yarns of T [(h − h_before)/Δu + (h − h_after)/Δu]
 * h is half the sum of the radii, towards the side that the yarn lies on. Neighbours are the crossings of the cloth at the start.
 */
import { ROLE_CROSSING } from './net.ts';
import { type FabricState, ROLE_FREE } from './state.ts';

/** Slopes of the cloth at rest; sides must be in order. */
export function writeCrimp(state: FabricState): void {
  const { role, yarn, sideStart, sides, yarnCount, crimp, q } = state;
  const heightOf = (s: number): number => {
    const r = state.materialOf(yarn[s]).radius + state.materialOf(yarn[s ^ 1]).radius;
    return state.upper[s >> 1] === (s & 1) + 1 ? 0.5 * r : -0.5 * r;
  };
  for (let y = 0; y < yarnCount; y++) {
    let last = -1;
    for (let k = sideStart[y]; k < sideStart[y + 1]; k++) {
      const s = sides[k];
      if (role[s >> 1] !== ROLE_CROSSING) continue;
      if (last >= 0) {
        const [a, b] = [heightOf(last), heightOf(s)];
        const du = q[state.materialIndex(s)] - q[state.materialIndex(last)];
        if (du > 0) {
          crimp[last] += (Math.sign(a) * (a - b)) / du;
          crimp[s] += (Math.sign(b) * (b - a)) / du;
        }
      }
      last = s;
    }
  }
}

/** Tension of a yarn beside a side [N]: the mean of both segments, none where it is slack. */
export function computeTension(state: FabricState, s: number): number {
  const { eil } = state;
  const before = state.before[s];
  const after = state.after[s];
  if (eil[s]) return Math.max(0, computePull(state, before, after));
  const parts = (before >= 0 ? 1 : 0) + (after >= 0 ? 1 : 0);
  return parts === 0 ? 0 : Math.max(0, (computePull(state, before, s) + computePull(state, s, after)) / parts);
}

/** Tension between two sides of a yarn [N]; 0 where there is none. */
function computePull(state: FabricState, a: number, b: number): number {
  if (a < 0 || b < 0) return 0;
  const { q } = state;
  const { stretchStiffness, restFactor = 1 } = state.materialOf(state.yarn[a]);
  const i = 5 * (a >> 1);
  const j = 5 * (b >> 1);
  const dx = q[j] - q[i];
  const dy = q[j + 1] - q[i + 1];
  const dz = q[j + 2] - q[i + 2];
  const l = Math.sqrt(dx * dx + dy * dy + dz * dz);
  return (stretchStiffness / restFactor) * (l / (q[j + 3 + (b & 1)] - q[i + 3 + (a & 1)]) - restFactor);
}

/** Unit normal of a node with two yarns, up; false where they are parallel. */
export function writeNodeNormal(state: FabricState, i: number, out: Float64Array): boolean {
  const { q, before, after, isUp } = state;
  const a = 2 * i;
  const b = a + 1;
  const a0 = 5 * ((before[a] >= 0 ? before[a] : a) >> 1);
  const a1 = 5 * ((after[a] >= 0 ? after[a] : a) >> 1);
  const b0 = 5 * ((before[b] >= 0 ? before[b] : b) >> 1);
  const b1 = 5 * ((after[b] >= 0 ? after[b] : b) >> 1);
  const ax = q[a1] - q[a0];
  const ay = q[a1 + 1] - q[a0 + 1];
  const az = q[a1 + 2] - q[a0 + 2];
  const bx = q[b1] - q[b0];
  const by = q[b1 + 1] - q[b0 + 1];
  const bz = q[b1 + 2] - q[b0 + 2];
  const nx = ay * bz - az * by;
  const ny = az * bx - ax * bz;
  const nz = ax * by - ay * bx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const product = Math.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz));
  if (!(length > 1e-6 * product)) return false;
  const scale = (isUp[i] ? 1 : -1) / length;
  out[0] = scale * nx;
  out[1] = scale * ny;
  out[2] = scale * nz;
  return true;
}

/** Writes the loads of all nodes with two yarns, from the forces of their sides. */
export function writeLoads(state: FabricState, sideForce: Float64Array, normal: Float64Array): void {
  const { role, yarn, upper, crimp, load, count } = state;
  for (let i = 0; i < count; i++) {
    if (role[i] === ROLE_FREE || yarn[2 * i + 1] < 0 || !writeNodeNormal(state, i, normal)) {
      load[i] = 0;
      continue;
    }
    const s = upper[i] === 1 ? 2 * i : 2 * i + 1;
    const t = s ^ 1;
    let N = 0;
    for (let k = 0; k < 3; k++) N += 0.5 * normal[k] * (sideForce[3 * t + k] - sideForce[3 * s + k]);
    for (let k = 2 * i; k < 2 * i + 2; k++) if (crimp[k] !== 0) N += 0.5 * crimp[k] * computeTension(state, k);
    load[i] = N;
  }
}

/** Mass of the material about a node, a spacing of each yarn [kg]. */
export function computeNodeMass(state: FabricState, i: number): number {
  let mass = 0;
  for (let s = 2 * i; s < 2 * i + 2; s++)
    if (state.yarn[s] >= 0)
      mass += state.materialOf(state.yarn[s]).linearDensity * state.layers[state.layerOf(s)].spacing;
  return mass;
}
