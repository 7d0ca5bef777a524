/**
 * Programs of the docs, as printed. Recipes of docs/internals/extending.md: files and lines go into a copy of the source, which is compiled; then
 * the programs run against it, and those of the guide as well.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
// below the project, so that the packages that the engine needs are found
const PLACE = join(ROOT, 'node_modules', '.cache', `recipes-${process.pid}`);
const COPY = join(PLACE, 'node_modules', 'heddle');

interface Block {
  readonly section: string;
  readonly language: string;
  readonly name: string;
  readonly text: string;
}

/** Fenced blocks with a name after their language. */
function readBlocks(page: string): Block[] {
  const blocks: Block[] = [];
  let section = '';
  for (const [, heading, language, name, text] of page.matchAll(/^## (.+)$|^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)) {
    if (heading !== undefined) section = heading;
    else blocks.push({ section, language, name, text });
  }
  return blocks;
}

/** The text with the lines of a diff changed; what stays or goes must stand in it exactly once. */
function patch(text: string, { name, text: diff }: Block): string {
  const lines = diff.trimEnd().split('\n');
  const select = (marks: string) =>
    lines
      .filter((line) => marks.includes(line[0]))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const before = select(' -');
  if (text.split(before).length !== 2) throw new Error(`${name} does not have these lines once:\n${before}`);
  return text.replace(before, () => select(' +'));
}

const readPage = (name: string): Block[] => readBlocks(readFileSync(join(ROOT, 'docs', name), 'utf8'));
const isProgram = ({ name }: Block): boolean => name === 'try';

const blocks = readPage('internals/extending.md');
const programs = blocks.filter(isProgram);
const guide = ['guide/getting-started.md', 'guide/web-page.md'].flatMap(readPage).filter(isProgram);

beforeAll(() => {
  mkdirSync(COPY, { recursive: true });
  for (const name of ['src', 'tsconfig.json', 'package.json'])
    cpSync(join(ROOT, name), join(COPY, name), { recursive: true });
  for (const block of blocks) {
    const path = join(COPY, block.name);
    if (block.language === 'diff') writeFileSync(path, patch(readFileSync(path, 'utf8'), block));
    else if (block.name !== 'try') {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, block.text);
    }
  }
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', COPY], { encoding: 'utf8', stdio: 'pipe' });
});

const run = ({ section, text }: Block): string => {
  const file = join(PLACE, `${section.replaceAll(' ', '-')}.mjs`);
  writeFileSync(file, text);
  return execFileSync(process.execPath, [file], { encoding: 'utf8', stdio: 'pipe' });
};

afterAll(() => rmSync(PLACE, { recursive: true, force: true }));

describe('recipes of docs/internals/extending.md', () => {
  test('there is one for an exporter, a pattern, a collider and an energy', () => {
    expect(programs.map(({ section }) => section)).toEqual(['An exporter', 'A pattern', 'A collider', 'An energy']);
  });

  test.each(programs.map((program) => [program.section, program] as const))('run as programs: %s', (_, program) => {
    run(program);
  });
});

describe('programs of the guide', () => {
  test('getting started and the web page have one each', () => {
    expect(guide.map(({ section }) => section)).toEqual(['Use the library', 'Simulate in your page']);
  });

  test('they run, and the first prints what a pendulum pulls with', () => {
    const [first] = guide.map(run);
    expect(first).toMatch(/^11 nodes, at most \d\.\d N\n$/);
  });
});
