/**
 * Makes the new mesh of a sheet that a plan asks for: constrained Delaunay triangles, refined. Where old triangles stay, only the region
 * of the others is triangulated anew (`remesh-region.ts`), and its triangles take the place of those that were there.
 */
import { computeConstrainedDelaunay, type RefineOptions, refineMesh, type Triangulation } from '../geometry/index.ts';
import type { SheetCreases } from './creases.ts';
import type { SheetMesh } from './mesh.ts';
import type { CreasePoint } from './polylines.ts';
import type { PlanGraph, RemeshPlan } from './remesh-plan.ts';
import type { RemeshRegion } from './remesh-region.ts';

/** A mesh and where it comes from. */
export interface NewMesh {
  /** Two coordinates a vertex; three vertices a triangle. */
  readonly points: Float64Array;
  readonly triangles: Int32Array;
  /** Old vertex that each is, −1 for new ones; and the crease that it is on. */
  readonly origin: Int32Array;
  readonly creases: readonly (CreasePoint | undefined)[];
  /** The same triangle of the old mesh, −1 for none; undefined where that is not known. */
  readonly same: Int32Array | undefined;
}

/** Triangles of a graph. */
interface GraphMesh {
  readonly mesh: Triangulation;
  /** Node of each vertex, −1 for those that were added, and the crease that it is on. */
  readonly nodes: Int32Array;
  readonly creases: (CreasePoint | undefined)[];
  /** Smallest angle [rad]. */
  readonly minAngle: number;
  readonly vertexOf: (node: number) => number;
}

function triangulate(plan: RemeshPlan, graph: PlanGraph, creases: SheetCreases, options: RefineOptions): GraphMesh {
  const points = new Float64Array(2 * graph.nodes.length);
  const place = new Int32Array(plan.nodeCount).fill(-1);
  graph.nodes.forEach((node, k) => {
    points[2 * k] = plan.placeX(node);
    points[2 * k + 1] = plan.placeY(node);
    place[node] = k;
  });
  const { mesh, vertexOfPoint } = computeConstrainedDelaunay({
    points,
    segments: graph.segments.map((node) => place[node]),
    outlines: graph.outlines.map((loop) => loop.map((node) => place[node])),
  });
  const vertexOf = (node: number): number => (place[node] < 0 ? -1 : vertexOfPoint[place[node]]);
  const known = mesh.vertexCount;
  const first = new Int32Array(known).fill(-1);
  // points that were merged with one before them are that: those of creases come first
  for (let k = graph.nodes.length - 1; k >= 0; k--) if (vertexOfPoint[k] >= 0) first[vertexOfPoint[k]] = graph.nodes[k];
  const fixed = new Set<number>();
  for (let k = 0; k < graph.fixed.length; k += 2)
    fixed.add(pairKey(vertexOf(graph.fixed[k]), vertexOf(graph.fixed[k + 1])));
  const report = refineMesh(mesh, { ...options, isProtected: (a, b) => fixed.has(pairKey(a, b)) });
  const nodes = new Int32Array(mesh.vertexCount).fill(-1);
  nodes.set(first);
  const on: (CreasePoint | undefined)[] = Array.from(first, (node) => (node < 0 ? undefined : plan.creaseOf(node)));
  for (let k = 0; k < report.segmentEnds.length; k += 2)
    on.push(findSplit(on, report.segmentEnds[k], report.segmentEnds[k + 1], creases));
  return { mesh, nodes, creases: on, minAngle: report.minAngle, vertexOf };
}

const pairKey = (a: number, b: number): number => Math.min(a, b) * 2 ** 26 + Math.max(a, b);

/** The crease that a vertex between two others was put on; undefined for none. */
function findSplit(
  on: readonly (CreasePoint | undefined)[],
  a: number,
  b: number,
  creases: SheetCreases,
): CreasePoint | undefined {
  const [p, r] = [a < 0 ? undefined : on[a], b < 0 ? undefined : on[b]];
  if (p === undefined || r === undefined || p.body !== r.body) return undefined;
  const edge = creases.findEdgeBetween(p, r);
  if (edge < 0) return undefined;
  const isLifted = p.isLifted && r.isLifted;
  return { vertex: -1, X: 0, Y: 0, body: p.body, edge, corner: -1, along: 0, isBorder: false, isLifted };
}

/** A mesh, not taken yet, and the smallest angle that it has. */
export interface MeshDraft {
  readonly minAngle: number;
  complete(): NewMesh;
}

/** All of the plan triangulated anew; `old`: the mesh that the nodes are vertices of. */
export function draftWhole(plan: RemeshPlan, old: SheetMesh, creases: SheetCreases, options: RefineOptions): MeshDraft {
  const made = triangulate(plan, listWhole(plan, old), creases, options);
  const { mesh, nodes, minAngle } = made;
  const complete = (): NewMesh => {
    const triangles = mesh.corners.subarray(0, 3 * mesh.triangleCount).filter((corner) => corner >= 0);
    return {
      points: mesh.points.slice(0, 2 * mesh.vertexCount),
      triangles,
      origin: nodes.map((node) => (node < old.vertexCount ? node : -1)),
      creases: made.creases,
      same: undefined,
    };
  };
  return { minAngle, complete };
}

