/**
 * A closed polygon with the same knot and fewer vertices: vertex b between a and c goes when no other side passes through
 * the triangle a b c, over which a–b–c can then be drawn straight [Koniaris 1991;
 * Taylor 2000]. Every such move is one of Reidemeister's in all projections, so the knot stays.
 *
 * The signs are exact. So that no four vertices lie in a plane, where sides could touch the triangle without going through
 * it, vertices are first moved at random (always the same numbers) by 1e-9 of the polygon's size.
 */
import { orient3d } from 'robust-predicates';
import { createRandom } from '../math/index.ts';

const SHIFT = 1e-9;

/** The vertices of a closed polygon, each moved a little, so that they are in general position. */
export function createGenericPolygon(points: ArrayLike<number>): Float64Array {
  const random = createRandom(1);
  let size = 0;
  for (let k = 0; k < points.length; k++) size = Math.max(size, Math.abs(points[k] - points[k % 3]));
  return Float64Array.from(points, (value) => value + SHIFT * size * random.uniform(-1, 1));
}

/** Vertices of a polygon in general position that remain when all that can go are gone, in order. */
export function reducePolygon(points: Float64Array): Float64Array {
  let kept = Int32Array.from({ length: points.length / 3 }, (_, i) => i);
  for (let before = Infinity; kept.length > 3 && kept.length < before; ) {
    before = kept.length;
    kept = sweep(points, kept);
  }
  const reduced = new Float64Array(3 * kept.length);
  for (let i = 0; i < kept.length; i++) reduced.set(points.subarray(3 * kept[i], 3 * kept[i] + 3), 3 * i);
  return reduced;
}

/** Goes round once and takes out what can go. */
function sweep(points: Float64Array, vertices: Int32Array): Int32Array<ArrayBuffer> {
  const n = vertices.length;
  const next = Int32Array.from({ length: n }, (_, i) => (i + 1) % n);
  let count = n;
  let before = n - 1;
  const gone = new Uint8Array(n);
  for (let i = 0; i < n && count > 3; i++) {
    if (isFree(points, vertices, next, before, i)) {
      next[before] = next[i];
      gone[i] = 1;
      count--;
    } else before = i;
  }
  return vertices.filter((_, i) => gone[i] === 0);
}

/** Whether no side passes through the triangle of i and its neighbours; sides that begin at its corners do not. */
function isFree(points: Float64Array, vertices: Int32Array, next: Int32Array, before: number, i: number): boolean {
  const after = next[i];
  const [a, b, c] = [3 * vertices[before], 3 * vertices[i], 3 * vertices[after]];
  for (let p = next[after]; p !== before; p = next[p]) {
    const q = next[p];
    if (q === before) break;
    if (passesThrough(points, a, b, c, 3 * vertices[p], 3 * vertices[q])) return false;
  }
  return true;
}

/** Whether segment p–q meets triangle a b c (offsets of coordinates). */
function passesThrough(x: Float64Array, a: number, b: number, c: number, p: number, q: number): boolean {
  for (let k = 0; k < 3; k++) {
    const low = Math.min(x[a + k], x[b + k], x[c + k]);
    const high = Math.max(x[a + k], x[b + k], x[c + k]);
    if ((x[p + k] < low && x[q + k] < low) || (x[p + k] > high && x[q + k] > high)) return false;
  }
  if (computeVolume(x, a, b, c, p) * computeVolume(x, a, b, c, q) > 0) return false;
  const first = computeVolume(x, p, q, a, b);
  const second = computeVolume(x, p, q, b, c);
  const third = computeVolume(x, p, q, c, a);
  return (first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0);
}

/** −1, 0 or 1: on which side of triangle a b c the point d lies. */
const computeVolume = (x: Float64Array, a: number, b: number, c: number, d: number): number =>
  Math.sign(
    orient3d(x[a], x[a + 1], x[a + 2], x[b], x[b + 1], x[b + 2], x[c], x[c + 1], x[c + 2], x[d], x[d + 1], x[d + 2]),
  );
