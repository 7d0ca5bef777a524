/** Many curves at once, tubes of triangles and filled shapes: where they lie, how many they are, what is refused. */
import { createShape } from 'heddle/bodies';
import {
  createBundle,
  createHairField,
  createKnitCurves,
  createPolylineSet,
  createStockinette,
  createTubeMesh,
  fillShape,
  joinCourses,
  joinCurves,
  repeatKnit,
  rollCurves,
  trimCurves,
} from 'heddle/patterns';
import { describe, expect, test } from 'vitest';

test('hairs stand on a grid about the origin, and jitter moves them by at most half of it', () => {
  const still = createHairField({ columns: 3, rows: 2, spacing: 0.1, length: 0.5, segments: 5 });
  expect([...still.start]).toEqual([0, 6, 12, 18, 24, 30, 36]);
  // root of the first, tip of the last
  expect([...still.x.slice(0, 3)]).toEqual([-0.1, 0, -0.05]);
  expect([...still.x.slice(-3)]).toEqual([0.1, 0.5, 0.05]);
  const moved = createHairField({ columns: 3, rows: 2, spacing: 0.1, length: 0.5, segments: 5, jitter: 1, seed: 3 });
  const shifts = moved.x.map((value, i) => Math.abs(value - still.x[i]));
  expect(Math.max(...shifts)).toBeGreaterThan(0.03);
  expect(Math.max(...shifts)).toBeLessThanOrEqual(0.05);
  expect(createHairField({ columns: 3, rows: 2, spacing: 0.1, length: 0.5, segments: 5, jitter: 1, seed: 3 })).toEqual(
    moved,
  );
});

test('fibres of a bundle lie in their ring, as many as triangles of that spacing have corners', () => {
  const { x, start } = createBundle({ radius: 1, innerRadius: 0.5, length: 2, spacing: 0.05, segments: 1 });
  for (let i = 0; i < x.length; i += 3) {
    const distance = Math.hypot(x[i], x[i + 2]);
    expect(distance).toBeGreaterThanOrEqual(0.5);
    expect(distance).toBeLessThanOrEqual(1);
    expect(Math.abs(x[i + 1])).toBe(1);
  }
  // area of the ring over that of a fibre, √¾ d²
  const expected = (Math.PI * 0.75) / (Math.sqrt(0.75) * 0.05 ** 2);
  expect(Math.abs((start.length - 1) / expected - 1)).toBeLessThan(0.02);
  expect(() => createBundle({ radius: 1, innerRadius: 1, length: 1, spacing: 1, segments: 1 })).toThrow('innerRadius');
});

test('polylines are cut into equal segments of at most the size', () => {
  const { x, start } = createPolylineSet([[[0, 0, 0], [1, 0, 0], [1, 0.25, 0]], [[5, 0, 0], [5, 1, 0]]], 0.3); // biome-ignore format: line
  expect([...start]).toEqual([0, 6, 11]);
  expect([...x.slice(3, 6)]).toEqual([0.25, 0, 0]);
  expect(() => createPolylineSet([[[0, 0, 0], [0, 0, 0]]], 1)).toThrow('has the same point twice'); // biome-ignore format: line
});

test('curves that are wound up keep their heights and join at their ends', () => {
  const points = Float64Array.from([0, 0, 0, 1, 0.1, -0.2, 2, 0, -0.4, 3, 0, -0.2, 4, 0, 0]);
  const { x, start, closed } = rollCurves(joinCurves([{ points }]));
  expect(closed).toBe(true);
  expect([...start]).toEqual([0, 4]);
  const radius = 4 / (2 * Math.PI);
  expect(x[0]).toBeCloseTo(0, 12);
  expect(x[2]).toBeCloseTo(radius, 12);
  // a quarter round, 0.1 out of the face, 0.2 up
  expect(x[3]).toBeCloseTo(radius + 0.1, 12);
  expect(x[4]).toBeCloseTo(0.2, 12);
  expect(x[8]).toBeCloseTo(-radius, 12);
});

