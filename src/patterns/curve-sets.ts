/**
 * Many curves at once, for hair, carpets, bundles of fibres and knits that are simulated curve by curve. They lie one after the other:
 *
 *     curve c   points start[c] … start[c + 1] − 1
 */
import { computeSineCosine, createRandom } from '../math/index.ts';
import { checkPositive, checkSegments, checkWhole } from './checks.ts';

export interface CurveSet {
  /** Three coordinates a point [m]. */
  readonly x: Float64Array;
  /** First point of each curve, and the number of points. */
  readonly start: Int32Array;
  /** Whether the last point of each curve is joined to its first, which is not repeated. */
  readonly closed: boolean;
}

export interface HairFieldOptions {
  /** Hairs along x, and along z. */
  readonly columns: number;
  readonly rows: number;
  /** Distance of roots [m]. */
  readonly spacing: number;
  /** Of a hair [m]. */
  readonly length: number;
  /** Of a hair. */
  readonly segments: number;
  /** By how much roots and tips are moved at random, in spacings; 0 if not given. */
  readonly jitter?: number;
  /** 0 if not given. */
  readonly seed?: number;
}

/** Straight hairs that stand up (y) on a rectangle about the origin, as the pile of a carpet. */
export function createHairField(options: HairFieldOptions): CurveSet {
  const { columns, rows, spacing, length, segments, jitter = 0, seed = 0 } = options;
  checkPositive('createHairField', { spacing, length });
  checkWhole('createHairField', { columns, rows });
  checkSegments('createHairField', segments);
  const random = createRandom(seed);
  const roots: number[] = [];
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) roots.push(spacing * (i - (columns - 1) / 2), spacing * (j - (rows - 1) / 2));
  return createStraightSet(roots, segments, (out) => {
    for (let k = 0; k < 4; k++) out[k] = jitter * spacing * random.uniform(-0.5, 0.5);
    return [0, length];
  });
}

export interface BundleOptions {
  /** Of the round section [m]. */
  readonly radius: number;
  /** Of the hollow in its middle [m]; 0 if not given. */
  readonly innerRadius?: number;
  /** Along y [m]. */
  readonly length: number;
  /** Distance of fibres [m]. */
  readonly spacing: number;
  /** Of a fibre. */
  readonly segments: number;
  /** By how much ends are moved at random, in spacings; 0 if not given. */
  readonly jitter?: number;
  /** 0 if not given. */
  readonly seed?: number;
}

/** Straight fibres along y in a round or ring-shaped section, in the corners of equal triangles, about the origin. */
export function createBundle(options: BundleOptions): CurveSet {
  const { radius, innerRadius = 0, length, spacing, segments, jitter = 0, seed = 0 } = options;
  checkPositive('createBundle', { radius, length, spacing });
  checkSegments('createBundle', segments);
  if (!(innerRadius >= 0 && innerRadius < radius))
    throw new RangeError(`createBundle: innerRadius is ${innerRadius}; give 0 or more, below radius, ${radius}.`);
  const random = createRandom(seed);
  const roots: number[] = [];
  const rise = spacing * Math.sqrt(3 / 4);
  const rows = Math.floor(radius / rise);
  const columns = Math.ceil(radius / spacing) + 1;
  for (let j = -rows; j <= rows; j++)
    for (let i = -columns; i <= columns; i++) {
      const [x, z] = [spacing * (i + (j % 2 === 0 ? 0 : 0.5)), rise * j];
      const distance = Math.sqrt(x * x + z * z);
      if (distance <= radius && distance >= innerRadius) roots.push(x, z);
    }
  if (roots.length === 0)
    throw new RangeError('createBundle: no fibre is in the section; make spacing smaller or the ring wider.');
  return createStraightSet(roots, segments, (out) => {
    for (let k = 0; k < 4; k++) out[k] = jitter * spacing * random.uniform(-0.5, 0.5);
    return [-length / 2, length / 2];
  });
}

/** Straight curves over the points (x, z) of `roots`; `choose` writes how far root and tip are moved (x, z each) and returns their heights. */
function createStraightSet(
  roots: readonly number[],
  segments: number,
  choose: (out: Float64Array) => readonly [number, number],
): CurveSet {
  const count = roots.length / 2;
  const x = new Float64Array(3 * count * (segments + 1));
  const moved = new Float64Array(4);
  for (let c = 0; c < count; c++) {
    const [low, high] = choose(moved);
    for (let i = 0; i <= segments; i++) {
      const s = i / segments;
      const at = 3 * (c * (segments + 1) + i);
      x[at] = roots[2 * c] + (1 - s) * moved[0] + s * moved[2];
      x[at + 1] = low + s * (high - low);
      x[at + 2] = roots[2 * c + 1] + (1 - s) * moved[1] + s * moved[3];
    }
  }
  return { x, start: Int32Array.from({ length: count + 1 }, (_, c) => c * (segments + 1)), closed: false };
}

