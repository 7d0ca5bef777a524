/**
 * What lies under a pointer: the nearest node of a curve or of a fabric, or particle, within reach, else the sheet or body whose surface the ray meets
 * first; and where the pointer is in the world, on the plane through a point that faces the camera.
 *   ray o + t d meets a triangle where t d − u (b − a) − v (c − a) = a − o, u, v ≥ 0, u + v ≤ 1   [Möller 1997]
 */
import { type Frame, NODE_LAGRANGIAN, type PointsFrame, type SurfaceFrame, type YarnsFrame } from 'heddle/model';
import { Matrix4, Plane, Raycaster, Vector2, Vector3 } from 'three';
import type { SceneView } from '../view.ts';

export type Point = [number, number, number];

/** A place on the screen, in CSS pixels from the upper left corner of the view. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

export type Picked =
  | {
      readonly kind: 'node';
      readonly object: number;
      readonly node: number;
      readonly point: Point;
      /** On a sheet: the material point under the pointer [m]; `node` is the nearest vertex of its triangle. */
      readonly material?: readonly [number, number];
    }
  | { readonly kind: 'body'; readonly body: string; readonly point: Point };

/** Size of the view in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The node of a curve or fabric, or the particle, nearest to the spot on the screen, not farther than `reach` pixels. */
export function pickNode(view: SceneView, frame: Frame, spot: Spot, reach: number): Picked | undefined {
  let best: Picked | undefined;
  let least = reach;
  frame.objects.forEach((curve, object) => {
    if (curve.type === 'yarns' || curve.type === 'points') {
      const node = pickFront(view, curve, spot, least);
      if (node < 0) return;
      const point: Point = [curve.x[3 * node], curve.x[3 * node + 1], curve.x[3 * node + 2]];
      const { x, y } = view.project(point);
      least = Math.hypot(x - spot.x, y - spot.y);
      best = { kind: 'node', object, node, point };
    }
    if (curve.type !== 'curve') return;
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

/** Radii of yarns, and of particles, within which one does not hide another. */
const THICKNESS = { yarns: 6, points: 3 } as const;

/**
 * The node of a fabric, or the particle, within reach that is seen: of those in front, which no others lie before by more than a few radii, the
 * nearest to the spot; −1 where there is none. There may be hundreds of thousands, so they are projected here, with one matrix.
 */
function pickFront(view: SceneView, frame: YarnsFrame | PointsFrame, spot: Spot, reach: number): number {
  const { x } = frame;
  const { camera } = view;
  const m = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  const origin = view.project(camera.getWorldDirection(new Vector3()).add(camera.position).toArray());
  const radius = frame.type === 'points' ? frame.radius : frame.radius.reduce((a, b) => Math.max(a, b), 0);
  const thickness = THICKNESS[frame.type] * radius;
  const near: { node: number; distance: number; depth: number }[] = [];
  let front = Number.POSITIVE_INFINITY;
  for (let node = 0; 3 * node < x.length; node++) {
    const [a, b, c] = [x[3 * node], x[3 * node + 1], x[3 * node + 2]];
    const depth = m[3] * a + m[7] * b + m[11] * c + m[15];
    if (!(depth > 0)) continue;
    // the middle of the picture is at 0, 0
    const dx = origin.x * (1 + (m[0] * a + m[4] * b + m[8] * c + m[12]) / depth) - spot.x;
    const dy = origin.y * (1 - (m[1] * a + m[5] * b + m[9] * c + m[13]) / depth) - spot.y;
    const distance = Math.hypot(dx, dy);
    if (distance >= reach) continue;
    near.push({ node, distance, depth });
    front = Math.min(front, depth);
  }
  let best = -1;
  let least = reach;
  for (const { node, distance, depth } of near)
    if (depth <= front + thickness && distance < least) {
      least = distance;
      best = node;
    }
  return best;
}

function castRay(view: SceneView, spot: Spot, { width, height }: Size): Raycaster {
  const caster = new Raycaster();
  caster.setFromCamera(new Vector2((2 * spot.x) / width - 1, 1 - (2 * spot.y) / height), view.camera);
  return caster;
}

/** Where a ray first meets a sheet: distance, triangle and the weights of its corners. */
function meetSheet({ x, triangles }: SurfaceFrame, o: Vector3, d: Vector3) {
  let found: { readonly t: number; readonly triangle: number; readonly weights: Point } | undefined;
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [3 * triangles[k], 3 * triangles[k + 1], 3 * triangles[k + 2]];
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    const [px, py, pz] = [d.y * vz - d.z * vy, d.z * vx - d.x * vz, d.x * vy - d.y * vx];
    const volume = ux * px + uy * py + uz * pz;
    if (volume === 0) continue;
    const [sx, sy, sz] = [o.x - x[a], o.y - x[a + 1], o.z - x[a + 2]];
    const u = (sx * px + sy * py + sz * pz) / volume;
    const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
    const v = (d.x * qx + d.y * qy + d.z * qz) / volume;
    const t = (vx * qx + vy * qy + vz * qz) / volume;
    if (!(u >= 0 && v >= 0 && u + v <= 1 && t > 0) || t >= (found?.t ?? Number.POSITIVE_INFINITY)) continue;
    found = { t, triangle: k / 3, weights: [1 - u - v, u, v] };
  }
  return found;
}

/** The sheet or body whose surface is seen at the spot. */
export function pickSurface(view: SceneView, frame: Frame, spot: Spot, size: Size): Picked | undefined {
  const caster = castRay(view, spot, size);
  const { origin, direction } = caster.ray;
  let best: Picked | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [object, sheet] of frame.objects.entries()) {
    const hit = sheet.type === 'surface' ? meetSheet(sheet, origin, direction) : undefined;
    if (sheet.type !== 'surface' || hit === undefined || hit.t >= least) continue;
    least = hit.t;
    const corners = sheet.triangles.subarray(3 * hit.triangle, 3 * hit.triangle + 3);
    const node = corners[hit.weights.indexOf(Math.max(...hit.weights))];
    const blend = (axis: number) =>
      hit.weights.reduce((sum, weight, k) => sum + weight * sheet.X[2 * corners[k] + axis], 0);
    const point: Point = [sheet.x[3 * node], sheet.x[3 * node + 1], sheet.x[3 * node + 2]];
    best = { kind: 'node', object, node, point, material: [blend(0), blend(1)] };
  }
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
