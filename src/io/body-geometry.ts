/** Bodies of a world as triangles, for exporters and the view. */
import type { Tessellation } from '../bodies/index.ts';
import type { BodyGeometry } from './recorded-run.ts';

/** Colours of bodies in turn, linear red, green, blue. */
const BODY_COLOURS = [
  [0.42, 0.44, 0.48],
  [0.55, 0.45, 0.36],
  [0.36, 0.46, 0.42],
] as const;

/** What has bodies: a world. */
export interface BodyOwner {
  readonly bodies: readonly { readonly id: string; readonly shape: { tessellate(): Tessellation } }[];
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
    return { id, ...shape.tessellate(), colour, opacity: opacities.get(id) ?? 1 };
  });
}
