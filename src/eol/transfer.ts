/**
 * Velocity transfer after a change of discretisation.
 *
 *     minimise ½ ∫ ρ |v_new − v_old|²   subject to   held coordinates = prescribed,   ∫ ρ v_new = ∫ ρ v_old,   T_new ≤ T_most
 *
 * v = Σ φ_i (ẋ_i − F Ẋ_i) is the velocity of the material: the mass-weighted fit of [theory/eol#velocity-transfer]
 * with the integral taken on the common refinement of both meshes (exact). World momentum is kept exactly in every direction
 * that the free coordinates can reach; what the held ones make unreachable is reported.
 *
 * Energy: a fit that keeps the momentum may have more than the old field. With v_f that fit and v_m the field of least energy among
 * those with the same momentum, T(v_m + s (v_f − v_m)) = T_m + s² (T_f − T_m), and the fields with T ≤ T_most are a ball round v_m:
 * the nearest to the old one is that with s² = (T_most − T_m)/(T_f − T_m). Where even v_m has more, and one direction of the
 * momentum can hardly be reached (only by material that runs through nodes held in place), that direction counts as
 * unreachable; else v_m is taken.
 * [Piddington 2017, Eq. 5.1] prints +q̇ᵀ M q̇_old; the sign is minus, as here.
 */
import { computeHypot2, writeSymmetricEigen } from '../math/index.ts';
import { DenseLdlt } from '../sparse/index.ts';
import { EolElement } from './element.ts';
import { type OverlayVisitor, overlaySegments, overlayTriangles } from './overlay.ts';

/** A patch of EoL material: coordinates node by node (x, y, z, then d material ones). */
export interface EolPatch {
  readonly dimension: 1 | 2;
  readonly q: Float64Array;
  /** d + 1 node indices per element. */
  readonly elements: Int32Array;
  /** Mass per material length or area [kg/m^d]. */
  readonly density: number;
}

/** A direction of momentum that moves less than this share of the mass that the best one moves may be given up for energy. */
const HARDLY_REACHED = 0.1;
/** Kinetic energies that differ by less than this share count as one. */
const SAME_ENERGY = 1e-12;

export interface TransferReport {
  /** Momentum that the free coordinates could not take over [kg m/s]: an impulse on whatever holds the others. */
  lostMomentum: number;
  /** Kinetic energy before and after [J]. */
  before: number;
  after: number;
}

/** An element of a patch as it is being visited. */
class Visited {
  readonly element: EolElement;
  readonly nodes: Int32Array;
  /** Material corners. */
  readonly corners: Float64Array;
  readonly #local: Float64Array;

  constructor(dimension: 1 | 2) {
    this.element = new EolElement(dimension);
    const { nodes, stride } = this.element;
    this.nodes = new Int32Array(nodes);
    this.corners = new Float64Array(nodes * dimension);
    this.#local = new Float64Array(nodes * stride);
  }

