/**
 * The problem of qp-dense.ts by steps none of which raises the value, so that none can cycle: for few rows in many, where all at once does.
 *
 *   δ of the free rows: (S_FF + τ diag) δ = b − S λ
 *   λ + δ, cut off at the bounds, if the value falls (projected Newton [Bertsekas 1982]);
 *   else λ + t δ as far as the first bound, whose row stays there (primal active set)
 *   where no bound is met: all wrong rows at bounds become free; where none is and s = 0 in the free ones, λ is the solution
 *
 * A step that has just set rows free may be stopped at once by one of them, which then is bound again; of a single one δ never points outwards.
 */
import type { DenseBox } from './dense-box.ts';
import type { FreeFactor } from './dense-free-factor.ts';
import { AT_LOWER, AT_UPPER, HELD } from './qp-problem.ts';

/** Steps without a bound or a wrong row, to bring s to zero in rows that nearly depend on each other. */
const MOST_POLISHING = 8;

export class BoxDescent {
  steps = 0;
  readonly #box: DenseBox;
  readonly #factor: FreeFactor;
  #step = new Float64Array(0);
  #change = new Float64Array(0);

  constructor(box: DenseBox, factor: FreeFactor) {
    this.#box = box;
    this.#factor = factor;
  }

  /** From a λ within its bounds and the states that it has; false where it takes too long. */
  run(multipliers: Float64Array, states: Int8Array): boolean {
    const box = this.#box;
    const { n } = box;
    if (this.#step.length < n) {
      this.#step = new Float64Array(2 * n);
      this.#change = new Float64Array(2 * n);
    }
    let isLeast = false;
    let polishing = 0;
    for (let count = 0; count < 200 + 4 * n; count++) {
      if (!box.writeProduct(multipliers)) return false;
      if (isLeast) {
        if (box.findWrong(multipliers, states) > 0) {
          for (let i = 0; i < n; i++) if (states[i] !== HELD) states[i] = box.next[i];
        } else if (box.isSettled(states) || polishing++ === MOST_POLISHING) return true;
      }
      isLeast = this.#advance(multipliers, states);
    }
    return false;
  }

  /** One step; true where no bound was in its way. */
  #advance(multipliers: Float64Array, states: Int8Array): boolean {
    const box = this.#box;
    const x = this.#step;
    this.steps++;
    this.#factor.setFree(states);
    for (let i = 0; i < box.n; i++) x[i] = box.b[i] - box.product[i];
    this.#factor.solve(x);
    let first = -1;
    let length = 1;
    for (let i = 0; i < box.n; i++) {
      if (states[i] !== HELD) {
        x[i] = 0;
        continue;
      }
      const room = x[i] < 0 ? box.lower[i] - multipliers[i] : box.upper[i] - multipliers[i];
      if (Math.abs(x[i]) * length <= Math.abs(room)) continue;
      length = room / x[i];
      first = i;
    }
    if (first < 0) {
      for (let i = 0; i < box.n; i++) multipliers[i] += x[i];
      return true;
    }
    if (this.#falls(multipliers)) {
      for (let i = 0; i < box.n; i++) this.#move(i, multipliers, states, box.clamp(i, multipliers[i] + x[i]));
    } else {
      for (let i = 0; i < box.n; i++) if (i !== first) multipliers[i] = box.clamp(i, multipliers[i] + length * x[i]);
      this.#move(first, multipliers, states, x[first] < 0 ? box.lower[first] : box.upper[first]);
    }
    return false;
  }

  #move(i: number, multipliers: Float64Array, states: Int8Array, value: number): void {
    multipliers[i] = value;
    if (states[i] !== HELD || this.#step[i] === 0) return;
    if (this.#step[i] < 0 && value === this.#box.lower[i]) states[i] = AT_LOWER;
    if (this.#step[i] > 0 && value === this.#box.upper[i]) states[i] = AT_UPPER;
  }

  /** Whether the value falls where the step is cut off at the bounds: dᵀ(S λ − b) + ½ dᵀS d < 0, by a thousandth of its slope. */
  #falls(multipliers: Float64Array): boolean {
    const { n, matrix, product, b } = this.#box;
    const d = this.#change;
    let slope = 0;
    let curvature = 0;
    for (let i = 0; i < n; i++) {
      d[i] = this.#box.clamp(i, multipliers[i] + this.#step[i]) - multipliers[i];
      slope += d[i] * (product[i] - b[i]);
    }
    if (!(slope < 0)) return false;
    for (let i = 0; i < n; i++) {
      if (d[i] === 0) continue;
      let sum = 0;
      for (let k = 0, at = i * n; k < n; k++, at++) sum += matrix[at] * d[k];
      curvature += sum * d[i];
    }
    return slope + 0.5 * curvature < 1e-3 * slope;
  }
}
