/**
 * The docs as a whole: links lead somewhere, every page is in the menu of the site, and the API reference has every public name.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readApi } from '../../scripts/api-reference.js';
import { buildSite, PAGES } from '../../scripts/build-docs.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const pages = PAGES.flatMap(([, names]) => names as string[]);

/** What a page links to or shows, as paths in the repository. */
const listLinks = (page: string): string[] =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/(?:\]\(|(?:src|href)=")(?!https?:|#|\/)([^)#"\s]+)/g)].map(
    ([, target]) => normalize(join(dirname(page), target)).replaceAll('\\', '/'),
  );

test('every page of docs is in the menu of the site, once', () => {
  const found = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  expect(pages.filter((page) => page.startsWith('docs/')).sort()).toEqual(found.sort());
});

test('every link and picture of the pages is a file of the repository', () => {
  const missing: string[] = [];
  for (const page of pages)
    for (const target of listLinks(page)) if (!existsSync(join(ROOT, target))) missing.push(`${page}: ${target}`);
  expect(missing).toEqual([]);
});

test('pages link to files that the package carries: pages and pictures, no source', () => {
  const outside = (target: string): boolean => !/^docs\/|^scenes\/|^[A-Z]+(\.md|\.cff)?$/.test(target);
  expect(
    pages.flatMap((page) =>
      listLinks(page)
        .filter(outside)
        .map((target) => `${page}: ${target}`),
    ),
  ).toEqual([]);
});

test('the index links to every page of docs', () => {
  const indexes = pages.filter((page) => /^docs\/.*README\.md$/.test(page));
  const linked = new Set(indexes.flatMap(listLinks));
  const rest = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !linked.has(page));
  expect(rest).toEqual([]);
});

describe('the site', () => {
  const place = mkdtempSync(join(tmpdir(), 'heddle-docs-'));
  const texts = new Map<string, string>();

  beforeAll(() => {
    for (const file of buildSite(place) as string[])
      texts.set(file, file.endsWith('.html') ? readFileSync(join(place, file), 'utf8') : '');
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test('every link inside it has its page and its anchor, every picture its file', () => {
    const missing = new Set<string>();
    for (const [file, text] of texts)
      for (const [, target] of text.matchAll(/(?:href|src)="(?!https?:)([^"]+)"/g)) {
        const [path, anchor] = target.split('#');
        const page = path === '' ? file : normalize(path).replaceAll('\\', '/');
        if (!texts.has(page)) missing.add(`${file}: ${target}`);
        else if (anchor !== undefined && !texts.get(page)!.includes(`id="${decodeURIComponent(anchor)}"`))
          missing.add(`${file}: ${target}`);
      }
    expect([...missing]).toEqual([]);
  });

  test('no markup of a page gets out of its code: no script, no event', () => {
    for (const text of texts.values()) expect(text).not.toMatch(/<script|\son\w+=/i);
  });
});

test('the API reference has every name that the package exports', async () => {
  const api = readApi(ROOT) as { subpath: string; names: { name: string; code: string }[] }[];
  expect(api.length).toBeGreaterThan(15);
  for (const { subpath, names } of api) {
    const known = new Set(names.map(({ name }) => name));
    const missing = Object.keys(await import(subpath)).filter((name) => !known.has(name));
    expect(missing, subpath).toEqual([]);
    for (const { code } of names) expect(code).not.toBe('');
  }
});
