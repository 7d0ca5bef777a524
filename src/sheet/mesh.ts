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
  /** The other edges of both triangles of each edge, those after it on the left and on the right as they go round: 4 numbers, −1 for edges of the border and at them. */
  readonly near: Int32Array;
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
    this.near = this.#findNear();
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
    const { along, across } = this.#findEdgeSlots();
    this.triangleSlots = this.#findTriangleSlots(along);
    this.edgeSlots = this.#findStencilSlots(along, across);
    this.isAcross = new Uint8Array(this.pattern.slots).fill(1);
    for (let k = 0; k < this.triangleSlots.length; k++) this.isAcross[this.triangleSlots[k]] = 0;
  }

  get triangleCount(): number {
    return this.triangles.length / 3;
  }

  get edgeCount(): number {
    return this.edges.length / 4;
  }

  #findNear(): Int32Array {
    const { edges, edgeCount, edgeTriangles, triangleEdges } = this;
    const near = new Int32Array(4 * edgeCount).fill(-1);
    for (let e = 0; e < edgeCount; e++) {
      if (edges[4 * e + 3] < 0) continue;
      for (let n = 0; n < 4; n++) {
        const o = 3 * edgeTriangles[2 * e + (n >> 1)];
        const k = triangleEdges[o] === e ? 0 : triangleEdges[o + 1] === e ? 1 : 2;
        const other = triangleEdges[o + ((k + 1 + (n & 1)) % 3)];
        if (edges[4 * other + 3] >= 0) near[4 * e + n] = other;
      }
    }
    return near;
  }

  #createPattern(): BlockPattern {
    const { edges, edgeCount } = this;
    const rows = new Int32Array(2 * edgeCount);
    const columns = new Int32Array(2 * edgeCount);
    let count = 0;
    for (let e = 0; e < edgeCount; e++) {
      rows[count] = edges[4 * e];
      columns[count++] = edges[4 * e + 1];
      if (edges[4 * e + 3] < 0) continue;
      rows[count] = edges[4 * e + 2];
      columns[count++] = edges[4 * e + 3];
    }
    return BlockPattern.fromPairs(this.vertexCount, rows.subarray(0, count), columns.subarray(0, count));
  }

  /** Slots of a, b and of c, d of each edge; of the latter 0 on the border. */
  #findEdgeSlots(): { along: Int32Array; across: Int32Array } {
    const { edges, edgeCount, pattern } = this;
    const along = new Int32Array(edgeCount);
    const across = new Int32Array(edgeCount);
    for (let e = 0; e < edgeCount; e++) {
      along[e] = pattern.slot(edges[4 * e], edges[4 * e + 1]);
      if (edges[4 * e + 3] >= 0) across[e] = pattern.slot(edges[4 * e + 2], edges[4 * e + 3]);
    }
    return { along, across };
  }

  #findTriangleSlots(along: Int32Array): Int32Array {
    const { triangles, triangleEdges, triangleOrder, triangleCount } = this;
    const { columnStart } = this.pattern;
    const slots = new Int32Array(6 * triangleCount);
    let at = 0;
    for (let t = 0; t < 3 * triangleCount; t += 3)
      for (let i = 0; i < 3; i++) {
        const p = triangleOrder[t + i];
        // the edge between two corners is opposite to the third
        for (let j = 0; j < i; j++) slots[at++] = along[triangleEdges[t + 3 - p - triangleOrder[t + j]]];
        slots[at++] = columnStart[triangles[t + p]];
      }
    return slots;
  }

  #findStencilSlots(along: Int32Array, across: Int32Array): Int32Array {
    const { edges, edgeCount, edgeTriangles, triangleEdges, edgeOrder } = this;
    const { columnStart } = this.pattern;
    const slots = new Int32Array(10 * edgeCount);
    /** Slots of two of a, b, c, d, by 4 i + j. */
    const pair = new Int32Array(16);
    for (let e = 0; e < edgeCount; e++) {
      if (edges[4 * e + 3] < 0) continue;
      const left = 3 * edgeTriangles[2 * e];
      const right = 3 * edgeTriangles[2 * e + 1];
      const c = triangleEdges[left] === e ? 0 : triangleEdges[left + 1] === e ? 1 : 2;
      const d = triangleEdges[right] === e ? 0 : triangleEdges[right + 1] === e ? 1 : 2;
      for (let i = 0; i < 4; i++) pair[5 * i] = columnStart[edges[4 * e + i]];
      pair[1] = pair[4] = along[e];
      pair[11] = pair[14] = across[e];
      // a follows c on the left and b follows d on the right; edges are opposite to corners
      pair[6] = pair[9] = along[triangleEdges[left + ((c + 1) % 3)]];
      pair[2] = pair[8] = along[triangleEdges[left + ((c + 2) % 3)]];
      pair[3] = pair[12] = along[triangleEdges[right + ((d + 1) % 3)]];
      pair[7] = pair[13] = along[triangleEdges[right + ((d + 2) % 3)]];
      let at = 10 * e;
      for (let i = 0; i < 4; i++)
        for (let j = 0; j <= i; j++) slots[at++] = pair[4 * edgeOrder[4 * e + i] + edgeOrder[4 * e + j]];
    }
    return slots;
  }
}

/** The places of each stencil's vertices in ascending order of the vertices. */
function sortStencils(stencils: Int32Array, size: number): Int32Array {
  const order = new Int32Array(stencils.length);
  for (let at = 0; at < stencils.length; at += size)
    for (let n = 1; n < size; n++) {
      const vertex = stencils[at + n];
      let place = n;
      for (; place > 0 && stencils[at + order[at + place - 1]] > vertex; place--)
        order[at + place] = order[at + place - 1];
      order[at + place] = n;
    }
  return order;
}

/** Edges in the order of the triangles that have them first. */
function findEdges(vertexCount: number, triangles: Int32Array) {
  const corners = triangles.length;
  const edges = new Int32Array(4 * corners);
  const edgeTriangles = new Int32Array(2 * corners);
  const triangleEdges = new Int32Array(corners);
  /** Edges by their lower vertex, each with the one found before it. */
  const last = new Int32Array(vertexCount).fill(-1);
  const before = new Int32Array(corners);
  let count = 0;
  for (let at = 0; at < corners; at++) {
    const k = at % 3;
    const a = triangles[k === 2 ? at - 2 : at + 1];
    const b = triangles[k === 0 ? at + 2 : at - 1];
    const low = Math.min(a, b);
    let e = last[low];
    while (e >= 0 && edges[4 * e] + edges[4 * e + 1] !== a + b) e = before[e];
    if (e < 0) {
      e = count++;
      before[e] = last[low];
      last[low] = e;
      edges[4 * e] = a;
      edges[4 * e + 1] = b;
      edges[4 * e + 2] = triangles[at];
      edges[4 * e + 3] = -1;
      edgeTriangles[2 * e] = (at - k) / 3;
      edgeTriangles[2 * e + 1] = -1;
    } else {
      if (edges[4 * e + 3] >= 0 || edges[4 * e] !== b)
        throw new HeddleError(
          `The sheet's edge between vertices ${a} and ${b} has ${edges[4 * e + 3] >= 0 ? 'more than two triangles' : 'two triangles of opposite orientation'}; each edge may have two, both counter-clockwise in material space.`,
        );
      edges[4 * e + 3] = triangles[at];
      edgeTriangles[2 * e + 1] = (at - k) / 3;
    }
    triangleEdges[at] = e;
  }
  return { edges: edges.slice(0, 4 * count), edgeTriangles: edgeTriangles.slice(0, 2 * count), triangleEdges };
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
