/** What distance a vertex and a triangle, or two edges, of surfaces keep. */
import { type ContactPair, INNER, weightOf } from '../contact/index.ts';
import type { Surface } from './surface.ts';

/** Distance that edges of sheets keep, relative to that of vertices. */
const EDGE_REACH = 0.75;
/** Of the distance of two points in the material, what a sheet keeps from itself at most. */
const SELF_REACH = 0.5;

/** Whether the closest point is inside a triangle. */
export const isOverFace = ({ weights, isEdges }: ContactPair): boolean =>
  !isEdges && weights[1] > INNER && weights[2] > INNER && weights[3] > INNER;

/** Distance to keep where a pair starts no nearer [m]. */
export function computePairReach(surfaces: readonly Surface[], pair: ContactPair): number {
  const [a, b] = [surfaces[pair.first], surfaces[pair.second]];
  const isLazy = pair.isEdges && a.material !== undefined && b.material !== undefined;
  const reach = (isLazy ? EDGE_REACH : 1) * (a.reach + b.reach);
  return pair.first === pair.second ? Math.min(reach, computeSelfReach(a.material!, pair)) : reach;
}

function computeSelfReach(X: Float64Array, pair: ContactPair): number {
  let square = 0;
  for (let k = 0; k < 2; k++) {
    let sum = 0;
    for (let i = 0; i < 4; i++) sum += weightOf(pair, i) * X[2 * pair.points[i] + k];
    square += sum * sum;
  }
  return SELF_REACH * Math.sqrt(square);
}
