/**
 * A finer polyline through the nodes of a curve, for smooth pictures: each segment is a cubic Hermite arc
 *   x(t) = h00 x_i + h10 l d_i + h01 x_{i+1} + h11 l d_{i+1},   0 ≤ t ≤ 1,   u linear in t
 * with l the segment's length [m] and d_i the unit direction at node i: the mean of its two segments' directions. At an
 * E- or EIL-node and at a turn beyond 60° the curve may have a corner: there the direction is the segment's own.
 * Straight parts stay as they are, so a long curve is not multiplied.
 */
import type { CurveShape } from 'heddle/io';
import { type CurveFrame, NODE_LAGRANGIAN } from 'heddle/model';

/** A refined curve; `node` is the node index with a fraction at each of its points. */
export interface RefinedCurve extends CurveShape {
  readonly node: Float64Array;
}

const TURN_PER_PIECE = (7 * Math.PI) / 180;
const MOST_PIECES = 8;
const COS_CORNER = Math.cos(Math.PI / 3);

export function computeRefinedCurve(curve: CurveFrame): RefinedCurve {
  const { u, closed } = curve;
  const nodes = u.length;
  const segments = closed ? nodes : nodes - 1;
  const { chord, length } = computeChords(curve, segments);
  const turn = computeTurns(curve, chord, segments);
  const x: number[] = [];
  const fineU: number[] = [];
  const node: number[] = [];
  const add = (px: number, py: number, pz: number, material: number, index: number) => {
    x.push(px, py, pz);
    fineU.push(material);
    node.push(index);
  };
  const from = new Float64Array(3);
  const to = new Float64Array(3);
  for (let i = 0; i < segments; i++) {
    const j = (i + 1) % nodes;
    const uEnd = j > i ? u[j] : u[0] + curve.restLength;
    const largest = Math.max(Number.isNaN(turn[i]) ? 0 : turn[i], Number.isNaN(turn[j]) ? 0 : turn[j]);
    const pieces = Math.min(MOST_PIECES, Math.max(1, Math.ceil(largest / TURN_PER_PIECE)));
    writeDirection(chord, i, closed ? (i + segments - 1) % segments : i - 1, turn[i], from);
    writeDirection(chord, i, closed ? (i + 1) % segments : i + 1, turn[j], to);
    for (let k = 0; k < pieces; k++) {
      const t = k / pieces;
      const h01 = t * t * (3 - 2 * t);
      const h10 = t * (1 - t) * (1 - t) * length[i];
      const h11 = t * t * (t - 1) * length[i];
      const at = (axis: number) =>
        (1 - h01) * curve.x[3 * i + axis] + h01 * curve.x[3 * j + axis] + h10 * from[axis] + h11 * to[axis];
      add(at(0), at(1), at(2), u[i] + t * (uEnd - u[i]), i + t);
    }
  }
  const last = 3 * (nodes - 1);
  if (!closed) add(curve.x[last], curve.x[last + 1], curve.x[last + 2], u[nodes - 1], nodes - 1);
  return {
    closed,
    radius: curve.radius,
    restLength: curve.restLength,
    x: Float64Array.from(x),
    u: Float64Array.from(fineU),
    node: Float64Array.from(node),
  };
}

/** The polyline as it is: straight segments from node to node. */
export function computePlainCurve({ closed, radius, restLength, x, u }: CurveFrame): RefinedCurve {
  return { closed, radius, restLength, x, u, node: Float64Array.from(u, (_, i) => i) };
}

/** Unit directions of the segments and their lengths. */
function computeChords(curve: CurveFrame, segments: number): { chord: Float64Array; length: Float64Array } {
  const chord = new Float64Array(3 * segments);
  const length = new Float64Array(segments);
  for (let i = 0; i < segments; i++) {
    const j = (i + 1) % curve.u.length;
    for (let axis = 0; axis < 3; axis++) chord[3 * i + axis] = curve.x[3 * j + axis] - curve.x[3 * i + axis];
    length[i] = Math.hypot(chord[3 * i], chord[3 * i + 1], chord[3 * i + 2]);
    if (length[i] > 0) for (let axis = 0; axis < 3; axis++) chord[3 * i + axis] /= length[i];
  }
  return { chord, length };
}

/** Angle by which the curve turns at each node [rad]; NaN where it ends or has a corner. */
function computeTurns(curve: CurveFrame, chord: Float64Array, segments: number): Float64Array {
  const nodes = curve.u.length;
  const turn = new Float64Array(nodes).fill(Number.NaN);
  for (let i = curve.closed ? 0 : 1; i < (curve.closed ? nodes : nodes - 1); i++) {
    if (curve.kind[i] !== NODE_LAGRANGIAN) continue;
    const before = 3 * ((i + segments - 1) % segments);
    const cosine =
      chord[before] * chord[3 * i] + chord[before + 1] * chord[3 * i + 1] + chord[before + 2] * chord[3 * i + 2];
    if (cosine > COS_CORNER) turn[i] = Math.acos(Math.min(1, cosine));
  }
  return turn;
}

/** Direction of segment i at the node it shares with `neighbour`. */
function writeDirection(chord: Float64Array, i: number, neighbour: number, turn: number, out: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    out[axis] = chord[3 * i + axis] + (Number.isNaN(turn) ? 0 : chord[3 * neighbour + axis]);
  }
  const size = Math.hypot(out[0], out[1], out[2]) || 1;
  for (let axis = 0; axis < 3; axis++) out[axis] /= size;
}
