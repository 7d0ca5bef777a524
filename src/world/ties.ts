/**
 * Ties: equality constraints between nodes of strands, dynamic bodies and the world, as rows G v = target of the common
 * linear system. A tie states its violation C(q), G = ∂C/∂q.
 *   first order     C vanishes at the end of the stage:  h G v = −C(q̂)  (linearised at the start),  h G Δ = −C(q)  (at an
 *                   iterate). Exact places; the velocity is a chord of the path, wrong by O(h) across it.
 *   second order    the velocity obeys the tie at the end of each stage:  G(q) v = −C(q_start)/h_step.  With places asked
 *                   for, velocities on a curved path would be of first order only (an index-3 problem); with velocities,
 *                   places are off by O(h³), which the next step takes back.
 * Either way ties do not drift.
 */
import type { Body, BodyPoint } from '../bodies/index.ts';
import { addContactRows, takeContactForces } from '../contact/index.ts';
import {
  crossVec3,
  dotVec3,
  normalizeVec3,
  type Quaternion,
  rotateVec3,
  unrotateVec3,
  type Vec3,
} from '../math/index.ts';
import { type ConstraintRows, isActive, type NodePoint, type Span, type Stage } from '../model/index.ts';
import type { Strand, TouchParts, TouchRows } from '../strand/index.ts';

export interface Tie {
  /** Remembers its violation at the start of a step. */
  beginStep(): void;
  addRows(rows: ConstraintRows, stage: Stage): void;
  /** Forgets the forces of the solve before. */
  clearForces(): void;
  /** Reads the impulses of its rows after a solve, and adds them to the forces on its ends. */
  takeMultipliers(rows: ConstraintRows, stage: Stage): void;
  /** Part that it keeps from turning in the world, by couples that linear momentum does not show; left out by ties that do not. */
  readonly turnedPart?: number;
}

/** One end of a tie: a point whose world velocity is a linear function of a part's unknowns. */
export interface TieEnd {
  /** Index of its part in the system. */
  readonly part: number;
  /** False while there is no such point: the strand has slipped out of its guide. */
  isThere(): boolean;
  /** World position of the point at the current iterate. */
  writePosition(out: Float64Array): void;
  /** World position at the start of the stage: a sheet's first iterate is ahead of it. */
  writeStart(out: Float64Array): void;
  /** World velocity of the point at the current iterate. */
  writeVelocity(out: Float64Array): void;
  /** Adds sign · (component k of the point's velocity) to the last row. */
  addEntries(rows: ConstraintRows, k: number, sign: number): void;
  /** Forgets the forces of all ties on this end. */
  clearForce(): void;
  /** Adds sign · force of the tie on this end [N]. */
  addForce(force: Float64Array, sign: number): void;
}

export function createNodeEnd({ model, label }: NodePoint, part: number): TieEnd {
  return {
    part,
    isThere: () => model.hasNode(label),
    writePosition: (out) => model.writeNodePosition(label, out),
    writeStart: (out) => model.writeNodeBase(label, out),
    writeVelocity: (out) => model.writeNodeVelocity(label, out),
    addEntries: (rows, k, sign) => model.addNodeRow(rows, part, label, k, sign),
    clearForce: () => model.clearTieForce(label),
    addForce: (force, sign) => model.addTieForce(label, force, sign),
  };
}

/** A point fixed to a dynamic body: ẋ = v + ω × r, r from the centre of mass. */
export function createBodyEnd(point: BodyPoint, part: number): TieEnd {
  const { body, local } = point;
  const world = new Float64Array(3);
  const writePosition = (out: Float64Array) => body.writeLocalToWorld(local, out);
  return {
    part,
    isThere: () => true,
    writePosition,
    writeStart: writePosition,
    writeVelocity(out) {
      body.writeLocalToWorld(local, world);
      body.writePointVelocity(world, out);
    },
    addEntries(rows, k, sign) {
      body.writeLocalToWorld(local, world);
      const centre = body.centreOfMass;
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      rows.addEntry(part, k, sign);
      rows.addEntry(part, 3 + a, sign * (world[b] - centre[b]));
      rows.addEntry(part, 3 + b, -sign * (world[a] - centre[a]));
    },
    clearForce() {},
    addForce() {},
  };
}

/** A point of the world that does not move; has no unknowns. */
export function createWorldEnd(point: Vec3): TieEnd {
  return {
    part: -1,
    isThere: () => true,
    writePosition: (out) => out.set(point),
    writeStart: (out) => out.set(point),
    writeVelocity: (out) => {
      out.fill(0);
    },
    addEntries() {},
    clearForce() {},
    addForce() {},
  };
}

/** Keeps two points together. */
export class PointTie implements Tie {
  readonly #a: TieEnd;
  readonly #b: TieEnd;
  /** Force on the first end [N]. */
  readonly force = new Float64Array(3);
  #first = 0;
  readonly #gap = new Float64Array(3);
  readonly #gapStart = new Float64Array(3);
  readonly #xa = new Float64Array(3);
  readonly #xb = new Float64Array(3);
  readonly #va = new Float64Array(3);
  readonly #vb = new Float64Array(3);

  readonly #span: Span;
  #active = true;

  constructor(a: TieEnd, b: TieEnd, span: Span = {}) {
    this.#a = a;
    this.#b = b;
    this.#span = span;
  }

