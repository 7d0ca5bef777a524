/**
 * The part of a sheet that a plan triangulates anew: all old triangles but those that stay, and where these would leave it hanging together by
 * a point, those round that point. Its outlines run along the border of the sheet, as the plan has it, and along triangles that stay.
 *
 *      ┌──────────────┬───┐
 *      │ stay    ┌────┘   │      open triangles: those round places where creases change
 *      │         │  open  │
 *      └─────────┴────────┘
 */
import { createMeshLocation, type MeshLocator } from '../geometry/index.ts';
import type { SheetMesh } from './mesh.ts';
import type { PlanGraph, RemeshPlan } from './remesh-plan.ts';

/** Rounds of opening triangles at points where the region touches itself. */
const MOST_ROUNDS = 20;

export interface RemeshRegion {
  /** 1 for triangles that are made anew, and these in order. */
  readonly isOpen: Uint8Array;
  readonly open: readonly number[];
  readonly graph: PlanGraph;
}

/** `locator`: of the old mesh. Undefined where the region has no clean outline. */
export function cutRegion(plan: RemeshPlan, mesh: SheetMesh, locator: MeshLocator): RemeshRegion | undefined {
  const isOpen = new Uint8Array(mesh.triangleCount);
  for (let t = 0; t < mesh.triangleCount; t++) if (!plan.keeps(t)) isOpen[t] = 1;
  openAtPoints(plan, mesh, locator, isOpen);
  openAlongSegments(plan, mesh, isOpen);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const open: number[] = [];
    for (let t = 0; t < mesh.triangleCount; t++) if (isOpen[t] === 1) open.push(t);
    const rim = new Rim(mesh, isOpen, open);
    if (rim.touches.length > 0) {
      for (const i of rim.touches) openAround(mesh, i, isOpen);
      continue;
    }
    const graph = listGraph(plan, mesh, isOpen, open, rim);
    return graph && { isOpen, open, graph };
  }
  return undefined;
}

/** Opens triangles in which, or on whose border, there are new points. */
function openAtPoints(plan: RemeshPlan, mesh: SheetMesh, locator: MeshLocator, isOpen: Uint8Array): void {
  const location = createMeshLocation();
  for (let node = mesh.vertexCount; node < plan.nodeCount; node++) {
    locator.writeLocation(plan.placeX(node), plan.placeY(node), location);
    isOpen[location.triangle] = 1;
  }
  for (const edge of plan.inserted.keys()) isOpen[mesh.edgeTriangles[2 * edge]] = 1;
}

/** Opens triangles that creases run through which the mesh does not have as edges. */
function openAlongSegments(plan: RemeshPlan, mesh: SheetMesh, isOpen: Uint8Array): void {
  const { triangles, triangleCount } = mesh;
  for (let k = 0; k < plan.segments.length; k += 2) {
    const [a, b] = [plan.segments[k], plan.segments[k + 1]];
    if (findEdge(mesh, a, b) >= 0) continue;
    for (let t = 0; t < triangleCount; t++)
      if (isOpen[t] === 0 && runsThrough(plan, a, b, triangles, 3 * t)) isOpen[t] = 1;
  }
}

/** Whether the segment between two nodes may run through the triangle whose corners are at `at`. */
function runsThrough(plan: RemeshPlan, a: number, b: number, triangles: Int32Array, at: number): boolean {
  const x = plan.placeX(a);
  const y = plan.placeY(a);
  const dx = plan.placeX(b) - x;
  const dy = plan.placeY(b) - y;
  const square = dx * dx + dy * dy;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let before = 0;
  let after = 0;
  for (let n = at; n < at + 3; n++) {
    const px = plan.placeX(triangles[n]) - x;
    const py = plan.placeY(triangles[n]) - y;
    const side = dx * py - dy * px;
    const along = dx * px + dy * py;
    least = Math.min(least, side);
    most = Math.max(most, side);
    if (along <= 0) before++;
    if (along >= square) after++;
  }
  return least < 0 && most > 0 && before < 3 && after < 3;
}

