/**
 * What a part of a continuum shows: a surface its mesh, curves yarns, bulk its particles.
 */
import { computeCubeRoot, computeLog } from '../math/index.ts';
import { NODE_LAGRANGIAN, type PointsFrame, type SurfaceFrame, type YarnsFrame } from '../model/index.ts';
import { computePressure } from './energy-fluid.ts';
import type { PointGroup, Points } from './state.ts';
import { computeElementStrain } from './strain.ts';
import { BROKEN } from './strength.ts';

/** A mesh with material coordinates. Where a surface is closed it is cut open: its vertices along the cut are shown twice. */
export interface SurfaceLook {
  readonly type: 'surface';
  /** Material coordinates of the vertices shown, 2 each [m]. */
  readonly X: Float64Array;
  /** Of vertices shown, 3 each. */
  readonly triangles: Int32Array;
  /** Vertex of the part that each vertex shown is; default: the same. */
  readonly vertices?: Int32Array | undefined;
}

/** Curves one after the other: curve c shows the vertices start[c] … start[c + 1] − 1, of closed ones the first a second time. */
export interface CurvesLook {
  readonly type: 'curves';
  readonly start: Int32Array;
  /** Vertex of the part that each vertex shown is; default: the same. */
  readonly vertices?: Int32Array | undefined;
}

export interface BulkLook {
  readonly type: 'bulk';
}

export type PartLook = SurfaceLook | CurvesLook | BulkLook;
export type PartFrame = SurfaceFrame | YarnsFrame | PointsFrame;

/** Frame of the part with that index. */
export const writePartFrame = (points: Points, index: number, id: string, look: PartLook): PartFrame => {
  const group = points.groups[index];
  if (look.type === 'surface') return writeSurface(points, group, id, look);
  return look.type === 'curves' ? writeCurves(points, index, id, look) : writeBulk(points, group, index, id);
};

/** Particles that the frame of a part shows, in its order. */
export const listShown = (points: Points, index: number, look: PartLook): Int32Array<ArrayBuffer> => {
  const { first, count, firstVertex } = points.groups[index];
  if (look.type === 'bulk') return Int32Array.from({ length: count }, (_, i) => first + i);
  const shown = look.type === 'surface' ? look.X.length / 2 : look.start[look.start.length - 1];
  return Int32Array.from({ length: shown }, (_, i) => firstVertex + (look.vertices?.[i] ?? i));
};

const computeSpeed = ({ v }: Points, p: number): number =>
  Math.sqrt(v[3 * p] * v[3 * p] + v[3 * p + 1] * v[3 * p + 1] + v[3 * p + 2] * v[3 * p + 2]);

/** Strain of elements that are not torn, as the mean of those round each vertex of a group. */
const writeVertexStrain = (points: Points, group: PointGroup, n: 2 | 3): Float64Array => {
  const strain = new Float64Array(group.vertexCount);
  const count = new Uint16Array(group.vertexCount);
  for (let e = 0; e < group.count; e++) {
    if (points.gain[group.first + e] === BROKEN) continue;
    const value = computeElementStrain(points, group.first + e, n === 3);
    for (let c = 0; c < n; c++) {
      const vertex = group.corners[n * e + c] - group.firstVertex;
      strain[vertex] += value;
      count[vertex]++;
    }
  }
  for (let i = 0; i < strain.length; i++) if (count[i] > 0) strain[i] /= count[i];
  return strain;
};

const writeSurface = (points: Points, group: PointGroup, id: string, look: SurfaceLook): SurfaceFrame => {
  const count = look.X.length / 2;
  const x = new Float64Array(3 * count);
  const speed = new Float64Array(count);
  const strain = new Float64Array(count);
  const own = writeVertexStrain(points, group, 3);
  for (let i = 0; i < count; i++) {
    const vertex = look.vertices?.[i] ?? i;
    const p = group.firstVertex + vertex;
    for (let k = 0; k < 3; k++) x[3 * i + k] = points.x[3 * p + k];
    speed[i] = computeSpeed(points, p);
    strain[i] = own[vertex];
  }
  const thickness = group.material.type === 'surface' ? group.material.thickness : 0;
  let restArea = 0;
  for (let e = 0; e < group.count; e++)
    restArea += 0.5 / (points.rest[3 * (group.first + e)] * points.rest[3 * (group.first + e) + 2]);
  return {
    type: 'surface',
    id,
    thickness,
    restArea,
    x,
    X: look.X,
    kind: new Uint8Array(count).fill(NODE_LAGRANGIAN),
    triangles: canTear(group)
      ? look.triangles.filter((_, c) => points.gain[group.first + Math.floor(c / 3)] !== BROKEN)
      : look.triangles,
    creases: new Int32Array(0),
    fields: { speed, strain },
  };
};

