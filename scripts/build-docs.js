// npm run docs: the pages of docs/, README and the others as one static site in docs/site, with an API reference from the emitted
// types (npm run build first). It needs no server: open docs/site/index.html.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';
import { readApi } from './api-reference.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Pages that come first in their folder of docs, in this order; the others follow by name. */
const FIRST = {
  guide: [
    'getting-started.md',
    'choose-a-model.md',
    'write-a-scene.md',
    'run-and-resume.md',
    'render-and-export.md',
    'studio.md',
    'web-page.md',
    'measure.md',
    'how-long.md',
  ],
  reference: [
    'strand.md',
    'rod.md',
    'sheet.md',
    'fabric.md',
    'mpm.md',
    'mixed.md',
    'animated-bodies.md',
    'scene.md',
    'commands.md',
  ],
  theory: ['README.md', 'eol.md', 'curves.md', 'strand.md', 'rod.md', 'sheet.md', 'fabric.md', 'mpm.md'],
  internals: ['extending.md', 'validation.md', 'performance.md'],
};

/** The pages of a folder of docs, in the order of the menu; none where the folder is missing. */
function listPages(folder) {
  const place = join(ROOT, 'docs', folder);
  if (!existsSync(place)) return [];
  const first = FIRST[folder] ?? [];
  const rank = (name) => (first.includes(name) ? first.indexOf(name) : first.length);
  return readdirSync(place)
    .filter((name) => name.endsWith('.md'))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map((name) => join('docs', folder, name).replaceAll('\\', '/'));
}

/** Pages by group, in the order of the menu, as paths in the repository. */
export const PAGES = [
  ['Start', ['README.md', 'docs/README.md']],
  ['Guide', listPages('guide')],
  ['Reference', listPages('reference')],
  ['Theory', listPages('theory')],
  ['Internals', listPages('internals')],
  [
    'Project',
    [
      ...listPages('.').filter((page) => page !== 'docs/README.md'),
      ...listPages('decisions'),
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
    ],
  ],
].filter(([, pages]) => pages.length > 0);

