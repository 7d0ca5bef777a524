/**
 * Edits of a scene's lists: an entry put in or taken away. Several make one change, which is done and undone at once. The
 * edits of a change name places of the scene before it.
 */

import { isObject } from './json-value.ts';
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
  const edited = computeWith(
    scene,
    list,
    entries.toSpliced(last, isInsert ? 0 : 1, ...(isInsert ? [edit.insert] : [])),
  );
  return computeMovedSizes(edited, list, last, isInsert ? 1 : -1);
}

/** `scene` with the paths of its named sizes that lead behind an entry of a list moved on by `by`, as the entries themselves have. */
function computeMovedSizes(scene: unknown, list: Path, first: number, by: number): unknown {
  const sizes = readAt(scene, ['sizes']);
  if (!isObject(sizes)) return scene;
  const move = (key: string): string => {
    const index = findSizeIndex(key, list);
    if (index === undefined || index < first) return key;
    const start = formatListStart(list);
    return `${start}${index + by}${key.slice(start.length + String(index).length)}`;
  };
  const moved = Object.entries(sizes).map(([name, values]) => [
    name,
    isObject(values) ? Object.fromEntries(Object.entries(values).map(([key, value]) => [move(key), value])) : values,
  ]);
  return computeWith(scene, ['sizes'], Object.fromEntries(moved));
}

/** Which entry of a list the path of a named size, such as `objects[2].nodes`, leads into; undefined when into none. */
export function findSizeIndex(key: string, list: Path): number | undefined {
  const start = formatListStart(list);
  return key.startsWith(start) ? Number.parseInt(key.slice(start.length), 10) : undefined;
}

/** `objects[0].parts[` */
function formatListStart(list: Path): string {
  return `${list
    .map((one) => (typeof one === 'number' ? `[${one}]` : `.${one}`))
    .join('')
    .slice(1)}[`;
}

function comparePaths(a: Path, b: Path): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]];
    if (x === y) continue;
    return typeof x === 'number' && typeof y === 'number' ? x - y : String(x) < String(y) ? -1 : 1;
  }
  return a.length - b.length;
}
