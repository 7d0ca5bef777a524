import Constrainautor from '@kninnug/constrainautor';
import Delaunator from 'delaunator';
import fc from 'fast-check';
import { computeConstrainedDelaunay, type Triangulation } from 'heddle/geometry';
import { createRandom } from 'heddle/math';
import { describe, expect, test } from 'vitest';
import {
  computeEuler,
  computePolygonArea,
  createGraph,
  createPoints,
  createStar,
  expectSound,
  hasChain,
  listTriangles,
} from './planar-fixtures.ts';

const seeds = fc.integer({ min: 0, max: 1e9 });

const sortTriangles = (flat: ArrayLike<number>): number[][] =>
  Array.from({ length: flat.length / 3 }, (_, t) => [flat[3 * t], flat[3 * t + 2], flat[3 * t + 1]])
    .map(([a, b, c]) => (a < b && a < c ? [a, b, c] : b < c ? [b, c, a] : [c, a, b]))
    .sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2]);

const expectChains = (mesh: Triangulation, vertexOf: Int32Array, segments: readonly number[]): void => {
  for (let i = 0; i < segments.length; i += 2)
    expect(hasChain(mesh, vertexOf[segments[i]], vertexOf[segments[i + 1]], 1e-9)).toBe(true);
};

describe('Delaunay triangulation of points', () => {
  test('has the triangles that delaunator finds', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 3, max: 200 }), (seed, count) => {
        const points = createPoints(createRandom(seed), count);
        const { mesh, vertexOfPoint } = computeConstrainedDelaunay({ points });
        expect(listTriangles(mesh)).toEqual(sortTriangles(new Delaunator(points).triangles));
        expect(Array.from(vertexOfPoint)).toEqual(Array.from({ length: count }, (_, i) => i));
        expectSound(mesh);
        expect(computeEuler(mesh)).toBe(1);
      }),
    );
  });

  test('of a square grid, where all points are on circles of four, is sound and has 2 n² triangles', () => {
    const points = Array.from({ length: 441 }, (_, i) => [i % 21, Math.floor(i / 21)]).flat();
    const { mesh } = computeConstrainedDelaunay({ points });
    expectSound(mesh);
    expect(mesh.countTriangles()).toBe(800);
    expect(mesh.computeArea()).toBe(400);
  });

  test('of points scaled by 1e6, 1e-6 and 2^20 has the same triangles', () => {
    const { points, segments } = createGraph(4, 80, 12);
    const expected = computeConstrainedDelaunay({ points, segments });
    for (const scale of [1e6, 1e-6, 2 ** 20, 1e-12]) {
      const scaled = computeConstrainedDelaunay({ points: points.map((x) => x * scale), segments });
      expect(listTriangles(scaled.mesh)).toEqual(listTriangles(expected.mesh));
      expect(scaled.crossings).toBe(expected.crossings);
    }
    expect(expected.crossings).toBeGreaterThan(5);
  });

  test('points on one line or at one place are refused with a reason', () => {
    expect(() => computeConstrainedDelaunay({ points: [0, 0, 1, 1, 2, 2, 3, 3] })).toThrow('no material is left');
    expect(() => computeConstrainedDelaunay({ points: [1, 1, 1, 1, 1, 1] })).toThrow(
      'all points have the same position',
    );
    expect(() => computeConstrainedDelaunay({ points: [0, 0, 1, 1] })).toThrow('at least three points');
    expect(() => computeConstrainedDelaunay({ points: [0, 0, Number.NaN, 1, 2, 2] })).toThrow('point 1 is (NaN, 1)');
    expect(() => computeConstrainedDelaunay({ points: [0, 0, 1, 0, 0, 1], segments: [0, 3] })).toThrow(
      'segments[1] is 3',
    );
  });

  test('points nearer than the tolerance are one vertex, farther ones are not', () => {
    const points = [0, 0, 1, 0, 1, 1, 0, 1, 0.3, 0.4, 0.3 + 1e-14, 0.4, 0.3, 0.4, 1, 1 + 1e-13, 0.3 + 1e-9, 0.4];
    const { mesh, vertexOfPoint } = computeConstrainedDelaunay({ points });
    expect(vertexOfPoint[5]).toBe(vertexOfPoint[4]);
    expect(vertexOfPoint[6]).toBe(vertexOfPoint[4]);
    expect(vertexOfPoint[7]).toBe(vertexOfPoint[2]);
    expect(vertexOfPoint[8]).not.toBe(vertexOfPoint[4]);
    expect(mesh.vertexCount).toBe(6);
    expectSound(mesh);
  });
});

