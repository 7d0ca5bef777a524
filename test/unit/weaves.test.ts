/** Weaves from parameters: floats, repeats, who interlaces with whom, and the exchange of warp and weft. */
import {
  createBasketWeave,
  createDraft,
  createPlainWeave,
  createSatin,
  createTwill,
  createWeave,
  exchangeWarpAndWeft,
  findWeaveFault,
  isWarpOver,
  listSatinCounters,
  measureFloats,
  type Weave,
} from 'heddle/patterns';
import { expect, test } from 'vitest';

const countOver = ({ over }: Weave): number => over.reduce((sum, value) => sum + value, 0);
const unique = (list: readonly number[]): number[] => [...new Set(list)].sort((a, b) => a - b);

/** Whether a cloth moved by so many ends and picks lies on itself. */
const repeatsAfter = (weave: Weave, ends: number, picks: number): boolean => {
  for (let j = 0; j < weave.picks; j++)
    for (let i = 0; i < weave.ends; i++)
      if (isWarpOver(weave, i, j) !== isWarpOver(weave, i + ends, j + picks)) return false;
  return true;
};

/** Twills of up to 8 ends whose yarns all interlace, by trying. */
const TWILLS = (() => {
  const found: { over: number; under: number; shift: number }[] = [];
  for (let over = 1; over <= 7; over++)
    for (let under = 1; over + under <= 8; under++)
      for (let shift = 1; shift <= over + under; shift++) found.push({ over, under, shift });
  return found;
})();

test('the common weaves have their drafts', () => {
  expect(createDraft(createPlainWeave())).toEqual(['.X', 'X.']);
  expect(createDraft(createBasketWeave({ ends: 2, picks: 2 }))).toEqual(['..XX', '..XX', 'XX..', 'XX..']);
  expect(createDraft(createBasketWeave({ ends: 1, picks: 2 }))).toEqual(['.X', '.X', 'X.', 'X.']);
  // lines of a Z twill rise to the right: one up for every end
  expect(createDraft(createTwill({ over: 1, under: 3 }))).toEqual(['...X', '..X.', '.X..', 'X...']);
  expect(createDraft(createTwill({ over: 1, under: 2, direction: 'S' }))).toEqual(['.X.', '..X', 'X..']);
  expect(createDraft(createTwill({ over: 2, under: 2 }))).toEqual(['..XX', '.XX.', 'XX..', 'X..X']);
  expect(createDraft(createSatin({ ends: 5, counter: 2, face: 'weft' }))).toEqual([
    '..X..',
    '....X',
    '.X...',
    '...X.',
    'X....',
  ]);
});

test('a warp of an n/m twill floats over n picks, a weft over m ends, n of n + m crossings have the warp on top', () => {
  for (const { over, under } of TWILLS.filter(({ shift }) => shift === 1))
    for (const direction of ['Z', 'S'] as const) {
      const weave = createTwill({ over, under, direction });
      expect([weave.ends, weave.picks]).toEqual([over + under, over + under]);
      const floats = measureFloats(weave);
      expect(unique(floats.warp)).toEqual([over]);
      expect(unique(floats.weft)).toEqual([under]);
      expect(countOver(weave) / weave.over.length).toBeCloseTo(over / (over + under), 14);
      expect(repeatsAfter(weave, 1, direction === 'Z' ? 1 : -1)).toBe(true);
    }
});

test('a twill is made exactly where all its yarns change sides, and then it hangs together', () => {
  let [made, refused] = [0, 0];
  for (const { over, under, shift } of TWILLS) {
    const size = over + under;
    // a repeat of size × size from the definition
    const rows = Array.from({ length: size }, (_, row) =>
      Array.from({ length: size }, (_, i) =>
        (((size - 1 - row - shift * i) % size) + size) % size < over ? 'X' : '.',
      ).join(''),
    );
    const holds = rows.every((row) => row.includes('X') && row.includes('.'));
    if (holds) {
      const weave = createTwill({ over, under, shift });
      expect(findWeaveFault(weave)).toBeUndefined();
      expect(repeatsAfter(weave, 1, shift)).toBe(true);
      const written = createWeave(rows);
      for (let j = 0; j < size; j++)
        for (let i = 0; i < size; i++) expect(isWarpOver(weave, i, j)).toBe(isWarpOver(written, i, j));
      made++;
    } else {
      expect(() => createTwill({ over, under, shift })).toThrow(/shift is \d+, which leaves picks .* Give 1\.$/);
      refused++;
    }
  }
  expect(made).toBeGreaterThan(80);
  expect(refused).toBeGreaterThan(20);
});

