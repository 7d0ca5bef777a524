/** The kernels of `NetKernels` in TypeScript, with the bits of the compiled ones. */
import type { Views } from './memory.ts';
import { NET_NUMBERS, NET_PLACES, type NetKernels } from './net.ts';

type Place = (typeof NET_PLACES)[number];
const AT = Object.fromEntries(NET_PLACES.map((name, k) => [name, k])) as Readonly<Record<Place, number>>;

export class NetTwin implements NetKernels {
  readonly #views: Views;

  constructor(views: Views) {
    this.#views = views;
  }

  /** A size of the table, or a place as an index of numbers of 2^shift bytes. */
  #get(table: number, name: Place, shift = 0): number {
    return this.#views.i32[(table >>> 2) + AT[name]] >>> shift;
  }

  #from(table: number, domain: number): number {
    return domain === 0 ? 0 : this.#get(table, 'split');
  }

  #to(table: number, domain: number): number {
    return this.#get(table, domain === 0 ? 'split' : 'n');
  }

  #columnsTo(table: number, domain: number): number {
    return domain === 0 ? this.#get(table, 'split') : this.#get(table, 'n') - this.#get(table, 'separator');
  }

  multiplyNet(table: number, domain: number): void {
    const { f64, i32 } = this.#views;
    const n = this.#get(table, 'n');
    const p = this.#get(table, 'p', 3);
    const out = this.#get(table, domain === 0 ? 'q' : 'other', 3);
    const start = this.#get(table, 'columnStart', 2);
    const places = this.#get(table, 'places', 2);
    const half = this.#get(table, 'half');
    const [from, to] = domain === 0 ? [0, half] : [half, n];
    f64.fill(0, out, out + 5 * n);
    let a = this.#get(table, 'values', 3) + 25 * i32[start + from];
    for (let j = from; j < to; j++) {
      const own = i32[places + i32[start + j]];
      const mirrored = [0, 0, 0, 0, 0];
      for (let slot = i32[start + j]; slot < i32[start + j + 1]; slot++, a += 25) {
        const i = i32[places + slot];
        const o = out + 5 * i;
        for (let r = 0; r < 5; r++) f64[o + r] += computeDot5(f64, a + 5 * r, p + 5 * own);
        if (i === own) continue;
        const z = p + 5 * i;
        for (let r = 0; r < 5; r++) for (let c = 0; c < 5; c++) mirrored[c] += f64[a + 5 * r + c] * f64[z + r];
      }
      for (let c = 0; c < 5; c++) f64[out + 5 * own + c] += mirrored[c];
    }
  }

  curveNet(table: number, domain: number): void {
    const { f64 } = this.#views;
    const [from, to] = [5 * this.#from(table, domain), 5 * this.#to(table, domain)];
    const q = this.#get(table, 'q', 3);
    const other = this.#get(table, 'other', 3);
    if (this.#get(table, 'half') < this.#get(table, 'n')) for (let k = from; k < to; k++) f64[q + k] += f64[other + k];
    this.#set(table, NET_NUMBERS.curvature + domain, this.#dot(this.#get(table, 'p', 3), q, from, to));
  }

  advanceNet(table: number, domain: number): void {
    const { f64 } = this.#views;
    const [from, to] = [5 * this.#from(table, domain), 5 * this.#to(table, domain)];
    const [x, r] = [this.#get(table, 'x', 3), this.#get(table, 'r', 3)];
    const [p, q] = [this.#get(table, 'p', 3), this.#get(table, 'q', 3)];
    const alpha = this.#number(table, NET_NUMBERS.alpha);
    for (let k = from; k < to; k++) {
      f64[x + k] += alpha * f64[p + k];
      f64[r + k] -= alpha * f64[q + k];
    }
    this.#set(table, NET_NUMBERS.square + domain, this.#dot(r, r, from, to));
    this.#set(table, NET_NUMBERS.change + domain, this.#sizeOf(p, from, to));
    this.#set(table, NET_NUMBERS.size + domain, this.#sizeOf(x, from, to));
  }

  turnNet(table: number, domain: number): void {
    const { f64 } = this.#views;
    const [from, to] = [5 * this.#from(table, domain), 5 * this.#to(table, domain)];
    const [p, w] = [this.#get(table, 'p', 3), this.#get(table, 'w', 3)];
    const beta = this.#number(table, NET_NUMBERS.beta);
    for (let k = from; k < to; k++) f64[p + k] = f64[w + k] + beta * f64[p + k];
  }

  forwardNet(table: number, domain: number): void {
    const { f64 } = this.#views;
    const [from, to] = [this.#from(table, domain), this.#to(table, domain)];
    const [w, r] = [this.#get(table, 'w', 3), this.#get(table, 'r', 3)];
    f64.copyWithin(w + 5 * from, r + 5 * from, r + 5 * to);
    const n = this.#get(table, 'n');
    if (domain === 0) f64.fill(0, w + 5 * n, w + 5 * (n + this.#get(table, 'separator')));
    this.#solveForward(table, from, this.#columnsTo(table, domain));
  }

  solveNetSeparator(table: number): void {
    const { f64 } = this.#views;
    const n = this.#get(table, 'n');
    const count = this.#get(table, 'separator');
    const w = this.#get(table, 'w', 3);
    const own = w + 5 * (n - count);
    for (let k = 0; k < 5 * count; k++) f64[own + k] += f64[w + 5 * n + k];
    this.#solveForward(table, n - count, n);
    this.#solveBackward(table, n - count, n);
    f64.copyWithin(w + 5 * n, own, own + 5 * count);
  }

  backwardNet(table: number, domain: number): void {
    const [from, to] = [this.#from(table, domain), this.#to(table, domain)];
    this.#solveBackward(table, from, this.#columnsTo(table, domain));
    const product = this.#dot(this.#get(table, 'r', 3), this.#get(table, 'w', 3), 5 * from, 5 * to);
    this.#set(table, NET_NUMBERS.product + domain, product);
  }

  factorNet(table: number, domain: number): void {
    const { f64, i32 } = this.#views;
    const n = this.#get(table, 'n');
    const extra = domain === 0 ? this.#get(table, 'separator') : 0;
    const loss = this.#get(table, 'loss', 3);
    const [head, place] = [this.#get(table, 'head', 2), this.#get(table, 'place', 2)];
    for (const [from, to] of [
      [this.#from(table, domain), this.#to(table, domain)],
      [n, n + extra],
    ]) {
      i32.fill(-1, head + from, head + to);
      i32.fill(0, place + from, place + to);
      f64.fill(0, loss + 5 * from, loss + 5 * to);
    }
    const W = this.#get(table, 'work', 3) + domain * 25 * (this.#get(table, 'longest') + 1);
    const isDone = this.#factorColumns(table, this.#from(table, domain), this.#columnsTo(table, domain), W);
    this.#set(table, NET_NUMBERS.factored + domain, isDone ? 1 : 0);
  }

  factorNetSeparator(table: number): void {
    const { f64 } = this.#views;
    const n = this.#get(table, 'n');
    const count = this.#get(table, 'separator');
    const loss = this.#get(table, 'loss', 3);
    for (let k = 0; k < 5 * count; k++) f64[loss + 5 * (n - count) + k] += f64[loss + 5 * n + k];
    const isDone =
      this.#number(table, NET_NUMBERS.factored) === 1 &&
      this.#number(table, NET_NUMBERS.factored + 1) === 1 &&
      this.#factorColumns(table, n - count, n, this.#get(table, 'work', 3));
    this.#set(table, NET_NUMBERS.factored, isDone ? 1 : 0);
  }

  #solveForward(table: number, from: number, to: number): void {
    const { f64, f32, i32 } = this.#views;
    const start = this.#get(table, 'factorStart', 2);
    const rows = this.#get(table, 'factorRows', 2);
    const w = this.#get(table, 'w', 3);
    let l = this.#get(table, 'factor', 2) + 25 * i32[start + from];
    for (let j = from; j < to; j++) {
      const x = w + 5 * j;
      const y = [0, 0, 0, 0, 0];
      for (let q = 0; q < 5; q++) for (let r = 0; r < 5; r++) y[r] += f32[l + 5 * q + r] * f64[x + q];
      for (let r = 0; r < 5; r++) f64[x + r] = y[r];
      l += 25;
      for (let s = i32[start + j] + 1; s < i32[start + j + 1]; s++, l += 25) {
        const o = w + 5 * i32[rows + s];
        for (let q = 0; q < 5; q++) for (let r = 0; r < 5; r++) f64[o + r] -= f32[l + 5 * q + r] * y[q];
      }
    }
  }

  #solveBackward(table: number, from: number, to: number): void {
    const { f64, f32, i32 } = this.#views;
    const start = this.#get(table, 'factorStart', 2);
    const rows = this.#get(table, 'factorRows', 2);
    const w = this.#get(table, 'w', 3);
    const factor = this.#get(table, 'factor', 2);
    for (let j = to - 1; j >= from; j--) {
      const x = w + 5 * j;
      const even = [0, 0, 0, 0, 0];
      const odd = [0, 0, 0, 0, 0];
      const fifth = [0, 0, 0, 0, 0];
      const begin = i32[start + j];
      for (let s = i32[start + j + 1] - 1; s > begin; s--) {
        const o = w + 5 * i32[rows + s];
        for (let c = 0, l = factor + 25 * s; c < 5; c++, l += 5) {
          even[c] += f32[l] * f64[o] + f32[l + 2] * f64[o + 2];
          odd[c] += f32[l + 1] * f64[o + 1] + f32[l + 3] * f64[o + 3];
          fifth[c] += f32[l + 4] * f64[o + 4];
        }
      }
      const v = even.map((sum, c) => f64[x + c] - (sum + odd[c] + fifth[c]));
      for (let c = 0, l = factor + 25 * begin; c < 5; c++, l += 5) {
        const first = f32[l] * v[0] + f32[l + 2] * v[2];
        const second = f32[l + 1] * v[1] + f32[l + 3] * v[3];
        f64[x + c] = first + second + f32[l + 4] * v[4];
      }
    }
  }

  #factorColumns(table: number, from: number, to: number, W: number): boolean {
    const { f64, f32, i32 } = this.#views;
    const [n, separator] = [this.#get(table, 'n'), this.#get(table, 'separator')];
    const [start, rows] = [this.#get(table, 'factorStart', 2), this.#get(table, 'factorRows', 2)];
    const [source, place] = [this.#get(table, 'source', 2), this.#get(table, 'place', 2)];
    const [first, link, head] = [
      this.#get(table, 'first', 2),
      this.#get(table, 'link', 2),
      this.#get(table, 'head', 2),
    ];
    const [values, factor] = [this.#get(table, 'values', 3), this.#get(table, 'factor', 2)];
    const g = W + 25 * this.#get(table, 'longest');
    const shift = this.#number(table, NET_NUMBERS.shift);
    for (let j = from; j < to; j++) {
      const begin = i32[start + j];
      const end = i32[start + j + 1];
      for (let s = begin; s < end; s++) {
        const slot = i32[source + s];
        const a = values + 25 * (slot >> 1);
        const block = W + 25 * (s - begin);
        i32[place + i32[rows + s]] = s - begin + 1;
        if (slot < 0) f64.fill(0, block, block + 25);
        else if ((slot & 1) === 1) f64.copyWithin(block, a, a + 25);
        else for (let c = 0; c < 5; c++) for (let r = 0; r < 5; r++) f64[block + 5 * c + r] = f64[a + 5 * r + c];
      }
      const loss = this.#get(table, 'loss', 3) + 5 * j;
      for (let c = 0; c < 5; c++) f64[loss + c] += shift * f64[W + 6 * c];
      this.#updateColumn(table, j, 0, W, g, loss);
      if (j >= n - separator) this.#updateColumn(table, j + separator, separator, W, g, loss);
      for (let c = 0; c < 5; c++) f64[W + 6 * c] += f64[loss + c];
      for (let s = begin; s < end; s++) i32[place + i32[rows + s]] = 0;
      if (!factorDiagonal(f64, W, g)) return false;
      for (let k = 0; k < 25; k++) f32[factor + 25 * begin + k] = f64[g + k];
      for (let s = begin + 1; s < end; s++) writeBelow(f64, W + 25 * (s - begin), g, f32, factor + 25 * s);
      if (begin + 1 === end) continue;
      const up = i32[rows + begin + 1];
      i32[first + j] = begin + 1;
      i32[link + j] = i32[head + up];
      i32[head + up] = j;
    }
    return true;
  }

  #updateColumn(table: number, list: number, moved: number, W: number, g: number, loss: number): void {
    const { f64, f32, i32 } = this.#views;
    const [start, rows] = [this.#get(table, 'factorStart', 2), this.#get(table, 'factorRows', 2)];
    const [first, link, head] = [
      this.#get(table, 'first', 2),
      this.#get(table, 'link', 2),
      this.#get(table, 'head', 2),
    ];
    const [place, factor] = [this.#get(table, 'place', 2), this.#get(table, 'factor', 2)];
    const losses = this.#get(table, 'loss', 3);
    const omega = this.#number(table, NET_NUMBERS.omega);
    for (let k = i32[head + list], next = -1; k >= 0; k = next) {
      next = i32[link + k];
      const at = i32[first + k];
      const end = i32[start + k + 1];
      for (let q = 0; q < 25; q++) f64[g + q] = f32[factor + 25 * at + q];
      for (let s = at; s < end; s++) {
        const i = i32[rows + s] - moved;
        const found = i32[place + i];
        if (found > 0) subtractProduct(f64, W + 25 * (found - 1), f32, factor + 25 * s, g);
        else if (omega > 0) addLoss(f64, f32, factor + 25 * s, g, omega, losses + 5 * i, loss);
      }
      i32[first + k] = at + 1;
      if (at + 1 === end) continue;
      const up = i32[rows + at + 1];
      i32[link + k] = i32[head + up];
      i32[head + up] = k;
    }
  }

  #number(table: number, index: number): number {
    return this.#views.f64[this.#get(table, 'numbers', 3) + index];
  }

  #set(table: number, index: number, value: number): void {
    this.#views.f64[this.#get(table, 'numbers', 3) + index] = value;
  }

  /** Largest of all |values|. */
  #sizeOf(a: number, from: number, to: number): number {
    const { f64 } = this.#views;
    let largest = 0;
    for (let k = a + from; k < a + to; k++) if (Math.abs(f64[k]) > largest) largest = Math.abs(f64[k]);
    return largest;
  }

  #dot(a: number, b: number, from: number, to: number): number {
    const { f64 } = this.#views;
    const s = [0, 0, 0, 0];
    let k = from;
    for (; k + 4 <= to; k += 4) for (let c = 0; c < 4; c++) s[c] += f64[a + k + c] * f64[b + k + c];
    for (; k < to; k++) s[0] += f64[a + k] * f64[b + k];
    return s[0] + s[1] + (s[2] + s[3]);
  }
}

/** aᵀx of five numbers. */
const computeDot5 = (f: Float64Array, a: number, x: number): number =>
  f[a] * f[x] + f[a + 2] * f[x + 2] + (f[a + 1] * f[x + 1] + f[a + 3] * f[x + 3]) + f[a + 4] * f[x + 4];

/** W −= L_ik L_jkᵀ; L_ik by columns at l, L_jk widened at g. */
function subtractProduct(f: Float64Array, W: number, single: Float32Array, l: number, g: number): void {
  for (let c = 0; c < 5; c++)
    for (let r = 0; r < 5; r++) {
      let w = f[W + 5 * c + r];
      for (let q = 0; q < 5; q++) w -= single[l + 5 * q + r] * f[g + 5 * q + c];
      f[W + 5 * c + r] = w;
    }
}

/** Share ω of |L_ik L_jkᵀ|, which has no place in the factor: its columns into `column`, its rows into `row`. */
function addLoss(
  f: Float64Array,
  single: Float32Array,
  l: number,
  g: number,
  omega: number,
  row: number,
  column: number,
): void {
  for (let c = 0; c < 5; c++) {
    let sum = 0;
    for (let r = 0; r < 5; r++) {
      let entry = single[l + r] * f[g + c];
      for (let q = 1; q < 5; q++) entry += single[l + 5 * q + r] * f[g + 5 * q + c];
      const size = omega * Math.abs(entry);
      f[row + r] += size;
      sum += size;
    }
    f[column + c] += sum;
  }
}

/** Cholesky of the block at W, by columns, and Y = L⁻¹ at y, by columns; false where a pivot is not positive. */
function factorDiagonal(f: Float64Array, W: number, y: number): boolean {
  const l = new Float64Array(25);
  const inverse = [0, 0, 0, 0, 0];
  for (let c = 0; c < 5; c++) {
    let pivot = f[W + 6 * c];
    for (let q = 0; q < c; q++) pivot -= l[5 * q + c] * l[5 * q + c];
    if (!(pivot > 1e-12 * f[W + 6 * c] && pivot < Number.POSITIVE_INFINITY)) return false;
    inverse[c] = 1 / Math.sqrt(pivot);
    for (let r = c + 1; r < 5; r++) {
      let sum = f[W + 5 * c + r];
      for (let q = 0; q < c; q++) sum -= l[5 * q + r] * l[5 * q + c];
      l[5 * c + r] = sum * inverse[c];
    }
  }
  for (let c = 0; c < 5; c++) {
    for (let r = 0; r < c; r++) f[y + 5 * c + r] = 0;
    f[y + 6 * c] = inverse[c];
    for (let r = c + 1; r < 5; r++) {
      let sum = 0;
      for (let q = c; q < r; q++) sum -= l[5 * q + r] * f[y + 5 * c + q];
      f[y + 5 * c + r] = sum * inverse[r];
    }
  }
  return true;
}

/** l = W Yᵀ in single precision, all by columns. */
function writeBelow(f: Float64Array, W: number, y: number, single: Float32Array, l: number): void {
  for (let c = 0; c < 5; c++)
    for (let r = 0; r < 5; r++) {
      let sum = 0;
      for (let q = 0; q <= c; q++) sum += f[W + 5 * q + r] * f[y + 5 * q + c];
      single[l + 5 * c + r] = sum;
    }
}
