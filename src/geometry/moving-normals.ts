/**
 * Normals of a mesh whose vertices move, one at a time as they are asked for: of faces, of edges (mean of their two faces) and of vertices (weighted by angle).
 * The sums are those of a mesh that rests, in the same order, with the same bits.
 */
import { computeHypot3, computeSignedAngle } from '../math/index.ts';
import type { MeshEdges, TriangleMesh } from './mesh.ts';

export class MovingNormals {
  readonly #mesh: TriangleMesh;
  readonly #edges: MeshEdges;
  /** Corners of each vertex, ascending: corners[start[v] … start[v + 1]). */
  readonly #start: Int32Array;
  readonly #corners: Int32Array;
  readonly #n = new Float64Array(3);
  readonly #m = new Float64Array(3);

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
    this.#edges = mesh.edges();
    const { indices, vertexCount } = mesh;
    this.#start = new Int32Array(vertexCount + 1);
    for (let i = 0; i < indices.length; i++) this.#start[indices[i] + 1]++;
    for (let v = 0; v < vertexCount; v++) this.#start[v + 1] += this.#start[v];
    const next = this.#start.slice();
    this.#corners = new Int32Array(indices.length);
    for (let i = 0; i < indices.length; i++) this.#corners[next[indices[i]]++] = i;
  }

  /** out[o…] := unit normal of a face; zero for one without area. */
  writeFace(t: number, out: Float64Array, o: number): void {
    const { positions: x, indices } = this.#mesh;
    const a = 3 * indices[3 * t];
    const b = 3 * indices[3 * t + 1];
    const c = 3 * indices[3 * t + 2];
    const ux = x[b] - x[a];
    const uy = x[b + 1] - x[a + 1];
    const uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a];
    const vy = x[c + 1] - x[a + 1];
    const vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = computeHypot3(nx, ny, nz);
    out[o] = length > 0 ? nx / length : 0;
    out[o + 1] = length > 0 ? ny / length : 0;
    out[o + 2] = length > 0 ? nz / length : 0;
  }

  /** out[o…] := mean of the faces along an edge of a closed mesh; the first where they are folded back on each other. */
  writeEdge(e: number, out: Float64Array, o: number): void {
    const { faces } = this.#edges;
    const [n, m] = [this.#n, this.#m];
    this.writeFace(faces[2 * e], n, 0);
    this.writeFace(faces[2 * e + 1], m, 0);
    const x = n[0] + m[0];
    const y = n[1] + m[1];
    const z = n[2] + m[2];
    const length = computeHypot3(x, y, z);
    const has = length > 1e-12;
    out[o] = has ? x / length : n[0];
    out[o + 1] = has ? y / length : n[1];
    out[o + 2] = has ? z / length : n[2];
  }

  /** out[o…] := normal of a vertex, weighted by the angles of its triangles. */
  writeVertex(v: number, out: Float64Array, o: number): void {
    const { positions: x, indices } = this.#mesh;
    const n = this.#n;
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let i = this.#start[v]; i < this.#start[v + 1]; i++) {
      const corner = this.#corners[i];
      const t = Math.floor(corner / 3);
      const k = corner - 3 * t;
      const a = 3 * v;
      const b = 3 * indices[3 * t + ((k + 1) % 3)];
      const c = 3 * indices[3 * t + ((k + 2) % 3)];
      const ux = x[b] - x[a];
      const uy = x[b + 1] - x[a + 1];
      const uz = x[b + 2] - x[a + 2];
      const vx = x[c] - x[a];
      const vy = x[c + 1] - x[a + 1];
      const vz = x[c + 2] - x[a + 2];
      const cross = computeHypot3(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
      const angle = computeSignedAngle(cross, ux * vx + uy * vy + uz * vz);
      this.writeFace(t, n, 0);
      sx += angle * n[0];
      sy += angle * n[1];
      sz += angle * n[2];
    }
    const length = computeHypot3(sx, sy, sz);
    out[o] = length > 0 ? sx / length : 0;
    out[o + 1] = length > 0 ? sy / length : 0;
    out[o + 2] = length > 0 ? sz / length : 0;
  }
}
