/**
 * Citations resolve. A publication is cited as [Jiang 2020, Eq. 4], or named with its year; its entry is in docs/references.md. A section of a page
 * is cited as [theory/eol#inertia], [ARCHITECTURE#the-step], or by its path, docs/reference/strand.md#inertia.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeAnchor } from '../../scripts/build-docs.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SELF = 'test/unit/citations.test.ts';
const REFERENCES = 'docs/references.md';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Sources and pages whose citations must resolve; CHANGELOG.md is history. */
const paths = ['src', 'test', 'docs', 'scripts', 'bench', 'studio/src']
  .flatMap((folder) =>
    (readdirSync(join(ROOT, folder), { recursive: true }) as string[]).map((name) => join(folder, name)),
  )
  .map((path) => path.replaceAll('\\', '/'))
  .concat('README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md')
  .filter((path) => ['.ts', '.js', '.md', '.c', '.inc'].includes(extname(path)))
  .filter((path) => path !== SELF && !path.startsWith('docs/site/') && !path.includes('.generated.'));

interface Place {
  readonly at: string;
  readonly text: string;
}

const NAME = String.raw`(?:d’)?\p{Lu}[\p{Ll}’'][\p{L}’'-]*`;
const YEAR = String.raw`(?:1[5-9]\d\d|20\d\d)[a-z]?\b`;
const BRACKET = /\[([^[\]\n]+)\]/g;
const CITED = new RegExp(`^(?:[\\p{Ll} ]+: )?(${NAME}) (${YEAR})`, 'u');
/** One author, several, or "et al.", and the year: Narain, Samii and O'Brien 2012; Sueda et al. (2011). */
const MENTION = new RegExp(`(${NAME})(?:(?:, ${NAME})*,? (?:and|&) ${NAME}| et al\\.)?(?:['’]s)? \\(?(${YEAR})`, 'gu');
const MONTH = /^(?:January|February|March|April|May|June|July|August|September|October|November|December)$/;
const SECTION = /^(?:theory\/[\w-]+|ARCHITECTURE|CONTRIBUTING)(?:#.*)?$/;
const DOC_PATH = /\bdocs\/[\w/-]+\.md(?:#[\p{L}\p{N}_-]+)?/gu;
/** Notes that are not in the repository, and the names that the papers had in them. */
const OUTSIDE =
  /\b(?:methods|design) §|mpm-formulas|\bshared\/\w+\.md|\b(?:remeshing-eol-strands|rh-adaptive-rod|robust-eol-rods)-2020|\b(?:eol-cloth|anisotropic-mpm)-2017/;

/** Comments and the sources that laws name; of pages every line. A comment of several lines is one text. */
function* listTexts(path: string): Generator<Place> {
  const prose = extname(path) === '.md';
  let inside = false;
  for (const [index, line] of read(path).split('\n').entries()) {
    if (/^\s*\/\*/.test(line)) inside = true;
    const words = prose || inside || /^\s*\/\//.test(line) || /\bsource: '/.test(line);
    if (/\*\//.test(line)) inside = false;
    if (words) yield { at: `${path}:${index + 1}`, text: line };
  }
}

const texts = paths.filter((path) => path !== REFERENCES).flatMap((path) => [...listTexts(path)]);

/** Publications by key, with their entry. */
const entries = [...read(REFERENCES).matchAll(/^- \*\*\[([^\]]+)\]\*\* (.+(?:\n {2}.+)*)/gm)].map(
  ([, key, entry]) => [key, entry] as const,
);
const known = new Set(entries.map(([key]) => key));
/** The papers that the five models began with stand first. */
const sources = entries.slice(0, 5);

/** The keys a text cites, in brackets or by name and year. */
function listKeys(text: string): string[] {
  const bracketed = [...text.matchAll(BRACKET)]
    .flatMap(([, inner]) => inner.split(/; /))
    .flatMap((part) => CITED.exec(part.trim())?.slice(1, 3).join(' ') ?? []);
  const mentioned = [...text.matchAll(MENTION)].filter(([, name]) => !MONTH.test(name));
  return [...bracketed, ...mentioned.map(([, name, year]) => `${name} ${year}`)];
}

const anchors = new Map<string, ReadonlySet<string>>();

/** Whether a page has a heading with this anchor; without an anchor, whether the page is there. */
function hasSection(page: string, anchor: string | undefined): boolean {
  if (!existsSync(join(ROOT, page))) return false;
  const ids =
    anchors.get(page) ??
    new Set([...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => makeAnchor(heading.replace(/[`*]/g, ''))));
  anchors.set(page, ids);
  return anchor === undefined || ids.has(anchor);
}

const locate = (name: string): string => (name.startsWith('theory/') ? `docs/${name}.md` : `${name}.md`);

function isMissing(reference: string): boolean {
  const [page, anchor] = reference.split('#');
  return !hasSection(page, anchor);
}

describe('citations', () => {
  test('every publication that is cited or named with its year has an entry in docs/references.md', () => {
    const missing = texts.flatMap(({ at, text }) =>
      listKeys(text)
        .filter((key) => !known.has(key))
        .map((key) => `${at}: ${key}`),
    );
    expect(missing).toEqual([]);
    expect(texts.flatMap(({ text }) => listKeys(text)).length).toBeGreaterThan(200);
  });

  test('every section of a page that is cited is a heading of that page', () => {
    const cited = texts.flatMap(({ at, text }) => [
      ...[...text.matchAll(BRACKET)]
        .flatMap(([, inner]) => inner.split(/; /))
        .filter((part) => SECTION.test(part))
        .map((part) => ({ at, reference: part.replace(/^[^#]+/, locate) })),
      ...[...text.matchAll(DOC_PATH)].map(([reference]) => ({ at, reference })),
    ]);
    expect(cited.filter(({ reference }) => isMissing(reference))).toEqual([]);
    expect(cited.filter(({ reference }) => reference.includes('#')).length).toBeGreaterThan(60);
  });

  test('nothing cites notes that are not in the repository', () => {
    const outside = paths
      .filter((path) => path !== REFERENCES)
      .flatMap((path) =>
        read(path)
          .split('\n')
          .flatMap((line, index) => (OUTSIDE.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
      );
    expect(outside).toEqual([]);
  });

  test('scenes name the five source papers by their keys, and no other', () => {
    const scenes = readdirSync(join(ROOT, 'scenes')).filter((name) => name.endsWith('.json'));
    const papers = scenes.flatMap((name) => JSON.parse(read(`scenes/${name}`)).paper ?? []);
    expect(new Set(papers)).toEqual(new Set(sources.map(([key]) => key)));
  });
});

describe('docs/references.md', () => {
  test('has every key once, with its year in the entry and a sentence on what Heddle takes', () => {
    expect(known.size).toBe(entries.length);
    for (const [key, entry] of entries) {
      expect(entry, key).toContain(/\d{4}/.exec(key)![0]);
      expect(entry, key).toMatch(/\w(?:[^.]|\.(?=\d)){10,}\.$/);
    }
  });

  test('has no entry that nothing cites', () => {
    const cited = new Set(texts.flatMap(({ text }) => listKeys(text)));
    expect([...known].filter((key) => !cited.has(key))).toEqual([]);
  });
});

test('CITATION.cff is of format 1.2.0, has the version of the package, and the five source papers as docs/references.md has them', () => {
  const text = read('CITATION.cff');
  const top = new Map(
    [...text.matchAll(/^([a-z-]+): ?(.*)$/gm)].map(([, key, value]) => [key, value.replaceAll('"', '')]),
  );
  // what the schema of CFF 1.2.0 requires
  for (const key of ['cff-version', 'message', 'title', 'authors']) expect(top.has(key), key).toBe(true);
  expect(top.get('cff-version')).toBe('1.2.0');
  expect(top.get('version')).toBe(JSON.parse(read('package.json')).version);
  expect(top.get('date-released')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  const papers = text.slice(text.indexOf('\nreferences:')).split('\n  - type: ').slice(1);
  expect(papers.length).toBe(sources.length);
  for (const [k, [key, entry]] of sources.entries()) {
    const field = (name: string) => new RegExp(`^ {4}${name}: "?(.+?)"?$`, 'm').exec(papers[k])?.[1];
    const surnames = [...papers[k].matchAll(/- family-names: "(.+)"/g)].map(([, name]) => name);
    expect(`${surnames[0]} ${field('year')}`).toBe(key);
    expect(entry).toContain(`*${field('title')}*`);
    for (const name of surnames) expect(entry).toContain(name);
    expect(/doi:(\S+)\./.exec(entry)?.[1], key).toBe(field('doi'));
    expect(['article', 'thesis']).toContain(papers[k].split('\n')[0]);
  }
});
