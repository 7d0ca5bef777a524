/** Angles, circles and centres of triangles, as quality refinement (mesh-refine.ts) looks at them. */
import { computeHypot2, computeSignedAngle, computeSineCosine } from '../math/index.ts';
import { computeSmallestAngle } from './predicates.ts';
import type { Triangulation } from './triangulation.ts';
import { findHeldNeighbours } from './triangulation-collapse.ts';

/** Segments that meet at less than this are split on shells [rad]. */
const SHELL_ANGLE = Math.PI / 3;

/** Whether (x, y) sees a and b at more than a right angle. */
export const isInDiametralCircle = (p: Float64Array, a: number, b: number, x: number, y: number): boolean =>
  (p[2 * a] - x) * (p[2 * b] - x) + (p[2 * a + 1] - y) * (p[2 * b + 1] - y) < 0;

/** Smallest angle of triangle t [rad]. */
export const computeTriangleAngle = (mesh: Triangulation, t: number): number => {
  const { points: p, corners } = mesh;
  const a = 2 * corners[3 * t];
  const b = 2 * corners[3 * t + 1];
  const c = 2 * corners[3 * t + 2];
  return computeSmallestAngle(p[a], p[a + 1], p[b], p[b + 1], p[c], p[c + 1]);
};

/** Diagonal of the box around all vertices. */
export const computeExtent = (mesh: Triangulation): number => {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (let i = 0; i < 2 * mesh.vertexCount; i++) {
    low[i % 2] = Math.min(low[i % 2], mesh.points[i]);
    high[i % 2] = Math.max(high[i % 2], mesh.points[i]);
  }
  return computeHypot2(high[0] - low[0], high[1] - low[1]);
};

/** 1 for vertices at which two edges that must stay enclose less than 60°, with material between them or not. */
export const markAcute = (mesh: Triangulation): Uint8Array => {
  const p = mesh.points;
  const acute = new Uint8Array(mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++) {
    const angles = findHeldNeighbours(mesh, v)
      .map((u) => computeSignedAngle(p[2 * u + 1] - p[2 * v + 1], p[2 * u] - p[2 * v]))
      .sort((a, b) => a - b);
    for (const [i, angle] of angles.entries()) {
      const next = i + 1 < angles.length ? angles[i + 1] : angles[0] + 2 * Math.PI;
      if (angles.length > 1 && next - angle < SHELL_ANGLE - 1e-9) acute[v] = 1;
    }
  }
  return acute;
};

/** The half-edge of triangle t that is shortest. */
export const findShortest = (mesh: Triangulation, t: number): number => {
  const p = mesh.points;
  let [shortest, best] = [3 * t, Infinity];
  for (let e = 3 * t; e < 3 * t + 3; e++) {
    const [a, b] = [2 * mesh.corners[e], 2 * mesh.head(e)];
    const square = (p[a] - p[b]) ** 2 + (p[a + 1] - p[b + 1]) ** 2;
    if (square < best) [shortest, best] = [e, square];
  }
  return shortest;
};

/**
 * The circumcentre of triangle t, or the off-centre where that is nearer to the shortest edge: the point from which the edge
 * is seen at `angle`, so that the new triangle on it is just good enough.
 */
export const computeOffCentre = (mesh: Triangulation, t: number, angle: number): [number, number] => {
  const p = mesh.points;
  const e = findShortest(mesh, t);
  const [a, b, c] = [2 * mesh.corners[e], 2 * mesh.head(e), 2 * mesh.apex(e)];
  const [bx, by] = [p[b] - p[a], p[b + 1] - p[a + 1]];
  const [cx, cy] = [p[c] - p[a], p[c + 1] - p[a + 1]];
  const cross = bx * cy - by * cx;
  const cc = cx * cx + cy * cy;
  // height of the circumcentre over the middle of the edge, in lengths of the edge; 0.97 keeps off the bound itself
  const height = (cc - (bx * cx + by * cy)) / (2 * cross);
  const [sine, cosine] = computeSineCosine(angle / 2);
  const limit = angle > 0 ? (0.97 * cosine) / (2 * sine) : Infinity;
  const s = Math.min(height, limit);
  return [p[a] + bx / 2 - s * by, p[a + 1] + by / 2 + s * bx];
};
