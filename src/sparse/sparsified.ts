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
  /** Where the pattern of A is in the kernels' memory. */
  readonly #columnStart: number;
  readonly #rows: number;
  readonly #blockStart: number;
  /** Where diagonal blocks are in A and in P; blocks that are left out, and how many. */
  readonly #diagonals: number;
  readonly #left: number;
  readonly #leftCount: number;
  /** Whether the next `apply` is that of the b given to `update`. */
  #isBegun = false;
  /** Vectors in the kernels' memory: what `multiply` and `apply` take. */
  readonly vectors: readonly Float64Array[];

  /** `isWeak`: 1 for each slot of the matrix that may be left out; `given`: order of elimination, instead of AMD. */
  constructor(matrix: BlockMixed, isWeak: Uint8Array, memory = new KernelMemory(), given?: Int32Array) {
    const { columnStart, rows } = matrix.pattern;
    const { size, sizes } = matrix;
    const { isLeftOut, order } = chooseWeakBlocks(matrix.pattern, sizes, isWeak, given);
    const { places, diagonals, left, valueCount } = placeBlocks(matrix, isLeftOut);
    const lists = [columnStart, rows, matrix.blockStart, diagonals, left];
    const integers = lists.reduce((sum, list) => sum + list.length, 0);
    const more = 8 * (VECTORS * size + 1) + 4 * integers;
    const symbolic = computeSymbolic(keepSlots(matrix.pattern, isLeftOut), sizes, order);
    this.#matrix = matrix;
    this.#factor = new SupernodalFactor(symbolic, memory, 'single', { more, places, valueCount });
    this.#memory = memory;
    const { f64, i32 } = memory.views;
    const first = Math.ceil(this.#factor.end / 8);
    this.vectors = Array.from({ length: VECTORS }, (_, k) => f64.subarray(first + k * size, first + (k + 1) * size));
    let at = 8 * (first + VECTORS * size);
    const starts = lists.map((list) => {
      i32.set(list, at / 4);
      at += 4 * list.length;
      return at - 4 * list.length;
    });
    [this.#columnStart, this.#rows, this.#blockStart, this.#diagonals, this.#left] = starts;
    this.#leftCount = left.length / 3;
  }

  get symbolic(): SymbolicFactor {
    return this.#factor.symbolic;
  }

  /**
   * Takes the matrix' present values; false where single precision or the left-out blocks do not allow it. `b`: what `apply` is asked for first,
   * which is then half done.
   */
  update(b?: Float64Array): boolean {
    const { pattern, values } = this.#matrix;
    const factor = this.#factor;
    const own = factor.values;
    own.set(values);
    const { matrix } = this.#memory;
    matrix.stiffenDiagonals(own.byteOffset, pattern.n, this.#blockStart, this.#diagonals, this.#left, this.#leftCount);
    this.#isBegun = b !== undefined;
    return factor.factor(own, PIVOTS, 1, b) && factor.negative === 0 && factor.replaced === 0;
  }

  /** out = A x with the values of the last `update`; both are of `vectors`. */
  readonly multiply = (x: Float64Array, out: Float64Array): void => {
    const { n } = this.#matrix.pattern;
    this.#memory.matrix.multiplyBlocks(
      this.#factor.values.byteOffset,
      n,
      this.#columnStart,
      this.#rows,
      this.#blockStart,
      x.byteOffset,
      out.byteOffset,
    );
  };

  /** out = P⁻¹ r. */
  readonly apply = (r: Float64Array, out: Float64Array): void => {
    if (this.#isBegun) this.#factor.finish(out);
    else this.#factor.solve(r, out);
    this.#isBegun = false;
  };
}

/**
 * The values are those of A and then the diagonal blocks of P. Returns where each block of P is among them, where the diagonal ones are
 * in A and in P, and which are left out: value, row and column.
 */
function placeBlocks({ pattern, sizes, valueStart }: BlockMixed, isLeftOut: Uint8Array) {
  const { n, columnStart, rows, slots } = pattern;
  const places = new Int32Array(slots);
  const diagonals = new Int32Array(2 * n);
  const left: number[] = [];
  let kept = 0;
  let valueCount = valueStart[slots];
  for (let j = 0; j < n; j++)
    for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
      if (rows[slot] === j) {
        diagonals[2 * j] = valueStart[slot];
        diagonals[2 * j + 1] = valueCount;
        places[kept++] = valueCount;
        valueCount += sizes[j] ** 2;
      } else if (isLeftOut[slot] === 1) left.push(valueStart[slot], rows[slot], j);
      else places[kept++] = valueStart[slot];
    }
  return { places: places.slice(0, kept), diagonals, left: Int32Array.from(left), valueCount };
}
