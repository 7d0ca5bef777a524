/**
 * What the parameter panel shows, from the JSON schema and a scene: groups of fields for what the scene has, and the
 * keys that could be added. One level at a time, so that a scene of thousands of objects costs only what is open.
 */

import type { JsonSchema } from 'heddle/scene';
import { DYNAMIC_KEYS } from './body-motion.ts';
import { formatNumber, isObject, type JsonObject } from './json-value.ts';
import { computeEdited } from './list-edits.ts';
import { type Path, readAt } from './overrides.ts';
import { listEntryForms } from './scene-lists.ts';
import { chooseBranch, computeInitial, descend, fits, listBranches, listNames, resolve } from './schema-walk.ts';

export type FieldKind = 'number' | 'vector' | 'choice' | 'flag' | 'text' | 'material';

/** Another form that the value may take, such as a number instead of "start". */
export interface Alternative {
  readonly label: string;
  readonly initial: unknown;
}

export interface Field {
  readonly path: Path;
  readonly key: string;
  readonly kind: FieldKind;
  /** Schema of the branch that the value means. */
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly unit: string;
  readonly help: string;
  /** The default in words, empty when there is none. */
  readonly fallback: string;
  /** Values of a choice. */
  readonly choices: readonly string[];
  readonly alternatives: readonly Alternative[];
  readonly isRequired: boolean;
}

/** A group of which only the heading is known yet. */
export interface Branch {
  readonly path: Path;
  readonly title: string;
  readonly help: string;
  readonly alternatives: readonly Alternative[];
  readonly isRequired: boolean;
  /** Is it a material, which a preset can replace? */
  readonly isMaterial: boolean;
}

/** A key that the format knows and the scene does not have here. */
export interface Addition {
  readonly path: Path;
  readonly key: string;
  readonly help: string;
  readonly schema: JsonSchema;
  /** What it becomes; undefined when a person must say. */
  readonly initial: unknown;
}

export interface Group {
  readonly fields: readonly Field[];
  readonly branches: readonly Branch[];
  readonly additions: readonly Addition[];
  /** Entries left out because there are too many. */
  readonly more: number;
}

/** Keys of a scene that say what it is called or measures, not how it behaves. */
const NOT_PARAMETERS = new Set(['$schema', 'heddle', 'name', 'title', 'description', 'paper', 'figure', 'expect']);
/** Lists of a scene that are shown also where it has none. */
const LISTS = ['materials', 'objects', 'bodies', 'drivers', 'probes'] as const;
/** Keys of which only one can be given. */
const EXCLUSIVE: Readonly<Record<string, string>> = {
  ...{ at: 'guide', guide: 'at', to: 'body', speed: 'torque', torque: 'speed' },
  ...{ mass: 'density', density: 'mass', points: 'shape', shape: 'points' },
};
/** How a clamp moves, where no keyframes say it. */
const SPEEDS: ReadonlySet<string> = new Set(['velocity', 'angularVelocity']);
/** Most entries of an array that are listed. */
const MOST_ENTRIES = 100;

/** The fields and groups directly inside the object or array at `path`. */
export function computeGroup(root: JsonSchema, scene: unknown, path: Path, schema: JsonSchema): Group {
  const value = readAt(scene, path);
  const fields: Field[] = [];
  const branches: Branch[] = [];
  const own = chooseBranch(root, schema, value);
  const keys = [...listKeys(value, path), ...(path.length === 0 ? listAbsent(value) : [])];
  for (const key of keys.slice(0, MOST_ENTRIES)) {
    const inner = own === undefined ? undefined : descend(root, own, value, key);
    if (inner === undefined) continue;
    const place: Place = { root, scene, path: [...path, key], schema: inner, isRequired: isRequiredKey(own, key) };
    const field = computeField(place);
    if (field !== undefined) fields.push(field);
    else if (isShown(place)) branches.push(computeBranch(place));
  }
  return {
    fields,
    branches,
    additions: own === undefined ? [] : listAdditions(root, scene, path, own),
    more: Math.max(0, keys.length - MOST_ENTRIES),
  };
}

