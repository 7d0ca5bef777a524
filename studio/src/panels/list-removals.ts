/** What goes with an entry of a scene's list when it is taken away: what names it would name nothing. */

import type { JsonSchema } from 'heddle/scene';
import { isObject } from './json-value.ts';
import { findSizeIndex, type ListEdit } from './list-edits.ts';
import { type Path, readAt } from './overrides.ts';
import { findListSchema, nameEntry } from './scene-lists.ts';
import { listEntries } from './scene-places.ts';

/** Why an entry cannot be taken away, in a sentence; undefined when it can. */
export function describeNeed(root: JsonSchema, scene: unknown, path: Path): string | undefined {
  const list = path.slice(0, -1);
  const name = path.at(-1);
  if (typeof name === 'string') {
    const users = listEntries(scene, 'objects').filter((object) =>
      [object, ...listEntries(object, 'layers')].some(
        ({ material, secondMaterial }) => material === name || secondMaterial === name,
      ),
    );
    return users.length === 0 ? undefined : `${String(users[0].id)} is made of ${name}.`;
  }
  if (list.at(-1) === 'velocity') return 'Each corner has a velocity of its own.';
  const least = Number(findListSchema(root, scene, list)?.minItems ?? 0);
  const entries = readAt(scene, list);
  if (!Array.isArray(entries) || entries.length > least) return undefined;
  return `At least ${least} ${least === 1 ? nameEntry(list) : String(list.at(-1))} must stay.`;
}

/** The entry and all that names it. */
export function computeRemoval(scene: unknown, path: Path): readonly ListEdit[] {
  const paths = [path, ...listNaming(scene, path)];
  const probes = paths.filter(([first], i) => first === 'probes' && paths[i].length === 2);
  const all = [...paths, ...probes.flatMap((probe) => listExpectations(scene, probe))];
  return [...all, ...listSizeValues(scene, all)].map((place) => ({ path: place }));
}

/** Values of named sizes whose paths lead into entries that go. */
function listSizeValues(scene: unknown, gone: readonly Path[]): Path[] {
  const sizes = readAt(scene, ['sizes']);
  if (!isObject(sizes)) return [];
  const isMeant = (key: string): boolean => gone.some((path) => findSizeIndex(key, path.slice(0, -1)) === path.at(-1));
  return Object.entries(sizes).flatMap(([name, values]) =>
    Object.keys(isObject(values) ? values : {})
      .filter(isMeant)
      .map((key): Path => ['sizes', name, key]),
  );
}

function listNaming(scene: unknown, path: Path): Path[] {
  const [first, index] = path;
  const id = readAt(scene, [...path, 'id']);
  if (path.length === 2 && first === 'objects')
    return [id, ...listEntries(scene, ...path, 'parts').map((part) => part.id)].flatMap((name) =>
      listNamingObject(scene, name),
    );
  if (path.length === 2 && first === 'bodies') return listNamingBody(scene, id);
  const inner = path[2];
  if (first === 'objects' && path.length === 4 && (inner === 'guides' || inner === 'spools')) {
    const object = readAt(scene, ['objects', index, 'id']);
    return find(scene, 'probes', (probe) => {
      if (readAt(probe, ['on', 'object']) === object) return readAt(probe, ['on', 'guide']) === id;
      return readAt(probe, ['object']) === object && readAt(probe, ['spool']) === id;
    });
  }
  if (first === 'objects' && path.length === 4 && inner === 'parts') return listNamingObject(scene, id);
  if (first === 'objects' && path.length === 4 && inner === 'layers') return listNamingLayer(scene, path);
  const velocity = [...path.slice(0, -2), 'velocity', path.at(-1)!];
  return path.at(-2) === 'points' && Array.isArray(readAt(scene, velocity)) ? [velocity] : [];
}

function listNamingObject(scene: unknown, id: unknown): Path[] {
  const names = (entry: unknown) =>
    [['object'], ['on', 'object'], ['from', 'object'], ['to', 'object']].some((place) => readAt(entry, place) === id);
  const crossing = readAt(scene, ['crossings', 'objects']);
  const places = Array.isArray(crossing) && crossing.includes(id) ? crossing : [];
  // a list of strands that cross cannot be empty: then all do
  const crossings: Path[] =
    places.length === 1
      ? [['crossings', 'objects']]
      : places.flatMap((name, k) => (name === id ? [['crossings', 'objects', k]] : []));
  const touching = [
    ['touching', 'objects'] as Path,
    ...listEntries(scene, 'objects').map((_, i): Path => ['objects', i, 'touching']),
  ].flatMap((list) => {
    const objects = readAt(scene, list);
    return Array.isArray(objects) ? objects.flatMap((name, k): Path[] => (name === id ? [[...list, k]] : [])) : [];
  });
  return [...find(scene, 'drivers', names), ...find(scene, 'probes', names), ...crossings, ...touching];
}

/** Layers are numbered: with one of them goes all that names any. */
function listNamingLayer(scene: unknown, path: Path): Path[] {
  const object = readAt(scene, [...path.slice(0, 2), 'id']);
  const names = (entry: unknown) =>
    ['on', 'from', 'to'].some(
      (key) => readAt(entry, [key, 'object']) === object && readAt(entry, [key, 'layer']) !== undefined,
    );
  const seams = find(scene, [...path.slice(0, 2), 'seams'], () => true);
  return [...find(scene, 'drivers', names), ...find(scene, 'probes', names), ...seams];
}

/** Guides and spools on the body stay where they are, in space. */
function listNamingBody(scene: unknown, id: unknown): Path[] {
  const names = (entry: unknown) => readAt(entry, ['body']) === id;
  const carried = listEntries(scene, 'objects').flatMap((_, i) =>
    ['guides', 'spools'].flatMap((list) =>
      find(scene, ['objects', i, list], names).map((place): Path => [...place, 'body']),
    ),
  );
  const held = listEntries(scene, 'objects').flatMap((object, i) =>
    object.type === 'mpm' ? find(scene, ['objects', i, 'bodies'], names) : [],
  );
  return [...find(scene, 'drivers', names), ...find(scene, 'probes', names), ...carried, ...held];
}

function listExpectations(scene: unknown, probe: Path): Path[] {
  const id = String(readAt(scene, [...probe, 'id']));
  return find(scene, 'expect', (entry) => {
    const column = String(readAt(entry, ['probe']));
    return column === id || column.startsWith(`${id}.`);
  });
}

function find(scene: unknown, list: string | Path, isMeant: (entry: unknown) => boolean): Path[] {
  const path: Path = typeof list === 'string' ? [list] : list;
  const entries = readAt(scene, path);
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry, i) => (isObject(entry) && isMeant(entry) ? [[...path, i]] : []));
}

/** `2 drivers and 1 probe`; what goes beside the entry itself. */
export function describeRest(edits: readonly ListEdit[]): string {
  const counts = new Map<string, number>();
  for (const { path } of edits.slice(1)) {
    const noun = typeof path.at(-1) === 'number' ? nameEntry(path.slice(0, -1)) : 'link';
    counts.set(noun, (counts.get(noun) ?? 0) + 1);
  }
  const parts = [...counts].map(([noun, count]) => `${count} ${noun}${count === 1 ? '' : 's'}`);
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
