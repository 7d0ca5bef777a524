/**
 * Loops of conjugate gradients for nets of yarns: symmetric positive definite matrices A of 5 × 5 blocks, preconditioned by block incomplete
 * Cholesky. `NetSolver` (src/sparse/net-solver.ts) puts them in order.
 *
 *   L_jj = chol(A_jj + σ diag A_jj − Σ L_jk L_jkᵀ + ω loss_j),   L_ij = (A_ij − Σ L_ik L_jkᵀ) L_jj⁻ᵀ where (i, j) is stored,   sums over k < j
 *   loss   sums of |L_ik L_jkᵀ| along rows and columns of the blocks that have no place: with ω = 1 the factorisation of a positive definite
 *          matrix does not break down but for rounding [Ajiz 1984]; then σ helps
 *
 * Vectors and L are in the order of elimination, which has two domains and a separator, so that two threads may work at once. The domains are
 * a property of the table, not of the threads: whoever runs them, results have the same bits.
 *
 *     0 … split … n − separator … n            first domain, second domain, separator; in vectors the separator belongs to the second
 *     rows of the first domain in the separator are those behind all, n … n + separator: its sums are added when both are done
 *
 * Each kernel runs for domain 0 and domain 1 (none may be left out if there are two), but those of the separator, which run once in between.
 * A block of A is stored by rows (values[25 slot …], lower triangle by columns, the diagonal first), of L by columns in single precision;
 * a diagonal one as L_jj⁻¹. There are two implementations with the same bits: net.inc and net-twin.ts.
 */

/** Order of the table of 32-bit numbers that all kernels get: sizes, then places in bytes from the start of `KernelMemory`. */
export const NET_PLACES = [
  // blocks; columns of A that the first domain multiplies; blocks of the first domain; those of the separator; most blocks of a column of L
  'n',
  'half',
  'split',
  'separator',
  'longest',
  // A in its own order: values, pattern, but for rows their places in the order of elimination
  'values',
  'columnStart',
  'places',
  // L: values, pattern, slot of A times 2 (plus 1 where it is transposed) of each block, −1 for those of fill
  'factor',
  'factorStart',
  'factorRows',
  'source',
  // of the factorisation: block of each column that is next, list of columns with the same next row, place of rows in the column at hand
  'first',
  'link',
  'head',
  'place',
  // one column and one block of L in double precision for each domain; losses
  'work',
  'loss',
  // vectors
  'x',
  'r',
  'p',
  'q',
  'other',
  'w',
  // NET_NUMBERS
  'numbers',
] as const;

/** Order of the table of doubles; those of domains have two places. */
export const NET_NUMBERS = {
  omega: 0,
  shift: 1,
  alpha: 2,
  beta: 3,
  factored: 4,
  curvature: 6,
  square: 8,
  product: 10,
  change: 12,
  size: 14,
} as const;
export const NET_NUMBER_COUNT = 16;

export interface NetKernels {
  /** L of the columns of a domain; factored = 1, or 0 where a pivot was not positive. */
  factorNet(table: number, domain: number): void;
  /** The rest of L; factored (of domain 0) = 1 where all were. */
  factorNetSeparator(table: number): void;
  /** q (of domain 1: other) = A p, the half of the columns. */
  multiplyNet(table: number, domain: number): void;
  /** q += other;  curvature = pᵀq */
  curveNet(table: number, domain: number): void;
  /** x += α p,  r −= α q;  square = rᵀr,  change = max |p|,  size = max |x| */
  advanceNet(table: number, domain: number): void;
  /** w = L⁻ᵀ L⁻¹ r in three parts; product = rᵀw */
  forwardNet(table: number, domain: number): void;
  solveNetSeparator(table: number): void;
  backwardNet(table: number, domain: number): void;
  /** p = w + β p */
  turnNet(table: number, domain: number): void;
}
