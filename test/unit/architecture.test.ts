/** The import law (ARCHITECTURE.md, "Layers"): who may import whom, checked on every import of every file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Layers from the bottom up; a layer may import those in earlier rows. */
const LAYERS: readonly (readonly string[])[] = [
  ['math'],
  ['kernels'],
  ['sparse'],
  ['geometry'],
  ['eol'],
  ['model'],
  ['bodies'],
  ['contact'],
  ['curve'],
  ['strand', 'rod', 'fabric', 'sheet', 'mpm'],
  ['patterns'],
  ['world'],
  ['io'],
  ['scene'],
  ['validate'],
  ['cli'],
];

const rowOf = (layer: string): number => LAYERS.findIndex((row) => row.includes(layer));

/** Files allowed to name `node:` outside src/cli: they start threads, which Node and browsers do differently. */
const THREAD_START = /^src\/kernels\/[\w-]*thread[\w-]*\.ts$/;

interface SourceFile {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  /** The text without comments. */
  readonly code: string;
  readonly imports: readonly string[];
}

function listFiles(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : listFiles(path);
    return /\.(ts|js|mjs)$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

/** Code without comments; strings are kept, because imports are strings. */
function stripComments(text: string): string {
  return text.replace(/("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '$1');
}

/** Static imports and exports from the start of a line, and `import('…')`; a page's code in a template is not ours. */
const IMPORT = /^\s*(?:import|export)\b(?:[^'"`;=]*?\bfrom)?\s*['"]([^'"]+)['"]|(?<!`)\bimport\(\s*['"]([^'"]+)['"]/gm;

const findImports = (code: string): string[] => [...code.matchAll(IMPORT)].map((match) => match[1] ?? match[2]);

function readSource(path: string): SourceFile {
  const code = stripComments(readFileSync(join(root, path), 'utf8'));
  return { path, code, imports: findImports(code) };
}

const sources = listFiles('src').map(readSource);
const outside = ['studio', 'bench', 'test/laws'].flatMap(listFiles).map(readSource);

/** The layer a relative import of a src file leads to; '' for src/index.ts. */
function targetLayer(file: SourceFile, specifier: string): string {
  const path = relative(root, join(root, file.path, '..', specifier)).replaceAll('\\', '/');
  const parts = path.split('/');
  return parts[0] === 'src' && parts.length > 2 ? parts[1] : path === 'src/index.ts' ? '' : `outside src: ${path}`;
}

const layerOf = (file: SourceFile): string => (file.path.split('/').length > 2 ? file.path.split('/')[1] : '');

/** Every import that breaks the law, as a sentence. */
function findForbiddenImports(files: readonly SourceFile[]): string[] {
  const faults: string[] = [];
  for (const file of files) {
    const layer = layerOf(file);
    for (const specifier of file.imports) {
      if (!specifier.startsWith('.')) continue;
      const target = targetLayer(file, specifier);
      const allowed =
        layer === ''
          ? rowOf(target) >= 0 && target !== 'cli'
          : target === layer || (rowOf(target) >= 0 && rowOf(target) < rowOf(layer));
      if (!allowed) faults.push(`${file.path} imports ${specifier}`);
    }
  }
  return faults;
}

describe('the import law', () => {
  test('the table is the one printed in ARCHITECTURE.md', () => {
    const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    const table = page.slice(page.search(/^\| layer +\|/m));
    const rows = table.slice(0, table.indexOf('\n\n')).split('\n').slice(2);
    const printed = rows.map((row) => [...row.split('|')[1].matchAll(/`([\w-]+)`/g)].map((match) => match[1]));
    expect(printed).toEqual(LAYERS);
  });

  test('every folder of src is a layer of the table', () => {
    const unknown = sources.map(layerOf).filter((layer) => layer !== '' && rowOf(layer) < 0);
    expect(unknown).toEqual([]);
    expect(sources.length).toBeGreaterThan(20);
  });

  test('a layer imports only layers above it', () => {
    expect(findForbiddenImports(sources)).toEqual([]);
  });

  test('the check finds what it looks for', () => {
    const wrong = (path: string, code: string) => ({
      path,
      code,
      imports: findImports(code),
    });
    expect(findForbiddenImports([wrong('src/math/vec3.ts', `import { a } from '../sparse/index.ts';`)])).toHaveLength(
      1,
    );
    expect(findForbiddenImports([wrong('src/strand/a.ts', `export * from '../rod/index.ts';`)])).toHaveLength(1);
    expect(findForbiddenImports([wrong('src/world/a.ts', `const a = await import('../cli/run.ts');`)])).toHaveLength(1);
    expect(findForbiddenImports([wrong('src/math/a.ts', `import x from '../../studio/src/view.ts';`)])).toHaveLength(1);
    expect(findForbiddenImports([wrong('src/world/a.ts', `import { a } from '../strand/index.ts';`)])).toEqual([]);
    expect(stripComments(`a; // from 'x'\n/* import 'y' */ b = 'http://z';`)).not.toMatch(/x|y/);
  });

  test('node: modules are imported in src/cli only', () => {
    const wrong = sources.filter(
      ({ path, imports }) =>
        !path.startsWith('src/cli/') && !THREAD_START.test(path) && imports.some((name) => name.startsWith('node:')),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('packages that src imports are dependencies, and three is not among them', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const known = Object.keys({ ...dependencies, ...peerDependencies });
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
        .filter(
          (name) =>
            !known.includes(
              name
                .split('/')
                .slice(0, name.startsWith('@') ? 2 : 1)
                .join('/'),
            ),
        )
        .map((name) => `${path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
    expect(known).not.toContain('three');
  });
});

describe('the public name', () => {
  test('studio, bench and test/laws reach the engine only by exported names', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const wrong = outside.flatMap(({ path, imports }) => {
      const home = path.startsWith('test/laws') ? 'test/laws' : path.split('/')[0];
      return imports
        .filter((name) => {
          if (name === 'heddle' || name.startsWith('heddle/'))
            return exports[name.replace(/^heddle/, '.')] === undefined;
          if (!name.startsWith('.')) return false;
          const target = relative(root, join(root, path, '..', name)).replaceAll('\\', '/');
          // the build configurations share their aliases with the tests
          const isBuild = /^studio\/vite\.(app\.)?config\.ts$/.test(path);
          return !target.startsWith(`${home}/`) && !(isBuild && target.startsWith('scripts/'));
        })
        .map((name) => `${path} imports ${name}`);
    });
    expect(wrong).toEqual([]);
  });
});

test('a page that imports heddle loads no packages but zod and robust-predicates', () => {
  const reached = new Set(['src/index.ts']);
  const packages = new Set<string>();
  for (const path of reached) {
    const file = sources.find((source) => source.path === path)!;
    for (const specifier of file.imports) {
      if (specifier.startsWith('.'))
        reached.add(relative(root, join(root, path, '..', specifier)).replaceAll('\\', '/'));
      else packages.add(specifier);
    }
  }
  expect([...packages].sort()).toEqual(['robust-predicates', 'zod']);
  expect(reached.size).toBeGreaterThan(50);
});

describe('the language', () => {
  const written = [...sources, ...outside].filter(({ path }) => !path.endsWith('.config.ts'));

  test.each([
    ['default exports', /^\s*export\s+default\b|\bas\s+default\b/m],
    ['enums', /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w/m],
    ['mutable module-level variables', /^(?:export\s+)?(?:let|var)\s/m],
  ])('of the sources has no %s', (_name, pattern) => {
    expect(written.filter(({ code }) => pattern.test(code)).map(({ path }) => path)).toEqual([]);
  });
});
