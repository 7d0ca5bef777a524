/**
 * Energy, forces and their change at a trial motion of the grid, for implicit steps.   [Jiang 2017, §4.4]
 *
 *     x̂ᵢ = xᵢ + qᵢ      bulk F̂ = (I + ∇q) F      element d̂ from its corners x + u, d̂_β = (I + ∇q) d_β across      fluid Ĵ = det(I + ∇q) J
 *     Φ(q) = Σ V ψ      fᵢ = −∂Φ/∂qᵢ      δfᵢ = −∂²Φ/∂qᵢ∂qⱼ δqⱼ
 *
 *   q  displacement of the nodes in the step [m]
 * and Φ has bending of the corners besides (`bending.ts`).
 * Plasticity waits until the step is over, so the change of forces is symmetric. Viscosity of fluids over a step of length h counts as the energy
 * V J η ‖dev sym ∇q‖²/h, whose slope is −h times its force.
 */
import { writeQr3x3 } from '../math/index.ts';
import type { Bending } from './bending.ts';
import { computeBulkEnergy, writeBulkGradient, writeBulkHessianProduct } from './energy-bulk.ts';
import { computeCurveEnergy, writeCurveGradient, writeCurveHessianProduct } from './energy-curve.ts';
import { computeFluidEnergy, computeFluidModulus, computePressure } from './energy-fluid.ts';
import { computeSurfaceEnergy, writeSurfaceGradient, writeSurfaceHessianProduct } from './energy-surface.ts';
import { addField, readField } from './field.ts';
import { writeFrameDifferential, writeFrameStress, writeFrameStressDifferential } from './frame-stress.ts';
import type { BlockGrid } from './grid.ts';
import { cornersOf, type PointGroup, type Points } from './state.ts';
import { BROKEN } from './strength.ts';
import type { Deformation } from './stress.ts';
import { StressWork } from './stress.ts';
import type { TransferWork } from './transfer.ts';

export class TrialMotion {
  readonly #points: Points;
  readonly #grid: BlockGrid;
  readonly #deformation: Deformation;
  readonly #transfer: TransferWork;
  /** F̂ or d̂ (of a fluid: I + ∇q), nine numbers a particle that carries stress. */
  readonly #trial: Float64Array;
  readonly #motion: Float64Array;
  readonly #gradient: Float64Array;
  readonly #stress: Float64Array;
  readonly #force: Float64Array;
  /** Bending, where there is any: x + u and δu of vertices, and its energy there. */
  readonly #bending: Bending | undefined;
  readonly #place: Float64Array;
  readonly #vertexMotion: Float64Array;
  #bendingEnergy = 0;
  readonly #work = new StressWork();
  /** δF or δd; δR, δ(∂ψ̂/∂R) and their spin. */
  readonly #change = new Float64Array(9);
  readonly #dr = new Float64Array(9);
  readonly #dp = new Float64Array(9);
  readonly #spin = new Float64Array(3);
  readonly #cofactor = new Float64Array(9);
  readonly #other = new Float64Array(9);
  /** Length of the step [s]. */
  #h = Number.POSITIVE_INFINITY;

  constructor(points: Points, grid: BlockGrid, deformation: Deformation, transfer: TransferWork, bending?: Bending) {
    this.#points = points;
    this.#grid = grid;
    this.#deformation = deformation;
    this.#transfer = transfer;
    this.#trial = new Float64Array(9 * points.stressCount);
    this.#motion = new Float64Array(3 * points.count);
    this.#gradient = new Float64Array(9 * points.stressCount);
    this.#stress = new Float64Array(9 * points.stressCount);
    this.#force = new Float64Array(3 * (points.count - points.stressCount));
    this.#bending = bending === undefined || bending.isNone || deformation === 'grid' ? undefined : bending;
    this.#place = new Float64Array(this.#bending === undefined ? 0 : this.#force.length);
    this.#vertexMotion = this.#motion.subarray(3 * points.stressCount);
  }

