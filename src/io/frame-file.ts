/**
 * Heddle's own file: a run as it was recorded, appended to while it runs and readable after a crash.
 *
 *   header   magic 0x89 "HEDDLE" 0x0A (8 bytes), version u32, reserved u32 = 0
 *   chunk    type 4 ASCII letters, flags u32, payload length u64, payload, CRC-32 u32 of all of the chunk before it
 *
 * All numbers are little-endian. A chunk counts only when all of it is there and its CRC agrees; the first chunk that
 * does not count ends the file. So a torn tail costs the torn chunk alone, and a run resumes by cutting the file at
 * `validBytes` (or at the end of the last checkpoint) and appending.
 *
 *   SCEN  scene text, meta JSON     FRAM  one Frame (frame-payload.ts)     PROB  column names (flag 1) or rows
 *   CKPT  step, time, World bytes   DONE  summary JSON                     other types are kept and left alone
 */
import { FormatError } from '../model/errors.ts';
import type { Frame } from '../model/frame.ts';
import { ByteReader, ByteWriter } from './byte-stream.ts';
import { computeCrc32 } from './crc32.ts';
import type { ProbeTable } from './csv.ts';
import { readFramePayload, writeFramePayload } from './frame-payload.ts';

export const FRAME_FILE_VERSION = 1;

const MAGIC = Uint8Array.of(0x89, 0x48, 0x45, 0x44, 0x44, 0x4c, 0x45, 0x0a);
const HEADER_BYTES = 16;
const CHUNK_HEADER_BYTES = 16;
const CRC_BYTES = 4;

const FLAG_FLOAT32 = 1;
const FLAG_COLUMNS = 1;

/** Where a valid chunk is in the file. */
export interface ChunkEntry {
  /** SCEN, FRAM, PROB, CKPT, DONE, or one this version does not know. */
  readonly type: string;
  readonly flags: number;
  /** Payload: first byte and number of bytes. */
  readonly offset: number;
  readonly length: number;
  /** Offset of the first byte after the chunk. */
  readonly end: number;
}

export interface ChunkIndex {
  readonly version: number;
  readonly entries: readonly ChunkEntry[];
  /** Offset after the last valid chunk: everything from here on is torn. 0 when even the header is incomplete. */
  readonly validBytes: number;
  /** Whether bytes follow `validBytes` (or the header is incomplete). */
  readonly torn: boolean;
}

/** World bytes with the moment they belong to. */
export interface Checkpoint {
  readonly step: number;
  readonly time: number;
  readonly state: Uint8Array<ArrayBuffer>;
}

// --- writing: each function gives the bytes to append ---

/** The first bytes of a frame file. */
export function encodeHeader(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES);
  bytes.set(MAGIC);
  new DataView(bytes.buffer).setUint32(8, FRAME_FILE_VERSION, true);
  return bytes;
}

/** A whole chunk around a payload. */
export function encodeChunk(type: string, payload: Uint8Array, flags = 0): Uint8Array<ArrayBuffer> {
  if (!/^[A-Z]{4}$/.test(type)) throw new RangeError(`A chunk type is "${type}"; it must be four letters A to Z.`);
  const bytes = new Uint8Array(CHUNK_HEADER_BYTES + payload.length + CRC_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < 4; i++) bytes[i] = type.charCodeAt(i);
  view.setUint32(4, flags, true);
  view.setBigUint64(8, BigInt(payload.length), true);
  bytes.set(payload, CHUNK_HEADER_BYTES);
  const end = CHUNK_HEADER_BYTES + payload.length;
  view.setUint32(end, computeCrc32(bytes, 0, end), true);
  return bytes;
}

/** SCEN: the scene's text and anything worth knowing about the run, as JSON. */
export function encodeScene(text: string, meta: Readonly<Record<string, unknown>> = {}): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.text(text);
  writer.text(JSON.stringify(meta));
  return encodeChunk('SCEN', writer.finish());
}

/** FRAM: one frame, exact with 64-bit numbers (default), half the size with 32-bit ones. */
export function encodeFrame(
  frame: Frame,
  options: { readonly precision?: 'float64' | 'float32' } = {},
): Uint8Array<ArrayBuffer> {
  const single = options.precision === 'float32';
  const writer = new ByteWriter();
  writeFramePayload(frame, single, writer);
  return encodeChunk('FRAM', writer.finish(), single ? FLAG_FLOAT32 : 0);
}

/** PROB: the column names, once, before any rows. */
export function encodeProbeColumns(columns: readonly string[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.uint32(columns.length);
  for (const name of columns) writer.text(name);
  return encodeChunk('PROB', writer.finish(), FLAG_COLUMNS);
}

/** PROB: one or more rows of values. */
export function encodeProbeRows(rows: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const columns = rows.length === 0 ? 0 : rows[0].length;
  const writer = new ByteWriter();
  writer.uint32(rows.length);
  writer.uint32(columns);
  for (const row of rows) {
    if (row.length !== columns)
      throw new RangeError(
        `A chunk has probe rows of ${columns} and of ${row.length} values; all rows need the same length.`,
      );
    writer.floats(row, false);
  }
  return encodeChunk('PROB', writer.finish());
}

/** CKPT: the bytes of `World.save` with their moment. */
export function encodeCheckpoint(checkpoint: {
  step: number;
  time: number;
  state: Uint8Array;
}): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.float64(checkpoint.step);
  writer.float64(checkpoint.time);
  writer.bytes(checkpoint.state);
  return encodeChunk('CKPT', writer.finish());
}

