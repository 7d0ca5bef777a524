/** WIF: what a weaving draft says about crossings, colours and lengths, and what damaged files say. */
import { readWif, type WeavingDraft } from 'heddle/io';
import { createRandom } from 'heddle/math';
import { FormatError } from 'heddle/model';
import { createTwill, createWeave, isWarpOver } from 'heddle/patterns';
import { describe, expect, test } from 'vitest';

/** 2-2 twill on a straight threading of four shafts. */
const TWILL = `; a comment
[WIF]
Version=1.1
Date=April 20, 1997
Developers=wif@mhsoft.com
[CONTENTS]
WEAVING=true
WARP=true
WEFT=true
THREADING=true
TIEUP=true
TREADLING=true
COLOR PALETTE=true
COLOR TABLE=true
WARP COLORS=true
WEFT SPACING=true
[WEAVING]
Shafts=4
Treadles=4
Rising Shed=true
[WARP]
Threads=8
Color=1
Units=Centimeters
Spacing=0.2
Thickness=0.1
[WEFT]
Threads=4
Color=2
Units=Decipoints
Spacing=72
Thickness=36
[COLOR PALETTE]
Entries=2
Range=0,999
[COLOR TABLE]
1=999,0,0
2=0,333,999
[WARP COLORS]
3=2
[WEFT SPACING]
2=144
[THREADING]
1=1
2=2
3=3
4=4
5=1
6=2
7=3
8=4
[TIEUP]
1=1,2
2=2,3
3=3,4
4=1,4
[TREADLING]
1=1
2=2
3=3
4=4
`;

/** Ends on top by pick, both from 1 as in the file. */
const onTop = (draft: WeavingDraft): number[][] =>
  Array.from({ length: draft.picks }, (_, pick) =>
    Array.from({ length: draft.ends }, (_, end) => end + 1).filter((end) => isWarpOver(draft, end - 1, pick)),
  );

const ROWS = [
  [1, 2, 5, 6],
  [2, 3, 6, 7],
  [3, 4, 7, 8],
  [1, 4, 5, 8],
];

/** The section `title` with its rows, and the text without it. */
const cutSection = (text: string, title: string): [string, string] => {
  const from = text.indexOf(`[${title}]`);
  const to = text.indexOf('\n[', from);
  const section = to < 0 ? text.slice(from) : text.slice(from, to + 1);
  return [section, text.replace(section, '')];
};

const without = (title: string): string => cutSection(TWILL, title)[1];

const expectFormatError = (text: string | Uint8Array, words: string | RegExp): void => {
  expect(() => readWif(text)).toThrow(FormatError);
  expect(() => readWif(text)).toThrow(words);
};

