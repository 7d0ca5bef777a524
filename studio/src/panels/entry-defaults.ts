/**
 * First values of what is added to a scene's lists, such that the scene stays valid: names that are free, places that exist
 * and are not taken, things where nothing else is. What the schema says alone is in computeInitial; here is the rest.
 */

import type { JsonObject } from './json-value.ts';
import { type Path, readAt } from './overrides.ts';
import {
  computeAlong,
  computeBox,
  isContinuum,
  isFabric,
  isPoint,
  isSheet,
  listCorners,
  listEntries,
  listParts,
  measure,
  mix,
  type Point,
} from './scene-places.ts';

/** What is added beyond the schema's own first values; undefined where the scene has no place for it. */
type Patch = (scene: unknown, list: Path) => JsonObject | undefined;

/** The name wanted, or with the next free number where it is among `taken`: `pin`, `pin-2`, `pin-3` … */
export function computeFreeName(wanted: string, taken: readonly unknown[]): string {
  if (!taken.includes(wanted)) return wanted;
  const base = wanted.replace(/-\d+$/, '');
  for (let n = 2; ; n++) if (!taken.includes(`${base}-${n}`)) return `${base}-${n}`;
}

/** Names that an entry of a list must not bear. */
export function listTakenNames(scene: unknown, list: Path): unknown[] {
  const lists: Path[] =
    list.length > 1
      ? [
          [...list.slice(0, -1), 'guides'],
          [...list.slice(0, -1), 'spools'],
          [...list.slice(0, -1), 'layers'],
          ...(list.at(-1) === 'parts' ? [['objects'], ['bodies']] : []),
        ]
      : list[0] === 'probes'
        ? [['probes']]
        : [['objects'], ['bodies']];
  const parts = list[0] === 'objects' && list.at(-1) !== 'parts' && list.length > 1 ? [] : listParts(scene);
  return [...lists.flatMap((path) => listEntries(scene, ...path)), ...parts].map(({ id }) => id);
}

/** Ends of an object that are wound on a spool. */
const listWoundEnds = (object: unknown): unknown[] => listEntries(object, 'spools').map(({ end }) => end);

const shareOf = (at: unknown): number => (at === 'start' ? 0 : at === 'end' ? 1 : Number(at));

/** Points of a strand that its guides, masses and drivers have. */
function listHeldPoints(scene: unknown, object: JsonObject): Point[] {
  const corners = listCorners(object);
  const driven = listEntries(scene, 'drivers').flatMap((driver) =>
    ['on', 'to']
      .filter((key) => readAt(driver, [key, 'object']) === object.id)
      .map((key) => readAt(driver, [key, 'at'])),
  );
  const places = [...driven, ...listEntries(object, 'masses').map(({ at }) => at)];
  const guides = listEntries(object, 'guides').map(({ point }) => point);
  return [...places.map((at) => computeAlong(corners, shareOf(at))), ...guides].filter(isPoint);
}

/** A place of a strand that nothing holds yet: an end where that is free, else a fraction. */
export function findFreeAt(scene: unknown, object: JsonObject): string | number | undefined {
  const corners = listCorners(object);
  const held = listHeldPoints(scene, object);
  const near = 1e-3 * corners.slice(1).reduce((sum, corner, i) => sum + measure(corners[i], corner), 0);
  const wound = listWoundEnds(object);
  const places = [...(object.closed === true ? [] : ['end', 'start']), 0.5, 0.25, 0.75, 0.15, 0.35, 0.65, 0.85];
  return places.find((place) => {
    const point = computeAlong(corners, shareOf(place));
    return !wound.includes(place) && held.every((other) => measure(point, other) > near);
  });
}

/** Places of a sheet or fabric that can be named, corners first. */
function listSheetPlaces(object: JsonObject): JsonObject[] {
  const { type, radius, outline } = (object.shape ?? object.pattern ?? {}) as JsonObject;
  // of a filling only boxes of the world are places
  if (type === 'fill') return [];
  if (['lines', 'hairs', 'bundle', 'knit'].includes(String(type))) return [{ at: 'start' }, { at: 'end' }];
  if (type === 'rectangle' || isFabric(object))
    return ['left-top', 'right-top', 'left-bottom', 'right-bottom'].map((corner) => ({ corner }));
  if (type === 'disk') return [0, 90, 180, 270].map((a) => ({ at: computeOnCircle(Number(radius), a) }));
  return Array.isArray(outline) ? outline.map((at) => ({ at })) : [{ at: [0, 0] }];
}

const computeOnCircle = (radius: number, degrees: number): number[] =>
  [Math.cos, Math.sin].map((f) => Number((radius * f((degrees * Math.PI) / 180)).toPrecision(6)));

