/**
 * Little-endian numbers and length-prefixed UTF-8 text, written to and read from bytes in order. Nothing needs to be
 * aligned. The reader never allocates more than the bytes it is given can hold, whatever the counts in them say.
 */
import { FormatError } from '../model/errors.ts';

/** Whether numbers lie in memory as they are written: then arrays of them are copied at once. */
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  /** `room`: bytes that will be written, about; it grows beyond them. */
  constructor(room = 256) {
    this.#bytes = new Uint8Array(room);
    this.#view = new DataView(this.#bytes.buffer);
  }

  uint32(value: number): void {
    const at = this.#advance(4);
    this.#view.setUint32(at, value, true);
  }

  float64(value: number): void {
    const at = this.#advance(8);
    this.#view.setFloat64(at, value, true);
  }

  /** The values alone, without their number; 32-bit when `single`. */
  floats(values: ArrayLike<number>, single: boolean): void {
    const at = this.#advance(values.length * (single ? 4 : 8));
    const view = this.#view;
    if (!single && IS_LITTLE_ENDIAN && values instanceof Float64Array)
      this.#bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    else if (single) for (let i = 0; i < values.length; i++) view.setFloat32(at + 4 * i, values[i], true);
    else for (let i = 0; i < values.length; i++) view.setFloat64(at + 8 * i, values[i], true);
  }

  /** The whole numbers ≥ 0 alone, without their number, as u32. */
  indices(values: ArrayLike<number>): void {
    const at = this.#advance(4 * values.length);
    for (let i = 0; i < values.length; i++) this.#view.setUint32(at + 4 * i, values[i], true);
  }

  /** The bytes alone, without their number. */
  bytes(values: Uint8Array): void {
    const at = this.#advance(values.length);
    this.#bytes.set(values, at);
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value);
    this.uint32(encoded.length);
    this.bytes(encoded);
  }

  /** What was written, as a view that the next write makes stale. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  #advance(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, at));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #where: string;
  #offset = 0;

  /** `where` starts the sentence of every error. */
  constructor(bytes: Uint8Array, offset: number, length: number, where: string) {
    this.#where = where;
    this.#bytes = bytes.subarray(offset, offset + length);
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    if (this.#bytes.length !== length) this.fail(`should have ${length} bytes and has ${this.#bytes.length}`);
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  uint32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  float64(): number {
    return this.#view.getFloat64(this.#advance(8), true);
  }

  /** A number of things of at least `bytesEach` bytes that follow; checked before anyone makes room for them. */
  count(bytesEach: number): number {
    const count = this.uint32();
    if (count * bytesEach > this.remaining) this.fail(`announces ${count} entries, which do not fit`);
    return count;
  }

  floats(count: number, single: boolean): Float64Array<ArrayBuffer> {
    const at = this.#advance(count * (single ? 4 : 8));
    const values = new Float64Array(count);
    const view = this.#view;
    if (!single && IS_LITTLE_ENDIAN)
      new Uint8Array(values.buffer).set(this.#bytes.subarray(at, at + values.byteLength));
    else if (single) for (let i = 0; i < count; i++) values[i] = view.getFloat32(at + 4 * i, true);
    else for (let i = 0; i < count; i++) values[i] = view.getFloat64(at + 8 * i, true);
    return values;
  }

  /** `count` indices of things of which there are `size`; others end reading. */
  indices(count: number, size: number): Int32Array<ArrayBuffer> {
    const at = this.#advance(4 * count);
    const values = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const value = this.#view.getUint32(at + 4 * i, true);
      if (value >= size) this.fail(`refers to entry ${value} of ${size}`);
      values[i] = value;
    }
    return values;
  }

  bytes(count: number): Uint8Array<ArrayBuffer> {
    const at = this.#advance(count);
    const values = new Uint8Array(count);
    values.set(this.#bytes.subarray(at, at + count));
    return values;
  }

  text(): string {
    return new TextDecoder().decode(this.bytes(this.count(1)));
  }

  /** Ends reading with one sentence. */
  fail(problem: string): never {
    throw new FormatError(
      `${this.#where} ${problem}; the file is damaged or was written by another version of Heddle.`,
    );
  }

  #advance(count: number): number {
    const at = this.#offset;
    if (count > this.remaining) this.fail(`ends ${count - this.remaining} bytes too early`);
    this.#offset += count;
    return at;
  }
}
