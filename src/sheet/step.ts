/**
 * A sheet: triangles of cloth, paper, leather in FEM, whose vertices carry material (L) or let it slide through (E), after
 * [Piddington 2017]. Beyond the thesis: orthotropic membrane and bending that does not depend on the mesh, consistent inertia with its
 * configuration-dependent terms [theory/eol#inertia], damping, wind.
 */

import type { Body } from '../bodies/index.ts';
import type { Vec3 } from '../math/index.ts';
import { computeHypot2 } from '../math/index.ts';
import {
  blendVelocity,
  CANCEL_POSITION,
  type ConstraintRows,
  type Coupling,
  type EnergyTerms,
  type ForceFrame,
  HeddleError,
  isActive,
  type MaterialGrip,
  type MeshPart,
  movePoints,
  NODE_LAGRANGIAN,
  type NodeModel,
  type Stage,
  type StateReader,
  type StateWriter,
  type SurfaceFrame,
  type TurnableModel,
  type Wind,
} from '../model/index.ts';
import { SheetAdaptation } from './adapt.ts';
import { guessPositions, leavesStrain } from './ahead.ts';
import { ChordContacts } from './chord-contacts.ts';
import { CreaseFriction } from './crease-friction.ts';
import { createSheetForces } from './force-frames.ts';
import { createSheetFrame } from './frame.ts';
import { SheetHolds } from './holds.ts';
import type { SheetMaterial } from './material.ts';
import { SheetMeasure } from './measure.ts';
import { Overshoot } from './overshoot.ts';
import { computeExtent, findNearestVertex } from './place.ts';
import { SheetRefinement } from './remesh-adaptive.ts';
import type { Remesher } from './remesh-plan.ts';
import { createSizing, type SizingOptions } from './sizing.ts';
import type { SheetStage } from './stage.ts';
import { SheetState, STRIDE } from './state.ts';
import { SheetSystem } from './system.ts';
import { SheetTouch } from './touch.ts';
import { addSheetWind } from './wind.ts';

/** How often an iteration goes back on a correction. */
const MOST_RETURNS = 3;
/** Share of its membrane and kinetic energy that a sheet on edges may gain in a step, but for what is done to it. */
const MOST_GAIN = 0.1;
/** The same in steps shorter than `SHORT_STEP` of the world's, where halving is near its end. */
const MOST_SHORT_GAIN = 1;
const SHORT_STEP = 0.1;

export interface SheetOptions {
  readonly id: string;
  readonly material: SheetMaterial;
  /** World positions, 3 a vertex [m]. */
  readonly x: ArrayLike<number>;
  /** Material coordinates, 2 a vertex [m]. */
  readonly X: ArrayLike<number>;
  /** Three vertices each, counter-clockwise in material space. */
  readonly triangles: Int32Array;
  /** Bodies that it touches; those that forces move only through `SurfaceContacts`. */
  readonly obstacles?: readonly Body[];
  /** eol: vertices on edges of bodies let material slide through; lagrangian: none does. Default eol. */
  readonly mode?: 'eol' | 'lagrangian';
  /** How the mesh is made to conform to edges of bodies; adaptive: and refined where the sheet bends and moves. Default local. */
  readonly remesher?: Remesher;
  /** How fine an adaptive mesh is wanted; see `createSizing` for what is not given. */
  readonly sizing?: SizingOptions | undefined;
  /** Wanted distance of vertices in material space [m]; default the mean edge of the mesh. */
  readonly size?: number | undefined;
  /** Friction with bodies that state none; default that of the material. */
  readonly friction?: number;
  readonly gravity?: Vec3;
  readonly damping?: { readonly mass: number; readonly stiffness: number };
}

