import { Bvh } from 'heddle/geometry';
import { createRandom, type Random } from 'heddle/math';
import { describe, expect, test } from 'vitest';

const createBoxes = (random: Random, count: number, clustered: boolean): Float64Array => {
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const centre = clustered ? 10 ** random.uniform(-6, 1) : random.uniform(-1, 1);
      const half = random.uniform(0, 0.05);
      boxes[6 * i + k] = centre - half;
      boxes[6 * i + 3 + k] = centre + half;
    }
  }
  return boxes;
};
const overlap = (a: Float64Array, i: number, b: Float64Array): boolean =>
  [0, 1, 2].every((k) => a[6 * i + k] <= b[3 + k] && a[6 * i + 3 + k] >= b[k]);
const squareTo = (boxes: Float64Array, i: number, p: readonly number[]): number =>
  [0, 1, 2].reduce((sum, k) => sum + Math.max(boxes[6 * i + k] - p[k], 0, p[k] - boxes[6 * i + 3 + k]) ** 2, 0);
/** Slab test of one box, written apart from the one under test: clip the interval axis by axis. */
const entry = (boxes: Float64Array, i: number, o: readonly number[], d: readonly number[]): number => {
  let [from, to] = [0, Infinity];
  for (let k = 0; k < 3; k++) {
    const times = [boxes[6 * i + k], boxes[6 * i + 3 + k]].map((side) => (side - o[k]) / d[k]).sort((a, b) => a - b);
    from = Math.max(from, times[0]);
    to = Math.min(to, times[1]);
  }
  return from <= to ? from : Infinity;
};

const checkAgainstBruteForce = (bvh: Bvh, boxes: Float64Array, random: Random): void => {
  const all = Array.from({ length: boxes.length / 6 }, (_, i) => i);
  for (let query = 0; query < 30; query++) {
    const box = createBoxes(random, 1, false);
    const found: number[] = [];
    bvh.queryBox(box, (item) => found.push(item));
    expect(found.sort((a, b) => a - b)).toEqual(all.filter((i) => overlap(boxes, i, box)));

    const p = [0, 1, 2].map(() => random.uniform(-1.5, 1.5));
    const best = bvh.queryClosest(p[0], p[1], p[2], Infinity, (item, limit) =>
      Math.min(limit, squareTo(boxes, item, p)),
    );
    expect(best).toBe(Math.min(Infinity, ...all.map((i) => squareTo(boxes, i, p))));

    const direction = random.direction();
    const nearest = bvh.queryRay(p, direction, 10, (item, limit) => Math.min(limit, entry(boxes, item, p, direction)));
    expect(nearest).toBe(Math.min(10, ...all.map((i) => entry(boxes, i, p, direction))));
    const met: number[] = [];
    bvh.queryRay(p, direction, 10, (item, limit) => {
      met.push(item);
      return limit;
    });
    expect(met.sort((a, b) => a - b)).toEqual(all.filter((i) => entry(boxes, i, p, direction) <= 10));
  }
};

describe('Bvh', () => {
  test.each([
    [1, 0],
    [2, 1],
    [3, 5],
    [4, 300],
    [5, 1000],
  ])('queries find what brute force finds (seed %i, %i boxes), also after refit', (seed, count) => {
    const random = createRandom(seed);
    const boxes = createBoxes(random, count, seed === 4);
    const bvh = new Bvh(boxes);
    expect(bvh.itemCount).toBe(count);
    checkAgainstBruteForce(bvh, boxes, random);
    const moved = createBoxes(random, count, false);
    bvh.refit(moved);
    checkAgainstBruteForce(bvh, moved, random);
  });

  test('a thousand equal boxes, and boxes closer than numbers can tell apart', () => {
    const same = new Float64Array(6000).fill(1);
    let count = 0;
    new Bvh(same).queryBox(Float64Array.of(0, 0, 0, 2, 2, 2), () => count++);
    expect(count).toBe(1000);
    const tiny = Float64Array.from({ length: 600 }, (_, i) => Math.floor(i / 6) * 5e-324);
    count = 0;
    new Bvh(tiny).queryBox(Float64Array.of(-1, -1, -1, 1, 1, 1), () => count++);
    expect(count).toBe(100);
  });

  test('a visitor that returns true ends the query, and queries can be nested', () => {
    const random = createRandom(6);
    const bvh = new Bvh(createBoxes(random, 500, false));
    const everything = Float64Array.of(-9, -9, -9, 9, 9, 9);
    let visits = 0;
    bvh.queryBox(everything, () => ++visits === 3);
    expect(visits).toBe(3);
    let pairs = 0;
    bvh.queryBox(everything, () => bvh.queryBox(everything, () => pairs++));
    expect(pairs).toBe(500 * 500);
  });

  test('boxes turned inside out, not a number or missing are refused', () => {
    expect(() => new Bvh(Float64Array.of(1, 0, 0, 0, 1, 1))).toThrow(/item 0.*axis 0/);
    expect(() => new Bvh(Float64Array.of(0, 0, Number.NaN, 1, 1, 1))).toThrow(RangeError);
    expect(() => new Bvh(new Float64Array(5))).toThrow(RangeError);
    expect(() => new Bvh(new Float64Array(12)).refit(new Float64Array(6))).toThrow(/build a new one/);
  });
});
