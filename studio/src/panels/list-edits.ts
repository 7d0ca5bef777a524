/**
 * Edits of a scene's lists: an entry put in or taken away. Several make one change, which is done and undone at once. The
 * edits of a change name places of the scene before it.
 */

import { computeWith, type Path, readAt } from './overrides.ts';

/** With `insert`, that value stands at `path` afterwards and what stood there follows; without, what is there goes. */
export interface ListEdit {
  readonly path: Path;
  readonly insert?: unknown;
}

/** `scene` with all edits; where it has no such place nothing happens. */
export function computeEdited(scene: unknown, edits: readonly ListEdit[]): unknown {
  // from the end, so that the places before stay where they are
  return [...edits].sort((a, b) => comparePaths(b.path, a.path)).reduce(applyEdit, scene);
}

function applyEdit(scene: unknown, edit: ListEdit): unknown {
  const [list, last] = [edit.path.slice(0, -1), edit.path.at(-1)!];
  const entries = readAt(scene, list);
  const isInsert = 'insert' in edit;
  if (typeof last === 'string') return computeWith(scene, edit.path, isInsert ? edit.insert : undefined);
  if (entries === undefined && last === 0 && isInsert && readAt(scene, list.slice(0, -1)) !== undefined) {
    return computeWith(scene, list, [edit.insert]);
  }
  if (!Array.isArray(entries) || last > entries.length - (isInsert ? 0 : 1)) return scene;
  return computeWith(scene, list, entries.toSpliced(last, isInsert ? 0 : 1, ...(isInsert ? [edit.insert] : [])));
}

function comparePaths(a: Path, b: Path): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]];
    if (x === y) continue;
    return typeof x === 'number' && typeof y === 'number' ? x - y : String(x) < String(y) ? -1 : 1;
  }
  return a.length - b.length;
}
