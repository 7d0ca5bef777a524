/** Nets of yarns put in their place and laid on one another, for one fabric of several layers. */
import type { YarnNet } from '../fabric/index.ts';
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
  if (nets.length === 0) throw new RangeError('joinNets: there is no net; give one or more.');
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
