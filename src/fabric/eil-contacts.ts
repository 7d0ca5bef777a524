/**
 * Constraints that tie EIL nodes to their yarns (`energy-contact.ts`): `singles`, EIL on one yarn, and `doubles`, on both.
 *
 * EIL coordinates have no mass. Where the two yarns are nearly parallel nothing else decides where they are: a proximal term, PROXIMAL of the mass of
 * the material there, holds their velocities to the last iterate without a force. It is an error of one iteration, so it must be small beside the mass, not beside K.
 */
import type { EnergyTerms } from '../model/index.ts';
import { computeContactStiffness, EilContact } from './energy-contact.ts';
import { computeNodeMass } from './load.ts';
import { ROLE_BETWEEN } from './net.ts';
import { Scatter } from './scatter.ts';
import type { FabricStage, FabricSystem } from './stage.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';

const PROXIMAL = 1e-3;
/**
 * Stiffness of an EIL contact between layers over that within one, which is that of [Sánchez-Banderas 2020]: 0.1 EA/L. Yarns of two layers that meet in one place are tied in a ring, so that a gap of
 * 10 nm, which slopes of yarns beside it make, would press them with 1 N at the paper's stiffness, a thousand times their weight. Along the yarns u and v are free: only the normal feels it.
 */
const BETWEEN_SOFTER = 1e-4;

export class EilContacts {
  readonly #single = new EilContact(1, 'EoL');
  readonly #double = new EilContact(1, 'EIL');
  readonly #scatter = new Scatter();
  readonly #local = new Float64Array(18);

  add(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem): void {
    this.#addSingles(state, stencils, stage, system);
    this.#addDoubles(state, stencils, stage, system);
  }

  addEnergy(state: FabricState, stencils: Stencils, terms: EnergyTerms): void {
    const { singles, doubles } = stencils;
    for (let e = 0; e < singles.count; e++) {
      this.#setSingle(state, stencils, e);
      terms.contact += this.#single.energy;
    }
    for (let e = 0; e < doubles.count; e++) {
      this.#setDouble(state, stencils, e);
      terms.contact += this.#double.energy;
    }
  }

  #setSingle(state: FabricState, { singles }: Stencils, e: number): void {
    const scatter = this.#scatter;
    const [a, c, b] = singles.sides.subarray(3 * e, 3 * e + 3);
    scatter.begin(singles, e);
    scatter.addPosition(0);
    scatter.add(0, 3 + (a & 1));
    scatter.addPosition(1);
    scatter.add(1, 3 + (c & 1));
    scatter.add(2, 3 + (b & 1));
    scatter.addPosition(2);
    scatter.gather(state.q, this.#local);
    this.#single.stiffness = computeConstraint(state, b);
    const sign = (b & 1) === 0 ? 1 : -1;
    for (let k = 0; k < 3; k++) this.#single.gap[k] = sign * state.gap[3 * (b >> 1) + k];
    this.#single.set(this.#local, false);
  }

