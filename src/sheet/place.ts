/** Places in the material of a sheet: which triangle a point lies in, which vertices a region has. */
import { computeHypot2 } from '../math/index.ts';
import { type SheetState, STRIDE } from './state.ts';

/** Two material coordinates [m]. */
export type MaterialPoint = readonly [number, number];

/** Vertices of a sheet: the nearest to a point, all in a box of material space, or some by their labels. */
export type SheetRegion =
  | { readonly at: MaterialPoint }
  | { readonly box: readonly [MaterialPoint, MaterialPoint] }
  | { readonly labels: readonly number[] };

/** A vertex nearer to a box than this share of the sheet's size is in it. */
const SAME_PLACE = 1e-6;

/** Width and height of the material, as the diagonal of its bounding box [m]. */
export function computeExtent({ q, count }: SheetState): number {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 2; k++) {
      low[k] = Math.min(low[k], q[STRIDE * i + 3 + k]);
      high[k] = Math.max(high[k], q[STRIDE * i + 3 + k]);
    }
  return computeHypot2(high[0] - low[0], high[1] - low[1]);
}

/** The vertices of a region now, by index, in increasing order. */
export function listRegion(state: SheetState, region: SheetRegion): number[] {
  if ('labels' in region) return region.labels.map((label) => state.indexOf(label)).filter((i) => i >= 0);
  if ('at' in region) return [findNearestVertex(state, region.at)];
  const { q, count } = state;
  const slack = SAME_PLACE * computeExtent(state);
  const [a, b] = region.box;
  const isBetween = (value: number, k: 0 | 1): boolean =>
    value >= Math.min(a[k], b[k]) - slack && value <= Math.max(a[k], b[k]) + slack;
  const found: number[] = [];
  for (let i = 0; i < count; i++) if (isBetween(q[STRIDE * i + 3], 0) && isBetween(q[STRIDE * i + 4], 1)) found.push(i);
  return found;
}

/** The vertex nearest to a material point; with `isWanted`, among those. */
export function findNearestVertex(
  { q, count }: SheetState,
  [X, Y]: MaterialPoint,
  isWanted: (i: number) => boolean = () => true,
): number {
  let best = -1;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    if (!isWanted(i)) continue;
    const distance2 = (q[STRIDE * i + 3] - X) ** 2 + (q[STRIDE * i + 4] - Y) ** 2;
    if (distance2 >= nearest) continue;
    nearest = distance2;
    best = i;
  }
  return best;
}

/** The triangle that a material point lies in, or outside the sheet is nearest to lie in; writes its barycentric coordinates. */
export function locate({ q, mesh, gradients }: SheetState, [X, Y]: MaterialPoint, out: Float64Array): number {
  let best = -1;
  let largest = Number.NEGATIVE_INFINITY;
  for (let t = 0; t < mesh.triangleCount; t++) {
    let smallest = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 3 && smallest > largest; n++) smallest = Math.min(smallest, weightAt(t, n));
    if (smallest <= largest) continue;
    largest = smallest;
    best = t;
  }
  let sum = 0;
  for (let n = 0; n < 3; n++) sum += out[n] = Math.max(0, weightAt(best, n));
  for (let n = 0; n < 3; n++) out[n] /= sum;
  return best;

  /** φ_n = 1 + ∇φ_n·(X − X_n) */
  function weightAt(t: number, n: number): number {
    const at = STRIDE * mesh.triangles[3 * t + n] + 3;
    return 1 + gradients[6 * t + 2 * n] * (X - q[at]) + gradients[6 * t + 2 * n + 1] * (Y - q[at + 1]);
  }
}
