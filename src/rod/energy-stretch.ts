/**
 * Stretch and shear of a segment: what couples its frame to its direction [Wen 2020, Eqs. 5 and 9, in one energy].
 *
 *     Γ = Rᵀ F − e₃ − σ,   F = Δx/Δu        V = ½ Δu Γᵀ C Γ,   C = diag(kGA, kGA, EA)
 *
 *   R  rotation of the unit quaternion q, columns d₁ d₂ d₃: d₃ is to be the tangent     Γ₁, Γ₂  shear     Γ₃  stretch
 *   σ  slack: strain without force, 0 but for a while after nodes came or went (`adapt.ts`)
 *
 * The paper has ½ k_s (|F| − 1)² and the penalty |F − d₃|²; together they stretch with k_s + penalty. Here each direction has its own,
 * real, stiffness; V is a quadratic in x and smooth at |Δx| = 0.
 *
 * With g = RᵀF, N = C Γ (the force in the axes of the frame), and the frame turned by δ in its own axes, R → R exp[δ]:
 *     ∂V/∂Δx = R N          ∂V/∂δ = Δu N × g          ∂V/∂Δu = ½ Γ·N − g·N
 *     K_xx = R C Rᵀ/Δu      K_xδ = R (C [g] − [N])     K_δδ = Δu ([g]ᵀ C [g] + ½ (N gᵀ + g Nᵀ) − (N·g) I)
 * The terms in N are exact and may be indefinite under pressure; without them the stiffness is positive semi-definite (`isExact` false).
 */

/** Result of the energy of one segment; belongs to one loop. */
export class StretchElement {
  /** V [J]. */
  energy = 0;
  /** g = RᵀF and N = C Γ, in the axes of the frame. */
  readonly g = new Float64Array(3);
  readonly N = new Float64Array(3);
  /** ∂V/∂Δx, ∂V/∂δ, ∂V/∂Δu. */
  readonly gradient = new Float64Array(7);
  /** K_xx, K_xδ (row x, column δ), K_δδ: 3 × 3 each, row by row. */
  readonly xx = new Float64Array(9);
  readonly xd = new Float64Array(9);
  readonly dd = new Float64Array(9);
  /** R, row by row. */
  readonly R = new Float64Array(9);
  /** C, and what damping makes of it: N = C Γ + D (Γ − Γ̂), its stiffness C + D. */
  readonly C = new Float64Array(3);
  readonly D = new Float64Array(3);
  /** σ */
  readonly slack = new Float64Array(3);
  /** Γ̂ + σ */
  readonly base = new Float64Array(3);
  /** Δu; numbers that calls pass would be allocated. */
  readonly #length = new Float64Array(1);

  /** Strain Γ, force N, energy and gradient of the segment between coordinates i and i + 4 of x with the frame at f of q. */
  set(x: Float64Array, i: number, q: Float64Array, f: number): void {
    const { R, g, N, C, D, slack, base, gradient } = this;
    writeRotation(q, f, R);
    const du = x[i + 7] - x[i + 3];
    this.#length[0] = du;
    const inv = 1 / du;
    const fx = (x[i + 4] - x[i]) * inv;
    const fy = (x[i + 5] - x[i + 1]) * inv;
    const fz = (x[i + 6] - x[i + 2]) * inv;
    const g0 = R[0] * fx + R[3] * fy + R[6] * fz;
    const g1 = R[1] * fx + R[4] * fy + R[7] * fz;
    const g2 = R[2] * fx + R[5] * fy + R[8] * fz;
    const s0 = g0 - slack[0];
    const s1 = g1 - slack[1];
    const s2 = g2 - 1 - slack[2];
    const e0 = C[0] * s0;
    const e1 = C[1] * s1;
    const e2 = C[2] * s2;
    this.energy = 0.5 * du * (e0 * s0 + e1 * s1 + e2 * s2);
    const n0 = e0 + D[0] * (g0 - base[0]);
    const n1 = e1 + D[1] * (g1 - base[1]);
    const n2 = e2 + D[2] * (g2 - 1 - base[2]);
    g[0] = g0;
    g[1] = g1;
    g[2] = g2;
    N[0] = n0;
    N[1] = n1;
    N[2] = n2;
    gradient[0] = R[0] * n0 + R[1] * n1 + R[2] * n2;
    gradient[1] = R[3] * n0 + R[4] * n1 + R[5] * n2;
    gradient[2] = R[6] * n0 + R[7] * n1 + R[8] * n2;
    gradient[3] = du * (n1 * g2 - n2 * g1);
    gradient[4] = du * (n2 * g0 - n0 * g2);
    gradient[5] = du * (n0 * g1 - n1 * g0);
    gradient[6] = 0.5 * (s0 * e0 + s1 * e1 + s2 * e2) - (g0 * n0 + g1 * n1 + g2 * n2);
  }

