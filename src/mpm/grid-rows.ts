/**
 * Rows of weights at nodes of the grid: velocities of points of the material, u = B v̂, and impulses on them, v̂ += M⁻¹Bᵀλ.
 *
 *     u = Σ a Σᵢ w v̂ᵢ        of a place (a = 1), or of a few with shares a
 *
 * Vectors of rows have 3 numbers each; those of nodes 4, as the grid has them.
 */
import { grow } from '../math/index.ts';
import type { NodeField } from './collide.ts';
import { BLOCK_NODES, BLOCK_SIDE } from './grid.ts';
import { findSplineBase, SPLINE_ROOM, writeSpline } from './spline.ts';

export class GridRows {
  /** Entries of row r, from first[r] to first[r + 1]: nodes, by their numbers here, with their weights. */
  first = new Int32Array(0);
  entry = new Int32Array(0);
  weight = new Float64Array(0);
  entryCount = 0;
  /** Nodes that are reached: place in the arrays of the grid, 1/m, and what rows spread to them, 3 each. */
  nodeCount = 0;
  node = new Int32Array(0);
  inverse = new Float64Array(0);
  #value = new Float64Array(0);
  /** For each node of the grid its number here + 1. */
  #mark = new Int32Array(0);
  #rows = 0;
  readonly #weights = new Float64Array(3 * SPLINE_ROOM);
  readonly #slopes = new Float64Array(3 * SPLINE_ROOM);
  readonly #base = new Int32Array(3);
  readonly #slots = new Int32Array(8);

  /** No row yet, of at most so many. */
  begin(grid: NodeField, most: number): void {
    for (let n = 0; n < this.nodeCount; n++) this.#mark[this.node[n] >> 2] = 0;
    this.nodeCount = 0;
    this.entryCount = 0;
    this.#rows = 0;
    if (this.#mark.length < BLOCK_NODES * grid.blockCount)
      this.#mark = new Int32Array(Math.ceil(1.5 * BLOCK_NODES * grid.blockCount));
    if (this.first.length < most + 1) this.first = new Int32Array(2 * most + 1);
    this.first[0] = 0;
  }

  /** The row is done, and the next begins. */
  endRow(): void {
    this.first[++this.#rows] = this.entryCount;
  }

  /** Nodes round a place, with their weights times a share. */
  addPlace(grid: NodeField, place: Float64Array, share: number): void {
    const { degree, spacing } = grid;
    for (let axis = 0; axis < 3; axis++) {
      const X = place[axis] / spacing;
      this.#base[axis] = findSplineBase(degree, X);
      writeSpline(degree, X, this.#base[axis], this.#weights, this.#slopes, SPLINE_ROOM * axis);
    }
    const width = degree + 1;
    this.#growEntries(width * width * width);
    const bi = this.#base[0];
    const bj = this.#base[1];
    const bk = this.#base[2];
    for (let n = 0; n < 8; n++)
      this.#slots[n] = grid.findSlot((bi >> 2) + (n >> 2), (bj >> 2) + ((n >> 1) & 1), (bk >> 2) + (n & 1));
    for (let i = 0; i < width; i++)
      for (let j = 0; j < width; j++)
        for (let k = 0; k < width; k++) {
          const a = (bi & 3) + i;
          const b = (bj & 3) + j;
          const c = (bk & 3) + k;
          const slot = this.#slots[4 * (a >> 2) + 2 * (b >> 2) + (c >> 2)];
          if (slot < 0) continue;
          const node = BLOCK_NODES * slot + BLOCK_SIDE * BLOCK_SIDE * (a & 3) + BLOCK_SIDE * (b & 3) + (c & 3);
          const weight = share * this.#weights[i] * this.#weights[SPLINE_ROOM + j] * this.#weights[2 * SPLINE_ROOM + k];
          this.entry[this.entryCount] = this.#numberOf(grid, node);
          this.weight[this.entryCount++] = weight;
        }
  }

  /** Number of a node of the grid among those that are reached. */
  #numberOf(grid: NodeField, node: number): number {
    if (this.#mark[node] > 0) return this.#mark[node] - 1;
    if (this.nodeCount === this.node.length) {
      const room = Math.max(64, 2 * this.nodeCount);
      this.node = grow(this.node, room);
      this.inverse = grow(this.inverse, room);
      this.#value = grow(this.#value, 3 * room);
    }
    const number = this.nodeCount++;
    this.node[number] = 4 * node;
    const m = grid.node[4 * node];
    this.inverse[number] = m > 0 ? 1 / m : 0;
    this.#mark[node] = number + 1;
    return number;
  }

  #growEntries(more: number): void {
    if (this.entryCount + more <= this.entry.length) return;
    const room = 2 * (this.entryCount + more);
    this.entry = grow(this.entry, room);
    this.weight = grow(this.weight, room);
  }

  /** Whether a node, by its place in the arrays of the grid, is reached. */
  reaches(at: number): boolean {
    return this.#mark[at >> 2] > 0;
  }

  /** Component k of a row's velocity. */
  computeSpeed(r: number, k: number, v: Float64Array | Float32Array): number {
    let sum = 0;
    for (let at = this.first[r]; at < this.first[r + 1]; at++)
      sum += this.weight[at] * v[this.node[this.entry[at]] + k];
    return sum;
  }

  /** B M⁻¹Bᵀ of a row with itself, plus `start`. */
  computeDiagonal(r: number, start: number): number {
    let sum = start;
    for (let at = this.first[r]; at < this.first[r + 1]; at++)
      sum += this.weight[at] * this.weight[at] * this.inverse[this.entry[at]];
    return sum;
  }

  /** out := B v of the first `count` rows. */
  measure(v: Float64Array | Float32Array, count: number, out: Float64Array): void {
    for (let r = 0; r < count; r++) for (let k = 0; k < 3; k++) out[3 * r + k] = this.computeSpeed(r, k, v);
  }

  /** out := B M⁻¹ y of the first `count` rows. */
  measureResponse(y: Float64Array, count: number, out: Float64Array): void {
    const { first, entry, weight, node, inverse } = this;
    for (let r = 0; r < count; r++)
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let at = first[r]; at < first[r + 1]; at++) {
          const n = entry[at];
          sum += weight[at] * inverse[n] * y[node[n] + k];
        }
        out[3 * r + k] = sum;
      }
  }

