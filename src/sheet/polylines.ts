/**
 * Creases as polylines in material space, before a remeshing: E-vertices that stay, new places that were asked for, and what is
 * between them at the wanted spacing.                                             [Piddington 2017, §5.1.2, §5.1.3, §5.3]
 *
 *     bin by body and edge, sort along the edge, cut where neighbours do not belong together, resample each piece
 *
 *   size h   wanted distance of vertices in material space [m]
 *   zone     points of a crease nearer than this to the border of the sheet, but not on it, let go: Lagrangian zone. (The thesis
 *            waits for two neighbours; a single one beside the border would force tiny triangles.)
 */

import { createMeshLocation, type MeshLocator } from '../geometry/index.ts';
import { computeHypot2 } from '../math/index.ts';
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { SheetBorder } from './border.ts';
import type { CreaseAsk } from './crease-search.ts';
import type { SheetCreases } from './creases.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Neighbours on an edge belong together while their material distance is below this many of their distance in the world or of h. */
const JOINED = 2;
/** They do while what is between them is nearer to the edge than this share of h. */
const OFF = 0.3;
/** New places between others start off the edge where they are farther from it than this share of h: the next step takes them there, if at all. */
const AT = 0.02;
/** Places nearer than this share of h to one that stays are left out; gaps longer than this share of h get more. */
const NEAREST = 0.5;
const LONGEST = 1.45;
/** Points of creases along different edges are no nearer than this share of h, nor to each other's segments. */
const CROWD = 0.4;
/** Width of the Lagrangian zone over h. */
export const ZONE = 0.35;
/** Points on the border are no nearer than this share of h to where it turns: vertices there stay. */
const CORNER = 0.2;

/** A place in material space [m]. */
export interface Place {
  readonly X: number;
  readonly Y: number;
}

/** A point of a crease. */
export interface CreasePoint {
  /** The vertex that it is, −1 for a new one. */
  vertex: number;
  X: number;
  Y: number;
  readonly body: number;
  readonly edge: number;
  readonly corner: number;
  readonly along: number;
  readonly isBorder: boolean;
  /** Whether it is off its edge (`SheetState.lifted`). */
  readonly isLifted: boolean;
}

export interface Polylines {
  readonly points: CreasePoint[];
  /** Pairs of points joined by a crease. */
  readonly segments: [number, number][];
}

/**
 * `locator`: of the state's mesh. `asks`: the places that are asked for. `isStart`: the sheet was laid out with chords across edges,
 * which count as lying on them.
 */
export function collectPolylines(
  state: SheetState,
  creases: SheetCreases,
  size: number,
  border: SheetBorder,
  locator: MeshLocator,
  isStart: boolean,
  asks: readonly CreaseAsk[] = creases.asks,
): Polylines {
  const points: CreasePoint[] = [];
  const corners = new Map<string, number>();
  const bins = new Map<string, CreasePoint[]>();
  const addToBin = (body: number, edge: number, point: CreasePoint) => {
    const key = `${body} ${edge}`;
    const bin = bins.get(key);
    if (bin) bin.push(point);
    else bins.set(key, [point]);
  };
  for (let i = 0; i < state.count; i++) {
    if (state.kind[i] === NODE_LAGRANGIAN) continue;
    const [body, edge, corner] = [state.siteBody[i], state.siteEdge[i], state.siteCorner[i]];
    const along = edge >= 0 ? creases.computeAlong(state, i, body, edge) : 0;
    const [X, Y] = [state.q[STRIDE * i + 3], state.q[STRIDE * i + 4]];
    const isBorder = state.mesh.isBorder[i] === 1;
    addPoint({ vertex: i, X, Y, body, edge, corner, along, isBorder, isLifted: state.lifted[i] > 0 });
  }
  for (const ask of asks) addAsk(ask);

  function addPoint(point: CreasePoint): void {
    if (point.corner >= 0) {
      if (border.isWithin(point.X, point.Y, ZONE * size)) return;
      const key = `${point.body} ${point.corner}`;
      if (corners.has(key)) return;
      corners.set(key, points.length);
      points.push(point);
    } else addToBin(point.body, point.edge, point);
  }
  function addAsk({ body, edge, corner, X, Y, along, isBorder }: CreaseAsk): void {
    addPoint({ vertex: -1, X, Y, body, edge, corner, along, isBorder, isLifted: false });
  }

  const segments: [number, number][] = [];
  for (const bin of bins.values()) {
    const { body, edge } = bin[0];
    const { ends, length } = creases.corners[body];
    for (let end = 0; end < 2; end++) {
      const corner = corners.get(`${body} ${ends[2 * edge + end]}`);
      if (corner !== undefined) bin.push({ ...points[corner], edge, along: end });
    }
    bin.sort((a, b) => a.along - b.along || b.vertex - a.vertex);
    const isOn = (a: CreasePoint, b: CreasePoint): boolean =>
      isStart || computeOffEdge(state, creases, locator, a, b) < OFF * size;
    const isAt = (a: CreasePoint): boolean => isStart || computeOffEdge(state, creases, locator, a, a) < AT * size;
    for (const run of cutRuns(thin(bin, size), length[edge], size, isOn))
      addRun(leaveZone(resample(run, size, isAt), size, border));
  }

  function addRun(run: readonly CreasePoint[]): void {
    let before = -1;
    for (const point of run) {
      const known = point.corner >= 0 ? corners.get(`${point.body} ${point.corner}`)! : -1;
      const at = known >= 0 ? known : points.push(point) - 1;
      if (before >= 0) segments.push([before, at]);
      before = at;
    }
  }
  // a corner that no crease reaches stays a point
  return clearCrowds({ points, segments }, size);
}

