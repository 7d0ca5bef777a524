/**
 * Lengths √(x² + y² + …) with the same bits on every JavaScript engine (Math.hypot may be rounded as an engine likes), by +, ×, ÷ and √ alone: relative
 * to the largest component, so that no square overflows or vanishes, and with what each sum rounds away carried on to the next (Kahan). In V8 they
 * are the bits of Math.hypot, several times faster.
 */

/** √(x² + y²). */
export function computeHypot2(x: number, y: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const most = Math.max(a, b);
  if (!(most > 0 && most < Number.POSITIVE_INFINITY)) return findLimit(a, b, 0, 0);
  const p = a / most;
  const q = b / most;
  return finish(p * p, q * q, most);
}

/** √(x² + y² + z²). */
export function computeHypot3(x: number, y: number, z: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const c = Math.abs(z);
  const most = Math.max(a, b, c);
  if (!(most > 0 && most < Number.POSITIVE_INFINITY)) return findLimit(a, b, c, 0);
  const p = a / most;
  const q = b / most;
  const r = c / most;
  const first = p * p;
  const second = q * q;
  const sum = first + second;
  return finish(sum, r * r - (sum - first - second), most);
}

/** Length of a vector of three numbers. */
export const computeLength = (v: ArrayLike<number>): number => computeHypot3(v[0], v[1], v[2]);

/** √(x² + y² + z² + w²). */
export function computeHypot4(x: number, y: number, z: number, w: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const c = Math.abs(z);
  const d = Math.abs(w);
  const most = Math.max(a, b, c, d);
  if (!(most > 0 && most < Number.POSITIVE_INFINITY)) return findLimit(a, b, c, d);
  const p = a / most;
  const q = b / most;
  const r = c / most;
  const s = d / most;
  const first = p * p;
  const second = q * q;
  const two = first + second;
  const third = r * r - (two - first - second);
  const three = two + third;
  return finish(three, s * s - (three - two - third), most);
}

const finish = (sum: number, last: number, most: number): number => Math.sqrt(sum + last) * most;

/** Of magnitudes whose largest is zero, infinite or no number: an infinite one counts beside one that is no number. */
function findLimit(a: number, b: number, c: number, d: number): number {
  const infinite = Number.POSITIVE_INFINITY;
  if (a === infinite || b === infinite || c === infinite || d === infinite) return infinite;
  return a + b + c + d;
}
