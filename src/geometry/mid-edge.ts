/**
 * Bending of a mesh by the slopes at the middles of its edges: Morley's triangle (1968), whose slopes are not unknowns of their own but read off the
 * dihedral angles around.
 *
 *          p₂────── 0 ──────p₁         κ = Σ_k σ_k β_k,   β_k = 2 a_k ∇φ_k ⊗ ∇φ_k,   κ = (κ₁₁, κ₂₂, 2κ₁₂) in material axes
 *            ╲    ╱   ╲    ╱           σ_k  slope of the sheet across the middle of edge k against the triangle [rad]
 *              1 ────── 2              a_k = 1/|∇φ_k|  altitude over edge k, which is opposite to vertex k [m]
 *                 ╲  ╱
 *                  p₀
 * The slopes on both sides of an edge add up to its angle:  σ = ½θ + φ on the left, ½θ − φ on the right. φ, the lean of the sheet's normal against that of
 * the fold, is a sum over the edge and the four around it (0 where those are of the border),
 *     φ = Σ_j γ_j θ_j     with the shortest γ for which it is exact where the sheet is a quadric:   Σ_j γ_j t_j = f
 *     t_j = s_l + s_r,  f = ½ (s_l − s_r),   s = (u₁v₁, u₂v₂, (u₁v₂ + u₂v₁)/√2) l/4A  slope of the quadric (κ₁₁, κ₂₂, √2 κ₁₂)
 *     γ_j = t_j·y,   (Σ t tᵀ + ε² tr/3) y = f,  ε = 0.15        u, v  from the opposite vertex to the edge's ends    l  its length   A  area
 *
 * Whatever φ is, Σ A κ is a sum over edges of θ l n ⊗ n: constant moments are in equilibrium on every mesh. With this φ a quadric has its curvature, too. So a
 * mesh of any kind bends as the plate does: its energy is at least ½ κ̄ᵀBκ̄ of the mean curvature κ̄ (Jensen), and that of the quadric is no more. Without φ
 * a mesh is too stiff (a plate on alternating diagonals twice, in twist); on lattices φ = 0. Only θ = 0 costs nothing, as σ_l + σ_r = θ.
 * At a border edge σ is free: it is what makes the triangle's energy least, nᵀBκ n = 0; β of the others takes that in.
 *
 * Everything but θ depends on the material coordinates X alone.
 */

/** ε² / 3. */
const DAMPING = (0.15 * 0.15) / 3;
const ROOT = Math.SQRT1_2;
/** A border's stiffness below this share of the triangle's is none. */
const NONE = 1e-12;

/** s_k of a triangle at `at` of `out`, nine numbers. X: coordinates of its vertices, six numbers. */
export function writeSides(X: Float64Array, area: number, out: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    const o = 2 * k;
    const i = 2 * ((k + 1) % 3);
    const j = 2 * ((k + 2) % 3);
    const ux = X[i] - X[o];
    const uy = X[i + 1] - X[o + 1];
    const vx = X[j] - X[o];
    const vy = X[j + 1] - X[o + 1];
    const ex = vx - ux;
    const ey = vy - uy;
    const scale = Math.sqrt(ex * ex + ey * ey) / (4 * area);
    out[at + 3 * k] = scale * ux * vx;
    out[at + 3 * k + 1] = scale * uy * vy;
    out[at + 3 * k + 2] = scale * ROOT * (ux * vy + uy * vx);
  }
}

/** Adds the rates of Σ_k W_k·s_k with X to `out`; W: nine numbers. s: of `writeSides`, at `at`. */
export function addSideRates(
  X: Float64Array,
  area: number,
  gradients: Float64Array,
  W: Float64Array,
  s: Float64Array,
  at: number,
  out: Float64Array,
): void {
  for (let k = 0; k < 3; k++) {
    const o = 2 * k;
    const i = 2 * ((k + 1) % 3);
    const j = 2 * ((k + 2) % 3);
    const ux = X[i] - X[o];
    const uy = X[i + 1] - X[o + 1];
    const vx = X[j] - X[o];
    const vy = X[j + 1] - X[o + 1];
    const ex = vx - ux;
    const ey = vy - uy;
    const square = ex * ex + ey * ey;
    const scale = Math.sqrt(square) / (4 * area);
    const mixed = ROOT * W[3 * k + 2];
    const byUx = scale * (W[3 * k] * vx + mixed * vy);
    const byUy = scale * (W[3 * k + 1] * vy + mixed * vx);
    const byVx = scale * (W[3 * k] * ux + mixed * uy);
    const byVy = scale * (W[3 * k + 1] * uy + mixed * ux);
    const whole = W[3 * k] * s[at + 3 * k] + W[3 * k + 1] * s[at + 3 * k + 1] + W[3 * k + 2] * s[at + 3 * k + 2];
    // δs = … + s (δl/l − δA/A)
    const byLength = whole / square;
    out[i] += byUx - byLength * ex;
    out[i + 1] += byUy - byLength * ey;
    out[j] += byVx + byLength * ex;
    out[j + 1] += byVy + byLength * ey;
    out[o] -= byUx + byVx;
    out[o + 1] -= byUy + byVy;
    for (let n = 0; n < 6; n++) out[n] -= whole * gradients[n];
  }
}

