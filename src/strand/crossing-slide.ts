/**
 * Where the feet of a crossing are after a step. E-nodes have slid by themselves; an EIL foot goes to the place of its strand
 * that lies beside the other foot, on whichever segment that is, and off the strand's end (u = ±∞).
 * The distance kept grows towards the sum of the radii where a crossing began nearer than that.
 */
import { writeClosestSegmentSegment } from '../geometry/index.ts';
import type { Crossing, Foot } from './crossing.ts';
import type { StrandCrossings } from './crossings.ts';
import type { StrandState } from './state.ts';

/** Growth of a distance that is too small, a step, relative to the sum of the radii. */
const GROWTH = 0.02;
/** A foot beyond an end by this share of its segment has left the strand. */
const OFF = 1e-6;

/** Moves the feet of a crossing to where they are now, and turns its normal. */
export function slideFeet(crossings: StrandCrossings, crossing: Crossing): void {
  const { a, b } = crossing;
  const [A, B] = [crossings.stateOf(a), crossings.stateOf(b)];
  crossing.locate(A, B);
  const [slidesA, slidesB] = [crossings.isFree(a), crossings.isFree(b)];
  if (slidesA && slidesB) slideBoth(crossing, A, B);
  else if (slidesA) slideOne(a, A, b, crossing, 1);
  else if (slidesB) slideOne(b, B, a, crossing, -1);
  if (isOff(a, A) || isOff(b, B)) return;
  crossing.locate(A, B);
  const full = crossings.radiiOf(crossing);
  crossing.separation = Math.min(full, crossing.separation + GROWTH * full);
}

/** Whether a foot has left its strand. */
export const isOff = ({ u }: Foot, { chain: { q, count } }: StrandState): boolean =>
  !(u >= q[3] && u <= q[4 * count - 1]);

/** Walks along the strand to the foot of the other foot's place on it. */
function slideOne(foot: Foot, { chain }: StrandState, other: Foot, crossing: Crossing, sign: number): void {
  const { q, count } = chain;
  const { normal: n, separation: s } = crossing;
  const [x, y, z] = [0, 1, 2].map((k) => other.x[k] + sign * s * n[k]);
  let e = foot.node;
  let came = 0;
  for (let walked = 0; walked <= count; walked++) {
    const at = 4 * e;
    const [dx, dy, dz] = [q[at + 4] - q[at], q[at + 5] - q[at + 1], q[at + 6] - q[at + 2]];
    const t = ((x - q[at]) * dx + (y - q[at + 1]) * dy + (z - q[at + 2]) * dz) / (dx * dx + dy * dy + dz * dz);
    const way = t < 0 ? -1 : t > 1 ? 1 : 0;
    const isEnd = !chain.closed && (way < 0 ? e === 0 : e === count - 2);
    // inside, or at a corner that both segments beside it point away from
    if (way === 0 || way === -came || isEnd) {
      foot.u = q[at + 3] + (way === 0 ? t : way < 0 ? 0 : 1) * (q[at + 7] - q[at + 3]);
      if (way !== 0 && isEnd && Math.abs(t - 0.5) > 0.5 + OFF)
        foot.u = way < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      return;
    }
    e = (e + way + count - 1) % (count - 1);
    came = way;
  }
}

/** Both feet slide: the segments beside them that come nearest to each other as seen along the normal. */
function slideBoth(crossing: Crossing, A: StrandState, B: StrandState): void {
  const { a, b } = crossing;
  const x = new Float64Array(12);
  const weights = new Float64Array(4);
  let best = Number.POSITIVE_INFINITY;
  let [u, v, segment] = [a.u, b.u, a.node];
  for (let e = Math.max(0, a.node - 1); e <= Math.min(A.chain.count - 2, a.node + 1); e++)
    for (let f = Math.max(0, b.node - 1); f <= Math.min(B.chain.count - 2, b.node + 1); f++) {
      writeProjected(A.chain.q, e, crossing.normal, x, 0);
      writeProjected(B.chain.q, f, crossing.normal, x, 6);
      const square = writeClosestSegmentSegment(x, weights);
      if (!(square < best)) continue;
      best = square;
      u = mix(A, e, weights[1]);
      v = mix(B, f, weights[3]);
      segment = e;
    }
  a.u = u;
  b.u = v;
  // seen along the normal they no longer cross, and one of them ends there
  const apart = best > (OFF * lengthOf(A, segment)) ** 2;
  if (apart && isEnd(A, u)) a.u = Number.NEGATIVE_INFINITY;
  if (apart && isEnd(B, v)) b.u = Number.NEGATIVE_INFINITY;
}

const isEnd = ({ chain: { q, count, closed } }: StrandState, u: number): boolean =>
  !closed && (u <= q[3] || u >= q[4 * count - 1]);

const mix = ({ chain: { q } }: StrandState, e: number, t: number): number => (1 - t) * q[4 * e + 3] + t * q[4 * e + 7];

const lengthOf = ({ chain: { q } }: StrandState, e: number): number => q[4 * e + 7] - q[4 * e + 3];

function writeProjected(q: Float64Array, e: number, n: Float64Array, out: Float64Array, at: number): void {
  for (let i = 0; i < 2; i++) {
    const o = 4 * (e + i);
    const along = q[o] * n[0] + q[o + 1] * n[1] + q[o + 2] * n[2];
    for (let k = 0; k < 3; k++) out[at + 3 * i + k] = q[o + k] - along * n[k];
  }
}