  /** Takes element number e of a patch. */
  visit(patch: EolPatch, e: number): void {
    const { element, nodes, corners } = this;
    for (let i = 0; i < element.nodes; i++) nodes[i] = patch.elements[e * element.nodes + i];
    element.setConfiguration(this.#gather(patch.q));
    const d = element.dimension;
    for (let i = 0; i < element.nodes; i++)
      for (let a = 0; a < d; a++) corners[i * d + a] = this.#local[i * element.stride + 3 + a];
  }

  setVelocity(velocity: Float64Array): void {
    this.element.setVelocity(this.#gather(velocity));
  }

  /** φ_i at a material point: 1 at its own corner, gradient ∇φ_i from there. */
  writeShape(point: Float64Array, phi: Float64Array): void {
    const { dimension: d, nodes, gradients } = this.element;
    for (let i = 0; i < nodes; i++) {
      phi[i] = 1;
      for (let a = 0; a < d; a++) phi[i] += gradients[i * d + a] * (point[a] - this.corners[i * d + a]);
    }
  }

  #gather(values: Float64Array): Float64Array {
    const { nodes, stride } = this.element;
    for (let i = 0; i < nodes; i++)
      for (let c = 0; c < stride; c++) this.#local[i * stride + c] = values[this.nodes[i] * stride + c];
    return this.#local;
  }
}

/** Transfers velocities, keeping its room for the next time. */
export class VelocityTransfer {
  readonly #target: Visited;
  readonly #source: Visited;
  readonly #localMass: Float64Array;
  readonly #phi: Float64Array;
  readonly #point: Float64Array;
  readonly #velocity = new Float64Array(3);
  /** Momentum of the old field. */
  readonly #wanted = new Float64Array(3);
  readonly #defect = new Float64Array(3);
  readonly #multipliers = new Float64Array(3);
  readonly #S = new Float64Array(9);
  readonly #values = new Float64Array(3);
  readonly #vectors = new Float64Array(9);
  readonly #work = new Float64Array(9);
  readonly #solver = new DenseLdlt();
  readonly #report: TransferReport = { lostMomentum: 0, before: 0, after: 0 };
  #density = 0;
  #mass = new Float64Array(0);
  #rhs = new Float64Array(0);
  /** World momentum per unit of each coordinate's velocity, three rows. */
  #momentum = new Float64Array(0);
  #reduced = new Float64Array(0);
  #fit = new Float64Array(0);
  #fitted = new Float64Array(0);
  #free = new Int32Array(0);
  #columns: readonly Float64Array[] = [];

  constructor(dimension: 1 | 2) {
    this.#target = new Visited(dimension);
    this.#source = new Visited(dimension);
    const { nodes, stride } = this.#target.element;
    this.#localMass = new Float64Array((nodes * stride) ** 2);
    this.#phi = new Float64Array(nodes);
    this.#point = new Float64Array(dimension);
  }

