/**
 * Keeps the angular momentum of what is on its own: models that push each other, and that nothing else pushes but their weight.
 *
 * Implicit Euler takes some of it in every step. Its forces belong to the places x' at the end of the step, about which those between models have no moment, while
 * momentum moves on:
 *     x' = x + h v',  M (v' − v) = h f,  Σ x' × f = 0         L' − L = Σ x' × M v' − Σ x × M v = h Σ v' × M v = −h² Σ v' × f
 * Something stiff that turns by φ = ω h in a step is left with L cos φ. Less is lost by contacts whose rows were linearised before the end of the step, by friction, which acts on centre lines and middle
 * surfaces, by guests in the grid of a continuum, by iterations that end early, and by changes of the mesh.
 *
 * All of it is measured and given back when the step is accepted, as the smallest change of velocities in the norm of the mass that has it: a turn about the centre of mass c,
 *     v' += ω × (x' − c),     I ω = S − S'        S = L − c × P  angular momentum about the centre of mass, which weight does not change
 * Nodes that material slides through make the centre of mass stray, by O(h²): it is moved to where P leads, c + h P'/m (the mean of P and P' with second order), so that L about fixed points is kept, too.
 * It stretches and bends nothing, keeps ties and contacts as they are, and has no linear momentum; of single models of a group it changes that, without a force that would be told.
 *
 * The turn gives energy back that was lost with L. So that no step ends with more than it began with, E, what moves otherwise than rigidly is slowed down where it would, by the share s:
 *     v' ← V + s (v' − V),     T* + s² (T' − T_V) + U' = max(E, E')        V  rigid motion with P and S'     T_V, T*  kinetic energy of that before and after the turn     U'  potential energy
 * Where a rigid motion with S alone has more, as at the start of something that turns in equilibrium, which has the least energy for its S, it is that: see docs/reference/mixed.md.
 *
 * What is held, driven, blown at, braked, or touches something that does not move exchanges angular momentum with it, and is left as it is. Whether that is so, models, drivers and ties say, and linear
 * momentum does, which must have changed by the weight alone.
 */
import type { Body } from '../bodies/index.ts';
import { inverseMat3, zeroMat3 } from '../math/index.ts';
import {
  type ConstraintRows,
  type EnergyTerms,
  INERTIA_LENGTH,
  isTurnable,
  type Model,
  type Stage,
  type TurnableModel,
} from '../model/index.ts';
import type { Driver } from './drivers.ts';
import { Groups } from './groups.ts';
import type { Tie } from './ties.ts';

/** What linear momentum may be off by in a step, relative to what there is: above what iterations leave, and material that slides through rings on bodies. */
const BALANCE = 1e-5;
/** Share of the kinetic energy that is left out of what may be had, for rounding. */
const ROUNDING = 1e-13;
/** Share of the mean inertia that things have at least about any axis: a straight line has none about itself. */
const THIN = 1e-9;
/** Way of the turn in a step, over the radius of gyration, both as means over the mass: a step that lost more than that has not seen what happened. */
const LARGEST_TURN = 0.02;
/** The same for what the centre of mass may have strayed in a step. */
const LARGEST_WAY = 1e-3;

interface Outside {
  readonly bodies: readonly Body[];
  readonly drivers: readonly Driver[];
  readonly ties: readonly Tie[];
}

/** Whether nothing acts on models from outside, not even weight: what angular momentum is kept of where nobody says. */
export function areIsolated(models: readonly Model[], { bodies, drivers, ties }: Outside): boolean {
  return (
    drivers.every(({ isInternal }) => isInternal) &&
    bodies.every(({ motion }) => motion === 'dynamic') &&
    ties.every(({ turnedPart }) => turnedPart === undefined) &&
    models.every((model) => isTurnable(model) && !weighs(model) && model.isOnItsOwn(0))
  );
}

const weighs = ({ gravity }: TurnableModel): boolean => gravity[0] !== 0 || gravity[1] !== 0 || gravity[2] !== 0;

/** What a model, or a group of them, has at a moment. */
class Motion {
  /** P [kg m/s], then L about the origin [kg m²/s]. */
  readonly momentum = new Float64Array(6);
  /** Mass and inertia as in `model/turnable-model.ts`. */
  readonly inertia = new Float64Array(INERTIA_LENGTH);
  readonly energy: EnergyTerms = { kinetic: 0, stretch: 0, bending: 0, gravity: 0, contact: 0, total: 0 };

  clear(): void {
    this.momentum.fill(0);
    this.inertia.fill(0);
    const { energy } = this;
    energy.kinetic = energy.stretch = energy.bending = energy.gravity = energy.contact = 0;
  }

  addModel(model: TurnableModel): void {
    model.addMomentum(this.momentum);
    model.addInertia(this.inertia);
    model.addEnergy(this.energy);
  }

