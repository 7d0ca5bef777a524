/**
 * Bending at all EoL sides between two others (`BendingStencil` of src/curve; `energy-bending.ts` is one of them alone):
 *     A += s H,   r −= h ∇V + p H v        s = h² + βh,  p = βh, or h² + βh while linearised
 */
import { BendingStencil } from '../curve/index.ts';
import type { EnergyTerms } from '../model/index.ts';
import type { FabricStage, FabricSystem } from './stage.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';

export class Bends {
  readonly #bend = new BendingStencil();
  readonly #local = new Float64Array(12);

  addEnergy(state: FabricState, stencils: Stencils, terms: EnergyTerms): void {
    for (let e = 0; e < stencils.bends.count; e++) {
      this.#setBend(state, stencils, e);
      terms.bending += this.#bend.energy;
    }
  }

  #setBend(state: FabricState, { bends }: Stencils, e: number): void {
    const { q } = state;
    const local = this.#local;
    const bend = this.#bend;
    for (let m = 0; m < 3; m++) {
      const s = bends.sides[3 * e + m];
      const at = 5 * (s >> 1);
      local[4 * m] = q[at];
      local[4 * m + 1] = q[at + 1];
      local[4 * m + 2] = q[at + 2];
      local[4 * m + 3] = q[at + 3 + (s & 1)];
    }
    bend.bendingStiffness = state.materialOf(state.yarn[bends.sides[3 * e]]).bendingStiffness;
    bend.set(local, 0);
  }

  add(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem): void {
    const { bends } = stencils;
    const bend = this.#bend;
    const { sides, slots } = bends;
    const { columnStart } = stencils.pattern;
    const { h, stiffnessDamping: beta } = stage;
    const stiff = h * h + beta * h;
    const product = (stage.linearized ? h * h : 0) + beta * h;
    const { v } = state;
    const { rhs, sideForce, values } = system;
    for (let e = 0; e < bends.count; e++) {
      if (state.materialOf(state.yarn[bends.sides[3 * e]]).bendingStiffness === 0) continue;
      this.#setBend(state, stencils, e);
      const { gradient, inPlane: w, outOfPlane: o } = bend;
      const k1 = bend.inPlaneStiffness;
      const k2 = bend.outOfPlaneStiffness;
      const s0 = sides[3 * e];
      const s1 = sides[3 * e + 1];
      const s2 = sides[3 * e + 2];
      const i = 5 * (s0 >> 1);
      const j = 5 * (s1 >> 1);
      const k = 5 * (s2 >> 1);
      const iu = 3 + (s0 & 1);
      const ju = 3 + (s1 & 1);
      const ku = 3 + (s2 & 1);
      let a = 0;
      let b = 0;
      if (product !== 0) {
        for (let c = 0; c < 3; c++) {
          a += w[c] * v[i + c] + w[4 + c] * v[j + c] + w[8 + c] * v[k + c];
          b += o[c] * v[i + c] + o[4 + c] * v[j + c] + o[8 + c] * v[k + c];
        }
        a = product * k1 * (a + w[3] * v[i + iu] + w[11] * v[k + ku]);
        b *= product * k2;
      }
      for (let c = 0; c < 3; c++) {
        const first = h * gradient[c] - a * w[c] - b * o[c];
        const last = -h * gradient[3 + c] - a * w[8 + c] - b * o[8 + c];
        const middle = h * (gradient[3 + c] - gradient[c]) - a * w[4 + c] - b * o[4 + c];
        rhs[i + c] += first;
        rhs[j + c] += middle;
        rhs[k + c] += last;
        if (sideForce === null) continue;
        sideForce[3 * s0 + c] += first / h;
        sideForce[3 * s1 + c] += middle / h;
        sideForce[3 * s2 + c] += last / h;
      }
      rhs[i + iu] += h * gradient[6] - a * w[3];
      rhs[k + ku] -= h * gradient[6] + a * w[11];
      if (values === null) continue;
      const a1 = stiff * k1;
      const a2 = stiff * k2;
      addBendBlock(values, 25 * columnStart[s0 >> 1], iu, iu, w, o, 0, 0, a1, a2);
      addBendBlock(values, 25 * columnStart[s1 >> 1], ju, ju, w, o, 4, 4, a1, a2);
      addBendBlock(values, 25 * columnStart[s2 >> 1], ku, ku, w, o, 8, 8, a1, a2);
      addBendPair(values, 25 * slots[3 * e], 25 * columnStart[s0 >> 1], i - j, iu, ju, w, o, 0, 4, a1, a2);
      addBendPair(values, 25 * slots[3 * e + 1], 25 * columnStart[s0 >> 1], i - k, iu, ku, w, o, 0, 8, a1, a2);
      addBendPair(values, 25 * slots[3 * e + 2], 25 * columnStart[s1 >> 1], j - k, ju, ku, w, o, 4, 8, a1, a2);
    }
  }
}

/** Adds k₁ w wᵀ + k₂ o oᵀ to a block: rows from w[r …] with their u at row ru, columns from w[c …] with theirs at cu. */
function addBendBlock(
  values: Float64Array,
  at: number,
  ru: number,
  cu: number,
  w: Float64Array,
  o: Float64Array,
  r: number,
  c: number,
  k1: number,
  k2: number,
): void {
  const c0 = w[c];
  const c1 = w[c + 1];
  const c2 = w[c + 2];
  const cm = w[c + 3];
  const o0 = o[c];
  const o1 = o[c + 1];
  const o2 = o[c + 2];
  for (let k = 0; k < 3; k++) {
    const p = k1 * w[r + k];
    const s = k2 * o[r + k];
    const row = at + 5 * k;
    values[row] += p * c0 + s * o0;
    values[row + 1] += p * c1 + s * o1;
    values[row + 2] += p * c2 + s * o2;
    values[row + cu] += p * cm;
  }
  const p = k1 * w[r + 3];
  const row = at + 5 * ru;
  values[row] += p * c0;
  values[row + 1] += p * c1;
  values[row + 2] += p * c2;
  values[row + cu] += p * cm;
}

/** The block of two nodes at w[m …] and w[n …], `order` the first minus the second; where they are one it is both ways in the diagonal's. */
function addBendPair(
  values: Float64Array,
  at: number,
  diagonal: number,
  order: number,
  mu: number,
  nu: number,
  w: Float64Array,
  o: Float64Array,
  m: number,
  n: number,
  k1: number,
  k2: number,
): void {
  if (order > 0) addBendBlock(values, at, mu, nu, w, o, m, n, k1, k2);
  else if (order < 0) addBendBlock(values, at, nu, mu, w, o, n, m, k1, k2);
  else {
    addBendBlock(values, diagonal, mu, nu, w, o, m, n, k1, k2);
    addBendBlock(values, diagonal, nu, mu, w, o, n, m, k1, k2);
  }
}
