/**
 * The pairs that have rows in a step, in an order that does not depend on how they were found, and what is remembered of them from step
 * to step. Friction is taken from the normal forces of the pass before, anew while these still change.
 */
import type { ConstraintRows, ForceFrame, Stage, StateReader, StateWriter } from '../model/index.ts';
import type { ContactPair } from './contact-pair.ts';
import { ForceList } from './force-list.ts';
import { type ContactMemory, type ContactSide, PairContact } from './pair-contact.ts';

/** When friction is good enough; it is taken from newer normal forces until it is. */
export interface FrictionTolerance {
  /** Share of the largest normal force by which one may differ from that which friction was taken from, and share of their sum. */
  readonly force: number;
  readonly load: number;
  /** Mean sine of the angle between the way that things slide and the one that friction was taken against. */
  readonly way: number;
}

const FINE: FrictionTolerance = { force: 0.05, load: 1e-3, way: 2e-3 };

/** Distance to keep where a pair starts no nearer [m], and coefficient of friction. */
export interface PairLaw {
  computeReach(pair: ContactPair): number;
  computeFriction(pair: ContactPair): number;
  readonly tolerance?: FrictionTolerance;
}

export class PairContacts {
  readonly #sides: readonly ContactSide[];
  readonly #law: PairLaw;
  /** Those of this step are the first `#count`. */
  readonly #contacts: PairContact[] = [];
  #count = 0;
  readonly #known = new Map<string, PairContact>();
  /** What pushed in the last step, by feature. */
  #memory = new Map<string, ContactMemory>();

  constructor(sides: readonly ContactSide[], law: PairLaw) {
    this.#sides = sides;
    this.#law = law;
  }

  get count(): number {
    return this.#count;
  }

  /** Those that push, in the last solve. */
  get pushing(): number {
    let count = 0;
    for (let c = 0; c < this.#count; c++) if (this.#contacts[c].force > 0) count++;
    return count;
  }

  /** The c-th of this step. */
  at(c: number): PairContact {
    return this.#contacts[c];
  }

  clear(): void {
    this.#count = 0;
    this.#known.clear();
  }

  has(key: string): boolean {
    return this.#known.has(key);
  }

  find(key: string): PairContact | undefined {
    return this.#known.get(key);
  }

  /** Gives a pair rows; `key`: what it is called in this step, `feature`: what is closest, by which the last step is remembered. */
  add(pair: ContactPair, key: string, feature: string): void {
    if (this.#count === this.#contacts.length) this.#contacts.push(new PairContact());
    const contact = this.#contacts[this.#count++];
    contact.key = key;
    contact.feature = feature;
    this.set(contact, pair);
    this.#known.set(key, contact);
  }

  set(contact: PairContact, pair: ContactPair): void {
    const friction = this.#law.computeFriction(pair);
    contact.set(pair, this.#law.computeReach(pair), friction, this.#memory.get(contact.feature));
  }

  /** Into an order that does not depend on how the trees were built. */
  sort(from = 0): void {
    const present = this.#contacts.slice(from, this.#count).sort((a, b) => (a.key < b.key ? -1 : 1));
    for (let c = from; c < this.#count; c++) this.#contacts[c] = present[c - from];
  }

  addRows(rows: ConstraintRows, stage: Stage): void {
    for (let c = 0; c < this.#count; c++) this.#contacts[c].addRows(this.#sides, rows, stage);
  }

  takeMultipliers(rows: ConstraintRows, stage: Stage): void {
    for (let c = 0; c < this.#count; c++) this.#contacts[c].takeMultipliers(this.#sides, rows, stage.h);
  }

  /** Friction from the newest normal forces; true where they differ from those that it was taken from. */
  reviseFriction(): boolean {
    let [largest, sum, excess, other, turn] = [0, 0, 0, 0, 0];
    for (let c = 0; c < this.#count; c++) {
      const contact = this.#contacts[c];
      if (contact.friction === 0) continue;
      const { force, grip } = contact;
      largest = Math.max(largest, force);
      other = Math.max(other, Math.abs(force - grip));
      sum += force;
      excess += force - grip;
      turn += force * contact.computeTurn(this.#sides);
      contact.grip = force;
    }
    const { force, load, way } = this.#law.tolerance ?? FINE;
    return other > force * largest || Math.abs(excess) > load * sum || turn > way * sum;
  }

  /** Remembers what pushed, for the next step. */
  remember(): void {
    this.#memory = new Map();
    for (let c = 0; c < this.#count; c++) {
      const { feature, force, memory } = this.#contacts[c];
      if (force > (this.#memory.get(feature)?.[0] ?? 0)) this.#memory.set(feature, memory);
    }
  }

  /** Forces of the last solve on a side, at the closest points. */
  createForces(side: number, id: string): ForceFrame[] {
    const list = new ForceList();
    for (let c = 0; c < this.#count; c++) this.#contacts[c].addForces(this.#sides, side, list);
    return list.finish('contact', id);
  }

  writeState(writer: StateWriter): void {
    const bytes = new TextEncoder().encode(JSON.stringify([...this.#memory]));
    writer.number(bytes.length);
    writer.array(bytes);
  }

  readState(reader: StateReader): void {
    this.#memory = new Map(reader.json() as [string, ContactMemory][]);
    this.#count = 0;
  }
}
