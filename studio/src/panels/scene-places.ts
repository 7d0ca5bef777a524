/** Where things of a scene are, roughly: the box around them, and points along a polyline. For what is added to it. */

import { MATERIAL_PRESETS } from 'heddle/model';
import { isObject, type JsonObject } from './json-value.ts';
import { type Path, readAt } from './overrides.ts';

/** Three coordinates [m]. */
export type Point = readonly [number, number, number];

export const isPoint = (value: unknown): value is Point =>
  Array.isArray(value) && value.length === 3 && value.every((entry) => typeof entry === 'number');

/** The entries of a list of objects; none where there is no list. */
export function listEntries(scene: unknown, ...path: Path): readonly Readonly<Record<string, unknown>>[] {
  const list = readAt(scene, path);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

export const isSheet = (object: unknown): boolean => readAt(object, ['type']) === 'sheet';
export const isFabric = (object: unknown): boolean => readAt(object, ['type']) === 'fabric';

export const isContinuum = (object: unknown): boolean => readAt(object, ['type']) === 'mpm';

/** Parts of all continua. */
export const listParts = (scene: unknown): readonly Readonly<Record<string, unknown>>[] =>
  listEntries(scene, 'objects')
    .filter(isContinuum)
    .flatMap((object) => listEntries(object, 'parts'));

/** Corners of a polyline, the first again at the end of a closed one. */
export function listCorners(object: unknown): Point[] {
  const points = readAt(object, ['points']);
  const corners = Array.isArray(points) ? points.filter(isPoint) : [];
  return readAt(object, ['closed']) === true && corners.length > 0 ? [...corners, corners[0]] : corners;
}

export const mix = (a: Point, b: Point, share: number): Point => [
  a[0] + share * (b[0] - a[0]),
  a[1] + share * (b[1] - a[1]),
  a[2] + share * (b[2] - a[2]),
];

export const measure = (a: Point, b: Point): number => Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);

/** The point at a share 0…1 of a polyline's length. */
export function computeAlong(corners: readonly Point[], share: number): Point {
  const lengths = corners.slice(1).map((corner, i) => measure(corners[i], corner));
  let rest = share * lengths.reduce((sum, length) => sum + length, 0);
  for (const [i, length] of lengths.entries()) {
    if (rest <= length && length > 0) return mix(corners[i], corners[i + 1], rest / length);
    rest -= length;
  }
  return corners.at(-1) ?? [0, 0, 0];
}

export interface Box {
  readonly low: Point;
  readonly high: Point;
  /** Longest edge [m], 1 for an empty scene. */
  readonly size: number;
}

/** A box around everything; how far sheets, bodies and patterns of rods reach is taken from the numbers of their shapes. */
export function computeBox(scene: unknown): Box {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = low.map((value) => -value);
  const add = (point: Point, reach: number) => {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], point[k] - reach);
      high[k] = Math.max(high[k], point[k] + reach);
    }
  };
  const objects = listEntries(scene, 'objects');
  for (const object of objects) {
    for (const corner of listCorners(object)) add(corner, 0);
    if (object.type === 'rod' && isObject(object.shape)) {
      const { from, to, origin } = object.shape;
      for (const end of [from, to]) if (isPoint(end)) add(end, 0);
      if (!isPoint(from)) add(isPoint(origin) ? origin : [0, 0, 0], computePatternReach(object.shape, object, scene));
    }
  }
  for (const { position, shape } of [...objects.filter(isSheet), ...listEntries(scene, 'bodies')]) {
    add(isPoint(position) ? position : [0, 0, 0], computeReach(shape));
  }
  for (const fabric of objects.filter(isFabric))
    for (const { position, pattern } of listEntries(fabric, 'layers'))
      for (const place of [fabric.position, position])
        add(isPoint(place) ? place : [0, 0, 0], computeLayerReach(pattern));
  for (const { position, pattern } of listParts(scene))
    add(isPoint(position) ? position : [0, 0, 0], computePartReach(pattern));
  if (!Number.isFinite(low[0])) return { low: [0, 0, 0], high: [0, 0, 0], size: 1 };
  const size = Math.max(...high.map((value, k) => value - low[k])) || 1;
  return { low: low as unknown as Point, high: high as unknown as Point, size };
}

/** Half of the widest knot, the tails apart, beside the radius of the rod and the looseness. */
const KNOT_REACH = 30;

/** How far an arc, a helix or a knot reaches from its origin [m]. */
function computePatternReach(
  { radius, pitch, turns, tail, looseness }: JsonObject,
  rod: unknown,
  scene: unknown,
): number {
  const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
  const name = readAt(rod, ['material']);
  const material =
    typeof name === 'string'
      ? (readAt(scene, ['materials', name]) ?? MATERIAL_PRESETS.find((preset) => preset.name === name))
      : name;
  const thickness = numberOf(readAt(rod, ['section', 'radius']), numberOf(readAt(material, ['radius']), 0));
  // a knot has neither a radius nor turns of its own
  return (
    numberOf(radius, KNOT_REACH * thickness * numberOf(looseness, 1.5)) +
    Math.abs(numberOf(pitch, 0) * numberOf(turns, 0)) +
    numberOf(tail, 0)
  );
}

/** Half of the larger side of a layer, from its counts or sizes [m]. */
function computeLayerReach(pattern: unknown): number {
  const spacing = readAt(pattern, ['spacing']);
  const one = (k: number): number => {
    const value = Array.isArray(spacing) ? spacing[k] : spacing;
    return typeof value === 'number' ? value : 1e-3;
  };
  const size = (count: string, length: string, k: number): number => {
    const [yarns, given] = [readAt(pattern, [count]), readAt(pattern, [length])];
    return typeof given === 'number' ? given : typeof yarns === 'number' ? yarns * one(k) : 0;
  };
  return Math.max(size('warps', 'width', 0), size('wefts', 'height', 1)) / 2;
}

/** How far a part of a continuum reaches from its position, at most [m]. */
function computePartReach(pattern: unknown): number {
  if (!isObject(pattern)) return 0;
  const { shape, lines, spacing, columns, rows, courses, wales } = pattern;
  const apart = Array.isArray(spacing) ? Math.max(...spacing.map(Number)) : Number(spacing ?? 0);
  const counts = [columns, rows, courses, wales].map((count) => Number(count ?? 0));
  const points = Array.isArray(lines) ? lines.flat().filter(isPoint) : [];
  return Math.max(
    computeReach(shape ?? pattern),
    apart * Math.max(...counts),
    ...points.map((point) => Math.hypot(...point)),
  );
}

function computeReach(shape: unknown): number {
  if (!isObject(shape)) return 0;
  const size = Array.isArray(shape.size) ? shape.size : [];
  const outline = Array.isArray(shape.outline) ? shape.outline.flat() : [];
  const numbers = [shape.radius, shape.length, shape.width, shape.height, ...size, ...outline.map(Math.abs)];
  const reach = numbers.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0);
  const points = Array.isArray(shape.points) ? shape.points.filter(isPoint) : [];
  return Math.max(reach, ...points.map((point) => Math.hypot(...point)));
}