  add({ momentum, inertia, energy }: Motion): void {
    for (let k = 0; k < 6; k++) this.momentum[k] += momentum[k];
    for (let k = 0; k < INERTIA_LENGTH; k++) this.inertia[k] += inertia[k];
    this.energy.kinetic += energy.kinetic;
    this.energy.stretch += energy.stretch;
    this.energy.bending += energy.bending;
    this.energy.gravity += energy.gravity;
    this.energy.contact += energy.contact;
  }

  get potential(): number {
    const { stretch, bending, gravity, contact } = this.energy;
    return stretch + bending + gravity + contact;
  }

  /** Component k of L about the centre of mass. */
  computeSpin(k: number): number {
    const { momentum: p, inertia: m } = this;
    const a = (k + 1) % 3;
    const b = (k + 2) % 3;
    return p[3 + k] - (m[1 + a] * p[b] - m[1 + b] * p[a]) / m[0];
  }
}

export class KeptSpin {
  readonly #models: readonly Model[];
  readonly #drivers: readonly Driver[];
  readonly #ties: readonly Tie[];
  readonly #groups: Groups;
  /** By model: what it has when the step begins. */
  readonly #starts: readonly Motion[];
  /** Of a group: at the start and at the end of the step. */
  readonly #start = new Motion();
  readonly #end = new Motion();
  readonly #tensor = zeroMat3();
  /** With what a straight line is given about itself, and the inverse of that. */
  readonly #padded = new Float64Array(9);
  readonly #inverse = zeroMat3();
  /** L about the centre of mass at the end, and what is missing of it. */
  readonly #spin = new Float64Array(3);
  readonly #missing = new Float64Array(3);
  /** ω of the turn. */
  readonly #omega = new Float64Array(3);
  /** ω of the rigid motion that has the angular momentum of the end. */
  readonly #rigid = new Float64Array(3);
  readonly #rest = new Float64Array(3);
  readonly #motion = new Float64Array(6);
  readonly #way = new Float64Array(3);

  constructor(models: readonly Model[], { drivers, ties }: Outside) {
    this.#models = models;
    this.#drivers = drivers;
    this.#ties = ties;
    this.#groups = new Groups(models);
    this.#starts = models.map(() => new Motion());
  }

  /** Before anything of a step is done. */
  begin(): void {
    for (let p = 0; p < this.#models.length; p++) {
      const model = this.#models[p];
      if (!mayHaveTurned(model)) continue;
      this.#starts[p].clear();
      this.#starts[p].addModel(model);
    }
  }

  /** The step of that last stage is accepted: gives back what it took. `rows` as they were solved last. */
  giveBack(rows: ConstraintRows, { start: time, step: h, order }: Stage): void {
    const { leader } = this.#groups;
    this.#groups.find(rows);
    for (let p = 0; p < leader.length; p++)
      if (leader[p] === p && this.#isOnItsOwn(p, time) && this.#measure(p, h) && this.#writeTurn(h)) {
        this.#turn(p);
        this.#lead(p, h, order);
      }
  }

  /** Whether all of a group is on its own, weighs in one direction, and may have lost something. */
  #isOnItsOwn(first: number, time: number): boolean {
    const { next, hasRows } = this.#groups;
    let mayLose = hasRows[first] === 1;
    for (let p = first; p >= 0; p = next[p]) {
      const model = this.#models[p];
      if (!mayHaveTurned(model) || !model.isOnItsOwn(time) || this.#isPushed(p, time)) return false;
      const { gravity } = this.#models[first] as TurnableModel;
      for (let k = 0; k < 3; k++) if (model.gravity[k] !== gravity[k]) return false;
      if (!model.keepsSpin) mayLose = true;
    }
    return mayLose;
  }