/** The anchor of a heading, as code hosts make it. */
export const makeAnchor = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const escapeText = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The file of a page in the site, which is one flat folder: docs/theory/mpm.md is theory-mpm.html. */
const nameOf = (page) => {
  if (page === 'README.md') return 'index.html';
  if (page === 'docs/README.md') return 'docs.html';
  return page
    .replace(/^docs\//, '')
    .replaceAll('/', '-')
    .replace(/\.md$/, '.html');
};

/** A page as HTML: anchors on headings; `locate` says where what it links to is in the site. */
function convertPage(text, locate) {
  const used = new Map();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: words }) {
        const anchor = makeAnchor(words.replace(/`|\*|\[([^\]]*)\]\([^)]*\)/g, '$1'));
        const before = used.get(anchor) ?? 0;
        used.set(anchor, before + 1);
        const id = before === 0 ? anchor : `${anchor}-${before}`;
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      table(token) {
        const html = marked.Renderer.prototype.table.call(this, token);
        return `<div class="wide">${html}</div>`;
      },
    },
  });
  return marked
    .parse(text)
    .replace(/(<(?:a|img) [^>]*(?:href|src)=")(?!https?:|#)([^"#]+)/g, (_, start, path) => start + locate(path));
}

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1d1f24, #e4e6eb); --paper: light-dark(#fff, #15171b); --quiet: light-dark(#5c6270, #9aa1ae); --line: light-dark(#dcdfe5, #2e323a); --code: light-dark(#f4f5f7, #1e2127); --link: light-dark(#0b57a4, #7ab8ff); }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.6 system-ui, sans-serif; display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { padding: 1.5rem; border-right: 1px solid var(--line); position: sticky; top: 0; max-height: 100vh; overflow-y: auto; }
nav h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .06em; color: var(--quiet); margin: 1.2rem 0 .3rem; border: 0; }
nav ul { list-style: none; margin: 0; padding: 0; } nav a { display: block; padding: .1rem 0; }
nav a[aria-current] { font-weight: 600; color: var(--ink); }
main { padding: 1.5rem clamp(1rem, 3vw, 4rem) 4rem; max-width: 70rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; } .anchor { color: inherit; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2.2em; border-top: 1px solid var(--line); padding-top: .8em; }
img { max-width: 100%; height: auto; border-radius: 6px; }
pre, code { font: .875em/1.5 ui-monospace, monospace; background: var(--code); border-radius: 4px; } code { padding: .1em .3em; } pre { padding: .8rem 1rem; overflow-x: auto; font-size: .75em; } pre code { padding: 0; background: none; font-size: inherit; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .92em; } th, td { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
th[align=center], td[align=center] { text-align: center; } th[align=right], td[align=right] { text-align: right; }
.kind { color: var(--quiet); font-weight: 400; font-size: .8em; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; z-index: 1; }
@media (max-width: 50rem) { body { grid-template-columns: minmax(0, 1fr); } nav { position: static; max-height: none; border-right: 0; border-bottom: 1px solid var(--line); } }
`;

function frame({ title, file, menu, body }) {
  const links = menu
    .map(([group, entries]) => {
      const items = entries.map(
        ([name, words]) =>
          `<li><a href="${name}"${name === file ? ' aria-current="page"' : ''}>${escapeText(words)}</a></li>`,
      );
      return `<h2>${group}</h2><ul>${items.join('')}</ul>`;
    })
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} · Heddle</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<nav aria-label="Pages">${links}</nav>
<main id="content">
${body}
</main>
</body>
</html>
`;
}

/** One page of the reference: the names of a subpath. */
function describeSubpath({ subpath, names }) {
  const list = names.map(({ name }) => `<a href="#${name}">${name}</a>`).join(', ');
  const entries = names.map(({ name, kind, comment, code }) => {
    const words = comment === '' ? '' : `<p>${escapeText(comment).replaceAll('\n\n', '</p><p>')}</p>`;
    return `<h3 id="${name}"><a class="anchor" href="#${name}">${name}</a> <span class="kind">${kind}</span></h3>${words}<pre><code>${escapeText(code)}</code></pre>`;
  });
  return `<h1>${subpath}</h1><p>${names.length} names: ${list}</p>${entries.join('\n')}`;
}

/** Writes the site; returns the names of its files. */
export function buildSite(target) {
  if (!existsSync(join(ROOT, 'dist/index.d.ts')))
    throw new Error('There are no emitted types in dist; run npm run build first.');
  const pages = PAGES.flatMap(([, names]) => names).map((page) => ({
    page,
    text: readFileSync(join(ROOT, page), 'utf8'),
  }));
  const titles = new Map(
    pages.map(({ page, text }) => [page, /^# (.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? page]),
  );
  const api = readApi(ROOT);
  const apiFile = (subpath) => `api-${subpath.replace('/', '-')}.html`;
  const menu = [
    ...PAGES.map(([group, names]) => [group, names.map((page) => [nameOf(page), titles.get(page)])]),
    ['API', api.map(({ subpath }) => [apiFile(subpath), subpath])],
  ];
  const files = new Map([['style.css', STYLE]]);
  const known = new Set(pages.map(({ page }) => page));
  /** Files of the repository that pages show or name, and where they go: source as text, which browsers show. */
  const copies = new Map();
  const locate = (page, path) => {
    const target = join(dirname(page), path).replaceAll('\\', '/');
    if (known.has(target)) return nameOf(target);
    const place = /\.(png|svg)$/.test(target)
      ? `pictures/${target.replace(/^docs\/pictures\//, '')}`
      : `source/${target}.txt`;
    copies.set(place, target);
    return place;
  };
  for (const { page, text } of pages) {
    const file = nameOf(page);
    const body = convertPage(text, (path) => locate(page, path));
    files.set(file, frame({ title: titles.get(page), file, menu, body }));
  }
  for (const part of api) {
    const file = apiFile(part.subpath);
    files.set(file, frame({ title: part.subpath, file, menu, body: describeSubpath(part) }));
  }
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const [file, text] of files) writeFileSync(join(target, file), text);
  for (const [file, source] of copies) cpSync(join(ROOT, source), join(target, file));
  return [...files.keys(), ...copies.keys()];
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === process.argv[1]) {
  const target = join(ROOT, 'docs/site');
  const files = buildSite(target);
  console.log(`${files.length} files in ${join(basename(dirname(target)), basename(target))}; open index.html there.`);
}
