/**
 * What a sequence of frames spans: boxes of the objects and of the bodies [m], the smallest and largest value of every
 * named field, and the largest forces. The view frames its camera by the boxes, fixes its colour maps by the ranges and the
 * length of its arrows by the forces, so that all stay the same for all pictures of a run. An impact lasts a frame or two and may
 * be a hundred times what follows; so arrows are measured by the largest force that lasted: the median over FRAMES frames.
 */
import { computeHypot3 } from '../math/index.ts';
import type { BodyFrame, Frame, ObjectFrame } from './frame.ts';

type Point = [number, number, number];

/** An axis-aligned box [m]; empty while `low` > `high`. */
export interface Box {
  readonly low: Point;
  readonly high: Point;
}

export interface FrameLimits {
  /** Box of all nodes, vertices and particles, grown by radius or half the thickness. */
  readonly objects: Box;
  /** Box of all body vertices. */
  readonly bodies: Box;
  /** Smallest and largest value of each field. */
  readonly ranges: Record<string, [number, number]>;
  /** Sizes of forces of contacts and constraints [N]. */
  readonly forces: {
    largest: number;
    /** The largest over time of the median over some frames in a row of the largest in each. */
    lasting: number;
    /** The largest in each of the last frames. */
    readonly recent: number[];
  };
}

/** Frames in a row that tell what lasts. */
const FRAMES = 5;

const createBox = (): Box => ({
  low: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  high: [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
});

/** Adds what other limits span. */
export function addLimits(other: FrameLimits, limits: FrameLimits): void {
  for (const name of ['objects', 'bodies'] as const)
    for (let k = 0; k < 3; k++) {
      limits[name].low[k] = Math.min(limits[name].low[k], other[name].low[k]);
      limits[name].high[k] = Math.max(limits[name].high[k], other[name].high[k]);
    }
  for (const [name, [low, high]] of Object.entries(other.ranges)) {
    const range = (limits.ranges[name] ??= [low, high]);
    range[0] = Math.min(range[0], low);
    range[1] = Math.max(range[1], high);
  }
  limits.forces.largest = Math.max(limits.forces.largest, other.forces.largest);
  limits.forces.lasting = Math.max(limits.forces.lasting, other.forces.lasting);
}

/** Limits of no frame at all. */
export function createFrameLimits(): FrameLimits {
  return { objects: createBox(), bodies: createBox(), ranges: {}, forces: { largest: 0, lasting: 0, recent: [] } };
}

function addPoint(x: number, y: number, z: number, { low, high }: Box): void {
  low[0] = Math.min(low[0], x);
  low[1] = Math.min(low[1], y);
  low[2] = Math.min(low[2], z);
  high[0] = Math.max(high[0], x);
  high[1] = Math.max(high[1], y);
  high[2] = Math.max(high[2], z);
}

/** Smallest and largest of the values `from`, `from` + `step` …: there may be a million. */
function computeRange(values: Float64Array, from: number, step: number): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = from; i < values.length; i += step) {
    low = Math.min(low, values[i]);
    high = Math.max(high, values[i]);
  }
  return [low, high];
}

/** Adds the vertices of a body in its pose: x = p + q v q*. */
function addBody(body: BodyFrame, vertices: ArrayLike<number>, box: Box): void {
  const [qx, qy, qz, qw] = body.orientation;
  const [px, py, pz] = body.position;
  for (let i = 0; i + 2 < vertices.length; i += 3) {
    const x = vertices[i];
    const y = vertices[i + 1];
    const z = vertices[i + 2];
    // q v q* = v + 2 w t + 2 q × t with t = q × v
    const tx = 2 * (qy * z - qz * y);
    const ty = 2 * (qz * x - qx * z);
    const tz = 2 * (qx * y - qy * x);
    addPoint(
      px + x + qw * tx + qy * tz - qz * ty,
      py + y + qw * ty + qz * tx - qx * tz,
      pz + z + qw * tz + qx * ty - qy * tx,
      box,
    );
  }
}

function addForces(frame: Frame, { forces }: FrameLimits): void {
  let largest = 0;
  for (const { f } of frame.forces)
    for (let i = 0; i + 2 < f.length; i += 3) largest = Math.max(largest, computeHypot3(f[i], f[i + 1], f[i + 2]));
  forces.largest = Math.max(forces.largest, largest);
  forces.recent.push(largest);
  if (forces.recent.length > FRAMES) forces.recent.shift();
  const sorted = forces.recent.toSorted((a, b) => a - b);
  forces.lasting = Math.max(forces.lasting, sorted[(sorted.length - 1) >> 1]);
}

/** How far the material reaches beyond its points [m]. */
const computeMargin = (object: ObjectFrame): number => {
  if (object.type === 'surface') return 0.5 * object.thickness;
  return object.type === 'yarns' ? object.radius.reduce((a, b) => Math.max(a, b), 0) : object.radius;
};

/**
 * Adds one frame to the limits. `bodyVertices` holds the vertices of each bounded body in its own frame, 3 numbers
 * each; bodies that are not in it (infinite planes) do not count.
 */
export function addFrameToLimits(
  frame: Frame,
  bodyVertices: ReadonlyMap<string, ArrayLike<number>>,
  limits: FrameLimits,
): void {
  for (const object of frame.objects) {
    const margin = computeMargin(object);
    for (let k = 0; k < 3; k++) {
      const [low, high] = computeRange(object.x, k, 3);
      limits.objects.low[k] = Math.min(limits.objects.low[k], low - margin);
      limits.objects.high[k] = Math.max(limits.objects.high[k], high + margin);
    }
    for (const [name, values] of Object.entries(object.fields)) {
      const [low, high] = computeRange(values, 0, 1);
      const range = (limits.ranges[name] ??= [low, high]);
      range[0] = Math.min(range[0], low);
      range[1] = Math.max(range[1], high);
    }
  }
  for (const body of frame.bodies) {
    const vertices = bodyVertices.get(body.id);
    if (vertices !== undefined) addBody(body, vertices, limits.bodies);
  }
  addForces(frame, limits);
}
