/**
 * Which velocities of a sheet are allowed, as rows G q̇ = t or G q̇ ≥ t, and those of creases: on an edge ẋ across it is that of the body
 * and Ẋ along the crease zero; at a corner ẋ is that of the body.   [Piddington 2017, Algorithm 3; as `creases.ts` holds them]
 */
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { SheetCreases } from './creases.ts';
import { SheetHolds } from './holds.ts';
import { HOLD_U, type SheetState, STRIDE } from './state.ts';

/** Columns are 5 · vertex + coordinate. Bounds of multipliers as in `QpProblem`: (−∞, ∞) equality, [0, ∞) g q̇ ≥ t. */
export interface VelocityRows {
  readonly count: number;
  readonly start: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
  readonly target: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Rows that are added one by one. */
export class VelocityRowList {
  readonly #start = [0];
  readonly #columns: number[] = [];
  readonly #values: number[] = [];
  readonly #target: number[] = [];
  readonly #lower: number[] = [];

  /** Σ values · q̇ = target, or ≥ target where `isBound`. */
  add(columns: readonly number[], values: readonly number[], target: number, isBound = false): void {
    this.#columns.push(...columns);
    this.#values.push(...values);
    this.#start.push(this.#columns.length);
    this.#target.push(target);
    this.#lower.push(isBound ? 0 : Number.NEGATIVE_INFINITY);
  }

  create(): VelocityRows {
    const count = this.#target.length;
    return {
      count,
      start: Int32Array.from(this.#start),
      columns: Int32Array.from(this.#columns),
      values: Float64Array.from(this.#values),
      target: Float64Array.from(this.#target),
      lower: Float64Array.from(this.#lower),
      upper: new Float64Array(count).fill(Number.POSITIVE_INFINITY),
    };
  }
}

export const NO_ROWS: VelocityRows = new VelocityRowList().create();

/** Rows of all E-vertices. */
export function collectCreaseRows(state: SheetState, creases: SheetCreases): VelocityRows {
  const rows = new VelocityRowList();
  const holds = new SheetHolds();
  holds.clear(state.count);
  // directions only: gaps do not count
  creases.addFrames(state, holds, 1, 1);
  const speed = new Float64Array(3);
  for (let i = 0; i < state.count; i++) {
    if (state.kind[i] === NODE_LAGRANGIAN) continue;
    const { frames, bits, materialAxis } = holds;
    const frame = frames.find(i);
    const at = STRIDE * i;
    // one that is lifted off carries its material
    if (frame < 0) {
      rows.add([at + 3], [1], 0);
      rows.add([at + 4], [1], 0);
      continue;
    }
    creases.touch.bodies[state.siteBody[i]].writePointVelocity(state.q.subarray(at, at + 3), speed);
    for (let c = 0; c < frames.rank[frame]; c++) {
      const axis = Array.from(frames.axes.subarray(9 * frame + 3 * c, 9 * frame + 3 * c + 3));
      rows.add([at, at + 1, at + 2], axis, axis[0] * speed[0] + axis[1] * speed[1] + axis[2] * speed[2]);
    }
    if (bits[i] & HOLD_U) rows.add([at + 3, at + 4], [materialAxis[2 * i], materialAxis[2 * i + 1]], 0);
  }
  return rows.create();
}