interface Place {
  readonly root: JsonSchema;
  readonly scene: unknown;
  readonly path: Path;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

function listKeys(value: unknown, path: Path): (string | number)[] {
  if (Array.isArray(value)) return [...value.keys()];
  if (!isObject(value)) return [];
  return Object.keys(value).filter(
    (key) => key !== 'id' && key !== 'type' && (path.length > 0 || !NOT_PARAMETERS.has(key)),
  );
}

const listAbsent = (scene: unknown): string[] => LISTS.filter((key) => isObject(scene) && !Object.hasOwn(scene, key));

const isRequiredKey = (schema: JsonSchema | undefined, key: string | number): boolean =>
  typeof key === 'number' || schema?.required?.includes(key) === true;

function isShown({ scene, path }: Place): boolean {
  const value = readAt(scene, path);
  return isObject(value) || Array.isArray(value) || (path.length === 1 && value === undefined);
}

function computeField(place: Place): Field | undefined {
  const { root, scene, path, schema } = place;
  const value = readAt(scene, path);
  const branch = chooseBranch(root, schema, value);
  if (branch === undefined || branch.const !== undefined) {
    // `false` where the other form is an object: a choice between forms and nothing else
    return branch?.const === false ? makeField(place, branch, 'flag', []) : undefined;
  }
  const names = typeof value === 'string' ? listNames(scene, path) : undefined;
  if (path.at(-1) === 'material' && typeof value === 'string') return makeField(place, branch, 'material', []);
  if (names !== undefined)
    return makeField(place, branch, 'choice', names.includes(String(value)) ? names : [String(value), ...names]);
  if (branch.enum !== undefined) return makeField(place, branch, 'choice', branch.enum.map(String));
  if (branch.type === 'number' || branch.type === 'integer') return makeField(place, branch, 'number', []);
  if (branch.type === 'boolean') return makeField(place, branch, 'flag', []);
  if (branch.type === 'string') return makeField(place, branch, 'text', []);
  if (branch.type === 'array' && Array.isArray(branch.items)) return makeField(place, branch, 'vector', []);
  return undefined;
}

function makeField(place: Place, schema: JsonSchema, kind: FieldKind, choices: readonly string[]): Field {
  const { root, scene, path, isRequired } = place;
  const key = path.at(-1) ?? '';
  return {
    path,
    key: String(key),
    kind,
    schema,
    value: readAt(scene, path),
    unit: schema.unit === undefined || schema.unit === '1' ? '' : schema.unit,
    help: schema.description ?? '',
    fallback: schema.default === undefined ? '' : formatValue(schema.default),
    choices,
    alternatives: listAlternatives(root, scene, path, place.schema),
    isRequired,
  };
}

function computeBranch({ root, scene, path, schema, isRequired }: Place): Branch {
  const value = readAt(scene, path);
  const branch = chooseBranch(root, schema, value);
  return {
    path,
    title: computeTitle(value, path),
    help: branch?.description ?? '',
    alternatives: listAlternatives(root, scene, path, schema),
    isRequired,
    isMaterial: path.at(-1) === 'material' || (path.length === 2 && path[0] === 'materials'),
  };
}

/** `rope · strand`, `tie · rope end`, `points (3)`, `2`. */
export function computeTitle(value: unknown, path: Path): string {
  const key = String(path.at(-1) ?? '');
  if (Array.isArray(value)) return `${key} (${value.length})`;
  const text = (...segments: Path) => {
    const found = readAt(value, segments);
    return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
  };
  const type = text('type');
  const where = [text('on', 'object') || text('object'), text('on', 'at')].filter((part) => part !== '').join(' ');
  if (typeof path.at(-1) !== 'number') return type === '' ? key : `${key} · ${type}`;
  if (text('time') !== '') return `at ${text('time')} s`;
  return [text('id'), type, where].filter((part) => part !== '').join(' · ') || String(Number(key) + 1);
}

/** Forms of a union that the value does not have now and that can be filled in without asking. */
function listAlternatives(root: JsonSchema, scene: unknown, path: Path, schema: JsonSchema): Alternative[] {
  const branches = listBranches(root, schema);
  if (branches.length < 2 || branches.some((branch) => branch.properties?.type?.const !== undefined)) return [];
  const value = readAt(scene, path);
  return branches
    .filter((branch) => !fits(root, branch, value) && branch.type !== 'array')
    .filter((branch) => branch.type !== 'string' || branch.enum !== undefined)
    .map((branch) => ({
      label: branch.const === undefined ? (branch.description ?? '').split(/\.(?: |$)/)[0] : String(branch.const),
      initial: computeInitial(root, branch, scene, path),
    }));
}

function listAdditions(root: JsonSchema, scene: unknown, path: Path, schema: JsonSchema): Addition[] {
  const value = readAt(scene, path);
  if (!isObject(value)) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    if (Object.hasOwn(value, key) || isOutOfPlace(value, path, key)) return [];
    const [plain] = listBranches(root, property);
    const place = [...path, key];
    // nothing there that a continuum could touch
    if (key === 'touching' && path.length === 2 && listNames(scene, [...place, 0])?.length === 0) return [];
    if (plain.type === 'array' && !Array.isArray(plain.items)) return listListAddition(root, scene, place, plain);
    const given = resolve(root, property).default ?? plain.default;
    const isAsked =
      given === undefined && (plain.type === 'number' || plain.type === 'integer' || plain.type === 'string');
    const initial = isAsked && plain.enum === undefined ? undefined : computeInitial(root, property, scene, place);
    return [{ path: place, key, help: resolve(root, property).description ?? '', schema: plain, initial }];
  });
}

