/**
 * Supernodes of an elimination tree: runs of columns with the same rows, then children merged into their parents where that adds few zeros
 * [Ashcraft 1989], whichever child it is. Wider fronts are worth more than the zeros cost, and there are fewer
 * of them.
 */

/** A child is merged into its parent while the merged panel is at most this wide and has at most this share of zeros. */
const RELAXATION: readonly (readonly [width: number, zeros: number])[] = [
  [8, 0.8],
  [16, 0.35],
  [32, 0.2],
  [64, 0.1],
  [Number.POSITIVE_INFINITY, 0.03],
];

export interface Supernodes {
  /** order[k] = column of the tree that is now the k-th. */
  readonly order: Int32Array;
  /** First column of each supernode in the new order; one more entry at the end. */
  readonly start: Int32Array;
}

/** `parent`: the tree, in postorder; `counts`: scalars of L in the first scalar column of each block column; `scalarStart`: of its blocks. */
export function computeSupernodes(parent: Int32Array, counts: Int32Array, scalarStart: Int32Array): Supernodes {
  return new Amalgamation(parent, counts, scalarStart).write();
}

class Amalgamation {
  /** First column of each run; one more entry at the end. */
  readonly #first: Int32Array;
  /** Of the runs: scalar columns, scalar rows, scalars of the exact L; of merged ones too. */
  readonly #width: Float64Array;
  readonly #height: Float64Array;
  readonly #exact: Float64Array;
  readonly #parent: Int32Array;
  /** Lists of children; lists of the runs that were merged, by their last one. */
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  readonly #head: Int32Array;
  readonly #tail: Int32Array;
  readonly #next: Int32Array;

  constructor(parent: Int32Array, counts: Int32Array, scalarStart: Int32Array) {
    const first = findRuns(parent, counts, scalarStart);
    const count = first.length - 1;
    this.#first = first;
    this.#width = new Float64Array(count);
    this.#height = new Float64Array(count);
    this.#exact = new Float64Array(count);
    this.#parent = new Int32Array(count).fill(-1);
    this.#child = new Int32Array(count).fill(-1);
    this.#sibling = new Int32Array(count).fill(-1);
    this.#head = new Int32Array(count);
    for (let s = 0; s < count; s++) this.#head[s] = s;
    this.#tail = this.#head.slice();
    this.#next = new Int32Array(count).fill(-1);
    const runOf = new Int32Array(parent.length);
    for (let s = 0; s < count; s++) {
      runOf.fill(s, first[s], first[s + 1]);
      const width = scalarStart[first[s + 1]] - scalarStart[first[s]];
      this.#width[s] = width;
      this.#height[s] = counts[first[s]];
      this.#exact[s] = computeArea(width, counts[first[s]]);
    }
    for (let s = 0; s < count; s++) {
      const up = parent[first[s + 1] - 1];
      if (up >= 0) this.#parent[s] = runOf[up];
    }
    for (let s = 0; s < count; s++) this.#merge(s);
  }

  /** Takes over the children of s that are worth it, the last first; then s is a child of its parent. */
  #merge(s: number): void {
    let kept = -1;
    for (let c = this.#child[s]; c >= 0; ) {
      const following = this.#sibling[c];
      const width = this.#width[c] + this.#width[s];
      const height = this.#width[c] + this.#height[s];
      const area = computeArea(width, height);
      const exact = this.#exact[c] + this.#exact[s];
      const zeros = (area - exact) / area;
      if (isWorth(width, zeros)) {
        this.#width[s] = width;
        this.#height[s] = height;
        this.#exact[s] = exact;
        this.#next[this.#tail[c]] = this.#head[s];
        this.#head[s] = this.#head[c];
        for (let g = this.#child[c]; g >= 0; ) {
          const after = this.#sibling[g];
          this.#sibling[g] = kept;
          kept = g;
          g = after;
        }
      } else {
        this.#sibling[c] = kept;
        kept = c;
      }
      c = following;
    }
    this.#child[s] = kept;
    const up = this.#parent[s];
    if (up < 0) return;
    this.#sibling[s] = this.#child[up];
    this.#child[up] = s;
  }

  /** The merged tree in postorder. */
  write(): Supernodes {
    const first = this.#first;
    const count = first.length - 1;
    const order = new Int32Array(first[count]);
    const start: number[] = [];
    const stack = new Int32Array(count + 1);
    let at = 0;
    for (let root = 0; root < count; root++) {
      if (this.#parent[root] >= 0) continue;
      let top = 0;
      stack[0] = root;
      while (top >= 0) {
        const s = stack[top];
        const c = this.#child[s];
        if (c >= 0) {
          this.#child[s] = this.#sibling[c];
          stack[++top] = c;
          continue;
        }
        top--;
        start.push(at);
        for (let run = this.#head[s]; run >= 0; run = this.#next[run])
          for (let k = first[run]; k < first[run + 1]; k++) order[at++] = k;
      }
    }
    start.push(at);
    return { order, start: Int32Array.from(start) };
  }
}

function isWorth(width: number, zeros: number): boolean {
  for (let k = 0; k < RELAXATION.length; k++) if (width <= RELAXATION[k][0] && zeros <= RELAXATION[k][1]) return true;
  return false;
}

/** Scalars in the lower triangle and below of a panel. */
const computeArea = (width: number, height: number): number => width * height - (width * (width - 1)) / 2;

/** First columns of runs with the same rows; one more entry at the end. */
function findRuns(parent: Int32Array, counts: Int32Array, scalarStart: Int32Array): Int32Array {
  const n = parent.length;
  const first: number[] = [];
  for (let k = 0; k < n; k++) {
    const isSame = k > 0 && parent[k - 1] === k && counts[k - 1] === counts[k] + scalarStart[k] - scalarStart[k - 1];
    if (!isSame) first.push(k);
  }
  first.push(n);
  return Int32Array.from(first);
}
