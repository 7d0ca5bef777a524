/**
 * Triangles of a polygon in space that is nearly flat and does not cross itself, convex or not, by cutting ears in the
 * plane of its mean normal (Newell). Ears of the largest smallest angle sine go first, so quads get their better diagonal.
 * A polygon that crosses itself still gives n − 2 triangles.
 */
import type { Vec3 } from '../math/index.ts';

const meanNormal = (points: readonly Vec3[]): Vec3 => {
  const n = [0, 0, 0];
  for (const [i, p] of points.entries()) {
    const q = points[(i + 1) % points.length];
    for (let k = 0; k < 3; k++) {
      const [a, b] = [(k + 1) % 3, (k + 2) % 3];
      n[k] += (p[a] - q[a]) * (p[b] + q[b]);
    }
  }
  return [n[0], n[1], n[2]];
};

type Flat = readonly [number, number];
/** Twice the signed area of a triangle. */
const turn = (a: Flat, b: Flat, c: Flat): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** How good an ear a, b, c is: twice its area over its longest side squared; not above 0 where it is none. */
const earQuality = (flat: readonly Flat[], loop: readonly number[], at: number): number => {
  const n = loop.length;
  const [i, j, k] = [loop[(at + n - 1) % n], loop[at], loop[(at + 1) % n]];
  const [a, b, c] = [flat[i], flat[j], flat[k]];
  const area = turn(a, b, c);
  if (!(area > 0)) return 0;
  for (const other of loop) {
    const p = flat[other];
    const isCorner = [a, b, c].some((corner) => corner[0] === p[0] && corner[1] === p[1]);
    if (!isCorner && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return 0;
  }
  const square = (p: Flat, q: Flat): number => (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2;
  return area / Math.max(square(a, b), square(b, c), square(c, a));
};

/** Corner numbers 0 … n − 1, three a triangle, turning the way the polygon does. */
export const triangulatePolygon = (points: readonly Vec3[]): number[] => {
  if (points.length <= 3) return points.length === 3 ? [0, 1, 2] : [];
  const normal = meanNormal(points);
  // Dropping the largest component of the normal keeps the most area.
  const size = normal.map(Math.abs);
  const drop = size[0] > size[1] && size[0] > size[2] ? 0 : size[1] > size[2] ? 1 : 2;
  const [u, v] = normal[drop] >= 0 ? [(drop + 1) % 3, (drop + 2) % 3] : [(drop + 2) % 3, (drop + 1) % 3];
  const flat = points.map((p): Flat => [p[u], p[v]]);
  const loop = points.map((_, i) => i);
  const triangles: number[] = [];
  while (loop.length > 3) {
    let [ear, best] = [0, 0];
    for (let at = 0; at < loop.length; at++) {
      const quality = earQuality(flat, loop, at);
      if (quality > best) [ear, best] = [at, quality];
    }
    const n = loop.length;
    triangles.push(loop[(ear + n - 1) % n], loop[ear], loop[(ear + 1) % n]);
    loop.splice(ear, 1);
  }
  return [...triangles, ...loop];
};
