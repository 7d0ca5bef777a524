/**
 * Every shape as flat faces and convex edges, grown by a radius. Convex shapes are the half-spaces of their faces moved out:
 *     n · x ≤ h(n) + radius        h  support of the shape [m]
 * so edges are mitred and nothing of the grown shape stands out. Smooth shapes take tangent planes, about `segments` to a
 * full turn: a circumscribed polyhedron, whose edges stand off by R (1/cos(π/segments) − 1) on cylinders, R = shape + radius.
 * A mesh that is not convex keeps its triangles; its vertices move (facet-mesh.ts).
 */
import {
  type BoxShape,
  type CapsuleShape,
  type CylinderShape,
  MeshShape,
  type Shape,
  type SphereShape,
} from '../bodies/index.ts';
import type { TriangleMesh } from '../geometry/index.ts';
import { computeSineCosine, type Vec3 } from '../math/index.ts';
import { HeddleError } from '../model/index.ts';
import { computeGroupNormals, type Flatness, groupCoplanar } from './facet-groups.ts';
import { growMesh, type MeshFacets } from './facet-mesh.ts';
import { type FacetGeometry, intersectPlanes, type Plane } from './facet-planes.ts';

/** Triangles that are one face: bends below 0.06° where the face stays flat to a millionth of the size. */
const SAME_FACE: Flatness = { angle: 1e-3, distance: 1e-6, sliver: 1e-10 };
/** Relative to the size: how far a convex mesh may bulge in. */
const CONVEX_TOLERANCE = 1e-7;

export type BuiltFacets =
  | { readonly convex: true; readonly facets: FacetGeometry }
  | { readonly convex: false; readonly facets: MeshFacets };

const AXES: readonly Vec3[] = [0, 1, 2].flatMap((k): Vec3[] =>
  [1, -1].map((sign) => [k === 0 ? sign : 0, k === 1 ? sign : 0, k === 2 ? sign : 0]),
);

const buildPlane = (radius: number): FacetGeometry => ({
  faceNormal: Float64Array.of(0, 1, 0),
  faceOffset: Float64Array.of(radius),
  edgeStart: new Float64Array(0),
  edgeEnd: new Float64Array(0),
  edgeFaceA: new Int32Array(0),
  edgeFaceB: new Int32Array(0),
  isRound: new Uint8Array(0),
  bounds: Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, radius, Infinity),
});

const buildBox = ({ size }: BoxShape, radius: number): FacetGeometry => {
  const half: Vec3 = [size[0] / 2 + radius, size[1] / 2 + radius, size[2] / 2 + radius];
  const planes = AXES.map((normal, i) => ({ normal, offset: half[i >> 1], smooth: false }));
  return intersectPlanes(planes, [0, 0, 0], half);
};

/** A ring of unit normals about y at a latitude given by its sine and cosine. */
const ringNormals = (count: number, shift: number, sine: number, cosine: number): Vec3[] =>
  Array.from({ length: count }, (_, j) => {
    const [s, c] = computeSineCosine((2 * Math.PI * (j + shift)) / count);
    return [cosine * c, sine, cosine * s];
  });

const buildCylinder = (shape: CylinderShape, radius: number, segments: number): FacetGeometry => {
  const [reach, top] = [shape.radius + radius, shape.length / 2 + radius];
  const mantle = ringNormals(segments, 0, 0, 1).map((normal) => ({ normal, offset: reach, smooth: true }));
  const ends = [1, -1].map((sign) => ({ normal: [0, sign, 0] as const, offset: top, smooth: false }));
  return intersectPlanes([...mantle, ...ends], [0, 0, 0], [reach, top, reach]);
};