/**
 * Without points that come too near to creases along other edges or to other corners, and without segments that cross others: what
 * is finer than the mesh stays behind it.
 */
function clearCrowds({ points, segments }: Polylines, size: number): Polylines {
  const order = points.map((_, k) => k).sort((a, b) => rank(points[b]) - rank(points[a]) || a - b);
  const isKept = new Uint8Array(points.length);
  const kept: number[] = [];
  const isSame = (a: CreasePoint, b: CreasePoint): boolean =>
    a.body === b.body && a.edge === b.edge && a.corner < 0 && b.corner < 0;
  const isCrowded = (point: CreasePoint): boolean => {
    for (const other of kept)
      if (!isSame(points[other], point) && distance(points[other], point) < CROWD * size) return true;
    if (point.corner >= 0) return false;
    for (const [a, b] of segments) {
      if (!(isKept[a] && isKept[b]) || isSame(points[a].corner < 0 ? points[a] : points[b], point)) continue;
      if (computeDistance(point, points[a], points[b]) < CROWD * size) return true;
    }
    return false;
  };
  for (const k of order) {
    if (isCrowded(points[k])) continue;
    isKept[k] = 1;
    kept.push(k);
  }
  const left: [number, number][] = [];
  for (const [a, b] of segments) {
    if (!(isKept[a] && isKept[b])) continue;
    const crosses = left.some(
      ([c, d]) =>
        isNear(points[a], points[b], points[c], points[d]) &&
        a !== c &&
        a !== d &&
        b !== c &&
        b !== d &&
        doCross(points[a], points[b], points[c], points[d]),
    );
    if (!crosses) left.push([a, b]);
  }
  const place = new Int32Array(points.length);
  let count = 0;
  for (let k = 0; k < points.length; k++) place[k] = isKept[k] ? count++ : -1;
  return {
    points: points.filter((_, k) => isKept[k] === 1),
    segments: left.map(([a, b]): [number, number] => [place[a], place[b]]),
  };
}

/** Distance of p to the segment from a to b [m]. */
function computeDistance(p: Place, a: Place, b: Place): number {
  const [dx, dy] = [b.X - a.X, b.Y - a.Y];
  const square = dx * dx + dy * dy;
  const s = square > 0 ? Math.min(1, Math.max(0, ((p.X - a.X) * dx + (p.Y - a.Y) * dy) / square)) : 0;
  return computeHypot2(a.X + s * dx - p.X, a.Y + s * dy - p.Y);
}

/** Whether the boxes of two segments meet. */
const isNear = (a: Place, b: Place, c: Place, d: Place): boolean =>
  Math.max(a.X, b.X) >= Math.min(c.X, d.X) &&
  Math.max(c.X, d.X) >= Math.min(a.X, b.X) &&
  Math.max(a.Y, b.Y) >= Math.min(c.Y, d.Y) &&
  Math.max(c.Y, d.Y) >= Math.min(a.Y, b.Y);

