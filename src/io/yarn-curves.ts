/**
 * Yarn curves as files hold them (BCC, OBJ): points, and what the curve between them is.
 *
 *   catmull-rom   uniform: between p1 and p2, with their neighbours p0 and p3,
 *                 x(t) = ½ (2 p1 + (p2 − p0) t + (2 p0 − 5 p1 + 4 p2 − p3) t² + (3 p1 − p0 − 3 p2 + p3) t³),  t in [0, 1]
 *
 * An open Catmull-Rom curve passes through the points 1 … n − 2; the first and the last only give its ends a direction. A closed
 * one passes through all.
 */
import { FormatError } from '../model/errors.ts';
import type { Frame } from '../model/frame.ts';
import { listYarns } from './yarns.ts';

export interface YarnCurve {
  /** The last point is joined to the first, which is not repeated. */
  readonly closed: boolean;
  /** Two or three coordinates a point, in the unit of the file. */
  readonly points: Float64Array;
}

export interface YarnCurves {
  readonly type: 'polyline' | 'catmull-rom';
  readonly dimensions: 2 | 3;
  readonly curves: readonly YarnCurve[];
}

/**
 * The strands, rods and yarns of a frame, in their order. As Catmull-Rom curves, which pass through all nodes, open ones have a point beyond
 * each end: the end mirrored, 2 p₀ − p₁, so that they end straight.
 */
export const collectYarnCurves = ({ objects }: Frame, type: YarnCurves['type']): YarnCurves => {
  const lines = objects.flatMap((object) =>
    object.type === 'yarns' ? listYarns(object) : object.type === 'curve' ? [object] : [],
  );
  const curves = lines.map(({ x, closed }): YarnCurve => {
    const points = new Float64Array(x.length + (type === 'catmull-rom' && !closed ? 6 : 0));
    if (points.length === x.length) return { closed, points: x };
    points.set(x, 3);
    for (let k = 0; k < 3; k++) {
      points[k] = 2 * x[k] - x[3 + k];
      points[points.length - 3 + k] = 2 * x[x.length - 3 + k] - x[x.length - 6 + k];
    }
    return { closed, points };
  });
  return { type, dimensions: 3, curves };
};

/** Refuses what no file can hold: curves without points, half points, numbers that are not finite. */
export const checkYarnCurves = ({ dimensions, curves }: YarnCurves): void => {
  for (const [k, { points }] of curves.entries()) {
    if (points.length === 0 || points.length % dimensions !== 0) {
      throw new FormatError(
        `curves[${k}].points has ${points.length} numbers; it needs ${dimensions} per point, and at least one point.`,
      );
    }
    const wrong = points.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) throw new FormatError(`curves[${k}].points[${wrong}] is ${points[wrong]}; it must be finite.`);
  }
};

/** The curves as polylines: Catmull-Rom segments are cut into `pieces` of equal parameter, polylines stay as they are. */
export const flattenYarnCurves = (file: YarnCurves, pieces: number): YarnCurves => {
  if (!Number.isInteger(pieces) || pieces < 1 || pieces > 1000) {
    throw new FormatError(`pieces is ${pieces}; it must be a whole number from 1 to 1000.`);
  }
  checkYarnCurves(file);
  if (file.type === 'polyline') return file;
  const { dimensions } = file;
  const curves = file.curves.map(({ closed, points }, k) => {
    const count = points.length / dimensions;
    if (count < (closed ? 3 : 4)) {
      throw new FormatError(
        `curves[${k}] has ${count} points; a Catmull-Rom curve needs 4, or 3 if it is closed, to have a length.`,
      );
    }
    const segments = closed ? count : count - 3;
    const flat = new Float64Array(dimensions * (segments * pieces + (closed ? 0 : 1)));
    for (let i = 0; i * dimensions < flat.length; i++) {
      // the end of an open curve belongs to its last segment
      const segment = Math.min(Math.floor(i / pieces), segments - 1);
      const t = (i - segment * pieces) / pieces;
      const first = closed ? segment + count - 1 : segment;
      for (let d = 0; d < dimensions; d++) {
        const p = (j: number): number => points[dimensions * ((first + j) % count) + d];
        flat[dimensions * i + d] = computeCatmullRom(p(0), p(1), p(2), p(3), t);
      }
    }
    return { closed, points: flat };
  });
  return { type: 'polyline', dimensions, curves };
};

const computeCatmullRom = (p0: number, p1: number, p2: number, p3: number, t: number): number => {
  if (t === 0) return p1;
  if (t === 1) return p2;
  const [a, b, c] = [p2 - p0, 2 * p0 - 5 * p1 + 4 * p2 - p3, 3 * p1 - p0 - 3 * p2 + p3];
  return p1 + (t * (a + t * (b + t * c))) / 2;
};
