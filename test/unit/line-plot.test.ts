/** Curves as SVG. */
import { encodeLinePlot, type LinePlot } from 'heddle/io';
import { expect, test } from 'vitest';

const PLOT: LinePlot = {
  title: 'a < b & c',
  xLabel: 'extension [1]',
  yLabel: 'force [N]',
  curves: [
    {
      name: 'one',
      points: [
        [0, 0],
        [0.04, 30],
        [0.05, 90],
      ],
    },
    {
      name: 'two',
      points: [
        [0, 0],
        [0.05, Number.NaN],
        [0.025, 50],
      ],
    },
  ],
};

const listLabels = (svg: string): string[] => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]);
const listPoints = (svg: string): number[][][] =>
  [...svg.matchAll(/points="([^"]*)"/g)].map((match) => match[1].split(' ').map((pair) => pair.split(',').map(Number)));

test('axes begin at 0 and end at the first round number beyond the curves; points lie between', () => {
  const svg = encodeLinePlot(PLOT);
  const labels = listLabels(svg);
  expect(labels).toEqual([
    'a &lt; b &amp; c',
    ...['0', '0.01', '0.02', '0.03', '0.04', '0.05'],
    ...['0', '20', '40', '60', '80', '100'],
    ...['extension [1]', 'force [N]', 'one', 'two'],
  ]);
  const [one, two] = listPoints(svg);
  // axes from 84 to 616 px, and upwards from 320 to 44 px
  expect(one).toEqual([
    [84, 320],
    [509.6, 237.2],
    [616, 71.6],
  ]);
  expect(two).toEqual([
    [84, 320],
    [350, 182],
  ]);
});

test('a logarithmic axis has powers of ten, and leaves out what is not above 0', () => {
  const svg = encodeLinePlot({ ...PLOT, isLogarithmic: true });
  expect(listLabels(svg).slice(7, -4)).toEqual(['10', '100']);
  const [one] = listPoints(svg);
  expect(one).toHaveLength(2);
  expect(one[0][1]).toBeCloseTo(320 - 276 * Math.log10(3), 0);
});

test('negative values, and no values, have axes, too', () => {
  const svg = encodeLinePlot({
    ...PLOT,
    curves: [
      {
        name: 'one',
        points: [
          [-1, -2e-4],
          [1, 4e-4],
        ],
      },
    ],
  });
  expect(listLabels(svg)).toEqual(expect.arrayContaining(['-1', '0', '1', '-2e-4', '4e-4']));
  expect(encodeLinePlot({ ...PLOT, curves: [] })).not.toMatch(/NaN|Infinity/);
  expect(encodeLinePlot({ ...PLOT, curves: [], isLogarithmic: true })).not.toMatch(/NaN|Infinity/);
});

test('marks stand at points without lines between them; a logarithmic x has powers of ten', () => {
  const [one] = PLOT.curves;
  const marked = {
    ...one,
    name: 'marks',
    points: [
      [0, 5],
      [0.1, 10],
      [10, 30],
    ] as const,
    isMarked: true,
  };
  const svg = encodeLinePlot({ ...PLOT, isLogarithmicX: true, curves: [one, marked] });
  expect(listLabels(svg).slice(1, 5)).toEqual(['0.01', '0.1', '1', '10']);
  expect(listPoints(svg)).toHaveLength(1);
  // what is not above 0 is left out; one of the marks is the legend's
  const marks = [...svg.matchAll(/<path d="M([\d.]+) /g)].map((match) => Number(match[1]));
  expect(marks).toHaveLength(3);
  expect(marks[0] + 6).toBeCloseTo(84 + 532 / 3, 0);
  expect(marks[1] + 6).toBeCloseTo(616, 0);
});
