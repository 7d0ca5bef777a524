/**
 * Shear at all crossings (`energy-shear.ts` is one alone), Gauss–Newton:
 *     A += s H,   r −= h ∇V + p H v        s = h² + βh,  p = βh, or h² + βh while linearised
 */
import type { EnergyTerms } from '../model/index.ts';
import { AngleBetween } from './angle.ts';
import type { FabricStage, FabricSystem } from './stage.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';

export class Shears {
  /** φ₀ of each crossing [rad]. */
  readonly #restAngle: Float64Array;
  readonly #angle = new AngleBetween();
  readonly #g = new Float64Array(12);

  /** Rest angles are those of the state now. */
  constructor(state: FabricState, stencils: Stencils) {
    this.#restAngle = new Float64Array(state.count);
    for (let e = 0; e < stencils.shears.count; e++) {
      this.#setShear(state, stencils, e);
      this.#restAngle[stencils.shearNode[e]] = this.#angle.angle;
    }
  }

  addEnergy(state: FabricState, stencils: Stencils, terms: EnergyTerms): void {
    const { shears, shearNode } = stencils;
    for (let e = 0; e < shears.count; e++) {
      const k = this.#setShear(state, stencils, e);
      const off = this.#angle.angle - this.#restAngle[shearNode[e]];
      terms.bending += 0.5 * k * off * off;
    }
  }

  /** Reads the angle of a crossing; returns k_x L. */
  #setShear({ q, layers, yarn, yarnLayer }: FabricState, { shears, shearNode }: Stencils, e: number): number {
    const at = 4 * e;
    const a = 5 * (shears.sides[at] >> 1);
    const b = 5 * (shears.sides[at + 1] >> 1);
    const c = 5 * (shears.sides[at + 2] >> 1);
    const d = 5 * (shears.sides[at + 3] >> 1);
    this.#angle.set(
      q[b] - q[a],
      q[b + 1] - q[a + 1],
      q[b + 2] - q[a + 2],
      q[d] - q[c],
      q[d + 1] - q[c + 1],
      q[d + 2] - q[c + 2],
    );
    const layer = layers[yarnLayer[yarn[2 * shearNode[e]]]];
    return layer.shearStiffness * layer.spacing;
  }

  /** k_x L and φ₀ of each shear. */
  writeStiffness({ layers, yarn, yarnLayer }: FabricState, { shears, shearNode }: Stencils, out: Float64Array): void {
    for (let e = 0; e < shears.count; e++) {
      const layer = layers[yarnLayer[yarn[2 * shearNode[e]]]];
      out[2 * e] = layer.shearStiffness * layer.spacing;
      out[2 * e + 1] = this.#restAngle[shearNode[e]];
    }
  }

  add(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem): void {
    const { shears, shearNode, pattern } = stencils;
    const angle = this.#angle;
    const g = this.#g;
    const { slope } = angle;
    const { h, stiffnessDamping: beta } = stage;
    const stiff = h * h + beta * h;
    const product = (stage.linearized ? h * h : 0) + beta * h;
    const { v } = state;
    const { rhs, values } = system;
    const { columnStart } = pattern;
    for (let e = 0; e < shears.count; e++) {
      const k = this.#setShear(state, stencils, e);
      if (angle.isParallel) continue;
      const off = angle.angle - this.#restAngle[shearNode[e]];
      for (let r = 0; r < 3; r++) {
        g[r] = -slope[r];
        g[3 + r] = slope[r];
        g[6 + r] = -slope[3 + r];
        g[9 + r] = slope[3 + r];
      }
      let rate = 0;
      if (product !== 0)
        for (let m = 0; m < 4; m++) {
          const at = 5 * (shears.sides[4 * e + m] >> 1);
          rate += g[3 * m] * v[at] + g[3 * m + 1] * v[at + 1] + g[3 * m + 2] * v[at + 2];
        }
      const push = k * (h * off + product * rate);
      for (let m = 0; m < 4; m++) {
        const at = 5 * (shears.sides[4 * e + m] >> 1);
        for (let r = 0; r < 3; r++) rhs[at + r] -= push * g[3 * m + r];
      }
      if (values === null) continue;
      const K = k * stiff;
      let slot = 6 * e;
      for (let m = 0; m < 4; m++) {
        const i = shears.sides[4 * e + m] >> 1;
        const D = 25 * columnStart[i];
        addShearBlock(values, D, g, 3 * m, 3 * m, K);
        for (let n = m + 1; n < 4; n++, slot++) {
          const j = shears.sides[4 * e + n] >> 1;
          if (i === j) {
            addShearBlock(values, D, g, 3 * m, 3 * n, K);
            addShearBlock(values, D, g, 3 * n, 3 * m, K);
          } else if (i > j) addShearBlock(values, 25 * shears.slots[slot], g, 3 * m, 3 * n, K);
          else addShearBlock(values, 25 * shears.slots[slot], g, 3 * n, 3 * m, K);
        }
      }
    }
  }
}

/** Adds K g gᵀ to a block: rows from g[r …], columns from g[c …]. */
function addShearBlock(values: Float64Array, at: number, g: Float64Array, r: number, c: number, K: number): void {
  const c0 = g[c];
  const c1 = g[c + 1];
  const c2 = g[c + 2];
  const r0 = K * g[r];
  const r1 = K * g[r + 1];
  const r2 = K * g[r + 2];
  values[at] += r0 * c0;
  values[at + 1] += r0 * c1;
  values[at + 2] += r0 * c2;
  values[at + 5] += r1 * c0;
  values[at + 6] += r1 * c1;
  values[at + 7] += r1 * c2;
  values[at + 10] += r2 * c0;
  values[at + 11] += r2 * c1;
  values[at + 12] += r2 * c2;
}
