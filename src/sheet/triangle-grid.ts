/** Which of some triangles of material space may overlap another: a grid of cells of about their size. */
import { STRIDE } from './state.ts';

export class TriangleGrid {
  readonly #cells = new Map<number, number[]>();
  readonly #low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  #size = 1;
  #columns = 1;

  /** q: five numbers a vertex, of which the last two are material coordinates; `which`: the triangles that count. */
  constructor(q: Float64Array, triangles: Int32Array, which: readonly number[]) {
    if (which.length === 0) return;
    const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const boxes = which.map((t) =>
      computeBox(
        [0, 1, 2].map((n) => STRIDE * triangles[3 * t + n] + 3),
        q,
      ),
    );
    let sum = 0;
    for (const box of boxes) {
      for (let k = 0; k < 2; k++) {
        this.#low[k] = Math.min(this.#low[k], box[k]);
        high[k] = Math.max(high[k], box[2 + k]);
      }
      sum += Math.max(box[2] - box[0], box[3] - box[1]);
    }
    this.#size = sum / which.length;
    this.#columns = Math.floor((high[0] - this.#low[0]) / this.#size) + 2;
    which.forEach((t, n) => {
      for (const cell of this.#listCells(boxes[n])) {
        const list = this.#cells.get(cell);
        if (list) list.push(t);
        else this.#cells.set(cell, [t]);
      }
    });
  }

  /** Those whose boxes are in a cell with that of the triangle `place`, 15 numbers, in increasing order. */
  find(place: Float64Array): number[] {
    const found = new Set<number>();
    for (const cell of this.#listCells(computeBox([3, 8, 13], place)))
      for (const t of this.#cells.get(cell) ?? []) found.add(t);
    return [...found].sort((a, b) => a - b);
  }

  #listCells([x0, y0, x1, y1]: readonly number[]): number[] {
    const cells: number[] = [];
    if (!Number.isFinite(this.#low[0])) return cells;
    const column = (x: number): number =>
      Math.min(this.#columns - 1, Math.max(0, Math.floor((x - this.#low[0]) / this.#size)));
    const row = (y: number): number => Math.max(0, Math.floor((y - this.#low[1]) / this.#size));
    for (let r = row(y0); r <= row(y1); r++)
      for (let c = column(x0); c <= column(x1); c++) cells.push(r * this.#columns + c);
    return cells;
  }
}

/** Smallest and largest coordinates of three corners at the given places. */
function computeBox(at: readonly number[], q: Float64Array): [number, number, number, number] {
  const [a, b, c] = at;
  return [
    Math.min(q[a], q[b], q[c]),
    Math.min(q[a + 1], q[b + 1], q[c + 1]),
    Math.max(q[a], q[b], q[c]),
    Math.max(q[a + 1], q[b + 1], q[c + 1]),
  ];
}
