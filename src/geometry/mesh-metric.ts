/**
 * A metric in each vertex of a planar mesh: how long an edge may be in every direction there.
 *
 *   s(e)² = eᵀ ½(M_a + M_b) e,   M = [m0 m1; m1 m2] symmetric, positive     [Narain 2012]
 *   s = 1: just as long as wanted; M = I/h² asks for edges of length h
 *
 * An edge is better flipped when the angles opposite to it, measured in the mean metric of the four vertices, sum to more than
 * π (Delaunay in that metric).
 */
import { computeHypot2 } from '../math/index.ts';
import type { Triangulation } from './triangulation.ts';

/** Metric values of n vertices for edges of length h everywhere: 1/h², 0, 1/h² each. */
export const createUniformMetric = (n: number, h: number): Float64Array =>
  Float64Array.from({ length: 3 * n }, (_, i) => (i % 3 === 1 ? 0 : 1 / (h * h)));

export class VertexMetric {
  /** Three numbers a vertex: m0, m1, m2 [1/m²]. Longer than what is used; replaced when it grows. */
  values: Float64Array;

  /** Values are copied; each must be positive definite. */
  constructor(values: ArrayLike<number>) {
    this.values = Float64Array.from(values);
    for (let v = 0; 3 * v < values.length; v++) {
      const [m0, m1, m2] = this.values.subarray(3 * v, 3 * v + 3);
      if (m0 > 0 && m2 > 0 && m0 * m2 - m1 * m1 > 0 && Number.isFinite(m0 * m2)) continue;
      throw new RangeError(`VertexMetric: vertex ${v} has [${m0} ${m1}; ${m1} ${m2}]; it must be positive definite.`);
    }
  }

  /** Gives vertex v the mean of a and b. */
  setMean(v: number, a: number, b: number): void {
    if (3 * v + 3 > this.values.length) {
      const grown = new Float64Array(6 * v + 6);
      grown.set(this.values);
      this.values = grown;
    }
    for (let k = 0; k < 3; k++) this.values[3 * v + k] = (this.values[3 * a + k] + this.values[3 * b + k]) / 2;
  }

  /** s of the edge between vertices a and b. */
  computeSize(mesh: Triangulation, a: number, b: number): number {
    const p = mesh.points;
    const m = this.values;
    const dx = p[2 * b] - p[2 * a];
    const dy = p[2 * b + 1] - p[2 * a + 1];
    const m0 = m[3 * a] + m[3 * b];
    const m1 = m[3 * a + 1] + m[3 * b + 1];
    const m2 = m[3 * a + 2] + m[3 * b + 2];
    return Math.sqrt((m0 * dx * dx + 2 * m1 * dx * dy + m2 * dy * dy) / 2);
  }

  /** Whether the other diagonal of the quad of inner edge e is better; not where it makes no difference but for rounding. */
  isBetterFlipped(mesh: Triangulation, e: number): boolean {
    const p = mesh.points;
    const a = mesh.corners[e];
    const b = mesh.head(e);
    const c = mesh.apex(e);
    const d = mesh.apex(mesh.twins[e]);
    const mean = (k: number): number =>
      this.values[3 * a + k] + this.values[3 * b + k] + this.values[3 * c + k] + this.values[3 * d + k];
    const m0 = mean(0);
    const m1 = mean(1);
    const m2 = mean(2);
    const cross = (u: number, v: number, w: number): number =>
      (p[2 * v] - p[2 * u]) * (p[2 * w + 1] - p[2 * u + 1]) - (p[2 * v + 1] - p[2 * u + 1]) * (p[2 * w] - p[2 * u]);
    const dot = (u: number, v: number, w: number): number => {
      const [vx, vy] = [p[2 * v] - p[2 * u], p[2 * v + 1] - p[2 * u + 1]];
      const [wx, wy] = [p[2 * w] - p[2 * u], p[2 * w + 1] - p[2 * u + 1]];
      return m0 * vx * wx + m1 * (vx * wy + vy * wx) + m2 * vy * wy;
    };
    const span = (u: number): number =>
      computeHypot2(p[2 * a] - p[2 * u], p[2 * a + 1] - p[2 * u + 1]) *
      computeHypot2(p[2 * b] - p[2 * u], p[2 * b + 1] - p[2 * u + 1]);
    // sin(α + β) times positive factors, α at c and β at d
    const sine = cross(c, a, b) * dot(d, b, a) + dot(c, a, b) * cross(d, b, a);
    return sine < -1e-10 * (m0 + m2) * (cross(c, a, b) * span(d) + span(c) * cross(d, b, a));
  }
}
