/**
 * What a sheet stores: its mesh, five coordinates a vertex (x, y, z, X₁, X₂) and their velocities. At L-vertices X is fixed
 * to the material; at E-vertices material slides through (kind = NODE_EULERIAN).
 */
import { NODE_LAGRANGIAN, type StateReader, type StateWriter } from '../model/index.ts';
import { FULL_COHERENCE, type MeshCoherence } from './coherence.ts';
import type { SheetMaterial } from './material.ts';
import { SheetMesh } from './mesh.ts';
import { RestBending } from './rest-bending.ts';

/** Coordinates of a vertex. */
export const STRIDE = 5;
/** Bits of held coordinates: X, Y, Z of the model layer, then X₁ and X₂. */
export const HOLD_U = 8;
export const HOLD_V = 16;
export const HOLD_MATERIAL = HOLD_U | HOLD_V;

export class SheetState {
  readonly material: SheetMaterial;
  mesh: SheetMesh;
  /** Coordinates q and velocities q̇ of the current iterate. */
  q: Float64Array;
  v: Float64Array;
  /** State at the start of the step. */
  qStart: Float64Array;
  vStart: Float64Array;
  /** Where the implicit stage starts from: q = qBase + h v. */
  qBase: Float64Array;
  vBase: Float64Array;
  /** NODE_* per vertex. */
  kind: Uint8Array;
  /** Where E-vertices are: obstacle, and its edge (−1 at a corner) or corner (−1 on an edge); −1 at L-vertices. */
  siteBody: Int32Array;
  siteEdge: Int32Array;
  siteCorner: Int32Array;
  /** Names of the vertices, for good; 1 where remeshing must leave a vertex alone. */
  label: Int32Array;
  kept: Uint8Array;
  /** The first label that was never given. */
  nextLabel: number;
  /** First label that remeshing gave: those before are vertices that the sheet began with. */
  firstLabel: number;
  /**
   * Steps for which an E-vertex has been off its edge or corner, 100 at most: off it, it carries its material. 0 on it; below 0 it
   * came back, and stays for as many steps.
   */
  lifted: Int32Array;
  /** Steps in a row for which an E-vertex on its edge had to be pulled there; below zero while that does not count. */
  pulled: Int32Array;
  /** Extra mass carried by the material at a vertex [kg]. */
  pointMass: Float64Array;
  /** Material area of triangles [m²] and gradients ∇φ of their corners, six numbers each; of those without E-vertices. */
  area = new Float64Array(0);
  gradients = new Float64Array(0);
  /** Mass of the material around each vertex, a third of its triangles [kg]. */
  mass = new Float64Array(0);
  /** Remeshings since the start. */
  remeshings = 0;
  /** What they kept. */
  coherence: MeshCoherence = FULL_COHERENCE;
  /** Index of each label, −1 where it has gone. */
  #index = new Int32Array(0);
  #liftedStart: Int32Array;
  #pulledStart: Int32Array;
  readonly #bending = new RestBending();

