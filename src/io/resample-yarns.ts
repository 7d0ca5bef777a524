/**
 * The yarns of a fabric on fixed material points: each smooth curve (yarns.ts) at the same coordinates u in all frames, so that tubes round
 * them keep one topology while crossings slide. The points are material points, so their kind is NODE_LAGRANGIAN and no crossing joins them.
 * The yarns of a fabric stay the same; one that has no length in a frame is as it was before, or will be first.
 */
import type { CurveFrame, YarnsFrame } from '../model/frame.ts';
import { computeEvenSamples, writeResampled, writeResampledValues } from './resample.ts';
import { computeSmoothCurve, PIECES, selectYarn } from './yarns.ts';

/** Fewest points of a yarn that were not asked for. */
const FEWEST_SAMPLES = 8;

/** Material coordinates for each yarn; by default PIECES for each of its nodes in the frame that has the most. */
export function chooseYarnSamples(sequence: readonly YarnsFrame[], wished?: number): Float64Array<ArrayBuffer>[] {
  return Array.from(sequence[0].radius, (_, y) => {
    let [first, last, nodes] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (const { start, u } of sequence) {
      if (start[y + 1] === start[y]) continue;
      first = Math.min(first, u[start[y]]);
      last = Math.max(last, u[start[y + 1] - 1]);
      nodes = Math.max(nodes, start[y + 1] - start[y]);
    }
    if (nodes < 2) return new Float64Array(0);
    return computeEvenSamples(first, last, wished ?? Math.max(FEWEST_SAMPLES, PIECES * nodes));
  });
}

/** Frame `f` of the fabric on the given material points. */
export function resampleYarns(
  sequence: readonly YarnsFrame[],
  f: number,
  samples: readonly Float64Array[],
): YarnsFrame {
  const start = new Int32Array(samples.length + 1);
  for (const [y, at] of samples.entries()) start[y + 1] = start[y] + at.length;
  const count = start[samples.length];
  const [x, u] = [new Float64Array(3 * count), new Float64Array(count)];
  const fields = Object.fromEntries(Object.keys(sequence[f].fields).map((name) => [name, new Float64Array(count)]));
  for (const [y, at] of samples.entries()) {
    if (at.length === 0) continue;
    u.set(at, start[y]);
    const curve = computeSmoothCurve(findYarn(sequence, f, y), PIECES);
    writeResampled(curve, at, x.subarray(3 * start[y], 3 * start[y + 1]));
    for (const [name, values] of Object.entries(fields)) {
      const known = curve.fields[name];
      if (known !== undefined) writeResampledValues(curve, known, at, values.subarray(start[y], start[y + 1]));
    }
  }
  return { ...sequence[f], start, x, u, kind: new Uint8Array(count), other: new Int32Array(count).fill(-1), fields };
}

/** The yarn in frame f, else in the nearest frame before that has it, else in the next. */
function findYarn(sequence: readonly YarnsFrame[], f: number, y: number): CurveFrame {
  const has = ({ start }: YarnsFrame) => start[y + 1] - start[y] >= 2;
  let at = f;
  while (at >= 0 && !has(sequence[at])) at--;
  return selectYarn(at >= 0 ? sequence[at] : sequence.find(has)!, y);
}
