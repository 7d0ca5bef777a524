/** Arrows of one kind, collected one by one for a frame. */
import type { ForceFrame } from '../model/index.ts';

export class ForceList {
  readonly #x: number[] = [];
  readonly #f: number[] = [];

  /** A force f at x, three numbers each from the given places on; none when it is zero. */
  add(x: ArrayLike<number>, at: number, f: ArrayLike<number>, from: number, sign: number): void {
    if (f[from] === 0 && f[from + 1] === 0 && f[from + 2] === 0) return;
    for (let k = 0; k < 3; k++) {
      this.#x.push(x[at + k]);
      this.#f.push(sign * f[from + k]);
    }
  }

  /** As a frame; none when nothing was added. */
  finish(kind: ForceFrame['kind'], id: string): ForceFrame[] {
    return this.#x.length === 0 ? [] : [{ kind, id, x: Float64Array.from(this.#x), f: Float64Array.from(this.#f) }];
  }
}
