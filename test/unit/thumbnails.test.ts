/** The thumbnails of the studio's gallery, and the small PNG files they are. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { crop, decodePng, encodeFewColours, halve } from '../../src/cli/palette-png.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const thumbnails = join(root, 'studio/public/thumbnails');

/** Header and chunks of a PNG file. */
function readChunks(bytes: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return chunks;
}

/** Colours of a palette PNG, 3 a pixel. */
function readPalettePng(bytes: Buffer): { width: number; height: number; rgb: number[] } {
  const chunks = readChunks(bytes);
  const header = chunks.get('IHDR')!;
  const [width, height, bits, type] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8], header[9]];
  expect(type).toBe(3);
  const palette = chunks.get('PLTE')!;
  const lines = inflateSync(chunks.get('IDAT')!);
  const row = Math.ceil((width * bits) / 8) + 1;
  const rgb = new Array<number>(3 * width * height);
  for (let y = 0; y < height; y++) {
    if (lines[y * row] !== 0) throw new Error(`Line ${y} has a filter.`);
    for (let x = 0; x < width; x++) {
      const byte = lines[y * row + 1 + ((x * bits) >> 3)];
      const index = (byte >> (8 - bits - ((x * bits) & 7))) & (2 ** bits - 1);
      for (let k = 0; k < 3; k++) rgb[3 * (y * width + x) + k] = palette[3 * index + k];
    }
  }
  return { width, height, rgb };
}

test('every scene of the gallery has a thumbnail of 480 × 300 pixels below 25 kB that shows something', {
  tags: 'long',
}, () => {
  const names = (folder: string, extension: string) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith(extension))
      .map((file) => basename(file, extension));
  const scenes = names('scenes', '.json');
  expect(scenes.length).toBeGreaterThan(20);
  expect(names('studio/public/thumbnails', '.png')).toEqual(scenes);
  for (const name of scenes) {
    const bytes = readFileSync(join(thumbnails, `${name}.png`));
    expect(bytes.length, name).toBeLessThan(25_000);
    const { width, height, rgb } = readPalettePng(bytes);
    expect([width, height], name).toEqual([480, 300]);
    // strands and bodies differ from the background, whose colour is that of the first pixel
    let distant = 0;
    for (let i = 0; i < rgb.length; i += 3) {
      if (Math.max(...[0, 1, 2].map((k) => Math.abs(rgb[i + k] - rgb[k]))) > 60) distant++;
    }
    expect(distant / (480 * 300), name).toBeGreaterThan(0.002);
  }
});

test('no thumbnail shows a part of the scale of colours', () => {
  const scenes = readdirSync(join(root, 'scenes')).filter((file) => file.endsWith('.json'));
  const coloured = scenes.filter((file) => {
    const { view } = JSON.parse(readFileSync(join(root, 'scenes', file), 'utf8'));
    return (view?.colour ?? 'checker') !== 'checker';
  });
  expect(coloured.length).toBeGreaterThan(5);
  for (const file of coloured) {
    const { width, height, rgb } = readPalettePng(readFileSync(join(thumbnails, file.replace('.json', '.png'))));
    // its title would stand in the last rows, below the bar, from 0.3 of the width before the right margin on, in dark ink
    let dark = 0;
    for (let y = height - 3; y < height; y++)
      for (let x = 336; x < 420; x++) if (Math.max(...[0, 1, 2].map((k) => rgb[3 * (y * width + x) + k])) < 150) dark++;
    expect(dark, file).toBe(0);
  }
});

describe('PNG of few colours', () => {
  const width = 13;
  const height = 7;
  const rgb = Uint8Array.from({ length: 3 * width * height }, (_, i) => (37 * i * i + 11 * i) % 256);

  test('a picture with as many colours as allowed reads back as it was', () => {
    const flags = rgb.map((_, i) => [0, 90, 255][Math.floor(i / 3) % 3]);
    for (const colours of [3, 4, 16, 17, 256]) {
      const picture = readPalettePng(encodeFewColours({ width, height, rgb: flags }, colours));
      expect(picture).toEqual({ width, height, rgb: [...flags] });
    }
    const all = readPalettePng(encodeFewColours({ width, height, rgb }, 256));
    expect(all.rgb).toEqual([...rgb]);
  });

  test('fewer colours keep the mean and come nearer with their number', () => {
    const error = (colours: number): number => {
      const picture = readPalettePng(encodeFewColours({ width, height, rgb }, colours));
      expect(
        new Set(Array.from({ length: width * height }, (_, i) => picture.rgb.slice(3 * i, 3 * i + 3).join())).size,
      ).toBe(colours);
      return picture.rgb.reduce((sum, value, i) => sum + (value - rgb[i]) ** 2, 0);
    };
    const errors = [2, 4, 16, 64].map(error);
    for (let i = 1; i < errors.length; i++) expect(errors[i]).toBeLessThan(0.7 * errors[i - 1]);
  });

  test('files of all five filters are read; halving takes the mean of four', () => {
    // a thumbnail drawn by Chromium uses several; here each line uses the next filter
    const lines = Buffer.alloc(height * (3 * width + 1));
    for (let y = 0; y < height; y++) {
      lines[y * (3 * width + 1)] = y % 5;
      for (let i = 0; i < 3 * width; i++) {
        const at = (row: number, column: number) => (row < 0 || column < 0 ? 0 : rgb[row * 3 * width + column]);
        const [left, up, corner] = [at(y, i - 3), at(y - 1, i), at(y - 1, i - 3)];
        const distances = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
        const nearest = [left, up, corner][distances.indexOf(Math.min(...distances))];
        const guess = [0, left, up, Math.floor((left + up) / 2), nearest][y % 5];
        lines[y * (3 * width + 1) + 1 + i] = at(y, i) - guess;
      }
    }
    const packed = makeTrueColourPng(width, height, lines);
    expect([...decodePng(packed).rgb]).toEqual([...rgb]);
    const half = halve({ width: 2, height: 2, rgb: Uint8Array.of(0, 10, 20, 4, 10, 21, 8, 10, 22, 12, 10, 23) });
    const part = crop({ width, height, rgb }, 2, 1, 3, 2);
    expect([...part.rgb]).toEqual([...rgb.slice(45, 54), ...rgb.slice(84, 93)]);
    expect([half.width, half.height, ...half.rgb]).toEqual([1, 1, 6, 10, 22]);
  });
});

/** An RGB file around filtered lines: the header of a palette file with another colour type, without a palette. */
function makeTrueColourPng(width: number, height: number, lines: Buffer): Buffer {
  const chunk = (type: string, payload: Buffer): Buffer => {
    const bytes = Buffer.alloc(payload.length + 12);
    bytes.writeUInt32BE(payload.length, 0);
    bytes.write(type, 4, 'latin1');
    bytes.set(payload, 8);
    return bytes;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
