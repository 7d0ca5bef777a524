/** knitout programs that knit a flat piece as grids of instructions, and those that do not. */
import { createKnitFromKnitout, readKnitout } from 'heddle/io';
import { FormatError } from 'heddle/model';
import { createChart, createKnitNet, findKnitFault } from 'heddle/patterns';
import { expect, test } from 'vitest';

/** A program on needles 1 … 4: a cast-on of two passes, then what is given, one operation a text. */
const write = (operations: readonly string[]): string =>
  [
    ';!knitout-2',
    ';;Carriers: 1 2 3',
    'inhook 3',
    'tuck - f4 3',
    'tuck - f2 3',
    'tuck + f1 3',
    'tuck + f3 3',
    'releasehook 3',
    ...operations,
    'outhook 3',
  ].join('\n');
const NEEDLES = [1, 2, 3, 4];
/** A pass over some of the needles. */
const knit = (direction: '+' | '-', needles: readonly string[], carrier = '3'): string[] =>
  (direction === '+' ? needles : [...needles].reverse()).map((needle) =>
    needle.startsWith('!')
      ? `miss ${direction} ${needle.slice(1)} ${carrier}`
      : `knit ${direction} ${needle} ${carrier}`,
  );
const front = NEEDLES.map((n) => `f${n}`);
const convert = (operations: readonly string[]) =>
  createKnitFromKnitout(readKnitout(write(operations)), { source: 'a.k' });

test('passes to and fro on the front bed are stockinette, on a cast-on of one course', () => {
  const piece = convert([...knit('-', front), ...knit('+', front), ...knit('-', front), 'drop f1', 'drop f2']);
  expect(createChart(piece)).toEqual({ chart: ['kkkk', 'kkkk', 'kkkk', 'kkkk'], carriers: Array(4).fill('0000') });
  expect(findKnitFault(piece)).toBeUndefined();
  // two passes the same way are two courses
  expect(convert([...knit('-', front), ...knit('-', front)]).courses).toBe(3);
});

test('loops on the back bed are purl: transfers make rib and garter', () => {
  const rib = ['f1', 'b2', 'f3', 'b4'];
  const back = ['b1', 'b2', 'b3', 'b4'];
  const piece = convert([
    'xfer f2 b2',
    'xfer f4 b4',
    ...knit('-', rib),
    ...knit('+', rib),
    'xfer f1 b1',
    'xfer f3 b3',
    ...knit('-', back),
  ]);
  expect(createChart(piece).chart).toEqual(['pppp', 'kpkp', 'kpkp', 'kkkk']);
});

test('needles that a pass leaves out are slipped, with the yarn between the beds', () => {
  const piece = convert([
    'xfer f3 b3',
    ...knit('-', ['f1', 'f4']),
    ...knit('+', ['f1', '!f2', 'b3', '!f4']),
    ...knit('-', ['f1', 'f2', 'b3', 'f4']),
  ]);
  expect(createChart(piece).chart).toEqual(['kkpk', 'ksps', 'ksfk', 'kkkk']);
});

test('passes of several carriers that knit every needle once are a course of jacquard', () => {
  const piece = convert([
    'inhook 1',
    ...knit('-', ['f1', 'f4']),
    ...knit('-', ['f2', 'f3'], '1'),
    'releasehook 1',
    ...knit('+', ['f2'], '1'),
    ...knit('+', ['f1', 'f3', 'f4']),
    ...knit('-', front),
    'outhook 1',
  ]);
  expect(createChart(piece)).toEqual({
    chart: Array(4).fill('kkkk'),
    carriers: ['0000', '0100', '0110', '0000'],
  });
  const net = createKnitNet({ knit: piece, spacing: { wale: 8, course: 7 }, radius: 1 });
  // cast-on yarn, courses of 1, 2, 2 and 1 carriers, bind-off yarn
  expect(Array.from(net.yarnGroup)).toEqual([0, 0, 0, 1, 0, 1, 0, 0]);
});

test.each<[string, string[], RegExp]>([
  ['a tube', [...knit('-', front), 'knit + b2 3'], /a\.k:13: needle 2 would hold loops on both beds/],
  ['a tuck', [...knit('-', front), 'tuck + f1 3'], /a\.k:13: tuck puts a second loop on needle 1/],
  ['a split', ['split + f1 b1 3'], /a\.k:9: split makes two loops from one/],
  ['an increase', [...knit('-', front), 'knit - f0 3'], /a\.k:13: needle 0 holds no loop/],
  ['a cable', ['rack 1', 'xfer f2 b1'], /a\.k:9: rack is 1/],
  ['a move', ['xfer f2 b1'], /a\.k:9: xfer moves a loop from needle 2 to 1/],
  ['a short row', [...knit('-', front), ...knit('+', ['f1', 'f2'])], /a\.k:13: carrier 3 goes only from needle 1 to 2/],
  ['plating', ['inhook 1', 'knit - f4 3 1'], /a\.k:10: knit has 2 carriers/],
  ['a hole', [...knit('-', front), 'drop f2', 'knit + f1 3'], /a\.k:14: loops were dropped in line 13/],
  ['a slide needle', ['xfer f2 bs2'], /a\.k:9: needle 2 is a slide needle/],
  ['a cast-on alone', [], /a\.k: no loop is drawn through another one/],
])('%s is no flat piece and is refused with its line', (_, operations, words) => {
  expect(() => convert(operations)).toThrow(FormatError);
  expect(() => convert(operations)).toThrow(words);
});
