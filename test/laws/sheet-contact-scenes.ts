/** Small sheets for tests of contact, and a search for passages that shares nothing with the engine's but the test of one pair. */
import { createCcdHit, createGridMesh, findEdgeEdgeHit, findVertexTriangleHit } from 'heddle/geometry';
import type { Vec3 } from 'heddle/math';
import { Sheet, type SheetMaterial, type SheetOptions } from 'heddle/sheet';
import type { World } from 'heddle/world';

export const STRIDE = 5;

export const CLOTH: SheetMaterial = {
  arealDensity: 0.2,
  membrane: [400, 400, 80, 150],
  bending: [1e-5, 1e-5, 2e-6, 4e-6],
  thickness: 1e-3,
  friction: 0,
};

/** A grid in the material, placed in the world. */
export function createCloth(
  id: string,
  size: readonly [number, number],
  cells: readonly [number, number],
  place: (u: number, v: number) => Vec3,
  options: Partial<SheetOptions> = {},
): Sheet {
  const { points, corners } = createGridMesh(size[0], size[1], cells[0], cells[1]);
  const x: number[] = [];
  for (let i = 0; i < points.length; i += 2) x.push(...place(points[i], points[i + 1]));
  return new Sheet({ id, material: CLOTH, x, X: points, triangles: corners, mode: 'lagrangian', ...options });
}

/** Positions of all sheets, three numbers a vertex. */
const collectPoints = (sheets: readonly Sheet[], of: 'qStart' | 'q'): Float64Array =>
  Float64Array.from(
    sheets.flatMap(({ state }) =>
      Array.from({ length: 3 * state.count }, (_, n) => state[of][STRIDE * Math.floor(n / 3) + (n % 3)]),
    ),
  );

/** Runs steps; throws where vertices pass through triangles or edges through edges in any sub-step. All pairs are looked at. */
export function runWithoutPassing(world: World, sheets: readonly Sheet[], steps: number): { nearest: number } {
  let nearest = Number.POSITIVE_INFINITY;
  for (let step = 0; step < steps; ) {
    if (world.stepPart(1)) step++;
    const offsets = sheets.map((_, n) => sheets.slice(0, n).reduce((sum, { state }) => sum + state.count, 0));
    const triangles = sheets.flatMap(({ state }, n) => Array.from(state.mesh.triangles, (i) => i + offsets[n]));
    const edges = sheets.flatMap(({ state }, n) =>
      Array.from({ length: 2 * state.mesh.edgeCount }, (_, k) => state.mesh.edges[4 * (k >> 1) + (k & 1)] + offsets[n]),
    );
    // what remeshing does lies before the start
    const passage = checkPassage(collectPoints(sheets, 'qStart'), collectPoints(sheets, 'q'), triangles, edges);
    nearest = Math.min(nearest, passage);
  }
  return { nearest };
}

/** Throws where something passes; returns the smallest distance of a vertex and a triangle at the end. */
function checkPassage(
  x0: Float64Array,
  x1: Float64Array,
  triangles: readonly number[],
  edges: readonly number[],
): number {
  const hit = createCcdHit();
  const [a, b] = [new Float64Array(12), new Float64Array(12)];
  let nearest = Number.POSITIVE_INFINITY;
  const load = (p: number, q: number, r: number, s: number, split: number): boolean => {
    if (p === q || p === r || p === s || q === r || q === s || r === s) return false;
    const points = [p, q, r, s];
    for (let i = 0; i < 4; i++)
      for (let k = 0; k < 3; k++) {
        a[3 * i + k] = x0[3 * points[i] + k];
        b[3 * i + k] = x1[3 * points[i] + k];
      }
    return mayMeet(a, b, split);
  };
  for (let p = 0; p < x0.length / 3; p++)
    for (let t = 0; t < triangles.length; t += 3) {
      if (!load(p, triangles[t], triangles[t + 1], triangles[t + 2], 1)) continue;
      if (findVertexTriangleHit(a, b, 0, hit)) throw new Error(`vertex ${p} passes through triangle ${t / 3}`);
      if (findVertexTriangleHit(b, b, 1, hit)) nearest = Math.min(nearest, hit.distance);
    }
  for (let e = 0; e < edges.length; e += 2)
    for (let f = e + 2; f < edges.length; f += 2)
      if (load(edges[e], edges[e + 1], edges[f], edges[f + 1], 2) && findEdgeEdgeHit(a, b, 0, hit))
        throw new Error(`edge ${e / 2} passes through edge ${f / 2}`);
  return nearest;
}

/** Whether the boxes round the ways of both sides come within a millimetre. */
function mayMeet(x0: Float64Array, x1: Float64Array, split: number): boolean {
  for (let k = 0; k < 3; k++) {
    let [low, high, otherLow, otherHigh] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < 4; i++) {
      const least = Math.min(x0[3 * i + k], x1[3 * i + k]);
      const most = Math.max(x0[3 * i + k], x1[3 * i + k]);
      if (i < split) {
        low = Math.min(low, least);
        high = Math.max(high, most);
      } else {
        otherLow = Math.min(otherLow, least);
        otherHigh = Math.max(otherHigh, most);
      }
    }
    if (low > otherHigh + 1e-3 || otherLow > high + 1e-3) return false;
  }
  return true;
}

export function computeMomentum(world: World): Float64Array {
  const sum = new Float64Array(6);
  for (const model of world.models) model.addMomentum(sum);
  return sum;
}
