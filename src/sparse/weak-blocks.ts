/**
 * Which weak blocks of a matrix a factor takes along although it could leave them out (`sparsified.ts`).
 *
 * In the elimination order of the strong blocks some weak ones cost nothing: the factor has an entry in their place anyway. In meshes that is
 * every second block across an edge, where one of the edge's ends is eliminated before the two vertices that it couples. The others couple two branches
 * of the elimination tree; then the columns on both ways to where the branches meet get longer. That is cheap near the leaves
 * and dear across the separators of large parts, which is where it pays to leave them out:
 *
 *     taken where   Σ rows of the columns on the ways from i and j to their first common ancestor  ≤  MOST_ROWS
 *
 * Taking only those that cost nothing, conjugate gradients take a sixth more iterations in cloth whose bending is stiff.
 */
import { createRandom } from '../math/index.ts';
import { computeAmdOrder } from './amd.ts';
import { BlockPattern } from './block-sparse.ts';
import {
  computeColumnCounts,
  computeEliminationTree,
  computePositions,
  computeRowLists,
  type RowLists,
} from './elimination-tree.ts';

/** Scalar rows. Less leaves more to the iteration, more to the factorisation; from 0 to 120 the sum is nearly the same, and 30 has an eighth less fill than 120. */
const MOST_ROWS = 30;

export interface WeakChoice {
  /** 1 for slots that are left out. */
  readonly isLeftOut: Uint8Array;
  /** Order of elimination. */
  readonly order: Int32Array;
}

/** `isWeak`: 1 for slots that may be left out; `given`: an order of elimination, instead of AMD. */
export function chooseWeakBlocks(
  pattern: BlockPattern,
  sizes: Int32Array,
  isWeak: Uint8Array,
  given?: Int32Array,
): WeakChoice {
  const strong = keepSlots(pattern, isWeak);
  const order = given ?? computeShuffledOrder(strong, sizes);
  const lists = computeRowLists(strong, order);
  const parent = computeEliminationTree(lists);
  const starts = new Int32Array(order.length + 1);
  for (let k = 0; k < order.length; k++) starts[k + 1] = starts[k] + sizes[order[k]];
  const counts = computeColumnCounts(lists, parent, starts);
  const isLeftOut = Uint8Array.from(isWeak);
  const weak = listWeakRows(pattern, order, isWeak);
  const mark = new Int32Array(order.length).fill(-1);
  for (let i = 0; i < order.length; i++) {
    markRow(i, lists, parent, mark);
    for (let k = weak.start[i]; k < weak.start[i + 1]; k++) {
      const isFree = mark[weak.columns[k]] === i;
      if (isFree || joinsCheaply(i, weak.columns[k], parent, counts)) isLeftOut[weak.slots[k]] = 0;
    }
  }
  return { isLeftOut, order };
}

/**
 * AMD of a pattern whose blocks were numbered at random, from a fixed seed. Regular meshes numbered row by row are full of ties, which AMD breaks
 * by number: shuffled, the factor takes a tenth fewer operations at 10,000 vertices and a quarter fewer at 40,000.
 */
function computeShuffledOrder({ n, columnStart, rows }: BlockPattern, sizes: Int32Array): Int32Array {
  const random = createRandom(1);
  const shuffled = new Int32Array(n);
  for (let k = 0; k < n; k++) shuffled[k] = k;
  for (let k = n - 1; k > 0; k--) {
    const other = Math.floor(random.uniform() * (k + 1));
    const moved = shuffled[k];
    shuffled[k] = shuffled[other];
    shuffled[other] = moved;
  }
  const position = computePositions(shuffled);
  const first = new Int32Array(rows.length);
  const second = new Int32Array(rows.length);
  for (let j = 0; j < n; j++)
    for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
      first[slot] = position[rows[slot]];
      second[slot] = position[j];
    }
  const pattern = BlockPattern.fromPairs(n, first, second);
  const weights = new Int32Array(n);
  for (let k = 0; k < n; k++) weights[k] = sizes[shuffled[k]];
  const order = computeAmdOrder(pattern, weights);
  for (let k = 0; k < n; k++) order[k] = shuffled[order[k]];
  return order;
}

/** The pattern without the slots that are left out; diagonal ones stay. */
export function keepSlots({ n, columnStart, rows }: BlockPattern, isLeftOut: Uint8Array): BlockPattern {
  const columns = new Int32Array(n + 1);
  const kept = new Int32Array(rows.length);
  let count = 0;
  for (let j = 0; j < n; j++) {
    for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++)
      if (isLeftOut[slot] === 0 || rows[slot] === j) kept[count++] = rows[slot];
    columns[j + 1] = count;
  }
  return BlockPattern.fromColumns(columns, kept.slice(0, count));
}

/** Marks the columns in which row i of L has an entry by i. */
function markRow(i: number, { start, columns }: RowLists, parent: Int32Array, mark: Int32Array): void {
  mark[i] = i;
  for (let k = start[i]; k < start[i + 1]; k++) for (let j = columns[k]; mark[j] !== i; j = parent[j]) mark[j] = i;
}

/** Whether the ways from two columns to their first common ancestor are short. */
function joinsCheaply(a: number, b: number, parent: Int32Array, counts: Int32Array): boolean {
  let rows = 0;
  while (a !== b && a >= 0 && b >= 0) {
    rows += counts[Math.min(a, b)];
    if (rows > MOST_ROWS) return false;
    if (a < b) a = parent[a];
    else b = parent[b];
  }
  return a === b;
}

/** Weak blocks by rows, in elimination order: their columns, before the diagonal, and slots. */
function listWeakRows({ n, columnStart, rows }: BlockPattern, order: Int32Array, isWeak: Uint8Array) {
  const position = computePositions(order);
  const start = new Int32Array(n + 1);
  for (let j = 0; j < n; j++)
    for (let slot = columnStart[j] + 1; slot < columnStart[j + 1]; slot++)
      if (isWeak[slot] === 1) start[Math.max(position[j], position[rows[slot]]) + 1]++;
  for (let i = 0; i < n; i++) start[i + 1] += start[i];
  const next = start.slice(0, n);
  const columns = new Int32Array(start[n]);
  const slots = new Int32Array(start[n]);
  for (let j = 0; j < n; j++)
    for (let slot = columnStart[j] + 1; slot < columnStart[j + 1]; slot++) {
      if (isWeak[slot] === 0) continue;
      const [a, b] = [position[j], position[rows[slot]]];
      const at = next[Math.max(a, b)]++;
      columns[at] = Math.min(a, b);
      slots[at] = slot;
    }
  return { start, columns, slots };
}
