/**
 * What can be read off a strand: energies, momenta, strains, and the frame that is shown.
 */
import {
  addChainInertia,
  addChainMomentum,
  addPointMomentum,
  BENDING,
  BendingStencil,
  CURVE_ENERGIES,
  type CurveChain,
  computeKineticEnergy,
  computeNodeVelocity,
  findSegmentBeside,
} from '../curve/index.ts';
import { computeAngle, computeHypot3, computeLength, type Vec3 } from '../math/index.ts';
import { addPointInertia, type CurveFrame, type EnergyTerms } from '../model/index.ts';
import type { Pulley } from './options.ts';
import { addSpoolEnergy, computeStock } from './spools.ts';
import type { StrandState } from './state.ts';

export function addStrandEnergy(strand: StrandState, gravity: Vec3, terms: EnergyTerms): void {
  const { chain } = strand;
  const { q, v, pointMass, material, count } = chain;
  if (material.bendingStiffness > 0) terms.bending += computeBendingEnergy(chain);
  for (const energy of CURVE_ENERGIES) {
    if (energy === BENDING) continue;
    for (let i = 0; i + energy.nodes <= count; i++)
      terms[energy.name] += energy.computeEnergy(q, 4 * i, material, gravity);
  }
  addSpoolEnergy(strand, gravity, terms);
  terms.kinetic += computeKineticEnergy(chain);
  for (const { pulley, label } of strand.guides) {
    if (pulley === undefined) continue;
    const i = strand.indexOf(label);
    terms.kinetic += 0.5 * computePulleyInertia(strand, i, pulley) * v[4 * i + 3] ** 2;
  }
  for (let i = 0; i < count; i++) {
    if (pointMass[i] === 0) continue;
    for (let k = 0; k < 3; k++) {
      terms.kinetic += 0.5 * pointMass[i] * v[4 * i + k] ** 2;
      terms.gravity -= pointMass[i] * gravity[k] * q[4 * i + k];
    }
  }
}

function computeBendingEnergy(chain: CurveChain): number {
  const { q, material, count } = chain;
  const stencil = new BendingStencil();
  stencil.bendingStiffness = material.bendingStiffness;
  let sum = 0;
  if (chain.closed) chain.writeImages();
  for (let i = 0; i + 2 < (chain.closed ? count + 1 : count); i++) {
    stencil.setSpan(chain, i + 1);
    stencil.set(q, 4 * i);
    sum += stencil.energy;
  }
  return sum;
}

/** Adds linear and angular momentum (about the origin) to out[0..5]; exact for linear fields. Not the spin of drums. */
export function addStrandMomentum(strand: StrandState, out: Float64Array): void {
  const { q, v, material } = strand.chain;
  addChainMomentum(strand.chain, out);
  for (const spool of strand.spools) {
    const i = 4 * strand.indexOf(spool.label);
    addPointMomentum(material.linearDensity * computeStock(strand, spool), q, i, v, i, out);
  }
}

/** Adds mass and inertia of the same to out. */
export function addStrandInertia(strand: StrandState, out: Float64Array): void {
  const { q, material } = strand.chain;
  addChainInertia(strand.chain, out);
  for (const spool of strand.spools) {
    const mass = material.linearDensity * computeStock(strand, spool);
    addPointInertia(mass, q, 4 * strand.indexOf(spool.label), out);
  }
}

