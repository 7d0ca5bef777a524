/**
 * Lists of a scene (objects, drivers, guides, keyframes, points …) and what can be added to them now: for each kind of
 * entry a sentence and the edits that add one which keeps the scene valid.
 */

import type { JsonSchema } from 'heddle/scene';
import { makeContinuum, makeHeldBody, makePart } from './continuum-entries.ts';
import {
  computeFreeName,
  DRIVERS,
  findFreeAt,
  findFreeEnd,
  findGuidePoint,
  listTakenNames,
  makeBody,
  makeFabric,
  makeFold,
  makeRod,
  makeSeam,
  makeSheet,
  makeStrand,
  PROBES,
} from './entry-defaults.ts';
import { isObject, type JsonObject } from './json-value.ts';
import type { ListEdit } from './list-edits.ts';
import { type Path, readAt } from './overrides.ts';
import { isPoint, listEntries, measure, mix } from './scene-places.ts';
import { chooseBranch, computeInitial, findSchema, listBranches } from './schema-walk.ts';

/** A kind of entry that can be added now. */
export interface EntryForm {
  readonly label: string;
  /** What it is, in a sentence. */
  readonly help: string;
  readonly edits: readonly ListEdit[];
}

const SINGULARS: Readonly<Record<string, string>> = {
  bodies: 'body',
  masses: 'point mass',
  components: 'axis',
  expect: 'expectation',
  nodes: 'fraction',
  speed: 'keyframe',
  torque: 'keyframe',
  value: 'keyframe',
};

/** What one entry of a list is called. */
export function nameEntry(list: Path): string {
  const key = String(list.at(-1));
  return Object.hasOwn(SINGULARS, key) ? SINGULARS[key] : key.replace(/s$/, '');
}

const isMaterials = (path: Path): boolean => path.length === 1 && path[0] === 'materials';

/** The schema of a list at a path; undefined where there is none, as at vectors. */
export function findListSchema(root: JsonSchema, scene: unknown, path: Path): JsonSchema | undefined {
  const schema = findSchema(root, scene, path);
  if (schema === undefined) return undefined;
  if (isMaterials(path)) return listBranches(root, schema)[0];
  const branch = chooseBranch(root, schema, readAt(scene, path) ?? []);
  return branch?.type === 'array' && !Array.isArray(branch.items) ? branch : undefined;
}

/** Is the entry at a path one of a list, so that it can be doubled and taken away? */
export function isEntry(root: JsonSchema, scene: unknown, path: Path): boolean {
  return path.length > 1 && findListSchema(root, scene, path.slice(0, -1)) !== undefined;
}

/** What can be added to the list at a path; empty where the list is full or the scene has no place for more. */
export function listEntryForms(root: JsonSchema, scene: unknown, list: Path): EntryForm[] {
  const schema = findListSchema(root, scene, list);
  if (schema === undefined) return [];
  const end = countEntries(scene, list);
  const noun = nameEntry(list);
  if (isMaterials(list)) {
    const name = computeFreeName('material', Object.keys((readAt(scene, list) ?? {}) as object));
    const form = (label: string, help: string, insert: JsonObject): EntryForm => ({
      label,
      help,
      edits: [{ path: [...list, name], insert }],
    });
    return [
      form(noun, 'A material for strands, with the values of an elastic cord.', CORD),
      form('material of sheets', 'A material for sheets, with the values of a soft cloth.', CLOTH),
    ];
  }
  const items = schema.items as JsonSchema;
  const branches = listBranches(root, items);
  if (list.length === 1 && list[0] === 'bodies') return listBodyForms(root, scene, [...list, end]);
  if (branches.length === 1 && branches[0].properties?.type?.const === undefined) {
    const [edits, help] = makePlain(root, scene, list, branches[0]);
    return edits === undefined ? [] : [{ label: noun, help, edits }];
  }
  return branches.flatMap((branch) => {
    const [type, help] = [String(branch.properties?.type?.const), branch.description ?? ''];
    if (list[0] === 'objects') {
      // fabrics do not stand wind
      if (type === 'fabric' && makeFabric(scene) === undefined) return [];
      const make = OBJECT_MAKERS[type as keyof typeof OBJECT_MAKERS];
      return [makeForm(type, help, [...list, end], () => make(scene))];
    }
    const value = makeTyped(root, scene, list, branch, type);
    return value === undefined ? [] : [makeForm(type, help, [...list, end], () => value)];
  });
}

/** What makes a new object of each type. */
const OBJECT_MAKERS = {
  strand: makeStrand,
  rod: makeRod,
  sheet: makeSheet,
  fabric: makeFabric,
  mpm: makeContinuum,
} as const;

/** Soft and light: nothing becomes stiff by surprise. */
const CORD: JsonObject = { radius: 0.002, linearDensity: 0.01, stretchStiffness: 500, bendingStiffness: 0 };

const CLOTH: JsonObject = { thickness: 5e-4, arealDensity: 0.15, tensileStiffness: 5000, bendingRigidity: 5e-6 };

function countEntries(scene: unknown, list: Path): number {
  const value = readAt(scene, list);
  return Array.isArray(value) ? value.length : 0;
}

/** A form whose entry is made when it is asked for: finding room in a large scene takes a while. */
const makeForm = (label: string, help: string, path: Path, make: () => unknown): EntryForm => ({
  label,
  help,
  get edits() {
    return [{ path, insert: make() }];
  },
});

