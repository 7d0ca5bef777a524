/**
 * Finding one's way in the JSON schema of the scene: references followed, unions resolved to the branch that a value
 * means, the schema of any place of a scene, and a first value for what is added.
 */

import type { JsonSchema } from 'heddle/scene';
import { isObject } from './json-value.ts';
import { type Path, readAt } from './overrides.ts';

/** The schema itself behind `$ref` and `allOf` with one entry; description, unit and default of the place win. */
export function resolve(root: JsonSchema, schema: JsonSchema): JsonSchema {
  let result = schema;
  for (let depth = 0; depth < 16; depth++) {
    const reference = result.$ref ?? (result.allOf?.length === 1 ? result.allOf[0] : undefined);
    if (reference === undefined) return result;
    const target = typeof reference === 'string' ? findDefinition(root, reference) : reference;
    const { $ref: _ref, allOf: _all, ...own } = result;
    result = { ...target, ...own };
  }
  return result;
}

function findDefinition(root: JsonSchema, reference: string): JsonSchema {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const definitions = root.definitions ?? {};
  return Object.hasOwn(definitions, name) ? definitions[name] : {};
}

/** The branches of a union, resolved; the schema itself when it is none. */
export function listBranches(root: JsonSchema, schema: JsonSchema): JsonSchema[] {
  const plain = resolve(root, schema);
  const branches = plain.anyOf ?? plain.oneOf;
  if (branches === undefined) return [plain];
  return branches.flatMap((branch) => listBranches(root, branch));
}

/** The branch that a value means, undefined when none fits; description, unit and default of the union win. */
export function chooseBranch(root: JsonSchema, schema: JsonSchema, value: unknown): JsonSchema | undefined {
  const plain = resolve(root, schema);
  if (plain.anyOf === undefined && plain.oneOf === undefined) return plain;
  const branch = listBranches(root, plain).find((candidate) => fits(root, candidate, value));
  if (branch === undefined) return undefined;
  const { anyOf: _any, oneOf: _one, ...own } = plain;
  return { ...branch, ...own };
}

/** Is the value of the kind the schema means? Ranges and required keys are not looked at. */
export function fits(root: JsonSchema, schema: JsonSchema, value: unknown): boolean {
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum !== undefined) return schema.enum.includes(value);
  switch (schema.type) {
    case 'number':
    case 'integer':
      return typeof value === 'number';
    case 'string':
    case 'boolean':
      return typeof value === schema.type;
    case 'array':
      return Array.isArray(value) && fitsArray(root, schema, value);
    case 'object':
      return isObject(value) && fitsConstants(schema, value);
    default:
      return false;
  }
}

function fitsArray(root: JsonSchema, schema: JsonSchema, value: readonly unknown[]): boolean {
  const { items } = schema;
  if (isList(items)) return value.length === items.length && value.every((entry, i) => fits(root, items[i], entry));
  if (value.length === 0 || items === undefined) return true;
  return listBranches(root, items).some((branch) => fits(root, branch, value[0]));
}

/** Array.isArray does not narrow readonly arrays. */
const isList = (items: JsonSchema['items']): items is readonly JsonSchema[] => Array.isArray(items);

/** Keys with a fixed value, such as `type`, tell the branches of a union apart. */
function fitsConstants(schema: JsonSchema, value: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(schema.properties ?? {}).every(
    ([key, property]) => property.const === undefined || readAt(value, [key]) === property.const,
  );
}

/** The schema of a key or an index of a value whose schema is known. */
export function descend(
  root: JsonSchema,
  schema: JsonSchema,
  value: unknown,
  segment: string | number,
): JsonSchema | undefined {
  const branch = chooseBranch(root, schema, value);
  if (branch === undefined) return undefined;
  if (typeof segment === 'number') {
    const { items } = branch;
    return isList(items) ? items[segment] : items;
  }
  const properties = branch.properties ?? {};
  if (Object.hasOwn(properties, segment)) return properties[segment];
  return typeof branch.additionalProperties === 'object' ? branch.additionalProperties : undefined;
}

