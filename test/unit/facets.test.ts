/** Shapes as faces and convex edges grown by a radius, and points against their faces. */
import { type BoxShape, createShape, type MeshShape, type Shape, type ShapeDescription } from 'heddle/bodies';
import { createEdgeHit, createFacetBody, type FacetBody } from 'heddle/contact';
import { createRandom, type Vec3 } from 'heddle/math';
import { describe, expect, test } from 'vitest';
import { cornersOf, createL, heightOver, mix, prism, randomHull, vec } from './facets-fixtures.ts';

const distanceTo = (shape: Shape, p: ArrayLike<number>): number => {
  const out = new Float64Array(4);
  shape.writeSignedDistance(p[0], p[1], p[2], out);
  return out[0];
};

/** Largest n · p over the shape's own corners. */
const support = (shape: MeshShape, normal: ArrayLike<number>): number => {
  let most = -Infinity;
  for (let v = 0; v < shape.mesh.vertexCount; v++) {
    const p = shape.mesh.vertex(v);
    most = Math.max(most, normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2]);
  }
  return most;
};

/** V − E + F = 2. */
const checkPolyhedron = (body: FacetBody): void => {
  const corners = cornersOf(body);
  expect(corners.length - body.edgeCount + body.faceCount).toBe(2);
  checkEdges(body);
};

/** Ends on both faces, edges along nA × nB, unit normals. */
const checkEdges = (body: FacetBody): void => {
  for (let e = 0; e < body.edgeCount; e++) {
    const [a, b] = [body.edgeNormalA.subarray(3 * e, 3 * e + 3), body.edgeNormalB.subarray(3 * e, 3 * e + 3)];
    for (const ends of [body.edgeStart, body.edgeEnd]) {
      const p = ends.subarray(3 * e, 3 * e + 3);
      expect(Math.abs(heightOver(body, body.edgeFaceA[e], p))).toBeLessThan(1e-9 * body.size);
      expect(Math.abs(heightOver(body, body.edgeFaceB[e], p))).toBeLessThan(1e-9 * body.size);
    }
    const along = body.edgeEnd.subarray(3 * e, 3 * e + 3).map((value, k) => value - body.edgeStart[3 * e + k]);
    const turn = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    expect(turn[0] * along[0] + turn[1] * along[1] + turn[2] * along[2]).toBeGreaterThan(0);
    expect(Math.hypot(...a)).toBeCloseTo(1, 12);
    expect(Array.from(a)).toEqual(
      Array.from(body.faceNormal.subarray(3 * body.edgeFaceA[e], 3 * body.edgeFaceA[e] + 3)),
    );
  }
};

