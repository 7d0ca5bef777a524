/**
 * Stress of all particles, as transfers need it.   [Jiang 2017, §4.4, corrected]
 *
 *     bulk       S = −V τ
 *     element    G = ∂ψ/∂d;   on its corners  f_β = −V (G_{1…ζ} D_m⁻ᵀ)_β,  f₀ = −Σ f_β;   across  S = −V Σ_{β>ζ} G_β d_βᵀ
 *
 *   V  weight of the particle's energy [m³];  ζ  tangent columns (surface 2, curve 1)
 * G dᵀ is symmetric, and the corners' part and S are its two halves: together they turn nothing.
 */
import { writeQr3x3 } from '../math/index.ts';
import { BulkWork, computeBulkEnergy, writeBulkStress } from './energy-bulk.ts';
import { CurveWork, computeCurveEnergy, writeCurveGradient } from './energy-curve.ts';
import { computeFluidEnergy, computePressure } from './energy-fluid.ts';
import { computeSurfaceEnergy, writeSurfaceGradient } from './energy-surface.ts';
import { writeFrameStress } from './frame-stress.ts';
import type { PointGroup, Points } from './state.ts';
import { BROKEN } from './strength.ts';

/** How the deformation gradient of elements is made: the comparison of the paper's Fig. 10. */
export const DEFORMATIONS = ['grid', 'mesh', 'elastic', 'full'] as const;
/**
 *   grid      by the grid alone, as in standard MPM: particles do not know of a mesh
 *   mesh      by the mesh alone [Jiang 2015]: nothing resists across an element
 *   elastic   tangents by the mesh, the rest by the grid; no plasticity
 *   full      as elastic, with the return mappings
 */
export type Deformation = (typeof DEFORMATIONS)[number];

/** Nine numbers each, for one particle at a time. */
export class StressWork {
  readonly d = new Float64Array(9);
  readonly q = new Float64Array(9);
  readonly r = new Float64Array(9);
  readonly p = new Float64Array(9);
  readonly G = new Float64Array(9);
  readonly curve = new CurveWork();
  readonly bulk = new BulkWork();
}

/** d = Q R of an element into the work. */
export const writeElementFrame = (points: Points, p: number, work: StressWork): void => {
  for (let k = 0; k < 9; k++) work.d[k] = points.F[9 * p + k];
  writeQr3x3(work.d, work.q, work.r);
};

/** S of every particle that carries stress, and the force on every vertex (3 each, from the first vertex on). */
export const writeStresses = (
  points: Points,
  deformation: Deformation,
  stress: Float64Array,
  force: Float64Array,
  work: StressWork,
): void => {
  force.fill(0);
  for (const group of points.groups) {
    if (group.type === 'surface') writeSurfaceStresses(points, group, deformation, stress, force, work);
    else if (group.type === 'curve') writeCurveStresses(points, group, deformation, stress, force, work);
    else if (group.type === 'fluid') writeFluidStresses(points, group, stress);
    else writeBulkStresses(points, group, stress, work);
  }
};

type GroupOf<T extends PointGroup['type']> = Extract<PointGroup, { type: T }>;

const writeSurfaceStresses = (
  points: Points,
  group: GroupOf<'surface'>,
  deformation: Deformation,
  stress: Float64Array,
  force: Float64Array,
  work: StressWork,
): void => {
  const { q, r, p: gradient, d, G } = work;
  const { rest, stressCount } = points;
  for (let e = 0; e < group.count; e++) {
    const p = group.first + e;
    if (points.gain[p] === BROKEN) {
      stress.fill(0, 9 * p, 9 * p + 9);
      continue;
    }
    writeElementFrame(points, p, work);
    writeSurfaceGradient(r, group.law, gradient);
    writeFrameStress(q, r, gradient, G);
    const V = points.volume[p];
    addColumns(V, G, d, deformation === 'grid' ? 0 : 2, stress, 9 * p);
    if (deformation === 'grid') continue;
    const a = 3 * (group.corners[3 * e] - stressCount);
    const b = 3 * (group.corners[3 * e + 1] - stressCount);
    const c = 3 * (group.corners[3 * e + 2] - stressCount);
    for (let k = 0; k < 3; k++) {
      const fb = -V * (G[3 * k] * rest[3 * p] + G[3 * k + 1] * rest[3 * p + 1]);
      const fc = -V * (G[3 * k + 1] * rest[3 * p + 2]);
      force[b + k] += fb;
      force[c + k] += fc;
      force[a + k] -= fb + fc;
    }
  }
};

