/**
 * Coplanar triangles of a mesh joined to flat faces: from the largest triangle on, each takes the neighbours that lie in its
 * own plane, so a gently curved surface is not swallowed step by step.
 */
import type { TriangleMesh } from '../geometry/index.ts';

export interface TriangleGroups {
  /** The group of each triangle. */
  readonly of: Int32Array;
  /** The largest triangle of each group. */
  readonly seeds: readonly number[];
}

/** Twice the area of each triangle times its normal, three numbers each. */
const computeAreaNormals = ({ positions: x, indices }: TriangleMesh): Float64Array => {
  const out = new Float64Array(indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      out[t + k] = (x[b + i] - x[a + i]) * (x[c + j] - x[a + j]) - (x[b + j] - x[a + j]) * (x[c + i] - x[a + i]);
    }
  }
  return out;
};

/** How flat a group is. */
export interface Flatness {
  /** Largest angle between a triangle's normal and the seed's [rad] … */
  readonly angle: number;
  /** … and distance of its corners from the seed's plane, relative to the mesh's size. */
  readonly distance: number;
  /** Corners so close to the plane are in it, whatever the normal: that of a sliver is round-off. */
  readonly sliver: number;
}

export const groupCoplanar = (mesh: TriangleMesh, flatness: Flatness): TriangleGroups => {
  const { positions: x, indices, triangleCount } = mesh;
  const area = computeAreaNormals(mesh);
  const length = (t: number): number => Math.sqrt(area[3 * t] ** 2 + area[3 * t + 1] ** 2 + area[3 * t + 2] ** 2);
  const sizes = Float64Array.from({ length: triangleCount }, (_, t) => length(t));
  const bounds = mesh.bounds();
  const size = Math.sqrt([0, 1, 2].reduce((sum, k) => sum + (bounds[3 + k] - bounds[k]) ** 2, 0));
  const lies = (seed: number, t: number): boolean => {
    const [nx, ny, nz] = [0, 1, 2].map((k) => area[3 * seed + k] / sizes[seed]);
    const o = 3 * indices[3 * seed];
    let height = 0;
    for (let corner = 0; corner < 3; corner++) {
      const v = 3 * indices[3 * t + corner];
      const h = nx * (x[v] - x[o]) + ny * (x[v + 1] - x[o + 1]) + nz * (x[v + 2] - x[o + 2]);
      height = Math.max(height, Math.abs(h) / size);
    }
    if (height <= flatness.sliver || height > flatness.distance) return height <= flatness.sliver;
    const [mx, my, mz] = [0, 1, 2].map((k) => area[3 * t + k]);
    const across = (ny * mz - nz * my) ** 2 + (nz * mx - nx * mz) ** 2 + (nx * my - ny * mx) ** 2;
    return across <= (flatness.angle * sizes[t]) ** 2 && nx * mx + ny * my + nz * mz > 0;
  };
  const edges = mesh.edges();
  const of = new Int32Array(triangleCount).fill(-1);
  const seeds: number[] = [];
  const order = Array.from(sizes.keys()).sort((s, t) => sizes[t] - sizes[s] || s - t);
  for (const seed of order) {
    if (of[seed] >= 0) continue;
    of[seed] = seeds.length;
    const open = [seed];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (let side = 0; side < 3; side++) {
        const e = edges.ofTriangle[3 * at + side];
        const other = edges.faces[2 * e] === at ? edges.faces[2 * e + 1] : edges.faces[2 * e];
        if (other < 0 || of[other] >= 0 || !lies(seed, other)) continue;
        of[other] = seeds.length;
        open.push(other);
      }
    }
    seeds.push(seed);
  }
  return { of, seeds };
};

/** Unit normals of the groups, weighted by area; three numbers each. */
export const computeGroupNormals = (mesh: TriangleMesh, groups: TriangleGroups): Float64Array => {
  const area = computeAreaNormals(mesh);
  const normals = new Float64Array(3 * groups.seeds.length);
  for (let t = 0; t < mesh.triangleCount; t++) {
    for (let k = 0; k < 3; k++) normals[3 * groups.of[t] + k] += area[3 * t + k];
  }
  for (let g = 0; g < normals.length; g += 3) {
    const length = Math.sqrt(normals[g] ** 2 + normals[g + 1] ** 2 + normals[g + 2] ** 2);
    for (let k = 0; k < 3; k++) normals[g + k] /= length;
  }
  return normals;
};
