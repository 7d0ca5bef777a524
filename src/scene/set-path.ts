/**
 * `--set path=value`: one value of a raw scene replaced before validation.
 * A path is `objects[0].nodes` or `materials.cord.radius`; the value is JSON, or a text when it is not JSON.
 * Every step but the last must exist; the last may be a new key, which the schema then judges, or the next array index.
 */

import { SceneError } from '../model/errors.ts';
import { suggest } from '../model/nearest.ts';
import { describeFound, formatPath, quote } from './wording.ts';

type Segment = string | number;

/** Sets one value in `scene` (changed in place) from an assignment such as `objects[0].nodes=80`. */
export function setPath(scene: unknown, assignment: string): void {
  const equals = assignment.indexOf('=');
  if (equals < 1) {
    throw fault('', `cannot be changed by --set ${quote(assignment)}; write path=value, such as objects[0].nodes=80.`);
  }
  const path = parsePath(assignment.slice(0, equals).trim());
  const value = parseValue(assignment.slice(equals + 1));
  let parent: unknown = scene;
  for (let i = 0; i < path.length - 1; i++) parent = step(parent, path, i);
  const last = path[path.length - 1];
  if (Array.isArray(parent) && last === parent.length) parent.push(value);
  else {
    if (Array.isArray(parent) || typeof last === 'number') step(parent, path, path.length - 1);
    assign(parent, path, value);
  }
}

function parsePath(text: string): Segment[] {
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
  Object.defineProperty(parent, segment, { value, enumerable: true, configurable: true, writable: true });
}

function fault(path: string, message: string): SceneError {
  return new SceneError([{ path, message }], '--set');
}
