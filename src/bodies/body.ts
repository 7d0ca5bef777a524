/**
 * A body: a shape with a pose, a velocity and, where it is dynamic, a mass. How forces move it is not here.
 *
 *   position           origin of the shape's own frame in the world [m]; orientation: unit quaternion x, y, z, w
 *   velocity           of that origin [m/s]; angularVelocity in the world frame [rad/s]
 *   centreOfMass       in the world [m]; it need not be the origin: c = position + R c_local
 *   inertia            principal moments about the centre of mass [kg m²], along axes turned by `principalRotation`
 *                      against the body's own frame
 */
import {
  computeSymmetricEigen,
  type Mat3,
  normalizeQuaternion,
  type Quaternion,
  quaternionFromMat3,
  turnQuaternion,
  type Vec3,
} from '../math/index.ts';
import { HeddleError } from '../model/errors.ts';
import type { KeyframeTrack } from './keyframes.ts';
import type { Deformation, Shape } from './shape.ts';

export type BodyMotion = 'static' | 'scripted' | 'dynamic';

export interface BodyOptions {
  readonly id: string;
  readonly shape: Shape;
  /** Default static. */
  readonly motion?: BodyMotion | undefined;
  /** Default the origin; a scripted body is where its track is at time 0. */
  readonly position?: Vec3 | undefined;
  /** Default the identity. */
  readonly orientation?: Quaternion | undefined;
  /** Scripted only; a body whose shape deforms is scripted and may do without. */
  readonly track?: KeyframeTrack | undefined;
  /** Dynamic only [kg]; or `density`. */
  readonly mass?: number | undefined;
  /** Dynamic only [kg/m³]; or `mass`. */
  readonly density?: number | undefined;
  /** Dynamic only: velocity of the origin at the start [m/s]. */
  readonly velocity?: Vec3 | undefined;
  /** Dynamic only, at the start [rad/s]. */
  readonly angularVelocity?: Vec3 | undefined;
  /** Coefficient of dry friction with strands [1]; default: the strand's own. */
  readonly friction?: number | undefined;
}

export class Body {
  readonly id: string;
  readonly shape: Shape;
  readonly motion: BodyMotion;
  readonly track: KeyframeTrack | undefined;
  /** Coefficient of dry friction with strands [1]; undefined: the strand's own. */
  readonly friction: number | undefined;
  readonly position = new Float64Array(3);
  readonly orientation = Float64Array.of(0, 0, 0, 1);
  readonly velocity = new Float64Array(3);
  readonly angularVelocity = new Float64Array(3);
  /** [kg]; 0 for bodies that are not dynamic: forces do not move them. */
  readonly mass: number;
  /** Principal moments, ascending [kg m²]; 0 for bodies that are not dynamic. */
  readonly inertia: Vec3;
  readonly principalRotation: Quaternion;
  /** Centre of mass in the body's own frame [m]; the origin for infinite shapes. */
  readonly localCentreOfMass: Vec3;
  readonly #centreOfMass = new Float64Array(3);
  readonly #centreVelocity = new Float64Array(3);
  readonly #turned = new Float64Array(4);
  readonly #rotation = new Float64Array(9);
  readonly #tensor = new Float64Array(9);
  readonly #deformation: Deformation | undefined;
  readonly #local = new Float64Array(3);
  readonly #box = new Float64Array(6);
  #time = 0;
  #span = 0;

