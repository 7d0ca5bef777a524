/** The kernels of `MatrixKernels` in TypeScript, with the bits of the compiled ones. */
import type { MatrixKernels } from './fronts.ts';
import type { Views } from './memory.ts';

export class MatrixTwin implements MatrixKernels {
  readonly #views: Views;

  constructor(views: Views) {
    this.#views = views;
  }

  multiplyBlocks(
    values: number,
    n: number,
    columnStart: number,
    rows: number,
    blockStart: number,
    x: number,
    out: number,
  ): void {
    const { f64, i32 } = this.#views;
    const start = blockStart >>> 2;
    const from = x >>> 3;
    const to = out >>> 3;
    f64.fill(0, to, to + i32[start + n]);
    let v = values >>> 3;
    for (let j = 0; j < n; j++) {
      const column = i32[start + j];
      const width = i32[start + j + 1] - column;
      const end = i32[(columnStart >>> 2) + j + 1];
      for (let slot = i32[(columnStart >>> 2) + j]; slot < end; slot++) {
        const i = i32[(rows >>> 2) + slot];
        const row = i32[start + i];
        const height = i32[start + i + 1] - row;
        if (width === 3 && height === 3 && row !== column) {
          addPair3(f64, v, from + row, from + column, to + row, to + column);
          v += 9;
          continue;
        }
        for (let r = 0; r < height; r++, v += width) {
          let sum = 0;
          for (let c = 0; c < width; c++) sum += f64[v + c] * f64[from + column + c];
          f64[to + row + r] += sum;
          if (row === column) continue;
          for (let c = 0; c < width; c++) f64[to + column + c] += f64[v + c] * f64[from + row + r];
        }
      }
    }
  }

  stiffenDiagonals(
    values: number,
    n: number,
    blockStart: number,
    diagonals: number,
    left: number,
    leftCount: number,
  ): void {
    const { f64, i32 } = this.#views;
    const origin = values >>> 3;
    const places = diagonals >>> 2;
    const sizeOf = (i: number): number => i32[(blockStart >>> 2) + i + 1] - i32[(blockStart >>> 2) + i];
    for (let j = 0; j < n; j++) {
      const from = origin + i32[places + 2 * j];
      f64.copyWithin(origin + i32[places + 2 * j + 1], from, from + sizeOf(j) ** 2);
    }
    for (let e = 0, at = left >>> 2; e < leftCount; e++, at += 3) {
      const v = origin + i32[at];
      const i = i32[at + 1];
      const j = i32[at + 2];
      const height = sizeOf(i);
      const width = sizeOf(j);
      let square = 0;
      for (let k = v; k < v + height * width; k++) square += f64[k] * f64[k];
      if (square === 0) continue;
      const scale = 1 / Math.sqrt(square);
      addGram(f64, v, width, 1, height, width, scale, origin + i32[places + 2 * i + 1]);
      addGram(f64, v, 1, width, width, height, scale, origin + i32[places + 2 * j + 1]);
    }
  }
}

/** f[at …] += scale C Cᵀ for C of size × depth, whose entry (r, c) is at v + r rowStep + c columnStep. */
function addGram(
  f: Float64Array,
  v: number,
  rowStep: number,
  columnStep: number,
  size: number,
  depth: number,
  scale: number,
  at: number,
): void {
  for (let r = 0; r < size; r++)
    for (let s = 0; s < size; s++) {
      let sum = 0;
      for (let c = 0; c < depth; c++) sum += f[v + r * rowStep + c * columnStep] * f[v + s * rowStep + c * columnStep];
      f[at + r * size + s] += scale * sum;
    }
}

/** A 3 × 3 block at v and its mirror image. */
function addPair3(f: Float64Array, v: number, xRow: number, xColumn: number, row: number, column: number): void {
  const x0 = f[xColumn];
  const x1 = f[xColumn + 1];
  const x2 = f[xColumn + 2];
  const z0 = f[xRow];
  const z1 = f[xRow + 1];
  const z2 = f[xRow + 2];
  f[row] += f[v] * x0 + f[v + 1] * x1 + f[v + 2] * x2;
  f[row + 1] += f[v + 3] * x0 + f[v + 4] * x1 + f[v + 5] * x2;
  f[row + 2] += f[v + 6] * x0 + f[v + 7] * x1 + f[v + 8] * x2;
  f[column] += f[v] * z0 + f[v + 3] * z1 + f[v + 6] * z2;
  f[column + 1] += f[v + 1] * z0 + f[v + 4] * z1 + f[v + 7] * z2;
  f[column + 2] += f[v + 2] * z0 + f[v + 5] * z1 + f[v + 8] * z2;
}