const writeCurveStresses = (
  points: Points,
  group: GroupOf<'curve'>,
  deformation: Deformation,
  stress: Float64Array,
  force: Float64Array,
  work: StressWork,
): void => {
  const { q, r, p: gradient, d, G } = work;
  const { rest, stressCount } = points;
  for (let e = 0; e < group.count; e++) {
    const p = group.first + e;
    if (points.gain[p] === BROKEN) {
      stress.fill(0, 9 * p, 9 * p + 9);
      continue;
    }
    writeElementFrame(points, p, work);
    writeCurveGradient(r, group.law, work.curve, gradient);
    writeFrameStress(q, r, gradient, G);
    const V = points.volume[p];
    addColumns(V, G, d, deformation === 'grid' ? 0 : 1, stress, 9 * p);
    if (deformation === 'grid') continue;
    const a = 3 * (group.corners[2 * e] - stressCount);
    const b = 3 * (group.corners[2 * e + 1] - stressCount);
    for (let k = 0; k < 3; k++) {
      const fb = -V * G[3 * k] * rest[3 * p];
      force[b + k] += fb;
      force[a + k] -= fb;
    }
  }
};

/** S[at…] := −V Σ G_β d_βᵀ over the columns from `first` on. */
const addColumns = (
  V: number,
  G: Float64Array,
  d: Float64Array,
  first: number,
  stress: Float64Array,
  at: number,
): void => {
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++) {
      let sum = 0;
      for (let beta = first; beta < 3; beta++) sum += G[3 * row + beta] * d[3 * column + beta];
      stress[at + 3 * row + column] = -V * sum;
    }
};

const writeBulkStresses = (
  points: Points,
  group: GroupOf<'sand' | 'goo'>,
  stress: Float64Array,
  work: StressWork,
): void => {
  const { G } = work;
  for (let p = group.first; p < group.first + group.count; p++) {
    writeBulkStress(points.F, 9 * p, group.law, work.bulk, G);
    const V = points.volume[p];
    for (let k = 0; k < 9; k++) stress[9 * p + k] = -V * G[k];
  }
};

const writeFluidStresses = (points: Points, group: GroupOf<'fluid'>, stress: Float64Array): void => {
  const { F, volume } = points;
  const { viscosity } = group.law;
  for (let p = group.first; p < group.first + group.count; p++) {
    const at = 9 * p;
    const V = volume[p] * F[at];
    const pressure = V * computePressure(F[at], group.law);
    // −V J (−p I + 2 η dev D)
    const drag = -2 * viscosity * V;
    const mean = (F[at + 1] + F[at + 2] + F[at + 3]) / 3;
    stress[at] = pressure + drag * (F[at + 1] - mean);
    stress[at + 4] = pressure + drag * (F[at + 2] - mean);
    stress[at + 8] = pressure + drag * (F[at + 3] - mean);
    stress[at + 1] = drag * F[at + 4];
    stress[at + 3] = drag * F[at + 4];
    stress[at + 5] = drag * F[at + 5];
    stress[at + 7] = drag * F[at + 5];
    stress[at + 2] = drag * F[at + 6];
    stress[at + 6] = drag * F[at + 6];
  }
};

/** Φ = Σ V ψ [J]. */
export const computeElasticEnergy = (points: Points, work: StressWork): number => {
  let sum = 0;
  for (const group of points.groups) {
    for (let p = group.first; p < group.first + group.count; p++) {
      if (group.type === 'surface' || group.type === 'curve') {
        if (points.gain[p] === BROKEN) continue;
        writeElementFrame(points, p, work);
        const psi =
          group.type === 'surface'
            ? computeSurfaceEnergy(work.r, group.law)
            : computeCurveEnergy(work.r, group.law, work.curve);
        sum += points.volume[p] * psi;
      } else if (group.type === 'fluid') sum += points.volume[p] * computeFluidEnergy(points.F[9 * p], group.law);
      else sum += points.volume[p] * computeBulkEnergy(points.F, 9 * p, group.law, work.bulk);
    }
  }
  return sum;
};
