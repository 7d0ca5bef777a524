/**
 * A planar triangle mesh that can be changed, over flat typed arrays: half-edges, their twins, flags of edges that must
 * stay, and one half-edge of each vertex. Triangles are counter-clockwise. Only the raw operations are here; they keep
 * adjacency true and do not look at geometry (triangulation-delaunay.ts, triangulation-remove.ts and others do).
 *
 *            c            half-edge e = 3 t + i runs from corner i of triangle t to corner i + 1 (mod 3);
 *          /   \          twins[e] is the half-edge of the other triangle, which runs back; −1 on a border;
 *     p  /  t    \  n     n = nextEdge(e), p = previousEdge(e)
 *      /     e     \
 *    a ------------> b
 *
 * Triangles and vertices that were removed leave gaps (corner −1, edge −1) until `compact`.
 */

/** The half-edge after e in its triangle. */
export const nextEdge = (e: number): number => (e % 3 === 2 ? e - 2 : e + 1);
/** The half-edge before e in its triangle. */
export const previousEdge = (e: number): number => (e % 3 === 0 ? e + 2 : e - 1);
/** The triangle of half-edge e. */
export const triangleOf = (e: number): number => Math.floor(e / 3);

/** Where vertices and triangles went when gaps were closed; −1 for those that were gaps. */
export interface CompactionMaps {
  readonly vertices: Int32Array;
  readonly triangles: Int32Array;
}

export class Triangulation {
  /** Two coordinates a vertex. All arrays may be longer than what is used, and are replaced when they grow. */
  points: Float64Array;
  /** The vertex that half-edge e starts from; −1 in a gap. */
  corners: Int32Array;
  /** The half-edge on the other side; −1 on a border. */
  twins: Int32Array;
  /** 1 for half-edges of edges that must stay (both sides agree). */
  fixed: Uint8Array;
  /** Some half-edge that starts at the vertex; −1 for a vertex without triangles. */
  edgeOfVertex: Int32Array;
  /** Vertices and triangles in use, gaps included. */
  vertexCount = 0;
  triangleCount = 0;
  /** Room for a list of half-edges while flips run; empty between calls. */
  readonly stack: number[] = [];
  #gaps: number[] = [];

  constructor(vertexCapacity = 16, triangleCapacity = 32) {
    this.points = new Float64Array(2 * vertexCapacity);
    this.edgeOfVertex = new Int32Array(vertexCapacity);
    this.corners = new Int32Array(3 * triangleCapacity);
    this.twins = new Int32Array(3 * triangleCapacity);
    this.fixed = new Uint8Array(3 * triangleCapacity);
  }

  /** A mesh of given triangles, counter-clockwise, no edge of more than two and no vertex where only corners meet. */
  static fromTriangles(points: ArrayLike<number>, triangles: ArrayLike<number>): Triangulation {
    const mesh = new Triangulation(points.length / 2, triangles.length / 3);
    for (let v = 0; v < points.length / 2; v++) mesh.addVertex(points[2 * v], points[2 * v + 1]);
    for (let t = 0; t < triangles.length; t += 3) mesh.addTriangle(triangles[t], triangles[t + 1], triangles[t + 2]);
    mesh.#joinTwins();
    return mesh;
  }

  /** Adds a vertex that no triangle uses yet; returns its number. */
  addVertex(x: number, y: number): number {
    const v = this.vertexCount++;
    if (v >= this.edgeOfVertex.length) {
      this.points = grow(this.points, new Float64Array(4 * v + 16));
      this.edgeOfVertex = grow(this.edgeOfVertex, new Int32Array(2 * v + 8));
    }
    this.points[2 * v] = x;
    this.points[2 * v + 1] = y;
    this.edgeOfVertex[v] = -1;
    return v;
  }

  /** Adds a triangle (in a gap where there is one) without neighbours; returns its first half-edge. */
  addTriangle(a: number, b: number, c: number): number {
    const t = this.#gaps.pop() ?? this.triangleCount++;
    const e = 3 * t;
    if (e + 3 > this.corners.length) {
      this.corners = grow(this.corners, new Int32Array(2 * e + 12));
      this.twins = grow(this.twins, new Int32Array(2 * e + 12));
      this.fixed = grow(this.fixed, new Uint8Array(2 * e + 12));
    }
    this.corners[e] = a;
    this.corners[e + 1] = b;
    this.corners[e + 2] = c;
    for (let k = 0; k < 3; k++) {
      this.twins[e + k] = -1;
      this.fixed[e + k] = 0;
      this.edgeOfVertex[this.corners[e + k]] = e + k;
    }
    return e;
  }

  /** Makes a gap of triangle t. Its neighbours and vertices are the caller's to mend. */
  removeTriangle(t: number): void {
    for (let e = 3 * t; e < 3 * t + 3; e++) {
      this.corners[e] = this.twins[e] = -1;
      this.fixed[e] = 0;
    }
    this.#gaps.push(t);
  }

