/**
 * Bending and twist between the frames of two segments that meet at a node (rh-adaptive-rod-2020, Eq. 7).
 *
 *     p = q_a* q_b = (v, w)        τ = 4 v/(1 + w) = 4 tan(φ/4) n        κ = τ/l        V = ½ l (κ − κ̄)ᵀ K (κ − κ̄)
 *
 *   φ n  turn from frame a to frame b, in the axes of both     l  half of the material length of both segments [m]
 *   κ    bend about d₁ and d₂, twist about d₃ [1/m]            κ̄  natural strain       K = diag(EI₁, EI₂, GJ)
 *
 * The paper's strain is 2 sin(φ/2) n (printed four times too large, methods §5): its moment falls again beyond a right angle, so that a
 * rod folds up where few segments turn a lot. 4 tan(φ/4) is monotone up to a full turn, as near to φ (φ³/48 instead of φ³/24), and rational.
 * q_b is flipped where q_a·q_b < 0: φ ≤ π.
 *
 * With m = v/(1 + w) = τ/4, frames turned by δ_a, δ_b in their own axes, and the moment N = K (κ − κ̄):
 *     ∂τ/∂δ_b = B = (1 − m²) I + 2 [m] + 2 m mᵀ,   ∂τ/∂δ_a = −Bᵀ        ∂V/∂δ_b = Bᵀ N,   ∂V/∂δ_a = −B N
 *     ∂V/∂l = −½ (κ·Kκ − κ̄·Kκ̄)
 * Stiffness: Bᵀ K B/l (positive semi-definite) and, exactly, the second derivatives of N·τ = 4 S/d, S = N·v, d = 1 + w:
 *     4 [S_xy/d − (S_x d_yᵀ + d_x S_yᵀ)/d² − S d_xy/d² + 2 S d_x d_yᵀ/d³]
 *     S_b = ½ (w N + N × v),  S_a = −½ (w N − N × v),  d_b = −½ v,  d_a = ½ v,  S_aa = S_bb = −¼ S I,  d_aa = d_bb = −¼ w I,
 *     S_ab = ¼ (N vᵀ + v Nᵀ − S I + w [N]),  d_ab = ¼ (w I + [v])                            rows a, columns b
 */
export class BendElement {
  energy = 0;
  /** κ */
  readonly strain = new Float64Array(3);
  /** N, damping included [N m]. */
  readonly N = new Float64Array(3);
  /** ∂V/∂δ_a, ∂V/∂δ_b, ∂V/∂l. */
  readonly gradient = new Float64Array(7);
  /** Rows by columns: aa, ba (row b, column a), bb; 3 × 3 each. */
  readonly aa = new Float64Array(9);
  readonly ba = new Float64Array(9);
  readonly bb = new Float64Array(9);
  /** K, κ̄; damping: N = K (κ − κ̄) + D (κ − κ̂). */
  readonly K = new Float64Array(3);
  readonly natural = new Float64Array(3);
  readonly D = new Float64Array(3);
  readonly base = new Float64Array(3);
  readonly #v = new Float64Array(4);
  readonly #B = new Float64Array(9);
  readonly #first = new Float64Array(6);

  /** Strain, moment, energy and gradient between the frames at a and b of q, over the material length l. */
  set(q: Float64Array, a: number, b: number, l: number): void {
    const { strain, N, K, D, natural, base, gradient } = this;
    const B = this.#B;
    const p = this.#v;
    this.#setTurn(q, a, b);
    const scale = 1 / (1 + p[3]);
    const m0 = p[0] * scale;
    const m1 = p[1] * scale;
    const m2 = p[2] * scale;
    const inv = 4 / l;
    strain[0] = m0 * inv;
    strain[1] = m1 * inv;
    strain[2] = m2 * inv;
    let energy = 0;
    let rate = 0;
    for (let k = 0; k < 3; k++) {
      const excess = strain[k] - natural[k];
      N[k] = K[k] * excess + D[k] * (strain[k] - base[k]);
      energy += K[k] * excess * excess;
      rate += K[k] * (strain[k] * strain[k] - natural[k] * natural[k]);
    }
    this.energy = 0.5 * l * energy;
    const diagonal = 1 - (m0 * m0 + m1 * m1 + m2 * m2);
    B[0] = diagonal + 2 * m0 * m0;
    B[1] = 2 * (m0 * m1 - m2);
    B[2] = 2 * (m0 * m2 + m1);
    B[3] = 2 * (m0 * m1 + m2);
    B[4] = diagonal + 2 * m1 * m1;
    B[5] = 2 * (m1 * m2 - m0);
    B[6] = 2 * (m0 * m2 - m1);
    B[7] = 2 * (m1 * m2 + m0);
    B[8] = diagonal + 2 * m2 * m2;
    for (let k = 0; k < 3; k++) {
      gradient[k] = -(B[3 * k] * N[0] + B[3 * k + 1] * N[1] + B[3 * k + 2] * N[2]);
      gradient[3 + k] = B[k] * N[0] + B[3 + k] * N[1] + B[6 + k] * N[2];
    }
    gradient[6] = -0.5 * rate;
  }

