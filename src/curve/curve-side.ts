/**
 * A curve as a side of contacts (`contact/pair-contact.ts`). Its points are the ends of its segments, so that each knows the segment
 * that it is of: point 2e is node e, point 2e + 1 node e + 1, both on segment e.
 *
 *     y = ẋ − F u̇        velocity of the material at a point, F = Δx/Δu of the segment [theory/eol#the-identity]
 */
import type { ContactSide } from '../contact/index.ts';
import { ChainBoxes } from '../geometry/index.ts';
import { CANCEL_POSITION, CANCEL_U, type ConstraintRows, type Stage } from '../model/index.ts';
import type { TouchingCurve } from './touching-curve.ts';

export class CurveSide implements ContactSide {
  readonly curve: TouchingCurve;
  /** Index of its part in the system. */
  readonly part: number;
  readonly boxes = new ChainBoxes();
  segments = 0;
  x0 = new Float64Array(0);
  x1 = new Float64Array(0);
  /** Material coordinates of the points at the start of the step; those of a loop go on behind its seam [m]. */
  u = new Float64Array(0);
  /** Where the points are expected at the end of the step. */
  expected = new Float64Array(0);
  readonly #f = new Float64Array(3);

  constructor(curve: TouchingCurve, part: number) {
    this.curve = curve;
    this.part = part;
  }

  /** The node that a point is; the image at the seam of a loop is the first. */
  nodeOf(point: number): number {
    const { chain } = this.curve;
    const node = (point >> 1) + (point & 1);
    return node === chain.ownCount ? 0 : node;
  }

  labelOf(point: number): number {
    return this.curve.chain.label[this.nodeOf(point)];
  }

  beginStep(): void {
    const { chain } = this.curve;
    this.segments = Math.max(0, chain.count - 1);
    if (this.x0.length < 6 * this.segments) {
      const room = 2 * this.segments + 8;
      this.x0 = new Float64Array(6 * room);
      this.x1 = new Float64Array(6 * room);
      this.expected = new Float64Array(6 * room);
      this.u = new Float64Array(2 * room);
    }
    this.#copy(this.x0);
    for (let p = 0; p < 2 * this.segments; p++) this.u[p] = this.computeMaterial(p);
  }

  /** Material coordinate of a point now; behind the seam of a loop it goes on [m]. */
  computeMaterial(point: number): number {
    const { q, ownCount, period } = this.curve.chain;
    const node = (point >> 1) + (point & 1);
    return node === ownCount ? q[3] + period : q[4 * node + 3];
  }

