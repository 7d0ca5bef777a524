/**
 * Quality refinement of a constrained Delaunay triangulation [Ruppert 1995; Üngör 2004]: new vertices are
 * put at off-centres of triangles with too small an angle or too long an edge, and in segments (fixed and border edges) whose
 * diametral circle holds another vertex, until all angles are ≥ `minAngle` and all edges ≤ the size wanted there.
 *
 *   minAngle [rad], bound to hold where input angles allow: ends for certain up to 20.7°, in practice up to about 33°;
 *   size h(x, y): no edge longer than h at its middle.
 *
 * At vertices where segments meet at less than 60° segments are split on shells, concentric circles of radii in powers of two,
 * and a triangle whose shortest edge joins two shells of such a corner is left [Miller 2003]:
 * smaller input angles stay as they are. A cap on new vertices ends what does not end by itself; the report tells.
 */
import { computeHypot2, computeLog2, computePowerOfTwo } from '../math/index.ts';
import { computeInCircleAt, computeSmallestAngle, computeTurnTo } from './predicates.ts';
import {
  computeExtent,
  computeOffCentre,
  computeTriangleAngle,
  findShortest,
  isInDiametralCircle,
  markAcute,
} from './refine-geometry.ts';
import { nextEdge, previousEdge, type Triangulation, triangleOf } from './triangulation.ts';
import { canSplitEdge, insertInTriangle, insertOnEdge } from './triangulation-delaunay.ts';

export interface RefineOptions {
  /** Smallest angle wanted [rad]. Default 25°. */
  readonly minAngle?: number;
  /** Longest edge wanted, everywhere or by place. Default: no bound. */
  readonly size?: number | ((x: number, y: number) => number);
  /** Whether the segment between two vertices of the given mesh must not be split. Default: none. */
  readonly isProtected?: (a: number, b: number) => boolean;
  /** At most this many new vertices. Default 100,000. */
  readonly maxNewVertices?: number;
}

export interface RefineReport {
  readonly newVertices: number;
  /** False when the cap on new vertices ended the refinement. */
  readonly complete: boolean;
  /** Smallest angle of the mesh now [rad]. */
  readonly minAngle: number;
  /** Triangles left with an angle below the wanted: at small input angles and protected segments, or for the cap. */
  readonly smallAngles: number;
  /** Triangles left with an edge longer than wanted. */
  readonly longEdges: number;
  /** Two vertices of the given mesh for each new vertex: the ends of the segment that it lies on, or −1, −1 inside. */
  readonly segmentEnds: Int32Array;
}

class Refinement {
  readonly mesh: Triangulation;
  readonly minAngle: number;
  readonly size: (x: number, y: number) => number;
  readonly hasSize: boolean;
  readonly isProtected: (a: number, b: number) => boolean;
  readonly inputCount: number;
  readonly limit: number;
  /** Unit of the radii of shells: the size of the whole mesh, so that scaling it changes nothing. */
  readonly unit: number;
  readonly isAcute: Uint8Array;
  readonly segmentEnds: number[] = [];
  /** Segments to split, as half-edge and its two vertices, and bad triangles, as number and three corners. */
  readonly segments: number[] = [];
  readonly triangles: number[] = [];
  readonly cavity: number[] = [];

  constructor(mesh: Triangulation, options: RefineOptions) {
    const {
      minAngle = (25 * Math.PI) / 180,
      size = Infinity,
      isProtected = () => false,
      maxNewVertices = 1e5,
    } = options;
    if (!(minAngle >= 0 && minAngle < Math.PI / 3)) {
      throw new RangeError(`refineMesh: minAngle is ${minAngle} rad; it must be from 0 to below π/3.`);
    }
    this.mesh = mesh;
    this.minAngle = minAngle;
    this.size = typeof size === 'number' ? () => size : size;
    this.hasSize = size !== Infinity;
    this.isProtected = isProtected;
    this.inputCount = mesh.vertexCount;
    this.limit = mesh.vertexCount + maxNewVertices;
    this.unit = computeExtent(mesh);
    this.isAcute = markAcute(mesh);
  }

  /** Ends of the segment that vertex v was put on; undefined for vertices of the given mesh and inside. */
  findParent(v: number): readonly [number, number] | undefined {
    const i = 2 * (v - this.inputCount);
    return i < 0 || this.segmentEnds[i] < 0 ? undefined : [this.segmentEnds[i], this.segmentEnds[i + 1]];
  }