  isGap(t: number): boolean {
    return this.corners[3 * t] < 0;
  }

  /** Triangles without the gaps. */
  countTriangles(): number {
    return this.triangleCount - this.#gaps.length;
  }

  /** The vertex that half-edge e leads to. */
  head(e: number): number {
    return this.corners[nextEdge(e)];
  }

  /** The corner of the triangle of e that is not on e. */
  apex(e: number): number {
    return this.corners[previousEdge(e)];
  }

  /** Whether the edge must stay: flagged, or on the border. */
  isHeld(e: number): boolean {
    return this.fixed[e] === 1 || this.twins[e] < 0;
  }

  /** Makes e and f twins; either may be −1. */
  link(e: number, f: number): void {
    if (e >= 0) this.twins[e] = f;
    if (f >= 0) this.twins[f] = e;
  }

  setFixed(e: number, flag: 0 | 1): void {
    this.fixed[e] = flag;
    if (this.twins[e] >= 0) this.fixed[this.twins[e]] = flag;
  }

  /** The half-edges that start at v, counter-clockwise; for a vertex of the border from the border edge on. */
  around(v: number): number[] {
    const { twins } = this;
    const start = this.edgeOfVertex[v];
    if (start < 0) return [];
    let first = start;
    for (let count = 0; twins[first] >= 0; this.#checkFan(v, count++)) {
      first = nextEdge(twins[first]);
      if (first === start) break;
    }
    const fan = [first];
    for (let e = twins[previousEdge(first)]; e >= 0 && e !== first; e = twins[previousEdge(e)]) {
      fan.push(e);
      this.#checkFan(v, fan.length);
    }
    return fan;
  }

  /** The neighbours of v, counter-clockwise; on the border from the first border neighbour to the last. */
  neighbours(v: number): number[] {
    const fan = this.around(v);
    const ring = fan.map((e) => this.head(e));
    const last = fan.at(-1);
    if (last !== undefined && this.twins[previousEdge(last)] < 0) ring.push(this.apex(last));
    return ring;
  }

  isBorderVertex(v: number): boolean {
    const fan = this.around(v);
    return fan.length > 0 && this.twins[fan[0]] < 0;
  }

  /** The half-edge from a to b or, where there is only that, from b to a; −1 if no edge joins them. */
  findEdge(a: number, b: number): number {
    const start = this.edgeOfVertex[a];
    if (start < 0) return -1;
    let e = start;
    for (let count = 0; ; this.#checkFan(a, count++)) {
      if (this.head(e) === b) return e;
      if (this.apex(e) === b) return this.twins[previousEdge(e)] < 0 ? previousEdge(e) : this.twins[previousEdge(e)];
      e = this.twins[previousEdge(e)];
      if (e === start) return -1;
      if (e < 0) break;
    }
    // The other side of a fan that is cut by the border.
    let f = this.twins[start];
    for (let count = 0; f >= 0; this.#checkFan(a, count++)) {
      const out = nextEdge(f);
      if (this.head(out) === b) return out;
      f = this.twins[out];
    }
    return -1;
  }

  /** Joins vertex v to the corners of triangle t, in which it lies. */
  splitTriangle(t: number, v: number): void {
    const e = 3 * t;
    const a = this.corners[e];
    const c = this.corners[e + 2];
    const f = this.addTriangle(this.corners[e + 1], c, v);
    const g = this.addTriangle(c, a, v);
    this.#moveEdge(e + 1, f);
    this.#moveEdge(e + 2, g);
    this.corners[e + 2] = v;
    this.fixed[e + 1] = this.fixed[e + 2] = 0;
    this.link(e + 1, f + 2);
    this.link(f + 1, g + 2);
    this.link(g + 1, e + 2);
    this.edgeOfVertex[v] = e + 2;
    this.edgeOfVertex[a] = e;
  }

  /**
   * Puts vertex v on edge e = a → b, which both triangles give a new edge to their apex. Half-edge e becomes a → v;
   * returns the half-edge v → b.
   */
  splitEdge(e: number, v: number): number {
    const f = this.twins[e];
    const flag = this.fixed[e] as 0 | 1;
    const n = nextEdge(e);
    const b = this.corners[n];
    const t = this.addTriangle(v, b, this.apex(e));
    this.#moveEdge(n, t + 1);
    this.corners[n] = v;
    this.fixed[n] = 0;
    this.link(n, t + 2);
    if (f >= 0) {
      const p = previousEdge(f);
      const u = this.addTriangle(b, v, this.corners[p]);
      this.#moveEdge(p, u + 2);
      this.corners[f] = v;
      this.fixed[p] = 0;
      this.link(p, u + 1);
      this.link(t, u);
    }
    this.setFixed(e, flag);
    this.setFixed(t, flag);
    this.edgeOfVertex[v] = t;
    return t;
  }

