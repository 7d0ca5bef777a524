/**
 * Joins vertices at exactly the same place, as files split them for normals and textures, so that a solid becomes a closed
 * mesh again. Vertices that no triangle uses and triangles whose corners fall together are left out.
 */
export interface WeldedMesh {
  readonly positions: Float64Array;
  readonly indices: Int32Array;
  /** For each triangle kept, which of the given ones it was. */
  readonly triangles: Int32Array;
}

export const weldVertices = (positions: ArrayLike<number>, indices: ArrayLike<number>): WeldedMesh => {
  const known = new Map<string, number>();
  const place = new Map<number, number>();
  const points: number[] = [];
  const weld = (vertex: number): number => {
    const seen = place.get(vertex);
    if (seen !== undefined) return seen;
    // + 0 makes −0 and 0 the same key
    const [x, y, z] = [positions[3 * vertex] + 0, positions[3 * vertex + 1] + 0, positions[3 * vertex + 2] + 0];
    const key = `${x},${y},${z}`;
    let index = known.get(key);
    if (index === undefined) {
      index = known.size;
      known.set(key, index);
      points.push(x, y, z);
    }
    place.set(vertex, index);
    return index;
  };
  const kept: number[] = [];
  const triangles: number[] = [];
  for (let t = 0; t < indices.length / 3; t++) {
    const a = weld(indices[3 * t]);
    const b = weld(indices[3 * t + 1]);
    const c = weld(indices[3 * t + 2]);
    if (a === b || b === c || c === a) continue;
    kept.push(a, b, c);
    triangles.push(t);
  }
  return {
    positions: Float64Array.from(points),
    indices: Int32Array.from(kept),
    triangles: Int32Array.from(triangles),
  };
};
