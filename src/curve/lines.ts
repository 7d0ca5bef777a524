/** A chain as `LineModel` shows it to what is of another kind: its segments by labels, and how fast its material moves. */
import type { CurveChain } from './chain.ts';

/** Labels of the ends of all segments, two each; `out` is used again where it is as long. */
export function listChainSegments(
  { label, count, ownCount, closed }: CurveChain,
  out: Int32Array<ArrayBuffer>,
): Int32Array<ArrayBuffer> {
  const segments = Math.max(0, count - 1);
  const list = out.length === 2 * segments ? out : new Int32Array(2 * segments);
  for (let e = 0; e < segments; e++) {
    list[2 * e] = label[e];
    list[2 * e + 1] = label[closed && e + 1 === ownCount ? 0 : e + 1];
  }
  return list;
}

/** ẋ − F u̇ of node i, F = Δx/Δu over both of its segments, or over the one that it has [theory/eol#the-identity]. */
export function writeChainMaterialVelocity({ q, v, count }: CurveChain, i: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = v[4 * i + k];
  const slide = v[4 * i + 3];
  if (slide === 0) return;
  const [a, b] = [4 * Math.max(0, i - 1), 4 * Math.min(count - 1, i + 1)];
  for (let k = 0; k < 3; k++) out[k] -= (slide * (q[b + k] - q[a + k])) / (q[b + 3] - q[a + 3]);
}
