/**
 * Curves touch each other and themselves: their segments are capsules that keep apart by rows of the common system.
 *
 *     n·Σ w_i ẋ_i ≥ (keep − n·Σ w_i x_i)/h              λ ≥ 0                    x_i, ẋ_i of the four nodes at the end of the stage
 *     t·Σ w_i (ẋ_i − F u̇_i) = 0  unless  |λ| = μ N h     for two tangents t       N of the pass before, μ = √(μ_A μ_B)
 *
 *   w     + on the first segment, − on the second: Σ w = 0, so momentum is kept; impulses act along the line between the closest points at
 *         the end of the predicted way, so angular momentum is to first order in h (friction acts at both centre lines, μ N (r_A + r_B))
 *   keep  r_A + r_B; less between near places of one curve (`curve-search.ts`), and where they start nearer, so that they are brought
 *         apart slowly
 *
 * Rows are there before anything touches (the gap may close, not more), so that impacts are plastic and at the right place. After each
 * solve continuous detection over the whole step looks for what rows missed; the stage is solved again with rows for that (`revise`). A
 * step in which centre lines come nearer than a tenth of what they were apart, or keep, is refused: nothing ever passes through.
 *
 * Where two segments push each other and neither has a node near the place, each gets one there [Wen 2020, §4.1 (b)], if
 * that is asked for: before the next step, at the material that touched.
 */
import { type ContactPair, comesBefore, nameFeature, type PairContact, PairContacts } from '../contact/index.ts';
import type { ConstraintRows, Coupling, ForceFrame, Stage, StateReader, StateWriter } from '../model/index.ts';
import { CurveSearch, type SideJoint } from './curve-search.ts';
import { CurveSide } from './curve-side.ts';
import { computeFrictionPasses } from './heap.ts';
import type { TouchingCurve } from './touching-curve.ts';

/** Share of the smaller of distance at the start and distance to keep, below which the step is refused. */
const FAULT = 0.1;
/**
 * Distance from where nodes are expected up to which the search before the step counts: over what they were off in the last, and in
 * largest diameters at least and at most. It decides on speed, never on results.
 */
const SLACK = 2;
const LEAST_SLACK = 0.01;
const MOST_SLACK = 0.5;
/** The same for ways that are searched again, in largest diameters. */
const SEARCHED_SLACK = 0.25;
/** Passes in which hits ask for another one, and how many rows one place may get by them. */
const HIT_PASSES = 10;
const MOST_HITS = 4;
/**
 * Friction follows a way that turns to first order (`pair-contact.ts`), so that an angle of 0.05 makes it wrong by 0.1 %; loads differ
 * in single steps only. In tight knots finer ones double the passes and leave tensions the same to 0.2 %.
 */
const TOLERANCE = { force: 0.05, load: 5e-3, way: 0.05 };
/** Distance from the nearest node at which a place that pushes wants one: relative to its segment, and in radii; the larger counts. */
const FAR_FROM_NODES = 0.25;
const FAR_IN_RADII = 2;

export interface CurveContactOptions {
  /** Whether curves touch themselves, too: all of them, or which. */
  readonly self: boolean | ((curve: TouchingCurve) => boolean);
  /** Which touch each other; default: all do. */
  readonly others?: (one: TouchingCurve, other: TouchingCurve) => boolean;
  /** Whether curves are asked for nodes where they push each other: all of them, or which. */
  readonly insertsNodes?: boolean | ((curve: TouchingCurve) => boolean);
  /** Nodes of two curves that ties keep together: near them the two are as one curve. */
  readonly joints?: readonly (readonly [CurveNode, CurveNode])[];
}

/** A node of a curve, by its label. */
export interface CurveNode {
  readonly curve: { readonly id: string };
  readonly label: number;
}