/** Parts are told apart as layers of a fabric are, neighbours in a part as its warp and weft; pieces of a torn curve stay alike. */
const writeCurves = (points: Points, index: number, id: string, { start, vertices }: CurvesLook): YarnsFrame => {
  const group = points.groups[index];
  const count = start[start.length - 1];
  const x = new Float64Array(3 * count);
  const u = new Float64Array(count);
  const speed = new Float64Array(count);
  const strain = new Float64Array(count);
  const own = writeVertexStrain(points, group, 2);
  // segments come in the order of the curves
  let e = group.first;
  for (let c = 0; c + 1 < start.length; c++)
    for (let i = start[c]; i < start[c + 1]; i++) {
      const vertex = vertices?.[i] ?? i;
      const p = group.firstVertex + vertex;
      for (let k = 0; k < 3; k++) x[3 * i + k] = points.x[3 * p + k];
      if (i > start[c]) u[i] = u[i - 1] + 1 / points.rest[3 * e++];
      speed[i] = computeSpeed(points, p);
      strain[i] = own[vertex];
    }
  const ends = canTear(group) ? findPieces(points, group, start) : start;
  const curves = ends.length - 1;
  const restLength = new Float64Array(curves);
  const kin = new Uint8Array(curves);
  for (let c = 0, curve = 0; c < curves; c++) {
    if (ends[c + 1] > ends[c]) restLength[c] = u[ends[c + 1] - 1] - u[ends[c]];
    while (ends[c] >= start[curve + 1] && curve + 2 < start.length) curve++;
    kin[c] = curve % 2;
  }
  return {
    type: 'yarns',
    id,
    start: ends,
    radius: new Float64Array(curves).fill(group.material.type === 'curve' ? group.material.radius : 0),
    restLength,
    layer: new Uint8Array(curves).fill(index),
    group: kin,
    x,
    u,
    kind: new Uint8Array(count).fill(NODE_LAGRANGIAN),
    other: new Int32Array(count).fill(-1),
    fields: { speed, strain },
  };
};

const canTear = ({ material }: PointGroup): boolean =>
  (material.type === 'curve' || material.type === 'surface') && material.breakingStrain !== undefined;

/**
 * First nodes of what curves are torn into, and their number. Each node may begin a piece, so that pieces keep their numbers: those of nodes that begin none, because
 * their segment holds, have no nodes. A piece that is a single node has just that.
 */
const findPieces = (points: Points, group: PointGroup, start: Int32Array): Int32Array => {
  const count = start[start.length - 1];
  const pieces = new Int32Array(count + 1);
  let e = group.first;
  let piece = 0;
  for (let c = 0; c + 1 < start.length; c++)
    for (let i = start[c]; i < start[c + 1]; i++) {
      const isFirst = i === start[c] || points.gain[e++] === BROKEN;
      // numbers up to this one begin here, or where the piece goes on
      if (isFirst) for (; piece <= i; piece++) pieces[piece] = i;
    }
  for (; piece <= count; piece++) pieces[piece] = count;
  return pieces;
};

/** A ball of the volume that a particle has at rest. */
const computeRadius = (volume: number): number => computeCubeRoot((3 * volume) / (4 * Math.PI));

/** What bulk is shown as: sand in the first colour, fluids in the second, goo in the third, further parts of a kind in others. */
const BULK_KINDS: readonly string[] = ['sand', 'fluid', 'goo'];
const chooseGroup = ({ groups }: Points, index: number): number => {
  const earlier = groups.slice(0, index).filter(({ type }) => type === groups[index].type).length;
  return BULK_KINDS.indexOf(groups[index].type) + BULK_KINDS.length * earlier;
};

const writeBulk = (points: Points, group: PointGroup, index: number, id: string): PointsFrame => {
  const speed = new Float64Array(group.count);
  const pressure = new Float64Array(group.count);
  for (let i = 0; i < group.count; i++) {
    speed[i] = computeSpeed(points, group.first + i);
    pressure[i] = computePointPressure(points, group, group.first + i);
  }
  return {
    type: 'points',
    id,
    radius: group.count === 0 ? 0 : computeRadius(points.volume[group.first]),
    x: points.x.slice(3 * group.first, 3 * (group.first + group.count)),
    group: new Uint8Array(group.count).fill(chooseGroup(points, index)),
    fields: { speed, pressure },
  };
};

/** Of a fluid p(J); else −(λ + ⅔ μ) ln J/J, a third of the trace of Hencky's stress, J = det F [Pa]. */
const computePointPressure = ({ F }: Points, group: PointGroup, p: number): number => {
  if (group.type === 'fluid') return computePressure(F[9 * p], group.law);
  const [a, b, c, d, e, f, g, h, i] = F.subarray(9 * p, 9 * p + 9);
  const J = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return J > 0 ? (-(group.law.lambda + (2 / 3) * group.law.mu) * computeLog(J)) / J : 0;
};
