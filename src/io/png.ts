/**
 * A PNG of palette colours (colour type 3, 8 bits an index), for small textures embedded in other files.
 * The zlib stream uses stored blocks only: no compression, no dependency, the same bytes everywhere.
 */
import { computeCrc32 } from './crc32.ts';

export const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const LARGEST_STORED_BLOCK = 65535;

/** Red, green, blue, 0…255 each. */
export type PaletteColour = readonly [number, number, number];

/** PNG bytes of a `width` × `height` picture; `indices` names a palette colour per pixel, rows from the top. */
export function encodePalettePng(
  width: number,
  height: number,
  palette: readonly PaletteColour[],
  indices: Uint8Array,
): Uint8Array<ArrayBuffer> {
  if (indices.length !== width * height) {
    throw new RangeError(`encodePalettePng got ${indices.length} indices for ${width} × ${height} pixels.`);
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 3], 8);

  // each scan line starts with its filter type: 0, none
  const lines = new Uint8Array(height * (width + 1));
  for (let y = 0; y < height; y++) lines.set(indices.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);

  return concatenateBytes([
    Uint8Array.from(PNG_SIGNATURE),
    encodePngChunk('IHDR', header),
    encodePngChunk('PLTE', Uint8Array.from(palette.flat())),
    encodePngChunk('IDAT', encodeStoredZlib(lines)),
    encodePngChunk('IEND', new Uint8Array(0)),
  ]);
}

/** Two by two checks of `first` and `second`, `pixels` a side each. */
export function encodeCheckerboardPng(
  first: PaletteColour,
  second: PaletteColour,
  pixels: number,
): Uint8Array<ArrayBuffer> {
  const side = 2 * pixels;
  const indices = new Uint8Array(side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) indices[y * side + x] = x < pixels === y < pixels ? 0 : 1;
  }
  return encodePalettePng(side, side, [first, second], indices);
}

/** One array with all parts in order. */
export function concatenateBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** Length, type, payload and checksum (PNG specification §5.3). */
export function encodePngChunk(type: string, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(payload.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, payload.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(payload, 8);
  view.setUint32(8 + payload.length, computeCrc32(bytes, 4, 8 + payload.length));
  return bytes;
}

/** zlib stream (RFC 1950) of stored deflate blocks (RFC 1951 §3.2.4). */
function encodeStoredZlib(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let start = 0; start < bytes.length; start += LARGEST_STORED_BLOCK) {
    const block = bytes.subarray(start, start + LARGEST_STORED_BLOCK);
    const last = start + block.length === bytes.length ? 1 : 0;
    const length = block.length;
    parts.push(Uint8Array.of(last, length & 255, length >>> 8, ~length & 255, (~length >>> 8) & 255), block);
  }
  // Adler-32: two sums modulo 65521, big-endian at the end
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  parts.push(Uint8Array.of(high >>> 8, high & 255, low >>> 8, low & 255));
  return concatenateBytes(parts);
}