describe('the crossings', () => {
  test('pick 1 of a 2-2 twill has ends 1, 2, 5, 6 on top, and each pick moves by one', () => {
    const draft = readWif(TWILL);
    expect([draft.ends, draft.picks, draft.shafts]).toEqual([8, 4, 4]);
    expect(onTop(draft)).toEqual(ROWS);
    expect(draft.warnings).toEqual([]);
  });

  test('the draft is the weave that patterns make', () => {
    const { ends, picks, over } = readWif(TWILL);
    const twill = createTwill({ over: 2, under: 2, direction: 'Z' });
    for (let pick = 0; pick < picks; pick++) {
      // the file begins its repeat with the last end of the pattern's
      for (let end = 0; end < ends; end++) {
        expect(over[pick * ends + end] === 1, `end ${end}, pick ${pick}`).toBe(isWarpOver(twill, end + 3, pick));
      }
    }
    // as drafts are drawn, the last text is the first pick
    expect(over).toEqual(createWeave(['X..XX..X', '..XX..XX', '.XX..XX.', 'XX..XX..']).over);
  });

  test('a sinking shed turns the cloth over', () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8];
    for (const word of ['false', 'FALSE', '0', 'no', 'Off']) {
      const draft = readWif(TWILL.replace('Rising Shed=true', `Rising Shed=${word}`));
      expect(onTop(draft)).toEqual(ROWS.map((row) => all.filter((end) => !row.includes(end))));
    }
    expect(onTop(readWif(TWILL.replace('Rising Shed=true\n', '')))).toEqual(ROWS);
  });

  test('several treadles of a pick raise all their shafts, and an end may hang on several', () => {
    const treadled = readWif(`${without('TREADLING')}[TREADLING]\n1=1,2\n2=0\n3=\n4=4\n`);
    expect(onTop(treadled)).toEqual([[1, 2, 3, 5, 6, 7], [], [], [1, 4, 5, 8]]);
    const threaded = readWif(TWILL.replace('\n6=2\n', '\n6=3,4\n').replace('\n5=1\n', '\n5=0\n'));
    expect(onTop(threaded)).toEqual([
      [1, 2],
      [2, 3, 6, 7],
      [3, 4, 6, 7, 8],
      [1, 4, 6, 8],
    ]);
  });

  test('tie-up and treadling win over a lift plan; alone, or beside an empty tie-up, it counts', () => {
    const plan = '[LIFTPLAN]\n1=4\n2=3\n3=1,2\n4=1\n';
    const lifted = [
      [4, 8],
      [3, 7],
      [1, 2, 5, 6],
      [1, 5],
    ];
    expect(onTop(readWif(TWILL + plan))).toEqual(ROWS);
    expect(onTop(readWif(plan + TWILL))).toEqual(ROWS);
    expect(onTop(readWif(without('TIEUP') + plan))).toEqual(lifted);
    expect(onTop(readWif(`${without('TIEUP')}[TIEUP]\n${plan}`))).toEqual(lifted);
    expect(onTop(readWif(without('TREADLING') + plan))).toEqual(lifted);
  });
});

describe('colours and lengths', () => {
  test('threads have the defaults of their system, and sparse rows over them, in metres', () => {
    const { warp, weft } = readWif(TWILL);
    const [red, blue] = [
      [1, 0, 0],
      [0, 1 / 3, 1],
    ];
    expect(warp.colours).toEqual([red, red, blue, red, red, red, red, red]);
    expect(weft.colours).toEqual([blue, blue, blue, blue]);
    expect([...warp.spacing]).toEqual(Array(8).fill(0.2 * 0.01));
    expect([...warp.thickness]).toEqual(Array(8).fill(0.1 * 0.01));
    // a decipoint is 1/720 inch
    for (const [i, metres] of [0.00254, 0.00508, 0.00254, 0.00254].entries())
      expect(weft.spacing[i]).toBeCloseTo(metres, 15);
    expect(weft.thickness[3]).toBeCloseTo(0.00127, 15);
    const inches = readWif(TWILL.replace('Centimeters', 'INCHES'));
    expect(inches.warp.spacing[0]).toBeCloseTo(0.2 * 0.0254, 15);
  });

  test('a colour may bring its own red, green and blue; 0 and files without a table have none', () => {
    const draft = readWif(TWILL.replace('\n3=2\n', '\n3=2\n4=0\n5=7,0,999,0\n'));
    expect(draft.warp.colours.slice(2, 5)).toEqual([[0, 1 / 3, 1], undefined, [0, 1, 0]]);
    const bare = readWif(without('COLOR TABLE'));
    expect([...new Set([...bare.warp.colours, ...bare.weft.colours])]).toEqual([undefined]);
    expect(
      readWif(TWILL.replace('Range=0,999\n', '').replaceAll('999', '255').replace('333', '85')).warp.colours[0],
    ).toEqual([1, 0, 0]);
  });

  test('lengths that the file does not give are 0', () => {
    const draft = readWif(TWILL.replace('Units=Centimeters\nSpacing=0.2\nThickness=0.1\n', ''));
    expect([...draft.warp.spacing, ...draft.warp.thickness]).toEqual(Array(16).fill(0));
  });
});