/** The edge of the mesh between two nodes; −1 where it has none. */
function findEdge({ vertexCount, edges, edgeStart, vertexEdges }: SheetMesh, a: number, b: number): number {
  if (a >= vertexCount || b >= vertexCount) return -1;
  for (let k = edgeStart[a]; k < edgeStart[a + 1]; k++) {
    const e = vertexEdges[k];
    if (edges[4 * e] + edges[4 * e + 1] === a + b) return e;
  }
  return -1;
}

function openAround({ edgeStart, vertexEdges, edgeTriangles }: SheetMesh, i: number, isOpen: Uint8Array): void {
  for (let k = edgeStart[i]; k < edgeStart[i + 1]; k++)
    for (let side = 0; side < 2; side++) {
      const t = edgeTriangles[2 * vertexEdges[k] + side];
      if (t >= 0) isOpen[t] = 1;
    }
}

/** The edges between open triangles and what is not open. */
class Rim {
  /** Vertices from which two of them go, and those from which some does. */
  readonly touches: number[] = [];
  readonly vertices: number[] = [];
  /** Of a vertex on the rim: the edge from it, open triangles on the left, and where that leads. */
  readonly edge: Int32Array;
  readonly next: Int32Array;

  constructor(mesh: SheetMesh, isOpen: Uint8Array, open: readonly number[]) {
    const { triangles, triangleEdges, edgeTriangles } = mesh;
    this.edge = new Int32Array(mesh.vertexCount).fill(-1);
    this.next = new Int32Array(mesh.vertexCount).fill(-1);
    for (const t of open)
      for (let k = 0; k < 3; k++) {
        const e = triangleEdges[3 * t + k];
        const other = edgeTriangles[2 * e] === t ? edgeTriangles[2 * e + 1] : edgeTriangles[2 * e];
        if (other >= 0 && isOpen[other] === 1) continue;
        const from = triangles[3 * t + ((k + 1) % 3)];
        if (this.edge[from] >= 0) this.touches.push(from);
        else this.vertices.push(from);
        this.edge[from] = e;
        this.next[from] = triangles[3 * t + ((k + 2) % 3)];
      }
  }
}

/** Undefined where an outline has fewer than three points. */
function listGraph(
  plan: RemeshPlan,
  mesh: SheetMesh,
  isOpen: Uint8Array,
  open: readonly number[],
  rim: Rim,
): PlanGraph | undefined {
  const isIn = new Uint8Array(plan.nodeCount);
  for (const t of open) for (let k = 3 * t; k < 3 * t + 3; k++) isIn[mesh.triangles[k]] = plan.stays[mesh.triangles[k]];
  isIn.fill(1, mesh.vertexCount);
  const nodes = plan.listCreaseNodes().filter((node) => isIn[node] === 1);
  for (const node of nodes) isIn[node] = 0;
  for (let i = 0; i < mesh.vertexCount; i++) if (isIn[i] === 1) nodes.push(i);
  const segments: number[] = [];
  for (let k = 0; k < plan.segments.length; k += 2) {
    const [a, b] = [plan.segments[k], plan.segments[k + 1]];
    const e = findEdge(mesh, a, b);
    const [left, right] = e < 0 ? [-1, -1] : [mesh.edgeTriangles[2 * e], mesh.edgeTriangles[2 * e + 1]];
    // others are on the rim, or where nothing changes
    if (e < 0 || (isOpen[left] === 1 && right >= 0 && isOpen[right] === 1)) segments.push(a, b);
  }
  const { outlines, fixed } = traceRim(plan, mesh, rim);
  if (outlines.some((outline) => outline.length < 3)) return undefined;
  return { nodes, segments, outlines, fixed };
}

function traceRim(plan: RemeshPlan, mesh: SheetMesh, { vertices, edge, next }: Rim) {
  const outlines: number[][] = [];
  const fixed: number[] = [];
  const isDone = new Uint8Array(mesh.vertexCount);
  for (const start of vertices) {
    if (isDone[start]) continue;
    const outline: number[] = [];
    for (let i = start; !isDone[i]; i = next[i]) {
      isDone[i] = 1;
      if (plan.stays[i]) outline.push(i);
      if (mesh.edges[4 * edge[i] + 3] >= 0) fixed.push(i, next[i]);
      else for (const { node } of plan.inserted.get(edge[i]) ?? []) outline.push(node);
    }
    outlines.push(outline);
  }
  return { outlines, fixed };
}
