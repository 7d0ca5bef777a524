import { inflateSync } from 'node:zlib';
import { encodePalettePng, type PaletteColour } from 'heddle/io';
import { expect, test } from 'vitest';

/** CRC-32 bit by bit, as ISO 3309 defines it; its check value is tested below. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function readChunks(png: Uint8Array): Map<string, Uint8Array> {
  const chunks = new Map<string, Uint8Array>();
  const view = new DataView(png.buffer, png.byteOffset);
  for (let at = 8; at < png.length; ) {
    const length = view.getUint32(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(view.getUint32(at + 8 + length)).toBe(crc32(body));
    chunks.set(String.fromCharCode(...body.subarray(0, 4)), body.subarray(4));
    at += 12 + length;
  }
  return chunks;
}

test('the CRC used to check has its published check value', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
});

// 400 × 300 needs two stored blocks, and its sums pass the modulus of Adler-32, which inflate checks
test.each([
  [1, 1],
  [32, 32],
  [400, 300],
])('a PNG of %s × %s pixels reads back', (width, height) => {
  const palette = Array.from({ length: 256 }, (_, i): PaletteColour => [i, 255 - i, (7 * i) & 255]);
  const indices = Uint8Array.from({ length: width * height }, (_, i) => (i * 31 + (i >> 5)) & 255);
  const png = encodePalettePng(width, height, palette, indices);
  expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const chunks = readChunks(png);
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR')!;
  expect(new DataView(header.buffer, header.byteOffset).getUint32(0)).toBe(width);
  expect(new DataView(header.buffer, header.byteOffset).getUint32(4)).toBe(height);
  expect([...header.subarray(8)]).toEqual([8, 3, 0, 0, 0]);
  expect([...chunks.get('PLTE')!]).toEqual(palette.flat());
  const lines = inflateSync(chunks.get('IDAT')!);
  expect(lines.length).toBe(height * (width + 1));
  for (let y = 0; y < height; y++) {
    expect(lines[y * (width + 1)]).toBe(0);
    const line = Uint8Array.from(lines.subarray(y * (width + 1) + 1, (y + 1) * (width + 1)));
    expect(line).toEqual(indices.slice(y * width, (y + 1) * width));
  }
});

test('a wrong number of pixels is refused', () => {
  expect(() => encodePalettePng(2, 2, [[0, 0, 0]], new Uint8Array(3))).toThrow(/3 indices for 2 × 2 pixels/);
});
