/**
 * Whether a node can be taken out of a strand without the strand jumping over another: its two segments move to the straight
 * line between the neighbours, and must meet no other segment on the way.
 */
import { SegmentSweep } from '../geometry/index.ts';
import type { StrandState } from './state.ts';

export class ClearCheck {
  readonly #states: readonly StrandState[];
  readonly #sweep = new SegmentSweep();
  readonly #start = new Float64Array(12);
  readonly #end = new Float64Array(12);
  readonly #box = new Float64Array(6);

  constructor(states: readonly StrandState[]) {
    this.#states = states;
  }

  isClear(state: StrandState, i: number): boolean {
    const { q } = state.chain;
    const [a, b, c] = [4 * (i - 1), 4 * i, 4 * (i + 1)];
    let [along, length2] = [0, 0];
    for (let k = 0; k < 3; k++) {
      along += (q[b + k] - q[a + k]) * (q[c + k] - q[a + k]);
      length2 += (q[c + k] - q[a + k]) ** 2;
      this.#box[k] = Math.min(q[a + k], q[b + k], q[c + k]);
      this.#box[3 + k] = Math.max(q[a + k], q[b + k], q[c + k]);
    }
    const t = Math.min(1, Math.max(0, along / length2));
    for (let side = 0; side < 2; side++) {
      const fixed = side === 0 ? a : c;
      for (let k = 0; k < 3; k++) {
        this.#start[k] = this.#end[k] = q[fixed + k];
        this.#start[3 + k] = q[b + k];
        this.#end[3 + k] = q[a + k] + t * (q[c + k] - q[a + k]);
      }
      for (const other of this.#states) if (this.#meets(other, state, i)) return false;
    }
    return true;
  }

  #meets({ chain }: StrandState, own: StrandState, i: number): boolean {
    const { q, count } = chain;
    const isOwn = chain === own.chain;
    for (let e = 0; e + 1 < count; e++) {
      if ((isOwn && e >= i - 2 && e <= i + 1) || this.#isApart(q, 4 * e)) continue;
      for (let k = 0; k < 3; k++) {
        this.#start[6 + k] = this.#end[6 + k] = q[4 * e + k];
        this.#start[9 + k] = this.#end[9 + k] = q[4 * e + 4 + k];
      }
      if (this.#sweep.find(this.#start, this.#end)) return true;
    }
    return false;
  }

  #isApart(q: Float64Array, at: number): boolean {
    const box = this.#box;
    for (let k = 0; k < 3; k++)
      if (Math.min(q[at + k], q[at + 4 + k]) > box[3 + k] || Math.max(q[at + k], q[at + 4 + k]) < box[k]) return true;
    return false;
  }
}
