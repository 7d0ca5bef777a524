/** A material point of a body that can be asked for at any time: what guides, ties and drivers ride on. */
import { rotateVec3, type Vec3 } from '../math/index.ts';
import type { Body } from './body.ts';

export interface BodyPoint {
  readonly body: Body;
  /** In the body's own frame [m]. */
  readonly local: Vec3;
}

/** The point of the body that is at `world` now. */
export const createBodyPoint = (body: Body, world: ArrayLike<number>): BodyPoint => {
  const local = new Float64Array(3);
  body.writeWorldToLocal(world, local);
  return { body, local: [local[0], local[1], local[2]] };
};

/** out := where the point is in the world: of a scripted body at `time`, of any other body in its present pose. */
export const writeBodyPoint = (point: BodyPoint, time: number, out: Float64Array): void => {
  const { body, local } = point;
  if (body.track === undefined) {
    body.writeLocalToWorld(local, out);
    return;
  }
  const x = body.track.positionAt(time);
  const r = rotateVec3(body.track.orientationAt(time), local);
  for (let k = 0; k < 3; k++) out[k] = x[k] + r[k];
};
