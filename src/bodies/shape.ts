/**
 * What every shape of a body answers, in the body's own frame (metres, y up). Shapes hold no state that a simulation must
 * save: they never change, but for those that deform, which are a function of time.
 */
import type { MassProperties } from '../geometry/index.ts';
import type { Vec3 } from '../math/index.ts';
import type { VertexPoses } from './animated-mesh.ts';

export type ShapeType = 'plane' | 'box' | 'sphere' | 'capsule' | 'cylinder' | 'convex' | 'mesh';

export interface Shape {
  readonly type: ShapeType;
  /** Volume, centroid and inertia tensor about the centroid for density 1; undefined for an infinite shape. */
  readonly mass: MassProperties | undefined;
  /** Smallest box around it, at all times: min x, y, z, max x, y, z; ±Infinity where it has no end. */
  readonly bounds: Float64Array;
  /** How its surface moves in its own frame; undefined for a shape that is rigid. */
  readonly deformation?: Deformation | undefined;
  /**
   * out := [distance, nx, ny, nz]: the signed distance of a point to the surface (< 0 inside) and its gradient, the unit
   * vector away from the body. The closest point of the surface is p − distance n. On edges and corners, and where
   * several points are closest, n is one of the possible directions, always the same. Allocates nothing.
   */
  writeSignedDistance(x: number, y: number, z: number, out: Float64Array): void;
  /** Triangles for renderers and exporters. */
  tessellate(options?: TessellateOptions): Tessellation;
  /** Edges that turn by more than `angle` [rad] (default 30°); round rims as polygons of `segments` sides. */
  sharpEdges(options?: SharpEdgeOptions): ShapeEdge[];
}

/** A surface that moves in the body's own frame as it is told to. */
export interface Deformation {
  /**
   * Puts the surface where it is at `time` [s]. Its velocities become those that lead to where it is at time + h exactly; with
   * h = 0 those from this moment on.
   */
  moveTo(time: number, h: number): void;
  /** out := velocity of the point of the surface that is closest to a point [m/s], in the body's own frame. */
  writeVelocity(x: number, y: number, z: number, out: Float64Array): void;
  /** out := smallest box around it where it is now: min x, y, z, max x, y, z. */
  writeBounds(out: Float64Array): void;
  /**
   * The last time, up to `time`, of a row of moments between which no point of the surface goes further than `way` [m]: a pose that may be held until the next. The row
   * depends on nothing else.
   */
  holdTime(time: number, way: number): number;
  /** Triangle on which the surface's point closest to the last point asked for lies, and the weights of its corners from index 1 on. */
  readonly closestTriangle: number;
  readonly closestWeights: Float64Array;
  /** out[o…] := velocity of the surface's point with weights w[at…] in a triangle [m/s], in the body's own frame. */
  writeVelocityOf(triangle: number, w: Float64Array, at: number, out: Float64Array, o: number): void;
  /** Sets the way of every vertex from one time to another, for `writeWayOf`. */
  setWay(from: number, to: number): void;
  /** out[o…] := way of the surface's point with weights w[at…] in a triangle [m], in the body's own frame. */
  writeWayOf(triangle: number, w: Float64Array, at: number, out: Float64Array, o: number): void;
  /** Speed that no point of the surface ever exceeds [m/s]. */
  readonly topSpeed: number;
  /** The vertices of `Shape.tessellate` in all poses, for pictures and exports. */
  tessellatePoses(options?: TessellateOptions): VertexPoses;
}

export interface TessellateOptions {
  /** Sides of a full turn on round shapes. Default 48, at least 3. */
  readonly segments?: number;
  /** Half the side of the square that stands for an infinite plane [m]. Default 10. */
  readonly extent?: number;
  /** Edges of hulls and meshes that turn by more than this are drawn sharp [rad]. Default 30° for meshes, 0.5° for hulls. */
  readonly sharpAngle?: number;
}

/** Counter-clockwise from outside; vertices are repeated where their normals differ. */
export interface Tessellation {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
}

export interface SharpEdgeOptions {
  readonly angle?: number;
  readonly segments?: number;
}

/** A straight piece of an edge. */
export interface ShapeEdge {
  readonly start: Vec3;
  readonly end: Vec3;
  /** Angle between the surfaces' normals [rad]: > 0 convex, < 0 concave. */
  readonly bend: number;
}

export const DEFAULT_SEGMENTS = 48;
export const DEFAULT_SHARP_ANGLE = Math.PI / 6;

/** At least a triangle. */
export const computeSegments = (segments: number | undefined): number =>
  Math.max(3, Math.round(segments ?? DEFAULT_SEGMENTS));
