/** Wrapping of all yarns round those that they wind about (`energy-wrapping.ts`), damped as bending is. */
import type { EnergyTerms } from '../model/index.ts';
import { StitchWrapping } from './energy-wrapping.ts';
import { Scatter } from './scatter.ts';
import type { FabricStage, FabricSystem } from './stage.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';

export class Wraps {
  /** ψ₀ of each wrap and yarn [rad]. */
  readonly #restAngle: Float64Array;
  readonly #wrap = new StitchWrapping(0, 1, 0);
  readonly #scatter = new Scatter();
  readonly #local = new Float64Array(12);

  /** Rest angles are those of the state now. */
  constructor(state: FabricState, stencils: Stencils, wraps: number) {
    this.#restAngle = new Float64Array(2 * wraps);
    for (let e = 0; e < stencils.wraps.count; e++) {
      this.#setWrap(state, stencils, e);
      this.#restAngle[stencils.wrapIndex[e]] = this.#wrap.angle;
    }
  }

  addEnergy(state: FabricState, stencils: Stencils, terms: EnergyTerms): void {
    for (let e = 0; e < stencils.wraps.count; e++) {
      this.#setWrap(state, stencils, e);
      terms.bending += this.#wrap.energy;
    }
  }

  #setWrap(state: FabricState, stencils: Stencils, e: number): void {
    const { wraps, wrapIndex } = stencils;
    const layer = state.layers[state.layerOf(wraps.sides[4 * e])];
    const scatter = this.#scatter;
    scatter.begin(wraps, e);
    for (let m = 0; m < 4; m++) scatter.addPosition(m);
    scatter.gather(state.q, this.#local);
    this.#wrap.stiffness = layer.wrappingStiffness;
    this.#wrap.length = layer.spacing;
    this.#wrap.restAngle = this.#restAngle[wrapIndex[e]];
    this.#wrap.set(this.#local, false);
  }

  add(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem): void {
    const { h, stiffnessDamping: beta } = stage;
    const product = (stage.linearized ? h * h : 0) + beta * h;
    for (let e = 0; e < stencils.wraps.count; e++) {
      this.#setWrap(state, stencils, e);
      const { gradient, hessian } = this.#wrap;
      this.#scatter.addGradient(gradient, -h, system.rhs);
      if (product !== 0) this.#scatter.subtractProduct(hessian, state.v, product, system.rhs);
      if (system.values !== null) this.#scatter.addHessian(hessian, h * h + beta * h, stencils, system.values);
    }
  }
}
