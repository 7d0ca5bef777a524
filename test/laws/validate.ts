/**
 * The laws of `heddle validate` as tests: every parameter at every resolution, judged as the command judges them, and then with each stiffness that
 * a law depends on wrong by a tenth. docs/internals/validation.md is what the command prints.
 */
import { formatError, LAWS, type Law, type LawModel, type LawResult, runLaw } from 'heddle/validate';
import { expect, test } from 'vitest';

const FACTOR = 1.1;

/** What is wrong with a result, one line each. */
function listFaults({ rows, passes, order, leastOrder }: LawResult): string[] {
  const wrong = rows.filter((row) => !row.passes);
  const lines = wrong.map(
    ({ parameter, predicted, measured, errors, fault }) =>
      fault ?? `at ${parameter}: ${measured} instead of ${predicted}, off by ${formatError(errors[errors.length - 1])}`,
  );
  return passes || lines.length > 0 ? lines : [`converges with order ${order} instead of ${leastOrder}`];
}

/** The coarsest resolution at which every row passes: a fault is noticed there for the least time. Thresholds are measured at the finest alone. */
function findCoarsest(law: Law, { rows, tolerance }: LawResult): number {
  const resolutions = law.resolution?.values ?? [0];
  const isGood = (k: number) => law.kind === 'value' && rows.every(({ errors }) => errors[k] <= tolerance);
  return resolutions.find((_, k) => isGood(k)) ?? resolutions[resolutions.length - 1];
}

/** One test for each law of the models. */
export function testLaws(...models: readonly LawModel[]): void {
  for (const law of LAWS.filter(({ model }) => models.includes(model))) {
    const { name, title, stiffnesses } = law;
    const suffix = stiffnesses.length === 0 ? '' : `; a wrong ${stiffnesses.join(' or ')} is noticed`;
    test(`${name}: ${title}${suffix}`, () => {
      const result = runLaw(law);
      expect(listFaults(result)).toEqual([]);
      const resolutions = [findCoarsest(law, result)];
      for (const stiffness of stiffnesses) {
        const faulty = runLaw(law, { faults: { [stiffness]: FACTOR }, resolutions, endsAtFailure: true });
        expect(faulty.passes, `${name} with ${stiffness} × ${FACTOR}`).toBe(false);
      }
    });
  }
}
