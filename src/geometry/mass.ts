/**
 * Mass properties of a solid of density 1 bounded by a closed triangle mesh, exact for the polyhedron.
 * Each triangle (a, b, c) makes a signed tetrahedron with a reference point taken as origin, d = a · (b × c):
 *   volume d/6,   ∫ x dV = d/24 (a + b + c),   ∫ x xᵀ dV = d/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ) with s = a + b + c.
 * The reference is the mean of the vertices, which keeps the cancellation small for meshes far from the origin.
 */
import { type Mat3, mat3, type Vec3 } from '../math/index.ts';

export interface MassProperties {
  /** [m³] */
  readonly volume: number;
  /** Centre of mass [m]. */
  readonly centroid: Vec3;
  /** Inertia tensor about the centroid for density 1 [m⁵]. */
  readonly inertia: Mat3;
}

/** The inertia tensor tr(C) I − C of the second moments C = ∫ x xᵀ dV, given as xx, yy, zz, xy, xz, yz. */
const inertiaFromMoments = (c: Float64Array): Mat3 =>
  mat3(c[1] + c[2], -c[3], -c[4], -c[3], c[0] + c[2], -c[5], -c[4], -c[5], c[0] + c[1]);

/** The mesh must be closed with outward normals (`TriangleMesh.validate`); a mesh turned inside out has negative volume. */
export const computeMassProperties = (positions: Float64Array, indices: Int32Array): MassProperties => {
  const origin = [0, 0, 0];
  const vertexCount = positions.length / 3;
  for (let i = 0; i < positions.length; i += 3) for (let k = 0; k < 3; k++) origin[k] += positions[i + k] / vertexCount;
  let volume = 0;
  const first = new Float64Array(3);
  const second = new Float64Array(6);
  const x = new Float64Array(9);
  for (let t = 0; t < indices.length; t += 3) {
    for (let corner = 0; corner < 3; corner++)
      for (let k = 0; k < 3; k++) x[3 * corner + k] = positions[3 * indices[t + corner] + k] - origin[k];
    const determinant =
      x[0] * (x[4] * x[8] - x[5] * x[7]) + x[1] * (x[5] * x[6] - x[3] * x[8]) + x[2] * (x[3] * x[7] - x[4] * x[6]);
    volume += determinant / 6;
    for (let i = 0; i < 3; i++) {
      const s = x[i] + x[3 + i] + x[6 + i];
      first[i] += (determinant / 24) * s;
      second[i] += (determinant / 120) * (s * s + x[i] ** 2 + x[3 + i] ** 2 + x[6 + i] ** 2);
      // pairs (x, y), (x, z), (y, z) in places 3, 4, 5
      const p = i === 2 ? 1 : 0;
      const q = i === 0 ? 1 : 2;
      const sp = x[p] + x[3 + p] + x[6 + p];
      const sq = x[q] + x[3 + q] + x[6 + q];
      second[3 + i] += (determinant / 120) * (sp * sq + x[p] * x[q] + x[3 + p] * x[3 + q] + x[6 + p] * x[6 + q]);
    }
  }
  const c = volume === 0 ? [0, 0, 0] : [first[0] / volume, first[1] / volume, first[2] / volume];
  for (let i = 0; i < 3; i++) {
    const [p, q] = i === 0 ? [0, 1] : i === 1 ? [0, 2] : [1, 2];
    second[i] -= volume * c[i] * c[i];
    second[3 + i] -= volume * c[p] * c[q];
  }
  return {
    volume,
    centroid: [origin[0] + c[0], origin[1] + c[1], origin[2] + c[2]],
    inertia: inertiaFromMoments(second),
  };
};
