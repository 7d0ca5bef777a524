/** The quick `expect` of tests in Node (`quick-expect.ts`): it holds what vitest's own holds, and fails with its words. */
import { expect, test, vi } from 'vitest';

const read = (look: () => void): string => {
  try {
    look();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

test('numbers that are as they should be pass', () => {
  expect(1).toBe(1);
  expect(Number.NaN).toBe(Number.NaN);
  expect(1, 'with words').toBeLessThan(2);
  expect(2).toBeLessThanOrEqual(2);
  expect(3).toBeGreaterThan(2);
  expect(2).toBeGreaterThanOrEqual(2);
  expect(2.004).toBeCloseTo(2);
  expect(2.0004).toBeCloseTo(2, 3);
  expect(10n).toBeGreaterThan(9n);
});

test.each([
  [() => expect(1).toBe(2), 'expected 1 to be 2'],
  [() => expect(0).toBe(-0), 'expected +0 to be -0'],
  [() => expect(2, 'with words').toBeLessThan(2), 'with words: expected 2 to be less than 2'],
  [() => expect(3).toBeLessThanOrEqual(2), 'expected 3 to be less than or equal to 2'],
  [() => expect(2).toBeGreaterThan(2), 'expected 2 to be greater than 2'],
  [() => expect(1).toBeGreaterThanOrEqual(2), 'expected 1 to be greater than or equal to 2'],
  [() => expect(2.006).toBeCloseTo(2), 'expected 2.006 to be close to 2'],
  [() => expect(2.0006).toBeCloseTo(2, 3), 'expected 2.0006 to be close to 2'],
  [() => expect(Number.NaN).toBeLessThan(2), 'expected NaN to be less than 2'],
  [() => expect(Number.NaN).toBeGreaterThan(2), 'expected NaN to be greater than 2'],
  [() => expect(1).toBeLessThan(Number.NaN), 'expected 1 to be less than NaN'],
  [() => expect(Number.NaN).toBeCloseTo(1), 'expected NaN to be close to 1'],
  [() => expect('1' as unknown as number).toBeLessThan(2), 'actual value must be number or bigint'],
  [() => expect(undefined as unknown as number).toBeGreaterThan(2), 'actual value must be number or bigint'],
  [() => expect(1).not.toBe(1), 'expected 1 not to be 1'],
  [() => expect([1]).toEqual([2]), 'expected [ 1 ] to deeply equal [ 2 ]'],
])('what is not fails: %s', (look, words) => {
  expect(read(look)).toContain(words);
});

test('other matchers, promises and what hangs on expect are those of vitest', async () => {
  const listen = vi.fn();
  expect(listen).not.toHaveBeenCalled();
  listen(1);
  expect(listen).toHaveBeenCalledWith(1);
  expect({ a: 1, b: 2 }).toEqual(expect.objectContaining({ a: 1 }));
  expect(() => {
    throw new RangeError('far');
  }).toThrow('far');
  await expect(Promise.resolve(1)).resolves.toBe(1);
  await expect(Promise.reject(new Error('no'))).rejects.toThrow('no');
  await expect.poll(() => 1).toBe(1);
  expect(expect.getState().currentTestName).toContain('other matchers');
});
