/**
 * Membrane of a triangle: co-rotated linear elasticity, orthotropic.                              [Piddington 2017, Eq. 4.14]
 *
 *     F = R S     polar decomposition of the 3 × 2 deformation gradient; R has orthonormal columns, S is symmetric
 *     ψ = ½ εᵀ C ε,  ε = (S₁₁ − 1, S₂₂ − 1, 2 S₁₂)   [J/m²]         isotropic: μ ‖F − R‖² + ½ λ tr²(S − I), as printed
 *
 * The thesis projects F to the plane of the triangle first; S is the same. With A = Rᵀ dF, b = nᵀ dF, ω = (A₂₁ − A₁₂)/tr S:
 *     dS₁₁ = A₁₁ + ω S₁₂,  dS₂₂ = A₂₂ − ω S₁₂,  2 dS₁₂ = A₁₂ + A₂₁ + ω (S₂₂ − S₁₁)
 *     P = R ⎡T₁₁      T₁₂ − g⎤    T = C ε,   g = (S₁₂ (T₁₁ − T₂₂) + T₁₂ (S₂₂ − S₁₁))/tr S    (0 where T and S commute)
 *           ⎣T₁₂ + g  T₂₂    ⎦
 * The rotation is not held fixed in P, only in part in the stiffness:
 *     K = dεᵀ C dε + 2 bᵀ Z⁺ b + 2 ω² (Z⁺ : S²),   S Z + Z S = T,   Z⁺ its positive part
 * which is positive semi-definite, exact without stress, exact out of the plane in tension, and else right but for terms of the
 * order of stress over C. Damping of the stiffness is the gradient of ½ β ε̇ᵀ C ε̇ and has the first part alone: tension, which the others
 * have, answers to a turn.
 */
import type { SheetMaterial } from './material.ts';

/** Energy, stress and stiffness of one triangle; belongs to one loop, never shared between worlds. */
export class Membrane {
  /** ψ [J/m²]. */
  psi = 0;
  /** P = ∂ψ/∂F, 3 × 2, row-major [N/m]. */
  readonly P = new Float64Array(6);
  /** S₁₁, S₂₂, S₁₂. */
  readonly S = new Float64Array(3);
  /** T₁₁, T₂₂, T₁₂ [N/m]. */
  readonly T = new Float64Array(3);
  /** Columns R₁, R₂ and the normal n. */
  readonly R = new Float64Array(9);
  /** How much of what tension does goes into the stiffness [1]. */
  tensionShare = 1;
  /** Quadratic form of dF in the basis (A₁₁, A₁₂, A₂₁, A₂₂), upper triangle by rows: 10 numbers. */
  readonly inPlane = new Float64Array(10);
  /** 2 Z⁺: 11, 12, 22; and as it acts on b. */
  readonly tension = new Float64Array(3);
  readonly outOfPlane = new Float64Array(3);
  readonly #block = new Float64Array(5);

  /** Reads F (3 × 2, row-major): fills everything but the stiffness. */
  setGradient(F: Float64Array, material: SheetMaterial): void {
    const { R, S, T, P } = this;
    const [c11, c22, c12, c33] = material.membrane;
    const f00 = F[0];
    const f01 = F[1];
    const f10 = F[2];
    const f11 = F[3];
    const f20 = F[4];
    const f21 = F[5];
    const a = f00 * f00 + f10 * f10 + f20 * f20;
    const b = f01 * f01 + f11 * f11 + f21 * f21;
    const c = f00 * f01 + f10 * f11 + f20 * f21;
    // √ of the metric: S = (FᵀF + d I)/t, d = det S, t = tr S
    const nx = f10 * f21 - f20 * f11;
    const ny = f20 * f01 - f00 * f21;
    const nz = f00 * f11 - f10 * f01;
    const d = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const t = Math.sqrt(a + b + 2 * d);
    const s1 = (a + d) / t;
    const s2 = (b + d) / t;
    const s3 = c / t;
    S[0] = s1;
    S[1] = s2;
    S[2] = s3;
    const id = 1 / d;
    R[0] = (f00 * s2 - f01 * s3) * id;
    R[1] = (f10 * s2 - f11 * s3) * id;
    R[2] = (f20 * s2 - f21 * s3) * id;
    R[3] = (f01 * s1 - f00 * s3) * id;
    R[4] = (f11 * s1 - f10 * s3) * id;
    R[5] = (f21 * s1 - f20 * s3) * id;
    R[6] = nx * id;
    R[7] = ny * id;
    R[8] = nz * id;
    const e1 = s1 - 1;
    const e2 = s2 - 1;
    const e3 = 2 * s3;
    const t1 = c11 * e1 + c12 * e2;
    const t2 = c12 * e1 + c22 * e2;
    const t3 = c33 * e3;
    T[0] = t1;
    T[1] = t2;
    T[2] = t3;
    this.psi = 0.5 * (t1 * e1 + t2 * e2 + t3 * e3);
    const g = (s3 * (t1 - t2) + t3 * (s2 - s1)) / t;
    for (let k = 0; k < 3; k++) {
      P[2 * k] = R[k] * t1 + R[3 + k] * (t3 + g);
      P[2 * k + 1] = R[k] * (t3 - g) + R[3 + k] * t2;
    }
  }

