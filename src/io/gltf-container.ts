/**
 * The outside of a glTF 2.0 asset: GLB chunks or JSON text, buffers embedded as base64, accessors decoded to numbers.
 * Written here and not by a library because scenes are compiled without waiting, and because a hostile file must be refused
 * before its memory is taken: every count, offset and reference is checked before it is used.
 */
import { FormatError } from '../model/errors.ts';
import { MESH_LIMITS } from './mesh-file.ts';

const GLB_MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BINARY = 0x004e4942;

export type Json = Readonly<Record<string, unknown>>;

const COMPONENTS: Readonly<
  Record<number, { size: number; read: (view: DataView, at: number) => number; scale: number }>
> = {
  5120: { size: 1, read: (view, at) => view.getInt8(at), scale: 127 },
  5121: { size: 1, read: (view, at) => view.getUint8(at), scale: 255 },
  5122: { size: 2, read: (view, at) => view.getInt16(at, true), scale: 32767 },
  5123: { size: 2, read: (view, at) => view.getUint16(at, true), scale: 65535 },
  5125: { size: 4, read: (view, at) => view.getUint32(at, true), scale: 4294967295 },
  5126: { size: 4, read: (view, at) => view.getFloat32(at, true), scale: 1 },
};
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 } as const;

export type AccessorType = keyof typeof WIDTHS;

/** Numbers of all accessors together: many may stand for the same bytes. */
export const MOST_NUMBERS = 100_000_000;
/** Numbers that are looked at in all: poses may move the same vertices again and again, and a small file keep its reader busy for ever. */
export const MOST_LOOKS = 400_000_000;

/** A value of the file in a sentence; long and deep ones by their kind. */
export function describeJson(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(value).slice(0, 60);
}

export class GltfContainer {
  readonly source: string;
  readonly json: Json;
  readonly #binary: Uint8Array | undefined;
  readonly #buffers = new Map<number, Uint8Array>();
  readonly #size: number;
  readonly #accessors = new Map<string, Float64Array>();
  #numbers = 0;
  #looks = 0;

  constructor(bytes: Uint8Array, source: string) {
    this.source = source;
    this.#size = bytes.length;
    const { text, binary } = this.#split(bytes);
    this.#binary = binary;
    this.json = this.#parse(text);
    const asset = this.json.asset;
    const version = isRecord(asset) ? asset.version : undefined;
    if (typeof version !== 'string' || !/^2\./.test(version)) {
      this.fail(`the asset version is ${describeJson(version)}; only glTF 2.x is supported`);
    }
  }

  fail(message: string): never {
    throw new FormatError(`${this.source}: ${message}.`);
  }

  /** Counts numbers that are looked at; too many end reading. */
  spend(numbers: number): void {
    this.#looks += numbers;
    if (this.#looks > MOST_LOOKS)
      this.fail(
        `its nodes, channels and primitives need more than ${MOST_LOOKS} numbers, most of them repeated; export a simpler file`,
      );
  }

  #split(bytes: Uint8Array): { text: Uint8Array; binary: Uint8Array | undefined } {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 12 || view.getUint32(0, true) !== GLB_MAGIC) return { text: bytes, binary: undefined };
    if (view.getUint32(4, true) !== 2) this.fail(`the GLB version is ${view.getUint32(4, true)}; only 2 is supported`);
    const length = view.getUint32(8, true);
    if (length > bytes.length) this.fail(`the GLB header says ${length} bytes; the file ends after ${bytes.length}`);
    let text: Uint8Array | undefined;
    let binary: Uint8Array | undefined;
    for (let at = 12; at + 8 <= length; ) {
      const size = view.getUint32(at, true);
      const type = view.getUint32(at + 4, true);
      if (at + 8 + size > length) this.fail(`the chunk at byte ${at} has ${size} bytes; the file ends before that`);
      const chunk = bytes.subarray(at + 8, at + 8 + size);
      if (type === CHUNK_JSON) text ??= chunk;
      else if (type === CHUNK_BINARY) binary ??= chunk;
      at += 8 + Math.ceil(size / 4) * 4;
    }
    if (text === undefined) this.fail('the GLB file has no JSON chunk');
    return { text, binary };
  }