  beginStep(): void {
    if (this.#a.isThere() && this.#b.isThere()) this.#writeGap(this.#gapStart);
  }

  addRows(rows: ConstraintRows, stage: Stage): void {
    this.#active = isActive(this.#span, stage.start) && this.#a.isThere() && this.#b.isThere();
    if (!this.#active) return;
    // from where the stage starts, both ends go their whole way; an iterate's place has moved with its velocity already
    if (stage.linearized) this.#writeStartGap(this.#gap);
    else this.#writeGap(this.#gap);
    this.#a.writeVelocity(this.#va);
    this.#b.writeVelocity(this.#vb);
    for (let k = 0; k < 3; k++) {
      let residual = stage.order === 2 ? -this.#gapStart[k] / stage.step : -this.#gap[k] / stage.h;
      if (stage.order === 2 || stage.linearized) residual -= this.#va[k] - this.#vb[k];
      const row = rows.addRow(residual);
      if (k === 0) this.#first = row;
      this.#a.addEntries(rows, k, 1);
      this.#b.addEntries(rows, k, -1);
    }
  }

  #writeGap(out: Float64Array): void {
    this.#a.writePosition(this.#xa);
    this.#b.writePosition(this.#xb);
    for (let k = 0; k < 3; k++) out[k] = this.#xa[k] - this.#xb[k];
  }

  #writeStartGap(out: Float64Array): void {
    this.#a.writeStart(this.#xa);
    this.#b.writeStart(this.#xb);
    for (let k = 0; k < 3; k++) out[k] = this.#xa[k] - this.#xb[k];
  }

  clearForces(): void {
    if (this.#a.isThere()) this.#a.clearForce();
    if (this.#b.isThere()) this.#b.clearForce();
  }

  takeMultipliers(rows: ConstraintRows, stage: Stage): void {
    for (let k = 0; k < 3; k++) this.force[k] = this.#active ? rows.multiplier[this.#first + k] / stage.h : 0;
    if (!this.#active) return;
    this.#a.addForce(this.force, 1);
    this.#b.addForce(this.force, -1);
  }
}

/** Lets a dynamic body turn about one world axis only: two rows b·ω = (rotation back)·b/h, b across the axis. */
export class AxisTie implements Tie {
  readonly turnedPart: number;
  readonly #body: Body;
  readonly #axis: Vec3;
  readonly #across: readonly Vec3[];
  /** The axis in the body's own frame. */
  readonly #local: Vec3;
  #backStart: Vec3 = [0, 0, 0];

  constructor(body: Body, axis: Vec3, part: number) {
    this.#body = body;
    this.turnedPart = part;
    this.#axis = normalizeVec3(axis);
    this.#local = unrotateVec3(orientationOf(body), this.#axis);
    const thin = Math.abs(this.#axis[0]) < 0.6 ? ([1, 0, 0] as const) : ([0, 1, 0] as const);
    const first = normalizeVec3(crossVec3(this.#axis, thin));
    this.#across = [first, crossVec3(this.#axis, first)];
  }

  beginStep(): void {
    this.#backStart = this.#computeBack();
  }

  addRows(rows: ConstraintRows, stage: Stage): void {
    const { angularVelocity: w } = this.#body;
    const back = this.#computeBack();
    for (const b of this.#across) {
      let residual = stage.order === 2 ? dotVec3(b, this.#backStart) / stage.step : dotVec3(b, back) / stage.h;
      if (stage.order === 2 || stage.linearized) residual -= b[0] * w[0] + b[1] * w[1] + b[2] * w[2];
      rows.addRow(residual);
      for (let k = 0; k < 3; k++) rows.addEntry(this.turnedPart, 3 + k, b[k]);
    }
  }

  /** The rotation vector back to the axis, to first order. */
  #computeBack(): Vec3 {
    return crossVec3(rotateVec3(orientationOf(this.#body), this.#local), this.#axis);
  }

  clearForces(): void {}

  takeMultipliers(): void {}
}

/** Contact of a strand's nodes with a dynamic body: soft rows while they touch. */
export class ContactTie implements Tie {
  readonly #strand: Strand;
  /** Index of the body among the strand's obstacles. */
  readonly #b: number;
  readonly #parts: { readonly nodes: number; readonly body: number };
  #first = 0;
  /** Nodes of its rows. */
  readonly #labels: number[] = [];

  constructor(strand: Strand, b: number, parts: { readonly nodes: number; readonly body: number }) {
    this.#strand = strand;
    this.#b = b;
    this.#parts = parts;
  }

  beginStep(): void {}

  addRows(rows: ConstraintRows): void {
    const { state, contact, contactStage } = this.#strand;
    this.#first = rows.count;
    this.#labels.length = 0;
    addContactRows(state.chain, contactStage, contact, this.#b, rows, this.#parts, this.#labels);
  }

  clearForces(): void {
    const { force, torque } = this.#strand.contact;
    for (let k = 3 * this.#b; k < 3 * this.#b + 3; k++) force[k] = torque[k] = 0;
  }

  takeMultipliers(rows: ConstraintRows, stage: Stage): void {
    takeContactForces(this.#strand.contact, this.#b, rows, this.#first, this.#labels, stage.h);
  }
}

/** Faces and edges of a dynamic body under an EoL strand: strict rows while they touch. */
export class TouchTie implements Tie {
  readonly #strand: Strand;
  readonly #rows: TouchRows;

  constructor(strand: Strand, b: number, parts: TouchParts) {
    this.#strand = strand;
    this.#rows = strand.createTouchRows(b, parts);
  }

  beginStep(): void {}

  addRows(rows: ConstraintRows, stage: Stage): void {
    this.#rows.add(this.#strand.state, rows, stage);
  }

  clearForces(): void {
    this.#rows.clear(this.#strand.state);
  }

  takeMultipliers(rows: ConstraintRows, stage: Stage): void {
    this.#rows.take(this.#strand.state, rows, stage);
  }
}

const orientationOf = ({ orientation: [x, y, z, w] }: Body): Quaternion => [x, y, z, w];
