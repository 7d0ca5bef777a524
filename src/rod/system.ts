/**
 * The linear system of one Newton iteration of a rod: inertia, weight, stretch, shear, bend and twist, damping.
 *
 *     A Δ = r,   A = (1 + αh) M + h² K,   r = M (v̂ − (1 + αh) v) + h f(q̂ + h v)           Δ  change of the iterate v
 *
 * Seven unknowns a node: ẋ (3), u̇, and ω of the segment that follows, in the axes of its frame (3); blocks of a chain of bandwidth 1:
 *     x, x′      consistent mass, stretch           x, ω      stretch (its shear)
 *     ω, ω′      bend and twist at the node between; rotary inertia on the diagonal
 *     u          a unit row where the material coordinate is given (`mesh-motion.ts`); at nodes that slide over an edge the rows of
 *                J = [I, −F] (methods §1), with the Eshelby force. Of what bending adds there, only the diagonal is kept, so that it stays definite.
 * Nodes whose material moves take their inertia from `curve/axial.ts`, which has the terms Ṁ v − ∂T/∂q.
 *
 * Rotary inertia: J (ω̇ − …) + ω × J ω with ω of the material, ω − κ u̇ (the frame is convected, methods §5).
 * Damping: strains lag by β (Kelvin–Voigt), N = C (Γ + β/h (Γ − Γ̂)), which leaves rigid motions alone.
 */
import { type AxialStage, writeAxialSystem } from '../curve/index.ts';
import { BlockBanded } from '../sparse/index.ts';
import { BendElement } from './energy-bend.ts';
import { StretchElement } from './energy-stretch.ts';
import type { RodState } from './state.ts';

export const STRIDE = 7;
const SQUARE = STRIDE * STRIDE;
/** Inertia that holds u̇ of a sliding node near nothing, relative to that of its segments: w of (16). */
const REGULARISATION = 1e-6;

export interface RodStage extends AxialStage {
  /** Whether the stiffness is exact, not only its positive part. */
  isExact: boolean;
}

/** What an assembly works in; one for a rod. */
export class RodAssembly {
  readonly stretch = new StretchElement();
  readonly bend = new BendElement();
  /** Inertia of nodes whose material moves. */
  #axial = new BlockBanded(1, 4, 1);
  #axialRhs = new Float64Array(4);
  readonly #kappa = new Float64Array(3);

  /** Overwrites matrix and right-hand side. `isMoving`: whether any u̇ is other than 0. */
  write(state: RodState, stage: RodStage, isMoving: boolean, matrix: BlockBanded, rhs: Float64Array): void {
    const { count } = state;
    matrix.blocks = count;
    matrix.bands[0].fill(0, 0, SQUARE * count);
    matrix.bands[1].fill(0, 0, SQUARE * count);
    rhs.fill(0, 0, STRIDE * count);
    if (isMoving) this.#addMovingInertia(state, stage, matrix, rhs);
    else addInertia(state, stage, matrix, rhs);
    this.#addStretch(state, stage, matrix, rhs);
    this.#addBend(state, stage, matrix, rhs);
    this.#addSpin(state, stage, isMoving, matrix, rhs);
    addPoints(state, stage, matrix, rhs);
  }

