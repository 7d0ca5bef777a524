/**
 * L D Lᵀ of the free block of a dense matrix, kept while rows become free or bound one by one:
 *
 *     M = S_FF + τ diag(S_FF),   S symmetric positive semi-definite, F the free rows, τ = SHIFT
 *
 * The shift makes M definite where rows depend on others (S is singular there): pivots of M are at least τ S_ii but for rounding, and
 * those that rounding has brought below are lifted to it. `isDependent` names rows whose pivot is nearly all shift.
 *
 *   a row joins   one more row of L: a forward substitution
 *   a row leaves  its row and column of L become those of the identity; the rows after it get d l lᵀ, l its column of L
 *                 [Gill 1974, method C1]: stable, as the update is positive
 * Each costs a multiple of |F|², a new factorisation |F|³/6. Where many rows change or many have left, it is made anew.
 *
 * Storage: L row by row, in the order in which rows joined; the place of a row that has left stays empty until the next new factorisation.
 */

/** Share of the diagonal that is added to it. */
export const SHIFT = 1e-10;
/** A pivot up to this many shifts belongs to a row that depends on others. */
const DEPENDENT = 10;
/** Changes are worth it up to this share of the rows. */
const WORTH_CHANGING = 1 / 8;
const EMPTY = -1;

export class FreeFactor {
  /** Factorisations from scratch and single changes since the last `load`. */
  factorizations = 0;
  changes = 0;
  #n = 0;
  #matrix: Float64Array = new Float64Array(0);
  /** Diagonal of S, 1 where it is not positive. */
  #diagonal: Float64Array = new Float64Array(0);
  #capacity = 0;
  #places = 0;
  #left = 0;
  #l = new Float64Array(0);
  #pivot = new Float64Array(0);
  #row = new Int32Array(0);
  #place = new Int32Array(0);
  #z = new Float64Array(0);
  #slope = new Float64Array(0);

  /** Another S, n × n, row-major and full; nothing is free. Both arrays are held on to. */
  load(matrix: Float64Array, diagonal: Float64Array, n: number): void {
    this.#n = n;
    this.#matrix = matrix;
    this.#diagonal = diagonal;
    if (this.#place.length < n) {
      this.#capacity = n + (n >> 1) + 8;
      this.#l = new Float64Array(this.#capacity * this.#capacity);
      this.#pivot = new Float64Array(this.#capacity);
      this.#row = new Int32Array(this.#capacity);
      this.#z = new Float64Array(this.#capacity);
      this.#slope = new Float64Array(this.#capacity);
      this.#place = new Int32Array(n + (n >> 2));
    }
    this.#place.fill(EMPTY, 0, n);
    this.#places = this.#left = this.factorizations = this.changes = 0;
  }

  /** Brings the factor to the rows whose state is 0. */
  setFree(states: Int8Array): void {
    const place = this.#place;
    let [joining, leaving] = [0, 0];
    for (let i = 0; i < this.#n; i++)
      if (states[i] === 0 && place[i] < 0) joining++;
      else if (states[i] !== 0 && place[i] >= 0) leaving++;
    if (joining + leaving === 0) return;
    const free = this.#places - this.#left + joining - leaving;
    const isFull = this.#places + joining > this.#capacity || this.#left + leaving > 8 + (this.#places >> 2);
    if (isFull || joining + leaving > WORTH_CHANGING * free) {
      this.#factorAnew(states);
      return;
    }
    for (let i = 0; i < this.#n; i++) if (states[i] !== 0 && place[i] >= 0) this.#remove(i);
    for (let i = 0; i < this.#n; i++) if (states[i] === 0 && place[i] < 0) this.#append(i);
    this.changes += joining + leaving;
  }

  /** Of free rows x ← M⁻¹ x; the others are left alone. */
  solve(x: Float64Array): void {
    const l = this.#l;
    const row = this.#row;
    const z = this.#z;
    const count = this.#places;
    for (let p = 0; p < count; p++) z[p] = row[p] < 0 ? 0 : x[row[p]];
    this.#substitute(z, count);
    for (let p = 0; p < count; p++) z[p] /= this.#pivot[p];
    for (let p = count - 1; p > 0; p--) {
      const at = p * this.#capacity;
      const zp = z[p];
      for (let k = 0; k < p; k++) z[k] -= l[at + k] * zp;
    }
    for (let p = 0; p < count; p++) if (row[p] >= 0) x[row[p]] = z[p];
  }

  isDependent(i: number): boolean {
    const p = this.#place[i];
    return p >= 0 && this.#pivot[p] <= DEPENDENT * SHIFT * this.#diagonal[i];
  }

  /** z ← L⁻¹ z on the first `count` places; four sums side by side. */
  #substitute(z: Float64Array, count: number): void {
    const l = this.#l;
    for (let p = 1; p < count; p++) z[p] -= computeDot(l, p * this.#capacity, z, 0, p);
  }

  #setPivot(p: number, i: number, value: number): void {
    this.#pivot[p] = Math.max(value, SHIFT * this.#diagonal[i]);
  }

  #factorAnew(states: Int8Array): void {
    const n = this.#n;
    this.#places = this.#left = 0;
    this.factorizations++;
    for (let i = 0; i < n; i++) {
      this.#place[i] = states[i] === 0 ? this.#places : EMPTY;
      if (states[i] === 0) this.#row[this.#places++] = i;
    }
    for (let p = 0; p < this.#places; p += 4) this.#factorRows(p, Math.min(p + 4, this.#places));
  }

  /** Rows p … end − 1 of L, at most four: together as far as the rows before them go. */
  #factorRows(p: number, end: number): void {
    const l = this.#l;
    const S = this.#matrix;
    const row = this.#row;
    const stride = this.#capacity;
    for (let q = p; q < end; q++)
      for (let j = 0, at = q * stride, from = row[q] * this.#n; j < q; j++) l[at + j] = S[from + row[j]];
    if (end - p === 4) subtractFour(l, stride, p);
    for (let q = p; q < end; q++) {
      const at = q * stride;
      for (let j = end - p === 4 ? p : 1; j < q; j++) l[at + j] -= computeDot(l, j * stride, l, at, j);
      this.#finishRow(q);
    }
  }

  /** Y = L D of row q becomes L, and its pivot follows. */
  #finishRow(q: number): void {
    const l = this.#l;
    const pivot = this.#pivot;
    const i = this.#row[q];
    const at = q * this.#capacity;
    let value = this.#matrix[i * this.#n + i] + SHIFT * this.#diagonal[i];
    for (let j = 0; j < q; j++) {
      const y = l[at + j];
      l[at + j] = y / pivot[j];
      value -= y * l[at + j];
    }
    this.#setPivot(q, i, value);
  }

  #append(i: number): void {
    const q = this.#places++;
    const l = this.#l;
    const at = q * this.#capacity;
    const z = this.#z;
    for (let j = 0; j < q; j++) z[j] = this.#row[j] < 0 ? 0 : this.#matrix[i * this.#n + this.#row[j]];
    this.#substitute(z, q);
    for (let j = 0; j < q; j++) l[at + j] = z[j];
    this.#row[q] = i;
    this.#place[i] = q;
    this.#finishRow(q);
  }

