/** What can be read off a rod: energies, momenta, strains, twist, and the frame that is shown. */

import {
  addChainInertia,
  addChainMomentum,
  blendChainMotion,
  computeKineticEnergy,
  computeNodeVelocity,
} from '../curve/index.ts';
import type { Vec3 } from '../math/index.ts';
import { computeAngle, computeHypot3, computeLength } from '../math/index.ts';
import { type CurveFrame, type EnergyTerms, NODE_EULERIAN, NODE_LAGRANGIAN } from '../model/index.ts';
import { BendElement } from './energy-bend.ts';
import { StretchElement, writeRotation } from './energy-stretch.ts';
import { computeCurvature } from './mesh-motion.ts';
import type { RodState } from './state.ts';

export function addRodEnergy(state: RodState, gravity: Vec3, terms: EnergyTerms): void {
  const { chain, frame, spin, material } = state;
  const { q, v, pointMass, count } = chain;
  const stretch = new StretchElement();
  terms.kinetic += computeKineticEnergy(chain);
  for (let e = 0; e < count - 1; e++) {
    const du = q[4 * e + 7] - q[4 * e + 3];
    const m = material.linearDensity * du;
    for (let k = 0; k < 3; k++) {
      terms.kinetic += 0.5 * du * material.inertia[k] * spin[3 * e + k] ** 2;
      terms.gravity -= 0.5 * m * gravity[k] * (q[4 * e + k] + q[4 * e + 4 + k]);
    }
    state.setStretch(stretch, e);
    stretch.set(q, 4 * e, frame, 4 * e);
    terms.stretch += stretch.energy;
  }
  const bend = new BendElement();
  bend.K.set(material.bend);
  for (let i = 1; i < count - 1; i++) {
    state.natural.write(q[4 * i + 3], bend.natural);
    bend.set(frame, 4 * i - 4, 4 * i, state.bendLength(i));
    terms.bending += bend.energy;
  }
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 3 && pointMass[i] > 0; k++) {
      terms.kinetic += 0.5 * pointMass[i] * v[4 * i + k] ** 2;
      terms.gravity -= pointMass[i] * gravity[k] * q[4 * i + k];
    }
}

/** Adds linear and angular momentum (about the origin, spin included) to out[0..5]. */
export function addRodMomentum({ chain, frame, spin, material }: RodState, out: Float64Array): void {
  const { q, count } = chain;
  const R = new Float64Array(9);
  addChainMomentum(chain, out);
  for (let e = 0; e < count - 1; e++) {
    const du = q[4 * e + 7] - q[4 * e + 3];
    writeRotation(frame, 4 * e, R);
    for (let r = 0; r < 3; r++)
      for (let k = 0; k < 3; k++) out[3 + r] += du * R[3 * r + k] * material.inertia[k] * spin[3 * e + k];
  }
}

/** Adds mass and inertia of the same, with that of its sections, R J Rᵀ, to out. */
export function addRodInertia({ chain, frame, material }: RodState, out: Float64Array): void {
  const { q, count } = chain;
  const R = new Float64Array(9);
  addChainInertia(chain, out);
  for (let e = 0; e < count - 1; e++) {
    const du = q[4 * e + 7] - q[4 * e + 3];
    writeRotation(frame, 4 * e, R);
    for (let k = 0; k < 3; k++) {
      const J = du * material.inertia[k];
      const a = R[k];
      const b = R[3 + k];
      const c = R[6 + k];
      out[4] += J * a * a;
      out[5] += J * b * b;
      out[6] += J * c * c;
      out[7] += J * a * b;
      out[8] += J * a * c;
      out[9] += J * b * c;
    }
  }
}

