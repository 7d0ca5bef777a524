/**
 * Bending at an inner node of a curve.   V = EI θ² / D,   D = u₂ − u₀                         [theory/curves#bending]
 *   EI  bending stiffness [N m²]     θ  turning angle between the two segments [rad]     D  material length [m]
 *
 *        0 ──e₁──> 1 ──e₂──> 2        t_i = e_i/l_i,  c = cos θ = t₁·t₂,  ρ = θ/sin θ
 *
 *     θ ∂θ/∂e₁ = −ρ (t₂ − c t₁)/l₁,   θ ∂θ/∂e₂ = −ρ (t₁ − c t₂)/l₂,   ∂V/∂D = −EI θ²/D²
 *
 * Where a guide bends the curve sharply, θ stays while the neighbours' u runs by, and D with it: the force would jump at
 * every remeshing. There the bend is spread over a fixed length D₀ (`span`), the rest spacing on both sides.
 *
 * Nodes that come and go beside a guide lend each other length (`strand/bend-loan.ts`), which is given back as the material
 * runs on by s from where it was lent, s the way of the guide's u:
 *     D = D₀ + L g(s)   at the guide        D = (u₂ − u₀)(1 + L g(s))   at a node beside it
 *     g = (1 − s²/R²)²  for |s| < R = REACH·D₀ of the guide, else 0
 *
 * Stiffness: Gauss–Newton in the plane of the bend, r = θ √(2EI/D), plus the positive part ρ(1 + c)/2 of the exact
 * second derivative out of it. Exact for a straight curve, positive semi-definite everywhere.
 */
import { computeAngle } from '../math/index.ts';
import type { CurveChain } from './chain.ts';
import type { CurveEnergy } from './energy.ts';
import type { CurveMaterial } from './material.ts';

/** How far the material runs until a loan is given back, relative to the length the guide's bend is spread over. */
const REACH = 0.3;

/** Turning angle of a stencil and its two stiffness directions; belongs to one loop, never shared between worlds. */
export class BendingStencil {
  /** EI [N m²]; not an argument of `set`, because a number passed on there would be allocated for each node. */
  bendingStiffness = 0;
  /** Material length the bend is spread over [m], in place of D = u₂ − u₀; 0 takes D. */
  span = 0;
  /** ∂D/∂u₀, ∂D/∂u₁, ∂D/∂u₂. */
  readonly slope = Float64Array.of(-1, 0, 1);
  theta = 0;
  /** Whether the two segments are in line, so that the bend has no plane. */
  isStraight = false;
  /** V [J]. */
  energy = 0;
  /** ∂V/∂e₁, ∂V/∂e₂ and ∂V/∂D. */
  readonly gradient = new Float64Array(7);
  /** Rows of the stiffness: k₁ w₁ w₁ᵀ + k₂ w₂ w₂ᵀ, 12 coordinates each. */
  readonly inPlane = new Float64Array(12);
  readonly outOfPlane = new Float64Array(12);
  inPlaneStiffness = 0;
  outOfPlaneStiffness = 0;
  readonly #binormal = new Float64Array(3);

  /** Takes the length that the bend at node i of a chain is spread over. */
  setSpan(chain: CurveChain, i: number): void {
    const { q, label, bendSpan, bendLoan } = chain;
    const { slope } = this;
    const n = label[i];
    const rest = bendSpan[n];
    this.span = rest;
    slope[0] = rest > 0 ? 0 : -1;
    slope[1] = 0;
    slope[2] = rest > 0 ? 0 : 1;
    if (bendLoan[n] === 0) return;
    const e = findLender(chain, i);
    const s = e < 0 ? 1 : computeLoanPhase(chain, i, q[4 * e + 3]);
    const rise = 1 - s * s;
    if (!(rise > 0)) return;
    const D = rest > 0 ? 1 : q[4 * i + 7] - q[4 * i - 1];
    const share = (rest > 0 ? rest : 1) + bendLoan[n] * rise * rise;
    this.span = D * share;
    slope[0] *= share;
    slope[2] *= share;
    slope[1 + e - i] -= (4 * D * bendLoan[n] * rise * s) / computeReach(chain, i);
  }

