/**
 * Balls in a body's frame that are known to be outside of it: c = distance of the body from a point. Ways that stay in one need no
 * search. A ball is true wherever its node has gone since, so nothing has to be kept in step, and results do not depend on balls.
 */
import type { FacetBody } from '../contact/index.ts';

export class ClearBalls {
  readonly #facets: FacetBody;
  /** Centre and radius, four numbers a ball. */
  #balls = new Float64Array(0);

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
    const o = 4 * n;
    for (let k = 0; k < 3; k++) this.#balls[o + k] = 0.5 * (p[at + k] + p[at + count - 3 + k]);
    this.#balls[o + 3] = -this.#facets.computeDepth(this.#balls[o], this.#balls[o + 1], this.#balls[o + 2]);
    return this.#contains(n, p, at, count) && this.#contains(n, q, at, count);
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
    const balls = new Float64Array(8 * count);
    balls.set(this.#balls);
    this.#balls = balls;
  }
}
