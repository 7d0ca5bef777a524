/**
 * What lies under a pointer: the nearest node within reach, else the body whose surface the ray meets first; and where
 * the pointer is in the world, on the plane through a point that faces the camera.
 */
import { type Frame, NODE_LAGRANGIAN } from 'heddle/model';
import { Plane, Raycaster, Vector2, Vector3 } from 'three';
import type { SceneView } from '../view.ts';

export type Point = [number, number, number];

/** A place on the screen, in CSS pixels from the upper left corner of the view. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

export type Picked =
  | { readonly kind: 'node'; readonly object: number; readonly node: number; readonly point: Point }
  | { readonly kind: 'body'; readonly body: string; readonly point: Point };

/** Size of the view in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The node nearest to the spot on the screen, not farther than `reach` pixels. */
export function pickNode(view: SceneView, frame: Frame, spot: Spot, reach: number): Picked | undefined {
  let best: Picked | undefined;
  let least = reach;
  frame.objects.forEach((curve, object) => {
    for (let node = 0; node < curve.u.length; node++) {
      const point: Point = [curve.x[3 * node], curve.x[3 * node + 1], curve.x[3 * node + 2]];
      const { x, y } = view.project(point);
      // an E-node is held in space by what it touches; its neighbours are better to pull
      const distance = Math.hypot(x - spot.x, y - spot.y) + (curve.kind[node] === NODE_LAGRANGIAN ? 0 : 0.5 * reach);
      if (distance < least) {
        least = distance;
        best = { kind: 'node', object, node, point };
      }
    }
  });
  return best;
}

function castRay(view: SceneView, spot: Spot, { width, height }: Size): Raycaster {
  const caster = new Raycaster();
  caster.setFromCamera(new Vector2((2 * spot.x) / width - 1, 1 - (2 * spot.y) / height), view.camera);
  return caster;
}

/** The body whose surface is seen at the spot. */
export function pickBody(view: SceneView, spot: Spot, size: Size): Picked | undefined {
  const caster = castRay(view, spot, size);
  let best: Picked | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [body, mesh] of view.bodyMeshes) {
    const [hit] = caster.intersectObject(mesh, false);
    if (hit === undefined || hit.distance >= least) continue;
    least = hit.distance;
    best = { kind: 'body', body, point: hit.point.toArray() };
  }
  return best;
}

/** The world point under the spot, at the depth of `through`. */
export function computeDragPoint(view: SceneView, spot: Spot, size: Size, through: Point): Point | undefined {
  const normal = view.camera.getWorldDirection(new Vector3());
  const plane = new Plane().setFromNormalAndCoplanarPoint(normal, new Vector3(...through));
  return castRay(view, spot, size).ray.intersectPlane(plane, new Vector3())?.toArray();
}
