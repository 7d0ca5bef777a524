/**
 * A strand: L-nodes, whose material coordinate is fixed, and E-nodes, whose world position a guide holds while the
 * material slides through [Jiang 2020]. Four coordinates a node (x, u).
 *
 * Beyond the thesis: consistent inertia with its configuration-dependent terms [theory/eol#inertia], the Eshelby force
 * at E-nodes, linear cost by a banded LDLT instead of a sparse QR, momentum kept through remeshing. The thesis'
 * equality constraints (Eqs. 4, 5) on single coordinates are cancelled rows here; their forces are recovered from the rows.
 */
import { writeBodyPoint } from '../bodies/index.ts';
import {
  addBodyContact,
  type ContactForces,
  type ContactStage,
  createContactForces,
  detectBodies,
  NodeFrames,
  readContact,
  rememberContact,
  restoreContact,
  writeContact,
} from '../contact/index.ts';
import {
  type AxialStage,
  addBendingSystem,
  addWindSystem,
  BendingStencil,
  blendChainMotion,
  listChainSegments,
  writeAxialSystem,
  writeChainMaterialVelocity,
} from '../curve/index.ts';
import type { Vec3 } from '../math/index.ts';
import {
  CANCEL_POSITION,
  CANCEL_U,
  ChainPart,
  type ConstraintRows,
  type CurveFrame,
  cancelFolded,
  type EnergyTerms,
  type ForceFrame,
  foldLoop,
  HeddleError,
  isActive,
  type LineModel,
  type MaterialGrip,
  movePoints,
  NODE_LAGRANGIAN,
  type Stage,
  type StateReader,
  type StateWriter,
  type TurnableModel,
  type Wind,
  writeImages,
} from '../model/index.ts';
import { BlockBanded } from '../sparse/index.ts';
import { jamGuides, RemeshRoom, remeshStrand } from './adapt.ts';
import { isBuckled } from './buckling.ts';
import { createForceFrames } from './force-frames.ts';
import { addGuideForces, holdSticking, reviseFriction } from './friction.ts';
import { computeStrandMass, takeStrandMaterial } from './grip.ts';
import { moveSeam } from './loop.ts';
import {
  addStrandEnergy,
  addStrandInertia,
  addStrandMomentum,
  computeNodeDistance,
  computeStrandLabels,
  computeStrandStrain,
  createStrandFrame,
} from './measure.ts';
import { DEFAULT_REMESH, type StrandOptions } from './options.ts';
import { slipOut } from './slip-out.ts';
import { StrandSpools } from './spools.ts';
import { createTouchingState } from './start-edges.ts';
import { StrandState } from './state.ts';
import { StrandTouch } from './touch.ts';
import { adaptTouch, freezeTouch, rescueTouch } from './touch-adapt.ts';
import { addEdgeFriction, addFaceFriction, addSlidingMass } from './touch-friction.ts';
import { type TouchParts, TouchRows } from './touch-rows.ts';

/** Nodes nearer than this share of their spacing count as crossed: the step is taken again, shorter. */
const SMALLEST_SEGMENT = 1e-3;
/** Strain that a step may add at an E-node, and the share of the world's step below which it may be more. */
const JERK = 0.03;
const SHORT = 1 / 100;
/** Strain that a linearised step may add by turning: to a segment, and to the strand as a whole, which shares it out. */
const LINEAR_STRAIN = 1e-3;
const MEAN_LINEAR_STRAIN = 3e-4;
/** Share of the material between an E-node and its neighbour that is left after a Newton correction, at least; smallest share of that. */
const SHRINK = 0.2;
const SMALLEST_SHARE = 0.05;
/** Passes of a stage in which guides may change between sticking and slipping. */
const MOST_FRICTION_PASSES = 8;
/** The same between two E-nodes, whose distance closes where the strand passes a corner of a body. */
const SMALLEST_BETWEEN_EDGES = 1e-7;

const NOT_FINITE = 'a position or velocity is not finite';

/** Whether the first numbers are. */
function areFinite(values: Float64Array, count: number): boolean {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += values[k];
  return Number.isFinite(sum);
}

/** x, y and z, one after the other. */
const WORLD_AXES = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