/** A place of a sheet that no driver has. */
function findFreeRegion(scene: unknown, object: JsonObject): JsonObject | undefined {
  const taken = new Set(
    listEntries(scene, 'drivers').flatMap((driver) => ['on', 'to'].map((key) => JSON.stringify(driver[key]))),
  );
  const places = listSheetPlaces(object).map((place) => ({ object: object.id, ...place }));
  return places.find((place) => !taken.has(JSON.stringify(place)));
}

/** A free place of the first object that has one. */
function findFreePlace(scene: unknown): JsonObject | undefined {
  for (const object of listEntries(scene, 'objects')) {
    if (isContinuum(object)) {
      const on = listEntries(object, 'parts')
        .map((part) => findFreeRegion(scene, part))
        .find((place) => place !== undefined);
      if (on !== undefined) return on;
      continue;
    }
    if (isSheet(object) || isFabric(object)) {
      const on = findFreeRegion(scene, object);
      if (on !== undefined) return on;
      continue;
    }
    const at = findFreeAt(scene, object);
    if (at !== undefined) return { object: object.id, at };
  }
  return undefined;
}

type ObjectType = 'strand' | 'rod' | 'sheet' | 'fabric' | 'mpm';

/** The first object of one of some types. */
const findOf = (scene: unknown, ...types: ObjectType[]): JsonObject | undefined =>
  listEntries(scene, 'objects').find(({ type }) => types.includes(type as ObjectType));

/** A place to measure at, on any object or on one of some types; undefined where the scene has none. */
const measureOn =
  (...types: ObjectType[]): Patch =>
  (scene) => {
    const object = types.length === 0 ? listEntries(scene, 'objects')[0] : findOf(scene, ...types);
    if (object === undefined) return undefined;
    if (isContinuum(object)) return { on: { object: listEntries(object, 'parts')[0].id } };
    return {
      on: { object: object.id, ...(isSheet(object) || isFabric(object) ? listSheetPlaces(object)[0] : { at: 'end' }) },
    };
  };

const measureOf =
  (...types: ObjectType[]): Patch =>
  (scene) => {
    const object = findOf(scene, ...types);
    return object === undefined ? undefined : { object: object.id };
  };

const DRIVEN = ['strand', 'rod', 'sheet', 'fabric'] as const;

/** A part of a continuum. */
const measurePart: Patch = (scene) => {
  const [part] = listParts(scene);
  return part && { object: part.id };
};

const onFreePlace =
  (more: JsonObject = {}): Patch =>
  (scene) => {
    const on = findFreePlace(scene);
    return on === undefined ? undefined : { on, ...more };
  };

/** Holds a point where it is, over a second. */
const keepInPlace: Patch = (scene) => {
  const on = findFreePlace(scene);
  const object = listEntries(scene, 'objects').find(({ id }) => id === on?.object);
  // where a sheet's vertex or a point of a pattern is, only the engine knows
  if (on === undefined || listCorners(object).length === 0) return undefined;
  const position = computeAlong(listCorners(object), shareOf(on.at));
  return { on, keyframes: [0, 1].map((time) => ({ time, position })) };
};

const tieToBody: Patch = (scene) => {
  const on = findFreePlace(scene);
  const isOfPart = listParts(scene).some(({ id }) => id === on?.object);
  // what deforms carries nothing, and a continuum is tied to what forces do not move
  const body = listEntries(scene, 'bodies').find((one) => !isAnimated(one) && !(isOfPart && one.motion === 'dynamic'));
  return body === undefined || on === undefined ? undefined : { on, body: body.id };
};

/** A strand has one natural length. */
const shorten: Patch = (scene) => {
  const taken = listEntries(scene, 'drivers').map(({ type, object }) => (type === 'rest' ? object : undefined));
  const object = listEntries(scene, 'objects').find(({ type, id }) => type === 'strand' && !taken.includes(id));
  return object === undefined ? undefined : { object: object.id, value: 0.9 };
};

/** An end of a rod that no driver has. */
const onFreeRodEnd =
  (more: JsonObject = {}): Patch =>
  (scene) => {
    const taken = listEntries(scene, 'drivers').map(({ on }) => JSON.stringify(on));
    const ends = listEntries(scene, 'objects')
      .filter(({ type }) => type === 'rod')
      .flatMap(({ id }) => ['start', 'end'].map((at) => ({ object: id, at })));
    const on = ends.find((end) => !taken.includes(JSON.stringify(end)));
    return on && { on, ...more };
  };

