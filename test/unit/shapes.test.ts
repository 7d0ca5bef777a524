import { createShape, SHAPES, type Shape, type ShapeDescription, type Tessellation } from 'heddle/bodies';
import { MeshDistance, TriangleMesh } from 'heddle/geometry';
import { createRandom, type Vec3 } from 'heddle/math';
import { describe, expect, test } from 'vitest';

/** Tessellation back to a closed mesh: equal positions become one vertex. */
const weld = ({ positions, indices }: Tessellation): TriangleMesh => {
  const place = new Map<string, number>();
  const points: number[] = [];
  const vertices = Array.from({ length: positions.length / 3 }, (_, v) => {
    const p = positions.subarray(3 * v, 3 * v + 3);
    const key = Array.from(p, (value) => value + 0).join();
    if (!place.has(key)) {
      place.set(key, place.size);
      points.push(...p);
    }
    return place.get(key)!;
  });
  return new TriangleMesh(
    Float64Array.from(points),
    Int32Array.from(indices, (i) => vertices[i]),
  );
};
const BOX: Vec3 = [0.6, 1, 1.4];
const boxCorners: Vec3[] = Array.from({ length: 8 }, (_, i) => [
  BOX[0] * ((i >> 2) - 0.5),
  BOX[1] * (((i >> 1) & 1) - 0.5),
  BOX[2] * ((i & 1) - 0.5),
]);
/** A tetrahedron standing beside its origin, so that its centroid is somewhere. */
const wedge: Vec3[] = [
  [0.2, 0, 0],
  [1.2, 0.1, 0],
  [0.3, 1.1, 0.2],
  [0.4, 0.2, 0.9],
];
/** A ring of square section: not convex, with a hole. */
const ring = ((): TriangleMesh => {
  const n = 24;
  const positions: number[] = [];
  const indices: number[] = [];
  const section = [
    [0.9, -0.2],
    [0.9, 0.2],
    [0.5, 0.2],
    [0.5, -0.2],
  ];
  for (let i = 0; i < n; i++) {
    const a = (2 * Math.PI * i) / n;
    for (const [r, y] of section) positions.push(r * Math.cos(a), y, -r * Math.sin(a));
    for (let k = 0; k < 4; k++) {
      const [p, q] = [4 * i + k, 4 * i + ((k + 1) % 4)];
      const [s, t] = [(p + 4) % (4 * n), (q + 4) % (4 * n)];
      indices.push(p, s, t, p, t, q);
    }
  }
  return new TriangleMesh(Float64Array.from(positions), Int32Array.from(indices));
})();

const CASES: Record<string, ShapeDescription> = {
  plane: { type: 'plane' },
  box: { type: 'box', size: BOX },
  sphere: { type: 'sphere', radius: 0.7 },
  capsule: { type: 'capsule', radius: 0.3, length: 0.8 },
  cylinder: { type: 'cylinder', radius: 0.5, length: 0.9 },
  'flat cylinder': { type: 'cylinder', radius: 0.9, length: 0.1 },
  convex: { type: 'convex', points: wedge },
  'convex box': { type: 'convex', points: [...boxCorners, [0, 0, 0], [0.1, 0.5, 0]] },
  mesh: { type: 'mesh', mesh: ring },
};
const finite = Object.keys(CASES).filter((name) => name !== 'plane');
const distanceAt = (shape: Shape, p: readonly number[]): number => {
  const out = new Float64Array(4);
  shape.writeSignedDistance(p[0], p[1], p[2], out);
  return out[0];
};

test('the registry holds every shape once and an unknown one is refused by name', () => {
  expect(SHAPES.map(({ type }) => type)).toEqual(['plane', 'box', 'sphere', 'capsule', 'cylinder', 'convex', 'mesh']);
  expect(new Set(Object.values(CASES).map(({ type }) => type)).size).toBe(SHAPES.length);
  expect(() => createShape({ type: 'cone' } as unknown as ShapeDescription)).toThrow(
    /"cone"; known types are plane, box/,
  );
});

