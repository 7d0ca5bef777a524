/**
 * In which triangle of a planar mesh a point lies, and its barycentric coordinates: X = w0 X0 + w1 X1 + w2 X2. Triangles are
 * listed by the cells of a regular grid that their boxes meet, about one triangle a cell; signs are exact, so a point on
 * an edge is found, in the triangle of the lowest number. A point outside goes to the nearest point of the mesh, looked for
 * in rings of cells around it.
 *
 * For a mesh that does not change; `locatePoint` walks in one that does.
 */
import { computeTurnTo } from './predicates.ts';

/** `weights`: barycentric coordinates, ≥ 0, sum 1. `distance`: from the mesh, 0 inside. */
export interface MeshLocation {
  triangle: number;
  readonly weights: Float64Array;
  distance: number;
}

export const createMeshLocation = (): MeshLocation => ({ triangle: -1, weights: new Float64Array(3), distance: 0 });

export class MeshLocator {
  readonly #points: Float64Array;
  readonly #triangles: Int32Array;
  readonly #low = [Infinity, Infinity];
  readonly #counts = [1, 1];
  #cell = 1;
  readonly #starts: Int32Array;
  readonly #lists: Int32Array;
  readonly #closest = new Float64Array(5);

  /** Points, two coordinates each, and triangles, three points each; both are copied. Triangles with corner −1 are gaps. */
  constructor(points: ArrayLike<number>, triangles: ArrayLike<number>) {
    this.#points = Float64Array.from(points);
    this.#triangles = Int32Array.from(triangles);
    this.#layGrid();
    const cells = this.#counts[0] * this.#counts[1];
    const boxes = this.#listBoxes();
    const starts = new Int32Array(cells + 1);
    const columns = this.#counts[0];
    for (let k = 0; k < boxes.length; k += 4)
      for (let j = boxes[k + 2]; j <= boxes[k + 3]; j++)
        for (let i = boxes[k]; i <= boxes[k + 1]; i++) starts[i + columns * j + 1]++;
    for (let c = 0; c < cells; c++) starts[c + 1] += starts[c];
    const next = starts.slice();
    const lists = new Int32Array(starts[cells]);
    for (let k = 0; k < boxes.length; k += 4)
      for (let j = boxes[k + 2]; j <= boxes[k + 3]; j++)
        for (let i = boxes[k]; i <= boxes[k + 1]; i++) lists[next[i + columns * j]++] = k >> 2;
    this.#starts = starts;
    this.#lists = lists;
  }