  /** Ends of the segment of the given mesh that the edge a b is a piece of. */
  findSegment(a: number, b: number): readonly [number, number] {
    return this.findParent(a) ?? this.findParent(b) ?? [a, b];
  }

  maySplit(e: number): boolean {
    return !this.isProtected(...this.findSegment(this.mesh.corners[e], this.mesh.head(e)));
  }

  computeSize(x: number, y: number): number {
    const h = this.size(x, y);
    if (!(h > 0)) throw new RangeError(`refineMesh: the size at (${x}, ${y}) is ${h}; it must be > 0.`);
    return h;
  }

  isTooLong(a: number, b: number): boolean {
    if (!this.hasSize) return false;
    const p = this.mesh.points;
    const dx = p[2 * a] - p[2 * b];
    const dy = p[2 * a + 1] - p[2 * b + 1];
    const h = this.computeSize((p[2 * a] + p[2 * b]) / 2, (p[2 * a + 1] + p[2 * b + 1]) / 2);
    return dx * dx + dy * dy > h * h;
  }

  /** Queues half-edge e, one that must stay, if an apex is in its diametral circle or it is too long. */
  checkSegment(e: number): void {
    const { mesh } = this;
    const p = mesh.points;
    const [a, b, f] = [mesh.corners[e], mesh.head(e), mesh.twins[e]];
    const isBad = (c: number): boolean => isInDiametralCircle(p, a, b, p[2 * c], p[2 * c + 1]);
    if (!(isBad(mesh.apex(e)) || (f >= 0 && isBad(mesh.apex(f))) || this.isTooLong(a, b))) return;
    if (this.maySplit(e)) this.segments.push(e, a, b);
  }

  isProtectedEdge(e: number): boolean {
    return this.mesh.isHeld(e) && !this.maySplit(e);
  }

  /** Whether an edge of triangle t, other than protected ones, is longer than wanted. */
  hasLongEdge(t: number): boolean {
    if (!this.hasSize) return false;
    for (let e = 3 * t; e < 3 * t + 3; e++) {
      if (this.isTooLong(this.mesh.corners[e], this.mesh.head(e)) && !this.isProtectedEdge(e)) return true;
    }
    return false;
  }

  /** Whether the shortest edge of triangle t joins two shells round a corner of small angle. */
  isAtSmallAngle(t: number): boolean {
    const e = findShortest(this.mesh, t);
    const p = this.mesh.points;
    const [a, b] = [this.mesh.corners[e], this.mesh.head(e)];
    const [first, second] = [this.findParent(a), this.findParent(b)];
    if (first === undefined || second === undefined) return false;
    const corner = first.find((v) => second.includes(v));
    if (corner === undefined || this.isAcute[corner] === 0 || first.every((v) => second.includes(v))) return false;
    const radius = (v: number): number => computeHypot2(p[2 * v] - p[2 * corner], p[2 * v + 1] - p[2 * corner + 1]);
    return Math.abs(radius(a) - radius(b)) < 1e-6 * radius(a);
  }

  hasSmallAngle(t: number): boolean {
    return computeTriangleAngle(this.mesh, t) < this.minAngle;
  }

  checkTriangle(t: number): void {
    if (!(this.hasLongEdge(t) || (this.hasSmallAngle(t) && !this.isAtSmallAngle(t)))) return;
    this.triangles.push(t, ...this.mesh.corners.subarray(3 * t, 3 * t + 3));
  }

  /** Looks at everything around a new vertex. */
  checkAround(v: number, ends: readonly [number, number]): void {
    this.segmentEnds.push(...ends);
    const { mesh } = this;
    for (const e of mesh.around(v)) {
      const [n, p] = [nextEdge(e), previousEdge(e)];
      if (mesh.isHeld(n)) this.checkSegment(n);
      if (mesh.isHeld(e)) this.checkSegment(e);
      if (mesh.twins[p] < 0) this.checkSegment(p);
      this.checkTriangle(triangleOf(e));
    }
  }

