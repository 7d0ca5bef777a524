/** The table of docs/reference/mpm.md that says which test holds which check of the formulas: every test that it names is there. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Rows of the table: number, check, test file, title, measured. */
const rows = (read('docs/reference/mpm.md').split('## The checks of the formulas\n')[1] ?? '')
  .split('\n## ')[0]
  .split('\n')
  .filter((line) => /^\| (\d|[A-F])/.test(line))
  .map((line) => {
    // bars of formulas are escaped
    const [, number, check, held, measured] = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, file, title] = /^`([\w/-]+)`: (.+)$/.exec(held) ?? [];
    return { number, check, file, title, measured };
  });

test('has all twelve formulas and what they do together, each once and with a number', () => {
  const numbers = rows.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  const parts = new Set(numbers.map((number) => number.split('.')[0]));
  expect([...parts]).toEqual([...Array.from({ length: 12 }, (_, k) => String(k + 1)), 'A', 'B', 'C', 'D', 'E', 'F']);
  expect(rows.length).toBeGreaterThanOrEqual(32);
  for (const { check, measured } of rows) expect(Math.min(check.length, measured.length)).toBeGreaterThan(0);
});

test.each(rows)('$number is held by a test that exists', ({ file, title }) => {
  expect(file).toBeDefined();
  expect(existsSync(new URL(`../${file}.test.ts`, import.meta.url))).toBe(true);
  expect(read(`test/${file}.test.ts`)).toMatch(
    new RegExp(`['\`]${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}['\`],`),
  );
});