  /**
   * Writes into `toVelocity` the velocities of `to` that fit `from` best. Coordinates with `held[i]` keep the value they
   * have there. The kinetic energy does not grow, less `price`: energy that something else has gained by the change [J].
   * The report is reused.
   */
  transfer(
    from: EolPatch,
    fromVelocity: Float64Array,
    to: EolPatch,
    held: Uint8Array,
    toVelocity: Float64Array,
    price = 0,
  ): TransferReport {
    const size = to.q.length;
    const report = this.#report;
    this.#reserve(size);
    this.#addMassAndMomentum(to);
    this.#addOverlay(from, fromVelocity, to);
    const n = this.#factor(size, held);
    this.addMomentum(from, fromVelocity, this.#wanted.fill(0));
    report.before = this.computeKineticEnergy(from, fromVelocity);
    const most = report.before - price;
    let rank = 3;
    for (;;) {
      report.lostMomentum = this.#writeField(size, n, held, toVelocity, rank, true);
      report.after = this.#computeEnergy(size, toVelocity);
      if (report.after <= most + SAME_ENERGY * report.before) return report;
      this.#fitted.set(toVelocity);
      const fitted = report.after;
      this.#writeField(size, n, held, toVelocity, rank, false);
      report.after = this.#computeEnergy(size, toVelocity);
      if (report.after <= most) {
        const share = Math.sqrt((most - report.after) / (fitted - report.after));
        for (let i = 0; i < size; i++) toVelocity[i] += share * (this.#fitted[i] - toVelocity[i]);
        report.after = most;
        return report;
      }
      if (rank === 1 || !(this.#values[3 - rank] < HARDLY_REACHED * this.#values[2])) return report;
      rank--;
    }
  }

  /** Kinetic energy ½ ∫ ρ v² of a patch [J]. */
  computeKineticEnergy(patch: EolPatch, velocity: Float64Array): number {
    let sum = 0;
    for (let e = 0; e < countElements(patch); e++) {
      this.#source.visit(patch, e);
      this.#source.setVelocity(velocity);
      sum += this.#source.element.computeKineticEnergy(patch.density);
    }
    return sum;
  }

  /** World momentum ∫ ρ v of a patch [kg m/s], added to out[0..2]. */
  addMomentum(patch: EolPatch, velocity: Float64Array, out: Float64Array): void {
    const { element } = this.#source;
    for (let e = 0; e < countElements(patch); e++) {
      this.#source.visit(patch, e);
      this.#source.setVelocity(velocity);
      for (let i = 0; i < element.nodes; i++)
        for (let k = 0; k < 3; k++)
          out[k] += (patch.density * element.measure * element.materialVelocity[3 * i + k]) / element.nodes;
    }
  }

  /** Zeroes the sums for `size` coordinates, after making room. */
  #reserve(size: number): void {
    if (this.#rhs.length < size) {
      this.#mass = new Float64Array(size * size);
      this.#rhs = new Float64Array(size);
      this.#momentum = new Float64Array(3 * size);
      this.#reduced = new Float64Array(size * size);
      this.#fit = new Float64Array(size);
      this.#fitted = new Float64Array(size);
      this.#free = new Int32Array(size);
      this.#columns = [0, 1, 2].map(() => new Float64Array(size));
      this.#solver.reserve(size);
    }
    this.#mass.fill(0, 0, size * size);
    this.#rhs.fill(0, 0, size);
    this.#momentum.fill(0, 0, 3 * size);
  }

  #addMassAndMomentum(patch: EolPatch): void {
    const { element, nodes } = this.#target;
    const { dimension: d, stride, nodes: count } = element;
    const size = patch.q.length;
    const local = this.#localMass;
    for (let e = 0; e < countElements(patch); e++) {
      this.#target.visit(patch, e);
      local.fill(0);
      element.addMass(patch.density, local);
      for (let i = 0; i < count; i++)
        for (let j = 0; j < count; j++)
          for (let r = 0; r < stride; r++)
            for (let c = 0; c < stride; c++)
              this.#mass[(nodes[i] * stride + r) * size + nodes[j] * stride + c] +=
                local[(i * stride + r) * count * stride + j * stride + c];
      const share = (patch.density * element.measure) / count;
      for (let i = 0; i < count; i++)
        for (let k = 0; k < 3; k++) {
          this.#momentum[k * size + nodes[i] * stride + k] += share;
          for (let a = 0; a < d; a++)
            this.#momentum[k * size + nodes[i] * stride + 3 + a] -= share * element.F[k * d + a];
        }
    }
  }

  /** rhs += ∫ ρ J_iᵀ φ_i v_old over the common refinement. */
  #addOverlay(from: EolPatch, fromVelocity: Float64Array, to: EolPatch): void {
    this.#density = to.density;
    for (let t = 0; t < countElements(to); t++) {
      this.#target.visit(to, t);
      for (let f = 0; f < countElements(from); f++) {
        this.#source.visit(from, f);
        this.#source.setVelocity(fromVelocity);
        if (to.dimension === 1)
          overlaySegments(this.#target.corners, this.#source.corners, this.#point, this.#addImpulse);
        else overlayTriangles(this.#target.corners, this.#source.corners, this.#addImpulse);
      }
    }
  }

  /** One quadrature point of the overlay of the two visited elements. */
  readonly #addImpulse: OverlayVisitor = (point, weight) => {
    const { element: target, nodes } = this.#target;
    const { element: source } = this.#source;
    const { dimension: d, stride, nodes: count } = target;
    const phi = this.#phi;
    const velocity = this.#velocity.fill(0);
    this.#source.writeShape(point, phi);
    for (let i = 0; i < count; i++)
      for (let k = 0; k < 3; k++) velocity[k] += phi[i] * source.materialVelocity[3 * i + k];
    this.#target.writeShape(point, phi);
    for (let i = 0; i < count; i++)
      for (let k = 0; k < 3; k++) {
        const impulse = weight * this.#density * phi[i] * velocity[k];
        this.#rhs[nodes[i] * stride + k] += impulse;
        for (let a = 0; a < d; a++) this.#rhs[nodes[i] * stride + 3 + a] -= target.F[k * d + a] * impulse;
      }
  };

  /** Factorises the mass of the free coordinates, and what of it each direction of momentum moves; returns their number. */
  #factor(size: number, held: Uint8Array): number {
    const free = this.#free;
    const momentum = this.#momentum;
    const columns = this.#columns;
    let n = 0;
    for (let i = 0; i < size; i++) if (!held[i]) free[n++] = i;
    for (let a = 0; a < n; a++)
      for (let b = 0; b < n; b++) this.#reduced[a * n + b] = this.#mass[free[a] * size + free[b]];
    this.#solver.factor(this.#reduced, n);
    // S = P M⁻¹ Pᵀ (3×3, maybe rank-deficient)
    const S = this.#S.fill(0);
    for (let k = 0; k < 3; k++) {
      for (let a = 0; a < n; a++) columns[k][a] = momentum[k * size + free[a]];
      this.#solver.solve(columns[k]);
    }
    for (let k = 0; k < 3; k++)
      for (let l = 0; l < 3; l++)
        for (let a = 0; a < n; a++) S[3 * k + l] += momentum[k * size + free[a]] * columns[l][a];
    writeSymmetricEigen(S, this.#values, this.#vectors, this.#work);
    return n;
  }

  /**
   * Writes the field nearest to the old one, or that of least energy, pushed by M⁻¹ Pᵀ μ until the momentum is right:
   * S μ = defect, in the `rank` directions that are reached best. Returns the momentum that it lacks.
   */
  #writeField(
    size: number,
    n: number,
    held: Uint8Array,
    velocity: Float64Array,
    rank: number,
    isNearest: boolean,
  ): number {
    const [mass, momentum, free, fit] = [this.#mass, this.#momentum, this.#free, this.#fit];
    for (let a = 0; a < n; a++) {
      fit[a] = isNearest ? this.#rhs[free[a]] : 0;
      for (let j = 0; j < size; j++) if (held[j]) fit[a] -= mass[free[a] * size + j] * velocity[j];
    }
    this.#solver.solve(fit);
    const defect = this.#defect;
    for (let k = 0; k < 3; k++) {
      defect[k] = this.#wanted[k];
      for (let j = 0; j < size; j++) if (held[j]) defect[k] -= momentum[k * size + j] * velocity[j];
      for (let a = 0; a < n; a++) defect[k] -= momentum[k * size + free[a]] * fit[a];
    }
    const lost = this.#solvePseudo(rank);
    for (let a = 0; a < n; a++) {
      let v = fit[a];
      for (let l = 0; l < 3; l++) v += this.#columns[l][a] * this.#multipliers[l];
      velocity[free[a]] = v;
    }
    return lost;
  }

  /** ½ vᵀ M v of the new discretisation [J]. */
  #computeEnergy(size: number, velocity: Float64Array): number {
    const mass = this.#mass;
    let sum = 0;
    for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) sum += velocity[i] * mass[i * size + j] * velocity[j];
    return 0.5 * sum;
  }

