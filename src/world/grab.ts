/**
 * A hand in a running world: a spring from a node of a strand, sheet or fabric, a patch of a continuum, or a point of a dynamic body, to a place that follows a pointer.
 *     f = k (p − x) − c ẋ        on the grabbed point x, taken at the end of each stage
 *   p  where it is pulled to [m]     k  stiffness [N/m]     c  damping [N s/m]
 * Written as a soft row of the common system for each axis,
 *     Δẋ + λ/s = b/s        s = h²k + hc,   b = h k (p − x) − (h²k + hc) ẋ   the impulse if nothing changed
 * whose multiplier λ is the impulse of the spring: it is implicit, so no stiffness is too much, and the momentum of the world
 * changes by λ to rounding.
 *
 * The spring is as strong as the thing it pulls: k = PULL m g₀/L and c = 2 √(k m), m its mass and L its size, on every scale:
 * its own weight stretches the spring by L/PULL. What pulls other things along, by ties and contacts when it is taken, counts with
 * their mass, as far as that does not make the spring stiffer than a tenth of itself (of a strand EA/L).
 *
 * Nodes come and go. A node is named by its label once; what is grabbed is the material there, and the spring acts on that node
 * while it is a Lagrangian one, else on the Lagrangian node nearest in the material (`MaterialGrip`). Where a driver holds the
 * node (a pin), the driver gives way, and the node stays held where it is let go.
 *
 * A continuum has no unknowns in the system: it feels the same spring in its own steps (`ModelHand`), and no rows are written.
 *
 * Nothing is added while nothing is grabbed: such a world takes the same steps to the bit. What a hand holds, how strongly, and where
 * it pulls to is part of the saved state, as is what it moved; `hand-log.ts` notes all that it did.
 */

import { type BodyPoint, createBodyPoint, RigidBody } from '../bodies/index.ts';
import { computeExp, computeHypot3 } from '../math/index.ts';
import {
  type ConstraintRows,
  findIslands,
  HeddleError,
  isNodeModel,
  type MaterialGrip,
  type Model,
  type ModelHand,
  type NodeModel,
  type Stage,
  type StateReader,
  type StateWriter,
  suggest,
} from '../model/index.ts';
import type { Driver } from './drivers.ts';
import { createBodyEnd, createNodeEnd, type Tie, type TieEnd } from './ties.ts';

/** The pull over the thing's own weight when the spring is as long as the thing. */
const PULL = 40;
/** Most stiffness over that of the held thing as a whole, for what it pulls along. */
const MODEL_SHARE = 0.1;
/** g₀ [m/s²]: what springs are measured by, whatever gravity the scene has. */
const STANDARD_GRAVITY = 9.80665;

/** What can be grabbed: a node by its label, of a continuum by the name of its part, or the point of a dynamic body that is at a place. */
export type Grabbed =
  | { readonly object: string; readonly label: number }
  | { readonly body: string; readonly at: ArrayLike<number> };

/** The material that is held, and whose it is. */
interface Hold {
  readonly model: NodeModel;
  readonly grip: MaterialGrip;
  readonly part: number;
}

/** What the hand has, in a saved state. */
const [NOTHING, MATERIAL, BODY] = [0, 1, 2];

export class Grab implements Tie {
  /** Force of the spring on what it pulls in the last solve [N]. */
  readonly force = new Float64Array(3);
  readonly #models: readonly Model[];
  readonly #rows: ConstraintRows;
  readonly #drivers: readonly Driver[];
  readonly #target = new Float64Array(3);
  readonly #x = new Float64Array(3);
  readonly #v = new Float64Array(3);
  /** h k (p − x) − (h²k + hc) ẋ of the last rows. */
  readonly #impulse = new Float64Array(3);
  #hold: Hold | undefined;
  /** Label that was taken; the node that stands for it may be another. */
  #taken = -1;
  #bodyPoint: BodyPoint | undefined;
  #hand: ModelHand | undefined;
  #end: TieEnd | undefined;
  /** Label of the node that the end is. */
  #label = -1;
  /** Whether the last rows were this spring's. */
  #isPulling = false;
  /** An end that was let go, with a force noted that the next solve forgets, and its label. */
  #left: TieEnd | undefined;
  #leftLabel = -1;
  #stiffness = 0;
  #damping = 0;
  #first = 0;

  /** `rows` are those of the world's last solve: they tell what hangs together. */
  constructor(models: readonly Model[], drivers: readonly Driver[], rows: ConstraintRows) {
    this.#models = models;
    this.#rows = rows;
    this.#drivers = drivers;
  }

  get isActive(): boolean {
    return this.#end !== undefined;
  }

  /** Takes hold; what was held before is let go. `point`: where to pull to. */
  take(grabbed: Grabbed, point: ArrayLike<number>): void {
    this.release();
    if ('body' in grabbed) this.#takeBody(grabbed.body, grabbed.at);
    else this.#takeNode(grabbed.object, grabbed.label);
    this.drag(point);
  }

