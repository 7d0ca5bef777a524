/** Knots and other curves for rods: what `heddle/patterns` promises of them. */
import {
  computeBendRadius,
  computeKnotInvariant,
  computePolylineDistance,
  computeSelfClearance,
  computeWrithe,
  writeClosestSegmentSegment,
} from 'heddle/geometry';
import { createRandom } from 'heddle/math';
import {
  createArc,
  createCircle,
  createHelix,
  createKnot,
  createPile,
  createSpiral,
  createStraight,
  KNOTS,
} from 'heddle/patterns';
import { describe, expect, test } from 'vitest';
import { deform, resample, rotate } from './knot-fixtures.ts';

/** Shortest and longest segment. */
function measureSegments(points: Float64Array): [number, number] {
  let [shortest, longest] = [Infinity, 0];
  for (let i = 3; i < points.length; i += 3) {
    const length = Math.hypot(points[i] - points[i - 3], points[i + 1] - points[i - 2], points[i + 2] - points[i - 1]);
    shortest = Math.min(shortest, length);
    longest = Math.max(longest, length);
  }
  return [shortest, longest];
}

const names = KNOTS.map(({ name }) => name);
const polynomialOf = (name: string) => KNOTS.find((knot) => knot.name === name)!.polynomial;

test('the known knots are there, each with its polynomial', () => {
  expect(Object.fromEntries(KNOTS.map(({ name, polynomial }) => [name, polynomial]))).toEqual({
    overhand: [1, -1, 1],
    'figure-eight': [1, -3, 1],
    'double-overhand': [1, -1, 1, -1, 1],
    stevedore: [2, -5, 2],
    square: [1, -2, 3, -2, 1],
    granny: [1, -2, 3, -2, 1],
    slip: [1],
  });
});

describe.each(names)('the %s knot', (name) => {
  const polynomial = polynomialOf(name);

  test('is the knot it is called, both ways round', () => {
    const create = (mirrored: boolean) =>
      createKnot({ name, radius: 0.01, segments: 240, tailLength: 0.05, mirrored }).points;
    const [right, left] = [computeKnotInvariant(create(false)), computeKnotInvariant(create(true))];
    expect(computeWrithe(create(true))).toBeCloseTo(-computeWrithe(create(false)), 9);
    expect(create(true)).not.toEqual(create(false));
    expect(right.polynomial).toEqual(polynomial);
    expect(left.polynomial).toEqual(polynomial);
    expect(right.determinant).toBe(Math.abs(polynomial.reduce((sum, value, k) => sum + (-1) ** k * value, 0)));
  });

  test('stays it in every view, deformed, turned and with other points', () => {
    const random = createRandom(3);
    const { points, length } = createKnot({ name, radius: 1, segments: 240, tailLength: 20 });
    for (let k = 0; k < 8; k++) {
      const direction = random.direction();
      expect(computeKnotInvariant(points, { direction, reduced: false }).polynomial).toEqual(polynomial);
      const moved = rotate(deform(resample(points, random), random, length / 20), random);
      expect(computeKnotInvariant(moved).polynomial).toEqual(polynomial);
    }
  });

  test('leaves its tube room and bends no sharper than its diameter, by the looseness', () => {
    for (const [radius, looseness] of [
      [1, 1],
      [0.003, 1.7],
    ]) {
      const { points, bendRadius, clearance } = createKnot({
        name,
        radius,
        looseness,
        segments: 800,
        tailLength: 9 * radius,
      });
      const diameter = 2 * radius * looseness;
      // 5 % less what 800 chords cut, (length/800)²/4R < 0.2 %
      expect(clearance).toBe(computeSelfClearance(points, { neighbours: Math.PI * 1.05 * looseness * radius }));
      expect(clearance).toBeGreaterThan(1.045 * diameter);
      expect(bendRadius).toBe(computeBendRadius(points));
      expect(bendRadius).toBeGreaterThan(1.045 * diameter);
      // one of the two is what limits the size, but for a peak between points: it is not larger than need be
      expect(Math.min(clearance, bendRadius)).toBeLessThan(1.1 * diameter);
    }
  });

  test('has even segments and straight ends along x', () => {
    const tailLength = 0.3;
    const { points, length } = createKnot({ name, radius: 0.02, segments: 300, tailLength });
    const [shortest, longest] = measureSegments(points);
    expect(longest / shortest - 1).toBeLessThan(1e-9);
    expect(length).toBeCloseTo(300 * longest, 9);
    const tail = Math.floor(tailLength / longest);
    for (let i = 0; i <= tail; i++)
      for (const at of [3 * i, points.length - 3 - 3 * i]) expect([points[at + 1], points[at + 2]]).toEqual([0, 0]);
    expect(points[3] - points[0]).toBeCloseTo(longest, 9);
    expect(points.at(-3)! - points.at(-6)!).toBeCloseTo(longest, 9);
    expect(points[0]).toBeLessThan(0);
    expect(points.at(-3)).toBeGreaterThan(0);
    // the ends are outermost: they can be closed outside
    for (let i = 0; i < points.length; i += 3) expect(Math.abs(points[i])).toBeLessThanOrEqual(points.at(-3)! + 1e-12);
  });
});

