/**
 * A body as a surface that sheets touch: its triangles, its sharp convex edges and its corners. Forces move it where it has a part
 * in the system (a dynamic body: velocity of the centre of mass, then angular velocity); static and scripted ones only push.
 */
import type { Body } from '../bodies/index.ts';
import { Placement } from '../contact/index.ts';
import { TriangleMesh, weldVertices } from '../geometry/index.ts';
import type { ConstraintRows, Stage } from '../model/index.ts';
import type { Surface } from './surface.ts';
import { SurfaceMesh } from './surface-mesh.ts';

/** Edges that bend by less are none [rad]. */
const FLAT = 1e-3;

export class BodySurface implements Surface {
  readonly kind = 'body';
  readonly x0: Float64Array;
  readonly x1: Float64Array;
  readonly material = undefined;
  readonly joints = undefined;
  readonly touchesItself = false;
  readonly meanEdge = undefined;
  readonly mesh: SurfaceMesh;
  readonly reach = 0;
  readonly friction: number | undefined;
  readonly body: Body;
  /** Force and torque about the centre of mass that sheets exert on it [N, N m]. */
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
  readonly #part: number;
  readonly #local: Float64Array;
  readonly #placement = new Placement();
  readonly #p = new Float64Array(3);
  /** Centre of mass at the start of the step. */
  readonly #centre = new Float64Array(3);

  /** `part`: index of the body's part in the system, −1 for one that forces do not move. */
  constructor(body: Body, part: number) {
    this.body = body;
    this.#part = part;
    this.friction = body.friction;
    const { points, triangles, edges } = createBodyMesh(body);
    this.#local = points;
    this.x0 = new Float64Array(points.length);
    this.x1 = new Float64Array(points.length);
    this.mesh = new SurfaceMesh(points.length / 3, triangles, edges);
    this.beginStep();
  }

  get id(): string {
    return this.body.id;
  }

  meets(other: Surface): boolean {
    return other.body === undefined && other.meets(this);
  }

  get isMovable(): boolean {
    return this.#part >= 0;
  }

  beginStep(): void {
    this.#writePoints(this.x0);
    const { centreOfMass } = this.body;
    for (let k = 0; k < 3; k++) this.#centre[k] = centreOfMass[k];
  }

  #writePoints(out: Float64Array): void {
    this.#placement.read(this.body);
    for (let at = 0; at < out.length; at += 3) this.#placement.writeWorld(this.#local, at, out, at);
  }

  writePrediction(h: number): void {
    if (!this.isMovable) {
      this.#writePoints(this.x1);
      return;
    }
    for (let i = 0; i < this.mesh.pointCount; i++) {
      this.body.writePointVelocity(this.x0.subarray(3 * i, 3 * i + 3), this.#p);
      for (let k = 0; k < 3; k++) this.x1[3 * i + k] = this.x0[3 * i + k] + h * this.#p[k];
    }
  }

  writePresent(): void {
    this.#writePoints(this.x1);
  }

  labelOf(point: number): number {
    return point;
  }

  computeMobility(): number {
    return this.isMovable ? 1 / this.body.mass : 0;
  }

  writeEnd(point: number, { h, linearized }: Stage, out: Float64Array): void {
    this.#placement.read(this.body);
    this.#placement.writeWorld(this.#local, 3 * point, out, 0);
    if (!(this.isMovable && linearized)) return;
    this.body.writePointVelocity(out, this.#p);
    for (let k = 0; k < 3; k++) out[k] += h * this.#p[k];
  }

  writeVelocity(point: number, out: Float64Array): void {
    this.#placement.read(this.body);
    this.#placement.writeWorld(this.#local, 3 * point, this.#p, 0);
    this.body.writePointVelocity(this.#p, out);
  }

  addEntries(rows: ConstraintRows, point: number, d: Float64Array, weight: number): void {
    if (!this.isMovable) return;
    const arm = this.#writeArm(point);
    for (let k = 0; k < 3; k++) rows.addEntry(this.#part, k, weight * d[k]);
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      rows.addEntry(this.#part, 3 + k, weight * (arm[m] * d[n] - arm[n] * d[m]));
    }
  }

  /** From the centre of mass to a point, at the start of the step. */
  #writeArm(point: number): Float64Array {
    for (let k = 0; k < 3; k++) this.#p[k] = this.x0[3 * point + k] - this.#centre[k];
    return this.#p;
  }

  addForce(point: number, f: Float64Array, weight: number): void {
    const arm = this.#writeArm(point);
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      this.force[k] += weight * f[k];
      this.torque[k] += weight * (arm[m] * f[n] - arm[n] * f[m]);
    }
  }

  clearForces(): void {
    this.force.fill(0);
    this.torque.fill(0);
  }

  finishForces(): void {}
}

/** Corners, triangles and convex sharp edges of a body, in its own frame. */
function createBodyMesh({ shape }: Body) {
  const drawn = shape.tessellate();
  const { positions, indices } = weldVertices(drawn.positions, drawn.indices);
  const found = new TriangleMesh(positions, indices).edges();
  const edges: number[] = [];
  for (let e = 0; e < found.count; e++)
    if (found.bend[e] > FLAT || found.faceCount[e] === 1) edges.push(found.vertices[2 * e], found.vertices[2 * e + 1]);
  return { points: positions, triangles: indices, edges: Int32Array.from(edges) };
}
