/** Elementary functions in fixed point of BigInts, far beyond the precision of doubles: what the package's own are compared with. Shares nothing with them. */

/** Bits behind the point. */
const BITS = 220n;
const ONE = 1n << BITS;

const multiply = (a: bigint, b: bigint): bigint => (a * b) >> BITS;
const divide = (a: bigint, b: bigint): bigint => (a << BITS) / b;
const abs = (a: bigint): bigint => (a < 0n ? -a : a);

/** A double, exactly: its mantissa and exponent. */
export function toFixedPoint(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const shift = BigInt(Math.max(exponent, 1) - 1075) + BITS;
  if (shift < 0n && mantissa % (1n << -shift) !== 0n)
    throw new Error(`${x} has more bits than ${BITS} behind the point`);
  const value = shift < 0n ? mantissa >> -shift : mantissa << shift;
  return bits >> 63n === 1n ? -value : value;
}

/** t + t³/3 + t⁵/5 + …, alternating for `sign` −1: artanh and arctan of |t| ≤ 1/2. */
function sumOdd(t: bigint, sign: 1n | -1n): bigint {
  const square = sign * multiply(t, t);
  let sum = 0n;
  for (let [power, n] = [t, 1n]; power !== 0n && power !== -1n; n += 2n) {
    sum += power / n;
    power = multiply(power, square);
  }
  return sum;
}

const LN2 = 2n * sumOdd(ONE / 3n, 1n);
/** Machin: π = 16 arctan 1/5 − 4 arctan 1/239. */
const PI = 16n * sumOdd(ONE / 5n, -1n) - 4n * sumOdd(ONE / 239n, -1n);

/** Whole part of √(a 2^BITS). */
function root(a: bigint): bigint {
  const target = a << BITS;
  if (target === 0n) return 0n;
  let x = 1n << BigInt((target.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + target / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

/** eˣ. */
export function exp(x: bigint): bigint {
  const k = x / LN2;
  const r = x - k * LN2;
  let sum = 0n;
  for (let [term, n] = [ONE, 1n]; term !== 0n && term !== -1n; n++) {
    sum += term;
    term = multiply(term, r) / n;
  }
  return k < 0n ? sum >> -k : sum << k;
}

/** ln x, x > 0. */
export function log(x: bigint): bigint {
  const length = BigInt(x.toString(2).length) - BITS;
  // m in [0.7, 1.4): near 1 nothing cancels
  const k = (length < 0n ? x << -length : x >> length) < (7n * ONE) / 10n ? length - 1n : length;
  const m = k < 0n ? x << -k : x >> k;
  const more = k < 0n ? 0n : x - (m << k);
  // what a shift to the right leaves out: ln(1 + ε) = ε
  return k * LN2 + 2n * sumOdd(divide(m - ONE, m + ONE), 1n) + (more === 0n ? 0n : divide(more, x));
}

export const log2 = (x: bigint): bigint => divide(log(x), LN2);

/** Sine and cosine. */
export function sineCosine(x: bigint): [bigint, bigint] {
  const half = PI / 2n;
  const k = (2n * abs(x) + half) / (2n * half);
  const r = abs(x) - k * half;
  let [sine, cosine] = [0n, 0n];
  for (let [term, n] = [ONE, 1n]; term !== 0n && term !== -1n; n++) {
    if (n % 2n === 1n) cosine += n % 4n === 1n ? term : -term;
    else sine += n % 4n === 2n ? term : -term;
    term = multiply(term, r) / n;
  }
  const turned: [bigint, bigint][] = [[sine, cosine], [cosine, -sine], [-sine, -cosine], [-cosine, sine]]; // biome-ignore format: four quarters
  const [s, c] = turned[Number(k % 4n)];
  return [x < 0n ? -s : s, c];
}

/** θ in (−π, π] with tan θ = sine/cosine. */
export function angle(sine: bigint, cosine: bigint): bigint {
  if (sine < 0n) return -angle(-sine, cosine);
  if (cosine < 0n) return PI - angle(sine, -cosine);
  let t = divide(sine, cosine + root(multiply(sine, sine) + multiply(cosine, cosine)));
  let factor = 2n;
  for (; 8n * t > ONE; factor *= 2n) t = divide(t, ONE + root(ONE + multiply(t, t)));
  return factor * sumOdd(t, -1n);
}

export function tanh(x: bigint): bigint {
  const square = exp(2n * x);
  return divide(square - ONE, square + ONE);
}

export const power = (x: bigint, y: bigint): bigint => exp(multiply(y, log(x)));

/** How far a double is from an exact value, in units in the last place of the exact value; `least`: of at least this number. */
export function countUnits(found: number, exact: bigint, least = 2 ** -1022): number {
  const top = Math.max(abs(exact).toString(2).length - 1 - Number(BITS), Math.floor(Math.log2(least)));
  const difference = abs(toFixedPoint(found) - exact);
  // in 2⁻²⁰ of a unit
  return Number((difference << 20n) >> (BITS + BigInt(top - 52))) / 2 ** 20;
}
