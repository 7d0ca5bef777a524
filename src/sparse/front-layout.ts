/**
 * Where everything of a multifrontal factorisation lies in the memory of the kernels, by bytes, for one symbolic factorisation:
 *
 *   values of A │ 1/d │ y │ b, x │ order │ diagonal │ d/m │ m │ signs │ rule │ sums │ blocks of A by front │ rows and runs by front │
 *   tables │ panels T, L │ Y │ below │ stack
 *
 * A front of m rows takes (m + 3) columns `ld` numbers apart on the stack, above the updates of its children; its own update is then
 * moved down over them. Since the order is fixed, so is every place. A front is eliminated in panels of at most PANEL columns.
 */
import { FRONT_TABLES, GROUP_DOUBLE, GROUP_SINGLE } from '../kernels/index.ts';
import type { SymbolicFactor } from './symbolic.ts';

/** Widest panel [scalar columns]. */
const PANEL = 32;

/** Single or double precision of the factor. */
export type Precision = 'double' | 'single';

export class FrontLayout {
  readonly group: number;
  /** Bytes of a number of the factor. */
  readonly bytes: number;
  readonly values: number;
  readonly inverse: number;
  readonly y: number;
  /** A vector in the order of the matrix, in doubles, and the scalars of the matrix in elimination order. */
  readonly vector: number;
  readonly order: number;
  /** Value of A on the diagonal of each scalar in elimination order. */
  readonly diagonal: number;
  readonly ratio: number;
  readonly magnitude: number;
  readonly signs: number;
  readonly rule: number;
  readonly sums: number;
  /** Descriptions of blocks: five integers each; those of front s are slotStart[s] … slotStart[s + 1] − 1. */
  readonly slots: number;
  readonly slotStart: Int32Array;
  /** Scalar rows of front s, in elimination order: rowStart[s] … integers from `rows` on. */
  readonly rows: number;
  readonly rowStart: Int32Array;
  /** Runs of rows that follow each other in the parent's front, too: at most one for each block row. */
  readonly runs: number;
  /** The tables of `FRONT_TABLES`. */
  readonly fronts: number;
  readonly children: number;
  readonly panels: number;
  readonly work: number;
  /** Panels of front s: panelStart[s] … panelStart[s + 1] − 1; first column, width, and where T and L are. */
  readonly panelStart: Int32Array;
  readonly panelFirst: Int32Array;
  readonly panelWidth: Int32Array;
  readonly panelT: Float64Array;
  readonly panelL: Float64Array;
  /** Y of one panel. */
  readonly packed: number;
  /** Unknowns below one panel. */
  readonly below: number;
  /** Where each front and its update are, and the front's distance of columns. */
  readonly front: Float64Array;
  readonly update: Float64Array;
  readonly columnStep: Int32Array;
  /** Children of s: child[childStart[s]] … in ascending order. */
  readonly childStart: Int32Array;
  readonly child: Int32Array;
  readonly end: number;

  constructor(symbolic: SymbolicFactor, precision: Precision, start: number, valueCount: number) {
    const { size, pattern, superStart, scalarStart, height } = symbolic;
    const count = superStart.length - 1;
    this.group = precision === 'double' ? GROUP_DOUBLE : GROUP_SINGLE;
    this.bytes = precision === 'double' ? 8 : 4;
    let top = start;
    const take = (bytes: number): number => {
      const at = top;
      top += Math.ceil(bytes / 16) * 16;
      return at;
    };
    let tallest = 0;
    let panels = 0;
    this.rowStart = new Int32Array(count + 1);
    this.panelStart = new Int32Array(count + 1);
    for (let s = 0; s < count; s++) {
      tallest = Math.max(tallest, height[s]);
      panels += Math.ceil((scalarStart[superStart[s + 1]] - scalarStart[superStart[s]]) / PANEL);
      this.rowStart[s + 1] = this.rowStart[s] + height[s];
      this.panelStart[s + 1] = panels;
    }
    this.values = take(8 * valueCount);
    this.inverse = take(this.bytes * size);
    this.y = take(this.bytes * size);
    this.vector = take(8 * size);
    this.order = take(4 * size);
    this.diagonal = take(4 * size);
    this.ratio = take(8 * size);
    this.magnitude = take(8 * size);
    this.signs = take(size);
    this.rule = take(32);
    this.sums = take(8 * tallest);
    this.slots = take(20 * pattern.slots);
    this.slotStart = new Int32Array(count + 1);
    this.rows = take(4 * this.rowStart[count]);
    this.runs = take(4 * FRONT_TABLES.runs.length * symbolic.rows.length);
    this.fronts = take(4 * FRONT_TABLES.fronts.length * count);
    this.children = take(4 * FRONT_TABLES.children.length * count);
    this.panels = take(4 * FRONT_TABLES.panels.length * panels);
    this.work = take(4 * FRONT_TABLES.work.length);
    this.panelFirst = new Int32Array(panels);
    this.panelWidth = new Int32Array(panels);
    this.panelT = new Float64Array(panels);
    this.panelL = new Float64Array(panels);
    this.#placePanels(symbolic, take);
    this.packed = take(this.bytes * PANEL * (tallest + this.group));
    this.below = take(this.bytes * (tallest + this.group));
    this.front = new Float64Array(count);
    this.update = new Float64Array(count);
    this.columnStep = new Int32Array(count);
    this.childStart = new Int32Array(count + 1);
    this.child = new Int32Array(count);
    this.#linkChildren(symbolic.parent);
    this.end = this.#placeFronts(symbolic, top);
  }

  #placePanels({ superStart, scalarStart, height }: SymbolicFactor, take: (bytes: number) => number): void {
    let p = 0;
    for (let s = 0; s + 1 < superStart.length; s++) {
      const width = scalarStart[superStart[s + 1]] - scalarStart[superStart[s]];
      const pieces = Math.ceil(width / PANEL);
      for (let k = 0; k < pieces; k++, p++) {
        this.panelFirst[p] = Math.floor((width * k) / pieces);
        const end = Math.floor((width * (k + 1)) / pieces);
        const columns = end - this.panelFirst[p];
        this.panelWidth[p] = columns;
        this.panelT[p] = take(this.bytes * columns * columns);
        this.panelL[p] = take(this.bytes * columns * this.group * Math.ceil((height[s] - end) / this.group));
      }
    }
  }

  #linkChildren(parent: Int32Array): void {
    for (const up of parent) if (up >= 0) this.childStart[up + 1]++;
    for (let s = 0; s < parent.length; s++) this.childStart[s + 1] += this.childStart[s];
    const next = this.childStart.slice();
    for (let s = 0; s < parent.length; s++) if (parent[s] >= 0) this.child[next[parent[s]]++] = s;
  }

  /** Fronts come in postorder: the updates of a front's children are the last on the stack. Returns the highest byte. */
  #placeFronts({ superStart, scalarStart, height }: SymbolicFactor, bottom: number): number {
    let top = bottom;
    let highest = bottom;
    for (let s = 0; s < height.length; s++) {
      const m = height[s];
      const below = m - (scalarStart[superStart[s + 1]] - scalarStart[superStart[s]]);
      const ld = 2 * Math.ceil((m + this.group - 1) / 2);
      this.columnStep[s] = ld;
      this.front[s] = top;
      highest = Math.max(highest, top + this.bytes * ld * (m + 3));
      if (this.childStart[s] < this.childStart[s + 1]) top = this.update[this.child[this.childStart[s]]];
      this.update[s] = top;
      top += Math.ceil((this.bytes * below * below) / 16) * 16;
    }
    return highest + 16;
  }
}
