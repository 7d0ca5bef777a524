// Written by scripts/build-kernels.js from fronts-twin.ts; do not edit.
import type { FrontKernels } from './fronts.ts';
import type { Views } from './memory.ts';

// precision
const GROUP = 8;
const SHIFT = 2;
const realsOf = (views: Views): Float32Array => views.f32;
const round = Math.fround;

/** Of a number in the array of them, by its byte. */
const index = (byte: number): number => byte >>> SHIFT;

/** `views` are those of the memory at the time of the call. */
export class FrontTwinSingle implements FrontKernels {
  readonly #views: Views;

  constructor(views: Views) {
    this.#views = views;
  }

  clearFront(F: number, ld: number, m: number): void {
    const f = realsOf(this.#views);
    for (let c = 0; c < m + 3; c++) {
      const at = index(F) + c * ld;
      f.fill(0, at + Math.max(0, c - GROUP + 1), at + ld);
    }
  }

  addSlots(F: number, ld: number, values: number, slots: number, count: number): void {
    const { f64, i32 } = this.#views;
    const f = realsOf(this.#views);
    const origin = index(F);
    for (let s = 0, at = slots >>> 2; s < count; s++, at += 5) {
      let v = (values >>> 3) + i32[at];
      const rowStep = i32[at + 4] ? ld : 1;
      const columnStep = i32[at + 4] ? 1 : ld;
      for (let r = 0, p = origin + i32[at + 1]; r < i32[at + 2]; r++, p += rowStep)
        for (let c = 0, q = p; c < i32[at + 3]; c++, q += columnStep) f[q] += round(f64[v++]);
    }
  }

  addChild(F: number, ld: number, U: number, n: number, map: number): void {
    const { i32 } = this.#views;
    const f = realsOf(this.#views);
    const rows = map >>> 2;
    for (let c = 0; c < n; c++) {
      const to = index(F) + i32[rows + c] * ld;
      const from = index(U) + c * n;
      for (let r = c; r < n; r++) f[to + i32[rows + r]] += f[from + r];
    }
  }

  moveUpdate(U: number, F: number, ld: number, w: number, n: number): void {
    const f = realsOf(this.#views);
    for (let c = 0; c < n; c++) {
      const from = index(F) + (w + c) * ld + w;
      const to = index(U) + c * n;
      for (let r = c; r < n; r++) f[to + r] = f[from + r];
    }
  }

  factorDiagonal(
    F: number,
    ld: number,
    k0: number,
    width: number,
    T: number,
    inverse: number,
    sums: number,
    ratio: number,
    magnitude: number,
    signs: number,
    rule: number,
  ): number {
    const { f64, i8 } = this.#views;
    const f = realsOf(this.#views);
    const t = index(T);
    const sum = (sums >>> 3) + k0;
    const limit = f64[rule >>> 3];
    for (let k = 0; k < width; k++) {
      const column = index(F) + (k0 + k) * ld + k0;
      let pivot = f[column + k];
      const m = f64[(magnitude >>> 3) + k] + f64[sum + k];
      if (!Number.isFinite(pivot)) return 0;
      const share = m > 0 ? pivot / m : 0;
      f64[(ratio >>> 3) + k] = share;
      if (share <= limit && share >= -limit) {
        const scale = m > 0 ? m : f64[(rule >>> 3) + 3];
        const isNegative = i8[signs + k] !== 0 ? i8[signs + k] < 0 : pivot < 0;
        pivot = isNegative ? -f64[(rule >>> 3) + 2] * scale : f64[(rule >>> 3) + 1] * scale;
      }
      const inv = round(1 / pivot);
      f[index(inverse) + k] = inv;
      for (let r = k + 1; r < width; r++) {
        const y = f[column + r];
        const l = round(y * inv);
        f[t + r * width + k] = l;
        f64[sum + r] += Math.abs(round(y * l));
      }
      for (let c = k + 1; c < width; c++) {
        const p = index(F) + (k0 + c) * ld + k0;
        const l = f[t + c * width + k];
        for (let r = c; r < width; r++) f[p + r] -= round(f[column + r] * l);
      }
    }
    return 1;
  }

  finishRows(
    F: number,
    ld: number,
    m: number,
    k0: number,
    width: number,
    T: number,
    inverse: number,
    Y: number,
    L: number,
    sums: number,
  ): void {
    const { f64 } = this.#views;
    const f = realsOf(this.#views);
    const inv = index(inverse);
    for (
      let row = k0 + width, y = index(Y), l = index(L);
      row < m;
      row += GROUP, y += GROUP * width, l += GROUP * width
    ) {
      for (let k = 0; k < width; k++)
        for (let r = 0; r < GROUP; r++) f[y + k * GROUP + r] = f[index(F) + (k0 + k) * ld + row + r];
      for (let r = 0; r < GROUP; r++) {
        solveRow(f, y + r, index(T), width);
        let sum = 0;
        for (let k = 0; k < width; k++) {
          const value = f[y + k * GROUP + r];
          const scaled = round(value * f[inv + k]);
          f[l + k * GROUP + r] = scaled;
          sum = round(sum + Math.abs(round(value * scaled)));
        }
        if (row + r < m) f64[(sums >>> 3) + row + r] += sum;
      }
    }
  }

  updateFront(F: number, ld: number, m: number, first: number, width: number, L: number, Y: number): void {
    const f = realsOf(this.#views);
    for (let column = first; column < m; column += 2) {
      const group = Math.floor((column - first) / GROUP);
      const y = index(Y) + group * GROUP * width + ((column - first) % GROUP);
      for (let row = first + group * GROUP; row < m; row += 2) {
        const at = Math.floor((row - first) / GROUP);
        const l = index(L) + at * GROUP * width + ((row - first) % GROUP);
        subtractTile(f, index(F) + column * ld + row, ld, l, y, width);
      }
    }
  }

  solveForward(T: number, L: number, width: number, n: number, rows: number, y: number, from: number): void {
    const { i32 } = this.#views;
    const f = realsOf(this.#views);
    const all = index(y);
    const own = all + from;
    for (let c = 1; c < width; c++) {
      const t = index(T) + c * width;
      let sum = f[own + c];
      for (let k = 0; k < c; k++) sum = round(sum - round(f[t + k] * f[own + k]));
      f[own + c] = sum;
    }
    for (let row = 0, l = index(L); row < n; row += GROUP, l += GROUP * width) {
      for (let r = 0; r < GROUP && row + r < n; r++) {
        let sum = 0;
        for (let k = 0; k < width; k++) sum = round(sum + round(f[l + k * GROUP + r] * f[own + k]));
        f[all + i32[(rows >>> 2) + row + r]] -= sum;
      }
    }
  }

  solveBackward(
    T: number,
    L: number,
    width: number,
    n: number,
    rows: number,
    y: number,
    from: number,
    below: number,
  ): void {
    const { i32 } = this.#views;
    const f = realsOf(this.#views);
    const all = index(y);
    const own = all + from;
    const values = index(below);
    const rest = values + n;
    for (let r = 0; r < n; r++) f[values + r] = f[all + i32[(rows >>> 2) + r]];
    for (let k = 0; k < width; k++) {
      for (let r = 0; r < GROUP; r++) {
        let sum = 0;
        for (let row = r, l = index(L) + k * GROUP + r; row < n; row += GROUP, l += GROUP * width)
          sum = round(sum + round(f[l] * f[values + row]));
        f[rest + r] = sum;
      }
      for (let half = GROUP / 2; half >= 1; half /= 2) for (let r = 0; r < half; r++) f[rest + r] += f[rest + r + half];
      f[own + k] -= f[rest];
    }
    for (let c = width - 1; c > 0; c--) {
      const t = index(T) + c * width;
      const value = f[own + c];
      for (let k = 0; k < c; k++) f[own + k] -= round(f[t + k] * value);
    }
  }

  gather(y: number, b: number, order: number, n: number): void {
    const { f64, i32 } = this.#views;
    const f = realsOf(this.#views);
    for (let k = 0; k < n; k++) f[index(y) + k] = f64[(b >>> 3) + i32[(order >>> 2) + k]];
  }

  scale(y: number, inverse: number, n: number): void {
    const f = realsOf(this.#views);
    for (let k = 0; k < n; k++) f[index(y) + k] *= f[index(inverse) + k];
  }

  scatter(x: number, y: number, order: number, n: number): void {
    const { f64, i32 } = this.#views;
    const f = realsOf(this.#views);
    for (let k = 0; k < n; k++) f64[(x >>> 3) + i32[(order >>> 2) + k]] = f[index(y) + k];
  }
}

/** y_c −= Σ y_k T[c, k] over k < c, for one row of a group. */
function solveRow(f: ReturnType<typeof realsOf>, y: number, t: number, width: number): void {
  for (let c = 1; c < width; c++) {
    let sum = f[y + c * GROUP];
    for (let k = 0; k < c; k++) sum = round(sum - round(f[y + k * GROUP] * f[t + c * width + k]));
    f[y + c * GROUP] = sum;
  }
}

/** The 2 × 2 entries at p −= the products of two rows of L and two of Y. */
function subtractTile(
  f: ReturnType<typeof realsOf>,
  p: number,
  ld: number,
  l0: number,
  y0: number,
  width: number,
): void {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let k = 0, l = l0, y = y0; k < width; k++, l += GROUP, y += GROUP) {
    const u = f[l];
    const v = f[l + 1];
    const s = f[y];
    const t = f[y + 1];
    a = round(a + round(u * s));
    b = round(b + round(v * s));
    c = round(c + round(u * t));
    d = round(d + round(v * t));
  }
  f[p] -= a;
  f[p + 1] -= b;
  f[p + ld] -= c;
  f[p + ld + 1] -= d;
}
