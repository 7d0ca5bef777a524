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

export interface FrontKernels {
  /** F = 0 for m rows and the three beyond, but for what lies a group above the diagonal and is never read. */
  clearFront(F: number, ld: number, m: number): void;
  /**
   * F += blocks of A. `values`: doubles; `slots`: five integers a block: first value, target in F, rows, columns, and 1 where the
   * stored block is transposed in F.
   */
  addSlots(F: number, ld: number, values: number, slots: number, count: number): void;
  /** F += a child's update of n rows, by columns n apart; `map`: the row of F for each of its rows, ascending. */
  addChild(F: number, ld: number, U: number, n: number, map: number): void;
  /** U = the lower triangle of F from row and column w on, n rows, by columns n apart; U may overlap F from below. */
  moveUpdate(U: number, F: number, ld: number, w: number, n: number): void;
  /**
   * Eliminates columns k0 … k0 + width − 1 within their own rows; writes T and 1/d. 0 where a pivot is not finite.
   *   m = magnitude[k] + sums[k0 + k],  ratio[k] = d/m;   |ratio| ≤ rule[0]  →  d = rule[1] m or −rule[2] m by signs[k], else by its own;
   *   rule[3] stands in for m = 0.     sums[row] += |y l|
   */
  factorDiagonal(
    F: number,
    ld: number,
    k0: number,
    width: number,
    T: number,
    inverse: number,
    sums: number,
    ratio: number,
    magnitude: number,
    signs: number,
    rule: number,
  ): number;
  /** Y and L of the rows below a panel. */
  finishRows(
    F: number,
    ld: number,
    m: number,
    k0: number,
    width: number,
    T: number,
    inverse: number,
    Y: number,
    L: number,
    sums: number,
  ): void;
  /** F −= L Yᵀ for rows and columns from `first` on. */
  updateFront(F: number, ld: number, m: number, first: number, width: number, L: number, Y: number): void;
  /** y ← L⁻¹ y of one panel: its own unknowns from `from` on, then the n in `rows`. */
  solveForward(T: number, L: number, width: number, n: number, rows: number, y: number, from: number): void;
  /** y ← L⁻ᵀ y of one panel; `below` has room for n numbers and a group. */
  solveBackward(
    T: number,
    L: number,
    width: number,
    n: number,
    rows: number,
    y: number,
    from: number,
    below: number,
  ): void;
  /** y = b in the order of elimination; b: doubles. */
  gather(y: number, b: number, order: number, n: number): void;
  /** y ← D⁻¹ y. */
  scale(y: number, inverse: number, n: number): void;
  /** x = y in the order of the matrix; x: doubles. */
  scatter(x: number, y: number, order: number, n: number): void;
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
   * out += P: the blocks of A that stay, at kept[slot], and the loss of those that do not (−1) on the diagonals; see src/sparse/sparsified.ts.
   * Blocks of P lie as `kept` says, the diagonal one of column j at kept[columnStart[j]].
   */
  sparsifyBlocks(
    values: number,
    n: number,
    columnStart: number,
    rows: number,
    blockStart: number,
    kept: number,
    out: number,
  ): void;
}
