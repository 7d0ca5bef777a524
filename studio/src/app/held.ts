/**
 * What a hand holds, by what lasts while things move and is the same in two simulations of one scene: material of an
 * object, or a place of a body. Each simulation then has a node, or a point of the world, of its own for it.
 */
import type { BodyFrame, Frame } from 'heddle/model';
import { Quaternion, Vector3 } from 'three';
import type { GrabTarget } from '../simulation/protocol.ts';
import type { Picked, Point } from './picking.ts';

export type Held = {
  /** Where the hand took hold, and pulls to first [m]. */
  readonly point: Point;
} & (
  | {
      readonly kind: 'node';
      readonly object: string;
      readonly label: number;
      /** Material coordinate of the node [m]. */
      readonly u: number;
    }
  | {
      readonly kind: 'body';
      readonly body: string;
      /** The point that was touched, in the body's own frame [m]. */
      readonly place: Point;
    }
);

/** A frame with the labels of its nodes, object by object. */
export interface Labelled {
  readonly frame: Frame | undefined;
  readonly labels: readonly Int32Array[];
}

/** What was picked in a view of that frame; undefined for what has no name in it. */
export function nameHeld(picked: Picked, { frame, labels }: Labelled): Held | undefined {
  const { point } = picked;
  if (picked.kind === 'body') {
    const body = findBody(frame, picked.body);
    return body && { kind: 'body', body: body.id, place: computeLocal(body, point), point };
  }
  const object = frame?.objects[picked.object];
  const label = labels[picked.object]?.[picked.node];
  if (object === undefined || label === undefined) return undefined;
  return { kind: 'node', object: object.id, label, u: object.u[picked.node], point };
}

/**
 * What to grab in another frame, and where it is: of a body the same place, of an object the node nearest along the material, of
 * equally near ones that with the same label. Undefined where there is no such thing.
 */
export function locateHeld(
  held: Held,
  { frame, labels }: Labelled,
): { readonly target: GrabTarget; readonly point: Point } | undefined {
  if (held.kind === 'body') {
    const body = findBody(frame, held.body);
    return body && { target: { kind: 'body', body: body.id }, point: computeWorld(body, held.place) };
  }
  const object = frame?.objects.findIndex(({ id }) => id === held.object) ?? -1;
  const of = labels[object];
  const u = frame?.objects[object]?.u;
  if (of === undefined || u === undefined || of.length === 0) return undefined;
  let node = Math.max(0, of.indexOf(held.label));
  for (let n = 0; n < of.length; n++) if (Math.abs(u[n] - held.u) < Math.abs(u[node] - held.u)) node = n;
  return { target: { kind: 'node', object, label: of[node] }, point: held.point };
}

const findBody = (frame: Frame | undefined, name: string): BodyFrame | undefined =>
  frame?.bodies.find(({ id }) => id === name);

const computeLocal = ({ position, orientation }: BodyFrame, point: Point): Point =>
  new Vector3(...point)
    .sub(new Vector3(...position))
    .applyQuaternion(new Quaternion(...orientation).conjugate())
    .toArray();

const computeWorld = ({ position, orientation }: BodyFrame, place: Point): Point =>
  new Vector3(...place)
    .applyQuaternion(new Quaternion(...orientation))
    .add(new Vector3(...position))
    .toArray();
