/**
 * What a new mesh of a sheet is to hold: the border with creases that reach it, the creases, vertices that stay, and in the local
 * remesher the triangles away from creases. A planar straight line graph in material space.   [eol-cloth-2017, Algorithm 4, §5.4]
 */
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { SheetBorder } from './border.ts';
import type { CreasePoint, Place, Polylines } from './polylines.ts';
import { type SheetState, STRIDE } from './state.ts';

export type Remesher = 'global' | 'local' | 'adaptive';

/** L-vertices nearer than this share of h to a crease are left out. */
const CLEARANCE = 0.45;
/** Vertices that remeshing brought are left out nearer than this share of h to others. */
const CROWD = 0.6;

/** What a point of the plan comes from. */
export interface PlanPoint {
  /** Old vertex, −1 for a new one. */
  readonly vertex: number;
  readonly crease: CreasePoint | undefined;
}

/** What plans of different reach have in common. */
export interface PlanGround {
  /** Distance of each old vertex to the creases [m]. */
  readonly distance: Float64Array;
  /** Distance of each old vertex to what asks for a change (local) [m]. */
  readonly trouble: Float64Array;
  /** Neighbours that are too near to vertices which the sheet did not begin with. */
  readonly crowds: ReadonlyMap<number, readonly number[]>;
}

export function surveyGround(
  state: SheetState,
  polylines: Polylines,
  size: number,
  troubled: readonly number[],
): PlanGround {
  return {
    distance: computeDistances(state, polylines),
    trouble: computeDistances(state, { points: listTrouble(state, polylines, troubled), segments: [] }),
    crowds: findCrowds(state, CROWD * size),
  };
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
  readonly #ground: PlanGround;
  /** What is further than this from trouble is left alone on the border too (adaptive) [m]. */
  readonly #reach: number;

  constructor(
    state: SheetState,
    polylines: Polylines,
    ground: PlanGround,
    border: SheetBorder,
    size: number,
    remesher: Remesher,
    reach: number,
  ) {
    this.#state = state;
    this.#size = size;
    this.#reach = remesher === 'adaptive' ? reach : Number.POSITIVE_INFINITY;
    this.#pointOf = new Int32Array(state.count).fill(-1);
    this.#ground = ground;
    const creasePoints = polylines.points.map((point) => this.#add(point.vertex, point.X, point.Y, point));
    for (const [a, b] of polylines.segments) this.segments.push(creasePoints[a], creasePoints[b]);
    this.creaseCount = this.segments.length;
    this.#addBorder(polylines, creasePoints, border);
    for (let i = 0; i < state.count; i++) {
      if (state.mesh.isBorder[i] || this.#pointOf[i] >= 0) continue;
      const isAway = this.#ground.trouble[i] > reach;
      const isClear = this.#ground.distance[i] > CLEARANCE * size && !this.#isCrowded(i);
      const stays = remesher !== 'global' && (isAway || isClear);
      if (state.kept[i] || stays) this.#addVertex(i);
    }
    if (remesher !== 'global') this.#addTriangles(reach);
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
        const mayGo = kind[i] !== NODE_LAGRANGIAN || isNear || this.#isCrowdedOnBorder(loop, k, outline);
        if (known >= 0) outline.push(known);
        else if (kept[i] || !(mayGo && border.isStraight(loop, k))) outline.push(this.#addVertex(i));
        for (const { point } of (inserted.get(`${n} ${k}`) ?? []).sort((a, b) => a.along - b.along))
          outline.push(point);
      });
      this.outlines.push(outline);
    });
  }

  /** Whether a vertex of the border that the sheet did not begin with is too near to the one before it that stays. */
  #isCrowdedOnBorder(loop: readonly number[], k: number, outline: readonly number[]): boolean {
    const { q, label, firstLabel } = this.#state;
    if (label[loop[k]] < firstLabel || this.#ground.trouble[loop[k]] > this.#reach) return false;
    const at = STRIDE * loop[k] + 3;
    const next = STRIDE * loop[(k + 1) % loop.length] + 3;
    if (Math.hypot(q[next] - q[at], q[next + 1] - q[at + 1]) < CROWD * this.#size) return true;
    const before = outline.at(-1);
    if (before === undefined) return false;
    const [X, Y] = [this.points[2 * before], this.points[2 * before + 1]];
    return Math.hypot(q[at] - X, q[at + 1] - Y) < CROWD * this.#size;
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

  /** Whether a vertex that the sheet did not begin with has neighbours that stay too near. */
  #isCrowded(i: number): boolean {
    return this.#ground.crowds.get(i)?.some((other) => other < i || this.#pointOf[other] >= 0) ?? false;
  }

  /** Edges of triangles that stay as they are. */
  #addTriangles(reach: number): void {
    const { mesh } = this.#state;
    const stays = (i: number): boolean => this.#pointOf[i] >= 0 && this.#ground.trouble[i] > reach;
    for (let e = 0; e < mesh.edgeCount; e++) {
      const [a, b, c, d] = mesh.edges.subarray(4 * e, 4 * e + 4);
      if (d >= 0 && stays(a) && stays(b) && (stays(c) || stays(d)))
        this.segments.push(this.#pointOf[a], this.#pointOf[b]);
    }
  }
}