  /** Inertia and weight where material moves through nodes; rows of u only where it is free. */
  #addMovingInertia(state: RodState, stage: RodStage, matrix: BlockBanded, rhs: Float64Array): void {
    const { chain, sliding, count } = state;
    if (this.#axial.capacity < count) this.#axial = new BlockBanded(state.capacity, 4, 1);
    if (this.#axialRhs.length < 4 * count) this.#axialRhs = new Float64Array(4 * state.capacity);
    const axial = this.#axial;
    axial.blocks = count;
    writeAxialSystem(chain, stage, axial, this.#axialRhs);
    const [diag, off] = matrix.bands;
    const [from, fromOff] = axial.bands;
    for (let i = 0; i < count; i++) {
      const rows = sliding[i] ? 4 : 3;
      const next = i + 1 < count && sliding[i + 1] ? 4 : 3;
      for (let r = 0; r < rows; r++) {
        rhs[STRIDE * i + r] += this.#axialRhs[4 * i + r];
        for (let c = 0; c < rows; c++) diag[SQUARE * i + STRIDE * r + c] += from[16 * i + 4 * r + c];
      }
      if (i + 1 === count) continue;
      for (let r = 0; r < next; r++)
        for (let c = 0; c < rows; c++) off[SQUARE * i + STRIDE * r + c] += fromOff[16 * i + 4 * r + c];
    }
    for (let i = 0; i < count; i++) {
      const at = SQUARE * i + 3 * STRIDE + 3;
      if (sliding[i]) {
        const hold = REGULARISATION * diag[at];
        diag[at] += hold;
        rhs[STRIDE * i + 3] -= hold * chain.v[4 * i + 3];
      } else diag[at] = 1;
    }
  }

  #addStretch(state: RodState, stage: RodStage, matrix: BlockBanded, rhs: Float64Array): void {
    const { chain, frame, sliding, gammaBase } = state;
    const { h, stiffnessDamping: beta, isExact } = stage;
    const { stretch } = this;
    const { C, D, base, gradient, xx, xd, dd } = stretch;
    const [diag, off] = matrix.bands;
    const { q } = chain;
    const hh = h * h;
    const lag = beta / h;
    for (let e = 0; e < chain.count - 1; e++) {
      state.setStretch(stretch, e);
      for (let k = 0; k < 3; k++) {
        D[k] = lag * C[k];
        base[k] = gammaBase[3 * e + k];
      }
      const du = q[4 * e + 7] - q[4 * e + 3];
      stretch.set(q, 4 * e, frame, 4 * e);
      stretch.setStiffness(du, isExact);
      const i = STRIDE * e;
      const j = i + STRIDE;
      const d = SQUARE * e;
      const n = d + SQUARE;
      let k = 0;
      rhs[i] += h * gradient[0];
      rhs[j] -= h * gradient[0];
      rhs[i + 4] -= h * gradient[3];
      rhs[i + 1] += h * gradient[1];
      rhs[j + 1] -= h * gradient[1];
      rhs[i + 5] -= h * gradient[4];
      rhs[i + 2] += h * gradient[2];
      rhs[j + 2] -= h * gradient[2];
      rhs[i + 6] -= h * gradient[5];
      k = hh * xx[0];
      diag[d] += k;
      diag[n] += k;
      off[d] -= k;
      k = hh * xd[0];
      diag[d + 4] -= k;
      diag[d + 28] -= k;
      off[d + 4] += k;
      diag[d + 32] += hh * dd[0];
      k = hh * xx[1];
      diag[d + 1] += k;
      diag[n + 1] += k;
      off[d + 1] -= k;
      k = hh * xd[1];
      diag[d + 5] -= k;
      diag[d + 35] -= k;
      off[d + 5] += k;
      diag[d + 33] += hh * dd[1];
      k = hh * xx[2];
      diag[d + 2] += k;
      diag[n + 2] += k;
      off[d + 2] -= k;
      k = hh * xd[2];
      diag[d + 6] -= k;
      diag[d + 42] -= k;
      off[d + 6] += k;
      diag[d + 34] += hh * dd[2];
      k = hh * xx[3];
      diag[d + 7] += k;
      diag[n + 7] += k;
      off[d + 7] -= k;
      k = hh * xd[3];
      diag[d + 11] -= k;
      diag[d + 29] -= k;
      off[d + 11] += k;
      diag[d + 39] += hh * dd[3];
      k = hh * xx[4];
      diag[d + 8] += k;
      diag[n + 8] += k;
      off[d + 8] -= k;
      k = hh * xd[4];
      diag[d + 12] -= k;
      diag[d + 36] -= k;
      off[d + 12] += k;
      diag[d + 40] += hh * dd[4];
      k = hh * xx[5];
      diag[d + 9] += k;
      diag[n + 9] += k;
      off[d + 9] -= k;
      k = hh * xd[5];
      diag[d + 13] -= k;
      diag[d + 43] -= k;
      off[d + 13] += k;
      diag[d + 41] += hh * dd[5];
      k = hh * xx[6];
      diag[d + 14] += k;
      diag[n + 14] += k;
      off[d + 14] -= k;
      k = hh * xd[6];
      diag[d + 18] -= k;
      diag[d + 30] -= k;
      off[d + 18] += k;
      diag[d + 46] += hh * dd[6];
      k = hh * xx[7];
      diag[d + 15] += k;
      diag[n + 15] += k;
      off[d + 15] -= k;
      k = hh * xd[7];
      diag[d + 19] -= k;
      diag[d + 37] -= k;
      off[d + 19] += k;
      diag[d + 47] += hh * dd[7];
      k = hh * xx[8];
      diag[d + 16] += k;
      diag[n + 16] += k;
      off[d + 16] -= k;
      k = hh * xd[8];
      diag[d + 20] -= k;
      diag[d + 44] -= k;
      off[d + 20] += k;
      diag[d + 48] += hh * dd[8];
      if (sliding[e] || sliding[e + 1]) this.#addSlidingStretch(state, e, h, matrix, rhs);
    }
  }

  /** Rows and columns of the free material coordinates of segment e: δy = δx − F δu, and the Eshelby force. */
  #addSlidingStretch(state: RodState, e: number, h: number, matrix: BlockBanded, rhs: Float64Array): void {
    const { chain, sliding } = state;
    const { gradient, xx, xd } = this.stretch;
    const [diag, off] = matrix.bands;
    const { q } = chain;
    const inv = 1 / (q[4 * e + 7] - q[4 * e + 3]);
    const hh = h * h;
    const d = SQUARE * e;
    const n = d + SQUARE;
    let whole = 0;
    for (let r = 0; r < 3; r++) {
      const fr = (q[4 * e + 4 + r] - q[4 * e + r]) * inv;
      let kF = 0;
      let turn = 0;
      for (let s = 0; s < 3; s++) {
        const fs = (q[4 * e + 4 + s] - q[4 * e + s]) * inv;
        kF += hh * xx[3 * r + s] * fs;
        turn += hh * xd[3 * s + r] * fs;
      }
      whole += fr * kF;
      if (sliding[e]) {
        diag[d + STRIDE * r + 3] -= kF;
        diag[d + STRIDE * 3 + r] -= kF;
        off[d + STRIDE * r + 3] += kF;
        diag[d + STRIDE * 3 + 4 + r] += turn;
        diag[d + STRIDE * (4 + r) + 3] += turn;
      }
      if (sliding[e + 1]) {
        diag[n + STRIDE * r + 3] -= kF;
        diag[n + STRIDE * 3 + r] -= kF;
        off[d + STRIDE * 3 + r] += kF;
        off[d + STRIDE * 3 + 4 + r] -= turn;
      }
    }
    if (sliding[e]) {
      diag[d + STRIDE * 3 + 3] += whole;
      rhs[STRIDE * e + 3] += h * gradient[6];
    }
    if (sliding[e + 1]) {
      diag[n + STRIDE * 3 + 3] += whole;
      rhs[STRIDE * (e + 1) + 3] -= h * gradient[6];
    }
    if (sliding[e] && sliding[e + 1]) off[d + STRIDE * 3 + 3] -= whole;
  }

