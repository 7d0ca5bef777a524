/**
 * The registry of shapes: one line each. `createShape` builds one from its description, which is the scene's shape
 * object, except that a mesh comes as triangles instead of a file name.
 */
import type { TriangleMesh } from '../geometry/index.ts';
import type { Vec3 } from '../math/index.ts';
import { HeddleError } from '../model/errors.ts';
import { AnimatedMeshShape, type MeshAnimation } from './animated-mesh.ts';
import { BoxShape } from './box.ts';
import { CapsuleShape } from './capsule.ts';
import { CylinderShape } from './cylinder.ts';
import { createConvexShape, MeshShape } from './mesh.ts';
import { PlaneShape } from './plane.ts';
import type { Shape, ShapeType } from './shape.ts';
import { SphereShape } from './sphere.ts';

/** Sizes in metres, in the body's own frame. */
export type ShapeDescription =
  | { readonly type: 'plane' }
  | { readonly type: 'box'; readonly size: Vec3 }
  | { readonly type: 'sphere'; readonly radius: number }
  | { readonly type: 'capsule'; readonly radius: number; readonly length: number }
  | { readonly type: 'cylinder'; readonly radius: number; readonly length: number }
  | { readonly type: 'convex'; readonly points: readonly Vec3[] }
  | { readonly type: 'mesh'; readonly mesh: TriangleMesh }
  | { readonly type: 'mesh'; readonly animation: MeshAnimation };

type DescriptionOf<T extends ShapeType> = Extract<ShapeDescription, { type: T }>;

export interface ShapeKind {
  readonly type: ShapeType;
  /** One sentence for lists and docs. */
  readonly summary: string;
  create(description: ShapeDescription): Shape;
}

const kind = <T extends ShapeType>(
  type: T,
  summary: string,
  create: (description: DescriptionOf<T>) => Shape,
): ShapeKind => ({ type, summary, create: (description) => create(description as DescriptionOf<T>) });

export const SHAPES: readonly ShapeKind[] = [
  kind('plane', 'infinite plane, normal +y, solid below', () => new PlaneShape()),
  kind('box', 'box centred at its origin, by its full sizes', ({ size }) => new BoxShape(size)),
  kind('sphere', 'sphere centred at its origin', ({ radius }) => new SphereShape(radius)),
  kind('capsule', 'capsule along y, length without the caps', ({ radius, length }) => new CapsuleShape(radius, length)),
  kind('cylinder', 'cylinder along y', ({ radius, length }) => new CylinderShape(radius, length)),
  kind('convex', 'convex hull of points', ({ points }) => createConvexShape(points)),
  kind('mesh', 'solid bounded by a closed triangle mesh, optionally animated', (shape) =>
    'animation' in shape ? new AnimatedMeshShape(shape.animation) : new MeshShape(shape.mesh),
  ),
];

export const createShape = (description: ShapeDescription): Shape => {
  const found = SHAPES.find(({ type }) => type === description.type);
  if (found) return found.create(description);
  const known = SHAPES.map(({ type }) => type).join(', ');
  throw new HeddleError(`A body's shape has the type ${JSON.stringify(description.type)}; known types are ${known}.`);
};
