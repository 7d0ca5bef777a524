/** Segments against convex edges: `FacetBody.findEdge` and `computeSegmentDepth`. */
import { readFileSync } from 'node:fs';
import { createShape, MeshShape } from 'heddle/bodies';
import { createEdgeHit, createFacetBody, type FacetBody } from 'heddle/contact';
import { TriangleMesh } from 'heddle/geometry';
import { readObjMesh } from 'heddle/io';
import { createRandom, type Random, type Vec3 } from 'heddle/math';
import { describe, expect, test } from 'vitest';
import { createL, distance, edgePoint, isCut, mix, randomHull, vec } from './facets-fixtures.ts';

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
  Float64Array.of(random.uniform(-spread, spread), random.uniform(-spread, spread), random.uniform(-spread, spread));

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

interface Tally {
  touched: number;
  missed: number;
}

/** Compares one motion, from outside and with both ends staying outside until the contact, with time sampling. */
const checkMotion = (body: FacetBody, motion: Motion, tally: Tally, label: string): void => {
  const tolerance = 1e-9 * body.size;
  if (isCut(body, motion.a0, motion.b0, 0)) return;
  const sampled = sampleContact(body, motion, tolerance);
  if (Number.isNaN(sampled)) return;
  const edge = find(body, motion, tolerance);
  if (sampled === Infinity && edge < 0) {
    tally.missed++;
    return;
  }
  tally.touched++;
  expect(edge, `${label} sampled ${sampled}`).toBeGreaterThanOrEqual(0);
  expect(hit.edge).toBe(edge);
  expect(hit.time).toBeLessThanOrEqual(sampled);
  // on the segment and on the edge
  const [a, b] = [mix(motion.a0, motion.a1, hit.time), mix(motion.b0, motion.b1, hit.time)];
  expect(distance(mix(a, b, hit.segment), edgePoint(body, edge, hit.along))).toBeLessThan(1e-9 * body.size);
  // touching, not cutting
  expect(isCut(body, a, b, 1e-9 * body.size)).toBe(false);
  if (hit.time >= sampled - 1 / STEPS) return;
  // earlier than the first sample inside: then it was inside for less than a sample, just after the contact
  const inside = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5].some((after) => {
    const t = Math.min(1, hit.time + after / STEPS);
    return isCut(body, mix(motion.a0, motion.a1, t), mix(motion.b0, motion.b1, t), 0);
  });
  expect(inside, `${label} time ${hit.time} sampled ${sampled}`).toBe(true);
};