  /** Reads nodes at coordinates `at`, `at + 4`, `at + 8` of q. */
  set(q: ArrayLike<number>, at: number): void {
    const EI = this.bendingStiffness;
    const e1x = q[at + 4] - q[at];
    const e1y = q[at + 5] - q[at + 1];
    const e1z = q[at + 6] - q[at + 2];
    const e2x = q[at + 8] - q[at + 4];
    const e2y = q[at + 9] - q[at + 5];
    const e2z = q[at + 10] - q[at + 6];
    const { span } = this;
    const D = span > 0 ? span : q[at + 11] - q[at + 3];
    const l1 = Math.sqrt(e1x * e1x + e1y * e1y + e1z * e1z);
    const l2 = Math.sqrt(e2x * e2x + e2y * e2y + e2z * e2z);
    const il1 = 1 / l1;
    const il2 = 1 / l2;
    const ax = e1x * il1;
    const ay = e1y * il1;
    const az = e1z * il1;
    const bx = e2x * il2;
    const by = e2y * il2;
    const bz = e2z * il2;
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
    this.isStraight = !(s > 1e-7) && c > 0;
    this.energy = (EI * theta * theta) / D;
    const { gradient } = this;
    const g1 = -k * ratio * il1;
    const g2 = -k * ratio * il2;
    gradient[0] = g1 * (bx - c * ax);
    gradient[1] = g1 * (by - c * ay);
    gradient[2] = g1 * (bz - c * az);
    gradient[3] = g2 * (ax - c * bx);
    gradient[4] = g2 * (ay - c * by);
    gradient[5] = g2 * (az - c * bz);
    gradient[6] = -this.energy / D;
    this.inPlaneStiffness = k;
    this.outOfPlaneStiffness = k * ratio * 0.5 * (1 + c);
    const b = this.#binormal;
    if (s > 1e-7) {
      const is = 1 / s;
      b[0] = nx * is;
      b[1] = ny * is;
      b[2] = nz * is;
    } else writePerpendicular(ax, ay, az, b);
    const px = b[0];
    const py = b[1];
    const pz = b[2];
    // in the plane: b × t₁ points from t₁ towards t₂, t₂ × b from t₂ towards t₁
    const { inPlane: w, outOfPlane: o } = this;
    const w0 = (py * az - pz * ay) * il1;
    const w1 = (pz * ax - px * az) * il1;
    const w2 = (px * ay - py * ax) * il1;
    const w8 = (bz * py - by * pz) * il2;
    const w9 = (bx * pz - bz * px) * il2;
    const w10 = (by * px - bx * py) * il2;
    w[0] = w0;
    w[1] = w1;
    w[2] = w2;
    w[4] = -w0 - w8;
    w[5] = -w1 - w9;
    w[6] = -w2 - w10;
    w[8] = w8;
    w[9] = w9;
    w[10] = w10;
    const both = -il1 - il2;
    o[0] = px * il1;
    o[1] = py * il1;
    o[2] = pz * il1;
    o[4] = px * both;
    o[5] = py * both;
    o[6] = pz * both;
    o[8] = px * il2;
    o[9] = py * il2;
    o[10] = pz * il2;
    const perLength = -theta / (2 * D);
    w[3] = perLength * this.slope[0];
    w[7] = perLength * this.slope[1];
    w[11] = perLength * this.slope[2];
  }
}

/** The guide's node that length is lent by, node i itself or one beside it; −1 if it is neither. */
export function findLender({ label, bendGuide }: CurveChain, i: number): number {
  const guide = bendGuide[label[i]];
  return guide === label[i] ? i : guide === label[i - 1] ? i - 1 : guide === label[i + 1] ? i + 1 : -1;
}

const computeReach = ({ label, bendSpan, bendGuide }: CurveChain, i: number): number =>
  REACH * bendSpan[bendGuide[label[i]]];

/** s/R of the loan of node i when the guide's material coordinate is u. */
export function computeLoanPhase(chain: CurveChain, i: number, u: number): number {
  const { bendOrigin, label, period } = chain;
  const slid = u - bendOrigin[label[i]];
  return (period > 0 ? slid - period * Math.round(slid / period) : slid) / computeReach(chain, i);
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
  const length = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  for (let k = 0; k < 3; k++) out[k] /= length;
}

function createStencil(q: ArrayLike<number>, at: number, material: CurveMaterial): BendingStencil {
  const stencil = new BendingStencil();
  stencil.bendingStiffness = material.bendingStiffness;
  stencil.set(q, at);
  return stencil;
}

export const BENDING: CurveEnergy = {
  name: 'bending',
  title: 'bending',
  formula: 'V = EI θ² / (Δu₁ + Δu₂)',
  nodes: 3,
  internal: true,
  computeEnergy(q, at, material) {
    const stencil = createStencil(q, at, material);
    return stencil.energy;
  },
  addForce(q, at, material, _gravity, out) {
    const stencil = createStencil(q, at, material);
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
    const stencil = createStencil(q, at, material);
    const { inPlane: w, outOfPlane: o, inPlaneStiffness: k1, outOfPlaneStiffness: k2 } = stencil;
    for (let r = 0; r < 12; r++) for (let c = 0; c < 12; c++) out[12 * r + c] += k1 * w[r] * w[c] + k2 * o[r] * o[c];
  },
};
