/**
 * A solid bounded by a closed triangle mesh; and the convex hull of points, which is one whose mesh is computed.
 * Distances by the closest triangle and pseudonormals (geometry/mesh-distance.ts). Drawn sharp along edges that turn by
 * more than the sharp angle and smooth elsewhere, the smooth normals weighted by angle.
 */
import { computeConvexHull, type MassProperties, MeshDistance, type TriangleMesh } from '../geometry/index.ts';
import type { Vec3 } from '../math/index.ts';
import { HeddleError } from '../model/errors.ts';
import {
  DEFAULT_SHARP_ANGLE,
  type Shape,
  type ShapeEdge,
  type SharpEdgeOptions,
  type TessellateOptions,
  type Tessellation,
} from './shape.ts';
import { tessellateMesh } from './tessellate-mesh.ts';

/** How many faults of a mesh an error lists. */
const LISTED_FAULTS = 3;
const HULL_DRAWN_SHARP = Math.PI / 360;

/** Throws where a mesh does not bound a solid. */
export const requireSolid = (mesh: TriangleMesh): void => {
  const faults = mesh.validate({ closed: true });
  if (mesh.triangleCount === 0) throw new HeddleError('The mesh of a body has no triangles; it must bound a solid.');
  if (faults.length === 0) return;
  const more = faults.length > LISTED_FAULTS ? ` (and ${faults.length - LISTED_FAULTS} more)` : '';
  const list = faults.slice(0, LISTED_FAULTS).map((fault) => fault.message);
  throw new HeddleError(`The mesh of a body does not bound a solid: ${list.join('; ')}${more}.`);
};

export class MeshShape implements Shape {
  readonly type: 'mesh' | 'convex';
  readonly mesh: TriangleMesh;
  readonly mass: MassProperties;
  readonly bounds: Float64Array;
  readonly #distance: MeshDistance;

  /** Throws where the mesh does not bound a solid. */
  constructor(mesh: TriangleMesh, type: 'mesh' | 'convex' = 'mesh') {
    requireSolid(mesh);
    this.type = type;
    this.mesh = mesh;
    this.mass = mesh.massProperties();
    this.bounds = mesh.bounds();
    this.#distance = new MeshDistance(mesh);
  }

  writeSignedDistance(x: number, y: number, z: number, out: Float64Array): void {
    this.#distance.writeSignedDistance(x, y, z, out);
  }

  tessellate(options: TessellateOptions = {}): Tessellation {
    const standard = this.type === 'convex' ? HULL_DRAWN_SHARP : DEFAULT_SHARP_ANGLE;
    return tessellateMesh(this.mesh, options.sharpAngle ?? standard);
  }

  sharpEdges(options: SharpEdgeOptions = {}): ShapeEdge[] {
    return listSharpEdges(this.mesh, options);
  }
}

export const listSharpEdges = (mesh: TriangleMesh, options: SharpEdgeOptions): ShapeEdge[] =>
  mesh.sharpEdges(options.angle ?? DEFAULT_SHARP_ANGLE).map(({ vertices: [a, b], bend }) => ({
    start: mesh.vertex(a),
    end: mesh.vertex(b),
    bend,
  }));

/** The convex hull of at least four points that do not lie in one plane. */
export const createConvexShape = (points: readonly Vec3[]): MeshShape => {
  const hull = computeConvexHull(points.flat());
  if (!hull.ok) throw new HeddleError(`The points of a convex body ${hull.reason}.`);
  return new MeshShape(hull.mesh, 'convex');
};
