/**
 * Yarns of a fabric one by one, and smooth curves through their nodes. Between two nodes the curve is a cubic Hermite arc, 0 ≤ t ≤ 1,
 *
 *     x(t) = h00 x_i + h10 h m_i + h01 x_{i+1} + h11 h m_{i+1},      u linear in t
 *     m_i  = (x_i − x_{i−1})/h₋ − (x_{i+1} − x_{i−1})/(h₋ + h₊) + (x_{i+1} − x_i)/h₊,      h₊ = ‖x_{i+1} − x_i‖^½
 *
 * which is the centripetal Catmull-Rom curve [Yuksel 2009]: it has no cusp
 * and no loop, however unevenly nodes lie. At an end m is the direction of the last segment. Of nodes nearer to the one before than half a
 * radius only one is drawn: crossings that pass each other have heights of their own, and the yarn would be broken there.
 *
 *   x [m], u [m], m [m^½], h [m^½]
 */
import { computeHypot3 } from '../math/index.ts';
import type { CurveFrame, YarnsFrame } from '../model/frame.ts';
import type { TubeJoints } from './tube-path.ts';

/** Least distance of two nodes that a smooth curve passes through, in radii. */
export const NEAREST_NODES = 0.5;

/** Pieces of a segment and vertices around in exported tubes. */
export const PIECES = 4;
export const YARN_SIDES = 6;

/** One yarn as a curve; its arrays are views of the frame's. */
export function selectYarn(yarns: YarnsFrame, yarn: number): CurveFrame {
  const [from, to] = [yarns.start[yarn], yarns.start[yarn + 1]];
  return {
    type: 'curve',
    id: `${yarns.id}/${yarn}`,
    closed: false,
    radius: yarns.radius[yarn],
    restLength: yarns.restLength[yarn],
    x: yarns.x.subarray(3 * from, 3 * to),
    u: yarns.u.subarray(from, to),
    kind: yarns.kind.subarray(from, to),
    fields: Object.fromEntries(Object.entries(yarns.fields).map(([name, values]) => [name, values.subarray(from, to)])),
  };
}

/** Places of the yarns that have a length: two nodes or more. */
export function listYarnPlaces({ start }: Pick<YarnsFrame, 'start'>): number[] {
  return Array.from({ length: start.length - 1 }, (_, y) => y).filter((y) => start[y + 1] - start[y] >= 2);
}

/** The yarns that have a length, as curves. */
export function listYarns(yarns: YarnsFrame): CurveFrame[] {
  return listYarnPlaces(yarns).map((y) => selectYarn(yarns, y));
}

/** The same without yarns that have no length; nodes keep their order, and crossings with a dropped yarn are gone. */
export function dropEmptyYarns(yarns: YarnsFrame): YarnsFrame {
  const { start } = yarns;
  const kept = listYarnPlaces(yarns);
  if (kept.length === yarns.radius.length) return yarns;
  const nodes = kept.flatMap((y) => Array.from({ length: start[y + 1] - start[y] }, (_, i) => start[y] + i));
  const place = new Int32Array(yarns.u.length).fill(-1);
  for (const [n, node] of nodes.entries()) place[node] = n;
  const starts = [0];
  for (const y of kept) starts.push(starts[starts.length - 1] + start[y + 1] - start[y]);
  const pick = (values: Float64Array) => Float64Array.from(nodes, (node) => values[node]);
  return {
    ...yarns,
    start: Int32Array.from(starts),
    radius: Float64Array.from(kept, (y) => yarns.radius[y]),
    restLength: Float64Array.from(kept, (y) => yarns.restLength[y]),
    layer: Uint8Array.from(kept, (y) => yarns.layer[y]),
    group: Uint8Array.from(kept, (y) => yarns.group[y]),
    x: Float64Array.from({ length: 3 * nodes.length }, (_, i) => yarns.x[3 * nodes[Math.floor(i / 3)] + (i % 3)]),
    u: pick(yarns.u),
    kind: Uint8Array.from(nodes, (node) => yarns.kind[node]),
    other: Int32Array.from(nodes, (node) => (yarns.other[node] < 0 ? -1 : place[yarns.other[node]])),
    fields: Object.fromEntries(Object.entries(yarns.fields).map(([name, values]) => [name, pick(values)])),
  };
}

