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
      // Σ w q, and Σ q ∇wᵀ in units of 1/Δx
      let ux = 0;
      let uy = 0;
      let uz = 0;
      let g0 = 0;
      let g1 = 0;
      let g2 = 0;
      let g3 = 0;
      let g4 = 0;
      let g5 = 0;
      let g6 = 0;
      let g7 = 0;
      let g8 = 0;
      for (let i = 0; i < width; i++)
        for (let j = 0; j < width; j++) {
          const row = REACH_SIDE * (REACH_SIDE * (base[0] + i) + base[1] + j) + base[2];
          let sx = 0;
          let sy = 0;
          let sz = 0;
          let gx = 0;
          let gy = 0;
          let gz = 0;
          for (let k = 0; k < width; k++) {
            const at = reach[row + k];
            const wz = weights[2 * SPLINE_ROOM + k];
            const slope = slopes[2 * SPLINE_ROOM + k];
            sx += wz * field[at];
            sy += wz * field[at + 1];
            sz += wz * field[at + 2];
            gx += slope * field[at];
            gy += slope * field[at + 1];
            gz += slope * field[at + 2];
          }
          const w = weights[i] * weights[SPLINE_ROOM + j];
          if (!hasStress) {
            ux += w * sx;
            uy += w * sy;
            uz += w * sz;
            continue;
          }
          const hx = slopes[i] * weights[SPLINE_ROOM + j];
          const hy = weights[i] * slopes[SPLINE_ROOM + j];
          g0 += hx * sx;
          g1 += hy * sx;
          g2 += w * gx;
          g3 += hx * sy;
          g4 += hy * sy;
          g5 += w * gy;
          g6 += hx * sz;
          g7 += hy * sz;
          g8 += w * gz;
        }
      if (!hasStress) {
        motion[3 * p] = ux;
        motion[3 * p + 1] = uy;
        motion[3 * p + 2] = uz;
        continue;
      }
      const c = 9 * p;
      gradient[c] = g0 * inverse;
      gradient[c + 1] = g1 * inverse;
      gradient[c + 2] = g2 * inverse;
      gradient[c + 3] = g3 * inverse;
      gradient[c + 4] = g4 * inverse;
      gradient[c + 5] = g5 * inverse;
      gradient[c + 6] = g6 * inverse;
      gradient[c + 7] = g7 * inverse;
      gradient[c + 8] = g8 * inverse;
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
          // along z: w b + w′ d
          const w = weights[i] * weights[SPLINE_ROOM + j];
          let bx = 0;
          let by = 0;
          let bz = 0;
          let dx = 0;
          let dy = 0;
          let dz = 0;
          if (hasStress) {
            const gx = slopes[i] * weights[SPLINE_ROOM + j] * inverse;
            const gy = weights[i] * slopes[SPLINE_ROOM + j] * inverse;
            const gz = w * inverse;
            bx = stress[s] * gx + stress[s + 1] * gy;
            by = stress[s + 3] * gx + stress[s + 4] * gy;
            bz = stress[s + 6] * gx + stress[s + 7] * gy;
            dx = stress[s + 2] * gz;
            dy = stress[s + 5] * gz;
            dz = stress[s + 8] * gz;
          } else {
            bx = w * force[f];
            by = w * force[f + 1];
            bz = w * force[f + 2];
          }
          for (let k = 0; k < width; k++) {
            const at = reach[row + k];
            const wz = weights[2 * SPLINE_ROOM + k];
            const slope = slopes[2 * SPLINE_ROOM + k];
            field[at] += bx * wz + dx * slope;
            field[at + 1] += by * wz + dy * slope;
            field[at + 2] += bz * wz + dz * slope;
          }
        }
    }
  }
};
