/**
 * State as bytes: what a snapshot, a checkpoint and the state hash are made of. Little endian, exact.
 */
import { HeddleError } from './errors.ts';

export class StateWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  /** `size`: bytes that the state will have, if known: then nothing is copied twice. */
  constructor(size = 1024) {
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
  }

  number(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** The first `count` entries, preceded by their number. */
  array(values: Float64Array | Int32Array | Uint8Array, count = values.length): void {
    this.number(count);
    const bytes = new Uint8Array(values.buffer, values.byteOffset, count * values.BYTES_PER_ELEMENT);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  finish(): Uint8Array {
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + more));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

export class StateReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  number(): number {
    this.#check(8);
    const value = this.#view.getFloat64(this.#at, true);
    this.#at += 8;
    return value;
  }

  /** Fills the front of `values`; returns how many entries were stored. */
  array(values: Float64Array | Int32Array | Uint8Array): number {
    const count = this.number();
    if (!(Number.isInteger(count) && count >= 0 && count <= values.length))
      throw new HeddleError(
        `The saved state has ${count} entries where at most ${values.length} fit; it belongs to another scene: save it again from this one.`,
      );
    const size = count * values.BYTES_PER_ELEMENT;
    this.#check(size);
    new Uint8Array(values.buffer, values.byteOffset, size).set(this.#bytes.subarray(this.#at, this.#at + size));
    this.#at += size;
    return count;
  }

  /** An array of doubles, however long it is. */
  numbers(): Float64Array<ArrayBuffer> {
    const count = this.number();
    if (!Number.isInteger(count) || count < 0) this.#fail(`has ${count} numbers`);
    this.#check(8 * count);
    const values = new Float64Array(count);
    for (let k = 0; k < count; k++) values[k] = this.#view.getFloat64(this.#at + 8 * k, true);
    this.#at += 8 * count;
    return values;
  }

  /** Text that was written as its number of bytes and their array, in UTF-8. */
  text(): string {
    const size = this.number();
    if (!Number.isInteger(size) || size < 0) this.#fail(`has a text of ${size} bytes`);
    this.#check(8 + size);
    const bytes = new Uint8Array(size);
    this.array(bytes);
    return new TextDecoder().decode(bytes);
  }

  /** A value of JSON that was written as text. */
  json(): unknown {
    const text = this.text();
    try {
      return JSON.parse(text);
    } catch {
      return this.#fail('contains text that is not JSON');
    }
  }

  #fail(problem: string): never {
    throw new HeddleError(`The saved state ${problem}; it is damaged or belongs to another scene.`);
  }

  finish(): void {
    if (this.#at !== this.#bytes.length)
      throw new HeddleError(
        `The saved state has ${this.#bytes.length - this.#at} bytes too many; it belongs to another scene: save it again from this one.`,
      );
  }

  #check(size: number): void {
    if (this.#at + size > this.#bytes.length)
      throw new HeddleError(
        `The saved state ends after ${this.#bytes.length} bytes, in the middle of a value; it is cut off or belongs to another scene.`,
      );
  }
}

/** 64-bit hash of bytes as 16 hex digits: two lanes of multiply–xor–rotate over 32-bit words. */
export function hashBytes(bytes: Uint8Array): string {
  const words = bytes.length >> 2;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let a = 0x9e3779b9 ^ bytes.length;
  let b = 0x85ebca6b;
  for (let i = 0; i < words; i++) {
    const word = view.getInt32(4 * i, true);
    a = Math.imul(a ^ word, 0xcc9e2d51);
    a = (a << 15) | (a >>> 17);
    b = Math.imul(b + word, 0x1b873593) ^ a;
    b = (b << 13) | (b >>> 19);
  }
  for (let i = 4 * words; i < bytes.length; i++) a = Math.imul(a ^ bytes[i], 0xcc9e2d51);
  a ^= b >>> 16;
  a = Math.imul(a, 0x85ebca6b);
  b = Math.imul(b ^ (a >>> 13), 0xc2b2ae35);
  const hex = (n: number) => (n >>> 0).toString(16).padStart(8, '0');
  return hex(a ^ (b >>> 15)) + hex(b ^ (a >>> 16));
}