/** Where the mesh must change: new points of creases, E-vertices that go, and the vertices given. */
function listTrouble({ q, kind, count }: SheetState, { points }: Polylines, troubled: readonly number[]): Place[] {
  const stays = new Set(points.map(({ vertex }) => vertex));
  const vertices = [...troubled];
  for (let i = 0; i < count; i++) if (kind[i] !== NODE_LAGRANGIAN && !stays.has(i)) vertices.push(i);
  return [
    ...points.filter(({ vertex }) => vertex < 0),
    ...vertices.map((i) => ({ X: q[STRIDE * i + 3], Y: q[STRIDE * i + 4] })),
  ];
}

/** Distance of each vertex to the points and segments of creases, in material space. */
function computeDistances(
  { q, count }: SheetState,
  {
    points,
    segments,
  }: { readonly points: readonly Place[]; readonly segments: readonly (readonly [number, number])[] },
): Float64Array {
  const out = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const X = q[STRIDE * i + 3];
    const Y = q[STRIDE * i + 4];
    let least = Number.POSITIVE_INFINITY;
    for (const point of points) {
      const x = point.X - X;
      const y = point.Y - Y;
      least = Math.min(least, x * x + y * y);
    }
    for (const [a, b] of segments) {
      const from = points[a];
      const dx = points[b].X - from.X;
      const dy = points[b].Y - from.Y;
      const along = (X - from.X) * dx + (Y - from.Y) * dy;
      const square = dx * dx + dy * dy;
      // its ends are among the points
      if (!(along > 0 && along < square)) continue;
      const across = (X - from.X) * dy - (Y - from.Y) * dx;
      least = Math.min(least, (across * across) / square);
    }
    out[i] = Math.sqrt(least);
  }
  return out;
}

/** Neighbours nearer than `least` [m] of vertices that the sheet did not begin with. */
function findCrowds({ q, label, mesh, firstLabel }: SheetState, least: number): Map<number, number[]> {
  const crowds = new Map<number, number[]>();
  const add = (i: number, other: number): void => {
    if (label[i] < firstLabel) return;
    const list = crowds.get(i);
    if (list) list.push(other);
    else crowds.set(i, [other]);
  };
  for (let e = 0; e < mesh.edgeCount; e++) {
    const a = mesh.edges[4 * e];
    const b = mesh.edges[4 * e + 1];
    const dX = q[STRIDE * b + 3] - q[STRIDE * a + 3];
    const dY = q[STRIDE * b + 4] - q[STRIDE * a + 4];
    if (!(dX * dX + dY * dY < least * least)) continue;
    add(a, b);
    add(b, a);
  }
  return crowds;
}
