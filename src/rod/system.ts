/**
 * The linear system of one Newton iteration of a rod: inertia, weight, stretch, shear, bend and twist, damping.
 *
 *     A Δ = r,   A = (1 + αh) M + h² K,   r = M (v̂ − (1 + αh) v) + h f(q̂ + h v)           Δ  change of the iterate v
 *
 * Seven unknowns a node: ẋ (3), u̇, and ω of the segment that follows, in the axes of its frame (3); blocks of a chain of bandwidth 1:
 *     x, x′      consistent mass, stretch           x, ω      stretch (its shear)
 *     ω, ω′      bend and twist at the node between; rotary inertia on the diagonal
 *     u          a unit row where the material coordinate is given (`mesh-motion.ts`); nodes that slide over an edge have theirs from
 *                `sliding.ts`
 * One pass over the segments writes each block once: it needs the elements of a segment, of the one before, and of the bends at both ends.
 *
 * Rotary inertia: J (ω̇ − …) + ω × J ω with ω of the material, ω − κ u̇ [theory/rod#convected-frames].
 * Damping: strains lag by β (Kelvin–Voigt), N = C (Γ + β/h (Γ − Γ̂)), which leaves rigid motions alone.
 */
import type { AxialStage } from '../curve/index.ts';
import type { ChainPart } from '../model/index.ts';
import type { BlockBanded } from '../sparse/index.ts';
import { BendElement } from './energy-bend.ts';
import { StretchElement } from './energy-stretch.ts';
import { SegmentInertia } from './inertia.ts';
import { SlidingRows } from './sliding.ts';
import type { RodState } from './state.ts';

export const STRIDE = 7;
const SQUARE = STRIDE * STRIDE;

export interface RodStage extends AxialStage {
  /** Whether the stiffness is exact, not only its positive part. */
  isExact: boolean;
}

/** What an assembly works in; one for a rod. */
export class RodAssembly {
  readonly #stretch = new StretchElement();
  readonly #bend = new BendElement();
  readonly #inertia = new SegmentInertia();
  readonly #sliding = new SlidingRows();
  /** Right-hand side of the rotary inertia of a segment. */
  readonly #spin = new Float64Array(3);
  /** κ and u̇. */
  readonly #kappa = new Float64Array(4);

