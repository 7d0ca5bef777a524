/**
 * Signed distance to a closed triangle mesh: the closest triangle through a BVH, the sign from the angle-weighted
 * pseudonormal of the closest feature [Bærentzen 2005], which is right on faces, edges and corners alike.
 *   d < 0 inside.  The closest point of the surface is p − d n.
 */
import { computeHypot3 } from '../math/index.ts';
import { Bvh } from './bvh.ts';
import { writeClosestPointTriangle } from './closest.ts';
import type { TriangleMesh } from './mesh.ts';
import { MovingNormals } from './moving-normals.ts';

/** Distance, relative to the mesh's size, below which the direction to the surface is rounding. */
const ON_SURFACE = 1e-10;
/** Weight below which the closest point counts as lying on the side, or corner, opposite. */
const ON_EDGE = 1e-9;
/** By how much more than the square of the distance to some triangle the closest is looked for, relative to it. */
const NEAR = 1e-9;

export class MeshDistance {
  readonly mesh: TriangleMesh;
  readonly #bvh: Bvh;
  readonly #boxes: Float64Array;
  readonly #edgeNormals: Float64Array;
  readonly #edgeOfSide: Int32Array;
  /** Where vertices move, normals are computed as they are asked for. */
  #moving: MovingNormals | undefined;
  readonly #onSurface: number;
  /** p and the corners of the triangle at hand. */
  readonly #x = new Float64Array(12);
  readonly #trial = new Float64Array(4);
  readonly #weights = new Float64Array(4);
  #closest = 0;
  #isOverTriangle = false;