  /** `x`: three coordinates a vertex, `X`: two. */
  constructor(material: SheetMaterial, x: ArrayLike<number>, X: ArrayLike<number>, triangles: Int32Array) {
    const n = x.length / 3;
    this.material = material;
    this.mesh = new SheetMesh(n, triangles);
    this.q = new Float64Array(STRIDE * n);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < 3; k++) this.q[STRIDE * i + k] = x[3 * i + k];
      for (let k = 0; k < 2; k++) this.q[STRIDE * i + 3 + k] = X[2 * i + k];
    }
    this.v = new Float64Array(STRIDE * n);
    this.qStart = this.q.slice();
    this.vStart = this.v.slice();
    this.qBase = this.q.slice();
    this.vBase = this.v.slice();
    this.kind = new Uint8Array(n).fill(NODE_LAGRANGIAN);
    this.pointMass = new Float64Array(n);
    this.siteBody = new Int32Array(n).fill(-1);
    this.siteEdge = new Int32Array(n).fill(-1);
    this.siteCorner = new Int32Array(n).fill(-1);
    this.lifted = new Int32Array(n);
    this.pulled = new Int32Array(n);
    this.#liftedStart = new Int32Array(n);
    this.#pulledStart = new Int32Array(n);
    this.label = Int32Array.from({ length: n }, (_, i) => i);
    this.kept = new Uint8Array(n);
    this.nextLabel = n;
    this.firstLabel = n;
    this.indexLabels();
    this.measureRest();
  }

  get count(): number {
    return this.mesh.vertexCount;
  }

  /** Whether a vertex is held on an edge or corner of a body. */
  isOnSite(i: number): boolean {
    return this.kind[i] !== NODE_LAGRANGIAN && this.lifted[i] <= 0;
  }

  /** Mass of the material around a vertex [kg]. */
  massOf(i: number): number {
    return this.mass[i];
  }

  /** Where the vertex of a label is among the others; −1 where it has gone. */
  indexOf(label: number): number {
    return label >= 0 && label < this.#index.length ? this.#index[label] : -1;
  }

  /** After labels were written anew. */
  indexLabels(): void {
    this.#index = new Int32Array(this.nextLabel).fill(-1);
    for (let i = 0; i < this.count; i++) this.#index[this.label[i]] = i;
  }

  beginStep(): void {
    this.qStart.set(this.q);
    this.vStart.set(this.v);
    this.#liftedStart.set(this.lifted);
    this.#pulledStart.set(this.pulled);
  }

  rollBack(): void {
    this.q.set(this.qStart);
    this.v.set(this.vStart);
    this.lifted.set(this.#liftedStart);
    this.pulled.set(this.#pulledStart);
  }

  beginStage(drift: number, kick: number): void {
    const { q, v, qStart, vStart, qBase, vBase } = this;
    for (let k = 0; k < q.length; k++) {
      qBase[k] = qStart[k] + drift * v[k];
      vBase[k] = vStart[k] + kick * (v[k] - vStart[k]);
      q[k] = qBase[k];
    }
  }

  /** β of triangles, γ and stiffness of edges, rates with X (`rest-bending.ts`). */
  get restBending(): RestBending {
    return this.#bending;
  }

  get beta(): Float64Array {
    return this.#bending.beta;
  }

  get gamma(): Float64Array {
    return this.#bending.gamma;
  }

  get edgeStiffness(): Float64Array {
    return this.#bending.edgeStiffness;
  }

  /** Areas, gradients, masses and what bending needs, from the material coordinates; after any change of the mesh. */
  measureRest(): void {
    const { mesh } = this;
    this.area = new Float64Array(mesh.triangleCount);
    this.gradients = new Float64Array(6 * mesh.triangleCount);
    for (let t = 0; t < mesh.triangleCount; t++) this.#measureGradients(t);
    this.#bending.measure(this);
    this.mass = this.pointMass.slice();
    for (let t = 0, k = 0; t < mesh.triangleCount; t++) {
      const share = (this.material.arealDensity * this.area[t]) / 3;
      for (let n = 0; n < 3; n++) this.mass[mesh.triangles[k++]] += share;
    }
  }

  /** The same where it depends on an E-vertex; masses stay. */
  measureSliding(): void {
    const { mesh, kind } = this;
    const { triangles } = mesh;
    for (let t = 0; t < mesh.triangleCount; t++)
      if (
        kind[triangles[3 * t]] !== NODE_LAGRANGIAN ||
        kind[triangles[3 * t + 1]] !== NODE_LAGRANGIAN ||
        kind[triangles[3 * t + 2]] !== NODE_LAGRANGIAN
      )
        this.#measureGradients(t);
    this.#bending.measureSliding(this);
  }

  #measureGradients(t: number): void {
    const { q, gradients } = this;
    const { triangles } = this.mesh;
    const a = STRIDE * triangles[3 * t] + 3;
    const b = STRIDE * triangles[3 * t + 1] + 3;
    const c = STRIDE * triangles[3 * t + 2] + 3;
    const bx = q[b] - q[a];
    const by = q[b + 1] - q[a + 1];
    const cx = q[c] - q[a];
    const cy = q[c + 1] - q[a + 1];
    const det = bx * cy - by * cx;
    this.area[t] = 0.5 * det;
    const g = 6 * t;
    gradients[g + 2] = cy / det;
    gradients[g + 3] = -cx / det;
    gradients[g + 4] = -by / det;
    gradients[g + 5] = bx / det;
    gradients[g] = -gradients[g + 2] - gradients[g + 4];
    gradients[g + 1] = -gradients[g + 3] - gradients[g + 5];
  }

  writeState(writer: StateWriter): void {
    writer.number(this.count);
    writer.array(this.mesh.triangles);
    writer.array(this.q);
    writer.array(this.v);
    writer.array(this.kind);
    writer.array(this.pointMass);
    writer.array(this.mass);
    writer.array(this.siteBody);
    writer.array(this.siteEdge);
    writer.array(this.siteCorner);
    writer.array(this.lifted);
    writer.array(this.pulled);
    writer.array(this.label);
    writer.array(this.kept);
    writer.number(this.nextLabel);
    writer.number(this.firstLabel);
    writer.number(this.remeshings);
    const { remeshings, last, sum, gone, born } = this.coherence;
    for (const value of [remeshings, last, sum, gone, born]) writer.number(value);
  }

  readState(reader: StateReader): void {
    const count = reader.number();
    const triangles = new Int32Array(6 * count + 6);
    const length = reader.array(triangles);
    const isSame =
      count === this.count &&
      length === this.mesh.triangles.length &&
      this.mesh.triangles.every((v, k) => v === triangles[k]);
    if (!isSame) this.setMesh(new SheetMesh(count, triangles.slice(0, length)));
    reader.array(this.q);
    reader.array(this.v);
    reader.array(this.kind);
    reader.array(this.pointMass);
    // of when the mesh was made: material may have slid since then
    const mass = new Float64Array(count);
    reader.array(mass);
    reader.array(this.siteBody);
    reader.array(this.siteEdge);
    reader.array(this.siteCorner);
    reader.array(this.lifted);
    reader.array(this.pulled);
    reader.array(this.label);
    reader.array(this.kept);
    this.nextLabel = reader.number();
    this.firstLabel = reader.number();
    this.indexLabels();
    this.remeshings = reader.number();
    const [remeshings, last, sum, gone, born] = Array.from({ length: 5 }, () => reader.number());
    this.coherence = { remeshings, last, sum, gone, born };
    this.measureRest();
    this.mass.set(mass);
  }

  /** Takes another mesh; coordinates are to be written by the caller, then `measureRest` called. */
  setMesh(mesh: SheetMesh): void {
    const n = mesh.vertexCount;
    this.mesh = mesh;
    this.q = new Float64Array(STRIDE * n);
    this.v = new Float64Array(STRIDE * n);
    this.qStart = new Float64Array(STRIDE * n);
    this.vStart = new Float64Array(STRIDE * n);
    this.qBase = new Float64Array(STRIDE * n);
    this.vBase = new Float64Array(STRIDE * n);
    this.kind = new Uint8Array(n);
    this.pointMass = new Float64Array(n);
    this.siteBody = new Int32Array(n).fill(-1);
    this.siteEdge = new Int32Array(n).fill(-1);
    this.siteCorner = new Int32Array(n).fill(-1);
    this.lifted = new Int32Array(n);
    this.pulled = new Int32Array(n);
    this.#liftedStart = new Int32Array(n);
    this.#pulledStart = new Int32Array(n);
    this.label = new Int32Array(n);
    this.kept = new Uint8Array(n);
  }
}
