/** A yoke: how many loops its courses have, who hangs on whom, how near centre lines come, where it lies, what is refused. */
import { computeLinkingNumber, computePolylineDistance, computeSelfClearance, measureAlong } from 'heddle/geometry';
import {
  type CurveSet,
  countYokeLoops,
  createGarter,
  createKnit,
  createRib,
  createStockinette,
  createYoke,
  type Knit,
  repeatKnit,
  rollCurves,
} from 'heddle/patterns';
import { describe, expect, test } from 'vitest';

const RADIUS = 0.005;
const SPACING = { wale: 8 * RADIUS, course: 7 * RADIUS };
const [COURSES, WALES] = [5, 12];

const piece = (knit: Knit, courses = COURSES, wales = WALES): Knit => repeatKnit(knit, { courses, wales });
const make = (knit: Knit, segments: number, slope = 0): CurveSet =>
  createYoke({ knit, spacing: SPACING, radius: RADIUS, segments, slope });
const listRings = ({ x, start }: CurveSet): Float64Array[] =>
  Array.from({ length: start.length - 1 }, (_, c) => x.slice(3 * start[c], 3 * start[c + 1]));
const close = (ring: Float64Array): Float64Array => Float64Array.from([...ring, ...ring.subarray(0, 3)]);

test('every course is a ring with as many loops as fit: 2π c cos α/w more than the one before', () => {
  // 2π 7/8 = 5.498; half of it at 60°
  expect([...countYokeLoops({ courses: 5, wales: 12 }, SPACING, 0)]).toEqual([12, 17, 22, 28, 33]);
  expect([...countYokeLoops({ courses: 5, wales: 12 }, SPACING, Math.PI / 3)]).toEqual([12, 14, 17, 20, 22]);
  const { start, closed } = make(piece(createStockinette()), 2);
  expect(closed).toBe(true);
  // ten stretches a loop, three a wale for the yarns that cast on and bind off
  const points = [3 * 12, 10 * 12, 10 * 17, 10 * 22, 10 * 28, 10 * 33, 3 * 33].map((n) => 2 * n);
  expect(Array.from({ length: points.length }, (_, c) => start[c + 1] - start[c])).toEqual(points);
});

test.each([0, 30, 60])('it lies on its cone of %i°, its neck at the origin, and loops stay as wide', (angle) => {
  const slope = (angle * Math.PI) / 180;
  const knit = piece(createStockinette(), 8);
  const { x } = make(knit, 3, slope);
  const neck = (WALES * SPACING.wale) / (2 * Math.PI);
  let far = 0;
  for (let i = 0; i < x.length; i += 3) {
    const r = Math.hypot(x[i], x[i + 2]) - neck;
    const along = r * Math.cos(slope) - x[i + 1] * Math.sin(slope);
    const out = r * Math.sin(slope) + x[i + 1] * Math.cos(slope);
    expect(Math.abs(out)).toBeLessThan(1.61 * RADIUS);
    expect(along).toBeGreaterThan(-1e-9);
    far = Math.max(far, along);
  }
  // seven courses and a loop, which is 1.6 courses high
  expect(far / SPACING.course).toBeCloseTo(8.6, 9);
  // where a course is lowest its loops share the circumference
  for (const [j, loops] of countYokeLoops(knit, SPACING, slope).entries()) {
    const width = (2 * Math.PI * (neck + j * SPACING.course * Math.cos(slope))) / loops / SPACING.wale;
    expect(width).toBeGreaterThan(1 - 1e-9);
    expect(width).toBeLessThan(1 + 1 / loops);
  }
});

test('with a slope of 90° no loop is added: the tube that a flat knit is wound into, upside down', () => {
  const set = make(piece(createStockinette()), 1, Math.PI / 2);
  const tops = listRings(set).map((ring) => ring.filter((_, k) => k % 3 === 1).reduce((a, b) => Math.max(a, b)));
  expect(listRings(set).map((ring) => ring.length / 3)).toEqual([36, 120, 120, 120, 120, 120, 36]);
  for (let c = 2; c <= COURSES; c++) expect(tops[c] - tops[c - 1]).toBeCloseTo(-SPACING.course, 9);
  const flat = { x: Float64Array.of(0, 0, 0, WALES * SPACING.wale, 0, 0), start: Int32Array.of(0, 2), closed: false };
  expect(Math.hypot(set.x[0], set.x[2])).toBeCloseTo(rollCurves(flat).x[2], 9);
});

