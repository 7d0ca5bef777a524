/**
 * Exponential, logarithms and cube root with the same bits on every JavaScript engine, by +, × and ÷ alone (Math.exp and Math.log are rounded
 * differently by different ones):
 *     exp x = 2^k exp r,      x = k ln 2 + r,  |r| ≤ ½ ln 2,          exp r by its series
 *     ln x  = k ln 2 + ln m,  x = 2^k m,  1/√2 < m ≤ √2,              ln m = 2 (t + t³/3 + t⁵/5 + …),  t = (m − 1)/(m + 1)
 * Error: at most 1.2 units in the last place of the exponential, 2 of the logarithm, also near 1, 3.2 of that to base 2 (against exact values: test/unit/elementary-exact.test.ts).
 */

/** ln 2 in two parts: the first has 32 bits, so that whole multiples up to 2²⁰ of it are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** 2^k for a whole number k, by squaring. */
export const computePowerOfTwo = (k: number): number => {
  let result = 1;
  let factor = k < 0 ? 0.5 : 2;
  for (let n = Math.abs(k); n > 0; n = Math.floor(n / 2)) {
    if (n % 2 === 1) result *= factor;
    factor *= factor;
  }
  return result;
};

/** 1/n!, up to the last that counts: 0.347¹⁴/14! is below 5e-18. */
const FACTORIALS: readonly number[] = [
  1,
  1,
  1 / 2,
  1 / 6,
  1 / 24,
  1 / 120,
  1 / 720,
  1 / 5040,
  1 / 40320,
  1 / 362880,
  1 / 3628800,
  1 / 39916800,
  1 / 479001600,
  1 / 6227020800,
];

/** eˣ; 0 below −745, Infinity above 710. */
export function computeExp(x: number): number {
  if (!(x > -746)) return Number.isNaN(x) ? x : 0;
  if (x > 710) return Number.POSITIVE_INFINITY;
  const k = Math.round(x / Math.LN2);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 0;
  for (let n = FACTORIALS.length - 1; n >= 0; n--) sum = FACTORIALS[n] + r * sum;
  // in two steps: 2^k alone may be no number where the product is one
  const half = Math.floor(k / 2);
  return sum * computePowerOfTwo(half) * computePowerOfTwo(k - half);
}

/** ln x for x > 0; −Infinity at 0, NaN below. */
export function computeLog(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return x === 0 ? Number.NEGATIVE_INFINITY : x > 0 ? x : Number.NaN;
  let m = x;
  let k = 0;
  for (; m > 4294967296; k += 32) m /= 4294967296;
  for (; m < 1 / 4294967296; k -= 32) m *= 4294967296;
  for (; m > Math.SQRT2; k++) m *= 0.5;
  for (; m <= Math.SQRT1_2; k--) m *= 2;
  const t = (m - 1) / (m + 1);
  const square = t * t;
  // 0.0295¹²/25 is below 2e-20
  let sum = 0;
  for (let n = 23; n >= 3; n -= 2) sum = square * (1 / n + sum);
  return k * LN2_HIGH + (2 * t + (2 * t * sum + k * LN2_LOW));
}

/** x^y for x ≥ 0, error at most 2 (1 + |y ln x|) units in the last place; 0^y is 0 but for y = 0. */
export function computePower(x: number, y: number): number {
  return x === 0 ? (y === 0 ? 1 : 0) : computeExp(y * computeLog(x));
}

/** log₂ x for x > 0, exact for powers of two; −Infinity at 0, NaN below. */
export function computeLog2(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return computeLog(x);
  let m = x;
  let k = 0;
  for (; m > 4294967296; k += 32) m /= 4294967296;
  for (; m < 1 / 4294967296; k -= 32) m *= 4294967296;
  for (; m > Math.SQRT2; k++) m *= 0.5;
  for (; m <= Math.SQRT1_2; k--) m *= 2;
  return k + computeLog(m) / Math.LN2;
}

/** ∛x with the sign of x: x = 8^k m, 1 ≤ m < 8, and ∛m by Newton's iteration from the chord of ∛ there. Error: below one unit in the last place. */
export function computeCubeRoot(x: number): number {
  if (x < 0) return -computeCubeRoot(-x);
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x;
  let m = x;
  let scale = 1;
  for (; m >= 1073741824; scale *= 1024) m /= 1073741824;
  for (; m < 1 / 1073741824; scale /= 1024) m *= 1073741824;
  for (; m >= 8; scale *= 2) m *= 0.125;
  for (; m < 1; scale /= 2) m *= 8;
  let root = 1 + (m - 1) / 7;
  // at most 12 % off, squared five times: below 1e-17
  for (let n = 0; n < 5; n++) root += (m / (root * root) - root) / 3;
  return root * scale;
}
