/**
 * Dense loops of the multifrontal factorisation P A Pᵀ = L D Lᵀ. A front F is a symmetric matrix of m rows, by columns `ld` numbers
 * apart, of which the lower triangle counts; its first columns are eliminated in panels of some columns, and what is left over is the
 * update that its parent adds. There are three rows and columns of zeros beyond m (`ld` ≥ m + GROUP − 1), so that groups need no ends.
 *
 *   F ← A + children      panel: T unit lower triangle (row by row), Y = A₂₁ T⁻ᵀ, L = Y D⁻¹      F₂₂ ← F₂₂ − L Yᵀ
 *
 * Rows of Y and L lie in groups: entry (row, k) at [row / GROUP][k][row % GROUP]; GROUP is 4 in double and 8 in single precision.
 *
 * There are two implementations with the same bits: WebAssembly (kernels.c, fronts.inc) and its twin in TypeScript. Arguments that are
 * places in memory are bytes from the start of `KernelMemory`; the many positional ones are the price of loops over flat memory.
 */

/** Rows of a group in double and in single precision. */
export const GROUP_DOUBLE = 4;
export const GROUP_SINGLE = 8;

/**
 * Tables of whole numbers that the kernels read, with the names of their columns; places are bytes.
 *
 *   fronts     where F is, `ld`, rows m, own columns; blocks of A: where their list is and how many; from and to which child and panel;
 *              where its update goes; its scalar rows in elimination order
 *   children   update of a child, its rows n, and the runs of these in the front: where the list is and how many
 *   panels     first column in the front, columns, where T and L are, rows below n and their scalars, first own scalar
 *   work       what all fronts share: unknowns, value of A on the diagonal of each, their order; 1/d, y, Y of one panel, unknowns below
 *              one panel; sums and d/m and m; expected signs, rule of pivots
 *   slots      of a block of A: first value, target in F, rows, columns, and 1 where the stored block is transposed in F
 *   runs       rows of a child that follow each other in the front, too: first, the one after the last, where the first is in the front
 */
export const FRONT_TABLES = {
  fronts: [
    'F',
    'ld',
    'm',
    'width',
    'slots',
    'slotCount',
    'firstChild',
    'childEnd',
    'firstPanel',
    'panelEnd',
    'update',
    'rows',
  ],
  children: ['update', 'n', 'runs', 'runCount'],
  panels: ['k0', 'width', 'T', 'L', 'n', 'rows', 'from'],
  work: ['size', 'diagonal', 'order', 'inverse', 'y', 'packed', 'below', 'sums', 'ratio', 'magnitude', 'signs', 'rule'],
  slots: ['value', 'target', 'rows', 'columns', 'isTransposed'],
  runs: ['first', 'end', 'target'],
} as const;

export interface FrontKernels {
  /**
   * Factors the matrix with these values front by front; 0 where a pivot is not finite. Writes T, L and 1/d.
   *   m = magnitude + sums,  ratio = d/m;   |ratio| ≤ rule[0]  →  d = rule[1] m or −rule[2] m by signs, else by its own;
   *   rule[3] stands in for m = 0;   magnitude starts as |a|, sums[row] += |y l|; in single precision, for definite matrices, m = |a|
   * Where b is not 0, it also leaves y = L⁻¹ b, while the panels are at hand.
   */
  eliminateFronts(
    fronts: number,
    count: number,
    children: number,
    panels: number,
    values: number,
    work: number,
    b: number,
  ): number;
  /** x = A⁻¹ b; both doubles, in the order of the matrix; they may be the same. b = 0: that of the last `eliminateFronts`. */
  solveFronts(panels: number, count: number, work: number, b: number, x: number): void;
}

/** Kernels over doubles that belong to no front. */
export interface MatrixKernels {
  /**
   * out = A x for a symmetric matrix of n blocks: values of the lower blocks one after another, by columns, the diagonal ones first and
   * in full; `columnStart`, `rows`, `blockStart`: as in src/sparse/block-mixed.ts.
   */
  multiplyBlocks(
    values: number,
    n: number,
    columnStart: number,
    rows: number,
    blockStart: number,
    x: number,
    out: number,
  ): void;
  /**
   * The diagonal blocks of the matrix without the blocks in `left`, whose loss is added to them; see src/sparse/sparsified.ts.
   * `diagonals`: two integers a block, where it is in the values and where it goes; `left`: three integers a block, its value, row and column.
   */
  stiffenDiagonals(
    values: number,
    n: number,
    blockStart: number,
    diagonals: number,
    left: number,
    leftCount: number,
  ): void;
}
