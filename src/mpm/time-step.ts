/**
 * How long a step may be.   [Jiang 2017, Table 2; theory/mpm#time-step]
 *
 *     sound       h ≤ ½ Δx/c,  c² the largest of  surfaces (λ + 2μ)/ρ, γ/ρ, 2 k (1 − r₃₃)/ρ;  curves k/ρ, (λ + 2μ)/ρ, γ/ρ;  sand, goo (λ + 2μ)/ρ;  fluids κ J¹⁻ⁿ/ρ
 *     viscosity   h ≤ Δx² ρ/(10 η)
 *     motion      no particle moves more than 0.3 Δx
 * The last one knows the forces: with vᵢ + h aᵢ at every node, h |vᵢ| + h² |aᵢ| ≤ 0.3 Δx. A node of little mass moves particles little, by its share w ≤ mᵢ/m,
 * and is held to that alone: several such nodes may add a few thousandths.
 */
import type { BlockGrid } from './grid.ts';
import { BLOCK_NODES } from './grid.ts';
import type { PointGroup, Points } from './state.ts';
import { BROKEN } from './strength.ts';

export const SOUND_NUMBER = 0.5;
export const MOTION_NUMBER = 0.3;
const VISCOUS_NUMBER = 0.1;

/** The largest step that elasticity and viscosity allow [s]; Infinity where there is neither. */
export const computeSoundStep = (points: Points, spacing: number): number => {
  let step = Number.POSITIVE_INFINITY;
  for (const group of points.groups)
    step = Math.min(step, computeGroupStep(group, computeLeast(points, group), spacing));
  return step;
};

/** What is smallest in a group, at most 1: J of a fluid, r₃₃ of a surface. */
const computeLeast = (points: Points, group: PointGroup): number => {
  if (group.type === 'surface') return computeFlattest(points, group);
  let least = 1;
  if (group.type === 'fluid')
    for (let p = group.first; p < group.first + group.count; p++) least = Math.min(least, points.F[9 * p]);
  return least;
};

/** The largest step of one group [s]; `least` as `computeLeast` has it. */
export const computeGroupStep = (group: PointGroup, least: number, spacing: number): number => {
  if (group.count === 0) return Number.POSITIVE_INFINITY;
  const { density } = group.material;
  const modulus = computeModulus(group, least);
  let step = Number.POSITIVE_INFINITY;
  if (modulus > 0) step = SOUND_NUMBER * spacing * Math.sqrt(density / modulus);
  if (group.type === 'fluid' && group.law.viscosity > 0) {
    step = Math.min(step, (VISCOUS_NUMBER * spacing * spacing * density) / group.law.viscosity);
  }
  return step;
};

/** ρ c² of a group as it is now [Pa]. */
const computeModulus = (group: PointGroup, least: number): number => {
  if (group.type === 'fluid') {
    let modulus = group.law.bulkModulus;
    for (let k = 1; k < group.law.exponent; k++) modulus /= least;
    return modulus;
  }
  const { mu, lambda } = group.law;
  const bulk = lambda + 2 * mu;
  if (group.type === 'sand' || group.type === 'goo') return bulk;
  if (group.type === 'curve') return Math.max(bulk, group.law.fibreStiffness, group.law.shearStiffness);
  return Math.max(bulk, group.law.shearStiffness, 2 * group.law.normalStiffness * (1 - least));
};

/** The smallest r₃₃ = d₃ · (d₁ × d₂)/‖d₁ × d₂‖ of a surface, at most 1. */
const computeFlattest = (points: Points, group: PointGroup): number => {
  const { F } = points;
  let least = 1;
  for (let p = group.first; p < group.first + group.count; p++) {
    if (points.gain[p] === BROKEN) continue;
    const at = 9 * p;
    const x = F[at + 3] * F[at + 7] - F[at + 6] * F[at + 4];
    const y = F[at + 6] * F[at + 1] - F[at] * F[at + 7];
    const z = F[at] * F[at + 4] - F[at + 3] * F[at + 1];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length > 0) least = Math.min(least, (x * F[at + 2] + y * F[at + 5] + z * F[at + 8]) / length);
  }
  return least;
};

/**
 * The largest step in which no particle moves more than 0.3 Δx [s]. Nodes hold mass, velocity and force.
 *   lightest   smallest mass of a particle [kg]
 *   hasForces  whether the step takes the forces as they are now; an implicit one does not
 */
export const computeMotionStep = (
  grid: BlockGrid,
  gravity: readonly [number, number, number],
  lightest: number,
  hasForces: boolean,
): number => {
  const { node, force } = grid;
  const reach = MOTION_NUMBER * grid.spacing;
  let step = Number.POSITIVE_INFINITY;
  for (let at = 0; at < 4 * BLOCK_NODES * grid.blockCount; at += 4) {
    const m = node[at];
    if (!(m > 0)) continue;
    const share = Math.min(1, m / lightest);
    const ax = (hasForces ? force[at] / m : 0) + gravity[0];
    const ay = (hasForces ? force[at + 1] / m : 0) + gravity[1];
    const az = (hasForces ? force[at + 2] / m : 0) + gravity[2];
    const a = share * Math.sqrt(ax * ax + ay * ay + az * az);
    const speed =
      share * Math.sqrt(node[at + 1] * node[at + 1] + node[at + 2] * node[at + 2] + node[at + 3] * node[at + 3]);
    // a h² + v h = reach, in the form that does not cancel
    const root = speed + Math.sqrt(speed * speed + 4 * a * reach);
    if (root > 0) step = Math.min(step, (2 * reach) / root);
  }
  return step;
};
