/**
 * Makes the mesh of a sheet conform to its creases, in material space: remeshers A (global) and B (local).   [Piddington 2017, ch. 5]
 *
 *   A   new mesh everywhere: border, creases and kept vertices, constrained Delaunay, quality refinement
 *   B   away from where creases begin, end, get or lose a vertex, or squeeze their triangles, all stays as it is; the same for C, which
 *       changes it by other rules (`remesh-adaptive.ts`)
 *
 * New vertices get x from the old mesh at their X, and the velocity of the material there:  w = Σ φ_i (ẋ_i − F Ẋ_i). A new E-vertex
 * starts as if it carried its material (ẋ = w, Ẋ = 0); the step that follows finds the velocities next to these, in the norm of the
 * inertia, that its constraints allow, which is the transfer (5.1) of the thesis without a solve of its own.
 */
import { computeSmallestAngle, createMeshLocation, MeshLocator, type RefineOptions } from '../geometry/index.ts';
import { NODE_EULERIAN } from '../model/index.ts';
import { SheetBorder } from './border.ts';
import type { CreaseAsk } from './crease-search.ts';
import type { SheetCreases } from './creases.ts';
import { SheetMesh } from './mesh.ts';
import { draftRegion, draftWhole, type MeshDraft, type NewMesh } from './new-mesh.ts';
import { collectPolylines, type Polylines } from './polylines.ts';
import { type PlanGround, surveyGround } from './remesh-ground.ts';
import { type Remesher, RemeshPlan } from './remesh-plan.ts';
import { cutRegion } from './remesh-region.ts';
import { type SheetState, STRIDE } from './state.ts';
import { type OldMesh, restoreStretch } from './stretch-transfer.ts';

/** Longest edge over h, and smallest angle [rad]. */
export const LONGEST = 1.5;
const SMALLEST_ANGLE = (22 * Math.PI) / 180;
/** Smallest angle that local changes of adaptive meshes leave, and the one wanted where these meet creases [rad]. */
export const ADAPTIVE_ANGLE = (15 * Math.PI) / 180;
const BESIDE_COARSE = (25 * Math.PI) / 180;
/**
 * Local: triangles with a corner nearer than this many h to a place of trouble may change; where angles come out smaller than
 * `SHARPEST`, the next, at last all of them.
 */
const REACH = [1.5, 2.5, 5];
const SHARPEST = (18 * Math.PI) / 180;

/**
 * `troubled`: vertices around which the local remesher may change the mesh, besides new and old ends of creases. `start`: what a sheet
 * that starts over edges of bodies is read off (`start-cut.ts`). Returns how many of the places that were asked for, or were needed
 * between them, it got.
 */
export function remeshSheet(
  state: SheetState,
  creases: SheetCreases,
  size: number,
  remesher: Remesher,
  troubled: readonly number[],
  start?: OldMesh,
): number {
  const isStart = start !== undefined;
  const border = new SheetBorder(state);
  const old = start ?? { q: state.q, v: state.v, mesh: state.mesh, label: state.label };
  const locator = new MeshLocator(listPlaces(old), old.mesh.triangles);
  const polylines = collectPolylines(state, creases, size, border, locator, isStart);
  const ground = surveyGround(state, polylines, size, troubled, REACH[REACH.length - 1] * size);
  const made = new MeshChoice({ state, creases, size, border, polylines, ground, locator }, remesher, isStart).find();
  takeMesh(state, made, old, locator);
  // chords of the old mesh may cut into bodies
  const pushOut = (i: number): boolean => creases.touch.pushOut(state.q, STRIDE * i);
  for (let i = 0; i < state.count; i++) {
    if (made.origin[i] >= 0) continue;
    if (made.creases[i] === undefined) pushOut(i);
    else if (isStart) creases.putOnSite(state, i);
    else creases.seat(state, i, size);
  }
  restoreStretch(state, old, locator, (i) => state.isOnSite(i) || state.kept[i] === 1, pushOut, made.same);
  return polylines.points.reduce((sum, { vertex }) => sum + (vertex < 0 ? 1 : 0), 0);
}

