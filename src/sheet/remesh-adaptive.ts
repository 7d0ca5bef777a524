/**
 * Remesher C: the mesh of a sheet follows a sizing field (`sizing.ts`) by local changes: long edges are split, edges flip, vertices
 * are drawn into a neighbour where the mesh is finer than wanted (`adaptMesh`).                        [Piddington 2017, §5.6]
 *
 * It needs no bodies: a Lagrangian sheet is refined and coarsened alike. With creases it comes after remesher B, which makes the mesh
 * follow these; triangles at creases are left as B made them, and what C changes elsewhere B leaves alone.
 * Left alone as well: vertices that drivers hold (`kept`) and edges between two of them, vertices with point masses, corners of the border.
 *
 * Hysteresis: an edge is split when longer than 1 in the metric, and a vertex goes only where no edge becomes longer than 1 − MARGIN;
 * the field is looked at every EVERY steps, and few changes wait until an edge is longer than TOO_LONG.
 * New vertices start where the old mesh has their material and settle between the others (`relax.ts`); velocities are transferred by (5.1),
 * which keeps momentum and gains no energy.
 */
import { type AdaptReport, adaptMesh, MeshLocator, Triangulation, VertexMetric } from '../geometry/index.ts';
import type { Vec3 } from '../math/index.ts';
import { NODE_LAGRANGIAN, type StateReader, type StateWriter } from '../model/index.ts';
import { restoreSnapshot, type SheetAdaptation, type Snapshot, takeSnapshot } from './adapt.ts';
import { countRemeshing } from './coherence.ts';
import type { SheetCreases } from './creases.ts';
import type { NewMesh } from './new-mesh.ts';
import type { CreasePoint } from './polylines.ts';
import { relaxVertices } from './relax.ts';
import { ADAPTIVE_ANGLE, LONGEST, listPlaces, takeMesh } from './remesh.ts';
import { markCreases, type SheetSizing, SizingField } from './sizing.ts';
import { type SheetState, STRIDE } from './state.ts';
import type { SheetTouch } from './touch.ts';
import { transferVelocity } from './transfer.ts';
import { collectCreaseRows, NO_ROWS } from './velocity-rows.ts';

/** Steps of the world from one look at the field to the next; shares of a step add up but for rounding. */
const EVERY = 8;
const ROUNDING = 1e-9;
/** Room between edges that are split and edges that a vertex may leave behind. */
const MARGIN = 0.2;
/** A change is worth it where an edge is this long in the metric, or more than this share of the vertices would come and go. */
const TOO_LONG = 1.2;
const WORTH = 0.02;
/** Strain that a flipped edge may have, unless it has had more before: where the sheet is bent an edge across the bend is too short. */
const FLIP_STRAIN = 0.002;
/** How often a step may fail with a new mesh, each half as long as the one before, until the change is put off. */
const MOST_FAILURES = 5;
const NO_SHAPES = new Float64Array(0);
/** Splits at one time, over the number of vertices. */
const MOST_SPLITS = 4;

export class SheetRefinement {
  readonly sizing: SheetSizing;
  /** What the last look did; undefined before the first. */
  report: AdaptReport | undefined;
  readonly #field: SizingField;
  readonly #gravity: Vec3;
  readonly #touch: SheetTouch | undefined;
  readonly #adaptation: SheetAdaptation | undefined;
  /** Longest edge between vertices beside creases [m]. */
  readonly #beside: number;
  #before: Snapshot | undefined;
  /** Steps of the world until the next look, and whether this one has had it. */
  #wait = 0;
  #hasLooked = false;
  /** Steps in a row that failed with a new mesh. */
  #failures = 0;

  constructor(sizing: SheetSizing, gravity: Vec3, touch?: SheetTouch, adaptation?: SheetAdaptation) {
    this.sizing = sizing;
    this.#gravity = gravity;
    this.#field = new SizingField(sizing);
    this.#touch = touch;
    this.#adaptation = adaptation;
    this.#beside = LONGEST * (adaptation?.size ?? 1);
  }

