/**
 * The stations of a tube: where its rings stand, how they are turned and how they are mitred.
 *
 * Frames are parallel-transported: going from direction a to direction b, the ring normal n (n ⟂ a) becomes
 *   n' = n − (n·b) / (1 + a·b) (a + b),
 * the least rotation, so a tube never twists suddenly. Round a closed curve the leftover angle (the holonomy) is spread
 * over the arc length.
 *
 * A turn by φ from a to b:
 *   mitre   one ring in the bisecting plane, tangent m = (a + b)/‖a + b‖, stretched by k = 1/cos(φ/2) along
 *           e = (b − a)/‖b − a‖, so both legs keep their full width. k is at most 2 and the ring reaches back at most
 *           0.45 of the shorter leg, so a mitre stays bounded; k ≥ 1 always.
 *   round   a turn beyond 95° would reach too far back: rings turn from a to b while their centres follow the
 *           quadratic Bézier x − aδ, x, x + bδ. It has no singular angle: a hairpin of exactly 180° is a round tip.
 *
 *   x position [m]   u material coordinate [m]   δ set-back [m] = min(radius, 0.45 × shorter leg)
 */
import { computeAngle, computeHypot3, computeSignedAngle, computeSineCosine } from '../math/index.ts';
import type { CurveShape } from './resample.ts';

/** Offsets inside a station. */
export const STATION = {
  centre: 0,
  tangent: 3,
  normal: 6,
  stretchAxis: 9,
  /** k − 1. */
  stretch: 12,
  u: 13,
  /** Node index with a fraction, for values that live on nodes. */
  node: 14,
  arcLength: 15,
  size: 16,
} as const;

const LARGEST_MITRE = 2;
const LARGEST_REACH = 0.45;
/** cos 95° */
const COS_ROUND_FROM = -0.08715574274765817;

/** How turns are made: `mitre` keeps exactly one ring a node, `round` adds rings where a turn is sharper than 95°. */
export type TubeJoints = 'round' | 'mitre';

export interface TubePath {
  stations: Float64Array;
  count: number;
  /** First normal; kept from one call to the next so that an animated tube does not turn about its axis. */
  readonly reference: Float64Array;
  /** Angle left after transport round a closed curve [rad]. */
  holonomy: number;
}

export function createTubePath(): TubePath {
  return { stations: new Float64Array(0), count: 0, reference: new Float64Array(3), holonomy: 0 };
}

/** Fills `path` with the stations of the curve. A closed curve ends with a copy of its first station. */
export function writeTubePath(curve: CurveShape, radius: number, joints: TubeJoints, path: TubePath): void {
  const { u, closed } = curve;
  const nodes = u.length;
  const coincident = 1e-6 * radius;
  const turn = createTurn(curve.x, radius);
  const { a, b, normal } = turn;
  path.count = 0;
  path.holonomy = 0;

  turn.lengthIn = writeFirstDirection(curve, coincident, a);
  turn.uIn = closed ? u[nodes - 1] - curve.restLength : u[0];
  writePerpendicular(path.reference, a, normal);
  path.reference.set(normal);
  let waiting = 0;
  for (let i = 0; i < nodes; i++) {
    turn.lengthOut = closed || i < nodes - 1 ? writeSegmentDirection(curve, i, b) : 0;
    if (!(turn.lengthOut > coincident)) {
      // of nodes on one spot the last makes the turn
      if (i < nodes - 1) {
        waiting++;
        continue;
      }
      b.set(a);
      turn.lengthOut = turn.lengthIn;
    }
    turn.node = i;
    turn.u = u[i];
    turn.uOut = i < nodes - 1 ? u[i + 1] : closed ? u[0] + curve.restLength : u[i];
    if (joints === 'round' && dot(a, b) < COS_ROUND_FROM) addRoundJoint(turn, path);
    else addMitre(turn, path);
    if (joints === 'mitre') repeatStation(waiting, u, path);
    waiting = 0;
    a.set(b);
    turn.lengthIn = turn.lengthOut;
    turn.uIn = turn.u;
  }
  if (closed) closePath(turn, curve.restLength, nodes, path);
}