/** What a new mesh is made from; `locator`: of the mesh that is there. */
interface MeshNeeds {
  readonly state: SheetState;
  readonly creases: SheetCreases;
  readonly size: number;
  readonly border: SheetBorder;
  readonly polylines: Polylines;
  readonly ground: PlanGround;
  readonly locator: MeshLocator;
}

/** Meshes of growing reach, until one has no sharp angles. */
class MeshChoice {
  readonly #needs: MeshNeeds;
  readonly #remesher: Remesher;
  /** Whether all is triangulated anew, whatever stays. */
  readonly #isWhole: boolean;
  readonly #options: RefineOptions;

  constructor(needs: MeshNeeds, remesher: Remesher, isWhole: boolean) {
    this.#needs = needs;
    this.#remesher = remesher;
    this.#isWhole = isWhole || remesher === 'global';
    const isAdaptive = remesher === 'adaptive';
    this.#options = {
      minAngle: isAdaptive ? BESIDE_COARSE : SMALLEST_ANGLE,
      // an adaptive mesh is as coarse as it is
      size: isAdaptive ? Number.POSITIVE_INFINITY : LONGEST * needs.size,
      maxNewVertices: 4 * needs.state.count + 1000,
    };
  }

  find(): NewMesh {
    const remesher = this.#remesher;
    const isAdaptive = remesher === 'adaptive';
    let made = this.#draft(remesher, REACH[0], 0)!;
    const sharpest = isAdaptive ? ADAPTIVE_ANGLE : SHARPEST;
    const last = remesher === 'global' ? 0 : isAdaptive ? REACH.length - 1 : REACH.length;
    for (let n = 1; n <= last && made.minAngle < sharpest; n++) {
      const other =
        n < REACH.length ? this.#draft(remesher, REACH[n], made.minAngle) : this.#draft('global', 0, made.minAngle);
      if (other !== undefined && other.minAngle > made.minAngle) made = other;
    }
    return made.complete();
  }

  /** Undefined where triangles that stay have no larger angles than `least` [rad]. */
  #draft(kind: Remesher, reach: number, least: number): MeshDraft | undefined {
    const { state, creases, size, border, polylines, ground, locator } = this.#needs;
    const { mesh } = state;
    const plan = new RemeshPlan(state, polylines, ground, border, size, kind, reach * size);
    const region = this.#isWhole || kind === 'global' ? undefined : cutRegion(plan, mesh, locator);
    if (region === undefined) return draftWhole(plan, mesh, creases, this.#options);
    const kept = computeLeastAngle(state, region.isOpen);
    if (!(kept > least)) return undefined;
    return (
      draftRegion(plan, region, mesh, creases, this.#options, kept) ?? draftWhole(plan, mesh, creases, this.#options)
    );
  }
}

/** Smallest angle in material space of triangles that are not open [rad]. */
function computeLeastAngle({ q, mesh: { triangles, triangleCount } }: SheetState, isOpen: Uint8Array): number {
  let least = Math.PI;
  for (let t = 0; t < triangleCount; t++) {
    if (isOpen[t] === 1) continue;
    const a = STRIDE * triangles[3 * t] + 3;
    const b = STRIDE * triangles[3 * t + 1] + 3;
    const c = STRIDE * triangles[3 * t + 2] + 3;
    least = Math.min(least, computeSmallestAngle(q[a], q[a + 1], q[b], q[b + 1], q[c], q[c + 1]));
  }
  return least;
}

/** Whether a remeshing would get any of the places `asks`. */
export function hasNewPlaces(
  state: SheetState,
  creases: SheetCreases,
  size: number,
  asks: readonly CreaseAsk[],
): boolean {
  const border = new SheetBorder(state);
  const locator = new MeshLocator(listPlaces(state), state.mesh.triangles);
  const { points } = collectPolylines(state, creases, size, border, locator, false, asks);
  return points.some(({ vertex }) => vertex < 0);
}