export class Sheet implements NodeModel, TurnableModel {
  readonly type = 'sheet';
  readonly revisesEarly = true;
  readonly id: string;
  readonly state: SheetState;
  readonly part: MeshPart;
  readonly signature: string;
  readonly gravity: Vec3;
  readonly holds = new SheetHolds();
  /** Bodies that it touches. */
  readonly obstacles: readonly Body[];
  readonly winds: Wind[] = [];
  /** Faces and smooth bodies that its vertices touch; undefined without obstacles. */
  readonly touch: SheetTouch | undefined;
  /** Creases on edges of bodies and the remeshing for them; undefined in Lagrangian mode and without obstacles. */
  readonly adaptation: SheetAdaptation | undefined;
  /** Refines and coarsens the mesh; undefined unless the remesher is adaptive. */
  readonly refinement: SheetRefinement | undefined;
  /** Friction there. */
  readonly creaseFriction: CreaseFriction | undefined;
  readonly #system: SheetSystem;
  /** What keeps bodies out between its vertices where creases do not; undefined without a world. */
  chords: ChordContacts | undefined;
  readonly #measure = new SheetMeasure();
  readonly #overshoot = new Overshoot();
  readonly #stage: SheetStage;
  /** Forces on single vertices: vertex and three components each. */
  readonly #pushed: number[] = [];
  /** Whether creases were put where the sheet starts on edges of bodies. */
  #hasBegun = false;
  /** Length of the present step, then of its present stage [s]. */
  #h = 0;
  /** Length of the world's step [s]. */
  #full = 0;
  /** Length of the present step over that. */
  #share = 1;
  #isFinite = true;
  /** Velocities that the last iteration started from; zero where it was linearised at q̂. */
  #vBefore: Float64Array;
  #isFar = false;
  /** Membrane and kinetic energy at the start of the present step [J]; only of sheets on edges. */
  #energy = 0;
  /** Whether the present stage was solved before, with other contacts. */
  #hasIterate = false;
  #smallest: number;

