/** Continuous collision detection against the roots of the coplanarity cubic, against sampling, and in hard cases. */
import {
  createCcdHit,
  findEdgeEdgeHit,
  findVertexTriangleHit,
  isOutOfReach,
  SweptTree,
  writeClosestPointTriangle,
  writeClosestSegmentSegment,
} from 'heddle/geometry';
import { createRandom } from 'heddle/math';
import { describe, expect, test } from 'vitest';

const KINDS = [
  { name: 'vertex–triangle', find: findVertexTriangleHit, writeClosest: writeClosestPointTriangle, split: 1 },
  { name: 'edge–edge', find: findEdgeEdgeHit, writeClosest: writeClosestSegmentSegment, split: 2 },
] as const;

type Vector = readonly [number, number, number];

const sub = (x: Float64Array, i: number, j: number): Vector => [
  x[3 * i] - x[3 * j],
  x[3 * i + 1] - x[3 * j + 1],
  x[3 * i + 2] - x[3 * j + 2],
];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const at = (x0: Float64Array, x1: Float64Array, t: number): Float64Array => x0.map((x, k) => (1 - t) * x + t * x1[k]);
const volume = (x: Float64Array): number => dot(sub(x, 1, 0), cross(sub(x, 2, 0), sub(x, 3, 0)));

/** First time at which the four points are coplanar and the closest points meet: sign changes of the cubic, bisected. */
function findCubicTime(
  x0: Float64Array,
  x1: Float64Array,
  writeClosest: (x: Float64Array, weights: Float64Array) => number,
): number {
  const samples = 500;
  const weights = new Float64Array(4);
  let before = volume(x0);
  for (let n = 1; n <= samples; n++) {
    const now = volume(at(x0, x1, n / samples));
    if (before * now <= 0) {
      let [low, high] = [(n - 1) / samples, n / samples];
      for (let k = 0; k < 60; k++) {
        const middle = (low + high) / 2;
        if (volume(at(x0, x1, middle)) * before > 0) low = middle;
        else high = middle;
      }
      if (Math.sqrt(writeClosest(at(x0, x1, high), weights)) < 1e-9) return high;
    }
    before = now;
  }
  return Number.POSITIVE_INFINITY;
}

const createPoints = (random: ReturnType<typeof createRandom>, scale: number): Float64Array =>
  Float64Array.from({ length: 12 }, () => scale * random.uniform(-1, 1));

