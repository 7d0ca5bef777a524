/**
 * Symbolic factorisation P A Pᵀ = L D Lᵀ of a symmetric block pattern: elimination tree, column counts, supernodes, pattern of L.
 *
 * The tree and the supernodes follow J. Liu, "The role of elimination trees in sparse factorization", SIAM J. Matrix Anal. Appl. 11 (1990), and
 * C. Ashcraft, R. Grimes, "The influence of relaxed supernode partitions on the multifrontal method", ACM TOMS 15 (1989).
 * A supernode is a run of columns with (nearly) the same rows below them; it is eliminated in one dense front:
 *
 *   rows  │ own columns (lower triangle) │      its rows, own columns first, ascending
 *         │ rows below                   │      its parent is the supernode of the first row below
 *
 * Blocks may differ in size (KKT systems put scalar multipliers beside blocks of coordinates).
 */
import { computeAmdOrder } from './amd.ts';
import type { BlockPattern } from './block-sparse.ts';
import {
  computeColumnCounts,
  computeColumnLists,
  computeEliminationTree,
  computePostorder,
  computeRowLists,
} from './elimination-tree.ts';

/** A child is merged into its parent while the merged panel is at most this wide and has at most this share of zeros. */
const RELAXATION: readonly (readonly [width: number, zeros: number])[] = [
  [8, 0.8],
  [24, 0.25],
  [96, 0.1],
  [Number.POSITIVE_INFINITY, 0.05],
];

export interface SymbolicFactor {
  readonly pattern: BlockPattern;
  /** Scalar rows of each block of the pattern. */
  readonly sizes: Int32Array;
  /** Number of scalar rows. */
  readonly size: number;
  /** order[k] = block that is eliminated as the k-th; everything below counts blocks in this order. */
  readonly order: Int32Array;
  /** First scalar of the k-th eliminated block, in elimination order; one more entry at the end. */
  readonly scalarStart: Int32Array;
  /** First block column of each supernode; one more entry at the end. */
  readonly superStart: Int32Array;
  /** Supernode of each block column. */
  readonly superOf: Int32Array;
  /** Rows of supernode s: rows[rowStart[s] … rowStart[s + 1]), ascending, its own columns first. */
  readonly rowStart: Int32Array;
  readonly rows: Int32Array;
  /** First scalar row, inside its front, of each entry of `rows`. */
  readonly rowOffset: Int32Array;
  /** Scalar rows of each front, and its parent: the supernode of its first row below; −1 for a root. */
  readonly height: Int32Array;
  readonly parent: Int32Array;
  /** Scalars in the lower triangle of the exact L (diagonal included), without the zeros that merging adds. */
  readonly fill: number;
  /** Multiply-adds of the exact factorisation. */
  readonly operations: number;
}

/** `sizes`: scalar rows of each block; `given`: an elimination order to use instead of AMD (its tree is still traversed in postorder). */
export function computeSymbolic(pattern: BlockPattern, sizes: Int32Array, given?: Int32Array): SymbolicFactor {
  const first = given ?? computeAmdOrder(pattern, sizes);
  const firstTree = computeEliminationTree(computeRowLists(pattern, first));
  const post = computePostorder(firstTree);
  const order = first.map((_, k) => first[post[k]]);
  const lists = computeRowLists(pattern, order);
  const parent = computeEliminationTree(lists);
  const scalarStart = new Int32Array(pattern.n + 1);
  for (let k = 0; k < pattern.n; k++) scalarStart[k + 1] = scalarStart[k] + sizes[order[k]];
  const counts = computeColumnCounts(lists, parent, scalarStart);
  const superStart = computeSupernodes(parent, counts, scalarStart);
  const structure = computeStructure(pattern, order, superStart, scalarStart);
  let fill = 0;
  let operations = 0;
  for (let k = 0; k < pattern.n; k++) {
    for (let c = counts[k]; c > counts[k] - (scalarStart[k + 1] - scalarStart[k]); c--) {
      fill += c;
      operations += (c * (c - 1)) / 2;
    }
  }
  return {
    pattern,
    sizes,
    size: scalarStart[pattern.n],
    order,
    scalarStart,
    superStart,
    ...structure,
    fill,
    operations,
  };
}

