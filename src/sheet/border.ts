/** The border of a sheet in material space: closed loops of vertices with the material on their left. */
import { computeHypot2 } from '../math/index.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Sine of the turn below which the border is straight at a vertex. */
const STRAIGHT = 1e-6;

/** A place on the border. */
export interface BorderPlace {
  readonly loop: number;
  readonly side: number;
  readonly along: number;
}

export class SheetBorder {
  /** Vertices of each loop in order. */
  readonly loops: readonly (readonly number[])[];
  /** Edge of the mesh from each of them to the next. */
  readonly sides: readonly (readonly number[])[];
  readonly #q: Float64Array;

  constructor({ q, mesh }: SheetState) {
    this.#q = q;
    /** Edge of the border from each vertex, −1 inside; none again once a loop has it. */
    const from = new Int32Array(mesh.vertexCount).fill(-1);
    const { edges, edgeCount } = mesh;
    for (let e = 0; e < edgeCount; e++) if (edges[4 * e + 3] < 0) from[edges[4 * e]] = e;
    const loops: number[][] = [];
    const sides: number[][] = [];
    for (let e = 0; e < edgeCount; e++) {
      if (edges[4 * e + 3] >= 0 || from[edges[4 * e]] < 0) continue;
      const loop: number[] = [];
      const side: number[] = [];
      for (let i = edges[4 * e]; from[i] >= 0; ) {
        loop.push(i);
        side.push(from[i]);
        const next = edges[4 * from[i] + 1];
        from[i] = -1;
        i = next;
      }
      loops.push(loop);
      sides.push(side);
    }
    this.loops = loops;
    this.sides = sides;
  }

  /** Whether the border does not turn at the k-th vertex of a loop. */
  isStraight(loop: readonly number[], k: number): boolean {
    const q = this.#q;
    const [a, b, c] = [loop.at(k - 1)!, loop[k], loop[(k + 1) % loop.length]].map((i) => STRIDE * i + 3);
    const [ux, uy, vx, vy] = [q[b] - q[a], q[b + 1] - q[a + 1], q[c] - q[b], q[c + 1] - q[b + 1]];
    const size = computeHypot2(ux, uy) * computeHypot2(vx, vy);
    return Math.abs(ux * vy - uy * vx) < STRAIGHT * size && ux * vx + uy * vy > 0;
  }

  /** Distance of a point to the nearest vertex at which the border turns [m]; infinite where it nowhere does. */
  computeCornerDistance(X: number, Y: number): number {
    let nearest = Number.POSITIVE_INFINITY;
    for (const loop of this.loops)
      for (let k = 0; k < loop.length; k++) {
        const distance = computeHypot2(this.#q[STRIDE * loop[k] + 3] - X, this.#q[STRIDE * loop[k] + 4] - Y);
        if (distance < nearest && !this.isStraight(loop, k)) nearest = distance;
      }
    return nearest;
  }

  /** Whether a point is nearer to the border than a distance [m]. */
  isWithin(X: number, Y: number, distance: number): boolean {
    return this.#find(X, Y, distance * distance).side >= 0;
  }

  /** The side of a loop (from its k-th vertex) nearest to a point, and where on it (0 … 1). */
  findNearest(X: number, Y: number): BorderPlace {
    return this.#find(X, Y, Number.POSITIVE_INFINITY);
  }

  /** The same among sides nearer than the root of `limit`; side −1 where there is none. */
  #find(X: number, Y: number, limit: number): BorderPlace {
    const q = this.#q;
    const best = { loop: -1, side: -1, along: 0 };
    let least = limit;
    let reach = Math.sqrt(limit);
    for (let n = 0; n < this.loops.length; n++) {
      const loop = this.loops[n];
      for (let k = 0; k < loop.length; k++) {
        const a = STRIDE * loop[k] + 3;
        const b = STRIDE * loop[k + 1 < loop.length ? k + 1 : 0] + 3;
        const dx = q[b] - q[a];
        const dy = q[b + 1] - q[a + 1];
        const px = X - q[a];
        const py = Y - q[a + 1];
        // too far along one axis already
        if (Math.abs(px) > reach + Math.abs(dx) || Math.abs(py) > reach + Math.abs(dy)) continue;
        const s = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)));
        const x = q[a] + s * dx - X;
        const y = q[a + 1] + s * dy - Y;
        const square = x * x + y * y;
        if (!(square < least)) continue;
        least = square;
        reach = Math.sqrt(square);
        best.loop = n;
        best.side = k;
        best.along = s;
      }
    }
    return best;
  }
}
