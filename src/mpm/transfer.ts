/**
 * Particles ↔ grid.   [Jiang 2017, §4.2, §4.4; Jiang 2015; Jiang 2017b; memory: Fei 2021]
 *
 *   to the grid       mᵢ = Σ w m      mᵢ vᵢ = Σ w m (v + C r)      fᵢ = Σ w f + S ∇w       r = xᵢ − x
 *   to the particles  u = Σ w v̂ᵢ      C̃ = (6 − b)/Δx² Σ w v̂ᵢ rᵀ      ∇v = Σ v̂ᵢ (∇w)ᵀ
 *                     C = C̃_skew + (1 − ν) C̃_sym   (Eq. 2)
 *
 *   S  −V τ, the stress of bulk particles, or its columns across an element [J];  f  force on a vertex [N];  v̂  grid velocity after the step
 *   w  spline, b its degree;  1 − ν = exp(−h/τ), τ the damping time of the material
 *
 * Memory. APIC acts as a viscosity of some 0.005 Δx²/h, so that stacked sheets stick. A particle may remember what the grid does not show of its velocity,
 *     eᵢ = v + C r − vᵢ,      v ← u + Σ w aᵢ eᵢ,      aᵢ = Σ w m a/mᵢ,  a = exp(−h/memory) of the material
 * and moves with u all the same. Since Σₚ w m eᵢ = 0 at every node, momentum is kept, with materials of different memory, too. What that does to angular momentum,
 *     Σᵢ w aᵢ (r × eᵢ)  and  h Σᵢ w aᵢ (u − v̂ᵢ) × eᵢ,
 * is added to and taken from the particle's spin, so that it is exact as well. Neither is in the paper or in ASFLIP.
 */
import type { BlockGrid } from './grid.ts';
import { REACH_SIDE } from './grid.ts';
import { computeSplineSpread, findSplineBase, SPLINE_ROOM, writeSpline } from './spline.ts';
import type { Points } from './state.ts';

/** What transfers work in and leave behind. */
export class TransferWork {
  readonly weights = new Float64Array(3 * SPLINE_ROOM);
  readonly slopes = new Float64Array(3 * SPLINE_ROOM);
  /** Local coordinates of the first node of a particle in its reach. */
  readonly base = new Int32Array(3);
  /** S, nine numbers a particle that carries stress [J]. */
  readonly stress: Float64Array;
  /** Force on vertices, 3 each [N]. */
  readonly force: Float64Array;
  /** u: velocity that a particle moves with, 3 each [m/s]. */
  readonly motion: Float64Array;
  /** ∇v of particles that carry stress, nine numbers [1/s]. */
  readonly gradient: Float64Array;
  /** What each group keeps of its memory, and of the symmetric part of C, in this step. */
  readonly memory: Float64Array;
  readonly symmetric: Float64Array;

  constructor(points: Points) {
    this.stress = new Float64Array(9 * points.stressCount);
    this.force = new Float64Array(3 * (points.count - points.stressCount));
    this.motion = new Float64Array(3 * points.count);
    this.gradient = new Float64Array(9 * points.stressCount);
    this.memory = new Float64Array(points.groups.length);
    this.symmetric = new Float64Array(points.groups.length);
  }
}

/** Weights of a particle of a home into the work. */
export const writeWeights = (grid: BlockGrid, home: number, x: Float64Array, p: number, work: TransferWork): void => {
  const { weights, slopes, base } = work;
  const scale = 1 / grid.spacing;
  for (let axis = 0; axis < 3; axis++) {
    const X = x[3 * p + axis] * scale;
    const first = findSplineBase(grid.degree, X);
    base[axis] = first - 4 * grid.block[3 * home + axis];
    writeSpline(grid.degree, X, first, weights, slopes, SPLINE_ROOM * axis);
  }
};

