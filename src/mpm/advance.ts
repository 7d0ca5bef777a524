/**
 * Places, deformation and plasticity of particles after a step.   [Jiang 2017, §4.2.2, §4.3, §4.5]
 *
 *     x ← x + h u            F ← (I + h ∇v) F            d_β ← (I + h ∇v) d_β for β > ζ, d_{1…ζ} from the mesh            J ← det(I + h ∇v) J
 *
 * and then the return mappings. An element whose largest stretch, in its plane or along its fibre, is more than its material bears is broken for good; across it nothing is strained.
 */

import { cornersOf, type PointGroup, type Points } from './state.ts';
import { BROKEN } from './strength.ts';
import type { Deformation, StressWork } from './stress.ts';
import { writeElementFrame } from './stress.ts';
import type { TransferWork } from './transfer.ts';
import { projectGoo, projectSand } from './yield-bulk.ts';
import { projectCurve } from './yield-curve.ts';
import { projectSurface } from './yield-surface.ts';

export const advancePoints = (
  points: Points,
  transfer: TransferWork,
  deformation: Deformation,
  h: number,
  work: StressWork,
): void => {
  const { motion, gradient } = transfer;
  const { x, count } = points;
  for (let k = 0; k < 3 * count; k++) x[k] += h * motion[k];
  for (const group of points.groups) {
    if (group.type === 'fluid') advanceFluid(points, group, gradient, h);
    else advanceGradients(points, group, gradient, h);
    if (group.type === 'surface' || group.type === 'curve') advanceElements(points, group, deformation, work);
    else if (group.type === 'sand')
      for (let p = group.first; p < group.first + group.count; p++)
        projectSand(points.F, 9 * p, points.gain, p, group.law, work.bulk);
    else if (group.type === 'goo')
      for (let p = group.first; p < group.first + group.count; p++)
        projectGoo(points.F, 9 * p, h, group.law, work.bulk);
  }
};

/** F ← (I + h ∇v) F */
const advanceGradients = (points: Points, group: PointGroup, gradient: Float64Array, h: number): void => {
  const { F } = points;
  for (let p = group.first; p < group.first + group.count; p++) {
    const at = 9 * p;
    for (let column = 0; column < 3; column++) {
      const a = h * F[at + column];
      const b = h * F[at + 3 + column];
      const c = h * F[at + 6 + column];
      F[at + column] += gradient[at] * a + gradient[at + 1] * b + gradient[at + 2] * c;
      F[at + 3 + column] += gradient[at + 3] * a + gradient[at + 4] * b + gradient[at + 5] * c;
      F[at + 6 + column] += gradient[at + 6] * a + gradient[at + 7] * b + gradient[at + 8] * c;
    }
  }
};

/** J ← det(I + h ∇v) J, and D. */
const advanceFluid = (points: Points, group: PointGroup, gradient: Float64Array, h: number): void => {
  const { F } = points;
  for (let p = group.first; p < group.first + group.count; p++) {
    const at = 9 * p;
    const a = 1 + h * gradient[at];
    const b = h * gradient[at + 1];
    const c = h * gradient[at + 2];
    const d = h * gradient[at + 3];
    const e = 1 + h * gradient[at + 4];
    const f = h * gradient[at + 5];
    const g = h * gradient[at + 6];
    const i = h * gradient[at + 7];
    const j = 1 + h * gradient[at + 8];
    F[at] *= a * (e * j - f * i) - b * (d * j - f * g) + c * (d * i - e * g);
    F[at + 1] = gradient[at];
    F[at + 2] = gradient[at + 4];
    F[at + 3] = gradient[at + 8];
    F[at + 4] = 0.5 * (gradient[at + 1] + gradient[at + 3]);
    F[at + 5] = 0.5 * (gradient[at + 5] + gradient[at + 7]);
    F[at + 6] = 0.5 * (gradient[at + 2] + gradient[at + 6]);
  }
};

/** Tangents from the mesh, then friction across them. */
const advanceElements = (
  points: Points,
  group: Extract<PointGroup, { type: 'surface' | 'curve' }>,
  deformation: Deformation,
  work: StressWork,
): void => {
  const n = cornersOf(group);
  const { q, r } = work;
  for (let e = 0; e < group.count; e++) {
    const p = group.first + e;
    if (deformation !== 'grid') {
      points.writeCentre(p, group.corners, n * e, n);
      points.writeTangents(p, group.corners, n * e, n);
    }
    writeElementFrame(points, p, work);
    if (computeStretch(r, group.type) - 1 > group.law.breakingStrain * (1 + points.gain[p])) points.gain[p] = BROKEN;
    if (deformation === 'mesh' || points.gain[p] === BROKEN) straighten(points, p, n - 1, work);
    else if (group.type === 'curve') {
      if (projectCurve(q, r, group.law, work.curve, deformation !== 'elastic')) writeNormals(points, p, 1, work);
    } else if (deformation !== 'elastic' && projectSurface(r, group.law)) writeNormals(points, p, 2, work);
  }
};

/** The largest stretch of an element along its fibre or in its plane: the larger singular value of [r₁₁ r₁₂; 0 r₂₂]. */
const computeStretch = (r: Float64Array, type: 'surface' | 'curve'): number => {
  if (type === 'curve') return r[0];
  // s₁ ± s₂ from the two parts that turn alike and apart
  const sum = Math.sqrt((r[0] + r[4]) * (r[0] + r[4]) + r[1] * r[1]);
  const difference = Math.sqrt((r[0] - r[4]) * (r[0] - r[4]) + r[1] * r[1]);
  return 0.5 * (sum + difference);
};

/** Columns of d from `first` on := those of Q R. */
const writeNormals = (points: Points, p: number, first: number, work: StressWork): void => {
  const { q, r } = work;
  for (let row = 0; row < 3; row++)
    for (let column = first; column < 3; column++) {
      let sum = 0;
      for (let k = 0; k <= column; k++) sum += q[3 * row + k] * r[3 * k + column];
      points.F[9 * p + 3 * row + column] = sum;
    }
};

/** Columns of d from `first` on := those of Q: nothing is strained across the element. */
const straighten = (points: Points, p: number, first: number, work: StressWork): void => {
  for (let row = 0; row < 3; row++)
    for (let column = first; column < 3; column++) points.F[9 * p + 3 * row + column] = work.q[3 * row + column];
};