for (const { name, find, writeClosest, split } of KINDS)
  describe(name, () => {
    test('what is out of reach by its distance at the start is no hit, and most misses far off are', () => {
      const random = createRandom(10 + split);
      const hit = createCcdHit();
      const weights = new Float64Array(4);
      let [far, misses] = [0, 0];
      for (let trial = 0; trial < 2000; trial++) {
        const x0 = createPoints(random, 1);
        const [step, share] = [10 ** random.uniform(-4, 0.5), random.uniform(0, 1.2)];
        const x1 = x0.map((x) => x + step * random.uniform(-1, 1));
        const distance = Math.sqrt(writeClosest(x0, weights));
        const isFar = isOutOfReach(x0, x1, share * distance, split, distance);
        const isHit = find(x0, x1, share * distance, hit);
        expect(isFar && isHit).toBe(false);
        if (isFar) far++;
        if (!isHit) misses++;
      }
      expect(far).toBeGreaterThan(0.5 * misses);
      expect(misses).toBeGreaterThan(200);
    });

    test('hits and times are those of the coplanarity cubic', () => {
      const random = createRandom(split);
      const hit = createCcdHit();
      let hits = 0;
      for (let trial = 0; trial < 1200; trial++) {
        const [x0, x1] = [createPoints(random, 1), createPoints(random, 1)];
        const expected = findCubicTime(x0, x1, writeClosest);
        const isHit = find(x0, x1, 0, hit);
        if (isHit !== Number.isFinite(expected)) {
          // a miss by less than the slack, seen by no root
          expect(isHit).toBe(true);
          expect(hit.distance).toBeLessThan(1e-5);
          continue;
        }
        if (!isHit) continue;
        hits++;
        expect(hit.time).toBeLessThanOrEqual(expected + 1e-12);
        expect(hit.distance).toBeLessThan(2e-5);
        // near enough in time where they do not graze
        if (expected - hit.time > 1e-3)
          expect(Math.sqrt(writeClosest(at(x0, x1, expected - 5e-4), new Float64Array(4)))).toBeLessThan(1e-4);
      }
      expect(hits).toBeGreaterThan(40);
      expect(hits).toBeLessThan(1000);
    });

    for (const scale of [1e-3, 1, 1e3])
      test(`no sampled time before the hit, and none at all without one, is nearer than the separation (scale ${scale})`, () => {
        const random = createRandom(17 + split);
        const hit = createCcdHit();
        const weights = new Float64Array(4);
        let [hits, misses] = [0, 0];
        for (let trial = 0; trial < 300; trial++) {
          const [x0, x1] = [createPoints(random, scale), createPoints(random, scale)];
          const separation = scale * random.uniform(0, 0.3);
          const isHit = find(x0, x1, separation, hit);
          const end = isHit ? hit.time : 1;
          if (Math.sqrt(writeClosest(x0, weights)) > separation) {
            let nearest = Number.POSITIVE_INFINITY;
            for (let n = 0; n <= 100; n++)
              nearest = Math.min(nearest, Math.sqrt(writeClosest(at(x0, x1, (end * n) / 100), weights)));
            expect(nearest).toBeGreaterThanOrEqual(separation - 1e-12 * scale);
          } else expect(hit.time).toBe(0);
          if (!isHit) misses++;
          else {
            hits++;
            if (hit.time > 0) expect(hit.distance - separation).toBeLessThan(1e-5 * scale);
            let sum = 0;
            for (let k = 0; k < 4; k++) sum += hit.weights[k];
            expect(sum).toBeCloseTo(2, 12);
          }
        }
        expect(hits).toBeGreaterThan(30);
        expect(misses).toBeGreaterThan(30);
      });

    test('the answer does not depend on units, to a power of two, nor on a common motion', () => {
      const random = createRandom(5);
      const [hit, other] = [createCcdHit(), createCcdHit()];
      for (let trial = 0; trial < 100; trial++) {
        const [x0, x1] = [createPoints(random, 1), createPoints(random, 1)];
        const isHit = find(x0, x1, 0.0625, hit);
        expect(
          find(
            x0.map((x) => 1024 * x),
            x1.map((x) => 1024 * x),
            64,
            other,
          ),
        ).toBe(isHit);
        if (isHit) expect(other.time).toBe(hit.time);
        expect(
          find(
            x0,
            x1.map((x, k) => x + [3, -2, 5][k % 3]),
            0.0625,
            other,
          ),
        ).toBe(isHit);
        if (isHit) expect(other.time).toBeCloseTo(hit.time, 6);
      }
    });
  });

