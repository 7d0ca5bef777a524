/** Checks of sheets, and of places on objects, on raw values; see checks.ts. */

import type { Limits } from '../model/limits.ts';
import { checkFabricPlace } from './check-fabrics.ts';
import type { Report } from './faults.ts';
import type { JsonPath } from './json-text.ts';
import { kindOf, type PartKind } from './mpm-patterns.ts';
import { eachRaw, isNumber, isRaw, type Raw } from './raw.ts';
import { OBJECT_TYPES } from './schema-objects.ts';
import { describeFound, formatNumber, listChoices, quote } from './wording.ts';

/** What a reference to an object must know of it. */
export interface ObjectKind {
  readonly type: unknown;
  /** Type of a sheet's shape, or of the pattern of a part. */
  readonly shape: unknown;
  /** Layers of a fabric. */
  readonly layers: unknown;
}

export function collectKinds(scene: Raw): ReadonlyMap<string, ObjectKind> {
  const kinds = new Map<string, ObjectKind>();
  eachRaw(scene.objects, [], ({ id, type, shape, layers, parts }) => {
    if (typeof id === 'string') kinds.set(id, { type, shape: isRaw(shape) ? shape.type : undefined, layers });
    if (type === 'mpm')
      eachRaw(parts, [], (part) => {
        const pattern = isRaw(part.pattern) ? part.pattern.type : undefined;
        if (typeof part.id === 'string') kinds.set(part.id, { type: 'part', shape: pattern, layers: undefined });
      });
  });
  return kinds;
}

const REGION_KEYS = ['corner', 'side', 'box', 'worldBox'] as const;
const FABRIC_ONLY = ['warps', 'wefts', 'layer'] as const;

/** A place on a strand or rod is "at", on a strand with `guide` allowed also that; on a sheet one of "at" and the regions. */
export function checkPlace(
  place: Raw,
  path: JsonPath,
  kinds: ReadonlyMap<string, ObjectKind>,
  report: Report,
  mayBeGuide = false,
): void {
  const kind = kinds.get(String(place.object));
  if (kind?.type === 'fabric') checkFabricPlace(place, path, kind.layers, report);
  if (kind?.type === 'mpm' || kind?.type === 'part') checkPartPlace(place, path, kind, mayBeGuide, report);
  if (kind?.type === 'sheet') checkSheetPlace(place, path, kind, report);
  if (kind?.type !== 'strand' && kind?.type !== 'rod') return;
  for (const key of [...REGION_KEYS, ...FABRIC_ONLY])
    if (place[key] !== undefined)
      report([...path, key], `is given, but the object is a ${kind.type}; give its location with "at".`);
  if (Array.isArray(place.at))
    report(
      [...path, 'at'],
      `is [X, Y], but the object is a ${kind.type}; give "start", "end" or a fraction from 0 to 1.`,
    );
  if (kind.type === 'rod' && place.guide !== undefined)
    report([...path, 'guide'], 'is given, but the object is a rod, which has no guides.');
  if (mayBeGuide && kind.type === 'strand') {
    if (place.at === undefined && place.guide === undefined)
      report([...path, 'at'], 'is missing, and so is guide; give one of the two.');
    if (place.at !== undefined && place.guide !== undefined)
      report([...path, 'guide'], 'is given together with at; remove one of the two.');
  } else if (place.at === undefined) report([...path, 'at'], 'is missing; it must be "start", "end" or a fraction.');
}

/** What names a place on a part of a continuum, by what its pattern makes. */
const PART_KEYS: Readonly<Record<PartKind, readonly string[]>> = {
  surface: ['at', ...REGION_KEYS],
  curve: ['at', 'worldBox'],
  bulk: ['worldBox'],
};