/** DONE: the run ended by itself; its summary. */
export function encodeSummary(summary: unknown): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.text(JSON.stringify(summary) ?? 'null');
  return encodeChunk('DONE', writer.finish());
}

// --- reading ---

/** Finds all chunks up to the first that is incomplete or damaged. Throws only for what is no frame file at all. */
export function scanChunks(bytes: Uint8Array): ChunkIndex {
  for (let i = 0; i < Math.min(bytes.length, MAGIC.length); i++) {
    if (bytes[i] !== MAGIC[i]) {
      throw new FormatError(
        `This is not a Heddle frame file: byte ${i} is 0x${bytes[i].toString(16).padStart(2, '0')} instead of 0x${MAGIC[i].toString(16).padStart(2, '0')}; open the run.heddle of a run folder.`,
      );
    }
  }
  if (bytes.length < HEADER_BYTES) {
    return { version: FRAME_FILE_VERSION, entries: [], validBytes: 0, torn: true };
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== FRAME_FILE_VERSION) {
    throw new FormatError(
      `The frame file has version ${version}; this Heddle reads version ${FRAME_FILE_VERSION}. Read it with the Heddle that wrote it.`,
    );
  }
  const entries: ChunkEntry[] = [];
  let validBytes = HEADER_BYTES;
  for (let entry = readEntry(bytes, view, validBytes); entry; entry = readEntry(bytes, view, validBytes)) {
    entries.push(entry);
    validBytes = entry.end;
  }
  return { version, entries, validBytes, torn: validBytes < bytes.length };
}

/** The chunk at `start`, or undefined when it is incomplete or damaged. */
function readEntry(bytes: Uint8Array, view: DataView, start: number): ChunkEntry | undefined {
  const room = bytes.length - start - CHUNK_HEADER_BYTES - CRC_BYTES;
  if (room < 0) return undefined;
  const long = view.getBigUint64(start + 8, true);
  if (long > BigInt(room)) return undefined;
  const length = Number(long);
  const offset = start + CHUNK_HEADER_BYTES;
  if (computeCrc32(bytes, start, offset + length) !== view.getUint32(offset + length, true)) return undefined;
  const type = String.fromCharCode(bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]);
  return { type, flags: view.getUint32(start + 4, true), offset, length, end: offset + length + CRC_BYTES };
}

/** The last chunk of a type, for instance the checkpoint to resume from. */
export function findLastChunk(index: ChunkIndex, type: string): ChunkEntry | undefined {
  return index.entries.findLast((entry) => entry.type === type);
}

export function readScene(bytes: Uint8Array, entry: ChunkEntry): { text: string; meta: Record<string, unknown> } {
  const reader = openPayload(bytes, entry, 'SCEN');
  return { text: reader.text(), meta: parseJson(reader) as Record<string, unknown> };
}

/** The frame of a FRAM chunk, in arrays of its own. */
export function readFrame(bytes: Uint8Array, entry: ChunkEntry): Frame {
  return readFramePayload(openPayload(bytes, entry, 'FRAM'), (entry.flags & FLAG_FLOAT32) !== 0);
}

/** All probe rows of the file under their column names; no columns when the run has no probes. */
export function readProbes(bytes: Uint8Array, index: ChunkIndex): ProbeTable {
  let columns: string[] = [];
  const rows: Float64Array[] = [];
  for (const entry of index.entries) {
    if (entry.type !== 'PROB') continue;
    const reader = openPayload(bytes, entry, 'PROB');
    if ((entry.flags & FLAG_COLUMNS) !== 0) {
      columns = Array.from({ length: reader.count(4) }, () => reader.text());
      continue;
    }
    const rowCount = reader.uint32();
    const columnCount = reader.uint32();
    if (columnCount !== columns.length && rowCount > 0) {
      reader.fail(`has rows of ${columnCount} values for ${columns.length} columns`);
    }
    if (8 * rowCount * columnCount !== reader.remaining || (columnCount === 0 && rowCount > 0)) {
      reader.fail(`announces ${rowCount} rows of ${columnCount} values in ${reader.remaining} bytes`);
    }
    for (let r = 0; r < rowCount; r++) rows.push(reader.floats(columnCount, false));
  }
  return { columns, rows };
}

export function readCheckpoint(bytes: Uint8Array, entry: ChunkEntry): Checkpoint {
  const reader = openPayload(bytes, entry, 'CKPT');
  return { step: reader.float64(), time: reader.float64(), state: reader.bytes(reader.remaining) };
}

export function readSummary(bytes: Uint8Array, entry: ChunkEntry): unknown {
  return parseJson(openPayload(bytes, entry, 'DONE'));
}

function openPayload(bytes: Uint8Array, entry: ChunkEntry, type: string): ByteReader {
  if (entry.type !== type) throw new FormatError(`A ${entry.type} chunk was read where a ${type} chunk is needed.`);
  return new ByteReader(
    bytes,
    entry.offset,
    entry.length,
    `The ${type} chunk at byte ${entry.offset} of the frame file`,
  );
}

function parseJson(reader: ByteReader): unknown {
  const text = reader.text();
  try {
    return JSON.parse(text);
  } catch {
    return reader.fail('contains text that is not JSON');
  }
}
