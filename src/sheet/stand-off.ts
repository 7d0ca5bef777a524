/**
 * How far the vertices of a sheet stand off spheres, capsules and mantles of cylinders, so that the straight edges and flat triangles
 * between them touch the surface instead of cutting into it:
 *
 *     d = √(R² + r²)       d  least distance of a vertex from the axis,  R  radius of the body, grown by half the thickness [m]
 *                          r  largest radius of the smallest circle round a triangle at the vertex; along the straight part of a
 *                             capsule and on mantles half the longest edge at it, measured across the axis [m]
 *
 * Of three points on the sphere of radius d about the axis the plane is no nearer than √(d² − r²) (`contact/facet-round.ts` for edges).
 * Vertices come to it from outside; where one starts nearer, or its triangles grow, it moves out gently.
 */
import type { Placement, RoundSolid } from '../contact/index.ts';
import type { SheetMesh } from './mesh.ts';
import { STRIDE } from './state.ts';

/** Share of what it lacks by which a vertex that is too near moves out in a step. */
const EASE = 0.1;
/** By how much edges may stretch in a step without cutting in. */
const GIVE = 0.005;

/** What a vertex at the distance d is kept at when it should be at `reach` [m]: no further in than R. */
export const easeOut = (round: RoundSolid, d: number, reach: number): number => round.easeOut(d, reach, EASE);

/**
 * Least distance of vertex i, of coordinates q, from the axis of a round body at `place` [m]; 0 where that is certainly less than
 * `distance`.
 */
export function computeStandOff(
  round: RoundSolid,
  place: Placement,
  q: Float64Array,
  mesh: SheetMesh,
  i: number,
  distance = 0,
): number {
  let longest = 0;
  for (let n = mesh.edgeStart[i]; n < mesh.edgeStart[i + 1]; n++) {
    const e = 4 * mesh.vertexEdges[n];
    longest = Math.max(longest, computeSquare(q, mesh.edges[e], mesh.edges[e + 1]));
  }
  const { radius } = round;
  // no triangle's circle is larger than that of two edges of this length, but for thin ones, whose longest edge it is
  if (distance * distance > radius * radius + (1 + GIVE) * longest) return 0;
  let square = 0;
  for (let n = mesh.edgeStart[i]; n < mesh.edgeStart[i + 1]; n++) {
    const [a, b, c, d] = mesh.edges.subarray(4 * mesh.vertexEdges[n], 4 * mesh.vertexEdges[n] + 4);
    square = Math.max(square, computeHalfSquare(round, place, q, a, b));
    // each triangle at i has two edges there; its first is enough
    for (const apex of [c, d]) if (apex >= 0) square = Math.max(square, computeCircle(round, place, q, a, b, apex));
  }
  return Math.sqrt(radius * radius + (1 + GIVE) ** 2 * square);
}

/** Square of the distance of vertices a and b [m²]. */
function computeSquare(q: Float64Array, a: number, b: number): number {
  const [i, j] = [STRIDE * a, STRIDE * b];
  return (q[j] - q[i]) ** 2 + (q[j + 1] - q[i + 1]) ** 2 + (q[j + 2] - q[i + 2]) ** 2;
}

/** Height of vertex a along the axis [m]. */
function computeHeight({ R, p }: Placement, q: Float64Array, a: number): number {
  const at = STRIDE * a;
  return R[1] * (q[at] - p[0]) + R[4] * (q[at + 1] - p[1]) + R[7] * (q[at + 2] - p[2]);
}

/** Square of half the edge between a and b, across the axis where it lies beside the straight part [m²]. */
function computeHalfSquare(round: RoundSolid, place: Placement, q: Float64Array, a: number, b: number): number {
  const square = computeSquare(q, a, b);
  if (!(round.half > 0)) return square / 4;
  const [u, v] = [computeHeight(place, q, a), computeHeight(place, q, b)];
  const isStraight = Math.abs(u) <= round.half && Math.abs(v) <= round.half;
  return (isStraight ? Math.max(0, square - (v - u) ** 2) : square) / 4;
}

/** Square of the radius of the circle through the corners of an acute triangle [m²]; 0 for others, whose longest edge says it, and beside the straight part. */
function computeCircle(round: RoundSolid, place: Placement, q: Float64Array, a: number, b: number, c: number): number {
  const isStraight = round.half > 0 && [a, b, c].every((i) => Math.abs(computeHeight(place, q, i)) <= round.half);
  if (isStraight) return 0;
  const [x, y, z] = [computeSquare(q, b, c), computeSquare(q, c, a), computeSquare(q, a, b)];
  if (2 * Math.max(x, y, z) >= x + y + z) return 0;
  // a² b² c²/(16 A²), Heron
  return (x * y * z) / (2 * (x * y + y * z + z * x) - x * x - y * y - z * z);
}
