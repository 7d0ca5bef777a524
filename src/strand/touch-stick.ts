/**
 * A fall-back of contact with bodies that forces move: nodes of the strand and the bodies stick together for a moment, a plastic
 * impact. They get one rigid motion V + Ω × r with the linear and the angular momentum that they had, and lose energy only:
 *     V = Σ m v / Σ m          (Σ (a·r) 1 − r aᵀ) Ω = Σ a × v − Σ a × V
 *   r  place from the common centre [m]     m  mass of a node, half of its segments' [kg]
 *   a  Σ ρA Δu (r/3 + r'/6) over its segments, r' the other end: what its velocity counts for in ∫ ρA r × v du [kg m]
 * A body counts with m, a = m r at its centre of mass, and its inertia.
 */

import type { Body } from '../bodies/index.ts';
import { writeSegmentVelocity } from '../curve/index.ts';
import { inverseMat3, transformVec3, type Vec3, zeroMat3 } from '../math/index.ts';
import type { StrandState } from './state.ts';

/** Sums over all that sticks together. */
interface Sums {
  mass: number;
  readonly centre: [number, number, number];
  readonly momentum: [number, number, number];
  readonly angular: [number, number, number];
  /** Σ a, and Σ (a·r) 1 − r aᵀ. */
  readonly arm: [number, number, number];
  readonly inertia: Float64Array;
}

type Visit = (mass: number, place: Vec3, arm: Vec3, velocity: Vec3) => void;

/** Sticks the nodes for which `isStuck` says so and the bodies together. */
export function stickTogether(
  state: StrandState,
  bodies: readonly Body[],
  isStuck: (label: number, i: number) => boolean,
): void {
  const { chain } = state;
  const sums: Sums = {
    mass: 0,
    centre: [0, 0, 0],
    momentum: [0, 0, 0],
    angular: [0, 0, 0],
    arm: [0, 0, 0],
    inertia: zeroMat3(),
  };
  const nodes: number[] = [];
  for (let i = 0; i < (chain.closed ? chain.ownCount : chain.count); i++) if (isStuck(chain.label[i], i)) nodes.push(i);
  eachMass(state, bodies, nodes, [0, 0, 0], (mass, place, _arm, velocity) => {
    sums.mass += mass;
    for (let k = 0; k < 3; k++) {
      sums.centre[k] += mass * place[k];
      sums.momentum[k] += mass * velocity[k];
    }
  });
  for (let k = 0; k < 3; k++) sums.centre[k] /= sums.mass;
  eachMass(state, bodies, nodes, sums.centre, (_mass, place, arm, velocity) => addTurn(sums, place, arm, velocity));
  for (const body of bodies) addSpin(sums, body);
  giveMotion(state, bodies, nodes, sums);
}

/** Visits all masses: places and arms from `origin`, velocities of the material. */
function eachMass(
  state: StrandState,
  bodies: readonly Body[],
  nodes: readonly number[],
  origin: Vec3,
  visit: Visit,
): void {
  const { q, v, pointMass, material, count, closed } = state.chain;
  const ends = new Float64Array(6);
  const place = (i: number): Vec3 => [q[4 * i] - origin[0], q[4 * i + 1] - origin[1], q[4 * i + 2] - origin[2]];
  for (let e = 0; e + 1 < count; e++) {
    writeSegmentVelocity(state.chain, e, ends);
    const m = material.linearDensity * (q[4 * e + 7] - q[4 * e + 3]);
    for (let side = 0; side < 2; side++) {
      const i = e + side;
      if (!nodes.includes(closed && i === count - 1 ? 0 : i)) continue;
      const [r, other] = [place(i), place(e + 1 - side)];
      const arm: Vec3 = [m * (r[0] / 3 + other[0] / 6), m * (r[1] / 3 + other[1] / 6), m * (r[2] / 3 + other[2] / 6)];
      visit(m / 2, r, arm, [ends[3 * side], ends[3 * side + 1], ends[3 * side + 2]]);
    }
  }
  for (const i of nodes) {
    const [m, r] = [pointMass[i], place(i)];
    if (m > 0) visit(m, r, [m * r[0], m * r[1], m * r[2]], [v[4 * i], v[4 * i + 1], v[4 * i + 2]]);
  }
  for (const body of bodies) {
    const c = body.centreOfMass;
    const r: Vec3 = [c[0] - origin[0], c[1] - origin[1], c[2] - origin[2]];
    const velocity = new Float64Array(3);
    body.writeCentreVelocity(velocity);
    const m = body.mass;
    visit(m, r, [m * r[0], m * r[1], m * r[2]], [velocity[0], velocity[1], velocity[2]]);
  }
}

function addTurn({ angular, arm: sum, inertia }: Sums, r: Vec3, a: Vec3, v: Vec3): void {
  const along = a[0] * r[0] + a[1] * r[1] + a[2] * r[2];
  for (let k = 0; k < 3; k++) {
    const [l, m] = [(k + 1) % 3, (k + 2) % 3];
    angular[k] += a[l] * v[m] - a[m] * v[l];
    sum[k] += a[k];
    inertia[4 * k] += along;
    for (let c = 0; c < 3; c++) inertia[3 * k + c] -= r[k] * a[c];
  }
}

function addSpin({ angular, inertia }: Sums, body: Body): void {
  const I = zeroMat3();
  body.writeWorldInertia(I);
  const [x, y, z] = body.angularVelocity;
  const spin = transformVec3(I, [x, y, z]);
  for (let k = 0; k < 3; k++) angular[k] += spin[k];
  for (let k = 0; k < 9; k++) inertia[k] += I[k];
}

function giveMotion(
  state: StrandState,
  bodies: readonly Body[],
  nodes: readonly number[],
  { mass, centre, momentum, angular, arm, inertia }: Sums,
): void {
  const { q, v, closed } = state.chain;
  const V: Vec3 = [momentum[0] / mass, momentum[1] / mass, momentum[2] / mass];
  const turn = transformVec3(inverseMat3(inertia), [
    angular[0] - (arm[1] * V[2] - arm[2] * V[1]),
    angular[1] - (arm[2] * V[0] - arm[0] * V[2]),
    angular[2] - (arm[0] * V[1] - arm[1] * V[0]),
  ]);
  const speedAt = (x: number, y: number, z: number): Vec3 => {
    const [rx, ry, rz] = [x - centre[0], y - centre[1], z - centre[2]];
    return [V[0] + turn[1] * rz - turn[2] * ry, V[1] + turn[2] * rx - turn[0] * rz, V[2] + turn[0] * ry - turn[1] * rx];
  };
  for (const i of nodes) {
    const speed = speedAt(q[4 * i], q[4 * i + 1], q[4 * i + 2]);
    for (let k = 0; k < 3; k++) v[4 * i + k] = speed[k];
    v[4 * i + 3] = 0;
  }
  for (const body of bodies) {
    const [x, y, z] = body.centreOfMass;
    body.setCentreVelocity(speedAt(x, y, z), turn);
  }
  if (closed) state.chain.writeImages();
}
