/** knitout: what a knitting program says, and what faulty ones do. */
import { readKnitout } from 'heddle/io';
import { createRandom } from 'heddle/math';
import { FormatError } from 'heddle/model';
import { describe, expect, test } from 'vitest';

const PROGRAM = `;!knitout-2
;;Machine: SWG091N2
;;Gauge: 15
;;Yarn-5: 50-50 Rust
;;Carriers: 1 2 5 A
;;Position: Right

inhook 5 ; a comment; and more
stitch 10 -2.5
rack 0.25
tuck - f10 5
\ttuck  +  b-2\t5
;;not a header any more
knit + fs3 5
releasehook 5
in 2 A
miss - bs3 A 2
split + f10 b10 2 5
xfer b10 f11
drop f11
amiss b-2
knit + b7
pause
outhook 5
out A 2`;

const expectFormatError = (text: string | Uint8Array, words: string | RegExp): void => {
  expect(() => readKnitout(text)).toThrow(FormatError);
  expect(() => readKnitout(text)).toThrow(words);
};

const needle = (bed: 'front' | 'back', index: number, isSlider = false) => ({ bed, isSlider, index });

describe('a program', () => {
  test('has its operations with their lines, carriers, needles and headers', () => {
    const program = readKnitout(PROGRAM);
    expect(program.operations).toEqual([
      { line: 8, name: 'inhook', carriers: ['5'] },
      { line: 9, name: 'stitch', leading: 10, trailing: -2.5 },
      { line: 10, name: 'rack', racking: 0.25 },
      { line: 11, name: 'tuck', direction: -1, needle: needle('front', 10), carriers: ['5'] },
      { line: 12, name: 'tuck', direction: 1, needle: needle('back', -2), carriers: ['5'] },
      { line: 14, name: 'knit', direction: 1, needle: needle('front', 3, true), carriers: ['5'] },
      { line: 15, name: 'releasehook', carriers: ['5'] },
      { line: 16, name: 'in', carriers: ['2', 'A'] },
      { line: 17, name: 'miss', direction: -1, needle: needle('back', 3, true), carriers: ['A', '2'] },
      {
        line: 18,
        name: 'split',
        direction: 1,
        needle: needle('front', 10),
        target: needle('back', 10),
        carriers: ['2', '5'],
      },
      { line: 19, name: 'xfer', needle: needle('back', 10), target: needle('front', 11) },
      { line: 20, name: 'drop', needle: needle('front', 11) },
      { line: 21, name: 'amiss', needle: needle('back', -2) },
      { line: 22, name: 'knit', direction: 1, needle: needle('back', 7), carriers: [] },
      { line: 23, name: 'pause' },
      { line: 24, name: 'outhook', carriers: ['5'] },
      { line: 25, name: 'out', carriers: ['A', '2'] },
    ]);
    expect(program.version).toBe(2);
    expect(program.carriers).toEqual(['1', '2', '5', 'A']);
    expect([...program.headers]).toEqual([
      ['Machine', 'SWG091N2'],
      ['Gauge', '15'],
      ['Yarn-5', '50-50 Rust'],
      ['Position', 'Right'],
    ]);
    expect(program.needles).toEqual([
      needle('front', 10),
      needle('back', -2),
      needle('front', 3, true),
      needle('back', 3, true),
      needle('back', 10),
      needle('front', 11),
      needle('back', 7),
    ]);
    expect(program.warnings).toEqual([]);
  });

  test('comments and empty lines may stand in the header', () => {
    const text = PROGRAM.replace(';;Gauge', '; by hand\n\n  ;\n;;Gauge');
    expect(readKnitout(text).headers).toEqual(readKnitout(PROGRAM).headers);
    expect(readKnitout(text).operations[0].line).toBe(11);
  });

  test('bytes are UTF-8 and nothing else', () => {
    expect(readKnitout(new TextEncoder().encode(PROGRAM))).toEqual(readKnitout(PROGRAM));
    expectFormatError(Uint8Array.of(0x3b, 0x21, 0xff), 'knitout file is not UTF-8 text');
  });

  test('one needle is one object, however it is written', () => {
    const { needles, operations } = readKnitout(';!knitout-2\n;;Carriers: 1\ndrop f7\ndrop f07\ndrop f-0\ndrop f0\n');
    expect(needles).toEqual([needle('front', 7), needle('front', 0)]);
    expect(operations.map((operation) => 'needle' in operation && needles.indexOf(operation.needle))).toEqual([
      0, 0, 1, 1,
    ]);
  });

  test('a carrier may come in again after it went out, and the hook take it again', () => {
    const again = 'inhook 5\ntuck - f1 5\nouthook 5\n';
    const program = readKnitout(
      `;!knitout-2\n;;Carriers: 5\n${again}${again}inhook 5\ntuck - f1 5\nreleasehook 5\nout 5\n`,
    );
    expect(program.operations.length).toBe(10);
    expect(program.warnings).toEqual([]);
  });
});

