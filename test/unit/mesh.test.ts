import { computeConvexHull, MeshDistance, TriangleMesh } from 'heddle/geometry';
import {
  createRandom,
  mat3FromQuaternion,
  multiplyMat3,
  quaternionFromAxisAngle,
  type Random,
  rotateVec3,
  transposeMat3,
  type Vec3,
} from 'heddle/math';
import { describe, expect, test } from 'vitest';

/** A box of edges a, b, c with its corner at the origin; vertex 4x + 2y + z. */
const createBox = (a: number, b: number, c: number): TriangleMesh => {
  const positions = Float64Array.from({ length: 24 }, (_, i) => {
    const v = Math.floor(i / 3);
    return [(v >> 2) * a, ((v >> 1) & 1) * b, (v & 1) * c][i % 3];
  });
  const quads = [
    [0, 1, 3, 2],
    [4, 6, 7, 5],
    [0, 4, 5, 1],
    [2, 3, 7, 6],
    [0, 2, 6, 4],
    [1, 5, 7, 3],
  ];
  return new TriangleMesh(positions, Int32Array.from(quads.flatMap(([p, q, r, s]) => [p, q, r, p, r, s])));
};
/** An L of three unit cubes in the xy plane, one unit thick: one concave edge, at (1, 1, z). */
const createL = (): TriangleMesh => {
  const outline = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ];
  const positions = Float64Array.from([0, 1].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z])));
  const cap = [
    [0, 1, 2],
    [0, 2, 3],
    [0, 3, 4],
    [0, 4, 5],
  ];
  const indices = [
    ...cap.flatMap(([p, q, r]) => [p, r, q]),
    ...cap.flatMap(([p, q, r]) => [p + 6, q + 6, r + 6]),
    ...outline.flatMap((_, i) => {
      const j = (i + 1) % 6;
      return [i, j, j + 6, i, j + 6, i + 6];
    }),
  ];
  return new TriangleMesh(positions, Int32Array.from(indices));
};
const move = (mesh: TriangleMesh, axis: Vec3, angle: number, by: Vec3): TriangleMesh => {
  const q = quaternionFromAxisAngle(axis, angle);
  const positions = new Float64Array(mesh.positions.length);
  for (let v = 0; v < mesh.vertexCount; v++) {
    const p = rotateVec3(q, mesh.vertex(v));
    for (let k = 0; k < 3; k++) positions[3 * v + k] = p[k] + by[k];
  }
  return new TriangleMesh(positions, mesh.indices);
};
const kinds = (mesh: TriangleMesh, closed = true): string[] => [
  ...new Set(mesh.validate({ closed }).map((fault) => fault.kind)),
];