  /** Splits half-edge e in the middle, or on a shell round a corner of small angle; false where rounding forbids. */
  splitSegment(e: number): boolean {
    const { mesh, isAcute } = this;
    const p = mesh.points;
    const [a, b] = [mesh.corners[e], mesh.head(e)];
    const ends = this.findSegment(a, b);
    const isSharp = (v: number): boolean => v < this.inputCount && isAcute[v] === 1;
    const [from, to] = isSharp(b) && !isSharp(a) ? [b, a] : [a, b];
    const t = isSharp(from) && !isSharp(to) ? this.computeShell(from, to) : 0.5;
    const x = p[2 * from] + t * (p[2 * to] - p[2 * from]);
    const y = p[2 * from + 1] + t * (p[2 * to + 1] - p[2 * from + 1]);
    if (!canSplitEdge(mesh, e, x, y)) return false;
    const v = mesh.addVertex(x, y);
    insertOnEdge(mesh, e, v);
    this.checkAround(v, ends);
    return true;
  }

  /** Part of the way from corner `from` to `to` at which the shell nearest the middle is crossed, 0.35 … 0.71. */
  computeShell(from: number, to: number): number {
    const p = this.mesh.points;
    const length = computeHypot2(p[2 * to] - p[2 * from], p[2 * to + 1] - p[2 * from + 1]) / this.unit;
    return computePowerOfTwo(Math.round(computeLog2(length / 2))) / length;
  }

  /**
   * The triangle that holds (x, y), looked for along the straight line from triangle t; a half-edge −1 − e where the line
   * meets the segment e, or the border, first.
   */
  walk(t: number, x: number, y: number): number {
    const { mesh } = this;
    const p = mesh.points;
    const [a, b, c] = mesh.corners.subarray(3 * t, 3 * t + 3);
    const q = [p[2 * a] + p[2 * b] + p[2 * c], p[2 * a + 1] + p[2 * b + 1] + p[2 * c + 1]].map((s) => s / 3);
    /** > 0 for vertices left of the line. */
    const side = (v: number): number => (x - q[0]) * (p[2 * v + 1] - q[1]) - (y - q[1]) * (p[2 * v] - q[0]);
    let [at, from] = [t, -1];
    for (let count = 0; count <= mesh.triangleCount; count++) {
      let out = -1;
      for (let e = 3 * at; e < 3 * at + 3 && out < 0; e++) {
        const [u, w] = [mesh.corners[e], mesh.head(e)];
        if (e !== from && computeTurnTo(p, u, w, x, y) < 0 && side(u) <= 0 && side(w) >= 0) out = e;
      }
      if (out < 0) return at;
      if (mesh.isHeld(out)) return -1 - out;
      from = mesh.twins[out];
      at = triangleOf(from);
    }
    throw new Error('refineMesh: the walk to a circumcentre does not end; the triangulation overlaps itself.');
  }

  /** Segments that see (x, y), which lies in triangle t, inside their diametral circle. */
  findEncroached(t: number, x: number, y: number): number[] {
    const { mesh, cavity } = this;
    const found: number[] = [];
    cavity.length = 0;
    cavity.push(t);
    for (let i = 0; i < cavity.length; i++) {
      for (let e = 3 * cavity[i]; e < 3 * cavity[i] + 3; e++) {
        if (mesh.isHeld(e)) {
          if (isInDiametralCircle(mesh.points, mesh.corners[e], mesh.head(e), x, y)) found.push(e);
          continue;
        }
        const other = mesh.twins[e];
        const [a, b, c] = [mesh.corners[other], mesh.head(other), mesh.apex(other)];
        if (cavity.includes(triangleOf(other)) || !(computeInCircleAt(mesh.points, a, b, c, x, y) > 0)) continue;
        cavity.push(triangleOf(other));
      }
    }
    return found;
  }

  /** Whether all turns of (x, y) with triangle t are positive: it is inside and not on an edge. */
  isInside(t: number, x: number, y: number): boolean {
    const { points, corners } = this.mesh;
    for (let e = 3 * t; e < 3 * t + 3; e++)
      if (!(computeTurnTo(points, corners[e], this.mesh.head(e), x, y) > 0)) return false;
    return true;
  }

