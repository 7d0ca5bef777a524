/**
 * Where the system of a net lies in the kernels' memory (src/kernels/net.ts): A as the model has it, and the pattern of its incomplete
 * factor in the order of elimination (net-order.ts).
 */
import { type KernelMemory, NET_NUMBER_COUNT, NET_PLACES } from '../kernels/index.ts';
import type { BlockPattern } from './block-sparse.ts';
import { writeNetOrder } from './net-order.ts';

type Place = (typeof NET_PLACES)[number];

export class NetLayout {
  n = 0;
  slots = 0;
  /** Domains: 1 or 2. */
  domains = 1;
  /** Byte of the table in memory. */
  readonly table: number;
  /** When each block is eliminated; at least n entries. */
  position = new Int32Array(0);
  readonly #memory: KernelMemory;
  readonly #at = {} as Record<Place, number>;

  constructor(memory: KernelMemory) {
    this.#memory = memory;
    this.table = memory.start;
  }

  /** Byte of an array, or a size. */
  get(name: Place): number {
    return this.#at[name];
  }

  /** Makes room for this pattern and writes it; what was in memory is lost. */
  take(pattern: BlockPattern, domains: number): void {
    const { n, columnStart, slots } = pattern;
    const at = this.#at;
    this.n = n;
    this.slots = slots;
    this.domains = domains;
    if (this.position.length < n) this.position = new Int32Array(Math.ceil(1.25 * n));
    at.n = n;
    at.half = domains === 2 ? findHalf(pattern) : n;
    at.longest = findLargestDegree(pattern, this.position);
    let end = this.table + 4 * NET_PLACES.length;
    const place = (name: Place, bytes: number): void => {
      at[name] = 16 * Math.ceil(end / 16);
      end = at[name] + bytes;
    };
    // a separator is at most the half behind the first domain
    const extended = domains === 2 ? n + (n - (n >> 1)) : n;
    place('numbers', 8 * NET_NUMBER_COUNT);
    place('columnStart', 4 * (n + 1));
    place('factorStart', 4 * (n + 1));
    for (const name of ['places', 'factorRows', 'source'] as const) place(name, 4 * slots);
    for (const name of ['first', 'link'] as const) place(name, 4 * n);
    for (const name of ['head', 'place'] as const) place(name, 4 * extended);
    for (const name of ['x', 'r', 'p', 'q', 'other'] as const) place(name, 40 * n);
    for (const name of ['loss', 'w'] as const) place(name, 40 * extended);
    place('work', 2 * 200 * (at.longest + 1));
    place('values', 200 * slots);
    place('factor', 100 * slots);
    this.#memory.reserve(end, true);
    this.#array('columnStart', n + 1).set(columnStart);
    this.#order(pattern);
    this.#writeFactor(pattern);
    const { i32 } = this.#memory.views;
    for (let k = 0; k < NET_PLACES.length; k++) i32[this.table / 4 + k] = at[NET_PLACES[k]];
  }

  #array(name: Place, length: number): Int32Array {
    const from = this.#at[name] / 4;
    return this.#memory.views.i32.subarray(from, from + length);
  }

  /** Orders the blocks; arrays of the factor are free until it is written. */
  #order(pattern: BlockPattern): void {
    const { n, slots } = pattern;
    const scratch = {
      start: this.#array('factorStart', n + 1),
      neighbours: this.#array('factor', 2 * (slots - n)),
      queue: this.#array('first', n),
      mark: this.#array('link', n),
    };
    Object.assign(this.#at, writeNetOrder(pattern, this.domains, this.position, scratch));
  }

  #writeFactor({ n, columnStart, rows, slots }: BlockPattern): void {
    const { split, separator } = this.#at;
    const { position } = this;
    const places = this.#array('places', slots);
    for (let slot = 0; slot < slots; slot++) places[slot] = position[rows[slot]];
    const start = this.#array('factorStart', n + 1).fill(0);
    for (let j = 0; j < n; j++)
      for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++)
        start[Math.min(position[j], places[slot]) + 1]++;
    for (let k = 0; k < n; k++) start[k + 1] += start[k];
    const next = this.#array('first', n);
    next.set(start.subarray(0, n));
    const factorRows = this.#array('factorRows', slots);
    const source = this.#array('source', slots);
    for (let j = 0; j < n; j++)
      for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
        const [a, b] = [position[j], places[slot]];
        const to = next[Math.min(a, b)]++;
        factorRows[to] = Math.max(a, b);
        source[to] = 2 * slot + (b < a ? 1 : 0);
      }
    for (let k = 0; k < n; k++) sortColumn(factorRows, source, start[k], start[k + 1]);
    for (let s = 0; s < start[split]; s++) if (factorRows[s] >= n - separator) factorRows[s] += separator;
  }
}

/** Column at which half of the blocks are behind. */
function findHalf({ n, columnStart }: BlockPattern): number {
  let [low, high] = [0, n];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (2 * columnStart[middle] < columnStart[n]) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Blocks of a full row and column of A, the most that a column can have in any order. */
function findLargestDegree({ n, columnStart, rows }: BlockPattern, degree: Int32Array): number {
  degree.fill(0, 0, n);
  let largest = 0;
  for (let j = 0; j < n; j++) {
    degree[j] += columnStart[j + 1] - columnStart[j];
    for (let slot = columnStart[j] + 1; slot < columnStart[j + 1]; slot++) degree[rows[slot]]++;
  }
  for (let j = 0; j < n; j++) largest = Math.max(largest, degree[j]);
  return largest;
}

function sortColumn(rows: Int32Array, source: Int32Array, from: number, to: number): void {
  for (let k = from + 1; k < to; k++) {
    const row = rows[k];
    const slot = source[k];
    let at = k;
    for (; at > from && rows[at - 1] > row; at--) {
      rows[at] = rows[at - 1];
      source[at] = source[at - 1];
    }
    rows[at] = row;
    source[at] = slot;
  }
}
