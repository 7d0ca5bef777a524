/**
 * Where the camera stands when the scene does not say: it looks from the front, a little from above and from the side,
 * and just far enough away that every corner of the box lies inside the picture with a margin.
 */
import type { Box, FrameLimits } from 'heddle/model';
import { Box3, type PerspectiveCamera, Vector3 } from 'three';
import type { ViewSettings } from './scene.ts';

const FIELD_OF_VIEW = 28;
/** Part of the half picture that the box fills. */
const FILL = 0.88;

const toBox3 = (box: Box): Box3 => new Box3(new Vector3(...box.low), new Vector3(...box.high));

/** The box to look at: all curves, and bodies as far as they are near the curves (a table may be huge). */
export function computeSubject(limits: FrameLimits): Box3 {
  const curves = toBox3(limits.objects);
  const bodies = toBox3(limits.bodies);
  if (curves.isEmpty()) return bodies.isEmpty() ? new Box3(new Vector3(-1, 0, -1), new Vector3(1, 1, 1)) : bodies;
  if (bodies.isEmpty()) return curves;
  const near = curves.clone().expandByScalar(0.35 * curves.getSize(new Vector3()).length());
  const clipped = bodies.intersect(near);
  return clipped.isEmpty() ? curves : curves.union(clipped);
}

function corners(box: Box3): Vector3[] {
  const { min, max } = box;
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (i) => new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
  );
}

/** Moves the camera so that the box fills the picture; `aspect` must be set before. */
function fitCamera(camera: PerspectiveCamera, box: Box3): Vector3 {
  const size = box.getSize(new Vector3());
  const direction = size.x >= size.z ? new Vector3(0.5, 0.36, 1) : new Vector3(1, 0.36, 0.5);
  direction.normalize();
  const right = new Vector3(0, 1, 0).cross(direction).normalize();
  const up = direction.clone().cross(right);
  const tanY = FILL * Math.tan((camera.fov * Math.PI) / 360);
  const tanX = tanY * camera.aspect;
  const points = corners(box);
  const target = box.getCenter(new Vector3());
  let distance = 0;
  // the perspective centre of the box is not its middle: shift, measure again
  for (let round = 0; round < 8; round++) {
    distance = Math.max(camera.near, 1e-6);
    for (const point of points) {
      const p = point.clone().sub(target);
      const depth = p.dot(direction);
      distance = Math.max(distance, depth + Math.abs(p.dot(right)) / tanX, depth + Math.abs(p.dot(up)) / tanY);
    }
    let [left, rightmost, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const point of points) {
      const p = point.clone().sub(target);
      const depth = distance - p.dot(direction);
      left = Math.min(left, p.dot(right) / depth);
      rightmost = Math.max(rightmost, p.dot(right) / depth);
      bottom = Math.min(bottom, p.dot(up) / depth);
      top = Math.max(top, p.dot(up) / depth);
    }
    target.addScaledVector(right, ((left + rightmost) / 2) * distance);
    target.addScaledVector(up, ((bottom + top) / 2) * distance);
  }
  camera.position.copy(target).addScaledVector(direction, distance);
  return target;
}

/** Places the camera by the scene's settings or around the subject, and returns the point it looks at. */
export function placeCamera(camera: PerspectiveCamera, settings: ViewSettings, subject: Box3): Vector3 {
  camera.fov = settings.camera?.fieldOfView ?? FIELD_OF_VIEW;
  let target: Vector3;
  if (settings.camera !== undefined) {
    camera.position.set(...settings.camera.position);
    target = new Vector3(...settings.camera.target);
  } else {
    target = fitCamera(camera, subject);
  }
  camera.lookAt(target);
  setDepths(camera, subject, target);
  camera.updateMatrixWorld();
  return target;
}

/** Sets the nearest and farthest depth that is drawn, by what there is to see. */
export function setDepths(camera: PerspectiveCamera, subject: Box3, target: Vector3): void {
  const reach = subject.getSize(new Vector3()).length() + camera.position.distanceTo(target);
  camera.near = 0.002 * reach;
  camera.far = 60 * reach;
  camera.updateProjectionMatrix();
}