export class CurveContacts implements Coupling {
  readonly curves: readonly TouchingCurve[];
  readonly #sides: readonly CurveSide[];
  readonly #insertsNodes: readonly boolean[];
  readonly #search: CurveSearch;
  readonly #contacts: PairContacts;
  /** Largest diameter, and the slack of the next step [m]. */
  readonly #diameter: number;
  #slack: number;
  /** Rows that the present pass gave to hits, by feature. */
  readonly #added = new Map<string, PairContact>();
  /** Where nodes are wanted before the next step: curves, and their material coordinates [m]. */
  #wanted: { readonly curve: number; readonly u: number }[] = [];
  #isFresh = true;
  #stageTime = Number.NaN;
  #passes = 0;
  #fault: string | null = null;

  /** `part`: index of the curve's part in the system. */
  constructor(
    curves: readonly { readonly curve: TouchingCurve; readonly part: number }[],
    { self, others = () => true, insertsNodes = false, joints = [] }: CurveContactOptions,
  ) {
    this.curves = curves.map(({ curve }) => curve);
    this.#sides = curves.map(({ curve, part }) => new CurveSide(curve, part));
    this.#insertsNodes = this.curves.map((curve) =>
      typeof insertsNodes === 'boolean' ? insertsNodes : insertsNodes(curve),
    );
    const touchesItself = this.curves.map((curve) => (typeof self === 'boolean' ? self : self(curve)));
    this.#search = new CurveSearch(
      this.#sides,
      (first, second) => (first === second ? touchesItself[first] : others(this.curves[first], this.curves[second])),
      listSideJoints(this.curves, joints),
    );
    this.#contacts = new PairContacts(this.#sides, {
      computeReach: this.#search.computeReach,
      computeFriction: ({ first, second }) => Math.sqrt(this.curves[first].friction * this.curves[second].friction),
      tolerance: TOLERANCE,
    });
    this.#diameter = 2 * Math.max(0, ...this.curves.map(({ radius }) => radius));
    this.#slack = LEAST_SLACK * this.#diameter;
  }

  /** Places with rows, and those of them that push, in the last solve. */
  get count(): number {
    return this.#contacts.count;
  }

  get pushing(): number {
    return this.#contacts.pushing;
  }

  adapt(): void {
    for (const { curve, u } of this.#wanted) this.curves[curve].insertNode(u);
  }

  rollBack(): void {}

  beginStep(): void {
    for (const side of this.#sides) side.beginStep();
    this.#isFresh = true;
    this.#stageTime = Number.NaN;
    this.#fault = null;
  }

  addRows(rows: ConstraintRows, stage: Stage): void {
    if (this.#isFresh) this.#findNear(stage.step);
    this.#isFresh = false;
    if (stage.time !== this.#stageTime) this.#passes = 0;
    this.#stageTime = stage.time;
    this.#contacts.addRows(rows, stage);
  }

  /** Looks for what may touch in the step. */
  #findNear(h: number): void {
    this.#contacts.clear();
    for (const side of this.#sides) side.writePrediction(h);
    this.#search.findNear(this.#slack, (pair) => {
      const feature = nameFeature(this.#sides, pair);
      const known = this.#contacts.find(feature);
      if (known === undefined) this.#contacts.add(pair, feature, feature);
      else if (comesBefore(pair, known.pair)) this.#contacts.set(known, pair);
    });
    this.#contacts.sort();
  }

  clearForces(): void {
    for (const curve of this.curves) curve.clearContactForces();
  }

  takeMultipliers(rows: ConstraintRows, stage: Stage): void {
    this.#contacts.takeMultipliers(rows, stage);
  }

  revise({ isHeap }: Stage): boolean {
    this.#passes++;
    const isHit = this.#findHits();
    const isOther = this.#passes <= computeFrictionPasses(isHeap) && this.#contacts.reviseFriction();
    return isHit || isOther;
  }

  /** Continuous detection over the step as it is now; true where it gave rows to what was missed. */
  #findHits(): boolean {
    for (const side of this.#sides) side.writePresent();
    this.#fault = null;
    this.#added.clear();
    const before = this.#contacts.count;
    this.#search.findHits(SEARCHED_SLACK * this.#diameter, (pair) => this.#addHit(pair));
    this.#contacts.sort(before);
    return this.#contacts.count > before;
  }

  #addHit(pair: ContactPair): void {
    if (this.#fault === null && this.#search.comesNearer(FAULT)) this.#fault = `${this.#name(pair)} through each other`;
    if (this.#passes > HIT_PASSES) return;
    const feature = nameFeature(this.#sides, pair);
    const added = this.#added.get(feature);
    if (added !== undefined) {
      if (comesBefore(pair, added.pair)) this.#contacts.set(added, pair);
      return;
    }
    for (let n = 0; n < MOST_HITS; n++) {
      const key = `hit ${feature} ${n}`;
      if (this.#contacts.has(key)) continue;
      this.#contacts.add(pair, key, feature);
      this.#added.set(feature, this.#contacts.find(key)!);
      return;
    }
  }

  #name({ first, second }: ContactPair): string {
    const [a, b] = [this.curves[first].id, this.curves[second].id];
    return first === second ? `parts of "${a}" pass` : `"${a}" and "${b}" pass`;
  }

  findFault(): string | null {
    return this.#fault;
  }

  wantsRetry(): boolean {
    return false;
  }

  endStep(): void {
    this.#contacts.remember();
    const slack = SLACK * this.#search.deviation;
    // where nodes are further off all is searched again, best without any
    this.#slack = slack > MOST_SLACK * this.#diameter ? 0 : Math.max(LEAST_SLACK * this.#diameter, slack);
    this.#wanted = [];
    for (let c = 0; c < this.#contacts.count; c++) {
      const { pair, force } = this.#contacts.at(c);
      if (!(force > 0)) continue;
      this.#wantNode(pair.first, pair.points[0], pair.weights[1]);
      this.#wantNode(pair.second, pair.points[2], pair.weights[3]);
    }
  }

  /** Asks for a node at share `t` of the segment that begins with `point`, where none is near. */
  #wantNode(side: number, point: number, t: number): void {
    if (!this.#insertsNodes[side]) return;
    const { curve } = this.#sides[side];
    const [start, end] = [this.#sides[side].computeMaterial(point), this.#sides[side].computeMaterial(point + 1)];
    const far = Math.max(FAR_FROM_NODES * (end - start), FAR_IN_RADII * curve.radius);
    const u = start + t * (end - start);
    if (!(u - start > far && end - u > far)) return;
    const isKnown = this.#wanted.some((one) => one.curve === side && Math.abs(one.u - u) < far);
    if (!isKnown) this.#wanted.push({ curve: side, u });
  }

  /** On curves, at the closest points. */
  forces(): ForceFrame[] {
    return this.curves.flatMap(({ id }, n) => this.#contacts.createForces(n, id));
  }

  writeState(writer: StateWriter): void {
    this.#contacts.writeState(writer);
    writer.number(this.#wanted.length);
    for (const { curve, u } of this.#wanted) {
      writer.number(curve);
      writer.number(u);
    }
  }

  readState(reader: StateReader): void {
    this.#contacts.readState(reader);
    this.#wanted = Array.from({ length: reader.number() }, () => ({ curve: reader.number(), u: reader.number() }));
  }
}

/** Joints of curves that are here, by their places; those of a curve with itself are left out. */
function listSideJoints(
  curves: readonly TouchingCurve[],
  joints: readonly (readonly [CurveNode, CurveNode])[],
): SideJoint[] {
  return joints.flatMap(([one, other]) => {
    const [a, b] = [one, other].map(({ curve }) => curves.findIndex(({ id }) => id === curve.id));
    if (a < 0 || b < 0 || a === b) return [];
    return a < b
      ? [{ first: a, second: b, labels: [one.label, other.label] as const }]
      : [{ first: b, second: a, labels: [other.label, one.label] as const }];
  });
}
