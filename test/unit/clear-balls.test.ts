/** What is known to be clear of a mesh that is not convex is clear of it; short cuts of its search find what a search in small steps does. */
import { readFileSync } from 'node:fs';
import { MeshShape } from 'heddle/bodies';
import { createFacetBody } from 'heddle/contact';
import { TriangleMesh } from 'heddle/geometry';
import { readObjMesh } from 'heddle/io';
import { createRandom } from 'heddle/math';
import { expect, test } from 'vitest';
import { ClearBalls } from '../../src/curve/clear-balls.ts';

const RADIUS = 0.002;

function createPipe() {
  const { positions, indices } = readObjMesh(readFileSync(new URL('../../scenes/pipe.obj', import.meta.url), 'utf8'));
  return createFacetBody(new MeshShape(new TriangleMesh(positions, indices)), RADIUS);
}

/** Ways of two points each, near the pipe, which move on slowly so that balls are used again. */
function* createWays(count: number) {
  const random = createRandom(5);
  const p = new Float64Array(6);
  const q = new Float64Array(6);
  for (let n = 0; n < count; n++) {
    if (n % 20 === 0) {
      for (let k = 0; k < 3; k++) p[k] = random.uniform(-0.02, 0.12) * (k === 2 ? 0.1 : 1);
      for (let k = 0; k < 3; k++) p[3 + k] = p[k] + random.uniform(-0.01, 0.01);
    }
    for (let k = 0; k < 6; k++) q[k] = p[k] + random.uniform(-0.001, 0.001);
    yield { p, q };
    p.set(q);
  }
}

test('ways in a clear ball meet nothing', () => {
  const pipe = createPipe();
  const [nodes, segments] = [new ClearBalls(pipe), new ClearBalls(pipe)];
  let [clear, met] = [0, 0];
  for (const { p, q } of createWays(2000)) {
    const isMet = pipe.findFace(p, 0, q, 0, 1e-10) >= 0;
    if (nodes.holds(3, p, q, 0, 3)) {
      clear++;
      expect(isMet).toBe(false);
    }
    if (segments.holds(0, p, q, 0, 6)) expect(pipe.computeSegmentDepth(q.slice(0, 3), q.slice(3))).toBe(0);
    if (isMet) met++;
  }
  expect(clear).toBeGreaterThan(500);
  expect(met).toBeGreaterThan(50);
});

test('segments in clear pieces meet nothing, also where one ball about them would touch', () => {
  const pipe = createPipe();
  const [whole, pieces] = [new ClearBalls(pipe), new ClearBalls(pipe)];
  let [clear, more, met] = [0, 0, 0];
  for (const { p, q } of createWays(2000)) {
    const depth = pipe.computeSegmentDepth(q.slice(0, 3), q.slice(3));
    const isInBall = whole.holds(0, p, q, 0, 6);
    if (depth > 0) met++;
    if (!pieces.holdsPieces(0, p, q, 0)) continue;
    clear++;
    if (!isInBall) more++;
    expect(depth).toBe(0);
  }
  expect(clear).toBeGreaterThan(500);
  expect(more).toBeGreaterThan(50);
  expect(met).toBeGreaterThan(50);
});

test('a ball that a point does not stay in knows its depth, also the first one, at the origin', () => {
  const pipe = createPipe();
  const balls = new ClearBalls(pipe);
  const far = new Float64Array([9, 9, 9]);
  const origin = new Float64Array(3);
  for (let n = 0; n < 2; n++) {
    expect(balls.holds(0, origin, far, 0, 3)).toBe(false);
    expect(balls.depthOf(0)).toBe(pipe.computeDepth(0, 0, 0));
  }
});

test('the depth of a segment is that of its deepest point', () => {
  const pipe = createPipe();
  let inside = 0;
  for (const { p } of createWays(1000)) {
    let deepest = 0;
    for (let t = 0; t <= 1; t += 1 / 256)
      deepest = Math.max(
        deepest,
        pipe.computeDepth(...([0, 1, 2].map((k) => p[k] + t * (p[3 + k] - p[k])) as [number, number, number])),
      );
    const found = pipe.computeSegmentDepth(p.slice(0, 3), p.slice(3));
    if (deepest > 0) inside++;
    // segments are looked at in 64 parts
    const length = Math.hypot(p[3] - p[0], p[4] - p[1], p[5] - p[2]);
    expect(found).toBeGreaterThanOrEqual(deepest - length / 64);
    expect(found).toBeLessThan(deepest + 1e-4);
  }
  expect(inside).toBeGreaterThan(30);
});
