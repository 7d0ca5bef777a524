/** Tests of random families: with the seeds 0, 1, … in `npm test`, with fresh seeds in `npm run test:all`. */
import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { computeLimit, type Family, runFamily } from './families.ts';

/** The first of the fresh seeds of a test file: HEDDLE_SEED, or drawn and printed. */
export function drawSeed(): number {
  const given = process.env.HEDDLE_SEED;
  const seed = given === undefined ? randomInt(2 ** 31) : Number(given);
  if (!Number.isInteger(seed) || seed < 0)
    throw new Error(`HEDDLE_SEED is "${given}"; give a whole number, 0 or more.`);
  console.log(`HEDDLE_SEED=${seed} repeats the random scenes of this run.`);
  return seed;
}

const listSeeds = (first: number, count: number): number[] => Array.from({ length: count }, (_, n) => first + n);

/** Runs the seeds 0 … n − 1: they fail nothing but what is known of them, by the promise, and that they do fail. */
export function testFixed(family: Family, n: number, known: Readonly<Record<string, readonly number[]>> = {}): void {
  const title = `${family.name} keep every promise with the seeds 0 to ${n - 1}`;
  const exception = Object.keys(known).length === 0 ? '' : ', but for failures that are known';
  test(`${title}${exception}`, () => {
    const failures = runFamily(family, listSeeds(0, n));
    for (const [promise, faults] of Object.entries(failures))
      expect(Object.keys(faults).map(Number), `${promise}: ${JSON.stringify(faults)}`).toEqual(known[promise] ?? []);
  });
}

/** Runs n scenes with fresh seeds: no hard check fails, and the others no more often than their survey explains. */
export function testFresh(family: Family, n: number, first: number): void {
  test(`${family.name} fail a promise no more often than the survey explains, with ${n} fresh seeds`, () => {
    const failures = runFamily(family, listSeeds(first, n));
    for (const [promise, faults] of Object.entries(failures)) {
      const check = family.checks.find((one) => one.promise === promise);
      const limit = check === undefined ? 0 : computeLimit(check, n);
      const found = `${promise}: ${JSON.stringify(faults)}; HEDDLE_SEED=${first} repeats it`;
      expect(Object.keys(faults).length, found).toBeLessThanOrEqual(limit);
    }
  });
}
