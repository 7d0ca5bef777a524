/**
 * Adapts a planar mesh to a metric by local changes ([Narain 2012], section 3): edges longer than 1 in the
 * metric are split in the middle, inner edges flip where the other diagonal is better, vertices are drawn into a neighbour
 * where every edge that comes about is shorter than 1 − margin. Whoever carries values on the vertices is told of each change.
 *
 * What never happens: an inverted triangle (exact signs); a fixed edge or the border leaving its line (vertices go along it only
 * where it is straight to rounding); an angle below `minAngle` that was not there before. The area of the mesh stays
 * but for rounding. Edges are taken in a fixed order, longest first, and all passes are capped: the result is the same to the
 * bit. Vertices and triangles that go leave gaps: `mesh.compact()` closes them.
 */
import { VertexMetric } from './mesh-metric.ts';
import { computeSmallestAngle } from './predicates.ts';
import { computeTriangleAngle } from './refine-geometry.ts';
import { nextEdge, previousEdge, type Triangulation, triangleOf } from './triangulation.ts';
import { canCollapse, collapseEdge, findHeldNeighbours, isStraight } from './triangulation-collapse.ts';
import { canFlip, canSplitEdge } from './triangulation-delaunay.ts';

export interface AdaptOptions {
  /** A vertex is drawn into a neighbour only where edges stay below 1 − margin, so that they are not split next. Default 0.2. */
  readonly margin?: number;
  /** Changes make no angle smaller than this [rad], nor than the smallest of the triangles that they replace. Default 10°. */
  readonly minAngle?: number;
  /** At most this many splits. Default 100,000. */
  readonly maxSplits?: number;
  /** Whether vertex v may go. Default: all may. */
  readonly mayRemove?: (v: number) => boolean;
  /** Whether the edge between a and b may be split. Default: all may. */
  readonly maySplit?: (a: number, b: number) => boolean;
  /** Whether the edge between a and b may become one between c and d. Default: all may. */
  readonly mayFlip?: (a: number, b: number, c: number, d: number) => boolean;
  /** Vertex v was put at X = (1 − t) X_a + t X_b on the edge between a and b. */
  readonly onSplit?: (v: number, a: number, b: number, t: number) => void;
  /** Vertex `from` is about to be drawn into `to`; the mesh is still as it was. */
  readonly onCollapse?: (from: number, to: number) => void;
  /** The edge between a and b became one between c and d. */
  readonly onFlip?: (a: number, b: number, c: number, d: number) => void;
}

export interface AdaptReport {
  readonly splits: number;
  readonly collapses: number;
  readonly flips: number;
  /** Edges still longer than 1: those that rules, the smallest angle or rounding kept from being split. */
  readonly longEdges: number;
  /** Smallest angle of the mesh now [rad]. */
  readonly minAngle: number;
  /** False when a cap on splits, flips or passes ended the work. */
  readonly complete: boolean;
  /** Three numbers a vertex, new vertices included. */
  readonly metric: Float64Array;
}

const MAX_PASSES = 32;

class Adaptation {
  readonly mesh: Triangulation;
  readonly metric: VertexMetric;
  readonly options: AdaptOptions;
  readonly minAngle: number;
  readonly limit: number;
  splits = 0;
  collapses = 0;
  flips = 0;
  complete = true;
  /** 1 for vertices whose surroundings changed since they were last found to stay. */
  isOpen = new Uint8Array(0);

  constructor(mesh: Triangulation, metric: ArrayLike<number>, options: AdaptOptions) {
    if (metric.length < 3 * mesh.vertexCount) {
      throw new RangeError(
        `adaptMesh: ${metric.length} metric values for ${mesh.vertexCount} vertices; give three per vertex.`,
      );
    }
    this.mesh = mesh;
    this.metric = new VertexMetric(metric);
    this.options = options;
    this.minAngle = options.minAngle ?? (10 * Math.PI) / 180;
    this.limit = 1 - (options.margin ?? 0.2);
  }

  /** Smallest angle of the triangle a, b and (x, y). */
  angleTo(a: number, b: number, x: number, y: number): number {
    const p = this.mesh.points;
    return computeSmallestAngle(p[2 * a], p[2 * a + 1], p[2 * b], p[2 * b + 1], x, y);
  }

  angleOf(a: number, b: number, c: number): number {
    return this.angleTo(a, b, this.mesh.points[2 * c], this.mesh.points[2 * c + 1]);
  }

