/** Bodies and a plain reference for the tests of faces and edges. */
import { createShape, MeshShape, type Shape } from 'heddle/bodies';
import type { FacetBody } from 'heddle/contact';
import { TriangleMesh, triangulatePolygon } from 'heddle/geometry';
import type { Random, Vec3 } from 'heddle/math';

export const randomHull = (random: Random, scale = 1): Shape => {
  const stretch = [0, 1, 2].map(() => scale * random.uniform(0.2, 1));
  const points = Array.from({ length: random.integer(4, 24) }, (): Vec3 => {
    const p = random.direction();
    return [stretch[0] * p[0], stretch[1] * p[1], stretch[2] * p[2]];
  });
  return createShape({ type: 'convex', points });
};

/** A prism along z, from 0 to `height`, on a polygon (counter-clockwise) of the xy plane. */
export const prism = (polygon: readonly (readonly [number, number])[], height: number): MeshShape => {
  const n = polygon.length;
  const cap = triangulatePolygon(polygon.map(([x, y]): Vec3 => [x, y, 0]));
  const indices: number[] = [];
  for (let i = 0; i < cap.length; i += 3) {
    indices.push(cap[i] + n, cap[i + 1] + n, cap[i + 2] + n, cap[i + 2], cap[i + 1], cap[i]);
  }
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    indices.push(i, j, j + n, i, j + n, i + n);
  }
  const positions = [0, height].flatMap((z) => polygon.flatMap(([x, y]) => [x, y, z]));
  return new MeshShape(new TriangleMesh(Float64Array.from(positions), Int32Array.from(indices)));
};

/** An L: the square [0, 2]² without the quarter [1, 2]², one deep. */
export const createL = (scale = 1): MeshShape => {
  const corners = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ] as const;
  return prism(
    corners.map(([x, y]) => [scale * x, scale * y] as const),
    scale,
  );
};

/** All corners that edges end in, each once. */
export const cornersOf = (body: FacetBody): number[][] => {
  const seen = new Map<string, number[]>();
  for (const ends of [body.edgeStart, body.edgeEnd]) {
    for (let i = 0; i < ends.length; i += 3) {
      const p = Array.from(ends.subarray(i, i + 3));
      seen.set(p.join(), p);
    }
  }
  return [...seen.values()];
};

export const heightOver = (body: FacetBody, face: number, p: ArrayLike<number>): number =>
  body.faceNormal[3 * face] * p[0] +
  body.faceNormal[3 * face + 1] * p[1] +
  body.faceNormal[3 * face + 2] * p[2] -
  body.faceOffset[face];

/** Whether some point of the segment is deeper than `depth` inside all planes: clipping, no search. */
export const isCut = (body: FacetBody, a: ArrayLike<number>, b: ArrayLike<number>, depth: number): boolean => {
  let [enter, leave] = [0, 1];
  for (let f = 0; f < body.faceCount; f++) {
    const from = heightOver(body, f, a) + depth;
    const to = heightOver(body, f, b) + depth;
    if (from > 0 && to > 0) return false;
    if (from > 0) enter = Math.max(enter, from / (from - to));
    else if (to > 0) leave = Math.min(leave, from / (from - to));
  }
  return enter < leave;
};

export const mix = (p: ArrayLike<number>, q: ArrayLike<number>, t: number): Float64Array =>
  Float64Array.of((1 - t) * p[0] + t * q[0], (1 - t) * p[1] + t * q[1], (1 - t) * p[2] + t * q[2]);

export const vec = (...numbers: number[]): Float64Array => Float64Array.from(numbers);

export const distance = (p: ArrayLike<number>, q: ArrayLike<number>): number =>
  Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);

export const edgePoint = (body: FacetBody, edge: number, along: number): Float64Array =>
  mix(body.edgeStart.subarray(3 * edge, 3 * edge + 3), body.edgeEnd.subarray(3 * edge, 3 * edge + 3), along);
