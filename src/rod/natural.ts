/** Natural strain of a rod over its material: a constant, or linear between given material coordinates. */
import type { Vec3 } from '../math/index.ts';

export class NaturalTable {
  /** Material coordinates, increasing [m], and three numbers each [1/m]. */
  readonly #at: Float64Array;
  readonly #strain: Float64Array;

  constructor(entries: readonly { readonly at: number; readonly strain: Vec3 }[]) {
    this.#at = Float64Array.from(entries, ({ at }) => at);
    this.#strain = Float64Array.from(entries.flatMap(({ strain }) => [...strain]));
  }

  /** Whether it is the same everywhere. */
  get isEven(): boolean {
    return this.#at.length === 1;
  }

  /** Whether it is straight everywhere. */
  get isZero(): boolean {
    return this.#strain.every((value) => value === 0);
  }

  /** κ̄ at u. */
  write(u: number, out: Float64Array): void {
    const at = this.#at;
    const strain = this.#strain;
    const last = at.length - 1;
    let low = 0;
    let high = last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (at[middle] <= u) low = middle;
      else high = middle - 1;
    }
    if (low === last || u <= at[low]) {
      for (let k = 0; k < 3; k++) out[k] = strain[3 * low + k];
      return;
    }
    const share = (u - at[low]) / (at[low + 1] - at[low]);
    for (let k = 0; k < 3; k++) out[k] = strain[3 * low + k] + share * (strain[3 * low + 3 + k] - strain[3 * low + k]);
  }
}
