/**
 * A flat woven cloth as a net of yarns: one layer of a fabric.
 *
 *     yarns   0 … warps − 1 the warps, then the wefts
 *     nodes   crossings c = j · warps + i of `WovenYarns`, warp first and weft second; then both ends of each yarn, in the order of the yarns
 *
 * Up is the face of the cloth, along y; warps run along −z and wefts along x, so warp × weft points down: `turn` is −1 at every crossing.
 */
import { ROLE_CROSSING, ROLE_POINT, type YarnNet } from '../fabric/index.ts';
import type { WarpAndWeft, WovenYarns } from './woven-yarns.ts';

/** `yarnGroup` of warps and of wefts. */
export const GROUP_WARP = 0;
export const GROUP_WEFT = 1;

export interface WovenNetOptions {
  /** Indices of the materials of warps and wefts in `FabricOptions.materials`; 0 if not given. */
  readonly materials?: WarpAndWeft | undefined;
}

/** Crossings and ends of a woven cloth; ends are fixed in their yarn. */
export function createWovenNet(yarns: WovenYarns, options: WovenNetOptions = {}): YarnNet {
  const { warps, wefts } = yarns;
  const { materials = { warp: 0, weft: 0 } } = options;
  const yarnCount = warps + wefts;
  const crossings = warps * wefts;
  const nodes = crossings + 2 * yarnCount;
  const yarnLength = new Float64Array(yarnCount);
  yarnLength.set(yarns.warpLengths);
  yarnLength.set(yarns.weftLengths, warps);
  const x = new Float64Array(3 * nodes);
  x.set(yarns.x);
  x.set(yarns.warpEnds, 3 * crossings);
  x.set(yarns.weftEnds, 3 * (crossings + 2 * warps));
  const yarn = new Int32Array(2 * nodes).fill(-1);
  const u = new Float64Array(2 * nodes);
  const over = new Int8Array(nodes);
  for (let j = 0; j < wefts; j++)
    for (let i = 0; i < warps; i++) {
      const c = j * warps + i;
      yarn[2 * c] = i;
      yarn[2 * c + 1] = warps + j;
      u[2 * c] = yarns.u[c];
      u[2 * c + 1] = yarns.v[c];
      over[c] = yarns.over[c] === 1 ? 1 : -1;
    }
  for (let k = 0; k < yarnCount; k++) {
    const first = crossings + 2 * k;
    yarn[2 * first] = yarn[2 * first + 2] = k;
    u[2 * first + 2] = yarnLength[k];
  }
  return {
    yarnLength,
    yarnMaterial: new Uint16Array(yarnCount).fill(materials.warp, 0, warps).fill(materials.weft, warps),
    yarnLayer: new Uint16Array(yarnCount),
    yarnGroup: new Uint8Array(yarnCount).fill(GROUP_WARP, 0, warps).fill(GROUP_WEFT, warps),
    x,
    yarn,
    u,
    role: new Uint8Array(nodes).fill(ROLE_CROSSING, 0, crossings).fill(ROLE_POINT, crossings),
    over,
    turn: new Int8Array(nodes).fill(-1, 0, crossings),
    wraps: new Int32Array(0),
  };
}
