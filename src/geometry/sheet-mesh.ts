/**
 * Meshes of sheets in material space: a rectangle as a regular grid, a disk of rings, any polygon with holes.
 *
 *   grid, diagonals alternate (even numbers of cells: symmetric to both middle lines):     +---+---+
 *                                                                                          | / | \ |
 *   vertex i + (columns + 1) j is at x = i width/columns, y = j height/rows                +---+---+
 *                                                                                          | \ | / |
 *   disk: ring k of n has 6 k vertices at radius k/n                                       +---+---+
 */
import { computeHypot2, computeSineCosine } from '../math/index.ts';
import { computeConstrainedDelaunay } from './constrained-delaunay.ts';
import { type RefineOptions, type RefineReport, refineMesh } from './mesh-refine.ts';
import { Triangulation } from './triangulation.ts';

const checkCount = (where: string, count: number): void => {
  if (!(Number.isInteger(count) && count > 0)) {
    throw new RangeError(`${where} is ${count}; it must be a whole number > 0.`);
  }
};

const checkLength = (where: string, length: number): void => {
  if (!(length > 0 && Number.isFinite(length)))
    throw new RangeError(`${where} is ${length}; it must be > 0 and finite.`);
};

/** A rectangle from (0, 0) to (width, height) of columns × rows cells, two triangles each. */
export const createGridMesh = (width: number, height: number, columns: number, rows: number): Triangulation => {
  checkLength('createGridMesh: width', width);
  checkLength('createGridMesh: height', height);
  checkCount('createGridMesh: columns', columns);
  checkCount('createGridMesh: rows', rows);
  const points: number[] = [];
  const triangles: number[] = [];
  for (let j = 0; j <= rows; j++)
    for (let i = 0; i <= columns; i++) points.push((width * i) / columns, (height * j) / rows);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const a = i + (columns + 1) * j;
      const [b, c, d] = [a + 1, a + columns + 2, a + columns + 1];
      // the diagonal of cell (0, 0) goes from the corner of the grid inwards
      if ((i + j) % 2 === 0) triangles.push(a, b, c, a, c, d);
      else triangles.push(a, b, d, b, c, d);
    }
  }
  return Triangulation.fromTriangles(points, triangles);
};

/** A disk round (0, 0): rings of 6, 12, 18 … vertices, no edge longer than `size`. */
export const createDiskMesh = (radius: number, size: number): Triangulation => {
  checkLength('createDiskMesh: radius', radius);
  checkLength('createDiskMesh: size', size);
  // between two rings an edge goes radius/rings outwards and at most as far along the outer arc as its vertices are apart
  const rings = Math.ceil((computeHypot2(1, Math.PI / 3) * radius) / size);
  const points = [0, 0];
  for (let k = 1; k <= rings; k++) {
    for (let i = 0; i < 6 * k; i++) {
      const angle = (Math.PI * i) / (3 * k);
      const [sine, cosine] = computeSineCosine(angle);
      points.push(((radius * k) / rings) * cosine, ((radius * k) / rings) * sine);
    }
  }
  const triangles: number[] = [];
  /** Vertex i of ring k. */
  const at = (k: number, i: number): number => (k === 0 ? 0 : 1 + 3 * k * (k - 1) + (i % (6 * k)));
  for (let k = 1; k <= rings; k++) {
    for (let sector = 0; sector < 6; sector++) {
      for (let i = 0; i < k; i++) {
        const [outer, inner] = [sector * k + i, sector * (k - 1) + i];
        triangles.push(at(k, outer), at(k, outer + 1), at(k - 1, inner));
        if (i < k - 1) triangles.push(at(k, outer + 1), at(k - 1, inner + 1), at(k - 1, inner));
      }
    }
  }
  return Triangulation.fromTriangles(points, triangles);
};

export interface PolygonMesh {
  /** Vertices: the corners of the outline and the holes in their order, then lines, then what refinement added. */
  readonly mesh: Triangulation;
  readonly report: RefineReport;
  /** The vertex of each corner of the outline, then of the holes, then of the lines. */
  readonly vertexOfPoint: Int32Array;
}

export interface PolygonOptions extends RefineOptions {
  /** Lines inside that edges must follow, each two or more points, two coordinates a point. */
  readonly lines?: readonly ArrayLike<number>[];
}

/** Loops of coordinates run the way asked for: counter-clockwise for 1, clockwise for −1. */
const orient = (xy: ArrayLike<number>, from: number, way: 1 | -1): number[] => {
  let area = 0;
  for (let i = 0; i < xy.length; i += 2) {
    const j = (i + 2) % xy.length;
    area += xy[i] * xy[j + 1] - xy[j] * xy[i + 1];
  }
  const loop = Array.from({ length: xy.length / 2 }, (_, i) => from + i);
  return area * way < 0 ? loop.reverse() : loop;
};

/** A mesh of good triangles for an outline with holes, two coordinates a corner, each loop either way round. */
export const createPolygonMesh = (
  outline: ArrayLike<number>,
  holes: readonly ArrayLike<number>[] = [],
  { lines = [], ...options }: PolygonOptions = {},
): PolygonMesh => {
  const points: number[] = [];
  const outlines: number[][] = [];
  for (const [k, xy] of [outline, ...holes].entries()) {
    if (xy.length < 6 || xy.length % 2 !== 0) {
      throw new RangeError(
        `createPolygonMesh: loop ${k} has ${xy.length} coordinates; give at least three corners, two each.`,
      );
    }
    outlines.push(orient(xy, points.length / 2, k === 0 ? 1 : -1));
    points.push(...Array.from(xy));
  }
  const segments: number[] = [];
  for (const xy of lines) {
    for (let i = 0; i < xy.length; i += 2) {
      if (i > 0) segments.push(points.length / 2 - 1, points.length / 2);
      points.push(xy[i], xy[i + 1]);
    }
  }
  const { mesh, vertexOfPoint } = computeConstrainedDelaunay({ points, segments, outlines });
  return { mesh, vertexOfPoint, report: refineMesh(mesh, options) };
};
