/**
 * Triangle meshes on flat arrays: edges with the faces on both sides and their bend, normals, area, solid properties,
 * and a list of what is wrong with them. Triangles are counter-clockwise seen from outside.
 *
 *   bend of an edge [rad]: the angle between the normals of its two faces, 0 where flat, > 0 convex (a ridge),
 *   < 0 concave (a valley); the dihedral angle inside the solid is π − bend.
 *
 *            c                  face 0 = (a, b, c) runs along the edge from a to b,
 *          /   \                face 1 = (b, a, d) runs along it from b to a
 *        a ----- b
 *          \   /
 *            d
 */

import type { Vec3 } from '../math/index.ts';
import { computeHypot3, computeSignedAngle } from '../math/index.ts';
import { computeMassProperties, type MassProperties } from './mass.ts';
import { findMeshFaults, type MeshFault, type ValidateOptions } from './mesh-faults.ts';

/** All edges of a mesh, one after the other; edges of three or more faces list the first two. */
export interface MeshEdges {
  readonly count: number;
  /** Two vertices an edge, in the direction in which face 0 runs along it. */
  readonly vertices: Int32Array;
  /** Two faces an edge; the second is −1 on a border. */
  readonly faces: Int32Array;
  /** How many faces meet there: 1 on a border, 2 inside, more where the mesh is not manifold. */
  readonly faceCount: Int32Array;
  /** Signed angle between the two normals [rad]; 0 on a border. */
  readonly bend: Float64Array;
  /** Three edges a triangle: from its corner 0 to 1, 1 to 2 and 2 to 0. */
  readonly ofTriangle: Int32Array;
}

/** An edge along which the surface turns by more than some angle. */
export interface SharpEdge {
  /** Index into `edges()`. */
  readonly edge: number;
  readonly vertices: readonly [number, number];
  readonly faces: readonly [number, number];
  /** Signed bend [rad]: > 0 convex, < 0 concave. */
  readonly bend: number;
  readonly convex: boolean;
  /** Unit vector from the first vertex to the second. */
  readonly tangent: Vec3;
  /** [m] */
  readonly length: number;
}

export class TriangleMesh {
  /** Three coordinates a vertex [m]. */
  readonly positions: Float64Array;
  /** Three vertices a triangle, counter-clockwise from outside. */
  readonly indices: Int32Array;
  #edges: MeshEdges | undefined;
  #faceNormals: Float64Array | undefined;
  #vertexNormals: Float64Array | undefined;
  #hasFaceNormals = false;
  #hasVertexNormals = false;
  #hasBends = false;

  /** The arrays are kept, not copied; whoever changes positions afterwards calls `takeMoved`. Indices are not checked here: see `validate`. */
  constructor(positions: Float64Array, indices: Int32Array) {
    if (positions.length % 3 !== 0 || indices.length % 3 !== 0) {
      throw new RangeError(
        `TriangleMesh: ${positions.length} coordinates and ${indices.length} indices; both must be multiples of three.`,
      );
    }
    this.positions = positions;
    this.indices = indices;
  }

  /** Takes positions that have changed: normals, and bends of edges, are those of the new ones when they are next asked for. */
  takeMoved(): void {
    this.#hasFaceNormals = this.#hasVertexNormals = this.#hasBends = false;
  }

  get vertexCount(): number {
    return this.positions.length / 3;
  }

  get triangleCount(): number {
    return this.indices.length / 3;
  }

  vertex(index: number): Vec3 {
    return [this.positions[3 * index], this.positions[3 * index + 1], this.positions[3 * index + 2]];
  }

