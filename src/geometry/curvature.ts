/**
 * Curvature of a triangle from the dihedral angles of its three edges:  κ = Σ_k θ_k β_k,  κ = (κ₁₁, κ₂₂, 2κ₁₂) in material axes.
 *
 *              p₂────── 0 ──────p₁      vertices 0, 1, 2 at X; edge k is opposite to vertex k; p_k is the vertex across it
 *                ╲    ╱   ╲    ╱        G_k = ∇φ_k ⊗ ∇φ_k,  a_k = 1/|∇φ_k| altitude over edge k [m]
 *                  1 ────── 2           λ barycentric coordinates of p_k in the triangle
 *                     ╲  ╱
 *                      p₀
 * Heights over the triangle's plane that vanish at its vertices are spanned by φ_iφ_j, whose second derivatives are
 * G_k − G_i − G_j; so κ = Σ y_k G_k with y = N c, N = 2I − 1. Two estimates of y:
 *     the jump of the slope, shared by both sides of an edge (rotation-free triangle of Oñate and Zárate 2000):   y⁰_k = a_k θ_k
 *     the quadratic through all six vertices:  Q y = w,   w_k = a_k θ_k,   Q_k = (λ₁λ₂, λ₂λ₀, λ₀λ₁)(p_k) N⁻¹/|λ_k|
 * They agree on every regular lattice. The second fails where the six points lie near a conic, and is used as a damped correction
 * of the first:   y = y⁰ + (QᵀQ + ε²I)⁻¹ Qᵀ (w − Q y⁰),  ε = 0.15.
 * On other meshes neither is right alone. The jumps add up to the slopes at the border, whatever the mesh (patch test), but the
 * vertices of a cylinder have too much energy (1.1 – 2 times); the fit has the right energy there (0.97 – 1), but vertices leave
 * the cylinder for less: a heavy cantilever sinks by 19 – 24 % too far on alternating and jittered grids, and refining does not
 * help. Heddle mixes the energies,  ψ = ½ (1 − s) κᵀBκ (fit) + ½ s κᵀBκ (jumps),  s = ¾: the tip of the cantilever is right to 0.1 %
 * with one diagonal, 1 – 4 % on alternating and equilateral meshes, 2 – 7 % on jittered and 5 – 10 % on refined ones (tests:
 * sheet-cantilever). A border edge has
 * no θ: y⁰_k = 0, and its row says instead that the sheet does not bend across the border, nᵀκn = 0, n = ∇φ_k/|∇φ_k|.
 *
 * θ depends on x alone; β on X alone. The rates of the energy with all of X come by differentiation backwards: to Q, a and ∇φ
 * (`setEnergy`), and from those to X (`writeEnergyRates`). Twin in C: src/kernels/sheet-slide.inc, with the same bits.
 */

/** ε of the damped correction. */
const DAMPING = 0.15;

/** s: the share of the jumps in the energy; factors of β, whose squares add up to 1. */
const SHARE = 0.75;
/** What the first nine numbers of β, those of the fit, are more than a curvature by. */
export const CURVATURE_FIT = Math.sqrt(1 - SHARE);
const JUMP = Math.sqrt(SHARE);

/** N⁻¹ = ½ (I − 1): the off-diagonal part. */
const HALF = -0.5;

/** Works out β of triangles and the rates of their energy; belongs to one loop. */
export class CurvatureMap {
  /** β_k, three numbers each [1/m], of the fit, then of the jumps; times √(1 − s) and √s. */
  readonly beta = new Float64Array(18);
  /** Material area [m²]. */
  area = 0;
  readonly #g = new Float64Array(6);
  readonly #altitude = new Float64Array(3);
  /** λ of p_k, three numbers each. */
  readonly #lambda = new Float64Array(9);
  readonly #Q = new Float64Array(9);
  /** B and its inverse, a right-hand side, W. */
  readonly #B = new Float64Array(9);
  readonly #inverse = new Float64Array(9);
  readonly #right = new Float64Array(9);
  readonly #W = new Float64Array(9);
  /** a θ and y; κ of both estimates and B κ. */
  readonly #z = new Float64Array(3);
  readonly #y = new Float64Array(3);
  readonly #kappa = new Float64Array(6);
  readonly #moments = new Float64Array(6);
  /** ψ [J/m²], and its rates with ∇φ, a and Q. */
  #psi = 0;
  readonly #byGradient = new Float64Array(6);
  readonly #byAltitude = new Float64Array(3);
  readonly #byQ = new Float64Array(9);
  readonly #vectors = new Float64Array(12);

  /** X: material coordinates of 0, 1, 2, p₀, p₁, p₂. `inner`: bit k where edge k has a triangle on its other side. */
  set(X: Float64Array, inner: number): void {
    this.#setTriangle(X);
    this.#setRows(X, inner);
    this.#solve(inner);
    this.#combine(inner);
  }

