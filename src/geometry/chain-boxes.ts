/**
 * Boxes round the segments of a moving chain, each with what its ends sweep over on straight ways from x0 to x1, in a tree that follows
 * the order of the chain: box k of a level holds boxes 2k and 2k + 1 of the level below.
 *
 *     level 2         0
 *     level 1     0       1
 *     level 0   0   1   2   (3)        segments
 *
 * What is near along a chain is near in space, so the tree needs no building; chains that are apart cost one test, a straight chain
 * with itself a few a segment. The order of visits depends on the boxes alone.
 */
import { grow } from '../math/index.ts';

export type VisitSegments = (a: number, b: number) => void;

export class ChainBoxes {
  /** Segments. */
  count = 0;
  /** Six numbers a box: min x, y, z, max x, y, z; level by level. */
  #boxes = new Float64Array(0);
  /** First box of each level. */
  readonly #start: number[] = [];
  #levels = 0;

  /** Takes the motion from x0 to x1, six numbers a segment (both ends); boxes reach `margin` [m] further. */
  update(count: number, x0: Float64Array, x1: Float64Array, margin: number): void {
    this.#layOut(count);
    const boxes = this.#boxes;
    for (let e = 0; e < count; e++)
      for (let k = 0; k < 3; k++) {
        const i = 6 * e + k;
        const j = i + 3;
        boxes[i] = Math.min(x0[i], x0[j], x1[i], x1[j]) - margin;
        boxes[j] = Math.max(x0[i], x0[j], x1[i], x1[j]) + margin;
      }
    for (let level = 1; level < this.#levels; level++) {
      const below = this.#start[level - 1];
      const size = this.#start[level] - below;
      for (let k = 0; 2 * k < size; k++) this.#join(below + 2 * k, Math.min(2 * k + 1, size - 1) + below, level, k);
    }
  }

  #layOut(count: number): void {
    this.count = count;
    this.#levels = 0;
    let sum = 0;
    for (let size = count; size > 0; size = size === 1 ? 0 : (size + 1) >> 1) {
      this.#start[this.#levels++] = sum;
      sum += size;
    }
    this.#start[this.#levels] = sum;
    if (this.#boxes.length < 6 * sum) this.#boxes = grow(this.#boxes, 12 * sum);
  }

  #join(a: number, b: number, level: number, k: number): void {
    const boxes = this.#boxes;
    const to = 6 * (this.#start[level] + k);
    for (let c = 0; c < 3; c++) {
      boxes[to + c] = Math.min(boxes[6 * a + c], boxes[6 * b + c]);
      boxes[to + 3 + c] = Math.max(boxes[6 * a + 3 + c], boxes[6 * b + 3 + c]);
    }
  }

  /** The box of the whole chain, to out[at…]. */
  writeBounds(out: Float64Array, at: number): void {
    const from = 6 * this.#start[this.#levels - 1];
    for (let k = 0; k < 6; k++) out[at + k] = this.#boxes[from + k];
  }

  /** Visits segments of this chain and of another whose boxes touch. */
  visitPairs(other: ChainBoxes, visit: VisitSegments): void {
    if (this.count > 0 && other.count > 0) this.#cross(other, this.#levels - 1, 0, other.#levels - 1, 0, visit);
  }

  /** Visits segments of this chain whose boxes touch each other, each pair once, the smaller index first; neighbours among them. */
  visitOwnPairs(visit: VisitSegments): void {
    if (this.count > 0) this.#crossOwn(this.#levels - 1, 0, visit);
  }

  #crossOwn(level: number, k: number, visit: VisitSegments): void {
    if (level === 0) return;
    const hasTwo = 2 * k + 1 < this.#start[level] - this.#start[level - 1];
    this.#crossOwn(level - 1, 2 * k, visit);
    if (!hasTwo) return;
    this.#crossOwn(level - 1, 2 * k + 1, visit);
    this.#cross(this, level - 1, 2 * k, level - 1, 2 * k + 1, visit);
  }

  #cross(other: ChainBoxes, levelA: number, a: number, levelB: number, b: number, visit: VisitSegments): void {
    const p = 6 * (this.#start[levelA] + a);
    const q = 6 * (other.#start[levelB] + b);
    const one = this.#boxes;
    const two = other.#boxes;
    for (let k = 0; k < 3; k++) if (one[p + k] > two[q + 3 + k] || two[q + k] > one[p + 3 + k]) return;
    if (levelA === 0 && levelB === 0) visit(a, b);
    else if (levelA >= levelB) {
      const size = this.#start[levelA] - this.#start[levelA - 1];
      this.#cross(other, levelA - 1, 2 * a, levelB, b, visit);
      if (2 * a + 1 < size) this.#cross(other, levelA - 1, 2 * a + 1, levelB, b, visit);
    } else {
      const size = other.#start[levelB] - other.#start[levelB - 1];
      this.#cross(other, levelA, a, levelB - 1, 2 * b, visit);
      if (2 * b + 1 < size) this.#cross(other, levelA, a, levelB - 1, 2 * b + 1, visit);
    }
  }
}
