/**
 * Guides that meet on a strand (rings on a line, a ring at an eyelet, blocks of a tackle) push each other.
 *
 *     ────E══E────        n·(x₂ − x₁) ≥ d        n  unit vector from the first guide to the next along the strand
 *         d                                      d  half of both widths [m]; a guide is as wide as the strand is thick unless it says
 *
 * The guides themselves touch, not the material between them, so the condition is on their places: a force through u would put
 * the short piece between them under the pressure of the contact. u slides on, and tension is that of both sides. Only guides that
 * are next to each other in the chain can meet; of two that forces do not move, or that one body carries, nothing is asked.
 *
 * A stage asks for the velocity that brings them to touch at the end of the step at most,
 *     n·(ẋ₂ − ẋ₁) ≥ −(‖x₂ − x₁‖ − d)/h_step      ‖x₂ − x₁‖ at its start; 0 in the place of what is negative (they start too near)
 * as a strict row where it holds with equality and pushes: the active set is found by solving the stage again. They meet in one step
 * and have one velocity from the next on: the impact is plastic, and momentum is kept to rounding, linear and angular. First order: n
 * of the start of the step, so that they never come nearer; second order: n of the iterate, as ties do (`world/ties.ts`), and what
 * must push is the mean force of the step, (1 − γ) f₁ + γ f₂: the second stage takes back what it has of an impulse in the first.
 */
import {
  type ConstraintRows,
  type Coupling,
  NODE_EULERIAN,
  type Stage,
  type StateReader,
  type StateWriter,
} from '../model/index.ts';
import type { Guide } from './guides.ts';
import type { Strand } from './step.ts';

/** Guides are no nearer than this share of the spacing: the stiffness of the segment between them is EA/d. */
const SMALLEST_GAP = 0.01;
/** Share of d by which a gap is none, and by which one that is too small is mended in a step. */
const TOUCH_TOLERANCE = 1e-6;
const MOST_CORRECTION = 1e-3;
/** Pull that counts as none, relative to the axial stiffness; closing that counts as none, relative to d. */
const PULL_TOLERANCE = 1e-10;
const CLOSING_TOLERANCE = 1e-10;
/** Passes of a stage in which guides may still part; after that they only take hold. */
const RELEASING_PASSES = 6;

/** Two guides next to each other. */
class GuidePair {
  /** Labels of their nodes, in the order of the chain. */
  first = 0;
  second = 0;
  /** d: distance at which they touch [m]. */
  reach = 0;
  readonly normal = new Float64Array(3);
  /** By how much they may approach in the step [m]. */
  due = 0;
  isTouching = false;
  /** Row in the system, and force of the last solve, + pushes [N]. */
  row = 0;
  force = 0;
  /** Force of the stage before this one [N]. */
  before = 0;
}

export class GuideContacts implements Coupling {
  readonly #strand: Strand;
  readonly #part: number;
  /** Pairs of this step are the first `#count`. */
  readonly #pairs: GuidePair[] = [];
  #count = 0;
  #passes = 0;
  /** End of the present stage, and length of the step [s]. */
  #stageTime = Number.NaN;
  #step = 0;
  /** γ: length of the stage over that of the step. */
  #share = 1;
  readonly #force = new Float64Array(3);

  /** `part` is the index of the strand's part in the system. */
  constructor(strand: Strand, part: number) {
    this.#strand = strand;
    this.#part = part;
  }