  /** Whether a change from triangles with smallest angle `before` to ones with `after` is allowed. */
  isAllowed(before: number, after: number): boolean {
    return after >= Math.min(this.minAngle, before) * (1 - 1e-12);
  }

  /** Flips queued edges and what they touch while that is better. */
  flipEdges(queue: number[]): void {
    const { mesh, metric } = this;
    const cap = this.flips + 100 + 20 * mesh.triangleCount;
    for (let at = 0; at < queue.length; at++) {
      const e = queue[at];
      if (mesh.corners[e] < 0 || mesh.isHeld(e) || !metric.isBetterFlipped(mesh, e) || !canFlip(mesh, e)) continue;
      const f = mesh.twins[e];
      const [a, b, c, d] = [mesh.corners[e], mesh.head(e), mesh.apex(e), mesh.apex(f)];
      const before = Math.min(this.angleOf(a, b, c), this.angleOf(b, a, d));
      if (!this.isAllowed(before, Math.min(this.angleOf(d, b, c), this.angleOf(c, a, d)))) continue;
      if (this.options.mayFlip?.(a, b, c, d) === false) continue;
      if (this.flips >= cap) {
        this.complete = false;
        return;
      }
      mesh.flipEdge(e);
      this.flips++;
      this.options.onFlip?.(a, b, c, d);
      for (const v of [a, b, c, d]) this.isOpen[v] = 1;
      queue.push(e, nextEdge(e), f, nextEdge(f));
    }
  }

  flipAll(): void {
    const edges: number[] = [];
    const { mesh } = this;
    for (let e = 0; e < 3 * mesh.triangleCount; e++) if (mesh.corners[e] >= 0 && mesh.twins[e] > e) edges.push(e);
    this.flipEdges(edges);
  }

  /** Edges longer than 1, longest first, as pairs of vertices. */
  listLongEdges(): { a: number; b: number; size: number }[] {
    const { mesh } = this;
    const long: { a: number; b: number; size: number }[] = [];
    for (let e = 0; e < 3 * mesh.triangleCount; e++) {
      if (mesh.corners[e] < 0 || mesh.twins[e] > e) continue;
      const [a, b] = [mesh.corners[e], mesh.head(e)];
      const size = this.metric.computeSize(mesh, a, b);
      if (size > 1) long.push({ a, b, size });
    }
    return long.sort((x, y) => y.size - x.size || x.a - y.a || x.b - y.b);
  }

  /** Whether the middle (x, y) of edge e may become a vertex. */
  canSplit(e: number, x: number, y: number): boolean {
    const { mesh } = this;
    const f = mesh.twins[e];
    const [a, b, c] = [mesh.corners[e], mesh.head(e), mesh.apex(e)];
    let before = this.angleOf(a, b, c);
    let after = Math.min(this.angleTo(c, a, x, y), this.angleTo(b, c, x, y));
    if (f >= 0) {
      const d = mesh.apex(f);
      before = Math.min(before, this.angleOf(b, a, d));
      after = Math.min(after, this.angleTo(d, b, x, y), this.angleTo(a, d, x, y));
    }
    return this.isAllowed(before, after) && canSplitEdge(mesh, e, x, y);
  }

  /** Splits long edges that share no triangle, then flips around the new vertices; returns how many were split. */
  splitPass(): number {
    const { mesh, metric, options } = this;
    const p = (): Float64Array => mesh.points;
    const touched = new Set<number>();
    const first = mesh.vertexCount;
    for (const { a, b } of this.listLongEdges()) {
      if (this.splits >= (options.maxSplits ?? 1e5)) {
        this.complete = false;
        break;
      }
      const e = mesh.findEdge(a, b);
      if (e < 0 || touched.has(triangleOf(e)) || touched.has(triangleOf(mesh.twins[e]))) continue;
      if (options.maySplit?.(a, b) === false) continue;
      const [x, y] = [(p()[2 * a] + p()[2 * b]) / 2, (p()[2 * a + 1] + p()[2 * b + 1]) / 2];
      if (!this.canSplit(e, x, y)) continue;
      const v = mesh.addVertex(x, y);
      mesh.splitEdge(e, v);
      metric.setMean(v, a, b);
      for (const out of mesh.around(v)) touched.add(triangleOf(out));
      options.onSplit?.(v, a, b, 0.5);
      this.splits++;
    }
    const edges: number[] = [];
    for (let v = first; v < mesh.vertexCount; v++) for (const out of mesh.around(v)) edges.push(out, nextEdge(out));
    this.flipEdges(edges);
    return mesh.vertexCount - first;
  }

