/**
 * BCC, binary curve collections: yarns as curves. Little endian.
 *
 *   "BCC"      u8 sizes        bytes of an integer (high four bits) and of a float (low four bits), 4 or 8 each
 *   char[2]    curve type      "C0" uniform Catmull-Rom, "PL" polyline
 *   u8, u8     dimensions (2 or 3), up axis (0 x, 1 y, 2 z)
 *   u64, u64   number of curves, number of points in all
 *   char[40]   text
 *   then for each curve an integer n, negative where the curve is closed, and |n| points
 *
 * The size of a file follows from its header and is compared with what is there before anything else is read.
 */
import { FormatError } from '../model/errors.ts';
import { ByteReader, ByteWriter } from './byte-stream.ts';
import { checkYarnCurves, type YarnCurve, type YarnCurves } from './yarn-curves.ts';

export interface BccFile extends YarnCurves {
  /** The axis that points up: 0 x, 1 y, 2 z. */
  readonly upAxis: number;
  /** At most 40 characters up to U+00FF, one a byte; zeros at the end are not part of it. */
  readonly text: string;
  /** Bytes of the number of points of a curve. */
  readonly integerBytes: 4 | 8;
  /** Bytes of a coordinate. */
  readonly floatBytes: 4 | 8;
}

/** What a BCC file may say beside its curves. */
export type BccOptions = Partial<Pick<BccFile, 'upAxis' | 'text' | 'integerBytes' | 'floatBytes'>>;

export interface ReadBccOptions {
  /** Name of the file, for messages. */
  readonly source?: string;
}

const HEADER_BYTES = 64;
const TEXT_BYTES = 40;
const TYPE_CODES = { 'catmull-rom': 'C0', polyline: 'PL' } as const;

/** The curves of a BCC file. */
export const readBcc = (bytes: Uint8Array, options: ReadBccOptions = {}): BccFile => {
  const source = options.source ?? 'BCC file';
  const fail = (message: string): never => {
    throw new FormatError(`${source}: ${message}.`);
  };
  if (bytes.length < HEADER_BYTES)
    fail(`it has ${bytes.length} bytes; a header alone has ${HEADER_BYTES}; is it cut off?`);
  const reader = new ByteReader(bytes, 0, bytes.length, source);
  const header = reader.bytes(HEADER_BYTES);
  const letters = (from: number, to: number): string => String.fromCharCode(...header.subarray(from, to));
  if (letters(0, 3) !== 'BCC') fail(`it begins with ${JSON.stringify(letters(0, 3))}; a BCC file begins with "BCC"`);
  const readSize = (size: number, kind: string): 4 | 8 =>
    size === 4 || size === 8 ? size : fail(`${kind} have ${size} bytes; 4 and 8 are supported`);
  const integerBytes = readSize(header[3] >> 4, 'integers');
  const floatBytes = readSize(header[3] & 15, 'floats');
  const code = letters(4, 6);
  if (code !== 'C0' && code !== 'PL') {
    fail(`the curve type is ${JSON.stringify(code)}; "C0" (uniform Catmull-Rom) and "PL" (polyline) are supported`);
  }
  const [dimensions, upAxis] = [header[6], header[7]];
  if (dimensions !== 2 && dimensions !== 3) return fail(`points have ${dimensions} dimensions; 2 and 3 are supported`);
  if (upAxis >= dimensions) fail(`the up axis is ${upAxis}; with ${dimensions} dimensions it must be below`);

  const view = new DataView(header.buffer);
  const [curveCount, pointCount] = [view.getBigUint64(8, true), view.getBigUint64(16, true)];
  const announced =
    BigInt(HEADER_BYTES) + curveCount * BigInt(integerBytes) + pointCount * BigInt(dimensions * floatBytes);
  if (announced !== BigInt(bytes.length)) {
    const advice = announced > bytes.length ? 'it is cut off or damaged' : 'there are extra bytes after the curves';
    fail(
      `the header announces ${curveCount} curves with ${pointCount} points, ${announced} bytes; the file has ${bytes.length}: ${advice}`,
    );
  }
  const curves: YarnCurve[] = [];
  let pointsLeft = Number(pointCount);
  for (let k = 0; k < Number(curveCount); k++) {
    const where = `curve ${k + 1} of ${curveCount}`;
    const low = reader.uint32();
    const signed = integerBytes === 4 ? low | 0 : (reader.uint32() | 0) * 2 ** 32 + low;
    const count = Math.abs(signed);
    if (count === 0) fail(`${where} has no points`);
    if (count > pointsLeft)
      fail(`${where} has ${count} points; ${pointsLeft} are left of the ${pointCount} in the header`);
    pointsLeft -= count;
    const points = reader.floats(count * dimensions, floatBytes === 4);
    const wrong = points.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) fail(`point ${Math.floor(wrong / dimensions) + 1} of ${where} has the coordinate ${points[wrong]}`);
    curves.push({ closed: signed < 0, points });
  }
  if (pointsLeft > 0) fail(`the header announces ${pointCount} points; its curves have ${pointsLeft} fewer`);
  const type = code === 'C0' ? 'catmull-rom' : 'polyline';
  const text = letters(HEADER_BYTES - TEXT_BYTES, HEADER_BYTES).replace(/\0+$/, '');
  return { type, dimensions, curves, upAxis, text, integerBytes, floatBytes };
};