describe('the courses of a knit', () => {
  const [wales, wale, course, segments] = [5, 8, 7, 3];
  const knit = repeatKnit(createStockinette(), { courses: 4, wales });
  const courses = createKnitCurves({ knit, spacing: { wale, course }, radius: 1, segments });

  test('become one yarn that goes to and fro: every point once, turns between them outside, no jump', () => {
    const { x, start, closed } = joinCourses(courses);
    const given = courses.reduce((sum, { points }) => sum + points.length / 3, 0);
    // three points within each turn
    expect([...start]).toEqual([0, given + 3 * (courses.length - 1)]);
    expect(closed).toBe(false);
    const widest = Math.max(...courses.flatMap(({ points }) => [...points].filter((_, k) => k % 3 === 0)));
    const turns = { left: 0, right: 0 };
    for (let i = 0; i < x.length; i += 3) {
      if (x[i] > widest + 1e-9) turns.right++;
      if (x[i] < -widest - 1e-9) turns.left++;
      // a quarter of a half circle over the 7 radii between courses, and their offset out of the plane
      if (i > 0) expect(Math.hypot(x[i] - x[i - 3], x[i + 1] - x[i - 2], x[i + 2] - x[i - 1])).toBeLessThan(3);
    }
    // cast on, four courses, bound off: right, left, right, left, right
    expect(turns).toEqual({ left: 6, right: 9 });
  });

  test('close to rings without a gap when their free ends are taken off: a ring is as long as its wales are wide', () => {
    const trimmed = trimCurves(courses, segments);
    for (const { points } of trimmed) {
      const [first, last] = [points.slice(0, 3), points.slice(-3)];
      expect(last[0] - first[0]).toBeCloseTo(wales * wale, 9);
      for (let k = 1; k < 3; k++) expect(last[k]).toBeCloseTo(first[k], 9);
    }
    const { x, start, closed } = rollCurves(joinCurves(trimmed));
    expect(closed).toBe(true);
    expect(start.length - 1).toBe(courses.length);
    // yarns of radius 1 lie at most 2 out of the plane
    const radius = (wales * wale) / (2 * Math.PI);
    for (let i = 0; i < x.length; i += 3) expect(Math.abs(Math.hypot(x[i], x[i + 2]) - radius)).toBeLessThan(2);
  });
});

describe('a tube of triangles', () => {
  const { x, triangles } = createTubeMesh({ radius: 1, topRadius: 0.5, height: 2, columns: 12, rows: 4 });

  test('is closed round its axis: every edge but those of its rims has two triangles, which go round it opposite ways', () => {
    const edges = new Map<string, number>();
    for (let t = 0; t < triangles.length; t += 3)
      for (let k = 0; k < 3; k++) {
        const [a, b] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
        edges.set(`${a} ${b}`, (edges.get(`${a} ${b}`) ?? 0) + 1);
      }
    let rims = 0;
    for (const [edge, count] of edges) {
      expect(count).toBe(1);
      if (!edges.has(edge.split(' ').reverse().join(' '))) rims++;
    }
    expect(rims).toBe(24);
  });

  test('looks outwards', () => {
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [...triangles.subarray(t, t + 3)].map((i) => x.subarray(3 * i, 3 * i + 3));
      const [u, v] = [b.map((value, k) => value - a[k]), c.map((value, k) => value - a[k])];
      const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      expect(normal[0] * a[0] + normal[2] * a[2]).toBeGreaterThan(0);
    }
  });
});

test('a shape is filled with its volume, inside, and never without end', () => {
  const shape = createShape({ type: 'sphere', radius: 1 });
  const { x, volume } = fillShape({ shape, spacing: 0.1, jitter: 1 });
  expect((volume * x.length) / 3).toBeCloseTo((4 / 3) * Math.PI, 9);
  expect(volume).toBeGreaterThan(0.97e-3);
  expect(volume).toBeLessThan(1.03e-3);
  // half a diagonal of a cell at most
  for (let i = 0; i < x.length; i += 3)
    expect(Math.hypot(x[i], x[i + 1], x[i + 2])).toBeLessThan(1 + 0.05 * Math.sqrt(3));
  expect(() => fillShape({ shape: createShape({ type: 'plane' }), spacing: 0.1 })).toThrow('is infinite');
});
