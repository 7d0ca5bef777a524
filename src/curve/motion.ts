/**
 * Velocity, kinetic energy and momentum of the material of a chain: v = ẋ − F u̇ [theory/eol#the-identity], linear along each segment, so that the
 * integrals below are exact for it. Point masses move with their nodes.
 */
import type { Vec3 } from '../math/index.ts';
import { addPointInertia, addSegmentInertia, blendVelocity } from '../model/index.ts';
import type { CurveChain } from './chain.ts';

/** Velocity of the material at the two ends of segment e, written to out[0..5]. */
export function writeSegmentVelocity({ q, v }: CurveChain, e: number, out: Float64Array): void {
  const du = q[4 * e + 7] - q[4 * e + 3];
  const s0 = v[4 * e + 3];
  const s1 = v[4 * e + 7];
  for (let k = 0; k < 3; k++) {
    const F = (q[4 * e + 4 + k] - q[4 * e + k]) / du;
    out[k] = v[4 * e + k] - F * s0;
    out[3 + k] = v[4 * e + 4 + k] - F * s1;
  }
}

/** The segment on a side of node i, 0 before it and 1 after it; −1 where an open curve ends. */
export function findSegmentBeside({ count, closed }: CurveChain, i: number, side: number): number {
  if (side === 0) return i === 0 && closed ? count - 2 : i - 1;
  return i < count - 1 ? i : closed ? 0 : -1;
}

/** Velocity of the material at node i [m/s]; at a sliding one the mean of both sides. */
export function computeNodeVelocity(chain: CurveChain, i: number): Vec3 {
  const ends = new Float64Array(6);
  const sum = [0, 0, 0];
  let sides = 0;
  for (let side = 0; side < 2; side++) {
    const e = findSegmentBeside(chain, i, side);
    if (e < 0) continue;
    writeSegmentVelocity(chain, e, ends);
    for (let k = 0; k < 3; k++) sum[k] += ends[(side === 0 ? 3 : 0) + k];
    sides++;
  }
  return [sum[0] / sides, sum[1] / sides, sum[2] / sides];
}

/** Kinetic energy of the material between the nodes [J]. */
export function computeKineticEnergy(chain: CurveChain): number {
  const { q, material, count } = chain;
  const ends = new Float64Array(6);
  let sum = 0;
  for (let e = 0; e + 1 < count; e++) {
    writeSegmentVelocity(chain, e, ends);
    const [a, b, c, d, f, g] = ends;
    const m6 = (material.linearDensity * (q[4 * e + 7] - q[4 * e + 3])) / 6;
    sum += m6 * (a * a + b * b + c * c + d * d + f * f + g * g + a * d + b * f + c * g);
  }
  return sum;
}

/** Adds linear and angular momentum (about the origin) of a mass at a point to out[0..5]; x and v at offsets. */
export function addPointMomentum(
  mass: number,
  x: ArrayLike<number>,
  at: number,
  v: ArrayLike<number>,
  from: number,
  out: Float64Array,
): void {
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    out[k] += mass * v[from + k];
    out[3 + k] += mass * (x[at + i] * v[from + j] - x[at + j] * v[from + i]);
  }
}

/** Adds linear and angular momentum (about the origin) of the material and its point masses to out[0..5]. */
export function addChainMomentum(chain: CurveChain, out: Float64Array): void {
  const { q, v, pointMass, material, count } = chain;
  const ends = new Float64Array(6);
  const middle = new Float64Array(6);
  for (let e = 0; e + 1 < count; e++) {
    writeSegmentVelocity(chain, e, ends);
    const i = 4 * e;
    const j = i + 4;
    const m = material.linearDensity * (q[j + 3] - q[i + 3]);
    for (let k = 0; k < 3; k++) {
      middle[k] = (q[i + k] + q[j + k]) / 2;
      middle[3 + k] = (ends[k] + ends[3 + k]) / 2;
    }
    // Simpson: the integrand x × v is quadratic along the segment
    addPointMomentum(m / 6, q, i, ends, 0, out);
    addPointMomentum(m / 6, q, j, ends, 3, out);
    addPointMomentum((2 * m) / 3, middle, 0, middle, 3, out);
  }
  for (let i = 0; i < count; i++) if (pointMass[i] > 0) addPointMomentum(pointMass[i], q, 4 * i, v, 4 * i, out);
}

/** Adds mass and inertia of the same to out (`model/turnable-model.ts`). */
export function addChainInertia({ q, pointMass, material, count }: CurveChain, out: Float64Array): void {
  for (let e = 0; e + 1 < count; e++) {
    const i = 4 * e;
    addSegmentInertia(material.linearDensity * (q[i + 7] - q[i + 3]), q, i, i + 4, out);
  }
  for (let i = 0; i < count; i++) if (pointMass[i] > 0) addPointInertia(pointMass[i], q, 4 * i, out);
}

/** Takes a share of the velocities of all nodes and of material through them, and adds a rigid motion. */
export function blendChainMotion({ q, v, count }: CurveChain, share: number, motion: Float64Array): void {
  for (let i = 0; i < count; i++) {
    blendVelocity(share, motion, q, 4 * i, v, 4 * i);
    v[4 * i + 3] *= share;
  }
}
