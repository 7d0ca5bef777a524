/**
 * Whether two segments meet while their ends move in straight lines at even speed, t from 0 to 1.
 *
 *     f(t) = (a₁ − a₀) × (c₁ − c₀) · (c₀ − a₀) = 0      a cubic in t: the four ends lie in one plane
 *
 * At each root in [0, 1] the segments are compared: they meet where their distance is nothing beside their size. A touch
 * that does not go through (a double root) may be missed by rounding; going through changes the sign of f and is not.
 */
import { writeClosestSegmentSegment } from './closest.ts';

export interface SegmentHit {
  /** When, in [0, 1]. */
  time: number;
  /** Where on the first segment and on the second, in [0, 1]. */
  first: number;
  second: number;
}

/** Distance that counts as met, relative to the size of the four points. */
const MET = 1e-6;
const BISECTIONS = 60;

export class SegmentSweep {
  readonly hit: SegmentHit = { time: 0, first: 0, second: 0 };
  /** Coefficients of f, constant first. */
  readonly #f = new Float64Array(4);
  readonly #x = new Float64Array(12);
  readonly #weights = new Float64Array(4);
  readonly #roots = new Float64Array(5);
  readonly #turns = new Float64Array(4);

  /** The first meeting of segments a₀a₁ and c₀c₁ on the way from `start` to `end` (12 numbers each); false when there is none. */
  find(start: Float64Array, end: Float64Array): boolean {
    this.#writeCubic(start, end);
    const count = this.#findRoots();
    for (let r = 0; r < count; r++) if (this.#meets(start, end, this.#roots[r])) return true;
    return false;
  }

  #meets(start: Float64Array, end: Float64Array, time: number): boolean {
    const x = this.#x;
    let size = 0;
    for (let k = 0; k < 12; k++) {
      x[k] = start[k] + time * (end[k] - start[k]);
      size = Math.max(size, Math.abs(x[k] - x[k % 3]));
    }
    const square = writeClosestSegmentSegment(x, this.#weights);
    if (square > (MET * size) ** 2) return false;
    this.hit.time = time;
    this.hit.first = this.#weights[1];
    this.hit.second = this.#weights[3];
    return true;
  }

  /** f from u × v · w with u, v, w linear in t. */
  #writeCubic(p: Float64Array, r: Float64Array): void {
    const f = this.#f;
    f.fill(0);
    for (let k = 0; k < 3; k++) {
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      const w0 = p[6 + k] - p[k];
      const w1 = r[6 + k] - r[k] - w0;
      for (let sign = 1; sign >= -1; sign -= 2) {
        const [i, j] = sign > 0 ? [a, b] : [b, a];
        const u0 = p[3 + i] - p[i];
        const u1 = r[3 + i] - r[i] - u0;
        const v0 = p[9 + j] - p[6 + j];
        const v1 = r[9 + j] - r[6 + j] - v0;
        const c0 = u0 * v0;
        const c1 = u0 * v1 + u1 * v0;
        const c2 = u1 * v1;
        f[0] += sign * c0 * w0;
        f[1] += sign * (c1 * w0 + c0 * w1);
        f[2] += sign * (c2 * w0 + c1 * w1);
        f[3] += sign * c2 * w1;
      }
    }
  }

  /** Roots of f in [0, 1], increasing: one between each two of its turning points where the sign changes. */
  #findRoots(): number {
    const roots = this.#roots;
    const turns = this.#turns;
    const last = this.#writeTurns();
    let count = 0;
    for (let k = 0; k < last; k++) {
      const [low, high] = [this.#evaluate(turns[k]), this.#evaluate(turns[k + 1])];
      if (low === 0) roots[count++] = turns[k];
      else if (low < 0 !== high < 0 && high !== 0) roots[count++] = this.#bisect(turns[k], turns[k + 1], low);
    }
    if (this.#evaluate(1) === 0) roots[count++] = 1;
    return count;
  }

  /** 0, the turning points of f between 0 and 1 in order, 1; returns the index of the last. */
  #writeTurns(): number {
    const turns = this.#turns;
    const [c, b, a] = [this.#f[1], 2 * this.#f[2], 3 * this.#f[3]];
    const square = b * b - 4 * a * c;
    let count = 1;
    if (a === 0) {
      if (b !== 0 && -c / b > 0 && -c / b < 1) turns[count++] = -c / b;
    } else if (square > 0) {
      const q = -0.5 * (b + (b < 0 ? -1 : 1) * Math.sqrt(square));
      const [s, t] = [q / a, q === 0 ? 0 : c / q];
      const [first, second] = s < t ? [s, t] : [t, s];
      if (first > 0 && first < 1) turns[count++] = first;
      if (second > 0 && second < 1) turns[count++] = second;
    }
    turns[0] = 0;
    turns[count] = 1;
    return count;
  }

  #evaluate(t: number): number {
    const f = this.#f;
    return f[0] + t * (f[1] + t * (f[2] + t * f[3]));
  }

  #bisect(from: number, to: number, low: number): number {
    let [a, b] = [from, to];
    for (let n = 0; n < BISECTIONS; n++) {
      const middle = 0.5 * (a + b);
      const value = this.#evaluate(middle);
      if (value === 0) return middle;
      if (value < 0 === low < 0) a = middle;
      else b = middle;
    }
    return 0.5 * (a + b);
  }
}
