/**
 * The elimination tree of a symmetric pattern in a given order, its postorder, and the column counts of L
 * [Liu 1990].
 * Rows and columns count blocks in elimination order.
 */
import type { BlockPattern } from './block-sparse.ts';

export interface RowLists {
  readonly start: Int32Array;
  /** Columns k < i of row i, in elimination order. */
  readonly columns: Int32Array;
}

/** Place of each block in the order. */
export function computePositions(order: Int32Array): Int32Array {
  const position = new Int32Array(order.length);
  for (let k = 0; k < order.length; k++) position[order[k]] = k;
  return position;
}

export function computeRowLists(pattern: BlockPattern, order: Int32Array): RowLists {
  const { n, columnStart, rows } = pattern;
  const position = computePositions(order);
  const start = new Int32Array(n + 1);
  for (let j = 0; j < n; j++) {
    for (let slot = columnStart[j] + 1; slot < columnStart[j + 1]; slot++) {
      start[Math.max(position[j], position[rows[slot]]) + 1]++;
    }
  }
  for (let i = 0; i < n; i++) start[i + 1] += start[i];
  const columns = new Int32Array(start[n]);
  const next = start.slice(0, n);
  for (let j = 0; j < n; j++) {
    for (let slot = columnStart[j] + 1; slot < columnStart[j + 1]; slot++) {
      const a = position[j];
      const b = position[rows[slot]];
      columns[next[Math.max(a, b)]++] = Math.min(a, b);
    }
  }
  return { start, columns };
}

/** parent[k] = first row below the diagonal of column k of L, −1 for a root. */
export function computeEliminationTree({ start, columns }: RowLists): Int32Array {
  const n = start.length - 1;
  const parent = new Int32Array(n).fill(-1);
  const ancestor = new Int32Array(n).fill(-1);
  for (let i = 0; i < n; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) {
      let j = columns[k];
      while (j !== i && j >= 0) {
        const up = ancestor[j];
        ancestor[j] = i;
        if (up < 0) parent[j] = i;
        j = up;
      }
    }
  }
  return parent;
}

export function computePostorder(parent: Int32Array): Int32Array {
  const n = parent.length;
  const child = new Int32Array(n).fill(-1);
  const sibling = new Int32Array(n).fill(-1);
  for (let i = n - 1; i >= 0; i--) {
    if (parent[i] < 0) continue;
    sibling[i] = child[parent[i]];
    child[parent[i]] = i;
  }
  const post = new Int32Array(n);
  const stack = new Int32Array(n);
  let count = 0;
  for (let root = 0; root < n; root++) {
    if (parent[root] >= 0) continue;
    let top = 0;
    stack[0] = root;
    while (top >= 0) {
      const i = stack[top];
      const down = child[i];
      if (down >= 0) {
        child[i] = sibling[down];
        stack[++top] = down;
      } else {
        post[count++] = i;
        top--;
      }
    }
  }
  return post;
}

/** Scalar entries of L in the first scalar column of each block column, diagonal included, by walking the row subtrees. */
export function computeColumnCounts(
  { start, columns }: RowLists,
  parent: Int32Array,
  scalarStart: Int32Array,
): Int32Array {
  const n = parent.length;
  const counts = new Int32Array(n);
  const mark = new Int32Array(n).fill(-1);
  for (let i = 0; i < n; i++) {
    const size = scalarStart[i + 1] - scalarStart[i];
    counts[i] += size;
    mark[i] = i;
    for (let k = start[i]; k < start[i + 1]; k++) {
      for (let j = columns[k]; mark[j] !== i; j = parent[j]) {
        counts[j] += size;
        mark[j] = i;
      }
    }
  }
  return counts;
}

/** Rows below the diagonal of each column of A, in elimination order. */
export function computeColumnLists(pattern: BlockPattern, order: Int32Array): { start: Int32Array; rows: Int32Array } {
  const { n } = pattern;
  const lists = computeRowLists(pattern, order);
  const start = new Int32Array(n + 1);
  for (const k of lists.columns) start[k + 1]++;
  for (let k = 0; k < n; k++) start[k + 1] += start[k];
  const rows = new Int32Array(start[n]);
  const next = start.slice(0, n);
  for (let i = 0; i < n; i++) {
    for (let m = lists.start[i]; m < lists.start[i + 1]; m++) rows[next[lists.columns[m]]++] = i;
  }
  return { start, rows };
}
