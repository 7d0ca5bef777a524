/**
 * The dense loops of the supernodal factorisation and solve, over row-major panels in flat arrays.
 *
 *   multiplyPanels      C = A Bᵀ (lower trapezoid), A: rows × depth, B: columns × depth
 *   finishRows          Y = A L⁻ᵀ, then L = Y D⁻¹, for rows below a factored diagonal block
 *   multiplyRows        t = A y            subtractRows    y −= Aᵀ t
 *
 * Sums are kept in registers: 3×3 outputs at once where they fit, else 4×2 or 2×2 (measured choices for V8; larger tiles spill). The rows of A are
 * the outer loop: B, at most as large as the widest panel squared, stays in the first-level cache. The many
 * positional parameters are the price of loops over flat arrays.
 */

/**
 * C[i, j] = Σ_k A[i, k] B[j, k] for j < columns, i < rows; entries with i < j may be left alone.
 * A starts at `from` in `a`; both have row length `depth`, C has row length `columns`.
 */
export function multiplyPanels(
  c: Float64Array,
  a: Float64Array,
  from: number,
  b: Float64Array,
  rows: number,
  columns: number,
  depth: number,
): void {
  if (rows % 4 === 0 && columns % 2 === 0 && columns % 3 !== 0) {
    multiplyBy4(c, a, from, b, rows, columns, depth);
    return;
  }
  const columnsBy3 = columns - (columns % 3);
  const rowsBy3 = rows - (rows % 3);
  multiplyBy3(c, a, from, b, rowsBy3, columnsBy3, columns, depth);
  if (columnsBy3 < columns) multiplyBy2(c, a, from, b, columnsBy3, rows, columnsBy3, columns, columns, depth);
  if (rowsBy3 < rows) multiplyBy2(c, a, from, b, rowsBy3, rows, 0, columnsBy3, columns, depth);
}

function multiplyBy3(
  c: Float64Array,
  a: Float64Array,
  from: number,
  b: Float64Array,
  rows: number,
  columns: number,
  stride: number,
  depth: number,
): void {
  for (let i = 0; i < rows; i += 3) {
    const last = Math.min(columns, i + 3);
    for (let j = 0; j < last; j += 3) {
      const end = (j + 1) * depth;
      let pa = from + i * depth;
      let s00 = 0;
      let s01 = 0;
      let s02 = 0;
      let s10 = 0;
      let s11 = 0;
      let s12 = 0;
      let s20 = 0;
      let s21 = 0;
      let s22 = 0;
      for (let pb = j * depth; pb < end; pb++, pa++) {
        const x0 = a[pa];
        const x1 = a[pa + depth];
        const x2 = a[pa + depth + depth];
        const y0 = b[pb];
        const y1 = b[pb + depth];
        const y2 = b[pb + depth + depth];
        s00 += x0 * y0;
        s01 += x0 * y1;
        s02 += x0 * y2;
        s10 += x1 * y0;
        s11 += x1 * y1;
        s12 += x1 * y2;
        s20 += x2 * y0;
        s21 += x2 * y1;
        s22 += x2 * y2;
      }
      let pc = i * stride + j;
      c[pc] = s00;
      c[pc + 1] = s01;
      c[pc + 2] = s02;
      pc += stride;
      c[pc] = s10;
      c[pc + 1] = s11;
      c[pc + 2] = s12;
      pc += stride;
      c[pc] = s20;
      c[pc + 1] = s21;
      c[pc + 2] = s22;
    }
  }
}

