/**
 * Constrained Delaunay triangulation of a planar straight line graph, incremental: points along a Hilbert curve into a
 * large frame, then segments (constrained-segments.ts), then what is not material is taken away.
 *
 * Points closer than the tolerance become one vertex. Segments may pass through points, overlap, touch and cross; a
 * crossing becomes a vertex. Material is the convex hull; or what segments enclose; or what closed outlines go round
 * counter-clockwise (holes clockwise). Hole seeds take away the part in which they lie. All edges of the border and all
 * segments are fixed in the mesh.
 *
 * Signs are exact, order of insertion is fixed by the coordinates: the same input gives the same mesh to the bit.
 */
import { computeHypot2 } from '../math/index.ts';
import { carveMesh, type Region } from './constrained-region.ts';
import { insertSegment } from './constrained-segments.ts';
import { computeTurn } from './predicates.ts';
import { previousEdge, Triangulation, triangleOf } from './triangulation.ts';
import { insertVertex } from './triangulation-delaunay.ts';
import { removeVertex } from './triangulation-remove.ts';

export interface PlanarGraph {
  /** Two coordinates a point. */
  readonly points: ArrayLike<number>;
  /** Two points a segment. */
  readonly segments?: ArrayLike<number>;
  /** Closed loops of points (the last is joined to the first): counter-clockwise round material, clockwise round holes. */
  readonly outlines?: readonly ArrayLike<number>[];
  /** Two coordinates a hole: a place in a part, enclosed by segments, that is not material. */
  readonly holes?: ArrayLike<number>;
}

export interface ConstrainedDelaunayOptions {
  /** Distance below which points are the same and lines touch, as a part of the diagonal of all points. Default 1e-12. */
  readonly tolerance?: number;
  /** What is material. Default `outlines` where there are some, else `hull`. */
  readonly region?: Region;
}

export interface ConstrainedDelaunay {
  /** Vertices: distinct points in their order, then crossings of segments. */
  readonly mesh: Triangulation;
  /** The vertex of each point; the same for points that were merged, −1 for points that are not in the material. */
  readonly vertexOfPoint: Int32Array;
  /** Vertices that were added where segments cross. */
  readonly crossings: number;
}

const FRAME = 4;
const HILBERT_BITS = 16;

interface Extent {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly diagonal: number;
}

const measureExtent = (points: ArrayLike<number>): Extent => {
  let x0 = Infinity;
  let y0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  for (let i = 0; i + 1 < points.length; i += 2) {
    const x = points[i];
    const y = points[i + 1];
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      throw new RangeError(`computeConstrainedDelaunay: point ${i / 2} is (${x}, ${y}); give finite coordinates.`);
    }
    x0 = Math.min(x0, x);
    y0 = Math.min(y0, y);
    x1 = Math.max(x1, x);
    y1 = Math.max(y1, y);
  }
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0, diagonal: computeHypot2(x1 - x0, y1 - y0) };
};

/** Place of a cell (x, y) along the Hilbert curve of 2^bits cells a side. */
const computeHilbertPlace = (cellX: number, cellY: number): number => {
  let x = cellX;
  let y = cellY;
  let place = 0;
  for (let s = 1 << (HILBERT_BITS - 1); s > 0; s >>= 1) {
    const rx = x & s ? 1 : 0;
    const ry = y & s ? 1 : 0;
    place = 4 * place + ((3 * rx) ^ ry);
    if (ry === 1) continue;
    const swap = rx === 1 ? s - 1 - (x & (s - 1)) : x;
    x = rx === 1 ? s - 1 - (y & (s - 1)) : y;
    y = swap;
  }
  return place;
};

/** Numbers of the points along a Hilbert curve, so that each is near the one before. */
const orderAlongCurve = (points: ArrayLike<number>, extent: Extent): Float64Array => {
  const count = points.length / 2;
  const scale = (2 ** HILBERT_BITS - 1) / Math.max(extent.width, extent.height);
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const x = Math.floor((points[2 * i] - extent.x) * scale);
    const y = Math.floor((points[2 * i + 1] - extent.y) * scale);
    keys[i] = computeHilbertPlace(x, y) * count + i;
  }
  keys.sort();
  for (let i = 0; i < count; i++) keys[i] %= count;
  return keys;
};

/** All points as vertices without triangles, then a frame far around them of two triangles. */
const createFrame = (points: ArrayLike<number>, extent: Extent): Triangulation => {
  const count = points.length / 2;
  const mesh = new Triangulation(count + FRAME, 2 * count + 8);
  for (let i = 0; i < count; i++) mesh.addVertex(points[2 * i], points[2 * i + 1]);
  const [cx, cy] = [extent.x + extent.width / 2, extent.y + extent.height / 2];
  const far = 4 * extent.diagonal;
  for (const [sx, sy] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ])
    mesh.addVertex(cx + sx * far, cy + sy * far);
  const e = mesh.addTriangle(count, count + 1, count + 2);
  mesh.link(e + 2, mesh.addTriangle(count, count + 2, count + 3));
  return mesh;
};

