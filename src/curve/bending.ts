/**
 * Bending at an inner node of a curve.   V = EI θ² / D,   D = u₂ − u₀                                    [methods §2]
 *   EI  bending stiffness [N m²]     θ  turning angle between the two segments [rad]     D  material length [m]
 *
 *        0 ──e₁──> 1 ──e₂──> 2        t_i = e_i/l_i,  c = cos θ = t₁·t₂,  ρ = θ/sin θ
 *
 *     θ ∂θ/∂e₁ = −ρ (t₂ − c t₁)/l₁,   θ ∂θ/∂e₂ = −ρ (t₁ − c t₂)/l₂,   ∂V/∂D = −EI θ²/D²
 *
 * Stiffness: Gauss–Newton in the plane of the bend, r = θ √(2EI/D), plus the positive part ρ(1 + c)/2 of the exact
 * second derivative out of it. Exact for a straight curve, positive semi-definite everywhere.
 */
import { computeAngle } from '../math/index.ts';
import type { CurveEnergy } from './energy.ts';

/** Turning angle of a stencil and its two stiffness directions; belongs to one loop, never shared between worlds. */
export class BendingStencil {
  theta = 0;
  /** V [J]. */
  energy = 0;
  /** ∂V/∂e₁, ∂V/∂e₂ and ∂V/∂D. */
  readonly gradient = new Float64Array(7);
  /** Rows of the stiffness: k₁ w₁ w₁ᵀ + k₂ w₂ w₂ᵀ, 12 coordinates each. */
  readonly inPlane = new Float64Array(12);
  readonly outOfPlane = new Float64Array(12);
  inPlaneStiffness = 0;
  outOfPlaneStiffness = 0;
  readonly #m1 = new Float64Array(3);
  readonly #m2 = new Float64Array(3);
  readonly #b = new Float64Array(3);

  /** Reads nodes at coordinates `at`, `at + 4`, `at + 8` of q. */
  set(q: ArrayLike<number>, at: number, EI: number): void {
    const e1x = q[at + 4] - q[at];
    const e1y = q[at + 5] - q[at + 1];
    const e1z = q[at + 6] - q[at + 2];
    const e2x = q[at + 8] - q[at + 4];
    const e2y = q[at + 9] - q[at + 5];
    const e2z = q[at + 10] - q[at + 6];
    const D = q[at + 11] - q[at + 3];
    const l1 = Math.sqrt(e1x * e1x + e1y * e1y + e1z * e1z);
    const l2 = Math.sqrt(e2x * e2x + e2y * e2y + e2z * e2z);
    const ax = e1x / l1;
    const ay = e1y / l1;
    const az = e1z / l1;
    const bx = e2x / l2;
    const by = e2y / l2;
    const bz = e2z / l2;
    const nx = ay * bz - az * by;
    const ny = az * bx - ax * bz;
    const nz = ax * by - ay * bx;
    const s = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const c = ax * bx + ay * by + az * bz;
    const theta = computeAngle(s, c);
    // a hairpin (θ → π) has no bending direction; the floor on sin θ bounds its force
    const ratio = s > 1e-7 ? theta / s : c > 0 ? 1 : theta / 1e-7;
    const k = (2 * EI) / D;
    this.theta = theta;
    this.energy = (EI * theta * theta) / D;
    const { gradient } = this;
    gradient[0] = (-k * ratio * (bx - c * ax)) / l1;
    gradient[1] = (-k * ratio * (by - c * ay)) / l1;
    gradient[2] = (-k * ratio * (bz - c * az)) / l1;
    gradient[3] = (-k * ratio * (ax - c * bx)) / l2;
    gradient[4] = (-k * ratio * (ay - c * by)) / l2;
    gradient[5] = (-k * ratio * (az - c * bz)) / l2;
    gradient[6] = -this.energy / D;
    this.inPlaneStiffness = k;
    this.outOfPlaneStiffness = k * ratio * 0.5 * (1 + c);
    const m1 = this.#m1;
    const m2 = this.#m2;
    const b = this.#b;
    if (s > 1e-7) {
      b[0] = nx / s;
      b[1] = ny / s;
      b[2] = nz / s;
    } else writePerpendicular(ax, ay, az, b);
    // m₁ = b × t₁ points from t₁ towards t₂; m₂ = t₂ × b from t₂ towards t₁
    m1[0] = b[1] * az - b[2] * ay;
    m1[1] = b[2] * ax - b[0] * az;
    m1[2] = b[0] * ay - b[1] * ax;
    m2[0] = by * b[2] - bz * b[1];
    m2[1] = bz * b[0] - bx * b[2];
    m2[2] = bx * b[1] - by * b[0];
    const { inPlane: w, outOfPlane: o } = this;
    for (let d = 0; d < 3; d++) {
      w[d] = m1[d] / l1;
      w[8 + d] = -m2[d] / l2;
      w[4 + d] = -w[d] - w[8 + d];
      o[d] = b[d] / l1;
      o[8 + d] = b[d] / l2;
      o[4 + d] = -o[d] - o[8 + d];
    }
    w[3] = theta / (2 * D);
    w[11] = -w[3];
  }
}

function writePerpendicular(x: number, y: number, z: number, out: Float64Array): void {
  // cross product with the axis that the direction is farthest from
  if (Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z)) {
    out[0] = 0;
    out[1] = z;
    out[2] = -y;
  } else if (Math.abs(y) <= Math.abs(z)) {
    out[0] = -z;
    out[1] = 0;
    out[2] = x;
  } else {
    out[0] = y;
    out[1] = -x;
    out[2] = 0;
  }
  const length = Math.hypot(out[0], out[1], out[2]);
  for (let k = 0; k < 3; k++) out[k] /= length;
}

export const BENDING: CurveEnergy = {
  name: 'bending',
  title: 'bending',
  formula: 'V = EI θ² / (Δu₁ + Δu₂)',
  nodes: 3,
  internal: true,
  computeEnergy(q, at, material) {
    const stencil = new BendingStencil();
    stencil.set(q, at, material.bendingStiffness);
    return stencil.energy;
  },
  addForce(q, at, material, _gravity, out) {
    const stencil = new BendingStencil();
    stencil.set(q, at, material.bendingStiffness);
    const { gradient } = stencil;
    for (let k = 0; k < 3; k++) {
      out[at + k] += gradient[k];
      out[at + 4 + k] -= gradient[k] - gradient[3 + k];
      out[at + 8 + k] -= gradient[3 + k];
    }
    out[at + 3] += gradient[6];
    out[at + 11] -= gradient[6];
  },
  addStiffness(q, at, material, _gravity, out) {
    const stencil = new BendingStencil();
    stencil.set(q, at, material.bendingStiffness);
    const { inPlane: w, outOfPlane: o, inPlaneStiffness: k1, outOfPlaneStiffness: k2 } = stencil;
    for (let r = 0; r < 12; r++) for (let c = 0; c < 12; c++) out[12 * r + c] += k1 * w[r] * w[c] + k2 * o[r] * o[c];
  },
};
