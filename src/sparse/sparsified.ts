/**
 * A preconditioner for symmetric positive definite block matrices in which some couplings are weak: those blocks are left out, and their
 * rows made stiffer instead, so that what is left lies above the matrix; it is then factored in single precision.
 *
 *     P = A without B_ij, B_ji,   P_ii += B Bᵀ/‖B‖,   P_jj += Bᵀ B/‖B‖        for every weak block B = B_ij
 *     for B of rank one, B = u wᵀ:   xᵀ(P − A)x = |u||w| (u·x_i/|u| − w·x_j/|w|)² ≥ 0
 *
 * In sheets the weak blocks couple the vertices across an edge, by bending. They are a third of the blocks, but without them separators
 * of the mesh are half as wide: the factorisation takes a fifth of the operations, and single precision half the time for each.
 */
import { KernelMemory } from '../kernels/index.ts';
import { BlockMixed } from './block-mixed.ts';
import { BlockPattern } from './block-sparse.ts';
import { SupernodalFactor } from './supernodal.ts';
import { computeSymbolic, type SymbolicFactor } from './symbolic.ts';

/** Vectors of conjugate gradients: x, r, z, p and A p. */
const VECTORS = 5;

/** A pivot that lost so much in rounding says that the matrix is too badly conditioned for single precision. */
const PIVOTS = { tolerance: 1e-6, replacement: 1, negativeReplacement: 1 };

export class SparsifiedFactor {
  readonly #matrix: BlockMixed;
  readonly #strong: BlockMixed;
  /** Slot of P of each slot of A; −1 for weak ones. */
  readonly #slot: Int32Array;
  readonly #factor: SupernodalFactor;
  readonly #memory: KernelMemory;
  /** Where values and pattern of A are in the kernels' memory. */
  readonly #values: number;
  readonly #columnStart: number;
  readonly #rows: number;
  readonly #blockStart: number;
  /** 1/‖B‖, which as an argument would be allocated on the heap. */
  readonly #scale = new Float64Array(1);
  /** Vectors in the kernels' memory: what `multiply` and `apply` take. */
  readonly vectors: readonly Float64Array[];

