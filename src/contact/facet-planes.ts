/**
 * A convex solid from half-spaces n · x ≤ d: its edges with the two faces of each, by the dual hull. About a point c inside,
 * in units s of the solid's half extents (so that a thin plate is as well conditioned as a cube), the plane is the point
 *     p = s n / (d − n · c)
 * of dual space. The hull of these points is the dual solid: its corners are the faces that the solid really has, its edges
 * the solid's edges, its triangles the solid's corners (coplanar triangles: one corner in which more than three faces meet).
 */
import { computeConvexHull } from '../geometry/index.ts';
import type { Vec3 } from '../math/index.ts';
import { HeddleError } from '../model/index.ts';
import { type Flatness, groupCoplanar } from './facet-groups.ts';

/** Flat faces and convex edges; numbers as in `FacetBody`. */
export interface FacetGeometry {
  readonly faceNormal: Float64Array;
  readonly faceOffset: Float64Array;
  readonly edgeStart: Float64Array;
  readonly edgeEnd: Float64Array;
  readonly edgeFaceA: Int32Array;
  readonly edgeFaceB: Int32Array;
  readonly isRound: Uint8Array;
  readonly edgeRunsOn: Uint8Array;
  readonly bounds: Float64Array;
}

/** A half-space n · x ≤ offset. `smooth` planes are tangent to a smooth surface: an edge between two of them is round. */
export interface Plane {
  readonly normal: Vec3;
  readonly offset: number;
  readonly smooth: boolean;
}

/** Triangles of dual space that are one corner of the solid. */
const SAME_CORNER: Flatness = { angle: 1e-8, distance: Infinity, sliver: 1e-10 };

/** Bits of `edgeRunsOn`. */
export const RUNS_ON_AT_START = 1;
export const RUNS_ON_AT_END = 2;

type Triple = [number, number, number];
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: ArrayLike<number>, b: ArrayLike<number>): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The point common to three planes n · x = d: x = (d₀ n₁×n₂ + d₁ n₂×n₀ + d₂ n₀×n₁)/(n₀ · n₁×n₂). */
const computeCorner = (planes: readonly Plane[], centre: Vec3): Triple => {
  const [n0, n1, n2] = planes.map(({ normal }) => normal);
  const [d0, d1, d2] = planes.map(({ normal, offset }) => offset - dot(normal, centre));
  const [c0, c1, c2] = [cross(n1, n2), cross(n2, n0), cross(n0, n1)];
  const determinant = dot(n0, c0);
  const along = (k: number): number => centre[k] + (d0 * c0[k] + d1 * c1[k] + d2 * c2[k]) / determinant;
  return [along(0), along(1), along(2)];
};

/** The solid inside all planes. `centre` lies inside; `half` are about its half extents [m]. */
export const intersectPlanes = (planes: readonly Plane[], centre: Vec3, half: Vec3): FacetGeometry => {
  const dual = planes.flatMap(({ normal, offset }) => {
    const distance = offset - dot(normal, centre);
    return [0, 1, 2].map((k) => (half[k] * normal[k]) / distance);
  });
  const hull = computeConvexHull(dual);
  if (!hull.ok)
    throw new HeddleError(`The faces of a convex body bound no solid: as points of dual space they ${hull.reason}.`);
  const faces = Array.from(hull.corners, (corner) => planes[corner]);
  const { mesh } = hull;
  const groups = groupCoplanar(mesh, SAME_CORNER);
  const corners = groups.seeds.map((t) =>
    computeCorner(
      [0, 1, 2].map((k) => faces[mesh.indices[3 * t + k]]),
      centre,
    ),
  );
  const edges = mesh.edges();
  const list: ConvexEdge[] = [];
  for (let e = 0; e < edges.count; e++) {
    const [s, t] = [groups.of[edges.faces[2 * e]], groups.of[edges.faces[2 * e + 1]]];
    if (s === t) continue;
    const [a, b] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
    list.push({ a, b, start: corners[s], end: corners[t] });
  }
  return collectFacets(faces, list);
};

/** A convex edge between faces a and b; `startRunsOn`, `endRunsOn` where it ends in a valley. */
export interface ConvexEdge {
  readonly a: number;
  readonly b: number;
  readonly start: Vec3;
  readonly end: Vec3;
  readonly startRunsOn?: boolean;
  readonly endRunsOn?: boolean;
}

/** Packs faces and edges; each edge runs along nA × nB. */
export const collectFacets = (faces: readonly Plane[], edges: readonly ConvexEdge[]): FacetGeometry => {
  const edgeStart = new Float64Array(3 * edges.length);
  const edgeEnd = new Float64Array(3 * edges.length);
  const edgeRunsOn = new Uint8Array(edges.length);
  const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const [e, { a, b, start, end, startRunsOn = false, endRunsOn = false }] of edges.entries()) {
    const along = dot(
      cross(faces[a].normal, faces[b].normal),
      [0, 1, 2].map((k) => end[k] - start[k]),
    );
    edgeStart.set(along < 0 ? end : start, 3 * e);
    edgeEnd.set(along < 0 ? start : end, 3 * e);
    const [atStart, atEnd] = along < 0 ? [endRunsOn, startRunsOn] : [startRunsOn, endRunsOn];
    edgeRunsOn[e] = (atStart ? RUNS_ON_AT_START : 0) | (atEnd ? RUNS_ON_AT_END : 0);
    for (let k = 0; k < 3; k++) {
      bounds[k] = Math.min(bounds[k], start[k], end[k]);
      bounds[3 + k] = Math.max(bounds[3 + k], start[k], end[k]);
    }
  }
  return {
    faceNormal: Float64Array.from(faces.flatMap(({ normal }) => normal)),
    faceOffset: Float64Array.from(faces, ({ offset }) => offset),
    edgeStart,
    edgeEnd,
    edgeFaceA: Int32Array.from(edges, ({ a }) => a),
    edgeFaceB: Int32Array.from(edges, ({ b }) => b),
    isRound: Uint8Array.from(edges, ({ a, b }) => (faces[a].smooth && faces[b].smooth ? 1 : 0)),
    edgeRunsOn,
    bounds,
  };
};