  constructor(options: BodyOptions) {
    this.id = options.id;
    this.shape = options.shape;
    this.motion = options.motion ?? 'static';
    this.track = options.track;
    this.friction = options.friction;
    this.#deformation = this.shape.deformation;
    if (this.#deformation !== undefined && this.motion !== 'scripted')
      throw new HeddleError(
        `Body "${this.id}" is ${this.motion} and has an animated shape; a body with an animated shape must be scripted.`,
      );
    if (this.#deformation === undefined && (this.motion === 'scripted') !== (this.track !== undefined)) {
      throw new HeddleError(
        `Body "${this.id}" is ${this.motion} and has ${this.track ? 'a' : 'no'} track; scripted bodies need one, others must not have one.`,
      );
    }
    this.localCentreOfMass = this.shape.mass?.centroid ?? [0, 0, 0];
    const inertia = computeBodyInertia(this.id, this.shape, this.motion, options);
    this.mass = inertia.mass;
    this.inertia = inertia.moments;
    this.principalRotation = inertia.rotation;
    this.position.set(options.position ?? [0, 0, 0]);
    this.orientation.set(normalizeQuaternion(options.orientation ?? [0, 0, 0, 1]));
    if (this.motion === 'dynamic') {
      this.velocity.set(options.velocity ?? [0, 0, 0]);
      this.angularVelocity.set(options.angularVelocity ?? [0, 0, 0]);
    }
    this.moveTo(0);
  }

  /** What `moveTo` was told last [s]. */
  get time(): number {
    return this.#time;
  }

  /** How long its velocities are those of, as `moveTo` was told last [s]; 0 for those of the moment. */
  get span(): number {
    return this.#span;
  }

  /** Centre of mass in the world [m]; overwritten by the next access. */
  get centreOfMass(): Float64Array {
    this.writeLocalToWorld(this.localCentreOfMass, this.#centreOfMass);
    return this.#centreOfMass;
  }

  /**
   * Puts a scripted body where its track, and its surface where its deformation is at `time`. Its velocities become those that
   * lead to the pose at time + h exactly; with h = 0 those at this moment. Other bodies stay as they are.
   */
  moveTo(time: number, h = 0): void {
    this.#time = time;
    this.#span = h;
    this.#deformation?.moveTo(time, h);
    if (this.track === undefined) return;
    this.position.set(this.track.positionAt(time));
    this.orientation.set(this.track.orientationAt(time));
    this.velocity.set(this.track.velocityOver(time, h));
    this.angularVelocity.set(this.track.angularVelocityOver(time, h));
  }

  /** out := R p + x, from the body's own frame to the world. */
  writeLocalToWorld(local: ArrayLike<number>, out: Float64Array): void {
    this.#writeRotated(local[0], local[1], local[2], 1, out, 0);
    for (let k = 0; k < 3; k++) out[k] += this.position[k];
  }

  /** out := Rᵀ (p − x), from the world to the body's own frame. */
  writeWorldToLocal(world: ArrayLike<number>, out: Float64Array): void {
    const { position } = this;
    this.#writeRotated(world[0] - position[0], world[1] - position[1], world[2] - position[2], -1, out, 0);
  }

  /** Whether a point of the world is at most `reach` away from the box around the shape: what is not is that far from the body, too. */
  isInReach(world: ArrayLike<number>, reach: number): boolean {
    const p = this.#local;
    let box = this.shape.bounds;
    if (this.#deformation !== undefined) {
      box = this.#box;
      this.#deformation.writeBounds(box);
    }
    this.writeWorldToLocal(world, p);
    for (let k = 0; k < 3; k++) if (p[k] < box[k] - reach || p[k] > box[3 + k] + reach) return false;
    return true;
  }

  /** out := [distance, nx, ny, nz] for a point of the world, n in the world; see `Shape.writeSignedDistance`. */
  writeSignedDistance(world: ArrayLike<number>, out: Float64Array): void {
    this.writeWorldToLocal(world, out);
    this.shape.writeSignedDistance(out[0], out[1], out[2], out);
    this.#writeRotated(out[1], out[2], out[3], 1, out, 1);
  }

  /**
   * out := v + ω × (p − x): velocity of the body's material at a point of the world [m/s]; of a body that deforms besides that of the
   * surface's closest point in the body's own frame.
   */
  writePointVelocity(world: ArrayLike<number>, out: Float64Array): void {
    const { position, velocity, angularVelocity: w } = this;
    const rx = world[0] - position[0];
    const ry = world[1] - position[1];
    const rz = world[2] - position[2];
    out[0] = velocity[0] + w[1] * rz - w[2] * ry;
    out[1] = velocity[1] + w[2] * rx - w[0] * rz;
    out[2] = velocity[2] + w[0] * ry - w[1] * rx;
    if (this.#deformation !== undefined) this.#addDeformation(world, out);
  }

  /** out[o…] := velocity of the point with weights w[at…] in a triangle of its surface [m/s], of a body that deforms and has no track; 0 for one that rests. */
  writeSurfaceVelocity(triangle: number, w: Float64Array, at: number, out: Float64Array, o: number): void {
    if (this.#deformation === undefined) {
      for (let k = 0; k < 3; k++) out[o + k] = 0;
      return;
    }
    const v = this.#local;
    this.#deformation.writeVelocityOf(triangle, w, at, v, 0);
    this.#writeRotated(v[0], v[1], v[2], 1, out, o);
  }

  /** out[o…] := way of such a point between the times that `Deformation.setWay` was told [m]; 0 for a body that rests. */
  writeSurfaceWay(triangle: number, w: Float64Array, at: number, out: Float64Array, o: number): void {
    if (this.#deformation === undefined) {
      for (let k = 0; k < 3; k++) out[o + k] = 0;
      return;
    }
    const v = this.#local;
    this.#deformation.writeWayOf(triangle, w, at, v, 0);
    this.#writeRotated(v[0], v[1], v[2], 1, out, o);
  }

  #addDeformation(world: ArrayLike<number>, out: Float64Array): void {
    const v = this.#local;
    this.writeWorldToLocal(world, v);
    this.#deformation!.writeVelocity(v[0], v[1], v[2], v);
    this.#writeRotated(v[0], v[1], v[2], 1, v, 0);
    for (let k = 0; k < 3; k++) out[k] += v[k];
  }

  /** out := velocity of the centre of mass [m/s]. */
  writeCentreVelocity(out: Float64Array): void {
    this.writePointVelocity(this.centreOfMass, out);
  }

  /** Gives the body the velocity `v` of its centre of mass and the angular velocity `w`. */
  setCentreVelocity(v: ArrayLike<number>, w: ArrayLike<number>): void {
    for (let k = 0; k < 3; k++) this.angularVelocity[k] = w[k];
    const c = this.centreOfMass;
    const { position, velocity } = this;
    const rx = position[0] - c[0];
    const ry = position[1] - c[1];
    const rz = position[2] - c[2];
    velocity[0] = v[0] + w[1] * rz - w[2] * ry;
    velocity[1] = v[1] + w[2] * rx - w[0] * rz;
    velocity[2] = v[2] + w[0] * ry - w[1] * rx;
  }

  /**
   * Moves for `h` seconds with its present velocities held: the centre of mass on a straight line, the body turning about
   * it at a constant rate. The centre's velocity and the angular velocity are the same afterwards.
   */
  advance(h: number): void {
    const { position, angularVelocity: w } = this;
    const c = this.centreOfMass;
    const cx = c[0];
    const cy = c[1];
    const cz = c[2];
    const v = this.#centreVelocity;
    this.writePointVelocity(c, v);
    turnQuaternion(this.orientation, w, h);
    const local = this.localCentreOfMass;
    this.#writeRotated(local[0], local[1], local[2], 1, position, 0);
    position[0] = cx + h * v[0] - position[0];
    position[1] = cy + h * v[1] - position[1];
    position[2] = cz + h * v[2] - position[2];
    this.setCentreVelocity(v, w);
  }

  /** out := inertia tensor about the centre of mass in world axes, R diag(I) Rᵀ [kg m²], 9 numbers. */
  writeWorldInertia(out: Mat3): void {
    this.#writeInertia(this.orientation, out);
  }

  /** out := the inertia tensor it would have after turning with the angular velocity `w` for `h` seconds. */
  writeInertiaAfter(w: ArrayLike<number>, h: number, out: Mat3): void {
    const turned = this.#turned;
    for (let k = 0; k < 4; k++) turned[k] = this.orientation[k];
    turnQuaternion(turned, w, h);
    this.#writeInertia(turned, out);
  }

  #writeInertia(q: Float64Array, out: Mat3): void {
    const p = this.principalRotation;
    // q p: from the principal axes to the world
    const x = q[3] * p[0] + q[0] * p[3] + q[1] * p[2] - q[2] * p[1];
    const y = q[3] * p[1] - q[0] * p[2] + q[1] * p[3] + q[2] * p[0];
    const z = q[3] * p[2] + q[0] * p[1] - q[1] * p[0] + q[2] * p[3];
    const w = q[3] * p[3] - q[0] * p[0] - q[1] * p[1] - q[2] * p[2];
    const r = this.#rotation;
    r[0] = 1 - 2 * (y * y + z * z);
    r[1] = 2 * (x * y - z * w);
    r[2] = 2 * (x * z + y * w);
    r[3] = 2 * (x * y + z * w);
    r[4] = 1 - 2 * (x * x + z * z);
    r[5] = 2 * (y * z - x * w);
    r[6] = 2 * (x * z - y * w);
    r[7] = 2 * (y * z + x * w);
    r[8] = 1 - 2 * (x * x + y * y);
    const a = this.inertia[0];
    const b = this.inertia[1];
    const c = this.inertia[2];
    for (let i = 0; i < 9; i += 3) {
      for (let j = 0; j < 9; j += 3) {
        out[i + j / 3] = r[i] * a * r[j] + r[i + 1] * b * r[j + 1] + r[i + 2] * c * r[j + 2];
      }
    }
  }

  /** Kinetic energy ½ m v_c² + ½ ω · I ω [J]; 0 for bodies that are not dynamic. */
  kineticEnergy(): number {
    const v = this.#centreVelocity;
    this.writeCentreVelocity(v);
    const tensor = this.#tensor;
    this.writeWorldInertia(tensor);
    const w = this.angularVelocity;
    let energy = 0.5 * this.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) energy += 0.5 * w[i] * tensor[3 * i + j] * w[j];
    return energy;
  }

