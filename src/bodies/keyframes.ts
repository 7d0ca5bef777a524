/**
 * Prescribed motion through keyframes. Between two keyframes the position moves on a straight line and the orientation
 * turns about one world axis, both at constant speed; before the first and after the last the pose is held.
 *
 *   x(t) = x₀ + s (x₁ − x₀),   q(t) = exp(s r) q₀,   s = (t − t₀)/(t₁ − t₀),   r the rotation vector [rad] from q₀ to q₁
 *
 * r is the short way round, except where both rotations are given about the same axis: then r = (angle₁ − angle₀) axis,
 * so several turns can be written as one keyframe (angle 0, then angle 20 π).
 */
import {
  addScaledVec3,
  angularVelocityBetween,
  conjugateQuaternion,
  dotVec3,
  lengthVec3,
  multiplyQuaternion,
  normalizeQuaternion,
  type Quaternion,
  quaternionFromAxisAngle,
  quaternionFromRotationVector,
  rotationVectorFromQuaternion,
  scaleVec3,
  subVec3,
  type Vec3,
} from '../math/index.ts';
import { HeddleError } from '../model/errors.ts';

/** Right-handed turn by `angle` [rad] about `axis` (any length but zero). */
export interface AxisAngle {
  readonly axis: Vec3;
  readonly angle: number;
}

export interface Keyframe {
  /** [s] */
  readonly time: number;
  /** [m]; left out: as in the keyframe before, or as at the start. */
  readonly position?: Vec3 | undefined;
  /** Left out: as in the keyframe before, or as at the start. */
  readonly rotation?: AxisAngle | undefined;
}

interface Pose {
  readonly time: number;
  readonly position: Vec3;
  readonly rotation: AxisAngle;
  readonly orientation: Quaternion;
  /** Rotation vector to the next pose. */
  turn: Vec3;
}

const NO_ROTATION: AxisAngle = { axis: [0, 1, 0], angle: 0 };
const SAME_AXIS = 1 - 1e-12;

const turnBetween = (from: Pose, to: Pose): Vec3 => {
  const a = from.rotation.axis;
  const b = to.rotation.axis;
  const cosine = dotVec3(a, b) / (lengthVec3(a) * lengthVec3(b));
  // Turning by nothing is about any axis.
  if (from.rotation.angle === 0) return scaleVec3(b, to.rotation.angle / lengthVec3(b));
  if (to.rotation.angle === 0) return scaleVec3(a, -from.rotation.angle / lengthVec3(a));
  if (Math.abs(cosine) >= SAME_AXIS) {
    return scaleVec3(b, (to.rotation.angle - Math.sign(cosine) * from.rotation.angle) / lengthVec3(b));
  }
  return rotationVectorFromQuaternion(multiplyQuaternion(to.orientation, conjugateQuaternion(from.orientation)));
};

export class KeyframeTrack {
  readonly #poses: Pose[] = [];

  /** At least one keyframe, times increasing. `start` stands for what the first ones leave out. */
  constructor(keyframes: readonly Keyframe[], start: { position?: Vec3; rotation?: AxisAngle } = {}) {
    if (keyframes.length === 0) throw new HeddleError('A track has no keyframes; give at least one.');
    let position = start.position ?? ([0, 0, 0] as const);
    let rotation = start.rotation ?? NO_ROTATION;
    for (const [i, keyframe] of keyframes.entries()) {
      position = keyframe.position ?? position;
      rotation = keyframe.rotation ?? rotation;
      const before = this.#poses.at(-1);
      if (!Number.isFinite(keyframe.time) || (before && !(keyframe.time > before.time))) {
        throw new HeddleError(
          `Keyframe ${i} is at ${keyframe.time} s${before ? ` after one at ${before.time} s` : ''}; times must be finite and increase.`,
        );
      }
      if (!(lengthVec3(rotation.axis) > 0)) {
        throw new HeddleError(
          `Keyframe ${i} rotates about the axis [${rotation.axis.join(', ')}]; the length of the axis must be > 0.`,
        );
      }
      const orientation = quaternionFromAxisAngle(rotation.axis, rotation.angle);
      const pose: Pose = { time: keyframe.time, position, rotation, orientation, turn: [0, 0, 0] };
      if (before) before.turn = turnBetween(before, pose);
      this.#poses.push(pose);
    }
  }

  /** Time of the first keyframe [s]. */
  get start(): number {
    return this.#poses[0].time;
  }

  /** Time of the last keyframe [s]. */
  get end(): number {
    return this.#poses[this.#poses.length - 1].time;
  }

  /** Index of the last pose at or before t; −1 before the first. */
  #indexAt(t: number): number {
    let [low, high] = [-1, this.#poses.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#poses[middle].time <= t) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Where between pose i and the next t lies, 0…1; undefined where the pose is held. */
  #fraction(i: number, t: number): number | undefined {
    if (i < 0 || i === this.#poses.length - 1) return undefined;
    const [from, to] = [this.#poses[i].time, this.#poses[i + 1].time];
    return (t - from) / (to - from);
  }

  positionAt(t: number): Vec3 {
    const i = this.#indexAt(t);
    const pose = this.#poses[Math.max(i, 0)];
    const s = this.#fraction(i, t);
    if (s === undefined) return pose.position;
    return addScaledVec3(pose.position, subVec3(this.#poses[i + 1].position, pose.position), s);
  }

  orientationAt(t: number): Quaternion {
    const i = this.#indexAt(t);
    const pose = this.#poses[Math.max(i, 0)];
    const s = this.#fraction(i, t);
    if (s === undefined) return pose.orientation;
    return normalizeQuaternion(
      multiplyQuaternion(quaternionFromRotationVector(scaleVec3(pose.turn, s)), pose.orientation),
    );
  }

  /**
   * The constant velocity [m/s] that leads from position(t) to position(t + h) exactly, also across keyframes; with
   * h = 0 the velocity from t on.
   */
  velocityOver(t: number, h: number): Vec3 {
    if (h > 0) return scaleVec3(subVec3(this.positionAt(t + h), this.positionAt(t)), 1 / h);
    const i = this.#indexAt(t);
    if (this.#fraction(i, t) === undefined) return [0, 0, 0];
    const [from, to] = [this.#poses[i], this.#poses[i + 1]];
    return scaleVec3(subVec3(to.position, from.position), 1 / (to.time - from.time));
  }

  /** The constant world angular velocity [rad/s] that leads from orientation(t) to orientation(t + h) exactly. */
  angularVelocityOver(t: number, h: number): Vec3 {
    const i = this.#indexAt(t);
    const j = this.#indexAt(t + h);
    const inside = this.#fraction(i, t) !== undefined;
    if (i === j || h === 0 || (inside && t + h === this.#poses[i + 1].time)) {
      // Within one piece the rate is known, however many turns it makes.
      return inside ? scaleVec3(this.#poses[i].turn, 1 / (this.#poses[i + 1].time - this.#poses[i].time)) : [0, 0, 0];
    }
    return angularVelocityBetween(this.orientationAt(t), this.orientationAt(t + h), h);
  }
}
