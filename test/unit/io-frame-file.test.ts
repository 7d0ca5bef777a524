import {
  type ChunkEntry,
  decodeFrameBytes,
  encodeCheckpoint,
  encodeChunk,
  encodeFrame,
  encodeFrameBytes,
  encodeHeader,
  encodeProbeColumns,
  encodeProbeRows,
  encodeScene,
  encodeSummary,
  findLastChunk,
  readCheckpoint,
  readFrame,
  readProbes,
  readScene,
  readSummary,
  scanChunks,
} from 'heddle/io';
import { FormatError, type Frame } from 'heddle/model';
import { describe, expect, test } from 'vitest';

function makeFrame(step: number): Frame {
  const nodes = 3 + (step % 3);
  const values = (scale: number, length = nodes) =>
    Float64Array.from({ length }, (_, i) => Math.sin(scale * (i + step + 0.1)));
  return {
    time: step / 3,
    step,
    objects: [
      {
        type: 'curve',
        id: 'røpe "1"',
        closed: step % 2 === 1,
        radius: 0.005,
        restLength: 1 / 3,
        x: Float64Array.from({ length: 3 * nodes }, (_, i) => Math.cos(i * step) * 1e-7),
        u: Float64Array.from({ length: nodes }, (_, i) => i / 7),
        kind: Uint8Array.from({ length: nodes }, (_, i) => i % 3),
        fields: { speed: values(1), tension: values(1e9) },
      },
      {
        type: 'curve',
        id: 'thread',
        closed: false,
        radius: 1e-4,
        restLength: 2,
        x: Float64Array.of(0, -0, Number.MIN_VALUE, Number.NaN, Number.POSITIVE_INFINITY, 1e308),
        u: Float64Array.of(0, 2),
        kind: Uint8Array.of(0, 1),
        fields: {},
      },
    ],
    bodies: [{ id: 'table', position: [0.1, 0.2, step], orientation: [0.5, -0.5, 0.5, 0.5] }],
    forces:
      step % 2 === 0
        ? []
        : [
            { kind: 'contact', id: 'røpe "1"', x: Float64Array.of(1, 2, 3, -0, 1e-9, 6), f: values(1, 6) },
            { kind: 'constraint', id: 'thread', x: Float64Array.of(7, 8, step), f: Float64Array.of(0, 9.81 / 3, -1) },
          ],
  };
}