  #addBend(state: RodState, stage: RodStage, matrix: BlockBanded, rhs: Float64Array): void {
    const { chain, frame, kappaBase, material, natural, sliding } = state;
    const { h, stiffnessDamping: beta, isExact } = stage;
    const { bend } = this;
    const { K, D, base, gradient, aa, ba, bb } = bend;
    const [diag, off] = matrix.bands;
    const { q, count } = chain;
    const hh = h * h;
    const lag = beta / h;
    for (let k = 0; k < 3; k++) {
      K[k] = material.bend[k];
      D[k] = lag * K[k];
    }
    for (let i = 1; i < count - 1; i++) {
      for (let k = 0; k < 3; k++) base[k] = kappaBase[3 * i + k];
      natural.write(q[4 * i + 3], bend.natural);
      const l = 0.5 * (q[4 * i + 7] - q[4 * i - 1]);
      bend.set(frame, 4 * i - 4, 4 * i, l);
      bend.setStiffness(l, isExact);
      const b = STRIDE * i + 4;
      const a = b - STRIDE;
      const dB = SQUARE * i + 4 * STRIDE + 4;
      const dA = dB - SQUARE;
      rhs[a] -= h * gradient[0];
      rhs[b] -= h * gradient[3];
      rhs[a + 1] -= h * gradient[1];
      rhs[b + 1] -= h * gradient[4];
      rhs[a + 2] -= h * gradient[2];
      rhs[b + 2] -= h * gradient[5];
      diag[dA] += hh * aa[0];
      diag[dB] += hh * bb[0];
      off[dA] += hh * ba[0];
      diag[dA + 1] += hh * aa[1];
      diag[dB + 1] += hh * bb[1];
      off[dA + 1] += hh * ba[1];
      diag[dA + 2] += hh * aa[2];
      diag[dB + 2] += hh * bb[2];
      off[dA + 2] += hh * ba[2];
      diag[dA + 7] += hh * aa[3];
      diag[dB + 7] += hh * bb[3];
      off[dA + 7] += hh * ba[3];
      diag[dA + 8] += hh * aa[4];
      diag[dB + 8] += hh * bb[4];
      off[dA + 8] += hh * ba[4];
      diag[dA + 9] += hh * aa[5];
      diag[dB + 9] += hh * bb[5];
      off[dA + 9] += hh * ba[5];
      diag[dA + 14] += hh * aa[6];
      diag[dB + 14] += hh * bb[6];
      off[dA + 14] += hh * ba[6];
      diag[dA + 15] += hh * aa[7];
      diag[dB + 15] += hh * bb[7];
      off[dA + 15] += hh * ba[7];
      diag[dA + 16] += hh * aa[8];
      diag[dB + 16] += hh * bb[8];
      off[dA + 16] += hh * ba[8];
      if (sliding[i - 1] || sliding[i + 1]) {
        const { strain } = bend;
        const rate = (K[0] * strain[0] ** 2 + K[1] * strain[1] ** 2 + K[2] * strain[2] ** 2) / l;
        for (let side = -1; side <= 1; side += 2) {
          if (!sliding[i + side]) continue;
          rhs[STRIDE * (i + side) + 3] -= 0.5 * side * h * gradient[6];
          diag[SQUARE * (i + side) + 3 * STRIDE + 3] += 0.25 * hh * rate;
        }
      }
    }
  }

  /** Rotary inertia. */
  #addSpin(state: RodState, stage: RodStage, isMoving: boolean, matrix: BlockBanded, rhs: Float64Array): void {
    const { chain, omega, spinBase, material } = state;
    const { q, count } = chain;
    const diag = matrix.bands[0];
    const scale = 1 + stage.massDamping * stage.h;
    const kappa = this.#kappa;
    const [j0, j1, j2] = material.inertia;
    for (let e = 0; e < count - 1; e++) {
      const du = q[4 * e + 7] - q[4 * e + 3];
      let w0 = omega[3 * e];
      let w1 = omega[3 * e + 1];
      let w2 = omega[3 * e + 2];
      if (isMoving) {
        const slip = writeSegmentStrain(state, e, kappa);
        w0 -= kappa[0] * slip;
        w1 -= kappa[1] * slip;
        w2 -= kappa[2] * slip;
      }
      const i = STRIDE * e + 4;
      const d = SQUARE * e + 4 * STRIDE + 4;
      const { h } = stage;
      diag[d] += du * j0 * scale;
      diag[d + STRIDE + 1] += du * j1 * scale;
      diag[d + 2 * STRIDE + 2] += du * j2 * scale;
      rhs[i] += du * (j0 * (spinBase[3 * e] - scale * w0) - h * (j2 - j1) * w1 * w2);
      rhs[i + 1] += du * (j1 * (spinBase[3 * e + 1] - scale * w1) - h * (j0 - j2) * w2 * w0);
      rhs[i + 2] += du * (j2 * (spinBase[3 * e + 2] - scale * w2) - h * (j1 - j0) * w0 * w1);
    }
    // the last node begins no segment
    for (let k = 4; k < STRIDE; k++) diag[SQUARE * (count - 1) + STRIDE * k + k] = 1;
  }
}

