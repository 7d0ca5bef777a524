/**
 * Approximate minimum degree ordering of a symmetric pattern.
 *
 * Source: [Amestoy 1996].
 * The eliminated graph is held as a quotient graph: each live variable i has elements E_i (earlier pivots) and variables A_i,
 * each element e has its variables L_e. Eliminating pivot p makes the element
 *
 *   L_p = (A_p ∪ ⋃ L_e, e ∈ E_p) \ {p},          and the degree of each i ∈ L_p is bounded by
 *   d_i = |A_i \ L_p| + |L_p \ i| + Σ |L_e \ L_p|, e ∈ E_i \ {p}.
 *
 * With element absorption (also the aggressive kind), mass elimination, merging of indistinguishable variables found by hashing, and
 * dense rows deferred to the end. Weights let a node stand for several scalar rows, so that degrees count scalars.
 * Difference from the source: lists live in a growing pool which is compacted into a new one when full, instead of in place.
 */
import type { BlockPattern } from './block-sparse.ts';

const VARIABLE = 0;
const ELEMENT = 1;
const DEAD = 2;

/** order[k] = the block to eliminate as the k-th. `weights`: scalar rows of each block, 1 if absent. */
export function computeAmdOrder(pattern: BlockPattern, weights?: ArrayLike<number>): Int32Array {
  const graph = new QuotientGraph(pattern, weights);
  while (graph.remaining > 0) graph.eliminate(graph.takePivot());
  return graph.order();
}

class QuotientGraph {
  /** Weight of the live variables not yet eliminated. */
  remaining = 0;
  readonly #n: number;
  #pool: Int32Array;
  #poolEnd = 0;
  readonly #kind: Uint8Array;
  readonly #start: Int32Array;
  readonly #length: Int32Array;
  readonly #elements: Int32Array; // how many of a variable's list are elements; they come first
  readonly #weight: Float64Array; // of a live variable; negative while it is in the current L_p; 0 when gone
  readonly #degree: Float64Array; // bound of a variable's degree; exact weight of an element's variables
  readonly #head: Int32Array; // variables by degree: doubly linked lists
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  #smallest = 0;
  readonly #outside: Float64Array; // #stamp + |L_e \ L_p| for the elements touched by the current pivot; marks otherwise
  #stamp = 1;
  readonly #bucket: Int32Array; // variables of L_p by hash
  readonly #bucketNext: Int32Array;
  readonly #hash: Int32Array;
  readonly #memberNext: Int32Array; // what was merged into a variable leaves together with it
  readonly #memberLast: Int32Array;
  readonly #pivots: Int32Array;
  #pivotCount = 0;
  #deferred: number[] = [];

