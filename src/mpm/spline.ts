/**
 * B-splines of degree 2 and 3 between particles and grid, with gradients.   [Jiang 2017, §4.2; Steffen 2008]
 *
 *     w(x) = N(x/Δx) N(y/Δx) N(z/Δx)      Σ wᵢ = 1,  Σ wᵢ (xᵢ − x) = 0,  Σ wᵢ (xᵢ − x)(xᵢ − x)ᵀ = Δx²/(6 − b) I   (b the degree)
 *
 * A particle reaches b + 1 nodes along each axis, from `base` on.
 *   quadratic   nodes   base         base + 1     base + 2           f = x/Δx − base in [½, 3/2)
 *   cubic       nodes   base … base + 3                              f = x/Δx − base − 1 in [0, 1)
 */

export type SplineDegree = 2 | 3;

/** Weights and their slopes along one axis; room for cubic ones. */
export const SPLINE_ROOM = 4;

/** Σ wᵢ (xᵢ − x)² along an axis, in units of Δx². */
export const computeSplineSpread = (degree: SplineDegree): number => 1 / (6 - degree);

/** Index of the first node that a particle at the coordinate X = x/Δx reaches. */
export const findSplineBase = (degree: SplineDegree, X: number): number =>
  degree === 2 ? Math.floor(X - 0.5) : Math.floor(X) - 1;

/** weights[at…] and slopes[at…] (per Δx) of the degree + 1 nodes from `base` on. */
export const writeSpline = (
  degree: SplineDegree,
  X: number,
  base: number,
  weights: Float64Array,
  slopes: Float64Array,
  at: number,
): void => {
  if (degree === 2) {
    const f = X - base;
    weights[at] = 0.5 * (1.5 - f) * (1.5 - f);
    weights[at + 1] = 0.75 - (f - 1) * (f - 1);
    weights[at + 2] = 0.5 * (f - 0.5) * (f - 0.5);
    slopes[at] = f - 1.5;
    slopes[at + 1] = 2 - 2 * f;
    slopes[at + 2] = f - 0.5;
    return;
  }
  const f = X - base - 1;
  const g = 1 - f;
  weights[at] = (g * g * g) / 6;
  weights[at + 1] = 2 / 3 + f * f * (0.5 * f - 1);
  weights[at + 2] = 2 / 3 + g * g * (0.5 * g - 1);
  weights[at + 3] = (f * f * f) / 6;
  slopes[at] = -0.5 * g * g;
  slopes[at + 1] = f * (1.5 * f - 2);
  slopes[at + 2] = g * (2 - 1.5 * g);
  slopes[at + 3] = 0.5 * f * f;
};