describe('growing by a radius', () => {
  test.each([1e-3, 1, 1e3])('a box of scale %d becomes a box larger by twice the radius', (scale) => {
    for (const radius of [0, 0.05 * scale]) {
      const shape = createShape({ type: 'box', size: [scale, 2 * scale, 0.01 * scale] }) as BoxShape;
      const body = createFacetBody(shape, radius);
      expect([body.faceCount, body.edgeCount, body.isConvex]).toEqual([6, 12, true]);
      checkPolyhedron(body);
      for (const corner of cornersOf(body)) {
        for (let k = 0; k < 3; k++) expect(Math.abs(corner[k]) / (shape.size[k] / 2 + radius)).toBeCloseTo(1, 13);
      }
      expect(body.size / Math.hypot(...shape.size.map((side) => side + 2 * radius))).toBeCloseTo(1, 13);
      expect(body.round).toBeUndefined();
    }
  });

  test.each([0, 0.02, 0.3])('the face planes of random hulls move out by exactly the radius %d', (radius) => {
    const random = createRandom(5);
    for (let trial = 0; trial < 50; trial++) {
      const shape = randomHull(random) as MeshShape;
      const body = createFacetBody(shape, radius);
      checkPolyhedron(body);
      for (let f = 0; f < body.faceCount; f++) {
        const normal = body.faceNormal.subarray(3 * f, 3 * f + 3);
        expect(Math.abs(body.faceOffset[f] - support(shape, normal) - radius)).toBeLessThan(1e-12);
      }
      for (const corner of cornersOf(body)) expect(distanceTo(shape, corner)).toBeGreaterThan(radius - 1e-9);
      for (let k = 0; k < 6; k++) {
        const reach = k < 3 ? shape.bounds[k] - radius : shape.bounds[k] + radius;
        expect(k < 3 ? body.bounds[k] <= reach + 1e-9 : body.bounds[k] >= reach - 1e-9).toBe(true);
      }
    }
  });

  test('coplanar triangles are one face and meeting faces one corner: cube full of points, pyramid, convex mesh', () => {
    const grid = [-1, 0, 1];
    const points = grid.flatMap((x) => grid.flatMap((y) => grid.map((z): Vec3 => [x, y, z])));
    const cube = createFacetBody(createShape({ type: 'convex', points }), 0.1);
    expect([cube.faceCount, cube.edgeCount]).toEqual([6, 12]);
    checkPolyhedron(cube);
    const feet = [-1, 1].flatMap((x) => [-1, 1].map((z): Vec3 => [x, 0, z]));
    const pyramid = createFacetBody(createShape({ type: 'convex', points: [[0, 1, 0], ...feet] }), 0.1);
    expect([pyramid.faceCount, pyramid.edgeCount]).toEqual([5, 8]);
    checkPolyhedron(pyramid);
    const hexagon = Array.from({ length: 6 }, (_, i) => [Math.cos(i), Math.sin(i)] as const);
    const convexMesh = createFacetBody(prism(hexagon, 1), 0.1);
    expect([convexMesh.isConvex, convexMesh.faceCount, convexMesh.edgeCount]).toEqual([true, 8, 18]);
    checkPolyhedron(convexMesh);
  });

  test.each([0, 0.1])(
    'a cylinder grown by %d becomes a prism round it, of which only the rims are edges, and a mantle round that',
    (radius) => {
      const shape = createShape({ type: 'cylinder', radius: 0.4, length: 1 });
      const [reach, top] = [0.4 + radius, 0.5 + radius];
      for (const segments of [24, 48]) {
        const body = createFacetBody(shape, radius, segments);
        expect([body.isConvex, body.faceCount, body.edgeCount]).toEqual([true, segments + 2, 2 * segments]);
        // the planes touch the grown shape
        for (let f = 0; f < body.faceCount; f++) {
          const [x, y, z] = body.faceNormal.subarray(3 * f, 3 * f + 3);
          expect(body.faceOffset[f] / (y === 0 ? reach : top)).toBeCloseTo(1, 13);
          expect(Math.hypot(x, y, z)).toBeCloseTo(1, 13);
        }
        checkEdges(body);
        for (let e = 0; e < body.edgeCount; e++) {
          const [a, b] = [body.edgeNormalA[3 * e + 1], body.edgeNormalB[3 * e + 1]];
          expect([a, b].map(Math.abs).sort()).toEqual([0, 1]);
        }
        // its corners stand off by 1/cos(π/segments), and the mantle with them: no point of a rim is outside
        const corner = reach / Math.cos(Math.PI / segments);
        for (const [x, y, z] of cornersOf(body)) {
          expect(Math.hypot(x, z) / corner).toBeCloseTo(1, 13);
          expect(Math.abs(y) / top).toBeCloseTo(1, 13);
        }
        expect(body.round!.radius / corner).toBeCloseTo(1, 14);
        expect([body.round!.isMantle, body.round!.half, body.round!.top]).toEqual([true, Infinity, top]);
      }
      expect(createFacetBody(shape, radius).edgeCount).toBe(96);
    },
  );

  const smooth: ShapeDescription[] = [
    { type: 'sphere', radius: 0.4 },
    { type: 'capsule', radius: 0.4, length: 1 },
  ];
  test.each(smooth)('%o is round all over and has neither faces nor edges', (description) => {
    const shape = createShape(description);
    const body = createFacetBody(shape, 0.1);
    expect([body.isConvex, body.faceCount, body.edgeCount]).toEqual([true, 0, 0]);
    const half = description.type === 'capsule' ? 0.5 : 0;
    expect([body.round!.radius, body.round!.half, body.round!.isMantle]).toEqual([0.5, half, false]);
    for (let k = 0; k < 6; k++) expect(body.bounds[k]).toBeCloseTo(shape.bounds[k] + (k < 3 ? -0.1 : 0.1), 15);
    // the line of a strand that goes through it finds no edge, and no face
    const [a, b] = [vec(-1, 0.1, 0), vec(1, 0.1, 0)];
    expect(body.findFace(a, 0, b, 0, 1e-9)).toBe(-1);
    expect(body.findEdge(vec(-1, 2, 0), vec(1, 2, 0), a, b, 1e-9, new Int32Array(0), 0, createEdgeHit())).toBe(-1);
    expect(body.computeSegmentDepth(a, b)).toBeGreaterThan(0.39);
  });

  test('an infinite plane is one face at the height of the radius', () => {
    const body = createFacetBody(createShape({ type: 'plane' }), 0.1);
    expect([body.faceCount, body.edgeCount, body.size, body.faceOffset[0]]).toEqual([1, 0, 0, 0.1]);
    expect(body.computeDepth(7, 0.04, -3)).toBeCloseTo(0.06, 15);
    expect(body.findFace(vec(0, 1, 0), 0, vec(5, -1, 0), 0, 1e-9)).toBe(0);
    expect(body.findFace(vec(0, 0.1, 0), 0, vec(5, 0.1, 0), 0, 1e-9)).toBe(-1);
    expect(body.isOverFace(0, 1e6, 3, 0, 0)).toBe(true);
    expect(body.computeSegmentDepth(vec(0, 1, 0), vec(3, -1, 0))).toBeCloseTo(1.1, 14);
  });

  test('an L keeps its concave edge out, and every plane moves by the radius', () => {
    for (const radius of [0, 0.1]) {
      const body = createFacetBody(createL(), radius);
      // a prism on a hexagon has 8 faces and 18 edges, one of which is the inner corner of the L
      expect([body.isConvex, body.faceCount, body.edgeCount]).toEqual([false, 8, 17]);
      const offsets = Array.from(body.faceOffset).sort((p, q) => p - q);
      const expected = [0, 0, 0, 1, 1, 1, 2, 2].map((offset) => offset + radius);
      for (const [i, offset] of expected.entries()) expect(offsets[i]).toBeCloseTo(offset, 14);
      expect(body.computeDepth(1 + radius + 0.2, 1 + radius + 0.3, 0.5)).toBeCloseTo(-0.2, 14);
      expect(body.computeDepth(0.5, 1.5, 0.5)).toBeCloseTo(0.5 + radius, 14);
    }
  });
});

