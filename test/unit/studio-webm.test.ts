/** WebM files of the studio's films, read back by a reader of their own. */
import { expect, test } from 'vitest';
import { encodeWebm, type FilmPicture } from '../../studio/src/app/webm.ts';
import { readWebm } from './webm-reader.ts';

/** Pictures at the times [ms], each of `size` bytes with its number in all of them. */
const createPictures = (times: readonly number[], keys: readonly number[], size = 5): FilmPicture[] =>
  times.map((time, n) => ({ bytes: new Uint8Array(size + n).fill(n), time, isKey: keys.includes(n) }));

const write = (pictures: FilmPicture[], last = 40) => {
  const parts = encodeWebm({ codec: 'V_VP9', width: 641, height: 300, last }, pictures);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return readWebm(bytes);
};

test('a film has every picture at its time, and ends one picture after the last', () => {
  const pictures = createPictures([0, 33, 70, 71, 2040, 2111], [0, 4]);
  const film = write(pictures);
  expect(film).toMatchObject({ docType: 'webm', codec: 'V_VP9', width: 641, height: 300, scale: 1_000_000 });
  expect(film.blocks.map(({ time, isKey, bytes }) => ({ time, isKey, bytes: new Uint8Array(bytes) }))).toEqual(
    pictures.map(({ time, isKey, bytes }) => ({ time, isKey, bytes })),
  );
  expect(film.duration).toBe(2111 + 40);
  expect(film.blocks.map(({ duration }) => duration)).toEqual([...Array(5).fill(undefined), 40]);
});

test('cues point to all key frames, the seek head to info, tracks and cues', () => {
  const film = write(createPictures([0, 900, 2000, 3000, 4100], [0, 2, 4]));
  expect(film.cues).toEqual([0, 2000, 4100].map((time) => ({ time, found: time, isKey: true })));
  expect(film.sought).toEqual([0x1549a966, 0x1654ae6b, 0x1c53bb6b]);
});

test('pictures further apart than 16 bits tell, and sizes of one to four bytes', () => {
  // 126 is the last size of one byte, 127 the first of two; 16,382 and 16,383 likewise
  const times = [0, 32_767, 32_768, 200_000, 7_200_000];
  for (const size of [1, 120, 121, 122, 123, 16_376, 16_377, 16_378, 16_379, 2_097_145, 2_097_150]) {
    const film = write(createPictures(times, [0], size), 17);
    expect(film.blocks.map(({ time }) => time)).toEqual(times);
    expect(film.blocks.map(({ bytes }) => bytes.length)).toEqual(times.map((_, n) => size + n));
    expect(film.blocks.map(({ isKey }) => isKey)).toEqual([true, false, false, false, false]);
    // a jump starts at a key picture
    expect(film.cues.map(({ time }) => time)).toEqual([0]);
    expect(film.duration).toBe(7_200_017);
  }
});

test('a film of one picture is as long as that', () => {
  const film = write(createPictures([0], [0]));
  expect(film.duration).toBe(40);
  expect(film.blocks).toHaveLength(1);
  expect(film.blocks[0]).toMatchObject({ time: 0, isKey: true, duration: 40 });
});
