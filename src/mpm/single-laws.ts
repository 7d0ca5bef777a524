/** Laws of groups as the kernels in single precision read them (`kernels/mpm.ts`, MPM_GROUP). */
import type { PointGroup } from './state.ts';

/** 0 where friction is exact. */
export const ruleOf = (group: PointGroup): number =>
  group.type === 'sand'
    ? Number(group.law.rule !== 'exact')
    : group.type === 'curve'
      ? Number(group.law.alongRule !== 'exact')
      : 0;

/** The law's numbers, as the kernels name them. */
export const numbersOf = (group: PointGroup): Record<string, number> => {
  if (group.type === 'fluid') {
    const { bulkModulus, exponent, viscosity } = group.law;
    return { stiffness: bulkModulus, shear: exponent, along: viscosity };
  }
  const { mu, lambda } = group.law;
  if (group.type === 'sand') return { mu, lambda, friction: group.law.friction };
  if (group.type === 'goo') return { mu, lambda, friction: group.law.flowStress, along: group.law.viscosity };
  if (group.type === 'surface') {
    const { normalStiffness, shearStiffness, friction, breakingStrain } = group.law;
    return { mu, lambda, stiffness: normalStiffness, shear: shearStiffness, friction, breaking: breakingStrain };
  }
  const { fibreStiffness, shearStiffness, acrossFriction, alongFriction, breakingStrain } = group.law;
  return {
    mu,
    lambda,
    stiffness: fibreStiffness,
    shear: shearStiffness,
    friction: acrossFriction,
    along: alongFriction,
    breaking: breakingStrain,
  };
};
