/**
 * The edges of a triangle mesh as lines, each once, of one width on the screen. For meshes that rest (bodies) and for those whose
 * vertices move or whose triangles change (sheets).
 */
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

/** Vertices of the edges of triangles, two an edge, each edge once. */
export function computeMeshEdges(indices: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  const edges: number[] = [];
  const seen = new Set<number>();
  for (let t = 0; t + 2 < indices.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const [a, b] = [indices[t + k], indices[t + ((k + 1) % 3)]];
      // below 2²⁶ vertices the pair is a whole number that a double holds
      const name = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
      if (seen.has(name)) continue;
      seen.add(name);
      edges.push(a, b);
    }
  return Uint32Array.from(edges);
}

export class MeshLines {
  readonly object: LineSegments2;
  #indices: ArrayLike<number> | undefined;
  #edges = new Uint32Array(0);

  /** `colour`: CSS colour of the lines. */
  constructor(colour: string) {
    const material = new LineMaterial({ color: colour, linewidth: 1, transparent: true, opacity: 0.4 });
    this.object = new LineSegments2(new LineSegmentsGeometry(), material);
    this.object.frustumCulled = false;
  }

  /** Shows the edges of a mesh: 3 numbers a vertex, 3 vertices a triangle. The same array of indices has the same edges. */
  set(positions: ArrayLike<number>, indices: ArrayLike<number>): void {
    if (indices !== this.#indices) this.#edges = computeMeshEdges(indices);
    this.#indices = indices;
    const points = new Float32Array(3 * this.#edges.length);
    this.#edges.forEach((vertex, i) => {
      for (let k = 0; k < 3; k++) points[3 * i + k] = positions[3 * vertex + k];
    });
    this.object.geometry.dispose();
    this.object.geometry = new LineSegmentsGeometry().setPositions(points);
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
