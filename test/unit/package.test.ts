/** What the package carries: `npm pack` says which files, of what is built. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { requireChromium } from '../../src/cli/chromium.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Files of a page that it links to or shows, without addresses elsewhere and places in the page itself. */
function listTargets(text: string): string[] {
  const links = [...text.matchAll(/\]\(\s*<?([^)\s>]+)|\b(?:src|href|srcset)="([^"\s]+)/g)];
  const targets = links.map((match) => match[1] ?? match[2]).filter((target) => !/^([a-z]+:|#)/i.test(target));
  return targets.map((target) => posix.normalize(target.replace(/[#?].*$/, '')));
}

describe('the packed package', () => {
  let files: readonly string[];

  beforeAll(() => {
    const answer = execFileSync(npm, ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    files = JSON.parse(answer)[0].files.map(({ path }: { path: string }) => path);
  });

  test('has every file and folder that README links to or shows', () => {
    const targets = listTargets(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'));
    expect(targets.length).toBeGreaterThan(10);
    const missing = targets.filter(
      (target) => !files.some((file) => file === target || file.startsWith(posix.join(target, '/'))),
    );
    expect(missing).toEqual([]);
  });

  test('has the command, the library with its types and the gallery', () => {
    expect(files).toEqual(
      expect.arrayContaining(['bin/heddle.js', 'dist/index.js', 'dist/index.d.ts', 'scenes/strand-corner.json']),
    );
  });

  test('has no source maps, benchmarks, tests, sources or site of the docs', () => {
    expect(files.filter((file) => /\.(map|tsbuildinfo)$|^(bench|test|src|docs\/site)\//.test(file))).toEqual([]);
  });
});

test('links of a page are found in Markdown and in HTML, those to elsewhere are not', () => {
  const page =
    '[a](a.md#part) ![b](b.png) <img src="c/d.png"> <a href="https://x.org">x</a> [e](#e) [f](http://f.org) [g](./g.md)';
  expect(listTargets(page)).toEqual(['a.md', 'b.png', 'c/d.png', 'g.md']);
});

test('without playwright-core the command says what to install', () => {
  const findPackage = Object.assign(
    () => {
      throw new Error('Cannot find module');
    },
    { paths: () => null },
  );
  expect(() => requireChromium(findPackage)).toThrow(
    /^The package playwright-core, .* run npm install playwright-core/,
  );
});
