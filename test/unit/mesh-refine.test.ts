import fc from 'fast-check';
import { computeConstrainedDelaunay, refineMesh, type Triangulation } from 'heddle/geometry';
import { createRandom } from 'heddle/math';
import { describe, expect, test } from 'vitest';
import { computeMinAngle, createGraph, createStar, expectSound, hasChain, listTriangles } from './planar-fixtures.ts';

const deg = Math.PI / 180;
const createSquare = (): Triangulation =>
  computeConstrainedDelaunay({ points: [0, 0, 1, 0, 1, 1, 0, 1], outlines: [[0, 1, 2, 3]] }).mesh;

const listEdges = (mesh: Triangulation) => {
  const p = mesh.points;
  const edges: { a: number; b: number; length: number; x: number; y: number; isBorder: boolean }[] = [];
  for (let e = 0; e < 3 * mesh.triangleCount; e++) {
    if (mesh.corners[e] < 0 || mesh.twins[e] > e) continue;
    const [a, b] = [mesh.corners[e], mesh.head(e)];
    const length = Math.hypot(p[2 * a] - p[2 * b], p[2 * a + 1] - p[2 * b + 1]);
    const [x, y] = [(p[2 * a] + p[2 * b]) / 2, (p[2 * a + 1] + p[2 * b + 1]) / 2];
    edges.push({ a, b, length, x, y, isBorder: mesh.twins[e] < 0 });
  }
  return edges;
};

