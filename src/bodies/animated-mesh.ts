/**
 * A solid bounded by a closed triangle mesh whose vertices move through poses, one every `interval` seconds from `start` on:
 *
 *     x(t) = x_k + s (x_{k+1} − x_k),   t = start + (k + s) interval,   0 ≤ s < 1
 *
 * Before the first pose that is held; after the last it is held, or, in a loop, the first follows an interval later.
 *   velocity of the surface's point Σ w_i x_i of a triangle: Σ w_i v_i, v_i = (x_i(t + h) − x_i(t))/h; with h = 0 (x_{k+1} − x_k)/interval
 * Distances as for a mesh that stands still; its tree of boxes is fitted anew when it is first asked after it has moved. A point inside
 * or outside has the velocity of the surface's point that is closest to it.
 */
import { type MassProperties, MeshDistance, TriangleMesh } from '../geometry/index.ts';
import { HeddleError } from '../model/errors.ts';
import { listSharpEdges, requireSolid } from './mesh.ts';
import {
  DEFAULT_SHARP_ANGLE,
  type Deformation,
  type Shape,
  type ShapeEdge,
  type SharpEdgeOptions,
  type TessellateOptions,
  type Tessellation,
} from './shape.ts';
import { listGroupVertices, tessellateMesh } from './tessellate-mesh.ts';

/** Vertices that move through poses. */
export interface VertexPoses {
  /** Of each pose three coordinates a vertex [m]; all poses have as many. */
  readonly poses: readonly ArrayLike<number>[];
  /** From one pose to the next [s]. */
  readonly interval: number;
  /** When the first pose is left [s]. Default 0. */
  readonly start?: number | undefined;
  /** What comes after the last pose. Default hold. */
  readonly end?: MeshAnimationEnd | undefined;
}

export interface MeshAnimation extends VertexPoses {
  /** Three vertices a triangle, counter-clockwise from outside, in all poses. */
  readonly indices: Int32Array;
  readonly poses: readonly Float64Array[];
}

export type MeshAnimationEnd = 'hold' | 'loop';

/** Times that differ by less than this share of an interval are the same. */
const SAME_TIME = 1e-9;

export class AnimatedMeshShape implements Shape, Deformation {
  readonly type = 'mesh';
  readonly animation: MeshAnimation;
  /** The triangles where they are now. */
  readonly mesh: TriangleMesh;
  /** Of the first pose. */
  readonly mass: MassProperties;
  readonly bounds: Float64Array;
  readonly topSpeed: number;
  readonly #distance: MeshDistance;
  #time = 0;
  #h = 0;
  /** Where along the poses it is, and where vertices and tree are: the same only once it was asked for. */
  #along: number;
  #placed = Number.NaN;
  readonly #velocity: Float64Array;
  /** Sum of the ways of the vertex that goes furthest from each pose to the next, up to each pose [m]; one more than poses. */
  readonly #way: Float64Array;
  #hasVelocity = false;
  /** Of every vertex, between the times that `setWay` was told, and room to compute it. */
  readonly #shift: Float64Array;
  readonly #moved: Float64Array;
  /** The point that was asked for last, and the answer. */
  readonly #point = new Float64Array(3);
  readonly #surface = new Float64Array(4);
  #isKnown = false;

