/**
 * A curve at fixed material coordinates. x is known at the nodes and linear in u between them, so
 *   x(u) = x_i + (x_{i+1} − x_i) (u − u_i) / (u_{i+1} − u_i),    u_i ≤ u ≤ u_{i+1}     [u, x in m]
 * Nodes may come, go and slide: the same u is always the same piece of material, so one mesh topology lasts.
 *
 * Beyond the ends of an open curve x is the end point (material that has not come in or has left stays there, with no
 * length); a closed curve is periodic in u with period `restLength`.
 */
import type { CurveFrame } from '../model/frame.ts';

/** What a tube or polyline needs of a curve. */
export type CurveShape = Pick<CurveFrame, 'closed' | 'radius' | 'restLength' | 'x' | 'u'>;

/** `count` material coordinates spread evenly from `first` to `last`, both included. */
export function computeEvenSamples(first: number, last: number, count: number): Float64Array<ArrayBuffer> {
  if (!(count >= 2)) throw new RangeError(`A resampled curve has ${count} samples; it needs at least 2.`);
  const samples = new Float64Array(count);
  for (let i = 0; i < count; i++) samples[i] = first + ((last - first) * i) / (count - 1);
  samples[count - 1] = last;
  return samples;
}

/** The same curve with nodes at the given material coordinates (increasing). */
export function resample(curve: CurveShape, uSamples: Float64Array): CurveShape {
  const x = new Float64Array(3 * uSamples.length);
  writeResampled(curve, uSamples, x);
  return { closed: curve.closed, radius: curve.radius, restLength: curve.restLength, x, u: uSamples };
}

/** Writes the positions at the given material coordinates into `x`, 3 per sample. */
export function writeResampled(curve: CurveShape, uSamples: Float64Array, x: Float64Array): void {
  writeResampledValues(curve, curve.x, uSamples, x);
}

/** Writes values that the curve has on its nodes, at the given material coordinates; as many a sample as a node has. */
export function writeResampledValues(
  curve: Pick<CurveShape, 'closed' | 'restLength' | 'u'>,
  values: Float64Array,
  uSamples: Float64Array,
  out: Float64Array,
): void {
  const { u, closed, restLength } = curve;
  const nodes = u.length;
  if (nodes === 0) throw new RangeError('A curve without nodes cannot be resampled; it needs at least 1.');
  const width = values.length / nodes;
  let segment = 0;
  for (let s = 0; s < uSamples.length; s++) {
    let at = uSamples[s];
    if (closed && restLength > 0) at -= restLength * Math.floor((at - u[0]) / restLength);
    // samples increase, so the segment is found by walking on; a wrapped sample starts again
    if (at < u[segment]) segment = 0;
    while (segment < nodes - 1 && u[segment + 1] <= at) segment++;

    const next = segment + 1 < nodes ? segment + 1 : closed ? 0 : segment;
    const length = (next > segment ? u[next] : u[0] + restLength) - u[segment];
    const fraction = next === segment || !(length > 0) ? 0 : Math.min(1, Math.max(0, (at - u[segment]) / length));
    for (let k = 0; k < width; k++) {
      const from = values[width * segment + k];
      out[width * s + k] = from + (values[width * next + k] - from) * fraction;
    }
  }
}