/** Curves as the bytes of a BCC file: with y up, 4-byte integers and floats, unless `file` or `options` say otherwise. */
export const encodeBcc = (file: YarnCurves & BccOptions, options: BccOptions = {}): Uint8Array<ArrayBuffer> => {
  const settings = { upAxis: 1, text: '', integerBytes: 4 as 4 | 8, floatBytes: 4 as 4 | 8, ...file, ...options };
  const { dimensions, curves, upAxis, text, integerBytes, floatBytes } = settings;
  const fail = (message: string): never => {
    throw new FormatError(`${message}.`);
  };
  checkYarnCurves(file);
  if (dimensions !== 2 && dimensions !== 3) fail(`dimensions is ${dimensions}; it must be 2 or 3`);
  if (!Number.isInteger(upAxis) || upAxis < 0 || upAxis >= dimensions) {
    fail(`upAxis is ${upAxis}; it must be a whole number from 0 to ${dimensions - 1}`);
  }
  for (const [key, size] of Object.entries({ integerBytes, floatBytes })) {
    if (size !== 4 && size !== 8) fail(`${key} is ${size}; it must be 4 or 8`);
  }
  const codes = Array.from(text, (letter) => letter.codePointAt(0)!);
  if (codes.length > TEXT_BYTES || codes.some((code) => code > 255)) {
    fail(`text is ${JSON.stringify(text.slice(0, 60))}; at most ${TEXT_BYTES} characters up to U+00FF are allowed`);
  }
  const header = new Uint8Array(HEADER_BYTES);
  header.set(Uint8Array.from(`BCC\0${TYPE_CODES[file.type]}`, (letter) => letter.charCodeAt(0)));
  header.set([dimensions, upAxis], 6);
  header[3] = (integerBytes << 4) | floatBytes;
  const view = new DataView(header.buffer);
  const numbers = curves.reduce((sum, { points }) => sum + points.length, 0);
  view.setBigUint64(8, BigInt(curves.length), true);
  view.setBigUint64(16, BigInt(numbers / dimensions), true);
  header.set(codes, HEADER_BYTES - TEXT_BYTES);

  const writer = new ByteWriter();
  writer.bytes(header);
  for (const [k, { closed, points }] of curves.entries()) {
    const count = (points.length / dimensions) * (closed ? -1 : 1);
    writer.uint32(count);
    if (integerBytes === 8) writer.uint32(closed ? 0xffffffff : 0);
    const tooLarge = floatBytes === 4 ? points.findIndex((value) => !Number.isFinite(Math.fround(value))) : -1;
    if (tooLarge >= 0) {
      fail(`curves[${k}].points[${tooLarge}] is ${points[tooLarge]}, too large for 4 bytes; set floatBytes to 8`);
    }
    writer.floats(points, floatBytes === 4);
  }
  return writer.finish().slice();
};
