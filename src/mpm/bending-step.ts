/**
 * How long an explicit step may be where surfaces and curves bend: 1/ω, half of what is stable, as for sound.
 *
 *     ω² = largest eigenvalue of Mᵢ⁻¹ Wᵀ K W,      W  vertices move by u = Σ w q of the nodes      K  of `bending.ts`      Mᵢ  masses of nodes
 *
 * found by power iteration on the grid where everything starts, so that it is the same whenever a run is taken up again. The grid averages what is shorter than its
 * cells: by the mesh alone, steps would be 5 to 14 times shorter for edges of one and of half a cell. As vertices move through cells, ω changes less than the half
 * that is kept.
 */
import { createRandom } from '../math/index.ts';
import type { Bending } from './bending.ts';
import { addField, readField } from './field.ts';
import { BLOCK_NODES, type BlockGrid } from './grid.ts';
import type { Points } from './state.ts';
import { addToGrid, TransferWork } from './transfer.ts';

const MOST_ITERATIONS = 30;
/** What power iteration may be short of the largest eigenvalue. */
const MARGIN = 1.2;

/** The longest step that bending allows an explicit method [s]; Infinity where nothing bends. Sorts the grid. */
export const computeBendingStep = (points: Points, grid: BlockGrid, bending: Bending): number => {
  if (bending.isNone) return Number.POSITIVE_INFINITY;
  const work = new TransferWork(points);
  grid.sort(points.x, points.count);
  addToGrid(points, grid, work);
  bending.set(points.x.subarray(3 * points.stressCount));
  const size = 4 * BLOCK_NODES * grid.blockCount;
  const random = createRandom(1);
  const q = Float64Array.from({ length: size }, () => random.uniform(-1, 1));
  const f = new Float64Array(size);
  const force = new Float64Array(work.force.length);
  const motion = work.motion.subarray(3 * points.stressCount);
  let square = 0;
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    let norm = 0;
    for (let k = 0; k < size; k++) norm += grid.node[k - (k % 4)] * (k % 4 === 3 ? 0 : q[k] * q[k]);
    for (let k = 0; k < size; k++) q[k] /= Math.sqrt(norm);
    readField(points, grid, q, work.motion, work.gradient, work);
    force.fill(0);
    bending.addForceChange(motion, force);
    f.fill(0);
    addField(points, grid, work.stress, force, f, work);
    square = 0;
    for (let k = 0; k < size; k++) {
      const m = k % 4 === 3 ? 0 : grid.node[k - (k % 4)];
      if (m > 0) square -= f[k] * q[k];
      q[k] = m > 0 ? -f[k] / m : 0;
    }
    if (!(square > 0)) return Number.POSITIVE_INFINITY;
  }
  return 1 / Math.sqrt(MARGIN * square);
};
