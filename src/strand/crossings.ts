/**
 * Strands that cross each other or themselves [theory/strand#crossings]: the list of crossings, their constraint rows, and when they
 * open and close. A crossing only pushes: a stage in which it would have to pull is solved again without it along the normal,
 * its feet kept beside each other, and it is gone once the strands are apart (`crossing-adapt.ts`). New ones are found where
 * strands come nearer than the sum of their radii, or went through each other, within a step: the step is then taken again
 * with the crossing in place (`crossing-detect.ts`).
 *
 * Friction. At an E-node it is that of a round guide (`friction.ts`): tensions beside it differ by at most the factor exp μθ,
 * θ the turn of that strand. At an EIL foot the force along the segment is at most μ times the load. Each strand has a limit
 * of its own: the two together make a box in the plane of contact, not a disc.
 */
import {
  CANCEL_U,
  type ConstraintRows,
  type Coupling,
  type ForceFrame,
  type Stage,
  type StateReader,
  type StateWriter,
} from '../model/index.ts';
import { RemeshRoom } from './adapt.ts';
import { Crossing, type Foot, holdFoot } from './crossing.ts';
import { adaptCrossings, type CrossingRequest } from './crossing-adapt.ts';
import { ClearCheck } from './crossing-clear.ts';
import { CrossingDetector } from './crossing-detect.ts';
import { slideFeet } from './crossing-slide.ts';
import { createCrossingForces } from './force-frames.ts';
import type { StrandState } from './state.ts';
import type { Strand } from './step.ts';

/** Passes of a stage in which crossings may still let go; after that they only take hold. */
const RELEASING_PASSES = 6;
/** How often a step is taken again with new crossings before it is halved, and how often it is halved before it is accepted. */
const MOST_RETRIES = 24;
const MOST_HALVINGS = 6;
/** Share of the sum of the radii by which a gap that did not come from motion is closed in a step. */
const MOST_CORRECTION = 0.02;
/** Pull that counts as none, relative to the axial stiffness: rounding does not decide what lets go. */
const PULL_TOLERANCE = 1e-9;
/** Depth that counts as too near, relative to the sum of the radii. */
const TOUCH_TOLERANCE = 1e-9;

export interface CrossingOptions {
  readonly strands: readonly Strand[];
  /** Index of each strand's part in the system. */
  readonly parts: readonly number[];
  /** Coefficient of dry friction between strands [1]; default 0. */
  readonly friction?: number | undefined;
}

export class StrandCrossings implements Coupling {
  readonly strands: readonly Strand[];
  readonly parts: readonly number[];
  readonly friction: number;
  /** Crossings in use are the first `count`; the others wait to be used again. */
  readonly list: Crossing[] = [];
  count = 0;
  requests: CrossingRequest[] = [];
  /** Crossings that let go although the strands then went through each other: they hold when the step is taken again. */
  holds: Pick<CrossingRequest, 'a' | 'b'>[] = [];
  readonly rooms: readonly RemeshRoom[];
  /** Steps accepted although strands went through each other. */
  fallbacks = 0;
  /** Crossings made and let go so far. */
  made = 0;
  lost = 0;
  readonly #detector: CrossingDetector;
  readonly #before: Crossing[] = [];
  #counts = { count: 0, made: 0, lost: 0 };
  readonly #across = new Float64Array(3);
  readonly #hasLoops: boolean;
  #found = false;
  #retries = 0;
  #halvings = 0;
  #passes = 0;
  /** End of the present stage [s]. */
  #stageTime = Number.NaN;

  constructor({ strands, parts, friction = 0 }: CrossingOptions) {
    this.strands = strands;
    this.parts = parts;
    this.friction = friction;
    this.#hasLoops = strands.some(({ state }) => state.chain.closed);
    this.rooms = strands.map(() => new RemeshRoom());
    const check = new ClearCheck(strands.map(({ state }) => state));
    for (const { state } of strands) state.isClear = (i) => check.isClear(state, i);
    this.#detector = new CrossingDetector(this);
    this.#detector.refuseMeeting();
  }

  /** r_A + r_B [m]. */
  radiiOf({ a, b }: Crossing): number {
    return this.strands[a.strand].state.chain.material.radius + this.strands[b.strand].state.chain.material.radius;
  }

