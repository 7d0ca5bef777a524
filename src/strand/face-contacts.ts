/** The list of contacts between nodes and faces of a strand's obstacles: flat arrays, one entry a contact. */
import { grow } from '../math/index.ts';
import type { StateReader, StateWriter } from '../model/index.ts';

export class FaceContacts {
  count = 0;
  /** Label of the node, index of the body among the obstacles, face of its facets. */
  label = new Int32Array(8);
  body = new Int32Array(8);
  face = new Int32Array(8);
  /** Outward normal and offset of the plane that the node is kept above, in the body's frame: 4 a contact. */
  plane = new Float64Array(32);
  /** On a round body: distance from its axis that the node should have [m]; set anew in each step. */
  reach = new Float64Array(8);
  /** Dry friction at it, relative to the body's; less than 1 where the strand turns round a smooth body. */
  share = new Float64Array(8).fill(1);
  /** 1 while it holds. */
  active = new Uint8Array(8);
  /** 1 while the node slides against friction, 0 while it sticks. */
  slips = new Uint8Array(8);
  /** Force along the normal [N], and the one that friction was last taken from. */
  force = new Float64Array(8);
  grip = new Float64Array(8);
  /** While it slips: speed along the face before the solve, or a guess of it [m/s]; 1 where friction drags. Both of a stage. */
  speed = new Float64Array(8);
  drags = new Uint8Array(8);
  /** Where friction pushes the node, unit vector in the world; where it sticks, in the body's frame: 3 each. */
  push = new Float64Array(24);
  anchor = new Float64Array(24);
  /** Force of ties on the node, while faces of bodies that forces do not move hold it [N]: 3 each. */
  tie = new Float64Array(24);
  /** Which held direction of its node's frame it is, −1 none; how often it changed between sticking and slipping in a stage. */
  direction = new Int32Array(8);
  flips = new Uint8Array(8);
  /** Which held directions of the frame are its two along the face while it sticks, −1 none: 2 a contact. */
  tangent = new Int32Array(16);

  /** Adds a contact that holds and sticks; returns its index. */
  add(label: number, body: number, face: number, nx: number, ny: number, nz: number, offset: number): number {
    const c = this.count++;
    if (c === this.label.length) this.#reserve(2 * c);
    this.label[c] = label;
    this.body[c] = body;
    this.face[c] = face;
    this.active[c] = 1;
    this.slips[c] = this.flips[c] = 0;
    this.force[c] = this.grip[c] = 0;
    this.plane[4 * c] = nx;
    this.plane[4 * c + 1] = ny;
    this.plane[4 * c + 2] = nz;
    this.plane[4 * c + 3] = offset;
    this.reach[c] = 0;
    this.share[c] = 1;
    this.speed[c] = this.drags[c] = 0;
    this.direction[c] = this.tangent[2 * c] = this.tangent[2 * c + 1] = -1;
    for (const values of [this.push, this.anchor, this.tie]) values.fill(0, 3 * c, 3 * c + 3);
    return c;
  }

  /** The contact of a node with a face; −1 none. */
  find(label: number, body: number, face: number): number {
    for (let c = 0; c < this.count; c++)
      if (this.label[c] === label && this.body[c] === body && this.face[c] === face) return c;
    return -1;
  }

  /** Whether a contact holds the node. */
  isHolding(label: number): boolean {
    for (let c = 0; c < this.count; c++) if (this.label[c] === label && this.active[c]) return true;
    return false;
  }

  /** Takes over the contacts of another list. */
  copy(from: FaceContacts): void {
    this.#reserve(from.count);
    for (let c = 0; c < from.count; c++) this.copyOne(from, c, c);
    this.count = from.count;
  }

  copyOne(from: FaceContacts, c: number, d: number): void {
    this.label[d] = from.label[c];
    this.body[d] = from.body[c];
    this.face[d] = from.face[c];
    this.active[d] = from.active[c];
    this.slips[d] = from.slips[c];
    this.reach[d] = from.reach[c];
    this.share[d] = from.share[c];
    this.speed[d] = from.speed[c];
    this.drags[d] = from.drags[c];
    this.force[d] = from.force[c];
    this.grip[d] = from.grip[c];
    this.direction[d] = from.direction[c];
    this.flips[d] = from.flips[c];
    for (let k = 0; k < 2; k++) this.tangent[2 * d + k] = from.tangent[2 * c + k];
    for (let k = 0; k < 4; k++) this.plane[4 * d + k] = from.plane[4 * c + k];
    for (let k = 0; k < 3; k++) {
      this.push[3 * d + k] = from.push[3 * c + k];
      this.anchor[3 * d + k] = from.anchor[3 * c + k];
      this.tie[3 * d + k] = from.tie[3 * c + k];
    }
  }

  writeState(writer: StateWriter): void {
    const { count: n } = this;
    writer.number(n);
    for (const values of [this.label, this.body, this.face]) writer.array(values, n);
    for (const values of [this.active, this.slips]) writer.array(values, n);
    for (const values of [this.share, this.force, this.grip]) writer.array(values, n);
    writer.array(this.plane, 4 * n);
    for (const values of [this.push, this.anchor]) writer.array(values, 3 * n);
  }

  readState(reader: StateReader): void {
    const n = reader.number();
    this.#reserve(n);
    for (const values of [this.label, this.body, this.face]) reader.array(values);
    for (const values of [this.active, this.slips]) reader.array(values);
    for (const values of [this.share, this.force, this.grip]) reader.array(values);
    reader.array(this.plane);
    for (const values of [this.push, this.anchor]) reader.array(values);
    this.count = n;
  }

  #reserve(n: number): void {
    if (n <= this.label.length) return;
    this.label = grow(this.label, n);
    this.body = grow(this.body, n);
    this.face = grow(this.face, n);
    this.active = grow(this.active, n);
    this.slips = grow(this.slips, n);
    this.reach = grow(this.reach, n);
    this.share = grow(this.share, n);
    this.speed = grow(this.speed, n);
    this.drags = grow(this.drags, n);
    this.force = grow(this.force, n);
    this.grip = grow(this.grip, n);
    this.direction = grow(this.direction, n);
    this.flips = grow(this.flips, n);
    this.tangent = grow(this.tangent, 2 * n);
    this.plane = grow(this.plane, 4 * n);
    this.push = grow(this.push, 3 * n);
    this.anchor = grow(this.anchor, 3 * n);
    this.tie = grow(this.tie, 3 * n);
  }
}
