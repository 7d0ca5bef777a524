/** A recorded run of a body that deforms, for the exporter tests. */
import { AnimatedMeshShape } from 'heddle/bodies';
import { computeBodyGeometry, type RecordedRun } from 'heddle/io';
import { makeRun } from './io-run.ts';

const CORNERS = Float64Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1) - 0.5);
const FACES = Int32Array.from([
  ...[0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4],
  ...[2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5],
]);
/** A cube whose top leans over, more from pose to pose. */
const lean = (by: number): Float64Array =>
  CORNERS.map((value, i) => value + (i % 3 === 0 && CORNERS[i + 1] > 0 ? by : 0));
const shape = new AnimatedMeshShape({
  indices: FACES,
  poses: [lean(0), lean(0.5), lean(2)],
  interval: 0.1,
  start: 0.05,
});
export const [leaningCube] = computeBodyGeometry({ bodies: [{ id: 'cube', shape }] }, { bodies: [] });

/** A rope beside it, in four frames, the first at 0 s. */
export const leaningRun: RecordedRun = (() => {
  const made = makeRun(4);
  const rest = { id: 'cube', position: [0, 0, 0] as const, orientation: [0, 0, 0, 1] as const };
  const frames = made.frames.map((frame, f) => ({
    ...frame,
    time: 0.08 * f,
    objects: frame.objects.slice(0, 1),
    bodies: [rest],
  }));
  return { ...made, frames, bodies: [leaningCube] };
})();
