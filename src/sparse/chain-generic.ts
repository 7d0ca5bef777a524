/**
 * Block LDLT of a chain by plain loops, for any block size and bandwidth, and what all chain kernels share.
 * The unrolled kernels of chain-kernels.generated.ts do the same arithmetic.
 *
 *   A = L D Lᵀ, right-looking: for node i, with D_i its diagonal block after the updates of the nodes before,
 *     D_i = L_i d_i L_iᵀ                       scalar LDLT without pivoting
 *     Y_k L_iᵀ = A[i+k, i],  L[i+k, i] = Y_k d_i⁻¹      k = 1 … bandwidth
 *     A[i+k, i+m] −= Y_k d_i⁻¹ Y_mᵀ             1 ≤ m ≤ k
 * Afterwards the diagonal bands hold L_i below and 1/d_i on the diagonal (above: what was there), the others L[i+k, i].
 * Source: [Golub 2013, §4.1 (LDLT) and §4.5 (block tridiagonal)].
 */

/** A pivot at or under this share of the diagonal entry it came from is lost in rounding: the matrix is not positive definite. */
export const RELATIVE_PIVOT = 1e-14;
/** A pivot at or under this has no finite inverse to work with. */
export const SMALLEST_PIVOT = 1e-300;

export interface ChainKernels {
  readonly size: number;
  readonly bandwidth: number;
  /**
   * Factors in place; returns the block that failed, or −1. Writes the smallest and the largest pivot into `pivots`;
   * the smallest is the bad one where a block failed.
   */
  readonly factor: (bands: readonly Float64Array[], blocks: number, pivots: Float64Array) => number;
  /** x ← L⁻¹ x, where x is zero before block `from`. */
  readonly forward: (
    bands: readonly Float64Array[],
    x: Float64Array,
    offset: number,
    from: number,
    blocks: number,
  ) => void;
  /** x ← L⁻ᵀ D⁻¹ x, down to block `until`; what is before it stays as it was. */
  readonly backward: (
    bands: readonly Float64Array[],
    x: Float64Array,
    offset: number,
    until: number,
    blocks: number,
  ) => void;
  /** `forward` of two right-hand sides in x, the other one from `second` on. */
  readonly forwardPair: (
    bands: readonly Float64Array[],
    x: Float64Array,
    offset: number,
    second: number,
    from: number,
    blocks: number,
  ) => void;
  /** `backward` of two right-hand sides in x, the other one from `second` on. */
  readonly backwardPair: (
    bands: readonly Float64Array[],
    x: Float64Array,
    offset: number,
    second: number,
    until: number,
    blocks: number,
  ) => void;
}

