/**
 * Nested dissection of a symmetric block pattern by coordinates of its blocks [George 1973]: the set is cut
 * at the median across its longer side; those of the lower half that have a neighbour in the upper one separate the two and are
 * eliminated last. For meshes, whose neighbours are near, it needs a few linear passes a level, and the fronts it leads to are large and
 * few. Small sets are ordered by where they lie.
 *
 *     ┌─────┬─┬─────┐     order: lower half without S, upper half, S
 *     │     │S│     │
 *     └─────┴─┴─────┘
 */
import type { BlockPattern } from './block-sparse.ts';

/** Sets of at most so many blocks are not cut. */
const SMALLEST = 12;

/** order[k] = block eliminated as the k-th. `coordinates`: `dimension` numbers a block. */
export function computeDissectionOrder(
  pattern: BlockPattern,
  coordinates: Float64Array,
  dimension: number,
): Int32Array {
  return new Dissection(pattern, coordinates, dimension).order;
}

class Dissection {
  /** The blocks; each set is a range of it, in the end in elimination order. */
  readonly order: Int32Array;
  readonly #start: Int32Array;
  readonly #neighbours: Int32Array;
  readonly #coordinates: Float64Array;
  readonly #dimension: number;
  /** Which half of the last cut a block was in. */
  readonly #side: Int32Array;
  readonly #kept: Int32Array;
  #cuts = 0;

  constructor(pattern: BlockPattern, coordinates: Float64Array, dimension: number) {
    const { n } = pattern;
    this.order = Int32Array.from({ length: n }, (_, i) => i);
    this.#coordinates = coordinates;
    this.#dimension = dimension;
    this.#side = new Int32Array(n);
    this.#kept = new Int32Array(n);
    this.#start = new Int32Array(n + 1);
    const { columnStart, rows } = pattern;
    for (let j = 0; j < n; j++)
      for (let slot = columnStart[j] + 1; slot < columnStart[j + 1]; slot++) {
        this.#start[j + 1]++;
        this.#start[rows[slot] + 1]++;
      }
    for (let i = 0; i < n; i++) this.#start[i + 1] += this.#start[i];
    this.#neighbours = new Int32Array(this.#start[n]);
    const next = this.#start.slice();
    for (let j = 0; j < n; j++)
      for (let slot = columnStart[j] + 1; slot < columnStart[j + 1]; slot++) {
        this.#neighbours[next[j]++] = rows[slot];
        this.#neighbours[next[rows[slot]]++] = j;
      }
    this.#cut(0, n);
  }

  /** Orders the set in order[from … to). */
  #cut(from: number, to: number): void {
    if (to - from <= SMALLEST) return;
    const middle = (from + to) >> 1;
    this.#select(from, to, middle, this.#findAxis(from, to));
    const { order } = this;
    const side = this.#side;
    const upper = ++this.#cuts;
    for (let k = middle; k < to; k++) side[order[k]] = upper;
    let free = from;
    let separators = 0;
    for (let k = from; k < middle; k++) {
      const i = order[k];
      let isSeparator = false;
      for (let m = this.#start[i]; m < this.#start[i + 1] && !isSeparator; m++)
        isSeparator = side[this.#neighbours[m]] === upper;
      if (isSeparator) this.#kept[separators++] = i;
      else order[free++] = i;
    }
    order.copyWithin(free, middle, to);
    const end = to - separators;
    for (let k = 0; k < separators; k++) order[end + k] = this.#kept[k];
    this.#cut(from, free);
    this.#cut(free, end);
  }

  /** The coordinate along which the set is longest. */
  #findAxis(from: number, to: number): number {
    let longest = -1;
    let axis = 0;
    for (let c = 0; c < this.#dimension; c++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let k = from; k < to; k++) {
        const value = this.#coordinates[this.#dimension * this.order[k] + c];
        if (value < low) low = value;
        if (value > high) high = value;
      }
      if (high - low > longest) {
        longest = high - low;
        axis = c;
      }
    }
    return axis;
  }

  /** Quickselect: no block of order[from … middle) lies above one of order[middle … to) along the axis; equal ones by their numbers. */
  #select(from: number, to: number, middle: number, axis: number): void {
    const { order } = this;
    const x = this.#coordinates;
    const d = this.#dimension;
    let low = from;
    let high = to - 1;
    while (low < high) {
      const pivot = order[(low + high) >> 1];
      const value = x[d * pivot + axis];
      let i = low;
      let j = high;
      while (i <= j) {
        while (x[d * order[i] + axis] < value || (x[d * order[i] + axis] === value && order[i] < pivot)) i++;
        while (x[d * order[j] + axis] > value || (x[d * order[j] + axis] === value && order[j] > pivot)) j--;
        if (i > j) break;
        const other = order[i];
        order[i++] = order[j];
        order[j--] = other;
      }
      if (middle <= j) high = j;
      else if (middle >= i) low = i;
      else return;
    }
  }
}
