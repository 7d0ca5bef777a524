/**
 * Inertia, stretch, weight and damping of all yarns in one pass over the segments between EoL sides: the hot loop of a fabric. As `curve/axial.ts`
 * does for one chain, whose formulas these are (there: derivation and symbols); a test holds the two together.
 *
 *     A += Jᵀ(c M_L + s K_L)J      r += M (v̂ − v) + h (f − c − αM v) − h² K v (while linearised)        J = [I, −F]
 *
 * Stiffness damping is that of curves (Kelvin–Voigt): it resists the change of the stretch over the step and acts along the segment, as tension does,
 *     N = EA (λ − 1) + β EA (λ − λ̂)/h          K_L = (1 + β/h) EA/Δu ttᵀ + N/l (I − ttᵀ)          λ̂  stretch at q̂
 * A rigid motion is not damped. K v would take a segment that rotates by φ in a step for one that is stretched by φ²/2: in a knit that relaxes, whose segments rotate by
 * 0.1 rad per step, that leaves strains of some percent.
 *
 * Segments skip EIL sides: with x interpolated, two segments have the energy and the inertia of the one they are parts of. `sideForce` collects what
 * r has of each side in x, over h: the force of a yarn on its node, inertia included.
 */
import type { FabricStage } from './stage.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';

/**
 * Largest negative stiffness across a segment, relative to what its inertia just bears. The two nodes move against each other with inertia m c/6 (consistent, c = 1 + αh) and stiffness 2 s k:
 * the segment, and with it the matrix, is positive definite for −k < m c/(12 s).
 */
const DEFINITE = 0.9 / 2;