describe('TriangleMesh', () => {
  test('measures area, volume, centroid, inertia and edges of a box', () => {
    const box = createBox(2, 3, 5);
    expect(box.validate({ closed: true })).toEqual([]);
    expect(box.area()).toBeCloseTo(62, 12);
    const { volume, centroid, inertia } = box.massProperties();
    expect(volume).toBeCloseTo(30, 12);
    expect(centroid.map((c) => Math.round(c * 1e12) / 1e12)).toEqual([1, 1.5, 2.5]);
    const expected = [(30 * 34) / 12, 0, 0, 0, (30 * 29) / 12, 0, 0, 0, (30 * 13) / 12];
    for (let i = 0; i < 9; i++) expect(inertia[i]).toBeCloseTo(expected[i], 11);
    const edges = box.edges();
    expect(edges.count).toBe(18);
    const sharp = box.sharpEdges(0.1);
    expect(sharp.length).toBe(12);
    for (const edge of sharp) {
      expect(edge.bend).toBeCloseTo(Math.PI / 2, 14);
      expect(edge.convex).toBe(true);
      expect(Math.abs(edge.tangent[0]) + Math.abs(edge.tangent[1]) + Math.abs(edge.tangent[2])).toBeCloseTo(1, 14);
      expect([2, 3, 5]).toContain(edge.length);
    }
    expect(box.sharpEdges(1.6)).toEqual([]);
    expect(box.borderEdges()).toEqual([]);
    expect(Array.from(box.bounds())).toEqual([0, 0, 0, 2, 3, 5]);
  });

  test('an L has one concave edge among its sharp edges', () => {
    const solid = createL();
    expect(solid.validate({ closed: true })).toEqual([]);
    const sharp = solid.sharpEdges(0.1);
    expect(sharp.length).toBe(18);
    const concave = sharp.filter((edge) => !edge.convex);
    expect(concave.length).toBe(1);
    expect(concave[0].bend).toBeCloseTo(-Math.PI / 2, 14);
    expect([...concave[0].vertices].sort((a, b) => a - b)).toEqual([3, 9]);
    expect(Math.abs(concave[0].tangent[2])).toBe(1);
    expect(solid.massProperties().volume).toBeCloseTo(3, 13);
  });

  test('mass properties turn and move with the solid, far from the origin too', () => {
    const here = createL().massProperties();
    const there = move(createL(), [1, 2, -0.5], 0.8, [1000, -2000, 500]).massProperties();
    expect(there.volume).toBeCloseTo(here.volume, 9);
    const q = quaternionFromAxisAngle([1, 2, -0.5], 0.8);
    const c = rotateVec3(q, here.centroid);
    expect(
      Math.hypot(there.centroid[0] - c[0] - 1000, there.centroid[1] - c[1] + 2000, there.centroid[2] - c[2] - 500),
    ).toBeLessThan(1e-9);
    const r = mat3FromQuaternion(q);
    const turned = multiplyMat3(multiplyMat3(r, here.inertia), transposeMat3(r));
    for (let k = 0; k < 9; k++) expect(there.inertia[k]).toBeCloseTo(turned[k], 9);
    // Three unit cubes about their common centroid (5/6, 5/6, 1/2): ∫ x y dV is the sum over the cubes' centres.
    const centres = [
      [0.5, 0.5],
      [1.5, 0.5],
      [0.5, 1.5],
    ];
    const product = centres.reduce((sum, [x, y]) => sum + (x - 5 / 6) * (y - 5 / 6), 0);
    expect(here.inertia[1]).toBeCloseTo(-product, 13);
  });

  test('every kind of fault is found', () => {
    const box = createBox(1, 1, 1);
    const edit = (change: (indices: Int32Array) => void): TriangleMesh => {
      const indices = box.indices.slice();
      change(indices);
      return new TriangleMesh(box.positions, indices);
    };
    expect(kinds(edit((i) => (i[4] = 8)))).toEqual(['index']);
    expect(kinds(edit((i) => (i[4] = -1)))).toEqual(['index']);
    expect(kinds(new TriangleMesh(box.positions, box.indices.slice(3)))).toEqual(['border']);
    expect(kinds(new TriangleMesh(box.positions, box.indices.slice(3)), false)).toEqual([]);
    expect(new TriangleMesh(box.positions, box.indices.slice(3)).borderEdges().length).toBe(3);
    expect(kinds(edit((i) => ([i[0], i[1]] = [i[1], i[0]])))).toEqual(['orientation']);
    expect(kinds(new TriangleMesh(box.positions, box.indices.slice().reverse()))).toEqual(['insideOut']);
    expect(kinds(new TriangleMesh(box.positions, Int32Array.of(...box.indices, 0, 1, 6)))).toContain('nonManifold');
    expect(kinds(edit((i) => (i[1] = i[0])))).toContain('degenerate');
    const flat = new TriangleMesh(Float64Array.of(0, 0, 0, 1, 0, 0, 2, 1e-14, 0), Int32Array.of(0, 1, 2));
    expect(kinds(flat, false)).toEqual(['degenerate']);
    const broken = box.positions.slice();
    broken[5] = Number.NaN;
    expect(kinds(new TriangleMesh(broken, box.indices))).toEqual(['coordinate']);
    expect(edit((i) => (i[4] = 8)).validate()[0].message).toBe(
      'triangle 1 uses vertex 8; the mesh has 8 vertices, from 0',
    );
    expect(() => new TriangleMesh(new Float64Array(4), new Int32Array(3))).toThrow(RangeError);
  });

  test('normals are unit, outward, and weigh faces by angle: those of a box point along the diagonals', () => {
    const box = createBox(1, 1, 1);
    const normals = box.vertexNormals();
    for (let v = 0; v < 8; v++) {
      for (let k = 0; k < 3; k++) {
        expect(normals[3 * v + k]).toBeCloseTo((2 * box.positions[3 * v + k] - 1) / Math.sqrt(3), 14);
      }
    }
  });
});

