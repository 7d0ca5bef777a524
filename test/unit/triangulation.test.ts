import fc from 'fast-check';
import {
  canCollapse,
  canFlip,
  canSplitEdge,
  collapseEdge,
  computeConstrainedDelaunay,
  findTriangulationFaults,
  insertVertex,
  isStraight,
  legaliseAll,
  locatePoint,
  removeVertex,
  Triangulation,
} from 'heddle/geometry';
import { createRandom } from 'heddle/math';
import { describe, expect, test } from 'vitest';
import { computeEuler, createPoints, expectSound, listTriangles } from './planar-fixtures.ts';

/** The unit square of two triangles; a third vertex index is free for a new point. */
const createSquare = (): Triangulation => Triangulation.fromTriangles([0, 0, 1, 0, 1, 1, 0, 1], [0, 1, 2, 0, 2, 3]);

describe('a triangulation', () => {
  test('keeps Euler V − E + F = 1, adjacency and area through any splits, flips and collapses', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (seed) => {
        const random = createRandom(seed);
        const mesh = createSquare();
        mesh.setFixed(mesh.findEdge(0, 2), 1);
        for (let k = 0; k < 60; k++) {
          const e = random.integer(0, 3 * mesh.triangleCount - 1);
          if (mesh.corners[e] < 0) continue;
          const [a, b] = [mesh.corners[e], mesh.head(e)];
          const kind = random.integer(0, 3);
          // halves of small integers are exact, so points on the border are exactly on it
          const [x, y] = [0, 1].map((i) => (mesh.points[2 * a + i] + mesh.points[2 * b + i]) / 2);
          if (kind === 0 && canFlip(mesh, e)) mesh.flipEdge(e);
          else if (kind === 1 && canCollapse(mesh, e)) {
            const isStraightLine = !mesh.isBorderVertex(a) || isOnStraightLine(mesh, a);
            if (isStraightLine) collapseEdge(mesh, e);
          } else if (kind > 1 && canSplitEdge(mesh, e, x, y)) mesh.splitEdge(e, mesh.addVertex(x, y));
        }
        expectSound(mesh, false);
        expect(mesh.computeArea()).toBe(1);
        expect(computeEuler(mesh)).toBe(1);
        legaliseAll(mesh);
        expectSound(mesh);
      }),
      { numRuns: 200 },
    );
  });

  test('flipping twice gives the same triangles again, fixed edges and border stay as they are', () => {
    const mesh = createSquare();
    const before = listTriangles(mesh);
    mesh.flipEdge(mesh.findEdge(0, 2));
    expect(mesh.findEdge(0, 2)).toBe(-1);
    expect(listTriangles(mesh)).not.toEqual(before);
    mesh.flipEdge(mesh.findEdge(1, 3));
    expect(listTriangles(mesh)).toEqual(before);
    mesh.setFixed(mesh.findEdge(0, 2), 1);
    expect(canFlip(mesh, mesh.findEdge(0, 2))).toBe(false);
    expect(canFlip(mesh, mesh.findEdge(0, 1))).toBe(false);
    expect(() => mesh.flipEdge(mesh.findEdge(0, 1))).toThrow('is on the border');
  });

  test('splitting a fixed edge gives two fixed edges', () => {
    const mesh = createSquare();
    mesh.setFixed(mesh.findEdge(0, 2), 1);
    const v = mesh.addVertex(0.5, 0.5);
    expect(insertVertex(mesh, v)).toBe(v);
    const flag = (a: number, b: number) => mesh.fixed[mesh.findEdge(a, b)];
    expect([flag(0, v), flag(v, 2), flag(2, v), flag(v, 1), flag(v, 3), flag(0, 1)]).toEqual([1, 1, 1, 0, 0, 0]);
    expectSound(mesh);
  });

  test('two triangles that run the same way along an edge are refused', () => {
    expect(() => Triangulation.fromTriangles([0, 0, 1, 0, 1, 1, 0, 1], [0, 1, 2, 0, 1, 3])).toThrow(
      'reverse one of them',
    );
  });

  test('the check of faults finds an inverted triangle, a broken twin and a corner contact', () => {
    const inverted = createSquare();
    inverted.points[0] = 2;
    inverted.points[1] = 2;
    expect(findTriangulationFaults(inverted).join()).toContain('inverted');
    const broken = createSquare();
    broken.twins[broken.findEdge(0, 2)] = 0;
    expect(findTriangulationFaults(broken).join()).toContain('twins');
    const touching = Triangulation.fromTriangles([0, 0, 1, 0, 1, 1, -1, 0, -1, -1], [0, 1, 2, 0, 3, 4]);
    expect(findTriangulationFaults(touching)).toEqual(['vertex 0 has triangles that share no edge there']);
  });
});

