/**
 * r-adaptivity: where material points are to be [Wen 2020, Eqs. 12–14, §3.2].
 *
 *     θ_i = θ_min + (θ_max − θ_min) (β_i/π)²,   β = κ ℓ        (13)   κ  curvature at the node [1/m]   ℓ  mean spacing at the start [m]
 *     R(u) = Σ_segments (θ_i + θ_{i+1}) Δu³/24                 (14)
 *
 * As in [theory/rod#moving-material-points]: the paper's β is a turning angle, which falls as nodes gather; κ ℓ does not. Its mirrored boundary counts end segments
 * 3/2 times; the sum above is uniform where θ is. θ is held while R is minimised, so the minimiser has θ Δu² = const, not θ Δu³.
 *
 * In the paper R is minimised over the motions that leave the dynamics alone (16): along δx = F δu nothing else decides. So u̇ of a node
 * that nothing holds on an edge is given before the step, towards the minimiser:  u̇ = (1 − exp(−rate h)) (u* − u)/h, and the dynamics is
 * solved for x with v = ẋ − F u̇: no penalty, and no degenerate direction is left.
 * Nodes between go along with those that slide over edges. Ends, kept nodes and sliding ones stay; R is minimised between them.
 * θ is smoothed twice along the rod, so that spacing does not jump from one segment to the next.
 */
import { computeExp } from '../math/index.ts';
import type { RefinementOptions, SlidingOptions } from './options.ts';
import type { RodState } from './state.ts';

/** Newton iterations for the minimiser, and when it is found, relative to the mean spacing. */
const ITERATIONS = 20;
const FOUND = 1e-6;
/** Share of its shorter segment that a node passes in a step, at most. */
const FASTEST = 0.1;
const PASSES = 2;

export class MeshMotion {
  readonly #rate: number;
  readonly #contrast: number;
  /** Largest θ over the least. */
  readonly #range: number;
  #theta = new Float64Array(0);
  #u = new Float64Array(0);
  #a = new Float64Array(0);
  #c = new Float64Array(0);
  #d = new Float64Array(0);

  /**
   * Where nodes come and go as well, θ is bounded by a multiple of its least value, so that spacing does not differ by more than what
   * splits and collapses allow: else nodes would gather until they are collapsed, and leave gaps that are split, for ever.
   */
  constructor({ rate, contrast }: SlidingOptions, refinement?: RefinementOptions) {
    this.#rate = rate;
    this.#contrast = contrast;
    this.#range = refinement ? Math.max(1, (refinement.longest / (3 * refinement.shortest)) ** 2) : Infinity;
  }

  /** Writes u̇ of every node to v for a step of length h. */
  aim(state: RodState, h: number): void {
    const { chain, sliding } = state;
    const { q, v, kept, count } = chain;
    this.#reserve(state.capacity);
    this.#writeDensity(state);
    const u = this.#u;
    for (let i = 0; i < count; i++) u[i] = q[4 * i + 3];
    for (let first = 0; first < count - 1; ) {
      let last = first + 1;
      while (last < count - 1 && !kept[last] && !sliding[last]) last++;
      this.#minimise(first, last, state.spacing);
      this.#writeSpeeds(state, first, last, h);
      first = last;
    }
    for (let i = 0; i < count; i += Math.max(1, count - 1)) v[4 * i + 3] = 0;
    for (let i = 1; i < count - 1; i++) if (kept[i] && !sliding[i]) v[4 * i + 3] = 0;
  }

  /** u̇ between two nodes that stay or slide: along with those, and towards the minimiser. */
  #writeSpeeds(state: RodState, first: number, last: number, h: number): void {
    const { q, v } = state.chain;
    const u = this.#u;
    const share = 1 - computeExp(-this.#rate * h);
    const from = state.sliding[first] ? v[4 * first + 3] : 0;
    const to = state.sliding[last] ? v[4 * last + 3] : 0;
    const [start, end] = [q[4 * first + 3], q[4 * last + 3]];
    for (let i = first + 1; i < last; i++) {
      const at = q[4 * i + 3];
      const room = FASTEST * Math.min(q[4 * i + 7] - at, at - q[4 * i - 1]);
      const along = from + ((to - from) * (at - start)) / (end - start);
      v[4 * i + 3] = along + Math.max(-room, Math.min(room, share * (u[i] - at))) / h;
    }
  }

