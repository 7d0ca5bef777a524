/**
 * Vectors on the grid and what particles see of them, for implicit steps: the two halves of `transfer.ts` that forces need, each the transpose of the other.
 *     read   u = Σ w qᵢ at vertices, ∇q = Σ qᵢ (∇w)ᵀ at particles that carry stress
 *     add    qᵢ += Σ w f + S ∇w
 * Fields have four numbers a node, of which the last is not used.
 */
import type { BlockGrid } from './grid.ts';
import { REACH_SIDE } from './grid.ts';
import { SPLINE_ROOM } from './spline.ts';
import type { Points } from './state.ts';
import { type TransferWork, writeWeights } from './transfer.ts';

/** motion := u of vertices (3 a particle), gradient := ∇q of particles that carry stress. */
export const readField = (
  points: Points,
  grid: BlockGrid,
  field: Float64Array,
  motion: Float64Array,
  gradient: Float64Array,
  work: TransferWork,
): void => {
  const { weights, slopes, base } = work;
  const { order, start, reach } = grid;
  const inverse = 1 / grid.spacing;
  const width = grid.degree + 1;
  for (let home = 0; home < grid.homeCount; home++) {
    grid.writeReach(home);
    for (let n = start[home]; n < start[home + 1]; n++) {
      const p = order[n];
      writeWeights(grid, home, points.x, p, work);
      const hasStress = p < points.stressCount;
      const out = hasStress ? gradient : motion;
      const first = hasStress ? 9 * p : 3 * p;
      out.fill(0, first, first + (hasStress ? 9 : 3));
      for (let i = 0; i < width; i++)
        for (let j = 0; j < width; j++) {
          const row = REACH_SIDE * (REACH_SIDE * (base[0] + i) + base[1] + j) + base[2];
          const wxy = weights[i] * weights[SPLINE_ROOM + j];
          const sx = slopes[i] * weights[SPLINE_ROOM + j] * inverse;
          const sy = weights[i] * slopes[SPLINE_ROOM + j] * inverse;
          for (let k = 0; k < width; k++) {
            const at = reach[row + k];
            const wz = weights[2 * SPLINE_ROOM + k];
            const gz = wxy * slopes[2 * SPLINE_ROOM + k] * inverse;
            for (let axis = 0; axis < 3; axis++) {
              const q = field[at + axis];
              if (hasStress) {
                out[first + 3 * axis] += q * sx * wz;
                out[first + 3 * axis + 1] += q * sy * wz;
                out[first + 3 * axis + 2] += q * gz;
              } else out[first + axis] += q * wxy * wz;
            }
          }
        }
    }
  }
};

/** field += forces of `stress` (nine numbers a particle that carries stress) and `force` (3 a vertex, from the first vertex on). */
export const addField = (
  points: Points,
  grid: BlockGrid,
  stress: Float64Array,
  force: Float64Array,
  field: Float64Array,
  work: TransferWork,
): void => {
  const { weights, slopes, base } = work;
  const { order, start, reach } = grid;
  const inverse = 1 / grid.spacing;
  const width = grid.degree + 1;
  for (let home = 0; home < grid.homeCount; home++) {
    grid.writeReach(home);
    for (let n = start[home]; n < start[home + 1]; n++) {
      const p = order[n];
      writeWeights(grid, home, points.x, p, work);
      const hasStress = p < points.stressCount;
      const s = 9 * p;
      const f = 3 * (p - points.stressCount);
      for (let i = 0; i < width; i++)
        for (let j = 0; j < width; j++) {
          const row = REACH_SIDE * (REACH_SIDE * (base[0] + i) + base[1] + j) + base[2];
          const wxy = weights[i] * weights[SPLINE_ROOM + j];
          const sx = slopes[i] * weights[SPLINE_ROOM + j] * inverse;
          const sy = weights[i] * slopes[SPLINE_ROOM + j] * inverse;
          for (let k = 0; k < width; k++) {
            const at = reach[row + k];
            const wz = weights[2 * SPLINE_ROOM + k];
            const gx = sx * wz;
            const gy = sy * wz;
            const gz = wxy * slopes[2 * SPLINE_ROOM + k] * inverse;
            for (let axis = 0; axis < 3; axis++)
              field[at + axis] += hasStress
                ? stress[s + 3 * axis] * gx + stress[s + 3 * axis + 1] * gy + stress[s + 3 * axis + 2] * gz
                : wxy * wz * force[f + axis];
          }
        }
    }
  }
};