/** κ at the middle of segment e as the stage began, mean of its nodes; returns u̇ there. */
export function writeSegmentStrain({ chain, kappaBase }: RodState, e: number, out: Float64Array): number {
  const { v, count } = chain;
  const first = e > 0 ? e : 1;
  const second = e + 1 < count - 1 ? e + 1 : count - 2;
  for (let k = 0; k < 3; k++) out[k] = count > 2 ? 0.5 * (kappaBase[3 * first + k] + kappaBase[3 * second + k]) : 0;
  return 0.5 * (v[4 * e + 3] + v[4 * e + 7]);
}

/** Inertia and weight of nodes that material does not move through. */
function addInertia({ chain }: RodState, stage: RodStage, matrix: BlockBanded, rhs: Float64Array): void {
  const { q, v, vBase, count, material } = chain;
  const { h, gravity } = stage;
  const [diag, off] = matrix.bands;
  const scale = 1 + stage.massDamping * h;
  for (let e = 0; e < count - 1; e++) {
    const m6 = (material.linearDensity * (q[4 * e + 7] - q[4 * e + 3])) / 6;
    const cm = m6 * scale;
    for (let k = 0; k < 3; k++) {
      const at = SQUARE * e + STRIDE * k + k;
      diag[at] += 2 * cm;
      diag[at + SQUARE] += 2 * cm;
      off[at] += cm;
      const a = vBase[4 * e + k] - scale * v[4 * e + k];
      const b = vBase[4 * e + 4 + k] - scale * v[4 * e + 4 + k];
      const weight = 3 * m6 * h * gravity[k];
      rhs[STRIDE * e + k] += m6 * (2 * a + b) + weight;
      rhs[STRIDE * (e + 1) + k] += m6 * (a + 2 * b) + weight;
    }
  }
  for (let i = 0; i < count; i++) diag[SQUARE * i + 3 * STRIDE + 3] = 1;
}

/** Point masses with their weight, and forces of drivers. */
function addPoints({ chain, push }: RodState, stage: RodStage, matrix: BlockBanded, rhs: Float64Array): void {
  const { v, vBase, pointMass, count } = chain;
  const { h, gravity } = stage;
  const diag = matrix.bands[0];
  const scale = 1 + stage.massDamping * h;
  for (let i = 0; i < count; i++) {
    const m = pointMass[i];
    for (let k = 0; k < 3; k++) {
      rhs[STRIDE * i + k] += h * push[3 * i + k];
      if (m === 0) continue;
      rhs[STRIDE * i + k] += m * (vBase[4 * i + k] - scale * v[4 * i + k] + h * gravity[k]);
      diag[SQUARE * i + STRIDE * k + k] += m * scale;
    }
  }
}
