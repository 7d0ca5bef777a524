/**
 * Strain along elements:  curves ‖d₁‖ − 1;  surfaces the principal stretch s − 1 that is farther from 0, s² eigenvalues of [d₁ d₂]ᵀ[d₁ d₂].
 */
import type { PointGroup, Points } from './state.ts';
import { BROKEN } from './strength.ts';

/** Of one element of a surface or curve [1]. */
export const computeElementStrain = (points: Points, p: number, isSurface: boolean): number => {
  const { F } = points;
  const at = 9 * p;
  const aa = F[at] * F[at] + F[at + 3] * F[at + 3] + F[at + 6] * F[at + 6];
  if (!isSurface) return Math.sqrt(aa) - 1;
  const bb = F[at + 1] * F[at + 1] + F[at + 4] * F[at + 4] + F[at + 7] * F[at + 7];
  const ab = F[at] * F[at + 1] + F[at + 3] * F[at + 4] + F[at + 6] * F[at + 7];
  const mean = 0.5 * (aa + bb);
  const half = Math.sqrt(0.25 * (aa - bb) * (aa - bb) + ab * ab);
  const most = Math.sqrt(mean + half) - 1;
  const least = Math.sqrt(Math.max(0, mean - half)) - 1;
  return most > -least ? most : least;
};

/** Largest size of the strain of elements of a group that are not torn; 0 for bulk, which flows. */
export const computeLargestStrain = (points: Points, group: PointGroup): number => {
  if (group.type !== 'surface' && group.type !== 'curve') return 0;
  let largest = 0;
  // what is torn has none
  for (let p = group.first; p < group.first + group.count; p++)
    if (points.gain[p] !== BROKEN)
      largest = Math.max(largest, Math.abs(computeElementStrain(points, p, group.type === 'surface')));
  return largest;
};
