/**
 * Who is next to whom in a sheet: edges, the vertices across them, the border, and the places of elements in the sparse matrix.
 * Made anew whenever the triangles change; coordinates are kept in `state.ts`.
 *
 *            c            edge: from a to b, with the triangle of c on its left (counter-clockwise in material space)
 *          ╱   ╲          and that of d on its right; d = −1 on the border
 *        a ───── b
 *          ╲   ╱
 *            d
 */
import { HeddleError } from '../model/index.ts';
import { BlockPattern } from '../sparse/index.ts';

export class SheetMesh {
  readonly vertexCount: number;
  /** Three vertices each, counter-clockwise in material space. */
  readonly triangles: Int32Array;
  /** a, b, c, d of each edge. */
  readonly edges: Int32Array;
  /** Left and right triangle of each edge; −1 on the border. */
  readonly edgeTriangles: Int32Array;
  /** Edge opposite to each corner of each triangle. */
  readonly triangleEdges: Int32Array;
  /** Edges of vertex i: vertexEdges[edgeStart[i]] … vertexEdges[edgeStart[i + 1] − 1], ascending. */
  readonly edgeStart: Int32Array;
  readonly vertexEdges: Int32Array;
  /** 1 for vertices on the border. */
  readonly isBorder: Uint8Array;
  /** Vertices that share a triangle, or lie across an edge from each other. */
  readonly pattern: BlockPattern;
  /** Slots left of the diagonal in the row of vertex i: rowStart[i] … rowStart[i + 1] − 1 of `rowSlots`, in columns `rowColumns`. */
  readonly rowStart: Int32Array;
  readonly rowSlots: Int32Array;
  readonly rowColumns: Int32Array;
  /** Corners 0, 1, 2 of each triangle and a, b, c, d (0 … 3) of each edge in the order of ascending vertices: p, q, r (, s). */
  readonly triangleOrder: Int32Array;
  readonly edgeOrder: Int32Array;
  /** Slots of the pattern by triangle, in that order: (p,p), (q,p), (q,q), (r,p), (r,q), (r,r). */
  readonly triangleSlots: Int32Array;
  /** The same by edge, ten each; zeros on the border. */
  readonly edgeSlots: Int32Array;
  /** 1 for slots of vertices that share no triangle but lie across an edge from each other: bending alone couples them. */
  readonly isAcross: Uint8Array;

  constructor(vertexCount: number, triangles: Int32Array) {
    this.vertexCount = vertexCount;
    this.triangles = triangles;
    const found = findEdges(vertexCount, triangles);
    this.edges = found.edges;
    this.edgeTriangles = found.edgeTriangles;
    this.triangleEdges = found.triangleEdges;
    const around = listVertexEdges(vertexCount, this.edges);
    this.edgeStart = around.start;
    this.vertexEdges = around.list;
    this.isBorder = new Uint8Array(vertexCount);
    for (let e = 0; e < this.edgeCount; e++) {
      if (this.edges[4 * e + 3] >= 0) continue;
      this.isBorder[this.edges[4 * e]] = 1;
      this.isBorder[this.edges[4 * e + 1]] = 1;
    }
    this.pattern = this.#createPattern();
    const left = findRows(this.pattern);
    this.rowStart = left.start;
    this.rowSlots = left.slots;
    this.rowColumns = left.columns;
    this.triangleOrder = sortStencils(triangles, 3);
    this.edgeOrder = sortStencils(this.edges, 4);
    this.triangleSlots = this.#findSlots(triangles, this.triangleOrder, 3);
    this.edgeSlots = this.#findSlots(this.edges, this.edgeOrder, 4);
    this.isAcross = new Uint8Array(this.pattern.slots).fill(1);
    for (const slot of this.triangleSlots) this.isAcross[slot] = 0;
  }

  get triangleCount(): number {
    return this.triangles.length / 3;
  }

  get edgeCount(): number {
    return this.edges.length / 4;
  }

