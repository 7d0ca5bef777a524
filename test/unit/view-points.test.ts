/** Which particles of a cloud the view draws where drawing is slow: those that can be seen. */
import { createRandom } from 'heddle/math';
import { expect, test } from 'vitest';
import { PointsHull } from '../../studio/src/points-hull.ts';

/** Particles of a cube of side 1, `side` along each edge, moved at random by up to half a distance. */
function createBlock(side: number) {
  const random = createRandom(7).uniform;
  const x = new Float64Array(3 * side ** 3);
  let at = 0;
  for (let a = 0; a < side; a++)
    for (let b = 0; b < side; b++)
      for (let c = 0; c < side; c++) for (const n of [a, b, c]) x[at++] = (n + 0.5 + 0.5 * (random() - 0.5)) / side;
  // a ball of the volume of a particle
  return { x, radius: Math.cbrt(3 / (4 * Math.PI)) / side };
}

/** The particle whose ball a ray o + t d meets first; −1 for none. */
function meet(x: Float64Array, radius: number, o: readonly number[], d: readonly number[]): number {
  let [first, least] = [-1, Number.POSITIVE_INFINITY];
  for (let i = 0; i < x.length / 3; i++) {
    const to = [0, 1, 2].map((k) => x[3 * i + k] - o[k]);
    const along = to[0] * d[0] + to[1] * d[1] + to[2] * d[2];
    const square = radius * radius - (to[0] * to[0] + to[1] * to[1] + to[2] * to[2] - along * along);
    if (square < 0 || along - Math.sqrt(square) >= least) continue;
    [first, least] = [i, along - Math.sqrt(square)];
  }
  return first;
}

/** Of rays from outside that meet particles, how many meet one first that is not in the hull. */
function countLost(x: Float64Array, radius: number): { hits: number; lost: number } {
  const seen = new Set(new PointsHull().list(x, radius));
  const random = createRandom(3).uniform;
  let [hits, lost] = [0, 0];
  for (let n = 0; n < 400; n++) {
    const o = [4 * random() - 1.5, 4 * random() - 1.5, random() < 0.5 ? -2 : 3];
    const way = o.map((value) => random() - value);
    const length = Math.hypot(...way);
    const first = meet(x, radius, o, [way[0] / length, way[1] / length, way[2] / length]);
    if (first < 0) continue;
    hits++;
    if (!seen.has(first)) lost++;
  }
  return { hits, lost };
}

test('what a ray from outside meets first is in the hull of a block, and most of the block is not', () => {
  const { x, radius } = createBlock(24);
  const { length } = new PointsHull().list(x, radius);
  // layers of two cells, that is four particles, at most
  expect(length).toBeLessThan(24 ** 3 - 16 ** 3);
  expect(length).toBeGreaterThan(24 ** 3 - 22 ** 3);
  const { hits, lost } = countLost(x, radius);
  expect(hits).toBeGreaterThan(350);
  // a line between balls may reach further in
  expect(lost / hits).toBeLessThan(0.01);
});

test.each([0.2, 0.35, 0.6])('in a block with %d of the particles, too, as far as it is loose', (share) => {
  const { x, radius } = createBlock(24);
  const random = createRandom(11).uniform;
  const left = Array.from({ length: 24 ** 3 }, (_, i) => i).filter(() => random() < share);
  const loose = Float64Array.from(left.flatMap((i) => [...x.subarray(3 * i, 3 * i + 3)]));
  const { hits, lost } = countLost(loose, radius);
  expect(hits).toBeGreaterThan(350);
  expect(lost / hits).toBeLessThan(0.01);
});

test('walls of a hollow are in the hull, too', () => {
  const { x, radius } = createBlock(24);
  const isInHollow = (i: number) => Math.hypot(x[3 * i] - 0.5, x[3 * i + 1] - 0.5, x[3 * i + 2] - 0.5) < 0.2;
  const left = Array.from({ length: 24 ** 3 }, (_, i) => i).filter((i) => !isInHollow(i));
  const hollow = Float64Array.from(left.flatMap((i) => [...x.subarray(3 * i, 3 * i + 3)]));
  const hull = new PointsHull();
  const seen = new Set(hull.list(hollow, radius));
  for (let n = 0; n < left.length; n++) {
    const far = Math.hypot(hollow[3 * n] - 0.5, hollow[3 * n + 1] - 0.5, hollow[3 * n + 2] - 0.5);
    if (far < 0.2 + radius) expect(seen.has(n)).toBe(true);
  }
  // the same room serves the next cloud
  expect(hull.list(x, radius)).toEqual(new PointsHull().list(x, radius));
});

test('of scattered particles, of few and of none, all are seen', () => {
  const random = createRandom(5).uniform;
  const all = (count: number) => Uint32Array.from({ length: count }, (_, i) => i);
  const thin = Float64Array.from({ length: 3000 }, () => random());
  expect(new PointsHull().list(thin, 0.03)).toEqual(all(1000));
  // more cells than there may be
  expect(new PointsHull().list(thin.map((value) => 1e6 * value), 0.03)).toEqual(all(1000)); // biome-ignore format: one cloud
  expect(new PointsHull().list(Float64Array.of(1, 2, 3), 0.1)).toEqual(all(1));
  expect(new PointsHull().list(new Float64Array(0), 0.1)).toEqual(all(0));
});