  /** Moves the nodes by q, four numbers each, in h seconds; the grid is sorted for the particles as they are. */
  moveTo(q: Float64Array, h: number): void {
    this.#h = h;
    const points = this.#points;
    readField(points, this.#grid, q, this.#motion, this.#gradient, this.#transfer);
    for (const group of points.groups)
      for (let p = group.first; p < group.first + group.count; p++) {
        if (group.type !== 'fluid') this.#writeChange(group, p);
        for (let k = 0; k < 9; k++)
          this.#trial[9 * p + k] =
            group.type === 'fluid'
              ? this.#gradient[9 * p + k] + (k % 4 === 0 ? 1 : 0)
              : points.F[9 * p + k] + this.#change[k];
      }
    if (this.#bending === undefined) return;
    const first = 3 * points.stressCount;
    for (let k = 0; k < this.#place.length; k++) this.#place[k] = points.x[first + k] + this.#vertexMotion[k];
    this.#bendingEnergy = this.#bending.set(this.#place);
  }

  /** Φ [J] */
  computeEnergy(): number {
    const { bulk, curve } = this.#work;
    let sum = this.#bendingEnergy;
    for (const group of this.#points.groups)
      for (let p = group.first; p < group.first + group.count; p++) {
        const V = this.#points.volume[p];
        if (group.type === 'fluid') {
          sum += V * computeFluidEnergy(this.#computeVolume(p), group.law);
          const { G } = this.#work;
          G.fill(0);
          this.#addViscosity(group, p, this.#trial, G);
          // quadratic: half of what it is along ∇q
          for (let k = 0; k < 9; k++) sum += 0.5 * V * G[k] * (this.#trial[9 * p + k] - (k % 4 === 0 ? 1 : 0));
        } else if (group.type === 'sand' || group.type === 'goo')
          sum += V * computeBulkEnergy(this.#trial, 9 * p, group.law, bulk);
        else if (this.#points.gain[p] !== BROKEN) {
          this.#writeFrame(p);
          const { r } = this.#work;
          sum +=
            V *
            (group.type === 'surface' ? computeSurfaceEnergy(r, group.law) : computeCurveEnergy(r, group.law, curve));
        }
      }
    return sum;
  }

  /** field += f [N], four numbers a node. */
  addForces(field: Float64Array): void {
    this.#force.fill(0);
    const { G } = this.#work;
    for (const group of this.#points.groups)
      for (let e = 0; e < group.count; e++) {
        const p = group.first + e;
        if (group.type === 'fluid') {
          this.#writeCofactor(p);
          const scale = -computePressure(this.#computeVolume(p), group.law) * this.#points.F[9 * p];
          for (let k = 0; k < 9; k++) G[k] = scale * this.#cofactor[k];
          this.#addViscosity(group, p, this.#trial, G);
        } else if (group.type === 'sand' || group.type === 'goo')
          writeBulkGradient(this.#trial, 9 * p, group.law, this.#work.bulk, G);
        else if (this.#points.gain[p] === BROKEN) G.fill(0);
        else {
          this.#writeFrame(p);
          this.#writeFrameGradient(group);
          writeFrameStress(this.#work.q, this.#work.r, this.#work.p, G);
        }
        this.#addParticle(group, e);
      }
    this.#bending?.addForces(this.#force);
    addField(this.#points, this.#grid, this.#stress, this.#force, field, this.#transfer);
  }

  /** field += δf of the change δq of the nodes, at the last `moveTo`. */
  addForceChange(dq: Float64Array, field: Float64Array): void {
    readField(this.#points, this.#grid, dq, this.#motion, this.#gradient, this.#transfer);
    this.#force.fill(0);
    for (const group of this.#points.groups)
      for (let e = 0; e < group.count; e++) {
        const p = group.first + e;
        if (group.type === 'fluid') this.#writeFluidChange(group, p);
        else {
          this.#writeChange(group, p);
          if (group.type === 'sand' || group.type === 'goo') {
            const { bulk, G } = this.#work;
            writeBulkHessianProduct(this.#trial, 9 * p, this.#change, group.law, bulk, G);
          } else this.#writeElementChange(group, p);
        }
        this.#addParticle(group, e);
      }
    this.#bending?.addForceChange(this.#vertexMotion, this.#force);
    addField(this.#points, this.#grid, this.#stress, this.#force, field, this.#transfer);
  }

  /** δF = ∇q F, δd_β = ∇q d_β, and δd of tangents from the corners' u. */
  #writeChange(group: PointGroup, p: number): void {
    const { F, rest } = this.#points;
    const at = 9 * p;
    const gradient = this.#gradient;
    const change = this.#change;
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 3; column++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += gradient[at + 3 * row + k] * F[at + 3 * k + column];
        change[3 * row + column] = sum;
      }
    const n = cornersOf(group);
    if (n === 0 || this.#deformation === 'grid') return;
    const e = p - group.first;
    const u = this.#motion;
    const a = 3 * group.corners[n * e];
    const b = 3 * group.corners[n * e + 1];
    for (let k = 0; k < 3; k++) {
      const edge = u[b + k] - u[a + k];
      change[3 * k] = edge * rest[3 * p];
      if (n === 3)
        change[3 * k + 1] = edge * rest[3 * p + 1] + (u[3 * group.corners[3 * e + 2] + k] - u[a + k]) * rest[3 * p + 2];
    }
  }

  /** d̂ = Q R into the work. */
  #writeFrame(p: number): void {
    const { d, q, r } = this.#work;
    for (let k = 0; k < 9; k++) d[k] = this.#trial[9 * p + k];
    writeQr3x3(d, q, r);
  }

  #writeFrameGradient(group: Extract<PointGroup, { type: 'surface' | 'curve' }>): void {
    const { r, p: gradient, curve } = this.#work;
    if (group.type === 'surface') writeSurfaceGradient(r, group.law, gradient);
    else writeCurveGradient(r, group.law, curve, gradient);
  }

  /** G := δ(∂ψ/∂d) */
  #writeElementChange(group: Extract<PointGroup, { type: 'surface' | 'curve' }>, p: number): void {
    const { q, r, p: gradient, curve, G } = this.#work;
    if (this.#points.gain[p] === BROKEN) {
      G.fill(0);
      return;
    }
    this.#writeFrame(p);
    this.#writeFrameGradient(group);
    writeFrameDifferential(q, r, this.#change, this.#spin, this.#dr);
    if (group.type === 'surface') writeSurfaceHessianProduct(r, this.#dr, group.law, this.#dp);
    else writeCurveHessianProduct(r, this.#dr, group.law, curve, this.#dp);
    writeFrameStressDifferential(q, r, gradient, this.#spin, this.#dr, this.#dp, G);
  }

  /** G := δ(−p J cof A) with J = J det A, A = I + ∇q:  ψ″ (J cof A : δA) J cof A − p J δcof A. */
  #writeFluidChange(group: Extract<PointGroup, { type: 'fluid' }>, p: number): void {
    const { G } = this.#work;
    const J = this.#points.F[9 * p];
    const volume = this.#computeVolume(p);
    this.#writeCofactor(p);
    const dA = this.#dp;
    for (let k = 0; k < 9; k++) dA[k] = this.#gradient[9 * p + k];
    let rate = 0;
    for (let k = 0; k < 9; k++) rate += this.#cofactor[k] * dA[k];
    const stiff = computeFluidModulus(volume, group.law) * J * J * rate;
    const pressure = computePressure(volume, group.law) * J;
    // the cofactor is quadratic: δcof = cof(A + δA) − cof A − cof δA
    const sum = this.#change;
    for (let k = 0; k < 9; k++) sum[k] = this.#trial[9 * p + k] + dA[k];
    writeCofactors(sum, this.#other);
    for (let k = 0; k < 9; k++) G[k] = stiff * this.#cofactor[k] - pressure * (this.#other[k] - this.#cofactor[k]);
    writeCofactors(dA, this.#other);
    for (let k = 0; k < 9; k++) G[k] += pressure * this.#other[k];
    this.#addViscosity(group, p, this.#gradient, G);
  }

  /** G += 2 η J dev sym ∇q/h for ∇q in nine numbers of an array; the identity in it does not matter. */
  #addViscosity(
    group: Extract<PointGroup, { type: 'fluid' }>,
    p: number,
    gradient: Float64Array,
    G: Float64Array,
  ): void {
    const at = 9 * p;
    const scale = (group.law.viscosity * this.#points.F[at]) / this.#h;
    if (scale === 0) return;
    const mean = (2 / 3) * (gradient[at] + gradient[at + 4] + gradient[at + 8]);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        G[3 * i + j] += scale * (gradient[at + 3 * i + j] + gradient[at + 3 * j + i] - (i === j ? mean : 0));
  }

  #writeCofactor(p: number): void {
    for (let k = 0; k < 9; k++) this.#change[k] = this.#trial[9 * p + k];
    writeCofactors(this.#change, this.#cofactor);
  }

  /** Ĵ of a fluid. */
  #computeVolume(p: number): number {
    this.#writeCofactor(p);
    const [A, c] = [this.#trial, this.#cofactor];
    return this.#points.F[9 * p] * (A[9 * p] * c[0] + A[9 * p + 1] * c[1] + A[9 * p + 2] * c[2]);
  }

  /** S and vertex forces of one particle from G of the work, whatever it is: stress or its change. */
  #addParticle(group: PointGroup, e: number): void {
    const { F, rest, volume, stressCount } = this.#points;
    const { G } = this.#work;
    const p = group.first + e;
    const at = 9 * p;
    const n = this.#deformation === 'grid' ? 0 : cornersOf(group);
    const tangents = n === 0 ? 0 : n - 1;
    const V = volume[p];
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 3; column++) {
        let sum = 0;
        if (group.type === 'fluid') sum = G[3 * row + column];
        else for (let beta = tangents; beta < 3; beta++) sum += G[3 * row + beta] * F[at + 3 * column + beta];
        this.#stress[at + 3 * row + column] = -V * sum;
      }
    if (n === 0) return;
    const a = 3 * (group.corners[n * e] - stressCount);
    const b = 3 * (group.corners[n * e + 1] - stressCount);
    for (let k = 0; k < 3; k++) {
      const fb = -V * (G[3 * k] * rest[3 * p] + (n === 3 ? G[3 * k + 1] * rest[3 * p + 1] : 0));
      const fc = n === 3 ? -V * G[3 * k + 1] * rest[3 * p + 2] : 0;
      this.#force[b + k] += fb;
      this.#force[a + k] -= fb + fc;
      if (n === 3) this.#force[3 * (group.corners[n * e + 2] - stressCount) + k] += fc;
    }
  }
}

/** out := cof A = ∂ det A/∂A. */
const writeCofactors = (a: ArrayLike<number>, out: Float64Array): void => {
  out[0] = a[4] * a[8] - a[5] * a[7];
  out[1] = a[5] * a[6] - a[3] * a[8];
  out[2] = a[3] * a[7] - a[4] * a[6];
  out[3] = a[2] * a[7] - a[1] * a[8];
  out[4] = a[0] * a[8] - a[2] * a[6];
  out[5] = a[1] * a[6] - a[0] * a[7];
  out[6] = a[1] * a[5] - a[2] * a[4];
  out[7] = a[2] * a[3] - a[0] * a[5];
  out[8] = a[0] * a[4] - a[1] * a[3];
};
