/**
 * Nodes along yarns. A side is a node seen from one of its yarns: side 2i is node i on its first yarn, 2i + 1 on its second, so that
 * yarn[side] and u[side] are its yarn and its material coordinate there.
 */
import type { YarnNet } from './net.ts';

export interface YarnOrder {
  /** First place of each yarn in `sides`; one more at the end. */
  readonly start: Int32Array;
  /** Sides of all yarns, yarn by yarn, along each by its material coordinate. */
  readonly sides: Int32Array;
  /** Where each side is in `sides`; −1 for sides without a yarn. */
  readonly place: Int32Array;
}

/** The order of a net's nodes; nodes in one place of a yarn keep the order of the net. */
export function createYarnOrder({ yarn, u, yarnLength }: Pick<YarnNet, 'yarn' | 'u' | 'yarnLength'>): YarnOrder {
  const yarns = yarnLength.length;
  const start = new Int32Array(yarns + 1);
  for (const y of yarn) if (y >= 0) start[y + 1]++;
  for (let y = 0; y < yarns; y++) start[y + 1] += start[y];
  const sides = new Int32Array(start[yarns]);
  const next = start.slice(0, yarns);
  for (let side = 0; side < yarn.length; side++) if (yarn[side] >= 0) sides[next[yarn[side]]++] = side;
  for (let y = 0; y < yarns; y++)
    if (!isSorted(u, sides, start[y], start[y + 1]))
      sides.subarray(start[y], start[y + 1]).sort((a, b) => u[a] - u[b] || a - b);
  const place = new Int32Array(yarn.length).fill(-1);
  for (let p = 0; p < sides.length; p++) place[sides[p]] = p;
  return { start, sides, place };
}

function isSorted(u: Float64Array, sides: Int32Array, from: number, to: number): boolean {
  for (let p = from + 1; p < to; p++) if (u[sides[p]] < u[sides[p - 1]]) return false;
  return true;
}