/** Unit normals spread over the sphere in rings about y, as far apart as those of the equator; both poles are among them. */
const sphereNormals = (segments: number): Vec3[] => {
  const quarter = Math.max(2, Math.ceil(segments / 4));
  const normals = ringNormals(segments, 0, 0, 1);
  for (let k = 1; k < quarter; k++) {
    const [sine, cosine] = computeSineCosine((Math.PI / 2) * (k / quarter));
    const count = Math.max(3, Math.ceil(segments * cosine));
    for (const sign of [1, -1]) normals.push(...ringNormals(count, (k % 2) / 2, sign * sine, cosine));
  }
  return [...normals, [0, 1, 0], [0, -1, 0]];
};

/** A capsule of the given length; a sphere is one of length 0.  h(n) = r + |n_y| l/2. */
const buildCapsule = (reach: number, length: number, segments: number): FacetGeometry => {
  const planes = sphereNormals(segments).map((normal) => ({
    normal,
    offset: reach + (Math.abs(normal[1]) * length) / 2,
    smooth: true,
  }));
  return intersectPlanes(planes, [0, 0, 0], [reach, reach + length / 2, reach]);
};

/** The planes of a convex mesh's faces, by the support of all its vertices; undefined where it is not convex. */
const findConvexPlanes = (mesh: TriangleMesh, mustBe: boolean): Plane[] | undefined => {
  const groups = groupCoplanar(mesh, SAME_FACE);
  const normals = computeGroupNormals(mesh, groups);
  const { positions: x, indices } = mesh;
  const [lx, ly, lz, hx, hy, hz] = mesh.bounds();
  const size = Math.sqrt((hx - lx) ** 2 + (hy - ly) ** 2 + (hz - lz) ** 2);
  const own = new Float64Array(groups.seeds.length).fill(-Infinity);
  const height = (g: number, v: number): number =>
    normals[3 * g] * x[v] + normals[3 * g + 1] * x[v + 1] + normals[3 * g + 2] * x[v + 2];
  for (let i = 0; i < indices.length; i++) {
    const g = groups.of[Math.floor(i / 3)];
    own[g] = Math.max(own[g], height(g, 3 * indices[i]));
  }
  const planes: Plane[] = [];
  for (let g = 0; g < own.length; g++) {
    let offset = own[g];
    for (let v = 0; v < x.length; v += 3) {
      offset = Math.max(offset, height(g, v));
      if (!mustBe && offset > own[g] + CONVEX_TOLERANCE * size) return undefined;
    }
    planes.push({ normal: [normals[3 * g], normals[3 * g + 1], normals[3 * g + 2]], offset, smooth: false });
  }
  return planes;
};

const buildMesh = (shape: MeshShape, radius: number): BuiltFacets => {
  const planes = findConvexPlanes(shape.mesh, shape.type === 'convex');
  if (!planes) return { convex: false, facets: growMesh(shape.mesh, radius, SAME_FACE) };
  const half = (k: number): number => (shape.bounds[3 + k] - shape.bounds[k]) / 2 + radius;
  const moved = planes.map((plane) => ({ ...plane, offset: plane.offset + radius }));
  return { convex: true, facets: intersectPlanes(moved, shape.mass.centroid, [half(0), half(1), half(2)]) };
};

export const buildFacets = (shape: Shape, radius: number, segments: number): BuiltFacets => {
  switch (shape.type) {
    case 'plane':
      return { convex: true, facets: buildPlane(radius) };
    case 'box':
      return { convex: true, facets: buildBox(shape as BoxShape, radius) };
    case 'cylinder':
      return { convex: true, facets: buildCylinder(shape as CylinderShape, radius, segments) };
    case 'sphere':
      return { convex: true, facets: buildCapsule((shape as SphereShape).radius + radius, 0, segments) };
    case 'capsule': {
      const capsule = shape as CapsuleShape;
      return { convex: true, facets: buildCapsule(capsule.radius + radius, capsule.length, segments) };
    }
    default:
      if (shape instanceof MeshShape) return buildMesh(shape, radius);
      throw new HeddleError(
        `A shape of type ${shape.type} has no faces and edges yet; add it to contact/facet-build.ts.`,
      );
  }
};