/** One node and the segments in and out of it; one object serves all nodes of a curve. */
interface Turn {
  readonly x: Float64Array;
  readonly radius: number;
  /** Unit directions of the segments in and out. */
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** Ring normal, carried along. */
  readonly normal: Float64Array;
  readonly tangent: Float64Array;
  node: number;
  u: number;
  uIn: number;
  uOut: number;
  lengthIn: number;
  lengthOut: number;
}

function createTurn(x: Float64Array, radius: number): Turn {
  const [a, b, normal, tangent] = [0, 0, 0, 0].map(() => new Float64Array(3));
  return { x, radius, a, b, normal, tangent, node: 0, u: 0, uIn: 0, uOut: 0, lengthIn: 0, lengthOut: 0 };
}

function addMitre(turn: Turn, path: TubePath): void {
  const { x, a, b, normal, tangent } = turn;
  const station = addStation(path);
  const { stations } = path;
  const sum = computeHypot3(a[0] + b[0], a[1] + b[1], a[2] + b[2]);
  const difference = computeHypot3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  for (let k = 0; k < 3; k++) {
    tangent[k] = sum > 1e-6 ? (a[k] + b[k]) / sum : normal[k];
    stations[station + STATION.centre + k] = x[3 * turn.node + k];
    stations[station + STATION.stretchAxis + k] = difference > 1e-9 ? (b[k] - a[k]) / difference : 0;
  }
  if (difference > 1e-9) {
    const reach = (LARGEST_REACH * Math.min(turn.lengthIn, turn.lengthOut)) / (0.5 * difference * turn.radius);
    stations[station + STATION.stretch] = Math.max(1, Math.min(2 / sum, LARGEST_MITRE, reach)) - 1;
  }
  // at an exact hairpin the tangent is the normal itself, and the normal turns over to −a
  transport(normal, a, tangent);
  stations.set(tangent, station + STATION.tangent);
  stations.set(normal, station + STATION.normal);
  stations[station + STATION.u] = turn.u;
  stations[station + STATION.node] = turn.node;
  writeArcLength(path);
  transport(normal, tangent, b);
}

/** Gives the nodes that lie on the last station, before its own, the same ring: the topology stays fixed. */
function repeatStation(waiting: number, u: Float64Array, path: TubePath): void {
  const first = (path.count - 1) * STATION.size;
  const node = path.stations[first + STATION.node];
  for (let k = 1; k <= waiting; k++) {
    const copy = addStation(path);
    path.stations.copyWithin(copy, first, first + STATION.size);
  }
  for (let k = 0; k <= waiting; k++) {
    path.stations[first + k * STATION.size + STATION.node] = node - waiting + k;
    path.stations[first + k * STATION.size + STATION.u] = u[node - waiting + k];
  }
}

function addRoundJoint(turn: Turn, path: TubePath): void {
  const { x, a, b, normal, tangent } = turn;
  // the axis of the turn is a × b; an exact hairpin has none and turns towards the ring's normal
  const axis = new Float64Array(cross(a, b));
  if (normalize(axis) < 1e-9) axis.set(cross(a, normal));
  const side = cross(axis, a);
  const cosine = Math.max(-1, Math.min(1, dot(a, b)));
  const angle = computeAngle(Math.sqrt((1 - cosine) * (1 + cosine)), cosine);
  const setBack = Math.min(turn.radius, LARGEST_REACH * Math.min(turn.lengthIn, turn.lengthOut));

  // an even number of steps: in a hairpin the centres go out and back, and no two neighbours coincide
  const steps = 2 * Math.ceil(angle / (Math.PI / 3));
  const from = new Float64Array(a);
  for (let j = 0; j <= steps; j++) {
    const t = j / steps;
    const before = (1 - t) ** 2;
    const after = t * t;
    const station = addStation(path);
    const { stations } = path;
    const [sine, ahead] = computeSineCosine(angle * t);
    for (let k = 0; k < 3; k++) {
      tangent[k] = j === steps ? b[k] : a[k] * ahead + side[k] * sine;
      stations[station + STATION.centre + k] = x[3 * turn.node + k] + setBack * (after * b[k] - before * a[k]);
    }
    transport(normal, from, tangent);
    stations.set(tangent, station + STATION.tangent);
    stations.set(normal, station + STATION.normal);
    const fractionIn = (before * setBack) / turn.lengthIn;
    const fractionOut = (after * setBack) / turn.lengthOut;
    stations[station + STATION.u] = turn.u - fractionIn * (turn.u - turn.uIn) + fractionOut * (turn.uOut - turn.u);
    stations[station + STATION.node] = Math.max(0, turn.node - fractionIn + fractionOut);
    writeArcLength(path);
    from.set(tangent);
  }
}

