/**
 * What a view frames while a run grows: the box of its start, each face moved out by steps that double,
 *     out = 0, s, 2 s, 4 s, …   the first that holds what was seen beyond the start,   s = SHARE · diagonal of the start
 * so camera, light and ground change a few times in a long run instead of with every frame, and the same runs are framed the
 * same way, however many of their frames were drawn.
 */
import type { Box, FrameLimits } from 'heddle/model';

/** The first step outwards, as part of the diagonal of the start. */
const SHARE = 0.15;
/** What a start without an extent is taken for [m]. */
const SMALLEST = 1e-6;

/** The limits to frame, given those of the start and of all that was seen; ranges and forces are those seen. */
export function computeFraming(start: FrameLimits, seen: FrameLimits): FrameLimits {
  const step = SHARE * Math.max(computeDiagonal(start.objects), SMALLEST);
  return {
    ...seen,
    objects: growBox(start.objects, seen.objects, step),
    bodies: growBox(start.bodies, seen.bodies, step),
  };
}

/** Whether two limits have the same boxes. */
export const framesSame = (a: FrameLimits, b: FrameLimits): boolean =>
  [0, 1, 2].every(
    (k) =>
      a.objects.low[k] === b.objects.low[k] &&
      a.objects.high[k] === b.objects.high[k] &&
      a.bodies.low[k] === b.bodies.low[k] &&
      a.bodies.high[k] === b.bodies.high[k],
  );

const isEmpty = ({ low, high }: Box): boolean => !(low[0] <= high[0]);

function computeDiagonal(box: Box): number {
  return isEmpty(box) ? 0 : Math.hypot(...box.high.map((value, k) => value - box.low[k]));
}

/** The first of 0, s, 2 s, 4 s, … that is not below `beyond`. */
function roundOut(beyond: number, step: number): number {
  if (!(beyond > 0)) return 0;
  return step * 2 ** Math.max(0, Math.ceil(Math.log2(beyond / step)));
}

function growBox(start: Box, seen: Box, step: number): Box {
  if (isEmpty(start)) return seen;
  const low = start.low.map((value, k) => value - roundOut(value - seen.low[k], step));
  const high = start.high.map((value, k) => value + roundOut(seen.high[k] - value, step));
  return { low: [low[0], low[1], low[2]], high: [high[0], high[1], high[2]] };
}
