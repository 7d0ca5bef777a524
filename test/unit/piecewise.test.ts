import { PiecewiseLinear } from 'heddle/math';
import { expect, test } from 'vitest';

const ramp = new PiecewiseLinear([
  { time: 1, value: 2 },
  { time: 2, value: 4 },
  { time: 5, value: -2 },
]);

test('it is straight between its points and constant outside', () => {
  expect([0, 1, 1.5, 2, 4, 5, 9].map((time) => ramp.valueAt(time))).toEqual([2, 2, 3, 4, 0, -2, -2]);
  expect(new PiecewiseLinear(7).valueAt(-3)).toBe(7);
});

test('its mean is that of a fine sum, over any span', () => {
  for (const [from, to] of [
    [-1, 0.5],
    [0.3, 1.2],
    [1.1, 1.9],
    [0, 8],
    [4.5, 6],
    [6, 7],
  ]) {
    let sum = 0;
    for (let k = 0; k < 4000; k++) sum += ramp.valueAt(from + ((k + 0.5) / 4000) * (to - from)) / 4000;
    // the midpoint rule errs by h² f″/24 only in the cells that hold a corner
    expect(ramp.computeMean(from, to)).toBeCloseTo(sum, 5);
  }
  expect(ramp.computeMean(1.5, 1.5)).toBe(3);
});
