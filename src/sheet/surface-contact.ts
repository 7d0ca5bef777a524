/** A pair of surfaces' parts that has rows in the system: one across, and two along while it is pressed on. */
import { type ForceList, writeSlidingTangents } from '../contact/index.ts';
import type { ConstraintRows, Stage } from '../model/index.ts';
import type { Surface } from './surface.ts';
import { copySurfacePair, createSurfacePair, type SurfacePair, sideOf, weightOf } from './surface-pair.ts';

/** Share of the distance to keep by which pairs that are too near are brought apart in a step. */
const RECOVERY = 0.02;
/** Softness of the rows relative to the mobility of their points: what is redundant then shares its load. */
const SOFTNESS = 1e-9;

/** What rows need to know of a surface. */
export type ContactSide = Pick<
  Surface,
  'x0' | 'x1' | 'computeMobility' | 'writeEnd' | 'writeVelocity' | 'addEntries' | 'addForce'
>;

/** Normal force [N] and the states of the three rows. */
export type ContactMemory = readonly [number, number, number, number];

export class SurfaceContact {
  readonly pair = createSurfacePair();
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
  readonly #states = new Int8Array(3);
  readonly #tangents = [new Float64Array(3), new Float64Array(3)] as const;
  readonly #slip = new Float64Array(3);
  /** Speed of sliding of the pass, 0 where it sticks, −1 before anything is known [m/s]. */
  #speed = -1;
  readonly #d = new Float64Array(3);
  /** Force on the first side in the last solve, friction included [N]. */
  readonly #push = new Float64Array(3);

  /** Takes over a pair; `memory`: what it did in the step before. */
  set(pair: SurfacePair, reach: number, friction: number, memory: ContactMemory | undefined): void {
    copySurfacePair(pair, this.pair);
    this.keep = Math.min(reach, pair.gap + RECOVERY * reach);
    this.friction = friction;
    this.force = this.grip = memory?.[0] ?? 0;
    this.#states[0] = memory?.[1] ?? (pair.gap < this.keep ? 0 : -1);
    this.#states[1] = memory?.[2] ?? 0;
    this.#states[2] = memory?.[3] ?? 0;
    this.#rows = 0;
    this.#speed = -1;
    this.#push.fill(0);
  }

