/**
 * A preconditioner for symmetric positive definite block matrices in which some couplings are weak: those blocks are left out, and their
 * rows made stiffer instead, so that what is left lies above the matrix; it is then factored in single precision.
 *
 *     P = A without B_ij, B_ji,   P_ii += B Bᵀ/‖B‖,   P_jj += Bᵀ B/‖B‖        for every weak block B = B_ij
 *     for B of rank one, B = u wᵀ:   xᵀ(P − A)x = |u||w| (u·x_i/|u| − w·x_j/|w|)² ≥ 0
 *
 * In sheets the weak blocks couple the vertices across an edge, by bending. They are a third of the blocks, but without them separators
 * of the mesh are half as wide: the factorisation takes a fifth of the operations, and single precision half the time for each. Weak blocks
 * that cost little stay (`weak-blocks.ts`).
 */
import { KernelMemory } from '../kernels/index.ts';
import type { BlockMixed } from './block-mixed.ts';
import type { BlockPattern } from './block-sparse.ts';
import { SupernodalFactor } from './supernodal.ts';
import { computeSymbolic, type SymbolicFactor } from './symbolic.ts';
import { chooseWeakBlocks, keepSlots } from './weak-blocks.ts';

/** Vectors of conjugate gradients: x, r, z, p and A p. */
const VECTORS = 5;

/** A pivot that lost so much in rounding says that the matrix is too badly conditioned for single precision. */
const PIVOTS = { tolerance: 1e-6, replacement: 1, negativeReplacement: 1 };

export class SparsifiedFactor {
  readonly #matrix: BlockMixed;
  readonly #factor: SupernodalFactor;
  readonly #memory: KernelMemory;
  /** Where values and pattern of A are in the kernels' memory. */
  readonly #values: number;
  readonly #columnStart: number;
  readonly #rows: number;
  readonly #blockStart: number;
  /** Where each block of A goes in P; −1 for those left out. */
  readonly #kept: number;
  /** Vectors in the kernels' memory: what `multiply` and `apply` take. */
  readonly vectors: readonly Float64Array[];

  /** `isWeak`: 1 for each slot of the matrix that may be left out; `given`: order of elimination, instead of AMD. */
  constructor(matrix: BlockMixed, isWeak: Uint8Array, memory = new KernelMemory(), given?: Int32Array) {
    const { n, columnStart, rows } = matrix.pattern;
    const { size, sizes } = matrix;
    const { isLeftOut, order } = chooseWeakBlocks(matrix.pattern, sizes, isWeak, given);
    const { pattern, kept } = leaveOut(matrix, isLeftOut);
    const integers = n + 1 + rows.length + n + 1 + rows.length;
    const bytes = 8 * (matrix.values.length + VECTORS * size) + 4 * integers;
    this.#matrix = matrix;
    this.#factor = new SupernodalFactor(computeSymbolic(pattern, sizes, order), memory, 'single', bytes + 8);
    this.#memory = memory;
    this.#values = 8 * Math.ceil(this.#factor.end / 8);
    const { f64, i32 } = memory.views;
    const first = this.#values / 8 + matrix.values.length;
    this.vectors = Array.from({ length: VECTORS }, (_, k) => f64.subarray(first + k * size, first + (k + 1) * size));
    this.#columnStart = 8 * (first + VECTORS * size);
    this.#rows = this.#columnStart + 4 * (n + 1);
    this.#blockStart = this.#rows + 4 * rows.length;
    this.#kept = this.#blockStart + 4 * (n + 1);
    i32.set(columnStart, this.#columnStart / 4);
    i32.set(rows, this.#rows / 4);
    i32.set(matrix.blockStart, this.#blockStart / 4);
    i32.set(kept, this.#kept / 4);
  }

  get symbolic(): SymbolicFactor {
    return this.#factor.symbolic;
  }

  /** Takes the matrix' present values; false where single precision or the left-out blocks do not allow it. */
  update(): boolean {
    const { pattern, values } = this.#matrix;
    this.#memory.views.f64.set(values, this.#values / 8);
    const strong = this.#factor.values;
    strong.fill(0);
    this.#memory.matrix.sparsifyBlocks(
      this.#values,
      pattern.n,
      this.#columnStart,
      this.#rows,
      this.#blockStart,
      this.#kept,
      strong.byteOffset,
    );
    const factor = this.#factor;
    return factor.factor(strong, PIVOTS, 1) && factor.negative === 0 && factor.replaced === 0;
  }

  /** out = A x with the values of the last `update`; both are of `vectors`. */
  readonly multiply = (x: Float64Array, out: Float64Array): void => {
    const { n } = this.#matrix.pattern;
    const at = this.#blockStart;
    this.#memory.matrix.multiplyBlocks(
      this.#values,
      n,
      this.#columnStart,
      this.#rows,
      at,
      x.byteOffset,
      out.byteOffset,
    );
  };

  /** out = P⁻¹ r. */
  readonly apply = (r: Float64Array, out: Float64Array): void => {
    this.#factor.solve(r, out);
  };
}

/** The pattern of what is kept, and the place of each block in its values, −1 for those left out. */
function leaveOut({ pattern, sizes }: BlockMixed, isLeftOut: Uint8Array): { pattern: BlockPattern; kept: Int32Array } {
  const { n, columnStart, rows } = pattern;
  const kept = new Int32Array(rows.length).fill(-1);
  let length = 0;
  for (let j = 0; j < n; j++)
    for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
      if (isLeftOut[slot] === 1 && rows[slot] !== j) continue;
      kept[slot] = length;
      length += sizes[j] * sizes[rows[slot]];
    }
  return { pattern: keepSlots(pattern, isLeftOut), kept };
}