  /** Unit normals, three numbers a triangle; zero for a triangle without area. */
  faceNormals(): Float64Array {
    this.#faceNormals ??= new Float64Array(this.indices.length);
    if (!this.#hasFaceNormals) writeFaceNormals(this, this.#faceNormals);
    this.#hasFaceNormals = true;
    return this.#faceNormals;
  }

  /** Angle-weighted unit normals, three numbers a vertex; zero for a vertex without triangles. */
  vertexNormals(): Float64Array {
    this.#vertexNormals ??= new Float64Array(this.positions.length);
    if (!this.#hasVertexNormals) writeVertexNormals(this, this.#vertexNormals);
    this.#hasVertexNormals = true;
    return this.#vertexNormals;
  }

  edges(): MeshEdges {
    this.#edges ??= computeEdges(this);
    if (!this.#hasBends) writeBends(this, this.#edges);
    this.#hasBends = true;
    return this.#edges;
  }

  /** Edges whose bend is larger than `angle` [rad] either way, in the order of `edges()`. */
  sharpEdges(angle: number): SharpEdge[] {
    const edges = this.edges();
    const sharp: SharpEdge[] = [];
    for (let e = 0; e < edges.count; e++) {
      if (edges.faceCount[e] < 2 || !(Math.abs(edges.bend[e]) > angle)) continue;
      const [a, b] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
      const [p, q] = [this.vertex(a), this.vertex(b)];
      const length = computeHypot3(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
      sharp.push({
        edge: e,
        vertices: [a, b],
        faces: [edges.faces[2 * e], edges.faces[2 * e + 1]],
        bend: edges.bend[e],
        convex: edges.bend[e] > 0,
        tangent: [(q[0] - p[0]) / length, (q[1] - p[1]) / length, (q[2] - p[2]) / length],
        length,
      });
    }
    return sharp;
  }

  /** Edges with a face on one side only, as pairs of vertices in the direction of that face. */
  borderEdges(): (readonly [number, number])[] {
    const edges = this.edges();
    const border: (readonly [number, number])[] = [];
    for (let e = 0; e < edges.count; e++) {
      if (edges.faceCount[e] === 1) border.push([edges.vertices[2 * e], edges.vertices[2 * e + 1]]);
    }
    return border;
  }

  /** Total area of the triangles [m²]. */
  area(): number {
    let area = 0;
    const normal = new Float64Array(3);
    for (let t = 0; t < this.triangleCount; t++) area += writeAreaNormal(this, t, normal) / 2;
    return area;
  }

  /** Volume, centroid and inertia tensor for density 1; the mesh must be closed. */
  massProperties(): MassProperties {
    return computeMassProperties(this.positions, this.indices);
  }

  /** Smallest box around the vertices: min x, y, z, max x, y, z [m]. */
  bounds(): Float64Array {
    const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    for (let i = 0; i < this.positions.length; i++) {
      bounds[i % 3] = Math.min(bounds[i % 3], this.positions[i]);
      bounds[3 + (i % 3)] = Math.max(bounds[3 + (i % 3)], this.positions[i]);
    }
    return bounds;
  }

  /** What is wrong with the mesh; empty when it is sound. With `closed`, borders and an inside-out mesh are faults too. */
  validate(options: ValidateOptions = {}): MeshFault[] {
    return findMeshFaults(this, options);
  }
}

/** Writes the normal of triangle t times twice its area; returns the length of it. */
const writeAreaNormal = (mesh: TriangleMesh, t: number, out: Float64Array): number => {
  const { positions: x, indices } = mesh;
  const a = 3 * indices[3 * t];
  const b = 3 * indices[3 * t + 1];
  const c = 3 * indices[3 * t + 2];
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
  return computeHypot3(out[0], out[1], out[2]);
};

const writeFaceNormals = (mesh: TriangleMesh, normals: Float64Array): void => {
  const normal = new Float64Array(3);
  for (let t = 0; t < mesh.triangleCount; t++) {
    const length = writeAreaNormal(mesh, t, normal);
    for (let k = 0; k < 3; k++) normals[3 * t + k] = length > 0 ? normal[k] / length : 0;
  }
};

const writeVertexNormals = (mesh: TriangleMesh, normals: Float64Array): void => {
  const { positions: x, indices } = mesh;
  const face = mesh.faceNormals();
  normals.fill(0);
  for (let t = 0; t < indices.length; t += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const a = 3 * indices[t + corner];
      const b = 3 * indices[t + ((corner + 1) % 3)];
      const c = 3 * indices[t + ((corner + 2) % 3)];
      const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
      const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
      const cross = computeHypot3(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
      const angle = computeSignedAngle(cross, ux * vx + uy * vy + uz * vz);
      for (let k = 0; k < 3; k++) normals[a + k] += angle * face[t + k];
    }
  }
  for (let v = 0; v < normals.length; v += 3) {
    const length = computeHypot3(normals[v], normals[v + 1], normals[v + 2]);
    if (length > 0) for (let k = 0; k < 3; k++) normals[v + k] /= length;
  }
};

const computeEdges = (mesh: TriangleMesh): MeshEdges => {
  const { indices, vertexCount } = mesh;
  const known = new Map<number, number>();
  const vertices: number[] = [];
  const faces: number[] = [];
  const faceCount: number[] = [];
  const ofTriangle = new Int32Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i];
    const b = indices[i % 3 === 2 ? i - 2 : i + 1];
    const face = Math.floor(i / 3);
    const key = Math.min(a, b) * vertexCount + Math.max(a, b);
    const edge = known.get(key);
    if (edge === undefined) {
      known.set(key, faceCount.length);
      ofTriangle[i] = faceCount.length;
      vertices.push(a, b);
      faces.push(face, -1);
      faceCount.push(1);
    } else {
      ofTriangle[i] = edge;
      if (faceCount[edge] === 1) faces[2 * edge + 1] = face;
      faceCount[edge]++;
    }
  }
  const edges = {
    count: faceCount.length,
    vertices: Int32Array.from(vertices),
    faces: Int32Array.from(faces),
    faceCount: Int32Array.from(faceCount),
    bend: new Float64Array(faceCount.length),
    ofTriangle,
  };
  return edges;
};

const writeBends = (mesh: TriangleMesh, edges: MeshEdges): void => {
  for (let e = 0; e < edges.count; e++) if (edges.faceCount[e] > 1) edges.bend[e] = computeBend(mesh, edges, e);
};

const computeBend = (mesh: TriangleMesh, edges: MeshEdges, e: number): number => {
  const n = mesh.faceNormals();
  const f = 3 * edges.faces[2 * e];
  const g = 3 * edges.faces[2 * e + 1];
  const a = 3 * edges.vertices[2 * e];
  const b = 3 * edges.vertices[2 * e + 1];
  const cx = n[f + 1] * n[g + 2] - n[f + 2] * n[g + 1];
  const cy = n[f + 2] * n[g] - n[f] * n[g + 2];
  const cz = n[f] * n[g + 1] - n[f + 1] * n[g];
  const x = mesh.positions;
  const along = cx * (x[b] - x[a]) + cy * (x[b + 1] - x[a + 1]) + cz * (x[b + 2] - x[a + 2]);
  const cosine = n[f] * n[g] + n[f + 1] * n[g + 1] + n[f + 2] * n[g + 2];
  return (along < 0 ? -1 : 1) * computeSignedAngle(computeHypot3(cx, cy, cz), cosine);
};
