/**
 * A flat woven cloth yarn by yarn: every crossing of a warp and a weft with its place x and the material coordinates u on the
 * warp and v on the weft.
 *
 *         y up, the face                 warp i  along −z at x = i · spacing of warps, centred
 *     −z  j                              weft j  along x at z = −j · spacing of wefts, centred
 *      ↑  ┼──┼──┼                        crossing c = j · warps + i, in the plane y = 0
 *      │  ┼──┼──┼
 *      └──────→ x  i
 *
 * Length of yarn between two crossings a distance p apart: p where it stays on its side; where it changes sides, from the
 * geometry of [Peirce 1937]: arcs of radius D/2 round the crossing yarns and a straight part,
 *
 *     D = 2 (r_warp + r_weft)      h  from crest to trough of the centre line, h_warp + h_weft = D
 *     t² = p² + (D − h)² − D²      straight part; t² < 0: the yarns are jammed
 *     l  = t + D θ                 cos θ = (t p + D (D − h))/(t² + D²),  sin θ = (D p − t (D − h))/(t² + D²)
 *
 * Peirce gives t and θ implicitly; this is the inner common tangent of two circles a distance p and D − h apart. `crimp` replaces it: l = p (1 +
 * crimp) everywhere. A crimp of 0 is the cloth without thickness of [Sánchez-Banderas 2020], whose tablecloth is closer than Peirce's
 * round yarns can lie. Lengths in m.
 */
import { computeAngle } from '../math/index.ts';
import { checkPositive } from './checks.ts';
import { isWarpOver, type Weave } from './weaves.ts';

/** A number for warps and one for wefts. */
export interface WarpAndWeft {
  readonly warp: number;
  readonly weft: number;
}

export interface WovenYarnsOptions {
  readonly weave: Weave;
  /** Yarns of the cloth; repeats need not be whole. */
  readonly warps: number;
  readonly wefts: number;
  /** From warp to warp, and from weft to weft [m]. */
  readonly spacing: WarpAndWeft;
  /** Of the yarns [m]. */
  readonly radius: WarpAndWeft;
  /** Length of yarn over length of cloth, less 1; from radius and spacing if not given. */
  readonly crimp?: WarpAndWeft;
  /** Part of the crests' height that warps have, 0 (straight warps) to 1 (straight wefts); ½ if not given. */
  readonly warpShare?: number;
  /** Length of yarn beyond its last crossing [m]; half the distance to the next if not given. */
  readonly margin?: number;
}

export interface WovenYarns {
  readonly warps: number;
  readonly wefts: number;
  /** Places of the crossings, three coordinates each [m]. */
  readonly x: Float64Array;
  /** Material coordinate of each crossing on its warp [m], from the first end of the yarn. */
  readonly u: Float64Array;
  /** The same on its weft [m]. */
  readonly v: Float64Array;
  /** 1 where the warp lies over the weft. */
  readonly over: Uint8Array;
  /** Length of each warp and of each weft, end to end [m]. */
  readonly warpLengths: Float64Array;
  readonly weftLengths: Float64Array;
  /** Places of both ends of each yarn, six coordinates a yarn [m]. */
  readonly warpEnds: Float64Array;
  readonly weftEnds: Float64Array;
  /** Height of a yarn's centre line over the plane where it lies on top, ½ h [m]. */
  readonly height: WarpAndWeft;
}

