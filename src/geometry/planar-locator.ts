/**
 * Where a point lies in a flat triangle mesh (the material of a sheet):
 *   X = w₀ X_a + w₁ X_b + w₂ X_c,   w₀ + w₁ + w₂ = 1,   w ≥ 0     with a, b, c the corners of the triangle that holds it
 * A point outside, by rounding or beyond the rim, gets the nearest point of the mesh.
 */
import { Bvh } from './bvh.ts';
import { writeClosestPointTriangle } from './closest.ts';

export class PlanarLocator {
  readonly #tree: Bvh;
  /** x, y of each corner, 6 numbers a triangle. */
  readonly #corners: Float64Array;
  /** The point and one triangle, in space. */
  readonly #x = new Float64Array(12);
  readonly #trial = new Float64Array(4);

  /** `X` has 2 numbers a vertex, `triangles` 3 vertices each. */
  constructor(X: ArrayLike<number>, triangles: ArrayLike<number>) {
    if (triangles.length === 0) throw new RangeError('A mesh without triangles holds no point; it needs at least 1.');
    const corners = new Float64Array(2 * triangles.length);
    const boxes = new Float64Array(2 * triangles.length);
    for (let t = 0; t < triangles.length; t += 3) {
      const box = 2 * t;
      for (let axis = 0; axis < 2; axis++) {
        let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
        for (let k = 0; k < 3; k++) {
          const value = X[2 * triangles[t + k] + axis];
          corners[2 * (t + k) + axis] = value;
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
        boxes[box + axis] = low;
        boxes[box + 3 + axis] = high;
      }
    }
    this.#corners = corners;
    this.#tree = new Bvh(boxes);
  }

  /** Writes the three weights of a point into `weights` and returns its triangle. */
  locate(px: number, py: number, weights: Float64Array): number {
    let found = 0;
    const x = this.#x;
    x[0] = px;
    x[1] = py;
    this.#tree.queryClosest(px, py, 0, Number.POSITIVE_INFINITY, (triangle, best) => {
      for (let k = 0; k < 3; k++) {
        x[3 + 3 * k] = this.#corners[6 * triangle + 2 * k];
        x[4 + 3 * k] = this.#corners[6 * triangle + 2 * k + 1];
      }
      const square = writeClosestPointTriangle(x, this.#trial);
      if (!(square < best)) return best;
      found = triangle;
      for (let k = 0; k < 3; k++) weights[k] = this.#trial[1 + k];
      return square;
    });
    return found;
  }
}
