/** README.md and docs/: library examples run and print what the pages say, commands exist, pictures are small. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXPORTERS } from 'heddle/io';
import { expect, test, vi } from 'vitest';
import { PAGES } from '../../scripts/build-docs.js';
import { makeWorkplace } from './cli-fixtures.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test.each(['README.md', 'docs/reference/rod.md', 'docs/reference/textile-formats.md'])(
  'the library examples of %s print what the page says',
  async (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const examples = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]);
    const said = [...text.matchAll(/It prints `([^`]+)`\./g)].map((match) => [match[1]]);
    expect(examples.length).toBeGreaterThan(0);
    const folder = mkdtempSync(join(tmpdir(), 'heddle-readme-'));
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    try {
      for (const [i, example] of examples.entries()) {
        const file = join(folder, `example-${i}.ts`);
        writeFileSync(file, example);
        await import(/* @vite-ignore */ file);
        expect(log.mock.calls).toEqual(said.slice(0, i + 1));
      }
      expect(said.length).toBe(examples.length);
    } finally {
      log.mockRestore();
      rmSync(folder, { recursive: true });
    }
  },
);

/** Largest picture [bytes]: of a still, and of the one that moves. */
const LARGEST = { still: 300_000, moving: 2_000_000 };

test('pictures are small: stills at most 300 kB, an animated one at most 2 MB', () => {
  const folder = join(root, 'docs/pictures');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.png'))) {
    const bytes = readFileSync(join(folder, name));
    // an animated PNG says so in a chunk acTL before its first image
    const isAnimated = bytes.subarray(0, bytes.indexOf('IDAT')).includes('acTL');
    expect(bytes.length, name).toBeLessThanOrEqual(isAnimated ? LARGEST.moving : LARGEST.still);
  }
});

test('the README fits on a screen and a half', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(150);
});

/** Commands that a page shows, in a block or in the text: the command, and what follows it. */
const listCommands = (text: string): string[][] =>
  [...text.matchAll(/npx heddle (\w+)([^`\n]*)/g)].map(([, command, rest]) => [command, rest.split(/ {2,}/)[0]]);

const guide = PAGES.flatMap(([, names]) => names as string[]).filter(
  (page) => page.startsWith('docs/guide/') || page.endsWith('/commands.md'),
);

test.each(['README.md', ...guide])('the commands, options and scenes that %s shows exist', async (page) => {
  const shown = listCommands(readFileSync(join(root, page), 'utf8'));
  const workplace = makeWorkplace();
  for (const [command, rest] of shown) {
    const { stdout, code } = await workplace.run(command, '--help');
    expect(code, command).toBe(0);
    for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(stdout, command).toContain(option);
    for (const [, scene] of rest.matchAll(/(?:^| |out\/)((?:strand|sheet|rod|fabric|mpm|mixed)-[a-z-]+)(?![\w.-])/g))
      if (command === 'run' || command === 'render')
        expect(existsSync(join(root, 'scenes', `${scene}.json`)), scene).toBe(true);
  }
});

test('the README shows a command of each model, and the number of scenes in the gallery', () => {
  for (const model of ['strand', 'rod', 'sheet', 'fabric', 'mpm']) expect(readme).toMatch(`npx heddle run ${model}-`);
  const count = readdirSync(join(root, 'scenes')).filter((name) => name.endsWith('.json')).length;
  expect(readme).toContain(`${count} gallery scenes`);
});

test('docs/reference/commands.md has a section for every command', async () => {
  const { stdout } = await makeWorkplace().run('--help');
  const [, table] = stdout.split(/^Commands:\n/m);
  const commands = [...table.split('\n\n')[0].matchAll(/^ {2}(\w+) /gm)].map((match) => match[1]);
  const sections = [...readFileSync(join(root, 'docs/reference/commands.md'), 'utf8').matchAll(/^## (\w+)$/gm)];
  expect(sections.map((match) => match[1]).sort()).toEqual(commands.filter((name) => name !== 'help').sort());
});

test('docs/reference/formats.md lists every exporter as the registry describes it', () => {
  const page = readFileSync(join(root, 'docs/reference/formats.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| `(\.\w+)` \| (.+) \|$/gm)].map((match) => match.slice(1));
  expect(rows).toEqual(EXPORTERS.map(({ name, extension, description }) => [name, extension, description]));
});
