/** Pairs of boxes and meetings of moving segments, against brute force. */
import { BoxSweep, SegmentSweep, writeClosestSegmentSegment } from 'heddle/geometry';
import { createRandom } from 'heddle/math';
import { expect, test } from 'vitest';

for (const seed of [1, 2])
  test(`the sweep visits each pair of overlapping boxes once, also after they moved and as their number changes (seed ${seed})`, () => {
    const random = createRandom(seed);
    const sweep = new BoxSweep();
    for (const count of [40, 41, 7, 200, 199, 0, 3]) {
      sweep.resize(count);
      for (let i = 0; i < count; i++)
        for (let k = 0; k < 3; k++) {
          sweep.boxes[6 * i + k] = random.uniform(0, k === seed ? 9 : 1);
          sweep.boxes[6 * i + 3 + k] = sweep.boxes[6 * i + k] + random.uniform(0, 0.4);
        }
      const found: string[] = [];
      sweep.visitPairs((a, b) => found.push(`${a},${b}`));
      const wanted: string[] = [];
      for (let a = 0; a < count; a++)
        for (let b = a + 1; b < count; b++)
          if (
            [0, 1, 2].every(
              (k) =>
                sweep.boxes[6 * a + k] <= sweep.boxes[6 * b + 3 + k] &&
                sweep.boxes[6 * b + k] <= sweep.boxes[6 * a + 3 + k],
            )
          )
            wanted.push(`${a},${b}`);
      expect(found.sort()).toEqual(wanted.sort());
    }
  });

test('moving segments meet where the smallest distance over a fine sampling of the time vanishes', () => {
  const random = createRandom(7);
  const sweep = new SegmentSweep();
  const [x, weights] = [new Float64Array(12), new Float64Array(4)];
  let [meetings, misses] = [0, 0];
  for (let n = 0; n < 4000; n++) {
    const start = Float64Array.from({ length: 12 }, () => random.uniform(-1, 1));
    const end = Float64Array.from({ length: 12 }, () => random.uniform(-1, 1));
    let nearest = Number.POSITIVE_INFINITY;
    for (let s = 0; s <= 400; s++) {
      for (let k = 0; k < 12; k++) x[k] = start[k] + (s / 400) * (end[k] - start[k]);
      nearest = Math.min(nearest, writeClosestSegmentSegment(x, weights));
    }
    const met = sweep.find(start, end);
    if (met) {
      meetings++;
      const { time, first, second } = sweep.hit;
      for (let k = 0; k < 12; k++) x[k] = start[k] + time * (end[k] - start[k]);
      for (let k = 0; k < 3; k++)
        expect(x[k] + first * (x[3 + k] - x[k])).toBeCloseTo(x[6 + k] + second * (x[9 + k] - x[6 + k]), 5);
      expect(Math.sqrt(nearest)).toBeLessThan(0.02);
    } else if (Math.sqrt(nearest) < 2e-5) misses++;
  }
  expect(meetings).toBeGreaterThan(500);
  expect(misses).toBe(0);
});

test('segments that pass at a distance do not meet, and one that stands still is met', () => {
  const sweep = new SegmentSweep();
  const still = [-1, 0, 0, 1, 0, 0];
  const across = (y: number, x: number) => Float64Array.from([...still, x, y, -1, x, y, 1]);
  expect(sweep.find(across(0.5, 0.2), across(-0.5, 0.4))).toBe(true);
  expect(sweep.hit.time).toBeCloseTo(0.5, 12);
  expect(sweep.hit.first).toBeCloseTo(0.65, 12);
  expect(sweep.hit.second).toBeCloseTo(0.5, 12);
  expect(sweep.find(across(0.5, 0.2), across(0.001, 0.4))).toBe(false);
  expect(sweep.find(across(0.5, 1.2), across(-0.5, 1.4))).toBe(false);
});