  /** θ of the nodes: of the curve that the frames make, twist left out. */
  #writeDensity(state: RodState): void {
    const { chain, spacing } = state;
    const { count } = chain;
    const theta = this.#theta;
    const contrast = this.#contrast;
    for (let i = 1; i < count - 1; i++) {
      const beta = Math.min(1, (computeCurvature(state, i) * spacing) / Math.PI);
      theta[i] = 1 + (contrast - 1) * beta * beta;
    }
    theta[0] = theta[1];
    theta[count - 1] = theta[count - 2];
    if (this.#range < Infinity) {
      let least = Infinity;
      for (let i = 0; i < count; i++) least = Math.min(least, theta[i]);
      for (let i = 0; i < count; i++) theta[i] = Math.min(theta[i], this.#range * least);
    }
    for (let pass = 0; pass < PASSES; pass++) {
      let before = theta[0];
      for (let i = 1; i < count - 1; i++) {
        const own = theta[i];
        theta[i] = 0.25 * (before + 2 * own + theta[i + 1]);
        before = own;
      }
    }
  }

  /** Newton's method for R(u) between two nodes that stay; the system is tridiagonal. */
  #minimise(first: number, last: number, spacing: number): void {
    const u = this.#u;
    const theta = this.#theta;
    const n = last - first - 1;
    if (n < 1) return;
    const [diagonal, upper, right] = [this.#a, this.#c, this.#d];
    for (let iteration = 0; iteration < ITERATIONS; iteration++) {
      for (let k = 0; k < n; k++) {
        const i = first + 1 + k;
        const before = (theta[i - 1] + theta[i]) * (u[i] - u[i - 1]);
        const after = (theta[i] + theta[i + 1]) * (u[i + 1] - u[i]);
        // ∂R/∂u and ∂²R/∂u², both times 8
        right[k] = after * (u[i + 1] - u[i]) - before * (u[i] - u[i - 1]);
        diagonal[k] = 2 * (before + after);
        upper[k] = -2 * after;
      }
      for (let k = 1; k < n; k++) {
        const factor = upper[k - 1] / diagonal[k - 1];
        diagonal[k] -= factor * upper[k - 1];
        right[k] -= factor * right[k - 1];
      }
      right[n - 1] /= diagonal[n - 1];
      for (let k = n - 2; k >= 0; k--) right[k] = (right[k] - upper[k] * right[k + 1]) / diagonal[k];
      if (this.#take(first, last) < FOUND * spacing) return;
    }
  }

  /** Goes the Newton step, as far as no segment loses more than half of its length; returns the largest change. */
  #take(first: number, last: number): number {
    const u = this.#u;
    const step = this.#d;
    let share = 1;
    for (let i = first; i < last; i++) {
      const change = (i + 1 < last ? step[i - first] : 0) - (i > first ? step[i - first - 1] : 0);
      if (change < 0) share = Math.min(share, (-0.5 * (u[i + 1] - u[i])) / change);
    }
    let largest = 0;
    for (let i = first + 1; i < last; i++) {
      u[i] += share * step[i - first - 1];
      largest = Math.max(largest, Math.abs(step[i - first - 1]));
    }
    return largest;
  }

  #reserve(capacity: number): void {
    if (this.#theta.length >= capacity) return;
    this.#theta = new Float64Array(capacity);
    this.#u = new Float64Array(capacity);
    this.#a = new Float64Array(capacity);
    this.#c = new Float64Array(capacity);
    this.#d = new Float64Array(capacity);
  }
}

/** Curvature at inner node i from the directions of its segments [1/m]. */
export function computeCurvature({ chain: { q } }: RodState, i: number): number {
  const b = 4 * i;
  const a = b - 4;
  const c = b + 4;
  const ex = q[b] - q[a];
  const ey = q[b + 1] - q[a + 1];
  const ez = q[b + 2] - q[a + 2];
  const fx = q[c] - q[b];
  const fy = q[c + 1] - q[b + 1];
  const fz = q[c + 2] - q[b + 2];
  const norm = Math.sqrt((ex * ex + ey * ey + ez * ez) * (fx * fx + fy * fy + fz * fz));
  const cosine = Math.max(-1, Math.min(1, (ex * fx + ey * fy + ez * fz) / norm));
  // 2 tan(θ/2) instead of θ: no inverse function, and as good to second order
  const turn = 2 * Math.sqrt((1 - cosine) / Math.max(1e-12, 1 + cosine));
  return (2 * turn) / (q[c + 3] - q[a + 3]);
}
