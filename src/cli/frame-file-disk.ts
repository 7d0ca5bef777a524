/**
 * A frame file on disk, read chunk by chunk: memory for one chunk at a time, however long the run.
 * The format and its checks are in src/io/frame-file.ts; here each chunk is given to it behind a file header.
 */

import { fstatSync, readSync } from 'node:fs';
import { type ChunkEntry, encodeHeader, scanChunks } from '../io/index.ts';
import { onFile, withFile } from './files.ts';

/** One valid chunk: `bytes` and `entry` are what the readers of src/io take. */
export interface DiskChunk {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly entry: ChunkEntry;
  /** The chunk alone, as it stands in the file. */
  readonly raw: Uint8Array<ArrayBuffer>;
  /** Offset in the file of the first byte after the chunk. */
  readonly end: number;
}

const CHUNK_HEADER_BYTES = 16;
const CRC_BYTES = 4;

/** Visits the valid chunks in order; stops at the first torn one. Returns the offset after the last valid chunk. */
export function visitChunks(path: string, visit: (chunk: DiskChunk) => void): number {
  return withFile(path, 'r', (descriptor) => onFile(path, () => visitOpen(descriptor, visit)));
}

function visitOpen(descriptor: number, visit: (chunk: DiskChunk) => void): number {
  const size = fstatSync(descriptor).size;
  const header = encodeHeader();
  // refuses what is no frame file, or one of another version
  const start = new Uint8Array(Math.min(size, header.length));
  readFully(descriptor, start, 0, 0);
  if (scanChunks(start).validBytes === 0) return 0;
  let offset = header.length;
  for (;;) {
    const length = readPayloadLength(descriptor, offset, size);
    if (length === undefined) return offset;
    const bytes = new Uint8Array(header.length + CHUNK_HEADER_BYTES + length + CRC_BYTES);
    bytes.set(header);
    readFully(descriptor, bytes, header.length, offset);
    const entry = scanChunks(bytes).entries[0];
    if (entry === undefined) return offset;
    offset += bytes.length - header.length;
    visit({ type: entry.type, bytes, entry, raw: bytes.subarray(header.length), end: offset });
  }
}

/** Payload length of the chunk at `offset`; undefined when the file ends before the chunk does. */
function readPayloadLength(descriptor: number, offset: number, size: number): number | undefined {
  const room = size - offset - CHUNK_HEADER_BYTES - CRC_BYTES;
  if (room < 0) return undefined;
  const head = new Uint8Array(CHUNK_HEADER_BYTES);
  readFully(descriptor, head, 0, offset);
  const length = new DataView(head.buffer).getBigUint64(8, true);
  return length > BigInt(room) ? undefined : Number(length);
}

function readFully(descriptor: number, target: Uint8Array, from: number, position: number): void {
  let filled = from;
  while (filled < target.length) {
    const count = readSync(descriptor, target, filled, target.length - filled, position + filled - from);
    if (count === 0) return;
    filled += count;
  }
}