  /** Whether v is on no line that must stay, or between two straight pieces of one. */
  isBetween(v: number, fan: readonly number[]): boolean {
    if (!fan.some((e) => this.mesh.isHeld(e))) return true;
    const held = findHeldNeighbours(this.mesh, v);
    return held.length === 2 && isStraight(this.mesh, held[0], v, held[1]);
  }

  /**
   * Smallest angle of the new triangles when v, with edges `fan`, is drawn into the other end w of e; −1 where a new edge is too
   * long or that angle below `bound`.
   */
  rateCollapse(e: number, fan: readonly number[], w: number, bound: number): number {
    const { mesh, metric, limit } = this;
    const [left, right] = [triangleOf(e), triangleOf(mesh.twins[e])];
    const staying = fan.filter((out) => triangleOf(out) !== left && triangleOf(out) !== right);
    for (const out of staying) {
      if (metric.computeSize(mesh, w, mesh.head(out)) > limit || metric.computeSize(mesh, w, mesh.apex(out)) > limit)
        return -1;
    }
    let angle = Math.PI;
    for (const out of staying) {
      angle = Math.min(angle, this.angleOf(w, mesh.head(out), mesh.apex(out)));
      if (angle < bound) return -1;
    }
    return angle;
  }

  /** The edge of v along which it may go with the best triangles left; −1 for none. */
  findCollapse(v: number): number {
    const { mesh, metric } = this;
    const fan = mesh.around(v);
    if (!this.isBetween(v, fan)) return -1;
    // twice what other changes keep to, because flips later do not always mend it
    let bound = 2 * this.minAngle;
    for (const out of fan) bound = Math.min(bound, computeTriangleAngle(mesh, triangleOf(out)));
    const edges = mesh.twins[fan[0]] < 0 ? [...fan, previousEdge(fan[fan.length - 1])] : fan;
    let [best, angle] = [-1, 0];
    for (const e of edges) {
      const w = mesh.corners[e] === v ? mesh.head(e) : mesh.corners[e];
      if (metric.computeSize(mesh, v, w) > this.limit) continue;
      const rate = this.rateCollapse(e, fan, w, Math.max(bound, angle));
      if (rate > angle && canCollapse(mesh, e, v)) [best, angle] = [e, rate];
    }
    return best;
  }

  collapsePass(): number {
    const { mesh, options } = this;
    let count = 0;
    for (let v = 0; v < mesh.vertexCount; v++) {
      if (this.isOpen[v] === 0 || mesh.edgeOfVertex[v] < 0 || options.mayRemove?.(v) === false) continue;
      this.isOpen[v] = 0;
      const e = this.findCollapse(v);
      if (e < 0) continue;
      options.onCollapse?.(v, mesh.corners[e] === v ? mesh.head(e) : mesh.corners[e]);
      const w = collapseEdge(mesh, e, v);
      this.collapses++;
      count++;
      for (const u of [w, ...mesh.neighbours(w)]) this.isOpen[u] = 1;
      this.flipEdges(mesh.around(w).flatMap((out) => [out, nextEdge(out)]));
    }
    return count;
  }

  /** Repeats a pass until it changes nothing; a pass too many is reported. */
  repeat(pass: () => number): void {
    for (let k = 0; k < MAX_PASSES; k++) if (pass() === 0) return;
    this.complete = false;
  }

  run(): void {
    this.flipAll();
    this.repeat(() => {
      const count = this.splitPass();
      return this.complete ? count : 0;
    });
    this.isOpen = new Uint8Array(this.mesh.vertexCount).fill(1);
    this.repeat(() => this.collapsePass());
  }

  report(): AdaptReport {
    const { mesh, splits, collapses, flips, complete } = this;
    let minAngle = Math.PI;
    for (let t = 0; t < mesh.triangleCount; t++)
      if (!mesh.isGap(t)) minAngle = Math.min(minAngle, computeTriangleAngle(mesh, t));
    const longEdges = this.listLongEdges().length;
    const metric = this.metric.values.slice(0, 3 * mesh.vertexCount);
    return { splits, collapses, flips, longEdges, minAngle, complete, metric };
  }
}

/** Adapts the mesh in place to `metric`, three numbers a vertex; see the head of this file. */
export const adaptMesh = (mesh: Triangulation, metric: ArrayLike<number>, options: AdaptOptions = {}): AdaptReport => {
  const adaptation = new Adaptation(mesh, metric, options);
  adaptation.run();
  return adaptation.report();
};