describe.each(Object.keys(CASES))('%s', (name) => {
  const shape = createShape(CASES[name]);

  test('the normal is the gradient of the distance, of unit length, and leads to the surface', () => {
    const random = createRandom(name.length);
    const out = new Float64Array(4);
    const eps = 1e-6;
    let smooth = 0;
    for (let i = 0; i < 500; i++) {
      const p = [random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)];
      shape.writeSignedDistance(p[0], p[1], p[2], out);
      const [d, ...n] = out;
      expect(Math.hypot(...n)).toBeCloseTo(1, 12);
      const foot = p.map((x, k) => x - d * n[k]);
      expect(Math.abs(distanceAt(shape, foot))).toBeLessThan(1e-12);
      const gradient = p.map((_, k) => {
        const [ahead, behind] = [1, -1].map((sign) =>
          distanceAt(
            shape,
            p.map((x, j) => (j === k ? x + sign * eps : x)),
          ),
        );
        return (ahead - behind) / (2 * eps);
      });
      // Where two closest points tie (the medial axis inside) there is no gradient; that has no volume.
      const error = Math.hypot(...gradient.map((g, k) => g - n[k]));
      if (error < 1e-5) smooth++;
    }
    expect(smooth).toBeGreaterThanOrEqual(498);
  });

  test('distances change by no more than the way between two points', () => {
    const random = createRandom(2);
    for (let i = 0; i < 300; i++) {
      const p = [0, 1, 2].map(() => random.uniform(-2, 2));
      const step = 10 ** random.uniform(-6, 0);
      const q = random.direction().map((x, k) => p[k] + step * x);
      expect(Math.abs(distanceAt(shape, p) - distanceAt(shape, q))).toBeLessThanOrEqual(step * (1 + 1e-9) + 1e-14);
    }
  });
});

describe.each(finite)('%s', (name) => {
  const shape = createShape(CASES[name]);
  const fine = weld(shape.tessellate({ segments: 96 }));

  test('the tessellation is closed and outward, with unit normals that agree with the triangles', () => {
    const tessellation = shape.tessellate();
    expect(weld(tessellation).validate({ closed: true })).toEqual([]);
    const mesh = new TriangleMesh(Float64Array.from(tessellation.positions), Int32Array.from(tessellation.indices));
    const faces = mesh.faceNormals();
    for (let i = 0; i < mesh.indices.length; i++) {
      const n = tessellation.normals.subarray(3 * mesh.indices[i], 3 * mesh.indices[i] + 3);
      expect(Math.hypot(...n)).toBeCloseTo(1, 6);
      const t = 3 * Math.floor(i / 3);
      expect(n[0] * faces[t] + n[1] * faces[t + 1] + n[2] * faces[t + 2]).toBeGreaterThan(0.9);
    }
  });

  test('its vertices lie on the surface and its volume tends to the exact one', () => {
    for (let v = 0; v < fine.vertexCount; v++) {
      expect(Math.abs(distanceAt(shape, fine.vertex(v)))).toBeLessThan(1e-7);
    }
    const error = (segments: number): number =>
      Math.abs(weld(shape.tessellate({ segments })).massProperties().volume / shape.mass!.volume - 1);
    // Inscribed polygons: the error falls by four when the sides double. Float32 vertices bound it below.
    expect(error(96)).toBeLessThan(0.27 * error(48) + 1e-6);
    expect(error(96)).toBeLessThan(3e-3);
  });

  test('distance equals that to its fine tessellation', () => {
    const reference = new MeshDistance(fine);
    const random = createRandom(3);
    const out = new Float64Array(4);
    // 96 sides of a circle of radius r stand off by r (1 − cos(π/96)) = 5.4e-4 r at most.
    for (let i = 0; i < 200; i++) {
      const p: Vec3 = [random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)];
      reference.writeSignedDistance(...p, out);
      expect(Math.abs(distanceAt(shape, p) - out[0])).toBeLessThan(1.1e-3);
    }
  });

  test('mass properties agree with Monte Carlo', () => {
    const { volume, centroid, inertia } = shape.mass!;
    const b = shape.bounds;
    const random = createRandom(4);
    const n = 60_000;
    const boxVolume = (b[3] - b[0]) * (b[4] - b[1]) * (b[5] - b[2]);
    let inside = 0;
    const first = [0, 0, 0];
    const second = new Float64Array(9);
    for (let i = 0; i < n; i++) {
      const p = [0, 1, 2].map((k) => random.uniform(b[k], b[3 + k]));
      if (distanceAt(shape, p) >= 0) continue;
      inside++;
      const r = p.map((x, k) => x - centroid[k]);
      for (let k = 0; k < 3; k++) first[k] += r[k];
      const square = r[0] ** 2 + r[1] ** 2 + r[2] ** 2;
      for (let k = 0; k < 9; k++) second[k] += (k % 4 === 0 ? square : 0) - r[Math.floor(k / 3)] * r[k % 3];
    }
    const size = Math.hypot(b[3] - b[0], b[4] - b[1], b[5] - b[2]);
    const sigma = 1 / Math.sqrt(n);
    expect(Math.abs((inside / n) * boxVolume - volume)).toBeLessThan(4 * sigma * boxVolume * 0.5);
    for (let k = 0; k < 3; k++) expect(Math.abs(first[k] / inside)).toBeLessThan(4 * sigma * size);
    for (let k = 0; k < 9; k++) {
      const found = (second[k] / n) * boxVolume;
      expect(Math.abs(found - inertia[k])).toBeLessThan(4 * sigma * boxVolume * size * size * 0.25);
    }
  });

  test('no point of it lies outside its bounds and each side is touched', () => {
    const bounds = fine.bounds();
    for (let k = 0; k < 6; k++) expect(Math.abs(bounds[k] - shape.bounds[k])).toBeLessThan(2e-3);
  });
});

