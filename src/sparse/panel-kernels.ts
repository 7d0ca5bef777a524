/**
 * The dense loops of the supernodal factorisation, over row-major panels in flat arrays.
 *
 *   multiplyPanels   C = A Bᵀ (lower trapezoid), A: rows × depth, B: columns × depth
 *   finishRows       Y = A L⁻ᵀ, then L = Y D⁻¹, for rows below a factored diagonal block
 *
 * Sums are kept in registers: 3×3, 4×2 or 2×2 outputs at once (measured choices for V8; larger tiles spill).
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
  if (rows % 3 === 0 && columns % 3 === 0) multiplyBy3(c, a, from, b, rows, columns, depth);
  else if (rows % 4 === 0 && columns % 2 === 0) multiplyBy4(c, a, from, b, rows, columns, depth);
  else multiplyBy2(c, a, from, b, rows, columns, depth);
}

function multiplyBy3(
  c: Float64Array,
  a: Float64Array,
  from: number,
  b: Float64Array,
  rows: number,
  columns: number,
  depth: number,
): void {
  for (let j = 0; j < columns; j += 3) {
    const b0 = j * depth;
    const end = b0 + depth;
    for (let i = j; i < rows; i += 3) {
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
      for (let pb = b0; pb < end; pb++, pa++) {
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
      let pc = i * columns + j;
      c[pc] = s00;
      c[pc + 1] = s01;
      c[pc + 2] = s02;
      pc += columns;
      c[pc] = s10;
      c[pc + 1] = s11;
      c[pc + 2] = s12;
      pc += columns;
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
  for (let j = 0; j < columns; j += 2) {
    const b0 = j * depth;
    const end = b0 + depth;
    for (let i = j & -4; i < rows; i += 4) {
      let pa = from + i * depth;
      let s00 = 0;
      let s01 = 0;
      let s10 = 0;
      let s11 = 0;
      let s20 = 0;
      let s21 = 0;
      let s30 = 0;
      let s31 = 0;
      for (let pb = b0; pb < end; pb++, pa++) {
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

function multiplyBy2(
  c: Float64Array,
  a: Float64Array,
  from: number,
  b: Float64Array,
  rows: number,
  columns: number,
  depth: number,
): void {
  const evenColumns = columns & -2;
  const evenRows = rows & -2;
  for (let j = 0; j < evenColumns; j += 2) {
    const b0 = j * depth;
    const end = b0 + depth;
    for (let i = j; i < evenRows; i += 2) {
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
      const pc = i * columns + j;
      c[pc] = s00;
      c[pc + 1] = s01;
      c[pc + columns] = s10;
      c[pc + columns + 1] = s11;
    }
  }
  if (evenRows < rows) {
    const pa = from + evenRows * depth;
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let k = 0; k < depth; k++) sum += a[pa + k] * b[j * depth + k];
      c[evenRows * columns + j] = sum;
    }
  }
  if (evenColumns < columns) {
    const pb = evenColumns * depth;
    for (let i = evenColumns; i < evenRows; i++) {
      const pa = from + i * depth;
      let sum = 0;
      for (let k = 0; k < depth; k++) sum += a[pa + k] * b[pb + k];
      c[i * columns + evenColumns] = sum;
    }
  }
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
