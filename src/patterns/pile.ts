/**
 * Rods laid at random above a bowl, none touching another: each is placed in a cylinder about the y-axis, as low as it lies
 * free of those before it in steps of a radius. Straight ones cross the cylinder with a small tilt; bent ones are arcs or flat
 * coils (a helix about an upright axis) with a common radius. The same seed gives the same pile.
 */
import { computePolylineDistance } from '../geometry/index.ts';
import { computeSineCosine, createRandom, type Random } from '../math/index.ts';
import { checkPositive, checkSegments } from './checks.ts';
import { createHelix } from './curves.ts';
import type { EvenPolyline } from './even-polyline.ts';

export interface PileOptions {
  readonly count: number;
  /** Of a rod [m]. */
  readonly length: number;
  /** Of a rod's section [m]. */
  readonly radius: number;
  /** Radius of the cylinder that holds all centre lines [m]. */
  readonly extent: number;
  readonly seed: number;
  /** Of a rod; 20 by default. */
  readonly segments?: number;
  /** Rods are bent to this radius [m]; straight without. */
  readonly bendRadius?: number;
  /** Height that every tube stays above [m]; 0 by default. */
  readonly bottom?: number;
}

/** Distance of centre lines, in diameters. */
const APART = 1.1;
/** Rise of a straight rod over its length, at most. */
const TILT = 0.15;
/** Distance of the turns of a coil, in diameters. */
const COIL = 1.5;
const SEGMENTS_PER_TURN = 12;

export function createPile(options: PileOptions): EvenPolyline[] {
  const { count, length, radius, extent, seed, segments = 20, bendRadius, bottom = 0 } = options;
  checkPositive('createPile', { length, radius, extent });
  checkSegments('createPile', segments);
  if (!(Number.isInteger(count) && count >= 0))
    throw new RangeError(`createPile: count is ${count}; give a whole number, 0 or more.`);
  checkFit(length, extent, bendRadius);
  const random = createRandom(seed);
  const pile: EvenPolyline[] = [];
  const boxes: Float64Array[] = [];
  const apart = 2 * radius * APART;
  for (let k = 0; k < count; k++) {
    const rod =
      bendRadius === undefined
        ? layStraight(random, length, extent, segments)
        : layBent(random, options, bendRadius, segments);
    const box = computeBox(rod.points);
    lift(rod.points, box, bottom + radius - box[1]);
    while (pile.some(({ points }, j) => isNear(rod.points, box, points, boxes[j], apart)))
      lift(rod.points, box, radius);
    pile.push(rod);
    boxes.push(box);
  }
  return pile;
}

function checkFit(length: number, extent: number, bendRadius: number | undefined): void {
  if (bendRadius === undefined) {
    if (length > 2 * extent) {
      throw new RangeError(
        `createPile: straight rods of length ${length} do not fit into a cylinder of radius ${extent}; give length up to ${2 * extent}, or a bendRadius.`,
      );
    }
    return;
  }
  checkPositive('createPile', { bendRadius });
  if (bendRadius > extent)
    throw new RangeError(`createPile: bendRadius is ${bendRadius}; give at most the extent, ${extent}.`);
}

/** Across the cylinder: first how far aside of the axis, then how far along. */
function layStraight(random: Random, length: number, extent: number, segments: number): EvenPolyline {
  const [sine, cosine] = computeSineCosine(random.uniform(0, 2 * Math.PI));
  const rise = random.uniform(-TILT, TILT);
  const level = Math.sqrt(1 - rise * rise);
  const half = (length / 2) * level;
  const across = Math.sqrt(Math.max(0, extent * extent - half * half));
  const aside = random.uniform(-across, across);
  const free = Math.max(0, Math.sqrt(Math.max(0, extent * extent - aside * aside)) - half);
  const along = random.uniform(-free, free);
  const points = new Float64Array(3 * (segments + 1));
  for (let i = 0; i <= segments; i++) {
    const s = length * (i / segments - 0.5);
    const u = along + level * s;
    points.set([u * cosine - aside * sine, rise * s, u * sine + aside * cosine], 3 * i);
  }
  return { points, length };
}

/** A flat coil with an upright axis somewhere in the cylinder, from a random direction on, turning either way. */
function layBent(random: Random, options: PileOptions, bendRadius: number, segments: number): EvenPolyline {
  const pitch = 2 * options.radius * COIL;
  let turns = options.length / Math.sqrt((2 * Math.PI * bendRadius) ** 2 + pitch * pitch);
  if (segments < turns * SEGMENTS_PER_TURN) {
    throw new RangeError(
      `createPile: segments is ${segments} for ${turns.toFixed(1)} turns; give at least ${Math.ceil(turns * SEGMENTS_PER_TURN)}, or a larger bendRadius.`,
    );
  }
  const handedness = random.integer(0, 1) === 0 ? 'left' : 'right';
  const coil = (): EvenPolyline => createHelix({ radius: bendRadius, pitch, turns, segments, handedness });
  // Chords are shorter than arcs: a little more than the smooth helix makes up the length.
  for (let round = 0; round < 6; round++) turns *= options.length / coil().length;
  const { points, length } = coil();
  const [sine, cosine] = computeSineCosine(random.uniform(0, 2 * Math.PI));
  const [asideSine, asideCosine] = computeSineCosine(random.uniform(0, 2 * Math.PI));
  const aside = (options.extent - bendRadius) * Math.sqrt(random.uniform());
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
    points[i] = cosine * y - sine * z + aside * asideCosine;
    points[i + 1] = x;
    points[i + 2] = -(sine * y + cosine * z) + aside * asideSine;
  }
  return { points, length };
}

/** Lowest and highest coordinates: six numbers. */
function computeBox(points: Float64Array): Float64Array {
  const box = Float64Array.from([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  for (let i = 0; i < points.length; i++) {
    const k = i % 3;
    box[k] = Math.min(box[k], points[i]);
    box[3 + k] = Math.max(box[3 + k], points[i]);
  }
  return box;
}

function lift(points: Float64Array, box: Float64Array, height: number): void {
  for (let i = 1; i < points.length; i += 3) points[i] += height;
  box[1] += height;
  box[4] += height;
}

function isNear(a: Float64Array, boxA: Float64Array, b: Float64Array, boxB: Float64Array, apart: number): boolean {
  for (let k = 0; k < 3; k++) if (boxA[k] - apart > boxB[3 + k] || boxB[k] - apart > boxA[3 + k]) return false;
  return computePolylineDistance(a, b) < apart;
}