  /** `isWeak`: 1 for each slot of the matrix that is to be left out; `order`: of elimination, instead of AMD. */
  constructor(matrix: BlockMixed, isWeak: Uint8Array, memory = new KernelMemory(), order?: Int32Array) {
    const { n, columnStart, rows } = matrix.pattern;
    const columns = new Int32Array(n + 1);
    const kept = new Int32Array(rows.length);
    this.#slot = new Int32Array(rows.length).fill(-1);
    let count = 0;
    for (let j = 0; j < n; j++) {
      for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
        if (isWeak[slot] === 1 && rows[slot] !== j) continue;
        this.#slot[slot] = count;
        kept[count++] = rows[slot];
      }
      columns[j + 1] = count;
    }
    this.#matrix = matrix;
    this.#strong = new BlockMixed(BlockPattern.fromColumns(columns, kept.slice(0, count)), matrix.sizes);
    const { pattern, sizes } = this.#strong;
    const { size } = matrix;
    const integers = n + 1 + rows.length + n + 1;
    const bytes = 8 * matrix.values.length + 8 * VECTORS * size + 4 * integers;
    this.#factor = new SupernodalFactor(computeSymbolic(pattern, sizes, order), memory, 'single', bytes + 8);
    this.#memory = memory;
    this.#values = 8 * Math.ceil(this.#factor.end / 8);
    const first = this.#values / 8 + matrix.values.length;
    const { f64, i32 } = memory.views;
    this.vectors = Array.from({ length: VECTORS }, (_, k) => f64.subarray(first + k * size, first + (k + 1) * size));
    this.#columnStart = 8 * (first + VECTORS * size);
    this.#rows = this.#columnStart + 4 * (n + 1);
    this.#blockStart = this.#rows + 4 * rows.length;
    i32.set(columnStart, this.#columnStart / 4);
    i32.set(rows, this.#rows / 4);
    i32.set(matrix.blockStart, this.#blockStart / 4);
  }

  get symbolic(): SymbolicFactor {
    return this.#factor.symbolic;
  }

  /** Takes the matrix' present values; false where single precision or the left-out blocks do not allow it. */
  update(): boolean {
    this.#load();
    const factor = this.#factor;
    return factor.factor(this.#strong.values, PIVOTS, 1) && factor.negative === 0 && factor.replaced === 0;
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

  #load(): void {
    const { pattern, valueStart, values } = this.#matrix;
    const { values: kept, valueStart: keptStart } = this.#strong;
    const { n, columnStart, rows } = pattern;
    kept.fill(0);
    this.#memory.views.f64.set(values, this.#values / 8);
    for (let j = 0; j < n; j++)
      for (let slot = columnStart[j]; slot < columnStart[j + 1]; slot++) {
        const target = this.#slot[slot];
        if (target < 0) this.#addLoss(slot, rows[slot], j);
        else {
          const shift = keptStart[target] - valueStart[slot];
          for (let k = valueStart[slot]; k < valueStart[slot + 1]; k++) kept[k + shift] += values[k];
        }
      }
  }

  /** The diagonal blocks of i and j take over what the weak block between them held. */
  #addLoss(slot: number, i: number, j: number): void {
    const { pattern, sizes, valueStart, values } = this.#matrix;
    let square = 0;
    for (let k = valueStart[slot]; k < valueStart[slot + 1]; k++) square += values[k] * values[k];
    if (square === 0) return;
    this.#scale[0] = 1 / Math.sqrt(square);
    const kept = this.#strong.values;
    const { valueStart: keptStart } = this.#strong;
    const ii = keptStart[this.#slot[pattern.columnStart[i]]];
    const jj = keptStart[this.#slot[pattern.columnStart[j]]];
    const b = valueStart[slot];
    if (sizes[i] === 3 && sizes[j] === 3) {
      addGram3(values, b, 3, 1, this.#scale, kept, ii);
      addGram3(values, b, 1, 3, this.#scale, kept, jj);
      return;
    }
    addGram(values, b, sizes[j], 1, sizes[i], sizes[j], this.#scale, kept, ii);
    addGram(values, b, 1, sizes[j], sizes[j], sizes[i], this.#scale, kept, jj);
  }
}

/** out += scale[0] · C Cᵀ for C of size × depth, whose entry (r, c) is at b + r·rowStep + c·columnStep. */
function addGram(
  values: Float64Array,
  b: number,
  rowStep: number,
  columnStep: number,
  size: number,
  depth: number,
  scale: Float64Array,
  out: Float64Array,
  at: number,
): void {
  for (let r = 0; r < size; r++)
    for (let s = 0; s < size; s++) {
      let sum = 0;
      for (let c = 0; c < depth; c++)
        sum += values[b + r * rowStep + c * columnStep] * values[b + s * rowStep + c * columnStep];
      out[at + r * size + s] += scale[0] * sum;
    }
}

/** The same for 3 × 3. */
function addGram3(
  values: Float64Array,
  b: number,
  rowStep: number,
  columnStep: number,
  scales: Float64Array,
  out: Float64Array,
  at: number,
): void {
  const scale = scales[0];
  const a0 = values[b];
  const a1 = values[b + columnStep];
  const a2 = values[b + 2 * columnStep];
  const p = b + rowStep;
  const b0 = values[p];
  const b1 = values[p + columnStep];
  const b2 = values[p + 2 * columnStep];
  const q = p + rowStep;
  const c0 = values[q];
  const c1 = values[q + columnStep];
  const c2 = values[q + 2 * columnStep];
  const ab = scale * (a0 * b0 + a1 * b1 + a2 * b2);
  const ac = scale * (a0 * c0 + a1 * c1 + a2 * c2);
  const bc = scale * (b0 * c0 + b1 * c1 + b2 * c2);
  out[at] += scale * (a0 * a0 + a1 * a1 + a2 * a2);
  out[at + 1] += ab;
  out[at + 2] += ac;
  out[at + 3] += ab;
  out[at + 4] += scale * (b0 * b0 + b1 * b1 + b2 * b2);
  out[at + 5] += bc;
  out[at + 6] += ac;
  out[at + 7] += bc;
  out[at + 8] += scale * (c0 * c0 + c1 * c1 + c2 * c2);
}
