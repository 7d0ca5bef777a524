/**
 * Strands, rods and yarns as what sheets, and lines of other kinds, touch (`surface-contacts.ts`): points with edges between them, no triangles. A line keeps
 * its radius from everything. Points and edges follow the segments of the model, which change between two steps.
 */
import { computeHypot3 } from '../math/index.ts';
import type { ConstraintRows, LineModel, Stage } from '../model/index.ts';
import type { Surface } from './surface.ts';
import { SurfaceMesh } from './surface-mesh.ts';

export interface LineSurfaceOptions {
  /** Whether it touches another surface, and is touched by it. */
  readonly meets: (other: Surface) => boolean;
  /** Nodes that ties keep at others, by label: numbers as in `Surface.joints`. */
  readonly joints: ReadonlyMap<number, number>;
}

export class LineSurface implements Surface {
  readonly model: LineModel;
  readonly options: LineSurfaceOptions;
  readonly reach: number;
  readonly friction: number;
  readonly meanEdge: number;
  readonly isMovable = true;
  readonly body = undefined;
  readonly force = undefined;
  readonly material = undefined;
  readonly touchesItself = false;
  x0 = new Float64Array(0);
  x1 = new Float64Array(0);
  mesh!: SurfaceMesh;
  joints: Int32Array | undefined;
  readonly #part: number;
  /** Label of each point, and ends of the segments that the mesh was made of. */
  #labels = new Int32Array(0);
  #segments = new Int32Array(0);
  #mobility = 0;
  readonly #p = new Float64Array(3);

  /** `part`: index of the model's part in the system. */
  constructor(model: LineModel, part: number, options: LineSurfaceOptions) {
    this.model = model;
    this.options = options;
    this.#part = part;
    this.reach = model.radius;
    this.friction = model.friction;
    this.beginStep();
    this.meanEdge = this.#computeMeanEdge();
  }

  get id(): string {
    return this.model.id;
  }

  get kind(): string {
    return this.model.type;
  }

  meets(other: Surface): boolean {
    return other !== this && this.options.meets(other);
  }

  beginStep(): void {
    const segments = this.model.listSegments();
    if (!isSame(segments, this.#segments)) this.#takeMesh(segments);
    this.writePresent();
    this.x0.set(this.x1);
  }

  #takeMesh(segments: Int32Array): void {
    this.#segments = Int32Array.from(segments);
    const places = new Map<number, number>();
    for (const label of segments) if (!places.has(label)) places.set(label, places.size);
    this.#labels = Int32Array.from(places.keys());
    this.mesh = new SurfaceMesh(
      places.size,
      new Int32Array(0),
      this.#segments.map((label) => places.get(label)!),
    );
    this.x0 = new Float64Array(3 * places.size);
    this.x1 = new Float64Array(3 * places.size);
    this.#mobility = places.size / this.model.computeMass();
    this.joints = this.options.joints.size > 0 ? this.#findJoints() : undefined;
  }

  /** A point between two that are tied, as drivers may want one, is as tied as the nearer of them: what is sewn on lies on its seam between the stitches, too. */
  #findJoints(): Int32Array {
    const { joints } = this.options;
    const own = this.#labels.map((label) => joints.get(label) ?? -1);
    const found = own.slice();
    this.writePresent();
    const nearest = new Float64Array(own.length).fill(Number.POSITIVE_INFINITY);
    const ties = new Int32Array(own.length);
    const { stencils, itemCount } = this.mesh.edges;
    for (let side = 0; side < 2 * itemCount; side++) {
      const [i, j] = [stencils[side], stencils[side ^ 1]];
      if (own[i] >= 0 || own[j] < 0) continue;
      const gap = this.#computeGap(this.x1, i, j);
      if (gap < nearest[i]) found[i] = own[j];
      nearest[i] = Math.min(nearest[i], gap);
      ties[i]++;
    }
    for (let i = 0; i < own.length; i++) if (own[i] < 0 && ties[i] < 2) found[i] = -1;
    return found;
  }

  #computeGap(x: Float64Array, i: number, j: number): number {
    return computeHypot3(x[3 * j] - x[3 * i], x[3 * j + 1] - x[3 * i + 1], x[3 * j + 2] - x[3 * i + 2]);
  }

  #computeMeanEdge(): number {
    const { stencils, itemCount } = this.mesh.edges;
    let sum = 0;
    for (let e = 0; e < itemCount; e++) sum += this.#computeGap(this.x0, stencils[2 * e], stencils[2 * e + 1]);
    return sum / itemCount;
  }

  writePrediction(h: number): void {
    for (let i = 0; i < this.#labels.length; i++) {
      this.model.writeNodeVelocity(this.#labels[i], this.#p);
      for (let k = 0; k < 3; k++) this.x1[3 * i + k] = this.x0[3 * i + k] + h * this.#p[k];
    }
  }

  writePresent(): void {
    for (let i = 0; i < this.#labels.length; i++) {
      this.model.writeNodePosition(this.#labels[i], this.#p);
      for (let k = 0; k < 3; k++) this.x1[3 * i + k] = this.#p[k];
    }
  }

  labelOf(point: number): number {
    return this.#labels[point];
  }

  /** In the mean: it decides on the softness of redundant rows alone. */
  computeMobility(): number {
    return this.#mobility;
  }

  writeEnd(point: number, { h }: Stage, out: Float64Array): void {
    this.model.writeNodeBase(this.#labels[point], out);
    this.model.writeNodeVelocity(this.#labels[point], this.#p);
    for (let k = 0; k < 3; k++) out[k] += h * this.#p[k];
  }

  writeVelocity(point: number, out: Float64Array): void {
    this.model.writeNodeVelocity(this.#labels[point], out);
  }

  writeMaterialVelocity(point: number, out: Float64Array): void {
    this.model.writeNodeMaterialVelocity(this.#labels[point], out);
  }

  addEntries(rows: ConstraintRows, point: number, d: Float64Array, weight: number): void {
    for (let k = 0; k < 3; k++)
      if (d[k] !== 0) this.model.addNodeRow(rows, this.#part, this.#labels[point], k, weight * d[k]);
  }

  addForce(point: number, f: Float64Array, weight: number): void {
    this.model.pressNode?.(this.#labels[point], f, weight);
  }

  clearForces(): void {}

  finishForces(): void {}
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
