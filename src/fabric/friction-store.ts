/**
 * What friction against bodies has stored, in slots of flat arrays: s₀, and x₀, u₀ and F of the start of the step (`SolidFriction`). Places and s₀ are in the
 * body's own frame, which carries them along; the surface of a body that deforms carries x₀ on in that frame, with the velocity that it has there at the
 * start of the step.
 */
import type { Placement } from '../contact/index.ts';
import { computeHypot3, grow } from '../math/index.ts';
import type { StateReader, StateWriter } from '../model/index.ts';
import type { SolidFriction } from './energy-solid.ts';
import { writeLocalDirection } from './obstacle.ts';

export class FrictionStore {
  /** F in the world, 3 a slot. */
  tangent = new Float64Array(0);
  #slip = new Float64Array(0);
  #place = new Float64Array(0);
  #material = new Float64Array(0);
  /** Of the surface at the place, 3 a slot, in the body's frame [m/s]; from `begin` on 0. */
  #drift = new Float64Array(0);
  readonly #p = new Float64Array(4);

  /** Room for n slots. */
  reserve(n: number): void {
    if (n <= this.#material.length) return;
    this.tangent = grow(this.tangent, 3 * n);
    this.#slip = grow(this.#slip, 3 * n);
    this.#place = grow(this.#place, 3 * n);
    this.#material = grow(this.#material, n);
    this.#drift = grow(this.#drift, 3 * n);
  }

  /** Nothing is stored in a slot. */
  clear(slot: number): void {
    this.#slip.fill(0, 3 * slot, 3 * slot + 3);
    this.tangent.fill(0, 3 * slot, 3 * slot + 3);
  }

  /** Goes on with what is stored in a slot of another. */
  take(slot: number, other: FrictionStore, from: number): void {
    for (let k = 0; k < 3; k++) this.#slip[3 * slot + k] = other.#slip[3 * from + k];
  }

  /** Measures from the place q[at…] and the material coordinate q[u] on, of a body that stands at `body`. */
  begin(slot: number, body: Placement, q: Float64Array, at: number, u: number): void {
    body.writeLocal(q, at, this.#place, 3 * slot);
    this.#material[slot] = q[u];
    this.#drift.fill(0, 3 * slot, 3 * slot + 3);
  }

  /** The body deforms: its surface at the place moves with this velocity, in the body's frame. */
  setDrift(slot: number, velocity: Float64Array): void {
    for (let k = 0; k < 3; k++) this.#drift[3 * slot + k] = velocity[k];
  }

  /** Sets a term whose limit, stiffness and normal are known to the places q[at…], q[u], `elapsed` seconds after the start of the step. */
  set(
    term: SolidFriction,
    slot: number,
    body: Placement,
    q: Float64Array,
    at: number,
    u: number,
    elapsed: number,
  ): void {
    const p = this.#p;
    body.writeDirection(this.#slip, 3 * slot, term.slip, 0);
    for (let k = 0; k < 3; k++) p[k] = this.#place[3 * slot + k] + elapsed * this.#drift[3 * slot + k];
    body.writeWorld(p, 0, term.start, 0);
    term.start[3] = this.#material[slot];
    for (let k = 0; k < 3; k++) {
      term.tangent[k] = this.tangent[3 * slot + k];
      p[k] = q[at + k];
    }
    p[3] = q[u];
    term.set(p, false);
  }

  /** Stores what the term has: no more than its limit holds. */
  drag({ moved, stiffness, limit }: SolidFriction, slot: number, body: Placement): void {
    const force = stiffness * computeHypot3(moved[0], moved[1], moved[2]);
    if (force > limit) for (let k = 0; k < 3; k++) moved[k] *= limit / force;
    writeLocalDirection(body, moved, this.#slip, 3 * slot);
  }

  /** The first n slots of another. */
  copy(other: FrictionStore, n: number): void {
    this.reserve(n);
    this.tangent.set(other.tangent.subarray(0, 3 * n));
    this.#slip.set(other.#slip.subarray(0, 3 * n));
    this.#place.set(other.#place.subarray(0, 3 * n));
    this.#material.set(other.#material.subarray(0, n));
    this.#drift.fill(0, 0, 3 * n);
  }

  writeState(writer: StateWriter, n: number): void {
    for (const array of [this.tangent, this.#slip, this.#place]) writer.array(array, 3 * n);
    writer.array(this.#material, n);
  }

  /** There must be room for what was written. */
  readState(reader: StateReader): void {
    for (const array of [this.tangent, this.#slip, this.#place, this.#material]) reader.array(array);
    this.#drift.fill(0);
  }
}
