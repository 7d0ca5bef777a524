/** The tables of docs/reference/mixed.md, held against what scenes with two things do. */
import { readFileSync } from 'node:fs';
import { type SceneInput, validateScene } from 'heddle';
import { expect, test } from 'vitest';
import {
  build,
  computeDistance,
  createFalling,
  createLaid,
  createTied,
  type Kind,
  MATERIALS,
  readProbes,
  readVector,
} from '../laws/mixed-scenes.ts';

const ALL = ['strand', 'rod', 'sheet', 'fabric', 'body', 'continuum'] as const;
const OBJECTS = ['strand', 'rod', 'sheet', 'fabric'] as const;

/** Cells of the table whose first heading is `name`, by row and column. */
function readTable(name: string): (row: string, column: string) => string {
  const lines = readFileSync(new URL('../../docs/reference/mixed.md', import.meta.url), 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith(`| ${name} `));
  const cells = (line: string): string[] => line.split('|').slice(1, -1).map((cell) => cell.trim()); // biome-ignore format: one line
  const [, ...columns] = cells(lines[first]);
  const rows = new Map<string, string[]>();
  for (let n = first + 2; lines[n].startsWith('|'); n++) {
    const [row, ...values] = cells(lines[n]);
    rows.set(row, values);
  }
  return (row, column) => rows.get(row)![columns.indexOf(column)];
}

test('ties: every cell that says yes is a scene that runs, and the table is symmetric', () => {
  const cell = readTable('tie');
  for (const first of OBJECTS)
    for (const second of ALL) {
      const says = cell(first, second);
      if (second !== 'body') expect(cell(second, first), `${second}, ${first}`).toBe(says);
      if (second === 'continuum') expect(says).toBe('–');
      else {
        expect(says, `${first}, ${second}`).toBe('yes');
        const world = build(createTied(first, second as Kind));
        world.step();
        expect(world.rows.count, `${first}, ${second}`).toBeGreaterThanOrEqual(3);
      }
    }
});

/** An object and sand, tied where that is asked for; the sand touches the object. */
const createWithSand = (kind: (typeof OBJECTS)[number], isTied: boolean): SceneInput => ({
  heddle: 1,
  name: 'sand',
  title: 'Sand',
  gravity: [0, 0, 0],
  materials: MATERIALS,
  objects: [
    createLaid(kind, 'other', 0, false),
    {
      type: 'mpm',
      id: 'grid',
      spacing: 0.05,
      touching: ['other'],
      parts: [
        {
          id: 'sand',
          pattern: { type: 'fill', shape: { type: 'box', size: [0.1, 0.1, 0.1] } },
          material: { type: 'sand', density: 1500, youngsModulus: 1e5, frictionAngle: 30 },
          velocity: [0, -0.5, 0],
        },
      ],
    },
  ],
  drivers: isTied
    ? [
        {
          type: 'tie',
          on: {
            object: 'sand',
            worldBox: [[-1, -1, -1], [1, 1, 1]], // biome-ignore format: box
          },
          to: { object: 'other', at: 'start' },
        },
      ]
    : [],
  probes: [
    { id: 'p', type: 'momentum' },
    { id: 'other', type: 'momentum', object: 'other' },
  ],
  time: { step: 1e-3, duration: 1 },
});

test('ties: a continuum is refused, as the table says', () => {
  expect(() => validateScene(createWithSand('strand', true))).toThrow(/tied to static and scripted bodies only/);
});

test('objects of different types touch by "touching", those of one type as the table says', () => {
  const cell = readTable('touch');
  for (const first of OBJECTS)
    for (const second of OBJECTS) {
      const says = cell(first, second);
      expect(cell(second, first)).toBe(says);
      if (first === second) continue;
      expect(says, `${first}, ${second}`).toBe('`touching`');
      expect(build(createFalling(first, second)).couplings.length).toBeGreaterThan(0);
      expect(build(createFalling(first, second, { objects: [] })).couplings).toHaveLength(0);
    }
  const one = (kind: (typeof OBJECTS)[number], extra: Partial<SceneInput> = {}): number =>
    build({ ...createFalling(kind, kind), ...extra }).couplings.length;
  expect(OBJECTS.map((kind) => cell(kind, kind))).toEqual(['`crossings`', '`contact`', '`contact`', 'named']);
  expect(OBJECTS.map((kind) => one(kind))).toEqual([0, 1, 1, 0]);
  expect(one('strand', { crossings: {} })).toBe(1);
  expect(one('fabric', { touching: { objects: ['low', 'high'] } })).toBe(1);
});

test.each(OBJECTS)('an MPM object touches a %s that it names, as the table says', (kind) => {
  const cell = readTable('touch');
  expect([cell(kind, 'continuum'), cell('continuum', kind)]).toEqual(['own `touching`', 'own `touching`']);
  const world = build(createWithSand(kind, false));
  const before = readVector(readProbes(world), 'p');
  for (let n = 0; n < 5; n++) world.step();
  const after = readProbes(world);
  // the sand moves, the object in it did not
  expect(after('other.y')).toBeLessThan(-1e-5);
  expect(computeDistance(readVector(after, 'p'), before)).toBeLessThan(1e-5 * Math.hypot(...before));
});
