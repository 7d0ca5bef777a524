/**
 * Bending of all surfaces and curves of a continuum that have any: forces on vertices, which the grid moves as it does those of stretch.
 *
 * An explicit step is stable up to 2/ω, ω² the largest eigenvalue of M⁻¹K. The grid only averages: with vertices that move by u = Σ w q and lumped masses of nodes,
 * Σ m ‖u‖² ≤ Σ mᵢ ‖qᵢ‖², so no motion of the grid is faster than the fastest one of the mesh with the masses of its vertices alone. That is found once, at rest,
 * by power iteration, and steps are at most 1/ω, as for sound.
 */
import { createRandom } from '../math/index.ts';
import { CurveBending } from './bending-curve.ts';
import { SurfaceBending } from './bending-surface.ts';
import type { PointPart, Points } from './state.ts';

const MOST_ITERATIONS = 40;
/** What power iteration may be short of the largest eigenvalue. */
const MARGIN = 1.1;

export class Bending {
  readonly #terms: (SurfaceBending | CurveBending)[] = [];
  readonly #points: Points;
  /** The longest step that bending allows an explicit method [s]. */
  readonly longestStep: number;

  constructor(points: Points, parts: readonly PointPart[]) {
    this.#points = points;
    parts.forEach((part, index) => {
      const term = createTerm(points, part, index);
      if (term !== undefined) this.#terms.push(term);
    });
    this.longestStep = this.#terms.length === 0 ? Number.POSITIVE_INFINITY : this.#findLongestStep(parts);
  }

  get isNone(): boolean {
    return this.#terms.length === 0;
  }

  /** Takes the places of all vertices, 3 each; returns V [J]. */
  set(x: Float64Array): number {
    let energy = 0;
    for (let n = 0; n < this.#terms.length; n++) energy += this.#terms[n].set(x);
    return energy;
  }

  /** force −= ∂V/∂x at the last `set`, 3 a vertex. */
  addForces(force: Float64Array): void {
    for (let n = 0; n < this.#terms.length; n++) this.#terms[n].addForces(force);
  }

  /** force −= ∂²V/∂x² u at the last `set`, 3 a vertex. */
  addForceChange(u: Float64Array, force: Float64Array): void {
    for (let n = 0; n < this.#terms.length; n++) this.#terms[n].addForceChange(u, force);
  }

  #findLongestStep(parts: readonly PointPart[]): number {
    const { mass, stressCount, count } = this.#points;
    const size = 3 * (count - stressCount);
    const rest = new Float64Array(size);
    let at = 0;
    for (const part of parts)
      if ('triangles' in part || 'segments' in part) {
        rest.set(part.rest ?? part.x, at);
        at += part.x.length;
      }
    this.set(rest);
    const random = createRandom(1);
    const u = Float64Array.from({ length: size }, () => random.uniform(-1, 1));
    const f = new Float64Array(size);
    let square = 0;
    for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
      let norm = 0;
      for (let k = 0; k < size; k++) norm += mass[stressCount + Math.floor(k / 3)] * u[k] * u[k];
      norm = Math.sqrt(norm);
      for (let k = 0; k < size; k++) u[k] /= norm;
      f.fill(0);
      this.addForceChange(u, f);
      square = 0;
      for (let k = 0; k < size; k++) {
        square -= f[k] * u[k];
        const m = mass[stressCount + Math.floor(k / 3)];
        u[k] = m > 0 ? -f[k] / m : 0;
      }
      if (!(square > 0)) return Number.POSITIVE_INFINITY;
    }
    return 1 / Math.sqrt(MARGIN * square);
  }
}

/** The bending of a part, if it has any. */
const createTerm = (points: Points, part: PointPart, index: number): SurfaceBending | CurveBending | undefined => {
  const group = points.groups[index];
  const broken = points.gain.subarray(group.first, group.first + group.count);
  const first = group.firstVertex - points.stressCount;
  if ('triangles' in part) {
    const { bendingRigidity = 0, poissonRatio } = part.material;
    if (!(bendingRigidity > 0)) return undefined;
    return new SurfaceBending(
      Int32Array.from(part.triangles),
      part.rest ?? part.x,
      bendingRigidity,
      poissonRatio,
      broken,
      first,
    );
  }
  if (!('segments' in part)) return undefined;
  const { bendingStiffness = 0 } = part.material;
  if (!(bendingStiffness > 0)) return undefined;
  return new CurveBending(Int32Array.from(part.segments), part.rest ?? part.x, bendingStiffness, broken, first);
};