function multiplyBy4(
  c: Float64Array,
  a: Float64Array,
  from: number,
  b: Float64Array,
  rows: number,
  columns: number,
  depth: number,
): void {
  for (let i = 0; i < rows; i += 4) {
    const last = Math.min(columns, i + 4);
    for (let j = 0; j < last; j += 2) {
      const end = (j + 1) * depth;
      let pa = from + i * depth;
      let s00 = 0;
      let s01 = 0;
      let s10 = 0;
      let s11 = 0;
      let s20 = 0;
      let s21 = 0;
      let s30 = 0;
      let s31 = 0;
      for (let pb = j * depth; pb < end; pb++, pa++) {
        const y0 = b[pb];
        const y1 = b[pb + depth];
        let pr = pa;
        const x0 = a[pr];
        pr += depth;
        const x1 = a[pr];
        pr += depth;
        const x2 = a[pr];
        const x3 = a[pr + depth];
        s00 += x0 * y0;
        s01 += x0 * y1;
        s10 += x1 * y0;
        s11 += x1 * y1;
        s20 += x2 * y0;
        s21 += x2 * y1;
        s30 += x3 * y0;
        s31 += x3 * y1;
      }
      let pc = i * columns + j;
      c[pc] = s00;
      c[pc + 1] = s01;
      pc += columns;
      c[pc] = s10;
      c[pc + 1] = s11;
      pc += columns;
      c[pc] = s20;
      c[pc + 1] = s21;
      pc += columns;
      c[pc] = s30;
      c[pc + 1] = s31;
    }
  }
}

/** The rectangle of rows firstRow … rows − 1 and columns firstColumn … columns − 1. */
function multiplyBy2(
  c: Float64Array,
  a: Float64Array,
  from: number,
  b: Float64Array,
  firstRow: number,
  rows: number,
  firstColumn: number,
  columns: number,
  stride: number,
  depth: number,
): void {
  let j = firstColumn;
  for (; j + 1 < columns; j += 2) {
    const b0 = j * depth;
    const end = b0 + depth;
    let i = firstRow;
    for (; i + 1 < rows; i += 2) {
      let pa = from + i * depth;
      let s00 = 0;
      let s01 = 0;
      let s10 = 0;
      let s11 = 0;
      for (let pb = b0; pb < end; pb++, pa++) {
        const x0 = a[pa];
        const x1 = a[pa + depth];
        const y0 = b[pb];
        const y1 = b[pb + depth];
        s00 += x0 * y0;
        s01 += x0 * y1;
        s10 += x1 * y0;
        s11 += x1 * y1;
      }
      const pc = i * stride + j;
      c[pc] = s00;
      c[pc + 1] = s01;
      c[pc + stride] = s10;
      c[pc + stride + 1] = s11;
    }
    if (i < rows) {
      c[i * stride + j] = dot(a, from + i * depth, b, b0, depth);
      c[i * stride + j + 1] = dot(a, from + i * depth, b, end, depth);
    }
  }
  if (j < columns) {
    for (let i = firstRow; i < rows; i++) c[i * stride + j] = dot(a, from + i * depth, b, j * depth, depth);
  }
}

function dot(a: Float64Array, pa: number, b: Float64Array, pb: number, depth: number): number {
  let sum = 0;
  for (let k = 0; k < depth; k++) sum += a[pa + k] * b[pb + k];
  return sum;
}

/**
 * Rows `first` … `rows` − 1 of the panel at `base` in `l`, whose diagonal block (width × width, unit lower L) is already factored:
 * y_c = a_c − Σ_{k<c} y_k L[c, k], then l_c = y_c / d_c with 1/d_c = inverse[from + c]. Writes Σ |y_c l_c| of each row to magnitude[row].
 */
export function finishRows(
  l: Float64Array,
  base: number,
  width: number,
  first: number,
  rows: number,
  inverse: Float64Array,
  from: number,
  magnitude: Float64Array,
): void {
  let r = first;
  for (; r + 2 < rows; r += 3) solveThreeRows(l, base, width, base + r * width);
  for (; r < rows; r++) {
    const p = base + r * width;
    for (let c = 1; c < width; c++) {
      const q = base + c * width;
      let sum = l[p + c];
      for (let k = 0; k < c; k++) sum -= l[p + k] * l[q + k];
      l[p + c] = sum;
    }
  }
  for (r = first; r < rows; r++) {
    const p = base + r * width;
    let sum = 0;
    for (let c = 0; c < width; c++) {
      const y = l[p + c];
      const scaled = y * inverse[from + c];
      sum += Math.abs(y * scaled);
      l[p + c] = scaled;
    }
    magnitude[r] = sum;
  }
}

