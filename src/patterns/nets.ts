/** Nets of yarns put in their place, laid on one another for one fabric of several layers, and cut. */
import { ROLE_POINT, type YarnNet } from '../fabric/index.ts';
import { type Quaternion, rotateVec3, type Vec3 } from '../math/index.ts';

/** The net turned about the origin by the unit quaternion `rotation`, then moved by `position` [m]; all else is shared with it. */
export function placeNet(net: YarnNet, position: Vec3, rotation: Quaternion): YarnNet {
  const x = new Float64Array(net.x.length);
  for (let i = 0; i < x.length; i += 3) {
    const turned = rotateVec3(rotation, [net.x[i], net.x[i + 1], net.x[i + 2]]);
    for (let k = 0; k < 3; k++) x[i + k] = position[k] + turned[k];
  }
  return { ...net, x };
}

/** One net of all, the layers of each on those of the nets before; materials are indices in one list already. */
export function joinNets(nets: readonly YarnNet[]): YarnNet {
  if (nets.length === 0) throw new RangeError('joinNets: there is no fabric; give one or more.');
  const layers: Uint16Array[] = [];
  const yarns: Int32Array[] = [];
  const wraps: Int32Array[] = [];
  let [layer, yarn, node] = [0, 0, 0];
  for (const net of nets) {
    const [firstLayer, firstYarn, firstNode] = [layer, yarn, node];
    layers.push(net.yarnLayer.map((own) => own + firstLayer));
    yarns.push(net.yarn.map((own) => (own < 0 ? -1 : own + firstYarn)));
    wraps.push(net.wraps.map((own) => own + firstNode));
    layer += countLayers(net);
    yarn += net.yarnLength.length;
    node += net.role.length;
  }
  return {
    yarnLength: concatenate(nets.map((net) => net.yarnLength)),
    yarnMaterial: concatenate(nets.map((net) => net.yarnMaterial)),
    yarnLayer: concatenate(layers),
    yarnGroup: concatenate(nets.map((net) => net.yarnGroup)),
    x: concatenate(nets.map((net) => net.x)),
    yarn: concatenate(yarns),
    u: concatenate(nets.map((net) => net.u)),
    role: concatenate(nets.map((net) => net.role)),
    over: concatenate(nets.map((net) => net.over)),
    turn: concatenate(nets.map((net) => net.turn)),
    wraps: concatenate(wraps),
  };
}

/** Layers of a net: one more than the highest that a yarn has. */
function countLayers({ yarnLayer }: YarnNet): number {
  let highest = -1;
  for (const layer of yarnLayer) highest = Math.max(highest, layer);
  return highest + 1;
}

type NetArray = Float64Array | Int32Array | Uint16Array | Uint8Array | Int8Array;

function concatenate<T extends NetArray>(parts: readonly T[]): T {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const all = new (parts[0].constructor as new (length: number) => T)(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * A rectangle cut out of a flat woven net that lies in a plane of constant y: |x| ≤ width/2, |z| ≤ length/2. A yarn ends half way from its last crossing inside to what comes next, or
 * where it ended before; yarns without a crossing inside are left out. Turn the net before (`placeNet`) to cut at an angle to the yarns.
 */
export function cutNet(net: YarnNet, width: number, length: number): YarnNet {
  if (net.wraps.length > 0)
    throw new RangeError('cutNet: yarns of knits run back and forth; only woven fabrics can be cut.');
  const isInside = (i: number): boolean =>
    net.yarn[2 * i + 1] >= 0 && Math.abs(net.x[3 * i]) <= width / 2 && Math.abs(net.x[3 * i + 2]) <= length / 2;
  const kept: number[] = [];
  for (let i = 0; i < net.role.length; i++) if (isInside(i)) kept.push(i);
  if (kept.length === 0) throw new RangeError('cutNet: no crossing lies inside the rectangle; make it larger.');
  const along = sortSides(net);
  const ends: { yarn: number; u: number; x: [number, number, number] }[] = [];
  const yarns: number[] = [];
  const first: number[] = [];
  const lengths: number[] = [];
  for (const [y, sides] of along.entries()) {
    const inside = sides.map((s) => isInside(s >> 1));
    const [from, to] = [inside.indexOf(true), inside.lastIndexOf(true)];
    if (from < 0) continue;
    const cut = [findEnd(net, sides, from, -1), findEnd(net, sides, to, 1)];
    for (const end of cut) ends.push({ ...end, yarn: yarns.length });
    yarns.push(y);
    first.push(cut[0].u);
    lengths.push(cut[1].u - cut[0].u);
  }
  const renamed = new Map(yarns.map((y, k) => [y, k]));
  const nodes = kept.length + ends.length;
  const x = new Float64Array(3 * nodes);
  const yarn = new Int32Array(2 * nodes).fill(-1);
  const u = new Float64Array(2 * nodes);
  kept.forEach((i, m) => {
    x.set(net.x.subarray(3 * i, 3 * i + 3), 3 * m);
    for (let k = 0; k < 2; k++) {
      yarn[2 * m + k] = renamed.get(net.yarn[2 * i + k])!;
      u[2 * m + k] = net.u[2 * i + k] - first[yarn[2 * m + k]];
    }
  });
  ends.forEach((end, k) => {
    const m = kept.length + k;
    x.set(end.x, 3 * m);
    yarn[2 * m] = end.yarn;
    u[2 * m] = end.u - first[end.yarn];
  });
  const ofNodes = <T extends Uint8Array | Int8Array>(array: T, rest: number): T => {
    const out = new (array.constructor as new (length: number) => T)(nodes);
    kept.forEach((i, m) => {
      out[m] = array[i];
    });
    return out.fill(rest, kept.length) as T;
  };
  return {
    yarnLength: Float64Array.from(lengths),
    yarnMaterial: Uint16Array.from(yarns, (y) => net.yarnMaterial[y]),
    yarnLayer: Uint16Array.from(yarns, (y) => net.yarnLayer[y]),
    yarnGroup: Uint8Array.from(yarns, (y) => net.yarnGroup[y]),
    x,
    yarn,
    u,
    role: ofNodes(net.role, ROLE_POINT),
    over: ofNodes(net.over, 0),
    turn: ofNodes(net.turn, 0),
    wraps: new Int32Array(0),
  };
}

/** Sides of the nodes (2i + k) along each yarn. */
function sortSides({ yarn, u, yarnLength }: YarnNet): number[][] {
  const along: number[][] = Array.from(yarnLength, () => []);
  for (let s = 0; s < yarn.length; s++) if (yarn[s] >= 0) along[yarn[s]].push(s);
  for (const sides of along) sides.sort((s, t) => u[s] - u[t]);
  return along;
}

/** Where a yarn ends that is cut beyond the crossing at `at`, in the direction `step`. */
function findEnd(net: YarnNet, sides: readonly number[], at: number, step: number) {
  const [s, t] = [sides[at], sides[at + step] ?? sides[at]];
  // what comes next is its old end, or a crossing outside
  const share = net.yarn[t | 1] < 0 ? 1 : 0.5;
  const place = (k: number): number =>
    net.x[3 * (s >> 1) + k] + share * (net.x[3 * (t >> 1) + k] - net.x[3 * (s >> 1) + k]);
  return { u: net.u[s] + share * (net.u[t] - net.u[s]), x: [place(0), place(1), place(2)] as [number, number, number] };
}
