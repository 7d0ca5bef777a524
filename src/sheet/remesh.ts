/**
 * Makes the mesh of a sheet conform to its creases, in material space: remeshers A (global) and B (local).   [eol-cloth-2017, ch. 5]
 *
 *   A   new mesh everywhere: border, creases and kept vertices, constrained Delaunay, quality refinement
 *   B   away from where creases begin, end, get or lose a vertex, or squeeze their triangles, all stays as it is; the same for C, which
 *       changes it by other rules (`remesh-adaptive.ts`)
 *
 * New vertices get x from the old mesh at their X, and the velocity of the material there:  w = Σ φ_i (ẋ_i − F Ẋ_i). A new E-vertex
 * starts as if it carried its material (ẋ = w, Ẋ = 0); the step that follows finds the velocities next to these, in the norm of the
 * inertia, that its constraints allow, which is the transfer (5.1) of the thesis without a solve of its own.
 */
import {
  computeConstrainedDelaunay,
  createMeshLocation,
  MeshLocator,
  type RefineOptions,
  refineMesh,
  type Triangulation,
} from '../geometry/index.ts';
import { NODE_EULERIAN } from '../model/index.ts';
import { SheetBorder } from './border.ts';
import type { CreaseAsk } from './crease-search.ts';
import type { SheetCreases } from './creases.ts';
import { SheetMesh } from './mesh.ts';
import { type CreasePoint, collectPolylines } from './polylines.ts';
import { type PlanPoint, type Remesher, RemeshPlan, surveyGround } from './remesh-plan.ts';
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
  const isAdaptive = remesher === 'adaptive';
  const ground = surveyGround(state, polylines, size, troubled);
  const make = (kind: Remesher, reach: number) =>
    makeMesh(new RemeshPlan(state, polylines, ground, border, size, kind, reach * size), {
      minAngle: isAdaptive ? BESIDE_COARSE : SMALLEST_ANGLE,
      // an adaptive mesh is as coarse as it is
      size: isAdaptive ? Number.POSITIVE_INFINITY : LONGEST * size,
      maxNewVertices: 4 * state.count + 1000,
    });
  let made = make(remesher, REACH[0]);
  const sharpest = isAdaptive ? ADAPTIVE_ANGLE : SHARPEST;
  const last = remesher === 'global' ? 0 : isAdaptive ? REACH.length - 1 : REACH.length;
  for (let n = 1; n <= last && made.report.minAngle < sharpest; n++) {
    const other = n < REACH.length ? make(remesher, REACH[n]) : make('global', 0);
    if (other.report.minAngle > made.report.minAngle) made = other;
  }
  const { mesh, sources, report } = made;
  for (let k = 0; k < report.segmentEnds.length; k += 2)
    sources.push({ vertex: -1, crease: findSplit(sources, report.segmentEnds[k], report.segmentEnds[k + 1], creases) });
  takeMesh(state, mesh, sources, old, locator);
  // chords of the old mesh may cut into bodies
  const pushOut = (i: number): boolean => creases.touch.pushOut(state.q, STRIDE * i);
  for (let i = 0; i < state.count; i++) {
    if (sources[i].vertex >= 0) continue;
    if (sources[i].crease === undefined) pushOut(i);
    else if (isStart) creases.putOnSite(state, i);
    else creases.seat(state, i, size);
  }
  restoreStretch(state, old, locator, (i) => state.isOnSite(i) || state.kept[i] === 1, pushOut);
  return polylines.points.reduce((sum, { vertex }) => sum + (vertex < 0 ? 1 : 0), 0);
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

/** Triangulates a plan and refines it; edges that stay are not split. */
function makeMesh(plan: RemeshPlan, options: RefineOptions) {
  const { mesh, vertexOfPoint } = computeConstrainedDelaunay(plan);
  const sources: PlanPoint[] = Array.from({ length: mesh.vertexCount }, () => ({ vertex: -1, crease: undefined }));
  // points that were merged with a point of a crease are that
  for (let p = plan.sources.length - 1; p >= 0; p--)
    if (vertexOfPoint[p] >= 0) sources[vertexOfPoint[p]] = plan.sources[p];
  const fixed = new Set<number>();
  for (let k = plan.creaseCount; k < plan.segments.length; k += 2)
    fixed.add(pairKey(vertexOfPoint[plan.segments[k]], vertexOfPoint[plan.segments[k + 1]]));
  const report = refineMesh(mesh, { ...options, isProtected: (a, b) => fixed.has(pairKey(a, b)) });
  return { mesh, sources, report };
}

const pairKey = (a: number, b: number): number => Math.min(a, b) * 2 ** 26 + Math.max(a, b);

/** The crease that a vertex between two others was put on; undefined for none. */
function findSplit(
  sources: readonly PlanPoint[],
  a: number,
  b: number,
  creases: SheetCreases,
): CreasePoint | undefined {
  const [p, r] = [a < 0 ? undefined : sources[a]?.crease, b < 0 ? undefined : sources[b]?.crease];
  if (p === undefined || r === undefined || p.body !== r.body) return undefined;
  const edge = creases.findEdgeBetween(p, r);
  if (edge < 0) return undefined;
  const isLifted = p.isLifted && r.isLifted;
  return { vertex: -1, X: 0, Y: 0, body: p.body, edge, corner: -1, along: 0, isBorder: false, isLifted };
}

/** Puts a new mesh into the state; x and velocities from the old one. */
export function takeMesh(
  state: SheetState,
  mesh: Triangulation,
  sources: readonly PlanPoint[],
  old: OldMesh,
  locator: MeshLocator,
): void {
  const { q, v, label, kept, pointMass, lifted, pulled } = state;
  const triangles = mesh.corners.subarray(0, 3 * mesh.triangleCount).filter((corner) => corner >= 0);
  state.setMesh(new SheetMesh(mesh.vertexCount, triangles));
  for (let n = 0; n < mesh.vertexCount; n++) {
    const { vertex, crease } = sources[n];
    const at = STRIDE * n;
    const [X, Y] = [mesh.points[2 * n], mesh.points[2 * n + 1]];
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
