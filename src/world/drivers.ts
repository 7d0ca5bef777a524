/**
 * What moves a world from outside: pins, fixed components, prescribed velocities, keyframes, forces, natural lengths. At the start of a
 * step a driver holds coordinates or pushes; at the start of each implicit stage it says how held ones move. Wind is a
 * property of the strands it blows on (`Strand.winds`).
 */
import { type BodyPoint, writeBodyPoint } from '../bodies/index.ts';
import type { PiecewiseLinear, Vec3 } from '../math/index.ts';
import {
  CANCEL_POSITION,
  CANCEL_X,
  CANCEL_Y,
  CANCEL_Z,
  isActive,
  type Model,
  type NodeModel,
  type NodePoint,
  type Span,
  type Stage,
  type StateReader,
  type StateWriter,
} from '../model/index.ts';
import type { Strand } from '../strand/index.ts';

export interface Driver {
  /** Holds coordinates and adds forces for the step that starts at `time`. */
  prepare(time: number): void;
  /** Sets the velocities of what it holds for a stage. */
  aim(stage: Stage): void;
  /** Whether it changes what a model is, and neither holds nor pushes it in the world. */
  readonly isInternal?: boolean;
  /** Model that it pushes with a force in a step that starts at `time`; left out by drivers that only hold. */
  findPushed?(time: number): Model | undefined;
  /** If it holds that node: moves it on by `by` [m] over the step of length h that begins at `time`, and holds it there (`grab.ts`). */
  shift?(model: NodeModel, label: number, by: ArrayLike<number>, time: number, h: number): void;
  /** How far a hand has moved what it holds. */
  writeState?(writer: StateWriter): void;
  readState?(reader: StateReader): void;
}

const COMPONENT_BITS = { x: CANCEL_X, y: CANCEL_Y, z: CANCEL_Z } as const;
export type Component = keyof typeof COMPONENT_BITS;

/** Where a held node is to be at a time. */
type WritePlace = (time: number, out: Float64Array) => void;

/** How far a hand has moved a held node: a way from one place to the next over a step, still after it. */
class Shift {
  readonly #from = new Float64Array(3);
  readonly #to = new Float64Array(3);
  #start = 0;
  #length = 1;

  move(by: ArrayLike<number>, time: number, h: number): void {
    for (let k = 0; k < 3; k++) {
      this.#from[k] = this.#to[k];
      this.#to[k] += by[k];
    }
    this.#start = time;
    this.#length = h;
  }

