/**
 * Bending and twist between the frames of two segments that meet at a node [Wen 2020, Eq. 7].
 *
 *     p = q_a* q_b = (v, w)        τ = 4 v/(1 + w) = 4 tan(φ/4) n        κ = τ/l        V = ½ l (κ − κ̄)ᵀ K (κ − κ̄)
 *
 *   φ n  turn from frame a to frame b, in the axes of both     l  half of the material length of both segments [m]
 *   κ    bend about d₁ and d₂, twist about d₃ [1/m]            κ̄  natural strain       K = diag(EI₁, EI₂, GJ)
 *
 * The paper's strain is 2 sin(φ/2) n (printed four times too large, [theory/rod#energies]): its moment falls again beyond a right angle, so that a
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
  /** l; numbers that calls pass would be allocated. */
  readonly #length = new Float64Array(1);

  /** Strain, moment, energy and gradient between the frames at a and b of q, over the material length l. */
  set(q: Float64Array, a: number, b: number, l: number): void {
    this.#length[0] = l;
    this.#set(q, a, b);
  }

  /** The same at inner node i of a chain with the coordinates x: over half of the material of both its segments. */
  setAt(q: Float64Array, i: number, x: Float64Array): void {
    this.#length[0] = 0.5 * (x[4 * i + 7] - x[4 * i - 1]);
    this.#set(q, 4 * i - 4, 4 * i);
  }

  #set(q: Float64Array, a: number, b: number): void {
    const l = this.#length[0];
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
    const e0 = strain[0] - natural[0];
    const e1 = strain[1] - natural[1];
    const e2 = strain[2] - natural[2];
    const n0 = K[0] * e0 + D[0] * (strain[0] - base[0]);
    const n1 = K[1] * e1 + D[1] * (strain[1] - base[1]);
    const n2 = K[2] * e2 + D[2] * (strain[2] - base[2]);
    N[0] = n0;
    N[1] = n1;
    N[2] = n2;
    const energy = K[0] * e0 * e0 + K[1] * e1 * e1 + K[2] * e2 * e2;
    const rate =
      K[0] * (strain[0] * strain[0] - natural[0] * natural[0]) +
      K[1] * (strain[1] * strain[1] - natural[1] * natural[1]) +
      K[2] * (strain[2] * strain[2] - natural[2] * natural[2]);
    this.energy = 0.5 * l * energy;
    const diagonal = 1 - (m0 * m0 + m1 * m1 + m2 * m2);
    const B0 = diagonal + 2 * m0 * m0;
    const B1 = 2 * (m0 * m1 - m2);
    const B2 = 2 * (m0 * m2 + m1);
    const B3 = 2 * (m0 * m1 + m2);
    const B4 = diagonal + 2 * m1 * m1;
    const B5 = 2 * (m1 * m2 - m0);
    const B6 = 2 * (m0 * m2 - m1);
    const B7 = 2 * (m1 * m2 + m0);
    const B8 = diagonal + 2 * m2 * m2;
    B[0] = B0;
    B[1] = B1;
    B[2] = B2;
    B[3] = B3;
    B[4] = B4;
    B[5] = B5;
    B[6] = B6;
    B[7] = B7;
    B[8] = B8;
    gradient[0] = -(B0 * n0 + B1 * n1 + B2 * n2);
    gradient[1] = -(B3 * n0 + B4 * n1 + B5 * n2);
    gradient[2] = -(B6 * n0 + B7 * n1 + B8 * n2);
    gradient[3] = B0 * n0 + B3 * n1 + B6 * n2;
    gradient[4] = B1 * n0 + B4 * n1 + B7 * n2;
    gradient[5] = B2 * n0 + B5 * n1 + B8 * n2;
    gradient[6] = -0.5 * rate;
  }

  /** Writes ∂²V/∂l∂δ_a, ∂²V/∂l∂δ_b and ∂²V/∂l² for what `set` last saw, damping left out: with Bᵀ K B/l they are positive semi-definite. */
  writeLengthStiffness(out: Float64Array): void {
    const { K, strain } = this;
    const B = this.#B;
    const inv = 1 / this.#length[0];
    const y0 = K[0] * strain[0] * inv;
    const y1 = K[1] * strain[1] * inv;
    const y2 = K[2] * strain[2] * inv;
    for (let k = 0; k < 3; k++) {
      out[k] = B[3 * k] * y0 + B[3 * k + 1] * y1 + B[3 * k + 2] * y2;
      out[3 + k] = -(B[k] * y0 + B[3 + k] * y1 + B[6 + k] * y2);
    }
    out[6] = inv * (K[0] * strain[0] * strain[0] + K[1] * strain[1] * strain[1] + K[2] * strain[2] * strain[2]);
  }

  /** Writes m = τ/4 alone, to out[at…]: κ = 4 m/l. */
  writeQuarterTurn(q: Float64Array, a: number, b: number, out: Float64Array, at: number): void {
    this.#setTurn(q, a, b);
    const p = this.#v;
    const scale = 1 / (1 + p[3]);
    out[at] = p[0] * scale;
    out[at + 1] = p[1] * scale;
    out[at + 2] = p[2] * scale;
  }

  /** Gradient and stiffness of nothing, where there is no bend. */
  clear(): void {
    this.gradient.fill(0);
    this.aa.fill(0);
    this.ba.fill(0);
    this.bb.fill(0);
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
  setStiffness(isExact: boolean): void {
    const { aa, ba, bb, K, D } = this;
    const l = this.#length[0];
    const B = this.#B;
    const k0 = (K[0] + D[0]) / l;
    const k1 = (K[1] + D[1]) / l;
    const k2 = (K[2] + D[2]) / l;
    const B0 = B[0];
    const B1 = B[1];
    const B2 = B[2];
    const B3 = B[3];
    const B4 = B[4];
    const B5 = B[5];
    const B6 = B[6];
    const B7 = B[7];
    const B8 = B[8];
    const x0 = k0 * B0;
    const y0 = k1 * B3;
    const z0 = k2 * B6;
    const x1 = k0 * B1;
    const y1 = k1 * B4;
    const z1 = k2 * B7;
    const x2 = k0 * B2;
    const y2 = k1 * B5;
    const z2 = k2 * B8;
    const f0 = k0 * B0;
    const g0 = k1 * B1;
    const h0 = k2 * B2;
    const f1 = k0 * B3;
    const g1 = k1 * B4;
    const h1 = k2 * B5;
    const f2 = k0 * B6;
    const g2 = k1 * B7;
    const h2 = k2 * B8;
    bb[0] = x0 * B0 + y0 * B3 + z0 * B6;
    aa[0] = f0 * B0 + g0 * B1 + h0 * B2;
    bb[1] = bb[3] = x0 * B1 + y0 * B4 + z0 * B7;
    aa[1] = aa[3] = f0 * B3 + g0 * B4 + h0 * B5;
    bb[2] = bb[6] = x0 * B2 + y0 * B5 + z0 * B8;
    aa[2] = aa[6] = f0 * B6 + g0 * B7 + h0 * B8;
    bb[4] = x1 * B1 + y1 * B4 + z1 * B7;
    aa[4] = f1 * B3 + g1 * B4 + h1 * B5;
    bb[5] = bb[7] = x1 * B2 + y1 * B5 + z1 * B8;
    aa[5] = aa[7] = f1 * B6 + g1 * B7 + h1 * B8;
    bb[8] = x2 * B2 + y2 * B5 + z2 * B8;
    aa[8] = f2 * B6 + g2 * B7 + h2 * B8;
    // column a: −Bᵀ, whose s-th column is the s-th row of −B
    ba[0] = -(x0 * B0 + y0 * B1 + z0 * B2);
    ba[1] = -(x0 * B3 + y0 * B4 + z0 * B5);
    ba[2] = -(x0 * B6 + y0 * B7 + z0 * B8);
    ba[3] = -(x1 * B0 + y1 * B1 + z1 * B2);
    ba[4] = -(x1 * B3 + y1 * B4 + z1 * B5);
    ba[5] = -(x1 * B6 + y1 * B7 + z1 * B8);
    ba[6] = -(x2 * B0 + y2 * B1 + z2 * B2);
    ba[7] = -(x2 * B3 + y2 * B4 + z2 * B5);
    ba[8] = -(x2 * B6 + y2 * B7 + z2 * B8);
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
    const cube = (2 * S) / (d * d * d);
    const same = -0.25 * S * one + 0.25 * S * w * two;
    const half = 0.5 * two;
    const v0 = v[0];
    const v1 = v[1];
    const v2 = v[2];
    const a0 = half * first[0];
    const a1 = half * first[1];
    const a2 = half * first[2];
    const b0 = half * first[3];
    const b1 = half * first[4];
    const b2 = half * first[5];
    const p0 = cube * v0;
    const p1 = cube * v1;
    const p2 = cube * v2;
    aa[0] += p0 * v0 - 2 * a0 * v0 + same;
    bb[0] += p0 * v0 + 2 * b0 * v0 + same;
    const aa01 = p0 * v1 - a0 * v1 - v0 * a1;
    const bb01 = p0 * v1 + b0 * v1 + v0 * b1;
    aa[1] += aa01;
    aa[3] += aa01;
    bb[1] += bb01;
    bb[3] += bb01;
    const aa02 = p0 * v2 - a0 * v2 - v0 * a2;
    const bb02 = p0 * v2 + b0 * v2 + v0 * b2;
    aa[2] += aa02;
    aa[6] += aa02;
    bb[2] += bb02;
    bb[6] += bb02;
    aa[4] += p1 * v1 - 2 * a1 * v1 + same;
    bb[4] += p1 * v1 + 2 * b1 * v1 + same;
    const aa12 = p1 * v2 - a1 * v2 - v1 * a2;
    const bb12 = p1 * v2 + b1 * v2 + v1 * b2;
    aa[5] += aa12;
    aa[7] += aa12;
    bb[5] += bb12;
    bb[7] += bb12;
    aa[8] += p2 * v2 - 2 * a2 * v2 + same;
    bb[8] += p2 * v2 + 2 * b2 * v2 + same;
    const quarter = 0.25 * one;
    const n0 = quarter * N[0];
    const n1 = quarter * N[1];
    const n2 = quarter * N[2];
    // − ¼ S/d and − S d_ab/d² of the diagonal, and the two cross products together
    const level = -quarter * S - 0.25 * S * two * w;
    const cross0 = w * n0 - 0.25 * S * two * v0;
    const cross1 = w * n1 - 0.25 * S * two * v1;
    const cross2 = w * n2 - 0.25 * S * two * v2;
    ba[0] += n0 * v0 + v0 * n0 - b0 * v0 + v0 * a0 - p0 * v0 + level;
    ba[1] += n0 * v1 + v0 * n1 - b0 * v1 + v0 * a1 - p0 * v1 + cross2;
    ba[2] += n0 * v2 + v0 * n2 - b0 * v2 + v0 * a2 - p0 * v2 - cross1;
    ba[3] += n1 * v0 + v1 * n0 - b1 * v0 + v1 * a0 - p1 * v0 - cross2;
    ba[4] += n1 * v1 + v1 * n1 - b1 * v1 + v1 * a1 - p1 * v1 + level;
    ba[5] += n1 * v2 + v1 * n2 - b1 * v2 + v1 * a2 - p1 * v2 + cross0;
    ba[6] += n2 * v0 + v2 * n0 - b2 * v0 + v2 * a0 - p2 * v0 + cross1;
    ba[7] += n2 * v1 + v2 * n1 - b2 * v1 + v2 * a1 - p2 * v1 - cross0;
    ba[8] += n2 * v2 + v2 * n2 - b2 * v2 + v2 * a2 - p2 * v2 + level;
  }
}