  /** Throws where the first pose does not bound a solid, or poses do not fit together. */
  constructor(animation: MeshAnimation) {
    checkPoses(animation);
    this.animation = animation;
    this.mesh = new TriangleMesh(animation.poses[0].slice(), animation.indices);
    requireSolid(this.mesh);
    this.mass = this.mesh.massProperties();
    this.bounds = computeBounds(animation.poses);
    this.#along = computeAlong(animation, 0);
    this.#way = computeWays(animation);
    this.topSpeed = computeTopSpeed(this.#way, animation.interval);
    this.#distance = new MeshDistance(this.mesh);
    this.#velocity = new Float64Array(this.mesh.positions.length);
    this.#shift = new Float64Array(this.mesh.positions.length);
    this.#moved = new Float64Array(this.mesh.positions.length);
  }

  get deformation(): Deformation {
    return this;
  }

  moveTo(time: number, h: number): void {
    if (time === this.#time && h === this.#h) return;
    this.#time = time;
    this.#h = h;
    this.#along = computeAlong(this.animation, time);
    this.#hasVelocity = false;
    this.#isKnown = false;
  }

  writeSignedDistance(x: number, y: number, z: number, out: Float64Array): void {
    this.#ask(x, y, z);
    for (let k = 0; k < 4; k++) out[k] = this.#surface[k];
  }

  writeBounds(out: Float64Array): void {
    this.#place();
    const { bounds } = this.#distance;
    for (let k = 0; k < 6; k++) out[k] = bounds[k];
  }

  writeVelocity(x: number, y: number, z: number, out: Float64Array): void {
    this.#ask(x, y, z);
    this.writeVelocityOf(this.#distance.closestTriangle, this.#distance.closestWeights, 1, out, 0);
  }

  writeVelocityOf(triangle: number, w: Float64Array, at: number, out: Float64Array, o: number): void {
    if (!this.#hasVelocity) this.#writeVelocities();
    this.#writeMean(this.#velocity, triangle, w, at, out, o);
  }

  setWay(from: number, to: number): void {
    writeVerticesAt(this.animation, from, this.#moved);
    writeVerticesAt(this.animation, to, this.#shift);
    for (let i = 0; i < this.#shift.length; i++) this.#shift[i] -= this.#moved[i];
  }

  writeWayOf(triangle: number, w: Float64Array, at: number, out: Float64Array, o: number): void {
    this.#writeMean(this.#shift, triangle, w, at, out, o);
  }

  /** out[o…] := mean of the vectors v of a triangle's vertices with weights w[at…]. */
  #writeMean(v: Float64Array, triangle: number, w: Float64Array, at: number, out: Float64Array, o: number): void {
    const { indices } = this.mesh;
    const a = 3 * indices[3 * triangle];
    const b = 3 * indices[3 * triangle + 1];
    const c = 3 * indices[3 * triangle + 2];
    for (let k = 0; k < 3; k++) out[o + k] = w[at] * v[a + k] + w[at + 1] * v[b + k] + w[at + 2] * v[c + k];
  }

  get closestTriangle(): number {
    return this.#distance.closestTriangle;
  }

  get closestWeights(): Float64Array {
    return this.#distance.closestWeights;
  }

  holdTime(time: number, way: number): number {
    const { poses, interval, start = 0 } = this.animation;
    const along = computeAlong(this.animation, time);
    const k = Math.floor(along);
    const gone = this.#way[k] + (along - k) * (this.#way[k + 1] - this.#way[k]);
    const target = way * Math.floor(gone / way);
    // the last pose that is not further than that
    let [low, high] = [0, k + 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#way[middle] <= target) low = middle;
      else high = middle;
    }
    const length = this.#way[low + 1] - this.#way[low];
    const share = length > 0 ? Math.min(1, (target - this.#way[low]) / length) : 0;
    const rounds = Math.max(0, Math.floor((time - start) / interval / poses.length + SAME_TIME));
    return start + interval * (low + share + (this.animation.end === 'loop' ? rounds * poses.length : 0));
  }

  /** Looks for the closest point once, however often the same is asked. */
  #ask(x: number, y: number, z: number): void {
    const p = this.#point;
    if (this.#isKnown && p[0] === x && p[1] === y && p[2] === z) return;
    this.#place();
    this.#distance.writeSignedDistance(x, y, z, this.#surface);
    p[0] = x;
    p[1] = y;
    p[2] = z;
    this.#isKnown = true;
  }

  /** Brings vertices and tree to where it is, if they are not there: so going to and fro costs nothing. */
  #place(): void {
    if (this.#placed === this.#along) return;
    writeVerticesAt(this.animation, this.#time, this.mesh.positions);
    this.#distance.takeMoved();
    this.#placed = this.#along;
  }

  #writeVelocities(): void {
    const v = this.#velocity;
    if (this.#h > 0) {
      // vertices and tree may stay where they are
      const positions = this.#placed === this.#along ? this.mesh.positions : this.#moved;
      if (positions === this.#moved) writeVerticesAt(this.animation, this.#time, positions);
      writeVerticesAt(this.animation, this.#time + this.#h, v);
      for (let i = 0; i < v.length; i++) v[i] = (v[i] - positions[i]) / this.#h;
    } else writeVelocitiesAt(this.animation, this.#time, v);
    this.#hasVelocity = true;
  }

  /** Vertices and normals at present; which corners share a vertex is the same at all times. */
  tessellate(options: TessellateOptions = {}): Tessellation {
    const sharpAngle = options.sharpAngle ?? DEFAULT_SHARP_ANGLE;
    const first = new TriangleMesh(this.animation.poses[0], this.animation.indices);
    this.#place();
    return tessellateMesh(this.mesh, sharpAngle, first);
  }

  /** The vertices of `tessellate` in all poses. */
  tessellatePoses(options: TessellateOptions = {}): VertexPoses {
    const { poses, indices, interval, start, end } = this.animation;
    const vertices = listGroupVertices(new TriangleMesh(poses[0], indices), options.sharpAngle ?? DEFAULT_SHARP_ANGLE);
    const pick = (pose: Float64Array): Float32Array =>
      Float32Array.from({ length: 3 * vertices.length }, (_, i) => pose[3 * vertices[Math.floor(i / 3)] + (i % 3)]);
    return { poses: poses.map(pick), interval, start, end };
  }

  /** Where it is at present. */
  sharpEdges(options: SharpEdgeOptions = {}): ShapeEdge[] {
    this.#place();
    return listSharpEdges(this.mesh, options);
  }
}

/** out := where the vertices of an animation are at a time. */
export const writeVerticesAt = (animation: VertexPoses, time: number, out: Float64Array | Float32Array): void => {
  const { poses } = animation;
  const along = computeAlong(animation, time);
  const k = Math.floor(along);
  const s = along - k;
  const from = poses[k];
  const to = poses[(k + 1) % poses.length];
  if (s === 0) out.set(from);
  else for (let i = 0; i < out.length; i++) out[i] = from[i] + s * (to[i] - from[i]);
};

/** out := how fast they move from that time on [m/s]. */
const writeVelocitiesAt = (animation: MeshAnimation, time: number, out: Float64Array): void => {
  const { poses, interval, start = 0, end = 'hold' } = animation;
  const k = Math.floor(computeAlong(animation, time));
  out.fill(0);
  if (time < start || poses.length === 1 || (end === 'hold' && k === poses.length - 1)) return;
  const to = poses[(k + 1) % poses.length];
  for (let i = 0; i < out.length; i++) out[i] = (to[i] - poses[k][i]) / interval;
};

/** How many intervals of the poses have gone by at a time, from 0 to less than their number. */
const computeAlong = ({ poses, interval, start = 0, end = 'hold' }: VertexPoses, time: number): number => {
  let along = Math.max(0, (time - start) / interval);
  // at the very time of a pose it is that pose, with the velocity from there on, whatever rounding says
  const nearest = Math.round(along);
  if (Math.abs(along - nearest) < SAME_TIME) along = nearest;
  if (end === 'hold') return Math.min(along, poses.length - 1);
  return along % poses.length;
};

const checkPoses = ({ indices, poses, interval, start = 0 }: MeshAnimation): void => {
  if (poses.length === 0) throw new HeddleError('An animated mesh has no poses; give at least one.');
  if (!(interval > 0 && Number.isFinite(interval) && Number.isFinite(start)))
    throw new HeddleError(
      `An animated mesh has an interval of ${interval} s between poses and starts at ${start} s; both must be finite and the interval > 0.`,
    );
  for (const [k, pose] of poses.entries()) {
    if (pose.length !== poses[0].length)
      throw new HeddleError(
        `Pose ${k} of an animated mesh has ${pose.length / 3} vertices and the first has ${poses[0].length / 3}; all poses must have the same number.`,
      );
    const wrong = pose.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0)
      throw new HeddleError(
        `Vertex ${Math.floor(wrong / 3)} of pose ${k} of an animated mesh has the coordinate ${pose[wrong]}; all coordinates must be finite.`,
      );
    const { volume } = new TriangleMesh(pose, indices).massProperties();
    if (k > 0 && !(volume > 0))
      throw new HeddleError(
        `Pose ${k} of an animated mesh encloses the volume ${volume} m³; triangles must stay counter-clockwise seen from outside.`,
      );
  }
};

/** Box around all poses: what moves straight between them stays in it. */
const computeBounds = (poses: readonly Float64Array[]): Float64Array => {
  const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const pose of poses)
    for (let i = 0; i < pose.length; i++) {
      bounds[i % 3] = Math.min(bounds[i % 3], pose[i]);
      bounds[3 + (i % 3)] = Math.max(bounds[3 + (i % 3)], pose[i]);
    }
  return bounds;
};

const computeWays = ({ poses, end = 'hold' }: MeshAnimation): Float64Array => {
  const ways = new Float64Array(poses.length + 1);
  for (let k = 0; k < poses.length; k++) {
    const from = poses[k];
    const to = end === 'hold' && k === poses.length - 1 ? from : poses[(k + 1) % poses.length];
    let square = 0;
    for (let i = 0; i < from.length; i += 3)
      square = Math.max(
        square,
        (to[i] - from[i]) ** 2 + (to[i + 1] - from[i + 1]) ** 2 + (to[i + 2] - from[i + 2]) ** 2,
      );
    ways[k + 1] = ways[k] + Math.sqrt(square);
  }
  return ways;
};

const computeTopSpeed = (ways: Float64Array, interval: number): number => {
  let longest = 0;
  for (let k = 1; k < ways.length; k++) longest = Math.max(longest, ways[k] - ways[k - 1]);
  return longest / interval;
};
