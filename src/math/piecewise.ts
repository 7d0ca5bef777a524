/**
 * A number that changes in time: straight between given points, constant before the first and after the last.
 * Its integral is exact (a parabola between two points), so that a mean over any span of time is.
 */
export interface TimeValue {
  /** [s] */
  readonly time: number;
  readonly value: number;
}

export class PiecewiseLinear {
  readonly #time: Float64Array;
  readonly #value: Float64Array;
  /** Integral from the first point to each point. */
  readonly #sum: Float64Array;

  /** A constant, or at least one point, times increasing. */
  constructor(points: number | readonly TimeValue[]) {
    const list = typeof points === 'number' ? [{ time: 0, value: points }] : points;
    this.#time = Float64Array.from(list, ({ time }) => time);
    this.#value = Float64Array.from(list, ({ value }) => value);
    this.#sum = new Float64Array(list.length);
    for (let i = 1; i < list.length; i++)
      this.#sum[i] =
        this.#sum[i - 1] + (this.#time[i] - this.#time[i - 1]) * 0.5 * (this.#value[i] + this.#value[i - 1]);
  }

  valueAt(time: number): number {
    const i = this.#find(time);
    const last = this.#time.length - 1;
    if (i < 0) return this.#value[0];
    if (i === last) return this.#value[last];
    const t = (time - this.#time[i]) / (this.#time[i + 1] - this.#time[i]);
    return this.#value[i] + t * (this.#value[i + 1] - this.#value[i]);
  }

  /** Mean value from one time to a later one; the value there when they are the same. */
  computeMean(from: number, to: number): number {
    return to > from ? (this.#integrate(to) - this.#integrate(from)) / (to - from) : this.valueAt(to);
  }

  /** Integral from the first point to a time. */
  #integrate(time: number): number {
    const i = Math.max(0, this.#find(time));
    const start = this.#time[i];
    if (time < start) return (time - start) * this.#value[0];
    return this.#sum[i] + (time - start) * 0.5 * (this.#value[i] + this.valueAt(time));
  }

  /** The last point not after a time; −1 before the first. */
  #find(time: number): number {
    let low = -1;
    let high = this.#time.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#time[middle] <= time) low = middle;
      else high = middle;
    }
    return low;
  }
}
