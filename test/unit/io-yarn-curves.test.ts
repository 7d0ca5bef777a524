/** Yarn curves in BCC and OBJ files: round trips to the bit, Catmull-Rom, and what damaged files say. */
import fc from 'fast-check';
import {
  type BccFile,
  encodeBcc,
  encodeObjCurves,
  flattenYarnCurves,
  readBcc,
  readObjCurves,
  type YarnCurves,
} from 'heddle/io';
import { createRandom } from 'heddle/math';
import { FormatError } from 'heddle/model';
import { describe, expect, test } from 'vitest';

const expectFormatError = (read: () => unknown, words: string | RegExp): void => {
  expect(read).toThrow(FormatError);
  expect(read).toThrow(words);
};

/** A file written by hand: an open curve of three points and a closed one of two, 4-byte numbers. */
const makeBytes = (change: (view: DataView, bytes: Uint8Array) => void = () => {}): Uint8Array => {
  const bytes = new Uint8Array(64 + 2 * 4 + 5 * 3 * 4);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x43, 0x43, 0x44, 0x43, 0x30, 3, 2, 2, 0, 0, 0, 0, 0, 0, 0, 5]);
  bytes.set([0x79, 0x61, 0x72, 0x6e, 0xe9], 24);
  view.setInt32(64, 3, true);
  for (let i = 0; i < 9; i++) view.setFloat32(68 + 4 * i, i + 0.5, true);
  view.setInt32(104, -2, true);
  for (let i = 0; i < 6; i++) view.setFloat32(108 + 4 * i, -i, true);
  change(view, bytes);
  return bytes;
};

