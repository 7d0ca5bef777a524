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
    this.#starts = new Int32Array(cells + 1);
    this.#visit((cell) => this.#starts[cell + 1]++);
    for (let c = 0; c < cells; c++) this.#starts[c + 1] += this.#starts[c];
    const next = this.#starts.slice();
    this.#lists = new Int32Array(this.#starts[cells]);
    this.#visit((cell, t) => {
      this.#lists[next[cell]++] = t;
    });
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
    const high = [-Infinity, -Infinity];
    let used = 0;
    for (let k = 0; k < this.#triangles.length; k++) {
      const v = this.#triangles[k];
      if (v < 0) continue;
      used++;
      for (let axis = 0; axis < 2; axis++) {
        this.#low[axis] = Math.min(this.#low[axis], this.#points[2 * v + axis]);
        high[axis] = Math.max(high[axis], this.#points[2 * v + axis]);
      }
    }
    if (used === 0) throw new RangeError('MeshLocator: the mesh has no triangles.');
    const [width, height] = [high[0] - this.#low[0], high[1] - this.#low[1]];
    // as many cells as triangles, never more than that along one side
    this.#cell = Math.max(Math.sqrt((3 * width * height) / used), Math.max(width, height) / used);
    this.#counts[0] = Math.floor(width / this.#cell) + 1;
    this.#counts[1] = Math.floor(height / this.#cell) + 1;
  }

  #index(axis: number, value: number): number {
    const index = Math.floor((value - this.#low[axis]) / this.#cell);
    return Math.max(0, Math.min(this.#counts[axis] - 1, index));
  }

  /** Calls with every cell that the box of a triangle meets, and the triangle, in the order of the triangles. */
  #visit(call: (cell: number, triangle: number) => void): void {
    const p = this.#points;
    for (let t = 0; 3 * t < this.#triangles.length; t++) {
      const [a, b, c] = this.#triangles.subarray(3 * t, 3 * t + 3);
      if (a < 0) continue;
      const span = (axis: number): [number, number] => {
        const values = [p[2 * a + axis], p[2 * b + axis], p[2 * c + axis]];
        return [this.#index(axis, Math.min(...values)), this.#index(axis, Math.max(...values))];
      };
      const [[i0, i1], [j0, j1]] = [span(0), span(1)];
      for (let j = j0; j <= j1; j++) for (let i = i0; i <= i1; i++) call(i + this.#counts[0] * j, t);
    }
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
