/**
 * Where the nodes and frames of a rod are at the start: the polyline resampled, frames carried along it without twist (parallel transport:
 * each is the one before turned by the least rotation that takes its tangent over), then twisted evenly.
 */
import {
  computeHypot3,
  computeLength,
  crossVec3,
  dotVec3,
  normalizeVec3,
  type Quaternion,
  quaternionFromMat3,
  rotateVec3,
  spinQuaternion,
  subVec3,
  unrotateVec3,
  type Vec3,
} from '../math/index.ts';
import { HeddleError } from '../model/index.ts';
import { BendElement } from './energy-bend.ts';
import { NaturalTable } from './natural.ts';
import type { RodOptions } from './options.ts';

export interface RodStart {
  readonly x: Float64Array;
  readonly v: Float64Array;
  readonly u: Float64Array;
  readonly kept: Uint8Array;
  readonly mass: Float64Array;
  readonly frames: Float64Array;
  readonly spin: Float64Array;
  readonly natural: NaturalTable;
  readonly restLength: number;
}

/** A share of the length this near to a node is that node. */
const SAME_PLACE = 1e-9;

export function placeNodes(options: RodOptions): RodStart {
  const { points, id } = options;
  if (points.length < 2) throw new HeddleError(`rod "${id}" has ${points.length} points; give at least two.`);
  const along = new Float64Array(points.length);
  for (let n = 1; n < points.length; n++) along[n] = along[n - 1] + computeLength(subVec3(points[n], points[n - 1]));
  const length = along[points.length - 1];
  if (!(length > 0)) throw new HeddleError(`rod "${id}" has no length; give points that differ.`);
  const shares = listShares(options);
  const count = shares.length;
  const restLength = options.restLength ?? length;
  const x = new Float64Array(3 * count);
  const v = new Float64Array(3 * count);
  const u = Float64Array.from(shares, (share) => share * restLength);
  for (let i = 0, n = 0; i < count; i++) {
    const s = shares[i] * length;
    while (n < points.length - 2 && along[n + 1] <= s) n++;
    const t = Math.min(1, Math.max(0, (s - along[n]) / (along[n + 1] - along[n] || 1)));
    const [from, to] = [velocityAt(options, n), velocityAt(options, n + 1)];
    for (let k = 0; k < 3; k++) {
      x[3 * i + k] = points[n][k] + t * (points[n + 1][k] - points[n][k]);
      v[3 * i + k] = from[k] + t * (to[k] - from[k]);
    }
  }
  const frames = carryFrames(options, x, u);
  const spin = computeSpin(x, v, frames);
  const kept = new Uint8Array(count);
  const mass = new Float64Array(count);
  const find = (share: number): number => shares.findIndex((one) => Math.abs(one - share) < SAME_PLACE);
  for (const share of options.keep ?? []) kept[find(share)] = 1;
  for (const { at, mass: one } of options.masses ?? []) {
    kept[find(at)] = 1;
    mass[find(at)] += one;
  }
  return { x, v, u, kept, mass, frames, spin, natural: createNatural(options, u, frames), restLength };
}

/** Shares of the length with a node: those asked for, those to keep, both ends. */
function listShares({ segments, keep = [], masses = [], id }: RodOptions): number[] {
  const wanted =
    typeof segments === 'number' ? Array.from({ length: segments + 1 }, (_, i) => i / segments) : [...segments];
  if (!(wanted.length >= 2)) throw new HeddleError(`rod "${id}" has no segments; give at least one.`);
  const extra = [0, 1, ...keep, ...masses.map(({ at }) => at)];
  const shares = wanted.filter((share) => share > 0 && share < 1);
  const half = 0.5 / Math.max(1, wanted.length - 1);
  for (const share of [...new Set(extra)]) {
    const near = shares.findIndex((one) => Math.abs(one - share) < half && !extra.includes(one));
    // a node that is nearly there moves to where one must be
    if (near >= 0) shares[near] = share;
    else if (!shares.includes(share)) shares.push(share);
  }
  return [...new Set(shares)].sort((a, b) => a - b);
}

function velocityAt({ velocity }: RodOptions, n: number): Vec3 {
  if (velocity === undefined) return [0, 0, 0];
  return typeof velocity[0] === 'number' ? (velocity as Vec3) : (velocity as readonly Vec3[])[n];
}

const tangentOf = (x: Float64Array, e: number): Vec3 =>
  normalizeVec3([x[3 * e + 3] - x[3 * e], x[3 * e + 4] - x[3 * e + 1], x[3 * e + 5] - x[3 * e + 2]]);

