/**
 * Where the system of a net lies in the kernels' memory (src/kernels/net.ts): A as the model has it, and the pattern of its incomplete
 * factor in the order of elimination (net-order.ts), with fill of level 0 or 1:
 *
 *     1   also blocks (i, j) that a common neighbour k, eliminated before both, fills
 *
 * Blocks that go first are eliminated exactly: all that they fill has a place.
 */
import { type KernelMemory, NET_NUMBER_COUNT, NET_PLACES } from '../kernels/index.ts';
import type { BlockPattern } from './block-sparse.ts';
import { NetGraph, writeNetOrder } from './net-order.ts';

type Place = (typeof NET_PLACES)[number];

export class NetLayout {
  n = 0;
  slots = 0;
  /** Domains: 1 or 2. */
  domains = 1;
  /** Byte of the table in memory, and of the room behind all that the owner of the solver asked for. */
  readonly table: number;
  room = 0;
  readonly #memory: KernelMemory;
  readonly #at = {} as Record<Place, number>;
  readonly #graph = new NetGraph();
  /** Pattern of the factor, by columns, until it is in memory. */
  #start = new Int32Array(0);
  #rows = new Int32Array(0);
  #source = new Int32Array(0);
  /** Columns of what went first, by the row that is next in them. */
  #head = new Int32Array(0);
  #link = new Int32Array(0);
  #cursor = new Int32Array(0);

  constructor(memory: KernelMemory) {
    this.#memory = memory;
    this.table = memory.start;
  }

  /** When each block is eliminated; at least n entries. */
  get position(): Int32Array {
    return this.#graph.position;
  }

  /** Byte of an array, or a size. */
  get(name: Place): number {
    return this.#at[name];
  }

  /** Makes room for this pattern and writes it; what was in memory is lost. `isFirst`, `rank`: see `writeNetOrder`; `room`: bytes that are left to the owner of the solver. */
  take(
    pattern: BlockPattern,
    domains: number,
    fill: number,
    isFirst: Uint8Array | undefined,
    rank: Int32Array | undefined,
    room = 0,
  ): void {
    const { n, columnStart, slots, rows } = pattern;
    const at = this.#at;
    const graph = this.#graph;
    this.n = n;
    this.slots = slots;
    this.domains = domains;
    at.n = n;
    at.half = domains === 2 ? findHalf(pattern) : n;
    graph.take(pattern);
    Object.assign(at, writeNetOrder(graph, domains, isFirst, rank));
    const factorSlots = this.#listFactor(pattern, fill, isFirst);
    let end = this.table + 4 * NET_PLACES.length;
    const place = (name: Place, bytes: number): void => {
      at[name] = 16 * Math.ceil(end / 16);
      end = at[name] + bytes;
    };
    const extended = n + at.separator;
    place('numbers', 8 * NET_NUMBER_COUNT);
    place('columnStart', 4 * (n + 1));
    place('factorStart', 4 * (n + 1));
    place('places', 4 * slots);
    for (const name of ['factorRows', 'source'] as const) place(name, 4 * factorSlots);
    for (const name of ['first', 'link'] as const) place(name, 4 * n);
    for (const name of ['head', 'place'] as const) place(name, 4 * extended);
    for (const name of ['x', 'r', 'p', 'q', 'other'] as const) place(name, 40 * n);
    for (const name of ['loss', 'w'] as const) place(name, 40 * extended);
    place('work', 2 * 200 * (at.longest + 1));
    place('values', 200 * slots);
    place('factor', 100 * factorSlots);
    this.room = 16 * Math.ceil(end / 16);
    this.#memory.reserve(this.room + room, true);
    this.#array('columnStart', n + 1).set(columnStart);
    this.#array('factorStart', n + 1).set(this.#start.subarray(0, n + 1));
    this.#array('factorRows', factorSlots).set(this.#rows.subarray(0, factorSlots));
    this.#array('source', factorSlots).set(this.#source.subarray(0, factorSlots));
    const places = this.#array('places', slots);
    for (let slot = 0; slot < slots; slot++) places[slot] = graph.position[rows[slot]];
    const { i32 } = this.#memory.views;
    for (let k = 0; k < NET_PLACES.length; k++) i32[this.table / 4 + k] = at[NET_PLACES[k]];
  }