  /** out += sign · Bᵀ λ of the first `count` rows. */
  addTranspose(lambda: Float64Array, count: number, sign: 1 | -1, out: Float64Array): void {
    const { first, entry, weight, node } = this;
    for (let r = 0; r < count; r++)
      for (let k = 0; k < 3; k++) {
        const impulse = sign * lambda[3 * r + k];
        if (impulse === 0) continue;
        for (let at = first[r]; at < first[r + 1]; at++) out[node[entry[at]] + k] += weight[at] * impulse;
      }
  }

  /** What was spread is forgotten. */
  clear(): void {
    this.#value.fill(0, 0, 3 * this.nodeCount);
  }

  /** Spreads Bᵀ λ of a row, λ at lambda[from…] times a factor. */
  spread(r: number, lambda: Float64Array, from: number, factor: number): void {
    const value = this.#value;
    const { first, entry, weight } = this;
    const x = lambda[from];
    const y = lambda[from + 1];
    const z = lambda[from + 2];
    if (x === 0 && y === 0 && z === 0) return;
    for (let at = first[r]; at < first[r + 1]; at++) {
      const n = 3 * entry[at];
      const w = weight[at] * factor;
      value[n] += w * x;
      value[n + 1] += w * y;
      value[n + 2] += w * z;
    }
  }

  /** out := B M⁻¹ of what was spread, of a row. */
  measureSpread(r: number, out: Float64Array): void {
    const { first, entry, weight, inverse } = this;
    const value = this.#value;
    let [x, y, z] = [0, 0, 0];
    for (let at = first[r]; at < first[r + 1]; at++) {
      const n = entry[at];
      const w = weight[at] * inverse[n];
      x += w * value[3 * n];
      y += w * value[3 * n + 1];
      z += w * value[3 * n + 2];
    }
    out[0] = x;
    out[1] = y;
    out[2] = z;
  }

  /** v += M⁻¹ of what was spread. */
  addSpread(v: Float64Array | Float32Array): void {
    const { node, inverse } = this;
    const value = this.#value;
    for (let n = 0; n < this.nodeCount; n++)
      for (let k = 0; k < 3; k++) v[node[n] + k] += inverse[n] * value[3 * n + k];
  }

  /** out := (B M⁻¹Bᵀ + softness) d of the rows order[from] … order[to − 1]. */
  writeProduct(
    d: Float64Array,
    softness: Float64Array,
    order: Int32Array,
    from: number,
    to: number,
    out: Float64Array,
  ): void {
    const { first, entry, weight, inverse } = this;
    const value = this.#value;
    for (let n = from; n < to; n++) {
      const r = order[n];
      for (let at = first[r]; at < first[r + 1]; at++) {
        const i = 3 * entry[at];
        value[i] = value[i + 1] = value[i + 2] = 0;
      }
    }
    for (let n = from; n < to; n++) this.spread(order[n], d, 3 * order[n], 1);
    for (let n = from; n < to; n++) {
      const r = order[n];
      const soft = softness[r];
      let x = soft * d[3 * r];
      let y = soft * d[3 * r + 1];
      let z = soft * d[3 * r + 2];
      for (let at = first[r]; at < first[r + 1]; at++) {
        const i = entry[at];
        const w = weight[at] * inverse[i];
        x += w * value[3 * i];
        y += w * value[3 * i + 1];
        z += w * value[3 * i + 2];
      }
      out[3 * r] = x;
      out[3 * r + 1] = y;
      out[3 * r + 2] = z;
    }
  }
}
