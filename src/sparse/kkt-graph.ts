/**
 * The graph of a system [A Gᵀ; G 0] and its elimination order: AMD, then each multiplier behind the unknowns of its row (see kkt.ts).
 */
import type { SymmetricBlocks } from './block-mixed.ts';
import { BlockPattern } from './block-sparse.ts';
import type { SparseRows } from './kkt.ts';

/** Block of each scalar row. */
export function computeBlockOfScalar({ sizes, blockStart, size }: SymmetricBlocks): Int32Array {
  const block = new Int32Array(size);
  for (let i = 0; i < sizes.length; i++) block.fill(i, blockStart[i], blockStart[i + 1]);
  return block;
}

/** The graph of the whole system: blocks 0 … n − 1 of A, then one scalar block a row. */
export function computeWholePattern(pattern: BlockPattern, blockOfScalar: Int32Array, rows: SparseRows): BlockPattern {
  const entries = rows.start[rows.count];
  const first = new Int32Array(pattern.slots + entries);
  const second = new Int32Array(pattern.slots + entries);
  for (let j = 0; j < pattern.n; j++) {
    for (let slot = pattern.columnStart[j]; slot < pattern.columnStart[j + 1]; slot++) {
      first[slot] = pattern.rows[slot];
      second[slot] = j;
    }
  }
  for (let r = 0; r < rows.count; r++) {
    for (let k = rows.start[r]; k < rows.start[r + 1]; k++) {
      first[pattern.slots + k] = pattern.n + r;
      second[pattern.slots + k] = blockOfScalar[rows.columns[k]];
    }
  }
  return BlockPattern.fromPairs(pattern.n + rows.count, first, second);
}

/** Each multiplier comes directly behind the last unknown of its row; multipliers of empty rows come last. */
export function moveMultipliersBack(whole: BlockPattern, unknowns: number, order: Int32Array): Int32Array {
  const position = new Int32Array(whole.n);
  for (let k = 0; k < whole.n; k++) position[order[k]] = k;
  const last = new Int32Array(whole.n).fill(-1);
  for (let j = 0; j < unknowns; j++) {
    for (let slot = whole.columnStart[j]; slot < whole.columnStart[j + 1]; slot++) {
      const i = whole.rows[slot];
      if (i >= unknowns) last[i] = Math.max(last[i], position[j]);
    }
  }
  // a chain of waiting multipliers for each position, kept in AMD order
  const head = new Int32Array(whole.n).fill(-1);
  const next = new Int32Array(whole.n).fill(-1);
  const empty: number[] = [];
  for (let k = whole.n - 1; k >= 0; k--) {
    const i = order[k];
    if (i < unknowns) continue;
    if (last[i] < 0) {
      empty.push(i);
      continue;
    }
    next[i] = head[last[i]];
    head[last[i]] = i;
  }
  const moved = new Int32Array(whole.n);
  let count = 0;
  for (let k = 0; k < whole.n; k++) {
    if (order[k] >= unknowns) continue;
    moved[count++] = order[k];
    for (let i = head[k]; i >= 0; i = next[i]) moved[count++] = i;
  }
  for (const i of empty) moved[count++] = i;
  return moved;
}
