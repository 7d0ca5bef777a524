import { createDiskMesh, createGridMesh, createPolygonMesh, type Triangulation } from 'heddle/geometry';
import { describe, expect, test } from 'vitest';
import { computeEuler, computeMinAngle, expectSound, hasChain } from './planar-fixtures.ts';

/** Triangles as sorted lists of places, so that a mirrored mesh can be compared. */
const listPlaces = (mesh: Triangulation, place: (x: number, y: number) => readonly [number, number]): string[] =>
  Array.from({ length: mesh.triangleCount }, (_, t) =>
    Array.from(mesh.corners.subarray(3 * t, 3 * t + 3))
      .map((v) => place(mesh.points[2 * v], mesh.points[2 * v + 1]))
      .map(([x, y]) => `${x.toFixed(9)},${y.toFixed(9)}`.replaceAll('-0.000000000', '0.000000000'))
      .sort()
      .join(' '),
  ).sort();

describe('a grid', () => {
  test('of even numbers of cells is symmetric to both middle lines, every inner vertex has 4 or 8 edges', () => {
    const mesh = createGridMesh(2, 1, 6, 4);
    expectSound(mesh);
    expect([mesh.vertexCount, mesh.triangleCount, mesh.computeArea()]).toEqual([35, 48, 2]);
    const places = listPlaces(mesh, (x, y) => [x, y]);
    expect(listPlaces(mesh, (x, y) => [2 - x, y])).toEqual(places);
    expect(listPlaces(mesh, (x, y) => [x, 1 - y])).toEqual(places);
    for (let v = 0; v < 35; v++) if (!mesh.isBorderVertex(v)) expect([4, 8]).toContain(mesh.neighbours(v).length);
    expect([mesh.points[2 * 9], mesh.points[2 * 9 + 1]]).toEqual([2 / 3, 0.25]);
  });

  test('of no cells, or without size, is refused', () => {
    expect(() => createGridMesh(1, 1, 0, 3)).toThrow('columns is 0');
    expect(() => createGridMesh(1, -1, 2, 3)).toThrow('height is -1');
  });
});

describe('a disk', () => {
  test('has sixfold symmetry, edges not longer than the size, angles above 40° and nearly the area π r²', () => {
    const mesh = createDiskMesh(0.5, 0.06);
    expectSound(mesh);
    expect(computeEuler(mesh)).toBe(1);
    const p = mesh.points;
    let longest = 0;
    for (let e = 0; e < 3 * mesh.triangleCount; e++) {
      const [a, b] = [mesh.corners[e], mesh.head(e)];
      longest = Math.max(longest, Math.hypot(p[2 * a] - p[2 * b], p[2 * a + 1] - p[2 * b + 1]));
    }
    expect(longest).toBeLessThanOrEqual(0.06);
    expect(longest).toBeGreaterThan(0.05);
    expect(computeMinAngle(mesh)).toBeGreaterThan((40 * Math.PI) / 180);
    // a regular polygon of n corners has the area n/2 sin(2π/n) r²
    const n = 6 * Math.ceil((Math.hypot(1, Math.PI / 3) * 0.5) / 0.06);
    expect(mesh.computeArea()).toBeCloseTo((n / 2) * Math.sin((2 * Math.PI) / n) * 0.25, 12);
    const [c, s] = [0.5, Math.sqrt(0.75)];
    expect(listPlaces(mesh, (x, y) => [c * x - s * y, s * x + c * y])).toEqual(listPlaces(mesh, (x, y) => [x, y]));
  });
});

describe('a polygon with holes', () => {
  test('either way round becomes a mesh of good triangles with the area of the outline less the holes', () => {
    const outline = [0, 0, 3, 0, 3, 2, 1.5, 1.2, 0, 2];
    const hole = [0.5, 0.4, 1, 0.4, 1, 0.9, 0.5, 0.9];
    const reversed = [0.5, 0.9, 1, 0.9, 1, 0.4, 0.5, 0.4];
    const options = { size: 0.3, lines: [[1.3, 0.5, 2, 0.6, 2.7, 0.4]] };
    const { mesh, report, vertexOfPoint } = createPolygonMesh(outline, [hole], options);
    expectSound(mesh);
    expect(computeEuler(mesh)).toBe(0);
    expect(mesh.computeArea()).toBeCloseTo(3 * 2 - 1.2 - 0.25, 12);
    expect([report.complete, report.smallAngles, report.longEdges]).toEqual([true, 0, 0]);
    expect(computeMinAngle(mesh)).toBeGreaterThanOrEqual((25 * Math.PI) / 180);
    for (const [a, b] of [
      [9, 10],
      [10, 11],
      [0, 1],
      [5, 6],
    ])
      expect(hasChain(mesh, vertexOfPoint[a], vertexOfPoint[b], 1e-12)).toBe(true);
    expect(createPolygonMesh(outline, [reversed], options).mesh.computeArea()).toBeCloseTo(3 * 2 - 1.2 - 0.25, 12);
  });

  test('of two corners is refused', () => {
    expect(() => createPolygonMesh([0, 0, 1, 1])).toThrow('loop 0 has 4 coordinates');
  });
});