describe('a point moving against faces', () => {
  test('finds the face that it goes through first on random paths', () => {
    const random = createRandom(21);
    let [hits, passed] = [0, 0];
    let body = createFacetBody(randomHull(random), 0);
    for (let trial = 0; trial < 4000; trial++) {
      if (trial % 20 === 0) body = createFacetBody(randomHull(random), trial % 40 === 0 ? 0 : 0.1);
      const tolerance = 1e-9 * body.size;
      const p0 = Float64Array.of(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
      const p1 = Float64Array.of(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
      if (body.computeDepth(p0[0], p0[1], p0[2]) >= 0) continue;
      const face = body.findFace(p0, 0, p1, 0, tolerance);
      // first sample inside
      let first = Infinity;
      for (let i = 0; i <= 500 && first === Infinity; i++) {
        const p = mix(p0, p1, i / 500);
        if (body.computeDepth(p[0], p[1], p[2]) > tolerance) first = i / 500;
      }
      if (face < 0) {
        expect(first).toBe(Infinity);
        continue;
      }
      hits++;
      if (body.computeDepth(p1[0], p1[1], p1[2]) < 0) passed++;
      const time = heightOver(body, face, p0) / (heightOver(body, face, p0) - heightOver(body, face, p1));
      expect(time).toBeLessThanOrEqual(first);
      const at = mix(p0, p1, time);
      expect(Math.abs(body.computeDepth(at[0], at[1], at[2]))).toBeLessThan(1e-9 * body.size);
      expect(body.isOverFace(face, at[0], at[1], at[2], tolerance)).toBe(true);
      const after = mix(p0, p1, time + 1e-6);
      expect(body.computeDepth(after[0], after[1], after[2])).toBeGreaterThan(-1e-12);
    }
    expect(hits).toBeGreaterThan(300);
    expect(passed).toBeGreaterThan(100);
  });

  const plate = createFacetBody(createShape({ type: 'box', size: [1, 1e-3, 1] }), 0);
  const normalOf = (body: FacetBody, face: number): number[] =>
    Array.from(body.faceNormal.subarray(3 * face, 3 * face + 3), (value) => Math.round(value * 1e9) / 1e9 + 0);

  test('a point is not lost through a thin plate, from above or from its surface, and may leave it', () => {
    const top = plate.faceOffset[plate.findFace(vec(0, 1, 0), 0, vec(0.2, -1, 0.1), 0, 1e-9)];
    expect(top).toBe(5e-4);
    const kept = (y0: number, y1: number): number => plate.findFace(vec(0, y0, 0), 0, vec(0.01, y1, 0), 0, 1e-9);
    for (const y0 of [0.3, 5e-4 + 1e-15, 5e-4, 5e-4 - 1e-15, 5e-4 - 1e-10]) {
      for (const y1 of [4e-4, -4e-4, -5e-4, -7])
        expect(normalOf(plate, kept(y0, y1)), `${y0} ${y1}`).toEqual([0, 1, 0]);
      for (const y1 of [5e-4, 5e-4 - 1e-10, 6e-4, 3]) expect(kept(y0, y1), `${y0} ${y1}`).toBe(-1);
    }
    // from inside, deeper than the tolerance: the nearest face of the end
    expect(normalOf(plate, kept(2e-4, 3e-4))).toEqual([0, 1, 0]);
    expect(normalOf(plate, kept(-2e-4, -3e-4))).toEqual([0, -1, 0]);
    expect(normalOf(plate, kept(2e-4, -3e-4))).toEqual([0, -1, 0]);
    expect(normalOf(plate, kept(-2e-4, 3e-4))).toEqual([0, 1, 0]);
    expect(kept(2e-4, 1)).toBe(-1);
  });

  test('a point is over a face where its foot lies in the face or no further from it than the tolerance', () => {
    const top = plate.findFace(vec(0, 1, 0), 0, vec(0, 0, 0), 0, 1e-9);
    expect(plate.isOverFace(top, 0.499, 7, -0.499, 0)).toBe(true);
    expect(plate.isOverFace(top, 0.51, 7, 0, 0)).toBe(false);
    expect(plate.isOverFace(top, 0.51, -7, 0, 0.0101)).toBe(true);
    expect(plate.isOverFace(top, 0, 0, -0.51, 0.0099)).toBe(false);
  });

  test('past an edge and off the surface nothing holds a point', () => {
    expect(plate.findFace(vec(0.4, 5e-4, 0), 0, vec(0.7, 5e-4 - 1e-10, 0), 0, 1e-9)).toBe(-1);
    expect(plate.findFace(vec(0.6, 0.1, 0), 0, vec(0.7, -1, 0), 0, 1e-9)).toBe(-1);
  });

  test('an offset into the arrays counts', () => {
    const path = vec(9, 0, 1, 0, 0, 0, -1, 0);
    expect(normalOf(plate, plate.findFace(path, 1, path, 5, 1e-9))).toEqual([0, 1, 0]);
  });

  test('of an L is held by the inner faces, is free in the notch, and reaches the far arm through its own face', () => {
    const body = createFacetBody(createL(), 0.1);
    const kept = (p: readonly number[], q: readonly number[]): number =>
      body.findFace(vec(...p), 0, vec(...q), 0, 1e-9);
    expect(normalOf(body, kept([1.5, 1.9, 0.5], [1.5, 0.9, 0.5]))).toEqual([0, 1, 0]);
    expect(normalOf(body, kept([1.9, 1.5, 0.5], [0.9, 1.5, 0.5]))).toEqual([1, 0, 0]);
    // through the whole arm
    expect(normalOf(body, kept([1.5, 1.9, 0.5], [1.5, -5, 0.5]))).toEqual([0, 1, 0]);
    expect(kept([1.9, 1.2, 0.5], [1.2, 1.9, 0.5])).toBe(-1);
    // standing on it
    expect(normalOf(body, kept([1.5, 1.1, 0.5], [1.4, 1.05, 0.5]))).toEqual([0, 1, 0]);
    for (const y of [1.1 + 1e-12, 1.1, 1.1 - 1e-12]) {
      expect(normalOf(body, kept([1.5, y, 0.5], [1.5, 0.1, 0.5])), `${y}`).toEqual([0, 1, 0]);
      expect(normalOf(body, kept([1.5, y, 0.5], [1.5, -5, 0.5])), `${y}`).toEqual([0, 1, 0]);
    }
    expect(kept([1.5, 1.1, 0.5], [1.3, 1.1, 0.5])).toBe(-1);
    expect(kept([1.5, 1.1, 0.5], [1.3, 1.2, 0.5])).toBe(-1);
    const inner = kept([1.5, 1.9, 0.5], [1.5, 0.9, 0.5]);
    expect(body.isOverFace(inner, 1.5, 7, 0.5, 0)).toBe(true);
    expect(body.isOverFace(inner, 2.2, 1, 0.5, 0.05)).toBe(false);
    expect(body.isOverFace(inner, 2.2, 1, 0.5, 0.11)).toBe(true);
  });
});
