/**
 * Animated PNG (APNG, part of PNG since its third edition), which browsers and GitHub show wherever they show a picture; other programs show its first frame.
 *
 * All frames share one palette: 255 colours chosen by median cut over everything that appears, and a transparent one. The first frame is whole.
 * Every later one is the smallest rectangle in which anything changes, transparent where nothing does, laid over what is there.
 *
 *   IHDR  acTL  PLTE  tRNS  fcTL IDAT  fcTL fdAT  fcTL fdAT  …  IEND
 */
import { deflateSync } from 'node:zlib';
import { encodePngChunk, PNG_SIGNATURE } from '../io/png.ts';
import { writeWhole } from './files.ts';
import { choosePalette, countColour, decodePng, type Picture, packColour } from './palette-png.ts';
import type { Video } from './render-video.ts';

/** Colours of a palette, one of them the transparent one. */
const MOST_COLOURS = 256;
/** Delays are fractions of whole numbers below 2¹⁶: hundredths of a frame rate, as far as they fit. */
const [RATE_UNIT, LARGEST_DELAY_NUMBER] = [100, 65535];

export interface AnimationOptions {
  readonly framesPerSecond: number;
  /** How long the last frame is shown before the animation begins again [s]. Default as long as the others. */
  readonly hold?: number;
}

/** The part of a picture that changes. */
interface Change {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An animated PNG of pictures of one size, which repeats for ever. `pictures` is walked twice: for the colours, then for the frames. */
export function encodeAnimatedPng(pictures: () => Iterable<Picture>, options: AnimationOptions): Buffer {
  const counts = new Map<number, number>();
  let before: Picture | undefined;
  let frames = 0;
  for (const picture of pictures()) {
    countChanges(picture, before, counts);
    before = picture;
    frames++;
  }
  if (before === undefined) throw new RangeError('encodeAnimatedPng got no pictures.');
  const { width, height } = before;
  const { palette, indexOf } = choosePalette(counts, MOST_COLOURS - 1);

  const chunks = [...encodeHead(width, height, frames, palette)];
  const shown = new Uint8Array(width * height);
  let sequence = 0;
  let frame = 0;
  for (const { rgb } of pictures()) {
    const isFirst = frame === 0;
    const wanted = Uint8Array.from(shown, (_, i) => indexOf.get(packColour(rgb, 3 * i))!);
    const change = isFirst ? { x: 0, y: 0, width, height } : findChange(shown, wanted, width);
    const delay = frame === frames - 1 ? options.hold : undefined;
    chunks.push(encodePngChunk('fcTL', encodeControl(sequence++, change, options.framesPerSecond, delay)));
    const packed = deflateSync(cutOut(isFirst ? undefined : shown, wanted, width, change, palette.length), {
      level: 9,
      memLevel: 9,
    });
    chunks.push(
      isFirst
        ? encodePngChunk('IDAT', packed)
        : encodePngChunk('fdAT', Buffer.concat([encodeNumbers(sequence++), packed])),
    );
    shown.set(wanted);
    frame++;
  }
  return Buffer.concat([Uint8Array.from(PNG_SIGNATURE), ...chunks, encodePngChunk('IEND', new Uint8Array(0))]);
}

/** Counts the colours of pixels that differ from the picture before: what rests is counted once. */
function countChanges({ width, height, rgb }: Picture, before: Picture | undefined, counts: Map<number, number>): void {
  if (before !== undefined && (before.width !== width || before.height !== height)) {
    throw new RangeError(
      `encodeAnimatedPng got a picture of ${width} × ${height} pixels after one of ${before.width} × ${before.height}.`,
    );
  }
  for (let i = 0; i < rgb.length; i += 3) {
    const colour = packColour(rgb, i);
    if (before === undefined || packColour(before.rgb, i) !== colour) countColour(counts, colour);
  }
}

function* encodeHead(
  width: number,
  height: number,
  frames: number,
  palette: readonly (readonly number[])[],
): Generator<Uint8Array> {
  const header = Buffer.concat([encodeNumbers(width, height), Uint8Array.of(8, 3, 0, 0, 0)]);
  yield encodePngChunk('IHDR', header);
  // zero plays are plays without end
  yield encodePngChunk('acTL', encodeNumbers(frames, 0));
  yield encodePngChunk('PLTE', Uint8Array.from([...palette.flat(), 0, 0, 0]));
  yield encodePngChunk('tRNS', Uint8Array.from([...palette.map(() => 255), 0]));
}

/** Where a frame goes, how long it stays [s], and that it is laid over the frame before, which stays. */
function encodeControl(sequence: number, { x, y, width, height }: Change, rate: number, hold?: number): Buffer {
  const control = Buffer.alloc(26);
  control.set(encodeNumbers(sequence, width, height, x, y));
  const unit = rate * RATE_UNIT <= LARGEST_DELAY_NUMBER ? RATE_UNIT : 1;
  const [numerator, denominator] =
    hold === undefined ? [unit, Math.round(unit * rate)] : [Math.round(hold * RATE_UNIT), RATE_UNIT];
  control.writeUInt16BE(Math.min(LARGEST_DELAY_NUMBER, numerator), 20);
  control.writeUInt16BE(Math.min(LARGEST_DELAY_NUMBER, denominator), 22);
  control.set([0, sequence === 0 ? 0 : 1], 24);
  return control;
}

/** The smallest rectangle that holds all that differs; one pixel where nothing does. */
function findChange(shown: Uint8Array, wanted: Uint8Array, width: number): Change {
  const [low, high] = [
    [Infinity, Infinity],
    [-1, -1],
  ];
  for (let i = 0; i < wanted.length; i++) {
    if (shown[i] === wanted[i]) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    if (x < low[0]) low[0] = x;
    if (x > high[0]) high[0] = x;
    if (y < low[1]) low[1] = y;
    if (y > high[1]) high[1] = y;
  }
  if (high[0] < 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: low[0], y: low[1], width: high[0] - low[0] + 1, height: high[1] - low[1] + 1 };
}

/** Scan lines of the rectangle without filter: what differs from `shown`, else transparent; all of it where nothing is shown. */
function cutOut(
  shown: Uint8Array | undefined,
  wanted: Uint8Array,
  stride: number,
  { x, y, width, height }: Change,
  transparent: number,
): Uint8Array {
  const lines = new Uint8Array(height * (width + 1));
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const i = (y + row) * stride + x + column;
      lines[row * (width + 1) + 1 + column] = shown?.[i] === wanted[i] ? transparent : wanted[i];
    }
  }
  return lines;
}

/** Numbers of 32 bits, big end first. */
function encodeNumbers(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * i);
  return bytes;
}

/** Takes pictures as PNG files; the animated one is written at the end. */
export function createAnimation(path: string, framesPerSecond: number): Video {
  const files: Buffer[] = [];
  function* decodeAll(): Generator<Picture> {
    for (const file of files) yield decodePng(file);
  }
  return {
    async add(png) {
      files.push(png);
    },
    async end() {
      writeWhole(path, encodeAnimatedPng(decodeAll, { framesPerSecond }));
    },
  };
}
