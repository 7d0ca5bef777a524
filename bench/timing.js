/**
 * Timing on a machine that also does other things: lanes (things to compare) take turns, so that a slow spell hits all
 * of them, and the median of a lane's turns counts.
 */
import { BlockBanded } from 'heddle/sparse';

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
export function computeMedian(values) {
  const sorted = values.slice().sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** p of the least-squares line log y = p log x + c through points [x, y]; NaN with fewer than two. */
export function fitExponent(points) {
  const logs = points.map((point) => point.map(Math.log));
  const mean = (k) => logs.reduce((sum, point) => sum + point[k], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const [above, below] = logs.reduce(([a, b], [p, q]) => [a + (p - x) * (q - y), b + (p - x) ** 2], [0, 0]);
  return above / below;
}

/** A lane that factors and solves a block-tridiagonal, positive definite matrix of the shape of a curve's: `size` nodes with blocks of n × n. */
export function createChainReference(size, n) {
  const matrix = new BlockBanded(size, n, 1);
  const rhs = new Float64Array(n * size);
  const [diagonal, beside] = matrix.bands;
  return {
    prepare() {
      diagonal.fill(0.1);
      beside.fill(0);
      for (let i = 0; i < n * n * size; i += n * n)
        for (let k = 0; k < n * n; k += n + 1) {
          diagonal[i + k] = 3;
          beside[i + k] = -1;
        }
      rhs.fill(1);
    },
    run() {
      if (!matrix.factor().ok) throw new Error('the reference matrix is not positive definite');
      matrix.solve(rhs);
    },
  };
}