/** An open curve with `pieces` straight pieces for each of its segments, on the smooth curve through its nodes. */
export function computeSmoothCurve(curve: CurveFrame, pieces: number): CurveFrame {
  const nodes = chooseNodes(curve);
  const count = (nodes.length - 1) * pieces + 1;
  const x = new Float64Array(3 * count);
  const u = new Float64Array(count);
  const kind = new Uint8Array(count);
  const names = Object.keys(curve.fields);
  const fields = Object.fromEntries(names.map((name) => [name, new Float64Array(count)]));
  const { from, to } = { from: new Float64Array(3), to: new Float64Array(3) };
  for (let s = 0; s < nodes.length; s++) {
    const i = nodes[s];
    const j = nodes[Math.min(s + 1, nodes.length - 1)];
    const h = Math.sqrt(computeDistance(curve.x, i, j));
    writeTangent(curve.x, nodes, s, from);
    writeTangent(curve.x, nodes, Math.min(s + 1, nodes.length - 1), to);
    for (let k = 0; k < (i === j ? 1 : pieces); k++) {
      const t = k / pieces;
      const at = s * pieces + k;
      const h01 = t * t * (3 - 2 * t);
      const [h10, h11] = [t * (1 - t) * (1 - t) * h, t * t * (t - 1) * h];
      for (let axis = 0; axis < 3; axis++)
        x[3 * at + axis] =
          (1 - h01) * curve.x[3 * i + axis] + h01 * curve.x[3 * j + axis] + h10 * from[axis] + h11 * to[axis];
      u[at] = curve.u[i] + t * (curve.u[j] - curve.u[i]);
      kind[at] = curve.kind[t < 0.5 ? i : j];
      for (const name of names) {
        const values = curve.fields[name];
        fields[name][at] = values[i] + t * (values[j] - values[i]);
      }
    }
  }
  return { ...curve, x, u, kind, fields };
}

/** The yarn as a tube is drawn round it: smooth, unless `mitre` asks for one ring a node. */
export function computeDrawnYarn(yarn: CurveFrame, joints: TubeJoints = 'round'): CurveFrame {
  return joints === 'mitre' ? yarn : computeSmoothCurve(yarn, PIECES);
}

/** Nodes that lie far enough apart; the ends always. */
function chooseNodes({ x, u, radius }: CurveFrame): number[] {
  const least = NEAREST_NODES * radius;
  const nodes = [0];
  const last = u.length - 1;
  for (let i = 1; i < last; i++)
    if (computeDistance(x, nodes[nodes.length - 1], i) > least && computeDistance(x, i, last) > least) nodes.push(i);
  if (last > 0) nodes.push(last);
  return nodes;
}

function computeDistance(x: Float64Array, i: number, j: number): number {
  return computeHypot3(x[3 * j] - x[3 * i], x[3 * j + 1] - x[3 * i + 1], x[3 * j + 2] - x[3 * i + 2]);
}

/** m at entry s of `nodes`. */
function writeTangent(x: Float64Array, nodes: readonly number[], s: number, out: Float64Array): void {
  const here = nodes[s];
  const before = nodes[Math.max(0, s - 1)];
  const after = nodes[Math.min(nodes.length - 1, s + 1)];
  const [h0, h1] = [Math.sqrt(computeDistance(x, before, here)), Math.sqrt(computeDistance(x, here, after))];
  for (let axis = 0; axis < 3; axis++) {
    const [p, q, r] = [x[3 * before + axis], x[3 * here + axis], x[3 * after + axis]];
    if (h0 > 0 && h1 > 0) out[axis] = (q - p) / h0 - (r - p) / (h0 + h1) + (r - q) / h1;
    else out[axis] = h0 > 0 ? (q - p) / h0 : h1 > 0 ? (r - q) / h1 : 0;
  }
}