  /** Before a step: true when the mesh has changed. */
  adapt(state: SheetState): boolean {
    this.#before = undefined;
    if (this.#wait > ROUNDING) return false;
    this.#hasLooked = true;
    const creases = this.#adaptation?.creases;
    const mesh = createTriangulation(state, creases);
    const mark = markCreases(state);
    const metric = this.#field.compute(state, creases);
    for (let i = 0; i < state.count; i++)
      if (mark[i] === 1 || mark[i] === 2) metric.set([1 / this.#beside ** 2, 0, 1 / this.#beside ** 2], 3 * i);
    const { kept, kind, pointMass, count } = state;
    const places = new WorldPlaces(state.q, count);
    const wanted = new VertexMetric(metric);
    let longest = 0;
    // vertices beyond `count` are new
    const isKept = (i: number): boolean => i < count && kept[i] === 1;
    this.report = adaptMesh(mesh, metric, {
      margin: MARGIN,
      minAngle: ADAPTIVE_ANGLE,
      maxSplits: MOST_SPLITS * count + 100,
      mayRemove: (i) => i >= count || (kept[i] === 0 && mark[i] === 0 && pointMass[i] === 0),
      mayFlip: (a, b, c, d) =>
        places.computeStrain(mesh, c, d) <= Math.max(FLIP_STRAIN, places.computeStrain(mesh, a, b)),
      onSplit: (v, a, b, t) => {
        places.add(v, a, b, t);
        if (a < count && b < count) longest = Math.max(longest, wanted.computeSize(mesh, a, b));
      },
      maySplit: (a, b) =>
        !(isKept(a) && isKept(b)) &&
        !(a < count && kind[a] !== NODE_LAGRANGIAN) &&
        !(b < count && kind[b] !== NODE_LAGRANGIAN),
    });
    const { splits, collapses } = this.report;
    if (longest <= TOO_LONG && splits + collapses <= WORTH * count) return false;
    this.#before = { ...takeSnapshot(state), shapes: this.#adaptation?.shapes ?? NO_SHAPES };
    this.#take(state, mesh);
    return true;
  }

  #take(state: SheetState, mesh: Triangulation): void {
    const before = this.#before!;
    const { vertices } = mesh.compact();
    const origin = new Int32Array(mesh.vertexCount).fill(-1);
    for (let i = 0; i < before.mesh.vertexCount; i++) if (vertices[i] >= 0) origin[vertices[i]] = i;
    const made: NewMesh = {
      points: mesh.points,
      triangles: mesh.corners.slice(0, 3 * mesh.triangleCount),
      origin,
      creases: Array.from(origin, (i) => (i < 0 ? undefined : describeCrease(state, i))),
      same: undefined,
    };
    const old = { q: state.q, v: state.v, mesh: state.mesh, label: state.label };
    takeMesh(state, made, old, new MeshLocator(listPlaces(state), state.mesh.triangles));
    this.#adaptation?.carryShapes(state, old);
    const isNew = Uint8Array.from(origin, (i) => (i < 0 ? 1 : 0));
    if (isNew.includes(1)) relaxVertices(state, isNew, this.#gravity);
    // chords of the old mesh may cut into bodies
    for (let i = 0; i < state.count; i++) if (isNew[i]) this.#touch?.pushOut(state.q, STRIDE * i);
    state.coherence = countRemeshing(state.coherence, before.arrays.label, state.label);
    const creases = this.#adaptation?.creases;
    const rows = creases ? collectCreaseRows(state, creases) : NO_ROWS;
    transferVelocity({ mesh: before.mesh, ...before.arrays }, state, rows);
  }

  /** After a step that is not accepted; true when there is another mesh again. What fails in shorter steps too goes on with the old one. */
  rollBack(state: SheetState, isAsLong: boolean): boolean {
    this.#hasLooked = false;
    if (this.#before === undefined) return false;
    restoreSnapshot(state, this.#before);
    if (this.#adaptation) this.#adaptation.shapes = this.#before.shapes;
    this.#before = undefined;
    if (isAsLong || ++this.#failures < MOST_FAILURES) return true;
    this.#failures = 0;
    this.#wait = EVERY;
    return true;
  }

  /** `share`: length of the step over that of the world's steps. */
  endStep(share: number): void {
    this.#before = undefined;
    this.#wait = Math.max(0, (this.#hasLooked ? EVERY : this.#wait) - share);
    this.#hasLooked = false;
    this.#failures = 0;
  }

  writeState(writer: StateWriter): void {
    writer.number(this.#wait);
    writer.number(this.#failures);
  }

  readState(reader: StateReader): void {
    this.#wait = reader.number();
    this.#failures = reader.number();
    this.#before = undefined;
    this.#hasLooked = false;
  }
}

/** Where vertices are in the world while the mesh changes. */
class WorldPlaces {
  readonly #x: number[] = [];

  constructor(q: Float64Array, count: number) {
    for (let i = 0; i < count; i++) this.#x.push(q[STRIDE * i], q[STRIDE * i + 1], q[STRIDE * i + 2]);
  }

  /** Vertex v between a and b. */
  add(v: number, a: number, b: number, t: number): void {
    for (let k = 0; k < 3; k++) this.#x[3 * v + k] = (1 - t) * this.#x[3 * a + k] + t * this.#x[3 * b + k];
  }

  /** By how much the distance of two vertices differs from that in the material, relative. */
  computeStrain({ points }: Triangulation, a: number, b: number): number {
    const x = this.#x;
    let square = 0;
    for (let k = 0; k < 3; k++) square += (x[3 * b + k] - x[3 * a + k]) ** 2;
    const rest = (points[2 * b] - points[2 * a]) ** 2 + (points[2 * b + 1] - points[2 * a + 1]) ** 2;
    return Math.abs(Math.sqrt(square / rest) - 1);
  }
}

/** The mesh in material space, creases fixed. */
function createTriangulation(state: SheetState, creases: SheetCreases | undefined): Triangulation {
  const { mesh } = state;
  const triangulation = Triangulation.fromTriangles(listPlaces(state), mesh.triangles);
  if (creases)
    for (let e = 0; e < mesh.edgeCount; e++) {
      const [a, b] = [mesh.edges[4 * e], mesh.edges[4 * e + 1]];
      if (creases.isCrease(state, a, b)) triangulation.setFixed(triangulation.findEdge(a, b), 1);
    }
  return triangulation;
}

/** The crease that a vertex is on; undefined for L-vertices. */
function describeCrease(state: SheetState, i: number): CreasePoint | undefined {
  const { q, kind, siteBody, siteEdge, siteCorner, lifted, mesh } = state;
  if (kind[i] === NODE_LAGRANGIAN) return undefined;
  return {
    vertex: i,
    X: q[STRIDE * i + 3],
    Y: q[STRIDE * i + 4],
    body: siteBody[i],
    edge: siteEdge[i],
    corner: siteCorner[i],
    along: 0,
    isBorder: mesh.isBorder[i] === 1,
    isLifted: lifted[i] > 0,
  };
}
