/**
 * Where a straight segment of a curve touches a body, in the body's frame: across a convex edge, or beside a round body.
 *
 *     edge    n ∥ ±(e × d), outward,  the line can rest on it only where (d·n_A)(d·n_B) ≤ 0      e  edge, d  segment
 *     round   n from the axis to the point of the segment that is nearest to it
 */
import { type FacetBody, isOnEdge, type RoundSolid } from '../contact/index.ts';

/** Slack of the parameters along segment and edge, and of directions in a face's plane. */
const SLACK = 1e-9;
/** Sine of the angle below which segment and edge are parallel. */
const PARALLEL = 1e-6;
/** Steps of the search for the moment at which a segment comes to a round body. */
const MOST_ADVANCES = 200;

export interface SegmentPlace {
  /** Where on the segment, 0 … 1, and on the edge. */
  share: number;
  along: number;
  /** Outward unit normal n and n · x at the body, three numbers and one. */
  readonly plane: Float64Array;
  /** How far the segment is over the body, < 0 inside [m]. */
  gap: number;
}

export const createSegmentPlace = (): SegmentPlace => ({
  share: 0,
  along: 0,
  plane: new Float64Array(4),
  gap: 0,
});

/** Measures the segment from a to b against an edge; false where it cannot rest on it or passes beside it. */
export function measureOnEdge(
  facets: FacetBody,
  edge: number,
  a: Float64Array,
  b: Float64Array,
  out: SegmentPlace,
): boolean {
  const { edgeStart: p, edgeEnd, edgeNormalA: A, edgeNormalB: B, edgeRunsOn } = facets;
  const o = 3 * edge;
  const n = out.plane;
  let [onA, onB, square, length2, size2, side] = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const [l, m] = [(k + 1) % 3, (k + 2) % 3];
    n[k] = (edgeEnd[o + l] - p[o + l]) * (b[m] - a[m]) - (edgeEnd[o + m] - p[o + m]) * (b[l] - a[l]);
    const d = b[k] - a[k];
    onA += d * A[o + k];
    onB += d * B[o + k];
    length2 += d * d;
    size2 += (edgeEnd[o + k] - p[o + k]) ** 2;
    square += n[k] * n[k];
    side += n[k] * (A[o + k] + B[o + k]);
  }
  if (onA * onB > 0 && Math.min(Math.abs(onA), Math.abs(onB)) > SLACK * Math.sqrt(length2)) return false;
  if (!(square > PARALLEL * PARALLEL * length2 * size2)) return false;
  // a + s d and p + t e are closest:  s = (w × e)·(e × d)/‖e × d‖²,  t = (w × d)·(e × d)/‖e × d‖²,  w = a − p
  let [s, t, gap] = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const [l, m] = [(k + 1) % 3, (k + 2) % 3];
    const [wl, wm] = [a[l] - p[o + l], a[m] - p[o + m]];
    s += (wl * (edgeEnd[o + m] - p[o + m]) - wm * (edgeEnd[o + l] - p[o + l])) * n[k];
    t += (wl * (b[m] - a[m]) - wm * (b[l] - a[l])) * n[k];
    gap += (a[k] - p[o + k]) * n[k];
  }
  out.share = s / square;
  out.along = t / square;
  const scale = (side < 0 ? -1 : 1) / Math.sqrt(square);
  out.gap = gap * scale;
  if (!(out.share >= -SLACK && out.share <= 1 + SLACK)) return false;
  if (!isOnEdge(out.along, edgeRunsOn[edge], Math.sqrt(size2), -out.gap)) return false;
  out.share = Math.min(1, Math.max(0, out.share));
  n[3] = 0;
  for (let k = 0; k < 3; k++) {
    n[k] *= scale;
    n[3] += n[k] * p[o + k];
  }
  return true;
}

/** Measures the segment from a to b against a round body; false where it is nearest beyond the ends of a mantle. */
export function measureOnRound(round: RoundSolid, a: Float64Array, b: Float64Array, out: SegmentPlace): boolean {
  const s = round.findNearest(a, 0, b, 0);
  const n = out.plane;
  for (let k = 0; k < 3; k++) n[k] = a[k] + s * (b[k] - a[k]);
  if (Math.abs(n[1]) >= round.top) return false;
  out.share = s;
  out.gap = -round.computeDepth(n[0], n[1], n[2]);
  round.writePlane(n, 0, round.radius, n, 0);
  return true;
}

/**
 * When a segment whose ends move straight from a0, b0 to a1, b1 first comes nearer to a round body than its surface, by more than
 * `tolerance` [m]: 0 … 1, or −1. No point moves further than the ends do, so it may go on by the distance over that.
 */
export function findRoundEntry(
  round: RoundSolid,
  [a0, b0, a1, b1]: readonly Float64Array[],
  tolerance: number,
  at: readonly [Float64Array, Float64Array],
): number {
  let [va, vb] = [0, 0];
  for (let k = 0; k < 3; k++) {
    va += (a1[k] - a0[k]) ** 2;
    vb += (b1[k] - b0[k]) ** 2;
  }
  const way = Math.sqrt(Math.max(va, vb));
  let time = 0;
  for (let n = 0; n < MOST_ADVANCES; n++) {
    for (let k = 0; k < 3; k++) {
      at[0][k] = a0[k] + time * (a1[k] - a0[k]);
      at[1][k] = b0[k] + time * (b1[k] - b0[k]);
    }
    const depth = round.computeSegmentDepth(at[0], 0, at[1], 0);
    // one that starts inside may leave
    if (depth > tolerance) return time > 0 || round.computeSegmentDepth(a1, 0, b1, 0) > depth ? time : -1;
    if (time === 1) return -1;
    time = Math.min(1, time + Math.max(-depth, tolerance) / Math.max(way, tolerance));
  }
  return -1;
}
