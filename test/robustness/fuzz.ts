/**
 * Scene files damaged on purpose. `fuzzScene(seed, base)` takes a valid scene and gives the text of a damaged one,
 * always the same for the same seed: keys removed, misspelt or added, values of the wrong type, non-finite, huge or
 * negative, duplicate ids, dangling references, deep nesting, broken JSON.
 */

import { createRandom } from 'heddle/math';
import type { SceneInput } from 'heddle/scene';

type Random = () => number;
type Container = Record<string, unknown> | unknown[];

interface Place {
  readonly parent: Container;
  readonly key: string | number;
}

/** Values that stand for others in JSON text: written without quotes after the scene is made text. */
const RAW = new Map([
  ['@huge', '1e999'],
  ['@tiny', '-1e999'],
  ['@nan', 'NaN'],
  ['@infinity', 'Infinity'],
]);

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  '',
  'x',
  'NaN',
  'Infinity',
  '1e999',
  '@huge',
  '@tiny',
  0,
  -0,
  -1,
  1e308,
  -1e308,
  5e-324,
  1e9 + 1,
  2_000_001,
  0.5,
  [],
  {},
  [[]],
  [1, 2],
  [0, 0, 0],
  { type: 'nothing' },
  'a'.repeat(300),
  '\u0000',
  '../../etc/passwd',
];

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function collectPlaces(value: unknown, places: Place[] = []): Place[] {
  if (!isContainer(value)) return places;
  for (const key of Object.keys(value)) {
    const place = { parent: value, key: Array.isArray(value) ? Number(key) : key };
    places.push(place);
    collectPlaces(read(place), places);
  }
  return places;
}

const read = ({ parent, key }: Place): unknown => (parent as Record<string | number, unknown>)[key];

function write({ parent, key }: Place, value: unknown): void {
  (parent as Record<string | number, unknown>)[key] = value;
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)];

function remove({ parent, key }: Place): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

function misspell(random: Random, word: string): string {
  const at = Math.floor(random() * (word.length + 1));
  return random() < 0.5 ? word.slice(0, at) + word.slice(at + 1) : `${word.slice(0, at)}q${word.slice(at)}`;
}

type Damage = (random: Random, place: Place) => void;

const DAMAGES: readonly Damage[] = [
  (_, place) => remove(place),
  (random, place) => write(place, structuredClone(pick(random, ODD_VALUES))),
  (random, place) => write(place, structuredClone(pick(random, ODD_VALUES))),
  // a number scaled, negated or made odd
  (random, place) => {
    const value = read(place);
    if (typeof value === 'number') write(place, value * pick(random, [-1, 1e12, -1e-12, 1e300, 0, 1.5, 2]));
    else if (typeof value === 'string') write(place, misspell(random, value));
  },
  // a misspelt key
  (random, place) => {
    if (Array.isArray(place.parent)) return;
    place.parent[misspell(random, String(place.key))] = read(place);
    remove(place);
  },
  // an unknown key
  (random, { parent }) => {
    if (!Array.isArray(parent)) parent[pick(random, ['extra', 'constructor', 'toString', 'nodess', ''])] = 1;
  },
  // an element twice: duplicate ids, times that stand still
  (_, place) => {
    if (Array.isArray(place.parent)) place.parent.push(structuredClone(read(place)));
  },
  // a value from somewhere else in the same container
  (random, place) => {
    const other = pick(random, Object.keys(place.parent));
    write(place, structuredClone((place.parent as Record<string, unknown>)[other]));
  },
  // deep nesting
  (random, place) => {
    let value: unknown = read(place);
    for (let depth = Math.floor(random() * 100); depth > 0; depth--) value = random() < 0.5 ? [value] : { a: value };
    write(place, value);
  },
];

const TEXT_DAMAGES: readonly ((random: Random, text: string) => string)[] = [
  (random, text) => text.slice(0, Math.floor(random() * text.length)),
  (random, text) => {
    const at = Math.floor(random() * text.length);
    return text.slice(0, at) + pick(random, ['{', '}', ',', '"', 'NaN', '\n', '//', '\u0000', '[[[[']) + text.slice(at);
  },
  (_, text) => text.replace('{', '{"__proto__": {"polluted": true}, '),
  (_, text) => text.replace('"heddle"', '"heddle": 1, "heddle"'),
  (_, text) => '['.repeat(100_000) + text,
];

/** The text of a damaged scene; the same for the same seed and base. */
export function fuzzScene(seed: number, base: SceneInput): string {
  const random = createRandom(seed);
  const next: Random = () => random.uniform();
  const scene = structuredClone(base) as Record<string, unknown>;
  const damages = 1 + Math.floor(next() * 3);
  for (let i = 0; i < damages; i++) {
    const places = collectPlaces(scene);
    if (places.length > 0) pick(next, DAMAGES)(next, pick(next, places));
  }
  let text = JSON.stringify(scene, null, 2);
  for (const [marker, raw] of RAW) text = text.replaceAll(`"${marker}"`, raw);
  return next() < 0.1 ? pick(next, TEXT_DAMAGES)(next, text) : text;
}
