/**
 * Bending of curves, at vertices between two segments ([Jiang 2017] has none).
 *
 *     V = E I (θ − θ⁰)²/D,   D = l₁ + l₂ at rest          0 ──e₁──> 1 ──e₂──> 2      t = e/l,  c = t₁·t₂ = cos θ,  s = sin θ
 *     ∂V/∂e₁ = −k φ p₁/l₁,  p₁ = t₂ − c t₁,  ∂V/∂e₂ = −k φ p₂/l₂,  p₂ = t₁ − c t₂,      k = 2 E I/D,  φ = (θ − θ⁰)/s
 *     δφ = −χ δc,  χ = φ′/s = (1 − φ c)/s²
 *
 *   E I  bending stiffness [N m²]   θ  angle by which the curve turns, θ⁰ at rest [rad]
 * θ has no side: a curve that is bent at rest bends back by its angle, in whatever plane it lies (curves of the continuum have no twist). Where it is straight, or a
 * hairpin, and should not be, there is no direction to push in: s is not taken below `SMALLEST_SINE`.
 * Vertices where three and more segments meet do not bend, nor do those of broken segments. For a straight curve the energy is that of `curve/bending.ts`; here its
 * Hessian is exact, and material does not slide.
 */
import { computeAngle } from '../math/index.ts';
import { BROKEN } from './strength.ts';

const SMALLEST_SINE = 1e-6;

/** Bends of a curve: three coordinates of vertices each, as in `set`, their two segments, k and θ⁰. */
export interface BendTable {
  readonly bends: Int32Array;
  readonly segments: Int32Array;
  readonly stiffness: Float64Array;
  readonly restAngle: Float64Array;
}

export class CurveBending {
  /** Vertices 0, 1, 2 of bends as coordinates, 3 times a vertex; their two segments; k, θ⁰. */
  readonly #bends: Int32Array;
  readonly #segments: Int32Array;
  readonly #gain: Float64Array;
  readonly #stiffness: Float64Array;
  readonly #restAngle: Float64Array;
  readonly #g = new Float64Array(6);
  readonly #bend = new Bend();
  #x: Float64Array = new Float64Array(0);

