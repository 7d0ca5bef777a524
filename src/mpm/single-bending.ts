/**
 * Bending of a continuum in single precision, in flat lists for the kernels (src/kernels/mpm-bending.inc): hinges of surfaces and bends of curves, in the order in which their first vertices lie in memory, and of each vertex
 * where the forces on it are, in the order in which bending.ts has them, so that their sum does not depend on where they lie.
 */
import type { Bending } from './bending.ts';
import type { SingleMesh } from './single-mesh.ts';
import type { Points } from './state.ts';

export interface SingleBending {
  readonly hingeCount: number;
  readonly bendCount: number;
  /** Four vertices, from 0 on; two triangles, and of each its three edges as hinges and what they add to ∂V/∂θ. */
  readonly hinges: Int32Array;
  readonly hingeElements: Int32Array;
  readonly hingeEdges: Int32Array;
  readonly hingeStiffness: Float32Array;
  readonly restAngle: Float32Array;
  /** Three vertices, two segments. */
  readonly bends: Int32Array;
  readonly bendElements: Int32Array;
  readonly bendStiffness: Float32Array;
  readonly bendAngle: Float32Array;
  /** Of vertices: rows of forces, four a hinge, then three a bend. */
  readonly pushStart: Int32Array;
  readonly pushes: Int32Array;
}

/** `slot`: where each particle lies. */
export const createSingleBending = (
  points: Points,
  bending: Bending,
  mesh: SingleMesh,
  slot: Int32Array,
): SingleBending => {
  const { stressCount, groups, group } = points;
  const tables = bending.createTables();
  const hingeCount = tables.reduce((sum, { hinges }) => sum + (hinges?.restAngle.length ?? 0), 0);
  const bendCount = tables.reduce((sum, { bends }) => sum + (bends?.restAngle.length ?? 0), 0);
  const vertexOf = (coordinate: number): number => slot[stressCount + coordinate / 3] - stressCount;
  const elementOf = (p: number): number => mesh.firstElement[group[p]] + slot[p] - groups[group[p]].first;
  const out = {
    hingeCount,
    bendCount,
    hinges: new Int32Array(4 * hingeCount),
    hingeElements: new Int32Array(2 * hingeCount),
    hingeEdges: new Int32Array(6 * hingeCount),
    hingeStiffness: new Float32Array(6 * hingeCount),
    restAngle: new Float32Array(hingeCount),
    bends: new Int32Array(3 * bendCount),
    bendElements: new Int32Array(2 * bendCount),
    bendStiffness: new Float32Array(bendCount),
    bendAngle: new Float32Array(bendCount),
  };
  /** Vertices and rows, in the order of the tables. */
  const pairs: number[] = [];
  let [firstHinge, firstBend] = [0, 0];
  for (const { first, hinges, bends } of tables) {
    if (hinges !== undefined) {
      const { edges, restAngle, triangleEdges, stiffness } = hinges;
      const place = orderBy(restAngle.length, (e) => vertexOf(edges[4 * e]), firstHinge);
      for (let e = 0; e < restAngle.length; e++) {
        out.restAngle[place[e]] = restAngle[e];
        for (let k = 0; k < 4; k++) {
          const vertex = vertexOf(edges[4 * e + k]);
          out.hinges[4 * place[e] + k] = vertex;
          pairs.push(vertex, 4 * place[e] + k);
        }
      }
      /** Sides of hinges that have their triangle. */
      const sides = new Uint8Array(restAngle.length);
      for (let corner = 0; corner < triangleEdges.length; corner++) {
        const e = triangleEdges[corner];
        if (e < 0) continue;
        const triangle = Math.floor(corner / 3);
        const side = 2 * place[e] + sides[e]++;
        out.hingeElements[side] = elementOf(first + triangle);
        for (let l = 0; l < 3; l++) {
          const other = triangleEdges[3 * triangle + l];
          out.hingeEdges[3 * side + l] = place[other < 0 ? e : other];
          out.hingeStiffness[3 * side + l] = other < 0 ? 0 : stiffness[3 * corner + l];
        }
      }
      firstHinge += restAngle.length;
    }
    if (bends !== undefined) {
      const place = orderBy(bends.restAngle.length, (n) => vertexOf(bends.bends[3 * n]), firstBend);
      place.forEach((at, n) => {
        out.bendStiffness[at] = bends.stiffness[n];
        out.bendAngle[at] = bends.restAngle[n];
        for (let k = 0; k < 2; k++) out.bendElements[2 * at + k] = elementOf(first + bends.segments[2 * n + k]);
        for (let k = 0; k < 3; k++) {
          const vertex = vertexOf(bends.bends[3 * n + k]);
          out.bends[3 * at + k] = vertex;
          pairs.push(vertex, 4 * hingeCount + 3 * at + k);
        }
      });
      firstBend += bends.restAngle.length;
    }
  }
  return { ...out, ...gatherPushes(pairs, mesh.vertexCount) };
};

/** Places of 0 … count − 1 by a key, from `first` on; equal keys as they are. */
const orderBy = (count: number, key: (n: number) => number, first: number): Int32Array => {
  const keys = Float64Array.from({ length: count }, (_, n) => key(n) * count + n).sort();
  const place = new Int32Array(count);
  keys.forEach((value, at) => {
    place[value % count] = first + at;
  });
  return place;
};

const gatherPushes = (pairs: readonly number[], vertexCount: number): Pick<SingleBending, 'pushStart' | 'pushes'> => {
  const pushStart = new Int32Array(vertexCount + 1);
  for (let n = 0; n < pairs.length; n += 2) pushStart[pairs[n] + 1]++;
  for (let v = 0; v < vertexCount; v++) pushStart[v + 1] += pushStart[v];
  const next = pushStart.slice(0, vertexCount);
  const pushes = new Int32Array(pairs.length / 2);
  for (let n = 0; n < pairs.length; n += 2) pushes[next[pairs[n]]++] = pairs[n + 1];
  return { pushStart, pushes };
};
