/**
 * Bounding volume hierarchy over axis-aligned boxes, on typed arrays. Built top-down with the surface area heuristic in
 * bins [Wald 2007]; boxes may move afterwards (`refit`) as long as their number stays. Queries recurse and allocate
 * nothing; they may be nested.
 *
 *   box of item i: min x, y, z, max x, y, z at boxes[6 i …]
 *   node n: bounds[6 n …]; a leaf holds items[start[n] … start[n] + count[n]); an inner node (count 0) has its children
 *   at n + 1 (left) and start[n] (right), so children always come after their parent.
 */

const LEAF_SIZE = 4;
const BINS = 12;

const halfArea = (box: Float64Array, o: number): number => {
  const dx = box[o + 3] - box[o];
  const dy = box[o + 4] - box[o + 1];
  const dz = box[o + 5] - box[o + 2];
  return dx * dy + dy * dz + dz * dx;
};

const clearBox = (box: Float64Array, o: number): void => {
  box[o] = box[o + 1] = box[o + 2] = Infinity;
  box[o + 3] = box[o + 4] = box[o + 5] = -Infinity;
};

const growBox = (box: Float64Array, o: number, by: Float64Array, p: number): void => {
  for (let k = 0; k < 3; k++) {
    if (by[p + k] < box[o + k]) box[o + k] = by[p + k];
    if (by[p + 3 + k] > box[o + 3 + k]) box[o + 3 + k] = by[p + 3 + k];
  }
};

/** Working arrays of one build: node arrays that grow and the bins. */
class Builder {
  readonly boxes: Float64Array;
  readonly items: Int32Array;
  readonly bounds: number[] = [];
  readonly start: number[] = [];
  readonly count: number[] = [];
  readonly #bins = new Float64Array(6 * BINS);
  readonly #binCount = new Int32Array(BINS);
  readonly #rightArea = new Float64Array(BINS);
  readonly #node = new Float64Array(6);

  constructor(boxes: Float64Array) {
    this.boxes = boxes;
    this.items = Int32Array.from({ length: boxes.length / 6 }, (_, i) => i);
  }

  /** Twice the centre of an item along an axis. */
  centre(item: number, axis: number): number {
    return this.boxes[6 * item + axis] + this.boxes[6 * item + 3 + axis];
  }