describe('hard cases', () => {
  const hit = createCcdHit();
  const vertexTriangle = (p0: Vector, p1: Vector, triangle: readonly number[], separation = 0): boolean =>
    findVertexTriangleHit(Float64Array.of(...p0, ...triangle), Float64Array.of(...p1, ...triangle), separation, hit);
  const edges = (
    first: readonly number[],
    moved: readonly number[],
    second: readonly number[],
    separation = 0,
  ): boolean =>
    findEdgeEdgeHit(Float64Array.of(...first, ...second), Float64Array.of(...moved, ...second), separation, hit);

  for (const scale of [1e-3, 1, 1e3])
    describe(`scaled by ${scale}`, () => {
      const s = (...values: readonly number[]): number[] => values.map((value) => scale * value);
      const v = (x: number, y: number, z: number): Vector => [scale * x, scale * y, scale * z];
      const TRIANGLE = s(0, 0, 0, 1, 0, 0, 0, 1, 0);

      test('a vertex that moves in the plane of the triangle meets its side', () => {
        expect(vertexTriangle(v(-1, 0.25, 0), v(1, 0.25, 0), TRIANGLE)).toBe(true);
        expect(hit.time).toBeCloseTo(0.5, 5);
        expect(hit.time).toBeLessThanOrEqual(0.5);
        expect(vertexTriangle(v(-1, 1.25, 0), v(1, 1.25, 0), TRIANGLE)).toBe(false);
      });

      test('a vertex that touches and turns back before the plane: none; one that ends in the plane: a hit', () => {
        expect(vertexTriangle(v(0.2, 0.2, 1), v(0.2, 0.2, 1e-4), TRIANGLE)).toBe(false);
        expect(vertexTriangle(v(0.2, 0.2, 1), v(0.2, 0.2, 0), TRIANGLE)).toBe(true);
        expect(hit.time).toBeGreaterThan(0.999);
        expect(hit.normal[2]).toBeCloseTo(1, 9);
        expect([...hit.weights].map((w) => Math.round(10 * w) / 10)).toEqual([1, 0.6, 0.2, 0.2]);
      });

      test('through a corner, and through a side', () => {
        expect(vertexTriangle(v(0, 0, 1), v(0, 0, -1), TRIANGLE)).toBe(true);
        expect(vertexTriangle(v(0.5, 0.5, 1), v(0.5, 0.5, -1), TRIANGLE)).toBe(true);
        expect(hit.time).toBeCloseTo(0.5, 5);
      });

      test('triangles without area are segments or points', () => {
        expect(vertexTriangle(v(0.5, 0, 1), v(0.5, 0, -1), s(0, 0, 0, 1, 0, 0, 0.5, 0, 0))).toBe(true);
        expect(vertexTriangle(v(0, 0, 1), v(0, 0, -1), s(0, 0, 0, 0, 0, 0, 0, 0, 0))).toBe(true);
        expect(vertexTriangle(v(0.1, 0, 1), v(0.1, 0, -1), s(0, 0, 0, 0, 0, 0, 0, 0, 0))).toBe(false);
      });

      test('a vertex at rest relative to the triangle never comes', () => {
        const x0 = Float64Array.of(...v(0.2, 0.2, 0.1), ...TRIANGLE);
        expect(findVertexTriangleHit(x0, x0, 0, hit)).toBe(false);
        expect(
          findVertexTriangleHit(
            x0,
            x0.map((x) => x + 7 * scale),
            0,
            hit,
          ),
        ).toBe(false);
        // nearer than the separation from the start
        expect(findVertexTriangleHit(x0, x0, 0.2 * scale, hit)).toBe(true);
        expect(hit.time).toBe(0);
      });

      test('a whole passage within one step: straight through and far beyond', () => {
        expect(vertexTriangle(v(0.2, 0.2, 1e-4), v(0.2, 0.2, -500), TRIANGLE)).toBe(true);
        expect(hit.time).toBeLessThanOrEqual(1e-4 / 500.0001);
      });

      test('parallel edges: over each other, beside each other, along each other', () => {
        const still = s(0, 0, 0, 1, 0, 0);
        expect(edges(s(0, 0, 1, 1, 0, 1), s(0, 0, -1, 1, 0, -1), still)).toBe(true);
        expect(hit.time).toBeCloseTo(0.5, 5);
        expect(edges(s(0, 0.1, 1, 1, 0.1, 1), s(0, 0.1, -1, 1, 0.1, -1), still)).toBe(false);
        expect(edges(s(0, 0.1, 1, 1, 0.1, 1), s(0, 0.1, -1, 1, 0.1, -1), still, 0.11 * scale)).toBe(true);
        expect(edges(s(2, 0, 0, 3, 0, 0), s(0.5, 0, 0, 1.5, 0, 0), still)).toBe(true);
        expect(hit.time).toBeCloseTo(2 / 3, 5);
      });

      test('edges without length are points', () => {
        expect(edges(s(0.5, 0, 1, 0.5, 0, 1), s(0.5, 0, -1, 0.5, 0, -1), s(0, 0, 0, 1, 0, 0))).toBe(true);
        expect(edges(s(0, 0, 1, 0, 0, 1), s(0, 0, -1, 0, 0, -1), s(0, 0, 0, 0, 0, 0))).toBe(true);
      });

      test('an edge that turns through another: twice coplanar, once in contact', () => {
        // turns by 180° about the y axis as two straight ways: shortens in the middle, meets nothing beside it
        expect(edges(s(-1, 0, 0.5, 1, 0, 0.5), s(1, 0, 0.5, -1, 0, 0.5), s(0, -1, 0, 0, 1, 0))).toBe(false);
        expect(edges(s(-1, 0, 0.5, 1, 0, 0.5), s(1, 0, 0.5, -1, 0, -1.5), s(0, -1, 0, 0, 1, 0))).toBe(true);
        // it grazes: the distance is quadratic in time there, so the slack of 1e-6 is one of 1e-3 in time
        expect(hit.time).toBeLessThanOrEqual(0.5);
        expect(hit.time).toBeGreaterThan(0.498);
      });
    });

  test('far from the origin nothing is missed', () => {
    const x0 = Float64Array.of(0.2, 0.2, 1e-3, 0, 0, 0, 1, 0, 0, 0, 1, 0).map((x) => x + 1e6);
    const x1 = x0.map((x, k) => (k === 2 ? x - 2e-3 : x));
    expect(findVertexTriangleHit(x0, x1, 0, hit)).toBe(true);
    expect(hit.time).toBeLessThanOrEqual(0.5);
    expect(hit.time).toBeGreaterThan(0.45);
  });

  test('a passage as short as the rounding of far coordinates is found', () => {
    const random = createRandom(3);
    for (let trial = 0; trial < 300; trial++) {
      const x0 = createPoints(random, 1).map((x) => x + 1e6);
      const normal = cross(sub(x0, 2, 1), sub(x0, 3, 1));
      const size = Math.sqrt(dot(normal, normal));
      const x1 = x0.slice();
      for (let k = 0; k < 3; k++) {
        const centre = (x0[3 + k] + x0[6 + k] + x0[9 + k]) / 3;
        x0[k] = centre + (3e-9 * normal[k]) / size;
        x1[k] = centre - (4e-9 * normal[k]) / size;
      }
      expect(findVertexTriangleHit(x0, x1, 0, hit)).toBe(true);
    }
  });
});

