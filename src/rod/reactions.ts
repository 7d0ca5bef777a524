/**
 * Forces that hold coordinates of a rod: what their rows lack, (A Δ − r)/h. Rows are kept as they were before being cancelled: the
 * blocks of the node before, its own and of the one after, then the right-hand side.
 */
import { CANCEL_POSITION } from '../model/index.ts';
import type { BlockBanded } from '../sparse/index.ts';
import { writeRotation } from './energy-stretch.ts';
import type { RodState } from './state.ts';
import { STRIDE } from './system.ts';

const SQUARE = STRIDE * STRIDE;
const WIDTH = 3 * STRIDE + 1;

export class RodReactions {
  #rows = new Float64Array(WIDTH * 16);
  /** Unknown of each row. */
  readonly #unknowns: number[] = [];
  readonly #R = new Float64Array(9);

  /** Keeps the rows of what is held. */
  save({ chain, frameCancelled, count }: RodState, matrix: BlockBanded, rhs: Float64Array): void {
    this.#unknowns.length = 0;
    for (let i = 0; i < count; i++) {
      const bits = (chain.cancelled[i] & CANCEL_POSITION) | (frameCancelled[i] << 4);
      for (let c = 0; c < STRIDE && bits; c++) if (bits & (1 << c)) this.#saveRow(i, c, matrix, rhs);
    }
  }

  #saveRow(i: number, c: number, matrix: BlockBanded, rhs: Float64Array): void {
    const n = this.#unknowns.length;
    this.#unknowns.push(STRIDE * i + c);
    if (this.#rows.length < WIDTH * (n + 1)) {
      const rows = new Float64Array(2 * this.#rows.length);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    const [diag, off] = matrix.bands;
    const at = WIDTH * n;
    for (let k = 0; k < STRIDE; k++) {
      this.#rows[at + k] = i > 0 ? off[SQUARE * (i - 1) + STRIDE * c + k] : 0;
      this.#rows[at + STRIDE + k] = diag[SQUARE * i + STRIDE * c + k];
      this.#rows[at + 2 * STRIDE + k] = i + 1 < matrix.blocks ? off[SQUARE * i + STRIDE * k + c] : 0;
    }
    this.#rows[at + WIDTH - 1] = rhs[STRIDE * i + c];
  }

  /** Writes reactions and torques of the state; `solution`: Δ. */
  read(state: RodState, solution: Float64Array, h: number): void {
    const { reaction, torque, count } = state;
    for (let n = 0; n < this.#unknowns.length; n++) {
      const unknown = this.#unknowns[n];
      const i = Math.floor(unknown / STRIDE);
      const c = unknown - STRIDE * i;
      let impulse = -this.#rows[WIDTH * n + WIDTH - 1];
      for (let k = 0; k < 3 * STRIDE; k++) {
        const j = STRIDE * (i - 1) + k;
        if (j >= 0 && j < STRIDE * count) impulse += this.#rows[WIDTH * n + k] * solution[j];
      }
      if (c < 3) reaction[4 * i + c] = impulse / h;
      else torque[3 * i + c - 4] = impulse / h;
    }
    this.#turnTorques(state);
  }

  /** From the axes of the frames to those of the world. */
  #turnTorques({ torque, frame, frameCancelled, count }: RodState): void {
    const R = this.#R;
    for (let e = 0; e < count - 1; e++) {
      if (!frameCancelled[e]) continue;
      writeRotation(frame, 4 * e, R);
      const [a, b, c] = [torque[3 * e], torque[3 * e + 1], torque[3 * e + 2]];
      for (let r = 0; r < 3; r++) torque[3 * e + r] = R[3 * r] * a + R[3 * r + 1] * b + R[3 * r + 2] * c;
    }
  }
}
