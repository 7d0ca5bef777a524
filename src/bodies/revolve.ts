/**
 * Triangles of surfaces of revolution about y. A profile is a list of smooth strips from top to bottom; each strip is a
 * list of points (radius, height) with the normal (outward, up) there. Strips do not share vertices, so the surface is
 * sharp between them. A point of radius 0 is a single vertex.
 */
import { computeSineCosine } from '../math/index.ts';
import type { Tessellation } from './shape.ts';

export interface ProfilePoint {
  readonly radius: number;
  readonly height: number;
  /** Normal in the (radius, height) plane. */
  readonly normal: readonly [number, number];
}

export const revolve = (strips: readonly (readonly ProfilePoint[])[], segments: number): Tessellation => {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  const addRing = ({ radius, height, normal }: ProfilePoint): number[] => {
    const first = positions.length / 3;
    const count = radius === 0 ? 1 : segments;
    for (let j = 0; j < count; j++) {
      const angle = (2 * Math.PI * j) / segments;
      const [s, c] = computeSineCosine(angle);
      positions.push(radius * c, height, radius * s);
      normals.push(radius === 0 ? 0 : normal[0] * c, normal[1], radius === 0 ? 0 : normal[0] * s);
    }
    return Array.from({ length: segments + 1 }, (_, j) => first + (j % count));
  };
  for (const strip of strips) {
    let upper = addRing(strip[0]);
    for (const point of strip.slice(1)) {
      const lower = addRing(point);
      for (let j = 0; j < segments; j++) {
        // At a pole two corners fall together.
        if (upper[j] !== upper[j + 1]) indices.push(upper[j], upper[j + 1], lower[j]);
        if (lower[j] !== lower[j + 1]) indices.push(upper[j + 1], lower[j + 1], lower[j]);
      }
      upper = lower;
    }
  }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint32Array.from(indices),
  };
};

/** A quarter circle of a profile about (0, centre), from the pole down to the equator (up = 1) or on from it to the pole. */
export const quarterCircle = (radius: number, centre: number, up: 1 | -1, segments: number): ProfilePoint[] => {
  const steps = Math.max(1, Math.round(segments / 4));
  return Array.from({ length: steps + 1 }, (_, i) => {
    const fromPole = up === 1 ? i : steps - i;
    const angle = (Math.PI / 2) * (fromPole / steps);
    // The pole itself exactly on the axis, the equator exactly at the centre's height.
    const [sine, cosine] = computeSineCosine(angle);
    const outward = fromPole === 0 ? 0 : sine;
    const upward = fromPole === steps ? 0 : up * cosine;
    return { radius: radius * outward, height: centre + radius * upward, normal: [outward, upward] as const };
  });
};