  /** Opens a place in the list. */
  add(): Crossing {
    if (this.count === this.list.length) this.list.push(new Crossing());
    this.made++;
    return this.list[this.count++];
  }

  /** Takes crossing c out of the list, the order of the others kept. */
  remove(c: number): void {
    const [crossing] = this.list.splice(c, 1);
    this.list.push(crossing);
    this.count--;
    this.lost++;
  }

  adapt(): void {
    for (const strand of this.strands) strand.beginAdapt();
    if (this.#hasLoops) this.#wrapFeet();
    while (this.#before.length < this.count) this.#before.push(new Crossing());
    for (let c = 0; c < this.count; c++) this.#before[c].copy(this.list[c]);
    this.#counts.count = this.count;
    this.#counts.made = this.made;
    this.#counts.lost = this.lost;
    adaptCrossings(this);
  }

  /** A loop may be cut elsewhere: places of its material are brought to the round that its nodes are on. */
  #wrapFeet(): void {
    const wrap = <T extends { readonly strand: number; readonly u: number }>(at: T): T => ({
      ...at,
      u: this.strands[at.strand].state.wrap(at.u),
    });
    for (let c = 0; c < this.count; c++) for (const foot of this.list[c].feet) foot.u = this.stateOf(foot).wrap(foot.u);
    this.requests = this.requests.map((request) => ({ ...request, a: wrap(request.a), b: wrap(request.b) }));
    this.holds = this.holds.map(({ a, b }) => ({ a: wrap(a), b: wrap(b) }));
  }

  /** Material distance of two places of a strand, the shorter way round a loop [m]. */
  computeWay(strand: number, u: number, v: number): number {
    const way = Math.abs(u - v);
    const { period } = this.strands[strand].state.chain;
    return period > 0 ? Math.min(way, period - way) : way;
  }

  rollBack(isAsLong: boolean): void {
    while (this.list.length < this.#counts.count) this.list.push(new Crossing());
    this.count = this.#counts.count;
    this.made = this.#counts.made;
    this.lost = this.#counts.lost;
    for (let c = 0; c < this.count; c++) this.list[c].copy(this.#before[c]);
    this.#found = false;
    if (isAsLong) this.#retries++;
    else {
      this.#halvings++;
      this.#retries = 0;
      this.#forget();
    }
  }

  #forget(): void {
    if (this.requests.length > 0) this.requests = [];
    if (this.holds.length > 0) this.holds = [];
  }

  /** A crossing that let go must not have: the step is taken again with it held. */
  askToHold({ a, b }: Crossing): void {
    if (this.#mustHold(a, b)) return;
    this.holds.push({ a: { strand: a.strand, u: a.u }, b: { strand: b.strand, u: b.u } });
  }

  #mustHold(a: Foot, b: Foot): boolean {
    const isNear = (place: CrossingRequest['a'], foot: Foot): boolean =>
      place.strand === foot.strand &&
      this.computeWay(foot.strand, place.u, foot.u) < 4 * this.stateOf(foot).chain.material.radius;
    return this.holds.some((hold) => isNear(hold.a, a) && isNear(hold.b, b));
  }

  beginStep(): void {
    this.#stageTime = Number.NaN;
  }

  addRows(rows: ConstraintRows, stage: Stage): void {
    if (stage.time !== this.#stageTime) this.#passes = 0;
    this.#stageTime = stage.time;
    if (stage.linearized) this.#placeFeet();
    for (let c = 0; c < this.count; c++) {
      const crossing = this.list[c];
      this.#addCrossing(crossing, rows, stage);
      if (crossing.isOpen) continue;
      this.#addSlip(crossing, crossing.a, crossing.b, stage.h);
      this.#addSlip(crossing, crossing.b, crossing.a, stage.h);
    }
  }

  /** Feet, normals and directions where the stage starts; they stay for all its iterations. */
  #placeFeet(): void {
    for (let c = 0; c < this.count; c++) {
      const crossing = this.list[c];
      crossing.locate(this.stateOf(crossing.a), this.stateOf(crossing.b));
      const { a, b, isOpen } = crossing;
      crossing.writeDirections(this.isFree(a) || (isOpen && !a.isNode), this.isFree(b) || (isOpen && !b.isNode));
      // strands that approach meet; where nodes have changed, the feet go back to each other little by little
      const most = MOST_CORRECTION * this.radiiOf(crossing);
      for (let k = 0; k < crossing.rank; k++) {
        const gap = crossing.computeGap(k);
        crossing.left[k] = gap < -most ? gap + most : k > 0 && gap > most ? gap - most : 0;
        crossing.due[k] = gap - crossing.left[k];
      }
    }
  }

  stateOf(foot: Foot): StrandState {
    return this.strands[foot.strand].state;
  }

  /** Whether a foot is an EIL one that slides. */
  isFree(foot: Foot): boolean {
    return !foot.isNode && (this.friction === 0 || foot.slip !== 0);
  }

  #addCrossing(crossing: Crossing, rows: ConstraintRows, stage: Stage): void {
    const { a, b, directions: d } = crossing;
    const [A, B] = [this.strands[a.strand], this.strands[b.strand]];
    a.writePosition(A.state);
    b.writePosition(B.state);
    const weight = this.#computeWeight(crossing);
    // open, the feet stay beside each other, with nothing along the normal
    crossing.row = rows.count;
    for (let k = crossing.isOpen ? 1 : 0; k < crossing.rank; k++) {
      // as ties do it (`world/ties.ts`): the place at the end of the stage, or the velocity that closes the gap in the step
      const gap = crossing.computeGap(k) - crossing.left[k];
      let residual = stage.order === 2 ? -crossing.due[k] / stage.step : -gap / stage.h;
      if (stage.order === 2 || stage.linearized)
        residual -= a.computeSpeed(A.state, d, 3 * k) - b.computeSpeed(B.state, d, 3 * k);
      rows.addRow(weight * residual);
      a.addEntries(A, this.parts[a.strand], rows, d, 3 * k, weight);
      b.addEntries(B, this.parts[b.strand], rows, d, 3 * k, -weight);
    }
  }

  /** Mass of a segment: rows are multiplied by it, so that light strands do not look like nothing beside them [kg]. */
  #computeWeight({ a, b }: Crossing): number {
    let sum = 0;
    for (const foot of [a, b]) {
      const { chain, smallestSpacing } = this.stateOf(foot);
      sum += chain.material.linearDensity * smallestSpacing;
    }
    return sum;
  }

