/** Reads animated PNG files of palette colours as a browser shows them: every frame laid over what is there. */
import { inflateSync } from 'node:zlib';
import { computeCrc32 } from '../../src/io/crc32.ts';

export interface ShownFrame {
  /** Red, green, blue of each pixel of the whole picture. */
  readonly rgb: Uint8Array;
  /** How long it is shown [s]. */
  readonly delay: number;
  /** Pixels of the part that was written for it. */
  readonly pixels: number;
}

export interface AnimatedPng {
  readonly width: number;
  readonly height: number;
  /** Times it is played; 0 without end. */
  readonly plays: number;
  readonly colours: number;
  readonly frames: readonly ShownFrame[];
}

function* readChunks(bytes: Buffer): Generator<{ type: string; payload: Buffer }> {
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.readUInt32BE(at + 8 + length) !== computeCrc32(bytes, at + 4, at + 8 + length)) {
      throw new Error(`The chunk at ${at} has a wrong checksum.`);
    }
    yield { type: bytes.toString('latin1', at + 4, at + 8), payload: bytes.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

export function readAnimatedPng(bytes: Buffer): AnimatedPng {
  const chunks = [...readChunks(bytes)];
  const find = (type: string) => chunks.find((chunk) => chunk.type === type)!.payload;
  const [header, control, palette, alpha] = ['IHDR', 'acTL', 'PLTE', 'tRNS'].map(find);
  if (header[8] !== 8 || header[9] !== 3) throw new Error('The picture has no palette of 8 bits.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const frames: ShownFrame[] = [];
  const canvas = new Uint8Array(3 * width * height);
  let place: Buffer | undefined;
  let sequence = 0;
  for (const { type, payload } of chunks) {
    if (type === 'fcTL' || type === 'fdAT') {
      if (payload.readUInt32BE(0) !== sequence++) throw new Error(`${type} is out of its order.`);
    }
    if (type === 'fcTL') place = payload;
    if (type !== 'IDAT' && type !== 'fdAT') continue;
    const [w, h, left, top] = [4, 8, 12, 16].map((at) => place!.readUInt32BE(at));
    if (left + w > width || top + h > height) throw new Error('A frame reaches beyond the picture.');
    const lines = inflateSync(type === 'IDAT' ? payload : payload.subarray(4));
    if (lines.length !== h * (w + 1)) throw new Error(`A frame of ${w} × ${h} pixels has ${lines.length} bytes.`);
    for (let i = 0; i < w * h; i++) {
      const [x, y] = [i % w, Math.floor(i / w)];
      const index = lines[y * (w + 1) + 1 + x];
      const at = 3 * ((top + y) * width + left + x);
      if ((alpha[index] ?? 255) === 255) canvas.set(palette.subarray(3 * index, 3 * index + 3), at);
    }
    const delay = place!.readUInt16BE(20) / place!.readUInt16BE(22);
    frames.push({ rgb: canvas.slice(), delay, pixels: w * h });
  }
  if (frames.length !== control.readUInt32BE(0)) throw new Error('The number of frames is not that of the header.');
  return { width, height, plays: control.readUInt32BE(4), colours: palette.length / 3 - 1, frames };
}
