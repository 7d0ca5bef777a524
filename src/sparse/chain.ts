/**
 * Symmetric positive definite block-banded matrix of a chain of nodes, factored in place as L D Lᵀ in linear time.
 *
 *   bands[0]   diagonal block of node i, full (both triangles), row-major, at offset i size²
 *   bands[k]   block of row node i + k and column node i, row-major, at offset i size²      k = 1 … bandwidth
 *
 *       ⎡ D0  E0ᵀ F0ᵀ        ⎤      D in bands[0], E in bands[1], F in bands[2]
 *       ⎢ E0  D1  E1ᵀ F1ᵀ    ⎥
 *       ⎢ F0  E1  D2  E2ᵀ  … ⎥
 *
 * Models assemble straight into `bands`. `factor` overwrites them: keep a copy (`copyFrom`) where the residual is wanted.
 * No pivoting, hence no fill and no search; that is stable for positive definite matrices only, and others are reported.
 */
import { type ChainKernels, createGenericChainKernels } from './chain-generic.ts';
import { UNROLLED_CHAIN_KERNELS } from './chain-kernels.generated.ts';

export interface ChainFactorReport {
  ok: boolean;
  /** The least pivot; where `ok` is false, the pivot that stopped the factorisation. */
  smallestPivot: number;
  largestPivot: number;
  /** The block whose pivot is not positive, not finite or lost in rounding; −1 if none. */
  failedBlock: number;
}

export class BlockBanded {
  readonly size: number;
  readonly bandwidth: number;
  /** Fetch them again after `reserve`, which replaces the arrays when it grows them. */
  readonly bands: Float64Array[];
  #blocks = 0;
  readonly #kernels: ChainKernels;
  readonly #pivots = new Float64Array(2);
  readonly #g: Float64Array;
  readonly #report: ChainFactorReport = { ok: false, smallestPivot: 0, largestPivot: 0, failedBlock: -1 };

  /** Zero matrix of `capacityBlocks` nodes, all in use. */
  constructor(capacityBlocks: number, size: number, bandwidth: number) {
    if (!(Number.isInteger(size) && size >= 1)) {
      throw new RangeError(`BlockBanded: the block size is ${size}; it must be a whole number ≥ 1.`);
    }
    if (!(Number.isInteger(bandwidth) && bandwidth >= 0)) {
      throw new RangeError(`BlockBanded: the bandwidth is ${bandwidth}; it must be a whole number ≥ 0.`);
    }
    this.size = size;
    this.bandwidth = bandwidth;
    this.#g = new Float64Array(size);
    this.bands = Array.from({ length: bandwidth + 1 }, () => new Float64Array(0));
    this.#kernels =
      UNROLLED_CHAIN_KERNELS.find((kernels) => kernels.size === size && kernels.bandwidth === bandwidth) ??
      createGenericChainKernels(size, bandwidth);
    this.reserve(capacityBlocks);
    this.#blocks = capacityBlocks;
  }

  get capacity(): number {
    return this.bands[0].length / (this.size * this.size);
  }

  /** Number of nodes in use. */
  get blocks(): number {
    return this.#blocks;
  }

  set blocks(count: number) {
    if (!(Number.isInteger(count) && count >= 0 && count <= this.capacity)) {
      throw new RangeError(
        `BlockBanded: ${count} blocks requested; whole numbers from 0 to the capacity ${this.capacity} are allowed; call reserve first.`,
      );
    }
    this.#blocks = count;
  }

  /** Number of unknowns in use. */
  get length(): number {
    return this.#blocks * this.size;
  }

  /** Makes room for at least `capacityBlocks` nodes; what is stored stays. */
  reserve(capacityBlocks: number): void {
    if (!(Number.isInteger(capacityBlocks) && capacityBlocks >= 0)) {
      throw new RangeError(`BlockBanded: capacity ${capacityBlocks} requested; it must be a whole number ≥ 0.`);
    }
    if (capacityBlocks <= this.capacity) return;
    for (let k = 0; k <= this.bandwidth; k++) {
      const grown = new Float64Array(capacityBlocks * this.size * this.size);
      grown.set(this.bands[k]);
      this.bands[k] = grown;
    }
  }

