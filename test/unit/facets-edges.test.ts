/** Segments against convex edges: `FacetBody.findEdge` and `computeSegmentDepth`. */
import { createEdgeHit, createFacetBody, type FacetBody } from 'heddle/contact';
import { createRandom, type Random } from 'heddle/math';
import { describe, expect, test } from 'vitest';
import { distance, edgePoint, isCut, mix, randomHull } from './facets-fixtures.ts';

const hit = createEdgeHit();

interface Motion {
  readonly a0: Float64Array;
  readonly b0: Float64Array;
  readonly a1: Float64Array;
  readonly b1: Float64Array;
}

const find = (body: FacetBody, { a0, b0, a1, b1 }: Motion, tolerance: number, skip: readonly number[] = []): number =>
  body.findEdge(a0, b0, a1, b1, tolerance, Int32Array.from(skip), skip.length, hit);

const randomPoint = (random: Random, spread: number): Float64Array =>
  Float64Array.from({ length: 3 }, () => random.uniform(-spread, spread));

/** A segment of about the body's size that moves past or into it; `way` is how far an end moves. */
const randomMotion = (random: Random, scale: number, way: number): Motion => {
  const [a0, b0] = [randomPoint(random, 2 * scale), randomPoint(random, 2 * scale)];
  const step = randomPoint(random, way * scale);
  const move = (p: Float64Array): Float64Array => {
    const own = randomPoint(random, 0.3 * way * scale);
    return p.map((value, k) => value + step[k] + own[k]);
  };
  return { a0, b0, a1: move(a0), b1: move(b0) };
};

const STEPS = 400;

/** First sampled time at which the segment is deeper than `depth`; Infinity for none, NaN where an end went in before. */
const sampleContact = (body: FacetBody, { a0, b0, a1, b1 }: Motion, depth: number): number => {
  for (let i = 0; i <= STEPS; i++) {
    const [a, b] = [mix(a0, a1, i / STEPS), mix(b0, b1, i / STEPS)];
    if (body.computeDepth(a[0], a[1], a[2]) > 0 || body.computeDepth(b[0], b[1], b[2]) > 0) return Number.NaN;
    if (isCut(body, a, b, depth)) return i / STEPS;
  }
  return Infinity;
};

describe('a segment moving into a random convex body', () => {
  const tally = { touched: 0, missed: 0, between: 0 };
  test.each([1, 2, 3, 4])('touches first where and when time sampling finds it (seed %i)', (seed) => {
    const random = createRandom(seed);
    for (let trial = 0; trial < 1500; trial++) {
      const body = createFacetBody(randomHull(random), trial % 3 === 0 ? 0 : 0.1);
      const motion = randomMotion(random, 1, trial % 2 === 0 ? 1 : 6);
      const tolerance = 1e-9 * body.size;
      if (isCut(body, motion.a0, motion.b0, 0)) continue;
      const sampled = sampleContact(body, motion, tolerance);
      if (Number.isNaN(sampled)) continue;
      const edge = find(body, motion, tolerance);
      if (sampled === Infinity && edge < 0) {
        tally.missed++;
        continue;
      }
      expect(edge, `seed ${seed} trial ${trial} sampled ${sampled}`).toBeGreaterThanOrEqual(0);
      expect(hit.edge).toBe(edge);
      expect(hit.time).toBeLessThanOrEqual(sampled);
      // on the segment and on the edge
      const [a, b] = [mix(motion.a0, motion.a1, hit.time), mix(motion.b0, motion.b1, hit.time)];
      expect(distance(mix(a, b, hit.segment), edgePoint(body, edge, hit.along))).toBeLessThan(1e-9 * body.size);
      // touching, not cutting, and never cut before
      expect(isCut(body, a, b, 1e-9 * body.size)).toBe(false);
      // a sample between may have been too late for a short visit: then it is inside just after the contact
      if (hit.time < sampled - 1 / STEPS) {
        tally.between++;
        const inside = [1e-2, 1e-3, 1e-4, 1e-5].some((after) => {
          const t = Math.min(1, hit.time + after / STEPS);
          return isCut(body, mix(motion.a0, motion.a1, t), mix(motion.b0, motion.b1, t), 0);
        });
        expect(inside, `seed ${seed} trial ${trial} time ${hit.time} sampled ${sampled}`).toBe(true);
      }
      tally.touched++;
    }
    expect(tally.touched).toBeGreaterThan(100);
    expect(tally.missed).toBeGreaterThan(100);
  });

  test('that starts a little inside and ends deeper is found by the nearest edge', () => {
    const random = createRandom(11);
    let found = 0;
    for (let trial = 0; trial < 3000; trial++) {
      const body = createFacetBody(randomHull(random), 0.05);
      const motion = randomMotion(random, 1, 1);
      const tolerance = 1e-9 * body.size;
      if (isCut(body, motion.a0, motion.b0, 0) || !Number.isFinite(sampleContact(body, motion, tolerance))) continue;
      if (find(body, motion, tolerance) < 0) continue;
      // the same motion, begun just after the contact: no crossing is left in it
      const start = Math.min(1, hit.time + 1e-6);
      const end = Math.min(1, hit.time + 1e-3);
      const late = {
        a0: mix(motion.a0, motion.a1, start),
        b0: mix(motion.b0, motion.b1, start),
        a1: mix(motion.a0, motion.a1, end),
        b1: mix(motion.b0, motion.b1, end),
      };
      if (!isCut(body, late.a0, late.b0, 0) || !isCut(body, late.a1, late.b1, tolerance)) continue;
      found++;
      expect(find(body, late, tolerance), `trial ${trial}`).toBeGreaterThanOrEqual(0);
      const at = mix(mix(late.a0, late.a1, hit.time), mix(late.b0, late.b1, hit.time), hit.segment);
      expect(distance(at, edgePoint(body, hit.edge, hit.along))).toBeLessThan(0.01 * body.size);
    }
    expect(found).toBeGreaterThan(100);
  });
});
