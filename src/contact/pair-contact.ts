/**
 * A pair that touches and has rows in the system: one across, and two along while it is pressed on.
 *
 *     n·Σ w_i ẋ_i ≥ (keep − n·Σ w_i x_i)/h         λ ≥ 0                     x_i, ẋ_i of the four points at the end of the stage
 *     t·Σ w_i y_i = 0  unless  |λ| = μ N h          for two tangents t        y_i velocity of the material there, N of the pass before
 *
 * Places keep apart, material rubs: where material slides through its points these are two velocities.
 */
import type { ConstraintRows, Stage } from '../model/index.ts';
import { type ContactPair, copyContactPair, createContactPair, sideOf, weightOf } from './contact-pair.ts';
import type { ForceList } from './force-list.ts';
import { writeSlidingTangents } from './node-frames.ts';

/** Share of the distance to keep by which pairs that are too near are brought apart in a step. */
const RECOVERY = 0.02;
/** Softness of the rows relative to the mobility of their points: what is redundant then shares its load. */
const SOFTNESS = 1e-9;

/** Share of a direction, squared, below which its points cannot move along it: it gets no row. */
const LEAST_FREE = 1e-4;

/** What rows need to know of a thing that touches: moving points, and what is unknown of them. */
export interface ContactSide {
  /** Points at the start of the step and where they were last asked for, three numbers each [m]. */
  readonly x0: Float64Array;
  readonly x1: Float64Array;
  /** Inverse mass of a point [1/kg]. */
  computeMobility(point: number): number;
  /** Where a point is at the end of the stage with the velocity that it has. */
  writeEnd(point: number, stage: Stage, out: Float64Array): void;
  writeVelocity(point: number, out: Float64Array): void;
  /** Adds weight · d·ẋ of a point to the last row. */
  addEntries(rows: ConstraintRows, point: number, d: Float64Array, weight: number): void;
  /** Notes a force on a point, after a solve [N]. */
  addForce(point: number, f: Float64Array, weight: number): void;
  /** The same for the material at a point, where that slides through. */
  writeMaterialVelocity?(point: number, out: Float64Array): void;
  addMaterialEntries?(rows: ConstraintRows, point: number, d: Float64Array, weight: number): void;
  /** Square of what a point is free to move of the unit vector d; left out where rows never meet only what is held. */
  computeFreedom?(point: number, d: Float64Array): number;
}

/** Normal force [N], the states of the three rows, and the force on the first side, friction included [N]. */
export type ContactMemory = readonly [number, number, number, number, number, number, number];

export class PairContact {
  readonly pair = createContactPair();
  /** What it is called in this step, and what is closest. */
  key = '';
  feature = '';
  /** Distance to keep at the end of the stage [m]. */
  keep = 0;
  friction = 0;
  /** Normal force of the last solve and the one that friction is taken from [N]. */
  force = 0;
  grip = 0;
  #row = 0;
  #rows = 0;
  /** Places of the rows along both tangents after the first row; 0 where there is none. */
  readonly #alongRow = [0, 0];
  readonly #states = new Int8Array(3);
  readonly #tangents = [new Float64Array(3), new Float64Array(3)] as const;
  readonly #slip = new Float64Array(3);
  /** Speed of sliding of the pass, 0 where it sticks, −1 before anything is known [m/s]. */
  #speed = -1;
  readonly #d = new Float64Array(3);
  /** Force on the first side in the last solve, friction included [N]. */
  readonly #push = new Float64Array(3);

  /** Takes over a pair; `memory`: what it did in the step before. */
  set(pair: ContactPair, reach: number, friction: number, memory: ContactMemory | undefined): void {
    copyContactPair(pair, this.pair);
    this.keep = Math.min(reach, pair.gap + RECOVERY * reach);
    this.friction = friction;
    this.force = this.grip = memory?.[0] ?? 0;
    this.#states[0] = memory?.[1] ?? (pair.gap < this.keep ? 0 : -1);
    this.#states[1] = memory?.[2] ?? 0;
    this.#states[2] = memory?.[3] ?? 0;
    this.#rows = 0;
    this.#speed = -1;
    for (let k = 0; k < 3; k++) this.#push[k] = memory?.[4 + k] ?? 0;
  }

