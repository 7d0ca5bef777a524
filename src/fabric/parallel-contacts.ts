/** Yarns side by side that cannot pass each other (`parallels.ts` says which) push along the yarn that they cross (`energy-parallel.ts`). */
import type { EnergyTerms } from '../model/index.ts';
import { ParallelContact } from './energy-parallel.ts';
import { Scatter } from './scatter.ts';
import type { FabricStage, FabricSystem } from './stage.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';

export class ParallelContacts {
  readonly #parallel = new ParallelContact(1, 1, 1);
  /** Of each yarn [m]. */
  readonly #radius: Float64Array;
  readonly #scatter = new Scatter();
  readonly #local = new Float64Array(2);

  constructor(state: FabricState) {
    this.#radius = Float64Array.from({ length: state.yarnCount }, (_, y) => state.materialOf(y).radius);
  }

  addEnergy(state: FabricState, stencils: Stencils, terms: EnergyTerms): void {
    for (let e = 0; e < stencils.parallels.count; e++) {
      this.#setParallel(state, stencils, e);
      terms.contact += this.#parallel.energy;
    }
  }

  #setParallel(state: FabricState, { parallels }: Stencils, e: number): void {
    const { yarn, layers, q } = state;
    const parallel = this.#parallel;
    const s = parallels.sides[2 * e];
    const t = parallels.sides[2 * e + 1];
    const layer = layers[state.layerOf(s)];
    parallel.stiffness = layer.parallelStiffness;
    parallel.length = layer.spacing;
    parallel.distance = state.materialOf(yarn[s ^ 1]).radius + state.materialOf(yarn[t ^ 1]).radius;
    this.#local[0] = q[state.materialIndex(s)];
    this.#local[1] = q[state.materialIndex(t)];
    parallel.set(this.#local);
  }

  add(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem): void {
    const { parallels } = stencils;
    const { h, linearized } = stage;
    const scatter = this.#scatter;
    const { q, yarn } = state;
    const { sides } = parallels;
    const radius = this.#radius;
    for (let e = 0; e < parallels.count; e++) {
      const s = sides[2 * e];
      const t = sides[2 * e + 1];
      const distance = radius[yarn[s ^ 1]] + radius[yarn[t ^ 1]];
      // as a rule they are apart
      if (!(distance - (q[5 * (t >> 1) + 3 + (t & 1)] - q[5 * (s >> 1) + 3 + (s & 1)]) > 0)) continue;
      this.#setParallel(state, stencils, e);
      const { gradient, hessian } = this.#parallel;
      scatter.begin(parallels, e);
      for (let m = 0; m < 2; m++) scatter.add(m, 3 + (parallels.sides[2 * e + m] & 1));
      scatter.addGradient(gradient, -h, system.rhs);
      if (linearized) scatter.subtractProduct(hessian, state.v, h * h, system.rhs);
      if (system.values !== null) scatter.addHessian(hessian, h * h, stencils, system.values);
    }
  }
}
