/** Bodies of a world as triangles, for exporters and the view. */
import { type Deformation, type Tessellation, type VertexPoses, writeVerticesAt } from '../bodies/index.ts';
import { TriangleMesh } from '../geometry/index.ts';
import type { BodyGeometry } from './recorded-run.ts';

/** Colours of bodies in turn, linear red, green, blue. */
const BODY_COLOURS = [
  [0.42, 0.44, 0.48],
  [0.55, 0.45, 0.36],
  [0.36, 0.46, 0.42],
] as const;

/** What has bodies: a world. */
export interface BodyOwner {
  readonly bodies: readonly {
    readonly id: string;
    readonly shape: {
      tessellate(): Tessellation;
      readonly deformation?: Pick<Deformation, 'tessellatePoses'> | undefined;
    };
  }[];
}

/** What a scene says of how its bodies look. */
export interface BodyLooks {
  readonly bodies: readonly { readonly id: string; readonly opacity: number }[];
}

/** Triangles of the world's bodies, each in its own frame, as its scene wants them to look. */
export function computeBodyGeometry(world: BodyOwner, scene: BodyLooks): BodyGeometry[] {
  const opacities = new Map(scene.bodies.map(({ id, opacity }) => [id, opacity]));
  return world.bodies.map(({ id, shape }, index) => {
    const colour = BODY_COLOURS[index % BODY_COLOURS.length];
    const geometry = { id, ...shape.tessellate(), colour, opacity: opacities.get(id) ?? 1 };
    return shape.deformation ? { ...geometry, poses: shape.deformation.tessellatePoses() } : geometry;
  });
}

/** Vertices and normals of a body in its own frame at a time; the same arrays at all times where it does not deform. */
export function computeBodyShape(
  { positions, normals, indices, poses }: Pick<BodyGeometry, 'positions' | 'normals' | 'indices' | 'poses'>,
  time: number,
): Pick<BodyGeometry, 'positions' | 'normals'> {
  if (poses === undefined) return { positions, normals };
  const moved = new Float64Array(positions.length);
  writeVerticesAt(poses, time, moved);
  return { positions: moved, normals: new TriangleMesh(moved, Int32Array.from(indices)).vertexNormals() };
}

/** Points by body that say how far it reaches in its own frame: its vertices, or the corners of the box that it never leaves. */
export function collectBodyVertices(
  bodies: readonly Pick<BodyGeometry, 'id' | 'positions' | 'poses'>[],
): Map<string, ArrayLike<number>> {
  return new Map(bodies.map(({ id, positions, poses }) => [id, poses ? listCorners(poses) : positions]));
}

function listCorners({ poses }: VertexPoses): Float64Array {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const pose of poses)
    for (let i = 0; i < pose.length; i++) {
      low[i % 3] = Math.min(low[i % 3], pose[i]);
      high[i % 3] = Math.max(high[i % 3], pose[i]);
    }
  return Float64Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1 ? high : low)[i % 3]);
}
