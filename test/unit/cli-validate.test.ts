/** What `heddle validate` prints, writes and ends with; what laws measure is in test/laws. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAWS } from 'heddle/validate';
import { describe, expect, test } from 'vitest';
import { makeWorkplace } from './cli-fixtures.ts';

describe('heddle validate', () => {
  test('prints a table of a law and ends with 0 where it holds', async () => {
    const { code, stdout } = await makeWorkplace().run('validate', 'rod-euler-buckling');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^passes {2}rod-euler-buckling: a column buckles at π² EI\/4L²$/m);
    expect(stdout).toMatch(/^ +parameter +predicted +measured +error +order/m);
    expect(stdout).toMatch(/^ +1 +2\.4674 +2\.41805 … 2\.51675 +2 % +– +pass$/m);
    expect(stdout).toMatch(/^1 laws, 1 pass, 0 fail$/m);
  });

  test('fails with 1 where a stiffness is wrong, and says which law', async () => {
    const { code, stdout } = await makeWorkplace().run('validate', 'rod-torque', '--scale-stiffness', 'GJ=1.1');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAILS {2}rod-torque/m);
    expect(stdout).toMatch(/ 10 % +[-–\d.]+ +FAIL$/m);
    expect(stdout).toMatch(/^1 laws, 0 pass, 1 fail: rod-torque$/m);
  });

  test('--json prints the same; --report writes a page and pictures', async () => {
    const place = makeWorkplace();
    const { code, stdout } = await place.run('validate', 'strand-atwood', '--json', '--report', 'here');
    expect(code).toBe(0);
    const { passes, laws } = JSON.parse(stdout);
    expect(passes).toBe(true);
    expect(laws).toHaveLength(1);
    expect(laws[0]).toMatchObject({ name: 'strand-atwood', model: 'strand', passes: true, tolerance: 0.01 });
    expect(laws[0].rows).toHaveLength(4);
    expect(laws[0].rows[1].predicted).toBeCloseTo(1.962, 9);
    expect(readdirSync(join(place.folder, 'here')).sort()).toEqual(['index.html', 'strand-atwood.svg']);
    expect(readFileSync(join(place.folder, 'here/index.html'), 'utf8')).toContain('<title>Heddle: validation</title>');
  });

  test('numbers that are none are null in JSON', async () => {
    const { code, stdout } = await makeWorkplace().run('validate', 'mpm-slip', '--json', '--scale-stiffness', 'k=2');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).laws[0].rows[0]).toMatchObject({ errors: [null], passes: false });
  });

  test('--list says which laws there are; --faults whether they can fail', async () => {
    const { code, stdout } = await makeWorkplace().run('validate', '--list');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(LAWS.length);
    const faults = await makeWorkplace().run('validate', 'mpm-slip', '--faults');
    expect(faults.code).toBe(0);
    expect(faults.stdout).toMatch(/^mpm-slip +gamma +noticed/m);
    expect(faults.stdout).toMatch(/^2 faults of 1.1 in 1 laws, 0 not noticed$/m);
  });

  test.each([
    [['rods'], /"rods" is neither a model with laws nor a law\..*rod/],
    [['rod', '--scale-stiffness', 'EI'], /not a stiffness with a factor > 0/],
    [['rod', '--scale-stiffness', 'EX=1.1'], /Stiffnesses: EA, GA, EI/],
    [['rod', '--scale-stiffness', 'EI=-1'], /not a stiffness with a factor > 0/],
    [['rod', '--json', '--markdown'], /--json and --markdown/],
    [['rod', '--faults', '--report', 'x'], /--faults sets its own faults/],
    [['rod', '--report', '/proc/nowhere'], /cannot be created|permission denied|does not exist/],
  ])('ends with 2 for %j', async (argv, sentence) => {
    const { code, stderr } = await makeWorkplace().run('validate', ...argv);
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
  });
});

test('docs/internals/validation.md has every law of the registry, and all hold', () => {
  const page = readFileSync(new URL('../../docs/internals/validation.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| (.*) \| (holds|\*\*fails\*\*) \|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(LAWS.map(({ name }) => name));
  expect(rows.every(([, , , result]) => result === 'holds')).toBe(true);
  for (const [k, { title }] of LAWS.entries()) expect(rows[k][2].startsWith(title)).toBe(true);
});
