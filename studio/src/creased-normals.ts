/**
 * Normals of a triangle mesh, smooth where neighbours meet at less than a crease angle and sharp elsewhere:
 *     n at a corner of triangle t  ∥  Σ α_s n_s    over the triangles s round the vertex with  n_s·n_t > cos crease
 *   α_s  angle of triangle s at the vertex [rad]     n_s  its unit normal
 * Weighting by the angle makes the sum independent of how quads are cut into triangles: without it, poles of round bodies,
 * where triangles are slivers, look wrinkled.
 */

/** Unit normals of the corners, 9 numbers a triangle; `crease` [rad]. */
export function computeCreasedNormals(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  crease: number,
): Float32Array {
  const corners = indices.length - (indices.length % 3);
  const face = new Float64Array(corners);
  const angle = new Float64Array(corners);
  const round = new Map<number, number[]>();
  for (let t = 0; t < corners; t += 3) writeTriangle(positions, indices, t, face, angle);
  for (let c = 0; c < corners; c++) {
    const list = round.get(indices[c]);
    if (list === undefined) round.set(indices[c], [c]);
    else list.push(c);
  }
  const normals = new Float32Array(3 * corners);
  const least = Math.cos(crease);
  for (let c = 0; c < corners; c++) {
    const own = c - (c % 3);
    const sum = [0, 0, 0];
    for (const other of round.get(indices[c])!) {
      const at = other - (other % 3);
      const cosine = face[own] * face[at] + face[own + 1] * face[at + 1] + face[own + 2] * face[at + 2];
      if (at === own || cosine > least) for (let k = 0; k < 3; k++) sum[k] += angle[other] * face[at + k];
    }
    const length = Math.hypot(sum[0], sum[1], sum[2]) || 1;
    for (let k = 0; k < 3; k++) normals[3 * c + k] = sum[k] / length;
  }
  return normals;
}

/** Writes the unit normal of the triangle whose corners begin at t, and the angles at them. */
function writeTriangle(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  t: number,
  face: Float64Array,
  angle: Float64Array,
): void {
  const side = (from: number, to: number): [number, number, number] => {
    const [a, b] = [3 * indices[t + from], 3 * indices[t + to]];
    return [positions[b] - positions[a], positions[b + 1] - positions[a + 1], positions[b + 2] - positions[a + 2]];
  };
  const cross = ([a, b, c]: readonly number[], [d, e, f]: readonly number[]) =>
    [b * f - c * e, c * d - a * f, a * e - b * d] as const;
  const normal = cross(side(0, 1), side(0, 2));
  const size = Math.hypot(...normal) || 1;
  for (let k = 0; k < 3; k++) {
    face[t + k] = normal[k] / size;
    const [p, r] = [side(k, (k + 1) % 3), side(k, (k + 2) % 3)];
    angle[t + k] = Math.atan2(Math.hypot(...cross(p, r)), p[0] * r[0] + p[1] * r[1] + p[2] * r[2]);
  }
}
