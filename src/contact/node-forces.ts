/**
 * Forces of bodies on single nodes of a curve, friction included, from the last solve: what arrows show. A list that begins
 * anew with every solve; a node may be in it several times (two faces, a push and its friction), and its entries add up.
 *   f     force on the node [N]
 *   held  1 where the force is also part of the node's reaction, because it holds a coordinate of the node
 */
import type { StateReader, StateWriter } from '../model/index.ts';

export class NodeForces {
  count = 0;
  /** Labels of the nodes. */
  label = new Int32Array(16);
  held = new Uint8Array(16);
  /** 3 an entry. */
  f = new Float64Array(48);

  clear(): void {
    this.count = 0;
  }

  /** Adds scale · f[at…] on a node. */
  add(label: number, f: ArrayLike<number>, at: number, scale: number, isHeld: boolean): void {
    const n = this.count;
    this.#reserve(n + 1);
    this.label[n] = label;
    this.held[n] = isHeld ? 1 : 0;
    for (let k = 0; k < 3; k++) this.f[3 * n + k] = scale * f[at + k];
    this.count = n + 1;
  }

  copy(other: NodeForces): void {
    this.#reserve(other.count);
    this.count = other.count;
    for (let n = 0; n < other.count; n++) {
      this.label[n] = other.label[n];
      this.held[n] = other.held[n];
    }
    for (let k = 0; k < 3 * other.count; k++) this.f[k] = other.f[k];
  }

  /** Makes room for n entries. */
  #reserve(n: number): void {
    if (n <= this.label.length) return;
    const [{ label, held, f }, room] = [this, Math.max(n, 2 * this.label.length)];
    this.label = new Int32Array(room);
    this.held = new Uint8Array(room);
    this.f = new Float64Array(3 * room);
    this.label.set(label);
    this.held.set(held);
    this.f.set(f);
  }

  writeState(writer: StateWriter): void {
    writer.number(this.count);
    writer.array(this.label, this.count);
    writer.array(this.held, this.count);
    writer.array(this.f, 3 * this.count);
  }

  /** `most`: more entries than this are not of this scene. */
  readState(reader: StateReader, most: number): void {
    const count = reader.number();
    this.#reserve(Math.min(count, most));
    reader.array(this.label);
    reader.array(this.held);
    reader.array(this.f);
    this.count = count;
  }
}
