/**
 * Makes the mesh of a sheet conform to its creases, in material space: remeshers A (global) and B (local).   [eol-cloth-2017, ch. 5]
 *
 *   A   new mesh everywhere: border, creases and kept vertices, constrained Delaunay, quality refinement
 *   B   vertices away from creases stay, and so do the triangles between them; the same for C, which changes those by other rules
 *       (`remesh-adaptive.ts`)
 *
 * New vertices get x from the old mesh at their X, and the velocity of the material there:  w = Σ φ_i (ẋ_i − F Ẋ_i). A new E-vertex
 * starts as if it carried its material (ẋ = w, Ẋ = 0); the step that follows finds the velocities next to these, in the norm of the
 * inertia, that its constraints allow, which is the transfer (5.1) of the thesis without a solve of its own.
 */
import {
  computeConstrainedDelaunay,
  createMeshLocation,
  MeshLocator,
  refineMesh,
  type Triangulation,
} from '../geometry/index.ts';
import { NODE_EULERIAN } from '../model/index.ts';
import { SheetBorder } from './border.ts';
import type { SheetCreases } from './creases.ts';
import { SheetMesh } from './mesh.ts';
import { type CreasePoint, collectPolylines, type Polylines } from './polylines.ts';
import { type PlanPoint, type Remesher, RemeshPlan } from './remesh-plan.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Longest edge over h, and smallest angle [rad]. */
export const LONGEST = 1.5;
const SMALLEST_ANGLE = (22 * Math.PI) / 180;
/** That of adaptive meshes, which are left as they are away from creases. */
export const ADAPTIVE_ANGLE = (15 * Math.PI) / 180;

export interface RemeshReport {
  /** Smallest angle in material space [rad]. */
  readonly smallestAngle: number;
}

export function remeshSheet(state: SheetState, creases: SheetCreases, size: number, remesher: Remesher): RemeshReport {
  const border = new SheetBorder(state);
  const polylines = collectPolylines(state, creases, size, (X, Y) => border.computeDistance(X, Y));
  const plan = new RemeshPlan(state, polylines, border, size, remesher);
  const { mesh, vertexOfPoint } = computeConstrainedDelaunay(plan);
  const sources: PlanPoint[] = Array.from({ length: mesh.vertexCount }, () => ({ vertex: -1, crease: undefined }));
  // points that were merged with a point of a crease are that
  for (let p = plan.sources.length - 1; p >= 0; p--)
    if (vertexOfPoint[p] >= 0) sources[vertexOfPoint[p]] = plan.sources[p];
  const fixed = new Set<number>();
  for (let k = plan.creaseCount; k < plan.segments.length; k += 2)
    fixed.add(pairKey(vertexOfPoint[plan.segments[k]], vertexOfPoint[plan.segments[k + 1]]));
  const report = refineMesh(mesh, {
    minAngle: remesher === 'adaptive' ? ADAPTIVE_ANGLE : SMALLEST_ANGLE,
    size: remesher === 'adaptive' ? createSizeNear(polylines, LONGEST * size) : LONGEST * size,
    isProtected: (a, b) => fixed.has(pairKey(a, b)),
    maxNewVertices: 4 * state.count + 1000,
  });
  for (let k = 0; k < report.segmentEnds.length; k += 2)
    sources.push({ vertex: -1, crease: findSplit(sources, report.segmentEnds[k], report.segmentEnds[k + 1], creases) });
  takeMesh(state, mesh, sources);
  // chords of the old mesh may cut into bodies
  for (let i = 0; i < state.count; i++)
    if (sources[i].vertex < 0 && sources[i].crease === undefined) creases.touch.pushOut(state.q, STRIDE * i);
  return { smallestAngle: report.minAngle };
}

/** Longest edge near creases; an adaptive mesh is as coarse as it is elsewhere. */
function createSizeNear({ points }: Polylines, longest: number): (X: number, Y: number) => number {
  return (X, Y) =>
    points.some((point) => (point.X - X) ** 2 + (point.Y - Y) ** 2 < longest * longest)
      ? longest
      : Number.POSITIVE_INFINITY;
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
  return { vertex: -1, X: 0, Y: 0, body: p.body, edge, corner: -1, along: 0, isBorder: false };
}

/** Puts a new mesh into the state; x and velocities from the old one. */
export function takeMesh(state: SheetState, mesh: Triangulation, sources: readonly PlanPoint[]): void {
  const { q, v, label, kept, pointMass } = state;
  const old = { q, v, mesh: state.mesh };
  const triangles = mesh.corners.subarray(0, 3 * mesh.triangleCount).filter((corner) => corner >= 0);
  const points = new Float64Array(2 * state.count);
  for (let i = 0; i < state.count; i++) {
    points[2 * i] = q[STRIDE * i + 3];
    points[2 * i + 1] = q[STRIDE * i + 4];
  }
  const locator = new MeshLocator(points, state.mesh.triangles);
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
    }
  }
  state.indexLabels();
  state.measureRest();
  state.remeshings++;
}

interface OldMesh {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly mesh: SheetMesh;
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
