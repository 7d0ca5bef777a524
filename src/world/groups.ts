/**
 * Groups of models that pushed each other in a step: by rows with an impulse, by the borders of nets, and as partners (`TurnableModel.partners`). Rows that were there for what only came near,
 * without an impulse, join nothing. A group is a list that begins with its first model, its leader.
 */
import { type ConstraintRows, DisjointSets, isTurnable, type Model } from '../model/index.ts';

export class Groups {
  readonly #models: readonly Model[];
  readonly #sets: DisjointSets;
  /** By model: the leader of its group, and the next of the same, −1 at the end. */
  readonly leader: Int32Array;
  readonly next: Int32Array;
  /** By leader: whether rows join its group. */
  readonly hasRows: Uint8Array;

  constructor(models: readonly Model[]) {
    this.#models = models;
    this.#sets = new DisjointSets(models.length);
    this.leader = new Int32Array(models.length);
    this.next = new Int32Array(models.length);
    this.hasRows = new Uint8Array(models.length);
  }

  /** `rows` as they were solved last. */
  find(rows: ConstraintRows): void {
    const { leader, next } = this;
    const count = this.#models.length;
    this.hasRows.fill(0);
    this.#sets.separate();
    for (let row = 0; row < rows.count; row++) if (rows.multiplier[row] !== 0) this.#joinRow(rows, row);
    for (let p = 0; p < count; p++) {
      this.#joinBorder(p);
      this.#joinPartners(p);
    }
    next.fill(-1);
    // from the last on, so that lists rise
    for (let p = count - 1; p >= 0; p--) {
      const first = this.#sets.find(p);
      leader[p] = first;
      if (first === p) continue;
      next[p] = next[first];
      next[first] = p;
    }
  }

  #joinRow({ start, part }: ConstraintRows, row: number): void {
    const first = part[start[row]];
    for (let e = start[row] + 1; e < start[row + 1]; e++)
      if (part[e] !== first) this.hasRows[this.#join(first, part[e])] = 1;
  }

  #joinBorder(p: number): void {
    const { part } = this.#models[p];
    if (part.kind !== 'mesh' || part.border === undefined) return;
    for (let e = 0; e < part.border.count; e++) this.#join(p, part.border.part[e]);
  }

  #joinPartners(p: number): void {
    const model = this.#models[p];
    if (!isTurnable(model) || model.partners === undefined) return;
    for (const partner of model.partners) if (model.pushes?.(partner)) this.#join(p, this.#models.indexOf(partner));
  }

  /** Returns the leader of both. */
  #join(p: number, other: number): number {
    const has = this.hasRows[this.#sets.find(p)] | this.hasRows[this.#sets.find(other)];
    const first = this.#sets.join(p, other);
    this.hasRows[first] = has;
    return first;
  }
}
