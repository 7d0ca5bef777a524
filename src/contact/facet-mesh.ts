/**
 * A mesh that is not convex, grown by a radius: each vertex moves so that the planes of its faces move out,
 *     min over δ of  Σ (n · δ − radius)²        n  the distinct normals of the faces at the vertex
 * which is exact for up to three faces; where more meet, δ is made longer until no plane has moved by less than the radius.
 * Only convex edges are kept, and which of their ends lie in a valley (of two faces that rise from each other). A gap narrower than twice the radius closes and the grown mesh cuts itself there: signed
 * distances are wrong in such a gap.
 */
import { TriangleMesh } from '../geometry/index.ts';
import { computeSymmetricEigen, type Vec3 } from '../math/index.ts';
import { computeGroupNormals, type Flatness, groupCoplanar, type TriangleGroups } from './facet-groups.ts';
import { type ConvexEdge, collectFacets, type FacetGeometry, type Plane } from './facet-planes.ts';

export interface MeshFacets extends FacetGeometry {
  /** The grown triangles. */
  readonly mesh: TriangleMesh;
  readonly faceOfTriangle: Int32Array;
}

/** Directions in which the normals of a vertex spread less than this (squared, relative) leave δ free: it is 0 there. */
const FLAT_SPREAD = 1e-6;
/** Bend of an edge [rad] that is no round-off. */
const LEAST_BEND = 1e-6;
/** The most by which δ is made longer. */
const LONGEST = 1.5;

const computeShift = (normals: readonly Vec3[], radius: number): Vec3 => {
  const a = new Float64Array(9);
  const b = [0, 0, 0];
  for (const n of normals) {
    for (let i = 0; i < 3; i++) {
      b[i] += radius * n[i];
      for (let j = 0; j < 3; j++) a[3 * i + j] += n[i] * n[j];
    }
  }
  const { values, vectors } = computeSymmetricEigen(a);
  const shift = [0, 0, 0];
  for (let q = 0; q < 3; q++) {
    if (!(values[q] > FLAT_SPREAD * values[2])) continue;
    const along = (vectors[q] * b[0] + vectors[3 + q] * b[1] + vectors[6 + q] * b[2]) / values[q];
    for (let k = 0; k < 3; k++) shift[k] += along * vectors[3 * k + q];
  }
  const least = Math.min(...normals.map((n) => n[0] * shift[0] + n[1] * shift[1] + n[2] * shift[2]));
  const longer = least > 0 ? Math.min(LONGEST, Math.max(1, radius / least)) : 1;
  return [longer * shift[0], longer * shift[1], longer * shift[2]];
};

const growPositions = (mesh: TriangleMesh, groups: TriangleGroups, radius: number): Float64Array => {
  const normals = computeGroupNormals(mesh, groups);
  const around = Array.from({ length: mesh.vertexCount }, () => new Set<number>());
  for (let i = 0; i < mesh.indices.length; i++) around[mesh.indices[i]].add(groups.of[Math.floor(i / 3)]);
  const grown = mesh.positions.slice();
  for (const [v, faces] of around.entries()) {
    if (faces.size === 0) continue;
    const list = Array.from(faces, (g): Vec3 => [normals[3 * g], normals[3 * g + 1], normals[3 * g + 2]]);
    const shift = computeShift(list, radius);
    for (let k = 0; k < 3; k++) grown[3 * v + k] += shift[k];
  }
  return grown;
};

/** Faces of the grown mesh: their planes lie on the outermost of their own vertices. */
const collectFaces = (mesh: TriangleMesh, groups: TriangleGroups): Plane[] => {
  const normals = computeGroupNormals(mesh, groups);
  const offsets = new Float64Array(groups.seeds.length).fill(-Infinity);
  for (let i = 0; i < mesh.indices.length; i++) {
    const g = groups.of[Math.floor(i / 3)];
    const p = mesh.vertex(mesh.indices[i]);
    offsets[g] = Math.max(offsets[g], normals[3 * g] * p[0] + normals[3 * g + 1] * p[1] + normals[3 * g + 2] * p[2]);
  }
  return Array.from(offsets, (offset, g) => ({
    normal: [normals[3 * g], normals[3 * g + 1], normals[3 * g + 2]],
    offset,
    smooth: false,
  }));
};

/** Triangles as flat as `flatness` are one face. */
export const growMesh = (mesh: TriangleMesh, radius: number, flatness: Flatness): MeshFacets => {
  const grown = new TriangleMesh(growPositions(mesh, groupCoplanar(mesh, flatness), radius), mesh.indices);
  const groups = groupCoplanar(grown, flatness);
  const faces = collectFaces(grown, groups);
  const edges = grown.edges();
  const isInValley = new Uint8Array(grown.vertexCount);
  for (let e = 0; e < edges.count; e++)
    if (edges.faces[2 * e + 1] >= 0 && edges.bend[e] < -LEAST_BEND)
      for (const v of edges.vertices.subarray(2 * e, 2 * e + 2)) isInValley[v] = 1;
  const convex: ConvexEdge[] = [];
  for (let e = 0; e < edges.count; e++) {
    const [f, g] = [edges.faces[2 * e], edges.faces[2 * e + 1]];
    if (g < 0 || groups.of[f] === groups.of[g] || !(edges.bend[e] > LEAST_BEND)) continue;
    const [v, w] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
    const [start, end] = [grown.vertex(v), grown.vertex(w)];
    const [startRunsOn, endRunsOn] = [isInValley[v] === 1, isInValley[w] === 1];
    convex.push({ a: groups.of[f], b: groups.of[g], start, end, startRunsOn, endRunsOn });
  }
  const facets = collectFacets(faces, convex);
  return { ...facets, bounds: grown.bounds(), mesh: grown, faceOfTriangle: groups.of };
};
