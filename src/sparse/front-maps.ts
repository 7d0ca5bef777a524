/**
 * The lists of integers that the kernels of the fronts read (`FRONT_TABLES`): which blocks of A belong to a front and where, its scalar
 * rows, the rows of its parent that its update is added to, and where everything is.
 */
import { FRONT_TABLES } from '../kernels/index.ts';
import type { BlockPattern } from './block-sparse.ts';
import type { FrontLayout } from './front-layout.ts';
import type { SymbolicFactor } from './symbolic.ts';

/** Fills the lists of `layout` in the kernels' memory; `places`: first value of each slot of the pattern. */
export function writeFrontMaps(
  symbolic: SymbolicFactor,
  layout: FrontLayout,
  places: Int32Array,
  i32: Int32Array,
): void {
  writeScalars(symbolic, layout, places, i32);
  writeRows(symbolic, layout, i32);
  writeSlots(symbolic, layout, places, i32);
  writeFronts(symbolic, layout, i32);
  writeChildren(symbolic, layout, i32);
  writePanels(symbolic, layout, i32);
  writeRow(i32, layout.work, [
    symbolic.size,
    layout.diagonal,
    layout.order,
    layout.inverse,
    layout.y,
    layout.packed,
    layout.below,
    layout.sums,
    layout.ratio,
    layout.magnitude,
    layout.signs,
    layout.rule,
  ]);
}

function writeRow(i32: Int32Array, at: number, row: readonly number[]): void {
  for (let k = 0; k < row.length; k++) i32[at / 4 + k] = row[k];
}

/** Unpermuted scalar of each scalar in elimination order, and its value of A on the diagonal. */
function writeScalars(symbolic: SymbolicFactor, layout: FrontLayout, places: Int32Array, i32: Int32Array): void {
  const { pattern, sizes, order, scalarStart } = symbolic;
  const start = new Int32Array(pattern.n + 1);
  for (let j = 0; j < pattern.n; j++) start[j + 1] = start[j] + sizes[j];
  for (let k = 0; k < pattern.n; k++) {
    const block = order[k];
    for (let c = 0; c < sizes[block]; c++) {
      i32[layout.order / 4 + scalarStart[k] + c] = start[block] + c;
      i32[layout.diagonal / 4 + scalarStart[k] + c] = places[pattern.columnStart[block]] + c * (sizes[block] + 1);
    }
  }
}

function writeRows(symbolic: SymbolicFactor, layout: FrontLayout, i32: Int32Array): void {
  const { rowStart, rows, scalarStart, parent } = symbolic;
  for (let s = 0; s < parent.length; s++) {
    let at = layout.rows / 4 + layout.rowStart[s];
    for (let p = rowStart[s]; p < rowStart[s + 1]; p++)
      for (let k = scalarStart[rows[p]]; k < scalarStart[rows[p] + 1]; k++) i32[at++] = k;
  }
}

const widthOf = ({ superStart, scalarStart }: SymbolicFactor, s: number): number =>
  scalarStart[superStart[s + 1]] - scalarStart[superStart[s]];

function writeFronts(symbolic: SymbolicFactor, layout: FrontLayout, i32: Int32Array): void {
  const step = 4 * FRONT_TABLES.fronts.length;
  for (let s = 0; s < symbolic.parent.length; s++)
    writeRow(i32, layout.fronts + step * s, [
      layout.front[s],
      layout.columnStep[s],
      symbolic.height[s],
      widthOf(symbolic, s),
      layout.slots + 4 * FRONT_TABLES.slots.length * layout.slotStart[s],
      layout.slotStart[s + 1] - layout.slotStart[s],
      layout.childStart[s],
      layout.childStart[s + 1],
      layout.panelStart[s],
      layout.panelStart[s + 1],
      layout.update[s],
      layout.rows + 4 * layout.rowStart[s],
    ]);
}

/** Children in the order of their parents, each with the runs of its rows. */
function writeChildren(symbolic: SymbolicFactor, layout: FrontLayout, i32: Int32Array): void {
  const { height, parent } = symbolic;
  const step = 4 * FRONT_TABLES.children.length;
  let run = layout.runs;
  for (let k = 0; k < layout.childStart[parent.length]; k++) {
    const child = layout.child[k];
    const count = writeRuns(symbolic, child, run, i32);
    const below = height[child] - widthOf(symbolic, child);
    writeRow(i32, layout.children + step * k, [layout.update[child], below, run, count]);
    run += 4 * FRONT_TABLES.runs.length * count;
  }
}

