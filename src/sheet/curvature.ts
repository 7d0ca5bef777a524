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
 * θ depends on x alone; β on X alone, by forward differentiation (`setRate`).
 */

/** ε of the damped correction. */
const DAMPING = 0.15;

/** s: the share of the jumps in the energy; factors of β, whose squares add up to 1. */
const SHARE = 0.75;
/** What the first nine numbers of β, those of the fit, are more than a curvature by. */
export const FIT = Math.sqrt(1 - SHARE);
const JUMP = Math.sqrt(SHARE);

/** N⁻¹ = ½ (I − 1): the off-diagonal part. */
const HALF = -0.5;

/** Works out β of triangles and their rates; belongs to one loop. */
export class CurvatureMap {
  /** β_k, three numbers each [1/m], of the fit, then of the jumps; times √(1 − s) and √s. */
  readonly beta = new Float64Array(18);
  /** Rate of β in the direction given last. */
  readonly rate = new Float64Array(18);
  /** Material area and its rate [m²]. */
  area = 0;
  areaRate = 0;
  readonly #g = new Float64Array(6);
  readonly #dg = new Float64Array(6);
  readonly #altitude = new Float64Array(3);
  readonly #dAltitude = new Float64Array(3);
  readonly #Q = new Float64Array(9);
  readonly #dQ = new Float64Array(9);
  readonly #W = new Float64Array(9);
  readonly #dW = new Float64Array(9);
  readonly #B = new Float64Array(9);
  readonly #inverse = new Float64Array(9);
  readonly #right = new Float64Array(9);
  /** Barycentric coordinates of p_k, three each, and their rates for one of them. */
  readonly #lambda = new Float64Array(9);
  readonly #rate = new Float64Array(3);
  #inner = 0;

  /** X: material coordinates of 0, 1, 2, p₀, p₁, p₂. `inner`: bit k where edge k has a triangle on its other side. */
  set(X: Float64Array, inner: number): void {
    this.#inner = inner;
    this.#setTriangle(X);
    this.#setRows(X);
    this.#solve();
    this.#combine(false);
  }

  /** Rates in a direction dX, after `set`. */
  setRate(dX: Float64Array): void {
    this.#setTriangleRate(dX);
    this.#setRowRates(dX);
    this.#solveRate();
    this.#combine(true);
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
    for (let k = 0; k < 3; k++) this.#altitude[k] = 1 / Math.sqrt(g[2 * k] ** 2 + g[2 * k + 1] ** 2);
  }