export class Strand implements LineModel, TurnableModel {
  readonly type = 'strand';
  readonly id: string;
  readonly state: StrandState;
  readonly part: ChainPart;
  readonly signature: string;
  readonly gravity: Vec3;
  readonly winds: Wind[] = [];
  /** Coefficient of dry friction with what it touches [1]. */
  readonly friction: number;
  #segments = new Int32Array(0);
  /** Forces between the strand and its obstacles, from the last assembly. */
  readonly contact: ContactForces;
  readonly #remesh: { readonly near: number; readonly far: number };
  readonly #remeshRoom: RemeshRoom;
  readonly #axial: AxialStage;
  readonly #stencil = new BendingStencil();
  readonly #point = new Float64Array(3);
  /** Whether all of q and v was finite after the last correction. */
  #isFinite = true;
  /** Faces and edges that it touches; undefined in Lagrangian mode, where contact is a penalty, and without obstacles. */
  readonly touch: StrandTouch | undefined;
  /** Drums at its ends. */
  readonly spools: StrandSpools;
  readonly #isPenalty: boolean;
  readonly #frames = new NodeFrames();
  #isAdapting = false;
  /** Length of the present stage [s]. */
  #h = 0;
  /** λ₀ at the start of the step. */
  #restFactor = 1;
  /** Length of the step, and of the world's step that it is part of [s]. */
  #step = 0;
  #full = 0;
  #isFirstOrder = true;
  /** Rows of the held coordinates as they were before being cancelled: coefficients over the band, then the rhs. */
  #rows = new Float64Array(0);
  /** How many of the part's late coordinates are those of guides. */
  #guideLate = 0;

