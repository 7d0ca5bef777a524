/**
 * Quadrature on the common refinement of two simplices in material space: where a new element lies over an old one.
 * Segments: Simpson on the shared interval. Triangles: the intersection polygon (clipping [Sutherland 1974]), fanned
 * into triangles with the edge-midpoint rule. Both are exact for polynomials of degree 2, which a product of two
 * linear fields is.
 */

/** Calls `visit(point, weight)` for each quadrature point; `point` is reused. a, b: material corners of the simplices. */
export type OverlayVisitor = (point: Float64Array, weight: number) => void;

/** Weights of Simpson's rule. */
const SIMPSON: readonly number[] = [1 / 6, 4 / 6, 1 / 6];

/** `point` has room for one number. */
export function overlaySegments(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  point: Float64Array,
  visit: OverlayVisitor,
): void {
  const from = Math.max(Math.min(a[0], a[1]), Math.min(b[0], b[1]));
  const to = Math.min(Math.max(a[0], a[1]), Math.max(b[0], b[1]));
  if (!(to > from)) return;
  for (let k = 0; k < 3; k++) {
    point[0] = from + ((to - from) * k) / 2;
    visit(point, SIMPSON[k] * (to - from));
  }
}

export function overlayTriangles(a: ArrayLike<number>, b: ArrayLike<number>, visit: OverlayVisitor): void {
  let polygon = [a[0], a[1], a[2], a[3], a[4], a[5]];
  const sign = Math.sign((b[2] - b[0]) * (b[5] - b[1]) - (b[3] - b[1]) * (b[4] - b[0]));
  for (let e = 0; e < 3 && polygon.length > 0; e++) {
    const f = (e + 1) % 3;
    const [ex, ey] = [b[2 * f] - b[2 * e], b[2 * f + 1] - b[2 * e + 1]];
    const side = (x: number, y: number) => sign * (ex * (y - b[2 * e + 1]) - ey * (x - b[2 * e]));
    const clipped: number[] = [];
    for (let i = 0; i < polygon.length; i += 2) {
      const j = (i + 2) % polygon.length;
      const [px, py, qx, qy] = [polygon[i], polygon[i + 1], polygon[j], polygon[j + 1]];
      const [sp, sq] = [side(px, py), side(qx, qy)];
      if (sp >= 0) clipped.push(px, py);
      if (sp * sq < 0) {
        const t = sp / (sp - sq);
        clipped.push(px + t * (qx - px), py + t * (qy - py));
      }
    }
    polygon = clipped;
  }
  const point = new Float64Array(2);
  for (let i = 2; i + 3 < polygon.length; i += 2) {
    const corners = [polygon[0], polygon[1], polygon[i], polygon[i + 1], polygon[i + 2], polygon[i + 3]];
    const twice =
      (corners[2] - corners[0]) * (corners[5] - corners[1]) - (corners[3] - corners[1]) * (corners[4] - corners[0]);
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      point[0] = (corners[2 * k] + corners[2 * l]) / 2;
      point[1] = (corners[2 * k + 1] + corners[2 * l + 1]) / 2;
      visit(point, Math.abs(twice) / 6);
    }
  }
}