test('a box, the hull of its corners and its mesh are the same solid to 1e-12', () => {
  const box = createShape({ type: 'box', size: BOX });
  const hull = createShape({ type: 'convex', points: boxCorners });
  const quads = [
    [0, 1, 3, 2],
    [4, 6, 7, 5],
    [0, 4, 5, 1],
    [2, 3, 7, 6],
    [0, 2, 6, 4],
    [1, 5, 7, 3],
  ];
  const indices = Int32Array.from(quads.flatMap(([p, q, r, s]) => [p, q, r, p, r, s]));
  const mesh = createShape({ type: 'mesh', mesh: new TriangleMesh(Float64Array.from(boxCorners.flat()), indices) });
  const random = createRandom(5);
  for (const other of [hull, mesh]) {
    expect(Math.abs(other.mass!.volume - box.mass!.volume)).toBeLessThan(1e-12);
    for (let k = 0; k < 9; k++) expect(Math.abs(other.mass!.inertia[k] - box.mass!.inertia[k])).toBeLessThan(1e-12);
    for (let k = 0; k < 3; k++) expect(Math.abs(other.mass!.centroid[k])).toBeLessThan(1e-12);
    for (let i = 0; i < 500; i++) {
      const p = [0, 1, 2].map(() => random.uniform(-1, 1));
      expect(Math.abs(distanceAt(other, p) - distanceAt(box, p))).toBeLessThan(1e-12);
    }
    expect(other.sharpEdges().length).toBe(12);
  }
});

test('a box has twelve sharp edges, a cylinder two rims, round and infinite shapes none', () => {
  const edgesOf = (name: string) => createShape(CASES[name]).sharpEdges();
  expect(edgesOf('box').length).toBe(12);
  for (const { start, end, bend } of edgesOf('box')) {
    expect(bend).toBe(Math.PI / 2);
    expect(BOX.map((side) => side)).toContain(Math.hypot(...start.map((x, k) => x - end[k])));
  }
  const total = (name: string): number =>
    edgesOf(name).reduce((sum, { start, end }) => sum + Math.hypot(...start.map((x, k) => x - end[k])), 0);
  expect(total('box')).toBeCloseTo(4 * (0.6 + 1 + 1.4), 12);
  // A polygon of 48 sides is shorter than its circle by (π/48)²/6.
  expect(total('cylinder') / (4 * Math.PI * 0.5)).toBeCloseTo(1 - (Math.PI / 48) ** 2 / 6, 5);
  for (const name of ['plane', 'sphere', 'capsule']) expect(edgesOf(name)).toEqual([]);
  const ringEdges = createShape(CASES.mesh).sharpEdges();
  expect(ringEdges.length).toBe(4 * 24);
  expect(ringEdges.every(({ bend }) => bend > 0)).toBe(true);
  expect(createShape(CASES.box).sharpEdges({ angle: 1.6 })).toEqual([]);
});

test('normals are flat beside sharp edges and smooth elsewhere', () => {
  const smooth = createShape(CASES.mesh).tessellate();
  // Four sharp rims of 24 vertices, each twice; the four walls are smooth round the ring.
  expect(smooth.positions.length / 3).toBe(4 * 24 * 2);
  const faceted = createShape(CASES.mesh).tessellate({ sharpAngle: 0.1 });
  expect(faceted.positions.length / 3).toBe(2 * 24 * 2 * 2 + 2 * 24 * 2);
  expect(createShape(CASES['convex box']).tessellate().positions.length / 3).toBe(24);
});

test('impossible sizes, flat hulls and open meshes are refused with the reason', () => {
  expect(() => createShape({ type: 'sphere', radius: 0 })).toThrow('The radius of a sphere is 0 m; it must be');
  expect(() => createShape({ type: 'box', size: [1, Number.NaN, 1] })).toThrow('size along y of a box is NaN');
  expect(() => createShape({ type: 'capsule', radius: 1, length: -1 })).toThrow('length of a capsule');
  expect(() => createShape({ type: 'convex', points: wedge.slice(0, 3) })).toThrow('are only 3');
  const open = new TriangleMesh(ring.positions, ring.indices.slice(3));
  expect(() => createShape({ type: 'mesh', mesh: open })).toThrow(/does not bound a solid: the edge between/);
  const empty = new TriangleMesh(new Float64Array(0), new Int32Array(0));
  expect(() => createShape({ type: 'mesh', mesh: empty })).toThrow('no triangles');
});