describe.each([
  ['stockinette', createStockinette(), -1],
  ['garter', createGarter(), 0],
] as const)('%s', (_, stitch, hand) => {
  const segments = 3;
  const knit = piece(stitch);
  const rings = listRings(make(knit, segments));
  const loops = countYokeLoops(knit, SPACING, 0);
  /** A part of a ring, closed far behind the cloth. */
  const cut = (ring: Float64Array, from: number, to: number): Float64Array => {
    const part = Array.from({ length: to - from + 1 }, (_, k) => [
      ...ring.subarray(3 * ((from + k) % (ring.length / 3))),
    ]).flatMap((rest) => rest.slice(0, 3));
    const n = part.length;
    return Float64Array.from([...part, part[n - 3], -10, part[n - 1], part[0], -10, part[2]]);
  };

  test('a loop hangs on the one below by both its legs; those that are added hang on none', () => {
    for (let j = 1; j < COURSES; j++) {
      const [lower, upper] = [rings[j], rings[j + 1]];
      let hanging = 0;
      for (let i = 0; i < loops[j]; i++) {
        const at = 10 * segments * i;
        const left = computeLinkingNumber(cut(upper, at, at + 5 * segments), lower);
        const right = computeLinkingNumber(cut(upper, at + 5 * segments, at + 10 * segments), lower);
        // drawn out backwards, a whole loop comes free
        expect(left + right).toBe(0);
        if (left !== 0) hanging++;
        if (left !== 0 && hand !== 0) expect(left).toBe(hand);
      }
      expect(hanging).toBe(loops[j - 1]);
      // two courses apart nothing is linked
      if (j > 1) expect(computeLinkingNumber(cut(upper, 0, 5 * segments), rings[j - 1])).toBe(0);
    }
  });

  test('the yarns at neck and hem are drawn through every loop there', () => {
    const [castOn, first, last, bindOff] = [rings[0], rings[1], rings[COURSES], rings[COURSES + 1]];
    for (let i = 0; i < loops[0]; i++) {
      const head = 5 * segments + 10 * segments * i;
      expect(computeLinkingNumber(cut(first, head, head + 10 * segments), castOn)).not.toBe(0);
    }
    for (let i = 0; i < loops[COURSES - 1]; i++) {
      const gap = 10 * segments * i;
      expect(computeLinkingNumber(cut(last, gap, gap + 10 * segments), bindOff)).not.toBe(0);
    }
  });

  test('round yarns have room, and a loop has as much yarn as in the flat knit', () => {
    let nearest = Number.POSITIVE_INFINITY;
    const fine = listRings(make(knit, 5));
    for (const [c, ring] of fine.entries()) {
      nearest = Math.min(nearest, computeSelfClearance(ring, { closed: true, neighbours: 6 * RADIUS }));
      for (const other of fine.slice(c + 1, c + 3))
        nearest = Math.min(nearest, computePolylineDistance(close(ring), close(other)));
      if (c === 0 || c > COURSES) continue;
      const length = measureAlong(close(ring)).at(-1)! / loops[c - 1] / RADIUS;
      // 33 radii where loops are 8 wide
      expect(length).toBeGreaterThan(31.5);
      expect(length).toBeLessThan(36.5);
    }
    // 1.95 in the flat knit; least beside loops that are added
    expect(nearest / RADIUS).toBeGreaterThan(1.45);
  });
});

test('what a yoke cannot be is refused', () => {
  const options = { spacing: SPACING, radius: RADIUS };
  const rib = repeatKnit(createRib({ knit: 1, purl: 1 }), { courses: 3, wales: 12 });
  expect(() => createYoke({ ...options, knit: rib })).toThrow('course 0 has different stitches (wale 1)');
  const slipped = repeatKnit(createKnit(['s', 'k']), { courses: 2, wales: 12 });
  expect(() => createYoke({ ...options, knit: slipped })).toThrow('carrier 0 makes no loop in course 1');
  expect(() => createYoke({ ...options, knit: piece(createStockinette(), 3, 5) })).toThrow(
    'the neck has 5 wales, but up to 6 are added in a course',
  );
  expect(() => createYoke({ ...options, knit: piece(createStockinette()), slope: 2 })).toThrow('slope is 2');
  expect(() => createYoke({ ...options, knit: piece(createStockinette()), radius: 0.006 })).toThrow('spacing.wale');
});
