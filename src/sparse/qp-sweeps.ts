/**
 * Thousands of bounded rows in the multipliers alone, by sweeps of projected Gauss–Seidel:
 *
 *     minimise ½ λᵀS λ − bᵀλ,  lo ≤ λ ≤ hi,     S = G C Gᵀ + c,   b = t − G z₀        s = G z − t + c λ,   z = z₀ + C Gᵀλ
 *
 *   C    block-diagonal, dense in each block: what impulses on the coordinates of a block do to its velocities z
 *   λ_r ← λ_r − s_r / S_rr within its bounds, one row after another
 *
 * S is never formed. A row has its response C g in each block that it touches, so that a change of λ_r costs as much as these blocks have coordinates,
 * and rows that do not push cost their own entries. What a sweep changes is taken for a gradient, and sweeps for steps of conjugate gradients (nonsmooth
 * nonlinear conjugate gradients, [Silcowitz-Hansen 2010]): the last direction is added again by the ratio of the squares of two changes,
 * unless that has grown. In heaps of rods 50 sweeps then do what takes 300 without.
 */
import { grow } from '../math/index.ts';

export interface SweepReport {
  /** Whether the last sweep changed less than asked for. */
  ok: boolean;
  sweeps: number;
  /** What the last sweep changed over all, in the norm √Σ S_rr λ_r². */
  error: number;
}

export interface SweepOptions {
  readonly tolerance: number;
  readonly mostSweeps: number;
}

export interface SweptRows {
  readonly count: number;
  /** First entry of each row; start[count] is the end. */
  readonly start: Int32Array;
  /** Coordinates in z; those of one block follow each other. */
  readonly columns: Int32Array;
  readonly values: Float64Array;
  readonly compliance: Float64Array;
  readonly target: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Blocks of C, row-major one after another. */
export interface SweptBlocks {
  /** Block of each coordinate in z. */
  readonly of: Int32Array;
  /** First coordinate of each block, one more at the end. */
  readonly start: Int32Array;
  /** Where the numbers of each block begin. */
  readonly first: Int32Array;
  readonly values: Float64Array;
}

export class RowSweeps {
  readonly #report: SweepReport = { ok: false, sweeps: 0, error: 0 };
  #rows!: SweptRows;
  /** Coordinates in z. */
  #size = 0;
  #diagonal = new Float64Array(0);
  /** First response of each row, one more at the end; of each response its first coordinate in z and its numbers. */
  #first = new Int32Array(1);
  #place = new Int32Array(64);
  #from = new Int32Array(65);
  #response = new Float64Array(1024);
  #responses = 0;
  /** λ and z before a sweep, and the last direction in both. */
  #before = new Float64Array(0);
  #direction = new Float64Array(0);
  #zBefore = new Float64Array(0);
  #zDirection = new Float64Array(0);

  /** All is held on to. */
  load(rows: SweptRows, blocks: SweptBlocks): void {
    this.#rows = rows;
    this.#size = 0;
    this.#responses = 0;
    this.#from[0] = 0;
    this.#reserveRows(rows.count);
    for (let r = 0; r < rows.count; r++) {
      const end = rows.start[r + 1];
      this.#first[r] = this.#responses;
      this.#diagonal[r] = rows.compliance[r];
      for (let e = rows.start[r], last = e; e < end; e = last) {
        const block = blocks.of[rows.columns[e]];
        while (last < end && blocks.of[rows.columns[last]] === block) last++;
        this.#diagonal[r] += this.#addResponse(e, last, block, blocks);
      }
    }
    this.#first[rows.count] = this.#responses;
  }

  #reserveRows(count: number): void {
    if (this.#diagonal.length >= count) return;
    this.#diagonal = new Float64Array(2 * count);
    this.#first = new Int32Array(2 * count + 1);
    this.#before = new Float64Array(2 * count);
    this.#direction = new Float64Array(2 * count);
  }

  /** C g of the entries e … last − 1, which lie in one block; returns gᵀC g. */
  #addResponse(e: number, last: number, block: number, blocks: SweptBlocks): number {
    const { columns, values } = this.#rows;
    const begin = blocks.start[block];
    const size = blocks.start[block + 1] - begin;
    const n = this.#responses++;
    if (n + 1 >= this.#place.length) {
      this.#place = grow(this.#place, 2 * this.#place.length);
      this.#from = grow(this.#from, 2 * this.#from.length);
    }
    const to = this.#from[n];
    if (to + size > this.#response.length) this.#response = grow(this.#response, 2 * (to + size));
    this.#place[n] = begin;
    this.#from[n + 1] = to + size;
    this.#size = Math.max(this.#size, begin + size);
    const out = this.#response;
    const C = blocks.values;
    const first = blocks.first[block] - begin * size;
    // the coordinates of a point three at a time
    for (let k = e; k < last; k += 3) {
      const one = first + columns[k] * size;
      const two = k + 1 < last ? first + columns[k + 1] * size : one;
      const three = k + 2 < last ? first + columns[k + 2] * size : one;
      const a = values[k];
      const b = k + 1 < last ? values[k + 1] : 0;
      const c = k + 2 < last ? values[k + 2] : 0;
      if (k === e) for (let i = 0; i < size; i++) out[to + i] = a * C[one + i] + b * C[two + i] + c * C[three + i];
      else
        for (let i = 0; i < size; i++) out[to + i] = out[to + i] + a * C[one + i] + b * C[two + i] + c * C[three + i];
    }
    let square = 0;
    for (let k = e; k < last; k++) square += values[k] * out[to + columns[k] - begin];
    return square;
  }

