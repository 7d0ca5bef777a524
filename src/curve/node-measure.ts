/** What contacts measure at a node of a curve: material about it, and F = Δx/Δu. */
import type { CurveChain } from './chain.ts';

/** Largest 1/cos² of half a turn: of sharper ones the curve is caught anyway. */
const SHARPEST = 100;

/** Mass of the curve about node i [kg]. */
export function computeNodeMass(chain: CurveChain, i: number): number {
  return 0.5 * chain.material.linearDensity * computeNodeSpan(chain, i);
}

/** Material length of both segments of node i together [m]. */
export function computeNodeSpan({ q, count, closed, ownCount }: CurveChain, i: number): number {
  let span = q[4 * Math.min(count - 1, i + 1) + 3] - q[4 * Math.max(0, i - 1) + 3];
  if (closed && i === 0) span += q[4 * ownCount + 3] - q[4 * ownCount - 1];
  if (closed && i === count - 1) span += q[7] - q[3];
  return span;
}

/** F at node i into out[0…2]: the mean of both segments; at a sharp turn over cos² of half of it. */
export function writeNodeGradient(
  { q, count, closed, ownCount }: CurveChain,
  i: number,
  isSharp: boolean,
  out: Float64Array,
): void {
  out.fill(0);
  let [sides, squares] = [0, 0];
  for (let side = -1; side <= 0; side++) {
    let a = i + side;
    if (closed && a < 0) a = ownCount - 1;
    if (closed && a >= count - 1) a = 0;
    if (a < 0 || a >= count - 1) continue;
    const du = q[4 * a + 7] - q[4 * a + 3];
    for (let k = 0; k < 3; k++) {
      const F = (q[4 * a + 4 + k] - q[4 * a + k]) / du;
      out[k] += F;
      squares += F * F;
    }
    sides++;
  }
  const square = (out[0] ** 2 + out[1] ** 2 + out[2] ** 2) / sides ** 2;
  const sharpness = isSharp ? Math.min(SHARPEST, squares / sides / square) : 1;
  for (let k = 0; k < 3; k++) out[k] *= sharpness / sides;
}
