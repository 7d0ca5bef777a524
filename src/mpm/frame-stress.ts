/**
 * Stress through QR: from an energy of the triangular factor to forces on the deformed material frame.   [Jiang 2017, §3.3]
 *
 *     d = [d₁ d₂ d₃] = Q R,  ψ(d) = ψ̂(R),  ∂ψ/∂d = Q X,
 *     X = A R⁻ᵀ,  A = T(K) + T(K)ᵀ − D(K),  K = (∂ψ̂/∂R) Rᵀ      (T upper triangle with the diagonal, D diagonal)
 *
 *   d  deformed material directions [1], columns;  Q proper rotation;  R upper triangular, r₁₁, r₂₂ ≥ 0, r₃₃ signed
 *   p  ∂ψ̂/∂R [Pa], its upper triangle;  all matrices row-major, nine numbers; symbols r₁₂ … are entries of R
 *
 * Written out, the upper triangle of X is ∂ψ̂/∂R itself, and the lower one follows from the symmetry of A with r₁₁ and r₂₂ as the only divisors. So nothing is
 * divided by r₃₃, which is 0 where a sheet is pressed flat (the paper inverts R).
 */

/** Smallest divisor: a tangent that short has no direction. */
const TINY = 1e-12;

/** out := ∂ψ/∂d = Q X. */
export const writeFrameStress = (q: Float64Array, r: Float64Array, p: Float64Array, out: Float64Array): void => {
  const r11 = Math.max(r[0], TINY);
  const r22 = Math.max(r[4], TINY);
  const x21 = (p[1] * r[4] + p[2] * r[5] - p[4] * r[1] - p[5] * r[2]) / r11;
  const x32 = (p[5] * r[8] - p[8] * r[5]) / r22;
  const x31 = (p[2] * r[8] - x32 * r[1] - p[8] * r[2]) / r11;
  for (let row = 0; row < 9; row += 3) {
    const a = q[row];
    const b = q[row + 1];
    const c = q[row + 2];
    out[row] = a * p[0] + b * x21 + c * x31;
    out[row + 1] = a * p[1] + b * p[4] + c * x32;
    out[row + 2] = a * p[2] + b * p[5] + c * p[8];
  }
};

/**
 * How Q and R change with d:  δd = Q (Ω R + δR),  Ω = L − Lᵀ,  L strictly lower.
 * spin := l₂₁, l₃₁, l₃₂;  dr := δR, upper triangular.
 */
export const writeFrameDifferential = (
  q: Float64Array,
  r: Float64Array,
  dd: Float64Array,
  spin: Float64Array,
  dr: Float64Array,
): void => {
  const r11 = Math.max(r[0], TINY);
  const r22 = Math.max(r[4], TINY);
  // M = Qᵀ δd
  const m11 = q[0] * dd[0] + q[3] * dd[3] + q[6] * dd[6];
  const m21 = q[1] * dd[0] + q[4] * dd[3] + q[7] * dd[6];
  const m31 = q[2] * dd[0] + q[5] * dd[3] + q[8] * dd[6];
  const m12 = q[0] * dd[1] + q[3] * dd[4] + q[6] * dd[7];
  const m22 = q[1] * dd[1] + q[4] * dd[4] + q[7] * dd[7];
  const m32 = q[2] * dd[1] + q[5] * dd[4] + q[8] * dd[7];
  const m13 = q[0] * dd[2] + q[3] * dd[5] + q[6] * dd[8];
  const m23 = q[1] * dd[2] + q[4] * dd[5] + q[7] * dd[8];
  const m33 = q[2] * dd[2] + q[5] * dd[5] + q[8] * dd[8];
  const l21 = m21 / r11;
  const l31 = m31 / r11;
  const l32 = (m32 - l31 * r[1]) / r22;
  spin[0] = l21;
  spin[1] = l31;
  spin[2] = l32;
  dr[0] = m11;
  dr[1] = m12 + l21 * r[4];
  dr[2] = m13 + l21 * r[5] + l31 * r[8];
  dr[3] = 0;
  dr[4] = m22 - l21 * r[1];
  dr[5] = m23 - l21 * r[2] + l32 * r[8];
  dr[6] = 0;
  dr[7] = 0;
  dr[8] = m33 - l31 * r[2] - l32 * r[5];
};

/** out := δ(∂ψ/∂d) = Q (Ω X + δX) for δR and Ω of `writeFrameDifferential` and dp = ∂²ψ̂ : δR. */
export const writeFrameStressDifferential = (
  q: Float64Array,
  r: Float64Array,
  p: Float64Array,
  spin: Float64Array,
  dr: Float64Array,
  dp: Float64Array,
  out: Float64Array,
): void => {
  const r11 = Math.max(r[0], TINY);
  const r22 = Math.max(r[4], TINY);
  const x21 = (p[1] * r[4] + p[2] * r[5] - p[4] * r[1] - p[5] * r[2]) / r11;
  const x32 = (p[5] * r[8] - p[8] * r[5]) / r22;
  const x31 = (p[2] * r[8] - x32 * r[1] - p[8] * r[2]) / r11;
  const n21 = dp[1] * r[4] + dp[2] * r[5] - dp[4] * r[1] - dp[5] * r[2];
  const dx21 = (n21 + p[1] * dr[4] + p[2] * dr[5] - p[4] * dr[1] - p[5] * dr[2] - x21 * dr[0]) / r11;
  const dx32 = (dp[5] * r[8] - dp[8] * r[5] + p[5] * dr[8] - p[8] * dr[5] - x32 * dr[4]) / r22;
  const n31 = dp[2] * r[8] - dx32 * r[1] - dp[8] * r[2];
  const dx31 = (n31 + p[2] * dr[8] - x32 * dr[1] - p[8] * dr[2] - x31 * dr[0]) / r11;
  const l21 = spin[0];
  const l31 = spin[1];
  const l32 = spin[2];
  const y11 = dp[0] - l21 * x21 - l31 * x31;
  const y12 = dp[1] - l21 * p[4] - l31 * x32;
  const y13 = dp[2] - l21 * p[5] - l31 * p[8];
  const y21 = dx21 + l21 * p[0] - l32 * x31;
  const y22 = dp[4] + l21 * p[1] - l32 * x32;
  const y23 = dp[5] + l21 * p[2] - l32 * p[8];
  const y31 = dx31 + l31 * p[0] + l32 * x21;
  const y32 = dx32 + l31 * p[1] + l32 * p[4];
  const y33 = dp[8] + l31 * p[2] + l32 * p[5];
  for (let row = 0; row < 9; row += 3) {
    const a = q[row];
    const b = q[row + 1];
    const c = q[row + 2];
    out[row] = a * y11 + b * y21 + c * y31;
    out[row + 1] = a * y12 + b * y22 + c * y32;
    out[row + 2] = a * y13 + b * y23 + c * y33;
  }
};