describe('a segment moving into a convex body', () => {
  test.each([1, 2, 3, 4])('touches a random hull first where and when time sampling finds it (seed %i)', (seed) => {
    const random = createRandom(seed);
    const tally = { touched: 0, missed: 0 };
    let body = createFacetBody(randomHull(random), 0);
    for (let trial = 0; trial < 1500; trial++) {
      if (trial % 10 === 0) body = createFacetBody(randomHull(random), trial % 30 === 0 ? 0 : 0.1);
      checkMotion(body, randomMotion(random, 1, trial % 2 === 0 ? 1 : 6), tally, `seed ${seed} trial ${trial}`);
    }
    expect(tally.touched).toBeGreaterThan(100);
    expect(tally.missed).toBeGreaterThan(500);
  });

  test('touches hulls of many edges, which are in a tree, where time sampling does', () => {
    const random = createRandom(31);
    const tally = { touched: 0, missed: 0 };
    for (let hull = 0; hull < 3; hull++) {
      const stretch: Vec3 = [0.6, random.uniform(0.3, 0.8), 0.7];
      const points = Array.from(
        { length: 60 },
        () => random.direction().map((x, k) => stretch[k] * x) as unknown as Vec3,
      );
      const body = createFacetBody(createShape({ type: 'convex', points }), 0.02);
      expect(body.edgeCount).toBeGreaterThan(100);
      for (let trial = 0; trial < 300; trial++) checkMotion(body, randomMotion(random, 1, 2), tally, `trial ${trial}`);
    }
    expect(tally.touched).toBeGreaterThan(30);
    expect(tally.missed).toBeGreaterThan(50);
  });

  test('touches the rims of a cylinder, 96 edges, where time sampling of the prism does', () => {
    const random = createRandom(32);
    const tally = { touched: 0, missed: 0 };
    const body = createFacetBody(createShape({ type: 'cylinder', radius: 0.6, length: 1 }), 0.02);
    const { top } = body.round!;
    // through a rim, not over the mantle: one end stays beyond an end of the cylinder, over its face, and the other beside it
    for (let trial = 0; trial < 300; trial++) {
      const side = random.uniform(-1, 1) > 0 ? 1 : -1;
      const way = random.uniform(0, 2 * Math.PI);
      const turn = ([x, y, z]: Vec3): Float64Array =>
        vec(x * Math.cos(way) - z * Math.sin(way), side * y, x * Math.sin(way) + z * Math.cos(way));
      const [y, z] = [random.uniform(0.01, 0.4), random.uniform(-0.3, 0.3)];
      const a = (): Float64Array => turn([random.uniform(-0.2, 0.4), top + y, random.uniform(-0.3, 0.3)]);
      const b = (low: number, high: number): Float64Array =>
        turn([random.uniform(0.65, 1.2), top * random.uniform(low, high), z]);
      checkMotion(body, { a0: a(), b0: b(0.9, 1.5), a1: a(), b1: b(0.3, 1.2) }, tally, `trial ${trial}`);
    }
    expect(tally.touched).toBeGreaterThan(30);
    expect(tally.missed).toBeGreaterThan(50);
  });

  test('that starts a little inside and ends deeper is found by the nearest edge', () => {
    const random = createRandom(11);
    let found = 0;
    let body = createFacetBody(randomHull(random), 0);
    for (let trial = 0; trial < 3000; trial++) {
      if (trial % 10 === 0) body = createFacetBody(randomHull(random), 0.05);
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

describe('a segment against a box', () => {
  const box = createFacetBody(createShape({ type: 'box', size: [1, 1, 1] }), 0);
  const move = (a0: Vec3, b0: Vec3, a1: Vec3, b1: Vec3): Motion => ({
    a0: vec(...a0),
    b0: vec(...b0),
    a1: vec(...a1),
    b1: vec(...b1),
  });
  /** The point of the edge hit, rounded; undefined for none. */
  const touch = (body: FacetBody, motion: Motion, skip: readonly number[] = []): number[] | undefined => {
    const edge = find(body, motion, 1e-9 * body.size, skip);
    if (edge < 0) return undefined;
    return Array.from(edgePoint(body, edge, hit.along), (value) => Math.round(value * 1e9) / 1e9 + 0);
  };

  test('parallel to a face it lands on both edges of that face, one after the other', () => {
    const down = move([-2, 1, 0.1], [2, 1, 0.1], [-2, 0.4, 0.1], [2, 0.4, 0.1]);
    const first = touch(box, down);
    expect(first?.map(Math.abs)).toEqual([0.5, 0.5, 0.1]);
    expect(hit.time).toBeCloseTo(5 / 6, 14);
    expect(hit.depth).toBeCloseTo(0.1, 14);
    const second = touch(box, down, [hit.edge]);
    expect(second?.[0]).toBe(-first![0]);
    expect(hit.time).toBeCloseTo(5 / 6, 14);
  });

  test('along an edge, and over a corner, it is held by the edges of the corner', () => {
    expect(touch(box, move([-2, 1, 0.5], [2, 1, 0.5], [-2, 0.4, 0.4], [2, 0.4, 0.4]))).toBeDefined();
    const diagonal = touch(box, move([0.15, 2, 1.15], [1.15, 2, 0.15], [-0.03, 0.2, 0.97], [0.97, 0.2, -0.03]));
    expect(diagonal).toEqual([0.5, 0.5, 0.5]);
    const across = touch(box, move([0, 2, 1], [1, 2, 0], [-0.4, 0.2, 0.6], [0.6, 0.2, -0.4]));
    expect(across).toBeDefined();
    expect(across?.[1]).toBe(0.5);
  });

  test('sliding in the plane of a face, along or across its edges, is no contact', () => {
    const random = createRandom(3);
    for (let trial = 0; trial < 2000; trial++) {
      const [a, b] = [random.uniform(-2, 2), random.uniform(-2, 2)];
      const [c, d] = [random.uniform(-2, 2), random.uniform(-2, 2)];
      const off = (): number => 0.5 + random.uniform(-1, 1) * 1e-15;
      const slide = move([-1, off(), a], [1, off(), b], [-1.2, off(), c], [0.9, off(), d]);
      expect(touch(box, slide)).toBeUndefined();
      const inside = move([-0.3, off(), a], [0.2, off(), b], [a, off(), c], [b, off(), d]);
      expect(touch(box, inside)).toBeUndefined();
    }
    // but a little deeper than round-off is one
    expect(touch(box, move([-1, 0.5, 0], [1, 0.5, 0], [-1, 0.5 - 1e-6, 0], [1, 0.5 - 1e-6, 0]))).toBeDefined();
    expect(touch(box, move([-1, 0.5 - 1e-12, 0], [1, 0.5, 0], [-1, 0.5 - 1e-6, 0], [1, 0.5 - 1e-6, 0]))).toBeDefined();
  });

  test('the edges of the far side are none, though the line passes below them', () => {
    // held at the two top edges of the left and the right face, it sags into the box
    const sag = move([-1, 0.5, 0], [1, 0.5, 0], [-1, 0.45, 0], [1, 0.45, 0]);
    const top: number[] = [];
    for (let e = 0; e < box.edgeCount; e++)
      if (box.edgeNormalA[3 * e + 1] + box.edgeNormalB[3 * e + 1] > 0.5) top.push(e);
    expect(top.length).toBe(4);
    expect(touch(box, sag)?.[1]).toBe(0.5);
    expect(touch(box, sag, top)).toBeUndefined();
    // below the box, moving up: the bottom edges, not the top ones
    expect(touch(box, move([-1, -1, 0], [1, -1, 0], [-1, 0.45, 0], [1, 0.45, 0]))?.[1]).toBe(-0.5);
    // beside it
    expect(touch(box, move([-1, 1, 0.6], [1, 1, 0.6], [-1, -1, 0.6], [1, -1, 0.6]))).toBeUndefined();
    // leaving it
    expect(touch(box, move([-1, 0.5 - 1e-10, 0], [1, 0.5 - 1e-10, 0], [-1, 3, 0], [1, 3, 0]))).toBeUndefined();
  });

  test('an end that goes in is no matter of edges, though its line passes one', () => {
    // from above, the edge is passed by the line beyond the end
    expect(touch(box, move([0.5, 2, 0], [0.6, 0.6, 0], [0.2, 2, 0], [0.35, 0.45, 0]))).toBeUndefined();
    // from the side, poking into both faces of the edge
    expect(touch(box, move([1, 2, 0], [0.6, 0.3, 0], [0.7, 2, 0], [0.3, 0.3, 0]))).toBeUndefined();
  });

  test('turning in the box, it is held where it goes in, not where it comes out', () => {
    expect(touch(box, move([-1, 0.45, 0], [1, 0.45, 0], [-1, 0.7, 0], [1, 0.2, 0]))).toEqual([0.5, 0.5, 0]);
  });

  test('it does not tunnel through a thin plate, however fast', () => {
    const plate = createFacetBody(createShape({ type: 'box', size: [1, 1e-4, 1] }), 0);
    for (const way of [1, 10, 1e4]) {
      expect(touch(plate, move([-2, 1, 0], [2, 1.1, 0], [-2, 1 - way, 0], [2, 1.1 - way - 1, 0]))?.[1]).toBe(5e-5);
      expect(touch(plate, move([-2, -1, 0.3], [2, -1, 0], [-2, way, 0.3], [2, way, 0]))?.[1]).toBe(-5e-5);
    }
    // from resting on it, a little above or inside
    for (const inside of [-1e-16, 0, 1e-16, 1e-12, 1e-10]) {
      const y = 5e-5 - inside;
      expect(touch(plate, move([-2, y, 0], [2, y, 0], [-2, -1, 0], [2, -1, 0]))?.[1], `${inside}`).toBe(5e-5);
      expect(hit.time).toBeLessThan(1e-9);
      expect(touch(plate, move([-2, y, 0], [2, y, 0], [-2, 1, 0], [2, 1, 0]))).toBeUndefined();
    }
  });

  test('or an L is held by the outer edges across the notch, and by no inner corner', () => {
    const body = createFacetBody(createL(), 0.1);
    expect(touch(body, move([3, 3, 0.5], [-1, 3, 0.5], [3, 0, 0.5], [-1, 2.05, 0.5]))).toEqual([1.1, 2.1, 0.5]);
    expect(touch(body, move([3, 1, 0.5], [0.5, 3, 0.5], [3, 0.3, 0.5], [0.3, 3, 0.5]))).toBeUndefined();
    // both ends stay in the notch: faces may hold them, edges do not
    expect(touch(body, move([1.9, 1.5, 0.5], [1.5, 1.9, 0.5], [1.9, 1.12, 0.5], [1.12, 1.9, 0.5]))).toBeUndefined();
    // starts inside by a little
    const late = move([1.0, 2.5, 0.5], [1.5, 1.3, 0.5], [0.9, 2.4, 0.5], [1.4, 1.2, 0.5]);
    expect(touch(body, late)?.[0]).toBe(1.1);
    expect(touch(body, { ...late, a0: mix(late.a0, late.a1, 0.999), b0: mix(late.b0, late.b1, 0.999) })?.[0]).toBe(1.1);
  });
});

/** A pipe with bends: in them its inner wall has edges across, which end in the valleys between its sides. */
describe('a segment in the hollow of a pipe', () => {
  const { positions, indices } = readObjMesh(readFileSync(new URL('../../scenes/pipe.obj', import.meta.url), 'utf8'));
  const pipe = createFacetBody(new MeshShape(new TriangleMesh(positions, indices)), 0.003);

  test('that goes into the wall beside a valley meets an edge, also where it is nearest beyond the ends of all', () => {
    const random = createRandom(11);
    const tolerance = 1e-9 * pipe.size;
    let [into, beyond] = [0, 0];
    for (let n = 0; n < 4000; n++) {
      const edge = random.integer(0, pipe.edgeCount - 1);
      if (pipe.edgeRunsOn[edge] !== 3) continue;
      const [o, corner] = [3 * edge, n % 2 === 0 ? pipe.edgeStart : pipe.edgeEnd];
      const A = vec(pipe.edgeNormalA[o], pipe.edgeNormalA[o + 1], pipe.edgeNormalA[o + 2]);
      const B = vec(pipe.edgeNormalB[o], pipe.edgeNormalB[o + 1], pipe.edgeNormalB[o + 2]);
      const along = [0, 1, 2].map((k) => pipe.edgeEnd[o + k] - pipe.edgeStart[o + k]);
      const size = Math.hypot(...along);
      // across the edge, between its faces, 6 mm long; from above the corner to below it
      const [from, to] = [random.uniform(1e-5, 2e-4), -random.uniform(0, 1e-4)];
      const [slide, turn, share] = [random.uniform(-2e-4, 2e-4), random.uniform(-0.1, 0.1), random.uniform(0.1, 0.9)];
      const place = (height: number, s: number, end: number) =>
        Float64Array.from({ length: 3 }, (_, k) => {
          const [l, m] = [(k + 1) % 3, (k + 2) % 3];
          const up = A[k] + B[k];
          const across = ((A[l] + B[l]) * along[m] - (A[m] + B[m]) * along[l]) / size;
          const way = 0.006 * (end - share) * (0.5 * across + (turn * along[k]) / size);
          return corner[o + k] + 0.5 * height * up + (s * along[k]) / size + way;
        });
      const motion = { a0: place(from, 0, 0), b0: place(from, 0, 1), a1: place(to, slide, 0), b1: place(to, slide, 1) };
      const { a0, b0, a1, b1 } = motion;
      if (pipe.computeSegmentDepth(a0, b0) > 0 || !(pipe.computeSegmentDepth(a1, b1) > 1e-6)) continue;
      if (pipe.computeDepth(a1[0], a1[1], a1[2]) > 0 || pipe.computeDepth(b1[0], b1[1], b1[2]) > 0) continue;
      into++;
      expect(find(pipe, motion, tolerance), `n = ${n}`).toBeGreaterThanOrEqual(0);
      // the same as seen from its end alone, as where a try went astray
      if (find(pipe, { ...motion, a0: a1, b0: b1 }, tolerance) >= 0) beyond++;
    }
    expect(into).toBeGreaterThan(300);
    expect(beyond).toBe(into);
  });
});

describe('scale and depth', () => {
  test.each([1e-3, 1e3])('everything times %d gives the same edges at the same times', (scale) => {
    const [random, scaled] = [createRandom(8), createRandom(8)];
    let found = 0;
    for (let trial = 0; trial < 60; trial++) {
      const body = createFacetBody(randomHull(random), 0.05);
      const other = createFacetBody(randomHull(scaled, scale), 0.05 * scale);
      for (let i = 0; i < 20; i++) {
        const motion = randomMotion(random, 1, 3);
        const edge = find(body, motion, 1e-9 * body.size);
        const { time, segment } = hit;
        const second = find(other, randomMotion(scaled, scale, 3), 1e-9 * other.size);
        expect(second < 0).toBe(edge < 0);
        if (edge < 0) continue;
        found++;
        expect(hit.time).toBeCloseTo(time, 9);
        expect(hit.segment).toBeCloseTo(segment, 7);
      }
    }
    expect(found).toBeGreaterThan(100);
  });

  test.each(['convex', 'mesh'])('the largest depth of a segment is that of its densest sampling (%s)', (kind) => {
    const random = createRandom(14);
    let inside = 0;
    let body = createFacetBody(createL(), 0.1);
    for (let trial = 0; trial < (kind === 'mesh' ? 150 : 500); trial++) {
      if (kind === 'convex' && trial % 10 === 0) body = createFacetBody(randomHull(random), 0.1);
      const [a, b] = [randomPoint(random, 2.2), randomPoint(random, 2.2)];
      let most = 0;
      for (let i = 0; i <= 1000; i++) {
        const p = mix(a, b, i / 1000);
        most = Math.max(most, body.computeDepth(p[0], p[1], p[2]));
      }
      if (most > 0) inside++;
      const depth = body.computeSegmentDepth(a, b);
      // between two samples the depth changes by no more than half their distance
      expect(depth).toBeGreaterThanOrEqual(most - (kind === 'mesh' ? 1e-3 * body.size : 1e-12));
      expect(depth).toBeLessThanOrEqual(most + distance(a, b) / 2000 + 1e-12);
    }
    expect(inside).toBeGreaterThan(20);
  });
});