function solveThreeRows(l: Float64Array, base: number, width: number, p0: number): void {
  const p1 = p0 + width;
  const p2 = p1 + width;
  let c = 0;
  for (; c + 1 < width; c += 2) {
    const q0 = base + c * width;
    const q1 = q0 + width;
    let s00 = l[p0 + c];
    let s01 = l[p0 + c + 1];
    let s10 = l[p1 + c];
    let s11 = l[p1 + c + 1];
    let s20 = l[p2 + c];
    let s21 = l[p2 + c + 1];
    for (let k = 0; k < c; k++) {
      const x = l[q0 + k];
      const y = l[q1 + k];
      const y0 = l[p0 + k];
      const y1 = l[p1 + k];
      const y2 = l[p2 + k];
      s00 -= y0 * x;
      s01 -= y0 * y;
      s10 -= y1 * x;
      s11 -= y1 * y;
      s20 -= y2 * x;
      s21 -= y2 * y;
    }
    const z = l[q1 + c];
    l[p0 + c] = s00;
    l[p0 + c + 1] = s01 - s00 * z;
    l[p1 + c] = s10;
    l[p1 + c + 1] = s11 - s10 * z;
    l[p2 + c] = s20;
    l[p2 + c + 1] = s21 - s20 * z;
  }
  if (c < width) {
    const q = base + c * width;
    let s0 = l[p0 + c];
    let s1 = l[p1 + c];
    let s2 = l[p2 + c];
    for (let k = 0; k < c; k++) {
      const x = l[q + k];
      s0 -= l[p0 + k] * x;
      s1 -= l[p1 + k] * x;
      s2 -= l[p2 + k] * x;
    }
    l[p0 + c] = s0;
    l[p1 + c] = s1;
    l[p2 + c] = s2;
  }
}

/** t[r] = Σ_c A[r, c] y[from + c] for the rows × width matrix at `base`. */
export function multiplyRows(
  t: Float64Array,
  a: Float64Array,
  base: number,
  y: Float64Array,
  from: number,
  rows: number,
  width: number,
): void {
  let p = base;
  let r = 0;
  for (; r + 3 < rows; r += 4, p += 4 * width) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let c = 0, q = p; c < width; c++, q++) {
      const value = y[from + c];
      s0 += a[q] * value;
      s1 += a[q + width] * value;
      s2 += a[q + 2 * width] * value;
      s3 += a[q + 3 * width] * value;
    }
    t[r] = s0;
    t[r + 1] = s1;
    t[r + 2] = s2;
    t[r + 3] = s3;
  }
  for (; r < rows; r++, p += width) t[r] = dot(a, p, y, from, width);
}

/** y[from + c] −= Σ_r A[r, c] t[r] for the rows × width matrix at `base`. */
export function subtractRows(
  y: Float64Array,
  from: number,
  a: Float64Array,
  base: number,
  t: Float64Array,
  rows: number,
  width: number,
): void {
  let p = base;
  let r = 0;
  for (; r + 3 < rows; r += 4, p += 4 * width) {
    const t0 = t[r];
    const t1 = t[r + 1];
    const t2 = t[r + 2];
    const t3 = t[r + 3];
    for (let c = 0, q = p; c < width; c++, q++) {
      y[from + c] -= a[q] * t0 + a[q + width] * t1 + a[q + 2 * width] * t2 + a[q + 3 * width] * t3;
    }
  }
  for (; r < rows; r++, p += width) {
    for (let c = 0; c < width; c++) y[from + c] -= a[p + c] * t[r];
  }
}
