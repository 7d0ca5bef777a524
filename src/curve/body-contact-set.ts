/** The contacts of one step, found by what touches what; objects are used again from step to step. */
import { BodyContact, CONTACT_KINDS, ON_EDGE } from './body-contact.ts';
import type { BodyObstacle } from './body-obstacle.ts';

export class BodyContactSet {
  readonly #contacts: BodyContact[] = [];
  readonly #known = new Map<number, BodyContact>();
  readonly #bodies: number;
  readonly #features: number;
  count = 0;

  constructor(obstacles: readonly BodyObstacle[]) {
    this.#bodies = obstacles.length;
    this.#features = Math.max(1, ...obstacles.map(({ facets }) => Math.max(facets.faceCount, facets.edgeCount)));
  }

  clear(): void {
    this.count = 0;
    this.#known.clear();
  }

  at(c: number): BodyContact {
    return this.#contacts[c];
  }

  find(kind: number, body: number, feature: number, label: number): BodyContact | undefined {
    return this.#known.get(this.#name(kind, body, feature, label));
  }

  /** A new contact; undefined where there is one already. */
  open(kind: number, body: number, feature: number, label: number, other: number): BodyContact | undefined {
    const name = this.#name(kind, body, feature, label);
    if (this.#known.has(name)) return undefined;
    if (this.count === this.#contacts.length) this.#contacts.push(new BodyContact());
    const contact = this.#contacts[this.count++];
    contact.begin(kind, body, feature, label, other);
    this.#known.set(name, contact);
    return contact;
  }

  /** Takes back the contact opened last. */
  close({ kind, body, feature, label }: BodyContact): void {
    this.count--;
    this.#known.delete(this.#name(kind, body, feature, label));
  }

  /** The edge of a body that a node is on and pushed by; −1 for none. */
  findPushedEdgeOf(body: number, label: number): number {
    const edge = this.findEdgeOf(body, label);
    return edge >= 0 && this.find(ON_EDGE, body, edge, label)!.isLoose ? -1 : edge;
  }

  /** The edge of a body that a node slides on; −1 for none. Such contacts come first. */
  findEdgeOf(body: number, label: number): number {
    for (let c = 0; c < this.count && this.#contacts[c].kind === ON_EDGE; c++) {
      const contact = this.#contacts[c];
      if (contact.body === body && contact.label === label) return contact.feature;
    }
    return -1;
  }

  #name(kind: number, body: number, feature: number, label: number): number {
    return ((label * this.#bodies + body) * CONTACT_KINDS + kind) * this.#features + feature;
  }
}