test('square and granny knots differ in the signs of their crossings', () => {
  const writheOf = (name: string) =>
    computeKnotInvariant(createKnot({ name, radius: 1, segments: 300, tailLength: 10 }).points);
  expect(writheOf('square')).toMatchObject({ crossings: 6, writhe: 0 });
  expect(Math.abs(writheOf('granny').writhe)).toBe(6);
});

test('a slip knot is an overhand knot up to its bight', () => {
  const { points } = createKnot({ name: 'slip', radius: 1, segments: 300, tailLength: 5 });
  let tip = 0;
  for (let i = 0; i < points.length; i += 3) if (points[i + 1] > points[tip + 1]) tip = i;
  expect(computeKnotInvariant(points.slice(0, tip + 3)).polynomial).toEqual([1, -1, 1]);
});

test('a knot whose first half is drawn up through the second is none', () => {
  // all of the first half lies above all of the second: every crossing is passed above first, which is the unknot
  const { points } = createKnot({ name: 'overhand', radius: 1, segments: 240, tailLength: 20 });
  const drawn = (height: number) =>
    Float64Array.from(points, (value, k) => (k % 3 === 2 && k < points.length / 2 ? height + value : value));
  expect(computeKnotInvariant(drawn(0.1)).polynomial).toEqual([1, -1, 1]);
  expect(computeKnotInvariant(drawn(20)).polynomial).toEqual([1]);
});