describe('constrained Delaunay triangulation', () => {
  test('has the triangles that constrainautor finds where segments do not cross', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 6, max: 80 }), (seed, count) => {
        const random = createRandom(seed);
        const points = createPoints(random, count);
        // pieces of a star polygon have no crossings: points in the order of their angle round the middle, gaps below π
        const angle = (i: number) => Math.atan2(points[2 * i + 1] - 0.5, points[2 * i] - 0.5);
        const order = Array.from({ length: Math.floor(count / 2) }, (_, i) => i).sort((a, b) => angle(a) - angle(b));
        const pairs = order.map((a, i): [number, number] => [order[Math.max(0, i - 1)], a]);
        const sides = pairs.filter(([a, b]) => a !== b && angle(b) - angle(a) < 3.1);
        const segments = sides.flat();
        const { mesh, crossings } = computeConstrainedDelaunay({ points, segments });
        expect(crossings).toBe(0);
        const oracle = new Delaunator(points);
        new Constrainautor(oracle, sides);
        expect(listTriangles(mesh)).toEqual(sortTriangles(oracle.triangles));
        expectChains(
          mesh,
          Int32Array.from({ length: count }, (_, i) => i),
          segments,
        );
        expectSound(mesh);
      }),
    );
  });

  test('of random segments that cross has all of them as chains, with Euler V − E + F = 1', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 4, max: 40 }), fc.integer({ min: 1, max: 30 }), (seed, count, lines) => {
        const { points, segments } = createGraph(seed, count, lines);
        const { mesh, vertexOfPoint } = computeConstrainedDelaunay({ points, segments });
        expectSound(mesh);
        expect(computeEuler(mesh)).toBe(1);
        expectChains(mesh, vertexOfPoint, segments);
        const again = computeConstrainedDelaunay({ points, segments }).mesh;
        expect(again.points).toEqual(mesh.points);
        expect(again.corners).toEqual(mesh.corners);
      }),
      { numRuns: 200 },
    );
  });

  test('of random segments on a small grid of points, through vertices and on each other', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 25 }), fc.integer({ min: 3, max: 6 }), (seed, lines, side) => {
        const random = createRandom(seed);
        const points = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)]).flat();
        const segments = Array.from({ length: 2 * lines }, () => random.integer(0, side * side - 1));
        const { mesh, vertexOfPoint } = computeConstrainedDelaunay({ points, segments });
        expectSound(mesh);
        expect(computeEuler(mesh)).toBe(1);
        expect(mesh.computeArea()).toBeCloseTo((side - 1) ** 2, 12);
        expectChains(mesh, vertexOfPoint, segments);
      }),
      { numRuns: 200 },
    );
  });

  test('one crossing is one vertex where the lines meet', () => {
    const points = [0, 0, 2, 2, 0, 2, 2, 0, 1, 1, 2, 1];
    const { mesh, crossings } = computeConstrainedDelaunay({ points: points.slice(0, 8), segments: [0, 1, 2, 3] });
    expect([crossings, mesh.points[8], mesh.points[9]]).toEqual([1, 1, 1]);
    // with a point there already, both run through it
    expect(computeConstrainedDelaunay({ points, segments: [0, 1, 2, 3] }).crossings).toBe(0);
  });

  test('a point on a slanted outline but for rounding is on the border, not beside it', () => {
    for (let k = 1; k < 50; k++) {
      const [s, c] = [Math.sin(k), Math.cos(k)];
      const corners = [0, 0, 3 * c, 3 * s, 3 * c - s, 3 * s + c, -s, c];
      const points = [...corners, (k / 17) * c, (k / 17) * s];
      const { mesh, vertexOfPoint } = computeConstrainedDelaunay({ points, outlines: [[0, 1, 2, 3]] });
      expect(mesh.isBorderVertex(vertexOfPoint[4])).toBe(true);
      expect(mesh.countTriangles()).toBe(3);
    }
  });

  test('features of 1e-9 of the size are kept', () => {
    const tiny = [0, 0, 1, 0, 1, 1, 0, 1].map((x) => 0.5 + 1e-9 * x);
    const points = [0, 0, 1, 0, 1, 1, 0, 1, ...tiny];
    const outlines = [
      [0, 1, 2, 3],
      [7, 6, 5, 4],
    ];
    const { mesh } = computeConstrainedDelaunay({ points, outlines });
    expectSound(mesh);
    expect([computeEuler(mesh), mesh.vertexCount]).toEqual([0, 8]);
  });
});

describe('what is material', () => {
  test('outlines with concavities and clockwise holes: area and Euler 1 − holes', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 5, max: 60 }), (seed, n) => {
        const random = createRandom(seed);
        const outer = createStar(random, n, [0, 0], 1);
        const hole = createStar(random, 6, [0, 0], 0.05);
        const points = [...outer, ...hole];
        const ring = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
        const outlines = [ring(0, n), ring(n, 6).reverse()];
        const { mesh } = computeConstrainedDelaunay({ points, outlines });
        const area = computePolygonArea(outer) - computePolygonArea(hole);
        expect(Math.abs(mesh.computeArea() - area)).toBeLessThan(1e-12 * area);
        expect(computeEuler(mesh)).toBe(0);
        expectSound(mesh);
        // a seed does the same without orientation
        const segments = outlines.flatMap((loop) => loop.flatMap((a, i) => [a, loop[(i + 1) % loop.length]]));
        const seeded = computeConstrainedDelaunay({ points, segments, holes: [0, 0.001] }, { region: 'enclosed' });
        expect(listTriangles(seeded.mesh)).toEqual(listTriangles(mesh));
      }),
    );
  });

  test('borders that touch at a point, seeds on an edge and clockwise outlines are refused with a reason', () => {
    const points = [0, 0, 1, 0, 1, 1, 0, 1, 0.2, 0, 0.4, 0.3, 0.1, 0.3];
    const touching = [
      [0, 4, 1, 2, 3],
      [6, 5, 4],
    ];
    expect(() => computeConstrainedDelaunay({ points, outlines: touching })).toThrow('two borders touch at (0.2, 0)');
    expect(() => computeConstrainedDelaunay({ points, outlines: [[3, 2, 1, 0]] })).toThrow('clockwise');
    expect(() => computeConstrainedDelaunay({ points, holes: [0, 0] })).toThrow('hole seed 0');
  });

  test('a point outside the outline has no vertex', () => {
    const points = [0, 0, 1, 0, 1, 1, 0, 1, 2, 2];
    expect(Array.from(computeConstrainedDelaunay({ points, outlines: [[0, 1, 2, 3]] }).vertexOfPoint)).toEqual([
      0, 1, 2, 3, -1,
    ]);
  });
});
