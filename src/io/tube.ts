/**
 * A tube around a curve: rings of `sides` + 1 vertices (first and last on the seam) standing on the stations of
 * tube-path.ts, joined by strips of triangles, counter-clockwise seen from outside.
 *
 *      ring r+1   j ──── j+1        texture coordinates   s = u / repeat      u material coordinate [m]
 *                 │  ╱  │                                 t = j / sides       once around
 *      ring r     j ──── j+1
 *
 * s carries the material: a checkerboard on it moves with the material and shows it sliding through its nodes.
 * Caps are rings too: a pole is a ring of radius zero. A closed curve has no caps and repeats its first ring.
 */
import { computeSineCosine } from '../math/index.ts';
import type { CurveShape } from './resample.ts';
import { createTubePath, STATION, type TubeJoints, type TubePath, writeTubePath } from './tube-path.ts';

/** Vertices around a tube where nobody says. */
export const CURVE_SIDES = 10;

export type TubeCaps = 'round' | 'flat' | 'none';

export interface TubeOptions {
  /** Vertices around; at least 3. Default 10. */
  readonly sides?: number;
  /** Ends of an open curve. Default round. */
  readonly caps?: TubeCaps;
  /** Material length of one repeat of the texture [m]. Default 1. */
  readonly repeat?: number;
  /** `mitre`: one ring a node, so that the topology depends on the number of nodes alone. Default round. */
  readonly joints?: TubeJoints;
  /** Radius [m]. Default the curve's own. */
  readonly radius?: number;
}

/** A finished tube; arrays of exactly its size. */
export interface TubeMesh {
  /** 3 per vertex [m]. */
  readonly positions: Float32Array<ArrayBuffer>;
  /** 3 per vertex, unit length. */
  readonly normals: Float32Array<ArrayBuffer>;
  /** 2 per vertex. */
  readonly texcoords: Float32Array<ArrayBuffer>;
  /** 3 per triangle. */
  readonly indices: Uint32Array<ArrayBuffer>;
}

/** Arrays that `writeTube` fills again and again; they grow when they are too small and may be longer than the tube. */
export interface TubeTarget {
  positions: Float32Array<ArrayBuffer>;
  normals: Float32Array<ArrayBuffer>;
  texcoords: Float32Array<ArrayBuffer>;
  indices: Uint32Array<ArrayBuffer>;
  /** Per ring: node index with a fraction, to colour it by values on nodes; a closed curve ends at its node count. */
  ringNode: Float32Array<ArrayBuffer>;
  vertexCount: number;
  indexCount: number;
  ringCount: number;
  /** Whether the last call wrote other indices than the call before. */
  topologyChanged: boolean;
  readonly path: TubePath;
  /** cos and sin of the angles around, and what the indices stand for now. */
  circle: Float64Array;
  topology: string;
}

export function createTubeTarget(): TubeTarget {
  return {
    positions: new Float32Array(0),
    normals: new Float32Array(0),
    texcoords: new Float32Array(0),
    indices: new Uint32Array(0),
    ringNode: new Float32Array(0),
    vertexCount: 0,
    indexCount: 0,
    ringCount: 0,
    topologyChanged: false,
    path: createTubePath(),
    circle: new Float64Array(0),
    topology: '',
  };
}

/** A tube in arrays of its own. */
export function computeTube(curve: CurveShape, options: TubeOptions = {}): TubeMesh {
  const target = createTubeTarget();
  writeTube(curve, options, target);
  return {
    positions: target.positions.slice(0, 3 * target.vertexCount),
    normals: target.normals.slice(0, 3 * target.vertexCount),
    texcoords: target.texcoords.slice(0, 2 * target.vertexCount),
    indices: target.indices.slice(0, target.indexCount),
  };
}

