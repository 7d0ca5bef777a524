/**
 * What can be read off a strand: energies, momenta, strains, and the frame that is shown.
 */
import { BENDING, BendingStencil, CURVE_ENERGIES, type CurveChain } from '../curve/index.ts';
import { computeAngle, type Vec3 } from '../math/index.ts';
import type { CurveFrame, EnergyTerms } from '../model/index.ts';
import type { Pulley } from './options.ts';
import { addSpoolEnergy, computeStock } from './spools.ts';
import type { StrandState } from './state.ts';

/** Velocity of the material at the two ends of segment e, written to out[0..5]: ẋ − F u̇. */
export function writeSegmentVelocity(strand: StrandState, e: number, out: Float64Array): void {
  const { q, v } = strand.chain;
  const du = q[4 * e + 7] - q[4 * e + 3];
  const s0 = v[4 * e + 3];
  const s1 = v[4 * e + 7];
  for (let k = 0; k < 3; k++) {
    const F = (q[4 * e + 4 + k] - q[4 * e + k]) / du;
    out[k] = v[4 * e + k] - F * s0;
    out[3 + k] = v[4 * e + 4 + k] - F * s1;
  }
}

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
  const ends = new Float64Array(6);
  for (let e = 0; e + 1 < count; e++) {
    writeSegmentVelocity(strand, e, ends);
    const [a, b, c, d, f, g] = ends;
    const m6 = (material.linearDensity * (q[4 * e + 7] - q[4 * e + 3])) / 6;
    terms.kinetic += m6 * (a * a + b * b + c * c + d * d + f * f + g * g + a * d + b * f + c * g);
  }
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

function computeBendingEnergy({ q, bendSpan, label, material, count }: CurveChain): number {
  const stencil = new BendingStencil();
  stencil.bendingStiffness = material.bendingStiffness;
  let sum = 0;
  for (let i = 0; i + 2 < count; i++) {
    stencil.span = bendSpan[label[i + 1]];
    stencil.set(q, 4 * i);
    sum += stencil.energy;
  }
  return sum;
}

/** Adds linear and angular momentum (about the origin) to out[0..5]; exact for linear fields. Not the spin of drums. */
export function addStrandMomentum(strand: StrandState, out: Float64Array): void {
  const { q, v, pointMass, material, count } = strand.chain;
  const ends = new Float64Array(6);
  const add = (weight: number, x: number, y: number, z: number, vx: number, vy: number, vz: number) => {
    out[0] += weight * vx;
    out[1] += weight * vy;
    out[2] += weight * vz;
    out[3] += weight * (y * vz - z * vy);
    out[4] += weight * (z * vx - x * vz);
    out[5] += weight * (x * vy - y * vx);
  };
  for (let e = 0; e + 1 < count; e++) {
    writeSegmentVelocity(strand, e, ends);
    const [ax, ay, az, bx, by, bz] = ends;
    const i = 4 * e;
    const j = i + 4;
    const m = material.linearDensity * (q[j + 3] - q[i + 3]);
    // Simpson: the integrand x × v is quadratic along the segment
    add(m / 6, q[i], q[i + 1], q[i + 2], ax, ay, az);
    add(m / 6, q[j], q[j + 1], q[j + 2], bx, by, bz);
    const [x, y, z] = [(q[i] + q[j]) / 2, (q[i + 1] + q[j + 1]) / 2, (q[i + 2] + q[j + 2]) / 2];
    add((2 * m) / 3, x, y, z, (ax + bx) / 2, (ay + by) / 2, (az + bz) / 2);
  }
  for (let i = 0; i < count; i++)
    if (pointMass[i] > 0) add(pointMass[i], q[4 * i], q[4 * i + 1], q[4 * i + 2], v[4 * i], v[4 * i + 1], v[4 * i + 2]);
  for (const spool of strand.spools) {
    const i = 4 * strand.indexOf(spool.label);
    const mass = material.linearDensity * computeStock(strand, spool);
    add(mass, q[i], q[i + 1], q[i + 2], v[i], v[i + 1], v[i + 2]);
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
  const { q, count } = strand.chain;
  let sum = 0;
  let length = 0;
  for (let e = Math.max(0, i - 1); e <= Math.min(count - 2, i); e++) {
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

/** Turning angle over half the material length of both segments [1/m]; 0 at the ends. */
export function computeNodeCurvature(strand: StrandState, i: number): number {
  const { q, count } = strand.chain;
  if (i === 0 || i === count - 1) return 0;
  const a = 4 * (i - 1);
  const e1 = [q[a + 4] - q[a], q[a + 5] - q[a + 1], q[a + 6] - q[a + 2]];
  const e2 = [q[a + 8] - q[a + 4], q[a + 9] - q[a + 5], q[a + 10] - q[a + 6]];
  const sine = Math.hypot(e1[1] * e2[2] - e1[2] * e2[1], e1[2] * e2[0] - e1[0] * e2[2], e1[0] * e2[1] - e1[1] * e2[0]);
  const theta = computeAngle(sine, e1[0] * e2[0] + e1[1] * e2[1] + e1[2] * e2[2]);
  return (2 * theta) / (q[a + 11] - q[a + 3]);
}

/** Speed of the material at a node [m/s]; at a sliding one the mean of both sides. */
export function computeNodeVelocity(strand: StrandState, i: number): Vec3 {
  const { count } = strand.chain;
  const ends = new Float64Array(6);
  const sum = [0, 0, 0];
  let sides = 0;
  for (let e = Math.max(0, i - 1); e <= Math.min(count - 2, i); e++) {
    writeSegmentVelocity(strand, e, ends);
    for (let k = 0; k < 3; k++) sum[k] += ends[(e === i ? 0 : 3) + k];
    sides++;
  }
  return [sum[0] / sides, sum[1] / sides, sum[2] / sides];
}

export function computeStrandStrain(strand: StrandState): number {
  let largest = 0;
  for (let e = 0; e + 1 < strand.chain.count; e++)
    largest = Math.max(largest, Math.abs(computeSegmentStrain(strand, e)));
  return largest;
}

export function createStrandFrame(id: string, strand: StrandState): CurveFrame {
  const { chain } = strand;
  const n = chain.count;
  const x = new Float64Array(3 * n);
  const u = new Float64Array(n);
  const speed = new Float64Array(n);
  const strain = new Float64Array(n);
  const tension = new Float64Array(n);
  const curvature = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < 3; k++) x[3 * i + k] = chain.q[4 * i + k];
    u[i] = chain.q[4 * i + 3];
    speed[i] = Math.hypot(...computeNodeVelocity(strand, i));
    strain[i] = computeNodeStrain(strand, i);
    tension[i] = chain.material.stretchStiffness * strain[i];
    curvature[i] = computeNodeCurvature(strand, i);
  }
  return {
    type: 'curve',
    id,
    closed: false,
    radius: chain.material.radius,
    restLength: strand.restLength,
    x,
    u,
    kind: chain.kind.slice(0, n),
    fields: { speed, tension, strain, curvature },
  };
}