  /** out[at…] := the vector turned by the orientation (sense 1) or back (sense −1). */
  #writeRotated(x: number, y: number, z: number, sense: 1 | -1, out: Float64Array, at: number): void {
    const q = this.orientation;
    const qx = sense * q[0];
    const qy = sense * q[1];
    const qz = sense * q[2];
    const tx = 2 * (qy * z - qz * y);
    const ty = 2 * (qz * x - qx * z);
    const tz = 2 * (qx * y - qy * x);
    out[at] = x + q[3] * tx + qy * tz - qz * ty;
    out[at + 1] = y + q[3] * ty + qz * tx - qx * tz;
    out[at + 2] = z + q[3] * tz + qx * ty - qy * tx;
  }
}

/** Mass, principal moments and axes from the shape at its density; nothing for bodies that forces do not move. */
const computeBodyInertia = (
  id: string,
  shape: Shape,
  motion: BodyMotion,
  options: { readonly mass?: number | undefined; readonly density?: number | undefined },
): { mass: number; moments: Vec3; rotation: Quaternion } => {
  if (motion !== 'dynamic') return { mass: 0, moments: [0, 0, 0], rotation: [0, 0, 0, 1] };
  if (shape.mass === undefined) {
    throw new HeddleError(
      `Body "${id}" is dynamic and an infinite ${shape.type}; a dynamic body needs a shape of finite volume.`,
    );
  }
  if ((options.mass === undefined) === (options.density === undefined)) {
    const found = options.mass === undefined ? 'neither mass nor density' : 'both mass and density';
    throw new HeddleError(`Body "${id}" is dynamic and has ${found}; give one of the two.`);
  }
  const mass = options.mass ?? options.density! * shape.mass.volume;
  if (!(mass > 0 && Number.isFinite(mass))) {
    throw new HeddleError(`Body "${id}" has the mass ${mass} kg; it must be finite and > 0.`);
  }
  const { values, vectors } = computeSymmetricEigen(shape.mass.inertia);
  const density = mass / shape.mass.volume;
  return {
    mass,
    moments: [values[0] * density, values[1] * density, values[2] * density],
    rotation: quaternionFromMat3(vectors),
  };
};
