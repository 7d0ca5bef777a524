/**
 * Material coordinates of a mesh of any form, for patterns on it and textures: each triangle is seen along the axis that it faces most, so that no area shrinks to less than 1/√3.
 * Triangles that face alike share vertices; where they do not, vertices are shown twice.
 */
export interface BoxCharts {
  /** Two coordinates a vertex that is shown [m]. */
  readonly X: Float64Array;
  /** Counter-clockwise in them. */
  readonly triangles: Int32Array;
  /** Vertex of the mesh that each vertex shown is. */
  readonly vertices: Int32Array;
}

export function createBoxCharts(x: ArrayLike<number>, corners: ArrayLike<number>): BoxCharts {
  const X: number[] = [];
  const vertices: number[] = [];
  const shown = new Map<number, number>();
  const triangles = new Int32Array(corners.length);
  for (let t = 0; t < corners.length; t += 3) {
    const axis = findFacedAxis(x, corners[t], corners[t + 1], corners[t + 2]);
    for (let c = t; c < t + 3; c++) {
      const key = 6 * corners[c] + axis;
      let vertex = shown.get(key);
      if (vertex === undefined) {
        vertex = vertices.length;
        shown.set(key, vertex);
        vertices.push(corners[c]);
        // seen against the axis, the second coordinate is to the right of the first
        const at = 3 * corners[c];
        const [right, up] = [x[at + ((axis + 1) % 3)], x[at + ((axis + 2) % 3)]];
        X.push(axis < 3 ? right : -right, up);
      }
      triangles[c] = vertex;
    }
  }
  return { X: Float64Array.from(X), triangles, vertices: Int32Array.from(vertices) };
}

/** The axis of the largest component of a triangle's normal: 0 … 2, and 3 more where it is negative. */
function findFacedAxis(x: ArrayLike<number>, a: number, b: number, c: number): number {
  const edge = (to: number, k: number): number => x[3 * to + k] - x[3 * a + k];
  let [best, most] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    const normal = edge(b, i) * edge(c, j) - edge(b, j) * edge(c, i);
    if (Math.abs(normal) > most) [best, most] = [normal > 0 ? k : k + 3, Math.abs(normal)];
  }
  return best;
}