describe('warnings', () => {
  const warnings = (text: string) => readKnitout(text).warnings;

  test('extensions are left out and told of, operations and headers', () => {
    const text = PROGRAM.replace('pause', 'x-presser-mode auto\npause\nx-stitch-number 4').replace(
      ';;Gauge',
      ';;X-Other: 1\n;;Gauge',
    );
    const program = readKnitout(text);
    expect(program.warnings).toEqual([
      { line: 3, message: 'the header "X-Other" is unknown' },
      { line: 24, message: 'the extension "x-presser-mode" is unknown and ignored' },
      { line: 26, message: 'the extension "x-stitch-number" is unknown and ignored' },
    ]);
    expect(program.operations.length).toBe(readKnitout(PROGRAM).operations.length);
    expect(program.headers.get('X-Other')).toBe('1');
  });

  test('later versions and other line ends are read', () => {
    expect(warnings(PROGRAM.replace('-2', '-3'))).toEqual([
      { line: 1, message: 'the version is 3; 2 is the latest known' },
    ]);
    const other = readKnitout(PROGRAM.replaceAll('\n', '\r\n'));
    expect(other.warnings).toEqual([{ line: 1, message: 'lines end with CR LF; knitout ends them with LF' }]);
    expect({ ...other, warnings: [] }).toEqual(readKnitout(PROGRAM));
  });

  test('a program that ends with carriers in action may be cut off', () => {
    expect(warnings(PROGRAM.slice(0, PROGRAM.lastIndexOf('\n')))).toEqual([
      { line: 16, message: 'carrier 2 is brought in here and never taken out; is the file cut off?' },
      { line: 16, message: 'carrier A is brought in here and never taken out; is the file cut off?' },
    ]);
  });
});

describe('faults', () => {
  const program = (operations: string): string => `;!knitout-2\n;;Carriers: 1 2\n${operations}\n`;
  test.each([
    ['knitout file:1: the first line is ""; knitout begins with ";!knitout-2".', ''],
    ['the first line is ";!knitout-two"', ';!knitout-two\n'],
    [':1: the header has no line ";;Carriers: …"', ';!knitout-2'],
    [':2: the header line ";;Carriers 1" has no ":"', ';!knitout-2\n;;Carriers 1\n'],
    [':3: the header ";;Carriers:" occurs twice', ';!knitout-2\n;;Carriers: 1\n;;Carriers: 2\n'],
    [':2: the carrier "1" occurs twice in the header', ';!knitout-2\n;;Carriers: 1 2 1\n'],
    [':3: "nkit" is not a knitout operation. Did you mean "knit"?', program('nkit + f1 1')],
    ['"constructor" is not a knitout operation. Known: in, inhook, ', program('constructor')],
    [':4: the direction is "x"; it must be + or -.', program('in 1\nknit x f1 1')],
    [':3: the needle is "f1.5"; it must be f, b, fs or bs and a whole number, such as f12.', program('drop f1.5')],
    ['the needle is "g1"', program('drop g1')],
    ['the needle is "f12345678901"', program('drop f12345678901')],
    [':3: "knit +" has 1 words after knit; it must be "knit DIRECTION NEEDLE CARRIERS".', program('knit +')],
    ['"drop f1 1" has 2 words after drop; it must be "drop NEEDLE".', program('drop f1 1')],
    ['"split + f1" has 2 words', program('split + f1')],
    ['"in" has 0 words after in; it must be "in CARRIERS".', program('in')],
    ['"pause 1" has 1 words', program('pause 1')],
    ['"stitch 1" has 1 words', program('stitch 1')],
    ['"1e5" is not a number', program('rack 1e5')],
    ['"NaN" is not a number', program('stitch NaN 1')],
    [':3: the carrier "3" is not in the header ";;Carriers: 1 2".', program('in 3')],
    [':3: the carrier "-" is not in the header', program('inhook - f10 1')],
    ['the carrier "1" occurs twice.', program('in 1 1')],
    [':3: carrier 1 is not active; bring it in with "in" or "inhook" first.', program('knit + f1 1')],
    [':4: carrier 1 is already active, since line 3.', program('in 1\ninhook 1')],
    [':3: carrier 2 is not active, so outhook has no effect.', program('outhook 2')],
    ['carrier 1 is not active', program('in 1\nout 1\ntuck + f1 1')],
    [':5: the hook does not hold the carriers 1;', program('in 1\nknit + f1 1\nreleasehook 1')],
    ['the hook does not hold the carriers 1;', program('inhook 1 2\nknit + f1 1\nreleasehook 1')],
    ['the hook does not hold the carriers 1;', program('inhook 1\nknit + f1 1\nreleasehook 1\nreleasehook 1')],
    [
      'the hook does not hold the carriers 1;',
      program('inhook 1\nknit + f1 1\nout 1\nin 1\nknit + f1 1\nreleasehook 1'),
    ],
    [':4: nothing was knitted with 1 since inhook', program('inhook 1\nreleasehook 1')],
    [':3: f1 and fs2 are on the same bed; loops must go to the other bed.', program('xfer f1 fs2')],
    ['b1 and b2 are on the same bed', program('split + b1 b2')],
  ])('of knitout files are told in one sentence: %s', (words, text) => {
    expectFormatError(text, words);
  });

  test('the name of the file stands before the line', () => {
    expect(() => readKnitout(program('in 3'), { source: 'sock.k' })).toThrow(/^sock\.k:3: the carrier/);
  });

  test('a program cut anywhere is a FormatError, or has a warning until all carriers are out', () => {
    const whole = readKnitout(PROGRAM).operations.length;
    for (let length = 0; length < PROGRAM.length; length++) {
      try {
        const { operations, warnings } = readKnitout(PROGRAM.slice(0, length));
        expect(operations.length).toBeLessThanOrEqual(whole);
        if (operations.length > 0) expect(warnings.length, `cut at ${length}`).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
  });

  test('any damage ends in a program or a FormatError', () => {
    const random = createRandom(3);
    const bytes = new TextEncoder().encode(PROGRAM);
    let programs = 0;
    for (let trial = 0; trial < 3000; trial++) {
      const damaged = bytes.slice();
      for (let k = random.integer(1, 3); k > 0; k--)
        damaged[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      try {
        readKnitout(damaged);
        programs++;
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
    expect(programs).toBeGreaterThan(100);
  });
});
