/**
 * All of vitest, with an `expect` that costs next to nothing where a number is as it should be. Vitest takes some ten microseconds for each `expect`,
 * which laws that look at every node in every step call by the hundred thousand: a sixth of the time of the unit tests. What does not hold, and every
 * other matcher, is left to vitest. `scripts/quick-expect.js` puts this in the place of vitest.
 */
import { expect as whole } from 'vitest';

export * from 'vitest';

class QuickAssertion {
  readonly value: unknown;
  readonly message: string | undefined;

  constructor(value: unknown, message: string | undefined) {
    this.value = value;
    this.message = message;
  }

  toBe(expected: unknown): void {
    if (!Object.is(this.value, expected)) whole(this.value, this.message).toBe(expected);
  }

  toBeLessThan(limit: number): void {
    if (!this.#isNumber(limit, (value) => value < limit)) whole(this.value, this.message).toBeLessThan(limit);
  }

  toBeLessThanOrEqual(limit: number): void {
    if (!this.#isNumber(limit, (value) => value <= limit)) whole(this.value, this.message).toBeLessThanOrEqual(limit);
  }

  toBeGreaterThan(limit: number): void {
    if (!this.#isNumber(limit, (value) => value > limit)) whole(this.value, this.message).toBeGreaterThan(limit);
  }

  toBeGreaterThanOrEqual(limit: number): void {
    if (!this.#isNumber(limit, (value) => value >= limit))
      whole(this.value, this.message).toBeGreaterThanOrEqual(limit);
  }

  toBeCloseTo(expected: number, digits = 2): void {
    if (!this.#isNumber(expected, (value) => Math.abs(expected - value) < 10 ** -digits / 2))
      whole(this.value, this.message).toBeCloseTo(expected, digits);
  }

  /** Whether two numbers are compared, and that holds. */
  #isNumber(other: unknown, holds: (value: number) => boolean): boolean {
    return typeof this.value === 'number' && typeof other === 'number' && holds(this.value);
  }
}

/** Names that vitest's assertions have and the quick one has not: they lead to one of vitest. */
for (let from: object = whole(0); from !== Object.prototype; from = Object.getPrototypeOf(from))
  for (const name of Reflect.ownKeys(from)) {
    if (name in QuickAssertion.prototype) continue;
    Object.defineProperty(QuickAssertion.prototype, name, {
      get(this: QuickAssertion) {
        const assertion = whole(this.value, this.message);
        const found: unknown = Reflect.get(assertion, name);
        return typeof found === 'function' ? (...given: unknown[]) => Reflect.apply(found, assertion, given) : found;
      },
    });
  }

export const expect: typeof whole = Object.setPrototypeOf(
  (value: unknown, message?: string) => new QuickAssertion(value, message),
  whole,
);
