/**
 * What is seen of a closed polygon along a direction: its crossings, which strand lies over, and the sign of each
 * (positive: the upper direction turns to the lower one counter-clockwise). Arc k of the diagram runs from undercrossing
 * k − 1 to undercrossing k; there are as many arcs as crossings.
 */
import { crossVec3, normalizeVec3, type Vec3 } from '../math/index.ts';

export interface KnotDiagram {
  /** In the order in which they are passed below: 1 or −1. */
  readonly signs: Int8Array;
  /** The arc that lies over each crossing. Below, arc k comes in at crossing k and arc k + 1 leaves. */
  readonly overArcs: Int32Array;
}

/** How near a crossing may come to a corner, in parts of a side, and two sides to being parallel, before the view is refused. */
const DEGENERATE = 1e-10;

interface Crossing {
  /** Number of the side and how far along it, as one number. */
  readonly over: number;
  readonly under: number;
  readonly sign: number;
}

/** The diagram of a closed polygon, or undefined where the view is not generic (a crossing at a corner, sides in line). */
export function computeKnotDiagram(points: Float64Array, direction: Vec3): KnotDiagram | undefined {
  const crossings = findCrossings(projectPolygon(points, direction));
  if (crossings === undefined) return undefined;
  crossings.sort((a, b) => a.under - b.under);
  const n = crossings.length;
  const signs = Int8Array.from(crossings, ({ sign }) => sign);
  const overArcs = Int32Array.from(crossings, ({ over }) => {
    let [low, high] = [0, n];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (crossings[middle].under < over) low = middle + 1;
      else high = middle;
    }
    return low % n;
  });
  return { signs, overArcs };
}

/** Coordinates (x, y, height) with the height along the direction. */
function projectPolygon(points: Float64Array, direction: Vec3): Float64Array {
  const w = normalizeVec3(direction);
  const u = normalizeVec3(crossVec3(Math.abs(w[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0], w));
  const v = crossVec3(w, u);
  const seen = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
    seen[i] = u[0] * x + u[1] * y + u[2] * z;
    seen[i + 1] = v[0] * x + v[1] * y + v[2] * z;
    seen[i + 2] = w[0] * x + w[1] * y + w[2] * z;
  }
  return seen;
}

function findCrossings(seen: Float64Array): Crossing[] | undefined {
  const n = seen.length / 3;
  const crossings: Crossing[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = i + 2; j < n; j++) {
      if (i === 0 && j === n - 1) continue;
      const crossing = crossSides(seen, i, j);
      if (crossing === undefined) return undefined;
      if (crossing !== false) crossings.push(crossing);
    }
  }
  return crossings;
}

/** The crossing of sides i and j, false where there is none, undefined where it cannot be told. */
function crossSides(seen: Float64Array, i: number, j: number): Crossing | false | undefined {
  const n = seen.length / 3;
  const [a, b, c, d] = [3 * i, 3 * ((i + 1) % n), 3 * j, 3 * ((j + 1) % n)];
  for (let k = 0; k < 2; k++) {
    if (Math.max(seen[a + k], seen[b + k]) < Math.min(seen[c + k], seen[d + k])) return false;
    if (Math.max(seen[c + k], seen[d + k]) < Math.min(seen[a + k], seen[b + k])) return false;
  }
  const [ux, uy] = [seen[b] - seen[a], seen[b + 1] - seen[a + 1]];
  const [vx, vy] = [seen[d] - seen[c], seen[d + 1] - seen[c + 1]];
  const [wx, wy] = [seen[c] - seen[a], seen[c + 1] - seen[a + 1]];
  const turn = ux * vy - uy * vx;
  const size = Math.sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy));
  if (Math.abs(turn) <= DEGENERATE * size) {
    // Parallel: harmless unless one lies over the other.
    const off = Math.abs(ux * wy - uy * wx);
    return off > DEGENERATE * Math.max(ux * ux + uy * uy, size) ? false : undefined;
  }
  const s = (wx * vy - wy * vx) / turn;
  const t = (wx * uy - wy * ux) / turn;
  if (s < -DEGENERATE || s > 1 + DEGENERATE || t < -DEGENERATE || t > 1 + DEGENERATE) return false;
  if (s < DEGENERATE || s > 1 - DEGENERATE || t < DEGENERATE || t > 1 - DEGENERATE) return undefined;
  const first = seen[a + 2] + s * (seen[b + 2] - seen[a + 2]);
  const second = seen[c + 2] + t * (seen[d + 2] - seen[c + 2]);
  if (first === second) return undefined;
  return first > second
    ? { over: i + s, under: j + t, sign: Math.sign(turn) }
    : { over: j + t, under: i + s, sign: -Math.sign(turn) };
}