/** `values`: of the matrix, or null for the right-hand side alone. */
export function addSegments(
  state: FabricState,
  stencils: Stencils,
  stage: FabricStage,
  values: Float64Array | null,
  rhs: Float64Array,
  sideForce: Float64Array | null,
): void {
  const { q, v, qBase, vBase, yarnCount } = state;
  const { segmentStart, pattern } = stencils;
  const { sides, slots } = stencils.segments;
  const { columnStart } = pattern;
  const { h, massDamping: alpha, stiffnessDamping: beta } = stage;
  const [gx, gy, gz] = stage.gravity;
  const stiff = h * h + beta * h;
  const product = (stage.linearized ? h * h : 0) + beta * h;
  const massScale = 1 + alpha * h;
  const lowest = -DEFINITE * massScale;
  const isExact = stage.keepsMomentum && !stage.linearized;
  const perStep = 1 / h;
  const isDamped = beta > 0 && !stage.linearized;
  for (let y = 0; y < yarnCount; y++) {
    const material = state.materialOf(y);
    const rhoA = material.linearDensity;
    const rest = material.restFactor ?? 1;
    const EA = material.stretchStiffness / rest;
    for (let e = segmentStart[y]; e < segmentStart[y + 1]; e++) {
      const s = sides[2 * e];
      const t = sides[2 * e + 1];
      const i = 5 * (s >> 1);
      const j = 5 * (t >> 1);
      const iu = i + 3 + (s & 1);
      const ju = j + 3 + (t & 1);
      const du = q[ju] - q[iu];
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
      // h times the damping's pull, and the stiffness across
      let damped = 0;
      let across = tension * il;
      if (isDamped || stage.isGuess) {
        const Dx = qBase[j] - qBase[i];
        const Dy = qBase[j + 1] - qBase[i + 1];
        const Dz = qBase[j + 2] - qBase[i + 2];
        const l0 = Math.sqrt(Dx * Dx + Dy * Dy + Dz * Dz);
        const before = l0 / (qBase[ju] - qBase[iu]);
        if (isDamped) damped = product * perStep * EA * (lambda - before);
        across = stage.isGuess ? (EA * (before - rest)) / l0 : (tension + perStep * damped) * il;
      }
      const kt = EA * inv;
      const m6 = (rhoA * du) / 6;
      // as far below zero as the segment's inertia leaves definite
      const kn = across > 0 ? across : stage.isExact ? Math.max(across, (lowest * m6) / (h * h)) : 0;
      const half = 3 * m6 * h;
      const fx = dx * inv;
      const fy = dy * inv;
      const fz = dz * inv;
      const s0 = v[iu];
      const s1 = v[ju];
      const ax = v[i] - fx * s0;
      const ay = v[i + 1] - fy * s0;
      const az = v[i + 2] - fz * s0;
      const bx = v[j] - fx * s1;
      const by = v[j + 1] - fy * s1;
      const bz = v[j + 2] - fz * s1;
      const S0 = vBase[iu];
      const S1 = vBase[ju];
      const zax = vBase[i] - fx * S0 - massScale * ax;
      const zay = vBase[i + 1] - fy * S0 - massScale * ay;
      const zaz = vBase[i + 2] - fz * S0 - massScale * az;
      const zbx = vBase[j] - fx * S1 - massScale * bx;
      const zby = vBase[j + 1] - fy * S1 - massScale * by;
      const zbz = vBase[j + 2] - fz * S1 - massScale * bz;
      const wx = bx - ax;
      const wy = by - ay;
      const wz = bz - az;
      const turned = stage.linearized && kn > 0 ? h * h * kn : 0;
      const rateAlong = wx * tx + wy * ty + wz * tz;
      const along = (stage.linearized ? stiff * kt * rateAlong : damped) - turned * rateAlong;
      const px = turned * wx + along * tx;
      const py = turned * wy + along * ty;
      const pz = turned * wz + along * tz;
      let r0x = m6 * (2 * zax + zbx) + px;
      let r0y = m6 * (2 * zay + zby) + py;
      let r0z = m6 * (2 * zaz + zbz) + pz;
      let r1x = m6 * (zax + 2 * zbx) - px;
      let r1y = m6 * (zay + 2 * zby) - py;
      let r1z = m6 * (zaz + 2 * zbz) - pz;
      let r0u = -(fx * r0x + fy * r0y + fz * r0z);
      let r1u = -(fx * r1x + fy * r1y + fz * r1z);

      // c = Ṁ v − ∂T/∂q
      if (s0 !== 0 || s1 !== 0 || S0 !== 0 || S1 !== 0) {
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
        let c0x: number;
        let c0y: number;
        let c0z: number;
        let c1x: number;
        let c1y: number;
        let c1z: number;
        if (isExact) {
          // h Ṁ v as what M(q) v̂ is more than M(q̂) v̂
          const du0 = qBase[ju] - qBase[iu];
          const inv0 = 1 / du0;
          const n6 = (rhoA * du0) / 6;
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
        } else {
          const w0 = m6 * (2 * s0 + s1);
          const w1 = m6 * (s0 + 2 * s1);
          c0x = rate * pax - dfx * w0 - ggx;
          c0y = rate * pay - dfy * w0 - ggy;
          c0z = rate * paz - dfz * w0 - ggz;
          c1x = rate * pbx - dfx * w1 + ggx;
          c1y = rate * pby - dfy * w1 + ggy;
          c1z = rate * pbz - dfz * w1 + ggz;
        }
        const change = kinetic * inv;
        r0u -= h * (-(fx * c0x + fy * c0y + fz * c0z) - (dfx * pax + dfy * pay + dfz * paz) + change);
        r1u -= h * (-(fx * c1x + fy * c1y + fz * c1z) - (dfx * pbx + dfy * pby + dfz * pbz) - change);
        r0x -= h * c0x;
        r0y -= h * c0y;
        r0z -= h * c0z;
        r1x -= h * c1x;
        r1y -= h * c1y;
        r1z -= h * c1z;
      }

      const pull = h * tension;
      r0x += pull * tx + half * gx;
      r0y += pull * ty + half * gy;
      r0z += pull * tz + half * gz;
      r1x += half * gx - pull * tx;
      r1y += half * gy - pull * ty;
      r1z += half * gz - pull * tz;
      const eshelby = 0.5 * EA * (lambda * lambda - rest * rest);
      const height = gx * (q[i] + q[j]) + gy * (q[i + 1] + q[j + 1]) + gz * (q[i + 2] + q[j + 2]);
      const weight = h * (eshelby + 0.5 * rhoA * height);
      rhs[i] += r0x;
      rhs[i + 1] += r0y;
      rhs[i + 2] += r0z;
      rhs[iu] += r0u - weight;
      rhs[j] += r1x;
      rhs[j + 1] += r1y;
      rhs[j + 2] += r1z;
      rhs[ju] += r1u + weight;
      if (sideForce !== null) {
        sideForce[3 * s] += perStep * r0x;
        sideForce[3 * s + 1] += perStep * r0y;
        sideForce[3 * s + 2] += perStep * r0z;
        sideForce[3 * t] += perStep * r1x;
        sideForce[3 * t + 1] += perStep * r1y;
        sideForce[3 * t + 2] += perStep * r1z;
      }
      if (values === null) continue;

      const cm = m6 * massScale;
      const c2 = 2 * cm;
      const sn = h * h * kn;
      const sd = stiff * kt - sn;
      const kxx = sd * tx * tx + sn;
      const kyy = sd * ty * ty + sn;
      const kzz = sd * tz * tz + sn;
      const kxy = sd * tx * ty;
      const kxz = sd * tx * tz;
      const kyz = sd * ty * tz;
      const same = c2 + stiff * kt;
      const other = cm - stiff * kt;
      const ff = fx * fx + fy * fy + fz * fz;
      for (let side = s; ; side = t) {
        const D = 25 * columnStart[side >> 1];
        const c = 3 + (side & 1);
        const r = D + 5 * c;
        values[D] += c2 + kxx;
        values[D + 1] += kxy;
        values[D + 2] += kxz;
        values[D + 5] += kxy;
        values[D + 6] += c2 + kyy;
        values[D + 7] += kyz;
        values[D + 10] += kxz;
        values[D + 11] += kyz;
        values[D + 12] += c2 + kzz;
        values[D + c] -= same * fx;
        values[D + 5 + c] -= same * fy;
        values[D + 10 + c] -= same * fz;
        values[r] -= same * fx;
        values[r + 1] -= same * fy;
        values[r + 2] -= same * fz;
        values[r + c] += same * ff;
        if (side === t) break;
      }
      // the block of the pair is symmetric but for where its u are
      const O = 25 * slots[e];
      const isFirstRow = s > t;
      const r = O + 5 * (3 + ((isFirstRow ? s : t) & 1));
      const c = 3 + ((isFirstRow ? t : s) & 1);
      values[O] += cm - kxx;
      values[O + 1] -= kxy;
      values[O + 2] -= kxz;
      values[O + 5] -= kxy;
      values[O + 6] += cm - kyy;
      values[O + 7] -= kyz;
      values[O + 10] -= kxz;
      values[O + 11] -= kyz;
      values[O + 12] += cm - kzz;
      values[O + c] -= other * fx;
      values[O + 5 + c] -= other * fy;
      values[O + 10 + c] -= other * fz;
      values[r] -= other * fx;
      values[r + 1] -= other * fy;
      values[r + 2] -= other * fz;
      values[r + c] += other * ff;
    }
  }
}