  /** Writes the triangle of (x, y), or of the point of the mesh nearest to it, into `out`. */
  writeLocation(x: number, y: number, out: MeshLocation): void {
    const [i, j] = [this.#index(0, x), this.#index(1, y)];
    const cell = i + this.#counts[0] * j;
    for (let k = this.#starts[cell]; k < this.#starts[cell + 1]; k++) {
      if (!this.#holds(this.#lists[k], x, y)) continue;
      this.#writeWeights(this.#lists[k], x, y, out);
      return;
    }
    this.#writeNearest(x, y, i, j, out);
  }

  #layGrid(): void {
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    let used = 0;
    for (let k = 0; k < this.#triangles.length; k++) {
      const v = this.#triangles[k];
      if (v < 0) continue;
      used++;
      const x = this.#points[2 * v];
      const y = this.#points[2 * v + 1];
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
    }
    if (used === 0) throw new RangeError('MeshLocator: the mesh has no triangles.');
    this.#low[0] = x0;
    this.#low[1] = y0;
    const [width, height] = [x1 - x0, y1 - y0];
    // as many cells as triangles, never more than that along one side
    this.#cell = Math.max(Math.sqrt((3 * width * height) / used), Math.max(width, height) / used);
    this.#counts[0] = Math.floor(width / this.#cell) + 1;
    this.#counts[1] = Math.floor(height / this.#cell) + 1;
  }

  #index(axis: number, value: number): number {
    const index = Math.floor((value - this.#low[axis]) / this.#cell);
    return Math.max(0, Math.min(this.#counts[axis] - 1, index));
  }

  /** First and last column and row of the cells that the box of each triangle meets; none for gaps. */
  #listBoxes(): Int32Array {
    const p = this.#points;
    const triangles = this.#triangles;
    const boxes = new Int32Array((4 * triangles.length) / 3);
    for (let t = 0, at = 0; t < triangles.length; t += 3, at += 4) {
      const a = 2 * triangles[t];
      const b = 2 * triangles[t + 1];
      const c = 2 * triangles[t + 2];
      if (a < 0) {
        boxes[at + 1] = boxes[at + 3] = -1;
        continue;
      }
      boxes[at] = this.#index(0, Math.min(p[a], p[b], p[c]));
      boxes[at + 1] = this.#index(0, Math.max(p[a], p[b], p[c]));
      boxes[at + 2] = this.#index(1, Math.min(p[a + 1], p[b + 1], p[c + 1]));
      boxes[at + 3] = this.#index(1, Math.max(p[a + 1], p[b + 1], p[c + 1]));
    }
    return boxes;
  }

  #holds(t: number, x: number, y: number): boolean {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [this.#triangles[3 * t + k], this.#triangles[3 * t + ((k + 1) % 3)]];
      if (computeTurnTo(this.#points, a, b, x, y) < 0) return false;
    }
    return true;
  }

  #writeWeights(t: number, x: number, y: number, out: MeshLocation): void {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const [b, c] = [this.#triangles[3 * t + ((k + 1) % 3)], this.#triangles[3 * t + ((k + 2) % 3)]];
      out.weights[k] = Math.max(0, computeTurnTo(this.#points, b, c, x, y));
      sum += out.weights[k];
    }
    for (let k = 0; k < 3; k++) out.weights[k] /= sum;
    out.triangle = t;
    out.distance = 0;
  }

  /** Looks at rings of cells round cell (i, j) until the next ring is farther than the nearest edge found. */
  #writeNearest(x: number, y: number, i: number, j: number, out: MeshLocation): void {
    const [columns, rows] = this.#counts;
    const best = this.#closest;
    best[0] = Infinity;
    for (let ring = 0; ring <= Math.max(columns, rows); ring++) {
      for (let q = Math.max(0, j - ring); q <= Math.min(rows - 1, j + ring); q++) {
        const step = Math.abs(q - j) === ring ? 1 : 2 * ring;
        for (let p = i - ring; p <= i + ring; p += Math.max(1, step)) {
          if (p < 0 || p >= columns) continue;
          const cell = p + columns * q;
          for (let k = this.#starts[cell]; k < this.#starts[cell + 1]; k++) this.#compareEdges(this.#lists[k], x, y);
        }
      }
      // what lies in a cell of the next ring is at least this far from a point in or beside cell (i, j)
      if (best[0] <= this.#reach(x, y, i, j, ring) ** 2) break;
    }
    out.triangle = best[1];
    out.distance = Math.sqrt(best[0]);
    const k = best[2];
    out.weights[k] = 1 - best[3];
    out.weights[(k + 1) % 3] = best[3];
    out.weights[(k + 2) % 3] = 0;
  }

  /** Distance from (x, y) to the nearest place outside the cells of rings 0 … ring, a lower bound. */
  #reach(x: number, y: number, i: number, j: number, ring: number): number {
    const left = x - (this.#low[0] + (i - ring) * this.#cell);
    const right = this.#low[0] + (i + ring + 1) * this.#cell - x;
    const below = y - (this.#low[1] + (j - ring) * this.#cell);
    const above = this.#low[1] + (j + ring + 1) * this.#cell - y;
    return Math.max(0, Math.min(left, right, below, above));
  }

  /** Keeps square distance, triangle, edge and place along it of the nearest edge so far; the lowest triangle wins ties. */
  #compareEdges(t: number, x: number, y: number): void {
    const p = this.#points;
    const best = this.#closest;
    for (let k = 0; k < 3; k++) {
      const [a, b] = [2 * this.#triangles[3 * t + k], 2 * this.#triangles[3 * t + ((k + 1) % 3)]];
      const [dx, dy] = [p[b] - p[a], p[b + 1] - p[a + 1]];
      const along = ((x - p[a]) * dx + (y - p[a + 1]) * dy) / (dx * dx + dy * dy);
      const s = Math.max(0, Math.min(1, along));
      const square = (p[a] + s * dx - x) ** 2 + (p[a + 1] + s * dy - y) ** 2;
      if (square > best[0] || (square === best[0] && t >= best[1])) continue;
      best[0] = square;
      best[1] = t;
      best[2] = k;
      best[3] = s;
    }
  }
}