  constructor(options: StrandOptions) {
    this.id = options.id;
    this.gravity = options.gravity ?? [0, -9.81, 0];
    this.friction = options.friction ?? 0;
    this.#remesh = options.remesh ?? DEFAULT_REMESH;
    this.contact = createContactForces(options.obstacles ?? []);
    const touches = options.mode !== 'lagrangian' && this.contact.bodies.length > 0;
    this.touch = touches ? new StrandTouch(this.contact, options.material.radius, options.friction ?? 0) : undefined;
    this.#remeshRoom = new RemeshRoom(this.touch, this.gravity);
    this.#isPenalty = !touches && this.contact.bodies.length > 0;
    this.state = this.touch ? createTouchingState(options, this.touch) : new StrandState(options);
    this.spools = new StrandSpools(this.state, this.gravity);
    const nodes = this.state.chain.label.length;
    this.part = new ChainPart(this.id, new BlockBanded(nodes, 4, options.material.bendingStiffness > 0 ? 2 : 1));
    this.signature = JSON.stringify([this.type, this.id, nodes, this.state.chain.closed]);
    this.#axial = {
      h: 0,
      linearized: true,
      keepsMomentum: false,
      massDamping: options.damping?.mass ?? 0,
      stiffnessDamping: options.damping?.stiffness ?? 0,
      gravity: Float64Array.from(this.gravity),
    };
  }

  get nodeCount(): number {
    return this.state.chain.ownCount;
  }

  get radius(): number {
    return this.state.chain.material.radius;
  }

  listSegments(): Int32Array {
    this.#segments = listChainSegments(this.state.chain, this.#segments);
    return this.#segments;
  }

  get fallbacks(): number {
    return this.touch?.fallbacks ?? 0;
  }

  /** Rows of its contact with the b-th obstacle, a dynamic body; for a tie of the world. */
  createTouchRows(b: number, parts: TouchParts): TouchRows {
    if (this.touch === undefined) throw new HeddleError(`strand "${this.id}" has no obstacles for contact.`);
    return new TouchRows(this.touch, this.#frames, b, parts);
  }

  /** The stage of the last assembly, for what adds to it from outside. */
  get contactStage(): ContactStage {
    return this.#axial;
  }

  detect(h: number): void {
    this.#remeshRoom.loans.step = h;
    if (this.contact.bodies.length > 0) detectBodies(this.state.chain, h, this.contact);
    if (this.touch) this.touch.step = h;
  }

  /** Remembers what adaptation may change; called before anything from outside changes nodes. */
  beginAdapt(): void {
    this.state.rememberHolds();
    this.state.changes = 0;
    if (this.state.chain.closed) this.#moveSeam();
    this.touch?.rememberContacts();
    this.#isAdapting = true;
  }

  adapt(): number {
    const { state, touch } = this;
    if (!this.#isAdapting) this.beginAdapt();
    this.#isAdapting = false;
    touch?.place(touch.start);
    if (touch) adaptTouch(state, touch, this.#remeshRoom);
    slipOut(state, touch, this.#remeshRoom);
    remeshStrand(state, this.#remesh, this.#remeshRoom);
    state.remeshings += state.changes;
    jamGuides(state);
    this.spools.adapt();
    this.#reserve();
    return state.changes;
  }

  /** Keeps the seam of a loop away from E-nodes; what is asked for at a material coordinate moves with it. */
  #moveSeam(): void {
    const { state, touch } = this;
    moveSeam(state, this.#remeshRoom);
    if (touch?.search.edges.length)
      touch.search.edges = touch.search.edges.map((ask) => ({ ...ask, u: state.wrap(ask.u) }));
  }

  beginStep(): void {
    rememberContact(this.contact);
    this.touch?.beginStep(this.state);
    this.state.chain.beginStep();
    this.#restFactor = this.state.chain.material.restFactor;
    this.state.releaseAll();
    this.#frames.clear(this.state.chain.label.length);
    this.#holdGuides();
  }

  rollBack(isAsLong: boolean): void {
    if (this.state.changes > 0) this.state.restoreNodes();
    else this.state.chain.rollBack();
    this.state.chain.material.restFactor = this.#restFactor;
    this.#frames.clear(this.state.chain.label.length);
    this.state.restoreHolds();
    restoreContact(this.contact);
    this.touch?.restoreContacts(isAsLong);
  }

  beginStage(stage: Stage, drift: number, kick: number): void {
    this.state.chain.beginStage(drift, kick);
    this.#h = stage.h;
    this.#step = stage.step;
    this.#full = stage.full;
    this.#isFirstOrder = stage.order === 1;
    this.touch?.beginStage(this.state);
    this.#aimGuides(stage);
    this.spools.beginStage(stage);
  }

  /** Gives held coordinates their prescribed velocities, once drivers and guides have said them. */
  applyTargets(): void {
    const { state } = this;
    const { v, target, cancelled } = state.chain;
    this.#writeFrames();
    for (let n = 0; n < state.heldCount; n++) {
      const i = state.indexOf(state.held[n]);
      const frame = this.#frames.find(state.held[n]);
      for (let k = frame < 0 ? 0 : 3; k < 4; k++) if (cancelled[i] & (1 << k)) v[4 * i + k] = target[4 * i + k];
      if (frame >= 0) this.#frames.applySpeeds(frame, v, 4 * i);
    }
    if (state.chain.closed) state.chain.writeImages();
  }

  /** Gives the nodes that faces and edges hold axes of their own, and cancels there what is held. */
  #writeFrames(): void {
    const { state, touch } = this;
    const frames = this.#frames;
    if (touch === undefined) return;
    const { cancelled } = state.chain;
    for (let n = 0; n < frames.count; n++) {
      const i = state.indexOf(frames.label[n]);
      cancelled[i] = (cancelled[i] & CANCEL_U) | state.heldAxes[frames.label[n]];
    }
    frames.clear(state.chain.label.length);
    touch.addFrames(state, frames, this.#h);
    for (let n = 0; n < frames.count; n++) {
      const i = state.indexOf(frames.label[n]);
      frames.complete(n);
      cancelled[i] &= CANCEL_U;
      state.cancel(frames.label[n], (1 << frames.rank[n]) - 1);
    }
  }

  assemble(stage: Stage): void {
    const { part } = this;
    const { chain } = this.state;
    const axial = this.#axial;
    axial.h = stage.h;
    axial.linearized = stage.linearized;
    axial.keepsMomentum = stage.order === 1 && this.#isOnFreeEdge();
    part.matrix.blocks = chain.closed ? chain.ownCount + part.matrix.bandwidth : chain.count;
    if (chain.closed) chain.writeImages();
    writeAxialSystem(chain, axial, part.matrix, part.rhs);
    if (part.matrix.bandwidth > 1) addBendingSystem(chain, axial, this.#stencil, part.matrix, part.rhs);
    for (const wind of this.winds)
      if (isActive(wind, stage.start)) addWindSystem(chain, axial, wind, part.matrix, part.rhs);
    if (this.#isPenalty) addBodyContact(chain, axial, this.contact, part.matrix, part.rhs);
    this.#addPoints(stage.h);
    addGuideForces(this.state, stage.h, part.matrix, part.rhs);
    this.spools.addSystem(part.matrix, part.rhs);
    if (this.touch) {
      addFaceFriction(this.touch, this.state, stage.h, part.matrix, part.rhs);
      addEdgeFriction(this.touch, this.state, stage.h, part.matrix, part.rhs);
      addSlidingMass(this.touch, this.state, part.matrix, part.rhs);
    }
    for (let n = 0; n < this.#frames.count; n++) {
      const i = this.state.indexOf(this.#frames.label[n]);
      this.#frames.turnSystem(n, i, part.matrix, part.rhs);
      if (this.#hasImage(i)) this.#frames.turnSystem(n, chain.ownCount + i, part.matrix, part.rhs);
    }
    this.#cancelHeld();
    if (chain.closed) this.#putSeamLast();
  }

  /** Whether node i of a loop stands at the end of its chain again. */
  #hasImage(i: number): boolean {
    return this.state.chain.closed && i < this.part.matrix.bandwidth;
  }

  /** Nodes with images are coupled to both ends of the chain: what is free of them is eliminated last. */
  #putSeamLast(): void {
    const { part } = this;
    const { cancelled } = this.state.chain;
    part.late.length = this.#guideLate;
    for (let c = 0; c < 4 * part.matrix.bandwidth; c++)
      if (!(cancelled[c >> 2] & (1 << (c & 3))) && !part.late.includes(c)) part.late.push(c);
  }

  correct(stage: Stage): number {
    const { q, v, qBase, count } = this.state.chain;
    const { rhs } = this.part;
    const { h } = stage;
    const frames = this.#frames;
    if (this.state.chain.closed) writeImages(this.part);
    this.#computeReactions(h);
    for (let n = 0; n < frames.count; n++) frames.turnBack(n, rhs, 4 * this.state.indexOf(frames.label[n]));
    if (this.state.chain.closed) writeImages(this.part);
    this.touch?.readForces(this.state, frames);
    let largest = 0;
    let sum = 0;
    const share = this.#isOnFreeEdge() ? this.#computeShare(h) : 1;
    for (let k = 0; k < 4 * count; k++) {
      const change = share * rhs[k];
      const size = change < 0 ? -change : change;
      if (size > largest) largest = size;
      const speed = v[k] + change;
      const place = qBase[k] + h * speed;
      v[k] = speed;
      q[k] = place;
      sum += speed + place;
    }
    this.#isFinite = Number.isFinite(sum);
    if (!this.#isFinite) return Number.NaN;
    const correction = (largest * h) / this.state.smallestSpacing;
    // a shortened one has not converged
    return share < 1 ? Math.max(1, correction) : correction;
  }

  /** How much of a correction keeps the material between E-nodes and their neighbours from vanishing: Newton would not return. */
  #computeShare(h: number): number {
    const { q, v, qBase, kind, count } = this.state.chain;
    const { rhs } = this.part;
    let share = 1;
    for (let e = 0; e + 1 < count; e++) {
      if (kind[e] === NODE_LAGRANGIAN && kind[e + 1] === NODE_LAGRANGIAN) continue;
      const [i, j] = [4 * e + 3, 4 * e + 7];
      const now = q[j] - q[i];
      // from where the iterate is, by the correction alone
      const before = qBase[j] - qBase[i] + h * (v[j] - v[i]);
      const change = h * (rhs[j] - rhs[i]);
      const least = SHRINK * Math.min(now, before);
      if (before + change < least && change < 0) share = Math.min(share, (least - before) / change);
    }
    return Math.max(SMALLEST_SHARE, share);
  }

  /** A segment that turns by φ in a stage seems longer by φ²/2 to the linearised step; E-nodes on free bodies lose momentum in it. */
  isFarFromLinear({ h, step, full }: Stage): boolean {
    const { qBase, v, kind, count } = this.state.chain;
    if (this.#isOnFreeEdge()) return true;
    if (step < SHORT * full) return false;
    let added = 0;
    let whole = 0;
    for (let e = 0; e + 1 < count; e++) {
      const i = 4 * e;
      const j = i + 4;
      const du = qBase[j + 3] - qBase[i + 3];
      whole += du;
      if (kind[e] !== NODE_LAGRANGIAN || kind[e + 1] !== NODE_LAGRANGIAN) continue;
      let length2 = 0;
      let along = 0;
      let speed2 = 0;
      for (let k = 0; k < 3; k++) {
        const d = qBase[j + k] - qBase[i + k];
        const w = v[j + k] - v[i + k];
        length2 += d * d;
        along += d * w;
        speed2 += w * w;
      }
      const strain = (0.5 * h * h * (speed2 - (along * along) / length2)) / length2;
      if (strain > LINEAR_STRAIN) return true;
      // one that bodies hold at both ends cannot give way to what it seems longer
      if (strain > MEAN_LINEAR_STRAIN && this.#isHeld(e) && this.#isHeld(e + 1)) return true;
      added += strain * du;
    }
    return added > MEAN_LINEAR_STRAIN * whole;
  }

  /** Whether a body holds node i. */
  #isHeld(i: number): boolean {
    return this.touch?.isTouching(this.state.chain.label[i]) === true;
  }

  convergesSlowly(): boolean {
    return this.#isOnFreeEdge();
  }

  /** Whether an edge of a body that forces move holds a node: only iterates keep their momentum. */
  #isOnFreeEdge(): boolean {
    for (const { site } of this.state.guides) if (site.type === 'edge' && this.touch?.isDynamic(site.body)) return true;
    return false;
  }

  revise(pass: number): boolean {
    const slipped = pass <= MOST_FRICTION_PASSES && reviseFriction(this.state);
    const turned = pass <= MOST_FRICTION_PASSES && this.spools.revise();
    return (this.touch?.revise(this.state, pass, this.#h) ?? false) || slipped || turned;
  }

  restartStage(): void {
    const { q, qBase } = this.state.chain;
    q.set(qBase);
  }

  computeStepError(h: number): number {
    const { v, vStart, count } = this.state.chain;
    let largest = 0;
    for (let k = 0; k < 4 * count; k++) largest = Math.max(largest, Math.abs(v[k] - vStart[k]));
    return (0.5 * h * largest) / this.state.smallestSpacing;
  }

  findFault(): string | null {
    if (!this.#isFinite) return NOT_FINITE;
    const { state } = this;
    if (this.touch?.withdraw(state)) return 'the contact force at an edge is tensile';
    const { q, label, kind, count } = state.chain;
    // only E-nodes move along the material
    for (let g = 0; g < state.guides.length; g++) {
      const e = state.indexOf(state.guides[g].label);
      for (let i = Math.max(0, e - 1); i <= Math.min(e, count - 2); i++) {
        const smallest = kind[i] === kind[i + 1] ? SMALLEST_BETWEEN_EDGES : SMALLEST_SEGMENT;
        if (!(q[4 * i + 7] - q[4 * i + 3] > smallest * state.spacing[label[i]]))
          return `material passed node ${label[i + 1]} within one step`;
      }
    }
    if (this.touch === undefined) return null;
    if (this.#step > SHORT * this.#full) {
      if (this.#isJerked()) return 'an edge stretched it too much within one step';
      if (this.#isFirstOrder && isBuckled(state.chain, this.gravity, state.smallestSpacing))
        return 'it buckled within one step';
      if (this.touch.isHeldBack(state, this.#h)) return 'the contact force of a body is tensile';
    }
    // bodies that no strand can lie on, such as solids that cut through themselves, may move nodes out to nowhere
    return this.#findTouchFault(this.touch) ?? (areFinite(q, 4 * count) ? null : NOT_FINITE);
  }

  /** Whether a segment at an E-node was stretched by so much that a linearised step cannot tell. */
  #isJerked(): boolean {
    const { state } = this;
    const { q, qStart, kind, count } = state.chain;
    for (let e = 0; e + 1 < count; e++) {
      if (kind[e] === NODE_LAGRANGIAN && kind[e + 1] === NODE_LAGRANGIAN) continue;
      const before = computeNodeDistance(qStart, e, e + 1) / (qStart[4 * e + 7] - qStart[4 * e + 3]);
      const after = computeNodeDistance(q, e, e + 1) / (q[4 * e + 7] - q[4 * e + 3]);
      if (after > Math.max(1, before) + JERK) return true;
    }
    return false;
  }

  /** Segments that went through edges ask for E-nodes; without hope of resolving that, the step is taken as it is. */
  #findTouchFault(touch: StrandTouch): string | null {
    if (touch.findCrossings(this.state)) {
      if (!touch.isHopeless) return 'it passed through an edge';
      touch.fallbacks++;
    }
    return null;
  }

  rescue(): boolean {
    return this.touch !== undefined && rescueTouch(this.state, this.touch, this.#remeshRoom);
  }

  freeze(end: number): boolean {
    if (this.touch === undefined) return false;
    freezeTouch(this.state, this.touch);
    this.touch.carry(this.state, end);
    return true;
  }

  endStep(): void {
    this.touch?.endStep(this.state);
  }

  wantsRetry(): boolean {
    return this.touch?.wantsRetry ?? false;
  }

  hasNode(label: number): boolean {
    return this.state.indexOf(label) >= 0;
  }

  writeNodePosition(label: number, out: Float64Array): void {
    const at = 4 * this.state.indexOf(label);
    for (let k = 0; k < 3; k++) out[k] = this.state.chain.q[at + k];
  }

  writeNodeVelocity(label: number, out: Float64Array): void {
    const at = 4 * this.state.indexOf(label);
    for (let k = 0; k < 3; k++) out[k] = this.state.chain.v[at + k];
  }

  writeNodeMaterialVelocity(label: number, out: Float64Array): void {
    writeChainMaterialVelocity(this.state.chain, this.state.indexOf(label), out);
  }

  writeNodeBase(label: number, out: Float64Array): void {
    const at = 4 * this.state.indexOf(label);
    for (let k = 0; k < 3; k++) out[k] = this.state.chain.qBase[at + k];
  }

  holdNode(label: number, bits: number): void {
    this.state.hold(label, bits);
  }

  aimNode(label: number, k: number, speed: number): void {
    this.state.chain.target[4 * this.state.indexOf(label) + k] = speed;
  }

  pushNode(label: number, force: ArrayLike<number>): void {
    this.state.push(label, force);
  }

  addNodeRow(rows: ConstraintRows, part: number, label: number, k: number, sign: number): void {
    this.addNodeEntries(rows, part, this.state.indexOf(label), sign, WORLD_AXES, 3 * k, 0);
  }

  /** Adds weight · (d·ẋ + du·u̇) of node i to the last row, d three numbers at o; what is held does not move by Δ. */
  addNodeEntries(
    rows: ConstraintRows,
    part: number,
    i: number,
    weight: number,
    d: Float64Array,
    o: number,
    du: number,
  ) {
    const { cancelled, kind, label } = this.state.chain;
    const { axes } = this.#frames;
    const frame = this.#frames.find(label[i]);
    for (let k = 0; k < 3; k++) {
      if (cancelled[i] & (1 << k)) continue;
      const a = 9 * frame + 3 * k;
      const along = frame < 0 ? d[o + k] : d[o] * axes[a] + d[o + 1] * axes[a + 1] + d[o + 2] * axes[a + 2];
      rows.addEntry(part, 4 * i + k, weight * along);
    }
    if (du !== 0 && kind[i] !== NODE_LAGRANGIAN && !(cancelled[i] & CANCEL_U))
      rows.addEntry(part, 4 * i + 3, weight * du);
  }

  /** Adds the impulse size · (d, du) on node i to the assembled right-hand side. */
  addNodeImpulse(i: number, size: number, d: Float64Array, du: number): void {
    const { cancelled, kind, label } = this.state.chain;
    const { axes } = this.#frames;
    const frame = this.#frames.find(label[i]);
    for (let k = 0; k < 3; k++) {
      if (cancelled[i] & (1 << k)) continue;
      const a = 9 * frame + 3 * k;
      const along = frame < 0 ? d[k] : d[0] * axes[a] + d[1] * axes[a + 1] + d[2] * axes[a + 2];
      this.part.rhs[4 * i + k] += size * along;
    }
    if (kind[i] !== NODE_LAGRANGIAN && !(cancelled[i] & CANCEL_U)) this.part.rhs[4 * i + 3] += size * du;
  }

  /** Forgets the forces of ties on a node: what holds it otherwise stays. */
  clearTieForce(label: number): void {
    const { state } = this;
    // a frame's free axes have none yet
    if (this.#frames.find(label) >= 0) return;
    const held = state.chain.cancelled[state.indexOf(label)];
    for (let k = 0; k < 3; k++) if (!(held & (1 << k))) state.reaction[4 * label + k] = 0;
  }

  /** Adds sign · force of a tie on a node. The reaction of a held direction is all that holds it, ties included. */
  addTieForce(label: number, force: Float64Array, sign: number): void {
    const { state } = this;
    const frame = this.#frames.find(label);
    if (frame < 0) {
      const held = state.chain.cancelled[state.indexOf(label)];
      for (let k = 0; k < 3; k++) if (!(held & (1 << k))) state.reaction[4 * label + k] += sign * force[k];
      return;
    }
    this.#frames.addFree(frame, force, sign, state.reaction, 4 * label);
    this.touch?.takeOffTie(state, this.#frames, label, force, sign);
  }

  /** Faces and edges that hold the node bear what presses it. */
  pressNode(label: number, force: Float64Array, sign: number): void {
    if (this.#frames.find(label) >= 0) this.touch?.takeOffTie(this.state, this.#frames, label, force, sign);
  }

  addEnergy(terms: EnergyTerms): void {
    addStrandEnergy(this.state, this.gravity, terms);
    terms.contact += this.contact.energy;
  }

  addMomentum(out: Float64Array): void {
    addStrandMomentum(this.state, out);
  }

  isOnItsOwn(time: number): boolean {
    const { state, contact } = this;
    // what drums and pulleys turn by is not in the momentum
    if (this.#axial.massDamping > 0 || state.spools.length > 0) return false;
    for (const { pulley } of state.guides) if (pulley !== undefined) return false;
    for (const wind of this.winds) if (isActive(wind, time)) return false;
    for (let n = 0; n < state.heldCount; n++)
      if (state.chain.cancelled[state.indexOf(state.held[n])] & CANCEL_POSITION) return false;
    for (let b = 0; b < contact.bodies.length; b++)
      if (contact.bodies[b].motion !== 'dynamic')
        for (let k = 3 * b; k < 3 * b + 3; k++) if (contact.force[k] !== 0) return false;
    return true;
  }

  addInertia(out: Float64Array): void {
    addStrandInertia(this.state, out);
  }

  moveBy(way: Float64Array): void {
    movePoints(way, this.state.chain.q, 4, this.state.chain.count);
  }

  blendMotion(share: number, motion: Float64Array): void {
    blendChainMotion(this.state.chain, share, motion);
  }

  computeMaxStrain(): number {
    return computeStrandStrain(this.state);
  }

  frame(): CurveFrame {
    return createStrandFrame(this.id, this.state);
  }

  forces(): ForceFrame[] {
    return createForceFrames(this.id, this.state, this.contact.nodes);
  }

  computeMass(): number {
    return computeStrandMass(this.state);
  }

  takeMaterial(label: number, place?: readonly number[]): MaterialGrip | undefined {
    return takeStrandMaterial(this.state, label, place);
  }

  frameLabels(): Int32Array<ArrayBuffer> {
    return computeStrandLabels(this.state);
  }

  writeState(writer: StateWriter): void {
    this.state.writeState(writer);
    writeContact(this.contact, writer);
    this.touch?.writeState(writer);
    this.spools.writeState(writer);
    writer.number(this.state.chain.material.restFactor);
  }

  readState(reader: StateReader): void {
    this.state.readState(reader);
    readContact(this.contact, reader, this.state.chain.label.length);
    this.touch?.readState(reader);
    this.spools.readState(reader);
    this.state.chain.material.restFactor = reader.number();
    this.#frames.clear(this.state.chain.label.length);
    this.#reserve();
  }

  /** Makes room in the system for nodes that were inserted. */
  #reserve(): void {
    const { part, state } = this;
    const nodes = state.chain.label.length;
    if (part.matrix.capacity >= nodes) return;
    part.matrix.reserve(nodes);
    part.rhs = new Float64Array(4 * part.matrix.capacity);
  }

  /** Guides hold their nodes; those on dynamic bodies are held by constraint rows, so x is eliminated last. */
  #holdGuides(): void {
    const { state, part } = this;
    part.late.length = 0;
    for (const { label, site, isSpool } of state.guides) {
      const at = 4 * state.indexOf(label);
      const body =
        site.type === 'edge' ? this.touch?.bodies[site.body] : site.type === 'point' ? site.rider?.body : undefined;
      if (body?.motion === 'dynamic' || site.type === 'crossing') part.late.push(at, at + 1, at + 2);
      else if (site.type === 'point') state.hold(label, CANCEL_POSITION);
      if (state.jammed[label] !== 0 && !isSpool) {
        state.hold(label, CANCEL_U);
        state.chain.target[at + 3] = 0;
      }
    }
    this.#guideLate = part.late.length;
    holdSticking(state);
  }

  /** Guides follow their bodies, and meet their place at the end of the stage exactly. */
  #aimGuides(stage: Stage): void {
    const { target, qBase } = this.state.chain;
    for (const { label, site } of this.state.guides) {
      if (site.type !== 'point') continue;
      const { rider, point } = site;
      if (rider?.body.motion === 'dynamic') continue;
      const at = 4 * this.state.indexOf(label);
      if (rider) writeBodyPoint(rider, stage.time, this.#point);
      for (let k = 0; k < 3; k++) target[at + k] = ((rider ? this.#point[k] : point[k]) - qBase[at + k]) / stage.h;
    }
  }

  /** Point masses, their weight, and forces on single nodes. */
  #addPoints(h: number): void {
    const { state } = this;
    const { v, vBase, pointMass } = state.chain;
    const { rhs } = this.part;
    const diag = this.part.matrix.bands[0];
    const scale = 1 + h * this.#axial.massDamping;
    for (let n = 0; n < state.pushCount; n++) {
      const at = 4 * state.indexOf(state.pushed[n]);
      for (let k = 0; k < 3; k++) rhs[at + k] += h * state.pushForce[3 * n + k];
    }
    for (let n = 0; n < state.weighted.length; n++) {
      const i = state.indexOf(state.weighted[n]);
      const m = pointMass[i];
      for (let k = 0; k < 3; k++) {
        rhs[4 * i + k] += m * (vBase[4 * i + k] - scale * v[4 * i + k] + h * this.gravity[k]);
        diag[16 * i + 5 * k] += m * scale;
      }
    }
  }

  #cancelHeld(): void {
    const { state, part } = this;
    const width = 4 * (2 * part.matrix.bandwidth + 1) + 1;
    // the second half is for the rows of images
    if (this.#rows.length < 8 * width * state.heldCount) this.#rows = new Float64Array(8 * width * state.heldCount);
    for (let n = 0; n < state.heldCount; n++) {
      const i = state.indexOf(state.held[n]);
      for (let c = 0; c < 4; c++) {
        if (!(state.chain.cancelled[i] & (1 << c))) continue;
        this.#saveRow(i, c, (8 * n + c) * width);
        if (this.#hasImage(i)) this.#saveRow(state.chain.ownCount + i, c, (8 * n + 4 + c) * width);
      }
    }
    if (state.chain.closed) foldLoop(part);
    for (let n = 0; n < state.heldCount; n++) {
      const i = state.indexOf(state.held[n]);
      for (let c = 0; c < 4; c++) if (state.chain.cancelled[i] & (1 << c)) cancelFolded(part, 4 * i + c);
    }
  }

  #saveRow(i: number, c: number, at: number): void {
    const { matrix, rhs } = this.part;
    const { bandwidth, bands, blocks } = matrix;
    let slot = at;
    for (let other = i - bandwidth; other <= i + bandwidth; other++)
      for (let k = 0; k < 4; k++, slot++) {
        if (other < 0 || other >= blocks) this.#rows[slot] = 0;
        else if (other <= i) this.#rows[slot] = bands[i - other][16 * other + 4 * c + k];
        else this.#rows[slot] = bands[other - i][16 * i + 4 * k + c];
      }
    this.#rows[slot] = rhs[4 * i + c];
  }

  /** Force that keeps a held coordinate at its velocity: what its row lacks, (A Δ − r)/h. */
  #computeReactions(h: number): void {
    const { state, part } = this;
    const width = 4 * (2 * part.matrix.bandwidth + 1) + 1;
    for (let n = 0; n < state.heldCount; n++) {
      const label = state.held[n];
      const i = state.indexOf(label);
      for (let c = 0; c < 4; c++) {
        if (!(state.chain.cancelled[i] & (1 << c))) continue;
        let impulse = this.#computeImpulse(i, (8 * n + c) * width);
        if (this.#hasImage(i)) impulse += this.#computeImpulse(state.chain.ownCount + i, (8 * n + 4 + c) * width);
        state.reaction[4 * label + c] = impulse / h;
      }
      const frame = this.#frames.find(label);
      if (frame < 0) continue;
      for (let c = this.#frames.rank[frame]; c < 3; c++) state.reaction[4 * label + c] = 0;
      this.#frames.turnBack(frame, state.reaction, 4 * label);
    }
  }

  /** What the row of node i saved at `at` lacks, A Δ − r. */
  #computeImpulse(i: number, at: number): number {
    const { bandwidth } = this.part.matrix;
    const { closed, ownCount, count } = this.state.chain;
    const end = 4 * (closed ? ownCount + bandwidth : count);
    const width = 4 * (2 * bandwidth + 1) + 1;
    let impulse = -this.#rows[at + width - 1];
    for (let k = 0; k < width - 1; k++) {
      const j = 4 * (i - bandwidth) + k;
      if (j >= 0 && j < end) impulse += this.#rows[at + k] * this.part.rhs[j];
    }
    return impulse;
  }
}