  #remove(i: number): void {
    const l = this.#l;
    const pivot = this.#pivot;
    const stride = this.#capacity;
    const p = this.#place[i];
    const z = this.#z;
    const slope = this.#slope;
    let weight = pivot[p];
    for (let r = p + 1; r < this.#places; r++) {
      const at = r * stride;
      let w = l[at + p];
      l[at + p] = 0;
      for (let j = p + 1; j < r; j++) {
        const value = l[at + j];
        w -= z[j] * value;
        l[at + j] = value + slope[j] * w;
      }
      const grown = pivot[r] + weight * w * w;
      z[r] = w;
      slope[r] = (weight * w) / grown;
      weight *= pivot[r] / grown;
      pivot[r] = grown;
    }
    l.fill(0, p * stride, p * stride + p);
    pivot[p] = 1;
    this.#row[p] = EMPTY;
    this.#place[i] = EMPTY;
    this.#left++;
  }
}

/** Σ a[i + k] b[j + k], k < count, as four sums that do not wait for each other. */
function computeDot(a: Float64Array, i: number, b: Float64Array, j: number, count: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let k = 0;
  for (; k + 3 < count; k += 4) {
    s0 += a[i + k] * b[j + k];
    s1 += a[i + k + 1] * b[j + k + 1];
    s2 += a[i + k + 2] * b[j + k + 2];
    s3 += a[i + k + 3] * b[j + k + 3];
  }
  for (; k < count; k++) s0 += a[i + k] * b[j + k];
  return s0 + s1 + (s2 + s3);
}

/** Y of rows p … p + 3 in the columns before p: y_j −= Σ y_k L_jk, k < j. Two columns at once. */
function subtractFour(l: Float64Array, stride: number, p: number): void {
  const a = p * stride;
  const b = a + stride;
  const c = b + stride;
  const d = c + stride;
  for (let j = 0; j < p; j += 2) {
    const e = j * stride;
    const f = e + stride;
    let ae = l[a + j];
    let be = l[b + j];
    let ce = l[c + j];
    let de = l[d + j];
    let af = l[a + j + 1];
    let bf = l[b + j + 1];
    let cf = l[c + j + 1];
    let df = l[d + j + 1];
    for (let k = 0; k < j; k++) {
      const x = l[e + k];
      const y = l[f + k];
      const ak = l[a + k];
      const bk = l[b + k];
      const ck = l[c + k];
      const dk = l[d + k];
      ae -= ak * x;
      be -= bk * x;
      ce -= ck * x;
      de -= dk * x;
      af -= ak * y;
      bf -= bk * y;
      cf -= ck * y;
      df -= dk * y;
    }
    // p is a multiple of four, so that columns always come in twos
    const y = l[f + j];
    l[a + j] = ae;
    l[b + j] = be;
    l[c + j] = ce;
    l[d + j] = de;
    l[a + j + 1] = af - ae * y;
    l[b + j + 1] = bf - be * y;
    l[c + j + 1] = cf - ce * y;
    l[d + j + 1] = df - de * y;
  }
}