  /**
   * Takes the angles of the edges, and works out how the energy A ψ of the triangle depends on everything that its material coordinates
   * change, after `set`:
   *     z = a θ,  y = W z,  m = B κ,  e_i = √(1 − s) m·G_i (fit),  p = B⁻¹ e,  P = Q p,  u = z − Q y
   *     δψ = (p_j u_k − P_k y_j) δQ_kj + (e + √s m·G (jumps) + P − QᵀP)·δz + m·(√(1 − s) y_i + √s z_i) δG_i
   */
  setEnergy(inner: number, theta: ArrayLike<number>, bending: readonly number[]): void {
    const g = this.#g;
    const z = this.#z;
    const y = this.#y;
    const W = this.#W;
    const m = this.#moments;
    for (let k = 0; k < 3; k++) z[k] = inner & (1 << k) ? this.#altitude[k] * theta[k] : 0;
    for (let k = 0; k < 3; k++) y[k] = W[3 * k] * z[0] + W[3 * k + 1] * z[1] + W[3 * k + 2] * z[2];
    this.#setMoments(bending);
    for (let i = 0; i < 3; i++) {
      const gx = g[2 * i];
      const gy = g[2 * i + 1];
      const fit = 2 * CURVATURE_FIT * y[i];
      const jump = 2 * JUMP * z[i];
      this.#byGradient[2 * i] = fit * (m[0] * gx + m[2] * gy) + jump * (m[3] * gx + m[5] * gy);
      this.#byGradient[2 * i + 1] = fit * (m[1] * gy + m[2] * gx) + jump * (m[4] * gy + m[5] * gx);
    }
    this.#setAdjoint(theta, inner);
  }