  #setTriangleRate(dX: Float64Array): void {
    const g = this.#g;
    const dg = this.#dg;
    // δ∇φ_i = −Σ_j ∇φ_j (δX_j·∇φ_i)
    let growth = 0;
    for (let j = 0; j < 3; j++) growth += g[2 * j] * dX[2 * j] + g[2 * j + 1] * dX[2 * j + 1];
    this.areaRate = this.area * growth;
    for (let i = 0; i < 3; i++) {
      let x = 0;
      let y = 0;
      for (let j = 0; j < 3; j++) {
        const along = dX[2 * j] * g[2 * i] + dX[2 * j + 1] * g[2 * i + 1];
        x -= g[2 * j] * along;
        y -= g[2 * j + 1] * along;
      }
      dg[2 * i] = x;
      dg[2 * i + 1] = y;
      this.#dAltitude[i] = -(this.#altitude[i] ** 3) * (g[2 * i] * x + g[2 * i + 1] * y);
    }
  }

  #setRows(X: Float64Array): void {
    const g = this.#g;
    const lambda = this.#lambda;
    for (let k = 0; k < 3; k++) {
      if (!(this.#inner & (1 << k))) {
        this.#writeBorderRow(k, false);
        continue;
      }
      const px = X[6 + 2 * k] - X[0];
      const py = X[7 + 2 * k] - X[1];
      for (let i = 0; i < 3; i++) lambda[3 * k + i] = (i === 0 ? 1 : 0) + g[2 * i] * px + g[2 * i + 1] * py;
      this.#writeRow(k);
    }
  }

  #setRowRates(dX: Float64Array): void {
    const g = this.#g;
    const lambda = this.#lambda;
    for (let k = 0; k < 3; k++) {
      if (!(this.#inner & (1 << k))) {
        this.#writeBorderRow(k, true);
        continue;
      }
      // δλ_i(p) = ∇φ_i·(δp − Σ_j λ_j δX_j)
      let mx = dX[6 + 2 * k];
      let my = dX[7 + 2 * k];
      for (let j = 0; j < 3; j++) {
        mx -= lambda[3 * k + j] * dX[2 * j];
        my -= lambda[3 * k + j] * dX[2 * j + 1];
      }
      for (let i = 0; i < 3; i++) this.#rate[i] = g[2 * i] * mx + g[2 * i + 1] * my;
      this.#writeRowRate(k);
    }
  }

  /** Q_kj = (n·∇φ_j)²/|∇φ_k|² = c_j², c_j = ∇φ_k·∇φ_j/|∇φ_k|². */
  #writeBorderRow(k: number, withRate: boolean): void {
    const g = this.#g;
    const dg = this.#dg;
    const x = g[2 * k];
    const y = g[2 * k + 1];
    const dx = dg[2 * k];
    const dy = dg[2 * k + 1];
    const norm = x * x + y * y;
    for (let j = 0; j < 3; j++) {
      const c = (x * g[2 * j] + y * g[2 * j + 1]) / norm;
      this.#Q[3 * k + j] = c * c;
      if (!withRate) continue;
      const product = dx * g[2 * j] + dy * g[2 * j + 1] + x * dg[2 * j] + y * dg[2 * j + 1];
      this.#dQ[3 * k + j] = (2 * c * (product - 2 * c * (x * dx + y * dy))) / norm;
    }
  }

  /** −(λ₁λ₂, λ₂λ₀, λ₀λ₁) N⁻¹/λ_k. */
  #writeRow(k: number): void {
    const l = this.#lambda;
    const at = 3 * k;
    const u = l[at + 1] * l[at + 2];
    const v = l[at + 2] * l[at];
    const w = l[at] * l[at + 1];
    const scale = -HALF / l[at + k];
    this.#Q[at] = scale * (v + w);
    this.#Q[at + 1] = scale * (u + w);
    this.#Q[at + 2] = scale * (u + v);
  }

  #writeRowRate(k: number): void {
    const l = this.#lambda;
    const r = this.#rate;
    const at = 3 * k;
    const u = l[at + 1] * l[at + 2];
    const v = l[at + 2] * l[at];
    const w = l[at] * l[at + 1];
    const du = r[1] * l[at + 2] + l[at + 1] * r[2];
    const dv = r[2] * l[at] + l[at + 2] * r[0];
    const dw = r[0] * l[at + 1] + l[at] * r[1];
    const scale = -HALF / l[at + k];
    const scaleRate = (-scale * r[k]) / l[at + k];
    const out = this.#dQ;
    out[at] = scale * (dv + dw) + scaleRate * (v + w);
    out[at + 1] = scale * (du + dw) + scaleRate * (u + w);
    out[at + 2] = scale * (du + dv) + scaleRate * (u + v);
  }

  /** W with y = W (a θ):  W = I + B⁻¹ Qᵀ (I − Q) on the inner edges, B = QᵀQ + ε²I. */
  #solve(): void {
    const Q = this.#Q;
    const B = this.#B;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        const b = Q[i] * Q[j] + Q[3 + i] * Q[3 + j] + Q[6 + i] * Q[6 + j];
        B[3 * i + j] = i === j ? b + DAMPING * DAMPING : b;
        this.#right[3 * i + j] = this.#inner & (1 << j) ? Q[3 * j + i] - b : 0;
      }
    invertSymmetric(B, this.#inverse);
    multiply(this.#inverse, this.#right, this.#W);
    for (let k = 0; k < 3; k++) if (this.#inner & (1 << k)) this.#W[4 * k] += 1;
  }

  /** B dW = dQᵀ (I − Q) − Qᵀ dQ − S (W − I),  S = dQᵀ Q + Qᵀ dQ; that is dQᵀ − S W on the inner edges. */
  #solveRate(): void {
    const Q = this.#Q;
    const dQ = this.#dQ;
    const S = this.#B;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        S[3 * i + j] =
          dQ[i] * Q[j] +
          dQ[3 + i] * Q[3 + j] +
          dQ[6 + i] * Q[6 + j] +
          Q[i] * dQ[j] +
          Q[3 + i] * dQ[3 + j] +
          Q[6 + i] * dQ[6 + j];
    multiply(S, this.#W, this.#right);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        this.#right[3 * i + j] = (this.#inner & (1 << j) ? dQ[3 * j + i] : 0) - this.#right[3 * i + j];
    multiply(this.#inverse, this.#right, this.#dW);
  }

  /** β_k = √(1 − s) a_k Σ_i W_ik G_i of the fit, then √s a_k G_k of the jumps. */
  #combine(withRate: boolean): void {
    (withRate ? this.rate : this.beta).fill(0);
    for (let k = 0; k < 3; k++) {
      if (!(this.#inner & (1 << k))) continue;
      const a = this.#altitude[k];
      const da = this.#dAltitude[k];
      for (let i = 0; i < 3; i++) {
        const w = this.#W[3 * i + k];
        if (withRate) this.#addRate(3 * k, i, FIT * a * w, FIT * (da * w + a * this.#dW[3 * i + k]));
        else this.#addShare(3 * k, i, FIT * a * w);
      }
      if (withRate) this.#addRate(9 + 3 * k, k, JUMP * a, JUMP * da);
      else this.#addShare(9 + 3 * k, k, JUMP * a);
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

  /** Adds the rate of w G_i to that of β. */
  #addRate(at: number, i: number, w: number, dw: number): void {
    const { rate } = this;
    const x = this.#g[2 * i];
    const y = this.#g[2 * i + 1];
    const dx = this.#dg[2 * i];
    const dy = this.#dg[2 * i + 1];
    rate[at] += dw * x * x + 2 * w * x * dx;
    rate[at + 1] += dw * y * y + 2 * w * y * dy;
    rate[at + 2] += 2 * (dw * x * y + w * (x * dy + y * dx));
  }
}

function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

function invertSymmetric(m: Float64Array, out: Float64Array): void {
  const a = m[4] * m[8] - m[5] * m[5];
  const b = m[2] * m[5] - m[1] * m[8];
  const c = m[1] * m[5] - m[2] * m[4];
  const inverse = 1 / (m[0] * a + m[1] * b + m[2] * c);
  const d = (m[0] * m[8] - m[2] * m[2]) * inverse;
  const e = (m[1] * m[2] - m[0] * m[5]) * inverse;
  const f = (m[0] * m[4] - m[1] * m[1]) * inverse;
  out[0] = a * inverse;
  out[1] = out[3] = b * inverse;
  out[2] = out[6] = c * inverse;
  out[4] = d;
  out[5] = out[7] = e;
  out[8] = f;
}
