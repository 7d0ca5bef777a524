/**
 * How far vertices are from creases and from what asks for a change, in material space, and which are too near to each other: what
 * remeshing plans of different reach have in common. Beyond the furthest reach nothing is measured.
 */
import { NODE_LAGRANGIAN } from '../model/index.ts';
import type { Place, Polylines } from './polylines.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Vertices that remeshing brought are left out nearer than this share of h to others. */
export const CROWD = 0.6;
/** Widest grid of places, in cells along each side. */
const MOST_CELLS = 128;

export interface PlanGround {
  /** Distance of each old vertex to the creases [m]; infinite beyond the reach. */
  readonly distance: Float64Array;
  /** Distance of each old vertex to what asks for a change [m]; infinite beyond the reach. */
  readonly trouble: Float64Array;
  /** Neighbours that are too near to vertices which the sheet did not begin with. */
  readonly crowds: ReadonlyMap<number, readonly number[]>;
}

/** `reach`: distance from trouble up to which a plan may look [m]. */
export function surveyGround(
  state: SheetState,
  polylines: Polylines,
  size: number,
  troubled: readonly number[],
  reach: number,
): PlanGround {
  const trouble = computeTrouble(state, listTrouble(state, polylines, troubled), reach);
  return {
    distance: computeDistances(state, polylines, trouble),
    trouble,
    crowds: findCrowds(state, CROWD * size),
  };
}

/** Where the mesh must change: new points of creases, E-vertices that go, and the vertices given. */
function listTrouble({ q, kind, count }: SheetState, { points }: Polylines, troubled: readonly number[]): Place[] {
  const stays = new Set(points.map(({ vertex }) => vertex));
  const vertices = [...troubled];
  for (let i = 0; i < count; i++) if (kind[i] !== NODE_LAGRANGIAN && !stays.has(i)) vertices.push(i);
  return [
    ...points.filter(({ vertex }) => vertex < 0),
    ...vertices.map((i) => ({ X: q[STRIDE * i + 3], Y: q[STRIDE * i + 4] })),
  ];
}

/** Distance of each vertex to the nearest of some places, infinite where it is more than `reach`. */
function computeTrouble({ q, count }: SheetState, places: readonly Place[], reach: number): Float64Array {
  const out = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  if (places.length === 0) return out;
  const grid = new PlaceGrid(places, reach);
  for (let i = 0; i < count; i++) {
    const distance = Math.sqrt(grid.findSquare(q[STRIDE * i + 3], q[STRIDE * i + 4]));
    if (distance <= reach) out[i] = distance;
  }
  return out;
}

/** Places by cells of a grid that are at least `reach` wide, so that those within reach are in the nine cells round a point. */
class PlaceGrid {
  readonly #cell: number;
  readonly #low: readonly [number, number];
  readonly #counts: readonly [number, number];
  readonly #start: Int32Array;
  /** X, Y of places by cell. */
  readonly #xy: Float64Array;

  constructor(places: readonly Place[], reach: number) {
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { X, Y } of places) {
      x0 = Math.min(x0, X);
      y0 = Math.min(y0, Y);
      x1 = Math.max(x1, X);
      y1 = Math.max(y1, Y);
    }
    // a hair wider, so that rounding of the cell's number cannot lose a place
    this.#cell = Math.max(reach, (x1 - x0) / MOST_CELLS, (y1 - y0) / MOST_CELLS) * (1 + 1e-9);
    this.#low = [x0, y0];
    this.#counts = [Math.floor((x1 - x0) / this.#cell) + 1, Math.floor((y1 - y0) / this.#cell) + 1];
    const [columns, rows] = this.#counts;
    const cellOf = ({ X, Y }: Place): number =>
      Math.floor((X - x0) / this.#cell) + columns * Math.floor((Y - y0) / this.#cell);
    this.#start = new Int32Array(columns * rows + 1);
    for (const place of places) this.#start[cellOf(place) + 1]++;
    for (let c = 0; c < columns * rows; c++) this.#start[c + 1] += this.#start[c];
    const next = this.#start.slice();
    this.#xy = new Float64Array(2 * places.length);
    for (const place of places) {
      const at = 2 * next[cellOf(place)]++;
      this.#xy[at] = place.X;
      this.#xy[at + 1] = place.Y;
    }
  }

  /** Square of the distance to the nearest place in the cells round (X, Y); infinite where there is none. */
  findSquare(X: number, Y: number): number {
    const [columns, rows] = this.#counts;
    const i = Math.floor((X - this.#low[0]) / this.#cell);
    const j = Math.floor((Y - this.#low[1]) / this.#cell);
    let least = Number.POSITIVE_INFINITY;
    for (let row = Math.max(0, j - 1); row <= Math.min(rows - 1, j + 1); row++)
      for (let column = Math.max(0, i - 1); column <= Math.min(columns - 1, i + 1); column++) {
        const cell = column + columns * row;
        for (let k = this.#start[cell]; k < this.#start[cell + 1]; k++) {
          const x = this.#xy[2 * k] - X;
          const y = this.#xy[2 * k + 1] - Y;
          least = Math.min(least, x * x + y * y);
        }
      }
    return least;
  }
}

/** Distance to the points and segments of creases of each vertex that is within reach of trouble. */
function computeDistances(
  { q, count }: SheetState,
  { points, segments }: Polylines,
  trouble: Float64Array,
): Float64Array {
  const out = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const places = Float64Array.from(points.flatMap(({ X, Y }) => [X, Y]));
  const ends = Int32Array.from(segments.flat());
  for (let i = 0; i < count; i++) {
    if (trouble[i] === Number.POSITIVE_INFINITY) continue;
    const X = q[STRIDE * i + 3];
    const Y = q[STRIDE * i + 4];
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < places.length; k += 2) {
      const x = places[k] - X;
      const y = places[k + 1] - Y;
      least = Math.min(least, x * x + y * y);
    }
    for (let k = 0; k < ends.length; k += 2) {
      const a = 2 * ends[k];
      const b = 2 * ends[k + 1];
      const dx = places[b] - places[a];
      const dy = places[b + 1] - places[a + 1];
      const along = (X - places[a]) * dx + (Y - places[a + 1]) * dy;
      const square = dx * dx + dy * dy;
      // its ends are among the points
      if (!(along > 0 && along < square)) continue;
      const across = (X - places[a]) * dy - (Y - places[a + 1]) * dx;
      least = Math.min(least, (across * across) / square);
    }
    out[i] = Math.sqrt(least);
  }
  return out;
}

/** Neighbours nearer than `least` [m] of vertices that the sheet did not begin with. */
function findCrowds({ q, label, mesh, firstLabel }: SheetState, least: number): Map<number, number[]> {
  const crowds = new Map<number, number[]>();
  const add = (i: number, other: number): void => {
    if (label[i] < firstLabel) return;
    const list = crowds.get(i);
    if (list) list.push(other);
    else crowds.set(i, [other]);
  };
  for (let e = 0; e < mesh.edgeCount; e++) {
    const a = mesh.edges[4 * e];
    const b = mesh.edges[4 * e + 1];
    if (label[a] < firstLabel && label[b] < firstLabel) continue;
    const dX = q[STRIDE * b + 3] - q[STRIDE * a + 3];
    const dY = q[STRIDE * b + 4] - q[STRIDE * a + 4];
    if (!(dX * dX + dY * dY < least * least)) continue;
    add(a, b);
    add(b, a);
  }
  return crowds;
}
