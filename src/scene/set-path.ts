/**
 * One value of a raw scene replaced before validation, which the schema then judges. Two spellings of where it is:
 *   `--set path=value`   objects[0].nodes=80, materials.cord.radius=0.002; the value is JSON, or a text when it is not JSON.
 *                        Every step but the last must exist; the last may be a new key or the next array index.
 *                        size=NAME sets all values that the scene's "sizes" list under that name.
 *   JSON pointer         /objects/0/nodes (RFC 6901) with a value of its own; objects that are not there yet are made on the
 *                        way, and undefined takes a key out.
 */

import { SceneError } from '../model/errors.ts';
import { LIMIT_TABLE } from '../model/limits.ts';
import { suggest } from '../model/nearest.ts';
import { isRaw, type Raw } from './raw.ts';
import { describeFound, formatPath, listChoices, quote } from './wording.ts';

type Segment = string | number;

/** Sets one value in `scene` (changed in place) from an assignment such as `objects[0].nodes=80`. */
export function setPath(scene: unknown, assignment: string): void {
  const equals = assignment.indexOf('=');
  if (equals < 1) {
    throw fault('', `cannot be changed by --set ${quote(assignment)}; write path=value, such as objects[0].nodes=80.`);
  }
  const path = parsePath(assignment.slice(0, equals).trim());
  const value = parseValue(assignment.slice(equals + 1));
  if (path.length === 1 && path[0] === 'size') setSize(scene, value);
  else setValue(scene, path, value);
}

/** Sets the values that a scene lists for one of its sizes. */
function setSize(scene: unknown, name: unknown): void {
  const sizes = read(scene, ['sizes']);
  const known = isRaw(sizes) ? Object.keys(sizes) : [];
  if (known.length === 0) throw fault('size', 'cannot be set: the scene has no "sizes".');
  const chosen = typeof name === 'string' ? read(sizes, [name]) : undefined;
  if (!isRaw(chosen)) throw fault('size', `cannot be ${describeFound(name)}; the scene has ${listChoices(known)}.`);
  for (const [path, value] of Object.entries(chosen)) setValue(scene, parsePath(path), structuredClone(value));
}

/** Faults of the paths that the sizes of a scene list, by name of the size and path; the scene itself stays as it is. */
export function findSizeFaults(scene: Raw): { readonly path: readonly string[]; readonly message: string }[] {
  const { sizes } = scene;
  return Object.entries(isRaw(sizes) ? sizes : {}).flatMap(([name, values]) => {
    const trial = structuredClone(scene);
    return Object.entries(isRaw(values) ? values : {}).flatMap(([path, value]) => {
      try {
        setValue(trial, parsePath(path), value);
        return [];
      } catch (error) {
        if (!(error instanceof SceneError)) throw error;
        const [{ path: where, message }] = error.faults;
        return [
          {
            path: ['sizes', name, path],
            message: `is not a path of the scene: ${where === '' ? 'it' : where} ${message}`,
          },
        ];
      }
    });
  });
}

/** Sets one value in `scene` (changed in place) at a JSON pointer such as `/objects/0/nodes`. */
export function setPointer(scene: unknown, pointer: string, value: unknown): void {
  if (!pointer.startsWith('/')) {
    throw fault(
      '',
      `has no JSON pointer ${quote(pointer)}; write keys and indices after slashes, such as /objects/0/nodes.`,
    );
  }
  const keys = pointer.slice(1).split('/');
  // each would be made, and all of them looked at for each
  const most = LIMIT_TABLE.depth.default;
  if (keys.length > most)
    throw fault(
      '',
      `has no JSON pointer of ${keys.length} keys; at most ${most} are read, and a scene needs fewer than 10.`,
    );
  const path: Segment[] = [];
  let parent = scene;
  for (const escaped of keys) {
    const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    const segment = Array.isArray(parent) && /^\d{1,9}$/.test(key) ? Number(key) : key;
    if (path.length > 0) makeObject(scene, path);
    path.push(segment);
    parent = read(scene, path);
  }
  setValue(scene, path, value);
}

/** Puts an empty object where a path leads to nothing yet. */
function makeObject(scene: unknown, path: readonly Segment[]): void {
  if (read(scene, path) === undefined && typeof path.at(-1) === 'string') setValue(scene, path, {});
}

/** What is at a path; undefined where it leads nowhere. */
function read(scene: unknown, path: readonly Segment[]): unknown {
  let value = scene;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<Segment, unknown>)[segment];
  }
  return value;
}

function setValue(scene: unknown, path: readonly Segment[], value: unknown): void {
  if (path.length === 0)
    throw fault('', 'has no empty path; write keys with dots and indices in brackets, such as objects[0].nodes.');
  let parent: unknown = scene;
  for (let i = 0; i < path.length - 1; i++) parent = step(parent, path, i);
  const last = path[path.length - 1];
  if (Array.isArray(parent) && last === parent.length) parent.push(value);
  else {
    if (Array.isArray(parent) || typeof last === 'number') step(parent, path, path.length - 1);
    assign(parent, path, value);
  }
}

export function parsePath(text: string): Segment[] {
  const segments: Segment[] = [];
  const token = /\.?([A-Za-z_$][\w$-]*)|\[(\d{1,9})\]/y;
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const match = token.exec(text);
    const wrongDot = match !== null && match[1] !== undefined && match[0].startsWith('.') === (segments.length === 0);
    if (match === null || wrongDot) {
      throw fault(
        '',
        `has no path ${quote(text)} (character ${start + 1}); write keys with dots and indices in brackets, such as objects[0].nodes.`,
      );
    }
    segments.push(match[1] ?? Number(match[2]));
  }
  return segments;
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The value one step down; a SceneError with what is there instead when there is none. */
function step(parent: unknown, path: readonly Segment[], index: number): unknown {
  const segment = path[index];
  const here = formatPath(path.slice(0, index + 1));
  if (typeof parent !== 'object' || parent === null) {
    throw fault(here, `cannot be set: ${formatPath(path.slice(0, index)) || 'the scene'} is ${describeFound(parent)}.`);
  }
  if (Array.isArray(parent)) {
    if (typeof segment === 'number' && segment < parent.length) return parent[segment];
    const last = parent.length === 0 ? 'it is empty' : `its indices are 0 to ${parent.length - 1}`;
    throw fault(here, `cannot be set: ${formatPath(path.slice(0, index))} is an array and ${last}.`);
  }
  if (typeof segment === 'string' && Object.hasOwn(parent, segment))
    return (parent as Record<string, unknown>)[segment];
  throw fault(here, `cannot be set: there is no such key.${suggest(String(segment), Object.keys(parent), 'Keys')}`);
}

function assign(parent: unknown, path: readonly Segment[], value: unknown): void {
  const segment = path[path.length - 1];
  const here = formatPath(path);
  if (typeof parent !== 'object' || parent === null) {
    throw fault(here, `cannot be set: ${formatPath(path.slice(0, -1)) || 'the scene'} is ${describeFound(parent)}.`);
  }
  if (value === undefined) delete (parent as Record<Segment, unknown>)[segment];
  else Object.defineProperty(parent, segment, { value, enumerable: true, configurable: true, writable: true });
}

function fault(path: string, message: string): SceneError {
  return new SceneError([{ path, message }], '--set');
}