export const DRIVERS: Readonly<Record<string, Patch>> = {
  pin: onFreePlace(),
  fix: onFreePlace(),
  velocity: onFreePlace({ value: [0.1, 0, 0] }),
  force: onFreePlace({ value: [1, 0, 0] }),
  keyframes: keepInPlace,
  tie: tieToBody,
  rest: shorten,
  // it does not act on fabrics
  wind: (scene) => (findOf(scene, 'fabric') ? undefined : { velocity: [5, 0, 0] }),
  clamp: onFreeRodEnd(),
  turn: onFreeRodEnd({ axis: [0, 1, 0], rate: 1 }),
  twist: onFreeRodEnd({ rate: 1 }),
};

const hasBody: Patch = (scene) => (listEntries(scene, 'bodies').length === 0 ? undefined : {});

export const PROBES: Readonly<Record<string, Patch>> = {
  body: hasBody,
  contactForce: hasBody,
  spool: (scene) => {
    const object = listEntries(scene, 'objects').find((entry) => listEntries(entry, 'spools').length > 0);
    return object === undefined ? undefined : { object: object.id, spool: listEntries(object, 'spools')[0].id };
  },
  passage: (scene) => {
    const object = findOf(scene, 'strand');
    return object && { object: object.id, point: computeAlong(listCorners(object), 0.5) };
  },
  position: measureOn(),
  velocity: measureOn(),
  tension: measureOn(...DRIVEN),
  strain: measureOn(),
  constraintForce: measureOn(...DRIVEN),
  stress: measureOn('sheet'),
  speed: measureOn('strand', 'rod'),
  curvature: measureOn('strand', 'rod'),
  materialCoordinate: measureOn('strand', 'rod'),
  materialSpeed: measureOn('strand', 'rod'),
  length: measureOf('strand', 'rod'),
  rod: measureOf('rod'),
  link: measureOf('rod'),
  torque: measureOn('rod'),
  mesh: measureOf('sheet'),
  coherence: measureOf('sheet'),
  area: measureOf('sheet'),
  penetration: measureOf('sheet'),
  fabric: measureOf('fabric'),
  load: measureOf('fabric'),
  slip: measureOf('fabric'),
  bounds: measurePart,
  particles: measurePart,
  extension: (scene) => {
    const object = findOf(scene, 'fabric');
    return object && { from: { object: object.id, side: 'left' }, to: { object: object.id, side: 'right' } };
  },
};

/** Half as long as the scene is large, level above everything: it falls on what is there. */
export const makeStrand = (scene: unknown): JsonObject => ({
  ...makeCurve(scene, 'strand'),
  nodes: 21,
  ...(hasAnimated(scene) ? { contact: false } : {}),
});

export const makeRod = (scene: unknown): JsonObject => ({
  ...makeCurve(scene, 'rod'),
  segments: 20,
  ...(hasAnimated(scene) ? { contact: { bodies: false } } : {}),
});

const isAnimated = (body: unknown): boolean => readAt(body, ['shape', 'animation']) !== undefined;

/** Whether a body deforms: strands, rods and sheets cannot touch such a one. */
const hasAnimated = (scene: unknown): boolean => listEntries(scene, 'bodies').some(isAnimated);

function makeCurve(scene: unknown, type: 'strand' | 'rod'): JsonObject {
  const { low, high, size } = computeBox(scene);
  const first = findOf(scene, type);
  const middle = mix(low, high, 0.5);
  const y = high[1] + 0.25 * size;
  return {
    type,
    id: computeFreeName(type, listTakenNames(scene, ['objects'])),
    material: first?.material ?? (type === 'rod' ? 'nylon-line-1mm' : 'hemp-rope-8mm'),
    points: [-0.25, 0.25].map((share) => [middle[0] + share * size, y, middle[2]]),
  };
}

/** A square half as large as the scene, level above everything. */
export function makeSheet(scene: unknown): JsonObject {
  const { low, high, size } = computeBox(scene);
  const [x, , z] = mix(low, high, 0.5);
  const first = findOf(scene, 'sheet');
  const side = 0.5 * size;
  const isMoved = listEntries(scene, 'bodies').some(({ motion }) => motion === 'dynamic') || hasAnimated(scene);
  return {
    type: 'sheet',
    id: computeFreeName('sheet', listTakenNames(scene, ['objects'])),
    material: first?.material ?? 'cotton',
    shape: { type: 'rectangle', width: side, height: side, columns: 12, rows: 12 },
    position: [x, high[1] + 0.25 * size, z],
    ...(isMoved ? { contact: false } : {}),
  };
}