  constructor(pattern: BlockPattern, weights?: ArrayLike<number>) {
    const n = pattern.n;
    this.#n = n;
    this.#kind = new Uint8Array(n);
    this.#start = new Int32Array(n);
    this.#length = new Int32Array(n);
    this.#elements = new Int32Array(n);
    this.#weight = new Float64Array(n);
    this.#degree = new Float64Array(n);
    this.#next = new Int32Array(n).fill(-1);
    this.#previous = new Int32Array(n).fill(-1);
    this.#outside = new Float64Array(n);
    this.#bucket = new Int32Array(n).fill(-1);
    this.#bucketNext = new Int32Array(n).fill(-1);
    this.#hash = new Int32Array(n);
    this.#memberNext = new Int32Array(n).fill(-1);
    this.#memberLast = new Int32Array(n);
    for (let i = 0; i < n; i++) this.#memberLast[i] = i;
    this.#pivots = new Int32Array(n);
    let total = 0;
    for (let i = 0; i < n; i++) total += this.#weight[i] = weights ? weights[i] : 1;
    this.#head = new Int32Array(total + 1).fill(-1);
    this.#pool = this.#loadGraph(pattern);
    this.#deferDenseRows();
    for (let i = 0; i < n; i++) {
      if (this.#kind[i] !== VARIABLE) continue;
      let degree = 0;
      for (let k = 0; k < this.#length[i]; k++) degree += this.#weight[this.#pool[this.#start[i] + k]];
      this.#degree[i] = degree;
      this.remaining += this.#weight[i];
      this.#insert(i);
    }
  }

  #loadGraph(pattern: BlockPattern): Int32Array {
    const { n, columnStart, rows } = pattern;
    const length = this.#length;
    for (let j = 0; j < n; j++) {
      for (let slot = columnStart[j] + 1; slot < columnStart[j + 1]; slot++) {
        length[j]++;
        length[rows[slot]]++;
      }
    }
    for (let i = 1; i < n; i++) this.#start[i] = this.#start[i - 1] + length[i - 1];
    this.#poolEnd = 2 * (rows.length - n);
    const pool = new Int32Array(Math.ceil(1.2 * this.#poolEnd) + n + 16);
    const next = this.#start.slice();
    for (let j = 0; j < n; j++) {
      for (let slot = columnStart[j] + 1; slot < columnStart[j + 1]; slot++) {
        pool[next[j]++] = rows[slot];
        pool[next[rows[slot]]++] = j;
      }
    }
    return pool;
  }

  #deferDenseRows(): void {
    const limit = Math.max(16, 10 * Math.sqrt(this.#n));
    for (let i = 0; i < this.#n; i++) if (this.#length[i] > limit) this.#deferred.push(i);
    this.#deferred.sort((a, b) => this.#length[a] - this.#length[b] || a - b);
    for (const i of this.#deferred) {
      this.#kind[i] = DEAD;
      this.#weight[i] = 0;
    }
  }

  #insert(i: number): void {
    const degree = this.#degree[i];
    const first = this.#head[degree];
    this.#next[i] = first;
    this.#previous[i] = -1;
    if (first >= 0) this.#previous[first] = i;
    this.#head[degree] = i;
    if (degree < this.#smallest) this.#smallest = degree;
  }

  #remove(i: number): void {
    const next = this.#next[i];
    const previous = this.#previous[i];
    if (next >= 0) this.#previous[next] = previous;
    if (previous >= 0) this.#next[previous] = next;
    else this.#head[this.#degree[i]] = next;
  }

  takePivot(): number {
    while (this.#head[this.#smallest] < 0) this.#smallest++;
    const pivot = this.#head[this.#smallest];
    this.#remove(pivot);
    this.#pivots[this.#pivotCount++] = pivot;
    return pivot;
  }

  eliminate(pivot: number): void {
    this.remaining -= this.#weight[pivot];
    this.#formElement(pivot);
    this.#measureOutside(pivot);
    this.#updateVariables(pivot);
    this.#mergeIndistinguishable(pivot);
    this.#finishElement(pivot);
  }

  /** L_p into the pool; weights of its variables turn negative and they leave the degree lists. */
  #formElement(pivot: number): void {
    const weight = this.#weight;
    let room = this.#length[pivot] - this.#elements[pivot];
    for (let k = 0; k < this.#elements[pivot]; k++) room += this.#length[this.#pool[this.#start[pivot] + k]];
    if (this.#poolEnd + room > this.#pool.length) this.#compactPool(room);
    const pool = this.#pool;
    const from = this.#poolEnd;
    let end = from;
    let total = 0;
    weight[pivot] = -weight[pivot];
    const take = (start: number, stop: number): void => {
      for (let k = start; k < stop; k++) {
        const i = pool[k];
        if (weight[i] <= 0) continue;
        total += weight[i];
        weight[i] = -weight[i];
        this.#remove(i);
        pool[end++] = i;
      }
    };
    const start = this.#start[pivot];
    for (let k = start; k < start + this.#elements[pivot]; k++) {
      const e = pool[k];
      if (this.#kind[e] !== ELEMENT) continue;
      take(this.#start[e], this.#start[e] + this.#length[e]);
      this.#kind[e] = DEAD;
    }
    take(start + this.#elements[pivot], start + this.#length[pivot]);
    this.#kind[pivot] = ELEMENT;
    this.#start[pivot] = from;
    this.#length[pivot] = end - from;
    this.#elements[pivot] = 0;
    this.#degree[pivot] = total;
    this.#poolEnd = end;
  }

  #compactPool(room: number): void {
    let live = 0;
    for (let i = 0; i < this.#n; i++) if (this.#kind[i] !== DEAD) live += this.#length[i];
    const pool = new Int32Array(Math.ceil(1.4 * live) + room + this.#n);
    let end = 0;
    for (let i = 0; i < this.#n; i++) {
      if (this.#kind[i] === DEAD) continue;
      const start = this.#start[i];
      this.#start[i] = end;
      for (let k = 0; k < this.#length[i]; k++) pool[end++] = this.#pool[start + k];
    }
    this.#pool = pool;
    this.#poolEnd = end;
  }

  /** #outside[e] − #stamp = |L_e \ L_p| for all elements e next to L_p. */
  #measureOutside(pivot: number): void {
    const pool = this.#pool;
    const outside = this.#outside;
    const stamp = this.#stamp;
    const start = this.#start[pivot];
    for (let k = start; k < start + this.#length[pivot]; k++) {
      const i = pool[k];
      const weight = -this.#weight[i];
      const from = this.#start[i];
      for (let m = from; m < from + this.#elements[i]; m++) {
        const e = pool[m];
        if (this.#kind[e] !== ELEMENT) continue;
        outside[e] = (outside[e] >= stamp ? outside[e] : stamp + this.#degree[e]) - weight;
      }
    }
  }

  /** New lists and degree bounds for the variables of L_p; those without a neighbour outside leave together with the pivot. */
  #updateVariables(pivot: number): void {
    const pool = this.#pool;
    const start = this.#start[pivot];
    for (let k = start; k < start + this.#length[pivot]; k++) {
      const i = pool[k];
      const from = this.#start[i];
      const variables = from + this.#elements[i];
      const stop = from + this.#length[i];
      let end = from;
      let degree = 0;
      let hash = pivot;
      for (let m = from; m < variables; m++) {
        const e = pool[m];
        if (this.#kind[e] !== ELEMENT) continue;
        const beyond = this.#outside[e] - this.#stamp;
        if (beyond > 0) {
          degree += beyond;
          hash += e;
          pool[end++] = e;
        } else {
          this.#kind[e] = DEAD; // aggressive absorption: L_e ⊆ L_p
        }
      }
      const firstVariable = end;
      for (let m = variables; m < stop; m++) {
        const j = pool[m];
        if (this.#weight[j] <= 0) continue;
        degree += this.#weight[j];
        hash += j;
        pool[end++] = j;
      }
      if (degree === 0) {
        this.#eliminateWith(pivot, i);
        continue;
      }
      // one place is free: the list lost the pivot itself or an element that the pivot absorbed
      pool[end] = pool[firstVariable];
      pool[firstVariable] = pool[from];
      pool[from] = pivot;
      this.#elements[i] = firstVariable - from + 1;
      this.#length[i] = end - from + 1;
      this.#degree[i] = Math.min(this.#degree[i], degree);
      const bucket = hash % this.#n;
      this.#hash[i] = bucket;
      this.#bucketNext[i] = this.#bucket[bucket];
      this.#bucket[bucket] = i;
    }
    this.#stamp += this.#head.length + 1; // above all of #outside: they are at most the stamp + the total weight
  }

  #append(into: number, i: number): void {
    this.#memberNext[this.#memberLast[into]] = i;
    this.#memberLast[into] = this.#memberLast[i];
    this.#weight[i] = 0;
    this.#kind[i] = DEAD;
  }

  #eliminateWith(pivot: number, i: number): void {
    const weight = -this.#weight[i];
    this.#degree[pivot] -= weight;
    this.remaining -= weight;
    this.#append(pivot, i);
  }

  #mergeIndistinguishable(pivot: number): void {
    const pool = this.#pool;
    const start = this.#start[pivot];
    for (let k = start; k < start + this.#length[pivot]; k++) {
      if (this.#weight[pool[k]] === 0) continue;
      const bucket = this.#hash[pool[k]];
      let i = this.#bucket[bucket];
      this.#bucket[bucket] = -1;
      for (; i >= 0 && this.#bucketNext[i] >= 0; i = this.#bucketNext[i]) this.#mergeInto(i);
    }
  }

  /** Merges into i all later variables of its bucket that have the same list. */
  #mergeInto(i: number): void {
    const pool = this.#pool;
    const mark = this.#outside;
    const stamp = ++this.#stamp;
    const length = this.#length[i];
    // the first entry of both lists is the pivot
    for (let m = this.#start[i] + 1; m < this.#start[i] + length; m++) mark[pool[m]] = stamp;
    let last = i;
    for (let j = this.#bucketNext[i]; j >= 0; j = this.#bucketNext[j]) {
      let same = this.#length[j] === length && this.#elements[j] === this.#elements[i];
      for (let m = this.#start[j] + 1; same && m < this.#start[j] + length; m++) same = mark[pool[m]] === stamp;
      if (same) {
        this.#weight[i] += this.#weight[j];
        this.#append(i, j);
        this.#bucketNext[last] = this.#bucketNext[j];
      } else {
        last = j;
      }
    }
  }

  #finishElement(pivot: number): void {
    const pool = this.#pool;
    const start = this.#start[pivot];
    const total = this.#degree[pivot];
    let end = start;
    for (let k = start; k < start + this.#length[pivot]; k++) {
      const i = pool[k];
      const weight = -this.#weight[i];
      if (weight === 0) continue;
      this.#weight[i] = weight;
      this.#degree[i] = Math.min(this.#degree[i] + total, this.remaining) - weight;
      this.#insert(i);
      pool[end++] = i;
    }
    this.#length[pivot] = end - start;
    this.#weight[pivot] = 0;
    this.#poolEnd = end;
    this.#stamp++;
    if (end === start) this.#kind[pivot] = DEAD;
  }

  order(): Int32Array {
    const order = new Int32Array(this.#n);
    let count = 0;
    for (let k = 0; k < this.#pivotCount; k++) {
      for (let i = this.#pivots[k]; i >= 0; i = this.#memberNext[i]) order[count++] = i;
    }
    for (const i of this.#deferred) order[count++] = i;
    return order;
  }
}
