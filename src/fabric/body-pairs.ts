/** Pairs of a node and a body that may touch, in flat arrays, in the order of bodies and nodes: what `BodyContacts` keeps of them. */
import { grow } from '../math/index.ts';
import type { StateReader, StateWriter } from '../model/index.ts';
import { FrictionStore } from './friction-store.ts';

export class PairList {
  count = 0;
  node = new Int32Array(0);
  body = new Int32Array(0);
  /** N of the last step [N]. */
  load = new Float64Array(0);
  /** Of the last system: the push with its slope and the distance that they are for, 3 a pair, and that of the friction of each side, 4 a pair. */
  model = new Float64Array(0);
  assumed = new Float64Array(0);
  /** Normal at the start of the step, 3 a pair. */
  normal = new Float64Array(0);
  /** How much of N each side bears, 2 a pair. */
  share = new Float64Array(0);
  /** A slot for each side: 2 a pair. */
  readonly friction = new FrictionStore();

  /** A new pair without load; the rest is to be filled in. */
  add(node: number, body: number): number {
    const c = this.count++;
    this.#reserve(this.count);
    this.node[c] = node;
    this.body[c] = body;
    this.load[c] = 0;
    for (let side = 0; side < 2; side++) this.friction.clear(2 * c + side);
    return c;
  }

  /** Pair c goes on with the load and what friction has stored in pair o of another list. */
  take(c: number, other: PairList, o: number): void {
    this.load[c] = other.load[o];
    for (let side = 0; side < 2; side++) this.friction.take(2 * c + side, other.friction, 2 * o + side);
  }

  copy(other: PairList): void {
    const { count } = other;
    this.#reserve(count);
    this.count = count;
    this.node.set(other.node.subarray(0, count));
    this.body.set(other.body.subarray(0, count));
    this.load.set(other.load.subarray(0, count));
    this.normal.set(other.normal.subarray(0, 3 * count));
    this.share.set(other.share.subarray(0, 2 * count));
    this.friction.copy(other.friction, 2 * count);
  }

  #reserve(n: number): void {
    if (n <= this.node.length) return;
    const room = Math.max(64, n, 2 * this.node.length);
    this.node = grow(this.node, room);
    this.body = grow(this.body, room);
    this.load = grow(this.load, room);
    this.assumed = grow(this.assumed, 4 * room);
    this.model = grow(this.model, 3 * room);
    this.normal = grow(this.normal, 3 * room);
    this.share = grow(this.share, 2 * room);
    this.friction.reserve(2 * room);
  }

  writeState(writer: StateWriter): void {
    const { count } = this;
    writer.number(count);
    writer.array(this.node, count);
    writer.array(this.body, count);
    writer.array(this.load, count);
    writer.array(this.normal, 3 * count);
    writer.array(this.share, 2 * count);
    this.friction.writeState(writer, 2 * count);
  }

  /** `most`: more pairs than this are not of this scene. */
  readState(reader: StateReader, most: number): void {
    const count = Math.min(reader.number(), most);
    this.#reserve(count);
    this.count = count;
    for (const array of [this.node, this.body, this.load, this.normal, this.share]) reader.array(array);
    this.friction.readState(reader);
  }
}