/** Runs of the rows below a front, counted from the first of them; returns their number. */
function writeRuns(symbolic: SymbolicFactor, child: number, at: number, i32: Int32Array): number {
  const { superStart, rowStart, rows, rowOffset, scalarStart, parent } = symbolic;
  const first = rowStart[child] + superStart[child + 1] - superStart[child];
  let q = rowStart[parent[child]];
  let place = at / 4 - 3;
  let count = 0;
  let row = 0;
  for (let p = first; p < rowStart[child + 1]; p++) {
    while (rows[q] < rows[p]) q++;
    const size = scalarStart[rows[p] + 1] - scalarStart[rows[p]];
    const goesOn = count > 0 && rowOffset[q] === i32[place + 2] + row - i32[place];
    if (!goesOn) {
      place += 3;
      count++;
      i32[place] = row;
      i32[place + 2] = rowOffset[q];
    }
    row += size;
    i32[place + 1] = row;
  }
  return count;
}

function writePanels(symbolic: SymbolicFactor, layout: FrontLayout, i32: Int32Array): void {
  const { superStart, scalarStart, height } = symbolic;
  const step = 4 * FRONT_TABLES.panels.length;
  for (let s = 0; s + 1 < superStart.length; s++)
    for (let p = layout.panelStart[s]; p < layout.panelStart[s + 1]; p++) {
      const end = layout.panelFirst[p] + layout.panelWidth[p];
      writeRow(i32, layout.panels + step * p, [
        layout.panelFirst[p],
        layout.panelWidth[p],
        layout.panelT[p],
        layout.panelL[p],
        height[s] - end,
        layout.rows + 4 * (layout.rowStart[s] + end),
        scalarStart[superStart[s]] + layout.panelFirst[p],
      ]);
    }
}

/** Blocks by front, in the order of their slots. */
function writeSlots(symbolic: SymbolicFactor, layout: FrontLayout, places: Int32Array, i32: Int32Array): void {
  const { pattern, sizes, order, superStart, superOf, rowStart, rows, rowOffset, scalarStart } = symbolic;
  const { n, columnStart } = pattern;
  const { slotStart } = layout;
  const position = new Int32Array(n);
  for (let k = 0; k < n; k++) position[order[k]] = k;
  for (let j = 0; j < n; j++)
    for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++)
      slotStart[superOf[Math.min(position[pattern.rows[slot]], position[j])] + 1]++;
  for (let s = 0; s + 1 < slotStart.length; s++) slotStart[s + 1] += slotStart[s];
  const list = listByFront(symbolic, position, slotStart);
  const columns = listColumns(pattern);
  /** Place of each block among the rows of the front at hand. */
  const place = new Int32Array(n);
  for (let s = 0; s + 1 < slotStart.length; s++) {
    for (let p = rowStart[s]; p < rowStart[s + 1]; p++) place[rows[p]] = p;
    const ld = layout.columnStep[s];
    const first = scalarStart[superStart[s]];
    for (let k = slotStart[s]; k < slotStart[s + 1]; k++) {
      const slot = list[k];
      const i = pattern.rows[slot];
      const j = columns[slot];
      const isTurned = position[i] < position[j];
      const row = isTurned ? position[j] : position[i];
      const column = isTurned ? position[i] : position[j];
      const at = layout.slots / 4 + 5 * k;
      i32[at] = places[slot];
      i32[at + 1] = (scalarStart[column] - first) * ld + rowOffset[place[row]];
      i32[at + 2] = sizes[i];
      i32[at + 3] = sizes[j];
      i32[at + 4] = isTurned ? 1 : 0;
    }
  }
}

/** Slots by front, in their order; `slotStart`: the first of each front. */
function listByFront({ pattern, superOf }: SymbolicFactor, position: Int32Array, slotStart: Int32Array): Int32Array {
  const { n, columnStart, rows } = pattern;
  const next = slotStart.slice();
  const list = new Int32Array(rows.length);
  for (let j = 0; j < n; j++)
    for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++)
      list[next[superOf[Math.min(position[rows[slot]], position[j])]]++] = slot;
  return list;
}

/** Block column of each slot. */
function listColumns({ n, columnStart, rows }: BlockPattern): Int32Array {
  const columns = new Int32Array(rows.length);
  for (let j = 0; j < n; j++) columns.fill(j, columnStart[j], columnStart[j + 1]);
  return columns;
}
