/** Edges and triangles of a surface, their trees, and which triangles lie round a point or an edge. */
import { SweptTree } from '../geometry/index.ts';

/** Triangles round a point or an edge have a normal in common where theirs add up to this share of their sizes. */
const FLAT = 0.7;

export class SurfaceMesh {
  readonly pointCount: number;
  readonly triangles: SweptTree;
  readonly edges: SweptTree;
  /** Triangles of a point: #around[#first[i] … #first[i + 1]). */
  readonly #first: Int32Array;
  readonly #around: Int32Array;
  /** Triangles of an edge, by its ends. */
  readonly #trianglesOn = new Map<number, number[]>();
  /** 1 for points on the border. */
  readonly #isBorder: Uint8Array;

  constructor(pointCount: number, triangles: Int32Array, edges: Int32Array) {
    this.pointCount = pointCount;
    this.triangles = new SweptTree(triangles, 3);
    this.edges = new SweptTree(edges, 2);
    this.#first = new Int32Array(pointCount + 1);
    for (const i of triangles) this.#first[i + 1]++;
    for (let i = 0; i < pointCount; i++) this.#first[i + 1] += this.#first[i];
    this.#around = new Int32Array(triangles.length);
    const next = this.#first.slice();
    triangles.forEach((i, k) => {
      this.#around[next[i]++] = Math.floor(k / 3);
      const key = this.#edgeKey(i, triangles[k % 3 === 2 ? k - 2 : k + 1]);
      const known = this.#trianglesOn.get(key);
      if (known) known.push(Math.floor(k / 3));
      else this.#trianglesOn.set(key, [Math.floor(k / 3)]);
    });
    this.#isBorder = new Uint8Array(pointCount);
    for (const [key, { length }] of this.#trianglesOn)
      if (length === 1) this.#isBorder[key % pointCount] = this.#isBorder[Math.floor(key / pointCount)] = 1;
  }

  #edgeKey(a: number, b: number): number {
    return Math.min(a, b) * this.pointCount + Math.max(a, b);
  }

  countTrianglesAt(point: number): number {
    return this.#first[point + 1] - this.#first[point];
  }

  countTrianglesOn(a: number, b: number): number {
    return this.#trianglesOn.get(this.#edgeKey(a, b))?.length ?? 0;
  }

  /**
   * Writes the normal at a point a (b < 0) or an edge a b inside the surface; returns how flat it is there, 1 for a plane: the mean
   * cosine of its triangles' normals to it. 0 on borders and where it is too bent to have one.
   */
  writeNormal(x: Float64Array, a: number, b: number, out: Float64Array): number {
    const sum = out.fill(0);
    let size = 0;
    if (b < 0) {
      if (this.#isBorder[a]) return 0;
      for (let k = this.#first[a]; k < this.#first[a + 1]; k++) size += this.#addNormal(x, this.#around[k], sum);
    } else {
      const sides = this.#trianglesOn.get(this.#edgeKey(a, b));
      if (sides === undefined || sides.length < 2) return 0;
      for (const t of sides) size += this.#addNormal(x, t, sum);
    }
    const length = Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    if (!(length > FLAT * size)) return 0;
    for (let k = 0; k < 3; k++) sum[k] /= length;
    return length / size;
  }

  /** Adds twice the area of a triangle along its normal; returns its size. */
  #addNormal(x: Float64Array, t: number, sum: Float64Array): number {
    const { stencils } = this.triangles;
    const [a, b, c] = [3 * stencils[3 * t], 3 * stencils[3 * t + 1], 3 * stencils[3 * t + 2]];
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      const part = (x[b + m] - x[a + m]) * (x[c + n] - x[a + n]) - (x[b + n] - x[a + n]) * (x[c + m] - x[a + m]);
      sum[k] += part;
      square += part * part;
    }
    return Math.sqrt(square);
  }
}
