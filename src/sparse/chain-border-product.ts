/**
 * Bᵀ A⁻¹ B for the sparse columns B that border factored chains A, dense and symmetric: the Schur complement of a wide border.
 *
 *     H_jk = Σ over chains  b_jᵀ A_c⁻¹ b_k
 *
 * In each chain the columns that touch it go by their first node there: A⁻¹ b_k is wanted only from the first node of b_k on, since
 * whichever comes later has nothing before that. So half of each substitution falls away at either end, and the products are over the few
 * entries of b_j. Two columns are solved side by side (`BlockBanded.solvePair`), and only up to the last node that any of them has: a
 * knot in a long rod costs what the knot does (`BlockBanded.solvePairUntil`). Buffers only grow.
 * A product of L⁻¹B with itself (`chain-thin-border.ts`) needs no substitution back, but a sum over all unknowns for each pair of columns:
 * from a dozen columns on that is more.
 */
import type { BlockBanded } from './chain.ts';
import type { BorderColumns } from './chain-border-columns.ts';

export class BorderProduct {
  /** Entries of B in the chain at hand, column by column: unknown of the chain and value. */
  #unknown = new Int32Array(0);
  #value = new Float64Array(0);
  /** Columns that touch the chain, and where their entries start (one more at the end). */
  #column = new Int32Array(0);
  #start = new Int32Array(1);
  /** Their first node, and them by it. */
  #first = new Int32Array(0);
  #order = new Int32Array(0);
  #heads = new Int32Array(0);
  #work = new Float64Array(0);
  /** Last node of all, and A⁻¹ there where what is behind it is left out. */
  #last = 0;
  #isCut = false;
  #inverse = new Float64Array(0);

  /**
   * Overwrites `out`, row-major, count × count, both triangles. Chains must be factored; offsets[c] is the first unknown of chain c in the rows
   * of B, one more at the end.
   */
  write(chains: readonly BlockBanded[], offsets: Int32Array, columns: BorderColumns, out: Float64Array): void {
    const m = columns.count;
    out.fill(0, 0, m * m);
    this.#reserve(columns);
    for (let c = 0; c < chains.length; c++) {
      const touching = this.#select(columns, offsets[c], offsets[c + 1], chains[c].size);
      if (touching === 0) continue;
      this.#sort(touching, chains[c].blocks);
      if (this.#work.length < 2 * chains[c].length) this.#work = new Float64Array(2 * chains[c].length);
      this.#cut(chains[c], touching);
      for (let k = 0; k < touching; k += 2) this.#addPair(chains[c], k, touching, out, m);
    }
    for (let j = 0; j < m; j++) for (let i = 0; i < j; i++) out[i * m + j] = out[j * m + i];
  }

  #reserve({ count, entries }: BorderColumns): void {
    if (this.#unknown.length < entries) {
      this.#unknown = new Int32Array(2 * entries);
      this.#value = new Float64Array(2 * entries);
    }
    if (this.#column.length >= count) return;
    this.#column = new Int32Array(2 * count);
    this.#start = new Int32Array(2 * count + 1);
    this.#first = new Int32Array(2 * count);
    this.#order = new Int32Array(2 * count);
  }

  /** Picks the entries with rows from `begin` to `end` − 1; returns how many columns have some. */
  #select({ count, starts, rows, values }: BorderColumns, begin: number, end: number, size: number): number {
    let touching = 0;
    let at = 0;
    let most = begin;
    for (let j = 0; j < count; j++) {
      let least = end;
      this.#start[touching] = at;
      for (let e = starts[j]; e < starts[j + 1]; e++) {
        if (rows[e] < begin || rows[e] >= end) continue;
        if (rows[e] < least) least = rows[e];
        if (rows[e] > most) most = rows[e];
        this.#unknown[at] = rows[e] - begin;
        this.#value[at++] = values[e];
      }
      if (least === end) continue;
      this.#column[touching] = j;
      this.#first[touching++] = Math.floor((least - begin) / size);
    }
    this.#start[touching] = at;
    this.#last = Math.floor((most - begin) / size);
    return touching;
  }

  /** Counting sort of the columns by their first node, equal ones as they come. */
  #sort(touching: number, blocks: number): void {
    if (this.#heads.length < blocks + 1) this.#heads = new Int32Array(blocks + 1);
    const heads = this.#heads;
    heads.fill(0, 0, blocks + 1);
    for (let t = 0; t < touching; t++) heads[this.#first[t] + 1]++;
    for (let i = 0; i < blocks; i++) heads[i + 1] += heads[i];
    for (let t = 0; t < touching; t++) this.#order[heads[this.#first[t]]++] = t;
  }

  /** Leaves out what is behind the last node where that takes less than going there with every column. */
  #cut(chain: BlockBanded, touching: number): void {
    const { size, bandwidth, blocks } = chain;
    this.#isCut = bandwidth === 1 && this.#last < blocks - 1 && touching > 2 * size;
    if (!this.#isCut) return;
    if (this.#inverse.length < size * size) this.#inverse = new Float64Array(size * size);
    chain.writeInverseBlock(this.#last, this.#work, this.#inverse);
  }

  /** Columns k and k + 1 of the order: their products with all from k on. */
  #addPair(chain: BlockBanded, k: number, touching: number, out: Float64Array, m: number): void {
    const { length } = chain;
    const work = this.#work;
    const first = this.#first[this.#order[k]];
    const isPair = k + 1 < touching;
    work.fill(0, first * chain.size, length);
    this.#scatter(this.#order[k], 0);
    if (isPair) {
      work.fill(0, length + first * chain.size, 2 * length);
      this.#scatter(this.#order[k + 1], length);
      if (this.#isCut) chain.solvePairUntil(work, 0, length, first, this.#last, this.#inverse);
      else chain.solvePair(work, 0, length, first, first);
      this.#addProducts(k, touching, length, out, m);
    } else {
      chain.solveRange(work, 0, first, first);
      this.#addLast(k, out, m);
    }
  }

  #scatter(t: number, offset: number): void {
    for (let e = this.#start[t]; e < this.#start[t + 1]; e++) this.#work[offset + this.#unknown[e]] += this.#value[e];
  }

  #addProducts(k: number, touching: number, second: number, out: Float64Array, m: number): void {
    const order = this.#order;
    const start = this.#start;
    const unknown = this.#unknown;
    const value = this.#value;
    const work = this.#work;
    const p = this.#column[order[k]];
    const q = this.#column[order[k + 1]];
    for (let n = k; n < touching; n++) {
      const t = order[n];
      const j = this.#column[t];
      let sumP = 0;
      let sumQ = 0;
      for (let e = start[t], end = start[t + 1]; e < end; e++) {
        const at = unknown[e];
        sumP += value[e] * work[at];
        sumQ += value[e] * work[second + at];
      }
      out[j > p ? j * m + p : p * m + j] += sumP;
      if (n > k) out[j > q ? j * m + q : q * m + j] += sumQ;
    }
  }

  #addLast(k: number, out: Float64Array, m: number): void {
    const t = this.#order[k];
    const p = this.#column[t];
    let sum = 0;
    for (let e = this.#start[t]; e < this.#start[t + 1]; e++) sum += this.#value[e] * this.#work[this.#unknown[e]];
    out[p * m + p] += sum;
  }
}
