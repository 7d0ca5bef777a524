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

const NAME = String.raw`(?:d’)?\p{Lu}[\p{Ll}’'][\p{L}’'-]*`;
const YEAR = String.raw`(?:1[5-9]\d\d|20\d\d)[a-z]?\b`;
/** One author, several, or "et al.", and the year: [Jiang 2020]; Narain, Samii and O'Brien 2012; Sueda et al. (2011). */
const CITATION = new RegExp(`(${NAME})(?:(?:, ${NAME})*,? (?:and|&) ${NAME}| et al\\.,?)? \\(?(${YEAR})`, 'gu');
const MONTH = /^(?:January|February|March|April|May|June|July|August|September|October|November|December)$/;
const BRACKET = /\[([^[\]\n]+)\]/g;
const SECTION = /^(?:theory\/[\w-]+|ARCHITECTURE|CONTRIBUTING)(?:#.*)?$/;
const DOC_PATH = /\bdocs\/[\w/-]+\.md(?:#[\p{L}\p{N}_-]+)?/gu;
/** A line with a comment: a path in a string need not be there. */
const PROSE = /^\s*\*|\/\*|\/\/ /;
/** Notes that are not in the repository, and the names that the papers had in them. */
const OUTSIDE =
  /\b(?:methods|design) §|mpm-formulas|\bshared\/\w+\.md|\b(?:remeshing-eol-strands|rh-adaptive-rod|robust-eol-rods)-2020|\b(?:eol-cloth|anisotropic-mpm)-2017/;

/** Sources and pages whose citations must resolve; CHANGELOG.md is history. */
const paths = ['src', 'test', 'docs', 'scripts', 'bench', 'studio/src']
  .flatMap((folder) =>
    (readdirSync(join(ROOT, folder), { recursive: true }) as string[]).map((name) => join(folder, name)),
  )
  .map((path) => path.replaceAll('\\', '/'))
  .concat('README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md')
  .filter((path) => ['.ts', '.js', '.md', '.c', '.inc'].includes(extname(path)))
  .filter((path) => path !== SELF && path !== REFERENCES)
  .filter((path) => !path.startsWith('docs/site/') && !path.includes('.generated.'));

const lines = paths.flatMap((path) =>
  read(path)
    .split('\n')
    .map((text, index) => ({ at: `${path}:${index + 1}`, text })),
);

/** Publications: key and entry. */
const entries = [...read(REFERENCES).matchAll(/^- \*\*\[([^\]]+)\]\*\* (.+(?:\n {2}.+)*)/gm)].map(
  ([, key, entry]) => [key, entry] as const,
);
const known = new Set(entries.map(([key]) => key));
/** The papers that the five models began with stand first. */
const sources = entries.slice(0, 5);

const citations = lines.flatMap(({ at, text }) =>
  [...text.matchAll(CITATION)]
    .filter(([, name]) => !MONTH.test(name))
    .map(([, name, year]) => ({ at, key: `${name} ${year}` })),
);

const locate = (name: string): string => (name.startsWith('theory/') ? `docs/${name}.md` : `${name}.md`);

/** Pages and sections that are cited, as paths from the root. */
const sections = lines.flatMap(({ at, text }) => [
  ...[...text.matchAll(BRACKET)]
    .flatMap(([, inner]) => inner.split('; '))
    .filter((part) => SECTION.test(part))
    .map((part) => ({ at, section: part.replace(/^[^#]+/, locate) })),
  ...[...text.matchAll(DOC_PATH)]
    .filter(([section]) => section.includes('#') || PROSE.test(text) || at.includes('.md:'))
    .map(([section]) => ({ at, section })),
]);

/** Whether the page is there and has a heading with the anchor, if there is one. */
function hasSection(section: string): boolean {
  const [page, anchor] = section.split('#');
  if (!existsSync(join(ROOT, page))) return false;
  const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, words]) => makeAnchor(words.replace(/[`*]/g, '')));
  return anchor === undefined || headings.includes(anchor);
}

describe('citations', () => {
  test('every publication that is cited or named with its year has an entry in docs/references.md', () => {
    expect(citations.filter(({ key }) => !known.has(key))).toEqual([]);
    expect(citations.length).toBeGreaterThan(200);
  });

  test('every section of a page that is cited is a heading of that page', () => {
    expect(sections.filter(({ section }) => !hasSection(section))).toEqual([]);
    expect(sections.filter(({ section }) => section.includes('#')).length).toBeGreaterThan(60);
  });

  test('nothing cites notes that are not in the repository', () => {
    expect(lines.filter(({ text }) => OUTSIDE.test(text))).toEqual([]);
  });

  test('a source file or a page that speaks of a paper or a thesis cites one', () => {
    const speaking = paths.filter(
      (path) => /^(?:src|docs)\//.test(path) && /\bthe (?:paper|thesis)\b/.test(read(path)),
    );
    const cited = new Set(citations.map(({ at }) => at.split(':')[0]));
    expect(speaking.filter((path) => !path.startsWith('src/cli/') && !cited.has(path))).toEqual([]);
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
    const cited = new Set(citations.map(({ key }) => key));
    expect([...known].filter((key) => !cited.has(key))).toEqual([]);
  });
});

test('CITATION.cff is of format 1.2.0, has the version of the package, and the five source papers as docs/references.md and README have them', () => {
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
    for (const place of [entry, read('README.md')]) expect(place).toContain(`*${field('title')}*`);
    for (const name of surnames) expect(entry).toContain(name);
    expect(/doi:(\S+)\./.exec(entry)?.[1], key).toBe(field('doi'));
    expect(['article', 'thesis']).toContain(papers[k].split('\n')[0]);
  }
});