/** Crossings and ends of a flat woven cloth about the origin, its face up along y. */
export function createWovenYarns(options: WovenYarnsOptions): WovenYarns {
  const { weave, warps, wefts, spacing, radius, crimp, warpShare = 0.5, margin } = options;
  check(options);
  const D = 2 * (radius.warp + radius.weft);
  const [warpCrest, weftCrest] = [warpShare * D, (1 - warpShare) * D];
  // a warp runs over wefts, so it has their spacing between its crossings
  const warpChange = crimp ? spacing.weft * (1 + crimp.warp) : computeCrimpedLength('warp', spacing.weft, D, warpCrest);
  const weftChange = crimp ? spacing.warp * (1 + crimp.weft) : computeCrimpedLength('weft', spacing.warp, D, weftCrest);
  const warpFloat = crimp ? warpChange : spacing.weft;
  const weftFloat = crimp ? weftChange : spacing.warp;
  const [warpMargin, weftMargin] = [margin ?? spacing.weft / 2, margin ?? spacing.warp / 2];
  const [halfWidth, halfLength] = [((warps - 1) * spacing.warp) / 2, ((wefts - 1) * spacing.weft) / 2];

  const count = warps * wefts;
  const x = new Float64Array(3 * count);
  const [u, v] = [new Float64Array(count), new Float64Array(count)];
  const over = new Uint8Array(count);
  for (let j = 0; j < wefts; j++)
    for (let i = 0; i < warps; i++) {
      const c = j * warps + i;
      over[c] = isWarpOver(weave, i, j) ? 1 : 0;
      x[3 * c] = i * spacing.warp - halfWidth;
      x[3 * c + 2] = halfLength - j * spacing.weft;
      u[c] = j === 0 ? warpMargin : u[c - warps] + (over[c] === over[c - warps] ? warpFloat : warpChange);
      v[c] = i === 0 ? weftMargin : v[c - 1] + (over[c] === over[c - 1] ? weftFloat : weftChange);
    }

  const warpEnds = new Float64Array(6 * warps);
  const weftEnds = new Float64Array(6 * wefts);
  for (let i = 0; i < warps; i++) {
    warpEnds[6 * i] = warpEnds[6 * i + 3] = i * spacing.warp - halfWidth;
    warpEnds[6 * i + 2] = halfLength + warpMargin;
    warpEnds[6 * i + 5] = -halfLength - warpMargin;
  }
  for (let j = 0; j < wefts; j++) {
    weftEnds[6 * j] = -halfWidth - weftMargin;
    weftEnds[6 * j + 3] = halfWidth + weftMargin;
    weftEnds[6 * j + 2] = weftEnds[6 * j + 5] = halfLength - j * spacing.weft;
  }
  return {
    warps,
    wefts,
    x,
    u,
    v,
    over,
    warpLengths: Float64Array.from({ length: warps }, (_, i) => u[count - warps + i] + warpMargin),
    weftLengths: Float64Array.from({ length: wefts }, (_, j) => v[(j + 1) * warps - 1] + weftMargin),
    warpEnds,
    weftEnds,
    height: { warp: warpCrest / 2, weft: weftCrest / 2 },
  };
}

/** l of a yarn that changes sides between two crossings a distance p apart. */
function computeCrimpedLength(yarn: 'warp' | 'weft', p: number, D: number, h: number): number {
  const drop = D - h;
  const smallest = Math.sqrt(h * (2 * D - h));
  // the jammed cloth itself is allowed: rounding must not refuse it
  if (p < smallest * (1 - 1e-12))
    throw new RangeError(
      `createWovenYarns: the ${yarn} cannot change sides between crossings ${p} m apart; round yarns of this radius need ` +
        `${smallest} m. Widen the spacing, use thinner yarns, another warpShare, or give the crimp.`,
    );
  const t = Math.sqrt(Math.max(0, p * p - smallest * smallest));
  return t + D * computeAngle(Math.max(0, D * p - t * drop), t * p + D * drop);
}

function check({ warps, wefts, spacing, radius, crimp, warpShare = 0.5, margin }: WovenYarnsOptions): void {
  for (const [name, value] of Object.entries({ warps, wefts }))
    if (!(Number.isSafeInteger(value) && value >= 1))
      throw new RangeError(`createWovenYarns: ${name} is ${value}; give a whole number, 1 or more.`);
  for (const yarn of ['warp', 'weft'] as const) {
    checkPositive('createWovenYarns', { [`spacing.${yarn}`]: spacing[yarn], [`radius.${yarn}`]: radius[yarn] });
    if (spacing[yarn] < 2 * radius[yarn])
      throw new RangeError(
        `createWovenYarns: spacing.${yarn} is ${spacing[yarn]}; yarns of radius ${radius[yarn]} side by side need ${2 * radius[yarn]}.`,
      );
    if (crimp && !(crimp[yarn] >= 0 && Number.isFinite(crimp[yarn])))
      throw new RangeError(`createWovenYarns: crimp.${yarn} is ${crimp[yarn]}; give a finite number, 0 or more.`);
  }
  if (!(warpShare >= 0 && warpShare <= 1))
    throw new RangeError(`createWovenYarns: warpShare is ${warpShare}; give a number from 0 to 1.`);
  if (margin !== undefined) checkPositive('createWovenYarns', { margin });
}
