/**
 * Pairs of overlapping boxes by sorting them along one axis and sweeping over it (sweep and prune).
 * The order is kept from one call to the next: boxes that move little are sorted in linear time.
 */
export class BoxSweep {
  /** Lower then upper corner, 6 numbers a box. */
  boxes = new Float64Array(0);
  count = 0;
  #order = new Int32Array(0);
  #ordered = 0;

  /** Makes room for `count` boxes, which the caller then fills. */
  resize(count: number): void {
    this.count = count;
    if (this.boxes.length < 6 * count) {
      this.boxes = new Float64Array(12 * count);
      const order = new Int32Array(2 * count);
      order.set(this.#order.subarray(0, this.#ordered));
      this.#order = order;
    }
    let kept = 0;
    for (let k = 0; k < this.#ordered; k++) if (this.#order[k] < count) this.#order[kept++] = this.#order[k];
    for (let i = this.#ordered; kept < count; i++) this.#order[kept++] = i;
    this.#ordered = count;
  }

  /** Calls `visit` once for each pair of boxes that overlap, the smaller index first, in an order that depends on the boxes only. */
  visitPairs(visit: (a: number, b: number) => void): void {
    const { boxes } = this;
    const order = this.#order;
    const axis = this.#findAxis();
    this.#sort(axis);
    for (let m = 0; m < this.count; m++) {
      const a = order[m];
      const end = boxes[6 * a + 3 + axis];
      for (let n = m + 1; n < this.count; n++) {
        const b = order[n];
        if (boxes[6 * b + axis] > end) break;
        if (this.#overlap(a, b)) visit(Math.min(a, b), Math.max(a, b));
      }
    }
  }

  #overlap(a: number, b: number): boolean {
    const { boxes } = this;
    for (let k = 0; k < 3; k++)
      if (boxes[6 * a + k] > boxes[6 * b + 3 + k] || boxes[6 * b + k] > boxes[6 * a + 3 + k]) return false;
    return true;
  }

  /** The axis along which the boxes are spread most. */
  #findAxis(): number {
    const { boxes, count } = this;
    let best = 0;
    let widest = -1;
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let i = 0; i < count; i++) {
        low = Math.min(low, boxes[6 * i + k]);
        high = Math.max(high, boxes[6 * i + k]);
      }
      if (high - low > widest) [best, widest] = [k, high - low];
    }
    return best;
  }

  /** By lower bound, equal ones by index. Insertion sort; a fresh or mixed-up list goes to the sort of the array. */
  #sort(axis: number): void {
    const { boxes, count } = this;
    const order = this.#order;
    const isBefore = (a: number, b: number): boolean => {
      const gap = boxes[6 * a + axis] - boxes[6 * b + axis];
      return gap < 0 || (gap === 0 && a < b);
    };
    let moves = 0;
    for (let m = 1; m < count; m++) {
      const item = order[m];
      let n = m;
      for (; n > 0 && isBefore(item, order[n - 1]); n--) {
        order[n] = order[n - 1];
        moves++;
      }
      order[n] = item;
      if (moves > 20 * count) {
        order.subarray(0, count).sort((a, b) => (isBefore(a, b) ? -1 : 1));
        return;
      }
    }
  }
}
