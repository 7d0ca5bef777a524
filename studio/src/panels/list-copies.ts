/** A second one of an entry of a scene's list: with a name of its own, at a place where one of its kind can stand. */

import { makeHeldBody, movePart } from './continuum-entries.ts';
import { computeFreeName, DRIVERS, findFreeEnd, findGuidePoint, listTakenNames } from './entry-defaults.ts';
import { isObject, type JsonObject } from './json-value.ts';
import type { ListEdit } from './list-edits.ts';
import { type Path, readAt } from './overrides.ts';
import { computeLater, isTimed, splitAt } from './scene-lists.ts';
import { computeBox, isPoint, listEntries } from './scene-places.ts';

/** Edits that put a copy behind an entry, where one of its kind can stand; undefined where none can. */
export function computeCopy(scene: unknown, path: Path): readonly ListEdit[] | undefined {
  const [list, index] = [path.slice(0, -1), path.at(-1)!];
  const entry = readAt(scene, path);
  const owner = readAt(scene, list.slice(0, -1)) as JsonObject;
  if (typeof index === 'string') {
    const name = computeFreeName(index, Object.keys((readAt(scene, list) ?? {}) as object));
    return [{ path: [...list, name], insert: entry }];
  }
  const entries = readAt(scene, list) as readonly unknown[];
  const put = (insert: unknown) => [{ path: [...list, index + 1], insert }];
  const renamed =
    isObject(entry) && typeof entry.id === 'string'
      ? { id: computeFreeName(entry.id, listTakenNames(scene, list)) }
      : {};
  switch (list.at(-1)) {
    case 'points':
      return splitAt(scene, list, entries, index === entries.length - 1 ? index - 1 : index);
    case 'guides':
      return put({ ...(entry as JsonObject), ...renamed, point: findGuidePoint(scene, owner) });
    case 'spools': {
      const end = findFreeEnd(scene, owner);
      return end === undefined ? undefined : put({ ...(entry as JsonObject), ...renamed, end });
    }
    case 'parts':
      return put({ ...movePart(scene, entry as JsonObject), ...renamed });
    case 'bodies': {
      if (list.length === 1) break;
      const body = makeHeldBody(scene, owner);
      return body === undefined ? undefined : put({ ...(entry as JsonObject), body: body.body });
    }
    case 'velocity':
    case 'nodes':
    case 'components':
      return undefined;
    default:
      break;
  }
  if (isTimed(entries)) return put(computeLater(entries, index));
  if (!isObject(entry)) return undefined;
  if (list.length === 1 && (list[0] === 'objects' || list[0] === 'bodies')) {
    if (entry.type === 'mpm') return put({ ...computeMovedParts(entry, scene), ...renamed });
    return put({ ...computeMoved(entry, scene), ...renamed });
  }
  if (entry.type === 'rest') {
    const patch = DRIVERS.rest(scene, list);
    return patch === undefined ? undefined : put({ ...entry, object: patch.object });
  }
  return put({ ...entry, ...renamed });
}

/** A continuum with all its parts moved in front of everything, under names of their own. */
function computeMovedParts(entry: JsonObject, scene: unknown): JsonObject {
  const taken = [...listTakenNames(scene, ['objects'])];
  const parts = listEntries(entry, 'parts').map((part) => {
    const id = computeFreeName(String(part.id), taken);
    taken.push(id);
    return { ...computeMoved(part, scene), id };
  });
  return { ...entry, parts };
}

/** A strand or body moved in front of everything. */
function computeMoved(entry: JsonObject, scene: unknown): JsonObject {
  const { low, high, size } = computeBox(scene);
  const depth = high[2] - low[2] + 0.1 * size;
  const shift = (value: unknown): unknown => (isPoint(value) ? [value[0], value[1], value[2] + depth] : value);
  const shiftIn = (key: string) => (entries: unknown) =>
    Array.isArray(entries)
      ? entries.map((part) => (isObject(part) && key in part ? { ...part, [key]: shift(part[key]) } : part))
      : entries;
  let moved: JsonObject = entry;
  const change = (key: string, by: (value: unknown) => unknown) => {
    if (key in moved) moved = { ...moved, [key]: by(moved[key]) };
  };
  change('points', (points) => (Array.isArray(points) ? points.map(shift) : points));
  change('guides', shiftIn('point'));
  change('position', shift);
  change('keyframes', shiftIn('position'));
  change('hinge', (hinge) => (isObject(hinge) ? { ...hinge, point: shift(hinge.point) } : hinge));
  if (entry.type === 'rod') return { ...moved, ...computeMovedShape(entry.shape, shift) };
  if (moved.points === undefined && moved.position === undefined) moved = { ...moved, position: shift([0, 0, 0]) };
  return moved;
}

/** The shape of a rod, which has its own places. */
function computeMovedShape(shape: unknown, shift: (value: unknown) => unknown): JsonObject {
  if (!isObject(shape)) return {};
  if (shape.type === 'straight') return { shape: { ...shape, from: shift(shape.from), to: shift(shape.to) } };
  return { shape: { ...shape, origin: shift(shape.origin ?? [0, 0, 0]) } };
}