test('what cannot be tied is refused in a sentence', () => {
  expect(() => createKnot({ name: 'overhan', radius: 1, segments: 100 })).toThrow(/"overhan".*"overhand"/);
  expect(() => createKnot({ name: 'overhand', radius: 0, segments: 100 })).toThrow(/radius is 0/);
  expect(() => createKnot({ name: 'overhand', radius: 1, segments: 100, looseness: 0.9 })).toThrow(/1 or more/);
  expect(() => createKnot({ name: 'overhand', radius: 1, segments: 100, tailLength: -1 })).toThrow(/tailLength is -1/);
  for (const name of names) {
    const refused = (segments: number): string => {
      try {
        createKnot({ name, radius: 1, segments });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const message = refused(30);
    expect(message).toMatch(/touches itself/);
    // and the advice is right
    expect(refused(Number(/give (\d+)/.exec(message)![1]))).toBe('');
  }
});

describe('curves', () => {
  test('a helix has the curvature and torsion of its polyline, to second order', () => {
    for (const handedness of ['right', 'left'] as const) {
      const [radius, pitch, turns] = [0.02, 0.03, 3.3];
      const errors = [200, 400].map((segments) => {
        const { points, tangents, curvature, torsion, length } = createHelix({
          radius,
          pitch,
          turns,
          segments,
          handedness,
        });
        const [shortest, longest] = measureSegments(points);
        expect(longest / shortest - 1).toBeLessThan(1e-9);
        expect(Math.hypot(tangents[30], tangents[31], tangents[32])).toBeCloseTo(1, 12);
        // κ from the circle through three points; τ from the tangent's slope on the axis: sin = c/√(r² + c²) = τ/√(κ² + τ²)
        const slope = (points[3] - points[0]) / longest;
        expect(tangents[0]).toBeCloseTo(Math.abs(torsion) / Math.hypot(curvature, torsion), 12);
        expect(Math.sign(torsion)).toBe(handedness === 'right' ? 1 : -1);
        expect(length).toBeLessThan(turns * Math.hypot(2 * Math.PI * radius, pitch));
        return [1 / computeBendRadius(points) - curvature, slope - tangents[0]].map((error) => Math.abs(error));
      });
      for (const k of [0, 1]) expect(errors[0][k] / errors[1][k]).toBeCloseTo(4, 0);
    }
  });

  test('the tangents of a helix are those of its points', () => {
    const { points, tangents } = createHelix({ radius: 1, pitch: 2, turns: 2, segments: 1000, handedness: 'left' });
    for (let i = 3; i < points.length - 3; i += 99) {
      const d = [0, 1, 2].map((k) => points[i + 3 + k] - points[i - 3 + k]);
      for (let k = 0; k < 3; k++) expect(d[k] / Math.hypot(...d)).toBeCloseTo(tangents[i + k], 3);
    }
  });

  test('a right-handed helix turns as a screw: from y to z as it goes along x', () => {
    const { points } = createHelix({ radius: 1, pitch: 1, turns: 1, segments: 100 });
    // a quarter turn on: advanced along x, gone from y to z
    expect(points[3 * 25]).toBeCloseTo(0.25);
    expect(points[3 * 25 + 2]).toBeCloseTo(1);
  });

  test('are straight lines, arcs, circles and spirals', () => {
    expect([...createStraight({ from: [1, 2, 3], to: [1, 2, 5], segments: 2 }).points]).toEqual([
      1, 2, 3, 1, 2, 4, 1, 2, 5,
    ]);
    const arc = createArc({ radius: 2, angle: Math.PI / 2, segments: 50 });
    expect(arc.points.at(-3)).toBeCloseTo(2);
    expect(arc.points.at(-2)).toBeCloseTo(2);
    expect(arc.length).toBeCloseTo(Math.PI, 3);
    expect(createArc({ radius: 2, angle: -1, segments: 5 }).points.at(-2)).toBeLessThan(0);
    const circle = createCircle({ radius: 3, segments: 64 });
    expect(circle.points.length).toBe(3 * 64);
    expect(circle.length).toBeCloseTo(2 * 64 * 3 * Math.sin(Math.PI / 64), 10);
    expect(computeBendRadius(circle.points, { closed: true })).toBeCloseTo(3, 10);
    const spiral = createSpiral({ innerRadius: 0.1, outerRadius: 1, turns: 4, segments: 300 });
    const [shortest, longest] = measureSegments(spiral.points);
    expect(longest / shortest - 1).toBeLessThan(1e-9);
    // its turns are (outer − inner)/turns apart, less what a spiral is off a circle
    const apart = computeSelfClearance(spiral.points, { neighbours: 0.5 });
    expect(apart).toBeGreaterThan(0.9 * 0.225);
    expect(apart).toBeLessThan(0.225);
    expect(() => createHelix({ radius: 1, pitch: 0, turns: 1, segments: 3 })).toThrow(/pitch is 0/);
    expect(() => createCircle({ radius: 1, segments: 2.5 })).toThrow(/3 or more/);
  });
});

describe('clearance', () => {
  test('is the smallest distance of all pairs of segments far enough apart along the polyline', () => {
    const random = createRandom(8);
    const [x, weights] = [new Float64Array(12), new Float64Array(4)];
    for (let round = 0; round < 400; round++) {
      const n = random.integer(6, 14);
      const points = Float64Array.from({ length: 3 * n }, (_, k) => (k % 3 === 0 ? 0.9 * k : random.uniform(-9, 9)));
      const closed = round % 2 === 0;
      const at = Array.from({ length: n + 1 }, () => 0);
      const corner = (i: number) => points.subarray(3 * (i % n), 3 * (i % n) + 3);
      for (let i = 1; i <= n; i++)
        at[i] = at[i - 1] + Math.hypot(...[0, 1, 2].map((k) => corner(i)[k] - corner(i - 1)[k]));
      const segments = closed ? n : n - 1;
      let smallest = Infinity;
      for (let i = 0; i < segments; i++)
        for (let j = i + 1; j < segments; j++) {
          if (at[j] - at[i + 1] < 7 || (closed && at[i] + at[n] - at[j + 1] < 7)) continue;
          x.set([...corner(i), ...corner(i + 1), ...corner(j), ...corner(j + 1)]);
          smallest = Math.min(smallest, Math.sqrt(writeClosestSegmentSegment(x, weights)));
        }
      expect(computeSelfClearance(points, { closed, neighbours: 7 })).toBe(smallest);
    }
  });

  test('is measured between two polylines, as is the radius of the sharpest bend', () => {
    expect(
      computePolylineDistance(Float64Array.from([0, 0, 0, 4, 0, 0]), Float64Array.from([1, -3, 2, 1, 5, 2, 9, 5, 0])),
    ).toBe(2);
    expect(computeBendRadius(Float64Array.from([0, 0, 0, 1, 0, 0, 3, 0, 0]))).toBe(Infinity);
    expect(computeBendRadius(Float64Array.from([0, 0, 0, 1, 0, 0, 0.5, 0, 0]))).toBe(0);
    // a right angle between legs 3 and 4 lies on the circle about the middle of the third side
    expect(computeBendRadius(Float64Array.from([3, 0, 0, 0, 0, 0, 0, 4, 0]))).toBeCloseTo(2.5, 12);
  });
});

describe('piles', () => {
  test.each([
    ['straight', undefined, 0.3],
    ['arcs', 0.08, 0.3],
    ['coils', 0.05, 0.9],
  ])('%s do not touch each other, stay in their cylinder and above the bottom', (_name, bendRadius, length) => {
    const [radius, extent, bottom] = [0.004, 0.2, -0.1];
    const options = { count: 40, length, radius, extent, seed: 5, segments: 48, bottom };
    const pile = createPile(bendRadius === undefined ? options : { ...options, bendRadius });
    expect(pile).toHaveLength(40);
    for (const [k, rod] of pile.entries()) {
      expect(rod.length).toBeCloseTo(length, 9);
      const [shortest, longest] = measureSegments(rod.points);
      expect(longest / shortest - 1).toBeLessThan(1e-9);
      for (let i = 0; i < rod.points.length; i += 3) {
        expect(Math.hypot(rod.points[i], rod.points[i + 2])).toBeLessThanOrEqual(extent * (1 + 1e-9));
        expect(rod.points[i + 1]).toBeGreaterThanOrEqual(bottom + radius - 1e-12);
      }
      for (const other of pile.slice(0, k))
        expect(computePolylineDistance(rod.points, other.points)).toBeGreaterThan(2.1 * radius);
      expect(computeSelfClearance(rod.points, { neighbours: Math.PI * radius })).toBeGreaterThan(2 * radius);
    }
  });

  test('come from their seed, and are not all alike', () => {
    const create = (seed: number) => createPile({ count: 5, length: 0.3, radius: 0.004, extent: 0.2, seed });
    expect(create(1)).toEqual(create(1));
    expect(create(1)[0].points).not.toEqual(create(2)[0].points);
    expect(create(1)[0].points).not.toEqual(create(1)[1].points);
  });

  test('that do not fit are refused in a sentence', () => {
    const options = { count: 5, length: 0.5, radius: 0.004, extent: 0.2, seed: 1 };
    expect(() => createPile(options)).toThrow(/do not fit.*bendRadius/);
    expect(() => createPile({ ...options, bendRadius: 0.3 })).toThrow(/at most the extent/);
    expect(() => createPile({ ...options, bendRadius: 0.01 })).toThrow(/segments is 20/);
    expect(() => createPile({ ...options, count: 1.5 })).toThrow(/count is 1.5/);
  });
});