describe('BCC', () => {
  test('a file written by hand reads as its bytes say', () => {
    const file = readBcc(makeBytes());
    expect(file).toEqual({
      type: 'catmull-rom',
      dimensions: 3,
      upAxis: 2,
      text: 'yarné',
      integerBytes: 4,
      floatBytes: 4,
      curves: [
        { closed: false, points: Float64Array.of(0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5) },
        { closed: true, points: Float64Array.of(-0, -1, -2, -3, -4, -5) },
      ],
    });
    expect(encodeBcc(file)).toEqual(makeBytes());
    // as a part of a larger buffer
    const larger = new Uint8Array(500).fill(7);
    larger.set(makeBytes(), 13);
    expect(readBcc(larger.subarray(13, 13 + makeBytes().length))).toEqual(file);
  });

  test('curves written are the curves read, to the bit, in all sizes and both dimensions', () => {
    const sizes = fc.constantFrom<4 | 8>(4, 8);
    fc.assert(
      fc.property(
        fc.constantFrom<2 | 3>(2, 3).chain((dimensions) =>
          sizes.chain((floatBytes) => {
            const float = floatBytes === 4 ? fc.float : fc.double;
            const number = float({ noNaN: true, noDefaultInfinity: true });
            const point = fc.tuple(...Array.from({ length: dimensions }, () => number));
            const curve = fc.record({
              closed: fc.boolean(),
              points: fc.array(point, { minLength: 1, maxLength: 9 }).map((points) => Float64Array.from(points.flat())),
            });
            return fc.record({
              type: fc.constantFrom<YarnCurves['type']>('polyline', 'catmull-rom'),
              dimensions: fc.constant(dimensions),
              upAxis: fc.integer({ min: 0, max: dimensions - 1 }),
              text: fc
                .array(fc.integer({ min: 1, max: 255 }), { maxLength: 40 })
                .map((codes) => String.fromCharCode(...codes)),
              integerBytes: sizes,
              floatBytes: fc.constant(floatBytes),
              curves: fc.array(curve, { maxLength: 5 }),
            });
          }),
        ),
        (file: BccFile) => {
          const bytes = encodeBcc(file);
          // toEqual tells 0 from −0
          expect(readBcc(bytes)).toEqual(file);
          expect(encodeBcc(readBcc(bytes))).toEqual(bytes);
        },
      ),
    );
  });

  test('has y up, 4 bytes and no text without settings; options win over the file', () => {
    const curves: YarnCurves = {
      type: 'polyline',
      dimensions: 3,
      curves: [{ closed: false, points: Float64Array.of(1, 2, 0.1) }],
    };
    const file = readBcc(encodeBcc(curves));
    expect(file).toMatchObject({ type: 'polyline', upAxis: 1, text: '', integerBytes: 4, floatBytes: 4 });
    expect([...file.curves[0].points]).toEqual([1, 2, Math.fround(0.1)]);
    expect([...readBcc(encodeBcc(file, { floatBytes: 8, text: 'a' })).curves[0].points]).toEqual([
      1,
      2,
      Math.fround(0.1),
    ]);
    expect(readBcc(encodeBcc(curves, { floatBytes: 8 })).curves[0].points[2]).toBe(0.1);
  });

  test.each([
    ['yarns: it begins with "BCB"', (_, bytes) => bytes.set([0x42], 2)],
    ['integers have 2 bytes; 4 and 8 are supported', (_, bytes) => bytes.set([0x24], 3)],
    ['floats have 15 bytes; 4 and 8 are supported', (_, bytes) => bytes.set([0x4f], 3)],
    [
      'the curve type is "C1"; "C0" (uniform Catmull-Rom) and "PL" (polyline) are supported',
      (_, bytes) => bytes.set([0x31], 5),
    ],
    ['points have 4 dimensions; 2 and 3 are supported', (_, bytes) => bytes.set([4], 6)],
    ['the up axis is 3; with 3 dimensions it must be below', (_, bytes) => bytes.set([3], 7)],
    [
      'the header announces 2 curves with 18446744073709551615 points, 221360928884514619452 bytes; the file has 132: it is cut off or damaged',
      (view) => view.setBigUint64(16, 2n ** 64n - 1n, true),
    ],
    [
      'the header announces 2 curves with 4 points, 120 bytes; the file has 132: there are extra bytes',
      (view) => view.setUint8(16, 4),
    ],
    ['the header announces 1 curves', (view) => view.setUint8(8, 1)],
    ['curve 1 of 2 has 6 points; 5 are left of the 5 in the header', (view) => view.setInt32(64, 6, true)],
    ['curve 1 of 2 has 2147483648 points', (view) => view.setInt32(64, -(2 ** 31), true)],
    ['curve 1 of 2 has no points', (view) => view.setInt32(64, 0, true)],
    ['the header announces 5 points; its curves have 1 fewer', (view) => view.setInt32(104, 1, true)],
    ['point 2 of curve 1 of 2 has the coordinate NaN', (view) => view.setFloat32(84, Number.NaN, true)],
    ['point 1 of curve 2 of 2 has the coordinate -Infinity', (view) => view.setFloat32(112, -Infinity, true)],
  ] as [string, (view: DataView, bytes: Uint8Array) => void][])('is refused with its fault: %s', (words, change) => {
    expectFormatError(() => readBcc(makeBytes(change), { source: 'yarns' }), words);
  });

  test('8-byte counts beyond every memory are refused', () => {
    const bytes = encodeBcc(readBcc(makeBytes()), { integerBytes: 8 });
    const view = new DataView(bytes.buffer);
    view.setBigInt64(64, -(2n ** 63n), true);
    expectFormatError(() => readBcc(bytes), 'curve 1 of 2 has 9223372036854776000 points; 5 are left');
    view.setBigInt64(64, 2n ** 32n + 3n, true);
    expectFormatError(() => readBcc(bytes), 'curve 1 of 2 has 4294967299 points; 5 are left');
  });

  test('a file cut anywhere, or with anything behind it, is refused', () => {
    const bytes = makeBytes();
    for (let length = 0; length < bytes.length; length++) {
      expectFormatError(
        () => readBcc(bytes.subarray(0, length)),
        length < 64 ? 'a header alone has 64' : 'it is cut off',
      );
    }
    expectFormatError(() => readBcc(Uint8Array.of(...bytes, 0)), 'there are extra bytes after the curves');
  });

  test('any damage ends in a FormatError, or in curves that are written as these bytes', () => {
    const random = createRandom(11);
    let read = 0;
    for (let trial = 0; trial < 5000; trial++) {
      const bytes = encodeBcc(readBcc(makeBytes()), {
        floatBytes: trial % 2 === 0 ? 4 : 8,
        integerBytes: trial % 3 === 0 ? 8 : 4,
      });
      for (let k = random.integer(1, 3); k > 0; k--)
        bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      try {
        const file = readBcc(bytes);
        const written = encodeBcc(file);
        expect(written.length === bytes.length && written.every((byte, i) => byte === bytes[i])).toBe(true);
        read++;
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
    expect(read).toBeGreaterThan(500);
  });

  const curve = { closed: false, points: Float64Array.of(1, 2, 3) };
  test.each([
    ['curves[1].points has 0 numbers', { curves: [curve, { closed: true, points: new Float64Array() }] }],
    ['curves[0].points has 3 numbers; it needs 2 per point', { dimensions: 2 }],
    [
      'curves[0].points[1] is NaN; it must be finite',
      { curves: [{ closed: true, points: Float64Array.of(1, NaN, 3) }] },
    ],
    [
      'curves[0].points[2] is 1e+39, too large for 4 bytes',
      { curves: [{ closed: true, points: Float64Array.of(1, 2, 1e39) }] },
    ],
    ['dimensions is 1; it must be 2 or 3', { dimensions: 1 }],
    ['upAxis is 3; it must be a whole number from 0 to 2', { upAxis: 3 }],
    ['floatBytes is 2; it must be 4 or 8', { floatBytes: 2 }],
    ['at most 40 characters up to U+00FF', { text: 'a'.repeat(41) }],
    ['text is "線"; at most 40 characters', { text: '線' }],
  ])('is not written with a fault: %s', (words, change) => {
    const file = { type: 'polyline', dimensions: 3, curves: [curve], ...change } as YarnCurves;
    expectFormatError(() => encodeBcc(file), words);
  });
});

describe('OBJ', () => {
  test('lines are open, or closed where the first index stands again; equal places do not close', () => {
    const file = readObjCurves('v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 0 0\nl 1 2 3\nl -3/ 3 2\nl 1 2 3 4\n');
    expect(file).toEqual({
      type: 'polyline',
      dimensions: 3,
      curves: [
        { closed: false, points: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 2, 0) },
        { closed: true, points: Float64Array.of(1, 0, 0, 1, 2, 0) },
        { closed: false, points: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 0, 0) },
      ],
    });
  });

  test('curves written are the curves read, to the bit', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const points = fc
      .array(fc.tuple(number, number, number), { minLength: 2, maxLength: 9 })
      .map((list) => Float64Array.from(list.flat()));
    fc.assert(
      fc.property(fc.array(fc.record({ closed: fc.boolean(), points }), { minLength: 1, maxLength: 5 }), (curves) => {
        const file: YarnCurves = { type: 'polyline', dimensions: 3, curves };
        expect(readObjCurves(encodeObjCurves(file))).toEqual(file);
      }),
    );
  });

  test('flat curves lie in z = 0', () => {
    const flat: YarnCurves = {
      type: 'polyline',
      dimensions: 2,
      curves: [{ closed: false, points: Float64Array.of(1, 2, 3, 4) }],
    };
    expect([...readObjCurves(encodeObjCurves(flat)).curves[0].points]).toEqual([1, 2, 0, 3, 4, 0]);
  });

  test('faults are told with the file and the line', () => {
    const options = { source: 'a.obj' };
    expectFormatError(() => readObjCurves('v 0 0 0\n', options), 'a.obj has 1 vertices but no line (l)');
    expectFormatError(() => readObjCurves('v 0 0 0\nl 1 2\n', options), 'a.obj:2: vertex 2 is used; the file has 1');
    expectFormatError(() => readObjCurves('v 0 0\nl 1 1\n', options), 'a.obj:1: v has 2 numbers');
    const point = { closed: false, points: Float64Array.of(1, 2, 3) };
    expectFormatError(() => encodeObjCurves({ type: 'polyline', dimensions: 3, curves: [point] }), 'needs 2');
    expectFormatError(() => encodeObjCurves({ type: 'catmull-rom', dimensions: 3, curves: [] }), 'flattenYarnCurves');
    const infinite = { closed: true, points: Float64Array.of(1, Infinity, 3) };
    expectFormatError(() => encodeObjCurves({ type: 'polyline', dimensions: 3, curves: [infinite] }), 'must be finite');
  });

  test('a file cut anywhere ends in curves or a FormatError', () => {
    const text = encodeObjCurves(flattenYarnCurves({ ...readBcc(makeBytes()), type: 'polyline' }, 1));
    for (let length = 0; length < text.length; length++) {
      try {
        expect(readObjCurves(text.slice(0, length)).curves.length).toBeLessThanOrEqual(2);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
  });
});

describe('Catmull-Rom', () => {
  const points = Float64Array.of(0, 0, 1, 2, 3, 1, 5, 4, 4, 7);
  const [first, second, third] = [
    [1, 2],
    [3, 1],
    [5, 4],
  ];

  test('an open curve passes through the points 1 … n − 2, a closed one through all', () => {
    const open = flattenYarnCurves({ type: 'catmull-rom', dimensions: 2, curves: [{ closed: false, points }] }, 4);
    const x = [...open.curves[0].points];
    expect(open.type).toBe('polyline');
    expect(x.length).toBe(2 * 9);
    expect([x.slice(0, 2), x.slice(8, 10), x.slice(16, 18)]).toEqual([first, second, third]);
    const closed = flattenYarnCurves({ type: 'catmull-rom', dimensions: 2, curves: [{ closed: true, points }] }, 3);
    const y = closed.curves[0].points;
    expect(y.length).toBe(2 * 15);
    expect(closed.curves[0].closed).toBe(true);
    expect([...y].filter((_, i) => i % 6 < 2)).toEqual([...points]);
  });

  test('a parabola sampled evenly is drawn exactly', () => {
    // uniform Catmull-Rom has quadratic precision: x(t) of points on a parabola at even parameters is that parabola
    const parabola = Float64Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? i / 2 : (i >> 1) ** 2));
    const flat = flattenYarnCurves(
      { type: 'catmull-rom', dimensions: 2, curves: [{ closed: false, points: parabola }] },
      10,
    );
    const x = flat.curves[0].points;
    expect(x.length).toBe(2 * 31);
    for (let i = 0; i < 31; i++) {
      expect(x[2 * i]).toBeCloseTo(1 + i / 10, 13);
      expect(x[2 * i + 1]).toBeCloseTo((1 + i / 10) ** 2, 13);
    }
  });

  test('polylines stay as they are; curves too short and pieces out of range are refused', () => {
    const line: YarnCurves = { type: 'polyline', dimensions: 2, curves: [{ closed: false, points }] };
    expect(flattenYarnCurves(line, 5)).toBe(line);
    const short = { closed: false, points: Float64Array.of(0, 0, 1, 1, 2, 0) };
    expectFormatError(
      () => flattenYarnCurves({ type: 'catmull-rom', dimensions: 2, curves: [short] }, 5),
      'curves[0] has 3 points; a Catmull-Rom curve needs 4',
    );
    for (const pieces of [0, 1.5, 1e9, Number.NaN])
      expectFormatError(() => flattenYarnCurves(line, pieces), 'from 1 to 1000');
  });
});