  /** Friction on an EIL foot that slips, and against it on the other. */
  #addSlip(crossing: Crossing, foot: Foot, other: Foot, h: number): void {
    if (foot.isNode || foot.slip === 0 || this.friction === 0) return;
    const size = h * foot.slip * this.friction * Math.max(0, crossing.load);
    foot.addImpulse(this.strands[foot.strand], size, foot.tangent);
    other.addImpulse(this.strands[other.strand], -size, foot.tangent);
  }

  clearForces(): void {}

  takeMultipliers(rows: ConstraintRows, stage: Stage): void {
    for (let c = 0; c < this.count; c++) {
      const { isOpen, force, rank, row, directions: d } = this.list[c];
      const first = isOpen ? 1 : 0;
      const weight = this.#computeWeight(this.list[c]);
      force.fill(0);
      for (let k = first; k < rank; k++) {
        const size = (weight * rows.multiplier[row + k - first]) / stage.h;
        for (let i = 0; i < 3; i++) force[i] += size * d[3 * k + i];
      }
      const [n, f] = [this.list[c].normal, force];
      this.list[c].load = isOpen ? 0 : n[0] * f[0] + n[1] * f[1] + n[2] * f[2];
    }
  }

  revise(): boolean {
    let changed = false;
    this.#passes++;
    for (let c = 0; c < this.count; c++) {
      const crossing = this.list[c];
      if (crossing.isOpen) {
        crossing.a.writePosition(this.stateOf(crossing.a));
        crossing.b.writePosition(this.stateOf(crossing.b));
        if (!(crossing.computeDistance() < crossing.separation - TOUCH_TOLERANCE * this.radiiOf(crossing))) continue;
        this.close(crossing);
        changed = true;
      } else if (
        this.#isPulling(crossing) &&
        this.#passes <= RELEASING_PASSES &&
        !this.#mustHold(crossing.a, crossing.b)
      ) {
        this.#open(crossing);
        changed = true;
      } else {
        changed = this.#reviseFoot(crossing, crossing.a, crossing.b, 1) || changed;
        changed = this.#reviseFoot(crossing, crossing.b, crossing.a, -1) || changed;
      }
    }
    return changed;
  }

  #isPulling({ a, b, load }: Crossing): boolean {
    const [A, B] = [this.stateOf(a).chain.material, this.stateOf(b).chain.material];
    return load < -PULL_TOLERANCE * Math.min(A.stretchStiffness, B.stretchStiffness);
  }

  #open(crossing: Crossing): void {
    crossing.isOpen = true;
    crossing.load = 0;
    for (const foot of crossing.feet) {
      if (!foot.isNode) continue;
      const state = this.stateOf(foot);
      state.pulls[foot.label] = 1;
      if (this.#sticks(foot)) state.release(foot.label, CANCEL_U);
    }
  }

  close(crossing: Crossing): void {
    crossing.isOpen = false;
    for (const foot of crossing.feet) {
      if (!foot.isNode) continue;
      this.stateOf(foot).pulls[foot.label] = 0;
      if (this.#sticks(foot)) holdFoot(this.stateOf(foot), foot);
    }
  }

  /** Whether friction holds the E-node of a foot. */
  #sticks(foot: Foot): boolean {
    const { slip, jammed } = this.stateOf(foot);
    return this.friction > 0 && slip[foot.label] === 0 && jammed[foot.label] === 0;
  }

  /** Sticking and slipping of an EIL foot; `sign` is that of the crossing's force on its strand. */
  #reviseFoot(crossing: Crossing, foot: Foot, other: Foot, sign: number): boolean {
    if (foot.isNode || this.friction === 0) return false;
    const [t, f] = [foot.tangent, crossing.force];
    if (foot.slip === 0) {
      const hold = sign * (t[0] * f[0] + t[1] * f[1] + t[2] * f[2]);
      if (!(Math.abs(hold) > this.friction * crossing.load * (1 + 1e-9))) return false;
      foot.slip = hold > 0 ? 1 : -1;
    } else {
      if (this.#passes > RELEASING_PASSES || !(this.#computeSlide(crossing, foot, other) * foot.slip < 0)) return false;
      foot.slip = 0;
    }
    return true;
  }

  /** λu̇ of an EIL foot that slides: what keeps it beside the other [m/s]. */
  #computeSlide(crossing: Crossing, foot: Foot, other: Foot): number {
    const [t, s, n] = [foot.tangent, other.tangent, crossing.normal];
    const across = this.#across;
    if (this.isFree(other)) {
      // the direction across the other strand: its own sliding does not count
      across[0] = s[1] * n[2] - s[2] * n[1];
      across[1] = s[2] * n[0] - s[0] * n[2];
      across[2] = s[0] * n[1] - s[1] * n[0];
    } else across.set(t);
    const along = across[0] * t[0] + across[1] * t[1] + across[2] * t[2];
    const speed = other.computeSpeed(this.stateOf(other), across, 0) - foot.computeSpeed(this.stateOf(foot), across, 0);
    return speed / along;
  }

  findFault(): string | null {
    const before = this.requests.length + this.holds.length;
    this.#detector.findNew();
    this.#found = this.requests.length + this.holds.length > before;
    if (!this.#found) return null;
    if (this.#halvings >= MOST_HALVINGS && this.#retries >= MOST_RETRIES) {
      this.fallbacks++;
      return null;
    }
    return 'strands passed through each other';
  }

  wantsRetry(): boolean {
    return this.#found && this.#retries < MOST_RETRIES;
  }

  endStep(): void {
    this.#forget();
    this.#found = false;
    this.#retries = this.#halvings = 0;
    for (let c = 0; c < this.count; c++) slideFeet(this, this.list[c]);
  }

  forces(): ForceFrame[] {
    return createCrossingForces(this);
  }

  writeState(writer: StateWriter): void {
    for (const value of [this.count, this.fallbacks, this.made, this.lost]) writer.number(value);
    for (let c = 0; c < this.count; c++) this.list[c].write(writer);
  }

  readState(reader: StateReader): void {
    const count = reader.number();
    this.fallbacks = reader.number();
    this.made = reader.number();
    this.lost = reader.number();
    while (this.list.length < count) this.list.push(new Crossing());
    this.count = count;
    for (let c = 0; c < count; c++) this.list[c].read(reader);
    this.#forget();
    this.#found = false;
    this.#retries = this.#halvings = 0;
  }
}
