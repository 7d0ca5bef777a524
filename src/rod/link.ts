/**
 * Link of a rod: how often its material winds round its own centre line, in whole turns [Călugăreanu 1961; White 1969]
 *
 *     Lk = Tw/2π + Wr
 *
 *   Tw  twist of the frames against parallel transport from segment to segment [rad]: of the turn (v, w) between two frames, 2 atan2(v₃, w) is
 *       about d₃, and the rest about an axis across it
 *   Wr  writhe of the centre line, with a straight ray from each end on
 *
 * Only what turns the ends, and an end that goes round the other's ray, changes Lk. A rod that passes through itself changes it by 2.
 * Bends make no difference to it, other than to ∫ κ₃ du (`computeTwist`). Costs the square of the number of nodes.
 */

import { computeWrithe } from '../geometry/index.ts';
import { computeLength, computeSignedAngle } from '../math/index.ts';
import { BendElement } from './energy-bend.ts';
import type { RodState } from './state.ts';

/** Length of the rays, in lengths of the rod: the writhe misses that of rays without end by less than the inverse. */
const FAR = 1e4;

export interface RodLink {
  /** Turns. */
  readonly link: number;
  readonly twist: number;
  readonly writhe: number;
}

export function computeLink(state: RodState): RodLink {
  const { chain, count } = state;
  const { q } = chain;
  const points = new Float64Array(3 * (count + 2));
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) points[3 * i + 3 + k] = q[4 * i + k];
  writeRay(points, 0, 3, 6, state.restLength);
  writeRay(points, 3 * count + 3, 3 * count, 3 * count - 3, state.restLength);
  const writhe = computeWrithe(points);
  const bend = new BendElement();
  let turn = 0;
  for (let i = 1; i < count - 1; i++) {
    bend.set(state.frame, 4 * i - 4, 4 * i, 1);
    // the strain is 4 v/(1 + w)
    const [a, b, c] = bend.strain;
    const size = (a * a + b * b + c * c) / 16;
    turn += 2 * computeSignedAngle(0.5 * c, 1 - size);
  }
  const twist = turn / (2 * Math.PI);
  return { link: twist + writhe, twist, writhe };
}

/** Far point on the line from `inner` through `end`. */
function writeRay(points: Float64Array, at: number, end: number, inner: number, length: number): void {
  const d = [0, 1, 2].map((k) => points[end + k] - points[inner + k]);
  const scale = (FAR * length) / computeLength(d);
  for (let k = 0; k < 3; k++) points[at + k] = points[end + k] + scale * d[k];
}