  constructor(mesh: TriangleMesh) {
    this.mesh = mesh;
    this.#boxes = computeTriangleBoxes(mesh);
    this.#bvh = new Bvh(this.#boxes);
    this.#edgeNormals = computeEdgeNormals(mesh);
    this.#edgeOfSide = mesh.edges().ofTriangle;
    const bounds = mesh.bounds();
    this.#onSurface = ON_SURFACE * computeHypot3(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  }

  /** Takes vertices that have moved; the tree keeps its shape. What is asked afterwards does not depend on where they were. */
  takeMoved(): void {
    this.#moving ??= new MovingNormals(this.mesh);
    this.mesh.takeMoved();
    this.#bvh.refit(writeTriangleBoxes(this.mesh, this.#boxes));
  }

  readonly #visit = (triangle: number, best: number): number => {
    const { positions, indices } = this.mesh;
    const x = this.#x;
    for (let corner = 0; corner < 3; corner++) {
      const v = 3 * indices[3 * triangle + corner];
      x[3 * corner + 3] = positions[v];
      x[3 * corner + 4] = positions[v + 1];
      x[3 * corner + 5] = positions[v + 2];
    }
    const square = writeClosestPointTriangle(x, this.#trial);
    if (!(square < best)) return best;
    this.#weights.set(this.#trial);
    this.#closest = triangle;
    return square;
  };

  /** Triangle of the last point asked for that lies closest. */
  get closestTriangle(): number {
    return this.#closest;
  }

  /** Whether it lies right over or under that triangle, not its edges or corners. */
  get isOverTriangle(): boolean {
    return this.#isOverTriangle;
  }

  /** Box around the mesh where it is now: min x, y, z, max x, y, z. */
  get bounds(): Float64Array {
    return this.#bvh.bounds;
  }

  /** Weights of the corners of that triangle at the surface's closest point, from index 1 on; overwritten by the next question. */
  get closestWeights(): Float64Array {
    return this.#weights;
  }

  /** out := [distance, nx, ny, nz], n the unit gradient of the distance. */
  writeSignedDistance(px: number, py: number, pz: number, out: Float64Array): void {
    const x = this.#x;
    x[0] = px;
    x[1] = py;
    x[2] = pz;
    // the triangle of the point before is as a rule near: what is further cannot be the closest, and which is found does not depend on it
    const bound = Math.max(this.#visit(this.#closest, Infinity) * (1 + NEAR), Number.MIN_VALUE);
    this.#bvh.queryClosest(px, py, pz, bound, this.#visit);
    this.#visit(this.#closest, Infinity);
    const w = this.#weights;
    const dx = px - w[1] * x[3] - w[2] * x[6] - w[3] * x[9];
    const dy = py - w[1] * x[4] - w[2] * x[7] - w[3] * x[10];
    const dz = pz - w[1] * x[5] - w[2] * x[8] - w[3] * x[11];
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const onFace = this.#writeFeatureNormal(out);
    this.#isOverTriangle = onFace;
    const along = dx * out[1] + dy * out[2] + dz * out[3];
    if (onFace || distance <= this.#onSurface) {
      out[0] = along;
      return;
    }
    const signed = along < 0 ? -distance : distance;
    out[0] = signed;
    out[1] = dx / signed;
    out[2] = dy / signed;
    out[3] = dz / signed;
  }

  /** out[1…3] := pseudonormal of the face, edge or corner on which the closest point lies; true for a face. */
  #writeFeatureNormal(out: Float64Array): boolean {
    const t = this.#closest;
    const w = this.#weights;
    let zeros = 0;
    let zero = -1;
    let whole = 0;
    for (let corner = 0; corner < 3; corner++) {
      if (w[1 + corner] <= ON_EDGE) {
        zeros++;
        zero = corner;
      } else {
        whole = corner;
      }
    }
    const vertex = this.mesh.indices[3 * t + whole];
    // The side opposite corner k runs from corner k + 1.
    const edge = zeros === 1 ? this.#edgeOfSide[3 * t + ((zero + 1) % 3)] : -1;
    if (this.#moving !== undefined) {
      if (zeros === 2) this.#moving.writeVertex(vertex, out, 1);
      else if (zeros === 1) this.#moving.writeEdge(edge, out, 1);
      else this.#moving.writeFace(t, out, 1);
      return zeros === 0;
    }
    let normals = this.mesh.faceNormals();
    let o = 3 * t;
    if (zeros === 2) {
      normals = this.mesh.vertexNormals();
      o = 3 * vertex;
    } else if (zeros === 1) {
      normals = this.#edgeNormals;
      o = 3 * edge;
    }
    out[1] = normals[o];
    out[2] = normals[o + 1];
    out[3] = normals[o + 2];
    return zeros === 0;
  }
}

/** Boxes of the triangles, six numbers each, for a `Bvh`. */
export const computeTriangleBoxes = (mesh: TriangleMesh): Float64Array =>
  writeTriangleBoxes(mesh, new Float64Array(6 * mesh.triangleCount));

const writeTriangleBoxes = (mesh: TriangleMesh, boxes: Float64Array): Float64Array => {
  const { positions: x, indices } = mesh;
  for (let t = 0; t < mesh.triangleCount; t++) {
    for (let k = 0; k < 3; k++) {
      const a = x[3 * indices[3 * t] + k];
      const b = x[3 * indices[3 * t + 1] + k];
      const c = x[3 * indices[3 * t + 2] + k];
      boxes[6 * t + k] = Math.min(a, b, c);
      boxes[6 * t + 3 + k] = Math.max(a, b, c);
    }
  }
  return boxes;
};

const computeEdgeNormals = (mesh: TriangleMesh): Float64Array => {
  const edges = mesh.edges();
  const normals = new Float64Array(3 * edges.count);
  const face = mesh.faceNormals();
  for (let e = 0; e < edges.count; e++) {
    const f = 3 * edges.faces[2 * e];
    const g = 3 * edges.faces[2 * e + 1];
    const x = face[f] + (g < 0 ? 0 : face[g]);
    const y = face[f + 1] + (g < 0 ? 0 : face[g + 1]);
    const z = face[f + 2] + (g < 0 ? 0 : face[g + 2]);
    const length = computeHypot3(x, y, z);
    // Faces folded back on each other have no mean direction: take the first.
    const has = length > 1e-12;
    normals[3 * e] = has ? x / length : face[f];
    normals[3 * e + 1] = has ? y / length : face[f + 1];
    normals[3 * e + 2] = has ? z / length : face[f + 2];
  }
  return normals;
};