describe('the text', () => {
  test('order, letter case, white space, line ends and comments do not matter', () => {
    const expected = readWif(TWILL);
    const sections = TWILL.split(/\n(?=\[)/).slice(1);
    const texts = [
      [...sections].reverse().join('\n'),
      TWILL.toUpperCase(),
      TWILL.toLowerCase(),
      TWILL.replaceAll('\n', '\r\n'),
      TWILL.replaceAll('\n', '\r'),
      TWILL.replaceAll('=', ' = ').replaceAll('\n', '  ; 1=7\n\n'),
      `\uFEFF${TWILL}[TEXT]\nTitle=a=b\n[PRIVATE Loom]\nno row at all\n[[\n`,
    ];
    for (const text of texts) expect(readWif(text)).toEqual(expected);
  });

  test('bytes are UTF-8, or else Latin-1', () => {
    const title = `${TWILL}[TEXT]\nTitle=Köper\n`;
    const expected = readWif(TWILL);
    expect(readWif(new TextEncoder().encode(title))).toEqual(expected);
    expect(readWif(new TextEncoder().encode(`\uFEFF${title}`))).toEqual(expected);
    expect(readWif(Uint8Array.from(title, (letter) => letter.charCodeAt(0)))).toEqual(expected);
    // a fault after the letter shows how it was read
    const fault = `${TWILL}[WARP SPACING]\n1=ö\n`;
    expectFormatError(
      Uint8Array.from(fault, (letter) => letter.charCodeAt(0)),
      'the spacing is "ö"',
    );
    expectFormatError(new TextEncoder().encode(fault), 'the spacing is "ö"');
  });
});

describe('faults', () => {
  const FAULTS: [text: string, words: string | RegExp][] = [
    ['', /^WIF file: there is no \[WIF\] section/],
    ['v 0 0 0\n', 'there is no [WIF] section'],
    [without('WARP'), '[WARP] has no Threads > 0'],
    [TWILL.replace('Threads=4', 'Threads=0'), '[WEFT] has no Threads > 0'],
    [TWILL.replace('Threads=8', 'Threads=eight'), ':22: Threads of [WARP] is "eight"; it must be a whole number'],
    [
      TWILL.replace('Threads=8', 'Threads=999999999'),
      ':22: Threads of [WARP] is 999999999; at most 100000 are supported',
    ],
    [
      TWILL.replace('Threads=8', 'Threads=100000').replace('Threads=4', 'Threads=99999'),
      'there are 100000 ends and 99999 picks; at most 67108864 crossings are supported',
    ],
    [TWILL.replace('Threads=8', 'Threads=7'), /:\d+: \[THREADING\] has a row for 8; there are 7 ends/],
    [TWILL.replace('\n8=4\n', '\n0=4\n'), '[THREADING] has a row for 0'],
    [TWILL.replace('Shafts=4', 'Shafts=3'), /:\d+: shaft 4 is used; there are 3/],
    [TWILL.replace('Shafts=4\n', ''), '[WEAVING] has no Shafts'],
    [TWILL.replace('Treadles=4', 'Treadles=3'), '[TIEUP] has a row for 4; there are 3 treadles'],
    [without('TIEUP'), 'the file has rows in [TREADLING] without [TIEUP]'],
    [without('TREADLING'), 'the file has rows in [TIEUP] without [TREADLING]'],
    [without('THREADING'), '[THREADING] is missing'],
    [TWILL.replace('3=3,4', '3=3 4'), 'a shaft is "3 4"; it must be a whole number'],
    [TWILL.replace('3=3,4', '3=-3'), 'a shaft is "-3"'],
    [TWILL.replace('3=3,4', '3'), '"3" in [TIEUP] has no "="'],
    [TWILL.replace('2=2,3\n', '1=2,3\n'), '"1" occurs twice in [TIEUP], first in line 53'],
    [TWILL.replace('Rising Shed=true', 'Rising Shed=up'), 'Rising Shed is "up"; it must be true or false'],
    [TWILL.replace('Units=Centimeters', 'Units=Parsecs'), ':24: Units is "Parsecs"; Decipoints, Inches and'],
    [TWILL.replace('Units=Centimeters', 'Units=constructor'), 'Units is "constructor"'],
    [TWILL.replace('Units=Centimeters\n', ''), 'the spacing has no unit; give [WARP] Units='],
    [TWILL.replace('Spacing=0.2', 'Spacing=-0.2'), ':25: the spacing is "-0.2"; it must be a number ≥ 0'],
    [TWILL.replace('Spacing=0.2', 'Spacing=1e999'), 'the spacing is "1e999"'],
    [TWILL.replace('2=144', '5=144'), '[WEFT SPACING] has a row for 5; there are 4 threads'],
    [TWILL.replace('\n3=2\n', '\n3=9\n'), 'colour 9 is used; [COLOR TABLE] has no such row'],
    [TWILL.replace('1=999,0,0', '1=1000,0,0'), 'a colour has "1000"; the Range of [COLOR PALETTE] is 0 to 999'],
    [TWILL.replace('1=999,0,0', '1=999,0'), 'colour 1 is "999,0"; it must be red,green,blue'],
    [TWILL.replace('1=999,0,0', '1=999,0,'), 'a colour has ""'],
    [TWILL.replace('0,999', '999,0'), 'Range is "999,0"; it must be two numbers'],
  ];
  test.each(FAULTS.map(([text, words]) => [words, text] as const))(
    'of WIF files are told in one sentence: %s',
    (words, text) => {
      expectFormatError(text, words);
    },
  );

  test('the name of the file stands before the line', () => {
    expect(() => readWif(TWILL.replace('Shafts=4', 'Shafts=x'), { source: 'twill.wif' })).toThrow(/^twill\.wif:18: /);
  });

  test('what leaves a draft is warned of: other versions, missing sections of the contents, missing rows', () => {
    const warnings = (text: string): readonly string[] => readWif(text, { source: 'a.wif' }).warnings;
    expect(warnings(TWILL.replace('Version=1.1', 'Version=2'))).toEqual([
      'a.wif:3: Version is "2"; 1.0 and 1.1 are supported.',
    ]);
    expect(warnings(without('WEFT SPACING'))).toEqual([
      'a.wif:16: [CONTENTS] lists WEFT SPACING, and the file has no such section; is it cut off?',
    ]);
    expect(warnings(TWILL.slice(0, TWILL.indexOf('3=3\n4=4\n', TWILL.indexOf('[TREADLING]'))))).toEqual([
      'a.wif: [TREADLING] has no row for 2 of 4 picks, the first is 3; they have no treadle.',
    ]);
  });

  test('every truncation ends in a FormatError, or in a draft that is whole or has warnings', () => {
    for (let length = 0; length < TWILL.length; length++) {
      try {
        const draft = readWif(TWILL.slice(0, length));
        const isWhole = JSON.stringify(onTop(draft)) === JSON.stringify(ROWS);
        expect(isWhole || draft.warnings.length > 0 || TWILL[length - 1] === '=', `cut at ${length}`).toBe(true);
      } catch (error) {
        expect(error, `cut at ${length}`).toBeInstanceOf(FormatError);
      }
    }
  });

  test('any damage ends in a draft or a FormatError', () => {
    const random = createRandom(7);
    const bytes = new TextEncoder().encode(TWILL);
    let drafts = 0;
    for (let trial = 0; trial < 3000; trial++) {
      const damaged = bytes.slice();
      for (let k = random.integer(1, 3); k > 0; k--)
        damaged[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      try {
        const draft = readWif(damaged);
        expect(draft.over.length).toBe(draft.picks * draft.ends);
        drafts++;
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
    expect(drafts).toBeGreaterThan(100);
  });
});
