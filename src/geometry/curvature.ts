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
 *     the jump of the slope, shared by both sides of an edge (rotation-free triangle of [Oñate 2000]):   y⁰_k = a_k θ_k
 *     the quadratic through all six vertices:  Q y = w,   w_k = a_k θ_k,   Q_k = (λ₁λ₂, λ₂λ₀, λ₀λ₁)(p_k) N⁻¹/|λ_k|
 * They agree on every regular lattice. The second fails where the six points lie near a conic, and is used as a damped correction
 * of the first:   y = y⁰ + (QᵀQ + ε²I)⁻¹ Qᵀ (w − Q y⁰),  ε = 0.15.
 * On other meshes neither is right alone. The jumps add up to the slopes at the border, whatever the mesh (patch test), but the
 * vertices of a cylinder have too much energy (1.1 – 2 times); the fit has the right energy there (0.97 – 1), but vertices leave
 * the cylinder for less. Surfaces of continua mix the energies,  ψ = ½ (1 − s) κᵀBκ (fit) + ½ s κᵀBκ (jumps),  s = ¾, with angles of the triangle alone; sheets
 * have `mid-edge.ts`, which is right on every mesh and reaches further. A border edge has
 * no θ: y⁰_k = 0, and its row says instead that the sheet does not bend across the border, nᵀκn = 0, n = ∇φ_k/|∇φ_k|.
 */

/** ε of the damped correction. */
const DAMPING = 0.15;

/** s: the share of the jumps in the energy; factors of β, whose squares add up to 1. */
const SHARE = 0.75;
const FIT = Math.sqrt(1 - SHARE);
const JUMP = Math.sqrt(SHARE);

/** N⁻¹ = ½ (I − 1): the off-diagonal part. */
const HALF = -0.5;

/** Works out β of triangles; belongs to one loop. */
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

  /** X: material coordinates of 0, 1, 2, p₀, p₁, p₂. `inner`: bit k where edge k has a triangle on its other side. */
  set(X: Float64Array, inner: number): void {
    this.#setTriangle(X);
    this.#setRows(X, inner);
    this.#solve(inner);
    this.#combine(inner);
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
      for (let i = 0; i < 3; i++) this.#addShare(3 * k, i, FIT * a * this.#W[3 * i + k]);
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