/** Mass, momentum, force and memory of all particles onto the sorted grid. */
export const addToGrid = (points: Points, grid: BlockGrid, work: TransferWork): void => {
  const { x, v, C, mass, group, stressCount } = points;
  const { weights, slopes, base, stress, force, memory } = work;
  const { order, start, reach, node, force: gridForce, spacing } = grid;
  const inverse = 1 / spacing;
  const width = grid.degree + 1;
  for (let home = 0; home < grid.homeCount; home++) {
    grid.writeReach(home);
    for (let n = start[home]; n < start[home + 1]; n++) {
      const p = order[n];
      writeWeights(grid, home, x, p, work);
      const m = mass[p];
      const kept = m * memory[group[p]];
      const hasStress = p < stressCount;
      const s = 9 * p;
      const f = 3 * (p - stressCount);
      // r of the first node
      const block = grid.block;
      const r0 = (4 * block[3 * home] + base[0]) * spacing - x[3 * p];
      const r1 = (4 * block[3 * home + 1] + base[1]) * spacing - x[3 * p + 1];
      const r2 = (4 * block[3 * home + 2] + base[2]) * spacing - x[3 * p + 2];
      const cx = C[s + 2] * spacing;
      const cy = C[s + 5] * spacing;
      const cz = C[s + 8] * spacing;
      for (let i = 0; i < width; i++) {
        const rx = r0 + i * spacing;
        for (let j = 0; j < width; j++) {
          const ry = r1 + j * spacing;
          const wxy = weights[i] * weights[SPLINE_ROOM + j];
          const row = REACH_SIDE * (REACH_SIDE * (base[0] + i) + base[1] + j) + base[2];
          // along z: momentum a + k da for every unit of weight, force w b + w′ db
          const wm = wxy * m;
          const wk = wxy * kept;
          let ax = v[3 * p] + C[s] * rx + C[s + 1] * ry + C[s + 2] * r2;
          let ay = v[3 * p + 1] + C[s + 3] * rx + C[s + 4] * ry + C[s + 5] * r2;
          let az = v[3 * p + 2] + C[s + 6] * rx + C[s + 7] * ry + C[s + 8] * r2;
          let bx = 0;
          let by = 0;
          let bz = 0;
          let dx = 0;
          let dy = 0;
          let dz = 0;
          if (hasStress) {
            const gx = slopes[i] * weights[SPLINE_ROOM + j] * inverse;
            const gy = weights[i] * slopes[SPLINE_ROOM + j] * inverse;
            const g = wxy * inverse;
            bx = stress[s] * gx + stress[s + 1] * gy;
            by = stress[s + 3] * gx + stress[s + 4] * gy;
            bz = stress[s + 6] * gx + stress[s + 7] * gy;
            dx = stress[s + 2] * g;
            dy = stress[s + 5] * g;
            dz = stress[s + 8] * g;
          } else {
            bx = wxy * force[f];
            by = wxy * force[f + 1];
            bz = wxy * force[f + 2];
          }
          for (let k = 0; k < width; k++) {
            const wz = weights[2 * SPLINE_ROOM + k];
            const slope = slopes[2 * SPLINE_ROOM + k];
            const at = reach[row + k];
            const w = wm * wz;
            node[at] += w;
            node[at + 1] += w * ax;
            node[at + 2] += w * ay;
            node[at + 3] += w * az;
            gridForce[at] += bx * wz + dx * slope;
            gridForce[at + 1] += by * wz + dy * slope;
            gridForce[at + 2] += bz * wz + dz * slope;
            gridForce[at + 3] += wk * wz;
            ax += cx;
            ay += cy;
            az += cz;
          }
        }
      }
    }
  }
};

