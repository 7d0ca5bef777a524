/**
 * A curve touches bodies [Wen 2020, §5.2]: nodes on faces and round bodies, segments across edges and beside round bodies,
 * and, in the mode `eol`, nodes that slide on edges, two faces each. All of them are bounded rows (`body-contact.ts`).
 *
 * A stage is solved with the contacts of the step before; then the whole step is searched for what went into or through a body
 * (`body-search.ts`), and solved again with rows for that. So nothing passes, however fast, and what ends a step is on the surface.
 * Nodes on edges come after a step in which a segment pressed there (`body-edges.ts`). A step that does not come to an end with that
 * is refused, and in the end, when shorter ones do not help, let be: `fallbacks` counts those.
 */
import type { Body } from '../bodies/index.ts';
import { ForceList } from '../contact/index.ts';
import type { ConstraintRows, Coupling, ForceFrame, Stage, StateReader, StateWriter } from '../model/index.ts';
import { ACROSS_EDGE, BESIDE_ROUND, type BodyContact, ON_EDGE, ON_FACE, ON_ROUND } from './body-contact.ts';
import { BodyContactSet } from './body-contact-set.ts';
import { BodyEdges } from './body-edges.ts';
import { BodyObstacle, type CurveObstacle } from './body-obstacle.ts';
import { BodySearch } from './body-search.ts';
import { computeFrictionPasses, computeLeftDepth } from './heap.ts';
import { computeNodeSpan } from './node-measure.ts';
import type { TouchingCurve } from './touching-curve.ts';

/** Gap that may stay at the end of a step below what was wanted, relative to the body's tolerance. */
const DEEP = 10;
/** What starts inside comes out by at most this share of its mean segment in a step; a node on its way to an edge, by that. */
const RECOVERY = 0.01;
const ARRIVAL = 0.2;
/** Way along the curve by which a node is brought back to its edge in a step, relative to the segment ahead. */
const MOST_RETURN = 0.2;
/** Gap up to which a contact that does not push is kept, relative to the mean segment. */
const NEAR = 1e-3;
/** Passes of a stage in which contacts come or are asked for more. */
const MOST_PASSES = 12;
/** Friction is taken from newer normal forces while they differ by more than this share of the largest, or their sum by that. */
const SAME_FORCE = 0.05;
const SAME_LOAD = 5e-3;
/** Mean sine of the angle between sliding and friction up to which they are opposite. */
const SAME_WAY = 0.05;
/** Refused steps in a row after which one is let be. */
const MOST_REFUSALS = 9;

export interface CurveBodyContactsOptions {
  readonly curve: TouchingCurve;
  /** Index of the curve's part in the system. */
  readonly part: number;
  /** Bodies, with the index of a dynamic one's part, −1 else. */
  readonly obstacles: readonly CurveObstacle[];
  /** `eol`: nodes slide on sharp edges; `lagrangian`: segments only lie across them. */
  readonly mode: 'eol' | 'lagrangian';
}

/** What is known of a contact from step to step. */
interface ContactMemory {
  readonly kind: number;
  readonly body: number;
  readonly feature: number;
  readonly label: number;
  readonly other: number;
  /** Normal force [N]. */
  readonly load: number;
  readonly states: readonly number[];
  /** Force on the curve, friction included [N]. */
  readonly push: readonly number[];
}

export class CurveBodyContacts implements Coupling {
  readonly curve: TouchingCurve;
  readonly mode: 'eol' | 'lagrangian';
  readonly #part: number;
  readonly #obstacles: readonly BodyObstacle[];
  readonly #set: BodyContactSet;
  readonly #search: BodySearch;
  readonly #edges: BodyEdges;
  #memory: ContactMemory[] = [];
  #fallbacks = 0;
  #refusals = 0;
  #passes = 0;
  #stageTime = Number.NaN;
  #fault: string | null = null;
  #found = false;
  /** By how much more must be asked for what a stage lacks: of several stages one is only a part of the step. */
  #leverage = 1;