/** Drivers name a region of a part; probes may mean all of it. */
function checkPartPlace(
  place: Raw,
  path: JsonPath,
  { type, shape }: ObjectKind,
  isProbe: boolean,
  report: Report,
): void {
  if (type === 'mpm') report([...path, 'object'], 'is an MPM object; name one of its parts.');
  const kind = kindOf(String(shape));
  if (type === 'mpm' || kind === undefined) return;
  const allowed = PART_KEYS[kind];
  const given = ['at', 'guide', ...REGION_KEYS, ...FABRIC_ONLY].filter((key) => place[key] !== undefined);
  const noun = kind === 'bulk' ? 'a filling' : `a ${kind}`;
  for (const key of given)
    if (!allowed.includes(key))
      report([...path, key], `is given, but the MPM part is ${noun}; give ${listChoices(allowed)}.`);
  if (given.length === 0 && !isProbe)
    report([...path, allowed[0]], `is missing; on ${noun} of an MPM object give ${listChoices(allowed)}.`);
  if (given.length > 1 && given.every((key) => allowed.includes(key)))
    report([...path, given[1]], `is given together with ${given[0]}; remove one of the two.`);
  if (place.at !== undefined && kind !== 'bulk' && Array.isArray(place.at) !== (kind === 'surface'))
    report(
      [...path, 'at'],
      kind === 'surface'
        ? 'is a location on a curve; on a surface give [X, Y] in m.'
        : 'is [X, Y], but the part is made of curves; give "start", "end" or a fraction from 0 to 1.',
    );
  for (const key of ['corner', 'side'])
    if (place[key] !== undefined && kind === 'surface' && shape !== 'rectangle')
      report([...path, key], `is given, but the part is a ${String(shape)}; only a rectangle has corners and sides.`);
}

function checkSheetPlace(place: Raw, path: JsonPath, { shape }: ObjectKind, report: Report): void {
  const given = ['at', ...REGION_KEYS].filter((key) => place[key] !== undefined);
  for (const key of FABRIC_ONLY)
    if (place[key] !== undefined)
      report([...path, key], 'is given, but the object is a sheet, which has no yarns and no layers; remove it.');
  if (place.guide !== undefined)
    report([...path, 'guide'], 'is given, but the object is a sheet, which has no guides.');
  if (given.length === 0)
    report([...path, 'at'], `is missing; on a sheet give one of ${listChoices(['at', ...REGION_KEYS])}.`);
  if (given.length > 1) report([...path, given[1]], `is given together with ${given[0]}; remove one of the two.`);
  if (place.at !== undefined && !Array.isArray(place.at))
    report(
      [...path, 'at'],
      `is ${typeof place.at === 'string' ? quote(place.at) : String(place.at)}, a location on a strand; on a sheet give [X, Y] in m.`,
    );
  for (const key of ['corner', 'side'])
    if (place[key] !== undefined && shape !== undefined && shape !== 'rectangle')
      report(
        [...path, key],
        `is given, but the sheet is ${typeof shape === 'string' ? `a ${shape.slice(0, 40)}` : describeFound(shape)}; only a rectangle has corners and sides.`,
      );
}

/** Where probes name places. */
export const PLACE_KEYS = ['on', 'from', 'to'] as const;

/** Types of objects that a probe is measured on, where not on all. */
const PROBED_TYPES: Readonly<Record<string, readonly string[]>> = {
  tension: ['strand', 'rod', 'sheet', 'fabric'],
  constraintForce: ['strand', 'rod', 'sheet', 'fabric', 'part'],
  energy: OBJECT_TYPES,
  momentum: OBJECT_TYPES,
  angularMomentum: OBJECT_TYPES,
  counts: OBJECT_TYPES,
  bounds: ['part'],
  particles: ['part'],
  speed: ['strand', 'rod'],
  curvature: ['strand', 'rod'],
  materialCoordinate: ['strand', 'rod'],
  materialSpeed: ['strand', 'rod'],
  length: ['strand', 'rod'],
  spool: ['strand'],
  passage: ['strand'],
  crossings: ['strand'],
  rod: ['rod'],
  link: ['rod'],
  torque: ['rod'],
  stress: ['sheet'],
  mesh: ['sheet'],
  coherence: ['sheet'],
  area: ['sheet'],
  penetration: ['sheet'],
  fabric: ['fabric'],
  extension: ['fabric'],
  load: ['fabric'],
  slip: ['fabric'],
};

/** Some quantities are of some types of objects only. */
export function checkProbeKind(
  probe: Raw,
  path: JsonPath,
  kinds: ReadonlyMap<string, ObjectKind>,
  report: Report,
): void {
  const place = probe.on;
  if (probe.type === 'strain' && isRaw(place) && kinds.get(String(place.object))?.type === 'part')
    for (const key of ['at', 'corner', 'side', 'box'])
      if (place[key] !== undefined)
        report(
          [...path, 'on', key],
          'is given, but vertices of an MPM object have no strain; give "worldBox", or nothing for the whole part.',
        );
  const types = Object.hasOwn(PROBED_TYPES, String(probe.type)) ? PROBED_TYPES[String(probe.type)] : undefined;
  if (types === undefined) return;
  const measured = types.map(pluralOf).join(' and ');
  const check = (object: unknown, at: JsonPath): void => {
    const type = kinds.get(String(object))?.type;
    if ((isObjectType(type) || type === 'part') && !types.includes(type))
      report(at, `is ${nounOf(type)}; ${quote(String(probe.type))} is measured on ${measured} only.`);
  };
  check(probe.object, [...path, 'object']);
  for (const key of PLACE_KEYS) {
    const place = probe[key];
    if (isRaw(place)) check(place.object, [...path, key, 'object']);
  }
}

