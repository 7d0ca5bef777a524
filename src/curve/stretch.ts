/**
 * Axial stretch of a curve.   V = ½ EA λ₀ Δu (λ/λ₀ − 1)²,  λ = l/Δu,  l = ‖Δx‖   [Sánchez-Banderas 2020, Eq. 2; theory/curves#stretch]
 *   EA  axial stiffness [N]     Δu  material length [m]     λ  stretch [1]     t = Δx/l     T = EA (λ/λ₀ − 1) tension [N]
 *   λ₀  natural length over material length [1]: 1 unless the curve shrinks or grows. Mass goes with u and stays.
 *
 *     ∂V/∂Δx = T t          ∂V/∂Δu = −½ EA/λ₀ (λ² − λ₀²)     (Eshelby force; −F·f_s of [Jiang 2020] misses ψ)
 *     K = Jᵀ (k_t t tᵀ + k_n (I − t tᵀ)) J,  k_t = EA/(λ₀ Δu),  k_n = T/l
 * exact in tension; in compression k_n is set to 0, which keeps K positive semi-definite.
 */
import { computeHypot3 } from '../math/index.ts';
import type { CurveEnergy } from './energy.ts';

export const STRETCH: CurveEnergy = {
  name: 'stretch',
  title: 'axial stretch',
  formula: 'V = ½ EA λ₀ Δu (λ/λ₀ − 1)²',
  nodes: 2,
  internal: true,
  computeEnergy(q, at, material) {
    const du = q[at + 7] - q[at + 3];
    const l = computeHypot3(q[at + 4] - q[at], q[at + 5] - q[at + 1], q[at + 6] - q[at + 2]);
    const rest = material.restFactor ?? 1;
    return 0.5 * (material.stretchStiffness / rest) * du * (l / du - rest) ** 2;
  },
  addForce(q, at, material, _gravity, out) {
    const rest = material.restFactor ?? 1;
    const EA = material.stretchStiffness / rest;
    const [dx, dy, dz, du] = [q[at + 4] - q[at], q[at + 5] - q[at + 1], q[at + 6] - q[at + 2], q[at + 7] - q[at + 3]];
    const l = computeHypot3(dx, dy, dz);
    const stretch = l / du;
    const pull = (EA * (stretch - rest)) / l;
    const eshelby = 0.5 * EA * (stretch * stretch - rest * rest);
    out[at] += pull * dx;
    out[at + 1] += pull * dy;
    out[at + 2] += pull * dz;
    out[at + 3] -= eshelby;
    out[at + 4] -= pull * dx;
    out[at + 5] -= pull * dy;
    out[at + 6] -= pull * dz;
    out[at + 7] += eshelby;
  },
  addStiffness(q, at, material, _gravity, out) {
    const rest = material.restFactor ?? 1;
    const EA = material.stretchStiffness / rest;
    const d = [q[at + 4] - q[at], q[at + 5] - q[at + 1], q[at + 6] - q[at + 2]];
    const du = q[at + 7] - q[at + 3];
    const l = computeHypot3(d[0], d[1], d[2]);
    const kt = EA / du;
    const kn = Math.max(0, EA * (l / du - rest)) / l;
    // w = J-direction of a stretch, (t, −λ); the transverse part acts on x alone because F ∥ t
    for (let r = 0; r < 4; r++)
      for (let c = 0; c < 4; c++) {
        const wr = r < 3 ? d[r] / l : -l / du;
        const wc = c < 3 ? d[c] / l : -l / du;
        const across = r < 3 && c < 3 ? kn * ((r === c ? 1 : 0) - (d[r] * d[c]) / (l * l)) : 0;
        const k = kt * wr * wc + across;
        out[r * 8 + c] += k;
        out[(r + 4) * 8 + c + 4] += k;
        out[r * 8 + c + 4] -= k;
        out[(r + 4) * 8 + c] -= k;
      }
  },
};
