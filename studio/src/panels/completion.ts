/** What could be written at a cursor of a scene's JSON: keys that are not there yet, and values of the format. */

import { MATERIAL_PRESETS, SHEET_MATERIAL_PRESETS } from 'heddle/model';
import type { JsonSchema } from 'heddle/scene';
import { findCursor, type JsonCursor } from './json-cursor.ts';
import { isObject } from './json-value.ts';
import { type Path, readAt } from './overrides.ts';
import { chooseBranch, computeInitial, findSchema, listBranches, listNames, resolve } from './schema-walk.ts';

export interface Suggestion {
  readonly label: string;
  /** The text that replaces `from`…`to`. */
  readonly insert: string;
  /** Unit or kind, in a word. */
  readonly detail: string;
  readonly help: string;
}

export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly Suggestion[];
}

/** Suggestions at an offset of a text, those that begin with what was typed first. */
export function computeCompletion(root: JsonSchema, text: string, offset: number): Completion {
  const cursor = findCursor(text, offset);
  const all =
    cursor.place === 'key' ? listKeys(root, cursor) : cursor.place === 'value' ? listValues(root, cursor) : [];
  return { from: cursor.from, to: cursor.to, suggestions: rank(all, cursor.typed) };
}

function rank(suggestions: readonly Suggestion[], typed: string): Suggestion[] {
  const wanted = typed.toLowerCase();
  const begins = ({ label }: Suggestion) => label.toLowerCase().startsWith(wanted);
  const contains = ({ label }: Suggestion) => label.toLowerCase().includes(wanted);
  const first = suggestions.filter(begins);
  return [...first, ...suggestions.filter((entry) => contains(entry) && !begins(entry))];
}

function listKeys(root: JsonSchema, { path, value, hasColon, typed }: JsonCursor): Suggestion[] {
  const schema = findSchema(root, value, path);
  if (schema === undefined) return [];
  const object = readAt(value, path);
  const present = new Set(Object.keys(isObject(object) ? object : {}));
  // the key under the cursor may be read as present already
  present.delete(typed);
  const branch = chooseBranch(root, schema, object);
  const branches = branch === undefined ? listBranches(root, schema) : [branch];
  const found = new Map<string, Suggestion>();
  for (const { properties, required } of branches) {
    for (const [key, property] of Object.entries(properties ?? {})) {
      if (present.has(key) || found.has(key)) continue;
      const plain = resolve(root, property);
      found.set(key, {
        label: key,
        insert: hasColon ? JSON.stringify(key) : `${JSON.stringify(key)}: ${beginValue(root, plain)}`,
        detail: `${describeKind(root, plain)}${required?.includes(key) ? ' · needed' : ''}`,
        help: plain.description ?? '',
      });
    }
  }
  return [...found.values()];
}

/** What follows a new key: its value where there is only one, else nothing. */
function beginValue(root: JsonSchema, schema: JsonSchema): string {
  const [branch] = listBranches(root, schema);
  return branch.const === undefined || listBranches(root, schema).length > 1 ? '' : JSON.stringify(branch.const);
}

function describeKind(root: JsonSchema, schema: JsonSchema): string {
  if (schema.unit !== undefined && schema.unit !== '1') return schema.unit;
  const [branch] = listBranches(root, schema);
  if (branch.enum !== undefined) return branch.enum.join(' | ');
  if (branch.type === 'array') return Array.isArray(branch.items) ? '[x, y, z]' : 'list';
  return branch.type ?? '';
}

function listValues(root: JsonSchema, { path, value }: JsonCursor): Suggestion[] {
  const schema = findValueSchema(root, value, path);
  if (schema === undefined) return [];
  const found = new Map<string, Suggestion>();
  const add = (label: string, insert: string, detail: string, help = '') => {
    if (!found.has(insert)) found.set(insert, { label, insert, detail, help });
  };
  for (const name of listNames(value, path) ?? []) add(name, JSON.stringify(name), 'in the scene');
  addMaterials(value, path, add);
  const plain = resolve(root, schema);
  if (plain.default !== undefined) {
    const insert = formatInline(plain.default);
    add(typeof plain.default === 'string' ? plain.default : insert, insert, 'default');
  }
  for (const branch of listBranches(root, schema)) addBranch(root, branch, value, path, add);
  return [...found.values()];
}

/** The schema at a path; for the key that tells the branches of a union apart, all its values. */
function findValueSchema(root: JsonSchema, scene: unknown, path: Path): JsonSchema | undefined {
  const parent = path.at(-1) === 'type' ? findSchema(root, scene, path.slice(0, -1)) : undefined;
  if (parent === undefined) return findSchema(root, scene, path);
  const types = listBranches(root, parent).map((branch) => ({ ...branch.properties?.type, ...describe(branch) }));
  return { anyOf: types };
}

const describe = ({ description }: JsonSchema): JsonSchema => (description === undefined ? {} : { description });

type Add = (label: string, insert: string, detail: string, help?: string) => void;

function addMaterials(scene: unknown, path: Path, add: Add): void {
  if (path.at(-1) !== 'material' && path.at(-1) !== 'secondMaterial') return;
  const own = readAt(scene, ['materials']);
  for (const name of Object.keys(isObject(own) ? own : {})) add(name, JSON.stringify(name), 'in the scene');
  const isSheet = readAt(scene, [...path.slice(0, -1), 'type']) === 'sheet';
  for (const { name, title } of isSheet ? SHEET_MATERIAL_PRESETS : MATERIAL_PRESETS)
    add(name, JSON.stringify(name), 'built in', title);
}

function addBranch(root: JsonSchema, branch: JsonSchema, scene: unknown, path: Path, add: Add): void {
  const help = branch.description ?? '';
  if (branch.const !== undefined) add(String(branch.const), JSON.stringify(branch.const), '', help);
  else if (branch.enum !== undefined) for (const word of branch.enum) add(String(word), JSON.stringify(word), '', help);
  else if (branch.type === 'boolean') for (const word of ['true', 'false']) add(word, word, '', help);
  else if (branch.type === 'object' || branch.type === 'array') {
    const initial = computeInitial(root, branch, scene, path);
    const type = branch.properties?.type?.const;
    const label = type === undefined ? (branch.type === 'object' ? '{ … }' : '[ … ]') : String(type);
    add(label, formatInline(initial), branch.type, help);
  }
}

/** JSON on one line with a space after commas and colons. */
function formatInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatInline).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${formatInline(inner)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
