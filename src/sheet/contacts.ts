/** Contacts between vertices of a sheet and faces of bodies: flat arrays, one entry a contact, listed by vertex. */
import { grow } from '../math/index.ts';
import type { StateReader, StateWriter } from '../model/index.ts';

export class VertexContacts {
  count = 0;
  /** Label of the vertex, index of the body among the obstacles, face of its facets (−1: smooth). */
  label = new Int32Array(16);
  body = new Int32Array(16);
  face = new Int32Array(16);
  /** Outward normal and offset of the plane that the vertex is kept above, in the body's frame: 4 a contact. */
  plane = new Float64Array(64);
  /** 1 while it holds; 1 while the vertex slides against friction. */
  active = new Uint8Array(16);
  slips = new Uint8Array(16);
  /** Force along the normal [N], and the one that friction is taken from. */
  force = new Float64Array(16);
  grip = new Float64Array(16);
  /** Where the vertex sticks, in the body's frame: 3 each. */
  anchor = new Float64Array(48);
  /** While it slips: speed of sliding that the drag is taken at [m/s]. */
  speed = new Float64Array(16);
  /** 1 while that speed is a guess that no solve has confirmed. */
  guessed = new Uint8Array(16);
  /** Which held directions of its vertex' frame are its normal and its two tangents, −1 none; changes of friction in a stage. */
  direction = new Int32Array(48);
  flips = new Uint8Array(16);
  /** How often it let go in a step. */
  releases = new Uint8Array(16);
  /** First contact of each vertex by label, and the next of the same vertex; −1 at the end. */
  #first = new Int32Array(0);
  #next = new Int32Array(16);

  /** Adds a contact that holds and sticks; returns its index. */
  add(label: number, body: number, face: number, plane: ArrayLike<number>): number {
    const c = this.count++;
    if (c === this.label.length) this.#reserve(2 * c);
    this.label[c] = label;
    this.body[c] = body;
    this.face[c] = face;
    for (let k = 0; k < 4; k++) this.plane[4 * c + k] = plane[k];
    this.active[c] = 1;
    this.slips[c] = this.flips[c] = this.guessed[c] = this.releases[c] = 0;
    this.force[c] = this.grip[c] = this.speed[c] = 0;
    this.direction.fill(-1, 3 * c, 3 * c + 3);
    this.#link(c);
    return c;
  }

  /** The contact of a vertex with a face; −1 none. */
  find(label: number, body: number, face: number): number {
    for (let c = this.firstOf(label); c >= 0; c = this.#next[c])
      if (this.body[c] === body && this.face[c] === face) return c;
    return -1;
  }

  /** Whether a contact holds the vertex. */
  isHolding(label: number): boolean {
    for (let c = this.firstOf(label); c >= 0; c = this.#next[c]) if (this.active[c]) return true;
    return false;
  }

  firstOf(label: number): number {
    return label < this.#first.length ? this.#first[label] : -1;
  }

  nextOf(c: number): number {
    return this.#next[c];
  }

  /** Keeps the contacts that `isKept` says, in their order. */
  filter(isKept: (c: number) => boolean): void {
    let kept = 0;
    for (let c = 0; c < this.count; c++) if (isKept(c)) this.#copyOne(this, c, kept++);
    this.count = kept;
    this.#linkAll();
  }

  /** Takes over the contacts of another list. */
  copy(from: VertexContacts): void {
    if (from.count > this.label.length) this.#reserve(from.label.length);
    for (let c = 0; c < from.count; c++) this.#copyOne(from, c, c);
    this.count = from.count;
    this.#linkAll();
  }

  #linkAll(): void {
    this.#first.fill(-1);
    for (let c = 0; c < this.count; c++) this.#link(c);
  }

  #link(c: number): void {
    const label = this.label[c];
    if (label >= this.#first.length) {
      const known = this.#first.length;
      this.#first = grow(this.#first, 2 * label + 16).fill(-1, known);
    }
    this.#next[c] = this.#first[label];
    this.#first[label] = c;
  }

  #copyOne(from: VertexContacts, c: number, d: number): void {
    this.label[d] = from.label[c];
    this.body[d] = from.body[c];
    this.face[d] = from.face[c];
    this.active[d] = from.active[c];
    this.slips[d] = from.slips[c];
    this.force[d] = from.force[c];
    this.grip[d] = from.grip[c];
    this.speed[d] = from.speed[c];
    this.guessed[d] = from.guessed[c];
    this.flips[d] = from.flips[c];
    this.releases[d] = from.releases[c];
    for (let k = 0; k < 4; k++) this.plane[4 * d + k] = from.plane[4 * c + k];
    for (let k = 0; k < 3; k++) {
      this.anchor[3 * d + k] = from.anchor[3 * c + k];
      this.direction[3 * d + k] = from.direction[3 * c + k];
    }
  }

  writeState(writer: StateWriter): void {
    const { count: n } = this;
    writer.number(n);
    for (const values of [this.label, this.body, this.face]) writer.array(values, n);
    for (const values of [this.active, this.slips]) writer.array(values, n);
    for (const values of [this.force, this.grip, this.speed]) writer.array(values, n);
    writer.array(this.plane, 4 * n);
    writer.array(this.anchor, 3 * n);
  }

  readState(reader: StateReader): void {
    const n = reader.number();
    if (n > this.label.length) this.#reserve(n);
    for (const values of [this.label, this.body, this.face]) reader.array(values);
    for (const values of [this.active, this.slips]) reader.array(values);
    for (const values of [this.force, this.grip, this.speed]) reader.array(values);
    reader.array(this.plane);
    reader.array(this.anchor);
    this.count = n;
    this.#linkAll();
  }

  #reserve(n: number): void {
    this.label = grow(this.label, n);
    this.body = grow(this.body, n);
    this.face = grow(this.face, n);
    this.plane = grow(this.plane, 4 * n);
    this.active = grow(this.active, n);
    this.slips = grow(this.slips, n);
    this.force = grow(this.force, n);
    this.grip = grow(this.grip, n);
    this.anchor = grow(this.anchor, 3 * n);
    this.speed = grow(this.speed, n);
    this.guessed = grow(this.guessed, n);
    this.direction = grow(this.direction, 3 * n);
    this.flips = grow(this.flips, n);
    this.releases = grow(this.releases, n);
    this.#next = grow(this.#next, n);
  }
}