  /** `z` holds z₀ and gets C Gᵀλ added; `multipliers`: a guess within the bounds in, what was found out. The report is reused. */
  solve(z: Float64Array, multipliers: Float64Array, { tolerance, mostSweeps }: SweepOptions): SweepReport {
    const report = this.#report;
    if (this.#zBefore.length < this.#size) {
      this.#zBefore = new Float64Array(2 * this.#size);
      this.#zDirection = new Float64Array(2 * this.#size);
    }
    this.#start(z, multipliers);
    this.#direction.fill(0, 0, this.#rows.count);
    this.#zDirection.fill(0, 0, this.#size);
    report.ok = false;
    report.sweeps = 0;
    for (let square = 0; !report.ok && report.sweeps < mostSweeps; ) {
      this.#remember(z, multipliers);
      const before = square;
      square = this.#sweep(z, multipliers);
      report.sweeps++;
      report.error = square === 0 ? 0 : Math.sqrt(square / this.#measure(multipliers));
      report.ok = report.error <= tolerance;
      if (!report.ok) this.#goOn(z, multipliers, square < before ? square / before : 0);
    }
    // what was gone on by may be out of its bounds
    if (!report.ok) this.#sweep(z, multipliers);
    return report;
  }

  /** Takes the share of the guess that does best: after an impact all forces are others. */
  #start(z: Float64Array, multipliers: Float64Array): void {
    const { count } = this.#rows;
    const [gap, whole] = [this.#before, this.#zBefore];
    for (let k = 0; k < this.#size; k++) whole[k] = z[k];
    let [slope, curvature] = [0, 0];
    for (let r = 0; r < count; r++) {
      if (multipliers[r] === 0) continue;
      gap[r] = this.#computeGap(r, z, 0);
      slope += multipliers[r] * gap[r];
    }
    for (let r = 0; r < count; r++) if (multipliers[r] !== 0) this.#push(r, multipliers[r], z);
    for (let r = 0; r < count; r++)
      if (multipliers[r] !== 0) curvature += multipliers[r] * (this.#computeGap(r, z, multipliers[r]) - gap[r]);
    const share = curvature > 0 ? Math.min(1, Math.max(0, -slope / curvature)) : 0;
    for (let r = 0; r < count; r++) multipliers[r] *= share;
    for (let k = 0; k < this.#size; k++) z[k] = whole[k] + share * (z[k] - whole[k]);
  }

  /** s_r */
  #computeGap(r: number, z: Float64Array, multiplier: number): number {
    const { start, columns, values, target, compliance } = this.#rows;
    let s = compliance[r] * multiplier - target[r];
    for (let e = start[r], end = start[r + 1]; e < end; e++) s += values[e] * z[columns[e]];
    return s;
  }

  /** λ_r grew by `change`. */
  #push(r: number, change: number, z: Float64Array): void {
    const place = this.#place;
    const from = this.#from;
    const response = this.#response;
    for (let n = this.#first[r], end = this.#first[r + 1]; n < end; n++) {
      const at = place[n] - from[n];
      for (let k = from[n], last = from[n + 1]; k < last; k++) z[at + k] += change * response[k];
    }
  }

  #remember(z: Float64Array, multipliers: Float64Array): void {
    for (let r = 0; r < this.#rows.count; r++) this.#before[r] = multipliers[r];
    for (let k = 0; k < this.#size; k++) this.#zBefore[k] = z[k];
  }

  /** Once through all rows; returns Σ S_rr Δλ_r². */
  #sweep(z: Float64Array, multipliers: Float64Array): number {
    const { count, start, columns, values, target, compliance, lower, upper } = this.#rows;
    const diagonals = this.#diagonal;
    const first = this.#first;
    const place = this.#place;
    const from = this.#from;
    const response = this.#response;
    let sum = 0;
    for (let r = 0; r < count; r++) {
      const diagonal = diagonals[r];
      if (!(diagonal > 0)) continue;
      const before = multipliers[r];
      let s = compliance[r] * before - target[r];
      for (let e = start[r], end = start[r + 1]; e < end; e++) s += values[e] * z[columns[e]];
      let after = before - s / diagonal;
      if (after < lower[r]) after = lower[r];
      else if (after > upper[r]) after = upper[r];
      const change = after - before;
      if (change === 0) continue;
      multipliers[r] = after;
      sum += diagonal * change * change;
      // as `#push` does, four at a time: most of the time of a heap is spent here
      for (let n = first[r], end = first[r + 1]; n < end; n++) {
        let i = place[n];
        let k = from[n];
        for (const last = from[n + 1] - 3; k < last; k += 4, i += 4) {
          z[i] += change * response[k];
          z[i + 1] += change * response[k + 1];
          z[i + 2] += change * response[k + 2];
          z[i + 3] += change * response[k + 3];
        }
        for (const last = from[n + 1]; k < last; k++, i++) z[i] += change * response[k];
      }
    }
    return sum;
  }

  /** d ← Δ + share d, and on by share d. */
  #goOn(z: Float64Array, multipliers: Float64Array, share: number): void {
    const [before, d, zBefore, zd] = [this.#before, this.#direction, this.#zBefore, this.#zDirection];
    for (let r = 0; r < this.#rows.count; r++) {
      const change = multipliers[r] - before[r];
      const again = share * d[r];
      multipliers[r] += again;
      d[r] = change + again;
    }
    for (let k = 0; k < this.#size; k++) {
      const change = z[k] - zBefore[k];
      const again = share * zd[k];
      z[k] += again;
      zd[k] = change + again;
    }
  }

  /** Σ S_rr λ_r² */
  #measure(multipliers: Float64Array): number {
    let sum = 0;
    for (let r = 0; r < this.#rows.count; r++) sum += this.#diagonal[r] * multipliers[r] * multipliers[r];
    return sum;
  }
}