describe('quality refinement', () => {
  test('gives every angle of an outline without small angles 20°, 25° and 30°, and keeps the area', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.constantFrom(20, 25, 30), (seed, angle) => {
        const points = createStar(createRandom(seed), 9, [0.3, -0.2], 1);
        const { mesh } = computeConstrainedDelaunay({ points, outlines: [Array.from({ length: 9 }, (_, i) => i)] });
        const area = mesh.computeArea();
        const report = refineMesh(mesh, { minAngle: angle * deg });
        expectSound(mesh);
        expect(report.complete).toBe(true);
        expect(Math.abs(mesh.computeArea() - area)).toBeLessThanOrEqual(1e-12 * area);
        expect(report.minAngle).toBeCloseTo(computeMinAngle(mesh), 12);
        // input angles of the star may be smaller than the bound: only those triangles are left
        if (report.smallAngles === 0) expect(computeMinAngle(mesh)).toBeGreaterThanOrEqual(angle * deg);
        else expect(computeCornerAngle(points)).toBeLessThan(60 * deg);
      }),
    );
  });

  test('ends on random graphs of crossing segments with angles down to 1e-3, and keeps every segment', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 4, max: 25 }), (seed, count) => {
        const { points, segments } = createGraph(seed, count, Math.floor(count / 2));
        const { mesh, vertexOfPoint } = computeConstrainedDelaunay({ points, segments });
        // lines at still smaller angles take more vertices than a test should wait for
        fc.pre(computeMinAngle(mesh) > 1e-3);
        const inputs = mesh.vertexCount;
        const report = refineMesh(mesh, { maxNewVertices: 20000 });
        expect(report.complete).toBe(true);
        expectSound(mesh);
        for (let i = 0; i < segments.length; i += 2)
          expect(hasChain(mesh, vertexOfPoint[segments[i]], vertexOfPoint[segments[i + 1]], 1e-9)).toBe(true);
        expect(report.segmentEnds.length).toBe(2 * (mesh.vertexCount - inputs));
      }),
    );
  });

  test('no edge is longer than the size wanted, as a number or by place, and few more than needed', () => {
    const even = createSquare();
    expect(refineMesh(even, { size: 0.1 }).longEdges).toBe(0);
    for (const { length } of listEdges(even)) expect(length).toBeLessThanOrEqual(0.1);
    // equilateral triangles of side 0.1 have 115 vertices in a unit square
    expect(even.vertexCount).toBeLessThan(3 * 115);
    const graded = createSquare();
    const size = (x: number, y: number) => 0.01 + 0.2 * Math.hypot(x - 0.3, y - 0.3);
    const report = refineMesh(graded, { size });
    for (const { length, x, y } of listEdges(graded)) expect(length).toBeLessThanOrEqual(size(x, y));
    expect(report.minAngle).toBeGreaterThanOrEqual(25 * deg);
    expectSound(graded);
    expect(() => refineMesh(createSquare(), { size: () => 0 })).toThrow('the size at');
    expect(() => refineMesh(createSquare(), { minAngle: 1.2 })).toThrow('minAngle is 1.2');
  });

  test('protected segments keep their two ends; others are split', () => {
    const n = 10;
    const sides = [0, 1, 2, 3].flatMap((k) =>
      Array.from({ length: n }, (_, i) => {
        const s = i / n;
        return [
          [s, 0],
          [1, s],
          [1 - s, 1],
          [0, 1 - s],
        ][k];
      }),
    );
    const create = () =>
      computeConstrainedDelaunay({
        points: [...sides.flat(), 0.31, 0.3, 0.7, 0.62],
        outlines: [Array.from({ length: 4 * n }, (_, i) => i)],
        segments: [4 * n, 4 * n + 1],
      }).mesh;
    const mesh = create();
    const report = refineMesh(mesh, { size: 0.11, isProtected: (a, b) => Math.max(a, b) < 4 * n });
    expect(listEdges(mesh).filter(({ isBorder }) => isBorder)).toHaveLength(4 * n);
    expect(mesh.findEdge(4 * n, 4 * n + 1)).toBe(-1);
    expect([report.complete, report.smallAngles, report.longEdges]).toEqual([true, 0, 0]);
    expectSound(mesh);
    const free = create();
    refineMesh(free, { size: 0.05 });
    expect(listEdges(free).filter(({ isBorder }) => isBorder).length).toBeGreaterThan(4 * n);
  });

  test('smaller input angles are left: a fan of lines 1° apart ends, no angle below atan(sin θ / (2 − cos θ))', () => {
    const rays = Array.from({ length: 6 }, (_, i) => [Math.cos(i * deg), Math.sin(i * deg)]).flat();
    const points = [0, 0, ...rays, -1, -1, 2, -1, 2, 2, -1, 2];
    const { mesh } = computeConstrainedDelaunay({ points, segments: [1, 2, 3, 4, 5, 6].flatMap((i) => [0, i]) });
    const report = refineMesh(mesh, { maxNewVertices: 5000 });
    expect(report.complete).toBe(true);
    // the angle of a diagonal between two shells of radii 1 : 2 [Miller 2003]
    expect(report.minAngle).toBeGreaterThanOrEqual(Math.atan(Math.sin(deg) / (2 - Math.cos(deg))) - 1e-12);
    expect(report.newVertices).toBeLessThan(1000);
    expectSound(mesh);
  });

  test('a cap on new vertices ends it with a report', () => {
    const mesh = createSquare();
    const report = refineMesh(mesh, { size: 1e-4, maxNewVertices: 200 });
    expect([report.complete, report.newVertices]).toEqual([false, 200]);
    expect(report.longEdges).toBeGreaterThan(0);
    expectSound(mesh);
  });

  test('a feature of 1e-9 of the size is graded to; scaling by 1e6 and 1e-6 gives the same triangles', () => {
    const points = [0, 0, 1, 0, 1.1, 1, 0, 0.9, 0.5, 0.45, 0.5 + 1e-9, 0.45, 0.5, 0.45 + 1.1e-9];
    const { mesh } = computeConstrainedDelaunay({ points });
    const report = refineMesh(mesh);
    expect(report.minAngle).toBeGreaterThanOrEqual(25 * deg);
    expect(report.newVertices).toBeLessThan(1000);
    // the segment from 0 to 5 makes a small angle with the border, so that it is split on shells
    const coarse = [0, 0, 1, 0.03, 1.1, 1, 0.02, 0.9, 0.5, 0.41, 0.603, 0.47];
    const refine = (scale: number) => {
      const made = computeConstrainedDelaunay({ points: coarse.map((x) => x * scale), segments: [0, 5] });
      refineMesh(made.mesh);
      return listTriangles(made.mesh);
    };
    for (const scale of [1e6, 1e-6, 3]) expect(refine(scale)).toEqual(refine(1));
    expect(refine(1).length).toBeGreaterThan(50);
  });

  test('a new vertex on a segment knows the ends of the segment', () => {
    const mesh = createSquare();
    const { segmentEnds } = refineMesh(mesh, { size: 0.3 });
    for (let v = 4; v < mesh.vertexCount; v++) {
      const [a, b] = segmentEnds.subarray(2 * (v - 4), 2 * (v - 4) + 2);
      expect(a >= 0).toBe(mesh.isBorderVertex(v));
      if (a < 0) continue;
      const [x, y] = mesh.points.subarray(2 * v, 2 * v + 2);
      const side = { '0,1': y, '1,2': 1 - x, '2,3': 1 - y, '0,3': x }[[a, b].sort().join()];
      expect(side).toBe(0);
    }
  });
});

/** The smallest angle between neighbouring sides of a closed outline. */
const computeCornerAngle = (xy: readonly number[]): number => {
  const n = xy.length / 2;
  const at = (i: number) => [xy[2 * ((i + n) % n)], xy[2 * ((i + n) % n) + 1]];
  return Math.min(
    ...Array.from({ length: n }, (_, i) => {
      const [[px, py], [x, y], [qx, qy]] = [at(i - 1), at(i), at(i + 1)];
      const [ux, uy, vx, vy] = [px - x, py - y, qx - x, qy - y];
      return Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
    }),
  );
};
