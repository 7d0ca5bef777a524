/** Knits as grids of instructions: charts, named patterns, borders, what cannot be knitted. */
import {
  addBorder,
  createChart,
  createGarter,
  createHeelStitch,
  createJacquard,
  createKnit,
  createLetters,
  createLinenStitch,
  createRib,
  createSeed,
  createSlipHoneycomb,
  createStockinette,
  findKnitFault,
  type Knit,
  repeatKnit,
  STITCH_PURL,
  STITCH_SLIP,
  turnOver,
} from 'heddle/patterns';
import { expect, test } from 'vitest';

test('a chart is read from the bottom up, from the left, and written back', () => {
  const chart = ['ksf', 'ppk'];
  const knit = createKnit(chart, { carriers: ['011', '3'] });
  expect([knit.courses, knit.wales]).toEqual([2, 3]);
  expect(knit.stitches[0]).toBe(STITCH_PURL);
  expect(knit.stitches[4]).toBe(STITCH_SLIP);
  expect(Array.from(knit.carriers)).toEqual([3, 3, 3, 0, 1, 1]);
  expect(createChart(knit)).toEqual({ chart, carriers: ['011', '333'] });
});

test('charts that are none are refused with the place', () => {
  expect(() => createKnit([])).toThrow(/the chart is empty/);
  expect(() => createKnit(['kk', 'kkk'])).toThrow(/chart\[1\] has 3 wales, chart\[0\] has 2/);
  expect(() => createKnit(['kk', 'kx'])).toThrow(/chart\[1\] has 'x' at wale 1; use only 'k' \(knit\)/);
  expect(() => createKnit(['kk'], { carriers: ['0', '1'] })).toThrow(/carriers has 2 courses, the chart has 1/);
  expect(() => createKnit(['kkk'], { carriers: ['01'] })).toThrow(/one digit, or one for each of the 3 wales/);
  expect(() => createKnit(['kk'], { carriers: ['a'] })).toThrow(/carriers\[0\] is 'a'/);
  expect(() => createRib({ knit: 2, purl: 0 })).toThrow(/purl is 0; give a whole number, 1 or more/);
  expect(() => createSlipHoneycomb({ width: 4 })).toThrow(/give an odd number/);
});

test('named patterns have the charts of knitting books', () => {
  const chart = (knit: Knit): string => createChart(knit).chart.join(' ');
  expect(chart(createStockinette())).toBe('k');
  expect(chart(createGarter())).toBe('p k');
  expect(chart(createRib({ knit: 2, purl: 1 }))).toBe('kkp');
  expect(chart(createSeed())).toBe('pk kp');
  expect(chart(createLinenStitch())).toBe('fk kf');
  expect(chart(createHeelStitch())).toBe('kk ks');
  expect(chart(createSlipHoneycomb({ width: 3, height: 1 }))).toBe('kkkk kksk kkkk skkk');
  expect(createChart(createJacquard(['01', '10'])).carriers).toEqual(['01', '10']);
});

test('a piece repeats a knit from its lower left corner, whole or not, and gets a border that can be cast on', () => {
  const piece = repeatKnit(createHeelStitch(), { courses: 3, wales: 3 });
  expect(createChart(piece).chart).toEqual(['ksk', 'kkk', 'ksk']);
  expect(findKnitFault(piece)).toMatch(/the first course slips at wale 1/);
  const framed = addBorder(piece, { below: 1, above: 2, sides: 1, carrier: 4 });
  expect(createChart(framed).chart).toEqual(['kkkkk', 'kkkkk', 'kkskk', 'kkkkk', 'kkskk', 'kkkkk']);
  expect(createChart(framed).carriers).toEqual(['44444', '44444', '00000', '00000', '00000', '44444']);
  expect(findKnitFault(framed)).toBeUndefined();
  expect(() => addBorder(piece, { sides: -1 })).toThrow(/sides is -1; give a whole number, 0 or more/);
  expect(() => addBorder(piece, { carrier: 10 })).toThrow(/carrier is 10/);
});

test('what cannot be knitted has its reason', () => {
  expect(findKnitFault(createKnit(['kk'], { carriers: ['01'] }))).toMatch(
    /first course has several carriers at wale 1/,
  );
  expect(findKnitFault(createKnit(['ks', 'kk'], { carriers: ['01', '0'] }))).toMatch(
    /carrier 1 makes no loop in course 1/,
  );
  expect(findKnitFault({ ...createStockinette(), carriers: new Uint8Array(3) })).toMatch(/1 stitches and 3 carriers/);
  expect(findKnitFault({ ...createGarter(), stitches: Uint8Array.of(0, 9) })).toMatch(/course 1 has stitch 9/);
});

test('turned over, knit is purl, floats change sides, left is right; twice gives the piece back', () => {
  const piece = createKnit(['kps', 'fkk']);
  expect(createChart(turnOver(piece)).chart).toEqual(['fkp', 'pps']);
  expect(turnOver(turnOver(piece))).toEqual(piece);
  expect(createChart(turnOver(createGarter())).chart).toEqual(['k', 'p']);
  expect(() => turnOver(createJacquard(['01']))).toThrow(/course 0 has several carriers/);
});

test('letters are pictures for jacquard, read from the left, the last course first', () => {
  expect(createLetters('Tl', { margin: 0 })).toEqual([
    '11111010000',
    '00100010000',
    '00100010000',
    '00100010000',
    '00100010000',
    '00100010000',
    '00100011111',
  ]);
  const picture = createLetters('HEDDLE 7', { carrier: 3, ground: 2, margin: 2 });
  expect(picture).toHaveLength(11);
  expect(picture.every((row) => row.length === 4 + 8 * 6 - 1 && /^2[23]*2$/.test(row))).toBe(true);
  expect(findKnitFault(addBorder(createJacquard(picture)))).toBeUndefined();
  expect(() => createLetters('né')).toThrow(/there is no letter 'É'/);
  expect(() => createLetters('')).toThrow(/the text is empty/);
  expect(() => createLetters('A', { carrier: 10 })).toThrow(/carrier is 10/);
});