const nounOf = (type: string): string =>
  type === 'part' ? 'an MPM part' : type === 'mpm' ? 'an MPM object' : `a ${type}`;
const pluralOf = (type: string): string =>
  type === 'part' ? 'MPM parts' : type === 'mpm' ? 'MPM objects' : `${type}s`;

const isObjectType = (type: unknown): type is (typeof OBJECT_TYPES)[number] => OBJECT_TYPES.includes(type as 'strand');

/** What a reference must be, where only one type will do. */
export function checkType(
  name: unknown,
  type: (typeof OBJECT_TYPES)[number],
  path: JsonPath,
  kinds: ReadonlyMap<string, ObjectKind>,
  report: Report,
): void {
  const found = kinds.get(String(name))?.type;
  if (isObjectType(found) && found !== type)
    report(path, `is ${quote(String(name))}, ${nounOf(found)}; it must be ${nounOf(type)}.`);
}

export function checkSheet(object: Raw, path: JsonPath, limits: Limits, report: Report): void {
  eachRaw(object.folds, [...path, 'folds'], ({ line }, at) => {
    if (!Array.isArray(line) || !line.every(Array.isArray) || line.length !== 2) return;
    if (line[0][0] === line[1][0] && line[0][1] === line[1][1])
      report([...at, 'line'], 'has the same point twice; give two different ones.');
  });
  checkSizing(object, path, report);
  if (isRaw(object.rotation) && Array.isArray(object.rotation.axis) && object.rotation.axis.every((one) => one === 0))
    report([...path, 'rotation', 'axis'], 'is [0, 0, 0], which has no direction; use another vector.');
  if (object.edgeContact === true && (object.mode ?? 'eol') === 'eol')
    report([...path, 'edgeContact'], 'is true, but mode is "eol", which does this with vertices on edges; remove it.');
  if (object.edgeContact === true && object.contact === false)
    report([...path, 'edgeContact'], 'is true, but contact is false; remove one of the two.');
  if (!isRaw(object.shape)) return;
  if (object.shape.type === 'mesh') {
    for (const key of ['folds', 'origin'])
      if (object[key] !== undefined && !(Array.isArray(object[key]) && object[key].length === 0 && key === 'folds'))
        report(
          [...path, key],
          'is given, but the shape is a mesh from a file, which already has a position; remove it.',
        );
  }
  if (countVertices(object) > limits.nodes)
    report([...path, 'shape'], `has more than ${limits.nodes} vertices; use fewer, larger cells.`);
}

function checkSizing({ sizing, remesher }: Raw, path: JsonPath, report: Report): void {
  if (!isRaw(sizing)) return;
  if (remesher !== 'adaptive' && Object.keys(sizing).length > 0)
    report(
      [...path, 'sizing'],
      'is given, but the remesher is not "adaptive"; set remesher to "adaptive", or remove the sizing.',
    );
  const { smallest, largest } = sizing;
  if (isNumber(smallest) && isNumber(largest) && smallest > 0 && largest < 2 * smallest)
    report(
      [...path, 'sizing', 'largest'],
      `is ${formatNumber(largest)}; it must be at least twice smallest, ${formatNumber(2 * smallest)}.`,
    );
}

/** About how many vertices a sheet has; 0 where it cannot be said. */
export function countVertices({ shape }: Raw): number {
  if (!isRaw(shape)) return 0;
  const { type, columns, rows, radius, size, outline } = shape;
  if (type === 'rectangle' && isNumber(columns) && isNumber(rows)) return (columns + 1) * (rows + 1);
  if (!isNumber(size) || !(size > 0)) return 0;
  if (type === 'disk' && isNumber(radius)) return 1 + 6 * (radius / size) ** 2;
  if (type !== 'polygon' || !Array.isArray(outline)) return 0;
  const extent = (k: number): number => {
    const values = outline.map((point) => (Array.isArray(point) && isNumber(point[k]) ? point[k] : 0));
    return (
      values.reduce((most, value) => Math.max(most, value), -1e9) -
      values.reduce((least, value) => Math.min(least, value), 1e9)
    );
  };
  return (2 * extent(0) * extent(1)) / size ** 2;
}
