/**
 * A ball rolled along a segment of the y axis, asked about points and segments: a capsule, a sphere where the segment has no
 * length, and where it has no end the mantle of a cylinder, which goes from −top to top and stands inside the edges of the
 * rims there (`facet-build.ts`). It has no faces and edges; each point outside has a plane of its own between itself and the body,
 *     n · x = n · foot + R        n  unit vector from the foot of the point on the axis to the point,  R  radius [m]
 *
 * Straight segments between points that lie on the surface cut into it. With both ends of a segment of length l no nearer
 * to the axis than √(R² + t²), t = l/2, it stays outside: along a line the square of the distance to the axis has a
 * second derivative of at most 2, so in the middle it is at least R² + t² − (l/2)². For ends at different distances t₁ + t₂ ≥ l.
 */
import type { FacetSolid } from './facet-convex.ts';

/** Halvings of the interval in which a path is nearest to the axis, or comes in. */
const HALVINGS = 60;

export class RoundSolid implements FacetSolid {
  /** R [m]. */
  readonly radius: number;
  /** Half the length of the segment of the axis [m]; Infinity for a mantle. */
  readonly half: number;
  /** Where a mantle ends [m]. */
  readonly top: number;

  constructor(radius: number, half: number, top = Number.POSITIVE_INFINITY) {
    this.radius = radius;
    this.half = half;
    this.top = top;
  }

  /** Whether it is a cylinder's: straight along its axis, with two ends that are faces. */
  get isMantle(): boolean {
    return this.top < Number.POSITIVE_INFINITY;
  }

  /** From the axis to a point [m]. */
  computeDistance(x: number, y: number, z: number): number {
    const over = Math.max(0, Math.abs(y) - this.half);
    return Math.sqrt(x * x + over * over + z * z);
  }

  /** Distance of its ends from the axis at which a segment of half length t just touches [m]. */
  computeStandOff(t: number): number {
    return Math.sqrt(this.radius * this.radius + t * t);
  }

  /** What a point at the distance d is kept at when it should be at `reach`: it moves out by `share` of what it lacks, and is no further in than R. */
  easeOut(d: number, reach: number, share: number): number {
    return d >= reach ? reach : Math.max(this.radius, d + share * (reach - d));
  }

  computeDepth(x: number, y: number, z: number): number {
    return this.radius - this.computeDistance(x, y, z);
  }

  computeSegmentDepth(a: Float64Array, atA: number, b: Float64Array, atB: number): number {
    return this.radius - this.#distanceAt(a, atA, b, atB, this.findNearest(a, atA, b, atB));
  }

  findFace(): number {
    return -1;
  }

  isOverFace(): boolean {
    return false;
  }

  /** out[o…] := n and n · foot + reach: the plane across which a point is kept at the distance `reach` from the axis. */
  writePlane(p: Float64Array, at: number, reach: number, out: Float64Array, o: number): void {
    const foot = Math.min(this.half, Math.max(-this.half, p[at + 1]));
    const distance = this.computeDistance(p[at], p[at + 1], p[at + 2]);
    // a point on the axis itself has no direction away from it; any will do
    out[o] = distance > 0 ? p[at] / distance : 1;
    out[o + 1] = distance > 0 ? (p[at + 1] - foot) / distance : 0;
    out[o + 2] = distance > 0 ? p[at + 2] / distance : 0;
    out[o + 3] = out[o + 1] * foot + reach;
  }

  /**
   * Where a point that moves straight from p0 to p1 first comes nearer to the axis than `reach`, in [0, 1]; −1 where it does
   * not by more than `tolerance` [m].
   */
  findEntry(p0: Float64Array, at0: number, p1: Float64Array, at1: number, reach: number, tolerance: number): number {
    const [d0, d1] = [this.#distanceAt(p0, at0, p1, at1, 0), this.#distanceAt(p0, at0, p1, at1, 1)];
    const way = Math.sqrt(
      (p1[at1] - p0[at0]) ** 2 + (p1[at1 + 1] - p0[at0 + 1]) ** 2 + (p1[at1 + 2] - p0[at0 + 2]) ** 2,
    );
    const near = reach - tolerance;
    if ((d0 + d1 - way) / 2 >= near) return -1;
    const nearest = this.findNearest(p0, at0, p1, at1);
    if (this.#distanceAt(p0, at0, p1, at1, nearest) >= near) return -1;
    // one that starts too near may leave
    if (d0 <= reach) return d1 < near ? 0 : -1;
    let [low, high] = [0, nearest];
    for (let n = 0; n < HALVINGS; n++) {
      const middle = (low + high) / 2;
      if (this.#distanceAt(p0, at0, p1, at1, middle) > reach) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Distance to the axis at s between a and b. */
  #distanceAt(a: Float64Array, atA: number, b: Float64Array, atB: number, s: number): number {
    return this.computeDistance(
      a[atA] + s * (b[atB] - a[atA]),
      a[atA + 1] + s * (b[atB + 1] - a[atA + 1]),
      a[atA + 2] + s * (b[atB + 2] - a[atA + 2]),
    );
  }

  /** Where between a and b, in [0, 1], the distance, a convex function, is least: its slope changes sign there. */
  findNearest(a: Float64Array, atA: number, b: Float64Array, atB: number): number {
    const [dx, dy, dz] = [b[atB] - a[atA], b[atB + 1] - a[atA + 1], b[atB + 2] - a[atA + 2]];
    let [low, high] = [0, 1];
    for (let n = 0; n < HALVINGS; n++) {
      const s = (low + high) / 2;
      const y = a[atA + 1] + s * dy;
      const over = y - Math.min(this.half, Math.max(-this.half, y));
      if ((a[atA] + s * dx) * dx + over * dy + (a[atA + 2] + s * dz) * dz < 0) low = s;
      else high = s;
    }
    return (low + high) / 2;
  }
}