  /**
   *   segments   2 vertices each   rest  places of vertices at rest, 3 each
   *   gain       BROKEN where a segment carries nothing, one each
   *   first      vertex that `segments` and `rest` count from, in the arrays that `set` and the others are given
   */
  constructor(segments: Int32Array, rest: ArrayLike<number>, stiffness: number, gain: Float64Array, first: number) {
    this.#gain = gain;
    const around = new Map<number, number[]>();
    segments.forEach((vertex, n) => {
      const list = around.get(vertex);
      if (list) list.push(n);
      else around.set(vertex, [n]);
    });
    const bends: number[] = [];
    const pairs: number[] = [];
    for (const [vertex, list] of around) {
      if (list.length !== 2) continue;
      const [p, q] = list;
      bends.push(3 * segments[p ^ 1], 3 * vertex, 3 * segments[q ^ 1]);
      pairs.push(p >> 1, q >> 1);
    }
    this.#bends = Int32Array.from(bends);
    this.#segments = Int32Array.from(pairs);
    const count = bends.length / 3;
    this.#stiffness = new Float64Array(count);
    this.#restAngle = new Float64Array(count);
    this.#x = Float64Array.from(rest);
    const bend = this.#bend;
    for (let n = 0; n < count; n++) {
      bend.set(this.#x, this.#bends, 3 * n);
      this.#stiffness[n] = (2 * stiffness) / (bend.first + bend.second);
      this.#restAngle[n] = bend.theta;
    }
    for (let k = 0; k < bends.length; k++) this.#bends[k] += 3 * first;
  }

  /** What kernels need to bend it. */
  createTable(): BendTable {
    return {
      bends: this.#bends,
      segments: this.#segments,
      stiffness: this.#stiffness,
      restAngle: this.#restAngle,
    };
  }

  /** Takes the places of vertices, 3 each, which must not change until forces have been asked for; returns V [J]. */
  set(x: Float64Array): number {
    this.#x = x;
    let energy = 0;
    for (let n = 0; n < this.#stiffness.length; n++) {
      if (this.#isBroken(n)) continue;
      this.#bend.set(x, this.#bends, 3 * n);
      const turn = this.#bend.theta - this.#restAngle[n];
      energy += 0.5 * this.#stiffness[n] * turn * turn;
    }
    return energy;
  }

  /** force −= ∂V/∂x, 3 a vertex. */
  addForces(force: Float64Array): void {
    const bend = this.#bend;
    const g = this.#g;
    for (let n = 0; n < this.#stiffness.length; n++) {
      if (this.#isBroken(n)) continue;
      bend.set(this.#x, this.#bends, 3 * n);
      bend.setForce(this.#restAngle[n]);
      const a = (-this.#stiffness[n] * bend.phi) / bend.first;
      const b = (-this.#stiffness[n] * bend.phi) / bend.second;
      for (let k = 0; k < 3; k++) {
        g[k] = a * (bend.t[3 + k] - bend.cosine * bend.t[k]);
        g[3 + k] = b * (bend.t[k] - bend.cosine * bend.t[3 + k]);
      }
      this.#addPush(n, force);
    }
  }

  /** force −= ∂²V/∂x² u, 3 a vertex, where `set` was last. */
  addForceChange(u: Float64Array, force: Float64Array): void {
    const bend = this.#bend;
    const { t, dt } = bend;
    const g = this.#g;
    for (let n = 0; n < this.#stiffness.length; n++) {
      if (this.#isBroken(n)) continue;
      bend.set(this.#x, this.#bends, 3 * n);
      bend.setForce(this.#restAngle[n]);
      bend.setChange(u, this.#bends, 3 * n);
      const { phi, cosine, cosineRate } = bend;
      const phiRate = -bend.chi * cosineRate;
      for (let k = 0; k < 3; k++) {
        const p = t[3 + k] - cosine * t[k];
        const q = t[k] - cosine * t[3 + k];
        const dp = dt[3 + k] - cosineRate * t[k] - cosine * dt[k];
        const dq = dt[k] - cosineRate * t[3 + k] - cosine * dt[3 + k];
        const scale = -this.#stiffness[n];
        g[k] = (scale * (phiRate * p + phi * dp - (phi * p * bend.firstRate) / bend.first)) / bend.first;
        g[3 + k] = (scale * (phiRate * q + phi * dq - (phi * q * bend.secondRate) / bend.second)) / bend.second;
      }
      this.#addPush(n, force);
    }
  }

  /** force −= the gradient by e₁ and e₂ in the work, at the three vertices. */
  #addPush(n: number, force: Float64Array): void {
    const g = this.#g;
    const a = this.#bends[3 * n];
    const b = this.#bends[3 * n + 1];
    const c = this.#bends[3 * n + 2];
    for (let k = 0; k < 3; k++) {
      force[a + k] += g[k];
      force[b + k] += g[3 + k] - g[k];
      force[c + k] -= g[3 + k];
    }
  }

  #isBroken(n: number): boolean {
    return this.#gain[this.#segments[2 * n]] === BROKEN || this.#gain[this.#segments[2 * n + 1]] === BROKEN;
  }
}

/** One bend: lengths, tangents, angle, and how they change. */
class Bend {
  /** l₁, l₂ and their change; t₁, t₂ and theirs. */
  first = 0;
  second = 0;
  firstRate = 0;
  secondRate = 0;
  readonly t = new Float64Array(6);
  readonly dt = new Float64Array(6);
  cosine = 0;
  sine = 0;
  theta = 0;
  cosineRate = 0;
  phi = 0;
  chi = 0;

  /** Vertices are at x[i…], i = bends[at…]. */
  set(x: Float64Array, bends: Int32Array, at: number): void {
    const { t } = this;
    const a = bends[at];
    const b = bends[at + 1];
    const c = bends[at + 2];
    for (let k = 0; k < 3; k++) {
      t[k] = x[b + k] - x[a + k];
      t[3 + k] = x[c + k] - x[b + k];
    }
    this.first = Math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    this.second = Math.sqrt(t[3] * t[3] + t[4] * t[4] + t[5] * t[5]);
    for (let k = 0; k < 3; k++) {
      t[k] /= this.first;
      t[3 + k] /= this.second;
    }
    const x1 = t[1] * t[5] - t[2] * t[4];
    const x2 = t[2] * t[3] - t[0] * t[5];
    const x3 = t[0] * t[4] - t[1] * t[3];
    this.sine = Math.sqrt(x1 * x1 + x2 * x2 + x3 * x3);
    this.cosine = t[0] * t[3] + t[1] * t[4] + t[2] * t[5];
    this.theta = computeAngle(this.sine, this.cosine);
  }

  /** φ and χ for the rest angle θ⁰. */
  setForce(rest: number): void {
    const { theta, cosine } = this;
    const s = Math.max(SMALLEST_SINE, this.sine);
    // θ/s and (1 − c θ/s)/s²: series where they cancel
    const square = theta * theta;
    const isStraight = cosine > 0 && theta < 0.02;
    const own = isStraight ? 1 + square * (1 / 6 + (7 / 360) * square) : theta / s;
    const ownChi = isStraight ? 1 / 3 + square * (2 / 15 + (2 / 45) * square) : (1 - own * cosine) / (s * s);
    this.phi = own - rest / s;
    this.chi = ownChi + (rest * cosine) / (s * s * s);
  }

  setChange(u: Float64Array, bends: Int32Array, at: number): void {
    const { t, dt } = this;
    const a = bends[at];
    const b = bends[at + 1];
    const c = bends[at + 2];
    for (let k = 0; k < 3; k++) {
      dt[k] = u[b + k] - u[a + k];
      dt[3 + k] = u[c + k] - u[b + k];
    }
    this.firstRate = dt[0] * t[0] + dt[1] * t[1] + dt[2] * t[2];
    this.secondRate = dt[3] * t[3] + dt[4] * t[4] + dt[5] * t[5];
    this.cosineRate = 0;
    for (let k = 0; k < 3; k++) {
      dt[k] = (dt[k] - this.firstRate * t[k]) / this.first;
      dt[3 + k] = (dt[3 + k] - this.secondRate * t[3 + k]) / this.second;
      this.cosineRate += dt[k] * t[3 + k] + t[k] * dt[3 + k];
    }
  }
}