  /** Least-norm solution of S μ = defect in `rank` directions of the symmetric 3×3 S; returns the part of the defect outside. */
  #solvePseudo(rank: number): number {
    const b = this.#defect;
    const values = this.#values;
    const vectors = this.#vectors;
    const multipliers = this.#multipliers.fill(0);
    let lost = 0;
    const largest = Math.max(Math.abs(values[0]), Math.abs(values[1]), Math.abs(values[2]));
    for (let e = 0; e < 3; e++) {
      const amount = vectors[e] * b[0] + vectors[3 + e] * b[1] + vectors[6 + e] * b[2];
      if (e >= 3 - rank && values[e] > 1e-9 * largest)
        for (let k = 0; k < 3; k++) multipliers[k] += (vectors[3 * k + e] * amount) / values[e];
      else lost = computeHypot2(lost, amount);
    }
    return lost;
  }
}

/** A transfer on its own; see `VelocityTransfer.transfer`. */
export function transferVelocity(
  from: EolPatch,
  fromVelocity: Float64Array,
  to: EolPatch,
  held: Uint8Array,
  toVelocity: Float64Array,
): TransferReport {
  return new VelocityTransfer(to.dimension).transfer(from, fromVelocity, to, held, toVelocity);
}

/** World momentum ∫ ρ v of a patch [kg m/s]. */
export function computeMomentum(patch: EolPatch, velocity: Float64Array): [number, number, number] {
  const total = new Float64Array(3);
  new VelocityTransfer(patch.dimension).addMomentum(patch, velocity, total);
  return [total[0], total[1], total[2]];
}

const countElements = (patch: EolPatch): number => patch.elements.length / (patch.dimension + 1);