const isOnStraightLine = (mesh: Triangulation, v: number): boolean => {
  const ring = mesh.neighbours(v);
  return isStraight(mesh, ring[0], v, ring[ring.length - 1]);
};

describe('locating a point', () => {
  test('gives the triangle, edge or vertex from any hint, and tells outside', () => {
    const random = createRandom(5);
    const points = createPoints(random, 200);
    const { mesh } = computeConstrainedDelaunay({ points });
    for (let k = 0; k < 300; k++) {
      const t = random.integer(0, mesh.triangleCount - 1);
      const hint = random.integer(0, mesh.triangleCount - 1);
      const [a, b, c] = mesh.corners.subarray(3 * t, 3 * t + 3);
      const at = (i: number) => (points[2 * a + i] + points[2 * b + i] + points[2 * c + i]) / 3;
      expect(locatePoint(mesh, at(0), at(1), hint)).toEqual({ kind: 'inside', edge: 3 * t });
      const vertex = locatePoint(mesh, points[2 * a], points[2 * a + 1], hint);
      expect([vertex.kind, mesh.corners[vertex.edge]]).toEqual(['vertex', a]);
    }
    expect(locatePoint(mesh, 3, 0.5).kind).toBe('outside');
    expect(locatePoint(createSquare(), 0.5, 0.5).kind).toBe('edge');
    expect(locatePoint(createSquare(), 0.5, 0)).toEqual({ kind: 'edge', edge: 0 });
  });

  test('finds its way round a concave border', () => {
    // a C: the straight way from one end to the other leaves the mesh
    const xy = [0, 0, 3, 0, 3, 1, 1, 1, 1, 2, 3, 2, 3, 3, 0, 3];
    const { mesh } = computeConstrainedDelaunay({ points: xy, outlines: [[0, 1, 2, 3, 4, 5, 6, 7]] });
    for (let hint = 0; hint < mesh.triangleCount; hint++) {
      expect(locatePoint(mesh, 2.9, 2.5, hint).kind).toBe('inside');
      expect(locatePoint(mesh, 2.9, 0.5, hint).kind).toBe('inside');
      expect(locatePoint(mesh, 2.9, 1.5, hint).kind).toBe('outside');
    }
  });
});

