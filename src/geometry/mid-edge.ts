/**
 * Bending of a mesh by the slopes at the middles of its edges: Morley's triangle [Morley 1968], whose slopes are not unknowns of their own but read off the
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

/** Numbers of an edge in a table of leans: t of the edge itself and of the four around it (zeros for those of the border), f, the upper half of S⁻¹, y. */
export const LEAN_STRIDE = 27;
/** Where f, S⁻¹ and y begin. */
const WANTED = 15;
const INVERSE = 18;
const Y = 24;

/** Completes the entry at `at` of `leans`, whose t and f are written; γ, five numbers, at `to` of `gamma`.   S = Σ t tᵀ + ε² tr/3 */
export function writeLean(leans: Float64Array, at: number, gamma: Float64Array, to: number): void {
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let yy = 0;
  let yz = 0;
  let zz = 0;
  for (let o = at; o < at + WANTED; o += 3) {
    const x = leans[o];
    const y = leans[o + 1];
    const z = leans[o + 2];
    xx += x * x;
    xy += x * y;
    xz += x * z;
    yy += y * y;
    yz += y * z;
    zz += z * z;
  }
  const damping = DAMPING * (xx + yy + zz);
  xx += damping;
  yy += damping;
  zz += damping;
  const a = yy * zz - yz * yz;
  const b = xz * yz - xy * zz;
  const c = xy * yz - xz * yy;
  const d = xx * zz - xz * xz;
  const e = xy * xz - xx * yz;
  const f = xx * yy - xy * xy;
  const inverse = 1 / (xx * a + xy * b + xz * c);
  const s = at + INVERSE;
  leans[s] = a * inverse;
  leans[s + 1] = b * inverse;
  leans[s + 2] = c * inverse;
  leans[s + 3] = d * inverse;
  leans[s + 4] = e * inverse;
  leans[s + 5] = f * inverse;
  const w = at + WANTED;
  const y0 = leans[s] * leans[w] + leans[s + 1] * leans[w + 1] + leans[s + 2] * leans[w + 2];
  const y1 = leans[s + 1] * leans[w] + leans[s + 3] * leans[w + 1] + leans[s + 4] * leans[w + 2];
  const y2 = leans[s + 2] * leans[w] + leans[s + 4] * leans[w + 1] + leans[s + 5] * leans[w + 2];
  leans[at + Y] = y0;
  leans[at + Y + 1] = y1;
  leans[at + Y + 2] = y2;
  for (let n = 0, o = at; n < 5; n++, o += 3) gamma[to + n] = leans[o] * y0 + leans[o + 1] * y1 + leans[o + 2] * y2;
}

/**
 * Rates of Σ_j c_j γ_j with t, 15 numbers, then with f, three; c: five numbers.   p = S⁻¹ Σ c_j t_j
 *     ∂/∂t_j = c_j y − (t_j·y) p − (t_j·p) y − ⅔ε² (p·y) t_j,    ∂/∂f = p
 */
export function writeLeanRates(leans: Float64Array, at: number, c: Float64Array, out: Float64Array): void {
  let a = 0;
  let b = 0;
  let d = 0;
  for (let n = 0, o = at; n < 5; n++, o += 3) {
    a += c[n] * leans[o];
    b += c[n] * leans[o + 1];
    d += c[n] * leans[o + 2];
  }
  const s = at + INVERSE;
  const p0 = leans[s] * a + leans[s + 1] * b + leans[s + 2] * d;
  const p1 = leans[s + 1] * a + leans[s + 3] * b + leans[s + 4] * d;
  const p2 = leans[s + 2] * a + leans[s + 4] * b + leans[s + 5] * d;
  const y0 = leans[at + Y];
  const y1 = leans[at + Y + 1];
  const y2 = leans[at + Y + 2];
  const damping = 2 * DAMPING * (p0 * y0 + p1 * y1 + p2 * y2);
  for (let n = 0, o = 0; n < 5; n++, o += 3) {
    const t0 = leans[at + o];
    const t1 = leans[at + o + 1];
    const t2 = leans[at + o + 2];
    const byP = t0 * y0 + t1 * y1 + t2 * y2;
    const byY = c[n] - (t0 * p0 + t1 * p1 + t2 * p2);
    out[o] = byY * y0 - byP * p0 - damping * t0;
    out[o + 1] = byY * y1 - byP * p1 - damping * t1;
    out[o + 2] = byY * y2 - byP * p2 - damping * t2;
  }
  out[15] = p0;
  out[16] = p1;
  out[17] = p2;
}