  /** Turns edge e = a b between apexes c and d into c d; returns the half-edge c → d. In it, half-edges e and f move. */
  flipEdge(e: number): number {
    const f = this.twins[e];
    if (f < 0) throw new RangeError(`Triangulation.flipEdge: edge ${e} is on the border; only inner edges flip.`);
    const n = nextEdge(e);
    const p = previousEdge(e);
    const q = previousEdge(f);
    this.edgeOfVertex[this.corners[e]] = nextEdge(f);
    this.edgeOfVertex[this.corners[n]] = n;
    this.corners[e] = this.corners[q];
    this.corners[f] = this.corners[p];
    this.#moveEdge(q, e);
    this.#moveEdge(p, f);
    this.link(p, q);
    this.fixed[p] = this.fixed[q] = 0;
    return p;
  }

  /** Closes the gaps; vertices and triangles keep their order. */
  compact(): CompactionMaps {
    const vertices = new Int32Array(this.vertexCount).fill(-1);
    const triangles = new Int32Array(this.triangleCount).fill(-1);
    const moved = new Triangulation(this.vertexCount, this.triangleCount);
    for (let v = 0; v < this.vertexCount; v++)
      if (this.edgeOfVertex[v] >= 0) vertices[v] = moved.addVertex(this.points[2 * v], this.points[2 * v + 1]);
    for (let t = 0; t < this.triangleCount; t++) {
      if (this.isGap(t)) continue;
      const first = vertices[this.corners[3 * t]];
      triangles[t] = moved.addTriangle(first, vertices[this.corners[3 * t + 1]], vertices[this.corners[3 * t + 2]]) / 3;
    }
    const mapEdge = (e: number): number => (e < 0 ? -1 : 3 * triangles[triangleOf(e)] + (e % 3));
    for (let e = 0; e < 3 * this.triangleCount; e++) {
      if (this.corners[e] < 0) continue;
      moved.twins[mapEdge(e)] = mapEdge(this.twins[e]);
      moved.fixed[mapEdge(e)] = this.fixed[e];
    }
    for (let v = 0; v < this.vertexCount; v++)
      if (vertices[v] >= 0) moved.edgeOfVertex[vertices[v]] = mapEdge(this.edgeOfVertex[v]);
    this.#take(moved);
    return { vertices, triangles };
  }

  /** An independent copy, gaps included. */
  clone(): Triangulation {
    const copy = new Triangulation(0, 0);
    copy.#take(this);
    copy.points = this.points.slice();
    copy.corners = this.corners.slice();
    copy.twins = this.twins.slice();
    copy.fixed = this.fixed.slice();
    copy.edgeOfVertex = this.edgeOfVertex.slice();
    copy.#gaps = this.#gaps.slice();
    return copy;
  }

  /** Area of all triangles, summed with compensation. */
  computeArea(): number {
    let [sum, rest] = [0, 0];
    const { points: p, corners } = this;
    for (let e = 0; e < 3 * this.triangleCount; e += 3) {
      if (corners[e] < 0) continue;
      const a = 2 * corners[e];
      const b = 2 * corners[e + 1];
      const c = 2 * corners[e + 2];
      const area = (p[b] - p[a]) * (p[c + 1] - p[a + 1]) - (p[b + 1] - p[a + 1]) * (p[c] - p[a]);
      const next = sum + area;
      rest += Math.abs(sum) >= Math.abs(area) ? sum - next + area : area - next + sum;
      sum = next;
    }
    return (sum + rest) / 2;
  }

  #take(other: Triangulation): void {
    this.points = other.points;
    this.corners = other.corners;
    this.twins = other.twins;
    this.fixed = other.fixed;
    this.edgeOfVertex = other.edgeOfVertex;
    this.vertexCount = other.vertexCount;
    this.triangleCount = other.triangleCount;
    this.#gaps = other.#gaps;
  }

  /** Gives half-edge `to` the outer side and the flag of `from`. */
  #moveEdge(from: number, to: number): void {
    this.link(to, this.twins[from]);
    this.fixed[to] = this.fixed[from];
  }

  #checkFan(v: number, count: number): void {
    if (count > 3 * this.triangleCount) {
      throw new Error(`Triangulation: the triangles around vertex ${v} do not close; the adjacency is broken.`);
    }
  }

  #joinTwins(): void {
    const open = new Map<number, number>();
    for (let e = 0; e < 3 * this.triangleCount; e++) {
      const key = this.corners[e] * this.vertexCount + this.head(e);
      if (open.has(key)) {
        throw new RangeError(
          `Triangulation: two triangles run from vertex ${this.corners[e]} to ${this.head(e)}; reverse one of them.`,
        );
      }
      open.set(key, e);
      const twin = open.get(this.head(e) * this.vertexCount + this.corners[e]);
      if (twin !== undefined) this.link(e, twin);
    }
  }
}

const grow = <T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T => {
  to.set(from);
  return to;
};