  get memory(): ContactMemory {
    return [this.force, this.#states[0], this.#states[1], this.#states[2]];
  }

  addRows(surfaces: readonly ContactSide[], rows: ConstraintRows, stage: Stage): void {
    this.#row = rows.count;
    const softness = this.#computeSoftness(surfaces);
    this.#addNormal(surfaces, rows, stage, softness);
    const limit = this.friction * this.grip * stage.h;
    if (limit > 0) this.#addFriction(surfaces, rows, limit, softness, stage.linearized);
    this.#rows = rows.count - this.#row;
  }

  #addNormal(surfaces: readonly ContactSide[], rows: ConstraintRows, stage: Stage, softness: number): void {
    const { normal } = this.pair;
    rows.addRow(stage.order === 1 ? this.#computeShort(surfaces, stage) : this.#computeSlow(surfaces, stage), softness);
    rows.boundRow(0, Number.POSITIVE_INFINITY, this.#states[0]);
    this.#addEntries(surfaces, rows, normal);
  }

  /** Speed by which the pair would end too near [m/s]. */
  #computeShort(surfaces: readonly ContactSide[], stage: Stage): number {
    const { pair } = this;
    let left = this.keep;
    for (let i = 0; i < 4; i++) {
      if (pair.weights[i] === 0) continue;
      surfaces[sideOf(pair, i)].writeEnd(pair.points[i], stage, this.#d);
      for (let k = 0; k < 3; k++) left -= weightOf(pair, i) * pair.normal[k] * this.#d[k];
    }
    return left / stage.h;
  }

  /**
   * The same for a stage of several: what the gap allows is a speed for the whole step. One that closed in the first stage would have
   * to open again in the second, and the pair would be thrown apart.
   */
  #computeSlow(surfaces: readonly ContactSide[], stage: Stage): number {
    const { pair } = this;
    let left = this.keep;
    let speed = 0;
    for (let i = 0; i < 4; i++) {
      if (pair.weights[i] === 0) continue;
      const surface = surfaces[sideOf(pair, i)];
      surface.writeVelocity(pair.points[i], this.#d);
      for (let k = 0; k < 3; k++) {
        left -= weightOf(pair, i) * pair.normal[k] * surface.x0[3 * pair.points[i] + k];
        speed += weightOf(pair, i) * pair.normal[k] * this.#d[k];
      }
    }
    return left / stage.step - speed;
  }

  /** `isFirst`: the first Newton iteration of a pass, which says how things slide. */
  #addFriction(
    surfaces: readonly ContactSide[],
    rows: ConstraintRows,
    limit: number,
    softness: number,
    isFirst: boolean,
  ): void {
    const { pair } = this;
    const slip = this.#measureSlip(surfaces);
    if (isFirst || !(this.#speed >= 0)) {
      const speed = writeSlidingTangents(slip, pair.normal, this.#tangents[0], this.#tangents[1]);
      this.#speed = this.#states[1] === 0 ? 0 : speed;
    }
    // what slides is not held across its way, but turned: −μ N w/|w|, to first order
    const drag = this.#speed / limit;
    for (let m = 0; m < 2; m++) {
      const t = this.#tangents[m];
      rows.addRow(-(t[0] * slip[0] + t[1] * slip[1] + t[2] * slip[2]), softness + m * drag);
      rows.boundRow(-limit, limit, this.#states[1 + m]);
      this.#addEntries(surfaces, rows, t);
    }
  }

  /** Velocity of the first side against the second [m/s]. */
  #measureSlip(surfaces: readonly ContactSide[]): Float64Array {
    const { pair } = this;
    const slip = this.#slip.fill(0);
    for (let i = 0; i < 4; i++) {
      if (pair.weights[i] === 0) continue;
      surfaces[sideOf(pair, i)].writeVelocity(pair.points[i], this.#d);
      for (let k = 0; k < 3; k++) slip[k] += weightOf(pair, i) * this.#d[k];
    }
    return slip;
  }

  /** Sine of the angle between the sliding and the friction of the last solve; 0 where it sticks. */
  computeTurn(surfaces: readonly ContactSide[]): number {
    if (this.#rows < 3 || this.#states[1] === 0) return 0;
    const [t, s] = this.#tangents;
    const slip = this.#measureSlip(surfaces);
    const along = slip[0] * t[0] + slip[1] * t[1] + slip[2] * t[2];
    const across = slip[0] * s[0] + slip[1] * s[1] + slip[2] * s[2];
    return along === 0 && across === 0 ? 0 : Math.abs(across) / Math.sqrt(along * along + across * across);
  }

  #addEntries(surfaces: readonly ContactSide[], rows: ConstraintRows, d: Float64Array): void {
    const { pair } = this;
    for (let i = 0; i < 4; i++)
      if (pair.weights[i] !== 0) surfaces[sideOf(pair, i)].addEntries(rows, pair.points[i], d, weightOf(pair, i));
  }

  #computeSoftness(surfaces: readonly ContactSide[]): number {
    const { pair } = this;
    let sum = 0;
    for (let i = 0; i < 4; i++) sum += pair.weights[i] ** 2 * surfaces[sideOf(pair, i)].computeMobility(pair.points[i]);
    return SOFTNESS * sum;
  }

  /** Reads the impulses of the rows; gives the points their forces. */
  takeMultipliers(surfaces: readonly ContactSide[], rows: ConstraintRows, h: number): void {
    const { pair } = this;
    const f = this.#push;
    this.force = rows.multiplier[this.#row] / h;
    for (let k = 0; k < 3; k++) f[k] = this.force * pair.normal[k];
    for (let m = 0; m < this.#rows; m++) {
      this.#states[m] = rows.state[this.#row + m];
      if (m === 0) continue;
      const size = rows.multiplier[this.#row + m] / h;
      for (let k = 0; k < 3; k++) f[k] += size * this.#tangents[m - 1][k];
    }
    for (let i = 0; i < 4; i++)
      if (pair.weights[i] !== 0) surfaces[sideOf(pair, i)].addForce(pair.points[i], f, weightOf(pair, i));
  }

  /** Adds the force of the last solve on surface `side` to a list, where the pair is closest. */
  addForces(surfaces: readonly ContactSide[], side: number, list: ForceList): void {
    const { pair } = this;
    const split = pair.isEdges ? 2 : 1;
    for (const [from, to, sign] of [
      [0, split, 1],
      [split, 4, -1],
    ]) {
      if (sideOf(pair, from) !== side) continue;
      const place = this.#d.fill(0);
      for (let i = from; i < to; i++)
        for (let k = 0; k < 3; k++) place[k] += pair.weights[i] * surfaces[side].x1[3 * pair.points[i] + k];
      list.add(place, 0, this.#push, 0, sign);
    }
  }
}