/** Polylines with segments of at most `size` each [m]: edges are cut into equal ones. */
export function createPolylineSet(
  lines: readonly (readonly (readonly [number, number, number])[])[],
  size: number,
): CurveSet {
  checkPositive('createPolylineSet', { size });
  const x: number[] = [];
  const start = [0];
  lines.forEach((line, n) => {
    line.forEach((point, i) => {
      if (i > 0) {
        const before = line[i - 1];
        const [dx, dy, dz] = [point[0] - before[0], point[1] - before[1], point[2] - before[2]];
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        if (!(length > 0)) throw new RangeError(`createPolylineSet: line ${n} has the same point twice, number ${i}.`);
        const pieces = Math.ceil(length / size - 1e-9);
        for (let k = 1; k < pieces; k++)
          x.push(before[0] + (dx * k) / pieces, before[1] + (dy * k) / pieces, before[2] + (dz * k) / pieces);
      }
      x.push(...point);
    });
    start.push(x.length / 3);
  });
  return { x: Float64Array.from(x), start: Int32Array.from(start), closed: false };
}

/** Curves of any kind as a set. */
export function joinCurves(curves: readonly { readonly points: Float64Array }[]): CurveSet {
  const start = new Int32Array(curves.length + 1);
  curves.forEach(({ points }, c) => {
    start[c + 1] = start[c] + points.length / 3;
  });
  const x = new Float64Array(3 * start[curves.length]);
  curves.forEach(({ points }, c) => {
    x.set(points, 3 * start[c]);
  });
  return { x, start, closed: false };
}

/** Points before a half circle of this many pieces turns back. */
const TURN_PIECES = 4;

/**
 * Courses one above the other, each from left to right, as the one yarn that knits them to and fro: every other one runs back, and half circles at the
 * sides lead from one to the next.
 */
export function joinCourses(courses: readonly { readonly points: Float64Array }[]): CurveSet {
  const x: number[] = [];
  courses.forEach(({ points }, n) => {
    const count = points.length / 3;
    const isBack = n % 2 === 1;
    if (n > 0) addTurn(x, points.subarray(isBack ? 3 * count - 3 : 0, isBack ? 3 * count : 3), isBack ? 1 : -1);
    for (let i = 0; i < count; i++) {
      const at = 3 * (isBack ? count - 1 - i : i);
      x.push(points[at], points[at + 1], points[at + 2]);
    }
  });
  return { x: Float64Array.from(x), start: Int32Array.of(0, x.length / 3), closed: false };
}

/** Inner points of a half circle from the last point of `x` to another one; it bulges along `side` x. */
function addTurn(x: number[], to: Float64Array, side: 1 | -1): void {
  const from = x.slice(-3);
  const [dx, dy, dz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const radius = 0.5 * Math.sqrt(dx * dx + dy * dy + dz * dz);
  for (let k = 1; k < TURN_PIECES; k++) {
    const [sine, cosine] = computeSineCosine((Math.PI * k) / TURN_PIECES);
    const s = 0.5 * (1 - cosine);
    x.push(from[0] + s * dx + side * radius * sine, from[1] + s * dy, from[2] + s * dz);
  }
}

/** Curves without so many points at each end. */
export function trimCurves(
  curves: readonly { readonly points: Float64Array }[],
  points: number,
): { points: Float64Array }[] {
  return curves.map((curve) => ({ points: curve.points.slice(3 * points, curve.points.length - 3 * points) }));
}

/**
 * A flat set (x across, −z up, y out of its face) wound into an upright tube about the y-axis, its face outside: its width becomes the circumference, and
 * the ends of curves that meet there are joined. All curves must go from one side to the other.
 */
export function rollCurves({ x, start }: CurveSet): CurveSet {
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < x.length; i += 3) {
    left = Math.min(left, x[i]);
    right = Math.max(right, x[i]);
  }
  const radius = (right - left) / (2 * Math.PI);
  const points: number[] = [];
  const starts = [0];
  for (let c = 0; c + 1 < start.length; c++) {
    // its last point is its first
    for (let i = start[c]; i + 1 < start[c + 1]; i++) {
      const [sine, cosine] = computeSineCosine((x[3 * i] - left) / radius);
      const r = radius + x[3 * i + 1];
      points.push(r * sine, -x[3 * i + 2], r * cosine);
    }
    starts.push(points.length / 3);
  }
  return { x: Float64Array.from(points), start: Int32Array.from(starts), closed: true };
}