/** Distance of the world positions of nodes i and j, four coordinates a node [m]. */
export function computeNodeDistance(q: Float64Array, i: number, j: number): number {
  const dx = q[4 * j] - q[4 * i];
  const dy = q[4 * j + 1] - q[4 * i + 1];
  const dz = q[4 * j + 2] - q[4 * i + 2];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** λ/λ₀ − 1 of segment e: what it is stretched beyond its natural length. */
export function computeSegmentStrain(strand: StrandState, e: number): number {
  const { q, material } = strand.chain;
  return computeNodeDistance(q, e, e + 1) / ((q[4 * e + 7] - q[4 * e + 3]) * material.restFactor) - 1;
}

/** Strain at a node: mean of the segments beside it, weighted by their material length. */
export function computeNodeStrain(strand: StrandState, i: number): number {
  const { q } = strand.chain;
  let sum = 0;
  let length = 0;
  for (let side = 0; side < 2; side++) {
    const e = findSegmentBeside(strand.chain, i, side);
    if (e < 0) continue;
    const du = q[4 * e + 7] - q[4 * e + 3];
    sum += du * computeSegmentStrain(strand, e);
    length += du;
  }
  return sum / length;
}

/** λ at a node: world length over material length, mean of the segments beside it. */
export function computeNodeStretch(strand: StrandState, i: number): number {
  return (1 + computeNodeStrain(strand, i)) * strand.chain.material.restFactor;
}

/** I λ²/R²: what a pulley adds to the inertia of u at node i [kg]. */
export function computePulleyInertia(strand: StrandState, i: number, { radius, inertia }: Pulley): number {
  const turn = computeNodeStretch(strand, i) / radius;
  return inertia * turn * turn;
}

/** Turning angle over half the material length of both segments [1/m]; 0 at ends. */
export function computeNodeCurvature(strand: StrandState, i: number): number {
  const { q } = strand.chain;
  const before = findSegmentBeside(strand.chain, i, 0);
  const after = findSegmentBeside(strand.chain, i, 1);
  if (before < 0 || after < 0) return 0;
  const [a, b] = [4 * before, 4 * after];
  const e1 = [q[a + 4] - q[a], q[a + 5] - q[a + 1], q[a + 6] - q[a + 2]];
  const e2 = [q[b + 4] - q[b], q[b + 5] - q[b + 1], q[b + 6] - q[b + 2]];
  const sine = computeHypot3(
    e1[1] * e2[2] - e1[2] * e2[1],
    e1[2] * e2[0] - e1[0] * e2[2],
    e1[0] * e2[1] - e1[1] * e2[0],
  );
  const theta = computeAngle(sine, e1[0] * e2[0] + e1[1] * e2[1] + e1[2] * e2[2]);
  return (2 * theta) / (q[b + 7] - q[b + 3] + (q[a + 7] - q[a + 3]));
}

export function computeStrandStrain(strand: StrandState): number {
  let largest = 0;
  for (let e = 0; e + 1 < strand.chain.count; e++)
    largest = Math.max(largest, Math.abs(computeSegmentStrain(strand, e)));
  return largest;
}

/** u of node i [m]; on a loop in [0, rest length), wherever that is cut. */
export function computeNodeCoordinate({ chain: { q, period } }: StrandState, i: number): number {
  const u = q[4 * i + 3];
  return period > 0 && u >= period ? u - period : u;
}

/** The node that a picture of the strand begins with: that of the smallest u, wherever a loop is cut. */
function findFirst({ q, period, ownCount }: CurveChain): number {
  if (period > 0) for (let i = 0; i < ownCount; i++) if (q[4 * i + 3] >= period) return i;
  return 0;
}

/** Labels of the nodes in the order of `createStrandFrame`: what names a node while places in the frame change. */
export function computeStrandLabels({ chain }: StrandState): Int32Array<ArrayBuffer> {
  const n = chain.ownCount;
  const first = findFirst(chain);
  return Int32Array.from({ length: n }, (_, at) => chain.label[(first + at) % n]);
}

export function createStrandFrame(id: string, strand: StrandState): CurveFrame {
  const { chain } = strand;
  const n = chain.ownCount;
  const first = findFirst(chain);
  const x = new Float64Array(3 * n);
  const u = new Float64Array(n);
  const speed = new Float64Array(n);
  const strain = new Float64Array(n);
  const tension = new Float64Array(n);
  const curvature = new Float64Array(n);
  const kind = new Uint8Array(n);
  for (let at = 0; at < n; at++) {
    const i = (first + at) % n;
    for (let k = 0; k < 3; k++) x[3 * at + k] = chain.q[4 * i + k];
    u[at] = computeNodeCoordinate(strand, i);
    kind[at] = chain.kind[i];
    speed[at] = computeLength(computeNodeVelocity(chain, i));
    strain[at] = computeNodeStrain(strand, i);
    tension[at] = chain.material.stretchStiffness * strain[at];
    curvature[at] = computeNodeCurvature(strand, i);
  }
  return {
    type: 'curve',
    id,
    closed: chain.closed,
    radius: chain.material.radius,
    restLength: strand.restLength,
    x,
    u,
    kind,
    fields: { speed, tension, strain, curvature },
  };
}