/** Adds the copy of the first station that closes the tube, and measures the angle the transport is off by. */
function closePath(turn: Turn, restLength: number, nodes: number, path: TubePath): void {
  const { a, normal } = turn;
  const last = addStation(path);
  const { stations } = path;
  stations.copyWithin(last, 0, STATION.size);
  const tangent = stations.subarray(STATION.tangent, STATION.tangent + 3);
  const first = stations.subarray(STATION.normal, STATION.normal + 3);
  transport(normal, a, tangent);
  path.holonomy = computeSignedAngle(dot(cross(first, normal), tangent), dot(first, normal));
  stations[last + STATION.u] += restLength;
  stations[last + STATION.node] = nodes;
  writeArcLength(path);
}

/** Room for one more station, cleared; returns its offset. */
function addStation(path: TubePath): number {
  const offset = path.count * STATION.size;
  if (offset + STATION.size > path.stations.length) {
    const larger = new Float64Array(Math.max(64 * STATION.size, 2 * path.stations.length));
    larger.set(path.stations);
    path.stations = larger;
  }
  path.stations.fill(0, offset, offset + STATION.size);
  path.count++;
  return offset;
}

function writeArcLength(path: TubePath): void {
  if (path.count < 2) return;
  const s = path.stations;
  const here = (path.count - 1) * STATION.size;
  const before = here - STATION.size;
  const step = computeHypot3(s[here] - s[before], s[here + 1] - s[before + 1], s[here + 2] - s[before + 2]);
  s[here + STATION.arcLength] = s[before + STATION.arcLength] + step;
}

/** Direction in which the curve arrives at its first node (open: leaves it), and the length of that segment. */
function writeFirstDirection(curve: CurveShape, coincident: number, out: Float64Array): number {
  const nodes = curve.u.length;
  for (let k = 0; k < nodes - (curve.closed ? 0 : 1); k++) {
    const length = writeSegmentDirection(curve, curve.closed ? nodes - 1 - k : k, out);
    if (length > coincident) return length;
  }
  out.set([0, 1, 0]);
  return 0;
}

/** Unit vector from node i to the next, and their distance. */
function writeSegmentDirection(curve: CurveShape, i: number, out: Float64Array): number {
  const { x } = curve;
  const next = (i + 1) % curve.u.length;
  for (let k = 0; k < 3; k++) out[k] = x[3 * next + k] - x[3 * i + k];
  return normalize(out);
}

/** Unit vector nearest to `wish` that is perpendicular to `direction`; any, if `wish` is zero or parallel to it. */
function writePerpendicular(wish: Float64Array, direction: Float64Array, out: Float64Array): void {
  out.set(wish);
  removeComponent(out, direction);
  if (normalize(out) > 1e-3) return;
  const size = [Math.abs(direction[0]), Math.abs(direction[1]), Math.abs(direction[2])];
  out.fill(0);
  out[size.indexOf(Math.min(...size))] = 1;
  removeComponent(out, direction);
  normalize(out);
}

/** Carries `normal` from direction a to direction b by the least rotation (see the file header). */
function transport(normal: Float64Array, a: Float64Array, b: Float64Array): void {
  const factor = dot(normal, b) / (1 + dot(a, b));
  for (let k = 0; k < 3; k++) normal[k] -= factor * (a[k] + b[k]);
  removeComponent(normal, b);
  normalize(normal);
}

function removeComponent(vector: Float64Array, direction: Float64Array): void {
  const along = dot(vector, direction);
  for (let k = 0; k < 3; k++) vector[k] -= along * direction[k];
}

function normalize(vector: Float64Array): number {
  const length = computeHypot3(vector[0], vector[1], vector[2]);
  if (length > 0) for (let k = 0; k < 3; k++) vector[k] /= length;
  return length;
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): [number, number, number] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