/** Keys that the scene lists otherwise, or that go with a value that it has not, or against one that it has. */
function isOutOfPlace(value: JsonObject, path: Path, key: string): boolean {
  if (path.length === 0) return NOT_PARAMETERS.has(key) || LISTS.some((list) => list === key);
  if (path[0] === 'bodies' && path.length === 2) {
    if (key === 'keyframes') return value.motion !== 'scripted';
    if (DYNAMIC_KEYS.includes(key) && value.motion !== 'dynamic') return true;
  }
  // its poses are files, which no number stands for
  if (key === 'animation' && path[0] === 'bodies') return true;
  if (key === 'sliding' || key === 'refinement') return value.mode === 'lagrangian';
  if (path[0] === 'drivers' && value.type === 'clamp') {
    const hasSpeed = Object.hasOwn(value, 'velocity') || Object.hasOwn(value, 'angularVelocity');
    return key === 'keyframes' ? hasSpeed : SPEEDS.has(key) && Object.hasOwn(value, 'keyframes');
  }
  if (key === 'body' && path[0] === 'drivers') return Object.hasOwn(value, 'to');
  return Object.hasOwn(EXCLUSIVE, key) && path[0] !== 'materials' && Object.hasOwn(value, EXCLUSIVE[key]);
}

/** A list is added with its first entry. */
function listListAddition(root: JsonSchema, scene: unknown, path: Path, schema: JsonSchema): Addition[] {
  const [form] = listEntryForms(root, scene, path);
  if (form === undefined) return [];
  const initial = readAt(computeEdited(scene, form.edits), path);
  return [{ path, key: String(path.at(-1)), help: schema.description ?? '', schema, initial }];
}

/** The empty field of a number that was added and has no value yet. */
export function computeDraft({ path, key, schema, help }: Addition): Field {
  const unit = schema.unit === undefined || schema.unit === '1' ? '' : schema.unit;
  const kind = schema.type === 'string' ? 'text' : 'number';
  return {
    path,
    key,
    kind,
    schema,
    value: undefined,
    unit,
    help,
    fallback: '',
    choices: [],
    alternatives: [],
    isRequired: false,
  };
}

/** A value in a few characters. */
export function formatValue(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