/** Six planes of a box as an independent distance: outside by clamping, inside by the nearest plane. */
const boxDistance = (p: Vec3, size: Vec3): number => {
  const outside = Math.hypot(...p.map((x, k) => Math.max(-x, 0, x - size[k])));
  return outside > 0 ? outside : -Math.min(...p.flatMap((x, k) => [x, size[k] - x]));
};

describe('MeshDistance', () => {
  test('a box agrees with its planes, inside and outside (seed 1)', () => {
    const distance = new MeshDistance(createBox(2, 3, 5));
    const random = createRandom(1);
    const out = new Float64Array(4);
    for (let i = 0; i < 1000; i++) {
      const p: Vec3 = [random.uniform(-1, 3), random.uniform(-1, 4), random.uniform(-1, 6)];
      distance.writeSignedDistance(...p, out);
      expect(out[0]).toBeCloseTo(boxDistance(p, [2, 3, 5]), 13);
      expect(Math.hypot(out[1], out[2], out[3])).toBeCloseTo(1, 13);
      // The closest point lies on the surface.
      const c = p.map((x, k) => x - out[0] * out[1 + k]) as unknown as Vec3;
      expect(boxDistance(c, [2, 3, 5])).toBeCloseTo(0, 13);
    }
  });

  test('the sign is right beside every corner and edge, the concave one included', () => {
    const solid = createL();
    const distance = new MeshDistance(solid);
    const isInside = (p: readonly number[]): boolean =>
      p.every((x) => x > 0) && p[2] < 1 && p[0] < 2 && p[1] < 2 && (p[0] < 1 || p[1] < 1);
    const random = createRandom(2);
    const out = new Float64Array(4);
    const edges = solid.edges();
    for (let trial = 0; trial < 4000; trial++) {
      const e = random.integer(0, edges.count - 1);
      const t = random.integer(0, 2) / 2;
      const [a, b] = [solid.vertex(edges.vertices[2 * e]), solid.vertex(edges.vertices[2 * e + 1])];
      const reach = 10 ** random.uniform(-6, -1);
      const d = random.direction();
      const p = a.map((x, k) => (1 - t) * x + t * b[k] + reach * d[k]) as unknown as Vec3;
      distance.writeSignedDistance(...p, out);
      expect(out[0] < 0).toBe(isInside(p));
    }
  });

  test('on the surface itself the distance is zero and the normal that of the feature', () => {
    const distance = new MeshDistance(createBox(2, 3, 5));
    const out = new Float64Array(4);
    const at = (...p: [number, number, number]): number[] => {
      distance.writeSignedDistance(...p, out);
      return Array.from(out, (value) => Math.round(value * 1e9) / 1e9 + 0);
    };
    const half = Math.round(Math.SQRT1_2 * 1e9) / 1e9;
    const third = Math.round(1e9 / Math.sqrt(3)) / 1e9;
    expect(at(2, 1, 1.5)).toEqual([0, 1, 0, 0]);
    expect(at(2, 3, 2.2)).toEqual([0, half, half, 0]);
    expect(at(2, 3, 5)).toEqual([0, third, third, third]);
    expect(at(0, 0, 0)).toEqual([0, -third, -third, -third]);
  });
});

const randomPoints = (random: Random, count: number): Float64Array =>
  Float64Array.from({ length: 3 * count }, () => random.normal());