function carryFrames({ normal, twist = 0, restLength }: RodOptions, x: Float64Array, u: Float64Array): Float64Array {
  const segments = u.length - 1;
  const frames = new Float64Array(4 * segments);
  let tangent = tangentOf(x, 0);
  let first = chooseNormal(tangent, normal);
  const turn = new Float64Array(3);
  const length = restLength ?? u[segments];
  for (let e = 0; e < segments; e++) {
    const next = tangentOf(x, e);
    first = transport(first, tangent, next);
    tangent = next;
    frames.set(frameFrom(first, tangent), 4 * e);
    turn[2] = (twist * 0.5 * (u[e] + u[e + 1])) / length;
    if (twist !== 0) spinQuaternion(frames, 4 * e, turn, 0, 1);
  }
  return frames;
}

/** A unit vector across the tangent: the one asked for, else that of the axis which is most across. */
function chooseNormal(tangent: Vec3, wanted: Vec3 | undefined): Vec3 {
  const axes: Vec3[] = [
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
  ];
  const axis = wanted ?? axes.find((one) => Math.abs(dotVec3(one, tangent)) < 0.8)!;
  const along = dotVec3(axis, tangent);
  return normalizeVec3([axis[0] - along * tangent[0], axis[1] - along * tangent[1], axis[2] - along * tangent[2]]);
}

/** Turns a vector by the least rotation that takes `from` to `to`: v + b × v + b × (b × v)/(1 + c), b = from × to, c = from · to. */
function transport(vector: Vec3, from: Vec3, to: Vec3): Vec3 {
  const b = crossVec3(from, to);
  const c = dotVec3(from, to);
  const once = crossVec3(b, vector);
  const twice = crossVec3(b, once);
  const s = 1 / (1 + c);
  const moved: Vec3 = [
    vector[0] + once[0] + s * twice[0],
    vector[1] + once[1] + s * twice[1],
    vector[2] + once[2] + s * twice[2],
  ];
  const along = dotVec3(moved, to);
  return normalizeVec3([moved[0] - along * to[0], moved[1] - along * to[1], moved[2] - along * to[2]]);
}

function frameFrom(first: Vec3, tangent: Vec3): Quaternion {
  const second = crossVec3(tangent, first);
  return quaternionFromMat3(
    Float64Array.of(first[0], second[0], tangent[0], first[1], second[1], tangent[1], first[2], second[2], tangent[2]),
  );
}

/** How the frames turn when the nodes move as they do, without spin about the tangent. */
function computeSpin(x: Float64Array, v: Float64Array, frames: Float64Array): Float64Array {
  const segments = frames.length / 4;
  const spin = new Float64Array(3 * segments);
  for (let e = 0; e < segments; e++) {
    const q: Quaternion = [frames[4 * e], frames[4 * e + 1], frames[4 * e + 2], frames[4 * e + 3]];
    const t = rotateVec3(q, [0, 0, 1]);
    const d: Vec3 = [v[3 * e + 3] - v[3 * e], v[3 * e + 4] - v[3 * e + 1], v[3 * e + 5] - v[3 * e + 2]];
    const l = computeHypot3(x[3 * e + 3] - x[3 * e], x[3 * e + 4] - x[3 * e + 1], x[3 * e + 5] - x[3 * e + 2]);
    const w = crossVec3(t, d);
    spin.set(unrotateVec3(q, [w[0] / l, w[1] / l, w[2] / l]), 3 * e);
  }
  return spin;
}

function createNatural({ natural = [0, 0, 0] }: RodOptions, u: Float64Array, frames: Float64Array): NaturalTable {
  if (natural !== 'initial')
    return typeof natural[0] === 'number'
      ? new NaturalTable([{ at: 0, strain: natural as Vec3 }])
      : new NaturalTable(natural as readonly { at: number; strain: Vec3 }[]);
  const bend = new BendElement();
  const entries: { at: number; strain: Vec3 }[] = [];
  for (let i = 1; i < u.length - 1; i++) {
    bend.set(frames, 4 * i - 4, 4 * i, 0.5 * (u[i + 1] - u[i - 1]));
    entries.push({ at: u[i], strain: [bend.strain[0], bend.strain[1], bend.strain[2]] });
  }
  return new NaturalTable(entries.length > 0 ? entries : [{ at: 0, strain: [0, 0, 0] }]);
}