/** A square of thick yarns half as large as the scene, level above everything; undefined where wind blows, which does not act on fabrics. */
export function makeFabric(scene: unknown): JsonObject | undefined {
  if (listEntries(scene, 'drivers').some(({ type }) => type === 'wind')) return undefined;
  const { low, high, size } = computeBox(scene);
  const [x, , z] = mix(low, high, 0.5);
  const spacing = Number((size / 40).toPrecision(3));
  const first = findOf(scene, 'fabric');
  const yarn = { radius: spacing / 4, density: 300, youngsModulus: 1e7, bendingStiffness: 1e3 * spacing ** 4 };
  return {
    type: 'fabric',
    id: computeFreeName('fabric', listTakenNames(scene, ['objects'])),
    layers: readAt(first, ['layers']) ?? [
      { pattern: { type: 'plain', warps: 20, wefts: 20, spacing }, material: yarn },
    ],
    position: [x, high[1] + 0.25 * size, z],
    ...(listEntries(scene, 'bodies').some(({ motion }) => motion === 'dynamic') ? { contact: false } : {}),
  };
}

/** A seam along the middle of two layers that lie alike; undefined where the two lowest do not. */
export function makeSeam(object: JsonObject): JsonObject | undefined {
  const [lower, upper] = listEntries(object, 'layers');
  const of = (layer: unknown) => ['pattern', 'position', 'rotation'].map((key) => readAt(layer, [key]));
  if (upper === undefined || JSON.stringify(of(lower)) !== JSON.stringify(of(upper))) return undefined;
  const { warps, wefts, spacing } = lower.pattern as JsonObject;
  if (typeof warps !== 'number' || typeof wefts !== 'number' || warps < 3) return undefined;
  const [x, y] = Array.isArray(spacing) ? (spacing as number[]) : [Number(spacing), Number(spacing)];
  if (!(x > 0 && y > 0)) return undefined;
  const Y = (Math.floor(wefts / 2) + 0.5) * y;
  return { layers: [0, 1], line: [[1.5 * x, Y], [(warps - 1.5) * x, Y]] }; // biome-ignore format: line
}

/** A fold of a rectangle along its middle column, flat at first: nothing moves into a body; undefined for other shapes. */
export function makeFold(object: JsonObject): JsonObject | undefined {
  const { type, width, height, columns } = (object.shape ?? {}) as JsonObject;
  if (type !== 'rectangle') return undefined;
  const X = (Number(width) * Math.floor(Number(columns) / 2)) / Number(columns);
  return { line: [[X, 0], [X, height]], angle: 0 }; // biome-ignore format: line
}

/** A tenth of the scene large and beside it; a plane lies beneath. */
export function makeBody(scene: unknown, type: string): JsonObject {
  const { low, high, size } = computeBox(scene);
  const radius = 0.05 * size;
  const shapes: Readonly<Record<string, JsonObject>> = {
    plane: {},
    box: { size: [2 * radius, 2 * radius, 2 * radius] },
    sphere: { radius },
    capsule: { radius, length: 2 * radius },
    cylinder: { radius, length: 2 * radius },
    convex: { points: [[radius, 0, 0], [-radius, 0, radius], [-radius, 0, -radius], [0, radius, 0]] }, // biome-ignore format: points
  };
  const [x, y, z] = mix(low, high, 0.5);
  const position: Point = type === 'plane' ? [x, low[1] - 0.1 * size, z] : [high[0] + 0.2 * size, y, z];
  return {
    id: computeFreeName(type, listTakenNames(scene, ['bodies'])),
    shape: { type, ...shapes[type] },
    position,
  };
}

/** The point of a strand's polyline that is farthest from its corners and from what holds it. */
export function findGuidePoint(scene: unknown, object: JsonObject): Point {
  const corners = listCorners(object);
  const taken = [...corners, ...listHeldPoints(scene, object)];
  const candidates = corners.slice(1).flatMap((corner, i) => [0.5, 0.25, 0.75].map((t) => mix(corners[i], corner, t)));
  const room = (point: Point) => Math.min(...taken.map((other) => measure(point, other)));
  return candidates.reduce((best, point) => (room(point) > 1.001 * room(best) ? point : best), candidates[0]);
}

/** An end that nothing holds or weighs, for a spool; undefined when there is none. */
export function findFreeEnd(scene: unknown, object: unknown): string | undefined {
  if (readAt(object, ['closed']) === true) return undefined;
  const isEnd = (at: unknown, end: string) => at === end || at === (end === 'start' ? 0 : 1);
  const held = listEntries(scene, 'drivers').flatMap((driver) =>
    ['on', 'to']
      .filter((key) => readAt(driver, [key, 'object']) === readAt(object, ['id']))
      .map((key) => readAt(driver, [key, 'at'])),
  );
  const weighed = listEntries(object, 'masses').map(({ at }) => at);
  const wound = listWoundEnds(object);
  return ['start', 'end'].find((end) => !wound.includes(end) && ![...held, ...weighed].some((at) => isEnd(at, end)));
}
