/**
 * Where the system of a net lies in the kernels' memory (src/kernels/net.ts): A as the model has it, and the pattern of its incomplete
 * factor. From some thousand blocks on the factor has two domains, which two threads may eliminate at once:
 *
 *     first domain    blocks 0 … split − 1, half of A
 *     second domain   blocks behind them, but for the separator; eliminated backwards
 *     separator       blocks behind the first domain that share a block of A with it; eliminated last
 *
 * Both domains are eliminated towards the separator: where yarns run from one into the other, and their first block next to the separator went
 * first, their stiffness would be left out of the factor.
 * Where neighbours have near numbers the separator is small. It may be any size; then the second thread has less to do.
 */
import { type KernelMemory, NET_NUMBER_COUNT, NET_PLACES } from '../kernels/index.ts';
import type { BlockPattern } from './block-sparse.ts';

type Place = (typeof NET_PLACES)[number];

export class NetLayout {
  n = 0;
  slots = 0;
  /** Domains: 1 or 2. */
  domains = 1;
  /** Byte of the table in memory. */
  readonly table: number;
  /** Bytes up to which memory is used. */
  end = 0;
  readonly #memory: KernelMemory;
  readonly #at = {} as Record<Place, number>;
  #scratch = new Int32Array(0);

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
    const { n, columnStart, rows } = pattern;
    const at = this.#at;
    this.n = n;
    this.slots = pattern.slots;
    this.domains = domains;
    at.n = n;
    if (this.#scratch.length < n) this.#scratch = new Int32Array(Math.ceil(1.25 * n));
    at.split = domains === 2 ? findSplit(pattern) : n;
    at.separator = domains === 2 ? markSeparator(pattern, at.split, this.#scratch.fill(0, 0, n)) : 0;
    at.longest = domains === 2 ? findLargestDegree(pattern, this.#scratch.fill(0, 0, n)) : findLongestColumn(pattern);
    const extended = n + at.separator;
    let end = this.table + 4 * NET_PLACES.length;
    const place = (name: Place, bytes: number): void => {
      at[name] = 16 * Math.ceil(end / 16);
      end = at[name] + bytes;
    };
    place('numbers', 8 * NET_NUMBER_COUNT);
    place('columnStart', 4 * (n + 1));
    place('rows', 4 * this.slots);
    place('factorStart', 4 * (n + 1));
    place('factorRows', 4 * this.slots);
    place('source', 4 * this.slots);
    place('order', 4 * n);
    for (const name of ['first', 'link'] as const) place(name, 4 * n);
    for (const name of ['head', 'place'] as const) place(name, 4 * extended);
    for (const name of ['x', 'r', 'z', 'p', 'q', 'other'] as const) place(name, 40 * n);
    for (const name of ['loss', 'w'] as const) place(name, 40 * extended);
    place('values', 200 * this.slots);
    place('factor', 100 * this.slots);
    place('work', 2 * 200 * (at.longest + 1));
    this.end = end;
    this.#memory.reserve(end, true);
    this.#array('columnStart', n + 1).set(columnStart);
    this.#array('rows', this.slots).set(rows);
    if (domains === 2) this.#orderFactor(pattern);
    else this.#copyPattern(pattern);
    const { i32 } = this.#memory.views;
    for (let k = 0; k < NET_PLACES.length; k++) i32[this.table / 4 + k] = at[NET_PLACES[k]];
  }

  #array(name: Place, length: number): Int32Array {
    return this.#memory.views.i32.subarray(at4(this.#at[name]), at4(this.#at[name]) + length);
  }

  /** The factor has the pattern and the order of A. */
  #copyPattern({ n, columnStart, rows }: BlockPattern): void {
    this.#array('factorStart', n + 1).set(columnStart);
    this.#array('factorRows', rows.length).set(rows);
    const source = this.#array('source', rows.length);
    for (let slot = 0; slot < rows.length; slot++) source[slot] = 2 * slot;
    const order = this.#array('order', n);
    for (let j = 0; j < n; j++) order[j] = j;
  }

  /** The pattern of the factor with the separator moved to the end. */
  #orderFactor(pattern: BlockPattern): void {
    const { n, columnStart, rows } = pattern;
    const { split, separator } = this.#at;
    const order = this.#array('order', n);
    const position = this.#scratch.fill(0, 0, n);
    markSeparator(pattern, split, position);
    let inner = n - separator - 1;
    let last = n - separator;
    for (let i = 0; i < n; i++) {
      position[i] = i < split ? i : position[i] === 1 ? last++ : inner--;
      order[position[i]] = i;
    }
    const start = this.#array('factorStart', n + 1).fill(0);
    for (let j = 0; j < n; j++)
      for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++)
        start[Math.min(position[j], position[rows[slot]]) + 1]++;
    for (let k = 0; k < n; k++) start[k + 1] += start[k];
    // `first` is free until a factorisation
    const next = this.#array('first', n);
    next.set(start.subarray(0, n));
    const factorRows = this.#array('factorRows', rows.length);
    const source = this.#array('source', rows.length);
    for (let j = 0; j < n; j++)
      for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
        const [a, b] = [position[j], position[rows[slot]]];
        const to = next[Math.min(a, b)]++;
        factorRows[to] = Math.max(a, b);
        source[to] = 2 * slot + (b < a ? 1 : 0);
      }
    for (let k = split; k < n - separator; k++) sortColumn(factorRows, source, start[k], start[k + 1]);
    for (let s = 0; s < start[split]; s++) if (factorRows[s] >= n - separator) factorRows[s] += separator;
  }
}

const at4 = (byte: number): number => byte / 4;

/** Column at which half of the blocks are behind. */
function findSplit({ n, columnStart }: BlockPattern): number {
  let [low, high] = [0, n];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (2 * columnStart[middle] < columnStart[n]) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** mark = 1 for blocks from `split` on that share a block with a column before; returns how many. */
function markSeparator({ columnStart, rows }: BlockPattern, split: number, mark: Int32Array): number {
  let count = 0;
  for (let slot = 0; slot < columnStart[split]; slot++) {
    const i = rows[slot];
    if (i < split || mark[i] === 1) continue;
    mark[i] = 1;
    count++;
  }
  return count;
}

function findLongestColumn({ n, columnStart }: BlockPattern): number {
  let longest = 0;
  for (let j = 0; j < n; j++) longest = Math.max(longest, columnStart[j + 1] - columnStart[j]);
  return longest;
}

/** Blocks of a full row and column of A, the most that a column can have in any order. */
function findLargestDegree({ n, columnStart, rows }: BlockPattern, degree: Int32Array): number {
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
    const [row, slot] = [rows[k], source[k]];
    let at = k;
    for (; at > from && rows[at - 1] > row; at--) {
      rows[at] = rows[at - 1];
      source[at] = source[at - 1];
    }
    rows[at] = row;
    source[at] = slot;
  }
}
