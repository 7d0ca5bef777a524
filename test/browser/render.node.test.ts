/** `renderFrames` from the side of Node: the built view in a headless Chromium, PNG files back. */
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { renderFrames } from '../../src/cli/render-frames.ts';
import { createBox, createFrame, sampleScene } from './sample.ts';

/** Width, height and number of different colours of a PNG of 8-bit RGBA or RGB without interlacing. */
function readPicture(png: Buffer): { width: number; height: number; colours: number } {
  expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  const parts: Buffer[] = [];
  for (let offset = 8; offset < png.length; ) {
    const length = png.readUInt32BE(offset);
    if (png.toString('latin1', offset + 4, offset + 8) === 'IDAT')
      parts.push(png.subarray(offset + 8, offset + 8 + length));
    offset += 12 + length;
  }
  // filtered rows are as good as pixels for counting: a blank picture has next to no different values
  const values = new Set<number>();
  const raw = inflateSync(Buffer.concat(parts));
  for (let i = 0; i + 2 < raw.length; i += 3) values.add((raw[i] << 16) | (raw[i + 1] << 8) | raw[i + 2]);
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), colours: values.size };
}

test('Frames are drawn as PNG files of the given size that are not blank and differ', async () => {
  const later = createFrame();
  const moved = later.objects[0].x.map((value, i) => (i % 3 === 1 ? value - 0.05 : value));
  const frames = [createFrame(), { ...later, time: 0.5, objects: [{ ...later.objects[0], x: moved }] }];
  const pictures = await renderFrames({ scene: sampleScene, bodies: [createBox()], frames, size: [320, 180] });
  expect(pictures).toHaveLength(2);
  for (const picture of pictures) {
    const { width, height, colours } = readPicture(picture);
    expect([width, height]).toEqual([320, 180]);
    expect(colours).toBeGreaterThan(500);
  }
  expect(pictures[0].equals(pictures[1])).toBe(false);
});