/** Bodies differ by their shapes; a mesh needs a file, which nobody has given yet. */
function listBodyForms(root: JsonSchema, scene: unknown, path: Path): EntryForm[] {
  const shapes = listBranches(root, findSchema(root, { bodies: [{}] }, ['bodies', 0, 'shape']) ?? {});
  return shapes.flatMap(({ properties, description = '' }) => {
    const type = String(properties?.type?.const);
    return type === 'mesh' ? [] : [makeForm(type, description, path, () => makeBody(scene, type))];
  });
}

function makeTyped(root: JsonSchema, scene: unknown, list: Path, branch: JsonSchema, type: string): unknown {
  const patches = list[0] === 'drivers' ? DRIVERS : PROBES;
  const patch = Object.hasOwn(patches, type) ? patches[type](scene, list) : {};
  if (patch === undefined) return undefined;
  const initial = computeInitial(root, branch, scene, [...list, countEntries(scene, list)]) as JsonObject;
  const named = 'id' in initial ? { id: computeFreeName(type, listTakenNames(scene, list)) } : {};
  return { ...initial, ...named, ...patch };
}

/** Edits that add one entry to a list of one kind, and what it is. */
function makePlain(
  root: JsonSchema,
  scene: unknown,
  list: Path,
  branch: JsonSchema,
): readonly [readonly ListEdit[] | undefined, string] {
  const value = readAt(scene, list);
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const owner = readAt(scene, list.slice(0, -1)) as JsonObject;
  const help = branch.description ?? '';
  const append = (insert: unknown) => [{ path: [...list, entries.length], insert }];
  switch (list.at(-1)) {
    case 'guides': {
      const id = computeFreeName('guide', listTakenNames(scene, list));
      return [append({ id, point: findGuidePoint(scene, owner) }), help];
    }
    case 'spools': {
      const end = findFreeEnd(scene, owner);
      const id = computeFreeName('spool', listTakenNames(scene, list));
      return [end === undefined ? undefined : append({ id, end, radius: 0.1, stock: 1 }), help];
    }
    case 'masses': {
      const at = findFreeAt(scene, owner);
      return [at === undefined ? undefined : append({ at, mass: 0.1 }), help];
    }
    case 'folds': {
      const fold = makeFold(owner);
      return [fold === undefined ? undefined : append(fold), help];
    }
    case 'layers': {
      const { id: _, ...last } = entries.at(-1) as JsonObject;
      return [append(last), help];
    }
    case 'parts': {
      const part = makePart(scene, owner);
      return [part === undefined ? undefined : append(part), help];
    }
    case 'bodies': {
      const body = makeHeldBody(scene, owner);
      return [body === undefined ? undefined : append(body), help];
    }
    case 'seams': {
      const seam = makeSeam(owner);
      return [seam === undefined ? undefined : append(seam), help];
    }
    case 'points':
      return [splitLongest(scene, list, entries), 'A corner in the middle of the longest segment.'];
    case 'objects': {
      const free = listEntries(scene, 'objects').find(
        (one) => one.type === 'strand' && !entries.includes(one.id) && one.mode !== 'lagrangian',
      );
      return [free === undefined ? undefined : append(free.id), help];
    }
    case 'components': {
      const free = ['x', 'y', 'z'].find((axis) => !entries.includes(axis));
      return [free === undefined ? undefined : append(free), help];
    }
    // one for each corner, and fractions that spread over the whole: both go with something else
    case 'velocity':
    case 'nodes':
      return [undefined, ''];
    default:
      return isTimed(entries)
        ? [append(computeLater(entries, entries.length - 1)), help]
        : [append(computeInitial(root, branch, scene, [...list, entries.length])), help];
  }
}

export const isTimed = (entries: readonly unknown[]): boolean =>
  entries.length > 0 && entries.every((entry) => isObject(entry) && typeof entry.time === 'number');

/** A keyframe as the one at an index, half way to the next, or as long behind the last as that is behind the one before. */
export function computeLater(entries: readonly unknown[], index: number): JsonObject {
  const timeOf = (i: number) => Number(readAt(entries[i], ['time']));
  const time = timeOf(index);
  const before = index > 0 ? time - timeOf(index - 1) : 1;
  const later = index + 1 < entries.length ? (time + timeOf(index + 1)) / 2 : time + before;
  return { ...(entries[index] as JsonObject), time: Number(later.toPrecision(12)) };
}

/** A corner between the one at an index and the next, and its velocity where each corner has one. */
export function splitAt(
  scene: unknown,
  list: Path,
  entries: readonly unknown[],
  index: number,
): ListEdit[] | undefined {
  const [a, b] = [entries[index], entries[index + 1]];
  if (!isPoint(a) || !isPoint(b)) return undefined;
  const path = [...list, index + 1];
  const velocities = [...list.slice(0, -1), 'velocity'];
  const own = readAt(scene, [...velocities, index]);
  const also = isPoint(own) ? [{ path: [...velocities, index + 1], insert: own }] : [];
  return [{ path, insert: mix(a, b, 0.5) }, ...also];
}

function splitLongest(scene: unknown, list: Path, entries: readonly unknown[]): ListEdit[] | undefined {
  const points = entries.filter(isPoint);
  const length = (i: number) => measure(points[i], points[i + 1]);
  const indices = points.slice(1).map((_, i) => i);
  const longest = indices.reduce((best, i) => (length(i) > length(best) ? i : best), 0);
  return splitAt(scene, list, entries, longest);
}
