/**
 * Moving points, edges or triangles in a tree of boxes: each box holds what its points sweep over on straight ways from x0 to x1,
 * and a margin. The tree is refitted to the next motion and built anew when that has made it bad.
 */
import { Bvh, type VisitItem } from './bvh.ts';

/** Refits after which the tree is built anew. */
const MOST_REFITS = 50;

export class SweptTree {
  /** Points of the items, `size` each: 1 for points, 2 for edges, 3 for triangles. */
  readonly stencils: Int32Array;
  readonly size: number;
  /** Six numbers an item: min x, y, z, max x, y, z. */
  readonly boxes: Float64Array;
  #tree: Bvh | undefined;
  #refits = 0;

  constructor(stencils: Int32Array, size: number) {
    if (stencils.length % size !== 0)
      throw new RangeError(`SweptTree: ${stencils.length} points for items of ${size}; give ${size} per item.`);
    this.stencils = stencils;
    this.size = size;
    this.boxes = new Float64Array((6 * stencils.length) / size);
  }

  get itemCount(): number {
    return this.stencils.length / this.size;
  }

  /** Takes the motion from x0 to x1 (three numbers a point); boxes reach `margin` [m] further. */
  update(x0: Float64Array, x1: Float64Array, margin: number): void {
    const { boxes, stencils, size } = this;
    for (let item = 0; item < this.itemCount; item++)
      for (let k = 0; k < 3; k++) {
        let low = Number.POSITIVE_INFINITY;
        let high = Number.NEGATIVE_INFINITY;
        for (let n = size * item; n < size * (item + 1); n++) {
          const at = 3 * stencils[n] + k;
          low = Math.min(low, x0[at], x1[at]);
          high = Math.max(high, x0[at], x1[at]);
        }
        boxes[6 * item + k] = low - margin;
        boxes[6 * item + 3 + k] = high + margin;
      }
    if (this.#tree === undefined || ++this.#refits > MOST_REFITS) {
      this.#tree = new Bvh(boxes);
      this.#refits = 0;
    } else this.#tree.refit(boxes);
  }

  /** Visits every item whose box touches `box`. The order depends on earlier motions. */
  query(box: Float64Array, visit: VisitItem): void {
    this.#tree?.queryBox(box, visit);
  }
}