  /** Sets every block in use to zero. */
  clear(): void {
    for (const band of this.bands) band.fill(0, 0, this.#blocks * this.size * this.size);
  }

  /** Takes over the blocks of a matrix of the same size and bandwidth; grows if needed. */
  copyFrom(other: BlockBanded): void {
    if (other.size !== this.size || other.bandwidth !== this.bandwidth) {
      throw new RangeError(
        `BlockBanded.copyFrom: size ${other.size} and bandwidth ${other.bandwidth} found; ${this.size} and ${this.bandwidth} are needed.`,
      );
    }
    this.reserve(other.blocks);
    this.#blocks = other.blocks;
    const used = other.blocks * this.size * this.size;
    for (let k = 0; k <= this.bandwidth; k++) {
      const source = other.bands[k];
      const target = this.bands[k];
      // set() needs a subarray view when capacities differ, which would allocate
      if (source.length === target.length) target.set(source);
      else for (let j = 0; j < used; j++) target[j] = source[j];
    }
  }

  /** out ← A x, before `factor`; both may start at an offset. */
  multiply(x: Float64Array, out: Float64Array, xOffset = 0, outOffset = 0): void {
    const n = this.size;
    const nn = n * n;
    const diagonal = this.bands[0];
    for (let i = 0; i < this.#blocks; i++) {
      for (let r = 0; r < n; r++) {
        let sum = 0;
        for (let c = 0; c < n; c++) sum += diagonal[i * nn + r * n + c] * x[xOffset + i * n + c];
        out[outOffset + i * n + r] = sum;
      }
    }
    for (let k = 1; k <= this.bandwidth; k++) {
      const band = this.bands[k];
      for (let i = 0; i + k < this.#blocks; i++) {
        const column = i * n;
        const row = (i + k) * n;
        for (let r = 0; r < n; r++) {
          const xr = x[xOffset + row + r];
          let sum = 0;
          for (let c = 0; c < n; c++) {
            const a = band[i * nn + r * n + c];
            sum += a * x[xOffset + column + c];
            out[outOffset + column + c] += a * xr;
          }
          out[outOffset + row + r] += sum;
        }
      }
    }
  }

  /** Adds Σ |a| of each row to `out`, before `factor`. */
  addRowSums(out: Float64Array, offset = 0): void {
    const n = this.size;
    const nn = n * n;
    for (let k = 0; k <= this.bandwidth; k++) {
      const band = this.bands[k];
      for (let i = 0; i + k < this.#blocks; i++)
        for (let r = 0; r < n; r++) {
          let sum = 0;
          for (let c = 0; c < n; c++) {
            const size = Math.abs(band[i * nn + r * n + c]);
            sum += size;
            if (k > 0) out[offset + i * n + c] += size;
          }
          out[offset + (i + k) * n + r] += sum;
        }
    }
  }

  /** L D Lᵀ in place of the matrix, from the lower triangle. The report is reused by the next call. */
  factor(): ChainFactorReport {
    const failedBlock = this.#kernels.factor(this.bands, this.#blocks, this.#pivots);
    const report = this.#report;
    report.ok = failedBlock < 0;
    report.smallestPivot = this.#pivots[0];
    report.largestPivot = this.#pivots[1];
    report.failedBlock = failedBlock;
    return report;
  }

  /** b ← A⁻¹ b after `factor`, on `length` entries from `offset`. */
  solve(b: Float64Array, offset = 0): void {
    this.#checkLength(b, offset + this.length);
    this.#kernels.forward(this.bands, b, offset, 0, this.#blocks);
    this.#kernels.backward(this.bands, b, offset, 0, this.#blocks);
  }

  /**
   * Part of A⁻¹ b: b must be zero before block `firstNonZero`, and only blocks from `firstWanted` on are right afterwards.
   * Saves work on the few non-zeros of a constraint column.
   */
  solveRange(b: Float64Array, offset: number, firstNonZero: number, firstWanted: number): void {
    this.#checkLength(b, offset + this.length);
    this.#kernels.forward(this.bands, b, offset, firstNonZero, this.#blocks);
    this.#kernels.backward(this.bands, b, offset, firstWanted, this.#blocks);
  }

  /** `solveRange` of two right-hand sides in b at once, one from `offset` and one from `second` on. */
  solvePair(b: Float64Array, offset: number, second: number, firstNonZero: number, firstWanted: number): void {
    this.#checkLength(b, Math.max(offset, second) + this.length);
    this.#kernels.forwardPair(this.bands, b, offset, second, firstNonZero, this.#blocks);
    this.#kernels.backwardPair(this.bands, b, offset, second, firstWanted, this.#blocks);
  }

  /** Block `last` of the diagonal of A⁻¹ after `factor`, row-major; `work` has room for two right-hand sides. */
  writeInverseBlock(last: number, work: Float64Array, out: Float64Array): void {
    const { size, length } = this;
    const at = last * size;
    for (let c = 0; c < size; c += 2) {
      work.fill(0, at, length);
      work.fill(0, length + at, 2 * length);
      work[at + c] = 1;
      if (c + 1 < size) work[length + at + c + 1] = 1;
      this.solvePair(work, 0, length, last, last);
      for (let r = 0; r < size; r++) {
        out[r * size + c] = work[at + r];
        if (c + 1 < size) out[r * size + c + 1] = work[length + at + r];
      }
    }
  }

  /**
   * `solvePair` where b is zero behind block `last`, too, and only blocks up to that are wanted; of bandwidth 1. What is behind acts
   * on them through x_last = (A⁻¹)_last,last g alone, g what elimination leaves of b there: `inverse` is that block.
   */
  solvePairUntil(
    b: Float64Array,
    offset: number,
    second: number,
    first: number,
    last: number,
    inverse: Float64Array,
  ): void {
    this.#checkLength(b, Math.max(offset, second) + this.length);
    this.#kernels.forwardPair(this.bands, b, offset, second, first, last);
    this.#closeAt(b, offset, last, inverse, first < last);
    this.#closeAt(b, second, last, inverse, first < last);
    this.#kernels.backwardPair(this.bands, b, offset, second, first, last);
  }

  /** x of block `last`, and what it does to the block before, as `backward` without it takes that. */
  #closeAt(b: Float64Array, offset: number, last: number, inverse: Float64Array, hasBefore: boolean): void {
    const n = this.size;
    const at = offset + last * n;
    const [diagonal, lower] = this.bands;
    const block = (last - 1) * n * n;
    const g = this.#g;
    for (let r = 0; r < n; r++) {
      g[r] = b[at + r];
      for (let c = 0; c < n && hasBefore; c++) g[r] -= lower[block + r * n + c] * b[at - n + c];
    }
    for (let r = 0; r < n; r++) {
      let sum = 0;
      for (let c = 0; c < n; c++) sum += inverse[r * n + c] * g[c];
      b[at + r] = sum;
    }
    for (let c = 0; c < n && hasBefore; c++) {
      let sum = 0;
      for (let r = 0; r < n; r++) sum += lower[block + r * n + c] * b[at + r];
      b[at - n + c] -= sum / diagonal[block + c * (n + 1)];
    }
  }

  /** b ← L⁻¹ b after `factor`, for b that is zero before block `firstNonZero`: the first half of `solve`. */
  solveForward(b: Float64Array, offset: number, firstNonZero: number): void {
    this.#checkLength(b, offset + this.length);
    this.#kernels.forward(this.bands, b, offset, firstNonZero, this.#blocks);
  }

  /** b ← L⁻ᵀ D⁻¹ b after `factor`: the second half of `solve`. */
  solveBackward(b: Float64Array, offset: number): void {
    this.#checkLength(b, offset + this.length);
    this.#kernels.backward(this.bands, b, offset, 0, this.#blocks);
  }

  /** The diagonal of D⁻¹ after `factor`. */
  writeInversePivots(out: Float64Array, offset: number): void {
    const n = this.size;
    const diagonal = this.bands[0];
    for (let i = 0, at = 0, to = offset; i < this.#blocks; i++, at += n * n)
      for (let r = 0; r < n; r++) out[to++] = diagonal[at + r * (n + 1)];
  }

  /** B ← A⁻¹ B for right-hand sides stored one after another. */
  solveColumns(B: Float64Array, columns: number): void {
    this.#checkLength(B, columns * this.length);
    for (let column = 0; column < columns; column++) this.solve(B, column * this.length);
  }

  #checkLength(b: Float64Array, needed: number): void {
    if (b.length < needed) {
      throw new RangeError(`BlockBanded: the right-hand side has ${b.length} entries; at least ${needed} are needed.`);
    }
  }
}