  get memory(): ContactMemory {
    const [push, states] = [this.#push, this.#states];
    return [this.force, states[0], states[1], states[2], push[0], push[1], push[2]];
  }

  addRows(sides: readonly ContactSide[], rows: ConstraintRows, stage: Stage): void {
    this.#row = rows.count;
    this.#rows = 0;
    this.#alongRow[0] = this.#alongRow[1] = 0;
    if (!this.#isFree(sides, this.pair.normal)) return;
    const softness = this.#computeSoftness(sides);
    this.#addNormal(sides, rows, stage, softness);
    const limit = this.friction * this.grip * stage.h;
    if (limit > 0) this.#addFriction(sides, rows, limit, softness, stage);
    this.#rows = rows.count - this.#row;
  }

  #addNormal(sides: readonly ContactSide[], rows: ConstraintRows, stage: Stage, softness: number): void {
    const { normal } = this.pair;
    rows.addRow(stage.order === 1 ? this.#computeShort(sides, stage) : this.#computeSlow(sides, stage), softness);
    rows.boundRow(0, Number.POSITIVE_INFINITY, this.#states[0], this.force * stage.h);
    this.#addEntries(sides, rows, normal);
  }

  /** Speed by which the pair would end too near [m/s]. */
  #computeShort(sides: readonly ContactSide[], stage: Stage): number {
    const { pair } = this;
    let left = this.keep;
    for (let i = 0; i < 4; i++) {
      if (pair.weights[i] === 0) continue;
      sides[sideOf(pair, i)].writeEnd(pair.points[i], stage, this.#d);
      for (let k = 0; k < 3; k++) left -= weightOf(pair, i) * pair.normal[k] * this.#d[k];
    }
    return left / stage.h;
  }

  /**
   * The same for a stage of several: what the gap allows is a speed for the whole step. One that closed in the first stage would have
   * to open again in the second, and the pair would be thrown apart.
   */
  #computeSlow(sides: readonly ContactSide[], stage: Stage): number {
    const { pair } = this;
    let left = this.keep;
    let speed = 0;
    for (let i = 0; i < 4; i++) {
      if (pair.weights[i] === 0) continue;
      const side = sides[sideOf(pair, i)];
      side.writeVelocity(pair.points[i], this.#d);
      for (let k = 0; k < 3; k++) {
        left -= weightOf(pair, i) * pair.normal[k] * side.x0[3 * pair.points[i] + k];
        speed += weightOf(pair, i) * pair.normal[k] * this.#d[k];
      }
    }
    return left / stage.step - speed;
  }

  /** `isFirst`: the first Newton iteration of a pass, which says how things slide. */
  #addFriction(
    sides: readonly ContactSide[],
    rows: ConstraintRows,
    limit: number,
    softness: number,
    { h, linearized: isFirst }: Stage,
  ): void {
    const { pair } = this;
    const push = this.#push;
    const slip = this.#measureSlip(sides);
    if (isFirst || !(this.#speed >= 0)) {
      const speed = writeSlidingTangents(slip, pair.normal, this.#tangents[0], this.#tangents[1]);
      this.#speed = this.#states[1] === 0 ? 0 : speed;
    }
    // what slides is not held across its way, but turned: −μ N w/|w|, to first order
    const drag = this.#speed / limit;
    for (let m = 0; m < 2; m++) {
      const t = this.#tangents[m];
      if (!this.#isFree(sides, t)) continue;
      this.#alongRow[m] = rows.count - this.#row;
      rows.addRow(-(t[0] * slip[0] + t[1] * slip[1] + t[2] * slip[2]), softness + m * drag);
      rows.boundRow(-limit, limit, this.#states[1 + m], h * (t[0] * push[0] + t[1] * push[1] + t[2] * push[2]));
      this.#addMaterialEntries(sides, rows, t);
    }
  }

  /** Velocity of the material of the first side against that of the second [m/s]. */
  #measureSlip(sides: readonly ContactSide[]): Float64Array {
    const { pair } = this;
    const slip = this.#slip.fill(0);
    for (let i = 0; i < 4; i++) {
      if (pair.weights[i] === 0) continue;
      const side = sides[sideOf(pair, i)];
      if (side.writeMaterialVelocity) side.writeMaterialVelocity(pair.points[i], this.#d);
      else side.writeVelocity(pair.points[i], this.#d);
      for (let k = 0; k < 3; k++) slip[k] += weightOf(pair, i) * this.#d[k];
    }
    return slip;
  }

  /** Sine of the angle between the sliding and the friction of the last solve; 0 where it sticks. */
  computeTurn(sides: readonly ContactSide[]): number {
    if (!(this.#alongRow[0] > 0 && this.#alongRow[1] > 0) || this.#states[1] === 0) return 0;
    const [t, s] = this.#tangents;
    const slip = this.#measureSlip(sides);
    const along = slip[0] * t[0] + slip[1] * t[1] + slip[2] * t[2];
    const across = slip[0] * s[0] + slip[1] * s[1] + slip[2] * s[2];
    return along === 0 && across === 0 ? 0 : Math.abs(across) / Math.sqrt(along * along + across * across);
  }

  #addEntries(sides: readonly ContactSide[], rows: ConstraintRows, d: Float64Array): void {
    const { pair } = this;
    for (let i = 0; i < 4; i++)
      if (pair.weights[i] !== 0) sides[sideOf(pair, i)].addEntries(rows, pair.points[i], d, weightOf(pair, i));
  }

  #addMaterialEntries(sides: readonly ContactSide[], rows: ConstraintRows, d: Float64Array): void {
    const { pair } = this;
    for (let i = 0; i < 4; i++) {
      if (pair.weights[i] === 0) continue;
      const side = sides[sideOf(pair, i)];
      if (side.addMaterialEntries) side.addMaterialEntries(rows, pair.points[i], d, weightOf(pair, i));
      else side.addEntries(rows, pair.points[i], d, weightOf(pair, i));
    }
  }

  /** Whether anything of the pair can move along the unit vector d: a row of what is held would have no solution. */
  #isFree(sides: readonly ContactSide[], d: Float64Array): boolean {
    const { pair } = this;
    let [free, whole] = [0, 0];
    for (let i = 0; i < 4; i++) {
      const side = sides[sideOf(pair, i)];
      if (side.computeFreedom === undefined) return true;
      const square = pair.weights[i] ** 2;
      whole += square;
      if (square > 0) free += square * side.computeFreedom(pair.points[i], d);
    }
    return free > LEAST_FREE * whole;
  }

  #computeSoftness(sides: readonly ContactSide[]): number {
    const { pair } = this;
    let sum = 0;
    for (let i = 0; i < 4; i++) sum += pair.weights[i] ** 2 * sides[sideOf(pair, i)].computeMobility(pair.points[i]);
    return SOFTNESS * sum;
  }

  /** Reads the impulses of the rows; gives the points their forces. */
  takeMultipliers(sides: readonly ContactSide[], rows: ConstraintRows, h: number): void {
    const { pair } = this;
    const f = this.#push;
    this.force = this.#rows === 0 ? 0 : rows.multiplier[this.#row] / h;
    for (let k = 0; k < 3; k++) f[k] = this.force * pair.normal[k];
    if (this.#rows === 0) return;
    this.#states[0] = rows.state[this.#row];
    for (let m = 0; m < 2; m++) {
      if (this.#alongRow[m] === 0) continue;
      this.#states[1 + m] = rows.state[this.#row + this.#alongRow[m]];
      const size = rows.multiplier[this.#row + this.#alongRow[m]] / h;
      for (let k = 0; k < 3; k++) f[k] += size * this.#tangents[m][k];
    }
    for (let i = 0; i < 4; i++)
      if (pair.weights[i] !== 0) sides[sideOf(pair, i)].addForce(pair.points[i], f, weightOf(pair, i));
  }

  /** Adds the force of the last solve on side `side` to a list, where the pair is closest. */
  addForces(sides: readonly ContactSide[], side: number, list: ForceList): void {
    const { pair } = this;
    const split = pair.isEdges ? 2 : 1;
    for (const [from, to, sign] of [
      [0, split, 1],
      [split, 4, -1],
    ]) {
      if (sideOf(pair, from) !== side) continue;
      const place = this.#d.fill(0);
      for (let i = from; i < to; i++)
        for (let k = 0; k < 3; k++) place[k] += pair.weights[i] * sides[side].x1[3 * pair.points[i] + k];
      list.add(place, 0, this.#push, 0, sign);
    }
  }
}
