/** Friction of E-vertices with edges and corners of bodies (`crease-friction.ts`): flat arrays, one entry a vertex, by label. */
import { grow } from '../math/index.ts';
import type { StateReader, StateWriter } from '../model/index.ts';

export class CreaseGrips {
  count = 0;
  label = new Int32Array(8);
  /** 1 while the material slides. */
  slips = new Uint8Array(8);
  /** Force across the sheet that friction is taken from [N]; while it slips: speed of sliding [m/s]. */
  grip = new Float64Array(8);
  speed = new Float64Array(8);
  /** While it slips: (ṡ, Ẋ) over the speed, 3 each. */
  direction = new Float64Array(24);
  /** Changes in a step. */
  flips = new Uint8Array(8);
  /** Sums over the angle round the vertex: of F, columns first, 6 each, of ½ tr FᵀF, and that angle. */
  mean = new Float64Array(48);
  square = new Float64Array(8);
  angle = new Float64Array(8);
  /** Outward normal, 3 each. */
  normal = new Float64Array(24);
  /** CᵀC in the free directions of X, and its inverse there: xx, xy, yy each. */
  limit = new Float64Array(24);
  drag = new Float64Array(24);
  /** 1 where the five above are of the present stage: not at a vertex that was off its edge when the stage began. */
  isMeasured = new Uint8Array(8);
  /** Entry of each label, −1 none. */
  #slot = new Int32Array(0);

  clear(): void {
    this.#slot.fill(-1);
    this.count = 0;
  }

  /** Adds the entry of a vertex as entry k of another list was; k = −1: it sticks. Returns its index. */
  add(label: number, from: CreaseGrips, k: number): number {
    const g = this.count++;
    if (g === this.label.length) this.#reserve(2 * g);
    this.label[g] = label;
    this.slips[g] = k < 0 ? 0 : from.slips[k];
    this.grip[g] = k < 0 ? 0 : from.grip[k];
    this.speed[g] = k < 0 ? 0 : from.speed[k];
    for (let n = 0; n < 3; n++) this.direction[3 * g + n] = k < 0 ? 0 : from.direction[3 * k + n];
    this.flips[g] = this.isMeasured[g] = 0;
    this.#link(g);
    return g;
  }

  find(label: number): number {
    return label < this.#slot.length ? this.#slot[label] : -1;
  }

  /** Takes over the entries of another list. */
  copy(from: CreaseGrips): void {
    this.clear();
    for (let k = 0; k < from.count; k++) this.add(from.label[k], from, k);
  }

  #link(g: number): void {
    const label = this.label[g];
    if (label >= this.#slot.length) {
      const known = this.#slot.length;
      this.#slot = grow(this.#slot, 2 * label + 16).fill(-1, known);
    }
    this.#slot[label] = g;
  }

  writeState(writer: StateWriter): void {
    const { count: n } = this;
    writer.number(n);
    writer.array(this.label, n);
    writer.array(this.slips, n);
    writer.array(this.grip, n);
    writer.array(this.speed, n);
    writer.array(this.direction, 3 * n);
  }

  readState(reader: StateReader): void {
    const n = reader.number();
    if (n > this.label.length) this.#reserve(n);
    reader.array(this.label);
    reader.array(this.slips);
    reader.array(this.grip);
    reader.array(this.speed);
    reader.array(this.direction);
    this.clear();
    this.count = n;
    for (let g = 0; g < n; g++) this.#link(g);
  }

  #reserve(n: number): void {
    this.label = grow(this.label, n);
    this.slips = grow(this.slips, n);
    this.grip = grow(this.grip, n);
    this.speed = grow(this.speed, n);
    this.direction = grow(this.direction, 3 * n);
    this.flips = grow(this.flips, n);
    this.mean = grow(this.mean, 6 * n);
    this.square = grow(this.square, n);
    this.angle = grow(this.angle, n);
    this.normal = grow(this.normal, 3 * n);
    this.limit = grow(this.limit, 3 * n);
    this.drag = grow(this.drag, 3 * n);
    this.isMeasured = grow(this.isMeasured, n);
  }
}