  build(first: number, end: number): void {
    const node = this.start.length;
    clearBox(this.#node, 0);
    for (let i = first; i < end; i++) growBox(this.#node, 0, this.boxes, 6 * this.items[i]);
    this.bounds.push(...this.#node);
    this.start.push(first);
    this.count.push(end - first);
    if (end - first <= LEAF_SIZE) return;
    const middle = this.split(first, end);
    this.count[node] = 0;
    this.build(first, middle);
    this.start[node] = this.start.length;
    this.build(middle, end);
  }

  /** Sorts items[first … end) into two groups; returns where the second begins. */
  split(first: number, end: number): number {
    let [axis, low, high] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      let [min, max] = [Infinity, -Infinity];
      for (let i = first; i < end; i++) {
        const c = this.centre(this.items[i], k);
        if (c < min) min = c;
        if (c > max) max = c;
      }
      if (max - min > high - low) [axis, low, high] = [k, min, max];
    }
    // All centres in one point: any halves are as good.
    const scale = BINS / (high - low);
    if (!(scale > 0 && Number.isFinite(scale))) return (first + end) >> 1;
    const binOf = (item: number): number => Math.min(BINS - 1, Math.floor((this.centre(item, axis) - low) * scale));
    const cut = this.bestCut(first, end, binOf);
    let middle = first;
    for (let i = first; i < end; i++) {
      const item = this.items[i];
      if (binOf(item) < cut) {
        this.items[i] = this.items[middle];
        this.items[middle++] = item;
      }
    }
    return middle;
  }

  /** The bin from which on items go to the right, by least Σ area × count. The outer bins are never empty. */
  bestCut(first: number, end: number, binOf: (item: number) => number): number {
    const bins = this.#bins;
    this.#binCount.fill(0);
    for (let b = 0; b < BINS; b++) clearBox(bins, 6 * b);
    for (let i = first; i < end; i++) {
      const b = binOf(this.items[i]);
      this.#binCount[b]++;
      growBox(bins, 6 * b, this.boxes, 6 * this.items[i]);
    }
    const side = this.#node;
    clearBox(side, 0);
    for (let b = BINS - 1, count = 0; b > 0; b--) {
      growBox(side, 0, bins, 6 * b);
      count += this.#binCount[b];
      this.#rightArea[b] = count * halfArea(side, 0);
    }
    clearBox(side, 0);
    let [cut, cost] = [1, Infinity];
    for (let b = 1, count = 0; b < BINS; b++) {
      growBox(side, 0, bins, 6 * (b - 1));
      count += this.#binCount[b - 1];
      const total = count * halfArea(side, 0) + this.#rightArea[b];
      if (total < cost) [cut, cost] = [b, total];
    }
    return cut;
  }
}

/** Visits an item; returns true to end the query, anything else to go on. */
export type VisitItem = (item: number) => unknown;

export class Bvh {
  readonly itemCount: number;
  /** Box around all items, at least one: min x, y, z, max x, y, z. Not to be changed. */
  readonly bounds: Float64Array;
  readonly #boxes: Float64Array;
  readonly #items: Int32Array;
  readonly #bounds: Float64Array;
  readonly #start: Int32Array;
  readonly #count: Int32Array;

  /** Six numbers an item: min x, y, z, max x, y, z. The boxes are copied. */
  constructor(boxes: Float64Array) {
    if (boxes.length % 6 !== 0) {
      throw new RangeError(`Bvh: ${boxes.length} numbers for boxes; give six per item: min x, y, z, max x, y, z.`);
    }
    for (let i = 0; i < boxes.length; i += 6) {
      for (let k = 0; k < 3; k++) {
        if (!(boxes[i + k] <= boxes[i + 3 + k])) {
          throw new RangeError(
            `Bvh: the box of item ${i / 6} reaches from ${boxes[i + k]} to ${boxes[i + 3 + k]} along axis ${k}; the first must not be larger.`,
          );
        }
      }
    }
    const builder = new Builder(boxes.slice());
    if (boxes.length > 0) builder.build(0, boxes.length / 6);
    this.itemCount = boxes.length / 6;
    this.#boxes = builder.boxes;
    this.#items = builder.items;
    this.#bounds = Float64Array.from(builder.bounds);
    this.bounds = this.#bounds.subarray(0, 6);
    this.#start = Int32Array.from(builder.start);
    this.#count = Int32Array.from(builder.count);
  }

  /** Takes new boxes for the same items; the tree keeps its shape. */
  refit(boxes: Float64Array): void {
    if (boxes.length !== this.#boxes.length) {
      throw new RangeError(
        `Bvh.refit: boxes for ${boxes.length / 6} items; the tree has ${this.itemCount}: build a new one.`,
      );
    }
    this.#boxes.set(boxes);
    for (let node = this.#start.length - 1; node >= 0; node--) {
      const o = 6 * node;
      clearBox(this.#bounds, o);
      const start = this.#start[node];
      if (this.#count[node] === 0) {
        growBox(this.#bounds, o, this.#bounds, o + 6);
        growBox(this.#bounds, o, this.#bounds, 6 * start);
      } else {
        for (let i = 0; i < this.#count[node]; i++) growBox(this.#bounds, o, this.#boxes, 6 * this.#items[start + i]);
      }
    }
  }

  /** Visits every item whose box touches `box` (six numbers), in no particular but repeatable order. */
  queryBox(box: Float64Array, visit: VisitItem): void {
    if (this.itemCount > 0) this.#queryBox(0, box, visit);
  }

  #queryBox(node: number, box: Float64Array, visit: VisitItem): boolean {
    if (!overlaps(this.#bounds, 6 * node, box)) return false;
    const start = this.#start[node];
    if (this.#count[node] === 0) return this.#queryBox(node + 1, box, visit) || this.#queryBox(start, box, visit);
    for (let i = start; i < start + this.#count[node]; i++) {
      const item = this.#items[i];
      if (overlaps(this.#boxes, 6 * item, box) && visit(item) === true) return true;
    }
    return false;
  }

  /**
   * Visits the items whose boxes a ray origin + t direction meets for 0 ≤ t ≤ the limit, nearer subtrees first. `visit`
   * returns the new limit: t of a hit to look only for nearer ones, or the limit it was given to go on. Returns the last.
   */
  queryRay(
    origin: ArrayLike<number>,
    direction: ArrayLike<number>,
    limit: number,
    visit: (item: number, limit: number) => number,
  ): number {
    return this.itemCount > 0 ? this.#queryRay(0, origin, direction, limit, visit) : limit;
  }

  #queryRay(
    node: number,
    origin: ArrayLike<number>,
    direction: ArrayLike<number>,
    limit: number,
    visit: (item: number, limit: number) => number,
  ): number {
    const start = this.#start[node];
    if (this.#count[node] > 0) {
      for (let i = start; i < start + this.#count[node]; i++) {
        const item = this.#items[i];
        if (rayEntry(this.#boxes, 6 * item, origin, direction) <= limit) limit = visit(item, limit);
      }
      return limit;
    }
    const left = rayEntry(this.#bounds, 6 * (node + 1), origin, direction);
    const right = rayEntry(this.#bounds, 6 * start, origin, direction);
    const near = left <= right ? node + 1 : start;
    if (Math.min(left, right) <= limit) limit = this.#queryRay(near, origin, direction, limit, visit);
    if (Math.max(left, right) <= limit) {
      limit = this.#queryRay(near === start ? node + 1 : start, origin, direction, limit, visit);
    }
    return limit;
  }

  /**
   * Finds the closest item to a point: `visit` is called for items whose box is nearer than the best squared distance so
   * far and returns the better of that and its own. Returns the last; start with Infinity or the square of a limit.
   */
  queryClosest(x: number, y: number, z: number, best: number, visit: (item: number, best: number) => number): number {
    return this.itemCount > 0 ? this.#queryClosest(0, x, y, z, best, visit) : best;
  }

  #queryClosest(
    node: number,
    x: number,
    y: number,
    z: number,
    best: number,
    visit: (item: number, best: number) => number,
  ): number {
    const start = this.#start[node];
    if (this.#count[node] > 0) {
      for (let i = start; i < start + this.#count[node]; i++) {
        const item = this.#items[i];
        if (squareToBox(this.#boxes, 6 * item, x, y, z) <= best) best = visit(item, best);
      }
      return best;
    }
    const left = squareToBox(this.#bounds, 6 * (node + 1), x, y, z);
    const right = squareToBox(this.#bounds, 6 * start, x, y, z);
    const near = left <= right ? node + 1 : start;
    if (Math.min(left, right) <= best) best = this.#queryClosest(near, x, y, z, best, visit);
    if (Math.max(left, right) <= best) {
      best = this.#queryClosest(near === start ? node + 1 : start, x, y, z, best, visit);
    }
    return best;
  }
}

const overlaps = (boxes: Float64Array, o: number, box: Float64Array): boolean =>
  boxes[o] <= box[3] &&
  boxes[o + 3] >= box[0] &&
  boxes[o + 1] <= box[4] &&
  boxes[o + 4] >= box[1] &&
  boxes[o + 2] <= box[5] &&
  boxes[o + 5] >= box[2];

/** Ray parameter at which a box is entered (0 from inside), Infinity where it is missed. */
const rayEntry = (boxes: Float64Array, o: number, origin: ArrayLike<number>, direction: ArrayLike<number>): number => {
  let enter = 0;
  let leave = Infinity;
  for (let k = 0; k < 3; k++) {
    const low = boxes[o + k] - origin[k];
    const high = boxes[o + 3 + k] - origin[k];
    if (direction[k] === 0) {
      if (low > 0 || high < 0) return Infinity;
      continue;
    }
    const t0 = low / direction[k];
    const t1 = high / direction[k];
    enter = Math.max(enter, Math.min(t0, t1));
    leave = Math.min(leave, Math.max(t0, t1));
  }
  return enter <= leave ? enter : Infinity;
};

const squareToBox = (boxes: Float64Array, o: number, x: number, y: number, z: number): number => {
  const dx = Math.max(boxes[o] - x, 0, x - boxes[o + 3]);
  const dy = Math.max(boxes[o + 1] - y, 0, y - boxes[o + 4]);
  const dz = Math.max(boxes[o + 2] - z, 0, z - boxes[o + 5]);
  return dx * dx + dy * dy + dz * dz;
};