test('a satin of N ends floats N − 1, and its N interlacings share no end, no pick and no neighbour', () => {
  expect([3, 4, 5, 6, 7, 8, 10, 12].map(listSatinCounters)).toEqual([
    [],
    [],
    [2, 3],
    [],
    [2, 3, 4, 5],
    [3, 5],
    [3, 7],
    [5, 7],
  ]);
  for (let ends = 5; ends <= 16; ends++)
    for (const counter of listSatinCounters(ends)) {
      const sateen = createSatin({ ends, counter, face: 'weft' });
      const floats = measureFloats(sateen);
      expect(floats.warp).toEqual(new Array(ends).fill(1));
      expect(floats.weft).toEqual(new Array(ends).fill(ends - 1));
      for (let j = 0; j < ends; j++)
        for (let i = 0; i < ends; i++) {
          if (!isWarpOver(sateen, i, j)) continue;
          for (const [a, b] of [
            [1, 0],
            [0, 1],
            [1, 1],
            [1, -1],
          ])
            expect(isWarpOver(sateen, i + a, j + b)).toBe(false);
        }
      const satin = createSatin({ ends, counter });
      expect(satin.over).toEqual(sateen.over.map((value) => 1 - value));
      expect(findWeaveFault(satin)).toBeUndefined();
      expect(findWeaveFault(sateen)).toBeUndefined();
    }
});

test('counters that make no satin are refused with those that do', () => {
  expect(() => createSatin({ ends: 8, counter: 2 })).toThrow(/counter is 2; a satin of 8 ends has 3, 5 /);
  expect(() => createSatin({ ends: 8, counter: 1 })).toThrow('has 3, 5');
  expect(() => createSatin({ ends: 8, counter: 7 })).toThrow('has 3, 5');
  expect(() => createSatin({ ends: 6, counter: 5 })).toThrow('no counter makes a satin of 6 ends');
  expect(() => createSatin({ ends: 5.5, counter: 2 })).toThrow('ends is 5.5; give a whole number, 1 or more.');
});

test('a basket weave of n × m floats m picks over n ends', () => {
  for (let ends = 1; ends <= 4; ends++)
    for (let picks = 1; picks <= 4; picks++) {
      const weave = createBasketWeave({ ends, picks });
      const floats = measureFloats(weave);
      expect(unique(floats.warp)).toEqual([picks]);
      expect(unique(floats.weft)).toEqual([ends]);
      expect(repeatsAfter(weave, ends, picks)).toBe(true);
      expect(repeatsAfter(weave, ends, 0)).toBe(false);
      expect(findWeaveFault(weave)).toBeUndefined();
    }
  expect(createBasketWeave({ ends: 1, picks: 1 })).toEqual(createPlainWeave());
  expect(() => createBasketWeave({ ends: 2, picks: 0 })).toThrow('picks is 0');
});

test('exchanging warp and weft exchanges their floats, turns an n/m twill into an m/n one, and twice changes nothing', () => {
  const weaves = [
    createPlainWeave(),
    createTwill({ over: 3, under: 1 }),
    createTwill({ over: 2, under: 3, shift: 2 }),
    createTwill({ over: 4, under: 4, shift: 2, direction: 'S' }),
    createSatin({ ends: 7, counter: 3 }),
    createBasketWeave({ ends: 3, picks: 2 }),
  ];
  for (const weave of weaves) {
    const exchanged = exchangeWarpAndWeft(weave);
    const [before, after] = [measureFloats(weave), measureFloats(exchanged)];
    expect(after.warp.sort()).toEqual(before.weft.sort());
    expect(after.weft.sort()).toEqual(before.warp.sort());
    expect(exchangeWarpAndWeft(exchanged)).toEqual(weave);
  }
  const twill = exchangeWarpAndWeft(createTwill({ over: 3, under: 1 }));
  expect(unique(measureFloats(twill).warp)).toEqual([1]);
  expect(repeatsAfter(twill, 1, 1)).toBe(true);
});

test('drafts are read from their first pick at the bottom, and written the same', () => {
  const draft = ['X.X.', '.XX.', 'X..X'];
  const weave = createWeave(draft);
  expect([weave.ends, weave.picks]).toEqual([4, 3]);
  expect(isWarpOver(weave, 3, 0)).toBe(true);
  expect(isWarpOver(weave, 0, 1)).toBe(false);
  expect(isWarpOver(weave, -1, -3)).toBe(true);
  expect(createDraft(weave)).toEqual(draft);
});

test('a draft that is no weave is refused, and says why', () => {
  expect(() => createWeave([])).toThrow('the draft is empty');
  expect(() => createWeave(['X.', 'X'])).toThrow('draft[1] has 1 ends, draft[0] has 2');
  expect(() => createWeave(['X.', 'xX'])).toThrow("draft[1] is 'xX'");
  expect(() => createWeave(['XX.', 'X.X'])).toThrow('warp end 0 never changes sides');
  expect(() => createWeave(['X.', '.X', 'XX'])).toThrow('weft pick 0 never changes sides');
  // two plain cloths, one above the other: every yarn interlaces, and nothing holds the cloths together
  const double = ['XXX.', '..X.', 'X.XX', 'X...'];
  expect(() => createWeave(double)).toThrow('falls apart: 4 of the 8 yarns');
  // a stitch between them does
  expect(() => createWeave(['XXX.', '..X.', 'X.XX', 'X..X'])).not.toThrow();
});
