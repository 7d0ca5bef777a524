/**
 * Rotations as unit quaternions (x, y, z, w), w the scalar part; q and −q are the same rotation.
 * multiplyQuaternion(a, b) turns by b first, then by a, like matrices.
 * Plain tuples, returned new, for set-up code and bodies (a few a step).
 */

import { computeAngle, computeSineCosine } from './angle.ts';
import { computeHypot3, computeHypot4 } from './hypot.ts';
import { type Mat3, mat3 } from './mat3.ts';
import type { Vec3 } from './vec3.ts';

export type Quaternion = readonly [number, number, number, number];

export const IDENTITY_QUATERNION: Quaternion = [0, 0, 0, 1];

/** a b: b first, then a. */
export const multiplyQuaternion = (a: Quaternion, b: Quaternion): Quaternion => [
  a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
  a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
  a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
  a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
];

/** The opposite rotation. */
export const conjugateQuaternion = (q: Quaternion): Quaternion => [-q[0], -q[1], -q[2], q[3]];

export const dotQuaternion = (a: Quaternion, b: Quaternion): number =>
  a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];

/** q/‖q‖; the identity where q is zero. */
export const normalizeQuaternion = (q: Quaternion): Quaternion => {
  const length = computeHypot4(q[0], q[1], q[2], q[3]);
  return length > 0 ? [q[0] / length, q[1] / length, q[2] / length, q[3] / length] : IDENTITY_QUATERNION;
};

/** v turned by the unit quaternion q:  v + 2 w (r × v) + 2 r × (r × v). */
export const rotateVec3 = (q: Quaternion, v: Vec3): Vec3 => {
  const tx = 2 * (q[1] * v[2] - q[2] * v[1]);
  const ty = 2 * (q[2] * v[0] - q[0] * v[2]);
  const tz = 2 * (q[0] * v[1] - q[1] * v[0]);
  return [
    v[0] + q[3] * tx + q[1] * tz - q[2] * ty,
    v[1] + q[3] * ty + q[2] * tx - q[0] * tz,
    v[2] + q[3] * tz + q[0] * ty - q[1] * tx,
  ];
};

/** v turned back: from the world frame into the frame whose orientation is q. */
export const unrotateVec3 = (q: Quaternion, v: Vec3): Vec3 => rotateVec3(conjugateQuaternion(q), v);

/** Turns by `angle` [rad] about `axis` (any length; a zero axis gives the identity). */
export const quaternionFromAxisAngle = (axis: Vec3, angle: number): Quaternion => {
  const length = computeHypot3(axis[0], axis[1], axis[2]);
  if (length === 0) return IDENTITY_QUATERNION;
  const [sine, cosine] = computeSineCosine(angle / 2);
  const s = sine / length;
  return [axis[0] * s, axis[1] * s, axis[2] * s, cosine];
};

/** Exponential map: the rotation by ‖r‖ radians about r. */
export const quaternionFromRotationVector = (r: Vec3): Quaternion => {
  const angle = computeHypot3(r[0], r[1], r[2]);
  // sin(a/2)/a = ½ − a²/48 + O(a⁴): below 1e-4 the next term is under 1e-19.
  const [sine, cosine] = computeSineCosine(angle / 2);
  const s = angle < 1e-4 ? 0.5 - (angle * angle) / 48 : sine / angle;
  return [r[0] * s, r[1] * s, r[2] * s, cosine];
};

/** Logarithm: the rotation vector of at most π radians. Inverse of `quaternionFromRotationVector`. */
export const rotationVectorFromQuaternion = (q: Quaternion): Vec3 => {
  const sign = q[3] < 0 ? -1 : 1;
  const s = computeHypot3(q[0], q[1], q[2]);
  const w = Math.abs(q[3]);
  // 2 atan(s/w)/s = 2/w (1 − (s/w)²/3 + …) near the identity.
  const scale = sign * (s < 1e-5 * w ? (2 / w) * (1 - (s * s) / (3 * w * w)) : (2 * computeAngle(s, w)) / s);
  return [q[0] * scale, q[1] * scale, q[2] * scale];
};

/** q after turning for `h` seconds with the constant world angular velocity ω [rad/s]: exp(h ω) q, exact for constant ω. */
export const integrateQuaternion = (q: Quaternion, angularVelocity: Vec3, h: number): Quaternion =>
  normalizeQuaternion(
    multiplyQuaternion(
      quaternionFromRotationVector([angularVelocity[0] * h, angularVelocity[1] * h, angularVelocity[2] * h]),
      q,
    ),
  );

/** 1/(2k + 1)! and 1/(2k)! of the series of sin and cos: enough for half angles up to ¼, to the last bit. */
const SINE_SERIES = [1, -1 / 6, 1 / 120, -1 / 5040, 1 / 362880, -1 / 39916800, 1 / 6227020800] as const;
const COSINE_SERIES = [1, -1 / 2, 1 / 24, -1 / 720, 1 / 40320, -1 / 3628800, 1 / 479001600] as const;

/**
 * q ← exp(h ω) q in place: `integrateQuaternion` for the loops of a step. Reversing the vector parts reverses the order of a product, so it is
 * `spinQuaternion` backwards on the conjugate.
 */
