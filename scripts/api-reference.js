// The public names of the package, with their comments and declarations, from the emitted types: what the pages of the API
// reference are made of. No compiler is asked: emitted declarations have one form, one beginning at the start of a line.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DECLARED = /^export (?:declare )?(?:abstract )?(function|const|class|interface|type)\s+([\w$]+)/;

/**
 * Every subpath of the package with what it exports, by name.
 * @returns {{ subpath: string, names: { name: string, kind: string, comment: string, code: string }[] }[]}
 */
export function readApi(root) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = new Map();
  return Object.entries(exports)
    .filter(([, entry]) => entry.types !== undefined)
    .map(([path, { types }]) => {
      const names = collectExports(join(root, types), files);
      return {
        subpath: path.replace(/^\./, 'heddle'),
        names: [...names.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      };
    });
}

function collectExports(file, files) {
  const known = files.get(file);
  if (known !== undefined) return known;
  const found = new Map();
  files.set(file, found);
  const text = readFileSync(file, 'utf8');
  const fromFile = (source) => {
    const path = join(dirname(file), source.replace(/\.(ts|js)$/, '.d.ts'));
    return existsSync(path) ? collectExports(path, files) : new Map();
  };
  for (const [, source] of text.matchAll(/^export \* from '(\.[^']+)';/gm))
    for (const [name, entry] of fromFile(source)) found.set(name, entry);
  for (const [, list, source] of text.matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']+)';/gm)) {
    const others = fromFile(source);
    for (const item of list.split(',')) {
      const [name, as = name] = item
        .trim()
        .replace(/^type /, '')
        .split(' as ');
      const entry = others.get(name);
      if (entry !== undefined) found.set(as, { ...entry, name: as });
    }
  }
  for (const entry of readDeclarations(text)) {
    // overloads are one name
    const before = found.get(entry.name);
    found.set(entry.name, before ? { ...before, code: `${before.code}\n${entry.code}` } : entry);
  }
  return found;
}

/** Declarations of one file: each begins at the start of a line, with its comment before it, and ends before the next. */
function* readDeclarations(text) {
  const blocks = text.split(/\n(?=\/\*\*|export |declare |import |interface |type |\/\/)/);
  let comment = '';
  for (const block of blocks) {
    if (block.startsWith('/**')) {
      const end = block.indexOf('*/') + 2;
      comment = block
        .slice(3, end - 2)
        .split('\n')
        .map((line) => line.replace(/^ \* ?/, ''))
        .join('\n')
        .trim();
      // a comment with nothing behind it belongs to the file
      if (block.slice(end).trim() === '') continue;
    } else {
      const declared = DECLARED.exec(block);
      if (declared) {
        const [, kind, name] = declared;
        const code = block
          .replace(/^ *#private;\n/gm, '')
          .replace(/^export (declare )?/, '')
          .trimEnd();
        yield { name, kind, comment, code };
      }
      comment = '';
    }
  }
}