  /** Fills 2 Z⁺, after `setGradient`. */
  setTension(): void {
    const { S, T } = this;
    const s1 = S[0];
    const s2 = S[1];
    const s3 = S[2];
    const it = 1 / (s1 + s2);
    const d = s1 * s2 - s3 * s3;
    // Z = (T + d S⁻¹ T S⁻¹)/(2 tr S)
    const u11 = s2 * T[0] - s3 * T[2];
    const u12 = s2 * T[2] - s3 * T[1];
    const u21 = s1 * T[2] - s3 * T[0];
    const u22 = s1 * T[1] - s3 * T[2];
    const id = 1 / d;
    const z1 = T[0] + id * (u11 * s2 - u12 * s3);
    const z2 = T[1] + id * (u22 * s1 - u21 * s3);
    const z3 = T[2] + id * (u12 * s1 - u11 * s3);
    // through the array: numbers handed on would be allocated on the heap
    const { tension } = this;
    tension[0] = z1 * it;
    tension[1] = z3 * it;
    tension[2] = z2 * it;
    this.#keepPositivePart();
  }

  /** Fills the stiffness with this share of tension, after `setGradient` and a `setTension`, which may be of another gradient. */
  setStiffness(material: SheetMaterial): void {
    const { S, inPlane, outOfPlane, tension } = this;
    for (let k = 0; k < 3; k++) outOfPlane[k] = this.tensionShare * tension[k];
    const [c11, c22, c12, c33] = material.membrane;
    const s1 = S[0];
    const s2 = S[1];
    const s3 = S[2];
    const it = 1 / (s1 + s2);
    const sigma = s3 * it;
    const tau = (s2 - s1) * it;
    const turn =
      it *
      it *
      (outOfPlane[0] * (s1 * s1 + s3 * s3) + outOfPlane[2] * (s2 * s2 + s3 * s3) + 2 * outOfPlane[1] * s3 * (s1 + s2));
    // rows of dε over (A₁₁, A₁₂, A₂₁, A₂₂): (1, −σ, σ, 0), (0, σ, −σ, 1), (0, 1 − τ, 1 + τ, 0)
    const p = 1 - tau;
    const q = 1 + tau;
    const skew = sigma * sigma * (c11 + c22 - 2 * c12);
    inPlane[0] = c11;
    inPlane[1] = sigma * (c12 - c11);
    inPlane[2] = -inPlane[1];
    inPlane[3] = c12;
    inPlane[4] = skew + c33 * p * p + turn;
    inPlane[5] = c33 * p * q - skew - turn;
    inPlane[6] = sigma * (c22 - c12);
    inPlane[7] = skew + c33 * q * q + turn;
    inPlane[8] = -inPlane[6];
    inPlane[9] = c22;
  }

