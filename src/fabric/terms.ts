/**
 * All forces of a fabric beside those of its segments: bending, shear, wrapping, contact constraints of EIL nodes, parallel contact and friction. Their energies
 * are in `energy-*.ts`; here is where they act and how they enter the system of a Newton iteration,
 *     A += s H,   r −= h ∇V + p H v        s = h² + βh,  p = βh, or h² + βh while linearised;  β only for bending, shear and wrapping
 *
 * Friction has one limit for both material coordinates of a node, |k_f (u − ū, v − v̄)| ≤ μN: the two yarns slip on each other along one direction, and
 * for yarns at right angles its components are the slips in u and v. N is that of the last step.
 *     V = ½ k_f s²,  s ≤ μN/k_f;    V = μN s − (μN)²/(2k_f)  beyond;    H = k_f I  or  μN/s (I − ŝŝᵀ)
 *
 * EIL coordinates have no mass. Where the two yarns are nearly parallel nothing else decides where they are: a proximal term, PROXIMAL of the mass of
 * the material there, holds their velocities to the last iterate without a force. It is an error of one iteration, so it must be small beside the mass, not beside K.
 */
import { BendingStencil } from '../curve/index.ts';
import type { EnergyTerms } from '../model/index.ts';
import { AngleBetween } from './angle.ts';
import { computeContactStiffness, EilContact } from './energy-contact.ts';
import { ParallelContact } from './energy-parallel.ts';
import { StitchWrapping } from './energy-wrapping.ts';
import { computeNodeMass } from './load.ts';
import { ROLE_BETWEEN, ROLE_CROSSING } from './net.ts';
import { Scatter } from './scatter.ts';
import type { FabricStage } from './segments.ts';
import type { FabricState } from './state.ts';
import type { Stencils } from './stencils.ts';

const PROXIMAL = 1e-3;
/**
 * Stiffness of an EIL contact between layers over that within one, which is the paper's: 0.1 EA/L. Yarns of two layers that meet in one place are tied in a ring, so that a gap of
 * 10 nm, which slopes of yarns beside it make, would press them with 1 N at the paper's stiffness, a thousand times their weight. Along the yarns u and v are free: only the normal feels it.
 */
const BETWEEN_SOFTER = 1e-4;
/** What friction can take of a slip within a step, times this: what slips further goes on. */
export const SURE = 2;
/** Way that friction sticks within, relative to the spacing of crossings. */
const STICK = 0.01;

/** One system that terms are added to. `values` is null where only the right-hand side is wanted, `sideForce` where nobody asks. */
export interface FabricSystem {
  values: Float64Array | null;
  rhs: Float64Array;
  /** Force of each side's yarn on its node [N], 3 each. */
  sideForce: Float64Array | null;
  /** How far the solution went from where the last matrix is of [m], by coordinate: with `sideForce`, constraints of EIL nodes pull as that system had them. */
  moved: Float64Array | null;
}

export class FabricTerms {
  /** φ₀ of each crossing and ψ₀ of each wrap and yarn [rad]. */
  readonly #restAngle: Float64Array;
  readonly #wrapAngle: Float64Array;
  readonly #bend = new BendingStencil();
  readonly #angle = new AngleBetween();
  readonly #wrap = new StitchWrapping(0, 1, 0);
  readonly #single = new EilContact(1, 'EoL');
  readonly #double = new EilContact(1, 'EIL');
  readonly #parallel = new ParallelContact(1, 1, 1);
  /** Friction of each node in the last system, along its slip: limit or 0, and stiffness. */
  readonly #assumed: Float64Array;
  readonly #scatter = new Scatter();
  readonly #local = new Float64Array(18);
  readonly #g = new Float64Array(12);

  /** Rest angles are those of the state now. */
  constructor(state: FabricState, stencils: Stencils, wraps: number) {
    this.#restAngle = new Float64Array(state.count);
    this.#wrapAngle = new Float64Array(2 * wraps);
    this.#assumed = new Float64Array(2 * state.capacity);
    for (let e = 0; e < stencils.shears.count; e++) {
      this.#setShear(state, stencils, e);
      this.#restAngle[stencils.shearNode[e]] = this.#angle.angle;
    }
    for (let e = 0; e < stencils.wraps.count; e++) {
      this.#setWrap(state, stencils, e);
      this.#wrapAngle[stencils.wrapIndex[e]] = this.#wrap.angle;
    }
  }

  /** `hasPlain`: whether bending, shear and contacts of EIL nodes are in the system already (`compiled-assembly.ts`). */
  add(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem, hasPlain: boolean): void {
    if (!hasPlain) {
      this.#addBends(state, stencils, stage, system);
      this.#addShears(state, stencils, stage, system);
      this.#addSingles(state, stencils, stage, system);
      this.#addDoubles(state, stencils, stage, system);
    }
    if (system.sideForce !== null) this.#addSideForces(state, stencils, system.sideForce, system.moved);
    this.#addWraps(state, stencils, stage, system);
    this.#addParallels(state, stencils, stage, system);
    this.#addFriction(state, stencils, stage, system);
  }