  /** Sum of the forces between guides now [N]. */
  get load(): number {
    let sum = 0;
    for (let n = 0; n < this.#count; n++) sum += this.#pairs[n].force;
    return sum;
  }

  adapt(): void {}

  rollBack(): void {}

  beginStep(): void {
    const { guides, chain, materialCount } = this.#strand.state;
    this.#count = 0;
    this.#stageTime = Number.NaN;
    for (let g = 0; g < guides.length; g++) {
      const guide = guides[g];
      if (guide.site.type !== 'point') continue;
      const next = this.#strand.state.indexOf(guide.label) + 1;
      // E-nodes of contacts have labels of their own
      if (next >= chain.count || chain.kind[next] !== NODE_EULERIAN || chain.label[next] >= materialCount) continue;
      for (let k = 0; k < guides.length; k++)
        if (guides[k].label === chain.label[next] && canMeet(guide, guides[k])) this.#addPair(guide, guides[k]);
    }
  }

  #addPair(guide: Guide, other: Guide): void {
    const { spacing } = this.#strand.state;
    if (this.#count === this.#pairs.length) this.#pairs.push(new GuidePair());
    const pair = this.#pairs[this.#count++];
    pair.first = guide.label;
    pair.second = other.label;
    const least = SMALLEST_GAP * Math.min(spacing[guide.label], spacing[other.label]);
    pair.reach = Math.max(least, (this.#widthOf(guide) + this.#widthOf(other)) / 2);
    const gap = this.#writeNormal(pair) - pair.reach;
    pair.due = gap > -MOST_CORRECTION * pair.reach ? gap : 0;
    pair.isTouching = gap <= TOUCH_TOLERANCE * pair.reach;
    pair.force = pair.before = 0;
  }

  #widthOf(guide: Guide): number {
    return guide.width ?? 2 * this.#strand.state.chain.material.radius;
  }

  /** Writes the unit vector from the first to the second; returns their distance [m]. */
  #writeNormal({ first, second, normal }: GuidePair): number {
    const { state } = this.#strand;
    const { q } = state.chain;
    const [a, b] = [4 * state.indexOf(first), 4 * state.indexOf(second)];
    const [x, y, z] = [q[b] - q[a], q[b + 1] - q[a + 1], q[b + 2] - q[a + 2]];
    const distance = Math.sqrt(x * x + y * y + z * z);
    if (distance === 0) return 0;
    normal[0] = x / distance;
    normal[1] = y / distance;
    normal[2] = z / distance;
    return distance;
  }

  /** n·(ẋ₂ − ẋ₁) at the iterate [m/s]. */
  #computeSpeed({ first, second, normal: n }: GuidePair): number {
    const { state } = this.#strand;
    const { v } = state.chain;
    const [a, b] = [4 * state.indexOf(first), 4 * state.indexOf(second)];
    return n[0] * (v[b] - v[a]) + n[1] * (v[b + 1] - v[a + 1]) + n[2] * (v[b + 2] - v[a + 2]);
  }

  addRows(rows: ConstraintRows, stage: Stage): void {
    if (stage.time !== this.#stageTime) this.#beginStage(stage);
    const { state } = this.#strand;
    for (let n = 0; n < this.#count; n++) {
      const pair = this.#pairs[n];
      if (stage.order === 2) this.#writeNormal(pair);
      if (!pair.isTouching) continue;
      pair.row = rows.addRow(-pair.due / stage.step - this.#computeSpeed(pair));
      this.#strand.addNodeEntries(rows, this.#part, state.indexOf(pair.first), -1, pair.normal, 0, 0);
      this.#strand.addNodeEntries(rows, this.#part, state.indexOf(pair.second), 1, pair.normal, 0, 0);
    }
  }

  #beginStage(stage: Stage): void {
    this.#passes = 0;
    this.#stageTime = stage.time;
    this.#step = stage.step;
    this.#share = stage.h / stage.step;
    for (let n = 0; n < this.#count; n++) this.#pairs[n].before = this.#pairs[n].force;
  }

  clearForces(): void {
    for (let n = 0; n < this.#count; n++) {
      this.#strand.clearTieForce(this.#pairs[n].first);
      this.#strand.clearTieForce(this.#pairs[n].second);
    }
  }

  takeMultipliers(rows: ConstraintRows, stage: Stage): void {
    for (let n = 0; n < this.#count; n++) {
      const pair = this.#pairs[n];
      pair.force = pair.isTouching ? rows.multiplier[pair.row] / stage.h : 0;
      for (let k = 0; k < 3; k++) this.#force[k] = pair.force * pair.normal[k];
      this.#strand.addTieForce(pair.first, this.#force, -1);
      this.#strand.addTieForce(pair.second, this.#force, 1);
    }
  }

  revise(): boolean {
    const pull = PULL_TOLERANCE * this.#strand.state.chain.material.stretchStiffness;
    let changed = false;
    this.#passes++;
    for (let n = 0; n < this.#count; n++) {
      const pair = this.#pairs[n];
      const isWrong = pair.isTouching
        ? (1 - this.#share) * pair.before + this.#share * pair.force < -pull && this.#passes <= RELEASING_PASSES
        : this.#computeSpeed(pair) * this.#step < -pair.due - CLOSING_TOLERANCE * pair.reach;
      if (!isWrong) continue;
      pair.isTouching = !pair.isTouching;
      changed = true;
    }
    return changed;
  }

  findFault(): null {
    return null;
  }

  wantsRetry(): boolean {
    return false;
  }

  endStep(): void {}

  /** What it assumes of a step follows from the state of the strand. */
  writeState(_writer: StateWriter): void {}

  readState(_reader: StateReader): void {
    this.#count = 0;
  }
}

/** Whether forces can bring two guides together. */
function canMeet({ site: a }: Guide, { site: b }: Guide): boolean {
  if (a.type !== 'point' || b.type !== 'point') return false;
  const [one, other] = [a.rider?.body, b.rider?.body];
  return one !== other && (one?.motion === 'dynamic' || other?.motion === 'dynamic');
}
