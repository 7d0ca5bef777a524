/**
 * Strengths of elements that tear: all alike, or spread after [Weibull 1951], as those of fibres are.
 *
 *     P(an element bears a strain s ε_b) = exp(−(Γ(1 + 1/m) s)^m)        mean of s 1, for any m
 *
 *   m    modulus [1]: 1 is the widest spread that is told apart; of glass fibres about 5, of ropes 20; s has a standard deviation of about 1.2/m
 *   ε_b  strain at which elements break in the mean [1]
 * A chain is as strong as its weakest link: n elements in a row bear ε_b n^(−1/m) in the mean, so that finer meshes are weaker.
 * Kept in `gain` of the particles as s − 1, in single precision, so that kernels and their twins break the same elements.
 */
import { computeExp, computeLog, createRandom } from '../math/index.ts';

/** `gain` of an element that carries nothing: no strength is left. */
export const BROKEN = -1;

/** Γ(1 + x), 0 ≤ x ≤ 1, to 3e-7: [Abramowitz 1964, 6.1.36]. */
const GAMMA = [
  1, -0.577191652, 0.988205891, -0.897056937, 0.918206857, -0.756704078, 0.482199394, -0.193527818, 0.035868343,
] as const;

export const computeWeibullMean = (modulus: number): number =>
  GAMMA.reduceRight((sum, factor) => sum / modulus + factor, 0);

/** Adds s − 1 of a part's elements to their `gain`; parts have strengths of their own by their index. */
export const addStrengths = (
  material: { readonly weibullModulus?: number | undefined; readonly breakingSeed?: number | undefined },
  index: number,
  gain: Float64Array,
): void => {
  const { weibullModulus: modulus, breakingSeed = 1 } = material;
  if (modulus === undefined) return;
  const random = createRandom(breakingSeed + index / 256);
  const mean = computeWeibullMean(modulus);
  for (let e = 0; e < gain.length; e++) {
    const share = -computeLog(1 - random.uniform());
    // a share of 0 would be broken from the start
    const strength = share > 0 ? computeExp(computeLog(share) / modulus) / mean : 0;
    gain[e] += Math.fround(Math.max(strength, 1e-3) - 1);
  }
};
