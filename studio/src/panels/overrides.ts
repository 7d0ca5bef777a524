/**
 * Values of a scene that replace its own. An override is { path, value } with a JSON pointer (RFC 6901) such as
 * `/objects/0/damping/stiffness`; the value undefined takes the key away. Scenes are never changed in place: what
 * changed is copied, the rest is shared.
 */

import { isObject } from './json-value.ts';

/** Keys and indices from the root. */
export type Path = readonly (string | number)[];

export interface Override {
  readonly path: string;
  readonly value: unknown;
}

/** `/objects/0/nodes`; `~` and `/` inside a key are escaped. */
export function formatPointer(path: Path): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The segments of a JSON pointer, all as texts. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/'))
    throw new RangeError(`"${pointer.slice(0, 40)}" is not a JSON pointer such as /time/step.`);
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `objects[0].nodes`, as the faults of a scene write it. */
export function formatDotted(path: Path): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}

/** The value at a path, undefined where there is none; only own keys count. */
export function readAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string | number, unknown>)[segment];
  }
  return value;
}

/** `root` with the value at `path` replaced, or taken away when undefined; missing objects on the way are made. */
export function computeWith(root: unknown, path: Path, value: unknown): unknown {
  if (path.length === 0) return value;
  const [segment, ...rest] = path;
  if (Array.isArray(root)) {
    const index = Number(segment);
    if (!Number.isInteger(index) || index < 0 || index > root.length) {
      throw new RangeError(`${formatDotted(path)} is not an index of an array of ${root.length}.`);
    }
    return root.toSpliced(index, 1, computeWith(root[index], rest, value));
  }
  const entries = Object.entries(isObject(root) ? root : {});
  const key = String(segment);
  const next = computeWith(entries.find(([name]) => name === key)?.[1], rest, value);
  if (next === undefined) return Object.fromEntries(entries.filter(([name]) => name !== key));
  if (!entries.some(([name]) => name === key)) entries.push([key, next]);
  return Object.fromEntries(entries.map(([name, old]) => [name, name === key ? next : old]));
}

/** `scene` with all overrides, in order. */
export function computeWithOverrides(scene: unknown, overrides: readonly Override[]): unknown {
  return overrides.reduce((root, { path, value }) => computeWith(root, parsePointer(path), value), scene);
}

/**
 * The shortest list of overrides that turns `own` into `changed`: one for each key that differs, is new or is gone, and
 * one for a whole array whose length differs.
 */
export function computeOverrides(own: unknown, changed: unknown, path: Path = []): Override[] {
  if (Object.is(own, changed)) return [];
  if (isObject(own) && isObject(changed)) {
    return [...new Set([...Object.keys(own), ...Object.keys(changed)])].flatMap((key) =>
      computeOverrides(readAt(own, [key]), readAt(changed, [key]), [...path, key]),
    );
  }
  if (Array.isArray(own) && Array.isArray(changed) && own.length === changed.length && !isVector(own)) {
    return own.flatMap((entry, index) => computeOverrides(entry, changed[index], [...path, index]));
  }
  if (JSON.stringify(own) === JSON.stringify(changed)) return [];
  return [{ path: formatPointer(path), value: changed }];
}

/** Three numbers change together. */
const isVector = (value: readonly unknown[]): boolean =>
  value.length === 3 && value.every((entry) => typeof entry === 'number');

/**
 * `changed` with its value at `path` as in `own` again; objects that `own` does not have and that become empty go too.
 */
export function computeReset(own: unknown, changed: unknown, path: Path): unknown {
  let result = computeWith(changed, path, readAt(own, path));
  for (let depth = path.length - 1; depth > 0; depth--) {
    const parent = path.slice(0, depth);
    const value = readAt(result, parent);
    if (readAt(own, parent) !== undefined || !isObject(value) || Object.keys(value).length > 0) break;
    result = computeWith(result, parent, undefined);
  }
  return result;
}
