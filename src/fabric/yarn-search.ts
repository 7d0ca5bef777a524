/**
 * Where yarns pass over each other: segments of two yarns whose common perpendicular stands on both.
 *
 *     a + s d,  c + t e      n = d × e      s = (w × e)·n/‖n‖²,  t = (w × d)·n/‖n‖²,  w = c − a,   height  w·n/‖n‖
 *     hit   0 ≤ s, t ≤ 1 and |height| ≤ reach        seen along n the two cross
 *
 * Seen from their common normal polylines have gaps at their bends, so s and t may be off the ends by `SLACK` of the height; of several
 * hits of one pair of yarns in one place the one that is least off stays. Yarns that are nearly parallel (sine of the angle below `LEAST_SINE`)
 * have no place where they cross: they slide beside each other. Boxes follow the order of nodes along yarns (`ChainBoxes`).
 */
import { ChainBoxes } from '../geometry/index.ts';
import { grow } from '../math/index.ts';

/** Sine of the least angle at which yarns cross: 11.5°. The constraint of two EIL nodes there is 25 times softer along the yarns than at right angles. */
export const LEAST_SINE = 0.2;
/** How far off the end of a segment a hit may be: a share of its length, and of the height there. */
const ROUNDING = 1e-6;
const SLACK = 0.2;
/** Hits of two yarns that are nearer than this part of the spacing on both are one. */
const SAME_PLACE = 0.25;

/** Two yarns that cross. */
export interface YarnHit {
  /** The yarns. */
  first: number;
  second: number;
  /** Material coordinates [m]. */
  u: number;
  v: number;
  /** Places in the order of nodes of the nodes before it. */
  firstPlace: number;
  secondPlace: number;
  /** Height of the second over the first along (first × second) [m]. */
  height: number;
  /** Sine of the angle between them. */
  sine: number;
  /** Middle between the two [m]. */
  readonly x: Float64Array;
  /** Unit vector along (first × second). */
  readonly normal: Float64Array;
}

/** Numbers of a hit in the buffer: u v first second places, height, sine, off, x, normal. */
const SIZE = 13;

export class YarnSearch {
  readonly hit: YarnHit = {
    first: 0,
    second: 0,
    u: 0,
    v: 0,
    firstPlace: 0,
    secondPlace: 0,
    height: 0,
    sine: 1,
    x: new Float64Array(3),
    normal: new Float64Array(3),
  };
  /** [m]; what is further apart does not cross. */
  reach = 0;
  #start: Int32Array = new Int32Array(0);
  #sides: Int32Array = new Int32Array(0);
  #q: Float64Array = new Float64Array(0);
  #isLeftOut: Uint8Array | undefined;
  readonly #boxes: ChainBoxes[] = [];
  /** Bounds of each yarn, 6 each. */
  #bounds = new Float64Array(0);
  #ends = new Float64Array(0);
  #first = 0;
  #second = 0;
  #found = new Float64Array(4 * SIZE);
  #count = 0;