/** Velocities of all particles from the grid; `motion` and `gradient` of the work. Places do not change. */
export const readFromGrid = (points: Points, grid: BlockGrid, work: TransferWork, h: number): void => {
  const { x, v, C, group, stressCount } = points;
  const { weights, slopes, base, motion, gradient, symmetric, memory } = work;
  const { order, start, reach, node, force: gridForce, moved, spacing } = grid;
  const inverse = 1 / spacing;
  const width = grid.degree + 1;
  /** 1/Σ w r² */
  const sharpness = 1 / (computeSplineSpread(grid.degree) * spacing * spacing);
  let isRemembered = false;
  for (let g = 0; g < memory.length; g++) if (memory[g] > 0) isRemembered = true;
  for (let home = 0; home < grid.homeCount; home++) {
    grid.writeReach(home);
    for (let n = start[home]; n < start[home + 1]; n++) {
      const p = order[n];
      writeWeights(grid, home, x, p, work);
      const block = grid.block;
      const r0 = (4 * block[3 * home] + base[0]) * spacing - x[3 * p];
      const r1 = (4 * block[3 * home + 1] + base[1]) * spacing - x[3 * p + 1];
      const r2 = (4 * block[3 * home + 2] + base[2]) * spacing - x[3 * p + 2];
      const c = 9 * p;
      const cx = C[c + 2] * spacing;
      const cy = C[c + 5] * spacing;
      const cz = C[c + 8] * spacing;
      // u, Σ w v̂ rᵀ and Δx Σ v̂ ∇wᵀ
      let ux = 0;
      let uy = 0;
      let uz = 0;
      let b0 = 0;
      let b1 = 0;
      let b2 = 0;
      let b3 = 0;
      let b4 = 0;
      let b5 = 0;
      let b6 = 0;
      let b7 = 0;
      let b8 = 0;
      let g0 = 0;
      let g1 = 0;
      let g2 = 0;
      let g3 = 0;
      let g4 = 0;
      let g5 = 0;
      let g6 = 0;
      let g7 = 0;
      let g8 = 0;
      // Σ w a e, Σ w a r × e, Σ w a v̂ × e
      let dx = 0;
      let dy = 0;
      let dz = 0;
      let tx = 0;
      let ty = 0;
      let tz = 0;
      let qx = 0;
      let qy = 0;
      let qz = 0;
      for (let i = 0; i < width; i++) {
        const rx = r0 + i * spacing;
        for (let j = 0; j < width; j++) {
          const ry = r1 + j * spacing;
          const wxy = weights[i] * weights[SPLINE_ROOM + j];
          const row = REACH_SIDE * (REACH_SIDE * (base[0] + i) + base[1] + j) + base[2];
          // along z: Σ w v̂, Σ w k v̂, Σ w′ v̂
          let sx = 0;
          let sy = 0;
          let sz = 0;
          let mx = 0;
          let my = 0;
          let mz = 0;
          let gx = 0;
          let gy = 0;
          let gz = 0;
          for (let k = 0; k < width; k++) {
            const wz = weights[2 * SPLINE_ROOM + k];
            const slope = slopes[2 * SPLINE_ROOM + k];
            const at = reach[row + k];
            const vx = moved[at];
            const vy = moved[at + 1];
            const vz = moved[at + 2];
            sx += wz * vx;
            sy += wz * vy;
            sz += wz * vz;
            const wk = wz * k;
            mx += wk * vx;
            my += wk * vy;
            mz += wk * vz;
            gx += slope * vx;
            gy += slope * vy;
            gz += slope * vz;
          }
          ux += wxy * sx;
          uy += wxy * sy;
          uz += wxy * sz;
          const wx = wxy * rx;
          const wy = wxy * ry;
          const wr = wxy * r2;
          const wh = wxy * spacing;
          b0 += wx * sx;
          b1 += wy * sx;
          b2 += wr * sx + wh * mx;
          b3 += wx * sy;
          b4 += wy * sy;
          b5 += wr * sy + wh * my;
          b6 += wx * sz;
          b7 += wy * sz;
          b8 += wr * sz + wh * mz;
          const hx = slopes[i] * weights[SPLINE_ROOM + j];
          const hy = weights[i] * slopes[SPLINE_ROOM + j];
          g0 += hx * sx;
          g1 += hy * sx;
          g2 += wxy * gx;
          g3 += hx * sy;
          g4 += hy * sy;
          g5 += wxy * gy;
          g6 += hx * sz;
          g7 += hy * sz;
          g8 += wxy * gz;
          if (!isRemembered) continue;
          let ax = v[3 * p] + C[c] * rx + C[c + 1] * ry + C[c + 2] * r2;
          let ay = v[3 * p + 1] + C[c + 3] * rx + C[c + 4] * ry + C[c + 5] * r2;
          let az = v[3 * p + 2] + C[c + 6] * rx + C[c + 7] * ry + C[c + 8] * r2;
          for (let k = 0; k < width; k++) {
            const at = reach[row + k];
            const rz = r2 + k * spacing;
            const a = wxy * weights[2 * SPLINE_ROOM + k] * gridForce[at + 3];
            const ex = a * (ax - node[at + 1]);
            const ey = a * (ay - node[at + 2]);
            const ez = a * (az - node[at + 3]);
            dx += ex;
            dy += ey;
            dz += ez;
            tx += ry * ez - rz * ey;
            ty += rz * ex - rx * ez;
            tz += rx * ey - ry * ex;
            const vx = moved[at];
            const vy = moved[at + 1];
            const vz = moved[at + 2];
            qx += vy * ez - vz * ey;
            qy += vz * ex - vx * ez;
            qz += vx * ey - vy * ex;
            ax += cx;
            ay += cy;
            az += cz;
          }
        }
      }
      motion[3 * p] = ux;
      motion[3 * p + 1] = uy;
      motion[3 * p + 2] = uz;
      v[3 * p] = ux + dx;
      v[3 * p + 1] = uy + dy;
      v[3 * p + 2] = uz + dz;
      // spin ω of C_skew = [ω]×:  r × e has the moment 2 ω/sharpness
      const half = 0.5 * sharpness;
      const wx = half * (b7 - b5 + tx - h * (uy * dz - uz * dy - qx));
      const wy = half * (b2 - b6 + ty - h * (uz * dx - ux * dz - qy));
      const wz = half * (b3 - b1 + tz - h * (ux * dy - uy * dx - qz));
      const kept = symmetric[group[p]] * half;
      C[c] = 2 * kept * b0;
      C[c + 4] = 2 * kept * b4;
      C[c + 8] = 2 * kept * b8;
      C[c + 1] = kept * (b1 + b3) - wz;
      C[c + 3] = kept * (b1 + b3) + wz;
      C[c + 2] = kept * (b2 + b6) + wy;
      C[c + 6] = kept * (b2 + b6) - wy;
      C[c + 5] = kept * (b5 + b7) - wx;
      C[c + 7] = kept * (b5 + b7) + wx;
      if (p >= stressCount) continue;
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
