/**
 * What touches in `surface-contacts.ts`: moving points with edges and triangles between them. A sheet is one, a body another
 * (`body-surface.ts`), and strands, rods and yarns are some without triangles (`line-surface.ts`).
 */

import type { Body } from '../bodies/index.ts';
import type { ContactSide } from '../contact/index.ts';
import { computeHypot2 } from '../math/index.ts';
import type { ConstraintRows, Stage } from '../model/index.ts';
import { LineSurface } from './line-surface.ts';
import type { SheetMesh } from './mesh.ts';
import { STRIDE } from './state.ts';
import type { Sheet } from './step.ts';
import { SurfaceMesh } from './surface-mesh.ts';

export interface Surface extends ContactSide {
  readonly id: string;
  /** What it is of, in a word: "sheet", "body", "strand". */
  readonly kind: string;
  readonly mesh: SurfaceMesh;
  /** Distance that it keeps from its middle surface: half a sheet's thickness [m]. */
  readonly reach: number;
  /** Mean edge of a sheet in its material, or segment of a line, at the start [m]; undefined for a body. */
  readonly meanEdge: number | undefined;
  /** Coefficient of dry friction; a body that states none takes that of the sheet. */
  readonly friction: number | undefined;
  /** Whether forces move it. */
  readonly isMovable: boolean;
  /** The body that it is of; undefined for sheets and lines. */
  readonly body: Body | undefined;
  /** Force of sheets on a body, in the last solve [N]; undefined for a sheet. */
  readonly force: Float64Array | undefined;
  readonly touchesItself: boolean;
  /** A number a point: points with the same one, from 0 on, are tied together; undefined where none is tied. */
  readonly joints: Int32Array | undefined;
  /** Its material coordinates, where it may touch itself: two numbers a point [m]. */
  readonly material: Float64Array | undefined;
  /** Whether it touches another one. */
  meets(other: Surface): boolean;
  /** Takes the points at the start of a step. */
  beginStep(): void;
  /** x1 := where velocities lead in h seconds. */
  writePrediction(h: number): void;
  /** x1 := where the points are now. */
  writePresent(): void;
  /** A name of a point that stays when others come and go. */
  labelOf(point: number): number;
  /** Forgets the forces of the solve before, and takes note that all have been added. */
  clearForces(): void;
  finishForces(): void;
}

/** What a sheet touches beside bodies, and which of its vertices are tied to others (by label, numbers as in `Surface.joints`). */
export interface SheetSurfaceOptions {
  readonly touchesItself: boolean;
  readonly touchesSheets: boolean;
  /** Whether edges and corners of bodies that forces do not move keep out of its triangles, where no E-vertices see to that. */
  readonly touchesEdges: boolean;
  readonly joints: ReadonlyMap<number, number>;
}

/** The vertices of a sheet as points of contacts. */
export class SheetPoints {
  readonly sheet: Sheet;
  readonly #part: number;

  /** `part` is the index of the sheet's part in the system. */
  constructor(sheet: Sheet, part: number) {
    this.sheet = sheet;
    this.#part = part;
  }

  labelOf(point: number): number {
    return this.sheet.state.label[point];
  }

  computeMobility(point: number): number {
    return 1 / this.sheet.state.massOf(point);
  }

  writeEnd(point: number, { h }: Stage, out: Float64Array): void {
    const { qBase, v } = this.sheet.state;
    for (let k = 0; k < 3; k++) out[k] = qBase[STRIDE * point + k] + h * v[STRIDE * point + k];
  }

  writeVelocity(point: number, out: Float64Array): void {
    for (let k = 0; k < 3; k++) out[k] = this.sheet.state.v[STRIDE * point + k];
  }