  /** Energies of the state now [J]: bending with shear and wrapping, contact with constraints, parallel contact and friction. */
  addEnergy(state: FabricState, stencils: Stencils, terms: EnergyTerms, hasPlain = false): void {
    const { wraps, singles, doubles, parallels } = stencils;
    if (!hasPlain) this.#addPlainEnergy(state, stencils, terms);
    for (let e = 0; e < wraps.count; e++) {
      this.#setWrap(state, stencils, e);
      terms.bending += this.#wrap.energy;
    }
    for (let e = 0; e < singles.count; e++) {
      this.#setSingle(state, stencils, e);
      terms.contact += this.#single.energy;
    }
    for (let e = 0; e < doubles.count; e++) {
      this.#setDouble(state, stencils, e);
      terms.contact += this.#double.energy;
    }
    for (let e = 0; e < parallels.count; e++) {
      this.#setParallel(state, stencils, e);
      terms.contact += this.#parallel.energy;
    }
    const { count } = state;
    for (let i = 0; i < count; i++) {
      const limit = computeFrictionLimit(state, i);
      if (!(limit > 0)) continue;
      const k = computeFrictionStiffness(state, i, limit);
      const s = computeSlip(state, i);
      terms.contact += k * s > limit ? limit * s - (limit * limit) / (2 * k) : 0.5 * k * s * s;
    }
  }

  #addPlainEnergy(state: FabricState, stencils: Stencils, terms: EnergyTerms): void {
    const { bends, shears, shearNode } = stencils;
    for (let e = 0; e < bends.count; e++) {
      this.#setBend(state, stencils, e);
      terms.bending += this.#bend.energy;
    }
    for (let e = 0; e < shears.count; e++) {
      const k = this.#setShear(state, stencils, e);
      const off = this.#angle.angle - this.#restAngle[shearNode[e]];
      terms.bending += 0.5 * k * off * off;
    }
  }

  // bending

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

  #addBends(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem): void {
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

  // shear

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
  writeShears({ layers, yarn, yarnLayer }: FabricState, { shears, shearNode }: Stencils, out: Float64Array): void {
    for (let e = 0; e < shears.count; e++) {
      const layer = layers[yarnLayer[yarn[2 * shearNode[e]]]];
      out[2 * e] = layer.shearStiffness * layer.spacing;
      out[2 * e + 1] = this.#restAngle[shearNode[e]];
    }
  }

  #addShears(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem): void {
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

  // wrapping

  #setWrap(state: FabricState, stencils: Stencils, e: number): void {
    const { wraps, wrapIndex } = stencils;
    const layer = state.layers[state.layerOf(wraps.sides[4 * e])];
    const scatter = this.#scatter;
    scatter.begin(wraps, e);
    for (let m = 0; m < 4; m++) scatter.addPosition(m);
    scatter.gather(state.q, this.#local);
    this.#wrap.stiffness = layer.wrappingStiffness;
    this.#wrap.length = layer.spacing;
    this.#wrap.restAngle = this.#wrapAngle[wrapIndex[e]];
    this.#wrap.set(this.#local, false);
  }

  #addWraps(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem): void {
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

  // contact constraints of EIL nodes

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
  #addSideForces(state: FabricState, stencils: Stencils, sideForce: Float64Array, moved: Float64Array | null): void {
    const { singles, doubles } = stencils;
    for (let e = 0; e < singles.count; e++) {
      const b = singles.sides[3 * e + 2];
      this.#setSingle(state, stencils, e);
      this.#setAsSolved(this.#single, moved);
      // what the yarn does to the node's own x
      for (let k = 0; k < 3; k++) sideForce[3 * b + k] -= this.#single.gradient[9 + k];
      addSideForces(singles.sides, 3 * e, this.#single.gradient, 0, sideForce);
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
      for (let k = 0; k < 2; k++) addSideForces(doubles.sides, 5 * e + 2 * k, this.#double.gradient, 9 * k, sideForce);
    }
  }

  /** K and the proximal term of each contact of an EIL node. */
  writeContacts(state: FabricState, { singles, doubles }: Stencils, single: Float64Array, double: Float64Array): void {
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

  // parallel contact

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

  #addParallels(state: FabricState, stencils: Stencils, stage: FabricStage, system: FabricSystem): void {
    const { parallels } = stencils;
    const { h, linearized } = stage;
    const scatter = this.#scatter;
    for (let e = 0; e < parallels.count; e++) {
      this.#setParallel(state, stencils, e);
      const { gradient, hessian } = this.#parallel;
      if (gradient[0] === 0) continue;
      scatter.begin(parallels, e);
      for (let m = 0; m < 2; m++) scatter.add(m, 3 + (parallels.sides[2 * e + m] & 1));
      scatter.addGradient(gradient, -h, system.rhs);
      if (linearized) scatter.subtractProduct(hessian, state.v, h * h, system.rhs);
      if (system.values !== null) scatter.addHessian(hessian, h * h, stencils, system.values);
    }
  }

  // friction

  /** At the iterate q̂ + h v, also in the first iteration: whether something slips is not seen at q̂. */
  #addFriction(state: FabricState, stencils: Stencils, stage: FabricStage, { rhs, values }: FabricSystem): void {
    const { q, v, anchor, count } = state;
    const { columnStart } = stencils.pattern;
    const { h } = stage;
    const ahead = stage.linearized ? h : 0;
    for (let i = 0; i < count; i++) {
      const limit = computeFrictionLimit(state, i);
      if (!(limit > 0)) continue;
      const k = computeFrictionStiffness(state, i, limit);
      const a = q[5 * i + 3] + ahead * v[5 * i + 3] - anchor[2 * i];
      const b = q[5 * i + 4] + ahead * v[5 * i + 4] - anchor[2 * i + 1];
      const s = Math.sqrt(a * a + b * b);
      const slips = k * s > limit;
      const pull = slips ? limit / s : k;
      rhs[5 * i + 3] -= h * pull * a;
      rhs[5 * i + 4] -= h * pull * b;
      if (values === null) continue;
      // what surely goes on slipping has stiffness only across its way; else the parabola above V: exact, Newton hops over the range that sticks
      const isSure = slips && s > (SURE * limit * h * h) / computeNodeMass(state, i);
      const less = isSure ? pull / (s * s) : 0;
      const D = 25 * columnStart[i];
      values[D + 18] += h * h * (pull - less * a * a);
      values[D + 19] -= h * h * less * a * b;
      values[D + 23] -= h * h * less * a * b;
      values[D + 24] += h * h * (pull - less * b * b);
      this.#assumed[2 * i] = isSure ? limit : 0;
      this.#assumed[2 * i + 1] = isSure ? 0 : pull;
    }
  }

  /** Whether friction between yarns came out so other than the last system had it that a node is off by more than `tolerance` [m]. */
  isOther(state: FabricState, h: number, tolerance: number): boolean {
    const { count } = state;
    const assumed = this.#assumed;
    for (let i = 0; i < count; i++) {
      const limit = computeFrictionLimit(state, i);
      if (!(limit > 0)) continue;
      const s = computeSlip(state, i);
      const force = Math.min(limit, computeFrictionStiffness(state, i, limit) * s);
      const off = Math.abs(force - assumed[2 * i] - assumed[2 * i + 1] * s);
      if (off > (tolerance * computeNodeMass(state, i)) / (h * h)) return true;
    }
    return false;
  }
}