  #array(name: Place, length: number): Int32Array {
    const from = this.#at[name] / 4;
    return this.#memory.views.i32.subarray(from, from + length);
  }

  /** Columns of the factor and where their values come from; returns how many blocks there are. */
  #listFactor({ n, columnStart }: BlockPattern, fill: number, isFirst: Uint8Array | undefined): number {
    const at = this.#at;
    const { start: first, neighbours, slots, position, queue: order, mark } = this.#graph;
    if (this.#start.length <= n) {
      this.#start = new Int32Array(Math.ceil(1.25 * n) + 1);
      this.#head = new Int32Array(this.#start.length);
      this.#link = new Int32Array(this.#start.length);
      this.#cursor = new Int32Array(this.#start.length);
    }
    const [start, head, link, cursor] = [this.#start, this.#head.fill(-1, 0, n), this.#link, this.#cursor];
    for (let i = 0; i < n; i++) order[position[i]] = i;
    mark.fill(-1, 0, n);
    let count = 0;
    at.longest = 0;
    for (let j = 0; j < n; j++) {
      const block = order[j];
      const begin = count;
      start[j] = begin;
      this.#reserve(count + 1 + first[block + 1] - first[block]);
      this.#rows[count] = j;
      this.#source[count++] = 2 * columnStart[block];
      mark[j] = j;
      for (let e = first[block]; e < first[block + 1]; e++) {
        const i = neighbours[e];
        if (position[i] < j) continue;
        mark[position[i]] = j;
        this.#rows[count] = position[i];
        // the stored block is the one whose row has the larger number
        this.#source[count++] = 2 * slots[e] + (i < block ? 1 : 0);
      }
      // what went first joins all that its column has; each goes on to the list of its next row
      for (let k = head[j], next = -1; k >= 0; k = next) {
        next = link[k];
        const end = start[k + 1];
        this.#reserve(count + end - cursor[k]);
        for (let s = ++cursor[k]; s < end; s++) count = this.#addFill(this.#rows[s], j, count);
        if (cursor[k] === end) continue;
        const up = this.#rows[cursor[k]];
        link[k] = head[up];
        head[up] = k;
      }
      for (let e = first[block]; fill > 0 && e < first[block + 1]; e++) {
        const k = neighbours[e];
        if (position[k] > j) continue;
        this.#reserve(count + first[k + 1] - first[k]);
        for (let f = first[k]; f < first[k + 1]; f++)
          if (position[neighbours[f]] > j) count = this.#addFill(position[neighbours[f]], j, count);
      }
      sortColumn(this.#rows, this.#source, begin, count);
      at.longest = Math.max(at.longest, count - begin);
      if (isFirst?.[block] !== 1 || count === begin + 1) continue;
      const up = this.#rows[begin + 1];
      cursor[j] = begin + 1;
      link[j] = head[up];
      head[up] = j;
    }
    start[n] = count;
    const inner = n - at.separator;
    for (let s = 0; s < start[at.split]; s++) if (this.#rows[s] >= inner) this.#rows[s] += at.separator;
    return count;
  }

  /** A block of fill in column j, unless it has one in this row. */
  #addFill(row: number, j: number, count: number): number {
    const { mark } = this.#graph;
    if (mark[row] === j) return count;
    mark[row] = j;
    this.#rows[count] = row;
    this.#source[count] = -1;
    return count + 1;
  }

  #reserve(room: number): void {
    if (room <= this.#rows.length) return;
    const [rows, source] = [this.#rows, this.#source];
    this.#rows = new Int32Array(2 * room);
    this.#rows.set(rows);
    this.#source = new Int32Array(2 * room);
    this.#source.set(source);
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