  constructor(options: SheetOptions) {
    this.id = options.id;
    this.gravity = options.gravity ?? [0, -9.81, 0];
    this.state = new SheetState(options.material, options.x, options.X, options.triangles);
    const { mesh } = this.state;
    this.#system = new SheetSystem(this.id, this.state);
    this.part = this.#system.part;
    this.signature = JSON.stringify([this.type, this.id]);
    // what forces move is touched by rows (`surface-contacts.ts`)
    this.obstacles = options.obstacles ?? [];
    const obstacles = this.obstacles.filter(({ motion }) => motion !== 'dynamic');
    const { thickness, friction } = options.material;
    this.touch = obstacles.length > 0 ? new SheetTouch(obstacles, thickness, options.friction ?? friction) : undefined;
    const size = options.size ?? computeMeanEdge(this.state);
    if (this.touch && options.mode !== 'lagrangian')
      this.adaptation = new SheetAdaptation(this.touch, {
        remesher: options.remesher ?? 'local',
        size,
        system: this.#system,
      });
    if (options.remesher === 'adaptive')
      this.refinement = new SheetRefinement(
        createSizing(size, options.sizing),
        this.gravity,
        this.touch,
        this.adaptation,
      );
    if (this.adaptation) this.creaseFriction = new CreaseFriction(this.adaptation.creases);
    this.holds.clear(mesh.vertexCount);
    this.#smallest = computeSmallestEdge(this.state);
    this.#vBefore = new Float64Array(this.state.v.length);
    this.#stage = {
      h: 0,
      linearized: true,
      massDamping: options.damping?.mass ?? 0,
      stiffnessDamping: options.damping?.stiffness ?? 0,
      gravity: Float64Array.from(this.gravity),
    };
  }

  createCouplings(part: number): readonly Coupling[] {
    if (!this.adaptation?.chords.hasAny) return [];
    this.chords = new ChordContacts(this, part);
    return [this.chords];
  }

  get nodeCount(): number {
    return this.state.count;
  }

  get fallbacks(): number {
    return this.adaptation === undefined ? 0 : this.adaptation.fallbacks + this.adaptation.pauses;
  }

  detect(h: number): void {
    this.#h = h;
  }

  adapt(): number {
    this.touch?.place(this.touch.start);
    this.touch?.place(this.touch.now);
    if (this.adaptation && !this.#hasBegun) {
      this.#hasBegun = true;
      if (this.adaptation.begin(this.state)) this.#takeMesh();
    }
    const changes = this.adaptation?.adapt(this.state, this.#h) || (this.refinement?.adapt(this.state) ? 1 : 0);
    if (changes > 0) this.#takeMesh();
    return changes;
  }

  beginStep(): void {
    this.state.beginStep();
    if (this.adaptation) this.#noteEnergy();
    this.touch?.beginStep(this.state);
    this.creaseFriction?.beginStep(this.state);
    this.holds.clear(this.state.count);
    this.#pushed.length = 0;
  }

  #noteEnergy(): void {
    const { stretch, kinetic } = this.#measure.computeMotion(this.state);
    this.#energy = stretch + kinetic;
  }

  rollBack(isAsLong: boolean): void {
    const isOther = this.refinement?.rollBack(this.state, isAsLong);
    if (this.adaptation?.rollBack(this.state, isAsLong) || isOther) this.#takeMesh();
    else {
      this.state.rollBack();
      this.#measureSlid();
    }
    this.touch?.rollBack();
    this.creaseFriction?.rollBack();
  }

  /** Between steps the rest shape is that of the material coordinates, not of the iterate that was assembled last: what was loaded has no other. */
  #measureSlid(): void {
    if (this.part.matrix.size > 3 * this.state.count) this.state.measureSliding();
  }

  beginStage(stage: Stage, drift: number, kick: number): void {
    this.#h = stage.h;
    this.#hasIterate = false;
    this.#overshoot.begin();
    this.#full = stage.full;
    this.#share = stage.step / stage.full;
    if (this.adaptation) this.adaptation.creases.share = this.#share;
    this.state.beginStage(drift, kick);
  }

  applyTargets(): void {
    this.holds.clearFrames(this.state.count);
    this.touch?.addFrames(this.state, this.holds, this.#h, this.#full);
    this.adaptation?.creases.addFrames(this.state, this.holds, this.#h, this.#full);
    this.creaseFriction?.addFrames(this.state, this.holds, this.#h);
    this.holds.applyTargets(this.state);
  }

  hasNode(label: number): boolean {
    return this.state.indexOf(label) >= 0;
  }

  writeNodePosition(label: number, out: Float64Array): void {
    this.#writeVector(this.state.q, label, out);
  }

  writeNodeVelocity(label: number, out: Float64Array): void {
    this.#writeVector(this.state.v, label, out);
  }

  writeNodeBase(label: number, out: Float64Array): void {
    this.#writeVector(this.state.qBase, label, out);
  }

  #writeVector(from: Float64Array, label: number, out: Float64Array): void {
    const at = STRIDE * this.state.indexOf(label);
    for (let k = 0; k < 3; k++) out[k] = from[at + k];
  }

  holdNode(label: number, bits: number): void {
    this.holds.hold(this.state.indexOf(label), bits);
  }

  aimNode(label: number, k: number, speed: number): void {
    this.holds.target[STRIDE * this.state.indexOf(label) + k] = speed;
  }

  pushNode(label: number, force: ArrayLike<number>): void {
    this.#pushed.push(this.state.indexOf(label), force[0], force[1], force[2]);
  }

  addNodeRow(rows: ConstraintRows, part: number, label: number, k: number, sign: number): void {
    const i = this.state.indexOf(label);
    this.holds.addEntries(rows, part, i, this.part.matrix.blockStart[i], k, sign);
  }

  clearTieForce(label: number): void {
    this.holds.clearFree(this.state.indexOf(label));
  }

  addTieForce(label: number, force: Float64Array, sign: number): void {
    this.holds.addFree(this.state.indexOf(label), force, sign);
  }

  assemble(stage: Stage): void {
    const { state, part } = this;
    this.#assembleHere(stage);
    if (stage.linearized || this.#hasForeignRows) this.#overshoot.forget();
    for (let k = 0; k < MOST_RETURNS && this.#overshoot.goBack(state, stage.h, part.matrix, part.rhs); k++)
      this.#assembleHere(stage);
    // the right-hand side at q̂ is no slope at q̂ + h v
    if (this.#stage.linearized) this.#overshoot.forget();
    else this.#overshoot.note(state, part.rhs);
    this.holds.cancel(state.mesh, part.matrix, part.rhs);
  }

  /** Whether rows may do work on it: of ties and of what moves; those on chords keep it off bodies. */
  get #hasForeignRows(): boolean {
    return this.holds.hasRows && !(this.chords !== undefined && this.chords.count > 0);
  }

  /** The system at the iterate as it is, nothing cancelled. */
  #assembleHere(stage: Stage): void {
    const { part, state } = this;
    const sheetStage = this.#stage;
    sheetStage.h = stage.h;
    // what was solved before needs no guess: from there it goes on, wherever it is
    const isGuessed = stage.linearized && guessPositions(state, stage.h, this.#hasIterate);
    sheetStage.isAhead = isGuessed && !this.#hasIterate;
    sheetStage.linearized = stage.linearized && !isGuessed;
    this.#system.assembly.write(state, sheetStage, part.matrix, part.rhs);
    for (const wind of this.winds)
      if (isActive(wind, stage.start)) addSheetWind(state, stage.h, wind, part.matrix, part.rhs);
    this.#addPoints(stage.h);
    this.touch?.addFriction(state, stage.h, part.matrix, part.rhs);
    this.creaseFriction?.addFriction(state, stage.h, part.matrix, part.rhs);
  }

  #addPoints(h: number): void {
    const { state, part } = this;
    const { v, vBase, pointMass } = state;
    const { values, valueStart, blockStart, sizes } = part.matrix;
    const { columnStart } = state.mesh.pattern;
    const scale = 1 + h * this.#stage.massDamping;
    for (let n = 0; n < this.#pushed.length; n += 4)
      for (let k = 0; k < 3; k++) part.rhs[blockStart[this.#pushed[n]] + k] += h * this.#pushed[n + 1 + k];
    for (let i = 0; i < state.count; i++) {
      const m = pointMass[i];
      if (m === 0) continue;
      for (let k = 0; k < 3; k++) {
        part.rhs[blockStart[i] + k] += m * (vBase[STRIDE * i + k] - scale * v[STRIDE * i + k] + h * this.gravity[k]);
        values[valueStart[columnStart[i]] + k * (sizes[i] + 1)] += m * scale;
      }
    }
  }

  correct(stage: Stage): number {
    const { state, part } = this;
    const { q, v, qBase } = state;
    const { rhs, matrix } = part;
    const { h } = stage;
    this.holds.finish(state.mesh, matrix, rhs, h);
    if (this.#stage.linearized) this.#vBefore.fill(0);
    else this.#vBefore.set(v);
    let largest = 0;
    let sum = 0;
    for (let i = 0; i < state.count; i++) {
      const o = matrix.blockStart[i];
      const size = matrix.sizes[i];
      for (let k = 0; k < size; k++) {
        const change = rhs[o + k];
        const magnitude = change < 0 ? -change : change;
        if (magnitude > largest) largest = magnitude;
        const at = STRIDE * i + k;
        const speed = v[at] + change;
        v[at] = speed;
        q[at] = qBase[at] + h * speed;
        sum += speed + q[at];
      }
    }
    this.#isFinite = Number.isFinite(sum);
    this.#hasIterate = true;
    this.#isFar = leavesStrain(state, this.#vBefore, h);
    this.touch?.readForces(state, this.holds, this.creaseFriction);
    return this.#isFinite ? (largest * h) / this.#smallest : Number.NaN;
  }

  isFarFromLinear(): boolean {
    return this.#isFar;
  }

  hasSettled(): boolean {
    return !this.#isFar;
  }

  convergesSlowly(): boolean {
    return true;
  }

  revise(pass: number): boolean {
    // first who is on edges: what is lifted off may touch faces
    const { adaptation } = this;
    const isLifted = adaptation?.creases.revise(this.state, this.holds, pass, adaptation.size) ?? false;
    const slides = this.creaseFriction?.revise(this.state, this.holds, this.#h) ?? false;
    return (this.touch?.revise(this.state, this.holds, pass, this.#h) ?? false) || isLifted || slides;
  }

  restartStage(): void {
    this.state.q.set(this.state.qBase);
  }

  computeStepError(h: number): number {
    const { v, vStart, count } = this.state;
    let largest = 0;
    for (let i = 0; i < count; i++)
      for (let k = 0; k < 3; k++) largest = Math.max(largest, Math.abs(v[STRIDE * i + k] - vStart[STRIDE * i + k]));
    return (0.5 * h * largest) / this.#smallest;
  }

  findFault(): string | null {
    if (!this.#isFinite) return 'a position or velocity is not finite';
    if (this.adaptation && this.#gainsEnergy()) return 'it gained energy';
    return this.adaptation?.findFault(this.state) ?? null;
  }

  /**
   * Whether a step came out with more energy than it began with and was given: a compressed sheet has several states in which its forces are
   * in balance, and Newton's iterations may end in a far one. Not asked where wind blows or rows of ties and other surfaces act.
   */
  #gainsEnergy(): boolean {
    const { state } = this;
    if (this.winds.length > 0 || this.#hasForeignRows) return false;
    const { stretch, kinetic } = this.#measure.computeMotion(state);
    const share = this.#share < SHORT_STEP ? MOST_SHORT_GAIN : MOST_GAIN;
    return stretch + kinetic - this.#energy - this.#computeWork() > share * this.#energy;
  }

  /** Of gravity, drivers, forces on vertices and bodies that move, in the last stage [J]. */
  #computeWork(): number {
    const { v, mass, count } = this.state;
    const { reaction, bits } = this.holds;
    const isPushed = this.obstacles.some(({ motion }) => motion !== 'static');
    let power = 0;
    for (let i = 0; i < count; i++) {
      const hasWork = isPushed || (bits[i] & CANCEL_POSITION) !== 0;
      for (let k = 0; k < 3; k++) {
        const at = STRIDE * i + k;
        power += ((hasWork ? reaction[at] : 0) + mass[i] * this.gravity[k]) * v[at];
      }
    }
    for (let n = 0; n < this.#pushed.length; n += 4)
      for (let k = 0; k < 3; k++) power += this.#pushed[n + 1 + k] * v[STRIDE * this.#pushed[n] + k];
    return this.#h * power;
  }

  wantsRetry(): boolean {
    return this.adaptation?.wantsRetry ?? false;
  }

  /** Stands still for the rest of the step: what contacts leave when no step is short enough. */
  freeze(): boolean {
    if (this.touch === undefined) return false;
    this.state.v.fill(0);
    return true;
  }

  endStep(): void {
    this.#measureSlid();
    this.adaptation?.endStep(this.state, this.holds);
    this.refinement?.endStep(this.#share);
  }

  addEnergy(terms: EnergyTerms): void {
    this.#measure.addEnergy(this.state, this.gravity, this.#system.assembly, terms);
  }

  addMomentum(out: Float64Array): void {
    this.#measure.addMomentum(this.state, out);
  }

  isOnItsOwn(time: number): boolean {
    if (this.#stage.massDamping > 0 || this.holds.hasAny) return false;
    for (const wind of this.winds) if (isActive(wind, time)) return false;
    return true;
  }

  addInertia(out: Float64Array): void {
    this.#measure.addInertia(this.state, out);
  }

  moveBy(way: Float64Array): void {
    movePoints(way, this.state.q, STRIDE, this.state.count);
  }

  blendMotion(share: number, motion: Float64Array): void {
    const { q, v, count } = this.state;
    for (let i = 0; i < count; i++) {
      const at = STRIDE * i;
      blendVelocity(share, motion, q, at, v, at);
      v[at + 3] *= share;
      v[at + 4] *= share;
    }
  }

  computeMaxStrain(): number {
    return this.#measure.computeMaxStrain(this.state);
  }

  computeMass(): number {
    return this.state.mass.reduce((sum, one) => sum + one, 0);
  }

  takeMaterial(label: number, taken?: readonly number[]): MaterialGrip | undefined {
    const { state } = this;
    const i = Number.isInteger(label) ? state.indexOf(label) : -1;
    if (i < 0 && taken === undefined) return undefined;
    const [X, Y] = taken ?? [state.q[STRIDE * i + 3], state.q[STRIDE * i + 4]];
    const place = [X, Y] as const;
    const isLagrangian = (k: number): boolean => state.kind[k] === NODE_LAGRANGIAN;
    return {
      findNode() {
        const own = state.indexOf(label);
        return own >= 0 && isLagrangian(own) ? label : state.label[findNearestVertex(state, place, isLagrangian)];
      },
      place,
      mass: this.computeMass(),
      size: computeExtent(state),
      stiffness: Math.min(state.material.membrane[0], state.material.membrane[1]),
    };
  }

  frame(): SurfaceFrame {
    return createSheetFrame(this.id, this.state, this.adaptation?.creases, this.#measure);
  }

  frameLabels(): Int32Array<ArrayBuffer> {
    return Int32Array.from(this.state.label);
  }

  forces(): ForceFrame[] {
    return createSheetForces(this);
  }

  writeState(writer: StateWriter): void {
    this.state.writeState(writer);
    this.touch?.writeState(writer);
    writer.number(this.#hasBegun ? 1 : 0);
    this.adaptation?.writeState(writer);
    this.refinement?.writeState(writer);
    this.creaseFriction?.writeState(writer);
    writer.number(this.#smallest);
  }

  readState(reader: StateReader): void {
    this.state.readState(reader);
    this.#checkSites();
    this.touch?.readState(reader);
    this.#hasBegun = reader.number() === 1;
    this.adaptation?.readState(reader, this.state.mesh.triangleCount);
    this.refinement?.readState(reader);
    this.creaseFriction?.readState(reader);
    this.#takeMesh();
    // of the mesh as it was when it was made: material coordinates slide since
    this.#smallest = reader.number();
  }

  /** Vertices of a state lie on edges and corners of bodies that there are. */
  #checkSites(): void {
    const { count, siteBody, siteEdge } = this.state;
    const facets = this.touch?.facets ?? [];
    for (let i = 0; i < count; i++) {
      const body = siteBody[i];
      if (body >= -1 && body < facets.length && (body < 0 || siteEdge[i] < facets[body].edgeStart.length / 3)) continue;
      throw new HeddleError(
        `The saved state puts vertex ${i} of "${this.id}" on edge ${siteEdge[i]} of body ${body}, which does not exist; it is damaged or belongs to another scene.`,
      );
    }
  }

  /** Sizes the system for the present mesh: three unknowns an L-vertex, five an E-vertex. */
  #takeMesh(): void {
    const { mesh } = this.state;
    this.#system.fit(this.state);
    this.holds.clear(mesh.vertexCount);
    this.#smallest = computeSmallestEdge(this.state);
    if (this.#vBefore.length !== this.state.v.length) this.#vBefore = new Float64Array(this.state.v.length);
  }
}

/** Mean edge in material space [m]. */
function computeMeanEdge({ q, mesh }: SheetState): number {
  let sum = 0;
  for (let e = 0; e < mesh.edgeCount; e++) {
    const i = STRIDE * mesh.edges[4 * e] + 3;
    const j = STRIDE * mesh.edges[4 * e + 1] + 3;
    sum += computeHypot2(q[j] - q[i], q[j + 1] - q[i + 1]);
  }
  return sum / mesh.edgeCount;
}

/** Shortest edge in material space [m]. */
function computeSmallestEdge({ q, mesh }: SheetState): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let e = 0; e < mesh.edgeCount; e++) {
    const i = STRIDE * mesh.edges[4 * e] + 3;
    const j = STRIDE * mesh.edges[4 * e + 1] + 3;
    smallest = Math.min(smallest, computeHypot2(q[j] - q[i], q[j + 1] - q[i + 1]));
  }
  return smallest;
}