  /** κ = Σ_i G_i (√(1 − s) y_i or √s z_i), its moments, and ψ. */
  #setMoments(bending: readonly number[]): void {
    const g = this.#g;
    const k = this.#kappa;
    const m = this.#moments;
    k.fill(0);
    for (let i = 0; i < 3; i++) {
      const gx = g[2 * i];
      const gy = g[2 * i + 1];
      const fit = CURVATURE_FIT * this.#y[i];
      const jump = JUMP * this.#z[i];
      k[0] += fit * gx * gx;
      k[1] += fit * gy * gy;
      k[2] += 2 * fit * gx * gy;
      k[3] += jump * gx * gx;
      k[4] += jump * gy * gy;
      k[5] += 2 * jump * gx * gy;
    }
    this.#psi = 0;
    for (let o = 0; o < 6; o += 3) {
      m[o] = bending[0] * k[o] + bending[2] * k[o + 1];
      m[o + 1] = bending[2] * k[o] + bending[1] * k[o + 1];
      m[o + 2] = bending[3] * k[o + 2];
      this.#psi += 0.5 * (m[o] * k[o] + m[o + 1] * k[o + 1] + m[o + 2] * k[o + 2]);
    }
  }

  /** Rates of ψ with Q and the altitudes. */
  #setAdjoint(theta: ArrayLike<number>, inner: number): void {
    const g = this.#g;
    const Q = this.#Q;
    const m = this.#moments;
    // e, p, P and u, three numbers each
    const v = this.#vectors;
    for (let i = 0; i < 3; i++) {
      const gx = g[2 * i];
      const gy = g[2 * i + 1];
      v[i] = CURVATURE_FIT * (m[0] * gx * gx + m[1] * gy * gy + 2 * m[2] * gx * gy);
    }
    for (let i = 0; i < 3; i++)
      v[3 + i] = this.#inverse[3 * i] * v[0] + this.#inverse[3 * i + 1] * v[1] + this.#inverse[3 * i + 2] * v[2];
    for (let k = 0; k < 3; k++) {
      v[6 + k] = Q[3 * k] * v[3] + Q[3 * k + 1] * v[4] + Q[3 * k + 2] * v[5];
      v[9 + k] = this.#z[k] - (Q[3 * k] * this.#y[0] + Q[3 * k + 1] * this.#y[1] + Q[3 * k + 2] * this.#y[2]);
    }
    for (let k = 0; k < 3; k++) {
      for (let j = 0; j < 3; j++) this.#byQ[3 * k + j] = v[3 + j] * v[9 + k] - v[6 + k] * this.#y[j];
      const gx = g[2 * k];
      const gy = g[2 * k + 1];
      const jump = JUMP * (m[3] * gx * gx + m[4] * gy * gy + 2 * m[5] * gx * gy);
      const turned = Q[k] * v[6] + Q[3 + k] * v[7] + Q[6 + k] * v[8];
      this.#byAltitude[k] = inner & (1 << k) ? theta[k] * (v[k] + jump + v[6 + k] - turned) : 0;
    }
  }

  /**
   * Overwrites `out` with the rates of the energy A ψ with X of 0, 1, 2, p₀, p₁, p₂, after `setEnergy` [J/m]:
   *     δA = A Σ_j ∇φ_j·δX_j,   δa_i = −a_i³ ∇φ_i·δ∇φ_i,   δ∇φ_i = −Σ_j ∇φ_j (δX_j·∇φ_i)
   */
  writeEnergyRates(inner: number, out: Float64Array): void {
    const g = this.#g;
    const rate = this.#byGradient;
    const { area } = this;
    out.fill(0);
    for (let k = 0; k < 3; k++) {
      const a = this.#altitude[k];
      const share = this.#byAltitude[k] * a * a * a;
      rate[2 * k] -= share * g[2 * k];
      rate[2 * k + 1] -= share * g[2 * k + 1];
    }
    for (let k = 0; k < 3; k++)
      if (inner & (1 << k)) this.#addRowRates(k, out);
      else this.#addBorderRates(k);
    for (let j = 0; j < 3; j++) {
      const x = g[2 * j];
      const y = g[2 * j + 1];
      const along0 = rate[0] * x + rate[1] * y;
      const along1 = rate[2] * x + rate[3] * y;
      const along2 = rate[4] * x + rate[5] * y;
      const byX = out[2 * j] - (along0 * g[0] + along1 * g[2] + along2 * g[4]);
      const byY = out[2 * j + 1] - (along0 * g[1] + along1 * g[3] + along2 * g[5]);
      out[2 * j] = area * (byX + this.#psi * x);
      out[2 * j + 1] = area * (byY + this.#psi * y);
    }
    for (let k = 6; k < 12; k++) out[k] *= area;
  }

  /** From row k of Q to X:  δλ_i(p) = ∇φ_i·(δp − Σ_j λ_j δX_j). */
  #addRowRates(k: number, out: Float64Array): void {
    const g = this.#g;
    const at = 3 * k;
    const q0 = this.#byQ[at];
    const q1 = this.#byQ[at + 1];
    const q2 = this.#byQ[at + 2];
    const l0 = this.#lambda[at];
    const l1 = this.#lambda[at + 1];
    const l2 = this.#lambda[at + 2];
    const own = this.#lambda[at + k];
    const scale = -HALF / own;
    const u = scale * (q1 + q2);
    const v = scale * (q0 + q2);
    const w = scale * (q0 + q1);
    // λ_k is also in the scale −1/λ_k
    const last = (HALF * ((q1 + q2) * l1 * l2 + (q0 + q2) * l2 * l0 + (q0 + q1) * l0 * l1)) / (own * own);
    const r0 = v * l2 + w * l1 + (k === 0 ? last : 0);
    const r1 = u * l2 + w * l0 + (k === 1 ? last : 0);
    const r2 = u * l1 + v * l0 + (k === 2 ? last : 0);
    const x = r0 * g[0] + r1 * g[2] + r2 * g[4];
    const y = r0 * g[1] + r1 * g[3] + r2 * g[5];
    out[6 + 2 * k] = x;
    out[7 + 2 * k] = y;
    out[0] -= l0 * x;
    out[1] -= l0 * y;
    out[2] -= l1 * x;
    out[3] -= l1 * y;
    out[4] -= l2 * x;
    out[5] -= l2 * y;
  }

  /** From row k of Q to ∇φ, at the border:  δ(c_j²) = 2 c_j (δ∇φ_k·∇φ_j + ∇φ_k·δ∇φ_j − 2 c_j ∇φ_k·δ∇φ_k)/|∇φ_k|². */
  #addBorderRates(k: number): void {
    const g = this.#g;
    const rate = this.#byGradient;
    const x = g[2 * k];
    const y = g[2 * k + 1];
    const norm = x * x + y * y;
    for (let j = 0; j < 3; j++) {
      const c = (x * g[2 * j] + y * g[2 * j + 1]) / norm;
      const share = (2 * c * this.#byQ[3 * k + j]) / norm;
      rate[2 * k] += share * (g[2 * j] - 2 * c * x);
      rate[2 * k + 1] += share * (g[2 * j + 1] - 2 * c * y);
      rate[2 * j] += share * x;
      rate[2 * j + 1] += share * y;
    }
  }

  #setTriangle(X: Float64Array): void {
    const g = this.#g;
    const ax = X[2] - X[0];
    const ay = X[3] - X[1];
    const bx = X[4] - X[0];
    const by = X[5] - X[1];
    const det = ax * by - ay * bx;
    this.area = 0.5 * det;
    g[2] = by / det;
    g[3] = -bx / det;
    g[4] = -ay / det;
    g[5] = ax / det;
    g[0] = -g[2] - g[4];
    g[1] = -g[3] - g[5];
    for (let k = 0; k < 3; k++) this.#altitude[k] = 1 / Math.sqrt(g[2 * k] * g[2 * k] + g[2 * k + 1] * g[2 * k + 1]);
  }

  /** Q. */
  #setRows(X: Float64Array, inner: number): void {
    const g = this.#g;
    const lambda = this.#lambda;
    for (let k = 0; k < 3; k++) {
      const at = 3 * k;
      if (!(inner & (1 << k))) {
        this.#writeBorderRow(k);
        continue;
      }
      const px = X[6 + 2 * k];
      const py = X[7 + 2 * k];
      for (let i = 0; i < 3; i++)
        lambda[at + i] = (i === 0 ? 1 : 0) + g[2 * i] * (px - X[0]) + g[2 * i + 1] * (py - X[1]);
      this.#writeRow(at, -1 / lambda[at + k]);
    }
  }

  /** Q_kj = (n·∇φ_j)²/|∇φ_k|² = c_j², c_j = ∇φ_k·∇φ_j/|∇φ_k|². */
  #writeBorderRow(k: number): void {
    const g = this.#g;
    const x = g[2 * k];
    const y = g[2 * k + 1];
    const norm = x * x + y * y;
    for (let j = 0; j < 3; j++) {
      const c = (x * g[2 * j] + y * g[2 * j + 1]) / norm;
      this.#Q[3 * k + j] = c * c;
    }
  }

  /** (λ₁λ₂, λ₂λ₀, λ₀λ₁) N⁻¹ · scale. */
  #writeRow(at: number, scale: number): void {
    const l = this.#lambda;
    const out = this.#Q;
    const u = l[at + 1] * l[at + 2];
    const v = l[at + 2] * l[at];
    const w = l[at] * l[at + 1];
    out[at] = HALF * scale * (v + w);
    out[at + 1] = HALF * scale * (u + w);
    out[at + 2] = HALF * scale * (u + v);
  }

  /** W with y = W (a θ):  W = I + B⁻¹ Qᵀ (I − Q) on the inner edges, B = QᵀQ + ε²I. */
  #solve(inner: number): void {
    const Q = this.#Q;
    const B = this.#B;
    const right = this.#right;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        let b = i === j ? DAMPING * DAMPING : 0;
        let r = inner & (1 << j) ? Q[3 * j + i] : 0;
        for (let k = 0; k < 3; k++) {
          b += Q[3 * k + i] * Q[3 * k + j];
          if (inner & (1 << j)) r -= Q[3 * k + i] * Q[3 * k + j];
        }
        B[3 * i + j] = b;
        right[3 * i + j] = r;
      }
    writeSymmetricInverse(B, this.#inverse);
    multiply(this.#inverse, right, this.#W);
    for (let k = 0; k < 3; k++) if (inner & (1 << k)) this.#W[4 * k] += 1;
  }

  /** β_k = √(1 − s) a_k Σ_i W_ik G_i of the fit, then √s a_k G_k of the jumps. */
  #combine(inner: number): void {
    const { beta } = this;
    beta.fill(0);
    for (let k = 0; k < 3; k++) {
      if (!(inner & (1 << k))) continue;
      const a = this.#altitude[k];
      for (let i = 0; i < 3; i++) this.#addShare(3 * k, i, CURVATURE_FIT * a * this.#W[3 * i + k]);
      this.#addShare(9 + 3 * k, k, JUMP * a);
    }
  }

  /** Adds w G_i to β at `at`. */
  #addShare(at: number, i: number, w: number): void {
    const { beta } = this;
    const x = this.#g[2 * i];
    const y = this.#g[2 * i + 1];
    beta[at] += w * x * x;
    beta[at + 1] += w * y * y;
    beta[at + 2] += 2 * w * x * y;
  }
}

function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

function writeSymmetricInverse(m: Float64Array, out: Float64Array): void {
  const a = m[4] * m[8] - m[5] * m[5];
  const b = m[2] * m[5] - m[1] * m[8];
  const c = m[1] * m[5] - m[2] * m[4];
  const inverse = 1 / (m[0] * a + m[1] * b + m[2] * c);
  out[0] = a * inverse;
  out[1] = out[3] = b * inverse;
  out[2] = out[6] = c * inverse;
  out[4] = (m[0] * m[8] - m[2] * m[2]) * inverse;
  out[5] = out[7] = (m[1] * m[2] - m[0] * m[5]) * inverse;
  out[8] = (m[0] * m[4] - m[1] * m[1]) * inverse;
}