const join = (parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const state = Uint8Array.from({ length: 37 }, (_, i) => (i * 91) & 255);
const chunks = [
  encodeScene('{"heddle": 1, "name": "sömething"}', { version: '0.1.0' }),
  encodeProbeColumns(['time', 'tip.x']),
  encodeFrame(makeFrame(0)),
  encodeProbeRows([
    [0, 0.1],
    [1 / 3, -0],
  ]),
  encodeCheckpoint({ step: 1, time: 1 / 3, state }),
  encodeFrame(makeFrame(1), { precision: 'float32' }),
  encodeProbeRows([Float64Array.of(2 / 3, Number.NaN)]),
  encodeSummary({ hash: '0123456789abcdef' }),
];
const types = ['SCEN', 'PROB', 'FRAM', 'PROB', 'CKPT', 'FRAM', 'PROB', 'DONE'];
const file = join([encodeHeader(), ...chunks]);
/** Offsets after the header and after each chunk. */
const ends = [16];
for (const chunk of chunks) ends.push(ends[ends.length - 1] + chunk.length);

const readOne = (frame: Frame, precision: 'float64' | 'float32' = 'float64') => {
  const bytes = join([encodeHeader(), encodeFrame(frame, { precision })]);
  return readFrame(bytes, scanChunks(bytes).entries[0]);
};

describe('what is written is read', () => {
  test('a frame comes back exactly, −0, NaN and infinities included', () => {
    for (let step = 0; step < 6; step++) expect(readOne(makeFrame(step))).toEqual(makeFrame(step));
  });

  test('with 32-bit numbers a frame comes back rounded to them', () => {
    const frame = makeFrame(4);
    const read = readOne(frame, 'float32');
    expect(read.time).toBe(frame.time);
    expect(read.objects[0].restLength).toBe(1 / 3);
    expect(read.objects[0].x).toEqual(frame.objects[0].x.map(Math.fround));
    expect(read.objects[0].fields.tension).toEqual(frame.objects[0].fields.tension.map(Math.fround));
    expect(encodeFrame(frame, { precision: 'float32' }).length).toBeLessThan(encodeFrame(frame).length);
  });

  test('a frame from before there were forces has none', () => {
    // time 0.5, step 7, no objects, one body "b" at (1, 2, 3), unturned, and no byte after it
    const bytes = new Uint8Array(16 + 8 + 4 + 1 + 56);
    const view = new DataView(bytes.buffer);
    view.setFloat64(0, 0.5, true);
    view.setFloat64(8, 7, true);
    view.setUint32(20, 1, true);
    view.setUint32(24, 1, true);
    bytes[28] = 'b'.charCodeAt(0);
    for (const [k, value] of [1, 2, 3, 0, 0, 0, 1].entries()) view.setFloat64(29 + 8 * k, value, true);
    const frame: Frame = {
      time: 0.5,
      step: 7,
      objects: [],
      bodies: [{ id: 'b', position: [1, 2, 3], orientation: [0, 0, 0, 1] }],
      forces: [],
    };
    expect(decodeFrameBytes(bytes)).toEqual(frame);
    expect(encodeFrameBytes(frame)).toEqual(bytes);
  });

  test('all chunks of a file', () => {
    const index = scanChunks(file);
    expect(index.entries.map((entry) => entry.type)).toEqual(types);
    expect(index).toMatchObject({ version: 1, validBytes: file.length, torn: false });
    expect(readScene(file, index.entries[0])).toEqual({
      text: '{"heddle": 1, "name": "sömething"}',
      meta: { version: '0.1.0' },
    });
    expect(readProbes(file, index)).toEqual({
      columns: ['time', 'tip.x'],
      rows: [Float64Array.of(0, 0.1), Float64Array.of(1 / 3, -0), Float64Array.of(2 / 3, Number.NaN)],
    });
    expect(readCheckpoint(file, findLastChunk(index, 'CKPT') as ChunkEntry)).toEqual({ step: 1, time: 1 / 3, state });
    expect(readSummary(file, index.entries[7])).toEqual({ hash: '0123456789abcdef' });
    expect(findLastChunk(index, 'NONE')).toBeUndefined();
  });

  test('at any alignment in memory', () => {
    for (let shift = 0; shift < 9; shift++) {
      const bytes = new Uint8Array(file.length + shift).subarray(shift);
      bytes.set(file);
      const index = scanChunks(bytes);
      expect(readFrame(bytes, index.entries[2])).toEqual(makeFrame(0));
    }
  });

  test('a chunk type of a later version is kept and left alone', () => {
    const bytes = join([encodeHeader(), encodeChunk('LATE', Uint8Array.of(1, 2, 3), 9), chunks[2]]);
    const index = scanChunks(bytes);
    expect(index.entries.map(({ type, flags, length }) => [type, flags, length])[0]).toEqual(['LATE', 9, 3]);
    expect(readFrame(bytes, index.entries[1])).toEqual(makeFrame(0));
    expect(() => readFrame(bytes, index.entries[0])).toThrow(FormatError);
  });

  test('the CRC is the one of ISO 3309', () => {
    // the check value of "123456789" is CBF43926; here type, flags and length come first, so recompute bit by bit
    const chunk = encodeChunk('TEST', new TextEncoder().encode('123456789'));
    let crc = 0xffffffff;
    for (const byte of chunk.subarray(0, -4)) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    expect(new DataView(chunk.buffer).getUint32(chunk.length - 4, true)).toBe((crc ^ 0xffffffff) >>> 0);
  });
});

describe('damage', () => {
  test('a file cut at any byte keeps every chunk before the cut', () => {
    for (let cut = 0; cut <= file.length; cut++) {
      const index = scanChunks(file.subarray(0, cut));
      const whole = ends.filter((end) => end <= cut).length;
      expect(index.entries.length).toBe(Math.max(0, whole - 1));
      expect(index.validBytes).toBe(whole === 0 ? 0 : ends[whole - 1]);
      expect(index.torn).toBe(index.validBytes < cut || cut < 16);
    }
  });

  test('a file cut anywhere, truncated to its valid bytes and continued reads on', () => {
    for (let cut = 16; cut <= file.length; cut += 7) {
      const { validBytes, entries } = scanChunks(file.subarray(0, cut));
      const resumed = join([file.subarray(0, validBytes), encodeFrame(makeFrame(5))]);
      const index = scanChunks(resumed);
      expect(index.entries.length).toBe(entries.length + 1);
      expect(index.torn).toBe(false);
      expect(readFrame(resumed, index.entries[entries.length])).toEqual(makeFrame(5));
    }
  });

  test('a changed byte anywhere after the header ends the file at its chunk and nowhere before', () => {
    for (let at = 16; at < file.length; at++) {
      const damaged = file.slice();
      damaged[at] ^= 1 << (at % 8);
      const index = scanChunks(damaged);
      const whole = ends.filter((end) => end <= at).length - 1;
      expect(index.entries.length).toBe(whole);
      expect(index.validBytes).toBe(ends[whole]);
      expect(index.torn).toBe(true);
    }
  });

  test('a tail of zeros, as a crash of the machine leaves it, is torn', () => {
    const index = scanChunks(join([file, new Uint8Array(4096)]));
    expect(index.validBytes).toBe(file.length);
    expect(index.torn).toBe(true);
  });

  test('what is no frame file is refused with a sentence', () => {
    expect(() => scanChunks(new TextEncoder().encode('{"heddle": 1}'))).toThrow(/not a Heddle frame file.*run\.heddle/);
    expect(() => scanChunks(Uint8Array.of(0x89, 0x50))).toThrow(FormatError);
    const later = file.slice();
    later[8] = 7;
    expect(() => scanChunks(later)).toThrow(/version 7; this Heddle reads version 1/);
  });

  test('counts and lengths that lie are refused before room is made for them', () => {
    // a valid CRC around every possible lie: each 32-bit word of a frame payload replaced by a huge one
    const payload = encodeFrame(makeFrame(3)).slice(16, -4);
    let refused = 0;
    for (let at = 0; at + 4 <= payload.length; at++) {
      const lying = payload.slice();
      new DataView(lying.buffer).setUint32(at, 0xfffffff0, true);
      const bytes = join([encodeHeader(), encodeChunk('FRAM', lying)]);
      try {
        readFrame(bytes, scanChunks(bytes).entries[0]);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(20);

    const rows = new Uint8Array(8);
    new DataView(rows.buffer).setUint32(0, 0xffffffff, true);
    const bytes = join([encodeHeader(), encodeChunk('PROB', rows)]);
    expect(() => readProbes(bytes, scanChunks(bytes))).toThrow(FormatError);

    const long = join([encodeHeader(), chunks[2]]);
    new DataView(long.buffer).setBigUint64(16 + 8, 2n ** 63n, true);
    expect(scanChunks(long)).toMatchObject({ entries: [], validBytes: 16, torn: true });
  });

  test('a frame whose arrays disagree is refused when it is written', () => {
    const frame = makeFrame(1);
    const broken = { ...frame, objects: [{ ...frame.objects[0], kind: new Uint8Array(1) }] };
    expect(() => encodeFrame(broken)).toThrow(/4 points and 1 numbers of kind/);
    const odd = { ...frame, forces: [{ ...frame.forces[0], f: new Float64Array(3) }] };
    expect(() => encodeFrame(odd)).toThrow(/6 position and 3 force components/);
  });
});