  addPlace(time: number, out: Float64Array): void {
    const share = Math.max(0, Math.min(1, (time - this.#start) / this.#length));
    for (let k = 0; k < 3; k++) out[k] += this.#from[k] + share * (this.#to[k] - this.#from[k]);
  }

  addVelocity(stage: Stage, out: Float64Array): void {
    if (stage.start >= this.#start + (1 - 1e-9) * this.#length) return;
    for (let k = 0; k < 3; k++) out[k] += (this.#to[k] - this.#from[k]) / this.#length;
  }

  writeState(writer: StateWriter): void {
    writer.array(this.#from);
    writer.array(this.#to);
    writer.number(this.#start);
    writer.number(this.#length);
  }

  readState(reader: StateReader): void {
    reader.array(this.#from);
    reader.array(this.#to);
    this.#start = reader.number();
    this.#length = reader.number();
  }
}

/**
 * Holds world components of a node while its span lasts, and moves them: at a velocity, or so that it meets a place p(t) at the
 * end of each stage. What it lags behind when a step begins, as a node does whose step was given up, it makes good by the end
 * of a whole step of the world, H, however short the sub-steps are:
 *     v = (p(t) + (1 − (t − t₀)/H) (x₀ − p(t₀)) − x̂) / h        t₀, x₀  start of the step     x̂  where the stage starts from
 */
class HoldDriver implements Driver {
  readonly #point: NodePoint;
  readonly #bits: number;
  readonly #span: Span;
  readonly #way: { readonly writePlace: WritePlace } | { readonly velocity: Vec3 };
  readonly #velocity = new Float64Array(3);
  readonly #start = new Float64Array(3);
  readonly #base = new Float64Array(3);
  readonly #place = new Float64Array(3);
  #active = false;
  #shift: Shift | undefined;

  constructor(point: NodePoint, bits: number, span: Span, way: { writePlace: WritePlace } | { velocity: Vec3 }) {
    this.#point = point;
    this.#bits = bits;
    this.#span = span;
    this.#way = way;
  }

  prepare(time: number): void {
    this.#active = isActive(this.#span, time);
    if (!this.#active) return;
    this.#point.model.holdNode(this.#point.label, this.#bits);
    this.#point.model.writeNodePosition(this.#point.label, this.#start);
  }

  aim(stage: Stage): void {
    if (!this.#active) return;
    if ('velocity' in this.#way) {
      this.#velocity.set(this.#way.velocity);
      this.#shift?.addVelocity(stage, this.#velocity);
    } else this.#aimAtPlace(this.#way.writePlace, stage);
    const { model, label } = this.#point;
    for (let k = 0; k < 3; k++) if (this.#bits & (1 << k)) model.aimNode(label, k, this.#velocity[k]);
  }

  #aimAtPlace(writePlace: WritePlace, stage: Stage): void {
    this.#point.model.writeNodeBase(this.#point.label, this.#base);
    const begun = this.#place;
    writePlace(stage.start, begun);
    this.#shift?.addPlace(stage.start, begun);
    const left = Math.max(0, 1 - (stage.time - stage.start) / stage.full);
    const v = this.#velocity;
    writePlace(stage.time, v);
    this.#shift?.addPlace(stage.time, v);
    for (let k = 0; k < 3; k++) v[k] = (v[k] + left * (this.#start[k] - begun[k]) - this.#base[k]) / stage.h;
  }

  shift(model: NodeModel, label: number, by: ArrayLike<number>, time: number, h: number): void {
    if (model !== this.#point.model || label !== this.#point.label || !isActive(this.#span, time)) return;
    this.#shift ??= new Shift();
    this.#shift.move(by, time, h);
  }

  writeState(writer: StateWriter): void {
    writer.number(this.#shift === undefined ? 0 : 1);
    this.#shift?.writeState(writer);
  }

  readState(reader: StateReader): void {
    this.#shift = reader.number() === 1 ? new Shift() : undefined;
    this.#shift?.readState(reader);
  }
}

const STILL = { velocity: [0, 0, 0] as Vec3 };

/** Where a node is when its driver is made, which is where it is held from then on. */
function placeOf({ model, label }: NodePoint): Vec3 {
  const place = new Float64Array(3);
  model.writeNodePosition(label, place);
  return [place[0], place[1], place[2]];
}

/** Holds a node where it is. */
export function createPin(point: NodePoint, span: Span = {}): Driver {
  return createFix(point, ['x', 'y', 'z'], span);
}

/** Holds single world components of a node where they are. */
export function createFix(point: NodePoint, components: readonly Component[], span: Span = {}): Driver {
  const place = placeOf(point);
  const bits = components.reduce((sum, component) => sum | COMPONENT_BITS[component], 0);
  // one that sets in later holds the node where it then is: at zero velocity
  const way = span.from === undefined ? { writePlace: (_: number, out: Float64Array) => out.set(place) } : STILL;
  return new HoldDriver(point, bits, span, way);
}

/** Moves a node along given places in time, straight between them. */
export function createKeyframes(point: NodePoint, writePlace: WritePlace, span: Span = {}): Driver {
  return new HoldDriver(point, CANCEL_POSITION, span, { writePlace });
}

/** Keeps a node on a point of a static or scripted body. */
export function createRide(point: NodePoint, rider: BodyPoint, span: Span = {}): Driver {
  const writePlace: WritePlace = (time, out) => writeBodyPoint(rider, time, out);
  return new HoldDriver(point, CANCEL_POSITION, span, { writePlace });
}

/** Gives a node a world velocity [m/s]. */
export function createVelocity(point: NodePoint, velocity: Vec3, span: Span = {}): Driver {
  return new HoldDriver(point, CANCEL_POSITION, span, { velocity });
}

/** Pushes a node with a constant force [N]. */
export function createForce(point: NodePoint, force: Vec3, span: Span = {}): Driver {
  return {
    prepare(time) {
      if (isActive(span, time)) point.model.pushNode(point.label, force);
    },
    aim() {},
    findPushed: (time) => (isActive(span, time) ? point.model : undefined),
  };
}

/** Scales the natural length of a strand: λ₀ of `curve/stretch.ts` over time; 1 outside its span. */
export function createRest(strand: Strand, factor: PiecewiseLinear, span: Span = {}): Driver {
  const { material } = strand.state.chain;
  const factorAt = (time: number, start: number): number => (isActive(span, start) ? factor.valueAt(time) : 1);
  material.restFactor = factorAt(0, 0);
  return {
    isInternal: true,
    prepare() {},
    aim(stage) {
      material.restFactor = factorAt(stage.time, stage.start);
    },
  };
}
