/** `RoundSolid`: spheres, capsules and mantles of cylinders, asked about points, segments and paths. */
import { createShape, type ShapeDescription } from 'heddle/bodies';
import { createFacetBody, type RoundSolid } from 'heddle/contact';
import { createRandom, type Random } from 'heddle/math';
import { describe, expect, test } from 'vitest';
import { distance, mix } from './facets-fixtures.ts';

const R = 0.5;
const GROWN = 0.1;
/** Shapes grown by 0.1 to the radius 0.5, and the same shapes given as large. */
const SOLIDS: [ShapeDescription, ShapeDescription][] = [
  [
    { type: 'sphere', radius: R - GROWN },
    { type: 'sphere', radius: R },
  ],
  [
    { type: 'capsule', radius: R - GROWN, length: 0.8 },
    { type: 'capsule', radius: R, length: 0.8 },
  ],
  // as long as no point of a test comes near to its ends
  [
    { type: 'cylinder', radius: R - GROWN, length: 50 },
    { type: 'cylinder', radius: R / Math.cos(Math.PI / 48), length: 50 },
  ],
];

const roundOf = (description: ShapeDescription): RoundSolid => createFacetBody(createShape(description), GROWN).round!;

const randomPoint = (random: Random, spread: number): Float64Array =>
  Float64Array.of(random.uniform(-spread, spread), random.uniform(-spread, spread), random.uniform(-spread, spread));

const distanceAt = (round: RoundSolid, p: Float64Array): number => round.computeDistance(p[0], p[1], p[2]);

const SAMPLES = 2000;

/** Least distance to the axis on the way from a to b, of samples. */
const sampleNearest = (round: RoundSolid, a: Float64Array, b: Float64Array): number => {
  let nearest = Infinity;
  for (let i = 0; i <= SAMPLES; i++) nearest = Math.min(nearest, distanceAt(round, mix(a, b, i / SAMPLES)));
  return nearest;
};