  /** Moves the place that is pulled to. */
  drag(point: ArrayLike<number>): void {
    if (![point[0], point[1], point[2]].every(Number.isFinite))
      throw new HeddleError('The target of a drag must be a finite point.');
    for (let k = 0; k < 3; k++) this.#target[k] = point[k];
    this.#hand?.drag(this.#target);
  }

  /** Lets go: the thing lives on from where it is. */
  release(): void {
    if (this.#isPulling) this.#leave();
    this.#isPulling = false;
    this.#forget();
  }

  #forget(): void {
    this.#end = undefined;
    this.#hold = undefined;
    this.#bodyPoint = undefined;
    this.#hand?.release();
    this.#hand = undefined;
    this.force.fill(0);
  }

  #leave(): void {
    this.#left = this.#end;
    this.#leftLabel = this.#hold === undefined ? -1 : this.#label;
  }

  /** Ends of the spring: `from` the thing, `to` where it is pulled. False, and nothing written, while nothing is held. */
  writeEnds(from: Float64Array, to: Float64Array): boolean {
    if (this.#end === undefined) return false;
    this.#findNode();
    if (this.#hand) this.#hand.writePlace(from);
    else this.#end.writePosition(from);
    to.set(this.#target);
    return true;
  }

  /** A whole step of length h is about to begin at `time`: a driver that holds the node moves towards the point by then. */
  beginWorldStep(time: number, h: number): void {
    if (this.#hold === undefined || this.#end === undefined) return;
    this.#findNode();
    const share = 1 - computeExp((-h * this.#stiffness) / this.#damping);
    this.#end.writePosition(this.#x);
    for (let k = 0; k < 3; k++) this.#x[k] = share * (this.#target[k] - this.#x[k]);
    for (const driver of this.#drivers) driver.shift?.(this.#hold.model, this.#label, this.#x, time, h);
  }

  beginStep(): void {
    this.#findNode();
  }

  addRows(rows: ConstraintRows, stage: Stage): void {
    this.#isPulling = this.#end !== undefined && this.#hand === undefined;
    if (this.#end === undefined || !this.#isPulling) return;
    if (stage.linearized) this.#end.writeStart(this.#x);
    else this.#end.writePosition(this.#x);
    this.#end.writeVelocity(this.#v);
    const { h } = stage;
    const spring = h * h * this.#stiffness;
    const damper = h * this.#damping;
    const softness = 1 / (spring + damper);
    for (let k = 0; k < 3; k++) {
      const gap = this.#target[k] - this.#x[k];
      // an iterate's place has moved with its velocity already
      const impulse = h * this.#stiffness * gap - ((stage.linearized ? spring : 0) + damper) * this.#v[k];
      this.#impulse[k] = impulse;
      const row = rows.addRow(impulse * softness, softness);
      if (k === 0) this.#first = row;
      this.#end.addEntries(rows, k, 1);
    }
  }

  clearForces(): void {
    if (this.#left?.isThere()) this.#left.clearForce();
    this.#left = undefined;
    if (this.#isPulling && this.#end?.isThere()) this.#end.clearForce();
  }

  takeMultipliers(rows: ConstraintRows, stage: Stage): void {
    if (this.#hand) this.force.set(this.#hand.force);
    if (!this.#isPulling || this.#end === undefined) return;
    for (let k = 0; k < 3; k++) {
      const row = this.#first + k;
      const isHeld = rows.start[row + 1] === rows.start[row];
      // along what is held the row has no unknown: the spring pulls on what holds
      this.force[k] = (isHeld ? this.#impulse[k] : rows.multiplier[row]) / stage.h;
    }
    this.#end.addForce(this.force, 1);
  }

  writeState(writer: StateWriter): void {
    const left = this.#leftLabel >= 0 ? this.#left : undefined;
    writer.number(left?.part ?? -1);
    writer.number(left === undefined ? -1 : this.#leftLabel);
    writer.number(this.#hold ? MATERIAL : this.#end ? BODY : NOTHING);
    if (this.#end === undefined) return;
    writer.number(this.#end.part);
    writer.number(this.#isPulling ? 1 : 0);
    writer.number(this.#stiffness);
    writer.number(this.#damping);
    writer.array(this.#target);
    writer.array(this.force);
    writer.array(Float64Array.from(this.#hold?.grip.place ?? this.#bodyPoint?.local ?? []));
    if (this.#hold === undefined) return;
    writer.number(this.#taken);
    writer.number(this.#label);
    this.#hand?.writeState(writer);
  }

  /** After the models' own states. */
  readState(reader: StateReader): void {
    this.#forget();
    const [part, label] = [reader.number(), reader.number()];
    this.#left = part < 0 ? undefined : createNodeEnd({ model: this.#nodesOf(part), label }, part);
    this.#leftLabel = label;
    const kind = reader.number();
    this.#isPulling = false;
    if (kind === NOTHING) return;
    const own = reader.number();
    this.#isPulling = reader.number() === 1;
    this.#stiffness = reader.number();
    this.#damping = reader.number();
    reader.array(this.#target);
    reader.array(this.force);
    const place = reader.numbers();
    if (!(this.#stiffness > 0 && this.#damping > 0) || ![...this.#target, ...place].every(Number.isFinite)) failHand();
    if (kind === MATERIAL) this.#readNode(own, place, reader);
    else this.#readBody(own, place);
    this.#hand?.drag(this.#target);
  }

  #readNode(part: number, place: Float64Array, reader: StateReader): void {
    const model = this.#nodesOf(part);
    const [taken, label] = [reader.number(), reader.number()];
    const grip = model.takeMaterial(taken, [...place]);
    if (grip === undefined || !(Number.isInteger(label) && model.hasNode(label))) failHand();
    this.#hold = { model, grip, part };
    this.#taken = taken;
    this.#label = label;
    this.#end = createNodeEnd({ model, label }, part);
    this.#hand = model.hand;
    this.#hand?.take(label, this.#stiffness, this.#damping);
    this.#hand?.readState(reader);
  }

  #readBody(part: number, place: Float64Array): void {
    const model = this.#models[part];
    if (!(model instanceof RigidBody) || place.length !== 3) failHand();
    this.#bodyPoint = { body: model.body, local: [place[0], place[1], place[2]] };
    this.#end = createBodyEnd(this.#bodyPoint, part);
  }

  #nodesOf(part: number): NodeModel {
    const model = this.#models[part];
    return model !== undefined && isNodeModel(model) ? model : failHand();
  }

  #takeNode(id: string, label: number): void {
    const model = this.#find(id);
    if (!isNodeModel(model)) throw new HeddleError(`"${id}" has no nodes to drag.`);
    const grip = model.takeMaterial(label);
    if (grip === undefined)
      throw new HeddleError(`"${id}" has no node ${label} now; name the label of a node in its last frame.`);
    this.#hold = { model, grip, part: this.#models.indexOf(model) };
    this.#taken = label;
    this.#label = -1;
    this.#findNode();
    const most = MODEL_SHARE * grip.stiffness;
    const pulled = Math.min(this.#sumTiedMass(model), (most * grip.size) / (PULL * STANDARD_GRAVITY));
    this.#setStrength(Math.max(grip.mass, pulled), grip.size);
    this.#hand = model.hand;
    this.#hand?.take(label, this.#stiffness, this.#damping);
  }

  #takeBody(id: string, at: ArrayLike<number>): void {
    const model = this.#find(id);
    if (!(model instanceof RigidBody))
      throw new HeddleError(`"${id}" is not a dynamic body; only dynamic bodies can be dragged.`);
    const { body } = model;
    this.#bodyPoint = createBodyPoint(body, at);
    this.#end = createBodyEnd(this.#bodyPoint, this.#models.indexOf(model));
    const { bounds } = body.shape;
    this.#setStrength(
      body.mass,
      computeHypot3(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]) || 1,
    );
  }

  /** Mass of all that rows of the last solve tie to a model, itself included [kg]. */
  #sumTiedMass(model: Model): number {
    const parts = this.#models.map(({ part }) => part);
    const own = this.#models.indexOf(model);
    const island = findIslands(parts, this.#rows).find((one) => one.parts.includes(own));
    return (island?.parts ?? [own]).reduce((sum, p) => sum + computeMass(this.#models[p]), 0);
  }

  #find(id: string): Model {
    const idsOf = (one: Model): readonly string[] => (isNodeModel(one) && one.frameIds) || [one.id];
    const model = this.#models.find((one) => idsOf(one).includes(id));
    if (model) return model;
    const ids = this.#models.flatMap(idsOf);
    throw new HeddleError(`"${id}" does not move, so it cannot be dragged.${suggest(id, ids, 'Objects')}`);
  }

  #setStrength(mass: number, size: number): void {
    this.#stiffness = (PULL * mass * STANDARD_GRAVITY) / size;
    this.#damping = 2 * Math.sqrt(this.#stiffness * mass);
  }

  /** Chooses the node that stands for the held material. */
  #findNode(): void {
    if (this.#hold === undefined) return;
    const { model, grip, part } = this.#hold;
    const found = grip.findNode();
    if (found === this.#label) return;
    if (this.#isPulling) this.#leave();
    this.#label = found;
    this.#end = createNodeEnd({ model, label: found }, part);
  }
}

function failHand(): never {
  throw new HeddleError('The saved state has a drag that holds nothing of this scene; it is damaged.');
}

/** [kg] */
function computeMass(model: Model): number {
  if (model instanceof RigidBody) return model.body.mass;
  return isNodeModel(model) ? model.computeMass() : 0;
}
