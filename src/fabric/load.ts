/**
 * Normal load of the nodes that two yarns share.                                                        [methods §6; `energy-friction.ts`]
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
export function computeTension({ q, eil, before, after, yarn, ...state }: FabricState, s: number): number {
  const material = state.materials[state.yarnMaterial[yarn[s]]];
  const pull = (a: number, b: number): number => {
    if (a < 0 || b < 0) return 0;
    const [i, j] = [5 * (a >> 1), 5 * (b >> 1)];
    const l = Math.hypot(q[j] - q[i], q[j + 1] - q[i + 1], q[j + 2] - q[i + 2]);
    const rest = material.restFactor ?? 1;
    return (material.stretchStiffness / rest) * (l / (q[j + 3 + (b & 1)] - q[i + 3 + (a & 1)]) - rest);
  };
  if (eil[s]) return Math.max(0, pull(before[s], after[s]));
  const parts = (before[s] >= 0 ? 1 : 0) + (after[s] >= 0 ? 1 : 0);
  return parts === 0 ? 0 : Math.max(0, (pull(before[s], s) + pull(s, after[s])) / parts);
}

/** Unit normal of a node with two yarns, up; false where they are parallel. */
export function writeNodeNormal(state: FabricState, i: number, out: Float64Array): boolean {
  const { q, before, after, isUp } = state;
  const [a, b] = [2 * i, 2 * i + 1];
  const at = (s: number, own: number): number => 5 * ((s >= 0 ? s : own) >> 1);
  const [a0, a1, b0, b1] = [at(before[a], a), at(after[a], a), at(before[b], b), at(after[b], b)];
  const [ax, ay, az] = [q[a1] - q[a0], q[a1 + 1] - q[a0 + 1], q[a1 + 2] - q[a0 + 2]];
  const [bx, by, bz] = [q[b1] - q[b0], q[b1 + 1] - q[b0 + 1], q[b1 + 2] - q[b0 + 2]];
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
    const [s, t] = upper[i] === 1 ? [2 * i, 2 * i + 1] : [2 * i + 1, 2 * i];
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
