import { createRandom } from 'heddle/math';
import { expect, test } from 'vitest';

test('the same seed gives the same numbers and these are fixed for ever', () => {
  const a = createRandom(7);
  const b = createRandom(7);
  const numbers = Array.from({ length: 100 }, () => a.bits());
  expect(Array.from({ length: 100 }, () => b.bits())).toEqual(numbers);
  expect(numbers.slice(0, 3)).toEqual([3927258053, 3157351870, 1892440678]);
  expect(new Set(numbers).size).toBe(100);
  expect(createRandom(8).bits()).not.toBe(createRandom(7).bits());
  expect(createRandom(0.5).bits()).not.toBe(createRandom(0.25).bits());
  expect(createRandom(-0).bits()).toBe(createRandom(0).bits());
});

test('a saved state continues with the same numbers through JSON', () => {
  const random = createRandom(3);
  for (let i = 0; i < 10; i++) random.normal();
  const state = JSON.parse(JSON.stringify(random.save()));
  const expected = Array.from({ length: 20 }, () => [random.uniform(), random.normal(), random.direction()]);
  const other = createRandom(99);
  other.load(state);
  expect(Array.from({ length: 20 }, () => [other.uniform(), other.normal(), other.direction()])).toEqual(expected);
});

test('uniform numbers have mean 1/2, variance 1/12 and no serial correlation', () => {
  // Standard errors with n = 2e5: mean 6.5e-4, variance 1.7e-4, correlation 2.2e-3; five of them are allowed.
  const random = createRandom(11);
  const n = 200_000;
  let [sum, square, product, last] = [0, 0, 0, 0.5];
  let inside = true;
  for (let i = 0; i < n; i++) {
    const x = random.uniform();
    inside &&= x >= 0 && x < 1;
    sum += x;
    square += (x - 0.5) ** 2;
    product += (x - 0.5) * (last - 0.5);
    last = x;
  }
  expect(inside).toBe(true);
  expect(Math.abs(sum / n - 0.5)).toBeLessThan(3.3e-3);
  expect(Math.abs(square / n - 1 / 12)).toBeLessThan(8.5e-4);
  expect(Math.abs((12 * product) / n)).toBeLessThan(1.1e-2);
});

test('normal numbers have mean 0, variance 1 and kurtosis 3', () => {
  const random = createRandom(12);
  const n = 200_000;
  let [sum, square, fourth] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const x = random.normal();
    sum += x;
    square += x * x;
    fourth += x ** 4;
  }
  expect(Math.abs(sum / n)).toBeLessThan(5 / Math.sqrt(n));
  expect(Math.abs(square / n - 1)).toBeLessThan(5 * Math.sqrt(2 / n));
  expect(Math.abs(fourth / n - 3)).toBeLessThan(5 * Math.sqrt(96 / n));
});

test('directions are unit vectors without a preferred axis', () => {
  const random = createRandom(13);
  const n = 60_000;
  const square = [0, 0, 0];
  const mean = [0, 0, 0];
  let worst = 0;
  for (let i = 0; i < n; i++) {
    const d = random.direction();
    worst = Math.max(worst, Math.abs(Math.hypot(...d) - 1));
    for (let k = 0; k < 3; k++) {
      square[k] += d[k] ** 2;
      mean[k] += d[k];
    }
  }
  expect(worst).toBeLessThan(4e-15);
  for (let k = 0; k < 3; k++) {
    expect(Math.abs(square[k] / n - 1 / 3)).toBeLessThan(5 * Math.sqrt(4 / 45 / n));
    expect(Math.abs(mean[k] / n)).toBeLessThan(5 / Math.sqrt(3 * n));
  }
});

test('integers hit both ends equally often and refuse impossible ranges', () => {
  const random = createRandom(14);
  const counts = new Array(7).fill(0);
  for (let i = 0; i < 70_000; i++) counts[random.integer(-3, 3) + 3]++;
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(5 * 93);
  expect(() => random.integer(2, 1)).toThrow(RangeError);
  expect(() => random.integer(0.5, 1)).toThrow(RangeError);
  expect(() => createRandom(Number.NaN)).toThrow(RangeError);
});