  addEntries(rows: ConstraintRows, point: number, d: Float64Array, weight: number): void {
    const { holds, part } = this.sheet;
    holds.addDirection(rows, this.#part, point, part.matrix.blockStart[point], d, weight);
  }

  addForce(point: number, f: Float64Array, weight: number): void {
    this.sheet.holds.addPress(point, f, weight);
  }

  /** Bodies that hold vertices carry what other surfaces press them with. */
  finishForces(): void {
    this.sheet.touch?.readForces(this.sheet.state, this.sheet.holds, this.sheet.creaseFriction);
  }
}

export class SheetSurface extends SheetPoints implements Surface {
  readonly kind = 'sheet';
  x0 = new Float64Array(0);
  x1 = new Float64Array(0);
  material = new Float64Array(0);
  mesh!: SurfaceMesh;
  readonly reach: number;
  readonly meanEdge: number;
  readonly friction: number;
  readonly isMovable = true;
  readonly body = undefined;
  readonly force = undefined;
  readonly options: SheetSurfaceOptions;
  joints: Int32Array | undefined;
  #known: SheetMesh | undefined;

  constructor(sheet: Sheet, part: number, options: SheetSurfaceOptions) {
    super(sheet, part);
    this.options = options;
    const { material } = sheet.state;
    this.meanEdge = computeMeanEdge(sheet);
    this.reach = Math.max(material.thickness / 2, THINNEST * this.meanEdge);
    this.friction = material.friction;
    this.beginStep();
  }

  get id(): string {
    return this.sheet.id;
  }

  get touchesItself(): boolean {
    return this.options.touchesItself;
  }

  /** Its obstacles, where forces move them or their edges want rows; other sheets, and lines. */
  meets(other: Surface): boolean {
    if (other instanceof SheetSurface) return this.options.touchesSheets && other.options.touchesSheets;
    if (other instanceof LineSurface) return other.meets(this);
    const { obstacles, adaptation } = this.sheet;
    if (other.body === undefined || !obstacles.includes(other.body)) return false;
    return other.isMovable || (this.options.touchesEdges && adaptation === undefined);
  }

  beginStep(): void {
    const { state } = this.sheet;
    if (this.#known !== state.mesh) this.#takeMesh();
    this.#copy(state.q, this.x0);
    for (let i = 0; i < state.count; i++)
      for (let k = 0; k < 2; k++) this.material[2 * i + k] = state.q[STRIDE * i + 3 + k];
  }

  #takeMesh(): void {
    const { mesh, label } = this.sheet.state;
    const { joints } = this.options;
    const n = mesh.vertexCount;
    this.#known = mesh;
    if (joints.size > 0) this.joints = Int32Array.from(label.subarray(0, n), (one) => joints.get(one) ?? -1);
    const edges = new Int32Array(2 * mesh.edgeCount);
    for (let e = 0; e < mesh.edgeCount; e++) for (let k = 0; k < 2; k++) edges[2 * e + k] = mesh.edges[4 * e + k];
    this.mesh = new SurfaceMesh(n, mesh.triangles, edges);
    this.x0 = new Float64Array(3 * n);
    this.x1 = new Float64Array(3 * n);
    this.material = new Float64Array(2 * n);
  }

  #copy(q: Float64Array, out: Float64Array): void {
    for (let i = 0; i < this.mesh.pointCount; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = q[STRIDE * i + k];
  }

  writePrediction(h: number): void {
    const { v } = this.sheet.state;
    for (let i = 0; i < this.mesh.pointCount; i++)
      for (let k = 0; k < 3; k++) this.x1[3 * i + k] = this.x0[3 * i + k] + h * v[STRIDE * i + k];
  }

  writePresent(): void {
    this.#copy(this.sheet.state.q, this.x1);
  }

  clearForces(): void {}
}

/** A sheet is never thinner than this share of its edges: rounding must not decide on which side it is. */
const THINNEST = 1e-3;

function computeMeanEdge({ state }: Sheet): number {
  const { q, mesh } = state;
  let sum = 0;
  for (let e = 0; e < mesh.edgeCount; e++) {
    const [i, j] = [STRIDE * mesh.edges[4 * e] + 3, STRIDE * mesh.edges[4 * e + 1] + 3];
    sum += computeHypot2(q[j] - q[i], q[j + 1] - q[i + 1]);
  }
  return sum / mesh.edgeCount;
}
