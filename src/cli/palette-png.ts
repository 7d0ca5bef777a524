/**
 * PNG files of few colours, as small as pictures of scenes can be: read what Chromium writes, crop or halve it, choose colours, pack it.
 * Colours are chosen by median cut: the box of colours with the largest sum of squared deviations is cut until there are
 * enough boxes; each gives its mean.
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { encodePngChunk, PNG_SIGNATURE } from '../io/png.ts';

/** Red, green and blue of each pixel, 0…255, rows from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Pixels of a PNG with 8 bits a channel, RGB or RGBA, not interlaced; alpha is ignored. */
export function decodePng(bytes: Buffer): Picture {
  if (!bytes.subarray(0, 8).equals(Uint8Array.from(PNG_SIGNATURE))) throw new Error('This is no PNG file.');
  const parts: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const payload = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [payload.readUInt32BE(0), payload.readUInt32BE(4)];
      channels = payload[9] === 2 ? 3 : payload[9] === 6 ? 4 : 0;
      if (payload[8] !== 8 || channels === 0 || payload[12] !== 0) {
        throw new Error('Only PNG files with 8 bits a channel, RGB or RGBA, not interlaced, are read.');
      }
    }
    if (type === 'IDAT') parts.push(payload);
    at += 12 + length;
  }
  const lines = unfilter(inflateSync(Buffer.concat(parts)), width, height, channels);
  const rgb = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) for (let k = 0; k < 3; k++) rgb[3 * i + k] = lines[channels * i + k];
  return { width, height, rgb };
}

/** Undoes the filters of the scan lines (PNG specification §9). */
function unfilter(packed: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const row = width * channels;
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const filter = packed[y * (row + 1)];
    for (let i = 0; i < row; i++) {
      const left = i >= channels ? out[y * row + i - channels] : 0;
      const up = y > 0 ? out[(y - 1) * row + i] : 0;
      const corner = i >= channels && y > 0 ? out[(y - 1) * row + i - channels] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[y * row + i] = packed[y * (row + 1) + 1 + i] + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The part of a picture that starts `x` pixels from the left and `y` from the top. */
export function crop(picture: Picture, x: number, y: number, width: number, height: number): Picture {
  const rgb = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const start = 3 * ((y + row) * picture.width + x);
    rgb.set(picture.rgb.subarray(start, start + 3 * width), 3 * row * width);
  }
  return { width, height, rgb };
}

/** Pictures of one size in rows and columns. */
export function tile(rows: readonly (readonly Picture[])[]): Picture {
  const [[{ width: cellWidth, height: cellHeight }]] = rows;
  const [width, height] = [cellWidth * rows[0].length, cellHeight * rows.length];
  const rgb = new Uint8Array(3 * width * height);
  for (const [r, row] of rows.entries()) {
    for (const [c, cell] of row.entries()) {
      for (let y = 0; y < cellHeight; y++) {
        const line = cell.rgb.subarray(3 * y * cellWidth, 3 * (y + 1) * cellWidth);
        rgb.set(line, 3 * ((r * cellHeight + y) * width + c * cellWidth));
      }
    }
  }
  return { width, height, rgb };
}

/** The picture at half its size: each pixel the mean of four. */
export function halve({ width, height, rgb }: Picture): Picture {
  const [w, h] = [width >> 1, height >> 1];
  const half = new Uint8Array(3 * w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      for (let k = 0; k < 3; k++) {
        const at = (row: number, column: number) => rgb[3 * ((2 * y + row) * width + 2 * x + column) + k];
        half[3 * (y * w + x) + k] = Math.round((at(0, 0) + at(0, 1) + at(1, 0) + at(1, 1)) / 4);
      }
    }
  }
  return { width: w, height: h, rgb: half };
}

/** A PNG of at most `colours` palette colours (2 to 256). */
export function encodeFewColours({ width, height, rgb }: Picture, colours: number): Buffer {
  const counts = new Map<number, number>();
  for (let i = 0; i < rgb.length; i += 3) countColour(counts, packColour(rgb, i));
  const { palette, indexOf } = choosePalette(counts, colours);
  const bits = [1, 2, 4, 8].find((count) => palette.length <= 2 ** count)!;
  const row = Math.ceil((width * bits) / 8);
  const lines = Buffer.alloc(height * (row + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const index = indexOf.get(packColour(rgb, 3 * (y * width + x)))!;
      lines[y * (row + 1) + 1 + ((x * bits) >> 3)] |= index << (8 - bits - ((x * bits) & 7));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, 3], 8);
  return Buffer.concat([
    Uint8Array.from(PNG_SIGNATURE),
    encodePngChunk('IHDR', header),
    encodePngChunk('PLTE', Uint8Array.from(palette.flat())),
    encodePngChunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    encodePngChunk('IEND', new Uint8Array(0)),
  ]);
}

/** The colour of the pixel that begins at place `i`, as one number. */
export const packColour = (rgb: Uint8Array, i: number): number => (rgb[i] << 16) | (rgb[i + 1] << 8) | rgb[i + 2];

export function countColour(counts: Map<number, number>, colour: number): void {
  counts.set(colour, (counts.get(colour) ?? 0) + 1);
}

/** Colours of the palette, at most `most`, and the place in it for every colour that was counted. */
export function choosePalette(
  counts: ReadonlyMap<number, number>,
  most: number,
): { readonly palette: readonly (readonly number[])[]; readonly indexOf: ReadonlyMap<number, number> } {
  const boxes = [measureBox([...counts].map(([colour, count]) => ({ colour, count })))];
  while (boxes.length < most) {
    const widest = boxes.reduce((best, box, b) => (box.spread > boxes[best].spread ? b : best), 0);
    if (boxes[widest].entries.length < 2) break;
    boxes.splice(widest, 1, ...cutBox(boxes[widest]));
  }
  const indexOf = new Map<number, number>();
  for (const [index, { entries }] of boxes.entries()) for (const { colour } of entries) indexOf.set(colour, index);
  return { palette: boxes.map(({ mean }) => mean.map(Math.round)), indexOf };
}

/** A colour and how many pixels have it. */
interface ColourCount {
  readonly colour: number;
  readonly count: number;
}

interface ColourBox {
  readonly entries: readonly ColourCount[];
  readonly mean: readonly number[];
  readonly axis: number;
  readonly spread: number;
}

const channel = (colour: number, k: number): number => (colour >> (16 - 8 * k)) & 255;

/** Mean colour of a box, the channel along which it is longest, and the sum of squared deviations along that. */
function measureBox(entries: readonly ColourCount[]): ColourBox {
  const total = entries.reduce((sum, { count }) => sum + count, 0);
  const mean = [0, 1, 2].map(
    (k) => entries.reduce((sum, { colour, count }) => sum + count * channel(colour, k), 0) / total,
  );
  const spreads = mean.map((middle, k) =>
    entries.reduce((sum, { colour, count }) => sum + count * (channel(colour, k) - middle) ** 2, 0),
  );
  const axis = spreads.indexOf(Math.max(...spreads));
  return { entries, mean, axis, spread: spreads[axis] };
}

/** Two boxes: the colours below the mean and those above it. */
function cutBox({ entries, mean, axis }: ColourBox): [ColourBox, ColourBox] {
  const low = entries.filter(({ colour }) => channel(colour, axis) <= mean[axis]);
  const high = entries.filter(({ colour }) => channel(colour, axis) > mean[axis]);
  if (high.length > 0) return [measureBox(low), measureBox(high)];
  return [measureBox(low.slice(0, 1)), measureBox(low.slice(1))];
}
