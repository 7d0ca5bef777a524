/**
 * The lists of integers that the kernels of the fronts read: which blocks of A belong to a front and where, its scalar rows, and the rows
 * of its parent that its update is added to.
 */
import type { FrontLayout } from './front-layout.ts';
import type { SymbolicFactor } from './symbolic.ts';

/** Fills the lists of `layout` in the kernels' memory. */
export function writeFrontMaps(symbolic: SymbolicFactor, layout: FrontLayout, i32: Int32Array): void {
  writeRows(symbolic, layout, i32);
  writeSlots(symbolic, layout, i32);
}

function writeRows(symbolic: SymbolicFactor, layout: FrontLayout, i32: Int32Array): void {
  const { superStart, rowStart, rows, rowOffset, scalarStart, parent } = symbolic;
  for (let s = 0; s < parent.length; s++) {
    let at = layout.rowStart[s];
    const up = parent[s];
    const own = rowStart[s] + superStart[s + 1] - superStart[s];
    let q = up < 0 ? 0 : rowStart[up];
    for (let p = rowStart[s]; p < rowStart[s + 1]; p++) {
      const first = scalarStart[rows[p]];
      const size = scalarStart[rows[p] + 1] - first;
      if (p >= own) while (rows[q] < rows[p]) q++;
      for (let c = 0; c < size; c++, at++) {
        i32[layout.rows / 4 + at] = first + c;
        if (p >= own) i32[layout.maps / 4 + at] = rowOffset[q] + c;
      }
    }
  }
}

/** Blocks by front, in the order of their slots. */
function writeSlots(symbolic: SymbolicFactor, layout: FrontLayout, i32: Int32Array): void {
  const { pattern, sizes, order, superStart, superOf, rowStart, rows, rowOffset, scalarStart } = symbolic;
  const { n, columnStart } = pattern;
  const { slotStart } = layout;
  const position = new Int32Array(n);
  for (let k = 0; k < n; k++) position[order[k]] = k;
  for (let j = 0; j < n; j++)
    for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++)
      slotStart[superOf[Math.min(position[pattern.rows[slot]], position[j])] + 1]++;
  for (let s = 0; s + 1 < slotStart.length; s++) slotStart[s + 1] += slotStart[s];
  const next = slotStart.slice();
  let value = 0;
  for (let j = 0; j < n; j++)
    for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
      const i = pattern.rows[slot];
      const row = Math.max(position[i], position[j]);
      const column = Math.min(position[i], position[j]);
      const s = superOf[column];
      let low = rowStart[s];
      let high = rowStart[s + 1] - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (rows[middle] < row) low = middle + 1;
        else high = middle;
      }
      const at = layout.slots / 4 + 5 * next[s]++;
      const ld = layout.columnStep[s];
      i32[at] = value;
      i32[at + 1] = (scalarStart[column] - scalarStart[superStart[s]]) * ld + rowOffset[low];
      i32[at + 2] = sizes[i];
      i32[at + 3] = sizes[j];
      i32[at + 4] = position[i] < position[j] ? 1 : 0;
      value += sizes[i] * sizes[j];
    }
}
