/** Texts that users read have the words of the field, not private ones. */

import { readdirSync, readFileSync } from 'node:fs';
import { computeJsonSchema } from 'heddle/scene';
import { describe, expect, test } from 'vitest';
import { makeWorkplace } from './cli-fixtures.ts';

/** Private words, and what to write instead. */
const PRIVATE: readonly (readonly [RegExp, string])[] = [
  [/\bforces move\b/i, 'dynamic body'],
  [/\bas (it is|they are) told\b/i, 'scripted'],
  [/\banew\b/i, 'again'],
  [/\b(mend|mends|mended|put right|made good)\b/i, 'fix'],
  [/\blet be\b/i, 'accept'],
  [/\bfilms?\b/i, 'video'],
  [/\btak(e|es|en) (it |them )?away\b/i, 'export, remove'],
  [/\bguests?\b/i, 'coupled nodes'],
  [/\bcontinu(a|um)\b/i, 'MPM object, particles'],
  [/\bby (how much|what)\b/i, 'the amount'],
  [/\b(grab|grabs|grabbed|takes? hold)\b/i, 'drag'],
  [/\b(the|your) hand\b/i, 'drag'],
  [/\bis no limit\b/i, 'unknown limit'],
  [/\b\d+ an? (node|step|point|vertex|item|frame)\b/i, 'per node'],
];

const findPrivate = (text: string): string[] =>
  PRIVATE.flatMap(([word, plain]) => (word.test(text) ? [`"${text.match(word)![0]}" (${plain}) in: ${text}`] : []));

const findAll = (texts: readonly string[]): string[] => [...new Set(texts)].flatMap(findPrivate);

/** All descriptions below a value of the JSON Schema. */
const listDescriptions = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'description' && typeof inner === 'string' ? [inner] : listDescriptions(inner),
  );
};

const root = new URL('../../', import.meta.url);

const listSources = (folder: string): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') || name.endsWith('.html'))
    .map((name) => readFileSync(new URL(`${folder}/${name}`, root), 'utf8'));

/** Literals of a source, and what its templates show: no comments, no identifiers, no single lower-case words, which are keys. */
const listTexts = (source: string): string[] => {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import .*$/gm, '');
  const found = code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|[>`}]([^<>`{}$=;()]+)[<`$]/g);
  return [...found].map(([, a, b, c]) => a ?? b ?? c).filter((text) => /\s|^[A-Z]/.test(text));
};

test('A private word is found in literals, templates and attributes, and not in comments and identifiers', () => {
  const source = ['/** A film. */', "const film = 'film';", 'html`<b title="A film">Film</b>` + `$' + '{n} films`'];
  expect(findAll(listTexts(source.join(' ')))).toHaveLength(3);
  expect(findPrivate('A continuous strand')).toEqual([]);
});

describe('Plain words', () => {
  test('No private word is in the descriptions of the scene schema', () => {
    const texts = listDescriptions(computeJsonSchema());
    expect(texts.length).toBeGreaterThan(400);
    expect(findAll(texts)).toEqual([]);
  });

  test('No private word is in titles and descriptions of the gallery', () => {
    const texts = readdirSync(new URL('scenes', root))
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(new URL(`scenes/${name}`, root), 'utf8')) as Record<string, string>)
      .flatMap(({ title, description }) => [title, description]);
    expect(texts.length).toBeGreaterThan(150);
    expect(findAll(texts)).toEqual([]);
  });

  test('No private word is in the texts of the studio', () => {
    const texts = [...listSources('studio/src'), readFileSync(new URL('studio/index.html', root), 'utf8')].flatMap(
      listTexts,
    );
    expect(texts.length).toBeGreaterThan(300);
    expect(findAll(texts)).toEqual([]);
  });

  test.each([
    'scene',
    'world',
    'io',
    'bodies',
    'patterns',
    'model',
    'strand',
    'rod',
    'sheet',
    'fabric',
    'mpm',
    'curve',
    'contact',
  ])('No private word is in the messages of src/%s', (folder) => {
    expect(findAll(listSources(`src/${folder}`).flatMap(listTexts))).toEqual([]);
  });

  test('No private word is in the help of the commands', async () => {
    const help = async (...argv: string[]) => (await makeWorkplace().run(...argv, '--help')).stdout;
    const program = await help();
    const names = [...program.matchAll(/^ {2}([a-z]+) [[<]/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(8);
    const texts = [program, ...(await Promise.all(names.filter((name) => name !== 'help').map((name) => help(name))))];
    expect(findAll(texts.flatMap((text) => text.split('\n')))).toEqual([]);
  });
});
