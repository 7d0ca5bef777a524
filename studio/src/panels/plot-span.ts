/** The part of time that charts show: zoomed about a moment, moved along, never outside what was measured. */

import type { Span } from './plot-chart.ts';

/** Smallest share of the whole that can be shown. */
const SMALLEST = 1e-4;

/** `span` (undefined: all of `whole`) shorter by `factor` about the time `centre`; undefined when that is all again. */
export function computeZoomed(span: Span | undefined, whole: Span, centre: number, factor: number): Span | undefined {
  const [from, to] = span ?? whole;
  const length = Math.max((to - from) / factor, SMALLEST * (whole[1] - whole[0]));
  if (!(length < whole[1] - whole[0])) return undefined;
  const share = to > from ? Math.min(1, Math.max(0, (centre - from) / (to - from))) : 0.5;
  return clamp(centre - share * length, length, whole);
}

/** `span` moved by a share of its own length. */
export function computePanned(span: Span | undefined, whole: Span, share: number): Span | undefined {
  if (span === undefined) return undefined;
  const length = span[1] - span[0];
  return clamp(span[0] + share * length, length, whole);
}

/** `span` moved just so far that it shows a time. */
export function computeShowing(span: Span | undefined, whole: Span, time: number): Span | undefined {
  if (span === undefined || (time >= span[0] && time <= span[1])) return span;
  const length = span[1] - span[0];
  return clamp(time - length / 2, length, whole);
}

function clamp(from: number, length: number, whole: Span): Span {
  const start = Math.max(whole[0], Math.min(from, whole[1] - length));
  return [start, start + length];
}