/** The schema of the value at a path of a scene, not yet resolved; undefined where the format has nothing. */
export function findSchema(root: JsonSchema, scene: unknown, path: Path): JsonSchema | undefined {
  let schema: JsonSchema | undefined = root;
  let value = scene;
  for (const segment of path) {
    if (schema === undefined) return undefined;
    schema = descend(root, schema, value, segment);
    value = readAt(value, [segment]);
  }
  return schema;
}

/** Names that the scene offers for a key that refers to something; undefined for keys that do not. */
export function listNames(scene: unknown, path: Path): string[] | undefined {
  const key = path.at(-1);
  const ids = (list: unknown): string[] =>
    Array.isArray(list)
      ? list.map((entry) => readAt(entry, ['id'])).filter((id): id is string => typeof id === 'string')
      : [];
  if (key === 'object' || (typeof key === 'number' && path.at(-2) === 'objects' && path[0] === 'crossings')) {
    return ids(readAt(scene, ['objects']));
  }
  if (typeof key === 'number' && path.at(path[0] === 'touching' ? 0 : -2) === 'touching') {
    const objects = readAt(scene, ['objects']);
    return ids(Array.isArray(objects) ? objects.filter((object) => readAt(object, ['type']) !== 'mpm') : []);
  }
  if (key === 'body') return ids(readAt(scene, ['bodies']));
  if (key !== 'guide' && key !== 'spool') return undefined;
  const name = readAt(scene, [...path.slice(0, -1), 'object']);
  const objects = readAt(scene, ['objects']);
  const object = Array.isArray(objects) ? objects.find((entry) => readAt(entry, ['id']) === name) : undefined;
  const spools = ids(readAt(object, ['spools']));
  return key === 'spool' ? spools : [...ids(readAt(object, ['guides'])), ...spools];
}

/** A first value for what is added: the default, else the plainest that the schema allows; undefined if there is none. */
export function computeInitial(root: JsonSchema, schema: JsonSchema, scene: unknown, path: Path): unknown {
  const [plain] = listBranches(root, schema);
  const given = resolve(root, schema).default ?? plain.default;
  if (given !== undefined) return given;
  if (plain.const !== undefined) return plain.const;
  if (plain.enum !== undefined) return plain.enum[0];
  if (plain.type === 'boolean') return true;
  if (plain.type === 'number' || plain.type === 'integer') {
    const step = readAt(scene, ['time', 'step']);
    // a time in a scene is judged by the length of its steps
    return plain.unit === 's' && plain.exclusiveMinimum === 0 && typeof step === 'number'
      ? step / 100
      : computeInitialNumber(plain);
  }
  if (plain.type === 'string') return listNames(scene, path)?.[0] ?? 'name';
  if (plain.type === 'array') return computeInitialArray(root, plain, scene, path);
  if (plain.type !== 'object') return undefined;
  const keys = plain.required ?? [];
  return Object.fromEntries(
    keys.map((key) => [key, computeInitial(root, plain.properties?.[key] ?? {}, scene, [...path, key])]),
  );
}

function computeInitialArray(root: JsonSchema, schema: JsonSchema, scene: unknown, path: Path): unknown {
  // a direction must not be zero
  const { items = {} } = schema;
  if (isList(items)) {
    if (schema.unit === '1') return [0, 1, 0];
    // two points: opposite corners of a box, or a line
    return items.map((item, i) => (isList(item.items) ? item.items.map(() => i) : computeInitialNumber(item)));
  }
  const count = typeof schema.minItems === 'number' ? schema.minItems : 0;
  return Array.from({ length: count }, (_, i) => computeInitial(root, items, scene, [...path, i]));
}

function computeInitialNumber(schema: JsonSchema): number {
  if (schema.exclusiveMinimum === 0) return Math.min(1, Number(schema.maximum ?? 1));
  return typeof schema.minimum === 'number' && schema.minimum > 0 ? schema.minimum : 0;
}
