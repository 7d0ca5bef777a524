/**
 * Inertia, stretch, weight and damping of a whole curve in one pass over its segments: the hot loop of every
 * curve model. The unrolled 1D twin of `eol/element.ts` and of STRETCH and GRAVITY; a test holds them together.
 *
 * Writes the linear system of one Newton iteration of an implicit stage of length h, unknown Δ = change of q̇:
 *     A = (1 + αh) M + h² K + βh K_t
 *     r = M (v̂ − v) + h (f + d − c − αM v) − s (h² K + βh K_t) v        s = 1 while f is taken at q̂ (linearly implicit), else 0
 *   v̂, q̂  start of the stage     v  iterate     α, β  damping [1/s], [s]     c = Ṁ v − ∂T/∂q [theory/eol#inertia]
 *
 * Damping of the stiffness is that of Kelvin and Voigt: d = −∂R/∂v of R = ½ β EA/λ₀ Δu λ̇², the rate of an invariant, which no rigid motion
 * has; sliding material included, λ̇ = t·(b − a)/Δu below. Over a stage λ̇ is (λ − λ̂)/h, so that a segment that turns far is not taken for one
 * that is stretched:
 *     N = EA/λ₀ (λ − λ₀ + β (λ − λ̂)/h)  along t          K_t = k_t t tᵀ,  K = K_t + N/l (I − t tᵀ)          λ̂  stretch at q̂
 * Both in one are the gradient of V + (β/2h) EA/λ₀ Δu (λ − λ̂)², which is V at q̂: a step of implicit Euler loses at least what damping takes.
 *
 * Per segment, with m = ρA Δu, F = Δx/Δu, a = ẋ₀ − F u̇₀, b = ẋ₁ − F u̇₁ [Wen 2020, Eq. 11, consistent mass]:
 *     A₀₀ = A₁₁ = Jᵀ (m/3 (1 + αh) I + K_L) J,   A₁₀ = Jᵀ (m/6 (1 + αh) I − K_L) J,   J = [I, −F]
 * Segments between two L-nodes take a short path: their u rows stay unit rows. A sliding node whose u is held for a while
 * has its full row here; whoever holds it cancels the row and reads the force off it.
 */
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { BlockBanded } from '../sparse/index.ts';
import type { CurveChain } from './chain.ts';

export interface AxialStage {
  /** Length of the implicit stage [s]. */
  h: number;
  /** Whether forces are taken at q̂ with their change linearised (first iteration), not at q̂ + h v. */
  linearized: boolean;
  /**
   * Whether iterates settle on M(q) v − M(q̂) v̂ = h (f + ∂T/∂q), which keeps momentum to rounding. For integrators of first order:
   * stages of higher order do not start from M(q̂) v̂.
   */
  keepsMomentum?: boolean;
  massDamping: number;
  stiffnessDamping: number;
  gravity: Float64Array;
}

