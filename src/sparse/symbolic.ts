/**
 * Symbolic factorisation P A Pᵀ = L D Lᵀ of a symmetric block pattern: elimination tree, column counts, supernodes, pattern of L.
 *
 * The tree follows [Liu 1990].
 * A supernode is a run of columns with (nearly) the same rows below them; it is eliminated in one dense front:
 *
 *   rows  │ own columns (lower triangle) │      its rows, own columns first, ascending
 *         │ rows below                   │      its parent is the supernode of the first row below
 *
 * Blocks may differ in size (KKT systems put scalar multipliers beside blocks of coordinates).
 */
import { computeSupernodes } from './amalgamation.ts';
import { computeAmdOrder } from './amd.ts';
import type { BlockPattern } from './block-sparse.ts';
import {
  computeColumnCounts,
  computeColumnLists,
  computeEliminationTree,
  computePostorder,
  computeRowLists,
} from './elimination-tree.ts';

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
  const walked = permute(first, post);
  const lists = computeRowLists(pattern, walked);
  const parent = computeEliminationTree(lists);
  const walkedStart = computeStarts(walked, sizes);
  const counts = computeColumnCounts(lists, parent, walkedStart);
  const { order: merged, start: superStart } = computeSupernodes(parent, counts, walkedStart);
  const order = permute(walked, merged);
  const scalarStart = computeStarts(order, sizes);
  const structure = computeStructure(pattern, order, superStart, scalarStart);
  let fill = 0;
  let operations = 0;
  for (let k = 0; k < pattern.n; k++) {
    for (let c = counts[k]; c > counts[k] - sizes[walked[k]]; c--) {
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

function permute(list: Int32Array, order: Int32Array): Int32Array {
  const out = new Int32Array(order.length);
  for (let k = 0; k < order.length; k++) out[k] = list[order[k]];
  return out;
}

/** First scalar of each block in this order; one more entry at the end. */
function computeStarts(order: Int32Array, sizes: Int32Array): Int32Array {
  const start = new Int32Array(order.length + 1);
  for (let k = 0; k < order.length; k++) start[k + 1] = start[k] + sizes[order[k]];
  return start;
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
    rowStart[s] = length;
    for (let k = superStart[s]; k < end; k++) rows[length++] = k;
    const own = length;
    for (let m = below.start[superStart[s]]; m < below.start[end]; m++) {
      const i = below.rows[m];
      if (i < end || mark[i] === s) continue;
      mark[i] = s;
      rows[length++] = i;
    }
    for (let c = firstChild[s]; c >= 0; c = nextChild[c]) {
      for (let m = rowStart[c]; m < rowStart[c + 1]; m++) {
        const i = rows[m];
        if (i < end || mark[i] === s) continue;
        mark[i] = s;
        rows[length++] = i;
      }
    }
    sortRows(rows, own, length);
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

/** Rows up to which a list is sorted by insertion. */
const SHORT = 24;

function sortRows(rows: Int32Array, from: number, to: number): void {
  if (to - from > SHORT) {
    rows.subarray(from, to).sort();
    return;
  }
  for (let k = from + 1; k < to; k++) {
    const row = rows[k];
    let at = k;
    for (; at > from && rows[at - 1] > row; at--) rows[at] = rows[at - 1];
    rows[at] = row;
  }
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
