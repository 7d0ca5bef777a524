/** Numbers of blocks by their coordinates, in the order in which they came: open addressing by a hash of them. */
import { grow } from '../math/index.ts';

export class BlockTable {
  count = 0;
  #table = new Int32Array(256).fill(-1);
  /** Coordinates, 3 a block. */
  #key = new Int32Array(192);

  clear(): void {
    this.#table.fill(-1);
    this.count = 0;
  }

  /** The number of a block; −1 where it has none. */
  find(i: number, j: number, k: number): number {
    const table = this.#table;
    const key = this.#key;
    const mask = table.length - 1;
    let at = hashOf(i, j, k) & mask;
    for (let b = table[at]; b >= 0; b = table[at]) {
      if (key[3 * b] === i && key[3 * b + 1] === j && key[3 * b + 2] === k) return b;
      at = (at + 1) & mask;
    }
    return -1;
  }

  /** The number of a block that has none yet. */
  add(i: number, j: number, k: number): number {
    const b = this.count++;
    if (3 * this.count > this.#key.length) this.#key = grow(this.#key, 6 * this.count);
    this.#key[3 * b] = i;
    this.#key[3 * b + 1] = j;
    this.#key[3 * b + 2] = k;
    if (2 * this.count > this.#table.length) {
      this.#table = new Int32Array(2 * this.#table.length).fill(-1);
      for (let n = 0; n < this.count; n++) this.#enter(n);
    } else this.#enter(b);
    return b;
  }

  #enter(b: number): void {
    const mask = this.#table.length - 1;
    const key = this.#key;
    let at = hashOf(key[3 * b], key[3 * b + 1], key[3 * b + 2]) & mask;
    while (this.#table[at] >= 0) at = (at + 1) & mask;
    this.#table[at] = b;
  }
}

const hashOf = (i: number, j: number, k: number): number =>
  Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791);
