import { computeExp, computeLog, createRandom } from 'heddle/math';
import { expect, test } from 'vitest';

test('the exponential equals that of Math to 2 units in the last place, over all numbers', () => {
  const random = createRandom(3);
  let worst = 0;
  for (let n = 0; n < 200_000; n++) {
    const x = n % 2 === 0 ? random.uniform(-3, 3) : random.uniform(-700, 700);
    const expected = Math.exp(x);
    worst = Math.max(worst, Math.abs(computeExp(x) - expected) / (expected * Number.EPSILON));
  }
  expect(worst).toBeLessThan(2);
  expect(computeExp(0)).toBe(1);
  expect(computeExp(-1000)).toBe(0);
  expect(computeExp(1000)).toBe(Number.POSITIVE_INFINITY);
  expect(computeExp(709.7)).toBeLessThan(Number.POSITIVE_INFINITY);
  expect(computeExp(Number.NEGATIVE_INFINITY)).toBe(0);
  expect(computeExp(Number.NaN)).toBeNaN();
});

test('the logarithm equals that of Math to 2 units in the last place, near 1 and over all numbers', () => {
  const random = createRandom(4);
  let worst = 0;
  for (let n = 0; n < 200_000; n++) {
    const x =
      n % 3 === 0
        ? 1 + random.uniform(-1, 1) * 10 ** random.uniform(-14, -1)
        : n % 3 === 1
          ? random.uniform(0.01, 30)
          : 10 ** random.uniform(-307, 307);
    const expected = Math.log(x);
    if (expected === 0) continue;
    worst = Math.max(worst, Math.abs(computeLog(x) - expected) / (Math.abs(expected) * Number.EPSILON));
  }
  expect(worst).toBeLessThan(2);
  expect(computeLog(1)).toBe(0);
  expect(computeLog(0)).toBe(Number.NEGATIVE_INFINITY);
  expect(computeLog(-1)).toBeNaN();
  expect(computeLog(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
});
