/**
 * Which vertices and triangles, and which edges, of two surfaces are near each other or meet while they move from x0 to x1.
 *
 *     near     at the end of the way, closest points and normal as they are then: what slides past a border is not held up by it
 *     hit      on the way, nearer than a share of what they were apart at the start (`geometry/ccd.ts`), as they are at that moment
 *
 * A vertex over an edge or a corner of triangles counts once, and only where all triangles there agree that it is the closest point:
 * over a flat surface each vertex has one foot. Neighbours that share a point, or points that are tied together, are left out.
 */
import { type ContactPair, createContactPair, INNER } from '../contact/index.ts';
import {
  computeRelativeMotion,
  createCcdHit,
  findEdgeEdgeHit,
  findVertexTriangleHit,
  isOutOfReach,
  type SweptTree,
  writeClosestPointTriangle,
  writeClosestSegmentSegment,
} from '../geometry/index.ts';
import type { Surface } from './surface.ts';
import { SurfaceLean } from './surface-lean.ts';
import { isOverFace } from './surface-pair.ts';

/** Share of the separation that counts as a hit of what lies along a sheet. */
export const ALONG_SEPARATION = 0.2;

/** Distance that counts as a hit [m]: less than the pair has at the start. */
export type Separation = (pair: ContactPair) => number;
export type VisitPair = (pair: ContactPair) => void;

export class SurfaceSearch {
  readonly #surfaces: readonly Surface[];
  readonly #pair = createContactPair();
  readonly #x0 = new Float64Array(12);
  readonly #x1 = new Float64Array(12);
  readonly #box = new Float64Array(6);
  readonly #hit = createCcdHit();
  readonly #other = createCcdHit();
  readonly #lean: SurfaceLean;
  /** Feet of one vertex by what of the other surface they are on: how many triangles say so. */
  readonly #feet = new Map<number, { triangle: number; count: number; needed: number }>();

  /** Pairs that may hit while no point is further than `slack` [m] from where it was predicted: surfaces, items, 1 for edges. */
  readonly #watched: number[] = [];
  /** What was measured of each at the start: the pair's distance, that of `writeClosest…`, weights. */
  readonly #begun: number[] = [];
  #slack = 0;
  /** Of the last measurement, by `writeClosest…` [m]. */
  #closest = 0;

  constructor(surfaces: readonly Surface[]) {
    this.#surfaces = surfaces;
    this.#lean = new SurfaceLean(surfaces);
  }

  /** Fits the trees of a surface to its way from x0 to x1. */
  update(): void {
    for (const { mesh, x0, x1 } of this.#surfaces) {
      mesh.triangles.update(x0, x1, 0);
      mesh.edges.update(x0, x1, 0);
    }
  }

  /** Begins to watch pairs in `findFeet` and `findEdges`, for ways that end up to `slack` [m] from those predicted. */
  watch(slack: number): void {
    this.#watched.length = 0;
    this.#begun.length = 0;
    this.#slack = slack;
  }