/** Takes a share of velocities and spins, and adds a rigid motion; axes of spins are those of the frames. */
export function blendRodMotion({ chain, frame, spin }: RodState, share: number, motion: Float64Array): void {
  const R = new Float64Array(9);
  blendChainMotion(chain, share, motion);
  for (let e = 0; e < chain.count - 1; e++) {
    writeRotation(frame, 4 * e, R);
    for (let k = 0; k < 3; k++)
      spin[3 * e + k] = share * spin[3 * e + k] + R[k] * motion[3] + R[3 + k] * motion[4] + R[6 + k] * motion[5];
  }
}

/** |F| − 1 of segment e. */
export function computeSegmentStrain({ chain: { q } }: RodState, e: number): number {
  const i = 4 * e;
  const j = i + 4;
  return computeHypot3(q[j] - q[i], q[j + 1] - q[i + 1], q[j + 2] - q[i + 2]) / (q[j + 3] - q[i + 3]) - 1;
}

/** Axial force of segment e [N], as its frame has it. */
export function computeSegmentTension(state: RodState, e: number): number {
  const stretch = new StretchElement();
  state.setStretch(stretch, e);
  stretch.set(state.chain.q, 4 * e, state.frame, 4 * e);
  return stretch.N[2];
}

export function computeRodStrain(state: RodState): number {
  let largest = 0;
  for (let e = 0; e < state.count - 1; e++) largest = Math.max(largest, Math.abs(computeSegmentStrain(state, e)));
  return largest;
}

/** Total twist, ∫ κ₃ du [rad]. */
export function computeTwist(state: RodState): number {
  const bend = new BendElement();
  let sum = 0;
  for (let i = 1; i < state.count - 1; i++) {
    bend.set(state.frame, 4 * i - 4, 4 * i, 1);
    const [a, b, c] = bend.strain;
    const tau = computeHypot3(a, b, c);
    // the angle itself, of which the strain is 4 tan(φ/4)
    if (tau > 0) sum += (c * 4 * computeAngle(tau, 4)) / tau;
  }
  return sum;
}

/** Mass of the material and what it carries [kg]. */
export function computeRodMass({ chain, restLength }: RodState): number {
  let mass = chain.material.linearDensity * restLength;
  for (let i = 0; i < chain.count; i++) mass += chain.pointMass[i];
  return mass;
}

export function createRodFrame(id: string, state: RodState): CurveFrame {
  const { chain, frame, material, sliding } = state;
  const n = chain.count;
  const x = new Float64Array(3 * n);
  const u = new Float64Array(n);
  const kind = new Uint8Array(n);
  const fields = {
    speed: new Float64Array(n),
    tension: new Float64Array(n),
    strain: new Float64Array(n),
    curvature: new Float64Array(n),
    twist: new Float64Array(n),
  };
  const stretch = new StretchElement();
  const bend = new BendElement();
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < 3; k++) x[3 * i + k] = chain.q[4 * i + k];
    u[i] = chain.q[4 * i + 3];
    kind[i] = sliding[i] ? NODE_EULERIAN : NODE_LAGRANGIAN;
    const sides = [i - 1, i].filter((e) => e >= 0 && e < n - 1);
    for (const e of sides) {
      state.setStretch(stretch, e);
      stretch.set(chain.q, 4 * e, frame, 4 * e);
      fields.tension[i] += stretch.N[2] / sides.length;
      fields.strain[i] += computeSegmentStrain(state, e) / sides.length;
    }
    fields.speed[i] = computeLength(computeNodeVelocity(chain, i));
    if (i === 0 || i === n - 1) continue;
    fields.curvature[i] = computeCurvature(state, i);
    bend.set(frame, 4 * i - 4, 4 * i, state.bendLength(i));
    fields.twist[i] = bend.strain[2];
  }
  if (n > 2)
    for (const field of [fields.curvature, fields.twist]) {
      field[0] = field[1];
      field[n - 1] = field[n - 2];
    }
  return {
    type: 'curve',
    id,
    closed: false,
    radius: material.radius,
    restLength: state.restLength,
    x,
    u,
    kind,
    fields,
  };
}