  /** Leaves of the symmetric matrix in `tension` its positive part. */
  #keepPositivePart(): void {
    const { tension } = this;
    const mean = 0.5 * (tension[0] + tension[2]);
    const half = 0.5 * (tension[0] - tension[2]);
    const across = tension[1];
    const radius = Math.sqrt(half * half + across * across);
    const high = mean + radius;
    if (mean - radius >= 0) return;
    if (high <= 0) {
      tension.fill(0);
      return;
    }
    // high · v vᵀ, v vᵀ = ½ (I + (Z − mean I)/radius)
    const share = (0.5 * high) / radius;
    tension[0] = share * (radius + half);
    tension[1] = share * across;
    tension[2] = share * (radius - half);
  }

  /** out = scales[0] P + scales[1] K dF (3 × 2): what the nodes' gradients are multiplied by for the pull on them. */
  writePull(dF: Float64Array, scales: Float64Array, out: Float64Array): void {
    const { inPlane: k, outOfPlane: z, R, P } = this;
    const force = scales[0];
    const rate = scales[1];
    const a11 = R[0] * dF[0] + R[1] * dF[2] + R[2] * dF[4];
    const a12 = R[0] * dF[1] + R[1] * dF[3] + R[2] * dF[5];
    const a21 = R[3] * dF[0] + R[4] * dF[2] + R[5] * dF[4];
    const a22 = R[3] * dF[1] + R[4] * dF[3] + R[5] * dF[5];
    const b1 = R[6] * dF[0] + R[7] * dF[2] + R[8] * dF[4];
    const b2 = R[6] * dF[1] + R[7] * dF[3] + R[8] * dF[5];
    const q11 = rate * (k[0] * a11 + k[1] * a12 + k[2] * a21 + k[3] * a22);
    const q12 = rate * (k[1] * a11 + k[4] * a12 + k[5] * a21 + k[6] * a22);
    const q21 = rate * (k[2] * a11 + k[5] * a12 + k[7] * a21 + k[8] * a22);
    const q22 = rate * (k[3] * a11 + k[6] * a12 + k[8] * a21 + k[9] * a22);
    const o1 = rate * (z[0] * b1 + z[1] * b2);
    const o2 = rate * (z[1] * b1 + z[2] * b2);
    for (let i = 0; i < 3; i++) {
      out[2 * i] = force * P[2 * i] + R[i] * q11 + R[3 + i] * q21 + R[6 + i] * o1;
      out[2 * i + 1] = force * P[2 * i + 1] + R[i] * q12 + R[3 + i] * q22 + R[6 + i] * o2;
    }
  }

  /**
   * Blocks of K, times scales[2], between two nodes q and r with their gradients at gq and gr: the upper half of K_qq by rows, K_rq by
   * rows, the upper half of K_rr; 6 + 9 + 6 numbers.
   */
  writeBlocks(gradients: Float64Array, gq: number, gr: number, scales: Float64Array, out: Float64Array): void {
    const { inPlane: k, outOfPlane: z } = this;
    const scale = scales[2];
    const qx = gradients[gq];
    const qy = gradients[gq + 1];
    const rx = gradients[gr];
    const ry = gradients[gr + 1];
    const block = this.#block;
    for (let n = 0; n < 3; n++) {
      const gx = n === 0 ? qx : rx;
      const gy = n === 0 ? qy : ry;
      const hx = n === 2 ? rx : qx;
      const hy = n === 2 ? ry : qy;
      const xx = scale * gx * hx;
      const xy = scale * gx * hy;
      const yx = scale * gy * hx;
      const yy = scale * gy * hy;
      block[0] = k[0] * xx + k[1] * (xy + yx) + k[4] * yy;
      block[1] = k[2] * xx + k[3] * xy + k[5] * yx + k[6] * yy;
      block[2] = k[2] * xx + k[5] * xy + k[3] * yx + k[6] * yy;
      block[3] = k[7] * xx + k[8] * (xy + yx) + k[9] * yy;
      block[4] = z[0] * xx + z[1] * (xy + yx) + z[2] * yy;
      if (n === 1) this.#writeFull(out, 6);
      else this.#writeHalf(out, n === 0 ? 0 : 15);
    }
  }

  /** The block with the parts a, b, c, d in the plane and e out of it, in `#block`, as 3 × 3: [R₁ R₂] ⎡a b; c d⎤ [R₁ R₂]ᵀ + e n nᵀ. */
  #writeFull(out: Float64Array, at: number): void {
    const { R } = this;
    const block = this.#block;
    const a = block[0];
    const b = block[1];
    const c = block[2];
    const d = block[3];
    const e = block[4];
    for (let i = 0; i < 3; i++) {
      const left = R[i] * a + R[3 + i] * c;
      const right = R[i] * b + R[3 + i] * d;
      const across = R[6 + i] * e;
      out[at + 3 * i] = left * R[0] + right * R[3] + across * R[6];
      out[at + 3 * i + 1] = left * R[1] + right * R[4] + across * R[7];
      out[at + 3 * i + 2] = left * R[2] + right * R[5] + across * R[8];
    }
  }

  /** The same where b = c: its upper half. */
  #writeHalf(out: Float64Array, at: number): void {
    const { R } = this;
    const block = this.#block;
    const a = block[0];
    const b = block[1];
    const d = block[3];
    const e = block[4];
    const left0 = R[0] * a + R[3] * b;
    const right0 = R[0] * b + R[3] * d;
    const across0 = R[6] * e;
    const left1 = R[1] * a + R[4] * b;
    const right1 = R[1] * b + R[4] * d;
    const across1 = R[7] * e;
    out[at] = left0 * R[0] + right0 * R[3] + across0 * R[6];
    out[at + 1] = left0 * R[1] + right0 * R[4] + across0 * R[7];
    out[at + 2] = left0 * R[2] + right0 * R[5] + across0 * R[8];
    out[at + 3] = left1 * R[1] + right1 * R[4] + across1 * R[7];
    out[at + 4] = left1 * R[2] + right1 * R[5] + across1 * R[8];
    out[at + 5] = (R[2] * a + R[5] * b) * R[2] + (R[2] * b + R[5] * d) * R[5] + R[8] * e * R[8];
  }
}