  /** Visits those of the watched pairs that come nearer than `computeSeparation` says. */
  checkWatched(computeSeparation: Separation, visit: VisitPair): void {
    const list = this.#watched;
    const begun = this.#begun;
    const pair = this.#pair;
    for (let n = 0, m = 0; n < list.length; n += 5, m += 6) {
      if (!this.#load(list[n], list[n + 1], list[n + 2], list[n + 3], list[n + 4] as 0 | 1)) continue;
      // most are too far apart by what is known of the start
      pair.distance = pair.gap = begun[m];
      this.#closest = begun[m + 1];
      for (let k = 0; k < 4; k++) pair.weights[k] = begun[m + 2 + k];
      if (this.#isOutOfReach(computeSeparation(pair)) || !this.#measureStart()) continue;
      if (this.#isHit(computeSeparation) && (!pair.isEdges || this.#isInside())) visit(pair);
    }
  }

  /** Distance and closest points at the start; false where neither a hit nor being near at the end is possible. */
  #measureWatched(item: number, other: number, margin: number): boolean {
    const pair = this.#pair;
    if (!this.#measureStart()) return false;
    const motion = computeRelativeMotion(this.#x0, this.#x1, pair.isEdges ? 2 : 1);
    // each side may end further on by the slack; the rest is for rounding
    if (pair.distance > 1.001 * (motion + margin + 4 * this.#slack)) return false;
    const { weights } = pair;
    this.#watched.push(pair.first, pair.second, item, other, pair.isEdges ? 1 : 0);
    this.#begun.push(pair.distance, this.#closest, weights[0], weights[1], weights[2], weights[3]);
    return true;
  }

  /**
   * Visits vertices of `first` over triangles of `second` that the boxes of their ways, grown by `margin`, bring together: hits where
   * the vertex comes nearer than `computeSeparation` says to any triangle, else its feet.
   */
  findFeet(first: number, second: number, margin: number, computeSeparation: Separation, visit: VisitPair): void {
    const a = this.#surfaces[first];
    const { mesh } = this.#surfaces[second];
    for (let p = 0; p < a.mesh.pointCount; p++) {
      this.#feet.clear();
      this.#writePointBox(a, p, margin + 2 * this.#slack);
      let isHit = false;
      mesh.triangles.query(this.#box, (triangle) => {
        if (!this.#load(first, second, p, triangle, 0) || !this.#measureWatched(p, triangle, margin)) return;
        if (this.#isHit(computeSeparation)) {
          isHit = true;
          visit(this.#pair);
        } else if (!isHit) this.#countFoot(second, triangle);
      });
      if (isHit) continue;
      for (const { triangle, count, needed } of this.#feet.values()) {
        if (count !== needed || !this.#load(first, second, p, triangle, 0)) continue;
        if (this.#measureStart() && this.#measureEnd()) this.#visitNear(visit);
      }
    }
  }

  #countFoot(second: number, triangle: number): void {
    const { weights, points } = this.#pair;
    const { mesh } = this.#surfaces[second];
    writeClosestPointTriangle(this.#x1, weights);
    const zero = (weights[1] === 0 ? 1 : 0) + (weights[2] === 0 ? 1 : 0) + (weights[3] === 0 ? 1 : 0);
    const n = mesh.pointCount;
    let key = -1 - triangle;
    let needed = 1;
    if (zero === 2) {
      const at = weights[1] > 0 ? 1 : weights[2] > 0 ? 2 : 3;
      key = points[at];
      needed = mesh.countTrianglesAt(points[at]);
    } else if (zero === 1) {
      const [i, j] = weights[1] === 0 ? [2, 3] : weights[2] === 0 ? [1, 3] : [1, 2];
      key = n + Math.min(points[i], points[j]) * n + Math.max(points[i], points[j]);
      needed = mesh.countTrianglesOn(points[i], points[j]);
    }
    const known = this.#feet.get(key);
    if (known) {
      known.count++;
      known.triangle = Math.min(known.triangle, triangle);
    } else this.#feet.set(key, { triangle, count: 1, needed });
  }

  /** Visits pairs of edges that `isNear` says, hits and others, whose closest points are inside both. */
  findEdges(
    first: number,
    second: number,
    margin: number,
    isNear: (pair: ContactPair) => boolean,
    computeSeparation: Separation,
    visit: VisitPair,
  ): void {
    const { itemCount } = this.#surfaces[first].mesh.edges;
    for (let e = 0; e < itemCount; e++)
      this.#queryEdge(first, second, e, margin + 2 * this.#slack, (other) => {
        if (!this.#load(first, second, e, other, 1) || !this.#measureWatched(e, other, margin)) return;
        if (!isNear(this.#pair)) return;
        const isHit = this.#isHit(computeSeparation);
        if (!(isHit || this.#measureEnd()) || !this.#isInside()) return;
        if (isHit) visit(this.#pair);
        else this.#visitNear(visit);
      });
  }

  /** Visits vertices of `first` that come nearer to triangles of `second` than `computeSeparation` says, on the way from x0 to x1. */
  findFootHits(first: number, second: number, computeSeparation: Separation, visit: VisitPair): void {
    const a = this.#surfaces[first];
    const { mesh, reach } = this.#surfaces[second];
    for (let p = 0; p < a.mesh.pointCount; p++) {
      this.#writePointBox(a, p, a.reach + reach);
      mesh.triangles.query(this.#box, (triangle) =>
        this.#check(first, second, p, triangle, 0, computeSeparation, visit),
      );
    }
  }

  /** Visits edges that do, where they meet inside both: their ends are vertices over triangles. */
  findEdgeHits(first: number, second: number, computeSeparation: Separation, visit: VisitPair): void {
    const a = this.#surfaces[first];
    const reach = a.reach + this.#surfaces[second].reach;
    for (let e = 0; e < a.mesh.edges.itemCount; e++)
      this.#queryEdge(first, second, e, reach, (other) =>
        this.#check(first, second, e, other, 1, computeSeparation, visit),
      );
  }

  /** Visits vertices of `first` over triangles of `second`, or pairs of edges, that are within `margin` [m] of each other at the start. */
  findNear(first: number, second: number, isEdges: 0 | 1, margin: number, visit: VisitPair): void {
    const a = this.#surfaces[first];
    const look = (item: number, other: number): void => {
      if (!this.#load(first, second, item, other, isEdges)) return;
      this.#measureStart();
      if (this.#pair.distance <= margin) visit(this.#pair);
    };
    if (isEdges)
      for (let e = 0; e < a.mesh.edges.itemCount; e++)
        this.#queryEdge(first, second, e, margin, (other) => look(e, other));
    else
      for (let p = 0; p < a.mesh.pointCount; p++) {
        this.#writePointBox(a, p, margin);
        this.#surfaces[second].mesh.triangles.query(this.#box, (triangle) => look(p, triangle));
      }
  }

  #check(
    first: number,
    second: number,
    item: number,
    other: number,
    isEdges: 0 | 1,
    computeSeparation: Separation,
    visit: VisitPair,
  ): void {
    if (!this.#load(first, second, item, other, isEdges) || !this.#measureStart()) return;
    if (this.#isHit(computeSeparation) && (!isEdges || this.#isInside())) visit(this.#pair);
  }

  /** Whether it is plain by the distance at the start that the pair does not come nearer than `separation` [m]. */
  #isOutOfReach(separation: number): boolean {
    return isOutOfReach(this.#x0, this.#x1, separation, this.#pair.isEdges ? 2 : 1, this.#closest);
  }

  /** Whether the pair, measured at the start, comes nearer than it may; leaves its closest points then. */
  #isHit(computeSeparation: Separation): boolean {
    const pair = this.#pair;
    const find = pair.isEdges ? findEdgeEdgeHit : findVertexTriangleHit;
    const separation = computeSeparation(pair);
    if (this.#isOutOfReach(separation)) return false;
    if (!find(this.#x0, this.#x1, separation, this.#hit)) return false;
    this.#takeHit();
    pair.end = 0;
    if (!this.#lean.liesAlong(pair)) return true;
    if (!find(this.#x0, this.#x1, ALONG_SEPARATION * separation, this.#hit)) return false;
    this.#takeHit();
    if (this.#lean.liesAlong(pair)) this.#lean.turnAcross(pair, this.#x0);
    return true;
  }

  #takeHit(): void {
    const { weights, normal } = this.#pair;
    weights.set(this.#hit.weights);
    normal.set(this.#hit.normal);
  }

  /** Visits a pair that is near at the end, but where it lies along a sheet: other pairs are nearer there. */
  #visitNear(visit: VisitPair): void {
    const pair = this.#pair;
    if (this.#lean.liesAlong(pair)) return;
    if (this.#lean.isSmooth && !isOverFace(pair)) this.#lean.turnAcross(pair, this.#x0);
    visit(pair);
  }

  /** Whether the pair that a visit was for comes nearer than a distance, too. */
  comesNearer(separation: number): boolean {
    const find = this.#pair.isEdges ? findEdgeEdgeHit : findVertexTriangleHit;
    return find(this.#x0, this.#x1, separation, this.#other);
  }

  #queryEdge(first: number, second: number, e: number, margin: number, visit: (other: number) => void): void {
    const { boxes } = this.#surfaces[first].mesh.edges;
    for (let k = 0; k < 3; k++) {
      this.#box[k] = boxes[6 * e + k] - margin;
      this.#box[3 + k] = boxes[6 * e + 3 + k] + margin;
    }
    this.#surfaces[second].mesh.edges.query(this.#box, (other) => {
      if (first !== second || other > e) visit(other);
    });
  }

  #writePointBox({ x0, x1 }: Surface, p: number, margin: number): void {
    for (let k = 0; k < 3; k++) {
      this.#box[k] = Math.min(x0[3 * p + k], x1[3 * p + k]) - margin;
      this.#box[3 + k] = Math.max(x0[3 * p + k], x1[3 * p + k]) + margin;
    }
  }

  /** Points of a vertex and a triangle, or of two edges; false for neighbours. */
  #load(first: number, second: number, item: number, other: number, isEdges: 0 | 1): boolean {
    const a = this.#surfaces[first];
    const b = this.#surfaces[second];
    const pair = this.#pair;
    const { points } = pair;
    pair.first = first;
    pair.second = second;
    pair.isEdges = isEdges === 1;
    const split = 1 + isEdges;
    if (isEdges) copyPoints(a.mesh.edges, item, points, 0);
    else points[0] = item;
    copyPoints(isEdges ? b.mesh.edges : b.mesh.triangles, other, points, split);
    if (first === second)
      for (let i = 0; i < split; i++) for (let j = split; j < 4; j++) if (points[i] === points[j]) return false;
    if (isJoined(a.joints, b.joints, points, split)) return false;
    for (let i = 0; i < 4; i++) {
      const { x0, x1 } = i < split ? a : b;
      for (let k = 0; k < 3; k++) {
        this.#x0[3 * i + k] = x0[3 * points[i] + k];
        this.#x1[3 * i + k] = x1[3 * points[i] + k];
      }
    }
    return true;
  }

  /** Distance and closest points at the start; false where these coincide: which side is which nobody knows. */
  #measureStart(): boolean {
    this.#pair.distance = this.#pair.gap = this.#measure(this.#x0);
    return this.#pair.distance > 0;
  }

  #measureEnd(): boolean {
    this.#pair.end = this.#measure(this.#x1);
    return this.#pair.end > 0;
  }

  #measure(x: Float64Array): number {
    const { weights, normal, isEdges } = this.#pair;
    this.#closest = Math.sqrt(isEdges ? writeClosestSegmentSegment(x, weights) : writeClosestPointTriangle(x, weights));
    const split = isEdges ? 2 : 1;
    normal.fill(0);
    for (let i = 0; i < 4; i++)
      for (let k = 0; k < 3; k++) normal[k] += (i < split ? weights[i] : -weights[i]) * x[3 * i + k];
    const distance = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
    if (distance > 0) for (let k = 0; k < 3; k++) normal[k] /= distance;
    return distance;
  }

  /** Ends of edges are left to vertices over triangles, but for those of lines, or on them: lines have no triangles. */
  #isInside(): boolean {
    const { first, second, weights } = this.#pair;
    if (this.#isLine(first) || this.#isLine(second)) return true;
    for (const weight of weights) if (weight < INNER) return false;
    return true;
  }

  #isLine(side: number): boolean {
    return this.#surfaces[side].mesh.triangles.itemCount === 0;
  }
}

function copyPoints({ stencils, size }: SweptTree, item: number, out: Int32Array, at: number): void {
  for (let n = 0; n < size; n++) out[at + n] = stencils[size * item + n];
}

/** Whether one of the first `split` points is tied to one of the others. */
export function isJoined(
  a: Int32Array | undefined,
  b: Int32Array | undefined,
  points: Int32Array,
  split: number,
): boolean {
  if (a === undefined || b === undefined) return false;
  for (let i = 0; i < split; i++)
    for (let j = split; j < points.length; j++) if (a[points[i]] >= 0 && a[points[i]] === b[points[j]]) return true;
  return false;
}
