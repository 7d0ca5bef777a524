/** Random planar graphs, and what every triangulation must fulfil, for the tests of src/geometry. */
import { findTriangulationFaults, nextEdge, type Triangulation } from 'heddle/geometry';
import { createRandom, type Random } from 'heddle/math';
import { expect } from 'vitest';

export const createPoints = (random: Random, count: number): Float64Array =>
  Float64Array.from({ length: 2 * count }, () => random.uniform());

/** `count` points and `lines` segments between any of them; segments cross. */
export const createGraph = (seed: number, count: number, lines: number) => {
  const random = createRandom(seed);
  const points = createPoints(random, count);
  const segments = Array.from({ length: 2 * lines }, () => random.integer(0, count - 1));
  return { points, segments };
};

/** A star-shaped outline of n points round (x, y), counter-clockwise, radius between 0.4 and 1 times `size`. */
export const createStar = (random: Random, n: number, [x, y]: readonly [number, number], size: number): number[] =>
  Array.from({ length: n }, (_, i) => {
    const radius = size * random.uniform(0.4, 1);
    const angle = (2 * Math.PI * (i + random.uniform(-0.3, 0.3))) / n;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  }).flat();

export const listTriangles = (mesh: Triangulation): number[][] =>
  Array.from({ length: mesh.triangleCount }, (_, t) => Array.from(mesh.corners.subarray(3 * t, 3 * t + 3)))
    .filter(([a]) => a >= 0)
    .map(([a, b, c]) => (a < b && a < c ? [a, b, c] : b < c ? [b, c, a] : [c, a, b]))
    .sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2]);

/** Vertices − edges + faces: 1 − holes for a connected mesh. */
export const computeEuler = (mesh: Triangulation): number => {
  let [edges, faces] = [0, 0];
  for (let e = 0; e < 3 * mesh.triangleCount; e++) {
    if (mesh.corners[e] < 0) continue;
    faces += e % 3 === 0 ? 1 : 0;
    edges += mesh.twins[e] < e ? 1 : 0;
  }
  const vertices = mesh.edgeOfVertex.subarray(0, mesh.vertexCount).filter((e) => e >= 0).length;
  return vertices - edges + faces;
};

/** Area that the border edges enclose (shoelace), whatever the triangles are. */
export const computeBorderArea = (mesh: Triangulation): number => {
  const p = mesh.points;
  let sum = 0;
  for (let e = 0; e < 3 * mesh.triangleCount; e++) {
    if (mesh.corners[e] < 0 || mesh.twins[e] >= 0) continue;
    const [a, b] = [mesh.corners[e], mesh.corners[nextEdge(e)]];
    sum += p[2 * a] * p[2 * b + 1] - p[2 * b] * p[2 * a + 1];
  }
  return sum / 2;
};

export const computePolygonArea = (xy: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < xy.length; i += 2) {
    const j = (i + 2) % xy.length;
    sum += xy[i] * xy[j + 1] - xy[j] * xy[i + 1];
  }
  return sum / 2;
};

/** Sound adjacency, no inverted triangle, Delaunay but for fixed edges when asked, area of triangles = area of border. */
export const expectSound = (mesh: Triangulation, delaunay = true): void => {
  expect(findTriangulationFaults(mesh, { delaunay })).toEqual([]);
  const area = mesh.computeArea();
  expect(Math.abs(computeBorderArea(mesh) - area)).toBeLessThanOrEqual(1e-12 * area);
};

/** Whether a chain of fixed edges runs from a to b without leaving the line by more than `tolerance`. */
export const hasChain = (mesh: Triangulation, a: number, b: number, tolerance: number): boolean => {
  const p = mesh.points;
  const distance = (u: number, v: number) => Math.hypot(p[2 * u] - p[2 * v], p[2 * u + 1] - p[2 * v + 1]);
  const length = distance(a, b);
  const [dx, dy] = [p[2 * b] - p[2 * a], p[2 * b + 1] - p[2 * a + 1]];
  const isOnLine = (v: number) =>
    Math.abs((p[2 * v] - p[2 * a]) * dy - (p[2 * v + 1] - p[2 * a + 1]) * dx) <= tolerance * length * length;
  let at = a;
  for (let count = 0; at !== b && count < mesh.vertexCount; count++) {
    const next = mesh
      .neighbours(at)
      .find((v) => mesh.isHeld(mesh.findEdge(at, v)) && isOnLine(v) && distance(v, b) < distance(at, b));
    if (next === undefined) return false;
    at = next;
  }
  return at === b;
};

export const computeMinAngle = (mesh: Triangulation): number => {
  const p = mesh.points;
  let smallest = Math.PI;
  for (let e = 0; e < 3 * mesh.triangleCount; e++) {
    if (mesh.corners[e] < 0) continue;
    const [a, b, c] = [mesh.corners[e], mesh.head(e), mesh.apex(e)];
    const [ux, uy] = [p[2 * b] - p[2 * a], p[2 * b + 1] - p[2 * a + 1]];
    const [vx, vy] = [p[2 * c] - p[2 * a], p[2 * c + 1] - p[2 * a + 1]];
    smallest = Math.min(smallest, Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
  }
  return smallest;
};