  constructor({ curve, part, obstacles, mode }: CurveBodyContactsOptions) {
    const { q, count } = curve.chain;
    const spacing = (q[4 * count - 1] - q[3]) / Math.max(1, count - 1);
    this.curve = curve;
    this.mode = mode;
    this.#part = part;
    this.#obstacles = obstacles.map((obstacle) => new BodyObstacle(obstacle, curve, spacing));
    this.#set = new BodyContactSet(this.#obstacles);
    this.#search = new BodySearch(curve, this.#obstacles, this.#set);
    this.#edges = new BodyEdges(curve, this.#obstacles);
    for (const obstacle of this.#obstacles) obstacle.beginStep();
  }

  /** Places with rows in the last solve, and those of them that pushed. */
  get count(): number {
    return this.#set.count;
  }

  get pushing(): number {
    let count = 0;
    for (let c = 0; c < this.#set.count; c++) if (this.#set.at(c).load > 0) count++;
    return count;
  }

  /** Labels of the nodes that slide on edges. */
  get edgeNodes(): readonly number[] {
    return this.#edges.nodes.map(({ label }) => label);
  }

  get fallbacks(): number {
    return this.#fallbacks;
  }

  adapt(): void {
    this.#edges.adapt();
  }

  beginStep(): void {
    const { curve } = this;
    this.#stageTime = Number.NaN;
    this.#fault = null;
    for (const obstacle of this.#obstacles) obstacle.beginStep();
    this.#set.clear();
    for (const { label, body, edge } of this.#edges.nodes) {
      const i = curve.indexOf(label);
      const contact = i < 0 ? undefined : this.#set.open(ON_EDGE, body, edge, label, -1);
      if (contact === undefined) continue;
      contact.i = i;
      contact.j = -1;
      this.#writeEdgePlanes(contact);
      contact.measureStart(curve.chain, this.#obstacles[body], ARRIVAL * this.#spacingOf(contact));
    }
    // on another edge of the corner the forces are much the same
    for (const memory of this.#memory) {
      if (memory.kind !== ON_EDGE) this.#resume(memory);
      else this.#remember(this.#set.find(ON_EDGE, memory.body, memory.feature, memory.label), memory);
    }
  }

  #writeEdgePlanes({ body, feature, plane }: BodyContact): void {
    const { edgeNormalA, edgeNormalB, edgeStart } = this.#obstacles[body].facets;
    for (const [at, normals] of [[0, edgeNormalA] as const, [4, edgeNormalB] as const]) {
      plane[at + 3] = 0;
      for (let k = 0; k < 3; k++) {
        plane[at + k] = normals[3 * feature + k];
        plane[at + 3] += plane[at + k] * edgeStart[3 * feature + k];
      }
    }
  }

  #remember(contact: BodyContact | undefined, { load, states, push }: ContactMemory): void {
    if (contact === undefined) return;
    contact.grip = load;
    contact.states.set(states);
    contact.push.set(push);
    // 0: the row holds, the face pushes
    if (contact.kind === ON_EDGE && (states[0] !== 0 || states[1] !== 0)) this.#hold(contact, true);
  }

  /** A contact of the step before, where it is still there. */
  #resume(memory: ContactMemory): void {
    const { kind, body, feature, label, other } = memory;
    const { curve } = this;
    const { chain } = curve;
    const i = curve.indexOf(label);
    if (i < 0 || (kind === ON_FACE && this.#isOnEdge(body, feature, label))) return;
    // the first label of a loop is also its last
    const j = other < 0 ? -1 : i + 1;
    if (j >= 0 && (j >= chain.count || chain.label[j] !== other)) return;
    if (kind === ACROSS_EDGE && this.#isBesideEdgeNode(body, feature, label, other)) return;
    const contact = this.#set.open(kind, body, feature, label, other);
    if (contact === undefined) return;
    contact.i = i;
    contact.j = j;
    if (!this.#follow(contact)) this.#set.close(contact);
    else {
      contact.measureStart(chain, this.#obstacles[body], RECOVERY * this.#spacingOf(contact));
      this.#remember(contact, memory);
    }
  }

  /** Gives a contact its plane at the start of a step; false where it has ended. */
  #follow(contact: BodyContact): boolean {
    const { chain } = this.curve;
    const near = NEAR * this.#spacingOf(contact);
    const { facets, start, tolerance } = this.#obstacles[contact.body];
    if (contact.kind === ON_ROUND) return this.#search.followRound(contact, near);
    if (contact.kind !== ON_FACE) {
      if (!this.#search.measure(contact, true) || this.#search.place.gap > near) return false;
      this.#search.setSegment(contact, this.#search.place);
      return true;
    }
    this.#search.writeFace(contact.body, contact);
    const p = this.#p;
    start.writeLocal(chain.q, 4 * contact.i, p, 0);
    return facets.isOverFace(contact.feature, p[0], p[1], p[2], tolerance);
  }
  readonly #p = new Float64Array(3);

  #isOnEdge(body: number, face: number, label: number): boolean {
    const edge = this.#set.findEdgeOf(body, label);
    const { edgeFaceA, edgeFaceB } = this.#obstacles[body].facets;
    return edge >= 0 && (edgeFaceA[edge] === face || edgeFaceB[edge] === face);
  }

  #isBesideEdgeNode(body: number, edge: number, label: number, other: number): boolean {
    return this.#set.findEdgeOf(body, label) === edge || this.#set.findEdgeOf(body, other) === edge;
  }

  /** Half the material length about a contact's first node [m]. */
  #spacingOf({ i }: BodyContact): number {
    return 0.5 * computeNodeSpan(this.curve.chain, i);
  }

  addRows(rows: ConstraintRows, stage: Stage): void {
    if (stage.time !== this.#stageTime) this.#passes = 0;
    this.#stageTime = stage.time;
    this.#leverage = stage.order === 1 ? 1 : stage.step / stage.h;
    for (const obstacle of this.#obstacles) obstacle.read();
    for (let c = 0; c < this.#set.count; c++) {
      const contact = this.#set.at(c);
      contact.addRows(this.curve, this.#part, this.#obstacles[contact.body], rows, stage);
    }
  }

  clearForces(): void {
    this.curve.clearContactForces();
    for (const { force } of this.#obstacles) force.fill(0);
  }

  /**
   * Nodes on edges are free to slide where both faces push. Where one does, or none, nothing keeps the node from running along the curve: its u̇ is
   * held then.
   */
  preview(rows: ConstraintRows): void {
    if (!this.curve.holdMaterial) return;
    for (let c = 0; c < this.#set.count && this.#set.at(c).kind === ON_EDGE; c++) {
      const contact = this.#set.at(c);
      if (!contact.isHeld && !contact.isPushed(rows)) this.#hold(contact, true);
    }
  }

  #hold(contact: BodyContact, isHeld: boolean): void {
    contact.isHeld = isHeld;
    this.curve.holdMaterial?.(contact.label, isHeld);
  }

  /** Lets nodes slide that are held though both faces push, once a step; true where there are any. */
  #release(): boolean {
    let isAny = false;
    for (let c = 0; c < this.#set.count && this.#set.at(c).kind === ON_EDGE; c++) {
      const contact = this.#set.at(c);
      if (!contact.isHeld || !contact.mayRelease || !(contact.force[0] > 0 && contact.force[1] > 0)) continue;
      contact.mayRelease = false;
      this.#hold(contact, false);
      isAny = true;
    }
    return isAny;
  }

  takeMultipliers(rows: ConstraintRows, stage: Stage): void {
    for (let c = 0; c < this.#set.count; c++) {
      const contact = this.#set.at(c);
      contact.takeMultipliers(this.curve, this.#obstacles[contact.body], rows, stage.h);
      if (contact.isHeld && !contact.hasReturned) this.#keepOnEdge(contact);
    }
  }

  /** New contacts, before Newton has converged with the old ones. */
  foresee(): void {
    for (const obstacle of this.#obstacles) obstacle.read();
    if (this.#obstacles.length > 0) this.#search.search(this.#take);
    this.#release();
  }

  /** A node whose u̇ is held goes along the curve to where the edge is, once a step, so that it is there when both faces push again. */
  #keepOnEdge(contact: BodyContact): void {
    const { chain } = this.curve;
    const way = contact.computeReturn(chain, this.#obstacles[contact.body]);
    if (way === 0) return;
    contact.hasReturned = true;
    const at = 4 * contact.i + 3;
    const room = way > 0 ? chain.q[at + 4] - chain.q[at] : chain.q[at] - chain.q[at - 4];
    this.curve.slideNode?.(contact.label, Math.max(-MOST_RETURN * room, Math.min(MOST_RETURN * room, way)));
  }

  revise({ isHeap }: Stage): boolean {
    this.#passes++;
    this.#fault = null;
    const left = computeLeftDepth(isHeap, this.curve.radius);
    for (const obstacle of this.#obstacles) obstacle.read();
    const isDeep = this.#correct(left);
    const isFreed = this.#release();
    this.#found = false;
    if (this.#obstacles.length > 0) this.#search.search(this.#take);
    const mayGoOn = this.#passes <= MOST_PASSES;
    const isOther = this.#passes <= computeFrictionPasses(isHeap) && this.#reviseFriction();
    if (mayGoOn && (isDeep || this.#found || isOther || isFreed)) return true;
    if (isDeep || this.#found || this.#search.isSunk(left)) this.#fault = `"${this.curve.id}" penetrates a body`;
    return false;
  }

  readonly #take = (contact: BodyContact, wasOutside: boolean): void => {
    contact.measureStart(
      this.curve.chain,
      this.#obstacles[contact.body],
      wasOutside ? Number.POSITIVE_INFINITY : RECOVERY * this.#spacingOf(contact),
    );
    this.#found = true;
  };

  /** Asks more of contacts that ended deeper than they should, by more than `left` [m]: what turns in a step is not linear; true where there were any. */
  #correct(left: number): boolean {
    const { chain } = this.curve;
    let isDeep = false;
    for (let c = 0; c < this.#set.count; c++) {
      const contact = this.#set.at(c);
      const obstacle = this.#obstacles[contact.body];
      const deep = DEEP * obstacle.tolerance + left;
      if (contact.kind === ACROSS_EDGE || contact.kind === BESIDE_ROUND) {
        if (!this.#search.measure(contact, false) || this.#search.place.gap > contact.want[0] - deep) continue;
        this.#search.setSegment(contact, this.#search.place);
        // one stage alone measures gaps at its end, by the new place
        if (this.#leverage === 1) contact.keep[0] = contact.want[0];
        else contact.keep[0] += this.#leverage * (contact.want[0] - this.#search.place.gap);
        isDeep = true;
        continue;
      }
      for (let m = 0; m < contact.planes; m++) {
        const short = contact.want[m] - contact.computePresentGap(chain, obstacle, m);
        if (!(short > deep)) continue;
        contact.keep[m] += this.#leverage * short;
        isDeep = true;
      }
    }
    return isDeep;
  }

  /** Friction from the newest normal forces; true where they differ from those that it was taken from. */
  #reviseFriction(): boolean {
    let [largest, sum, excess, other, turn] = [0, 0, 0, 0, 0];
    for (let c = 0; c < this.#set.count; c++) {
      const contact = this.#set.at(c);
      const obstacle = this.#obstacles[contact.body];
      if (!(obstacle.friction > 0)) continue;
      const { load, grip } = contact;
      largest = Math.max(largest, load);
      other = Math.max(other, Math.abs(load - grip));
      sum += load;
      excess += load - grip;
      turn += load * contact.computeTurn(this.curve.chain, obstacle);
      contact.grip = load;
    }
    return other > SAME_FORCE * largest || Math.abs(excess) > SAME_LOAD * sum || turn > SAME_WAY * sum;
  }

  findFault(): string | null {
    return this.#refusals >= MOST_REFUSALS ? null : this.#fault;
  }

  wantsRetry(): boolean {
    return false;
  }

  rollBack(): void {
    if (this.#fault !== null) this.#refusals++;
  }

  endStep(): void {
    if (this.#fault !== null) this.#fallbacks++;
    this.#refusals = 0;
    this.#memory = [];
    this.#edges.endStep(({ body, edge, label }) => this.#set.find(ON_EDGE, body, edge, label));
    for (let c = 0; c < this.#set.count; c++) {
      const contact = this.#set.at(c);
      const { kind, body, feature, label, other, load } = contact;
      if (this.mode === 'eol' && load > 0) this.#askEdge(contact);
      if (kind !== ON_EDGE && !(load > 0 || this.#isNear(contact))) continue;
      this.#memory.push({
        kind,
        body,
        feature,
        label,
        other,
        load,
        states: [...contact.states],
        push: [...contact.push],
      });
    }
  }

  #isNear(contact: BodyContact): boolean {
    if (contact.kind === BESIDE_ROUND) return false;
    const near = NEAR * this.#spacingOf(contact);
    return contact.computePresentGap(this.curve.chain, this.#obstacles[contact.body], 0) < near;
  }

  /** Asks for a node that slides where a segment presses on an edge, or an ordinary node on both of its faces. */
  #askEdge(contact: BodyContact): void {
    const { kind, body, feature, label, i, j, share } = contact;
    const { q } = this.curve.chain;
    const span = computeNodeSpan(this.curve.chain, i);
    if (kind === ACROSS_EDGE) this.#edges.ask((1 - share) * q[4 * i + 3] + share * q[4 * j + 3], body, feature, span);
    if (kind !== ON_FACE) return;
    const { edgeCount, edgeFaceA, edgeFaceB } = this.#obstacles[body].facets;
    for (let edge = 0; edge < edgeCount; edge++) {
      if (edgeFaceA[edge] !== feature) continue;
      const beside = this.#set.find(ON_FACE, body, edgeFaceB[edge], label);
      if (beside !== undefined && beside.load > 0) this.#edges.ask(q[4 * i + 3], body, edge, span);
    }
  }

  /** Adds the force of the curve on a body to out[at…] [N]. */
  addForceOn(body: Body, out: Float64Array, at: number): void {
    for (const obstacle of this.#obstacles)
      if (obstacle.body === body) for (let k = 0; k < 3; k++) out[at + k] += obstacle.force[k];
  }

  /** On the curve, where it touches. */
  forces(): ForceFrame[] {
    const list = new ForceList();
    for (let c = 0; c < this.#set.count; c++) {
      this.#set.at(c).writePlace(this.curve.chain, this.#p);
      list.add(this.#p, 0, this.#set.at(c).push, 0, 1);
    }
    return list.finish('contact', this.curve.id);
  }

  writeState(writer: StateWriter): void {
    writer.number(this.#fallbacks);
    writer.number(this.#refusals);
    this.#edges.writeState(writer);
    writer.number(this.#memory.length);
    for (const { kind, body, feature, label, other, load, states, push } of this.#memory)
      for (const value of [kind, body, feature, label, other, load, ...states, ...push]) writer.number(value);
    for (const { force } of this.#obstacles) writer.array(force);
  }

  readState(reader: StateReader): void {
    const next = (): number => reader.number();
    this.#fallbacks = next();
    this.#refusals = next();
    this.#edges.readState(reader);
    this.#memory = Array.from({ length: next() }, () => ({
      kind: next(),
      body: next(),
      feature: next(),
      label: next(),
      other: next(),
      load: next(),
      states: [next(), next(), next(), next()],
      push: [next(), next(), next()],
    }));
    for (const { force } of this.#obstacles) reader.array(force);
    this.#set.clear();
  }
}
