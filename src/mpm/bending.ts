/** Bending of all surfaces and curves of a continuum that have any: forces on vertices, which the grid moves as it does those of stretch. */
import { type BendTable, CurveBending } from './bending-curve.ts';
import { type HingeTable, SurfaceBending } from './bending-surface.ts';
import type { PointPart, Points } from './state.ts';

/** What kernels need of a part that bends, and its first element. */
export interface BendingTable {
  readonly first: number;
  readonly hinges?: HingeTable;
  readonly bends?: BendTable;
}

export class Bending {
  readonly #terms: (SurfaceBending | CurveBending)[] = [];
  /** First element of each. */
  readonly #firsts: number[] = [];

  constructor(points: Points, parts: readonly PointPart[]) {
    parts.forEach((part, index) => {
      const term = createTerm(points, part, index);
      if (term === undefined) return;
      this.#terms.push(term);
      this.#firsts.push(points.groups[index].first);
    });
  }

  createTables(): BendingTable[] {
    return this.#terms.map((term, n) =>
      term instanceof SurfaceBending
        ? { first: this.#firsts[n], hinges: term.createTable() }
        : { first: this.#firsts[n], bends: term.createTable() },
    );
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
}

/** The bending of a part, if it has any. */
const createTerm = (points: Points, part: PointPart, index: number): SurfaceBending | CurveBending | undefined => {
  const group = points.groups[index];
  const gain = points.gain.subarray(group.first, group.first + group.count);
  const first = group.firstVertex - points.stressCount;
  if ('triangles' in part) {
    const { bendingRigidity = 0, poissonRatio } = part.material;
    if (!(bendingRigidity > 0)) return undefined;
    return new SurfaceBending(
      Int32Array.from(part.triangles),
      part.rest ?? part.x,
      bendingRigidity,
      poissonRatio,
      gain,
      first,
    );
  }
  if (!('segments' in part)) return undefined;
  const { bendingStiffness = 0 } = part.material;
  if (!(bendingStiffness > 0)) return undefined;
  return new CurveBending(Int32Array.from(part.segments), part.rest ?? part.x, bendingStiffness, gain, first);
};
