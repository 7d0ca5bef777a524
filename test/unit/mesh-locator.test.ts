import fc from 'fast-check';
import { createMeshLocation, createPolygonMesh, MeshLocator, type Triangulation } from 'heddle/geometry';
import { createRandom } from 'heddle/math';
import { describe, expect, test } from 'vitest';
import { createStar } from './planar-fixtures.ts';

const createLocator = (mesh: Triangulation): MeshLocator =>
  new MeshLocator(mesh.points.subarray(0, 2 * mesh.vertexCount), mesh.corners.subarray(0, 3 * mesh.triangleCount));

/** Distance from (x, y) to triangle t, by its three edges and its inside. */
const computeDistance = (mesh: Triangulation, t: number, x: number, y: number): number => {
  const p = mesh.points;
  let isInside = true;
  let distance = Infinity;
  for (let e = 3 * t; e < 3 * t + 3; e++) {
    const [a, b] = [2 * mesh.corners[e], 2 * mesh.head(e)];
    const [dx, dy] = [p[b] - p[a], p[b + 1] - p[a + 1]];
    if (dx * (y - p[a + 1]) - dy * (x - p[a]) < 0) isInside = false;
    const s = Math.max(0, Math.min(1, ((x - p[a]) * dx + (y - p[a + 1]) * dy) / (dx * dx + dy * dy)));
    distance = Math.min(distance, Math.hypot(p[a] + s * dx - x, p[a + 1] + s * dy - y));
  }
  return isInside ? 0 : distance;
};

describe('locating a material point in another mesh', () => {
  test('gives the place back from its barycentric coordinates, outside the nearest place of the mesh', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 4, max: 20 }), (seed, n) => {
        const random = createRandom(seed);
        const { mesh } = createPolygonMesh(createStar(random, n, [0, 0], 1), [], { size: random.uniform(0.2, 1.5) });
        const locator = createLocator(mesh);
        const out = createMeshLocation();
        for (let k = 0; k < 30; k++) {
          const [x, y] = [random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)];
          locator.writeLocation(x, y, out);
          const nearest = Math.min(
            ...Array.from({ length: mesh.triangleCount }, (_, t) => computeDistance(mesh, t, x, y)),
          );
          expect(Math.abs(out.distance - nearest)).toBeLessThan(1e-12);
          const [fx, fy] = [0, 1].map((axis) =>
            out.weights.reduce((s, w, i) => s + w * mesh.points[2 * mesh.corners[3 * out.triangle + i] + axis], 0),
          );
          expect(Math.abs(Math.hypot(fx - x, fy - y) - nearest)).toBeLessThan(1e-12);
          expect(Math.min(...out.weights)).toBeGreaterThanOrEqual(0);
          expect(out.weights[0] + out.weights[1] + out.weights[2]).toBeCloseTo(1, 14);
        }
      }),
    );
  });

  test('finds every vertex and every middle of an edge exactly; outside by rounding is the border', () => {
    const { mesh } = createPolygonMesh([0, 0, 1, 0.1, 0.9, 1.1, -0.1, 1], [], { size: 0.15 });
    const locator = createLocator(mesh);
    const out = createMeshLocation();
    for (let v = 0; v < mesh.vertexCount; v++) {
      locator.writeLocation(mesh.points[2 * v], mesh.points[2 * v + 1], out);
      expect(out.distance).toBe(0);
      const corner = Array.from(mesh.corners.subarray(3 * out.triangle, 3 * out.triangle + 3)).indexOf(v);
      expect(out.weights[corner]).toBe(1);
    }
    locator.writeLocation(0.5, 0.05 - 1e-16, out);
    expect(out.distance).toBeLessThan(1e-15);
    expect(out.triangle).toBeGreaterThanOrEqual(0);
  });

  test('a long thin mesh of many triangles and gaps is no problem; no triangles is an error', () => {
    const points = Array.from({ length: 2002 }, (_, i) => [Math.floor(i / 2), (i % 2) * 1e-6]).flat();
    const triangles = Array.from({ length: 1000 }, (_, i) => [
      2 * i,
      2 * i + 2,
      2 * i + 1,
      -1,
      -1,
      -1,
      2 * i + 2,
      2 * i + 3,
      2 * i + 1,
    ]).flat();
    const locator = new MeshLocator(points, triangles);
    const out = createMeshLocation();
    locator.writeLocation(500.25, 0.5e-6, out);
    expect([Math.floor(out.triangle / 3), out.distance]).toEqual([500, 0]);
    expect(() => new MeshLocator([0, 0], [])).toThrow('no triangles');
  });
});