  /** Overwrites matrix and right-hand side. `isMoving`: whether any u̇ is other than 0. */
  write(state: RodState, stage: RodStage, isMoving: boolean, part: ChainPart): void {
    const { matrix, rhs } = part;
    part.late.length = 0;
    part.links.clear();
    matrix.blocks = state.count;
    this.#setDamping(state, stage);
    this.#writeGiven(state, stage, isMoving, matrix, rhs);
    if (isMoving && this.#sliding.begin(state)) this.#addSliding(state, stage, part);
  }

  #setDamping({ material, natural }: RodState, { h, stiffnessDamping }: RodStage): void {
    const { K, D } = this.#bend;
    for (let k = 0; k < 3; k++) {
      K[k] = material.bend[k];
      D[k] = (stiffnessDamping / h) * K[k];
    }
    natural.write(0, this.#bend.natural);
  }

  /** All rows but those of material coordinates that are free. */
  #writeGiven(state: RodState, stage: RodStage, isMoving: boolean, matrix: BlockBanded, rhs: Float64Array): void {
    const { chain, push } = state;
    const { q, pointMass, count } = chain;
    const { h } = stage;
    const hh = h * h;
    const scale = 1 + stage.massDamping * h;
    const diag = matrix.bands[0];
    const off = matrix.bands[1];
    const bend = this.#bend;
    const inertia = this.#inertia;
    const spin = this.#spin;
    const { gradient, xx, xd, dd } = this.#stretch;
    const { aa, ba, bb, gradient: moment } = bend;
    const { start, change, end } = inertia;
    const j0 = state.material.inertia[0];
    const j1 = state.material.inertia[1];
    const j2 = state.material.inertia[2];
    change.fill(0);
    // of the segment before: mass, stiffness, its bend with this one, and what it adds to the right-hand side
    let mass = 0;
    let p00 = 0;
    let p01 = 0;
    let p02 = 0;
    let p11 = 0;
    let p12 = 0;
    let p22 = 0;
    let b00 = 0;
    let b01 = 0;
    let b02 = 0;
    let b11 = 0;
    let b12 = 0;
    let b22 = 0;
    let end0 = 0;
    let end1 = 0;
    let end2 = 0;
    let pull0 = 0;
    let pull1 = 0;
    let pull2 = 0;
    let moment0 = 0;
    let moment1 = 0;
    let moment2 = 0;
    for (let e = 0; e < count - 1; e++) {
      const du = q[4 * e + 7] - q[4 * e + 3];
      if (isMoving) inertia.setMoving(chain, stage, e);
      else inertia.set(chain, stage, e);
      this.#setStretch(state, stage, e);
      if (e + 2 < count) this.#setBend(state, stage, e + 1);
      else bend.clear();
      this.#setSpin(state, stage, isMoving, e);
      const cm = inertia.sixth * scale;
      const both = mass + 2 * cm;
      mass = 2 * cm;
      const i = STRIDE * e;
      const d = SQUARE * e;
      const g0 = h * gradient[0];
      const g1 = h * gradient[1];
      const g2 = h * gradient[2];
      rhs[i] = end0 + start[0] - change[0] - pull0 + g0 + h * push[3 * e];
      rhs[i + 1] = end1 + start[1] - change[1] - pull1 + g1 + h * push[3 * e + 1];
      rhs[i + 2] = end2 + start[2] - change[2] - pull2 + g2 + h * push[3 * e + 2];
      rhs[i + 3] = 0;
      rhs[i + 4] = -h * gradient[3] - moment0 - h * moment[0] + spin[0];
      rhs[i + 5] = -h * gradient[4] - moment1 - h * moment[1] + spin[1];
      rhs[i + 6] = -h * gradient[5] - moment2 - h * moment[2] + spin[2];
      end0 = end[0];
      end1 = end[1];
      end2 = end[2];
      pull0 = g0;
      pull1 = g1;
      pull2 = g2;
      moment0 = h * moment[3];
      moment1 = h * moment[4];
      moment2 = h * moment[5];
      const k00 = hh * xx[0];
      const k01 = hh * xx[1];
      const k02 = hh * xx[2];
      const k11 = hh * xx[4];
      const k12 = hh * xx[5];
      const k22 = hh * xx[8];
      const t00 = hh * xd[0];
      const t01 = hh * xd[1];
      const t02 = hh * xd[2];
      const t10 = hh * xd[3];
      const t11 = hh * xd[4];
      const t12 = hh * xd[5];
      const t20 = hh * xd[6];
      const t21 = hh * xd[7];
      const t22 = hh * xd[8];
      diag[d + 0] = both + p00 + k00;
      diag[d + 1] = p01 + k01;
      diag[d + 2] = p02 + k02;
      diag[d + 3] = 0;
      diag[d + 4] = -t00;
      diag[d + 5] = -t01;
      diag[d + 6] = -t02;
      diag[d + 7] = p01 + k01;
      diag[d + 8] = both + p11 + k11;
      diag[d + 9] = p12 + k12;
      diag[d + 10] = 0;
      diag[d + 11] = -t10;
      diag[d + 12] = -t11;
      diag[d + 13] = -t12;
      diag[d + 14] = p02 + k02;
      diag[d + 15] = p12 + k12;
      diag[d + 16] = both + p22 + k22;
      diag[d + 17] = 0;
      diag[d + 18] = -t20;
      diag[d + 19] = -t21;
      diag[d + 20] = -t22;
      diag[d + 21] = 0;
      diag[d + 22] = 0;
      diag[d + 23] = 0;
      diag[d + 24] = 1;
      diag[d + 25] = 0;
      diag[d + 26] = 0;
      diag[d + 27] = 0;
      diag[d + 28] = -t00;
      diag[d + 29] = -t10;
      diag[d + 30] = -t20;
      diag[d + 31] = 0;
      diag[d + 32] = hh * dd[0] + b00 + hh * aa[0] + du * j0 * scale;
      diag[d + 33] = hh * dd[1] + b01 + hh * aa[1];
      diag[d + 34] = hh * dd[2] + b02 + hh * aa[2];
      diag[d + 35] = -t01;
      diag[d + 36] = -t11;
      diag[d + 37] = -t21;
      diag[d + 38] = 0;
      diag[d + 39] = hh * dd[3] + b01 + hh * aa[3];
      diag[d + 40] = hh * dd[4] + b11 + hh * aa[4] + du * j1 * scale;
      diag[d + 41] = hh * dd[5] + b12 + hh * aa[5];
      diag[d + 42] = -t02;
      diag[d + 43] = -t12;
      diag[d + 44] = -t22;
      diag[d + 45] = 0;
      diag[d + 46] = hh * dd[6] + b02 + hh * aa[6];
      diag[d + 47] = hh * dd[7] + b12 + hh * aa[7];
      diag[d + 48] = hh * dd[8] + b22 + hh * aa[8] + du * j2 * scale;
      off[d + 0] = cm - k00;
      off[d + 1] = -k01;
      off[d + 2] = -k02;
      off[d + 3] = 0;
      off[d + 4] = t00;
      off[d + 5] = t01;
      off[d + 6] = t02;
      off[d + 7] = -k01;
      off[d + 8] = cm - k11;
      off[d + 9] = -k12;
      off[d + 10] = 0;
      off[d + 11] = t10;
      off[d + 12] = t11;
      off[d + 13] = t12;
      off[d + 14] = -k02;
      off[d + 15] = -k12;
      off[d + 16] = cm - k22;
      off[d + 17] = 0;
      off[d + 18] = t20;
      off[d + 19] = t21;
      off[d + 20] = t22;
      off[d + 21] = 0;
      off[d + 22] = 0;
      off[d + 23] = 0;
      off[d + 24] = 0;
      off[d + 25] = 0;
      off[d + 26] = 0;
      off[d + 27] = 0;
      off[d + 28] = 0;
      off[d + 29] = 0;
      off[d + 30] = 0;
      off[d + 31] = 0;
      off[d + 32] = hh * ba[0];
      off[d + 33] = hh * ba[1];
      off[d + 34] = hh * ba[2];
      off[d + 35] = 0;
      off[d + 36] = 0;
      off[d + 37] = 0;
      off[d + 38] = 0;
      off[d + 39] = hh * ba[3];
      off[d + 40] = hh * ba[4];
      off[d + 41] = hh * ba[5];
      off[d + 42] = 0;
      off[d + 43] = 0;
      off[d + 44] = 0;
      off[d + 45] = 0;
      off[d + 46] = hh * ba[6];
      off[d + 47] = hh * ba[7];
      off[d + 48] = hh * ba[8];
      p00 = k00;
      p01 = k01;
      p02 = k02;
      p11 = k11;
      p12 = k12;
      p22 = k22;
      b00 = hh * bb[0];
      b01 = hh * bb[1];
      b02 = hh * bb[2];
      b11 = hh * bb[4];
      b12 = hh * bb[5];
      b22 = hh * bb[8];
      if (pointMass[e] !== 0) addPoint(state, stage, e, diag, rhs);
    }
    // the last node begins no segment
    const last = count - 1;
    const i = STRIDE * last;
    const d = SQUARE * last;
    diag.fill(0, d, d + SQUARE);
    off.fill(0, d, d + SQUARE);
    rhs[i] = end0 - pull0 + h * push[3 * last];
    rhs[i + 1] = end1 - pull1 + h * push[3 * last + 1];
    rhs[i + 2] = end2 - pull2 + h * push[3 * last + 2];
    diag[d] = mass + p00;
    diag[d + 8] = mass + p11;
    diag[d + 16] = mass + p22;
    diag[d + 1] = diag[d + 7] = p01;
    diag[d + 2] = diag[d + 14] = p02;
    diag[d + 9] = diag[d + 15] = p12;
    for (let k = 3; k < STRIDE; k++) {
      rhs[i + k] = 0;
      diag[d + (STRIDE + 1) * k] = 1;
    }
    if (pointMass[last] !== 0) addPoint(state, stage, last, diag, rhs);
  }

