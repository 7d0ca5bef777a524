/**
 * When a heavy ribbon on edge, clamped at s = 0 and free at s = 1, turns sideways: with a width, unlike Kirchhoff's rod, as its end cannot warp at the clamp
 * [Vlasov 1940]. It is stiff in its plane. φ: its turn, M = w (1 − s)²/2: moment of its weight w, A, C: stiffness against bending sideways and twist,
 * Γ = A W²/12: against a change of twist along a ribbon of the width W:
 *     ½ ∫ Γ φ″² + C φ′² − (M²/A) φ² ds → least,    φ(0) = φ′(0) = 0
 * The least w² at which it is not positive, by second differences and inverse iteration; it shares nothing with the engine.
 */

/** Intervals along the ribbon. */
const INTERVALS = 800;

/** w at which it turns, for A = 1. */
export function findTurning(C: number, width: number): number {
  const h = 1 / INTERVALS;
  const gamma = (width * width) / 12;
  const n = INTERVALS;
  // K: diagonal and two bands above it, of φ at h, 2h … 1
  const [d0, d1, d2, load] = Array.from({ length: 4 }, () => new Float64Array(n));
  const add = (places: readonly number[], weights: readonly number[], scale: number): void => {
    for (const [a, i] of places.entries())
      for (const [b, j] of places.entries()) {
        if (i < 1 || j < i) continue;
        [d0, d1, d2][j - i][i - 1] += scale * weights[a] * weights[b];
      }
  };
  for (let k = 0; k < n; k++) add([k, k + 1], [-1, 1], C / h);
  // φ′(0) = 0: the point before the clamp is that behind it
  add([0, 1], [-2, 2], gamma / (2 * h ** 3));
  for (let k = 1; k < n; k++) add([k - 1, k, k + 1], [1, -2, 1], gamma / h ** 3);
  for (let k = 1; k <= n; k++) load[k - 1] = h * ((1 - k * h) ** 2 / 2) ** 2;
  factorise(d0, d1, d2);
  let phi = new Float64Array(n).fill(1);
  let value = 0;
  for (let m = 0; m < 60; m++) {
    const right = phi.map((one, k) => load[k] * one);
    solve(d0, d1, d2, right);
    const norm = Math.sqrt(right.reduce((sum, one, k) => sum + load[k] * one * one, 0));
    value = 1 / norm;
    phi = right.map((one) => one / norm);
  }
  return Math.sqrt(value);
}

/** LDLᵀ of a matrix of two bands, in its place. */
function factorise(d0: Float64Array, d1: Float64Array, d2: Float64Array): void {
  for (let k = 0; k < d0.length; k++) {
    if (k >= 1) d0[k] -= d1[k - 1] ** 2 * d0[k - 1];
    if (k >= 2) d0[k] -= d2[k - 2] ** 2 * d0[k - 2];
    if (k >= 1) d1[k] -= d1[k - 1] * d2[k - 1] * d0[k - 1];
    d1[k] /= d0[k];
    d2[k] /= d0[k];
  }
}

function solve(d0: Float64Array, d1: Float64Array, d2: Float64Array, x: Float64Array): void {
  const n = x.length;
  for (let k = 0; k < n; k++) {
    if (k + 1 < n) x[k + 1] -= d1[k] * x[k];
    if (k + 2 < n) x[k + 2] -= d2[k] * x[k];
  }
  for (let k = 0; k < n; k++) x[k] /= d0[k];
  for (let k = n - 1; k >= 0; k--) {
    if (k + 1 < n) x[k] -= d1[k] * x[k + 1];
    if (k + 2 < n) x[k] -= d2[k] * x[k + 2];
  }
}