/** What the constraint of an EIL side does to its yarn's sides a and c, listed at `at`; its gradient starts at `from` with x_a u_a x_c. */
function addSideForces(sides: Int32Array, at: number, gradient: Float64Array, from: number, out: Float64Array): void {
  for (let m = 0; m < 2; m++) for (let k = 0; k < 3; k++) out[3 * sides[at + m] + k] -= gradient[from + 4 * m + k];
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

/** Distance of a node's material coordinates from their anchors [m]. */
function computeSlip({ q, anchor }: FabricState, i: number): number {
  const a = q[5 * i + 3] - anchor[2 * i];
  const b = q[5 * i + 4] - anchor[2 * i + 1];
  return Math.sqrt(a * a + b * b);
}

/** μN of a node [N]; 0 where nothing rubs. */
export function computeFrictionLimit(state: FabricState, i: number): number {
  const { role, yarn, yarnLayer, layers, friction, load } = state;
  if (role[i] !== ROLE_CROSSING && role[i] !== ROLE_BETWEEN) return 0;
  const a = yarnLayer[yarn[2 * i]];
  const b = yarnLayer[yarn[2 * i + 1]];
  const N = role[i] === ROLE_CROSSING ? layers[a].preload + load[i] : load[i];
  return N > 0 ? friction[a * layers.length + b] * N : 0;
}

/**
 * k_f of a node whose limit is μN [N/m]: of two layers the softer, and so soft that it sticks within STICK of the spacing. Stiffer ones make friction a jump that
 * Newton's iterations hop over; the anchor keeps what sticks from creeping, however soft the spring.
 */
export function computeFrictionStiffness({ yarn, yarnLayer, layers }: FabricState, i: number, limit: number): number {
  const a = layers[yarnLayer[yarn[2 * i]]];
  const b = layers[yarnLayer[yarn[2 * i + 1]]];
  return Math.min(a.frictionStiffness, b.frictionStiffness, limit / (STICK * Math.min(a.spacing, b.spacing)));
}

/** Drags the anchors of all nodes so far that no spring pulls with more than its limit; where nothing rubs they follow. */
export function dragAnchors(state: FabricState): void {
  const { q, anchor, yarn, count } = state;
  for (let i = 0; i < count; i++) {
    if (yarn[2 * i + 1] < 0) continue;
    const limit = computeFrictionLimit(state, i);
    const reach = limit > 0 ? limit / computeFrictionStiffness(state, i, limit) : 0;
    const s = computeSlip(state, i);
    if (!(s > reach)) continue;
    for (let k = 0; k < 2; k++) {
      const u = q[5 * i + 3 + k];
      anchor[2 * i + k] = u - (reach / s) * (u - anchor[2 * i + k]);
    }
  }
}
