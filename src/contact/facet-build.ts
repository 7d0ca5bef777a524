/**
 * Every shape as flat faces and convex edges, grown by a radius. Convex shapes are the half-spaces of their faces moved out:
 *     n · x ≤ h(n) + radius        h  support of the shape [m]
 * so edges are mitred and nothing of the grown shape stands out. The rims of cylinders take tangent planes, `segments` to a
 * full turn: a circumscribed prism, whose corners stand off by R (1/cos(π/segments) − 1), R = shape + radius, and so far
 * does the mantle. Mantles, and spheres and capsules all over, have neither faces nor edges (facet-round.ts). A mesh that is not convex keeps its triangles; its vertices move (facet-mesh.ts).
 */
import {
  type BoxShape,
  type CapsuleShape,
  type CylinderShape,
  MeshShape,
  type Shape,
  type SphereShape,
} from '../bodies/index.ts';
import { TriangleMesh, weldVertices } from '../geometry/index.ts';
import { computeSineCosine, type Vec3 } from '../math/index.ts';
import { HeddleError } from '../model/index.ts';
import { computeGroupNormals, type Flatness, groupCoplanar } from './facet-groups.ts';
import { growMesh, type MeshFacets } from './facet-mesh.ts';
import { type FacetGeometry, intersectPlanes, type Plane } from './facet-planes.ts';
import { RoundSolid } from './facet-round.ts';

/** Triangles that are one face: bends below 0.06° where the face stays flat to a millionth of the size. */
const SAME_FACE: Flatness = { angle: 1e-3, distance: 1e-6, sliver: 1e-10 };
/** Relative to the size: how far a convex mesh may bulge in. */
const CONVEX_TOLERANCE = 1e-7;

export type BuiltFacets =
  | { readonly convex: true; readonly facets: FacetGeometry; readonly round?: RoundSolid }
  | { readonly convex: false; readonly facets: MeshFacets; readonly round?: undefined };

const AXES: readonly Vec3[] = [0, 1, 2].flatMap((k): Vec3[] =>
  [1, -1].map((sign) => [k === 0 ? sign : 0, k === 1 ? sign : 0, k === 2 ? sign : 0]),
);

const createEmpty = (bounds: Float64Array): FacetGeometry => ({
  faceNormal: new Float64Array(0),
  faceOffset: new Float64Array(0),
  edgeStart: new Float64Array(0),
  edgeEnd: new Float64Array(0),
  edgeFaceA: new Int32Array(0),
  edgeFaceB: new Int32Array(0),
  isRound: new Uint8Array(0),
  edgeRunsOn: new Uint8Array(0),
  bounds,
});

const buildPlane = (radius: number): FacetGeometry => ({
  ...createEmpty(Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, radius, Infinity)),
  faceNormal: Float64Array.of(0, 1, 0),
  faceOffset: Float64Array.of(radius),
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

/** The prism round it, whose corners its mantle is given: so the edges of the rims are not outside that. */
const buildCylinder = (shape: CylinderShape, radius: number, segments: number): BuiltFacets => {
  const [reach, top] = [shape.radius + radius, shape.length / 2 + radius];
  const mantle = ringNormals(segments, 0, 0, 1).map((normal) => ({ normal, offset: reach, smooth: true }));
  const ends = [1, -1].map((sign) => ({ normal: [0, sign, 0] as const, offset: top, smooth: false }));
  const corner = reach / computeSineCosine(Math.PI / segments)[1];
  return {
    convex: true,
    facets: intersectPlanes([...mantle, ...ends], [0, 0, 0], [reach, top, reach]),
    round: new RoundSolid(corner, Number.POSITIVE_INFINITY, top),
  };
};

/** A capsule of the given length, or a sphere of length 0, has neither. */
const buildRound = (reach: number, length: number): BuiltFacets => {
  const top = reach + length / 2;
  return {
    convex: true,
    facets: createEmpty(Float64Array.of(-reach, -top, -reach, reach, top, reach)),
    round: new RoundSolid(reach, length / 2),
  };
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

/** A shape that has no faces and edges of its own touches with those of the triangles that show it. */
const createMeshOf = (shape: Shape, segments: number): MeshShape => {
  const { positions, indices } = shape.tessellate({ segments });
  const welded = weldVertices(positions, indices);
  return new MeshShape(new TriangleMesh(welded.positions, welded.indices));
};

export const buildFacets = (shape: Shape, radius: number, segments: number): BuiltFacets => {
  if (shape.deformation !== undefined)
    throw new HeddleError(
      'The body is animated, and contact of EoL strands, rods and sheets needs fixed faces and edges; use Lagrangian strands, fabrics or MPM objects for contact with it.',
    );
  switch (shape.type) {
    case 'plane':
      return { convex: true, facets: buildPlane(radius) };
    case 'box':
      return { convex: true, facets: buildBox(shape as BoxShape, radius) };
    case 'cylinder':
      return buildCylinder(shape as CylinderShape, radius, segments);
    case 'sphere':
      return buildRound((shape as SphereShape).radius + radius, 0);
    case 'capsule': {
      const capsule = shape as CapsuleShape;
      return buildRound(capsule.radius + radius, capsule.length);
    }
    default:
      return buildMesh(shape instanceof MeshShape ? shape : createMeshOf(shape, segments), radius);
  }
};