/** The nearest neighbour of v that is a point, when it is within the tolerance; −1 otherwise. */
const findClose = (mesh: Triangulation, v: number, count: number, tolerance: number): number => {
  const p = mesh.points;
  let close = -1;
  let best = tolerance;
  const first = mesh.edgeOfVertex[v];
  let e = first;
  do {
    const u = mesh.head(e);
    const distance = Math.max(Math.abs(p[2 * u] - p[2 * v]), Math.abs(p[2 * u + 1] - p[2 * v + 1]));
    if (u < count && distance <= best) {
      close = u;
      best = distance;
    }
    e = mesh.twins[previousEdge(e)];
  } while (e !== first);
  return close;
};

/** Inserts all points; returns the vertex of each. The nearest point is a Delaunay neighbour, so no search is needed. */
const insertPoints = (mesh: Triangulation, order: Float64Array, tolerance: number): Int32Array => {
  const vertexOf = new Int32Array(order.length);
  let hint = 0;
  for (const v of order) {
    const at = insertVertex(mesh, v, hint);
    vertexOf[v] = at;
    if (at === v) {
      const close = tolerance > 0 ? findClose(mesh, v, order.length, tolerance) : -1;
      if (close >= 0 && removeVertex(mesh, v)) vertexOf[v] = close;
    }
    hint = triangleOf(mesh.edgeOfVertex[vertexOf[v]]);
  }
  return vertexOf;
};

/** The convex hull, counter-clockwise, of all vertices that see the frame: those of the hull do. */
const findHull = (mesh: Triangulation, count: number): number[] => {
  const p = mesh.points;
  const seen = new Set<number>();
  for (let k = 0; k < FRAME; k++) for (const v of mesh.neighbours(count + k)) if (v < count) seen.add(v);
  const sorted = [...seen].sort((a, b) => p[2 * a] - p[2 * b] || p[2 * a + 1] - p[2 * b + 1]);
  const scan = (list: readonly number[]): number[] => {
    const chain: number[] = [];
    for (const v of list) {
      while (chain.length > 1 && computeTurn(p, chain[chain.length - 2], chain[chain.length - 1], v) <= 0) chain.pop();
      chain.push(v);
    }
    return chain.slice(0, -1);
  };
  return [...scan(sorted), ...scan(sorted.reverse())];
};

const checkNumbers = (name: string, numbers: ArrayLike<number>, count: number): void => {
  for (let i = 0; i < numbers.length; i++) {
    if (Number.isInteger(numbers[i]) && numbers[i] >= 0 && numbers[i] < count) continue;
    throw new RangeError(
      `computeConstrainedDelaunay: ${name}[${i}] is ${numbers[i]}; it must be the index of a point, 0 to ${count - 1}.`,
    );
  }
};

const listSegments = ({ points, segments = [], outlines = [] }: PlanarGraph): number[] => {
  const count = points.length / 2;
  checkNumbers('segments', segments, count);
  if (segments.length % 2 !== 0)
    throw new RangeError('computeConstrainedDelaunay: segments has an odd length; give pairs.');
  const all = Array.from(segments);
  for (const [k, loop] of outlines.entries()) {
    checkNumbers(`outlines[${k}]`, loop, count);
    for (let i = 0; i < loop.length; i++) all.push(loop[i], loop[(i + 1) % loop.length]);
  }
  return all;
};

/** See the head of this file. */
export const computeConstrainedDelaunay = (
  graph: PlanarGraph,
  { tolerance = 1e-12, region = graph.outlines?.length ? 'outlines' : 'hull' }: ConstrainedDelaunayOptions = {},
): ConstrainedDelaunay => {
  const { points } = graph;
  const count = points.length / 2;
  if (!(count >= 3 && Number.isInteger(count))) {
    throw new RangeError(
      `computeConstrainedDelaunay: ${points.length} coordinates; give at least three points with two coordinates each.`,
    );
  }
  const extent = measureExtent(points);
  if (!(extent.diagonal > 0))
    throw new RangeError('computeConstrainedDelaunay: all points have the same position; give different points.');
  const near = tolerance * extent.diagonal;
  const segments = listSegments(graph);
  const mesh = createFrame(points, extent);
  const vertexOf = insertPoints(mesh, orderAlongCurve(points, extent), near);
  if (region === 'hull') {
    const hull = findHull(mesh, count);
    for (const [i, v] of hull.entries()) insertSegment(mesh, v, hull[(i + 1) % hull.length], near);
  }
  for (let i = 0; i < segments.length; i += 2)
    insertSegment(mesh, vertexOf[segments[i]], vertexOf[segments[i + 1]], near);
  carveMesh(mesh, graph, region, count);
  const { vertices } = mesh.compact();
  let crossings = 0;
  for (let v = count + FRAME; v < vertices.length; v++) if (vertices[v] >= 0) crossings++;
  return { mesh, vertexOfPoint: vertexOf.map((v) => vertices[v]), crossings };
};
