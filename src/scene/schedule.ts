/**
 * When a run writes frames and probe rows: decided by the index of the step alone, so that a resumed run writes
 * exactly what an uninterrupted one writes. Moment k of a rate r falls on the first step n with n h ≥ k / r.
 */

/** Slack for n h and k / r that are equal but for rounding: a part of a step, and a relative one for long runs. */
const ROUNDING = 1e-9;
const RELATIVE_ROUNDING = 1e-12;

/** Number of steps of length h that reach `time`. */
export function countSteps(time: number, h: number): number {
  return Math.max(1, Math.ceil((time / h) * (1 - RELATIVE_ROUNDING) - ROUNDING));
}

/** Whether a moment of `rate` per second falls on step n of length h; the start is always one. */
export function isMoment(n: number, h: number, rate: number): boolean {
  return n === 0 || countMoments(n, h, rate) > countMoments(n - 1, h, rate);
}

const countMoments = (n: number, h: number, rate: number): number =>
  Math.floor(n * h * rate * (1 + RELATIVE_ROUNDING) + ROUNDING);