describe('swept tree', () => {
  test('finds what all pairs find, over many motions', () => {
    const random = createRandom(77);
    const points = 90;
    const stencils = Int32Array.from({ length: 3 * 40 }, () => Math.floor(random.uniform(0, points)));
    const tree = new SweptTree(stencils, 3);
    const x = Float64Array.from({ length: 3 * points }, () => random.uniform(-1, 1));
    for (let motion = 0; motion < 60; motion++) {
      const next = x.map((value) => value + random.uniform(-0.2, 0.2));
      tree.update(x, next, 0.01);
      const box = Float64Array.of(-0.3, -0.3, -0.3, 0.1, 0.1, 0.1);
      const found: number[] = [];
      tree.query(box, (item) => {
        found.push(item);
      });
      const expected = Array.from({ length: 40 }, (_, item) => item).filter((item) =>
        [0, 1, 2].every((k) => {
          const values = [0, 1, 2].flatMap((n) => [
            x[3 * stencils[3 * item + n] + k],
            next[3 * stencils[3 * item + n] + k],
          ]);
          return Math.min(...values) - 0.01 <= box[3 + k] && Math.max(...values) + 0.01 >= box[k];
        }),
      );
      expect(found.sort((a, b) => a - b)).toEqual(expected);
      expect(expected.length).toBeGreaterThan(0);
      x.set(next);
    }
  });
});