/** Creases, border, what is inside; edges of triangles that stay are held. */
function listWhole(plan: RemeshPlan, { vertexCount, isBorder, edges, edgeCount, edgeTriangles }: SheetMesh): PlanGraph {
  const nodes = plan.listCreaseNodes();
  const isListed = new Uint8Array(plan.nodeCount);
  const add = (node: number): void => {
    if (isListed[node] === 0) nodes.push(node);
    isListed[node] = 1;
  };
  for (const node of nodes) isListed[node] = 1;
  for (const outline of plan.outlines) outline.forEach(add);
  for (let i = 0; i < vertexCount; i++) if (!isBorder[i] && plan.stays[i]) add(i);
  const fixed: number[] = [];
  for (let e = 0; e < edgeCount; e++) {
    const right = edgeTriangles[2 * e + 1];
    if (right >= 0 && (plan.keeps(edgeTriangles[2 * e]) || plan.keeps(right)))
      fixed.push(edges[4 * e], edges[4 * e + 1]);
  }
  return { nodes, segments: [...plan.segments, ...fixed], outlines: plan.outlines, fixed };
}

/**
 * The region triangulated anew, all else as it was; undefined where the two do not fit together. `keptAngle`: smallest angle of the
 * triangles that stay [rad].
 */
export function draftRegion(
  plan: RemeshPlan,
  region: RemeshRegion,
  old: SheetMesh,
  creases: SheetCreases,
  options: RefineOptions,
  keptAngle: number,
): MeshDraft | undefined {
  if (region.open.length === 0) return { minAngle: keptAngle, complete: () => splice(plan, region, old, undefined) };
  const made = triangulate(plan, region.graph, creases, options);
  return fits(made, region.graph)
    ? { minAngle: Math.min(keptAngle, made.minAngle), complete: () => splice(plan, region, old, made) }
    : undefined;
}

/** Whether the edges between a region and what stays are as they were. */
function fits({ mesh, nodes, vertexOf }: GraphMesh, { fixed }: PlanGraph): boolean {
  for (let k = 0; k < fixed.length; k += 2) {
    const [a, b] = [vertexOf(fixed[k]), vertexOf(fixed[k + 1])];
    if (a < 0 || b < 0 || nodes[a] !== fixed[k] || nodes[b] !== fixed[k + 1]) return false;
    const e = mesh.findEdge(a, b);
    if (e < 0 || mesh.twins[e] >= 0) return false;
  }
  return true;
}

/** Vertices that stay in their order, then new ones; triangles that stay in their order, then those of the region. */
function splice(plan: RemeshPlan, region: RemeshRegion, old: SheetMesh, made: GraphMesh | undefined): NewMesh {
  const { vertexCount, triangleCount } = old;
  const inside = made ? made.mesh.corners.subarray(0, 3 * made.mesh.triangleCount).filter((corner) => corner >= 0) : [];
  const number = new Int32Array(vertexCount).fill(-1);
  const regionCount = made?.mesh.vertexCount ?? 0;
  for (let t = 0; t < triangleCount; t++)
    if (region.isOpen[t] === 0) for (let k = 3 * t; k < 3 * t + 3; k++) number[old.triangles[k]] = 0;
  for (let v = 0; v < regionCount; v++)
    if (made!.nodes[v] >= 0 && made!.nodes[v] < vertexCount) number[made!.nodes[v]] = 0;
  let count = 0;
  for (let i = 0; i < vertexCount; i++) if (number[i] === 0) number[i] = count++;
  const numberInside = new Int32Array(regionCount);
  for (let v = 0; v < regionCount; v++) {
    const node = made!.nodes[v];
    numberInside[v] = node >= 0 && node < vertexCount ? number[node] : count++;
  }
  const points = new Float64Array(2 * count);
  const origin = new Int32Array(count).fill(-1);
  const creases: (CreasePoint | undefined)[] = new Array(count).fill(undefined);
  for (let i = 0; i < vertexCount; i++) {
    if (number[i] < 0) continue;
    origin[number[i]] = i;
    points[2 * number[i]] = plan.placeX(i);
    points[2 * number[i] + 1] = plan.placeY(i);
    creases[number[i]] = plan.creaseOf(i);
  }
  for (let v = 0; v < regionCount; v++) {
    const n = numberInside[v];
    if (origin[n] >= 0) continue;
    points[2 * n] = made!.mesh.points[2 * v];
    points[2 * n + 1] = made!.mesh.points[2 * v + 1];
    creases[n] = made!.creases[v];
  }
  const keptCount = triangleCount - region.open.length;
  const triangles = new Int32Array(3 * keptCount + inside.length);
  const same = new Int32Array(triangles.length / 3).fill(-1);
  let at = 0;
  for (let t = 0; t < triangleCount; t++) {
    if (region.isOpen[t] === 1) continue;
    same[at / 3] = t;
    for (let k = 3 * t; k < 3 * t + 3; k++) triangles[at++] = number[old.triangles[k]];
  }
  for (const v of inside) triangles[at++] = numberInside[v];
  findSame(old, region.open, origin, triangles, keptCount, same);
  return { points, triangles, origin, creases, same };
}

/** Looks for triangles, from a first one on, among old ones. */
function findSame(
  old: SheetMesh,
  open: readonly number[],
  origin: Int32Array,
  triangles: Int32Array,
  first: number,
  same: Int32Array,
): void {
  const n = old.vertexCount;
  const keyOf = (a: number, b: number, c: number): number => {
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    return (low * n + (a + b + c - low - high)) * n + high;
  };
  const known = new Map<number, number>();
  for (const t of open) known.set(keyOf(old.triangles[3 * t], old.triangles[3 * t + 1], old.triangles[3 * t + 2]), t);
  for (let t = first; t < same.length; t++) {
    const [a, b, c] = [origin[triangles[3 * t]], origin[triangles[3 * t + 1]], origin[triangles[3 * t + 2]]];
    if (a >= 0 && b >= 0 && c >= 0) same[t] = known.get(keyOf(a, b, c)) ?? -1;
  }
}
