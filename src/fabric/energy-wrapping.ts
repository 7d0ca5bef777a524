/**
 * Wrapping at a stitch contact of a knit.   V = ½ k_w L r²,   r = F(α) F(β) (ψ − ψ₀)      [theory/fabric#forces-at-a-crossing]
 *     k_w  wrapping stiffness [N/rad²]     L  rest spacing [m], constant     ψ₀  rest angle [rad]
 *
 *     x₀       x₃           two yarns wind round each other between the crossings x₁ and x₂ of a stitch;
 *       ╲a   b╱             x₀ and x₃ are the neighbours of one of them outside the stitch
 *        x₁─e─x₂            ψ  angle from a to b about e, right-handed, seen along e:
 *                           sin ψ ∝ e·(a × b)|e|,  cos ψ ∝ (e × a)·(e × b)
 *     a = x₀ − x₁,   e = x₂ − x₁,   b = x₃ − x₂            stencil   x₀ x₁ x₂ x₃
 *     G(w) = |e| (e × w)/|e × w|²
 *     ∂ψ/∂a = −G(a),   ∂ψ/∂b = G(b),   ∂ψ/∂e = (e·a G(a) − e·b G(b))/e²
 * The last one follows from ψ being unchanged by rotation and by the length of e; second derivatives are those of G.
 *
 * Chosen: how far the yarns wind is read from how far the arms of one yarn turn about the segment they share, with one term for each yarn;
 * the source speaks of the angle between the two yarns and does not fix its arms. ψ − ψ₀ is taken to the nearest turn,
 * so that the jump of ψ from π to −π does not show; V jumps half a turn away from rest only.
 *     F(α) = sin α √((1 + s²)/(sin² α + s²))      α, β  angles of the arms to e,   s = 0.3
 * An arm along e has no angle about it: a yarn that is drawn straight would turn by half of one within a breath, with a force without bound (Newton's iterations end there). F takes
 * V to 0 with the square of the arm's distance from the line, so that the force falls to 0, too. The positive matrix is k_w L ∇r ∇rᵀ (Gauss–Newton).
 */
import { computeAngle } from '../math/index.ts';
import { AngleBetween, writeCross } from './angle.ts';
import { addFromVectors, type FabricTerm } from './term.ts';

/** Vectors a, e, b of the four points. */
const ARMS = [
  [1, -1, 0, 0],
  [0, -1, 1, 0],
  [0, 0, -1, 1],
];
/** sin² of the angle of an arm to e below which it has no direction about e. */
const ALONG = 1e-14;
/** s² and √(1 + s²) of F. */
const FADES = 0.09;
const FULL = Math.sqrt(1 + FADES);

export class StitchWrapping implements FabricTerm {
  readonly size = 12;
  energy = 0;
  readonly gradient = new Float64Array(12);
  readonly hessian = new Float64Array(144);
  /** k_w [N/rad²]. */
  stiffness: number;
  /** L [m]. */
  length: number;
  /** ψ₀ [rad]. */
  restAngle: number;
  /** ψ of the stencil set last [rad], −π to π. */
  angle = 0;
  readonly #slope = new Float64Array(9);
  readonly #dr = new Float64Array(9);
  readonly #gradient = new Float64Array(9);
  readonly #hessian = new Float64Array(81);
  readonly #a = new Float64Array(3);
  readonly #e = new Float64Array(3);
  readonly #b = new Float64Array(3);
  readonly #ea = new Float64Array(3);
  readonly #eb = new Float64Array(3);
  readonly #fadeA = new ArmFade(0);
  readonly #fadeB = new ArmFade(6);

  constructor(stiffness: number, length: number, restAngle: number) {
    this.stiffness = stiffness;
    this.length = length;
    this.restAngle = restAngle;
  }

