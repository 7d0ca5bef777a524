/**
 * The parts of an island of chains as one matrix, as they were assembled: links included, late coordinates at their places. What the solution
 * of the island is measured against.
 */
import type { MeasuredMatrix } from '../sparse/index.ts';
import type { ChainPart } from './part.ts';

export class IslandChains implements MeasuredMatrix {
  size = 0;
  #parts: readonly ChainPart[] = [];
  #members: readonly number[] = [];
  #offset: Int32Array = new Int32Array(0);

  /** `offset`: first unknown of a part, by index of the part. All is held on to. */
  load(parts: readonly ChainPart[], members: readonly number[], offset: Int32Array, size: number): void {
    this.#parts = parts;
    this.#members = members;
    this.#offset = offset;
    this.size = size;
  }

  multiply(x: Float64Array, out: Float64Array): void {
    for (let n = 0; n < this.#members.length; n++) {
      const { matrix, links } = this.#parts[this.#members[n]];
      const at = this.#offset[this.#members[n]];
      matrix.multiply(x, out, at, at);
      for (let e = 0; e < links.count; e++) {
        out[at + links.row[e]] += links.value[e] * x[at + links.column[e]];
        out[at + links.column[e]] += links.value[e] * x[at + links.row[e]];
      }
    }
  }

  computeInfinityNorm(scratch: Float64Array): number {
    scratch.fill(0, 0, this.size);
    for (let n = 0; n < this.#members.length; n++) {
      const { matrix, links } = this.#parts[this.#members[n]];
      const at = this.#offset[this.#members[n]];
      matrix.addRowSums(scratch, at);
      for (let e = 0; e < links.count; e++) {
        scratch[at + links.row[e]] += Math.abs(links.value[e]);
        scratch[at + links.column[e]] += Math.abs(links.value[e]);
      }
    }
    let norm = 0;
    for (let k = 0; k < this.size; k++) if (!(scratch[k] <= norm)) norm = scratch[k];
    return norm;
  }
}
