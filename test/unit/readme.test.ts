/** README.md and docs/: library examples run and print what the pages say, links and pictures exist. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, parseScene } from 'heddle';
import { EXPORTERS } from 'heddle/io';
import { expect, test, vi } from 'vitest';
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

test('the files that the documents link to exist, and pictures are at most 300 kB', () => {
  for (const page of [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/reference/strand.md',
    'docs/reference/sheet.md',
    'docs/reference/rod.md',
    'docs/internals/qp.md',
    'docs/reference/formats.md',
    'docs/reference/textile-formats.md',
    'docs/guide/studio.md',
    'docs/dependencies.md',
  ]) {
    const text = readFileSync(join(root, page), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map((match) => match[1]);
    for (const link of links) {
      const path = join(root, page, '..', link);
      expect(existsSync(path), `${page} → ${link}`).toBe(true);
      if (link.endsWith('.png')) expect(statSync(path).size, link).toBeLessThanOrEqual(300_000);
    }
  }
});

test('the commands, options and scenes that the README shows exist', async () => {
  const shown = [...readme.matchAll(/^ {4}npx heddle (\w+)(.*?)(?: {2,}.*)?$/gm)];
  expect(shown.length).toBeGreaterThan(5);
  for (const [, command, rest] of shown) {
    const { stdout, code } = await makeWorkplace().run(command, '--help');
    expect(code, command).toBe(0);
    for (const [option] of rest.matchAll(/--[a-z]+/g)) expect(stdout, command).toContain(option);
  }
  for (const [, scene] of readme.matchAll(/(?<!\w)((?:strand|sheet|rod)-[a-z-]+)(?![\w-]|\.(?:md|png))/g))
    expect(existsSync(join(root, 'scenes', `${scene}.json`)), scene).toBe(true);
});

test('the scene example of docs/reference/rod.md is valid', () => {
  const page = readFileSync(join(root, 'docs/reference/rod.md'), 'utf8');
  const [, scene] = /```json\n([\s\S]*?)```/.exec(page)!;
  expect(compile(parseScene(scene)).nodeCount).toBeGreaterThan(100);
});

test('docs/reference/formats.md lists every exporter as the registry describes it', () => {
  const page = readFileSync(join(root, 'docs/reference/formats.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| `(\.\w+)` \| (.+) \|$/gm)].map((match) => match.slice(1));
  expect(rows).toEqual(EXPORTERS.map(({ name, extension, description }) => [name, extension, description]));
});