describe.each(SOLIDS)('%o', (description, large) => {
  const round = roundOf(description);
  const shape = createShape(large);

  test('the depth of a point is minus its signed distance to the grown shape', () => {
    const random = createRandom(1);
    const found = new Float64Array(4);
    for (let trial = 0; trial < 2000; trial++) {
      const p = randomPoint(random, 1.5);
      shape.writeSignedDistance(p[0], p[1], p[2], found);
      expect(round.computeDepth(p[0], p[1], p[2])).toBeCloseTo(-found[0], 13);
      expect(distanceAt(round, p)).toBeCloseTo(round.radius + found[0], 13);
      // the plane between point and body has the same normal, and the point at its distance
      const plane = new Float64Array(5);
      round.writePlane(p, 0, round.radius, plane, 1);
      for (let k = 0; k < 3; k++) expect(plane[1 + k]).toBeCloseTo(found[1 + k], 12);
      const height = plane[1] * p[0] + plane[2] * p[1] + plane[3] * p[2] - plane[4];
      expect(height).toBeCloseTo(found[0], 13);
    }
  });

  test('no plane of a point cuts the body: all of it is below', () => {
    const random = createRandom(2);
    const plane = new Float64Array(4);
    for (let trial = 0; trial < 2000; trial++) {
      round.writePlane(randomPoint(random, 1.5), 0, round.radius, plane, 0);
      const other = randomPoint(random, 1.5);
      const height = plane[0] * other[0] + plane[1] * other[1] + plane[2] * other[2] - plane[3];
      expect(height).toBeLessThanOrEqual(-round.computeDepth(other[0], other[1], other[2]) + 1e-12);
    }
  });

  test('on the axis itself, where no way leads out, the plane is one', () => {
    const plane = new Float64Array(4);
    round.writePlane(Float64Array.of(0, 0.1, 0), 0, round.radius, plane, 0);
    expect(Math.hypot(plane[0], plane[1], plane[2])).toBe(1);
    expect(plane[3]).toBe(round.radius);
  });

  test('the largest depth of a segment is that of dense sampling', () => {
    const random = createRandom(3);
    let inside = 0;
    for (let trial = 0; trial < 500; trial++) {
      const [a, b] = [randomPoint(random, 1.2), randomPoint(random, 1.2)];
      const depth = round.computeSegmentDepth(a, 0, b, 0);
      const sampled = round.radius - sampleNearest(round, a, b);
      // between two samples the distance changes by no more than half their distance
      expect(depth).toBeGreaterThanOrEqual(sampled - 1e-14);
      expect(depth).toBeLessThanOrEqual(sampled + distance(a, b) / (2 * SAMPLES));
      if (depth > 0) inside++;
    }
    expect(inside).toBeGreaterThan(100);
    expect(inside).toBeLessThan(450);
  });

  test('a path comes in when sampling says so: random motions', () => {
    const random = createRandom(4);
    const tolerance = 1e-9;
    const tally = { enters: 0, passes: 0, leaves: 0, stays: 0 };
    for (let trial = 0; trial < 2000; trial++) {
      const reach = round.radius * random.uniform(1, 1.05);
      const path = new Float64Array(9);
      const [p0, p1] = [randomPoint(random, 1.2), randomPoint(random, 1.2)];
      path.set(p0, 1);
      path.set(p1, 5);
      const s = round.findEntry(path, 1, path, 5, reach, tolerance);
      const nearest = sampleNearest(round, p0, p1);
      const [d0, d1] = [distanceAt(round, p0), distanceAt(round, p1)];
      if (d0 <= reach) {
        // one that starts too near may leave, and is met at once where it does not
        expect(s).toBe(d1 < reach - tolerance ? 0 : -1);
        if (s < 0) tally.leaves++;
        continue;
      }
      const blur = distance(p0, p1) / (2 * SAMPLES);
      if (s < 0) {
        expect(nearest).toBeGreaterThanOrEqual(reach - tolerance - 1e-14);
        tally.passes++;
        continue;
      }
      expect(nearest).toBeLessThan(reach + blur);
      expect(distanceAt(round, mix(p0, p1, s))).toBeCloseTo(reach, 12);
      // before that it was outside
      for (let i = 0; i < 50; i++) expect(distanceAt(round, mix(p0, p1, (s * i) / 50))).toBeGreaterThan(reach - 1e-14);
      tally.enters++;
      if (d1 > reach) tally.stays++;
    }
    // through and out again too
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(50);
  });

  test('grazing by less than the tolerance is no entry', () => {
    const reach = round.radius;
    const graze = (deep: number): number =>
      round.findEntry(Float64Array.of(-2, 0.1, reach - deep), 0, Float64Array.of(2, 0.1, reach - deep), 0, reach, 1e-9);
    const high = round.half === 0 ? Math.sqrt(reach * reach - 0.01) - reach : 0;
    expect(graze(-1e-12 - high)).toBe(-1);
    expect(graze(5e-10 - high)).toBe(-1);
    expect(graze(2e-9 - high)).toBeCloseTo(0.5, 3);
  });

  // along a line the square of the distance to the axis bends by no more than 2: d² ≥ R² + t₁² at s = 0 and ≥ R² + t₂² at s = l
  // keep it above R² where t₁ + t₂ ≥ l. With less it may cut in: the bound is met where the segment touches
  test('t₁ + t₂ ≥ l keeps a segment outside: ends at √(R² + t²) of the axis', () => {
    const random = createRandom(5);
    let [closest, cut] = [Infinity, 0];
    for (let trial = 0; trial < 20_000; trial++) {
      const [a, b] = [randomPoint(random, 1), randomPoint(random, 1)];
      if (trial % 2 === 0) {
        // near the surface and to each other, as segments of a strand are
        for (let k = 0; k < 3; k++) b[k] = a[k] + random.uniform(-0.3, 0.3);
        for (const p of [a, b]) {
          const [d, plane] = [distanceAt(round, p), new Float64Array(4)];
          round.writePlane(p, 0, 0, plane, 0);
          const out = round.radius * random.uniform(1, 1.05) - d;
          for (let k = 0; k < 3; k++) p[k] += out * plane[k];
        }
      }
      const [da, db] = [distanceAt(round, a), distanceAt(round, b)];
      if (da < round.radius || db < round.radius) continue;
      const tangents = Math.sqrt(da * da - round.radius ** 2) + Math.sqrt(db * db - round.radius ** 2);
      const depth = round.computeSegmentDepth(a, 0, b, 0);
      if (tangents >= distance(a, b)) {
        expect(depth).toBeLessThan(1e-15);
        closest = Math.min(closest, -depth);
      } else if (depth > 0) cut++;
    }
    expect(closest).toBeLessThan(1e-4);
    expect(cut).toBeGreaterThan(1000);
  });

  test('a segment across the axis that touches in its middle has both ends at √(R² + (l/2)²), not less', () => {
    for (const l of [0.05, 0.12, 0.4]) {
      const t = l / 2;
      const lay = (d: number): number => {
        const x = Math.sqrt(d * d - t * t);
        return round.computeSegmentDepth(Float64Array.of(x, 0, -t), 0, Float64Array.of(x, 0, t), 0);
      };
      const d = Math.sqrt(round.radius ** 2 + t * t);
      expect(lay(d)).toBeCloseTo(0, 14);
      expect(lay(0.999 * d)).toBeGreaterThan(4e-4 * d);
    }
  });
});

test('a mantle answers for points up to its top, whatever their height on it', () => {
  const round = roundOf({ type: 'cylinder', radius: 0.4, length: 1 });
  expect(round.top).toBeCloseTo(0.6, 15);
  for (const y of [-7, 0, 0.6, 3]) expect(round.computeDistance(0.3, y, 0.4)).toBeCloseTo(0.5, 15);
});