  #setStretch(state: RodState, stage: RodStage, e: number): void {
    const stretch = this.#stretch;
    const { C, D, base } = stretch;
    const { gammaBase } = state;
    const lag = stage.stiffnessDamping / stage.h;
    state.setStretch(stretch, e);
    D[0] = lag * C[0];
    D[1] = lag * C[1];
    D[2] = lag * C[2];
    base[0] = gammaBase[3 * e];
    base[1] = gammaBase[3 * e + 1];
    base[2] = gammaBase[3 * e + 2];
    stretch.set(state.chain.q, 4 * e, state.frame, 4 * e);
    stretch.setStiffness(stage.isExact);
  }

  #setBend(state: RodState, stage: RodStage, i: number): void {
    const bend = this.#bend;
    const { base } = bend;
    const { kappaBase, natural, frame } = state;
    const { q } = state.chain;
    base[0] = kappaBase[3 * i];
    base[1] = kappaBase[3 * i + 1];
    base[2] = kappaBase[3 * i + 2];
    if (!natural.isEven) natural.write(q[4 * i + 3], bend.natural);
    bend.setAt(frame, i, q);
    bend.setStiffness(stage.isExact);
  }

  /** Rotary inertia of segment e. */
  #setSpin(state: RodState, stage: RodStage, isMoving: boolean, e: number): void {
    const { omega, spinBase, material } = state;
    const { q } = state.chain;
    const du = q[4 * e + 7] - q[4 * e + 3];
    const { h } = stage;
    const scale = 1 + stage.massDamping * h;
    const kappa = this.#kappa;
    const j0 = material.inertia[0];
    const j1 = material.inertia[1];
    const j2 = material.inertia[2];
    let w0 = omega[3 * e];
    let w1 = omega[3 * e + 1];
    let w2 = omega[3 * e + 2];
    if (isMoving) {
      writeSegmentStrain(state, e, kappa);
      const slip = kappa[3];
      w0 -= kappa[0] * slip;
      w1 -= kappa[1] * slip;
      w2 -= kappa[2] * slip;
    }
    this.#spin[0] = du * (j0 * (spinBase[3 * e] - scale * w0) - h * (j2 - j1) * w1 * w2);
    this.#spin[1] = du * (j1 * (spinBase[3 * e + 1] - scale * w1) - h * (j0 - j2) * w2 * w0);
    this.#spin[2] = du * (j2 * (spinBase[3 * e + 2] - scale * w2) - h * (j1 - j0) * w0 * w1);
  }

  /** Rows and columns of material coordinates that are free. */
  #addSliding(state: RodState, stage: RodStage, part: ChainPart): void {
    const { matrix, rhs } = part;
    const { count } = state;
    const sliding = this.#sliding.free;
    const { h } = stage;
    this.#sliding.addInertia(state, stage, matrix, rhs);
    for (let i = 0; i < count; i++) if (sliding[i]) part.late.push(STRIDE * i + 3);
    for (let e = 0; e < count - 1; e++) {
      if (!(sliding[e] || sliding[e + 1])) continue;
      this.#setStretch(state, stage, e);
      this.#sliding.addStretch(state, e, h, matrix, rhs, this.#stretch);
    }
    for (let i = 1; i < count - 1; i++) {
      if (!(sliding[i - 1] || sliding[i + 1])) continue;
      this.#setBend(state, stage, i);
      this.#sliding.addBend(i, h, part, this.#bend);
    }
  }
}

/** Writes κ at the middle of segment e as the stage began, mean of its nodes, and u̇ there, to out[0..3]. */
export function writeSegmentStrain({ chain, kappaBase }: RodState, e: number, out: Float64Array): void {
  const { v, count } = chain;
  const first = e > 0 ? e : 1;
  const second = e + 1 < count - 1 ? e + 1 : count - 2;
  for (let k = 0; k < 3; k++) out[k] = count > 2 ? 0.5 * (kappaBase[3 * first + k] + kappaBase[3 * second + k]) : 0;
  out[3] = 0.5 * (v[4 * e + 3] + v[4 * e + 7]);
}

/** A point mass with its weight. */
function addPoint({ chain }: RodState, stage: RodStage, i: number, diag: Float64Array, rhs: Float64Array): void {
  const { v, vBase, pointMass } = chain;
  const { h, gravity } = stage;
  const scale = 1 + stage.massDamping * h;
  for (let k = 0; k < 3; k++) {
    rhs[STRIDE * i + k] += pointMass[i] * (vBase[4 * i + k] - scale * v[4 * i + k] + h * gravity[k]);
    diag[SQUARE * i + STRIDE * k + k] += pointMass[i] * scale;
  }
}