function doCross(a: Place, b: Place, c: Place, d: Place): boolean {
  const side = (p: Place, q: Place, r: Place): number => (q.X - p.X) * (r.Y - p.Y) - (q.Y - p.Y) * (r.X - p.X);
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/** How far what is between two places of an edge in the material is from that edge in the world [m]. */
function computeOffEdge(
  { q, mesh }: SheetState,
  creases: SheetCreases,
  locator: MeshLocator,
  a: CreasePoint,
  b: CreasePoint,
): number {
  const location = createMeshLocation();
  locator.writeLocation((a.X + b.X) / 2, (a.Y + b.Y) / 2, location);
  const x = [0, 0, 0];
  for (let n = 0; n < 3; n++) {
    const at = STRIDE * mesh.triangles[3 * location.triangle + n];
    for (let k = 0; k < 3; k++) x[k] += location.weights[n] * q[at + k];
  }
  return creases.computeOffEdge(b.body, b.edge, x, 0);
}

/** Leaves out new places too near to ones that stay, and old ones too near to each other. */
function thin(bin: readonly CreasePoint[], size: number): CreasePoint[] {
  const kept: CreasePoint[] = [];
  // corners first, then the border, then vertices, then new places
  const order = bin.map((_, k) => k).sort((a, b) => rank(bin[b]) - rank(bin[a]) || a - b);
  const isKept = new Uint8Array(bin.length);
  for (const k of order) {
    const near = kept.some((other) => distance(other, bin[k]) < NEAREST * size);
    if (near && bin[k].corner < 0) continue;
    isKept[k] = 1;
    kept.push(bin[k]);
  }
  return bin.filter((_, k) => isKept[k]);
}

const rank = ({ corner, isBorder, vertex, isLifted }: CreasePoint): number =>
  (corner >= 0 ? 4 : 0) + (isBorder ? 2 : 0) + (vertex >= 0 && !isLifted ? 1 : 0);

const distance = (a: CreasePoint, b: CreasePoint): number => Math.sqrt((a.X - b.X) ** 2 + (a.Y - b.Y) ** 2);

/** Pieces of a sorted bin whose neighbours belong together. */
function cutRuns(
  bin: readonly CreasePoint[],
  length: number,
  size: number,
  isOn: (a: CreasePoint, b: CreasePoint) => boolean,
): CreasePoint[][] {
  const runs: CreasePoint[][] = [];
  bin.forEach((point, k) => {
    const before = bin[k - 1];
    const isJoined =
      k > 0 &&
      distance(before, point) < JOINED * Math.max(length * Math.abs(point.along - before.along), size) &&
      isOn(before, point);
    if (isJoined) runs[runs.length - 1].push(point);
    else runs.push([point]);
  });
  return runs;
}

/** New places in gaps that are too long, evenly. */
function resample(run: readonly CreasePoint[], size: number, isAt: (point: CreasePoint) => boolean): CreasePoint[] {
  const out: CreasePoint[] = [];
  run.forEach((point, k) => {
    if (k > 0) {
      const before = run[k - 1];
      const pieces = Math.ceil(distance(before, point) / (LONGEST * size));
      for (let n = 1; n < pieces; n++) {
        const s = n / pieces;
        const between: CreasePoint = {
          vertex: -1,
          X: before.X + s * (point.X - before.X),
          Y: before.Y + s * (point.Y - before.Y),
          body: point.body,
          edge: point.edge,
          corner: -1,
          along: before.along + s * (point.along - before.along),
          isBorder: false,
          isLifted: false,
        };
        out.push({ ...between, isLifted: !isAt(between) });
      }
    }
    out.push(point);
  });
  return out;
}

/** Without those in the Lagrangian zone; of those on the border themselves, only those stay whose neighbour does. */
function leaveZone(run: readonly CreasePoint[], size: number, border: SheetBorder): CreasePoint[] {
  const isFar = run.map(({ X, Y, isBorder }) => !isBorder && !border.isWithin(X, Y, ZONE * size));
  return run.filter(({ X, Y, isBorder }, k) => {
    const hasNeighbour = isFar[k - 1] || isFar[k + 1];
    return isFar[k] || (isBorder && hasNeighbour && border.computeCornerDistance(X, Y) >= CORNER * size);
  });
}