const expectHull = (points: Float64Array, tolerance: number): TriangleMesh => {
  const hull = computeConvexHull(points);
  if (!hull.ok) throw new Error(hull.reason);
  expect(hull.mesh.validate({ closed: true })).toEqual([]);
  expect(hull.mesh.vertexCount - hull.mesh.edges().count + hull.mesh.triangleCount).toBe(2);
  const normals = hull.mesh.faceNormals();
  let highest = -Infinity;
  for (let t = 0; t < hull.mesh.triangleCount; t++) {
    const a = 3 * hull.mesh.indices[3 * t];
    for (let i = 0; i < points.length; i += 3) {
      let height = 0;
      for (let k = 0; k < 3; k++) height += normals[3 * t + k] * (points[i + k] - hull.mesh.positions[a + k]);
      highest = Math.max(highest, height);
    }
  }
  expect(highest).toBeLessThan(tolerance);
  for (let i = 0; i < hull.corners.length; i++) {
    for (let k = 0; k < 3; k++) expect(hull.mesh.positions[3 * i + k]).toBe(points[3 * hull.corners[i] + k]);
  }
  return hull.mesh;
};

describe('convex hull', () => {
  test.each([1, 2, 3, 4, 5])('contains all points, closed and convex (seed %i)', (seed) => {
    const random = createRandom(seed);
    expectHull(randomPoints(random, [4, 5, 20, 200, 1000][seed - 1]), 1e-8);
  });

  test('points on a sphere are all corners', () => {
    const random = createRandom(6);
    const mesh = expectHull(Float64Array.from(Array.from({ length: 300 }, () => random.direction()).flat()), 1e-8);
    expect(mesh.vertexCount).toBe(300);
    expect(mesh.triangleCount).toBe(596);
  });

  test('a grid of points in a cube has the cube as hull', () => {
    const grid: number[] = [];
    for (let x = 0; x < 5; x++) for (let y = 0; y < 5; y++) for (let z = 0; z < 5; z++) grid.push(x / 4, y / 4, z / 4);
    const mesh = expectHull(Float64Array.from(grid), 1e-9);
    expect(mesh.massProperties().volume).toBeCloseTo(1, 12);
    expect(mesh.area()).toBeCloseTo(6, 12);
    expect(mesh.vertexCount).toBe(8);
    expect(mesh.sharpEdges(0.01).length).toBe(12);
  });

  test('is found for a turned grid with rounding noise, repeated points and a far origin', () => {
    const random = createRandom(7);
    const q = quaternionFromAxisAngle([1, 2, 3], 0.7);
    const points: number[] = [];
    for (let i = 0; i < 600; i++) {
      const p = rotateVec3(q, [random.integer(0, 3) / 3, random.integer(0, 3) / 3, random.integer(0, 3) / 3]);
      points.push(p[0] + 50, p[1] - 20, p[2] + 1e-13 * random.normal());
    }
    const mesh = expectHull(Float64Array.from(points), 1e-8);
    expect(mesh.massProperties().volume).toBeCloseTo(1, 8);
    expect(mesh.sharpEdges(0.1).length).toBe(12);
  });

  test('is found for coordinates rounded to 32 bits, as from a file', () => {
    const random = createRandom(8);
    const q = quaternionFromAxisAngle([3, -2, 1], 1.1);
    const points: number[] = [];
    for (let i = 0; i < 300; i++) {
      points.push(
        ...rotateVec3(q, [random.integer(0, 4), random.integer(0, 4), random.integer(0, 4)]).map(Math.fround),
      );
    }
    expect(expectHull(Float64Array.from(points), 1e-8).massProperties().volume).toBeCloseTo(64, 4);
  });

  test.each([
    [[0, 0, 0], 'only 1'],
    [new Array(30).fill(2), 'in one place'],
    [Array.from({ length: 30 }, (_, i) => Math.floor(i / 3)), 'on one line'],
    [Array.from({ length: 60 }, (_, i) => (i % 3 === 1 ? 0 : Math.sin(i * i))), 'in one plane'],
    [[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, Number.NaN], 'NaN'],
    [[1, 2, 3, 4], 'three per point'],
  ])('degenerate set %# is refused with a reason', (points, reason) => {
    const hull = computeConvexHull(points as number[]);
    expect(hull.ok).toBe(false);
    if (!hull.ok) expect(hull.reason).toContain(reason);
  });
});
