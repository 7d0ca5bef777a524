/**
 * The dense fronts in TypeScript: what runs where WebAssembly does not, what the compiled ones are tested against, and what one debugs.
 * Every operation is rounded as in fronts.inc and in the same order. The copy for single precision is written by
 * scripts/build-kernels.js, which exchanges the lines of "precision" (one function fed with both types of array is slow).
 */
import { FRONT_TABLES, type FrontKernels } from './fronts.ts';
import type { Views } from './memory.ts';

// precision
const GROUP = 4;
const SHIFT = 3;
const TRACKS = true;
const realsOf = (views: Views): Float64Array => views.f64;
const round = (value: number): number => value;

/** Integers of a row of the tables. */
const FRONT = FRONT_TABLES.fronts.length;
const CHILD = FRONT_TABLES.children.length;
const PANEL = FRONT_TABLES.panels.length;

/** Of a number in the array of them, by its byte. */
const index = (byte: number): number => byte >>> SHIFT;

/** `views` are those of the memory at the time of the call. */
export class FrontTwinDouble implements FrontKernels {
  readonly #views: Views;

  constructor(views: Views) {
    this.#views = views;
  }

  eliminateFronts(
    fronts: number,
    count: number,
    children: number,
    panels: number,
    values: number,
    work: number,
    b: number,
  ): number {
    const { f64, i32 } = this.#views;
    const w = work >>> 2;
    const diagonal = i32[w + 1] >>> 2;
    const ratio = i32[w + 8] >>> 3;
    const magnitude = i32[w + 9] >>> 3;
    for (let k = 0; k < i32[w]; k++) {
      f64[magnitude + k] = Math.abs(f64[(values >>> 3) + i32[diagonal + k]]);
      f64[ratio + k] = 1;
    }
    if (b !== 0) this.#gather(w, b);
    for (let s = 0; s < count; s++) {
      const at = (fronts >>> 2) + FRONT * s;
      if (!this.#eliminateFront(at, children, panels, values, w)) return 0;
      if (b === 0) continue;
      for (let p = i32[at + 8]; p < i32[at + 9]; p++) this.#solveForward((panels >>> 2) + PANEL * p, index(i32[w + 4]));
    }
    return 1;
  }

  /** `at`, `w`: where the front and what all share are in the array of integers. */
  #eliminateFront(at: number, children: number, panels: number, values: number, w: number): boolean {
    const { f64, i32 } = this.#views;
    const F = i32[at];
    const ld = i32[at + 1];
    const m = i32[at + 2];
    const width = i32[at + 3];
    const sums = i32[w + 7];
    this.#clearFront(F, ld, m);
    f64.fill(0, sums >>> 3, (sums >>> 3) + m);
    this.#addSlots(F, ld, values, i32[at + 4], i32[at + 5]);
    for (let k = i32[at + 6]; k < i32[at + 7]; k++) this.#addChild(F, ld, (children >>> 2) + CHILD * k);
    for (let p = i32[at + 8]; p < i32[at + 9]; p++)
      if (!this.#eliminatePanel(F, ld, m, (panels >>> 2) + PANEL * p, w)) return false;
    this.#moveUpdate(i32[at + 10], F, ld, width, m - width);
    const rows = i32[at + 11] >>> 2;
    const magnitude = i32[w + 9] >>> 3;
    for (let r = width; r < m; r++) f64[magnitude + i32[rows + r]] += f64[(sums >>> 3) + r];
    return true;
  }

  #eliminatePanel(F: number, ld: number, m: number, at: number, w: number): boolean {
    const { i32 } = this.#views;
    const k0 = i32[at];
    const width = i32[at + 1];
    const T = i32[at + 2];
    const L = i32[at + 3];
    const from = i32[at + 6];
    const inverse = i32[w + 3] + (from << SHIFT);
    const packed = i32[w + 5];
    const sums = i32[w + 7];
    const ratio = i32[w + 8] + 8 * from;
    const magnitude = i32[w + 9] + 8 * from;
    const signs = i32[w + 10] + from;
    if (!this.#factorDiagonal(F, ld, k0, width, T, inverse, sums, ratio, magnitude, signs, i32[w + 11])) return false;
    this.#finishRows(F, ld, m, k0, width, T, inverse, packed, L, sums);
    this.#updateFront(F, ld, m, k0 + width, width, L, packed);
    return true;
  }

  solveFronts(panels: number, count: number, work: number, b: number, x: number): void {
    const { f64, i32 } = this.#views;
    const f = realsOf(this.#views);
    const w = work >>> 2;
    const size = i32[w];
    const order = i32[w + 2] >>> 2;
    const y = index(i32[w + 4]);
    if (b !== 0) {
      this.#gather(w, b);
      for (let p = 0; p < count; p++) this.#solveForward((panels >>> 2) + PANEL * p, y);
    }
    const inverse = index(i32[w + 3]);
    for (let k = 0; k < size; k++) f[y + k] *= f[inverse + k];
    for (let p = count - 1; p >= 0; p--) this.#solveBackward((panels >>> 2) + PANEL * p, y, index(i32[w + 6]));
    for (let k = 0; k < size; k++) f64[(x >>> 3) + i32[order + k]] = f[y + k];
  }

  /** y = b in the order of elimination. */
  #gather(w: number, b: number): void {
    const { f64, i32 } = this.#views;
    const f = realsOf(this.#views);
    const order = i32[w + 2] >>> 2;
    const y = index(i32[w + 4]);
    for (let k = 0; k < i32[w]; k++) f[y + k] = f64[(b >>> 3) + i32[order + k]];
  }

  #clearFront(F: number, ld: number, m: number): void {
    const f = realsOf(this.#views);
    for (let c = 0; c < m + 3; c++) {
      const at = index(F) + c * ld;
      f.fill(0, at + Math.max(0, c - GROUP + 1), at + ld);
    }
  }

  #addSlots(F: number, ld: number, values: number, slots: number, count: number): void {
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

  #addChild(F: number, ld: number, at: number): void {
    const { i32 } = this.#views;
    const f = realsOf(this.#views);
    const n = i32[at + 1];
    const runs = i32[at + 2] >>> 2;
    const end = runs + 3 * i32[at + 3];
    for (let own = runs; own < end; own += 3)
      for (let c = i32[own]; c < i32[own + 1]; c++) {
        const to = index(F) + (i32[own + 2] + c - i32[own]) * ld;
        const from = index(i32[at]) + c * n;
        for (let run = own; run < end; run += 3) {
          const shift = to + i32[run + 2] - i32[run];
          for (let r = run === own ? c : i32[run]; r < i32[run + 1]; r++) f[shift + r] += f[from + r];
        }
      }
  }

  #moveUpdate(U: number, F: number, ld: number, w: number, n: number): void {
    const f = realsOf(this.#views);
    for (let c = 0; c < n; c++) {
      const from = index(F) + (w + c) * ld + w;
      const to = index(U) + c * n;
      for (let r = c; r < n; r++) f[to + r] = f[from + r];
    }
  }

  #factorDiagonal(
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
  ): boolean {
    const { f64, i8 } = this.#views;
    const f = realsOf(this.#views);
    const t = index(T);
    const sum = (sums >>> 3) + k0;
    const limit = f64[rule >>> 3];
    for (let k = 0; k < width; k++) {
      const column = index(F) + (k0 + k) * ld + k0;
      let pivot = f[column + k];
      const m = f64[(magnitude >>> 3) + k] + f64[sum + k];
      if (!Number.isFinite(pivot)) return false;
      const share = m > 0 ? pivot / m : 0;
      f64[(ratio >>> 3) + k] = share;
      if (share <= limit && share >= -limit) {
        const scale = m > 0 ? m : f64[(rule >>> 3) + 3];
        const sign = i8[(signs + k) >>> 0];
        const isNegative = sign !== 0 ? sign < 0 : pivot < 0;
        pivot = isNegative ? -f64[(rule >>> 3) + 2] * scale : f64[(rule >>> 3) + 1] * scale;
      }
      const inv = round(1 / pivot);
      f[index(inverse) + k] = inv;
      for (let r = k + 1; r < width; r++) {
        const y = f[column + r];
        const l = round(y * inv);
        f[t + r * width + k] = l;
        if (TRACKS) f64[sum + r] += Math.abs(round(y * l));
      }
      for (let c = k + 1; c < width; c++) {
        const p = index(F) + (k0 + c) * ld + k0;
        const l = f[t + c * width + k];
        for (let r = c; r < width; r++) f[p + r] -= round(f[column + r] * l);
      }
    }
    return true;
  }

  #finishRows(
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
          if (TRACKS) sum = round(sum + Math.abs(round(value * scaled)));
        }
        if (row + r < m) f64[(sums >>> 3) + row + r] += sum;
      }
    }
  }

  #updateFront(F: number, ld: number, m: number, first: number, width: number, L: number, Y: number): void {
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

  /** `at`: where the panel is in the array of integers; `all`: y in that of numbers. */
  #solveForward(at: number, all: number): void {
    const { i32 } = this.#views;
    const f = realsOf(this.#views);
    const width = i32[at + 1];
    const n = i32[at + 4];
    const rows = i32[at + 5] >>> 2;
    const own = all + i32[at + 6];
    for (let c = 1; c < width; c++) {
      const t = index(i32[at + 2]) + c * width;
      let sum = f[own + c];
      for (let k = 0; k < c; k++) sum = round(sum - round(f[t + k] * f[own + k]));
      f[own + c] = sum;
    }
    for (let row = 0, l = index(i32[at + 3]); row < n; row += GROUP, l += GROUP * width) {
      for (let r = 0; r < GROUP && row + r < n; r++) {
        let sum = 0;
        for (let k = 0; k < width; k++) sum = round(sum + round(f[l + k * GROUP + r] * f[own + k]));
        f[all + i32[rows + row + r]] -= sum;
      }
    }
  }

  #solveBackward(at: number, all: number, values: number): void {
    const { i32 } = this.#views;
    const f = realsOf(this.#views);
    const width = i32[at + 1];
    const L = index(i32[at + 3]);
    const n = i32[at + 4];
    const rows = i32[at + 5] >>> 2;
    const own = all + i32[at + 6];
    const rest = values + n;
    for (let r = 0; r < n; r++) f[values + r] = f[all + i32[rows + r]];
    for (let k = 0; k < width; k++) {
      for (let r = 0; r < GROUP; r++) {
        let sum = 0;
        for (let row = r, l = L + k * GROUP + r; row < n; row += GROUP, l += GROUP * width)
          sum = round(sum + round(f[l] * f[values + row]));
        f[rest + r] = sum;
      }
      for (let half = GROUP / 2; half >= 1; half /= 2) for (let r = 0; r < half; r++) f[rest + r] += f[rest + r + half];
      f[own + k] -= f[rest];
    }
    for (let c = width - 1; c > 0; c--) {
      const t = index(i32[at + 2]) + c * width;
      const value = f[own + c];
      for (let k = 0; k < c; k++) f[own + k] -= round(f[t + k] * value);
    }
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
