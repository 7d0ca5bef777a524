/** The border of a sheet in material space: closed loops of vertices with the material on their left. */
import { type SheetState, STRIDE } from './state.ts';

/** Sine of the turn below which the border is straight at a vertex. */
const STRAIGHT = 1e-6;

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
    const size = Math.hypot(ux, uy) * Math.hypot(vx, vy);
    return Math.abs(ux * vy - uy * vx) < STRAIGHT * size && ux * vx + uy * vy > 0;
  }

  /** Distance of a point to the nearest vertex at which the border turns [m]; infinite where it nowhere does. */
  computeCornerDistance(X: number, Y: number): number {
    let nearest = Number.POSITIVE_INFINITY;
    for (const loop of this.loops)
      for (let k = 0; k < loop.length; k++) {
        const distance = Math.hypot(this.#q[STRIDE * loop[k] + 3] - X, this.#q[STRIDE * loop[k] + 4] - Y);
        if (distance < nearest && !this.isStraight(loop, k)) nearest = distance;
      }
    return nearest;
  }

  /** Distance of a point to the border [m]. */
  computeDistance(X: number, Y: number): number {
    return this.findNearest(X, Y).distance;
  }

  /** The side of a loop (from its k-th vertex) nearest to a point, where on it (0 … 1), and how far away [m]. */
  findNearest(X: number, Y: number): { loop: number; side: number; along: number; distance: number } {
    const q = this.#q;
    const best = { loop: -1, side: -1, along: 0, distance: Number.POSITIVE_INFINITY };
    let least = Number.POSITIVE_INFINITY;
    this.loops.forEach((loop, n) => {
      for (let k = 0; k < loop.length; k++) {
        const a = STRIDE * loop[k] + 3;
        const b = STRIDE * loop[k + 1 < loop.length ? k + 1 : 0] + 3;
        const dx = q[b] - q[a];
        const dy = q[b + 1] - q[a + 1];
        const s = Math.min(1, Math.max(0, ((X - q[a]) * dx + (Y - q[a + 1]) * dy) / (dx * dx + dy * dy)));
        const x = q[a] + s * dx - X;
        const y = q[a + 1] + s * dy - Y;
        const square = x * x + y * y;
        if (!(square < least)) continue;
        least = square;
        best.loop = n;
        best.side = k;
        best.along = s;
      }
    });
    best.distance = Math.sqrt(least);
    return best;
  }
}