  #addSingles(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem): void {
    const { singles, pattern } = stencils;
    const { values } = system;
    for (let e = 0; e < singles.count; e++) {
      this.#setSingle(state, stencils, e);
      this.#addContact(this.#single, stencils, state, stage, system);
      const b = singles.sides[3 * e + 2];
      if (values !== null) hold(values, pattern.columnStart[b >> 1], b & 1, computeHold(state, b));
    }
  }

  #setDouble(state: FabricState, { doubles }: Stencils, e: number): void {
    const scatter = this.#scatter;
    const sides = doubles.sides.subarray(5 * e, 5 * e + 5);
    scatter.begin(doubles, e);
    for (let k = 0; k < 2; k++) {
      for (let m = 2 * k; m < 2 * k + 2; m++) {
        scatter.addPosition(m);
        scatter.add(m, 3 + (sides[m] & 1));
      }
      scatter.add(4, 3 + k);
    }
    scatter.gather(state.q, this.#local);
    this.#double.stiffness = 0.5 * (computeConstraint(state, sides[4]) + computeConstraint(state, sides[4] + 1));
    for (let k = 0; k < 3; k++) this.#double.gap[k] = state.gap[3 * (sides[4] >> 1) + k];
    this.#double.set(this.#local, false);
  }

  #addDoubles(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem): void {
    const { doubles, pattern } = stencils;
    const { values } = system;
    for (let e = 0; e < doubles.count; e++) {
      this.#setDouble(state, stencils, e);
      this.#addContact(this.#double, stencils, state, stage, system);
      if (values === null) continue;
      const b = doubles.sides[5 * e + 4];
      for (let k = 0; k < 2; k++) hold(values, pattern.columnStart[b >> 1], k, computeHold(state, b));
    }
  }

  /** What the constraints do to the sides that they join. */
  addSideForces(state: FabricState, stencils: Stencils, sideForce: Float64Array, moved: Float64Array | null): void {
    const { singles, doubles } = stencils;
    for (let e = 0; e < singles.count; e++) {
      const b = singles.sides[3 * e + 2];
      this.#setSingle(state, stencils, e);
      this.#setAsSolved(this.#single, moved);
      // what the yarn does to the node's own x
      for (let k = 0; k < 3; k++) sideForce[3 * b + k] -= this.#single.gradient[9 + k];
      pullSides(singles.sides, 3 * e, this.#single.gradient, 0, sideForce);
    }
    for (let e = 0; e < doubles.count; e++) {
      const b = doubles.sides[5 * e + 4];
      this.#setDouble(state, stencils, e);
      this.#setAsSolved(this.#double, moved);
      for (let k = 0; k < 3; k++) {
        const force = this.#double.gradient[k] + this.#double.gradient[4 + k];
        sideForce[3 * b + k] += force;
        sideForce[3 * b + 3 + k] -= force;
      }
      for (let k = 0; k < 2; k++) pullSides(doubles.sides, 5 * e + 2 * k, this.#double.gradient, 9 * k, sideForce);
    }
  }

  /** K and the proximal term of each contact of an EIL node. */
  writeStiffness(state: FabricState, { singles, doubles }: Stencils, single: Float64Array, double: Float64Array): void {
    for (let e = 0; e < singles.count; e++) {
      const b = singles.sides[3 * e + 2];
      single[2 * e] = computeConstraint(state, b);
      single[2 * e + 1] = computeHold(state, b);
    }
    for (let e = 0; e < doubles.count; e++) {
      const b = doubles.sides[5 * e + 4];
      double[2 * e] = 0.5 * (computeConstraint(state, b) + computeConstraint(state, b + 1));
      double[2 * e + 1] = computeHold(state, b);
    }
  }

  /**
   * The gradient of a constraint as the last system had it, ∇V(q') + H (q − q'): K is so large that what one iteration leaves of the gap, harmless in itself, is
   * far more than the load.
   */
  #setAsSolved(term: EilContact, moved: Float64Array | null): void {
    if (moved === null) return;
    const { size, gradient, hessian } = term;
    const [scatter, local] = [this.#scatter, this.#local];
    for (let k = 0; k < size; k++) local[k] -= moved[scatter.coordinate[k]];
    term.set(local, false);
    for (let k = 0; k < size; k++)
      for (let l = 0; l < size; l++) gradient[k] += hessian[size * k + l] * moved[scatter.coordinate[l]];
  }

  #addContact(
    { gradient, hessian }: EilContact,
    stencils: Stencils,
    { v }: FabricState,
    { h, linearized }: FabricStage,
    { rhs, values }: FabricSystem,
  ): void {
    this.#scatter.addGradient(gradient, -h, rhs);
    if (linearized) this.#scatter.subtractProduct(hessian, v, h * h, rhs);
    if (values !== null) this.#scatter.addHessian(hessian, h * h, stencils, values);
  }
}

/** What the constraint of an EIL side does to its yarn's sides a and c, listed at `at`; its gradient starts at `from` with x_a u_a x_c. */
function pullSides(sides: Int32Array, at: number, gradient: Float64Array, from: number, out: Float64Array): void {
  for (let m = 0; m < 2; m++) for (let k = 0; k < 3; k++) out[3 * sides[at + m] + k] -= gradient[from + 4 * m + k];
}

/** Adds the proximal term of a side's material coordinate. */
function hold(values: Float64Array, diagonal: number, k: number, mass: number): void {
  values[25 * diagonal + 6 * (3 + k)] += mass;
}

/** Mass that holds the material coordinate of an EIL side to the last iterate [kg]. */
const computeHold = (state: FabricState, s: number): number => PROXIMAL * computeNodeMass(state, s >> 1);

/** K of the constraint of an EIL side [N/m]. */
const computeConstraint = (state: FabricState, s: number): number =>
  (state.role[s >> 1] === ROLE_BETWEEN ? BETWEEN_SOFTER : 1) *
  computeContactStiffness(state.materialOf(state.yarn[s]).stretchStiffness, state.layers[state.layerOf(s)].spacing);
