/**
 * Balls in a body's frame that are known to be outside of it: c = distance of the body from a point. Ways that stay in one need no
 * search. A ball is true wherever its node has gone since, so nothing has to be kept in step, and results do not depend on balls.
 */
import type { FacetBody } from '../contact/index.ts';

/** Pieces that a segment is looked at in: the shorter they are, the nearer it may be to the body. */
const PIECES = 8;

export class ClearBalls {
  readonly #facets: FacetBody;
  /** Centre and radius, four numbers a ball. */
  #balls = new Float64Array(0);
  readonly #start = new Float64Array(6);
  readonly #end = new Float64Array(6);

  constructor(facets: FacetBody) {
    this.#facets = facets;
  }

  /**
   * Whether p[at … at + count) and q of the same places, `count`/3 points each, all lie in ball n; where not, it is made anew about the
   * middle of p.
   */
  holds(n: number, p: Float64Array, q: Float64Array, at: number, count: number): boolean {
    if (4 * n >= this.#balls.length) this.#grow(n + 1);
    if (this.#contains(n, p, at, count) && this.#contains(n, q, at, count)) return true;
    const balls = this.#balls;
    const o = 4 * n;
    const x = 0.5 * (p[at] + p[at + count - 3]);
    const y = 0.5 * (p[at + 1] + p[at + count - 2]);
    const z = 0.5 * (p[at + 2] + p[at + count - 1]);
    if (x === balls[o] && y === balls[o + 1] && z === balls[o + 2]) return false;
    balls[o] = x;
    balls[o + 1] = y;
    balls[o + 2] = z;
    balls[o + 3] = -this.#facets.computeDepth(x, y, z);
    return this.#contains(n, p, at, count) && this.#contains(n, q, at, count);
  }

  /** Depth of the centre of ball n: of the first point, where that is alone and `holds` has just said no [m]. */
  depthOf(n: number): number {
    return -this.#balls[4 * n + 3];
  }

  /** `holds` for a segment, two points each, in pieces that have a ball each: those of segment n. The ends come first: on hollow bodies they rest. */
  holdsPieces(n: number, p: Float64Array, q: Float64Array, at: number): boolean {
    for (let k = 0; k < PIECES; k++) {
      const piece = k & 1 ? PIECES - 1 - (k >> 1) : k >> 1;
      this.#cut(p, at, piece, this.#start);
      this.#cut(q, at, piece, this.#end);
      if (!this.holds(PIECES * n + piece, this.#start, this.#end, 0, 6)) return false;
    }
    return true;
  }

  #cut(x: Float64Array, at: number, piece: number, out: Float64Array): void {
    for (let k = 0; k < 3; k++) {
      const way = (x[at + 3 + k] - x[at + k]) / PIECES;
      out[k] = x[at + k] + piece * way;
      out[3 + k] = x[at + k] + (piece + 1) * way;
    }
  }

  #contains(n: number, p: Float64Array, at: number, count: number): boolean {
    const o = 4 * n;
    const c = this.#balls[o + 3];
    if (!(c > 0)) return false;
    for (let i = at; i < at + count; i += 3) {
      const square =
        (p[i] - this.#balls[o]) ** 2 + (p[i + 1] - this.#balls[o + 1]) ** 2 + (p[i + 2] - this.#balls[o + 2]) ** 2;
      if (!(square < c * c)) return false;
    }
    return true;
  }

  #grow(count: number): void {
    const balls = new Float64Array(8 * count).fill(Number.NaN);
    balls.set(this.#balls);
    this.#balls = balls;
  }
}
