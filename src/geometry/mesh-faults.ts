/**
 * What can be wrong with a triangle mesh, found all at once, each fault with the place and a sentence.
 * Sound means: finite coordinates, indices in range, triangles with area, at most two triangles an edge, neighbours
 * turned the same way. Solid (`closed`) means besides: no border, and outward normals (positive volume).
 */
import { computeHypot3, computeLength } from '../math/index.ts';
import type { TriangleMesh } from './mesh.ts';

export interface MeshFault {
  readonly kind: 'index' | 'coordinate' | 'degenerate' | 'nonManifold' | 'orientation' | 'border' | 'insideOut';
  /** The triangle concerned, or the first of them; −1 for the mesh as a whole. */
  readonly triangle: number;
  readonly message: string;
}

export interface ValidateOptions {
  /** The mesh must bound a solid. Default false. */
  readonly closed?: boolean;
}

/** Height of a triangle over its longest side, below which it counts as degenerate. */
const FLAT = 1e-12;

const findTriangleFaults = (mesh: TriangleMesh): MeshFault[] => {
  const faults: MeshFault[] = [];
  const { indices, vertexCount } = mesh;
  for (let i = 0; i < mesh.positions.length; i++) {
    if (!Number.isFinite(mesh.positions[i])) {
      const message = `vertex ${Math.floor(i / 3)} has the coordinate ${mesh.positions[i]}; all must be finite`;
      faults.push({ kind: 'coordinate', triangle: -1, message });
    }
  }
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] < 0 || indices[i] >= vertexCount) {
      const triangle = Math.floor(i / 3);
      const message = `triangle ${triangle} uses vertex ${indices[i]}; the mesh has ${vertexCount} vertices, from 0`;
      faults.push({ kind: 'index', triangle, message });
    }
  }
  return faults;
};

const isDegenerate = (mesh: TriangleMesh, t: number): boolean => {
  const [a, b, c] = [0, 1, 2].map((k) => mesh.vertex(mesh.indices[3 * t + k]));
  const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const longest = Math.max(computeLength(u), computeLength(v), computeHypot3(v[0] - u[0], v[1] - u[1], v[2] - u[2]));
  const doubleArea = computeHypot3(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  return !(doubleArea > FLAT * longest * longest);
};

const findEdgeFaults = (mesh: TriangleMesh, closed: boolean): MeshFault[] => {
  const faults: MeshFault[] = [];
  const edges = mesh.edges();
  for (let e = 0; e < edges.count; e++) {
    const [a, b] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
    const [f, g] = [edges.faces[2 * e], edges.faces[2 * e + 1]];
    const count = edges.faceCount[e];
    if (count > 2) {
      const message = `${count} triangles meet at the edge between vertices ${a} and ${b}; at most two may`;
      faults.push({ kind: 'nonManifold', triangle: f, message });
    } else if (count === 2 && runsAlong(mesh, g, a, b)) {
      const message = `triangles ${f} and ${g} have opposite orientations; neighbours must run along their common edge in opposite directions`;
      faults.push({ kind: 'orientation', triangle: g, message });
    } else if (count === 1 && closed) {
      const message = `the edge between vertices ${a} and ${b} has a triangle on one side only; a solid needs a closed mesh`;
      faults.push({ kind: 'border', triangle: f, message });
    }
  }
  return faults;
};

/** Whether triangle t runs along an edge from a to b. */
const runsAlong = (mesh: TriangleMesh, t: number, a: number, b: number): boolean => {
  for (let k = 0; k < 3; k++) {
    if (mesh.indices[3 * t + k] === a && mesh.indices[3 * t + ((k + 1) % 3)] === b) return true;
  }
  return false;
};

export const findMeshFaults = (mesh: TriangleMesh, options: ValidateOptions): MeshFault[] => {
  const faults = findTriangleFaults(mesh);
  // Edges and areas mean nothing while indices point outside.
  if (faults.length > 0) return faults;
  for (let t = 0; t < mesh.triangleCount; t++) {
    if (isDegenerate(mesh, t)) {
      faults.push({ kind: 'degenerate', triangle: t, message: `triangle ${t} has no area; remove it` });
    }
  }
  const closed = options.closed ?? false;
  faults.push(...findEdgeFaults(mesh, closed));
  if (closed && faults.length === 0) {
    const { volume } = mesh.massProperties();
    if (!(volume > 0)) {
      const message = `the mesh encloses the volume ${volume} m³; triangles must be counter-clockwise seen from outside`;
      faults.push({ kind: 'insideOut', triangle: -1, message });
    }
  }
  return faults;
};
