/** The two sides of a chord's contact: the sheet's vertices, and feet on bodies that forces do not move. */
import { type ContactSide, Placement } from '../contact/index.ts';
import { STRIDE } from './state.ts';
import { SheetPoints } from './surface.ts';
import type { SheetTouch } from './touch.ts';

export class ChordSheet extends SheetPoints implements ContactSide {
  /** Vertices at the start of the step and now, three numbers each [m]. */
  x0 = new Float64Array(0);
  x1 = new Float64Array(0);

  beginStep(): void {
    const { count } = this.sheet.state;
    if (this.x0.length !== 3 * count) {
      this.x0 = new Float64Array(3 * count);
      this.x1 = new Float64Array(3 * count);
    }
    this.#copy(this.x0);
  }

  finishStep(): void {
    this.#copy(this.x1);
  }

  #copy(out: Float64Array): void {
    const { q, count } = this.sheet.state;
    for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = q[STRIDE * i + k];
  }
}

export class ChordFeet implements ContactSide {
  /** Feet in the world at the start of the step, three numbers each [m]; `x1` is not used. */
  x0 = new Float64Array(48);
  readonly x1 = new Float64Array(0);
  /** Force on each body [N]. */
  readonly force: Float64Array;
  readonly #touch: SheetTouch;
  readonly #start: readonly Placement[];
  #body = new Int32Array(16);
  #local = new Float64Array(48);
  readonly #p = new Float64Array(3);

  constructor(touch: SheetTouch) {
    this.#touch = touch;
    this.#start = touch.bodies.map(() => new Placement());
    this.force = new Float64Array(3 * touch.bodies.length);
  }

  beginStep(): void {
    for (let b = 0; b < this.#start.length; b++) this.#start[b].read(this.#touch.bodies[b]);
  }

  /** Foot number `point`: a place of body b, in its own frame. */
  set(point: number, b: number, foot: Float64Array): void {
    if (point >= this.#body.length) this.#reserve(2 * point);
    this.#body[point] = b;
    this.#local.set(foot, 3 * point);
    this.#start[b].writeWorld(foot, 0, this.x0, 3 * point);
  }

  #reserve(n: number): void {
    const [body, local, x0] = [this.#body, this.#local, this.x0];
    this.#body = new Int32Array(n);
    this.#local = new Float64Array(3 * n);
    this.x0 = new Float64Array(3 * n);
    this.#body.set(body);
    this.#local.set(local);
    this.x0.set(x0);
  }

  computeMobility(): number {
    return 0;
  }

  writeEnd(point: number, _: unknown, out: Float64Array): void {
    this.#touch.now[this.#body[point]].writeWorld(this.#local, 3 * point, out, 0);
  }

  writeVelocity(point: number, out: Float64Array): void {
    this.writeEnd(point, undefined, this.#p);
    this.#touch.bodies[this.#body[point]].writePointVelocity(this.#p, out);
  }

  addEntries(): void {}

  addForce(point: number, f: Float64Array, weight: number): void {
    for (let k = 0; k < 3; k++) this.force[3 * this.#body[point] + k] += weight * f[k];
  }
}