/** Writes the tube around `curve` into `target`. Allocates only when the target has to grow. */
export function writeTube(curve: CurveShape, options: TubeOptions, target: TubeTarget): void {
  const sides = options.sides ?? CURVE_SIDES;
  const radius = options.radius ?? curve.radius;
  const repeat = options.repeat ?? 1;
  const caps = curve.closed ? 'none' : (options.caps ?? 'round');
  checkArguments(curve, sides, radius, repeat);
  writeTubePath(curve, radius, options.joints ?? 'round', target.path);

  const stations = target.path.count;
  const capRings = caps === 'none' ? 0 : caps === 'flat' ? 2 : Math.max(2, Math.round(sides / 4));
  reserve(target, stations + 2 * capRings, sides);
  const ring: Ring = { radius, repeat, sides, station: 0, along: 0, around: 1, normalAlong: 0, normalAround: 1 };
  for (let k = capRings; k > 0; k--) addRing(shapeCap(ring, caps, -1, k, capRings), target);
  shapeBody(ring);
  for (let i = 0; i < stations; i++) {
    ring.station = i;
    addRing(ring, target);
  }
  for (let k = 1; k <= capRings; k++) addRing(shapeCap(ring, caps, 1, k, capRings), target);

  const topology = `${sides} ${target.ringCount} ${caps}`;
  target.topologyChanged = topology !== target.topology;
  if (target.topologyChanged) writeIndices(target, sides, caps, capRings);
  target.topology = topology;
}

/** One ring about a station, in its frame: offset along the tangent and width, as multiples of the radius. */
interface Ring {
  readonly radius: number;
  readonly repeat: number;
  readonly sides: number;
  station: number;
  along: number;
  around: number;
  normalAlong: number;
  normalAround: number;
}

function shapeBody(ring: Ring): void {
  ring.along = 0;
  ring.around = 1;
  ring.normalAlong = 0;
  ring.normalAround = 1;
}

/** Ring k of 1…count of a cap, counted from the body; the last is the pole. `end` is −1 at the start, +1 at the end. */
function shapeCap(ring: Ring, caps: TubeCaps, end: -1 | 1, k: number, count: number): Ring {
  const pole = k === count;
  const latitude = (k / count) * (Math.PI / 2);
  const [sine, cosine] = computeSineCosine(latitude);
  const flat = caps === 'flat';
  ring.along = flat ? 0 : end * sine;
  ring.around = pole ? 0 : flat ? 1 : cosine;
  ring.normalAlong = flat || pole ? end : end * sine;
  ring.normalAround = flat || pole ? 0 : cosine;
  return ring;
}

function addRing(ring: Ring, target: TubeTarget): void {
  const { positions, normals, texcoords, circle, path } = target;
  const { radius, sides } = ring;
  const s = path.stations;
  const o = ring.station * STATION.size;
  const total = s[(path.count - 1) * STATION.size + STATION.arcLength];
  // the seam must meet itself exactly, so the last ring of a closed curve is turned like its first
  const closing = path.holonomy !== 0 && ring.station === path.count - 1;
  const twist = total > 0 && !closing ? (-path.holonomy * s[o + STATION.arcLength]) / total : 0;
  const [sinTwist, cosTwist] = computeSineCosine(twist);
  const tx = s[o + STATION.tangent];
  const ty = s[o + STATION.tangent + 1];
  const tz = s[o + STATION.tangent + 2];
  const px = s[o + STATION.normal];
  const py = s[o + STATION.normal + 1];
  const pz = s[o + STATION.normal + 2];
  const qx = ty * pz - tz * py;
  const qy = tz * px - tx * pz;
  const qz = tx * py - ty * px;
  const ex = s[o + STATION.stretchAxis];
  const ey = s[o + STATION.stretchAxis + 1];
  const ez = s[o + STATION.stretchAxis + 2];
  const stretch = s[o + STATION.stretch];
  const along = ring.along * radius;
  const around = ring.around * radius;

  let vertex = target.vertexCount;
  for (let j = 0; j <= sides; j++, vertex++) {
    const c = circle[2 * j] * cosTwist - circle[2 * j + 1] * sinTwist;
    const d = circle[2 * j] * sinTwist + circle[2 * j + 1] * cosTwist;
    const rx = c * px + d * qx;
    const ry = c * py + d * qy;
    const rz = c * pz + d * qz;
    const extra = stretch * (rx * ex + ry * ey + rz * ez);
    positions[3 * vertex] = s[o] + along * tx + around * (rx + extra * ex);
    positions[3 * vertex + 1] = s[o + 1] + along * ty + around * (ry + extra * ey);
    positions[3 * vertex + 2] = s[o + 2] + along * tz + around * (rz + extra * ez);
    normals[3 * vertex] = ring.normalAlong * tx + ring.normalAround * rx;
    normals[3 * vertex + 1] = ring.normalAlong * ty + ring.normalAround * ry;
    normals[3 * vertex + 2] = ring.normalAlong * tz + ring.normalAround * rz;
    texcoords[2 * vertex] = s[o + STATION.u] / ring.repeat;
    texcoords[2 * vertex + 1] = j / sides;
  }
  target.ringNode[target.ringCount++] = s[o + STATION.node];
  target.vertexCount = vertex;
}

