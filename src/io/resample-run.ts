/**
 * A run on a fixed material mesh: every curve at the same material coordinates u_j (resample.ts) and every sheet on the
 * same material mesh (resample-surface.ts) in all frames, so that one topology with animation results from nodes that
 * slide, come and go. Fields are linear in the material like x. The points are material points, so their kind is
 * NODE_LAGRANGIAN. Between two samples of a curve a sharp corner is cut, by at most half of their distance: more samples
 * come nearer. Particles are material points already and stay as they are. Yarns of a fabric: resample-yarns.ts.
 */
import type { CurveFrame, Frame, ObjectFrame } from '../model/frame.ts';
import { collectObjects, type RecordedRun } from './recorded-run.ts';
import { computeEvenSamples, resample, writeResampledValues } from './resample.ts';
import { chooseMaterialMesh, resampleSurface } from './resample-surface.ts';
import { chooseYarnSamples, resampleYarns } from './resample-yarns.ts';

/** Material coordinates over all the material that any frame shows; by default twice the nodes, from 48 to 512. */
export function chooseSamples(sequence: readonly CurveFrame[], wished: number | undefined): Float64Array<ArrayBuffer> {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let nodes = 0;
  for (const { u } of sequence) {
    first = Math.min(first, u[0]);
    last = Math.max(last, u[u.length - 1]);
    nodes = Math.max(nodes, u.length);
  }
  const count = wished ?? Math.min(512, Math.max(48, 2 * nodes));
  if (!sequence[0].closed) return computeEvenSamples(first, last, count);
  // the segment that closes a closed curve is made by who draws it
  return computeEvenSamples(sequence[0].u[0], sequence[0].u[0] + sequence[0].restLength, count + 1).subarray(0, count);
}

/** The run on fixed material points. A frame that lacks a curve or sheet gets it as in the frame before. */
export function resampleRun(run: RecordedRun, samples?: number): RecordedRun {
  const curves = [...collectObjects(run.frames, 'curve').values()].map((sequence) => {
    const at = chooseSamples(sequence, samples);
    return sequence.map((curve): ObjectFrame => resampleCurve(curve, at));
  });
  const surfaces = [...collectObjects(run.frames, 'surface').values()].map((sequence) => {
    const mesh = chooseMaterialMesh(sequence, samples);
    return sequence.map((surface): ObjectFrame => resampleSurface(surface, mesh));
  });
  const fabrics = [...collectObjects(run.frames, 'yarns').values()].map((sequence) => {
    const at = chooseYarnSamples(sequence, samples);
    return sequence.map((_, f): ObjectFrame => resampleYarns(sequence, f, at));
  });
  const points: ObjectFrame[][] = [...collectObjects(run.frames, 'points').values()];
  const sequences = [...curves, ...surfaces, ...fabrics, ...points];
  const frames = run.frames.map((frame, f): Frame => ({ ...frame, objects: sequences.map((sequence) => sequence[f]) }));
  return { ...run, frames };
}

function resampleCurve(curve: CurveFrame, at: Float64Array): CurveFrame {
  const fields: Record<string, Float64Array> = {};
  for (const [name, values] of Object.entries(curve.fields)) {
    fields[name] = new Float64Array(at.length);
    writeResampledValues(curve, values, at, fields[name]);
  }
  return { ...curve, ...resample(curve, at), kind: new Uint8Array(at.length), fields };
}