  #copy(out: Float64Array): void {
    const { q } = this.curve.chain;
    for (let e = 0; e < this.segments; e++)
      for (let k = 0; k < 3; k++) {
        out[6 * e + k] = q[4 * e + k];
        out[6 * e + 3 + k] = q[4 * e + 4 + k];
      }
    this.#closeLoop(q, out);
  }

  /** The last point of a loop is its first node, whatever stands in the image of that. */
  #closeLoop(values: Float64Array, out: Float64Array): void {
    const last = 6 * this.segments - 3;
    if (this.curve.chain.closed) for (let k = 0; k < 3; k++) out[last + k] = values[k];
  }

  /** x1 := where velocities lead in h seconds; that is expected. */
  writePrediction(h: number): void {
    const { v } = this.curve.chain;
    const { x0, x1 } = this;
    for (let e = 0; e < this.segments; e++)
      for (let k = 0; k < 3; k++) {
        x1[6 * e + k] = v[4 * e + k];
        x1[6 * e + 3 + k] = v[4 * e + 4 + k];
      }
    this.#closeLoop(v, x1);
    for (let k = 0; k < 6 * this.segments; k++) this.expected[k] = x1[k] = x0[k] + h * x1[k];
  }

  /** x1 := where the points are now. */
  writePresent(): void {
    this.#copy(this.x1);
  }

  /** The points are expected where they are in x1. */
  expectPresent(): void {
    for (let k = 0; k < 6 * this.segments; k++) this.expected[k] = this.x1[k];
  }

  /** Largest distance of a point from where it was expected [m]; infinite where that is no number. */
  computeDeviation(): number {
    const x = this.x1;
    const y = this.expected;
    let most = 0;
    for (let k = 0; k < 6 * this.segments; k += 3) {
      const square = (x[k] - y[k]) ** 2 + (x[k + 1] - y[k + 1]) ** 2 + (x[k + 2] - y[k + 2]) ** 2;
      if (!(square <= most)) most = square >= 0 ? square : Number.POSITIVE_INFINITY;
    }
    return Math.sqrt(most);
  }

  /** Boxes about the expected ways. */
  updateBoxes(margin: number): void {
    this.boxes.update(this.segments, this.x0, this.expected, margin);
  }

  /** Whether forces can move an end of a segment. */
  isMovable(segment: number): boolean {
    const { cancelled } = this.curve.chain;
    return (
      (cancelled[this.nodeOf(2 * segment)] & cancelled[this.nodeOf(2 * segment + 1)] & CANCEL_POSITION) !==
      CANCEL_POSITION
    );
  }

  computeMobility(point: number): number {
    const { chain } = this.curve;
    const { q, cancelled, pointMass, material, ownCount, closed, period } = chain;
    const i = this.nodeOf(point);
    if ((cancelled[i] & CANCEL_POSITION) === CANCEL_POSITION) return 0;
    const last = ownCount - 1;
    const before = i > 0 ? q[4 * i - 1] : closed ? q[4 * last + 3] - period : q[3];
    const after = i < last ? q[4 * i + 7] : closed ? q[3] + period : q[4 * i + 3];
    return 1 / (0.5 * material.linearDensity * (after - before) + pointMass[i]);
  }

  computeFreedom(point: number, d: Float64Array): number {
    const held = this.curve.chain.cancelled[this.nodeOf(point)];
    let square = 0;
    for (let k = 0; k < 3; k++) if (!(held & (1 << k))) square += d[k] * d[k];
    return square;
  }

  writeEnd(point: number, { h }: Stage, out: Float64Array): void {
    const { qBase, v } = this.curve.chain;
    const at = 4 * this.nodeOf(point);
    for (let k = 0; k < 3; k++) out[k] = qBase[at + k] + h * v[at + k];
  }

  writeVelocity(point: number, out: Float64Array): void {
    const { v } = this.curve.chain;
    const at = 4 * this.nodeOf(point);
    for (let k = 0; k < 3; k++) out[k] = v[at + k];
  }

  writeMaterialVelocity(point: number, out: Float64Array): void {
    const speed = this.curve.chain.v[4 * this.nodeOf(point) + 3];
    this.writeVelocity(point, out);
    if (speed === 0) return;
    const f = this.#writeGradient(point);
    for (let k = 0; k < 3; k++) out[k] -= speed * f[k];
  }

  /** F of the segment of a point, as it is now. */
  #writeGradient(point: number): Float64Array {
    const { q } = this.curve.chain;
    const first = point & ~1;
    const [i, j] = [4 * this.nodeOf(first), 4 * this.nodeOf(first + 1)];
    const length = this.computeMaterial(first + 1) - this.computeMaterial(first);
    for (let k = 0; k < 3; k++) this.#f[k] = (q[j + k] - q[i + k]) / length;
    return this.#f;
  }

  addEntries(rows: ConstraintRows, point: number, d: Float64Array, weight: number): void {
    const { chain, stride } = this.curve;
    const i = this.nodeOf(point);
    for (let k = 0; k < 3; k++)
      if (!(chain.cancelled[i] & (1 << k))) rows.addEntry(this.part, stride * i + k, weight * d[k]);
  }

  addMaterialEntries(rows: ConstraintRows, point: number, d: Float64Array, weight: number): void {
    this.addEntries(rows, point, d, weight);
    const i = this.nodeOf(point);
    if (this.curve.chain.cancelled[i] & CANCEL_U) return;
    const f = this.#writeGradient(point);
    rows.addEntry(this.part, this.curve.stride * i + 3, -weight * (f[0] * d[0] + f[1] * d[1] + f[2] * d[2]));
  }

  addForce(point: number, f: Float64Array, weight: number): void {
    this.curve.addContactForce(this.nodeOf(point), weight * f[0], weight * f[1], weight * f[2]);
  }
}
