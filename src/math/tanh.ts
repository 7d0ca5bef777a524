/**
 * Hyperbolic tangent with the same bits on every JavaScript engine, by +, × and ÷ alone:
 *     tanh 2x = 2 tanh x / (1 + tanh² x),  until |x| ≤ ¼,  then  tanh x = x/(1 + x²/(3 + x²/(5 + …)))          (Lambert)
 * Error: at most 3.5 units in the last place (against exact values: test/unit/elementary-exact.test.ts).
 */
export function computeTanh(x: number): number {
  if (x < 0) return -computeTanh(-x);
  if (x > 20) return 1;
  if (x > 0.25) {
    const t = computeTanh(x / 2);
    return (2 * t) / (1 + t * t);
  }
  let fraction = 15;
  for (let k = 13; k >= 1; k -= 2) fraction = k + (x * x) / fraction;
  return x / fraction;
}
