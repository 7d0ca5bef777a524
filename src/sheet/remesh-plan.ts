/**
 * What a new mesh of a sheet is to hold: the border with creases that reach it, the creases, vertices that stay, and in the local
 * remesher the triangles away from creases. A planar straight line graph in material space.   [eol-cloth-2017, Algorithm 4, §5.4]
 */
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { SheetBorder } from './border.ts';
import type { CreasePoint, Polylines } from './polylines.ts';
import { type SheetState, STRIDE } from './state.ts';

export type Remesher = 'global' | 'local' | 'adaptive';

/** L-vertices nearer than this share of h to a crease are left out. */
const CLEARANCE = 0.45;
/** The same where the mesh is adaptive: creases may have twice as many vertices as `size` says, and triangles stay thick enough beside these. */
const ADAPTIVE_CLEARANCE = 0.62;
/** Triangles with a corner nearer than this many h to a crease may change (local, adaptive). */
const REACH = 1.2;

/** What a point of the plan comes from. */
export interface PlanPoint {
  /** Old vertex, −1 for a new one. */
  readonly vertex: number;
  readonly crease: CreasePoint | undefined;
}

export class RemeshPlan {
  /** Two coordinates a point, and where it comes from. */
  readonly points: number[] = [];
  readonly sources: PlanPoint[] = [];
  /** Pairs of points: creases, then edges that stay. */
  readonly segments: number[] = [];
  readonly creaseCount: number;
  readonly outlines: number[][] = [];
  readonly #state: SheetState;
  readonly #size: number;
  /** Point of the plan of each old vertex, −1 none. */
  readonly #pointOf: Int32Array;
  /** Distance of each old vertex to the creases [m]. */
  readonly #distance: Float64Array;

  constructor(state: SheetState, polylines: Polylines, border: SheetBorder, size: number, remesher: Remesher) {
    this.#state = state;
    this.#size = size;
    this.#pointOf = new Int32Array(state.count).fill(-1);
    this.#distance = computeDistances(state, polylines);
    const creasePoints = polylines.points.map((point) => this.#add(point.vertex, point.X, point.Y, point));
    for (const [a, b] of polylines.segments) this.segments.push(creasePoints[a], creasePoints[b]);
    this.creaseCount = this.segments.length;
    this.#addBorder(polylines, creasePoints, border);
    for (let i = 0; i < state.count; i++) {
      if (state.mesh.isBorder[i] || this.#pointOf[i] >= 0) continue;
      const clearance = remesher === 'adaptive' ? ADAPTIVE_CLEARANCE : CLEARANCE;
      const stays = remesher !== 'global' && this.#distance[i] > clearance * size;
      if (state.kept[i] || stays) this.#addVertex(i);
    }
    if (remesher !== 'global') this.#addTriangles();
  }

  #add(vertex: number, X: number, Y: number, crease: CreasePoint | undefined): number {
    const at = this.sources.length;
    this.points.push(X, Y);
    this.sources.push({ vertex, crease });
    if (vertex >= 0) this.#pointOf[vertex] = at;
    return at;
  }

  #addVertex(i: number): number {
    return this.#add(i, this.#state.q[STRIDE * i + 3], this.#state.q[STRIDE * i + 4], undefined);
  }

  /** Loops of the border with the creases that reach it in their places. */
  #addBorder(polylines: Polylines, creasePoints: readonly number[], border: SheetBorder): void {
    const { kept, kind } = this.#state;
    /** New points by loop and side. */
    const inserted = new Map<string, { along: number; point: number }[]>();
    const onBorder: CreasePoint[] = [];
    polylines.points.forEach((crease, n) => {
      if (!crease.isBorder) return;
      onBorder.push(crease);
      if (crease.vertex >= 0) return;
      const { loop, side, along } = border.findNearest(crease.X, crease.Y);
      this.#projectToSide(creasePoints[n], border.loops[loop], side, along);
      const key = `${loop} ${side}`;
      const list = inserted.get(key) ?? [];
      list.push({ along, point: creasePoints[n] });
      inserted.set(key, list);
    });
    border.loops.forEach((loop, n) => {
      const outline: number[] = [];
      loop.forEach((i, k) => {
        const known = this.#pointOf[i];
        const isNear = onBorder.some((crease) => crease.vertex !== i && this.#isWithin(i, crease));
        const mayGo = kind[i] !== NODE_LAGRANGIAN || isNear;
        if (known >= 0) outline.push(known);
        else if (kept[i] || !(mayGo && border.isStraight(loop, k))) outline.push(this.#addVertex(i));
        for (const { point } of (inserted.get(`${n} ${k}`) ?? []).sort((a, b) => a.along - b.along))
          outline.push(point);
      });
      this.outlines.push(outline);
    });
  }

  #projectToSide(point: number, loop: readonly number[], side: number, along: number): void {
    const { q } = this.#state;
    const a = STRIDE * loop[side] + 3;
    const b = STRIDE * loop[(side + 1) % loop.length] + 3;
    for (let k = 0; k < 2; k++) this.points[2 * point + k] = q[a + k] + along * (q[b + k] - q[a + k]);
  }

  #isWithin(i: number, { X, Y }: CreasePoint): boolean {
    const { q } = this.#state;
    return Math.hypot(q[STRIDE * i + 3] - X, q[STRIDE * i + 4] - Y) < CLEARANCE * this.#size;
  }

  /** Edges of triangles that stay as they are. */
  #addTriangles(): void {
    const { mesh } = this.#state;
    const reach = REACH * this.#size;
    const stays = (i: number): boolean => this.#pointOf[i] >= 0 && this.#distance[i] > reach;
    for (let e = 0; e < mesh.edgeCount; e++) {
      const [a, b, c, d] = mesh.edges.subarray(4 * e, 4 * e + 4);
      if (d >= 0 && stays(a) && stays(b) && (stays(c) || stays(d)))
        this.segments.push(this.#pointOf[a], this.#pointOf[b]);
    }
  }
}

/** Distance of each vertex to the points and segments of creases, in material space. */
function computeDistances({ q, count }: SheetState, { points, segments }: Polylines): Float64Array {
  const out = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < count; i++) {
    const [X, Y] = [q[STRIDE * i + 3], q[STRIDE * i + 4]];
    for (const point of points) out[i] = Math.min(out[i], Math.hypot(point.X - X, point.Y - Y));
    for (const [a, b] of segments) {
      const [p, r] = [points[a], points[b]];
      const [dx, dy] = [r.X - p.X, r.Y - p.Y];
      const s = Math.min(1, Math.max(0, ((X - p.X) * dx + (Y - p.Y) * dy) / (dx * dx + dy * dy)));
      out[i] = Math.min(out[i], Math.hypot(p.X + s * dx - X, p.Y + s * dy - Y));
    }
  }
  return out;
}
