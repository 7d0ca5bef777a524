/**
 * Uniform cubic B-splines: a curve through the neighbourhood of its control points, with continuous curvature. On span i
 *     c(t) = ((1 − t)³ P_i + (3t³ − 6t² + 4) P_i+1 + (−3t³ + 3t² + 3t + 1) P_i+2 + t³ P_i+3)/6,      t in [0, 1]
 * Where three control points at an end are evenly spaced on a line, the curve ends on the middle one, along the line and
 * without curvature: a straight line can follow.
 *
 *   control  three coordinates a control point
 */

/** Number of spans, each of parameter length 1. */
export const countSpans = (control: ArrayLike<number>): number => control.length / 3 - 3;

/** Writes the point of parameter t in [0, spans] into out[at … at + 2]. */
export function writeSplinePoint(control: ArrayLike<number>, t: number, out: Float64Array, at: number): void {
  const span = Math.min(countSpans(control) - 1, Math.max(0, Math.floor(t)));
  const s = t - span;
  const [a, b, c, d] = [
    ((1 - s) * (1 - s) * (1 - s)) / 6,
    (3 * s * s * s - 6 * s * s + 4) / 6,
    (-3 * s * s * s + 3 * s * s + 3 * s + 1) / 6,
    (s * s * s) / 6,
  ];
  for (let k = 0; k < 3; k++) {
    const first = 3 * span + k;
    out[at + k] = a * control[first] + b * control[first + 3] + c * control[first + 6] + d * control[first + 9];
  }
}

/** Radius of curvature ‖c′‖³/‖c′ × c″‖ at parameter t; Infinity where the curve is straight. */
export function computeSplineBendRadius(control: ArrayLike<number>, t: number): number {
  const span = Math.min(countSpans(control) - 1, Math.max(0, Math.floor(t)));
  const s = t - span;
  const first = [0, 0, 0];
  const second = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const p = (i: number): number => control[3 * (span + i) + k];
    first[k] =
      (-((1 - s) ** 2) * p(0) + (3 * s * s - 4 * s) * p(1) + (1 + 2 * s - 3 * s * s) * p(2) + s * s * p(3)) / 2;
    second[k] = (1 - s) * p(0) + (3 * s - 2) * p(1) + (1 - 3 * s) * p(2) + s * p(3);
  }
  const speed = Math.sqrt(first[0] ** 2 + first[1] ** 2 + first[2] ** 2);
  const turn = Math.sqrt(
    (first[1] * second[2] - first[2] * second[1]) ** 2 +
      (first[2] * second[0] - first[0] * second[2]) ** 2 +
      (first[0] * second[1] - first[1] * second[0]) ** 2,
  );
  return turn > 0 ? (speed * speed * speed) / turn : Infinity;
}
