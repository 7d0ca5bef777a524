/**
 * Parallel-yarn contact: two yarns that cross the same yarn at u₀ < u₁ cannot pass each other.  [theory/fabric#forces-at-a-crossing; Sánchez-Banderas 2020, §4.2]
 *     δ = d − (u₁ − u₀)        d  distance at which they touch [m], the sum of their radii
 *
 *     V = k_c L δ³/(6w)                      0 < δ < w       w  smooth end [m], a part of d
 *     V = k_c L (½ δ² − ½ w δ + w²/6)        δ ≥ w           k_c [N/m²]     L  rest spacing [m], constant
 *     stencil   u₀ u₁
 *
 * Differs from ½ k_c L δ² of the source: there the stiffness jumps from 0 to k_c L where the yarns meet, which makes Newton's iterations
 * hop over it. Here it grows over w; V, V' and V'' are continuous, and for w → 0 it is the source's. The Hessian is exact and positive.
 */
import type { FabricTerm } from './term.ts';

/** w/d */
const SMOOTH_PART = 0.25;
/** Bending vector along the normal above which a yarn bends round the one it crosses (paper, §4.2). */
const BENDS_AROUND = 0.25;

export class ParallelContact implements FabricTerm {
  readonly size = 2;
  energy = 0;
  readonly gradient = new Float64Array(2);
  readonly hessian = new Float64Array(4);
  /** k_c [N/m²]. */
  stiffness: number;
  /** L [m]. */
  length: number;
  /** d [m]. */
  distance: number;

  constructor(stiffness: number, length: number, distance: number) {
    this.stiffness = stiffness;
    this.length = length;
    this.distance = distance;
  }

  set(q: ArrayLike<number>): void {
    const { gradient, hessian } = this;
    const k = this.stiffness * this.length;
    const w = SMOOTH_PART * this.distance;
    const depth = Math.max(0, this.distance - (q[1] - q[0]));
    const isSmooth = depth < w;
    this.energy = k * (isSmooth ? (depth * depth * depth) / (6 * w) : 0.5 * depth * (depth - w) + (w * w) / 6);
    const push = k * (isSmooth ? (depth * depth) / (2 * w) : depth - 0.5 * w);
    const stiffness = isSmooth ? (k * depth) / w : k;
    gradient[0] = push;
    gradient[1] = -push;
    hessian[0] = hessian[3] = stiffness;
    hessian[1] = hessian[2] = -stiffness;
  }
}

/** What the rules need to know of one of the two yarns that meet. */
export interface MeetingYarn {
  /** Whether its crossing is with another fabric, an edge or another thing outside the pattern. */
  readonly isExternal: boolean;
  /** Side of the crossed yarn that it lies on: 1 or −1 along the normal. */
  readonly side: number;
  /** Whether it bends round the crossed yarn: `bendsAround`. */
  readonly bendsAround: boolean;
}

/**
 * Whether two yarns that meet on a third may not pass. Off if (a) one of the crossings is external, or (b) they lie on different sides and
 * do not bend round the yarn; chosen: (b) needs that neither bends, because one that does is in the other's way.
 */
export function hasParallelContact(first: MeetingYarn, second: MeetingYarn): boolean {
  if (first.isExternal || second.isExternal) return false;
  return first.side === second.side || first.bendsAround || second.bendsAround;
}

/**
 * Whether a yarn bends round the one it crosses: the mean of the directions from the crossing to its two neighbours, along the unit
 * normal that points from the yarn to the crossed one, is above 0.25. `x` has nine coordinates: neighbour, crossing, neighbour.
 */
export function bendsAround(x: ArrayLike<number>, normal: ArrayLike<number>): boolean {
  let along = 0;
  for (let at = 0; at < 9; at += 6) {
    const dx = x[at] - x[3];
    const dy = x[at + 1] - x[4];
    const dz = x[at + 2] - x[5];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    along += (dx * normal[0] + dy * normal[1] + dz * normal[2]) / (2 * length);
  }
  return along > BENDS_AROUND;
}
