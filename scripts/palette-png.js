// PNG files as small as pictures of scenes can be: read what Chromium writes, halve it, choose few colours, pack it.
// Colours are chosen by median cut: the box of colours with the largest sum of squared deviations is cut until there are
// enough boxes; each gives its mean. Uses only what Node itself brings.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Pixels of a PNG with 8 bits a channel, RGB or RGBA, not interlaced: { width, height, rgb }; alpha is ignored. */
export function decodePng(bytes) {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) throw new Error('This is no PNG file.');
  const parts = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const payload = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [payload.readUInt32BE(0), payload.readUInt32BE(4)];
      channels = { 2: 3, 6: 4 }[payload[9]] ?? 0;
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
function unfilter(packed, width, height, channels) {
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

function paeth(left, up, corner) {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The part of a picture that starts `x` pixels from the left and `y` from the top. */
export function crop(picture, x, y, width, height) {
  const rgb = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const start = 3 * ((y + row) * picture.width + x);
    rgb.set(picture.rgb.subarray(start, start + 3 * width), 3 * row * width);
  }
  return { width, height, rgb };
}

/** The picture at half its size: each pixel the mean of four. */
export function halve({ width, height, rgb }) {
  const [w, h] = [width >> 1, height >> 1];
  const half = new Uint8Array(3 * w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      for (let k = 0; k < 3; k++) {
        const at = (row, column) => rgb[3 * ((2 * y + row) * width + 2 * x + column) + k];
        half[3 * (y * w + x) + k] = Math.round((at(0, 0) + at(0, 1) + at(1, 0) + at(1, 1)) / 4);
      }
    }
  }
  return { width: w, height: h, rgb: half };
}

/** A PNG of at most `colours` palette colours (2 to 256). */
export function encodeFewColours({ width, height, rgb }, colours) {
  const { palette, indexOf } = choosePalette(rgb, colours);
  const bits = [1, 2, 4, 8].find((count) => palette.length <= 2 ** count);
  const row = Math.ceil((width * bits) / 8);
  const lines = Buffer.alloc(height * (row + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = 3 * (y * width + x);
      const index = indexOf.get((rgb[i] << 16) | (rgb[i + 1] << 8) | rgb[i + 2]);
      lines[y * (row + 1) + 1 + ((x * bits) >> 3)] |= index << (8 - bits - ((x * bits) & 7));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, 3], 8);
  return Buffer.concat([
    SIGNATURE,
    encodeChunk('IHDR', header),
    encodeChunk('PLTE', Buffer.from(palette.flat())),
    encodeChunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    encodeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function encodeChunk(type, payload) {
  const chunk = Buffer.alloc(payload.length + 12);
  chunk.writeUInt32BE(payload.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(payload, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + payload.length)), 8 + payload.length);
  return chunk;
}

/** Colours of the palette, and the place in it for every colour of the picture. */
function choosePalette(rgb, most) {
  const counts = new Map();
  for (let i = 0; i < rgb.length; i += 3) {
    const colour = (rgb[i] << 16) | (rgb[i + 1] << 8) | rgb[i + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const boxes = [measureBox([...counts].map(([colour, count]) => ({ colour, count })))];
  while (boxes.length < most) {
    const widest = boxes.reduce((best, box, b) => (box.spread > boxes[best].spread ? b : best), 0);
    if (boxes[widest].entries.length < 2) break;
    boxes.splice(widest, 1, ...cutBox(boxes[widest]));
  }
  const indexOf = new Map();
  for (const [index, { entries }] of boxes.entries()) for (const { colour } of entries) indexOf.set(colour, index);
  return { palette: boxes.map(({ mean }) => mean.map(Math.round)), indexOf };
}

const channel = (colour, k) => (colour >> (16 - 8 * k)) & 255;

/** Mean colour of a box, the channel along which it is longest, and the sum of squared deviations along that. */
function measureBox(entries) {
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
function cutBox({ entries, mean, axis }) {
  const low = entries.filter(({ colour }) => channel(colour, axis) <= mean[axis]);
  const high = entries.filter(({ colour }) => channel(colour, axis) > mean[axis]);
  if (high.length > 0) return [measureBox(low), measureBox(high)];
  return [measureBox(low.slice(0, 1)), measureBox(low.slice(1))];
}