/** β_k of a triangle at `at` of `out`, nine numbers. `inner`: bit k where edge k has a triangle on its other side. */
export function writeSlopeCurvature(
  gradients: Float64Array,
  inner: number,
  bending: readonly number[],
  out: Float64Array,
  at: number,
): void {
  for (let k = 0; k < 3; k++) {
    const x = gradients[2 * k];
    const y = gradients[2 * k + 1];
    const scale = 2 / Math.sqrt(x * x + y * y);
    out[at + 3 * k] = scale * x * x;
    out[at + 3 * k + 1] = scale * y * y;
    out[at + 3 * k + 2] = 2 * scale * x * y;
  }
  for (let k = 0; k < 3; k++) if (!(inner & (1 << k))) freeBorder(k, bending, out, at);
}

/** Takes β_k, of a border edge, out of the others: what is left has no moment against it. */
function freeBorder(k: number, bending: readonly number[], beta: Float64Array, at: number): void {
  const b = at + 3 * k;
  const m1 = bending[0] * beta[b] + bending[2] * beta[b + 1];
  const m2 = bending[2] * beta[b] + bending[1] * beta[b + 1];
  const m3 = bending[3] * beta[b + 2];
  const own = m1 * beta[b] + m2 * beta[b + 1] + m3 * beta[b + 2];
  const square = beta[b] * beta[b] + beta[b + 1] * beta[b + 1] + beta[b + 2] * beta[b + 2];
  if (own > NONE * square * Math.max(bending[0], bending[1], bending[3]))
    for (let j = 0; j < 3; j++) {
      const o = at + 3 * j;
      if (j === k) continue;
      const share = (m1 * beta[o] + m2 * beta[o + 1] + m3 * beta[o + 2]) / own;
      for (let c = 0; c < 3; c++) beta[o + c] -= share * beta[b + c];
    }
  beta.fill(0, b, b + 3);
}

/**
 * Adds the rates of the energy A ψ of a triangle with X to `out`, with its slopes fixed:  y_k = 2 a_k σ_k = uᵀκv,
 *     δ(Aψ) = A (ψ δA/A + Σ_k y_k (2 M∇φ_k − (∇φ_kᵀM∇φ_k) ∇φ_k/|∇φ_k|²)·δ∇φ_k),   M = Bκ,   δ∇φ_k = −Σ_j ∇φ_j (δX_j·∇φ_k)
 */
export function addCurvatureRates(
  X: Float64Array,
  area: number,
  gradients: Float64Array,
  kappa: Float64Array,
  bending: readonly number[],
  out: Float64Array,
): void {
  const m1 = bending[0] * kappa[0] + bending[2] * kappa[1];
  const m2 = bending[2] * kappa[0] + bending[1] * kappa[1];
  const m3 = bending[3] * kappa[2];
  const psi = 0.5 * (m1 * kappa[0] + m2 * kappa[1] + m3 * kappa[2]);
  for (let n = 0; n < 6; n++) out[n] += area * psi * gradients[n];
  for (let k = 0; k < 3; k++) {
    const o = 2 * k;
    const i = 2 * ((k + 1) % 3);
    const j = 2 * ((k + 2) % 3);
    const ux = X[i] - X[o];
    const uy = X[i + 1] - X[o + 1];
    const vx = X[j] - X[o];
    const vy = X[j + 1] - X[o + 1];
    const y = kappa[0] * ux * vx + kappa[1] * uy * vy + 0.5 * kappa[2] * (ux * vy + uy * vx);
    const gx = gradients[o];
    const gy = gradients[o + 1];
    const mx = m1 * gx + m3 * gy;
    const my = m3 * gx + m2 * gy;
    const along = (mx * gx + my * gy) / (gx * gx + gy * gy);
    const rx = area * y * (2 * mx - along * gx);
    const ry = area * y * (2 * my - along * gy);
    for (let n = 0; n < 6; n += 2) {
      const share = rx * gradients[n] + ry * gradients[n + 1];
      out[n] -= share * gx;
      out[n + 1] -= share * gy;
    }
  }
}