  /**
   * Takes nodes and their order along yarns: sides[start[y] … start[y + 1]) of yarn y, coordinates q of five numbers a node (x, y, z, u, v). What is within
   * `reach` [m] of each other is found. Segments that start at a place with 1 in `isLeftOut` cross nothing.
   */
  update(start: Int32Array, sides: Int32Array, q: Float64Array, reach: number, isLeftOut?: Uint8Array): void {
    this.#start = start;
    this.#sides = sides;
    this.#q = q;
    this.#isLeftOut = isLeftOut;
    this.reach = reach;
    const yarns = start.length - 1;
    if (this.#bounds.length < 6 * yarns) this.#bounds = new Float64Array(6 * yarns);
    for (let y = 0; y < yarns; y++) this.#updateYarn(y);
  }

  #updateYarn(y: number): void {
    const [start, sides, q, isLeftOut] = [this.#start, this.#sides, this.#q, this.#isLeftOut];
    const first = start[y];
    const segments = Math.max(0, start[y + 1] - first - 1);
    let taken = 0;
    if (isLeftOut) while (taken < segments && isLeftOut[first + taken]) taken++;
    this.#boxes[y] ??= new ChainBoxes();
    const bounds = this.#bounds;
    if (taken === segments) {
      bounds.fill(Number.POSITIVE_INFINITY, 6 * y, 6 * y + 3);
      bounds.fill(Number.NEGATIVE_INFINITY, 6 * y + 3, 6 * y + 6);
      return;
    }
    if (this.#ends.length < 6 * segments) this.#ends = new Float64Array(12 * segments);
    const ends = this.#ends;
    for (let e = 0; e < segments; e++) {
      const isOut = isLeftOut !== undefined && isLeftOut[first + e] === 1;
      // one that is left out is a point of one that is not, so that boxes of several stay small
      if (!isOut) taken = e;
      const [a, b] = [5 * (sides[first + taken] >> 1), 5 * (sides[first + (isOut ? taken : e + 1)] >> 1)];
      for (let k = 0; k < 3; k++) {
        ends[6 * e + k] = q[a + k];
        ends[6 * e + 3 + k] = q[b + k];
      }
    }
    this.#boxes[y].update(segments, ends, ends, 0.5 * this.reach);
    this.#boxes[y].writeBounds(bounds, 6 * y);
  }

  /** Visits where yarn `second` crosses yarn `first`, along the first; the hit is overwritten by the next. */
  visit(first: number, second: number, spacing: number, visit: (hit: YarnHit) => void): void {
    const [bounds, p, q] = [this.#bounds, 6 * first, 6 * second];
    for (let k = 0; k < 3; k++) if (bounds[p + k] > bounds[q + 3 + k] || bounds[q + k] > bounds[p + 3 + k]) return;
    this.#first = first;
    this.#second = second;
    this.#count = 0;
    this.#boxes[first].visitPairs(this.#boxes[second], this.#test);
    this.#merge(SAME_PLACE * spacing);
    for (let h = 0; h < this.#count; h++) {
      this.#read(h);
      visit(this.hit);
    }
  }

  readonly #test = (a: number, b: number): void => {
    const [start, sides, x, isLeftOut] = [this.#start, this.#sides, this.#q, this.#isLeftOut];
    const [p, q] = [start[this.#first] + a, start[this.#second] + b];
    if (isLeftOut && (isLeftOut[p] || isLeftOut[q])) return;
    const [i, j, k, l] = [5 * (sides[p] >> 1), 5 * (sides[p + 1] >> 1), 5 * (sides[q] >> 1), 5 * (sides[q + 1] >> 1)];
    const [dx, dy, dz] = [x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]];
    const [ex, ey, ez] = [x[l] - x[k], x[l + 1] - x[k + 1], x[l + 2] - x[k + 2]];
    const [wx, wy, wz] = [x[k] - x[i], x[k + 1] - x[i + 1], x[k + 2] - x[i + 2]];
    const [nx, ny, nz] = [dy * ez - dz * ey, dz * ex - dx * ez, dx * ey - dy * ex];
    const nn = nx * nx + ny * ny + nz * nz;
    const dd = dx * dx + dy * dy + dz * dz;
    const ee = ex * ex + ey * ey + ez * ez;
    if (!(nn > LEAST_SINE * LEAST_SINE * dd * ee)) return;
    const length = Math.sqrt(nn);
    const height = (wx * nx + wy * ny + wz * nz) / length;
    if (Math.abs(height) > this.reach) return;
    let s = ((wy * ez - wz * ey) * nx + (wz * ex - wx * ez) * ny + (wx * ey - wy * ex) * nz) / nn;
    let t = ((wy * dz - wz * dy) * nx + (wz * dx - wx * dz) * ny + (wx * dy - wy * dx) * nz) / nn;
    const slack = SLACK * Math.abs(height);
    const [lengthA, lengthB] = [Math.sqrt(dd), Math.sqrt(ee)];
    const off = Math.max(computeOff(s) * lengthA, computeOff(t) * lengthB);
    if (off > slack + ROUNDING * Math.min(lengthA, lengthB)) return;
    s = Math.min(1, Math.max(0, s));
    t = Math.min(1, Math.max(0, t));
    if (this.#found.length < (this.#count + 1) * SIZE) this.#found = grow(this.#found, 2 * this.#found.length);
    const [f, o] = [this.#found, SIZE * this.#count++];
    const [ua, ub] = [x[i + 3 + (sides[p] & 1)], x[k + 3 + (sides[q] & 1)]];
    f[o] = ua + s * (x[j + 3 + (sides[p + 1] & 1)] - ua);
    f[o + 1] = ub + t * (x[l + 3 + (sides[q + 1] & 1)] - ub);
    f[o + 2] = p;
    f[o + 3] = q;
    f[o + 4] = height;
    f[o + 5] = length / (lengthA * lengthB);
    f[o + 6] = off;
    f[o + 7] = 0.5 * (x[i] + s * dx + x[k] + t * ex);
    f[o + 8] = 0.5 * (x[i + 1] + s * dy + x[k + 1] + t * ey);
    f[o + 9] = 0.5 * (x[i + 2] + s * dz + x[k + 2] + t * ez);
    f[o + 10] = nx / length;
    f[o + 11] = ny / length;
    f[o + 12] = nz / length;
  };

  /** Leaves one of the hits that are nearer than `near` on both yarns: that which is least off its segments. */
  #merge(near: number): void {
    const f = this.#found;
    let kept = 0;
    for (let h = 0; h < this.#count; h++) {
      let same = 0;
      while (same < kept && !this.#areNear(same, h, near)) same++;
      if (same === kept) kept++;
      else if (f[SIZE * same + 6] <= f[SIZE * h + 6]) continue;
      if (same !== h) f.copyWithin(SIZE * same, SIZE * h, SIZE * (h + 1));
    }
    this.#count = kept;
  }

  #areNear(a: number, b: number, near: number): boolean {
    const [f, p, q] = [this.#found, SIZE * a, SIZE * b];
    return Math.abs(f[p] - f[q]) < near && Math.abs(f[p + 1] - f[q + 1]) < near;
  }

  #read(h: number): void {
    const { hit } = this;
    const [f, o] = [this.#found, SIZE * h];
    hit.first = this.#first;
    hit.second = this.#second;
    hit.u = f[o];
    hit.v = f[o + 1];
    hit.firstPlace = f[o + 2];
    hit.secondPlace = f[o + 3];
    hit.height = f[o + 4];
    hit.sine = f[o + 5];
    for (let k = 0; k < 3; k++) {
      hit.x[k] = f[o + 7 + k];
      hit.normal[k] = f[o + 10 + k];
    }
  }
}

/** How far a parameter is off [0, 1]. */
const computeOff = (s: number): number => Math.max(0, -s, s - 1);
