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
 * They agree on every regular lattice. The first is up to 40 % too stiff on others; the second fails where the six points lie
 * near a conic. Heddle corrects the first by the second, damped:   y = y⁰ + (QᵀQ + ε²I)⁻¹ Qᵀ (w − Q y⁰),  ε = 0.15.
 * Cylinders on irregular meshes then have the right energy to 1 – 3 % (tests: sheet-bending). Border edges bend freely: their
 * row is left out and y⁰_k = 0.
 *
 * θ depends on x alone; β on X alone, by forward differentiation (`writeCurvatureRate`).
 */

/** ε of the damped correction. */
const DAMPING = 0.15;

/** N⁻¹ = ½ (I − 1): the off-diagonal part. */
const HALF = -0.5;

/** Works out β of triangles and their rates; belongs to one loop. */
export class CurvatureMap {
  /** β_k, three numbers each [1/m]. */
  readonly beta = new Float64Array(9);
  /** Rate of β in the direction given last. */
  readonly rate = new Float64Array(9);
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

  /**
   * X: material coordinates of 0, 1, 2, p₀, p₁, p₂; dX: a direction of change, or undefined for β alone. `inner`: bit k where
   * edge k has a triangle on its other side.
   */
  set(X: Float64Array, inner: number, dX?: Float64Array): void {
    this.#setTriangle(X, dX);
    this.#setRows(X, inner, dX);
    this.#solve(inner, dX !== undefined);
    this.#combine(inner, dX !== undefined);
  }

  #setTriangle(X: Float64Array, dX?: Float64Array): void {
    const g = this.#g;
    const dg = this.#dg;
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
    if (dX === undefined) return;
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

  /** Q and its rate; rows of border edges are zero. */
  #setRows(X: Float64Array, inner: number, dX?: Float64Array): void {
    const g = this.#g;
    const lambda = [0, 0, 0];
    const rate = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const at = 3 * k;
      if (!(inner & (1 << k))) {
        this.#Q.fill(0, at, at + 3);
        this.#dQ.fill(0, at, at + 3);
        continue;
      }
      const px = X[6 + 2 * k];
      const py = X[7 + 2 * k];
      for (let i = 0; i < 3; i++) lambda[i] = (i === 0 ? 1 : 0) + g[2 * i] * (px - X[0]) + g[2 * i + 1] * (py - X[1]);
      const scale = -1 / lambda[k];
      this.#writeRow(lambda, scale, this.#Q, at);
      if (dX === undefined) continue;
      // δλ_i(p) = ∇φ_i·(δp − Σ_j λ_j δX_j)
      let mx = dX[6 + 2 * k];
      let my = dX[7 + 2 * k];
      for (let j = 0; j < 3; j++) {
        mx -= lambda[j] * dX[2 * j];
        my -= lambda[j] * dX[2 * j + 1];
      }
      for (let i = 0; i < 3; i++) rate[i] = g[2 * i] * mx + g[2 * i + 1] * my;
      this.#writeRowRate(lambda, rate, scale, rate[k] / lambda[k] ** 2, at);
    }
  }

  /** (λ₁λ₂, λ₂λ₀, λ₀λ₁) N⁻¹ · scale. */
  #writeRow(l: readonly number[], scale: number, out: Float64Array, at: number): void {
    const u = l[1] * l[2];
    const v = l[2] * l[0];
    const w = l[0] * l[1];
    out[at] = HALF * scale * (v + w);
    out[at + 1] = HALF * scale * (u + w);
    out[at + 2] = HALF * scale * (u + v);
  }

  #writeRowRate(l: readonly number[], r: readonly number[], scale: number, scaleRate: number, at: number): void {
    const u = l[1] * l[2];
    const v = l[2] * l[0];
    const w = l[0] * l[1];
    const du = r[1] * l[2] + l[1] * r[2];
    const dv = r[2] * l[0] + l[2] * r[0];
    const dw = r[0] * l[1] + l[0] * r[1];
    const out = this.#dQ;
    out[at] = HALF * (scale * (dv + dw) + scaleRate * (v + w));
    out[at + 1] = HALF * (scale * (du + dw) + scaleRate * (u + w));
    out[at + 2] = HALF * (scale * (du + dv) + scaleRate * (u + v));
  }

  /**
   * W with y = W (a θ):  W = I + B⁻¹ Qᵀ (I − Q) on the inner edges, B = QᵀQ + ε²I;
   * B dW = dQᵀ (I − Q) − Qᵀ dQ − (dQᵀ Q + Qᵀ dQ)(W − I).
   */
  #solve(inner: number, withRate: boolean): void {
    const Q = this.#Q;
    const dQ = this.#dQ;
    const B = new Float64Array(9);
    const right = new Float64Array(9);
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
    const inverse = invertSymmetric(B);
    multiply(inverse, right, this.#W);
    if (withRate) {
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) {
          let r = inner & (1 << j) ? dQ[3 * j + i] : 0;
          for (let k = 0; k < 3; k++) {
            if (inner & (1 << j)) r -= dQ[3 * k + i] * Q[3 * k + j] + Q[3 * k + i] * dQ[3 * k + j];
            for (let l = 0; l < 3; l++)
              r -= (dQ[3 * k + i] * Q[3 * k + l] + Q[3 * k + i] * dQ[3 * k + l]) * this.#W[3 * l + j];
          }
          right[3 * i + j] = r;
        }
      multiply(inverse, right, this.#dW);
    }
    for (let k = 0; k < 3; k++) if (inner & (1 << k)) this.#W[4 * k] += 1;
  }

  /** β_k = a_k Σ_i W_ik G_i. */
  #combine(inner: number, withRate: boolean): void {
    const g = this.#g;
    const dg = this.#dg;
    const { beta, rate } = this;
    beta.fill(0);
    rate.fill(0);
    for (let k = 0; k < 3; k++) {
      if (!(inner & (1 << k))) continue;
      const a = this.#altitude[k];
      for (let i = 0; i < 3; i++) {
        const x = g[2 * i];
        const y = g[2 * i + 1];
        const w = a * this.#W[3 * i + k];
        beta[3 * k] += w * x * x;
        beta[3 * k + 1] += w * y * y;
        beta[3 * k + 2] += 2 * w * x * y;
        if (!withRate) continue;
        const dw = this.#dAltitude[k] * this.#W[3 * i + k] + a * this.#dW[3 * i + k];
        rate[3 * k] += dw * x * x + 2 * w * x * dg[2 * i];
        rate[3 * k + 1] += dw * y * y + 2 * w * y * dg[2 * i + 1];
        rate[3 * k + 2] += 2 * (dw * x * y + w * (x * dg[2 * i + 1] + y * dg[2 * i]));
      }
    }
  }
}

function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

function invertSymmetric(m: Float64Array): Float64Array {
  const a = m[4] * m[8] - m[5] * m[5];
  const b = m[2] * m[5] - m[1] * m[8];
  const c = m[1] * m[5] - m[2] * m[4];
  const inverse = 1 / (m[0] * a + m[1] * b + m[2] * c);
  const d = (m[0] * m[8] - m[2] * m[2]) * inverse;
  const e = (m[1] * m[2] - m[0] * m[5]) * inverse;
  const f = (m[0] * m[4] - m[1] * m[1]) * inverse;
  return Float64Array.of(a * inverse, b * inverse, c * inverse, b * inverse, d, e, c * inverse, e, f);
}