describe('removing a vertex', () => {
  test('gives the Delaunay triangles of the other points', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 5, max: 40 }), (seed, count) => {
        const points = createPoints(createRandom(seed), count);
        // inside for sure: the middle of the points
        const mean = [0, 1].map((i) => points.filter((_, k) => k % 2 === i).reduce((a, b) => a + b) / count);
        const { mesh } = computeConstrainedDelaunay({ points: [...points, ...mean] });
        expect(removeVertex(mesh, count)).toBe(true);
        const expected = computeConstrainedDelaunay({ points }).mesh;
        expect(listTriangles(mesh)).toEqual(listTriangles(expected));
        expectSound(mesh);
      }),
    );
  });

  test('on a straight fixed line joins the line; at its end and at corners it is refused', () => {
    const points = [0, 0, 4, 0, 4, 4, 0, 4, 1, 2, 2, 2, 3, 2, 2, 0];
    const { mesh } = computeConstrainedDelaunay({ points, segments: [4, 6] });
    expect([removeVertex(mesh, 4), removeVertex(mesh, 0)]).toEqual([false, false]);
    expect(removeVertex(mesh, 5)).toBe(true);
    expect(mesh.fixed[mesh.findEdge(4, 6)]).toBe(1);
    expect(mesh.twins[mesh.findEdge(4, 6)]).toBeGreaterThanOrEqual(0);
    expect(computeEuler(mesh)).toBe(1);
    expect(removeVertex(mesh, 7)).toBe(true);
    expect(mesh.twins[mesh.findEdge(0, 1)]).toBe(-1);
    expectSound(mesh);
    expect(mesh.computeArea()).toBe(16);
    const maps = mesh.compact();
    expect(Array.from(maps.vertices)).toEqual([0, 1, 2, 3, 4, -1, 5, -1]);
    expect(mesh.triangleCount).toBe(mesh.countTriangles());
    expectSound(mesh);
  });

  test('at a crossing of two diagonals, where no flip is possible, leaves two triangles', () => {
    const { mesh } = computeConstrainedDelaunay({ points: [0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5] });
    expect(removeVertex(mesh, 4)).toBe(true);
    expect(mesh.countTriangles()).toBe(2);
    expectSound(mesh);
  });
});

describe('collapsing an edge', () => {
  test('is refused where a triangle would invert, the border would pinch or a fixed line would change', () => {
    const points = [0, 0, 4, 0, 4, 4, 0, 4, 1, 2, 3, 2];
    const { mesh } = computeConstrainedDelaunay({ points, segments: [4, 5] });
    const can = (a: number, b: number) => canCollapse(mesh, mesh.findEdge(a, b));
    expect(can(4, 5)).toBe(false); // an end of a fixed line
    expect(can(0, 4)).toBe(false); // a border vertex into the inside
    const free = computeConstrainedDelaunay({ points }).mesh;
    expect(canCollapse(free, free.findEdge(4, 5))).toBe(true);
    expect(canCollapse(free, free.findEdge(4, 0))).toBe(true);
    // the only inner vertex of a non-convex outline cannot go to a corner that does not see all others
    const arrow = computeConstrainedDelaunay({
      points: [0, 0, 4, 3, 0, 6, 3, 3, 3.5, 3],
      outlines: [[0, 1, 2, 3]],
    }).mesh;
    expect(canCollapse(arrow, arrow.findEdge(4, 0))).toBe(false);
    expect(canCollapse(arrow, arrow.findEdge(4, 3))).toBe(true);
  });

  test('a side of a hole of three corners is refused, it would close the hole (link condition)', () => {
    const points = [0, 0, 10, 0, 10, 10, 0, 10, 5, 5, 5.3, 5.1, 5.1, 5.4];
    const outlines = [
      [0, 1, 2, 3],
      [6, 5, 4],
    ];
    const { mesh } = computeConstrainedDelaunay({ points, outlines });
    for (const v of [4, 5, 6])
      for (const w of [4, 5, 6]) if (v !== w) expect(canCollapse(mesh, mesh.findEdge(v, w), v)).toBe(false);
  });

  test('an inner edge between two border vertices is refused', () => {
    const mesh = createSquare();
    expect(canCollapse(mesh, mesh.findEdge(0, 2))).toBe(false);
    const v = mesh.addVertex(0.5, 0.25);
    insertVertex(mesh, v);
    expect(canCollapse(mesh, mesh.findEdge(v, 1))).toBe(true);
    expect(collapseEdge(mesh, mesh.findEdge(v, 1))).toBe(1);
    expectSound(mesh);
    expect(mesh.countTriangles()).toBe(2);
  });
});