/** Material coordinates of all vertices, two each. */
export function listPlaces({ q, mesh: { vertexCount } }: Pick<SheetState, 'q' | 'mesh'>): Float64Array {
  const points = new Float64Array(2 * vertexCount);
  for (let i = 0; i < vertexCount; i++) for (let k = 0; k < 2; k++) points[2 * i + k] = q[STRIDE * i + 3 + k];
  return points;
}

/** Puts a new mesh into the state; x and velocities from the old one. */
export function takeMesh(state: SheetState, made: NewMesh, old: OldMesh, locator: MeshLocator): void {
  const { q, v, label, kept, pointMass, lifted, pulled } = state;
  state.setMesh(new SheetMesh(made.origin.length, made.triangles));
  for (let n = 0; n < made.origin.length; n++) {
    const vertex = made.origin[n];
    const crease = made.creases[n];
    const at = STRIDE * n;
    const X = made.points[2 * n];
    const Y = made.points[2 * n + 1];
    // one that carries its material again takes over the velocity of that
    const isSame =
      vertex >= 0 && (crease !== undefined || (v[STRIDE * vertex + 3] === 0 && v[STRIDE * vertex + 4] === 0));
    if (vertex >= 0) {
      for (let k = 0; k < STRIDE; k++) {
        state.q[at + k] = q[STRIDE * vertex + k];
        if (isSame) state.v[at + k] = v[STRIDE * vertex + k];
      }
      state.kept[n] = kept[vertex];
      state.pointMass[n] = pointMass[vertex];
    }
    if (!isSame) interpolate(old, locator, X, Y, state, at, vertex < 0);
    state.q[at + 3] = X;
    state.q[at + 4] = Y;
    state.label[n] = vertex >= 0 ? label[vertex] : state.nextLabel++;
    if (crease !== undefined) {
      state.kind[n] = NODE_EULERIAN;
      state.siteBody[n] = crease.body;
      state.siteEdge[n] = crease.corner >= 0 ? -1 : crease.edge;
      state.siteCorner[n] = crease.corner;
      state.pulled[n] = vertex >= 0 ? pulled[vertex] : 0;
      state.lifted[n] = vertex >= 0 ? lifted[vertex] : crease.isLifted ? 1 : 0;
    }
  }
  state.indexLabels();
  state.measureRest();
  state.remeshings++;
}

/** Velocity of the material at (X, Y) of the old mesh, and where it is, into the new state at `at`. */
function interpolate(
  { q, v, mesh }: OldMesh,
  locator: MeshLocator,
  X: number,
  Y: number,
  out: SheetState,
  at: number,
  withPlace: boolean,
): void {
  const location = createMeshLocation();
  locator.writeLocation(X, Y, location);
  const [a, b, c] = mesh.triangles.subarray(3 * location.triangle, 3 * location.triangle + 3).map((i) => STRIDE * i);
  const [ux, uy, wx, wy] = [q[b + 3] - q[a + 3], q[b + 4] - q[a + 4], q[c + 3] - q[a + 3], q[c + 4] - q[a + 4]];
  const det = ux * wy - uy * wx;
  // Ẋ of the mesh at the point, in shares of the triangle's sides
  let [rx, ry] = [0, 0];
  [a, b, c].forEach((corner, n) => {
    rx += location.weights[n] * v[corner + 3];
    ry += location.weights[n] * v[corner + 4];
  });
  const alongB = (rx * wy - ry * wx) / det;
  const alongC = (ux * ry - uy * rx) / det;
  for (let k = 0; k < 3; k++) {
    let [place, speed] = [0, 0];
    [a, b, c].forEach((corner, n) => {
      place += location.weights[n] * q[corner + k];
      speed += location.weights[n] * v[corner + k];
    });
    if (withPlace) out.q[at + k] = place;
    out.v[at + k] = speed - alongB * (q[b + k] - q[a + k]) - alongC * (q[c + k] - q[a + k]);
  }
}
