/**
 * Timing on a machine that also does other things: lanes (things to compare) take turns, so that a slow spell hits all
 * of them, and the median of a lane's turns counts.
 */

/**
 * @typedef {object} Lane
 * @property {() => void} run one repetition of what is timed
 * @property {() => void} [prepare] comes before each repetition, not timed
 */

/**
 * Runs every lane `repetitions` times in blocks of `block` after `warmUp` repetitions each; returns the median
 * milliseconds of one repetition, lane by lane, by a clock.
 * @param {readonly Lane[]} lanes
 * @param {{ warmUp: number, repetitions: number, block: number }} plan
 * @param {() => number} now
 * @returns {number[]}
 */
export function timeLanes(lanes, { warmUp, repetitions, block }, now = () => performance.now()) {
  for (const { prepare, run } of lanes) {
    for (let k = 0; k < warmUp; k++) {
      prepare?.();
      run();
    }
  }
  const times = lanes.map(() => new Float64Array(repetitions));
  for (let start = 0; start < repetitions; start += block) {
    lanes.forEach(({ prepare, run }, lane) => {
      for (let k = start; k < Math.min(repetitions, start + block); k++) {
        prepare?.();
        const begin = now();
        run();
        times[lane][k] = now() - begin;
      }
    });
  }
  return times.map(computeMedian);
}

/** @param {Float64Array} values */
function computeMedian(values) {
  const sorted = values.slice().sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