  #createPattern(): BlockPattern {
    const rows: number[] = [];
    const columns: number[] = [];
    for (let e = 0; e < this.edgeCount; e++) {
      rows.push(this.edges[4 * e]);
      columns.push(this.edges[4 * e + 1]);
      if (this.edges[4 * e + 3] < 0) continue;
      rows.push(this.edges[4 * e + 2]);
      columns.push(this.edges[4 * e + 3]);
    }
    return BlockPattern.fromPairs(this.vertexCount, rows, columns);
  }

  #findSlots(stencils: Int32Array, order: Int32Array, size: number): Int32Array {
    const each = (size * (size + 1)) / 2;
    const count = stencils.length / size;
    const slots = new Int32Array(each * count);
    for (let s = 0; s < count; s++) {
      if (stencils[size * s + size - 1] < 0) continue;
      let at = each * s;
      for (let i = 0; i < size; i++)
        for (let j = 0; j <= i; j++)
          slots[at++] = this.pattern.slot(
            stencils[size * s + order[size * s + i]],
            stencils[size * s + order[size * s + j]],
          );
    }
    return slots;
  }
}

/** The places of each stencil's vertices in ascending order of the vertices. */
function sortStencils(stencils: Int32Array, size: number): Int32Array {
  const order = new Int32Array(stencils.length);
  for (let at = 0; at < stencils.length; at += size)
    for (let n = 0; n < size; n++) {
      let place = n;
      for (; place > 0 && stencils[at + order[at + place - 1]] > stencils[at + n]; place--)
        order[at + place] = order[at + place - 1];
      order[at + place] = n;
    }
  return order;
}

/** Edges in the order of the triangles that have them first. */
function findEdges(vertexCount: number, triangles: Int32Array) {
  const count = triangles.length / 3;
  const edges: number[] = [];
  const edgeTriangles: number[] = [];
  const triangleEdges = new Int32Array(3 * count);
  /** Edges by their lower vertex, each with the one found before it. */
  const last = new Int32Array(vertexCount).fill(-1);
  const before: number[] = [];
  for (let t = 0; t < count; t++)
    for (let k = 0; k < 3; k++) {
      const a = triangles[3 * t + ((k + 1) % 3)];
      const b = triangles[3 * t + ((k + 2) % 3)];
      const low = Math.min(a, b);
      let e = last[low];
      while (e >= 0 && edges[4 * e] + edges[4 * e + 1] !== a + b) e = before[e];
      if (e < 0) {
        before.push(last[low]);
        last[low] = edges.length / 4;
        triangleEdges[3 * t + k] = edges.length / 4;
        edges.push(a, b, triangles[3 * t + k], -1);
        edgeTriangles.push(t, -1);
        continue;
      }
      if (edges[4 * e + 3] >= 0 || edges[4 * e] !== b)
        throw new HeddleError(
          `The sheet's edge between vertices ${a} and ${b} has ${edges[4 * e + 3] >= 0 ? 'more than two triangles' : 'two triangles of opposite orientation'}; each edge may have two, both counter-clockwise in material space.`,
        );
      edges[4 * e + 3] = triangles[3 * t + k];
      edgeTriangles[2 * e + 1] = t;
      triangleEdges[3 * t + k] = e;
    }
  return { edges: Int32Array.from(edges), edgeTriangles: Int32Array.from(edgeTriangles), triangleEdges };
}

/** The edges that each vertex is an end of. */
function listVertexEdges(vertexCount: number, edges: Int32Array) {
  const start = new Int32Array(vertexCount + 1);
  for (let k = 0; k < edges.length; k += 4) {
    start[edges[k] + 1]++;
    start[edges[k + 1] + 1]++;
  }
  for (let i = 0; i < vertexCount; i++) start[i + 1] += start[i];
  const next = start.slice(0, vertexCount);
  const list = new Int32Array(start[vertexCount]);
  for (let k = 0; k < edges.length; k += 4) {
    list[next[edges[k]]++] = k >> 2;
    list[next[edges[k + 1]]++] = k >> 2;
  }
  return { start, list };
}

/** The slots of a pattern by rows, without the diagonal. */
function findRows({ n, columnStart, rows }: BlockPattern) {
  const start = new Int32Array(n + 1);
  for (let j = 0; j < n; j++)
    for (let slot = columnStart[j] + 1; slot < columnStart[j + 1]; slot++) start[rows[slot] + 1]++;
  for (let i = 0; i < n; i++) start[i + 1] += start[i];
  const next = start.slice(0, n);
  const slots = new Int32Array(start[n]);
  const columns = new Int32Array(start[n]);
  for (let j = 0; j < n; j++)
    for (let slot = columnStart[j] + 1; slot < columnStart[j + 1]; slot++) {
      const at = next[rows[slot]]++;
      slots[at] = slot;
      columns[at] = j;
    }
  return { start, slots, columns };
}
