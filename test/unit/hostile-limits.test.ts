/** The table of limits in docs/internals/hostile-input.md says what the sources say. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The value of a constant or a key in a source: a product of numbers, or a power. */
function findValue(path: string, name: string): number {
  const found = new RegExp(`\\b${name}(?: =|:) ([\\d_.e* -]+)[;,} ]`).exec(read(path));
  if (found === null) throw new Error(`${path} has no ${name}`);
  const numbers = found[1].replaceAll('_', '').trim();
  const power = /^(\d+) \*\* (\d+)$/.exec(numbers);
  if (power !== null) return Number(power[1]) ** Number(power[2]);
  return numbers.split('*').reduce((value, factor) => value * Number(factor), 1);
}

const rows = [...read('docs/internals/hostile-input.md').matchAll(/^\| (.+?) +\| (\S+) +\| `(src\/\S+) (\w+)` +\|$/gm)];

test('docs/internals/hostile-input.md lists more than 20 limits', () => {
  expect(rows.length).toBeGreaterThan(20);
});

test.each(rows.map(([, what, limit, path, name]) => [what, limit, path, name]))(
  'the limit of %s in the docs is that of the source: %s',
  (_, limit, path, name) => {
    expect(findValue(path, name)).toBe(Number(limit.replaceAll(',', '')));
  },
);
