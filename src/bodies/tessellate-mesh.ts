/**
 * Triangles of a mesh for drawing: corners of neighbouring triangles share a vertex unless the edge between them is
 * sharp. Corners are joined across smooth edges (union–find); each group becomes one vertex with an angle-weighted normal.
 */

import type { TriangleMesh } from '../geometry/index.ts';
import { computeHypot3, computeSignedAngle } from '../math/index.ts';
import type { Tessellation } from './shape.ts';

/** Group number of every corner (3 per triangle), numbered in order of first appearance. */
const groupCorners = (mesh: TriangleMesh, sharpAngle: number): { group: Int32Array; count: number } => {
  const parent = Int32Array.from(mesh.indices, (_, corner) => corner);
  const find = (corner: number): number => {
    while (parent[corner] !== corner) {
      parent[corner] = parent[parent[corner]];
      corner = parent[corner];
    }
    return corner;
  };
  const edges = mesh.edges();
  const cornerAt = (face: number, vertex: number): number =>
    3 * face + [0, 1, 2].findIndex((k) => mesh.indices[3 * face + k] === vertex);
  for (let e = 0; e < edges.count; e++) {
    if (edges.faceCount[e] !== 2 || Math.abs(edges.bend[e]) > sharpAngle) continue;
    for (const vertex of [edges.vertices[2 * e], edges.vertices[2 * e + 1]]) {
      parent[find(cornerAt(edges.faces[2 * e], vertex))] = find(cornerAt(edges.faces[2 * e + 1], vertex));
    }
  }
  const numbers = new Map<number, number>();
  const group = parent.map((_, corner) => {
    const root = find(corner);
    if (!numbers.has(root)) numbers.set(root, numbers.size);
    return numbers.get(root)!;
  });
  return { group, count: numbers.size };
};

/** The vertex of the mesh that each vertex of its tessellation is. */
export const listGroupVertices = (mesh: TriangleMesh, sharpAngle: number): Int32Array => {
  const { group, count } = groupCorners(mesh, sharpAngle);
  const vertices = new Int32Array(count);
  for (let corner = 0; corner < group.length; corner++) vertices[group[corner]] = mesh.indices[corner];
  return vertices;
};

/** The angle of a triangle at its corner k. */
const angleAt = (mesh: TriangleMesh, triangle: number, k: number): number => {
  const corner = (i: number): readonly number[] => mesh.vertex(mesh.indices[3 * triangle + ((k + i) % 3)]);
  const [p, q, r] = [corner(0), corner(1), corner(2)];
  const u = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const v = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
  const cross = computeHypot3(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  return computeSignedAngle(cross, u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
};

/** `rest`: the mesh whose edges say which corners share a vertex, where that is to stay while the mesh moves. */
export const tessellateMesh = (mesh: TriangleMesh, sharpAngle: number, rest: TriangleMesh = mesh): Tessellation => {
  const { group, count } = groupCorners(rest, sharpAngle);
  const positions = new Float32Array(3 * count);
  const sums = new Float64Array(3 * count);
  const faceNormals = mesh.faceNormals();
  for (let corner = 0; corner < group.length; corner++) {
    const triangle = Math.floor(corner / 3);
    const angle = angleAt(mesh, triangle, corner % 3);
    for (let k = 0; k < 3; k++) {
      positions[3 * group[corner] + k] = mesh.positions[3 * mesh.indices[corner] + k];
      sums[3 * group[corner] + k] += angle * faceNormals[3 * triangle + k];
    }
  }
  const normals = new Float32Array(3 * count);
  for (let v = 0; v < 3 * count; v += 3) {
    const length = computeHypot3(sums[v], sums[v + 1], sums[v + 2]) || 1;
    for (let k = 0; k < 3; k++) normals[v + k] = sums[v + k] / length;
  }
  return { positions, normals, indices: Uint32Array.from(group) };
};