/** γ of edges, and the rates with t and f; belongs to one loop. */
export class EdgeLean {
  /** t of the edge itself and of the four around it, three numbers each: zeros for those of the border; f. To be written before `set`. */
  readonly turns = new Float64Array(15);
  readonly wanted = new Float64Array(3);
  readonly gamma = new Float64Array(5);
  /** Rates with `turns` and `wanted`, of `setRates`. */
  readonly byTurns = new Float64Array(15);
  readonly byWanted = new Float64Array(3);
  readonly #inverse = new Float64Array(6);
  readonly #y = new Float64Array(3);

  set(): void {
    const t = this.turns;
    const s = this.#inverse;
    s.fill(0);
    for (let o = 0; o < 15; o += 3) {
      s[0] += t[o] * t[o];
      s[1] += t[o] * t[o + 1];
      s[2] += t[o] * t[o + 2];
      s[3] += t[o + 1] * t[o + 1];
      s[4] += t[o + 1] * t[o + 2];
      s[5] += t[o + 2] * t[o + 2];
    }
    const damping = DAMPING * (s[0] + s[3] + s[5]);
    s[0] += damping;
    s[3] += damping;
    s[5] += damping;
    invertSymmetric(s);
    this.#solve(this.wanted, this.#y);
    const y = this.#y;
    for (let n = 0; n < 5; n++) this.gamma[n] = t[3 * n] * y[0] + t[3 * n + 1] * y[1] + t[3 * n + 2] * y[2];
  }

  /**
   * Rates of Σ_j c_j γ_j after `set`; c: five numbers.   p = S⁻¹ Σ c_j t_j,  S = Σ t tᵀ + ε² tr/3
   *     ∂/∂t_j = c_j y − (t_j·y) p − (t_j·p) y − ⅔ε² (p·y) t_j,    ∂/∂f = p
   */
  setRates(c: Float64Array): void {
    const t = this.turns;
    const y = this.#y;
    const p = this.byWanted;
    const out = this.byTurns;
    out.fill(0, 0, 3);
    for (let n = 0; n < 5; n++) for (let k = 0; k < 3; k++) out[k] += c[n] * t[3 * n + k];
    this.#solve(out, p);
    const damping = 2 * DAMPING * (p[0] * y[0] + p[1] * y[1] + p[2] * y[2]);
    for (let n = 0; n < 5; n++) {
      const o = 3 * n;
      const byP = t[o] * y[0] + t[o + 1] * y[1] + t[o + 2] * y[2];
      const byY = c[n] - (t[o] * p[0] + t[o + 1] * p[1] + t[o + 2] * p[2]);
      for (let k = 0; k < 3; k++) out[o + k] = byY * y[k] - byP * p[k] - damping * t[o + k];
    }
  }

  #solve(right: Float64Array, out: Float64Array): void {
    const s = this.#inverse;
    const a = right[0];
    const b = right[1];
    const c = right[2];
    out[0] = s[0] * a + s[1] * b + s[2] * c;
    out[1] = s[1] * a + s[3] * b + s[4] * c;
    out[2] = s[2] * a + s[4] * b + s[5] * c;
  }
}

/** The inverse of a symmetric matrix, upper half row by row, in its place. */
function invertSymmetric(s: Float64Array): void {
  const a = s[3] * s[5] - s[4] * s[4];
  const b = s[2] * s[4] - s[1] * s[5];
  const c = s[1] * s[4] - s[2] * s[3];
  const d = s[0] * s[5] - s[2] * s[2];
  const e = s[1] * s[2] - s[0] * s[4];
  const f = s[0] * s[3] - s[1] * s[1];
  const inverse = 1 / (s[0] * a + s[1] * b + s[2] * c);
  s[0] = a * inverse;
  s[1] = b * inverse;
  s[2] = c * inverse;
  s[3] = d * inverse;
  s[4] = e * inverse;
  s[5] = f * inverse;
}
