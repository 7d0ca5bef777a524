/**
 * Angles, sines and cosines with the same bits on every JavaScript engine: Math.atan2, sin and cos are rounded differently
 * by different ones, +, ×, ÷ and √ are not.
 *     atan t = 2 atan(t / (1 + √(1 + t²))),  until t ≤ tan(π/16),  then the series t − t³/3 + t⁵/5 − …
 * Error: at most 6 units in the last place (against exact values: test/unit/elementary-exact.test.ts).
 */

/** 1/(2k + 1), the series' coefficients: 0.199²⁴ ≈ 1.5e-17 is what the first one left out adds. */
const COEFFICIENTS: readonly number[] = Array.from({ length: 13 }, (_, k) => 1 / (2 * k + 1));

/** θ in [0, π] with tan θ = sine/cosine; `sine` must not be negative. The arguments need not be normalised. */
export function computeAngle(sine: number, cosine: number): number {
  return cosine < 0 ? Math.PI - computeAcuteAngle(sine, -cosine) : computeAcuteAngle(sine, cosine);
}

/** θ in (−π, π] with tan θ = sine/cosine, as of Math.atan2; the arguments need not be normalised. */
export function computeSignedAngle(sine: number, cosine: number): number {
  return sine < 0 ? -computeAngle(-sine, cosine) : computeAngle(sine, cosine);
}

/** The first `count` angles in (−π, π] with these sines and cosines, which need not be normalised; `out` may be one of the arrays. */
export function writeAngles(sine: Float64Array, cosine: Float64Array, out: Float64Array, count: number): void {
  for (let k = 0; k < count; k++) {
    const acute = computeAcuteAngle(Math.abs(sine[k]), Math.abs(cosine[k]));
    const angle = cosine[k] < 0 ? Math.PI - acute : acute;
    out[k] = sine[k] < 0 ? -angle : angle;
  }
}

/** θ in [0, π/2]. */
function computeAcuteAngle(sine: number, cosine: number): number {
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

/** π/2 in three parts: the first two have 33 bits, so that whole multiples up to 2²⁰ of them are exact. */
const HALF_PI_HIGH = 1.5707963267341256;
const HALF_PI_MIDDLE = 6.077100506303966e-11;
const HALF_PI_LOW = 2.0222662487959506e-21;

/**
 * Sine and cosine: x = k π/2 + r with |r| ≤ π/4, then the series of sin r and cos r, which end after r¹⁷ and r¹⁸
 * (the next terms are below 1e-19). Error: at most 2.5 units in the last place for |x| ≤ 1e6, near zeros too: the most where two roundings of r ≥ ½ meet sin r < ½.
 */
export function computeSineCosine(x: number): readonly [number, number] {
  const k = Math.round(x / (Math.PI / 2));
  const r = x - k * HALF_PI_HIGH - k * HALF_PI_MIDDLE - k * HALF_PI_LOW;
  const square = r * r;
  let sine = 0;
  for (let n = 17; n >= 3; n -= 2) sine = (1 + sine) * (-square / (n * (n - 1)));
  sine = r + r * sine;
  let cosine = 0;
  for (let n = 18; n >= 2; n -= 2) cosine = (1 + cosine) * (-square / (n * (n - 1)));
  cosine += 1;
  switch (((k % 4) + 4) % 4) {
    case 0:
      return [sine, cosine];
    case 1:
      return [cosine, -sine];
    case 2:
      return [-sine, -cosine];
    default:
      return [-cosine, sine];
  }
}
