/**
 * What nodes add to the system of a rod (`system.ts`) whose material coordinate is free, as that of nodes that slide over an edge: their
 * rows and columns of u.
 *
 *     inertia   those of `curve/axial.ts`, J = [I, −F] [theory/eol#inertia]
 *     stretch   δy = δx − F δu, and the Eshelby force
 *     bend      force and stiffness by the material length at the nodes beside it
 *
 * A bend turns with the frames before and behind it and changes with the u of both its neighbours: three blocks, one more than the band has. So each
 * free u is eliminated last (`ChainPart.late`), and what lies outside the band is a link. Without that Newton loses a digit in three iterations
 * instead of one.
 */
import { writeAxialSystem } from '../curve/index.ts';
import { CANCEL_U, type ChainPart } from '../model/index.ts';
import { BlockBanded } from '../sparse/index.ts';
import type { BendElement } from './energy-bend.ts';
import type { StretchElement } from './energy-stretch.ts';
import type { RodState } from './state.ts';
import type { RodStage } from './system.ts';

const STRIDE = 7;
const SQUARE = STRIDE * STRIDE;
/** Row and column of u. */
const U = 3;
/** Inertia that holds u̇ of a sliding node near nothing, relative to that of its segments: w of (16). */
const REGULARISATION = 1e-6;

export class SlidingRows {
  #axial = new BlockBanded(1, 4, 1);
  #axialRhs = new Float64Array(4);
  /** Stiffness of a bend by its length. */
  readonly #stiffness = new Float64Array(7);
  /** Nodes whose u̇ is an unknown. */
  free = new Uint8Array(0);

  /** Which nodes are free to slide; whether any is. */
  begin({ chain, sliding, count, capacity }: RodState): boolean {
    if (this.free.length < count) this.free = new Uint8Array(capacity);
    let isAny = false;
    for (let i = 0; i < count; i++) {
      this.free[i] = sliding[i] && !(chain.cancelled[i] & CANCEL_U) ? 1 : 0;
      if (this.free[i]) isAny = true;
    }
    return isAny;
  }

  /** Inertia, of all sliding nodes; overwrites the rows of u that were given. */
  addInertia(state: RodState, stage: RodStage, matrix: BlockBanded, rhs: Float64Array): void {
    const { chain, count } = state;
    const sliding = this.free;
    if (this.#axial.capacity < count) this.#axial = new BlockBanded(state.capacity, 4, 1);
    if (this.#axialRhs.length < 4 * count) this.#axialRhs = new Float64Array(4 * state.capacity);
    const axial = this.#axial;
    axial.blocks = count;
    writeAxialSystem(chain, stage, axial, this.#axialRhs);
    const diag = matrix.bands[0];
    const off = matrix.bands[1];
    const from = axial.bands[0];
    const fromOff = axial.bands[1];
    for (let i = 0; i < count; i++) {
      if (!sliding[i]) continue;
      const d = SQUARE * i;
      rhs[STRIDE * i + U] = this.#axialRhs[4 * i + U];
      for (let c = 0; c < 3; c++) {
        diag[d + STRIDE * U + c] = from[16 * i + 12 + c];
        diag[d + STRIDE * c + U] = from[16 * i + 4 * c + 3];
        if (i > 0) off[d - SQUARE + STRIDE * U + c] = fromOff[16 * i - 16 + 12 + c];
        if (i + 1 < count) off[d + STRIDE * c + U] = fromOff[16 * i + 4 * c + 3];
      }
      const own = from[16 * i + 15];
      const hold = REGULARISATION * own;
      diag[d + STRIDE * U + U] = own + hold;
      rhs[STRIDE * i + U] -= hold * chain.v[4 * i + 3];
      if (i + 1 < count && sliding[i + 1]) off[d + STRIDE * U + U] = fromOff[16 * i + 15];
    }
  }

  /** Stretch of segment e, as the element has it. */
  addStretch(state: RodState, e: number, h: number, matrix: BlockBanded, rhs: Float64Array, of: StretchElement): void {
    const { chain } = state;
    const sliding = this.free;
    const { gradient, xx } = of;
    const diag = matrix.bands[0];
    const off = matrix.bands[1];
    const { q } = chain;
    const inv = 1 / (q[4 * e + 7] - q[4 * e + 3]);
    const hh = h * h;
    const d = SQUARE * e;
    const n = d + SQUARE;
    let whole = 0;
    for (let r = 0; r < 3; r++) {
      const fr = (q[4 * e + 4 + r] - q[4 * e + r]) * inv;
      const turn = hh * of.computeTurnStiffness(r);
      let kF = 0;
      for (let s = 0; s < 3; s++) {
        const fs = (q[4 * e + 4 + s] - q[4 * e + s]) * inv;
        kF += hh * xx[3 * r + s] * fs;
      }
      whole += fr * kF;
      if (sliding[e]) {
        diag[d + STRIDE * r + U] -= kF;
        diag[d + STRIDE * U + r] -= kF;
        off[d + STRIDE * r + U] += kF;
        diag[d + STRIDE * U + 4 + r] += turn;
        diag[d + STRIDE * (4 + r) + U] += turn;
      }
      if (sliding[e + 1]) {
        diag[n + STRIDE * r + U] -= kF;
        diag[n + STRIDE * U + r] -= kF;
        off[d + STRIDE * U + r] += kF;
        off[d + STRIDE * U + 4 + r] -= turn;
      }
    }
    if (sliding[e]) {
      diag[d + STRIDE * U + U] += whole;
      rhs[STRIDE * e + U] += h * gradient[6];
    }
    if (sliding[e + 1]) {
      diag[n + STRIDE * U + U] += whole;
      rhs[STRIDE * (e + 1) + U] -= h * gradient[6];
    }
    if (sliding[e] && sliding[e + 1]) off[d + STRIDE * U + U] -= whole;
  }

  /** Bend at node i over the length l, as the element has it, for sliding nodes beside i. */
  addBend(i: number, h: number, part: ChainPart, of: BendElement): void {
    const sliding = this.free;
    const { matrix, rhs, links } = part;
    const [diag, off] = matrix.bands;
    const k = this.#stiffness;
    of.writeLengthStiffness(k);
    for (let side = -1; side <= 1; side += 2) {
      if (!sliding[i + side]) continue;
      const u = STRIDE * (i + side) + U;
      const hh = 0.5 * side * h * h;
      rhs[u] -= 0.5 * side * h * of.gradient[6];
      diag[SQUARE * (i + side) + STRIDE * U + U] += 0.25 * h * h * k[6];
      for (let c = 0; c < 3; c++) {
        const d = SQUARE * (i - 1);
        if (side < 0) {
          diag[d + STRIDE * U + 4 + c] += hh * k[c];
          diag[d + STRIDE * (4 + c) + U] += hh * k[c];
          off[d + STRIDE * (4 + c) + U] += hh * k[3 + c];
        } else {
          links.add(u, STRIDE * (i - 1) + 4 + c, hh * k[c]);
          off[d + SQUARE + STRIDE * U + 4 + c] += hh * k[3 + c];
        }
      }
    }
    if (sliding[i - 1] && sliding[i + 1]) links.add(STRIDE * (i + 1) + U, STRIDE * (i - 1) + U, -0.25 * h * h * k[6]);
  }
}
