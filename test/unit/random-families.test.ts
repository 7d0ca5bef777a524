/** How often fresh scenes of a random family may fail (`test/robustness/families.ts`). */
import { StepError } from 'heddle/model';
import { describe, expect, test } from 'vitest';
import {
  boundShare,
  type Check,
  computeLimit,
  computeNoticed,
  computeTail,
  type Family,
  NO_REFUSAL,
  runFamily,
} from '../robustness/families.ts';

const RARE: Check = { promise: 'the value is below 5', measure: 'value', most: 5, survey: [4, 100] };

describe('the limit of failures', () => {
  test('uses the tail of the binomial distribution', () => {
    // P(X > 0) = 1 − (1 − p)ⁿ; three coins
    expect(computeTail(20, 0.1, 0)).toBeCloseTo(1 - 0.9 ** 20, 12);
    expect(computeTail(3, 0.5, 1)).toBeCloseTo(0.5, 12);
    expect(computeTail(3, 0.5, 3)).toBe(0);
  });

  test('uses the highest share that explains the survey with a probability of 0.05', () => {
    // no failure: (1 − p)ⁿ = 0.05; one: (1 − p)ⁿ + n p (1 − p)ⁿ⁻¹ = 0.05
    expect(boundShare([0, 100])).toBeCloseTo(1 - 0.05 ** 0.01, 9);
    const p = boundShare([1, 50]);
    expect((1 - p) ** 50 + 50 * p * (1 - p) ** 49).toBeCloseTo(0.05, 9);
  });

  test('is passed less than once in a million runs, and one failure less would be too strict', () => {
    const [share, limit] = [boundShare([4, 100]), computeLimit(RARE, 80)];
    expect(computeTail(80, share, limit)).toBeLessThan(1e-6);
    expect(computeTail(80, share, limit - 1)).toBeGreaterThan(1e-6);
    expect(computeLimit({ ...RARE, survey: undefined }, 80)).toBe(0);
  });

  test('leaves a share that is noticed in nine runs of ten', () => {
    const noticed = computeNoticed(RARE, 80);
    expect(computeTail(80, noticed, computeLimit(RARE, 80))).toBeCloseTo(0.9, 9);
    expect(noticed).toBeGreaterThan(boundShare([4, 100]));
  });
});

test('a run of a family tells failures of each promise by their seeds, refused steps and errors apart', () => {
  const family: Family = {
    name: 'numbers',
    checks: [RARE, { ...NO_REFUSAL, survey: [1, 100] }],
    measure: (seed) => {
      if (seed === 2) throw new StepError('it is 2', { time: 0, step: 1, object: 'rope', stage: 'advance' });
      if (seed === 3) throw new TypeError('it is 3');
      return { value: seed === 4 ? Number.NaN : seed };
    },
  };
  const failures = runFamily(family, [1, 2, 3, 4, 5, 6]);
  expect(Object.keys(failures[RARE.promise])).toEqual(['4', '6']);
  expect(Object.keys(failures[NO_REFUSAL.promise])).toEqual(['2']);
  expect(failures['no error is thrown']).toEqual({ 3: 'it is 3' });
});