export function createGenericChainKernels(size: number, bandwidth: number): ChainKernels {
  const n = size;
  const nn = n * n;
  const slots = bandwidth + 1;
  /** the diagonals of blocks i … i + bandwidth as they were assembled, block j in slot j mod slots */
  const assembled = new Float64Array(slots * n);
  const row = new Float64Array(n);

  function keepDiagonal(diagonal: Float64Array, block: number): void {
    const slot = (block % slots) * n;
    for (let r = 0; r < n; r++) assembled[slot + r] = diagonal[block * nn + r * n + r];
  }

  /** LDLT of the diagonal block i; false at a bad pivot. */
  function factorDiagonal(d: Float64Array, i: number, pivots: Float64Array): boolean {
    const o = i * nn;
    const slot = (i % slots) * n;
    for (let r = 0; r < n; r++) {
      const or = o + r * n;
      let pivot = d[or + r];
      for (let c = 0; c < r; c++) {
        let w = d[or + c];
        for (let k = 0; k < c; k++) w -= d[or + k] * d[o + c * n + k];
        d[or + c] = w;
      }
      for (let c = 0; c < r; c++) {
        const w = d[or + c];
        const l = w * d[o + c * n + c];
        pivot -= w * l;
        d[or + c] = l;
      }
      if (!(pivot > RELATIVE_PIVOT * assembled[slot + r] + SMALLEST_PIVOT)) {
        pivots[0] = pivot;
        return false;
      }
      if (pivot < pivots[0]) pivots[0] = pivot;
      if (pivot > pivots[1]) pivots[1] = pivot;
      d[or + r] = 1 / pivot;
    }
    return true;
  }

  /** Y Lᵀ = E in place, where L is the unit lower triangle of the diagonal block at the same offset. */
  function eliminatePanel(d: Float64Array, e: Float64Array, o: number): void {
    for (let r = 0; r < n; r++) {
      const or = o + r * n;
      for (let c = 1; c < n; c++) {
        let y = e[or + c];
        for (let k = 0; k < c; k++) y -= e[or + k] * d[o + c * n + k];
        e[or + c] = y;
      }
    }
  }

  /** target −= Y_k d⁻¹ Y_mᵀ with row r of Y_k d⁻¹ in `row`; columns up to `columns`. */
  function subtractRow(target: Float64Array, at: number, y: Float64Array, o: number, columns: number): void {
    for (let q = 0; q < columns; q++) {
      let sum = 0;
      for (let c = 0; c < n; c++) sum += row[c] * y[o + q * n + c];
      target[at + q] -= sum;
    }
  }

  function factor(bands: readonly Float64Array[], blocks: number, pivots: Float64Array): number {
    const d = bands[0];
    pivots[0] = Number.POSITIVE_INFINITY;
    pivots[1] = 0;
    for (let i = 0; i < Math.min(bandwidth, blocks); i++) keepDiagonal(d, i);
    for (let i = 0; i < blocks; i++) {
      if (i + bandwidth < blocks) keepDiagonal(d, i + bandwidth);
      if (!factorDiagonal(d, i, pivots)) return i;
      const o = i * nn;
      const reach = Math.min(bandwidth, blocks - 1 - i);
      for (let k = 1; k <= reach; k++) eliminatePanel(d, bands[k], o);
      // from the farthest block down, so that Y_m is still unscaled where Y_k with k ≥ m needs it
      for (let k = reach; k >= 1; k--) {
        for (let r = n - 1; r >= 0; r--) {
          const or = o + r * n;
          for (let c = 0; c < n; c++) row[c] = bands[k][or + c] * d[o + c * n + c];
          for (let m = 1; m < k; m++) subtractRow(bands[k - m], (i + m) * nn + r * n, bands[m], o, n);
          subtractRow(d, (i + k) * nn + r * n, bands[k], o, r + 1);
          for (let c = 0; c < n; c++) bands[k][or + c] = row[c];
        }
      }
    }
    return -1;
  }

  function forward(
    bands: readonly Float64Array[],
    x: Float64Array,
    offset: number,
    from: number,
    blocks: number,
  ): void {
    const d = bands[0];
    for (let i = from; i < blocks; i++) {
      const o = i * nn;
      const b = offset + i * n;
      for (let r = 1; r < n; r++) for (let c = 0; c < r; c++) x[b + r] -= d[o + r * n + c] * x[b + c];
      const reach = Math.min(bandwidth, blocks - 1 - i);
      for (let k = 1; k <= reach; k++) {
        const e = bands[k];
        for (let r = 0; r < n; r++) {
          let sum = 0;
          for (let c = 0; c < n; c++) sum += e[o + r * n + c] * x[b + c];
          x[b + k * n + r] -= sum;
        }
      }
    }
  }

  function backward(
    bands: readonly Float64Array[],
    x: Float64Array,
    offset: number,
    until: number,
    blocks: number,
  ): void {
    const d = bands[0];
    for (let i = blocks - 1; i >= until; i--) {
      const o = i * nn;
      const b = offset + i * n;
      for (let c = 0; c < n; c++) x[b + c] *= d[o + c * n + c];
      const reach = Math.min(bandwidth, blocks - 1 - i);
      for (let k = 1; k <= reach; k++) {
        const e = bands[k];
        for (let r = 0; r < n; r++) {
          const xr = x[b + k * n + r];
          for (let c = 0; c < n; c++) x[b + c] -= e[o + r * n + c] * xr;
        }
      }
      for (let r = n - 1; r > 0; r--) for (let c = 0; c < r; c++) x[b + c] -= d[o + r * n + c] * x[b + r];
    }
  }

  return {
    size,
    bandwidth,
    factor,
    forward,
    backward,
    forwardPair(bands, x, offset, second, from, blocks) {
      forward(bands, x, offset, from, blocks);
      forward(bands, x, second, from, blocks);
    },
    backwardPair(bands, x, offset, second, until, blocks) {
      backward(bands, x, offset, until, blocks);
      backward(bands, x, second, until, blocks);
    },
  };
}