  set(q: ArrayLike<number>, isExact: boolean): void {
    const [a, e, b, ea, eb, slope] = [this.#a, this.#e, this.#b, this.#ea, this.#eb, this.#slope];
    for (let k = 0; k < 3; k++) {
      a[k] = q[k] - q[3 + k];
      e[k] = q[6 + k] - q[3 + k];
      b[k] = q[9 + k] - q[6 + k];
    }
    writeCross(e, a, ea);
    writeCross(e, b, eb);
    const [ee, aa, bb] = [dot(e, e), dot(ea, ea), dot(eb, eb)];
    this.gradient.fill(0);
    this.hessian.fill(0);
    this.energy = 0;
    if (!(aa > ALONG * ee * dot(a, a) && bb > ALONG * ee * dot(b, b))) return;
    // |e| e·(a × b) = b·(e × a)|e|
    const sine = dot(b, ea) * Math.sqrt(ee);
    this.angle = Math.sign(sine || 1) * computeAngle(Math.abs(sine), dot(ea, eb));
    let off = this.angle - this.restAngle;
    off -= 2 * Math.PI * Math.round(off / (2 * Math.PI));
    const k = this.stiffness * this.length;
    const l = Math.sqrt(ee);
    const [alongA, alongB] = [dot(e, a) / ee, dot(e, b) / ee];
    for (let r = 0; r < 3; r++) {
      const [ga, gb] = [(l * ea[r]) / aa, (l * eb[r]) / bb];
      slope[r] = -ga;
      slope[3 + r] = alongA * ga - alongB * gb;
      slope[6 + r] = gb;
    }
    const [first, second] = [this.#fadeA, this.#fadeB];
    first.set(a, e);
    second.set(b, e);
    const both = first.value * second.value;
    const rest = both * off;
    this.energy = 0.5 * k * rest * rest;
    const [g, H, dr, fa, fb] = [this.#gradient, this.#hessian, this.#dr, first.gradient, second.gradient];
    for (let r = 0; r < 9; r++) {
      dr[r] = both * slope[r] + off * (second.value * fa[r] + first.value * fb[r]);
      g[r] = k * rest * dr[r];
    }
    for (let r = 0; r < 9; r++) for (let c = 0; c < 9; c++) H[9 * r + c] = k * dr[r] * dr[c];
    if (isExact) {
      this.#addArm(a, ea, aa, ee, 0, -k * rest * both);
      this.#addArm(b, eb, bb, ee, 6, k * rest * both);
      first.addHessian(k * rest * off * second.value, H);
      second.addHessian(k * rest * off * first.value, H);
      for (let r = 0; r < 9; r++)
        for (let c = 0; c < 9; c++)
          H[9 * r + c] +=
            k *
            rest *
            (off * (fa[r] * fb[c] + fb[r] * fa[c]) +
              slope[r] * (second.value * fa[c] + first.value * fb[c]) +
              slope[c] * (second.value * fa[r] + first.value * fb[r]));
    }
    addFromVectors(ARMS, 3, g, H, this);
  }

  /** Adds scale × second derivatives of the angle of arm w about e, the angle whose ∂/∂w is G(w) and ∂/∂e −(e·w)/e² G(w). */
  #addArm(w: Float64Array, m: Float64Array, M: number, ee: number, at: number, scale: number): void {
    const [H, e] = [this.#hessian, this.#e];
    const l = Math.sqrt(ee);
    const s = dot(e, w) / ee;
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++) {
        // ∂G/∂w = |e|/M (I − 2 m mᵀ/M)[e]×,   ∂G/∂e = m eᵀ/(|e| M) − |e|/M (I − 2 m mᵀ/M)[w]×
        const G = (l * m[r]) / M;
        const byArm = (l / M) * (crossEntry(e, r, c) - (2 * m[r] * rowTimesCross(m, e, c)) / M);
        const byAxis =
          (m[r] * e[c]) / (l * M) - (l / M) * (crossEntry(w, r, c) - (2 * m[r] * rowTimesCross(m, w, c)) / M);
        H[9 * (at + r) + at + c] += scale * byArm;
        H[9 * (at + r) + 3 + c] += scale * byAxis;
        H[9 * (3 + r) + at + c] -= scale * ((G * e[c]) / ee + s * byArm);
        H[9 * (3 + r) + 3 + c] -= scale * (G * (w[c] - 2 * s * e[c]) * (1 / ee) + s * byAxis);
      }
  }
}

/** F of an arm w, whose coordinates are at `at` of (a, e, b), with its derivatives. */
class ArmFade {
  value = 0;
  readonly gradient = new Float64Array(9);
  readonly #angle = new AngleBetween();
  readonly #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  set(w: Float64Array, e: Float64Array): void {
    const angle = this.#angle;
    angle.set(w[0], w[1], w[2], e[0], e[1], e[2]);
    const { sine, cosine, slope } = angle;
    const root = Math.sqrt(sine * sine + FADES);
    this.value = (FULL * sine) / root;
    const rise = (FULL * FADES * cosine) / (root * root * root);
    for (let r = 0; r < 3; r++) {
      this.gradient[this.#at + r] = rise * slope[r];
      this.gradient[3 + r] = rise * slope[3 + r];
    }
  }

  /** Adds scale × ∂²F to 9 × 9. */
  addHessian(scale: number, out: Float64Array): void {
    const angle = this.#angle;
    const { sine, cosine } = angle;
    const square = sine * sine + FADES;
    const root = Math.sqrt(square);
    const bySine = (FULL * FADES) / (square * root);
    const twice = (-3 * FULL * FADES * sine) / (square * square * root);
    angle.setEnergy(bySine * cosine, twice * cosine * cosine - bySine * sine, (bySine * cosine) / sine);
    const { hessian } = angle;
    const place = (i: number): number => (i < 3 ? this.#at + i : i);
    for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) out[9 * place(i) + place(j)] += scale * hessian[6 * i + j];
  }
}

const dot = (a: Float64Array, b: Float64Array): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Entry of [w]×, the matrix with [w]× d = w × d. */
function crossEntry(w: Float64Array, row: number, column: number): number {
  if (row === column) return 0;
  const third = 3 - row - column;
  return (column - row + 3) % 3 === 1 ? -w[third] : w[third];
}

/** Entry of mᵀ [w]×, which is (m × w)ᵀ. */
function rowTimesCross(m: Float64Array, w: Float64Array, column: number): number {
  const [i, j] = [(column + 1) % 3, (column + 2) % 3];
  return m[i] * w[j] - m[j] * w[i];
}