/** Overwrites bands 0 and 1 of `matrix` and `rhs` with the axial system of the chain. */
export function writeAxialSystem(chain: CurveChain, stage: AxialStage, matrix: BlockBanded, rhs: Float64Array): void {
  const { q, v, qBase, vBase, kind, count } = chain;
  const { h, massDamping: alpha, stiffnessDamping: beta } = stage;
  const diag = matrix.bands[0];
  const off = matrix.bands[1];
  const rhoA = chain.material.linearDensity;
  const rest = chain.material.restFactor;
  const EA = chain.material.stretchStiffness / rest;
  const gx = stage.gravity[0];
  const gy = stage.gravity[1];
  const gz = stage.gravity[2];
  const stiff = h * h + beta * h;
  const isDamped = beta > 0 && !stage.linearized;
  const lag = beta / h;
  const massScale = 1 + alpha * h;
  const isExact = stage.keepsMomentum === true && !stage.linearized;
  for (let k = 0; k < 16; k++) diag[k] = 0;
  for (let k = 0; k < 4; k++) rhs[k] = 0;
  for (let e = 0; e < count - 1; e++) {
    const i = 4 * e;
    const j = i + 4;
    const D = 16 * e;
    const N = D + 16;
    const e0 = kind[e] !== NODE_LAGRANGIAN;
    const e1 = kind[e + 1] !== NODE_LAGRANGIAN;
    const du = q[j + 3] - q[i + 3];
    const inv = 1 / du;
    const dx = q[j] - q[i];
    const dy = q[j + 1] - q[i + 1];
    const dz = q[j + 2] - q[i + 2];
    const l = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const il = 1 / l;
    const tx = dx * il;
    const ty = dy * il;
    const tz = dz * il;
    const lambda = l * inv;
    const tension = EA * (lambda - rest);
    // what damping adds to the tension
    let damping = 0;
    if (isDamped) {
      const Dx = qBase[j] - qBase[i];
      const Dy = qBase[j + 1] - qBase[i + 1];
      const Dz = qBase[j + 2] - qBase[i + 2];
      const before = Math.sqrt(Dx * Dx + Dy * Dy + Dz * Dz) / (qBase[j + 3] - qBase[i + 3]);
      damping = lag * EA * (lambda - before);
    }
    const kt = EA * inv;
    const whole = tension + damping;
    const sn = whole > 0 ? h * h * whole * il : 0;
    const sd = stiff * kt - sn;
    const m6 = (rhoA * du) / 6;
    const half = 3 * m6 * h;

    // velocities of the material at both ends: iterate (a, b) and what inertia asks of it (z = v̂ − v − αh v)
    const fx = dx * inv;
    const fy = dy * inv;
    const fz = dz * inv;
    const s0 = e0 ? v[i + 3] : 0;
    const s1 = e1 ? v[j + 3] : 0;
    let ax = v[i];
    let ay = v[i + 1];
    let az = v[i + 2];
    let bx = v[j];
    let by = v[j + 1];
    let bz = v[j + 2];
    let zax = vBase[i];
    let zay = vBase[i + 1];
    let zaz = vBase[i + 2];
    let zbx = vBase[j];
    let zby = vBase[j + 1];
    let zbz = vBase[j + 2];
    if (e0) {
      ax -= fx * s0;
      ay -= fy * s0;
      az -= fz * s0;
      const w = vBase[i + 3];
      zax -= fx * w;
      zay -= fy * w;
      zaz -= fz * w;
    }
    if (e1) {
      bx -= fx * s1;
      by -= fy * s1;
      bz -= fz * s1;
      const w = vBase[j + 3];
      zbx -= fx * w;
      zby -= fy * w;
      zbz -= fz * w;
    }
    zax -= massScale * ax;
    zay -= massScale * ay;
    zaz -= massScale * az;
    zbx -= massScale * bx;
    zby -= massScale * by;
    zbz -= massScale * bz;

    // K_L (b − a): what the linearised stretch answers; damping else
    const wx = bx - ax;
    const wy = by - ay;
    const wz = bz - az;
    const across = stage.linearized ? sn : 0;
    const along = stage.linearized ? sd * (wx * tx + wy * ty + wz * tz) : h * damping;
    const px = across * wx + along * tx;
    const py = across * wy + along * ty;
    const pz = across * wz + along * tz;

    // forces that go through Jᵀ (R) and those that do not (tension and weight on x)
    const r0x = m6 * (2 * zax + zbx) + px;
    const r0y = m6 * (2 * zay + zby) + py;
    const r0z = m6 * (2 * zaz + zbz) + pz;
    const r1x = m6 * (zax + 2 * zbx) - px;
    const r1y = m6 * (zay + 2 * zby) - py;
    const r1z = m6 * (zaz + 2 * zbz) - pz;
    const pull = h * tension;
    rhs[i] += r0x + pull * tx + half * gx;
    rhs[i + 1] += r0y + pull * ty + half * gy;
    rhs[i + 2] += r0z + pull * tz + half * gz;
    rhs[j] = r1x - pull * tx + half * gx;
    rhs[j + 1] = r1y - pull * ty + half * gy;
    rhs[j + 2] = r1z - pull * tz + half * gz;
    rhs[j + 3] = 0;

    // x–x blocks
    const cm = m6 * massScale;
    const kxx = sd * tx * tx + sn;
    const kyy = sd * ty * ty + sn;
    const kzz = sd * tz * tz + sn;
    const kxy = sd * tx * ty;
    const kxz = sd * tx * tz;
    const kyz = sd * ty * tz;
    const c2 = 2 * cm;
    diag[D] += c2 + kxx;
    diag[D + 1] += kxy;
    diag[D + 2] += kxz;
    diag[D + 4] += kxy;
    diag[D + 5] += c2 + kyy;
    diag[D + 6] += kyz;
    diag[D + 8] += kxz;
    diag[D + 9] += kyz;
    diag[D + 10] += c2 + kzz;
    diag[N] = c2 + kxx;
    diag[N + 1] = kxy;
    diag[N + 2] = kxz;
    diag[N + 4] = kxy;
    diag[N + 5] = c2 + kyy;
    diag[N + 6] = kyz;
    diag[N + 8] = kxz;
    diag[N + 9] = kyz;
    diag[N + 10] = c2 + kzz;
    off[D] = cm - kxx;
    off[D + 1] = -kxy;
    off[D + 2] = -kxz;
    off[D + 4] = -kxy;
    off[D + 5] = cm - kyy;
    off[D + 6] = -kyz;
    off[D + 8] = -kxz;
    off[D + 9] = -kyz;
    off[D + 10] = cm - kzz;
    off[D + 3] = off[D + 7] = off[D + 11] = 0;
    off[D + 12] = off[D + 13] = off[D + 14] = off[D + 15] = 0;
    diag[N + 3] = diag[N + 7] = diag[N + 11] = 0;
    diag[N + 12] = diag[N + 13] = diag[N + 14] = 0;
    diag[N + 15] = e1 ? 0 : 1;
    if (!(e0 || e1)) continue;

    // rows and columns of the free material coordinates: −F and F·F times the scalar of the block
    const same = c2 + stiff * kt;
    const other = cm - stiff * kt;
    const ff = fx * fx + fy * fy + fz * fz;
    if (e0) {
      diag[D + 3] -= same * fx;
      diag[D + 7] -= same * fy;
      diag[D + 11] -= same * fz;
      diag[D + 12] -= same * fx;
      diag[D + 13] -= same * fy;
      diag[D + 14] -= same * fz;
      diag[D + 15] += same * ff;
      off[D + 3] = -other * fx;
      off[D + 7] = -other * fy;
      off[D + 11] = -other * fz;
    }
    if (e1) {
      diag[N + 3] = diag[N + 12] = -same * fx;
      diag[N + 7] = diag[N + 13] = -same * fy;
      diag[N + 11] = diag[N + 14] = -same * fz;
      diag[N + 15] = same * ff;
      off[D + 12] = -other * fx;
      off[D + 13] = -other * fy;
      off[D + 14] = -other * fz;
    }
    if (e0 && e1) off[D + 15] = other * ff;

    // c = Ṁ v − ∂T/∂q
    const rate = (s1 - s0) * inv;
    const dfx = wx * inv;
    const dfy = wy * inv;
    const dfz = wz * inv;
    const pax = m6 * (2 * ax + bx);
    const pay = m6 * (2 * ay + by);
    const paz = m6 * (2 * az + bz);
    const pbx = m6 * (ax + 2 * bx);
    const pby = m6 * (ay + 2 * by);
    const pbz = m6 * (az + 2 * bz);
    const kinetic = 0.5 * (pax * ax + pay * ay + paz * az + pbx * bx + pby * by + pbz * bz);
    const ggx = (pax * s0 + pbx * s1) * inv;
    const ggy = (pay * s0 + pby * s1) * inv;
    const ggz = (paz * s0 + pbz * s1) * inv;
    const w0 = m6 * (2 * s0 + s1);
    const w1 = m6 * (s0 + 2 * s1);
    let c0x = rate * pax - dfx * w0 - ggx;
    let c0y = rate * pay - dfy * w0 - ggy;
    let c0z = rate * paz - dfz * w0 - ggz;
    let c1x = rate * pbx - dfx * w1 + ggx;
    let c1y = rate * pby - dfy * w1 + ggy;
    let c1z = rate * pbz - dfz * w1 + ggz;
    if (isExact) {
      // h Ṁ v as what M(q) v̂ is more than M(q̂) v̂
      const du0 = qBase[j + 3] - qBase[i + 3];
      const inv0 = 1 / du0;
      const n6 = (rhoA * du0) / 6;
      const perStep = 1 / h;
      const S0 = e0 ? vBase[i + 3] : 0;
      const S1 = e1 ? vBase[j + 3] : 0;
      const Fx = (qBase[j] - qBase[i]) * inv0;
      const Fy = (qBase[j + 1] - qBase[i + 1]) * inv0;
      const Fz = (qBase[j + 2] - qBase[i + 2]) * inv0;
      const first = 2 * S0 + S1;
      const second = S0 + 2 * S1;
      const X0 = 2 * vBase[i] + vBase[j];
      const Y0 = 2 * vBase[i + 1] + vBase[j + 1];
      const Z0 = 2 * vBase[i + 2] + vBase[j + 2];
      const X1 = vBase[i] + 2 * vBase[j];
      const Y1 = vBase[i + 1] + 2 * vBase[j + 1];
      const Z1 = vBase[i + 2] + 2 * vBase[j + 2];
      c0x = perStep * (m6 * (X0 - fx * first) - n6 * (X0 - Fx * first)) - ggx;
      c0y = perStep * (m6 * (Y0 - fy * first) - n6 * (Y0 - Fy * first)) - ggy;
      c0z = perStep * (m6 * (Z0 - fz * first) - n6 * (Z0 - Fz * first)) - ggz;
      c1x = perStep * (m6 * (X1 - fx * second) - n6 * (X1 - Fx * second)) + ggx;
      c1y = perStep * (m6 * (Y1 - fy * second) - n6 * (Y1 - Fy * second)) + ggy;
      c1z = perStep * (m6 * (Z1 - fz * second) - n6 * (Z1 - Fz * second)) + ggz;
    }
    rhs[i] -= h * c0x;
    rhs[i + 1] -= h * c0y;
    rhs[i + 2] -= h * c0z;
    rhs[j] -= h * c1x;
    rhs[j + 1] -= h * c1y;
    rhs[j + 2] -= h * c1z;
    const eshelby = 0.5 * EA * (lambda * lambda - rest * rest);
    const height = gx * (q[i] + q[j]) + gy * (q[i + 1] + q[j + 1]) + gz * (q[i + 2] + q[j + 2]);
    const weight = 0.5 * rhoA * height;
    const kineticRate = kinetic * inv;
    if (e0) {
      const cu = -(fx * c0x + fy * c0y + fz * c0z) - (dfx * pax + dfy * pay + dfz * paz) + kineticRate;
      rhs[i + 3] += -(fx * r0x + fy * r0y + fz * r0z) - h * (eshelby + weight + cu);
    }
    if (e1) {
      const cu = -(fx * c1x + fy * c1y + fz * c1z) - (dfx * pbx + dfy * pby + dfz * pbz) - kineticRate;
      rhs[j + 3] += -(fx * r1x + fy * r1y + fz * r1z) + h * (eshelby + weight - cu);
    }
  }
  if (kind[0] === NODE_LAGRANGIAN) diag[15] = 1;
}
