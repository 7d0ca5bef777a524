/**
 * What a hand holds, by what lasts while things move and is the same in two simulations of one scene: material of an
 * object, or a place of a body. Each simulation then has a node, or a point of the world, of its own for it.
 */
import type { BodyFrame, Frame, ObjectFrame, YarnsFrame } from 'heddle/model';
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
      /** Material coordinates of the node: u of a curve, X of a sheet, u and the yarn of a fabric [m]. */
      readonly material: readonly number[];
    }
  | {
      readonly kind: 'body';
      readonly body: string;
      /** The point that was touched, in the body's own frame [m]. */
      readonly place: Point;
    }
);

/** What stands between two yarns [m]: more than any is long. */
const FAR = 1e6;

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
  return { kind: 'node', object: object.id, label, material: readMaterial(object, picked.node), point };
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
  const place = frame?.objects.findIndex(({ id }) => id === held.object) ?? -1;
  const object = frame?.objects[place];
  const of = labels[place];
  if (of === undefined || object === undefined || of.length === 0) return undefined;
  let node = Math.max(0, of.indexOf(held.label));
  for (let n = 0; n < of.length; n++)
    if (computeWay(object, n, held.material) < computeWay(object, node, held.material)) node = n;
  return { target: { kind: 'node', object: object.id, label: of[node] }, point: held.point };
}

/** Material coordinates of a node; none for particles. */
function readMaterial(object: ObjectFrame, node: number): readonly number[] {
  if (object.type === 'curve') return [object.u[node]];
  // yarns stay the same, so a yarn of another number is far away
  if (object.type === 'yarns') return [object.u[node], FAR * findYarn(object, node)];
  return object.type === 'surface' ? [object.X[2 * node], object.X[2 * node + 1]] : [];
}

/** The yarn that a node is on, by halving. */
function findYarn({ start }: YarnsFrame, node: number): number {
  let [low, high] = [0, start.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (start[middle] <= node) low = middle;
    else high = middle;
  }
  return low;
}

/** How far a node is from a place in the material [m]. */
const computeWay = (object: ObjectFrame, node: number, material: readonly number[]): number =>
  Math.hypot(...readMaterial(object, node).map((one, k) => one - material[k]));

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