/** First block columns of the supernodes: runs with the same rows, then relaxed merging. */
function computeSupernodes(parent: Int32Array, counts: Int32Array, scalarStart: Int32Array): Int32Array {
  const n = parent.length;
  const starts: number[] = [];
  const filled: number[] = []; // scalars of the exact L in each supernode
  const scalars = (k: number): number => {
    const size = scalarStart[k + 1] - scalarStart[k];
    return size * counts[k] - (size * (size - 1)) / 2;
  };
  for (let k = 0; k < n; k++) {
    const same = k > 0 && parent[k - 1] === k && counts[k - 1] === counts[k] + scalarStart[k] - scalarStart[k - 1];
    if (same) {
      filled[filled.length - 1] += scalars(k);
    } else {
      if (k > 0) mergeLast(starts, filled, k, { parent, counts, scalarStart });
      starts.push(k);
      filled.push(scalars(k));
    }
  }
  if (n > 0) mergeLast(starts, filled, n, { parent, counts, scalarStart });
  starts.push(n);
  return Int32Array.from(starts);
}

interface Tree {
  readonly parent: Int32Array;
  readonly counts: Int32Array;
  readonly scalarStart: Int32Array;
}

/** Merges the last supernode, which ends before column `end`, with the one before it if that is its child and few zeros result. */
function mergeLast(starts: number[], filled: number[], end: number, { parent, counts, scalarStart }: Tree): void {
  while (starts.length > 1) {
    const own = starts[starts.length - 1];
    const child = starts[starts.length - 2];
    if (parent[own - 1] < own || parent[own - 1] >= end) return;
    const width = scalarStart[end] - scalarStart[child];
    const below = counts[end - 1] - (scalarStart[end] - scalarStart[end - 1]);
    const merged = (width * (width + 1)) / 2 + width * below;
    const exact = filled[filled.length - 1] + filled[filled.length - 2];
    const zeros = (merged - exact) / merged;
    if (zeros > 0 && !RELAXATION.some(([widest, share]) => width <= widest && zeros <= share)) return;
    starts.pop();
    filled.pop();
    filled[filled.length - 1] = exact;
  }
}

type Structure = Pick<SymbolicFactor, 'superOf' | 'rowStart' | 'rows' | 'rowOffset' | 'height' | 'parent'>;

/** Rows of each supernode: its own columns, then the rows of A and of its children below them. */
function computeStructure(
  pattern: BlockPattern,
  order: Int32Array,
  superStart: Int32Array,
  scalarStart: Int32Array,
): Structure {
  const { n } = pattern;
  const count = superStart.length - 1;
  const superOf = new Int32Array(n);
  for (let s = 0; s < count; s++) superOf.fill(s, superStart[s], superStart[s + 1]);
  const below = computeColumnLists(pattern, order);
  const rowStart = new Int32Array(count + 1);
  const firstChild = new Int32Array(count).fill(-1);
  const nextChild = new Int32Array(count).fill(-1);
  const mark = new Int32Array(n).fill(-1);
  let rows = new Int32Array(4 * n + 16);
  let length = 0;
  for (let s = 0; s < count; s++) {
    if (length + n > rows.length) {
      const grown = new Int32Array(2 * rows.length + n);
      grown.set(rows);
      rows = grown;
    }
    const end = superStart[s + 1];
    const take = (i: number): void => {
      if (i < end || mark[i] === s) return;
      mark[i] = s;
      rows[length++] = i;
    };
    rowStart[s] = length;
    for (let k = superStart[s]; k < end; k++) rows[length++] = k;
    const own = length;
    for (let k = superStart[s]; k < end; k++) {
      for (let m = below.start[k]; m < below.start[k + 1]; m++) take(below.rows[m]);
    }
    for (let c = firstChild[s]; c >= 0; c = nextChild[c]) {
      for (let m = rowStart[c]; m < rowStart[c + 1]; m++) take(rows[m]);
    }
    rows.subarray(own, length).sort();
    rowStart[s + 1] = length;
    if (length === own) continue;
    const up = superOf[rows[own]];
    nextChild[s] = firstChild[up];
    firstChild[up] = s;
  }
  return {
    superOf,
    rowStart,
    rows: rows.slice(0, length),
    ...measureFronts(superStart, rowStart, rows, scalarStart, superOf),
  };
}

function measureFronts(
  superStart: Int32Array,
  rowStart: Int32Array,
  rows: Int32Array,
  scalarStart: Int32Array,
  superOf: Int32Array,
): Pick<Structure, 'rowOffset' | 'height' | 'parent'> {
  const count = superStart.length - 1;
  const rowOffset = new Int32Array(rowStart[count]);
  const height = new Int32Array(count);
  const parent = new Int32Array(count);
  for (let s = 0; s < count; s++) {
    let scalars = 0;
    for (let p = rowStart[s]; p < rowStart[s + 1]; p++) {
      rowOffset[p] = scalars;
      scalars += scalarStart[rows[p] + 1] - scalarStart[rows[p]];
    }
    height[s] = scalars;
    const below = rowStart[s] + superStart[s + 1] - superStart[s];
    parent[s] = below < rowStart[s + 1] ? superOf[rows[below]] : -1;
  }
  return { rowOffset, height, parent };
}