  /** By a driver's force, or by a tie that keeps it from turning. */
  #isPushed(p: number, time: number): boolean {
    for (const driver of this.#drivers) if (driver.findPushed?.(time) === this.#models[p]) return true;
    for (const { turnedPart } of this.#ties) if (turnedPart === p) return true;
    return false;
  }

  /** What a group has and what it misses; false where something else than its weight changed its momentum. */
  #measure(first: number, h: number): boolean {
    const [start, end] = [this.#start, this.#end];
    start.clear();
    end.clear();
    for (let p = first; p >= 0; p = this.#groups.next[p]) {
      start.add(this.#starts[p]);
      end.addModel(this.#models[p] as TurnableModel);
    }
    const model = this.#models[first] as TurnableModel;
    const mass = end.inertia[0];
    const spread = this.#writeTensor();
    if (!(spread > 0)) return false;
    let off = 0;
    let size = 0;
    for (let k = 0; k < 3; k++) {
      const weight = h * mass * model.gravity[k];
      const spin = start.computeSpin(k);
      this.#spin[k] = end.computeSpin(k);
      this.#missing[k] = spin - this.#spin[k];
      off += (end.momentum[k] - start.momentum[k] - weight) ** 2;
      size += start.momentum[k] ** 2 + weight ** 2 + (mass * spin ** 2) / spread;
    }
    return off <= BALANCE ** 2 * size;
  }

  /** The inertia tensor about the centre of mass at the end, and its inverse; returns the mean of its moments [kg m²]. */
  #writeTensor(): number {
    const tensor = this.#tensor;
    const [m, x, y, z, xx, yy, zz, xy, xz, yz] = this.#end.inertia;
    tensor[0] = xx - (y * y + z * z) / m;
    tensor[4] = yy - (x * x + z * z) / m;
    tensor[8] = zz - (x * x + y * y) / m;
    tensor[1] = tensor[3] = xy + (x * y) / m;
    tensor[2] = tensor[6] = xz + (x * z) / m;
    tensor[5] = tensor[7] = yz + (y * z) / m;
    const mean = (tensor[0] + tensor[4] + tensor[8]) / 3;
    const padded = this.#padded;
    padded.set(tensor);
    for (let k = 0; k < 9; k += 4) padded[k] += THIN * mean;
    if (mean > 0) inverseMat3(padded, this.#inverse);
    return mean;
  }

  /** out := I⁻¹ b. What a straight line is given about itself is taken off the result once more: the rest is exact to rounding. */
  #solve(b: Float64Array, out: Float64Array): Float64Array {
    const [tensor, inverse, rest] = [this.#tensor, this.#inverse, this.#rest];
    rest.set(b);
    out.fill(0);
    for (let pass = 0; pass < 2; pass++) {
      for (let k = 0; k < 3; k++) for (let c = 0; c < 3; c++) out[k] += inverse[3 * k + c] * rest[c];
      for (let k = 0; k < 3; k++) {
        rest[k] = b[k];
        for (let c = 0; c < 3; c++) rest[k] -= tensor[3 * k + c] * out[c];
      }
    }
    return out;
  }

  /** ω of the turn; false where that is too large. */
  #writeTurn(h: number): boolean {
    const [omega, missing] = [this.#solve(this.#missing, this.#omega), this.#missing];
    const twice = omega[0] * missing[0] + omega[1] * missing[1] + omega[2] * missing[2];
    const [a, , , , b, , , , c] = this.#tensor;
    return 3 * h * h * twice < LARGEST_TURN ** 2 * (a + b + c);
  }

  /** Turns a group by what it misses, and slows down what moves in it otherwise. */
  #turn(first: number): void {
    const [motion, { momentum, inertia }] = [this.#motion, this.#end];
    const [omega, rigid] = [this.#omega, this.#solve(this.#spin, this.#rigid)];
    const share = this.#computeShare();
    for (let k = 0; k < 3; k++) {
      motion[k] = ((1 - share) * momentum[k]) / inertia[0];
      motion[3 + k] = omega[k] + (1 - share) * rigid[k];
    }
    // v of the origin is that of the centre − ω × c
    for (let k = 0; k < 3; k++) {
      const a = (k + 1) % 3;
      const b = (k + 2) % 3;
      motion[k] += (motion[3 + b] * inertia[1 + a] - motion[3 + a] * inertia[1 + b]) / inertia[0];
    }
    for (let p = first; p >= 0; p = this.#groups.next[p]) (this.#models[p] as TurnableModel).blendMotion(share, motion);
  }

  /** Moves a group to where its momentum leads its centre of mass. */
  #lead(first: number, h: number, order: 1 | 2): void {
    const [start, end, way] = [this.#start, this.#end, this.#way];
    const mass = end.inertia[0];
    const share = order === 1 ? 1 : 0.5;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const momentum = share * end.momentum[k] + (1 - share) * start.momentum[k];
      way[k] = (start.inertia[1 + k] - end.inertia[1 + k] + h * momentum) / mass;
      square += way[k] ** 2;
    }
    const [a, , , , b, , , , c] = this.#tensor;
    if (3 * mass * square > LARGEST_WAY ** 2 * (a + b + c)) return;
    for (let p = first; p >= 0; p = this.#groups.next[p]) (this.#models[p] as TurnableModel).moveBy(way);
  }

  /** s: how much may stay of what is not rigid. */
  #computeShare(): number {
    const [start, end, omega, rigid] = [this.#start, this.#end, this.#omega, this.#rigid];
    let along = 0;
    let before = 0;
    let after = 0;
    for (let k = 0; k < 3; k++) {
      along += end.momentum[k] ** 2 / (2 * end.inertia[0]);
      before += 0.5 * rigid[k] * this.#spin[k];
      after += 0.5 * (rigid[k] + omega[k]) * (this.#spin[k] + this.#missing[k]);
    }
    const other = end.energy.kinetic - along - before;
    const most = Math.max(start.energy.kinetic + start.potential, end.energy.kinetic + end.potential);
    const rounding = ROUNDING * end.energy.kinetic;
    const left = most - end.potential - along - after - rounding;
    return left >= other || other <= rounding ? 1 : Math.sqrt(Math.max(0, left) / other);
  }
}

/** A continuum that can push nobody has nothing to do with what others lose. */
const mayHaveTurned = (model: Model): model is TurnableModel => isTurnable(model) && model.partners?.length !== 0;