  #parse(text: Uint8Array): Json {
    let json: unknown;
    try {
      json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
    } catch (error) {
      const at = /position (\d+)/.exec(String(error))?.[1];
      this.fail(`this is neither GLB nor glTF: its JSON is broken${at ? ` at character ${Number(at) + 1}` : ''}`);
    }
    if (!isRecord(json)) this.fail('the JSON is not an object');
    return json;
  }

  /** The list under a top-level name; empty where there is none. */
  list(name: string): readonly unknown[] {
    const found = this.json[name] ?? [];
    if (!Array.isArray(found)) this.fail(`${name} must be a list`);
    return found;
  }

  /** Entry `index` of a top-level list. */
  entry(name: string, index: unknown): Json {
    const list = this.list(name);
    const found = Number.isInteger(index) ? list[index as number] : undefined;
    if (!isRecord(found))
      this.fail(
        typeof index === 'number'
          ? `${name}[${index}] is used, but the file has only ${list.length} of them`
          : `an index into ${name} is ${describeJson(index)}; it must be a whole number from 0 to ${list.length - 1}`,
      );
    return found;
  }

  /** A whole number of an object, between 0 and `most`. */
  whole(object: Json, key: string, most: number, standard?: number): number {
    const value = object[key] ?? standard;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
    this.fail(`${key} is ${describeJson(value)}; it must be a whole number from 0 to ${most}`);
  }

  #buffer(index: unknown): Uint8Array {
    const buffer = this.entry('buffers', index);
    const at = index as number;
    const known = this.#buffers.get(at);
    if (known) return known;
    const bytes = this.#readBuffer(buffer, at);
    this.#buffers.set(at, bytes);
    return bytes;
  }

  #readBuffer(buffer: Json, index: number): Uint8Array {
    const { uri } = buffer;
    if (uri === undefined) {
      if (index === 0 && this.#binary) return this.#binary;
      this.fail(`buffers[${index}] has no uri and there is no binary chunk for it`);
    }
    const match = typeof uri === 'string' ? /^data:[^,]{0,200};base64,/.exec(uri) : null;
    if (typeof uri !== 'string' || match === null) {
      this.fail(`buffers[${index}] is in another file (${describeJson(uri)}); export GLB or embed the buffers`);
    }
    try {
      return Uint8Array.from(atob(uri.slice(match[0].length)), (letter) => letter.charCodeAt(0));
    } catch {
      this.fail(`buffers[${index}] is not valid base64`);
    }
  }

  /** Bytes of a buffer view, and the distance between its elements if it gives one. */
  #view(index: unknown): { bytes: Uint8Array; stride: number | undefined } {
    const view = this.entry('bufferViews', index);
    const buffer = this.#buffer(view.buffer);
    const offset = this.whole(view, 'byteOffset', buffer.length, 0);
    const length = this.whole(view, 'byteLength', buffer.length);
    if (offset + length > buffer.length) {
      this.fail(`bufferViews[${String(index)}] reaches to byte ${offset + length}; its buffer has ${buffer.length}`);
    }
    const stride = view.byteStride === undefined ? undefined : this.whole(view, 'byteStride', 252);
    return { bytes: buffer.subarray(offset, offset + length), stride };
  }

  /** `count` elements of `width` numbers from a view. */
  #readElements(
    where: Json,
    layout: { count: number; width: number; component: number; offset: number; normalized: boolean },
  ): Float64Array {
    const { count, width, offset } = layout;
    const component = COMPONENTS[layout.component];
    if (component === undefined) this.fail(`componentType ${layout.component} is unknown`);
    const { bytes, stride } = this.#view(where.bufferView);
    const step = stride || width * component.size;
    if (count > 0 && offset + (count - 1) * step + width * component.size > bytes.length) {
      this.fail(`${count} elements do not fit into bufferViews[${String(where.bufferView)}] of ${bytes.length} bytes`);
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const out = new Float64Array(count * width);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < width; k++) {
        const raw = component.read(view, offset + i * step + k * component.size);
        out[i * width + k] = layout.normalized ? Math.max(raw / component.scale, -1) : raw;
      }
    }
    return out;
  }

  /** The numbers of an accessor, which must be of the given type; read once, and not to be changed. */
  accessor(index: unknown, type: AccessorType): Float64Array {
    const key = `${typeof index === 'number' ? index : '?'} ${type}`;
    const known = this.#accessors.get(key);
    if (known) return known;
    const read = this.#readAccessor(index, type);
    this.#accessors.set(key, read);
    return read;
  }

  #readAccessor(index: unknown, type: AccessorType): Float64Array {
    const accessor = this.entry('accessors', index);
    if (accessor.type !== type) {
      this.fail(`the type of accessors[${String(index)}] is ${describeJson(accessor.type)}; ${type} is needed here`);
    }
    const width = WIDTHS[type];
    const limit = type === 'SCALAR' ? MESH_LIMITS.corners : MESH_LIMITS.vertices;
    const count = this.whole(accessor, 'count', limit);
    const component = this.whole(accessor, 'componentType', 65535);
    const normalized = accessor.normalized === true && component !== 5126;
    const offset = this.whole(accessor, 'byteOffset', 2 ** 32, 0);
    // as many elements as others have, for which the file has bytes
    if (accessor.bufferView === undefined && count > this.#size)
      this.fail(`accessors[${String(index)}] has ${count} elements and no bytes, in a file of ${this.#size} bytes`);
    this.#numbers += count * width;
    if (this.#numbers > MOST_NUMBERS)
      this.fail(`its accessors have more than ${MOST_NUMBERS} numbers together; use a coarser mesh, or fewer keys`);
    const out =
      accessor.bufferView === undefined
        ? new Float64Array(count * width)
        : this.#readElements(accessor, { count, width, component, offset, normalized });
    if (accessor.sparse !== undefined) this.#applySparse(accessor.sparse, out, { width, component, normalized });
    return out;
  }

  #applySparse(
    sparse: unknown,
    out: Float64Array,
    layout: { width: number; component: number; normalized: boolean },
  ): void {
    if (!isRecord(sparse) || !isRecord(sparse.indices) || !isRecord(sparse.values)) {
      this.fail('a sparse accessor needs indices and values');
    }
    const { indices, values } = sparse;
    const count = this.whole(sparse, 'count', out.length / layout.width);
    const component = this.whole(indices, 'componentType', 65535);
    const start = (part: Json): number => this.whole(part, 'byteOffset', 2 ** 32, 0);
    const which = this.#readElements(indices, {
      count,
      width: 1,
      component,
      offset: start(indices),
      normalized: false,
    });
    const what = this.#readElements(values, { ...layout, count, offset: start(values) });
    for (let i = 0; i < count; i++) {
      if (!(which[i] >= 0 && Number.isInteger(which[i]) && which[i] * layout.width < out.length))
        this.fail(`a sparse accessor replaces element ${which[i]}, which does not exist`);
      for (let k = 0; k < layout.width; k++) out[which[i] * layout.width + k] = what[i * layout.width + k];
    }
  }
}

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
