/**
 * The laws of `heddle validate`: each at one of its parameters, on the coarsest of its resolutions on which it holds there, and then with each stiffness that
 * it depends on wrong by a tenth. The command itself measures all parameters at all resolutions; docs/internals/validation.md is what it says.
 */
import { LAWS, type Law, type LawRunOptions, runLaw } from 'heddle/validate';
import { expect, test } from 'vitest';

/** What takes more than a third of a second and other tests measure as well: strand-edge, rod-friction, rod-adaptive, rod-whip, rod-knots, sheet-table, fabric-drape, mpm-friction, mpm-step. */
const LONG: readonly string[] = [
  'strand-edge',
  'rod-slope',
  'rod-capstan',
  'rod-equidistribution',
  'rod-adaptive',
  'rod-whip',
  'rod-knot',
  'sheet-edge',
  'sheet-symmetry',
  'fabric-symmetry',
  'mpm-fall',
  'mpm-slope',
  'mpm-slide',
  'mpm-repose',
];

/** The first parameter shows every stiffness, but a close coil spring only twists. */
const PARAMETERS: ReadonlyMap<string, number> = new Map([['rod-spring', 0.6]]);

/** One parameter, one resolution: the coarsest that passes; undefined where none does. */
function findSetting(law: Law): LawRunOptions | undefined {
  const parameters = [PARAMETERS.get(law.name) ?? law.parameters[0]];
  const resolutions = law.resolution?.values ?? [0];
  return resolutions
    .map((resolution) => ({ parameters, resolutions: [resolution] }))
    .find((options) => runLaw(law, options).passes);
}

for (const law of LAWS.filter(({ name }) => !LONG.includes(name))) {
  const { name, title, stiffnesses } = law;
  const fault = stiffnesses.length === 0 ? '' : `; not with ${stiffnesses.join(' or ')} wrong by 1.1`;
  test(`${name}: ${title}${fault}`, () => {
    const setting = findSetting(law);
    expect(setting).toBeDefined();
    for (const stiffness of stiffnesses)
      expect(runLaw(law, { ...setting, faults: { [stiffness]: 1.1 } }).passes, stiffness).toBe(false);
  });
}