export const turnQuaternion = (q: Float64Array, w: ArrayLike<number>, h: number): void => {
  // 0 − x, as −x would make a zero negative
  for (let k = 0; k < 3; k++) q[k] = 0 - q[k];
  spinQuaternion(q, 0, w, 0, -h);
  for (let k = 0; k < 3; k++) q[k] = 0 - q[k];
};

/**
 * q ← q exp(h ω) in place, ω in the axes of the frame, at offsets of flat arrays: what `turnQuaternion` is for ω in world axes. Allocates
 * nothing, and has the same bits on every JavaScript engine (Math.sin and Math.cos do not): the angle is halved until the series holds, and
 * doubled back by squaring.
 */
export const spinQuaternion = (q: Float64Array, at: number, w: ArrayLike<number>, from: number, h: number): void => {
  let x = 0.5 * h * w[from];
  let y = 0.5 * h * w[from + 1];
  let z = 0.5 * h * w[from + 2];
  let halvings = 0;
  for (; x * x + y * y + z * z > 0.0625 && halvings < 64; halvings++) {
    x *= 0.5;
    y *= 0.5;
    z *= 0.5;
  }
  const square = x * x + y * y + z * z;
  let sine = 0;
  let c = 0;
  for (let k = SINE_SERIES.length - 1; k >= 0; k--) {
    sine = SINE_SERIES[k] + square * sine;
    c = COSINE_SERIES[k] + square * c;
  }
  x *= sine;
  y *= sine;
  z *= sine;
  for (; halvings > 0; halvings--) {
    const twice = 2 * c;
    c = c * c - x * x - y * y - z * z;
    x *= twice;
    y *= twice;
    z *= twice;
  }
  const a = q[at];
  const b = q[at + 1];
  const d = q[at + 2];
  const e = q[at + 3];
  const qx = c * a + x * e - y * d + z * b;
  const qy = c * b + x * d + y * e - z * a;
  const qz = c * d - x * b + y * a + z * e;
  const qw = c * e - x * a - y * b - z * d;
  const scale = 1 / Math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw);
  q[at] = qx * scale;
  q[at + 1] = qy * scale;
  q[at + 2] = qz * scale;
  q[at + 3] = qw * scale;
};

/** The constant world angular velocity [rad/s] that turns `from` into `to` in `h` seconds by the short way. */
export const angularVelocityBetween = (from: Quaternion, to: Quaternion, h: number): Vec3 => {
  const r = rotationVectorFromQuaternion(multiplyQuaternion(to, conjugateQuaternion(from)));
  return [r[0] / h, r[1] / h, r[2] / h];
};

/** Turns evenly from a (t = 0) to b (t = 1) by the short way. */
export const slerpQuaternion = (a: Quaternion, b: Quaternion, t: number): Quaternion => {
  const r = rotationVectorFromQuaternion(multiplyQuaternion(b, conjugateQuaternion(a)));
  return normalizeQuaternion(multiplyQuaternion(quaternionFromRotationVector([r[0] * t, r[1] * t, r[2] * t]), a));
};

/** The rotation matrix of a unit quaternion. */
export const mat3FromQuaternion = (q: Quaternion, out: Mat3 = new Float64Array(9)): Mat3 => {
  const [x, y, z, w] = q;
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - z * w);
  out[2] = 2 * (x * z + y * w);
  out[3] = 2 * (x * y + z * w);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - x * w);
  out[6] = 2 * (x * z - y * w);
  out[7] = 2 * (y * z + x * w);
  out[8] = 1 - 2 * (x * x + y * y);
  return out;
};

/** The unit quaternion of a rotation matrix, by its largest component [Shepperd 1978], so that no root is of a small number. */
export const quaternionFromMat3 = (m: Mat3): Quaternion => {
  const trace = m[0] + m[4] + m[8];
  if (trace >= m[0] && trace >= m[4] && trace >= m[8]) {
    return normalizeQuaternion([m[7] - m[5], m[2] - m[6], m[3] - m[1], 1 + trace]);
  }
  if (m[0] >= m[4] && m[0] >= m[8]) {
    return normalizeQuaternion([1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6], m[7] - m[5]]);
  }
  if (m[4] >= m[8]) {
    return normalizeQuaternion([m[1] + m[3], 1 - m[0] + m[4] - m[8], m[5] + m[7], m[2] - m[6]]);
  }
  return normalizeQuaternion([m[2] + m[6], m[5] + m[7], 1 - m[0] - m[4] + m[8], m[3] - m[1]]);
};

/** R diag(d) Rᵀ for the rotation q: a diagonal tensor of the turned frame seen in the outer frame. */
export const rotateDiagonal = (q: Quaternion, d: Vec3): Mat3 => {
  const r = mat3FromQuaternion(q);
  const entry = (i: number, j: number): number =>
    r[3 * i] * d[0] * r[3 * j] + r[3 * i + 1] * d[1] * r[3 * j + 1] + r[3 * i + 2] * d[2] * r[3 * j + 2];
  const [xy, xz, yz] = [entry(0, 1), entry(0, 2), entry(1, 2)];
  return mat3(entry(0, 0), xy, xz, xy, entry(1, 1), yz, xz, yz, entry(2, 2));
};