  /** Puts a vertex at the off-centre of triangle t, or splits the segments in its way. */
  splitTriangle(t: number): void {
    const { mesh } = this;
    const [x, y] = computeOffCentre(mesh, t, this.minAngle);
    const corners = Array.from(mesh.corners.subarray(3 * t, 3 * t + 3));
    const at = this.walk(t, x, y);
    const blocked = at < 0 ? [-1 - at] : this.findEncroached(at, x, y);
    if (blocked.length === 0) {
      if (!this.isInside(at, x, y) && !this.isOnEdge(at, x, y)) return;
      this.insertInside(at, x, y);
      return;
    }
    const splittable = blocked.filter((e) => this.maySplit(e)).map((e) => [e, mesh.corners[e], mesh.head(e)]);
    let split = 0;
    for (const [e, a, b] of splittable) {
      if (mesh.corners[e] !== a || mesh.head(e) !== b || mesh.vertexCount >= this.limit) continue;
      if (this.splitSegment(e)) split++;
    }
    if (split > 0 && corners.every((v, k) => mesh.corners[3 * t + k] === v)) this.triangles.push(t, ...corners);
    if (splittable.length === 0 && at >= 0 && this.isFarFromSegments(blocked, x, y)) this.insertInside(at, x, y);
  }

  isOnEdge(t: number, x: number, y: number): boolean {
    for (let e = 3 * t; e < 3 * t + 3; e++) if (!this.mesh.isHeld(e) && canSplitEdge(this.mesh, e, x, y)) return true;
    return false;
  }

  /** Whether triangles of (x, y) on protected segments would have no small angle. */
  isFarFromSegments(edges: readonly number[], x: number, y: number): boolean {
    const { points: p, corners } = this.mesh;
    return edges.every((e) => {
      const [a, b] = [corners[e], this.mesh.head(e)];
      const angle = computeSmallestAngle(p[2 * a], p[2 * a + 1], p[2 * b], p[2 * b + 1], x, y);
      return angle >= this.minAngle;
    });
  }

  insertInside(t: number, x: number, y: number): void {
    const { mesh } = this;
    if (this.isInside(t, x, y)) {
      insertInTriangle(mesh, t, mesh.addVertex(x, y));
    } else {
      const e = [3 * t, 3 * t + 1, 3 * t + 2].find((k) => !mesh.isHeld(k) && canSplitEdge(mesh, k, x, y));
      if (e === undefined) return;
      insertOnEdge(mesh, e, mesh.addVertex(x, y));
    }
    this.checkAround(mesh.vertexCount - 1, [-1, -1]);
  }

  /** Splits queued segments before triangles, until both queues are empty or the cap is reached; returns whether they are. */
  run(): boolean {
    const { mesh, segments, triangles } = this;
    let [s, t] = [0, 0];
    while (s < segments.length || t < triangles.length) {
      if (mesh.vertexCount >= this.limit) return false;
      if (s < segments.length) {
        const [e, a, b] = [segments[s], segments[s + 1], segments[s + 2]];
        s += 3;
        if (mesh.corners[e] === a && mesh.head(e) === b) this.splitSegment(e);
        continue;
      }
      const at = triangles[t];
      const isSame = [0, 1, 2].every((k) => mesh.corners[3 * at + k] === triangles[t + 1 + k]);
      t += 4;
      if (isSame) this.splitTriangle(at);
    }
    return true;
  }

  report(complete: boolean): RefineReport {
    const { mesh } = this;
    let [minAngle, smallAngles, longEdges] = [Math.PI, 0, 0];
    for (let t = 0; t < mesh.triangleCount; t++) {
      if (mesh.isGap(t)) continue;
      const angle = computeTriangleAngle(mesh, t);
      minAngle = Math.min(minAngle, angle);
      if (angle < this.minAngle) smallAngles++;
      for (let e = 3 * t; e < 3 * t + 3; e++) {
        if (!this.isTooLong(mesh.corners[e], mesh.head(e))) continue;
        longEdges++;
        break;
      }
    }
    const newVertices = mesh.vertexCount - this.inputCount;
    return { newVertices, complete, minAngle, smallAngles, longEdges, segmentEnds: Int32Array.from(this.segmentEnds) };
  }
}

/** Refines the mesh in place; see the head of this file. Vertices that are there keep their numbers and places. */
export const refineMesh = (mesh: Triangulation, options: RefineOptions = {}): RefineReport => {
  const refinement = new Refinement(mesh, options);
  for (let e = 0; e < 3 * mesh.triangleCount; e++)
    if (mesh.corners[e] >= 0 && mesh.isHeld(e) && mesh.twins[e] < e) refinement.checkSegment(e);
  for (let t = 0; t < mesh.triangleCount; t++) if (!mesh.isGap(t)) refinement.checkTriangle(t);
  return refinement.report(refinement.run());
};