function writeIndices(target: TubeTarget, sides: number, caps: TubeCaps, capRings: number): void {
  const { indices, ringCount } = target;
  let n = 0;
  for (let ring = 0; ring < ringCount - 1; ring++) {
    // a flat cap's rim lies on the body's end ring: same points, other normals, nothing between them
    if (caps === 'flat' && (ring === capRings - 1 || ring === ringCount - capRings - 1)) continue;
    const fromPole = caps !== 'none' && ring === 0;
    const toPole = caps !== 'none' && ring === ringCount - 2;
    for (let j = 0; j < sides; j++) {
      const here = ring * (sides + 1) + j;
      const next = here + sides + 1;
      if (!fromPole) {
        indices[n++] = here;
        indices[n++] = here + 1;
        indices[n++] = next + 1;
      }
      if (!toPole) {
        indices[n++] = here;
        indices[n++] = next + 1;
        indices[n++] = next;
      }
    }
  }
  target.indexCount = n;
}

/** Makes room for that many rings and starts the target anew. */
function reserve(target: TubeTarget, rings: number, sides: number): void {
  const vertices = rings * (sides + 1);
  if (target.positions.length < 3 * vertices) {
    const room = Math.ceil(1.25 * vertices);
    target.positions = new Float32Array(3 * room);
    target.normals = new Float32Array(3 * room);
    target.texcoords = new Float32Array(2 * room);
  }
  if (target.ringNode.length < rings) target.ringNode = new Float32Array(Math.ceil(1.25 * rings));
  if (target.indices.length < 6 * sides * rings) {
    target.indices = new Uint32Array(Math.ceil(7.5 * sides * rings));
    target.topology = '';
  }
  if (target.circle.length !== 2 * sides + 2) {
    target.circle = new Float64Array(2 * sides + 2);
    for (let j = 0; j <= sides; j++) {
      // vertex `sides` lies exactly on vertex 0
      const angle = (2 * Math.PI * (j % sides)) / sides;
      [target.circle[2 * j + 1], target.circle[2 * j]] = computeSineCosine(angle);
    }
  }
  target.vertexCount = 0;
  target.ringCount = 0;
}

function checkArguments(curve: CurveShape, sides: number, radius: number, repeat: number): void {
  const nodes = curve.u.length;
  if (nodes < (curve.closed ? 3 : 2) || curve.x.length !== 3 * nodes) {
    throw new RangeError(
      `A tube has ${nodes} nodes with ${curve.x.length} coordinates; an open curve needs at least 2 nodes, a closed one 3, with 3 coordinates each.`,
    );
  }
  if (!Number.isInteger(sides) || sides < 3) {
    throw new RangeError(`A tube has ${sides} sides; it needs a whole number of at least 3.`);
  }
  if (!(radius > 0) || !(repeat > 0)) {
    throw new RangeError(`A tube has radius ${radius} m and repeat ${repeat} m; both must be above 0.`);
  }
}
