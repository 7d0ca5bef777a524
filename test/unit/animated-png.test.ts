import { createRandom } from 'heddle/math';
import { expect, test } from 'vitest';
import { encodeAnimatedPng } from '../../src/cli/animated-png.ts';
import { readAnimatedPng } from './apng-reader.ts';

/** A picture whose pixels have the colours that `colourAt` gives. */
function paint(width: number, height: number, colourAt: (x: number, y: number) => readonly number[]) {
  const rgb = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) rgb.set(colourAt(i % width, Math.floor(i / width)), 3 * i);
  return { width, height, rgb };
}

test('frames of few colours come back to the bit, in order, each as long as the rate says', () => {
  const random = createRandom(7);
  const palette = Array.from({ length: 200 }, () => [0, 1, 2].map(() => random.integer(0, 255)));
  const still = Array.from({ length: 40 * 24 }, () => random.integer(0, 199));
  const pictures = Array.from({ length: 5 }, (_, f) =>
    // a square of noise that wanders over a background that rests
    paint(40, 24, (x, y) => {
      const isInside = x >= 3 * f && x < 3 * f + 8 && y >= 2 * f && y < 2 * f + 6;
      return palette[isInside ? random.integer(0, 199) : still[40 * y + x]];
    }),
  );
  const read = readAnimatedPng(encodeAnimatedPng(() => pictures, { framesPerSecond: 12.5, hold: 1.5 }));
  expect(read).toMatchObject({ width: 40, height: 24, plays: 0 });
  expect(read.frames).toHaveLength(5);
  for (const [f, { rgb }] of read.frames.entries()) expect(rgb).toEqual(pictures[f].rgb);
  expect(read.frames.map(({ delay }) => delay)).toEqual([0.08, 0.08, 0.08, 0.08, 1.5]);
  // only the square as it was and as it is
  for (const { pixels } of read.frames.slice(1)) expect(pixels).toBeLessThanOrEqual(11 * 8);
});

test('a frame in which nothing changes is one pixel, and the picture stays', () => {
  const picture = paint(9, 5, (x, y) => [x, y, 0]);
  const { frames } = readAnimatedPng(encodeAnimatedPng(() => [picture, picture], { framesPerSecond: 10 }));
  expect(frames.map(({ pixels }) => pixels)).toEqual([45, 1]);
  expect(frames[1].rgb).toEqual(picture.rgb);
});

test('of 65536 colours 255 are chosen, and no channel is off by more than a box of the palette is wide', () => {
  const picture = paint(256, 256, (x, y) => [x, y, 128]);
  const { colours, frames } = readAnimatedPng(encodeAnimatedPng(() => [picture], { framesPerSecond: 10 }));
  expect(colours).toBe(255);
  // 255 boxes in a square of 256 × 256 colours: 16 × 16 each, or twice as long after the last cut
  const worst = frames[0].rgb.reduce((most, value, i) => Math.max(most, Math.abs(value - picture.rgb[i])), 0);
  expect(worst).toBeLessThanOrEqual(16);
});

test.each([30, 60, 120, 1000, 59.94])('%d frames per second are shown at that rate', (framesPerSecond) => {
  const pictures = [0, 255].map((grey) => paint(2, 2, () => [grey, grey, grey]));
  const { frames } = readAnimatedPng(encodeAnimatedPng(() => pictures, { framesPerSecond }));
  for (const { delay } of frames) expect(delay * framesPerSecond).toBeCloseTo(1, 10);
});

test('no pictures, and pictures of two sizes, are refused with a sentence', () => {
  expect(() => encodeAnimatedPng(() => [], { framesPerSecond: 10 })).toThrow(/no pictures/);
  const pictures = [paint(2, 2, () => [0, 0, 0]), paint(2, 3, () => [0, 0, 0])];
  expect(() => encodeAnimatedPng(() => pictures, { framesPerSecond: 10 })).toThrow(/2 × 3 pixels after one of 2 × 2/);
});