  /** Writes Γ alone, to out[at…]. */
  writeStrain(x: Float64Array, i: number, q: Float64Array, f: number, out: Float64Array, at: number): void {
    const { R } = this;
    writeRotation(q, f, R);
    const inv = 1 / (x[i + 7] - x[i + 3]);
    const fx = (x[i + 4] - x[i]) * inv;
    const fy = (x[i + 5] - x[i + 1]) * inv;
    const fz = (x[i + 6] - x[i + 2]) * inv;
    out[at] = R[0] * fx + R[3] * fy + R[6] * fz;
    out[at + 1] = R[1] * fx + R[4] * fy + R[7] * fz;
    out[at + 2] = R[2] * fx + R[5] * fy + R[8] * fz - 1;
  }

  /** −∂²V/∂Δu∂δ about axis r: (C g) × g, damping included. */
  computeTurnStiffness(r: number): number {
    const { g, C, D } = this;
    const [s, t] = [(r + 1) % 3, (r + 2) % 3];
    return (C[s] + D[s] - C[t] - D[t]) * g[s] * g[t];
  }

  /** Writes the stiffness for what `set` last saw. */
  setStiffness(isExact: boolean): void {
    const { R, g, N, C, D, xx, xd, dd } = this;
    const du = this.#length[0];
    const c0 = C[0] + D[0];
    const c1 = C[1] + D[1];
    const c2 = C[2] + D[2];
    const inv = 1 / du;
    const R0 = R[0];
    const R1 = R[1];
    const R2 = R[2];
    const R3 = R[3];
    const R4 = R[4];
    const R5 = R[5];
    const R6 = R[6];
    const R7 = R[7];
    const R8 = R[8];
    const p0 = R0 * c0 * inv;
    const q0 = R1 * c1 * inv;
    const s0 = R2 * c2 * inv;
    const p1 = R3 * c0 * inv;
    const q1 = R4 * c1 * inv;
    const s1 = R5 * c2 * inv;
    const p2 = R6 * c0 * inv;
    const q2 = R7 * c1 * inv;
    const s2 = R8 * c2 * inv;
    xx[0] = p0 * R0 + q0 * R1 + s0 * R2;
    xx[1] = xx[3] = p0 * R3 + q0 * R4 + s0 * R5;
    xx[2] = xx[6] = p0 * R6 + q0 * R7 + s0 * R8;
    xx[4] = p1 * R3 + q1 * R4 + s1 * R5;
    xx[5] = xx[7] = p1 * R6 + q1 * R7 + s1 * R8;
    xx[8] = p2 * R6 + q2 * R7 + s2 * R8;
    const g0 = g[0];
    const g1 = g[1];
    const g2 = g[2];
    // the force that counts: all of it, or a pull along g that shear is stiffer than
    const square = g0 * g0 + g1 * g1 + g2 * g2;
    const pull = Math.max(0, Math.min((N[0] * g0 + N[1] * g1 + N[2] * g2) / square, c0, c1));
    const n0 = isExact ? N[0] : pull * g0;
    const n1 = isExact ? N[1] : pull * g1;
    const n2 = isExact ? N[2] : pull * g2;
    // C [g] − [N], row by row
    const b01 = -c0 * g2 + n2;
    const b02 = c0 * g1 - n1;
    const b10 = c1 * g2 - n2;
    const b12 = -c1 * g0 + n0;
    const b20 = -c2 * g1 + n1;
    const b21 = c2 * g0 - n0;
    xd[0] = R1 * b10 + R2 * b20;
    xd[1] = R0 * b01 + R2 * b21;
    xd[2] = R0 * b02 + R1 * b12;
    xd[3] = R4 * b10 + R5 * b20;
    xd[4] = R3 * b01 + R5 * b21;
    xd[5] = R3 * b02 + R4 * b12;
    xd[6] = R7 * b10 + R8 * b20;
    xd[7] = R6 * b01 + R8 * b21;
    xd[8] = R6 * b02 + R7 * b12;
    const Ng = n0 * g0 + n1 * g1 + n2 * g2;
    dd[0] = du * (c1 * g2 * g2 + c2 * g1 * g1 + n0 * g0 - Ng);
    dd[4] = du * (c0 * g2 * g2 + c2 * g0 * g0 + n1 * g1 - Ng);
    dd[8] = du * (c0 * g1 * g1 + c1 * g0 * g0 + n2 * g2 - Ng);
    dd[1] = dd[3] = du * (-c2 * g0 * g1 + 0.5 * (n0 * g1 + n1 * g0));
    dd[2] = dd[6] = du * (-c1 * g0 * g2 + 0.5 * (n0 * g2 + n2 * g0));
    dd[5] = dd[7] = du * (-c0 * g1 * g2 + 0.5 * (n1 * g2 + n2 * g1));
  }
}

/** Rotation of the unit quaternion at f of q, row by row; its columns are d₁, d₂, d₃. */
export function writeRotation(q: Float64Array, f: number, R: Float64Array): void {
  const x = q[f];
  const y = q[f + 1];
  const z = q[f + 2];
  const w = q[f + 3];
  R[0] = 1 - 2 * (y * y + z * z);
  R[1] = 2 * (x * y - w * z);
  R[2] = 2 * (x * z + w * y);
  R[3] = 2 * (x * y + w * z);
  R[4] = 1 - 2 * (x * x + z * z);
  R[5] = 2 * (y * z - w * x);
  R[6] = 2 * (x * z - w * y);
  R[7] = 2 * (y * z + w * x);
  R[8] = 1 - 2 * (x * x + y * y);
}