  /** p = q_a* q_b, its scalar part not negative. */
  #setTurn(q: Float64Array, a: number, b: number): void {
    const ax = -q[a];
    const ay = -q[a + 1];
    const az = -q[a + 2];
    const aw = q[a + 3];
    const bx = q[b];
    const by = q[b + 1];
    const bz = q[b + 2];
    const bw = q[b + 3];
    const w = aw * bw - ax * bx - ay * by - az * bz;
    const sign = w < 0 ? -1 : 1;
    const p = this.#v;
    p[0] = sign * (aw * bx + ax * bw + ay * bz - az * by);
    p[1] = sign * (aw * by - ax * bz + ay * bw + az * bx);
    p[2] = sign * (aw * bz + ax * by - ay * bx + az * bw);
    p[3] = sign * w;
  }

  /** Writes the stiffness for what `set` last saw. */
  setStiffness(l: number, isExact: boolean): void {
    const { aa, ba, bb, K, D } = this;
    const B = this.#B;
    const k0 = (K[0] + D[0]) / l;
    const k1 = (K[1] + D[1]) / l;
    const k2 = (K[2] + D[2]) / l;
    for (let r = 0; r < 3; r++) {
      const b0 = k0 * B[r];
      const b1 = k1 * B[3 + r];
      const b2 = k2 * B[6 + r];
      const a0 = k0 * B[3 * r];
      const a1 = k1 * B[3 * r + 1];
      const a2 = k2 * B[3 * r + 2];
      for (let s = 0; s < 3; s++) {
        bb[3 * r + s] = b0 * B[s] + b1 * B[3 + s] + b2 * B[6 + s];
        aa[3 * r + s] = a0 * B[3 * s] + a1 * B[3 * s + 1] + a2 * B[3 * s + 2];
        // column a: −Bᵀ, whose s-th column is the s-th row of −B
        ba[3 * r + s] = -(b0 * B[3 * s] + b1 * B[3 * s + 1] + b2 * B[3 * s + 2]);
      }
    }
    if (isExact) this.#addCurvature();
  }

  #addCurvature(): void {
    const { N, aa, ba, bb } = this;
    const v = this.#v;
    const w = v[3];
    const d = 1 + w;
    const S = N[0] * v[0] + N[1] * v[1] + N[2] * v[2];
    const first = this.#first;
    const c0 = N[1] * v[2] - N[2] * v[1];
    const c1 = N[2] * v[0] - N[0] * v[2];
    const c2 = N[0] * v[1] - N[1] * v[0];
    first[0] = -0.5 * (w * N[0] - c0);
    first[1] = -0.5 * (w * N[1] - c1);
    first[2] = -0.5 * (w * N[2] - c2);
    first[3] = 0.5 * (w * N[0] + c0);
    first[4] = 0.5 * (w * N[1] + c1);
    first[5] = 0.5 * (w * N[2] + c2);
    const one = 4 / d;
    const two = 4 / (d * d);
    const three = (8 * S) / (d * d * d);
    const same = -0.25 * S * one + 0.25 * S * w * two;
    for (let r = 0; r < 3; r++)
      for (let s = 0; s < 3; s++) {
        const at = 3 * r + s;
        const quad = 0.25 * three * v[r] * v[s];
        const diagonal = r === s ? same : 0;
        aa[at] += diagonal - 0.5 * two * (first[r] * v[s] + v[r] * first[s]) + quad;
        bb[at] += diagonal + 0.5 * two * (first[3 + r] * v[s] + v[r] * first[3 + s]) + quad;
        // row b = r, column a = s; [v] and [N] of row a, column b are transposed here
        const skew = r === s ? 0 : (s - r + 3) % 3 === 1 ? 1 : -1;
        const other = 3 - r - s;
        const crossN = skew * (r === s ? 0 : N[other]);
        const crossV = skew * (r === s ? 0 : v[other]);
        const second = 0.25 * (N[r] * v[s] + v[r] * N[s] + w * crossN - (r === s ? S : 0));
        const depth = 0.25 * (crossV + (r === s ? w : 0));
        ba[at] += one * second - two * (0.5 * first[3 + r] * v[s] - 0.5 * v[r] * first[s]) - S * two * depth - quad;
      }
  }
}
